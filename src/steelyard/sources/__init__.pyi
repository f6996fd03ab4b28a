from .estimators import from_estimators
from .files.files import FileOptions
from .opening import open_predictions
from .origins import InputFile, Origin
from .predictions import NO_ANSWER, TIED, Predictions, SplitRole, System
from .roles.declared import Holds, Roles
from .roles.raters import open_raters

__all__ = [
    "NO_ANSWER",
    "TIED",
    "FileOptions",
    "Holds",
    "InputFile",
    "Origin",
    "Predictions",
    "Roles",
    "SplitRole",
    "System",
    "from_estimators",
    "open_predictions",
    "open_raters",
]

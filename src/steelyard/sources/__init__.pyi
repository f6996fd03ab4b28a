from .estimators import from_estimators
from .files import FileOptions
from .opening import open_predictions
from .origins import InputFile, Origin
from .predictions import NO_ANSWER, TIED, Predictions, SplitRole, System
from .raters import open_raters
from .roles import Holds, Roles

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

"""Where predictions come from: files, frames and arrays, understood before they are counted."""

from steelyard.sources.estimators import from_estimators
from steelyard.sources.files import FileOptions
from steelyard.sources.opening import open_predictions
from steelyard.sources.origins import InputFile, Origin
from steelyard.sources.predictions import NO_ANSWER, TIED, Predictions, SplitRole, System
from steelyard.sources.raters import open_raters
from steelyard.sources.roles import Holds, Roles

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

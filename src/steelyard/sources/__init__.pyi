from .estimators import from_estimators
from .files.files import FileOptions, Shards
from .files.reader_files import is_reader_study
from .opening import (
    PlainColumns,
    find_printed_results,
    find_result_columns,
    find_system_column,
    open_alignments,
    open_plain_columns,
    open_predictions,
)
from .origins import InputFile, Origin
from .predictions import NO_ANSWER, TIED, Predictions, SplitRole, System
from .roles.declared import Holds, Roles
from .roles.raters import open_raters
from .shapes.alignments import find_alignments
from .shapes.reader_rows import ReaderRows, open_reader_rows

__all__ = [
    "NO_ANSWER",
    "TIED",
    "FileOptions",
    "Holds",
    "InputFile",
    "Origin",
    "PlainColumns",
    "Predictions",
    "ReaderRows",
    "Roles",
    "Shards",
    "SplitRole",
    "System",
    "find_alignments",
    "find_printed_results",
    "find_result_columns",
    "find_system_column",
    "from_estimators",
    "is_reader_study",
    "open_alignments",
    "open_plain_columns",
    "open_predictions",
    "open_raters",
    "open_reader_rows",
]

"""The answers: frozen, and able to say themselves, tabulate and serialise."""

from steelyard.results.base import ROW_COLUMNS, Cell, Result
from steelyard.results.comparison import (
    ComparedMeasure,
    ComparedPair,
    ComparedSystem,
    Comparison,
    Verdict,
)
from steelyard.results.estimates import Estimate, Interval, Proportion, tidy_row
from steelyard.results.evaluation import ClassMeasures, Evaluation, Holds, SystemEvaluation
from steelyard.results.measured import Measured
from steelyard.results.plain import from_plain, to_plain
from steelyard.results.provenance import InputRecord, Provenance
from steelyard.results.readable import rows_table
from steelyard.results.reading import KINDS, read_result

__all__ = [
    "KINDS",
    "ROW_COLUMNS",
    "Cell",
    "ClassMeasures",
    "ComparedMeasure",
    "ComparedPair",
    "ComparedSystem",
    "Comparison",
    "Estimate",
    "Evaluation",
    "Holds",
    "InputRecord",
    "Interval",
    "Measured",
    "Proportion",
    "Provenance",
    "Result",
    "SystemEvaluation",
    "Verdict",
    "from_plain",
    "read_result",
    "rows_table",
    "tidy_row",
    "to_plain",
]

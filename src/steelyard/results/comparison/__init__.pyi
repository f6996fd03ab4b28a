from .data import (
    ComparedMeasure,
    ComparedPair,
    ComparedSystem,
    Comparison,
    OverlapRange,
    OverlapVerdict,
    SliceComparison,
    Verdict,
)
from .values import ComparedValues, FrontRecord, ValueComparison, ValueSlice

__all__ = [
    "ComparedMeasure",
    "ComparedPair",
    "ComparedSystem",
    "ComparedValues",
    "Comparison",
    "FrontRecord",
    "OverlapRange",
    "OverlapVerdict",
    "SliceComparison",
    "ValueComparison",
    "ValueSlice",
    "Verdict",
]

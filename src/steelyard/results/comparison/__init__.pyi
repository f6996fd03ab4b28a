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
from .datasets import DatasetComparison, DatasetPair, RankedByDatasets
from .values import ComparedValues, FrontRecord, ValueComparison, ValueSlice

__all__ = [
    "ComparedMeasure",
    "ComparedPair",
    "ComparedSystem",
    "ComparedValues",
    "Comparison",
    "DatasetComparison",
    "DatasetPair",
    "FrontRecord",
    "OverlapRange",
    "OverlapVerdict",
    "RankedByDatasets",
    "SliceComparison",
    "ValueComparison",
    "ValueSlice",
    "Verdict",
]

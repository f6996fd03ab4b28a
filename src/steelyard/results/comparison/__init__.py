"""Which system is better, and how sure one can be: the data, the words, the tables, the methods.

An answer holds what was decided of every pair. ``words`` says it, ``tables`` lays it out and draws
it, ``methods`` writes what a paper says of it; none of them decides anything.
"""

from steelyard.results.comparison.data import (
    ComparedMeasure,
    ComparedPair,
    ComparedSystem,
    Comparison,
    OverlapRange,
    OverlapVerdict,
    SliceComparison,
    Verdict,
)

__all__ = [
    "ComparedMeasure",
    "ComparedPair",
    "ComparedSystem",
    "Comparison",
    "OverlapRange",
    "OverlapVerdict",
    "SliceComparison",
    "Verdict",
]

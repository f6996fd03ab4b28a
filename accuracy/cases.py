"""The registry: every numerical function of the product, chapter by chapter."""

from pathlib import Path

from accuracy import (
    of_clusters,
    of_evidence,
    of_intervals,
    of_measures,
    of_plans,
    of_posteriors,
    of_tests,
    of_values,
)
from accuracy.case import Case, Judged

__all__ = ["CASES", "CHAPTERS", "LEAST", "found_path", "kept_path"]

CHAPTERS: dict[str, tuple[Judged, ...]] = {
    "Intervals, variances and adjustments": of_intervals.JUDGED,
    "Measures": of_measures.JUDGED,
    "Clusters, vectors and averaged curves": of_clusters.JUDGED,
    "Tests": of_tests.JUDGED,
    "Posteriors and selection": of_posteriors.JUDGED,
    "Evidence, information and stopping": of_evidence.JUDGED,
    "Plans": of_plans.JUDGED,
    "A number for each item": of_values.JUDGED,
}

CASES: list[Case] = [case for judged in CHAPTERS.values() for one in judged for case in one.cases()]

LEAST: dict[str, int] = {one.name: one.least for judged in CHAPTERS.values() for one in judged}
"""Right digits that each function keeps at all of its arguments."""


def kept_path() -> Path:
    """Where the right numbers are kept, to 30 digits."""
    return Path(__file__).parent / "kept.json"


def found_path() -> Path:
    """Where the right digits of the last run are kept, for the page to read."""
    return Path(__file__).parent / "found.json"

"""Rows become patterns of ratings."""

from steelyard.errors import CountsError
from steelyard.sources.predictions import Predictions

__all__ = ["tally_ratings"]


def tally_ratings(predictions: Predictions) -> dict[tuple[str | None, ...], int]:
    """Count the items by what every rater said; None where a rater said nothing."""
    names = ", ".join(system.column for system in predictions.systems)
    rows = predictions.table.query(f"SELECT {names}, COUNT(*) FROM {{t}} GROUP BY {names}")
    patterns = {tuple(said): int(items) for *said, items in rows}
    if sum(patterns.values()) != predictions.rows:
        message = (
            f"{predictions.rows} rows should have been counted and {sum(patterns.values())} were. "
            "This is a fault of Steelyard, not of your data: no answer is given."
        )
        raise CountsError(message, code="rows-lost")
    return patterns

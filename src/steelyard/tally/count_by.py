"""The one group-by of the room: rows counted by key, with or without weights, whole or in parts."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from steelyard.counts.weights import WeightSums
from steelyard.errors import CountsError
from steelyard.sources.predictions import Predictions, SplitRole, System

__all__ = ["WHOLE", "Counted", "check_complete", "count_by"]

WHOLE = ""
"""The name of the only part when the rows are not split."""

Key = tuple[Any, ...]


@dataclass(slots=True)
class Counted:
    """Rows, and sums of weights where there are weights, by key."""

    rows: dict[Key, int] = field(default_factory=dict)
    weights: dict[Key, WeightSums] | None = None

    @property
    def total(self) -> int:
        """Rows counted."""
        return sum(self.rows.values())


def count_by(
    predictions: Predictions,
    keys: Sequence[str],
    *,
    systems: Sequence[System],
    split: SplitRole | None = None,
) -> dict[str, Counted]:
    """Count the rows that all the given systems answered, by the value of some expressions.

    Runs as one portable ``SELECT … COUNT(*) … GROUP BY``; the order of rows and of shards leaves
    no trace. Gives the parts by name, or one part named ``WHOLE``.
    """
    part = f"{predictions.split_column(split)}" if split else "''"
    asked = [f"{part} AS part", *(f"{sql} AS k{place}" for place, sql in enumerate(keys))]
    names = ["part", *(f"k{place}" for place in range(len(keys)))]
    answered = " AND ".join(f"{system.column} IS NOT NULL" for system in systems)
    carried = ", w, w2" if predictions.weighted else ""
    sums = ", SUM(CAST(w AS HUGEINT)), SUM(w2)" if predictions.weighted else ""
    rows = predictions.table.query(
        f"SELECT {', '.join(names)}, COUNT(*){sums} FROM "
        f"(SELECT {', '.join(asked)}{carried} FROM {{t}} WHERE {answered}) AS keyed "
        f"GROUP BY {', '.join(names)}"
    )
    parts: dict[str, Counted] = {}
    width = len(keys)
    for name, *values in rows:
        counted = parts.setdefault(name, Counted(weights={} if predictions.weighted else None))
        key = tuple(values[:width])
        counted.rows[key] = int(values[width])
        if counted.weights is not None:
            counted.weights[key] = WeightSums(int(values[width + 1]), int(values[width + 2]))
    return parts


def check_complete(predictions: Predictions, systems: Sequence[System], counted: int) -> None:
    """Raise when rows are neither counted nor named as excluded."""
    if predictions.pairing == "independent":
        return
    if len(systems) == 1:
        left_out = sum(e.rows for e in predictions.excluded if e.system == systems[0].name)
        expected = predictions.rows - left_out
    else:
        answered = " AND ".join(f"{system.column} IS NOT NULL" for system in systems)
        query = f"SELECT COUNT(CASE WHEN {answered} THEN 1 END) FROM {{t}}"
        (expected,) = predictions.table.query(query)[0]
    if counted != expected:
        message = (
            f"{expected} rows should have been counted and {counted} were. This is a fault of "
            "Steelyard, not of your data: no answer is given."
        )
        raise CountsError(message, code="rows-lost")

"""What is asked of a ROC curve, checked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from steelyard.errors import RequestError
from steelyard.journey.roc_curves.reading import Generated, Lookup
from steelyard.measures import (
    Number,
    exact_share,
)
from steelyard.measures.tables.at_thresholds import check_threshold_measure

__all__ = ["RocAsked", "read_measures", "read_partial"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RocAsked:
    """The question, checked."""

    generation: Generated
    lookups: tuple[Lookup, ...]
    measures: tuple[str, ...]
    partial: tuple[str, tuple[Number, Number]] | None
    average: tuple[str, ...]
    average_at: tuple[Number, ...] | None
    band: str
    cost: Mapping[str, Number] | None
    prevalence: Number | None
    points: int
    level: float
    seed: int
    resamples: int

    def rng(self) -> np.random.Generator | None:
        """Start the random numbers anew for each number, so that none depends on another."""
        return np.random.default_rng(self.seed) if self.resamples else None

    def settings(self) -> dict[str, object]:
        """List what was asked, for the record."""
        cost = self.cost
        return {
            "thresholds": self.generation.said,
            "at": " ".join(one.asked for one in self.lookups) or None,
            "partial": self.partial
            and f"{self.partial[0]} {float(self.partial[1][0]):g} to {float(self.partial[1][1]):g}",
            "average": ",".join(self.average) or None,
            "band": self.band,
            "cost": None if cost is None else ",".join(f"{k}={v}" for k, v in cost.items()),
            "prevalence": self.prevalence,
            "level": self.level,
            "resamples": self.resamples,
        }


def read_measures(measures: Sequence[str]) -> tuple[str, ...]:
    """Refuse measures that no point of a curve has."""
    for name in measures:
        check_threshold_measure(name)
    return tuple(measures)


def read_partial(partial: str | None) -> tuple[str, tuple[Number, Number]] | None:
    """Read ``pfa:0:0.1`` and its like."""
    if partial is None:
        return None
    name, *ends = partial.split(":")
    axes = {"pfa": "false_alarm_rates", "pd": "detection_rates"}
    if name not in axes or len(ends) != 2:
        message = f"partial={partial!r} is not of the form pfa:0:0.1 or pd:0.8:1."
        raise RequestError(message)
    low, high = (exact_share(end, name) for end in ends)
    return axes[name], (low, high)

"""Whom the advantage of a gate speaks of: items like these, these very items, one benchmark."""

from dataclasses import dataclass, replace
from math import sqrt
from typing import Self

from scipy.special import ndtri

from steelyard.errors import NotComparable, RequestError, switch
from steelyard.journey.compared_repeats import answers_spread, checked_estimand
from steelyard.journey.gate_advantages import Advantage, advantage_of
from steelyard.journey.requirements import Requirement
from steelyard.measures import ESTIMANDS, Estimand
from steelyard.results import Estimate, Interval
from steelyard.sources import Predictions
from steelyard.tally import tally_outcomes_by
from steelyard.uncertainty import finite_correction

__all__ = ["Whom"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Whom:
    """What the items of a gate stand for."""

    estimand: Estimand = "population"
    benchmark: int | None = None
    said: bool = False

    @classmethod
    def of(cls, estimand: str | None, benchmark: int | None) -> Self:
        """Check what was asked."""
        checked = checked_estimand(estimand)
        if benchmark is not None and checked == "items":
            message = (
                "estimand='items' speaks of these very items, and benchmark= of others too. Leave "
                "one of them out."
            )
            raise RequestError(message)
        return cls(estimand=checked, benchmark=benchmark, said=estimand is not None)

    @property
    def of_population(self) -> bool:
        """Further items have a meaning only where there are further items."""
        return self.estimand == "population" and self.benchmark is None

    @property
    def way_out(self) -> str | None:
        """Say what would decide an undecided gate."""
        if self.benchmark is not None:
            return "more of the benchmark would have to be tested"
        return "each item would have to be asked more often" if self.estimand == "items" else None

    @property
    def caveats(self) -> tuple[str, ...]:
        """Say whom the numbers speak of, where that was asked."""
        if self.benchmark is not None:
            return (
                f"numbers speak of a benchmark of {self.benchmark:,} items, of which these are "
                f"taken as a random part (benchmark={self.benchmark})",
            )
        return (f"numbers speak of {ESTIMANDS[self.estimand]}",) if self.said else ()

    def advantage(
        self,
        required: Requirement,
        data: object,
        names: tuple[str, str],
        *,
        level: float,
        rng: int,
    ) -> Advantage:
        """Measure the advantage, with the interval that fits what the items stand for."""
        found = advantage_of(required, data, names, level=level, rng=rng)  # type: ignore[arg-type]
        if self.estimand == "items":
            return _again(found, data, names, level)
        return found if self.benchmark is None else _of_benchmark(found, self.benchmark, data)


def _again(found: Advantage, data: object, names: tuple[str, str], level: float) -> Advantage:
    """Take the spread of the answers within items alone."""
    if found.measure != "accuracy":
        message = f"estimand='items' is for accuracy; {found.measure} speaks of items like these."
        raise NotComparable(message, code="no-repeats")
    if not isinstance(data, Predictions) or "cluster" not in data.splits:
        message = (
            "estimand='items' needs items that were asked more than once: a log with epochs or "
            f"repeats, or a column that names the item of each try, {switch('cluster', 'COLUMN')}."
        )
        raise NotComparable(message, code="no-repeats")
    grouped = tally_outcomes_by(data, "cluster")
    rates, spread = answers_spread(grouped)
    places = grouped.merged().systems
    i, j = places.index(names[0]), places.index(names[1])
    error = sqrt(max(0.0, spread[i, i] + spread[j, j] - 2 * spread[i, j]))
    gap = float(rates[i] - rates[j])
    half = float(ndtri((1 + level) / 2)) * error
    return _with_ends(found, max(-1.0, gap - half), min(1.0, gap + half), "within-items")


def _of_benchmark(found: Advantage, benchmark: int, data: object) -> Advantage:
    """Draw the ends nearer, by the part of the benchmark that is known already."""
    if isinstance(data, Predictions) and "cluster" in data.splits:
        message = (
            "benchmark= counts single items, and these come in clusters. Leave the clusters out, "
            "or benchmark= (--benchmark)."
        )
        raise NotComparable(message, code="gate-clusters")
    value, ends = found.estimate.value, found.estimate.interval
    if value is None or ends is None:
        return found
    if found.measure != "accuracy":
        message = (
            f"benchmark= counts all items, and {found.measure} is about some of them. Require "
            "accuracy, or leave it out."
        )
        raise NotComparable(message, code="no-benchmark")
    factor = finite_correction(found.estimate.items or 0, benchmark)
    low, high = value - factor * (value - ends.low), value + factor * (ends.high - value)
    return _with_ends(found, low, high, f"{ends.method}, finite population")


def _with_ends(found: Advantage, low: float, high: float, method: str) -> Advantage:
    estimate: Estimate = found.estimate
    level = estimate.interval.level if estimate.interval else 0.95
    ends = Interval(low=low, high=high, level=level, method=method)
    return replace(found, estimate=replace(estimate, interval=ends))

"""Whom the advantage of a gate speaks of: items like these, these very items, one benchmark."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from steelyard.errors import NotComparable, RequestError, switch
from steelyard.journey.comparison.repeats import METHOD, RepeatedPair, checked_estimand
from steelyard.journey.declared_roles import Verb
from steelyard.journey.gates.advantages import GUARDED, Advantage, advantage_of
from steelyard.journey.gates.requirements import Requirement
from steelyard.measures import ESTIMANDS, Estimand
from steelyard.results import Interval
from steelyard.sources import Predictions
from steelyard.tally import tally_outcomes_by
from steelyard.uncertainty import guarded_finite_interval

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
    def verb(self) -> Verb | None:
        """Name the question in the table of roles, where it is not the usual one."""
        if self.benchmark is not None:
            return "gate on a benchmark"
        return "gate on these items" if self.estimand == "items" else None

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
            return _again(found, data, names, level=level, rng=rng)
        if self.benchmark is None:
            return found
        return _of_benchmark(found, self.benchmark, level=level, rng=rng)


def _again(
    found: Advantage, data: object, names: tuple[str, str], *, level: float, rng: int
) -> Advantage:
    """Take the spread of the answers within items alone, as ``compare`` does."""
    if found.measure != "accuracy":
        message = f"estimand='items' is for accuracy; {found.measure} speaks of items like these."
        raise NotComparable(message, code="no-repeats")
    if not isinstance(data, Predictions) or "cluster" not in data.splits:
        message = (
            "estimand='items' needs items that were asked more than once: a log with epochs or "
            f"repeats, or a column that names the item of each try, {switch('cluster', 'COLUMN')}."
        )
        raise NotComparable(message, code="no-repeats")
    pair = RepeatedPair.of(tally_outcomes_by(data, "cluster"), *names, seed=rng)
    plain = replace(found, estimate=replace(found.estimate, caveats=()))
    return _with_ends(plain, *pair.limits(level), level, METHOD)


def _of_benchmark(found: Advantage, benchmark: int, *, level: float, rng: int) -> Advantage:
    """Draw what the rest of the benchmark may hold, given the part that is known."""
    if found.measure != "accuracy":
        message = (
            f"benchmark= counts all items, and {found.measure} is about some of them. Require "
            "accuracy, or leave it out."
        )
        raise NotComparable(message, code="no-benchmark")
    pair = found.pair
    if pair is None:  # counts that carry weights; columns were settled before
        message = "benchmark= counts whole items, and these carry weights. Leave one of them out."
        raise NotComparable(message, code="weighted")
    cells = (pair.both, pair.first, pair.second, pair.neither)
    ends = guarded_finite_interval(cells, benchmark, level=level, rng=np.random.default_rng(rng))
    return _with_ends(found, *ends, level, f"{GUARDED}, finite population")


def _with_ends(found: Advantage, low: float, high: float, level: float, method: str) -> Advantage:
    ends = Interval(low=low, high=high, level=level, method=method)
    return replace(found, reason=None, estimate=replace(found.estimate, interval=ends))

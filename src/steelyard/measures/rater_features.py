"""What a coefficient of agreement is made of, and how much it varies from item to item."""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from steelyard.measures.ratings import Ratings
from steelyard.results.estimates import Estimate, Interval
from steelyard.uncertainty import normal_quantile, wilson_interval_effective

__all__ = ["Coefficient", "Features", "agreement_estimate"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """The totals that a coefficient is made of."""

    items: Floats
    pairs: Floats
    apart: Floats
    shares: Floats
    raters: Floats
    together: Floats


ADDED = ("items", "pairs", "apart", "shares", "raters")


@dataclass(frozen=True, slots=True)
class _Parts:
    """What each pattern adds to the totals; the first place is the pattern.

    What it adds to ``together``, a table of categories by categories, is made when it is asked
    for: one for each pattern would fill the memory.
    """

    items: Floats
    pairs: Floats
    apart: Floats
    shares: Floats
    raters: Floats
    counts: Floats
    factor: Floats

    def totals(self, multiplicity: Floats) -> Features:
        """Add up over the items."""
        weights = multiplicity * self.factor
        both = (self.counts.T * weights) @ self.counts - np.diag(weights @ self.counts)
        added = {name: np.tensordot(multiplicity, getattr(self, name), axes=1) for name in ADDED}
        return Features(**added, together=both)

    def without(self, total: Features, row: int, *, together: bool) -> Features:
        """Take one item of a pattern out of the totals."""
        rest = {name: getattr(total, name) - getattr(self, name)[row] for name in ADDED}
        both = total.together
        if together:
            said = self.counts[row]
            both = both - self.factor[row] * (np.outer(said, said) - np.diag(said))
        return Features(**rest, together=both)


Coefficient = Callable[[Features], tuple[float, float]]
"""From totals to the observed disagreement and that by chance: of raters who nearly always agree,
these keep the digits that a difference from 1 would lose."""


def agreement_estimate(
    rated: Ratings,
    name: str,
    table: Floats,
    coefficient: Coefficient,
    *,
    level: float,
    together: bool = False,
) -> Estimate:
    """Work a coefficient out, with the interval that leaving out single items gives.

    ``together`` says that the coefficient looks at which categories met on an item. Undefined
    without an item that two raters rated, and where chance alone agrees fully.
    """
    normal_quantile(level)
    parts = _parts(rated, table)
    total = parts.totals(rated.multiplicity)
    used = int(total.pairs)
    if used == 0:
        reason = "no item has two ratings or more"
        return Estimate(measure=name, value=None, reason=reason, items=rated.items)
    seen, chance = coefficient(total)
    if not chance > 1e-12:
        reason = "only one category was used: chance alone agrees fully"
        return Estimate(measure=name, value=None, reason=reason, items=rated.items)
    value = (chance - seen) / chance
    variance = _jackknife(rated, parts, total, coefficient, together=together)
    interval, doubts = _limits(value, chance, variance, used, level=level)
    return Estimate(
        measure=name,
        value=value,
        interval=interval,
        standard_error=sqrt(variance) if variance else None,
        items=rated.items,
        caveats=doubts,
    )


def _parts(rated: Ratings, table: Floats) -> _Parts:
    said = rated.said
    counts = said.sum(axis=1)
    number = counts.sum(axis=1)
    several = number >= 2
    pairs = np.where(several, number * (number - 1), 1.0)
    differed = (counts * (counts @ (1 - table))).sum(axis=1)
    return _Parts(
        items=(number > 0).astype(np.float64),
        pairs=several.astype(np.float64),
        apart=np.where(several, differed / pairs, 0.0),
        shares=counts / np.maximum(number, 1)[:, None],
        raters=said,
        counts=counts,
        factor=np.where(several, 1 / np.maximum(number - 1, 1), 0.0),
    )


def _jackknife(
    rated: Ratings, parts: _Parts, total: Features, coefficient: Coefficient, *, together: bool
) -> float | None:
    """Variance from leaving out each item in turn; None when that leaves nothing to judge."""
    number = rated.items
    if number < 3:
        return None
    left = []
    for row in range(len(rated.patterns)):
        rest = parts.without(total, row, together=together)
        if rest.pairs < 1:
            return None
        seen, chance = coefficient(rest)
        if not chance > 1e-12:
            return None
        left.append((chance - seen) / chance)
    values = np.array(left)
    weights = rated.multiplicity
    mean = float((weights * values).sum()) / number
    spread = float((weights * (values - mean) ** 2).sum())
    return (number - 1) / number * spread


def _limits(
    value: float, chance: float, variance: float | None, used: int, *, level: float
) -> tuple[Interval | None, tuple[str, ...]]:
    if variance is not None and variance > 1e-24:
        half = -float(stdtrit(used - 1, (1 - level) / 2)) * sqrt(variance)
        low, high = max(-1.0, value - half), min(1.0, value + half)
        return Interval(low=low, high=high, level=level, method="jackknife-t"), ()
    if value < 1 - 1e-12:
        return None, ("no interval: leaving out single items does not show how the number varies",)
    agreed = wilson_interval_effective(1.0, float(used), level=level)[0]
    low = max(-1.0, 1 - (1 - agreed) / chance)
    doubt = (
        "all raters agree on every item; the interval is that of the share of such items, with "
        "chance agreement held fixed"
    )
    method = "wilson, chance agreement held fixed"
    return Interval(low=low, high=1.0, level=level, method=method), (doubt,)

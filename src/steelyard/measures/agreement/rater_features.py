"""What a coefficient of agreement is made of, and how much it varies from item to item."""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from steelyard.measures.agreement.ratings import Ratings
from steelyard.results.estimates import Estimate, Interval
from steelyard.uncertainty import normal_quantile

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


PAIRED = 12
"""Up to so many categories, made-up items show every pair of them."""
ALONE = "no interval: one item alone does not show how the number varies"
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

    def without(self, total: Features, row: int, *, together: bool, times: float = 1.0) -> Features:
        """Take one item of a pattern, or a part of it, out of the totals."""
        rest = {name: getattr(total, name) - times * getattr(self, name)[row] for name in ADDED}
        both = total.together
        if together:
            said = self.counts[row]
            both = both - times * self.factor[row] * (np.outer(said, said) - np.diag(said))
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
    lowest: float = -1.0,
) -> Estimate:
    r"""Work a coefficient out, with the interval that leaving out single items gives.

    ``together`` says that the coefficient looks at which categories met on an item, ``lowest`` is
    its least value. Undefined without an item that two raters rated, and where chance alone agrees
    fully. The standard error is that of the items as they are. For the limits :math:`z^2` made-up
    items of two ratings are added, half of them agreed on, spread evenly over the categories, as
    Agresti and Coull do for a share: a rare category, or raters who agree on every item, would
    else seem to vary by nothing.
    """
    normal_quantile(level)
    parts = _parts(rated, table)
    total = parts.totals(rated.multiplicity)
    used = int(total.pairs)
    if used == 0:
        reason = "no item has two ratings or more"
        return Estimate(measure=name, value=None, reason=reason, items=rated.items)
    seen, chance = coefficient(total)
    # Where one category was used this is a difference of sums: 0 but for rounding.
    if not chance > 1e-12:
        reason = "only one category was used: chance alone agrees fully"
        return Estimate(measure=name, value=None, reason=reason, items=rated.items)
    value = (chance - seen) / chance
    variance = _jackknife(rated, parts, total, coefficient, together=together)
    ends: Interval | None = None
    doubts: tuple[str, ...] = (ALONE,)
    if used > 1:
        low, high = _limits(
            (parts, table), rated, coefficient, value, level=level, together=together
        )
        ends = Interval(low=max(lowest, low), high=high, level=level, method="adjusted jackknife-t")
        doubts = ()
    return Estimate(
        measure=name,
        value=value,
        interval=ends,
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
        # Without this item one category is left: no value there, and so no jackknife.
        if not chance > 1e-12:
            return None
        left.append((chance - seen) / chance)
    values = np.array(left)
    weights = rated.multiplicity
    mean = float((weights * values).sum()) / number
    spread = float((weights * (values - mean) ** 2).sum())
    return (number - 1) / number * spread


def _limits(
    known: tuple[_Parts, Floats],
    rated: Ratings,
    coefficient: Coefficient,
    value: float,
    *,
    level: float,
    together: bool,
) -> tuple[float, float]:
    """Limits of the coefficient of these items and the made-up ones, stretched to hold it."""
    made = normal_quantile(level) ** 2
    parts, table = known
    extra, weights = _make_up(parts, table, made)
    every = _Parts(
        *(np.concatenate([getattr(parts, one), getattr(extra, one)]) for one in _Parts.__slots__)
    )
    rows = np.concatenate([rated.multiplicity, weights])
    total = every.totals(rows)
    centre = _value(coefficient, total)
    slopes = np.empty(len(rows))
    for row, weight in enumerate(rows):
        # Of made-up items there is less than one of a kind: all that there is of it is left out.
        step = min(1.0, float(weight))
        rest = every.without(total, row, together=together, times=step)
        slopes[row] = (centre - _value(coefficient, rest)) / step
    number = float(rows.sum())
    mean = float((rows * slopes).sum()) / number
    spread = float((rows * (slopes - mean) ** 2).sum()) * (number - 1) / number
    used = float(np.tensordot(rated.multiplicity, parts.pairs, axes=1))
    half = -float(stdtrit(used - 1, (1 - level) / 2)) * sqrt(spread)
    return min(value, centre - half), min(1.0, max(value, centre + half))


def _value(coefficient: Coefficient, total: Features) -> float:
    seen, chance = coefficient(total)
    return (chance - seen) / chance


def _make_up(parts: _Parts, table: Floats, made: float) -> tuple[_Parts, Floats]:
    """Make up items with two ratings, half of them agreed on, over the categories that occur."""
    occur = np.flatnonzero(parts.counts.sum(axis=0))
    if len(occur) < 2:
        occur = np.arange(parts.counts.shape[1])
    number = len(occur)
    # Of many categories each meets one that is a third of the way round: pairs enough, and far.
    shifts = range(1, number) if number <= PAIRED else (number // 3,)
    pairs = {tuple(sorted((k, (k + shift) % number))) for shift in shifts for k in range(number)}
    apart = [(occur[one], occur[two]) for one, two in sorted(pairs)] or [(occur[0], occur[0])]
    counts = np.zeros((number + len(apart), parts.counts.shape[1]))
    for row, (one, two) in enumerate([*zip(occur, occur, strict=True), *apart]):
        counts[row, one] += 1
        counts[row, two] += 1
    # Where a single category was ever offered, those who disagree would have named another.
    far = [float(1 - table[pair]) for pair in apart] if number > 1 else [1.0]
    every, raters = np.ones(len(counts)), parts.raters.shape[1]
    extra = _Parts(
        items=every,
        pairs=every,
        apart=np.array([0.0] * number + far),
        shares=counts / 2,
        raters=np.repeat(counts[:, None, :] / raters, raters, axis=1),
        counts=counts,
        factor=every,
    )
    halves = (number, len(apart))
    return extra, np.concatenate([np.full(n, made / (2 * n)) for n in halves])

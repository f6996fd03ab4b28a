"""Areas under ROC curves compared by drawing items again, from scores that were sorted once."""

from dataclasses import dataclass
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from steelyard.comparison.resampling.paired import (
    ResampledDifference,
    bootstrapped,
    check_draws,
)
from steelyard.comparison.resampling.scores import check_both, items_drawn
from steelyard.counts import JointScores
from steelyard.counts.scores.keys import ranked

__all__ = ["bootstrap_areas"]

Floats: TypeAlias = NDArray[np.float64]
Places: TypeAlias = NDArray[np.intp]


def bootstrap_areas(
    joint: JointScores,
    *,
    rng: np.random.Generator,
    draws: int = 2000,
    level: float = 0.95,
) -> tuple[ResampledDifference, ...]:
    r"""Paired bootstrap of the area under the ROC curve, for every pair of systems.

    Draws the very items that :func:`steelyard.comparison.bootstrap_scores` would draw. Scores are
    sorted once. With :math:`w` how often an item was drawn and :math:`C` the running sums of
    :math:`w` over the negatives in ascending order, a draw has the area
    :math:`\sum_i w_i (C_{l_i} + C_{h_i}) / (2mn)` over the positives, where :math:`l_i` and
    :math:`h_i` are the negatives below and not above the positive. Memory does not grow with the
    draws.

    References
    ----------
    .. [1] Efron & Tibshirani (1993), An Introduction to the Bootstrap, Chapman & Hall, chapters 13
       and 16, doi:10.1007/978-1-4899-4541-9.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> truth = np.arange(60) < 30
    >>> joint = JointScores.from_arrays(
    ...     truth, {"S": truth + rng.normal(0, 0.5, 60), "T": truth + rng.normal(0, 2, 60)})
    >>> (pair,) = bootstrap_areas(joint, rng=rng, draws=199)
    >>> pair.low < pair.difference < pair.high
    True
    """
    check_draws(draws)
    check_both(joint.truth)
    positives = joint.positive_total
    negatives = joint.total - positives
    stairs = [_Stairs.of(row[:negatives], row[negatives:]) for row in joint.scores]
    once = np.ones(negatives, dtype=np.int64), np.ones(positives, dtype=np.int64)
    seen = np.array([one.area(*once) for one in stairs])
    found = np.empty((len(stairs), draws))
    for draw in range(draws):
        of_positives = items_drawn(positives, rng)
        of_negatives = items_drawn(negatives, rng)
        found[:, draw] = [one.area(of_negatives, of_positives) for one in stairs]
    return bootstrapped(joint.systems, seen, found, level=level)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stairs:
    """The order of the negatives of one system, and where its positives stand among them."""

    order: Places
    below: Places
    up_to: Places | None

    @classmethod
    def of(cls, negatives: Floats, positives: Floats) -> Self:
        order = ranked(negatives).places
        ascending = negatives[order]
        below = np.searchsorted(ascending, positives, side="left")
        up_to = np.searchsorted(ascending, positives, side="right")
        tied = bool((below != up_to).any())
        return cls(order=order, below=below, up_to=up_to if tied else None)

    def area(self, of_negatives: NDArray[np.int64], of_positives: NDArray[np.int64]) -> float:
        sums = np.zeros(self.order.size + 1, dtype=np.int64)
        np.cumsum(of_negatives[self.order], out=sums[1:])
        if self.up_to is None:
            won_twice = 2 * int(np.dot(of_positives, sums[self.below]))
        else:
            won_twice = int(np.dot(of_positives, sums[self.below] + sums[self.up_to]))
        return won_twice / (2 * self.order.size * of_positives.size)

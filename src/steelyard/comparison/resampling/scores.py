"""Any measure of scores on common items compared by drawing or exchanging items again."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from steelyard.comparison.datasets.ranks import midranks
from steelyard.comparison.resampling.paired import (
    MOST_NUMBERS,
    ResampledDifference,
    bootstrap,
    check_clusters,
    check_draws,
    check_values,
    count_draws,
    permute,
)
from steelyard.counts import Grouped, JointScores
from steelyard.counts.scores.keys import rank
from steelyard.errors import NotComparable

__all__ = [
    "ScoreMeasure",
    "bootstrap_areas",
    "bootstrap_scores",
    "check_both",
    "draw_items",
    "permute_scores",
]

# --- any measure of scores on common items compared by drawing or exchanging items again ---------


Floats: TypeAlias = NDArray[np.float64]
Whole: TypeAlias = NDArray[np.int64]

ScoreMeasure: TypeAlias = Callable[[Floats, Whole, Whole], Floats]
"""From the distinct scores, lowest first, and the positives and negatives at each, of shape
(draws, scores), to a value each; NaN where there is none."""


def bootstrap_scores(
    joint: JointScores | Grouped[JointScores],
    measure: ScoreMeasure,
    *,
    rng: np.random.Generator,
    draws: int = 2000,
    level: float = 0.95,
) -> tuple[ResampledDifference, ...]:
    """Paired bootstrap of a measure of scores, for every pair of systems.

    Positive and negative items are drawn again with replacement, as many of each as there are,
    all systems together; see :func:`steelyard.comparison.bootstrap_calls`. Given the scores of each
    cluster, whole clusters are drawn again, as many as there are; draws that lack a class have no
    value.

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
    >>> def mean_gap(scores, positives, negatives):
    ...     return (positives @ scores - negatives @ scores) / 30
    >>> (pair,) = bootstrap_scores(joint, mean_gap, rng=rng, draws=199)
    >>> pair.low < pair.difference < pair.high
    True
    """
    check_draws(draws)
    items = _Items(joint)
    ladders = [_Ladder(row) for row in items.scores]
    whole = np.ones((1, items.truth.size), dtype=np.int64)
    seen = np.array([_measure(measure, one, whole, items.truth)[0] for one in ladders])
    check_values(items.systems, seen)
    found = [
        np.stack([_measure(measure, one, weights, items.truth) for one in ladders])
        for weights in items.draw(rng, draws)
    ]
    drawn = np.concatenate(found, axis=1)
    return bootstrap(items.systems, seen, drawn, level=level, clusters=items.clusters)


def permute_scores(
    joint: JointScores | Grouped[JointScores],
    measure: ScoreMeasure,
    *,
    rng: np.random.Generator,
    draws: int = 2000,
    ranks: bool = True,
) -> tuple[ResampledDifference, ...]:
    """Paired permutation test of a measure of scores, for every pair of systems.

    On each item the scores of the two systems change places with probability ½; given the scores
    of each cluster, on all items of a cluster or on none.

    Parameters
    ----------
    ranks
        Exchange the ranks an item has with each system, not its scores: for measures of the order
        alone, such as the area under the ROC curve, which systems on different scales share [1]_.

    References
    ----------
    .. [1] Bandos, Rockette & Gur (2005), Statistics in Medicine 24, 2873-2893,
       doi:10.1002/sim.2149.

    Examples
    --------
    >>> joint = JointScores.from_arrays(
    ...     [True, False] * 20, {"S": np.arange(40.0), "T": np.arange(40.0)})
    >>> def highest(scores, positives, negatives):
    ...     return positives @ scores
    >>> permute_scores(joint, highest, rng=np.random.default_rng(1), draws=99)[0].p_value
    1.0
    """
    check_draws(draws)
    items = _Items(joint)
    scores = [midranks(row) if ranks else row for row in items.scores]
    seen = np.array(
        [
            _measure(measure, _Ladder(row), np.ones((1, row.size), np.int64), items.truth)[0]
            for row in scores
        ]
    )
    check_values(items.systems, seen)
    return tuple(
        permute(
            (items.systems[i], items.systems[j]),
            (seen[i], seen[j]),
            _exchange(measure, (scores[i], scores[j]), items, rng, draws),
        )
        for i, j in combinations(range(len(scores)), 2)
    )


class _Items:
    """Scores of all items, and the cluster that each item is of; items are their own clusters."""

    def __init__(self, joint: JointScores | Grouped[JointScores]) -> None:
        parts = [part for _, part in joint] if isinstance(joint, Grouped) else [joint]
        self.systems = parts[0].systems
        self.truth = np.concatenate([part.truth for part in parts])
        self.scores = np.concatenate([part.scores for part in parts], axis=1)
        sizes = [part.total for part in parts]
        self.clusters = len(parts) if isinstance(joint, Grouped) else 0
        self.cluster = np.repeat(np.arange(len(parts)), sizes)
        if self.clusters:
            check_clusters(self.clusters)
        check_both(self.truth)

    def draw(self, rng: np.random.Generator, draws: int) -> Iterator[Whole]:
        """Draw items of each class, or whole clusters, block by block."""
        if not self.clusters:
            yield from _draw(self.truth, rng, draws)
            return
        block = max(1, MOST_NUMBERS // self.truth.size)
        for start in range(0, draws, block):
            yield count_draws(min(block, draws - start), self.clusters, rng)[:, self.cluster]

    def exchange(self, rng: np.random.Generator, number: int) -> NDArray[np.bool_]:
        """Choose the items on which two systems change places."""
        if not self.clusters:
            return np.asarray(rng.random((number, self.truth.size)) < 0.5)
        return np.asarray((rng.random((number, self.clusters)) < 0.5)[:, self.cluster])


class _Ladder:
    """The distinct scores of one system, and the items on each rung."""

    def __init__(self, scores: Floats) -> None:
        self.order = np.argsort(scores, kind="stable")
        self.scores, self.starts = np.unique(scores[self.order], return_index=True)


def _measure(
    measure: ScoreMeasure, ladder: _Ladder, weights: Whole, truth: NDArray[np.bool_]
) -> Floats:
    sides = []
    for side in (truth, ~truth):
        kept = np.where(side, weights, 0)[:, ladder.order]
        sides.append(np.add.reduceat(kept, ladder.starts, axis=1))
    both = (sides[0].sum(axis=1) > 0) & (sides[1].sum(axis=1) > 0)
    found = np.full(both.size, np.nan)
    found[both] = measure(ladder.scores, sides[0][both], sides[1][both])
    return found


def _draw(truth: NDArray[np.bool_], rng: np.random.Generator, draws: int) -> Iterator[Whole]:
    block = max(1, MOST_NUMBERS // truth.size)
    sides = np.flatnonzero(truth), np.flatnonzero(~truth)
    for start in range(0, draws, block):
        number = min(block, draws - start)
        weights = np.zeros((number, truth.size), dtype=np.int64)
        for row in weights:
            for places in sides:
                row[places] = draw_items(places.size, rng)
        yield weights


def draw_items(items: int, rng: np.random.Generator) -> Whole:
    """Draw as many items as there are, with replacement, and count how often each was drawn.

    >>> int(draw_items(5, np.random.default_rng(0)).sum())
    5
    """
    return np.bincount(rng.integers(0, items, items), minlength=items)


def _exchange(
    measure: ScoreMeasure,
    scores: tuple[Floats, Floats],
    items: _Items,
    rng: np.random.Generator,
    draws: int,
) -> Floats:
    truth = items.truth
    values, places = np.unique(np.concatenate(scores), return_inverse=True)
    first, second = places[: truth.size], places[truth.size :]
    block = max(1, MOST_NUMBERS // (2 * values.size))
    found = []
    for start in range(0, draws, block):
        number = min(block, draws - start)
        swap = items.exchange(rng, number)
        one = _count(np.where(swap, second, first), truth, values.size)
        two = _count(np.where(swap, first, second), truth, values.size)
        found.append(measure(values, *one) - measure(values, *two))
    return np.concatenate(found)


def _count(places: NDArray[np.intp], truth: NDArray[np.bool_], size: int) -> tuple[Whole, Whole]:
    """Count positives and negatives at every score of every draw."""
    number = places.shape[0]
    keys = places + size * np.arange(number)[:, None]
    positives, negatives = (
        np.bincount(keys[:, side].ravel(), minlength=number * size).reshape(number, size)
        for side in (truth, ~truth)
    )
    return positives, negatives


def check_both(truth: NDArray[np.bool_]) -> None:
    """Refuse scores of one class only."""
    if int(truth.sum()) in {0, truth.size}:
        message = "Measures of scores need items of both classes; here there is only one."
        raise NotComparable(message, code="one-class")


# --- areas under ROC curves compared by drawing items again, from scores that were sorted once ---


Places: TypeAlias = NDArray[np.intp]


def bootstrap_areas(
    joint: JointScores,
    *,
    rng: np.random.Generator,
    draws: int = 2000,
    level: float = 0.95,
) -> tuple[ResampledDifference, ...]:
    r"""Paired bootstrap of the area under the ROC curve, for every pair of systems.

    Draws exactly the items that :func:`steelyard.comparison.bootstrap_scores` would draw. Scores
    are sorted once. With :math:`w` how often an item was drawn and :math:`C` the running sums of
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
        of_positives = draw_items(positives, rng)
        of_negatives = draw_items(negatives, rng)
        found[:, draw] = [one.area(of_negatives, of_positives) for one in stairs]
    return bootstrap(joint.systems, seen, found, level=level)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stairs:
    """The order of the negatives of one system, and where its positives stand among them."""

    order: Places
    below: Places
    up_to: Places | None

    @classmethod
    def of(cls, negatives: Floats, positives: Floats) -> Self:
        order = rank(negatives).places
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

"""The bootstrap on a table of scores: resampled counts, never resampled rows."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import Grouped, ScoreTable
from steelyard.errors import NotComparable, RequestError
from steelyard.uncertainty.domain import normal_quantile, whole_count

__all__ = [
    "CELLS",
    "RESAMPLES",
    "ClusterDraws",
    "Resampled",
    "merge_cells",
    "percentile_limits",
    "resample_clusters",
    "resample_scores",
    "resample_statistic",
]

# --- the bootstrap on scores that come in clusters: whole clusters are drawn, never rows ---------


Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
RESAMPLING_AT_ONCE = 2**21
"""Numbers held in memory at once."""


class Grouping(Protocol):
    """How neighbouring scores are merged before they are resampled."""

    def __call__(self, table: ScoreTable, cells: int) -> ScoreTable:
        """Merge scores into at most so many groups."""
        ...


@dataclass(frozen=True, slots=True)
class ClusterDraws:
    """Counts of some resamples at each score, and of the clusters that were not drawn."""

    scores: Floats
    positives: Whole
    negatives: Whole
    left_positives: Floats
    left_negatives: Floats


def resample_clusters(
    grouped: Grouped[ScoreTable],
    *,
    rng: np.random.Generator,
    resamples: int,
    cells: int,
    merged: Grouping,
) -> Iterator[ClusterDraws]:
    """Draw as many clusters again, with replacement, many times; class sizes vary with them.

    Resamples in which a class is missing are left out.

    References
    ----------
    .. [1] Davison & Hinkley (1997), Bootstrap Methods and their Application, Cambridge, section
       3.8, doi:10.1017/CBO9780511802843.

    Examples
    --------
    >>> from steelyard.uncertainty.areas.resampling import merge_cells
    >>> parts = {str(g): ScoreTable.from_scores([g + 1.0], [float(g)]) for g in range(5)}
    >>> grouped = Grouped.from_parts("patient", parts)
    >>> (some,) = resample_clusters(
    ...     grouped, rng=np.random.default_rng(0), resamples=3, cells=99, merged=merge_cells)
    >>> some.positives.sum(axis=1).tolist()
    [5, 5, 5]
    """
    if whole_count(resamples, "resamples") < 2:
        message = f"resamples={resamples!r}; expected a whole number, 2 or more."
        raise RequestError(message)
    whole = grouped.merged()
    if len(grouped) < 2 or not whole.positive_total or not whole.negative_total:
        message = "A bootstrap of clusters needs two or more of them, and items of both classes."
        raise NotComparable(message, code="one-class")
    small = merged(whole, cells)
    number = len(grouped)
    size = max(1, RESAMPLING_AT_ONCE // max(number, 2 * small.scores.size))
    even = np.full(number, 1 / number)
    for start in range(0, resamples, size):
        drawn = rng.multinomial(number, even, size=min(size, resamples - start)).astype(np.float64)
        yield _sum(grouped, small.scores, drawn)


def _sum(grouped: Grouped[ScoreTable], scores: Floats, drawn: Floats) -> ClusterDraws:
    """Add up the clusters of each resample, some clusters at a time."""
    sums = np.zeros((4, len(drawn), scores.size))
    size = max(1, RESAMPLING_AT_ONCE // scores.size)
    for start in range(0, len(grouped), size):
        parts = grouped.parts[start : start + size]
        counts = np.zeros((2, len(parts), scores.size))
        for row, part in enumerate(parts):
            place = np.searchsorted(scores, part.scores, side="right") - 1
            np.add.at(counts[0, row], place, part.positives)
            np.add.at(counts[1, row], place, part.negatives)
        times = drawn[:, start : start + size]
        left = (times == 0).astype(np.float64)
        for at, side in enumerate(counts):
            sums[at] += times @ side
            sums[at + 2] += left @ side
    both = (sums[0].sum(axis=1) > 0) & (sums[1].sum(axis=1) > 0)
    # Sums of whole numbers as floats, for the speed of the matrix product: exact below 2^53.
    positives, negatives = (np.rint(one[both]).astype(np.int64) for one in sums[:2])
    return ClusterDraws(scores, positives, negatives, sums[2][both], sums[3][both])


# --- the bootstrap on a table of scores: resampled counts, never resampled rows ------------------


RESAMPLES = 1000
CELLS = 2048
"""Tables with more distinct scores are resampled in this many groups of neighbours."""
MANY_CLUSTERS, FEW_CELLS = 2000, 256
"""With more clusters than that, fewer groups of scores are told apart."""
AT_ONCE = 2**20
"""Cells held in memory at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampled:
    """Some resamples at once: counts of shape (resamples, scores), lowest score first.

    ``left_positives`` and ``left_negatives`` are the items that were not drawn: of ``c`` items at
    a score with ``k`` draws, ``c (1 - 1/c)**k`` on average, and exactly so when ``c`` is 1.
    """

    scores: Floats
    positives: Whole
    negatives: Whole
    left_positives: Floats
    left_negatives: Floats


def merge_cells(table: ScoreTable, cells: int = CELLS) -> ScoreTable:
    """Merge neighbouring scores into at most ``cells`` groups of about equal size.

    A group has its lowest score. Tables with fewer scores are returned as they are.

    Examples
    --------
    >>> table = ScoreTable.from_scores([3, 4], [1, 2])
    >>> merge_cells(table, cells=2).scores.tolist(), merge_cells(table) is table
    ([1.0, 3.0], True)
    """
    if table.scores.size <= cells:
        return table
    if cells < 2:
        message = f"cells={cells!r} groups can hold no curve; expected 2 or more."
        raise RequestError(message)
    items = table.positives + table.negatives
    group = (np.cumsum(items) - items) * cells // table.total
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    return ScoreTable(
        positive=table.positive,
        scores=table.scores[starts],
        positives=np.add.reduceat(table.positives, starts),
        negatives=np.add.reduceat(table.negatives, starts),
    )


def resample_scores(
    table: ScoreTable | Grouped[ScoreTable],
    *,
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
    cells: int = CELLS,
) -> Iterator[Resampled]:
    """Draw as many positives and as many negatives again, with replacement, many times.

    Counts of one class follow a multinomial distribution over its scores; both class sizes stay.
    The order of rows leaves no trace, and the cost does not grow with the items. Tables by
    cluster are drawn as whole clusters instead (:func:`resample_clusters`).

    References
    ----------
    .. [1] Efron & Tibshirani (1993), An Introduction to the Bootstrap, Chapman & Hall,
       doi:10.1007/978-1-4899-4541-9.

    Examples
    --------
    >>> table = ScoreTable.from_scores([3, 4], [1, 2, 2])
    >>> (some,) = resample_scores(table, rng=np.random.default_rng(0), resamples=5)
    >>> some.positives.sum(axis=1).tolist(), some.negatives.sum(axis=1).tolist()
    ([2, 2, 2, 2, 2], [3, 3, 3, 3, 3])
    """
    if isinstance(table, Grouped):
        many = len(table) > MANY_CLUSTERS
        for one in resample_clusters(
            table,
            rng=rng,
            resamples=resamples,
            cells=min(cells, FEW_CELLS) if many else cells,
            merged=merge_cells,
        ):
            yield Resampled(
                scores=one.scores,
                positives=one.positives,
                negatives=one.negatives,
                left_positives=one.left_positives,
                left_negatives=one.left_negatives,
            )
        return
    if whole_count(resamples, "resamples") < 2:
        message = f"resamples={resamples!r}; expected a whole number, 2 or more."
        raise RequestError(message)
    if table.positive_total == 0 or table.negative_total == 0:
        message = "A bootstrap of scores needs items of both classes."
        raise NotComparable(message, code="one-class")
    small = merge_cells(table, cells)
    size = max(1, AT_ONCE // (2 * small.scores.size))
    for start in range(0, resamples, size):
        number = min(size, resamples - start)
        drawn = [_draw(counts, number, rng) for counts in (small.positives, small.negatives)]
        left = [
            _count_left(counts, one)
            for counts, one in zip((small.positives, small.negatives), drawn, strict=True)
        ]
        yield Resampled(
            scores=small.scores,
            positives=drawn[0],
            negatives=drawn[1],
            left_positives=left[0],
            left_negatives=left[1],
        )


def resample_statistic(
    table: ScoreTable | Grouped[ScoreTable],
    statistic: Callable[[Floats, Floats], Floats],
    *,
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
) -> Floats:
    """Compute a statistic of every resample.

    ``statistic`` takes P_FA and P_D of shape (resamples, points), from (0, 0) to (1, 1), and gives
    one number for each resample.

    Examples
    --------
    >>> table = ScoreTable.from_scores([3, 4, 6], [1, 2, 5])
    >>> def best(pfa, pd):
    ...     return (pd - pfa).max(axis=1)
    >>> rng = np.random.default_rng(0)
    >>> resample_statistic(table, best, rng=rng, resamples=4).shape
    (4,)
    """
    found = []
    for part in resample_scores(table, rng=rng, resamples=resamples):
        rates = [_rates(counts) for counts in (part.negatives, part.positives)]
        found.append(statistic(*rates))
    return np.concatenate(found)


def percentile_limits(replicates: Floats, level: float) -> tuple[float, float]:
    """Give the quantiles of bootstrap replicates that hold ``level`` of them between.

    Examples
    --------
    >>> percentile_limits(np.arange(101.0), 0.5)
    (25.0, 75.0)
    """
    normal_quantile(level)
    low, high = np.quantile(replicates, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _draw(counts: Whole, number: int, rng: np.random.Generator) -> Whole:
    held = np.flatnonzero(counts)
    drawn = np.zeros((number, counts.size), dtype=np.int64)
    total = int(counts.sum())
    drawn[:, held] = rng.multinomial(total, counts[held] / total, size=number)
    return drawn


def _count_left(counts: Whole, drawn: Whole) -> Floats:
    single = counts <= 1
    # 1/inf is 0: of single items nothing is kept by this formula; the line below counts them.
    with np.errstate(divide="ignore"):
        kept = 1 - 1 / np.where(single, np.inf, counts)
    left: Floats = counts * kept**drawn
    left[:, single] = (counts[single] > 0) & (drawn[:, single] == 0)
    return left


def _rates(counts: Whole) -> Floats:
    reached = np.cumsum(counts[:, ::-1], axis=1)
    zero = np.zeros((counts.shape[0], 1))
    rates: Floats = np.concatenate([zero, reached / reached[:, -1:]], axis=1)
    return rates

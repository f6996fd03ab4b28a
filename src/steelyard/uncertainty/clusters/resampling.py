"""The bootstrap on scores that come in clusters: whole clusters are drawn, never rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import Grouped, ScoreTable
from steelyard.errors import NotComparable, RequestError
from steelyard.uncertainty.domain import whole_count

__all__ = ["ClusterDraws", "resample_clusters"]

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
AT_ONCE = 2**21
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
    >>> from steelyard.uncertainty.areas.resampling import merged_cells
    >>> parts = {str(g): ScoreTable.from_scores([g + 1.0], [float(g)]) for g in range(5)}
    >>> grouped = Grouped.from_parts("patient", parts)
    >>> (some,) = resample_clusters(
    ...     grouped, rng=np.random.default_rng(0), resamples=3, cells=99, merged=merged_cells)
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
    size = max(1, AT_ONCE // max(number, 2 * small.scores.size))
    even = np.full(number, 1 / number)
    for start in range(0, resamples, size):
        drawn = rng.multinomial(number, even, size=min(size, resamples - start)).astype(np.float64)
        yield _summed(grouped, small.scores, drawn)


def _summed(grouped: Grouped[ScoreTable], scores: Floats, drawn: Floats) -> ClusterDraws:
    """Add up the clusters of each resample, some clusters at a time."""
    sums = np.zeros((4, len(drawn), scores.size))
    size = max(1, AT_ONCE // scores.size)
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
    positives, negatives = (np.rint(one[both]).astype(np.int64) for one in sums[:2])
    return ClusterDraws(scores, positives, negatives, sums[2][both], sums[3][both])

"""What is kept of distinct scores that come in ascending order, some at a time."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import PairSums
from steelyard.counts.scores.counting import ScoreCounts

__all__ = ["OrderedSums"]

EXACT_ROWS = 1 << 20
"""Sums over so many rows fit in 64 bits: a placement is below 2^21, its square below 2^42."""

Whole = NDArray[np.int64]


class _Local(NamedTuple):
    """Sums over some scores as if no other were there."""

    positives: int
    negatives: int
    below: int
    below_squares: int
    under: int
    under_squares: int


class OrderedSums:
    """Adds up placements exactly, and keeps all scores, or a choice when there are too many.

    Parameters
    ----------
    rows
        How many rows there will be.
    most
        How many distinct scores may be kept.
    cells
        How many scores a thinned table holds, about.

    Examples
    --------
    >>> sums = OrderedSums(rows=3, most=10)
    >>> sums.add(ScoreCounts(np.array([0.1, 0.7]), np.array([0, 1]), np.array([1, 1])))
    >>> sums.pair_sums()
    PairSums(distinct=2, won_twice=3, positive_squares=9, negative_squares=5)
    """

    def __init__(self, *, rows: int, most: int, cells: int = 100_000) -> None:
        self.distinct = self.positives = self.negatives = 0
        self._rows, self._most, self._cells = max(rows, 1), most, min(cells, max(most, 1))
        self._sums = [0, 0, 0, 0]
        self._whole: list[ScoreCounts] = []
        self._thin: list[ScoreCounts] = []
        self._cell = -1

    @property
    def thinned(self) -> bool:
        """Whether there were more scores than may be kept."""
        return self.distinct > self._most

    def add(self, block: ScoreCounts) -> None:
        """Take the next scores, all above those taken before."""
        if not block.scores.size:
            return
        self._thin.append(self._chosen(block))
        self.distinct += block.scores.size
        if self.thinned:
            self._whole.clear()
        else:
            self._whole.append(block)
        self._place(_local(block.positives, block.negatives))

    def kept(self) -> ScoreCounts:
        """Give the scores that were kept, with the rows from each up to the next one."""
        parts = self._thin if self.thinned else self._whole
        if not parts:
            nothing = np.zeros(0, dtype=np.int64)
            return ScoreCounts(np.zeros(0), nothing, nothing)
        joined = ScoreCounts(*(np.concatenate(column) for column in zip(*parts, strict=True)))
        if not self.thinned:
            return joined
        # The first choice of a block may go on with the cell of the block before it.
        first = np.flatnonzero(~np.isnan(joined.scores))
        return ScoreCounts(
            joined.scores[first],
            np.add.reduceat(joined.positives, first),
            np.add.reduceat(joined.negatives, first),
        )

    def pair_sums(self) -> PairSums:
        """Give the sums over all scores."""
        won, positive_squares, under, under_squares = self._sums
        whole = 2 * self.positives
        return PairSums(
            distinct=self.distinct,
            won_twice=won,
            positive_squares=positive_squares,
            negative_squares=whole * whole * self.negatives - 2 * whole * under + under_squares,
        )

    def _place(self, block: _Local) -> None:
        """Shift the placements of a block by what lies below all of it."""
        below, under = 2 * self.negatives, 2 * self.positives
        self._sums[0] += below * block.positives + block.below
        self._sums[1] += (
            below * below * block.positives + 2 * below * block.below + block.below_squares
        )
        self._sums[2] += under * block.negatives + block.under
        self._sums[3] += (
            under * under * block.negatives + 2 * under * block.under + block.under_squares
        )
        self.positives += block.positives
        self.negatives += block.negatives

    def _chosen(self, block: ScoreCounts) -> ScoreCounts:
        """Choose the lowest score of each of ``cells`` equal parts of the rows; NaN goes on."""
        items = block.positives + block.negatives
        before = np.cumsum(items) - items + self.positives + self.negatives
        cells = (before * (self._cells / self._rows)).astype(np.int64)
        new = np.diff(cells, prepend=self._cell) > 0
        self._cell = int(cells[-1])
        starts = np.flatnonzero(new)
        scores = block.scores[starts]
        if not new[0]:
            starts, scores = np.append(0, starts), np.append(np.nan, scores)
        return ScoreCounts(
            scores,
            np.add.reduceat(block.positives, starts),
            np.add.reduceat(block.negatives, starts),
        )


def _local(positives: Whole, negatives: Whole) -> _Local:
    rows = int(positives.sum()) + int(negatives.sum())
    if rows <= EXACT_ROWS:
        below = 2 * np.cumsum(negatives) - negatives
        under = 2 * np.cumsum(positives) - positives
        won, lost = positives * below, negatives * under
        return _Local(
            int(positives.sum()),
            int(negatives.sum()),
            int(won.sum()),
            int(np.dot(won, below)),
            int(lost.sum()),
            int(np.dot(lost, under)),
        )
    if positives.size == 1:
        p, n = int(positives[0]), int(negatives[0])
        return _Local(p, n, p * n, p * n * n, n * p, n * p * p)
    middle = positives.size // 2
    return _joined(
        _local(positives[:middle], negatives[:middle]),
        _local(positives[middle:], negatives[middle:]),
    )


def _joined(low: _Local, high: _Local) -> _Local:
    below, under = 2 * low.negatives, 2 * low.positives
    return _Local(
        low.positives + high.positives,
        low.negatives + high.negatives,
        low.below + high.below + below * high.positives,
        low.below_squares
        + high.below_squares
        + 2 * below * high.below
        + below * below * high.positives,
        low.under + high.under + under * high.negatives,
        low.under_squares
        + high.under_squares
        + 2 * under * high.under
        + under * under * high.negatives,
    )

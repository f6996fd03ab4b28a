"""How many items of the other class each item stands above or below."""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import JointScores
from steelyard.counts.scores.keys import WORTH_THREADS, rank
from steelyard.counts.scores.sorter import expect_sorting

__all__ = ["Floats", "Placements", "Whole", "joint_placements", "placements"]

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


class Placements(NamedTuple):
    """Twice the items of the other class, ties once: below a positive, and above a negative."""

    below_positives: Whole
    above_negatives: Whole


def placements(negatives: Floats, positives: Floats) -> Placements:
    r"""Place every positive among the negatives, and every negative among the positives.

    Twice the number of negatives below a positive plus those tied with it, and twice the number of
    positives above a negative plus those tied: whole numbers, from one sort of all items [1]_.

    References
    ----------
    .. [1] Sun & Xu (2014), IEEE Signal Processing Letters 21, 1389-1393,
       doi:10.1109/LSP.2014.2337313.

    Examples
    --------
    >>> found = placements(np.array([0.1, 0.2]), np.array([0.2, 0.9]))
    >>> found.below_positives.tolist(), found.above_negatives.tolist()
    ([3, 4], [4, 3])
    """
    places, ties = rank(np.concatenate([negatives, positives]))
    positive = places >= negatives.size
    won = np.cumsum(positive, dtype=np.int64)
    if ties.any():
        values = _among_ties(positive, ties, won)
    else:
        values = np.subtract(positives.size, won, out=won)
        of_positives = np.flatnonzero(positive)
        values[of_positives] = of_positives - np.arange(positives.size)
        values += values
    found = np.empty(places.size, dtype=np.int64)
    found[places] = values
    return Placements(found[negatives.size :], found[: negatives.size])


def _among_ties(positive: NDArray[np.bool_], ties: NDArray[np.bool_], so_far: Whole) -> Whole:
    """Place items of which some share a score: all of one score are looked at together."""
    last = np.flatnonzero(np.append(~ties[1:], True))
    won = so_far[last]
    lost = last + 1 - won
    below = 2 * lost - np.diff(lost, prepend=0)
    above = 2 * (won[-1] - won) + np.diff(won, prepend=0)
    rows = np.diff(last, prepend=-1)
    return np.where(positive, np.repeat(below, rows), np.repeat(above, rows))


def joint_placements(joint: JointScores) -> list[Placements]:
    """Place the items of every system, two systems at once where that pays.

    Examples
    --------
    >>> joint = JointScores.from_arrays([0, 1], {"A": [0.2, 0.9]})
    >>> joint_placements(joint)[0].below_positives.tolist()
    [2]
    """
    negatives = joint.total - joint.positive_total

    def of(scores: Floats) -> Placements:
        # Counts keep negatives first.
        return placements(scores[:negatives], scores[negatives:])

    expect_sorting(joint.total * len(joint.scores))
    if joint.total < WORTH_THREADS // 8:
        return [of(scores) for scores in joint.scores]
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(of, joint.scores))

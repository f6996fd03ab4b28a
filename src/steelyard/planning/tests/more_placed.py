"""How many more items until the verdict on areas, by the limits that will give it."""

from collections.abc import Callable
from math import sqrt

from scipy.special import ndtri

from steelyard.planning.sizes import LIMIT
from steelyard.planning.tests.more_samples import MoreNeeded, count_more
from steelyard.uncertainty import AreaSpreads, chance_area_larger, placement_difference_interval

__all__ = ["more_placed_areas", "more_placed_until_best"]


def more_placed_areas(
    spreads: AreaSpreads,
    first: int,
    second: int,
    *,
    tested: int,
    alpha: float = 0.05,
    power: float = 0.8,
    limit: int = LIMIT,
) -> MoreNeeded:
    r"""More items until the limits that give the verdict on two areas leave out 0.

    If what was seen is true, n items show a difference of at least
    :math:`|\hat\delta|-z_{power}\sqrt{V n_0/n}` with the power asked for; n is the smallest number
    with which the interval of :func:`~steelyard.uncertainty.placement_difference_interval` reaches
    no farther than that. Near an area of 1 this takes several times the items of DeLong's test
    (:func:`more_areas`), which does not allow for an item that was not seen.

    Examples
    --------
    >>> from steelyard.counts import JointScores
    >>> from steelyard.uncertainty import joint_area_spreads
    >>> joint = JointScores.from_arrays([0, 0, 0, 0, 1, 1, 1, 1],
    ...     {"A": [1, 2, 3, 6, 4, 5, 7, 8], "B": [1, 6, 5, 7, 4, 2, 3, 8]})
    >>> more_placed_areas(joint_area_spreads(joint), 0, 1, tested=8).more
    22
    """
    gap = float(spreads.areas[first] - spreads.areas[second])
    if gap == 0:
        return MoreNeeded(total=None, more=None, reason="no difference was observed")
    variance, aim = spreads.variance(first, second), float(ndtri(power))

    def enough(samples: int) -> bool:
        times = samples / tested
        low, high = placement_difference_interval(
            spreads.after(times), first, second, level=1 - alpha
        )
        reach = gap - low if gap > 0 else high - gap
        return reach + aim * sqrt(variance / times) <= abs(gap)

    total = _double_until(enough, tested, 10 * limit)
    signal = abs(gap) / sqrt(variance) if variance > 0 else None
    return count_more(total, tested, limit, signal=signal)


def more_placed_until_best(
    spreads: AreaSpreads,
    leader: int,
    *,
    tested: int,
    confidence: float = 0.95,
    limit: int = LIMIT,
) -> MoreNeeded:
    r"""More items until the limits of the areas name the leader with the confidence.

    The probability that it is the best is at least :math:`1-\sum_j P(j\ \text{larger})`, by
    :func:`~steelyard.uncertainty.chance_area_larger` at so many times the items seen.

    Examples
    --------
    >>> from steelyard.counts import JointScores
    >>> from steelyard.uncertainty import joint_area_spreads
    >>> joint = JointScores.from_arrays([0, 0, 1, 1], {"A": [1, 3, 2, 4], "B": [1, 2, 3, 4]})
    >>> more_placed_until_best(joint_area_spreads(joint), 1, tested=4).more
    31
    """
    rivals = [place for place in range(len(spreads.spreads)) if place != leader]
    if any(spreads.areas[place] >= spreads.areas[leader] for place in rivals):
        return MoreNeeded(total=None, more=None, reason="no difference was observed")

    def enough(samples: int) -> bool:
        grown = spreads.after(samples / tested)
        missed = sum(chance_area_larger(grown, leader, place)[1] for place in rivals)
        return missed <= 1 - confidence

    total = _double_until(enough, tested, 10 * limit)
    if total is not None and total <= tested:
        return MoreNeeded(total=total, more=0)
    return count_more(total, tested, limit)


def _double_until(enough: Callable[[int], bool], start: int, limit: int) -> int | None:
    """Double from what was tested until it is enough, then bisect; None beyond the limit."""
    high = start
    while not enough(high):
        high *= 2
        if high > limit:
            return None
    low = high // 2 if high > start else 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if middle and enough(middle) else (middle, high)
    return high

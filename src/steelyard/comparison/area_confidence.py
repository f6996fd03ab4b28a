"""Which area under the ROC curve is larger: p-value, probability and interval of one model."""

import numpy as np
from numpy.typing import NDArray

from steelyard.comparison.areas import AreaDifference, AreaRanks, rank_areas
from steelyard.errors import RequestError
from steelyard.uncertainty import AreaSpreads, chance_area_larger, placement_difference_interval
from steelyard.uncertainty.domain import normal_quantile

__all__ = ["rank_spreads", "weigh_areas", "weigh_equivalence"]

Floats = NDArray[np.float64]


def weigh_areas(
    spreads: AreaSpreads, first: int, second: int, *, level: float = 0.95
) -> AreaDifference:
    """Weigh one area against another, also where few items of a class carry them.

    The interval is :func:`~steelyard.uncertainty.placement_difference_interval`; the p-value is
    the smallest error rate at which that interval leaves out 0, and the probability that the first
    is better the one-sided confidence of the same limits, so that p is twice the smaller of it and
    its complement. DeLong's own test is :func:`compare_areas`.

    References
    ----------
    .. [1] DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44, 837-845, doi:10.2307/2531595.
    .. [2] Zou & Donner (2008), Statistics in Medicine 27, 1693-1702, doi:10.1002/sim.3095.

    Examples
    --------
    >>> from steelyard.counts import JointScores
    >>> from steelyard.uncertainty import joint_area_spreads
    >>> rng, truth = np.random.default_rng(1), np.arange(80) < 40
    >>> joint = JointScores.from_arrays(
    ...     truth, {"S": truth + rng.normal(0, 0.4, 80), "T": truth + rng.normal(0, 1, 80)})
    >>> found = weigh_areas(joint_area_spreads(joint), 0, 1)
    >>> found.low > 0, found.p_value < 0.05, found.better > 0.975
    (True, True, True)
    """
    low, high = placement_difference_interval(spreads, first, second, level=level)
    larger, smaller = chance_area_larger(spreads, first, second)
    return AreaDifference(
        difference=spreads.spreads[first].area - spreads.spreads[second].area,
        low=low,
        high=high,
        p_value=min(1.0, 2 * min(larger, smaller)),
        better=larger,
    )


def weigh_equivalence(spreads: AreaSpreads, first: int, second: int, *, margin: float) -> float:
    """Confidence that two areas differ by less than ``margin``, of the model of their difference.

    Examples
    --------
    >>> from steelyard.counts import ScoreTable
    >>> from steelyard.uncertainty import own_area_spreads
    >>> table = ScoreTable.from_scores(np.arange(500) + 300.0, np.arange(500))
    >>> found = weigh_equivalence(own_area_spreads([table, table]), 0, 1, margin=0.05)
    >>> round(found, 4)
    1.0
    """
    if not 0 < margin < 1:
        raise RequestError.for_level(name="margin", given=margin)
    above = chance_area_larger(spreads, first, second, by=-margin)
    beyond = chance_area_larger(spreads, first, second, by=margin)
    return max(0.0, 1 - above[1] - beyond[0])


def rank_spreads(
    spreads: AreaSpreads, *, rng: np.random.Generator, draws: int = 100_000
) -> AreaRanks:
    r"""Give each area its probability of being the largest, in accord with every pair.

    Areas are drawn from a joint normal distribution in which the difference of two has the
    standard deviation that their interval shows towards 0, :math:`(d-L)/z` for :math:`d\ge0`.
    No area is the largest with a higher probability than it is larger than each other one; what
    goes beyond is shared by the others as they stand.

    Examples
    --------
    >>> from steelyard.counts import ScoreTable
    >>> from steelyard.uncertainty import own_area_spreads
    >>> table = ScoreTable.from_scores(np.arange(50) + 30.0, np.arange(50))
    >>> same = own_area_spreads([table] * 3)
    >>> ranks = rank_spreads(same, rng=np.random.default_rng(1), draws=40_000)
    >>> max(abs(one - 1 / 3) for one in ranks.best) < 5 * ranks.error
    True
    """
    ranks = rank_areas(spreads.areas, _joint(spreads), rng=rng, draws=draws)
    best = np.array(ranks.best)
    size = best.size
    most = np.array(
        [
            min(chance_area_larger(spreads, i, j)[0] for j in range(size) if j != i)
            for i in range(size)
        ]
    )
    leader = int(np.argmax(best))
    # Only one area can be more probable than all others together: the rest is never cut.
    excess = best[leader] - most[leader]
    if excess > 0:
        others = np.arange(size) != leader
        held = best[others]
        total = held.sum()
        best[others] += excess * (held / total if total > 0 else 1 / held.size)
        best[leader] -= excess
    return AreaRanks(best=tuple(float(one) for one in best), error=ranks.error)


def _joint(spreads: AreaSpreads) -> Floats:
    """Covariance whose differences vary as the intervals of the pairs do, as nearly as one can."""
    size = len(spreads.spreads)
    z = normal_quantile(0.95)
    squares = np.zeros((size, size))
    for i in range(size):
        for j in range(i):
            low, high = placement_difference_interval(spreads, i, j, level=0.95)
            gap = spreads.spreads[i].area - spreads.spreads[j].area
            reach = gap - low if gap > 0 else high - gap if gap < 0 else (high - low) / 2
            squares[i, j] = squares[j, i] = (reach / z) ** 2
    centring = np.eye(size) - 1 / size
    # Distances of points in space give back their inner products; what is negative is dropped by
    # the draws.
    return np.asarray(-centring @ squares @ centring / 2)

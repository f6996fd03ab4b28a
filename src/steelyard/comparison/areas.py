"""Which area under the ROC curve is larger: DeLong's test, and the normal posterior it implies."""

from dataclasses import dataclass
from math import erfc, sqrt

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import check_share
from steelyard.uncertainty import AreaSpreads, chance_area_larger, placement_difference_interval
from steelyard.uncertainty.domain import normal_quantile
from steelyard.uncertainty.special import chdtrc, ndtr, stdtr, stdtrit

__all__ = [
    "AreaDifference",
    "AreaRanks",
    "AreasEqual",
    "area_equivalence",
    "areas_equal",
    "compare_areas",
    "rank_areas",
    "rank_spreads",
    "weigh_areas",
    "weigh_equivalence",
]

# --- which area under the ROC curve is larger: DeLong's test, and the normal posterior it implies


Floats = NDArray[np.float64]
BLOCK = 20_000
"""Draws at a time, so that those of many systems take little memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaDifference:
    """First area minus second; what cannot be said because nothing varies is None."""

    difference: float
    low: float | None
    high: float | None
    p_value: float | None
    better: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaRanks:
    """Probability of being the largest area, with its Monte Carlo standard error."""

    best: tuple[float, ...]
    error: float


def compare_areas(
    areas: Floats,
    covariance: Floats,
    first: int,
    second: int,
    *,
    level: float = 0.95,
    freedom: int | None = None,
) -> AreaDifference:
    r"""Test one difference of correlated areas.

    .. math:: z = \frac{\hat A_1 - \hat A_2}{\sqrt{s_{11} + s_{22} - 2 s_{12}}}

    with DeLong's covariance matrix :math:`s`. The probability that the first is better is
    :math:`\Phi(z)`, the normal posterior under a flat prior. With a covariance over few clusters
    the test and the interval take Student's t with so many degrees of ``freedom``.

    Notes
    -----
    Identical scores differ by nothing and vary by nothing: p is 1. Two different areas without
    any variation (both systems separate perfectly, or in the same few steps) allow no test.

    References
    ----------
    .. [1] DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44, 837-845, doi:10.2307/2531595.

    Examples
    --------
    >>> areas, covariance = np.array([0.9, 0.8]), np.array([[0.0010, 0.0004], [0.0004, 0.0020]])
    >>> answer = compare_areas(areas, covariance, 0, 1)
    >>> round(answer.p_value, 4), round(answer.better, 4)
    (0.033, 0.9835)
    """
    check_share("level", level)
    gap, error = _gap(areas, covariance, first, second)
    if error == 0:
        if gap == 0:
            return AreaDifference(difference=0.0, low=0.0, high=0.0, p_value=1.0, better=0.5)
        return AreaDifference(difference=gap, low=None, high=None, p_value=None, better=None)
    z = gap / error
    quantile = normal_quantile(level)
    if freedom is not None:
        quantile = -float(stdtrit(freedom, (1 - level) / 2))
    reach = quantile * error
    tails = erfc(abs(z) / sqrt(2)) if freedom is None else 2 * float(stdtr(freedom, -abs(z)))
    return AreaDifference(
        difference=gap,
        low=max(-1.0, gap - reach),
        high=min(1.0, gap + reach),
        p_value=tails,
        better=erfc(-z / sqrt(2)) / 2,
    )


def area_equivalence(
    areas: Floats, covariance: Floats, first: int, second: int, *, margin: float
) -> float | None:
    r"""Probability that two areas differ by less than ``margin``.

    .. math:: \Phi\Bigl(\frac{\delta - d}{s}\Bigr) - \Phi\Bigl(\frac{-\delta - d}{s}\Bigr)

    for the difference d and its DeLong standard error s: the normal posterior under a flat prior.
    None for two different areas without any variation, which allow no such statement.

    References
    ----------
    .. [1] Kruschke (2018), Advances in Methods and Practices in Psychological Science 1, 270-280,
       doi:10.1177/2515245918771304.

    Examples
    --------
    >>> areas, covariance = np.array([0.90, 0.89]), np.diag([0.0001, 0.0001])
    >>> round(area_equivalence(areas, covariance, 0, 1, margin=0.03), 4)
    0.919
    """
    check_share("margin", margin)
    gap, error = _gap(areas, covariance, first, second)
    if error == 0:
        return 1.0 if gap == 0 else None
    # On the lower side both tails keep their digits, however far the areas lie apart.
    return float(ndtr((margin - abs(gap)) / error) - ndtr((-margin - abs(gap)) / error))


def _gap(areas: Floats, covariance: Floats, first: int, second: int) -> tuple[float, float]:
    """Difference of two areas and its standard error, 0 where nothing varies."""
    scale = float(covariance[first, first] + covariance[second, second])
    spread = scale - 2 * float(covariance[first, second])
    # What is left of a cancelled variance is rounding, not variation.
    varies = spread > 1e-14 * scale and spread > 0
    return float(areas[first] - areas[second]), sqrt(spread) if varies else 0.0


def rank_areas(
    areas: Floats, covariance: Floats, *, rng: np.random.Generator, draws: int = 100_000
) -> AreaRanks:
    """Draw the areas from their joint normal posterior and count who is largest; ties share.

    Examples
    --------
    >>> same = np.full(2, 0.9), np.diag([0.001, 0.001])
    >>> ranks = rank_areas(*same, rng=np.random.default_rng(1), draws=40_000)
    >>> abs(ranks.best[0] - 0.5) < 5 * ranks.error
    True
    """
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    wins = np.zeros(areas.size)
    for start in range(0, draws, BLOCK):
        count = min(BLOCK, draws - start)
        drawn = areas + rng.standard_normal((count, areas.size)) @ root.T
        # Equal systems differ by rounding alone, and share a draw.
        largest = drawn >= drawn.max(axis=1, keepdims=True) - 1e-12
        wins += (largest / largest.sum(axis=1, keepdims=True)).sum(axis=0)
    best = wins / draws
    error = float(np.sqrt(np.max(best * (1 - best)) / draws))
    return AreaRanks(best=tuple(float(share) for share in best), error=error)


@dataclass(frozen=True, slots=True, kw_only=True)
class AreasEqual:
    """Test that all areas are equal; the statistic is None when no difference varies."""

    statistic: float | None
    degrees_of_freedom: int
    p_value: float


def areas_equal(areas: Floats, covariance: Floats) -> AreasEqual:
    r"""Test that several correlated areas are all equal.

    :math:`\chi^2=(LA)^T(LSL^T)^{-}LA` with the contrasts L of every area with the first; its
    degrees of freedom are the rank of :math:`LSL^T`.

    Notes
    -----
    Systems whose areas do not vary against each other (equal scores) add no degree of freedom.

    References
    ----------
    .. [1] DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44, 837-845, doi:10.2307/2531595.

    Examples
    --------
    >>> found = areas_equal(np.array([0.9, 0.8, 0.7]), np.diag([0.001, 0.001, 0.001]))
    >>> round(found.statistic, 6), found.degrees_of_freedom, round(found.p_value, 8)
    (20.0, 2, 4.54e-05)
    """
    contrasts = areas[1:] - areas[0]
    spread = covariance[1:, 1:] - covariance[1:, :1] - covariance[:1, 1:] + covariance[0, 0]
    values, vectors = np.linalg.eigh(spread)
    # Directions in which nothing varies: what rounding leaves of an eigenvalue of 0.
    kept = values > max(float(values.max(initial=0.0)), 0.0) * 1e-10
    freedom = int(kept.sum())
    if freedom == 0:
        return AreasEqual(statistic=None, degrees_of_freedom=0, p_value=1.0)
    along = vectors[:, kept].T @ contrasts
    statistic = float((along**2 / values[kept]).sum())
    return AreasEqual(
        statistic=statistic, degrees_of_freedom=freedom, p_value=float(chdtrc(freedom, statistic))
    )


# --- which area under the ROC curve is larger: p-value, probability and interval of one model ----


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
    check_share("margin", margin)
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

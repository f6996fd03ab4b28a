"""Variance and intervals of areas under ROC curves."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np

from steelyard.counts import JointScores, PairSums, PlacementSums, ScoreTable
from steelyard.errors import NotComparable, RequestError
from steelyard.uncertainty.areas.placements import Floats, Whole, joint_placements
from steelyard.uncertainty.domain import choose_method, normal_quantile
from steelyard.uncertainty.roots import crossing
from steelyard.uncertainty.special import expit, logit

__all__ = [
    "AREA_INTERVALS",
    "AreaInterval",
    "auc_interval",
    "delong_covariance",
    "delong_parts",
    "delong_parts_jointly",
    "delong_variance",
    "newcombe_area_interval",
    "pairs_won_twice",
]


AreaMethod = Literal["logit", "wald"]

CONSTANT_SCORES = "every item has the same score, so the data do not show how the area varies"


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaInterval:
    """Limits with the method that gave them; ``limits`` is None when ``reason`` says why."""

    limits: tuple[float, float] | None
    method: str
    reason: str | None = None


def pairs_won_twice(table: ScoreTable) -> int:
    """Count pairs of a positive and a negative: 2 when the positive scores higher, 1 when tied.

    Divided by twice the number of pairs it is the area under the ROC curve, exactly.

    Examples
    --------
    >>> pairs_won_twice(ScoreTable.from_scores([0.9, 0.2], [0.2, 0.1]))
    7
    """
    if table.pair_sums is not None:
        return table.pair_sums.won_twice
    below = np.cumsum(table.negatives) - table.negatives
    twice = 2 * below + table.negatives
    if 2 * table.positive_total * table.negative_total < 2**62:
        return int(np.dot(table.positives, twice))
    return sum(p * t for p, t in zip(table.positives.tolist(), twice.tolist(), strict=True))


def delong_variance(table: ScoreTable) -> float:
    r"""Variance of one area under the ROC curve, from the placements of the items.

    With :math:`V_{10}` the share of negatives each positive beats (ties half) and :math:`V_{01}`
    the share of positives that beat each negative, it is :math:`S_{10}/m + S_{01}/n`, where
    :math:`S` are sample variances over the m positives and n negatives [1]_.

    Parameters
    ----------
    table : ScoreTable
        At least two positives and two negatives. Counts are used as they stand, so the cost grows
        with the distinct scores and not with the items.

    Notes
    -----
    Zero for perfect separation and for constant scores, where it says nothing: see
    :func:`auc_interval`.

    References
    ----------
    .. [1] DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44, 837-845, doi:10.2307/2531595.

    Examples
    --------
    >>> round(delong_variance(ScoreTable.from_scores([3, 4, 6], [1, 2, 5])), 6)
    0.061728
    """
    _need_two_of_each(table.positive_total, table.negative_total)
    return sum(delong_parts(table))


def delong_parts(table: ScoreTable) -> tuple[float, float]:
    """What the positives and what the negatives add to DeLong's variance of one area.

    A class of one item adds 0: it does not show how its placements vary.

    Examples
    --------
    >>> delong_parts(ScoreTable.from_scores([3], [1, 2]))
    (0.0, 0.0)
    """
    positives, negatives = table.positive_total, table.negative_total
    if table.pair_sums is not None:
        return _parts_of_sums(table.pair_sums, positives, negatives)
    area = pairs_won_twice(table) / (2 * positives * negatives)
    below = np.cumsum(table.negatives) - table.negatives / 2
    above = positives - np.cumsum(table.positives) + table.positives / 2
    return (
        _part(table.positives, below / negatives - area, positives),
        _part(table.negatives, above / positives - area, negatives),
    )


def _part(counts: Whole, apart: Floats, items: int) -> float:
    return float(np.dot(counts, apart**2)) / ((items - 1) * items) if items > 1 else 0.0


def _parts_of_sums(sums: PairSums, positives: int, negatives: int) -> tuple[float, float]:
    """Parts of the variance from sums over all placements; the differences are whole numbers."""
    won = sums.won_twice
    of_positives = positives * sums.positive_squares - won * won
    of_negatives = negatives * sums.negative_squares - won * won
    pairs = 4 * positives**2 * negatives**2
    return (
        of_positives / (pairs * (positives - 1)) if positives > 1 else 0.0,
        of_negatives / (pairs * (negatives - 1)) if negatives > 1 else 0.0,
    )


def delong_covariance(joint: JointScores | PlacementSums) -> tuple[Floats, Floats]:
    r"""Areas of m systems on the same items, and their covariance matrix.

    The matrix :math:`S_{10}/m + S_{01}/n` of [1]_, with placements from sorted scores so that the
    cost is :math:`O(N \log N)` for each system [2]_.

    Parameters
    ----------
    joint : JointScores or PlacementSums
        The scores, or sums over them; at least two positives and two negatives.

    Returns
    -------
    areas : ndarray of shape (m,)
        In the order of ``joint.systems``.
    covariance : ndarray of shape (m, m)
        Symmetric; its diagonal is what :func:`delong_variance` gives.

    References
    ----------
    .. [1] DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44, 837-845, doi:10.2307/2531595.
    .. [2] Sun & Xu (2014), IEEE Signal Processing Letters 21, 1389-1393,
       doi:10.1109/LSP.2014.2337313.

    Examples
    --------
    >>> joint = JointScores.from_arrays([0, 0, 1, 1], {"A": [1, 3, 2, 4], "B": [1, 2, 3, 4]})
    >>> areas, covariance = delong_covariance(joint)
    >>> areas.tolist(), covariance.tolist()
    ([0.75, 1.0], [[0.125, 0.0], [0.0, 0.0]])
    """
    _need_two_of_each(joint.positive_total, joint.total - joint.positive_total)
    areas, of_positives, of_negatives = delong_parts_jointly(joint)
    return areas, of_positives + of_negatives


def delong_parts_jointly(joint: JointScores | PlacementSums) -> tuple[Floats, Floats, Floats]:
    """Areas, and what the positives and the negatives add to DeLong's covariance matrix.

    A class of one item adds 0.

    Examples
    --------
    >>> joint = JointScores.from_arrays([0, 0, 1, 1], {"A": [1, 3, 2, 4], "B": [1, 2, 3, 4]})
    >>> [part.tolist() for part in delong_parts_jointly(joint)[1:]]
    [[[0.0625, 0.0], [0.0, 0.0]], [[0.0625, 0.0], [0.0, 0.0]]]
    """
    positives = joint.positive_total
    negatives = joint.total - positives
    _check_classes(positives, negatives)
    if isinstance(joint, PlacementSums):
        return _parts_of_joint_sums(joint, positives, negatives)
    placed = joint_placements(joint)
    beaten = [one.below_positives for one in placed]
    areas = np.array([one.sum() for one in beaten]) / (2 * positives * negatives)
    of_positives = _centre(beaten, 2 * negatives, areas)
    of_negatives = _centre([one.above_negatives for one in placed], 2 * positives, areas)
    return (
        areas,
        of_positives @ of_positives.T / (max(positives - 1, 1) * positives),
        of_negatives @ of_negatives.T / (max(negatives - 1, 1) * negatives),
    )


def _centre(placed: Sequence[Whole], most: int, areas: Floats) -> Floats:
    """Turn placements into shares, less their mean, one row for each system."""
    shares = np.empty((len(placed), placed[0].size))
    for row, one, area in zip(shares, placed, areas, strict=True):
        np.divide(one, most, out=row)
        row -= area
    return shares


def _parts_of_joint_sums(
    sums: PlacementSums, positives: int, negatives: int
) -> tuple[Floats, Floats, Floats]:
    """Areas and the parts of their covariance from sums; the differences are whole numbers."""
    won = [pairs_won_twice(table) for table in sums.tables]
    pairs = positives * negatives
    parts = [
        [
            [
                (items * products[r][s] - won[r] * won[s]) / (4 * pairs**2 * max(items - 1, 1))
                for s in range(len(won))
            ]
            for r in range(len(won))
        ]
        for items, products in (
            (positives, sums.positive_products),
            (negatives, sums.negative_products),
        )
    ]
    areas = [one / (2 * pairs) for one in won]
    return tuple(np.array(one, dtype=np.float64) for one in (areas, *parts))  # type: ignore[return-value]


def auc_interval(
    auc: float,
    variance: float | None,
    *,
    positives: int,
    negatives: int,
    level: float = 0.95,
    method: AreaMethod = "logit",
) -> AreaInterval:
    r"""Interval for one area under the ROC curve.

    ``logit`` (default) takes :math:`\operatorname{logit}\hat A \pm z\,\hat\sigma/(\hat A(1-\hat
    A))` back to the area, so the limits stay inside (0, 1) [1]_; ``wald`` is
    :math:`\hat A \pm z\hat\sigma` cut to [0, 1].

    Parameters
    ----------
    auc : float
        Estimate, in [0, 1].
    variance : float or None
        DeLong's variance; None when a class has a single item and there is none.
    positives, negatives : int
        Items of each class.
    level : float
        Coverage wanted, strictly between 0 and 1.
    method : {"logit", "wald"}
        Name in :data:`AREA_INTERVALS`.

    Returns
    -------
    AreaInterval
        The limits with the method that was used. At an area of 0 or 1 the variance is 0 and an
        interval of no width would be a false promise; there, and without a variance,
        :func:`newcombe_area_interval` is given instead and named. Constant scores (area 1/2,
        variance 0) have no limits but a reason.

    Notes
    -----
    The logit interval covers best among the simple ones [1]_. Close to 1 with few items of a
    class it still errs, as all of them do.

    It has covered 37 % instead of 95 % in the worst cell (docs/reference/certificates.md);
    :func:`placement_interval`, which verbs take, keeps its level.

    References
    ----------
    .. [1] Perme & Manevski (2019), Statistical Methods in Medical Research 28, 3755-3768,
       doi:10.1177/0962280218814556.

    Examples
    --------
    >>> low, high = auc_interval(0.84, 0.01925, positives=5, negatives=5).limits
    >>> round(low, 3), round(high, 3)
    (0.41, 0.975)
    >>> auc_interval(1.0, 0.0, positives=5, negatives=5).method
    'newcombe'
    """
    interval = choose_method(AREA_INTERVALS, method)
    z = normal_quantile(level)
    if not 0 <= auc <= 1:
        message = f"auc={auc!r} is not in [0, 1]."
        raise RequestError(message)
    if variance is None or auc in {0.0, 1.0}:
        limits = newcombe_area_interval(auc, positives=positives, negatives=negatives, level=level)
        return AreaInterval(limits=limits, method="newcombe")
    if variance == 0:
        return AreaInterval(limits=None, method=method, reason=CONSTANT_SCORES)
    return AreaInterval(limits=interval(auc, z * sqrt(variance)), method=method)


def newcombe_area_interval(
    auc: float, *, positives: int, negatives: int, level: float = 0.95
) -> tuple[float, float]:
    r"""Score interval for an area from the area and the two class sizes alone.

    The areas :math:`A` with :math:`|\hat A - A| \le z\sqrt{V(A)}`, :math:`V(A)=\frac{A(1-A)}{mn}
    \left[1+N^*\left(\frac{1-A}{2-A}+\frac{A}{1+A}\right)\right]`, :math:`N^*=(m+n)/2-1`: Hanley
    and McNeil's variance made symmetric and inverted as Wilson does (method 5 of [1]_).

    Parameters
    ----------
    auc : float
        Estimate, in [0, 1].
    positives, negatives : int
        Items of each class, at least one of each.
    level : float
        Coverage wanted, strictly between 0 and 1.

    Notes
    -----
    Has width everywhere, also at 0 and 1, where the outer limit is exactly 0 or 1. Its variance
    holds for score distributions of the exponential kind; DeLong's needs no such assumption.

    With few items of a class it has covered 80 % instead of 95 %
    (docs/reference/certificates.md); :func:`placement_interval` keeps its level.

    References
    ----------
    .. [1] Newcombe (2006), Statistics in Medicine 25, 559-573, doi:10.1002/sim.2324.

    Examples
    --------
    >>> low, high = newcombe_area_interval(1.0, positives=5, negatives=5)
    >>> round(low, 3), high
    (0.643, 1.0)
    """
    _check_classes(positives, negatives)
    z = normal_quantile(level)
    extra = (positives + negatives) / 2 - 1

    def excess(area: float) -> float:
        inner = 1 + extra * ((1 - area) / (2 - area) + area / (1 + area))
        return abs(auc - area) - z * sqrt(area * (1 - area) * inner / (positives * negatives))

    # At the estimate the excess is below 0 inside (0, 1) and 0 at its ends: step off those.
    low = crossing(excess, 0.0, min(auc, 1 - 1e-12)) if auc > 0 else 0.0
    high = crossing(excess, max(auc, 1e-12), 1.0) if auc < 1 else 1.0
    return low, high


def _logit_limits(auc: float, spread: float) -> tuple[float, float]:
    centre, half = logit(auc), spread / (auc * (1 - auc))
    return float(expit(centre - half)), float(expit(centre + half))


def _wald_limits(auc: float, spread: float) -> tuple[float, float]:
    return max(0.0, auc - spread), min(1.0, auc + spread)


AREA_INTERVALS: dict[str, Callable[[float, float], tuple[float, float]]] = {
    "logit": _logit_limits,
    "wald": _wald_limits,
}
"""Limits from an area and its spread (quantile times standard error), by name."""


def _need_two_of_each(positives: int, negatives: int) -> None:
    if min(positives, negatives) < 2:
        message = (
            f"{positives} positives and {negatives} negatives; a variance of the area needs at "
            "least 2 of each. Add items, or use newcombe_area_interval, which needs 1 of each."
        )
        raise NotComparable(message, code="too-few-items")


def _check_classes(positives: int, negatives: int) -> None:
    if positives < 1 or negatives < 1:
        message = (
            f"An area needs items of both classes; got {positives} positives and {negatives} "
            "negatives. Add items of the class that is missing, or name another positive class."
        )
        raise NotComparable(message, code="one-class")

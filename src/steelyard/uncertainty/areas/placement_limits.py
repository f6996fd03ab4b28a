"""How sure an area under a ROC curve is, and which of two is larger: one model for all answers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf, sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import JointScores, PlacementSums, ScoreTable
from steelyard.errors import RequestError
from steelyard.uncertainty.areas.delong import delong_parts, delong_parts_jointly, pairs_won_twice
from steelyard.uncertainty.domain import normal_quantile
from steelyard.uncertainty.roots import crossing
from steelyard.uncertainty.special import betaincinv, ndtr, stdtrit

__all__ = [
    "AreaSpread",
    "AreaSpreads",
    "area_spread",
    "chance_area_larger",
    "joint_area_spreads",
    "own_area_spreads",
    "placement_difference_interval",
    "placement_interval",
]

Floats = NDArray[np.float64]
Side = Literal["low", "high"]

MANY = 1e6
"""Degrees of freedom from which Student's t is normal to all digits shown."""
FARTHEST = 37.0
"""Normal deviate beyond which a one-sided error rate is 0 in floating point."""
STEPS = tuple(k / 4 for k in range(20)) + tuple(float(k) for k in range(5, 38))
"""Normal deviates at which limits are looked at on the way to a surer one."""
SMALLEST = 1e-12
"""A Beta distribution needs a mean strictly inside (0, 1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaSpread:
    """One area, the units that carry it, and how the placements of either class vary over them.

    ``positives`` and ``negatives`` count items, or clusters; the variances are those of one unit,
    so that DeLong's variance is ``positive_variance/positives + negative_variance/negatives``.
    ``freedom`` says how well that sum is known.
    """

    area: float
    positives: float
    negatives: float
    positive_variance: float
    negative_variance: float
    freedom: float

    @property
    def seen(self) -> float:
        """The variance of the area as the units seen show it."""
        return self.positive_variance / self.positives + self.negative_variance / self.negatives

    def after(self, times: float) -> "AreaSpread":
        """Suppose the same placements of so many times the units."""
        return replace(
            self,
            positives=self.positives * times,
            negatives=self.negatives * times,
            freedom=self.freedom * times,
        )

    def unseen(self, side: Side) -> float:
        """How far one unit more, placed badly (or well), could move the area.

        A unit is put where the losses seen lie when each counts by its size, and one loss of all
        there is to lose is added to them: with few losses seen nothing excludes a large one. The
        class in which one unit weighs more stands for both.
        """
        area = self.area if side == "low" else 1 - self.area
        return max(
            _place_below(area, self.positive_variance, self.positives) / (self.positives + 1),
            _place_below(area, self.negative_variance, self.negatives) / (self.negatives + 1),
        )


def _place_below(area: float, variance: float, units: float) -> float:
    """Distance below the area at which one more unit is placed."""
    squares = (units - 1) * variance
    losses = units * (1 - area)
    typical = (1 + squares + losses * (1 - area)) / (1 + losses) - (1 - area)
    # Units that all lie in one place have no typical deviation: then the whole way down counts,
    # and the less the more squares of that size were seen.
    whole = area / (1 + squares / area**2) if area > 0 else 0.0
    return min(area, max(typical, whole))


@lru_cache(maxsize=8192)  # every pair of systems asks for the limits of both
def _limit(spread: AreaSpread, deviate: float, side: Side) -> float:
    """One limit, for an error rate given as the normal deviate it belongs to."""
    area = spread.area if side == "low" else 1 - spread.area
    step = spread.unseen(side)
    mean = min(max(area - step, SMALLEST), 1 - SMALLEST)
    pairs = (spread.positives + 2) * (spread.negatives + 2)
    variance = spread.seen + step * step + mean * (1 - mean) / pairs
    # No Beta varies more than a coin of its mean: beyond that the widest one is taken.
    concentration = max(mean * (1 - mean) / variance - 1, 1e-3)
    freedom = inf if spread.seen == 0 else spread.freedom * (variance / spread.seen) ** 2
    share = float(ndtr(-deviate))
    if freedom < MANY:
        share = float(ndtr(stdtrit(freedom, share)))
    found = float(betaincinv(mean * concentration, (1 - mean) * concentration, share))
    found = min(found, area)
    return found if side == "low" else 1 - found


def placement_interval(spread: AreaSpread, *, level: float = 0.95) -> tuple[float, float]:
    r"""Interval of one area that also allows for the item that was not seen.

    Positives :math:`i` have placements :math:`V_i`, the share of negatives they beat, with mean
    :math:`\hat A` and variance :math:`S_{10}`; negatives likewise with :math:`S_{01}`. The lower
    limit is the :math:`\alpha/2` quantile of the Beta distribution with

    .. math::

       \mu=\hat A-\Delta,\qquad \sigma^2=\frac{S_{10}}m+\frac{S_{01}}n+\Delta^2+
       \frac{\mu(1-\mu)}{(m+2)(n+2)},\qquad \Delta=\max_c\frac{\delta_c}{n_c+1}

    where :math:`\delta` is how far below :math:`\hat A` one more item of that class would lie: the
    mean loss when losses :math:`1-V` count by their size and one loss of 1 is added,
    :math:`(1+\sum(1-V)^2)/(1+\sum(1-V))-(1-\hat A)`, or
    :math:`\hat A/(1+\sum(V-\hat A)^2/\hat A^2)` if that is more. The quantile is taken where
    Student's t with Satterthwaite's degrees of freedom would have :math:`\alpha/2`. The upper limit
    is the same, seen from 1.

    Parameters
    ----------
    spread : AreaSpread
        From :func:`area_spread`, or from clusters.
    level : float
        Coverage wanted, strictly between 0 and 1.

    Notes
    -----
    If all placements are 0 or 1 and one class is large, this is the interval of Clopper and
    Pearson [1]_ in all but rounding of the moments; the extra item at the worst place is Gaffke's
    for means of bounded variables [2]_. For many items it is DeLong's [3]_. It never has width 0:
    full separation of 10 positives from 1,000 negatives leaves areas down to 0.67, as the rule of
    three does. Where placements are smooth and one class has fewer than about 30 items it
    covers more than it promises.

    References
    ----------
    .. [1] Clopper & Pearson (1934), Biometrika 26, 404-413, doi:10.1093/biomet/26.4.404.
    .. [2] Learned-Miller & Thomas (2019), A new confidence interval for the mean of a bounded
       random variable, doi:10.48550/arXiv.1905.06208.
    .. [3] DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44, 837-845, doi:10.2307/2531595.

    Examples
    --------
    >>> low, high = placement_interval(area_spread(ScoreTable.from_scores([3, 4, 6], [1, 2, 5])))
    >>> round(low, 2), round(high, 2)
    (0.01, 1.0)
    """
    z = normal_quantile(level)
    return _limit(spread, z, "low"), _limit(spread, z, "high")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AreaSpreads:
    """Several areas with the covariance of every two of them, 0 where items are not shared."""

    spreads: tuple[AreaSpread, ...]
    covariance: Floats

    @property
    def areas(self) -> Floats:
        """The areas, in the order of the systems."""
        return np.array([one.area for one in self.spreads], dtype=np.float64)

    def variance(self, first: int, second: int) -> float:
        """Variance of the difference of two areas, as the units seen show it."""
        s = self.covariance
        return max(0.0, float(s[first, first] + s[second, second] - 2 * s[first, second]))

    def after(self, times: float) -> "AreaSpreads":
        """Suppose that so many times the units show the same, to plan a larger test.

        Examples
        --------
        >>> joint = JointScores.from_arrays([0, 0, 1, 1], {"A": [1, 3, 2, 4], "B": [1, 2, 3, 4]})
        >>> held = joint_area_spreads(joint)
        >>> held.after(4).variance(0, 1) == held.variance(0, 1) / 4
        True
        """
        return AreaSpreads(
            spreads=tuple(one.after(times) for one in self.spreads),
            covariance=self.covariance / times,
        )

    def correlation(self, first: int, second: int) -> float:
        """How two areas go together; less than seen while one unseen unit could part them."""
        scales = [
            self.spreads[k].seen + max(self.spreads[k].unseen(side) for side in ("low", "high"))**2
            for k in (first, second)
        ]  # fmt: skip
        product = scales[0] * scales[1]
        if product <= 0:
            return 0.0
        return min(1.0, max(-1.0, float(self.covariance[first, second]) / sqrt(product)))


def _distance(spreads: AreaSpreads, first: int, second: int, deviate: float, side: Side) -> float:
    """Distance from the difference of two areas to the limit of one error rate, on one side."""
    other: Side = "high" if side == "low" else "low"
    one, two = spreads.spreads[first], spreads.spreads[second]
    a = abs(one.area - _limit(one, deviate, side))
    b = abs(two.area - _limit(two, deviate, other))
    # Products in this order are the same, to the last digit, when the systems change places.
    square = a * a + b * b - (a * b) * (2 * spreads.correlation(first, second))
    return sqrt(max(square, 0.0))


def _reach(spreads: AreaSpreads, first: int, second: int, deviate: float, side: Side) -> float:
    """Give the farthest of the limits up to one error rate.

    Where one area meets the end of its range and the other does not, a surer limit may lie nearer:
    an interval that holds a value at some error rate holds it at every smaller one.
    """
    steps = [one for one in STEPS if one < deviate]
    return max(_distance(spreads, first, second, one, side) for one in (*steps, deviate))


def placement_difference_interval(
    spreads: AreaSpreads, first: int, second: int, *, level: float = 0.95
) -> tuple[float, float]:
    r"""Interval of the first area minus the second, out of the limits of both.

    With limits :math:`(l_1,u_1)` and :math:`(l_2,u_2)` of :func:`placement_interval`,

    .. math:: L=\hat A_1-\hat A_2-\sqrt{(\hat A_1-l_1)^2+(u_2-\hat A_2)^2
       -2\hat\rho(\hat A_1-l_1)(u_2-\hat A_2)}

    and the upper limit with the other two distances: the method of variance estimates recovery
    [1]_. The correlation :math:`\hat\rho=c_{12}/\sqrt{(c_{11}+\Delta_1^2)(c_{22}+\Delta_2^2)}` has
    DeLong's covariance, made less sure by what one unseen item could do.

    References
    ----------
    .. [1] Zou & Donner (2008), Statistics in Medicine 27, 1693-1702, doi:10.1002/sim.3095.

    Examples
    --------
    >>> joint = JointScores.from_arrays([0, 0, 0, 1, 1, 1],
    ...     {"A": [1, 3, 2, 4, 5, 6], "B": [1, 2, 3, 4, 6, 5]})
    >>> low, high = placement_difference_interval(joint_area_spreads(joint), 0, 1)
    >>> round(low, 2), round(high, 2)
    (-0.89, 0.89)
    """
    z = normal_quantile(level)
    gap = spreads.spreads[first].area - spreads.spreads[second].area
    low = gap - _reach(spreads, first, second, z, "low")
    high = gap + _reach(spreads, first, second, z, "high")
    return max(-1.0, low), min(1.0, high)


def chance_area_larger(
    spreads: AreaSpreads, first: int, second: int, *, by: float = 0.0
) -> tuple[float, float]:
    """Confidence that the first area exceeds the second ``by`` so much, and that it does not.

    The smallest one-sided error rate at which the limit of :func:`placement_difference_interval`
    passes that value, from the side on which it lies; ½ for both while even the limits at ½ do
    not. So an interval of level 1 - a leaves out 0 just when one of the two is at most a/2, and
    both add up to 1 and change places with the systems.

    Examples
    --------
    >>> joint = JointScores.from_arrays([0, 0, 0, 1, 1, 1],
    ...     {"A": [1, 3, 2, 4, 5, 6], "B": [1, 2, 3, 4, 6, 5]})
    >>> chance_area_larger(joint_area_spreads(joint), 0, 1)
    (0.5, 0.5)
    """
    if not -1 <= by <= 1:
        message = f"by={by!r} is not in [-1, 1]; areas differ by no more."
        raise RequestError(message)
    gap = spreads.spreads[first].area - spreads.spreads[second].area - by
    side: Side = "low" if gap > 0 else "high"

    def excess(deviate: float) -> float:
        return _distance(spreads, first, second, deviate, side) - abs(gap)

    if gap == 0 or excess(0.0) >= 0:
        return 0.5, 0.5
    deviate, before = FARTHEST, 0.0
    for step in STEPS[1:]:
        if excess(step) >= 0:
            deviate = crossing(excess, before, step)
            break
        before = step
    tail, rest = float(ndtr(-deviate)), float(ndtr(deviate))
    return (rest, tail) if gap > 0 else (tail, rest)


def area_spread(table: ScoreTable) -> AreaSpread:
    """How the placements of the items of one table vary.

    Examples
    --------
    >>> spread = area_spread(ScoreTable.from_scores([3, 4, 6], [1, 2, 5]))
    >>> round(spread.area, 4), round(spread.seen, 6)
    (0.7778, 0.061728)
    """
    positives, negatives = table.positive_total, table.negative_total
    area = pairs_won_twice(table) / (2 * positives * negatives)
    return _turn_into_spread(area, delong_parts(table), positives, negatives)


def own_area_spreads(tables: Sequence[ScoreTable]) -> AreaSpreads:
    """Areas of systems that were each tested on items of their own.

    Examples
    --------
    >>> own_area_spreads([ScoreTable.from_scores([3, 4, 6], [1, 2, 5])] * 2).correlation(0, 1)
    0.0
    """
    spreads = tuple(area_spread(table) for table in tables)
    return AreaSpreads(spreads=spreads, covariance=np.diag([one.seen for one in spreads]))


def joint_area_spreads(joint: JointScores | PlacementSums) -> AreaSpreads:
    """Areas of systems on common items, with DeLong's covariance.

    Examples
    --------
    >>> joint = JointScores.from_arrays([0, 0, 1, 1], {"A": [1, 3, 2, 4], "B": [1, 2, 3, 4]})
    >>> joint_area_spreads(joint).areas.tolist()
    [0.75, 1.0]
    """
    positives = joint.positive_total
    negatives = joint.total - positives
    areas, of_positives, of_negatives = delong_parts_jointly(joint)
    spreads = tuple(
        _turn_into_spread(float(area), (float(ones), float(others)), positives, negatives)
        for area, ones, others in zip(
            areas, np.diag(of_positives), np.diag(of_negatives), strict=True
        )
    )
    return AreaSpreads(spreads=spreads, covariance=of_positives + of_negatives)


def _turn_into_spread(
    area: float, parts: tuple[float, float], positives: int, negatives: int
) -> AreaSpread:
    """Turn the two parts of DeLong's variance into a spread, with its degrees of freedom."""
    doubt = parts[0] ** 2 / max(positives - 1, 1) + parts[1] ** 2 / max(negatives - 1, 1)
    return AreaSpread(
        area=area,
        positives=positives,
        negatives=negatives,
        positive_variance=parts[0] * positives,
        negative_variance=parts[1] * negatives,
        freedom=sum(parts) ** 2 / doubt if doubt > 0 else inf,
    )

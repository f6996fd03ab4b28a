"""The best that mixing thresholds can reach, and the best threshold for given costs."""

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import RequestError
from steelyard.measures.roc.curve import OperatingPoint, RocCurve
from steelyard.measures.rounding import Number, exact_number, exact_share
from steelyard.measures.tables.at_thresholds import Costs

__all__ = ["IsoPerformance", "iso_performance", "roc_hull"]

Places = NDArray[np.intp]
SAFE = 2**62
"""Products of counts fit into 64 bits below this; from here on Python multiplies them."""
PASSES = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class IsoPerformance:
    """A line of equal expected cost that touches the hull.

    On the line P_D = ``intercept`` + ``slope`` · P_FA every point costs the same; ``points`` are
    all thresholds on it, the highest first. ``cost`` is the expected cost of an item.
    """

    slope: float
    intercept: float
    cost: float
    points: tuple[OperatingPoint, ...]


def roc_hull(curve: RocCurve) -> RocCurve:
    """Keep the corners of the upper convex hull, from (0, 0) to (1, 1).

    Thresholds off the hull are best for no costs and no prevalence. Points between two corners
    are reached by choosing between them at random. Compared in whole numbers; points on a straight
    line between corners are left out.

    References
    ----------
    .. [1] Provost & Fawcett (2001), Machine Learning 42, 203-231, doi:10.1023/A:1007601015854.

    Examples
    --------
    >>> from steelyard.counts import ScoreTable
    >>> curve = RocCurve.of(ScoreTable.from_scores([5, 3], [4, 2]))
    >>> roc_hull(curve).thresholds.tolist()
    [inf, 5.0, 3.0, 2.0]
    """
    kept = _corners(curve)
    return RocCurve(
        positive=curve.positive,
        positive_total=curve.positive_total,
        negative_total=curve.negative_total,
        thresholds=curve.thresholds[kept],
        false_alarms=curve.false_alarms[kept],
        detections=curve.detections[kept],
        complete=False,
    )


def iso_performance(
    curve: RocCurve,
    *,
    fp: Number = 1,
    fn: Number = 1,
    prevalence: Number | None = None,
) -> IsoPerformance:
    r"""Find the thresholds of least expected cost where the tested items are deployed.

    With costs :math:`c_{fp}, c_{fn}` and prevalence :math:`\pi`, points of equal cost lie on lines
    of slope :math:`c_{fp}(1-\pi)/(c_{fn}\pi)`; the best one touches the hull from above [1]_.

    Parameters
    ----------
    curve : RocCurve
        A complete curve, or its hull.
    fp, fn : number
        Cost of a false alarm and of a miss, above 0.
    prevalence : number, optional
        Share of positives where the system will work; that of the tested items unless told.

    Returns
    -------
    IsoPerformance
        With all tied points. Calling nothing (threshold +inf) and everything take part.

    References
    ----------
    .. [1] Provost & Fawcett (2001), Machine Learning 42, 203-231, doi:10.1023/A:1007601015854.

    Examples
    --------
    >>> from steelyard.counts import ScoreTable
    >>> curve = RocCurve.of(ScoreTable.from_scores([5, 3], [4, 2]))
    >>> best = iso_performance(curve, fn=5)
    >>> best.slope, [point.threshold for point in best.points]
    (0.2, [3.0])
    """
    alarm, miss = exact_number(fp, "fp"), exact_number(fn, "fn")
    items = curve.positive_total + curve.negative_total
    share = Fraction(curve.positive_total, items)
    if prevalence is not None:
        share = exact_share(prevalence, "prevalence")
    if min(alarm, miss) <= 0 or not 0 < share < 1:
        message = (
            f"fp={fp}, fn={fn}, prevalence={float(share):g}: costs must be above 0 and the "
            "prevalence strictly between 0 and 1."
        )
        raise RequestError(message)
    slope = alarm * (1 - share) / (miss * share)
    hull = roc_hull(curve)
    heights = [
        Fraction(d, curve.positive_total) - slope * Fraction(f, curve.negative_total)
        for d, f in zip(hull.detections.tolist(), hull.false_alarms.tolist(), strict=True)
    ]
    best = max(heights)
    corners = [place for place, height in enumerate(heights) if height == best]
    points = _between_corners(curve, hull, corners)
    costs = Costs(fn=miss, fp=alarm)
    return IsoPerformance(
        slope=float(slope),
        intercept=float(best),
        cost=float(miss * share * (1 - best)),
        points=tuple(_deploy(curve, place, costs, share) for place in points),
    )


def _deploy(curve: RocCurve, place: int, costs: Costs, share: Fraction) -> OperatingPoint:
    """Describe a point with its mean cost where ``share`` of the items are positive.

    The counts are those of the tested items; their own mix is not what the cost is asked for.
    """
    point = curve.point(place, measures=())
    missed = costs.fn * share * Fraction(point.fn, curve.positive_total)
    alarmed = costs.fp * (1 - share) * Fraction(point.fp, curve.negative_total)
    return replace(point, measures=(("cost", float(missed + alarmed)),))


def _between_corners(curve: RocCurve, hull: RocCurve, corners: list[int]) -> list[int]:
    """Find every point of the curve on the line through the tied corners."""
    first, last = corners[0], corners[-1]
    d0, f0 = int(hull.detections[first]), int(hull.false_alarms[first])
    d1, f1 = int(hull.detections[last]), int(hull.false_alarms[last])
    called = curve.detections + curve.false_alarms
    low, high = np.searchsorted(called, [d0 + f0, d1 + f1], side="left")
    return [
        place
        for place in range(int(low), int(high) + 1)
        if (int(curve.detections[place]) - d0) * (f1 - f0)
        == (int(curve.false_alarms[place]) - f0) * (d1 - d0)
    ]


def _corners(curve: RocCurve) -> Places:
    """Leave out, again and again, every point that is not above the line of its neighbours."""
    called = curve.detections + curve.false_alarms
    kept: Places = np.flatnonzero(np.diff(called, prepend=-1))
    large = curve.positive_total * curve.negative_total >= SAFE
    for _ in range(PASSES):
        above = _above(curve, kept, large=large)
        if above.all():
            return kept
        kept = kept[np.concatenate([[True], above, [True]])]
    return _by_chain(curve, kept)


def _above(curve: RocCurve, kept: Places, *, large: bool) -> NDArray[np.bool_]:
    x, y = curve.false_alarms[kept], curve.detections[kept]
    if large:
        x, y = x.astype(object), y.astype(object)
    left = (x[1:-1] - x[:-2]) * (y[2:] - y[:-2])
    right = (y[1:-1] - y[:-2]) * (x[2:] - x[:-2])
    return np.asarray(right > left, dtype=np.bool_)


def _by_chain(curve: RocCurve, kept: Places) -> Places:
    """Finish with the classical chain, one point after the other."""
    chain: list[int] = []
    x, y = curve.false_alarms.tolist(), curve.detections.tolist()
    for place in kept.tolist():
        while len(chain) > 1:
            a, b = chain[-2], chain[-1]
            if (y[b] - y[a]) * (x[place] - x[a]) > (x[b] - x[a]) * (y[place] - y[a]):
                break
            chain.pop()
        chain.append(place)
    return np.array(chain, dtype=np.intp)

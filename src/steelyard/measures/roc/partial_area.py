"""The part of the area under a ROC curve that a user cares about."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import Grouped, ScoreTable
from steelyard.errors import RequestError
from steelyard.measures.roc.curve import RocCurve, one_class
from steelyard.measures.rounding import Number, exact_share
from steelyard.measures.tables.cluster_limits import never_narrower
from steelyard.results.estimates import Estimate, Interval
from steelyard.uncertainty import normal_quantile, placement_interval
from steelyard.uncertainty.areas.partial_spread import vary_in_band
from steelyard.uncertainty.areas.resampling import RESAMPLES, resample_statistic
from steelyard.uncertainty.shares.resampled import resample_share_interval

__all__ = ["area_within", "partial_auc", "standardize_area"]

Floats = NDArray[np.float64]
BELOW = "the curve lies below chance in this band, where McClish's correction has no meaning"


def partial_auc(
    table: ScoreTable,
    *,
    false_alarm_rates: tuple[Number, Number] | None = None,
    detection_rates: tuple[Number, Number] | None = None,
    corrected: bool = True,
    level: float = 0.95,
    rng: np.random.Generator | None = None,
    resamples: int = RESAMPLES,
    clusters: Grouped[ScoreTable] | None = None,
) -> Estimate:
    r"""Area under the ROC curve between two false alarm rates, or two detection rates.

    Over P_FA in [a, b] it is :math:`\int_a^b R(x)\,dx`; over P_D in [a, b] the area to the right
    of the curve, :math:`\int_a^b (1-R^{-1}(y))\,dy`. ``corrected`` maps chance to 1/2 and the best
    possible to 1: :math:`\tfrac12(1+(A-A_{min})/(A_{max}-A_{min}))` with :math:`A_{min}` the area
    of the diagonal [1]_. Corrected: in [1/2, 1], larger is better, undefined below chance.

    Parameters
    ----------
    table : ScoreTable
        Positives and negatives at each score.
    false_alarm_rates, detection_rates : (low, high)
        Exactly one of them.
    corrected : bool
        Apply McClish's correction.
    level : float
        Coverage of the interval, strictly between 0 and 1.
    rng, resamples
        For clusters, which have no interval without ``rng``.
    clusters : Grouped of ScoreTable, optional
        The same scores by cluster: whole clusters are then drawn, and the interval of the mean
        height is Wilson's with as many items as would vary as much
        (:func:`~steelyard.uncertainty.shares.resampled.resample_share_interval`), never narrower
        than that of single items.

    Returns
    -------
    Estimate
        With the interval of the mean height of the curve in the band, a mean of placements cut
        off at its ends (:func:`~steelyard.uncertainty.areas.partial_spread.vary_in_band`), as that
        of the whole area (:func:`~steelyard.uncertainty.placement_interval`).

    References
    ----------
    .. [1] McClish (1989), Medical Decision Making 9, 190-195, doi:10.1177/0272989X8900900307.

    Examples
    --------
    >>> table = ScoreTable.from_scores([3, 4], [1, 2])
    >>> partial_auc(table, false_alarm_rates=(0, 0.5)).value
    1.0
    >>> partial_auc(table, false_alarm_rates=(0, 0.5), corrected=False).value
    0.5
    """
    normal_quantile(level)
    if (false_alarm_rates is None) == (detection_rates is None):
        message = "A part of the area lies between two false_alarm_rates or two detection_rates."
        raise RequestError(message)
    upright = false_alarm_rates is not None
    axis = "false_alarm_rates" if upright else "detection_rates"
    low, high = _ends(false_alarm_rates or detection_rates or (0, 1), axis)
    named = f"{'corrected ' if corrected else ''}partial AUC, {'P_FA' if upright else 'P_D'}"
    measure = f"{named} {low:g} to {high:g}"
    reason = one_class(table)
    if reason:
        return Estimate(
            measure=measure, value=None, reason=reason, of=table.positive, items=table.total
        )

    def raw(false_alarms: Floats, detections: Floats) -> Floats:
        if upright:
            return area_within(false_alarms, detections, low, high)
        return area_within(detections, 1 - false_alarms, low, high)

    curve = RocCurve.of(table)
    found = float(raw(curve.false_alarm_rates[None], curve.detection_rates[None])[0])
    value: float | None = found
    if corrected:
        value = standardize_area(found, low, high, upright=upright)
    interval = None
    if value is not None and (clusters is None or rng is not None):
        ends = _heights(curve, (low, high), upright=upright, level=level)
        if clusters is not None and rng is not None:
            drawn = resample_statistic(clusters, raw, rng=rng, resamples=resamples)
            ends = _by_cluster(ends, (found, drawn), clusters, high - low)
        interval = _on_scale(ends, (low, high), corrected=corrected, upright=upright)
    return Estimate(
        measure=measure,
        value=value,
        reason=BELOW if value is None else None,
        interval=interval,
        of=table.positive,
        items=table.total,
    )


def _heights(
    curve: RocCurve, band: tuple[float, float], *, upright: bool, level: float
) -> Interval:
    """Interval of the mean height of a curve over a band."""
    x, y = curve.false_alarm_rates, curve.detection_rates
    ends, units = band, (curve.positive_total, curve.negative_total)
    if not upright:
        # Seen from the corner (1, 1), positives and negatives change their parts.
        x, y = 1 - curve.detection_rates[::-1], 1 - curve.false_alarm_rates[::-1]
        ends, units = (1 - band[1], 1 - band[0]), (units[1], units[0])
    low, high = placement_interval(
        vary_in_band(x, y, ends, positives=units[0], negatives=units[1]), level=level
    )
    return Interval(low=low, high=high, level=level, method="placement")


def _on_scale(
    heights: Interval, band: tuple[float, float], *, corrected: bool, upright: bool
) -> Interval:
    """Turn limits of the mean height into limits of the area, corrected or not."""
    least, most = (end * (band[1] - band[0]) for end in (heights.low, heights.high))
    if corrected:
        least, most = (_scale(one, *band, upright=upright) for one in (least, most))
        least = max(least, 0.5)
    return replace(heights, low=least, high=most)


def _by_cluster(
    ends: Interval, seen: tuple[float, Floats], clusters: Grouped[ScoreTable], width: float
) -> Interval:
    """Interval of the mean height from resampled clusters; never narrower than that of items."""
    sides = ("positive_total", "negative_total")
    held = min(sum(getattr(part, side) for _, part in clusters) for side in sides)
    drawn = resample_share_interval(
        seen[0] / width,
        seen[1] / width,
        items=min(held, len(clusters)),
        clusters=len(clusters),
        level=ends.level,
    )
    return never_narrower(drawn, ends)


def area_within(x: Floats, y: Floats, low: float, high: float) -> Floats:
    """Area under rows of points joined by straight lines, between two places of x.

    Examples
    --------
    >>> area_within(np.array([[0.0, 0.0, 1.0]]), np.array([[0.0, 0.5, 1.0]]), 0.0, 0.5).tolist()
    [0.3125]
    """
    left, right = x[..., :-1], x[..., 1:]
    width = right - left
    slope = np.divide(y[..., 1:] - y[..., :-1], width, out=np.zeros_like(width), where=width > 0)
    start, end = np.clip(left, low, high), np.clip(right, low, high)
    middle = y[..., :-1] + slope * ((start + end) / 2 - left)
    areas: Floats = ((end - start) * middle).sum(axis=-1)
    return areas


def standardize_area(area: float, low: float, high: float, *, upright: bool = True) -> float | None:
    """Map a partial area to 1/2 at chance and 1 at best; None below chance (McClish).

    Examples
    --------
    >>> standardize_area(0.005, 0.0, 0.1), standardize_area(0.1, 0.0, 0.1)
    (0.5, 1.0)
    """
    scaled = _scale(area, low, high, upright=upright)
    # A curve along the diagonal has 1/2 but for rounding; only below chance it means nothing.
    return scaled if scaled >= 0.5 - 1e-12 else None


def _scale(area: float, low: float, high: float, *, upright: bool) -> float:
    diagonal = (high * high - low * low) / 2
    best = high - low
    chance = diagonal if upright else best - diagonal
    return 0.5 * (1 + (area - chance) / (best - chance))


def _ends(given: tuple[Number, Number], name: str) -> tuple[float, float]:
    low, high = (exact_share(one, name) for one in given)
    if low >= high:
        message = f"{name}=({float(low):g}, {float(high):g}); expected a lower rate, then a higher."
        raise RequestError(message)
    return float(low), float(high)

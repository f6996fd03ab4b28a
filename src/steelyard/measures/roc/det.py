"""Misses against false alarms on normal deviate scales, and where the two are equal."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from steelyard.counts import Grouped, ScoreTable
from steelyard.measures.roc.curve import RocCurve, one_class
from steelyard.measures.tables.cluster_limits import never_narrower
from steelyard.results.estimates import Estimate, Interval
from steelyard.uncertainty import normal_quantile
from steelyard.uncertainty.areas.equal_rates import equal_rate_interval
from steelyard.uncertainty.areas.resampling import RESAMPLES, resample_statistic
from steelyard.uncertainty.shares.resampled import resample_share_interval

__all__ = ["DetPoints", "det_points", "equal_error_rate"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DetPoints:
    """Error rates from the highest threshold to the lowest, and their normal deviates.

    Deviates are what a DET plot draws; a rate of 0 or 1 has an infinite one and is off the paper.
    """

    thresholds: Floats
    false_alarm_rates: Floats
    miss_rates: Floats
    false_alarm_deviates: Floats
    miss_deviates: Floats


def det_points(table: ScoreTable) -> DetPoints:
    """List misses and false alarms at every threshold.

    Scores that are normal in both classes give a straight line.

    References
    ----------
    .. [1] Martin et al. (1997), The DET curve in assessment of detection task performance,
       Eurospeech, 1895-1898, doi:10.21437/Eurospeech.1997-504.

    Examples
    --------
    >>> points = det_points(ScoreTable.from_scores([0.9, 0.4], [0.4, 0.1]))
    >>> points.miss_rates.tolist(), points.miss_deviates[1]
    ([1.0, 0.5, 0.0, 0.0, 0.0], np.float64(0.0))
    """
    curve = RocCurve.of(table)
    misses = curve.measure("miss_rate").filled(0.0)
    return DetPoints(
        thresholds=curve.thresholds,
        false_alarm_rates=curve.false_alarm_rates,
        miss_rates=misses,
        false_alarm_deviates=np.asarray(ndtri(curve.false_alarm_rates)),
        miss_deviates=np.asarray(ndtri(misses)),
    )


def equal_error_rate(
    table: ScoreTable,
    *,
    level: float = 0.95,
    rng: np.random.Generator | None = None,
    resamples: int = RESAMPLES,
    clusters: Grouped[ScoreTable] | None = None,
) -> Estimate:
    """Rate at which misses and false alarms are equally frequent, on the line between points.

    In [0, 1], lower is better, 1/2 is chance; undefined without items of both classes.

    Parameters
    ----------
    table : ScoreTable
        Positives and negatives at each score.
    level : float
        Coverage of the interval, strictly between 0 and 1.
    rng : numpy.random.Generator, optional
        For clusters, which have no interval without it.
    resamples : int
        Bootstrap resamples.
    clusters : Grouped of ScoreTable, optional
        The same scores by cluster: whole clusters are then drawn, and the interval is Wilson's
        with as many items as would vary as the resamples do
        (:func:`~steelyard.uncertainty.shares.resampled.resample_share_interval`), never narrower
        than that of single items.

    Returns
    -------
    Estimate
        With the score interval over all thresholds
        (:func:`~steelyard.uncertainty.areas.equal_rates.equal_rate_interval`): the threshold comes
        from the same items, and that is counted in.

    References
    ----------
    .. [1] Martin et al. (1997), The DET curve in assessment of detection task performance,
       Eurospeech, 1895-1898, doi:10.21437/Eurospeech.1997-504.

    Examples
    --------
    >>> equal_error_rate(ScoreTable.from_scores([0.9, 0.4], [0.5, 0.1])).value
    0.5
    """
    normal_quantile(level)
    reason = one_class(table)
    if reason:
        return Estimate(
            measure="equal error rate",
            value=None,
            reason=reason,
            of=table.positive,
            items=table.total,
        )
    points = det_points(table)
    value = float(_equal_errors(points.false_alarm_rates[None], 1 - points.miss_rates[None])[0])
    low, high = equal_rate_interval(
        points.miss_rates,
        points.false_alarm_rates,
        positives=table.positive_total,
        negatives=table.negative_total,
        level=level,
    )
    ends: Interval | None = Interval(
        low=min(low, value), high=max(high, value), level=level, method="score-crossing"
    )
    if clusters is not None and rng is None:
        ends = None
    elif clusters is not None and rng is not None:
        drawn = resample_statistic(clusters, _equal_errors, rng=rng, resamples=resamples)
        held = min(table.positive_total, table.negative_total, len(clusters))
        of_clusters = resample_share_interval(
            value, drawn, items=held, clusters=len(clusters), level=level
        )
        ends = never_narrower(of_clusters, ends)
    return Estimate(
        measure="equal error rate",
        value=value,
        interval=ends,
        of=table.positive,
        items=table.total,
    )


def _equal_errors(false_alarm_rates: Floats, detection_rates: Floats) -> Floats:
    """Find where misses and false alarms are equal, for curves given as rows of points."""
    gap = false_alarm_rates - (1 - detection_rates)  # rises from -1 to 1
    row = np.arange(len(gap))
    right = np.argmax(gap >= 0, axis=1)
    left = right - 1
    share = -gap[row, left] / (gap[row, right] - gap[row, left])
    start, end = false_alarm_rates[row, left], false_alarm_rates[row, right]
    found: Floats = start + share * (end - start)
    return found

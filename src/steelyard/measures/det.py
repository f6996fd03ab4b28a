"""Misses against false alarms on normal deviate scales, and where the two are equal."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from steelyard.counts import ScoreTable
from steelyard.measures.roc_curve import RocCurve, one_class
from steelyard.results.estimates import Estimate

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


def equal_error_rate(table: ScoreTable) -> Estimate:
    """Rate at which misses and false alarms are equally frequent, on the line between points.

    In [0, 1], lower is better, 1/2 is chance; undefined without items of both classes.

    References
    ----------
    .. [1] Martin et al. (1997), The DET curve in assessment of detection task performance,
       Eurospeech, 1895-1898, doi:10.21437/Eurospeech.1997-504.

    Examples
    --------
    >>> equal_error_rate(ScoreTable.from_scores([0.9, 0.4], [0.5, 0.1])).value
    0.5
    """
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
    alarms, misses = points.false_alarm_rates, points.miss_rates
    gap = alarms - misses  # rises from -1 to 1
    right = int(np.argmax(gap >= 0))
    left = right - 1
    share = -gap[left] / (gap[right] - gap[left])
    value = float(alarms[left] + share * (alarms[right] - alarms[left]))
    return Estimate(measure="equal error rate", value=value, of=table.positive, items=table.total)

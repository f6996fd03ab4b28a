"""One curve from several: over folds, days or sites."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, sqrt
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from steelyard.counts import Grouped, ScoreTable
from steelyard.errors import NotComparable, RequestError
from steelyard.measures.roc.curve import RocCurve
from steelyard.measures.roc.generation import roc_at_thresholds
from steelyard.measures.rounding import Number, exact_share
from steelyard.uncertainty import normal_quantile

__all__ = ["AveragedRoc", "Averaging", "RateBand", "average_roc", "pooled_roc"]

Floats = NDArray[np.float64]
Rates = tuple[Floats, Floats]
Averaging = Literal["false-alarm-rate", "detection-rate", "threshold"]

SPREAD = "sd: how much single {by}s scatter around the mean curve"
OF_MEAN = (
    "low, high: {level:.0%} Student interval of the mean rate at each place by itself, with "
    "{freedom} degrees of freedom; it takes the {by}s as independent, which folds of one data set, "
    "trained on common items, are only roughly"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RateBand:
    """Mean rate at each place, the standard deviation over curves, and limits of the mean."""

    mean: Floats
    sd: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AveragedRoc:
    """A mean curve; ``places`` are the rates or thresholds at which curves were averaged.

    ``false_alarm_rates`` or ``detection_rates`` is None where it is the given grid itself.
    """

    by: Averaging
    places: Floats
    false_alarm_rates: RateBand | None
    detection_rates: RateBand | None
    curves: int
    level: float
    meanings: tuple[str, str]


def average_roc(
    folds: Grouped[ScoreTable],
    *,
    by: Averaging = "false-alarm-rate",
    at: Sequence[Number] | None = None,
    level: float = 0.95,
) -> AveragedRoc:
    r"""Average the curves of folds, by one of three recipes.

    ``false-alarm-rate`` (vertical) averages P_D at common P_FA, straight lines between points and
    the top where the curve is vertical [1]_; ``detection-rate`` averages P_FA at common P_D, the
    left end where it is horizontal; ``threshold`` averages both at common thresholds, which needs
    scores that mean the same in every fold. :func:`pooled_roc` merges the scores instead.

    Parameters
    ----------
    folds : Grouped of ScoreTable
        At least one; each with both classes. Limits and sd need two.
    by : {"false-alarm-rate", "detection-rate", "threshold"}
        What the curves are aligned by.
    at : sequence of numbers, optional
        Rates (0, 0.01 ... 1 unless told) or thresholds (needed, no default).
    level : float
        Coverage of the interval of the mean, at each place by itself.

    References
    ----------
    .. [1] Fawcett (2006), Pattern Recognition Letters 27, 861-874,
       doi:10.1016/j.patrec.2005.10.010.

    Examples
    --------
    >>> table = ScoreTable.from_scores([0.9, 0.4], [0.4, 0.1])
    >>> other = ScoreTable.from_scores([0.9, 0.8], [0.4, 0.1])
    >>> folds = Grouped.from_parts("fold", {"1": table, "2": other})
    >>> average_roc(folds, at=[0, 0.5]).detection_rates.mean.tolist()
    [0.75, 1.0]
    """
    normal_quantile(level)
    if by not in get_args(Averaging):
        raise RequestError.for_choice(name="by", given=by, choices=get_args(Averaging))
    if not len(folds):
        message = f"There is no {folds.by} to average over."
        raise NotComparable(message, code="no-items")
    false_alarms = detections = None
    if by == "threshold":
        places = _thresholds(at)
        curves = [roc_at_thresholds(part, places, duplicates="keep") for part in folds.parts]
        false_alarms = _band([_share_of_negatives(curve) for curve in curves], level)
        detections = _band([_share_of_positives(curve) for curve in curves], level)
    else:
        wanted = list(at) if at is not None else [f"{step}/100" for step in range(101)]
        places = np.array([float(exact_share(rate, by.replace("-", "_"))) for rate in wanted])
        read = _vertical if by == "false-alarm-rate" else _horizontal
        band = _band([read(RocCurve.of(part), wanted) for part in folds.parts], level)
        false_alarms, detections = (None, band) if by == "false-alarm-rate" else (band, None)
    return AveragedRoc(
        by=by,
        places=places,
        false_alarm_rates=false_alarms,
        detection_rates=detections,
        curves=len(folds),
        level=level,
        meanings=(
            SPREAD.format(by=folds.by),
            OF_MEAN.format(by=folds.by, level=level, freedom=len(folds) - 1),
        ),
    )


def pooled_roc(folds: Grouped[ScoreTable]) -> RocCurve:
    """Merge the scores of all folds into one curve.

    Only for scores that mean the same in every fold. Its area is not the mean area of the folds:
    it also compares positives of one fold with negatives of another.

    Examples
    --------
    >>> part = ScoreTable.from_scores([0.9], [0.1])
    >>> pooled_roc(Grouped.from_parts("fold", {"1": part, "2": part})).detections.tolist()
    [0, 2, 2, 2]
    """
    return RocCurve.of(folds.merged())


def _thresholds(at: Sequence[Number] | None) -> Floats:
    if at is None:
        message = "Averaging at thresholds needs them: pass at=[0.1, 0.3, 0.5]."
        raise RequestError(message)
    return np.sort(np.array([float(one) for one in at]))[::-1]


def _share_of_positives(curve: RocCurve) -> Rates:
    """Give the shares of positives that were called so, and that were not."""
    return curve.detection_rates, (curve.positive_total - curve.detections) / curve.positive_total


def _share_of_negatives(curve: RocCurve) -> Rates:
    """Give the shares of negatives that were called positive, and that were not."""
    left = (curve.negative_total - curve.false_alarms) / curve.negative_total
    return curve.false_alarm_rates, left


def _vertical(curve: RocCurve, rates: Sequence[Number]) -> Rates:
    """Read P_D at each P_FA: exact about which point comes last, straight lines beyond it."""
    exact = [exact_share(rate, "false_alarm_rate") * curve.negative_total for rate in rates]
    reached = np.array([floor(one) for one in exact])
    left = np.searchsorted(curve.false_alarms, reached, side="right") - 1
    right = np.minimum(left + 1, curve.false_alarms.size - 1)
    wanted = np.array([float(one) for one in exact])
    ends = curve.false_alarms[left], curve.false_alarms[right]
    got, lost = (
        _between(wanted, ends, (one[left], one[right])) for one in _share_of_positives(curve)
    )
    return got, lost


def _horizontal(curve: RocCurve, rates: Sequence[Number]) -> Rates:
    """Read P_FA at each P_D: the left end of a horizontal line."""
    exact = [exact_share(rate, "detection_rate") * curve.positive_total for rate in rates]
    needed = np.array([ceil(one) for one in exact])
    right = np.searchsorted(curve.detections, needed, side="left")
    left = np.maximum(right - 1, 0)
    wanted = np.array([float(one) for one in exact])
    ends = curve.detections[left], curve.detections[right]
    got, lost = (
        _between(wanted, ends, (one[left], one[right])) for one in _share_of_negatives(curve)
    )
    return got, lost


def _between(
    wanted: Floats,
    ends: tuple[NDArray[np.int64], NDArray[np.int64]],
    rates: tuple[Floats, Floats],
) -> Floats:
    width = (ends[1] - ends[0]).astype(np.float64)
    share = np.divide(wanted - ends[0], width, out=np.zeros_like(width), where=width > 0)
    read: Floats = np.where(share == 1, rates[1], rates[0] + share * (rates[1] - rates[0]))
    return read


def _band(curves: Sequence[Rates], level: float) -> RateBand:
    rates, rests = (np.array(side) for side in zip(*curves, strict=True))
    mean = rates.mean(axis=0)
    if len(curves) < 2:
        nothing = np.ma.masked_array(np.zeros_like(mean), mask=True)
        return RateBand(mean=mean, sd=nothing, low=nothing, high=nothing)
    # Rates close to 1 differ in their last digits, what they leave of 1 does not.
    sd = np.where(mean > 0.5, rests.std(axis=0, ddof=1), rates.std(axis=0, ddof=1))
    half = -float(stdtrit(len(curves) - 1, (1 - level) / 2)) * sd / sqrt(len(curves))
    return RateBand(
        mean=mean, sd=sd, low=np.clip(mean - half, 0, 1), high=np.clip(mean + half, 0, 1)
    )

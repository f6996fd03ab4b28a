"""Two curves that cross: where, and whether the larger area is the worse choice."""

import numpy as np
from numpy.typing import NDArray

from steelyard.display.numbers import show_number
from steelyard.display.text import show_name
from steelyard.measures.roc.curve import RocCurve
from steelyard.measures.roc.partial_area import area_within
from steelyard.measures.rounding import Number, exact_share
from steelyard.uncertainty.areas.bands import detection_at

__all__ = ["roc_crossings", "warn_if_crossing"]

Floats = NDArray[np.float64]


def roc_crossings(one: RocCurve, other: RocCurve) -> tuple[float, ...]:
    """List the false alarm rates at which the higher curve becomes the lower one.

    Both ends of every vertical step are compared; a crossing between two points is given as the
    rate of the second.

    Examples
    --------
    >>> from steelyard.counts import ScoreTable
    >>> one = RocCurve.of(ScoreTable.from_scores([9, 8, 1, 1], [5, 4, 3, 2]))
    >>> other = RocCurve.of(ScoreTable.from_scores([7, 7, 7, 7], [9, 6, 6, 6]))
    >>> roc_crossings(one, other)
    (0.25,)
    """
    places = np.union1d(one.false_alarm_rates, other.false_alarm_rates)
    gaps = [np.stack([_bottoms(curve, places), _tops(curve, places)]) for curve in (one, other)]
    # Interpolated heights that agree in 12 digits are one point of both curves, not a crossing.
    ahead = np.sign(np.round(gaps[0] - gaps[1], 12)).T.ravel()
    told = np.flatnonzero(ahead)
    turns = told[1:][ahead[told[1:]] != ahead[told[:-1]]]
    return tuple(dict.fromkeys(places[turns // 2].tolist()))


def warn_if_crossing(
    one: RocCurve,
    other: RocCurve,
    *,
    false_alarm_rates: tuple[Number, Number] = (0, 1),
    names: tuple[str, str] = ("first", "second"),
) -> str | None:
    """Say so when the curve with the larger area is the worse one in the region asked for.

    Examples
    --------
    >>> from steelyard.counts import ScoreTable
    >>> one = RocCurve.of(ScoreTable.from_scores([9, 8, 1, 1], [5, 4, 3, 2]))
    >>> other = RocCurve.of(ScoreTable.from_scores([7, 7, 7, 7], [9, 6, 6, 6]))
    >>> print(warn_if_crossing(one, other, false_alarm_rates=(0, 0.2)))
    the curves cross at P_FA 0.250: second has the larger AUC (0.750 against 0.500), but between \
P_FA 0.000 and 0.200 first is better (mean P_D 0.500 against 0.000)
    """
    low, high = (float(exact_share(rate, "false_alarm_rates")) for rate in false_alarm_rates)
    areas = [float(curve.area()) for curve in (one, other)]
    rates = [_mean_detection(curve, low, high) for curve in (one, other)]
    gap = round(rates[0] - rates[1], 12)  # closer than this is rounding, not a difference
    if (areas[0] - areas[1]) * gap >= 0:
        return None
    larger, better = (0, 1) if areas[0] > areas[1] else (1, 0)
    where = ", ".join(show_number(place) for place in roc_crossings(one, other)[:3])
    first, second = (show_name(names[place]) for place in (larger, better))
    return (
        f"the curves cross at P_FA {where}: {first} has the larger AUC "
        f"({show_number(areas[larger])} against {show_number(areas[better])}), but between P_FA "
        f"{show_number(low)} and {show_number(high)} {second} is better (mean P_D "
        f"{show_number(rates[better])} against {show_number(rates[larger])})"
    )


def _tops(curve: RocCurve, places: Floats) -> Floats:
    return detection_at(places, curve.false_alarm_rates, curve.detection_rates)


def _bottoms(curve: RocCurve, places: Floats) -> Floats:
    """Read the lower end of each step: the upper end of the curve turned by half a circle."""
    turned = (1 - rates[::-1] for rates in (curve.false_alarm_rates, curve.detection_rates))
    return 1 - detection_at(1 - places, *turned)


def _mean_detection(curve: RocCurve, low: float, high: float) -> float:
    area = area_within(curve.false_alarm_rates[None], curve.detection_rates[None], low, high)
    return float(area[0]) / (high - low)

"""The pictures of calibration."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from steelyard.display.figures import Bin, Chart, calibration_chart, interval_chart

if TYPE_CHECKING:
    from steelyard.results.calibrated import Calibration, ClassCalibration

__all__ = ["calibrated_charts"]

MOST_DRAWN = 8


def calibrated_charts(calibration: "Calibration") -> dict[str, Callable[[], Chart]]:
    """Name what can be drawn: the curve first."""
    known: dict[str, Callable[[], Chart]] = {}
    if any(one.groups for one in calibration.classes):
        known["calibration"] = lambda: _curves(calibration)
    if any(one.brier.value is not None for one in calibration.classes):
        known["brier"] = lambda: _brier(calibration)
    return known


def _name(calibration: "Calibration", one: "ClassCalibration") -> str:
    if calibration.positive is not None:
        return one.system
    alone = len({other.system for other in calibration.classes}) == 1
    return one.of if alone else f"{one.system}, {one.of}"


def _curves(calibration: "Calibration") -> Chart:
    drawn = calibration.classes[:MOST_DRAWN]
    return calibration_chart({_name(calibration, one): _bins(one) for one in drawn})


def _bins(one: "ClassCalibration") -> list[Bin]:
    bins = []
    for group in one.groups:
        ends, share = group.observed.interval, group.observed.value
        if share is not None:
            low, high = (ends.low, ends.high) if ends is not None else (share, share)
            bins.append((group.forecast, share, low, high, group.observed.trials))
    return bins


def _brier(calibration: "Calibration") -> Chart:
    rows = []
    for one in calibration.classes:
        ends = one.brier.interval
        low, high = (None, None) if ends is None else (ends.low, ends.high)
        rows.append((_name(calibration, one), one.brier.value, low, high))
    return interval_chart(rows, measure="Brier score", title="Brier scores, smaller is better")

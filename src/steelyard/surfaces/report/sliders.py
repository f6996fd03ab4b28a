"""Operating points as the page shows them: every number written out already."""

from typing import Any

from steelyard.display.numbers import digits_for, show_count, show_interval, show_number
from steelyard.display.text import clean_text
from steelyard.display.thresholds import show_threshold
from steelyard.journey.roc_curves.drawing import OperatingStop, ScoreCurve

__all__ = ["slider_data"]


def slider_data(curves: tuple[ScoreCurve, ...]) -> list[dict[str, Any]]:
    """Give for each system its stops: places on the curve, and texts to show there."""
    return [
        {
            "system": clean_text(curve.system),
            "range": [min(curve.scores), max(curve.scores)],
            "start": _start(curve),
            "stops": [_stop(one) for one in curve.stops],
        }
        for curve in curves
    ]


def _start(curve: ScoreCurve) -> int:
    """Begin where about as many items are called positive as there are positives."""
    calls = [abs(one.tp + one.fp - curve.positives) for one in curve.stops]
    return calls.index(min(calls))


def _stop(one: OperatingStop) -> dict[str, Any]:
    at_rates = (one.false_alarm_rate, one.recall)
    return {
        "at": one.threshold,
        "said": show_threshold(one.threshold, one.below),
        "x": round(at_rates[0][0], 5) if at_rates[0] else 0,
        "y": round(at_rates[1][0], 5) if at_rates[1] else 0,
        "counts": [show_count(count) for count in (one.tp, one.fn, one.fp, one.tn)],
        "shares": [
            _written(share)
            for share in (one.recall, one.false_alarm_rate, one.precision, one.accuracy)
        ],
    }


def _written(share: tuple[float, float, float] | None) -> list[str]:
    if share is None:
        return ["undefined", ""]
    value, low, high = share
    return [show_number(value, digits=digits_for(low, high)), show_interval(low, high)]

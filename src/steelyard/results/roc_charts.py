"""The pictures of ROC curves."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from steelyard.display.figures import Chart, det_chart, precision_recall_chart, roc_chart

if TYPE_CHECKING:
    from steelyard.results.roc_curves import RocCurves
    from steelyard.results.roc_parts import AveragedCurve, SystemRoc

__all__ = ["roc_charts"]

MOST_DRAWN = 10
Rates = tuple[list[float], list[float]]


def roc_charts(curves: "RocCurves") -> dict[str, Callable[[], Chart]]:
    """Name what can be drawn: the ROC curves first."""
    drawn = [one for one in curves.systems if len(one.curve) > 1][:MOST_DRAWN]
    if not drawn:
        return {}
    known: dict[str, Callable[[], Chart]] = {
        "roc": lambda: _roc(curves, drawn),
        "precision-recall": lambda: _precision_recall(curves, drawn),
        "det": lambda: det_chart({_name(curves, one): _misses(one) for one in drawn}),
    }
    for average in drawn[0].averages:
        known[f"mean-{average.by}"] = _mean(curves, drawn, average.by)
    return known


def _name(curves: "RocCurves", one: "SystemRoc") -> str:
    if curves.positive is not None:
        return one.system
    alone = len({other.system for other in curves.systems}) == 1
    return one.of if alone else f"{one.system}, {one.of}"


def _rates(one: "SystemRoc") -> Rates:
    return (
        [point.false_alarms / one.negatives for point in one.curve],
        [point.detections / one.positives for point in one.curve],
    )


def _misses(one: "SystemRoc") -> Rates:
    alarms, hits = _rates(one)
    return alarms, [1 - hit for hit in hits]


def _point(one: "SystemRoc") -> tuple[float, float] | None:
    """Mark the first point that was asked for, else that of least cost."""
    if one.places:
        place = one.places[0]
        return place.fp / one.negatives, place.tp / one.positives
    if one.cost_line is not None:
        return one.cost_line.false_alarm_rate, one.cost_line.detection_rate
    return None


def _roc(curves: "RocCurves", drawn: list["SystemRoc"]) -> Chart:
    named = {_name(curves, one): one for one in drawn}
    one = next(iter(named.values()))
    bands = {}
    if len(named) == 1 and one.band is not None:
        bands = {next(iter(named)): (one.band.false_alarm_rates, one.band.low, one.band.high)}
    points = {name: point for name, each in named.items() if (point := _point(each)) is not None}
    areas = {n: each.area.value for n, each in named.items() if each.area.value is not None}
    return roc_chart(
        {name: _rates(each) for name, each in named.items()},
        bands=bands,
        points=points,
        areas=areas,
    )


def _precision_recall(curves: "RocCurves", drawn: list["SystemRoc"]) -> Chart:
    lines, points = {}, {}
    for one in drawn:
        kept = [p for p in one.curve if p.detections + p.false_alarms > 0]
        name = _name(curves, one)
        lines[name] = (
            [p.detections / one.positives for p in kept],
            [p.detections / (p.detections + p.false_alarms) for p in kept],
        )
        if one.places and one.places[0].tp + one.places[0].fp:
            place = one.places[0]
            points[name] = (place.tp / one.positives, place.tp / (place.tp + place.fp))
    shares = {one.positives / one.items for one in drawn}
    share = shares.pop() if len(shares) == 1 else None
    return precision_recall_chart(lines, share=share, points=points)


def _mean(curves: "RocCurves", drawn: list["SystemRoc"], by: str) -> Callable[[], Chart]:
    def draw() -> Chart:
        lines, bands = {}, {}
        for one in drawn:
            average = next(a for a in one.averages if a.by == by)
            name = _name(curves, one)
            lines[name] = _averaged(average)
            band = average.detection_rates
            if len(drawn) == 1 and by == "false-alarm-rate" and band is not None and band.low:
                bands[name] = (average.places, band.low, band.high)
        return roc_chart(lines, bands=bands, title=f"Mean ROC curve over folds, by {by}")

    return draw


def _averaged(average: "AveragedCurve") -> Rates:
    alarms = average.false_alarm_rates.mean if average.false_alarm_rates else average.places
    hits = average.detection_rates.mean if average.detection_rates else average.places
    return [0.0, *alarms, 1.0], [0.0, *hits, 1.0]

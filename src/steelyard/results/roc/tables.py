"""The tables and the pictures of ROC curves."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from steelyard.display.numbers import show_count, show_interval, show_threshold
from steelyard.display.tables import Headed, Table, number_cell, text_cell
from steelyard.results.measured import (
    area_of,
    estimate_cells,
    interval_name,
    show_with_ends,
    sort_by_value,
)

if TYPE_CHECKING:
    from steelyard.display.figures import Chart
    from steelyard.results.roc.data import AveragedCurve, RocCurves, SystemRoc

__all__ = ["roc_charts", "roc_tables"]

MOST_TIED = 3
MOST_PLACES = 12
MOST_DRAWN = 10
Rates = tuple[list[float], list[float]]


def roc_tables(curves: "RocCurves") -> list[Table]:
    """Show the areas, the points asked for, the cost line and the averages."""
    tables = [_classes(curves), _systems(curves), _places(curves), _costs(curves)]
    tables += [_averages(curves), _average_places(curves)]
    return [table for table in tables if table.rows]


def _rank(curves: "RocCurves") -> "Sequence[SystemRoc]":
    """Give the systems, the largest area first; classes stay in their own order."""
    known = curves.systems
    if curves.positive is None:
        return known
    return [known[at] for at in sort_by_value([one.area for one in known])]


def _names(curves: "RocCurves", one: "SystemRoc") -> list[Headed]:
    system = text_cell("system", one.system)
    return [system] if curves.positive is not None else [system, text_cell("class", one.of)]


def _classes(curves: "RocCurves") -> Table:
    rows = [
        [
            text_cell("system", one.system),
            text_cell("area", area.measure),
            *estimate_cells("value", area, curves.level),
        ]
        for one in curves.classes
        for area in one.areas
    ]
    reasons = [
        f"{one.system}: {area.reason}."
        for one in curves.classes
        for area in one.areas[:1]
        if area.reason is not None
    ]
    return Table.of("Over all classes", rows, note=" ".join(reasons))


def _systems(curves: "RocCurves") -> Table:
    level = curves.level
    partial = next((one.partial.measure for one in curves.systems if one.partial), "partial AUC")
    rows = [
        [
            *_names(curves, one),
            number_cell("positives", one.positives, show_count),
            number_cell("negatives", one.negatives, show_count),
            *estimate_cells("AUC", one.area, level),
            number_cell("grade", one.grade),
            number_cell("EER", show_with_ends(one.equal_error)),
            *estimate_cells("avg. precision", one.average_precision, level),
            *estimate_cells(partial, one.partial, level),
            number_cell("hull area", one.hull_area),
            number_cell("points", one.points, show_count),
        ]
        for one in _rank(curves)
    ]
    return Table.of("Systems", rows, lead=_lead(curves))


def _lead(curves: "RocCurves") -> int:
    return 1 if curves.positive is not None else 2


def _places(curves: "RocCurves") -> Table:
    rows = [
        [
            *_names(curves, one),
            text_cell("asked", place.asked, whole=True),
            number_cell(
                "threshold",
                "-" if place.threshold is None else show_threshold(place.threshold, place.below),
            ),
            *(number_cell(part.measure, show_with_ends(part)) for part in place.measures),
        ]
        for one in _rank(curves)
        for place in one.places
    ]
    return Table.of("Read off the curve", rows, lead=_lead(curves) + 1)


def _costs(curves: "RocCurves") -> Table:
    rows = [
        [
            *_names(curves, one),
            number_cell("threshold", _say_tied(line.thresholds)),
            number_cell("cost of an item", line.cost),
            number_cell("false alarms", line.false_alarm_rate),
            number_cell("detections", line.detection_rate),
            number_cell("slope", line.slope),
            number_cell("prevalence", line.prevalence),
        ]
        for one in _rank(curves)
        if (line := one.cost_line) is not None
    ]
    return Table.of("Least expected cost", rows, lead=_lead(curves))


def _say_tied(thresholds: Sequence[float | None]) -> str:
    """List the thresholds that cost the same; None is beyond all scores."""
    tied = ["one class only" if t is None else show_threshold(t) for t in thresholds[:MOST_TIED]]
    left = len(thresholds) - MOST_TIED
    return f"{', '.join(tied)}{f' (+{left} tied)' if left > 0 else ''}"


def _average_places(curves: "RocCurves") -> Table:
    """Show the mean rates of folds where only a few places were asked for."""
    rows = [
        [
            *_names(curves, one),
            text_cell("averaged by", average.by),
            number_cell("at", f"{place:g}"),
            text_cell("mean of folds", name),
            number_cell("value", line.mean[i]),
            number_cell(
                interval_name(curves.level),
                show_interval(line.low[i], line.high[i]) if line.low else None,
            ),
            number_cell("sd", line.sd[i] if line.low else None),
        ]
        for one in _rank(curves)
        for average in one.averages
        if average.by != "pooled" and len(average.places) <= MOST_PLACES
        for name, line in average.lines()
        for i, place in enumerate(average.places)
    ]
    return Table.of("Rates over folds", rows, lead=_lead(curves) + 2)


def _averages(curves: "RocCurves") -> Table:
    rows = [
        [
            *_names(curves, one),
            text_cell("averaged by", average.by),
            number_cell("folds", average.folds, show_count),
            text_cell("area", average.area.measure),
            *estimate_cells("value", average.area, curves.level),
        ]
        for one in _rank(curves)
        for average in one.averages
    ]
    return Table.of("Over folds", rows, lead=_lead(curves) + 2)


def roc_charts(curves: "RocCurves") -> "dict[str, Callable[[], Chart]]":
    """Draw ROC, precision and recall, DET, and the mean curve where there are folds."""
    from steelyard.display.figures import det_chart

    whole = [one for one in _rank(curves) if len(one.curve) > 1]
    drawn = [whole[at] for at in sorted(sort_by_value([one.area for one in whole])[:MOST_DRAWN])]
    if not drawn:
        return {}
    known: dict[str, Callable[[], Chart]] = {
        "roc": lambda: _roc(curves, drawn),
        "precision-recall": lambda: _precision_recall(curves, drawn),
        "det": lambda: det_chart({_name(curves, one): _misses(one) for one in drawn}),
    }
    corner = _corner(curves, drawn)
    if corner is not None:
        known["corner"] = lambda: _roc(curves, drawn, corner)
    for average in drawn[0].averages:
        known[f"mean-{average.by}"] = _mean(curves, drawn, average.by)
    return {name: _say_cut(draw, len(drawn), len(whole)) for name, draw in known.items()}


def _say_cut(draw: "Callable[[], Chart]", drawn: int, whole: int) -> "Callable[[], Chart]":
    return lambda: draw().showing(drawn, whole, "curves", "those with the largest AUC")


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


def _roc(curves: "RocCurves", drawn: "list[SystemRoc]", corner: float = 1.0) -> "Chart":
    from steelyard.display.figures import roc_chart

    named = {_name(curves, one): one for one in drawn}
    one = next(iter(named.values()))
    bands = {}
    if len(named) == 1 and one.band is not None:
        bands = {next(iter(named)): (one.band.false_alarm_rates, one.band.low, one.band.high)}
    points = {name: point for name, each in named.items() if (point := _point(each)) is not None}
    areas = {n: area for n, each in named.items() if (area := area_of(each.area)) is not None}
    lines = {name: _rates(each) for name, each in named.items()}
    title = "ROC curves" if corner == 1 else "ROC curves, the best corner"
    return roc_chart(lines, bands=bands, points=points, areas=areas, title=title, corner=corner)


def _corner(curves: "RocCurves", drawn: "list[SystemRoc]") -> float | None:
    from steelyard.display.figures import corner_of

    return corner_of({_name(curves, one): _rates(one) for one in drawn})


def _precision_recall(curves: "RocCurves", drawn: "list[SystemRoc]") -> "Chart":
    from steelyard.display.figures import precision_recall_chart

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
    known = {_name(curves, one): area_of(one.average_precision) for one in drawn}
    areas = {name: area for name, area in known.items() if area is not None}
    return precision_recall_chart(lines, share=share, points=points, areas=areas)


def _mean(curves: "RocCurves", drawn: "list[SystemRoc]", by: str) -> "Callable[[], Chart]":
    from steelyard.display.figures import roc_chart

    def draw() -> "Chart":
        lines, bands = {}, {}
        for one in drawn:
            average = next(a for a in one.averages if a.by == by)
            name = _name(curves, one)
            lines[name] = _average(average)
            band = average.detection_rates
            if len(drawn) == 1 and by == "false-alarm-rate" and band is not None and band.low:
                bands[name] = (average.places, band.low, band.high)
        return roc_chart(lines, bands=bands, title=f"Mean ROC curve over folds, by {by}")

    return draw


def _average(average: "AveragedCurve") -> Rates:
    alarms = average.false_alarm_rates.mean if average.false_alarm_rates else average.places
    hits = average.detection_rates.mean if average.detection_rates else average.places
    return [0.0, *alarms, 1.0], [0.0, *hits, 1.0]

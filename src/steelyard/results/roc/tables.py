"""The tables and the pictures of ROC curves."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from steelyard.display.numbers import show_count, show_interval, show_number, show_threshold
from steelyard.display.tables import Column, Table, number_columns
from steelyard.results.measured import (
    area_of,
    interval_name,
    show_ends,
    show_value,
    show_with_ends,
    sort_by_value,
)

if TYPE_CHECKING:
    from steelyard.display.figures import Chart
    from steelyard.results.roc.data import AveragedCurve, RateLine, RocCurves, SystemRoc

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


def _lead(curves: "RocCurves") -> list[Column]:
    return [Column(name="system"), *([Column(name="class")] if curves.positive is None else [])]


def _names(curves: "RocCurves", one: "SystemRoc") -> list[str | None]:
    return [one.system, *([one.of] if curves.positive is None else [])]


def _classes(curves: "RocCurves") -> Table:
    if not curves.classes:
        return Table(title="", columns=(), rows=())
    rows = [
        [one.system, area.measure, show_value(area), show_ends(area)]
        for one in curves.classes
        for area in one.areas
    ]
    columns = [Column(name="system"), Column(name="area")]
    heads = number_columns("value", interval_name(curves.level))
    reasons = [
        f"{one.system}: {area.reason}."
        for one in curves.classes
        for area in one.areas[:1]
        if area.reason is not None
    ]
    return Table.without_empty("Over all classes", [*columns, *heads], rows, note=" ".join(reasons))


def _systems(curves: "RocCurves") -> Table:
    limits = interval_name(curves.level)
    partial = next((one.partial.measure for one in curves.systems if one.partial), "partial AUC")
    heads = number_columns(
        "positives", "negatives", "AUC", limits, "grade", "EER", "avg. precision",
        limits, partial, limits, "hull area", "points",
    )  # fmt: skip
    rows = [
        [
            *_names(curves, one),
            show_count(one.positives),
            show_count(one.negatives),
            show_value(one.area),
            show_ends(one.area),
            one.grade,
            show_with_ends(one.equal_error),
            show_value(one.average_precision),
            show_ends(one.average_precision),
            show_value(one.partial),
            show_ends(one.partial),
            show_number(one.hull_area),
            show_count(one.points),
        ]
        for one in _rank(curves)
    ]
    lead = _lead(curves)
    return Table.without_empty("Systems", [*lead, *heads], rows, lead=len(lead))


def _places(curves: "RocCurves") -> Table:
    known = next((one.places for one in curves.systems if one.places), ())
    if not known:
        return Table(title="", columns=(), rows=())
    heads = [one.measure for one in known[0].measures]
    rows = []
    for one in _rank(curves):
        for place in one.places:
            threshold = "-"
            if place.threshold is not None:
                threshold = show_threshold(place.threshold, place.below)
            measured = [show_with_ends(part) for part in place.measures]
            rows.append([*_names(curves, one), place.asked, threshold, *measured])
    lead = [*_lead(curves), Column(name="asked", whole=True)]
    return Table.without_empty(
        "Read off the curve", [*lead, *number_columns("threshold", *heads)], rows, lead=len(lead)
    )


def _costs(curves: "RocCurves") -> Table:
    rows = []
    for one in _rank(curves):
        line = one.cost_line
        if line is not None:
            tied = [
                "one class only" if threshold is None else show_threshold(threshold)
                for threshold in line.thresholds[:MOST_TIED]
            ]
            left = len(line.thresholds) - MOST_TIED
            more = f" (+{left} tied)" if left > 0 else ""
            numbers = (
                line.cost, line.false_alarm_rate, line.detection_rate, line.slope, line.prevalence,
            )  # fmt: skip
            rows.append(
                [*_names(curves, one), f"{', '.join(tied)}{more}", *map(show_number, numbers)]
            )
    lead = _lead(curves)
    heads = number_columns(
        "threshold", "cost of an item", "false alarms", "detections", "slope", "prevalence"
    )
    return Table.without_empty("Least expected cost", [*lead, *heads], rows, lead=len(lead))


def _average_places(curves: "RocCurves") -> Table:
    """Show the mean rates of folds where only a few places were asked for."""
    rows = [
        [*_names(curves, one), average.by, f"{place:g}", name, *_mean_and_limits(line, i)]
        for one in _rank(curves)
        for average in one.averages
        if average.by != "pooled" and len(average.places) <= MOST_PLACES
        for name, line in average.lines()
        for i, place in enumerate(average.places)
    ]
    lead = [*_lead(curves), Column(name="averaged by"), Column(name="at", align="right")]
    heads = [
        Column(name="mean of folds"), *number_columns("value", interval_name(curves.level), "sd")
    ]  # fmt: skip
    return Table.without_empty("Rates over folds", [*lead, *heads], rows, lead=len(lead))


def _mean_and_limits(line: "RateLine", place: int) -> list[str | None]:
    if not line.low:
        return [show_number(line.mean[place]), None, None]
    ends = show_interval(line.low[place], line.high[place])
    return [show_number(line.mean[place]), ends, show_number(line.sd[place])]


def _averages(curves: "RocCurves") -> Table:
    rows = [
        [
            *_names(curves, one),
            average.by,
            show_count(average.folds),
            average.area.measure,
            show_value(average.area),
            show_ends(average.area),
        ]
        for one in _rank(curves)
        for average in one.averages
    ]
    lead = [*_lead(curves), Column(name="averaged by"), Column(name="folds", align="right")]
    heads = [Column(name="area"), *number_columns("value", interval_name(curves.level))]
    return Table.without_empty("Over folds", [*lead, *heads], rows, lead=len(lead))


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

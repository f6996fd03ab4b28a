"""The tables of ROC curves."""

from typing import TYPE_CHECKING

from steelyard.display.numbers import show_count, show_interval, show_number
from steelyard.display.tables import Column, Table, number_columns
from steelyard.display.thresholds import show_threshold
from steelyard.results.measured import interval_name, shown_interval, shown_value

if TYPE_CHECKING:
    from steelyard.results.measured import Measured
    from steelyard.results.roc_curves import RocCurves
    from steelyard.results.roc_parts import RateLine, SystemRoc

__all__ = ["roc_tables"]

MOST_TIED = 3
MOST_PLACES = 12


def roc_tables(curves: "RocCurves") -> list[Table]:
    """Show the areas, the points asked for, the cost line and the averages."""
    tables = [_classes(curves), _systems(curves), _places(curves), _costs(curves)]
    tables += [_averages(curves), _averaged_places(curves)]
    return [table for table in tables if table.rows]


def _lead(curves: "RocCurves") -> list[Column]:
    return [Column(name="system"), *([Column(name="class")] if curves.positive is None else [])]


def _names(curves: "RocCurves", one: "SystemRoc") -> list[str | None]:
    return [one.system, *([one.of] if curves.positive is None else [])]


def _classes(curves: "RocCurves") -> Table:
    if not curves.classes:
        return Table(title="", columns=(), rows=())
    rows = [
        [one.system, area.measure, shown_value(area), shown_interval(area)]
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
            shown_value(one.area),
            shown_interval(one.area),
            one.grade,
            _with_ends(one.equal_error),
            shown_value(one.average_precision),
            shown_interval(one.average_precision),
            shown_value(one.partial),
            shown_interval(one.partial),
            show_number(one.hull_area),
            show_count(one.points),
        ]
        for one in curves.systems
    ]
    lead = _lead(curves)
    return Table.without_empty("Systems", [*lead, *heads], rows, lead=len(lead))


def _places(curves: "RocCurves") -> Table:
    known = next((one.places for one in curves.systems if one.places), ())
    if not known:
        return Table(title="", columns=(), rows=())
    heads = [one.measure for one in known[0].measures]
    rows = []
    for one in curves.systems:
        for place in one.places:
            threshold = "-"
            if place.threshold is not None:
                threshold = show_threshold(place.threshold, place.below)
            measured = [_with_ends(part) for part in place.measures]
            rows.append([*_names(curves, one), place.asked, threshold, *measured])
    lead = [*_lead(curves), Column(name="asked", whole=True)]
    return Table.without_empty(
        "Read off the curve", [*lead, *number_columns("threshold", *heads)], rows, lead=len(lead)
    )


def _with_ends(measured: "Measured") -> str | None:
    value, ends = shown_value(measured), shown_interval(measured)
    return value if ends is None else f"{value} {ends}"


def _costs(curves: "RocCurves") -> Table:
    rows = []
    for one in curves.systems:
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


def _averaged_places(curves: "RocCurves") -> Table:
    """Show the mean rates of folds where only a few places were asked for."""
    rows = [
        [*_names(curves, one), average.by, f"{place:g}", name, *_mean_and_limits(line, i)]
        for one in curves.systems
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
            shown_value(average.area),
            shown_interval(average.area),
        ]
        for one in curves.systems
        for average in one.averages
    ]
    lead = [*_lead(curves), Column(name="averaged by"), Column(name="folds", align="right")]
    heads = [Column(name="area"), *number_columns("value", interval_name(curves.level))]
    return Table.without_empty("Over folds", [*lead, *heads], rows, lead=len(lead))

"""How systems trade detections against false alarms, over all thresholds."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from steelyard.display.csv_text import csv_text
from steelyard.display.numbers import show_count, show_interval, show_number, show_threshold
from steelyard.display.tables import Column, Table, number_columns
from steelyard.display.text import show_name
from steelyard.results.base import Cell, Provenance, Result, tidy_row
from steelyard.results.estimates import Estimate
from steelyard.results.measured import (
    ELSEWHERE,
    Measured,
    area_of,
    in_rows,
    interval_name,
    name_class,
    say_count,
    say_estimate,
    show_ends,
    show_value,
    show_with_ends,
    sort_by_value,
)

if TYPE_CHECKING:
    from steelyard.display.figures import Chart

__all__ = [
    "AveragedCurve",
    "ClassAreas",
    "CostLine",
    "CurveBand",
    "CurvePoint",
    "RateLine",
    "RocCurves",
    "RocPlace",
    "SystemRoc",
]

CURVE_COLUMNS = (
    "system", "of", "threshold", "false_alarms", "detections", "false_alarm_rate",
    "detection_rate",
)  # fmt: skip
MOST_TIED = 3
MOST_PLACES = 12
MOST_DRAWN = 10
Rates = tuple[list[float], list[float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """Counts from a threshold up; ``threshold`` is None where nothing, or everything, is called."""

    threshold: float | None
    false_alarms: int
    detections: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RocPlace:
    """A point that was asked for, with its four counts and what it measures."""

    asked: str
    threshold: float | None
    below: float | None
    tp: int
    fp: int
    fn: int
    tn: int
    measures: tuple[Measured, ...]
    notes: tuple[str, ...] = ()

    def rows(self, system: str, of: str) -> list[dict[str, Cell]]:
        """List the threshold and the measures."""
        names = {"system": system, "of": of}
        at = f"at {self.asked}"
        reason = "nothing is called" if self.threshold is None else None
        rows = [tidy_row(measure=f"threshold {at}", value=self.threshold, reason=reason, **names)]
        for one in self.measures:
            rows += [row | {"measure": f"{row['measure']} {at}"} for row in in_rows(one, **names)]
        return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveBand:
    """Lower and upper detection rate at each P_FA; ``meaning`` says what is promised of them."""

    method: str
    meaning: str
    level: float
    false_alarm_rates: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLine:
    """Mean rate at each place over folds, its scatter, limits of the mean; empty of one fold."""

    mean: tuple[float, ...]
    sd: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AveragedCurve:
    """One curve over folds; ``meanings`` say what its limits are.

    ``false_alarm_rates`` or ``detection_rates`` is None where it is ``places`` itself. A pooled
    curve has both rates and no limits.
    """

    by: str
    folds: int
    places: tuple[float, ...]
    false_alarm_rates: RateLine | None
    detection_rates: RateLine | None
    area: Estimate
    meanings: tuple[str, ...]

    def lines(self) -> list[tuple[str, RateLine]]:
        """Name the rates that were averaged."""
        both = (
            ("detection rate", self.detection_rates),
            ("false alarm rate", self.false_alarm_rates),
        )
        return [(name, line) for name, line in both if line is not None]

    def cells(self) -> list[dict[str, Cell]]:
        """List the mean rate at every place, with its limits; nothing of a pooled curve."""
        at = self.by.replace("-", " ")
        if self.by == "pooled":
            return []
        return [
            {
                "measure": f"mean {name} at {at} {place:g}",
                "value": line.mean[i],
                "low": line.low[i] if line.low else None,
                "high": line.high[i] if line.high else None,
                "level": self.area.interval.level if self.area.interval and line.low else None,
                "method": "student-t" if line.low else None,
            }
            for name, line in self.lines()
            for i, place in enumerate(self.places)
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class CostLine:
    """The line of equal cost that touches the hull, and the best thresholds on it.

    None among ``thresholds`` calls nothing, or everything.
    """

    fp: float
    fn: float
    prevalence: float
    slope: float
    intercept: float
    cost: float
    thresholds: tuple[float | None, ...]
    false_alarm_rate: float
    detection_rate: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRoc:
    """The curve of one system for one class, and all that was read off it.

    ``curve`` may be thinned; ``points`` counts those of the curve as it was generated, and
    ``curve_area`` is the area under the latter, which is the AUC only when every score is a
    threshold. ``hull`` are the thresholds that are best for some costs.
    """

    system: str
    of: str
    items: int
    positives: int
    negatives: int
    area: Estimate
    grade: str | None
    curve_area: float
    points: int
    curve: tuple[CurvePoint, ...]
    hull: tuple[float | None, ...]
    hull_area: float
    partial: Estimate | None
    equal_error: Estimate
    average_precision: Estimate
    places: tuple[RocPlace, ...]
    cost_line: CostLine | None
    band: CurveBand | None
    averages: tuple[AveragedCurve, ...]

    def rows(self) -> list[dict[str, Cell]]:
        """List the numbers, without the points of the curve."""
        names = {"system": self.system, "of": self.of}
        known = (self.area, self.partial, self.equal_error, self.average_precision)
        rows = [row for one in known if one is not None for row in in_rows(one, **names)]
        rows += [
            tidy_row(measure=name, value=value, **names)
            for name, value in (("area of the curve", self.curve_area),
                                ("area of the hull", self.hull_area))
        ]  # fmt: skip
        for place in self.places:
            rows += place.rows(self.system, self.of)
        line = self.cost_line
        if line is not None:
            best = line.thresholds[0] if line.thresholds else None
            told = {"threshold of least cost": best, "least cost of an item": line.cost,
                    "slope of equal cost": line.slope}  # fmt: skip
            rows += [
                tidy_row(
                    measure=name,
                    value=value,
                    reason="one class is never called" if value is None else None,
                    **names,
                )
                for name, value in told.items()
            ]
        for average in self.averages:
            rows += in_rows(average.area, **names)
            rows += [tidy_row(**cells, **names) for cells in average.cells()]
        return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassAreas:
    """Areas over all classes of one system: each against the rest, and every pair."""

    system: str
    areas: tuple[Estimate, ...]

    def rows(self) -> list[dict[str, Cell]]:
        """List the areas."""
        return [row for one in self.areas for row in in_rows(one, system=self.system)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RocCurves(Result):
    """Curves of systems, what was read off them, and what to think of them.

    ``positive`` is None where every class stands against the rest; ``classes`` then holds the
    areas over all classes.
    """

    kind: ClassVar[str] = "roc"
    positive: str | None
    systems: tuple[SystemRoc, ...]
    classes: tuple[ClassAreas, ...]
    generated: str
    level: float
    provenance: Provenance

    def sentence(self) -> str:
        """Say the areas, and the first point that was asked for."""
        return _sentence(self)

    def rows(self) -> list[dict[str, Cell]]:
        """List every number that is not a point of a curve; those are in ``curve_csv``."""
        rows = [row for one in self.systems for row in one.rows()]
        return rows + [row for one in self.classes for row in one.rows()]

    def curve_csv(self) -> str:
        """Write the points of all curves as CSV, from calling nothing to calling everything."""
        rows: list[list[Cell]] = []
        for one in self.systems:
            for point in one.curve:
                rows.append(
                    [
                        one.system, one.of, point.threshold, point.false_alarms, point.detections,
                        point.false_alarms / one.negatives, point.detections / one.positives,
                    ]
                )  # fmt: skip
        return csv_text(CURVE_COLUMNS, rows)

    def tables(self) -> list[Table]:
        """Show the areas, the points asked for, the cost line and the averages."""
        return _tables(self)

    def notes(self) -> list[str]:
        """Say what the bands mean, and list the doubts."""
        said: list[str] = []
        for one in self.systems:
            said += one.area.caveats
            if one.partial is not None:
                said += one.partial.caveats
            said += [f"average precision: {doubt}" for doubt in one.average_precision.caveats]
            if one.band is not None:
                said.append(f"band ({one.band.method}): {one.band.meaning}")
            said += [meaning for average in one.averages for meaning in average.meanings]
            said += [note for place in one.places for note in place.notes]
        return [*dict.fromkeys(said), *self.caveats]

    def details(self) -> list[str]:
        """Say how the curve was made, and what was read."""
        return [f"Curve at {self.generated}.", *self.provenance.lines()]

    def charts(self) -> dict[str, "Callable[[], Chart]"]:
        """Draw ROC, precision and recall, DET, and the mean curve where there are folds."""
        return _charts(self)


def _sentence(curves: RocCurves) -> str:
    if curves.positive is None and curves.classes:
        return _over_classes(curves)
    known = [one for one in curves.systems if one.area.value is not None]
    if not known:
        return "No curve could be drawn."
    known.sort(key=lambda one: -(one.area.value or 0.0))
    best = known[0]
    grade = "" if best.grade is None else f" (grade {best.grade})"
    said = (
        f"{show_name(best.system)} separates {name_class(best.of)} from the rest with AUC "
        f"{say_estimate(best.area)}{grade} on {say_count(best.items, 'item')}"
    )
    if len(known) > 1:
        rest = ", ".join(
            f"{show_name(one.system)} {show_number(one.area.value or 0.0)}" for one in known[1:6]
        )
        more = "" if len(known) < 7 else f" and {len(known) - 6} more"
        said = f"{said}; then {rest}{more}"
    return f"{said}.{_read_off(best)}"


def _read_off(one: SystemRoc) -> str:
    if one.places:
        return f" {_place(one.places[0])}"
    line = one.cost_line
    if line is None or not line.thresholds:
        return ""
    threshold = line.thresholds[0]
    where = (
        "Calling one class only" if threshold is None else f"From {show_threshold(threshold)} up"
    )
    return f" {where} costs least, {show_number(line.cost)} an item."


def _place(place: RocPlace) -> str:
    if place.threshold is None:
        return f"At {place.asked} nothing is called."
    named = [
        f"{one.measure} is {say_estimate(one)}" for one in place.measures[:3]
        if one.value is not None
    ]  # fmt: skip
    told = f": {', '.join(named)}" if named else ""
    return (
        f"At {place.asked} the threshold is {show_threshold(place.threshold, place.below)}{told}."
    )


def _over_classes(curves: RocCurves) -> str:
    told = []
    for one in curves.classes[:4]:
        first = next((area for area in one.areas if area.value is not None), None)
        if first is not None and first.value is not None:
            told.append(f"{show_name(one.system)} {first.measure} {say_estimate(first)}")
    left = len(curves.classes) - 4
    if left > 0:
        told.append(f"{left} more systems: {ELSEWHERE}")
    return f"Over all classes: {'; '.join(told)}." if told else "No area over classes is defined."


def _tables(curves: RocCurves) -> list[Table]:
    tables = [_classes(curves), _systems(curves), _places(curves), _costs(curves)]
    tables += [_averages(curves), _average_places(curves)]
    return [table for table in tables if table.rows]


def _lead(curves: RocCurves) -> list[Column]:
    return [Column(name="system"), *([Column(name="class")] if curves.positive is None else [])]


def _names(curves: RocCurves, one: SystemRoc) -> list[str | None]:
    return [one.system, *([one.of] if curves.positive is None else [])]


def _classes(curves: RocCurves) -> Table:
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


def _systems(curves: RocCurves) -> Table:
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
        for one in curves.systems
    ]
    lead = _lead(curves)
    return Table.without_empty("Systems", [*lead, *heads], rows, lead=len(lead))


def _places(curves: RocCurves) -> Table:
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
            measured = [show_with_ends(part) for part in place.measures]
            rows.append([*_names(curves, one), place.asked, threshold, *measured])
    lead = [*_lead(curves), Column(name="asked", whole=True)]
    return Table.without_empty(
        "Read off the curve", [*lead, *number_columns("threshold", *heads)], rows, lead=len(lead)
    )


def _costs(curves: RocCurves) -> Table:
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


def _average_places(curves: RocCurves) -> Table:
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


def _mean_and_limits(line: RateLine, place: int) -> list[str | None]:
    if not line.low:
        return [show_number(line.mean[place]), None, None]
    ends = show_interval(line.low[place], line.high[place])
    return [show_number(line.mean[place]), ends, show_number(line.sd[place])]


def _averages(curves: RocCurves) -> Table:
    rows = [
        [
            *_names(curves, one),
            average.by,
            show_count(average.folds),
            average.area.measure,
            show_value(average.area),
            show_ends(average.area),
        ]
        for one in curves.systems
        for average in one.averages
    ]
    lead = [*_lead(curves), Column(name="averaged by"), Column(name="folds", align="right")]
    heads = [Column(name="area"), *number_columns("value", interval_name(curves.level))]
    return Table.without_empty("Over folds", [*lead, *heads], rows, lead=len(lead))


def _charts(curves: RocCurves) -> "dict[str, Callable[[], Chart]]":
    from steelyard.display.figures import det_chart

    whole = [one for one in curves.systems if len(one.curve) > 1]
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


def _name(curves: RocCurves, one: SystemRoc) -> str:
    if curves.positive is not None:
        return one.system
    alone = len({other.system for other in curves.systems}) == 1
    return one.of if alone else f"{one.system}, {one.of}"


def _rates(one: SystemRoc) -> Rates:
    return (
        [point.false_alarms / one.negatives for point in one.curve],
        [point.detections / one.positives for point in one.curve],
    )


def _misses(one: SystemRoc) -> Rates:
    alarms, hits = _rates(one)
    return alarms, [1 - hit for hit in hits]


def _point(one: SystemRoc) -> tuple[float, float] | None:
    """Mark the first point that was asked for, else that of least cost."""
    if one.places:
        place = one.places[0]
        return place.fp / one.negatives, place.tp / one.positives
    if one.cost_line is not None:
        return one.cost_line.false_alarm_rate, one.cost_line.detection_rate
    return None


def _roc(curves: RocCurves, drawn: list[SystemRoc], corner: float = 1.0) -> "Chart":
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


def _corner(curves: RocCurves, drawn: list[SystemRoc]) -> float | None:
    from steelyard.display.figures import corner_of

    return corner_of({_name(curves, one): _rates(one) for one in drawn})


def _precision_recall(curves: RocCurves, drawn: list[SystemRoc]) -> "Chart":
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


def _mean(curves: RocCurves, drawn: list[SystemRoc], by: str) -> "Callable[[], Chart]":
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


def _average(average: AveragedCurve) -> Rates:
    alarms = average.false_alarm_rates.mean if average.false_alarm_rates else average.places
    hits = average.detection_rates.mean if average.detection_rates else average.places
    return [0.0, *alarms, 1.0], [0.0, *hits, 1.0]

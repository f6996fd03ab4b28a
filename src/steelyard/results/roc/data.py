"""How systems trade detections against false alarms, over all thresholds."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from steelyard.display.interchange import csv_text
from steelyard.display.numbers import show_number, show_threshold
from steelyard.display.tables import Table
from steelyard.display.text import show_name
from steelyard.results.base import Cell, Provenance, Result, tidy_row
from steelyard.results.estimates import Estimate
from steelyard.results.measured import (
    ELSEWHERE,
    Measured,
    in_rows,
    name_class,
    say_count,
    say_estimate,
)
from steelyard.results.roc.tables import roc_charts, roc_tables

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
        return roc_tables(self)

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
        return roc_charts(self)


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

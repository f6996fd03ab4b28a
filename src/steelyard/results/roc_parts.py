"""The parts of an answer about ROC curves."""

from dataclasses import dataclass

from steelyard.results.estimates import Estimate
from steelyard.results.measured import Measured, in_rows
from steelyard.results.readable import Cell, tidy_row

__all__ = [
    "AveragedCurve",
    "ClassAreas",
    "CostLine",
    "CurveBand",
    "CurvePoint",
    "RateLine",
    "RocPlace",
    "SystemRoc",
]


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

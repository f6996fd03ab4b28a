"""How systems trade detections against false alarms, over all thresholds."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from steelyard.display.csv_text import csv_text
from steelyard.display.tables import Table
from steelyard.results.base import Result
from steelyard.results.provenance import Provenance
from steelyard.results.readable import Cell
from steelyard.results.roc_parts import (
    AveragedCurve,
    ClassAreas,
    CostLine,
    CurveBand,
    CurvePoint,
    RateLine,
    RocPlace,
    SystemRoc,
)
from steelyard.results.roc_tables import roc_tables
from steelyard.results.roc_words import roc_sentence

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
        return roc_sentence(self)

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
        from steelyard.results.roc_charts import roc_charts

        return roc_charts(self)

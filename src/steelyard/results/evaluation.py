"""How good each system is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from steelyard.counts import Confusion
from steelyard.display.tables import Table
from steelyard.results.base import Result
from steelyard.results.estimates import Estimate, Proportion
from steelyard.results.evaluation_tables import evaluation_tables
from steelyard.results.evaluation_words import evaluation_sentence
from steelyard.results.measured import Measured, in_rows
from steelyard.results.provenance import Provenance
from steelyard.results.readable import Cell, tidy_row

if TYPE_CHECKING:
    from steelyard.display.figures import Chart

__all__ = ["ClassMeasures", "Evaluation", "Holds", "SystemEvaluation"]

Holds = Literal["called", "outcome", "score", "vector"]
"""What the rows hold of a system: a called class, right or wrong, a score, or a vector."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassMeasures:
    """How often a class is found, and how often a call of it is true."""

    name: str
    recall: Proportion | Estimate
    precision: Proportion | Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemEvaluation:
    """All that was measured of one system; what its rows cannot tell is None or empty."""

    system: str
    holds: Holds
    items: int
    accuracy: Proportion | Estimate | None = None
    kappa: Estimate | None = None
    area: Estimate | None = None
    vector: tuple[Estimate, ...] = ()
    per_class: tuple[ClassMeasures, ...] = ()
    confusion: Confusion | None = None
    slices: tuple[Proportion | Estimate, ...] = ()
    further: tuple[Proportion | Estimate, ...] = ()
    caveats: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Cell]]:
        """List every number of the system as tidy rows."""
        numbers: list[Measured] = [
            one for one in (self.accuracy, self.kappa, self.area) if one is not None
        ]
        numbers += self.vector
        rows = [row for one in numbers for row in in_rows(one, system=self.system)]
        for one in self.per_class:
            rows += in_rows(one.recall, system=self.system, of=one.name)
            rows += in_rows(one.precision, system=self.system, of=one.name)
        for part in (*self.slices, *self.further):
            rows += in_rows(part, system=self.system)
        return rows + self._confusion_rows()

    def _confusion_rows(self) -> list[dict[str, Cell]]:
        if self.confusion is None:
            return []
        totals = self.confusion.true_totals()
        return [
            tidy_row(
                measure=f"called {called}",
                system=self.system,
                of=truth,
                value=count / totals[truth],
                count=count,
                total=totals[truth],
            )
            for truth, called, count in self.confusion.cells
            if totals[truth]
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation(Result):
    """How good each system is, each looked at on its own; to choose between them, compare them."""

    kind: ClassVar[str] = "evaluation"
    systems: tuple[SystemEvaluation, ...]
    classes: tuple[str, ...]
    positive: str | None
    level: float
    provenance: Provenance
    guide: tuple[str, ...] = ()

    def sentence(self) -> str:
        """Say which system has the highest number, and whether others reach it."""
        return evaluation_sentence(self)

    def rows(self) -> list[dict[str, Cell]]:
        """List every number of every system."""
        return [row for one in self.systems for row in one.rows()]

    def tables(self) -> list[Table]:
        """Show the systems, their classes, their confusions and their slices."""
        return evaluation_tables(self)

    def charts(self) -> dict[str, "Callable[[], Chart]"]:
        """Draw the systems with their intervals; the confusions of the first that has any."""
        from steelyard.results.evaluation_charts import evaluation_charts

        return evaluation_charts(self)

    def notes(self) -> list[str]:
        """List the doubts about the whole, then those about each system."""
        of_systems = [f"{one.system}: {caveat}" for one in self.systems for caveat in one.caveats]
        return [*self.caveats, *of_systems]

    def details(self) -> list[str]:
        """Say what was read and how."""
        return self.provenance.lines()

    def advice(self) -> list[str]:
        """Say which measures fit this problem, and why."""
        return list(self.guide)

"""Whether probabilities mean what they say, and what they are worth."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from steelyard.display.tables import Table
from steelyard.results.base import Result
from steelyard.results.calibrated_tables import calibrated_tables
from steelyard.results.calibrated_words import calibrated_sentence
from steelyard.results.estimates import Estimate, Proportion
from steelyard.results.measured import in_rows
from steelyard.results.provenance import Provenance
from steelyard.results.readable import Cell, tidy_row

if TYPE_CHECKING:
    from steelyard.display.figures import Chart

__all__ = ["Calibration", "CalibrationGroup", "ClassCalibration", "ScoreDifference", "SystemScores"]


BIASED = (
    "the expected calibration error (ECE) is above 0 even for a calibrated system: chance alone "
    "moves the share of each bin. Read it beside what chance alone would show"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationGroup:
    """Items with like probabilities: what was said on average, and what came true."""

    low: float
    high: float
    forecast: float
    observed: Proportion


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassCalibration:
    """How far the probabilities that one system gives one class can be believed.

    ``error`` is the expected calibration error, ``error_by_chance`` what a calibrated system would
    show, ``error_debiased`` what is left without the part of chance. The Brier score is
    ``reliability - resolution + uncertainty + within``.
    """

    system: str
    of: str
    items: int
    positives: int
    groups: tuple[CalibrationGroup, ...]
    error: Estimate
    error_by_chance: float
    error_debiased: float
    intercept: Estimate
    slope: Estimate
    in_the_large: Estimate
    brier: Estimate
    log: Estimate
    reliability: float
    resolution: float
    uncertainty: float
    within: float

    def rows(self) -> list[dict[str, Cell]]:
        """List everything that was measured."""
        names = {"system": self.system, "of": self.of}
        known = (
            self.error,
            self.intercept,
            self.slope,
            self.in_the_large,
            self.brier,
            self.log,
        )
        rows = [row for one in known for row in in_rows(one, **names)]
        numbers = {
            "expected calibration error by chance": self.error_by_chance,
            "expected calibration error, debiased": self.error_debiased,
            "reliability": self.reliability,
            "resolution": self.resolution,
            "uncertainty": self.uncertainty,
            "variation within bins": self.within,
        }
        rows += [tidy_row(measure=name, value=value, **names) for name, value in numbers.items()]
        for group in self.groups:
            place = f"said {group.low:.6g} to {group.high:.6g}"
            rows.append(tidy_row(measure=f"mean forecast, {place}", value=group.forecast, **names))
            rows += [
                row | {"measure": f"observed share, {place}"}
                for row in in_rows(group.observed, **names)
            ]
        return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemScores:
    """Proper scores of one system's vectors, over all classes."""

    system: str
    scores: tuple[Estimate, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreDifference:
    """Scores of the first system minus those of the second on common items."""

    first: str
    second: str
    scores: tuple[Estimate, ...]

    def rows(self) -> list[dict[str, Cell]]:
        """List the differences."""
        return [
            row
            for one in self.scores
            for row in in_rows(one, system=self.first, against=self.second)
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration(Result):
    """Whether probabilities mean what they say, for each system.

    ``classes`` holds one entry for each system and class that was looked at, ``vectors`` the
    scores of whole vectors, ``pairs`` the differences of every two systems.
    """

    kind: ClassVar[str] = "calibration"
    positive: str | None
    bins: int
    binning: str
    classes: tuple[ClassCalibration, ...]
    vectors: tuple[SystemScores, ...]
    pairs: tuple[ScoreDifference, ...]
    level: float
    provenance: Provenance

    def sentence(self) -> str:
        """Say which probabilities can be believed, and in which way they err."""
        return calibrated_sentence(self)

    def rows(self) -> list[dict[str, Cell]]:
        """List every number."""
        rows = [row for one in self.classes for row in one.rows()]
        for system in self.vectors:
            for score in system.scores:
                rows += in_rows(score, system=system.system)
        return rows + [row for pair in self.pairs for row in pair.rows()]

    def tables(self) -> list[Table]:
        """Show the systems, their curves, and the differences between them."""
        return calibrated_tables(self)

    def notes(self) -> list[str]:
        """Say the bias of every calibration error, and list the doubts."""
        said = [BIASED] if self.classes else []
        return [*said, *self.caveats]

    def details(self) -> list[str]:
        """Say what was read."""
        return self.provenance.lines()

    def charts(self) -> dict[str, "Callable[[], Chart]"]:
        """Draw what came true against what was said."""
        from steelyard.results.calibrated_charts import calibrated_charts

        return calibrated_charts(self)

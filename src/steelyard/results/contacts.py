"""What is reached by looking at the best-scored items first."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from steelyard.display.tables import Table
from steelyard.results.base import Result
from steelyard.results.contact_tables import contact_tables
from steelyard.results.contact_words import contact_sentence
from steelyard.results.estimates import Estimate
from steelyard.results.measured import in_rows
from steelyard.results.provenance import Provenance
from steelyard.results.readable import Cell, tidy_row

if TYPE_CHECKING:
    from steelyard.display.figures import Chart

__all__ = ["Benefit", "Contacted", "SystemTargeting", "Targeting"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contacted:
    """What the best-scored ``depth`` of all items, ``contacts`` of them, brings.

    ``captured`` is the share of all positives that are among them, ``precision`` the share of them
    that are positive, ``lift`` how many times more positives than by chance.
    """

    depth: float
    contacts: float
    captured: Estimate
    precision: Estimate
    lift: Estimate

    def rows(self, system: str) -> list[dict[str, Cell]]:
        """List the three measures at this depth."""
        place = f"best {self.depth:.6g} of the items"
        return [
            row | {"measure": f"{row['measure']}, {place}"}
            for one in (self.captured, self.precision, self.lift)
            for row in in_rows(one, system=system)
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Benefit:
    """Net benefit of acting from a probability up, beside acting on everybody; nobody has 0."""

    threshold: float
    benefit: Estimate
    everybody: float

    def rows(self, system: str) -> list[dict[str, Cell]]:
        """List the benefit, and that of acting on everybody."""
        place = f"from {self.threshold:.6g}"
        rows = [
            row | {"measure": f"net benefit {place}"}
            for row in in_rows(self.benefit, system=system)
        ]
        everybody = tidy_row(measure=f"net benefit of everybody {place}", value=self.everybody)
        return [*rows, everybody]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemTargeting:
    """What the ranking of one system is worth; ``depths`` and ``gains`` are for pictures."""

    system: str
    items: int
    positives: int
    asked: Contacted
    places: tuple[Contacted, ...]
    ks: Estimate
    gini: Estimate
    benefits: tuple[Benefit, ...]
    depths: tuple[float, ...]
    gains: tuple[float, ...]

    def rows(self) -> list[dict[str, Cell]]:
        """List everything that was measured."""
        rows = self.asked.rows(self.system)
        for one in (self.ks, self.gini):
            rows += in_rows(one, system=self.system)
        for place in self.places:
            rows += place.rows(self.system)
        for benefit in self.benefits:
            rows += benefit.rows(self.system)
        return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Targeting(Result):
    """Whom to contact first, and what that brings, for each system."""

    kind: ClassVar[str] = "targeting"
    positive: str
    systems: tuple[SystemTargeting, ...]
    by: str
    level: float
    provenance: Provenance

    def sentence(self) -> str:
        """Say what the asked number of contacts reaches, and with which system most."""
        return contact_sentence(self)

    def rows(self) -> list[dict[str, Cell]]:
        """List every measure of every system."""
        return [row for one in self.systems for row in one.rows()]

    def tables(self) -> list[Table]:
        """Show the systems side by side, then each over its depths."""
        return contact_tables(self)

    def notes(self) -> list[str]:
        """List every doubt once."""
        doubts = [
            f"{measure.measure}: {doubt}"
            for one in self.systems
            for measure in (one.ks, one.gini, one.asked.lift)
            for doubt in measure.caveats
        ]
        return [*dict.fromkeys(doubts), *self.caveats]

    def details(self) -> list[str]:
        """Say what was read."""
        return self.provenance.lines()

    def charts(self) -> dict[str, "Callable[[], Chart]"]:
        """Draw the gain, the lift and, where it was asked for, the decision curve."""
        from steelyard.results.contact_charts import contact_charts

        return contact_charts(self)

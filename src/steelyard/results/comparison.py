"""Which system is better, and how sure one can be."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from steelyard.counts import Pairing, PairTable
from steelyard.display.numbers import show_probability
from steelyard.display.tables import Table
from steelyard.results.base import Result
from steelyard.results.comparison_tables import comparison_tables
from steelyard.results.comparison_words import comparison_sentence
from steelyard.results.estimates import Estimate, Proportion
from steelyard.results.measured import in_rows
from steelyard.results.provenance import Provenance
from steelyard.results.readable import Cell, tidy_row

__all__ = ["ComparedMeasure", "ComparedPair", "ComparedSystem", "Comparison", "Verdict"]

Verdict = Literal["different", "same", "undecided"]
ComparedMeasure = Literal["accuracy", "auc"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSystem:
    """One system among those compared; ``best`` is the probability that it is the best of them."""

    system: str
    rate: Proportion | Estimate
    best: float | None
    rank_low: int
    rank_high: int

    def rows(self) -> list[dict[str, Cell]]:
        """List the rate, the probability of being best and the range of ranks."""
        rows = in_rows(self.rate, system=self.system)
        if self.best is not None:
            rows.append(tidy_row(measure="probability best", system=self.system, value=self.best))
        return [
            *rows,
            tidy_row(measure="rank low", system=self.system, value=self.rank_low),
            tidy_row(measure="rank high", system=self.system, value=self.rank_high),
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPair:
    """Two systems: the difference is the first minus the second, ``better`` is P(first better)."""

    first: str
    second: str
    difference: Estimate
    p_value: float | None
    adjusted_p: float | None
    better: float | None
    verdict: Verdict
    table: PairTable | None = None

    @property
    def winner(self) -> str | None:
        """The better one of a pair found different; None of any other pair."""
        if self.verdict != "different" or self.difference.value is None:
            return None
        return self.first if self.difference.value > 0 else self.second

    def rows(self) -> list[dict[str, Cell]]:
        """List the difference, its tests, the verdict and the paired table."""
        pair = {"system": self.first, "against": self.second}
        rows = in_rows(self.difference, **pair)
        for measure, value in (
            ("p-value", self.p_value),
            ("adjusted p-value", self.adjusted_p),
            ("probability better", self.better),
        ):
            if value is not None:
                rows.append(tidy_row(measure=measure, value=value, **pair))
        rows.append(tidy_row(measure="verdict", reason=self.verdict, **pair))
        if self.table is not None:
            rows += [
                tidy_row(measure=measure, count=count, total=self.table.total, **pair)
                for measure, count in (
                    ("both right", self.table.both),
                    ("only the first right", self.table.first),
                    ("only the second right", self.table.second),
                    ("neither right", self.table.neither),
                )
            ]
        return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Result):
    """Systems weighed against one another, by the rates ``measure`` names."""

    kind: ClassVar[str] = "comparison"
    measure: ComparedMeasure
    pairing: Pairing
    items: int | None
    systems: tuple[ComparedSystem, ...]
    pairs: tuple[ComparedPair, ...]
    primary: str
    level: float
    alpha: float
    monte_carlo_error: float | None
    provenance: Provenance

    def sentence(self) -> str:
        """Say the decision first, then who cannot be told apart."""
        return comparison_sentence(self)

    def rows(self) -> list[dict[str, Cell]]:
        """List every system and every pair."""
        rows = [row for one in self.systems for row in one.rows()]
        return rows + [row for pair in self.pairs for row in pair.rows()]

    def tables(self) -> list[Table]:
        """Show the systems from the highest rate down, then the pairs."""
        return comparison_tables(self)

    def details(self) -> list[str]:
        """Say how the verdicts were found and what was read."""
        method = f"Verdicts by {self.primary}, alpha {self.alpha:g}."
        if self.monte_carlo_error is not None:
            error = show_probability(self.monte_carlo_error)
            method += f" Probabilities carry a simulation error of {error}."
        return [method, *self.provenance.lines()]

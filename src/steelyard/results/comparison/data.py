"""Which system is better, and how sure one can be."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from steelyard.counts import Pairing, PairTable
from steelyard.display.tables import Table
from steelyard.display.text import join_names, show_name
from steelyard.results.base import Cell, Provenance, Result, tidy_row
from steelyard.results.comparison.methods import methods_latex, methods_text
from steelyard.results.comparison.tables import comparison_tables
from steelyard.results.comparison.words import (
    Standing,
    are_twins,
    comparison_sentence,
    decide_lines,
    find_standing,
    is_level,
    more_lines,
    rank_systems,
)
from steelyard.results.estimates import Estimate, Proportion
from steelyard.results.measured import in_rows, say_count, say_number
from steelyard.results.more import MoreSamples

if TYPE_CHECKING:
    from steelyard.display.figures import Chart

__all__ = [
    "ComparedMeasure",
    "ComparedPair",
    "ComparedSystem",
    "Comparison",
    "OverlapRange",
    "OverlapVerdict",
    "SliceComparison",
    "Verdict",
]

MOST_NAMED = 2

Verdict = Literal["different", "same", "undecided"]
ComparedMeasure = Literal["accuracy", "auc", "mean", "ratio"]
MEASURE_NAMES: dict[ComparedMeasure, str] = {"accuracy": "accuracy", "auc": "AUC"}
"""Means and ratios are called by the name of their number."""
OverlapVerdict = Literal["different", "not different", "depends"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSystem:
    """One system among those compared; ``best`` is the probability that it is the best of them.

    Systems that share a letter of ``tier`` are not called different; ``loss`` is the rate that
    choosing this system gives up on average against the truly best one. ``best`` takes nothing for
    known beforehand; ``best_alike`` assumes that they are alike, by as much as they themselves
    show. ``best_low`` and ``best_high`` bound ``best`` where only totals are known.
    """

    system: str
    rate: Proportion | Estimate
    best: float | None
    rank_low: int
    rank_high: int
    tier: str | None = None
    loss: float | None = None
    best_alike: float | None = None
    best_low: float | None = None
    best_high: float | None = None

    def rows(self) -> list[dict[str, Cell]]:
        """List the rate, the probability of being best and the range of ranks."""
        rows = in_rows(self.rate, system=self.system)
        for measure, value in (
            ("probability best", self.best),
            ("probability best if alike", self.best_alike),
            ("least probability best", self.best_low),
            ("largest probability best", self.best_high),
            ("rank low", self.rank_low),
            ("rank high", self.rank_high),
            ("expected loss", self.loss),
        ):
            if value is not None:
                rows.append(tidy_row(measure=measure, system=self.system, value=value))
        if self.tier is not None:
            rows.append(tidy_row(measure="tier", system=self.system, reason=self.tier))
        return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlapRange:
    """The least and the largest of what a pair may show, over all overlaps its totals allow.

    ``verdict`` says what holds whatever the overlap: that the pair is different, that it is not
    called different, or that it depends on who was right together.
    """

    p_least: float
    p_largest: float
    adjusted_least: float
    adjusted_largest: float
    better_low: float
    better_high: float
    verdict: OverlapVerdict


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPair:
    """Two systems: the difference is the first minus the second, ``better`` is P(first better).

    ``aic_difference`` is the AIC of one rate for both minus that of two rates, with its verdict;
    ``equivalent`` is the probability that they differ by less than the margin asked for. Where
    only totals are known, p-values, ``better`` and the interval are those of the overlap that
    speaks least for a difference, and ``overlaps`` has the whole range.
    """

    first: str
    second: str
    difference: Estimate
    p_value: float | None
    adjusted_p: float | None
    better: float | None
    verdict: Verdict
    table: PairTable | None = None
    aic_difference: float | None = None
    aic_verdict: Verdict | None = None
    equivalent: float | None = None
    overlaps: OverlapRange | None = None

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
            ("probability equivalent", self.equivalent),
            ("AIC difference", self.aic_difference),
            *self._ranges(),
        ):
            if value is not None:
                rows.append(tidy_row(measure=measure, value=value, **pair))
        if self.aic_verdict is not None:
            rows.append(tidy_row(measure="AIC verdict", reason=self.aic_verdict, **pair))
        if self.overlaps is not None:
            reason = self.overlaps.verdict
            rows.append(tidy_row(measure="verdict over overlaps", reason=reason, **pair))
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

    def _ranges(self) -> list[tuple[str, float]]:
        found = self.overlaps
        if found is None:
            return []
        return [
            ("least p-value", found.p_least),
            ("least adjusted p-value", found.adjusted_least),
            ("least probability better", found.better_low),
            ("largest probability better", found.better_high),
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceComparison:
    """The same systems on one slice of the items; verdicts are adjusted over all slices."""

    slice: str
    items: int | None
    systems: tuple[ComparedSystem, ...]
    pairs: tuple[ComparedPair, ...]
    monte_carlo_error: float | None = None

    def rows(self) -> list[dict[str, Cell]]:
        """List every system and every pair of the slice, which stands in the column ``of``."""
        rows = [row for one in self.systems for row in one.rows()]
        rows += [row for pair in self.pairs for row in pair.rows()]
        return [row | {"of": self.slice} for row in rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Result):
    """Systems weighed against one another, by the rates ``measure`` names.

    ``margin`` is the difference below which systems count as the same, ``priors`` the Beta priors
    (system, a, b) that are not uniform, ``slices`` the comparison within each slice of the items.
    Of shares that were published ``rounded``, every count that fits was tried. ``provided`` is what
    the leader's lead takes for granted, where one unit that was not seen could undo it.
    """

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
    more: tuple[MoreSamples, ...] = ()
    margin: float | None = None
    priors: tuple[tuple[str, float, float], ...] = ()
    slices: tuple[SliceComparison, ...] = ()
    rounded: bool = False
    provided: str | None = None

    @property
    def unknown(self) -> str:
        """What is not known of published numbers, so that all that it may be was tried."""
        if not self.rounded:
            return "overlap"
        return "rounding" if self.pairing == "independent" else "rounding and the overlap"

    @property
    def measure_name(self) -> str:
        """The measure as it stands in sentences, tables and pictures."""
        return MEASURE_NAMES[self.measure]

    @property
    def lower(self) -> bool:
        """Whether the smaller number is the better one."""
        return False

    @property
    def items_name(self) -> str:
        """How many items, and which, as it stands in sentences."""
        return say_count(self.items or 0, "common item")

    @property
    def by_totals(self) -> bool:
        """Whether only totals on common items were known, so that every overlap was tried."""
        return any(pair.overlaps is not None for pair in self.pairs)

    @property
    def by_akaike(self) -> bool:
        """Whether the verdicts are those of Akaike's criterion, as results once had them."""
        return bool(self.pairs) and all(
            pair.p_value is None and pair.aic_verdict is not None for pair in self.pairs
        )

    def headline(self) -> str:
        """Say which system to ship, or that none can be chosen yet."""
        return comparison_headline(self)

    def sentence(self) -> str:
        """Say the decision first, then who cannot be told apart."""
        return comparison_sentence(self)

    def rows(self) -> list[dict[str, Cell]]:
        """List every system and every pair."""
        rows = [row for one in self.systems for row in one.rows()]
        rows += [row for pair in self.pairs for row in pair.rows()]
        rows += [row for one in self.more for row in one.rows()]
        return rows + [row for one in self.slices for row in one.rows()]

    def tables(self) -> list[Table]:
        """Show the systems, the leader first, then the pairs, then the slices."""
        return comparison_tables(self)

    def charts(self) -> dict[str, "Callable[[], Chart]"]:
        """Draw the differences; or who is best, the ranks, the pairs as a matrix, the rates."""
        from steelyard.results.comparison.tables import comparison_charts

        return comparison_charts(self)

    def details(self) -> list[str]:
        """Say how the verdicts were found and what was read."""
        return [*decide_lines(self), *more_lines(self), *self.provenance.lines()]

    def methods(self) -> str:
        """Say for a paper how this was computed, with the sources."""
        return methods_text(self)

    def methods_latex(self) -> str:
        """Say the same in LaTeX that needs no package and no bibliography."""
        return methods_latex(self)


def comparison_headline(comparison: "Comparison") -> str:
    """Say which system to ship, or that none can be chosen yet, by the verdicts alone."""
    ranked = rank_systems(comparison)
    if len(ranked) < 2 or not comparison.pairs:
        return ""
    leader, standing = ranked[0].system, find_standing(comparison, ranked)
    if standing.undecided:
        return _name_ties(comparison, leader, standing)
    if standing.same:
        return _alike(comparison, leader, standing)
    if not standing.beaten:
        return ""
    others = show_name(standing.beaten[0])
    if len(standing.beaten) > 1:
        others = f"the {say_number(len(standing.beaten))} others"
    provided = f" if {comparison.provided}" if comparison.provided else ""
    return f"Ship {show_name(leader)}{provided}: it is better than {others}."


def _name_ties(comparison: "Comparison", leader: str, standing: Standing) -> str:
    together = [leader, *standing.undecided]
    names = join_names(together, most=MOST_NAMED, room=60)
    if are_twins(comparison, leader, standing.undecided):
        return f"No reason to choose: {names} are right on exactly the same items."
    none = "Ship neither yet" if len(comparison.systems) == 2 else "Ship none yet"
    if len(together) == 2:
        return f"{none}: {names} are tied."
    if is_level(comparison, together):
        return f"{none}: {say_number(len(together))} are tied."
    others = say_number(len(standing.undecided))
    return f"{none}: {show_name(leader)} is not told apart from {others} others."


def _alike(comparison: "Comparison", leader: str, standing: Standing) -> str:
    together = [leader, *standing.same]
    within = "" if comparison.margin is None else f" within {comparison.margin:g}"
    names = join_names(together, most=MOST_NAMED, room=60)
    if len(together) == 2:
        return f"Ship either: {names} count as the same{within}."
    return f"Ship any of {say_number(len(together))}: {names} count as the same{within}."

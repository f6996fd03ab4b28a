"""Systems compared by a number for each item: the same answer in the units of the value."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from steelyard.display.tables import Table, number_cell, text_cell
from steelyard.display.text import join_names, show_name
from steelyard.results.base import Cell, tidy_row
from steelyard.results.comparison.data import ComparedPair, Comparison, SliceComparison
from steelyard.results.estimates import Estimate
from steelyard.results.evaluation.values import JudgeRecord, ValueName, judge_table
from steelyard.results.measured import (
    chart_row,
    count_shared_digits,
    estimate_cells,
    in_rows,
    say_count,
    show_value,
)

if TYPE_CHECKING:
    from steelyard.display.figures import Chart

__all__ = ["ComparedValues", "FrontRecord", "ValueComparison", "ValueSlice"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedValues(ComparedPair):
    """Two systems by their values: the difference is the first minus the second, in their units.

    ``lower`` says that the smaller number is the better one. ``wins``, ``ties`` and ``losses``
    count the items on which the first is better, equal or worse; None where they were not counted.
    """

    lower: bool = False
    wins: int | None = None
    ties: int | None = None
    losses: int | None = None

    @property
    def winner(self) -> str | None:
        """The better one of a pair found different; None of any other pair."""
        if self.verdict != "different" or self.difference.value is None:
            return None
        return self.first if (self.difference.value > 0) != self.lower else self.second

    def rows(self) -> list[dict[str, Cell]]:
        """List the difference, its tests, the verdict, and who wins on how many items."""
        pair = {"system": self.first, "against": self.second}
        counted = (("wins", self.wins), ("ties", self.ties), ("losses", self.losses))
        return [
            *ComparedPair.rows(self),
            *(
                tidy_row(measure=measure, count=count, total=self.difference.items, **pair)
                for measure, count in counted
                if count is not None
            ),
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueSlice(SliceComparison):
    """The same systems on one slice of the items."""

    pairs: tuple[ComparedValues, ...]
    lower: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontRecord:
    """Where a system stands between quality and cost.

    It is ``on`` the front when against each other one it is shown to be better or cheaper, ``off``
    it when some are shown to be better and not dearer (``beaten_by``), else undecided against
    those in ``open_against``.
    """

    system: str
    cost: Estimate
    state: Literal["on", "off", "undecided"]
    beaten_by: tuple[str, ...] = ()
    open_against: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueComparison(Comparison):
    """Systems weighed against one another by the mean, or the ratio of sums, of a number."""

    kind: ClassVar[str] = "value-comparison"
    measure: Literal["mean", "ratio"]
    value: ValueName
    pairs: tuple[ComparedValues, ...]
    slices: tuple[ValueSlice, ...] = ()
    clustered: bool = False
    judged: tuple[JudgeRecord, ...] = ()
    """What a judge gave beside people, for each system; empty without a judge."""
    cost: str | None = None
    front: tuple[FrontRecord, ...] = ()
    """What systems cost, and where each stands between quality and cost; empty without costs."""

    @property
    def measure_name(self) -> str:
        """The number as it stands in sentences, tables and pictures."""
        return self.value.measure

    @property
    def lower(self) -> bool:
        """Whether the smaller number is the better one."""
        return self.value.better == "lower"

    @property
    def items_name(self) -> str:
        """How many items, and how many of them people labelled."""
        if self.judged:
            return self.judged[0].items_name("common item")
        return say_count(self.items or 0, "common item")

    def rows(self) -> list[dict[str, Cell]]:
        """List all that a comparison has, and what the judge gave."""
        rows = [*Comparison.rows(self), *(row for one in self.judged for row in one.rows())]
        for one in self.front:
            rows += in_rows(one.cost, system=one.system)
            rows.append(tidy_row(measure="front", system=one.system, reason=one.state))
        return rows

    def sentence(self) -> str:
        """Say who is better, and who stands on the front of quality and cost."""
        said = Comparison.sentence(self)
        return f"{said} {_say_front(self)}" if self.front else said

    def tables(self) -> list[Table]:
        """Show systems and pairs, where each stands to its cost, and what the judge gave."""
        tables = Comparison.tables(self)
        tables += [_front_table(self)] if self.front else []
        return [*tables, judge_table(self.judged, self.level)] if self.judged else tables

    def details(self) -> list[str]:
        """Say how the verdicts were found, and how far the front is sure."""
        told = Comparison.details(self)
        if not self.front:
            return told
        return [
            "The front rests on one-sided claims of every pair, higher quality and lower cost, "
            f"tested together by Holm's procedure: with a chance of {self.alpha:g} at most is any "
            "of them false.",
            *told,
        ]

    def charts(self) -> "dict[str, Callable[[], Chart]]":
        """Draw what a comparison draws, and quality against cost."""
        known = Comparison.charts(self)
        return known | {"front": lambda: _front_chart(self)} if self.front else known


def _say_front(found: ValueComparison) -> str:
    listed = {
        state: [show_name(one.system) for one in found.front if one.state == state]
        for state in ("on", "off", "undecided")
    }
    words = {"on": "on the front", "off": "off it", "undecided": "undecided"}
    parts = [f"{join_names(names)} {words[state]}" for state, names in listed.items() if names]
    return f"Of {found.measure_name} against {found.cost}: {'; '.join(parts)}."


def _front_table(found: ValueComparison) -> Table:
    rates = {one.system: one.rate for one in found.systems}
    digits = count_shared_digits([*rates.values()])
    of_costs = count_shared_digits([one.cost for one in found.front])
    rows = []
    for one in found.front:
        against = one.beaten_by or one.open_against
        word = "beaten by" if one.beaten_by else "open against"
        rows.append(
            [
                text_cell("system", one.system),
                number_cell(found.measure_name, show_value(rates[one.system], digits=digits)),
                *estimate_cells(found.cost or "cost", one.cost, found.level, digits=of_costs),
                text_cell("front", one.state),
                text_cell("why", f"{word} {join_names(list(against))}" if against else None),
            ]
        )
    return Table.of("Quality against cost", rows)


def _front_chart(found: ValueComparison) -> "Chart":
    from steelyard.display.figures import front_chart

    rates = {one.system: one.rate for one in found.systems}
    drawn = [
        (one.state, chart_row(one.system, rates[one.system]), chart_row(one.system, one.cost))
        for one in found.front
    ]
    return front_chart(drawn, quality=found.measure_name, cost=found.cost or "cost")

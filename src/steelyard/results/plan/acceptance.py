"""Tests that accept or reject: how many trials, how many failures, and what each way risks."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from steelyard.display.numbers import show_count, show_level, show_number, show_probability
from steelyard.display.tables import Table, number_cell, text_cell
from steelyard.results.base import Cell, Provenance, Result, tidy_row

if TYPE_CHECKING:
    from steelyard.display.figures import Chart

__all__ = ["Acceptance", "AcceptancePoint", "AcceptanceWay", "WayName"]

WayName = Literal["fixed size", "nothing may fail", "two stages", "sequential"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptanceWay:
    """One way to test a claim.

    ``most`` trials (or units of exposure) at most; ``failures`` may be accepted at the end;
    ``rule`` says in words when it accepts. Chances to accept are exact: on the limit of the claim,
    and at what was supposed; ``expected`` trials are means at both.
    """

    name: WayName
    most: float
    failures: int
    rule: str
    accept_limit: float
    accept_supposed: float | None = None
    expected_limit: float | None = None
    expected_supposed: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptancePoint:
    """Chance of each way to accept, in their order, when the measure is really ``value``."""

    value: float
    accept: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance(Result):
    """How to test an absolute claim.

    ``alpha`` is the largest chance to accept on the limit; ``power`` the chance to accept at what
    is ``supposed``. From ``lasting`` trials on every larger number keeps both. ``unit`` is that of
    the exposure, where events are counted over one.
    """

    kind: ClassVar[str] = "acceptance"
    claim: str
    measure: str
    side: Literal["at least", "at most"]
    limit: float
    supposed: float | None
    alpha: float
    power: float
    unit: str | None
    ways: tuple[AcceptanceWay, ...]
    curve: tuple[AcceptancePoint, ...]
    lasting: int | None
    provenance: Provenance

    def way(self, name: WayName) -> AcceptanceWay | None:
        """Find a way by its name."""
        return next((one for one in self.ways if one.name == name), None)

    def headline(self) -> str:
        """Say what to test, and when to accept."""
        fixed, empty = self.way("fixed size"), self.way("nothing may fail")
        if fixed is not None:
            test = self._test(fixed)
            return f"{test[0].upper()}{test[1:]} and accept {self._accepted(fixed.failures)}."
        if self.supposed is not None or empty is None:
            return "More than 1,000,000 trials would be needed."
        test = self._test(empty)
        return f"{test[0].upper()}{test[1:]} and accept without a single {self._failure()}."

    def sentence(self) -> str:
        """Say the trials and the failures that may be accepted, then what none would take."""
        wish = (
            f"To show that {self.measure} {self._be()} {self.side} {self.limit:g}{self._per()}, "
            f"wrongly in at most {show_level(self.alpha)} of tests"
        )
        fixed, empty = self.way("fixed size"), self.way("nothing may fail")
        assert empty is not None
        none = f"{self._amount(empty.most)} without a single {self._failure()}"
        if self.supposed is None:
            return (
                f"{wish}, {none} are enough; assume what the system reaches "
                "(rates=, --rates) to plan for some."
            )
        real = f"if {'they are' if self._be() == 'are' else 'it is'} really {self.supposed:g}"
        if fixed is None:
            return f"{wish}, {real}, more than 1,000,000 trials would be needed."
        passes = show_probability(fixed.accept_supposed or 0.0)
        rare = show_probability(empty.accept_supposed or 0.0)
        return (
            f"{wish}, {real}: {self._test(fixed)} and accept {self._accepted(fixed.failures)}; the "
            f"test then passes with probability {passes}"
            + (
                f" ({none} would show it too, which happens with probability {rare})."
                if fixed.failures
                else "."
            )
        )

    def _per(self) -> str:
        return "" if self.unit is None else f" per {self.unit}"

    def _be(self) -> str:
        return "are" if self.measure.endswith("s") and self.unit is not None else "is"

    def _failure(self) -> str:
        return "failure" if self.unit is None else "event"

    def _accepted(self, number: int) -> str:
        if number == 0:
            return f"without a single {self._failure()}"
        return f"with at most {show_count(number)} {self._failure()}{'' if number == 1 else 's'}"

    def _amount(self, most: float) -> str:
        if self.unit is None:
            return f"{show_count(round(most))} trial{'' if most == 1 else 's'}"
        return f"{show_number(most)} {self.unit}s"

    def _test(self, way: AcceptanceWay) -> str:
        word = "test" if self.unit is None else "watch for"
        return f"{word} {self._amount(way.most)}"

    def tables(self) -> list[Table]:
        """Show the ways side by side, then the operating characteristic."""
        amounts = "trials" if self.unit is None else f"{self.unit}s"
        rows = [
            [
                text_cell("way", one.name, whole=True),
                number_cell(f"{amounts} at most", one.most, self._show),
                number_cell("accepts on the limit", one.accept_limit, show_probability),
                number_cell("as supposed", one.accept_supposed, show_probability),
                number_cell(f"mean {amounts}", one.expected_supposed, self._show),
            ]
            for one in self.ways
        ]
        curve = [
            [
                number_cell(f"really{self._per()}", f"{point.value:.4g}"),
                *(
                    number_cell(way.name, chance, show_probability)
                    for way, chance in zip(self.ways, point.accept, strict=True)
                ),
            ]
            for point in self.curve
        ]
        rules = " ".join(self._rules())
        title = "Chance to accept (operating characteristic)"
        tables = [Table.of("Ways to test it", rows, note=rules), Table.of(title, curve)]
        return [table for table in tables if table.rows]

    def _show(self, amount: float) -> str:
        return show_count(round(amount)) if self.unit is None else show_number(amount)

    def _rules(self) -> list[str]:
        return [f"{one.name[0].upper()}{one.name[1:]}: accept {one.rule}." for one in self.ways]

    def details(self) -> list[str]:
        """Say what a trial is, and which other numbers keep the risks."""
        lines = [
            "A trial is an item that the measure is a share of: for recall those of the class, for "
            "P_FA those of no target, for selective accuracy those that were answered."
            if self.unit is None
            else "Events must come singly and independently; watch several periods, and name them "
            "as clusters when you gate."
        ]
        fixed = self.way("fixed size")
        if self.lasting is not None and fixed is not None and self.lasting > fixed.most:
            lines.append(
                f"Failures are whole: between {show_count(round(fixed.most))} and "
                f"{show_count(self.lasting)} trials some numbers miss the chance asked for; from "
                f"{show_count(self.lasting)} on none does."
            )
        return [*lines, *self.provenance.lines()]

    def rows(self) -> list[dict[str, Cell]]:
        """List every way, and the operating characteristic."""
        rows = [
            row
            for one in self.ways
            for row in (
                tidy_row(measure="trials" if self.unit is None else "exposure", of=one.name,
                         value=one.most, count=one.failures, method=one.rule),
                tidy_row(measure="accept on the limit", of=one.name, value=one.accept_limit),
                tidy_row(measure="accept as supposed", of=one.name, value=one.accept_supposed),
                tidy_row(measure="mean as supposed", of=one.name, value=one.expected_supposed),
                tidy_row(measure="mean on the limit", of=one.name, value=one.expected_limit),
            )
            if row["value"] is not None
        ]  # fmt: skip
        return rows + [
            tidy_row(measure="accept", of=f"{way.name} at {point.value:g}", value=chance)
            for point in self.curve
            for way, chance in zip(self.ways, point.accept, strict=True)
        ]

    def charts(self) -> dict[str, "Callable[[], Chart]"]:
        """Draw the operating characteristic."""
        return {"characteristic": lambda: _chart(self)} if len(self.curve) > 1 else {}


def _chart(plan: Acceptance) -> "Chart":
    from steelyard.display.figures import characteristic_chart

    places = [point.value for point in plan.curve]
    curves: dict[str, tuple[list[float], list[float]]] = {
        way.name: (places, [point.accept[at] for point in plan.curve])
        for at, way in enumerate(plan.ways)
    }
    per = "" if plan.unit is None else f" per {plan.unit}"
    return characteristic_chart(
        dict(curves), what=f"{plan.measure}{per}", limit=plan.limit, supposed=plan.supposed
    )

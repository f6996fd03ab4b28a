"""May the candidate replace the baseline? Requirements, each held against an interval."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from steelyard.display.numbers import show_level, show_number
from steelyard.display.tables import Column, Table, number_columns
from steelyard.display.text import show_name
from steelyard.results.base import Cell, Provenance, Result, tidy_row
from steelyard.results.estimates import Estimate
from steelyard.results.measured import in_rows, said_count, shown_difference
from steelyard.results.more import settling

__all__ = ["Claim", "Gate", "GateCheck", "GateOutcome"]

Claim = Literal["better", "not worse", "same"]
GateOutcome = Literal["passes", "fails", "undecided"]

ASK_AGAIN = "Gating again on more items is a second chance to err."
EXIT_CODES = {"passes": 0, "fails": 3, "undecided": 4}
WORST_FIRST: tuple[GateOutcome, ...] = ("fails", "undecided", "passes")


@dataclass(frozen=True, slots=True, kw_only=True)
class GateCheck:
    """One requirement: the advantage of the candidate, and what it leaves of the claim.

    ``advantage`` is the candidate minus the baseline, turned round for measures of which smaller
    is better. ``more`` items would settle what is undecided, if what was seen is true; None when
    ``reason`` says why not, or when nothing is open.
    """

    requirement: str
    measure: str
    claim: Claim
    margin: float
    candidate: float | None
    baseline: float | None
    advantage: Estimate
    outcome: GateOutcome
    of: str | None = None
    more: int | None = None
    reason: str | None = None

    def said(self) -> str:
        """Say the numbers in one clause."""
        value, ends = shown_difference(self.advantage)
        name = self.measure if self.of is None else f"{self.measure} of {show_name(self.of)}"
        if value is None:
            return f"{name} is undefined: {self.reason or 'no items'}"
        interval = self.advantage.interval
        level = f", {show_level(interval.level)} interval {ends}" if interval else ""
        items = self.advantage.items
        on = f" on {said_count(items, 'item')}" if items else ""
        return f"{name} {value}{level}{on}"

    def rows(self, candidate: str, baseline: str) -> list[dict[str, Cell]]:
        """List the values, the advantage, the outcome and how many more items it would take."""
        pair = {"system": candidate, "against": baseline}
        named = {"measure": self.measure, "of": self.of}
        rows = [
            tidy_row(**named, system=candidate, value=self.candidate),
            tidy_row(**named, system=baseline, value=self.baseline),
            *in_rows(self.advantage, **pair),
            tidy_row(measure=f"gate: {self.requirement}", reason=self.outcome, **pair),
        ]
        if self.more is not None:
            rows.append(tidy_row(measure="more items", count=self.more, **pair))
        return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate(Result):
    """What every requirement came to, and what that means for the candidate."""

    kind: ClassVar[str] = "gate"
    candidate: str
    baseline: str
    checks: tuple[GateCheck, ...]
    alpha: float
    provenance: Provenance
    origins: tuple[tuple[str, str], ...] = ()
    """Where each setting came from, and which file of settings was passed over."""

    @property
    def outcome(self) -> GateOutcome:
        """The worst of the checks: one that fails decides, then one that is open."""
        seen = {check.outcome for check in self.checks}
        return next((outcome for outcome in WORST_FIRST if outcome in seen), "undecided")

    @property
    def exit_code(self) -> int:
        """What the command line ends with: 0 passes, 3 fails, 4 undecided."""
        return EXIT_CODES[self.outcome]

    def sentence(self) -> str:
        """Say whether the gate opens, and by which requirement."""
        outcome = self.outcome
        deciding = [check for check in self.checks if check.outcome == outcome]
        said = {
            "passes": f"The gate passes: {show_name(self.candidate)} is",
            "fails": f"The gate fails: {show_name(self.candidate)} is",
            "undecided": "The gate is undecided: it cannot be told yet whether "
            f"{show_name(self.candidate)} is",
        }[outcome]
        words = _denied if outcome == "fails" else _claimed
        claims = "; ".join(f"{words(one, self.baseline)} ({one.said()})" for one in deciding)
        return f"{said} {claims}.{self._more(deciding)}"

    def _more(self, deciding: list[GateCheck]) -> str:
        if self.outcome != "undecided":
            return ""
        needed = max((check.more or 0 for check in deciding), default=0)
        if any(check.more is None for check in deciding) or not needed:
            reasons = [check.reason for check in deciding if check.reason]
            why = reasons[0] if reasons else "nothing was measured"
            return f" How many more items would settle it is not known: {why}."
        return f" {settling(needed, None)} {ASK_AGAIN}"

    def rows(self) -> list[dict[str, Cell]]:
        """List every check."""
        return [row for one in self.checks for row in one.rows(self.candidate, self.baseline)]

    def tables(self) -> list[Table]:
        """Show one line for each requirement."""
        rows = [_line(check) for check in self.checks]
        level = show_level(1 - 2 * self.alpha)
        heads = number_columns("candidate", "baseline", "advantage", f"{level} interval")
        columns = [Column(name="requirement"), *heads, Column(name="outcome")]
        return [Table.without_empty("Requirements", columns, rows)]

    def details(self) -> list[str]:
        """Say how a requirement is judged, and where the numbers come from."""
        return [
            "A requirement passes when the whole interval lies inside what it claims, fails when "
            "the whole interval lies outside, and is undecided else. A requirement that does not "
            f"hold passes with a probability of about {self.alpha:g} at most.",
            *self._settings(),
            *self.provenance.lines(),
        ]

    def _settings(self) -> list[str]:
        """Name the origin of each setting; all others are as they stand without being named."""
        if not self.origins:
            return []
        told = "; ".join(f"{name}: {where}" for name, where in self.origins)
        return [f"Where settings come from (all others: defaults): {told}."]


def _claimed(check: GateCheck, baseline: str) -> str:
    name = show_name(baseline)
    by = "" if check.margin == 0 else f" by {check.margin:g}"
    return {
        "better": f"better than {name}{by}",
        "not worse": f"not worse than {name}{by}",
        "same": f"the same as {name} within {check.margin:g}",
    }[check.claim]


def _denied(check: GateCheck, baseline: str) -> str:
    """Say what a requirement that fails has shown instead."""
    if check.claim == "not worse":
        return f"worse than {show_name(baseline)} by more than {check.margin:g}"
    if check.claim == "better" and check.margin == 0:
        return f"worse than {show_name(baseline)}"
    return f"not {_claimed(check, baseline)}"


def _line(check: GateCheck) -> list[str | None]:
    value, ends = shown_difference(check.advantage)
    seen = [None if one is None else show_number(one) for one in (check.candidate, check.baseline)]
    return [check.requirement, *seen, value, ends, check.outcome]

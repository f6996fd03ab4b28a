"""May the candidate pass? Requirements against a baseline, and claims of its own."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from steelyard.display.numbers import show_count, show_level, show_number
from steelyard.display.tables import Headed, Table, number_cell, text_cell
from steelyard.display.text import show_name
from steelyard.results.base import Cell, Provenance, Result, tidy_row
from steelyard.results.estimates import Estimate
from steelyard.results.measured import in_rows, interval_name, say_count, show_signed
from steelyard.results.more import about, settling

__all__ = ["Claim", "ClaimCheck", "Gate", "GateCheck", "GateOutcome"]

Claim = Literal["better", "not worse", "same"]
GateOutcome = Literal["passes", "fails", "undecided"]

LOOKED_AT = "of these, those that {measure} looks at"
ASK_AGAIN = "Gating again is a second chance to err."
EXIT_CODES = {"passes": 0, "fails": 3, "undecided": 4}
WORST_FIRST: tuple[GateOutcome, ...] = ("fails", "undecided", "passes")


@dataclass(frozen=True, slots=True, kw_only=True)
class GateCheck:
    """One requirement: the advantage of the candidate, and what it leaves of the claim.

    ``advantage`` is the candidate minus the baseline, turned round for measures of which smaller
    is better. ``more`` items would settle what is undecided, if what was seen is true, ``more_of``
    of them such as the measure looks at, where it looks at some only; None when ``reason`` says why
    not, or when nothing is open.
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
    more_of: int | None = None
    reason: str | None = None

    def said(self) -> str:
        """Say the numbers in one clause."""
        value, ends = show_signed(self.advantage)
        name = self.measure if self.of is None else f"{self.measure} of {show_name(self.of)}"
        if value is None:
            return f"{name} is undefined: {self.reason or 'no items'}"
        interval = self.advantage.interval
        level = f", {show_level(interval.level)} interval {ends}" if interval else ""
        items = self.advantage.items
        on = f" on {say_count(items, 'item')}" if items else ""
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
        if self.more_of is not None:
            what = LOOKED_AT.format(measure=self.measure)
            rows.append(tidy_row(measure=what, count=self.more_of, **pair))
        return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimCheck:
    """One absolute claim: the limits of its measure, and what they leave of it.

    ``low`` and ``high`` are one-sided limits. The one that a pass is held against errs with 1 -
    ``confidence``; the other with that over the number of claims. ``more`` items, or units of
    exposure where events are counted over ``exposure``, would settle what is undecided; None when
    ``reason`` says why not, or when nothing is open. Where the measure looks at some of the items
    only, ``more_of`` says how many of the further ones those are.
    """

    claim: str
    measure: str
    side: Literal["at least", "at most"]
    limit: float
    value: float | None
    low: float | None
    high: float | None
    confidence: float
    method: str
    outcome: GateOutcome
    of: str | None = None
    count: int | None = None
    total: int | None = None
    exposure: float | None = None
    unit: str | None = None
    more: float | None = None
    more_of: float | None = None
    reason: str | None = None
    caveats: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The measure and its class."""
        return self.measure if self.of is None else f"{self.measure} of {show_name(self.of)}"

    def said(self) -> str:
        """Say the numbers in one clause."""
        if self.value is None:
            return f"{self.name} is undefined: {self.reason or 'no items'}"
        counts = ""
        if self.count is not None and self.exposure is not None:
            counts = f" ({show_count(self.count)} in {show_number(self.exposure)} {self.unit}s)"
        elif self.count is not None and self.total:
            counts = f" ({show_count(self.count)}/{show_count(self.total)})"
        return f"{self.name} {show_number(self.value)}{counts}{self._limits()}"

    def _limits(self) -> str:
        sure, least = show_level(self.confidence), self.side == "at least"
        passing, failing = (self.low, self.high) if least else (self.high, self.low)
        other = "at most" if least else "at least"
        kept = (
            "" if passing is None else f"{self.side} {self._beside(passing)} with {sure} confidence"
        )
        broken = "" if failing is None else f"{other} {self._beside(failing)}"
        shown = {"passes": [kept], "fails": [broken], "undecided": [kept, broken]}[self.outcome]
        told = " and ".join(one for one in shown if one)
        return f", {told}" if told else ""

    def _beside(self, found: float) -> str:
        """Write a limit with the digits that set it apart from the one that is claimed."""
        shown = show_number(found)
        return shown if shown != show_number(self.limit) else f"{found:.6g}"

    def rows(self, system: str) -> list[dict[str, Cell]]:
        """List the value with its limits, the outcome and what is still needed."""
        named = {"measure": self.measure, "of": self.of, "system": system}
        rows = [
            tidy_row(
                **named,
                value=self.value,
                low=self.low,
                high=self.high,
                level=self.confidence,
                method=self.method or None,
                count=self.count,
                total=self.total,
                reason=self.reason if self.value is None else None,
            ),
            tidy_row(measure=f"claim: {self.claim}", system=system, reason=self.outcome),
        ]
        if self.more is not None:
            what = "more items" if self.unit is None else f"more {self.unit}s"
            rows.append(tidy_row(measure=what, system=system, value=self.more))
        if self.more_of is not None:
            what = LOOKED_AT.format(measure=self.measure)
            rows.append(tidy_row(measure=what, system=system, value=self.more_of))
        return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate(Result):
    """What every requirement and every claim came to, and what that means for the candidate.

    ``baseline`` is None where the candidate is held against claims alone.
    """

    kind: ClassVar[str] = "gate"
    schema: ClassVar[int] = 2
    candidate: str
    baseline: str | None
    checks: tuple[GateCheck, ...]
    alpha: float
    provenance: Provenance
    origins: tuple[tuple[str, str], ...] = ()
    """Where each setting came from, and which file of settings was passed over."""
    claims: tuple[ClaimCheck, ...] = ()

    @property
    def outcome(self) -> GateOutcome:
        """The worst of the checks: one that fails decides, then one that is open."""
        seen = {check.outcome for check in self._all()}
        return next((outcome for outcome in WORST_FIRST if outcome in seen), "undecided")

    def _all(self) -> "list[GateCheck | ClaimCheck]":
        return [*self.checks, *self.claims]

    @property
    def exit_code(self) -> int:
        """What the command line ends with: 0 passes, 3 fails, 4 undecided."""
        return EXIT_CODES[self.outcome]

    def headline(self) -> str:
        """Say whether the candidate may be shipped."""
        name = show_name(self.candidate)
        return {
            "passes": f"{name} may be shipped.",
            "fails": f"Do not ship {name}.",
            "undecided": f"Do not ship {name} yet: these items do not decide it.",
        }[self.outcome]

    def sentence(self) -> str:
        """Say whether the gate opens, and by which requirement."""
        outcome, name = self.outcome, show_name(self.candidate)
        deciding = [check for check in self.checks if check.outcome == outcome]
        kept = [check for check in self.claims if check.outcome == outcome]
        words = _deny if outcome == "fails" else _claim
        against = "; ".join(f"{words(one, self.baseline or '')} ({one.said()})" for one in deciding)
        meets = "does not meet" if outcome == "fails" else "meets"
        alone = "; ".join(f"'{one.claim}' ({one.said()})" for one in kept)
        parts = [f"{name} is {against}"] if deciding else []
        parts += [f"{name} {meets} {alone}"] if kept else []
        said = {
            "passes": "The gate passes: ",
            "fails": "The gate fails: ",
            "undecided": "The gate is undecided: it is not clear yet whether ",
        }[outcome]
        return f"{said}{'; '.join(parts)}.{self._more(deciding, kept)}"

    def _more(self, deciding: list[GateCheck], kept: list[ClaimCheck]) -> str:
        if self.outcome != "undecided":
            return ""
        open_checks: list[GateCheck | ClaimCheck] = [*deciding, *kept]
        counted = [one for one in open_checks if getattr(one, "unit", None) is None]
        most = max(counted, key=lambda one: one.more or 0, default=None)
        watch = max(((one.more or 0.0, one.unit) for one in kept if one.unit), default=None)
        if any(check.more is None for check in open_checks):
            reasons = [check.reason for check in open_checks if check.reason]
            why = reasons[0] if reasons else "nothing was measured"
            return f" How many more items would settle it is not known: {why}."
        told = _settle(most) if most is not None else ""
        if watch is not None:
            told = f"{told} About {show_number(watch[0])} more {watch[1]}s may settle it.".strip()
        return f" {told} {ASK_AGAIN}"

    def rows(self) -> list[dict[str, Cell]]:
        """List every check."""
        rows = [row for one in self.checks for row in one.rows(self.candidate, self.baseline or "")]
        return rows + [row for one in self.claims for row in one.rows(self.candidate)]

    def tables(self) -> list[Table]:
        """Show one line for each requirement, and one for each claim."""
        level = 1 - 2 * self.alpha
        known = {
            "Requirements": [_line(check, level) for check in self.checks],
            "Claims": [_claim_line(check) for check in self.claims],
        }
        return [Table.of(title, rows) for title, rows in known.items() if rows]

    def details(self) -> list[str]:
        """Say how a requirement is judged, and where the numbers come from."""
        requirements = (
            "A requirement passes when the whole interval lies inside what it claims, fails when "
            "the whole interval lies outside, and is undecided otherwise. A requirement that does "
            f"not hold passes with a probability of about {self.alpha:g} at most."
        )
        return [
            *([requirements] if self.checks else []),
            *self._judging(),
            *self._settings(),
            *self.provenance.lines(),
        ]

    def _judging(self) -> list[str]:
        """Say what the limits of a claim are worth."""
        if not self.claims:
            return []
        fail = self.alpha / len(self.claims)
        ranks = any(check.method == "quantile-ranks" for check in self.claims)
        exact = ", of quantiles by the ranks of items" if ranks else ""
        return [
            "A claim passes when its one-sided limit meets it, fails when the other limit breaks "
            "it, and is undecided otherwise. Limits of plain shares are exact (Clopper and "
            f"Pearson), of events over an exposure too (Garwood){exact}; other measures take the "
            "end of an interval that covers both sides. A claim that does not hold passes with "
            f"{self.alpha:g} at most, and so does the gate, since all must hold; one that holds "
            f"fails with {fail:.3g} at most."
        ]

    def _settings(self) -> list[str]:
        """Name the origin of each setting; all others are as they stand without being named."""
        if not self.origins:
            return []
        told = "; ".join(f"{name}: {where}" for name, where in self.origins)
        return [f"Where settings come from (all others: defaults): {told}."]


def _settle(check: GateCheck | ClaimCheck) -> str:
    """Say how many more items may settle a check; of recall, how many of them are of the class."""
    each = ""
    if check.more_of is not None:
        each = f" ({about(round(check.more_of))} of those that {check.measure} looks at)"
    return settling(round(check.more or 0), None, each=each)


def _claim(check: GateCheck, baseline: str) -> str:
    name = show_name(baseline)
    by = "" if check.margin == 0 else f" by {check.margin:g}"
    return {
        "better": f"better than {name}{by}",
        "not worse": f"not worse than {name}{by}",
        "same": f"the same as {name} within {check.margin:g}",
    }[check.claim]


def _claim_line(check: ClaimCheck) -> list[Headed]:
    return [
        text_cell("claim", check.claim),
        number_cell("value", check.value),
        number_cell("lower limit", check.low),
        number_cell("upper limit", check.high),
        text_cell("outcome", check.outcome),
    ]


def _deny(check: GateCheck, baseline: str) -> str:
    """Say what a requirement that fails has shown instead."""
    if check.claim == "not worse":
        return f"worse than {show_name(baseline)} by more than {check.margin:g}"
    if check.claim == "better" and check.margin == 0:
        return f"worse than {show_name(baseline)}"
    return f"not {_claim(check, baseline)}"


def _line(check: GateCheck, level: float) -> list[Headed]:
    value, ends = show_signed(check.advantage)
    return [
        text_cell("requirement", check.requirement),
        number_cell("candidate", check.candidate),
        number_cell("baseline", check.baseline),
        number_cell("advantage", value),
        number_cell(interval_name(level), ends),
        text_cell("outcome", check.outcome),
    ]

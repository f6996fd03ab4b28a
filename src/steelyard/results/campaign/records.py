"""What else a campaign answers: what its rule does, what to test next, its history, its seals."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from steelyard.display.numbers import show_count, show_number, show_percent, show_share
from steelyard.display.tables import Column, Table, number_cell, number_columns, text_cell
from steelyard.display.text import join_names, show_name
from steelyard.results.base import Cell, Provenance, Result, tidy_row
from steelyard.results.campaign.words import amount

__all__ = [
    "CampaignCheck",
    "CampaignEntry",
    "CampaignHistory",
    "CampaignNext",
    "CampaignRule",
    "NextSystem",
    "RuleBehaviour",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBehaviour:
    """What a rule does when the systems have these true rates.

    ``wrong`` names a system that is not the best (any, where there is no best); ``same`` finds no
    difference; ``open`` ends undecided. ``late`` is the number of items that 95 % of campaigns do
    not exceed. ``error`` is the standard error of the chances, 0 if they are exact.
    """

    setting: str
    rates: tuple[float, ...]
    right: float
    wrong: float
    same: float
    open: float
    items: float
    late: int
    cost: float
    method: Literal["exact", "simulated"]
    campaigns: int
    error: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignRule(Result):
    """What a stopping rule really does, before anything is tested."""

    kind: ClassVar[str] = "campaign-rule"
    rule: str
    systems: tuple[str, ...]
    step: int
    cap: int
    behaviours: tuple[RuleBehaviour, ...]
    provenance: Provenance

    def sentence(self) -> str:
        """Say how often it errs without a difference, then what it costs to find one."""
        if not self.behaviours:
            return "No setting was looked at."
        if self.rule.startswith("claim(") or " claim(" in self.rule or "(claim(" in self.rule:
            said = "; ".join(_decides(one) for one in self.behaviours)
            return f"{said[:1].upper()}{said[1:]}."
        chosen = [self.behaviours[0], *self.behaviours[1:][-1:]]
        said = "; ".join(_behaves(one) for one in chosen)
        return f"{said[:1].upper()}{said[1:]}."

    def tables(self) -> list[Table]:
        """Show the settings side by side."""
        rows = [
            [
                text_cell("true rates", one.setting.rstrip(","), whole=True),
                number_cell("right", _share(one, one.right)),
                number_cell("wrong", _share(one, one.wrong)),
                number_cell("same", _share(one, one.same)),
                number_cell("undecided", _share(one, one.open)),
                number_cell("items", round(one.items), show_count),
                number_cell("95th pct.", one.late, show_count),
                number_cell("cost", float(round(one.cost)), amount),
            ]
            for one in self.behaviours
        ]
        title = f"What '{self.rule}' does, up to {show_count(self.cap)} items"
        return [Table.of(title, rows)] if rows else []

    def details(self) -> list[str]:
        """Say how it was found."""
        exact = sum(one.method == "exact" for one in self.behaviours)
        worst = max((one.error for one in self.behaviours), default=0.0)
        number = max((one.campaigns for one in self.behaviours), default=0)
        how = (
            "Exact: every path was followed."
            if exact == len(self.behaviours)
            else f"From {show_count(number)} simulated campaigns for each setting; standard error "
            f"of the chances at most {show_number(worst)}."
        )
        looks = "every item" if self.step == 1 else f"every {show_count(self.step)} items"
        return [f"{how} Looked at {looks}.", *self.provenance.lines()]

    def rows(self) -> list[dict[str, Cell]]:
        """List every chance and number of every setting."""
        return [
            tidy_row(measure=measure, of=one.setting, value=value, method=one.method)
            for one in self.behaviours
            for measure, value in (
                ("right winner", one.right),
                ("wrong winner", one.wrong),
                ("no difference", one.same),
                ("undecided", one.open),
                ("expected items", one.items),
                ("items of 95%", float(one.late)),
                ("expected cost", one.cost),
            )
        ]


def _share(one: RuleBehaviour, value: float) -> str | None:
    bounded = min(1.0, max(0.0, value))
    if one.method == "exact" and bounded in (0.0, 1.0):
        return f"{bounded:.3f}"
    return show_share(bounded)


def _decides(one: RuleBehaviour) -> str:
    right, wrong = (show_percent(min(1.0, max(0.0, x))) for x in (one.right, one.wrong))
    return (
        f"{show_name(one.setting)} it decides rightly in {right} and wrongly in {wrong} of "
        f"campaigns (mean {show_count(round(one.items))} items)"
    )


def _behaves(one: RuleBehaviour) -> str:
    items = f"({show_count(round(one.items))} items on average)"
    wrong = show_percent(min(1.0, max(0.0, one.wrong)))
    if len(set(one.rates)) == 1:
        return f"without a difference it names a winner in {wrong} of campaigns {items}"
    right = show_percent(min(1.0, max(0.0, one.right)))
    setting = show_name(one.setting)
    return f"with {setting} it names the best in {right} and another in {wrong} {items}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NextSystem:
    """A system to test, and the share of the next results that should be its own."""

    system: str
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignNext(Result):
    """What to test next: which systems, and which items wait for whom."""

    kind: ClassVar[str] = "campaign-next"
    name: str
    systems: tuple[NextSystem, ...]
    pick: str | None
    scheme: Literal["common items", "open pairs", "racing", "top-two Thompson", "none"]
    waiting: tuple[tuple[str, str], ...]
    waiting_items: int
    items_left: int | None
    provenance: Provenance

    def sentence(self) -> str:
        """Say whom to test."""
        if self.scheme == "none":
            return f"{show_name(self.name)} has stopped: there is nothing to test."
        names = join_names([one.system for one in self.systems])
        if self.scheme == "top-two Thompson":
            pick = show_name(self.pick or "")
            return f"Test {pick} on the next item; over many items the shares below."
        why = {
            "common items": "all of them answer every item",
            "open pairs": "the others have lost and are tested no more",
            "racing": "the others are out of the race",
        }[self.scheme]
        left = (
            ""
            if self.items_left is None
            else f" At most {show_count(self.items_left)} items are left."
        )
        first = ""
        if self.waiting_items:
            many = f"{show_count(self.waiting_items)} items that wait"
            first = f" First complete the {'item that waits' if self.waiting_items == 1 else many}."
        return f"Test {names} on the next items: {why}.{first}{left}"

    def tables(self) -> list[Table]:
        """Show the shares, and the items that wait."""
        found = []
        if self.systems:
            rows = [[one.system, show_share(one.share)] for one in self.systems]
            heads = [Column(name="system"), *number_columns("share of results")]
            found.append(Table.without_empty("Next", heads, rows))
        if self.waiting:
            columns = (Column(name="item"), Column(name="waits for"))
            found.append(Table(title="Waiting items", columns=columns, rows=self.waiting))
        return found

    def rows(self) -> list[dict[str, Cell]]:
        """List the systems with their shares, then the items."""
        rows = [
            tidy_row(measure="share of results", system=one.system, value=one.share)
            for one in self.systems
        ]
        return rows + [
            tidy_row(measure="waits", of=item, reason=f"for {system}")
            for item, system in self.waiting
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignEntry:
    """One entry of the ledger: what it was, and how the campaign stood after it."""

    entry: int
    kind: Literal["protocol", "results", "correction", "drop", "close"]
    recorded: str
    results: int
    items: int
    note: str
    stopped: bool
    hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignHistory(Result):
    """Every entry of a campaign in its order."""

    kind: ClassVar[str] = "campaign-history"
    name: str
    entries: tuple[CampaignEntry, ...]
    provenance: Provenance

    def sentence(self) -> str:
        """Count the entries."""
        results = sum(one.results for one in self.entries)
        return (
            f"{show_name(self.name)} has {show_count(len(self.entries))} entries with "
            f"{show_count(results)} results."
        )

    def tables(self) -> list[Table]:
        """Show the entries."""
        rows = [
            [
                number_cell("entry", one.entry, str),
                text_cell("kind", one.kind),
                number_cell("results", one.results or None, show_count),
                number_cell("items", one.items, show_count),
                text_cell("state", "stopped" if one.stopped else None),
                text_cell(
                    "recorded", one.recorded[:16].replace("T", " "), whole=True, optional=True
                ),
                text_cell("note", one.note or None, whole=True),
                text_cell("hash", one.hash[:8], optional=True),
            ]
            for one in self.entries
        ]
        return [Table.of("History", rows)] if rows else []

    def rows(self) -> list[dict[str, Cell]]:
        """List the entries."""
        return [
            tidy_row(
                measure="entry",
                of=one.kind,
                value=float(one.entry),
                count=one.results,
                total=one.items,
                reason=one.note or None,
            )
            for one in self.entries
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignCheck(Result):
    """Whether all in a ledger follows from its entries; ``bad`` is the first that does not."""

    kind: ClassVar[str] = "campaign-check"
    name: str
    entries: int
    results: int
    bad: int | None
    reason: str
    head_hash: str
    provenance: Provenance

    def sentence(self) -> str:
        """Say whether it can be trusted."""
        held = f"{show_count(self.entries)} entries and {show_count(self.results)} results"
        if self.bad is None:
            return (
                f"{show_name(self.name)} is sound: {held} are what was written, and every decision "
                "follows from them."
            )
        return f"{show_name(self.name)} was changed: entry {self.bad}: {self.reason}."

    def tables(self) -> list[Table]:
        """Show nothing more."""
        return []

    def details(self) -> list[str]:
        """Give the hash to note down."""
        return [f"Hash of the last entry: {self.head_hash}.", *self.provenance.lines()]

    def rows(self) -> list[dict[str, Cell]]:
        """List what was checked."""
        return [
            tidy_row(measure="entries", count=self.entries),
            tidy_row(measure="results", count=self.results),
            tidy_row(
                measure="first bad entry",
                value=None if self.bad is None else float(self.bad),
                reason=self.reason or "none",
            ),
        ]

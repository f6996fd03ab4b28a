"""How a campaign stands: go on or stop, and why."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from steelyard.display.tables import Table
from steelyard.results.base import Result
from steelyard.results.campaign_words import status_details, status_sentence, status_tables
from steelyard.results.provenance import Provenance
from steelyard.results.readable import Cell, tidy_row

if TYPE_CHECKING:
    from steelyard.display.figures import Chart

__all__ = [
    "CampaignCondition",
    "CampaignError",
    "CampaignPoint",
    "CampaignStatus",
    "CampaignStop",
    "CampaignSystem",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignSystem:
    """One system: its results that count, and the chance that it is the best of those running.

    ``state`` is ``left`` when it dropped out, ``lost`` when the rule tests it no more. Where items
    lack answers, ``low`` and ``high`` are its rate on all items with every missing answer wrong,
    and right.
    """

    system: str
    correct: int
    tested: int
    best: float | None
    state: Literal["running", "lost", "left"]
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignError:
    """How often the rule names a winner among equal systems that are right as often as these.

    ``error`` is the standard error of a simulation of so many ``campaigns``, 0 if it is exact;
    they were followed for ``items`` at most.
    """

    rate: float
    winner: float
    method: Literal["exact", "simulated"]
    campaigns: int
    error: float
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignCondition:
    """One condition of the rule: what it looks at, how that stands, and where it would stop."""

    condition: str
    means: str
    value: float | None
    bound: float | None
    holds: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignPoint:
    """The values of all conditions at one look; undefined ones are None."""

    items: int
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignStop:
    """Where a campaign stopped, by what, and with which answer.

    ``reason`` is ``rule`` when the rule found an answer, ``used up`` when its items or cost were
    spent without one, ``budget`` or ``closed``.
    """

    items: int
    entry: int
    reason: Literal["rule", "used up", "budget", "closed"]
    verdict: str
    condition: str
    winner: str | None
    ranking: tuple[str, ...]
    value: float | None


LEVEL = 0.005
"""Two probabilities that simulation may have drawn apart by so much are called level."""


def _level(first: CampaignSystem, other: CampaignSystem) -> bool:
    if first.best is None or other.best is None:
        return False
    share = first.correct * other.tested == other.correct * first.tested
    return share and abs(first.best - other.best) <= LEVEL


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignStatus(Result):
    """How a campaign stands after its last entry.

    ``items`` count towards the decision, ``waiting`` ones lack the answer of some system,
    ``after`` came when it had stopped and change nothing. ``recorded`` says what was just added,
    ``error`` of a verdict how often its rule errs.
    """

    kind: ClassVar[str] = "campaign"
    name: str
    question: Literal["best", "ranking", "pair", "margin", "none"]
    pairing: Literal["common", "independent"]
    rule: str
    step: int
    items: int
    waiting: int
    after: int
    results: int
    cost: float
    budget: float | None
    cap: int | None
    systems: tuple[CampaignSystem, ...]
    conditions: tuple[CampaignCondition, ...]
    stop: CampaignStop | None
    points: tuple[CampaignPoint, ...]
    entries: int
    head_hash: str
    protocol_hash: str
    provenance: Provenance
    recorded: str | None = None
    error: CampaignError | None = None

    @property
    def leader(self) -> CampaignSystem | None:
        """The running system most likely to be the best; None before the first item."""
        known = [one for one in self.systems if one.best is not None]
        return max(known, key=lambda one: one.best or 0.0) if known else None

    @property
    def leaders(self) -> tuple[CampaignSystem, ...]:
        """The leader, and those level with it: the same share right, as likely to be the best."""
        first = self.leader
        if first is None:
            return ()
        return tuple(one for one in self.systems if _level(first, one))

    def sentence(self) -> str:
        """Say go on or stop first, then the answer so far."""
        return status_sentence(self)

    def tables(self) -> list[Table]:
        """Show the systems, then the conditions of the rule."""
        return status_tables(self)

    def details(self) -> list[str]:
        """Say what was recorded, what waits, and the hashes to note down."""
        return status_details(self)

    def rows(self) -> list[dict[str, Cell]]:
        """List the decision, the systems, the conditions and the path."""
        rows = [
            tidy_row(
                measure="decision",
                system=None if self.stop is None else self.stop.winner,
                value=None if self.stop is None else self.stop.value,
                count=self.items,
                total=self.cap,
                reason="go on" if self.stop is None else f"stop: {self.stop.verdict}",
            )
        ]
        for one in self.systems:
            share = one.correct / one.tested if one.tested else None
            rows.append(
                tidy_row(
                    measure="accuracy",
                    system=one.system,
                    value=share,
                    count=one.correct,
                    total=one.tested,
                    reason=None if share is not None else "no results",
                )
            )
            if one.best is not None:
                rows.append(tidy_row(measure="probability best", system=one.system, value=one.best))
            if one.low is not None and one.high is not None:
                rows.append(
                    tidy_row(measure="accuracy, missing wrong", system=one.system, value=one.low)
                )
                rows.append(
                    tidy_row(measure="accuracy, missing right", system=one.system, value=one.high)
                )
        if self.error is not None:
            rows.append(
                tidy_row(
                    measure="winner among equal systems",
                    value=self.error.winner,
                    total=self.error.items,
                    method=self.error.method,
                )
            )
        rows += [
            tidy_row(measure="condition", of=one.condition, value=one.value)
            for one in self.conditions
        ]
        return rows + [
            tidy_row(measure="look", of=one.condition, value=value, total=point.items)
            for point in self.points
            for one, value in zip(self.conditions, point.values, strict=False)
            if value is not None
        ]

    def charts(self) -> dict[str, "Callable[[], Chart]"]:
        """Draw the path of each condition, the one that decides first."""
        known: dict[str, Callable[[], Chart]] = {}
        for place, one in enumerate(self.conditions):
            values = [p.values[place] for p in self.points if place < len(p.values)]
            if not one.condition.startswith(("n ", "cost ")) and any(v is not None for v in values):
                known[f"path {len(known) + 1}" if known else "path"] = _drawing(self, place)
        return known


def _drawing(status: CampaignStatus, place: int) -> "Callable[[], Chart]":
    return lambda: _path(status, place)


def _path(status: CampaignStatus, place: int) -> "Chart":
    from steelyard.display.figures import trajectory_chart

    condition = status.conditions[place]
    known = [
        (float(point.items), value)
        for point in status.points
        if place < len(point.values) and (value := point.values[place]) is not None
    ]
    return trajectory_chart(
        ([x for x, _ in known], [y for _, y in known]),
        bounds=[] if condition.bound is None else [condition.bound],
        stopped=None if status.stop is None else float(status.stop.items),
        what=condition.means,
        title=f"Path of {condition.condition}",
    )

"""How a campaign stands: go on or stop, and why."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from steelyard.display.tables import Table
from steelyard.results.base import Cell, Provenance, Result, tidy_row
from steelyard.results.campaign.words import (
    campaign_details,
    campaign_headline,
    campaign_sentence,
    campaign_tables,
    draw_path,
)

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

CAPS = {"n", "cost"}
"""What a rule calls items and cost."""
LEVEL = 0.005
"""Two probabilities that simulation may have drawn apart by so much are called level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignSystem:
    """One system: its results that count, and the chance that it is the best of those running.

    ``state`` is ``left`` when it dropped out, ``lost`` when the rule tests it no more. Where items
    lack answers, ``low`` and ``high`` are its rate on all items with every missing answer wrong,
    and right. ``mean`` is that of its numbers, where results are such, or what else ``measure``
    says of them; ``rate`` that of its events per ``unit`` of their exposure.
    """

    system: str
    correct: int
    tested: int
    best: float | None
    state: Literal["running", "lost", "left"]
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    rate: float | None = None
    unit: str | None = None
    measure: str = "mean"


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
    """One condition of the rule: what it looks at, how that stands, and where it would stop.

    ``verdict`` is what it found, where it holds: a claim that ``keeps`` its limit or ``breaks`` it.
    """

    condition: str
    means: str
    value: float | None
    bound: float | None
    holds: bool
    verdict: str = ""

    @property
    def is_cap(self) -> bool:
        """Whether it counts what is used up (``n >= 500``), and not what is known."""
        return self.condition.partition(" ")[0] in CAPS


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
    question: Literal["best", "ranking", "pair", "margin", "claim", "mean", "none"]
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

    def headline(self) -> str:
        """Say whether to go on testing, and what to ship if not."""
        return campaign_headline(self)

    def sentence(self) -> str:
        """Say go on or stop first, then the answer so far."""
        return campaign_sentence(self)

    def tables(self) -> list[Table]:
        """Show the systems, then the conditions of the rule."""
        return campaign_tables(self)

    def details(self) -> list[str]:
        """Say what was recorded, what waits, and the hashes to note down."""
        return campaign_details(self)

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
            if one.mean is not None:
                rows.append(
                    tidy_row(
                        measure=one.measure, system=one.system, value=one.mean, total=one.tested
                    )
                )
                continue
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
            if not one.is_cap and any(value is not None for value in values):
                known[f"path {len(known) + 1}" if known else "path"] = draw_path(self, place)
        return known

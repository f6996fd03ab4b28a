"""How a campaign stands: go on or stop, and why."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from steelyard.display.numbers import (
    show_count,
    show_number,
    show_percent,
    show_probability,
    show_share,
)
from steelyard.display.tables import Column, Table, number_columns
from steelyard.display.text import join_names, show_name
from steelyard.results.base import Cell, Provenance, Result, tidy_row
from steelyard.results.measured import ELSEWHERE

if TYPE_CHECKING:
    from steelyard.display.figures import Chart

__all__ = [
    "CampaignCondition",
    "CampaignError",
    "CampaignPoint",
    "CampaignStatus",
    "CampaignStop",
    "CampaignSystem",
    "amount",
    "show_chance",
]

CAPS = {"n", "cost"}
"""What a rule calls items and cost."""
CLAIM_WORDS = {"keeps": "keeps its limit", "breaks": "does not keep its limit"}
LEVEL = 0.005
"""Two probabilities that simulation may have drawn apart by so much are called level."""
HASH_SHOWN = 16
MOST_ERROR = 0.05
MOST_BOUNDS = 6
DRAWN = 0.0035
"""The most that a probability from 20,000 draws is off by, as a standard error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignSystem:
    """One system: its results that count, and the chance that it is the best of those running.

    ``state`` is ``left`` when it dropped out, ``lost`` when the rule tests it no more. Where items
    lack answers, ``low`` and ``high`` are its rate on all items with every missing answer wrong,
    and right. ``mean`` is that of its numbers, where results are such; ``rate`` that of its events
    per ``unit`` of their exposure.
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
        return _headline(self)

    def sentence(self) -> str:
        """Say go on or stop first, then the answer so far."""
        return _sentence(self)

    def tables(self) -> list[Table]:
        """Show the systems, then the conditions of the rule."""
        return _tables(self)

    def details(self) -> list[str]:
        """Say what was recorded, what waits, and the hashes to note down."""
        return _details(self)

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
                    tidy_row(measure="mean", system=one.system, value=one.mean, total=one.tested)
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


def amount(value: float) -> str:
    """Write a cost: whole numbers without decimals.

    >>> amount(1200.0), amount(2.5)
    ('1,200', '2.500')
    """
    return show_count(int(value)) if value == int(value) else show_number(value)


def _sentence(status: CampaignStatus) -> str:
    if status.stop is not None:
        return _stop(status, status.stop)
    if status.items == 0:
        return f"Go on: no item counts yet. {show_name(status.name)} stops when {status.rule}."
    return (
        f"Go on: after {_items(status.items)} {_lead(status)}; "
        f"{show_name(status.name)} stops when {status.rule}."
    )


def _headline(status: CampaignStatus) -> str:
    stop = status.stop
    if stop is None:
        return "Go on testing."
    if stop.reason != "rule":
        return "Stop testing: there is no decision."
    if stop.winner is None:
        return "Stop testing: the question is settled."
    if status.question == "claim":
        broken = [one for one in _claims(status, stop) if one[1] == "breaks"]
        names = join_names([name for name, _ in broken or _claims(status, stop)])
        many = len(broken or _claims(status, stop)) > 1
        said = "do not keep" if many else "does not keep"
        kept = said if broken else "keep" if many else "keeps"
        return f"Stop testing: {names} {kept} {'their limits' if many else 'its limit'}."
    name = show_name(stop.winner)
    return (
        f"Stop testing: {name} wins{', by a rule that errs often' if _errs_often(status) else ''}."
    )


def _stop(status: CampaignStatus, stop: CampaignStop) -> str:
    after = f"after {_items(stop.items)}"
    if stop.reason == "rule":
        return f"Stop: {_find(status, stop)} {after} ({stop.condition}){_errs(status)}."
    why = {
        "used up": f"{stop.condition} is reached",
        "budget": f"the budget of {amount(status.budget or 0.0)} is used up",
        "closed": "it was closed" if stop.verdict == "closed" else "only one system is left",
    }[stop.reason]
    lead = f"; {_lead(status)}" if status.items else ""
    return f"Stop without a decision: {why} {after}{lead}."


def _errs(status: CampaignStatus) -> str:
    """Say in the sentence itself how often the rule names winners among equals."""
    if status.error is None:
        return ""
    return f"; among equal systems this rule names one in {_show(status.error)} of campaigns"


def _show(error: CampaignError) -> str:
    """Write how often; none of so many simulated campaigns is not never (the rule of three)."""
    if error.winner <= 0 and error.method != "exact":
        return f"less than {show_percent(min(1.0, 3 / error.campaigns))}"
    return show_percent(min(1.0, max(0.0, error.winner)))


def _errs_often(status: CampaignStatus) -> bool:
    """Tell whether a rule names winners among equals more often than it may."""
    error = status.error
    return error is not None and error.winner - 2 * error.error > MOST_ERROR


def _error_lines(status: CampaignStatus) -> list[str]:
    error = status.error
    if error is None:
        return []
    how = (
        "exact"
        if error.method == "exact"
        else (
            f"{show_count(error.campaigns)} simulated campaigns, standard error "
            f"{show_number(error.error)}"
        )
    )
    wrong = _show(error)
    return [
        f"Error of the rule at the rates seen: among equal systems, all right on "
        f"{show_percent(error.rate)} of the items, it names a winner in {wrong} of campaigns of up "
        f"to {_items(error.items)} ({how})."
    ]


def _missing_lines(status: CampaignStatus) -> list[str]:
    """Say what missing answers could do: no more than that is known of them."""
    bounds = [one for one in status.systems if one.low is not None and one.high is not None]
    if not bounds:
        return []
    shown = "; ".join(
        f"{show_name(one.system)} {show_share(one.low or 0.0)} to {show_share(one.high or 0.0)}"
        for one in bounds[:MOST_BOUNDS]
    )
    if len(bounds) > MOST_BOUNDS:
        shown += f"; {len(bounds) - MOST_BOUNDS} more systems: {ELSEWHERE}"
    leader = status.stop.winner if status.stop is not None else None
    first = next((one for one in bounds if one.system == leader), None) or status.leader
    if first is None or first.low is None:
        return [f"With every missing answer wrong, or right: {shown}."]
    rivals = [one.high or 0.0 for one in bounds if one.system != first.system]
    safe = first.low > max(rivals, default=0.0)
    said = (
        f"{show_name(first.system)} stays ahead whatever they are"
        if safe
        else f"that is enough to take the lead from {show_name(first.system)}"
    )
    return [f"With every missing answer wrong, or right: {shown}; {said}."]


def _claims(status: CampaignStatus, stop: CampaignStop) -> list[tuple[str, str]]:
    """List every claim that is decided: whose it is, and whether it is kept."""
    known = sorted((one.system for one in status.systems), key=len, reverse=True)
    found = {}
    for one in status.conditions:
        if one.holds and one.verdict in CLAIM_WORDS:
            said = one.condition.removeprefix("claim(").lstrip("'\"")
            found[next(name for name in known if said.startswith(name))] = one.verdict
    return list(found.items()) or [(stop.winner or "", stop.verdict)]


def _find(status: CampaignStatus, stop: CampaignStop) -> str:
    if status.question == "claim":
        return "; ".join(
            f"{show_name(name)} {CLAIM_WORDS.get(verdict, verdict)}"
            for name, verdict in _claims(status, stop)
        )
    winner = "" if stop.winner is None else show_name(stop.winner)
    left = [one.system for one in status.systems if one.state == "left"]
    best = "is the best" if not left else "is the best of those that stayed"
    value = stop.value or 0.0
    chance = show_chance(value, status=status)
    if stop.winner is None:
        said = {
            "same": f"the two differ by less than the margin with probability {chance}",
            "no winner": "no pair is open and no system has beaten all others",
            "left unbeaten": f"there is no winner, since {join_names(left)} left unbeaten",
        }
        return said.get(stop.verdict, "there is no difference that matters")
    words = {
        "best": f"{winner} {best} with probability {chance}",
        "pair": f"{winner} is the better one with probability {chance}",
        "ranking": f"the order is {join_names(stop.ranking)} with probability {chance}",
        "loss": f"choosing {winner} is expected to give up {show_number(value)} of accuracy",
        "evidence": f"{winner} {best}, with evidence {show_number(value)}",
        "betting": f"{winner} has the better mean, with evidence {show_number(value)}",
        "asymptotic": f"{winner} has the better mean, with (asymptotic) evidence "
        f"{show_number(value)}",
        "keep": f"{winner} is kept",
        "take": f"{winner} is taken instead",
        "racing": f"{winner} is the last one in the race",
    }
    return words.get(stop.verdict, f"{winner} {best}")


def show_chance(value: float, *, status: CampaignStatus) -> str:
    """Write a probability of a campaign; what draws have found is never certain.

    With three systems or more on common items it comes from 20,000 draws.
    """
    known = sum(one.best is not None for one in status.systems)
    drawn = status.pairing == "common" and known > 2
    inside = min(1.0, max(0.0, value))
    sure = known < 2 or (not drawn and 0 < inside < 1)
    return show_probability(inside, error=None if sure else DRAWN)


def _lead(status: CampaignStatus) -> str:
    means = {one.system: one.mean for one in status.systems if one.mean is not None}
    if means:
        said = [
            f"{show_name(name)} {'stands at' if ': ' in name else 'has a mean of'} {show_number(x)}"
            for name, x in means.items()
        ]
        return "; ".join(said)
    if status.question == "claim":
        told = [one for one in status.systems if one.tested]
        return "; ".join(
            f"{show_name(one.system)} {'stands at' if ': ' in one.system else 'is right on'} "
            f"{_rate(one) or show_percent(one.correct / one.tested)}"
            for one in told
        )
    leader = status.leader
    if leader is None or leader.best is None:
        return "nobody leads yet"
    chance = show_chance(leader.best, status=status)
    level = status.leaders
    if len(level) > 1:
        names = join_names([one.system for one in level])
        shown = {show_chance(one.best or 0.0, status=status) for one in level}
        about = chance if len(shown) == 1 else f"about {leader.best:.2f}"
        return f"{names} are level, each the best with probability {about}"
    return f"{show_name(leader.system)} leads and is the best with probability {chance}"


def _share(system: CampaignSystem) -> str | None:
    if not system.tested or system.mean is not None or system.rate is not None:
        return None
    return show_share(system.correct / system.tested)


def _rate(system: CampaignSystem) -> str | None:
    return None if system.rate is None else f"{show_number(system.rate)} per {system.unit}"


def _items(number: int) -> str:
    return f"{show_count(number)} item{'' if number == 1 else 's'}"


def _entries(number: int) -> str:
    return "1 entry" if number == 1 else f"{show_count(number)} entries"


def _tables(status: CampaignStatus) -> list[Table]:
    ranked = sorted(status.systems, key=lambda one: -1.0 if one.best is None else -one.best)
    heads = [
        Column(name="system"),
        *number_columns("mean", "rate", "accuracy", "right", "tested", "P(best)"),
        *number_columns("missing wrong", "missing right"),
    ]
    rows = [
        [
            one.system,
            None if one.mean is None else show_number(one.mean),
            _rate(one),
            _share(one),
            show_count(one.correct) if one.mean is None else None,
            show_count(one.tested),
            None if one.best is None else show_chance(one.best, status=status),
            None if one.low is None else show_share(one.low),
            None if one.high is None else show_share(one.high),
            {"running": None, "lost": "tested no more", "left": "dropped out"}[one.state],
        ]
        for one in ranked
    ]
    found = [
        Table.without_empty("Systems, on items that count", [*heads, Column(name="state")], rows)
    ]
    conditions = [
        [
            one.condition,
            None if one.value is None else amount(one.value),
            "yes" if one.holds else "no",
            one.means,
        ]
        for one in status.conditions
    ]
    if conditions:
        heads = [
            Column(name="the rule stops when", whole=True),
            Column(name="now", align="right"),
            Column(name="holds"),
            Column(name="what it is"),
        ]
        cells = tuple(tuple(row) for row in conditions)
        found.append(Table(title="Rule", columns=tuple(heads), rows=cells))
    return found


def _details(status: CampaignStatus) -> list[str]:
    lines = [] if status.recorded is None else [status.recorded]
    if status.waiting:
        verb = "waits" if status.waiting == 1 else "wait"
        lines.append(f"{_items(status.waiting)} {verb} for the answer of some system.")
        lines += _missing_lines(status)
    if status.after:
        what = "item" if status.pairing == "common" else "result"
        many = "" if status.after == 1 else "s"
        lines.append(
            f"{show_count(status.after)} {what}{many} came after the stop: kept and marked, they "
            "change no decision."
        )
    spent = f"{show_count(status.results)} results, cost {amount(status.cost)}"
    room = "" if status.budget is None else f" of {amount(status.budget)}"
    looks = "every item" if status.step == 1 else f"every {show_count(status.step)} items"
    return [
        *lines,
        *_error_lines(status),
        f"{spent}{room}; looked at {looks}; {_entries(status.entries)}, the last with "
        f"hash {status.head_hash[:HASH_SHOWN]}, under protocol "
        f"{status.protocol_hash[:HASH_SHOWN]}.",
        *status.provenance.lines(),
    ]

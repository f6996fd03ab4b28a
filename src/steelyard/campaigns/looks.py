"""Every decision of a campaign, recomputed from its results as they came."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from steelyard.campaigns.protocol import Protocol, canonical, least_spent
from steelyard.campaigns.rules.conditions import dropping_conditions
from steelyard.campaigns.rules.grammar import AllOf, Condition, Rule, conditions_of
from steelyard.campaigns.rules.number_states import start_state
from steelyard.campaigns.rules.snapshot import Judgement, RuleState, Snapshot

__all__ = ["Progress", "Stop", "StopReason", "decide"]

StopReason: TypeAlias = Literal["rule", "used up", "budget", "closed"]
VERSION = 2

DRAWS = 20_000
"""Draws of a joint posterior of three systems or more; the error is 0.0015 at 0.95."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """Where and why a campaign ended: after ``n`` items, in the entry ``seq``."""

    n: int
    seq: int
    reason: StopReason
    verdict: str
    condition: str = ""
    winner: str | None = None
    ranking: tuple[str, ...] = ()
    value: float | None = None


class Progress:
    """All that a campaign has come to, a function of its results in their order.

    Items are counted one after the other; a look is taken after every ``step`` of them. What comes
    after the stop is counted apart, and changes no decision.
    """

    def __init__(self, protocol: Protocol, *, draws: int = DRAWS) -> None:
        size = len(protocol.systems)
        self.protocol = protocol
        self.draws = draws
        self.rule = protocol.parsed
        self.cap = protocol.cap
        self.states = [start_state(one, protocol) for one in conditions_of(self.rule)]
        dropping = dropping_conditions(self.rule)
        self.dropping = [state for state in self.states if state.condition in dropping]
        self.n = 0
        self.after = 0
        self.seen = 0
        self.cost = 0.0
        self.patterns: dict[int, int] = {}
        self.late: dict[int, int] = {}
        self.wins = [[0] * size for _ in range(size)]
        self.correct = [0] * size
        self.tested = [0] * size
        self.all_correct = [0] * size
        self.all_tested = [0] * size
        self.numbers = protocol.numbers
        self.companions = range(len(protocol.competitors), size)
        self.sums = [0.0] * size
        self.all_sums = [0.0] * size
        self.gone: list[int] = []
        self.stop: Stop | None = None

    @property
    def running(self) -> tuple[int, ...]:
        """Places of the systems that have neither dropped out nor lost."""
        lost = self._find_lost()
        return tuple(
            place
            for place in range(self.companions.start)
            if place not in self.gone and place not in lost
        )

    @property
    def required(self) -> int:
        """Mask of the systems, and of what comes with them, that an item needs to count."""
        return sum(1 << place for place in (*self.running, *self.companions))

    def _find_lost(self) -> frozenset[int]:
        """Systems that every condition of the rule which answers anything has given up."""
        if not self.dropping:
            return frozenset()
        return frozenset.intersection(*(state.name_lost() for state in self.dropping))

    def snapshot(self) -> Snapshot:
        """See the counts as they stand."""
        return Snapshot(
            protocol=self.protocol,
            running=self.running,
            n=self.n,
            cost=self.cost,
            patterns=self.patterns,
            wins=self.wins,
            correct=self.correct,
            tested=self.tested,
            sums=self.sums,
            draws=self.draws,
        )

    def note(self, place: int, *, right: float) -> None:
        """Count a result for its system and its cost, whether or not its item counts yet."""
        self.all_tested[place] += 1
        if self.numbers is None:
            self.all_correct[place] += bool(right)
        else:
            self.all_sums[place] += right
        self.cost += self.protocol.costs[place]

    def count_item(self, pattern: int, seq: int) -> bool:
        """Count a common item that every running system has answered; tell if a look was due."""
        if self.stop is not None:
            self.after += 1
            self.late[pattern] = self.late.get(pattern, 0) + 1
            return False
        self.n += 1
        self.patterns[pattern] = self.patterns.get(pattern, 0) + 1
        self._count_wins(pattern)
        for state in self.states:
            state.count(pattern)
        return self._look_if_due(seq)

    def count_numbers(self, values: Mapping[int, float], seq: int) -> bool:
        """Count a common item with a number of every running system; tell if a look was due."""
        if self.stop is not None:
            self.after += 1
            return False
        self.n += 1
        known = {place: values[place] for place in (*self.running, *self.companions)}
        for place, value in known.items():
            self.tested[place] += 1
            self.sums[place] += value
        for state in self.states:
            state.count_values(known)
        return self._look_if_due(seq)

    def _count_wins(self, pattern: int) -> None:
        running = self.running
        right = [place for place in running if pattern >> place & 1]
        wrong = [place for place in running if not pattern >> place & 1]
        for place in running:
            self.tested[place] += 1
        for place in right:
            self.correct[place] += 1
            row = self.wins[place]
            for loser in wrong:
                row[loser] += 1

    def count_result(self, place: int, *, right: float, seq: int) -> bool:
        """Count one result of a system tested on items of its own; tell if a look was due."""
        if self.stop is not None:
            self.after += 1
            return False
        self.tested[place] += 1
        if self.numbers is None:
            self.correct[place] += bool(right)
        else:
            self.sums[place] += right
            for state in self.states:
                state.count_values({place: right})
        fewest = min((self.tested[p] for p in self.running), default=0)
        if fewest <= self.n:
            return False
        self.n = fewest
        return self._look_if_due(seq)

    def check_budget(self, seq: int) -> None:
        """End the campaign when its budget is used up."""
        budget = self.protocol.budget
        if self.stop is None and budget is not None and self.cost >= least_spent(budget):
            self.stop = Stop(n=self.n, seq=seq, reason="budget", verdict="used up")

    def drop(self, place: int, seq: int) -> None:
        """Go on without a system; the last one that is left ends the campaign."""
        self.gone.append(place)
        for state in self.states:
            state.leave(place)
        if not self.protocol.pairing == "common":
            self.n = min((self.tested[p] for p in self.running), default=0)
        if self.stop is None and len(self.running) < 2:
            self.stop = Stop(n=self.n, seq=seq, reason="closed", verdict="one system left")

    def close(self, seq: int) -> None:
        """End the campaign because somebody said so."""
        if self.stop is None:
            self.stop = Stop(n=self.n, seq=seq, reason="closed", verdict="closed")

    def judgements(self) -> list[tuple[Condition, Judgement]]:
        """Ask every condition of the rule how it stands."""
        snapshot = self.snapshot()
        return [(state.condition, state.judge(snapshot, exact=True)) for state in self.states]

    def _look_if_due(self, seq: int) -> bool:
        if self.n % (self.protocol.step or 1) and self.n != self.cap:
            return False
        snapshot = self.snapshot()
        for state in self.states:
            state.look(snapshot)
        answer = decide(self.rule, iter(self.states), snapshot)
        if answer is not None:
            state, judgement = answer
            self.stop = Stop(
                n=self.n,
                seq=seq,
                reason=CONDITION_ENDS.get(state.condition.name, "rule"),
                verdict=judgement.verdict,
                condition=str(state.condition),
                winner=judgement.winner,
                ranking=judgement.ranking,
                value=_in_full(state, judgement, snapshot),
            )
        return True

    def plain(self) -> dict[str, Any]:
        """Give everything as plain data."""
        stop = (
            None if self.stop is None else {name: getattr(self.stop, name) for name in STOP_FIELDS}
        )
        return {
            "version": VERSION,
            **{name: getattr(self, name) for name in KEPT},
            **({} if self.numbers is None else {name: getattr(self, name) for name in SUMS}),
            "patterns": {str(key): rows for key, rows in sorted(self.patterns.items())},
            "late": {str(key): rows for key, rows in sorted(self.late.items())},
            "paths": [state.plain() for state in self.states],
            "stop": stop,
        }

    def text(self) -> str:
        """Give everything as canonical JSON."""
        return canonical(self.plain())

    @classmethod
    def from_text(cls, protocol: Protocol, text: str) -> "Progress | None":
        """Take up what ``text`` gave; None when another version wrote it, or it is damaged."""
        try:
            saved = json.loads(text)
            return cls._restore(protocol, saved) if saved.get("version") == VERSION else None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    @classmethod
    def _restore(cls, protocol: Protocol, saved: dict[str, Any]) -> "Progress":
        made = cls(protocol)
        for name in KEPT if made.numbers is None else (*KEPT, *SUMS):
            setattr(made, name, saved[name])
        made.patterns = {int(key): rows for key, rows in saved["patterns"].items()}
        made.late = {int(key): rows for key, rows in saved["late"].items()}
        for state, kept in zip(made.states, saved["paths"], strict=True):
            state.restore(kept)
        if saved["stop"] is not None:
            stop = saved["stop"] | {"ranking": tuple(saved["stop"]["ranking"])}
            made.stop = Stop(**stop)
        return made


KEPT = (
    "n",
    "after",
    "seen",
    "cost",
    "wins",
    "correct",
    "tested",
    "all_correct",
    "all_tested",
    "gone",
)
SUMS = ("sums", "all_sums")
STOP_FIELDS = ("n", "seq", "reason", "verdict", "condition", "winner", "ranking", "value")
CONDITION_ENDS: dict[str, StopReason] = {"n": "used up", "cost": "used up"}


def decide(
    rule: Rule, states: Iterator[RuleState], snapshot: Snapshot
) -> tuple[RuleState, Judgement] | None:
    """Apply a rule at one look: the condition that answers, or None to go on.

    Where several hold, the first that names something speaks; the number of items or the cost
    speaks only when nothing else does.
    """
    holds, answers = _evaluate(rule, states, snapshot)
    if not holds:
        return None
    telling = [pair for pair in answers if pair[0].condition.name not in CONDITION_ENDS]
    return (telling or answers)[0]


def _evaluate(
    rule: Rule, states: Iterator[RuleState], snapshot: Snapshot
) -> tuple[bool, list[tuple[RuleState, Judgement]]]:
    """Tell whether a rule holds, and which of its conditions make it hold."""
    if isinstance(rule, Condition):
        state = next(states)
        judgement = state.judge(snapshot, exact=False)
        return judgement.holds, [(state, judgement)] if judgement.holds else []
    parts = [_evaluate(part, states, snapshot) for part in rule.parts]
    if isinstance(rule, AllOf):
        holds = all(held for held, _ in parts)
        return holds, [answer for _, answers in parts for answer in answers] if holds else []
    holds = any(held for held, _ in parts)
    return holds, [answer for held, answers in parts if held for answer in answers]


def _in_full(state: RuleState, judgement: Judgement, snapshot: Snapshot) -> float | None:
    """Find the value itself where a limit of it was enough to decide."""
    whole = state.judge(snapshot, exact=True).value
    if judgement.value is None or whole is None:
        return judgement.value
    # A simulated value may fall short of the limit that decided: the stop keeps to the rule.
    return (min if state.condition.comparison == "<=" else max)(whole, judgement.value)

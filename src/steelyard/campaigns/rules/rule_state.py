"""The conditions of a rule while a campaign runs, with all that each remembers of its items."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import exp, log, log10
from typing import Any

from steelyard.campaigns.protocol import Protocol
from steelyard.campaigns.rules.chances import CHANCES, once
from steelyard.campaigns.rules.claims import campaign_claim
from steelyard.campaigns.rules.conditions import ALPHA, BETA
from steelyard.campaigns.rules.grammar import Condition, Rule, most_items
from steelyard.campaigns.rules.snapshot import Judgement, RuleState, Snapshot
from steelyard.comparison.sequential.evidence import closed_by_averaging, log_evidence
from steelyard.comparison.sequential.racing import Race, start_race
from steelyard.comparison.sequential.spending import exact_deviate, spending_bounds
from steelyard.comparison.sequential.wald import WaldTest, wald_bounds, wald_test
from steelyard.comparison.sequential.wald_double import DoubleTest, double_test
from steelyard.comparison.sequential.wald_msrb import AllPairsTest, PairRace, all_pairs_test
from steelyard.results import from_plain, to_plain

__all__ = [
    "LARGEST",
    "Evidence",
    "close_logs",
    "plan_bounds",
    "plan_looks",
    "plan_pairs",
    "plan_wald",
    "race_alpha",
    "right_state",
]

LARGEST = 700.0
"""Logarithm beyond which exp is not tried: it overflows at 709."""


class _Momentary(RuleState):
    """A condition that asks for the counts of the moment only."""

    def judge(self, snapshot: Snapshot, *, exact: bool = True) -> Judgement:
        return CHANCES[self.condition.name](self.condition, snapshot, exact)


class Evidence(RuleState):
    """E-processes of all pairs; a pair that was once decided stays decided.

    The family is every pair of the systems that started. Pairs of a system that left keep the
    value they had then: were they left out, whoever closes systems after looking would choose
    which comparison pays for having been chosen.
    """

    verdict = "evidence"

    def __init__(self, condition: Condition, protocol: Protocol) -> None:
        super().__init__(condition, protocol)
        self.beats: set[tuple[int, int]] = set()
        self.family = list(combinations(range(len(protocol.competitors)), 2))

    def look(self, snapshot: Snapshot) -> None:
        """Keep the pairs that are decided now."""
        bound = self.condition.bound or 20.0
        for (a, b), value in zip(self.family, self._values(snapshot), strict=True):
            if value < log(bound) or {(a, b), (b, a)} & self.beats:
                continue
            self.beats.add((a, b) if self._ahead(a, b, snapshot) else (b, a))

    def _ahead(self, a: int, b: int, snapshot: Snapshot) -> bool:
        """Tell which side of a pair the evidence is on."""
        return snapshot.wins[a][b] > snapshot.wins[b][a]

    def _leader(self, snapshot: Snapshot) -> int:
        return snapshot.leader()

    def _values(self, snapshot: Snapshot) -> list[float]:
        return _close_evidence(
            tuple(snapshot.wins[a][b] for a, b in self.family),
            tuple(snapshot.wins[b][a] for a, b in self.family),
        )

    def judge(self, snapshot: Snapshot, *, exact: bool = True) -> Judgement:
        """Say who beats all others, and the least evidence of the leader."""
        del exact
        bound = self.condition.bound or 20.0
        names = self.protocol.systems
        logs = dict(zip(self.family, self._values(snapshot), strict=True))
        leader = self._leader(snapshot)
        for place in snapshot.running:
            if all((place, other) in self.beats for other in snapshot.running if other != place):
                leader = place
        others = [place for place in snapshot.running if place != leader]
        decided = bool(others) and all((leader, other) in self.beats for other in others)
        least = min((logs[min(leader, o), max(leader, o)] for o in others), default=0.0)
        return Judgement(
            holds=decided,
            value=exp(min(least, LARGEST)),
            bound=bound,
            verdict=self.verdict,
            winner=names[leader],
        )

    def plain(self) -> Any:  # noqa: ANN401
        """Give the pairs that are decided."""
        return sorted(list(pair) for pair in self.beats)

    def restore(self, saved: Any) -> None:  # noqa: ANN401
        """Take them up."""
        self.beats = {(a, b) for a, b in saved}


@once
def _close_evidence(won: tuple[int, ...], lost: tuple[int, ...]) -> list[float]:
    """Logarithms of the e-values of all pairs, each closed by averaging over the family."""
    return close_logs(log_evidence(won, lost)[0].tolist())


def close_logs(logs: list[float]) -> list[float]:
    """Close logarithms of the e-values of all pairs by averaging over the family."""
    if len(logs) == 1:
        return logs
    # e-values may overflow, and averages of none fall to 0: both ends are cut.
    adjusted = closed_by_averaging([exp(min(value, LARGEST)) for value in logs])
    return [log(max(value, 1e-300)) for value in adjusted]


class _Spending(RuleState):
    """Planned looks at shares of the most items; the bound of each is fixed beforehand."""

    def __init__(self, condition: Condition, protocol: Protocol) -> None:
        super().__init__(condition, protocol)
        self.at, self.bounds = plan_looks(condition, protocol.parsed), plan_bounds(condition)
        self.winner: int | None = None
        self.value = 0.0
        self.done = 0

    def look(self, snapshot: Snapshot) -> None:
        while self.winner is None and self.done < len(self.at) and snapshot.n >= self.at[self.done]:
            won, lost = snapshot.wins[0][1], snapshot.wins[1][0]
            self.value = float(exact_deviate(won, lost))
            if abs(self.value) >= self.bounds[self.done]:
                self.winner = 0 if self.value > 0 else 1
            self.done += 1

    def judge(self, snapshot: Snapshot, *, exact: bool = True) -> Judgement:
        del snapshot, exact
        place = min(max(self.done - 1, 0), len(self.bounds) - 1)
        return Judgement(
            holds=self.winner is not None,
            value=abs(self.value),
            bound=self.bounds[place],
            verdict="spending",
            winner=None if self.winner is None else self.protocol.systems[self.winner],
        )

    def plain(self) -> Any:  # noqa: ANN401
        return [self.winner, self.value, self.done]

    def restore(self, saved: Any) -> None:  # noqa: ANN401
        self.winner, self.value, self.done = saved


class _Wald(RuleState):
    """Wald's test on discordant items: keep the first system or take the second."""

    def __init__(self, condition: Condition, protocol: Protocol) -> None:
        super().__init__(condition, protocol)
        self.test = plan_wald(condition)
        self.pairs = self.second = 0
        self.winner: int | None = None

    def count(self, pattern: int) -> None:
        if self.winner is not None or pattern & 3 not in (1, 2):
            return
        self.pairs += 1
        self.second += pattern & 3 == 2
        last_keep, first_take = wald_bounds(self.test, self.pairs)
        if self.second <= last_keep:
            self.winner = 0
        elif self.second >= first_take:
            self.winner = 1

    def judge(self, snapshot: Snapshot, *, exact: bool = True) -> Judgement:
        del snapshot, exact
        line = self.second - self.test.slope * self.pairs
        first = self.winner == 0
        return Judgement(
            holds=self.winner is not None,
            value=line,
            bound=self.test.keep_intercept if line < 0 else self.test.take_intercept,
            verdict="keep" if first else "take",
            winner=None if self.winner is None else self.protocol.systems[self.winner],
        )

    def plain(self) -> Any:  # noqa: ANN401
        return [self.pairs, self.second, self.winner]

    def restore(self, saved: Any) -> None:  # noqa: ANN401
        self.pairs, self.second, self.winner = saved


class _DoubleWald(RuleState):
    """Two one-sided tests: either system better, or no difference that matters."""

    def __init__(self, condition: Condition, protocol: Protocol) -> None:
        super().__init__(condition, protocol)
        alpha, beta = condition.option("alpha", ALPHA), condition.option("beta", BETA)
        self.test = double_test(float(condition.arguments[0]), alpha=alpha, beta=beta)

    def count(self, pattern: int) -> None:
        if pattern & 3 in (1, 2):
            self.test = self.test.update("first" if pattern & 3 == 1 else "second")

    def judge(self, snapshot: Snapshot, *, exact: bool = True) -> Judgement:
        del snapshot, exact
        test = self.test
        gain, loss = log(2 * test.win), log(2 * (1 - test.win))
        ahead, behind = (
            max(test.first_wins, test.second_wins),
            min(test.first_wins, test.second_wins),
        )
        names = dict(zip(("first better", "second better"), self.protocol.systems, strict=True))
        return Judgement(
            holds=test.verdict != "continue",
            value=ahead * gain + behind * loss,
            bound=log((1 - test.beta) / (test.alpha / 2)),
            verdict="no difference" if test.verdict == "no difference" else "double",
            winner=names.get(test.verdict),
        )

    def plain(self) -> Any:  # noqa: ANN401
        return to_plain(self.test)

    def restore(self, saved: Any) -> None:  # noqa: ANN401
        self.test = from_plain(DoubleTest, saved)


class _AllPairs(RuleState):
    """Wald-MSRB: a test of every pair; under scheme B losers are tested no more."""

    def __init__(self, condition: Condition, protocol: Protocol) -> None:
        super().__init__(condition, protocol)
        self.test = plan_pairs(condition, protocol.systems)

    def count(self, pattern: int) -> None:
        self.test = self.test.update(pattern)

    def name_lost(self) -> frozenset[int]:
        if self.test.scheme == "A":
            return frozenset()
        races = [race for race in self.test.races if race.verdict in ("first", "second")]
        return frozenset(r.second if r.verdict == "first" else r.first for r in races)

    def leave(self, place: int) -> None:
        races = tuple(
            replace(race, verdict="dropped")
            if place in (race.first, race.second) and race.verdict == "open"
            else race
            for race in self.test.races
        )
        self.test = replace(self.test, races=races)

    def judge(self, snapshot: Snapshot, *, exact: bool = True) -> Judgement:
        del exact
        inside = [r for r in self.test.races if {r.first, r.second} <= set(snapshot.running)]
        leader = next((p for p in snapshot.running if self._beats_all(p, snapshot, inside)), None)
        still = sum(race.verdict == "open" for race in inside)
        return Judgement(
            holds=leader is not None or not still,
            value=float(still),
            bound=0.0,
            verdict="no winner" if leader is None else "pairs",
            winner=None if leader is None else self.protocol.systems[leader],
        )

    def _beats_all(self, place: int, snapshot: Snapshot, inside: list[PairRace]) -> bool:
        if self.test.scheme == "B":
            # Who left without having lost may be the best, and the losers may have lost to it.
            return set(range(len(self.protocol.systems))) - self.name_lost() == {place}
        won = {r.second for r in inside if r.first == place and r.verdict == "first"}
        won |= {r.first for r in inside if r.second == place and r.verdict == "second"}
        return won == set(snapshot.running) - {place}

    def plain(self) -> Any:  # noqa: ANN401
        saved = to_plain(self.test)
        return {name: saved[name] for name in ("items", "stage", "races")}

    def restore(self, saved: Any) -> None:  # noqa: ANN401
        whole = to_plain(self.test) | saved
        self.test = from_plain(AllPairsTest, whole)


class _Racing(RuleState):
    """A race: who falls behind is dropped, until one is left.

    Who is closed instead has not been beaten: the others may have fallen behind it alone, so the
    last one running is then no winner.
    """

    def __init__(self, condition: Condition, protocol: Protocol) -> None:
        super().__init__(condition, protocol)
        self.race = start_race(protocol.systems, alpha=race_alpha(condition))
        self.places = tuple(range(len(protocol.systems)))
        self.wins = [list(row) for row in self.race.wins]
        self.items = self.calls = 0
        self.left: list[str] = []

    def count(self, pattern: int) -> None:
        if len(self.places) == 1:
            return
        right = [place for place in self.places if pattern >> place & 1]
        wrong = [place for place in self.places if not pattern >> place & 1]
        for winner in right:
            for loser in wrong:
                self.wins[winner][loser] += 1
        self.items += 1
        self.calls += len(self.places)

    def look(self, snapshot: Snapshot) -> None:
        del snapshot
        # Counting is cheap and judging is not: the race is judged at looks only.
        self.race = self._current().update(0, rows=0)
        self._find_places()

    def _current(self) -> Race:
        wins = tuple(tuple(row) for row in self.wins)
        return replace(self.race, wins=wins, items=self.items, calls=self.calls)

    def _find_places(self) -> None:
        self.places = tuple(map(self.protocol.systems.index, self.race.running))

    def name_lost(self) -> frozenset[int]:
        return frozenset(self.protocol.systems.index(name) for name in self.race.dropped)

    def leave(self, place: int) -> None:
        name = self.protocol.systems[place]
        if name not in self.race.dropped:
            self.left.append(name)
            self.race = replace(self._current(), dropped=(*self.race.dropped, name))
        self._find_places()

    def judge(self, snapshot: Snapshot, *, exact: bool = True) -> Judgement:
        del snapshot, exact
        self.race = self._current()
        bar = (len(self.protocol.systems) - 1) / self.race.alpha
        against = dict(zip(self.race.systems, self.race.evidence_against(), strict=True))
        running = sorted(self.race.running, key=against.__getitem__)
        weakest = against[running[-1]] if len(running) > 1 else log(bar)
        alone = len(running) == 1
        return Judgement(
            holds=alone,
            value=log10(exp(min(max(weakest, -LARGEST), LARGEST))),
            bound=log10(bar),
            verdict="left unbeaten" if self.left else "racing",
            winner=running[0] if alone and not self.left else None,
        )

    def plain(self) -> Any:  # noqa: ANN401
        saved = to_plain(self._current())
        kept = {name: saved[name] for name in ("wins", "dropped", "items", "calls")}
        return kept | {"left": list(self.left)}

    def restore(self, saved: Any) -> None:  # noqa: ANN401
        self.left = list(saved["left"])
        told = {name: value for name, value in saved.items() if name != "left"}
        self.race = from_plain(Race, to_plain(self.race) | told)
        self.wins = [list(row) for row in self.race.wins]
        self.items, self.calls = self.race.items, self.race.calls
        self._find_places()


def plan_looks(condition: Condition, rule: Rule) -> list[int]:
    """Items after which spending is looked at: equal shares of the most items."""
    number, last = int(float(condition.arguments[1])), most_items(rule) or 1
    return [max(1, round(last * k / number)) for k in range(1, number + 1)]


def plan_bounds(condition: Condition) -> tuple[float, ...]:
    """Bounds of the planned looks, fixed beforehand."""
    kind, looks = condition.arguments
    number = int(float(looks))
    plan = spending_bounds(
        [k / number for k in range(1, number + 1)],
        alpha=condition.option("alpha", ALPHA),
        kind=kind,  # type: ignore[arg-type]
        sides=2,
    )
    return tuple(plan.bounds)


def plan_wald(condition: Condition) -> WaldTest:
    """Give Wald's test that a condition asks for."""
    low, high = (float(ratio) for ratio in condition.arguments)
    alpha, beta = condition.option("alpha", ALPHA), condition.option("beta", BETA)
    return wald_test(low, high, alpha=alpha, beta=beta, ratio="omega")


def plan_pairs(condition: Condition, systems: Sequence[str]) -> AllPairsTest:
    """Give the test of all pairs that a condition asks for."""
    smallest, scheme = condition.arguments
    return all_pairs_test(
        tuple(systems),
        smallest=float(smallest),
        alpha=condition.option("alpha", ALPHA),
        beta=condition.option("beta", BETA),
        scheme=scheme,  # type: ignore[arg-type]
    )


def race_alpha(condition: Condition) -> float:
    """Give each race half of the error rate: of two that are equally good either may be dropped.

    A race drops the best with its alpha at most. With t equal best ones a winner is named only
    when t - 1 of them are dropped, which happens with t/(t - 1) times that, twice it at most.
    """
    return condition.option("alpha", ALPHA) / 2


class _Claim(RuleState):
    """A claim about one system; once it is decided it stays decided."""

    def __init__(self, condition: Condition, protocol: Protocol) -> None:
        super().__init__(condition, protocol)
        self.claim = campaign_claim(condition)
        self.place = protocol.systems.index(self.claim.system)
        self.decided = 0

    def look(self, snapshot: Snapshot) -> None:
        if not self.decided and self.place in snapshot.running:
            counts = snapshot.correct[self.place], snapshot.tested[self.place]
            self.decided = int(self.claim.decide(*counts))

    def judge(self, snapshot: Snapshot, *, exact: bool = True) -> Judgement:
        del exact
        counts = snapshot.correct[self.place], snapshot.tested[self.place]
        return Judgement(
            holds=bool(self.decided),
            value=self.claim.limit(*counts) if counts[1] else None,
            bound=self.claim.claim.limit / self.claim.each,
            verdict="keeps" if self.decided > 0 else "breaks",
            winner=self.claim.system,
        )

    def plain(self) -> Any:  # noqa: ANN401
        return self.decided

    def restore(self, saved: Any) -> None:  # noqa: ANN401
        self.decided = int(saved)


REMEMBERING: dict[str, type[RuleState]] = {
    "evidence": Evidence,
    "spending": _Spending,
    "wald": _Wald,
    "double-wald": _DoubleWald,
    "wald-msrb": _AllPairs,
    "racing": _Racing,
    "claim": _Claim,
}
"""Conditions of right and wrong that remember, by name."""


def right_state(condition: Condition, protocol: Protocol) -> RuleState:
    """Start to follow a condition on right and wrong answers."""
    return REMEMBERING.get(condition.name, _Momentary)(condition, protocol)

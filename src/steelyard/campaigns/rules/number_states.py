"""Conditions on a number for each item while a campaign runs: bets, and a limit law."""

from abc import ABC
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from math import exp, log
from typing import Any

from steelyard.campaigns.protocol import Protocol
from steelyard.campaigns.rules.companions import LOWER, companion_of
from steelyard.campaigns.rules.grammar import Condition
from steelyard.campaigns.rules.numbers import (
    ALPHA,
    is_area,
    is_numeric,
    numeric_claim,
    others_than,
)
from steelyard.campaigns.rules.rule_state import LARGEST, Evidence, close_logs, right_state
from steelyard.campaigns.rules.snapshot import Judgement, RuleState, Snapshot
from steelyard.comparison.sequential.values import (
    AsymptoticLook,
    BettingEvidence,
    asymptotic_sequence,
    start_betting,
)
from steelyard.errors import SteelyardError
from steelyard.uncertainty.values.means import estimate_mean

__all__ = ["area_so_far", "start_state"]

BETS = ("seen", "total", "spread", "log_up", "log_down", "highest")
MOST_OPEN = 10_000
"""Scores of one side that wait for the other; further ones are left out, whatever they are."""


class _Betting(Evidence):
    """Bets on the differences of every pair; what was once decided stays decided.

    As for right and wrong the family is every pair that started, closed by averaging. Bets are
    sized by the bound.
    """

    verdict = "betting"

    def __init__(self, condition: Condition, protocol: Protocol) -> None:
        super().__init__(condition, protocol)
        self.way = -1.0 if LOWER in condition.arguments else 1.0
        width = self._width()
        start = start_betting(bounds=(-width, width), alpha=1 / (condition.bound or 20.0))
        self.bets = dict.fromkeys(self.family, start)

    def _width(self) -> float:
        low, high = (float(one) for one in self.condition.arguments[:2])
        return high - low

    def count_values(self, values: Mapping[int, float]) -> None:
        for (a, b), bet in self.bets.items():
            if a in values and b in values:
                self.bets[a, b] = bet.extend([self.way * (values[a] - values[b])])

    def _ahead(self, a: int, b: int, snapshot: Snapshot) -> bool:
        del snapshot
        return self.bets[a, b].log_up > self.bets[a, b].log_down

    def _leader(self, snapshot: Snapshot) -> int:
        return max(snapshot.running, key=lambda one: (self.way * snapshot.sums[one], -one))

    def _values(self, snapshot: Snapshot) -> list[float]:
        del snapshot
        return close_logs([_log_evidence(bet) for bet in self.bets.values()])

    def plain(self) -> Any:  # noqa: ANN401
        bets = [[getattr(bet, name) for name in BETS] for bet in self.bets.values()]
        return {"beats": super().plain(), "bets": bets}

    def restore(self, saved: Any) -> None:  # noqa: ANN401
        super().restore(saved["beats"])
        self.bets = {
            pair: replace(bet, **dict(zip(BETS, kept, strict=True)))
            for (pair, bet), kept in zip(self.bets.items(), saved["bets"], strict=True)
        }


class _AreaBetting(_Betting):
    """Bets on the differences of areas: each next item of the class against the next other one.

    On such two items a system has won 1 where it scores the first higher, one half where both
    score the same. All systems are held against one another on the same two items, and every item
    stands in one such pair, so that pairs are independent.
    """

    def __init__(self, condition: Condition, protocol: Protocol) -> None:
        super().__init__(condition, protocol)
        self.companion = len(protocol.competitors)
        self.open: list[deque[dict[int, float]]] = [deque(), deque()]
        self.won = [0.0] * self.companion
        self.pairs = [0] * self.companion

    def _width(self) -> float:
        return 1.0

    def count_values(self, values: Mapping[int, float]) -> None:
        scores = {place: value for place, value in values.items() if place != self.companion}
        waiting = self.open[0 if values[self.companion] else 1]
        if len(waiting) < MOST_OPEN:
            waiting.append(scores)
        if all(self.open):
            positive, negative = (items.popleft() for items in self.open)
            won = {
                place: (positive[place] > negative[place])
                + (positive[place] == negative[place]) / 2
                for place in positive.keys() & negative.keys()
            }
            for place, part in won.items():
                self.won[place] += part
                self.pairs[place] += 1
            super().count_values(won)

    def area(self, place: int) -> tuple[float | None, int]:
        """The area of a system over its pairs so far, and how many they are."""
        pairs = self.pairs[place]
        return (self.won[place] / pairs if pairs else None), pairs

    def _leader(self, snapshot: Snapshot) -> int:
        return max(snapshot.running, key=lambda one: (self.won[one], -one))

    def plain(self) -> Any:  # noqa: ANN401
        waiting = [[sorted(one.items()) for one in items] for items in self.open]
        return {**super().plain(), "open": waiting, "won": self.won, "pairs": self.pairs}

    def restore(self, saved: Any) -> None:  # noqa: ANN401
        super().restore(saved)
        self.open = [
            deque({int(place): float(value) for place, value in one} for one in items)
            for items in saved["open"]
        ]
        self.won, self.pairs = list(map(float, saved["won"])), list(map(int, saved["pairs"]))


class _Numeric(RuleState, ABC):
    """A condition that is decided once: 1 for the first system or a kept claim, -1 else."""

    def __init__(self, condition: Condition, protocol: Protocol) -> None:
        super().__init__(condition, protocol)
        self.decided = 0
        self.alpha = condition.option("alpha", ALPHA)


class _Asymptotic(_Numeric):
    """The asymptotic sequence of the mean difference of two systems, from sums."""

    def __init__(self, condition: Condition, protocol: Protocol) -> None:
        super().__init__(condition, protocol)
        self.way = -1.0 if LOWER in condition.arguments else 1.0
        self.planned = int(float(condition.arguments[0]))
        self.sums = [0.0, 0.0, 0.0]

    def count_values(self, values: Mapping[int, float]) -> None:
        if 0 in values and 1 in values:
            gap = self.way * (values[0] - values[1])
            self.sums = [have + more for have, more in zip(self.sums, (1.0, gap, gap * gap),
                                                           strict=True)]  # fmt: skip

    def look(self, snapshot: Snapshot) -> None:
        del snapshot
        found = self._look_now()
        if not self.decided and found is not None and found.p_value <= self.alpha:
            self.decided = 1 if found.value > 0 else -1

    def _look_now(self) -> AsymptoticLook | None:
        """The limits as they stand; None with too few items, or no spread."""
        number, total, squares = self.sums
        try:
            estimate = estimate_mean(int(number), total, squares)
            return asymptotic_sequence(estimate, planned=self.planned, alpha=self.alpha)
        except SteelyardError:
            return None

    def judge(self, snapshot: Snapshot, *, exact: bool = True) -> Judgement:
        del exact
        found = self._look_now()
        ahead = self.sums[1] >= 0 if not self.decided else self.decided > 0
        return Judgement(
            holds=bool(self.decided),
            value=None if found is None else min(found.evidence, exp(LARGEST)),
            bound=1 / self.alpha,
            verdict="asymptotic",
            winner=snapshot.protocol.systems[0 if ahead else 1],
        )

    def plain(self) -> Any:  # noqa: ANN401
        return {"decided": self.decided, "sums": self.sums}

    def restore(self, saved: Any) -> None:  # noqa: ANN401
        self.decided, self.sums = int(saved["decided"]), [float(one) for one in saved["sums"]]


class _MeanClaim(_Numeric):
    """Bets against the limit of a claim about the mean of one system."""

    def __init__(self, condition: Condition, protocol: Protocol) -> None:
        super().__init__(condition, protocol)
        self.claim = numeric_claim(condition)
        self.place = protocol.systems.index(self.claim.system)
        self.bet = start_betting(
            bounds=(self.claim.low, self.claim.high),
            against=self.claim.against,
            alpha=self.claim.alpha,
        )

    def count_values(self, values: Mapping[int, float]) -> None:
        if self.place in values:
            self.bet = self.bet.extend([values[self.place]])

    def look(self, snapshot: Snapshot) -> None:
        if not self.decided and self.place in snapshot.running:
            if _log_evidence(self.bet) >= -log(self.alpha):
                above = 1 if self.bet.log_up > self.bet.log_down else -1
                self.decided = above if self.claim.claim.side == "at least" else -above

    def judge(self, snapshot: Snapshot, *, exact: bool = True) -> Judgement:
        del snapshot, exact
        return Judgement(
            holds=bool(self.decided),
            value=exp(min(_log_evidence(self.bet), LARGEST)),
            bound=1 / self.alpha,
            verdict="keeps" if self.decided > 0 else "breaks",
            winner=self.claim.system,
        )

    def plain(self) -> Any:  # noqa: ANN401
        return {"decided": self.decided, "bet": [getattr(self.bet, name) for name in BETS]}

    def restore(self, saved: Any) -> None:  # noqa: ANN401
        self.decided = int(saved["decided"])
        self.bet = replace(self.bet, **dict(zip(BETS, saved["bet"], strict=True)))


class _RatioClaim(_MeanClaim):
    """Bets on what an item has more of than it may: e - r w is 0 on average on the limit r."""

    def __init__(self, condition: Condition, protocol: Protocol) -> None:
        super().__init__(condition, protocol)
        self.companion = len(protocol.competitors)

    def count_values(self, values: Mapping[int, float]) -> None:
        if self.place in values:
            allowed = self.claim.claim.limit * values[self.companion]
            self.bet = self.bet.extend([values[self.place] - allowed])


class _AreaClaim(_MeanClaim):
    """Bets on pairs: the next score of the class against the next score of the others.

    Every score stands in one pair, so that pairs are independent, and their mean is the area.
    """

    def __init__(self, condition: Condition, protocol: Protocol) -> None:
        super().__init__(condition, protocol)
        self.places = (self.place, protocol.systems.index(others_than(self.claim.system)))
        self.open: list[deque[float]] = [deque(), deque()]
        self.most = protocol.cap

    def count_values(self, values: Mapping[int, float]) -> None:
        for place, scores in zip(self.places, self.open, strict=True):
            # Scores beyond the last pair that the rule allows would wait for ever.
            if place in values and (self.most is None or self.bet.seen + len(scores) < self.most):
                scores.append(values[place])
        if all(self.open):
            positive, negative = (scores.popleft() for scores in self.open)
            self.bet = self.bet.extend([(positive > negative) + (positive == negative) / 2])

    @property
    def area(self) -> tuple[float | None, int]:
        """The area over the pairs so far, and how many they are."""
        return (self.bet.total / self.bet.seen if self.bet.seen else None), self.bet.seen

    def plain(self) -> Any:  # noqa: ANN401
        return {**super().plain(), "open": [list(scores) for scores in self.open]}

    def restore(self, saved: Any) -> None:  # noqa: ANN401
        super().restore(saved)
        self.open = [deque(map(float, scores)) for scores in saved["open"]]


def _log_evidence(bet: BettingEvidence) -> float:
    return max(bet.log_up, bet.log_down) - log(2)


NUMBER_STATES: dict[str, type[RuleState]] = {
    "betting": _Betting,
    "asymptotic": _Asymptotic,
    "claim": _MeanClaim,
}


def area_so_far(state: RuleState, place: int = 0) -> tuple[float | None, int]:
    """Give the area of a claim, or of one of several systems, and its pairs; else there is none."""
    if isinstance(state, _AreaBetting):
        return state.area(place)
    return state.area if isinstance(state, _AreaClaim) else (None, 0)


def start_state(condition: Condition, protocol: Protocol) -> RuleState:
    """Start to follow a condition."""
    if is_area(condition):
        return _AreaClaim(condition, protocol)
    beside = companion_of(condition)
    if beside is not None and beside.kind == "class":
        return _AreaBetting(condition, protocol)
    if beside is not None and condition.name == "claim":
        return _RatioClaim(condition, protocol)
    if is_numeric(condition):
        return NUMBER_STATES[condition.name](condition, protocol)
    return right_state(condition, protocol)

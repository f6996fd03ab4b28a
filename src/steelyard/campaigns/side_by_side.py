"""Many simulated campaigns of several systems at once: the same rule at the same looks."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, logsumexp, ndtri

from steelyard.campaigns.grammar import AllOf, AnyOf, Condition, Rule, conditions_of
from steelyard.campaigns.protocol import Protocol
from steelyard.comparison.evidence import closed_by_averaging, log_evidence

__all__ = ["Together", "goes_together", "run_together"]

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Truths = NDArray[np.bool_]
Draw = Callable[[int], Truths]

NOBODY = -1
ALPHA = 0.05
DRAWS = 2000
ROOM = 2_000_000
"""Numbers held at a time while joint chances are drawn."""
SURE = 1e-12
LARGEST = 700.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """How every campaign ended: its items, its cost, and the place of its winner or -1."""

    items: Whole
    costs: Floats
    winners: Whole


def goes_together(protocol: Protocol) -> bool:
    """Tell whether campaigns of a protocol can be followed side by side."""
    names = {one.name for one in conditions_of(protocol.parsed)}
    spends = protocol.budget is not None or "cost" in names
    known = names <= {*JUDGES, "n", "cost"} and not ("racing" in names and spends)
    return known and protocol.pairing == "common" and len(protocol.systems) > 2


def run_together(
    protocol: Protocol, draw: Draw, *, cap: int, campaigns: int, rng: np.random.Generator
) -> Together:
    """Follow campaigns to their ends; ``draw`` gives so many items, a row for each.

    Chances that two limits in closed form do not decide are those of a normal copula: every pair
    keeps its exact chance, and only how the pairs hang together is approximated.
    """
    size, step = len(protocol.systems), protocol.step or 1
    state = _Many(protocol, campaigns, size, rng)
    items, costs = np.zeros(campaigns, dtype=np.int64), np.zeros(campaigns)
    winners = np.full(campaigns, NOBODY)
    alive = np.arange(campaigns)
    last = cap if protocol.budget is None else _affordable(protocol, cap)
    while alive.size:
        block = min(step - state.n % step, last - state.n)
        drawn = draw(block * alive.size).reshape(alive.size, block, size)
        state.count(drawn.astype(np.float64))
        items[alive], costs[alive] = state.n, state.cost
        ends = state.n >= last
        looked = state.n % step == 0 or state.n == protocol.cap
        holds, answers = state.decide() if looked else (np.zeros(alive.size, dtype=bool), None)
        if answers is not None:
            winners[alive[holds]] = answers[holds]
        over = holds | ends
        alive = alive[~over]
        state.keep(~over)
    return Together(items=items, costs=costs, winners=winners)


def _affordable(protocol: Protocol, cap: int) -> int:
    budget = protocol.budget or 0.0
    return int(min(cap, max(1, np.ceil(budget / sum(protocol.costs) - SURE))))


class _Many:
    """Counts of all campaigns that go on; ``both`` are items that two systems had right."""

    def __init__(
        self, protocol: Protocol, campaigns: int, size: int, rng: np.random.Generator
    ) -> None:
        self.protocol = protocol
        self.n = 0
        self.both = np.zeros((campaigns, size, size))
        self.cost = np.zeros(campaigns)
        self.normals = rng.standard_normal((DRAWS, size))
        self.memories = [
            _Memory(campaigns, size) if one.name in ("evidence", "racing") else None
            for one in conditions_of(protocol.parsed)
        ]
        answering = [c for c in conditions_of(protocol.parsed) if c.name not in ("n", "cost")]
        self.drops = bool(answering) and all(one.name == "racing" for one in answering)

    def count(self, outcomes: Floats) -> None:
        """Count a block of items, a row for each campaign."""
        block = np.swapaxes(outcomes, 1, 2) @ outcomes
        self.n += outcomes.shape[1]
        self.both += block
        running = np.ones(self.both.shape[:2], dtype=bool)
        for memory in self.memories:
            if memory is not None:
                memory.count(block)
                running = running & memory.running if self.drops else running
        self.cost = self.cost + outcomes.shape[1] * (running @ np.array(self.protocol.costs))

    def keep(self, chosen: Truths) -> None:
        """Go on with some of the campaigns."""
        self.both, self.cost = self.both[chosen], self.cost[chosen]
        for memory in self.memories:
            if memory is not None:
                memory.keep(chosen)

    def decide(self) -> tuple[Truths, Whole]:
        """Take a look: which campaigns stop, and whom each names."""
        return self._evaluated(self.protocol.parsed, iter(self.memories))

    def _evaluated(self, rule: Rule, memories: "Iterator[_Memory | None]") -> tuple[Truths, Whole]:
        if isinstance(rule, Condition):
            return self._judged(rule, next(memories))
        parts = [self._evaluated(part, memories) for part in rule.parts]
        every = isinstance(rule, AllOf)
        assert every or isinstance(rule, AnyOf)
        masks = np.array([held for held, _ in parts])
        holds = np.asarray(masks.all(axis=0) if every else masks.any(axis=0))
        answers = np.full(holds.size, NOBODY)
        for held, named in reversed(parts):
            answers = np.where(held & (named != NOBODY), named, answers)
        return holds, answers

    def _judged(self, condition: Condition, memory: "_Memory | None") -> tuple[Truths, Whole]:
        bound = condition.bound or 0.0
        if condition.name in ("n", "cost"):
            value = np.full(self.cost.size, float(self.n)) if condition.name == "n" else self.cost
            return value >= bound, np.full(self.cost.size, NOBODY)
        return JUDGES[condition.name](self, condition, memory)

    @property
    def right(self) -> Floats:
        """Right answers of every system."""
        return np.diagonal(self.both, axis1=1, axis2=2)

    def better(self, first: Whole, second: Whole) -> Floats:
        """Chance that the first of each pair is better, in closed form; a column for each pair."""
        rows = np.arange(first.shape[0])[:, None]
        shared = self.both[rows, first, second]
        won = self.both[rows, first, first] - shared
        lost = self.both[rows, second, second] - shared
        found: Floats = betainc(lost + 0.5, won + 0.5, 0.5)
        return found

    def reached(self, first: Whole, second: Whole, bound: float) -> Truths:
        """Tell where the chance that every first is better than its second reaches a bound."""
        pairs = self.better(first, second)
        low, high = 1 - (1 - pairs).sum(axis=1), pairs.min(axis=1)
        holds: Truths = low >= bound
        unclear = np.flatnonzero(~holds & (high >= bound))
        room = max(1, ROOM // (DRAWS * first.shape[1]))
        for start in range(0, unclear.size, room):
            chosen = unclear[start : start + room]
            chances = self._joint(chosen, first[chosen], second[chosen], pairs[chosen])
            holds[chosen] = chances >= bound
        return holds

    def _joint(self, chosen: Whole, first: Whole, second: Whole, pairs: Floats) -> Floats:
        size = self.both.shape[1]
        mean = (self.both[chosen] + 0.5 + 0.5 * np.eye(size)) / (self.n + 2)
        rows = np.arange(chosen.size)[:, None, None]
        a, b = first[:, :, None], second[:, :, None]
        c, d = first[:, None, :], second[:, None, :]
        product = mean[rows, a, c] - mean[rows, a, d] - mean[rows, b, c] + mean[rows, b, d]
        rates = np.diagonal(mean, axis1=1, axis2=2)
        gap = np.take_along_axis(rates, first, 1) - np.take_along_axis(rates, second, 1)
        shared = product - gap[:, :, None] * gap[:, None, :]
        spread = np.sqrt(np.diagonal(shared, axis1=1, axis2=2))
        alike = shared / (spread[:, :, None] * spread[:, None, :])
        root = np.linalg.cholesky(alike + 1e-9 * np.eye(first.shape[1]))
        drawn = self.normals[None, :, : first.shape[1]] @ np.swapaxes(root, 1, 2)
        ends = ndtri(np.clip(pairs, SURE, 1 - SURE))
        below: Floats = (drawn <= ends[:, None, :]).all(axis=2).mean(axis=1)
        return below


@dataclass(slots=True)
class _Memory:
    """What a condition keeps of earlier looks: who runs, wins while running, who beat whom."""

    campaigns: int
    size: int
    running: Truths = field(init=False)
    wins: Floats = field(init=False)
    beats: Truths = field(init=False)

    def __post_init__(self) -> None:
        shape = (self.campaigns, self.size, self.size)
        self.running = np.ones(shape[:2], dtype=bool)
        self.wins, self.beats = np.zeros(shape), np.zeros(shape, dtype=bool)

    def count(self, block: Floats) -> None:
        right = np.diagonal(block, axis1=1, axis2=2)
        race = self.running[:, :, None] & self.running[:, None, :]
        self.wins += (right[:, :, None] - block) * race

    def keep(self, chosen: Truths) -> None:
        self.running, self.wins = self.running[chosen], self.wins[chosen]
        self.beats = self.beats[chosen]


def _best(many: _Many, condition: Condition, memory: _Memory | None) -> tuple[Truths, Whole]:
    del memory
    right = many.right
    leader = right.argmax(axis=1)
    places = np.arange(right.shape[1])
    others = np.array([np.delete(places, one) for one in leader])
    first = np.repeat(leader[:, None], others.shape[1], axis=1)
    return many.reached(first, others, condition.bound or 0.0), leader


def _ranking(many: _Many, condition: Condition, memory: _Memory | None) -> tuple[Truths, Whole]:
    del memory
    order = np.argsort(-many.right, axis=1, kind="stable")
    return many.reached(order[:, :-1], order[:, 1:], condition.bound or 0.0), order[:, 0]


def _pair(many: _Many, condition: Condition, memory: _Memory | None) -> tuple[Truths, Whole]:
    del memory
    names = many.protocol.systems
    a, b = (names.index(str(name)) for name in condition.arguments)
    rows = many.both.shape[0]
    chance = many.better(np.full((rows, 1), a), np.full((rows, 1), b))[:, 0]
    ahead = np.where(chance >= 0.5, a, b)
    return np.maximum(chance, 1 - chance) >= (condition.bound or 0.0), ahead


def _evidence(many: _Many, condition: Condition, memory: _Memory | None) -> tuple[Truths, Whole]:
    assert memory is not None
    bound = condition.bound or 20.0
    size = many.both.shape[1]
    pairs = np.array(list(combinations(range(size), 2)))
    won = memory.wins[:, pairs[:, 0], pairs[:, 1]]
    lost = memory.wins[:, pairs[:, 1], pairs[:, 0]]
    logs = log_evidence(won, lost)[0]
    settled = memory.beats | np.swapaxes(memory.beats, 1, 2)
    fresh = (logs >= np.log(bound)) & ~settled[:, pairs[:, 0], pairs[:, 1]]
    for row in np.flatnonzero(fresh.any(axis=1)):
        adjusted = closed_by_averaging(np.exp(np.minimum(logs[row], LARGEST)).tolist())
        for place in np.flatnonzero(fresh[row] & (np.array(adjusted) >= bound)):
            a, b = pairs[place] if won[row, place] > lost[row, place] else pairs[place][::-1]
            memory.beats[row, a, b] = True
    return _champions(memory.beats.sum(axis=2) == size - 1)


def _racing(many: _Many, condition: Condition, memory: _Memory | None) -> tuple[Truths, Whole]:
    assert memory is not None
    size = many.both.shape[1]
    bar = np.log((size - 1) / condition.option("alpha", ALPHA))
    rival = log_evidence(np.swapaxes(memory.wins, 1, 2), memory.wins)[1]
    rival[:, np.arange(size), np.arange(size)] = -np.inf
    against = logsumexp(rival, axis=2)
    weak = memory.running & (against >= bar)
    strongest = np.where(memory.running, against, np.inf).argmin(axis=1)
    none_left = (memory.running & ~weak).sum(axis=1) == 0
    weak[none_left, strongest[none_left]] = False
    several = memory.running.sum(axis=1) > 1
    memory.running &= ~(weak & several[:, None])
    return _champions(memory.running & (memory.running.sum(axis=1) == 1)[:, None])


def _champions(alone: Truths) -> tuple[Truths, Whole]:
    holds = np.asarray(alone.any(axis=1))
    return holds, np.where(holds, alone.argmax(axis=1), NOBODY)


Judge = Callable[[_Many, Condition, "_Memory | None"], tuple[Truths, Whole]]

JUDGES: dict[str, Judge] = {
    "best": _best,
    "ranking": _ranking,
    "pair": _pair,
    "evidence": _evidence,
    "racing": _racing,
}
"""Conditions that can be judged for many campaigns at once."""

"""Many simulated campaigns at once: the same rule at the same looks."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol as Shape

import numpy as np
from numpy.typing import NDArray

from steelyard.campaigns.protocol import Protocol
from steelyard.campaigns.rules.grammar import (
    AllOf,
    AnyOf,
    Condition,
    Rule,
    conditions_of,
    most_items,
)
from steelyard.campaigns.simulation.side_judges import JUDGES, NOBODY, Judge, Snapshot

__all__ = ["Together", "looks_followed", "run_together"]

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Truths = NDArray[np.bool_]

MOST_LOOKS, MOST_OF_MANY = 2000, 600
"""Looks of two systems, and of more, that are all followed; beyond, the later ones at distances
that grow with the items, each some hundredths further than the one before."""
SURE = 1e-12
DROPPING = {"racing", "wald-msrb"}


class Source(Shape):
    """Where the outcomes of items come from."""

    def tally(self, campaigns: int, items: int) -> Floats:
        """Draw items for each campaign: how many every two systems had right together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """How every campaign ended: its items, its cost, and the place of its winner.

    The place is -1 where nothing was said, -2 where no difference was found. ``looks`` says how
    many of the looks were followed, 1 if all.
    """

    items: Whole
    costs: Floats
    winners: Whole
    looks: float


def run_together(
    protocol: Protocol,
    source: Source,
    *,
    cap: int,
    campaigns: int,
    rng: np.random.Generator,
    tell: Callable[[str], None] | None = None,
) -> Together:
    """Follow campaigns to their ends, or to ``cap`` items.

    Chances that limits in closed form do not decide are those of a normal copula on common items:
    every pair keeps its exact chance, and only how the pairs hang together is approximated.
    Expected losses of three systems or more, and on independent items, are those of a normal
    posterior.

    ``tell`` hears now and then how far the simulation is.
    """
    points, share = looks_followed(protocol, cap)
    state = _Many(protocol, campaigns, rng)
    items, costs = np.zeros(campaigns, dtype=np.int64), np.zeros(campaigns)
    winners = np.full(campaigns, NOBODY)
    alive = np.arange(campaigns)
    for place, (n, looked) in enumerate(points):
        if tell is not None and place % 50 == 0:
            tell(f"{n:,d} of at most {cap:,d} items")
        state.count(source.tally(alive.size, n - state.n), n)
        items[alive], costs[alive] = state.n, state.cost
        over = np.full(alive.size, n >= cap)
        if protocol.budget is not None:
            over |= state.cost >= protocol.budget - SURE
        if looked:
            holds, answers = state.decide()
            winners[alive[holds]] = answers[holds]
            over |= holds
        if over.any():
            alive = alive[~over]
            state.keep(~over)
        if not alive.size:
            break
    return Together(items=items, costs=costs, winners=winners, looks=share)


def looks_followed(protocol: Protocol, cap: int) -> tuple[list[tuple[int, bool]], float]:
    """Choose the items after which campaigns are counted, and which of these are looks.

    Up to 2,000 looks (600 for three systems or more) are all followed; of more the first half of
    that, and later ones at distances that grow with the items. The second value is the share of
    looks that are followed.

    Examples
    --------
    >>> protocol = Protocol(systems=("a", "b"), rule="evidence >= 20 or n >= 30", step=10)
    >>> looks_followed(protocol, 30)
    ([(10, True), (20, True), (30, True)], 1.0)
    """
    step = protocol.step or 1
    number = cap // step
    most = MOST_LOOKS if len(protocol.systems) == 2 else MOST_OF_MANY
    if number <= most:
        looks = step * np.arange(1, number + 1)
    else:  # never all of them: a cap may be a thousand million items away
        half = most // 2
        later = np.round(np.geomspace(half, number, half)).astype(np.int64)
        kept = [step * np.arange(1, half + 1), step * later, _planned(protocol, step, cap)]
        looks = np.unique(np.concatenate(kept))
    looked = set(looks.tolist())
    if protocol.cap == cap:
        looked.add(cap)
    if not (_every_item(protocol) and step > 1 and cap <= most):
        return [(n, n in looked) for n in sorted(looked | {cap})], looks.size / max(number, 1)
    return [(n, n in looked) for n in range(1, cap + 1)], looks.size / max(number, 1)


def _planned(protocol: Protocol, step: int, cap: int) -> Whole:
    """Looks that a plan names, each at the next look that is taken."""
    found: list[int] = []
    for one in conditions_of(protocol.parsed):
        if one.name == "spending":
            last, number = most_items(protocol.parsed) or 1, int(float(one.arguments[1]))
            places = [max(1, round(last * k / number)) for k in range(1, number + 1)]
            found += [-(-place // step) * step for place in places]
    return np.array([place for place in found if place <= cap], dtype=np.int64)


def _every_item(protocol: Protocol) -> bool:
    """Tell whether some condition follows every item, whatever the looks."""
    names = {one.name for one in conditions_of(protocol.parsed)}
    return bool(names & {"wald", "double-wald", "wald-msrb"})


class _Many:
    """Counts of all campaigns that go on; ``both`` are items that two systems had right."""

    def __init__(self, protocol: Protocol, campaigns: int, rng: np.random.Generator) -> None:
        size = len(protocol.systems)
        self.protocol = protocol
        self.n = 0
        self.both = np.zeros((campaigns, size, size))
        self.cost = np.zeros(campaigns)
        self.rule = protocol.parsed
        self.conditions = list(conditions_of(self.rule))
        self.judges: list[Judge | None] = [
            None
            if one.name in ("n", "cost")
            else JUDGES[one.name](one, protocol, campaigns=campaigns, rng=rng)
            for one in self.conditions
        ]
        answering = [one for one in self.conditions if one.name not in ("n", "cost")]
        self.drops = bool(answering) and all(one.name in DROPPING for one in answering)

    def count(self, block: Floats, n: int) -> None:
        """Count a block of items, a row for each campaign."""
        items, self.n = n - self.n, n
        self.both += block
        running = np.ones(self.both.shape[:2], dtype=bool)
        if self.drops:
            lost = [judge.lost() for judge in self.judges if judge is not None]
            running = ~np.logical_and.reduce(lost)
        for judge in self.judges:
            if judge is not None:
                judge.count(block)
        self.cost = self.cost + items * (running @ np.array(self.protocol.costs))

    def keep(self, chosen: Truths) -> None:
        """Go on with some of the campaigns."""
        self.both, self.cost = self.both[chosen], self.cost[chosen]
        for judge in self.judges:
            if judge is not None:
                judge.keep(chosen)

    def decide(self) -> tuple[Truths, Whole]:
        """Take a look: which campaigns stop, and whom each names."""
        seen = Snapshot(protocol=self.protocol, n=self.n, both=self.both)
        return self._evaluated(self.rule, iter(self.judges), seen)

    def _evaluated(
        self, rule: Rule, judges: "Iterator[Judge | None]", seen: Snapshot
    ) -> tuple[Truths, Whole]:
        if isinstance(rule, Condition):
            judge = next(judges)
            if judge is not None:
                return judge.judge(seen)
            items = np.full(self.cost.size, float(self.n))
            value = items if rule.name == "n" else self.cost
            return value >= (rule.bound or 0.0), np.full(self.cost.size, NOBODY)
        parts = [self._evaluated(part, judges, seen) for part in rule.parts]
        every = isinstance(rule, AllOf)
        assert every or isinstance(rule, AnyOf)
        masks = np.array([held for held, _ in parts])
        holds = np.asarray(masks.all(axis=0) if every else masks.any(axis=0))
        answers = np.full(holds.size, NOBODY)
        for held, named in reversed(parts):
            answers = np.where(held & (named != NOBODY), named, answers)
        return holds, answers

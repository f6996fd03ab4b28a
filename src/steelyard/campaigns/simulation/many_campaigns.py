"""Many simulated campaigns at once: the same rule at the same looks, a row for each campaign."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol as Shape

import numpy as np
from scipy.special import gammaln, logsumexp

from steelyard.campaigns.protocol import Protocol, least_spent
from steelyard.campaigns.rules.conditions import ALPHA, BETA, dropping_conditions
from steelyard.campaigns.rules.grammar import (
    AllOf,
    AnyOf,
    Condition,
    Rule,
    conditions_of,
)
from steelyard.campaigns.rules.rule_state import (
    plan_bounds,
    plan_looks,
    plan_pairs,
    plan_wald,
    race_alpha,
)
from steelyard.campaigns.simulation.many_posteriors import (
    Floats,
    SameChances,
    Truths,
    Whole,
    apart_best,
    apart_loss,
    apart_ranking,
    joint_loss,
    loss_of_leader,
    reach_jointly,
)
from steelyard.comparison.sequential.evidence import log_evidence
from steelyard.comparison.sequential.spending import exact_deviate
from steelyard.comparison.sequential.whole_powers import MET
from steelyard.planning.stopping.all_pairs_walks import FIRST, OPEN, SECOND, AllPairsWalks

__all__ = [
    "JUDGES",
    "NOBODY",
    "NO_DIFFERENCE",
    "Judge",
    "ManySnapshots",
    "Together",
    "choose_looks",
    "follow_campaigns",
]


NOBODY, NO_DIFFERENCE = -1, -2
DRAWS = 2000
"""Common to all campaigns, so that they are compared on the same luck."""
LARGEST = 700.0
"""Evidence beyond e^700 leaves double precision, and has decided long before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ManySnapshots:
    """Counts at one look: ``both[c, i, j]`` items that i and j had right, in campaign c."""

    protocol: Protocol
    n: int
    both: Floats

    @property
    def common(self) -> bool:
        """Whether the systems see the same items."""
        return self.protocol.pairing == "common"

    @property
    def right(self) -> Floats:
        """Right answers of every system."""
        return np.diagonal(self.both, axis1=1, axis2=2)

    def posteriors(self) -> tuple[Floats, Floats]:
        """Parameters of the Beta posteriors on independent items."""
        priors = np.array(self.protocol.priors)
        return self.right + priors[:, 0], self.n - self.right + priors[:, 1]

    def places(self, condition: Condition) -> list[int]:
        """Places of the two systems that a condition names."""
        return [self.protocol.systems.index(str(name)) for name in condition.arguments[:2]]

    def wins(self, first: int, second: int) -> tuple[Floats, Floats]:
        """Items that only the first, and only the second, had right."""
        shared = self.both[:, first, second]
        return self.both[:, first, first] - shared, self.both[:, second, second] - shared


class Judge(ABC):
    """A condition, with what it remembers of every campaign: as it stands here, nothing."""

    def __init__(
        self, condition: Condition, protocol: Protocol, *, campaigns: int, rng: np.random.Generator
    ) -> None:
        self.condition, self.protocol = condition, protocol
        self.bound = condition.bound or 0.0
        self.size, self.campaigns = len(protocol.systems), campaigns
        self.normals = rng.standard_normal((DRAWS, self.size))
        self.prepare()

    def prepare(self) -> None:  # noqa: B027 - most have nothing to do here
        """Find the lines of a test, and make room for what is remembered."""

    def count(self, block: Floats) -> None:  # noqa: B027 - most have nothing to do here
        """Take a block of items into account."""

    def keep(self, chosen: Truths) -> None:  # noqa: B027 - most have nothing to do here
        """Go on with some of the campaigns."""

    def name_lost(self) -> Truths:
        """Systems that need no more testing, a row for each campaign."""
        return np.zeros((self.campaigns, self.size), dtype=bool)

    @abstractmethod
    def judge(self, seen: ManySnapshots) -> tuple[Truths, Whole]:
        """Say where it holds, and whom it names."""


class _Best(Judge):
    def judge(self, seen: ManySnapshots) -> tuple[Truths, Whole]:
        if not seen.common:
            return apart_best(*seen.posteriors(), self.bound)
        leader = seen.right.argmax(axis=1)
        places = np.arange(self.size)
        others = np.array([np.delete(places, one) for one in leader])
        first = np.repeat(leader[:, None], others.shape[1], axis=1)
        return reach_jointly(seen.both, seen.n, (first, others), self.bound, self.normals), leader


class _Ranking(Judge):
    def judge(self, seen: ManySnapshots) -> tuple[Truths, Whole]:
        order = np.argsort(-seen.right, axis=1, kind="stable")
        if not seen.common:
            return apart_ranking(*seen.posteriors(), self.bound)
        first, second = order[:, :-1], order[:, 1:]
        holds = reach_jointly(seen.both, seen.n, (first, second), self.bound, self.normals)
        return holds, order[:, 0]


class _Pair(Judge):
    def judge(self, seen: ManySnapshots) -> tuple[Truths, Whole]:
        places = np.array(seen.places(self.condition))
        if not seen.common:
            a, b = (part[:, places] for part in seen.posteriors())
            holds, ahead = apart_best(a, b, self.bound)
            return holds, places[ahead]
        won, lost = seen.wins(*places)
        ahead = np.where(won >= lost, places[0], places[1])
        first, second = ahead[:, None], (places.sum() - ahead)[:, None]
        return reach_jointly(seen.both, seen.n, (first, second), self.bound, self.normals), ahead


class _Same(Judge):
    def judge(self, seen: ManySnapshots) -> tuple[Truths, Whole]:
        first, second = seen.places(self.condition)
        chances = SameChances(margin=float(self.condition.arguments[2]), bound=self.bound)
        if seen.common:
            holds = chances.reach_bound(*seen.wins(first, second), seen.n)
        else:
            a, b = seen.posteriors()
            holds = chances.apart(a[:, [first, second]], b[:, [first, second]])
        return holds, np.full(holds.size, NO_DIFFERENCE)


class _Loss(Judge):
    def judge(self, seen: ManySnapshots) -> tuple[Truths, Whole]:
        leader = seen.right.argmax(axis=1)
        if not seen.common:
            loss, leader = apart_loss(*seen.posteriors(), self.bound, self.normals)
        elif self.size == 2:
            loss = loss_of_leader(*seen.wins(0, 1), seen.n)
        else:
            loss = joint_loss(seen.both, seen.n, leader, self.bound, self.normals)
        return loss <= self.bound, leader


class _Remembering(Judge):
    """What a condition keeps of earlier looks: wins while running, who runs, who beat whom."""

    def prepare(self) -> None:
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

    def name_lost(self) -> Truths:
        return ~self.running


class _Evidence(_Remembering):
    def judge(self, seen: ManySnapshots) -> tuple[Truths, Whole]:
        del seen
        bound = self.condition.bound or 20.0
        pairs = np.array(list(combinations(range(self.size), 2)))
        won = self.wins[:, pairs[:, 0], pairs[:, 1]]
        lost = self.wins[:, pairs[:, 1], pairs[:, 0]]
        logs = _log_different(won, lost)
        settled = self.beats | np.swapaxes(self.beats, 1, 2)
        fresh = (logs >= np.log(bound)) & ~settled[:, pairs[:, 0], pairs[:, 1]]
        row, place = np.nonzero(fresh)
        if row.size:
            beaten = _adjust(np.exp(np.minimum(logs, LARGEST)), row, place) >= bound
            row, place = row[beaten], place[beaten]
            ahead = won[row, place] > lost[row, place]
            one, two = pairs[place, 0], pairs[place, 1]
            self.beats[row, np.where(ahead, one, two), np.where(ahead, two, one)] = True
        return _champions(self.beats.sum(axis=2) == self.size - 1)


class _Racing(_Remembering):
    def judge(self, seen: ManySnapshots) -> tuple[Truths, Whole]:
        del seen
        places = np.arange(self.size)
        bar = np.log((self.size - 1) / race_alpha(self.condition))
        lost = np.swapaxes(self.wins, 1, 2)
        # For one side the evidence is at most twice that for either side, which costs far less.
        rival = np.where(lost > self.wins, _log_different(lost, self.wins) + np.log(2), 0.0)
        rival[:, places, places] = -np.inf
        against = logsumexp(rival, axis=2)
        near = np.flatnonzero((self.running & (against >= bar)).any(axis=1))
        if near.size:
            rival = log_evidence(lost[near], self.wins[near])[1]
            rival[:, places, places] = -np.inf
            against[near] = logsumexp(rival, axis=2)
        weak = self.running & (against >= bar)
        strongest = np.where(self.running, against, np.inf).argmin(axis=1)
        none_left = (self.running & ~weak).sum(axis=1) == 0
        weak[none_left, strongest[none_left]] = False
        several = self.running.sum(axis=1) > 1
        self.running &= ~(weak & several[:, None])
        return _champions(self.running & (self.running.sum(axis=1) == 1)[:, None])


class _Decided(Judge):
    """A test of two systems that is decided once: the place of its winner, or what was found."""

    def prepare(self) -> None:
        self.won, self.second_won = np.zeros(self.campaigns), np.zeros(self.campaigns)
        self.found = np.full(self.campaigns, NOBODY)

    def count(self, block: Floats) -> None:
        self.won += block[:, 0, 0] - block[:, 0, 1]
        self.second_won += block[:, 1, 1] - block[:, 0, 1]
        self.follow()

    def follow(self) -> None:
        """Decide after this item, where the test follows every item."""

    def keep(self, chosen: Truths) -> None:
        self.won, self.second_won = self.won[chosen], self.second_won[chosen]
        self.found = self.found[chosen]

    def name(self, where: Truths, answer: int) -> None:
        """Decide what is open so far."""
        self.found = np.where(where & (self.found == NOBODY), answer, self.found)

    def judge(self, seen: ManySnapshots) -> tuple[Truths, Whole]:
        del seen
        return self.found != NOBODY, self.found


class _Spending(_Decided):
    def prepare(self) -> None:
        super().prepare()
        self.at = plan_looks(self.condition, self.protocol.parsed)
        self.bounds, self.done = plan_bounds(self.condition), 0

    def judge(self, seen: ManySnapshots) -> tuple[Truths, Whole]:
        while self.done < len(self.at) and seen.n >= self.at[self.done]:
            z = exact_deviate(self.won, self.second_won)
            self.name(z >= self.bounds[self.done], 0)
            self.name(z <= -self.bounds[self.done], 1)
            self.done += 1
        return super().judge(seen)


class _Wald(_Decided):
    def prepare(self) -> None:
        super().prepare()
        self.test = plan_wald(self.condition)

    def follow(self) -> None:
        line = self.second_won - self.test.slope * (self.won + self.second_won)
        # Keeping the first is what the test says when it finds no reason to change.
        self.name(line <= self.test.keep_intercept + MET, NO_DIFFERENCE)
        self.name(line >= self.test.take_intercept - MET, 1)


class _DoubleWald(_Decided):
    def prepare(self) -> None:
        super().prepare()
        win = float(self.condition.arguments[0])
        alpha = self.condition.option("alpha", ALPHA) / 2  # for each of two sides
        beta = self.condition.option("beta", BETA)
        self.gain, self.loss = np.log(2 * win), np.log(2 * (1 - win))
        self.take, self.leave = np.log((1 - beta) / alpha), np.log(beta / (1 - alpha))
        self.refuted = np.zeros((2, self.found.size), dtype=bool)

    def follow(self) -> None:
        one = self.won * self.gain + self.second_won * self.loss
        two = self.second_won * self.gain + self.won * self.loss
        self.name((one >= self.take - MET) & ~self.refuted[0], 0)
        self.name((two >= self.take - MET) & ~self.refuted[1], 1)
        self.refuted |= np.array([one <= self.leave + MET, two <= self.leave + MET])
        self.name(np.asarray(self.refuted.all(axis=0)), NO_DIFFERENCE)

    def keep(self, chosen: Truths) -> None:
        super().keep(chosen)
        self.refuted = self.refuted[:, chosen]


class _AllPairs(Judge):
    """Walks of every pair; rows of campaigns that have ended stand still."""

    def prepare(self) -> None:
        test = plan_pairs(self.condition, self.protocol.systems)
        self.scheme = test.scheme
        self.walks = AllPairsWalks([test], self.campaigns)
        self.rows = np.arange(self.campaigns)

    def count(self, block: Floats) -> None:
        pairs = self.walks.pairs
        shared = block[:, pairs[:, 0], pairs[:, 1]]
        ahead = np.zeros((2, self.campaigns, len(pairs)), dtype=np.int64)
        for side in (0, 1):
            ahead[side, self.rows] = block[:, pairs[:, side], pairs[:, side]] - shared
        self.walks.see_many(ahead)

    def keep(self, chosen: Truths) -> None:
        self.rows = self.rows[chosen]

    def name_lost(self) -> Truths:
        lost = np.zeros((self.rows.size, self.size), dtype=bool)
        if self.scheme == "A":
            return lost
        return np.asarray(self._beaten().any(axis=1))

    def _beaten(self) -> Truths:
        """Entry [c, a, b]: a has beaten b."""
        verdict, pairs = self.walks.verdict[self.rows], self.walks.pairs
        beaten = np.zeros((self.rows.size, self.size, self.size), dtype=bool)
        beaten[:, pairs[:, 0], pairs[:, 1]] = verdict == FIRST
        beaten[:, pairs[:, 1], pairs[:, 0]] = verdict == SECOND
        return beaten

    def judge(self, seen: ManySnapshots) -> tuple[Truths, Whole]:
        del seen
        beaten = self._beaten()
        won = beaten.sum(axis=2) == self.size - 1
        if self.scheme == "B":
            out = beaten.any(axis=1)
            won = ~out & (out.sum(axis=1) == self.size - 1)[:, None]
        named, champion = _champions(won)
        ended = (self.walks.verdict[self.rows] != OPEN).all(axis=1)
        answers = np.where(named, champion, np.where(ended, NO_DIFFERENCE, NOBODY))
        return named | ended, answers


def _log_different(won: Floats, lost: Floats) -> Floats:
    """Logarithms of the e-values for a difference, from a table of factorials."""
    # Counts are small whole numbers that repeat: a table costs less than a gammaln of each.
    table = gammaln(np.arange(int((won + lost).max()) + 3))
    number = (won + lost).astype(np.int64)
    one, two = won.astype(np.int64), lost.astype(np.int64)
    return np.asarray(number * np.log(2) + table[one + 1] + table[two + 1] - table[number + 2])


def _adjust(values: Floats, row: Whole, place: Whole) -> Floats:
    """Closed e-values of some places of some rows, as ``closed_by_averaging`` has them."""
    kept, back = np.unique(row, return_inverse=True)
    ranked = np.sort(values[kept], axis=1)
    sums = np.concatenate([np.zeros((kept.size, 1)), ranked.cumsum(axis=1)[:, :-1]], axis=1)
    own = values[row, place][:, None]
    below = np.concatenate([np.ones((row.size, 1), dtype=bool), ranked[back, :-1] < own], axis=1)
    means = (own + sums[back]) / np.arange(1, ranked.shape[1] + 1)
    return np.asarray(np.where(below, means, np.inf).min(axis=1))


def _champions(alone: Truths) -> tuple[Truths, Whole]:
    holds = np.asarray(alone.any(axis=1))
    return holds, np.where(holds, alone.argmax(axis=1), NOBODY)


JUDGES: dict[str, Callable[..., Judge]] = {
    "best": _Best,
    "ranking": _Ranking,
    "pair": _Pair,
    "same": _Same,
    "loss": _Loss,
    "evidence": _Evidence,
    "spending": _Spending,
    "wald": _Wald,
    "double-wald": _DoubleWald,
    "wald-msrb": _AllPairs,
    "racing": _Racing,
}
"""Every condition that answers something, by its name."""


MOST_LOOKS, MOST_OF_MANY = 2000, 600
"""Looks of two systems, and of more, that are all followed; beyond, the later ones at distances
that grow with the items, each some hundredths further than the one before."""


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


def follow_campaigns(
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
    every pair keeps its exact chance, and only how the pairs depend on each other is approximated.
    Expected losses of three systems or more, and on independent items, are those of a normal
    posterior.

    ``tell`` hears now and then how far the simulation is.
    """
    points, share = choose_looks(protocol, cap)
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
            over |= state.cost >= least_spent(protocol.budget)
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


def choose_looks(protocol: Protocol, cap: int) -> tuple[list[tuple[int, bool]], float]:
    """Choose the items after which campaigns are counted, and which of these are looks.

    Up to 2,000 looks (600 for three systems or more) are all followed; of more the first half of
    that, and later ones at distances that grow with the items. The second value is the share of
    looks that are followed.

    Examples
    --------
    >>> protocol = Protocol(systems=("a", "b"), rule="evidence >= 20 or n >= 30", step=10)
    >>> choose_looks(protocol, 30)
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
        kept = [step * np.arange(1, half + 1), step * later, _looks_of_plan(protocol, step, cap)]
        looks = np.unique(np.concatenate(kept))
    looked = set(looks.tolist())
    if protocol.cap == cap:
        looked.add(cap)
    if not (_every_item(protocol) and step > 1 and cap <= most):
        return [(n, n in looked) for n in sorted(looked | {cap})], looks.size / max(number, 1)
    return [(n, n in looked) for n in range(1, cap + 1)], looks.size / max(number, 1)


def _looks_of_plan(protocol: Protocol, step: int, cap: int) -> Whole:
    """Looks that a plan names, each at the next look that is taken."""
    found: list[int] = []
    for one in conditions_of(protocol.parsed):
        if one.name == "spending":
            places = plan_looks(one, protocol.parsed)
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
        self.drops = bool(dropping_conditions(self.rule))

    def count(self, block: Floats, n: int) -> None:
        """Count a block of items, a row for each campaign."""
        items, self.n = n - self.n, n
        self.both += block
        running = np.ones(self.both.shape[:2], dtype=bool)
        if self.drops:
            lost = [judge.name_lost() for judge in self.judges if judge is not None]
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
        seen = ManySnapshots(protocol=self.protocol, n=self.n, both=self.both)
        return self._evaluate(self.rule, iter(self.judges), seen)

    def _evaluate(
        self, rule: Rule, judges: "Iterator[Judge | None]", seen: ManySnapshots
    ) -> tuple[Truths, Whole]:
        if isinstance(rule, Condition):
            judge = next(judges)
            if judge is not None:
                return judge.judge(seen)
            items = np.full(self.cost.size, float(self.n))
            bound = rule.bound or 0.0
            used = items >= bound if rule.name == "n" else self.cost >= least_spent(bound)
            return used, np.full(self.cost.size, NOBODY)
        parts = [self._evaluate(part, judges, seen) for part in rule.parts]
        every = isinstance(rule, AllOf)
        assert every or isinstance(rule, AnyOf)
        masks = np.array([held for held, _ in parts])
        holds = np.asarray(masks.all(axis=0) if every else masks.any(axis=0))
        answers = np.full(holds.size, NOBODY)
        for held, named in reversed(parts):
            answers = np.where(held & (named != NOBODY), named, answers)
        return holds, answers

"""Posterior conditions: computed only as far as a bound needs it, else in full."""

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from scipy.special import betainc

from steelyard.campaigns.protocol import Protocol, least_spent
from steelyard.campaigns.rules.grammar import Condition
from steelyard.campaigns.rules.snapshot import Judgement, Snapshot
from steelyard.comparison.exact.equivalence import paired_equivalence, probability_equivalent
from steelyard.comparison.posterior.best import expected_loss, probability_best, probability_better
from steelyard.comparison.posterior.paired import PairedPosterior, pair_posterior, paired_posterior
from steelyard.comparison.posterior.ranking import probability_of_ranking
from steelyard.counts import Outcomes

__all__ = ["CHANCES", "best_chances", "once"]

Judge: TypeAlias = Callable[[Condition, Snapshot, bool], Judgement]

# A look, its point on the path and the answer after it ask for one and the same posterior. It is
# a function of the counts alone, seed included, so that it is worked out once and kept for them.
once = lru_cache(maxsize=8)
_best_apart = once(probability_best)
_better_apart = once(probability_better)
_loss_apart = once(expected_loss)
_ranking_apart = once(probability_of_ranking)
_same_apart = once(probability_equivalent)
_same_paired = once(paired_equivalence)


def best_chances(snapshot: Snapshot) -> tuple[float, ...]:
    """Probability of being the best, for each running system."""
    if len(snapshot.running) == 1:
        return (1.0,)
    if not snapshot.common:
        return _best_apart(snapshot.posteriors()).best
    return _joint_posterior(snapshot).best


def _joint_posterior(snapshot: Snapshot) -> PairedPosterior:
    """Posterior of the running systems on common items, simulated."""
    patterns = tuple(sorted(snapshot.patterns.items()))
    return _simulate_joint(
        snapshot.protocol, snapshot.running, snapshot.n, patterns, snapshot.draws
    )


@once
def _simulate_joint(
    protocol: Protocol,
    running: tuple[int, ...],
    n: int,
    patterns: tuple[tuple[int, int], ...],
    draws: int,
) -> PairedPosterior:
    every = Outcomes.from_patterns(dict(patterns), systems=protocol.systems)
    names = [protocol.systems[place] for place in running]
    rng = np.random.default_rng([protocol.seed, n])  # found again at every look of this number
    return paired_posterior(every.only(names), rng=rng, draws=draws)


def _better(snapshot: Snapshot, first: int, seconds: list[int]) -> list[float]:
    """Probability that the first is better than each of the others, in closed form."""
    won = np.array([snapshot.wins[first][other] for other in seconds]) + 0.5
    lost = np.array([snapshot.wins[other][first] for other in seconds]) + 0.5
    return [float(chance) for chance in betainc(lost, won, 0.5)]


def _decide_by_limits(low: float, high: float, bound: float, *, exact: bool) -> float | None:
    """Give a value on the right side of the bound, when the two limits are enough to tell."""
    if exact:
        return None
    if high < bound:
        return high
    return low if low >= bound else None


def _best(condition: Condition, snapshot: Snapshot, exact: bool) -> Judgement:  # noqa: FBT001
    bound = condition.bound or 0.0
    leader = snapshot.leader()
    value: float | None = None
    if not snapshot.common or len(snapshot.running) == 1:
        chances = best_chances(snapshot)
        place = int(np.argmax(chances))
        leader, value = snapshot.running[place], chances[place]
    else:
        pairs = _better(snapshot, leader, [p for p in snapshot.running if p != leader])
        if len(pairs) == 1:
            value = pairs[0]
        else:
            low = 1 - sum(1 - chance for chance in pairs)
            value = _decide_by_limits(low, min(pairs), bound, exact=exact)
        if value is None:
            value = _joint_posterior(snapshot).best[snapshot.running.index(leader)]
    return _winner(snapshot, leader, value, bound)


def _winner(snapshot: Snapshot, place: int, value: float, bound: float) -> Judgement:
    name = snapshot.protocol.systems[place]
    held = value >= bound
    return Judgement(holds=held, value=value, bound=bound, verdict="best", winner=name)


def _ranking(condition: Condition, snapshot: Snapshot, exact: bool) -> Judgement:  # noqa: FBT001
    bound = condition.bound or 0.0
    order = snapshot.rank()
    value: float | None
    if not snapshot.common:
        answer = _ranking_apart(snapshot.posteriors())
        value, names = answer.probability, answer.ranking
    else:
        names = tuple(snapshot.protocol.systems[place] for place in order)
        steps = [_better(snapshot, a, [b])[0] for a, b in pairwise(order)]
        low, high = 1 - sum(1 - chance for chance in steps), min(steps, default=1.0)
        value = high if len(steps) <= 1 else _decide_by_limits(low, high, bound, exact=exact)
        if value is None:
            value = _joint_posterior(snapshot).ranking_probability
    return Judgement(
        holds=value >= bound,
        value=value,
        bound=bound,
        verdict="ranking",
        winner=names[0],
        ranking=names,
    )


def _pair(condition: Condition, snapshot: Snapshot, exact: bool) -> Judgement:  # noqa: FBT001
    del exact
    bound = condition.bound or 0.0
    places = snapshot.running_places(condition.arguments)
    if places is None:
        return Judgement(holds=False, bound=bound, verdict="pair")
    if snapshot.common:
        chance = _better(snapshot, places[0], [places[1]])[0]
    else:
        two = snapshot.posteriors().only([str(name) for name in condition.arguments])
        chance = _better_apart(two).better[0][1]
    ahead = places[0] if chance >= 0.5 else places[1]
    value = max(chance, 1 - chance)
    name = snapshot.protocol.systems[ahead]
    return Judgement(holds=value >= bound, value=value, bound=bound, verdict="pair", winner=name)


def _same(condition: Condition, snapshot: Snapshot, exact: bool) -> Judgement:  # noqa: FBT001
    del exact
    *names, margin = condition.arguments
    bound = condition.bound or 0.0
    places = snapshot.running_places(names)
    if places is None:
        return Judgement(holds=False, bound=bound, verdict="same")
    if snapshot.common:
        found = _same_paired(snapshot.table(*places), margin=float(margin))
    else:
        first, second = (str(name) for name in names)
        found = _same_apart(snapshot.posteriors(), first, second, margin=float(margin))
    value = found.equivalent
    return Judgement(holds=value >= bound, value=value, bound=bound, verdict="same")


def _loss(condition: Condition, snapshot: Snapshot, exact: bool) -> Judgement:  # noqa: FBT001
    bound = condition.bound or 0.0
    leader = snapshot.leader()
    value: float | None
    if not snapshot.common:
        losses = _loss_apart(snapshot.posteriors()).loss
        place = int(np.argmin(losses))
        leader, value = snapshot.running[place], losses[place]
    else:
        others = [place for place in snapshot.running if place != leader]
        pairs = [pair_posterior(snapshot.table(leader, other)).loss_first for other in others]
        value = max(pairs, default=0.0)
        if len(pairs) > 1:
            # One minus everything, so that the same comparison serves.
            told = _decide_by_limits(1 - sum(pairs), 1 - value, 1 - bound, exact=exact)
            place = snapshot.running.index(leader)
            value = _joint_posterior(snapshot).loss[place] if told is None else 1 - told
    name = snapshot.protocol.systems[leader]
    return Judgement(holds=value <= bound, value=value, bound=bound, verdict="loss", winner=name)


def _items(condition: Condition, snapshot: Snapshot, exact: bool) -> Judgement:  # noqa: FBT001
    del exact
    bound = condition.bound or 0.0
    return _judge_use(snapshot.n, bound, holds=snapshot.n >= bound)


def _cost(condition: Condition, snapshot: Snapshot, exact: bool) -> Judgement:  # noqa: FBT001
    del exact
    bound = condition.bound or 0.0
    return _judge_use(snapshot.cost, bound, holds=snapshot.cost >= least_spent(bound))


def _judge_use(value: float, bound: float, *, holds: bool) -> Judgement:
    return Judgement(holds=holds, value=value, bound=bound, verdict="used up")


CHANCES: dict[str, Judge] = {
    "best": _best,
    "ranking": _ranking,
    "pair": _pair,
    "same": _same,
    "loss": _loss,
    "n": _items,
    "cost": _cost,
}
"""Conditions that look at the counts of the moment only; with ``True`` the value is in full."""

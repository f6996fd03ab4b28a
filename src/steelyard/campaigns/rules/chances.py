"""Posterior conditions: computed only as far as a bound needs it, else in full."""

from collections.abc import Callable
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from scipy.special import betainc

from steelyard.campaigns.rules.grammar import Condition
from steelyard.campaigns.rules.snapshot import Judgement, Sight
from steelyard.comparison.exact.equivalence import paired_equivalence, probability_equivalent
from steelyard.comparison.posterior.best import expected_loss, probability_best, probability_better
from steelyard.comparison.posterior.paired import PairedPosterior, pair_posterior, paired_posterior
from steelyard.comparison.posterior.ranking import probability_of_ranking

__all__ = ["CHANCES", "best_chances"]

Judge: TypeAlias = Callable[[Condition, Sight, bool], Judgement]


def best_chances(sight: Sight) -> tuple[float, ...]:
    """Probability of being the best, for each running system."""
    if len(sight.running) == 1:
        return (1.0,)
    if not sight.common:
        return probability_best(sight.posteriors()).best
    return _joint(sight).best


def _joint(sight: Sight) -> PairedPosterior:
    return paired_posterior(sight.outcomes(), rng=sight.rng(), draws=sight.draws)


def _better(sight: Sight, first: int, seconds: list[int]) -> list[float]:
    """Probability that the first is better than each of the others, in closed form."""
    won = np.array([sight.wins[first][other] for other in seconds]) + 0.5
    lost = np.array([sight.wins[other][first] for other in seconds]) + 0.5
    return [float(chance) for chance in betainc(lost, won, 0.5)]


def _bounded(low: float, high: float, bound: float, *, exact: bool) -> float | None:
    """Give a value on the right side of the bound, when the two limits are enough to tell."""
    if exact:
        return None
    if high < bound:
        return high
    return low if low >= bound else None


def _best(condition: Condition, sight: Sight, exact: bool) -> Judgement:  # noqa: FBT001
    bound = condition.bound or 0.0
    leader = sight.leader()
    value: float | None = None
    if not sight.common or len(sight.running) == 1:
        chances = best_chances(sight)
        place = int(np.argmax(chances))
        leader, value = sight.running[place], chances[place]
    else:
        pairs = _better(sight, leader, [p for p in sight.running if p != leader])
        if len(pairs) == 1:
            value = pairs[0]
        else:
            low = 1 - sum(1 - chance for chance in pairs)
            value = _bounded(low, min(pairs), bound, exact=exact)
        if value is None:
            value = _joint(sight).best[sight.running.index(leader)]
    return _winner(sight, leader, value, bound)


def _winner(sight: Sight, place: int, value: float, bound: float) -> Judgement:
    name = sight.protocol.systems[place]
    held = value >= bound
    return Judgement(holds=held, value=value, bound=bound, verdict="best", winner=name)


def _ranking(condition: Condition, sight: Sight, exact: bool) -> Judgement:  # noqa: FBT001
    bound = condition.bound or 0.0
    order = sight.ranked()
    value: float | None
    if not sight.common:
        answer = probability_of_ranking(sight.posteriors())
        value, names = answer.probability, answer.ranking
    else:
        names = tuple(sight.protocol.systems[place] for place in order)
        steps = [_better(sight, a, [b])[0] for a, b in pairwise(order)]
        low, high = 1 - sum(1 - chance for chance in steps), min(steps, default=1.0)
        value = high if len(steps) <= 1 else _bounded(low, high, bound, exact=exact)
        if value is None:
            value = _joint(sight).ranking_probability
    return Judgement(
        holds=value >= bound,
        value=value,
        bound=bound,
        verdict="ranking",
        winner=names[0],
        ranking=names,
    )


def _pair(condition: Condition, sight: Sight, exact: bool) -> Judgement:  # noqa: FBT001
    del exact
    bound = condition.bound or 0.0
    places = sight.running_places(condition.arguments)
    if places is None:
        return Judgement(holds=False, bound=bound, verdict="pair")
    if sight.common:
        chance = _better(sight, places[0], [places[1]])[0]
    else:
        two = sight.posteriors().only([str(name) for name in condition.arguments])
        chance = probability_better(two).better[0][1]
    ahead = places[0] if chance >= 0.5 else places[1]
    value = max(chance, 1 - chance)
    name = sight.protocol.systems[ahead]
    return Judgement(holds=value >= bound, value=value, bound=bound, verdict="pair", winner=name)


def _same(condition: Condition, sight: Sight, exact: bool) -> Judgement:  # noqa: FBT001
    del exact
    *names, margin = condition.arguments
    bound = condition.bound or 0.0
    places = sight.running_places(names)
    if places is None:
        return Judgement(holds=False, bound=bound, verdict="same")
    if sight.common:
        found = paired_equivalence(sight.table(*places), margin=float(margin))
    else:
        first, second = (str(name) for name in names)
        found = probability_equivalent(sight.posteriors(), first, second, margin=float(margin))
    value = found.equivalent
    return Judgement(holds=value >= bound, value=value, bound=bound, verdict="same")


def _loss(condition: Condition, sight: Sight, exact: bool) -> Judgement:  # noqa: FBT001
    bound = condition.bound or 0.0
    leader = sight.leader()
    value: float | None
    if not sight.common:
        losses = expected_loss(sight.posteriors()).loss
        place = int(np.argmin(losses))
        leader, value = sight.running[place], losses[place]
    else:
        others = [place for place in sight.running if place != leader]
        pairs = [pair_posterior(sight.table(leader, other)).loss_first for other in others]
        value = max(pairs, default=0.0)
        if len(pairs) > 1:
            # One minus everything, so that the same comparison serves.
            told = _bounded(1 - sum(pairs), 1 - value, 1 - bound, exact=exact)
            place = sight.running.index(leader)
            value = _joint(sight).loss[place] if told is None else 1 - told
    name = sight.protocol.systems[leader]
    return Judgement(holds=value <= bound, value=value, bound=bound, verdict="loss", winner=name)


def _items(condition: Condition, sight: Sight, exact: bool) -> Judgement:  # noqa: FBT001
    del exact
    bound = condition.bound or 0.0
    return Judgement(holds=sight.n >= bound, value=sight.n, bound=bound, verdict="used up")


def _cost(condition: Condition, sight: Sight, exact: bool) -> Judgement:  # noqa: FBT001
    del exact
    bound = condition.bound or 0.0
    return Judgement(holds=sight.cost >= bound, value=sight.cost, bound=bound, verdict="used up")


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

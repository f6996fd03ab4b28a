"""In which order the systems stand, when each was tested on items of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import factorial

import numpy as np

from steelyard.comparison.beta_model import BetaPosteriors, Groups, group
from steelyard.comparison.log_odds import Floats
from steelyard.comparison.posterior import probability_best
from steelyard.comparison.quadrature import DEPTH, panels_for
from steelyard.errors import RequestError, listing

__all__ = [
    "RankProbabilities",
    "RankingProbability",
    "probability_of_rank",
    "probability_of_ranking",
    "ranking_probability_by_product",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankProbabilities:
    """``rank[i][r]`` is the probability that system i has rank r + 1; rank 1 is the best."""

    systems: tuple[str, ...]
    rank: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingProbability:
    """A whole ranking, best first, and its probability."""

    ranking: tuple[str, ...]
    probability: float


def probability_of_rank(posteriors: BetaPosteriors) -> RankProbabilities:
    r"""Probability of every rank for every system; rank 1 is the highest rate.

    At each rate p the number of others above it is a sum of independent events with
    probabilities :math:`1 - F_j(p)`; its distribution is averaged over :math:`f_i`.

    Examples
    --------
    >>> three = BetaPosteriors(systems=("S", "T", "U"), a=(91, 89, 80), b=(11, 13, 22))
    >>> [round(share, 3) for share in probability_of_rank(three).rank[0]]
    [0.668, 0.318, 0.014]
    """
    groups = group(posteriors)
    count = len(posteriors.systems)
    if groups.copies.size == 1:
        rows = [[1 / count] * count]
    else:
        rows = _distinct_ranks(groups).tolist()
    ranks = tuple(tuple(rows[k]) for k in groups.member)
    return RankProbabilities(systems=posteriors.systems, rank=ranks)


def _distinct_ranks(groups: Groups) -> Floats:
    betas = groups.betas
    grid = panels_for(betas, betas.reach(DEPTH, side=-1), betas.reach(DEPTH, side=1))
    density = betas.density(grid.nodes)
    above = np.clip(grid.from_right(density), 0.0, 1.0)
    below = np.clip(grid.from_left(density), 0.0, 1.0)
    everyone = np.repeat(np.arange(groups.copies.size), groups.copies.astype(int))
    table = np.zeros((everyone.size + 1, grid.nodes.size))
    table[0] = 1.0
    for done, k in enumerate(everyone):
        table[1 : done + 2] = table[1 : done + 2] * below[k] + table[: done + 1] * above[k]
        table[0] *= below[k]
    others = _without(table, above, below)
    return np.asarray(np.einsum("kn,rkn->kr", density * grid.weights, others))


def _without(table: Floats, above: Floats, below: Floats) -> Floats:
    """Take one event out of a sum of events, for each event in turn.

    The recursion divides by the larger of the event's two probabilities, which keeps it stable:
    from no event upwards where the event is unlikely, from all events downwards elsewhere.
    """
    last = table.shape[0] - 1
    unlikely = below >= above
    divisor = np.maximum(below, above)
    other = np.minimum(below, above) / divisor
    result = np.zeros((last, *above.shape))
    up, down = np.zeros_like(above), np.zeros_like(above)
    for r in range(last):
        up = table[r] / divisor - other * up
        result[r] = np.where(unlikely, up, result[r])
        down = table[last - r] / divisor - other * down
        result[last - 1 - r] = np.where(unlikely, result[last - 1 - r], down)
    return result


def probability_of_ranking(
    posteriors: BetaPosteriors, *, ranking: Sequence[str] | None = None
) -> RankingProbability:
    r"""Probability of one whole ranking, best first.

    .. math:: P(p_{k_1} > p_{k_2} > \dots > p_{k_m}) =
              \int f_{k_1} \int_0^{p_{k_1}} f_{k_2} \dots \int_0^{p_{k_{m-1}}} f_{k_m}

    integrated from the worst up, with work that grows linearly with the number of systems. The
    default ranking is that of the posterior means. Equal posteriors give exactly 1/m!.

    References
    ----------
    .. [1] He & Fu, the posterior-probability procedure, equation (14).

    Examples
    --------
    >>> three = BetaPosteriors(systems=("S", "T", "U"), a=(91, 89, 80), b=(11, 13, 22))
    >>> answer = probability_of_ranking(three)
    >>> answer.ranking, round(answer.probability, 4)
    (('S', 'T', 'U'), 0.6278)
    """
    order = _ranking(posteriors, ranking)
    groups = group(posteriors.only(order))
    if groups.copies.size == 1:
        return RankingProbability(ranking=order, probability=1 / factorial(len(order)))
    betas = groups.betas
    grid = panels_for(betas, betas.reach(DEPTH, side=-1), betas.reach(DEPTH, side=1))
    density = betas.density(grid.nodes)
    below = np.ones(grid.nodes.size)
    for k in reversed(groups.member[1:]):
        below = grid.from_left(density[k] * below)
    total = float((density[groups.member[0]] * below) @ grid.weights)
    return RankingProbability(ranking=order, probability=min(total, 1.0))


def ranking_probability_by_product(
    posteriors: BetaPosteriors, *, ranking: Sequence[str] | None = None
) -> RankingProbability:
    r"""Approximate the probability of a ranking by a product of unconditional probabilities.

    .. math:: \prod_{i=1}^{m-1} P(k_i\ \text{is the best of}\ k_i, \dots, k_m)

    This is what the published tables hold. It takes events for independent which are not, and
    is above the exact probability by up to 0.022 for three systems and 0.035 for four in those
    tables: use :func:`probability_of_ranking`.

    References
    ----------
    .. [1] He & Fu, the posterior-probability procedure, equation (15).

    Examples
    --------
    >>> three = BetaPosteriors(systems=("S", "T", "U"), a=(91, 89, 80), b=(11, 13, 22))
    >>> round(ranking_probability_by_product(three).probability, 4)
    0.6383
    """
    order = _ranking(posteriors, ranking)
    product = 1.0
    for first in range(len(order) - 1):
        product *= probability_best(posteriors.only(order[first:])).best[0]
    return RankingProbability(ranking=order, probability=product)


def _ranking(posteriors: BetaPosteriors, ranking: Sequence[str] | None) -> tuple[str, ...]:
    if ranking is None:
        means = dict(zip(posteriors.systems, posteriors.means(), strict=True))
        return tuple(sorted(posteriors.systems, key=lambda system: -means[system]))
    if sorted(ranking) != sorted(posteriors.systems):
        message = (
            f"ranking names {listing(list(ranking))}; name each of "
            f"{listing(posteriors.systems)} once, best first."
        )
        raise RequestError(message)
    return tuple(ranking)

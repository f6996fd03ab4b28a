"""Which system is best, when each was tested on items of its own: exact Beta posteriors."""

from dataclasses import dataclass

import numpy as np

from steelyard.comparison.posterior.beta_model import BetaPosteriors, Groups, group
from steelyard.comparison.posterior.log_odds import Floats, LogOddsBetas, product_difference
from steelyard.comparison.posterior.quadrature import DEPTH, panels_for
from steelyard.comparison.posterior.winning import against_rivals, chances_to_win

__all__ = [
    "BestProbabilities",
    "ExpectedLosses",
    "PairProbabilities",
    "expected_loss",
    "probability_best",
    "probability_better",
]


RARE = 0.01
"""Pairwise probabilities below this are integrated on a grid of their own, for their digits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BestProbabilities:
    """Probability that each system has the highest rate, and that it has not."""

    systems: tuple[str, ...]
    best: tuple[float, ...]
    not_best: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairProbabilities:
    """``better[i][j]`` is the probability that system i has a higher rate than j; ½ if i is j."""

    systems: tuple[str, ...]
    better: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedLosses:
    """Expected rate given up by choosing each system rather than the one that is truly best."""

    systems: tuple[str, ...]
    loss: tuple[float, ...]


def probability_best(posteriors: BetaPosteriors) -> BestProbabilities:
    r"""Probability that each system has the highest rate of all.

    .. math:: P(i\ \text{best}) = \int f_i \prod_{j \ne i} F_j \, dp

    for independent Beta posteriors, by Gauss quadrature on the log-odds (absolute error below
    1e-12). Equal posteriors share exactly alike. Every probability keeps its digits down to 1e-300,
    also that of a hopeless system among many; where a system leads, ``not_best`` is the sum of the
    others, not a difference from 1.

    Notes
    -----
    The highest posterior mean need not have the highest probability when systems were tested on
    different numbers of items. The independence is false on common items: see
    :func:`~steelyard.comparison.paired_posterior`.

    References
    ----------
    .. [1] He & Fu, the posterior-probability procedure, equation (12).

    Examples
    --------
    >>> answer = probability_best(BetaPosteriors(systems=("S", "T"), a=(3, 80), b=(1, 22)))
    >>> [round(share, 4) for share in answer.best]
    [0.5137, 0.4863]
    """
    groups = group(posteriors)
    if groups.copies.size == 1:
        even = 1 / groups.copies[0]
        return _best(posteriors, groups, np.array([even]), np.array([1 - even]))
    best = chances_to_win(groups.betas, groups.copies)
    rest = 1 - best
    ahead = int(np.argmax(best))
    if groups.copies[ahead] == 1 and best[ahead] > 1 - RARE:
        others = np.delete(best * groups.copies, ahead)
        rest[ahead] = others.sum()
        best[ahead] = 1 - rest[ahead]
    return _best(posteriors, groups, best, rest)


def _best(
    posteriors: BetaPosteriors, groups: Groups, best: Floats, rest: Floats
) -> BestProbabilities:
    return BestProbabilities(
        systems=posteriors.systems,
        best=tuple(float(best[k]) for k in groups.member),
        not_best=tuple(float(rest[k]) for k in groups.member),
    )


def probability_better(posteriors: BetaPosteriors) -> PairProbabilities:
    r"""Probability that one system has a higher rate than another, for every pair.

    .. math:: P(p_i > p_j) = \int f_i F_j \, dp

    The smaller of the two directions is integrated and the other is its complement, so the two
    add up to 1 and the smaller one keeps its digits down to 1e-300. Equal posteriors give
    exactly ½.

    References
    ----------
    .. [1] He & Fu, the posterior-probability procedure, equation (12) with m = 2.

    Examples
    --------
    >>> answer = probability_better(BetaPosteriors(systems=("S", "T"), a=(191, 195), b=(11, 7)))
    >>> round(answer.better[1][0], 6)
    0.839126
    """
    groups = group(posteriors)
    table = _distinct_better(groups.betas)
    better = tuple(tuple(float(table[i, j]) for j in groups.member) for i in groups.member)
    return PairProbabilities(systems=posteriors.systems, better=better)


def _distinct_better(betas: LogOddsBetas) -> Floats:
    grid = panels_for(betas, betas.reach(DEPTH, side=-1), betas.reach(DEPTH, side=1))
    density = betas.density(grid.nodes)
    crude = (density * grid.weights) @ grid.from_left(density).T
    table = np.full(crude.shape, 0.5)
    for i in range(crude.shape[0]):
        for j in range(i):
            low, high = (i, j) if crude[i, j] < crude[j, i] else (j, i)
            small = float(crude[low, high])
            if small < RARE:
                duel = against_rivals(betas, high, rivals=[low], copies=np.ones(1))
                small = duel.beaten
            table[low, high], table[high, low] = small, 1 - small
    return table


def expected_loss(posteriors: BetaPosteriors) -> ExpectedLosses:
    r"""Rate that choosing each system gives up, on average, against the truly best one.

    .. math:: L_i = E(\max_j p_j - p_i) = L_k + E(p_k) - E(p_i), \qquad
              L_k = \int F_k \Bigl(1 - \prod_{j \ne k} F_j\Bigr) dp

    with k the system of the highest posterior mean, so that no difference cancels.

    Examples
    --------
    >>> answer = expected_loss(BetaPosteriors(systems=("S", "T"), a=(191, 195), b=(11, 7)))
    >>> [round(loss, 5) for loss in answer.loss]
    [0.02154, 0.00174]
    """
    groups = group(posteriors)
    betas, leader = groups.betas, groups.leader
    copies = groups.copies.copy()
    copies[leader] -= 1
    rivals = [k for k in range(copies.size) if copies[k] > 0]
    least = 0.0
    if rivals:
        least = against_rivals(betas, leader, rivals=rivals, copies=copies[rivals]).shortfall
    ahead = np.full_like(betas.a, betas.a[leader]), np.full_like(betas.b, betas.b[leader])
    lead = product_difference(ahead[0], betas.b, betas.a, ahead[1])
    loss = least + lead / ((ahead[0] + ahead[1]) * (betas.a + betas.b))
    return ExpectedLosses(
        systems=posteriors.systems, loss=tuple(float(loss[k]) for k in groups.member)
    )

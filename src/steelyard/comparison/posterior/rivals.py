"""One posterior against the best of several: probabilities and losses that keep their tails."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from steelyard.comparison.posterior.log_odds import Floats, LogOddsBetas, deviance, log_odds_betas
from steelyard.comparison.posterior.quadrature import DEPTH, UNDERFLOW, panels_for

__all__ = ["Rivalry", "against_rivals"]

FORGOTTEN = 60.0
"""A rival e^60 times less likely to win than the strongest one changes no digit."""

EXTENSION = 40.0
"""A tail is integrated until its density has fallen by this much more."""


@dataclass(frozen=True, slots=True)
class Rivalry:
    """How likely a system is beaten by the best of its rivals, and by how much on average."""

    beaten: float
    shortfall: float


def against_rivals(
    betas: LogOddsBetas, place: int, *, rivals: list[int], copies: Floats
) -> Rivalry:
    r"""Compare the posterior at ``place`` with the best of ``rivals``, each in so many ``copies``.

    With F and f of the one and survival functions S of the rivals,

    .. math:: P = \int f\,[1 - \prod (1 - S_j)]\,dy, \qquad
              E(\max_j x_j - x)^+ = \int F\,[1 - \prod (1 - S_j)]\,dx,

    where the bracket is ``-expm1(sum(log1p(-S_j)))``, so that both survive down to 1e-300.
    """
    kept, price = _strongest(betas.only([place]), betas.only(rivals))
    if price > UNDERFLOW:
        return Rivalry(beaten=0.0, shortfall=0.0)
    every = betas.only([place, *(rivals[k] for k in kept)]).measured_from_narrowest()
    starts, ends = _windows(every.only([0]), every.only(list(range(1, kept.size + 1))))
    grid = panels_for(every, np.minimum(starts, ends), ends)
    density = every.density(grid.nodes)
    above = np.minimum(grid.from_right(density[1:]), 1 - 1e-16)
    some_better = -np.expm1(copies[kept] @ np.log1p(-above))
    below = np.minimum(grid.from_left(density[:1])[0], 1.0)
    offsets = every.zero + grid.nodes
    width = grid.weights * expit(offsets) * expit(-offsets)
    return Rivalry(
        beaten=float((density[0] * grid.weights) @ some_better),
        shortfall=float((below * width) @ some_better),
    )


def _price(here: LogOddsBetas, others: LogOddsBetas) -> tuple[LogOddsBetas, Floats]:
    """Pool the one with each rival, and price a tie with it in log density.

    The sum of two deviances is a constant plus the deviance of the pooled counts, so the likeliest
    place of a tie is the pooled rate and the constant is its price.
    """
    pooled = log_odds_betas(here.a + others.a, here.b + others.b, reference=here.reference)
    rival = deviance(pooled.centre - others.centre, others.a, others.b)
    at_tie = rival + here.fall(pooled.centre)[0]
    return pooled, np.where(others.centre < here.centre, at_tie, 0.0)


def _strongest(here: LogOddsBetas, others: LogOddsBetas) -> tuple[NDArray[np.int_], float]:
    """Which rivals may matter beside the strongest of them, and the price of a tie with that."""
    _, price = _price(here, others)
    return np.flatnonzero(price <= price.min() + FORGOTTEN), float(price.min())


def _windows(here: LogOddsBetas, others: LogOddsBetas) -> tuple[Floats, Floats]:
    """Where the density of the one, and then of each rival, must be followed.

    A tie with a rival matters where the one may be as low as the rival is high. Beyond that each
    tail is followed a little further, because it is integrated from there.
    """
    pooled, price = _price(here, others)
    low, high = pooled.reach(DEPTH, side=-1), pooled.reach(DEPTH, side=1)
    alone = here.only([0] * price.size)
    # Below a rival's centre only the one's density falls, above the one's centre only the rival's.
    low = np.where(low < others.centre, alone.reach(price + DEPTH, side=-1), low)
    high = np.where(high > here.centre, others.reach(price + DEPTH, side=1), high)
    lowest = np.array([low.min()])
    first = here.reach(_fall_at(here, lowest, side=-1) + EXTENSION, side=-1)
    last = others.reach(_fall_at(others, high, side=1) + EXTENSION, side=1)
    # To its right the one's density need only fade, to their left the rivals'.
    starts = np.concatenate([first, np.maximum(others.reach(DEPTH, side=-1), first)])
    ends = np.concatenate([here.reach(float(price.max()) + DEPTH, side=1), np.maximum(last, first)])
    return starts, ends


def _fall_at(betas: LogOddsBetas, offset: Floats, *, side: int) -> Floats:
    """Deviance of each at its offset if that lies on this side of the peak, else 0."""
    away = offset - betas.centre
    return np.where(away * side > 0, deviance(away, betas.a, betas.b), 0.0)

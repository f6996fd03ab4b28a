"""How likely each of several posteriors is the highest, down to chances of 1e-300."""

from dataclasses import dataclass
from itertools import pairwise
from math import exp

import numpy as np
from numpy.typing import NDArray

from steelyard.comparison.posterior.log_odds import (
    Floats,
    LogOddsBetas,
    deviance,
    log_odds_apart,
    log_odds_betas,
    rough_deviance,
)
from steelyard.comparison.posterior.quadrature import (
    DEPTH,
    NODES,
    UNDERFLOW,
    Panels,
    gauss_rule,
    panels_for,
)
from steelyard.uncertainty.special import expit

__all__ = ["Rivalry", "against_rivals", "chances_to_win"]

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
    every = betas.only([place, *(rivals[k] for k in kept)]).measure_from_narrowest()
    starts, ends = _windows(every.only([0]), every.only(list(range(1, kept.size + 1))))
    grid = panels_for(every, np.minimum(starts, ends), ends)
    density = every.density(grid.nodes)
    # A chance that rounds to 1 has no logarithm of its complement.
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


WINNING_DEPTH = 37.0
"""An integrand is left out where its logarithm has fallen by this much: e^-37 is 9e-17."""

WINNING_EXTENSION = 30.0
"""A lower tail is integrated from where its density has fallen by this much more."""

SHALLOW = 3.0
"""A density that has fallen by less leaves mass behind that a difference from 1 still shows."""

TOP = 3.0
"""Above the place where every density has fallen by this much no rival holds anyone back."""

RUNGS = np.array([4.0, 12.0, 30.0, 70.0, 150.0, 300.0, 500.0, UNDERFLOW])
"""Depths at which it is worked out how low the lower tail of any rival lets a winner be."""

TINY = -706.0
"""Logarithm of what is left out of every sum: 2e-307."""

HOPELESS = 750.0
"""The price of a tie at which a chance is below the smallest double."""

LIFT = 60.0
"""Integrands are raised by this in their logarithm, to be clear of the smallest double."""

BLOCK = 512
"""Pieces integrated at a time: 16 numbers in each are 64 kB."""

LEAST = 1e-305
"""Stands for distribution functions below it, which no chance above 1e-300 meets."""


@dataclass(frozen=True, slots=True, eq=False)
class _Windows:
    """Where each integrand matters, and the price in log density of a tie with the best rival."""

    price: Floats
    low: Floats
    high: Floats


def chances_to_win(betas: LogOddsBetas, copies: Floats) -> Floats:
    r"""Probability that one copy of each posterior is above all other copies and posteriors.

    .. math:: P_i = \int f_i \prod_{j \ne i} F_j \, dy

    One grid serves all. It starts where the integrand of the weakest posterior that may still win
    with 1e-300 has faded, and every distribution function is integrated from its own lower tail,
    so that a chance keeps its relative precision however small it is.
    """
    windows = _winning_windows(betas, copies)
    alive = windows.price <= HOPELESS
    floor = float(windows.low[alive].min())
    high = np.maximum(betas.reach(WINNING_DEPTH, side=1), np.where(alive, windows.high, -np.inf))
    kept = np.flatnonzero(high > floor)
    chances = np.zeros(copies.size)
    chances[kept] = _integrate(betas, kept, copies[kept], floor, high[kept])
    chances[~alive] = 0.0
    return chances


def _winning_windows(betas: LogOddsBetas, copies: Floats) -> _Windows:
    ahead = betas.centre > betas.centre[:, None]
    a, b = np.add.outer(betas.a, betas.a), np.add.outer(betas.b, betas.b)
    pooled = log_odds_apart(a, b, reference=betas.reference)
    tie = np.where(ahead, pooled, betas.centre[:, None])
    # The sum of two deviances is a constant, the price of a tie, plus that of the pooled counts.
    price = np.where(ahead, _falls(betas, tie, own=True) + _falls(betas, tie, own=False), 0.0)
    chosen = np.arange(copies.size), price.argmax(axis=1)
    place, price = tie[chosen], price[chosen]
    together = LogOddsBetas(a[chosen], b[chosen], place, place, betas.reference)
    low = np.where(
        price > 0, together.reach(WINNING_DEPTH, side=-1), betas.reach(WINNING_DEPTH, side=-1)
    )
    depth = _depths(betas, copies, place)
    return _Windows(
        price=price,
        low=np.maximum(low, _lower_ends(betas, depth)),
        high=betas.reach(np.minimum(depth + WINNING_DEPTH, UNDERFLOW), side=1),
    )


def _falls(betas: LogOddsBetas, places: Floats, *, own: bool) -> Floats:
    """Deviances at a table of places, of the row's posterior or of the column's."""
    turn = (slice(None), None) if own else (None, slice(None))
    return rough_deviance(places - betas.centre[turn], betas.a[turn], betas.b[turn])


def _depths(betas: LogOddsBetas, copies: Floats, place: Floats) -> Floats:
    """How deep each integrand lies at its highest, at most: seen at a tie and above everyone."""
    fall = _falls(betas, np.broadcast_to(place, (place.size, place.size)), own=True)
    taken = np.where(betas.centre[:, None] > place, fall, 0.0)
    top = float(betas.reach(TOP, side=1).max())
    alone = np.where(betas.centre < top, betas.fall(np.array([top]))[:, 0], 0.0)
    return np.asarray(np.minimum(np.diagonal(fall) + copies @ taken, alone) + TOP)


def _lower_ends(betas: LogOddsBetas, depth: Floats) -> Floats:
    """Below these places one rival alone keeps an integrand DEPTH lower than its highest point."""
    size = betas.centre.size
    every = betas.only(np.tile(np.arange(size), RUNGS.size))
    ends = (
        every.reach(np.repeat(RUNGS + WINNING_DEPTH, size), side=-1).reshape(-1, size).max(axis=1)
    )
    return np.asarray(ends[np.minimum(np.searchsorted(RUNGS, depth), RUNGS.size - 1)])


def _integrate(
    betas: LogOddsBetas, kept: NDArray[np.int_], copies: Floats, floor: float, high: Floats
) -> Floats:
    every = betas.only(kept)
    shift = float(every.centre[0])
    every = every.measure_from_narrowest()
    shift -= float(every.centre[0])
    floor, high = floor - shift, high - shift
    fallen = np.where(every.centre > floor, every.fall(np.array([floor]))[:, 0], 0.0)
    deep = fallen > SHALLOW
    start = np.where(deep, every.reach(fallen + WINNING_EXTENSION, side=-1), floor)
    grid = panels_for(every, start, high)
    weights = np.where(grid.nodes >= floor, grid.weights, 0.0).reshape(-1, NODES)
    return _Pieces.where(grid, every, start, high).integrate(copies, weights, deep=deep)


@dataclass(frozen=True, slots=True, eq=False)
class _Pieces:
    """The panels in which each posterior matters, panel by panel, with the log densities there.

    Below its pieces a distribution function meets no integrand; above them it is 1. The work goes
    on in blocks so small that they stay in the processor's cache, that the system is not asked
    for memory again and again, and that the linear algebra library starts no threads.
    """

    half: Floats
    panels: NDArray[np.int_]
    rows: NDArray[np.int_]
    logs: Floats

    @classmethod
    def where(cls, grid: Panels, betas: LogOddsBetas, low: Floats, high: Floats) -> "_Pieces":
        """Keep what overlaps the window of each posterior."""
        matters = (grid.edges[1:, None] > low) & (grid.edges[:-1, None] < high)
        panels, rows = np.nonzero(matters)
        logs = betas.log_density_on(rows, panels, grid.nodes.reshape(-1, NODES))
        return cls(np.diff(grid.edges) / 2, panels, rows, logs)

    def integrate(self, copies: Floats, weights: Floats, *, deep: NDArray[np.bool_]) -> Floats:
        """Integrate each density times the distribution functions of all others."""
        passed, scale = self._add_masses(deep)
        starts = np.flatnonzero(np.diff(self.panels, prepend=-1))
        found = np.empty(self.rows.size)
        for first, last in self._blocks(starts):
            rows, panels = self.rows[first:last], self.panels[first:last]
            here = starts[(starts >= first) & (starts < last)] - first
            below = _exp(self.logs[first:last]) @ gauss_rule().before.T
            below *= (self.half[panels] * scale[rows])[:, None]
            below += passed[rows, panels][:, None]
            held = np.log(np.clip(below, LEAST, 1.0, out=below), out=below)
            # Sums of logarithms, because numbers near the smallest double are slow to multiply.
            joint = np.add.reduceat(held * copies[rows, None], here, axis=0)
            joint = joint[panels - panels[0]] + self.logs[first:last] - held
            joint += LIFT
            found[first:last] = np.einsum("ij,ij->i", _exp(joint), weights[panels])
        won = np.bincount(self.rows, weights=found, minlength=copies.size)
        return np.asarray(won * exp(-LIFT))

    def _add_masses(self, deep: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Masses before each panel, and what scales each posterior to 1 as a whole.

        Those that are not ``deep`` begin with the mass that is left out below their first piece.
        """
        masses = np.zeros((deep.size, self.half.size))
        for first in range(0, self.rows.size, BLOCK):
            block = slice(first, first + BLOCK)
            inside = _exp(self.logs[block]) @ gauss_rule().weights
            masses[self.rows[block], self.panels[block]] = inside * self.half[self.panels[block]]
        reached = np.cumsum(masses, axis=1)
        left_out = np.where(deep, 0.0, np.maximum(1 - reached[:, -1], 0.0))
        scale = 1 / (reached[:, -1] + left_out)
        reached -= masses
        return (reached + left_out[:, None]) * scale[:, None], scale

    def _blocks(self, starts: NDArray[np.int_]) -> list[tuple[int, int]]:
        """Cut between panels, into blocks of about the same size."""
        wanted = np.arange(0, self.rows.size, BLOCK)
        cuts = np.unique(starts[np.searchsorted(starts, wanted, side="right") - 1])
        return list(pairwise([*cuts.tolist(), self.rows.size]))


def _exp(logs: Floats) -> Floats:
    """Exponentials, 0 where they are next to the smallest double."""
    return np.asarray(np.exp(np.where(logs > TINY, logs, -np.inf)))

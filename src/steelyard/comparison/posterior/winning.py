"""How likely each of several posteriors is the highest, down to chances of 1e-300."""

from dataclasses import dataclass
from itertools import pairwise
from math import exp

import numpy as np
from numpy.typing import NDArray

from steelyard.comparison.posterior.log_odds import (
    Floats,
    LogOddsBetas,
    log_odds_apart,
    rough_deviance,
)
from steelyard.comparison.posterior.quadrature import (
    NODES,
    UNDERFLOW,
    Panels,
    gauss_rule,
    panels_for,
)

__all__ = ["chances_to_win"]

DEPTH = 37.0
"""An integrand is left out where its logarithm has fallen by this much: e^-37 is 9e-17."""

EXTENSION = 30.0
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
    windows = _windows(betas, copies)
    alive = windows.price <= HOPELESS
    floor = float(windows.low[alive].min())
    high = np.maximum(betas.reach(DEPTH, side=1), np.where(alive, windows.high, -np.inf))
    kept = np.flatnonzero(high > floor)
    chances = np.zeros(copies.size)
    chances[kept] = _integrated(betas, kept, copies[kept], floor, high[kept])
    chances[~alive] = 0.0
    return chances


def _windows(betas: LogOddsBetas, copies: Floats) -> _Windows:
    ahead = betas.centre > betas.centre[:, None]
    a, b = np.add.outer(betas.a, betas.a), np.add.outer(betas.b, betas.b)
    pooled = log_odds_apart(a, b, reference=betas.reference)
    tie = np.where(ahead, pooled, betas.centre[:, None])
    # The sum of two deviances is a constant, the price of a tie, plus that of the pooled counts.
    price = np.where(ahead, _falls(betas, tie, own=True) + _falls(betas, tie, own=False), 0.0)
    chosen = np.arange(copies.size), price.argmax(axis=1)
    place, price = tie[chosen], price[chosen]
    together = LogOddsBetas(a[chosen], b[chosen], place, place, betas.reference)
    low = np.where(price > 0, together.reach(DEPTH, side=-1), betas.reach(DEPTH, side=-1))
    depth = _depths(betas, copies, place)
    return _Windows(
        price=price,
        low=np.maximum(low, _lower_ends(betas, depth)),
        high=betas.reach(np.minimum(depth + DEPTH, UNDERFLOW), side=1),
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
    ends = every.reach(np.repeat(RUNGS + DEPTH, size), side=-1).reshape(-1, size).max(axis=1)
    return np.asarray(ends[np.minimum(np.searchsorted(RUNGS, depth), RUNGS.size - 1)])


def _integrated(
    betas: LogOddsBetas, kept: NDArray[np.int_], copies: Floats, floor: float, high: Floats
) -> Floats:
    every = betas.only(kept)
    shift = float(every.centre[0])
    every = every.measured_from_narrowest()
    shift -= float(every.centre[0])
    floor, high = floor - shift, high - shift
    fallen = np.where(every.centre > floor, every.fall(np.array([floor]))[:, 0], 0.0)
    deep = fallen > SHALLOW
    start = np.where(deep, every.reach(fallen + EXTENSION, side=-1), floor)
    grid = panels_for(every, start, high)
    weights = np.where(grid.nodes >= floor, grid.weights, 0.0).reshape(-1, NODES)
    return _Pieces.where(grid, every, start, high).won(copies, weights, deep=deep)


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

    def won(self, copies: Floats, weights: Floats, *, deep: NDArray[np.bool_]) -> Floats:
        """Integrate each density times the distribution functions of all others."""
        passed, scale = self._passed(deep)
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

    def _passed(self, deep: NDArray[np.bool_]) -> tuple[Floats, Floats]:
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

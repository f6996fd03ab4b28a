"""How likely each of several posteriors is the highest, down to chances of 1e-300."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from steelyard.comparison.log_odds import Floats, LogOddsBetas, deviance, log_odds_apart
from steelyard.comparison.quadrature import UNDERFLOW, panels_for

__all__ = ["chances_to_win"]

DEPTH = 40.0
"""An integrand is left out where its logarithm has fallen by this much: e^-40 is 4e-18."""

EXTENSION = 36.0
"""A lower tail is integrated from where its density has fallen by this much more."""

SHALLOW = 10.0
"""A density that has fallen by less leaves mass behind that a difference from 1 still shows."""

TOP = 3.0
"""Above the place where every density has fallen by this much no rival holds anyone back."""

RUNGS = np.array([4.0, 12.0, 30.0, 70.0, 150.0, 300.0, 500.0, UNDERFLOW])
"""Depths at which it is worked out how low the lower tail of any rival lets a winner be."""

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
    alive = windows.price <= UNDERFLOW
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
    return deviance(places - betas.centre[turn], betas.a[turn], betas.b[turn])


def _depths(betas: LogOddsBetas, copies: Floats, place: Floats) -> Floats:
    """How deep each integrand lies at its highest, at most: seen at a tie and above everyone."""
    fall = betas.fall(place)
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
    density = every.density(grid.nodes)
    left_out = np.where(deep, 0.0, np.maximum(1 - grid.totals(density).sum(axis=-1), 0.0))
    below = grid.from_left(density) + left_out[:, None]
    above = grid.from_right(density)
    shares = np.maximum(np.where(above < 0.5, 1 - above, below), LEAST)
    powers = shares if np.all(copies == 1) else shares ** copies[:, None]
    inside = np.where(grid.nodes >= floor, grid.weights, 0.0) * powers.prod(axis=0)
    return np.asarray(np.einsum("ij,ij->i", density, inside / shares))

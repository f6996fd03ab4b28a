"""Integrals over the log-odds: panels where the densities ask for them, Gauss nodes in each.

Every posterior asks for panels no wider than its own curve allows; where several ask, the
narrowest wish is granted. Distribution functions are integrated on the same nodes, with the
matrix that integrates the polynomial through the nodes of a panel, so that they keep their
relative precision in both tails.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import NDArray

from steelyard.comparison.posterior.log_odds import Floats, LogOddsBetas
from steelyard.uncertainty.special import expit

__all__ = [
    "DEPTH",
    "NODES",
    "UNDERFLOW",
    "Panels",
    "SmoothTails",
    "gauss_rule",
    "integrate_tail",
    "panels_for",
    "tails_at",
]

NODES = 16
"""Gauss nodes in each panel."""

DEPTH = 45.0
"""A density is left out where its logarithm has fallen by this much: e^-45 is 3e-20."""

UNDERFLOW = 800.0
"""A density that has fallen by this much more is below the smallest double."""

WIDEST_BEND = 1.1
"""Panel width times the square root of the curvature of the log density, at most."""

WIDEST_FALL = 11.0
"""Change of a log density within one panel, at most; keeps tails relatively precise."""

WIDEST = 2.5
"""Panel width in log-odds, at most, wherever one observation still changes a density."""

PIECES = 16
"""Steps of each posterior's window at which the wished width is worked out."""

MANY_KNOTS = 100
"""From so many on, knots that lie closer together than half the finest piece are thinned."""

FAR = 40.0
"""Log-odds from its centre at which a density has become a pure exponential."""


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """Gauss-Legendre nodes on [-1, 1] and the matrices that go with them."""

    nodes: Floats
    weights: Floats
    before: Floats
    after: Floats
    series: Floats


@cache
def gauss_rule() -> Rule:
    """Build the rule once: ``before`` integrates from -1 to each node, ``after`` from it to 1."""
    nodes, weights = legendre.leggauss(NODES)
    to_series = np.linalg.inv(legendre.legvander(nodes, NODES - 1))
    unit = np.eye(NODES)
    integrals = np.stack([legendre.legint(unit[k], lbnd=-1) for k in range(NODES)], axis=1)
    from_right = np.stack([legendre.legint(unit[k], lbnd=1) for k in range(NODES)], axis=1)
    before = legendre.legval(nodes, integrals).T @ to_series
    after = -legendre.legval(nodes, from_right).T @ to_series
    return Rule(nodes, weights, before, after, integrals @ to_series)


@dataclass(frozen=True, slots=True, eq=False)
class Panels:
    """Neighbouring panels on the log-odds scale; functions are arrays of (rows, nodes)."""

    edges: Floats
    nodes: Floats
    weights: Floats

    @classmethod
    def between(cls, edges: Floats) -> "Panels":
        """Put the nodes of the rule into each panel."""
        rule = gauss_rule()
        half, middle = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
        nodes = middle[:, None] + half[:, None] * rule.nodes
        return cls(edges, nodes.ravel(), (half[:, None] * rule.weights).ravel())

    def from_left(self, values: Floats) -> Floats:
        """Integrate from the first edge to every node."""
        return self._running(values, gauss_rule().before, first=True)

    def from_right(self, values: Floats) -> Floats:
        """Integrate from every node to the last edge."""
        return self._running(values, gauss_rule().after, first=False)

    def totals(self, values: Floats) -> Floats:
        """Integrate over each panel."""
        weighed = values * self.weights
        return np.asarray(weighed.reshape(*values.shape[:-1], -1, NODES).sum(axis=-1))

    def _running(self, values: Floats, matrix: Floats, *, first: bool) -> Floats:
        half = np.diff(self.edges)[:, None] / 2
        inside = (values.reshape(*values.shape[:-1], -1, NODES) * half) @ matrix.T
        totals = self.totals(values)
        passed = np.zeros_like(totals)
        if first:
            passed[..., 1:] = np.cumsum(totals, axis=-1)[..., :-1]
        else:
            passed[..., :-1] = np.cumsum(totals[..., ::-1], axis=-1)[..., -2::-1]
        return np.asarray((inside + passed[..., None]).reshape(values.shape))


def panels_for(betas: LogOddsBetas, low: Floats, high: Floats) -> Panels:
    """Panels from the lowest ``low`` to the highest ``high``; each density asks between its own."""
    knots = _knots(betas, low, high)
    start, end = np.maximum(low, knots[0]), np.minimum(high, knots[-1])
    ends = _wish(betas, knots)
    wish = np.maximum(ends[:, 1:], ends[:, :-1])
    watched = (knots[1:] > start[:, None]) & (knots[:-1] < end[:, None])
    width = np.where(watched, wish, 0.0).max(axis=0)
    return Panels.between(
        _place_edges(knots, np.maximum(width, _least(betas, knots)) * np.diff(knots))
    )


def _knots(betas: LogOddsBetas, low: Floats, high: Floats) -> Floats:
    steps = np.linspace(0.0, 1.0, PIECES + 1)
    inner_low = np.maximum(low, np.minimum(betas.centre - FAR, high))
    inner_high = np.minimum(high, np.maximum(betas.centre + FAR, low))
    pieces = inner_low[:, None] + (inner_high - inner_low)[:, None] * steps
    within = betas.centre[(betas.centre > low) & (betas.centre < high)]
    knots = np.unique(np.concatenate([pieces.ravel(), low, high, within]))
    # Where many posteriors lie over one another, their pieces need not all be looked at.
    step = float((inner_high - inner_low).min()) / (2 * PIECES)
    if step <= 0 or knots.size < MANY_KNOTS:
        return knots
    first = np.diff(np.floor((knots - knots[0]) / step), prepend=-1.0) > 0
    first[-1] = True
    return np.asarray(knots[first])


def _wish(betas: LogOddsBetas, offsets: Floats) -> Floats:
    """Panels per log-odd that each density asks for at each offset."""
    total = (betas.a + betas.b)[:, None]
    share, rest = expit(betas.zero + offsets), expit(-betas.zero - offsets)
    bend = np.sqrt(total) * (np.sqrt(share * rest) / WIDEST_BEND)
    # a (1 - x) - b x is a - (a + b) x; the smaller terms keep the smaller rounding.
    fall = np.abs(betas.a[:, None] * rest - betas.b[:, None] * share) / WIDEST_FALL
    return np.asarray(np.maximum(bend, fall))


def _least(betas: LogOddsBetas, knots: Floats) -> Floats:
    """Panels per log-odd that are wanted even between the posteriors."""
    spread = (
        expit(betas.zero + knots) * expit(-betas.zero - knots) * float(np.max(betas.a + betas.b))
    )
    # This is how far the logarithm of a density bends; where it does not, one panel reaches far.
    alive = np.maximum(spread[1:], spread[:-1]) > 1e-17
    return np.where(alive, 1 / WIDEST, 1e-6)


def _place_edges(knots: Floats, wanted: Floats) -> Floats:
    """Edges such that each panel gets an equal part of what is wanted between the knots."""
    reached = np.concatenate([[0.0], np.cumsum(wanted)])
    count = max(1, int(np.ceil(reached[-1])))
    edges = np.interp(np.linspace(0.0, reached[-1], count + 1), reached, knots)
    edges[0], edges[-1] = knots[0], knots[-1]
    return np.asarray(edges)


def tails_at(betas: LogOddsBetas, offset: float) -> tuple[float, float, float, float]:
    r"""One density cut in two at ``offset``: the mass of each side, and each side's mean excess.

    Gives :math:`P(y < c)`, :math:`P(y > c)` and the expectations of :math:`\tanh(|y - c|/2)` over
    each side, every one with its relative precision kept in the tail.
    """
    sides = [_side(betas, offset, side) for side in (-1, 1)]
    (below, under), (above, over) = sides
    if below < above:
        return below, 1 - below, under, over
    return 1 - above, above, under, over


def _side(betas: LogOddsBetas, offset: float, side: int) -> tuple[float, float]:
    beyond = (offset - betas.centre) * side > 0
    here = np.where(beyond, betas.fall(np.array([offset]))[:, 0], 0.0)
    if here[0] > UNDERFLOW:
        return 0.0, 0.0
    end = betas.reach(here + DEPTH, side=side)
    # A cut far on the other side of the peak leaves nothing to follow before the density rises.
    other_end = betas.reach(DEPTH, side=-side)
    start = np.maximum(other_end, offset) if side > 0 else np.minimum(other_end, offset)
    if bool(beyond[0]):
        start = np.array([offset])
    low, high = (end, start) if side < 0 else (start, end)
    grid = panels_for(betas, low, high)
    mass = betas.density(grid.nodes)[0] * grid.weights
    excess = np.tanh(np.abs(grid.nodes - offset) / 2)
    return float(mass.sum()), float(mass @ excess)


@dataclass(frozen=True, slots=True, eq=False)
class SmoothTails:
    """Both tails of one density as piecewise polynomials, to be read off anywhere."""

    panels: Panels
    series: Floats
    before: Floats
    after: Floats

    @classmethod
    def of(cls, betas: LogOddsBetas) -> "SmoothTails":
        """Integrate the single density in ``betas``."""
        grid = panels_for(betas, betas.reach(DEPTH, side=-1), betas.reach(DEPTH, side=1))
        density = betas.density(grid.nodes)
        half = np.diff(grid.edges)[:, None] / 2
        series = (density.reshape(-1, NODES) * half) @ gauss_rule().series.T
        totals = grid.totals(density)[0]
        before = np.concatenate([[0.0], np.cumsum(totals)[:-1]])
        after = np.concatenate([np.cumsum(totals[::-1])[-2::-1], [0.0]])
        return cls(grid, series, before, after)

    def above(self, offsets: Floats) -> Floats:
        """Mass above each offset."""
        inside, place = self._inside(offsets)
        whole = self.series[place].sum(axis=1)
        return np.asarray(self.after[place] + whole - inside)

    def below(self, offsets: Floats) -> Floats:
        """Mass below each offset."""
        inside, place = self._inside(offsets)
        return np.asarray(self.before[place] + inside)

    def _inside(self, offsets: Floats) -> tuple[Floats, NDArray[np.int64]]:
        edges = self.panels.edges
        held = np.clip(offsets, edges[0], edges[-1])
        place = np.clip(np.searchsorted(edges, held) - 1, 0, edges.size - 2)
        local = 2 * (held - edges[place]) / (edges[place + 1] - edges[place]) - 1
        inside = legendre.legval(local, self.series[place].T, tensor=False)
        return np.asarray(inside, dtype=np.float64), place.astype(np.int64)


def integrate_tail(
    outer: LogOddsBetas,
    inner: LogOddsBetas,
    *,
    forward: Callable[[Floats], Floats],
    backward: Callable[[Floats], Floats],
    start: float,
) -> float:
    r"""Compute :math:`P(Y > c,\ Z > g(Y))` for a decreasing or increasing map g of the log-odds.

    ``outer`` and ``inner`` hold the densities of Y and Z, each with itself as the reference;
    ``forward`` is g on log-odds above ``start`` (c), ``backward`` its inverse, NaN outside.
    """
    low, high = outer.reach(DEPTH, side=-1), outer.reach(DEPTH, side=1)
    low = np.maximum(low, start - outer.zero)
    if low[0] >= high[0]:
        return 0.0
    tails = SmoothTails.of(inner)
    inner_knots = tails.panels.edges
    images = backward(inner.zero + inner_knots) - outer.zero
    images = images[(images > low[0]) & (images < high[0])]
    knots = np.unique(np.concatenate([_knots(outer, low, high), images]))
    mapped = np.clip(_map(forward, outer, inner, knots), inner_knots[0], inner_knots[-1])
    wanted = _larger(_wish(outer, knots)[0]) * np.diff(knots)
    inner_wanted = np.maximum(_larger(_wish(inner, mapped)[0]), 1 / WIDEST) * np.abs(
        np.diff(mapped)
    )
    least = _least(outer, knots) * np.diff(knots)
    grid = Panels.between(_place_edges(knots, np.maximum(np.maximum(wanted, inner_wanted), least)))
    above = tails.above(_map(forward, outer, inner, grid.nodes))
    return float((outer.density(grid.nodes)[0] * grid.weights) @ above)


def _map(
    forward: Callable[[Floats], Floats], outer: LogOddsBetas, inner: LogOddsBetas, offsets: Floats
) -> Floats:
    return np.asarray(forward(outer.zero + offsets) - inner.zero)


def _larger(values: Floats) -> Floats:
    return np.maximum(values[1:], values[:-1])

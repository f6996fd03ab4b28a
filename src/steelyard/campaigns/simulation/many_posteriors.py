"""Posterior chances and losses of many simulated campaigns at once, only as far as a bound asks."""

from dataclasses import dataclass
from math import pi, sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, ndtr, ndtri, xlog1py, xlogy

__all__ = [
    "Floats",
    "SameChances",
    "Truths",
    "Whole",
    "apart_best",
    "apart_loss",
    "apart_ranking",
    "joint_loss",
    "loss_of_leader",
    "reach_jointly",
]


Floats: TypeAlias = NDArray[np.float64]
Whole: TypeAlias = NDArray[np.int64]
Truths: TypeAlias = NDArray[np.bool_]

ROOM = 2_000_000
"""Numbers held at a time while joint chances are drawn."""
SURE = 1e-12
NEAR = 0.7
"""A normal approximation this far from a bound, over the root of the items, tells the side."""
FEW = 50
"""Below so many items nothing is left to the normal approximation."""
NODES, WEIGHTS = np.polynomial.legendre.leggauss(32)
REACH = 7.0
POINTS = 161


def reach_jointly(
    both: Floats, n: int, sides: tuple[Whole, Whole], bound: float, normals: Floats
) -> Truths:
    """Tell where the chance that every first is better than its second reaches a bound.

    Every pair has its chance in closed form; where their sum and their least do not decide, they
    depend on each other by a normal copula.
    """
    first, second = sides
    rows = np.arange(first.shape[0])[:, None]
    shared = both[rows, first, second]
    won, lost = both[rows, first, first] - shared, both[rows, second, second] - shared
    number = won + lost + 1
    rough = ndtr((won - lost) / np.sqrt(number)) + NEAR / np.sqrt(number)
    near = np.flatnonzero((rough >= bound).all(axis=1))
    pairs = np.zeros(won.shape)
    pairs[near] = betainc(lost[near] + 0.5, won[near] + 0.5, 0.5)
    low, high = 1 - (1 - pairs).sum(axis=1), pairs.min(axis=1)
    holds: Truths = np.asarray(low >= bound)
    unclear = np.flatnonzero(~holds & (high >= bound))
    room = max(1, ROOM // (normals.shape[0] * first.shape[1]))
    for start in range(0, unclear.size, room):
        chosen = unclear[start : start + room]
        _, shape = _gaps(both[chosen], n, first[chosen], second[chosen])
        drawn = _draw(shape, normals)
        ends = ndtri(np.clip(pairs[chosen], SURE, 1 - SURE))  # 0 and 1 have no finite quantile
        holds[chosen] = (drawn <= ends[:, None, :]).all(axis=2).mean(axis=1) >= bound
    return holds


def _gaps(both: Floats, n: int, first: Whole, second: Whole) -> tuple[Floats, Floats]:
    """Posterior mean of the differences of rates, and their covariance times n + 3."""
    size = both.shape[1]
    mean = (both + 0.5 + 0.5 * np.eye(size)) / (n + 2)
    rows = np.arange(first.shape[0])[:, None, None]
    a, b = first[:, :, None], second[:, :, None]
    c, d = first[:, None, :], second[:, None, :]
    product = mean[rows, a, c] - mean[rows, a, d] - mean[rows, b, c] + mean[rows, b, d]
    rates = np.diagonal(mean, axis1=1, axis2=2)
    gap = np.take_along_axis(rates, first, 1) - np.take_along_axis(rates, second, 1)
    return gap, product - gap[:, :, None] * gap[:, None, :]


def _draw(shape: Floats, normals: Floats) -> Floats:
    """Draws of correlated standard normals: [campaign, draw, pair]."""
    spread = np.sqrt(np.diagonal(shape, axis1=1, axis2=2))
    alike = shape / (spread[:, :, None] * spread[:, None, :])
    # Two rivals with the same answers are correlated fully: without a touch on the diagonal the
    # matrix would be singular.
    root = np.linalg.cholesky(alike + 1e-9 * np.eye(shape.shape[1]))
    drawn: Floats = normals[None, :, : shape.shape[1]] @ np.swapaxes(root, 1, 2)
    return drawn


def loss_of_leader(won: Floats, lost: Floats, n: int) -> Floats:
    """Expected loss of naming the leader of two on common items, in closed form.

    Many campaigns have the same wins and losses; each is worked out once.
    """
    one, two, place = _cells(won, lost)
    return _pair_loss(one, two, n)[place]


def _cells(won: Floats, lost: Floats) -> tuple[Floats, Floats, Whole]:
    """Different pairs of wins and losses, and which of them each campaign has."""
    width = float(lost.max()) + 1  # both fit one float exactly: a product of counts, below 2^53
    cells, place = np.unique(won * width + lost, return_inverse=True)
    return cells // width, cells % width, place


def _pair_loss(won: Floats, lost: Floats, n: int) -> Floats:
    a, b = np.maximum(won, lost) + 0.5, np.minimum(won, lost) + 0.5
    part = betainc(a, b, 0.5) - 2 * a / (a + b) * betainc(a + 1, b, 0.5)
    return np.asarray((won + lost + 1) / (n + 2) * part)


def joint_loss(both: Floats, n: int, leader: Whole, bound: float, normals: Floats) -> Floats:
    """Expected loss of naming the leader of several on common items, by normal draws.

    Where the largest loss against one of them, or the sum over all, tells the side of the bound,
    that is given instead.
    """
    places = np.arange(both.shape[1])
    others = np.array([np.delete(places, one) for one in leader])
    first = np.repeat(leader[:, None], others.shape[1], axis=1)
    gap, shape = _gaps(both, n, first, others)
    spread = np.sqrt(np.diagonal(shape, axis1=1, axis2=2) / (n + 3))
    loss, unclear = _screen_losses(gap, spread, bound)
    few = normals[:: max(1, normals.shape[0] // 400)]
    room = max(1, ROOM // (few.shape[0] * others.shape[1]))
    for start in range(0, unclear.size, room):
        part = unclear[start : start + room]
        behind = -(gap[part, None, :] + spread[part, None, :] * _draw(shape[part], few))
        loss[part] = np.maximum(behind.max(axis=2), 0.0).mean(axis=1)
    return loss


def _screen_losses(gap: Floats, spread: Floats, bound: float) -> tuple[Floats, Whole]:
    """Losses against single rivals, the largest or their sum; and rows where neither decides."""
    lead = gap / spread
    alone = spread * (np.exp(-(lead**2) / 2) / sqrt(2 * pi) - lead * ndtr(-lead))
    loss, most = alone.max(axis=1), alone.sum(axis=1)
    loss = np.where(most <= bound, most, loss)
    return loss, np.flatnonzero((loss <= bound) & (most > bound))


def _moments(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    mean = a / (a + b)
    return mean, mean * (1 - mean) / (a + b + 1)


def _on_grid(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Chances and distribution functions of Betas on one grid for each row: [row, system, point].

    The points are the middles of equal cells, so that half of a cell's weight lies below each.
    """
    mean, variance = _moments(a, b)
    reach = REACH * np.sqrt(variance)
    low = np.clip((mean - reach).min(axis=1), 0, 1)[:, None, None]
    high = np.clip((mean + reach).max(axis=1), 0, 1)[:, None, None]
    points = low + (high - low) * (np.arange(POINTS) + 0.5) / POINTS
    logs = xlogy(a[:, :, None] - 1, points) + xlog1py(b[:, :, None] - 1, -points)
    # Logarithms first: the density of a Beta of thousands of items overflows.
    weights = np.exp(logs - logs.max(axis=2, keepdims=True))
    weights /= weights.sum(axis=2, keepdims=True)
    return weights, weights.cumsum(axis=2) - weights / 2


def _screen(low: Floats, high: Floats, bound: float, items: Floats) -> tuple[Truths, Whole]:
    """Where limits decide, and the rows that they leave unclear."""
    small, near = items < FEW, NEAR / np.sqrt(items)
    holds = (low - near >= bound) & ~small
    return holds, np.flatnonzero(~holds & ((high + near >= bound) | small))


def apart_best(a: Floats, b: Floats, bound: float) -> tuple[Truths, Whole]:
    """Tell where the likeliest best of independent systems is so likely; and who it is."""
    mean, variance = _moments(a, b)
    leader = mean.argmax(axis=1)
    rows = np.arange(leader.size)
    gap = mean[rows, leader][:, None] - mean
    pairs = np.asarray(ndtr(gap / np.sqrt(variance[rows, leader][:, None] + variance)))
    pairs[rows, leader] = 1.0
    low, high = 1 - (1 - pairs).sum(axis=1), pairs.min(axis=1)
    holds, unclear = _screen(low, high, bound, (a + b).min(axis=1))
    if unclear.size:
        weights, below = _on_grid(a[unclear], b[unclear])
        near, at = np.arange(unclear.size), leader[unclear]
        own = weights[near, at]
        below[near, at] = 1.0
        holds[unclear] = (own * below.prod(axis=1)).sum(axis=1) >= bound
    return holds, leader


def apart_ranking(a: Floats, b: Floats, bound: float) -> tuple[Truths, Whole]:
    """Tell where the likeliest order of independent systems is so likely; and who leads it."""
    mean, variance = _moments(a, b)
    order = np.argsort(-mean, axis=1, kind="stable")
    mean, variance = (np.take_along_axis(part, order, 1) for part in (mean, variance))
    gap, spread = mean[:, :-1] - mean[:, 1:], np.sqrt(variance[:, :-1] + variance[:, 1:])
    steps = np.asarray(ndtr(gap / spread))
    low, high = 1 - (1 - steps).sum(axis=1), steps.min(axis=1)
    holds, unclear = _screen(low, high, bound, (a + b).min(axis=1))
    if unclear.size:
        kept = order[unclear]
        parts = [np.take_along_axis(part[unclear], kept, 1) for part in (a, b)]
        weights, _ = _on_grid(*parts)
        chain = weights[:, -1]
        for place in range(weights.shape[1] - 2, -1, -1):
            chain = weights[:, place] * (chain.cumsum(axis=1) - chain / 2)
        holds[unclear] = chain.sum(axis=1) >= bound
    return holds, order[:, 0]


def apart_loss(a: Floats, b: Floats, bound: float, normals: Floats) -> tuple[Floats, Whole]:
    """Expected loss of naming the leader of independent systems, by normal draws; who it is."""
    mean, variance = _moments(a, b)
    leader = mean.argmax(axis=1)
    places = np.arange(mean.shape[1])
    others = np.array([np.delete(places, one) for one in leader])
    own, rival = (
        [np.take_along_axis(part, at, 1) for part in (mean, variance)]
        for at in (leader[:, None], others)
    )
    loss, unclear = _screen_losses(own[0] - rival[0], np.sqrt(own[1] + rival[1]), bound)
    few = normals[:: max(1, normals.shape[0] // 400)]
    room = max(1, ROOM // (few.shape[0] * mean.shape[1]))
    for start in range(0, unclear.size, room):
        part = unclear[start : start + room]
        drawn = mean[part, None, :] + np.sqrt(variance[part, None, :]) * few[None]
        led = np.take_along_axis(drawn, leader[part, None, None], 2)[:, :, 0]
        loss[part] = (drawn.max(axis=2) - led).mean(axis=1)
    return loss, leader


@dataclass(frozen=True, slots=True, kw_only=True)
class SameChances:
    """Where the chance that two rates differ by less than a margin reaches a bound."""

    margin: float
    bound: float

    def reach_bound(self, won: Floats, lost: Floats, n: int) -> Truths:
        r"""Tell it for wins and losses among n common items.

        The difference is s(2q - 1) as in
        :func:`steelyard.comparison.paired_equivalence`, integrated over s here.
        """
        total = n + 2.0
        one, two = (won + 0.5) / total, (lost + 0.5) / total
        spread = np.sqrt((one + two - (one - two) ** 2) / (total + 1))
        normal = self._normal(one - two, spread)
        holds, unclear = _screen(normal, normal, self.bound, np.full(won.size, float(n)))
        if not unclear.size:
            return holds
        one, two, place = _cells(won[unclear], lost[unclear])
        part, weight = _nodes(one + two + 1, n - one - two + 1)
        a, b = one[:, None] + 0.5, two[:, None] + 0.5
        # Where hardly an item is discordant the difference is inside any margin: no 0/0.
        half = np.minimum(self.margin / np.maximum(part, 1e-300), 1.0) / 2
        inside = betainc(a, b, 0.5 + half) - betainc(a, b, 0.5 - half)
        holds[unclear] = ((inside * weight).sum(axis=1) >= self.bound)[place]
        return holds

    def apart(self, a: Floats, b: Floats) -> Truths:
        """Tell it for two Beta posteriors in the columns."""
        mean, variance = _moments(a, b)
        normal = self._normal(mean[:, 0] - mean[:, 1], np.sqrt(variance.sum(axis=1)))
        holds, unclear = _screen(normal, normal, self.bound, (a + b).min(axis=1))
        if unclear.size:
            near, weight = _nodes(a[unclear, 0], b[unclear, 0])
            other = (a[unclear, 1, None], b[unclear, 1, None])
            up, down = np.minimum(near + self.margin, 1.0), np.maximum(near - self.margin, 0.0)
            inside = betainc(*other, up) - betainc(*other, down)
            holds[unclear] = (inside * weight).sum(axis=1) >= self.bound
        return holds

    def _normal(self, gap: Floats, spread: Floats) -> Floats:
        return np.asarray(ndtr((self.margin - gap) / spread) - ndtr((-self.margin - gap) / spread))


def _nodes(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Places and weights of an integral over Beta(a, b): [row, node]."""
    mean, variance = _moments(a, b)
    reach = REACH * np.sqrt(variance)
    low, high = np.clip(mean - reach, 0, 1)[:, None], np.clip(mean + reach, 0, 1)[:, None]
    points = low + (high - low) * (NODES + 1) / 2
    logs = xlogy(a[:, None] - 1, points) + xlog1py(b[:, None] - 1, -points)
    weights = WEIGHTS * np.exp(logs - logs.max(axis=1, keepdims=True))
    return points, np.asarray(weights / weights.sum(axis=1, keepdims=True))

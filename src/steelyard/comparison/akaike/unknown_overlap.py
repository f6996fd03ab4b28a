"""Largest likelihood of two numbers of right answers on common items, overlap unknown."""

from collections.abc import Callable
from math import ceil, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from steelyard.comparison.akaike.divergence import divergence
from steelyard.uncertainty.special import gammaln, xlogy

__all__ = ["maximum_log_likelihoods"]

Floats = NDArray[np.float64]

ZOOMS = 8
"""Each one narrows the bracket of a maximum tenfold; the likelihood is flat to 1e-15 by then."""

CELLS = 1 << 19
"""Numbers held at once."""

EVEN = 10_000
"""Items up to which the grid is even on the arcsine scale."""

NEAR_END = 300
"""Further points towards each end of the grid when there are more items."""

WORTH = 10.0
"""A maximum of the grid that lies this much below another is not the highest one."""

STIRLING = 30.0
"""Above this count four terms of Stirling's series leave less than 1e-15."""

REACH = 110
"""Terms added on either side of the largest: at least 18 standard deviations."""


def maximum_log_likelihoods(
    first_right: int, second_right: int, *, tested: int
) -> tuple[float, float]:
    r"""Global maxima of log Q for equal rates and for free rates.

    At a maximum the expected cell counts :math:`c_i = n p_i` obey, for equal rates,
    :math:`c_1 + c_3 = (m_S + m_T)/2` and :math:`c_1 + c_4 = n - (m_S + m_T)/2`; for free rates
    :math:`c_1 + c_3 = m_S`, :math:`c_2 + c_3 = m_T`. One number remains. It is searched on a grid
    that is even on the arcsine scale and finer than any single term of the sum is wide; each
    maximum of the grid is then narrowed down.

    Notes
    -----
    For a given p the terms are log-concave in n3 and, once they spread over many n3, as smooth as
    a normal density, of which every third of a standard deviation gives the sum to
    :math:`e^{-18\pi^2}` (Poisson summation): so some two hundred terms are added whatever n is.

    References
    ----------
    .. [1] Ozeki, Performance comparison of recognition systems based on the Akaike information
       criterion, section 2.4.2, (1) and (2).

    Examples
    --------
    >>> same, free = maximum_log_likelihoods(190, 191, tested=200)
    >>> round(2 * (free - same) - 2, 6)
    -0.966215
    """
    likelihood = _Likelihood(first_right, second_right, tested)
    half = (first_right + second_right) / 2
    lowest, highest = likelihood.lowest, likelihood.highest

    def equal(c1: Floats) -> Floats:
        return likelihood.at(c1, c1, half - c1, (tested - half) - c1)

    def free(c3: Floats) -> Floats:
        return likelihood.at(
            first_right - c3, second_right - c3, c3, tested - first_right - second_right + c3
        )

    return (
        _global_maximum(equal, 0.0, min(half, tested - half), tested),
        _global_maximum(free, float(lowest), float(highest), tested),
    )


class _Likelihood:
    """log Q as a function of the expected cell counts, many points at once."""

    def __init__(self, first_right: int, second_right: int, tested: int) -> None:
        self.tested = tested
        self.rights = (first_right, second_right)
        self.lowest = max(0, first_right + second_right - tested)
        self.highest = min(first_right, second_right)
        self.excess = float(_excess(np.array([float(tested)]))[0])

    def at(self, c1: Floats, c2: Floats, c3: Floats, c4: Floats) -> Floats:
        """Log of the sum at points given by their expected counts; each may be 0 at an edge."""
        cells = np.maximum(np.stack([c1, c2, c3, c4]), 0.0)
        centre = np.rint(self._largest_term(*cells)).astype(np.int64)
        largest = self._terms(centre, cells)
        inner = (cells > 0).all(axis=0)  # at an edge a single term is left
        largest[inner] += self._others(centre[inner], cells[:, inner], largest[inner])
        return largest

    def _counts(self, n3: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
        m_s, m_t = self.rights
        return m_s - n3, m_t - n3, n3, self.tested - m_s - m_t + n3

    def _terms(self, n3: NDArray[np.int64], cells: Floats) -> Floats:
        """Log of single terms, as distances from the expected counts: no large numbers cancel."""
        total = np.full(n3.shape, self.excess)
        for count, cell in zip(self._counts(n3), cells, strict=True):
            seen = count.astype(np.float64)
            far = divergence(seen, cell, seen - cell)
            total -= _excess(seen) + np.where((cell == 0) & (seen > 0), np.inf, far)
        return total

    def _others(self, centre: NDArray[np.int64], cells: Floats, largest: Floats) -> Floats:
        """Log of the sum of all terms over the term at the centre."""
        spread = sum(1 / (count + 1.0) for count in self._counts(centre)) ** -0.5
        stride = np.maximum(1, np.floor(spread / 3)).astype(np.int64)
        reach = min(REACH, self.highest - self.lowest)
        n3 = centre[:, None] + np.arange(-reach, reach + 1) * stride[:, None]
        terms = self._terms(np.clip(n3, self.lowest, self.highest), cells[:, :, None])
        terms -= largest[:, None]
        terms[(n3 < self.lowest) | (n3 > self.highest)] = -np.inf
        total = stride * np.exp(terms).sum(axis=1)
        return np.asarray(np.log(total), dtype=np.float64)

    def _largest_term(self, c1: Floats, c2: Floats, c3: Floats, c4: Floats) -> Floats:
        """Solve n3·n4·c1·c2 = n1·n2·c3·c4 for n3; at an edge of the cells it is an edge too."""
        m_s, m_t = self.rights
        slack = self.tested - m_s - m_t
        odd, even = c1 * c2, c3 * c4
        square, linear = odd - even, odd * slack + even * (m_s + m_t)
        constant = -even * m_s * m_t
        root = np.sqrt(np.maximum(linear**2 - 4 * square * constant, 0.0))
        # Of the two ways to write the root, the one whose sum does not cancel.
        falls = (linear < 0) & (square > 0)
        above = np.where(falls, root - linear, -2 * constant)
        below = np.where(falls, 2 * square, linear + root)
        mode = np.divide(above, below, out=np.full_like(below, np.nan), where=below > 0)
        mode = np.where(odd == 0, self.highest, np.where(even == 0, self.lowest, mode))
        inside = np.clip(np.nan_to_num(mode, nan=self.lowest), self.lowest, self.highest)
        return np.asarray(inside, dtype=np.float64)


def _global_maximum(
    function: Callable[[Floats], Floats], low: float, high: float, tested: int
) -> float:
    if high <= low:
        return float(function(np.array([low]))[0])
    angles = _angles(tested)
    values = _in_parts(lambda some: function(_place(some, low, high)), angles)
    padded = np.concatenate([[-np.inf], values, [-np.inf]])
    tops = np.flatnonzero((values >= padded[:-2]) & (values >= padded[2:]))
    tops = tops[values[tops] > values.max() - WORTH]
    return max(_zoom(function, angles, int(top), (low, high)) for top in tops)


def _angles(tested: int) -> Floats:
    """Even steps up to some 10,000 items; beyond, ever finer ones towards both ends.

    With many items a maximum lies where the discordant items are about half the squared lead, or at
    an end: it is as wide as its distance from the end, so that steps in proportion to it find it.
    """
    if tested <= EVEN:
        return np.linspace(0, pi, 8 * ceil(sqrt(tested)) + 65)
    even = np.linspace(0, pi, 8 * ceil(sqrt(EVEN)) + 65)
    near = 2 * np.arcsin(np.sqrt(np.geomspace(1e-3 / tested, 0.25, NEAR_END)))
    return np.unique(np.concatenate([even, near, pi - near]))


def _excess(count: Floats) -> Floats:
    """Compute log x! - x log x + x, which stays small where its three parts are huge."""
    held = np.maximum(count, 1.0)
    square = held**-2
    series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))) / held
    many = 0.5 * np.log(2 * pi * held) + series
    few = gammaln(count + 1.0) - xlogy(count, count) + count
    return np.asarray(np.where(count > STIRLING, many, few))


def _zoom(
    function: Callable[[Floats], Floats], angles: Floats, top: int, ends: tuple[float, float]
) -> float:
    best = -np.inf
    left, right = angles[max(top - 1, 0)], angles[min(top + 1, angles.size - 1)]
    for _ in range(ZOOMS):
        part = np.linspace(left, right, 21)
        values = function(_place(part, *ends))
        at = int(values.argmax())
        best = max(best, float(values[at]))
        left, right = part[max(at - 1, 0)], part[min(at + 1, 20)]
    return best


def _place(angles: Floats, low: float, high: float) -> Floats:
    """Even steps of the angle are even steps in standard deviations; both ends are exact."""
    inner = low + (high - low) * np.sin(angles / 2) ** 2
    return np.where(angles >= pi, high, np.where(angles <= 0, low, inner))


def _in_parts(function: Callable[[Floats], Floats], points: Floats) -> Floats:
    size = CELLS // (2 * REACH + 1)
    parts = [function(points[start : start + size]) for start in range(0, points.size, size)]
    return np.concatenate(parts)

r"""Beta posteriors as densities of the log-odds, where every one of them is smooth.

On the scale :math:`y = \ln x/(1-x)` the density of Beta(a, b) is

.. math:: f(y) = \frac{x^a (1-x)^b}{B(a, b)}, \qquad x = 1/(1 + e^{-y}),

bounded, log-concave and analytic for all positive a and b, also where the density of x itself is
infinite at an edge. It is written as its peak times :math:`e^{-D}`, with the deviance D a sum of
terms that do not cancel, so that :math:`\ln f` keeps its digits for counts of any size.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import factorial, log, pi
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from steelyard.uncertainty.special import gammaln

__all__ = [
    "Floats",
    "LogOddsBetas",
    "deviance",
    "log_odds_apart",
    "log_odds_betas",
    "log_peak",
    "product_difference",
    "rough_deviance",
]

Floats: TypeAlias = NDArray[np.float64]

STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
STIRLING_FROM = 16.0
"""From here on seven terms of Stirling's series leave less than 1e-17."""

FEW = 100.0
"""Up to so many right or wrong answers rounding of the plain logarithm stays near 1e-14."""

STEEP = 500.0
"""Beyond this many log-odds the exponential would overflow, and the deviance is a straight line."""

BARELY = 1e-4
"""Up to here four terms of the series of log1p leave less than 1e-16 of it."""

MOST_TERMS = 20
INVERSE_FACTORIALS = tuple(1 / factorial(k) for k in range(MOST_TERMS + 1))

EXTENTS = (0.003, 0.02, 0.25, 1.0)
"""Distances from a peak up to which ever more terms of the power series are summed."""

BLOCK = 1024
"""Pieces worked on at a time: 16 numbers in each are 128 kB."""


def stirling_remainder(z: Floats) -> Floats:
    r"""What :math:`\ln\Gamma(z)` is above :math:`(z - \frac12) \ln z - z + \frac12 \ln 2\pi`."""
    inverse = 1 / np.maximum(z, STIRLING_FROM)
    series = np.zeros_like(z)
    for coefficient in reversed(STIRLING):
        series = series * inverse**2 + coefficient
    direct = gammaln(z) - ((z - 0.5) * np.log(z) - z + 0.5 * log(2 * pi))
    return np.where(z >= STIRLING_FROM, series * inverse, direct)


def log_peak(a: Floats, b: Floats) -> Floats:
    """Logarithm of the density of the log-odds at its peak, the log-odds of a/(a+b)."""
    total = a + b
    width = 0.5 * (np.log(a) + np.log(b / total) - log(2 * pi))
    return width + stirling_remainder(total) - stirling_remainder(a) - stirling_remainder(b)


def deviance(distance: Floats, a: Floats, b: Floats) -> Floats:
    r"""How far the log density has fallen at a ``distance`` from its peak.

    With :math:`\pi = a/(a+b)` it is :math:`(a+b) \ln(\pi e^{(1-\pi)d} + (1-\pi) e^{-\pi d})`. Near
    the peak the logarithm's argument less 1 is summed as a power series without its constant
    and linear terms, which would cancel; far away nothing cancels.

    Examples
    --------
    >>> float(deviance(np.array(0.0), np.array(3.0), np.array(5.0)))
    0.0
    >>> round(float(deviance(np.array(1e-4), np.array(8e7), np.array(2e7))), 12)
    0.079998400003
    """
    total, least = a + b, np.minimum(a, b)
    share = least / total
    turned = distance * np.where(a <= b, 1.0, -1.0)
    largest = float(max(turned.max(initial=0.0), -turned.min(initial=0.0)))
    if float(np.max(least, initial=0.0)) <= FEW:
        return np.asarray(total * _far(turned, share, largest))
    if largest <= 1:
        return np.asarray(total * np.log1p(_curve(turned, share, largest)))
    near = np.log1p(_curve(np.clip(turned, -1.0, 1.0), share, 1.0))
    return np.asarray(total * np.where(np.abs(turned) <= 1, near, _far(turned, share, largest)))


def rough_deviance(distance: Floats, a: Floats, b: Floats) -> Floats:
    """Compute the deviance as it is written, good enough to say where a density matters.

    What cancels leaves an error of about eps/d of it, 1e-8 at the narrowest posteriors.
    """
    total, least = a + b, np.minimum(a, b)
    turned = np.where(a <= b, distance, -distance)
    largest = float(np.max(np.abs(turned), initial=0.0))
    return np.asarray(total * np.maximum(_far(turned, least / total, largest), 0.0))


def _far(turned: Floats, share: Floats, largest: float) -> Floats:
    """Take the logarithm as it is written, which loses nothing away from the peak."""
    if largest <= STEEP:
        return np.asarray(np.log1p(share * np.expm1(turned)) - share * turned)
    bent = np.log1p(share * np.expm1(np.minimum(turned, STEEP)))
    return np.asarray(bent + np.maximum(turned - STEEP, 0.0) - share * turned)


def _curve(turned: Floats, share: Floats, largest: float) -> Floats:
    """Sum the power series of the argument less 1, to full precision up to ``largest``."""
    return _sum(turned, _series(share, largest), share * (1 - share))


def _sum(turned: Floats, series: Sequence[Floats] | Floats, spread: Floats) -> Floats:
    value = np.broadcast_to(series[0], turned.shape) * turned
    for coefficient in series[1:]:
        value += coefficient
        value *= turned
    value *= turned
    value *= spread
    return np.asarray(value)


def _series(share: Floats, largest: float) -> list[Floats]:
    """Coefficients of the power series from the highest to the square, as many as are needed."""
    one = rest = 1 - share
    two, found = share, []
    for k in range(2, _terms(largest) + 1):
        found.append((one - two if k % 2 else one + two) * INVERSE_FACTORIALS[k])
        one, two = one * rest, two * share
    return found[::-1]


@cache
def _terms(largest: float) -> int:
    terms = 3
    # Terms of the series until the next one changes no digit.
    while 2 * largest ** (terms - 2) * INVERSE_FACTORIALS[terms] > 1e-17 and terms < MOST_TERMS:
        terms += 1
    return terms


def _log1p(small: Floats, largest: float) -> Floats:
    """``log1p`` in place, by four terms of its series where these are enough."""
    if largest > BARELY:
        return np.asarray(np.log1p(small, out=small))
    value = small * -0.25
    for coefficient in (1 / 3, -0.5, 1.0):
        value += coefficient
        value *= small
    return value


def _near(largest: float) -> Callable[[Floats, Floats, NDArray[np.int_]], Floats]:
    """Deviances per observation of pieces that end within ``largest`` of their peaks."""

    def piece(turned: Floats, share: Floats, mine: NDArray[np.int_]) -> Floats:
        series = np.stack(_series(share, largest))[:, mine, None]
        spread = (share * (1 - share))[mine, None]
        return _log1p(_sum(turned, series, spread), largest**2 / 4)

    return piece


def _beyond(turned: Floats, share: Floats, mine: NDArray[np.int_]) -> Floats:
    return _far(turned, share[mine, None], float(np.abs(turned[:, [0, -1]]).max()))


_PIECES = (*(_near(extent) for extent in EXTENTS), _beyond)


def _blocks(sizes: NDArray[np.int_]) -> Iterator[tuple[int, slice]]:
    """Cut the pieces of each level into blocks; the last level is far from every peak."""
    first = 0
    for rung, size in enumerate(sizes.tolist()):
        for start in range(first, first + size, BLOCK):
            yield rung, slice(start, min(start + BLOCK, first + size))
        first += size


def _slope(distance: Floats, a: Floats, b: Floats) -> Floats:
    """Size of the slope of the deviance."""
    total = a + b
    share = np.minimum(a, b) / total
    turned = np.where(a <= b, distance, -distance)
    fading = np.exp(-np.abs(turned))
    # Above the peak both parts of expm1(d) / (1 + share expm1(d)) are divided by e^d.
    bottom = np.where(turned > 0, fading + share * (1 - fading), 1 - share * (1 - fading))
    return np.asarray(total * share * (1 - share) * (1 - fading) / bottom)


def product_difference(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Compute ``a*b - c*d`` without the rounding of the two products.

    Examples
    --------
    >>> one, two = np.array(1e8 + 1), np.array(1e8 - 1)
    >>> float(product_difference(one, two, np.array(1e8), np.array(1e8)))
    -1.0
    """
    first, first_lost = _exact_product(a, b)
    second, second_lost = _exact_product(c, d)
    return (first - second) + (first_lost - second_lost)


def _exact_product(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Give the product and what rounding lost of it (Dekker, doi:10.1007/BF01397083)."""
    product = a * b
    high_a, low_a = _halves(a)
    high_b, low_b = _halves(b)
    lost = ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b
    return product, lost


def _halves(a: Floats) -> tuple[Floats, Floats]:
    scaled = a * 134217729.0  # 2**27 + 1
    high = scaled - (scaled - a)
    return high, a - high


@dataclass(frozen=True, slots=True, eq=False)
class LogOddsBetas:
    """Some Beta densities on a log-odds scale whose zero is ``reference``.

    Places are kept as offsets from the reference, because near ties between large counts differ
    by less than the rounding of their log-odds.
    """

    a: Floats
    b: Floats
    centre: Floats
    peak: Floats
    reference: tuple[float, float]

    @property
    def zero(self) -> float:
        """The log-odds that offset 0 stands for."""
        return log(self.reference[0] / self.reference[1])

    def only(self, places: NDArray[np.int_] | list[int]) -> "LogOddsBetas":
        """Keep some of the densities."""
        kept = (self.a[places], self.b[places], self.centre[places], self.peak[places])
        return LogOddsBetas(*kept, self.reference)

    def measure_from_narrowest(self) -> "LogOddsBetas":
        """Measure from the narrowest density, where rounding of an offset would matter most."""
        narrowest = int(np.argmin(1 / self.a + 1 / self.b))
        reference = (float(self.a[narrowest]), float(self.b[narrowest]))
        if reference == self.reference:
            return self
        centre = log_odds_apart(self.a, self.b, reference=reference)
        return LogOddsBetas(self.a, self.b, centre, self.peak, reference)

    def density(self, offsets: Floats) -> Floats:
        """Densities at each offset, a row for each posterior."""
        return np.exp(self.peak[:, None] - self.fall(offsets))

    def fall(self, offsets: Floats) -> Floats:
        """Deviances at each offset, a row for each posterior."""
        return deviance(offsets - self.centre[:, None], self.a[:, None], self.b[:, None])

    def log_density_on(
        self, rows: NDArray[np.int_], panels: NDArray[np.int_], nodes: Floats
    ) -> Floats:
        """Log densities of posteriors ``rows`` in ``panels``, whose nodes are lines of ``nodes``.

        Pieces near a peak need fewer terms than pieces far away, so they are taken apart, and
        a block at a time, which stays in the processor's cache.
        """
        least, total = np.minimum(self.a, self.b), self.a + self.b
        share, sign = least / total, np.where(self.a <= self.b, 1.0, -1.0)
        centre = self.centre[rows]
        extent = np.maximum(np.abs(nodes[panels, 0] - centre), np.abs(nodes[panels, -1] - centre))
        level = np.where(least[rows] <= FEW, len(EXTENTS), np.searchsorted(EXTENTS, extent))
        order = np.argsort(level, kind="stable")
        found = np.empty((rows.size, nodes.shape[1]))
        for rung, block in _blocks(np.bincount(level)):
            chosen = order[block]
            mine = rows[chosen]
            turned = nodes[panels[chosen]]
            turned -= centre[chosen, None]
            turned *= sign[mine, None]
            fall = _PIECES[rung](turned, share, mine)
            fall *= -total[mine, None]
            fall += self.peak[mine, None]
            found[chosen] = fall
        return found

    def reach(self, depth: Floats | float, *, side: int) -> Floats:
        """Offsets below (``side=-1``) or above (``side=1``) the peaks where the fall is ``depth``.

        Good to a few percent of the distance, which is all that a grid needs.
        """
        depth = np.broadcast_to(np.asarray(depth, dtype=np.float64), self.a.shape)
        root = np.sqrt(2 * depth)
        away = root * np.sqrt(1 / self.a + 1 / self.b)
        # Towards the rarer outcome few observations fall off exponentially, not as a square.
        times = depth / np.minimum(self.a, self.b)
        steep = (self.a <= self.b) if side > 0 else (self.b < self.a)
        away = np.where(steep, np.minimum(away, np.log1p(times + np.log1p(times + away))), away)
        for _ in range(100):
            # The signed root of twice the deviance is nearly straight: Newton on it is quick.
            here = np.sqrt(2 * rough_deviance(side * away, self.a, self.b))
            slope = _slope(side * away, self.a, self.b) / here
            nearer = np.maximum(away - (here - root) / slope, 0.1 * away)
            settled = bool(np.all(np.abs(nearer - away) <= 0.01 * away))
            away = nearer
            if settled:
                break
        return np.asarray(self.centre + side * away)


def log_odds_betas(a: Floats, b: Floats, *, reference: tuple[float, float]) -> LogOddsBetas:
    """Place Beta(a, b) densities on the log-odds scale that starts at Beta ``reference``."""
    centre = log_odds_apart(a, b, reference=reference)
    return LogOddsBetas(a, b, centre, log_peak(a, b), (float(reference[0]), float(reference[1])))


def log_odds_apart(a: Floats, b: Floats, *, reference: tuple[float, float]) -> Floats:
    """Log-odds of a/(a+b) less those of ``reference``, which may be very near.

    Examples
    --------
    >>> float(log_odds_apart(np.array(8e7 + 1), np.array(2e7 - 1), reference=(8e7, 2e7)))
    6.250000117187504e-08
    """
    one, two = np.float64(reference[0]), np.float64(reference[1])
    ratio = product_difference(a, np.full_like(b, two), np.full_like(a, one), b) / (one * b)
    apart = np.log(a / b) - np.log(one / two)
    near = np.abs(ratio) < 0.5
    return np.asarray(np.where(near, np.log1p(np.where(near, ratio, 0.0)), apart))

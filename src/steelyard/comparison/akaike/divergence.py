"""How far counts lie from what a model expects, in log likelihood and with all digits."""

import numpy as np
from numpy.typing import ArrayLike

from steelyard.comparison.posterior.log_odds import Floats, log_peak
from steelyard.uncertainty.special import xlogy

__all__ = ["divergence", "divergence_from_half", "log_half_beta"]

NEAR = 0.1
"""Relative distance up to which the logarithm is summed as a series."""

TERMS = 9
"""Powers of the squared distance that are summed; the next is below 1e-19."""


def divergence(observed: ArrayLike, expected: ArrayLike, gap: ArrayLike) -> Floats:
    r"""Compute :math:`o\ln(o/e) - (o - e)`, with the ``gap`` o - e handed over exactly.

    Near equality the logarithm and the gap cancel to their second order. There, with
    :math:`v = (o-e)/(o+e)`, the series [1]_ :math:`(o-e)\,v + 2 o \sum_{j\ge1} v^{2j+1}/(2j+1)`
    is summed instead.

    References
    ----------
    .. [1] Loader (2000), Fast and accurate computation of binomial probabilities.

    Examples
    --------
    >>> float(divergence(100_000_001.0, 100_000_000.0, 1.0))
    4.999999983333334e-09
    """
    seen, wanted, apart = (np.asarray(one, dtype=np.float64) for one in (observed, expected, gap))
    sum_of_both = seen + wanted
    part = np.divide(apart, sum_of_both, out=np.zeros_like(sum_of_both), where=sum_of_both > 0)
    square, series = part**2, np.zeros_like(part)
    for j in range(TERMS, 0, -1):
        series = (series + 1 / (2 * j + 1)) * square
    near = apart * part + 2 * seen * part * series
    ratio = np.divide(seen, wanted, out=np.ones_like(sum_of_both), where=wanted > 0)
    far = xlogy(seen, ratio) - apart
    return np.asarray(np.where(np.abs(part) < NEAR, near, far))


def divergence_from_half(first: ArrayLike, second: ArrayLike) -> Floats:
    r"""Compute :math:`a\ln\frac{2a}{a+b} + b\ln\frac{2b}{a+b}`, 0 where both are equal.

    Examples
    --------
    >>> float(divergence_from_half(3.0, 0.0)), float(divergence_from_half(2.0, 2.0))
    (2.0794415416798357, 0.0)
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    half, gap = (a + b) / 2, (a - b) / 2
    return np.asarray(divergence(a, half, gap) + divergence(b, half, -gap))


def log_half_beta(a: ArrayLike, b: ArrayLike) -> Floats:
    r"""Compute :math:`\ln(2^{a+b} B(a, b))`, whose two factors cancel for large counts.

    Examples
    --------
    >>> round(float(log_half_beta(1.0, 1.0)), 6)
    1.386294
    """
    one, two = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    return np.asarray(divergence_from_half(one, two) - log_peak(one, two))

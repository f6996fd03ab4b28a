"""The range of several standard normal numbers: studentised range, known variance."""

from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from steelyard.errors import RequestError
from steelyard.uncertainty.roots import crossing

__all__ = ["range_probability", "range_quantile", "range_tail", "range_upper_quantile"]

Floats = NDArray[np.float64]

REACH = 9.0
"""The integrands have fallen by e^-81 at this distance from their highest point."""

PANELS = 24
NODES, WEIGHTS = np.polynomial.legendre.leggauss(20)

NARROW = 2.0
"""Up to this width the mass between two points is integrated; a difference would cancel."""

WIDEST = 60.0
"""A range above this has a chance below the smallest double."""


def range_probability(width: float, size: int) -> float:
    r"""Probability that ``size`` standard normal numbers have a range of at most ``width``.

    .. math:: P = k\int \varphi(z)\,[\Phi(z) - \Phi(z - w)]^{k-1}\,dz

    The studentised range distribution with infinite degrees of freedom.

    Notes
    -----
    Keeps 12 digits, also of chances near 0; :func:`range_tail` keeps those of the complement.

    References
    ----------
    .. [1] Hartley (1942), Biometrika 32, 334-348, doi:10.1093/biomet/32.3-4.334.

    Examples
    --------
    >>> round(range_probability(3.633160, 4), 6)
    0.95
    >>> f"{range_probability(0.01, 50):.10e}"
    '1.9678229095e-117'
    """
    above = range_tail(width, size)
    if above < 0.5:
        return 1 - above
    # The largest number lies between 0 and half of the range, so narrow is the range here.
    z, weights = _nodes(width / 4, REACH + width / 4)
    inside = _density(z) * _between(z - width, width) ** (size - 1)
    return size * float(inside @ weights)


def range_tail(width: float, size: int) -> float:
    r"""Probability that ``size`` standard normal numbers have a range above ``width``.

    With z the smallest of them and :math:`S = 1 - \Phi`,

    .. math:: P = k\int \varphi(z)\,S(z)^{k-1}
              \left[1 - \left(1 - \tfrac{S(z+w)}{S(z)}\right)^{k-1}\right] dz,

    a sum of positive terms, so that it keeps its digits down to 1e-300.

    References
    ----------
    .. [1] Hartley (1942), Biometrika 32, 334-348, doi:10.1093/biomet/32.3-4.334.

    Examples
    --------
    >>> round(range_tail(3.633160, 4), 6), f"{range_tail(30.0, 4):.6e}"
    (0.05, '4.327797e-99')
    """
    _check(width, size)
    if width >= WIDEST:
        return 0.0
    z, weights = _nodes(-width / 2, REACH)
    above = ndtr(-z)
    with np.errstate(divide="ignore"):
        kept = (size - 1) * np.log1p(-ndtr(-z - width) / above)
    inside = _density(z) * above ** (size - 1) * -np.expm1(kept)
    return min(1.0, size * float(inside @ weights))


def range_quantile(level: float, size: int) -> float:
    """Studentised range quantile with infinite degrees of freedom.

    Notes
    -----
    The tables of Demšar (2006) hold this over the square root of 2.

    References
    ----------
    .. [1] Hartley (1942), Biometrika 32, 334-348, doi:10.1093/biomet/32.3-4.334.

    Examples
    --------
    >>> round(range_quantile(0.95, 4) / sqrt(2), 3)
    2.569
    """
    if not 0 < level < 1:
        raise RequestError.for_level(name="level", given=level)
    if level > 0.5:
        return range_upper_quantile(1 - level, size)
    return crossing(lambda width: range_probability(width, size) - level, 0.0, WIDEST)


def range_upper_quantile(alpha: float, size: int) -> float:
    """Range that ``size`` standard normal numbers exceed with probability ``alpha``.

    Examples
    --------
    >>> round(range_upper_quantile(0.05, 4), 4)
    3.6332
    """
    if not 0 < alpha < 1:
        raise RequestError.for_level(name="alpha", given=alpha)
    return crossing(lambda width: range_tail(width, size) / alpha - 1, 0.0, WIDEST)


def _nodes(middle: float, reach: float) -> tuple[Floats, Floats]:
    half = reach / PANELS
    centres = middle - reach + half * (2 * np.arange(PANELS) + 1)
    return (centres[:, None] + half * NODES).ravel(), np.tile(half * WEIGHTS, PANELS)


def _density(z: Floats) -> Floats:
    return np.asarray(np.exp(-(z**2) / 2) / sqrt(2 * np.pi))


def _between(low: Floats, width: float) -> Floats:
    """Mass of the normal distribution from ``low`` over a ``width``, with its digits."""
    if width <= NARROW:
        half = width / 2
        return np.asarray(_density(low[:, None] + half * (1 + NODES)) @ WEIGHTS * half)
    turned = np.where(low + width / 2 > 0, -low - width, low)
    return np.asarray(ndtr(turned + width) - ndtr(turned))


def _check(width: float, size: int) -> None:
    if size < 2 or not width >= 0:
        message = f"width={width!r}, size={size!r}; need a width of 0 or more and at least 2."
        raise RequestError(message)

"""Special functions that wait with scipy until they are asked for something that is not short.

To load ``scipy.special`` costs more than a question on a small file takes. Most such questions
want normal, t and beta quantiles and the tail of a fair coin, which are here for single numbers;
arrays and everything else go to scipy.
"""

from importlib import import_module
from math import comb, inf, lgamma, log, pi
from typing import Any

import numpy as np

from steelyard.uncertainty.beta_numbers import (
    LARGEST,
    SMALLEST,
    beta_quantile_of,
    normal_chance,
    normal_deviate,
    t_quantile,
)

__all__ = [
    "betainc",
    "betaincc",
    "betainccinv",
    "betaincinv",
    "betaln",
    "chdtrc",
    "digamma",
    "erfinv",
    "expit",
    "gammaln",
    "logit",
    "ndtr",
    "ndtri",
    "polygamma",
    "stdtr",
    "stdtrit",
    "xlogy",
]

FEW = 256
"""Up to so many numbers of an array are taken one by one here."""
BITS = 80
"""Bits behind the point of sums of whole numbers."""
COINS = 2000
"""Up to so many tosses of a fair coin are added up here."""


class Deferred:
    """A function of ``scipy.special``, which is loaded when it is first called."""

    __slots__ = ("found", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.found: Any = None

    def __call__(self, *given: Any, **named: Any) -> Any:  # noqa: ANN401
        """Call the function of scipy."""
        if self.found is None:
            self.found = getattr(import_module("scipy.special"), self.name)
        return self.found(*given, **named)


betaincc, betainccinv, stdtr = map(Deferred, ("betaincc", "betainccinv", "stdtr"))
betaln, chdtrc, erfinv = map(Deferred, ("betaln", "chdtrc", "erfinv"))
digamma, polygamma, logit = map(Deferred, ("digamma", "polygamma", "logit"))
_betainc, _ndtri, _xlogy = map(Deferred, ("betainc", "ndtri", "xlogy"))
_betaincinv, _gammaln, _ndtr, _stdtrit = map(Deferred, ("betaincinv", "gammaln", "ndtr", "stdtrit"))

NUMBERS = (int, float)


def xlogy(x: Any, y: Any) -> Any:  # noqa: ANN401
    """Give x log y, 0 where x is 0.

    Examples
    --------
    >>> xlogy(0.0, 0.0), xlogy(2.0, 1.0)
    (0.0, 0.0)
    """
    if getattr(y, "shape", ()):
        return x * np.log(y) if (y > 0).all() else _xlogy(x, y)
    if not 0 < y < inf:
        return 0.0 if not getattr(x, "shape", ()) and x == y == 0 else _xlogy(x, y)
    # Where x is 0 so is this.
    return x * log(y) if getattr(x, "shape", ()) else float(x) * log(y)


def expit(x: Any) -> Any:  # noqa: ANN401
    """Share whose log-odds are x.

    Examples
    --------
    >>> float(expit(0.0)), expit(np.array([-800.0, 800.0])).tolist()
    (0.5, [0.0, 1.0])
    """
    # Far below 0 the exponential overflows to infinity, and 1 over that is the 0 that is meant.
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(np.negative(x)))


def gammaln(x: Any) -> Any:  # noqa: ANN401
    """Logarithm of the gamma function.

    Examples
    --------
    >>> gammaln(1.0), gammaln(np.array([3.0, 2.0])).round(12).tolist()
    (0.0, [0.69314718056, 0.0])
    """
    if isinstance(x, NUMBERS):
        return lgamma(x) if x > 0 else _gammaln(x)
    if isinstance(x, np.ndarray) and x.size <= FEW and (x > 0).all():
        return np.array([lgamma(one) for one in x.ravel().tolist()]).reshape(x.shape)
    return _gammaln(x)


def betainc(a: Any, b: Any, x: Any) -> Any:  # noqa: ANN401
    """Regularised incomplete beta function; at ½ the tail of a fair coin, added up.

    Examples
    --------
    >>> betainc(3, 1, 0.5), round(betainc(10.5, 4.5, 0.5), 12)
    (0.125, 0.052751871905)
    """
    plain = all(type(one) in NUMBERS for one in (a, b, x))
    if not plain or x != 0.5 or not (0 < a and 0 < b and a + b <= COINS):
        return _betainc(a, b, x)
    first, second = int(2 * a), int(2 * b)
    if first != 2 * a or second != 2 * b or (first + second) % 2:
        return _betainc(a, b, x)
    if first % 2 == 0:
        return _coin(first // 2, second // 2)
    # The smaller side is the one whose terms shrink; the other is what it leaves.
    return _half_coin(first, second) if a >= b else 1.0 - _half_coin(second, first)


def _coin(wins: int, losses: int) -> float:
    """Chance of fewer than so many losses among all tosses, exact until it is rounded."""
    tosses = wins + losses - 1
    few = min(wins, losses)
    term = total = 1
    for k in range(1, few):
        term = term * (tosses - k + 1) // k
        total += term
    # Fewer than ``few`` of either side were added up.
    return (total if losses <= wins else (1 << tosses) - total) / (1 << tosses)


def _half_coin(a: int, b: int) -> float:
    r"""Add :math:`I_{1/2}(a/2, b/2)` for odd numbers, a not below b.

    .. math:: I_x(p, q) = \frac{x^p (1-x)^q}{p\,B(p, q)}
              \sum_{n\ge0} \frac{(p+q)_n}{(p+1)_n}\,x^n

    All terms are above 0, and the factor is a fraction of whole numbers, but for :math:`\pi`.

    References
    ----------
    .. [1] NIST Digital Library of Mathematical Functions, 8.17.8, https://dlmf.nist.gov/8.17.
    """
    term = total = 1 << BITS
    place = a
    while term:
        term = term * (place + b) // (2 * (place + 2))
        place += 2
        total += term
    m, n = a // 2, b // 2
    above = comb(m + n, n) * total << (m + n + 1)
    below = (m + 1) * comb(2 * n, n) * comb(2 * m + 2, m + 1) << BITS
    return above / below / pi


# --- normal, beta and t, as limits of areas want them --------------------------------------------


def ndtr(deviate: Any) -> Any:  # noqa: ANN401
    """Chance that a standard normal variable is below.

    Examples
    --------
    >>> ndtr(0.0)
    0.5
    """
    if isinstance(deviate, float):
        return normal_chance(deviate)
    if isinstance(deviate, np.ndarray) and deviate.size <= FEW:
        return np.array([normal_chance(one) for one in deviate.ravel().tolist()]).reshape(
            deviate.shape
        )
    return _ndtr(deviate)


def betaincinv(a: Any, b: Any, below: Any) -> Any:  # noqa: ANN401
    """Quantile of a beta distribution.

    Examples
    --------
    >>> round(betaincinv(2.0, 3.0, 0.5248), 12)
    0.4
    """
    if _few(a) and _few(b) and type(below) is float and 0 < below < 1:
        return beta_quantile_of(float(a), float(b), below)
    return _betaincinv(a, b, below)


def stdtrit(freedom: Any, below: Any) -> Any:  # noqa: ANN401
    """Quantile of Student's t.

    Examples
    --------
    >>> round(stdtrit(10.0, 0.025), 6)
    -2.228139
    """
    if type(below) is float and _few(freedom / 2) and 1e-100 < below < 1:
        return t_quantile(float(freedom), below)
    return _stdtrit(freedom, below)


def _few(parameter: Any) -> bool:  # noqa: ANN401
    return type(parameter) in NUMBERS and SMALLEST <= parameter <= LARGEST


def ndtri(share: Any) -> Any:  # noqa: ANN401
    """Standard normal quantile.

    Examples
    --------
    >>> ndtri(0.5), round(ndtri(0.975), 6)
    (0.0, 1.959964)
    """
    return normal_deviate(share) if isinstance(share, float) else _ndtri(share)

"""Special functions that wait with scipy until they are asked for something that is not short.

To load ``scipy.special`` costs more than a question on a small file takes. Most such questions
want normal, t and beta quantiles and the tail of a fair coin, which are here for single numbers;
arrays and everything else go to scipy.
"""

from importlib import import_module
from math import comb, inf, lgamma, log, log1p, nan, pi, sqrt
from typing import Any

import numpy as np

from steelyard.uncertainty.beta_numbers import (
    LARGEST,
    SMALLEST,
    beta_quantile_of,
    normal_chance,
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
    "xlog1py",
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
_betainc, _ndtri, _xlogy, _xlog1py = map(Deferred, ("betainc", "ndtri", "xlogy", "xlog1py"))
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


def xlog1py(x: Any, y: Any) -> Any:  # noqa: ANN401
    """Give x log(1 + y), 0 where x is 0.

    Examples
    --------
    >>> xlog1py(0.0, -1.0), xlog1py(2.0, 0.0)
    (0.0, 0.0)
    """
    if getattr(y, "shape", ()) or not -1 < y < inf:
        return _xlog1py(x, y)
    return x * log1p(y) if getattr(x, "shape", ()) else float(x) * log1p(y)


def expit(x: Any) -> Any:  # noqa: ANN401
    """Share whose log-odds are x.

    Examples
    --------
    >>> float(expit(0.0)), expit(np.array([-800.0, 800.0])).tolist()
    (0.5, [0.0, 1.0])
    """
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(np.negative(x)))


def gammaln(x: Any) -> Any:  # noqa: ANN401
    """Logarithm of the gamma function.

    Examples
    --------
    >>> gammaln(1.0), gammaln(np.array([3.0, 2.0])).tolist()
    (0.0, [0.6931471805599453, 0.0])
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
    (0.125, 0.05124711614)
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


# --- the normal quantile, by Cephes' approximations, as scipy has it -----------------------------

# fmt: off
MIDDLE = (
    (-5.99633501014107895267e1, 9.80010754185999661536e1, -5.66762857469070293439e1,
     1.39312609387279679503e1, -1.23916583867381258016e0),
    (1.0, 1.95448858338141759834e0, 4.67627912898881538453e0, 8.63602421390890590575e1,
     -2.25462687854119370527e2, 2.00260212380060660359e2, -8.20372256168333339912e1,
     1.59056225126211695515e1, -1.18331621121330003142e0),
)
NEAR = (
    (4.05544892305962419923e0, 3.15251094599893866154e1, 5.71628192246421288162e1,
     4.40805073893200834700e1, 1.46849561928858024014e1, 2.18663306850790267539e0,
     -1.40256079171354495875e-1, -3.50424626827848203418e-2, -8.57456785154685413611e-4),
    (1.0, 1.57799883256466749731e1, 4.53907635128879210584e1, 4.13172038254672030440e1,
     1.50425385692907503408e1, 2.50464946208309415979e0, -1.42182922854787788574e-1,
     -3.80806407691578277194e-2, -9.33259480895457427372e-4),
)
FAR = (
    (3.23774891776946035970e0, 6.91522889068984211695e0, 3.93881025292474443415e0,
     1.33303460815807542389e0, 2.01485389549179081538e-1, 1.23716634817820021358e-2,
     3.01581553508235416007e-4, 2.65806974686737550832e-6, 6.23974539184983293730e-9),
    (1.0, 6.02427039364742014255e0, 3.67983563856160859403e0, 1.37702099489081330271e0,
     2.16236993594496635890e-1, 1.34204006088543189037e-2, 3.28014464682127739104e-4,
     2.89247864745380683936e-6, 6.79019408009981274425e-9),
)
# fmt: on
ROOT_OF_TWO_PI = 2.50662827463100050242
TAIL = 0.13533528323661269189
"""exp(-2), below which the tail has approximations of its own."""


def ndtri(share: Any) -> Any:  # noqa: ANN401
    """Standard normal quantile.

    References
    ----------
    .. [1] Moshier, Cephes Mathematical Library, ndtri.c, https://www.netlib.org/cephes/.

    Examples
    --------
    >>> ndtri(0.5), round(ndtri(0.975), 6)
    (0.0, 1.959964)
    """
    if type(share) is not float:
        return _ndtri(share)
    if not 0 < share < 1:
        return {0.0: -inf, 1.0: inf}.get(share, nan)
    upper = share > 1 - TAIL
    tail = 1.0 - share if upper else share
    if tail > TAIL:
        away = tail - 0.5
        square = away * away
        return (away + away * (square * _ratio(MIDDLE, square))) * ROOT_OF_TWO_PI
    x = sqrt(-2.0 * log(tail))
    z = 1.0 / x
    found = x - log(x) / x - z * _ratio(NEAR if x < 8.0 else FAR, z)
    return found if upper else -found


def _ratio(of: tuple[tuple[float, ...], tuple[float, ...]], x: float) -> float:
    above, below = of
    top = bottom = 0.0
    for one in above:
        top = top * x + one
    for one in below:
        bottom = bottom * x + one
    return top / bottom

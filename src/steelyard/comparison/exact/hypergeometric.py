"""Points and tails of the hypergeometric distribution, for counts of any size."""

from math import log, log1p, pi

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

__all__ = ["hypergeometric_log_point", "hypergeometric_sum"]

Floats = NDArray[np.float64]

STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
DIRECT_TO = 16
"""Below, the logarithm of the factorial is taken as it is; from here on the series is exact."""

BLOCK = 4096
NEGLIGIBLE = 1e-18


def hypergeometric_log_point(x: int, *, first: int, second: int, right: int) -> float:
    r"""Logarithm of :math:`\binom{n_1}{x}\binom{n_2}{s-x}/\binom{n_1+n_2}{s}`.

    Three binomial points at the common rate :math:`s/N`, each as its deviance and Stirling's
    remainders: the large logarithms cancel on paper, not in the last digits.

    References
    ----------
    .. [1] Loader (2000), Fast and accurate computation of binomial probabilities, as used by R.

    Examples
    --------
    >>> from math import exp
    >>> round(exp(hypergeometric_log_point(2, first=3, second=5, right=4)), 12)
    0.428571428571
    """
    total = first + second
    wrong = total - right
    if right == 0 or wrong == 0:
        return 0.0
    return (
        _binomial_log_point(x, first, right, wrong)
        + _binomial_log_point(right - x, second, right, wrong)
        - _binomial_log_point(right, total, right, wrong)
    )


def hypergeometric_sum(start: int, step: int, *, first: int, second: int, right: int) -> float:
    r"""Sum of the points from ``start`` outwards (``step`` 1 or -1), in units of the first of them.

    Each point is the one before times a ratio of whole numbers; the sum ends when a geometric
    series bounds what is left below 1e-18 of it.

    Examples
    --------
    >>> round(hypergeometric_sum(2, 1, first=3, second=5, right=4), 12)
    1.166666666667
    """
    if step < 0:
        # Counting the wrong answers of the first sample turns the direction around.
        wrong = first + second - right
        return hypergeometric_sum(first - start, 1, first=first, second=second, right=wrong)
    last = min(first, right)
    summed, point, at = 1.0, 1.0, start
    while at < last:
        x = np.arange(at, min(at + BLOCK, last), dtype=np.float64)
        ratios = (first - x) * (right - x) / ((x + 1) * (second - right + x + 1))
        points = point * np.cumprod(ratios)
        summed += float(points.sum())
        point, at = float(points[-1]), at + x.size
        falls = float(ratios[-1])
        if falls < 1 and point * falls <= NEGLIGIBLE * summed * (1 - falls):
            break
    return summed


def _binomial_log_point(x: int, trials: int, right: int, wrong: int) -> float:
    """Logarithm of b(x; trials, right/(right + wrong)); the mean is kept as whole numbers."""
    total = right + wrong
    if x == 0:
        return trials * log1p(-right / total)
    if x == trials:
        return trials * log1p(-wrong / total)
    remainders = _remainder(trials) - _remainder(x) - _remainder(trials - x)
    missed = _deviance(x, trials * right, total)
    missed += _deviance(trials - x, trials * wrong, total)
    return remainders - missed + 0.5 * (log(trials / x) - log(2 * pi * (trials - x)))


def _deviance(count: int, mean: int, total: int) -> float:
    """Give x ln(x/m) + m - x for m = mean/total, whose parts nearly cancel close to the mean."""
    expected = mean / total
    gap = (count * total - mean) / total
    if abs(gap) > 0.1 * (count + expected):
        return count * log(count / expected) - gap
    v = gap / (count + expected)
    summed, term, k = gap * v, 2 * count * v, 1
    while True:
        term *= v * v
        following = summed + term / (2 * k + 1)
        if following == summed:
            return summed
        summed, k = following, k + 1


def _remainder(count: int) -> float:
    if count < DIRECT_TO:
        return float(gammaln(count + 1)) - ((count + 0.5) * log(count) - count + 0.5 * log(2 * pi))
    inverse = 1 / count
    series = 0.0
    for coefficient in reversed(STIRLING):
        series = series * inverse**2 + coefficient
    return series * inverse

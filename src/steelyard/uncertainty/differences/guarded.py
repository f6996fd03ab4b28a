"""Limits of a paired difference that allow for one item which was not seen."""

from math import pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincinv, ndtr, ndtri

from steelyard.errors import CountsError
from steelyard.uncertainty.domain import normal_quantile, whole_count
from steelyard.uncertainty.roots import crossing
from steelyard.uncertainty.shares.finite import check_population

__all__ = ["guarded_finite_interval", "guarded_paired_interval", "guarded_tail"]

Counts = tuple[int, int, int]
NODES, WEIGHTS = np.polynomial.legendre.leggauss(100)
FARTHEST = 8.5
"""Normal deviate at which the average over the discordant share ends on either side."""


def guarded_paired_interval(
    both: int, first: int, second: int, neither: int, *, level: float = 0.95
) -> tuple[float, float]:
    r"""Interval of a paired difference whose ends err no more often than they say.

    Of n items the first system alone had b right, the second alone c. The lower limit is the
    :math:`(1-\text{level})/2` quantile of :math:`p_1-p_2` when :math:`(p_1,p_2,p_0)` is
    Dirichlet with :math:`(b,\ c+1,\ n-b-c)`: the Bayesian bootstrap of the items, with one more
    item that speaks for the second system. The upper limit is its mirror image. It is Gaffke's
    bound for a mean of numbers from -1 to 1 [1]_ [2]_.

    Parameters
    ----------
    both, first, second, neither : int
        Items both, only the first, only the second, and neither system had right.
    level : float
        Coverage wanted, strictly between 0 and 1.

    Returns
    -------
    tuple of float
        Limits of the first share minus the second, within [-1, 1].

    Notes
    -----
    Where only one kind of discordant item occurs the limits are those of Clopper and Pearson, and
    0 lies outside exactly when the one-sided exact McNemar test rejects at
    :math:`(1-\text{level})/2`. That the bound holds its level for every distribution is proved for
    two values and conjectured for more; no exception is known [2]_, and the certificates search for
    one. It is wider than :func:`tango_interval`, which errs on one side in up to a tenth of all
    tests where it says a twentieth.

    References
    ----------
    .. [1] Gaffke (2005), Three test statistics for a nonparametric one-sided hypothesis on the
       mean of a nonnegative variable, Mathematical Methods of Statistics 14, 451-467.
    .. [2] Learned-Miller & Thomas (2019), A new confidence interval for the mean of a bounded
       random variable, doi:10.48550/arXiv.1905.06208.

    Examples
    --------
    >>> low, high = guarded_paired_interval(860, 30, 22, 88, level=0.9)
    >>> round(low, 4), round(high, 4)
    (-0.0049, 0.021)
    >>> low, high = guarded_paired_interval(5, 0, 0, 0, level=0.9)
    >>> round(low, 4), round(1 - 0.05 ** (1 / 5), 4)
    (-0.4507, 0.4507)
    """
    normal_quantile(level)
    cells = (both, first, second, neither)
    names = ("both", "first", "second", "neither")
    number = sum(whole_count(count, name) for count, name in zip(cells, names, strict=True))
    if number == 0:
        message = "The paired table is empty: 0 items hold no information on a difference."
        raise CountsError(message, code="no-trials")
    tail, rest = (1 - level) / 2, both + neither
    return _lowest((first, second, rest), tail), -_lowest((second, first, rest), tail)


def guarded_tail(first: int, second: int, rest: int, *, at: float) -> float:
    r"""Probability of a difference of ``at`` or less, with one more item for the second system.

    The one-sided p-value of "the difference is ``at`` or less" that goes with the lower limit of
    :func:`guarded_paired_interval`. With s the discordant share,

    .. math:: P = E_s\,I_{(1+t/s)/2}(b, c+1), \qquad s \sim \mathrm{Beta}(b+c+1,\ n-b-c).

    Examples
    --------
    >>> round(guarded_tail(5, 0, 20, at=0.0), 5), 0.5**5
    (0.03125, 0.03125)
    """
    if first == 0:
        # No item speaks for the first: only the share of the second is left.
        share = 1.0 if rest == 0 else float(betainc(second + 1, rest, min(1.0, max(0.0, -at))))
        if at >= 0:
            return 1.0
        return 1 - share if rest else float(at >= -1)
    if rest == 0:
        return float(betainc(first, second + 1, np.clip((1 + at) / 2, 0.0, 1.0)))
    if at == 0:
        return float(betainc(first, second + 1, 0.5))
    # A smaller share of discordant items leaves no doubt. The average is cut there, where its
    # integrand has a kink: Gauss's rule gives all digits of what is smooth and few of a kink.
    below = float(betainc(first + second + 1, rest, min(1.0, abs(at))))
    start = max(-FARTHEST, float(ndtri(below)))
    sure = below if at > 0 else 0.0
    if start >= FARTHEST:
        return sure
    half = (FARTHEST - start) / 2
    deviates = start + half * (1 + NODES)
    mass = half * WEIGHTS * np.exp(-deviates * deviates / 2) / sqrt(2 * pi)
    shares = np.maximum(betaincinv(first + second + 1, rest, ndtr(deviates)), 1e-300)
    part = np.clip((1 + at / shares) / 2, 0.0, 1.0)
    return sure + float((mass * betainc(first, second + 1, part)).sum())


def guarded_finite_interval(
    cells: tuple[int, int, int, int],
    population: int,
    *,
    level: float = 0.95,
    rng: np.random.Generator,
    draws: int = 20_000,
) -> tuple[float, float]:
    r"""Interval of the difference on all N items of a benchmark of which n were tested.

    The tested items are known. Those of the other :math:`N-n` items that only the first and only
    the second system has right are drawn from the Dirichlet-multinomial distribution with
    :math:`(b,\ c+1,\ n-b-c)` for the lower limit and its mirror image for the upper one: what
    :func:`guarded_paired_interval` becomes when the items run out.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> low, high = guarded_finite_interval((80, 12, 4, 4), 200, rng=rng)
    >>> 0 < low < 0.08 < high < 0.16
    True
    >>> guarded_finite_interval((80, 12, 4, 4), 100, rng=rng)
    (0.08, 0.08)
    """
    both, first, second, neither = cells
    tested = sum(cells)
    check_population(tested, population)
    left, tail = population - tested, (1 - level) / 2
    if left == 0:
        gap = (first - second) / population
        return gap, gap
    ends = []
    for ahead, behind in ((first, second), (second, first)):
        shares = rng.standard_gamma([ahead, behind + 1, both + neither], size=(draws, 3))
        drawn = rng.multinomial(left, shares / shares.sum(axis=1, keepdims=True))
        gaps = np.sort(ahead - behind + drawn[:, 0] - drawn[:, 1])
        ends.append(float(gaps[int(tail * draws)]) / population)
    return ends[0], -ends[1]


def _lowest(counts: Counts, tail: float) -> float:
    """Find the difference below which ``tail`` lies."""
    first, second, rest = counts
    if first == 0:
        return -1.0 if rest == 0 else -_quantile(second + 1, rest, 1 - tail)
    if rest == 0:
        return 2 * _quantile(first, second + 1, tail) - 1
    total = first + second + rest
    value = (first - second) / total
    # One item more for the second system moves the middle; the limit lies below both.
    return crossing(lambda t: guarded_tail(first, second, rest, at=t) - tail, -1.0, max(value, 0.0))


def _quantile(a: float, b: float, share: float) -> float:
    found: NDArray[Any] | float = betaincinv(a, b, share)
    return float(found)

"""Limits of a paired difference that allow for one item which was not seen."""

from collections.abc import Sequence
from math import pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaincinv, ndtr, ndtri

from steelyard.errors import CountsError
from steelyard.uncertainty.differences.paired import count_paired
from steelyard.uncertainty.domain import normal_quantile
from steelyard.uncertainty.roots import crossing
from steelyard.uncertainty.shares.proportion import check_population

__all__ = ["draw_strata", "guarded_finite_interval", "guarded_paired_interval", "guarded_tail"]

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

    Parameters and limits as of :func:`tango_interval`.

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
    count_paired((both, first, second, neither))
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
    # A share that underflows to 0 would divide by 0; so small a one decides nothing.
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


Floats = NDArray[np.float64]


def draw_strata(
    counts: ArrayLike, values: Sequence[float], *, rng: np.random.Generator, draws: int = 20_000
) -> Floats:
    r"""Draw the mean over fixed items from the distribution whose low quantiles are lower limits.

    Items are strata: only the answers to an item vary. Let :math:`b_i` be the commonest value
    among the :math:`n_i` answers to item i (the largest of several) and :math:`k_{iv}` the answers
    with another value v. Then, with N answers in all,

    .. math:: \theta = \frac1N\Big(\sum_i n_ib_i + \sum_{i,v}(v-b_i)\,\frac{G_{iv}}{a_i} - hE\Big),
              \qquad G_{iv} \sim \mathrm{Gamma}(k_{iv}a_i),\ E \sim \mathrm{Exp}(1).

    :math:`a_i\ge1` gives the sum of an item's answers its unbiased variance :math:`n_is_i^2`, and
    h is the harm of one unseen answer: from the largest value seen to the smallest there is.

    Parameters
    ----------
    counts : array_like
        Answers by item and value, two or more for each item.
    values : sequence of float
        The values, in descending order.

    Notes
    -----
    Answers that differ from the rest of their item are rare events; a gamma weight for each, and
    one event more, are the limits of a Poisson count, and there is always some width. Where no
    answer differs within its item, limits reach as far as one answer in :math:`N/3` would. With the
    values negated and in reverse the same draws give upper limits.

    References
    ----------
    .. [1] Fay & Feuer (1997), Statistics in Medicine 16, 791-801,
       doi:10.1002/(SICI)1097-0258(19970415)16:7<791::AID-SIM500>3.0.CO;2-#.
    .. [2] Cochran (1977), Sampling Techniques, 3rd edition, Wiley, section 5A.

    Examples
    --------
    >>> drawn = draw_strata([[2, 0], [2, 0], [1, 1]], [1, 0], rng=np.random.default_rng(1))
    >>> low = np.quantile(drawn, 0.05)
    >>> bool(0 < low < 0.4)
    True
    """
    table = np.asarray(counts, dtype=np.float64)
    worth = np.asarray(values, dtype=np.float64)
    size = table.sum(axis=1)
    if table.ndim != 2 or (size < 2).any():
        message = "Each item needs two answers or more; one does not show how answers vary."
        raise CountsError(message, code="no-repeats")
    base = worth[np.argmax(table, axis=1)]
    away = worth[None, :] - base[:, None]
    raw = (table * away**2).sum(axis=1)
    # n s² from the deviations themselves: the shift by the base cancels exactly.
    unbiased = (raw - (table * away).sum(axis=1) ** 2 / size) * size / (size - 1)
    scale = np.where(raw > 0, np.maximum(1.0, raw / np.where(unbiased > 0, unbiased, 1.0)), 1.0)
    total = np.full(draws, float((size * base).sum()))
    # Gamma weights of one scale add up: as few draws as there are kinds of deviation.
    shapes: dict[tuple[float, float], float] = {}
    for item, place in np.argwhere((table > 0) & (away != 0)).tolist():
        kind = (round(float(scale[item]), 12), float(away[item, place]))
        shapes[kind] = shapes.get(kind, 0.0) + float(table[item, place]) * kind[0]
    for (one, step), shape in sorted(shapes.items(), key=lambda kind: (kind[0][0], kind[0][1])):
        total += step / one * rng.standard_gamma(shape, draws)
    harm = float(worth[(table > 0).any(axis=0)].max() - worth.min())
    total -= harm * rng.standard_exponential(draws)
    return np.asarray(np.maximum(total / size.sum(), worth.min()))

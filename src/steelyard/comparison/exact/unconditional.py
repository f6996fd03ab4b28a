"""Exact tests of two independent rates: conditional (Fisher) and unconditional."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import exp, log, log1p, pi, sin, sqrt
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from steelyard.counts.columns import check_sample
from steelyard.errors import RequestError
from steelyard.uncertainty.special import gammaln, xlogy

__all__ = [
    "FisherTest",
    "UnconditionalOrder",
    "UnconditionalTest",
    "fisher_exact",
    "hypergeometric_log_point",
    "hypergeometric_sum",
    "too_many_tables",
    "unconditional_exact",
]

# --- points and tails of the hypergeometric distribution, for counts of any size -----------------


Floats = NDArray[np.float64]

STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
DIRECT_TO = 16
"""Below, the logarithm of the factorial is taken as it is; from here on the series is exact."""

BLOCK = 4096
"""Terms of a tail that are multiplied up at a time; most tails end within the first."""
NEGLIGIBLE = 1e-18
"""What is left of a tail, as a geometric series bounds it, changes no digit below this share."""


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


# --- exact tests of two independent rates: conditional (Fisher) and unconditional ----------------


UnconditionalOrder: TypeAlias = Literal["boschloo", "barnard"]
Sample = tuple[int, int]

SAME = 1e-7
"""Tables whose probabilities agree to this relative amount count as equally extreme."""

LARGEST = 4_000_000
"""Tables that the unconditional test will order at most."""


SMALL = 400
"""Up to so many items in all every rate is weighed against every total at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FisherTest:
    """Two-sided exact test, given how many answers were right in all."""

    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class UnconditionalTest:
    """Two-sided exact test over both samples; ``rate`` is the common rate that is hardest on it."""

    order: UnconditionalOrder
    p_value: float
    rate: float


def fisher_exact(first: Sample, second: Sample) -> FisherTest:
    r"""Fisher's exact test of equal rates from two independent samples (successes, trials).

    Given :math:`x_1 + x_2` the first count is hypergeometric; the p-value adds the probabilities
    of all tables that are no more probable than the one observed.

    Notes
    -----
    Conservative: its real error rate is often half the nominal one. :func:`unconditional_exact`
    with Boschloo's order is never less powerful.

    References
    ----------
    .. [1] Fisher (1935), JRSS 98, 39-82, doi:10.2307/2342435.

    Examples
    --------
    >>> round(fisher_exact((8, 10), (1, 6)).p_value, 6)
    0.034965
    """
    check_sample(*first)
    check_sample(*second)
    (x1, n1), (x2, n2) = first, second
    sizes = {"first": n1, "second": n2, "right": x1 + x2}
    mode = (n1 + 1) * (x1 + x2 + 1) // (n1 + n2 + 2)
    if x1 == mode:
        return FisherTest(p_value=1.0)
    outwards = 1 if x1 > mode else -1
    seen = hypergeometric_log_point(x1, **sizes)
    beyond = hypergeometric_sum(x1, outwards, **sizes)
    other = _as_improbable(seen, mode, -outwards, sizes)
    if other is not None:
        place, log_point = other
        beyond += exp(log_point - seen) * hypergeometric_sum(place, -outwards, **sizes)
    return FisherTest(p_value=min(1.0, exp(seen) * beyond))


def _as_improbable(
    seen: float, mode: int, step: int, sizes: Mapping[str, int]
) -> tuple[int, float] | None:
    """Find the table nearest to the mode on one side of it that is no more probable than seen."""
    lowest = max(0, sizes["right"] - sizes["second"])
    highest = min(sizes["first"], sizes["right"])
    length = highest - mode if step > 0 else mode - lowest

    def log_point(distance: int) -> float:
        return hypergeometric_log_point(mode + step * distance, **sizes)

    # The points fall from the mode outwards, so halving finds the first that is low enough.
    near, far = -1, length + 1
    while far - near > 1:
        middle = (near + far) // 2
        near, far = (near, middle) if log_point(middle) <= seen + SAME else (middle, far)
    return None if far > length else (mode + step * far, log_point(far))


def unconditional_exact(
    first: Sample, second: Sample, *, order: UnconditionalOrder = "boschloo"
) -> UnconditionalTest:
    r"""Unconditional exact test of equal rates from two independent samples.

    All :math:`(n_1+1)(n_2+1)` pairs of counts are ordered, by their two-sided Fisher p-value
    (``boschloo``) or by the size of the pooled score statistic (``barnard``, Suissa and Shuster);
    R holds those at least as extreme as the observed pair, and

    .. math:: p = \max_\pi \sum_{(i,j) \in R} b(i; n_1, \pi)\, b(j; n_2, \pi).

    Notes
    -----
    The maximum is searched on 1,000 rates, closer together at the ends, and narrowed down around
    the best ones. Up to about 2,000 items in each sample; beyond, take Fisher's test.
    Other programs double a one-sided p-value or use another order, and differ a little.

    References
    ----------
    .. [1] Boschloo (1970), Statistica Neerlandica 24, 1-9, doi:10.1111/j.1467-9574.1970.tb00104.x.
    .. [2] Suissa & Shuster (1985), JRSS A 148, 317-327, doi:10.2307/2981892.

    Examples
    --------
    >>> round(unconditional_exact((7, 15), (12, 15), order="barnard").p_value, 6)
    0.068218
    >>> round(unconditional_exact((7, 15), (12, 15)).p_value, 6)
    0.068218
    """
    if order not in ORDERS:
        choices = get_args(UnconditionalOrder)
        raise RequestError.for_choice(name="order", given=order, choices=choices)
    check_sample(*first)
    check_sample(*second)
    (x1, n1), (x2, n2) = first, second
    if too_many_tables(first, second):
        message = (
            f"Samples of {n1} and {n2} have too many tables for an exact unconditional test; "
            "use fisher_exact, or independent_test, which takes score_test where it is good enough."
        )
        raise RequestError(message)
    given_total = ORDERS[order](n1, n2, (x1, x2))
    rate, p_value = _largest(given_total)
    return UnconditionalTest(order=order, p_value=min(1.0, p_value), rate=rate)


def too_many_tables(first: Sample, second: Sample) -> bool:
    """Tell whether the unconditional test would refuse samples of this size.

    Examples
    --------
    >>> too_many_tables((3, 10), (5, 10)), too_many_tables((3, 10**6), (5, 10**6))
    (False, True)
    """
    return (first[1] + 1) * (second[1] + 1) > LARGEST


def _tables(n1: int, n2: int) -> Floats:
    """Chance of each first count (column) given the number right in all (row), 0 if impossible."""
    right, x = np.arange(n1 + n2 + 1)[:, None], np.arange(n1 + 1)[None, :]
    logs = gammaln(np.arange(n1 + n2 + 1) + 1.0)
    rest = right - x
    possible = (rest >= 0) & (rest <= n2)
    rest = np.where(possible, rest, 0)
    ways = (logs[n1] - logs[x] - logs[n1 - x]) + (logs[n2] - logs[rest] - logs[n2 - rest])
    ways -= (logs[n1 + n2] - logs - logs[::-1])[:, None]
    chances = np.where(possible, np.exp(ways), 0.0)
    return np.asarray(chances / chances.sum(axis=1, keepdims=True), dtype=np.float64)


@lru_cache(maxsize=4)
def _fisher_steps(n1: int, n2: int) -> tuple[Floats, Floats]:
    """For each number right in all, in ascending order: the chances, and the p-values attained.

    Of equally probable tables only the last has a p-value; the others hold infinity.
    """
    chances = np.sort(_tables(n1, n2), axis=1)
    p_values = chances.cumsum(axis=1)
    tied = chances[:, 1:] <= chances[:, :-1] * (1 + SAME)
    p_values[:, :-1][tied] = np.inf
    return chances, p_values


def _by_fisher(n1: int, n2: int, seen: tuple[int, int]) -> Floats:
    """Chance, given each number right in all, of a Fisher p-value as small as that seen."""
    if n1 > n2:
        return _by_fisher(n2, n1, seen[::-1])
    chances, p_values = _fisher_steps(n1, n2)
    x1, right = seen[0], sum(seen)
    sizes = {"first": n1, "second": n2, "right": right}
    own = exp(hypergeometric_log_point(x1, **sizes))
    place = int(np.searchsorted(chances[right], own * (1 + SAME), side="right")) - 1
    bar = float(chances[right, : place + 1].sum()) * (1 + SAME)
    kept = np.where(p_values <= bar, p_values, 0.0)
    return np.asarray(kept.max(axis=1), dtype=np.float64)


def _by_score(n1: int, n2: int, seen: tuple[int, int]) -> Floats:
    """Chance, given each number right in all, of a score statistic as large as that seen."""
    x1, right = np.arange(n1 + 1.0)[None, :], np.arange(n1 + n2 + 1.0)[:, None]
    pooled = right / (n1 + n2)
    spread = pooled * (1 - pooled) * (1 / n1 + 1 / n2)
    gap = (x1 / n1 - (right - x1) / n2) ** 2
    squares = np.divide(gap, spread, out=np.zeros_like(gap), where=spread > 0)
    region = 1 + squares >= (1 + squares[sum(seen), seen[0]]) / (1 + SAME)
    return np.asarray((_tables(n1, n2) * region).sum(axis=1), dtype=np.float64)


ORDERS: dict[str, Callable[[int, int, tuple[int, int]], Floats]] = {
    "boschloo": _by_fisher,
    "barnard": _by_score,
}


def _largest(given_total: Floats) -> tuple[float, float]:
    r"""Find the common rate at which :math:`\sum_s b(s; N, \pi) \alpha_s` is largest, and the sum.

    The number right in all has the whole of the rate's influence: given it, the tables have no
    parameter. The sum bends over distances of :math:`N^{-1/2}` on the scale of angles.
    """
    total = given_total.size - 1
    number = max(1001, int(4 * sqrt(total)) + 1)
    angles = np.linspace(0, np.pi, number)
    values = _mix(given_total, angles)
    best = (0.0, 0.0)
    for top in np.argsort(values)[-5:]:
        left, right = angles[max(top - 1, 0)], angles[min(top + 1, number - 1)]
        for _ in range(7):
            part = np.linspace(left, right, 21)
            heights = _mix(given_total, part)
            at = int(heights.argmax())
            best = max(best, (float(heights[at]), float(np.sin(part[at] / 2) ** 2)))
            left, right = part[max(at - 1, 0)], part[min(at + 1, 20)]
    return best[1], best[0]


def _mix(given_total: Floats, angles: Floats) -> Floats:
    """Average the conditional chances over the number right in all, at each common rate."""
    total = given_total.size - 1
    logs = gammaln(np.arange(total + 1) + 1.0)
    ways = logs[total] - logs - logs[::-1]
    if total <= SMALL:
        return _average(given_total, ways, slice(0, total + 1), angles)
    parts = [
        _average(given_total, ways, _plausible(total, angle), np.array([angle]))
        for angle in angles.tolist()
    ]
    return np.concatenate(parts)


def _plausible(total: int, angle: float) -> slice:
    """Totals within nine standard deviations, beyond which nothing is left."""
    rate = sin(angle / 2) ** 2
    reach = 9 * sqrt(total * rate * (1 - rate)) + 30
    return slice(max(0, int(total * rate - reach)), min(total, int(total * rate + reach) + 1) + 1)


def _average(given_total: Floats, ways: Floats, kept: slice, angles: Floats) -> Floats:
    s = np.arange(kept.start, kept.stop, dtype=np.float64)
    rate, rest = np.sin(angles / 2) ** 2, np.cos(angles / 2) ** 2
    wrong = given_total.size - 1 - s
    weights = np.exp(ways[kept] + xlogy(s, rate[:, None]) + xlogy(wrong, rest[:, None]))
    # Divided by their own sum, what rounding did to the logarithms of the factorials goes out.
    return np.asarray(weights @ given_total[kept] / weights.sum(axis=1), dtype=np.float64)

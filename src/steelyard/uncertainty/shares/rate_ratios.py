"""Score intervals for the ratio and the odds ratio of two rates, independent or on common items."""

from collections.abc import Callable
from math import copysign, exp, expm1, inf, log, sqrt

from steelyard.errors import CountsError
from steelyard.uncertainty.domain import (
    choose_method,
    normal_quantile,
    successes_of_trials,
    whole_count,
)
from steelyard.uncertainty.roots import crossing
from steelyard.uncertainty.shares.proportion import PROPORTION_INTERVALS

__all__ = [
    "discordant_odds_interval",
    "odds_ratio_score_interval",
    "paired_ratio_interval",
    "paired_ratio_score",
    "ratio_interval",
    "ratio_interval_effective",
    "ratio_score",
]

Sample = tuple[int, int]
Limits = tuple[float, float | None]

CLOSE = 0.7
"""Logarithms of ratios up to here are close to 0, where errors tell more than right answers."""
WIDEST = 30.0
"""Logarithms of ratios are searched up to here; beyond there is no limit."""


def ratio_interval(first: Sample, second: Sample, *, level: float = 0.95) -> Limits:
    r"""Score interval for the ratio of two independent rates (successes, trials).

    The ratios :math:`\theta` with :math:`|\hat p_1-\theta\hat p_2|\le
    z\sqrt{\tilde p_1(1-\tilde p_1)/n_1+\theta^2\tilde p_2(1-\tilde p_2)/n_2}`, where the rates
    :math:`\tilde p_1=\theta\tilde p_2` have the largest likelihood given the ratio [1]_.

    Returns
    -------
    tuple of float
        The limits; the upper one is None (there is none) when the second rate is 0.

    Notes
    -----
    It is the interval of the score test that :math:`\theta=1` is; 0 of n is answered like any other
    count. With 0 successes in both samples every ratio fits: (0, None).

    References
    ----------
    .. [1] Koopman (1984), Biometrics 40, 513-517, doi:10.2307/2531405.

    Examples
    --------
    >>> low, high = ratio_interval((36, 40), (16, 80))
    >>> round(low, 4), round(high, 4)
    (2.9396, 7.1522)
    """
    return ratio_interval_effective(*_samples(first, second), level=level)


def ratio_interval_effective(
    first: tuple[float, float], second: tuple[float, float], *, level: float = 0.95
) -> Limits:
    """Score interval of :func:`ratio_interval` for effective numbers, which need not be whole.

    Examples
    --------
    >>> ratio_interval_effective((36.0, 40.0), (16.0, 80.0)) == ratio_interval((36, 40), (16, 80))
    True
    """
    # Whole numbers stay whole: their products are exact where those of floats are rounded.
    one, two = _whole(first), _whole(second)
    return _limits(lambda t: _ratio_score(one, two, t), (one, two), level)


def _whole(sample: tuple[float, float]) -> tuple[float, float]:
    won, tried = (int(one) if one == int(one) else one for one in sample)
    return won, tried


def ratio_score(first: Sample, second: Sample, *, ratio: float) -> float:
    """Standardised distance of two independent rates from a stated ratio; falls as it grows.

    Examples
    --------
    >>> round(ratio_score((36, 40), (16, 80), ratio=1.0), 3)
    7.295
    """
    if ratio <= 0:
        return inf if first[0] else 0.0
    return _ratio_score(first, second, log(ratio))


def _ratio_score(
    first: tuple[float, float], second: tuple[float, float], log_ratio: float
) -> float:
    r"""Score at a logarithm of the ratio.

    With errors :math:`e, f` instead of right answers the discriminant of the likelihood equation is
    :math:`(N(1-\theta)-e+f\theta)^2+4ef\theta`, in which nothing cancels for rates close to 1.
    """
    (x, m), (y, n) = first, second
    ratio, less = exp(log_ratio), -expm1(log_ratio)
    wrong, other_wrong, apart = m - x, (n - y) * ratio, (m + n) * less
    if abs(log_ratio) < CLOSE:
        gap = ((x * n - y * m) + y * m * less) / (m * n)
        inner, own = apart - wrong + other_wrong, -apart - wrong - other_wrong
        others = apart - wrong - other_wrong
    else:
        # Far from 1 what nearly cancels is something else: the same sums in right answers.
        gap = (x * n - y * m * ratio) / (m * n)
        inner, own = (n + x) - ratio * (m + y), ratio * (m + y) - (2 * m + n - x)
        others = (n + x) - ratio * (m + 2 * n - y)
    if gap == 0:
        return 0.0
    root = sqrt(inner**2 + 4 * wrong * other_wrong)
    other = min(1.0, 2 * (x + y) / (m * ratio + x + n + y * ratio + root))
    rate = min(1.0, ratio * other)
    other_error = _beyond(root, others, 4 * other_wrong * apart)
    error = _beyond(root, own, -4 * wrong * apart)
    variance = rate * error / m + ratio * other * other_error / n
    variance /= 2 * (m + n)
    return gap / sqrt(variance) if variance > 0 else copysign(inf, gap)


def _beyond(root: float, part: float, product: float) -> float:
    """Compute ``root - part``, where ``root**2 - part**2`` is known as ``product``."""
    return root - part if part <= 0 else max(0.0, product / (root + part))


def odds_ratio_score_interval(first: Sample, second: Sample, *, level: float = 0.95) -> Limits:
    r"""Score interval for the odds ratio of two independent rates (successes, trials).

    The odds ratios :math:`\psi` with :math:`|x_1-n_1\tilde p_1|
    \sqrt{1/(n_1\tilde p_1\tilde q_1)+1/(n_2\tilde p_2\tilde q_2)}\le z`, the rates of largest
    likelihood given :math:`\psi` [1]_ (without the factor N/(N-1)).

    Returns
    -------
    tuple of float
        The limits; the lower one is 0 and the upper one None (there is none) where a count is at
        its end.

    References
    ----------
    .. [1] Miettinen & Nurminen (1985), Statistics in Medicine 4, 213-226,
       doi:10.1002/sim.4780040211.

    Examples
    --------
    >>> low, high = odds_ratio_score_interval((36, 40), (16, 80))
    >>> round(low, 3), round(high, 3)
    (11.534, 110.919)
    """
    checked = _samples(first, second)
    (x, m), (y, n) = checked

    seen, signs = (x, m - x, y, n - y), (1, -1, -1, 1)
    rarest = min(range(4), key=seen.__getitem__)

    def score(log_odds: float) -> float:
        cells = _cells_given_odds(m, n, x + y, exp(log_odds))
        # All four cells are off by as much; the rarest tells it with most digits.
        gap = signs[rarest] * (seen[rarest] - cells[rarest])
        # An empty cell leaves no variance: what is off by more than rounding is infinitely off.
        if min(cells) <= 0:
            return 0.0 if abs(gap) < 1e-9 else copysign(inf, gap)
        return gap * sqrt(sum(1 / cell for cell in cells))

    return _limits(score, ((x * (n - y), 1), (y * (m - x), 1)), level)


def paired_ratio_interval(
    both: int, first: int, second: int, neither: int, *, level: float = 0.95
) -> Limits:
    r"""Score interval for the ratio of two rates on common items.

    The ratios :math:`\theta` with :math:`|\hat p_1-\theta\hat p_2|\le
    z\sqrt{\theta(\tilde p_{12}+\tilde p_{21})/n}`, where the shares that only the first and only
    the second had right are those of largest likelihood given the ratio [1]_ [2]_.

    Parameters as of :func:`~steelyard.uncertainty.tango_interval`.

    Notes
    -----
    Items neither had right do not enter. At :math:`\theta=1` it is McNemar's test.

    References
    ----------
    .. [1] Nam & Blackwelder (2002), Statistics in Medicine 21, 689-699, doi:10.1002/sim.1017.
    .. [2] Tang, Tang & Chan (2003), Statistics in Medicine 22, 1217-1233, doi:10.1002/sim.1213.

    Examples
    --------
    >>> low, high = paired_ratio_interval(43, 0, 1, 0)
    >>> round(low, 4), round(high, 4)
    (0.8819, 1.0646)
    """
    cells = tuple(
        whole_count(count, name)
        for count, name in zip(
            (both, first, second, neither), ("both", "first", "second", "neither"), strict=True
        )
    )
    if sum(cells) == 0:
        message = "The paired table is empty: 0 items hold no information on a ratio."
        raise CountsError(message, code="no-trials")
    right = ((both + first, 1), (both + second, 1))
    triple = (both, first, second)
    return _limits(lambda t: paired_ratio_score(*triple, ratio=exp(t)), right, level)


def paired_ratio_score(both: int, first: int, second: int, *, ratio: float) -> float:
    """Standardised distance of two rates on common items from a stated ratio.

    Examples
    --------
    >>> round(paired_ratio_score(160, 18, 5, ratio=1.0) ** 2, 6) == round(13**2 / 23, 6)
    True
    """
    seen = both + first + second
    gap = both + first - ratio * (both + second)
    if seen == 0 or gap == 0:
        return 0.0
    # Of the share S = 1 - p22 the second alone has y; the larger root of its score equation.
    square = 1 + ratio
    linear = (first + second - (both + second) * (ratio - 1) * (ratio + 1)) / seen
    constant = second / seen * (ratio - 1)
    root = sqrt(max(0.0, linear * linear + 4 * square * constant))
    if linear >= 0:
        alone = (linear + root) / (2 * square)
    else:
        alone = 2 * constant / (root - linear)
    alone = min(max(alone, 0.0, 1 - ratio), 1 / (1 + ratio))
    other = max(0.0, (alone + (ratio - 1)) / ratio) if ratio > 0 else 0.0
    variance = seen * ratio * (alone + other)
    return gap / sqrt(variance) if variance > 0 else copysign(inf, gap)


def discordant_odds_interval(
    first: int, second: int, *, level: float = 0.95, method: str = "clopper-pearson"
) -> Limits:
    r"""Interval for the odds :math:`P(\text{only 1 right})/P(\text{only 2 right})`.

    Given the number of discordant items the first system's part of them is binomial, so limits of
    that share q give :math:`q/(1-q)`; with Clopper and Pearson's they are exact. It is the
    conditional estimate of the odds ratio of matched pairs [1]_.

    Parameters
    ----------
    first, second : int
        Items only the first, only the second system had right.
    method : str
        A name of :data:`steelyard.uncertainty.PROPORTION_INTERVALS`.

    References
    ----------
    .. [1] Breslow & Day (1980), Statistical Methods in Cancer Research I, IARC, section 5.2.

    Examples
    --------
    >>> low, high = discordant_odds_interval(18, 5)
    >>> round(low, 4), round(high, 3)
    (1.2882, 12.404)
    """
    pairs = whole_count(first, "first") + whole_count(second, "second")
    if pairs == 0:
        normal_quantile(level)
        return 0.0, None
    interval = choose_method(PROPORTION_INTERVALS, method)
    low, high = interval(first, pairs, level=level)
    # The other system's share has the digits that a difference from 1 would lose.
    other_low, other_high = interval(second, pairs, level=level)
    return low / other_high, None if other_low <= 0 else high / other_low


def _cells_given_odds(m: int, n: int, right: int, odds: float) -> tuple[float, ...]:
    """Give the four expected counts of a table with these margins and this odds ratio.

    Each is solved for by itself, so that none is a difference of large numbers.
    """
    wrong = m + n - right
    return (
        _corner(m, right, n, odds),
        _corner(m, wrong, n, 1 / odds),
        _corner(n, right, m, 1 / odds),
        _corner(n, wrong, m, odds),
    )


def _corner(row: int, column: int, other: int, odds: float) -> float:
    """Solve a (other - column + a) = odds (row - a)(column - a) for a.

    The discriminant is written as a sum of squares and positive products.
    """
    linear = odds * (row + column) + (other - column)
    products = row * other + column * (row + other - column)
    square = (odds * (row - column)) ** 2 + (other - column) ** 2 + 2 * odds * products
    root = sqrt(square)
    if linear >= 0:
        return 2 * odds * row * column / (linear + root) if linear + root > 0 else 0.0
    return (root - linear) / (2 * (1 - odds))


def _samples(first: Sample, second: Sample) -> tuple[Sample, Sample]:
    return successes_of_trials(*first), successes_of_trials(*second)


def _limits(
    score: Callable[[float], float], rights: tuple[tuple[float, float], ...], level: float
) -> Limits:
    """Find where the score crosses z and -z, on the scale of logarithms."""
    z = normal_quantile(level)
    (x, m), (y, n) = rights
    if x == 0 and y == 0:
        return 0.0, None
    centre = min(max(log(x / m) - log(y / n), -WIDEST), WIDEST) if x and y else 0.0
    low, high = 0.0, None
    if x:
        low = exp(crossing(lambda t: score(t) - z, -WIDEST, centre if y else WIDEST))
    if y:
        high = exp(crossing(lambda t: score(t) + z, centre if x else -WIDEST, WIDEST))
    return low, high

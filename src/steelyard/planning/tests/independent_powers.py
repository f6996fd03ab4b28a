"""Power of the score test of two independent rates, and of all pairs of several systems."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, isfinite, pi, sqrt
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import RequestError, check_share
from steelyard.planning.rates import check_rates
from steelyard.planning.sizes import LIMIT, check_samples, first_lasting, round_up
from steelyard.planning.stopping.discordant import binomial_window
from steelyard.uncertainty import shaffer_numbers
from steelyard.uncertainty.special import betainc, ndtri

__all__ = [
    "AllPairsSize",
    "Edge",
    "IndependentPower",
    "IndependentSize",
    "Multiplicity",
    "PairSize",
    "all_pairs_samples",
    "chance_below",
    "equal_rates_statistic",
    "independent_power",
    "independent_samples",
    "largest_that",
    "pair_alphas",
    "score_statistic",
    "standardise",
    "weigh",
]

# --- score tests of two independent rates: for each count of one, the edge of the other ----------


Floats = NDArray[np.float64]
Edge = Callable[[Floats], Floats]


def equal_rates_statistic(x: Floats, y: Floats, *, tested: tuple[float, float]) -> Floats:
    r"""Score statistic of equal rates from x and y right of :math:`n_1` and :math:`n_2`.

    .. math:: z = \frac{x/n_1 - y/n_2}{\sqrt{\frac{N}{N-1}\,\bar p\bar q\,(1/n_1 + 1/n_2)}},
              \qquad \bar p = \frac{x+y}{N},\ N = n_1 + n_2

    Examples
    --------
    >>> z = equal_rates_statistic(np.array([56.0]), np.array([45.0]), tested=(70, 70))
    >>> round(float(z[0]), 4)
    2.0664
    """
    one, two = tested
    total = one + two
    mean = (x + y) / total
    variance = total / (total - 1) * mean * (1 - mean) * (1 / one + 1 / two)
    gap = x / one - y / two
    return standardise(gap, variance)


def score_statistic(x: Floats, y: Floats, *, samples: float, null: float = 0.0) -> Floats:
    r"""Score statistic of :math:`p_1 - p_2 = d` from x and y right of n each.

    .. math:: z = \frac{x/n - y/n - d}{\sqrt{\frac{2n}{2n-1}\,\frac{\tilde p_1 \tilde q_1 +
              \tilde p_2 \tilde q_2}{n}}}

    with the rates of largest likelihood that differ by d, from the closed form of the cubic.

    References
    ----------
    .. [1] Farrington & Manning (1990), Statistics in Medicine 9, 1447-1454,
       doi:10.1002/sim.4780091208.

    Examples
    --------
    >>> z = score_statistic(np.array([56.0]), np.array([45.0]), samples=70)
    >>> round(float(z[0]), 4)
    2.0664
    """
    total = 2 * samples
    if null == 0:
        other = (x + y) / total
    else:
        other = _likeliest_second(x, y, samples, null)
    share = np.clip(other + null, 0.0, 1.0)
    variance = total / (total - 1) * (share * (1 - share) + other * (1 - other)) / samples
    gap = x / samples - y / samples - null
    return standardise(gap, variance)


def standardise(gap: Floats, variance: Floats) -> Floats:
    """Divide differences by their standard errors.

    Where the variance is 0 nothing is left to chance: a difference is infinitely far from none.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        z = gap / np.sqrt(variance)
    return np.where(variance > 0, z, np.where(gap == 0, 0.0, np.copysign(np.inf, gap)))


def _likeliest_second(x: Floats, y: Floats, samples: float, null: float) -> Floats:
    """Second rate of largest likelihood when the first exceeds it by ``null``."""
    third = 3 * 2 * samples
    square = 3 * samples * null - 2 * samples - x - y
    linear = (samples * null - 2 * samples - 2 * y) * null + x + y
    constant = y * null * (1 - null)
    turn = (square / third) ** 3 - square * linear / (2 * third**2 / 3) + constant * 1.5 / third
    size = np.sqrt(np.maximum((square / third) ** 2 - linear / third, 0.0))
    size = np.where(turn >= 0, size, -size)
    # Where all three roots of the cubic are one its size is 0, and every angle gives that root.
    with np.errstate(divide="ignore", invalid="ignore"):
        cosine = np.where(size != 0, turn / size**3, 0.0)
    angle = (pi + np.arccos(np.clip(cosine, -1.0, 1.0))) / 3
    root = 2 * size * np.cos(angle) - square / third
    return np.asarray(np.clip(root, max(0.0, -null), min(1.0, 1 - null)))


def largest_that(holds: Callable[[Floats], NDArray[np.bool_]], top: Floats) -> Floats:
    """Bisect, element by element, for the largest whole number from 0 to ``top`` that holds.

    ``holds`` must be true up to some number and false beyond; -1 where it never holds.

    Examples
    --------
    >>> largest_that(lambda y: y * y <= np.array([10.0, 99.0]), np.array([50.0, 50.0])).tolist()
    [3.0, 9.0]
    """
    low, high = np.full_like(top, -1.0), top + 1.0
    while np.any(high - low > 1):
        middle = np.floor((low + high) / 2)
        inside = middle > low
        good = holds(np.maximum(middle, 0.0)) & inside
        low = np.where(good, middle, low)
        high = np.where(~good & inside, middle, high)
    return low


def chance_below(edge: Floats, *, samples: float | Floats, rate: float) -> Floats:
    """Give the binomial distribution function at ``edge``, 0 below 0 and 1 from n on.

    Examples
    --------
    >>> chance_below(np.array([-1.0, 0.0, 2.0]), samples=2, rate=0.5).tolist()
    [0.0, 0.25, 1.0]
    """
    number = np.broadcast_to(np.asarray(samples, dtype=np.float64), edge.shape)
    inside = (edge >= 0) & (edge < number)
    at = np.where(inside, edge, 0.0)
    room = np.where(inside, number - at, 1.0)
    return np.where(inside, betainc(room, at + 1, 1 - rate), np.where(edge < 0, 0.0, 1.0))


def weigh(samples: int, rate: float, chance: Edge) -> float:
    """Average a function of the first count over its binomial.

    Examples
    --------
    >>> round(weigh(10, 0.3, lambda x: x), 12)
    3.0
    """
    low, weight = binomial_window(samples, rate)
    return float(weight @ chance(np.arange(low, low + weight.size, dtype=np.float64)))


# --- power of the score test of two independent rates, and of all pairs of several systems -------


Multiplicity: TypeAlias = Literal["shaffer", "bonferroni", "none"]

EVEN = (1.0, 1.0)
"""As many samples of one system as of the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndependentPower:
    """Chance that the score test names the better system, and the worse one."""

    samples: int
    alpha: float
    power: float
    wrong: float


@dataclass(frozen=True, slots=True, kw_only=True)
class IndependentSize:
    """Samples of each system for a power, and what the normal approximation says."""

    alpha: float
    power: float
    samples: int | None
    reached: float | None
    approximate: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSize:
    """One pair of several systems, by their places: its share of alpha and its samples."""

    first: int
    second: int
    alpha: float
    samples: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AllPairsSize:
    """Samples of each system with which every pair has the power, and those of each pair."""

    pairs: tuple[PairSize, ...]
    samples: int | None
    multiplicity: Multiplicity


def independent_power(
    first: float,
    second: float,
    samples: int,
    *,
    alpha: float = 0.05,
    shares: tuple[float, float] = EVEN,
) -> IndependentPower:
    r"""Exact power of the two-sided score test of two rates, n independent samples each.

    .. math:: \sum_x b(x; n, p_1)\ P(Y \le y^*(x)), \qquad
              y^*(x) = \max\{y : z(x, y) \ge z_{1-\alpha/2}\}

    and likewise for the other side, with the statistic of
    :func:`steelyard.comparison.score_test`.

    Parameters
    ----------
    shares
        Samples of each system are these times ``samples``, rounded up.

    Notes
    -----
    The test is approximate, its power is not: it is the sum over all results.

    References
    ----------
    .. [1] Miettinen & Nurminen (1985), Statistics in Medicine 4, 213-226,
       doi:10.1002/sim.4780040211.

    Examples
    --------
    >>> found = independent_power(0.9, 0.8, 199)
    >>> round(found.power, 3), found.wrong < 1e-5
    (0.804, True)
    """
    check_rates([first, second])
    check_share("alpha", alpha)
    check_samples(samples)
    low, high = sorted(zip((first, second), _sizes(samples, shares), strict=True))
    power, wrong = (_chance_to_win(one, two, alpha) for one, two in ((high, low), (low, high)))
    return IndependentPower(samples=samples, alpha=alpha, power=power, wrong=wrong)


def _sizes(samples: int, shares: tuple[float, float]) -> tuple[int, int]:
    if not all(isfinite(share) and share > 0 for share in shares):
        message = f"shares={shares!r}; expected two numbers above 0, such as (1.5, 0.5)."
        raise RequestError(message)
    one, two = (round_up(samples * share) for share in shares)
    return one, two


def _chance_to_win(winner: tuple[float, int], loser: tuple[float, int], alpha: float) -> float:
    """Chance that the first (rate, samples) is called the better one."""
    bar = -float(ndtri(alpha / 2))
    sizes = winner[1], loser[1]

    def chance(x: Floats) -> Floats:
        edge = largest_that(
            lambda y: equal_rates_statistic(x, y, tested=sizes) >= bar, x * 0 + sizes[1]
        )
        return chance_below(edge, samples=sizes[1], rate=loser[0])

    return weigh(sizes[0], winner[0], chance)


def independent_samples(
    first: float,
    second: float,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    limit: int = LIMIT,
    shares: tuple[float, float] = EVEN,
) -> IndependentSize:
    r"""Samples of each system from which on the score test keeps the power wanted.

    The search is that of :func:`steelyard.planning.sizes.first_lasting`; it starts from

    .. math:: n = \frac{(z_{1-\alpha/2}\sqrt{2\bar p\bar q} +
              z_{1-\beta}\sqrt{p_1q_1+p_2q_2})^2}{\delta^2}

    Parameters
    ----------
    shares
        Samples of each system relative to the number wanted; (1.5, 0.5) gives the first three
        times as many as the second.

    References
    ----------
    .. [1] Fleiss, Levin & Paik (2003), Statistical Methods for Rates and Proportions, chapter 4,
       doi:10.1002/0471445428.

    Examples
    --------
    >>> size = independent_samples(0.9, 0.8)
    >>> size.samples, size.approximate
    (196, 199)
    """
    one, two = check_rates([first, second])
    check_different(one, two)
    guess = normal_samples(one, two, power=power, alpha=alpha, shares=shares)

    def reach(samples: int) -> float:
        low, high = sorted(zip((one, two), _sizes(samples, shares), strict=True))
        return _chance_to_win(high, low, alpha)

    samples = first_lasting(lambda n: reach(n) >= power, start=guess, limit=limit, window=20)
    return IndependentSize(
        alpha=alpha,
        power=power,
        samples=samples,
        reached=None if samples is None else reach(samples),
        approximate=guess,
    )


def normal_samples(
    first: float,
    second: float,
    *,
    power: float,
    alpha: float,
    shares: tuple[float, float] = EVEN,
) -> int:
    """Give the normal approximation to the samples of each system."""
    mean = (shares[0] * first + shares[1] * second) / (shares[0] + shares[1])
    apart = first * (1 - first) / shares[0] + second * (1 - second) / shares[1]
    for_alpha = -float(ndtri(check_share("alpha", alpha) / 2))
    for_power = float(ndtri(check_share("power", power)))
    together = mean * (1 - mean) * (1 / shares[0] + 1 / shares[1])
    root = for_alpha * sqrt(together) + for_power * sqrt(apart)
    return max(1, round_up((max(root, 0.0) / (first - second)) ** 2))


def check_different(first: float, second: float) -> None:
    """Refuse to plan for a difference of zero."""
    if first == second:
        message = (
            f"Both rates are {first:g}, so no number of samples shows a difference. Give the "
            f"smallest one that matters, such as {first:g} and {first - 0.01:.4g}, or plan to show "
            "that they are equivalent: margin=0.02 (--margin 0.02)."
        )
        raise RequestError(message, code="equal-rates")


def pair_alphas(
    rates: Sequence[float], *, alpha: float = 0.05, multiplicity: Multiplicity = "shaffer"
) -> dict[tuple[int, int], float]:
    r"""Share of alpha that each pair will be tested at, by the places of its systems.

    ``bonferroni``: :math:`\alpha/\binom m2` for all; ``shaffer``: the pair whose difference is the
    i-th largest gets :math:`\alpha/t_i`, as if all clearer pairs were found different before it.

    References
    ----------
    .. [1] Shaffer (1986), JASA 81, 826-831, doi:10.1080/01621459.1986.10478341.

    Examples
    --------
    >>> shares = pair_alphas([0.9, 0.8, 0.5])
    >>> [(pair, round(share, 4)) for pair, share in sorted(shares.items())]
    [((0, 1), 0.05), ((0, 2), 0.0167), ((1, 2), 0.05)]
    """
    known = check_rates(rates)
    pairs = list(combinations(range(len(known)), 2))
    ranked = sorted(pairs, key=lambda pair: -abs(known[pair[0]] - known[pair[1]]))
    divisors: dict[str, Sequence[int]] = {
        "shaffer": shaffer_numbers(len(known)),
        "bonferroni": [comb(len(known), 2)] * len(pairs),
        "none": [1] * len(pairs),
    }
    if multiplicity not in divisors:
        raise RequestError.for_choice(
            name="multiplicity", given=multiplicity, choices=tuple(divisors)
        )
    return {
        pair: alpha / divisor for pair, divisor in zip(ranked, divisors[multiplicity], strict=True)
    }


def all_pairs_samples(
    rates: Sequence[float],
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    multiplicity: Multiplicity = "shaffer",
    limit: int = LIMIT,
) -> AllPairsSize:
    """Samples of each system with which each of all pairs is told apart with the power wanted.

    Notes
    -----
    The power holds for each pair by itself; the chance that all pairs are told apart at once is
    lower. Equal rates are refused.

    References
    ----------
    .. [1] Shaffer (1986), JASA 81, 826-831, doi:10.1080/01621459.1986.10478341.

    Examples
    --------
    >>> size = all_pairs_samples([0.9, 0.8, 0.6])
    >>> size.samples, [pair.samples for pair in size.pairs]
    (196, [196, 41, 81])
    """
    shares = pair_alphas(rates, alpha=alpha, multiplicity=multiplicity)
    pairs = []
    for first, second in sorted(shares):
        share = shares[first, second]
        size = independent_samples(
            rates[first], rates[second], power=power, alpha=share, limit=limit
        )
        pairs.append(PairSize(first=first, second=second, alpha=share, samples=size.samples))
    needed = [pair.samples for pair in pairs]
    known = [samples for samples in needed if samples is not None]
    return AllPairsSize(
        pairs=tuple(pairs),
        samples=max(known) if len(known) == len(needed) else None,
        multiplicity=multiplicity,
    )

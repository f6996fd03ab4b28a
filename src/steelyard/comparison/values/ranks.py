"""Two systems on common items by less than means: wins, ranks, signs, and random signs."""

from dataclasses import dataclass
from math import erfc, sqrt
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr

from steelyard.errors import CountsError, RequestError
from steelyard.uncertainty import tango_interval
from steelyard.uncertainty.domain import whole_count
from steelyard.uncertainty.values.student import Floats, merge_values

__all__ = [
    "PermutationTest",
    "RankMethod",
    "SignTest",
    "WilcoxonTest",
    "WinRate",
    "ZeroHandling",
    "permute_signs",
    "sign_test",
    "signed_differences",
    "wilcoxon_test",
    "win_rate",
]

ZeroHandling: TypeAlias = Literal["drop", "pratt", "split"]
RankMethod: TypeAlias = Literal["auto", "exact", "normal", "corrected"]
Whole = NDArray[np.int64]

EXACT_WORK = 20_000_000
"""Steps of the exact count of all signs, at most: items times the sum of their sizes."""
EXACT_ITEMS = 60
"""The same limit as of the signed-rank test over data sets, whose p-values are counted out."""
LISTED = 20
"""Up to so many differences without a common unit all signs are listed."""
DECIMALS = 9
"""Differences of decimals are looked for in units of up to this many decimals."""
DRAWS = 1 << 21
"""Random numbers held at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WinRate:
    """Share of items that the first wins, ties half, with its score interval and score test."""

    wins: int
    ties: int
    losses: int
    rate: float
    low: float
    high: float
    p_value: float
    level: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SignTest:
    """Exact two-sided sign test; ties are left out."""

    wins: int
    ties: int
    losses: int
    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WilcoxonTest:
    """Signed-rank test of values: both sums of ranks, and how the p-value was found.

    ``used`` counts the differences that are not zero; with none p is 1 and ``z`` None.
    """

    positive: float
    negative: float
    used: int
    zeros: ZeroHandling
    method: Literal["exact", "normal", "corrected"]
    z: float | None
    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PermutationTest:
    """Two-sided test of the mean difference under random signs.

    ``method`` is ``exact`` where all signs were counted, ``drawn`` where ``draws`` of them were;
    ``error`` is then the Monte Carlo standard error of the p-value.
    """

    items: int
    difference: float
    p_value: float
    method: Literal["exact", "drawn"]
    draws: int
    error: float


def win_rate(wins: int, ties: int, losses: int, *, level: float = 0.95) -> WinRate:
    r"""Share of items on which the first beats the second, a tie counting half.

    The rate is :math:`\frac12+\frac{d}{2}` with :math:`d=(w-l)/n`; its limits are Tango's score
    limits of d [1]_ mapped the same way, its p-value that of the score test at d = 0,
    :math:`(w-l)^2/(w+l)`, so that both agree about one half.

    Notes
    -----
    It says how often, not by how much: a system may win most items and have the lower mean. With
    fewer than about 10 items that are no ties take the exact :func:`sign_test`.

    References
    ----------
    .. [1] Tango (1998), Statistics in Medicine 17, 891-908,
       doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B.

    Examples
    --------
    >>> found = win_rate(18, 27, 15)
    >>> found.rate, round(found.low, 4), round(found.high, 4), round(found.p_value, 4)
    (0.525, 0.4311, 0.617, 0.6015)
    """
    n = whole_count(wins, "wins") + whole_count(ties, "ties") + whole_count(losses, "losses")
    low, high = tango_interval(ties, wins, losses, 0, level=level)
    apart = wins + losses
    return WinRate(
        wins=wins,
        ties=ties,
        losses=losses,
        rate=0.5 + (wins - losses) / (2 * n),
        low=0.5 + low / 2,
        high=0.5 + high / 2,
        p_value=erfc(abs(wins - losses) / sqrt(2 * apart)) if apart else 1.0,
        level=level,
    )


def sign_test(wins: int, ties: int, losses: int) -> SignTest:
    r"""Exact sign test: are wins and losses equally frequent among the items that are no ties?

    :math:`\min(1, 2P(B\le\min(w,l)))` with B binomial(w + l, 1/2) [1]_.

    References
    ----------
    .. [1] Dixon & Mood (1946), JASA 41, 557-566, doi:10.1080/01621459.1946.10501898.

    Examples
    --------
    >>> sign_test(7, 5, 0).p_value
    0.015625
    """
    counts = [whole_count(one, "count") for one in (wins, ties, losses)]
    fewer, apart = min(counts[0], counts[2]), counts[0] + counts[2]
    p_value = min(1.0, 2 * float(bdtr(fewer, apart, 0.5))) if apart else 1.0
    return SignTest(wins=counts[0], ties=counts[1], losses=counts[2], p_value=p_value)


def wilcoxon_test(
    differences: ArrayLike,
    counts: ArrayLike | None = None,
    *,
    zeros: ZeroHandling = "pratt",
    method: RankMethod = "auto",
) -> WilcoxonTest:
    r"""Wilcoxon's signed-rank test on a difference for each item.

    Sizes are ranked, ties sharing ranks; :math:`T^+` is the sum of the ranks of positive
    differences [1]_. Exact over all signs of the ranks present, also with ties, up to 60
    differences; beyond, :math:`z=(T^+-T^-)/\sqrt{\sum r_i^2}`. ``corrected`` takes 1/2 off the
    distance of :math:`T^+` from its mean.

    Parameters
    ----------
    differences, counts : array_like
        Distinct differences (first minus second) and how often each occurred; every one once if
        counts are left out. Differences that are equal but for rounding are ties.
    zeros : {"pratt", "drop", "split"}
        ``drop`` leaves zeros out first, ``pratt`` ranks them and then leaves them out, ``split``
        ranks them and gives half of their ranks to each side.
    method : {"auto", "exact", "normal", "corrected"}
        How the p-value is found; ``auto`` is exact where it can be.

    Notes
    -----
    It asks whether differences are symmetric about zero, not whether means are equal: skewed
    differences with mean 0 are called different, the more surely the more items there are.

    References
    ----------
    .. [1] Wilcoxon (1945), Biometrics Bulletin 1, 80-83, doi:10.2307/3001968.
    .. [2] Pratt (1959), JASA 54, 655-667, doi:10.1080/01621459.1959.10501526.

    Examples
    --------
    >>> found = wilcoxon_test([1, 1, 0, 2, 1, 0, 1, -1], zeros="drop")
    >>> found.positive, found.negative, found.p_value
    (18.0, 3.0, 0.1875)
    """
    _check_choice("zeros", zeros, get_args(ZeroHandling))
    _check_choice("method", method, get_args(RankMethod))
    column, often = signed_differences(differences, counts)
    ranks, plus, minus, zero_rank, none = _size_ranks(column, often, keep_zeros=zeros != "drop")
    positive, negative = float(ranks @ plus), float(ranks @ minus)
    ties = plus + minus
    squares = float(ties @ ranks**2)
    used = int(ties.sum())
    if zeros == "split":
        positive, negative = positive + zero_rank * none / 2, negative + zero_rank * none / 2
        # The zeros share their ranks evenly, so they add to the variance as signs of their own.
        squares += none * zero_rank**2
    exact = method == "exact" or (method == "auto" and used <= EXACT_ITEMS)
    gap = positive - negative
    step = 1.0 if method == "corrected" else 0.0
    z = np.sign(gap) * max(0.0, abs(gap) - step) / sqrt(squares) if squares else None
    kind: Literal["exact", "normal", "corrected"] = (
        "exact" if exact else "corrected" if method == "corrected" else "normal"
    )
    return WilcoxonTest(
        positive=positive,
        negative=negative,
        used=used,
        zeros=zeros,
        method=kind,
        z=None if z is None else float(z),
        p_value=_rank_p_value(ranks, ties, gap, z, exact=exact),
    )


def permute_signs(
    differences: ArrayLike,
    counts: ArrayLike | None = None,
    *,
    rng: np.random.Generator,
    draws: int = 100_000,
) -> PermutationTest:
    r"""Permutation test: how often would random signs give a mean as far from 0 as this?

    Under the hypothesis that both systems are exchangeable on every item each difference is as
    likely with the other sign [1]_. All signs are counted exactly where differences have a common
    unit (grades, decimals) and their sizes are not too many, or where there are at most 20;
    otherwise ``draws`` random ones, with :math:`p=(h+1)/(B+1)` [2]_.

    Parameters
    ----------
    differences, counts : array_like
        Distinct differences (first minus second) and how often each occurred.

    References
    ----------
    .. [1] Fisher (1935), The Design of Experiments, Oliver & Boyd, section 21.
    .. [2] Phipson & Smyth (2010), Statistical Applications in Genetics and Molecular Biology 9,
       article 39, doi:10.2202/1544-6115.1585.

    Examples
    --------
    >>> found = permute_signs([1, 1, 2, 1, 0, 1, -1], rng=np.random.default_rng(1))
    >>> found.p_value, found.method
    (0.1875, 'exact')
    """
    column, often = signed_differences(differences, counts)
    n = int(often.sum())
    if n == 0:
        message = "0 items have no difference. Give at least 1."
        raise CountsError(message, code="no-items")
    mean = float(often @ column) / n
    sizes, times = _sizes(column, often)
    if sizes.size == 0:
        return _count_signs_out(n, mean, 1.0)
    balance = abs(float(often @ column))
    units = _whole_units(sizes)
    if units is not None and int(times.sum()) * int(units @ times) <= EXACT_WORK:
        signed = round(balance / float(sizes[0]) * int(units[0]))
        return _count_signs_out(n, mean, _chance_of_balance(units, times, signed))
    if int(times.sum()) <= LISTED:
        return _count_signs_out(n, mean, _permute_all(np.repeat(sizes, times), balance))
    return _permute_at_random(n, mean, (sizes, times), balance, rng=rng, draws=draws)


def signed_differences(
    differences: ArrayLike, counts: ArrayLike | None = None
) -> tuple[Floats, Whole]:
    """Give distinct differences with their number; what differs by rounding alone is one.

    0.3 - 0.2 and 0.2 - 0.1 are not equal in floats, though both are 0.1: sizes are rounded to
    twelve digits of the largest, or ties would be broken by noise.

    Examples
    --------
    >>> signed_differences([0.3 - 0.2, 0.2 - 0.1, 0.0])[1].tolist()
    [1, 2]
    """
    column, often = merge_values(differences, counts)
    top = float(np.abs(column).max(initial=0.0))
    if top == 0:
        return column, often
    digits = 12 - int(np.ceil(np.log10(top)))
    return merge_values(np.round(column, digits) if digits < 300 else column, often)


def _check_choice(name: str, given: str, choices: tuple[str, ...]) -> None:
    if given not in choices:
        raise RequestError.for_choice(name=name, given=given, choices=choices)


def _sizes(column: Floats, often: Whole) -> tuple[Floats, Whole]:
    """Sizes of the differences that are not 0, and how often each occurred."""
    sizes, place = np.unique(np.abs(column), return_inverse=True)
    times = np.bincount(place, weights=often, minlength=sizes.size).astype(np.int64)
    return sizes[sizes > 0], times[sizes > 0]


def _size_ranks(
    column: Floats, often: Whole, *, keep_zeros: bool
) -> tuple[Floats, Whole, Whole, float, int]:
    """Midrank of every size, its positive and negative number; rank and number of the zeros."""
    sizes, place = np.unique(np.abs(column), return_inverse=True)
    plus = np.bincount(place, weights=often * (column > 0), minlength=sizes.size)
    minus = np.bincount(place, weights=often * (column < 0), minlength=sizes.size)
    none = int(often[column == 0].sum())
    held = (plus + minus) + (none * (sizes == 0) if keep_zeros else 0)
    ranks = held.cumsum() - (held - 1) / 2
    some = sizes > 0
    rank = (none + 1) / 2 if keep_zeros else 0.0
    return (
        ranks[some],
        plus[some].astype(np.int64),
        minus[some].astype(np.int64),
        rank,
        none if keep_zeros else 0,
    )


def _rank_p_value(ranks: Floats, ties: Whole, gap: float, z: float | None, *, exact: bool) -> float:
    if not ties.sum():
        return 1.0
    if exact:
        # Mean ranks of ties are halves: doubled they are whole, and the sums exact.
        doubled = np.rint(2 * ranks).astype(np.int64)
        if int(ties.sum()) * int(doubled @ ties) > 20 * EXACT_WORK:
            message = f"method='exact' with {int(ties.sum())} differences; take method='normal'."
            raise RequestError(message)
        return _chance_of_balance(doubled, ties, round(2 * abs(gap)))
    return erfc(abs(z or 0.0) / sqrt(2))


def _whole_units(sizes: Floats) -> Whole | None:
    """Sizes as multiples of a common decimal unit, or None where they have none."""
    for decimals in range(DECIMALS + 1):
        scaled = sizes * 10.0**decimals
        whole = np.rint(scaled)
        # Sums of millions of such units still fit into 63 bits.
        if whole.max() > 1e12:
            return None
        # Decimals that were read as floats: 0.1 * 10 is whole but for the last digits.
        if np.abs(scaled - whole).max() <= 1e-9 * scaled.max():
            units = whole.astype(np.int64)
            # Sizes far apart may leave the smallest ones without a unit.
            return units // np.gcd.reduce(units) if units.min() > 0 else None
    return None


def _chance_of_balance(units: Whole, times: Whole, balance: int) -> float:
    """Chance that random signs of whole numbers add up to as far from 0 as this, counted out."""
    chances = np.ones(1)
    for unit, often in zip(units.tolist(), times.tolist(), strict=True):
        for _ in range(often):
            longer = np.zeros(chances.size + unit)
            longer[: chances.size] = chances
            longer[unit:] += chances
            # Halved at every step: shares stay shares, and small tails keep their digits.
            chances = longer / 2
    sums = 2 * np.arange(chances.size) - (chances.size - 1)
    return min(1.0, float(chances[np.abs(sums) >= balance].sum()))


def _permute_all(sizes: Floats, balance: float) -> float:
    """List all signs; sums that reach the balance but for rounding reach it."""
    sums = np.zeros(1)
    for size in sizes.tolist():
        sums = np.concatenate([sums + size, sums - size])
    edge = balance - 1e-12 * float(sizes.sum())
    return float(np.count_nonzero(np.abs(sums) >= edge)) / sums.size


def _count_signs_out(n: int, mean: float, p_value: float) -> PermutationTest:
    return PermutationTest(
        items=n, difference=mean, p_value=p_value, method="exact", draws=0, error=0.0
    )


def _permute_at_random(
    n: int,
    mean: float,
    table: tuple[Floats, Whole],
    balance: float,
    *,
    rng: np.random.Generator,
    draws: int,
) -> PermutationTest:
    sizes, times = table
    # Sums that reach the balance but for rounding reach it, as when all signs are listed.
    edge = balance - 1e-12 * float(times @ sizes)
    block, hits = max(1, DRAWS // sizes.size), 0
    for start in range(0, draws, block):
        # Of equal sizes only the number of positive signs counts.
        ahead = rng.binomial(times, 0.5, size=(min(block, draws - start), sizes.size))
        hits += int(np.count_nonzero(np.abs((2 * ahead - times) @ sizes) >= edge))
    p_value = (hits + 1) / (draws + 1)
    return PermutationTest(
        items=n,
        difference=mean,
        p_value=p_value,
        method="drawn",
        draws=draws,
        error=sqrt(p_value * (1 - p_value) / draws),
    )

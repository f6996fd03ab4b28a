"""Intervals for the difference of two shares on the same items."""

from collections.abc import Callable
from math import copysign, hypot, inf, sqrt

from steelyard.errors import CountsError
from steelyard.uncertainty.domain import choose_method, normal_quantile, whole_count
from steelyard.uncertainty.roots import crossing
from steelyard.uncertainty.shares.proportion import wilson_interval

__all__ = [
    "PAIRED_DIFFERENCE_INTERVALS",
    "bonett_price_interval",
    "count_paired",
    "newcombe_paired_interval",
    "paired_difference_interval",
    "paired_wald_interval",
    "tango_interval",
]

Cells = tuple[int, int, int, int]
PairedInterval = Callable[..., tuple[float, float]]


def tango_interval(
    both: int, first: int, second: int, neither: int, *, level: float = 0.95
) -> tuple[float, float]:
    r"""Score interval for a paired difference: the default.

    The differences :math:`d` with :math:`|b-c-nd| \le z\sqrt{n(2\tilde q+d(1-d))}`, where
    :math:`b, c` are the items only the first, only the second had right, and :math:`\tilde q` is
    the share of the latter with the largest likelihood given :math:`d` [1]_.

    Parameters
    ----------
    both, first, second, neither : int
        Items both, only the first, only the second, and neither system had right.
    level : float
        Coverage wanted, strictly between 0 and 1.

    Returns
    -------
    tuple of float
        Limits of the first share minus the second, ``(first - second) / n``, within [-1, 1].

    Notes
    -----
    At :math:`d=0` it is McNemar's test, so the interval holds 0 exactly when that test does not
    reject. It has width even when no item tells the systems apart: :math:`\pm z^2/(n+z^2)`.

    References
    ----------
    .. [1] Tango (1998), Statistics in Medicine 17, 891-908,
       doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B.

    Examples
    --------
    >>> low, high = tango_interval(1, 1, 7, 12)
    >>> round(low, 3), round(high, 3)
    (-0.517, -0.026)
    """
    number = count_paired((both, first, second, neither))
    z = normal_quantile(level)
    estimate = (first - second) / number

    def excess(difference: float, sign: float) -> float:
        return _score((first, second, number), difference) + sign * z

    low = crossing(lambda d: excess(d, -1.0), -1.0, estimate) if second < number else -1.0
    high = crossing(lambda d: excess(d, 1.0), estimate, 1.0) if first < number else 1.0
    return low, high


def newcombe_paired_interval(
    both: int, first: int, second: int, neither: int, *, level: float = 0.95
) -> tuple[float, float]:
    r"""Wilson's limits of both shares, squared and added with their correlation.

    :math:`\hat d-\sqrt{(\hat p_1-l_1)^2-2\hat\varphi(\hat p_1-l_1)(u_2-\hat p_2)+
    (u_2-\hat p_2)^2}` and its mirror image (method 10 of [1]_), with the continuity-corrected
    :math:`\hat\varphi`: of :math:`Q=ad-bc`, take :math:`Q-n/2` when :math:`Q>n/2`, 0 when
    :math:`0\le Q\le n/2`, :math:`Q` when negative; :math:`\hat\varphi=0` when a margin is empty.

    Parameters as of :func:`tango_interval`.

    References
    ----------
    .. [1] Newcombe (1998), Statistics in Medicine 17, 2635-2650,
       doi:10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C.

    Examples
    --------
    >>> low, high = newcombe_paired_interval(20, 12, 2, 16)
    >>> round(low, 4), round(high, 4)
    (0.0562, 0.3292)
    """
    number = count_paired((both, first, second, neither))
    # Counting errors gives the same limits, and keeps their digits where most are right.
    both, neither = min(both, neither), max(both, neither)
    share, other = (both + first) / number, (both + second) / number
    low, high = wilson_interval(both + first, number, level=level)
    other_low, other_high = wilson_interval(both + second, number, level=level)
    phi = _correct_phi((both, first, second, neither))
    estimate = (first - second) / number
    return (
        max(-1.0, estimate - _join(share - low, other_high - other, phi)),
        min(1.0, estimate + _join(high - share, other - other_low, phi)),
    )


def bonett_price_interval(
    both: int, first: int, second: int, neither: int, *, level: float = 0.95
) -> tuple[float, float]:
    r"""Wald's formula after adding one to each discordant cell, cut to [-1, 1].

    :math:`\tilde p_{12}=(b+1)/(n+2)`, :math:`\tilde p_{21}=(c+1)/(n+2)`, then
    :math:`\tilde p_{12}-\tilde p_{21} \pm z\sqrt{(\tilde p_{12}+\tilde p_{21}-(\tilde
    p_{12}-\tilde p_{21})^2)/(n+2)}` [1]_.

    Parameters as of :func:`tango_interval`.

    References
    ----------
    .. [1] Bonett & Price (2012), Journal of Educational and Behavioral Statistics 37, 479-488,
       doi:10.3102/1076998611411915.

    Examples
    --------
    >>> low, high = bonett_price_interval(6, 26, 4, 12)
    >>> round(low, 7), round(high, 7)
    (0.2548067, 0.6251933)
    """
    number = count_paired((both, first, second, neither))
    return _wald((first + 1, second + 1, number + 2), normal_quantile(level))


def paired_wald_interval(
    both: int, first: int, second: int, neither: int, *, level: float = 0.95
) -> tuple[float, float]:
    r"""Textbook interval, cut to [-1, 1]; only for comparison with older work.

    :math:`\hat d \pm z\sqrt{(b+c-(b-c)^2/n)}/n`: no width when no item tells the systems apart,
    and too short for small samples [1]_.

    Parameters as of :func:`tango_interval`.

    References
    ----------
    .. [1] Newcombe (1998), Statistics in Medicine 17, 2635-2650,
       doi:10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C.

    Examples
    --------
    >>> low, high = paired_wald_interval(1, 1, 7, 12)
    >>> round(low, 3), round(high, 3)
    (-0.52, -0.052)
    """
    number = count_paired((both, first, second, neither))
    return _wald((first, second, number), normal_quantile(level))


PAIRED_DIFFERENCE_INTERVALS: dict[str, PairedInterval] = {
    "tango": tango_interval,
    "newcombe-paired": newcombe_paired_interval,
    "bonett-price": bonett_price_interval,
    "wald": paired_wald_interval,
}
"""Every interval for a paired difference, by name; the default comes first."""


def paired_difference_interval(
    both: int,
    first: int,
    second: int,
    neither: int,
    *,
    level: float = 0.95,
    method: str = "tango",
) -> tuple[float, float]:
    """Interval for a paired difference by a name of :data:`PAIRED_DIFFERENCE_INTERVALS`.

    Examples
    --------
    >>> paired_difference_interval(1, 1, 7, 12) == tango_interval(1, 1, 7, 12)
    True
    """
    interval = choose_method(PAIRED_DIFFERENCE_INTERVALS, method)
    return interval(both, first, second, neither, level=level)


def count_paired(cells: Cells) -> int:
    """Count the items of a paired table, and refuse one without any."""
    names = ("both", "first", "second", "neither")
    number = sum(whole_count(count, name) for count, name in zip(cells, names, strict=True))
    if number == 0:
        message = "The paired table is empty: 0 items hold no information on a difference."
        raise CountsError(message, code="no-trials")
    return number


def _score(counts: tuple[int, int, int], difference: float) -> float:
    """Tango's standardised distance of the estimate from ``difference``; falls as it grows."""
    first, second, number = counts
    gap = first - second - number * difference
    if gap == 0:
        return 0.0
    share = _likeliest_share(counts, difference)
    variance = number * (2 * share + difference * (1 - difference))
    return gap / sqrt(variance) if variance > 0 else copysign(inf, gap)


def _likeliest_share(counts: tuple[int, int, int], difference: float) -> float:
    """Share only the second has right, of largest likelihood given the difference.

    The larger root of ``2 n q^2 + linear q - c d (1 - d)``, in the form that loses no digits.
    """
    first, second, number = counts
    linear = (2 * number - first + second) * difference - first - second
    constant = second * difference * (1 - difference)
    root = sqrt(max(0.0, linear * linear + 8 * number * constant))
    share = (root - linear) / (4 * number) if linear <= 0 else 2 * constant / (root + linear)
    return max(share, 0.0, -difference)


def _correct_phi(cells: Cells) -> float:
    both, first, second, neither = cells
    margins = (both + first) * (second + neither) * (both + second) * (first + neither)
    if margins == 0:
        return 0.0
    cross = both * neither - first * second
    half = sum(cells) / 2
    corrected = cross if cross < 0 else max(0.0, cross - half)
    return corrected / sqrt(margins)


def _join(one: float, two: float, phi: float) -> float:
    """Length of two spreads with correlation ``phi``, without a negative square root."""
    # With phi = 1 and equal lengths the square is 0 but for rounding, which may be below it.
    return sqrt(max(0.0, hypot(one, two) ** 2 - 2 * phi * one * two))


def _wald(counts: tuple[int, int, int], z: float) -> tuple[float, float]:
    first, second, number = counts
    difference = (first - second) / number
    spread = z * sqrt(((first + second) / number - difference * difference) / number)
    return max(-1.0, difference - spread), min(1.0, difference + spread)

"""Intervals for the difference of two shares from independent samples."""

from collections.abc import Callable
from math import copysign, hypot, inf, sqrt

from steelyard.uncertainty.domain import choose_method, normal_quantile, successes_of_trials
from steelyard.uncertainty.roots import crossing
from steelyard.uncertainty.shares.proportion import wilson_interval

__all__ = [
    "DIFFERENCE_INTERVALS",
    "agresti_caffo_interval",
    "difference_interval",
    "mee_interval",
    "miettinen_nurminen_interval",
    "newcombe_interval",
    "wald_difference_interval",
]

Sample = tuple[int, int]
"""Successes and trials of one sample."""

DifferenceInterval = Callable[..., tuple[float, float]]


def newcombe_interval(first: Sample, second: Sample, *, level: float = 0.95) -> tuple[float, float]:
    r"""Hybrid score interval: Wilson's limits of both shares, squared and added.

    With Wilson limits :math:`(l_i, u_i)`, the limits are
    :math:`\hat p_1-\hat p_2-\sqrt{(\hat p_1-l_1)^2+(u_2-\hat p_2)^2}` and
    :math:`\hat p_1-\hat p_2+\sqrt{(u_1-\hat p_1)^2+(\hat p_2-l_2)^2}` (method 10 of [1]_).

    Parameters
    ----------
    first, second : tuple of int
        Successes and trials of each sample.
    level : float
        Coverage wanted, strictly between 0 and 1.

    Returns
    -------
    tuple of float
        Limits of the first share minus the second, within [-1, 1].

    References
    ----------
    .. [1] Newcombe (1998), Statistics in Medicine 17, 873-890,
       doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I.

    Examples
    --------
    >>> low, high = newcombe_interval((56, 70), (48, 80))
    >>> round(low, 4), round(high, 4)
    (0.0524, 0.3339)
    """
    first, second = _by_the_rarer(first, second)
    share, other = _share(first), _share(second)
    low, high = wilson_interval(*first, level=level)
    other_low, other_high = wilson_interval(*second, level=level)
    difference = _difference(first, second)
    return (
        max(-1.0, difference - hypot(share - low, other_high - other)),
        min(1.0, difference + hypot(high - share, other - other_low)),
    )


def miettinen_nurminen_interval(
    first: Sample, second: Sample, *, level: float = 0.95
) -> tuple[float, float]:
    r"""Score interval with the factor :math:`N/(N-1)` in the variance.

    The differences :math:`d` with :math:`|\hat p_1-\hat p_2-d| \le z\sqrt{V(d)}`,
    :math:`V(d)=\frac{N}{N-1}\left(\frac{\tilde p_1\tilde q_1}{n_1}+\frac{\tilde p_2\tilde
    q_2}{n_2}\right)`, where :math:`\tilde p_1=\tilde p_2+d` have the largest likelihood [1]_.

    Parameters
    ----------
    first, second : tuple of int
        Successes and trials of each sample.
    level : float
        Coverage wanted, strictly between 0 and 1.

    Notes
    -----
    Solved from the score equation itself. Some packages use a wrong linear coefficient in the
    cubic for :math:`\tilde p_2` and get (0.0526, 0.3440) in the example below.

    References
    ----------
    .. [1] Miettinen & Nurminen (1985), Statistics in Medicine 4, 213-226,
       doi:10.1002/sim.4780040211.

    Examples
    --------
    >>> low, high = miettinen_nurminen_interval((56, 70), (48, 80))
    >>> round(low, 4), round(high, 4)
    (0.0528, 0.3382)
    """
    number = first[1] + second[1]
    return _score_interval(first, second, level, factor=number / max(1, number - 1))


def mee_interval(first: Sample, second: Sample, *, level: float = 0.95) -> tuple[float, float]:
    """Score interval without the factor N/(N-1), otherwise as Miettinen and Nurminen's.

    References
    ----------
    .. [1] Mee (1984), Biometrics 40, 1175-1176.

    Examples
    --------
    >>> low, high = mee_interval((56, 70), (48, 80))
    >>> round(low, 4), round(high, 4)
    (0.0533, 0.3377)
    """
    return _score_interval(first, second, level, factor=1.0)


def agresti_caffo_interval(
    first: Sample, second: Sample, *, level: float = 0.95
) -> tuple[float, float]:
    """Wald's formula after adding one success and one failure to each sample, cut to [-1, 1].

    References
    ----------
    .. [1] Agresti & Caffo (2000), The American Statistician 54, 280-288,
       doi:10.1080/00031305.2000.10474560.

    Examples
    --------
    >>> low, high = agresti_caffo_interval((56, 70), (48, 80))
    >>> round(low, 4), round(high, 4)
    (0.0525, 0.3358)
    """
    _share(first), _share(second)
    z = normal_quantile(level)
    return _wald((first[0] + 1, first[1] + 2), (second[0] + 1, second[1] + 2), z)


def wald_difference_interval(
    first: Sample, second: Sample, *, level: float = 0.95
) -> tuple[float, float]:
    r"""Textbook interval, cut to [-1, 1]; only for comparison with older work.

    :math:`\hat p_1-\hat p_2 \pm z\sqrt{\hat p_1\hat q_1/n_1+\hat p_2\hat q_2/n_2}`: no width when
    both shares are 0 or 1, and too short for small samples [1]_.

    References
    ----------
    .. [1] Newcombe (1998), Statistics in Medicine 17, 873-890,
       doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I.

    Examples
    --------
    >>> low, high = wald_difference_interval((56, 70), (48, 80))
    >>> round(low, 4), round(high, 4)
    (0.0575, 0.3425)
    """
    _share(first), _share(second)
    return _wald(first, second, normal_quantile(level))


DIFFERENCE_INTERVALS: dict[str, DifferenceInterval] = {
    "miettinen-nurminen": miettinen_nurminen_interval,
    "newcombe": newcombe_interval,
    "mee": mee_interval,
    "agresti-caffo": agresti_caffo_interval,
    "wald": wald_difference_interval,
}
"""Every interval for an independent difference, by name; the default comes first."""


def difference_interval(
    first: Sample, second: Sample, *, level: float = 0.95, method: str = "miettinen-nurminen"
) -> tuple[float, float]:
    """Interval for an independent difference by a name of :data:`DIFFERENCE_INTERVALS`.

    Examples
    --------
    >>> low, high = difference_interval((56, 70), (48, 80), method="newcombe")
    >>> round(low, 4), round(high, 4)
    (0.0524, 0.3339)
    """
    return choose_method(DIFFERENCE_INTERVALS, method)(first, second, level=level)


def _share(sample: Sample) -> float:
    won, tried = successes_of_trials(*sample)
    return won / tried


def _wald(first: Sample, second: Sample, z: float) -> tuple[float, float]:
    spread = z * sqrt(sum(won * (tried - won) / tried**3 for won, tried in (first, second)))
    difference = _difference(first, second)
    return max(-1.0, difference - spread), min(1.0, difference + spread)


def _by_the_rarer(first: Sample, second: Sample) -> tuple[Sample, Sample]:
    """Count errors where most are right: the same difference, without the loss close to 1."""
    _share(first), _share(second)
    if first[0] + second[0] <= (first[1] + second[1]) / 2:
        return first, second
    return (second[1] - second[0], second[1]), (first[1] - first[0], first[1])


def _difference(first: Sample, second: Sample) -> float:
    """First share minus second, rounded once."""
    return (first[0] * second[1] - second[0] * first[1]) / (first[1] * second[1])


def _score_interval(
    first: Sample, second: Sample, level: float, *, factor: float
) -> tuple[float, float]:
    first, second = _by_the_rarer(first, second)
    estimate = _difference(first, second)
    z = normal_quantile(level)

    def excess(difference: float, sign: float) -> float:
        return _score(first, second, difference, factor=factor) + sign * z

    low = crossing(lambda d: excess(d, -1.0), -1.0, estimate) if estimate > -1 else -1.0
    high = crossing(lambda d: excess(d, 1.0), estimate, 1.0) if estimate < 1 else 1.0
    return low, high


def _score(first: Sample, second: Sample, difference: float, *, factor: float) -> float:
    """Standardised distance of the estimate from ``difference``; falls as it grows.

    The smaller share is fitted and the difference added to it, because subtracting would cancel.
    """
    if difference < 0:
        return -_score(second, first, -difference, factor=factor)
    gap = _difference(first, second) - difference
    if gap == 0:
        return 0.0
    other = _likeliest_share(first, second, difference)
    share = min(max(other + difference, 0.0), 1.0)
    variance = factor * (share * (1 - share) / first[1] + other * (1 - other) / second[1])
    return gap / sqrt(variance) if variance > 0 else copysign(inf, gap)


def _likeliest_share(first: Sample, second: Sample, difference: float) -> float:
    r"""Second share of largest likelihood when the first exceeds it by ``difference``.

    The log-likelihood is concave in it, so its derivative (times a positive factor: a cubic) has
    one sign on each side of the maximum, and Newton's steps stay inside a shrinking bracket.
    ``difference`` is 0 or more: both variances then have the digits that this share has.
    """
    (won, tried), (other_won, other_tried) = first, second
    number, successes = tried + other_tried, won + other_won
    square = (tried + 2 * other_tried) * difference - number - successes
    linear = (other_tried * difference - number - 2 * other_won) * difference + successes
    constant = other_won * difference * (1 - difference)
    if constant == 0 and linear <= 0:
        # Nothing won and the likelihood falls from 0 on: the maximum is the edge itself.
        return 0.0
    low, high = max(0.0, -difference), min(1.0, 1 - difference)
    # The smaller sample counts this share for more, so its digits reach further down.
    near = 1e-17 * difference * min(1.0, other_tried / tried)
    share = (low + high) / 2
    for _ in range(200):
        height = ((number * share + square) * share + linear) * share + constant
        low, high = (share, high) if height > 0 else (low, share)
        slope = (3 * number * share + 2 * square) * share + linear
        step = share - height / slope if slope else low
        new = step if low < step < high else (low + high) / 2
        # Two units in the last place of the share, or what no longer counts beside the difference.
        if height == 0 or abs(new - share) <= near + 4e-16 * share:
            return new if height else share
        share = new
    return share

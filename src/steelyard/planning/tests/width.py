"""Samples for an interval that is narrow enough."""

from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np

from steelyard.errors import RequestError
from steelyard.planning.discordance import PairedRates
from steelyard.planning.rates import check_rates
from steelyard.planning.sizes import LIMIT, first_lasting, whole_samples
from steelyard.planning.stopping.discordant import binomial_window
from steelyard.uncertainty import crossing, normal_quantile, tango_interval

__all__ = [
    "WidthSize",
    "paired_width_samples",
    "width_assurance",
    "width_samples",
    "wilson_width",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class WidthSize:
    """Samples for an interval of at most ``width``, both ends taken together."""

    width: float
    level: float
    exact: float | None
    samples: int | None
    reached: float | None


def wilson_width(rate: float, samples: float, *, level: float = 0.95) -> float:
    r"""Width of Wilson's interval when the rate shows itself exactly.

    .. math:: w = \frac{2z\sqrt{p q/n + z^2/4n^2}}{1 + z^2/n}

    References
    ----------
    .. [1] Brown, Cai & DasGupta (2001), Statistical Science 16, 101-133,
       doi:10.1214/ss/1009213286.

    Examples
    --------
    >>> round(wilson_width(0.9, 100), 4)
    0.1191
    """
    z2 = normal_quantile(level) ** 2
    spread = sqrt(z2 * (rate * (1 - rate) / samples + z2 / (4 * samples * samples)))
    return 2 * spread / (1 + z2 / samples)


def width_samples(
    rate: float, *, width: float, level: float = 0.95, limit: int = LIMIT
) -> WidthSize:
    """Samples with which Wilson's interval for one rate is at most ``width`` wide.

    Notes
    -----
    At the rate supposed; 0.5 is the worst case. A test whose result lies nearer to one half has a
    wider interval: see :func:`width_assurance`.

    References
    ----------
    .. [1] Brown, Cai & DasGupta (2001), doi:10.1214/ss/1009213286.

    Examples
    --------
    >>> size = width_samples(0.9, width=0.04)
    >>> size.samples, round(size.reached, 5)
    (868, 0.03998)
    """
    (known,) = check_rates([rate], least=1)
    check_width(width, most=1.0)
    if wilson_width(known, limit, level=level) > width:
        return WidthSize(width=width, level=level, exact=None, samples=None, reached=None)
    # Of next to no item the interval is all of [0, 1], wider than any width that may be asked for.
    exact = crossing(lambda n: wilson_width(known, n, level=level) - width, 1e-9, float(limit))
    samples = max(1, whole_samples(exact) or 1)
    return WidthSize(
        width=width,
        level=level,
        exact=exact,
        samples=samples,
        reached=wilson_width(known, samples, level=level),
    )


def width_assurance(rate: float, samples: int, *, width: float, level: float = 0.95) -> float:
    """Chance that the interval of a real test is at most ``width`` wide, summed exactly.

    Examples
    --------
    >>> round(width_assurance(0.9, 868, width=0.04), 3), round(
    ...     width_assurance(0.9, 1000, width=0.04), 3)
    (0.492, 0.965)
    """
    low, weight = binomial_window(samples, rate)
    share = (low + np.arange(weight.size)) / samples
    z2 = normal_quantile(level) ** 2
    spread = np.sqrt(z2 * (share * (1 - share) / samples + z2 / (4 * samples**2)))
    # the weights add up to 1 but for their last digits
    return min(1.0, float(weight @ (2 * spread / (1 + z2 / samples) <= width)))


def paired_width_samples(
    rates: PairedRates, *, width: float, level: float = 0.95, limit: int = LIMIT
) -> WidthSize:
    """Items with which Tango's interval for a paired difference is at most ``width`` wide.

    At the expected counts, rounded to whole items, and lasting for the next 20 numbers of items.

    References
    ----------
    .. [1] Tango (1998), Statistics in Medicine 17, 891-908,
       doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B.

    Examples
    --------
    >>> paired_width_samples(PairedRates(only_first=0.06, only_second=0.03), width=0.04).samples
    894
    """
    check_width(width, most=2.0)
    z = normal_quantile(level)
    wald = 4 * z * z * (rates.discordance - rates.difference**2) / width**2

    def reach(samples: int) -> float:
        first, second = round(samples * rates.only_first), round(samples * rates.only_second)
        low, high = tango_interval(samples - first - second, first, second, 0, level=level)
        return high - low

    samples = first_lasting(
        lambda n: reach(n) <= width, start=max(2, ceil(wald)), limit=limit, window=20
    )
    return WidthSize(
        width=width,
        level=level,
        exact=None,
        samples=samples,
        reached=None if samples is None else reach(samples),
    )


def paired_width_assurance(
    rates: PairedRates, samples: int, *, width: float, level: float = 0.95
) -> float:
    """Chance that Tango's interval of a real test is at most ``width`` wide.

    Tango's interval widens with the discordant items, whose number is binomial; how they are split
    between the two systems matters far less and is taken as expected.

    Examples
    --------
    >>> rates = PairedRates(only_first=0.06, only_second=0.03)
    >>> [round(paired_width_assurance(rates, n, width=0.04), 2) for n in (860, 950)]
    [0.37, 0.79]
    """
    low, weight = binomial_window(samples, rates.discordance)

    def narrow(discordant: int) -> bool:
        first = round(discordant * rates.only_first / rates.discordance)
        rest = samples - discordant
        lower, upper = tango_interval(rest, first, discordant - first, 0, level=level)
        return upper - lower <= width

    # The last number of discordant items that is narrow enough, by bisection.
    below, above = low - 1, low + weight.size
    while above - below > 1:
        middle = (below + above) // 2
        below, above = (middle, above) if narrow(middle) else (below, middle)
    return float(weight[: below - low + 1].sum())


def check_width(width: float, *, most: float) -> None:
    """Refuse a width that no interval has."""
    if not 0 < width < most:
        message = (
            f"width={width!r}; an interval is wider than 0 and narrower than {most:g}. For plus or "
            "minus two points write width=0.04 (--width 0.04)."
        )
        raise RequestError(message, code="width")

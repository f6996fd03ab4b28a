"""Power of McNemar's test on common items, and the number of items it takes."""

from dataclasses import dataclass
from math import sqrt

from steelyard.comparison import McNemarMethod
from steelyard.counts import PairTable
from steelyard.errors import RequestError, check_share
from steelyard.planning.discordance import (
    PairedRates,
    discordance_range,
    paired_rates,
    pilot_rates,
)
from steelyard.planning.sizes import LIMIT, WINDOW, first_lasting, round_up, walk
from steelyard.planning.stopping.discordant import Decisions
from steelyard.uncertainty.special import ndtri

__all__ = [
    "PairedPower",
    "PairedSize",
    "PairedSizeRange",
    "connor_samples",
    "paired_power",
    "paired_samples",
    "paired_samples_range",
    "pilot_samples",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedPower:
    """Chance that the test names the better system, and the worse one, after ``samples``."""

    samples: int
    method: McNemarMethod
    alpha: float
    power: float
    wrong: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedSize:
    """Items for a power: from ``samples`` on it stays reached, checked for ``window`` more.

    None when more than the limit were needed. ``connor`` is what Connor's formula says.
    """

    method: McNemarMethod
    alpha: float
    power: float
    samples: int | None
    reached: float | None
    connor: int
    window: int = WINDOW


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedSizeRange:
    """Items for the smallest possible discordance, for unrelated systems, and for the largest."""

    low: PairedSize
    unrelated: PairedSize
    high: PairedSize


def paired_power(
    rates: PairedRates, samples: int, *, method: McNemarMethod = "mid-p", alpha: float = 0.05
) -> PairedPower:
    r"""Exact unconditional power of a two-sided McNemar test.

    .. math:: \sum_N \binom{n}{N}\psi^N(1-\psi)^{n-N}\ P(\text{test decides} \mid N, q),
              \qquad q = p_{10}/\psi

    over the number N of discordant items, with the rejection region of the very test.

    Notes
    -----
    ``power`` counts decisions for the better system; those for the worse one are ``wrong``. Terms
    that weigh less than 1e-14 together are left out.

    References
    ----------
    .. [1] Connett, Smith & McHugh (1987), Statistics in Medicine 6, 53-59.

    Examples
    --------
    >>> rates = paired_rates(0.8, 0.7, discordance=0.2)
    >>> [round(paired_power(rates, 155, method=m).power, 3) for m in ("exact", "mid-p")]
    [0.762, 0.808]
    """
    check_share("alpha", alpha)
    if samples < 1:
        message = f"samples={samples!r}; expected a whole number of at least 1 item."
        raise RequestError(message)
    decisions = Decisions(rates.win, rule=method, alpha=alpha)
    power, wrong = decisions.after(samples, discordance=rates.discordance)
    return PairedPower(samples=samples, method=method, alpha=alpha, power=power, wrong=wrong)


def paired_samples(
    rates: PairedRates,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    method: McNemarMethod = "mid-p",
    limit: int = LIMIT,
) -> PairedSize:
    """Items from which on a McNemar test keeps the power wanted.

    Power is a sawtooth: the answer is the number behind the last item count that falls short,
    verified for the next 100 counts (see :func:`steelyard.planning.sizes.first_lasting`).

    Notes
    -----
    The exact test needs more items than Connor's formula says (with the formula's number its
    power is 0.76 to 0.79 where 0.80 was asked); mid-p reaches it.

    References
    ----------
    .. [1] Connor (1987), Biometrics 43, 207-211, doi:10.2307/2531961.

    Examples
    --------
    >>> size = paired_samples(paired_rates(0.8, 0.7, discordance=0.2))
    >>> size.samples, size.connor
    (152, 155)
    """
    check_share("power", power)
    check_different(rates)
    decisions = Decisions(rates.win, rule=method, alpha=check_share("alpha", alpha))
    guess = connor_samples(rates, power=power, alpha=alpha)
    samples = lasting_samples(decisions, rates.discordance, power, start=guess, limit=limit)
    return PairedSize(
        method=method,
        alpha=alpha,
        power=power,
        samples=samples,
        reached=None
        if samples is None
        else decisions.after(samples, discordance=rates.discordance)[0],
        connor=guess,
        window=walk(samples or limit),
    )


def lasting_samples(
    decisions: Decisions, discordance: float, power: float, *, start: int, limit: int = LIMIT
) -> int | None:
    """Find the items from which on a rule names the better system often enough."""
    return first_lasting(
        lambda n: decisions.after(n, discordance=discordance)[0] >= power, start=start, limit=limit
    )


def paired_samples_range(
    first: float,
    second: float,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    method: McNemarMethod = "mid-p",
    limit: int = LIMIT,
) -> PairedSizeRange:
    """Items needed when the discordance is not known: best case, unrelated systems, worst case.

    Notes
    -----
    The range is wide, often more than tenfold: a few dozen items of a pilot, which show the
    discordance, are worth more than any formula.

    References
    ----------
    .. [1] Connor (1987), Biometrics 43, 207-211, doi:10.2307/2531961.

    Examples
    --------
    >>> found = paired_samples_range(0.8, 0.7)
    >>> found.low.samples, found.unrelated.samples, found.high.samples
    (66, 295, 389)
    """
    allowed = discordance_range(first, second)
    sizes = [
        paired_samples(
            paired_rates(first, second, discordance=share),
            power=power,
            alpha=alpha,
            method=method,
            limit=limit,
        )
        for share in (allowed.low, allowed.unrelated, allowed.high)
    ]
    return PairedSizeRange(low=sizes[0], unrelated=sizes[1], high=sizes[2])


def pilot_samples(
    pilot: PairTable,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    method: McNemarMethod = "mid-p",
    limit: int = LIMIT,
) -> PairedSize:
    """Items needed in all if a pilot showed the true rates and discordance.

    Examples
    --------
    >>> pilot_samples(PairTable(both=160, first=8, second=4, neither=28)).samples
    1154
    """
    return paired_samples(pilot_rates(pilot), power=power, alpha=alpha, method=method, limit=limit)


def connor_samples(rates: PairedRates, *, power: float = 0.8, alpha: float = 0.05) -> int:
    r"""Connor's formula for the items of a McNemar test.

    .. math:: n = \left(\frac{z_{1-\alpha/2}\sqrt\psi + z_{1-\beta}\sqrt{\psi - \delta^2}}
              {\delta}\right)^2

    Notes
    -----
    A normal approximation: the exact test falls short with it, mid-p and the asymptotic test
    mostly do not. It is shown beside the exact search, not instead of it.

    References
    ----------
    .. [1] Connor (1987), Biometrics 43, 207-211, doi:10.2307/2531961.

    Examples
    --------
    >>> connor_samples(paired_rates(0.8, 0.7, discordance=0.2))
    155
    """
    check_different(rates)
    gap, share = abs(rates.difference), rates.discordance
    for_alpha = -float(ndtri(check_share("alpha", alpha) / 2))
    for_power = float(ndtri(check_share("power", power)))
    root = for_alpha * sqrt(share) + for_power * sqrt(max(share - gap * gap, 0.0))
    return max(1, round_up((max(root, 0.0) / gap) ** 2))


def check_different(rates: PairedRates) -> None:
    """Refuse to plan for a difference of zero."""
    # Equal but for rounding of the two decimals.
    if abs(rates.difference) < 1e-12:
        message = (
            "The two rates are equal, so no number of items shows a difference. Give the "
            "smallest difference that matters, such as rates 0.90 and 0.89, or plan to show that "
            "they are equivalent: margin=0.02 (--margin 0.02)."
        )
        raise RequestError(message, code="equal-rates")

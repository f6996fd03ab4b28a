"""Samples to show that two systems differ by less than a margin, or that one is not inferior."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Literal, TypeAlias

import numpy as np
from scipy.special import ndtri

from steelyard.errors import RequestError, check_share
from steelyard.planning.discordance import PairedRates
from steelyard.planning.rates import check_rates
from steelyard.planning.sizes import LIMIT, first_lasting
from steelyard.planning.tests.independent_powers import (
    Floats,
    chance_below,
    largest_that,
    score_statistic,
    standardise,
    weigh,
)

__all__ = [
    "EquivalenceSize",
    "MarginClaim",
    "equivalence_power",
    "equivalence_samples",
    "paired_equivalence_power",
    "paired_equivalence_samples",
]

MarginClaim: TypeAlias = Literal["equivalent", "not inferior"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EquivalenceSize:
    """Samples with which the claim is shown with the power wanted; None beyond the limit."""

    claim: MarginClaim
    margin: float
    alpha: float
    power: float
    samples: int | None
    reached: float | None


def equivalence_power(
    first: float,
    second: float,
    samples: int,
    *,
    margin: float,
    claim: MarginClaim = "equivalent",
    alpha: float = 0.05,
) -> float:
    r"""Exact power of the score tests of Farrington and Manning, n independent samples each.

    ``not inferior``: H0 :math:`p_1 - p_2 \le -m` is rejected at one-sided ``alpha``;
    ``equivalent``: H0 :math:`p_1 - p_2 \ge m` is rejected as well.

    Notes
    -----
    Equivalence is two one-sided tests, each at ``alpha``: it matches an interval of level
    1 - 2 alpha inside the margins.

    References
    ----------
    .. [1] Farrington & Manning (1990), Statistics in Medicine 9, 1447-1454,
       doi:10.1002/sim.4780091208.
    .. [2] Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680,
       doi:10.1007/BF01068419.

    Examples
    --------
    >>> round(equivalence_power(0.9, 0.9, 620, margin=0.05), 3)
    0.797
    """
    one, two = check_rates([first, second])
    _check(margin, claim)
    bar = -float(ndtri(check_share("alpha", alpha)))

    def chance(x: Floats) -> Floats:
        top = x * 0 + samples

        def over(y: Floats, null: float) -> Floats:
            return score_statistic(x, y, samples=samples, null=null)

        high = largest_that(lambda y: over(y, -margin) >= bar, top)
        reached = chance_below(high, samples=samples, rate=two)
        if claim == "equivalent":
            low = largest_that(lambda y: over(y, margin) > -bar, top)
            reached = reached - chance_below(low, samples=samples, rate=two)
        return np.maximum(reached, 0.0)

    return weigh(samples, one, chance)


def equivalence_samples(
    first: float,
    second: float,
    *,
    margin: float,
    claim: MarginClaim = "equivalent",
    power: float = 0.8,
    alpha: float = 0.05,
    limit: int = LIMIT,
) -> EquivalenceSize:
    """Samples of each system to show the claim on independent test sets.

    Notes
    -----
    The true difference must lie inside the margin; the closer it lies to the margin the more
    samples it takes.

    References
    ----------
    .. [1] Farrington & Manning (1990), doi:10.1002/sim.4780091208.

    Examples
    --------
    >>> equivalence_samples(0.9, 0.9, margin=0.05).samples
    625
    """
    one, two = check_rates([first, second])
    spread = one * (1 - one) + two * (1 - two)

    def reach(samples: int) -> float:
        return equivalence_power(one, two, samples, margin=margin, claim=claim, alpha=alpha)

    return _size(reach, _Wish(one - two, spread, margin, claim, power, alpha), limit)


def paired_equivalence_power(
    rates: PairedRates,
    samples: int,
    *,
    margin: float,
    claim: MarginClaim = "equivalent",
    alpha: float = 0.05,
) -> float:
    r"""Exact power of Tango's score tests on n common items.

    Summed over the items only the first had right, and for each over the largest number only the
    second may have right, from the trinomial distribution.

    References
    ----------
    .. [1] Tango (1998), Statistics in Medicine 17, 891-908,
       doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B.

    Examples
    --------
    >>> rates = PairedRates(only_first=0.04, only_second=0.04)
    >>> round(paired_equivalence_power(rates, 280, margin=0.05), 3)
    0.764
    """
    _check(margin, claim)
    bar = -float(ndtri(check_share("alpha", alpha)))
    rest = rates.only_second / (1 - rates.only_first)

    def chance(b: Floats) -> Floats:
        top = samples - b
        high = largest_that(lambda c: tango_statistic(b, c, samples, -margin) >= bar, top)
        reached = chance_below(high, samples=top, rate=rest)
        if claim == "equivalent":
            low = largest_that(lambda c: tango_statistic(b, c, samples, margin) > -bar, top)
            reached = reached - chance_below(low, samples=top, rate=rest)
        return np.maximum(reached, 0.0)

    return weigh(samples, rates.only_first, chance)


def paired_equivalence_samples(
    rates: PairedRates,
    *,
    margin: float,
    claim: MarginClaim = "equivalent",
    power: float = 0.8,
    alpha: float = 0.05,
    limit: int = LIMIT,
) -> EquivalenceSize:
    """Items to show the claim on a common test set.

    Notes
    -----
    The fewer items tell the systems apart, the fewer are needed.

    References
    ----------
    .. [1] Tango (1998), Statistics in Medicine 17, 891-908,
       doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B.

    Examples
    --------
    >>> rates = PairedRates(only_first=0.04, only_second=0.04)
    >>> paired_equivalence_samples(rates, margin=0.05).samples
    299
    """
    gap = rates.difference
    spread = rates.discordance - gap * gap

    def reach(samples: int) -> float:
        return paired_equivalence_power(rates, samples, margin=margin, claim=claim, alpha=alpha)

    return _size(reach, _Wish(gap, spread, margin, claim, power, alpha), limit)


def tango_statistic(b: Floats, c: Floats, samples: int, null: float) -> Floats:
    """Tango's score statistic of a paired difference, for arrays of discordant counts."""
    linear = (2 * samples - b + c) * null - b - c
    constant = c * null * (1 - null)
    root = np.sqrt(np.maximum(linear * linear + 8 * samples * constant, 0.0))
    share = np.maximum((root - linear) / (4 * samples), max(0.0, -null))
    variance = samples * (2 * share + null * (1 - null))
    gap = b - c - samples * null
    return standardise(gap, variance)


@dataclass(frozen=True, slots=True)
class _Wish:
    gap: float
    spread: float
    margin: float
    claim: MarginClaim
    power: float
    alpha: float


def _size(reached: Callable[[int], float], wish: _Wish, limit: int) -> EquivalenceSize:
    _check(wish.margin, wish.claim)
    check_share("power", wish.power)
    room = wish.margin - abs(wish.gap) if wish.claim == "equivalent" else wish.margin + wish.gap
    # On the margin itself but for rounding: no number of items shows that it is inside.
    if room <= 1e-9:
        needed = abs(wish.gap) if wish.claim == "equivalent" else -wish.gap
        message = (
            f"The rates differ by {wish.gap:.4g}, which is not inside the margin {wish.margin:g}, "
            f"so this cannot be shown. The nearest possible margin is above {needed:.4g}, such as "
            f"margin={needed * 1.5:.3g} (--margin {needed * 1.5:.3g})."
        )
        raise RequestError(message, code="margin")
    z = -float(ndtri(wish.alpha)) + float(ndtri(wish.power))
    guess = max(1, ceil(wish.spread * (max(z, 0.1) / room) ** 2))
    samples = first_lasting(lambda n: reached(n) >= wish.power, start=guess, limit=limit, window=20)
    return EquivalenceSize(
        claim=wish.claim,
        margin=wish.margin,
        alpha=wish.alpha,
        power=wish.power,
        samples=samples,
        reached=None if samples is None else reached(samples),
    )


def _check(margin: float, claim: MarginClaim) -> None:
    if not 0 < margin < 1:
        nearest = abs(margin) if 0 < abs(margin) < 1 else 0.02
        message = (
            f"margin={margin!r}; a margin lies above 0 and below 1. The nearest possible is "
            f"margin={nearest:g} (--margin {nearest:g})."
        )
        raise RequestError(message, code="margin")
    if claim not in ("equivalent", "not inferior"):
        message = (
            f"claim={claim!r} is not known. Choose one of: equivalent, not inferior (--claim "
            "equivalent, --claim not-inferior)."
        )
        raise RequestError(message)

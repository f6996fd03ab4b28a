"""From here: how many more samples until the open questions are settled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, sqrt

from steelyard.counts import PairTable
from steelyard.errors import check_share
from steelyard.planning.discordance import PairedRates, pilot_rates
from steelyard.planning.posterior.paired import paired_posterior_samples
from steelyard.planning.sizes import LIMIT, round_up, samples_for, whole_samples
from steelyard.planning.tests.areas import scaled_area_samples
from steelyard.planning.tests.independent_powers import independent_samples, normal_samples
from steelyard.planning.tests.paired_powers import connor_samples, paired_samples
from steelyard.uncertainty import shaffer_numbers
from steelyard.uncertainty.special import ndtr, ndtri

__all__ = [
    "MoreNeeded",
    "count_more",
    "more_areas",
    "more_areas_until_best",
    "more_common",
    "more_for_claim",
    "more_independent",
    "more_until_best",
    "open_alphas",
]

# --- from here: how many more samples until the open questions are settled -----------------------


Pair = tuple[str, str]

FEWEST_DISCORDANT = 6
"""With fewer discordant items no test at 5 % could decide, and no plan is worth its digits."""

USUAL = 1.96
LARGE = 5000
"""From here on the normal approximation is as good as the exact search."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreNeeded:
    """Samples needed in all and more than there are; None with the reason why not.

    ``least`` is what it takes if the difference is as large as the data leave room for. There is
    no most: what is undecided may be no difference at all, which no number of samples settles.
    ``beyond`` says that it would take more than a search looks for.
    """

    total: int | None
    more: int | None
    reason: str | None = None
    least: int | None = None
    beyond: bool = False


def open_alphas(p_values: Mapping[Pair, float], *, systems: int, alpha: float) -> dict[Pair, float]:
    r"""Share of alpha for each pair: the i-th smallest p-value is compared with :math:`\alpha/t_i`.

    As Shaffer's procedure does once the clearer pairs are found different.

    References
    ----------
    .. [1] Shaffer (1986), JASA 81, 826-831, doi:10.1080/01621459.1986.10478341.

    Examples
    --------
    >>> found = open_alphas({("A", "B"): 0.2, ("A", "C"): 0.001, ("B", "C"): 0.01}, systems=3,
    ...     alpha=0.06)
    >>> found["A", "C"], found["A", "B"]
    (0.02, 0.06)
    """
    ranked = sorted(p_values, key=lambda pair: p_values[pair])
    return {
        pair: alpha / number for pair, number in zip(ranked, shaffer_numbers(systems), strict=True)
    }


def more_common(
    table: PairTable, *, alpha: float = 0.05, power: float = 0.8, limit: int = LIMIT
) -> MoreNeeded:
    """More common items until the mid-p McNemar test of a pair has its power.

    If the observed rates and discordance are the true ones. They are estimates, of a difference
    that is not yet shown at that: take the number for its order of magnitude.

    References
    ----------
    .. [1] Connor (1987), Biometrics 43, 207-211, doi:10.2307/2531961.

    Examples
    --------
    >>> more_common(PairTable(both=160, first=12, second=5, neither=23)).more
    327
    """
    if table.discordant < FEWEST_DISCORDANT:
        reason = (
            f"only {table.discordant} of {table.total} items tell the two apart, too few to say "
            "how many more are needed"
        )
        return MoreNeeded(total=None, more=None, reason=reason)
    if table.first == table.second:
        return MoreNeeded(total=None, more=None, reason="no difference was observed")
    rates = pilot_rates(table)
    total: int | None = connor_samples(rates, alpha=alpha, power=power)
    if total is not None and total < LARGE:
        total = paired_samples(rates, alpha=alpha, power=power, limit=limit).samples
    gap = abs(rates.only_first - rates.only_second)
    error = sqrt((rates.discordance - gap**2) / table.total)
    return count_more(total, table.total, limit, signal=gap / error if error else None)


def more_independent(
    first: tuple[int, int],
    second: tuple[int, int],
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    limit: int = LIMIT,
) -> MoreNeeded:
    """More samples of each system until the score test of two independent rates has its power.

    ``first`` and ``second`` are right and tested; the answer counts from the smaller test set.

    References
    ----------
    .. [1] Miettinen & Nurminen (1985), Statistics in Medicine 4, 213-226,
       doi:10.1002/sim.4780040211.

    Examples
    --------
    >>> more_independent((190, 200), (194, 200)).more
    1285
    """
    rates = [right / tested for right, tested in (first, second)]
    if rates[0] == rates[1]:
        return MoreNeeded(total=None, more=None, reason="no difference was observed")
    if any(rate in (0.0, 1.0) for rate in rates):
        reason = "a system was always right or always wrong, so its rate is not known well enough"
        return MoreNeeded(total=None, more=None, reason=reason)
    total: int | None = normal_samples(rates[0], rates[1], alpha=alpha, power=power)
    if total is not None and total < LARGE:
        total = independent_samples(rates[0], rates[1], alpha=alpha, power=power).samples
    spread = sum(p * (1 - p) / n for p, (_, n) in zip(rates, (first, second), strict=True))
    signal = abs(rates[0] - rates[1]) / sqrt(spread)
    return count_more(total, min(first[1], second[1]), limit, signal=signal)


def more_until_best(
    tables: Sequence[PairTable], *, confidence: float = 0.95, limit: int = LIMIT
) -> MoreNeeded:
    """More common items until the joint posterior names the leader with the confidence.

    ``tables`` has the leader first in each, against every rival.

    References
    ----------
    .. [1] Altham (1971), Biometrika 58, 561-576, doi:10.1093/biomet/58.3.561.

    Examples
    --------
    >>> more_until_best([PairTable(both=160, first=10, second=5, neither=25)]).more
    121
    """
    if any(table.first <= table.second for table in tables):
        return MoreNeeded(total=None, more=None, reason="no difference was observed")
    pairs = [
        PairedRates(only_first=table.first / table.total, only_second=table.second / table.total)
        for table in tables
    ]
    size = paired_posterior_samples(pairs, confidence, limit=10 * limit)
    tested = tables[0].total
    if size.samples is not None and size.samples <= tested:
        return MoreNeeded(total=size.samples, more=0)
    return count_more(size.samples, tested, limit)


def more_areas(
    difference: float,
    variance: float,
    *,
    tested: int,
    alpha: float = 0.05,
    power: float = 0.8,
    limit: int = LIMIT,
) -> MoreNeeded:
    """More items until DeLong's test of two areas has its power, if what was seen is true.

    References
    ----------
    .. [1] DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44, 837-845, doi:10.2307/2531595.

    Examples
    --------
    >>> more_areas(0.02, 0.0004, tested=300).more
    2055
    """
    if difference == 0:
        return MoreNeeded(total=None, more=None, reason="no difference was observed")
    if variance <= 0:
        reason = "the areas did not vary, so nothing says how many more are needed"
        return MoreNeeded(total=None, more=None, reason=reason)
    total = scaled_area_samples(difference, variance, tested=tested, alpha=alpha, power=power)
    return count_more(total, tested, limit, signal=abs(difference) / sqrt(variance))


def more_areas_until_best(
    rivals: Sequence[tuple[float, float]],
    *,
    tested: int,
    confidence: float = 0.95,
    limit: int = LIMIT,
) -> MoreNeeded:
    r"""More items until the normal posterior names the leader's area the largest.

    ``rivals`` has the lead over each rival and its variance after ``tested`` items; the
    probability is at least :math:`1 - \sum_j \Phi(-d_j / \sqrt{V_j n_0/n})`.

    Examples
    --------
    >>> more_areas_until_best([(0.02, 0.0004)], tested=300).more
    512
    """
    if any(lead <= 0 for lead, _ in rivals):
        return MoreNeeded(total=None, more=None, reason="no difference was observed")

    def miss(samples: float) -> float:
        # No item at all has an infinite variance; next to none comes close to it.
        return float(
            sum(
                ndtr(-lead / sqrt(variance * tested / max(samples, 1e-9)))
                for lead, variance in rivals
                if variance > 0
            )
        )

    exact = samples_for(miss, 1 - confidence, start=float(tested), limit=10 * limit)
    total = whole_samples(exact)
    if total is not None and total <= tested:
        return MoreNeeded(total=total, more=0)
    return count_more(total, tested, limit)


def count_more(
    total: int | None, tested: int, limit: int, *, signal: float | None = None
) -> MoreNeeded:
    r"""Count from what was tested; ``signal`` is the difference in standard errors.

    The number goes with one over the square of the difference, which may be larger than it looks
    by 1.96 standard errors: :math:`n_{least} = n\,(s / (s + 1.96))^2`.
    """
    if total is None or total - tested > limit:
        return MoreNeeded(total=None, more=None, reason=f"over {limit:,d} more", beyond=True)
    least = None
    if signal is not None:
        least = max(0, round(total * (signal / (signal + USUAL)) ** 2) - tested)
    return MoreNeeded(total=total, more=max(1, total - tested), least=least)


# --- how many more items would settle whether an advantage lies on the claimed side of a limit ---


ON_THE_LIMIT = 1e-9
"""Nearer than this an advantage lies on the limit but for rounding, and no number settles it."""


def more_for_claim(
    room: float,
    standard_error: float,
    samples: int,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    sides: int = 1,
) -> MoreNeeded:
    r"""More items until an interval that is now undecided lies on one side of a limit.

    The standard error shrinks with :math:`1/\sqrt n`, so that
    :math:`n' = n\,\big((z_{1-\alpha}+z_{1-\beta})\,s/r\big)^2` items give the power
    :math:`1-\beta`, with r the distance of what was seen to the limit, if what was seen is true;
    with two limits at the same distance :math:`\beta/2` goes to each [1]_.

    Parameters
    ----------
    room : float
        Distance of the advantage that was seen to the nearest limit that would decide.
    standard_error : float
        Of the advantage, on ``samples`` items.
    samples : int
        Items there are.
    alpha, power : float
        Error rate of a side, and the chance wanted that the question is settled.
    sides : {1, 2}
        How many limits have to be cleared at once.

    Notes
    -----
    The advantage is an estimate that did not settle the question: take the number for its order of
    magnitude.

    References
    ----------
    .. [1] Julious (2004), Sample sizes for clinical trials with normal data, Statistics in Medicine
       23, 1921-1986, doi:10.1002/sim.1783.

    Examples
    --------
    >>> more_for_claim(0.02, 0.012, 500).more
    613
    >>> more_for_claim(0.0, 0.012, 500).reason
    'what was seen lies on the limit itself'
    """
    check_share("alpha", alpha)
    check_share("power", power)
    if not (isfinite(room) and isfinite(standard_error)) or standard_error <= 0:
        return MoreNeeded(total=None, more=None, reason="nothing varies in what was seen")
    if room <= ON_THE_LIMIT:
        return MoreNeeded(total=None, more=None, reason="what was seen lies on the limit itself")
    reach = float(ndtri(1 - alpha)) + float(ndtri(1 - (1 - power) / sides))
    total = round_up(samples * (reach * standard_error / room) ** 2)
    if total > LIMIT:
        reason = f"it would take more than {LIMIT:,} items"
        return MoreNeeded(total=None, more=None, reason=reason, beyond=True)
    return MoreNeeded(total=total, more=max(1, total - samples))

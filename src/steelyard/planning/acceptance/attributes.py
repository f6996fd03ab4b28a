"""Acceptance by attributes: test n, accept with at most c failures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log, log1p

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr, betainc

from steelyard.errors import RequestError, check_share
from steelyard.planning.sizes import LIMIT, round_up

__all__ = [
    "AcceptancePlan",
    "StagePoint",
    "TwoStagePlan",
    "acceptance_chance",
    "acceptance_plan",
    "check_two_rates",
    "two_stage_plan",
    "two_stage_point",
    "zero_failure_trials",
]

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

SLACK = 1e-12
"""Risks that equal the one asked for count as kept, whatever the last digit of 1 - 0.95 is."""

CALM = 12
"""After so many numbers of failures without a gap, none follows: the teeth only shrink."""

MOST_SUMMED = 2**31
"""Trials from which on scipy's binomial sums are not numbers any more."""

MOST_STAGED = 4_000
"""Two-stage plans are searched up to so many trials; beyond, they save little that a look would."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptancePlan:
    """Test ``trials``, accept with at most ``failures``.

    ``accept_bad`` and ``accept_good`` are the exact chances to accept at the two rates.
    ``lasting`` is the number of trials from which on every larger number keeps both risks too:
    between the two some do not, because failures are whole.
    """

    trials: int
    failures: int
    accept_bad: float
    accept_good: float
    lasting: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePoint:
    """What a two-stage plan does at one rate of failure."""

    rate: float
    accept: float
    second_stage: float
    expected_trials: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoStagePlan:
    """Test ``first``; accept with at most ``accept_first`` failures, reject from ``reject_first``.

    Else test ``second`` more, and accept with at most ``accept_both`` failures in all.
    """

    first: int
    accept_first: int
    reject_first: int
    second: int
    accept_both: int


def check_two_rates(bad: float, good: float) -> None:
    """Refuse rates of failure of which the good one is not the smaller.

    Examples
    --------
    >>> check_two_rates(0.1, 0.05)
    """
    check_share("bad", bad)
    if not 0 <= good < bad:
        message = (
            f"A test accepts what fails with {good:g} and rejects what fails with {bad:g}: the "
            "first must be the smaller. Assume a rate on the good side of the claim."
        )
        raise RequestError(message, code="claim-rate")


def acceptance_chance(trials: int, failures: int, rates: ArrayLike) -> Floats:
    r"""Operating characteristic: the chance to accept at each rate of failure.

    :math:`P(X\le c)` of a binomial number of n trials.

    Examples
    --------
    >>> acceptance_chance(76, 3, [0.02, 0.1]).round(4).tolist()
    [0.9337, 0.047]
    """
    shares = np.asarray(rates, dtype=np.float64)
    if trials < MOST_SUMMED:
        return np.asarray(bdtr(float(failures), trials, shares), dtype=np.float64)
    return np.asarray(1 - betainc(failures + 1.0, trials - failures, shares), dtype=np.float64)


def zero_failure_trials(bad: float, alpha: float = 0.05) -> int:
    r"""Smallest number of trials that shows a rate of failure below ``bad``, if none fails.

    The least n with :math:`(1-q)^n\le\alpha`; near :math:`3/q` at :math:`\alpha=0.05` [1]_.

    References
    ----------
    .. [1] Hanley & Lippman-Hand (1983), JAMA 249, 1743-1745,
       doi:10.1001/jama.1983.03330370053031.

    Examples
    --------
    >>> zero_failure_trials(0.05), zero_failure_trials(0.5, 0.25)
    (59, 2)
    """
    check_share("bad", bad)
    check_share("alpha", alpha)
    # Logarithms of equal powers differ in the last digit: ln .25/ln .5 must give 2, not 3.
    return max(1, round_up(log(alpha) / log1p(-bad)))


def acceptance_plan(
    bad: float, good: float, *, alpha: float = 0.05, beta: float = 0.1
) -> AcceptancePlan | None:
    r"""Smallest test that rejects the bad and accepts the good.

    The least n for which a c has :math:`P(X\le c\mid n,\text{bad})\le\alpha` and
    :math:`P(X\le c\mid n,\text{good})\ge1-\beta`, both exact [1]_. Accepting with at most c
    failures is the same as a one-sided Clopper-Pearson limit below ``bad``.

    Parameters
    ----------
    bad, good : float
        Rates of failure: the one that must not be accepted, and the one that should be.
    alpha : float
        Largest chance to accept the bad (the consumer's risk).
    beta : float
        Largest chance to reject the good (the producer's risk).

    Returns
    -------
    AcceptancePlan or None
        None when more than 1,000,000 trials are needed.

    References
    ----------
    .. [1] Dodge & Romig (1959), Sampling Inspection Tables, 2nd edition, Wiley.

    Examples
    --------
    >>> plan = acceptance_plan(0.10, 0.02)
    >>> plan.trials, plan.failures, plan.lasting
    (76, 3, 89)
    """
    check_two_rates(bad, good)
    check_share("alpha", alpha)
    check_share("beta", beta)
    found: tuple[int, int] | None = None
    lasting, calm, start, size = 0, 0, 0, 32
    while True:
        failures = np.arange(start, start + size, dtype=np.int64)
        least = _least_trials(failures, bad, alpha)
        most = _most_trials(failures, good, 1 - beta)
        for at, failure in enumerate(failures.tolist()):
            if found is None and least[at] <= most[at]:
                found = int(least[at]), failure
                lasting = found[0]
            if found is None:
                if least[at] > LIMIT:
                    return None
                continue
            if at + 1 == len(failures):
                break  # the next one is looked at from the following batch
            gap = most[at] < least[at + 1] - 1
            calm, lasting = (0, int(least[at + 1])) if gap else (calm + 1, lasting)
            if calm >= CALM or lasting > LIMIT:
                return _plan(found, lasting, bad, good)
        start, size = start + size - 1, min(2 * size, 65_536)


def _plan(found: tuple[int, int], lasting: int, bad: float, good: float) -> AcceptancePlan | None:
    trials, failures = found
    if trials > LIMIT:
        return None
    accept = acceptance_chance(trials, failures, [bad, good])
    return AcceptancePlan(
        trials=trials,
        failures=failures,
        accept_bad=float(accept[0]),
        accept_good=float(accept[1]),
        lasting=lasting,
    )


def _least_trials(failures: Whole, bad: float, alpha: float) -> Whole:
    """Smallest n for each c at which the bad is accepted with alpha at most."""
    return _first(failures, lambda n: bdtr(failures + 0.0, n, bad) <= alpha * (1 + SLACK))


def _most_trials(failures: Whole, good: float, accept: float) -> Whole:
    """Largest n for each c at which the good is still accepted often enough."""
    if good == 0:
        return np.full(failures.shape, 4 * LIMIT, dtype=np.int64)
    return _first(failures, lambda n: bdtr(failures + 0.0, n, good) < accept * (1 - SLACK)) - 1


def _first(failures: Whole, reached: Callable[[Whole], Floats]) -> Whole:
    """Bisect for the smallest n above c at which a condition holds that then goes on to hold."""
    low, high = failures.copy(), np.full(failures.shape, 8 * LIMIT, dtype=np.int64)
    while (high - low > 1).any():
        middle = (low + high) // 2
        met = np.asarray(reached(middle), dtype=bool)
        low, high = np.where(met, low, middle), np.where(met, middle, high)
    return high


def two_stage_point(plan: TwoStagePlan, rate: float) -> StagePoint:
    r"""What a two-stage plan does at a rate of failure, by the sum over its first stage.

    :math:`P(\text{accept})=P(X_1\le c_1)+\sum_{c_1<x<r_1}P(X_1=x)P(X_2\le c_2-x)`; the expected
    number of trials is :math:`n_1+n_2P(c_1<X_1<r_1)`.

    Examples
    --------
    >>> plan = TwoStagePlan(first=40, accept_first=0, reject_first=3, second=60, accept_both=3)
    >>> point = two_stage_point(plan, 0.03)
    >>> round(point.accept, 4), round(point.expected_trials, 2)
    (0.6646, 75.19)
    """
    between = np.arange(plan.accept_first + 1, plan.reject_first)
    here = np.diff(bdtr(np.arange(plan.accept_first + 0.0, plan.reject_first), plan.first, rate))
    left = plan.accept_both - between
    later = np.where(left >= 0, bdtr(np.maximum(left, 0.0), plan.second, rate), 0.0)
    open_after = float(here.sum())
    accept = float(bdtr(float(plan.accept_first), plan.first, rate)) + float(here @ later)
    return StagePoint(
        rate=rate,
        accept=accept,
        second_stage=open_after,
        expected_trials=plan.first + plan.second * open_after,
    )


def two_stage_plan(
    bad: float, good: float, *, alpha: float = 0.05, beta: float = 0.1
) -> TwoStagePlan | None:
    """Find the two-stage plan with equal stages that keeps both risks with the fewest trials.

    The first stage rejects when the failures of both stages are used up already. None when the
    single test has more than 4,000 trials, or when no plan with equal stages keeps the risks.

    Examples
    --------
    >>> plan = two_stage_plan(0.10, 0.02)
    >>> plan.first, plan.accept_first, plan.second, plan.accept_both
    (39, 0, 39, 3)
    """
    single = acceptance_plan(bad, good, alpha=alpha, beta=beta)
    if single is None or single.trials > MOST_STAGED:
        return None
    for each in range(max(1, single.trials // 3), single.trials + 1):
        for both in _finals(each, single.failures, bad, alpha):
            plan = _find_stages(each, both, (bad, alpha), (good, beta))
            if plan is not None:
                return plan
    return None


def _finals(each: int, failures: int, bad: float, alpha: float) -> Sequence[int]:
    """Numbers of failures in all that may be accepted: those that 2n trials would allow."""
    kept = bdtr(np.arange(2.0 * each), 2 * each, bad) <= alpha
    return range(max(0, failures - 2), max(int(kept.sum()), failures) + 1)


def _find_stages(
    each: int, both: int, bad: tuple[float, float], good: tuple[float, float]
) -> TwoStagePlan | None:
    # More failures accepted at first make accepting more likely everywhere: try the most that keep
    # the consumer's risk.
    for first in range(both, -1, -1):
        plan = TwoStagePlan(
            first=each, accept_first=first, reject_first=both + 1, second=each, accept_both=both
        )
        if two_stage_point(plan, bad[0]).accept <= bad[1] * (1 + SLACK):
            kept = two_stage_point(plan, good[0]).accept >= (1 - good[1]) * (1 - SLACK)
            return plan if kept and first < both else None
    return None

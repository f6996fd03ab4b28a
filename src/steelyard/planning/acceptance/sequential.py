"""Acceptance one trial at a time: Wald's sequential test of a rate, with its exact risks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, log, log1p

import numpy as np

from steelyard.errors import check_share
from steelyard.planning.acceptance.attributes import acceptance_plan, check_two_rates

__all__ = ["SequentialPlan", "SequentialPoint", "sequential_plan", "sequential_points"]


LONGEST = 20_000
"""Sequential plans are searched up to so many trials."""

SAME = 1e-9
"""A log likelihood ratio this close to a limit has reached it: sums of logarithms round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialPlan:
    """Stop when the log likelihood ratio of bad against good leaves the limits.

    ``last`` trials at most; then accept when at most ``accept_last`` failed.
    """

    good: float
    bad: float
    low: float
    high: float
    last: int
    accept_last: int

    @property
    def per_failure(self) -> float:
        """What a failure adds to the log likelihood ratio."""
        return log(self.bad / self.good)

    @property
    def per_success(self) -> float:
        """What a success adds to it."""
        return log1p(-self.bad) - log1p(-self.good)

    def accept_at(self, trials: int) -> int | None:
        """Most failures with which the test accepts after so many trials; None if none yet."""
        most = floor((self.low - trials * self.per_success) / self._step + SAME)
        return min(most, trials) if most >= 0 else None

    def reject_at(self, trials: int) -> int | None:
        """Fewest failures with which the test rejects after so many trials; None if none yet."""
        least = max(0, ceil((self.high - trials * self.per_success) / self._step - SAME))
        return least if least <= trials else None

    @property
    def _step(self) -> float:
        return self.per_failure - self.per_success


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialPoint:
    """What a sequential test does at one rate of failure, exactly."""

    rate: float
    accept: float
    reject: float
    accept_early: float
    reject_early: float
    expected_trials: float


def sequential_points(plan: SequentialPlan, rates: Sequence[float]) -> list[SequentialPoint]:
    """Walk through all numbers of failures, trial by trial, at several rates at once.

    Wald's approximations leave out by how far a step overshoots a limit, and the end of the test;
    this does not.

    Examples
    --------
    >>> plan = SequentialPlan(good=0.1, bad=0.3, low=-2.944438979166440, high=2.944438979166440,
    ...                       last=100, accept_last=18)
    >>> point = sequential_points(plan, [0.05])[0]
    >>> round(point.accept_early, 6), round(point.expected_trials, 4)
    (0.998332, 16.615)
    """
    chances = np.asarray(rates, dtype=np.float64)[:, None]
    width = max(plan.reject_at(plan.last) or plan.last, plan.accept_last, 1) + 1
    open_now = np.zeros((len(rates), width + 1))
    open_now[:, 0] = 1.0
    accept, reject, expected = np.zeros((3, len(rates)))
    for trials in range(1, plan.last + 1):
        expected += open_now.sum(axis=1)
        stepped = open_now * (1 - chances)
        stepped[:, 1:] += open_now[:, :-1] * chances
        most, least = plan.accept_at(trials), plan.reject_at(trials)
        if most is not None:
            accept += stepped[:, : most + 1].sum(axis=1)
            stepped[:, : most + 1] = 0.0
        if least is not None:
            reject += stepped[:, least:].sum(axis=1)
            stepped[:, least:] = 0.0
        open_now = stepped
    late = open_now[:, : plan.accept_last + 1].sum(axis=1)
    rest = open_now.sum(axis=1) - late
    return [
        SequentialPoint(
            rate=float(rate),
            accept=float(accept[at] + late[at]),
            reject=float(reject[at] + rest[at]),
            accept_early=float(accept[at]),
            reject_early=float(reject[at]),
            expected_trials=float(expected[at]),
        )
        for at, rate in enumerate(rates)
    ]


def sequential_plan(
    bad: float, good: float, *, alpha: float = 0.05, beta: float = 0.1
) -> SequentialPlan | None:
    r"""Wald's sequential test with an end, whose exact risks are those asked for.

    It accepts when the log likelihood ratio of ``bad`` against ``good`` falls to
    :math:`\ln\frac{\alpha}{1-\beta}` and rejects when it rises to :math:`\ln\frac{1-\alpha}{\beta}`
    [1]_. Steps overshoot these limits and the test must end, so the risks are not quite
    :math:`\alpha` and :math:`\beta`: the limits are drawn apart, and the end put off, until the
    exact ones are kept.

    Returns
    -------
    SequentialPlan or None
        None when no plan with up to 20,000 trials keeps both.

    References
    ----------
    .. [1] Wald (1945), Annals of Mathematical Statistics 16, 117-186,
       doi:10.1214/aoms/1177731118.

    Examples
    --------
    >>> plan = sequential_plan(0.10, 0.02)
    >>> [round(point.accept, 3) for point in sequential_points(plan, [0.02, 0.10])]
    [0.938, 0.049]
    """
    check_two_rates(bad, good)
    check_share("alpha", alpha)
    check_share("beta", beta)
    fixed = acceptance_plan(bad, good, alpha=alpha, beta=beta)
    if fixed is None or good == 0:
        return None
    last = ceil(1.5 * fixed.lasting)
    first, second = alpha, beta
    while last <= LONGEST:
        made = SequentialPlan(
            good=good,
            bad=bad,
            low=log(first / (1 - second)),
            high=log((1 - first) / second),
            last=last,
            accept_last=0,
        )
        at_good, at_bad = sequential_points(made, [good, bad])
        if at_bad.accept_early > alpha or at_good.reject_early > beta:
            first *= 0.95 if at_bad.accept_early > alpha else 1.0
            second *= 0.95 if at_good.reject_early > beta else 1.0
            continue
        ended = _end(made, good, bad, alpha, beta)
        if ended is not None:
            return ended
        last = ceil(1.25 * last)
    return None


def _end(
    plan: SequentialPlan, good: float, bad: float, alpha: float, beta: float
) -> SequentialPlan | None:
    """Accept at the end with the most failures that the consumer's risk allows."""
    low, high = -1, plan.reject_at(plan.last) or plan.last
    while high - low > 1:
        middle = (low + high) // 2
        point = sequential_points(replace(plan, accept_last=middle), [bad])[0]
        low, high = (middle, high) if point.accept <= alpha else (low, middle)
    if low < 0:
        return None
    ended = replace(plan, accept_last=low)
    return ended if sequential_points(ended, [good])[0].reject <= beta else None

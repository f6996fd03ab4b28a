"""A number for each item, looked at whenever one likes: bets in a stated range, and a limit law."""

from dataclasses import dataclass, replace
from math import exp, inf, log, sqrt

import numpy as np
from numpy.typing import ArrayLike

from steelyard.errors import CountsError, RequestError, check_share
from steelyard.uncertainty.values.bounded import CUT, check_range, unit_values
from steelyard.uncertainty.values.student import Floats, StudentEstimate

__all__ = [
    "AsymptoticLook",
    "BettingEvidence",
    "asymptotic_sequence",
    "betting_evidence",
    "start_betting",
]

FIRST = 50
"""The limit law says nothing of fewer units."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BettingEvidence:
    r"""Capital won so far by betting against a mean; it can be extended, and joined.

    ``log_up`` and ``log_down`` are the logarithms of the capital of the gambler who bets on larger
    values, and on smaller ones; each began with 1. ``highest`` is the largest logarithm that half
    of either ever had. ``total`` and ``spread`` are what the next bets need, on the scale from 0
    to 1: the sum of the values and of their squared distances from the running mean.
    """

    bounds: tuple[float, float]
    against: float
    alpha: float
    seen: int = 0
    total: float = 0.0
    spread: float = 0.0
    log_up: float = 0.0
    log_down: float = 0.0
    highest: float = -log(2)

    @property
    def evidence(self) -> float:
        """The e-value: half of the larger capital."""
        return _exp(max(self.log_up, self.log_down) - log(2))

    @property
    def p_value(self) -> float:
        """Anytime-valid p-value: one over the largest evidence so far."""
        return min(1.0, exp(-self.highest))

    @property
    def decided(self) -> bool:
        """Whether the mean was ever excluded at ``alpha``."""
        return self.p_value <= self.alpha

    def extend(self, values: ArrayLike) -> "BettingEvidence":
        """Bet on further values, in the order they came."""
        if np.size(values) == 0:
            return self
        scaled = unit_values(values, self.bounds, 1 - self.alpha)
        totals, spreads, up, down = self._follow(scaled)
        return replace(
            self,
            seen=self.seen + scaled.size,
            total=float(totals[-1]),
            spread=float(spreads[-1]),
            log_up=float(up[-1]),
            log_down=float(down[-1]),
            highest=max(self.highest, float(np.maximum(up, down).max()) - log(2)),
        )

    def paths(self, values: Floats) -> tuple[Floats, Floats]:
        """Logarithms of both capitals after each value; of many courses at once, a row for each.

        For simulations: values are taken to lie in the range.
        """
        least, most = self.bounds
        return self._follow((values - least) / (most - least))[2:]

    def _follow(self, scaled: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Bet on values scaled to 0 to 1, along the last axis: totals, spreads and capitals."""
        least, most = self.bounds
        mean = (self.against - least) / (most - least)
        times = self.seen + np.arange(1, scaled.shape[-1] + 1)
        totals = self.total + scaled.cumsum(axis=-1)
        means = (0.5 + totals) / (times + 1)
        spreads = self.spread + ((scaled - means) ** 2).cumsum(axis=-1)
        before = np.concatenate(
            [np.full((*scaled.shape[:-1], 1), self.spread), spreads[..., :-1]], axis=-1
        )
        # One half seen at first, off by one half: the variance known before each value.
        variances = (0.25 + before) / times
        bets = np.sqrt(2 * log(2 / self.alpha) / (variances * times * np.log1p(times)))
        gains = scaled - mean
        up = self.log_up + np.log1p(np.minimum(bets, CUT / mean) * gains).cumsum(axis=-1)
        down = self.log_down + np.log1p(-np.minimum(bets, CUT / (1 - mean)) * gains).cumsum(axis=-1)
        return totals, spreads, up, down

    def __add__(self, other: "BettingEvidence") -> "BettingEvidence":
        """Join what two places found on items of their own: independent capitals multiply.

        What each had at its best is not kept: the best of several gamblers is no gambler.
        """
        if (self.bounds, self.against, self.alpha) != (other.bounds, other.against, other.alpha):
            message = "Evidence on other ranges, means or error rates cannot be joined."
            raise CountsError(message, code="not-mergeable")
        up, down = self.log_up + other.log_up, self.log_down + other.log_down
        return replace(
            self,
            seen=self.seen + other.seen,
            total=self.total + other.total,
            spread=self.spread + other.spread,
            log_up=up,
            log_down=down,
            highest=max(up, down) - log(2),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AsymptoticLook:
    """An estimate after ``seen`` units; the limits of all looks hold together, for many units.

    ``p_value`` is the error rate at which the sequence just leaves ``against`` out; ``evidence``
    its inverse.
    """

    seen: int
    value: float
    low: float
    high: float
    evidence: float
    p_value: float
    alpha: float
    against: float
    planned: int


def start_betting(
    *, bounds: tuple[float, float], against: float = 0.0, alpha: float = 0.05
) -> BettingEvidence:
    """Start an e-process against a mean; ``extend`` it with values as they come.

    Examples
    --------
    >>> state = start_betting(bounds=(-1, 1)).extend([0.5, 0.25]).extend([0.75])
    >>> state.seen, round(state.evidence, 4)
    (3, 0.9668)
    """
    check_range(bounds, 1 - alpha)
    if not bounds[0] < against < bounds[1]:
        message = (
            f"against={against:g} is not inside the range {bounds[0]:g} to {bounds[1]:g}; expected "
            "the mean that is bet against."
        )
        raise RequestError(message)
    return BettingEvidence(bounds=bounds, against=against, alpha=alpha)


def betting_evidence(
    values: ArrayLike,
    *,
    bounds: tuple[float, float],
    against: float = 0.0,
    alpha: float = 0.05,
) -> BettingEvidence:
    r"""Evidence that the mean of values in a stated range is not ``against``.

    The capital of :func:`betting_sequence` at one mean,
    :math:`\max\left(\tfrac12K^+,\tfrac12K^-\right)`, is an e-process: whenever it reaches
    :math:`1/\alpha` the mean is excluded, with a chance of at most :math:`\alpha` to be wrong,
    however often you look [1]_. ``alpha`` also sizes the bets, so state it beforehand.

    Parameters
    ----------
    values : array_like
        In the order they came; for two systems differences :math:`d_i`, whose range is minus the
        width to plus the width of the range of the values.

    References
    ----------
    .. [1] Waudby-Smith & Ramdas (2024), JRSS B 86, 1-27, doi:10.1093/jrsssb/qkad009.

    Examples
    --------
    >>> values = np.random.default_rng(1).beta(8, 4, 100)
    >>> betting_evidence(values, bounds=(0, 1), against=0.5).decided
    True
    """
    return start_betting(bounds=bounds, against=against, alpha=alpha).extend(values)


def asymptotic_sequence(
    estimate: StudentEstimate, *, planned: int, alpha: float = 0.05, against: float = 0.0
) -> AsymptoticLook:
    r"""Asymptotic confidence sequence for a mean, a ratio or a difference without a range.

    In some settings it falls short: docs/reference/certificates.md has the worst found.

    With the pivot T of the estimate after t units the limits are those values with

    .. math:: |T|\le\sqrt{\frac{2(t\rho^2+1)}{t\rho^2}\ln\frac{\sqrt{t\rho^2+1}}{\alpha}},\qquad
              \rho^2=\frac{-2\ln\alpha+\ln(1-2\ln\alpha)}{n},

    narrowest near n = ``planned`` units [1]_. It is a limit law: the chance that the sequence ever
    misses tends to :math:`\alpha` as the first look is put off, so looks before 50 units are
    refused, and skewed values want many more. It depends on sums only, so places may be merged.

    Parameters
    ----------
    estimate : StudentEstimate
        Of :func:`~steelyard.uncertainty.estimate_mean`, ``estimate_ratio`` or a difference.
    planned : int
        Units at which the limits are to be narrowest; state it beforehand.

    References
    ----------
    .. [1] Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas (2024), Annals of Statistics 52,
       2613-2640, doi:10.1214/24-AOS2408.

    Examples
    --------
    >>> estimate = StudentEstimate(value=0.3, error=0.07, freedom=199, units=200)
    >>> look = asymptotic_sequence(estimate, planned=400)
    >>> round(look.low, 3), round(look.high, 3), round(look.p_value, 4)
    (0.084, 0.516, 0.0015)
    """
    check_share("alpha", alpha)
    if planned < FIRST:
        message = f"planned={planned!r}; the limit law wants {FIRST} units or more."
        raise RequestError(message)
    if estimate.units < FIRST:
        message = (
            f"{estimate.units} units: an asymptotic sequence is not looked at before {FIRST}. "
            "State the range that values cannot leave to look earlier."
        )
        raise CountsError(message, code="too-early")
    known = estimate.units * (-2 * log(alpha) + log(1 - 2 * log(alpha))) / planned
    reach = sqrt(2 * (known + 1) / known * (log(known + 1) / 2 - log(alpha)))
    pivot = estimate.statistic(against)
    grown = pivot * pivot * known / (2 * (known + 1)) - log(known + 1) / 2
    low, high = estimate.reach(reach)
    return AsymptoticLook(
        seen=estimate.units,
        value=estimate.value,
        low=low,
        high=high,
        evidence=_exp(grown),
        p_value=min(1.0, _exp(-grown)),
        alpha=alpha,
        against=against,
        planned=planned,
    )


def _exp(exponent: float) -> float:
    return exp(exponent) if exponent < 700 else inf

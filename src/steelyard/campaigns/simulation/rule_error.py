"""How often the rule of a campaign names a winner among equal systems, at the rates it has seen."""

from functools import lru_cache
from math import sqrt

import numpy as np
from scipy.special import ndtr, ndtri

from steelyard.campaigns.looks import Progress
from steelyard.campaigns.protocol import Protocol
from steelyard.campaigns.simulation.simulation import Behaviour, rule_behaviour, usual_campaigns

__all__ = ["error_at_rates_seen", "shared_correlation"]

ENOUGH = 300
"""Simulated campaigns behind a verdict: a standard error of 0.013 at 5 %, in about a second."""
STEPS = 100
"""Rates and shares are rounded to so many steps, so that one verdict is worked out once."""
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(41)


def error_at_rates_seen(progress: Progress) -> Behaviour | None:
    """Say what the rule does to equal systems that are right, and alike, as often as these were.

    None before the first item. Systems that differ are named wrongly less often than equal ones.
    """
    places = range(len(progress.protocol.systems))
    tested = [(progress.correct[p], progress.tested[p]) for p in places if progress.tested[p]]
    if not tested or not progress.n:
        return None
    # One right and one wrong answer more keep rates away from 0 and 1, where no rule ever ends.
    rate = (sum(right for right, _ in tested) + 1) / (sum(number for _, number in tested) + 2)
    rate = _rounded(rate)
    if progress.protocol.pairing != "common":
        return _equal(progress.protocol, rate, None)
    apart = _discordance(progress)
    most = 2 * min(rate, 1 - rate)
    return _equal(progress.protocol, rate, min(_rounded(apart), most))


def _rounded(share: float) -> float:
    return min(max(round(share * STEPS), 1), STEPS - 1) / STEPS


def _discordance(progress: Progress) -> float:
    """Mean share of the items that exactly one of two had right."""
    size = len(progress.protocol.systems)
    shares = [
        (progress.wins[a][b] + progress.wins[b][a] + 1)
        / (min(progress.tested[a], progress.tested[b]) + 2)
        for a in range(size)
        for b in range(a)
        if min(progress.tested[a], progress.tested[b])
    ]
    return sum(shares) / len(shares) if shares else 0.5


@lru_cache(maxsize=64)
def _equal(protocol: Protocol, rate: float, discordance: float | None) -> Behaviour:
    size = len(protocol.systems)
    campaigns = min(ENOUGH, usual_campaigns(protocol))
    rates = [rate] * size
    if discordance is None:
        return rule_behaviour(protocol, rates, seed=protocol.seed, campaigns=campaigns)
    if size == 2:
        return rule_behaviour(
            protocol, rates, seed=protocol.seed, campaigns=campaigns, discordance=discordance
        )
    alike = shared_correlation(rate, discordance)
    return rule_behaviour(
        protocol, rates, seed=protocol.seed, campaigns=campaigns, correlation=alike
    )


def shared_correlation(rate: float, discordance: float) -> float:
    r"""Find how alike items are hard for systems of one rate that differ on so many items.

    The correlation :math:`\rho` of normal variables behind the outcomes for which

    .. math:: \psi = 2\left(p - E\,\Phi\left(\frac{\Phi^{-1}(p) - \sqrt\rho Z}
              {\sqrt{1 - \rho}}\right)^2\right).

    Examples
    --------
    >>> round(shared_correlation(0.8, 0.32), 2), round(shared_correlation(0.5, 1 / 3), 2)
    (0.0, 0.5)
    """

    def apart(correlation: float) -> float:
        inside = ndtr((ndtri(rate) - sqrt(correlation) * NODES) / sqrt(1 - correlation))
        return 2 * (rate - float((inside**2 * WEIGHTS).sum() / WEIGHTS.sum()))

    low, high = 0.0, 0.95
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if apart(middle) > discordance else (low, middle)
    return low

"""Where the rates of compared systems lie: the densities behind a comparison, to be drawn."""

import numpy as np
from scipy.special import betaln

from steelyard.results import Comparison, Proportion
from steelyard.uncertainty.domain import beta_quantile

__all__ = ["posterior_densities"]

POINTS = 161
"""Enough for a smooth line on a picture."""
TAIL = 2e-4
"""A curve is drawn until it cannot be told from its axis."""

Density = tuple[tuple[float, ...], tuple[float, ...]]


def posterior_densities(comparison: Comparison) -> dict[str, Density]:
    r"""Trace the posterior density of each system's rate of right answers.

    A system with :math:`x` of :math:`n` right and the prior :math:`\mathrm{Beta}(a, b)` has the
    density :math:`\mathrm{Beta}(x + a, n - x + b)`; on common items this is the margin of the joint
    posterior. Areas and weighted rates have no such density and are left out.

    References
    ----------
    .. [1] Gelman et al. (2013), Bayesian Data Analysis, 3rd edition, section 2.4.

    Examples
    --------
    >>> import steelyard as sy
    >>> trials = sy.Trials(correct={"S": 190, "T": 194}, tested=200, pairing="independent")
    >>> found = posterior_densities(sy.compare(trials))
    >>> rates, heights = found["S"]
    >>> round(rates[heights.index(max(heights))], 2)
    0.95
    """
    priors = {name: (a, b) for name, a, b in comparison.priors}
    return {
        one.system: _density(one.rate, priors.get(one.system, (1.0, 1.0)))
        for one in comparison.systems
        if isinstance(one.rate, Proportion) and one.rate.trials
    }


def _density(rate: Proportion, prior: tuple[float, float]) -> Density:
    a = rate.successes + prior[0]
    b = rate.trials - rate.successes + prior[1]
    low, high = (beta_quantile(a, b, share) for share in (TAIL, 1 - TAIL))
    x = np.linspace(low, high, POINTS)
    with np.errstate(divide="ignore"):
        logs = (a - 1) * np.log(x) + (b - 1) * np.log1p(-x) - betaln(a, b)
    return tuple(x.tolist()), tuple(np.exp(logs).tolist())

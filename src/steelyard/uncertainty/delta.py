"""Intervals from first derivatives, on a scale where the limits stay within their range."""

from collections.abc import Sequence
from math import atanh, log, sqrt, tanh

import numpy as np
from numpy.typing import ArrayLike

from steelyard.uncertainty.domain import normal_quantile
from steelyard.uncertainty.special import expit

__all__ = [
    "NOTHING_VARIES",
    "delta_variance",
    "fisher_interval",
    "logit_interval",
    "mover_interval",
]

NOTHING_VARIES = 1e-24
"""What rounding leaves of a variance: a standard error of 1e-12 beside numbers of order one."""


def delta_variance(counts: ArrayLike, gradient: ArrayLike, *, effective: float) -> float:
    r"""Variance of a smooth function of multinomial shares, to first order.

    :math:`\left(\sum p_ig_i^2-\left(\sum p_ig_i\right)^2\right)/n` with :math:`g_i` the derivative
    of the function by the share of cell i [1]_.

    Parameters
    ----------
    counts : array_like
        Items (or weights) by cell; only their shares are used.
    gradient : array_like
        Derivative by the share of each cell; a constant added to all of them changes nothing.
    effective : float
        The number of items that the variance may count on.

    References
    ----------
    .. [1] Agresti (2013), Categorical Data Analysis, 3rd edition, Wiley, section 16.1.

    Examples
    --------
    >>> round(delta_variance([8, 2], [1, 0], effective=10), 6)
    0.016
    """
    cells = np.asarray(counts, dtype=np.float64)
    slopes = np.asarray(gradient, dtype=np.float64)
    shares = cells / cells.sum()
    centred = slopes - float((shares * slopes).sum())
    return max(0.0, float((shares * centred * centred).sum())) / effective


def logit_interval(
    value: float, standard_error: float, *, level: float = 0.95
) -> tuple[float, float]:
    r"""Interval for a number strictly inside (0, 1), symmetric on the scale of log odds.

    :math:`\operatorname{expit}\left(\operatorname{logit}\hat\theta\pm
    z\,\mathrm{SE}/(\hat\theta(1-\hat\theta))\right)`: the limits cannot leave (0, 1) [1]_.

    References
    ----------
    .. [1] Newcombe (2001), The American Statistician 55, 200-202, doi:10.1198/000313001317098167.

    Examples
    --------
    >>> low, high = logit_interval(0.8, 0.126)
    >>> round(low, 3), round(high, 3)
    (0.461, 0.949)
    """
    centre = log(value / (1 - value))
    half = normal_quantile(level) * standard_error / (value * (1 - value))
    return float(expit(centre - half)), float(expit(centre + half))


def fisher_interval(
    value: float, standard_error: float, *, level: float = 0.95
) -> tuple[float, float]:
    r"""Interval for a number strictly inside (-1, 1), symmetric on Fisher's scale.

    :math:`\tanh\left(\operatorname{artanh}\hat\theta\pm z\,\mathrm{SE}/(1-\hat\theta^2)\right)`
    [1]_.

    References
    ----------
    .. [1] Fisher (1915), Biometrika 10, 507-521, doi:10.1093/biomet/10.4.507.

    Examples
    --------
    >>> low, high = fisher_interval(0.7, 0.1)
    >>> round(low, 3), round(high, 3)
    (0.449, 0.849)
    """
    half = normal_quantile(level) * standard_error / (1 - value * value)
    return tanh(atanh(value) - half), tanh(atanh(value) + half)


def mover_interval(
    parts: Sequence[tuple[float, float, float]], weights: Sequence[float]
) -> tuple[float, float]:
    r"""Interval for a weighted sum of independent estimates, from the limits of each.

    :math:`L=\hat\theta-\sqrt{\sum w_i^2(\hat\theta_i-l_i)^2}` and likewise above; for a negative
    weight the two limits change places [1]_ ("method of variance estimates recovery").

    Parameters
    ----------
    parts : sequence of (value, low, high)
        Each estimate with its limits, all at the coverage wanted for the sum.
    weights : sequence of float
        One for each part.

    References
    ----------
    .. [1] Zou & Donner (2008), Statistics in Medicine 27, 1693-1702, doi:10.1002/sim.3095.

    Examples
    --------
    >>> low, high = mover_interval([(0.8, 0.49, 0.943), (0.6, 0.313, 0.832)], [1, -1])
    >>> round(low, 3), round(high, 3)
    (-0.187, 0.521)
    """
    sides = [
        (w, value, (low, high) if w >= 0 else (high, low))
        for w, (value, low, high) in zip(weights, parts, strict=True)
    ]
    centre = sum(w * value for w, value, _ in sides)
    below = sqrt(sum((w * (value - ends[0])) ** 2 for w, value, ends in sides))
    above = sqrt(sum((w * (ends[1] - value)) ** 2 for w, value, ends in sides))
    return centre - below, centre + above

"""An interval for the rate at which misses and false alarms are equally frequent."""

import numpy as np
from numpy.typing import NDArray

from steelyard.uncertainty.domain import normal_quantile

__all__ = ["equal_rate_interval"]

Floats = NDArray[np.float64]
BETWEEN = np.linspace(0.0, 1.0, 17)
"""Places looked at on a slanted piece of the curve, which items of equal scores make."""


def equal_rate_interval(
    misses: Floats, alarms: Floats, *, positives: float, negatives: float, level: float = 0.95
) -> tuple[float, float]:
    r"""Score interval of an equal error rate, whatever the threshold is that has it.

    If the rate is :math:`e`, there is a threshold at which a share :math:`e` of the positives is
    missed and a share :math:`e` of the negatives is a false alarm. It is not known which, so the
    one that fits best stands for it. The lower limit is the smallest :math:`e` with

    .. math:: \min_t\; m(x_t-e)_+^2+n(y_t-e)_+^2\le z^2e(1-e),

    where :math:`x_t` and :math:`y_t` are the shares missed and falsely called at the threshold
    :math:`t` among :math:`m` positives and :math:`n` negatives; the upper limit is the same, seen
    from 1. Two binomial shares and one free threshold leave one degree of freedom, as for
    empirical likelihood [1]_; the statistic is Wilson's [2]_, which keeps its level near 0.

    Parameters
    ----------
    misses, alarms : ndarray
        Both shares at every threshold, the highest first.
    positives, negatives : float
        Items of either class.
    level : float
        Coverage wanted, strictly between 0 and 1.

    Notes
    -----
    It never has width 0: classes that do not overlap leave rates up to :math:`z^2/(m+n+z^2)`.

    References
    ----------
    .. [1] Owen (1988), Biometrika 75, 237-249, doi:10.1093/biomet/75.2.237.
    .. [2] Wilson (1927), Journal of the American Statistical Association 22, 209-212,
       doi:10.1080/01621459.1927.10502953.

    Examples
    --------
    >>> low, high = equal_rate_interval(np.array([1.0, 0.5, 0.5, 0.0, 0.0]),
    ...     np.array([0.0, 0.0, 0.5, 0.5, 1.0]), positives=2, negatives=2)
    >>> round(low, 3), round(high, 3)
    (0.095, 0.85)
    """
    z = normal_quantile(level)
    missed, called = _walk(misses, alarms)
    low = _lowest(missed, called, (positives, negatives), z)
    return low, 1 - _lowest(1 - missed, 1 - called, (positives, negatives), z)


def _walk(misses: Floats, alarms: Floats) -> tuple[Floats, Floats]:
    """Add places on slanted pieces; upright and level ones are met at their corners."""
    slanted = np.flatnonzero((np.diff(misses) != 0) & (np.diff(alarms) != 0))
    added = [
        (one[slanted, None] + BETWEEN * (one[slanted + 1] - one[slanted])[:, None]).ravel()
        for one in (misses, alarms)
    ]
    return np.concatenate([misses, added[0]]), np.concatenate([alarms, added[1]])


def _lowest(missed: Floats, called: Floats, items: tuple[float, float], z: float) -> float:
    """Smallest rate that some threshold allows: a root of a quadratic for each of them."""
    m, n = items
    pooled = _root(m + n, m * missed + n * called, m * missed**2 + n * called**2, z)
    # A share below the rate is no excess; then the other one is judged alone, as Wilson does.
    larger, number = np.maximum(missed, called), np.where(missed > called, m, n)
    alone = _root(number, number * larger, number * larger**2, z)
    both = pooled <= np.minimum(missed, called)
    return float(np.where(both, pooled, alone).min())


def _root(items: float | Floats, sums: Floats, squares: Floats, z: float) -> Floats:
    """Lower root of (k + z²) e² - (2 Σ + z²) e + Q; infinite where there is none."""
    half = sums + z * z / 2
    inside = half * half - (items + z * z) * squares
    # Q over the larger root loses no digits when Q is small.
    root: Floats = np.where(inside >= 0, squares / (half + np.sqrt(np.maximum(inside, 0))), np.inf)
    return root

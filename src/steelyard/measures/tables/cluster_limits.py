"""Limits of any smooth measure of items in clusters, from what each cluster adds to it."""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from steelyard.measures.tables.formulas import Scale
from steelyard.results.estimates import Interval
from steelyard.uncertainty import cluster_freedom
from steelyard.uncertainty.special import stdtrit

__all__ = ["METHOD", "add_unseen", "add_variance", "linearise_limits", "never_narrower"]

Floats = NDArray[np.float64]
METHOD = "cluster-robust"
NOTHING = 1e-18
"""What rounding leaves of a variance of clusters, on the scale of the limits."""


def add_variance(added: Floats, sizes: Floats) -> float:
    r"""Variance of a measure from what each cluster adds to it, as the jackknife would have it.

    :math:`\frac{G-1}{G}\sum_g\left(\frac{e_g}{1-n_g/n}\right)^2`: a cluster that holds much of the
    items would move the measure by more than its slope says if it were left out. With clusters of
    one size it is :math:`\frac{G}{G-1}\sum e_g^2`.

    Examples
    --------
    >>> round(add_variance(np.array([1.0, -1.0, 0.5, -0.5]), np.ones(4)), 6)
    3.333333
    """
    moved = added / (1 - sizes / sizes.sum())
    return (added.size - 1) / added.size * float(moved @ moved)


def add_unseen(added: Floats, sizes: Floats) -> float:
    r"""Variance with one more cluster, unseen, that adds as much as the one that adds most.

    :math:`\frac{G-1}{G}\left(\sum_g m_g^2+\max_g m_g^2\right)` with :math:`m_g=e_g/(1-n_g/n)`.
    Where most mistakes sit in a few clusters, the next one like these is often missing: with 35
    clusters whose items go together and rates close to 1, limits without it cover 88 % instead of
    95 %.

    Examples
    --------
    >>> round(add_unseen(np.array([1.0, -1.0, 0.5, -0.5]), np.ones(4)), 6)
    4.666667
    """
    moved = added / (1 - sizes / sizes.sum())
    return (added.size - 1) / added.size * float(moved @ moved + (moved**2).max())


def linearise_limits(
    value: float, added: Floats, sizes: Floats, scale: Scale, level: float
) -> tuple[float, float, float] | None:
    """Give Student's limits on the scale and the standard error; None where nothing spreads.

    Clusters of size 0 are left out; at least two must be left. The limits allow for one cluster
    unseen (:func:`add_unseen`), the standard error does not.

    Examples
    --------
    >>> from steelyard.measures.tables.formulas import PLAIN
    >>> low, high, error = linearise_limits(
    ...     0.5, np.array([0.1, -0.1, 0.05, -0.05]), np.ones(4), PLAIN, 0.95)
    >>> round(error, 4), round(high, 3)
    (0.1826, 1.187)
    """
    held = sizes > 0
    added, sizes = added[held], sizes[held]
    # At its ends a scale may be infinite, and then it has no limits to give.
    with np.errstate(all="ignore"):
        centre, steep = float(scale.there(value)), float(scale.steep(np.float64(value)))
    if added.size < 2 or not (np.isfinite(centre) and np.isfinite(added).all()):
        return None
    variance = add_variance(added, sizes)
    if variance * steep * steep <= NOTHING:
        return None
    spread = sqrt(add_unseen(added, sizes)) * steep
    half = -float(stdtrit(cluster_freedom(sizes), (1 - level) / 2)) * spread
    low, high = (float(scale.back(centre + reach)) for reach in (-half, half))
    return low, high, sqrt(variance)


def never_narrower(ends: Interval, plain: Interval | None) -> Interval:
    """Reach at least as far as the interval of independent items: clusters never make surer.

    Examples
    --------
    >>> found = Interval(low=0.4, high=0.6, level=0.95, method="cluster-robust")
    >>> never_narrower(found, Interval(low=0.3, high=0.5, level=0.95, method="wilson")).low
    0.3
    """
    if plain is None:
        return ends
    return Interval(
        low=min(ends.low, plain.low),
        high=max(ends.high, plain.high),
        level=ends.level,
        method=ends.method,
    )

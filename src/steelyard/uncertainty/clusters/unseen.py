"""A difference over clusters that allows for one cluster which was not seen."""

from math import erfc, exp, pi, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steelyard.uncertainty.clusters.means import check_clusters
from steelyard.uncertainty.domain import normal_quantile
from steelyard.uncertainty.roots import crossing

__all__ = ["unseen_cluster_interval"]

Floats = NDArray[np.float64]


def unseen_cluster_interval(
    leads: ArrayLike, sizes: ArrayLike, *, level: float = 0.95
) -> tuple[float, float]:
    r"""Interval of a difference of two rates, with one more cluster in which all items disagree.

    Clusters get independent standard exponential weights :math:`E_g`. To the lower limit one more
    is added that is as large as the largest, :math:`h`, and in which the second system alone has
    every item right; the limit is the value t with

    .. math:: P\Big(\sum_g E_g(d_g-t\,n_g)-E_0\,h\,(1+t)\le0\Big)=\frac{1-\mathrm{level}}2 ,

    the upper limit its mirror image. It is Gaffke's bound for a mean of numbers from -1 to 1
    [1]_, of clusters of one item that of
    :func:`~steelyard.uncertainty.guarded_paired_interval`. Clusters that were not seen need not be
    like those that were, as :func:`~steelyard.uncertainty.cluster_contrast` has it. The price: with
    G clusters at least :math:`1-\alpha^{1/G}` to either side,
    :math:`\alpha=(1-\mathrm{level})/2`.

    Parameters
    ----------
    leads, sizes : array_like
        :math:`d_g`, the items that only the first had right less those that only the second had,
        and :math:`n_g`, all items of each cluster; or their weights.

    Notes
    -----
    The probability is Lugannani and Rice's [2]_, off by about one part in a hundred.

    References
    ----------
    .. [1] Learned-Miller & Thomas (2019), doi:10.48550/arXiv.1905.06208.
    .. [2] Lugannani & Rice (1980), Advances in Applied Probability 12, 475-490,
       doi:10.2307/1426607.

    Examples
    --------
    >>> low, high = unseen_cluster_interval([6, 5, 7, 5, 6], [20] * 5)
    >>> round(low, 2), round(high, 2)
    (-0.39, 0.66)
    """
    normal_quantile(level)
    gaps, held = (np.asarray(one, dtype=np.float64) for one in (leads, sizes))
    gaps, held = gaps[held > 0], held[held > 0]
    check_clusters(held)
    alpha = (1 - level) / 2
    return _lowest(gaps, held, alpha), -_lowest(-gaps, held, alpha)


def _lowest(gaps: Floats, held: Floats, alpha: float) -> float:
    rows, times = np.unique(np.stack([gaps, held]), axis=1, return_counts=True)
    farthest = float(held.max())

    def beyond(value: float) -> float:
        terms = np.append(rows[0] - value * rows[1], -farthest * (1 + value))
        return _below_zero(terms, np.append(times, 1)) - alpha

    return crossing(beyond, -1.0, float(gaps.sum() / held.sum()))


def _below_zero(terms: Floats, times: NDArray[np.int64]) -> float:
    """Give the chance that a sum of exponentials with these factors is below 0."""
    most, least = float(terms.max()), float(terms.min())
    if most <= 0 or least >= 0:
        return float(most <= 0)

    def slope(place: float) -> float:
        return float((times * terms / (1 - terms * place)).sum())

    # The cumulants exist between the poles; their slope rises there from -inf to inf.
    saddle = crossing(slope, (1 - 1e-12) / least, (1 - 1e-12) / most)
    left = 1 - terms * saddle
    second = float((times * (terms / left) ** 2).sum())
    root = sqrt(max(0.0, 2 * float((times * np.log(left)).sum())))
    # Near the mean the two terms of the formula go to infinity against one another: here
    # their limit.
    if root < 1e-4:
        third = 2 * float((times * (terms / left) ** 3).sum())
        return 0.5 + third / (6 * sqrt(2 * pi) * second * sqrt(second))
    root = root if saddle > 0 else -root
    lean = 1 / root - 1 / (saddle * sqrt(second))
    below: float = erfc(-root / sqrt(2)) / 2 + exp(-root * root / 2) / sqrt(2 * pi) * lean
    return below

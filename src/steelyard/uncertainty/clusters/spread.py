"""How clusters spread: the jackknife, its degrees of freedom, and what it says of single items."""

from math import fsum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steelyard.errors import CountsError

__all__ = [
    "HALVES",
    "check_clusters",
    "cluster_freedom",
    "design_effect",
    "equal_clusters",
    "jackknife_variance",
    "rarity",
]

Floats = NDArray[np.float64]
NOTHING = 1e-12
"""A variance of a single item below this is rounding."""
HALVES = 1.25
"""Discordant items added to those seen, in the variance: the fewest, in quarters, with which the
test is never surer than the mid-p McNemar test or the paired posterior of the same items."""


def jackknife_variance(totals: ArrayLike, sizes: ArrayLike) -> float:
    r"""Variance of a ratio of totals over clusters, each cluster left out in turn.

    :math:`\frac{G-1}{G}\sum_g\left(\frac{y_g-\hat r n_g}{n(1-n_g/n)}\right)^2` with
    :math:`\hat r=\sum y_g/n`.

    References
    ----------
    .. [1] MacKinnon, Nielsen & Webb (2023), Journal of Applied Econometrics 38, 671-694,
       doi:10.1002/jae.2969.

    Examples
    --------
    >>> round(jackknife_variance([9, 5, 10, 7], [10, 10, 10, 10]), 6)
    0.012292
    """
    added, held = np.asarray(totals, dtype=np.float64), np.asarray(sizes, dtype=np.float64)
    whole = float(held.sum())
    apart = (added - added.sum() / whole * held) / (whole - held)
    # Exact sum: the order in which clusters are named must not change a digit.
    return (held.size - 1) / held.size * fsum((apart * apart).tolist())


def cluster_freedom(sizes: ArrayLike) -> float:
    r"""Degrees of freedom of the jackknife variance, from the sizes of the clusters alone.

    Satterthwaite's :math:`(\mathrm{tr}\,B)^2/\mathrm{tr}\,B^2` of the quadratic form that the
    variance is, as Bell and McCaffrey have it [1]_, once for independent items and once for items
    that always go together inside a cluster; the smaller one, between 1 and G - 1.

    Parameters
    ----------
    sizes : array_like
        Items of each cluster, two clusters or more, all above 0.

    References
    ----------
    .. [1] Bell & McCaffrey (2002), Survey Methodology 28, 169-181.
    .. [2] Imbens & Kolesar (2016), Review of Economics and Statistics 98, 701-712,
       doi:10.1162/REST_a_00552.

    Examples
    --------
    >>> round(cluster_freedom([20] * 6), 9), round(cluster_freedom([100, 5, 5, 5, 5, 5]), 2)
    (5.0, 1.02)
    """
    held = np.sort(np.asarray(sizes, dtype=np.float64))
    check_clusters(held)
    # Beside one cluster that holds nearly everything, 1 - share would lose its digits.
    others = held.sum() - held
    others[-1] = held[:-1].sum()
    found = min(_satterthwaite(held / others, spread) for spread in (held, held * held))
    return float(min(max(found, 1.0), held.size - 1))


def equal_clusters(sizes: Floats) -> float:
    """Clusters of equal size that would tell as much if their items always went together."""
    return float(sizes.sum() ** 2 / (sizes @ sizes))


def design_effect(
    *, seen: float, added: float, each: float, items: float, clusters: float, telling: float
) -> float:
    """Divide the variance over clusters by that of independent items, ``each`` for one item.

    What is ``added`` to the variance ``seen`` never leads beyond one item a cluster, with its own
    uncertainty. Where items do not vary at all, each cluster counts as one.
    """
    apart = items / clusters
    if each <= NOTHING:
        return apart
    wider = min((seen + added) * items / each, apart * (1 + HALVES / max(1, telling)))
    return max(seen * items / each, wider)


def rarity(reach: float, squares: float, clusters: float) -> float:
    """Say how far what was seen came from few clusters, beyond what few items explain."""
    if reach <= 0 or squares <= 0:
        return 1.0
    telling = reach * reach / squares
    return min(1.0, max(0.0, 1 - telling * (1 / reach + 1 / clusters) + 1 / reach))


def check_clusters(sizes: Floats) -> None:
    """Refuse fewer than two clusters."""
    if sizes.size < 2:
        message = (
            f"{sizes.size} cluster with items: one cluster does not show how clusters vary. Pass 2 "
            "or more, or leave the clusters out."
        )
        raise CountsError(message, code="too-few-clusters")


def _satterthwaite(odds: Floats, spread: Floats) -> float:
    """Square of the trace over the trace of the square, without a matrix of clusters by clusters.

    Entries are :math:`S u_g u_k - u_g v_k - u_k v_g` off the diagonal, with u the odds of a
    cluster's share and :math:`v = s(1 + u)` for totals that vary by s, S in all. The largest
    cluster, the last, is kept apart: with it differences of huge numbers would be left.
    """
    scale = spread[-1]
    vary = spread / scale
    rest = vary.sum() - vary
    rest[-1] = vary[:-1].sum()
    diagonal = vary + odds * odds * rest
    u, v, total = odds[:-1], (vary * (1 + odds))[:-1], float(vary.sum())
    beside = -odds[-1] * vary[:-1] - u * vary[-1] + odds[-1] * u * (rest[-1] - vary[:-1])
    gram = np.array([[u @ u, u @ v], [u @ v, v @ v]])
    centred = np.array([[total, -1.0], [-1.0, 0.0]]) @ gram
    own = total * u * u - 2 * u * v
    among = max(0.0, float(np.trace(centred @ centred) - own @ own))
    once = float(diagonal.sum())
    return once * once / float(diagonal @ diagonal + 2 * beside @ beside + among)

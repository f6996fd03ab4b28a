"""Intervals when items come in clusters that are alike inside."""

from collections.abc import Iterator, Sequence
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steelyard.counts import Confusion, Grouped
from steelyard.errors import CountsError
from steelyard.uncertainty.delta import NOTHING_VARIES
from steelyard.uncertainty.domain import normal_quantile
from steelyard.uncertainty.shares.proportion import wilson_interval_effective
from steelyard.uncertainty.special import stdtrit

__all__ = [
    "FEW_CLUSTERS",
    "cluster_resamples",
    "cluster_robust_interval",
    "cluster_variance",
    "percentile_interval",
]

FEW_CLUSTERS = 20
"""Below this many clusters Student's t alone does not keep the stated coverage of every measure."""


def cluster_variance(totals: ArrayLike) -> float:
    r"""Variance of a sum over independent clusters, from what each cluster adds to it.

    :math:`\frac{G}{G-1}\sum_g(e_g-\bar e)^2` with :math:`e_g` the total of cluster g [1]_.

    References
    ----------
    .. [1] Cochran (1977), Sampling Techniques, 3rd edition, Wiley, section 6.3.

    Examples
    --------
    >>> round(cluster_variance([1.0, -1.0, 0.5, -0.5]), 6)
    3.333333
    """
    added = np.asarray(totals, dtype=np.float64)
    if added.size < 2:
        message = (
            f"{added.size} cluster: one cluster does not show how clusters vary. Pass 2 or more."
        )
        raise CountsError(message, code="too-few-clusters")
    centred = added - added.mean()
    return float(added.size / (added.size - 1) * (centred * centred).sum())


def cluster_robust_interval(
    successes: Sequence[float], trials: Sequence[float], *, level: float = 0.95
) -> tuple[float, float]:
    r"""Interval for a share of items that come in clusters.

    The share :math:`\hat p=\sum y_g/\sum m_g` is a ratio; its linearised variance is
    :math:`\frac{G}{G-1}\sum_g(y_g-\hat pm_g)^2/M^2` over G clusters, and Student's t with
    :math:`G-1` degrees of freedom is used, cut to the range from 0 to 1 [1]_.

    Parameters
    ----------
    successes, trials : sequence of float
        What succeeded and what was tried in each cluster; two clusters or more with trials.
    level : float
        Coverage wanted, strictly between 0 and 1.

    Notes
    -----
    When all clusters have the same share the variance is 0 and says nothing; then Wilson's limits
    are used with every cluster counted as one item. With fewer than about 10 clusters the interval
    is too short even with t.

    References
    ----------
    .. [1] Cochran (1977), Sampling Techniques, 3rd edition, Wiley, sections 6.3 and 9A.6.

    Examples
    --------
    >>> low, high = cluster_robust_interval([9, 5, 10, 7], [10, 10, 10, 10])
    >>> round(low, 3), round(high, 3)
    (0.422, 1.0)
    """
    normal_quantile(level)
    won, tried = _check(successes, trials)
    number = won.size
    size = float(tried.sum())
    share = float(won.sum()) / size
    variance = cluster_variance((won - share * tried) / size)
    if variance <= NOTHING_VARIES:
        return wilson_interval_effective(min(1.0, max(0.0, share)), float(number), level=level)
    half = -float(stdtrit(number - 1, (1 - level) / 2)) * sqrt(variance)
    return max(0.0, share - half), min(1.0, share + half)


def cluster_resamples(
    grouped: Grouped[Confusion], *, rng: np.random.Generator, repetitions: int
) -> Iterator[Confusion]:
    """Draw whole clusters with replacement and add their tables up, again and again.

    Parameters
    ----------
    grouped : Grouped of Confusion
        One table for each cluster.
    rng : numpy.random.Generator
        Source of randomness.
    repetitions : int
        How many resampled tables to give.

    References
    ----------
    .. [1] Davison & Hinkley (1997), Bootstrap Methods and their Application, Cambridge, section
       3.8, doi:10.1017/CBO9780511802843.

    Examples
    --------
    >>> parts = {str(g): Confusion.from_matrix([[8, 2], [1, 9]]) for g in range(5)}
    >>> rng = np.random.default_rng(1)
    >>> [t.total for t in cluster_resamples(Grouped.from_parts("c", parts), rng=rng, repetitions=2)]
    [100, 100]
    """
    if len(grouped) < 2:
        message = f"{len(grouped)} cluster: resampling needs 2 or more."
        raise CountsError(message, code="too-few-clusters")
    pairs = sorted({(t, c) for _, part in grouped for t, c, _ in part.cells})
    classes = grouped.merged().classes
    place = {pair: at for at, pair in enumerate(pairs)}
    cells = np.zeros((len(grouped), len(pairs)), dtype=np.int64)
    for row, (_, part) in enumerate(grouped):
        for truth, called, rows in part.cells:
            cells[row, place[truth, called]] = rows
    even = np.full(len(grouped), 1 / len(grouped))
    for _ in range(repetitions):
        summed = rng.multinomial(len(grouped), even) @ cells
        yield Confusion.from_cells(dict(zip(pairs, summed.tolist(), strict=True)), classes=classes)


def percentile_interval(values: ArrayLike, *, level: float = 0.95) -> tuple[float, float]:
    """Give the middle ``level`` of resampled values.

    References
    ----------
    .. [1] Efron & Tibshirani (1993), An Introduction to the Bootstrap, Chapman & Hall, chapter 13,
       doi:10.1201/9780429246593.

    Examples
    --------
    >>> percentile_interval([1.0, 2.0, 3.0, 4.0, 5.0], level=0.5)
    (2.0, 4.0)
    """
    normal_quantile(level)
    low, high = np.quantile(
        np.asarray(values, dtype=np.float64), [(1 - level) / 2, (1 + level) / 2]
    )
    return float(low), float(high)


def _check(
    successes: Sequence[float], trials: Sequence[float]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    won, tried = np.asarray(successes, np.float64), np.asarray(trials, np.float64)
    if won.shape != tried.shape or (won < 0).any() or (won > tried).any():
        message = "Each cluster needs its successes and its trials, 0 <= successes <= trials."
        raise CountsError(message, code="successes-exceed-trials")
    held = tried > 0
    if held.sum() < 2:
        message = (
            f"{int(held.sum())} cluster with trials: one cluster does not show how clusters vary. "
            "Pass 2 or more, or leave the clusters out."
        )
        raise CountsError(message, code="too-few-clusters")
    return won[held], tried[held]

"""Quantiles such as the median or the 95th percentile of latency, by order statistics."""

from dataclasses import dataclass
from math import ceil, floor, log, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr, bdtrc, stdtrit

from steelyard.counts.row_names import refuse_other_rows
from steelyard.errors import CountsError, check_share, counted
from steelyard.uncertainty.clusters.means import cluster_freedom
from steelyard.uncertainty.domain import normal_quantile
from steelyard.uncertainty.values.student import finite_column, merge_values

__all__ = [
    "QuantileInterval",
    "cluster_quantile_interval",
    "items_for_quantile",
    "quantile_interval",
]

CLOSE = 1e-9
"""A rank that is whole but for rounding is whole: 0.95 times 20 is 19."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantileInterval:
    """A sample quantile and the items around it that bound the true one.

    ``low`` or ``high`` is None where no item lies far enough out. Ranks count from 1; 0 and n + 1
    stand for no item. ``coverage`` is the exact chance of the interval for values without ties.
    """

    share: float
    items: int
    value: float
    low: float | None
    high: float | None
    low_rank: int
    high_rank: int
    coverage: float


def quantile_interval(
    values: ArrayLike,
    counts: ArrayLike | None = None,
    *,
    share: float = 0.5,
    level: float = 0.95,
    one_sided: bool = False,
) -> QuantileInterval:
    r"""Exact interval for a quantile of any distribution.

    The number of values at or below the true quantile is binomial(n, q), so the item of rank l is
    above it with probability :math:`P(B\le l-1)`, that of rank u below it with
    :math:`P(B\ge u)`; the closest ranks with at most :math:`\alpha/2` each are taken [1]_.

    Parameters
    ----------
    values, counts : array_like
        Values in any order, and how often each occurred; once if counts are left out.
    share : float
        Which quantile: 0.5 is the median, 0.95 the 95th percentile.
    level : float
        Coverage wanted.
    one_sided : bool
        Each limit for itself has the coverage ``level``, not both together.

    Notes
    -----
    The estimate is the smallest value with at least that share of the values at or below it. With
    ties the interval covers more often than it says. Items in clusters are no independent values:
    they have :func:`cluster_quantile_interval`.
    A two-sided 95 % limit above the 95th percentile needs 72 items, a one-sided one 59.

    References
    ----------
    .. [1] David & Nagaraja (2003), Order Statistics, 3rd edition, Wiley, section 7.1,
       doi:10.1002/0471722162.

    Examples
    --------
    >>> found = quantile_interval(range(1, 51))
    >>> found.value, found.low, found.high, round(found.coverage, 4)
    (25.0, 18.0, 33.0, 0.9672)
    >>> quantile_interval(range(1, 51), share=0.95).high is None
    True
    """
    column, often = merge_values(values, counts)
    n = int(often.sum())
    if n == 0:
        message = "0 items have no quantile. Give at least 1."
        raise CountsError(message, code="no-items")
    tail = check_quantile(share, level, one_sided=one_sided)
    low, high = quantile_ranks(n, share, tail)
    upto = np.cumsum(often)

    def item(rank: int) -> float:
        return float(column[int(np.searchsorted(upto, rank))])

    least = float(bdtr(low - 1, n, share)) if low else 0.0
    most = float(bdtrc(high - 1, n, share)) if high <= n else 0.0
    return QuantileInterval(
        share=share,
        items=n,
        value=item(quantile_rank(n, share)),
        low=item(low) if low >= 1 else None,
        high=item(high) if high <= n else None,
        low_rank=low,
        high_rank=high,
        coverage=1 - least - most,
    )


def cluster_quantile_interval(
    values: ArrayLike,
    clusters: ArrayLike,
    *,
    share: float = 0.5,
    level: float = 0.95,
    one_sided: bool = False,
) -> QuantileInterval:
    r"""Interval for a quantile of items that come in clusters.

    The quantile q lies below x exactly when more than its share of all items does. With
    :math:`A_g(x)` of the :math:`n_g` items of cluster g at or below x, the sums
    :math:`A_g(x)-q\,n_g` of independent clusters are tested against 0 by Student's t, and the
    limits are the outermost values that are not rejected [1]_. Each limit allows for one more
    cluster of average size that lies wholly beyond it: clusters that agree show nothing of those
    that do not.

    Parameters
    ----------
    values, clusters : array_like
        The value of each item, and the cluster it belongs to.
    share, level, one_sided
        As for :func:`quantile_interval`.

    Notes
    -----
    Never narrower than :func:`quantile_interval`. Ranks are those of the items at the limits.
    Clusters that are very uneven leave fewer degrees of freedom than their number
    (:func:`~steelyard.uncertainty.cluster_freedom`). ``coverage`` is the one asked for.

    References
    ----------
    .. [1] Woodruff (1952), JASA 47, 635-646, doi:10.1080/01621459.1952.10483443.

    Examples
    --------
    >>> values = [float(10 * g + k) for k in range(4) for g in range(30)]
    >>> found = cluster_quantile_interval(values, list(range(30)) * 4)
    >>> found.value, found.low, found.high
    (143.0, 90.0, 203.0)
    """
    refuse_other_rows({"values": values, "clusters": clusters})
    column = finite_column(values, "values")
    _, codes = np.unique(np.asarray(clusters), return_inverse=True)
    tail = check_quantile(share, level, one_sided=one_sided)
    groups = int(codes.max()) + 1 if codes.size else 0
    if codes.shape != column.shape or groups < 2:
        message = f"{counted(groups, 'cluster')} for {counted(column.size, 'value')}: give two."
        raise CountsError(message, code="one-cluster")
    plain = quantile_interval(column, share=share, level=level, one_sided=one_sided)
    sizes = np.bincount(codes).astype(np.float64)
    critical = float(stdtrit(max(1.0, min(groups - 1.0, cluster_freedom(sizes))), 1 - tail))
    order = np.argsort(column, kind="stable")
    ends = np.flatnonzero(np.append(np.diff(column[order]) > 0, np.True_))
    below = _cluster_statistics(codes[order], sizes, share, ends, beyond=1.0)
    above = _cluster_statistics(codes[order], sizes, share, ends, beyond=0.0)
    first, last = np.flatnonzero(below > -critical), np.flatnonzero(above >= critical)
    low_rank = min(plain.low_rank, int(ends[first[0] - 1]) + 2 if first.size and first[0] else 0)
    high_rank = max(plain.high_rank, int(ends[last[0]]) + 1 if last.size else column.size + 1)
    return QuantileInterval(
        share=share,
        items=column.size,
        value=plain.value,
        low=float(column[order[low_rank - 1]]) if low_rank else None,
        high=float(column[order[high_rank - 1]]) if high_rank <= column.size else None,
        low_rank=low_rank,
        high_rank=high_rank,
        coverage=level,
    )


def _cluster_statistics(
    codes: NDArray[np.int64],
    sizes: NDArray[np.float64],
    share: float,
    ends: NDArray[np.int64],
    *,
    beyond: float,
) -> NDArray[np.float64]:
    """Test the share at or below each value, with one more cluster of which ``beyond`` is.

    Sums of squares are carried from item to item, for all values in one pass: an item that comes
    below adds 1 to the sum of its cluster, so that its square grows by twice what it was, and 1.
    """
    units = sizes.size + 1
    each = sizes.mean()
    more = (beyond - share) * each
    place = np.empty(codes.size)
    grouped = np.argsort(codes, kind="stable")
    start = np.concatenate(([0.0], np.cumsum(sizes)[:-1]))
    place[grouped] = np.arange(codes.size) - np.repeat(start, sizes.astype(np.int64))
    before = place - share * sizes[codes]
    squares = share**2 * (sizes @ sizes) + np.cumsum(2 * before + 1) + more**2
    total = np.arange(1, codes.size + 1) - share * codes.size + more
    spread = squares[ends] - total[ends] ** 2 / units
    error = np.sqrt(np.maximum(spread, 0) * units / (units - 1))
    # Where clusters do not vary the statistic is x/0; `sure` says below which way it points.
    with np.errstate(divide="ignore", invalid="ignore"):
        found = total[ends] / error
    sure = np.where(total[ends] == 0, 0.0, np.copysign(np.inf, total[ends]))
    return np.where(error > 0, found, sure)


def quantile_rank(n: int, share: float) -> int:
    """Rank of the smallest of n values that has at least this share at or below it."""
    return min(n, max(1, ceil(n * share * (1 - CLOSE))))


def quantile_ranks(n: int, share: float, tail: float) -> tuple[int, int]:
    """Ranks whose items lie beyond the quantile with at most ``tail`` each; 0, n + 1 are none."""
    # Ranks further than this from the quantile have no chance that a tail could notice.
    reach = (8 + sqrt(-2 * log(tail))) * sqrt(n * share * (1 - share)) + 40
    first, last = max(0, floor(n * share - reach)), min(n, ceil(n * share + reach))
    ranks = np.arange(first, last + 1.0)
    # P(B <= l - 1) <= tail, and P(B >= u) <= tail seen from above: small tails keep their digits.
    low = first + int(np.count_nonzero(bdtr(ranks, n, share) <= tail))
    high = last + 1 - int(np.count_nonzero(bdtrc(ranks, n, share) <= tail)) + 1
    return low, high


def items_for_quantile(share: float, *, level: float = 0.95, one_sided: bool = False) -> int:
    """Smallest number of items with which both limits (one-sided: the outer one) exist.

    Examples
    --------
    >>> items_for_quantile(0.95), items_for_quantile(0.95, one_sided=True)
    (72, 59)
    """
    tail = check_quantile(share, level, one_sided=one_sided)
    outer = max(share, 1 - share)
    # All n values lie on the near side with probability outer^n.
    return max(1, ceil(log(tail) / log(outer) - CLOSE))


def check_quantile(share: float, level: float, *, one_sided: bool) -> float:
    """Give the error rate of one limit, or refuse what is no quantile."""
    check_share("share", share)
    normal_quantile(level)
    return (1 - level) if one_sided else (1 - level) / 2


def too_few_for_quantile(n: int, share: float, level: float) -> CountsError:
    """Refuse a quantile that lies further out than the items do."""
    message = (
        f"{counted(n, 'item')} do not reach around the quantile {share:g}: limits with a coverage "
        f"of {level:g} need {items_for_quantile(share, level=level)}. Give more items, or ask for "
        "a quantile nearer to the median."
    )
    return CountsError(message, code="too-few-for-quantile")

"""Difference of a quantile of two systems on common items, by order statistics of both."""

from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steelyard.counts.row_names import refuse_other_rows
from steelyard.errors import CountsError
from steelyard.uncertainty.values.quantiles import (
    check_quantile,
    quantile_rank,
    quantile_ranks,
    too_few_for_quantile,
)
from steelyard.uncertainty.values.student import Floats, finite_column

__all__ = ["QuantileDifference", "quantile_difference"]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantileDifference:
    """Quantile of the first minus that of the second, with limits from drawn order statistics.

    ``p_value`` is twice the smaller share of drawn differences on the other side of 0, those on
    it counting to both sides, with one added to hits and draws.
    """

    share: float
    items: int
    first: float
    second: float
    difference: float
    low: float
    high: float
    p_value: float
    level: float
    repetitions: int


def quantile_difference(
    first: ArrayLike,
    second: ArrayLike,
    *,
    share: float = 0.5,
    rng: np.random.Generator,
    level: float = 0.95,
    repetitions: int = 5_000,
) -> QuantileDifference:
    r"""Difference of two quantiles on common items, by the order statistics of both.

    The numbers of values at or below the true quantiles are binomial(n, q) for each system [1]_,
    and depend on one another by the share of items that lie below the one quantile and not below
    the other. Both numbers are drawn together; each puts its quantile into the gap between two
    neighbouring values, of which either end is taken by chance. The middle ``level`` of the
    differences is given. Of one system alone this is the interval of order statistics.

    Parameters
    ----------
    first, second : array_like
        Values of the two systems on the same items, in the same order.
    share : float
        Which quantile: 0.95 is the 95th percentile.

    Notes
    -----
    The share that parts both quantiles is estimated as (k + 1)/(n + 2), so that a few items which
    agree do not show that all do: for closely correlated systems and few items limits are wide.
    Where the order statistics of a single quantile do not reach around it, it is refused.
    The quantile of the differences is another quantity.

    References
    ----------
    .. [1] David & Nagaraja (2003), Order Statistics, 3rd edition, Wiley, section 7.1,
       doi:10.1002/0471722162.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> slow = rng.gamma(2, 50, 300)
    >>> found = quantile_difference(slow, slow * 0.8, share=0.95, rng=rng)
    >>> found.low < found.difference < found.high, found.low > 0
    (True, True)
    """
    refuse_other_rows({"first": first, "second": second})
    one, two = finite_column(first, "first"), finite_column(second, "second")
    if one.size != two.size:
        message = f"{one.size} values of the first and {two.size} of the second on common items."
        raise CountsError(message, code="value-shape")
    n = one.size
    tail = check_quantile(share, level, one_sided=False)
    low, high = quantile_ranks(n, share, tail) if n else (0, 1)
    if low < 1 or high > n:
        raise too_few_for_quantile(n, share, level)
    rank = quantile_rank(n, share)
    gaps = _draw_gaps((one, two), share, rank, rng=rng, repetitions=repetitions)
    # Where both quantiles lie beyond the items, the difference may be anything.
    least, most = (np.sort(np.where(np.isnan(gaps), end, gaps)) for end in (-np.inf, np.inf))
    out = ceil(tail * repetitions)
    ends = float(least[out - 1]), float(most[repetitions - out])
    if not np.isfinite(ends).all():
        raise too_few_for_quantile(n, share, level)
    beyond = 1 + min(np.count_nonzero(~(gaps > 0)), np.count_nonzero(~(gaps < 0)))
    values = [float(np.partition(column, rank - 1)[rank - 1]) for column in (one, two)]
    return QuantileDifference(
        share=share,
        items=n,
        first=values[0],
        second=values[1],
        difference=values[0] - values[1],
        low=ends[0],
        high=ends[1],
        p_value=min(1.0, 2 * int(beyond) / (repetitions + 1)),
        level=level,
        repetitions=repetitions,
    )


def _draw_gaps(
    columns: tuple[Floats, Floats],
    share: float,
    rank: int,
    *,
    rng: np.random.Generator,
    repetitions: int,
) -> Floats:
    """Draw how many items lie below each true quantile, and take the values that stand there."""
    n = columns[0].size
    below = [_lowest_items(column, rank, rng) for column in columns]
    parted = (int(np.count_nonzero(below[0] & ~below[1])) + 1) / (n + 2)
    parted = min(parted, share, 1 - share)
    chances = [share - parted, parted, parted, max(0.0, 1 - share - parted)]
    both, *alone, _ = rng.multinomial(n, chances, size=repetitions).T
    ends = [
        _values_at(column, both + own + rng.integers(0, 2, repetitions))
        for column, own in zip(columns, alone, strict=True)
    ]
    with np.errstate(invalid="ignore"):
        return ends[0] - ends[1]


def _lowest_items(column: Floats, rank: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Mark so many items with the lowest values; of equal ones chance decides."""
    value = np.partition(column, rank - 1)[rank - 1]
    lowest = np.asarray(column < value)
    equal = np.flatnonzero(column == value)
    lowest[rng.permutation(equal)[: rank - int(np.count_nonzero(lowest))]] = True
    return lowest


def _values_at(column: Floats, ranks: NDArray[np.int64]) -> Floats:
    """Give the values of these ranks, counted from 1; beyond the items they are infinite."""
    n = column.size
    first, last = max(1, int(ranks.min())), min(n, int(ranks.max()))
    held = np.sort(np.partition(column, [first - 1, last - 1])[first - 1 : last])
    found = held[np.clip(ranks, first, last) - first]
    return np.where(ranks < 1, -np.inf, np.where(ranks > n, np.inf, found))

"""Difference of a quantile of two systems on common items, by resampling the items."""

from dataclasses import dataclass
from math import ceil, sqrt

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

BLOCK = 1 << 22
"""Random numbers held at a time."""
REACH = 8
"""Resampled ranks further out than so many standard deviations do not come up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantileDifference:
    """Quantile of the first minus that of the second, with limits from resampled items.

    ``p_value`` is twice the smaller share of resampled differences on the other side of 0, those
    on it counting to both sides, with one added to hits and draws.
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
    r"""Difference of two quantiles on common items, by the paired bootstrap.

    Items are drawn with replacement, both values together, and the middle ``level`` of the
    differences of quantiles is given [1]_. Of many items only those whose value may become the
    quantile are drawn one by one, the others by the number that falls on each side of both
    quantiles; the distribution is the same.

    Parameters
    ----------
    first, second : array_like
        Values of the two systems on the same items, in the same order.
    share : float
        Which quantile: 0.95 is the 95th percentile.

    Notes
    -----
    A resampled quantile is one of the values seen, so with few items, or far out, limits are too
    short; where the order statistics of a single quantile do not reach around it, it is refused.
    The quantile of the differences is another quantity.

    References
    ----------
    .. [1] Davison & Hinkley (1997), Bootstrap Methods and their Application, Cambridge, section
       2.6, doi:10.1017/CBO9780511802843.

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
    drawn = _differences([one, two], share, rank, rng, repetitions)
    ends = np.quantile(drawn, [tail, 1 - tail], method="inverted_cdf")
    beyond = 1 + min(np.count_nonzero(drawn <= 0), np.count_nonzero(drawn >= 0))
    values = [float(np.partition(column, rank - 1)[rank - 1]) for column in (one, two)]
    return QuantileDifference(
        share=share,
        items=n,
        first=values[0],
        second=values[1],
        difference=values[0] - values[1],
        low=float(ends[0]),
        high=float(ends[1]),
        p_value=min(1.0, 2 * beyond / (repetitions + 1)),
        level=level,
        repetitions=repetitions,
    )


def _differences(
    columns: list[Floats], share: float, rank: int, rng: np.random.Generator, repetitions: int
) -> Floats:
    """Resample: items near a quantile one by one, the rest by their sides of both quantiles."""
    n = columns[0].size
    reach = ceil(REACH * sqrt(n * share * (1 - share))) + 5
    places = [np.argsort(np.argsort(column, kind="stable")) for column in columns]
    # Every item lies below, near or above each quantile: -1, 0 or 1.
    sides = [
        np.where(place < rank - reach, -1, np.where(place >= rank + reach, 1, 0))
        for place in places
    ]
    near = np.flatnonzero((sides[0] == 0) | (sides[1] == 0))
    corners = [(one, two) for one in (-1, 1) for two in (-1, 1)]
    rest = [np.count_nonzero((sides[0] == one) & (sides[1] == two)) for one, two in corners]
    chances = np.append(np.full(near.size, 1 / n), np.array(rest) / n)
    block = max(1, BLOCK // chances.size)
    drawn = []
    for start in range(0, repetitions, block):
        counts = rng.multinomial(n, chances, size=min(block, repetitions - start))
        quantiles = [
            _resample_quantile(
                counts,
                rank,
                at=np.argsort(place[near]),
                values=np.sort(column[near]),
                below=[near.size + c for c, corner in enumerate(corners) if corner[k] < 0],
            )
            for k, (column, place) in enumerate(zip(columns, places, strict=True))
        ]
        drawn.append(quantiles[0] - quantiles[1])
    return np.concatenate(drawn)


def _resample_quantile(
    counts: NDArray[np.int64],
    rank: int,
    *,
    at: NDArray[np.int64],
    values: Floats,
    below: list[int],
) -> Floats:
    """Value that has the rank asked for in each resample, of ascending ``values`` drawn ``at``."""
    upto = counts[:, below].sum(axis=1)[:, None] + counts[:, at].cumsum(axis=1)
    return np.asarray(values[np.minimum((upto < rank).sum(axis=1), values.size - 1)])

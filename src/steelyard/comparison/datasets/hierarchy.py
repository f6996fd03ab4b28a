"""Paired differences of several groups of items, pooled as far as the groups agree."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import stdtr, stdtrit

from steelyard.counts import PairTable
from steelyard.errors import NotComparable
from steelyard.uncertainty.domain import normal_quantile

__all__ = ["PooledDifferences", "pool_differences"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledDifferences:
    """The mean difference over groups, how much groups differ, and each group pulled to the mean.

    ``between`` is the standard deviation of the true differences between groups; ``new_low`` and
    ``new_high`` are the limits for the difference in a group like these (None with two groups).
    """

    groups: int
    mean: float
    low: float
    high: float
    p_value: float
    between: float
    new_low: float | None
    new_high: float | None
    seen: tuple[float, ...]
    shrunken: tuple[float, ...]


def pool_differences(tables: Sequence[PairTable], *, level: float = 0.95) -> PooledDifferences:
    r"""Pool paired differences of groups that may truly differ (random effects).

    With :math:`d_g=(b_g-c_g)/n_g` and its variance :math:`s_g^2` (half an item added to each
    discordant cell, so that it is never 0), :math:`w_g=1/s_g^2` and
    :math:`Q=\sum w_g(d_g-\bar d)^2`,

    .. math:: \hat\tau^2=\max\left(0,\frac{Q-(G-1)}{\sum w_g-\sum w_g^2/\sum w_g}\right),\qquad
              \hat\mu=\frac{\sum w_g^*d_g}{\sum w_g^*},\quad w_g^*=\frac{1}{s_g^2+\hat\tau^2},

    with the interval of Hartung and Knapp [2]_. A group's shrunken difference is
    :math:`\hat\mu+\frac{\hat\tau^2}{\hat\tau^2+s_g^2}(d_g-\hat\mu)`.

    Notes
    -----
    The factor of Hartung and Knapp is not let fall below 1, so that groups that agree by chance
    give no absurdly short interval. With few groups :math:`\hat\tau` is poorly known.

    References
    ----------
    .. [1] DerSimonian & Laird (1986), Controlled Clinical Trials 7, 177-188,
       doi:10.1016/0197-2456(86)90046-2.
    .. [2] Hartung & Knapp (2001), Statistics in Medicine 20, 3875-3889, doi:10.1002/sim.1009.

    Examples
    --------
    >>> tables = [PairTable(both=60, first=12 + k, second=6, neither=20) for k in (0, 4, 9)]
    >>> found = pool_differences(tables)
    >>> round(found.mean, 4), round(found.between, 4)
    (0.0978, 0.0)
    """
    normal_quantile(level)
    filled = [table for table in tables if table.total]
    if len(filled) < 2:
        message = (
            f"{len(filled)} group with items: one group does not show how groups vary. Pass two or "
            "more."
        )
        raise NotComparable(message, code="one-group")
    gaps = np.array([(t.first - t.second) / t.total for t in filled])
    variances = np.array([_variance(table) for table in filled])
    between = _between(gaps, variances)
    weights = 1 / (variances + between)
    mean = float((weights * gaps).sum() / weights.sum())
    freedom = len(filled) - 1
    factor = max(1.0, _sum_squares(gaps, weights) / freedom)
    error = sqrt(factor / float(weights.sum()))
    reach = -float(stdtrit(freedom, (1 - level) / 2)) * error
    shrunken = mean + between / (between + variances) * (gaps - mean)
    spread = None
    if freedom > 1:
        spread = -float(stdtrit(freedom - 1, (1 - level) / 2)) * sqrt(between + error**2)
    return PooledDifferences(
        groups=len(filled),
        mean=mean,
        low=max(-1.0, mean - reach),
        high=min(1.0, mean + reach),
        p_value=2 * float(stdtr(freedom, -abs(mean) / error)),
        between=sqrt(between),
        new_low=None if spread is None else max(-1.0, mean - spread),
        new_high=None if spread is None else min(1.0, mean + spread),
        seen=tuple(gaps.tolist()),
        shrunken=tuple(shrunken.tolist()),
    )


def _variance(table: PairTable) -> float:
    first, second, total = table.first + 0.5, table.second + 0.5, table.total + 1.0
    return float((first + second - (first - second) ** 2 / total) / total**2)


def _sum_squares(
    gaps: "np.ndarray[tuple[int], np.dtype[np.float64]]",
    weights: "np.ndarray[tuple[int], np.dtype[np.float64]]",
) -> float:
    """Weighted squares about the weighted mean, as a sum over pairs of groups."""
    squares = (gaps[:, None] - gaps) ** 2
    return float((np.outer(weights, weights) * squares).sum() / (2 * weights.sum()))


def _between(
    gaps: "np.ndarray[tuple[int], np.dtype[np.float64]]",
    variances: "np.ndarray[tuple[int], np.dtype[np.float64]]",
) -> float:
    weights = 1 / variances
    # Over pairs both sums are free of the cancellation that one very large group would bring.
    excess = _sum_squares(gaps, weights) - (len(gaps) - 1)
    joint = np.outer(weights, weights)
    np.fill_diagonal(joint, 0.0)
    scale = float(joint.sum() / weights.sum())
    return max(0.0, excess / scale)

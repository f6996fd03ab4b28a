"""Score intervals for ratios of linear functions of cell shares."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import copysign, inf, isfinite, sqrt

from steelyard.errors import CountsError
from steelyard.uncertainty.domain import normal_quantile
from steelyard.uncertainty.roots import crossing
from steelyard.uncertainty.shares.proportion import wilson_interval_effective

__all__ = ["ratio_score_interval"]

EDGE = 1 - 2.0**-50
"""Just below 1: a share at the very edge would be divided by 0."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """Counts of cells, and what each item of a cell adds to the top and to the bottom."""

    counts: tuple[float, ...]
    top: tuple[float, ...]
    bottom: tuple[float, ...]

    def at(self, shares: Sequence[float]) -> float:
        """Give the ratio for these shares, or counts, of the cells."""
        top = sum(u * p for u, p in zip(self.top, shares, strict=True))
        return top / sum(v * p for v, p in zip(self.bottom, shares, strict=True))


def ratio_score_interval(
    counts: Sequence[float],
    numerator: Sequence[float],
    denominator: Sequence[float],
    *,
    level: float = 0.95,
) -> tuple[float, float]:
    r"""Score interval for :math:`\theta=\sum u_ip_i/\sum v_ip_i` of multinomial shares.

    The :math:`\theta` with :math:`|\sum a_in_i|\le z\sqrt{n\sum a_i^2\tilde p_i}`, where
    :math:`a_i=u_i-\theta v_i` and :math:`\tilde p` has the largest likelihood among all shares with
    :math:`\sum a_i\tilde p_i=0`. Cells that were not seen may take part in :math:`\tilde p`, so the
    interval has width even when all items lie in one cell.

    Parameters
    ----------
    counts : sequence of float
        Items by cell, 0 or more, at least one above 0; weighted rows enter with effective numbers.
    numerator, denominator : sequence of float
        What an item of each cell adds to the top (:math:`u_i`) and to the bottom (:math:`v_i`).
        A cell where both are 0 says nothing; elsewhere :math:`v_i` must be above 0.
    level : float
        Coverage wanted, strictly between 0 and 1.

    Returns
    -------
    tuple of float
        Limits within the smallest and the largest :math:`u_i/v_i`.

    Notes
    -----
    For two cells and :math:`u=(1,0)`, :math:`v=(1,1)` this is Wilson's interval [1]_; the general
    form inverts the score test under a linear constraint [2]_. A cell that would weigh much but
    was never seen keeps the outer limit far out, as it must.

    References
    ----------
    .. [1] Wilson (1927), JASA 22, 209-212, doi:10.1080/01621459.1927.10502953.
    .. [2] Aitchison & Silvey (1958), Annals of Mathematical Statistics 29, 813-828,
       doi:10.1214/aoms/1177706538.

    Examples
    --------
    >>> low, high = ratio_score_interval([8, 2], [1, 0], [1, 1])
    >>> round(low, 3), round(high, 3)
    (0.49, 0.943)
    """
    z = normal_quantile(level)
    ratio = _informative(counts, numerator, denominator)
    found = ratio.at(ratio.counts)
    ends = [u / v for u, v in zip(ratio.top, ratio.bottom, strict=True)]
    if len(ends) == 2:
        return _of_two(ratio, level=level)
    low, high = lowest, highest = min(ends), max(ends)

    def score(theta: float) -> float:
        # At the estimate itself the distance is 0, where rounding would leave 0 over 0.
        return 0.0 if theta == found else _score(ratio, theta)

    if found > lowest:
        low = crossing(lambda theta: score(theta) - z, lowest, found)
    if found < highest:
        high = crossing(lambda theta: score(theta) + z, found, highest)
    return low, high


def _informative(
    counts: Sequence[float], numerator: Sequence[float], denominator: Sequence[float]
) -> Ratio:
    """Drop cells that say nothing, and add up cells that say the same."""
    summed: dict[tuple[float, float], float] = {}
    for rows, u, v in zip(counts, numerator, denominator, strict=True):
        if not (u == 0 and v == 0):
            summed[float(u), float(v)] = summed.get((float(u), float(v)), 0.0) + rows
            if not (rows >= 0 and v > 0 and isfinite(rows) and isfinite(u) and isfinite(v)):
                message = "Counts must be 0 or more, and denominators above 0 where a cell counts."
                raise CountsError(message, code="counts")
    if not any(summed.values()):
        message = "No item lies in a cell that says something; the ratio is undefined."
        raise CountsError(message, code="no-trials")
    kinds = sorted(summed)
    return Ratio(
        tuple(summed[kind] for kind in kinds),
        tuple(u for u, _ in kinds),
        tuple(v for _, v in kinds),
    )


def _of_two(ratio: Ratio, *, level: float) -> tuple[float, float]:
    """Carry Wilson's limits over: of two kinds of cells, the ratio is a function of one share."""
    total = sum(ratio.counts)
    share = min(1.0, ratio.counts[1] / total)
    limits = wilson_interval_effective(share, total, level=level)
    one, two = (ratio.at((1 - limit, limit)) for limit in limits)
    return min(one, two), max(one, two)


def _score(ratio: Ratio, theta: float) -> float:
    """Distance of the estimate from ``theta`` in standard errors that hold at ``theta``."""
    slope = [u - theta * v for u, v in zip(ratio.top, ratio.bottom, strict=True)]
    gap = sum(a * rows for a, rows in zip(slope, ratio.counts, strict=True))
    if gap == 0:
        return 0.0
    # Only the sign decides on which side the multiplier lies, so the other side is mirrored.
    side = slope if gap > 0 else [-a for a in slope]
    variance = _likeliest_variance(ratio.counts, side)
    return gap / sqrt(variance) if variance > 0 else copysign(inf, gap)


def _likeliest_variance(counts: Sequence[float], slope: Sequence[float]) -> float:
    """Variance of the sum of slopes under the likeliest shares that make its mean 0.

    Those shares are ``n_i / (n + m a_i)``; where even the largest multiplier leaves a positive
    mean, the rest of the probability goes to the cell of the most negative slope.
    """
    least = min(slope)
    if least >= 0:
        return 0.0
    total = sum(counts)
    seen = [(rows, a) for rows, a in zip(counts, slope, strict=True) if rows > 0]
    largest = -total / least

    def mean(multiplier: float) -> float:
        return sum(a * rows / (total + multiplier * a) for rows, a in seen)

    if least < min(a for _, a in seen) and mean(largest) > 0:
        shares = [rows / (total + largest * a) for rows, a in seen]
        rest = max(0.0, 1.0 - sum(shares))
    else:
        # The mean falls from above 0 to minus infinity just before the largest multiplier.
        root = crossing(lambda m: mean(m) if m < largest * EDGE else -inf, 0.0, largest)
        shares = [rows / (total + root * a) for rows, a in seen]
        rest = 0.0
    squares = sum(a * a * share for share, (_, a) in zip(shares, seen, strict=True))
    return total * (squares + least * least * rest)

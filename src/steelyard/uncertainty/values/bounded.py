"""The mean of values that cannot leave a stated range: limits that assume nothing else."""

from collections.abc import Callable
from math import log, sqrt

import numpy as np
from numpy.typing import ArrayLike

from steelyard.errors import CountsError, RequestError, check_share
from steelyard.uncertainty.roots import crossing
from steelyard.uncertainty.values.student import Floats, finite_column

__all__ = [
    "betting_interval",
    "empirical_bernstein_interval",
    "maurer_pontil_interval",
    "unit_values",
]

CUT = 0.5
"""No single bet may lose more than this share of the capital."""


def betting_interval(
    values: ArrayLike, *, bounds: tuple[float, float], level: float = 0.95
) -> tuple[float, float]:
    r"""Interval for the mean of values in a stated range, by betting against every mean.

    Of :func:`~steelyard.comparison.betting_sequence` the form for a number of values that was
    fixed beforehand: bets :math:`\lambda_i=\sqrt{2\ln(2/\alpha)/(n\hat\sigma_{i-1}^2)}`, and those
    means remain against which neither half of the capital ever reached :math:`2/\alpha` [1]_. It
    holds for every distribution in the range and every n.

    Parameters
    ----------
    values : array_like
        In the order they came, or in any order that does not depend on the values; items are
        shuffled beforehand where the order is not known.
    bounds : (float, float)
        What values cannot leave, known beforehand.

    Notes
    -----
    Another order gives other limits. With a range far wider than the values the limits are wide.

    References
    ----------
    .. [1] Waudby-Smith & Ramdas (2024), JRSS B 86, 1-27, doi:10.1093/jrsssb/qkad009.

    Examples
    --------
    >>> low, high = betting_interval([0.5] * 30, bounds=(0, 1))
    >>> round(low, 3), round(high, 3)
    (0.396, 0.604)
    """
    scaled = unit_values(values, bounds, level)
    n = scaled.size
    needed = log(2 / (1 - level))
    bets = np.sqrt(2 * needed / (n * _spreads_before(scaled)))

    def path(mean: float, side: int) -> Floats:
        room = mean if side == 1 else 1 - mean
        # At a mean of 0 (or 1) any bet is allowed; CUT keeps the capital above 0 everywhere else.
        grown = side * np.minimum(bets, CUT / max(room, 1e-300)) * (scaled - mean)
        return np.log1p(grown).cumsum()

    low, high = (_limit(lambda m, s: float(path(m, s).max()) - needed, side) for side in (1, -1))
    if not low < high:
        # Limits of different times contradict one another, which a chance of 1 - level allows;
        # those of the last value never do, and no interval may be a point.
        low, high = (_limit(lambda m, s: float(path(m, s)[-1]) - needed, side) for side in (1, -1))
    width = bounds[1] - bounds[0]
    return bounds[0] + width * low, bounds[0] + width * high


def empirical_bernstein_interval(
    values: ArrayLike,
    *,
    bounds: tuple[float, float],
    level: float = 0.95,
    anytime: bool = False,
) -> tuple[float, float]:
    r"""Empirical Bernstein interval for the mean of values in a stated range, in closed form.

    On the scale from 0 to 1, with bets :math:`\lambda_i\le\frac12` and the mean of the values
    before, :math:`\hat\mu_{i-1}`,

    .. math:: \frac{\sum\lambda_ix_i}{\sum\lambda_i}\pm\frac{\ln(2/\alpha)
              +\sum(x_i-\hat\mu_{i-1})^2\,(-\ln(1-\lambda_i)-\lambda_i)}{\sum\lambda_i}

    (theorem 2 of [1]_). Wider than :func:`betting_interval`.

    Parameters
    ----------
    values : array_like
        In the order they came.
    bounds : (float, float)
        What values cannot leave, known beforehand.
    anytime : bool
        Bets of the confidence sequence, valid after every value, not those for n fixed beforehand.

    References
    ----------
    .. [1] Waudby-Smith & Ramdas (2024), JRSS B 86, 1-27, doi:10.1093/jrsssb/qkad009.

    Examples
    --------
    >>> low, high = empirical_bernstein_interval([0.2, 0.4] * 100, bounds=(0, 1))
    >>> round(low, 3), round(high, 3)
    (0.259, 0.342)
    """
    scaled = unit_values(values, bounds, level)
    low = _bernstein_low(scaled, level, anytime=anytime)
    # The upper limit is the lower one of what is missing to the end of the range.
    high = 1 - _bernstein_low(1 - scaled, level, anytime=anytime)
    width = bounds[1] - bounds[0]
    return bounds[0] + width * max(0.0, low), bounds[0] + width * min(1.0, high)


def maurer_pontil_interval(
    n: int, mean: float, variance: float, *, bounds: tuple[float, float], level: float = 0.95
) -> tuple[float, float]:
    r"""Maurer and Pontil's empirical Bernstein bound, from a mean and a variance alone.

    :math:`\bar x\pm(b-a)\left(\sqrt{2v\ln(4/\alpha)/n}+\frac{7\ln(4/\alpha)}{3(n-1)}\right)` with
    the variance v, over n - 1, of values scaled to [0, 1] (theorem 4 of [1]_). It needs no order
    of the values, and is far wider than :func:`betting_interval`.

    References
    ----------
    .. [1] Maurer & Pontil (2009), COLT, arXiv:0907.3740.

    Examples
    --------
    >>> low, high = maurer_pontil_interval(200, 0.3, 0.01, bounds=(0, 1))
    >>> round(low, 3), round(high, 3)
    (0.228, 0.372)
    """
    check_range(bounds, level)
    width = bounds[1] - bounds[0]
    if n < 2 or not bounds[0] <= mean <= bounds[1] or not 0 <= variance:
        message = (
            f"n={n}, mean={mean:g}, variance={variance:g} for the range {bounds[0]:g} to "
            f"{bounds[1]:g}; expected 2 items or more, a mean within the range, a variance >= 0."
        )
        raise CountsError(message, code="value-range")
    needed = log(4 / (1 - level))
    reach = sqrt(2 * variance * needed / n) + width * 7 * needed / (3 * (n - 1))
    return max(bounds[0], mean - reach), min(bounds[1], mean + reach)


def unit_values(values: ArrayLike, bounds: tuple[float, float], level: float) -> Floats:
    """Scale values to run from 0 to 1 over the stated range, or refuse those outside it."""
    check_range(bounds, level)
    column = finite_column(values, "values")
    outside = np.flatnonzero((column < bounds[0]) | (column > bounds[1]))
    if column.size == 0 or outside.size:
        first = f", the first is {column[outside[0]]:g}" if outside.size else ""
        message = (
            f"{outside.size} of {column.size} values lie outside the stated range {bounds[0]:g} to "
            f"{bounds[1]:g}{first}. State the range that values cannot leave, and give at least 1."
        )
        raise CountsError(message, code="value-range")
    return (column - bounds[0]) / (bounds[1] - bounds[0])


def check_range(bounds: tuple[float, float], level: float) -> None:
    """Refuse a range without inside, and a level that is none."""
    if not (np.isfinite(bounds).all() and bounds[0] < bounds[1]):
        message = f"bounds={bounds!r}; expected the smallest and the largest possible value."
        raise RequestError(message)
    check_share("level", level)


def _spreads_before(scaled: Floats) -> Floats:
    """Variance as known before each value, with one half seen at first, off by one half."""
    times = np.arange(1, scaled.size + 1)
    means = (0.5 + scaled.cumsum()) / (times + 1)
    spreads = (0.25 + ((scaled - means) ** 2).cumsum()) / (times + 1)
    return np.append(0.25, spreads[:-1])


def _bernstein_low(scaled: Floats, level: float, *, anytime: bool) -> float:
    times = np.arange(1, scaled.size + 1)
    needed = log(2 / (1 - level))
    pace = times * np.log1p(times) if anytime else np.float64(scaled.size)
    bets = np.minimum(CUT, np.sqrt(2 * needed / (_spreads_before(scaled) * pace)))
    before = np.append(0.0, (scaled.cumsum() / times)[:-1])
    costs = -np.log1p(-bets) - bets
    return float((bets @ scaled - needed - (scaled - before) ** 2 @ costs) / bets.sum())


def _limit(excess: Callable[[float, int], float], side: int) -> float:
    """End of the means that remain on one side; the capital falls as the mean moves there."""
    ends = (0.0, 1.0) if side == 1 else (1.0, 0.0)
    if excess(ends[0], side) < 0:
        return ends[0]
    return crossing(lambda mean: excess(mean, side), *ends)

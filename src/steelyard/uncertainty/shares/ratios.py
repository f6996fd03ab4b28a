"""Intervals for the ratio of two shares and for an odds ratio, on the scale of logarithms."""

from math import exp, log, sqrt

from steelyard.errors import CountsError
from steelyard.uncertainty.domain import normal_quantile

__all__ = ["odds_ratio_interval", "share_ratio_interval"]

Sample = tuple[float, float]
"""Successes and trials; effective numbers need not be whole."""


def share_ratio_interval(
    first: Sample, second: Sample, *, level: float = 0.95
) -> tuple[float, float | None]:
    r"""Interval for the ratio of two independent shares by Katz' log method.

    :math:`\ln\hat r\pm z\sqrt{1/x_1-1/n_1+1/x_2-1/n_2}` [1]_. When a share is 0 (or both are 1, so
    that nothing varies), a half is added to every success count and 1 to every number of trials
    before the formula is used [2]_; the lower limit is 0 when the first share is 0, the upper one
    is missing (None) when the second is.

    Parameters
    ----------
    first, second : tuple of float
        Successes and trials of each sample; at least one trial each.
    level : float
        Coverage wanted, strictly between 0 and 1.

    Notes
    -----
    Too short where a small sample is all right or all wrong: 16 % instead of 95 % in the worst
    cell (docs/reference/certificates.md). :func:`ratio_interval` keeps its level.

    References
    ----------
    .. [1] Katz, Baptista, Azen & Pike (1978), Biometrics 34, 469-474, doi:10.2307/2530610.
    .. [2] Haldane (1956), Annals of Human Genetics 20, 309-311,
       doi:10.1111/j.1469-1809.1955.tb01285.x.

    Examples
    --------
    >>> low, high = share_ratio_interval((8, 10), (1, 10))
    >>> round(low, 3), round(high, 1)
    (1.215, 52.7)
    """
    z = normal_quantile(level)
    (x, m), (y, n) = first, second
    if not (0 <= x <= m and 0 <= y <= n and m > 0 and n > 0):
        message = (
            f"Successes and trials are {first} and {second}; expected 0 <= successes <= trials."
        )
        raise CountsError(message, code="successes-exceed-trials")
    bare = x == 0 or y == 0 or (x == m and y == n)
    if bare:
        x, m, y, n = x + 0.5, m + 1, y + 0.5, n + 1
    half = z * sqrt(1 / x - 1 / m + 1 / y - 1 / n)
    centre = log(x / m) - log(y / n)
    low = 0.0 if first[0] == 0 else exp(centre - half)
    return low, None if second[0] == 0 else exp(centre + half)


def odds_ratio_interval(
    cells: tuple[float, float, float, float], *, level: float = 0.95
) -> tuple[float, float | None]:
    r"""Interval for :math:`ad/(bc)` by Woolf's log method.

    :math:`\ln\widehat{OR}\pm z\sqrt{1/a+1/b+1/c+1/d}` [1]_; when a cell is 0, a half is added to
    all four first [2]_, and the limit on the side of the zero is 0 or missing (None).

    References
    ----------
    .. [1] Woolf (1955), Annals of Human Genetics 19, 251-253,
       doi:10.1111/j.1469-1809.1955.tb01348.x.
    .. [2] Haldane (1956), Annals of Human Genetics 20, 309-311,
       doi:10.1111/j.1469-1809.1955.tb01285.x.

    Examples
    --------
    >>> low, high = odds_ratio_interval((8, 1, 2, 9))
    >>> round(low, 2), round(high, 1)
    (2.72, 476.3)
    """
    z = normal_quantile(level)
    if min(cells) < 0:
        message = f"Cells are {cells}; expected counts, 0 or more."
        raise CountsError(message, code="count-not-whole")
    extra = 0.5 if min(cells) == 0 else 0.0
    a, b, c, d = (cell + extra for cell in cells)
    half = z * sqrt(1 / a + 1 / b + 1 / c + 1 / d)
    centre = log(a) + log(d) - log(b) - log(c)
    low = 0.0 if 0 in (cells[0], cells[3]) else exp(centre - half)
    return low, None if 0 in (cells[1], cells[2]) else exp(centre + half)

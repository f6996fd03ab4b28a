"""Intervals for a benchmark of fixed size, of which only a part was tested."""

from math import sqrt

import numpy as np
from scipy.special import betaln, gammaln

from steelyard.errors import RequestError

__all__ = ["finite_correction", "finite_rate_interval"]


def finite_rate_interval(
    successes: int, trials: int, population: int, *, level: float = 0.95
) -> tuple[float, float]:
    r"""Interval of the rate on all N items of a benchmark, of which n drawn at random were tested.

    The tested items are known. Of the other :math:`N-n`, the number right is beta-binomial with
    the parameters :math:`k+\tfrac12` and :math:`n-k+\tfrac12`, by Jeffreys' prior [1]_, and the
    ends are its equal-tailed quantiles, added to k and divided by N.

    Parameters
    ----------
    successes, trials
        Right answers, and items tested.
    population
        Items of the whole benchmark.
    level
        Coverage, in (0, 1).

    Notes
    -----
    With :math:`N \to \infty` these are the ends of Jeffreys' interval; with all items tested both
    ends are the rate itself. The tested items must be a random part: the first ones need not be.

    References
    ----------
    .. [1] Ericson (1969), Journal of the Royal Statistical Society B 31, 195-224,
       doi:10.1111/j.2517-6161.1969.tb00782.x.

    Examples
    --------
    >>> low, high = finite_rate_interval(80, 100, 200)
    >>> round(low, 3), round(high, 3)
    (0.74, 0.85)
    >>> finite_rate_interval(80, 100, 100)
    (0.8, 0.8)
    """
    if not 0 < level < 1:
        raise RequestError.for_level("level", level)  # noqa: EM101
    check_population(trials, population)
    left = population - trials
    a, b = successes + 0.5, trials - successes + 0.5
    right = np.arange(left + 1)
    ways = gammaln(left + 1) - gammaln(right + 1) - gammaln(left - right + 1)
    total = np.cumsum(np.exp(ways + betaln(right + a, left - right + b) - betaln(a, b)))
    tail = (1 - level) / 2
    low = int(np.searchsorted(total, tail))
    high = min(int(np.searchsorted(total, 1 - tail)), left)
    return (successes + low) / population, (successes + high) / population


def finite_correction(tested: int, population: int) -> float:
    r"""Factor :math:`\sqrt{1-n/N}` of a standard error when n of N fixed items were tested.

    References
    ----------
    .. [1] Cochran (1977), Sampling Techniques, 3rd edition, Wiley, section 2.6.

    Examples
    --------
    >>> round(finite_correction(75, 100), 3)
    0.5
    """
    check_population(tested, population)
    return sqrt((population - tested) / population)


def check_population(tested: int, population: int) -> None:
    """Refuse a benchmark that is smaller than what was tested of it."""
    if population < tested or tested < 1:
        message = (
            f"benchmark={population} items, of which {tested} were tested. Give the size of the "
            f"whole benchmark, {max(tested, 1)} or more (--benchmark {max(tested, 1)})."
        )
        raise RequestError(message)

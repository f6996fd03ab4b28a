"""Score tests of two independent rates: for each count of one, the edge of the other."""

from collections.abc import Callable
from math import pi

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from steelyard.planning.stopping.discordant_rules import binomial_window

__all__ = [
    "Edge",
    "chance_below",
    "equal_rates_statistic",
    "largest_that",
    "score_statistic",
    "weigh",
]

Floats = NDArray[np.float64]
Edge = Callable[[Floats], Floats]


def equal_rates_statistic(x: Floats, y: Floats, *, tested: tuple[float, float]) -> Floats:
    r"""Score statistic of equal rates from x and y right of :math:`n_1` and :math:`n_2`.

    .. math:: z = \frac{x/n_1 - y/n_2}{\sqrt{\frac{N}{N-1}\,\bar p\bar q\,(1/n_1 + 1/n_2)}},
              \qquad \bar p = \frac{x+y}{N},\ N = n_1 + n_2

    Examples
    --------
    >>> z = equal_rates_statistic(np.array([56.0]), np.array([45.0]), tested=(70, 70))
    >>> round(float(z[0]), 4)
    2.0664
    """
    one, two = tested
    total = one + two
    mean = (x + y) / total
    variance = total / (total - 1) * mean * (1 - mean) * (1 / one + 1 / two)
    gap = x / one - y / two
    with np.errstate(divide="ignore", invalid="ignore"):
        z = gap / np.sqrt(variance)
    return np.where(variance > 0, z, np.where(gap == 0, 0.0, np.copysign(np.inf, gap)))


def score_statistic(x: Floats, y: Floats, *, samples: float, null: float = 0.0) -> Floats:
    r"""Score statistic of :math:`p_1 - p_2 = d` from x and y right of n each.

    .. math:: z = \frac{x/n - y/n - d}{\sqrt{\frac{2n}{2n-1}\,\frac{\tilde p_1 \tilde q_1 +
              \tilde p_2 \tilde q_2}{n}}}

    with the rates of largest likelihood that differ by d, from the closed form of the cubic.

    References
    ----------
    .. [1] Farrington & Manning (1990), Statistics in Medicine 9, 1447-1454,
       doi:10.1002/sim.4780091208.

    Examples
    --------
    >>> z = score_statistic(np.array([56.0]), np.array([45.0]), samples=70)
    >>> round(float(z[0]), 4)
    2.0664
    """
    total = 2 * samples
    if null == 0:
        other = (x + y) / total
    else:
        other = _restricted(x, y, samples, null)
    share = np.clip(other + null, 0.0, 1.0)
    variance = total / (total - 1) * (share * (1 - share) + other * (1 - other)) / samples
    gap = x / samples - y / samples - null
    with np.errstate(divide="ignore", invalid="ignore"):
        z = gap / np.sqrt(variance)
    return np.where(variance > 0, z, np.where(gap == 0, 0.0, np.copysign(np.inf, gap)))


def _restricted(x: Floats, y: Floats, samples: float, null: float) -> Floats:
    """Second rate of largest likelihood when the first exceeds it by ``null``."""
    third = 3 * 2 * samples
    square = 3 * samples * null - 2 * samples - x - y
    linear = (samples * null - 2 * samples - 2 * y) * null + x + y
    constant = y * null * (1 - null)
    turn = (square / third) ** 3 - square * linear / (2 * third**2 / 3) + constant * 1.5 / third
    size = np.sqrt(np.maximum((square / third) ** 2 - linear / third, 0.0))
    size = np.where(turn >= 0, size, -size)
    with np.errstate(divide="ignore", invalid="ignore"):
        cosine = np.where(size != 0, turn / size**3, 0.0)
    angle = (pi + np.arccos(np.clip(cosine, -1.0, 1.0))) / 3
    root = 2 * size * np.cos(angle) - square / third
    return np.asarray(np.clip(root, max(0.0, -null), min(1.0, 1 - null)))


def largest_that(holds: Callable[[Floats], NDArray[np.bool_]], top: Floats) -> Floats:
    """Bisect, element by element, for the largest whole number from 0 to ``top`` that holds.

    ``holds`` must be true up to some number and false beyond; -1 where it never holds.

    Examples
    --------
    >>> largest_that(lambda y: y * y <= np.array([10.0, 99.0]), np.array([50.0, 50.0])).tolist()
    [3.0, 9.0]
    """
    low, high = np.full_like(top, -1.0), top + 1.0
    while np.any(high - low > 1):
        middle = np.floor((low + high) / 2)
        inside = middle > low
        good = holds(np.maximum(middle, 0.0)) & inside
        low = np.where(good, middle, low)
        high = np.where(~good & inside, middle, high)
    return low


def chance_below(edge: Floats, *, samples: float | Floats, rate: float) -> Floats:
    """Give the binomial distribution function at ``edge``, 0 below 0 and 1 from n on.

    Examples
    --------
    >>> chance_below(np.array([-1.0, 0.0, 2.0]), samples=2, rate=0.5).tolist()
    [0.0, 0.25, 1.0]
    """
    number = np.broadcast_to(np.asarray(samples, dtype=np.float64), edge.shape)
    inside = (edge >= 0) & (edge < number)
    at = np.where(inside, edge, 0.0)
    room = np.where(inside, number - at, 1.0)
    return np.where(inside, betainc(room, at + 1, 1 - rate), np.where(edge < 0, 0.0, 1.0))


def weigh(samples: int, rate: float, chance: Edge) -> float:
    """Average a function of the first count over its binomial.

    Examples
    --------
    >>> round(weigh(10, 0.3, lambda x: x), 12)
    3.0
    """
    low, weight = binomial_window(samples, rate)
    return float(weight @ chance(np.arange(low, low + weight.size, dtype=np.float64)))

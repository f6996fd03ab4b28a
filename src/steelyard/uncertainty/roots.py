"""Where a function crosses zero between two points."""

from collections.abc import Callable
from math import sqrt

__all__ = ["crossing"]

LARGEST = 1e100
"""Infinite values are cut here, so that the interpolation below stays finite."""

STEPS = 400
"""Bisection alone takes some 170 from a bracket of 1e6 to the last digit of a root of 1e-30."""
RELATIVE = 4 * 2.0**-53
"""Four units in the last place: nearer than that the sign of a function is that of its rounding."""


def crossing(function: Callable[[float], float], low: float, high: float) -> float:
    """Zero of a function that has opposite signs at ``low`` and ``high``.

    Chandrupatla's method [1]_: inverse quadratic interpolation where it is safe, bisection where
    it is not, so the bracket always shrinks. Ends within a few units in the last place.

    Parameters
    ----------
    function : callable
        Continuous between the two points; infinite values are allowed, NaN is not.
    low, high : float
        The ends of the bracket. Without a change of sign the end nearer to zero is returned, which
        is right for a limit that lies on the edge of its domain.

    References
    ----------
    .. [1] Chandrupatla (1997), Advances in Engineering Software 28, 145-149,
       doi:10.1016/s0965-9978(96)00051-8.

    Examples
    --------
    >>> round(crossing(lambda x: x * x - 2, 0, 2), 12)
    1.414213562373
    """

    def at(x: float) -> float:
        return min(max(function(x), -LARGEST), LARGEST)

    new, old = low, high
    value, other = at(new), at(old)
    if value * other >= 0:
        return new if abs(value) <= abs(other) else old
    third, third_value, part = old, other, 0.5
    for _ in range(STEPS):
        step = new + part * (old - new)
        found = at(step)
        if (found > 0) == (value > 0):
            third, third_value = new, value
        else:
            third, third_value, old, other = old, other, new, value
        new, value = step, found
        best = new if abs(value) < abs(other) else old
        # Relative to a root of 0 no step were small enough: an absolute one ends the search there.
        margin = RELATIVE * abs(best) + 1e-300
        if value == 0 or abs(old - new) <= 2 * margin:
            return best if value else new
        part = _next_part((new, value), (old, other), (third, third_value))
        edge = margin / abs(old - new)
        part = min(max(part, edge), 1 - edge)
    return best


def _next_part(
    new: tuple[float, float], old: tuple[float, float], third: tuple[float, float]
) -> float:
    """Share of the bracket to step over: interpolated when the three points allow, else half."""
    (a, fa), (b, fb), (c, fc) = new, old, third
    if c == b or fc in {fa, fb}:
        return 0.5
    ratio = (a - b) / (c - b)
    height = (fa - fb) / (fc - fb)
    if not 1 - sqrt(max(0.0, 1 - ratio)) < height < sqrt(max(0.0, ratio)):
        return 0.5
    first = fa / (fb - fa) * (fc / (fb - fc))
    second = (c - a) / (b - a) * (fa / (fc - fa)) * (fb / (fc - fb))
    return first + second

"""Searches for a number of samples: where a curve is reached, and where it stays reached."""

from collections.abc import Callable
from math import ceil, floor, sqrt

from steelyard.errors import RequestError
from steelyard.uncertainty import crossing
from steelyard.uncertainty.special import ndtri

__all__ = [
    "LIMIT",
    "WINDOW",
    "check_samples",
    "first_lasting",
    "round_down",
    "round_up",
    "samples_for",
    "walk",
    "whole_samples",
]

LIMIT = 1_000_000
"""Searches end here; a plan beyond it is given as None."""

ROUNDING = 1e-12
"""A product of a few numbers is off by less than this share of it."""

STEPS = 12
"""Secants converge in a handful of steps or never: then the bracket is halved."""
SAME = 1e-8
"""A step smaller than this share ends the search; what is left then is far smaller still."""

SMOOTH = 20_000
"""From here on the teeth of a power curve are smaller than anything it is read for."""

NEAR = 0.9
"""A first guess is mostly right to this share, which saves half of the bisection."""

WINDOW = 100
"""A sawtooth counts as reached when it stays reached for this many more samples."""


def samples_for(
    miss_at: Callable[[float], float], miss: float, *, start: float, limit: float = LIMIT
) -> float | None:
    r"""Find the real number of samples at which the chance to miss has fallen to ``miss``.

    On the scale :math:`z = -\Phi^{-1}(\text{miss})` against :math:`\sqrt n` such curves are almost
    straight, so few evaluations do.

    Parameters
    ----------
    miss_at
        The chance to miss at n samples, falling in n.
    miss
        The chance allowed.
    start
        A first guess, from which the bracket doubles or halves.
    limit
        None is returned when more samples than this were needed.

    Notes
    -----
    0 is returned when no samples at all suffice, as a strong prior may bring about.

    Examples
    --------
    >>> from math import exp
    >>> round(samples_for(lambda n: exp(-n / 100), 0.05, start=10), 3)
    299.573
    """
    wanted = -float(ndtri(miss))

    def excess(root: float) -> float:
        # ndtri(0) is -inf, which no secant can follow; 37 standard errors are as good as any more.
        return -float(ndtri(min(max(miss_at(root * root), 1e-300), 1.0))) - wanted

    # From 0 neither doubling nor halving would lead anywhere.
    root = _by_secant(excess, sqrt(min(max(start, 1e-3), limit)), wanted)
    if root is None or root * root > limit:
        root = _by_bracket(excess, sqrt(min(max(start, 1e-3), limit)), sqrt(limit))
    return None if root is None else root * root


def _by_secant(excess: Callable[[float], float], start: float, wanted: float) -> float | None:
    """Follow the almost straight line; None when it leads nowhere within a few steps."""
    old, height = start, excess(start)
    if height == 0:
        return old
    new = old * min(max(wanted / (height + wanted), 0.5), 2.0) if height + wanted > 0 else 2 * old
    for _ in range(STEPS):
        if abs(new - old) <= SAME * new:
            return new
        found = excess(new)
        if found == height:
            return new if found == 0 else None
        step = found * (new - old) / (found - height)
        old, height = new, found
        new = min(max(new - step, old / 2), old * 2)
    return None


def _by_bracket(excess: Callable[[float], float], start: float, last: float) -> float | None:
    """Widen a bracket from the start until it holds the root, then close it."""
    low = high = start
    if excess(start) < 0:
        while excess(high) < 0:
            if high >= last:
                return None
            low, high = high, min(high * 1.5, last)
    else:
        while excess(low) >= 0:
            # Enough with next to nothing: no sample is needed at all.
            if low < 1e-4:
                return 0.0
            low, high = low / 1.5, low
    return crossing(excess, low, high)


def whole_samples(exact: float | None) -> int | None:
    """Round a real number of samples up to the number to order.

    Examples
    --------
    >>> whole_samples(1332.48), whole_samples(100.0), whole_samples(None)
    (1333, 100, None)
    """
    return None if exact is None else round_up(exact)


def round_up(number: float) -> int:
    """Give the least whole number that is not below, but for what rounding adds.

    A product such as 0.07 * 100 lies above 7 by 1e-15 of it: nobody needs an eighth item for that.
    Nothing that is planned is known to twelve digits.

    Examples
    --------
    >>> round_up(0.07 * 100), round_up(7.001)
    (7, 8)
    """
    return ceil(number * (1 - ROUNDING))


def round_down(number: float) -> int:
    """Give the largest whole number that is not above, but for what rounding takes.

    Examples
    --------
    >>> round_down(55 / 1.1), round_down(49.99)
    (50, 49)
    """
    return floor(number * (1 + ROUNDING))


def first_lasting(
    reaches: Callable[[int], bool], *, start: int, limit: int = LIMIT, window: int = WINDOW
) -> int | None:
    """Find the number of samples from which on a sawtooth curve stays reached.

    Power of a discrete test falls back now and then as samples are added. The answer n has
    ``reaches(n - 1)`` false and ``reaches`` true from n to n + ``window``: bisection finds one such
    step, then the window is walked, and any failure in it moves the answer behind the failure.
    From 20,000 samples on the teeth are too small to matter and the window shrinks (``walk``).

    Returns None when nothing up to ``limit`` reaches.

    Examples
    --------
    >>> first_lasting(lambda n: n >= 40 and n != 55, start=10)
    56
    """
    high = min(max(start, 1), limit)
    while not reaches(high):
        if high == limit:
            return None
        high = min(2 * high, limit)
    near = int(high * NEAR)
    found = _step(reaches, high, low=0 if near == 0 or reaches(near) else near)
    place = found
    while place <= found + walk(found, window) and place <= limit:
        if not reaches(place):
            found = place + 1
        place += 1
    return found if found <= limit else None


def walk(samples: int, window: int = WINDOW) -> int:
    """Give the length of the window that is walked behind an answer.

    Examples
    --------
    >>> walk(150), walk(1_000_000)
    (100, 2)
    """
    return min(window, max(2, SMOOTH * WINDOW // max(samples, 1)))


def _step(reaches: Callable[[int], bool], high: int, *, low: int) -> int:
    """Bisect for a place that reaches while the one before does not (or 1)."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high


def check_samples(samples: int) -> None:
    """Refuse less than one."""
    if samples < 1:
        message = f"samples={samples!r}; expected a whole number of at least 1."
        raise RequestError(message)

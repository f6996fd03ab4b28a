"""Whole powers of ratios against a bound, decided without rounding where they meet it exactly."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import log, log1p

__all__ = ["MET", "Bound", "Powers", "bound_at", "powers_of", "reading_of"]

UNITS = 4 * 2.0**-52
"""A number typed as 0.1, or worked out as .6/(1 - .6), lies this near to what was meant."""

LONGEST = 4_000_000
"""Bits of the largest powers that are multiplied out."""
MET = 1e-9
"""Where many walks are followed in floating point, one nearer to a line than this has met it."""


@lru_cache(maxsize=4096)
def reading_of(number: float) -> Fraction:
    """Read a number as the simplest fraction it can stand for: 0.1 is 1/10, 1/3 is 1/3.

    Examples
    --------
    >>> reading_of(0.1), reading_of(1 / 3), reading_of(0.6 / (1 - 0.6))
    (Fraction(1, 10), Fraction(1, 3), Fraction(3, 2))
    """
    exact = Fraction(number)
    reach = abs(exact) * Fraction(UNITS)
    return _simplest(exact - reach, exact + reach)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A bound as the fraction it is, and its logarithm."""

    value: Fraction
    logarithm: float


def bound_at(value: Fraction) -> Bound:
    """Prepare a bound.

    Examples
    --------
    >>> bound_at(Fraction(1)).logarithm
    0.0
    """
    return Bound(value=value, logarithm=_log(value))


@dataclass(frozen=True, slots=True, kw_only=True)
class Powers:
    r"""Tell on which side of a bound :math:`g^{w} l^{v}` lies, for whole w and v.

    The logarithms decide unless they are too near to each other to be told apart; then the powers
    are multiplied out in whole numbers. A test whose counts lie exactly on a line ends there,
    not where rounding lets it.
    """

    gain: Fraction
    loss: Fraction
    log_gain: float
    log_loss: float

    def side(self, wins: int, losses: int, bound: Bound) -> int:
        """Give 1 above the bound, 0 on it, -1 below.

        >>> powers_of(Fraction(3, 2), Fraction(1, 2)).side(2, 1, bound_at(Fraction(9, 8)))
        0
        """
        up, down, over = wins * self.log_gain, losses * self.log_loss, bound.logarithm
        gap = up + down - over
        if abs(gap) > 4 * UNITS * (abs(up) + abs(down) + abs(over)):
            return 1 if gap > 0 else -1
        parts = (*self.gain.as_integer_ratio(), *self.loss.as_integer_ratio())
        longest = max(parts)
        if (wins + losses) * longest.bit_length() > LONGEST:
            # So many powers that no product is written out; this near to the line it is on it.
            return 0
        product = self.gain**wins * self.loss**losses
        return (product > bound.value) - (product < bound.value)


def powers_of(gain: Fraction, loss: Fraction) -> Powers:
    """Prepare the powers of what a win and what a loss multiplies.

    Examples
    --------
    >>> powers_of(Fraction(3, 2), Fraction(1, 2)).side(1, 0, bound_at(Fraction(1)))
    1
    """
    return Powers(gain=gain, loss=loss, log_gain=_log(gain), log_loss=_log(loss))


def _log(number: Fraction) -> float:
    # Near 1 the fraction minus 1 is exact and small; as a float near 1 it would lose its digits.
    return log1p(float(number - 1)) if 0.5 < number < 2 else log(number)


def _simplest(low: Fraction, high: Fraction) -> Fraction:
    """Find the fraction with the smallest denominator between two positive ones."""
    whole = low.numerator // low.denominator
    if whole == low:
        return Fraction(whole)
    if whole + 1 <= high:
        return Fraction(whole + 1)
    return whole + 1 / _simplest(1 / (high - whole), 1 / (low - whole))

"""Sums without rounding: equal bits in any order of the rows."""

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import SCALE

__all__ = ["exact_sums", "round_to_scale"]

CHUNK = 1 << 20
BASE = 2.0**30
"""Digits of this size add up exactly in a float64 over one chunk (2^50), and in an int64 over
8,000 chunks."""


def round_to_scale(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round to a multiple of 1/SCALE, halves up, and give the multiple: ``floor(x * SCALE + 0.5)``.

    This one rounding is used for every weight and item score, because any SQL engine can repeat it.
    The result is whole but stays a float64, as it may exceed an int64.

    >>> round_to_scale(np.array([1.0, 2.0**-31])).tolist()
    [1073741824.0, 1.0]
    """
    return np.asarray(np.floor(values * float(SCALE) + 0.5), dtype=np.float64)


def exact_sums(places: NDArray[np.intp], whole: NDArray[np.float64], groups: int) -> list[int]:
    """Add whole, non-negative floats by group, exactly, whatever their size.

    Each number is cut into digits of 30 bits; digits are added apart and put together at the end.

    Parameters
    ----------
    places
        The group of each number, from 0 to ``groups - 1``.
    whole
        The numbers.
    groups
        How many groups there are.

    Examples
    --------
    >>> exact_sums(np.array([0, 0, 1]), np.array([2.0**60, 1.0, 5.0]), 2)
    [1152921504606846977, 5]
    """
    digits: list[NDArray[np.int64]] = []
    for start in range(0, whole.size, CHUNK):
        rest, place = whole[start : start + CHUNK], places[start : start + CHUNK]
        level = 0
        while rest.any():
            high = np.floor(rest / BASE)
            if level == len(digits):
                digits.append(np.zeros(groups, dtype=np.int64))
            digits[level] += np.bincount(place, rest - high * BASE, groups).astype(np.int64)
            rest, level = high, level + 1
    totals = [0] * groups
    for level, digit in enumerate(digits):
        totals = [
            total + (part << 30 * level) for total, part in zip(totals, digit.tolist(), strict=True)
        ]
    return totals

"""Right/wrong patterns of several systems."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from steelyard.tally.kernels.histogram import byte_histogram
from steelyard.tally.kernels.joint import distinct_rows

__all__ = ["pattern_counts", "pattern_places"]

CHUNK = 1 << 16
BYTE = 8
SHORT = 16
WORD = 32

Right = Sequence[NDArray[np.bool_]]


def pattern_counts(right: Right) -> dict[int, int]:
    """Count rows by pattern; bit ``j`` of a pattern is set where ``right[j]`` is true.

    Up to 16 systems are counted by index, chunk by chunk; more are packed 32 to a word and sorted.

    Parameters
    ----------
    right
        One array for each system (at least one), true where it was right.

    Examples
    --------
    >>> pattern_counts([np.array([True, True, False]), np.array([False, True, False])])
    {0: 1, 1: 1, 3: 1}
    """
    if len(right) > SHORT:
        patterns, place = pattern_places(right)
        rows = np.bincount(place, minlength=len(patterns))
        return dict(sorted(zip(patterns, rows.tolist(), strict=True)))
    counts = np.zeros(1 << (BYTE if len(right) <= BYTE else SHORT), dtype=np.int64)
    for start in range(0, right[0].size, CHUNK):
        part = [column[start : start + CHUNK] for column in right]
        if len(right) <= BYTE:
            counts += byte_histogram(_packed_byte(part))
        else:
            codes = _packed_word(part).astype(np.uint16)
            counts += np.bincount(codes, minlength=counts.size)
    return {pattern: int(counts[pattern]) for pattern in np.flatnonzero(counts).tolist()}


def pattern_places(right: Right) -> tuple[list[int], NDArray[np.intp]]:
    """List the patterns that occur, and for each row its place in that list.

    Examples
    --------
    >>> patterns, place = pattern_places([np.array([True, False, True])])
    >>> patterns, place.tolist()
    ([0, 1], [1, 0, 1])
    """
    groups = [right[start : start + WORD] for start in range(0, len(right), WORD)]
    words = [_packed_word(group) for group in groups]
    first, place = distinct_rows(words, [1 << len(group) for group in groups])
    patterns = [0] * first.size
    for number, word in enumerate(words):
        bits = word[first].tolist()
        patterns = [one | (more << WORD * number) for one, more in zip(patterns, bits, strict=True)]
    return patterns, place


def _packed_word(right: Right) -> NDArray[np.uint32]:
    """Pack up to 32 systems into one number a row."""
    word = np.zeros(right[0].size, dtype=np.uint32)
    for start in range(0, len(right), BYTE):
        byte = _packed_byte(right[start : start + BYTE]).astype(np.uint32)
        word |= byte << np.uint32(start)
    return word


def _packed_byte(right: Right) -> NDArray[np.uint8]:
    """Pack up to 8 systems into one byte a row, last system first (Horner's scheme)."""
    byte = np.array(right[-1], dtype=np.uint8)
    for column in reversed(right[:-1]):
        byte += byte  # a doubling is vectorised in numpy, a shift is not
        byte |= column.view(np.uint8)
    return byte

"""Rows of codes become counts of cells: true and called class, patterns, joint calls."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import RequestError

__all__ = [
    "DENSE_CLASSES",
    "byte_histogram",
    "count_pairs",
    "distinct_rows",
    "joint_cells",
    "pair_matrix",
    "pattern_counts",
    "pattern_places",
]


def byte_histogram(codes: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Count the 256 byte values, two rows at a time.

    Two neighbouring bytes are one 16-bit number, so one increment counts two rows; the two margins
    of the 256 x 256 table give the counts. Several times faster than ``bincount`` of the bytes.

    >>> byte_histogram(np.array([7, 7, 9], dtype=np.uint8))[[7, 8, 9]].tolist()
    [2, 0, 1]
    """
    even = codes.size - codes.size % 2
    pairs = np.bincount(np.ascontiguousarray(codes[:even]).view(np.uint16), minlength=1 << 16)
    table = pairs.reshape(256, 256)
    counts = (table.sum(axis=0) + table.sum(axis=1)).astype(np.int64)
    if even < codes.size:
        counts[codes[even]] += 1
    return np.asarray(counts, dtype=np.int64)


Codes = NDArray[np.integer[Any]]

CHUNK = 1 << 18
DENSE_CLASSES = 1024
"""Up to here a table of all pairs (8 MB) is counted by index; beyond it pairs are sorted."""


def pair_matrix(truth: Codes, called: Codes, classes: int) -> NDArray[np.int64]:
    """Count rows into a dense table, true class by called class.

    Parameters
    ----------
    truth, called
        Class codes from 0 to ``classes - 1``, one a row.
    classes
        How many classes there are.

    Examples
    --------
    >>> pair_matrix(np.array([0, 0, 1]), np.array([0, 1, 1]), 2).tolist()
    [[1, 1], [0, 1]]
    """
    _check(truth, called, classes)
    if classes == 2:
        return _two_classes(truth, called)
    table = np.zeros(classes * classes, dtype=np.int64)
    for start in range(0, truth.size, CHUNK):
        part = slice(start, start + CHUNK)
        if classes <= 16:
            codes = truth[part].astype(np.uint8) * np.uint8(classes) + called[part].astype(np.uint8)
            table += byte_histogram(codes)[: table.size]
        else:
            pairs = truth[part].astype(np.int64) * classes + called[part]
            table += np.bincount(pairs, minlength=table.size)
    return table.reshape(classes, classes)


def count_pairs(truth: Codes, called: Codes, classes: int) -> dict[tuple[int, int], int]:
    """Count rows by (true class, called class), leaving out pairs that never occur.

    Examples
    --------
    >>> count_pairs(np.array([0, 0, 1]), np.array([0, 1, 1]), 100_000)
    {(0, 0): 1, (0, 1): 1, (1, 1): 1}
    """
    if classes <= DENSE_CLASSES:
        table = pair_matrix(truth, called, classes).ravel()
        pairs = np.flatnonzero(table)
        counts = table[pairs]
    else:
        _check(truth, called, classes)
        pairs, counts = np.unique(truth.astype(np.int64) * classes + called, return_counts=True)
    rows, columns = np.divmod(pairs, max(classes, 1))
    keys = zip(rows.tolist(), columns.tolist(), strict=True)
    return dict(zip(keys, counts.tolist(), strict=True))


def _two_classes(truth: Codes, called: Codes) -> NDArray[np.int64]:
    """Count the ones of each column and of both: three passes that need no table."""
    ones = calls = both = 0
    for start in range(0, truth.size, CHUNK):
        true = truth[start : start + CHUNK].astype(np.bool_)
        call = called[start : start + CHUNK].astype(np.bool_)
        ones += int(np.count_nonzero(true))
        calls += int(np.count_nonzero(call))
        both += int(np.count_nonzero(true & call))
    neither = truth.size - ones - calls + both
    return np.array([[neither, calls - both], [ones - both, both]], dtype=np.int64)


def _check(truth: Codes, called: Codes, classes: int) -> None:
    if truth.shape != called.shape:
        message = f"{truth.size} true and {called.size} called codes; each row needs both."
        raise RequestError(message, code="lengths-differ")
    for codes in (truth, called):
        if codes.size and (int(codes.min()) < 0 or int(codes.max()) >= classes):
            message = f"A class code lies outside 0 to {classes - 1}."
            raise RequestError(message, code="class-unknown")


PATTERN_CHUNK = 1 << 16
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
    for start in range(0, right[0].size, PATTERN_CHUNK):
        part = [column[start : start + PATTERN_CHUNK] for column in right]
        if len(right) <= BYTE:
            counts += byte_histogram(_pack_byte(part))
        else:
            codes = _pack_word(part).astype(np.uint16)
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
    words = [_pack_word(group) for group in groups]
    first, place = distinct_rows(words, [1 << len(group) for group in groups])
    patterns = [0] * first.size
    for number, word in enumerate(words):
        bits = word[first].tolist()
        patterns = [one | (more << WORD * number) for one, more in zip(patterns, bits, strict=True)]
    return patterns, place


def _pack_word(right: Right) -> NDArray[np.uint32]:
    """Pack up to 32 systems into one number a row."""
    word = np.zeros(right[0].size, dtype=np.uint32)
    for start in range(0, len(right), BYTE):
        byte = _pack_byte(right[start : start + BYTE]).astype(np.uint32)
        word |= byte << np.uint32(start)
    return word


def _pack_byte(right: Right) -> NDArray[np.uint8]:
    """Pack up to 8 systems into one byte a row, last system first (Horner's scheme)."""
    byte = np.array(right[-1], dtype=np.uint8)
    for column in reversed(right[:-1]):
        byte += byte  # a doubling is vectorised in numpy, a shift is not
        byte |= column.view(np.uint8)
    return byte


LARGEST_KEY = 2**63


def distinct_rows(
    columns: Sequence[Codes], sizes: Sequence[int]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Find the distinct rows of a table of codes, of any width.

    Columns are folded into one key, ``key * size + code``. Before the key would outgrow 63 bits it
    is replaced by its rank among the keys seen, so any number of columns fits.

    Parameters
    ----------
    columns
        Codes, one column each; column ``j`` holds 0 to ``sizes[j] - 1``.
    sizes
        How many codes each column may hold.

    Returns
    -------
    tuple
        For each distinct row where it first occurs, and for each row its place among them.

    Examples
    --------
    >>> first, place = distinct_rows([np.array([1, 0, 1]), np.array([5, 5, 5])], [2, 6])
    >>> first.tolist(), place.tolist()
    ([1, 0], [1, 0, 1])
    """
    key = columns[0].astype(np.int64)
    span = sizes[0]
    for codes, size in zip(columns[1:], sizes[1:], strict=True):
        if span * size > LARGEST_KEY:
            seen, key = np.unique(key, return_inverse=True)
            span = max(int(seen.size), 1)
        key = key * np.int64(size) + codes.astype(np.int64)
        span *= size
    _, first, place = np.unique(key, return_index=True, return_inverse=True)
    return first, place


def joint_cells(
    truth: Codes, calls: Sequence[Codes], classes: int
) -> dict[tuple[int, tuple[int, ...]], int]:
    """Count rows by true class and the calls of all systems together.

    Parameters
    ----------
    truth
        Class codes from 0 to ``classes - 1``.
    calls
        Such codes for each system.
    classes
        How many classes there are.

    Examples
    --------
    >>> joint_cells(np.array([0, 0]), [np.array([0, 0]), np.array([1, 1])], 2)
    {(0, (0, 1)): 2}
    """
    columns = [truth, *calls]
    first, place = distinct_rows(columns, [classes] * len(columns))
    counts = np.bincount(place, minlength=first.size)
    rows = zip(*(column[first].tolist() for column in columns), strict=True)
    return {(row[0], row[1:]): rows_ for row, rows_ in zip(rows, counts.tolist(), strict=True)}

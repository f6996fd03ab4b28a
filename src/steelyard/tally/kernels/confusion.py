"""Rows by true and called class."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import RequestError
from steelyard.tally.kernels.histogram import byte_histogram

__all__ = ["DENSE_CLASSES", "count_pairs", "pair_matrix"]

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

"""Distinct combinations of several columns of codes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["distinct_rows", "joint_cells"]

Codes = NDArray[Any]

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

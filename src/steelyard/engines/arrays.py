"""Columns as arrays of numpy: what goes into the database and comes out of it without Arrow."""

from collections.abc import Sequence
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["array_of", "fill_gaps"]


def array_of(values: Sequence[object] | NDArray[Any]) -> NDArray[Any]:
    """Lay out one column: texts, numbers or true and false; None and NaN stand for nothing.

    Raises a TypeError where values of one column are of different kinds.

    >>> array_of(["a", None]).tolist(), array_of([1, None, 2]).tolist(), array_of([0.5, 1]).dtype
    (['a', None], [1, None, 2], dtype('float64'))
    """
    if isinstance(values, np.ndarray) and values.dtype.kind in "iufb" and values.ndim == 1:
        return values
    listed = values.tolist() if isinstance(values, np.ndarray) else list(values)
    gone = np.array([_is_gap(one) for one in listed], dtype=bool)
    kinds = {_kind(one) for one, none in zip(listed, gone, strict=True) if not none}
    if kinds <= {str}:
        # An array of texts of one width would become a list of categories.
        texts = np.empty(len(listed), dtype=object)
        texts[:] = [None if none else str(one) for one, none in zip(listed, gone, strict=True)]
        return texts
    if kinds not in ({bool}, {int}, {float}, {int, float}):
        found = ", ".join(sorted(kind.__name__ for kind in kinds))
        message = f"values of {found} in one column"
        raise TypeError(message)
    kind: type = float if float in kinds else next(iter(kinds))
    plain = [kind(0) if none else one for one, none in zip(listed, gone, strict=True)]
    numbers: NDArray[Any] = np.array(
        plain, dtype={bool: np.bool_, int: np.int64, float: np.float64}[kind]
    )
    return np.ma.MaskedArray(numbers, mask=gone) if gone.any() else numbers


def _is_gap(value: object) -> bool:
    return value is None or (isinstance(value, float) and isnan(value))


def _kind(value: object) -> type:
    if isinstance(value, str):
        return str
    if isinstance(value, bool | np.bool_):
        return bool
    if isinstance(value, int | np.integer):
        return int
    return float if isinstance(value, float | np.floating) else type(value)


def fill_gaps(column: Any) -> NDArray[Any]:  # noqa: ANN401
    """Put NaN, or None among texts, where the database has nothing, as Arrow does.

    >>> fill_gaps(np.ma.MaskedArray([1, 2], mask=[False, True])).tolist()
    [1.0, nan]
    """
    if not isinstance(column, np.ma.MaskedArray) or not np.ma.getmaskarray(column).any():
        return np.asarray(column)
    gone = np.ma.getmaskarray(column)
    filled: NDArray[Any] = column.data.astype(float if column.dtype.kind in "iuf" else object)
    filled[gone] = np.nan if column.dtype.kind in "iuf" else None
    return filled

"""Columns that carry names of their rows: paired by place only where these names agree."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from steelyard.errors import SourceError, printable

__all__ = ["refuse_other_rows"]


def refuse_other_rows(columns: Mapping[Any, Any]) -> None:
    """Refuse columns of pandas or xarray whose rows have different names.

    Columns are paired by their place. Of two columns with one index, the rows are the same; beside
    one whose index is another, nobody could tell which rows belong together. An index that only
    counts rows from 0 is a name too, once another column has names of its own.

    Examples
    --------
    >>> refuse_other_rows({"truth": [1, 0], "cnn": [1, 1]})
    """
    indexed = {
        str(name): index for name, part in columns.items() if (index := _index(part)) is not None
    }
    labelled = next((name for name, index in indexed.items() if not _counts_rows(index)), None)
    if labelled is None:
        return
    known = indexed[labelled]
    other = next((name for name, index in indexed.items() if not index.equals(known)), None)
    if other is None:
        return
    message = (
        f"Columns {printable(labelled)!r} and {printable(other)!r} have different indexes, so "
        "their rows cannot be paired by place. Align them first, for example with "
        "pandas.concat(columns, axis=1, join='inner'), or, if their order is right, pass "
        ".to_numpy() of each."
    )
    raise SourceError(message, code="rows-differ")


def _index(part: Any) -> Any:  # noqa: ANN401
    """Give the names of the rows of a column, if it has any.

    Whatever behaves like pandas or xarray is asked: subclasses, modin and cuDF stand elsewhere.
    """
    index = getattr(part, "index", None)
    if hasattr(index, "equals"):
        return index
    dims, indexes = getattr(part, "dims", ()), getattr(part, "indexes", None)
    return indexes.get(dims[0]) if indexes is not None and dims else None


def _counts_rows(index: Any) -> bool:  # noqa: ANN401
    values = index.to_numpy()
    return values.dtype.kind in "iu" and np.array_equal(values, np.arange(len(values)))

"""The rows of a result as a frame, for those who go on from there."""

from typing import TYPE_CHECKING, Any

from steelyard.errors import ExtraMissing, need
from steelyard.results import ROW_COLUMNS, Result

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["to_arrow", "to_pandas"]

NUMBERS = ("value", "low", "high", "level")
WHOLE = ("count", "total")


def to_arrow(result: Result) -> "pa.Table":
    """Give the tidy rows of a result as an Arrow table, of the same types for every kind.

    polars takes it as it is: ``polars.DataFrame(steelyard.to_arrow(result))``.

    Returns
    -------
    pyarrow.Table
        A row for each number of the result.

    Examples
    --------
    >>> from steelyard.results import Proportion
    >>> to_arrow(Proportion(measure="recall", successes=8, trials=10))["value"].to_pylist()
    [0.8]
    """
    need("pyarrow", "A table of Arrow")
    import pyarrow as pa

    rows = result.rows()
    columns = {}
    for name in ROW_COLUMNS:
        values = [row[name] for row in rows]
        if name in NUMBERS:
            columns[name] = pa.array(
                [None if x is None else float(x) for x in values], type=pa.float64()
            )
        elif name in WHOLE:
            columns[name] = pa.array(values, type=pa.int64())
        else:
            columns[name] = pa.array(
                [None if x is None else str(x) for x in values], type=pa.string()
            )
    return pa.table(columns)


def to_pandas(result: Result) -> Any:  # noqa: ANN401
    """Give the tidy rows of a result as a frame of pandas.

    Returns
    -------
    pandas.DataFrame
        A row for each number of the result.

    Raises
    ------
    ExtraMissing
        pandas is not installed; the message has the line to type.

    Examples
    --------
    >>> from steelyard.results import Proportion
    >>> to_pandas(Proportion(measure="recall", successes=8, trials=10))["value"].tolist()
    [0.8]
    """
    try:
        import pandas  # noqa: F401
    except ImportError:
        what = "A frame of pandas"
        raise ExtraMissing.for_part(what, "notebook") from None
    return to_arrow(result).to_pandas()

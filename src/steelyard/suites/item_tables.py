"""Tables of items in CSV or Parquet: the columns a problem needs, checked as they are read."""

import io
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from steelyard.display.saving import write_whole
from steelyard.errors import FileUnreadable, listing

__all__ = ["SUFFIXES", "Table", "find_table", "number_table", "read_table", "write_table"]

SUFFIXES = (".csv", ".parquet")

Table = dict[str, list[str] | NDArray[np.float64]]
"""Columns by name: text, or numbers."""

TEXTS = ("id", "class", "group", "file")
"""Columns that are text whatever they look like; all others hold numbers."""


def find_table(folder: Path, name: str) -> Path:
    """Find ``name.csv`` or ``name.parquet``, exactly one of them."""
    found = [folder / f"{name}{suffix}" for suffix in SUFFIXES]
    present = [path for path in found if path.is_file()]
    if len(present) != 1:
        what = "neither is there" if not present else "both are there"
        raise FileUnreadable.for_file(
            str(folder), f"expected {name}.csv or {name}.parquet; {what}.", fix="Keep exactly one."
        )
    return present[0]


def read_table(path: Path, *, texts: Sequence[str] = TEXTS) -> Table:
    """Read a table; the columns of ``texts`` as text, all others as numbers."""
    import pyarrow as pa

    try:
        table = _parquet(path) if path.suffix == ".parquet" else _csv(path)
    except (OSError, pa.ArrowException) as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise FileUnreadable.for_file(
            path.name,
            f"cannot be read ({first}).",
            fix="Write it as CSV with a header, or Parquet.",
        ) from None
    read: Table = {}
    for name, column in table.items():
        read[name] = (
            ["" if x is None else str(x) for x in column]
            if name in texts
            else _numbers(path, name, column)
        )
    return read


def _csv(path: Path) -> dict[str, list[object]]:
    import csv

    with path.open(newline="", encoding="utf-8-sig") as lines:
        try:
            rows = list(csv.reader(lines, strict=True))
        except (csv.Error, UnicodeDecodeError) as error:
            raise OSError(str(error)) from None
    if not rows:
        message = "it is empty"
        raise OSError(message)
    heads, body = rows[0], [row for row in rows[1:] if row]
    ragged = next((at for at, row in enumerate(body, 2) if len(row) != len(heads)), None)
    if ragged is not None or len(set(heads)) != len(heads):
        message = (
            "a column is named twice"
            if ragged is None
            else f"row {ragged} has another number of cells than the header"
        )
        raise OSError(message)
    return {head: [row[place] for row in body] for place, head in enumerate(heads)}


def _parquet(path: Path) -> dict[str, list[object]]:
    import pyarrow.parquet as pq

    read: dict[str, list[object]] = pq.read_table(path).to_pydict()
    return read


def _numbers(path: Path, name: str, column: Sequence[object]) -> NDArray[np.float64]:
    try:
        return np.array([np.nan if x is None else x for x in column], dtype=np.float64)
    except (TypeError, ValueError):
        raise FileUnreadable.for_file(
            path.name,
            f"column {name!r} does not hold numbers.",
            fix=f"Text columns: {listing(TEXTS)}.",
        ) from None


def number_table(table: Table) -> NDArray[np.float64]:
    """Give the columns of numbers side by side, a row for each item."""
    columns = [column for column in table.values() if not isinstance(column, list)]
    return np.column_stack(columns) if columns else np.empty((0, 0))


def write_table(path: Path, columns: Mapping[str, Sequence[object] | NDArray[np.float64]]) -> None:
    """Write a table whole or not at all; numbers so that they are read back exactly."""
    content = _parquet_bytes(columns) if path.suffix == ".parquet" else _csv_bytes(columns)
    write_whole(path, content)


def _csv_bytes(columns: Mapping[str, Sequence[object] | NDArray[np.float64]]) -> bytes:
    import csv

    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow(columns)
    plain = [c.tolist() if isinstance(c, np.ndarray) else c for c in columns.values()]
    writer.writerows(zip(*plain, strict=True))
    return made.getvalue().encode()


def _parquet_bytes(columns: Mapping[str, Sequence[object] | NDArray[np.float64]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    made = io.BytesIO()
    pq.write_table(pa.table(dict(columns)), made, compression="zstd")
    return made.getvalue()

"""Tables of items in CSV or Parquet: the columns a problem needs, checked as they are read."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from steelyard.display.saving import write_whole
from steelyard.errors import FileUnreadable, RequestError, SteelyardError, UnusableRows

__all__ = [
    "SUFFIXES",
    "Table",
    "find_table",
    "number_table",
    "read_table",
    "read_written",
    "write_table",
]

SUFFIXES = (".csv", ".parquet")

Table = dict[str, list[str] | NDArray[np.float64]]
"""Columns by name: text, or numbers."""

TEXTS = {"id": "item", "class": "truth", "group": "group", "file": "file"}
"""Columns that hold names whatever they look like, by their role; all others hold numbers."""


def find_table(folder: Path, name: str) -> Path:
    """Find ``name.csv`` or ``name.parquet``, exactly one of them."""
    found = [folder / f"{name}{suffix}" for suffix in SUFFIXES]
    present = [path for path in found if path.is_file()]
    if len(present) != 1:
        what = "neither is there" if not present else "both are there"
        raise FileUnreadable.for_file(
            folder.name, f"expected {name}.csv or {name}.parquet; {what}.", fix="Keep exactly one."
        )
    return present[0]


def read_table(
    path: Path,
    *,
    of: str = "",
    texts: Mapping[str, str] = TEXTS,
    numbers: Sequence[str] | None = None,
    finite: bool = True,
    dialect: Mapping[str, str] | None = None,
) -> Table:
    """Read a table that somebody else wrote, by the reader of all predictions.

    ``of`` is the problem it belongs to, for messages; ``numbers`` the columns of numbers that are
    read, all others by default; ``dialect`` what ``problem.toml`` says about delimited files.
    """
    # The process that runs an algorithm reads only what this one wrote, and needs no database.
    from steelyard.sources.files.files import FileOptions
    from steelyard.sources.shapes.item_columns import read_item_columns

    before = f"{of}/" if of else ""
    try:
        options = FileOptions(**(dialect or {}))  # type: ignore[arg-type]
        read = read_item_columns(path, texts=texts, wanted=numbers, finite=finite, options=options)
        if read.faults:
            raise UnusableRows.of(read.faults)
    except UnusableRows as refused:
        named = [replace(fault, where=f"{before}{fault.where}") for fault in refused.faults]
        raise UnusableRows.of(named) from None
    except SteelyardError as refused:
        there = " In a suite it stands in problem.toml." if of and "(--" in str(refused) else ""
        if of and isinstance(refused, RequestError):
            before, there = f"{before}problem.toml: ", ""
        message = f"{before}{refused}{there}"
        raise FileUnreadable(message, code=refused.code) from refused
    return {**{name: list(column) for name, column in read.texts.items()}, **read.numbers}


def read_written(path: Path) -> Table:
    """Read a CSV file that :func:`write_table` wrote a moment ago."""
    import csv

    with path.open(newline="", encoding="utf-8") as lines:
        heads, *rows = csv.reader(lines, strict=True)
    columns = {head: [row[place] for row in rows] for place, head in enumerate(heads)}
    return {
        name: column if name in TEXTS else np.array(column, dtype=np.float64)
        for name, column in columns.items()
    }


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

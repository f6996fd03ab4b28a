"""Items in files: tables in CSV or Parquet, grey images in portable grey maps (PGM)."""

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from steelyard.display.saving import write_whole
from steelyard.errors import FileUnreadable, RequestError, SteelyardError, UnusableRows, need

__all__ = [
    "SUFFIXES",
    "Image",
    "Table",
    "find_table",
    "number_table",
    "plain_image",
    "read_image",
    "read_table",
    "read_written",
    "write_image",
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
    need("pyarrow", "A table of a suite as Parquet")
    import pyarrow as pa
    import pyarrow.parquet as pq

    made = io.BytesIO()
    pq.write_table(pa.table(dict(columns)), made, compression="zstd")
    return made.getvalue()


Image = NDArray[np.float64]

HEADER = re.compile(rb"^(P[25])((?:\s+|#[^\n]*\n)+(\d+)){3}\s", re.DOTALL)
NUMBER = re.compile(rb"#[^\n]*\n|(\d+)")
LARGEST = 65535


def read_image(path: Path) -> Image:
    """Read a PGM file, plain (P2) or raw (P5), as numbers from 0 to its white.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as made:
    ...     write_image(Path(made) / "a.pgm", np.array([[0.0, 255.0]]))
    ...     read_image(Path(made) / "a.pgm").tolist()
    [[0.0, 255.0]]
    """
    return _read_pixels(path)[0].astype(np.float64)


def plain_image(path: Path) -> bytes:
    """Write the pixels of an image as raw PGM, and nothing else that stands in the file."""
    pixels, white = _read_pixels(path)
    height, width = pixels.shape
    raw = pixels.astype(">u2" if white > 255 else "u1").tobytes()
    return b"P5\n%d %d\n%d\n" % (width, height, white) + raw


def _read_pixels(path: Path) -> tuple[NDArray[np.integer], int]:
    """Read the pixels as they stand there, and the number of white."""
    content = path.read_bytes()
    header = HEADER.match(content)
    if header is None:
        raise _unreadable(path, "does not start as a PGM file (P2 or P5, width, height, white).")
    words = [int(found) for found in NUMBER.findall(content[2 : header.end()]) if found]
    width, height, white = words[:3]
    if not 0 < white <= LARGEST or width * height == 0:
        raise _unreadable(path, f"has the size {width} by {height} and the white {white}.")
    pixels = _pixels(content[header.end() :], plain=content[:2] == b"P2", wide=white > 255)
    if pixels.size < width * height or pixels[: width * height].max() > white:
        found = f"has {pixels.size:,} pixels of {width * height:,}, or some beyond white."
        raise _unreadable(path, found)
    return pixels[: width * height].reshape(height, width), white


def _pixels(body: bytes, *, plain: bool, wide: bool) -> NDArray[np.integer]:
    if plain:
        return np.array(body.split(), dtype=np.int64)
    kind = np.dtype(">u2" if wide else "u1")
    return np.frombuffer(body[: len(body) // kind.itemsize * kind.itemsize], kind)


def write_image(path: Path, image: Image) -> None:
    """Write a raw PGM of 256 greys; numbers are rounded and cut to 0 to 255."""
    grey = np.clip(np.rint(image), 0, 255).astype(np.uint8)
    height, width = grey.shape
    write_whole(path, b"P5\n%d %d\n255\n" % (width, height) + grey.tobytes())


def _unreadable(path: Path, found: str) -> FileUnreadable:
    return FileUnreadable.for_file(path.name, found, fix="Save it as a grey PGM.")

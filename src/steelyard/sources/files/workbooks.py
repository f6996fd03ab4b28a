"""Workbooks of a spreadsheet (xlsx): one sheet, written out as text and read as any CSV is."""

import csv
import datetime
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from steelyard.engines.local import LocalEngine
from steelyard.errors import FileUnreadable, listing, printable, switch
from steelyard.sources.files.formats import SAVE_AS

__all__ = ["is_workbook", "open_book", "write_sheet"]

MOST_BYTES = 1 << 29
"""Half a gibibyte unpacked is more than a full sheet of a million rows."""

MOST_TEXTS = 1 << 26
"""Texts are held in memory, each at several times its size."""
SMALL, MOST_TIMES = 1 << 25, 100
"""Sheets are packed to a twentieth of their size; what unpacks to more than this is a trap."""
MOST_TITLES = 10
HIDDEN = re.compile(rb"""<(?:\w+:)?row\s[^>]*\bhidden=["'](?:1|true)["']""")
NEEDED = f'Type: pip install "steelyard[excel]". Or without: {SAVE_AS}'


def is_workbook(path: Path) -> bool:
    """Tell a workbook from any other archive by the names inside it."""
    try:
        with zipfile.ZipFile(path) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except (zipfile.BadZipFile, OSError):
        return False


def write_sheet(
    engine: LocalEngine, path: Path, *, name: str, sheet: str | None
) -> tuple[Path, str, int]:
    """Write a sheet out as CSV into a scratch file; give that, its name and its hidden rows.

    The only sheet that holds anything is taken; of several one is named.
    """
    with open_book(path, name) as book:
        sheets = {one.title: one for one in book.worksheets}
        chosen = _choose_sheet(sheets, sheet, name)
        rows = _under_names(_below_title(_trim_rows(sheets[chosen].iter_rows(values_only=True))))
        copy = engine.scratch(".csv")
        with copy.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([_text(cell) for cell in row] for row in rows)
        return copy, chosen, _count_hidden(path, sheets[chosen])


@contextmanager
def open_book(path: Path, name: str) -> Iterator[Any]:
    """Open a workbook for its values; whatever is wrong inside it is said in words."""
    try:
        import openpyxl
    except ImportError:
        found = "a workbook is read by an optional part, which is not installed."
        raise FileUnreadable.for_file(name, found, fix=NEEDED, code="extra-missing") from None
    with zipfile.ZipFile(path) as archive:
        _refuse_bomb(archive.infolist(), name)
    try:
        with path.open("rb") as file:  # whatever its name is
            book = openpyxl.load_workbook(file, read_only=True, data_only=True)
            try:
                yield book
            finally:
                book.close()
    except FileUnreadable:
        raise
    except Exception as error:  # a damaged part may end in anything
        found = f"the workbook cannot be read ({type(error).__name__})."
        raise FileUnreadable.for_file(name, found, fix=SAVE_AS, code="damaged") from error


def _refuse_bomb(parts: Sequence[zipfile.ZipInfo], name: str) -> None:
    """Refuse what unpacks to more than a table holds; texts are held in memory, rows are not."""
    texts = sum(one.file_size for one in parts if one.filename.endswith("sharedStrings.xml"))
    packed = sum(one.compress_size for one in parts)
    whole = sum(one.file_size for one in parts)
    if whole > MOST_BYTES:
        found = f"unpacked it is larger than {MOST_BYTES >> 20} MiB, and is not opened."
    elif texts > MOST_TEXTS:
        found = f"unpacked its texts are larger than {MOST_TEXTS >> 20} MiB, and are not read."
    elif whole > SMALL and whole > MOST_TIMES * packed:
        found = f"it unpacks to {whole // packed:,} times its size, as no table does."
    else:
        return
    raise FileUnreadable.for_file(name, found, fix=SAVE_AS, code="archive")


def _choose_sheet(sheets: dict[str, Any], wanted: str | None, name: str) -> str:
    if wanted is not None:
        if wanted in sheets:
            return wanted
        found = f"there is no sheet {printable(wanted)!r}. Sheets: {listing(list(sheets))}."
        fix = f"Name one: {switch('table', next(iter(sheets), 'SHEET'))}."
        raise FileUnreadable.for_file(name, found, fix=fix, code="no-sheet")
    filled = [
        title
        for title, one in sheets.items()
        if next(_trim_rows(islice(one.iter_rows(values_only=True), 100)), None) is not None
    ]
    if len(filled) == 1:
        return filled[0]
    if not filled:
        fix = "Expected a header row with column names, then one row per item."
        found = "its sheets are empty."
        raise FileUnreadable.for_file(name, found, fix=fix, code="empty-file")
    found = f"{len(filled)} sheets hold something: {listing(filled)}."
    fix = f"Name the one that is meant: {switch('table', filled[0])}."
    raise FileUnreadable.for_file(name, found, fix=fix, code="no-sheet")


def _trim_rows(rows: Iterable[Sequence[object]]) -> Iterator[Sequence[object]]:
    """Leave out empty rows, and what stands right of the header without a name or a value."""
    width = None
    for row in rows:
        filled = [place for place, cell in enumerate(row) if cell not in (None, "")]
        if not filled:
            continue
        if width is None or (width == 1 and len(filled) > 1):  # the header, or a title above it
            width = filled[-1] + 1
        yield [*row[: max(width, filled[-1] + 1)], *[None] * (width - len(row))]


def _below_title(rows: Iterator[Sequence[object]]) -> Iterator[Sequence[object]]:
    """Leave out lines of one cell above a table of several columns: they are its title."""
    first = list(islice(rows, MOST_TITLES))
    filled = [sum(cell not in (None, "") for cell in row) for row in first]
    start = next((place for place, count in enumerate(filled) if count > 1), 0)
    yield from first[start:]
    yield from rows


def _under_names(rows: Iterator[Sequence[object]]) -> Iterator[Sequence[object]]:
    """Give a column without a name an empty one; in a sheet every cell has its place."""
    first = list(islice(rows, MOST_TITLES))
    width = max(map(len, first), default=0)
    yield from ([*row, *[None] * (width - len(row))] for row in first)
    yield from ([*row, *[None] * (width - len(row))] for row in rows)


def _count_hidden(path: Path, sheet: Any) -> int:  # noqa: ANN401
    """Count the rows that the sheet does not show, because of a filter or by hand."""
    found, left = 0, b""
    with zipfile.ZipFile(path) as archive, archive.open(sheet._worksheet_path) as part:
        while piece := part.read(1 << 20):
            whole = left + piece
            end = whole.rfind(b"<")
            found += len(HIDDEN.findall(whole[:end]))
            left = whole[end:]
    return found


def _text(cell: object) -> str:
    """Write a cell as the sheet shows it; whole numbers without a point."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    if isinstance(cell, datetime.datetime | datetime.date | datetime.time):
        return cell.isoformat()
    return str(cell)

"""Parquet and Arrow: files that know the types of their columns."""

import zlib
from collections.abc import Iterable, Sequence
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, NamedTuple

from steelyard.engines.local import LocalEngine
from steelyard.errors import FileUnreadable, need, printable
from steelyard.sources.explanations import explain_reading
from steelyard.sources.frames import plain_columns
from steelyard.sources.origins import (
    KEEP_BYTES,
    Choose,
    InputFile,
    Origin,
    all_columns,
    refuse_repeated_columns,
    select,
)

__all__ = ["check_pages", "open_arrow", "open_parquet", "page_header"]

# --- checksums of the pages of a Parquet file, where its writer left any -------------------------


COMPRESSED_SIZE, CHECKSUM = 3, 4
"""Numbers of the fields of a page header."""

TRUE, FALSE, BYTE, DOUBLE, BINARY, LIST, SET, STRUCT = 1, 2, 3, 7, 8, 9, 10, 12
INTEGERS = frozenset({4, 5, 6})
DEEPEST = 8


class PageHeader(NamedTuple):
    """Where the data of a page begin, how long they are, and their checksum, if there is one."""

    data: int
    size: int
    checksum: int | None


def check_pages(path: Path, name: str, chunks: Iterable[tuple[int, int]]) -> bool:
    """Compare every page of these chunks, given as (start, length), with its checksum.

    Says whether all of them have one. Stops at the first page without one: a writer leaves them
    for all pages or for none. A header that cannot be read is left to those who decode it.
    """
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as held:
        for start, length in chunks:
            place, end = start, min(start + length, len(held))
            while place < end:
                header = page_header(held, place)
                if header is None or header.checksum is None:
                    return False
                data = memoryview(held)[header.data : header.data + header.size]
                found = zlib.crc32(data)
                data.release()
                if found != header.checksum & 0xFFFFFFFF:
                    raise _explain_damage(name, place)
                place = header.data + header.size
    return True


def page_header(held: mmap | bytes, place: int) -> PageHeader | None:
    """Read the header of the page that begins at a place; None where there is no such thing.

    Examples
    --------
    >>> page_header(bytes([0x15, 0, 0x15, 8, 0x15, 8, 0x15, 2, 0]), 0)
    PageHeader(data=9, size=4, checksum=1)
    """
    reader = _Reader(held, place)
    try:
        fields = reader.struct(0)
    except (IndexError, ValueError):
        return None
    size = fields.get(COMPRESSED_SIZE)
    if size is None or size < 0:
        return None
    return PageHeader(reader.place, size, fields.get(CHECKSUM))


class _Reader:
    """Goes over a record of the compact protocol and keeps its whole numbers."""

    def __init__(self, held: mmap | bytes, place: int) -> None:
        self._held = held
        self.place = place

    def struct(self, depth: int) -> dict[int, int]:
        if depth > DEEPEST:
            raise ValueError
        found: dict[int, int] = {}
        number = 0
        while head := self._byte():
            step, kind = head >> 4, head & 15
            number = number + step if step else self._integer()
            if kind in INTEGERS:
                found[number] = self._integer()
            else:
                self._skip(kind, depth)
        return found

    def _skip(self, kind: int, depth: int) -> None:
        if kind in INTEGERS:
            self._integer()
        elif kind == BYTE:
            self.place += 1
        elif kind == DOUBLE:
            self.place += 8
        elif kind == BINARY:
            size = self._varint()
            self.place += size
        elif kind in (LIST, SET):
            self._skip_list(depth)
        elif kind == STRUCT:
            self.struct(depth + 1)
        elif kind not in (TRUE, FALSE):
            raise ValueError

    def _skip_list(self, depth: int) -> None:
        head = self._byte()
        size, kind = head >> 4, head & 15
        many = self._varint() if size == 15 else size
        if many > len(self._held) - self.place:  # each takes a byte at least
            raise ValueError
        for _ in range(many):
            self._skip(BYTE if kind in (TRUE, FALSE) else kind, depth + 1)

    def _byte(self) -> int:
        value = self._held[self.place]
        self.place += 1
        return value

    def _varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
            if shift > 63:
                raise ValueError

    def _integer(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)


def _explain_damage(name: str, place: int) -> FileUnreadable:
    found = f"the page at byte {place:,} does not match its checksum; something in it has changed."
    fix = "Copy the file again from where it was written."
    return FileUnreadable.for_file(name, found, fix=fix, code="damaged")


# --- parquet and Arrow: files that know the types of their columns -------------------------------


MARK = b"PAR1"
ARROW_STREAM = b"\xff\xff\xff\xff"
MANY_COLUMNS = 256
"""So many columns make every statement on a file slow, however few of them it names."""

DECODED_TWICE = 16 * 2**20
"""Bytes up to which a Parquet file without checksums is decoded by a second reader, too."""


def open_parquet(
    engine: LocalEngine, path: Path, *, name: str, choose: Choose = all_columns
) -> Origin:
    """Open Parquet in place: only the columns and pages that a question needs are read.

    A small file of very many columns is copied: every statement would go through all its names.
    """
    explain_reading(engine, path, name)
    _check_marks(path, name)
    names = engine.parquet_columns(path)
    refuse_repeated_columns(name, names)
    chosen = choose(names)
    checked = check_pages(path, name, engine.parquet_chunks(path))
    read_as = "Parquet"
    if not checked and path.stat().st_size <= DECODED_TWICE and not _check_decoding(path, name):
        read_as = "Parquet, by one reader alone"
    record = InputFile(name=name, path=path, read_as=read_as)
    if {*engine.parquet_long_decimals(path)} & {*chosen}:
        need("pyarrow", f"{printable(name)}: reading decimals of more than 38 digits")
        import pyarrow.parquet as pq

        table = engine.register(plain_columns(pq.read_table(path, columns=list(chosen))))
        return Origin(name=name, table=table, files=(record,), unread=_unread(names, chosen))
    table = engine.read_parquet(path)
    if len(chosen) < len(names) or len(names) > MANY_COLUMNS:
        small = path.stat().st_size <= KEEP_BYTES
        narrow = f"SELECT {select(chosen)} FROM {{t}}"
        table = table.derive(narrow, keep=small and len(names) > MANY_COLUMNS)
    return Origin(name=name, table=table, files=(record,), unread=_unread(names, chosen))


def open_arrow(
    engine: LocalEngine, path: Path, *, name: str, choose: Choose = all_columns
) -> Origin:
    """Open Arrow or Feather; a large file is mapped into memory.

    A mapped file that is cut short while it is read ends the process (the system's own refusal),
    so that files which fit are copied.
    """
    need("pyarrow", f"{printable(name)}: reading Arrow or Feather")
    import pyarrow as pa

    try:
        frame = _open(path, mapped=path.stat().st_size > engine.memory // 4)
    except (pa.ArrowException, OSError, ValueError) as error:
        found = f"not readable as Arrow or Feather ({str(error).splitlines()[0]})."
        fix = "Write or copy the file again, or give it the ending of its format."
        raise FileUnreadable.for_file(name, found, fix=fix, code="damaged") from error
    names = frame.column_names
    refuse_repeated_columns(name, names)
    chosen = choose(names)
    explain_reading(engine, path, name)
    record = InputFile(name=name, path=path, read_as="Arrow")
    table = engine.register(plain_columns(frame.select(list(chosen))))
    return Origin(name=name, table=table, files=(record,), unread=_unread(names, chosen))


def _unread(names: Sequence[str], chosen: Sequence[str]) -> tuple[str, ...]:
    read = set(chosen)
    return tuple(name for name in names if name not in read)


def _open(path: Path, *, mapped: bool) -> Any:  # noqa: ANN401
    import pyarrow as pa
    from pyarrow import feather

    with path.open("rb") as file:
        if file.read(len(ARROW_STREAM)) != ARROW_STREAM:
            return feather.read_table(path, memory_map=mapped)
    source = pa.memory_map(str(path)) if mapped else pa.OSFile(str(path))
    return pa.ipc.open_stream(source).read_all()


def _check_decoding(path: Path, name: str) -> bool:
    """Refuse a file that Arrow cannot decode: the database fills broken pages with some value.

    What Arrow merely does not know, such as a rare encoding, is left to the database. Tells
    whether there is an Arrow to ask.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        return False
    try:
        with pq.ParquetFile(path) as file:
            for _ in file.iter_batches():
                pass
    except pa.ArrowNotImplementedError:
        return True
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        found = f"a page cannot be read ({printable(reason)}); something in it has changed."
        fix = "Copy the file again from where it was written."
        raise FileUnreadable.for_file(name, found, fix=fix, code="damaged") from error
    return True


def _check_marks(path: Path, name: str) -> None:
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(len(MARK))
        file.seek(max(0, size - len(MARK)))
        tail = file.read()
    if size == 0:
        found, code = "the file is empty.", "empty-file"
    elif head != MARK:
        found, code = "this is not Parquet: it does not start with the mark PAR1.", "damaged"
    elif tail != MARK or size < 3 * len(MARK):
        found, code = "truncated: the closing mark PAR1 is missing.", "truncated"
    else:
        return
    fix = "Write or copy the file again, or give it the ending of its format."
    raise FileUnreadable.for_file(name, found, fix=fix, code=code)

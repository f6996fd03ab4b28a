"""Checksums of the pages of a Parquet file, where its writer left any.

The database does not look at them, and a bit that flips in a page without compression would be a
wrong number. A page's header is a record in Thrift's compact protocol, of which only the size and
the checksum matter here.
"""

import zlib
from collections.abc import Iterable
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import NamedTuple

from steelyard.errors import FileUnreadable

__all__ = ["check_pages", "page_header"]

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
                    raise _damaged(name, place)
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


def _damaged(name: str, place: int) -> FileUnreadable:
    found = f"the page at byte {place:,} does not match its checksum; something in it has changed."
    fix = "Copy the file again from where it was written."
    return FileUnreadable.for_file(name, found, fix=fix, code="damaged")

"""Zip files of logs: read by name and within limits; nothing is ever unpacked to disk."""

import struct
import zipfile
import zlib
from pathlib import Path
from typing import IO, Any

from steelyard.errors import ExtraMissing, FileUnreadable

__all__ = ["Archive", "is_archive"]

MOST_MEMBERS = 500_000
MOST_BYTES = 1 << 30
"""So much may come out of one member (1 GiB)."""

MOST_RATIO = 1_000
"""Text packs 3 to 100 times; a member that grows more than this is a trap."""

SMALL = 1 << 20
ZSTD = 93
HEADER = 30


def is_archive(head: bytes) -> bool:
    """Tell a zip file by its first bytes."""
    return head.startswith(b"PK\x03\x04")


class Archive:
    """An open zip file whose members are read into memory, each within the limits."""

    def __init__(self, path: Path, name: str) -> None:
        self._name = name
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise self._damaged(str(error)) from error
        if len(self._zip.infolist()) > MOST_MEMBERS:
            self._zip.close()
            found = f"it holds more than {MOST_MEMBERS:,} members."
            raise self._refused(found)
        self.members = frozenset(self._zip.namelist())

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def read(self, member: str) -> bytes:
        """Read one member; it may be stored, deflated or packed with zstd."""
        entry = self._zip.getinfo(member)
        if entry.flag_bits & 1:
            found = f"{member} is encrypted."
            raise self._refused(found)
        limit = MOST_BYTES
        if entry.file_size > SMALL:
            limit = min(limit, max(SMALL, entry.compress_size * MOST_RATIO))
        if entry.file_size > limit:
            raise self._bomb(member)
        try:
            content = self._zstd(entry) if entry.compress_type == ZSTD else self._plain(entry)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, struct.error) as error:
            raise self._damaged(str(error)) from error
        except NotImplementedError as error:
            found = f"{member} is packed in a way that cannot be read ({error})."
            raise self._refused(found) from error
        if len(content) > entry.file_size:
            raise self._bomb(member)
        return content

    def _plain(self, entry: zipfile.ZipInfo) -> bytes:
        # One byte more than declared is enough to find out a member that lies about its size.
        with self._zip.open(entry) as file:
            return file.read(entry.file_size + 1)

    def _zstd(self, entry: zipfile.ZipInfo) -> bytes:
        zstandard = _zstandard()
        stream: IO[bytes] | None = self._zip.fp
        if stream is None:
            raise OSError(entry.filename)
        stream.seek(entry.header_offset)
        names = struct.unpack("<HH", stream.read(HEADER)[26:30])
        stream.seek(entry.header_offset + HEADER + sum(names))
        packed = stream.read(entry.compress_size)
        try:
            with zstandard.ZstdDecompressor().stream_reader(packed) as reader:
                content: bytes = reader.read(entry.file_size + 1)
        except zstandard.ZstdError as error:
            raise zipfile.BadZipFile(str(error)) from error
        if len(content) <= entry.file_size and zlib.crc32(content) != entry.CRC:
            message = f"bad checksum of {entry.filename}"
            raise zipfile.BadZipFile(message)
        return content

    def _bomb(self, member: str) -> FileUnreadable:
        return self._refused(f"{member} grows far beyond its size when it is unpacked.")

    def _refused(self, found: str) -> FileUnreadable:
        fix = "No log of an evaluation looks like this; it was not read."
        return FileUnreadable.for_file(self._name, found, fix=fix, code="archive")

    def _damaged(self, why: str) -> FileUnreadable:
        fix = "Was it copied in part? Fetch it again."
        return FileUnreadable.for_file(
            self._name, f"the zip file is damaged ({why[:120]}).", fix=fix, code="damaged"
        )


def _zstandard() -> Any:  # noqa: ANN401
    try:
        import zstandard
    except ImportError:
        what = "Reading logs packed with zstd"
        raise ExtraMissing.for_part(what, "logs") from None
    return zstandard

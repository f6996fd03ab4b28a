"""Inspect: ``.eval`` archives, ``.json`` logs, and runs that crashed before their header."""

import json
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from steelyard.errors import ExtraMissing, FileUnreadable, counted, printable
from steelyard.sources.logs.json_text import parse, read_json
from steelyard.sources.logs.log_format import (
    Head,
    Log,
    LogFormat,
    LogRow,
    as_number,
    as_text,
    plain_facts,
)

__all__ = ["FORMATS", "Archive", "is_archive"]

# --- zip files of logs: read by name and within limits; nothing is ever unpacked to disk ---------


MOST_MEMBERS = 500_000
MOST_BYTES = 1 << 30
"""So much may come out of one member (1 GiB)."""

MOST_RATIO = 1_000
"""Text packs 3 to 100 times; a member that grows more than this is a trap."""

SMALL = 1 << 20
ZSTD = 93
ARCHIVES_HEADER = 30


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
            raise self._refuse_damaged(str(error)) from error
        if len(self._zip.infolist()) > MOST_MEMBERS:
            self._zip.close()
            found = f"it holds more than {MOST_MEMBERS:,} members."
            raise self._refuse(found)
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
            raise self._refuse(found)
        limit = MOST_BYTES
        if entry.file_size > SMALL:
            limit = min(limit, max(SMALL, entry.compress_size * MOST_RATIO))
        if entry.file_size > limit:
            raise self._bomb(member)
        try:
            content = self._zstd(entry) if entry.compress_type == ZSTD else self._plain(entry)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, struct.error) as error:
            raise self._refuse_damaged(str(error)) from error
        except NotImplementedError as error:
            found = f"{member} is packed in a way that cannot be read ({error})."
            raise self._refuse(found) from error
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
        names = struct.unpack("<HH", stream.read(ARCHIVES_HEADER)[26:30])
        stream.seek(entry.header_offset + ARCHIVES_HEADER + sum(names))
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
        return self._refuse(f"{member} grows far beyond its size when it is unpacked.")

    def _refuse(self, found: str) -> FileUnreadable:
        fix = "No log of an evaluation looks like this; it was not read."
        return FileUnreadable.for_file(self._name, found, fix=fix, code="archive")

    def _refuse_damaged(self, why: str) -> FileUnreadable:
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


# --- inspect: ``.eval`` archives, ``.json`` logs, and runs that crashed before their header ------


HEADER, START = "header.json", "_journal/start.json"
SUMMARIES, JOURNAL = "summaries.json", "_journal/summaries/"


def _tells_archive(head: Head) -> bool:
    if not is_archive(head.start):
        return False
    # The names of members stand in front of each; a workbook or a jar starts with other ones.
    return head.path.suffix.lower() == ".eval" or START.encode() in head.start


def _tells_json(head: Head) -> bool:
    return {"version", "status", "eval"} <= head.keys


def _read_archive(path: Path, name: str) -> Log:
    with Archive(path, name) as archive:
        if HEADER in archive.members:
            header = parse(archive.read(HEADER), f"{name}, {HEADER}")
        elif START in archive.members:
            header = {**parse(archive.read(START), f"{name}, {START}"), "status": "crashed"}
        else:
            found = f"there is neither {HEADER} nor {START} in it."
            fix = "Expected a log of Inspect, a zip file that it wrote itself."
            raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log")
        members = [SUMMARIES] if SUMMARIES in archive.members else _journal(archive.members)
        samples = [one for m in members for one in parse(archive.read(m), f"{name}, {m}")]
    return _log(header, samples, name)


def _journal(members: frozenset[str]) -> list[str]:
    found = [member for member in members if member.startswith(JOURNAL)]
    return sorted(found, key=lambda member: (len(member), member))


def _read_json(path: Path, name: str) -> Log:
    whole = read_json(path, name)
    return _log(whole, whole.get("samples") or [], name)


def _log(header: Mapping[str, Any], samples: Sequence[Mapping[str, Any]], name: str) -> Log:
    try:
        about = header["eval"]
        model, task = str(about["model"]), str(about["task"])
        rows = [_row(sample, model, task) for sample in samples]
    except (KeyError, TypeError, AttributeError) as error:
        found = f"a field of the log is missing or of another kind ({printable(error)})."
        fix = "Expected a log of Inspect with eval.model, eval.task and samples."
        raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log") from error
    return Log(rows=rows, asked="scorer", caveats=tuple(_doubts(header, name, len(rows))))


def _row(sample: Mapping[str, Any], model: str, task: str) -> LogRow:
    scores = sample.get("scores") or {}
    error = sample.get("error")
    if not scores and not error:
        error = "not scored"
    return LogRow(
        item=as_text(sample["id"]),
        system=model,
        task=task,
        repeat=as_text(sample.get("epoch", 1)),
        values={
            judge: number
            for scorer, score in scores.items()
            for judge, value in _parts(scorer, score["value"])
            if (number := as_number(value)) is not None
        },
        error=_message(error) if not scores and error else None,
        facts=plain_facts(sample.get("metadata")),
    )


def _parts(scorer: str, value: object) -> list[tuple[str, object]]:
    """Give one judge for each key of a dict; a list has no names to choose by."""
    if isinstance(value, Mapping):
        return [(f"{scorer}.{key}", one) for key, one in value.items()]
    return [(scorer, value)]


def _message(error: object) -> str:
    text = error.get("message") if isinstance(error, Mapping) else error
    return str(text) if isinstance(text, str) else json.dumps(text)


def _doubts(header: Mapping[str, Any], name: str, rows: int) -> Iterator[str]:
    status = header.get("status")
    if status != "success":
        said = f"{printable(name)}: the run ended as {printable(status)!r}, with "
        yield f"{said}{counted(rows, 'sample')} in the log"
    stops = ((header.get("results") or {}).get("early_stopping") or {}).get("early_stops") or []
    if stops:
        yield (
            f"{printable(name)}: {counted(len(stops), 'sample')} not run, stopped early by the "
            "run's own rule; items left out by what was seen make every interval doubtful"
        )


FORMATS = (
    LogFormat(
        name="Inspect .eval",
        tells=_tells_archive,
        read=_read_archive,
        item="sample id",
        repeats="epochs",
        traps="zstd and deflate, no header, ids of two types, dict scores, errors, zip bombs",
    ),
    LogFormat(
        name="Inspect .json",
        tells=_tells_json,
        read=_read_json,
        item="sample id",
        repeats="epochs",
        traps="early stopping, dict scores, errors",
    ),
)

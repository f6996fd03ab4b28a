"""lighteval: ``details_*.parquet``, a row for each document."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from steelyard.errors import FileUnreadable, need, printable
from steelyard.sources.logs.log_format import Head, Log, LogFormat, LogRow, as_number, as_text

__all__ = ["FORMATS"]

COLUMNS = {"doc", "model_response", "metric"}


def _tells(head: Head) -> bool:
    if not head.start.startswith(b"PAR1"):
        return False
    if b"model_response" not in _footer(head.path):
        return False
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        return True  # to be refused, with what to type, when it is read
    try:
        return set(pq.read_schema(head.path).names) >= COLUMNS
    except (pa.ArrowException, OSError, UnicodeDecodeError):  # a name that is no text
        return False


def _footer(path: Path) -> bytes:
    """Read the end of a Parquet file, which names its columns."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - 8))
        length = int.from_bytes(file.read(4), "little")
        file.seek(max(0, size - 8 - length))
        return file.read(length)


def _read(path: Path, name: str) -> Log:
    need("pyarrow", f"{printable(name)}: reading details of lighteval", extra="logs")
    import pyarrow.parquet as pq

    system = path.resolve().parent.name
    try:
        found = pq.read_table(path, columns=["doc", "metric"]).to_pylist()
        rows = [_row(one, system) for one in found]
    except (KeyError, TypeError, AttributeError) as error:
        reason = f"a row lacks a field or holds one of another kind ({printable(error)})."
        fix = "Expected details as lighteval writes them."
        raise FileUnreadable.for_file(name, reason, fix=fix, code="not-a-log") from error
    return Log(rows=rows, notes=(f"system {printable(system)}, after the folder",))


def _row(one: Mapping[str, Any], system: str) -> LogRow:
    doc, metric = one["doc"], one["metric"]
    values = {name: x for name, value in metric.items() if (x := as_number(value)) is not None}
    return LogRow(
        item=as_text(doc["id"]),
        system=system,
        task=str(doc.get("task_name") or ""),
        values=values,
        error=None if values else "not scored",
    )


FORMATS = (
    LogFormat(
        name="lighteval details",
        tells=_tells,
        read=_read,
        item="doc.id",
        repeats="none",
        traps="several metrics",
        provenance="unverified",
    ),
)

"""Parquet and Arrow: files that know the types of their columns."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from steelyard.engines.local import LocalEngine
from steelyard.errors import FileUnreadable, printable
from steelyard.sources.explanations import explain_reading
from steelyard.sources.files.parquet_pages import check_pages
from steelyard.sources.origins import (
    KEEP_BYTES,
    Choose,
    InputFile,
    Origin,
    all_columns,
    refuse_repeated_columns,
    select,
)

__all__ = ["open_arrow", "open_parquet"]

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
    if not checked and path.stat().st_size <= DECODED_TWICE:
        _check_decoding(path, name)
    record = InputFile(name=name, path=path, read_as="Parquet")
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
    import pyarrow as pa

    try:
        frame = _opened(path, mapped=path.stat().st_size > engine.memory // 4)
    except (pa.ArrowException, OSError, ValueError) as error:
        found = f"not readable as Arrow or Feather ({str(error).splitlines()[0]})."
        fix = "Write or copy the file again, or give it the ending of its format."
        raise FileUnreadable.for_file(name, found, fix=fix, code="damaged") from error
    names = frame.column_names
    refuse_repeated_columns(name, names)
    chosen = choose(names)
    explain_reading(engine, path, name)
    record = InputFile(name=name, path=path, read_as="Arrow")
    table = engine.register(frame.select(list(chosen)))
    return Origin(name=name, table=table, files=(record,), unread=_unread(names, chosen))


def _unread(names: Sequence[str], chosen: Sequence[str]) -> tuple[str, ...]:
    read = set(chosen)
    return tuple(name for name in names if name not in read)


def _opened(path: Path, *, mapped: bool) -> Any:  # noqa: ANN401
    import pyarrow as pa
    from pyarrow import feather

    with path.open("rb") as file:
        if file.read(len(ARROW_STREAM)) != ARROW_STREAM:
            return feather.read_table(path, memory_map=mapped)
    source = pa.memory_map(str(path)) if mapped else pa.OSFile(str(path))
    return pa.ipc.open_stream(source).read_all()


def _check_decoding(path: Path, name: str) -> None:
    """Refuse a file that Arrow cannot decode: the database fills broken pages with some value.

    What Arrow merely does not know, such as a rare encoding, is left to the database.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            for _ in file.iter_batches():
                pass
    except pa.ArrowNotImplementedError:
        return
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        found = f"a page cannot be read ({printable(reason)}); something in it has changed."
        fix = "Copy the file again from where it was written."
        raise FileUnreadable.for_file(name, found, fix=fix, code="damaged") from error


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

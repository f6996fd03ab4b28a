"""Parquet and Arrow: files that know the types of their columns."""

from pathlib import Path
from typing import Any

from steelyard.engines.local import LocalEngine
from steelyard.errors import FileUnreadable, printable
from steelyard.sources.explanations import explain_reading
from steelyard.sources.origins import InputFile, Origin, refuse_repeated_columns
from steelyard.sources.parquet_pages import check_pages

__all__ = ["open_arrow", "open_parquet"]

MARK = b"PAR1"
ARROW_STREAM = b"\xff\xff\xff\xff"
DECODED_TWICE = 16 * 2**20
"""Bytes up to which a Parquet file without checksums is decoded by a second reader, too."""


def open_parquet(engine: LocalEngine, path: Path, *, name: str) -> Origin:
    """Open Parquet in place: only the columns and pages that a question needs are read."""
    explain_reading(engine, path, name)
    _check_marks(path, name)
    refuse_repeated_columns(name, engine.parquet_columns(path))
    checked = check_pages(path, name, engine.parquet_chunks(path))
    if not checked and path.stat().st_size <= DECODED_TWICE:
        _check_decoding(path, name)
    record = InputFile(name=name, path=path, read_as="Parquet")
    return Origin(name=name, table=engine.read_parquet(path), files=(record,))


def open_arrow(engine: LocalEngine, path: Path, *, name: str) -> Origin:
    """Open Arrow or Feather by mapping it into memory."""
    import pyarrow as pa

    try:
        frame = _mapped(path)
    except (pa.ArrowException, OSError, ValueError) as error:
        found = f"not readable as Arrow or Feather ({str(error).splitlines()[0]})."
        fix = "Write or copy the file again, or give it the ending of its format."
        raise FileUnreadable.for_file(name, found, fix=fix, code="damaged") from error
    refuse_repeated_columns(name, frame.column_names)
    explain_reading(engine, path, name)
    record = InputFile(name=name, path=path, read_as="Arrow")
    return Origin(name=name, table=engine.register(frame), files=(record,))


def _mapped(path: Path) -> Any:  # noqa: ANN401
    import pyarrow as pa
    from pyarrow import feather

    with path.open("rb") as file:
        if file.read(len(ARROW_STREAM)) != ARROW_STREAM:
            return feather.read_table(path, memory_map=True)
    return pa.ipc.open_stream(pa.memory_map(str(path))).read_all()


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

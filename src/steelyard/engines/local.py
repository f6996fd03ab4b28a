"""DuckDB: tables on one machine."""

import atexit
import itertools
import os
import shutil
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, clear_overloads

import duckdb
import numpy as np
from numpy.typing import NDArray

from steelyard.engines.dialect import DUCKDB, Dialect, quote_literal, quote_name, with_table
from steelyard.engines.identity import FileIdentity
from steelyard.engines.memory import memory_budget
from steelyard.engines.table import ColumnKind, Statement
from steelyard.errors import ExtraMissing, FileUnreadable, RefusedData, SteelyardError, need

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["LocalEngine", "LocalTable", "remove_scratch"]

INTEGERS = frozenset(
    "TINYINT SMALLINT INTEGER BIGINT HUGEINT UTINYINT USMALLINT UINTEGER UBIGINT UHUGEINT".split()
)
REALS = ("FLOAT", "DOUBLE", "DECIMAL")
TEXTS = ("VARCHAR", "ENUM", "UUID", "DATE", "TIME", "TIMESTAMP", "BLOB")


DECIMAL_DIGITS = 38
"""Decimals of more digits become floating point in the database, without a word."""
FOLDERS: set[Path] = set()
"""Temporary folders of all engines of this process."""
STARTED: dict[int, duckdb.DuckDBPyConnection] = {}
"""The database of this process, by its memory: starting one takes longer than a small question."""
STARTING = threading.Lock()
PRIVATE: dict[int, Path] = {}
"""The folder around them, by the number of the process: one that was forked makes its own."""

# typing keeps overloads, which keep their modules, which keep the database: so it would not be
# closed before Python has ended, and would complain to whoever typed a script.
atexit.register(clear_overloads)


def remove_scratch() -> None:
    """Remove all temporary files at once, when a process has to end without tidying up."""
    for folder in list(FOLDERS):
        _remove(folder)


class LocalEngine:
    """A connection to the in-memory database, the tables it has read, and the statements it ran.

    ``explain`` turns a complaint of the database, whenever it comes, into a refusal in our words:
    files are read lazily, so that a damaged page may be found long after a file was opened.
    """

    def __init__(
        self,
        *,
        observe: Callable[[Statement], None] | None = None,
        memory: str | int | None = None,
    ) -> None:
        self.memory = memory_budget(memory)
        self._scratch: Path | None = None
        self._database = _connect(self.memory)
        # In a notebook without ipywidgets there is no bar, and the setting is refused.
        with suppress(duckdb.InvalidInputException):
            self._database.execute("SET enable_progress_bar = false")
        self._observe = observe
        self._numbers = itertools.count()
        self._hidden: dict[str, str] = {}
        self.noted: dict[Path, FileIdentity] = {}
        # No bound method: whoever keeps it must not keep the database and its threads alive.
        self.without_secrets = partial(_without_secrets, self._hidden)
        self.explain: Callable[[Exception], SteelyardError] = _plainly

    def scratch(self, suffix: str = "") -> Path:
        """Name a new temporary file; it is removed together with this engine."""
        if self._scratch is None:
            self._scratch = Path(tempfile.mkdtemp(dir=_private_folder()))
            FOLDERS.add(self._scratch)
            weakref.finalize(self, _remove, self._scratch)
        return self._scratch / f"{next(self._numbers)}{suffix}"

    def note(self, path: Path) -> None:
        """Remember which file this is, the first time it is spoken of."""
        if path not in self.noted and (found := FileIdentity.of(path)) is not None:
            self.noted[path] = found

    def _refuse_change(self) -> None:
        """Refuse rows of a file that is no longer the one which was noted."""
        for path, identity in self.noted.items():
            if not identity.still(path):
                raise FileUnreadable.for_change(path.name)

    def run(self, sql: str) -> list[tuple[Any, ...]]:
        """Run one statement, report it to the observer and fetch its rows."""
        with self._time(sql):
            return self._database.execute(sql).fetchall()

    def run_for_arrays(self, sql: str) -> dict[str, NDArray[np.generic]]:
        """Run one statement and fetch its columns."""
        with self._time(sql):
            fetched = self._database.execute(sql).fetchnumpy()
        return {name: np.asarray(column) for name, column in fetched.items()}

    def run_for_batches(self, sql: str, rows: int) -> Iterator[dict[str, NDArray[np.generic]]]:
        """Run one statement and hand over its columns, so many rows at a time."""
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            yield from self._pages(sql, rows)
            return
        with self._time(sql):
            # A relation streams; a result of execute would be copied as a whole first.
            reader: Any = self._database.sql(sql).to_arrow_reader(rows)
            for batch in reader:
                yield {
                    name: column.to_numpy(zero_copy_only=False)
                    for name, column in zip(batch.schema.names, batch.columns, strict=True)
                }

    def run_for_arrow(self, sql: str, rows: int) -> Iterator["pa.RecordBatch"]:
        """Run one statement and hand over its rows as Arrow, so many at a time."""
        need("pyarrow", "Reading a list of numbers for each item")
        with self._time(sql):
            yield from self._database.sql(sql).to_arrow_reader(rows)

    def _pages(self, sql: str, rows: int) -> Iterator[dict[str, NDArray[np.generic]]]:
        """Hand over columns without Arrow: the rows are kept in the database, and read in parts.

        The database writes to disk what does not fit, as it does for every table.
        """
        from steelyard.engines.arrays import fill_gaps

        table = self.table(sql, keep=True)
        ((size,),) = self.run(f"SELECT COUNT(*) FROM {table.name}")
        for start in range(0, size, rows):
            part = f"WHERE rowid >= {start} AND rowid < {start + rows}"
            with self._time(sql):
                fetched = self._database.execute(f"SELECT * FROM {table.name} {part}").fetchnumpy()
            yield {name: fill_gaps(column) for name, column in fetched.items()}
        self.run(f"DROP TABLE {table.name}")

    def hold(self, batches: Iterator["pa.RecordBatch"]) -> "LocalTable":
        """Name rows that were made outside of the database; many of them are kept on disk."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        near: list[pa.RecordBatch] = []
        size, path, writer = 0, None, None
        for batch in batches:
            near.append(batch)
            size += batch.nbytes
            if size <= self.memory // 4:
                continue
            if writer is None:
                path = self.scratch(".parquet")
                writer = pq.ParquetWriter(path, batch.schema)
            while near:
                writer.write_batch(near.pop(0))
        if writer is None or path is None:
            return self.register(pa.Table.from_batches(near))
        writer.close()
        return self.read_parquet(path)

    def tell_plan(self, plan: str) -> None:
        """Tell the observer, where it wants to know, how the rows will be counted."""
        tell = getattr(self._observe, "plan", None)
        if tell is not None:
            tell(plan)

    def tell_progress(self, done: int, rows: int) -> None:
        """Tell the observer, where it wants to know, how many rows have been read."""
        tell = getattr(self._observe, "progress", None)
        if tell is not None:
            tell(done, rows)

    @contextmanager
    def _time(self, sql: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        except duckdb.InterruptException:
            raise KeyboardInterrupt from None
        except duckdb.Error as error:
            if isinstance(error, duckdb.FatalException):  # its database answers nobody any more
                STARTED.clear()
            self._refuse_change()
            raise self.explain(error) from (None if self._hidden else error)
        except RuntimeError as error:
            # This is how the database says that Ctrl-C was pressed while it was at work.
            if "interrupted" in str(error).lower():
                raise KeyboardInterrupt from None
            raise
        # After every statement, not once at the end: a digest may be taken between two of them,
        # and rows that are read later have to be those of the file that it names.
        self._refuse_change()
        if self._observe is not None:
            seconds = time.perf_counter() - start
            self._observe(Statement(sql=self.without_secrets(sql), seconds=seconds))

    def hide(self, secret: str, shown: str) -> None:
        """Show an address without its keys in statements and messages from now on."""
        self._hidden[secret] = shown

    def table(self, sql: str, *, keep: bool = False) -> "LocalTable":
        """Name the rows of a query; ``keep`` computes them once and holds them in memory."""
        name = self._new_name()
        self.run(f"CREATE TEMP {'TABLE' if keep else 'VIEW'} {name} AS {sql}")
        return self._describe(name)

    def register(self, frame: object) -> "LocalTable":
        """Name an Arrow table or stream that lives in this process."""
        name = self._new_name()
        try:
            self._database.register(name, frame)
        except duckdb.Error as error:
            raise self.explain(error) from error
        return self._describe(name)

    def register_columns(self, columns: Mapping[str, Sequence[object]]) -> "LocalTable":
        """Name columns of texts or numbers, None where nothing stands, that live in this process.

        They are handed over as arrays, which takes no Arrow.
        """
        from steelyard.engines.arrays import array_of

        return self.register({name: array_of(values) for name, values in columns.items()})

    def read_csv(
        self, path: Path, *, columns: Sequence[str], options: Mapping[str, str]
    ) -> "LocalTable":
        """Read a delimited file with every column as text; the dialect is given, never guessed."""
        typed = ", ".join(f"{quote_literal(name)}: 'VARCHAR'" for name in columns)
        given = "".join(f", {key} = {value}" for key, value in options.items())
        return self.table(
            f"SELECT * FROM read_csv({_path(path)}, columns = {{{typed}}}, auto_detect = false, "
            f"strict_mode = true, null_padding = false{given})"
        )

    def read_typed_csv(
        self, path: Path, *, columns: Mapping[str, str], nothing: str
    ) -> "LocalTable":
        """Read what a database copied out: types are known, and nothing is no empty text."""
        typed = ", ".join(
            f"{quote_literal(name)}: {quote_literal(kind)}" for name, kind in columns.items()
        )
        return self.table(
            f"SELECT * FROM read_csv({_path(path)}, columns = {{{typed}}}, auto_detect = false, "
            f"header = false, delim = ',', quote = '\"', escape = '\"', strict_mode = true, "
            f"nullstr = {quote_literal(nothing)}, allow_quoted_nulls = false)"
        )

    def read_parquet(self, path: Path) -> "LocalTable":
        """Read Parquet in place; NaN in filters is handled because it is declared possible."""
        return self._parquet(_path(path))

    def _parquet(self, written: str) -> "LocalTable":
        # Names of folders become columns where the source says so, never by themselves.
        return self.table(
            f"SELECT * FROM read_parquet({written}, can_have_nan = true, hive_partitioning = false)"
        )

    def reach(self, extension: str, *, address: str) -> None:
        """Load what reads an address, if the user's DuckDB has it; nothing is ever downloaded."""
        try:
            self._database.execute(f"LOAD {extension}")
        except duckdb.Error as error:
            raise ExtraMissing.for_extension(address, extension) from error

    def remote_parquet(self, address: str) -> "LocalTable":
        """Read Parquet where it lies."""
        return self._parquet(quote_literal(address))

    def remote_size(self, address: str) -> int:
        """Ask how many bytes a file elsewhere has, without fetching them."""
        ((size,),) = self.run(f"SELECT size FROM read_blob({quote_literal(address)})")
        return int(size or 0)

    def list_addresses(self, pattern: str) -> list[str]:
        """List the addresses that a pattern means, sorted."""
        rows = self.run(f"SELECT file FROM glob({quote_literal(pattern)}) ORDER BY file")
        return [str(file) for (file,) in rows]

    def fetch(self, address: str, *, name: str) -> Path:
        """Copy a file from elsewhere into a scratch folder, under its own name."""
        ((content,),) = self.run(f"SELECT content FROM read_blob({quote_literal(address)})")
        folder = self.scratch()
        folder.mkdir()
        copy = folder / (name.replace("/", "_").strip(".") or "file")
        copy.write_bytes(content)
        return copy

    def parquet_columns(self, path: Path) -> list[str]:
        """List the columns as the file names them: the database would rename repeated ones."""
        rows = self.run(f"SELECT name, num_children FROM parquet_schema({_path(path)})")
        names, skip = [], 0
        for name, children in rows[1:]:
            if skip == 0:
                names.append(str(name))
            else:
                skip -= 1
            skip += int(children or 0)
        return names

    def parquet_long_decimals(self, path: Path) -> list[str]:
        """List the columns whose decimals have more digits than the database keeps."""
        sql = f"SELECT name FROM parquet_schema({_path(path)}) WHERE precision > {DECIMAL_DIGITS}"
        return [str(name) for (name,) in self.run(sql)]

    def parquet_chunks(self, path: Path) -> list[tuple[int, int]]:
        """List where the pages of each column begin in the file, and how long they are."""
        rows = self.run(
            "SELECT LEAST(data_page_offset, CASE WHEN dictionary_page_offset > 0 "
            "THEN dictionary_page_offset ELSE data_page_offset END), total_compressed_size "
            f"FROM parquet_metadata({_path(path)}) ORDER BY 1"
        )
        return [(int(start), int(size)) for start, size in rows if start is not None]

    def read_json(self, path: Path, *, form: str, compressed: bool = False) -> "LocalTable":
        """Read JSON objects, unparsed, as the column ``json``: newline_delimited or array."""
        packed = ", compression = 'gzip'" if compressed else ""
        return self.table(
            f"SELECT json FROM read_json_objects({_path(path)}, format = {quote_literal(form)}"
            f"{packed})"
        )

    def store(self, table: "LocalTable") -> "LocalTable":
        """Write a large table without types to a temporary file of columns, and read that."""
        path = self.scratch(".parquet")
        self.run(f"COPY {table.name} TO {quote_literal(str(path))} (FORMAT parquet)")
        return self.read_parquet(path)

    def _new_name(self) -> str:
        return f"steelyard_{next(self._numbers)}"

    def _describe(self, name: str) -> "LocalTable":
        described = self.run(f"DESCRIBE {name}")
        columns = {column: _kind(str(kind)) for column, kind, *_ in described}
        return LocalTable(engine=self, name=name, columns=columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalTable:
    """A view or table inside a :class:`LocalEngine`."""

    engine: LocalEngine
    name: str
    columns: Mapping[str, ColumnKind]
    dialect: Dialect = field(default=DUCKDB)
    most_rows: int | None = None

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """Run a query and fetch its rows."""
        return self.engine.run(with_table(sql, self.name))

    def arrays(self, sql: str) -> dict[str, NDArray[np.generic]]:
        """Run a query and fetch its columns as arrays; the query leaves no null in them."""
        return self.engine.run_for_arrays(with_table(sql, self.name))

    def batches(self, sql: str, rows: int) -> Iterator[dict[str, NDArray[np.generic]]]:
        """Run a query and hand over its columns, so many rows at a time, without nulls."""
        return self.engine.run_for_batches(with_table(sql, self.name), rows)

    def arrow_batches(self, sql: str, rows: int) -> Iterator["pa.RecordBatch"]:
        """Run a query and hand over its rows as Arrow, so many at a time."""
        return self.engine.run_for_arrow(with_table(sql, self.name), rows)

    def derive(self, sql: str, *, keep: bool = False) -> Self:
        """Name the rows of a query as a table of their own."""
        table = self.engine.table(with_table(sql, self.name), keep=keep)
        return type(self)(
            engine=self.engine,
            name=table.name,
            columns=table.columns,
            most_rows=self.most_rows,
        )

    def keys(self, column: str) -> tuple[str, list[str]]:
        """List the keys of a column of objects, and say whether it is a struct or a map."""
        name = quote_name(column)
        ((kind,),) = self.query(f"SELECT MIN(typeof({name})) FROM {{t}}")
        form = "map" if str(kind).startswith("MAP") else "struct"
        rows = self.query(
            f"SELECT DISTINCT UNNEST({form}_keys({name})) AS key FROM {{t}} ORDER BY key"
        )
        return form, [str(key) for (key,) in rows]


def _connect(memory: int) -> duckdb.DuckDBPyConnection:
    """Connect to the database of this process; what a connection makes is its own, and temporary.

    Engines that work side by side share its threads and its memory.
    """
    with STARTING:
        if memory not in STARTED:
            STARTED.clear()  # engines that still use another one keep it alive
            STARTED[memory] = _start(memory)
        return STARTED[memory].cursor()


if hasattr(os, "register_at_fork"):
    # Threads do not survive a fork, and whoever forks may mind that there are any.
    os.register_at_fork(before=STARTED.clear)


def _start(memory: int) -> duckdb.DuckDBPyConnection:
    # The database makes this folder only when it has to spill, and lets others look inside;
    # so it lies in one that nobody else can enter.
    spill = _private_folder() / f"spill-{time.time_ns():x}"
    FOLDERS.add(spill)
    return duckdb.connect(
        ":memory:",
        config={
            # A source names its own files; nothing is downloaded or loaded behind its back.
            "autoinstall_known_extensions": "false",
            "allow_community_extensions": "false",
            "temp_directory": str(spill),
            # The other half is for what comes out of the database.
            "memory_limit": f"{memory // 2 // 2**20}MiB",
        },
    )


def _private_folder() -> Path:
    """Give the temporary folder of this process, which only its owner can enter."""
    number = os.getpid()
    if number not in PRIVATE or not PRIVATE[number].is_dir():
        PRIVATE[number] = Path(tempfile.mkdtemp(prefix="steelyard-"))
        atexit.register(_remove, PRIVATE[number])
        FOLDERS.add(PRIVATE[number])
    return PRIVATE[number]


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    FOLDERS.discard(folder)


def _without_secrets(hidden: Mapping[str, str], text: str) -> str:
    """Put in place of every hidden address how it may be shown."""
    for secret, shown in hidden.items():
        text = text.replace(secret, shown)
    return text


def _plainly(error: Exception) -> SteelyardError:
    first = next((line.strip() for line in str(error).splitlines() if line.strip()), "no reason")
    return RefusedData(f"The rows cannot be read ({first}).", code="damaged")


def _path(path: Path) -> str:
    # The engine expands globs itself; a bracket keeps each of their characters literal.
    return quote_literal("".join(f"[{c}]" if c in "*?[" else c for c in str(path)))


def _kind(duckdb_type: str) -> ColumnKind:
    if duckdb_type.endswith("]"):
        return "list"
    if duckdb_type.startswith(("STRUCT", "MAP")):
        return "struct"
    if duckdb_type.startswith(TEXTS):
        return "text"
    if duckdb_type == "BOOLEAN":
        return "boolean"
    if duckdb_type in INTEGERS:
        return "integer"
    return "real" if duckdb_type.startswith(REALS) else "other"

"""Spark: tables on a cluster, handed in by the user and left as they were."""

import re
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any, Self
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from steelyard.engines.dialect import SPARK, Dialect
from steelyard.engines.table import ColumnKind, Statement
from steelyard.errors import ExtraMissing, RefusedData, SteelyardError

__all__ = [
    "MOST_ROWS",
    "PATIENCE",
    "Shipment",
    "SparkEngine",
    "SparkTable",
    "bound_wait",
    "connect",
    "is_spark_frame",
    "respell",
    "spark_reason",
]


TOKEN = re.compile(
    r"""(?P<text>'(?:[^']|'')*')|(?P<name>"(?:[^"]|"")*")|(?P<table>\{t\})"""
    r"""|(?P<word>[A-Za-z_][A-Za-z_0-9]*)|(?P<other>.)""",
    re.DOTALL,
)

EXCEPTION = re.compile(r"^(?:[A-Za-z_$][\w$]*\.)+[A-Z][\w$]*: ")
"""How Java names what was thrown, before it says why."""

WORDS = {
    "VARCHAR": "STRING",
    "HUGEINT": "DECIMAL(38, 0)",
    "regexp_matches": "regexp_like",
}
"""What we write in capitals or call by name, and how Spark calls it."""


def respell(sql: str) -> str:
    r"""Write one of our statements as Spark reads it, ready for ``session.sql(text, t=frame)``.

    A quoted name gets Spark's quotes. In a text, quotes and backslashes are escaped, since Spark
    takes backslashes for escapes and would glue two texts together at a doubled quote. A brace
    that is not our ``{t}`` is doubled, because Spark fills in braces.

    Examples
    --------
    >>> respell('SELECT "my col" FROM {t}')
    'SELECT `my col` FROM {t}'
    >>> print(respell("SELECT CAST(x AS VARCHAR) = 'it''s {t}' FROM {t}"))
    SELECT CAST(x AS STRING) = 'it\'s {{t}}' FROM {t}
    """
    return TOKEN.sub(_respell_token, sql)


def spark_reason(error: Exception) -> str:
    r"""Find the line in which Spark says why; the first one often names only what was called.

    >>> spark_reason(ValueError("An error occurred while calling o1.read.\n: a.B: gone\n\tat x"))
    'gone'
    """
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    causes = [line.removeprefix("Caused by:") for line in lines if line.startswith("Caused by:")]
    thrown = [line.removeprefix(":") for line in lines if line.startswith(": ")]
    said = [*causes[-1:], *thrown[:1], *lines[:1], type(error).__name__][0].strip()
    return EXCEPTION.sub("", said)[:300]


def _respell_token(found: re.Match[str]) -> str:
    kind, token = found.lastgroup, found[0]
    if kind == "table":
        return token
    if kind == "text":
        plain = token[1:-1].replace("''", "'")
        return _escape_braces("'" + plain.replace("\\", "\\\\").replace("'", "\\'") + "'")
    if kind == "name":
        plain = token[1:-1].replace('""', '"')
        return _escape_braces("`" + plain.replace("`", "``") + "`")
    return WORDS.get(token, _escape_braces(token))


def _escape_braces(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


PATIENCE = 600.0
"""So many seconds a statement waits for a cluster without any executor before it is given up."""

STEP = 1.0


@contextmanager
def bound_wait(session: Any) -> Iterator[None]:  # noqa: ANN401
    """Give a statement up when the cluster has no executor for long.

    Spark itself would wait for a new worker without end. Only the jobs of this statement are
    cancelled, by a tag that is taken away again. Sessions that run on this machine have no workers
    to lose, and those of Spark Connect do not show theirs: both are left alone.
    """
    context = _context(session)
    if context is None:
        yield
        return
    tag = f"steelyard-{uuid.uuid4().hex}"
    done, lost = threading.Event(), threading.Event()
    watcher = threading.Thread(target=_watch, args=(context, tag, done, lost), daemon=True)
    context.addJobTag(tag)
    watcher.start()
    try:
        yield
    except Exception as error:
        if lost.is_set():
            raise _give_up() from error
        raise
    finally:
        done.set()
        watcher.join()
        context.removeJobTag(tag)


def _context(session: Any) -> Any:  # noqa: ANN401
    """Give the context of a session at a master whose workers may be lost; else None."""
    try:
        context = session.sparkContext
        watched = hasattr(context, "addJobTag") and not context.master.startswith("local")
    except Exception:
        return None
    return context if watched else None


def _watch(context: Any, tag: str, done: threading.Event, lost: threading.Event) -> None:  # noqa: ANN401
    alone_since = None
    while not done.wait(STEP):
        # The driver itself is one of those that hold memory.
        if context._jsc.sc().getExecutorMemoryStatus().size() > 1:
            alone_since = None
            continue
        alone_since = alone_since or time.monotonic()
        if time.monotonic() - alone_since >= PATIENCE:
            lost.set()
            context.cancelJobsWithTag(tag)


def _give_up() -> RefusedData:
    message = (
        f"The cluster has had no worker for {PATIENCE:,.0f} seconds, and the question was given "
        "up. Nothing was answered. Start workers at its master, and ask again."
    )
    return RefusedData(message, code="no-workers")


MOST_ROWS = 2_000_000
"""No answer brings more rows than this to the driver."""

KINDS: Mapping[str, ColumnKind] = {
    "string": "text",
    "char": "text",
    "varchar": "text",
    "date": "text",
    "timestamp": "text",
    "timestamp_ntz": "text",
    "tinyint": "integer",
    "smallint": "integer",
    "int": "integer",
    "bigint": "integer",
    "float": "real",
    "double": "real",
    "decimal": "real",
    "binary": "text",
    "boolean": "boolean",
    "array": "list",
    "struct": "struct",
    "map": "struct",
}

WHOLE = re.compile(r"decimal\(\d+,0\)")
"""Decimals without a fraction: how Spark reads whole numbers without a sign of 64 bits."""


def is_spark_frame(data: object) -> bool:
    """Tell a Spark frame, of a session here or of one far away, without importing Spark."""
    return any(
        kind.__name__ == "DataFrame" and kind.__module__.startswith("pyspark.")
        for kind in type(data).__mro__
    )


def connect(master: str) -> Any:  # noqa: ANN401
    """Give a session: the one that is running here, or a new one at the master or remote address.

    Nothing but the address and a name is set; what the cluster is configured for stays.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise ExtraMissing.for_part(what="A cluster", extra="spark") from None
    builder = SparkSession.builder.appName("steelyard")
    return (
        builder.remote(master).getOrCreate()
        if master.startswith("sc://")
        else builder.master(master).getOrCreate()
    )


WITHOUT_PYTHON: "WeakSet[Any]" = WeakSet()
"""Sessions whose executors were found to lack Python, numpy or pyarrow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shipment:
    """Functions of one module that executors run on Arrow: on all rows first, then group by group.

    ``schema`` names the columns that each gives; ``by`` the one whose values are groups.
    """

    module: ModuleType
    schema: str
    first: Callable[[Iterator[Any]], Iterator[Any]]
    then: tuple[Callable[[Any], Any], ...] = ()
    by: str = ""


@contextmanager
def _send_whole(module: ModuleType) -> Iterator[None]:
    """Have the functions of a module pickled with their code, not by name.

    Executors have no Steelyard to import them from.
    """
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(module)  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        cloudpickle.unregister_pickle_by_value(module)  # type: ignore[no-untyped-call]


class SparkEngine:
    """The session of the frame that was handed in, and the statements that were run in it.

    Nothing of the session is set or registered: each statement names its frame only while Spark
    parses it. Statements are plain SQL; only ranks of scores are found by Python on the executors,
    and by SQL where they have none.
    """

    def __init__(
        self,
        session: Any,  # noqa: ANN401
        *,
        observe: Callable[[Statement], None] | None = None,
    ) -> None:
        self.session = session
        self._observe = observe
        self.explain: Callable[[Exception], SteelyardError] = _plainly

    def table(self, frame: Any) -> "SparkTable":  # noqa: ANN401
        """Describe a frame."""
        types = {name: str(kind) for name, kind in frame.dtypes}
        return SparkTable(
            engine=self, frame=frame, columns={name: _kind(kind) for name, kind in types.items()}
        )

    @property
    def ships(self) -> bool:
        """Whether executors may run Python; unknown until it was tried in this session."""
        return self.session not in WITHOUT_PYTHON

    def cannot_ship(self) -> None:
        """Remember that the executors of this session could not run what was sent to them."""
        WITHOUT_PYTHON.add(self.session)

    def tell_plan(self, plan: str) -> None:
        """Tell the observer, where it wants to know, how the rows will be counted."""
        tell = getattr(self._observe, "plan", None)
        if tell is not None:
            tell(plan)

    def frame(self, sql: str, table: Any) -> Any:  # noqa: ANN401
        """Name the rows of a query; Spark computes nothing yet."""
        try:
            return self.session.sql(respell(sql), t=table)
        except Exception as error:
            raise self.explain(error) from error

    @contextmanager
    def time_statement(self, sql: str) -> Iterator[None]:
        """Report a statement to the observer, and a complaint of Spark in our words."""
        start = time.perf_counter()
        try:
            with bound_wait(self.session):
                yield
        except SteelyardError:
            raise
        except Exception as error:
            raise self.explain(error) from error
        if self._observe is not None:
            self._observe(Statement(sql=sql, seconds=time.perf_counter() - start))


@dataclass(frozen=True, slots=True, kw_only=True)
class SparkTable:
    """A frame inside a :class:`SparkEngine`."""

    engine: SparkEngine
    frame: Any
    columns: Mapping[str, ColumnKind]
    dialect: Dialect = field(default=SPARK)
    most_rows: int = MOST_ROWS

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """Run a query and fetch its rows, of which there may be at most ``MOST_ROWS``."""
        with self.engine.time_statement(sql):
            found = self.engine.frame(sql, self.frame)
            rows = [tuple(row) for row in found.limit(self.most_rows + 1).collect()]
            self._check_size(len(rows))
        return rows

    def ship(self, sql: str, shipment: Shipment, read: str) -> list[tuple[Any, ...]]:
        """Run functions on the rows of a query, and fetch the rows of ``read``, a query of theirs.

        Needs Python with numpy and pyarrow on the executors.
        """
        with self.engine.time_statement(sql), _send_whole(shipment.module):
            frame = self.engine.frame(sql, self.frame)
            frame = frame.mapInArrow(shipment.first, shipment.schema)
            for work in shipment.then:
                frame = frame.groupBy(shipment.by).applyInArrow(work, shipment.schema)
            found = self.engine.frame(read, frame)
            rows = [tuple(row) for row in found.limit(self.most_rows + 1).collect()]
            self._check_size(len(rows))
        return rows

    def arrays(self, sql: str) -> dict[str, NDArray[np.generic]]:
        """Run a query and fetch its columns as arrays; the query leaves no null in them."""
        with self.engine.time_statement(sql):
            found = self.engine.frame(sql, self.frame).limit(self.most_rows + 1)
            if hasattr(found, "toArrow"):
                columns = found.toArrow()
                self._check_size(columns.num_rows)
                return {name: columns[name].to_numpy() for name in columns.column_names}
            rows = found.collect()
            self._check_size(len(rows))
            names = found.columns
        return {name: np.array([row[n] for row in rows]) for n, name in enumerate(names)}

    def derive(self, sql: str, *, keep: bool = False) -> Self:
        """Name the rows of a query as a table of their own.

        They are computed again for each answer, and ``keep`` changes nothing: caching in the
        user's session is the user's to decide. A frame that was cached is read from the cache.
        """
        table = self.engine.table(self.engine.frame(sql, self.frame))
        return replace(self, frame=table.frame, columns=table.columns)

    def keys(self, column: str) -> tuple[str, list[str]]:
        """List the keys of a column of objects, and say whether it is a struct or a map."""
        kind = self.frame.schema[column].dataType
        if hasattr(kind, "fieldNames"):
            return "struct", list(kind.fieldNames())
        name = column.replace("`", "``")
        rows = self.engine.session.sql(
            f"SELECT DISTINCT EXPLODE(MAP_KEYS(`{name}`)) AS key FROM {{t}} ORDER BY key",
            t=self.frame,
        )
        return "map", [str(row[0]) for row in rows.limit(MOST_ROWS).collect()]

    def _check_size(self, rows: int) -> None:
        if rows > self.most_rows:
            message = (
                f"The answer has more than {self.most_rows:,} rows, too many for the driver of a "
                "cluster. Nothing was answered. Ask for less: leave out splits with many parts, or "
                "compare fewer systems at once."
            )
            raise RefusedData(message, code="too-many-rows")


def _plainly(error: Exception) -> SteelyardError:
    message = f"Spark could not run it ({spark_reason(error)}). Nothing was answered."
    return RefusedData(message, code="engine")


def _kind(spark_type: str) -> ColumnKind:
    if WHOLE.fullmatch(spark_type):
        return "integer"
    base = spark_type.partition("<")[0].partition("(")[0]
    return KINDS.get(base, "other")

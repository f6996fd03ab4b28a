"""Rows of a PostgreSQL table or query, copied once in a transaction that can only read."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from steelyard.engines.dialect import quote_name
from steelyard.engines.local import LocalEngine
from steelyard.errors import (
    ExtraMissing,
    RequestError,
    SourceError,
    printable,
    switch,
)
from steelyard.sources.origins import KEEP_BYTES, InputFile, Origin, refuse_repeated_columns

__all__ = ["DatabaseAddress", "is_database", "open_database"]

SCHEMES = ("postgresql", "postgres", "postgresql+psycopg")
SECONDS_TO_CONNECT = 10

KINDS = {
    16: "BOOLEAN",
    **dict.fromkeys((20, 21, 23), "BIGINT"),
    **dict.fromkeys((700, 701, 1700), "DOUBLE"),
    **dict.fromkeys((1005, 1007, 1016, 1021, 1022, 1231), "DOUBLE[]"),
}
"""What numbers and truth values become, by their type in the catalogue; the rest is text."""

LISTS = "DOUBLE[]"
NOTHING = "\\N"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DatabaseAddress:
    """Where a server is, and which rows are meant; it never shows its user or password."""

    connection: str
    host: str
    database: str
    secrets: tuple[str, ...]
    table: str | None = None
    query: str | None = None

    @classmethod
    def of(cls, given: str, *, table: str | None, query: str | None) -> "DatabaseAddress":
        """Read ``postgresql://user@host/database?table=name``; options win over parameters."""
        parts = urlsplit(given)
        asked = dict(parse_qsl(parts.query, keep_blank_values=True))
        table, query = table or asked.pop("table", None), query or asked.pop("query", None)
        asked.pop("table", None)
        asked.pop("query", None)
        written = (parts.password or "", unquote(parts.password or ""), asked.get("password", ""))
        found = cls(
            connection=urlunsplit(("postgresql", parts.netloc, parts.path, urlencode(asked), "")),
            host=parts.hostname or asked.get("host", "the local server"),
            database=unquote(parts.path.strip("/")) or asked.get("dbname", "its usual database"),
            secrets=tuple(secret for secret in dict.fromkeys(written) if secret),
            table=table,
            query=query,
        )
        if (table is None) == (query is None):
            raise _which(found, table)
        return found

    def __str__(self) -> str:
        return f"{self.table or 'query'} of {self.database}"

    def without_secrets(self, text: str) -> str:
        """Take passwords out of what a server or driver said."""
        for secret in self.secrets:
            text = text.replace(secret, "***")
        return text


def is_database(given: object) -> bool:
    """Tell the address of a database from a path.

    >>> is_database("postgresql://host/lab?table=runs"), is_database("runs.csv")
    (True, False)
    """
    return (
        isinstance(given, str) and given.partition("://")[0].lower() in SCHEMES and ("://" in given)
    )


def open_database(
    engine: LocalEngine, given: str, *, table: str | None = None, query: str | None = None
) -> Origin:
    """Copy the rows of a table or query once; the server forgets that we were there."""
    address = DatabaseAddress.of(given, table=table, query=query)
    path = engine.scratch(".csv")
    with _connect(address) as connection:
        columns = _columns(connection, address)
        refuse_repeated_columns(str(address), [name for name, _ in columns])
        size = _copy(connection, _select(columns, address), path)
    rows = engine.read_typed_csv(path, columns=dict(columns), nothing=NOTHING)
    small = size <= KEEP_BYTES
    kept = rows.derive("SELECT * FROM {t}", keep=True) if small else engine.store(rows)
    path.unlink()
    said = "PostgreSQL table" if address.query is None else f"PostgreSQL query {address.query!r}"
    record = InputFile(name=str(address), path=None, read_as=said, size=size)
    return Origin(name=str(address), table=kept, files=(record,), numbered=False)


@contextmanager
def _connect(address: DatabaseAddress) -> Iterator[Any]:
    """Open one transaction that can only read and sees one state of the database."""
    try:
        import psycopg
    except ImportError as error:
        what = f"Reading {address} from PostgreSQL"
        raise ExtraMissing.for_part(what, "postgres") from error
    try:
        with psycopg.connect(
            address.connection, connect_timeout=SECONDS_TO_CONNECT, application_name="steelyard"
        ) as connection:
            connection.read_only = True
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            yield connection
            connection.rollback()
    except psycopg.Error as error:
        raise _refuse(address, error) from None


def _rows(address: DatabaseAddress) -> str:
    """Write the table or query as a part of a statement."""
    if address.query is not None:
        return f"({address.query.strip().rstrip(';')}\n) AS asked"
    parts = (address.table or "").split(".")
    return ".".join(quote_name(part.strip().strip('"')) for part in parts)


def _columns(connection: Any, address: DatabaseAddress) -> list[tuple[str, str]]:  # noqa: ANN401
    cursor = connection.execute(f"SELECT * FROM {_rows(address)} LIMIT 0")
    return [(column.name, KINDS.get(column.type_code, "VARCHAR")) for column in cursor.description]


def _select(columns: Sequence[tuple[str, str]], address: DatabaseAddress) -> str:
    written = ", ".join(
        f"to_json({quote_name(name)})" if kind == LISTS else quote_name(name)
        for name, kind in columns
    )
    return f"SELECT {written} FROM {_rows(address)}"


def _copy(connection: Any, sql: str, path: Path) -> int:  # noqa: ANN401
    """Stream the rows into a file, and tell its size."""
    copy = f"COPY ({sql}) TO STDOUT (FORMAT csv, NULL '{NOTHING}', ENCODING 'UTF8')"
    with path.open("wb") as file, connection.cursor() as cursor, cursor.copy(copy) as stream:
        for block in stream:
            file.write(block)
        return file.tell()


def _which(address: DatabaseAddress, table: str | None) -> RequestError:
    found = "no table and no query was named" if table is None else "both were named"
    message = (
        f"PostgreSQL database {printable(address.database)}: which rows? {found}. Pass "
        f"{switch('table', 'NAME')} or {switch('query', 'SELECT ...')}, or write ?table=NAME."
    )
    return RequestError(message, code="no-table")


def _refuse(address: DatabaseAddress, error: Exception) -> SourceError:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    said = address.without_secrets(lines[0] if lines else type(error).__name__)[:300]
    message = (
        f"{printable(str(address))}: PostgreSQL on {printable(address.host)} did not give the rows "
        f"({printable(said)}). Check the address, the rights and the name."
    )
    return SourceError(message, code="database")

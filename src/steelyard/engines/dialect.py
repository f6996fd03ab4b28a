"""The few words in which engines differ, and the one place where names enter SQL."""

import re
from dataclasses import dataclass

__all__ = ["DUCKDB", "Dialect", "quote_literal", "quote_name", "with_table"]

QUOTED_OR_TABLE = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\{t\}""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How an engine quotes a name; everything else in our SQL is common to all of them."""

    name: str
    quote: str


DUCKDB = Dialect(name="duckdb", quote='"')


def quote_name(name: str, dialect: Dialect = DUCKDB) -> str:
    """Quote an identifier, whatever characters it holds.

    >>> quote_name('my "best" model')
    '"my ""best"" model"'
    """
    return dialect.quote + name.replace(dialect.quote, dialect.quote * 2) + dialect.quote


def quote_literal(text: str) -> str:
    """Write text as an SQL string.

    >>> quote_literal("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


def with_table(sql: str, table: str) -> str:
    """Put a table where ``{t}`` stands, but never inside quotes: a class may be called so.

    >>> with_table("SELECT '{t}' FROM {t}", "rows")
    "SELECT '{t}' FROM rows"
    """
    return QUOTED_OR_TABLE.sub(lambda found: table if found[0] == "{t}" else found[0], sql)

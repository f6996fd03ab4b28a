"""The few words in which engines differ, and the one place where names enter SQL."""

import re
from dataclasses import dataclass

__all__ = ["DUCKDB", "SPARK", "Dialect", "quote_literal", "quote_name", "quote_real", "with_table"]

QUOTED_OR_TABLE = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\{t\}""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How an engine reaches into lists and objects, and what it cannot do.

    ``ordered`` tells whether rows have a first and a last one. Weights above ``largest_weight``
    cannot be squared exactly. Names and texts are written the same way for all engines; where one
    spells them otherwise, its own table respells them.
    """

    name: str
    field: str
    entry: str
    element: str
    length: str
    ordered: bool
    largest_weight: int

    def field_of(self, column: str, key: str) -> str:
        r"""Reach a field of a struct.

        >>> DUCKDB.field_of('"v"', "cat")
        'struct_extract("v", \'cat\')'
        """
        return self.field.format(column=column, name=quote_name(key), text=quote_literal(key))

    def entry_of(self, column: str, key: str) -> str:
        """Reach an entry of a map; null when there is none."""
        return self.entry.format(column=column, text=quote_literal(key))

    def element_of(self, column: str, place: int) -> str:
        """Reach an element of a list, the first of which is 1; null when there is none."""
        return self.element.format(column=column, place=place)

    def length_of(self, column: str) -> str:
        """Count the elements of a list."""
        return self.length.format(column=column)


DUCKDB = Dialect(
    name="duckdb",
    field="struct_extract({column}, {text})",
    entry="{column}[{text}]",
    element="list_extract({column}, {place})",
    length="LEN({column})",
    ordered=True,
    largest_weight=2**32,
)
SPARK = Dialect(
    name="spark",
    field="{column}.{name}",
    entry="TRY_ELEMENT_AT({column}, {text})",
    element="TRY_ELEMENT_AT({column}, {place})",
    length="SIZE({column})",
    ordered=False,
    # FLOOR gives a whole number of 64 bits there, and the scaled square has to fit in it.
    largest_weight=2**16,
)


def quote_name(name: str) -> str:
    """Quote an identifier, whatever characters it holds.

    >>> quote_name('my "best" model')
    '"my ""best"" model"'
    """
    return '"' + name.replace('"', '""') + '"'


def quote_literal(text: str) -> str:
    """Write text as an SQL string.

    >>> quote_literal("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


def quote_real(number: float) -> str:
    """Write a floating-point number so that every engine reads the very same one.

    A bare 0.1 would be a decimal fraction, which engines turn into floating point each in its way.

    >>> quote_real(0.1)
    "CAST('0.1' AS DOUBLE)"
    """
    return f"CAST({quote_literal(repr(float(number)))} AS DOUBLE)"


def with_table(sql: str, table: str) -> str:
    """Put a table where ``{t}`` stands, but never inside quotes: a class may be called so.

    >>> with_table("SELECT '{t}' FROM {t}", "rows")
    "SELECT '{t}' FROM rows"
    """
    return QUOTED_OR_TABLE.sub(lambda found: table if found[0] == "{t}" else found[0], sql)

"""Numbers with more digits than floating point keeps: told apart, or refused."""

import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from steelyard.engines.local import LocalTable
from steelyard.errors import Fault
from steelyard.sources.faults import RowFinder
from steelyard.sources.roles.columns import LARGEST_EXACT, SHORT, TINY, Column

__all__ = ["find_collapsed", "find_collapsed_vectors"]

MOST_GROUPS = 10_000
"""So many numbers that are written in several ways are compared digit by digit."""

SEVERAL = f"COUNT(DISTINCT v) > 1 AND (MAX(LENGTH(v)) > {SHORT} OR ABS(number) < {TINY})"
"""Numbers that are written in several ways, of which one has too many digits to be kept."""

EXACT_TYPES = re.compile(r"INT\b|DECIMAL|VARCHAR")
"""Types of numbers with digits that floating point may not keep, as the database names them."""

FIX = (
    "Only the order of scores counts: subtract a constant, hand in ranks, or write fewer digits "
    "on purpose."
)


def find_collapsed(finder: RowFinder, column: Column) -> Fault | None:
    """Find scores that differ as they are written and are one number in floating point.

    Whole numbers beyond 2^53 and decimals of more than 15 digits may do so; their order would be
    lost, and with it the area under the curve. Columns that cannot hold such numbers cost nothing.
    """
    if column.kind == "integer":
        return _whole(finder, column)
    if column.parsed:
        looked_at = column.stored_as_text and not column.long
        return None if looked_at else _written(finder, column)
    if column.kind == "real" and _is_decimal(finder, column):
        return _whole(finder, column, above=0)
    return None


def find_collapsed_vectors(
    finder: RowFinder, column: Column, parts: Sequence[Column], texts: str
) -> Fault | None:
    """Find numbers of vectors that differ as they are written and are one in floating point.

    All numbers of a system are held against each other: two of one row decide which class is
    called, two of one class which item ranks first. ``texts`` is the list of a row's numbers as
    text. Vectors of floating-point numbers cost nothing.
    """
    table = finder.origin.table
    if not isinstance(table, LocalTable) or not _may_collapse(table, parts):
        return None
    comma = any(part.decimal_comma for part in parts)
    written = "REPLACE(v, ',', '.')" if comma else "v"
    groups = table.query(
        f"SELECT LIST(DISTINCT v) FROM (SELECT v, TRY_CAST({written} AS DOUBLE) AS number FROM "
        f"(SELECT UNNEST({texts}) AS v FROM {{t}} WHERE {finder.keep}) AS every) AS written "
        f"WHERE number IS NOT NULL GROUP BY number HAVING {SEVERAL} LIMIT {MOST_GROUPS}"
    )
    return _first_different(finder, column, groups, comma=comma)


def _may_collapse(table: LocalTable, parts: Sequence[Column]) -> bool:
    """Tell numbers of any type but floating point, and text with digits beyond its range."""
    if any(part.long or (part.parsed and not part.stored_as_text) for part in parts):
        return True
    typed = [part.sql for part in parts if not part.stored_as_text]
    if not typed:
        return any(part.kind == "integer" and part.long for part in parts)
    rows = table.query(f"SELECT {', '.join(f'typeof({one})' for one in typed)} FROM {{t}} LIMIT 1")
    return any(EXACT_TYPES.search(str(kind)) for kind in (rows[0] if rows else ()))


def _is_decimal(finder: RowFinder, column: Column) -> bool:
    rows = finder.origin.table.query(f"SELECT typeof({column.sql}) FROM {{t}} LIMIT 1")
    return bool(rows) and str(rows[0][0]).lower().startswith("decimal")


def _whole(finder: RowFinder, column: Column, *, above: int = LARGEST_EXACT) -> Fault | None:
    """Compare the distinct values with the distinct floating-point numbers they become."""
    number = column.number_sql()
    large = f"ABS({number}) >= {above} AND {finder.keep}"
    rows = finder.origin.table.query(
        f"SELECT number, CAST(MIN(v) AS VARCHAR), CAST(MAX(v) AS VARCHAR) FROM "
        f"(SELECT {number} AS number, {column.sql} AS v FROM {{t}} WHERE {large}) AS large "
        "GROUP BY number HAVING COUNT(DISTINCT v) > 1 LIMIT 1"
    )
    return _fault(finder, column, rows[0][1:]) if rows else None


def _written(finder: RowFinder, column: Column) -> Fault | None:
    """Compare texts that become one number digit by digit: 0.10 and 0.1 are the same."""
    number = column.number_sql()
    groups = finder.origin.table.query(
        f"SELECT LIST(DISTINCT v) FROM (SELECT {number} AS number, {column.sql} AS v FROM {{t}} "
        f"WHERE {number} IS NOT NULL AND {finder.keep}) AS written GROUP BY number "
        f"HAVING {SEVERAL} LIMIT {MOST_GROUPS}"
    )
    return _first_different(finder, column, groups, comma=column.decimal_comma)


def _first_different(
    finder: RowFinder, column: Column, groups: Sequence[tuple[Sequence[str]]], *, comma: bool
) -> Fault | None:
    for (texts,) in groups:
        different = {_exactly(text, comma=comma): text for text in texts}
        if len(different) > 1:
            return _fault(finder, column, sorted(different.values())[:2])
    return None


def _exactly(text: str, *, comma: bool) -> Decimal | str:
    try:
        return Decimal(text.strip().replace(",", ".") if comma else text.strip())
    except InvalidOperation:
        return text


def _fault(finder: RowFinder, column: Column, examples: Sequence[str]) -> Fault:
    return Fault(
        code="score-digits",
        where=finder.where(column),
        found="different numbers become the same one in floating point, which keeps 15 to 17 "
        "digits.",
        fix=FIX,
        examples=(" and ".join(str(one) for one in examples),) if examples else (),
    )

"""Numbers with more digits than floating point keeps: told apart, or refused."""

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from steelyard.errors import Fault
from steelyard.sources.faults import RowFinder
from steelyard.sources.roles.columns import LARGEST_EXACT, Column

__all__ = ["find_collapsed"]

MOST_GROUPS = 10_000
"""So many numbers that are written in several ways are compared digit by digit."""

FIX = (
    "Only the order of scores counts: subtract a constant, hand in ranks, or write fewer digits "
    "on purpose."
)


def find_collapsed(finder: RowFinder, column: Column) -> Fault | None:
    """Find scores that differ as they are written and are one number in floating point.

    Whole numbers beyond 2^53 and decimals of more than 15 digits may do so; their order would be
    lost, and with it the area under the curve. Columns that cannot hold such numbers cost nothing.
    """
    if column.name in finder.origin.collapsed:
        return _fault(finder, column, ())
    if column.kind == "integer":
        return _whole(finder, column)
    if column.parsed:
        return _written(finder, column) if column.long else None
    if column.kind == "real" and _is_decimal(finder, column):
        return _whole(finder, column, above=0)
    return None


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
        f"HAVING COUNT(DISTINCT v) > 1 AND MAX(LENGTH(v)) > 15 LIMIT {MOST_GROUPS}"
    )
    for (texts,) in groups:
        different = {_exactly(text, comma=column.decimal_comma): text for text in texts}
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

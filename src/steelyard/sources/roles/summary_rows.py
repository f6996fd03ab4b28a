"""Rows below a table that sum up those above: a mean or a total is no item."""

from collections.abc import Mapping, Sequence
from math import isclose

from steelyard.engines.dialect import quote_literal
from steelyard.errors import Fault
from steelyard.sources.faults import wrong_value
from steelyard.sources.roles.columns import Column
from steelyard.sources.roles.name_words import sums_up
from steelyard.sources.roles.readings import Context, Reading

__all__ = ["find_summary_rows"]

LAST = 5
"""So many rows at the end are looked at."""
MOST_ROWS = 100_000
"""Tables of more rows were not summed up by hand."""
ROUNDED = 5e-3
"""A mean that was rounded differs by no more, as a share of itself."""
FIX = "Take the row out: it would count as one item more."


def find_summary_rows(
    context: Context, readings: Sequence[Reading], role: Mapping[str, Column]
) -> list[Fault]:
    """Find last rows that are called a mean or a total and hold that of the rows above."""
    finder = context.finder
    named = role.get("item") or role.get("cluster")
    values = [reading for reading in readings if reading.holding.holds == "value"]
    ordered = finder.origin.numbered and finder.origin.table.dialect.ordered
    if named is None or not values or not ordered or not LAST < context.rows <= MOST_ROWS:
        return []
    name = named.identifier_sql()
    ((rows,),) = finder.origin.table.query("SELECT COUNT(*) FROM {t}")
    last = finder.origin.table.query(
        f"SELECT {name} FROM {{t}} LIMIT {LAST} OFFSET {max(0, rows - LAST)}"
    )
    titles = sorted({str(one) for (one,) in last if one is not None and sums_up(str(one))})
    if not titles:
        return []
    listed = ", ".join(quote_literal(title) for title in titles)
    condition = f"({name} IN ({listed}))"
    if not any(_sums_up_others(context, reading.sql, condition) for reading in values):
        return []
    (count,) = finder.count(condition)
    return [
        wrong_value(
            finder, named, condition=condition, count=count, code="summary-row",
            found=("sum", "up the rows above"), fix=FIX,
        )
    ]  # fmt: skip


def _sums_up_others(context: Context, value: str, condition: str) -> bool:
    """Tell whether one of the rows holds the mean or the sum of all others."""
    finder = context.finder
    rows = finder.origin.table.query(
        f"SELECT {value} FROM {{t}} WHERE {condition} AND ({finder.keep})"
    )
    ((mean, total),) = finder.origin.table.query(
        f"SELECT AVG({value}), SUM({value}) FROM {{t}} WHERE NOT {condition} AND ({finder.keep})"
    )
    known = [float(one) for one in (mean, total) if one is not None]
    return any(
        one is not None and isclose(float(one), other, rel_tol=ROUNDED)
        for (one,) in rows
        for other in known
    )

"""Tidy rows, and how they are laid out for reading."""

from collections.abc import Sequence

from steelyard.display.numbers import (
    show_count,
    show_estimate,
    show_interval,
    show_level,
    show_number,
)
from steelyard.display.tables import Column, Table

__all__ = ["ROW_COLUMNS", "Cell", "rows_table", "tidy_row"]

Cell = str | int | float | bool | None

ROW_COLUMNS = (
    "measure",
    "system",
    "against",
    "of",
    "value",
    "low",
    "high",
    "level",
    "method",
    "count",
    "total",
    "reason",
)
"""The columns of ``rows()``, the same for every kind of result.

``against`` is the other system of a pair, ``of`` a class or slice, ``count`` and ``total`` the
whole numbers behind a share, ``reason`` says why ``value`` is null.
"""

NAMES = ("measure", "system", "against", "of")


def tidy_row(**cells: Cell) -> dict[str, Cell]:
    """Fill a row of ``ROW_COLUMNS``; what is not given is None."""
    return {column: cells.get(column) for column in ROW_COLUMNS}


def rows_table(rows: Sequence[dict[str, Cell]], *, title: str = "") -> Table:
    """Lay tidy rows out for reading; columns in which nothing stands are left out."""
    names = [name for name in NAMES if any(row[name] is not None for row in rows)]
    columns = [Column(name=name) for name in names]
    cells = [[_text(row[name]) for name in names] for row in rows]
    for column, shown in (
        (Column(name="value", align="right"), [_value(row) for row in rows]),
        (Column(name=_interval_name(rows), align="right"), [_ends(row) for row in rows]),
        (Column(name="count", align="right"), [_counted(row) for row in rows]),
        (Column(name="reason"), [_text(row["reason"]) for row in rows]),
    ):
        if any(one is not None for one in shown):
            columns.append(column)
            cells = [[*row, one] for row, one in zip(cells, shown, strict=True)]
    return Table(title=title, columns=tuple(columns), rows=tuple(tuple(row) for row in cells))


def _interval_name(rows: Sequence[dict[str, Cell]]) -> str:
    levels = {row["level"] for row in rows if isinstance(row["level"], float)}
    return f"{show_level(levels.pop())} interval" if len(levels) == 1 else "interval"


def _text(cell: Cell) -> str | None:
    return None if cell is None else str(cell)


def _value(row: dict[str, Cell]) -> str | None:
    value, low, high = row["value"], row["low"], row["high"]
    if not isinstance(value, int | float):
        return _text(value)
    if isinstance(low, int | float) and isinstance(high, int | float):
        return show_estimate(value, low, high).split(" ")[0]
    return show_number(value)


def _ends(row: dict[str, Cell]) -> str | None:
    low, high = row["low"], row["high"]
    if isinstance(low, int | float) and isinstance(high, int | float):
        return show_interval(low, high)
    return None


def _counted(row: dict[str, Cell]) -> str | None:
    shown = [show_count(n) for n in (row["count"], row["total"]) if isinstance(n, int)]
    return "/".join(shown) or None

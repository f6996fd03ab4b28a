"""More distinct scores than can be held: rows are cut into ranges of scores.

The rows are cut first by powers of two, then within a crowded range by equal steps between its
lowest and highest score, again and again. Each cut is one pass that counts; nothing is sorted, and
a row for each range leaves the engine. Inside a range the scores can then be ranked by a window of
its own (:mod:`steelyard.tally.placed_rows`), so that no part of an engine ever sees more than one
range.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from steelyard.engines.dialect import quote_real
from steelyard.engines.table import Table
from steelyard.errors import CountsError

__all__ = ["MOST_IN_RANGE", "MOST_SHARE", "Cut", "Range", "cut", "in_order", "ranges_sql"]

MOST_IN_RANGE = 20_000
"""A range of fewer rows than this is never cut again."""

MOST_SHARE = 1_000
"""Nor is one of less than this part of all rows, a thousandth."""

FINE_SHARE = 50_000
"""So many ranges of equal rows are aimed at, where that leaves enough rows in each."""

MOST_STEPS = 1 << 18
"""Into so many steps a range is cut at most at one time."""

MOST_LEVELS = 9
"""Numbers of one power of two differ in 52 bits, and each cut takes at least 7 of them."""

Key = tuple[int, ...]


class Range(NamedTuple):
    """A range: its lowest and highest score, and the rows of both classes in it."""

    low: float
    high: float
    positives: int
    negatives: int

    @property
    def rows(self) -> int:
        """Rows of both classes."""
        return self.positives + self.negatives

    @property
    def tied(self) -> bool:
        """Whether all of its rows have one score, so that they need no ranking."""
        return self.low == self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A column of scores cut into ranges: how a row finds its range, and the ranges in order.

    ``keys`` names the parts of a range's key, and ``steps`` says how to reckon each from the score
    and the keys before it. ``heaped`` tells that one score alone has more rows than a range may.
    """

    column: str
    keys: tuple[str, ...]
    steps: tuple[str, ...]
    ranges: tuple[Range, ...]
    heaped: bool

    def keyed(self, sql: str) -> str:
        """Write a query that adds the keys to the rows of another."""
        for key, step in zip(self.keys, self.steps, strict=True):
            sql = f"SELECT *, {step} AS {key} FROM ({sql}) AS by_{key}"
        return sql


def cut(table: Table, given: str, column: str, *, rows: int) -> Cut:
    """Cut the scores of a column into ranges that hold few rows each, or tied ones only.

    Parameters
    ----------
    table
        What ``{t}`` in the SQL stands for.
    given
        A query that gives the truth as ``positive``, and the scores.
    column
        The column of the scores. They are DOUBLE and hold no null, NaN or negative zero.
    rows
        How many rows there are; at most a thousandth of them may lie in one range.
    """
    most = max(MOST_IN_RANGE, rows // MOST_SHARE)
    fine = max(MOST_IN_RANGE, rows // FINE_SHARE)
    keys, steps = [f"{column}_r0"], [_octave(column)]
    for level in range(1, MOST_LEVELS + 2):
        made = Cut(column=column, keys=tuple(keys), steps=tuple(steps), ranges=(), heaped=False)
        found = _counted(table, given, made)
        crowds = {key: one for key, one in found.items() if one.rows > most and not one.tied}
        if not crowds or level > MOST_LEVELS:
            break
        keys.append(f"{column}_r{level}")
        steps.append(_steps(crowds, made, fine))
    ranges = in_order(found.values())
    heaped = any(one.tied and one.rows > most for one in ranges)
    return Cut(column=column, keys=tuple(keys), steps=tuple(steps), ranges=ranges, heaped=heaped)


def ranges_sql(given: str, made: Cut, *, by: Sequence[str] = ()) -> str:
    """Write a query of the ranges: their keys, ``low``, ``high``, ``pos`` and ``neg``."""
    listed = ", ".join([*by, *made.keys])
    return (
        f"SELECT {listed}, MIN({made.column}) AS low, MAX({made.column}) AS high, "
        "COUNT(CASE WHEN positive THEN 1 END) AS pos, "
        "COUNT(CASE WHEN NOT positive THEN 1 END) AS neg "
        f"FROM ({made.keyed(given)}) AS keyed GROUP BY {listed}"
    )


def in_order(ranges: Iterable[Range]) -> tuple[Range, ...]:
    """Sort ranges by their scores, of which none may lie in two."""
    ordered = tuple(sorted(ranges))
    if any(one.high >= two.low for one, two in pairwise(ordered)):
        message = (
            "Ranges of scores overlap. This is a fault of Steelyard, not of your data: no answer "
            "is given."
        )
        raise CountsError(message, code="rows-lost")
    return ordered


def _octave(score: str) -> str:
    """Number the power of two below a score, apart by sign; zero and infinities stand alone."""
    infinite = "CAST('inf' AS DOUBLE)"
    power = f"CAST(FLOOR(LN(ABS({score})) / LN(2e0)) AS BIGINT)"
    return (
        f"CASE WHEN {score} = 0 THEN 0 WHEN {score} = {infinite} THEN 9999 "
        f"WHEN {score} = -{infinite} THEN -9999 "
        f"WHEN {score} > 0 THEN 2000 + {power} ELSE -2000 - {power} END"
    )


def _counted(table: Table, given: str, made: Cut) -> dict[Key, Range]:
    width = len(made.keys)
    return {
        tuple(int(part) for part in row[:width]): Range(
            float(row[width]), float(row[width + 1]), int(row[width + 2]), int(row[width + 3])
        )
        for row in table.query(ranges_sql(given, made))
    }


def _steps(crowds: Mapping[Key, Range], made: Cut, fine: int) -> str:
    """Number equal steps between the lowest and the highest score of each crowded range."""
    cases = []
    for key, one in sorted(crowds.items()):
        steps = min(MOST_STEPS, max(128, 4 * one.rows // fine))
        here = " AND ".join(f"{name} = {part}" for name, part in zip(made.keys, key, strict=True))
        width = quote_real(one.high - one.low)
        place = f"({made.column} - {quote_real(one.low)}) / {width} * {steps}"
        cases.append(f"WHEN {here} THEN LEAST(CAST(FLOOR({place}) AS BIGINT), {steps - 1})")
    return f"CASE {' '.join(cases)} ELSE 0 END"

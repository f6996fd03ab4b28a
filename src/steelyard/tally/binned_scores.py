"""Score tables of more distinct scores than can be held: counted in ranges, with the exact area.

The distinct scores are cut into ranges that hold few of them each, first by powers of two, then
within a crowded range by equal steps between its lowest and highest score, again and again. Inside
a range every score is ranked by a window of its own, so that no part of an engine ever sees more
than one range, and only sums leave it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from steelyard.counts import PairSums
from steelyard.engines.dialect import quote_real
from steelyard.engines.table import Table
from steelyard.errors import CountsError, NotComparable

__all__ = ["MOST_IN_RANGE", "MOST_PLACED", "Cut", "Ranges", "cut", "placed_sql", "sums_in_ranges"]

MOST_IN_RANGE = 20_000
"""A range with more distinct scores than this is cut again."""

MOST_STEPS = 4096
"""Into so many steps a range is cut at most at one time."""

MOST_LEVELS = 9
"""Numbers of one power of two differ in 52 bits, and each cut takes at least 7 of them."""

MOST_PLACED = 2_900_000_000_000
"""Sums of squared placements of more rows do not fit in whole numbers of 38 digits."""

Key = tuple[int, ...]


class Crowd(NamedTuple):
    """A range: its lowest and highest score, and how many distinct scores lie in it."""

    low: float
    high: float
    distinct: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranges:
    """The lowest score of each range, ascending, the rows in it, and the sums over all scores."""

    scores: list[float]
    positives: list[int]
    negatives: list[int]
    pair_sums: PairSums


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """Distinct scores cut into ranges: a query that gives each its range, and the range's keys."""

    keyed: str
    keys: tuple[str, ...]


def cut(table: Table, grouped: str, *, most: int = MOST_IN_RANGE) -> Cut:
    """Cut scores into ranges that hold few of them each.

    Parameters
    ----------
    table
        What ``{t}`` in the SQL stands for.
    grouped
        A query that gives ``score``, ``pos`` and ``neg``, one row for each distinct score.
    most
        How many distinct scores a range may hold.
    """
    keyed, keys = f"SELECT *, {_octave('score')} AS r0 FROM ({grouped}) AS grouped", ["r0"]
    for level in range(1, MOST_LEVELS + 1):
        crowds = _crowded(table, keyed, keys, most)
        if not crowds:
            break
        keyed = f"SELECT *, {_steps(crowds, keys, most)} AS r{level} FROM ({keyed}) AS cut{level}"
        keys.append(f"r{level}")
    return Cut(keyed=keyed, keys=tuple(keys))


def sums_in_ranges(table: Table, made: Cut, *, rows: int) -> Ranges:
    """Count positives and negatives in ranges of scores, and sum the placements of all ``rows``."""
    if rows > MOST_PLACED:
        message = (
            f"{rows:,} rows are more than {MOST_PLACED:,}, and sums over their ranks would not fit "
            "in 38 digits. Use a random part of them: with so many, it tells as much."
        )
        raise NotComparable(message, code="too-many-scores")
    return _summed(table.query(_placed(made)))


def placed_sql(made: Cut) -> str:
    """Write a query of every distinct score with its placements among all scores.

    It gives ``score``, ``below`` (twice the negatives below plus those tied) and ``above`` (twice
    the positives above plus those tied). Scores are placed inside their ranges, and a table with
    one row for each range shifts them: only that one is ever looked at as a whole.
    """
    listed = ", ".join(made.keys)
    ranges = (
        f"SELECT {listed}, MIN(score) AS low, SUM(pos) AS pos, SUM(neg) AS neg "
        f"FROM ({made.keyed}) AS counted GROUP BY {listed}"
    )
    under = "ORDER BY low ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING"
    over = "ORDER BY low ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING"
    shifts = (
        f"SELECT {listed}, COALESCE(SUM(neg) OVER ({under}), 0) AS under_all, "
        f"COALESCE(SUM(pos) OVER ({over}), 0) AS over_all FROM ({ranges}) AS ranges"
    )
    same = " AND ".join(f"inside.{key} = shifts.{key}" for key in made.keys)
    return (
        "SELECT inside.score AS score, "
        "CAST(inside.below + 2 * shifts.under_all AS BIGINT) AS below, "
        "CAST(inside.above + 2 * shifts.over_all AS BIGINT) AS above "
        f"FROM ({_inside(made)}) AS inside JOIN ({shifts}) AS shifts ON {same}"
    )


def _octave(score: str) -> str:
    """Number the power of two below a score, apart by sign; zero and infinities stand alone."""
    infinite = "CAST('inf' AS DOUBLE)"
    power = f"CAST(FLOOR(LN(ABS({score})) / LN(2e0)) AS BIGINT)"
    return (
        f"CASE WHEN {score} = 0 THEN 0 WHEN {score} = {infinite} THEN 9999 "
        f"WHEN {score} = -{infinite} THEN -9999 "
        f"WHEN {score} > 0 THEN 2000 + {power} ELSE -2000 - {power} END"
    )


def _crowded(table: Table, keyed: str, keys: Sequence[str], most: int) -> Mapping[Key, Crowd]:
    listed = ", ".join(keys)
    rows = table.query(
        f"SELECT {listed}, MIN(score), MAX(score), COUNT(*) FROM ({keyed}) AS keyed "
        f"GROUP BY {listed} HAVING COUNT(*) > {most}"
    )
    return {tuple(int(part) for part in row[: len(keys)]): Crowd(*row[len(keys) :]) for row in rows}


def _steps(crowds: Mapping[Key, Crowd], keys: Sequence[str], most: int) -> str:
    """Number equal steps between the lowest and the highest score of each crowded range."""
    cases = []
    for key, (low, high, distinct) in crowds.items():
        steps = min(MOST_STEPS, max(128, 4 * distinct // most))
        here = " AND ".join(f"{name} = {part}" for name, part in zip(keys, key, strict=True))
        place = f"(score - {quote_real(low)}) / {quote_real(high - low)} * {steps}"
        cases.append(f"WHEN {here} THEN LEAST(CAST(FLOOR({place}) AS BIGINT), {steps - 1})")
    return f"CASE {' '.join(cases)} ELSE 0 END"


def _inside(made: Cut) -> str:
    """Write a query that places every score among those of its range."""
    listed = ", ".join(made.keys)
    so_far = (
        f"OVER (PARTITION BY {listed} ORDER BY score "
        "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"
    )
    whole = f"SUM(pos) OVER (PARTITION BY {listed})"
    return (
        f"SELECT {listed}, score, {_wide('pos')} AS pos, {_wide('neg')} AS neg, "
        f"{_wide(f'2 * SUM(neg) {so_far} - neg')} AS below, "
        f"{_wide(f'2 * ({whole} - SUM(pos) {so_far}) + pos')} AS above "
        f"FROM ({made.keyed}) AS keyed"
    )


def _wide(number: str) -> str:
    return f"CAST({number} AS HUGEINT)"


def _placed(made: Cut) -> str:
    """Sum up the placements inside each range."""
    return (
        "SELECT MIN(score) AS low, MAX(score), COUNT(*), SUM(pos), SUM(neg), SUM(pos * below), "
        f"SUM(pos * below * below), SUM(neg * above * above) FROM ({_inside(made)}) AS placed "
        f"GROUP BY {', '.join(made.keys)} ORDER BY low"
    )


def _summed(rows: Sequence[tuple[float, ...]]) -> Ranges:
    """Add the ranges up: what lies below a whole range shifts all of its placements alike."""
    if any(one[1] >= two[0] for one, two in pairwise(rows)):
        message = (
            "Ranges of scores overlap. This is a fault of Steelyard, not of your data: no answer "
            "is given."
        )
        raise CountsError(message, code="rows-lost")
    whole = [tuple(int(value) for value in row[2:]) for row in rows]
    above = sum(row[1] for row in whole)
    below = won = positive_squares = negative_squares = 0
    for _, pos, neg, inside, of_positives, of_negatives in whole:
        above -= pos
        won += 2 * below * pos + inside
        positive_squares += 4 * below * below * pos + 4 * below * inside + of_positives
        negative_squares += 4 * above * above * neg + 4 * above * inside + of_negatives
        below += neg
    return Ranges(
        scores=[float(row[0]) for row in rows],
        positives=[row[1] for row in whole],
        negatives=[row[2] for row in whole],
        pair_sums=PairSums(
            distinct=sum(row[0] for row in whole),
            won_twice=won,
            positive_squares=positive_squares,
            negative_squares=negative_squares,
        ),
    )

"""Score tables of more distinct scores than can be held: counted in ranges, with the exact area.

The distinct scores are cut into ranges that hold few of them each, first by powers of two, then
within a crowded range by equal steps between its lowest and highest score, again and again. Inside
a range every score is ranked by a window of its own, so that no part of an engine ever sees more
than one range, and only sums leave it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from steelyard.counts import PairSums
from steelyard.engines.dialect import quote_real
from steelyard.engines.table import Table

__all__ = ["MOST_IN_RANGE", "Ranges", "sums_in_ranges"]

MOST_IN_RANGE = 20_000
"""A range with more distinct scores than this is cut again."""

MOST_STEPS = 4096
"""Into so many steps a range is cut at most at one time."""

MOST_LEVELS = 9
"""Numbers of one power of two differ in 52 bits, and each cut takes at least 7 of them."""

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


def sums_in_ranges(table: Table, grouped: str, *, most: int = MOST_IN_RANGE) -> Ranges:
    """Count positives and negatives in ranges of scores, and sum the placements of all.

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
    return _summed(table.query(_placed(keyed, keys)))


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


def _placed(keyed: str, keys: Sequence[str]) -> str:
    """Place every score among those of its range, and sum up."""
    listed = ", ".join(keys)
    so_far = (
        f"OVER (PARTITION BY {listed} ORDER BY score "
        "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"
    )
    whole = f"SUM(pos) OVER (PARTITION BY {listed})"
    wide = "CAST({} AS HUGEINT)".format
    placed = (
        f"SELECT {listed}, score, {wide('pos')} AS pos, {wide('neg')} AS neg, "
        f"{wide(f'2 * SUM(neg) {so_far} - neg')} AS below, "
        f"{wide(f'2 * ({whole} - SUM(pos) {so_far}) + pos')} AS above "
        f"FROM ({keyed}) AS keyed"
    )
    return (
        "SELECT MIN(score) AS low, COUNT(*), SUM(pos), SUM(neg), SUM(pos * below), "
        f"SUM(pos * below * below), SUM(neg * above * above) FROM ({placed}) AS placed "
        f"GROUP BY {listed} ORDER BY low"
    )


def _summed(rows: Sequence[tuple[float, ...]]) -> Ranges:
    """Add the ranges up: what lies below a whole range shifts all of its placements alike."""
    whole = [tuple(int(value) for value in row[1:]) for row in rows]
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

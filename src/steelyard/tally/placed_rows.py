"""Placements of rows among those of the other class, summed inside the engine.

For a positive, its placement is twice the negatives below it plus those tied with it; for a
negative, twice the positives above it plus those tied. Where there are more distinct scores than
can be held, rows are cut into ranges of scores: first by powers of two, then within a crowded
range by equal steps between its lowest and highest score, again and again. Each cut is one pass
that counts; nothing is sorted. Rows are ranked by windows inside ranges, a table with one row for
each range shifts them, and only whole-number sums leave the engine, so that no part of it ever
sees more than one range. Ranges in which all scores tie need no ranking. It is portable SQL.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, pairwise
from typing import NamedTuple

from steelyard.counts import PairSums
from steelyard.engines.dialect import quote_real
from steelyard.engines.spark import SparkTable
from steelyard.engines.table import Table
from steelyard.errors import CountsError, NotComparable, SteelyardError

__all__ = [
    "MOST_IN_RANGE",
    "MOST_PLACED",
    "MOST_SHARE",
    "Cut",
    "Placed",
    "Range",
    "Unit",
    "cut",
    "in_order",
    "place_by",
    "place_sums",
    "place_within",
    "ranges_sql",
]

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

    def add_keys(self, sql: str) -> str:
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
    most, fine = _most(rows), _fine(rows)
    keys, steps = [f"{column}_r0"], [_octave(column)]
    for level in range(1, MOST_LEVELS + 2):
        made = Cut(column=column, keys=tuple(keys), steps=tuple(steps), ranges=(), heaped=False)
        found = _count_ranges(table, given, made)
        crowds = {key: one for key, one in found.items() if one.rows > most and not one.tied}
        if not crowds or level > MOST_LEVELS:
            break
        keys.append(f"{column}_r{level}")
        steps.append(_steps(crowds, made, fine))
    ranges = in_order(found.values())
    heaped = any(one.tied and one.rows > most for one in ranges)
    return Cut(column=column, keys=tuple(keys), steps=tuple(steps), ranges=ranges, heaped=heaped)


def _most(rows: int) -> int:
    """Say how many rows may lie in one range."""
    return max(MOST_IN_RANGE, rows // MOST_SHARE)


def _fine(rows: int) -> int:
    """Say how many rows are aimed at in one range."""
    return max(MOST_IN_RANGE, rows // FINE_SHARE)


def ranges_sql(given: str, made: Cut, *, by: Sequence[str] = ()) -> str:
    """Write a query of the ranges: their keys, ``low``, ``high``, ``pos`` and ``neg``."""
    listed = ", ".join([*by, *made.keys])
    return (
        f"SELECT {listed}, MIN({made.column}) AS low, MAX({made.column}) AS high, "
        "COUNT(CASE WHEN positive THEN 1 END) AS pos, "
        "COUNT(CASE WHEN NOT positive THEN 1 END) AS neg "
        f"FROM ({made.add_keys(given)}) AS keyed GROUP BY {listed}"
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


def _count_ranges(table: Table, given: str, made: Cut) -> dict[Key, Range]:
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


MOST_PLACED = 2_900_000_000_000
"""Sums of squared placements of more rows do not fit in whole numbers of 38 digits."""

MOST_NARROW = 1_500_000_000
"""The product of two placements among so many rows fits in 64 bits."""

MOST_COPIED = 100_000_000
"""Up to so many rows the table of ranges is copied to all executors.

It takes a pass over the rows to make, and Spark gives up a copy that takes five minutes; beyond
this it decides itself how to join.
"""

Square = tuple[tuple[int, ...], ...]
Sums = tuple[bool, list[int]]


class Unit(NamedTuple):
    """Rows of both classes in one unit, and the sums of their placements."""

    positives: int
    beaten: int
    negatives: int
    beating: int

    def adding(self, *, side: bool, rows: int, placements: int) -> "Unit":
        """Add rows of one class."""
        if side:
            return self._replace(positives=rows, beaten=placements)
        return self._replace(negatives=rows, beating=placements)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """For each column its ranges and sums over all pairs, and the products of placements."""

    ranges: tuple[tuple[Range, ...], ...]
    pair_sums: tuple[PairSums, ...]
    positive_products: Square
    negative_products: Square


def place_sums(table: Table, given: str, columns: Sequence[str], *, rows: int) -> Placed:
    """Place all rows in each column of scores, and sum up.

    Parameters
    ----------
    table
        What ``{t}`` in the SQL stands for.
    given
        A query that gives the truth as ``positive``, and the scores: DOUBLE, without null, NaN or
        negative zero.
    columns
        The columns of scores.
    rows
        How many rows there are.
    """
    _refuse_more(rows)
    ranked = _rank_there(table, given, columns, rows)
    if ranked is not None:
        return ranked
    cuts = [cut(table, given, column, rows=rows) for column in columns]
    found = table.query(_sums_sql(given, cuts, rows=rows))
    summed = [(bool(side), [int(one) for one in sums]) for side, *sums in found]
    return _gather_sums(summed, [made.ranges for made in cuts])


def _rank_there(table: Table, given: str, columns: Sequence[str], rows: int) -> Placed | None:
    """Rank by numpy on the executors of a cluster; None elsewhere, and where they cannot."""
    if not isinstance(table, SparkTable) or not table.engine.ships:
        return None
    try:
        # The driver needs pyarrow, too.
        from steelyard.tally.executor_ranks import rank_on_executors

        found = rank_on_executors(
            table, given, columns, fine=_fine(rows), most=_most(rows), rows=rows
        )
    except (SteelyardError, ImportError) as error:
        code = getattr(error, "code", "engine")
        if code == "no-workers":
            raise
        if code != "too-many-rows":
            table.engine.cannot_ship()
        table.engine.tell_plan(
            f"{rows:,} rows, ranked by SQL, which takes ten times as long: the executors could not "
            "do it by Python with numpy and pyarrow"
        )
        return None
    table.engine.tell_plan(f"{rows:,} rows, ranked by numpy on the executors")
    ranges = [tuple(Range(*one) for one in each.scores()) for each in found.ranges]
    # Scores that are a range of their own are counted again when sums are gathered.
    firsts = [
        distinct - sum(one.tied for one in each)
        for distinct, each in zip(found.distinct, ranges, strict=True)
    ]
    above, below = found.positives, found.negatives
    summed = [
        (True, [above[0], *firsts, *above[1:]]),
        (False, [below[0], *(0 for _ in firsts), *below[1:]]),
    ]
    return _gather_sums(summed, ranges)


def place_within(
    table: Table, given: str, columns: Sequence[str], *, rows: int
) -> dict[str, Placed]:
    """Place the rows of each ``part`` among those of the same part, and sum up part by part."""
    cuts = _cuts(table, given, columns, rows)
    ranges = [_ranges_by_part(table, given, made) for made in cuts]
    summed: dict[str, list[Sums]] = {name: [] for name in ranges[0]}
    sql = _sums_sql(given, cuts, rows=rows, by=["part"], within=["part"])
    for name, side, *sums in table.query(sql):
        summed.setdefault(str(name), []).append((bool(side), [int(one) for one in sums]))
    return {
        name: _on_common_ends(_gather_sums(sums, [held.get(name, ()) for held in ranges]), cuts)
        for name, sums in summed.items()
    }


def place_by(
    table: Table, given: str, column: str, *, rows: int
) -> dict[str, tuple[Placed, dict[str, Unit]]]:
    """Place the rows of each ``part`` among those of the part, and sum ``unit`` by unit too."""
    (made,) = cuts = _cuts(table, given, [column], rows)
    ranges = _ranges_by_part(table, given, made)
    summed: dict[str, list[Sums]] = {name: [] for name in ranges}
    units: dict[str, dict[str, Unit]] = {name: {} for name in ranges}
    sql = _sums_sql(given, cuts, rows=rows, by=["part", "unit"], within=["part"])
    for part, unit, side, *values in table.query(sql):
        counted, _, placements, _ = sums = [int(one) for one in values]
        known = units[str(part)].get(str(unit), Unit(0, 0, 0, 0))
        here = known.adding(side=bool(side), rows=counted, placements=placements)
        units[str(part)][str(unit)] = here
        summed[str(part)].append((bool(side), sums))
    placed = {name: _gather_sums(summed[name], [ranges[name]]) for name in ranges}
    return {name: (_on_common_ends(placed[name], cuts), units[name]) for name in ranges}


def _cuts(table: Table, given: str, columns: Sequence[str], rows: int) -> list[Cut]:
    _refuse_more(rows)
    return [cut(table, given, column, rows=rows) for column in columns]


def _refuse_more(rows: int) -> None:
    if rows > MOST_PLACED:
        message = (
            f"{rows:,} rows are more than {MOST_PLACED:,}, and sums over their ranks would not fit "
            "in 38 digits. Use a random part of them: with so many, it tells as much."
        )
        raise NotComparable(message, code="too-many-scores")


def _ranges_by_part(table: Table, given: str, made: Cut) -> dict[str, tuple[Range, ...]]:
    found: dict[str, list[Range]] = {}
    for name, *values in table.query(ranges_sql(given, made, by=["part"])):
        low, high, positives, negatives = values[len(made.keys) :]
        one = Range(float(low), float(high), int(positives), int(negatives))
        found.setdefault(str(name), []).append(one)
    return {name: in_order(ranges) for name, ranges in found.items()}


def _number(cuts: Sequence[Cut]) -> str:
    """Say how many rows of the data one row of a query stands for."""
    return "n" if any(made.heaped for made in cuts) else "1"


def _sums_sql(
    given: str,
    cuts: Sequence[Cut],
    *,
    rows: int,
    by: Sequence[str] = (),
    within: Sequence[str] = (),
) -> str:
    """Write the sums of placements and of their products over the rows of each class.

    Rows are placed among those of the same ``within``, and summed ``by`` class and more.
    """
    places, number = range(len(cuts)), _number(cuts)
    narrow = number == "1" and rows <= MOST_NARROW

    times = "" if number == "1" else f" * {number}"

    def product(one: int, two: int) -> str:
        if narrow:
            return f"CAST(p{one} * p{two} AS HUGEINT)"
        return f"CAST(p{one} AS HUGEINT) * p{two}{times}"

    sums = [f"SUM(CASE WHEN first{place} THEN 1 ELSE 0 END)" for place in places]
    sums += [f"SUM(CAST(p{place} AS HUGEINT){times})" for place in places]
    sums += [f"SUM({product(*pair)})" for pair in combinations_with_replacement(places, 2)]
    listed = ", ".join([*by, "positive"])
    placed = _rows_sql(given, cuts, by, within=within, copied=rows <= MOST_COPIED)
    return (
        f"SELECT {listed}, SUM({number}), {', '.join(sums)} "
        f"FROM ({placed}) AS placed GROUP BY {listed}"
    )


def _rows_sql(
    given: str,
    cuts: Sequence[Cut],
    carried: Sequence[str],
    *,
    within: Sequence[str],
    copied: bool,
) -> str:
    """Write the rows with their placement ``p0``, ``p1``... in each column of scores.

    ``first0`` marks one of the rows of every score. Where one score has very many rows, rows that
    are alike are counted together first.
    """
    plain = [*carried, "positive", *(made.column for made in cuts)]
    sql, kept = given, list(plain)
    if _number(cuts) == "n":
        listed = ", ".join(plain)
        sql = f"SELECT {listed}, COUNT(*) AS n FROM ({given}) AS alike GROUP BY {listed}"
        kept.append("n")
    for place, made in enumerate(cuts):
        others = [one.column for one in cuts if one is not made and "n" in kept]
        shifted = _shift_sql(sql, given, made, kept=kept, within=within, copied=copied)
        ranked = _rank_sql(shifted, made, kept=kept, others=others)
        placement = (
            "CASE WHEN tied THEN shift WHEN positive THEN shift + 2 * neg_to - neg_at "
            "ELSE shift - 2 * pos_to + pos_at END"
        )
        sql = (
            f"SELECT {', '.join(kept)}, CAST({placement} AS BIGINT) AS p{place}, "
            f"NOT tied AND foremost AS first{place} FROM ({ranked}) AS ranked{place}"
        )
        kept += [f"p{place}", f"first{place}"]
    return sql


def _shift_sql(
    sql: str, given: str, made: Cut, *, kept: Sequence[str], within: Sequence[str], copied: bool
) -> str:
    """Write the rows with what shifts the placements of their whole range.

    There are few ranges, so that every part of a cluster may have a copy of all of them. They are
    numbered, because rows are sorted faster by one number than by a key of several.
    """
    same = " AND ".join(f"given.{key} = shifts.{key}" for key in [*within, *made.keys])
    asked = ", ".join(f"given.{name} AS {name}" for name in kept)
    hint = "/*+ BROADCAST(shifts) */ " if copied else ""
    return (
        f"SELECT {hint}{asked}, shifts.number AS number, shifts.tied AS tied, "
        "CASE WHEN given.positive THEN shifts.of_positive ELSE shifts.of_negative END AS shift "
        f"FROM ({made.add_keys(sql)}) AS given JOIN ({_shifts(given, made, within)}) AS shifts "
        f"ON {same}"
    )


def _shifts(given: str, made: Cut, within: Sequence[str]) -> str:
    """Write a query of the ranges with what lies below and above them."""
    listed = ", ".join([*within, *made.keys])
    part = f"PARTITION BY {', '.join(within)} " if within else ""
    so_far = f"OVER ({part}ORDER BY low ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"
    under = f"SUM(neg) {so_far} - neg"
    over = f"SUM(pos) OVER ({part.strip()}) - SUM(pos) {so_far}"
    return (
        f"SELECT {listed}, low = high AS tied, "
        f"ROW_NUMBER() OVER (ORDER BY {', '.join([*within, 'low'])}) AS number, "
        f"CAST(2 * ({under}) + CASE WHEN low = high THEN neg ELSE 0 END AS BIGINT) AS of_positive, "
        f"CAST(2 * ({over}) + CASE WHEN low = high THEN pos ELSE 2 * pos END AS BIGINT) "
        f"AS of_negative FROM ({ranges_sql(given, made, by=within)}) AS ranges"
    )


def _rank_sql(sql: str, made: Cut, *, kept: Sequence[str], others: Sequence[str]) -> str:
    """Write the rows with what lies up to and at their score inside their range.

    Tied ranges are not ranked, and may be far larger than others. Theirs are rows that differ in
    another column, by which they are spread.
    """
    spread = [f"CASE WHEN tied THEN {other} ELSE 0e0 END" for other in others]
    ordered = f"PARTITION BY {', '.join(['number', *spread])} ORDER BY {made.column}"
    to = f"OVER ({ordered} RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"
    at = f"OVER ({ordered} RANGE BETWEEN CURRENT ROW AND CURRENT ROW)"
    alike = "n" if "n" in kept else "1"
    pos = f"CASE WHEN positive THEN {alike} ELSE 0 END"
    neg = f"CASE WHEN positive THEN 0 ELSE {alike} END"
    return (
        f"SELECT {', '.join(kept)}, tied, shift, SUM({pos}) {to} AS pos_to, "
        f"SUM({neg}) {to} AS neg_to, SUM({pos}) {at} AS pos_at, SUM({neg}) {at} AS neg_at, "
        f"COALESCE(LAG({made.column}) OVER ({ordered}) <> {made.column}, TRUE) AS foremost "
        f"FROM ({sql}) AS shifted"
    )


def _gather_sums(summed: Sequence[Sums], ranges: Sequence[Sequence[Range]]) -> Placed:
    """Gather the sums of both classes, and check them against the ranges."""
    width = len(ranges)
    nothing = [0] * (1 + 2 * width + width * (width + 1) // 2)
    positives, negatives = (
        [sum(each) for each in zip(nothing, *(sums for at, sums in summed if at == side),
                                   strict=True)]
        for side in (True, False)
    )  # fmt: skip
    won = positives[1 + width : 1 + 2 * width]
    held = {
        (sum(one.positives for one in each), sum(one.negatives for one in each)) for each in ranges
    }
    if held != {(positives[0], negatives[0])} or won != negatives[1 + width : 1 + 2 * width]:
        message = (
            "The sums over the rows are not those over their scores. This is a fault of Steelyard, "
            "not of your data: no answer is given."
        )
        raise CountsError(message, code="rows-lost")
    above, below = (_square(side[1 + 2 * width :], width) for side in (positives, negatives))
    return Placed(
        ranges=tuple(tuple(each) for each in ranges),
        pair_sums=tuple(
            PairSums(
                distinct=sum(one.tied for one in each) + positives[1 + n] + negatives[1 + n],
                won_twice=won[n],
                positive_squares=above[n][n],
                negative_squares=below[n][n],
            )
            for n, each in enumerate(ranges)
        ),
        positive_products=above,
        negative_products=below,
    )


def _on_common_ends(placed: Placed, cuts: Sequence[Cut]) -> Placed:
    """Let the ranges of a part begin where those of all rows do, so that parts can be added."""
    found = []
    for made, ranges in zip(cuts, placed.ranges, strict=True):
        lows = [one.low for one in made.ranges]
        found.append(
            tuple(one._replace(low=lows[bisect_right(lows, one.low) - 1]) for one in ranges)
        )
    return replace(placed, ranges=tuple(found))


def _square(values: Sequence[int], width: int) -> Square:
    """Fill a symmetric table from its upper half."""
    known = dict(zip(combinations_with_replacement(range(width), 2), values, strict=True))
    return tuple(
        tuple(known[min(one, two), max(one, two)] for two in range(width)) for one in range(width)
    )

"""Rows become sums of values: portable SQL for every engine, numpy for rows of this machine.

Both cut a value into whole numbers of steps (:class:`steelyard.counts.grids.Grid`) and add these
up, so that every engine, order of rows and number of shards gives the same sums to the last digit.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import Grouped
from steelyard.counts.grids import DIGITS, Grid, Span, exact_products
from steelyard.counts.labels import sort_classes
from steelyard.counts.moments import Moments
from steelyard.counts.value_table import MOST_VALUES, ValueTable
from steelyard.counts.weights import SCALE
from steelyard.engines.dialect import quote_literal, quote_real
from steelyard.engines.local import LocalTable
from steelyard.errors import NotComparable
from steelyard.sources.predictions import Predictions, SplitRole, System
from steelyard.tally.calls import WHOLE, check_complete

__all__ = [
    "count_wins",
    "count_without_error",
    "ends_of_ratios",
    "read_clustered_values",
    "read_item_values",
    "read_split_values",
    "tally_cluster_moments",
    "tally_difference_values",
    "tally_moments",
    "tally_moments_by",
    "tally_moments_by_slice",
    "tally_values",
]

WIDTH = 45
"""The sum of 2^36 products of two parts of 45 bits fits in 126 bits, as the widest whole number
that all engines have."""

MOST_SUMS = 400
"""So many sums are asked for in one statement."""

MARK = "\x1f"
"""Stands between the name of a slice and that of a cluster in it."""

SAMPLE = 10_000
BATCH = 1 << 17
"""Rows that are handed over at once."""
AT_ONCE = 2
"""Batches that are summed side by side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Columns:
    """The columns to be summed, as SQL: values of systems, then denominators."""

    systems: tuple[System, ...]
    sql: tuple[str, ...]
    per: tuple[str, ...]
    of: tuple[int, ...]
    answered: str

    def inner(self, part: str | None = None) -> str:
        """Select them under the names x0, x1, ... beside the part that a row belongs to."""
        named = [f"{sql} AS x{place}" for place, sql in enumerate(self.sql)]
        named = named if part is None else [f"{part} AS part", *named]
        return f"SELECT {', '.join(named)} FROM {{t}} WHERE {self.answered}"


def _columns(predictions: Predictions, systems: Sequence[System]) -> _Columns:
    """List values and denominators; weights multiply both, and divide a plain mean."""
    chosen = tuple(systems)
    weight = f"(CAST(w AS DOUBLE) * {quote_real(1 / SCALE)})" if predictions.weighted else ""
    times = f" * {weight}" if weight else ""
    denominators = {system.per: system.per_name for system in chosen}
    plain = set(denominators) == {""}
    if plain and not weight:
        denominators = {}
    below = [f"{column}{times}" if column else weight for column in denominators]
    places = list(denominators)
    return _Columns(
        systems=chosen,
        sql=(*(f"{system.column}{times}" for system in chosen), *below),
        per=tuple(name or "weight" for name in denominators.values()),
        of=tuple(places.index(system.per) for system in chosen) if denominators else (),
        answered=" AND ".join(f"{system.column} IS NOT NULL" for system in chosen),
    )


def _choose_systems(predictions: Predictions, systems: Sequence[System] | None) -> Sequence[System]:
    chosen = predictions.holding("value") if systems is None else systems
    if predictions.pairing == "independent" and len(chosen) > 1:
        message = "These systems had items of their own, so that no products of values exist."
        raise NotComparable(message, code="not-paired")
    return chosen


def _check_counted(predictions: Predictions, chosen: Sequence[System], items: int) -> None:
    """Raise when rows are neither summed nor named as excluded; without any, all are summed."""
    if items != predictions.rows or predictions.pairing == "independent":
        check_complete(predictions, chosen, items)


def tally_moments(predictions: Predictions, systems: Sequence[System] | None = None) -> Moments:
    """Sum values, and products of values, over the items that all the systems have."""
    chosen = _choose_systems(predictions, systems)
    columns = _columns(predictions, chosen)
    spans, items = _spans(predictions, columns)
    grids = [Grid.of(span) for span in spans]
    if isinstance(predictions.table, LocalTable):
        sums, products = _stream_sums(predictions.table, columns, grids)
    else:
        ((_, _, _, sums, products),) = _sum_parts(predictions, columns, grids, quote_literal(WHOLE))
    _check_counted(predictions, chosen, items)
    return Moments.from_steps(
        systems=[system.name for system in chosen],
        items=items,
        spans=spans,
        sums=sums,
        products=products,
        per=columns.per,
        of=columns.of,
        excluded=predictions.exclusions_for(chosen),
    )


def tally_moments_by(
    predictions: Predictions, role: SplitRole, systems: Sequence[System] | None = None
) -> Grouped[Moments]:
    """Sum the values of each cluster, group or fold apart."""
    return Grouped.from_parts(
        role, _moments_of(predictions, predictions.split_column(role), systems)
    )


def tally_moments_by_slice(
    predictions: Predictions, systems: Sequence[System] | None = None
) -> dict[str, Grouped[Moments]]:
    """Sum the values of each slice, and within it of each cluster, apart."""
    outer, inner = (predictions.split_column(role) for role in ("group", "cluster"))
    both = f"CONCAT({outer}, {quote_literal(MARK)}, {inner})"
    found: dict[str, dict[str, Moments]] = {}
    for name, moments in _moments_of(predictions, both, systems).items():
        part, _, cluster = name.partition(MARK)
        found.setdefault(part, {})[cluster] = moments
    return {part: Grouped.from_parts("cluster", found[part]) for part in sort_classes(found)}


def _moments_of(
    predictions: Predictions, part: str, systems: Sequence[System] | None
) -> dict[str, Moments]:
    """Sum the values of each part apart."""
    chosen = _choose_systems(predictions, systems)
    columns = _columns(predictions, chosen)
    spans, items = _spans(predictions, columns)
    grids = [Grid.of(span) for span in spans]
    parts = {
        name: Moments.from_steps(
            systems=[system.name for system in chosen],
            items=count,
            spans=own,
            sums=sums,
            products=products,
            per=columns.per,
            of=columns.of,
            grids=grids,
        )
        for name, count, own, sums, products in _sum_parts(predictions, columns, grids, part)
    }
    _check_counted(predictions, chosen, items)
    return parts


def tally_cluster_moments(
    predictions: Predictions, systems: Sequence[System] | None = None
) -> Moments:
    """Sum over clusters as units: each brings the sum of its values, and of what they are per.

    Without denominators a cluster's denominator is its number of items, so that the ratio of the
    sums is the mean over all items.
    """
    return moments_of_clusters(tally_moments_by(predictions, "cluster", systems))


def moments_of_clusters(grouped: Grouped[Moments]) -> Moments:
    """Take parts for units."""
    parts, first = grouped.parts, grouped.parts[0]
    values = {
        name: np.array([float(part.sum_of(name)) for part in parts]) for name in first.systems
    }
    if first.per:
        start = len(first.systems)
        per = {
            name: np.array([part.sums[start + at] / part.scale for part in parts])
            for at, name in enumerate(first.per)
        }
    else:
        per = {"items": np.array([float(part.items) for part in parts])}
    return Moments.from_arrays(values, per=per, of=first.of or [0] * len(values))


def _spans(predictions: Predictions, columns: _Columns) -> tuple[list[Span], int]:
    """Look at all values: their ends, their sizes, and whether they are decimals."""
    places = range(len(columns.sql))
    # Of floating-point numbers the first rows show that they are no decimals.
    some = f"({columns.inner()} LIMIT {SAMPLE}) AS sampled"
    off = _count_off(predictions, some, [(place, DIGITS[-1]) for place in places])
    clean = [place for place in places if not off[place, DIGITS[-1]]]
    asked = ", ".join(
        f"MIN(x{at}), MAX(x{at}), MIN(CASE WHEN x{at} <> 0 THEN ABS(x{at}) END)" for at in places
    )
    valued = f"({columns.inner()}) AS valued"
    (row,) = predictions.table.query(f"SELECT COUNT(*), {asked} FROM {valued}")
    if not row[0]:
        message = "There is no item that every system has a value for."
        raise NotComparable(message, code="no-items")
    wanted = [(place, digits) for place in clean for digits in DIGITS]
    off |= _count_off(predictions, valued, wanted)
    spans = [
        Span(
            float(row[1 + 3 * at]),
            float(row[2 + 3 * at]),
            float(row[3 + 3 * at] or 0.0),
            tuple(off.get((at, digits), off[at, DIGITS[-1]]) for digits in DIGITS),
        )
        for at in places
    ]
    return spans, int(row[0])


def _count_off(
    predictions: Predictions, source: str, wanted: Sequence[tuple[int, int]]
) -> dict[tuple[int, int], int]:
    """Count, for columns and numbers of digits, the values that have more."""
    if not wanted:
        return {}
    asked = ", ".join(_off_sql(f"x{place}", digits) for place, digits in wanted)
    (row,) = predictions.table.query(f"SELECT {asked} FROM {source}")
    return dict(zip(wanted, map(int, row), strict=True))


def _off_sql(x: str, digits: int) -> str:
    """Count the values that have more decimals than this."""
    power = quote_real(10.0**digits)
    steps = f"CAST(FLOOR(ABS({x}) * {power} + {quote_real(0.5)}) AS DOUBLE)"
    return f"COUNT(CASE WHEN {steps} / {power} <> ABS({x}) THEN 1 END)"


Sums = tuple[list[int], list[list[int]]]


def _stream_sums(table: LocalTable, columns: _Columns, grids: Sequence[Grid]) -> Sums:
    """Sum rows of this machine as they come."""
    size = len(grids)
    total: Sums = [0] * size, [[0] * size for _ in range(size)]
    # Whole numbers add up to the same whatever ends first; numpy lets go of the interpreter.
    waiting: deque[Future[Sums]] = deque()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for batch in table.batches(columns.inner(), BATCH):
            held = [batch[f"x{place}"].astype(np.float64) for place in range(size)]
            if not held[0].size:
                continue
            waiting.append(pool.submit(exact_products, held, grids))
            if len(waiting) > AT_ONCE:
                _add(total, waiting.popleft().result())
        for one in waiting:
            _add(total, one.result())
    return total


def _add(total: Sums, more: Sums) -> None:
    for one, two in zip([total[0], *total[1]], [more[0], *more[1]], strict=True):
        for at, number in enumerate(two):
            one[at] += number


Part = tuple[str, int, list[Span], list[int], list[list[int]]]


def _sum_parts(
    predictions: Predictions, columns: _Columns, grids: Sequence[Grid], part: str
) -> Iterator[Part]:
    """Sum by the engine: parts of whole numbers, their products, and nothing else leaves it."""
    names = [(at, k) for at, grid in enumerate(grids) for k in range(grid.parts(WIDTH))]
    pairs = list(combinations_with_replacement(names, 2))
    wanted = [*((name,) for name in names), *pairs]
    cut = _cut_sql(columns, grids, part)
    ends = ", ".join(f"MIN(x{at}), MAX(x{at})" for at in range(len(grids)))
    held: dict[str, tuple[int, list[float], dict[tuple[Any, ...], int]]] = {}
    for start in range(0, len(wanted), MOST_SUMS):
        some = wanted[start : start + MOST_SUMS]
        asked = ", ".join(f"SUM({_product_sql(one)})" for one in some)
        rows = predictions.table.query(
            f"SELECT part, COUNT(*), {ends}, {asked} FROM {cut} GROUP BY part"
        )
        for name, items, *numbers in rows:
            limits = [float(one) for one in numbers[: 2 * len(grids)]]
            known = held.setdefault(str(name), (int(items), limits, {}))[2]
            known |= {
                key: int(number)
                for key, number in zip(some, numbers[2 * len(grids) :], strict=True)
            }
    for name, (items, limits, known) in held.items():
        spans = [Span(a, b, 0.0, ()) for a, b in zip(limits[::2], limits[1::2], strict=True)]
        yield name, items, spans, *_join_sums(known, grids)


def _join_sums(
    known: dict[tuple[Any, ...], int], grids: Sequence[Grid]
) -> tuple[list[int], list[list[int]]]:
    counts = [grid.parts(WIDTH) for grid in grids]
    sums = [
        grid.join([known[((at, k),)] for k in range(counts[at])], WIDTH)
        for at, grid in enumerate(grids)
    ]

    def product(i: int, j: int) -> int:
        rows = []
        for k in range(counts[i]):
            pairs = [tuple(sorted([(i, k), (j, m)])) for m in range(counts[j])]
            rows.append(grids[j].join([known[pair] for pair in pairs], WIDTH))
        return grids[i].join(rows, WIDTH)

    size = range(len(grids))
    return sums, [[product(i, j) for j in size] for i in size]


def _product_sql(names: Sequence[tuple[int, int]]) -> str:
    first, *others = [f"q{at}_{k}" for at, k in names]
    return " * ".join([f"CAST({first} AS HUGEINT)", *others])


def _cut_sql(columns: _Columns, grids: Sequence[Grid], part: str) -> str:
    """Cut every value into parts of whole numbers, in one layer of SQL for each part."""
    sizes = []
    for at, grid in enumerate(grids):
        size = f"ABS(x{at})"
        if grid.digits is not None:
            power = quote_real(10.0**grid.digits)
            size = f"CAST(FLOOR({size} * {power} + {quote_real(0.5)}) AS DOUBLE)"
        sizes.append(f"{size} * {quote_real(2.0 ** grid.lower(WIDTH))} AS y{at}_0")
    signs = [f"CASE WHEN x{at} < 0 THEN -1 ELSE 1 END AS g{at}" for at in range(len(grids))]
    sql = f"SELECT *, {', '.join([*signs, *sizes])} FROM ({columns.inner(part)}) AS valued"
    step = quote_real(2.0**WIDTH)
    for k in range(max(grid.parts(WIDTH) for grid in grids)):
        made = []
        for at, grid in enumerate(grids):
            if k < grid.parts(WIDTH):
                whole = f"FLOOR(y{at}_{k})"
                made.append(f"g{at} * CAST({whole} AS BIGINT) AS q{at}_{k}")
                made.append(f"(y{at}_{k} - {whole}) * {step} AS y{at}_{k + 1}")
        sql = f"SELECT *, {', '.join(made)} FROM ({sql}) AS layer{k}"
    return f"({sql}) AS cut"


def tally_values(predictions: Predictions, system: System) -> ValueTable:
    """Count the items at each distinct value (or ratio) of one system."""
    value = _single(system)
    return _table(predictions, value, f"{value} IS NOT NULL", system=system)


def tally_difference_values(predictions: Predictions, first: System, second: System) -> ValueTable:
    """Count the items at each distinct difference of two systems.

    Of errors per the same words, the difference of the errors; else that of the ratios. Differences
    of decimals are taken in whole steps, or the noise of floating point would break ties and give
    zeros a sign.
    """
    answered = f"{first.column} IS NOT NULL AND {second.column} IS NOT NULL"
    if not _share_denominator(predictions, first, second):
        return _table(predictions, f"({_single(first)} - {_single(second)})", answered)
    one, two = first.column, second.column
    spans, _ = _spans(predictions, _columns(predictions, [first, second]))
    digits = [Grid.of(span).digits for span in spans[:2]]
    if None not in digits and not predictions.weighted:
        power = quote_real(10.0 ** max(d for d in digits if d is not None))
        one, two = (f"FLOOR({x} * {power} + {quote_real(0.5)})" for x in (one, two))
        return _table(predictions, f"(({one} - {two}) / {power})", answered)
    return _table(predictions, f"({one} - {two})", answered)


def ends_of_ratios(predictions: Predictions, systems: Sequence[System]) -> tuple[float, float]:
    """Find the least and the largest ratio of an item, of all systems."""
    asked = ", ".join(f"MIN({_single(one)}), MAX({_single(one)})" for one in systems)
    (found,) = predictions.table.query(f"SELECT {asked} FROM {{t}}")
    known = [float(one) for one in found if one is not None]
    return min(known), max(known)


def read_item_values(
    predictions: Predictions, systems: Sequence[System]
) -> list[NDArray[np.float64]]:
    """Fetch the values (or ratios) of the items that all the systems have, side by side."""
    answered = " AND ".join(f"{system.column} IS NOT NULL" for system in systems)
    named = ", ".join(f"{_single(system)} AS v{at}" for at, system in enumerate(systems))
    held = predictions.table.arrays(f"SELECT {named} FROM {{t}} WHERE {answered}")
    return [held[f"v{at}"].astype(np.float64) for at in range(len(systems))]


def read_split_values(
    predictions: Predictions, systems: Sequence[System], roles: Sequence[SplitRole]
) -> tuple[list[NDArray[np.float64]], list[NDArray[np.str_]]]:
    """Fetch the values of the items that all the systems have, and the parts they belong to."""
    answered = " AND ".join(f"{system.column} IS NOT NULL" for system in systems)
    named = [f"{_single(system)} AS v{at}" for at, system in enumerate(systems)]
    named += [f"{predictions.split_column(role)} AS p{at}" for at, role in enumerate(roles)]
    held = predictions.table.arrays(f"SELECT {', '.join(named)} FROM {{t}} WHERE {answered}")
    values = [held[f"v{at}"].astype(np.float64) for at in range(len(systems))]
    return values, [held[f"p{at}"].astype(np.str_) for at in range(len(roles))]


def read_clustered_values(
    predictions: Predictions, system: System
) -> tuple[NDArray[np.float64], NDArray[np.str_]]:
    """Fetch the values (or ratios) of one system, each with the cluster it belongs to."""
    (values,), (clusters,) = read_split_values(predictions, [system], ["cluster"])
    return values, clusters


def count_wins(
    predictions: Predictions, pairs: Sequence[tuple[System, System]]
) -> list[tuple[int, int, int]]:
    """Count, for each pair, the items on which the first has more, as much, less."""
    asked = []
    for first, second in pairs:
        one, two = _single(first), _single(second)
        asked += [f"COUNT(CASE WHEN {one} {mark} {two} THEN 1 END)" for mark in (">", "=", "<")]
    (found,) = predictions.table.query(f"SELECT {', '.join(asked)} FROM {{t}}")
    numbers = [int(one) for one in found]
    return [(numbers[at], numbers[at + 1], numbers[at + 2]) for at in range(0, len(numbers), 3)]


def count_without_error(predictions: Predictions, first: System, second: System) -> int:
    """Count the items on which both systems have 0."""
    both = f"{first.column} = 0 AND {second.column} = 0"
    ((count,),) = predictions.table.query(f"SELECT COUNT(CASE WHEN {both} THEN 1 END) FROM {{t}}")
    return int(count)


def _share_denominator(predictions: Predictions, first: System, second: System) -> bool:
    """Tell whether two systems are counted per the same number on every item."""
    if first.per == second.per:
        return True
    if not (first.per and second.per):
        return False
    unlike = f"COUNT(CASE WHEN {first.per} <> {second.per} THEN 1 END)"
    ((count,),) = predictions.table.query(f"SELECT {unlike} FROM {{t}}")
    return int(count) == 0


def _single(system: System) -> str:
    return f"({system.column} / {system.per})" if system.per else system.column


def _too_many(predictions: Predictions, inner: str) -> bool:
    """Tell whether more values are different than a table holds; that many are looked at."""
    some = f"SELECT DISTINCT value FROM ({inner}) AS valued LIMIT {MOST_VALUES + 1}"
    ((distinct,),) = predictions.table.query(f"SELECT COUNT(*) FROM ({some}) AS sampled")
    return int(distinct) > MOST_VALUES


def _table(
    predictions: Predictions, value: str, answered: str, system: System | None = None
) -> ValueTable:
    """Count values as they are; where they are too many, in steps that the table names."""
    inner = f"SELECT {value} + 0e0 AS value FROM {{t}} WHERE {answered}"
    step = None
    if predictions.rows > MOST_VALUES and _too_many(predictions, inner):
        ((low, high),) = predictions.table.query(
            f"SELECT MIN(value), MAX(value) FROM ({inner}) AS valued"
        )
        step = ValueTable.step_for(float(low), float(high))
        unit = quote_real(step)
        inner = f"SELECT FLOOR(value / {unit} + 0.5) * {unit} AS value FROM ({inner}) AS valued"
    found = predictions.table.arrays(
        f"SELECT value, COUNT(*) AS items FROM ({inner}) AS stepped GROUP BY value"
    )
    order = np.argsort(found["value"].astype(np.float64))
    return ValueTable(
        values=found["value"].astype(np.float64)[order],
        counts=found["items"].astype(np.int64)[order],
        step=step,
        excluded=predictions.exclusions_for([system]) if system else (),
    )

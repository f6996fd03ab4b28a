"""What executors of a cluster do with rows of scores, in numpy; this file is sent to them whole.

Steelyard need not be installed there, so nothing here may use the rest of it. A score becomes a
key, a whole number of 64 bits in the same order; rows travel as bytes, many in one cell, because a
row of its own costs more to move than to rank. All sums are of whole numbers. Where a row goes
depends on its scores alone, never on its place: a task that is run again may see another order.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

__all__ = [
    "BINS",
    "ROWS",
    "Bins",
    "Groups",
    "bin_counter",
    "row_ranker",
    "row_sender",
    "score_of",
]

BINS = "place bigint, name bigint, low bigint, high bigint, pos bigint, neg bigint"
"""Columns of the bins: of which scores, the leading bits they share, what lies in them."""

ROWS = "number bigint, positives bigint, held binary"
"""Columns of rows on their way: their group, how many are positive, and they themselves."""

CHUNK = 1 << 19
"""So many rows are taken together from the engine, which hands over ten thousand at a time."""

PIECE = 22
"""Placements are cut into pieces of so many bits, of which products of a chunk add up in 63."""

NOTES = -1
"""The group of what is told and not ranked; below it are those of rows that wait for a column."""

Whole = NDArray[np.int64]
Batches = Iterator[pa.RecordBatch]
SIGN = 63
"""The bit of a float's sign, counted from the lowest."""


class Bins(NamedTuple):
    """Which bins to count: those whose first ``inside_bits`` are among ``inside``, or all."""

    bits: int
    inside_bits: int = 0
    inside: Whole | None = None


class Groups(NamedTuple):
    """The groups of one column: where each begins, what lies beside it, and whether it is a tie.

    ``below`` counts negatives under a group, ``above`` positives over it; ``pos`` and ``neg`` are
    those in it.
    """

    start: Whole
    tied: NDArray[np.bool_]
    below: Whole
    above: Whole
    pos: Whole
    neg: Whole


class Rows(NamedTuple):
    """Rows of both classes, positives first: for each column its keys, or the placements."""

    positives: int
    columns: Whole

    def take(self, chosen: NDArray[Any]) -> "Rows":
        """Choose rows by place, given in an order that keeps positives first."""
        return Rows(int((chosen < self.positives).sum()), self.columns[:, chosen])

    def sides(self) -> tuple[Whole, Whole]:
        """Give the positives and the negatives."""
        return self.columns[:, : self.positives], self.columns[:, self.positives :]


def key_of(scores: NDArray[np.float64]) -> Whole:
    """Give each score a whole number in the same order; -0.0 is not among them."""
    return _flip(np.ascontiguousarray(scores, dtype=np.float64).view(np.int64))


def score_of(keys: Whole) -> NDArray[np.float64]:
    """Give the score of each key.

    >>> score_of(key_of(np.array([-0.5, 0.0, 2.0]))).tolist()
    [-0.5, 0.0, 2.0]
    """
    return _flip(np.asarray(keys)).view(np.float64)


def _flip(bits: Whole) -> Whole:
    """Turn the order of negative numbers, which IEEE 754 keeps by sign and size."""
    return bits ^ ((bits >> SIGN) & np.int64((1 << SIGN) - 1))


def bin_counter(wanted: list[Bins]) -> Callable[[Batches], Batches]:
    """Make what counts the rows of both classes in bins of the keys of each column."""

    def count(batches: Batches) -> Batches:
        held = [np.zeros((5, 0), np.int64)] * len(wanted)
        for chunk in chunks(batches):
            for place, asked in enumerate(wanted):
                held[place] = _merge(np.concatenate([held[place], *_bins(chunk, place, asked)], 1))
        names = [column.split()[0] for column in BINS.split(", ")]
        for place, bins in enumerate(held):
            columns = [np.full(bins.shape[1], place, np.int64), *bins]
            yield pa.RecordBatch.from_arrays([pa.array(one) for one in columns], names=names)

    return count


def _bins(chunk: Rows, place: int, asked: Bins) -> list[Whole]:
    """Count one chunk: for each bin its key, lowest and highest key, positives and negatives."""
    parts = []
    for side, columns in enumerate(chunk.sides()):
        keys = columns[place]
        if asked.inside is not None:
            keys = keys[np.isin(keys >> (64 - asked.inside_bits), asked.inside)]
        if not keys.size:
            continue
        keys = np.sort(keys)
        names = keys >> (64 - asked.bits)
        first = _starts(names)
        made = np.zeros((5, first.size), np.int64)
        ends = np.append(first[1:], keys.size)
        made[0], made[1], made[2] = names[first], keys[first], keys[ends - 1]
        made[3 + side] = ends - first
        parts.append(made)
    return parts


def _starts(ordered: NDArray[Any]) -> NDArray[np.intp]:
    """Find where a run of equal values begins."""
    return np.flatnonzero(np.concatenate([[ordered.size > 0], ordered[1:] != ordered[:-1]]))


def _merge(bins: Whole) -> Whole:
    bins = bins[:, np.argsort(bins[0], kind="stable")]
    first = _starts(bins[0])
    if not first.size:
        return bins
    ways = (np.minimum, np.maximum, np.add, np.add)
    return np.stack(
        [
            bins[0, first],
            *(way.reduceat(row, first) for way, row in zip(ways, bins[1:], strict=True)),
        ]
    )


def chunks(batches: Batches) -> Iterator[Rows]:
    """Gather batches of a truth and of scores into chunks, the keys of positives first."""
    held: list[pa.RecordBatch] = []
    for batch in batches:
        held.append(batch)
        if sum(one.num_rows for one in held) >= CHUNK:
            yield _chunk(held)
            held = []
    if held:
        yield _chunk(held)


def _chunk(held: list[pa.RecordBatch]) -> Rows:
    table = pa.Table.from_batches(held)
    positive = table.column(0).to_numpy().astype(np.bool_)
    order = np.concatenate([np.flatnonzero(positive), np.flatnonzero(~positive)])
    scores = [table.column(n).to_numpy() for n in range(1, table.num_columns)]
    return Rows(int(positive.sum()), np.stack([key_of(one)[order] for one in scores]))


def row_sender(groups: list[Groups], spread: int) -> Callable[[Batches], Batches]:
    """Make what sends rows to their groups in the first column."""

    def send(batches: Batches) -> Batches:
        for chunk in chunks(batches):
            yield from _send(chunk, groups, 0, spread)

    return send


def row_ranker(groups: list[Groups], place: int, spread: int) -> Callable[[pa.Table], pa.Table]:
    """Make what ranks the rows of one group in a column, and sends them to the next, or sums up."""

    def rank(table: pa.Table) -> pa.Table:
        number = table.column("number")[0].as_py()
        rows, told = _receive(table, len(groups))
        if number >= 0:
            rows, distinct = _rank(rows, groups[place], place, number)
            told.append({"place": place, "distinct": distinct})
        if place + 1 == len(groups):
            sent = [_write_told([*told, _sum(rows)])]
        else:
            sent = [*_send(rows, groups, place + 1, spread), _write_told(told)]
        return pa.Table.from_batches(sent)

    return rank


def _batch(numbers: list[int], positives: list[int], held: list[bytes]) -> pa.RecordBatch:
    kinds = (pa.int64(), pa.int64(), pa.binary())
    values = (numbers, positives, held)
    made = [pa.array(one, kind) for one, kind in zip(values, kinds, strict=True)]
    return pa.RecordBatch.from_arrays(made, names=["number", "positives", "held"])


def _write_told(told: list[dict[str, Any]]) -> pa.RecordBatch:
    """Write what is told beside rows: no rows have less than no positives."""
    return _batch([NOTES], [-1], [json.dumps(told).encode()])


def _send(rows: Rows, groups: list[Groups], place: int, spread: int) -> Batches:
    """Send rows to their groups in a column.

    A tie that is a group of its own places its rows without ranking. They wait for a later column
    in which they have to be ranked, and are summed at once when there is none.
    """
    number, tied = _find(groups[place], rows.columns[place])
    if tied.any():
        columns = rows.columns.copy()
        columns[place] = np.where(tied, _tie(rows, groups[place], number), columns[place])
        rows, number = Rows(rows.positives, columns), np.where(tied, NOTES, number)
        for later in range(place + 1, len(groups)):
            waits = tied & ~_find(groups[later], columns[later])[1]
            number[waits] = NOTES - 1 - columns[later, waits] % spread
        yield _write_told(
            [_sum(_all_tied(rows.take(np.flatnonzero(number == NOTES)), groups, place))]
        )
    order = np.argsort(_narrow(number), kind="stable")
    numbers = number[order]
    first = _starts(numbers)
    parts = np.split(order, first[1:]) if first.size else []
    for each, chosen in zip(numbers[first].tolist(), parts, strict=True):
        if each != NOTES:
            part = rows.take(chosen)
            yield _batch([each], [part.positives], [part.columns.tobytes()])


def _find(here: Groups, keys: Whole) -> tuple[Whole, NDArray[np.bool_]]:
    """Find the group of each key, and whether it is a tie."""
    found = np.searchsorted(here.start, keys, "right") - 1
    return found, here.tied[found]


def _tie(rows: Rows, here: Groups, found: Whole) -> Whole:
    """Place rows of groups that tie: twice what lies beside them, and once what ties with them."""
    positive = np.arange(found.size) < rows.positives
    above, below = 2 * here.above[found] + here.pos[found], 2 * here.below[found] + here.neg[found]
    return np.where(positive, below, above)


def _all_tied(rows: Rows, groups: list[Groups], place: int) -> Rows:
    """Place rows that tie in all columns behind a place, too."""
    columns = rows.columns
    for later in range(place + 1, len(groups)):
        columns[later] = _tie(rows, groups[later], _find(groups[later], columns[later])[0])
    return Rows(rows.positives, columns)


def _narrow(number: Whole) -> NDArray[Any]:
    """Take the fewest bytes: sixteen bits are sorted in two passes."""
    small = np.int16 if number.size and np.abs(number).max() < (1 << 15) else np.int64
    return number.astype(small)


def _receive(table: pa.Table, width: int) -> tuple[Rows, list[dict[str, Any]]]:
    """Put the rows of a group together, positives first, and give what was told on the way."""
    told: list[dict[str, Any]] = []
    above, below = [np.zeros((width, 0), np.int64)], [np.zeros((width, 0), np.int64)]
    for count, held in zip(table.column("positives"), table.column("held"), strict=True):
        if count.as_py() < 0:
            told += json.loads(held.as_py())
            continue
        columns = np.frombuffer(held.as_buffer(), np.int64).reshape(width, -1)
        above.append(columns[:, : count.as_py()])
        below.append(columns[:, count.as_py() :])
    positives = sum(one.shape[1] for one in above)
    return Rows(positives, np.concatenate([*above, *below], axis=1)), told


def _rank(rows: Rows, here: Groups, place: int, number: int) -> tuple[Rows, int]:
    """Place the rows of a group, and count its distinct scores; sorting quickens the search."""
    sides = [
        # One column alone has no other to keep in step.
        np.sort(side) if len(side) == 1 else side[:, np.argsort(side[place])]
        for side in rows.sides()
    ]
    pos, neg = (side[place] for side in sides)
    low, high = (np.searchsorted(neg, pos, end) for end in ("left", "right"))
    under, upto = (np.searchsorted(pos, neg, end) for end in ("left", "right"))
    distinct = _starts(pos).size + _starts(neg).size - _starts(pos[low < high]).size
    columns = np.concatenate(sides, axis=1)
    columns[place, : pos.size] = 2 * here.below[number] + low + high
    columns[place, pos.size :] = 2 * (here.above[number] + pos.size) - under - upto
    return Rows(pos.size, columns), distinct


def _sum(rows: Rows) -> dict[str, list[int]]:
    """Sum placements for each class: rows, each column, and the products of each two columns."""
    above, below = rows.sides()
    return {"positives": _sums(above), "negatives": _sums(below)}


def _sums(placed: Whole) -> list[int]:
    width = placed.shape[0]
    pairs = [(one, two) for one in range(width) for two in range(one, width)]
    sums = [placed.shape[1], *([0] * (width + len(pairs)))]
    for start in range(0, placed.shape[1], 1 << 18):
        part = placed[:, start : start + (1 << 18)]
        low, high = part & ((1 << PIECE) - 1), part >> PIECE
        for n in range(width):
            sums[1 + n] += int(part[n].sum())
        for n, (one, two) in enumerate(pairs):
            crossed = int(low[one] @ high[two]) + int(high[one] @ low[two])
            whole = int(low[one] @ low[two]) + (crossed << PIECE)
            sums[1 + width + n] += whole + (int(high[one] @ high[two]) << 2 * PIECE)
    return sums

"""Scores on a GPU become score tables, exact areas and sums of placements, in whole numbers.

The rows of the two classes are sorted apart, as keys of 32 or 64 bits without their places: half
the bytes of a key that also holds the class, and an eighth of a sort that carries places along.
What lies below a distinct score is then looked up in the other class's sorted keys.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from steelyard.counts import PairSums, PlacementSums, ScoreTable
from steelyard.errors import Fault
from steelyard.tally.array_columns import LARGEST_EXACT, refuse
from steelyard.tally.device.libraries import Distinct, Library

__all__ = ["CELLS", "MOST", "count_pair_sums", "count_placements", "count_scores"]

MOST = 1 << 20
"""Distinct scores that are brought back one by one; beyond them a table is thinned."""
TOGETHER = 1 << 21
"""Up to so many rows one sort takes the places along: fewer waits for the device."""
CELLS = 100_000
"""Ranges of a thinned table, as many as a file's."""

Array = Any


class Side(NamedTuple):
    """One class at keys in rising order: its rows, ``c``, and all rows below the score.

    ``twice`` is c: for a positive twice the negatives below plus those tied, for a negative twice
    the positives above plus those tied. A key may have no row.
    """

    keys: Array
    rows: Array
    twice: Array
    before: Callable[[], Array]


class Placed(NamedTuple):
    """Both classes of one system's scores; ``tied`` marks scores that both have."""

    positives: Side
    negatives: Side
    tied: Array
    rows: int
    entries: int
    where: str
    exact: bool
    narrow: bool

    def sums(self, library: Library) -> tuple[PairSums, int]:
        """Add up what area and variance need, and the positives; check the outermost keys."""
        up, down = self.positives, self.negatives
        won, others = up.rows * up.twice, down.rows * down.twice
        ends = [side.keys[at] for side in (up, down) if len(side.keys) for at in (0, -1)]
        whole = [
            up.rows.sum(),
            self.tied.sum(),
            won.sum(),
            (won * up.twice).sum(),
            (others * down.twice).sum(),
        ]
        near = [
            library.about(up.rows, up.twice),
            library.about(won, up.twice),
            library.about(others, down.twice),
        ]
        found, sums = library.gather([*ends, *whole], [one.sum() for one in near])
        _check_ends(found[: len(ends)], self)
        positives, ties, *wrapped = found[len(ends) :]
        twice, above, below = map(_unwrap, wrapped, sums)
        added = PairSums(
            distinct=self.entries - ties,
            won_twice=twice,
            positive_squares=above,
            negative_squares=below,
        )
        return added, positives


def _unwrap(wrapped: int, near: float) -> int:
    """Find the whole number that is ``wrapped`` in 64 bits and lies next to a rounded sum.

    Sums of whole numbers are exact but for multiples of 2^64, sums of floats are off by a share of
    1e-10 at most, so the two together tell every sum below 2^90.

    >>> _unwrap((3 << 70) + 5 - (3 << 70), float((3 << 70) + 5)) == (3 << 70) + 5
    True
    """
    return wrapped + (round((int(near) - wrapped) / (1 << 64)) << 64)


def order_keys(library: Library, scores: Array) -> Array:
    """Give whole numbers in the order of the scores; what is equal as a number has one key.

    The bits of a float grow with it as long as it is positive; those of negative ones are turned
    round, all but the sign.
    """
    return _turn(library.bits(scores)) if _is_float(scores) else library.whole(scores)


def _turn(bits: Array) -> Array:
    wide = 8 * bits.itemsize
    return bits ^ ((bits >> (wide - 1)) & ((1 << (wide - 1)) - 1))


def _is_float(scores: Array) -> bool:
    return "float" in str(scores.dtype)


def place_scores(library: Library, positive: Array, scores: Array, where: str) -> Placed:
    """Place the scores of both classes among each other."""
    scores = _widen(library, scores)
    exact = _is_float(scores)
    place = _place_together if len(scores) <= TOGETHER else _place_apart
    return place(library, positive, scores, where, exact=exact)


def _place_together(
    library: Library, positive: Array, scores: Array, where: str, *, exact: bool
) -> Placed:
    """Sort all rows once with their places, and count both classes at each distinct score."""
    keys, flags = library.order(order_keys(library, scores), positive)
    found = library.runs(keys)
    so_far = library.running(library.whole(flags))
    ends = library.running(found.counts)
    up = so_far[ends[1:]] - so_far[ends[:-1]]
    down = found.counts - up
    below = library.running(down)[:-1]
    above = so_far[-1] - so_far[ends[1:]]

    def before() -> Array:
        return ends[:-1]

    return Placed(
        Side(found.values, up, 2 * below + down, before),
        Side(found.values, down, 2 * above + up, before),
        tied=found.counts[:0],
        rows=len(scores),
        entries=len(found.values),
        where=where,
        exact=exact,
        narrow=scores.itemsize == 4,
    )


def _place_apart(
    library: Library, positive: Array, scores: Array, where: str, *, exact: bool
) -> Placed:
    """Sort the classes apart, and look each up in the other."""
    ones, others = scores[positive], scores[~positive]
    positives = len(ones)
    up = library.distinct(order_keys(library, ones))
    down = library.distinct(order_keys(library, others))
    del ones, others
    below_up, tied_up = _look_up(library, down, up.values)
    below_down, tied_down = _look_up(library, up, down.values)
    above = positives - below_down - tied_down

    def before(of: Distinct, below: Array) -> Array:
        return library.running(of.counts)[:-1] + below

    return Placed(
        Side(up.values, up.counts, 2 * below_up + tied_up, partial(before, up, below_up)),
        Side(down.values, down.counts, 2 * above + tied_down, partial(before, down, below_down)),
        tied=tied_up > 0,
        rows=len(scores),
        entries=len(up.values) + len(down.values),
        where=where,
        exact=exact,
        narrow=scores.itemsize == 4,
    )


def _widen(library: Library, scores: Array) -> Array:
    """Turn half precision, whose every value is a float32, into that."""
    if _is_float(scores) and scores.itemsize < 4:
        return scores.float() if library.name == "torch" else scores.astype("float32")
    return scores


def _look_up(library: Library, other: Distinct, keys: Array) -> tuple[Array, Array]:
    """Count the rows of the other class below each key, and those at it."""
    if not len(other.values):
        nothing = library.whole(keys) * 0
        return nothing, nothing
    place = library.below(other.values, keys)
    below = library.running(other.counts)[place]
    place = place.clip(max=len(other.values) - 1)
    met = other.values[place] == keys
    return below, other.counts[place] * met


def _check_ends(ends: Sequence[int], placed: Placed) -> None:
    """Refuse NaN, whose keys lie outside those of the infinities, and numbers beyond 2^53."""
    if not ends:
        return
    if not placed.exact:
        if max(map(abs, ends)) > LARGEST_EXACT:
            found = "whole numbers beyond 2^53 are among the scores."
            fix = "As floating-point numbers some of them would be equal; shift or scale them."
            refuse([Fault(code="number-too-large", where=placed.where, found=found, fix=fix)])
        return
    high = 0x7F800000 if placed.narrow else 0x7FF0000000000000
    if max(ends) > high or min(ends) < -high - 1:
        found = "scores are NaN."
        fix = "NaN has no rank: leave those rows out on purpose, or score them."
        refuse([Fault(code="score-nan", where=placed.where, found=found, fix=fix)])


def count_pair_sums(
    library: Library, positive: Array, scores: Array, where: str = "y_score"
) -> tuple[PairSums, int, int]:
    """Count what the area and its variance need, and the rows of both classes."""
    placed = place_scores(library, positive, scores, where)
    sums, positives = placed.sums(library)
    return sums, positives, placed.rows - positives


def count_scores(
    library: Library, positive: Array, scores: Array, *, name: str, where: str = "y_score",
    most: int = MOST, cells: int = CELLS,
) -> ScoreTable:  # fmt: skip
    """Count positives and negatives at each distinct score, or in ranges where there are many."""
    return _table(library, place_scores(library, positive, scores, where), name, most, cells)


def _table(library: Library, placed: Placed, name: str, most: int, cells: int) -> ScoreTable:
    sums, _ = placed.sums(library)
    sides = (placed.positives, placed.negatives)
    if sums.distinct <= most:
        columns = []
        for side in sides:
            keys, rows = library.host(side.keys), library.host(side.rows)
            columns.append((keys[rows > 0], rows[rows > 0]))
        both = np.union1d(*(keys for keys, _ in columns))
        counts = [np.zeros(both.size, dtype=np.int64) for _ in columns]
        for count, (keys, rows) in zip(counts, columns, strict=True):
            count[np.searchsorted(both, keys)] = rows
        scores = _scores_of(both, placed)
        return ScoreTable(positive=name, scores=scores, positives=counts[0], negatives=counts[1])
    ones, others = (_cut(library, side, cells, placed.rows) for side in sides)
    held = ones.rows + others.rows > 0
    return ScoreTable(
        positive=name,
        scores=_scores_of(np.minimum(ones.keys, others.keys)[held], placed),
        positives=ones.rows[held],
        negatives=others.rows[held],
        pair_sums=sums,
    )


class _Cells(NamedTuple):
    keys: Array
    rows: Array


def _cut(library: Library, side: Side, cells: int, total: int) -> _Cells:
    """Cut one class where equal parts of all rows begin: lowest key and rows of each part."""
    # The same product as OrderedSums makes of the rows before a score, so that both cut alike.
    cell = library.scale(side.before(), cells / max(total, 1))
    starts = library.below(cell, library.put(np.arange(cells + 1, dtype=np.int64), cell))
    rows = np.diff(library.host(library.running(side.rows)[starts]))
    keys = np.full(cells, np.iinfo(np.int64).max)
    first = library.host(starts)
    found = np.diff(first) > 0
    if found.any():
        keys[found] = library.host(side.keys[library.put(first[:-1][found], cell)])
    return _Cells(keys, rows)


def _scores_of(keys: Array, placed: Placed) -> Array:
    """Turn keys back into scores."""
    if not placed.exact:
        return keys.astype(np.float64)
    if placed.narrow:
        return _turn(keys.astype(np.int32)).view(np.float32).astype(np.float64)
    return _turn(keys.astype(np.int64)).view(np.float64)


def count_placements(
    library: Library, positive: Array, scores: Mapping[str, Array], *, name: str,
    most: int = MOST, cells: int = CELLS,
) -> PlacementSums:  # fmt: skip
    """Sum the products of placements of several systems on common rows, for areas compared."""
    systems = tuple(scores)
    if len(systems) == 1:
        placed = place_scores(library, positive, scores[systems[0]], f"scores[{systems[0]!r}]")
        sums, _ = placed.sums(library)
        return PlacementSums(
            systems=systems,
            tables=(_table(library, placed, name, most, cells),),
            positive_products=((sums.positive_squares,),),
            negative_products=((sums.negative_squares,),),
        )
    tables: list[ScoreTable] = []
    ups: list[Array] = []
    downs: list[Array] = []
    for system in systems:
        where = f"scores[{system!r}]"
        column = _widen(library, scores[system])
        placed = _place_apart(library, positive, column, where, exact=_is_float(column))
        tables.append(_table(library, placed, name, most, cells))
        keys = order_keys(library, column)
        for side, rows, gathered in (
            (placed.positives, keys[positive], ups),
            (placed.negatives, keys[~positive], downs),
        ):
            gathered.append(side.twice[library.below(side.keys, rows)])
    return PlacementSums(
        systems=systems,
        tables=tuple(tables),
        positive_products=_products(library, ups),
        negative_products=_products(library, downs),
    )


def _products(library: Library, columns: Sequence[Array]) -> tuple[tuple[int, ...], ...]:
    size = len(columns)
    upper = {}
    for i in range(size):
        for j in range(i, size):
            a, b = columns[i], columns[j]
            (wrapped,), (near,) = library.gather([(a * b).sum()], [library.about(a, b).sum()])
            upper[i, j] = _unwrap(wrapped, near)
    return tuple(tuple(upper[min(i, j), max(i, j)] for j in range(size)) for i in range(size))

"""Whole numbers that rank as scores do, and the order of scores by one sort of such numbers.

The class of the item in the lowest bit puts, within a tie, negatives first; its place behind the
rank gives the order. numpy sorts whole numbers several times faster than it finds an order
(``argsort``).
"""

from collections.abc import Callable
from dataclasses import dataclass
from os import cpu_count
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from steelyard.counts.scores.sorter import WORTH_THREADS, room_for_keys, sort_keys
from steelyard.errors import CountsError

__all__ = [
    "WORTH_THREADS",
    "KeyScale",
    "Keys",
    "Ranked",
    "order_rows",
    "pack_keys",
    "rank",
    "rankable",
    "sort_keys",
    "two_threads",
]


Keys: TypeAlias = NDArray[np.signedinteger[Any]]

CHUNK = 1 << 17
"""Rows that are packed at a time, so that they stay in the cache."""

LARGEST_EXACT = 2**53


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyScale:
    """How scores became whole numbers.

    The bits of a float without its sign are a number that grows with its size. ``base`` is one
    less than the smallest of them above 0 and is taken off all, which leaves room for the sign
    and for the class. ``floats`` is None for scores that are whole numbers already.
    """

    whole: np.dtype[Any]
    floats: np.dtype[Any] | None
    base: int

    def scores(self, ranks: Keys) -> NDArray[np.float64]:
        """Give the scores that have these ranks: keys without their lowest bit.

        Examples
        --------
        >>> keys, scale = pack_keys(np.array([True, False]), np.array([-0.5, 2.0]))
        >>> scale.scores(keys >> 1).tolist()
        [-0.5, 2.0]
        """
        if self.floats is None:
            return ranks.astype(np.float64)
        sizes = np.abs(ranks)
        sizes += (sizes > 0) * self.whole.type(self.base)
        found = sizes.view(self.floats)
        np.negative(found, where=ranks < 0, out=found)
        return found.astype(np.float64)


def rankable(scores: NDArray[Any]) -> NDArray[Any]:
    """Check that every score has an exact rank, and give those that fit no key a wider type.

    NaN, whole numbers beyond 2^53 and whatever is no number are refused.

    Examples
    --------
    >>> rankable(np.array([1, 2], dtype=np.uint8)).dtype
    dtype('int32')
    """
    kind, size = scores.dtype.kind, scores.dtype.itemsize
    if kind == "f":
        if np.isnan(np.min(scores, initial=np.inf)):
            message = f"{int(np.isnan(scores).sum())} scores are NaN, which has no rank."
            raise CountsError(message, code="score-nan")
        return scores.astype(np.float32 if size <= 4 else np.float64, copy=False)
    if kind not in "biu":
        message = f"The scores are {scores.dtype}; a score is a number."
        raise CountsError(message, code="score-type")
    largest = max(abs(int(scores.max())), abs(int(scores.min()))) if scores.size else 0
    if largest > LARGEST_EXACT:
        message = "A whole score lies beyond 2^53, where scores would be rounded together."
        raise CountsError(message, code="score-type")
    return scores.astype(np.int32 if largest < 2**30 else np.int64, copy=False)


def pack_keys(
    positive: NDArray[np.bool_],
    scores: NDArray[Any],
    *,
    in_place: bool = False,
    to_sort: bool = True,
) -> tuple[Keys, KeyScale] | tuple[None, None]:
    """Pack each score and its class into one whole number of the same size.

    Parameters
    ----------
    positive
        True where the item is of the positive class.
    scores
        Floats or whole numbers. -0.0 counts as 0.0, and infinities rank like any other score.
    in_place
        Write the keys over the scores, where floats are given in one piece: half the memory.
    to_sort
        Keys will be sorted, so that they go where a sorter can be let in.

    Returns
    -------
    tuple
        The keys, ``2 * rank + class``, and how to get scores back. Nothing when the scores span so
        many powers of two (1024 in float64, 128 in float32) that no bit is left for the class.

    Examples
    --------
    >>> keys, scale = pack_keys(np.array([True, False]), np.array([3, 3]))
    >>> keys.tolist()
    [7, 6]
    """
    ready = np.ascontiguousarray(rankable(scores))
    flags = np.ascontiguousarray(positive).view(np.int8)
    room = room_for_keys if to_sort else np.empty
    if ready.dtype.kind == "i":
        keys: Keys = room(ready.size, ready.dtype)
        np.add(ready, ready, out=keys)
        keys += flags
        return keys, KeyScale(whole=ready.dtype, floats=None, base=0)
    scale = _scale(ready)
    if scale is None:
        return None, None
    values = ready.view(scale.whole)
    keys = values if in_place else room(ready.size, scale.whole)
    halves = two_threads(_packer(values, flags, keys, scale), ready.size)
    halves()
    return keys, scale


def two_threads(work: Callable[[int, int], None], size: int) -> Callable[[], None]:
    """Do work on rows from one place to another, in two halves at once where that pays."""

    def run() -> None:
        if size < WORTH_THREADS or (cpu_count() or 1) < 2:
            work(0, size)
            return
        middle = size // 2
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(1) as other:
            lower = other.submit(work, 0, middle)
            work(middle, size)
            lower.result()

    return run


def _scale(scores: NDArray[Any]) -> KeyScale | None:
    """Find the smallest size above 0 and see whether the largest leaves two bits free."""
    whole = np.dtype(f"i{scores.itemsize}")
    bits = 8 * scores.itemsize
    smallest, largest = _sizes(scores.view(whole), whole.type((1 << (bits - 1)) - 1))
    base = max(0, smallest - 1)
    if largest - base >= 1 << (bits - 2):
        return None
    return KeyScale(whole=whole, floats=scores.dtype, base=base)


def _sizes(values: Keys, unsigned: np.signedinteger[Any]) -> tuple[int, int]:
    smallest, largest = int(unsigned), 0
    for start in range(0, values.size, CHUNK):
        sizes = values[start : start + CHUNK] & unsigned
        largest = max(largest, int(sizes.max()))
        least = int(sizes.min())
        if least == 0:
            least = int(np.min(sizes, where=sizes > 0, initial=unsigned))
        smallest = min(smallest, least)
    return smallest, largest


def _packer(
    values: Keys, flags: NDArray[np.int8], keys: Keys, scale: KeyScale
) -> Callable[[int, int], None]:
    kind = scale.whole.type
    unsigned = kind((1 << (8 * scale.whole.itemsize - 1)) - 1)
    zero, base = kind(0), kind(scale.base)

    def pack(first: int, last: int) -> None:
        for start in range(first, last, CHUNK):
            part = slice(start, min(start + CHUNK, last))
            made = keys[part]
            below = values[part] < zero
            np.bitwise_and(values[part], unsigned, out=made)
            if scale.base:
                made -= base
                np.maximum(made, zero, out=made)
            if below.any():
                np.negative(made, where=below, out=made)
            made += made
            made += flags[part]

    return pack


Floats = NDArray[np.float64]
Places = NDArray[np.intp]

SIGNED_BITS = 63


class Ranked(NamedTuple):
    """Places in ascending order of the scores, and whether each ties with the one before it."""

    places: Places
    ties: NDArray[np.bool_]


def rank(scores: Floats) -> Ranked:
    """Put scores in order, equal ones as they came; the same as a stable ``argsort``, but faster.

    A score and its place share one whole number, the score in front, and numbers are sorted. Where
    the score loses its last bits for want of room, rows that look alike are put in order after.

    Examples
    --------
    >>> found = rank(np.array([0.5, 0.1, 0.5]))
    >>> found.places.tolist(), found.ties.tolist()
    ([1, 0, 2], [False, False, True])
    """
    keys, _ = pack_keys(np.zeros(scores.size, dtype=np.bool_), scores, to_sort=False)
    if keys is None or keys.size == 0:
        places = np.argsort(scores, kind="stable")
        return Ranked(places, _ties(scores[places]))
    ranks = keys >> 1
    low = int(ranks.min())
    span = int(ranks.max()) - low
    bits = max(1, (scores.size - 1).bit_length())
    lost = max(0, span.bit_length() + bits - SIGNED_BITS)
    if lost > bits or span.bit_length() > SIGNED_BITS:
        places = np.argsort(scores, kind="stable")
        return Ranked(places, _ties(scores[places]))
    return _unpack(_with_places(ranks, low, lost, bits), scores, bits, lost)


def order_rows(first: NDArray[np.bool_], columns: Floats) -> Places:
    """Order rows by ``first``, then by the columns: false before true, smaller before larger.

    The same as ``lexsort``, except that rows alike in all may stand in any order.

    Examples
    --------
    >>> order_rows(np.array([True, False, True]), np.array([[2.0, 9.0, 1.0]])).tolist()
    [1, 2, 0]
    """
    places = rank(columns[0]).places
    after = first[places]
    places = np.concatenate([places[~after], places[after]])
    if len(columns) == 1:
        return places
    ties = _ties(columns[0][places])
    ties[1:] &= first[places[1:]] == first[places[:-1]]
    rows, group = _find_ties(ties)
    if rows.size:
        held = places[rows]
        places[rows] = held[np.lexsort((*columns[:0:-1, held], group))]
    return places


def _with_places(ranks: Keys, low: int, lost: int, bits: int) -> Keys:
    """Put the rank in front and the place behind it, in one number."""
    packed = room_for_keys(ranks.size, np.dtype(np.int64))
    np.subtract(ranks, np.int64(low), out=packed)
    packed >>= np.int64(lost)
    packed <<= np.int64(bits)
    packed |= np.arange(ranks.size, dtype=np.int64)
    sort_keys(packed)
    return packed


def _unpack(packed: Keys, scores: Floats, bits: int, lost: int) -> Ranked:
    places = (packed & np.int64((1 << bits) - 1)).astype(np.intp)
    ties = _ties(packed >> np.int64(bits))
    if lost:
        rows, group = _find_ties(ties)
        if rows.size:
            held = places[rows]
            places[rows] = held[np.lexsort((held, scores[held], group))]
            ties[rows] &= _ties(scores[places[rows]])
    return Ranked(places, ties)


def _ties(ascending: NDArray[np.float64] | Keys) -> NDArray[np.bool_]:
    ties = np.zeros(ascending.size, dtype=np.bool_)
    np.equal(ascending[1:], ascending[:-1], out=ties[1:])
    return ties


def _find_ties(ties: NDArray[np.bool_]) -> tuple[Places, Places]:
    """List the rows that tie with a neighbour, and number their ties."""
    either = ties.copy()
    either[:-1] |= ties[1:]
    rows = np.flatnonzero(either)
    return rows, np.cumsum(~ties[rows])

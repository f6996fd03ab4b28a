"""Whole numbers that rank as scores do, with the class of the item in the lowest bit.

One sort of such numbers puts items in the order of their scores and, within a tie, negatives
first. numpy sorts whole numbers several times faster than it finds an order (``argsort``).
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from steelyard.counts.scores.sorter import room_for_keys, sort_elsewhere
from steelyard.errors import CountsError

__all__ = ["KeyScale", "Keys", "packed_keys", "rankable", "sort_keys", "two_threads"]

Keys: TypeAlias = NDArray[np.signedinteger[Any]]

CHUNK = 1 << 17
"""Rows that are packed at a time, so that they stay in the cache."""

WORTH_THREADS = 1 << 20
"""Two threads pay from this many rows on."""

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
        >>> keys, scale = packed_keys(np.array([True, False]), np.array([-0.5, 2.0]))
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


def packed_keys(
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
    >>> keys, scale = packed_keys(np.array([True, False]), np.array([3, 3]))
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


def sort_keys(keys: Keys) -> None:
    """Sort keys in place, with two threads where that pays, elsewhere where that is faster.

    >>> keys = np.array([3, 1, 2])
    >>> sort_keys(keys)
    >>> keys.tolist()
    [1, 2, 3]
    """
    threads = 1 if keys.size < WORTH_THREADS or (cpu_count() or 1) < 2 else 2
    if sort_elsewhere(keys, threads=threads):
        return
    if threads == 1:
        keys.sort()
        return
    middle = keys.size // 2
    keys.partition(middle)
    with ThreadPoolExecutor(1) as other:
        lower = other.submit(keys[:middle].sort)
        keys[middle:].sort()
        lower.result()


def two_threads(work: Callable[[int, int], None], size: int) -> Callable[[], None]:
    """Do work on rows from one place to another, in two halves at once where that pays."""

    def run() -> None:
        if size < WORTH_THREADS or (cpu_count() or 1) < 2:
            work(0, size)
            return
        middle = size // 2
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

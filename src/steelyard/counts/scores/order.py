"""The order of scores, found by sorting numbers that carry the place they came from."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from steelyard.counts.scores.keys import Keys, packed_keys, sort_keys
from steelyard.counts.scores.sorter import room_for_keys

__all__ = ["Ranked", "ordered_rows", "ranked"]

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

SIGNED_BITS = 63


class Ranked(NamedTuple):
    """Places in ascending order of the scores, and whether each ties with the one before it."""

    places: Places
    ties: NDArray[np.bool_]


def ranked(scores: Floats) -> Ranked:
    """Put scores in order, equal ones as they came; the same as a stable ``argsort``, but faster.

    A score and its place share one whole number, the score in front, and numbers are sorted. Where
    the score loses its last bits for want of room, rows that look alike are put in order after.

    Examples
    --------
    >>> found = ranked(np.array([0.5, 0.1, 0.5]))
    >>> found.places.tolist(), found.ties.tolist()
    ([1, 0, 2], [False, False, True])
    """
    keys, _ = packed_keys(np.zeros(scores.size, dtype=np.bool_), scores, to_sort=False)
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
    return _unpacked(_with_places(ranks, low, lost, bits), scores, bits, lost)


def ordered_rows(first: NDArray[np.bool_], columns: Floats) -> Places:
    """Order rows by ``first``, then by the columns: false before true, smaller before larger.

    The same as ``lexsort``, except that rows alike in all may stand in any order.

    Examples
    --------
    >>> ordered_rows(np.array([True, False, True]), np.array([[2.0, 9.0, 1.0]])).tolist()
    [1, 2, 0]
    """
    places = ranked(columns[0]).places
    after = first[places]
    places = np.concatenate([places[~after], places[after]])
    if len(columns) == 1:
        return places
    ties = _ties(columns[0][places])
    ties[1:] &= first[places[1:]] == first[places[:-1]]
    rows, group = _tied_rows(ties)
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


def _unpacked(packed: Keys, scores: Floats, bits: int, lost: int) -> Ranked:
    places = (packed & np.int64((1 << bits) - 1)).astype(np.intp)
    ties = _ties(packed >> np.int64(bits))
    if lost:
        rows, group = _tied_rows(ties)
        if rows.size:
            held = places[rows]
            places[rows] = held[np.lexsort((held, scores[held], group))]
            ties[rows] &= _ties(scores[places[rows]])
    return Ranked(places, ties)


def _ties(ascending: NDArray[np.float64] | Keys) -> NDArray[np.bool_]:
    ties = np.zeros(ascending.size, dtype=np.bool_)
    np.equal(ascending[1:], ascending[:-1], out=ties[1:])
    return ties


def _tied_rows(ties: NDArray[np.bool_]) -> tuple[Places, Places]:
    """List the rows that tie with a neighbour, and number their ties."""
    either = ties.copy()
    either[:-1] |= ties[1:]
    rows = np.flatnonzero(either)
    return rows, np.cumsum(~ties[rows])

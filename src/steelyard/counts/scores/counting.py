"""Distinct scores with the positives and negatives at each, from one sort of all rows."""

from collections.abc import Iterator
from sys import byteorder
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from steelyard.counts.scores.keys import Keys, KeyScale, pack_keys, rankable, sort_keys

__all__ = [
    "ScoreCounts",
    "counts_in_order",
    "counts_of_classes",
    "key_flags",
    "score_counts",
    "start_of_tie",
    "whole_ties",
]

CHUNK = 1 << 17
"""Sorted rows looked at together, so that they stay in the cache."""


class ScoreCounts(NamedTuple):
    """Distinct scores, ascending, and the rows at each."""

    scores: NDArray[np.float64]
    positives: NDArray[np.int64]
    negatives: NDArray[np.int64]


def score_counts(positive: NDArray[np.bool_], scores: NDArray[Any]) -> ScoreCounts:
    """Count positives and negatives at each distinct score.

    Scores and classes are packed into whole numbers and sorted once; see
    :func:`steelyard.counts.scores.keys.pack_keys`. Scores that fit no key are sorted by class.

    Parameters
    ----------
    positive
        True where the row is of the positive class.
    scores
        Floats or whole numbers; NaN and whole numbers beyond 2^53 are refused. -0.0 counts as 0.0,
        and infinities rank like any other score.

    Returns
    -------
    ScoreCounts
        Distinct scores (ascending, float64), positives and negatives at each.

    Examples
    --------
    >>> mask = np.array([True, False, True])
    >>> [column.tolist() for column in score_counts(mask, np.array([0.5, 0.5, 0.9]))]
    [[0.5, 0.9], [1, 1], [1, 0]]
    """
    keys, scale = pack_keys(positive, scores)
    if keys is None or scale is None:
        return counts_of_classes(positive, scores)
    sort_keys(keys)
    parts = list(counts_in_order(keys, scale))
    if not parts:
        nothing = np.zeros(0, dtype=np.int64)
        return ScoreCounts(np.zeros(0), nothing, nothing)
    return ScoreCounts(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def counts_in_order(keys: Keys, scale: KeyScale) -> Iterator[ScoreCounts]:
    """Go over sorted keys and count rows by score, some scores at a time, no score twice."""
    for part in whole_ties(keys):
        ranks = part >> 1
        ends = np.flatnonzero(np.append(ranks[1:] != ranks[:-1], True))
        so_far = np.cumsum(key_flags(part), dtype=np.int64)[ends]
        positives = np.diff(so_far, prepend=0)
        rows = np.diff(ends, prepend=-1)
        yield ScoreCounts(scale.scores(ranks[ends]), positives, rows - positives)


def whole_ties(keys: Keys) -> Iterator[Keys]:
    """Cut sorted keys into parts of about equal size, never within a tie."""
    start = 0
    while start < keys.size:
        stop = min(start + CHUNK, keys.size)
        if stop < keys.size:
            cut = start + start_of_tie(keys[start : stop + 1], stop - start)
            stop = cut if cut > start else int(np.searchsorted(keys, keys[stop] | 1, "right"))
        yield keys[start:stop]
        start = stop


def start_of_tie(keys: Keys, place: int) -> int:
    """Find where the rows begin that have the score of this place."""
    return int(np.searchsorted(keys, keys[place] & ~keys.dtype.type(1), "left"))


def key_flags(keys: Keys) -> NDArray[np.bool_]:
    """Read the lowest bit of each key, one byte of each: a quarter or an eighth of the memory."""
    lowest = 0 if byteorder == "little" else keys.itemsize - 1
    return (keys.view(np.uint8)[lowest :: keys.itemsize] & np.uint8(1)).view(np.bool_)


def counts_of_classes(positive: NDArray[np.bool_], scores: NDArray[Any]) -> ScoreCounts:
    """Sort positives and negatives apart, and merge the distinct scores."""
    values = rankable(scores)
    values = values + values.dtype.type(0)  # -0.0 becomes 0.0
    ones, of_ones = np.unique(values[positive], return_counts=True)
    others, of_others = np.unique(values[~positive], return_counts=True)
    distinct = np.unique(np.concatenate([ones, others]))
    positives = np.zeros(distinct.size, dtype=np.int64)
    negatives = np.zeros(distinct.size, dtype=np.int64)
    positives[np.searchsorted(distinct, ones)] = of_ones
    negatives[np.searchsorted(distinct, others)] = of_others
    return ScoreCounts(distinct.astype(np.float64), positives, negatives)

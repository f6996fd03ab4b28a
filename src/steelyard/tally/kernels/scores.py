"""Distinct scores with the positives and negatives at each, and the pairs that scores put right."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from sys import byteorder
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from steelyard.counts.score_keys import (
    WORTH_THREADS,
    Keys,
    KeyScale,
    packed_keys,
    rankable,
    sort_keys,
)

__all__ = ["CHUNK", "ScoreCounts", "WonPairs", "counts_in_order", "score_counts", "won_pairs"]

CHUNK = 1 << 17
"""Sorted rows looked at together, so that they stay in the cache."""


class ScoreCounts(NamedTuple):
    """Distinct scores, ascending, and the rows at each."""

    scores: NDArray[np.float64]
    positives: NDArray[np.int64]
    negatives: NDArray[np.int64]


class WonPairs(NamedTuple):
    """Pairs of a positive and a negative, 2 for each that the scores put right and 1 for ties."""

    won_twice: int
    positives: int
    negatives: int


def score_counts(positive: NDArray[np.bool_], scores: NDArray[Any]) -> ScoreCounts:
    """Count positives and negatives at each distinct score.

    Scores and classes are packed into whole numbers and sorted once; see
    :func:`steelyard.counts.score_keys.packed_keys`. Scores that fit no key are sorted by class.

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
    keys, scale = packed_keys(positive, scores)
    if keys is None or scale is None:
        return _sorted_apart(positive, scores)
    sort_keys(keys)
    parts = list(counts_in_order(keys, scale))
    if not parts:
        nothing = np.zeros(0, dtype=np.int64)
        return ScoreCounts(np.zeros(0), nothing, nothing)
    return ScoreCounts(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def won_pairs(positive: NDArray[np.bool_], scores: NDArray[Any]) -> WonPairs:
    r"""Count the pairs that scores put in order, exactly, without a table of the scores.

    With the items in ascending order, negatives first in a tie, and :math:`i` the places of the
    :math:`m` positives counted from 0, the pairs won are :math:`\sum i - m(m-1)/2`; every tied pair
    among them counts half [1]_.

    References
    ----------
    .. [1] Mann & Whitney (1947), Annals of Mathematical Statistics 18, 50-60,
       doi:10.1214/aoms/1177730491.

    Examples
    --------
    >>> won_pairs(np.array([True, True, False, False]), np.array([0.9, 0.2, 0.2, 0.1]))
    WonPairs(won_twice=7, positives=2, negatives=2)
    """
    keys, _ = packed_keys(positive, scores)
    if keys is None:
        counts = _sorted_apart(positive, scores)
        below = np.cumsum(counts.negatives) - counts.negatives
        twice = (2 * below + counts.negatives).tolist()
        won = sum(p * t for p, t in zip(counts.positives.tolist(), twice, strict=True))
        return WonPairs(won, int(counts.positives.sum()), int(counts.negatives.sum()))
    sort_keys(keys)
    if keys.size < WORTH_THREADS or (cpu_count() or 1) < 2:
        return _won(keys)
    cut = _start_of_tie(keys, keys.size // 2)
    with ThreadPoolExecutor(1) as other:
        lower = other.submit(_won, keys[:cut])
        high = _won(keys[cut:])
        low = lower.result()
    return WonPairs(
        low.won_twice + high.won_twice + 2 * high.positives * low.negatives,
        low.positives + high.positives,
        low.negatives + high.negatives,
    )


def counts_in_order(keys: Keys, scale: KeyScale) -> Iterator[ScoreCounts]:
    """Go over sorted keys and count rows by score, some scores at a time, no score twice."""
    for part in _whole_ties(keys):
        ranks = part >> 1
        ends = np.flatnonzero(np.append(ranks[1:] != ranks[:-1], True))
        so_far = np.cumsum(_flags(part), dtype=np.int64)[ends]
        positives = np.diff(so_far, prepend=0)
        rows = np.diff(ends, prepend=-1)
        yield ScoreCounts(scale.scores(ranks[ends]), positives, rows - positives)


def _whole_ties(keys: Keys) -> Iterator[Keys]:
    """Cut sorted keys into parts of about equal size, never within a tie."""
    start = 0
    while start < keys.size:
        stop = min(start + CHUNK, keys.size)
        if stop < keys.size:
            cut = start + _start_of_tie(keys[start : stop + 1], stop - start)
            stop = cut if cut > start else int(np.searchsorted(keys, keys[stop] | 1, "right"))
        yield keys[start:stop]
        start = stop


def _start_of_tie(keys: Keys, place: int) -> int:
    """Find where the rows begin that have the score of this place."""
    return int(np.searchsorted(keys, keys[place] & ~keys.dtype.type(1), "left"))


def _won(keys: Keys) -> WonPairs:
    before = positives = places = tied = 0
    for part in _whole_ties(keys):
        found = np.flatnonzero(_flags(part))
        places += int(found.sum()) + before * found.size
        positives += found.size
        tied += _tied_pairs(part)
        before += part.size
    won = 2 * (places - positives * (positives - 1) // 2) - tied
    return WonPairs(won, positives, keys.size - positives)


def _flags(keys: Keys) -> NDArray[np.bool_]:
    """Read the lowest bit of each key, one byte of each: a quarter or an eighth of the memory."""
    lowest = 0 if byteorder == "little" else keys.itemsize - 1
    return (keys.view(np.uint8)[lowest :: keys.itemsize] & np.uint8(1)).view(np.bool_)


def _tied_pairs(part: Keys) -> int:
    """Count pairs of a positive and a negative with one score: neighbours that differ by 1."""
    steps = part[1:] - part[:-1]
    ends = np.flatnonzero(steps)
    met = np.flatnonzero(steps[ends] == 1)
    met = met[(part[ends[met]] & 1) == 0]
    if not met.size:
        return 0
    bounds = np.concatenate([[-1], ends, [part.size - 1]])
    negatives = bounds[met + 1] - bounds[met]
    positives = bounds[met + 2] - bounds[met + 1]
    return int(np.dot(negatives, positives))


def _sorted_apart(positive: NDArray[np.bool_], scores: NDArray[Any]) -> ScoreCounts:
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

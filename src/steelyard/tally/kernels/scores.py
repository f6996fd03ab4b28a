"""The pairs of a positive and a negative that scores put right."""

from os import cpu_count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from steelyard.counts.scores.counting import (
    counts_of_classes,
    key_flags,
    start_of_tie,
    whole_ties,
)
from steelyard.counts.scores.keys import WORTH_THREADS, Keys, pack_keys, sort_keys

__all__ = ["WonPairs", "count_won_pairs"]


class WonPairs(NamedTuple):
    """Pairs of a positive and a negative, 2 for each that the scores put right and 1 for ties."""

    won_twice: int
    positives: int
    negatives: int


def count_won_pairs(positive: NDArray[np.bool_], scores: NDArray[Any]) -> WonPairs:
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
    >>> count_won_pairs(np.array([True, True, False, False]), np.array([0.9, 0.2, 0.2, 0.1]))
    WonPairs(won_twice=7, positives=2, negatives=2)
    """
    keys, _ = pack_keys(positive, scores)
    if keys is None:
        counts = counts_of_classes(positive, scores)
        below = np.cumsum(counts.negatives) - counts.negatives
        twice = (2 * below + counts.negatives).tolist()
        won = sum(p * t for p, t in zip(counts.positives.tolist(), twice, strict=True))
        return WonPairs(won, int(counts.positives.sum()), int(counts.negatives.sum()))
    sort_keys(keys)
    if keys.size < WORTH_THREADS or (cpu_count() or 1) < 2:
        return _count_won(keys)
    cut = start_of_tie(keys, keys.size // 2)
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as other:
        lower = other.submit(_count_won, keys[:cut])
        high = _count_won(keys[cut:])
        low = lower.result()
    return WonPairs(
        low.won_twice + high.won_twice + 2 * high.positives * low.negatives,
        low.positives + high.positives,
        low.negatives + high.negatives,
    )


def _count_won(keys: Keys) -> WonPairs:
    before = positives = places = tied = 0
    for part in whole_ties(keys):
        flags = key_flags(part)
        found = np.flatnonzero(flags)
        places += int(found.sum()) + before * found.size
        positives += found.size
        tied += _count_ties(part, flags)
        before += part.size
    won = 2 * (places - positives * (positives - 1) // 2) - tied
    return WonPairs(won, positives, keys.size - positives)


def _count_ties(part: Keys, flags: NDArray[np.bool_]) -> int:
    """Count pairs of a positive and a negative with one score: neighbours that differ by 1."""
    met = part[1:] - part[:-1] == 1
    met &= flags[1:]
    last = np.flatnonzero(met)
    if not last.size:
        return 0
    negatives = last + 1 - np.searchsorted(part, part[last], "left")
    positives = np.searchsorted(part, part[last + 1], "right") - last - 1
    return int(np.dot(negatives, positives))

"""Distinct scores, with the positives and negatives at each."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import CountsError

__all__ = ["score_counts"]

LARGEST_EXACT = 2**53


def score_counts(
    positive: NDArray[np.bool_], scores: NDArray[Any]
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Count positives and negatives at each distinct score.

    Positives and negatives are sorted apart, in the type the scores came in (float32 sorts faster
    than float64), then merged. -0.0 counts as 0.0 and infinities rank like any other score.

    Parameters
    ----------
    positive
        True where the row is of the positive class.
    scores
        Floats or whole numbers; NaN and whole numbers beyond 2^53 are refused.

    Returns
    -------
    tuple
        Distinct scores (ascending, float64), positives and negatives at each.

    Examples
    --------
    >>> mask = np.array([True, False, True])
    >>> [column.tolist() for column in score_counts(mask, np.array([0.5, 0.5, 0.9]))]
    [[0.5, 0.9], [1, 1], [1, 0]]
    """
    values = _rankable(scores)
    ones, of_ones = np.unique(values[positive], return_counts=True)
    others, of_others = np.unique(values[~positive], return_counts=True)
    distinct = np.unique(np.concatenate([ones, others]))
    positives = np.zeros(distinct.size, dtype=np.int64)
    negatives = np.zeros(distinct.size, dtype=np.int64)
    positives[np.searchsorted(distinct, ones)] = of_ones
    negatives[np.searchsorted(distinct, others)] = of_others
    return distinct.astype(np.float64), positives, negatives


def _rankable(scores: NDArray[Any]) -> NDArray[Any]:
    if scores.dtype.kind == "f":
        if np.isnan(scores).any():
            message = f"{int(np.isnan(scores).sum())} scores are NaN, which has no rank."
            raise CountsError(message, code="score-nan")
        wide = scores.astype(np.float64) if scores.dtype.itemsize > 8 else scores
        return np.asarray(wide + wide.dtype.type(0))
    if scores.dtype.kind not in "biu":
        message = f"The scores are {scores.dtype}; a score is a number."
        raise CountsError(message, code="score-type")
    if scores.size and max(abs(int(scores.max())), abs(int(scores.min()))) > LARGEST_EXACT:
        message = "A whole score lies beyond 2^53, where scores would be rounded together."
        raise CountsError(message, code="score-type")
    return scores

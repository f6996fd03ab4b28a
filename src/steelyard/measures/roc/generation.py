"""Thresholds for a ROC curve by other recipes than "every distinct score".

Linear or logarithmic steps, a list, every N-th score, or the scores at given rates of false alarms
or detections. A single curve drops duplicate thresholds; lists that are to be averaged keep them,
so that they stay aligned.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steelyard.counts import ScoreTable
from steelyard.counts.columns import score_column
from steelyard.errors import NotComparable, RequestError
from steelyard.measures.roc.curve import RocCurve, one_class
from steelyard.measures.rounding import (
    Number,
    Rounding,
    exact_share,
    whole_number,
    whole_part,
)

__all__ = [
    "Duplicates",
    "every_nth_thresholds",
    "linear_thresholds",
    "log_thresholds",
    "roc_at_thresholds",
    "thresholds_at_detection_rates",
    "thresholds_at_false_alarm_rates",
]

Duplicates = Literal["drop", "keep"]
Floats = NDArray[np.float64]


def linear_thresholds(table: ScoreTable, number: int) -> Floats:
    """Space thresholds evenly from the lowest score to the highest, both included.

    Examples
    --------
    >>> linear_thresholds(ScoreTable.from_scores([1.0, 3.0], [0.0]), 4).tolist()
    [0.0, 1.0, 2.0, 3.0]
    """
    low, high = _ends(table, number)
    return np.linspace(low, high, number)


def log_thresholds(table: ScoreTable, number: int) -> Floats:
    """Space thresholds by equal factors from the lowest score to the highest, both included.

    Scores of 0 and below have no logarithm and are refused.

    Examples
    --------
    >>> log_thresholds(ScoreTable.from_scores([4.0], [1.0]), 3).tolist()
    [1.0, 2.0, 4.0]
    """
    low, high = _ends(table, number)
    if low <= 0:
        message = (
            f"The lowest score is {low:g}; equal factors need scores above 0. Use "
            "linear_thresholds, or a list of your own."
        )
        raise NotComparable(message, code="scores-not-positive")
    spaced: Floats = np.geomspace(low, high, number)
    spaced[0], spaced[-1] = low, high  # the ends are scores, and must not be rounded off them
    return spaced


def every_nth_thresholds(table: ScoreTable, step: int) -> Floats:
    """Take the lowest score, the one ``step`` items above it, and so on, between -inf and +inf.

    Items with equal scores count one by one, so a threshold may come up more than once; it is
    given once. A step of 1 gives the full staircase.

    Examples
    --------
    >>> every_nth_thresholds(ScoreTable.from_scores([2, 3], [0, 1]), 2).tolist()
    [-inf, 0.0, 2.0, inf]
    """
    step = whole_number(step, "step", least=1)
    reached = np.cumsum(table.positives + table.negatives)
    places = np.arange(0, table.total, step)
    chosen = table.scores[np.unique(np.searchsorted(reached, places, side="right"))]
    return np.unique(np.concatenate([[-np.inf], chosen, [np.inf]]))


def thresholds_at_false_alarm_rates(
    table: ScoreTable, rates: Sequence[Number], *, rounding: Rounding = "floor"
) -> Floats:
    """Find, for each wanted P_FA, the k-th largest score of a negative, k its share of them.

    ``floor`` exceeds no wanted rate, ``ceil`` falls short of none, ``round`` is nearest (halves
    up); with ties among negatives the rate may still be exceeded. With k = 0 the threshold is
    +inf, which calls nothing. One threshold for each rate, in their order, duplicates kept.

    Examples
    --------
    >>> table = ScoreTable.from_scores([0.9], [i / 100 for i in range(100)])
    >>> thresholds_at_false_alarm_rates(table, [0.07], rounding="ceil").tolist()
    [0.93]
    """
    _both_classes(table)
    wanted = [exact_share(rate, "false_alarm_rate") for rate in rates]
    ranks = [whole_part(share, table.negative_total, rounding=rounding) for share in wanted]
    return _largest(table.scores, table.negatives, ranks)


def thresholds_at_detection_rates(
    table: ScoreTable, rates: Sequence[Number], *, rounding: Rounding = "ceil"
) -> Floats:
    """Find, for each wanted P_D, the k-th largest score of a positive, k its share of them.

    As :func:`thresholds_at_false_alarm_rates`, with ``ceil`` as the default, which falls short of
    no wanted rate.

    Examples
    --------
    >>> table = ScoreTable.from_scores([0.9, 0.8, 0.7], [0.1])
    >>> thresholds_at_detection_rates(table, [0, "2/3", 1]).tolist()
    [inf, 0.8, 0.7]
    """
    _both_classes(table)
    wanted = [exact_share(rate, "detection_rate") for rate in rates]
    ranks = [whole_part(share, table.positive_total, rounding=rounding) for share in wanted]
    return _largest(table.scores, table.positives, ranks)


def roc_at_thresholds(
    table: ScoreTable, thresholds: ArrayLike, *, duplicates: Duplicates = "drop"
) -> RocCurve:
    """Make a curve at chosen thresholds, in any order.

    Without duplicates the ends +inf and -inf are added: without both, the area would be short.
    With ``duplicates="keep"`` exactly the given thresholds are there, to be averaged with others.

    Parameters
    ----------
    table : ScoreTable
        At least one positive and one negative.
    thresholds : array_like
        Numbers, +inf or -inf; NaN is refused.
    duplicates : {"drop", "keep"}
        Keep them when several curves are to be averaged.

    References
    ----------
    .. [1] Fawcett (2006), Pattern Recognition Letters 27, 861-874,
       doi:10.1016/j.patrec.2005.10.010.

    Examples
    --------
    >>> table = ScoreTable.from_scores([0.9, 0.4], [0.4, 0.1])
    >>> roc_at_thresholds(table, [0.5, 0.5]).detections.tolist()
    [0, 1, 2]
    """
    _both_classes(table)
    if duplicates not in {"drop", "keep"}:
        raise RequestError.for_choice("duplicates", duplicates, ("drop", "keep"))  # noqa: EM101
    asked = np.sort(score_column(thresholds, "thresholds"))[::-1]
    if duplicates == "drop":
        asked = np.unique(np.concatenate([asked, [-np.inf, np.inf]]))[::-1].copy()
    # How many distinct scores lie below each threshold; the others are called. +inf calls nothing.
    below = np.searchsorted(table.scores, asked, side="left")
    below = np.where(asked == np.inf, table.scores.size, below)
    return RocCurve(
        positive=table.positive,
        positive_total=table.positive_total,
        negative_total=table.negative_total,
        thresholds=np.ascontiguousarray(asked),
        false_alarms=_call(table.negatives, below),
        detections=_call(table.positives, below),
        complete=bool(np.isin(table.scores, asked).all()),
    )


def _both_classes(table: ScoreTable) -> None:
    reason = one_class(table)
    if reason:
        message = f"A ROC curve needs both classes: {reason}."
        raise NotComparable(message, code="one-class")


def _ends(table: ScoreTable, number: int) -> tuple[float, float]:
    whole_number(number, "number", least=2)
    if table.total == 0 or not np.isfinite(table.scores[[0, -1]]).all():
        message = (
            "Evenly spaced thresholds need finite scores. Use every_nth_thresholds, or a list."
        )
        raise NotComparable(message, code="scores-not-finite")
    return float(table.scores[0]), float(table.scores[-1])


def _call(counts: NDArray[np.int64], below: NDArray[np.intp]) -> NDArray[np.int64]:
    reached = np.concatenate([[0], np.cumsum(counts)])
    return np.asarray(reached[-1] - reached[below], dtype=np.int64)


def _largest(scores: Floats, counts: NDArray[np.int64], ranks: Sequence[int]) -> Floats:
    """Give the score of the k-th largest item for each k; +inf for k = 0."""
    reached = np.cumsum(counts[::-1])
    wanted = np.asarray(ranks, dtype=np.int64)
    place = np.searchsorted(reached, wanted, side="left")
    falling = scores[::-1]
    found: Floats = np.where(wanted > 0, falling[np.minimum(place, scores.size - 1)], np.inf)
    return found

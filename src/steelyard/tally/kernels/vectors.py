"""Scores of per-class vectors, summed by true class."""

from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import VECTOR_RULES, VectorRule
from steelyard.tally.kernels.sums import exact_sums, round_to_scale

__all__ = ["VectorSums", "item_scores", "vector_sums"]

CHUNK = 1 << 16
"""Rows at a time, so that a block of scores stays in the cache of a core."""

Scores = dict[VectorRule, NDArray[np.float64]]


class VectorSums(NamedTuple):
    """Sums by true class (the index of every inner list), scaled as in ``VectorScores``."""

    items: list[int]
    sums: dict[tuple[VectorRule, int], list[int]]
    products: dict[tuple[VectorRule, int, int], list[int]]
    infinite: dict[int, list[int]]


def vector_sums(truth: NDArray[np.intp], vectors: Sequence[NDArray[Any]]) -> VectorSums:
    """Score every vector under every rule and add the scores up by true class.

    Parameters
    ----------
    truth
        Class codes, one a row.
    vectors
        For each system a table of rows by classes, of finite numbers that are not negative and not
        all 0 in a row.

    Returns
    -------
    VectorSums
        Sums keyed by rule and system, products by rule and two systems (the first not after the
        second), infinite log scores by system; systems by their number.

    Examples
    --------
    >>> sums = vector_sums(np.array([0, 1]), [np.array([[3.0, 1.0], [1.0, 1.0]])])
    >>> sums.items, [total / 2**30 for total in sums.sums["winner", 0]]
    ([1, 1], [1.0, 0.5])
    """
    classes = vectors[0].shape[1]
    pairs = list(combinations_with_replacement(range(len(vectors)), 2))
    total = VectorSums(
        items=np.bincount(truth, minlength=classes).tolist(),
        sums={(rule, j): [0] * classes for rule in VECTOR_RULES for j in range(len(vectors))},
        products={(rule, i, j): [0] * classes for rule in VECTOR_RULES for i, j in pairs},
        infinite={j: [0] * classes for j in range(len(vectors))},
    )
    for start in range(0, truth.size, CHUNK):
        part = truth[start : start + CHUNK]
        scores = [item_scores(part, table[start : start + CHUNK]) for table in vectors]
        _add_chunk(total, part, scores)
    return total


def item_scores(truth: NDArray[np.intp], vectors: NDArray[Any]) -> Scores:
    """Score each row under each rule (see :class:`steelyard.counts.VectorScores`).

    Sums over classes run from the first class to the last, one addition at a time, so that a SQL
    expression which names the columns in order gives the same bits. The spherical score divides by
    the largest entry before squaring: no square overflows or vanishes.

    Examples
    --------
    >>> scores = item_scores(np.array([0]), np.array([[3.0, 4.0]]))
    >>> {rule: round(float(score[0]), 4) for rule, score in scores.items()}
    {'spherical': 0.6, 'winner': 0.0, 'brier': 0.6531, 'log': 0.8473}
    """
    table = np.asarray(vectors, dtype=np.float64)
    columns = [np.ascontiguousarray(table[:, k]) for k in range(table.shape[1])]
    true = table[np.arange(truth.size), truth]
    largest = table.max(axis=1)
    squares, sharing, total = (np.zeros(truth.size) for _ in range(3))
    for column in columns:
        part = column / largest
        squares += part * part
        sharing += column == largest
        total += column
    brier = np.zeros(truth.size)
    for k, column in enumerate(columns):
        miss = column / total - (truth == k)
        brier += miss * miss
    with np.errstate(divide="ignore"):
        log = -np.log(true / total) + 0.0
    return {
        "spherical": (true / largest) / np.sqrt(squares),
        "winner": np.where(true == largest, 1.0 / sharing, 0.0),
        "brier": brier,
        "log": log,
    }


def _add_chunk(total: VectorSums, truth: NDArray[np.intp], scores: list[Scores]) -> None:
    """Add the scores of some rows to the totals, in place."""
    classes = len(total.items)
    finite = [np.isfinite(score["log"]) for score in scores]
    for (rule, j), into in total.sums.items():
        kept = finite[j] if rule == "log" else slice(None)
        _add(into, exact_sums(truth[kept], round_to_scale(scores[j][rule][kept]), classes))
    for (rule, i, j), into in total.products.items():
        kept = finite[i] & finite[j] if rule == "log" else slice(None)
        products = scores[i][rule][kept] * scores[j][rule][kept]
        _add(into, exact_sums(truth[kept], round_to_scale(products), classes))
    for j, into in total.infinite.items():
        _add(into, np.bincount(truth[~finite[j]], minlength=classes).tolist())


def _add(into: list[int], more: list[int]) -> None:
    into[:] = [one + two for one, two in zip(into, more, strict=True)]

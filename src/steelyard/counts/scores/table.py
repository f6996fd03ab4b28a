"""Distinct scores with how many positives and negatives share each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steelyard.counts.columns import (
    ArrayCounts,
    freeze_fields,
    score_column,
    whole_column,
)
from steelyard.counts.exclusions import Exclusion, merge_exclusions
from steelyard.counts.labels import check_names
from steelyard.counts.scores.counting import score_counts
from steelyard.errors import CountsError

__all__ = ["PairSums", "ScoreTable"]

COUNTS = ("positives", "negatives")
WEIGHTS = ("positive_weights", "negative_weights")
LARGEST_SCALED = 2**62
"""Scaled sums of weights stay below this, so that two of them still add up in an int64."""


class PairSums(NamedTuple):
    """What the area and its variance need of all distinct scores, when a table holds fewer.

    For a positive, ``c`` is twice the negatives below it plus those tied with it; for a negative,
    twice the positives above it plus those tied. ``won_twice`` is the sum of ``c`` over the
    positives (and over the negatives, which is the same), ``positive_squares`` and
    ``negative_squares`` are the sums of its square.
    """

    distinct: int
    won_twice: int
    positive_squares: int
    negative_squares: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreTable(ArrayCounts):
    """Positives and negatives at each distinct score, lowest score first.

    A larger score means more like the positive class. Infinite scores rank like any other; NaN
    has no place and is refused. ``positive_weights`` and ``negative_weights`` (scaled sums of
    weights, see :data:`steelyard.counts.SCALE`) are there when the rows were weighted. Scores
    without any row are not kept. The arrays are read-only.

    A table of more distinct scores than can be held is *thinned*: each of its scores then stands
    for the rows from it up to the next one. Counting from a score upwards stays exact, and
    ``pair_sums`` carries what the exact area and its variance need.

    Examples
    --------
    >>> table = ScoreTable.from_scores([0.9, 0.2], [0.2, 0.1], positive="ship")
    >>> table.scores.tolist(), table.positives.tolist(), table.negatives.tolist()
    ([0.1, 0.2, 0.9], [0, 1, 1], [1, 1, 0])
    """

    positive: str
    scores: NDArray[np.float64]
    positives: NDArray[np.int64]
    negatives: NDArray[np.int64]
    positive_weights: NDArray[np.int64] | None = None
    negative_weights: NDArray[np.int64] | None = None
    excluded: tuple[Exclusion, ...] = ()
    pair_sums: PairSums | None = None

    def __post_init__(self) -> None:
        scores = score_column(self.scores, "scores")
        _check_weighing(self.positive_weights, self.negative_weights)
        columns = {name: whole_column(getattr(self, name), name) for name in COUNTS}
        if self.positive_weights is not None:
            for name in WEIGHTS:
                columns[name] = whole_column(getattr(self, name), name, most=LARGEST_SCALED)
        _check_shapes(scores, columns)
        whole_column([sum(int(columns[name].sum()) for name in COUNTS)], "The score table")
        if (scores[1:] <= scores[:-1]).any():
            message = (
                "Scores must be distinct and ascending; use ScoreTable.from_counts to sort them."
            )
            raise CountsError(message, code="scores-unsorted")
        held = (columns["positives"] > 0) | (columns["negatives"] > 0)
        _check_idle(columns)
        if not held.all():
            scores = scores[held]
            columns = {name: column[held] for name, column in columns.items()}
        freeze_fields(
            self,
            {
                "positive": check_names([self.positive], "class")[0],
                "scores": scores,
                **columns,
                "excluded": merge_exclusions(self.excluded),
            },
        )

    @classmethod
    def from_counts(
        cls,
        scores: ArrayLike,
        positives: ArrayLike,
        negatives: ArrayLike,
        *,
        positive: str,
        positive_weights: ArrayLike | None = None,
        negative_weights: ArrayLike | None = None,
        excluded: Sequence[Exclusion] = (),
    ) -> Self:
        """Build from counts per score in any order; equal scores are added up.

        >>> table = ScoreTable.from_counts([0.5, 0.1, 0.5], [1, 0, 2], [0, 4, 1], positive="ship")
        >>> table.scores.tolist(), table.positives.tolist(), table.negatives.tolist()
        ([0.1, 0.5], [0, 3], [4, 1])
        """
        _check_weighing(positive_weights, negative_weights)
        values = score_column(scores, "scores")
        columns = {
            "positives": whole_column(positives, "positives"),
            "negatives": whole_column(negatives, "negatives"),
        }
        for name, weights in zip(WEIGHTS, (positive_weights, negative_weights), strict=True):
            if weights is not None:
                columns[name] = whole_column(weights, name, most=LARGEST_SCALED)
        _check_shapes(values, columns)
        distinct, place = np.unique(values, return_inverse=True)
        summed: dict[str, Any] = {
            name: _add_up(column, place, distinct.size) for name, column in columns.items()
        }
        return cls(positive=positive, scores=distinct, excluded=tuple(excluded), **summed)

    @classmethod
    def from_scores(
        cls, positives: ArrayLike, negatives: ArrayLike, *, positive: str = "positive"
    ) -> Self:
        """Build from the raw scores of the positive and of the negative items.

        >>> ScoreTable.from_scores([0.9, 0.9], [0.1]).positives.tolist()
        [0, 2]
        """
        ones = score_column(positives, "positives").ravel()
        others = score_column(negatives, "negatives").ravel()
        flags = np.zeros(others.size + ones.size, dtype=np.bool_)
        flags[others.size :] = True
        counts = score_counts(flags, np.concatenate([others, ones]))
        return cls(
            positive=positive,
            scores=counts.scores,
            positives=counts.positives,
            negatives=counts.negatives,
        )

    @property
    def positive_total(self) -> int:
        """Positive items."""
        return int(self.positives.sum())

    @property
    def negative_total(self) -> int:
        """Negative items."""
        return int(self.negatives.sum())

    @property
    def total(self) -> int:
        """Items counted."""
        return self.positive_total + self.negative_total

    @property
    def thinned(self) -> bool:
        """Whether there were more distinct scores than the table holds."""
        return self.pair_sums is not None

    def __add__(self, other: Self) -> Self:
        if self.thinned or other.thinned:
            message = (
                "A thinned score table cannot be added to another: which of their scores tie is no "
                "longer known. Count all rows at once."
            )
            raise CountsError(message, code="thinned")
        if self.positive != other.positive:
            message = (
                f"Score tables for the positive classes {self.positive!r} and {other.positive!r} "
                "cannot be added."
            )
            raise CountsError(message, code="positive-differs")
        if (self.positive_weights is None) != (other.positive_weights is None):
            message = "One part is weighted and the other is not; weigh both, or neither."
            raise CountsError(message, code="weights-mixed")
        names = (*COUNTS, *(WEIGHTS if self.positive_weights is not None else ()))
        joined = {
            name: np.concatenate([getattr(self, name), getattr(other, name)]) for name in names
        }
        return self.from_counts(
            np.concatenate([self.scores, other.scores]),
            **joined,
            positive=self.positive,
            excluded=merge_exclusions(self.excluded, other.excluded),
        )


def _add_up(column: NDArray[np.int64], place: NDArray[np.intp], size: int) -> NDArray[np.int64]:
    total = np.zeros(size, dtype=np.int64)
    np.add.at(total, place, column)
    return total


def _check_weighing(positive_weights: object, negative_weights: object) -> None:
    if (positive_weights is None) != (negative_weights is None):
        message = "Weights came for one of positives and negatives only; weigh both, or neither."
        raise CountsError(message, code="weights-mixed")


def _check_shapes(scores: NDArray[np.float64], columns: dict[str, NDArray[np.int64]]) -> None:
    for name, column in columns.items():
        if column.shape != scores.shape or column.ndim != 1:
            message = (
                f"{name} has the shape {column.shape} for scores of shape {scores.shape}; "
                "each is one list with an entry for each score."
            )
            raise CountsError(message, code="lengths-differ")


def _check_idle(columns: dict[str, NDArray[np.int64]]) -> None:
    for weights, counts in zip(WEIGHTS, COUNTS, strict=True):
        if weights in columns and (columns[weights][columns[counts] == 0] > 0).any():
            message = f"{weights} has a weight where {counts} has no row; one of them is wrong."
            raise CountsError(message, code="weights-differ")

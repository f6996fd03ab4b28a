"""Scores of several systems on the same items, with the truth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steelyard.counts.columns import ArrayCounts, freeze_fields, place_of, score_column
from steelyard.counts.exclusions import Exclusion, merge_exclusions
from steelyard.counts.labels import check_names
from steelyard.counts.scores.counting import score_counts
from steelyard.counts.scores.keys import order_rows
from steelyard.counts.scores.table import ScoreTable
from steelyard.errors import CountsError, listing

__all__ = ["JointScores"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JointScores(ArrayCounts):
    """Aligned scores: ``scores[j, i]`` is what system ``j`` gave item ``i``.

    The only counts as large as the items. Items are kept sorted (negatives first, then by the
    scores), so that the order of the rows they came from leaves no trace. The arrays are
    read-only.

    Examples
    --------
    >>> joint = JointScores.from_arrays([0, 1], {"A": [0.2, 0.9], "B": [0.4, 0.3]})
    >>> joint.positive_total, joint.score_table("A").total
    (1, 2)
    """

    systems: tuple[str, ...]
    positive: str
    truth: NDArray[np.bool_]
    scores: NDArray[np.float64]
    excluded: tuple[Exclusion, ...] = ()

    def __post_init__(self) -> None:
        systems = check_names(self.systems, "system")
        truth = _truth_column(self.truth)
        scores = score_column(self.scores, "scores")
        if not systems or scores.shape != (len(systems), truth.size):
            message = (
                f"Scores of shape {scores.shape} for {len(systems)} systems and "
                f"{truth.size} items; expected a row for each system and a column for each item."
            )
            raise CountsError(message, code="lengths-differ")
        order = order_rows(truth, scores)
        freeze_fields(
            self,
            {
                "systems": systems,
                "positive": check_names([self.positive], "class")[0],
                "truth": truth[order],
                "scores": np.ascontiguousarray(scores[:, order]),
                "excluded": merge_exclusions(self.excluded),
            },
        )

    @classmethod
    def from_arrays(
        cls,
        truth: ArrayLike,
        scores: Mapping[str, ArrayLike],
        *,
        positive: str = "positive",
        excluded: Sequence[Exclusion] = (),
    ) -> Self:
        """Build from one array of truth (true where positive) and one of scores per system.

        >>> JointScores.from_arrays([True, False], {"A": [0.9, 0.2]}).scores.tolist()
        [[0.2, 0.9]]
        """
        items = _truth_column(truth)
        columns = {name: score_column(column, name) for name, column in scores.items()}
        for name, column in columns.items():
            if column.shape != items.shape:
                message = f"{name} has scores of shape {column.shape} for {items.size} items."
                raise CountsError(message, code="lengths-differ")
        return cls(
            systems=tuple(scores),
            positive=positive,
            truth=items,
            scores=np.array(list(columns.values()), dtype=np.float64),
            excluded=tuple(excluded),
        )

    @property
    def total(self) -> int:
        """Items counted."""
        return int(self.truth.size)

    @property
    def positive_total(self) -> int:
        """Positive items."""
        return int(np.count_nonzero(self.truth))

    def score_table(self, system: str) -> ScoreTable:
        """Fold to the score table of one system.

        >>> joint = JointScores.from_arrays([0, 1], {"A": [0.2, 0.9], "B": [0.4, 0.4]})
        >>> joint.score_table("B").scores.tolist()
        [0.4]
        """
        counts = score_counts(self.truth, self.scores[place_of(self.systems, system)])
        return ScoreTable(
            positive=self.positive,
            scores=counts.scores,
            positives=counts.positives,
            negatives=counts.negatives,
            excluded=self.excluded,
        )

    def __add__(self, other: Self) -> Self:
        if (self.systems, self.positive) != (other.systems, other.positive):
            message = (
                f"Scores of {listing(self.systems)} for {self.positive!r} and of "
                f"{listing(other.systems)} for {other.positive!r} cannot be joined."
            )
            raise CountsError(message, code="systems-differ")
        return type(self)(
            systems=self.systems,
            positive=self.positive,
            truth=np.concatenate([self.truth, other.truth]),
            scores=np.concatenate([self.scores, other.scores], axis=1),
            excluded=merge_exclusions(self.excluded, other.excluded),
        )


def _truth_column(truth: ArrayLike) -> NDArray[np.bool_]:
    given = np.asarray(truth)
    plain = given.ndim == 1 and (given.dtype.kind in "biuf" or given.size == 0)
    if not plain or not ((given == 0) | (given == 1)).all():
        message = "truth must be one list of true/false (or 1/0), true where the item is positive."
        raise CountsError(message, code="label-type")
    return given.astype(np.bool_)

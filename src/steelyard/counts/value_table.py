"""Distinct values with how many items have each: what quantiles, ranks and permutations need."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log10
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steelyard.counts.columns import ArrayCounts, freeze_fields, whole_column
from steelyard.counts.exclusions import Exclusion, merge_exclusions
from steelyard.errors import CountsError

__all__ = ["MOST_VALUES", "ValueTable"]

MOST_VALUES = 200_000
"""More distinct values than this are counted in steps."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ValueTable(ArrayCounts):
    """Items at each distinct value, lowest first.

    With a ``step``, values were rounded to multiples of it before they were counted, because there
    were too many; what is found with the table is then known to half a step.

    Examples
    --------
    >>> table = ValueTable.from_values([3.0, 1.0, 3.0, 8.0])
    >>> table.values.tolist(), table.counts.tolist(), table.at_rank(3)
    ([1.0, 3.0, 8.0], [1, 2, 1], 3.0)
    """

    values: NDArray[np.float64]
    counts: NDArray[np.int64]
    step: float | None = None
    excluded: tuple[Exclusion, ...] = ()

    def __post_init__(self) -> None:
        values = np.asarray(self.values, dtype=np.float64)
        counts = whole_column(self.counts, "counts")
        if values.shape != counts.shape or values.ndim != 1 or not values.size:
            message = (
                f"{values.size} values and {counts.size} counts; expected one list of each, of the "
                "same length, not empty."
            )
            raise CountsError(message, code="lengths-differ")
        if not np.isfinite(values).all() or (values[1:] <= values[:-1]).any():
            message = "Values must be finite, distinct and ascending: use ValueTable.from_values."
            raise CountsError(message, code="values-unsorted")
        if (counts < 1).any():
            message = "A value without an item is not kept; leave it out."
            raise CountsError(message, code="count-not-whole")
        held = {"values": values, "counts": counts, "excluded": merge_exclusions(self.excluded)}
        freeze_fields(self, held)

    @classmethod
    def from_values(
        cls, values: ArrayLike, counts: ArrayLike | None = None, *, step: float | None = None
    ) -> Self:
        """Build from values in any order, each counted once unless ``counts`` says otherwise."""
        column = np.asarray(values, dtype=np.float64) + 0.0  # -0.0 and 0.0 are one value
        distinct, place = np.unique(column, return_inverse=True)
        numbers = np.ones(column.size) if counts is None else np.asarray(counts)
        total = np.zeros(distinct.size, dtype=np.int64)
        np.add.at(total, place, numbers.astype(np.int64))
        return cls(values=distinct, counts=total, step=step)

    @staticmethod
    def step_for(least: float, largest: float) -> float:
        """Give a step, a power of ten, that leaves at most as many values as a table holds.

        >>> ValueTable.step_for(0.0, 1.0)
        1e-05
        """
        return 10.0 ** ceil(log10((largest - least) / (MOST_VALUES - 2)))

    @property
    def total(self) -> int:
        """Items counted."""
        return int(self.counts.sum())

    def at_rank(self, rank: int) -> float:
        """Give the value of an item by its place from the lowest, which is 1."""
        place = int(np.searchsorted(np.cumsum(self.counts), rank))
        return float(self.values[place])

    def quantile(self, share: float) -> float:
        """Give the least value that this share of the items does not exceed."""
        # 0.95 * 100 is 95.00000000000001 in floating point, which is no reason to go on to 96.
        return self.at_rank(max(1, ceil(share * self.total - 1e-9)))

    def spread_out(self) -> NDArray[np.float64]:
        """Give the values again, each as often as it was counted, in order."""
        return np.repeat(self.values, self.counts)

    def binned(self, edges: Sequence[float]) -> list[tuple[float, float, int]]:
        """Count between edges, for a picture.

        >>> ValueTable.from_values([1, 2, 2, 5]).binned([1, 3, 5])
        [(1.0, 3.0, 3), (3.0, 5.0, 1)]
        """
        ends = np.asarray(edges, dtype=np.float64)
        places = np.searchsorted(ends, self.values, side="right") - 1
        # The last edge belongs to the last bar, and so does what was rounded beyond it.
        held = np.clip(places, 0, ends.size - 2)
        counts = np.bincount(held, weights=self.counts, minlength=ends.size - 1).astype(int)
        return list(zip(ends[:-1].tolist(), ends[1:].tolist(), counts.tolist(), strict=True))

    def __add__(self, other: Self) -> Self:
        if self.step != other.step:
            message = (
                f"Values in steps of {self.step} and of {other.step} cannot be added. Count all "
                "rows at once."
            )
            raise CountsError(message, code="thinned")
        merged = self.from_values(
            np.concatenate([self.values, other.values]),
            np.concatenate([self.counts, other.counts]),
            step=self.step,
        )
        excluded: Sequence[Exclusion] = merge_exclusions(self.excluded, other.excluded)
        return type(self)(
            values=merged.values, counts=merged.counts, step=self.step, excluded=tuple(excluded)
        )

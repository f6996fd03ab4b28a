"""Weighted sums of the scores of per-class vectors, as whole numbers that shards may add."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from steelyard.counts.cells import add_cells
from steelyard.counts.labels import checked_names, sorted_classes
from steelyard.counts.vector_scores import VectorRule
from steelyard.counts.weights import SCALE
from steelyard.errors import CountsError, listing

__all__ = ["WeightedVectors"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedVectors:
    """Sums over rows with weights ``w`` and item scores ``x``, by true class.

    The scores are those of :class:`~steelyard.counts.VectorScores`. ``sums`` holds whole numbers
    (those with weights are times SCALE, each row rounded once) under the keys

    ``("rows", class)`` and ``("held", class)``: rows, and rows that weigh more than 0;
    ``("weight", class)`` and ``("square", class)``: sums of ``w`` and of ``w^2``;
    ``("sum", rule, system, class)`` and ``("first", rule, system, class)``: of ``w x``, ``w^2 x``;
    ``("product", rule, system, system, class)``: of ``w^2 x y``, systems in their order;
    ``("infinite", system, class)``: rows with a weight whose log score is infinite.

    Examples
    --------
    >>> sums = {("rows", "cat"): 2, ("held", "cat"): 2, ("weight", "cat"): 3 * SCALE}
    >>> part = WeightedVectors.from_sums(systems=["A"], classes=["cat"], sums=sums)
    >>> (part + part).total, (part + part).weight("cat")
    (4, 6.0)
    """

    systems: tuple[str, ...]
    classes: tuple[str, ...]
    sums: tuple[tuple[tuple[str, ...], int], ...]

    @classmethod
    def from_sums(
        cls,
        *,
        systems: Sequence[str],
        classes: Sequence[str],
        sums: Mapping[tuple[str, ...], int],
    ) -> Self:
        """Build from a mapping; what is 0 need not be named."""
        known = set(classes)
        strange = sorted({key[-1] for key in sums} - known)
        if strange:
            message = f"Sums of classes that were not declared: {listing(strange)}."
            raise CountsError(message, code="class-unknown")
        return cls(
            systems=checked_names(systems, "system"),
            classes=checked_names(classes, "class"),
            sums=tuple(sorted((key, int(value)) for key, value in sums.items() if value)),
        )

    @property
    def known(self) -> dict[tuple[str, ...], int]:
        """The sums by key."""
        return dict(self.sums)

    @property
    def total(self) -> int:
        """Rows counted."""
        return sum(value for key, value in self.sums if key[0] == "rows")

    def weight(self, of: str) -> float:
        """Sum of the weights of one true class."""
        return self.known.get(("weight", of), 0) / SCALE

    def weighted_sum(self, rule: VectorRule, system: str, of: str) -> float:
        """Sum of the weighted finite scores of one system on one true class."""
        return self.known.get(("sum", rule, system, of), 0) / SCALE

    def __add__(self, other: Self) -> Self:
        if self.systems != other.systems:
            message = (
                f"Scores of {listing(self.systems)} and of {listing(other.systems)} cannot be "
                "added."
            )
            raise CountsError(message, code="systems-differ")
        same = self.classes == other.classes
        return self.from_sums(
            systems=self.systems,
            classes=self.classes if same else sorted_classes({*self.classes, *other.classes}),
            sums=add_cells(self.known, other.known),
        )

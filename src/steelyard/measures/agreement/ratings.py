"""What several raters said of the same items: systems, people, or truth and a system."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import Confusion, JointCalls
from steelyard.counts.confusion import DENSE_LIMIT
from steelyard.counts.labels import canonical_label, sort_classes
from steelyard.errors import CountsError, NotComparable, switch

__all__ = ["Rated", "Ratings", "ratings_of"]

Pattern = tuple[str | None, ...]

MOST_CELLS = 1 << 27
"""A table of patterns, raters and categories has at most this many numbers (1 GB)."""

MOST_STEPS = 10**10
"""Leaving out each pattern in turn may take this many steps, about half a minute."""


@dataclass(frozen=True, kw_only=True)
class Ratings:
    """Items by pattern: what each rater said, None where a rater said nothing, and how often.

    Examples
    --------
    >>> ratings = Ratings.from_items([["a", "a"], ["a", "b"], ["b", None]], raters=["R", "S"])
    >>> ratings.items, ratings.categories
    (3, ('a', 'b'))
    """

    raters: tuple[str, ...]
    categories: tuple[str, ...]
    patterns: tuple[tuple[Pattern, int], ...]

    @classmethod
    def from_patterns(
        cls,
        patterns: Mapping[Pattern, int],
        *,
        raters: Sequence[str],
        categories: Sequence[str] | None = None,
    ) -> Self:
        """Build from a mapping of what the raters said to the number of such items.

        >>> Ratings.from_patterns({("a", "b"): 3}, raters=["R", "S"]).items
        3
        """
        seen = {said for pattern in patterns for said in pattern if said is not None}
        names = sort_classes(seen) if categories is None else tuple(categories)
        wrong = [p for p in patterns if len(p) != len(raters)]
        if len(raters) < 2 or wrong or not seen <= set(names):
            message = (
                f"{len(raters)} raters, patterns such as {next(iter(wrong or patterns), ())!r}; "
                "expected two raters or more and one known category (or None) from each."
            )
            raise CountsError(message, code="ratings")
        _refuse_huge(len(patterns), len(raters), len(names))
        kept = sorted(
            ((p, n) for p, n in patterns.items() if n), key=lambda one: [s or "" for s in one[0]]
        )
        return cls(raters=tuple(raters), categories=names, patterns=tuple(kept))

    @classmethod
    def from_items(
        cls, items: Sequence[Sequence[object]], *, raters: Sequence[str] | None = None
    ) -> Self:
        """Build from a row for each item with a column for each rater; None is no rating."""
        patterns: dict[Pattern, int] = {}
        for row in items:
            said = tuple(None if one is None else canonical_label(one) for one in row)
            patterns[said] = patterns.get(said, 0) + 1
        width = len(items[0]) if items else 0
        names = [f"rater {place + 1}" for place in range(width)] if raters is None else raters
        return cls.from_patterns(patterns, raters=names)

    @property
    def items(self) -> int:
        """Items rated."""
        return sum(rows for _, rows in self.patterns)

    @cached_property
    def multiplicity(self) -> NDArray[np.float64]:
        """How many items show each pattern."""
        return np.array([rows for _, rows in self.patterns], dtype=np.float64)

    @cached_property
    def said(self) -> NDArray[np.float64]:
        """1 where the rater (second place) said the category (third) in the pattern (first)."""
        place = {name: at for at, name in enumerate(self.categories)}
        table = np.zeros((len(self.patterns), len(self.raters), len(self.categories)))
        for row, (pattern, _) in enumerate(self.patterns):
            for rater, category in enumerate(pattern):
                if category is not None:
                    table[row, rater, place[category]] = 1
        return table


def _refuse_huge(patterns: int, raters: int, categories: int) -> None:
    """Refuse tables that would not fit or not end, with the size that they would need."""
    cells, steps = patterns * raters * categories, patterns * categories**2
    if categories > DENSE_LIMIT or cells > MOST_CELLS or steps > MOST_STEPS:
        message = (
            f"{raters} raters, {categories:,} categories and {patterns:,} different patterns of "
            f"ratings would need {8 * (cells + categories**2) / 2**20:,.0f} MB and {steps:.1g} "
            f"steps (limits: {DENSE_LIMIT:,} categories, {8 * MOST_CELLS // 2**20:,} MB, "
            f"{MOST_STEPS:.1g} steps). Merge categories, or choose fewer raters: "
            f"{switch('raters', 'NAMES')}."
        )
        raise NotComparable(message, code="too-many-classes")


Rated = Ratings | JointCalls | Confusion
"""What raters said, or counts that hold it."""


def ratings_of(counts: Rated) -> Ratings:
    """Take systems as raters of the same items, or truth and calls as two raters.

    Examples
    --------
    >>> joint = JointCalls.from_cells({("cat", ("cat", "dog")): 3}, systems=["A", "B"])
    >>> ratings_of(joint).raters
    ('A', 'B')
    """
    if isinstance(counts, Ratings):
        return counts
    patterns: dict[Pattern, int] = {}
    if isinstance(counts, Confusion):
        if counts.weights is not None:
            message = "Raters are counted item by item, and these rows are weighted."
            raise NotComparable(message, code="weighted")
        patterns = {(truth, called): rows for truth, called, rows in counts.cells}
        return Ratings.from_patterns(
            patterns, raters=("truth", "called"), categories=counts.classes
        )
    for _, calls, rows in counts.cells:
        patterns[calls] = patterns.get(calls, 0) + rows
    return Ratings.from_patterns(patterns, raters=counts.systems, categories=counts.classes)

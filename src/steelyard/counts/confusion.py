"""What was called, against what was true."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from steelyard.counts.cells import (
    add_cells,
    add_weights,
    check_cells,
    check_weights,
    whole_counts,
)
from steelyard.counts.exclusions import Exclusion, merge_exclusions
from steelyard.counts.labels import canonical_label, check_names, sort_classes
from steelyard.counts.weights import WeightSums
from steelyard.errors import CountsError, listing, printable

__all__ = ["DENSE_LIMIT", "Binary", "Confusion"]

DENSE_LIMIT = 2_000
"""More classes than this are kept sparse only: a dense table would need over 32 MB."""

Cells = tuple[tuple[str, str, int], ...]
CellWeights = tuple[tuple[str, str, WeightSums], ...]
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Binary:
    """The four cells of one class against the rest.

    Examples
    --------
    >>> cells = Binary(tp=8, fp=1, fn=2, tn=9)
    >>> cells.positives, cells.negatives, cells.called, cells.total
    (10, 10, 9, 20)
    """

    tp: int
    fp: int
    fn: int
    tn: int

    def __post_init__(self) -> None:
        counts = whole_counts((self.tp, self.fp, self.fn, self.tn), "tp, fp, fn, tn")
        for name, count in zip(("tp", "fp", "fn", "tn"), counts, strict=True):
            object.__setattr__(self, name, count)

    @property
    def positives(self) -> int:
        """Items that truly are of the class."""
        return self.tp + self.fn

    @property
    def negatives(self) -> int:
        """Items that truly are of another class."""
        return self.fp + self.tn

    @property
    def called(self) -> int:
        """Items called of the class."""
        return self.tp + self.fp

    @property
    def total(self) -> int:
        """Items asked about."""
        return self.tp + self.fp + self.fn + self.tn


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion:
    """Rows by truth and called class, kept sparse: only cells that hold rows are stored.

    ``classes`` lists every class, in reading order; a class may be called without ever being
    true. ``cells`` and ``weights`` are sorted by truth and called class.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> table.total, table.right, table.against_rest("cat").tp
    (20, 17, 8)
    """

    classes: tuple[str, ...]
    cells: Cells
    weights: CellWeights | None = None
    excluded: tuple[Exclusion, ...] = ()

    def __post_init__(self) -> None:
        classes = check_names(self.classes, "class")
        named = {name for truth, called, _ in self.cells for name in (truth, called)}
        strange = sorted(map(str, named.difference(classes)))
        if strange:
            message = f"Cells name classes that were not declared: {listing(strange)}."
            raise CountsError(message, code="class-unknown")
        cells = check_cells([((t, c), rows) for t, c, rows in self.cells], "The confusion table")
        weights = self.weights
        if weights is not None:
            pairs = (((t, c), sums) for t, c, sums in weights)
            checked = check_weights(pairs, cells, "The confusion table")
            weights = tuple((*pair, sums) for pair, sums in checked.items())
        for name, value in (
            ("classes", classes),
            ("cells", tuple((*pair, rows) for pair, rows in cells.items())),
            ("weights", weights),
            ("excluded", merge_exclusions(self.excluded)),
        ):
            object.__setattr__(self, name, value)

    @classmethod
    def from_cells(
        cls,
        cells: Mapping[tuple[str, str], int],
        *,
        classes: Sequence[str] | None = None,
        weights: Mapping[tuple[str, str], WeightSums] | None = None,
        excluded: Sequence[Exclusion] = (),
    ) -> Self:
        """Build from a mapping of (truth, called) to rows.

        >>> Confusion.from_cells({("cat", "dog"): 3, ("dog", "dog"): 4}).true_totals()
        {'cat': 3, 'dog': 4}
        """
        seen = {name for pair, rows in cells.items() if rows for name in pair}
        return cls(
            classes=sort_classes(seen) if classes is None else check_names(classes, "class"),
            cells=tuple((*pair, rows) for pair, rows in cells.items()),
            weights=None if weights is None else tuple((*p, sums) for p, sums in weights.items()),
            excluded=tuple(excluded),
        )

    @classmethod
    def from_matrix(
        cls, matrix: Sequence[Sequence[int]], *, classes: Sequence[object] | None = None
    ) -> Self:
        """Build from a square table with a row per true class and a column per called class.

        >>> Confusion.from_matrix([[8, 2], [1, 9]]).cells
        (('0', '0', 8), ('0', '1', 2), ('1', '0', 1), ('1', '1', 9))
        """
        size = len(matrix)
        if size == 0 or any(np.ndim(row) != 1 or len(row) != size for row in matrix):
            message = (
                f"The table is {_shape(matrix)}; a confusion table is square, with a row for each "
                "true class and a column for each called class."
            )
            raise CountsError(message, code="not-square")
        names = [canonical_label(c) for c in (range(size) if classes is None else classes)]
        if len(names) != size:
            message = f"{len(names)} classes are named for a table of {size}."
            raise CountsError(message, code="not-square")
        check_names(names, "class")
        cells = {
            (truth, called): _without_fraction(count)
            for truth, row in zip(names, matrix, strict=True)
            for called, count in zip(names, row, strict=True)
        }
        return cls.from_cells(cells, classes=names)

    @classmethod
    def from_text(cls, text: str, *, classes: Sequence[object] | None = None) -> Self:
        """Build from a table as it is typed, rows by truth.

        >>> Confusion.from_text("8,2;1,9", classes=["cat", "dog"]).right
        17
        """
        try:
            matrix = [[int(cell) for cell in row.split(",")] for row in text.split(";")]
        except ValueError:
            message = f"{printable(text)!r} is not a table such as '8,2;1,9' of whole numbers."
            raise CountsError(message, code="no-table") from None
        return cls.from_matrix(matrix, classes=classes)

    @classmethod
    def from_binary(
        cls,
        *,
        tp: int,
        fp: int,
        fn: int,
        tn: int,
        positive: str = "positive",
        negative: str = "negative",
    ) -> Self:
        """Build from the four numbers of a two-class table.

        >>> Confusion.from_binary(tp=8, fp=1, fn=2, tn=9).right
        17
        """
        return cls.from_matrix([[tp, fn], [fp, tn]], classes=[positive, negative])

    @property
    def total(self) -> int:
        """Rows counted."""
        return sum(rows for _, _, rows in self.cells)

    @property
    def right(self) -> int:
        """Rows whose called class is the true one."""
        return sum(rows for truth, called, rows in self.cells if truth == called)

    def true_totals(self) -> dict[str, int]:
        """Rows of each true class.

        >>> Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"]).true_totals()
        {'cat': 10, 'dog': 10}
        """
        return self._totals((truth, rows) for truth, _, rows in self.cells)

    def called_totals(self) -> dict[str, int]:
        """Rows of each called class.

        >>> Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"]).called_totals()
        {'cat': 9, 'dog': 11}
        """
        return self._totals((called, rows) for _, called, rows in self.cells)

    def against_rest(self, positive: str) -> Binary:
        """Fold the table to one class against all others; for all classes, ``each_against_rest``.

        >>> Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"]).against_rest("dog")
        Binary(tp=9, fp=2, fn=1, tn=8)
        """
        if positive not in self.classes:
            message = f"No class {positive!r} in this table. Classes: {listing(self.classes)}."
            raise CountsError(message, code="class-unknown")
        tp = sum(rows for t, c, rows in self.cells if t == positive and c == positive)
        fn = sum(rows for t, c, rows in self.cells if t == positive and c != positive)
        fp = sum(rows for t, c, rows in self.cells if t != positive and c == positive)
        return Binary(tp=tp, fp=fp, fn=fn, tn=self.total - tp - fn - fp)

    def each_against_rest(self) -> dict[str, Binary]:
        """Fold the table to every class against all others, in one pass over the cells.

        >>> Confusion.from_matrix([[8, 2], [1, 9]]).each_against_rest()["1"]
        Binary(tp=9, fp=2, fn=1, tn=8)
        """
        total, true, called = self.total, self.true_totals(), self.called_totals()
        hits = self._totals((t, rows) for t, c, rows in self.cells if t == c)
        return {
            name: Binary(
                tp=hits[name],
                fp=called[name] - hits[name],
                fn=true[name] - hits[name],
                tn=total - true[name] - called[name] + hits[name],
            )
            for name in self.classes
        }

    def matrix(self) -> NDArray[np.int64]:
        """Lay the table out densely, rows truth and columns called, in the order of ``classes``.

        >>> Confusion.from_binary(tp=8, fp=1, fn=2, tn=9).matrix().tolist()
        [[8, 2], [1, 9]]
        """
        size = len(self.classes)
        if size > DENSE_LIMIT:
            message = (
                f"A dense table of {size} classes would need {8 * size * size / 2**20:,.0f} MB "
                f"(limit: {DENSE_LIMIT} classes). Use .cells, which holds the {len(self.cells)} "
                "cells that are not empty."
            )
            raise CountsError(message, code="too-many-classes")
        place = {name: index for index, name in enumerate(self.classes)}
        table = np.zeros((size, size), dtype=np.int64)
        for truth, called, rows in self.cells:
            table[place[truth], place[called]] = rows
        return table

    def __add__(self, other: Self) -> Self:
        return self.from_cells(
            add_cells(_by_pair(self.cells), _by_pair(other.cells)),
            classes=_unite(self.classes, other.classes),
            weights=add_weights(_weights_by_pair(self.weights), _weights_by_pair(other.weights)),
            excluded=merge_exclusions(self.excluded, other.excluded),
        )

    def _totals(self, parts: Iterable[tuple[str, int]]) -> dict[str, int]:
        totals = dict.fromkeys(self.classes, 0)
        for name, rows in parts:
            totals[name] += rows
        return totals


def _by_pair(cells: tuple[tuple[str, str, Value], ...]) -> dict[tuple[str, str], Value]:
    return {(truth, called): value for truth, called, value in cells}


def _weights_by_pair(weights: CellWeights | None) -> dict[tuple[str, str], WeightSums] | None:
    return None if weights is None else _by_pair(weights)


def _unite(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return one if one == other else sort_classes({*one, *other})


def _shape(matrix: Sequence[Sequence[int]]) -> str:
    widths = {len(row) if np.ndim(row) == 1 else np.ndim(row) for row in matrix}
    return f"{len(matrix)} x {listing(sorted(widths))}" if widths else "empty"


def _without_fraction(count: int) -> int:
    """Take 8.0 for 8, as tables that went through a float array have it."""
    if isinstance(count, float | np.floating) and float(count).is_integer():
        return int(count)
    return count

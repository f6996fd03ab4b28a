"""What several systems called each item, together with the truth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from steelyard.counts.cells import add_cells, check_cells
from steelyard.counts.columns import place_of
from steelyard.counts.confusion import Confusion
from steelyard.counts.exclusions import Exclusion, merge_exclusions
from steelyard.counts.labels import check_names, sort_classes
from steelyard.counts.outcomes import Outcomes
from steelyard.errors import CountsError, listing

__all__ = ["JointCalls"]

Cell = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class JointCalls:
    """Items by truth and the calls of all systems; ``cells`` are (truth, calls, rows), sorted.

    Examples
    --------
    >>> joint = JointCalls.from_cells({("cat", ("cat", "dog")): 3}, systems=["A", "B"])
    >>> joint.total, joint.confusion("B").right, joint.outcomes().correct()
    (3, 0, (3, 0))
    """

    systems: tuple[str, ...]
    classes: tuple[str, ...]
    cells: tuple[tuple[str, tuple[str, ...], int], ...]
    excluded: tuple[Exclusion, ...] = ()

    def __post_init__(self) -> None:
        systems = check_names(self.systems, "system")
        if not systems:
            message = "No system is named; joint calls need at least one."
            raise CountsError(message, code="no-systems")
        classes = check_names(self.classes, "class")
        known = set(classes)
        for truth, calls, _ in self.cells:
            if len(calls) != len(systems):
                message = f"A cell has {len(calls)} calls for {len(systems)} systems."
                raise CountsError(message, code="lengths-differ")
            if not known.issuperset((truth, *calls)):
                strange = sorted(str(name) for name in {truth, *calls} - known)
                message = f"A cell names {listing(strange)}, outside {listing(classes)}."
                raise CountsError(message, code="class-unknown")
        cells = check_cells([((t, tuple(c)), n) for t, c, n in self.cells], "A joint cell")
        for name, value in (
            ("systems", systems),
            ("classes", classes),
            ("cells", tuple((*key, rows) for key, rows in cells.items())),
            ("excluded", merge_exclusions(self.excluded)),
        ):
            object.__setattr__(self, name, value)

    @classmethod
    def from_cells(
        cls,
        cells: Mapping[Cell, int],
        *,
        systems: Sequence[str],
        classes: Sequence[str] | None = None,
        excluded: Sequence[Exclusion] = (),
    ) -> Self:
        """Build from a mapping of (truth, calls) to rows.

        >>> JointCalls.from_cells({("cat", ("dog",)): 3}, systems=["A"]).classes
        ('cat', 'dog')
        """
        seen = {name for (truth, calls), rows in cells.items() if rows for name in (truth, *calls)}
        return cls(
            systems=check_names(systems, "system"),
            classes=sort_classes(seen) if classes is None else check_names(classes, "class"),
            cells=tuple((truth, calls, rows) for (truth, calls), rows in cells.items()),
            excluded=tuple(excluded),
        )

    @property
    def total(self) -> int:
        """Items counted."""
        return sum(rows for _, _, rows in self.cells)

    def confusion(self, system: str) -> Confusion:
        """Fold to the confusion table of one system.

        >>> joint = JointCalls.from_cells({("cat", ("cat", "dog")): 3}, systems=["A", "B"])
        >>> joint.confusion("B").cells
        (('cat', 'dog', 3),)
        """
        place = place_of(self.systems, system)
        cells: dict[tuple[str, str], int] = {}
        for truth, calls, rows in self.cells:
            cells[truth, calls[place]] = cells.get((truth, calls[place]), 0) + rows
        return Confusion.from_cells(cells, classes=self.classes, excluded=self.excluded)

    def outcomes(self) -> Outcomes:
        """Forget which wrong class was called.

        >>> joint = JointCalls.from_cells({("cat", ("cat", "dog")): 3}, systems=["A", "B"])
        >>> joint.outcomes().patterns
        ((1, 3),)
        """
        patterns: dict[int, int] = {}
        for truth, calls, rows in self.cells:
            pattern = sum((call == truth) << bit for bit, call in enumerate(calls))
            patterns[pattern] = patterns.get(pattern, 0) + rows
        return Outcomes.from_patterns(patterns, systems=self.systems, excluded=self.excluded)

    def __add__(self, other: Self) -> Self:
        if self.systems != other.systems:
            message = (
                f"Calls of {listing(self.systems)} and of {listing(other.systems)} cannot be added."
            )
            raise CountsError(message, code="systems-differ")
        same = self.classes == other.classes
        return self.from_cells(
            add_cells(
                {(truth, calls): rows for truth, calls, rows in self.cells},
                {(truth, calls): rows for truth, calls, rows in other.cells},
            ),
            systems=self.systems,
            classes=self.classes if same else sort_classes({*self.classes, *other.classes}),
            excluded=merge_exclusions(self.excluded, other.excluded),
        )

"""The same counts, split by cluster, fold, problem or slice."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, Self, TypeVar

from steelyard.counts.labels import check_names, sort_classes
from steelyard.errors import CountsError, listing

__all__ = ["Grouped", "Mergeable"]


class Mergeable(Protocol):
    """Counts that can be added."""

    def __add__(self, other: Any, /) -> Any:  # noqa: ANN401
        """Add the counts of other rows."""


Counts = TypeVar("Counts", bound=Mergeable)
Other = TypeVar("Other", bound=Mergeable)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouped(Generic[Counts]):
    """Counts for each group, in reading order of the group names.

    ``by`` is the role that split them.

    Examples
    --------
    >>> from steelyard.counts import Binary, Confusion
    >>> fold = Confusion.from_binary(tp=8, fp=1, fn=2, tn=9)
    >>> folds = Grouped.from_parts("fold", {"2": fold, "1": fold})
    >>> folds.names, len(folds), folds.merged().total
    (('1', '2'), 2, 40)
    """

    by: str
    names: tuple[str, ...]
    parts: tuple[Counts, ...]

    def __post_init__(self) -> None:
        names = check_names(self.names, "group")
        if len(names) != len(self.parts):
            message = f"{len(names)} group names for {len(self.parts)} parts: {listing(names)}."
            raise CountsError(message, code="groups-differ")
        known = dict(zip(names, self.parts, strict=True))
        order = sort_classes(names)
        object.__setattr__(self, "names", order)
        object.__setattr__(self, "parts", tuple(known[name] for name in order))

    @classmethod
    def from_parts(cls, by: str, parts: Mapping[str, Counts]) -> Self:
        """Build from a mapping of group name to counts."""
        return cls(by=by, names=tuple(parts), parts=tuple(parts.values()))

    def __iter__(self) -> Iterator[tuple[str, Counts]]:
        return iter(zip(self.names, self.parts, strict=True))

    def __len__(self) -> int:
        return len(self.names)

    def part(self, name: str) -> Counts:
        """Give the counts of one group.

        >>> Grouped.from_parts("fold", {"1": (7,)}).part("1")
        (7,)
        """
        if name not in self.names:
            message = f"No {self.by} {name!r}. Known: {listing(self.names)}."
            raise CountsError(message, code="group-unknown")
        return self.parts[self.names.index(name)]

    def merged(self) -> Counts:
        """Add all groups up, neighbours first, so that many groups cost little more than few.

        >>> Grouped.from_parts("fold", {"1": (7,), "2": (8,)}).merged()
        (7, 8)
        """
        if not self.parts:
            message = f"There is no {self.by} to add up."
            raise CountsError(message, code="no-items")
        parts = list(self.parts)
        while len(parts) > 1:
            odd = parts[len(parts) - len(parts) % 2 :]
            parts = [one + two for one, two in zip(parts[::2], parts[1::2], strict=False)] + odd
        return parts[0]

    def each(self, fold: Callable[[Counts], Other]) -> "Grouped[Other]":
        """Apply one function to the counts of every group.

        >>> Grouped.from_parts("fold", {"1": (7,)}).each(len).parts
        (1,)
        """
        return Grouped(by=self.by, names=self.names, parts=tuple(fold(p) for p in self.parts))

    def __add__(self, other: Self) -> Self:
        if self.by != other.by:
            message = f"Counts by {self.by} and by {other.by} cannot be added."
            raise CountsError(message, code="groups-differ")
        parts = dict(self)
        for name, part in other:
            parts[name] = parts[name] + part if name in parts else part
        return self.from_parts(self.by, parts)

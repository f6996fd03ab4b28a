"""Rows that were seen but not counted, and why."""

from collections.abc import Iterable
from dataclasses import dataclass

from steelyard.counts.cells import whole
from steelyard.errors import CountsError

__all__ = ["Exclusion", "merge_exclusions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusion:
    """A number of rows left out for one stated reason; ``system`` is None when it holds for all.

    Examples
    --------
    >>> print(Exclusion(reason="no truth", rows=3))
    3 rows left out: no truth
    """

    reason: str
    rows: int
    system: str | None = None

    def __post_init__(self) -> None:
        if not _is_name(self.reason):
            message = f"Rows were excluded for the reason {self.reason!r}; say why, in words."
            raise CountsError(message, code="name-type")
        if self.system is not None and not _is_name(self.system):
            message = f"Rows were excluded of the system {self.system!r}; name it, or pass None."
            raise CountsError(message, code="name-type")
        object.__setattr__(self, "rows", whole(self.rows, f"The exclusion {self.reason!r}"))

    def __str__(self) -> str:
        of = f" of {self.system}" if self.system else ""
        return f"{self.rows} row{'s' if self.rows != 1 else ''}{of} left out: {self.reason}"


def merge_exclusions(*several: Iterable[Exclusion]) -> tuple[Exclusion, ...]:
    """Add up exclusions by reason and system; the order of the parts never matters.

    Examples
    --------
    >>> some, more = Exclusion(reason="no truth", rows=3), Exclusion(reason="no truth", rows=2)
    >>> print(*merge_exclusions([some], [more]))
    5 rows left out: no truth
    """
    rows: dict[tuple[str, str], int] = {}
    for exclusion in (one for exclusions in several for one in exclusions):
        key = (exclusion.reason, exclusion.system or "")
        rows[key] = rows.get(key, 0) + exclusion.rows
    return tuple(
        Exclusion(reason=reason, rows=count, system=system or None)
        for (reason, system), count in sorted(rows.items())
        if count
    )


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value)

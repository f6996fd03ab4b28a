"""A table as it came, with what is known about where it came from."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from steelyard.counts.exclusions import Exclusion
from steelyard.engines.local import LocalTable
from steelyard.engines.table import Table
from steelyard.errors import RolesUnclear, SourceError, listing, printable

__all__ = ["KEEP_BYTES", "Decimal", "InputFile", "Origin", "refuse_repeated_columns"]

Decimal = Literal[".", ","]

KEEP_BYTES = 1 << 27
"""A file without types is held in memory up to this size (128 MiB), else rewritten to disk once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InputFile:
    """One file behind an origin: its base name only, never its folder.

    What lies elsewhere and is read in place (a lake, a database) has no path, but a ``size``.
    """

    name: str
    path: Path | None
    read_as: str
    size: int = 0

    @property
    def bytes(self) -> int:
        """Size of the file."""
        return self.size if self.path is None else self.path.stat().st_size

    def sha256(self) -> str:
        """Digest of the bytes, so that a result can be traced to its input; empty elsewhere."""
        if self.path is None:
            return ""
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Rows with their own column names and nothing changed.

    ``text`` says that every column is text because the format has no types (CSV, JSON lines), so
    that kinds are established by looking at all values, never at a sample. ``present`` names, for
    tables gathered from several files or from long rows, the column that tells whether a system
    had a row for the item. ``numbered`` says that the first row of the table is row 1 of the file,
    so that a row can be shown by its number. ``partitions`` names columns that the folders of the
    files gave: they may have a role, and are no systems. ``excluded`` names rows that are no
    longer there, ``caveats`` what an answer made from these rows has to say.
    """

    name: str
    table: Table
    text: bool = False
    decimal: Decimal | None = None
    delimiter: str | None = None
    files: tuple[InputFile, ...] = ()
    unnamed: tuple[str, ...] = ()
    partitions: tuple[str, ...] = ()
    present: Mapping[str, str] = field(default_factory=dict)
    numbered: bool = True
    excluded: tuple[Exclusion, ...] = ()
    notes: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """Column names in their order."""
        return tuple(self.table.columns)

    def local_name(self) -> str:
        """Name the table for statements that speak of several tables at once."""
        if isinstance(self.table, LocalTable):
            return self.table.name
        message = (
            f"{printable(self.name)}: frames of a cluster are not joined here. Join them by item "
            "in Spark, and hand in one frame with a column for each system."
        )
        raise SourceError(message, code="not-local")

    def derived(self, sql: str, *, keep: bool = False) -> "Origin":
        """Give the same origin with other rows; ``{t}`` in the SQL is its present table."""
        return replace(self, table=self.table.derive(sql, keep=keep))


def refuse_repeated_columns(name: str, columns: Sequence[str]) -> None:
    """Refuse two columns of one name; engines tell names apart by more than their case."""
    seen: dict[bytes, list[str]] = {}
    for column in columns:
        # Engines fold the case of ASCII letters only, as bytes.lower does.
        seen.setdefault(column.encode("utf-8", "replace").lower(), []).append(column)
    twice = [names for names in seen.values() if len(names) > 1]
    if twice:
        shown = listing([" and ".join(repr(printable(one)) for one in names) for names in twice])
        message = (
            f"{printable(name)}: two columns have one name, or names that differ only by case: "
            f"{shown}. Give every column a name of its own; none is renamed behind your back."
        )
        raise RolesUnclear(message, code="duplicate-column")

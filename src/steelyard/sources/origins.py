"""A table as it came, with what is known about where it came from."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from steelyard.counts.exclusions import Exclusion
from steelyard.counts.labels import visible_name
from steelyard.engines.dialect import quote_name
from steelyard.engines.identity import FileIdentity
from steelyard.engines.local import LocalTable
from steelyard.engines.table import Table
from steelyard.errors import FileUnreadable, RolesUnclear, SourceError, listing, printable

__all__ = [
    "KEEP_BYTES",
    "Choose",
    "Decimal",
    "InputFile",
    "Origin",
    "all_columns",
    "refuse_repeated_columns",
    "select",
]

Decimal = Literal[".", ","]

Choose = Callable[[Sequence[str]], Sequence[str]]
"""Gives, of the columns of a table, those that a question asks for, in their order."""

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
    identity: FileIdentity | None = None

    @property
    def bytes(self) -> int:
        """Size of the file."""
        if self.identity is not None:
            return self.identity.size
        return self.size if self.path is None else self.path.stat().st_size

    def sha256(self) -> str:
        """Digest of the bytes that were counted, to trace a result to its input; empty elsewhere.

        Refused when the file is no longer the one that was opened: the digest is taken after
        counting, and the file is the same before it was read and after it was digested.
        """
        if self.path is None:
            return ""
        self.refuse_change()
        with self.path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        self.refuse_change()
        return digest

    def refuse_change(self) -> None:
        """Refuse a file that was rewritten, replaced or removed since it was opened."""
        if self.path is None or self.identity is None:
            return
        if not self.identity.still(self.path):
            raise FileUnreadable.for_change(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Rows with their own column names and nothing changed.

    ``text`` says that every column is text because the format has no types (CSV, JSON lines), so
    that kinds are established by looking at all values, never at a sample. ``present`` names, for
    tables gathered from several files or from long rows, the column that tells whether a system
    had a row for the item. ``numbered`` says that the first row of the table is row 1 of the file,
    so that a row can be shown by its number. ``unread`` names columns that the file has and the
    question does not ask for. ``repeated`` are names that several columns have; these go by their
    places and are not used. ``partitions`` names columns that the folders of the files gave: they
    may have a role, and are no systems. ``carries`` names roles whose columns were laid out here
    under their names. ``excluded`` names rows that are no longer there, ``caveats`` what an answer
    made from these rows has to say.
    """

    name: str
    table: Table
    text: bool = False
    decimal: Decimal | None = None
    delimiter: str | None = None
    files: tuple[InputFile, ...] = ()
    unread: tuple[str, ...] = ()
    unnamed: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()
    partitions: tuple[str, ...] = ()
    present: Mapping[str, str] = field(default_factory=dict)
    numbered: bool = True
    carries: tuple[str, ...] = ()
    excluded: tuple[Exclusion, ...] = ()
    notes: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns that were read, in their order."""
        return tuple(self.table.columns)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all columns that there are, those that were not read last."""
        return (*self.columns, *self.unread)

    def local_name(self) -> str:
        """Name the table for statements about several tables at once."""
        if isinstance(self.table, LocalTable):
            return self.table.name
        message = (
            f"{printable(self.name)}: frames of a cluster are not joined here. Join them by item "
            "in Spark, and hand in one frame with a column for each system."
        )
        raise SourceError(message, code="not-local")

    def derive(self, sql: str, *, keep: bool = False) -> "Origin":
        """Give the same origin with other rows; ``{t}`` in the SQL is its present table."""
        return replace(self, table=self.table.derive(sql, keep=keep))


def all_columns(names: Sequence[str]) -> Sequence[str]:
    """Ask for every column."""
    return names


def select(names: Sequence[str]) -> str:
    """Write the columns for a statement.

    >>> select(["id", "my model"])
    '"id", "my model"'
    """
    return ", ".join(quote_name(name) for name in names)


def refuse_repeated_columns(name: str, columns: Sequence[str]) -> None:
    """Refuse two columns of one name; engines tell names apart by more than their case."""
    seen: dict[bytes, list[str]] = {}
    for column in columns:
        try:
            # Engines fold the case of ASCII letters only, as bytes.lower does.
            seen.setdefault(visible_name(column).encode().lower(), []).append(column)
        except UnicodeEncodeError:
            message = (
                f"{printable(name)}: the name of a column, {column!r}, holds half a character, "
                "which no file or page can show. Give it another name."
            )
            raise RolesUnclear(message, code="column-name") from None
    twice = [names for names in seen.values() if len(names) > 1]
    if twice:
        unseen = any(len({visible_name(one) for one in names}) < len({*names}) for names in twice)
        show = ascii if unseen else (lambda one: repr(printable(one)))
        shown = listing([" and ".join(show(one) for one in names) for names in twice])
        message = (
            f"{printable(name)}: two columns have one name, or names that differ only by "
            f"{'marks that nobody sees' if unseen else 'case'}: {shown}. Give every column a name "
            "of its own; none is renamed behind your back."
        )
        raise RolesUnclear(message, code="duplicate-column")

"""Entries of a ledger, each sealed with the hash of the one before."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal, NamedTuple, TypeAlias

from steelyard.campaigns.protocol import canonical

__all__ = ["START", "Entry", "EntryKind", "ResultRow", "digest_of", "is_sealed", "sealed"]

EntryKind: TypeAlias = Literal["protocol", "results", "correction", "drop", "close"]

START = "0" * 64
"""What stands before the first entry."""


class ResultRow(NamedTuple):
    """One system's outcome on one item; ``replaces`` is the entry it corrects, 0 for none."""

    item: str
    system: int
    right: bool
    replaces: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry: its place, what it is, its key, what it says, and its seal.

    ``body`` and ``reading`` are canonical JSON: what was recorded, and how the campaign stood
    after it. ``recorded`` is the clock of the writer, for people; nothing is ordered by it.
    """

    seq: int
    kind: EntryKind
    key: str
    body: str
    reading: str
    recorded: str
    previous: str
    hash: str = ""


def digest_of(rows: Iterable[ResultRow]) -> str:
    """Hash the results of a batch in their order.

    >>> digest_of([ResultRow("a", 0, True)])[:8]
    '711e0478'
    """
    told = sha256()
    for row in rows:
        told.update(canonical([row.item, row.system, int(row.right), row.replaces]).encode())
        told.update(b"\n")
    return told.hexdigest()


def sealed(entry: Entry, *, protocol_hash: str) -> str:
    """Hash an entry together with the hash before it and the protocol it stands under."""
    return sha256(
        canonical(
            [
                protocol_hash,
                entry.previous,
                entry.seq,
                entry.kind,
                entry.key,
                entry.body,
                entry.reading,
                entry.recorded,
            ]
        ).encode()
    ).hexdigest()


def is_sealed(entry: Entry, *, protocol_hash: str) -> bool:
    """Tell whether an entry is what was written; a damaged file may hold bytes where text was."""
    try:
        return sealed(entry, protocol_hash=protocol_hash) == entry.hash
    except TypeError:
        return False

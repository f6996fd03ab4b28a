"""What a ledger holds and hands over; each entry is sealed with the hash of the one before."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal, NamedTuple, TypeAlias

from steelyard.campaigns.protocol import Protocol, canonical

__all__ = [
    "START",
    "Draft",
    "Entry",
    "EntryKind",
    "Known",
    "Receipt",
    "ResultRow",
    "Stored",
    "Totals",
    "digest_of",
    "is_intact",
    "seal",
]

EntryKind: TypeAlias = Literal["protocol", "results", "correction", "drop", "close"]

START = "0" * 64
"""What stands before the first entry."""


class ResultRow(NamedTuple):
    """One system's outcome on one item; ``replaces`` is the entry it corrects, 0 for none.

    ``right`` is the number itself in a campaign of numbers.
    """

    item: str
    system: int
    right: bool | float
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


class Known(NamedTuple):
    """What is known of an item: masks of who answered and who was right, and the entry it counts.

    ``counted`` is 0 as long as the item waits for answers.
    """

    tested: int = 0
    correct: int = 0
    counted: int = 0


class Totals(NamedTuple):
    """Sums over a ledger: its results, the right ones (or the numbers), its items, their masks."""

    results: int
    right: float
    items: int
    tested: int
    correct: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A campaign as it stands: its protocol, its last entry and the cache of its state.

    ``last`` is the entry at ``head``, which seals the state; None where it is missing.
    """

    id: int
    name: str
    protocol: Protocol
    head: int
    head_hash: str
    state: str
    last: Entry | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What an append came to; ``repeated`` when the same batch was there before."""

    seq: int
    hash: str
    results: int
    repeated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An entry to be written: what it says, how the campaign stands after it, and its results."""

    body: str
    reading: str
    state: str
    rows: Sequence[ResultRow] = ()
    items: Mapping[str, Known] | None = None


def digest_of(rows: Iterable[ResultRow]) -> str:
    """Hash the results of a batch in their order.

    >>> digest_of([ResultRow("a", 0, True)])[:8]
    '711e0478'
    """
    digest = sha256()
    for row in rows:
        right = row.right if isinstance(row.right, float) else int(row.right)
        digest.update(canonical([row.item, row.system, right, row.replaces]).encode())
        digest.update(b"\n")
    return digest.hexdigest()


def seal(entry: Entry, *, protocol_hash: str) -> str:
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


def is_intact(entry: Entry, *, protocol_hash: str) -> bool:
    """Tell whether an entry is what was written; a damaged file may hold bytes where text was."""
    try:
        return seal(entry, protocol_hash=protocol_hash) == entry.hash
    except TypeError:
        return False

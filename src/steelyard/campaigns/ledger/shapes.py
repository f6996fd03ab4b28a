"""What a ledger hands over: a campaign as it stands, what is known of items, drafts, receipts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from steelyard.campaigns.ledger.chain import Entry, ResultRow
from steelyard.campaigns.protocol import Protocol

__all__ = ["Draft", "Known", "Receipt", "Stored", "Totals"]


class Known(NamedTuple):
    """What is known of an item: masks of who answered and who was right, and the entry it counts.

    ``counted`` is 0 as long as the item waits for answers.
    """

    tested: int = 0
    correct: int = 0
    counted: int = 0


class Totals(NamedTuple):
    """Sums over a ledger: its results, the right ones, its items, and the masks of all items."""

    results: int
    right: int
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

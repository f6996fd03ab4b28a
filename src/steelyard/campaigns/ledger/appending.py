"""Writing within one transaction: a protocol, or one whole entry with its results."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from steelyard.campaigns.ledger.chain import START, Entry, EntryKind, sealed
from steelyard.campaigns.ledger.shapes import Draft, Known, Receipt, Stored
from steelyard.campaigns.ledger.tables import campaigns, entries, items, results
from steelyard.campaigns.protocol import Protocol

__all__ = ["write_entry", "write_protocol"]


def write_protocol(
    connection: sa.Connection, name: str, protocol: Protocol, *, reading: str, state: str
) -> Receipt:
    """Write a campaign with its protocol as the first entry."""
    first = _seal(
        Entry(
            seq=0,
            kind="protocol",
            key=protocol.hash,
            body=protocol.text,
            reading=reading,
            recorded=_now(),
            previous=START,
        ),
        protocol.hash,
    )
    made = connection.execute(
        campaigns.insert().values(
            name=name,
            protocol=protocol.text,
            protocol_hash=protocol.hash,
            head=0,
            head_hash=first.hash,
            state=state,
        )
    )
    key = made.inserted_primary_key
    assert key is not None
    connection.execute(entries.insert().values(campaign=key[0], **_columns(first)))
    return Receipt(seq=0, hash=first.hash, results=0)


def write_entry(
    connection: sa.Connection, stored: Stored, kind: EntryKind, key: str, made: Draft
) -> Receipt:
    """Write an entry after the last one, with its results, and bring the caches up to date."""
    entry = _seal(
        Entry(
            seq=stored.head + 1,
            kind=kind,
            key=key,
            body=made.body,
            reading=made.reading,
            recorded=_now(),
            previous=stored.head_hash,
        ),
        stored.protocol.hash,
    )
    connection.execute(entries.insert().values(campaign=stored.id, **_columns(entry)))
    if made.rows:
        connection.execute(
            results.insert(),
            [
                {
                    "campaign": stored.id,
                    "item": row.item,
                    "system": row.system,
                    "replaces": row.replaces,
                    "correct": int(row.right),
                    "seq": entry.seq,
                    "place": place,
                }
                for place, row in enumerate(made.rows)
            ],
        )
    if made.items:
        _remember(connection, stored.id, made.items)
    connection.execute(
        campaigns.update()
        .where(campaigns.c.id == stored.id)
        .values(head=entry.seq, head_hash=entry.hash, state=made.state)
    )
    return Receipt(seq=entry.seq, hash=entry.hash, results=len(made.rows))


def _remember(connection: sa.Connection, campaign: int, known: Mapping[str, Known]) -> None:
    """Bring the cache of items up to date."""
    from sqlalchemy.dialects import postgresql, sqlite

    dialect: Any = postgresql if connection.dialect.name == "postgresql" else sqlite
    given = dialect.insert(items)
    update = given.on_conflict_do_update(
        index_elements=["campaign", "item"],
        set_={name: given.excluded[name] for name in ("tested", "correct", "counted")},
    )
    rows = [{"campaign": campaign, "item": name, **one._asdict()} for name, one in known.items()]
    connection.execute(update, rows)


def _seal(entry: Entry, protocol_hash: str) -> Entry:
    return replace(entry, hash=sealed(entry, protocol_hash=protocol_hash))


def _columns(entry: Entry) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in Entry.__slots__}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

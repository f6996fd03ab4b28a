"""What is asked of the database and written to it, inside a transaction of the caller."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from steelyard.campaigns.ledger.database_errors import refuse_broken, refuse_protocol
from steelyard.campaigns.ledger.records import (
    START,
    Draft,
    Entry,
    EntryKind,
    Known,
    Receipt,
    ResultRow,
    Stored,
    Totals,
    seal,
)
from steelyard.campaigns.ledger.tables import campaigns, entries, items, refuse_newer, results
from steelyard.campaigns.protocol import Protocol
from steelyard.errors import LedgerError, listing

__all__ = ["CampaignView", "read_names", "read_standing", "write_entry", "write_protocol"]

CHUNK = 400
"""Items looked up at a time; below the number of variables that every database allows."""
HALF = 31
LOW = (1 << HALF) - 1
"""Masks are summed in two halves, so that no sum outgrows the whole numbers of a database."""
BY_NAME = sa.select(campaigns).where(campaigns.c.name == sa.bindparam("name"))
BY_NAME_LOCKED = BY_NAME.with_for_update()
KNOWN = (items.c.item, items.c.tested, items.c.correct, items.c.counted)


class CampaignView:
    """One campaign as a transaction sees it."""

    def __init__(self, connection: sa.Connection, stored: Stored) -> None:
        self.connection = connection
        self.stored = stored

    def entries(self, places: Sequence[int] | None = None) -> list[Entry]:
        """Read entries in their order: all, or those at some places."""
        chosen = sa.select(entries).where(entries.c.campaign == self.stored.id)
        if places is not None:
            chosen = chosen.where(entries.c.seq.in_(places))
        return _read_entries(self.connection, chosen)

    def entry_of(self, key: str) -> Entry | None:
        """Find the entry that was written under a key."""
        chosen = sa.select(entries).where(
            entries.c.campaign == self.stored.id, entries.c.key == key
        )
        return next(iter(_read_entries(self.connection, chosen)), None)

    def rows(self, until: int | None = None) -> dict[int, list[ResultRow]]:
        """Read results in their order, by entry: all, or those up to some entry."""
        c = results.c
        chosen = sa.select(c.seq, c.item, c.system, c.correct, c.replaces)
        chosen = chosen.where(c.campaign == self.stored.id).order_by(c.seq, c.place)
        if until is not None:
            chosen = chosen.where(c.seq <= until)
        kind = bool if self.stored.protocol.numbers is None else float
        found: dict[int, list[ResultRow]] = {}
        for seq, item, system, correct, replaces in self.connection.execute(
            chosen.execution_options(yield_per=10_000)
        ):
            found.setdefault(seq, []).append(ResultRow(item, system, kind(correct), replaces))
        return found

    def values(self, names: Sequence[str]) -> dict[str, dict[int, float]]:
        """Look up the numbers of some items, by system: the last word on each."""
        c = results.c
        chosen = sa.select(c.item, c.system, c.correct).order_by(c.seq)
        chosen = chosen.where(c.campaign == self.stored.id)
        found: dict[str, dict[int, float]] = {}
        for start in range(0, len(names), CHUNK):
            part = chosen.where(c.item.in_(names[start : start + CHUNK]))
            for item, system, value in self.connection.execute(part):
                found.setdefault(item, {})[system] = float(value)
        return found

    def find_items(self, names: Sequence[str]) -> dict[str, Known]:
        """Look up what is known of some items."""
        chosen = sa.select(*KNOWN).where(items.c.campaign == self.stored.id)
        found: dict[str, Known] = {}
        for start in range(0, len(names), CHUNK):
            part = chosen.where(items.c.item.in_(names[start : start + CHUNK]))
            found |= _read_known(self.connection, part)
        return found

    def read_items(self) -> dict[str, Known]:
        """Read the whole cache of items."""
        chosen = sa.select(*KNOWN).where(items.c.campaign == self.stored.id)
        return _read_known(self.connection, chosen)

    def waiting(self, most: int | None = None) -> dict[str, Known]:
        """List items that do not count yet."""
        chosen = sa.select(*KNOWN).where(items.c.campaign == self.stored.id, items.c.counted == 0)
        return _read_known(self.connection, chosen.order_by(items.c.item).limit(most))

    def latest(self, names: Sequence[str]) -> dict[tuple[str, int], int]:
        """Find the entry that holds the last word on each item and system."""
        c = results.c
        chosen = sa.select(c.item, c.system, sa.func.max(c.seq)).group_by(c.item, c.system)
        chosen = chosen.where(c.campaign == self.stored.id)
        found: dict[tuple[str, int], int] = {}
        for start in range(0, len(names), CHUNK):
            part = chosen.where(c.item.in_(names[start : start + CHUNK]))
            found |= {(name, system): seq for name, system, seq in self.connection.execute(part)}
        return found

    def totals(self) -> Totals:
        """Sum up the results, corrections in their places, and the list of items beside them."""
        c = items.c
        up = sa.literal(HALF, sa.Integer)
        masks = (c.tested, c.correct)
        halves = [part for mask in masks for part in (mask.op("&")(LOW), mask.op(">>")(up))]
        chosen = sa.select(sa.func.count(), *(sa.func.sum(part) for part in halves))
        listed, *sums = self.connection.execute(chosen.where(c.campaign == self.stored.id)).one()
        low, high, right_low, right_high = (int(number or 0) for number in sums)
        return Totals(
            *self._result_totals(),
            items=int(listed),
            tested=low + (high << HALF),
            correct=right_low + (right_high << HALF),
        )

    def _result_totals(self) -> tuple[int, float]:
        c = results.c
        ours = c.campaign == self.stored.id
        first = sa.case((c.replaces == 0, 1), else_=0)
        sums = sa.select(sa.func.count(), sa.func.sum(first), sa.func.sum(first * c.correct))
        rows, tested, right = self.connection.execute(sums.where(ours)).one()
        if rows == tested:
            return int(rows), float(right or 0)
        before = results.alias()
        same = [before.c[name] == c[name] for name in ("campaign", "item", "system")]
        changed = sa.select(sa.func.sum(c.correct - before.c.correct)).where(
            ours, c.replaces != 0, before.c.seq == c.replaces, *same
        )
        more = self.connection.execute(changed).scalar()
        return int(tested or 0), float(right or 0) + float(more or 0)


def _read_entries(connection: sa.Connection, chosen: sa.Select[Any]) -> list[Entry]:
    found = connection.execute(chosen.order_by(entries.c.seq))
    return [Entry(**{name: getattr(row, name) for name in Entry.__slots__}) for row in found]


def _read_known(connection: sa.Connection, chosen: sa.Select[Any]) -> dict[str, Known]:
    return {name: Known(*rest) for name, *rest in connection.execute(chosen)}


def read_names(connection: sa.Connection, where: str) -> list[str]:
    """List the campaigns."""
    if not sa.inspect(connection).has_table(campaigns.name):
        return []
    refuse_newer(connection)
    chosen = sa.select(campaigns.c.name).order_by(campaigns.c.id)
    return [_check_text(name, where) for name in connection.execute(chosen).scalars()]


def read_standing(
    connection: sa.Connection, name: str, where: str, *, lock: bool = False
) -> Stored:
    """Read how a campaign stands; ``lock`` keeps other writers out until the end."""
    try:
        refuse_newer(connection)
    except (sa.exc.OperationalError, sa.exc.ProgrammingError) as error:
        if sa.inspect(connection.engine).has_table(campaigns.name):
            raise
        message = f"{where} holds no ledger. Start one: steelyard campaign new {where} ..."
        raise LedgerError(message, code="no-ledger") from error
    found = connection.execute(BY_NAME_LOCKED if lock else BY_NAME, {"name": name}).first()
    if found is None:
        known = connection.execute(sa.select(campaigns.c.name)).scalars().all()
        message = f"No campaign {name!r} in {where}. Campaigns: {listing(known) or 'none'}."
        raise LedgerError(message, code="no-campaign")
    protocol = Protocol.from_text(_check_text(found.protocol, where))
    if protocol.hash != found.protocol_hash:
        raise LedgerError(refuse_protocol(name), code="protocol-changed")
    stored = Stored(
        id=found.id,
        name=found.name,
        protocol=protocol,
        head=_check_place(found.head, where),
        head_hash=_check_text(found.head_hash, where),
        state=_check_text(found.state, where),
    )
    return replace(
        stored, last=next(iter(CampaignView(connection, stored).entries([stored.head])), None)
    )


def _check_text(value: object, where: str) -> str:
    """Refuse what is not text any more: files do not keep to the types of their columns."""
    if isinstance(value, str):
        return value
    raise LedgerError(refuse_broken(where), code="damaged")


def _check_place(value: object, where: str) -> int:
    if isinstance(value, int) and value >= 0:
        return value
    raise LedgerError(refuse_broken(where), code="damaged")


def write_protocol(
    connection: sa.Connection, name: str, protocol: Protocol, *, reading: str, state: str
) -> Receipt:
    """Write a campaign with its protocol as the first entry."""
    first = _seal_entry(
        protocol,
        kind="protocol",
        key=protocol.hash,
        seq=0,
        body=protocol.text,
        reading=reading,
        previous=START,
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
    connection.execute(entries.insert().values(campaign=key[0], **asdict(first)))
    return Receipt(seq=0, hash=first.hash, results=0)


def write_entry(
    connection: sa.Connection, stored: Stored, kind: EntryKind, key: str, draft: Draft
) -> Stored | None:
    """Write the entry that was folded from ``stored``, and give what is stored then.

    None where another entry came first.

    The head moves in one statement and only from where it was: of two writers that folded from
    the same entry, one finds it moved.
    """
    refuse_newer(connection)
    entry = _seal_entry(
        stored.protocol,
        kind=kind,
        key=key,
        seq=stored.head + 1,
        body=draft.body,
        reading=draft.reading,
        previous=stored.head_hash,
    )
    c = campaigns.c
    moved = connection.execute(
        campaigns.update()
        .where(c.id == stored.id, c.head == stored.head, c.head_hash == stored.head_hash)
        .values(head=entry.seq, head_hash=entry.hash, state=draft.state)
    )
    if moved.rowcount != 1:
        return None
    connection.execute(entries.insert().values(campaign=stored.id, **asdict(entry)))
    if draft.rows:
        connection.execute(
            results.insert(),
            [
                {
                    "campaign": stored.id,
                    "item": row.item,
                    "system": row.system,
                    "replaces": row.replaces,
                    "correct": row.right if isinstance(row.right, float) else int(row.right),
                    "seq": entry.seq,
                    "place": place,
                }
                for place, row in enumerate(draft.rows)
            ],
        )
    if draft.items:
        _remember(connection, stored.id, draft.items)
    return replace(stored, head=entry.seq, head_hash=entry.hash, state=draft.state, last=entry)


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


def _seal_entry(protocol: Protocol, **content: Any) -> Entry:  # noqa: ANN401
    entry = Entry(recorded=_now(), **content)
    return replace(entry, hash=seal(entry, protocol_hash=protocol.hash))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

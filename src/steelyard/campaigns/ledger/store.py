"""The ledger itself: campaigns, entries and results, appended one whole batch at a time."""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa

from steelyard.campaigns.ledger.chain import (
    START,
    Entry,
    EntryKind,
    ResultRow,
    is_sealed,
    sealed,
)
from steelyard.campaigns.ledger.connecting import connect, shown
from steelyard.campaigns.ledger.tables import campaigns, entries, items, migrate, results
from steelyard.campaigns.ledger.troubles import explained, passing
from steelyard.campaigns.protocol import Protocol
from steelyard.errors import LedgerError, listing

__all__ = ["PATIENCE", "Known", "Ledger", "Receipt", "Stored", "Writing"]

Made = TypeVar("Made")

CHUNK = 400
"""Items looked up at a time; below the number of variables that every database allows."""

PATIENCE = 60.0
"""Seconds during which trouble that may pass is waited out."""
READING = 5.0
"""So long a reader waits, in seconds, for a server that is being restarted."""

REPEATS = 5

TROUBLES = (sa.exc.SQLAlchemyError, UnicodeDecodeError)
"""What a database complains with; text that is none comes from a damaged file."""


class Known(NamedTuple):
    """What is known of an item: masks of who answered and who was right, and the entry it counts.

    ``counted`` is 0 as long as the item waits for answers.
    """

    tested: int = 0
    correct: int = 0
    counted: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A campaign as it stands: its protocol, its last entry and the cache of its state."""

    id: int
    name: str
    protocol: Protocol
    head: int
    head_hash: str
    state: str


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


class Writing:
    """The campaign as seen from inside the transaction that will append to it."""

    def __init__(self, connection: sa.Connection, stored: Stored) -> None:
        self.connection = connection
        self.stored = stored

    @property
    def seq(self) -> int:
        """The place of the entry to come."""
        return self.stored.head + 1

    def known(self, names: Sequence[str]) -> dict[str, Known]:
        """Look up what is known of some items."""
        found: dict[str, Known] = {}
        for start in range(0, len(names), CHUNK):
            chosen = sa.select(items.c.item, items.c.tested, items.c.correct, items.c.counted)
            chosen = chosen.where(
                items.c.campaign == self.stored.id, items.c.item.in_(names[start : start + CHUNK])
            )
            for name, *rest in self.connection.execute(chosen):
                found[name] = Known(*rest)
        return found

    def latest(self, names: Sequence[str]) -> dict[tuple[str, int], int]:
        """Find the entry that holds the last word on each item and system."""
        found: dict[tuple[str, int], int] = {}
        for start in range(0, len(names), CHUNK):
            chosen = sa.select(results.c.item, results.c.system, sa.func.max(results.c.seq))
            chosen = chosen.where(
                results.c.campaign == self.stored.id,
                results.c.item.in_(names[start : start + CHUNK]),
            ).group_by(results.c.item, results.c.system)
            for name, system, seq in self.connection.execute(chosen):
                found[name, system] = seq
        return found

    def entries(self) -> list[Entry]:
        """Read all entries in their order."""
        return _entries(self.connection, self.stored.id)

    def results(self) -> Iterator[tuple[int, ResultRow]]:
        """Read all results in their order, each with its entry."""
        return _results(self.connection, self.stored.id)

    def waiting(self, most: int | None = None) -> dict[str, Known]:
        """List items that do not count yet."""
        return _waiting(self.connection, self.stored.id, most)

    def all_known(self) -> dict[str, Known]:
        """Read the whole cache of items."""
        c = items.c
        chosen = sa.select(c.item, c.tested, c.correct, c.counted)
        found = self.connection.execute(chosen.where(c.campaign == self.stored.id))
        return {name: Known(*rest) for name, *rest in found}


class Ledger:
    """All campaigns of one database.

    Every method is a transaction of its own, and may be called from many processes at once.
    """

    def __init__(self, where: str, *, create: bool = False) -> None:
        self.where = shown(where)
        self.engine = connect(where, create=create)
        if create:
            self._writing(lambda connection: migrate(connection))

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()

    def names(self) -> list[str]:
        """List the campaigns."""
        with self._reading() as connection:
            if not sa.inspect(connection).has_table(campaigns.name):
                return []
            chosen = sa.select(campaigns.c.name).order_by(campaigns.c.id)
            return [_text(name, self.where) for name in connection.execute(chosen).scalars()]

    def create(self, name: str, protocol: Protocol, *, reading: str, state: str) -> Receipt:
        """Freeze a protocol as the first entry; the same protocol again changes nothing."""

        def write(connection: sa.Connection) -> Receipt:
            there = connection.execute(
                sa.select(campaigns.c.protocol_hash, campaigns.c.head_hash).where(
                    campaigns.c.name == name
                )
            ).first()
            if there is not None:
                if there.protocol_hash != protocol.hash:
                    raise LedgerError(_changed(name), code="protocol-changed")
                return Receipt(seq=0, hash=there.head_hash, results=0, repeated=True)
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

        return self._writing(write)

    def read(self, name: str, *, patience: float = READING) -> Stored:
        """Read how a campaign stands; ``patience`` is for a server that is being restarted."""
        return self._looking(
            lambda connection: _stored(connection, name, self.where), patience=patience
        )

    def entries(self, name: str, *, places: Sequence[int] | None = None) -> list[Entry]:
        """Read entries in their order: all, or those at some places."""

        def look(connection: sa.Connection) -> tuple[Stored, list[Entry]]:
            stored = _stored(connection, name, self.where)
            return stored, _entries(connection, stored.id, places)

        stored, found = self._looking(look)
        for entry in found:
            if not is_sealed(entry, protocol_hash=stored.protocol.hash):
                raise LedgerError(_broken(self.where), code="damaged")
        return found

    def waiting(self, name: str, *, most: int | None = None) -> dict[str, Known]:
        """List items that some running system has not answered yet."""

        def look(connection: sa.Connection) -> dict[str, Known]:
            return _waiting(connection, _stored(connection, name, self.where).id, most)

        return self._looking(look)

    @contextmanager
    def everything(self, name: str) -> Iterator[Writing]:
        """See a campaign as one moment left it: all entries and results agree."""
        with self._reading() as connection:
            yield Writing(connection, _stored(connection, name, self.where))

    def append(
        self,
        name: str,
        kind: EntryKind,
        *,
        key: str,
        digest: str,
        draft: Callable[[Writing], Draft],
    ) -> Receipt:
        """Append one entry, whole or not at all; a key that is there already changes nothing.

        ``draft`` is called inside the transaction, and again when another writer was first. Under
        one key stands one content, by its ``digest``.
        """

        def write(connection: sa.Connection) -> Receipt:
            stored = _stored(connection, name, self.where, lock=True)
            before = connection.execute(
                sa.select(entries.c.seq, entries.c.hash, entries.c.body).where(
                    entries.c.campaign == stored.id, entries.c.key == key
                )
            ).first()
            if before is not None:
                if json.loads(before.body).get("digest") != digest:
                    raise LedgerError(_reused(key, before.seq), code="key-reused")
                return Receipt(seq=before.seq, hash=before.hash, results=0, repeated=True)
            made = draft(Writing(connection, stored))
            return _written(connection, stored, kind, key, made)

        return self._writing(write)

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        try:
            with self._moment() as connection:
                yield connection
        except TROUBLES as error:
            raise explained(error, self.where) from error

    @contextmanager
    def _moment(self) -> Iterator[sa.Connection]:
        with self.engine.connect() as connection:
            if connection.dialect.name == "postgresql":  # one moment for all statements
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection

    def _looking(self, look: Callable[[sa.Connection], Made], *, patience: float = READING) -> Made:
        """Read something small, and again while trouble is of the kind that passes."""

        def once() -> Made:
            with self._moment() as connection:
                return look(connection)

        return self._patiently(once, patience=patience)

    def _writing(self, write: Callable[[sa.Connection], Made]) -> Made:
        """Run a transaction, and again while trouble is of the kind that passes."""

        def once() -> Made:
            with (
                self.engine.connect().execution_options(writes=True) as connection,
                connection.begin(),
            ):
                return write(connection)

        return self._patiently(once, patience=PATIENCE)

    def _patiently(self, once: Callable[[], Made], *, patience: float) -> Made:
        started = time.monotonic()
        for attempt in count():
            try:
                return once()
            except TROUBLES as error:
                spent = time.monotonic() - started
                hopeless = isinstance(error, sa.exc.IntegrityError) and attempt >= REPEATS
                if hopeless or not passing(error) or spent > patience:
                    raise explained(error, self.where) from error
                time.sleep(min(0.02 * 2 ** min(attempt, 6), 1.0))
        raise AssertionError  # pragma: no cover


def _written(
    connection: sa.Connection, stored: Stored, kind: EntryKind, key: str, made: Draft
) -> Receipt:
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


def _stored(connection: sa.Connection, name: str, where: str, *, lock: bool = False) -> Stored:
    if not sa.inspect(connection).has_table(campaigns.name):
        message = f"{where} holds no ledger. Start one: steelyard campaign new {where} ..."
        raise LedgerError(message, code="no-ledger")
    chosen = sa.select(campaigns).where(campaigns.c.name == name)
    found = connection.execute(chosen.with_for_update() if lock else chosen).first()
    if found is None:
        known = connection.execute(sa.select(campaigns.c.name)).scalars().all()
        message = f"No campaign {name!r} in {where}. Campaigns: {listing(known) or 'none'}."
        raise LedgerError(message, code="no-campaign")
    protocol = Protocol.from_text(_text(found.protocol, where))
    if protocol.hash != found.protocol_hash:
        raise LedgerError(_changed(name), code="protocol-changed")
    return Stored(
        id=found.id,
        name=found.name,
        protocol=protocol,
        head=_place(found.head, where),
        head_hash=_text(found.head_hash, where),
        state=_text(found.state, where),
    )


def _text(value: object, where: str) -> str:
    """Refuse what is no text any more: files do not keep to the types of their columns."""
    if isinstance(value, str):
        return value
    raise LedgerError(_broken(where), code="damaged")


def _place(value: object, where: str) -> int:
    if isinstance(value, int) and value >= 0:
        return value
    raise LedgerError(_broken(where), code="damaged")


def _broken(where: str) -> str:
    return (
        f"{where} is not what was written: it was changed or is damaged. Find the place with: "
        f"steelyard campaign verify {where}; then take it from a backup."
    )


def _entries(
    connection: sa.Connection, campaign: int, places: Sequence[int] | None = None
) -> list[Entry]:
    chosen = sa.select(entries).where(entries.c.campaign == campaign).order_by(entries.c.seq)
    if places is not None:
        chosen = chosen.where(entries.c.seq.in_(places))
    return [
        Entry(
            seq=row.seq,
            kind=row.kind,
            key=row.key,
            body=row.body,
            reading=row.reading,
            recorded=row.recorded,
            previous=row.previous,
            hash=row.hash,
        )
        for row in connection.execute(chosen)
    ]


def _results(connection: sa.Connection, campaign: int) -> Iterator[tuple[int, ResultRow]]:
    c = results.c
    chosen = sa.select(c.seq, c.item, c.system, c.correct, c.replaces).where(c.campaign == campaign)
    for seq, item, system, correct, replaces in connection.execute(
        chosen.order_by(c.seq, c.place).execution_options(yield_per=10_000)
    ):
        yield seq, ResultRow(item, system, bool(correct), replaces)


def _waiting(connection: sa.Connection, campaign: int, most: int | None) -> dict[str, Known]:
    c = items.c
    chosen = sa.select(c.item, c.tested, c.correct, c.counted).where(
        c.campaign == campaign, c.counted == 0
    )
    found = connection.execute(chosen.order_by(c.item).limit(most))
    return {name: Known(*rest) for name, *rest in found}


def _seal(entry: Entry, protocol_hash: str) -> Entry:
    return replace(entry, hash=sealed(entry, protocol_hash=protocol_hash))


def _columns(entry: Entry) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in Entry.__slots__}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _reused(key: str, seq: int) -> str:
    return (
        f"The key {key!r} was used for another batch (entry {seq}). A key stands for one batch, "
        "so that it can be sent again; give this one a key of its own: key='...' (--key ...)."
    )


def _changed(name: str) -> str:
    return (
        f"The protocol of the campaign {name!r} is frozen since before its first result, and this "
        "is another one. Start a new campaign under another name: name='...' (--name ...)."
    )

"""The ledger itself: all campaigns of one database, appended to one whole batch at a time."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import TypeVar

import sqlalchemy as sa

from steelyard.campaigns.ledger.appending import write_entry, write_protocol
from steelyard.campaigns.ledger.chain import Entry, EntryKind, is_sealed
from steelyard.campaigns.ledger.connecting import connect, file_of, shown
from steelyard.campaigns.ledger.database_errors import (
    broken,
    explained,
    key_reused,
    passing,
    protocol_changed,
)
from steelyard.campaigns.ledger.heads import entries_lost, note_head, note_of, noted_head
from steelyard.campaigns.ledger.reading import (
    Writing,
    read_entries,
    read_names,
    read_stored,
    read_totals,
    read_waiting,
)
from steelyard.campaigns.ledger.shapes import Draft, Known, Receipt, Stored, Totals
from steelyard.campaigns.ledger.tables import campaigns, entries, migrate, refuse_newer
from steelyard.campaigns.protocol import Protocol
from steelyard.errors import LedgerError

__all__ = ["PATIENCE", "Ledger"]

Made = TypeVar("Made")

PATIENCE = 60.0
"""Seconds during which trouble that may pass is waited out."""
READING = 5.0
"""So long a reader waits, in seconds, for a server that is being restarted."""

REPEATS = 5

TROUBLES = (sa.exc.SQLAlchemyError, UnicodeDecodeError)
"""What a database complains with; text that is none comes from a damaged file."""


class Ledger:
    """All campaigns of one database.

    Every method is a transaction of its own, and may be called from many processes at once.
    """

    def __init__(self, where: str, *, create: bool = False) -> None:
        self.where = shown(where)
        self.path = file_of(where)
        if create and self.path is not None and not self.path.exists():
            note_of(self.path).unlink(missing_ok=True)  # of a ledger that was here before
        self.engine = connect(where, create=create)
        if create:
            self._writing(lambda connection: migrate(connection))

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()

    def names(self) -> list[str]:
        """List the campaigns."""
        with self._reading() as connection:
            return read_names(connection, self.where)

    def create(self, name: str, protocol: Protocol, *, reading: str, state: str) -> Receipt:
        """Freeze a protocol as the first entry; the same protocol again changes nothing."""

        def write(connection: sa.Connection) -> Receipt:
            refuse_newer(connection)
            there = connection.execute(
                sa.select(campaigns.c.protocol_hash, campaigns.c.head_hash).where(
                    campaigns.c.name == name
                )
            ).first()
            if there is not None:
                if there.protocol_hash != protocol.hash:
                    raise LedgerError(protocol_changed(name), code="protocol-changed")
                return Receipt(seq=0, hash=there.head_hash, results=0, repeated=True)
            return write_protocol(connection, name, protocol, reading=reading, state=state)

        return self._noted(name, self._writing(write))

    def read(self, name: str, *, patience: float = READING) -> Stored:
        """Read how a campaign stands; ``patience`` is for a server that is being restarted."""
        return self._looking(lambda connection: self._stored(connection, name), patience=patience)

    def entries(self, name: str, *, places: Sequence[int] | None = None) -> list[Entry]:
        """Read entries in their order: all, or those at some places."""

        def look(connection: sa.Connection) -> tuple[Stored, list[Entry]]:
            stored = self._stored(connection, name)
            return stored, read_entries(connection, stored.id, places)

        stored, found = self._looking(look)
        for entry in found:
            if not is_sealed(entry, protocol_hash=stored.protocol.hash):
                raise LedgerError(broken(self.where), code="damaged")
        return found

    def waiting(self, name: str, *, most: int | None = None) -> dict[str, Known]:
        """List items that some running system has not answered yet."""

        def look(connection: sa.Connection) -> dict[str, Known]:
            return read_waiting(connection, self._stored(connection, name).id, most)

        return self._looking(look)

    def read_counted(self, name: str) -> tuple[Stored, Totals]:
        """Read how a campaign stands, with its results and its list of items summed up again."""

        def look(connection: sa.Connection) -> tuple[Stored, Totals]:
            stored = self._stored(connection, name)
            return stored, read_totals(connection, stored.id)

        return self._looking(look)

    @contextmanager
    def everything(self, name: str) -> Iterator[Writing]:
        """See a campaign as one moment left it: all entries and results agree."""
        with self._reading() as connection:
            yield Writing(connection, self._stored(connection, name))

    def append(
        self,
        name: str,
        kind: EntryKind,
        *,
        key: str | Callable[[Writing], str],
        digest: str,
        draft: Callable[[Writing], Draft],
    ) -> Receipt:
        """Append one entry, whole or not at all; a key that is there already changes nothing.

        ``draft`` is called inside the transaction, and again when another writer was first; so is
        a ``key`` that depends on what the ledger holds. Under one key stands one content, by its
        ``digest``.
        """

        def write(connection: sa.Connection) -> Receipt:
            stored = self._stored(connection, name, lock=True)
            writing = Writing(connection, stored)
            chosen = key if isinstance(key, str) else key(writing)
            before = connection.execute(
                sa.select(entries.c.seq, entries.c.hash, entries.c.body).where(
                    entries.c.campaign == stored.id, entries.c.key == chosen
                )
            ).first()
            if before is not None:
                if json.loads(before.body).get("digest") != digest:
                    raise LedgerError(key_reused(chosen, before.seq), code="key-reused")
                return Receipt(seq=before.seq, hash=before.hash, results=0, repeated=True)
            return write_entry(connection, stored, kind, chosen, draft(writing))

        return self._noted(name, self._writing(write))

    def _stored(self, connection: sa.Connection, name: str, *, lock: bool = False) -> Stored:
        """Read how a campaign stands, if all that was acknowledged is there."""
        # The note first: what it names was committed before, so that this transaction sees it.
        noted = -1 if self.path is None else noted_head(self.path, name)
        stored = read_stored(connection, name, self.where, lock=lock)
        if noted > stored.head and not read_entries(connection, stored.id, [noted]):
            raise LedgerError(entries_lost(str(self.path), stored, noted), code="entries-lost")
        return stored

    def _noted(self, name: str, receipt: Receipt) -> Receipt:
        if self.path is not None and not receipt.repeated:
            note_head(self.path, name, receipt)
        return receipt

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

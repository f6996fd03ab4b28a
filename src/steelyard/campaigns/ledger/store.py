"""The ledger itself: all campaigns of one database, appended to one whole batch at a time."""

import json
import os
import threading
import time
import weakref
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from steelyard.errors import ExtraMissing

try:
    import sqlalchemy as sa
except ImportError as error:
    what = "A campaign"
    raise ExtraMissing.for_module(what, "sqlalchemy") from error

from steelyard.campaigns.ledger.connecting import connect, file_of, hide_password
from steelyard.campaigns.ledger.database_errors import (
    explain_error,
    may_pass,
    refuse_broken,
    refuse_key,
    refuse_protocol,
)
from steelyard.campaigns.ledger.queries import (
    CampaignView,
    read_names,
    read_standing,
    write_entry,
    write_protocol,
)
from steelyard.campaigns.ledger.records import (
    Draft,
    Entry,
    EntryKind,
    Known,
    Receipt,
    Stored,
    is_intact,
)
from steelyard.campaigns.ledger.tables import campaigns, migrate, refuse_newer
from steelyard.campaigns.protocol import Protocol
from steelyard.errors import LedgerError, SteelyardError, printable

__all__ = ["PATIENCE", "Ledger", "note_of"]

Made = TypeVar("Made")
Inputs = TypeVar("Inputs")

PATIENCE = 60.0
"""Seconds during which trouble that may pass is waited out."""
READING = 5.0
"""So long a reader waits, in seconds, for a server that is being restarted."""

REPEATS = 5
RACES = 6
"""So often an entry is folded beside other writers; after that they wait while it is folded."""

TOGETHER = 64
LONGEST = 0.25
"""So many entries are written in one transaction, and so many seconds they are folded in it."""

DATABASE_ERRORS = (sa.exc.SQLAlchemyError, UnicodeDecodeError)
"""What a database complains with; text that is none comes from a damaged file."""


class Ledger:
    """All campaigns of one database, which many processes may use at once."""

    def __init__(self, where: str, *, create: bool = False) -> None:
        self.where = hide_password(where)
        self.path = file_of(where)
        if create and self.path is not None and not self.path.exists():
            note_of(self.path).unlink(missing_ok=True)  # of a ledger that was here before
        self.engine = connect(where, create=create)
        # A process that ends leaves a file without a log beside it, as it does for a closed one.
        weakref.finalize(self, self.engine.dispose)
        # Threads of one process take turns: two that fold from one entry waste the work of one.
        # Whose turn it is writes for all that wait, so that the disk is waited for once.
        self.turns: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self.queues: defaultdict[str, deque[_Turn]] = defaultdict(deque)
        if create:
            self._write(migrate)

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()

    def names(self) -> list[str]:
        """List the campaigns."""
        return self._read(lambda connection: read_names(connection, self.where), patience=0)

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
                    raise LedgerError(refuse_protocol(name), code="protocol-changed")
                return Receipt(seq=0, hash=there.head_hash, results=0, repeated=True)
            return write_protocol(connection, name, protocol, reading=reading, state=state)

        return self._note_receipt(name, self._write(write))

    def read(self, name: str, *, patience: float = READING) -> Stored:
        """Read how a campaign stands; ``patience`` is for a server that is being restarted."""
        return self.view(name, lambda view: view.stored, patience=patience)

    def entries(self, name: str, *, places: Sequence[int] | None = None) -> list[Entry]:
        """Read entries in their order: all, or those at some places."""
        stored, found = self.view(name, lambda view: (view.stored, view.entries(places)))
        sealing = stored.protocol.hash
        if not all(is_intact(entry, protocol_hash=sealing) for entry in found):
            raise LedgerError(refuse_broken(self.where), code="damaged")
        return found

    def waiting(self, name: str, *, most: int | None = None) -> dict[str, Known]:
        """List items that some running system has not answered yet."""
        return self.view(name, lambda view: view.waiting(most))

    def view(
        self, name: str, look: Callable[[CampaignView], Made], *, patience: float = READING
    ) -> Made:
        """Look at a campaign as one moment left it: all that is read agrees."""
        return self._read(
            lambda connection: look(CampaignView(connection, self._read_stored(connection, name))),
            patience=patience,
        )

    def append(
        self,
        name: str,
        kind: EntryKind,
        *,
        key: str | Callable[[CampaignView], str],
        digest: str,
        read: Callable[[CampaignView], Inputs],
        fold: Callable[[Inputs], Draft],
    ) -> Receipt:
        """Append one entry, whole or not at all; a key that is there already changes nothing.

        ``read`` takes what the entry follows from out of the ledger, ``fold`` works it out while
        no transaction is open, and it is written if the ledger still ends where it was read; else
        all is done again. Under one key stands one content, by its ``digest``.
        """
        begin = partial(_begin, key=key, digest=digest, read=read)
        mine = _Turn(kind, begin, fold)
        queue = self.queues[name]
        queue.append(mine)
        with self.turns[name]:
            while not mine.ended:
                together = [queue.popleft() for _ in range(min(len(queue), TOGETHER))]
                try:
                    self._write_turns(name, together)
                except BaseException:  # whoever is interrupted here waits no more
                    together = [one for one in together if one is not mine]
                    raise
                finally:
                    queue.extendleft(one for one in reversed(together) if not one.ended)
        return mine.result()

    def _write_turns(self, name: str, together: "Sequence[_Turn]") -> None:
        """Write what waits in one transaction; each is acknowledged after the disk has it."""
        if len(together) > 1:
            # One that the database refuses must not take the others with it.
            with suppress(SteelyardError):
                self._write_together(name, together)
        first = next((one for one in together if not one.ended), None)
        if first is not None:
            first.end(partial(self._write_alone, name, first))

    def _write_together(self, name: str, together: "Sequence[_Turn]") -> None:
        def write(connection: sa.Connection) -> list[tuple[_Turn, Receipt | Exception]]:
            stored = self._read_stored(connection, name, lock=True)
            until = time.monotonic() + LONGEST
            found: list[tuple[_Turn, Receipt | Exception]] = []
            for one in together:
                if found and time.monotonic() > until:
                    break
                said, stored = one.answer(connection, stored)
                found.append((one, said))
            return found

        written = self._write(write)
        receipts = [said for _, said in written if isinstance(said, Receipt) and not said.repeated]
        if receipts:
            self._note_receipt(name, receipts[-1])
        for one, said in written:
            one.ended = said

    def _write_alone(self, name: str, turn: "_Turn") -> Receipt:
        """Fold one entry while nothing is locked, as long as no other process comes first."""
        for _ in range(RACES):
            basis = self.view(name, turn.begin, patience=PATIENCE)
            if isinstance(basis, Receipt):
                return basis
            draft = turn.fold(basis.inputs)
            write = partial(
                write_entry, stored=basis.stored, kind=turn.kind, key=basis.key, draft=draft
            )
            after = self._write(write)
            if after is not None:
                return self._note_receipt(name, _receipt(after, draft))

        def write_at_once(connection: sa.Connection) -> Receipt:
            return turn.write(connection, self._read_stored(connection, name, lock=True))[0]

        return self._note_receipt(name, self._write(write_at_once))

    def _read_stored(self, connection: sa.Connection, name: str, *, lock: bool = False) -> Stored:
        """Read how a campaign stands, if all that was acknowledged is there."""
        # The note first: what it names was committed before, so that this transaction sees it.
        noted = -1 if self.path is None else read_noted_head(self.path, name)
        stored = read_standing(connection, name, self.where, lock=lock)
        if noted > stored.head and not CampaignView(connection, stored).entries([noted]):
            raise LedgerError(entries_lost(str(self.path), stored, noted), code="entries-lost")
        return stored

    def _note_receipt(self, name: str, receipt: Receipt) -> Receipt:
        if self.path is not None and not receipt.repeated:
            note_head(self.path, name, receipt)
        return receipt

    def _read(self, look: Callable[[sa.Connection], Made], *, patience: float) -> Made:
        """Read something, and again while trouble is of the kind that passes."""

        def once() -> Made:
            with self.engine.connect() as connection:
                if connection.dialect.name == "postgresql":  # one moment for all statements
                    connection = connection.execution_options(isolation_level="REPEATABLE READ")
                with connection.begin():
                    return look(connection)

        return self._patiently(once, patience=patience)

    def _write(self, write: Callable[[sa.Connection], Made]) -> Made:
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
            except DATABASE_ERRORS as error:
                spent = time.monotonic() - started
                hopeless = isinstance(error, sa.exc.IntegrityError) and attempt >= REPEATS
                if hopeless or not may_pass(error) or spent > patience:
                    raise explain_error(error, self.where) from error
                time.sleep(min(0.02 * 2 ** min(attempt, 6), 1.0))
        raise AssertionError  # pragma: no cover


@dataclass(slots=True, eq=False)
class _Turn:
    """An entry that waits to be written, and what became of it."""

    kind: EntryKind
    begin: Callable[[CampaignView], "Receipt | _Basis[Any]"]
    fold: Callable[[Any], Draft]
    ended: Receipt | Exception | None = None

    def write(self, connection: sa.Connection, stored: Stored) -> tuple[Receipt, Stored]:
        """Fold and write after what is stored; the lock is ours, so that nobody comes first."""
        basis = self.begin(CampaignView(connection, stored))
        if isinstance(basis, Receipt):
            return basis, stored
        draft = self.fold(basis.inputs)
        after = write_entry(connection, stored, self.kind, basis.key, draft)
        assert after is not None
        return _receipt(after, draft), after

    def answer(
        self, connection: sa.Connection, stored: Stored
    ) -> tuple[Receipt | Exception, Stored]:
        """Write, or return what prevents it: that is the answer to this one alone."""
        try:
            return self.write(connection, stored)
        except DATABASE_ERRORS:
            raise
        except Exception as error:  # raised again where it is waited for
            return error, stored

    def end(self, write: Callable[[], Receipt]) -> None:
        """Keep what came of it for whoever waits."""
        try:
            self.ended = write()
        except Exception as error:
            self.ended = error

    def result(self) -> Receipt:
        """Give the receipt, or raise what was raised."""
        if isinstance(self.ended, Exception):
            raise self.ended
        assert self.ended is not None
        return self.ended


def _receipt(after: Stored, draft: Draft) -> Receipt:
    return Receipt(seq=after.head, hash=after.head_hash, results=len(draft.rows))


class _Basis(NamedTuple, Generic[Inputs]):
    """What an entry is folded from: the end of the ledger, and what was read of it."""

    stored: Stored
    key: str
    inputs: Inputs


def _begin(
    view: CampaignView,
    *,
    key: str | Callable[[CampaignView], str],
    digest: str,
    read: Callable[[CampaignView], Inputs],
) -> Receipt | _Basis[Inputs]:
    """Read what an entry is folded from, or find that it is there already."""
    chosen = key if isinstance(key, str) else key(view)
    before = view.entry_of(chosen)
    if before is None:
        return _Basis(view.stored, chosen, read(view))
    if json.loads(before.body).get("digest") != digest:
        raise LedgerError(refuse_key(chosen, before.seq), code="key-reused")
    return Receipt(seq=before.seq, hash=before.hash, results=0, repeated=True)


# SQLite keeps the newest entries in a second file, the write-ahead log, until it copies them over.
# A ledger whose log was deleted or left behind by a copy is whole and well sealed, only older;
# nothing inside it can tell. So the last entry of each campaign is noted beside it, and a ledger
# that lacks it is refused. The note is a help, not the record: without it nothing is checked.


def note_of(path: Path) -> Path:
    """Name the note beside a ledger."""
    return path.with_name(f"{path.name}-heads")


def note_head(path: Path, name: str, receipt: Receipt) -> None:
    """Note the entry that was just acknowledged, unless a later one is noted."""
    note = note_of(path)
    heads = _read(note)
    if heads.get(name, (-1, ""))[0] >= receipt.seq:
        return
    heads[name] = (receipt.seq, receipt.hash)
    part = note.with_name(f"{note.name}.{os.getpid()}")
    with suppress(OSError):
        part.write_text(json.dumps(heads), encoding="utf-8")
        part.replace(note)


def read_noted_head(path: Path, name: str) -> int:
    """Give the last entry of a campaign that was acknowledged; -1 where none is noted."""
    return _read(note_of(path)).get(name, (-1, ""))[0]


def entries_lost(where: str, stored: Stored, noted: int) -> str:
    """Say that a ledger ends before the last entry that was acknowledged."""
    path = Path(where)
    return (
        f"{printable(path)} ends with entry {stored.head} of {stored.name!r}, but entry {noted} "
        f"was acknowledged: its write-ahead log {printable(path.name)}-wal was lost, or this is an "
        "old copy. Put the log back beside it, or take both from a backup. To go on without the "
        f"lost entries, delete {printable(note_of(path))}."
    )


def _read(note: Path) -> dict[str, tuple[int, str]]:
    """Read the note; one that cannot be read says nothing."""
    try:
        saved = json.loads(note.read_text(encoding="utf-8"))
        return {str(name): (int(seq), str(end)) for name, (seq, end) in saved.items()}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return {}

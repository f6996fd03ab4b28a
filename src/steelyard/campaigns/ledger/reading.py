"""Reading a campaign within one transaction: how it stands, its entries, results and items."""

from collections.abc import Iterator, Sequence

import sqlalchemy as sa

from steelyard.campaigns.ledger.chain import Entry, ResultRow
from steelyard.campaigns.ledger.database_errors import broken, protocol_changed
from steelyard.campaigns.ledger.shapes import Known, Stored, Totals
from steelyard.campaigns.ledger.tables import campaigns, entries, items, refuse_newer, results
from steelyard.campaigns.protocol import Protocol
from steelyard.errors import LedgerError, listing

__all__ = [
    "Writing",
    "read_entries",
    "read_names",
    "read_stored",
    "read_totals",
    "read_waiting",
]

CHUNK = 400
"""Items looked up at a time; below the number of variables that every database allows."""


HALF = 31
LOW = (1 << HALF) - 1
"""Masks are summed in two halves, so that no sum outgrows the whole numbers of a database."""


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
        return read_entries(self.connection, self.stored.id)

    def results(self) -> Iterator[tuple[int, ResultRow]]:
        """Read all results in their order, each with its entry."""
        return _results(self.connection, self.stored.id)

    def waiting(self, most: int | None = None) -> dict[str, Known]:
        """List items that do not count yet."""
        return read_waiting(self.connection, self.stored.id, most)

    def all_known(self) -> dict[str, Known]:
        """Read the whole cache of items."""
        c = items.c
        chosen = sa.select(c.item, c.tested, c.correct, c.counted)
        found = self.connection.execute(chosen.where(c.campaign == self.stored.id))
        return {name: Known(*rest) for name, *rest in found}


def read_names(connection: sa.Connection, where: str) -> list[str]:
    """List the campaigns."""
    if not sa.inspect(connection).has_table(campaigns.name):
        return []
    refuse_newer(connection)
    chosen = sa.select(campaigns.c.name).order_by(campaigns.c.id)
    return [_text(name, where) for name in connection.execute(chosen).scalars()]


def read_stored(connection: sa.Connection, name: str, where: str, *, lock: bool = False) -> Stored:
    """Read how a campaign stands; ``lock`` keeps other writers out until the end."""
    if not sa.inspect(connection).has_table(campaigns.name):
        message = f"{where} holds no ledger. Start one: steelyard campaign new {where} ..."
        raise LedgerError(message, code="no-ledger")
    refuse_newer(connection)
    chosen = sa.select(campaigns).where(campaigns.c.name == name)
    found = connection.execute(chosen.with_for_update() if lock else chosen).first()
    if found is None:
        known = connection.execute(sa.select(campaigns.c.name)).scalars().all()
        message = f"No campaign {name!r} in {where}. Campaigns: {listing(known) or 'none'}."
        raise LedgerError(message, code="no-campaign")
    protocol = Protocol.from_text(_text(found.protocol, where))
    if protocol.hash != found.protocol_hash:
        raise LedgerError(protocol_changed(name), code="protocol-changed")
    head = _place(found.head, where)
    return Stored(
        id=found.id,
        name=found.name,
        protocol=protocol,
        head=head,
        head_hash=_text(found.head_hash, where),
        state=_text(found.state, where),
        last=next(iter(read_entries(connection, found.id, [head])), None),
    )


def _text(value: object, where: str) -> str:
    """Refuse what is no text any more: files do not keep to the types of their columns."""
    if isinstance(value, str):
        return value
    raise LedgerError(broken(where), code="damaged")


def _place(value: object, where: str) -> int:
    if isinstance(value, int) and value >= 0:
        return value
    raise LedgerError(broken(where), code="damaged")


def read_entries(
    connection: sa.Connection, campaign: int, places: Sequence[int] | None = None
) -> list[Entry]:
    """Read entries in their order: all, or those at some places."""
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


def read_totals(connection: sa.Connection, campaign: int) -> Totals:
    """Sum up the results, corrections put in their places, and the list of items beside them."""
    c = items.c
    up = sa.literal(HALF, sa.Integer)
    halves = [
        part for mask in (c.tested, c.correct) for part in (mask.op("&")(LOW), mask.op(">>")(up))
    ]
    asked = sa.select(sa.func.count(), *(sa.func.sum(part) for part in halves))
    listed, *sums = connection.execute(asked.where(c.campaign == campaign)).one()
    low, high, right_low, right_high = (int(one or 0) for one in sums)
    return Totals(
        *_result_totals(connection, campaign),
        items=int(listed),
        tested=low + (high << HALF),
        correct=right_low + (right_high << HALF),
    )


def _result_totals(connection: sa.Connection, campaign: int) -> tuple[int, int]:
    c = results.c
    first = sa.case((c.replaces == 0, 1), else_=0)
    asked = sa.select(sa.func.count(), sa.func.sum(first), sa.func.sum(first * c.correct))
    rows, tested, right = connection.execute(asked.where(c.campaign == campaign)).one()
    if rows == tested:
        return int(rows), int(right or 0)
    before = results.alias()
    same = [before.c[name] == c[name] for name in ("campaign", "item", "system")]
    changed = sa.select(sa.func.sum(c.correct - before.c.correct)).where(
        c.campaign == campaign, c.replaces != 0, before.c.seq == c.replaces, *same
    )
    return int(tested or 0), int(right or 0) + int(connection.execute(changed).scalar() or 0)


def read_waiting(connection: sa.Connection, campaign: int, most: int | None) -> dict[str, Known]:
    """List items that do not count yet."""
    c = items.c
    chosen = sa.select(c.item, c.tested, c.correct, c.counted).where(
        c.campaign == campaign, c.counted == 0
    )
    found = connection.execute(chosen.order_by(c.item).limit(most))
    return {name: Known(*rest) for name, *rest in found}

"""Tables of the ledger and the steps from one version of them to the next."""

from collections.abc import Callable

import sqlalchemy as sa

from steelyard.errors import LedgerError

__all__ = [
    "MIGRATIONS",
    "campaigns",
    "entries",
    "items",
    "migrate",
    "refuse_newer",
    "results",
    "versions",
]

metadata = sa.MetaData()

versions = sa.Table(
    "steelyard_ledger", metadata, sa.Column("version", sa.Integer, primary_key=True)
)

campaigns = sa.Table(
    "steelyard_campaign",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("protocol", sa.Text, nullable=False),
    sa.Column("protocol_hash", sa.Text, nullable=False),
    # What follows is a cache of the entries; verify finds it again from them.
    sa.Column("head", sa.Integer, nullable=False),
    sa.Column("head_hash", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
)

entries = sa.Table(
    "steelyard_entry",
    metadata,
    sa.Column("campaign", sa.Integer, nullable=False),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("reading", sa.Text, nullable=False),
    sa.Column("recorded", sa.Text, nullable=False),
    sa.Column("previous", sa.Text, nullable=False),
    sa.Column("hash", sa.Text, nullable=False),
    sa.PrimaryKeyConstraint("campaign", "seq"),
    sa.UniqueConstraint("campaign", "key"),
)

results = sa.Table(
    "steelyard_result",
    metadata,
    sa.Column("campaign", sa.Integer, nullable=False),
    sa.Column("item", sa.Text, nullable=False),
    sa.Column("system", sa.SmallInteger, nullable=False),
    sa.Column("replaces", sa.Integer, nullable=False),
    sa.Column("correct", sa.SmallInteger, nullable=False),  # the number, where results are such
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    # One first result for each item and system, and one correction of each of them.
    sa.PrimaryKeyConstraint("campaign", "item", "system", "replaces"),
    sqlite_with_rowid=False,
)

items = sa.Table(
    "steelyard_item",
    metadata,
    # A cache of the results: who answered, who was right, and which entry made the item count.
    sa.Column("campaign", sa.Integer, nullable=False),
    sa.Column("item", sa.Text, nullable=False),
    sa.Column("tested", sa.BigInteger, nullable=False),
    sa.Column("correct", sa.BigInteger, nullable=False),
    sa.Column("counted", sa.Integer, nullable=False),
    sa.PrimaryKeyConstraint("campaign", "item"),
    sqlite_with_rowid=False,
)
sa.Index(
    "steelyard_item_waiting",
    items.c.campaign,
    sqlite_where=items.c.counted == 0,
    postgresql_where=items.c.counted == 0,
)


def _first(connection: sa.Connection) -> None:
    for table in (campaigns, entries, results, items):
        table.create(connection)


def _numbers(connection: sa.Connection) -> None:
    """Let a result be a number; SQLite keeps numbers in any column."""
    if connection.dialect.name == "postgresql":
        connection.execute(
            sa.text("ALTER TABLE steelyard_result ALTER COLUMN correct TYPE double precision")
        )


MIGRATIONS: tuple[Callable[[sa.Connection], None], ...] = (_first, _numbers)
"""Step k leads from version k to version k + 1; steps are added, never changed."""


def migrate(
    connection: sa.Connection, steps: tuple[Callable[[sa.Connection], None], ...] = MIGRATIONS
) -> int:
    """Bring the tables up to date inside the caller's transaction, and give their version."""
    if connection.dialect.name == "postgresql":  # one at a time; released with the transaction
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(7340932)"))
    if not sa.inspect(connection).has_table(versions.name):
        versions.create(connection)
    version = refuse_newer(connection, steps)
    for step in steps[version:]:
        step(connection)
        version += 1
        connection.execute(versions.insert().values(version=version))
    return version


NEWEST = sa.select(sa.func.max(versions.c.version))


def refuse_newer(
    connection: sa.Connection, steps: tuple[Callable[[sa.Connection], None], ...] = MIGRATIONS
) -> int:
    """Give the version of a ledger; refuse one whose tables may mean what is not known here."""
    found = connection.execute(NEWEST).scalar()
    version = int(found or 0)
    if version > len(steps):
        message = (
            f"The ledger has version {version}; this Steelyard knows versions up to {len(steps)}. "
            "Type: pip install --upgrade steelyard"
        )
        raise LedgerError(message, code="ledger-newer")
    return version

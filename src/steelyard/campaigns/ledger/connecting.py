"""How a ledger is reached: a file of SQLite on a local disk, or a PostgreSQL server."""

import os
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from steelyard.errors import ExtraMissing, LedgerError, RequestError, printable

__all__ = ["connect", "file_of", "hide_password", "is_server", "network_filesystem"]

NETWORK = {
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ncpfs", "9p", "ceph", "lustre", "glusterfs",
    "fuse.sshfs", "fuse.glusterfs", "fuse.ceph", "beegfs", "gpfs", "davfs", "fuse.davfs2",
}  # fmt: skip
"""File systems whose locks or shared memory cannot be relied upon for write-ahead logging."""

PATIENCE = 30.0
"""Seconds to wait for another writer."""


def is_server(where: str) -> bool:
    """Tell an address of PostgreSQL from a file.

    >>> is_server("postgresql+psycopg://localhost/team"), is_server("radar.db")
    (True, False)
    """
    return where.startswith(("postgresql://", "postgresql+psycopg://", "postgres://"))


def file_of(where: str) -> Path | None:
    """Find the file behind ``radar.db`` or ``sqlite:///radar.db``; None for a server."""
    if is_server(where):
        return None
    if "://" in where and not where.startswith("sqlite:///"):
        message = (
            f"{printable(where)!r} is not a ledger. Name a file such as radar.db, or a server such "
            "as postgresql+psycopg://user@host/database."
        )
        raise RequestError(message)
    return Path(where.removeprefix("sqlite:///"))


def hide_password(where: str) -> str:
    """Name a ledger without a password.

    >>> hide_password("postgresql+psycopg://me:secret@host/team")
    'postgresql+psycopg://me:***@host/team'
    """
    if not is_server(where):
        return where
    return sa.engine.make_url(where).render_as_string(hide_password=True)


def connect(where: str, *, create: bool = False) -> sa.Engine:
    """Open the database; ``create`` allows a new file to be made."""
    path = file_of(where)
    return _server(where) if path is None else _file(path, create=create)


def network_filesystem(path: Path, mounts: str) -> str | None:
    """Name the network file system that a path lies on, by the text of ``/proc/mounts``.

    >>> network_filesystem(Path("/data/radar.db"), "host:/x /data nfs4 rw 0 0")
    'nfs4'
    """
    best, kind = "", None
    for line in mounts.splitlines():
        fields = line.split()
        if len(fields) < 3:
            continue
        point = fields[1].replace("\\040", " ")
        inside = point == "/" or path == Path(point) or Path(point) in path.parents
        if inside and len(point) >= len(best):
            best, kind = point, fields[2]
    return kind if kind in NETWORK else None


def _refuse_network(path: Path) -> None:
    mounts = Path("/proc/mounts")
    if not mounts.exists():
        return
    kind = network_filesystem(path.absolute().parent.resolve() / path.name, mounts.read_text())
    if kind is not None:
        message = (
            f"{printable(path)} lies on a network file system ({kind}), where a crash or a second "
            "writer could damage the ledger. Keep it on a local disk, or use a server: "
            "postgresql+psycopg://user@host/database."
        )
        raise LedgerError(message, code="network-filesystem")


def _file(path: Path, *, create: bool) -> sa.Engine:
    if not path.exists() and not create:
        message = (
            f"{printable(path)}: no such ledger. Start a campaign first: steelyard campaign new "
            f'{printable(path)} --systems a,b --stop "evidence >= 20 or n >= 1000"'
        )
        raise LedgerError(message, code="no-ledger")
    if create and not path.absolute().parent.is_dir():
        message = f"There is no folder {printable(path.absolute().parent)}. Make it first."
        raise LedgerError(message, code="no-ledger")
    _refuse_network(path)
    writable = os.access(path if path.exists() else path.absolute().parent, os.W_OK)
    # Not a text that is taken apart again: in one, ? and % of a name would mean something else.
    # Nor one that names no file at all, as :memory: would.
    whole = str(path.absolute())
    address = sa.URL.create("sqlite", database=whole) if writable else _read_only(path)
    engine = sa.create_engine(
        address,
        connect_args={"timeout": PATIENCE, "uri": not writable, "check_same_thread": False},
    )

    def prepare(connection: Any, record: object) -> None:  # noqa: ANN401
        del record
        connection.isolation_level = None  # we say BEGIN ourselves
        if not writable:
            return
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.close()

    def begin(connection: sa.Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    sa.event.listen(engine, "connect", prepare)
    sa.event.listen(engine, "begin", begin)
    return engine


def _read_only(path: Path) -> sa.URL:
    # Without a write-ahead log beside it the file is whole, and may lie where nothing is written.
    log = path.with_name(path.name + "-wal")
    whole = {} if log.exists() and log.stat().st_size else {"immutable": "1"}
    return sa.URL.create(
        "sqlite",
        database=path.absolute().as_uri(),
        query={"mode": "ro", "uri": "true", **whole},
    )


def _server(where: str) -> sa.Engine:
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise ExtraMissing.for_part(what="A ledger in PostgreSQL", extra="postgres") from None
    url = sa.engine.make_url(where).set(drivername="postgresql+psycopg")
    return sa.create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": 10})

"""Ledgers of older versions are brought up to date; newer ones are left alone."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from steelyard.campaigns.ledger.connecting import connect, file_of, network_filesystem
from steelyard.campaigns.ledger.tables import MIGRATIONS, migrate, versions
from steelyard.errors import LedgerError, RequestError


def more(connection):
    connection.execute(sa.text("ALTER TABLE steelyard_campaign ADD COLUMN place TEXT"))


KNOWN = len(MIGRATIONS)


def columns(connection):
    return {column["name"] for column in sa.inspect(connection).get_columns("steelyard_campaign")}


def test_each_step_is_taken_once(where):
    engine = connect(where, create=True)
    with engine.begin() as connection:
        assert migrate(connection) == KNOWN
        assert migrate(connection) == KNOWN
    with engine.begin() as connection:
        assert "place" not in columns(connection)
        assert migrate(connection, (*MIGRATIONS, more)) == KNOWN + 1
        assert migrate(connection, (*MIGRATIONS, more)) == KNOWN + 1
        assert "place" in columns(connection)
        kept = connection.execute(sa.select(versions.c.version).order_by(versions.c.version))
        assert kept.scalars().all() == list(range(1, KNOWN + 2))
    engine.dispose()


def test_a_step_that_fails_leaves_the_ledger_as_it_was(where):
    engine = connect(where, create=True)
    with engine.begin() as connection:
        migrate(connection)

    def failing(connection):
        more(connection)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        with engine.connect().execution_options(writes=True) as connection, connection.begin():
            migrate(connection, (*MIGRATIONS, failing))
    with engine.begin() as connection:
        assert "place" not in columns(connection)
        assert migrate(connection) == KNOWN
    engine.dispose()


def test_a_newer_ledger_is_refused(where):
    engine = connect(where, create=True)
    with engine.begin() as connection:
        migrate(connection, (*MIGRATIONS, more))
        newer = rf"version {KNOWN + 1}; .* pip install --upgrade steelyard"
        with pytest.raises(LedgerError, match=newer):
            migrate(connection)
    engine.dispose()


def test_a_file_is_written_ahead_and_to_the_disk(tmp_path):
    engine = connect(str(tmp_path / "l.db"), create=True)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL
    engine.dispose()


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/me/x.db", None),
        ("/data/x.db", "nfs4"),
        ("/data/local/x.db", None),
        ("/with space/x.db", "cifs"),
    ],
)
def test_network_file_systems_are_known_by_their_mounts(path, kind):
    mounts = (
        "/dev/sda / ext4 rw 0 0\nhost:/d /data nfs4 rw 0 0\n/dev/sdb /data/local xfs rw 0 0\n"
        "//h/s /with\\040space cifs rw 0 0\nstrange\n"
    )
    assert network_filesystem(Path(path), mounts) == kind


def test_a_ledger_on_a_network_file_system_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "steelyard.campaigns.ledger.connecting.network_filesystem", lambda path, mounts: "nfs4"
    )
    with pytest.raises(LedgerError, match=r"network file system \(nfs4\).*postgresql"):
        connect(str(tmp_path / "l.db"), create=True)


def test_an_address_of_another_database_is_refused():
    assert file_of("sqlite:///radar.db") == Path("radar.db")
    with pytest.raises(RequestError, match="is not a ledger"):
        file_of("mysql://host/x")

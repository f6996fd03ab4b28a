"""Files of ledgers: names mean what they say, newer ones are refused, lost ends are noticed."""

import shutil
import sqlite3

import pytest

from steelyard.campaigns import record_results, start_campaign
from steelyard.campaigns.ledger import Ledger
from steelyard.campaigns.ledger.store import note_of
from steelyard.campaigns.protocol import Protocol
from steelyard.campaigns.recording import Answer
from steelyard.errors import LedgerError

PROTOCOL = Protocol(systems=("a", "b"), rule="n >= 1000")


def filled(path, batches=3):
    ledger = Ledger(str(path), create=True)
    start_campaign(ledger, "x", PROTOCOL)
    for batch in range(batches):
        record_results(ledger, "x", [Answer(f"i{batch}", one, True) for one in "ab"])
    return ledger


@pytest.mark.parametrize(
    "name",
    [
        "a?b.db",
        "%41.db",
        "a%20b.db",
        "x#y.db",
        "q?mode=memory",
        "ä&.db",
        ":memory:",
        "file:x?mode=memory",
    ],
)
@pytest.mark.parametrize("read_only", [False, True])
def test_a_ledger_lies_in_the_file_that_its_name_says(tmp_path, name, read_only, monkeypatch):
    monkeypatch.chdir(tmp_path)
    filled(name).close()
    assert (tmp_path / name).is_file()
    others = {path.name for path in tmp_path.iterdir()} - {name, f"{name}-heads"}
    assert others <= {f"{name}-wal", f"{name}-shm"}
    if read_only:
        monkeypatch.setattr("steelyard.campaigns.ledger.connecting.os.access", lambda *_: False)
    again = Ledger(name)
    assert again.read("x").head == 3
    again.close()


def newer(path):
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO steelyard_ledger (version) VALUES (99)")
    connection.close()


@pytest.mark.parametrize(
    "use",
    [
        lambda ledger: ledger.names(),
        lambda ledger: ledger.read("x"),
        lambda ledger: ledger.entries("x"),
        lambda ledger: ledger.waiting("x"),
        lambda ledger: ledger.view("x", lambda view: view.totals()),
        lambda ledger: record_results(ledger, "x", [Answer("new", "a", True)]),
        lambda ledger: start_campaign(ledger, "y", PROTOCOL),
    ],
)
def test_a_ledger_of_a_newer_version_is_refused_by_everything_that_reads_or_writes(tmp_path, use):
    filled(tmp_path / "ledger.db").close()
    newer(tmp_path / "ledger.db")
    ledger = Ledger(str(tmp_path / "ledger.db"))
    with pytest.raises(LedgerError, match="pip install --upgrade steelyard"):
        use(ledger)
    ledger.close()


def test_a_lost_write_ahead_log_is_noticed_by_the_next_reader_and_writer(tmp_path):
    path, copy = tmp_path / "ledger.db", tmp_path / "later.db"
    filled(path, batches=1).close()
    older = path.read_bytes()
    ledger = Ledger(str(path))
    record_results(ledger, "x", [Answer("late", one, True) for one in "ab"])
    ledger.close()
    path.write_bytes(older)  # what is left when the log with the last entry is deleted
    for leftover in (tmp_path / "ledger.db-wal", tmp_path / "ledger.db-shm"):
        leftover.unlink(missing_ok=True)
    cut = Ledger(str(path))
    with pytest.raises(LedgerError, match="entry 2 was acknowledged") as caught:
        cut.read("x")
    assert caught.value.code == "entries-lost"
    with pytest.raises(LedgerError, match="entry 2 was acknowledged"):
        record_results(cut, "x", [Answer("more", "a", True)])
    note_of(path).unlink()
    assert cut.read("x").head == 1
    cut.close()
    shutil.copy(path, copy)
    alone = Ledger(str(copy))
    assert alone.read("x").head == 1, "a copy without a note is taken as it is"
    alone.close()


@pytest.mark.parametrize("content", ["", "{", "[1]", '{"x": 3}', '{"x": ["a", 1]}', "[" * 100_000])
def test_a_note_that_cannot_be_read_says_nothing(tmp_path, content):
    ledger = filled(tmp_path / "ledger.db")
    note_of(tmp_path / "ledger.db").write_text(content)
    assert ledger.read("x").head == 3
    record_results(ledger, "x", [Answer("late", "a", True)])
    assert ledger.read("x").head == 4
    ledger.close()


def test_a_new_ledger_in_the_place_of_a_deleted_one_owes_nothing_to_it(tmp_path):
    filled(tmp_path / "ledger.db").close()
    (tmp_path / "ledger.db").unlink()
    again = filled(tmp_path / "ledger.db", batches=1)
    assert again.read("x").head == 1
    again.close()

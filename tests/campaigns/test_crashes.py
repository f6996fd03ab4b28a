"""No acknowledged result is lost or doubled, whatever happens to writer, disk or server."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import settings

from steelyard.campaigns.checking import check_ledger
from steelyard.campaigns.ledger import Ledger
from steelyard.campaigns.ledger.database_errors import explain_error
from steelyard.campaigns.looks import Progress
from steelyard.campaigns.protocol import Protocol
from steelyard.campaigns.recording import Answer, record_results, start_campaign
from steelyard.errors import LedgerError

WRITER = Path(__file__).with_name("writer.py")
LONG = settings.get_profile("long").max_examples
KILLS = 300 if settings().max_examples >= LONG else 20
ITEMS = 12


@dataclass
class Writer:
    """A forked process that writes to a ledger."""

    number: int

    def alive(self):
        try:
            os.kill(self.number, 0)
        except ProcessLookupError:
            return False
        return True

    def kill(self):
        with suppress(ProcessLookupError):
            os.kill(self.number, signal.SIGKILL)
        self.join()

    def join(self, seconds=6000):
        wait_for(lambda: not self.alive(), seconds)


@pytest.fixture(scope="module")
def forks():
    line = [sys.executable, str(WRITER)]
    with subprocess.Popen(
        line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as program:
        yield program
        program.stdin.close()
        program.wait()


def started(forks, where, notes, **task):
    given = {"where": where, "notes": str(notes), "items": ITEMS, "first": 0, "batches": 10**6}
    forks.stdin.write(json.dumps(given | {"writer": "w"} | task) + "\n")
    return Writer(int(forks.stdout.readline()))


def noted(notes):
    return notes.read_text().splitlines() if notes.exists() else []


def refused(notes):
    return [line for line in noted(notes) if line.startswith("refused")]


def begin(where):
    ledger = Ledger(where, create=True)
    start_campaign(ledger, "x", Protocol(systems=("a", "b"), rule="n >= 100000", order="given"))
    return ledger


def wait_for(ready, seconds=600):
    end = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < end
        time.sleep(0.002)


def batches(ledger):
    return [entry.key for entry in ledger.entries("x")[1:]]


def items_counted(ledger):
    stored = ledger.read("x")
    return Progress.from_text(stored.protocol, stored.state).n


def test_a_writer_killed_in_the_middle_loses_nothing_and_doubles_nothing(where, tmp_path, forks):
    ledger, notes = begin(where), tmp_path / "notes"
    for kill in range(KILLS):
        before = len(noted(notes))
        child = started(forks, where, notes, first=len(batches(ledger)))
        wait_for(lambda before=before: len(noted(notes)) > before)
        time.sleep((kill * 37 % 100) / 10_000)  # up to 10 ms later: anywhere in an append
        child.kill()
        there = batches(ledger)
        acknowledged = noted(notes)
        assert set(acknowledged) <= set(there)
        assert len(there) == len(set(there)) == items_counted(ledger) / ITEMS
        assert len(there) - len(acknowledged) <= kill + 1  # at most one more for each kill
    assert check_ledger(ledger, "x").bad is None
    ledger.close()


def test_writers_of_one_process_killed_in_the_middle_lose_nothing_that_was_acknowledged(
    where, tmp_path, forks
):
    """Entries that wait for one another are written together, and acknowledged after that."""
    ledger, notes, beside = begin(where), tmp_path / "notes", 5
    for kill in range(KILLS // 4):
        before = len(noted(notes))
        child = started(forks, where, notes, first=1000 * kill, beside=beside)
        wait_for(lambda before=before: len(noted(notes)) > before + beside)
        time.sleep((kill * 37 % 100) / 10_000)
        child.kill()
        there = batches(ledger)
        assert not refused(notes)
        assert set(noted(notes)) <= set(there)
        assert len(there) == len(set(there)) == items_counted(ledger) / ITEMS
    assert check_ledger(ledger, "x").bad is None
    ledger.close()


def test_a_batch_whose_acknowledgement_was_lost_is_sent_again_and_counts_once(
    where, tmp_path, forks
):
    ledger, notes = begin(where), tmp_path / "notes"
    child = started(forks, where, notes)
    wait_for(lambda: len(noted(notes)) > 2)
    child.kill()
    again = started(forks, where, notes, batches=len(batches(ledger)) + 2)
    again.join()
    there = batches(ledger)
    assert len(there) == len(set(there)) == items_counted(ledger) / ITEMS
    assert set(noted(notes)) == set(there)
    ledger.close()


@pytest.mark.parametrize("writers", [2, 4, 8])
def test_many_writers_at_once_all_find_their_place(where, tmp_path, forks, writers):
    ledger = begin(where)
    each = 40 // writers
    children = [
        started(forks, where, tmp_path / f"notes{w}", writer=f"w{w}", batches=each, items=3)
        for w in range(writers)
    ]
    for child in children:
        child.join()
    lines = [line for w in range(writers) for line in noted(tmp_path / f"notes{w}")]
    assert sorted(lines) == sorted(batches(ledger))
    assert len(lines) == writers * each
    assert items_counted(ledger) == writers * each * 3
    assert [entry.seq for entry in ledger.entries("x")] == list(range(len(lines) + 1))
    assert check_ledger(ledger, "x").bad is None
    ledger.close()


def test_a_full_disk_refuses_the_batch_whole(tmp_path, forks):
    where, notes = str(tmp_path / "ledger.db"), tmp_path / "notes"
    ledger = begin(where)
    child = started(forks, where, notes, room=400_000, items=300)
    child.join()
    *acknowledged, last = noted(notes)
    assert last.startswith("refused disk-full")
    assert "Nothing of this batch was recorded" in last
    assert batches(ledger) == acknowledged
    assert check_ledger(ledger, "x").bad is None
    more = started(forks, where, notes, first=len(acknowledged), batches=1, items=300)
    more.join()
    assert batches(ledger) == noted(notes)[: len(acknowledged)] + noted(notes)[-1:]
    assert check_ledger(ledger, "x").bad is None
    ledger.close()


@pytest.fixture
def small_disk(server):
    """The address of a ledger whose tables lie on a disk of a few megabytes."""
    folder = Path(tempfile.mkdtemp(prefix="steelyard-small-disk-"))
    mounting = ["mount", "-t", "tmpfs", "-o", "size=3m,mode=0777", "tmpfs", str(folder)]
    if subprocess.run(mounting, capture_output=True, check=False).returncode:
        folder.rmdir()
        reason = "no small disk can be made here: mounting one is not allowed"
        if os.environ.get("CI") == "true" and os.geteuid() == 0:
            pytest.fail(reason)
        pytest.skip(reason)
    where = server.database()
    space = folder / "tables"
    server.run("mkdir", str(space))
    server.tell(f"CREATE TABLESPACE small LOCATION '{space}'")
    yield f"{where}?options=-c%20default_tablespace%3Dsmall"
    server.tell(f"DROP DATABASE {where.rpartition('/')[2]} WITH (FORCE)")
    server.tell("DROP TABLESPACE small")
    subprocess.run(["umount", str(folder)], check=True)
    folder.rmdir()


def test_a_full_disk_of_a_server_refuses_the_batch_whole(small_disk, tmp_path, forks):
    notes = tmp_path / "notes"
    ledger = begin(small_disk)
    child = started(forks, small_disk, notes, items=300)
    child.join()
    *acknowledged, last = noted(notes)
    assert last.startswith("refused disk-full")
    assert "Nothing of this batch was recorded" in last
    assert len(acknowledged) > 3
    assert batches(ledger) == acknowledged
    assert check_ledger(ledger, "x").bad is None
    ledger.close()


def test_a_server_says_by_its_code_alone_that_its_disk_is_full():
    class Complaint(Exception):
        sqlstate = "53100"

    told = explain_error(sa.exc.OperationalError("INSERT", {}, Complaint("kein Platz")), "team")
    assert told.code == "disk-full"
    assert "Nothing of this batch was recorded" in str(told)


def test_a_file_that_may_not_be_written_is_read_and_refuses_results(forks):
    folder = Path(tempfile.mkdtemp(prefix="steelyard-read-only-"))
    where, notes = str(folder / "ledger.db"), folder / "notes"
    try:
        ledger = begin(where)
        record_results(ledger, "x", [Answer("i", s, True) for s in "ab"])
        ledger.close()
        notes.touch()
        notes.chmod(0o666)
        Path(where).chmod(0o444)
        folder.chmod(0o555)
        user = 65534 if os.geteuid() == 0 else None
        started(forks, where, notes, user=user, batches=1).join()
        (line,) = noted(notes)
        assert line.startswith("refused read-only")
        assert "Allow writing" in line
        reader = Ledger(where)
        assert items_counted(reader) == 1
        reader.close()
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_server_that_is_stopped_and_started_again_is_waited_for(server, tmp_path, forks):
    where, notes = server.database(), tmp_path / "notes"
    ledger = begin(where)
    child = started(forks, where, notes)
    for how in ("immediate", "fast"):
        before = len(noted(notes))
        wait_for(lambda before=before: len(noted(notes)) > before + 3 or refused(notes))
        assert not refused(notes)
        server.stop(how)
        server.start()
    before = len(noted(notes))
    wait_for(lambda: len(noted(notes)) > before + 3 or refused(notes))
    child.kill()
    assert not refused(notes)
    there, acknowledged = batches(ledger), noted(notes)
    assert acknowledged == there[: len(acknowledged)]
    assert len(there) - len(acknowledged) <= 1
    assert check_ledger(ledger, "x").bad is None
    ledger.close()


def test_a_server_that_is_not_there_is_named_without_its_password():
    with pytest.raises(LedgerError, match=r"me:\*\*\*@127.0.0.1") as caught:
        Ledger("postgresql+psycopg://me:secret@127.0.0.1:1/x").read("x")
    assert "secret" not in str(caught.value)


def test_threads_of_one_process_may_share_a_ledger(where):
    ledger = begin(where)

    def write(number):
        for place in range(5):
            record_results(ledger, "x", [Answer(f"{number}-{place}", s, True) for s in "ab"])

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert items_counted(ledger) == 20
    assert check_ledger(ledger, "x").bad is None
    ledger.close()

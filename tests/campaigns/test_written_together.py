"""Entries that wait for one another are written in one transaction; each is answered for itself."""

import threading
from contextlib import contextmanager

import pytest
import sqlalchemy as sa

from steelyard.campaigns import record_results, start_campaign
from steelyard.campaigns.checking import check_ledger
from steelyard.campaigns.ledger import Ledger, store
from steelyard.campaigns.protocol import Protocol
from steelyard.campaigns.recording import Answer
from steelyard.errors import LedgerError, SteelyardError

PROTOCOL = Protocol(systems=("a", "b"), rule="n >= 1000")


@pytest.fixture
def ledger(where):
    opened = Ledger(where, create=True)
    start_campaign(opened, "x", PROTOCOL)
    yield opened
    opened.close()


def both(item):
    return [Answer(item, one, True) for one in "ab"]


@contextmanager
def commits(ledger):
    """Count the transactions that moved the head."""
    moved = []

    def note(_connection, _cursor, statement, *_):
        if statement.startswith("UPDATE"):
            moved[-1] += 1

    sa.event.listen(ledger.engine, "begin", lambda _: moved.append(0))
    sa.event.listen(ledger.engine, "before_cursor_execute", note)
    yield moved


def all_at_once(ledger, batches):
    """Let each batch wait for its turn, then open the door; give what each was told."""
    told = [None] * len(batches)

    def send(place):
        try:
            told[place] = record_results(ledger, "x", batches[place], protocol=PROTOCOL)
        except SteelyardError as error:
            told[place] = error

    threads = [threading.Thread(target=send, args=(place,)) for place in range(len(batches))]
    with ledger.turns["x"]:
        for place, thread in enumerate(threads):
            thread.start()
            while len(ledger.queues["x"]) <= place:  # in the order of the batches
                threading.Event().wait(0.001)
    for thread in threads:
        thread.join()
    return told


def test_batches_that_wait_are_written_in_one_transaction_and_all_acknowledged(ledger, monkeypatch):
    monkeypatch.setattr(store, "LONGEST", 1e9)  # however busy the machine is
    with commits(ledger) as moved:
        told = all_at_once(ledger, [both(f"i{n}") for n in range(12)])
    assert [one.seq for one in told] == list(range(1, 13))
    assert [one for one in moved if one] == [12]
    assert check_ledger(ledger, "x").bad is None
    assert ledger.read("x").head == 12


def test_one_that_is_refused_or_was_there_before_takes_no_other_with_it(ledger):
    batches = [both("one"), both("one"), [Answer("one", "a", False)], both("two")]
    first, again, refused, last = all_at_once(ledger, batches)
    assert (first.seq, first.repeated) == (1, False)
    assert (again.seq, again.repeated) == (1, True)
    assert isinstance(refused, LedgerError)
    assert last.seq == 2
    assert check_ledger(ledger, "x").bad is None


def test_a_transaction_that_fails_is_tried_entry_by_entry(ledger, monkeypatch):
    written = store.write_entry

    def fail(connection, stored, kind, key, draft):
        if any(row.item == "bad" for row in draft.rows):
            raise sa.exc.DatabaseError("INSERT", {}, Exception("disk image is malformed"))
        return written(connection, stored, kind, key, draft)

    monkeypatch.setattr(store, "write_entry", fail)
    good, bad, other = all_at_once(ledger, [both("good"), both("bad"), both("other")])
    assert isinstance(bad, SteelyardError)
    assert {good.seq, other.seq} == {1, 2}
    assert check_ledger(ledger, "x").bad is None


def test_entries_that_take_long_to_fold_do_not_hold_the_database(ledger, monkeypatch):
    monkeypatch.setattr(store, "LONGEST", -1.0)
    with commits(ledger) as moved:
        told = all_at_once(ledger, [both(f"i{n}") for n in range(6)])
    assert [one.seq for one in told] == list(range(1, 7))
    assert max(moved) == 1


def test_a_ledger_that_was_replaced_is_not_written_by_the_old_protocol(ledger):
    other = Protocol(systems=("b", "a"), rule="n >= 1000")
    with pytest.raises(LedgerError, match="another protocol"):
        record_results(ledger, "x", both("i"), protocol=other)
    assert ledger.read("x").head == 0

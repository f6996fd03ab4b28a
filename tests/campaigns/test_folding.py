"""An entry is read, folded outside any transaction, and appended if nobody came first."""

import sys
from collections import Counter
from functools import partial

import pytest

from steelyard import Campaign
from steelyard.campaigns import recording
from steelyard.campaigns.checking import check_ledger
from steelyard.campaigns.ledger import Ledger
from steelyard.campaigns.ledger import store as ledger_store
from steelyard.campaigns.protocol import Protocol, _read_protocol
from steelyard.campaigns.recording import Answer, record_results, start_campaign
from steelyard.campaigns.replay import load_progress
from steelyard.campaigns.rules import chances
from steelyard.errors import LedgerError

SYSTEMS = ("a", "b", "c")


def item(number, pattern="110"):
    return [
        {"item": str(number), "system": system, "right": bit == "1"}
        for system, bit in zip(SYSTEMS, pattern, strict=True)
    ]


def calls_of(names, work):
    """Count how often functions of these names run, whoever calls them and however they got it."""
    counted = Counter()

    def watch(frame, event, argument):
        if event == "call" and frame.f_code.co_name in names:
            counted[frame.f_code.co_name] += 1

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        work()
    finally:
        sys.setprofile(before)
    return counted


@pytest.fixture
def running(tmp_path):
    campaign = Campaign.create(
        tmp_path / "x.db", systems=SYSTEMS, stop="best >= 0.99 or n >= 500", step=1
    )
    for number in range(12):  # close enough that no limit in closed form decides
        campaign.report(item(number, ("110", "100", "010", "111")[number % 4]))
    yield campaign
    campaign.ledger.close()


def test_one_added_item_is_worth_one_posterior(running):
    counted = calls_of({"paired_posterior"}, partial(running.report, item("new", "100")))
    assert counted == {"paired_posterior": 1}


def test_one_added_item_on_independent_items_is_worth_one_posterior(tmp_path):
    campaign = Campaign.create(
        tmp_path / "x.db", systems=SYSTEMS, stop="best >= 0.99", pairing="independent", step=1
    )
    for number in range(5):
        campaign.report([row | {"item": f"{number}{row['system']}"} for row in item(number)])
    added = [row | {"item": f"new{row['system']}"} for row in item("new", "100")]
    counted = calls_of({"probability_best"}, partial(campaign.report, added))
    campaign.ledger.close()
    assert counted == {"probability_best": 1}


def test_every_look_of_a_batch_asks_for_a_posterior_once_at_most(running):
    batch = [row for number in range(100, 110) for row in item(number, "101")]
    counted = calls_of({"paired_posterior"}, partial(running.report, batch))
    assert counted["paired_posterior"] <= 10


def test_a_rule_is_parsed_once_however_much_is_added(running):
    _read_protocol.cache_clear()

    def work():
        campaign = Campaign.open(running.ledger.where)
        for number in range(3):
            campaign.report(item(f"more {number}"))
        campaign.status()
        campaign.ledger.close()

    assert calls_of({"parse_rule"}, work) == {"parse_rule": 1}


def test_no_transaction_is_open_while_an_entry_is_folded(running, monkeypatch):
    fold, seen = recording._fold_batch, []

    def watched(counts, **rest):
        seen.append(running.ledger.engine.pool.checkedout())
        return fold(counts, **rest)

    monkeypatch.setattr(recording, "_fold_batch", watched)
    running.report(item("watched"))
    assert seen == [0]


@pytest.fixture
def begun(where):
    ledger = Ledger(where, create=True)
    start_campaign(ledger, "x", Protocol(systems=("a", "b"), rule="n >= 100", order="given"))
    yield ledger
    ledger.close()


def pair(name):
    return [Answer(name, system, True) for system in "ab"]


@pytest.fixture
def overtaken(begun, where, monkeypatch):
    """Let another writer come first, so often, between reading and writing."""
    fold, other = recording._fold_batch, Ledger(where)
    folds = []

    def prepare(times):
        def slow(counts, **rest):
            folds.append(counts.seq)
            if len(folds) <= times:
                with monkeypatch.context() as plain:
                    plain.setattr(recording, "_fold_batch", fold)
                    record_results(other, "x", pair(f"first {len(folds)}"))
            return fold(counts, **rest)

        monkeypatch.setattr(recording, "_fold_batch", slow)
        return folds

    yield prepare
    other.close()


@pytest.mark.parametrize("times", [0, 1, 3, ledger_store.RACES])
def test_who_was_overtaken_folds_again_from_the_new_end(begun, overtaken, times):
    folds = overtaken(times)
    receipt = record_results(begun, "x", pair("mine"))
    assert receipt.seq == times + 1
    assert folds == list(range(1, times + 2))
    assert load_progress(begun.read("x")).n == times + 1
    assert check_ledger(begun, "x").bad is None


def test_an_item_that_another_writer_recorded_meanwhile_is_not_counted_twice(begun, overtaken):
    overtaken(1)
    with pytest.raises(LedgerError, match="in the ledger already"):
        record_results(begun, "x", pair("first 1"), key="mine")
    assert check_ledger(begun, "x").bad is None


def test_the_same_batch_of_another_writer_meanwhile_counts_as_sent_again(begun, overtaken):
    overtaken(1)
    assert record_results(begun, "x", pair("first 1")).repeated
    assert load_progress(begun.read("x")).n == 1


def test_a_posterior_that_is_kept_is_that_of_the_counts_it_is_asked_for(running):
    before = chances.best_chances(load_progress(running.ledger.read(running.name)).snapshot())
    running.report(item("one more", "100"))
    after = load_progress(running.ledger.read(running.name)).snapshot()
    kept = chances.best_chances(after)
    chances._simulate_joint.cache_clear()
    assert chances.best_chances(after) == kept != before

"""What may be told to a campaign, on both databases."""

import pytest

from steelyard.campaigns.checking import check_ledger
from steelyard.campaigns.looks import Progress
from steelyard.campaigns.protocol import Protocol
from steelyard.campaigns.recording import (
    Answer,
    record_close,
    record_correction,
    record_drop,
    record_results,
    start_campaign,
)
from steelyard.errors import LedgerError, RequestError


def begin(ledger, rule="n >= 1000", systems=("a", "b"), **rest):
    start_campaign(ledger, "x", Protocol.of(systems=systems, rule=rule, **rest))
    return ledger


def answers(*patterns, systems="ab", first=0):
    """One item for each pattern such as '10': the first system right, the second wrong."""
    return [
        Answer(f"i{first + number}", system, bit == "1")
        for number, pattern in enumerate(patterns)
        for system, bit in zip(systems, pattern, strict=True)
        if bit != "-"
    ]


def corrected(ledger):
    """Count the right answers of each system as the ledger has them now."""
    known = ledger.view("x", lambda view: view.read_items()).values()
    return [sum(one.correct >> place & 1 for one in known) for place in (0, 1)]


def progress(ledger):
    stored = ledger.read("x")
    return Progress.from_text(stored.protocol, stored.state)


def sound(ledger):
    found = check_ledger(ledger, "x")
    assert found.bad is None, found
    return True


def test_a_batch_is_counted_once_however_often_it_is_sent(ledger):
    begin(ledger)
    first = record_results(ledger, "x", answers("11", "10"))
    again = record_results(ledger, "x", answers("11", "10"))
    assert (first.seq, first.repeated) == (1, False)
    assert (again.seq, again.repeated, again.hash) == (1, True, first.hash)
    assert progress(ledger).n == 2
    assert sound(ledger)


def test_a_key_stands_for_one_batch(ledger):
    begin(ledger)
    record_results(ledger, "x", answers("11"), key="monday")
    assert record_results(ledger, "x", answers("11"), key="monday").repeated
    with pytest.raises(LedgerError, match="used for another batch") as caught:
        record_results(ledger, "x", answers("10", first=5), key="monday")
    assert caught.value.code == "key-reused"


def test_an_item_never_counts_twice_for_one_system(ledger):
    begin(ledger)
    record_results(ledger, "x", answers("11", "10"))
    with pytest.raises(LedgerError, match=r"already: i1 \(a\), i1 \(b\)") as caught:
        record_results(ledger, "x", answers("10", "11", first=1))
    assert caught.value.code == "item-counted"
    assert progress(ledger).n == 2
    with pytest.raises(LedgerError, match="appear twice for one system in this batch: i7"):
        record_results(ledger, "x", [Answer("i7", "a", True), Answer("i7", "a", True)])
    assert sound(ledger)


def test_a_file_that_grows_is_added_without_what_is_there(ledger):
    begin(ledger)
    record_results(ledger, "x", answers("11", "10"))
    more = record_results(ledger, "x", answers("11", "10", "01"), repeated="skip")
    assert more.results == 2
    assert progress(ledger).n == 3
    with pytest.raises(LedgerError, match=r"otherwise than the ledger: i0 \(a\)"):
        record_results(ledger, "x", answers("01", "10", "01", "11"), repeated="skip")
    assert sound(ledger)


def test_an_item_counts_when_the_last_system_has_answered(ledger):
    begin(ledger)
    record_results(ledger, "x", answers("1-", "1-", "0-"))
    assert (progress(ledger).n, progress(ledger).seen) == (0, 3)
    record_results(ledger, "x", answers("-0", "-1"))
    assert progress(ledger).patterns == {0b01: 1, 0b11: 1}
    assert list(ledger.waiting("x")) == ["i2"]
    assert sound(ledger)


def test_a_correction_says_what_it_replaces_and_all_is_decided_anew(ledger):
    begin(ledger, "best >= 0.95 or n >= 1000", order="given")
    record_results(ledger, "x", answers(*["10"] * 2, "11", *["10"] * 3))
    assert progress(ledger).stop is None or progress(ledger).stop.n <= 6
    before = progress(ledger)
    corrected = record_correction(ledger, "x", answers("01", "01", "11", "11", "11", "11"))
    assert corrected.seq == 2
    assert progress(ledger).patterns == {0b10: 2, 0b11: 4}
    assert progress(ledger).stop != before.stop
    twice = record_correction(ledger, "x", answers("10", "-1"))
    assert '"replaces":[2]' in ledger.entries("x")[twice.seq].body
    assert progress(ledger).patterns == {0b01: 1, 0b10: 1, 0b11: 4}
    assert sound(ledger)


def test_a_correction_back_to_what_was_said_before_is_a_correction_of_its_own(ledger):
    start_campaign(ledger, "x", Protocol(systems=("a", "b"), rule="n >= 1000"))
    record_results(ledger, "x", answers("11"))
    wrong, right = answers("0-"), answers("1-")
    seen = [record_correction(ledger, "x", given).seq for given in (wrong, right, wrong, right)]
    assert seen == [2, 3, 4, 5]
    assert corrected(ledger) == [1, 1]
    last = record_correction(ledger, "x", wrong)
    again = record_correction(ledger, "x", wrong)
    assert (last.repeated, again.repeated, again.seq) == (False, True, last.seq)
    assert corrected(ledger) == [0, 1]


def test_a_key_tells_submissions_apart_whatever_they_hold(ledger):
    start_campaign(ledger, "x", Protocol(systems=("a", "b"), rule="n >= 1000"))
    record_results(ledger, "x", answers("11"))
    for key, given in (("k1", "0-"), ("k2", "1-"), ("k3", "0-")):
        assert not record_correction(ledger, "x", answers(given), key=key).repeated
    assert record_correction(ledger, "x", answers("0-"), key="k1").repeated
    assert corrected(ledger) == [0, 1]


def test_only_what_is_recorded_can_be_corrected(ledger):
    begin(ledger)
    record_results(ledger, "x", answers("1-"))
    with pytest.raises(LedgerError, match=r"cannot be found: i0 \(b\)"):
        record_correction(ledger, "x", answers("11"))
    assert progress(ledger).n == 0


def test_a_system_that_drops_out_holds_no_item_up(ledger):
    begin(ledger, systems=("a", "b", "c"))
    record_results(ledger, "x", answers("111", "10-", "0-1", systems="abc"))
    assert progress(ledger).n == 1
    record_drop(ledger, "x", "c", reason="withdrawn")
    assert progress(ledger).n == 2
    assert [progress(ledger).protocol.systems[p] for p in progress(ledger).running] == ["a", "b"]
    with pytest.raises(LedgerError, match="c left this campaign"):
        record_results(ledger, "x", answers("--1", systems="abc", first=9))
    assert record_drop(ledger, "x", "c").repeated
    assert sound(ledger)


def test_with_one_system_left_there_is_nothing_to_decide(ledger):
    begin(ledger)
    record_drop(ledger, "x", "b")
    assert progress(ledger).stop.verdict == "one system left"
    with pytest.raises(RequestError, match="Choose one of: a, b"):
        record_drop(ledger, "x", "z")


def test_results_after_the_stop_are_kept_and_marked(ledger):
    begin(ledger)
    record_results(ledger, "x", answers("11"))
    record_close(ledger, "x", reason="the rig broke")
    record_results(ledger, "x", answers("10", first=1))
    found = progress(ledger)
    assert (found.n, found.after, found.stop.reason) == (1, 1, "closed")
    assert record_close(ledger, "x").repeated
    assert sound(ledger)


def test_a_late_system_is_no_part_of_the_protocol(ledger):
    begin(ledger)
    with pytest.raises(LedgerError, match="names a, b, not d") as caught:
        record_results(ledger, "x", [Answer("i", "d", True)])
    assert caught.value.code == "system-unknown"


def test_a_listed_system_may_begin_late(ledger):
    begin(ledger, "best >= 0.99 or n >= 4")
    record_results(ledger, "x", answers("1-", "1-", "1-", "0-"))
    record_results(ledger, "x", answers("-1", "-1", "-1", "-0"))
    assert progress(ledger).stop.reason == "used up"
    assert sound(ledger)


def test_another_protocol_under_the_same_name_is_refused(ledger):
    begin(ledger)
    again = start_campaign(ledger, "x", Protocol(systems=("a", "b"), rule="n >= 1000"))
    assert again.repeated
    with pytest.raises(LedgerError, match="frozen since before its first result") as caught:
        start_campaign(ledger, "x", Protocol(systems=("a", "b"), rule="n >= 1001"))
    assert caught.value.code == "protocol-changed"


def test_one_database_holds_many_campaigns(ledger):
    begin(ledger)
    start_campaign(ledger, "y", Protocol(systems=("a", "b"), rule="n >= 5"))
    record_results(ledger, "x", answers("11"))
    record_results(ledger, "y", answers("11", "10"))
    assert ledger.names() == ["x", "y"]
    assert progress(ledger).n == 1
    with pytest.raises(LedgerError, match=r"No campaign 'z' in .* Campaigns: x, y"):
        ledger.read("z")
    assert check_ledger(ledger, "y").bad is None


def test_independent_items_count_one_by_one(ledger):
    begin(ledger, "n >= 3", pairing="independent", order="given")
    record_results(ledger, "x", [Answer(f"a{k}", "a", True) for k in range(5)])
    assert progress(ledger).n == 0
    record_results(ledger, "x", [Answer(f"b{k}", "b", k > 0) for k in range(4)])
    found = progress(ledger)
    assert (found.n, found.after, found.stop.reason) == (3, 1, "used up")
    assert found.correct == [5, 2]
    assert sound(ledger)


@pytest.mark.parametrize("item", ["", "x" * 501, "a\0b"])
def test_item_ids_that_no_database_holds_are_refused(ledger, item):
    begin(ledger)
    with pytest.raises(LedgerError, match="Item ids need"):
        record_results(ledger, "x", [Answer(item, "a", True)])


def test_an_empty_batch_and_an_empty_name_are_refused(ledger):
    begin(ledger)
    with pytest.raises(LedgerError, match="holds no results"):
        record_results(ledger, "x", [])
    with pytest.raises(RequestError, match="needs a name"):
        start_campaign(ledger, " ", Protocol(systems=("a", "b"), rule="n >= 5"))

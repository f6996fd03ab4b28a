"""Whatever is changed behind the back of a ledger is found, at its first place."""

import json
from dataclasses import replace

import pytest

from steelyard.campaigns.checking import check_ledger
from steelyard.campaigns.ledger import Ledger
from steelyard.campaigns.ledger.records import seal
from steelyard.campaigns.protocol import Protocol, canonical
from steelyard.campaigns.recording import Answer, record_correction, record_results, start_campaign
from steelyard.errors import LedgerError
from steelyard.journey.campaigns.campaign import Campaign


@pytest.fixture
def filled(ledger):
    start_campaign(ledger, "x", Protocol(systems=("a", "b"), rule="best >= 0.9 or n >= 50"))
    for number in range(5):
        batch = [
            Answer(f"{number}-{place}", system, (place + bit * number) % 3 > 0)
            for place in range(4)
            for bit, system in enumerate("ab")
        ]
        record_results(ledger, "x", batch)
    assert check_ledger(ledger, "x").bad is None
    return ledger


def change(ledger, statement):
    with ledger.engine.connect().execution_options(writes=True) as connection, connection.begin():
        assert connection.exec_driver_sql(statement).rowcount > 0


@pytest.mark.parametrize(
    ("statement", "place", "words"),
    [
        ("UPDATE steelyard_result SET correct = 1 - correct WHERE item = '2-1'", 3, "results"),
        ("DELETE FROM steelyard_result WHERE item = '1-1' AND system = 0", 2, "results"),
        ("UPDATE steelyard_result SET item = 'new' WHERE item = '0-0'", 1, "results"),
        ("UPDATE steelyard_entry SET body = '{}' WHERE seq = 2", 2, "sealed"),
        ("UPDATE steelyard_entry SET recorded = '2001-01-01' WHERE seq = 4", 4, "sealed"),
        ("UPDATE steelyard_entry SET reading = '{}' WHERE seq = 1", 1, "sealed"),
        ("UPDATE steelyard_entry SET previous = 'x' WHERE seq = 3", 3, "follow"),
        ("DELETE FROM steelyard_entry WHERE seq = 3", 3, "missing"),
        ("DELETE FROM steelyard_entry WHERE seq = 5", 5, "entry that does not exist"),
        ("UPDATE steelyard_result SET seq = 77 WHERE item = '4-0'", 5, "results"),
        ("UPDATE steelyard_campaign SET state = replace(state, '\"n\":', '\"n\":1')", 6, "counts"),
        ("UPDATE steelyard_campaign SET head = 9", 6, "missing at the end"),
        ("UPDATE steelyard_item SET counted = 4 WHERE item = '0-0'", 6, "list of items"),
    ],
)
def test_the_first_bad_entry_is_named(filled, statement, place, words):
    change(filled, statement)
    found = check_ledger(filled, "x")
    assert found.bad == place
    assert words in found.reason


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE steelyard_campaign SET state = replace(state, '\"n\":', '\"n\":1')",
        "UPDATE steelyard_campaign SET state = '{}'",
        "UPDATE steelyard_campaign SET head = 4",
        "UPDATE steelyard_campaign SET head = 9",
        "UPDATE steelyard_entry SET reading = '{}' WHERE seq = 5",
        "DELETE FROM steelyard_entry WHERE seq = 5",
    ],
)
def test_counts_that_were_changed_are_neither_shown_nor_built_upon(filled, statement):
    campaign = Campaign(filled, "x")
    change(filled, statement)
    more = [Answer("more", system, True) for system in "ab"]
    asked = [campaign.status, campaign.next, lambda: record_results(filled, "x", more)]
    for ask in asked:
        with pytest.raises(LedgerError, match="campaign verify") as caught:
            ask()
        assert caught.value.code == "damaged"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE steelyard_result SET correct = 1 - correct WHERE item = '2-1' AND system = 0",
        "DELETE FROM steelyard_result WHERE item = '1-1' AND system = 0",
    ],
)
def test_results_that_do_not_add_up_to_the_counts_are_noticed_by_a_look(filled, statement):
    campaign = Campaign(filled, "x")
    wrong = [Answer("0-1", "a", False), Answer("3-2", "b", False)]
    record_correction(filled, "x", wrong)
    record_correction(filled, "x", [wrong[0]._replace(right=True)])
    assert campaign.status().entries == 8
    change(filled, statement)
    with pytest.raises(LedgerError, match="Results of the campaign 'x' changed"):
        campaign.status()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE steelyard_item SET correct = 3 - correct WHERE item = '2-1'",
        "UPDATE steelyard_item SET tested = 1 WHERE item = '2-1'",
        "DELETE FROM steelyard_item WHERE item = '1-1'",
    ],
)
def test_a_list_of_items_that_does_not_add_up_to_the_counts_is_noticed_by_a_look(filled, statement):
    campaign = Campaign(filled, "x")
    record_correction(filled, "x", [Answer("0-1", "a", False), Answer("3-2", "b", False)])
    assert campaign.status().entries == 7
    change(filled, statement)
    with pytest.raises(LedgerError, match="The list of items of the campaign 'x' changed"):
        campaign.status()
    assert check_ledger(filled, "x").reason.startswith("the list of items")


def test_the_masks_of_sixty_systems_are_summed_whole(ledger):
    names = tuple(f"s{place}" for place in range(60))
    start_campaign(ledger, "x", Protocol(systems=names, rule="n >= 50"))
    record_results(ledger, "x", [Answer(f"{i}", name, True) for i in range(9) for name in names])
    found = ledger.view("x", lambda view: view.totals())
    assert found == (540, 540, 9, 9 * (2**60 - 1), 9 * (2**60 - 1))
    assert Campaign(ledger, "x").status().items == 9


def test_counts_that_no_entry_seals_are_found_anew_from_the_results(filled):
    campaign = Campaign(filled, "x")
    before = campaign.status()
    (last,) = filled.entries("x", places=[5])
    told = json.loads(last.reading)
    del told["state"]
    older = replace(last, reading=canonical(told))
    renewed = seal(older, protocol_hash=campaign.protocol.hash)
    change(
        filled,
        f"UPDATE steelyard_entry SET hash = '{renewed}', reading = '{older.reading}' WHERE seq = 5",
    )
    change(filled, f"UPDATE steelyard_campaign SET head_hash = '{renewed}', state = '{{}}'")
    assert replace(campaign.status(), head_hash=before.head_hash) == before
    record_results(filled, "x", [Answer("more", system, True) for system in "ab"])
    assert check_ledger(filled, "x").bad is None


def test_a_changed_protocol_is_refused_before_anything_is_answered(filled):
    change(filled, "UPDATE steelyard_campaign SET protocol = replace(protocol, '50', '60')")
    with pytest.raises(LedgerError, match="frozen") as caught:
        check_ledger(filled, "x")
    assert caught.value.code == "protocol-changed"


def test_an_entry_that_was_sealed_anew_breaks_the_one_after_it(filled):
    stored, entry = filled.read("x"), filled.entries("x", places=[2])[0]
    told = json.loads(entry.reading) | {"n": 1}
    forged = type(entry)(
        **{name: getattr(entry, name) for name in entry.__slots__}
        | {"reading": json.dumps(told), "hash": ""}
    )
    hashed = seal(forged, protocol_hash=stored.protocol.hash)
    change(
        filled,
        f"UPDATE steelyard_entry SET hash = '{hashed}', reading = '{forged.reading}' WHERE seq = 2",
    )
    found = check_ledger(filled, "x")
    assert (found.bad, found.reason) == (3, "it does not follow from the entry before it")


def test_a_ledger_that_was_cut_is_found_by_a_hash_noted_down(filled):
    noted = filled.read("x").head_hash
    assert check_ledger(filled, "x", head=noted).bad is None
    found = check_ledger(filled, "x", head="0" * 64)
    assert found.bad == 5
    assert "cut or rewritten" in found.reason


def test_a_file_that_is_no_ledger_is_refused_with_a_way_out(tmp_path):
    text = tmp_path / "notes.db"
    text.write_text("not a database, but long enough to be read as one " * 100)
    with pytest.raises(LedgerError, match="not a ledger, or is damaged"):
        Ledger(str(text)).read("x")
    with pytest.raises(LedgerError, match=r"no such ledger\. Start a campaign first"):
        Ledger(str(tmp_path / "absent.db"))
    with pytest.raises(LedgerError, match="no folder"):
        Ledger(str(tmp_path / "no" / "absent.db"), create=True)


def test_a_changed_number_at_the_stop_is_found():
    from steelyard.campaigns.checking import _near

    kept = {"stop": {"value": 0.893}}
    assert not _near(kept, {"stop": {"value": 0.993}})
    assert _near({"stop": {"value": 0.993}}, {"stop": {"value": 0.993 * (1 + 1e-12)}})
    assert _near({"stop": None}, {"stop": None})

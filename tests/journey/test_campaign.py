"""A campaign from Python: created, fed with anything, asked at any time."""

import json
from importlib.resources import files
from pathlib import Path

import pandas as pd
import pytest

import steelyard as sy
from steelyard.errors import LedgerError, NotComparable, RefusedData, RequestError

LETTERS = Path(str(files("steelyard") / "data" / "letter_labels.csv"))
SIX = ["lda", "knn3", "rf", "svm", "rpart", "nb"]


@pytest.fixture
def start(tmp_path):
    def begin(stop="best >= 0.95 or n >= 100", systems=("cnn", "svm"), **rest):
        return sy.Campaign.create(tmp_path / "radar.db", systems=list(systems), stop=stop, **rest)

    return begin


def batch(*patterns, first=0):
    """Columns of items on which the two systems were right (1) or wrong (0)."""
    return {
        "item": [f"i{first + n}" for n in range(len(patterns))],
        "cnn": [int(p[0]) for p in patterns],
        "svm": [int(p[1]) for p in patterns],
    }


BOTH = {"outcome": ["cnn", "svm"]}


def test_a_chance_that_was_drawn_is_never_certain_and_equals_are_level(start):
    three = start("best >= 0.999 or n >= 1000", ["cnn", "svm", "tree"])
    rows = {"item": list(range(120)), "cnn": [1, 0] * 60, "svm": [0, 1] * 60, "tree": [0] * 120}
    status = three.add(rows, outcome=["cnn", "svm", "tree"])
    assert "cnn and svm are level" in status.sentence()
    assert {one.system for one in status.leaders} == {"cnn", "svm"}
    (last,) = (row for row in status.tables()[0].rows if row[0] == "tree")
    assert last[4] == "<0.001"


def test_a_campaign_says_go_on_until_its_rule_says_stop(start):
    campaign = start()
    assert campaign.status().sentence().startswith("Go on: no item counts yet.")
    status = campaign.add(batch("10", "11", "00"), **BOTH)
    assert status.sentence().startswith("Go on: after 3 items cnn leads")
    status = campaign.add(batch("10", "10", "10", first=3), **BOTH)
    assert status.stop.winner == "cnn"
    assert status.sentence().startswith("Stop: cnn is the best with probability 0.9")
    assert status.recorded == "Recorded as entry 2: 6 results."


def test_the_same_batch_again_is_told_so(start):
    campaign = start()
    campaign.add(batch("10"), **BOTH)
    again = campaign.add(batch("10"), **BOTH)
    assert again.recorded == "Entry 1 was there already: nothing was recorded twice."
    assert again.items == 1


def test_any_source_will_do(start, tmp_path):
    campaign = start("n >= 1000")
    wide = tmp_path / "wide.csv"
    wide.write_text("id,truth,cnn,svm\n007,x,x,y\n008,y,y,y\n")
    assert campaign.add(wide).items == 2
    long = tmp_path / "long.csv"
    long.write_text("item,system,outcome\n9,cnn,1\n9,svm,0\n10,cnn,1\n10,svm,1\n")
    assert campaign.add(long).items == 4
    frame = pd.DataFrame(batch("11", first=20))
    assert campaign.add(frame, **BOTH).items == 5
    parts = {}
    for name in ("cnn", "svm"):
        parts[name] = tmp_path / f"{name}.csv"
        parts[name].write_text("id,truth,called\n30,x,x\n31,y,x\n")
    assert campaign.add(parts).items == 7
    assert "007" in campaign.export()


def test_systems_may_report_one_after_the_other(start, tmp_path):
    campaign = start("n >= 1000")
    for name in ("cnn", "svm"):
        path = tmp_path / f"{name}.csv"
        path.write_text(f"id,truth,{name}\n1,x,x\n2,y,x\n")
        status = campaign.add(path)
    assert (status.items, status.waiting) == (2, 0)


def test_a_rig_reports_single_results(start):
    campaign = start("n >= 1000")
    status = campaign.report([{"item": 1, "system": "cnn", "right": True}], key="rig-1")
    assert (status.items, status.waiting) == (0, 1)
    assert "1 item wait" in "\n".join(status.details())
    status = campaign.report([{"item": 1, "system": "svm", "right": 0}])
    assert status.items == 1
    for wrong in ({"item": 1}, {"item": 1, "system": "cnn", "right": "yes"}, "no"):
        with pytest.raises(LedgerError, match="Result 1"):
            campaign.report([wrong])


def test_items_without_ids_are_refused(start):
    with pytest.raises(RequestError, match="knows items by their ids"):
        start().add({"cnn": [1, 0], "svm": [0, 1]}, **BOTH)


def test_scores_need_a_threshold(start):
    scores = {"item": [1, 2], "truth": [0, 1], "cnn": [0.2, 0.7], "svm": [0.1, 0.4]}
    with pytest.raises(NotComparable, match="threshold"):
        start().add(scores, positive=1)


def test_a_small_batch_need_not_hold_every_class(start):
    campaign = start("n >= 100")
    campaign.add({"item": [1, 2], "truth": ["A", "B"], "cnn": ["A", "B"], "svm": ["B", "C"]})
    campaign.add({"item": [3], "truth": ["D"], "cnn": ["D"], "svm": ["E"]})
    campaign.add({"item": [4], "truth": [1], "cnn": [1], "svm": [0]})
    scores = {"truth": [0], "cnn": [0.2], "svm": [0.7]}
    campaign.add({"item": [5], **scores}, positive=1, threshold=0.5)
    status = campaign.add({"item": [6], **scores, "truth": [1]}, positive=1, threshold=0.5)
    assert [(one.correct, one.tested) for one in status.systems] == [(5, 6), (1, 6)]
    assert campaign.verify().bad is None


def test_right_and_wrong_are_not_mistaken_for_classes_of_a_small_batch(start):
    campaign = start("n >= 100")
    with pytest.raises(RefusedData, match="outcome='cnn'"):
        campaign.add({"item": [1], "truth": ["dog"], "cnn": [1], "svm": [0]})
    with pytest.raises(RefusedData, match="never true: E"):
        campaign.add({"item": [1], "truth": ["D"], "cnn": ["D"], "svm": ["E"]}, classes=["D", "F"])
    with pytest.raises(RequestError, match="open_classes"):
        campaign.add({"item": [1], "truth": ["D"], "cnn": ["D"], "svm": ["D"]}, open_classes=True)


def test_independent_systems_have_items_of_their_own(start):
    campaign = start("best >= 0.999 or n >= 50", pairing="independent")
    own = {"item": ["a1", "a2", "b1"], "cnn": [1, 1, None], "svm": [None, None, 0]}
    status = campaign.add(pd.DataFrame(own), **BOTH)
    assert (status.items, status.results, status.waiting) == (1, 3, 0)
    found = campaign.next()
    assert found.scheme == "top-two Thompson"
    assert found.sentence().startswith(f"Test {found.pick} on the next item")


def test_a_correction_is_kept_beside_what_it_corrects(start):
    campaign = start("n >= 1000")
    campaign.add(batch("10", "10"), **BOTH)
    status = campaign.correct({"item": ["i0"], "cnn": [0]}, outcome=["cnn"])
    assert [one.correct for one in status.systems] == [1, 0]
    kinds = [one.kind for one in campaign.history().entries]
    assert kinds == ["protocol", "results", "correction"]
    assert campaign.history().entries[2].note == "replaces results of entry 1"
    assert campaign.verify().bad is None


def test_a_system_may_leave_and_a_campaign_may_be_closed(start):
    campaign = start("n >= 1000", systems=("cnn", "svm", "knn"))
    status = campaign.drop("knn", reason="withdrawn")
    assert [one.state for one in status.systems] == ["running", "running", "left"]
    status = campaign.close(reason="enough")
    assert status.sentence() == "Stop without a decision: it was closed after 0 items."
    assert campaign.next().sentence() == "radar has stopped: there is nothing to test."


def test_a_campaign_is_opened_by_its_file_or_by_its_name(tmp_path):
    where = tmp_path / "team.db"
    sy.Campaign.create(where, "one", systems=["a", "b"], stop="n >= 5")
    assert sy.Campaign.open(where).name == "one"
    sy.Campaign.create(where, "two", systems=["a", "b"], stop="n >= 5")
    assert sy.Campaign.open(where, "two").name == "two"
    with pytest.raises(LedgerError, match="several campaigns: one, two"):
        sy.Campaign.open(where)
    with pytest.raises(RequestError, match="Name this one"):
        sy.Campaign.create("postgresql+psycopg://h/x", systems=["a", "b"], stop="n >= 5")
    with pytest.raises(RequestError, match="list of names"):
        sy.Campaign.create(where, systems="ab", stop="n >= 5")


def test_the_export_holds_everything(start):
    campaign = start("n >= 1000")
    campaign.add(batch("10", "01"), **BOTH)
    lines = [json.loads(line) for line in campaign.export().splitlines()]
    assert lines[0]["protocol"]["rule"] == "n >= 1000"
    assert [line["kind"] for line in lines[1:3]] == ["protocol", "results"]
    assert sum("item" in line for line in lines) == 4


def test_the_rule_is_shown_for_what_it_does(start):
    found = start("best >= 0.975 or n >= 1000").simulate([0.8, 0.8], discordance=0.2)
    assert found.sentence().startswith("Without a difference it names a winner in 42.3%")
    usual = start("best >= 0.975 or n >= 1000").simulate()
    assert len(usual.behaviours) == 3
    named = start("best >= 0.975 or n >= 1000").simulate({"svm": 0.9, "cnn": 0.8})
    assert named.behaviours[0].rates == (0.8, 0.9)
    with pytest.raises(RequestError, match="Rates for x"):
        start("best >= 0.975 or n >= 1000").simulate({"x": 0.9})
    with pytest.raises(RequestError, match="correlation"):
        start("best >= 0.975 or n >= 1000").simulate(correlation=1.0)


def test_the_letters_campaign_finds_the_winner_of_the_whole_set_early(tmp_path):
    campaign = sy.Campaign.create(tmp_path / "letters.db", systems=SIX, stop="racing or n >= 2000")
    status = campaign.add(LETTERS, item="id", truth="truth")
    whole = sy.compare(LETTERS, item="id", truth="truth")
    best = max(whole.systems, key=lambda one: one.best or 0)
    assert status.stop.winner == best.system
    assert status.stop.items < 2000
    assert status.items + status.after == 2000
    assert campaign.verify().bad is None

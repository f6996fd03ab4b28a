"""Pages of one question: the answer of the verb, what to type for it, no file but its own."""

import html
import re
import shlex
from importlib.resources import files
from pathlib import Path

import pytest

import steelyard as sy
from steelyard.surfaces.web.examples import EXAMPLES
from tests.typed import type_words

DATA = Path(str(files("steelyard") / "data"))
ASKED = {
    "calibration": ("wdbc_scores.csv", {"positive": "1", "systems": ["rf", "nb"], "bins": "5"}),
    "targeting": (
        "wdbc_scores.csv",
        {"positive": "1", "systems": ["rf"], "budget": "20", "net_benefit": "0.1, 0.3"},
    ),
    "agreement": ("digits_labels.csv", {"systems": ["rf", "nb"], "weights": "linear"}),
    "gate": (
        "digits_labels.csv",
        {"require": "not worse by 0.01", "candidate": "svm", "baseline": "knn3"},
    ),
}
CALLED = {
    "calibration": lambda path: sy.calibration(path, positive="1", systems=["rf", "nb"], bins=5),
    "targeting": lambda path: sy.targeting(
        path, positive="1", systems=["rf"], budget=20, net_benefit=[0.1, 0.3]
    ),
    "agreement": lambda path: sy.agreement(path, systems=["rf", "nb"], weights="linear"),
    "gate": lambda path: sy.gate(
        path, require="not worse by 0.01", candidate="svm", baseline="knn3"
    ),
}


@pytest.fixture
def keys(here):
    return {one.name: one.key for one in here.uploads.list_files() if one.example}


@pytest.mark.parametrize("page", ASKED)
def test_a_page_answers_as_the_verb_does_and_says_what_to_type(here, client, ask, keys, page):
    file, state = ASKED[page]
    shell = client.get(f"/{page}", params={"data": keys[file]}).text
    for name in set(state) - {"positive", "systems"}:
        assert f'name="{name}"' in shell
    found = ask(page, data=keys[file], **state)
    assert "refused" not in found, found
    expected = CALLED[page](DATA / file)
    pairs = [
        ("data", keys[file]),
        *((n, v) for n, g in state.items() for v in ([g] if isinstance(g, str) else g)),
    ]
    given = client.get(f"/download/{page}/result.json", params=pairs).json()
    told = sy.read_result(client.get(f"/download/{page}/result.json", params=pairs).text)
    assert told.sentence() == expected.sentence()
    assert given["sentence"] == expected.sentence()
    assert len(found["charts"]) == len(expected.charts())
    words = shlex.split(found["command"].replace(found["command"].split()[2], file, 1))[1:]
    typed = type_words(words, folder=DATA)
    assert " ".join(expected.sentence().split()) in " ".join(typed.out.split())


def test_a_gate_waits_for_what_is_required_and_shows_the_columns_meanwhile(ask, keys):
    found = ask("gate", data=keys["digits_labels.csv"])
    assert found["html"] == ""
    assert "knn3" in found["understood"]


@pytest.mark.parametrize("page", ["gate", "evaluate"])
def test_false_alarms_are_counted_over_a_column_or_an_amount(client, ask, page):
    content = (DATA / "radar_scans.csv").read_bytes()
    sent = client.post("/files", content=content, headers={"X-File-Name": "radar_scans.csv"})
    state = {"data": sent.json()["data"], "positive": "ship", "systems": ["new", "old"]}
    if page == "gate":
        state |= {"candidate": "new", "claim": "false alarms at most 2 per hour"}
    for exposure, cluster in (("hours", "watch"), ("24 h", "")):
        found = ask(page, **state, exposure=exposure, cluster=cluster)
        assert "refused" not in found, found
        assert "0.917" in found["html"]


def test_several_claims_stand_one_a_line_and_all_must_hold(client, ask, keys):
    claims = ["accuracy at least 0.9", "recall of 8 at least 0.5"]
    state = {"data": keys["digits_labels.csv"], "candidate": "svm"}
    found = ask("gate", **state, claim=claims)
    expected = sy.gate(DATA / "digits_labels.csv", candidate="svm", claim=claims)
    assert expected.sentence() in html.unescape(found["html"])
    words = shlex.split(found["command"])
    assert [words[n + 1] for n, word in enumerate(words) if word == "--claim"] == claims
    shell = client.get("/gate", params={**state, "claim": claims}).text
    assert re.search(
        "<textarea[^>]* name=.claim.[^>]*>\n" + "\n".join(claims) + "</textarea>", shell
    )


def test_an_exposure_has_a_control_where_systems_are_evaluated(client, ask):
    content = (DATA / "radar_scans.csv").read_bytes()
    sent = client.post("/files", content=content, headers={"X-File-Name": "radar_scans.csv"})
    state = {"data": sent.json()["data"], "positive": "ship", "systems": ["new", "old"]}
    found = ask("evaluate", **state, exposure="hours")
    assert re.search('name="exposure"[^>]* value="hours"', found["understood"])
    assert "false alarms" in found["html"]
    assert 'name="exposure"' not in ask("compare", **state)["understood"]
    refused = ask("evaluate", **state, exposure="no such")
    assert "no such" in refused["refused"] and 'value="no such"' in refused["understood"]


def test_a_judges_columns_are_chosen_for_what_people_labelled(ask, keys):
    data = keys["judged_answers.csv"]
    columns = {"value": ["a.grade", "b.grade"], "range": "1,5"}
    waiting = ask("compare", data=data)["understood"]
    assert "Tick first" in waiting and 'name="judge"' not in waiting
    missing = ask("compare", data=data, **columns)
    selects = re.findall(
        '<select name="judge" id="say-judge-([12])"( disabled)?>', missing["understood"]
    )
    assert selects == [("1", ""), ("2", " disabled")]
    half = ask("compare", data=data, **columns, judge="a.judge")
    assert "judge" in half["refused"]
    assert '<option value="a.judge" selected>' in half["understood"]
    assert 'id="say-judge-2">' in half["understood"]
    judge = ["a.judge", "b.judge"]
    path = DATA / "judged_answers.csv"
    for page, answer in (("compare", sy.compare), ("evaluate", sy.evaluate)):
        found = ask(page, data=data, **columns, judge=judge)
        expected = answer(path, value=["a.grade", "b.grade"], judge=judge, range=(1, 5))
        assert expected.sentence().partition(";")[0] in html.unescape(found["html"])
        assert "judge minus people" in found["html"]
        assert "--judge a.judge,b.judge" in found["command"]
        assert found["understood"].count("selected>a.judge</option>") == 1


def test_an_acceptance_test_is_planned_on_the_page(ask):
    state = {"question": "accept", "rates": "A=0.95"}
    assert ask("plan", **state)["html"] == ""
    found = ask("plan", **state, claim="P_D at least 0.9")
    wanted = sy.plan([0.95], question="accept", claim="P_D at least 0.9")
    assert wanted.sentence() in found["html"]
    assert found["command"].startswith("steelyard plan accept --rates A=0.95 --claim")
    hours = ask("plan", **state | {"rates": "A=0.5"}, claim="false alarms at most 2 per hour")
    assert "Hours" in hours["html"]
    assert "Events" in hours["html"]


def test_a_baseline_is_a_system_of_the_file_and_never_another_file(ask, keys, tmp_path):
    other = tmp_path / "other.csv"
    other.write_text("id,truth,called\n1,9,9\n")
    for name in (str(other), "/etc/passwd", "main.csv"):
        found = ask(
            "gate", data=keys["digits_labels.csv"], require="better", baseline=name, candidate="svm"
        )
        assert "“Baseline”" in found["refused"]
        assert "knn3" in found["refused"]


def test_weights_of_a_page_are_words_and_never_a_file(ask, keys):
    found = ask("agreement", data=keys["digits_labels.csv"], weights="/etc/passwd")
    assert "linear" in found["refused"]


@pytest.mark.parametrize("page", ASKED)
def test_an_example_is_one_click_away_and_answers(client, ask, keys, page):
    offered = [one for one in EXAMPLES if page in one.pages]
    assert offered
    for one in offered:
        state = {**one.state, **one.more.get(page, {})}
        assert one.about in client.get(f"/{page}").text
        found = ask(page, data=keys[one.file], **state)
        assert 'class="answer"' in found["html"], found


def test_a_refusal_names_the_control_of_its_page(ask, keys):
    found = ask("gate", data=keys["digits_labels.csv"], require="better")
    assert "“Candidate”: logreg and “Baseline”: tree" in found["refused"]
    assert found["field"] == "candidate"


def test_a_gate_proposes_the_systems_of_the_file(client, ask, keys):
    found = ask("gate", data=keys["digits_labels.csv"], require="not worse by 0.01")
    assert '<datalist id="known-systems">' in found["understood"]
    assert '<option value="knn3"></option>' in found["understood"]
    shell = client.get("/gate", params={"data": keys["digits_labels.csv"]}).text
    assert len(re.findall('list="known-systems"', shell)) == 2

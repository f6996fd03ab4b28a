"""The pages: the same numbers and words as everywhere, and every name from data is text."""

import json
import re
import shlex
from html import unescape
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest

import steelyard as sy
from steelyard.errors import SteelyardError
from steelyard.journey import exploring as looking
from steelyard.journey.reporting import report_content
from steelyard.surfaces.report import save_content
from steelyard.surfaces.web.examples import EXAMPLES
from steelyard.surfaces.web.pages import file_panel
from steelyard.surfaces.web.pages.page_words import name_controls
from tests.typed import type_words

DATA = Path(str(files("steelyard") / "data"))
SCRIPTS = Path(str(files("steelyard") / "surfaces"))
XSS = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' onmouseover='alert(1)",
    "{{7*7}}${7*7}",
    "javascript:alert(1)",
    "\u2028\u2029\x1b[31m",
]


class Tags(HTMLParser):
    """Collects every tag and attribute of a page."""

    def __init__(self):
        super().__init__()
        self.tags, self.attributes = set(), set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)


def tags_of(html):
    found = Tags()
    found.feed(html)
    return found


@pytest.fixture
def wdbc(client):
    content = (DATA / "wdbc_scores.csv").read_bytes()
    return client.post(
        "/files", content=content, headers={"X-File-Name": "my%20scores.csv"}
    ).json()["data"]


def text_of(html):
    return unescape(re.sub("<[^>]+>", "", html))


def in_words(sentence):
    return sentence.replace("`steelyard compare`", "Compare")


def test_the_answer_has_the_sentence_and_the_numbers_of_the_command_line(ask, wdbc):
    found = ask("evaluate", data=wdbc, positive="1")
    result = sy.evaluate(DATA / "wdbc_scores.csv", positive="1")
    assert in_words(result.sentence()) in text_of(found["html"])
    assert [chart["name"] for chart in found["charts"]][:4] == [
        "roc",
        "corner",
        "scores",
        "thresholds",
    ]
    assert found["command"] == "steelyard evaluate 'my scores.csv' --positive 1"
    assert 'sy.evaluate("my scores.csv", positive="1")' in found["python"]


def test_every_stop_of_the_slider_was_counted_by_python(ask, wdbc):
    slider = ask("evaluate", data=wdbc, positive="1", shown="svm")["slider"]
    chosen = sy.threshold(DATA / "wdbc_scores.csv", positive="1", score="svm", resamples=0)
    assert set(slider["methods"]) == {
        one.method for one in chosen.methods if one.threshold is not None
    }
    for one in chosen.methods:
        stop = slider["stops"][slider["methods"][one.method]]
        assert stop["at"] == one.threshold
        counts = [int(text.replace(",", "")) for text in stop["counts"]]
        assert counts[0] == one.recall.successes
        assert counts[3] == one.specificity.successes
        assert sum(counts) == 285
    assert slider["start"] == slider["methods"]["max-kappa"]


def test_a_link_brings_the_threshold_and_the_system_back(ask, wdbc):
    slider = ask("evaluate", data=wdbc, positive="1", shown="rf", at="0.5")["slider"]
    assert slider["system"] == "rf"
    assert slider["stops"][slider["start"]]["at"] == 0.5
    assert ask("evaluate", data=wdbc, positive="1", shown="nobody", at="x")["slider"]["stops"]


def test_page_and_report_begin_at_the_same_threshold_for_the_same_reason(ask, client, wdbc):
    slider = ask("evaluate", data=wdbc, positive="1")["slider"]
    report = client.get("/download/evaluate/report.html", params={"data": wdbc, "positive": "1"})
    curves = json.loads(re.search(r'id="steelyard-curves">(.*?)</script>', report.text)[1])
    shown = next(one for one in curves if one["system"] == slider["system"])
    stops = [one["stops"][one["start"]] for one in (slider, shown)]
    assert [stop["at"] for stop in stops] == [stops[0]["at"]] * 2
    assert stops[0]["counts"] == stops[1]["counts"]
    assert slider["why"] == shown["why"]
    assert f'<option value="{curves.index(shown)}" selected>' in report.text


def test_a_threshold_that_was_chosen_travels_into_report_command_and_python(ask, client, wdbc):
    state = {"data": wdbc, "positive": "1", "shown": "rf", "at": "0.318"}
    slider = ask("evaluate", **state)["slider"]
    command, python = ("0.318".join(slider[kind]) for kind in ("command", "python"))
    typed = "--positive 1 --systems rf --by fixed --threshold 0.318"
    assert command == f"steelyard threshold 'my scores.csv' {typed}"
    assert 'systems=["rf"], by="fixed", threshold=0.318)' in python
    found = sy.threshold(
        DATA / "wdbc_scores.csv", positive="1", systems=["rf"], by="fixed", threshold=0.318
    )
    report = client.get("/download/evaluate/report.html", params=state).text
    assert "--at 0.318 --shown rf" in report
    assert '<span id="of">rf</span> at threshold <span id="from">0.318</span>' in report
    assert f'id="count-0">{found.chosen.recall.successes}<' in report
    assert "the threshold that was chosen, 0.318" in report


@pytest.mark.parametrize("page", ["evaluate", "compare"])
def test_an_example_is_one_click_away_and_nothing_has_to_be_typed(ask, client, page):
    shown = client.get(f"/{page}").text
    links = [unescape(one) for one in re.findall(rf'class="button" href="(/{page}\?[^"]*)"', shown)]
    assert len(links) == sum(page in one.pages for one in EXAMPLES)
    for link in links:
        state = parse_qs(urlsplit(link).query)
        found = ask(page, **state)
        assert "refused" not in found
        said = found["html"] + found["understood"]
        assert not re.search(r"(?<!-)--[a-z]|<code>steelyard", said)
        assert "Forget this file" not in said


def test_recipes_are_told_recall_budget_and_costs_and_say_what_to_expect(ask, client, wdbc):
    wanted = {"sensitivity": "0.9", "false_alarm_rate": "0.1", "cost": "fn=5,fp=1"}
    found = ask("evaluate", data=wdbc, positive="1", shown="logreg", **wanted)
    told = {"positive": "1", "score": "logreg", "sensitivity": "0.9", "false_alarm_rate": "0.1"}
    said = sy.threshold(
        DATA / "wdbc_scores.csv", by="min-cost", cost={"fn": 5, "fp": 1}, resamples=200, **told
    )
    slider = found["slider"]
    for one in said.methods:
        if one.threshold is not None:
            assert slider["stops"][slider["methods"][one.method]]["at"] == one.threshold
    assert said.sentence().replace(" (logreg)", "") in text_of(found["html"])
    assert "Costs: a miss 5, a false alarm 1." in text_of(found["html"])
    assert found["command"] == "steelyard evaluate 'my scores.csv' --positive 1"
    rare = ask("evaluate", data=wdbc, positive="1", shown="logreg", prevalence="0.05")
    assert "the cost of an item is lowest there" in text_of(rare["html"])
    assert "where 5.0% are positive" in text_of(rare["html"])
    assert rare["command"] == "steelyard evaluate 'my scores.csv' --positive 1"
    params = {"data": wdbc, "positive": "1", **wanted}
    assert "--cost" not in client.get("/download/evaluate/report.html", params=params).text
    assert "such as fn=5" in ask("evaluate", data=wdbc, cost="dear")["refused"]


def test_an_open_pair_leads_to_a_plan_with_its_rates(ask):
    found = ask("compare", correct="S=190,T=194", tested="200")
    link = unescape(re.search(r'href="(/plan[^"]*)"', found["html"])[1])
    assert parse_qs(urlsplit(link).query) == {"question": ["pair"], "rates": ["T=0.970,S=0.950"]}
    told = ask("compare", correct="S=100,T=194", tested="200")
    assert "/plan" not in told["html"]


def test_what_was_understood_can_be_corrected(ask, wdbc):
    found = ask("evaluate", data=wdbc, positive="1", systems=["rf", "svm"])
    understood = unescape(found["understood"])
    assert "CSV: comma, UTF-8, 8 columns" in understood
    assert "2 classes: 0, 1" in understood
    assert '<option value="1" selected>' in understood
    assert understood.count(" checked") == 2
    assert 'value="truth"' in understood


def test_a_refusal_names_the_control_to_use_and_the_owners_file_name(ask, client, wdbc):
    found = ask("evaluate", data=wdbc)
    with pytest.raises(SteelyardError) as refused:
        sy.evaluate(DATA / "wdbc_scores.csv")
    assert found["refused"] == name_controls(str(refused.value))
    assert found["refused"].endswith("“Positive class”: 1. It is never chosen by the alphabet.")
    assert found["field"] == "positive"
    assert 'name="positive"' in found["understood"]
    assert '<option value="1"' in found["understood"]
    empty = client.post("/files", content=b"", headers={"X-File-Name": "empty.csv"}).json()["data"]
    said = ask("evaluate", data=empty)["refused"]
    assert said.startswith("empty.csv: ")
    assert empty not in said


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("model.pkl", b"\x80\x04K\x01."),
        ("page.html", b"<!doctype html><script>alert(1)</script>"),
        ("all.zip", b"PK\x03\x04rest"),
        ("ragged.csv", b"truth,a\nx,y,z\n1\n"),
        ("twice.csv", b"truth,a,a\nx,y,z\n"),
    ],
)
def test_a_wrong_file_gives_the_words_of_the_command_line(ask, client, tmp_path, name, content):
    mine = tmp_path / name
    mine.write_bytes(content)
    with pytest.raises(SteelyardError) as refused:
        sy.evaluate(mine)
    key = client.post("/files", content=content, headers={"X-File-Name": name}).json()["data"]
    assert ask("evaluate", data=key)["refused"] == name_controls(str(refused.value))


@pytest.mark.parametrize("name", XSS)
@pytest.mark.parametrize("page", ["evaluate", "compare"])
def test_names_from_data_are_text_on_every_page(ask, client, here, page, name):
    quoted = name.replace('"', '""')
    other = f"b{quoted}"
    rows = [
        f'"{quoted}","{other if k % 5 == 0 else quoted}","{quoted if k % 3 else other}"'
        for k in range(30)
    ]
    text = "\n".join([f'truth,"{quoted}","x {quoted}"', *rows, f'"{other}","{other}","{other}"'])
    key = client.post(
        "/files", content=text.encode(), headers={"X-File-Name": quote(f"{name}.csv")}
    ).json()["data"]
    found = ask(page, data=key)
    assert "refused" not in found, found.get("refused")
    shell = client.get(f"/{page}", params={"data": key, "systems": name}).text
    for html in (found["html"], found["understood"]):
        seen = tags_of(html)
        assert not seen.tags & {"script", "img", "svg", "iframe", "object", "style", "link"}
        assert not [one for one in seen.attributes if one.startswith("on") or one == "style"]
    seen = tags_of(shell)
    assert not seen.tags & {"img", "iframe", "object", "style"}
    assert not [one for one in seen.attributes if one.startswith("on")]
    assert shell.count("<script") == shell.count('<script src="/static/')


def test_the_comparison_is_that_of_the_command_line_and_moves_with_its_dials(ask):
    state = {"correct": "S=190,T=194,U=180", "tested": "200"}
    trials = sy.Trials(correct={"S": 190, "T": 194, "U": 180}, tested=200, pairing="independent")
    first = ask("compare", **state)
    assert sy.compare(trials).sentence() in unescape(first["html"])
    moved = ask("compare", **state, prior="U=900:10", alpha="0.1", level="0.9", margin="0.05")
    again = sy.compare(trials, prior={"U": (900, 10)}, alpha=0.1, level=0.9, margin=0.05)
    assert again.sentence() in unescape(moved["html"])
    assert again.sentence() != sy.compare(trials).sentence()
    assert "posterior" in [chart["name"] for chart in moved["charts"]]
    assert "--correct S=190,T=194,U=180" in moved["command"]
    assert "sy.compare(sy.Trials(correct=" in moved["python"]


def test_typed_counts_run_as_python_too(ask):
    found = ask("compare", correct="S=190,T=194", tested="200", alpha="0.1")
    space = {}
    exec(found["python"].replace("print(result)", ""), space)
    assert space["result"].alpha == 0.1
    assert space["result"].sentence() in unescape(found["html"])


def test_the_plan_is_that_of_the_command_line(ask):
    found = ask("plan", rates="S=0.9,T=0.88", question="pair", cost_per_sample="0.5")
    plan = sy.plan({"S": 0.9, "T": 0.88}, question="pair", cost_per_sample=0.5)
    assert plan.sentence() in unescape(found["html"])
    assert found["command"] == "steelyard plan pair --rates S=0.9,T=0.88 --cost-per-sample 0.5"


@pytest.mark.parametrize(
    ("page", "state"),
    [
        ("plan", {"rates": "a,b"}),
        ("plan", {"rates": "0.9", "confidence": "much"}),
        ("plan", {"rates": "0.9", "samples": "1.5"}),
        ("plan", {"rates": "0.9,0.8", "confidence": "95"}),
        ("plan", {"rates": "0.9", "stranger": "1"}),
        ("compare", {"correct": "S=1,T=x", "tested": "9"}),
        ("compare", {"correct": "S=1,T=2"}),
        ("compare", {"correct": "S=1,T=2", "tested": "9", "prior": "1"}),
        ("evaluate", {"data": "../token"}),
        ("evaluate", {"data": "0" * 64}),
    ],
)
def test_a_state_that_cannot_be_meant_is_refused_in_words(ask, page, state):
    assert len(ask(page, **state)["refused"]) > 20


def test_a_page_without_a_question_answers_nothing(ask):
    assert ask("evaluate") == {"html": "", "understood": "", "charts": []}
    assert ask("compare")["html"] == ""
    assert ask("plan")["html"] == ""


def test_settings_beside_a_file_are_heeded_and_the_link_wins_over_them(here, ask, tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    (data / "w.csv").write_text("label,a,b\n1,0.9,0.4\n0,0.2,0.3\n1,0.8,0.9\n0,0.6,0.1\n")
    (data / "steelyard.toml").write_text(
        'truth = "label"\npositive = 1\nlevel = 0.9\nsystems = ["a"]\n'
    )
    key = here.uploads.register(str(data / "w.csv"), (str(data / "w.csv"),)).key
    found = ask("evaluate", data=key)
    assert "--truth label --positive 1 --level 0.9 --systems a" in found["command"]
    assert "90%" in found["html"]
    assert "--level 0.8" in ask("evaluate", data=key, level="0.8")["command"]
    assert 'value="0.9"' in here.client().get("/compare", params={"data": key}).text
    (data / "steelyard.toml").write_text("trut = 1\n")
    assert "trut" in ask("evaluate", data=key)["refused"]


def test_a_file_is_looked_at_again_only_when_it_has_changed(here, ask, tmp_path, monkeypatch):
    looked = []

    def look(path, **options):
        looked.append(options)
        return looking.look(path, **options)

    monkeypatch.setattr(file_panel, "look", look)
    path = tmp_path / "mine.csv"
    path.write_text("truth,a\nx,x\ny,x\n", encoding="utf-8")
    key = here.uploads.register(str(path), (str(path),)).key
    for _ in range(3):
        assert "x" in ask("evaluate", data=key)["understood"]
    assert len(looked) == 1
    ask("evaluate", data=key, truth="a")
    assert len(looked) == 2
    path.write_text("truth,a\nx,x\nsomething,x\n", encoding="utf-8")
    assert "something" in ask("evaluate", data=key)["understood"]
    assert len(looked) == 3


def test_a_report_keeps_margin_and_level_of_the_page(client, ask, wdbc):
    state = {"data": wdbc, "positive": "1", "systems": "logreg", "level": "0.9"}
    state = {**state, "margin": "0.04"}
    report = client.get("/download/compare/report.html", params={**state, "systems": ""}).text
    assert "--level 0.9 --margin 0.04" in report
    assert save_content(report)["arguments"]["margin"] == 0.04


def test_json_csv_and_report_can_be_taken_along(client, wdbc):
    state = {"data": wdbc, "positive": "1", "systems": "rf"}
    answer = client.get("/download/evaluate/result.json", params=state)
    assert answer.headers["content-disposition"].startswith("attachment")
    saved = answer.json()
    asked = {"positive": "1", "systems": ["rf"]}
    result = sy.evaluate(DATA / "wdbc_scores.csv", **asked).to_dict()
    assert saved["systems"] == json.loads(json.dumps(result["systems"]))
    assert saved["provenance"]["inputs"][0]["name"] == "my scores.csv"
    assert client.get("/download/evaluate/result.csv", params=state).text.startswith("measure,")
    report = client.get("/download/evaluate/report.html", params=state)
    kept = save_content(report.text)
    found = report_content(DATA / "wdbc_scores.csv", **asked).to_dict()
    assert kept["operating_points"] == json.loads(json.dumps(found["operating_points"]))
    assert "my scores.csv" in report.text
    assert "/uploads/" not in report.text


def test_a_chart_can_be_taken_along(client):
    answer = client.get("/download/plan/chart.svg", params={"rates": "0.9,0.8"})
    assert answer.text.startswith("<svg")
    assert client.get("/download/plan/report.html", params={"rates": "0.9"}).status_code == 422
    assert client.get("/download/plan/token", params={"rates": "0.9"}).status_code == 404
    assert client.get("/download/other/result.json").status_code == 404


def test_rows_beyond_the_cap_are_refused(ask, here, wdbc):
    here.app_state.most_rows = 100
    for page in ("evaluate", "compare"):
        assert "--most-rows" in ask(page, data=wdbc, positive="1")["refused"]


def test_a_file_is_compared_as_on_the_command_line(ask, client, wdbc):
    found = ask("compare", data=wdbc, positive="1", systems=["rf", "tree"], level="0.9")
    asked = {"positive": "1", "systems": ["rf", "tree"], "level": 0.9}
    result = sy.compare(DATA / "wdbc_scores.csv", **asked)
    assert result.sentence() in unescape(found["html"])
    state = {"data": wdbc, "positive": "1", "systems": ["rf", "tree"], "level": "0.9"}
    saved = client.get("/download/compare/result.json", params=state).json()
    saved["provenance"]["inputs"][0]["name"] = "wdbc_scores.csv"
    assert saved == json.loads(result.to_json())


def test_the_navigation_has_the_entries_of_other_rooms(here):
    from steelyard.surfaces.web.app_state import Entry

    here.app_state.entries = (Entry(title="Campaigns", path="/campaigns"),)
    page = here.client().get("/evaluate").text
    assert '<a href="/campaigns" data-nav="/campaigns">Campaigns</a>' in page


def test_the_files_named_at_the_start_are_offered(here):
    here.uploads.register(str(DATA / "wdbc_scores.csv"), ("wdbc_scores.csv",))
    assert ">wdbc_scores.csv</option>" in here.client().get("/compare").text


def test_no_token_is_in_an_address_or_an_answer(ask, client, here, wdbc):
    found = ask("evaluate", data=wdbc, positive="1")
    pages = client.get("/evaluate").text + json.dumps(found)
    assert here.access.token not in pages
    assert here.access.session() not in pages


@pytest.mark.parametrize("page", ["evaluate", "compare"])
@pytest.mark.parametrize("name", ["weight", "cluster", "group", "fold"])
def test_a_column_taken_for_its_name_is_said_before_the_answer(ask, client, page, name):
    rows = "1,a,a,a,1\n2,b,b,b,2\n3,a,a,b,1\n4,b,b,a,2\n"
    content = f"id,truth,cnn,svm,{name}\n{rows}".encode()
    data = client.post("/files", content=content, headers={"X-File-Name": "rows.csv"}).json()
    html = unescape(ask(page, data=data["data"])["html"])
    taken = html.index(f"The column {name} is taken as the {name} of each item, for its name")
    assert taken < html.index('class="answer"')


def test_scripts_key_no_object_by_a_name_from_data():
    """An object inherits names: a drawing or class called constructor would find one there."""
    scripts = [*(SCRIPTS / "web/static").glob("*.js"), *SCRIPTS.glob("report/templates/*.js")]
    assert len(scripts) >= 8
    keyed = re.compile(r"[\w.)]\[[^\]\d]*(?:name|class|system|label|dataset)[^\]]*\]")
    text = re.compile(r"`[^`]*`|\"[^\"]*\"|'[^']*'")
    for script in scripts:
        lines = [text.sub("", line) for line in script.read_text(encoding="utf-8").splitlines()]
        found = [line.strip() for line in lines if keyed.search(line)]
        assert not [line for line in found if "Number(" not in line], script.name


VALUES = {"value": ["alpha", "beta"], "range": "1,5"}
RATIOS = {"errors": ["conformer.errors", "hybrid.errors"], "per": ["words"], "cluster": "speaker"}


@pytest.mark.parametrize("page", ["evaluate", "compare"])
@pytest.mark.parametrize(
    ("file", "roles"), [("judge_grades.csv", VALUES), ("speech_errors.csv", RATIOS)]
)
def test_a_number_for_each_item_is_answered_on_the_page_as_in_python(here, ask, page, file, roles):
    offered = here.uploads.register(str(DATA / file), (file,))
    found = ask(page, data=offered.key, **roles)
    result = getattr(sy, page)(DATA / file, **roles)
    assert in_words(result.sentence()) in text_of(found["html"])
    assert found["charts"]
    assert "--value" in found["command"] or "--errors" in found["command"]


def test_the_command_of_a_page_of_values_can_be_typed(here, ask):
    offered = here.uploads.register(str(DATA / "judge_grades.csv"), ("judge_grades.csv",))
    given = {"value": ["alpha", "beta"], "range": "1,5", "higher_is_better": "true"}
    command = ask("compare", data=offered.key, **given)["command"]
    assert "--range 1,5" in command
    typed = type_words(shlex.split(command)[1:], folder=DATA)
    assert (typed.code, typed.err) == (0, "")
    assert "better: higher (declared)" in typed.out


def test_values_that_cannot_be_compared_are_refused_on_the_page(here, ask):
    offered = here.uploads.register(str(DATA / "judge_grades.csv"), ("judge_grades.csv",))
    found = ask("compare", data=offered.key, value=["alpha", "topic"])
    assert "no number that can be read" in unescape(json.dumps(found))


def test_a_table_of_right_and_wrong_has_a_control_that_answers(ask, here):
    key = here.uploads.register(str(DATA / "radar_ships.csv"), ("radar_ships.csv",)).key
    refused = ask("compare", data=key)
    assert refused["field"] == "outcome"
    assert "“Columns that hold right or wrong”: new,old" in refused["refused"]
    assert "If a column does, name it: “True class”; " in refused["refused"]
    for name in ("outcome", "score", "called"):
        assert f'name="{name}" value="old"' in refused["understood"]
    assert 'name="vector"' in refused["understood"]
    found = ask("compare", data=key, outcome=["new", "old"])
    assert "old is better than new" in found["html"]
    assert 'value="old" id="say-outcome-2" checked' in found["understood"]
    assert found["command"] == "steelyard compare radar_ships.csv --outcome new,old"

"""Inputs at the edge: what is answered with care, and what is refused where no file is at fault."""

import csv
import io
import json
import os
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import pytest
from surfaces import Page, in_the_terminal

import steelyard as sy
from steelyard.campaigns.ledger import queries
from steelyard.errors import CountsError, SteelyardError
from steelyard.journey import Campaign, run_suite
from steelyard.suites import Suite, new_suite, seal_suite, write_suite
from steelyard.surfaces.cli.entry import main

NASTY = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
FORMULA = "=HYPERLINK(1)"
RULE = "best >= 0.95 or n >= 200"


@pytest.fixture
def typed(monkeypatch, capsys):
    def typing(*words):
        monkeypatch.setattr(sys, "argv", ["steelyard", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        return ended.value.code or 0, *capsys.readouterr()

    return typing


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return Page(tmp_path_factory.mktemp("page"))


def asked(page, verb, **state):
    """Ask the page until it has answered."""
    pairs = [[name, str(value)] for name, value in state.items()]
    while True:
        question = {"state": pairs, "width": 560}
        found = page.client.post(f"/answers/{verb}", json=question).json()
        if "job" not in found:
            return found


def scores(folder, odd, name="scores.csv"):
    """Write forty scores, one of them odd."""
    cells = [odd if n == 3 else f"{n % 7 / 10}" for n in range(40)]
    rows = "".join(f"{n},{n % 2},{cell}\n" for n, cell in enumerate(cells))
    (folder / name).write_text(f"id,truth,s\n{rows}", encoding="utf-8")
    return str(folder / name)


@pytest.mark.parametrize("odd", ["inf", "-inf"])
def test_an_infinite_score_has_a_rank_and_no_probability(odd, tmp_path, typed):
    path = scores(tmp_path, odd)
    beyond = scores(tmp_path, odd.replace("inf", "99"), "beyond.csv")
    area = sy.evaluate(path, positive="1").systems[0].area
    assert area.value == sy.evaluate(beyond, positive="1").systems[0].area.value
    with pytest.raises(SteelyardError, match=r"probabilities in \[0, 1\]") as refused:
        sy.calibration(path, positive="1")
    said = typed("calibration", path, "--positive", "1")
    assert said == (1, "", in_the_terminal(refused.value, said[2], []))


@pytest.mark.parametrize("odd", ["-0.1", "1.0001", "3.2"])
def test_what_is_no_probability_is_refused_where_one_is_needed(odd, tmp_path, typed):
    path = scores(tmp_path, odd)
    assert sy.evaluate(path, positive="1").systems[0].area.value is not None
    for verb, words in (("calibration", ()), ("targeting", ("--net-benefit", "0.2"))):
        code, out, err = typed(verb, path, "--positive", "1", *words)
        assert (code, out) == (1, "")
        assert "probabilities in [0, 1]" in " ".join(err.split())


def test_constant_scores_are_a_half_without_a_false_interval(tmp_path, typed, page):
    rows = "".join(f"{n},{n % 2},0.5\n" for n in range(40))
    path = tmp_path / "constant.csv"
    path.write_text(f"id,truth,s\n{rows}", encoding="utf-8")
    found = sy.evaluate(str(path), positive="1")
    area = found.systems[0].area
    assert (area.value, area.standard_error) == (0.5, None)
    # Of 20 items without exception, so great a share may be one: each moves the area by a half.
    unseen = 1 - 0.025 ** (1 / 20)
    assert area.interval.low <= 0.5 - unseen / 2
    assert area.interval.high >= 0.5 + unseen / 2
    assert any("every item has the same score" in note for note in found.notes())
    code, out, _ = typed("evaluate", path, "--positive", "1")
    assert (code, "every item has the same score" in out) == (0, True)
    html = unescape(asked(page, "evaluate", data=page.kept(str(path)), positive="1")["html"])
    assert "every item has the same score" in html


def test_many_classes_are_counted_and_listed_in_part(tmp_path, typed):
    draw, number = random.Random(1), 3_000
    rows = [(n % number, n % number if draw.random() < 0.7 else 0) for n in range(2 * number)]
    path = tmp_path / "many.csv"
    path.write_text("truth,a\n" + "".join(f"c{t},c{c}\n" for t, c in rows), encoding="utf-8")
    code, out, _ = typed("evaluate", path)
    assert code == 0
    assert len(out.splitlines()) < 80
    assert f"right on {sum(t == c for t, c in rows) / len(rows):.1%}"[:12] in out
    table = sy.Confusion.from_cells({(f"c{t}", f"c{c}"): 1 for t, c in rows})
    with pytest.raises(CountsError, match=r"dense table of 3000 classes would need 69 MB"):
        table.matrix()


@pytest.mark.parametrize("count", [5.5, float("nan"), -1, True, "5"])
def test_counts_are_whole_numbers(count, typed):
    with pytest.raises(SteelyardError):
        sy.Trials(correct={"S": count, "T": 6}, tested=10, pairing="independent")
    if isinstance(count, float):
        code, out, err = typed("compare", "--correct", f"S={count},T=6", "--tested", "10")
        assert (code, out) == (2, "")
        assert "whole number" in " ".join(err.split())


@pytest.mark.parametrize(
    ("correct", "tested"), [("S=12,T=6", "10"), ("S=0,T=0", "0"), ("S=-1,T=6", "10"), ("S=5", "10")]
)
def test_counts_on_the_page_are_refused_alike(correct, tested, typed, page):
    code, out, err = typed("compare", "--correct", correct, "--tested", tested)
    assert (code in {1, 2}, out) == (True, "")
    refused = asked(page, "compare", correct=correct, tested=tested)["refused"]
    assert err == in_the_terminal(refused, err, [])


def test_lookalike_classes_are_noted_on_the_screen_and_on_the_page(tmp_path, typed, page):
    path = tmp_path / "alike.csv"
    path.write_text("truth,a\n" + "Ship,ship\nship,ship\ncar,car\n" * 9, encoding="utf-8")
    said = "classes 'Ship' and 'ship' differ only by case"
    code, out, _ = typed("evaluate", path)
    assert (code, said in " ".join(out.split())) == (0, True)
    html = unescape(asked(page, "evaluate", data=page.kept(str(path)))["html"])
    assert said in html


def test_unicode_forms_meet_in_a_campaign(tmp_path):
    campaign = Campaign.create(tmp_path / "c.db", systems=["a", "b"], stop=RULE)
    path = tmp_path / "batch.csv"
    path.write_text("id,truth,a,b\n1,caf\u00e9,cafe\u0301,x\n2,x,x,x\n", encoding="utf-8")
    status = campaign.add(str(path))
    assert [one.correct for one in status.systems] == [2, 1]


class Markup(HTMLParser):
    """Collects what a browser would run."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag in {"img", "iframe", "object", "embed"} or any(k.startswith("on") for k in given):
            self.found.append((tag, given))

    def handle_data(self, data):
        if data.strip() == "alert(1)":
            self.found.append(("script", data))


def named_data(folder, name):
    """Write calls and scores in which systems, classes, items and groups have this name."""
    draw, calls, ranks = random.Random(4), [], []
    for n in range(40):
        truth = (f"{name}A", f"{name}B")[n % 2]
        said = [truth if draw.random() < 0.8 else f"{name}A" for _ in "ab"]
        calls.append([f"{name}{n}", truth, *said, f"{name}{n % 2}"])
        ranks.append([f"{name}{n}", truth, draw.random() + n % 2, draw.random()])
    heads = ["id", "truth", f"{name}1", f"{name}2"]
    for file, head, rows in (("calls", [*heads, "group"], calls), ("scores", heads, ranks)):
        with (folder / f"{file}.csv").open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows([head, *rows])
    return folder / "calls.csv", folder / "scores.csv", ("--positive", f"{name}B")


def test_no_name_becomes_markup_in_a_file_that_is_written(tmp_path, typed):
    calls, ranks, positive = named_data(tmp_path, NASTY)
    suite = new_suite(tmp_path / "suite")
    write_suite(replace(suite, title=NASTY, caveats=(NASTY,)))
    run_suite(seal_suite(Suite.read(suite.folder)))
    campaign = Campaign.create(
        tmp_path / "c.db", NASTY, systems=[f"{NASTY}1", f"{NASTY}2"], stop=RULE
    )
    campaign.add(str(calls))
    written = {name: tmp_path / name for name in ("c.html", "s.html", "r.html", "d.html", "e.svg")}
    title = ("--title", NASTY)
    assert typed("report", calls, *title, "-o", written["c.html"])[0] == 0
    assert typed("report", ranks, *positive, "-o", written["r.html"])[0] == 0
    assert typed("suite", "report", suite.folder, "-o", written["s.html"])[0] == 0
    assert typed("campaign", "report", tmp_path / "c.db", "-o", written["d.html"])[0] == 0
    assert typed("evaluate", calls, "--chart", written["e.svg"])[0] == 0
    for name, path in written.items():
        seen = Markup()
        seen.feed(path.read_text(encoding="utf-8"))
        assert seen.found == [], name


ARMED = ("=", "+", "-", "@", "\t", "\r", "\n", "\0")


def armed(text):
    """List the cells of a CSV file that a spreadsheet would run; a number is not run."""
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    assert any(FORMULA in cell for cell in cells), text[:200]
    return [cell for cell in cells if cell.startswith(ARMED) and not is_number(cell)]


def is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True


def test_no_cell_of_a_csv_file_is_a_formula(tmp_path, typed, page):
    calls, ranks, positive = named_data(tmp_path, FORMULA)
    campaign = Campaign.create(tmp_path / "c.db", systems=[f"{FORMULA}1", f"{FORMULA}2"], stop=RULE)
    campaign.add(str(calls))
    questions = [
        ("evaluate", calls), ("compare", calls), ("agreement", calls), ("roc", ranks, *positive),
        ("calibration", ranks, *positive, "--systems", f"{FORMULA}2"),
        ("targeting", ranks, *positive),
        ("evaluate", ranks, *positive), ("compare", ranks, *positive),
        ("gate", calls, "--candidate", f"{FORMULA}1", "--baseline", f"{FORMULA}2",
         "--require", "better"),
        ("campaign", "status", tmp_path / "c.db"), ("campaign", "history", tmp_path / "c.db"),
    ]  # fmt: skip
    answered = 0
    for words in questions:
        code, out, _ = typed(*words, "--csv")
        if code in {0, 3, 4} and FORMULA in out:
            assert armed(out) == [], words
            answered += 1
    assert answered >= 9
    curve = tmp_path / "curve.csv"
    assert typed("roc", ranks, *positive, "--resamples", "0", "--curve", curve)[0] == 0
    assert armed(curve.read_text(encoding="utf-8")) == []
    for path, state in ((calls, {}), (ranks, {"positive": positive[1]})):
        for verb in ("evaluate", "compare"):
            given = {"data": page.kept(str(path)), **state}
            text = page.client.get(f"/download/{verb}/result.csv", params=given).text
            assert armed(text) == [], verb


def test_two_runs_of_a_suite_at_once_give_whole_cells(tmp_path):
    suite = seal_suite(new_suite(tmp_path / "mine"))
    with ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(run_suite, suite, name=name) for name in ("one", "two")]
        boards = [job.result() for job in jobs]
    alone = run_suite(suite, runs=tmp_path / "alone")
    told = [[(one.algorithm, one.score.value) for one in b.algorithms] for b in (*boards, alone)]
    assert told[0] == told[1] == told[2]
    cells = list((tmp_path / "mine/runs/mine@1/cells").rglob("cell.json"))
    assert len(cells) == 2
    assert all(json.loads(path.read_text())["state"] == "ok" for path in cells)


def test_an_upload_that_finds_no_room_is_refused_and_leaves_nothing(page, monkeypatch):
    before = sorted(page.uploads.folder.iterdir())

    def full(*given, **named):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fdopen", full)
    headers = {"X-File-Name": "a.csv"}
    answer = page.client.post("/files", content=b"truth,a\nx,x\n", headers=headers)
    assert answer.status_code == 422
    assert "No space left on device" in answer.json()["refused"]
    assert sorted(page.uploads.folder.iterdir()) == before


def test_a_clock_that_jumps_changes_neither_order_nor_decision(tmp_path, monkeypatch):
    times = iter(["2031-01-01T00:00:00+00:00", "1999-01-01T00:00:00+00:00"] * 40)
    statuses = []
    for name in ("steady", "jumping"):
        campaign = Campaign.create(tmp_path / f"{name}.db", "c", systems=["a", "b"], stop=RULE)
        for batch in range(6):
            rows = {"id": [f"{batch}-{n}" for n in range(9)], "truth": ["x", "y", "x"] * 3}
            rows |= {"a": rows["truth"], "b": ["y"] * 9}
            status = campaign.add(rows)
        assert campaign.verify().bad is None
        statuses.append(status)
        monkeypatch.setattr(queries, "_now", lambda: next(times))
    steady, jumping = statuses
    assert jumping.sentence() == steady.sentence()
    assert [point.items for point in jumping.points] == [point.items for point in steady.points]
    assert jumping.stop == steady.stop

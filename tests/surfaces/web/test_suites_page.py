"""The page Suites: who leads, every cell with its logs, what failed and why."""

import shlex

import pytest

from steelyard.errors import RequestError
from steelyard.journey import leaderboard, run_suite, show_cell
from steelyard.suites import new_suite
from steelyard.surfaces.report import leaderboard_html
from steelyard.surfaces.web.served import ServedSuites

EVIL = "<img src=x onerror=alert(1)>"
ROGUE = shlex.quote(f"echo '{EVIL} loading'; echo '{EVIL} no weights' >&2; exit 3")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("suites") / "mine"
    new_suite(made)
    run_suite(made, ["lda", f"rogue=json:/bin/sh -c {ROGUE}"])
    return made


@pytest.fixture
def served(here, folder):
    here.app_state.suites = ServedSuites.of([str(folder)])
    return here.app_state.suites.names()[0]


def test_the_page_shows_the_leaderboard_of_the_command_line(served, ask, folder):
    said = ask("suites", suite=served)
    board = leaderboard(folder)
    assert f'<p class="answer">{board.sentence()}</p>' in said["html"]
    assert len(said["charts"]) == len(board.charts())
    assert said["command"] == f"steelyard suite leaderboard {folder}"
    assert f'leaderboard("{folder}")' in said["python"]
    assert 'data-algorithm="rogue"' in said["html"]


def test_each_score_is_shown_once_with_a_star_where_it_is_not_told_from_the_best(
    served, ask, folder
):
    said = ask("suites", suite=served)["html"]
    board = leaderboard(folder)
    leading = [one for one in board.cells if one.state == "ok" and one.lowest == 1]
    assert leading
    assert said.count("*</span></button>") == len(leading)
    assert said.count("not told apart from the best of its problem") == 2 * len(leading) + 1
    assert said.count('class="cell') == len(board.cells) + 1
    assert "L2 score, problem by problem" not in said


def test_a_failed_cell_shows_its_reason_and_its_logs_as_text(served, ask, folder):
    problem = leaderboard(folder).problems[0]
    said = ask("suites", suite=served, algorithm="rogue", problem=problem)
    assert "&lt;img src=x onerror=alert(1)&gt; loading" in said["html"]
    assert "&lt;img src=x onerror=alert(1)&gt; no weights" in said["html"]
    assert "<img" not in said["html"]
    assert show_cell(folder, "rogue", problem).cell.state in said["html"]
    assert said["command"] == f"steelyard suite show {folder} rogue {problem}"


def test_what_is_not_there_is_refused_in_words(served, ask):
    problem = ask("suites", suite=served, algorithm="nobody", problem="example")
    assert "algorithm='nobody' is not known" in problem["refused"]
    assert "no finished run 'nightly'" in ask("suites", suite=served, run="nightly")["refused"]
    for name in ("../../etc", "none@1", "mine"):
        assert "--suite FOLDER" in ask("suites", suite=name)["refused"]


def test_a_repeated_run_moves_the_mark(served, ask, client, folder):
    before = ask("suites", suite=served)["mark"]
    assert client.get(f"/marks/suites?suite={served}").json()["mark"] == before
    run_suite(folder, ["lda"])
    assert client.get(f"/marks/suites?suite={served}").json()["mark"] != before
    assert 'data-algorithm="rogue"' not in ask("suites", suite=served)["html"]


def test_the_leaderboard_can_be_taken_along(served, client, folder):
    taken = client.get(f"/download/suites/result.json?suite={served}")
    assert taken.text == leaderboard(folder).to_json() + "\n"


def test_the_report_of_a_run_can_be_saved_and_says_the_same(served, client, folder):
    saved = client.get("/download/suites/suite.html", params={"suite": served})
    assert saved.status_code == 200
    assert saved.text == leaderboard_html(leaderboard(folder))
    assert 'data-download="suite.html"' in client.get("/suites").text
    assert client.get("/download/plan/suite.html").status_code == 422


def test_without_a_suite_the_page_says_what_to_type(ask, client):
    assert "steelyard serve --suite ground" in ask("suites")["html"]
    assert client.get("/suites").status_code == 200
    assert client.get("/download/suites/result.json").status_code == 422


def test_one_suite_is_served_once(folder):
    with pytest.raises(RequestError, match="Two folders hold"):
        ServedSuites.of([str(folder), str(folder)])

"""The suite commands: what people type, from a new suite to its leaderboard."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from steelyard.results import read_result
from steelyard.surfaces.cli.commands.verify import command as verify
from steelyard.surfaces.cli.entry import steelyard
from steelyard.surfaces.report import save_content

ROGUES = Path(__file__).parents[2] / "suites" / "rogues.py"


def typed(*words):
    ended = CliRunner().invoke(steelyard, ["suite", *map(str, words)])
    if ended.exception and not isinstance(ended.exception, SystemExit):
        raise ended.exception
    return ended


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A suite that was run with one good and one broken algorithm."""
    place = tmp_path_factory.mktemp("typed") / "mine"
    assert "steelyard suite check" in typed("new", place).stdout
    assert typed("check", place, "--seal", "1").exit_code == 0
    broken = f"broken=json:{sys.executable} {ROGUES} silent"
    ended = typed("run", place, "--algorithm", "lda", "--algorithm", broken)
    assert ended.exit_code == 0
    assert ended.stdout.startswith(
        "Choose lda: it leads alone.\n\nlda leads mine@1 alone: L2 score 0."
    )
    assert "1 of 4 cells failed" in ended.stdout
    assert ended.stderr == ""
    return place


def test_a_checked_suite_tells_its_problems_and_doubts(folder):
    told = typed("check", folder).stdout
    assert "example: 2 classes, rows, 60 to learn from, 60 to classify" in told
    assert "no licence" in told


def test_the_leaderboard_is_the_same_as_text_and_json(folder, tmp_path):
    text = typed("leaderboard", folder, "--details").stdout
    saved = typed("leaderboard", folder, "--json", "--chart", tmp_path / "board.svg").stdout
    assert read_result(saved).text(80) + "\n" == text
    assert (tmp_path / "board.svg").read_text().startswith("<svg")
    assert max(map(len, text.splitlines())) <= 80


def test_scores_of_cells_stand_in_one_table(folder):
    table = typed("score", folder).stdout
    assert "broken     invalid" in table
    assert max(map(len, table.splitlines())) <= 80
    assert json.loads(typed("score", folder, "--json").stdout)["kind"] == "leaderboard"


def test_a_cell_is_shown_with_its_end(folder):
    assert "ended as invalid: wrote neither" in typed("show", folder, "broken", "example").stdout


def test_a_report_is_one_page_that_asks_nobody_and_holds_its_json(folder, tmp_path):
    target = tmp_path / "mine.html"
    assert typed("report", folder, "-o", target).exit_code == 0
    page = target.read_text()
    assert "<h1>mine@1</h1>" in page
    assert "http://" not in page.replace("http://www.w3.org/", "")
    assert "broken on example: invalid, wrote neither out.csv" in page
    board = read_result(json.dumps(save_content(page)["board"]))
    assert board.sentence().startswith("lda leads mine@1 alone")


def test_a_report_of_a_run_is_found_again_from_its_kept_answers(folder, tmp_path, capsys):
    target, spoilt = tmp_path / "mine.html", tmp_path / "spoilt.html"
    assert typed("report", folder, "-o", target).exit_code == 0
    verify.main([str(target), str(folder)], standalone_mode=False)
    assert "to the last byte" in capsys.readouterr().out
    spoilt.write_text(target.read_text().replace("lda leads", "knn leads"))
    with pytest.raises(SystemExit):
        verify.main([str(spoilt), str(folder)], standalone_mode=False)
    assert "does not follow from the data" in capsys.readouterr().out


def test_comparing_a_run_with_itself_is_refused_in_words(folder):
    with pytest.raises(ValueError, match="Change an algorithm"):
        typed("compare-runs", folder, "latest", "latest")


def test_building_over_a_suite_is_refused(folder):
    ended = typed("build", "demo", folder)
    assert ended.exit_code == 2
    assert "nothing was overwritten" in ended.stderr


def test_exporting_rows_is_refused_and_importing_needs_test_files(folder, tmp_path):
    with pytest.raises(ValueError, match="no problem of images"):
        typed("export-meastex", folder, tmp_path / "out")
    with pytest.raises(ValueError, match=r"no \.Test file"):
        typed("import-meastex", folder, tmp_path / "out")

"""The gate as a build server meets it: exit codes, JUnit XML, Markdown, pytest."""

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from scipy.special import betaincinv

from steelyard.surfaces.cli.entry import steelyard

SRC = Path(__file__).parents[3] / "src"


def outcomes(path, right):
    path.write_text("id,outcome\n" + "\n".join(f"{n},{int(one)}" for n, one in enumerate(right)))
    return path


@pytest.fixture
def sides(tmp_path):
    """500 items: the baseline is right on 400; a good, a bad and a doubtful candidate."""
    base = [n < 400 for n in range(500)]
    good = [n < 440 for n in range(500)]
    bad = [n < 360 for n in range(500)]
    doubtful = [(n < 400) != (391 <= n < 411) for n in range(500)]
    kinds = {"main": base, "good": good, "bad": bad, "doubtful": doubtful}
    return {name: outcomes(tmp_path / f"{name}.csv", right) for name, right in kinds.items()}


def run(*arguments):
    return CliRunner().invoke(steelyard, ["gate", *map(str, arguments)])


@pytest.mark.parametrize(
    ("candidate", "code", "said"),
    [
        ("good", 0, "The gate passes: candidate is not worse than baseline by 0.01"),
        ("bad", 3, "The gate fails: candidate is worse than baseline by more than 0.01"),
        ("doubtful", 4, "The gate is undecided"),
    ],
)
def test_the_exit_code_tells_the_outcome(sides, candidate, code, said):
    told = run(sides[candidate], "--baseline", sides["main"], "--require", "not worse by 0.01")
    assert told.exit_code == code, told.output
    assert said in " ".join(told.output.split())


def test_refusals_and_wrong_usage_keep_their_codes(sides, type_command):
    missing = type_command(
        "gate", "nothing.csv", "--baseline", sides["main"], "--require", "better"
    )
    assert (missing.code, "no such file" in missing.words) == (1, True)
    wrong = type_command("gate", sides["good"], "--baseline", sides["main"], "--require", "nicer")
    assert (wrong.code, "is not a requirement" in wrong.words) == (2, True)
    neither = type_command("gate", sides["good"], "--baseline", sides["main"])
    assert (neither.code, "or a claim" in neither.words) == (2, True)


def test_junit_xml_has_a_case_for_each_requirement(sides, tmp_path):
    target = tmp_path / "gate.xml"
    told = run(
        sides["doubtful"],
        "--baseline",
        sides["main"],
        "--junit",
        target,
        "--require",
        "not worse by 0.2",
        "--require",
        "better",
        "--require",
        "better by 0.2",
    )
    assert told.exit_code == 3
    (suite,) = ElementTree.parse(target).getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "1", "1")
    passed, undecided, failed = suite
    assert [child.tag for child in passed] == ["system-out"]
    assert "more items are needed" in undecided.find("error").get("message")
    assert failed.find("failure").get("type") == "fails"


def test_the_summary_is_markdown_without_foreign_markup(sides, tmp_path):
    target = tmp_path / "summary.md"
    told = run(
        sides["good"],
        "--baseline",
        sides["main"],
        "--candidate",
        "<b>new|one</b>",
        "--require",
        "better",
        "--summary",
        target,
    )
    assert told.exit_code == 0
    text = target.read_text()
    assert text.startswith("### ✅ \\<b\\>new\\|one\\</b\\> may be shipped.\n\nThe gate passes: ")
    assert "<b>" not in text
    assert "| requirement |" in text


def test_the_answer_is_json_for_machines(sides):
    told = run(sides["good"], "--baseline", sides["main"], "--require", "better", "--json")
    saved = json.loads(told.stdout)
    assert saved["kind"] == "gate"
    assert saved["checks"][0]["outcome"] == "passes"


def test_a_folder_that_is_not_there_is_wrong_usage(sides):
    told = run(
        sides["good"],
        "--baseline",
        sides["main"],
        "--require",
        "better",
        "--junit",
        "nowhere/gate.xml",
    )
    assert told.exit_code == 2


TESTS = """
def test_good(steelyard_gate):
    result = steelyard_gate("good.csv", baseline="main.csv", require="not worse by 0.01")
    assert result.outcome == "passes"

def test_bad(steelyard_gate):
    steelyard_gate("bad.csv", baseline="main.csv", require="not worse by 0.01")

def test_doubtful(steelyard_gate):
    steelyard_gate("doubtful.csv", baseline="main.csv", require="not worse by 0.01")

def test_skipped(steelyard_gate):
    steelyard_gate(
        "doubtful.csv", baseline="main.csv", require="not worse by 0.01", undecided="skip")
"""


def test_the_fixture_of_pytest_ends_tests_by_their_gates(sides, tmp_path):
    (tmp_path / "test_models.py").write_text(TESTS)
    environment = {
        **os.environ,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONPATH": str(SRC),
    }
    told = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-rs",
            "-p",
            "steelyard.surfaces.plugins.pytest_gate",
            "-p",
            "no:cacheprovider",
            "test_models.py",
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=environment,
    )
    assert "2 failed, 1 passed, 1 skipped" in told.stdout, told.stdout + told.stderr
    assert "The gate fails: candidate is worse than baseline by more than 0.01" in told.stdout


def test_the_plug_in_is_announced_to_pytest():
    import tomllib

    project = tomllib.loads((SRC.parent / "pyproject.toml").read_text())["project"]
    announced = project["entry-points"]["pytest11"]
    assert announced == {"steelyard": "steelyard.surfaces.plugins.pytest_gate"}


def test_settings_beside_the_candidate_never_decide_how_it_is_judged(tmp_path, type_command):
    rows = ["item,truth,call", *(f"{one},{'ab'[one % 2]},a" for one in range(30))]
    for side in ("new", "main"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "calls.csv").write_text("\n".join(rows) + "\n")
    (tmp_path / "new/calls.csv").write_text("\n".join([*rows[:-1], "29,b,"]) + "\n")
    (tmp_path / "new/steelyard.toml").write_text('missing = "exclude"\nalpha = 0.49\n')
    typed = ("gate", tmp_path / "new/calls.csv", "--baseline", tmp_path / "main/calls.csv",
             "--truth", "truth", "--require", "same within 0.5", "--details")  # fmt: skip
    assert "has no called class" in type_command(*typed).words
    passed_over = type_command(*typed, "--missing", "exclude")
    said = " ".join(passed_over.out.split())
    assert "alpha=0.05" in said
    assert "steelyard.toml beside the candidate: not used; name it: --settings" in said
    (tmp_path / "main/steelyard.toml").write_text('missing = "exclude"\nalpha = 0.2\n')
    said = " ".join(type_command(*typed).out.split())
    assert "alpha=0.2" in said
    assert "alpha: steelyard.toml beside the baseline" in said
    told = type_command(*typed[:-1]).words
    assert 'main/steelyard.toml: missing = "exclude", alpha = 0.2.' in told
    assert "steelyard.toml beside the candidate: not used; name it: --settings" in told
    named = type_command(*typed, "--settings", tmp_path / "new/steelyard.toml")
    assert "alpha=0.49" in " ".join(named.out.split())


def test_a_table_of_both_systems_is_judged_by_what_is_typed(tmp_path, type_command):
    (tmp_path / "both.csv").write_text("item,truth,new,old\n" + "1,a,a,b\n2,b,b,b\n3,a,a,a\n")
    (tmp_path / "steelyard.toml").write_text("alpha = 0.49\n")
    typed = type_command(
        "gate", tmp_path / "both.csv", "--candidate", "new", "--truth", "truth",
        "--require", "better", "--details",
    )  # fmt: skip
    assert "alpha=0.05" in " ".join(typed.out.split())


def test_a_folder_that_holds_the_candidate_gives_no_settings(tmp_path, type_command):
    rows = "item,truth,called\n" + "1,a,a\n2,b,b\n3,a,b\n4,b,b\n"
    for name in ("new", "old"):
        (tmp_path / f"{name}.csv").write_text(rows)
    (tmp_path / "steelyard.toml").write_text("alpha = 0.49\n")
    words = ["gate", tmp_path / "new.csv", "--baseline", tmp_path / "old.csv", "--truth", "truth"]
    words += ["--require", "not worse by 0.5", "--details"]
    said = " ".join(type_command(*words).out.split())
    assert "alpha=0.05" in said
    assert "steelyard.toml beside the candidate: not used; name it: --settings" in said


def test_settings_are_read_once(tmp_path):
    """Read twice, what is said of them could be said of another file than the one that decided."""
    from steelyard.surfaces.cli.commands.gate import _settings
    from steelyard.surfaces.cli.running import settle_arguments

    (tmp_path / "main").mkdir()
    settings = tmp_path / "main/steelyard.toml"
    settings.write_text("alpha = 0.2\n")
    for name in ("new.csv", "main/old.csv"):
        (tmp_path / name).touch()
    given = {"settings": None, "alpha": None}
    old = str(tmp_path / "main/old.csv")
    saved, lies, told = _settings(given, (str(tmp_path / "new.csv"),), old)
    settings.write_text("alpha = 0.49\n")
    assert told == (("alpha", "steelyard.toml beside the baseline"),)
    assert settle_arguments(given, lies, saved) == {"alpha": 0.2}


def test_the_file_of_a_candidate_may_be_named(sides, type_command):
    ask = ("--baseline", sides["main"], "--require", "better", "--json")
    named = type_command("gate", f"cnn={sides['good']}", *ask)
    assert json.loads(named.out)["candidate"] == "cnn", named.err
    both = (f"cnn={sides['good']}", f"svm={sides['bad']}")
    assert "Which of cnn, svm is the candidate?" in type_command("gate", *both, *ask).words
    assert type_command("gate", *both, *ask, "--candidate", "svm").code == 3


def test_right_answers_that_were_typed_are_held_against_a_claim(type_command):
    words = ("gate", "--correct", "355", "--tested", "376", "--claim")
    found = json.loads(type_command(*words, "accuracy at least 0.9", "--json").out)
    (check,) = found["claims"]
    assert (check["count"], check["total"], check["outcome"]) == (355, 376, "passes")
    assert check["low"] == pytest.approx(betaincinv(355, 22, 0.05), abs=1e-9)
    ships = type_command(*words, "P_D at least 0.9")
    assert "If every row is of that class, it is the accuracy" in ships.words
    named = ("gate", "--correct", "new=355,old=369", "--tested", "376", "--claim", "errors < 10%")
    assert type_command(*named, "--candidate", "old").code == 0
    assert "Which of new, old is the candidate?" in type_command(*named).words
    assert type_command("gate", "--correct", "3", "--claim", "at least 0.9").code == 2

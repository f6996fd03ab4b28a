"""The steps of ``action.yml`` as a runner starts them: plain bash, inputs as environment."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[3]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
INPUT = re.compile(r"\$\{\{ inputs\.([a-z-]+) \}\}")
GH = """#!/bin/bash
echo "$@" >> "$RUNNER_TEMP/gh.log"
if [ "$2" = list ]; then echo "$LAST_RUN"; exit; fi
if [ "$3" = 66 ]; then echo "no valid artifacts found to download" >&2; exit 1; fi
mkdir -p "$7"; cp "$KEPT" "$7/main.csv"
"""


def table(path, wrong, items=120):
    rows = [f"{n},{n % 2},{(n + (n in wrong)) % 2}" for n in range(items)]
    path.write_text("\n".join(["id,label,model", *rows]) + "\n", encoding="utf-8")


@pytest.fixture
def job(tmp_path):
    """A checkout with predictions, and what the runner hands to a step."""
    runner = tmp_path / "runner"
    runner.mkdir()
    table(tmp_path / "candidate.csv", wrong=range(3))
    table(tmp_path / "main.csv", wrong=range(3, 40))
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "gh").write_text(GH, encoding="utf-8")
    (tools / "gh").chmod(0o755)

    def step(name, **inputs):
        asked = {key: str(one.get("default", "")) for key, one in ACTION["inputs"].items()}
        asked |= {key.replace("_", "-"): value for key, value in inputs.items()}
        given = {
            key: INPUT.sub(lambda found: asked[found[1]], str(value))
            for key, value in STEPS[name]["env"].items()
        }
        places = {"GITHUB_OUTPUT": "output.txt", "GITHUB_STEP_SUMMARY": "summary.md"}
        ended = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", STEPS[name]["run"]],
            cwd=tmp_path,
            env={
                "PATH": f"{tools}:{Path(sys.executable).parent}:{os.environ['PATH']}",
                "HOME": str(tmp_path),
                "RUNNER_TEMP": str(runner),
                "KEPT": str(tmp_path / "main.csv"),
                "LAST_RUN": inputs.get("last_run", "77"),
                **{key: str(runner / file) for key, file in places.items()},
                **given,
            },
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        files = {
            file: path.read_text(encoding="utf-8") if (path := runner / file).is_file() else ""
            for file in (*places.values(), "gh.log")
        }
        outputs = dict(line.split("=", 1) for line in files["output.txt"].splitlines())
        return ended, outputs, files["summary.md"], files["gh.log"]

    return step


GATE = {"candidate": "candidate.csv", "baseline": "main.csv", "options": "--truth=label\n"}


def test_no_input_is_part_of_a_script():
    for step in STEPS.values():
        assert "${{" not in step["run"]
        assert step["shell"] == "bash"


def test_a_gate_that_fails_ends_the_job_and_an_undecided_one_may_pass(job):
    turned = {"candidate": "main.csv", "baseline": "candidate.csv", "options": "--truth=label"}
    ended, outputs, _, _ = job("Ask", **turned, require="not worse by 0.01")
    assert (ended.returncode, outputs["outcome"]) == (3, "fails")
    assert "::error title=Steelyard: fails::" in ended.stdout
    same = {"candidate": "main.csv", "baseline": "main.csv", "options": "--truth=label"}
    ended, outputs, _, _ = job("Ask", **same, require="better by 0.001", undecided="pass")
    assert (ended.returncode, outputs["outcome"]) == (0, "undecided"), ended.stderr
    assert "::warning" in ended.stdout


def test_a_comparison_of_candidate_and_baseline_is_shown_whole(job):
    asked = {**GATE, "candidate": "new=candidate.csv", "verb": "compare"}
    ended, outputs, summary, _ = job("Ask", **asked)
    assert ended.returncode == 0, ended.stderr
    assert outputs["outcome"] == "answered"
    assert "junit" not in outputs
    assert "new" in summary and "<pre>" in summary


def test_what_was_refused_is_an_annotation_and_never_a_script(job, tmp_path):
    evil = "$(touch pwned)`touch pwned`; touch pwned"
    ended, outputs, summary, _ = job("Ask", candidate=evil, baseline="x", require="better")
    assert ended.returncode in (1, 2)
    assert outputs["outcome"] == "refused"
    assert "::error title=Steelyard: refused::" in ended.stdout
    assert "no such file" in summary
    assert not (tmp_path / "pwned").exists()


def test_a_gate_against_the_last_good_run_of_the_base_branch_is_output_notice_and_summary(job):
    asked = {
        "baseline_artifact": "predictions",
        "baseline_workflow": "lab/repo/.github/workflows/gate.yml@refs/pull/7/merge",
        "baseline_branch": "main",
    }
    ended, _, _, log = job("Fetch the baseline", **asked)
    assert ended.returncode == 0, ended.stderr
    assert "--workflow gate.yml --branch main --status success" in log
    assert "run download 77 --name predictions" in log
    ended, outputs, summary, _ = job("Ask", **GATE, **asked, require="not worse by 0.01\nbetter\n")
    assert (ended.returncode, outputs["outcome"]) == (0, "passes"), ended.stderr
    assert outputs["sentence"].startswith("The gate passes:")
    assert "\n::notice title=Steelyard: passes::The gate passes:" in ended.stdout
    assert "better" in summary and "90%25" in ended.stdout and "90% interval" in summary
    assert Path(outputs["result"]).is_file() and Path(outputs["junit"]).is_file()
    ended, _, _, log = job("Fetch the baseline", **asked, last_run="66\n78")
    assert ended.returncode == 0, ended.stderr
    assert "run download 66" in log and "run download 78" in log
    ended, *_ = job("Fetch the baseline", **asked, last_run="66")
    assert ended.returncode == 1
    assert "keep the artifact predictions" in ended.stdout
    ended, *_ = job("Fetch the baseline", **asked, last_run="")
    assert ended.returncode == 1
    assert "keeps a baseline yet" in ended.stdout


def test_what_a_fork_keeps_on_a_branch_of_the_same_name_is_no_baseline(job):
    *_, log = job("Fetch the baseline", baseline_artifact="predictions", baseline_branch="main")
    assert 'select(.event | startswith("pull_request") | not)' in log


def test_a_name_out_of_a_pull_request_commands_nothing(job, tmp_path):
    name = "::add-mask::5"
    rows = [f"{n},{n % 2},{n % 2}" for n in range(9)]
    text = "\n".join([f"id,label,{name}", *rows, "9,1,"])
    (tmp_path / "candidate.csv").write_text(text, encoding="utf-8")
    whole = {"options": "--truth=label\n--verbose\n"}
    ended, *_ = job("Ask", **(GATE | whole), require="better")
    assert ended.returncode in (1, 2)
    lines = ended.stdout.splitlines()
    word = lines[0].removeprefix("::stop-commands::")
    assert len(word) == 32
    again = lines.index(f"::{word}::")
    assert any(name in line for line in lines[1:again])
    assert [line.partition(" ")[0] for line in lines[again + 1 :]] == ["::error"]
    assert not ended.stderr


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"verb": "$(touch pwned)"}, "neither gate nor compare"),
        ({"undecided": "maybe"}, "neither fail nor pass"),
        ({"baseline_artifact": "predictions"}, "name the file inside"),
    ],
)
def test_an_input_that_means_nothing_is_refused(job, tmp_path, given, said):
    ended, outputs, *_ = job("Ask", candidate="candidate.csv", **given)
    assert (ended.returncode, outputs["outcome"]) == (2, "refused")
    assert said in ended.stdout and not (tmp_path / "pwned").exists()


def test_files_with_odd_names_and_options_with_spaces_arrive_as_they_are(job, tmp_path):
    odd = 'it\'s "new" & $HOME;.csv'
    table(tmp_path / odd, wrong=range(3))
    asked = {"candidate": f"{odd}\r\n\n", "baseline": "main.csv", "require": "\nbetter\n"}
    ended, outputs, *_ = job("Ask", **asked, options="--truth=label\r\n--duplicates=first")
    assert (ended.returncode, outputs["outcome"]) == (0, "passes"), ended.stdout


def test_two_files_without_names_are_compared_as_candidate_and_baseline(job):
    ended, outputs, *_ = job("Ask", **GATE, verb="compare")
    assert ended.returncode == 0, ended.stdout
    assert outputs["sentence"].startswith("candidate is better than baseline")


def test_a_baseline_of_compare_may_be_a_system_of_the_candidates_file(job, tmp_path):
    rows = [f"{n},{n % 2},{(n + (n < 3)) % 2},{(n + (n < 40)) % 2}" for n in range(120)]
    (tmp_path / "both.csv").write_text("\n".join(["id,label,new,old", *rows]), encoding="utf-8")
    given = {"candidate": "both.csv", "options": "--truth=label", "verb": "compare"}
    ended, outputs, *_ = job("Ask", **given, baseline="old")
    assert (ended.returncode, outputs["outcome"]) == (0, "answered"), ended.stdout
    assert outputs["sentence"].startswith("new is better than old")
    for baseline, candidate, said in (
        ("older", "both.csv", "candidate's file, that has new, old"),
        ("none.csv", "candidate.csv", "candidate's file, which gave no answer"),
    ):
        ended, outputs, *_ = job("Ask", **{**given, "candidate": candidate}, baseline=baseline)
        assert (ended.returncode, outputs["outcome"]) == (2, "refused")
        assert f"{baseline!r} is no file" in ended.stdout and said in ended.stdout


def test_without_an_artifact_nothing_is_fetched_and_nothing_need_be_installed(job):
    assert job("Fetch the baseline")[0].returncode == 0
    assert job("Install", install="none")[0].returncode == 0


def test_the_walk_on_the_page_is_a_real_one(job, tmp_path):
    page = (ROOT / "docs/how-to/pull-requests.md").read_text(encoding="utf-8")
    flow = yaml.safe_load(re.search(r"```yaml\n# \.github/[^\n]*\n(.*?)```", page, re.DOTALL)[1])
    (gate,) = (one for one in flow["jobs"]["gate"]["steps"] if one.get("id") == "gate")
    given = {key.replace("-", "_"): value for key, value in gate["with"].items()}
    assert set(gate["with"]) <= set(ACTION["inputs"])
    rows = (ROOT / "src/steelyard/data/digits_labels.csv").read_text(encoding="utf-8").splitlines()
    cells = [row.split(",") for row in rows]
    kept = tmp_path / "runner/steelyard-baseline"
    kept.mkdir()
    for system, folder in (("svm", tmp_path), ("rf", kept)):
        places = [cells[0].index(name) for name in ("id", "truth", system)]
        chosen = [",".join(row[place] for place in places) for row in cells[1:]]
        text = "\n".join(["id,label,called", *chosen])
        (folder / "candidate.csv").write_text(text, encoding="utf-8")
    shown = re.findall(r"^::notice .*$", page, re.MULTILINE)
    ended, _, summary, _ = job("Ask", **given)
    assert shown[0] in ended.stdout.splitlines()
    table = re.findall(r"^\| (?:requirement|not worse|recall of 8) .*$", page, re.MULTILINE)
    assert len(table) == 3 and set(table) <= set(summary.replace("\\", "").splitlines())
    ended, *_ = job("Ask", **{**given, "require": ""}, verb="compare")
    assert shown[1] in ended.stdout.splitlines()

"""Names from files, data and ledgers on every command: none steers the terminal it is shown on."""

import csv
import io
import os
import random
import sys
from dataclasses import replace

import pytest

from steelyard.errors import CONTROLS
from steelyard.journey import Campaign, run_suite
from steelyard.journey.reporting import report_content
from steelyard.suites import Suite, new_suite, seal_suite, write_suite
from steelyard.surfaces.cli.entry import main
from steelyard.surfaces.cli.terminal_output import hand_over
from steelyard.surfaces.report import report_html

NASTY = "=\x1b]0;own\x07\x1b[31mred\u202eabc\u2066\x9b2J\nnext<script>alert(1)</script>"
FILE = NASTY.replace("/", "")
YES, NO = f"{NASTY}A", f"{NASTY}B"
ONE, TWO = f"{NASTY}1", f"{NASTY}2"
RULE = "best >= 0.95 or n >= 100"


def write(path, head, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([head, *rows])
    return path.name


CALLS, SCORES = f"{FILE}calls.csv", f"{FILE}scores.csv"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files in which everything that can have a name has this one."""
    made, draw = tmp_path_factory.mktemp("names"), random.Random(3)
    calls, scores = [], []
    for n in range(40):
        truth = (YES, NO)[n % 2]
        said = [truth if draw.random() < 0.8 else (YES, NO)[1 - n % 2] for _ in "ab"]
        calls.append([f"{NASTY}{n}", truth, *said, f"{NASTY}{n % 3}"])
        scores.append([f"{NASTY}{n}", truth, round(draw.random() + n % 2, 3), draw.random()])
    write(made / f"{FILE}calls.csv", ["id", "truth", ONE, TWO, "group"], calls)
    write(made / f"{FILE}scores.csv", ["id", "truth", ONE, TWO], scores)
    suite = new_suite(made / "suite")
    write_suite(replace(suite, title=NASTY, licence=NASTY, caveats=(NASTY,)))
    run_suite(seal_suite(Suite.read(suite.folder)), ["lda"])
    Campaign.create(made / "c.db", NASTY, systems=["a", "b"], stop=RULE).close(reason=NASTY)
    content = report_content(str(made / CALLS))
    (made / f"{FILE}.html").write_text(report_html(content), encoding="utf-8")
    return made


@pytest.fixture
def typed(folder, monkeypatch, capsys):
    """Type a command beside the files, and give its exit code and all that it said."""

    def typing(*words):
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "argv", ["steelyard", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return ended.value.code or 0, out + err

    return typing


POSITIVE = ("--positive", NO)
GATE = ("gate", CALLS, "--baseline", TWO, "--require", "better", "--candidate")
ANSWERED = {
    "evaluate": ("evaluate", CALLS, "-v"),
    "evaluate as JSON": ("evaluate", CALLS, "--json"),
    "evaluate scores": ("evaluate", SCORES, *POSITIVE),
    "compare": ("compare", CALLS, "-v"),
    "compare as JSON": ("compare", CALLS, "--json"),
    "compare by all methods": ("compare", CALLS, "--method", "list"),
    "compare scores": ("compare", SCORES, *POSITIVE),
    "compare counts": ("compare", "--correct", "x\x1b[2J=5,y=6", "--tested", "10"),
    "roc": ("roc", SCORES, *POSITIVE, "--resamples", "20"),
    "calibration": ("calibration", SCORES, *POSITIVE, "--systems", "\x1b[31mred"),
    "targeting": ("targeting", SCORES, *POSITIVE),
    "agreement": ("agreement", CALLS),
    "gate": (*GATE, ONE),
    "gate of a stranger": (*GATE, f"{NASTY}nobody"),
    "models": ("models", "--model", "\x1b[2Ja=llf:-1,k:1,n:9", "--model", "b=llf:-2,k:1,n:9"),
    "plan": ("plan", CALLS, "--pilot"),
    "report": ("report", CALLS, "-o", f"{FILE}2.html"),
    "verify": ("verify", f"{FILE}.html", CALLS),
    "verify of other data": ("verify", f"{FILE}.html", SCORES),
    "suite check": ("suite", "check", "suite"),
    "suite run": ("suite", "run", "suite", "--algorithm", "lda"),
    "suite leaderboard": ("suite", "leaderboard", "suite", "--json"),
    "suite score": ("suite", "score", "suite"),
    "suite show": ("suite", "show", "suite", "lda", "example"),
    "campaign new": ("campaign", "new", "d.db", "--name", NASTY, "--systems", "a,b",
                     "--stop", RULE, "--not-simulated"),
    "campaign status": ("campaign", "status", "c.db"),
    "campaign history": ("campaign", "history", "c.db"),
    "campaign export": ("campaign", "export", "c.db"),
    "campaign verify": ("campaign", "verify", "c.db"),
    "no such file": ("evaluate", f"{NASTY}none.csv"),
    "no such column": ("evaluate", CALLS, "--truth", NASTY),
    "no such system": ("evaluate", CALLS, "--systems", "\x1b[2J"),
    "no such method": ("compare", CALLS, "--method", NASTY),
    "no such encoding": ("evaluate", CALLS, "--encoding", NASTY),
    "no such folder": ("report", CALLS, "-o", f"{FILE}/x.html"),
    "no such ledger": ("campaign", "status", f"{FILE}.db"),
    "no such suite": ("suite", "check", NASTY),
    "no such run": ("suite", "leaderboard", "suite", "--name", NASTY),
    "no such measure": ("catalogue", NASTY),
    "no such scope": ("serve", "--issue-token", NASTY),
    "no such option": ("evaluate", f"--{NASTY}"),
    "no such command": (NASTY,),
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERED)
def test_nothing_that_a_command_says_steers_a_terminal(name, typed):
    code, said = typed(*ANSWERED[name])
    assert said
    assert code in {0, 1, 2, 3, 4}
    assert (code != 0) == (name.startswith(("no such", "verify of", "gate", "calibration")))
    steering = [line for line in said.split("\n") if CONTROLS.search(line)]
    assert steering == []


class Screen(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("terminal", [True, False])
def test_csv_is_whole_for_a_program_and_harmless_on_a_terminal(terminal, monkeypatch):
    written = Screen() if terminal else io.StringIO()
    monkeypatch.setattr(sys, "stdout", written)
    hand_over("system,value\n\x1b[2Jred,1\n")
    cell = "\ufffd[2Jred" if terminal else "\x1b[2Jred"
    assert written.getvalue() == f"system,value\n{cell},1\n"


@pytest.mark.parametrize(
    "words",
    [
        ("suite", "new", "/dev/null/x"),
        ("suite", "run", "suite", "--runs", "/dev/null/x"),
        ("suite", "report", "suite", "-o", "/dev/null/x"),
        ("report", CALLS, "-o", "/proc/x.html"),
        ("evaluate", CALLS, "--chart", "/proc/x.svg"),
        ("demo", "--copy", "/dev/null/x"),
        ("campaign", "export", "c.db", "-o", "/proc/x.jsonl"),
    ],
)
def test_a_place_that_cannot_be_written_is_named_in_words(words, typed):
    code, said = typed(*words)
    assert code in {1, 2}
    assert "Traceback" not in said
    assert words[-1] in said or words[2] in said


def test_a_file_whose_name_is_no_text_is_refused(typed, folder):
    (folder / "plain.csv").write_text("id,truth,a\n1,x,x\n", encoding="utf-8")
    os.rename(os.fsencode(folder / "plain.csv"), os.fsencode(folder) + b"/\xff.csv")  # noqa: PTH104
    code, said = typed("evaluate", os.fsdecode(b"\xff.csv"))
    assert code == 1
    assert "bytes that are not UTF-8. Rename it." in " ".join(said.split())

"""What a command loads: looked up in a process of its own."""

import json
import os
import shlex
import subprocess
import sys

import pytest

SCRIPT = """
import json, sys
sys.argv = ["steelyard", *{words!r}]
from steelyard.surfaces.cli.entry import main
try:
    main()
except SystemExit:
    pass
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


def loaded(*words):
    script = SCRIPT.format(words=list(words))
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(json.loads(run.stderr.splitlines()[-1]))


FORKS = """
import contextlib, io, json, os, sys
from steelyard.surfaces.cli.entry import main

for words in json.loads(sys.argv[1]):
    read, write = os.pipe()
    if os.fork() == 0:
        sys.argv = ["steelyard", *words]
        with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())):
            try:
                main()
            except SystemExit as ended:
                code = ended.code or 0
        found = sorted(sys.modules)
        os.write(write, json.dumps([code, found]).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        print(answer.read(), flush=True)
"""
BUDGET = {
    "evaluate LABELS": 192,
    "compare LABELS": 213,
    "compare CLEAR": 201,
    "compare --correct S=190,T=194 --tested 200": 216,
    "gate LABELS --candidate b --baseline a --require 'not worse by 0.5'": 256,
    "evaluate SCORES --positive 1": 205,
    "compare SCORES --positive 1": 210,
    "agreement LABELS --raters a,b": 166,
    "roc SCORES --positive 1": 211,
    "threshold SCORES --positive 1 --score a --resamples 0": 192,
    "calibration SCORES --positive 1": 197,
    "targeting SCORES --positive 1": 187,
    "plan pair --rates 0.9,0.8": 228,
    "catalogue": 30,
}
"""Modules of the house that a command may load. Raise a number only for what its answer needs."""
LIGHT = (
    "evaluate LABELS",
    "compare LABELS",
    "compare CLEAR",
    "evaluate SCORES --positive 1",
    "compare SCORES --positive 1",
)
UNASKED = {
    "scipy",
    "numpy.f2py",
    "numpy.testing",
    "pyarrow",
    "pandas",
    "polars",
    "vl_convert",
    "starlette",
}
ELSEWHERE = ("campaigns", "suites", "surfaces.web", "surfaces.report.page")


needs_forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Each command of the budget with its exit code and all modules it loaded."""
    folder = tmp_path_factory.mktemp("starting")
    labels, scores = folder / "labels.csv", folder / "scores.csv"
    rows = [(n, n % 3, n % 3 if n % 4 else 0, n % 3 if n % 5 else 1) for n in range(60)]
    labels.write_text("id,truth,a,b\n" + "".join(f"{i},c{t},c{a},c{b}\n" for i, t, a, b in rows))
    clear = folder / "clear.csv"
    rows = [(n, n % 3, n % 3 if n % 9 else 0, n % 3 if n % 2 else 1) for n in range(300)]
    clear.write_text("id,truth,a,b\n" + "".join(f"{i},c{t},c{a},c{b}\n" for i, t, a, b in rows))
    marks = "".join(
        f"{n},{n % 2},0.{(n * 37) % 89 + 10},0.{(n * 53) % 89 + 10}\n" for n in range(60)
    )
    scores.write_text("id,truth,a,b\n" + marks)
    named = {"LABELS": str(labels), "CLEAR": str(clear), "SCORES": str(scores)}
    typed = [[named.get(word, word) for word in shlex.split(line)] for line in BUDGET]
    run = subprocess.run(
        [sys.executable, "-c", FORKS, json.dumps(typed)], capture_output=True, text=True, check=True
    )
    found = [json.loads(line) for line in run.stdout.splitlines()]
    return dict(zip(BUDGET, found, strict=True))


@needs_forks
def test_a_command_loads_what_its_answer_needs_and_little_more(answers):
    for line, (code, modules) in answers.items():
        assert code in (0, 1, 3), line
        ours = [name for name in modules if name.split(".")[0] == "steelyard"]
        unasked = [one for one in ours for part in ELSEWHERE if one.startswith(f"steelyard.{part}")]
        assert not unasked, line
        assert len(ours) <= BUDGET[line], (line, len(ours))


@needs_forks
@pytest.mark.parametrize("line", LIGHT)
def test_a_small_file_is_answered_without_scipy_and_what_else_nobody_asked_for(answers, line):
    code, modules = answers[line]
    assert code == 0
    assert {"numpy", "duckdb"} <= set(modules)
    assert not set(modules) & UNASKED


def test_help_loads_no_numbers_and_no_engine():
    modules = loaded("--help")
    assert not modules & {"numpy", "scipy", "duckdb", "pyarrow", "rich", "jinja2"}


LEAVING = """
import sys
if "watched" in sys.argv:
    import atexit
    atexit.register(print, "seen to the end")
from steelyard.surfaces.cli.entry import run
sys.argv = ["steelyard", *sys.argv[2:]]
run()
"""


def leave(*words, watched=False):
    line = [sys.executable, "-c", LEAVING, "watched" if watched else "alone", *map(str, words)]
    return subprocess.run(line, capture_output=True, text=True, check=False)


def test_a_process_that_somebody_watches_is_left_to_python():
    seen = leave("--version", watched=True)
    assert (seen.returncode, seen.stdout.splitlines()[1:]) == (0, ["seen to the end"])


def test_a_process_leaves_its_answer_its_code_and_no_log_beside_a_ledger(tmp_path):
    where = tmp_path / "radar.db"
    started = leave("campaign", "new", where, "--systems", "a,b", "--stop", "n >= 9", "--json")
    assert started.returncode == 0
    assert json.loads(started.stdout)
    assert not [one.name for one in tmp_path.iterdir() if one.name.endswith(("-wal", "-shm"))]
    refused = leave("campaign", "status", tmp_path / "none.db")
    assert refused.returncode == 1
    assert "no such ledger" in " ".join(refused.stderr.split())


def test_no_command_changes_what_a_library_is():
    script = (
        "import numpy; names = list(numpy.__all__);"
        "import steelyard.surfaces.cli.entry, steelyard.uncertainty.special as ours;"
        "import scipy.special, scipy.stats; assert numpy.__all__ == names;"
        "assert 'normal' in scipy.special.ndtr.__doc__ and ours.expit(0.0) == 0.5;"
        "assert 'Array API' in scipy.stats.zscore.__doc__"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", script], check=True)

"""What a command loads: looked up in a process of its own."""

import json
import os
import shlex
import subprocess
import sys

import pytest

from steelyard.surfaces.cli.starting import load_numbers

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
        found = sorted(name for name in sys.modules if name.split(".")[0] == "steelyard")
        os.write(write, json.dumps([code, found]).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        print(answer.read(), flush=True)
"""
BUDGET = {
    "evaluate LABELS": 210,
    "compare LABELS": 215,
    "compare --correct S=190,T=194 --tested 200": 215,
    "gate LABELS --candidate b --baseline a --require 'not worse by 0.5'": 265,
    "agreement LABELS --raters a,b": 160,
    "roc SCORES --positive 1": 208,
    "threshold SCORES --positive 1 --score a --resamples 0": 185,
    "calibration SCORES --positive 1": 195,
    "targeting SCORES --positive 1": 185,
    "plan pair --rates 0.9,0.8": 260,
    "catalogue": 30,
}
"""Modules of the house that a command may load. Raise a number only for what its answer needs."""
ELSEWHERE = ("campaigns", "suites", "surfaces.web", "surfaces.report.page")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_a_command_loads_what_its_answer_needs_and_little_more(tmp_path):
    labels, scores = tmp_path / "labels.csv", tmp_path / "scores.csv"
    rows = [(n, n % 3, n % 3 if n % 4 else 0, n % 3 if n % 5 else 1) for n in range(60)]
    labels.write_text("id,truth,a,b\n" + "".join(f"{i},c{t},c{a},c{b}\n" for i, t, a, b in rows))
    marks = "".join(
        f"{n},{n % 2},0.{(n * 37) % 89 + 10},0.{(n * 53) % 89 + 10}\n" for n in range(60)
    )
    scores.write_text("id,truth,a,b\n" + marks)
    named = {"LABELS": str(labels), "SCORES": str(scores)}
    typed = [[named.get(word, word) for word in shlex.split(line)] for line in BUDGET]
    run = subprocess.run(
        [sys.executable, "-c", FORKS, json.dumps(typed)], capture_output=True, text=True, check=True
    )
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    for (line, most), (code, modules) in zip(BUDGET.items(), answers, strict=True):
        assert code in (0, 1, 3), (line, run.stderr)
        unasked = [
            one for one in modules for part in ELSEWHERE if one.startswith(f"steelyard.{part}")
        ]
        assert not unasked, line
        assert len(modules) <= most, (line, len(modules))


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.csv"
    path.write_text("truth,cnn\ncat,cat\ndog,cat\n", encoding="utf-8")
    return str(path)


def test_help_loads_no_numbers_and_no_engine():
    modules = loaded("--help")
    assert not modules & {"numpy", "scipy", "duckdb", "pyarrow", "rich", "jinja2"}


def test_a_small_file_is_evaluated_without_what_nobody_asked_for(small):
    modules = loaded("evaluate", small)
    assert {"numpy", "scipy.special", "duckdb"} <= modules
    unasked = {"numpy.f2py", "numpy.testing", "numpy.ma", "scipy.stats", "scipy.integrate"}
    assert not modules & (unasked | {"pyarrow", "pandas", "polars", "vl_convert", "starlette"})


def test_a_program_that_has_numpy_keeps_it_as_it_is():
    import numpy as np

    names = list(np.__all__)
    load_numbers(["evaluate", "small.csv"])
    assert np.__all__ == names


def test_names_of_numpy_are_all_there_after_loading():
    script = (
        "from steelyard.surfaces.cli.starting import load_numbers; load_numbers(['evaluate']);"
        "import numpy; numpy.random.default_rng(0); numpy.ma.array([1]);"
        "assert 'f2py' in dir(numpy) and 'random' in numpy.__all__"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", script], check=True)


def test_scipy_works_and_is_documented_after_loading():
    script = (
        "from steelyard.surfaces.cli.starting import load_numbers; load_numbers(['evaluate']);"
        "import sys; assert 'pydoc' not in sys.modules;"
        "import scipy.special; assert scipy.special.ndtr(0.0) == 0.5;"
        "assert 'normal' in scipy.special.ndtr.__doc__;"
        "import scipy.stats; assert 'Array API' in scipy.stats.zscore.__doc__"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", script], check=True)


def test_a_scipy_that_wants_more_than_plain_documentation_is_loaded_in_full():
    script = (
        "from steelyard.surfaces.cli import starting;"
        "starting.PlainDocumentation.__getitem__ = None;"
        "starting.load_numbers(['evaluate']);"
        "import sys, scipy.special; assert scipy.special.ndtr(0.0) == 0.5;"
        "assert 'scipy._lib._docscrape' in sys.modules"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", script], check=True)

"""What a command loads: looked up in a process of its own."""

import json
import os
import subprocess
import sys

import pytest

from steelyard.surfaces.cli import starting
from steelyard.surfaces.cli.starting import load_numbers, slow_sorts

ZEN_4 = """processor : 0
vendor_id : AuthenticAMD
cpu family : 25
flags : fpu avx512f avx512vl avx512_vbmi2 avx512_bitalg

processor : 1
vendor_id : AuthenticAMD
"""
SCRIPT = """
import json, os, sys
from steelyard.surfaces.cli import starting
starting._told_of_processor = lambda: {told!r}
sys.argv = ["steelyard", *{words!r}]
from steelyard.surfaces.cli.entry import main
try:
    main()
except SystemExit:
    pass
left = os.environ.get(starting.VARIABLE)
print(json.dumps([sorted(sys.modules), left]), file=sys.stderr)
"""


def loaded(*words, told="", **environment):
    script = SCRIPT.format(told=told, words=list(words))
    kept = {name: value for name, value in os.environ.items() if name != starting.VARIABLE}
    run = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env=kept | environment,
    )
    modules, left = json.loads(run.stderr.splitlines()[-1])
    return set(modules), left


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.csv"
    path.write_text("truth,cnn\ncat,cat\ndog,cat\n", encoding="utf-8")
    return str(path)


def test_help_loads_no_numbers_and_no_engine():
    modules, _ = loaded("--help", told=ZEN_4)
    assert not modules & {"numpy", "scipy", "duckdb", "pyarrow", "rich", "jinja2"}


def test_a_small_file_is_evaluated_without_what_nobody_asked_for(small):
    modules, _ = loaded("evaluate", small)
    assert {"numpy", "scipy.special", "duckdb"} <= modules
    unasked = {"numpy.f2py", "numpy.testing", "numpy.ma", "scipy.stats", "scipy.integrate"}
    assert not modules & (unasked | {"pyarrow", "pandas", "polars", "vl_convert", "starlette"})


def test_no_child_inherits_what_numpy_was_told(small):
    _, left = loaded("evaluate", small, told=ZEN_4, **{starting.WISH: "1"})
    assert left is None


def test_numpy_is_left_alone_unless_that_was_asked_for():
    script = (
        "from steelyard.surfaces.cli import starting\n"
        "starting._told_of_processor = lambda: 1 / 0\n"
        "starting.load_numbers(['evaluate', 'small.csv'])"
    )
    kept = {name: value for name, value in os.environ.items() if name != starting.WISH}
    run = [sys.executable, "-c", script]
    assert subprocess.run(run, env=kept, check=False, capture_output=True).returncode == 0
    asked = kept | {starting.WISH: "1"}
    told = subprocess.run(run, env=asked, check=False, capture_output=True, text=True)
    assert "ZeroDivisionError" in told.stderr


def test_what_the_user_told_numpy_stays(small):
    _, left = loaded("evaluate", small, told=ZEN_4, **{starting.VARIABLE: "", starting.WISH: "1"})
    assert left == ""


def test_only_the_processors_with_the_slow_sort_are_told_apart():
    assert slow_sorts(ZEN_4) == ["X86_V4", "AVX512_ICL"]
    assert slow_sorts(ZEN_4.replace("family : 25", "family : 26")) == []
    assert slow_sorts(ZEN_4.replace("AuthenticAMD", "GenuineIntel")) == []
    assert slow_sorts(ZEN_4.replace("avx512f ", "")) == ["AVX512_ICL"]
    assert slow_sorts("") == []


def test_a_program_that_has_numpy_keeps_it_as_it_is(monkeypatch):
    import numpy as np

    monkeypatch.setattr(starting, "_told_of_processor", lambda: pytest.fail("looked"))
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

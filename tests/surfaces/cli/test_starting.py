"""What a command loads: looked up in a process of its own."""

import json
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

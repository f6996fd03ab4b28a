"""A test that takes too much memory fails, and is named."""

import os
from pathlib import Path

pytest_plugins = ["pytester"]

CONFTEST = """
from tests.memory import MemoryWatch

def pytest_configure(config):
    watch = MemoryWatch(limit=200 * 2**20)
    watch.start()
    config.pluginmanager.register(watch)
    config.add_cleanup(watch.stop)
"""

TESTS = """
import os, subprocess, sys, time

HELD = bytearray(b"x") * (250 * 2**20)
GREEDY = "import time; held = bytearray(b'x') * (300 * 2**20); time.sleep(600)"

def test_modest():
    assert bytearray(50 * 2**20)

def test_greedy():
    assert bytearray(b"x") * (300 * 2**20)

def test_a_child_that_is_no_program_yet():
    child = os.fork()
    if child == 0:
        time.sleep(1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0

def test_a_greedy_child():
    assert subprocess.run([sys.executable, "-c", GREEDY]).returncode != 0
"""


def test_a_test_or_its_child_that_takes_too_much_fails_and_is_named(pytester, monkeypatch):
    root = str(Path(__file__).parents[1])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([root, os.environ["PYTHONPATH"]]))
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(TESTS)
    told = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    told.assert_outcomes(passed=2, failed=2)
    told.stdout.fnmatch_lines(
        ["*::test_greedy took 0.* GiB of memory; a test may take 0.195* GiB."]
    )
    told.stdout.fnmatch_lines(["*::test_a_greedy_child took 0.* GiB*"])

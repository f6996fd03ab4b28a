"""A command line to type at."""

import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from tests.typed import Typed, type_words

__all__: list[str] = []


@pytest.fixture
def data():
    return Path(str(files("steelyard") / "data"))


@pytest.fixture
def type_command(tmp_path):
    """Type ``steelyard`` as a user does, in an empty folder."""

    def run(*words, given=None, folder=tmp_path, **environment):
        return type_words(words, folder=folder, given=given, environment=environment)

    return run


@pytest.fixture
def start_command(tmp_path):
    """Run ``steelyard`` in a process of its own, where that is the point."""

    def run(*words, given=None, folder=tmp_path, **environment):
        done = subprocess.run(
            [sys.executable, "-m", "steelyard", *map(str, words)],
            input=given,
            capture_output=True,
            cwd=folder,
            env={**os.environ, **environment},
            check=False,
        )
        return Typed(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run

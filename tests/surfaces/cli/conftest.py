"""A command line to type at."""

import os
import subprocess
import sys
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import pytest

__all__: list[str] = []


@dataclass(frozen=True)
class Typed:
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture
def data():
    return Path(str(files("steelyard") / "data"))


@pytest.fixture
def type_command(tmp_path):
    """Run ``steelyard`` as a user does, in an empty folder."""

    def run(*words, given=None, folder=tmp_path, **environment):
        done = subprocess.run(
            [sys.executable, "-m", "steelyard", *map(str, words)],
            input=given,
            capture_output=True,
            cwd=folder,
            env={**os.environ, **environment},
            timeout=120,
            check=False,
        )
        return Typed(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run

"""The launcher as an ordinary user starts it: no rights to drop, but the rest holds."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from steelyard.suites.harness import launcher

NOBODY = 65534
LIMITS = {"memory": 512 << 20, "seconds": 20, "file": 1 << 20, "processes": 4096}
BECOME = """\
import collections.abc, ctypes, json, os, resource, signal, sys, typing
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
    ctypes.CDLL(None).prctl(4, 1)  # a process that changed its user may not map ids else
path = sys.argv.pop(1)
exec(compile(open(path).read(), path, "exec"), {"__name__": "__main__"})
"""
"""Load what the launcher needs, then be nobody: the interpreter itself may be root's alone."""


@pytest.fixture
def place():
    """Give a folder that everybody can reach, with a copy of the launcher and a secret."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        folder.chmod(0o777)
        shutil.copy(launcher.__file__, folder / "launcher.py")
        (folder / "secret.csv").write_text("the answers\n")
        yield folder


def start_as_ordinary_user(place, program):
    """Run a shell program by the launcher as nobody; give its end and what was reported."""
    reading, writing = os.pipe()
    order = {
        "command": ["/bin/sh", "-c", program],
        "folder": str(place),
        "environment": {"PATH": os.defpath},
        "hide": [str(place / "secret.csv")],
        "user": None,
        "parent": os.getpid(),
        "report": writing,
        "limits": LIMITS,
    }
    ended = subprocess.run(
        [sys.executable, "-I", "-S", "-c", BECOME, str(place / "launcher.py"), json.dumps(order)],
        pass_fds=[writing],
        capture_output=True,
        text=True,
        cwd=place,
        timeout=600,
        check=False,
    )
    os.close(writing)
    with os.fdopen(reading) as reported:
        facts = [json.loads(line) for line in reported]
    return ended, {key: value for fact in facts for key, value in fact.items()}


def test_a_program_of_an_ordinary_user_runs_and_its_end_is_reported(place):
    ended, facts = start_as_ordinary_user(place, "id -u; exit 7")
    assert ended.stdout.strip() == str(NOBODY if os.getuid() == 0 else os.getuid()), ended.stderr
    assert facts["exit"] == 7
    assert facts["memory"] > 0
    assert "process group" in facts["gained"]
    assert not {"no rights of root", "own user"} & set(facts["gained"])


def test_what_an_ordinary_user_is_said_to_be_protected_by_is_true(place):
    ended, facts = start_as_ordinary_user(
        place, "wc -c < secret.csv; grep -c : /proc/net/dev; ls /proc | grep -c '^[0-9]'"
    )
    secret, devices, processes = map(int, ended.stdout.split())
    gained = set(facts["gained"])
    assert (secret == 0) == ("answers hidden" in gained)
    assert (devices == 1) == ("no network" in gained)
    assert (processes < 8) == ("own processes" in gained)


def test_a_limit_on_files_holds_without_rights(place):
    ended, facts = start_as_ordinary_user(place, "head -c 4194304 /dev/zero > big")
    assert "too large" in ended.stderr.lower() or facts["exit"] in (128 + 25, -25)
    assert (place / "big").stat().st_size == LIMITS["file"]

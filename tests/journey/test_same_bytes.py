"""The same input gives the same bytes, wherever and in whatever surroundings it is asked."""

import os
import subprocess
import sys
from importlib.resources import files

import pytest

HERE = {"LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "1", "OMP_NUM_THREADS": "1"}
ELSEWHERE = {
    "LC_ALL": "C",
    "LANG": "tr_TR.UTF-8",
    "TZ": "Asia/Kathmandu",
    "PYTHONHASHSEED": "4242",
    "OMP_NUM_THREADS": "4",
    "OPENBLAS_NUM_THREADS": "4",
    "COLUMNS": "200",
}
DATA = "wdbc_scores.csv"
ASKED = {
    "evaluate": ("evaluate", DATA, "--positive", "1", "--json"),
    "compare": ("compare", DATA, "--positive", "1", "--json"),
    "threshold": ("threshold", DATA, "--positive", "1", "--score", "logreg", "--json"),
    "plan": ("plan", "--rates", "0.9,0.85", "--json"),
    "report": ("report", DATA, "--positive", "1", "-o", "report.html"),
}


def answer(words, folder, surroundings):
    """Run a command in a folder of its own; give what it printed or wrote."""
    folder.mkdir(parents=True)
    (folder / DATA).write_bytes((files("steelyard") / "data" / DATA).read_bytes())
    known = {key: value for key, value in os.environ.items() if key not in ELSEWHERE}
    done = subprocess.run(
        [sys.executable, "-m", "steelyard", *words],
        cwd=folder,
        env=known | surroundings,
        capture_output=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr.decode()
    written = folder / "report.html"
    return written.read_bytes() if written.exists() else done.stdout


@pytest.mark.parametrize("name", ASKED)
def test_folder_language_zone_hash_seed_and_threads_change_no_byte(name, tmp_path):
    one = answer(ASKED[name], tmp_path / "here", HERE)
    two = answer(ASKED[name], tmp_path / "else" / "where it is deep", ELSEWHERE)
    assert len(one) > 200
    assert one == two

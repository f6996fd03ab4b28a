"""Working folders of cells: gone afterwards, also those of a harness that was killed."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from steelyard.suites.harness.workplaces import remove_abandoned, scratch_folder


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def grown_old(folder):
    before = time.time() - 3600
    os.utime(folder, (before, before))
    return folder


def test_a_folder_is_removed_when_its_cell_ends_even_by_an_error(temporary):
    with pytest.raises(ValueError, match="broken"), scratch_folder() as folder:
        (folder / "out.csv").write_text("x")
        raise ValueError("broken")
    assert list(temporary.iterdir()) == []


def test_a_folder_in_which_a_cell_still_works_is_left_alone(temporary):
    with scratch_folder() as folder:
        remove_abandoned()
        grown_old(folder)
        remove_abandoned()
        assert folder.is_dir()


def test_a_young_folder_may_just_be_in_the_making(temporary):
    young = temporary / "steelyard-cell-young"
    young.mkdir()
    remove_abandoned()
    assert young.is_dir()


def test_the_folder_of_a_killed_harness_goes_with_the_next_run(temporary):
    script = (
        "import sys, time\n"
        "from steelyard.suites.harness.workplaces import scratch_folder\n"
        "with scratch_folder() as folder:\n"
        "    print(folder, flush=True)\n"
        "    time.sleep(60)\n"
    )
    made = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary)},
    )
    folder = Path(made.stdout.readline().strip())
    made.send_signal(signal.SIGKILL)
    made.communicate()
    assert grown_old(folder).is_dir()
    remove_abandoned()
    assert not folder.exists()


def test_a_link_of_that_name_is_not_followed(temporary):
    kept = temporary / "kept"
    kept.mkdir()
    grown_old(kept)
    (temporary / "steelyard-cell-link").symlink_to(kept)
    remove_abandoned()
    assert kept.is_dir()

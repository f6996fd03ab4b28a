"""The sorting process: sorts as numpy does, and nothing is lost when it goes."""

import os
import signal
import subprocess
import sys
import time
from threading import Timer

import numpy as np
import pytest

from steelyard.counts.scores import sorter
from steelyard.counts.scores.keys import pack_keys, rank, sort_keys
from steelyard.counts.scores.sorter import (
    Sorter,
    room_for_keys,
    slow_sorts,
    sort_elsewhere,
)
from steelyard.errors import CountsError

ZEN_4 = """processor : 0
vendor_id : AuthenticAMD
cpu family : 25
flags : fpu avx512f avx512vl avx512_vbmi2 avx512_bitalg

processor : 1
vendor_id : AuthenticAMD
"""


@pytest.fixture
def wanted(monkeypatch):
    """Ask for the process whatever the processor and however few the numbers."""
    monkeypatch.setattr(sorter, "slow_here", lambda: ("nothing that numpy knows",))
    monkeypatch.setattr(sorter, "WORTH_STARTING", 10)
    monkeypatch.setattr(sorter, "WORTH_ASKING", 10)
    monkeypatch.setattr(Sorter, "asked_for", 0)
    yield
    if Sorter.running is not None:
        Sorter.running.end()


def filled(values, kind):
    keys = room_for_keys(values.size, np.dtype(kind))
    keys[:] = values
    return keys


@pytest.mark.parametrize("kind", [np.int32, np.int64])
@pytest.mark.parametrize("threads", [1, 2])
def test_numbers_are_sorted_as_numpy_sorts_them(wanted, kind, threads):
    values = np.random.default_rng(1).integers(-(2**30), 2**30, 10_000)
    keys = filled(values, kind)
    assert sort_elsewhere(keys, threads=threads)
    assert np.array_equal(keys, np.sort(values))


def test_many_sorts_of_fewer_numbers_start_one_that_nobody_waits_for(wanted, monkeypatch):
    monkeypatch.setattr(sorter, "WORTH_STARTING", 1_000)
    monkeypatch.setattr(Sorter, "asked_for", 0)
    values = np.arange(400)[::-1]
    sort_keys(first := filled(values, np.int64))
    assert Sorter.running is None
    sort_keys(filled(values, np.int64))
    sort_keys(third := filled(values, np.int64))
    assert Sorter.running is not None
    assert first.tolist() == third.tolist() == list(range(400))
    deadline = time.monotonic() + 600
    while not Sorter.running.has_loaded() and time.monotonic() < deadline:
        time.sleep(0.01)
    keys = filled(values, np.int64)
    assert sort_elsewhere(keys, threads=1)
    assert keys.tolist() == list(range(400))


def test_a_part_of_an_array_is_sorted_and_the_rest_left_alone(wanted):
    values = np.random.default_rng(2).integers(0, 1000, 300)
    keys = filled(values, np.int64)
    assert sort_elsewhere(keys[100:200], threads=2)
    assert np.array_equal(keys[:100], values[:100])
    assert np.array_equal(keys[100:200], np.sort(values[100:200]))
    assert np.array_equal(keys[200:], values[200:])


def test_one_process_serves_many_sorts_and_all_threads(wanted):
    from concurrent.futures import ThreadPoolExecutor

    rng = np.random.default_rng(3)
    every = [rng.integers(0, 2**40, 5_000) for _ in range(12)]

    def sort(values):
        keys = filled(values, np.int64)
        sort_keys(keys)
        return np.array_equal(keys, np.sort(values)), Sorter.running.process.pid

    with ThreadPoolExecutor(4) as pool:
        right, processes = zip(*pool.map(sort, every), strict=True)
    assert all(right)
    assert len(set(processes)) == 1


def test_an_array_that_nobody_made_room_for_is_sorted_here(wanted):
    keys = np.arange(100)[::-1].copy()
    assert not sort_elsewhere(keys, threads=1)
    sort_keys(keys)
    assert keys.tolist() == list(range(100))


def test_scores_rank_the_same_here_and_there(wanted):
    rng = np.random.default_rng(4)
    scores = rng.integers(-50, 50, 2_000) / 7
    positive = rng.random(2_000) < 0.4
    there, _ = pack_keys(positive, scores)
    sort_keys(there)
    assert Sorter.running.ready
    here, _ = pack_keys(positive, scores, to_sort=False)
    assert np.array_equal(there, np.sort(here))
    assert np.array_equal(rank(scores).places, np.argsort(scores, kind="stable"))


def test_a_process_killed_in_the_middle_is_told_and_no_number_comes_of_it(
    wanted, monkeypatch, tmp_path
):
    dying = tmp_path / "dying.py"
    program = sorter.PROGRAM.read_text()
    dying.write_text(program.replace('send(b"taken")', 'send(b"taken"); os.abort()'))
    with monkeypatch.context() as patch:
        patch.setattr(sorter, "PROGRAM", dying)
        with pytest.raises(CountsError, match="STEELYARD_SORT=here"):
            sort_keys(filled(np.arange(100)[::-1], np.int64))
    sort_keys(keys := filled(np.arange(50)[::-1], np.int64))
    assert keys.tolist() == list(range(50))


def test_a_process_that_ends_before_it_hears_leaves_the_sort_to_this_one(wanted):
    sort_keys(filled(np.arange(100), np.int64))
    leaving = Sorter.running.process
    leaving.send_signal(signal.SIGSTOP)
    killing = Timer(0.3, leaving.kill)
    killing.start()
    keys = filled(np.arange(100)[::-1], np.int64)
    sort_keys(keys)
    killing.join()
    assert keys.tolist() == list(range(100))


def test_a_process_that_went_between_two_sorts_is_started_again(wanted):
    sort_keys(filled(np.arange(100), np.int64))
    before = Sorter.running.process
    before.kill()
    before.wait()
    keys = filled(np.arange(100)[::-1], np.int64)
    sort_keys(keys)
    assert keys.tolist() == list(range(100))
    assert Sorter.running.process.pid != before.pid


def test_a_process_that_cannot_start_leaves_the_sort_to_this_one(wanted, monkeypatch, tmp_path):
    broken = tmp_path / "broken.py"
    broken.write_text("raise SystemExit(1)")
    monkeypatch.setattr(sorter, "PROGRAM", broken)
    monkeypatch.setattr(Sorter, "failed", False)
    keys = filled(np.arange(100)[::-1], np.int64)
    sort_keys(keys)
    assert keys.tolist() == list(range(100))
    assert Sorter.running is None
    assert Sorter.find(start=True) is None


def test_a_child_by_fork_starts_one_of_its_own(wanted):
    sort_keys(filled(np.arange(100), np.int64))
    ours = Sorter.running
    child = os.fork()
    if child == 0:
        keys = filled(np.arange(60)[::-1], np.int64)
        sort_keys(keys)
        good = keys.tolist() == list(range(60)) and Sorter.running is not ours
        Sorter.running.end()
        os._exit(0 if good else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert ours.process.poll() is None


def test_the_process_ends_with_the_one_that_started_it():
    script = (
        "import numpy as np, os, sys\n"
        "from steelyard.counts.scores import sorter\n"
        "sorter.slow_here = lambda: ('X',)\n"
        "sorter.WORTH_ASKING = sorter.WORTH_STARTING = 1\n"
        "keys = sorter.room_for_keys(9, np.dtype(np.int64)); keys[:] = range(9)\n"
        "assert sorter.sort_elsewhere(keys, threads=1)\n"
        "print(sorter.Sorter.running.process.pid, flush=True)\n"
        "os._exit(0)\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    left, deadline = int(told.stdout), time.monotonic() + 6000
    while os.path.exists(f"/proc/{left}/stat") and time.monotonic() < deadline:  # noqa: PTH110
        with open(f"/proc/{left}/stat") as file:  # noqa: PTH123
            if file.read().rpartition(")")[2].split()[0] == "Z":
                break
        time.sleep(0.05)
    else:
        assert not os.path.exists(f"/proc/{left}/stat")  # noqa: PTH110


def test_whoever_wants_no_second_process_gets_none(monkeypatch):
    monkeypatch.setenv("STEELYARD_SORT", "here")
    sorter.slow_here.cache_clear()
    assert sorter.slow_here() == ()
    sorter.slow_here.cache_clear()


def test_only_the_processors_with_the_slow_sort_are_told_apart():
    assert slow_sorts(ZEN_4) == ["X86_V4", "AVX512_ICL"]
    assert slow_sorts(ZEN_4.replace("family : 25", "family : 26")) == []
    assert slow_sorts(ZEN_4.replace("AuthenticAMD", "GenuineIntel")) == []
    assert slow_sorts(ZEN_4.replace("avx512f ", "")) == ["AVX512_ICL"]
    assert slow_sorts("") == []

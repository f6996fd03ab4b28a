"""Scores read in pieces, ranked in memory or on disk, against scores counted at once."""

import gc
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from steelyard.engines import local
from steelyard.sources import Roles, open_predictions
from steelyard.tally import score_table_of, streamed_scores, tally_score_table
from steelyard.uncertainty.areas.delong import pairs_won_twice

KINDS = {
    "float32": lambda rng, n: rng.random(n).astype(np.float32),
    "float64": lambda rng, n: rng.normal(size=n),
    "few": lambda rng, n: rng.integers(0, 40, n) / 8,
    "widening": lambda rng, n: np.where(np.arange(n) < n // 2, 0.5, rng.random(n)),
    "wild": lambda rng, n: np.where(rng.random(n) < 0.5, 5e-324, 1e308 * rng.random(n)),
    "infinite": lambda rng, n: np.where(rng.random(n) < 0.1, np.inf, rng.random(n)),
    "constant": lambda rng, n: np.full(n, 0.25),
}


class Watcher:
    def __init__(self):
        self.plans, self.rows, self.statements = [], [], 0

    def __call__(self, statement):
        self.statements += 1

    def plan(self, told):
        self.plans.append(told)

    def progress(self, done, rows):
        self.rows.append((done, rows))


@pytest.fixture
def small_steps(monkeypatch):
    monkeypatch.setattr(streamed_scores, "SMALL", 10)
    monkeypatch.setattr(streamed_scores, "BATCH", 100)
    monkeypatch.setattr(streamed_scores, "FEW", 0)


def made(kind, rows=3000):
    rng = np.random.default_rng(7)
    truth = (rng.random(rows) < 0.4).astype(np.int8)
    return truth, KINDS[kind](rng, rows)


def opened(truth, scores, **more):
    columns = {"truth": truth, "cnn": scores}
    return open_predictions(pa.table(columns), Roles.of(positive="1"), **more)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("room", ["memory", "disk"])
def test_every_way_of_ranking_gives_the_same_counts(kind, room, small_steps, monkeypatch):
    if room == "disk":
        monkeypatch.setattr(streamed_scores, "FOR_KEYS", 1e-12)
    truth, scores = made(kind)
    watcher = Watcher()
    predictions = opened(truth, scores, observe=watcher)
    assert tally_score_table(predictions, predictions.systems[0]) == score_table_of(
        truth, scores, pos_label=1
    )
    assert ("on disk" in watcher.plans[0]) == (room == "disk")
    assert watcher.rows[-1] == (3000, 3000)


@pytest.mark.parametrize("kind", [*KINDS, "zeros of both signs"])
def test_few_scores_are_counted_by_the_database_as_they_are_ranked_here(
    kind, small_steps, monkeypatch
):
    monkeypatch.setattr(streamed_scores, "FEW", 10_000)
    truth, scores = made("constant" if kind == "zeros of both signs" else kind)
    if kind == "zeros of both signs":
        scores = np.where(np.arange(len(scores)) % 3 == 0, -0.0, np.arange(len(scores)) % 2)
    watcher = Watcher()
    predictions = opened(truth, scores, observe=watcher)
    assert tally_score_table(predictions, predictions.systems[0]) == score_table_of(
        truth, scores, pos_label=1
    )
    assert "few distinct scores, counted in one pass" in watcher.plans[0]


def test_a_file_that_begins_with_few_scores_and_goes_on_with_many_is_ranked(
    small_steps, monkeypatch
):
    monkeypatch.setattr(streamed_scores, "SAMPLE", 100)
    monkeypatch.setattr(streamed_scores, "FEW", 5)
    monkeypatch.setattr(streamed_scores, "MOST_FEW", 50)
    truth, scores = made("widening")
    watcher = Watcher()
    predictions = opened(truth, scores, observe=watcher)
    assert tally_score_table(predictions, predictions.systems[0]) == score_table_of(
        truth, scores, pos_label=1
    )
    assert ["few distinct" in plan for plan in watcher.plans] == [True, False]


@pytest.mark.parametrize("share", [1.0, 1e-12])
def test_more_scores_than_memory_holds_are_thinned_around_the_exact_area(
    share, small_steps, monkeypatch
):
    monkeypatch.setattr(streamed_scores, "FOR_KEYS", share)
    monkeypatch.setattr(streamed_scores, "BYTES_KEPT", 2**40)
    monkeypatch.setattr(streamed_scores, "FOR_TABLES", 400 * 2**40 / 2**30)
    truth, scores = made("float64")
    predictions = opened(truth, scores, memory="1GiB")
    thin = tally_score_table(predictions, predictions.systems[0])
    full = score_table_of(truth, scores, pos_label=1)
    assert thin.thinned
    assert len(thin.scores) <= 401
    assert pairs_won_twice(thin) == pairs_won_twice(full)
    assert (thin.positive_total, thin.total) == (full.positive_total, full.total)


def test_runs_on_disk_go_with_their_engine(small_steps, monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(local, "PRIVATE", {})
    monkeypatch.setattr(streamed_scores, "FOR_KEYS", 1e-12)
    predictions = opened(*made("float64"))
    tally_score_table(predictions, predictions.systems[0])
    assert list(tmp_path.rglob("*.s"))
    (private,) = tmp_path.iterdir()
    assert private.stat().st_mode & 0o077 == 0
    del predictions
    gc.collect()
    # The folder of the process stays until its end, with nothing in it.
    assert not list(private.iterdir())


def test_a_disk_that_fills_while_runs_are_written_is_refused_and_left_clean(tmp_path):
    truth, scores = made("float64")
    pq.write_table(pa.table({"truth": truth, "cnn": scores}), tmp_path / "a.parquet")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    script = STOPPED.replace("streamed_scores.write_run = slowly", LIMITED)
    told = subprocess.run(
        [sys.executable, "-c", script, "evaluate", str(tmp_path / "a.parquet"), "--positive", "1"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "TMPDIR": str(scratch)},
    )
    assert told.returncode == 1
    assert told.stdout == ""
    assert "could not be written" in told.stderr
    assert "--memory" in told.stderr
    assert "Traceback" not in told.stderr
    assert not list(scratch.iterdir())


LIMITED = """
import resource
sys.dont_write_bytecode = True  # half a compiled module would stay behind
resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
"""

STOPPED = """
import sys, time
from steelyard.tally import streamed_scores
from steelyard.surfaces.cli.entry import main

streamed_scores.SMALL, streamed_scores.BATCH, streamed_scores.FOR_KEYS = 10, 100, 1e-12
streamed_scores.FEW = 0
write = streamed_scores.write_run

def slowly(*given):
    run = write(*given)
    print("written", file=sys.stderr, flush=True)
    time.sleep(0.2)
    return run

streamed_scores.write_run = slowly
main()
"""


def test_an_interrupt_while_runs_are_written_leaves_no_file(tmp_path):
    truth, scores = made("float64")
    pq.write_table(pa.table({"truth": truth, "cnn": scores}), tmp_path / "a.parquet")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    command = [sys.executable, "-c", STOPPED, "evaluate", str(tmp_path / "a.parquet")]
    with subprocess.Popen(
        [*command, "--positive", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(scratch)},
    ) as process:
        assert process.stderr.readline() == "written\n"
        held = list(Path(scratch).rglob("*.s"))
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=600)
    assert held
    assert (process.returncode, out) == (130, "")
    assert err.strip().endswith("steelyard: stopped; nothing was written.")
    assert not list(scratch.iterdir())


def test_aligned_scores_that_would_not_fit_are_refused_before_they_are_read(monkeypatch):
    from steelyard.errors import NotComparable
    from steelyard.tally import scores as room
    from steelyard.tally import tally_joint_scores

    truth, scores = made("float64")
    columns = {"truth": truth, "A": scores, "B": scores[::-1]}
    watcher = Watcher()
    predictions = open_predictions(
        pa.table(columns), Roles.of(positive="1"), observe=watcher, memory="300MiB"
    )
    before = watcher.statements
    monkeypatch.setattr(room, "BYTES_ALIGNED", 2**20)
    with pytest.raises(
        NotComparable, match=r"2 systems on 3,000 common items .* takes about 5\.9 GiB"
    ):
        tally_joint_scores(predictions)
    assert watcher.statements == before

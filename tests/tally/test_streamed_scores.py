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

from steelyard.sources import Roles, open_predictions
from steelyard.tally import score_table_of, streamed_scores, tally_score_table
from steelyard.uncertainty.areas import pairs_won_twice

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
    monkeypatch.setattr(streamed_scores, "FOR_KEYS", 1e-12)
    predictions = opened(*made("float64"))
    tally_score_table(predictions, predictions.systems[0])
    assert list(tmp_path.rglob("*.s"))
    del predictions
    gc.collect()
    assert not list(tmp_path.iterdir())


STOPPED = """
import sys, time
from steelyard.tally import sorted_runs, streamed_scores
from steelyard.surfaces.cli.entry import main

streamed_scores.SMALL, streamed_scores.BATCH, streamed_scores.FOR_KEYS = 10, 100, 1e-12
write = streamed_scores.written_run

def slowly(*given):
    run = write(*given)
    print("written", file=sys.stderr, flush=True)
    time.sleep(0.2)
    return run

streamed_scores.written_run = slowly
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
        out, err = process.communicate(timeout=20)
    assert held
    assert (process.returncode, out) == (130, "")
    assert err.strip().endswith("steelyard: stopped; nothing was written.")
    assert not list(scratch.iterdir())

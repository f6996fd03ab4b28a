"""Counting and ranking of arrays against the usual ways, inside one process.

python benchmarks/kernels.py                print the tables; exit 1 when a target is missed
python benchmarks/kernels.py --rows 100000  smaller arrays, to try it out

A target is missed when the ratio is below three quarters of it: machines are noisy. Tools that
`make peers` puts into an environment of their own (.peers) are asked there.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
from scipy.stats import rankdata  # noqa: TID251 (a peer)
from sklearn.metrics import confusion_matrix, roc_auc_score, roc_curve

from steelyard.comparison import bootstrap_areas
from steelyard.counts import JointScores
from steelyard.counts.scores import keys as score_keys
from steelyard.tally.kernels import count_won_pairs, pair_matrix, pattern_counts, score_counts
from steelyard.tally.kernels import scores as score_kernel
from steelyard.uncertainty.areas.delong import delong_covariance

__all__ = ["Race", "lines", "main"]

NOISE = 0.75
HERE = Path(__file__).parent
PEERS = HERE.parent / ".peers/bin/python"

MOST_FOR_PEER = 10_000_000
"""scikit-learn takes minutes and gigabytes beyond."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Race:
    """The same work done by us and by peers; each peer with the ratio that we promise."""

    work: str
    ours: Callable[[], Any]
    peers: Mapping[str, tuple[Callable[[], Any], float]]
    rounds: int = 3
    per_peer: float = 1.0
    """How many times more work ours does in one call."""
    elsewhere: Mapping[str, tuple[Callable[[], float | None], float]] = field(default_factory=dict)
    """Peers of another environment, which tell their seconds themselves."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all races; the exit code is 1 when a target is missed by more than a quarter."""
    parser = argparse.ArgumentParser(description="Measure the kernels against peers.")
    parser.add_argument("--scaling", action="store_true", help="only the cost a row, by rows")
    parser.add_argument("--rows", type=int, default=10_000_000, help="rows of the largest arrays")
    chosen = parser.parse_args(arguments)
    if chosen.scaling:
        print("\n".join(scaling(chosen.rows)))
        return 0
    text, missed = lines(chosen.rows)
    print("\n".join(text))
    for line in missed:
        print(f"missed: {line}", file=sys.stderr)
    return 1 if missed else 0


def lines(rows: int) -> tuple[list[str], list[str]]:
    """Run all races and give the rows of a table, and what was missed."""
    found = [
        "| work | ours s | peer | peer s | peer/ours | at least |",
        "|---|---|---|---|---|---|",
    ]
    missed = []
    for race in _races(rows):
        for peer, ours_s, peer_s, least in _run(race):
            ratio = peer_s / ours_s
            found.append(
                f"| {race.work} | {ours_s:.3f} | {peer} | {peer_s:.2f} | {ratio:.1f} | {least:g} |"
            )
            if ratio < least * NOISE:
                missed.append(f"{race.work} against {peer}: {ratio:.1f}, target {least:g}")
    return found, missed


def scaling(rows: int) -> list[str]:
    """Nanoseconds a row of an exact area, from ten thousand rows on; scikit-learn up to 10^7."""
    found = [
        "| rows | float32 ns a row | float64 ns a row | polars' sort ns a row "
        "| scikit-learn ns a row |",
        "|---|---|---|---|---|",
    ]
    size = 10_000
    while size <= rows:
        truth, scores = _scored(size)
        frame = pl.DataFrame({"y": truth, "s": scores})
        repeats = max(1, 2_000_000 // size) + 2
        costs = [
            _least(partial(count_won_pairs, truth, scores.astype(np.float32)), repeats),
            _least(partial(count_won_pairs, truth, scores), repeats),
            _least(partial(frame.sort, "s"), min(3, repeats)),
        ]
        if size <= MOST_FOR_PEER:
            costs.append(_least(partial(roc_auc_score, truth, scores), 1))
        told = [f"{cost / size * 1e9:.1f}" for cost in costs]
        told += ["not run"] * (4 - len(told))
        found.append(f"| {size:,} | {' | '.join(told)} |")
        size *= 10
    return found


def _run(race: Race) -> Iterator[tuple[str, float, float, float]]:
    """Take turns, so that a busy moment hits all alike, and keep the least of each."""
    least = dict.fromkeys(["", *race.peers], float("inf"))
    for turn in range(race.rounds):
        least[""] = min(least[""], _least(race.ours, 2) / race.per_peer)
        for name, (work, _) in race.peers.items():
            if turn < 2:
                least[name] = min(least[name], _least(work, 1))
    for name, (_, target) in race.peers.items():
        yield name, least[""], least[name], target
    for name, (told, target) in race.elsewhere.items():
        if (seconds := told()) is not None:
            yield name, least[""], seconds, target


def _least(work: Callable[[], Any], repeats: int) -> float:
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def _scored(rows: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(7)
    truth = rng.random(rows) < 0.3
    return truth, 0.8 * rng.random(rows) + 0.2 * truth


@contextmanager
def _one_thread() -> Iterator[None]:
    before = score_keys.WORTH_THREADS
    for room in (score_keys, score_kernel):
        room.WORTH_THREADS = sys.maxsize
    try:
        yield
    finally:
        for room in (score_keys, score_kernel):
            room.WORTH_THREADS = before


def _races(rows: int) -> Iterator[Race]:
    yield from _area_races(rows)
    for classes, least in ((2, 100), (10, 50), (1000, 20)):
        yield _confusion_race(rows, classes, least)
    yield _pattern_race(rows)
    yield _delong_race(max(1000, rows // 10))
    yield _bootstrap_race(max(1000, rows // 100))


def _area_races(rows: int) -> Iterator[Race]:
    truth, scores = _scored(rows)
    frame = pl.DataFrame({"y": truth, "s": scores})

    def alone() -> object:
        with _one_thread():
            return count_won_pairs(truth, scores)

    def sorted_frame() -> object:
        order = frame.sort("s")
        return order["y"].to_numpy().nonzero()[0].sum()

    def curve() -> object:
        found = score_counts(truth, scores)
        return np.cumsum(found.positives[::-1]), np.cumsum(found.negatives[::-1])

    whole = {"scikit-learn": (lambda: roc_auc_score(truth, scores), 25.0)}
    yield Race(work=f"exact area, {rows:,} float64, one thread", ours=alone, peers=whole)
    yield Race(
        work=f"exact area, {rows:,} float64, two threads",
        ours=lambda: count_won_pairs(truth, scores),
        peers={
            "scikit-learn": (lambda: roc_auc_score(truth, scores), 35.0),
            "polars, the sort alone": (sorted_frame, 5.0),
        },
    )
    peer = {"scikit-learn": (lambda: roc_curve(truth, scores, drop_intermediate=False), 7.0)}
    yield Race(work=f"whole ROC curve, {rows:,} float64", ours=curve, peers=peer)


def _confusion_race(rows: int, classes: int, least: float) -> Race:
    rng = np.random.default_rng(classes)
    kind = np.int8 if classes < 100 else np.int32
    truth = rng.integers(0, classes, rows).astype(kind)
    called = np.where(rng.random(rows) < 0.8, truth, rng.integers(0, classes, rows)).astype(kind)
    wide = truth.astype(np.int64), called.astype(np.int64)
    return Race(
        work=f"confusion table of {classes} classes, {rows:,}",
        ours=lambda: pair_matrix(truth, called, classes),
        peers={"scikit-learn": (lambda: confusion_matrix(*wide), least)},
    )


def _pattern_race(rows: int) -> Race:
    rng = np.random.default_rng(8)
    right = [rng.random(rows) < 0.8 for _ in range(8)]
    frame = pl.DataFrame({f"c{place}": column for place, column in enumerate(right)})
    names = ", ".join(frame.columns)
    database = duckdb.connect()
    database.register("held", frame.to_arrow())
    return Race(
        work=f"right/wrong patterns of 8 systems, {rows:,}",
        ours=lambda: pattern_counts(right),
        peers={
            "polars": (lambda: frame.group_by(frame.columns).len(), 2.0),
            "duckdb": (
                lambda: database.execute(
                    f"SELECT {names}, COUNT(*) FROM held GROUP BY ALL"
                ).fetchall(),
                2.0,
            ),
        },
    )


def _joint(rows: int) -> JointScores:
    truth, scores = _scored(rows)
    other = scores + 0.3 * np.random.default_rng(1).random(rows)
    return JointScores.from_arrays(truth, {"A": scores, "B": other})


def _delong_race(rows: int) -> Race:
    joint = _joint(rows)

    def midranks() -> object:
        ones, others = joint.scores[:, joint.truth], joint.scores[:, ~joint.truth]
        both = [np.concatenate(pair) for pair in zip(ones, others, strict=True)]
        of_all = np.array([rankdata(column) for column in both])
        m, n = ones.shape[1], others.shape[1]
        v10 = (of_all[:, :m] - np.array([rankdata(column) for column in ones])) / n
        v01 = 1 - (of_all[:, m:] - np.array([rankdata(column) for column in others])) / m
        return np.cov(v10) / m + np.cov(v01) / n

    peers = {"scipy rankdata": (midranks, 7.0)}
    return Race(
        work=f"DeLong covariance of 2, {rows:,}",
        ours=lambda: delong_covariance(joint),
        peers=peers,
        elsewhere={
            name: (partial(_told_by, name, joint), 20.0)
            for name in ("MLstatkit", "confidenceinterval")
            if PEERS.exists()
        },
    )


def _told_by(peer: str, joint: JointScores) -> float | None:
    """Ask a tool of the other environment for its seconds; None where it cannot be had."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scores.npz"
        np.savez(path, truth=joint.truth, scores=joint.scores)
        command = [str(PEERS), "-W", "ignore", str(HERE / "peer_delong.py"), peer, str(path)]
        told = subprocess.run(command, check=False, capture_output=True, text=True)
    if told.returncode:
        print(f"{peer} could not be asked: {told.stderr.splitlines()[-1:]}", file=sys.stderr)
        return None
    return float(told.stdout)


def _bootstrap_race(rows: int) -> Race:
    joint = _joint(rows)
    rng = np.random.default_rng(3)

    def once() -> float:
        drawn = rng.integers(0, rows, rows)
        areas = [roc_auc_score(joint.truth[drawn], column[drawn]) for column in joint.scores]
        return float(areas[0] - areas[1])

    return Race(
        work=f"one bootstrap draw of an area difference, {rows:,}",
        ours=lambda: bootstrap_areas(joint, rng=rng, draws=100),
        peers={"scikit-learn": (once, 30.0)},
        per_peer=100,
        rounds=2,
    )


if __name__ == "__main__":
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start.\n")
    sys.exit(main())

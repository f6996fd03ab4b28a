"""Scores that do not fit in memory: sorted piece by piece on disk, then gone over in order."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steelyard.counts.scores.counting import ScoreCounts, counts_in_order, score_counts
from steelyard.counts.scores.keys import packed_keys, sort_keys
from steelyard.errors import RefusedData, switch

__all__ = ["Run", "merged_runs", "written_run"]

SAMPLES = 4096
"""So many scores of a run tell where its rows lie."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Distinct scores of some rows in ascending order, with the rows at each, in files.

    A run holds fewer than 2^31 rows, so that counts are written in four bytes.
    """

    scores: Path
    positives: Path
    negatives: Path

    def opened(self) -> ScoreCounts:
        """Map the files into memory; only what is looked at is read."""
        return ScoreCounts(
            np.memmap(self.scores, dtype=np.float64, mode="r"),
            np.memmap(self.positives, dtype=np.int32, mode="r"),
            np.memmap(self.negatives, dtype=np.int32, mode="r"),
        )


def written_run(
    positive: NDArray[np.bool_], scores: NDArray[Any], new_file: Callable[[str], Path]
) -> Run:
    """Sort rows, in place, and write what is distinct among them."""
    try:
        run = Run(scores=new_file(".s"), positives=new_file(".p"), negatives=new_file(".n"))
        with (
            run.scores.open("wb") as held,
            run.positives.open("wb") as ones,
            run.negatives.open("wb") as others,
        ):
            for block in _blocks(positive, scores):
                # Not tofile: numpy does not always tell that a full disk took only a part.
                held.write(block.scores.data)
                ones.write(block.positives.astype(np.int32).data)
                others.write(block.negatives.astype(np.int32).data)
    except OSError as error:
        raise _no_room(error) from error
    return run


def _no_room(error: OSError) -> RefusedData:
    message = (
        f"Scores that do not fit in memory could not be written to {gettempdir()}: "
        f"{error.strerror}. "
        "What was written is removed. Free some space, name another folder (TMPDIR=FOLDER), or "
        f"allow more memory ({switch('memory', '4GiB')})."
    )
    return RefusedData(message, code="disk-full")


def merged_runs(runs: Sequence[Run], rows: int) -> Iterator[ScoreCounts]:
    """Go over the scores of all runs in ascending order, about ``rows`` at a time."""
    parts = [run.opened() for run in runs]
    places = [0] * len(parts)
    for bound in (*_bounds(parts, rows), None):
        ends = [
            part.scores.size if bound is None else int(np.searchsorted(part.scores, bound))
            for part in parts
        ]
        taken = [
            ScoreCounts(
                part.scores[start:end], part.positives[start:end], part.negatives[start:end]
            )
            for part, start, end in zip(parts, places, ends, strict=True)
            if end > start
        ]
        places = ends
        if taken:
            yield _merged(taken)


def _blocks(positive: NDArray[np.bool_], scores: NDArray[Any]) -> Iterator[ScoreCounts]:
    keys, scale = packed_keys(positive, scores, in_place=True)
    if keys is None or scale is None:
        yield score_counts(positive, scores)
        return
    sort_keys(keys)
    yield from counts_in_order(keys, scale)


def _bounds(parts: Sequence[ScoreCounts], rows: int) -> list[float]:
    """Choose scores that cut all runs together into ranges of about so many entries."""
    entries = sum(part.scores.size for part in parts)
    ranges = -(-entries // max(rows, 1))
    if ranges < 2:
        return []
    shown, weights = [], []
    for part in parts:
        step = max(1, part.scores.size // SAMPLES)
        shown.append(part.scores[::step])
        weights.append(np.full(shown[-1].size, step))
    scores, weight = np.concatenate(shown), np.concatenate(weights)
    order = np.argsort(scores, kind="stable")
    reached = np.cumsum(weight[order])
    cuts = np.searchsorted(reached, np.arange(1, ranges) * (reached[-1] / ranges))
    return [float(bound) for bound in np.unique(scores[order][cuts])]


def _merged(parts: Sequence[ScoreCounts]) -> ScoreCounts:
    scores, place = np.unique(np.concatenate([part.scores for part in parts]), return_inverse=True)
    counts = []
    for columns in ([part.positives for part in parts], [part.negatives for part in parts]):
        total = np.zeros(scores.size, dtype=np.int64)
        np.add.at(total, place, np.concatenate(columns))
        counts.append(total)
    return ScoreCounts(scores, *counts)

"""Score tables of files of any size: read once, ranked in memory or in sorted runs on disk."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import ScoreTable
from steelyard.counts.scores.counting import ScoreCounts, counts_in_order, score_counts
from steelyard.counts.scores.keys import packed_keys, rankable, sort_keys
from steelyard.counts.scores.sorter import room_for_keys
from steelyard.engines.local import LocalEngine, LocalTable
from steelyard.engines.memory import said_bytes
from steelyard.sources.predictions import Predictions, System
from steelyard.tally.kernels.ordered_sums import OrderedSums
from steelyard.tally.sorted_runs import Run, merged_runs, written_run

__all__ = ["SMALL", "most_kept", "streamed_counts", "streamed_score_table"]

SMALL = 2_000_000
"""Up to so many rows come out of the database at once."""

BATCH = 1 << 20
"""Rows that are handed over at a time."""

SAMPLE = 1_000_000
FEW = 20_000
MOST_FEW = 1_000_000
"""First rows that are looked at, distinct scores among them that are few, and most in the end."""

FOR_KEYS = 0.4
"""Share of the memory for scores that are being ranked; they are packed and sorted in place."""

FOR_TABLES = 0.2
BYTES_KEPT = 200
"""Share of the memory for a table, and what a distinct score of it takes with all that follows."""


def streamed_score_table(
    predictions: Predictions, system: System, table: LocalTable, positive: str
) -> ScoreTable:
    """Count the scores of a system in one pass, within the memory of the engine.

    All distinct scores are kept where memory allows it; otherwise the table is thinned and carries
    the exact area.
    """
    engine = table.engine
    found = streamed_counts(predictions, system, table)
    kept = found.kept()
    return ScoreTable(
        positive=positive,
        scores=kept.scores,
        positives=kept.positives,
        negatives=kept.negatives,
        excluded=predictions.excluded_for([system]),
        pair_sums=found.pair_sums() if found.distinct > most_kept(engine) else None,
    )


def streamed_counts(predictions: Predictions, system: System, table: LocalTable) -> OrderedSums:
    """Read positives and scores, rank them, and add them up in ascending order."""
    engine, rows = table.engine, predictions.rows
    sql = f"SELECT positive, {system.column} AS score FROM {{t}} WHERE {system.column} IS NOT NULL"
    sums = OrderedSums(rows=rows, most=most_kept(engine))
    if rows <= SMALL:
        columns = table.arrays(sql)
        sums.add(score_counts(columns["positive"].astype(np.bool_), columns["score"]))
        return sums
    few = _few_scores(system, table, sql, rows)
    if few is not None:
        sums.add(few)
        return sums
    room = _Room(engine=engine, rows=rows)
    engine.tell_plan(_plan(system, room))
    for batch in table.batches(sql, BATCH):
        room.take(batch["positive"].astype(np.bool_), batch["score"])
        engine.tell_progress(room.seen, rows)
    for block in room.in_order():
        sums.add(block)
    return sums


def _few_scores(system: System, table: LocalTable, sql: str, rows: int) -> ScoreCounts | None:
    """Let the database count scores of which the first rows have few; None if there are many.

    A file may begin with few and go on with many. The count is then given up, and rows are ranked.
    """
    sample = f"SELECT COUNT(DISTINCT score) FROM ({sql} LIMIT {SAMPLE}) AS looked_at"
    ((distinct,),) = table.query(sample)
    if int(distinct) > FEW:
        return None
    said = said_bytes(table.engine.memory)
    plan = f"{system.name}: {rows:,} rows of few distinct scores, counted in one pass"
    table.engine.tell_plan(f"{plan}; memory {said}")
    columns = table.arrays(
        "SELECT score, COUNT(CASE WHEN positive THEN 1 END) AS pos, COUNT(*) AS rows_there "
        f"FROM ({sql}) AS scored GROUP BY score LIMIT {MOST_FEW + 1}"
    )
    if columns["score"].size > MOST_FEW:
        return None
    # -0.0 becomes 0.0
    scores, place = np.unique(rankable(columns["score"]) + 0.0, return_inverse=True)
    positives, every = (np.zeros(scores.size, dtype=np.int64) for _ in range(2))
    np.add.at(positives, place, columns["pos"].astype(np.int64))
    np.add.at(every, place, columns["rows_there"].astype(np.int64))
    return ScoreCounts(scores.astype(np.float64), positives, every - positives)


def most_kept(engine: LocalEngine) -> int:
    """Say how many distinct scores a table may hold."""
    return int(engine.memory * FOR_TABLES / BYTES_KEPT)


@dataclass(slots=True, kw_only=True)
class _Room:
    """Rows as they come: float32 as long as nothing is lost by it, in memory until it is full."""

    engine: LocalEngine
    rows: int
    seen: int = 0
    held: int = 0
    runs: list[Run] = field(default_factory=list)
    scores: NDArray[Any] = field(default_factory=lambda: np.empty(0, dtype=np.float32))
    positive: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, dtype=np.bool_))

    def capacity(self, itemsize: int) -> int:
        """Say how many rows fit, with their class."""
        return max(BATCH, int(self.engine.memory * FOR_KEYS) // (itemsize + 1))

    def take(self, positive: NDArray[np.bool_], scores: NDArray[Any]) -> None:
        """Add the rows of one batch."""
        with np.errstate(over="ignore"):
            narrow = scores.astype(np.float32)
        if self.scores.dtype == np.float32 and not np.array_equal(narrow, scores):
            self._widen()
        values = narrow if self.scores.dtype == np.float32 else scores
        start = 0
        while start < scores.size:
            self._make_room()
            taken = min(scores.size - start, self.scores.size - self.held)
            self.scores[self.held : self.held + taken] = values[start : start + taken]
            self.positive[self.held : self.held + taken] = positive[start : start + taken]
            self.held += taken
            start += taken
        self.seen += scores.size

    def in_order(self) -> Iterator[ScoreCounts]:
        """Go over all rows by ascending score."""
        if self.runs:
            self._spill()
            self.scores, self.positive = np.empty(0), np.empty(0, dtype=np.bool_)
            yield from merged_runs(self.runs, self.capacity(4 * 24))
            return
        scores, positive = self.scores[: self.held], self.positive[: self.held]
        keys, scale = packed_keys(positive, scores, in_place=True)
        if keys is None or scale is None:
            yield score_counts(positive, scores)
            return
        self.positive = np.empty(0, dtype=np.bool_)
        sort_keys(keys)
        yield from counts_in_order(keys, scale)

    def _make_room(self) -> None:
        """Take hold of memory at first, later write out what fills it."""
        if self.scores.size == 0:
            self._hold(np.dtype(np.float32))
        elif self.held == self.scores.size:
            self._spill()

    def _widen(self) -> None:
        """Go on in float64: keep what is held if it fits twice, else write it out."""
        if self.held > self.capacity(12):
            self._spill()
        before = self.scores[: self.held], self.positive[: self.held]
        self._hold(np.dtype(np.float64))
        self.scores[: self.held], self.positive[: self.held] = before

    def _hold(self, kind: np.dtype[Any]) -> None:
        """Reserve what may be needed; memory counts only when it is written to."""
        size = min(self.capacity(kind.itemsize), self.rows)
        self.scores = room_for_keys(size, kind)
        self.positive = np.empty(size, dtype=np.bool_)

    def _spill(self) -> None:
        if self.held:
            rows = slice(0, self.held)
            self.runs.append(
                written_run(self.positive[rows], self.scores[rows], self.engine.scratch)
            )
            self.held = 0


def _plan(system: System, room: _Room) -> str:
    memory = said_bytes(room.engine.memory)
    if room.rows <= room.capacity(8):
        where = "ranked in memory"
    elif room.rows <= room.capacity(4):
        where = "ranked in memory where float32 holds them, else in sorted runs on disk"
    else:
        where = "ranked in sorted runs on disk"
    kept = most_kept(room.engine)
    return (
        f"{system.name}: {room.rows:,} rows, {where}; up to {kept:,} distinct scores are kept, "
        f"beyond that a thinned curve with the exact area; memory {memory}"
    )

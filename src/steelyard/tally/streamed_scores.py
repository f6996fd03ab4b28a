"""Score tables of files of any size: read once, ranked in memory or in sorted runs on disk."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import gettempdir
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import PairSums, ScoreTable
from steelyard.counts.scores.counting import ScoreCounts, counts_in_order, score_counts
from steelyard.counts.scores.keys import pack_keys, rankable, sort_keys
from steelyard.counts.scores.sorter import room_for_keys
from steelyard.engines.local import LocalEngine, LocalTable
from steelyard.engines.memory import say_bytes
from steelyard.errors import RefusedData, switch
from steelyard.sources.predictions import Predictions, System

__all__ = [
    "SMALL",
    "OrderedSums",
    "Run",
    "limit_scores",
    "merge_runs",
    "stream_counts",
    "stream_score_table",
    "write_run",
]

EXACT_ROWS = 1 << 20
"""Sums over so many rows fit in 64 bits: a placement is below 2^21, its square below 2^42."""

Whole = NDArray[np.int64]


class _Local(NamedTuple):
    """Sums over some scores as if no other were there."""

    positives: int
    negatives: int
    below: int
    below_squares: int
    under: int
    under_squares: int


class OrderedSums:
    """Adds up placements exactly, and keeps all scores, or a choice when there are too many.

    Parameters
    ----------
    rows
        How many rows there will be.
    most
        How many distinct scores may be kept.
    cells
        How many scores a thinned table holds, about.

    Examples
    --------
    >>> sums = OrderedSums(rows=3, most=10)
    >>> sums.add(ScoreCounts(np.array([0.1, 0.7]), np.array([0, 1]), np.array([1, 1])))
    >>> sums.pair_sums()
    PairSums(distinct=2, won_twice=3, positive_squares=9, negative_squares=5)
    """

    def __init__(self, *, rows: int, most: int, cells: int = 100_000) -> None:
        self.distinct = self.positives = self.negatives = 0
        self._rows, self._most, self._cells = max(rows, 1), most, min(cells, max(most, 1))
        self._sums = [0, 0, 0, 0]
        self._whole: list[ScoreCounts] = []
        self._thin: list[ScoreCounts] = []
        self._cell = -1

    @property
    def thinned(self) -> bool:
        """Whether there were more scores than may be kept."""
        return self.distinct > self._most

    def add(self, block: ScoreCounts) -> None:
        """Take the next scores, all above those taken before."""
        if not block.scores.size:
            return
        self._thin.append(self._choose(block))
        self.distinct += block.scores.size
        if self.thinned:
            self._whole.clear()
        else:
            self._whole.append(block)
        self._place(_local(block.positives, block.negatives))

    def choose_scores(self) -> ScoreCounts:
        """Give the scores that were kept, with the rows from each up to the next one."""
        parts = self._thin if self.thinned else self._whole
        if not parts:
            nothing = np.zeros(0, dtype=np.int64)
            return ScoreCounts(np.zeros(0), nothing, nothing)
        joined = ScoreCounts(*(np.concatenate(column) for column in zip(*parts, strict=True)))
        if not self.thinned:
            return joined
        # The first choice of a block may go on with the cell of the block before it.
        first = np.flatnonzero(~np.isnan(joined.scores))
        return ScoreCounts(
            joined.scores[first],
            np.add.reduceat(joined.positives, first),
            np.add.reduceat(joined.negatives, first),
        )

    def pair_sums(self) -> PairSums:
        """Give the sums over all scores."""
        won, positive_squares, under, under_squares = self._sums
        whole = 2 * self.positives
        return PairSums(
            distinct=self.distinct,
            won_twice=won,
            positive_squares=positive_squares,
            negative_squares=whole * whole * self.negatives - 2 * whole * under + under_squares,
        )

    def _place(self, block: _Local) -> None:
        """Shift the placements of a block by what lies below all of it."""
        below, under = 2 * self.negatives, 2 * self.positives
        self._sums[0] += below * block.positives + block.below
        self._sums[1] += (
            below * below * block.positives + 2 * below * block.below + block.below_squares
        )
        self._sums[2] += under * block.negatives + block.under
        self._sums[3] += (
            under * under * block.negatives + 2 * under * block.under + block.under_squares
        )
        self.positives += block.positives
        self.negatives += block.negatives

    def _choose(self, block: ScoreCounts) -> ScoreCounts:
        """Choose the lowest score of each of ``cells`` equal parts of the rows; NaN goes on."""
        items = block.positives + block.negatives
        before = np.cumsum(items) - items + self.positives + self.negatives
        cells = (before * (self._cells / self._rows)).astype(np.int64)
        new = np.diff(cells, prepend=self._cell) > 0
        self._cell = int(cells[-1])
        starts = np.flatnonzero(new)
        scores = block.scores[starts]
        if not new[0]:
            starts, scores = np.append(0, starts), np.append(np.nan, scores)
        return ScoreCounts(
            scores,
            np.add.reduceat(block.positives, starts),
            np.add.reduceat(block.negatives, starts),
        )


def _local(positives: Whole, negatives: Whole) -> _Local:
    rows = int(positives.sum()) + int(negatives.sum())
    if rows <= EXACT_ROWS:
        below = 2 * np.cumsum(negatives) - negatives
        under = 2 * np.cumsum(positives) - positives
        won, lost = positives * below, negatives * under
        return _Local(
            int(positives.sum()),
            int(negatives.sum()),
            int(won.sum()),
            int(np.dot(won, below)),
            int(lost.sum()),
            int(np.dot(lost, under)),
        )
    if positives.size == 1:
        p, n = int(positives[0]), int(negatives[0])
        return _Local(p, n, p * n, p * n * n, n * p, n * p * p)
    middle = positives.size // 2
    return _join_sums(
        _local(positives[:middle], negatives[:middle]),
        _local(positives[middle:], negatives[middle:]),
    )


def _join_sums(low: _Local, high: _Local) -> _Local:
    below, under = 2 * low.negatives, 2 * low.positives
    return _Local(
        low.positives + high.positives,
        low.negatives + high.negatives,
        low.below + high.below + below * high.positives,
        low.below_squares
        + high.below_squares
        + 2 * below * high.below
        + below * below * high.positives,
        low.under + high.under + under * high.negatives,
        low.under_squares
        + high.under_squares
        + 2 * under * high.under
        + under * under * high.negatives,
    )


SAMPLES = 4096
"""So many scores of a run tell where its rows lie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Distinct scores of some rows in ascending order, with the rows at each, in files.

    A run holds fewer than 2^31 rows, so that counts are written in four bytes.
    """

    scores: Path
    positives: Path
    negatives: Path

    def open(self) -> ScoreCounts:
        """Map the files into memory; only what is looked at is read."""
        return ScoreCounts(
            np.memmap(self.scores, dtype=np.float64, mode="r"),
            np.memmap(self.positives, dtype=np.int32, mode="r"),
            np.memmap(self.negatives, dtype=np.int32, mode="r"),
        )


def write_run(
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


def merge_runs(runs: Sequence[Run], rows: int) -> Iterator[ScoreCounts]:
    """Go over the scores of all runs in ascending order, about ``rows`` at a time."""
    parts = [run.open() for run in runs]
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
            yield _merge_tables(taken)


def _blocks(positive: NDArray[np.bool_], scores: NDArray[Any]) -> Iterator[ScoreCounts]:
    keys, scale = pack_keys(positive, scores, in_place=True)
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


def _merge_tables(parts: Sequence[ScoreCounts]) -> ScoreCounts:
    scores, place = np.unique(np.concatenate([part.scores for part in parts]), return_inverse=True)
    counts = []
    for columns in ([part.positives for part in parts], [part.negatives for part in parts]):
        total = np.zeros(scores.size, dtype=np.int64)
        np.add.at(total, place, np.concatenate(columns))
        counts.append(total)
    return ScoreCounts(scores, *counts)


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


def stream_score_table(
    predictions: Predictions, system: System, table: LocalTable, positive: str
) -> ScoreTable:
    """Count the scores of a system in one pass, within the memory of the engine.

    All distinct scores are kept where memory allows it; otherwise the table is thinned and carries
    the exact area.
    """
    engine = table.engine
    found = stream_counts(predictions, system, table)
    kept = found.choose_scores()
    return ScoreTable(
        positive=positive,
        scores=kept.scores,
        positives=kept.positives,
        negatives=kept.negatives,
        excluded=predictions.exclusions_for([system]),
        pair_sums=found.pair_sums() if found.distinct > limit_scores(engine) else None,
    )


def stream_counts(predictions: Predictions, system: System, table: LocalTable) -> OrderedSums:
    """Read positives and scores, rank them, and add them up in ascending order."""
    engine, rows = table.engine, predictions.rows
    sql = f"SELECT positive, {system.column} AS score FROM {{t}} WHERE {system.column} IS NOT NULL"
    sums = OrderedSums(rows=rows, most=limit_scores(engine))
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
    said = say_bytes(table.engine.memory)
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


def limit_scores(engine: LocalEngine) -> int:
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
            yield from merge_runs(self.runs, self.capacity(4 * 24))
            return
        scores, positive = self.scores[: self.held], self.positive[: self.held]
        keys, scale = pack_keys(positive, scores, in_place=True)
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
            self.runs.append(write_run(self.positive[rows], self.scores[rows], self.engine.scratch))
            self.held = 0


def _plan(system: System, room: _Room) -> str:
    memory = say_bytes(room.engine.memory)
    if room.rows <= room.capacity(8):
        where = "ranked in memory"
    elif room.rows <= room.capacity(4):
        where = "ranked in memory where float32 holds them, else in sorted runs on disk"
    else:
        where = "ranked in sorted runs on disk"
    kept = limit_scores(room.engine)
    return (
        f"{system.name}: {room.rows:,} rows, {where}; up to {kept:,} distinct scores are kept, "
        f"beyond that a thinned curve with the exact area; memory {memory}"
    )

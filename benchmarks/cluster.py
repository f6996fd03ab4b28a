"""How the cost of a cluster grows with rows and workers: a master and workers on this machine.

python benchmarks/cluster.py                          1e6 and 1e7 rows, 1 and 2 workers
python benchmarks/cluster.py --write                  and put the table into the docs
python benchmarks/cluster.py --rows 1e5 --workers 1   a small one

Each worker is a process with one core. All questions are asked once of the smallest file, so that
Java has compiled what it needs, and then timed once of each. What the executors spend is read from
the system, because a machine that does other things too stretches the time. The counts are compared
with those of numpy; the exit code is 1 when one of them differs. Peers run in the same session:
Spark's own evaluator, which gives an area without an interval (of all scores, and of its default of
1,000 bins), and a plain sort of the rows, drained and thrown away.
"""

import argparse
import importlib.util
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from steelyard.sources import Predictions, Roles, open_predictions
from steelyard.tally import tally_confusion, tally_outcomes
from steelyard.tally.scores import tally_placement_sums
from steelyard.tally.thinned_scores import thin_table

__all__ = ["main"]

ROOT = Path(__file__).parents[1]
PROCESSES = ROOT / "tests/cluster/processes.py"
PAGE = ROOT / "docs/explanation/scaling.md"
BEGIN, END = "<!-- cluster: begin -->", "<!-- cluster: end -->"
HEAD = (
    "| rows | workers | confusion | outcomes of 2 | area of 1 | areas of 2 | counts | Spark's area "
    "| with 1,000 bins | a sort |"
)
GROUP = 1_000_000
BLOCK = 4096
TICKS = os.sysconf("SC_CLK_TCK")

Columns = dict[str, NDArray[Any]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table; the exit code is 1 when a count differs from that of numpy."""
    parser = argparse.ArgumentParser(description="Measure a cluster on this machine.")
    parser.add_argument("--rows", type=float, nargs="+", default=[1e6, 1e7])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.name}")
    chosen = parser.parse_args(arguments)
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    said = [f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start.", ""]
    said += [HEAD, "|---|---|---|---|---|---|---|---|---|---|"]
    print("\n".join(said), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        files = [_written(Path(folder), int(rows)) for rows in sorted(chosen.rows)]
        for workers in chosen.workers:
            for line in _lines(Path(folder) / f"cluster{workers}", workers, files):
                said.append(line)
                print(line, flush=True)
    if chosen.write:
        _write(said)
    return 1 if any("DIFFERENT" in line for line in said) else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file of predictions, and what its counts have to be."""

    path: Path
    rows: int
    expected: list[Any]


def _lines(folder: Path, workers: int, files: Sequence[File]) -> Iterator[str]:
    with _session(folder, workers) as (session, cluster):
        for work in (*WORKS, *PEERS):
            work(_opened(session, files[0]))
        for file in files:
            data, told, found = _opened(session, file), [], []
            for work in (*WORKS, *PEERS):
                start, before = time.perf_counter(), _executors(cluster)
                found.append(work(data))
                seconds, spent = time.perf_counter() - start, _executors(cluster) - before
                told.append(f"{seconds:.1f} s ({spent:.1f} s)")
            ours = len(WORKS)
            same = "equal" if found[:ours] == file.expected else "DIFFERENT"
            cells = [f"{file.rows:,}", str(workers), *told[:ours], same, *told[ours:]]
            yield f"| {' | '.join(cells)} |"


def _confusion(data: dict[str, Predictions]) -> Any:  # noqa: ANN401
    return tally_confusion(data["calls"], data["calls"].systems[0]).cells


def _outcomes(data: dict[str, Predictions]) -> Any:  # noqa: ANN401
    return dict(tally_outcomes(data["calls"]).patterns)


def _area(data: dict[str, Predictions]) -> Any:  # noqa: ANN401
    sums = thin_table(data["scores"], data["scores"].systems[0]).pair_sums
    return None if sums is None else tuple(sums)


def _areas(data: dict[str, Predictions]) -> Any:  # noqa: ANN401
    sums = tally_placement_sums(data["scores"], data["scores"].systems)
    return [sums.positive_products, sums.negative_products]


WORKS: tuple[Callable[[dict[str, Predictions]], Any], ...] = (_confusion, _outcomes, _area, _areas)


def _evaluator(bins: int) -> Callable[[dict[str, Predictions]], Any]:
    def area(data: dict[str, Predictions]) -> Any:  # noqa: ANN401
        from pyspark.ml.evaluation import BinaryClassificationEvaluator

        rows = data["scores"].table.frame.sparkSession.sql(
            "SELECT CAST(positive AS DOUBLE) AS label, CAST(s0 AS DOUBLE) AS rawPrediction "
            "FROM {t}",
            t=data["scores"].table.frame,
        )
        return BinaryClassificationEvaluator(numBins=bins).evaluate(rows)

    return area


def _sort(data: dict[str, Predictions]) -> Any:  # noqa: ANN401
    rows = data["scores"].table.frame.select("positive", "s0").orderBy("s0")
    rows.write.format("noop").mode("overwrite").save()


PEERS = (_evaluator(0), _evaluator(1000), _sort)


def _opened(session: Any, file: File) -> dict[str, Predictions]:  # noqa: ANN401
    rows = session.read.parquet(str(file.path))
    calls = Roles.of(truth="truth", systems=["cnn", "svm"])
    scores = Roles.of(truth="positive", positive="1", score=["a", "b"])
    return {"calls": open_predictions(rows, calls), "scores": open_predictions(rows, scores)}


def _written(folder: Path, rows: int) -> File:
    """Write labels of two systems in ten classes, and float32 scores of two more."""
    path, rng = folder / f"{rows}.parquet", np.random.default_rng(1)
    columns: Columns = {n: rng.integers(0, 10, rows, np.int8) for n in ("truth", "cnn", "svm")}
    columns["positive"] = rng.integers(0, 2, rows, np.int8)
    for name in ("a", "b"):
        noise = rng.standard_normal(rows, np.float32)
        columns[name] = noise + columns["positive"].astype(np.float32)
    pq.write_table(pa.table(columns), path, row_group_size=GROUP)
    return File(path=path, rows=rows, expected=_expected(columns))


def _expected(columns: Columns) -> list[Any]:
    """Count with numpy alone."""
    truth, cnn, svm = (columns[name] for name in ("truth", "cnn", "svm"))
    cells = np.bincount(truth * np.int64(10) + cnn, minlength=100).reshape(10, 10)
    patterns = np.bincount((cnn == truth) + 2 * (svm == truth), minlength=4)
    ones = columns["positive"] == 1
    placed = [_placements(columns[name], ones) for name in ("a", "b")]
    products = [
        tuple(tuple(_product(r[side], s[side]) for s in placed) for r in placed)
        for side in (ones, ~ones)
    ]
    area = (
        len(np.unique(columns["a"])),
        int(placed[0][ones].sum()),
        products[0][0][0],
        products[1][0][0],
    )
    called = tuple((str(i), str(j), int(cells[i, j])) for i in range(10) for j in range(10))
    return [called, {n: int(k) for n, k in enumerate(patterns)}, area, products]


def _placements(scores: NDArray[Any], ones: NDArray[np.bool_]) -> NDArray[np.int64]:
    positives, negatives = np.sort(scores[ones]), np.sort(scores[~ones])
    below = np.searchsorted(negatives, scores, "left") + np.searchsorted(negatives, scores, "right")
    upto = np.searchsorted(positives, scores, "left") + np.searchsorted(positives, scores, "right")
    return np.where(ones, below, 2 * positives.size - upto)


def _product(one: NDArray[np.int64], two: NDArray[np.int64]) -> int:
    """Add products up in blocks whose sums fit in 64 bits, and the blocks in whole numbers."""
    starts = np.arange(0, one.size, BLOCK)
    return sum(np.add.reduceat(one * two, starts).tolist())


def _executors(cluster: Any) -> float:  # noqa: ANN401
    """Add up what the workers and all they started have spent, in seconds of one core."""
    groups = {p.pid for name, p in cluster.processes.items() if name.startswith("worker")}
    spent = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) in groups:
            spent += int(fields[11]) + int(fields[12])
    return spent / TICKS


@contextmanager
def _session(folder: Path, workers: int) -> Iterator[tuple[Any, Any]]:
    import pyspark
    from pyspark.sql import SparkSession

    room = _processes()
    folder.mkdir()
    cluster = room.Cluster(folder, Path(pyspark.__file__).parent, workers=workers)
    try:
        builder = SparkSession.builder.master(cluster.address).appName("steelyard benchmark")
        for name, value in room.SMALL_SESSION.items():
            # Tests start Java that compiles little; here it compiles as a user's does.
            if not name.endswith("extraJavaOptions"):
                builder = builder.config(name, value)
        session = builder.config("spark.sql.shuffle.partitions", str(4 * workers)).getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        yield session, cluster
        session.stop()
    finally:
        cluster.stop()


def _processes() -> ModuleType:
    found = importlib.util.spec_from_file_location("processes", PROCESSES)
    if found is None or found.loader is None:
        message = f"{PROCESSES} is not there"
        raise FileNotFoundError(message)
    room = importlib.util.module_from_spec(found)
    found.loader.exec_module(room)
    return room


def _write(said: Sequence[str]) -> None:
    before, _, rest = PAGE.read_text().partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text("\n".join([before + BEGIN, *said, END]) + after)


if __name__ == "__main__":
    raise SystemExit(main())

"""Many columns and many classes: what one question of them takes.

Run from the folder of the project: ``python benchmarks/wide.py``. Prints CPU seconds, wall seconds
and the most memory that was held, each question in a process of its own.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

COLUMNS, ROWS = 10_000, 1_000
CLASSES, ITEMS = 1_000, 50_000


def make_columns(path: Path) -> None:
    """Write a table of so many columns as CSV."""
    rng = np.random.default_rng(1)
    table = rng.integers(0, 2, (ROWS, COLUMNS + 1))
    with path.open("w", encoding="ascii") as file:
        file.write("truth," + ",".join(f"s{n}" for n in range(COLUMNS)) + "\n")
        for row in table.tolist():
            file.write(",".join(map(str, row)) + "\n")


def make_classes(path: Path) -> None:
    """Write probabilities of so many classes as Parquet."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(2)
    truth = rng.integers(0, CLASSES, ITEMS)
    table = rng.random((ITEMS, CLASSES))
    table[np.arange(ITEMS), truth] += 0.5
    table /= table.sum(axis=1, keepdims=True)
    columns = {f"cnn.c{n}": table[:, n] for n in range(CLASSES)}
    names = np.array([f"c{n}" for n in truth])
    pq.write_table(pa.table({"truth": names, **columns}), path, row_group_size=10_000)
    # A second system, which gives its numbers as a list, for a comparison.
    table = np.roll(table, 1, axis=1) * 0.5 + table * 0.5
    second = pa.FixedSizeListArray.from_arrays(pa.array(table.ravel()), CLASSES)
    lists = {"svm": second.cast(pa.list_(pa.float64()))}
    both = pa.table({"truth": names, **columns, **lists})
    pq.write_table(both, path.with_name("both.parquet"), row_group_size=10_000)


def held_at_most() -> int:
    """Bytes that this process held at most; a new one starts with ru_maxrss of its parent."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    (line,) = [one for one in status.read_text().splitlines() if one.startswith("VmHWM")]
    return int(line.split()[1]) * 1024


def ask(verb: str, path: str, options: str) -> None:
    """Answer one question and print what it took."""
    import steelyard as sy

    wall, cpu = time.perf_counter(), time.process_time()
    result = getattr(sy, verb)(path, **json.loads(options))
    spent = time.process_time() - cpu, time.perf_counter() - wall
    peak = held_at_most() / 2**30
    print(f"{spent[0]:6.1f} s CPU {spent[1]:6.1f} s {peak:5.1f} GiB  {result.sentence()[:60]}")


def main() -> None:
    """Make the files, and ask each question in a process of its own."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        make_columns(folder / "columns.csv")
        make_classes(folder / "classes.parquet")
        size = f"{CLASSES:,} classes, {ITEMS:,} items, Parquet"
        classes = [f"c{n}" for n in range(CLASSES)]
        questions = (
            (f"evaluate one of {COLUMNS:,} columns, CSV", "columns.csv", {"systems": ["s1"]}),
            (f"evaluate {size}", "classes.parquet", {}),
            (f"compare {size}, two systems", "both.parquet", {"classes": classes}),
            (f"roc {size}", "classes.parquet", {}),
            (f"calibration {size}", "classes.parquet", {}),
        )
        for title, name, options in questions:
            print(title, flush=True)
            verb, path = title.split()[0], str(folder / name)
            words = [sys.executable, __file__, verb, path, json.dumps(options)]
            subprocess.run(words, check=True)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        ask(*sys.argv[1:])
    else:
        main()

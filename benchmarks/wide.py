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


def ask(path: str, options: str) -> None:
    """Answer one question and print what it took."""
    import steelyard as sy

    wall, cpu = time.perf_counter(), time.process_time()
    result = sy.evaluate(path, **json.loads(options))
    spent = time.process_time() - cpu, time.perf_counter() - wall
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{spent[0]:6.1f} s CPU {spent[1]:6.1f} s {peak:5.1f} GiB  {result.sentence()[:60]}")


def main() -> None:
    """Make the files, and ask each question in a process of its own."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        make_columns(folder / "columns.csv")
        make_classes(folder / "classes.parquet")
        questions = (
            (f"one of {COLUMNS:,} columns, CSV", "columns.csv", {"systems": ["s1"]}),
            (f"{CLASSES:,} classes, {ITEMS:,} items, Parquet", "classes.parquet", {}),
        )
        for title, name, options in questions:
            print(title, flush=True)
            words = [sys.executable, __file__, str(folder / name), json.dumps(options)]
            subprocess.run(words, check=True)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        ask(*sys.argv[1:])
    else:
        main()

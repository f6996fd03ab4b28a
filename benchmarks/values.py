"""Two values of ten million items compared: seconds and memory of one process, best of three.

python benchmarks/values.py               ten million rows of Parquet
python benchmarks/values.py --rows 1e6    fewer

The exit code is 1 when 2 s or 500 MiB are exceeded by more than a quarter.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

SECONDS, MEBIBYTES, NOISE = 2.0, 500.0, 1.25
STEELYARD = str(Path(sys.executable).with_name("steelyard"))


def make_rows(path: Path, rows: int) -> None:
    """Write two columns of floating-point numbers, a million rows at a time."""
    rng = np.random.default_rng(0)
    names = ("a", "b")
    with pq.ParquetWriter(path, pa.schema([(name, pa.float64()) for name in names])) as writer:
        for start in range(0, rows, 10**6):
            size = min(10**6, rows - start)
            writer.write_table(pa.table({name: rng.normal(size=size) for name in names}))


def measure(command: list[str]) -> tuple[float, float, float]:
    """Run a process; give its wall time, its CPU time and its peak of memory."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    assert status == 0
    return time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> int:
    """Measure, print, and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=float, default=1e7)
    rows = int(parser.parse_args().rows)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "values.parquet"
        make_rows(path, rows)
        typed = [STEELYARD, "compare", str(path), "--value", "a,b", "--lower-is-better"]
        wall, cpu, memory = (
            min(one) for one in zip(*(measure(typed) for _ in range(3)), strict=True)
        )
    print(f"{rows:,} rows of two values: {wall:.2f} s, {cpu:.2f} s of CPU, {memory:.0f} MiB")
    return int(wall > SECONDS * NOISE or memory > MEBIBYTES * NOISE)


if __name__ == "__main__":
    sys.exit(main())

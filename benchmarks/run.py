"""Time and memory of Steelyard against peers, each job in a process of its own, all in one run.

python benchmarks/run.py                 print the table
python benchmarks/run.py --write         and put it into docs/explanation/performance.md
python benchmarks/run.py --rows 100000   a smaller main job
python benchmarks/run.py --file-rows 1e7 --array-rows 1e6 --scaling-rows 1e7   smaller races
python benchmarks/run.py --largest 1e9   also a file that no memory holds (6 GB of disk)

The exit code is 1 when a target is missed by more than a quarter.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

__all__ = ["Job", "Measured", "main", "measure"]

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/explanation/performance.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
STEELYARD = str(Path(sys.executable).with_name("steelyard"))
HERE = Path(__file__).parent
SMALL = ROOT / "src/steelyard/data/wdbc_scores.csv"
SMALL_BY_PEER = """
import sys, pandas as pd
from sklearn.metrics import roc_auc_score
table = pd.read_csv(sys.argv[1])
print([roc_auc_score(table["truth"], table[name]) for name in table.columns[2:]])
"""
NOISE = 1.25
"""A target is missed by more than a quarter or not at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What one process cost; the best of several runs."""

    wall: float
    cpu: float
    mebibytes: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One thing to measure, the peer that does the same, and what we promise."""

    name: str
    command: Sequence[str]
    peer_name: str
    peer: Sequence[str] | None
    judged_by: str
    target: float
    repeats: int = 3
    memory_target: float | None = None
    ratio: float | None = None
    """How many times the peer's cost ours may not exceed."""


def measure(command: Sequence[str], *, repeats: int) -> Measured:
    """Run a command once to warm up, then several times, and keep the least of each cost."""
    if repeats > 1:
        _run_once(command)
    runs = [_run_once(command) for _ in range(repeats)]
    return Measured(
        wall=min(run.wall for run in runs),
        cpu=min(run.cpu for run in runs),
        mebibytes=min(run.mebibytes for run in runs),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure all jobs; the exit code is 1 when a target is missed."""
    parser = argparse.ArgumentParser(description="Measure Steelyard against peers.")
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of the main job")
    parser.add_argument("--array-rows", type=float, default=1e7, help="rows of the arrays")
    parser.add_argument("--file-rows", type=float, default=1e8, help="rows of the file of scores")
    parser.add_argument("--scaling-rows", type=float, default=1e8, help="end of the picture")
    parser.add_argument("--largest", type=float, default=0, help="rows of a file beyond memory")
    parser.add_argument("--folder", help="where the files go, with room for them")
    parser.add_argument("--write", action="store_true", help="put the table into the docs")
    chosen = parser.parse_args(arguments)
    machine = _machine()
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        lines, missed = _measure_all(_all_jobs(Path(folder), chosen))
    text = [*machine, "", *lines]
    kernels = ["kernels.py", "--rows", str(int(chosen.array_rows))]
    scaling = ["kernels.py", "--scaling", "--rows", str(int(chosen.scaling_rows))]
    for script in (kernels, scaling, ["comparisons.py"]):
        told, slow = _told_by(script)
        text += ["", *told]
        missed += slow
    print("\n".join(text))
    if chosen.write:
        _write_page("\n".join(text))
    for line in missed:
        print(f"missed: {line}", file=sys.stderr)
    return 1 if missed else 0


def _told_by(script: Sequence[str]) -> tuple[list[str], list[str]]:
    """Race in a process of its own: the tables, and what was missed."""
    print(f"running {' '.join(script)}", file=sys.stderr)
    command = [sys.executable, str(HERE / script[0]), *script[1:]]
    told = subprocess.run(command, check=False, capture_output=True, text=True, env=_environment())
    if not told.stdout:
        raise RuntimeError(told.stderr)
    missed = [line[8:] for line in told.stderr.splitlines() if line.startswith("missed: ")]
    return told.stdout.splitlines(), missed


def _all_jobs(folder: Path, chosen: argparse.Namespace) -> Iterator[Job]:
    """Write the files and name what is to be done with them, one after the other."""
    table, rows = folder / "predictions.parquet", chosen.rows
    _write("make_predictions.py", table, rows)
    yield from _jobs(table, rows=rows)
    scores, size = folder / "scores.parquet", int(chosen.file_rows)
    _write("make_scores.py", scores, size)
    yield from _score_jobs(scores, rows=size)
    if chosen.largest:
        scores.unlink()
        _write("make_scores.py", scores, int(chosen.largest))
        yield _largest_job(scores, rows=int(chosen.largest))


def _write(script: str, path: Path, rows: int) -> None:
    subprocess.run([sys.executable, str(HERE / script), str(path), str(rows)], check=True)


def _machine() -> list[str]:
    """Describe what this runs on, as far as ratios may depend on it."""
    facts = {}
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition(":")
        facts.setdefault(name.strip(), value.strip())
    pages = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    packages = ("numpy", "scipy", "duckdb", "pyarrow", "scikit-learn", "polars")
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    return [
        f"{facts.get('model name', platform.machine())}, family {facts.get('cpu family', '?')}, "
        f"{os.cpu_count()} cores, {pages / 2**30:.0f} GiB, load {os.getloadavg()[0]:.1f} at the "
        f"start; Python {platform.python_version()}, {versions}.",
    ]


def _score_jobs(scores: Path, *, rows: int) -> list[Job]:
    ours = [STEELYARD, "evaluate", str(scores), "--positive", "1", "--memory", "1.5GiB"]
    return [
        Job(
            name=f"evaluate scores, {rows:,} rows of Parquet (float32)",
            command=ours,
            peer_name=f"{peer}, the area alone",
            peer=[sys.executable, str(HERE / "peer_area.py"), peer, str(scores)],
            judged_by="wall",
            target=float("inf"),
            repeats=1,
            memory_target=1536,
            ratio=ratio,
        )
        # DuckDB sorts these rows in 200 ns a row today. Reading them three times takes 32 of the 55
        # that ours take, and one sort 9: 4 times is where ours would end with nothing else to do.
        for peer, ratio in (("polars", 3.0), ("duckdb", 3.0))
    ]


def _largest_job(scores: Path, *, rows: int) -> Job:
    return Job(
        name=f"evaluate scores, {rows:,} rows of Parquet (float32), memory bounded",
        command=[STEELYARD, "evaluate", str(scores), "--positive", "1", "--memory", "4.5GiB"],
        peer_name="none",
        peer=None,
        judged_by="wall",
        target=float("inf"),
        repeats=1,
        memory_target=4608,
    )


def _jobs(table: Path, *, rows: int) -> list[Job]:
    python = sys.executable
    return [
        Job(
            name=f"compare six systems, {rows:,} rows of Parquet",
            command=[STEELYARD, "compare", str(table), "--truth", "truth", "--item", "id"],
            peer_name="pandas + statsmodels",
            peer=[python, str(HERE / "peer_compare.py"), str(table)],
            judged_by="wall",
            target=3.0,
            memory_target=1024,
        ),
        Job(
            name="evaluate a small file of scores, six systems",
            command=[STEELYARD, "evaluate", str(SMALL), "--positive", "1"],
            peer_name="pandas + scikit-learn, the areas alone",
            peer=[python, "-c", SMALL_BY_PEER, str(SMALL)],
            judged_by="wall",
            target=0.6,
            repeats=7,
        ),
        Job(
            name="`steelyard --help`",
            command=[STEELYARD, "--help"],
            peer_name="`python -c pass`",
            peer=[python, "-c", "pass"],
            judged_by="cpu",
            target=0.150,
            repeats=7,
        ),
        Job(
            name="`import steelyard`",
            command=[python, "-c", "import steelyard"],
            peer_name="`import sklearn.metrics`",
            peer=[python, "-c", "import sklearn.metrics"],
            judged_by="cpu",
            target=0.150,
            repeats=7,
        ),
    ]


def _environment() -> dict[str, str]:
    """Allow compiled bytecode to be kept, as any installation does."""
    return {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}


def _run_once(command: Sequence[str]) -> Measured:
    started = time.perf_counter()
    with tempfile.TemporaryFile() as told:
        process = subprocess.Popen(
            command, stdout=told, stderr=subprocess.STDOUT, env=_environment()
        )
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            told.seek(0)
            message = (
                f"{' '.join(command)} ended with {process.returncode}:\n{told.read().decode()}"
            )
            raise RuntimeError(message)
    return Measured(wall=wall, cpu=used.ru_utime + used.ru_stime, mebibytes=used.ru_maxrss / 1024)


def _measure_all(jobs: Iterable[Job]) -> tuple[list[str], list[str]]:
    lines = [
        "| job | wall s | CPU s | MiB | target | peer | peer wall s | peer MiB | peer/ours |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    missed = []
    for job in jobs:
        print(f"running {job.name}", file=sys.stderr)
        ours = measure(job.command, repeats=job.repeats)
        peer = None if job.peer is None else measure(job.peer, repeats=job.repeats)
        lines.append(_row(job, ours, peer))
        missed += _misses(job, ours, peer)
    return lines, missed


def _ratio(job: Job, ours: Measured, peer: Measured | None) -> float:
    """How many times ours the peer costs; without a peer, endlessly many."""
    if peer is None:
        return float("inf")
    return float(getattr(peer, job.judged_by) / getattr(ours, job.judged_by))


def _row(job: Job, ours: Measured, peer: Measured | None) -> str:
    told = ["", "", ""]
    if peer is not None:
        told = [f"{peer.wall:.2f}", f"{peer.mebibytes:.0f}", f"{_ratio(job, ours, peer):.2f}"]
    promised = [_promised(job)] if job.target < float("inf") or job.ratio else []
    promised += [] if job.memory_target is None else [f"{job.memory_target:g} MiB"]
    cells = [
        job.name,
        f"{ours.wall:.2f}",
        f"{ours.cpu:.2f}",
        f"{ours.mebibytes:.0f}",
        ", ".join(promised),
        job.peer_name,
        *told,
    ]
    return f"| {' | '.join(cells)} |"


def _promised(job: Job) -> str:
    return f"{job.judged_by} {job.target:g} s" if job.ratio is None else f"ratio {job.ratio:g}"


def _misses(job: Job, ours: Measured, peer: Measured | None) -> list[str]:
    found = []
    cost: float = getattr(ours, job.judged_by)
    ratio = _ratio(job, ours, peer)
    if job.ratio is not None and ratio * NOISE < job.ratio:
        found.append(f"{job.name}: {ratio:.1f} times {job.peer_name}, target {job.ratio:g}")
    if cost > job.target * NOISE:
        found.append(f"{job.name}: {job.judged_by} {cost:.3f} s, target {job.target:g} s")
    if job.memory_target is not None and ours.mebibytes > job.memory_target * NOISE:
        found.append(f"{job.name}: {ours.mebibytes:.0f} MiB, target {job.memory_target:g} MiB")
    return found


def _write_page(text: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    before, after = page.split(BEGIN)[0], page.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")
    subprocess.run([sys.executable, str(ROOT / "scripts/scaling_picture")], check=True)


if __name__ == "__main__":
    sys.exit(main())

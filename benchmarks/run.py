"""Time and memory of Steelyard against peers, each job in a process of its own, all in one run.

python benchmarks/run.py                 print the table
python benchmarks/run.py --write         and put it into docs/explanation/performance.md
python benchmarks/run.py --rows 100000   a smaller main job
python benchmarks/run.py --file-rows 1e7 --array-rows 1e6   smaller races of scores

The exit code is 1 when a target is missed by more than a quarter.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

__all__ = ["Job", "Measured", "main", "measure"]

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/explanation/performance.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
STEELYARD = str(Path(sys.executable).with_name("steelyard"))
HERE = Path(__file__).parent
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
    peer: Sequence[str]
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
    parser.add_argument("--write", action="store_true", help="put the table into the docs")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "predictions.parquet"
        writer = [sys.executable, str(HERE / "make_predictions.py"), str(table), str(chosen.rows)]
        subprocess.run(writer, check=True)
        scores, size = Path(folder) / "scores.parquet", int(chosen.file_rows)
        writer = [sys.executable, str(HERE / "make_scores.py"), str(scores), str(size)]
        subprocess.run(writer, check=True)
        jobs = [*_jobs(table, rows=chosen.rows), *_score_jobs(scores, rows=size)]
        lines, missed = _measure_all(jobs)
    kernels, slow = _kernels(int(chosen.array_rows))
    text = "\n".join([*_machine(), "", *lines, "", *kernels, "", *_comparisons()])
    missed += slow
    print(text)
    if chosen.write:
        _write_page(text)
    for line in missed:
        print(f"missed: {line}", file=sys.stderr)
    return 1 if missed else 0


def _comparisons() -> list[str]:
    """Measure the numerical work of a comparison in a process of its own."""
    command = [sys.executable, str(HERE / "comparisons.py")]
    told = subprocess.run(command, check=True, capture_output=True, text=True, env=_environment())
    return told.stdout.splitlines()


def _kernels(rows: int) -> tuple[list[str], list[str]]:
    """Race the kernels in a process of their own."""
    command = [sys.executable, str(HERE / "kernels.py"), "--rows", str(rows)]
    told = subprocess.run(command, check=False, capture_output=True, text=True, env=_environment())
    if not told.stdout:
        raise RuntimeError(told.stderr)
    missed = [line[8:] for line in told.stderr.splitlines() if line.startswith("missed: ")]
    return told.stdout.splitlines(), missed


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
        for peer, ratio in (("polars", 3.0), ("duckdb", 8.0))
    ]


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


def _measure_all(jobs: Sequence[Job]) -> tuple[list[str], list[str]]:
    lines = [
        "| job | wall s | CPU s | MiB | target | peer | peer wall s | peer MiB | peer/ours |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    missed = []
    for job in jobs:
        ours = measure(job.command, repeats=job.repeats)
        peer = measure(job.peer, repeats=job.repeats)
        lines.append(_row(job, ours, peer))
        missed += _misses(job, ours, peer)
    return lines, missed


def _row(job: Job, ours: Measured, peer: Measured) -> str:
    cost: float = getattr(ours, job.judged_by)
    ratio = getattr(peer, job.judged_by) / cost
    memory = "" if job.memory_target is None else f", {job.memory_target:g} MiB"
    cells = [
        job.name,
        f"{ours.wall:.2f}",
        f"{ours.cpu:.2f}",
        f"{ours.mebibytes:.0f}",
        _promised(job) + memory,
        job.peer_name,
        f"{peer.wall:.2f}",
        f"{peer.mebibytes:.0f}",
        f"{ratio:.2f}",
    ]
    return f"| {' | '.join(cells)} |"


def _promised(job: Job) -> str:
    return f"{job.judged_by} {job.target:g} s" if job.ratio is None else f"ratio {job.ratio:g}"


def _misses(job: Job, ours: Measured, peer: Measured) -> list[str]:
    found = []
    cost: float = getattr(ours, job.judged_by)
    ratio = getattr(peer, job.judged_by) / cost
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


if __name__ == "__main__":
    sys.exit(main())

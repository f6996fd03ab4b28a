"""A cell is one algorithm on one problem: its key, what became of it, and where that is kept."""

import hashlib
import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from steelyard.display.saving import write_whole
from steelyard.errors import RefusedData, RequestError, SteelyardError
from steelyard.results import CellState, from_plain, to_plain
from steelyard.suites.harness.algorithm_kinds import Algorithm, AlgorithmKind
from steelyard.suites.harness.processes import Ended, Limits, run_confined
from steelyard.suites.harness.workplaces import Workplace, hold_folder, lay_out, scratch_folder
from steelyard.suites.problems.problem import Problem
from steelyard.suites.problems.vectors import (
    Vectors,
    check_vectors,
    parse_lines,
    read_vectors,
    write_vectors,
)

__all__ = ["Assignment", "Cell", "cell_key", "read_cell", "run_cell"]

FORMAT = 2
"""Part of every key: raised when the harness itself changes what a cell means."""

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What became of one algorithm on one problem; ``reason`` says why it is not ``ok``.

    ``alone`` says that nothing else ran beside it, so that its time means something.
    """

    algorithm: str
    problem: str
    key: str
    state: CellState
    reason: str | None
    seconds: float
    cpu_seconds: float | None
    memory: int
    exit_code: int | None
    alone: bool
    protections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """Everything needed to run a cell; ``secret`` orders test items that are equal."""

    algorithm: Algorithm
    problem: Problem
    key: str
    target: Path
    limits: Limits
    hide: tuple[Path, ...]
    alone: bool
    secret: bytes


def cell_key(problem_hash: str, algorithm: str, *, seed: int) -> str:
    """Hash what decides the outcome of a cell: content of the problem and of the algorithm."""
    facts = [FORMAT, problem_hash, algorithm, seed]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def read_cell(target: Path, *, key: str) -> Cell | None:
    """Give a finished cell of this key, or None: it was never run, not finished, or has changed."""
    try:
        cell = from_plain(Cell, json.loads((target / "cell.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, RequestError, RecursionError):
        return None
    complete = cell.state != "ok" or (target / "out.parquet").is_file()
    return cell if complete and cell.key == key else None


def run_cell(assignment: Assignment) -> Cell:
    """Run one algorithm on one problem and keep what came of it; a failure is kept like a success.

    Two runs of a suite may work on one cell. Whichever ends well first is kept, and the other takes
    it: a cell that is ok is never written again, so nobody reads it while it changes.
    """
    with scratch_folder() as scratch:
        ended, vectors, place = _attempt(assignment, scratch)
    with hold_folder(assignment.target):
        kept = read_cell(assignment.target, key=assignment.key)
        if kept is not None and kept.state == "ok":
            return kept
        return _keep(assignment, ended, vectors, place)


def _keep(
    assignment: Assignment, ended: Ended, vectors: Vectors | None, place: tuple[str, ...]
) -> Cell:
    """Write a cell; ``cell.json`` comes last, so that half a cell is not taken for a whole one."""
    target = assignment.target
    (target / "cell.json").unlink(missing_ok=True)
    cell = Cell(
        algorithm=assignment.algorithm.name,
        problem=assignment.problem.id,
        key=assignment.key,
        state=ended.state,
        reason=ended.reason,
        seconds=round(ended.seconds, 3),
        cpu_seconds=None if ended.cpu_seconds is None else round(ended.cpu_seconds, 3),
        memory=ended.memory,
        exit_code=ended.exit_code,
        alone=assignment.alone,
        protections=ended.protections,
    )
    if vectors is not None:
        write_vectors(target / "out.parquet", place, assignment.problem.names, vectors)
    output = b"" if assignment.algorithm.kind == "meastex" and vectors is not None else ended.output
    write_whole(target / "stdout", output[: 1 << 19])
    write_whole(target / "stderr", ended.log)
    write_whole(target / "cell.json", json.dumps(to_plain(cell), indent=1).encode())
    return cell


def _attempt(
    assignment: Assignment, scratch: Path
) -> tuple[Ended, Vectors | None, tuple[str, ...]]:
    """Run, then read and check the vectors; ids come back in the order of the problem's table."""
    problem = assignment.problem
    if assignment.algorithm.kind == "file":
        return _from_file(assignment)
    try:
        place = lay_out(problem, scratch, secret=assignment.secret)
        command = COMMANDS[assignment.algorithm.kind](assignment.algorithm, place)
    except SteelyardError as error:
        return _end_without_process(str(error)), None, ()
    ended = run_confined(
        command,
        folder=scratch,
        limits=assignment.limits,
        hide=assignment.hide,
        environment=_environment(assignment.algorithm, scratch),
    )
    if ended.state != "ok":
        return ended, None, ()
    try:
        read = READERS[assignment.algorithm.kind](ended, place, problem)
        vectors = check_vectors(read)
    except RefusedData as error:
        return _as_invalid(ended, str(error)), None, ()
    ids = problem.test().ids
    back = {name: at for at, name in enumerate(place.real)}
    order = np.array([back[name] for name in ids], dtype=np.intp)
    return ended, vectors[order], ids


def _from_file(assignment: Assignment) -> tuple[Ended, Vectors | None, tuple[str, ...]]:
    problem = assignment.problem
    ids = problem.test().ids
    folder = Path(assignment.algorithm.what)
    try:
        vectors = read_vectors(folder, problem.id, ids=ids, classes=problem.names)
        return _end_without_process(None), check_vectors(vectors), ids
    except RefusedData as error:
        return _as_invalid(_end_without_process(None), str(error)), None, ()


def _end_without_process(reason: str | None) -> Ended:
    """Describe the end of what no process was started for."""
    return Ended(
        state="failed" if reason else "ok",
        reason=reason,
        seconds=0.0,
        cpu_seconds=None,
        memory=0,
        exit_code=None,
        protections=(),
        output=b"",
        log=(reason or "").encode(),
    )


def _as_invalid(ended: Ended, reason: str) -> Ended:
    return replace(ended, state="invalid", reason=reason)


def _meastex_command(algorithm: Algorithm, place: Workplace) -> list[str]:
    if place.test_file is None:
        message = f"{algorithm.name} reads .Test files, which hold images of up to 25 classes."
        raise RefusedData(message, code="images-needed")
    return [*algorithm.command, place.test_file.name]


def _json_command(algorithm: Algorithm, place: Workplace) -> list[str]:
    return [*algorithm.command, place.job.name]


def _python_command(algorithm: Algorithm, place: Workplace) -> list[str]:
    words = [
        "-m",
        "steelyard.suites.harness.worker",
        algorithm.kind,
        algorithm.what,
        place.job.name,
    ]
    return [sys.executable, *words]


COMMANDS: dict[AlgorithmKind, Callable[[Algorithm, Workplace], list[str]]] = {
    "meastex": _meastex_command,
    "json": _json_command,
    "sklearn": _python_command,
    "python": _python_command,
}


def _parse_printed(ended: Ended, place: Workplace, problem: Problem) -> Vectors:
    return parse_lines(ended.output, items=len(place.shown), classes=len(problem.classes))


def _read_written(ended: Ended, place: Workplace, problem: Problem) -> Vectors:
    return read_vectors(place.folder, "out", ids=place.shown, classes=problem.names)


READERS: dict[AlgorithmKind, Callable[[Ended, Workplace, Problem], Vectors]] = {
    "meastex": _parse_printed,
    "json": _read_written,
    "sklearn": _read_written,
    "python": _read_written,
}


def _environment(algorithm: Algorithm, scratch: Path) -> dict[str, str]:
    """Give an algorithm a path, one thread and a home of its own, and nothing else of ours."""
    made = {name: "1" for name in THREADS}
    made |= {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"}
    made |= {"HOME": str(scratch), "TMPDIR": str(scratch), "PYTHONHASHSEED": "0"}
    return made | ({"PYTHONPATH": algorithm.root} if algorithm.root else {})

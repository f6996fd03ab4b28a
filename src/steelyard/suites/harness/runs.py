"""Runs every algorithm on every problem; what is done is not done again."""

import json
import secrets
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from steelyard.display.saving import write_whole
from steelyard.errors import FileUnreadable, RefusedData, RequestError, listing, need, printable
from steelyard.results import from_plain, to_plain
from steelyard.suites.harness.algorithm_kinds import Algorithm, algorithm_hash
from steelyard.suites.harness.cells import Assignment, Cell, cell_key, read_cell, run_cell
from steelyard.suites.harness.processes import Limits
from steelyard.suites.harness.workplaces import hold_folder, remove_abandoned
from steelyard.suites.problems.suite_files import Suite, check_name, content_hash

__all__ = ["Run", "RunRecord", "read_run", "run_cells"]

LATEST = "latest"

Progress = Callable[[int, int, Cell | None], None]
"""Told how many cells are done, of how many, and which one was last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """What a run consisted of, enough to find its cells: folders by algorithm, keys by cell.

    ``content`` is the hash of each problem as it was run; records of early versions lack it.
    """

    suite: str
    version: str
    algorithms: tuple[tuple[str, str], ...]
    keys: tuple[tuple[str, str, str], ...]
    content: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A finished run: where it lies, its cells, and how many of them were run just now."""

    folder: Path
    record: RunRecord
    cells: tuple[Cell, ...]
    ran: int = 0

    def target(self, algorithm: str, problem: str) -> Path:
        """Give the folder of a cell."""
        return self.folder / "cells" / dict(self.record.algorithms)[algorithm] / problem


def _need_linux() -> None:
    """Refuse to run algorithms where they cannot be kept apart."""
    try:
        import fcntl  # noqa: F401
        import resource  # noqa: F401
    except ImportError:
        message = (
            "Running a suite keeps algorithms apart by means that only Linux has. Run it there; "
            "a suite is checked, and what was run is ranked, on this machine, too."
        )
        raise RequestError(message, code="not-linux") from None


def run_cells(
    suite: Suite,
    algorithms: Sequence[Algorithm],
    *,
    folder: Path,
    name: str = LATEST,
    workers: int = 1,
    limits: Limits | None = None,
    again: bool = False,
    progress: Progress | None = None,
) -> Run:
    """Run all cells that are not done, and write down what the run consisted of.

    Parameters
    ----------
    suite, algorithms
        What to run.
    folder
        Where runs are kept; cells of other runs with the same content are used.
    name
        Name of the run, to compare it with others later.
    workers
        Cells that run at the same time.
    limits
        What one cell may use.
    again
        Run cells that failed before once more.
    progress
        Called after every cell.
    """
    need("pyarrow", "Running a suite")
    _need_linux()
    if workers < 1:
        message = f"workers={workers}; expected 1 or more (--workers 2)."
        raise RequestError(message)
    place = folder / f"{suite.id}@{suite.version}"
    check_name(name)
    (place / "runs").mkdir(parents=True, exist_ok=True)
    content = {one.id: content_hash(suite.folder / "problems" / one.id) for one in suite.problems}
    plan = _plan(suite, algorithms, place, content, limits or Limits(), alone=workers == 1)
    done: dict[tuple[str, str], Cell] = {}
    left = []
    for one in plan:
        cell = read_cell(one.target, key=one.key)
        if cell is None or (again and cell.state != "ok"):
            left.append(one)
        else:
            done[one.algorithm.name, one.problem.id] = cell
    _work(left, done, workers=workers, total=len(plan), progress=progress)
    record = RunRecord(
        suite=suite.id,
        version=suite.version,
        algorithms=tuple({one.algorithm.name: one.target.parent.name for one in plan}.items()),
        keys=tuple((one.algorithm.name, one.problem.id, one.key) for one in plan),
        content=tuple(content.items()),
    )
    text = json.dumps(to_plain(record), indent=1).encode()
    write_whole(place / "runs" / f"{name}.json", text)
    cells = tuple(done[one.algorithm.name, one.problem.id] for one in plan)
    return Run(folder=place, record=record, cells=cells, ran=len(left))


def _plan(
    suite: Suite,
    algorithms: Sequence[Algorithm],
    place: Path,
    content: Mapping[str, str],
    limits: Limits,
    *,
    alone: bool,
) -> list[Assignment]:
    """List every cell, problem by problem, with its key and its place."""
    problems = suite.read_problems()
    identity = {one.name: algorithm_hash(one) for one in algorithms}
    secret = _secret(place)
    elsewhere = (*place.parent.glob(f"{suite.id}@*"), *_outside(suite), *_histories(suite))
    return [
        Assignment(
            algorithm=algorithm,
            problem=problem,
            key=cell_key(content[problem.id], identity[algorithm.name], seed=problem.seed),
            target=place
            / "cells"
            / f"{algorithm.name}@{identity[algorithm.name][:8]}"
            / problem.id,
            limits=limits,
            hide=(_folder_to_cover(suite, algorithm), *elsewhere),
            alone=alone,
            secret=secret,
        )
        for problem in problems
        for algorithm in algorithms
    ]


def _folder_to_cover(suite: Suite, algorithm: Algorithm) -> Path:
    """Give the folder that an algorithm must not see: the whole suite, unless it lies inside.

    Not the answers alone: the original order and names of the test items may tell as much.
    """
    whole = suite.folder.resolve()
    words = (*algorithm.command, algorithm.root, sys.prefix, sys.base_prefix, __file__)
    own = [Path(word).resolve() for word in words if word]
    inside = any(whole == path or whole in path.parents for path in own)
    return whole / "problems" if inside else whole


def _outside(suite: Suite) -> Iterator[Path]:
    """List the files of a suite that lie elsewhere, behind links."""
    whole = suite.folder.resolve()
    for one in suite.problems:
        folder = suite.folder / "problems" / one.id
        real = [path.resolve() for path in (folder, *folder.iterdir())]
        yield from (path for path in real if not path.is_relative_to(whole))


def _histories(suite: Suite) -> Iterator[Path]:
    """List what keeps earlier contents of the suite's files: the answers stand there, too."""
    whole = suite.folder.resolve()
    for place in (whole, *whole.parents):
        yield from (place / name for name in (".hg", ".svn") if (place / name).is_dir())
        git = place / ".git"
        if git.is_file():  # of a second working tree, or of a submodule: the place stands in it
            git = place / git.read_text(encoding="utf-8").partition(":")[2].strip()
            yield from (one.parent for one in git.parents if one.name == "worktrees")
        if git.is_dir():
            yield git


def _secret(place: Path) -> bytes:
    """Read what is drawn once for all runs of a folder; algorithms cannot see the folder."""
    path = place / "secret"
    with hold_folder(place):
        if not path.exists():
            write_whole(path, secrets.token_bytes(32), mode=0o600)
        return path.read_bytes()


def _work(
    left: Sequence[Assignment],
    done: dict[tuple[str, str], Cell],
    *,
    workers: int,
    total: int,
    progress: Progress | None,
) -> None:
    """Run the cells that are left, so many at a time, and tell of each."""
    tell = progress or (lambda *_: None)
    tell(len(done), total, None)
    remove_abandoned()
    queue = iter(left)
    with ThreadPoolExecutor(workers) as pool:
        running: set[Future[Cell]] = {pool.submit(run_cell, one) for one in islice(queue, workers)}
        while running:
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                cell = future.result()
                done[cell.algorithm, cell.problem] = cell
                tell(len(done), total, cell)
                running |= {pool.submit(run_cell, one) for one in islice(queue, 1)}


def read_run(suite: Suite, *, folder: Path, name: str = LATEST) -> Run:
    """Find the cells of a run that was finished before."""
    place = folder / f"{suite.id}@{suite.version}"
    path = place / "runs" / f"{check_name(name)}.json"
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        known = sorted(path.stem for path in path.parent.glob("*.json"))
        raise FileUnreadable.for_file(
            name,
            f"is not a finished run of {suite.id}@{suite.version} below {folder}.",
            fix=f"Known: {', '.join(known) or 'none'}. Type: steelyard suite run {suite.folder}",
        ) from None
    record = from_plain(RunRecord, saved)
    _refuse_changed(suite, record, name)
    run = Run(folder=place, record=record, cells=())
    cells = [_read_kept(run, suite, *known) for known in record.keys]
    return Run(folder=place, record=record, cells=tuple(cells))


def _refuse_changed(suite: Suite, record: RunRecord, name: str) -> None:
    """Refuse to hold answers of a run against questions that have changed since."""
    known = dict(record.content) or {one.id: one.sha256 for one in suite.problems if one.sha256}
    changed = [
        one
        for one, hashed in known.items()
        if hashed != content_hash(suite.folder / "problems" / one)
    ]
    if changed:
        message = (
            f"{listing(changed)} changed since the run {printable(name)!r} of {suite.id}@"
            f"{suite.version}: its answers belong to other items. Put the old content back, or "
            f"type: steelyard suite run {printable(suite.folder)}"
        )
        raise RefusedData(message, code="content-changed")


def _read_kept(run: Run, suite: Suite, algorithm: str, problem: str, key: str) -> Cell:
    cell = read_cell(run.target(algorithm, problem), key=key)
    if cell is None:
        what = f"{algorithm} on {problem}"
        found = "is not there, or is not what the run recorded."
        fix = f"Type: steelyard suite run {suite.folder}"
        raise FileUnreadable.for_file(what, found, fix=fix)
    return cell

"""Suites from folder to leaderboard: run, look again, look closer, compare in time."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from steelyard.journey.arguments import check_value
from steelyard.results import CellDetail, Leaderboard
from steelyard.suites import Suite, check_suite
from steelyard.suites.harness.algorithm_kinds import find_algorithms
from steelyard.suites.harness.processes import Limits
from steelyard.suites.harness.runs import Progress, read_run, run_cells
from steelyard.suites.standings.leaderboards import (
    build_leaderboard,
    cell_detail,
    list_changes,
    run_entries,
)

__all__ = ["compare_suite_runs", "leaderboard", "run_suite", "show_cell"]

LATEST = "latest"

KINDS = {
    "workers": "count",
    "timeout": "number",
    "memory": "count",
    "again": "flag",
    "level": "share",
    "alpha": "share",
}


def run_suite(  # noqa: PLR0913 - one for each setting, most by keyword
    suite: "str | Path | Suite",
    algorithms: Sequence[str] | Mapping[str, Any] = (),
    *,
    runs: str | Path | None = None,
    name: str = LATEST,
    workers: int = 1,
    timeout: float = 120.0,
    memory: int = 2 << 30,
    again: bool = False,
    level: float = 0.95,
    alpha: float = 0.05,
    rng: int = 0,
    progress: Progress | None = None,
) -> Leaderboard:
    """Run algorithms on every problem of a suite and say who leads.

    The suite is checked first. What was done before is not done again; a failure is a row with
    its reason. The algorithms ``null`` and ``majority``, which look at nothing, are always there.

    Parameters
    ----------
    suite
        A folder with ``suite.toml``, or a suite.
    algorithms
        Names of built-in ones, ``NAME=KIND:WHAT`` with KIND one of meastex, json, sklearn, python
        and file, or a mapping from names to functions, estimator classes or ``KIND:WHAT``. By
        default those that the suite names.
    runs
        Where runs are kept; by default in the suite, below ``runs``.
    name
        Name of this run, to compare it with another later.
    workers
        Cells that run at the same time; times are comparable with 1 only.
    timeout, memory
        Seconds and bytes that one cell may use.
    again
        Run cells that failed before once more.
    level, alpha
        Coverage of intervals; error rate of the decisions behind the ranks.
    rng
        Seed of the Bayesian comparison over problems.
    progress
        Called after every cell with cells done, cells in all, and the cell.

    Returns
    -------
    Leaderboard
        Scores, intervals and the ranks that the tests leave open.

    Raises
    ------
    RefusedData
        The data cannot answer the question; the message says what was found, what was expected and
        what to type next.
    RequestError
        An argument is unknown, lies outside its domain or does not fit the others.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from steelyard.suites import new_suite
    >>> with TemporaryDirectory() as made:
    ...     suite = new_suite(Path(made) / "mine")
    ...     board = run_suite(suite, ["lda"])
    >>> [one.algorithm for one in board.leaders]
    ['lda']
    """
    said = {"workers": workers, "timeout": timeout, "memory": memory, "again": again}
    said |= {"level": level, "alpha": alpha}
    checked = {name: check_value("run_suite", name, KINDS[name], said[name]) for name in said}
    made = suite if isinstance(suite, Suite) else Suite.read(suite)
    check_suite(made)
    run = run_cells(
        made,
        find_algorithms(algorithms, made.algorithms),
        folder=_runs(made, runs),
        name=name,
        workers=checked["workers"],
        limits=Limits(seconds=checked["timeout"], memory=checked["memory"]),
        again=checked["again"],
        progress=progress,
    )
    entries = run_entries(run)
    return build_leaderboard(
        made, entries, level=checked["level"], alpha=checked["alpha"], seed=rng
    )


def leaderboard(
    suite: "str | Path | Suite",
    *,
    runs: str | Path | None = None,
    name: str = LATEST,
    level: float = 0.95,
    alpha: float = 0.05,
    rng: int = 0,
) -> Leaderboard:
    """Say who leads in a run that was finished before; nothing is run."""
    made = suite if isinstance(suite, Suite) else Suite.read(suite)
    run = read_run(made, folder=_runs(made, runs), name=name)
    return build_leaderboard(made, run_entries(run), level=level, alpha=alpha, seed=rng)


def show_cell(
    suite: "str | Path | Suite",
    algorithm: str,
    problem: str,
    *,
    runs: str | Path | None = None,
    name: str = LATEST,
) -> CellDetail:
    """Show one algorithm on one problem with its logs."""
    made = suite if isinstance(suite, Suite) else Suite.read(suite)
    run = read_run(made, folder=_runs(made, runs), name=name)
    board = build_leaderboard(made, run_entries(run))
    return cell_detail(board, run, algorithm=algorithm, problem=problem)


def compare_suite_runs(
    suite: "str | Path | Suite",
    old: str,
    new: str,
    *,
    runs: str | Path | None = None,
    level: float = 0.95,
    alpha: float = 0.05,
    rng: int = 0,
) -> Leaderboard:
    """Compare the algorithms that changed between two named runs, version against version."""
    made = suite if isinstance(suite, Suite) else Suite.read(suite)
    folder = _runs(made, runs)
    before, after = (read_run(made, folder=folder, name=name) for name in (old, new))
    entries = list_changes(before, after, names=(old, new))
    return build_leaderboard(made, entries, level=level, alpha=alpha, seed=rng)


def _runs(suite: Suite, runs: str | Path | None) -> Path:
    return suite.folder / "runs" if runs is None else Path(runs)

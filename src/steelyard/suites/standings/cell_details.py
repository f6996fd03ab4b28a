"""Everything that is kept of one cell."""

from steelyard.errors import RequestError
from steelyard.results import CellDetail, Leaderboard
from steelyard.suites.harness.runs import Run

__all__ = ["cell_detail"]

SHOWN = 4000
"""Characters of the end of a log that a detail carries."""


def cell_detail(board: Leaderboard, run: Run, *, algorithm: str, problem: str) -> CellDetail:
    """Find a cell of a run, with the ends of its logs."""
    known = [name for name, _ in run.record.algorithms]
    if algorithm not in known:
        raise RequestError.for_choice(name="algorithm", given=algorithm, choices=known)
    if problem not in board.problems:
        raise RequestError.for_choice(name="problem", given=problem, choices=board.problems)
    where = (algorithm, problem)
    cell = next(one for one in run.cells if (one.algorithm, one.problem) == where)
    scored = next(one for one in board.cells if (one.algorithm, one.problem) == where)
    logs = [
        (run.target(*where) / name).read_bytes()[-SHOWN:].decode(errors="replace")
        for name in ("stdout", "stderr")
    ]
    return CellDetail(
        suite=board.suite,
        version=board.version,
        cell=scored,
        exit_code=cell.exit_code,
        key=cell.key,
        protections=cell.protections,
        output=logs[0],
        log=logs[1],
    )

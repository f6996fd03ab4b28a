"""Many problems, many algorithms: suite, problem, run, score and leaderboard.

A suite is sealed before anything runs, and a run says what it was made of; whoever has both can
work out the leaderboard again.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from steelyard.suites.problems.item_files import read_image, write_image
from steelyard.suites.problems.meastex_files import (
    VALID_NOTE,
    MeasTexProblem,
    export_meastex,
    import_meastex,
    read_test_file,
    read_valid_file,
    write_test_file,
    write_valid_file,
)
from steelyard.suites.problems.problem import Answers, Items, Problem, ProblemClass, write_problem
from steelyard.suites.problems.suite_files import (
    Suite,
    SuiteProblem,
    check_suite,
    content_hash,
    new_suite,
    seal_suite,
    write_suite,
)

if TYPE_CHECKING:
    from steelyard.suites.harness.algorithm_kinds import Algorithm, find_algorithms, name_algorithm
    from steelyard.suites.harness.cells import Cell
    from steelyard.suites.harness.processes import Ended, Limits, run_confined
    from steelyard.suites.harness.runs import Run, read_run, run_cells
    from steelyard.suites.problems.built_suites import (
        SUITES,
        build_demo,
        build_ground,
        build_recognition,
        build_shift,
    )
    from steelyard.suites.standings.leaderboards import build_leaderboard, run_entries
    from steelyard.suites.tasks import Task

__all__ = [
    "SUITES",
    "VALID_NOTE",
    "Algorithm",
    "Answers",
    "Cell",
    "Ended",
    "Items",
    "Limits",
    "MeasTexProblem",
    "Problem",
    "ProblemClass",
    "Run",
    "Suite",
    "SuiteProblem",
    "Task",
    "build_demo",
    "build_ground",
    "build_leaderboard",
    "build_recognition",
    "build_shift",
    "check_suite",
    "content_hash",
    "export_meastex",
    "find_algorithms",
    "import_meastex",
    "name_algorithm",
    "new_suite",
    "read_image",
    "read_run",
    "read_test_file",
    "read_valid_file",
    "run_cells",
    "run_confined",
    "run_entries",
    "seal_suite",
    "write_image",
    "write_problem",
    "write_suite",
    "write_test_file",
    "write_valid_file",
]

LATER = {
    "Algorithm": "harness.algorithm_kinds",
    "find_algorithms": "harness.algorithm_kinds",
    "name_algorithm": "harness.algorithm_kinds",
    "Cell": "harness.cells",
    "build_leaderboard": "standings.leaderboards",
    "run_entries": "standings.leaderboards",
    "Ended": "harness.processes",
    "Limits": "harness.processes",
    "run_confined": "harness.processes",
    "SUITES": "problems.built_suites",
    "build_recognition": "problems.built_suites",
    "Run": "harness.runs",
    "read_run": "harness.runs",
    "run_cells": "harness.runs",
    "Task": "tasks",
    "build_demo": "problems.built_suites",
    "build_ground": "problems.built_suites",
    "build_shift": "problems.built_suites",
}
"""Names by module that are loaded when first used: a process of an algorithm needs none of them."""


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Load a module when one of its names is first used."""
    if name not in LATER:
        message = f"module 'steelyard.suites' has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(import_module(f"steelyard.suites.{LATER[name]}"), name)
    globals()[name] = value
    return value

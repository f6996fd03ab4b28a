"""Many problems, many algorithms: suite, problem, run, score and leaderboard."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from steelyard.suites.images import read_image, write_image
from steelyard.suites.meastex_files import (
    VALID_NOTE,
    MeasTexProblem,
    export_meastex,
    import_meastex,
    read_test_file,
    read_valid_file,
    write_test_file,
    write_valid_file,
)
from steelyard.suites.problems import Answers, Items, Problem, ProblemClass, write_problem
from steelyard.suites.skeleton import new_suite
from steelyard.suites.suite_files import (
    Suite,
    SuiteProblem,
    check_suite,
    content_hash,
    seal_suite,
    write_suite,
)

if TYPE_CHECKING:
    from steelyard.suites.algorithm_kinds import Algorithm, find_algorithms, named_algorithm
    from steelyard.suites.cells import Cell
    from steelyard.suites.entries import run_entries
    from steelyard.suites.leaderboards import build_leaderboard
    from steelyard.suites.processes import Ended, Limits, run_confined
    from steelyard.suites.recognition import SUITES, build_recognition
    from steelyard.suites.runs import Run, read_run, run_cells
    from steelyard.suites.tasks import Task
    from steelyard.suites.textures import build_demo, build_ground, build_shift

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
    "named_algorithm",
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
    "Algorithm": "algorithm_kinds",
    "find_algorithms": "algorithm_kinds",
    "named_algorithm": "algorithm_kinds",
    "Cell": "cells",
    "build_leaderboard": "leaderboards",
    "run_entries": "entries",
    "Ended": "processes",
    "Limits": "processes",
    "run_confined": "processes",
    "SUITES": "recognition",
    "build_recognition": "recognition",
    "Run": "runs",
    "read_run": "runs",
    "run_cells": "runs",
    "Task": "tasks",
    "build_demo": "textures",
    "build_ground": "textures",
    "build_shift": "textures",
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

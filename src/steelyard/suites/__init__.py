"""Many problems, many algorithms: suite, problem, run, score and leaderboard."""

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

__all__ = [
    "VALID_NOTE",
    "Answers",
    "Items",
    "MeasTexProblem",
    "Problem",
    "ProblemClass",
    "Suite",
    "SuiteProblem",
    "check_suite",
    "content_hash",
    "export_meastex",
    "import_meastex",
    "new_suite",
    "read_image",
    "read_test_file",
    "read_valid_file",
    "seal_suite",
    "write_image",
    "write_problem",
    "write_suite",
    "write_test_file",
    "write_valid_file",
]

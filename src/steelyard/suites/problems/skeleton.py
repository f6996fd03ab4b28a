"""A new suite to write into: one small problem that runs at once."""

from pathlib import Path

import numpy as np

from steelyard.errors import RequestError
from steelyard.suites.problems.problem import Answers, Items, Problem, ProblemClass, write_problem
from steelyard.suites.problems.suite_files import Suite, SuiteProblem, checked_name, write_suite

__all__ = ["new_suite"]

GROUPS = 12
IN_A_GROUP = 5


def new_suite(folder: Path, *, name: str | None = None) -> Suite:
    """Write a suite with one example problem: rows of two numbers, in groups, of two classes."""
    if folder.exists() and any(folder.iterdir()):
        message = (
            f"{folder.name} is there and not empty; nothing was overwritten. Name a new folder."
        )
        raise RequestError(message, code="folder-not-empty")
    known = checked_name(name or folder.resolve().name)
    problem = Problem(
        id="example",
        folder=folder / "problems" / "example",
        classes=tuple(ProblemClass(name=of, prior=0.5, weight=0.5) for of in ("calm", "rough")),
        unit="row",
        title="Replace these rows by your own",
    )
    rng = np.random.default_rng(problem.seed)
    numbers, classes, groups = _rows(problem.names, rng)
    half = np.array([int(group[1:]) % 2 == 0 for group in groups])
    ids = [f"{place:03d}" for place in range(len(groups))]
    train, test = np.flatnonzero(half), rng.permutation(np.flatnonzero(~half))
    names = tuple(ids[k] for k in test)
    columns = ("mean", "spread")
    write_problem(
        problem,
        train=Items(
            ids=tuple(ids[k] for k in train),
            numbers=numbers[train],
            columns=columns,
            classes=tuple(classes[k] for k in train),
            groups=tuple(groups[k] for k in train),
        ),
        test=Items(ids=names, numbers=numbers[test], columns=columns),
        answers=Answers(
            ids=names,
            classes=tuple(classes[k] for k in test),
            groups=tuple(groups[k] for k in test),
        ),
    )
    suite = Suite(
        id=known,
        folder=folder,
        version="1",
        title="A new suite",
        problems=(SuiteProblem(id=problem.id),),
    )
    write_suite(suite)
    return suite


def _rows(
    names: tuple[str, ...], rng: np.random.Generator
) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.float64]], list[str], list[str]]:
    """Draw items in groups that are alike inside, half of the groups of each class."""
    rows, classes, groups = [], [], []
    for place, of in enumerate(names):
        for group in range(GROUPS):
            centre = rng.normal(2.0 * place, 0.5, 2)
            for _ in range(IN_A_GROUP):
                rows.append(np.round(rng.normal(centre, 0.6), 3))
                classes.append(of)
                groups.append(f"{of[0]}{group}")
    return np.array(rows), classes, groups

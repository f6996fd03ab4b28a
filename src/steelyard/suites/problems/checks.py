"""What is wrong with a problem, all of it at once, and what its author should know."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from steelyard.errors import Fault, UnusableRows, listing, printable
from steelyard.suites.problems.problem import Answers, Items, Problem

__all__ = ["leaks", "problem_faults", "refuse_faults"]

NO_GROUP = ""
Held = TypeVar("Held", Items, Answers)


def problem_faults(problem: Problem) -> list[Fault]:
    """List everything that is wrong with the items of a problem."""
    train, lost_train = _read(problem.train)
    test, lost_test = _read(problem.test)
    answers, lost_answers = _read(problem.answers)
    faults = [*lost_train, *lost_test, *lost_answers]
    for name, table in (("train", train), ("answers", answers)):
        if table is not None:
            faults += _strange(problem, name, table.classes)
    if test is not None and answers is not None:
        faults += _unanswered(problem, test.ids, answers.ids)
    if train is not None:
        empty = [name for name in problem.names if name not in set(train.classes)]
        found = "no training item is of the class."
        faults += _fault(problem, "train", found, empty, "Add some.")
    if answers is not None:
        faults += _untested(problem, answers.classes)
    files = [name for table in (train, test) if table is not None for name in table.files]
    return [*faults, *_file_faults(problem, files)]


def _read(table: Callable[[], Held]) -> tuple[Held | None, tuple[Fault, ...]]:
    """Read a table, or give what is wrong with its rows."""
    try:
        return table(), ()
    except UnusableRows as refused:
        return None, refused.faults


def _unanswered(problem: Problem, asked: Sequence[str], answered: Sequence[str]) -> list[Fault]:
    lost = sorted(set(asked) ^ set(answered))
    found = "answers and test items differ."
    return _fault(problem, "answers", found, lost, "Answer each once.")


def _untested(problem: Problem, classes: Sequence[str]) -> list[Fault]:
    known = set(classes)
    unseen = [one.name for one in problem.classes if one.weight > 0 and one.name not in known]
    found = "a class with a weight has no test item."
    return _fault(problem, "answers", found, unseen, "Add some, or weigh it 0.")


def leaks(problem: Problem) -> list[str]:
    """Name the groups that have items on both sides; scores flatter every algorithm then."""
    train, answers = problem.train(), problem.answers()
    return sorted(set(train.groups) & set(answers.groups) - {NO_GROUP})


def _strange(problem: Problem, table: str, classes: Sequence[str]) -> list[Fault]:
    strange = sorted(set(classes) - set(problem.names))
    found = f"holds classes that were not declared. Declared: {listing(problem.names)}."
    return _fault(problem, table, found, strange, "Declare them in problem.toml, or mend the rows.")


def _file_faults(problem: Problem, files: Sequence[str]) -> list[Fault]:
    root = problem.folder.resolve()
    lost = [name for name in files if not _inside(root, name)]
    found = "a file is not there, or lies outside the problem."
    return _fault(problem, "files", found, lost, "Put it beside the tables.")


def _inside(root: Path, name: str) -> bool:
    try:
        path = (root / name).resolve()
        return path.is_relative_to(root) and path.is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _fault(
    problem: Problem, table: str, found: str, examples: Sequence[str], fix: str
) -> list[Fault]:
    if not examples:
        return []
    fault = Fault(
        code=f"suite-{table}",
        where=f"{problem.id}/{table}",
        found=found,
        fix=fix,
        count=len(examples),
        examples=tuple(printable(name) for name in examples[:3]),
    )
    return [fault]


def refuse_faults(faults: Sequence[Fault]) -> None:
    """Raise once, with every fault that was found."""
    if faults:
        raise UnusableRows.of(faults)

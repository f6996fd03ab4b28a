"""What is wrong with a problem, all of it at once, and what its author should know."""

from collections import Counter
from collections.abc import Sequence

from steelyard.errors import Fault, UnusableRows
from steelyard.suites.problems import Problem

__all__ = ["leaks", "problem_faults", "refuse_faults"]

NO_GROUP = ""


def problem_faults(problem: Problem) -> list[Fault]:
    """List everything that is wrong with the items of a problem."""
    train, test, answers = problem.train(), problem.test(), problem.answers()
    faults = [
        *_repeated(problem, "train", train.ids),
        *_repeated(problem, "test", test.ids),
        *_repeated(problem, "answers", answers.ids),
        *_strange(problem, "train", train.classes),
        *_strange(problem, "answers", answers.classes),
    ]
    lost = sorted(set(test.ids) ^ set(answers.ids))
    if lost:
        faults.append(
            _fault(problem, "answers", "answers and test items differ.", lost, "Answer each once.")
        )
    empty = [name for name in problem.names if name not in set(train.classes)]
    if empty:
        faults.append(
            _fault(problem, "train", "no training item is of the class.", empty, "Add some.")
        )
    unseen = [
        one.name
        for one in problem.classes
        if one.weight > 0 and one.name not in set(answers.classes)
    ]
    if unseen:
        found = "a class with a weight has no test item."
        faults.append(_fault(problem, "answers", found, unseen, "Add some, or weigh it 0."))
    return [*faults, *_file_faults(problem, (*train.files, *test.files))]


def leaks(problem: Problem) -> list[str]:
    """Name the groups that have items on both sides; scores flatter every algorithm then."""
    train, answers = problem.train(), problem.answers()
    return sorted(set(train.groups) & set(answers.groups) - {NO_GROUP})


def _repeated(problem: Problem, table: str, ids: Sequence[str]) -> list[Fault]:
    again = [name for name, number in Counter(ids).items() if number > 1]
    found, fix = "an id stands twice.", "Give every item an id of its own."
    return [_fault(problem, table, found, again, fix)] if again else []


def _strange(problem: Problem, table: str, classes: Sequence[str]) -> list[Fault]:
    strange = sorted(set(classes) - set(problem.names))
    found = "a class is not declared in problem.toml."
    return [_fault(problem, table, found, strange, "Declare or mend it.")] if strange else []


def _file_faults(problem: Problem, files: Sequence[str]) -> list[Fault]:
    root = problem.folder.resolve()
    lost = [
        name
        for name in files
        if not (path := (root / name).resolve()).is_file() or not path.is_relative_to(root)
    ]
    found = "a file is not there, or lies outside the problem."
    return [_fault(problem, "files", found, lost, "Put it beside the tables.")] if lost else []


def _fault(problem: Problem, table: str, found: str, examples: Sequence[str], fix: str) -> Fault:
    return Fault(
        code=f"suite-{table}",
        where=f"{problem.id}/{table}",
        found=found,
        fix=fix,
        count=len(examples),
        examples=tuple(examples[:3]),
    )


def refuse_faults(faults: Sequence[Fault]) -> None:
    """Raise once, with every fault that was found."""
    if faults:
        raise UnusableRows.of(faults)

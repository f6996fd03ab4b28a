"""A problem: classes, training items, test items, and answers that only the scorer sees."""

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import Path
from typing import Any, Literal, Self, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from steelyard.counts.labels import canonical_label
from steelyard.display.saving import write_whole
from steelyard.errors import Fault, FileUnreadable, RefusedData, UnusableRows, listing, printable
from steelyard.suites.problems.item_files import (
    Table,
    find_table,
    number_table,
    read_table,
    write_table,
)

__all__ = [
    "TABLES",
    "Answers",
    "Items",
    "Problem",
    "ProblemClass",
    "Unit",
    "leaks",
    "problem_faults",
    "read_toml",
    "refuse_faults",
    "toml_text",
    "write_problem",
    "write_split",
]


Unit = Literal["image", "row"]
"""What an item is: a grey image in a file, or a row of numbers."""

TABLES = ("train", "test", "answers")
DIALECT = ("delimiter", "decimal", "encoding")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemClass:
    """A class with the chance it is announced with and the weight it is scored with."""

    name: str
    prior: float
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Items:
    """Items in order: ids, and either files of images or a table of numbers.

    ``classes`` and ``groups`` are empty for test items: these stand in the answers.
    """

    ids: tuple[str, ...]
    files: tuple[str, ...] = ()
    numbers: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 0)))
    columns: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.ids)

    def take(self, places: Sequence[int]) -> "Items":
        """Give some of the items in the order of their places."""
        texts = ("ids", "files", "classes", "groups")
        columns = {name: getattr(self, name) for name in texts}
        held: dict[str, Any] = {
            name: tuple(column[k] for k in places) for name, column in columns.items() if column
        }
        numbers = self.numbers[list(places)] if self.columns else self.numbers
        return replace(self, numbers=numbers, **held)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """True class and source (group) of every test item; never handed to an algorithm."""

    ids: tuple[str, ...]
    classes: tuple[str, ...]
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One problem in its folder; tables are read when they are asked for.

    ``dialect`` is what its author says about delimited tables: delimiter, decimal, encoding.
    """

    id: str
    folder: Path
    classes: tuple[ProblemClass, ...]
    unit: Unit
    title: str = ""
    seed: int = 0
    dialect: tuple[tuple[str, str], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the classes, in the order of vectors."""
        return tuple(one.name for one in self.classes)

    @property
    def priors(self) -> dict[str, float]:
        """Announced chance of each class."""
        return {one.name: one.prior for one in self.classes}

    @property
    def weights(self) -> dict[str, float]:
        """Weight of each class in the score; they add up to 1."""
        total = sum(one.weight for one in self.classes)
        return {one.name: one.weight / total for one in self.classes}

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read ``problem.toml``."""
        saved = read_toml(folder / "problem.toml")
        unit = saved.get("unit", "row")
        if unit not in get_args(Unit):
            found = f"unit = {unit!r} is not known."
            fix = f"Choose one of: {', '.join(get_args(Unit))}."
            raise FileUnreadable.for_file(_place(folder), found, fix=fix)
        if saved.get("id", folder.name) != folder.name:
            found = f"id = {saved['id']!r} is not the name of its folder, {folder.name!r}."
            raise FileUnreadable.for_file(_place(folder), found, fix="Give both one name.")
        return cls(
            id=folder.name,
            folder=folder,
            classes=_classes(folder, saved.get("classes")),
            unit=unit,
            title=str(saved.get("title", "")),
            seed=_seed(folder, saved.get("seed", 0)),
            dialect=tuple((name, str(saved[name])) for name in DIALECT if name in saved),
        )

    def train(self) -> Items:
        """Read the training items with their classes and groups."""
        return _items(self, "train")

    def test(self) -> Items:
        """Read the test items; they have neither class nor group."""
        return _items(self, "test")

    def answers(self) -> Answers:
        """Read the true classes; for the scorer only."""
        table = _table(self, "answers")
        ids, classes = _texts(self, table, "answers", "id"), _texts(self, table, "answers", "class")
        groups = table.get("group")
        known = tuple(groups) if isinstance(groups, list) else ids
        return Answers(ids=ids, classes=classes, groups=known)


def write_problem(
    problem: Problem, *, train: Items, test: Items, answers: Answers, parquet: bool = False
) -> None:
    """Write the tables and ``problem.toml``; files of images must be there already."""
    problem.folder.mkdir(parents=True, exist_ok=True)
    suffix = ".parquet" if parquet else ".csv"
    content: dict[str, Any] = {"id": problem.id}
    content |= {"title": problem.title} if problem.title else {}
    content |= {"unit": problem.unit, "seed": problem.seed}
    content["classes"] = [
        {"name": one.name, "prior": one.prior, "weight": one.weight} for one in problem.classes
    ]
    write_whole(problem.folder / "problem.toml", toml_text(content).encode())
    known = {"class": train.classes, "group": train.groups or train.ids}
    write_table(
        problem.folder / f"train{suffix}", {"id": train.ids, **known, **_item_columns(train)}
    )
    write_table(problem.folder / f"test{suffix}", {"id": test.ids, **_item_columns(test)})
    told = {"id": answers.ids, "class": answers.classes, "group": answers.groups}
    write_table(problem.folder / f"answers{suffix}", told)


def write_split(
    problem: Problem,
    items: Items,
    *,
    train: Sequence[int],
    test: Sequence[int],
    parquet: bool = False,
) -> None:
    """Write a problem from all items with their answers, and the places of both sides."""
    known, asked = items.take(train), items.take(test)
    write_problem(
        problem,
        train=known,
        test=replace(asked, classes=(), groups=()),
        answers=Answers(ids=asked.ids, classes=asked.classes, groups=asked.groups),
        parquet=parquet,
    )


def toml_text(content: Mapping[str, Any]) -> str:
    """Write plain values, tables and lists of tables.

    Examples
    --------
    >>> print(toml_text({"id": "ground", "classes": [{"name": "brick", "prior": 0.5}]}))
    id = "ground"
    <BLANKLINE>
    [[classes]]
    name = "brick"
    prior = 0.5
    <BLANKLINE>
    """
    plain = {name: value for name, value in content.items() if not _holds_tables(value)}
    parts = [_toml_pairs(plain)]
    for name, value in content.items():
        if isinstance(value, Mapping):
            parts.append(f"[{_toml_key(name)}]\n{_toml_pairs(value)}")
        elif _holds_tables(value):
            parts += [f"[[{_toml_key(name)}]]\n{_toml_pairs(table)}" for table in value]
    return "\n".join(part for part in parts if part)


def _holds_tables(value: object) -> bool:
    if isinstance(value, Mapping):
        return True
    return isinstance(value, list | tuple) and bool(value) and isinstance(value[0], Mapping)


def _toml_pairs(table: Mapping[str, Any]) -> str:
    return "".join(f"{_toml_key(name)} = {_toml_value(value)}\n" for name, value in table.items())


def _toml_key(name: str) -> str:
    bare = name.replace("-", "").replace("_", "")
    return name if bare.isascii() and bare.isalnum() else json.dumps(name)


def _toml_value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(_toml_value, value))}]"
    # A JSON text is a TOML basic string, but for the character DEL, which TOML wants escaped.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file, or say why not."""
    name = f"{path.parent.name}/{path.name}"
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        fix = "Make a suite with: steelyard suite new FOLDER"
        raise FileUnreadable.for_file(name, "is not there.", fix=fix) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        found = f"is not TOML ({error})."
        raise FileUnreadable.for_file(name, found, fix="Correct the line.") from None


def _classes(folder: Path, saved: object) -> tuple[ProblemClass, ...]:
    tables = saved if isinstance(saved, list) else []
    try:
        even = 1 / len(tables) if tables else 0.0
        made = tuple(
            ProblemClass(
                name=canonical_label(str(one["name"])),
                prior=float(one.get("prior", even)),
                weight=float(one.get("weight", even)),
            )
            for one in tables
        )
    except (TypeError, KeyError, ValueError, AttributeError):
        made = ()
    numbers = [x for one in made for x in (one.prior, one.weight)]
    names = [one.name for one in made]
    sound = len(made) >= 2 and len(set(names)) == len(names) and "" not in names
    if sound:
        _check_names(folder, names)
    if not sound or any(not isfinite(x) or x < 0 for x in numbers):
        raise FileUnreadable.for_file(
            _place(folder),
            "needs two classes or more, each with a name of its own, a prior and a weight of 0 "
            "or more.",
            fix='Write [[classes]] with name = "…", prior = 0.5, weight = 0.5 for each.',
        )
    for what, total in (
        ("priors", sum(one.prior for one in made)),
        ("weights", sum(one.weight for one in made)),
    ):
        if abs(total - 1) > 1e-3:
            found = f"the {what} of the classes add up to {total:g}."
            raise FileUnreadable.for_file(_place(folder), found, fix="They must add up to 1.")
    return made


def _check_names(folder: Path, names: Sequence[str]) -> None:
    """Refuse names that cannot head the columns of a table of vectors, beside the ids."""
    odd = [name for name in names if name != name.strip() or name.casefold() == "id"]
    seen: dict[str, str] = {}
    for name in names:
        if seen.setdefault(name.casefold(), name) != name:
            odd.append(f"{seen[name.casefold()]} beside {name}")
    if odd:
        found = f"classes are columns of the tables of vectors, and cannot be: {listing(odd)}."
        fix = "Names differ by more than case, are not 'id', and have no spaces around them."
        raise FileUnreadable.for_file(_place(folder), found, fix=fix)


def _place(folder: Path) -> str:
    return f"{folder.name}/problem.toml"


def _table(problem: Problem, name: str) -> Table:
    path = find_table(problem.folder, name)
    return read_table(path, of=problem.id, dialect=dict(problem.dialect))


def _seed(folder: Path, given: object) -> int:
    if isinstance(given, int) and not isinstance(given, bool) and given >= 0:
        return given
    found = f"seed = {given!r} is not a whole number, 0 or more."
    raise FileUnreadable.for_file(_place(folder), found, fix="Write seed = 0, for example.")


def _items(problem: Problem, name: str) -> Items:
    table = _table(problem, name)
    ids = _texts(problem, table, name, "id")
    known: dict[str, Any] = {"ids": ids}
    if name == "train":
        known["classes"] = _texts(problem, table, name, "class")
        groups = table.get("group")
        known["groups"] = tuple(groups) if isinstance(groups, list) else ids
    elif "class" in table:
        message = (
            f"{problem.id}/{name} has a column 'class'. Move it to answers.csv: an algorithm sees "
            "the whole table of test items."
        )
        raise RefusedData(message, code="answers-shown")
    if problem.unit == "image":
        return Items(files=_texts(problem, table, name, "file"), **known)
    columns = tuple(head for head, column in table.items() if not isinstance(column, list))
    numbers = number_table(table)
    if not columns:
        message = (
            f"{problem.id}/{name} needs columns of numbers; found {listing(list(table))}. Add one "
            'at least, or write unit = "image" into problem.toml.'
        )
        raise RefusedData(message, code="numbers-missing")
    return Items(numbers=numbers, columns=columns, **known)


def _texts(problem: Problem, table: Table, name: str, column: str) -> tuple[str, ...]:
    found = table.get(column)
    if not isinstance(found, list):
        message = (
            f"{problem.id}/{name} has no column {column!r}. Found: {listing(list(table))}. "
            f"Expected {'id, class, group' if name != 'test' else 'id'}"
            f"{', file' if problem.unit == 'image' and name != 'answers' else ''}."
        )
        raise RefusedData(message, code="column-missing")
    return tuple(found)


def _item_columns(items: Items) -> Mapping[str, Sequence[object] | NDArray[np.float64]]:
    if items.files:
        return {"file": items.files}
    return {name: items.numbers[:, place] for place, name in enumerate(items.columns)}


NO_GROUP = ""
Held = TypeVar("Held", Items, Answers)


def problem_faults(problem: Problem) -> list[Fault]:
    """List everything that is wrong with the items of a problem."""
    train, lost_train = _read_or_faults(problem.train)
    test, lost_test = _read_or_faults(problem.test)
    answers, lost_answers = _read_or_faults(problem.answers)
    faults = [*lost_train, *lost_test, *lost_answers]
    for name, table in (("train", train), ("answers", answers)):
        if table is not None:
            faults += _find_strange(problem, name, table.classes)
    if test is not None and answers is not None:
        faults += _find_unanswered(problem, test.ids, answers.ids)
    if train is not None:
        empty = [name for name in problem.names if name not in set(train.classes)]
        found = "no training item is of the class."
        faults += _fault(problem, "train", found, empty, "Add some.")
    if answers is not None:
        faults += _find_classes_without_test(problem, answers.classes)
    files = [name for table in (train, test) if table is not None for name in table.files]
    return [*faults, *_file_faults(problem, files)]


def _read_or_faults(table: Callable[[], Held]) -> tuple[Held | None, tuple[Fault, ...]]:
    """Read a table, or give what is wrong with its rows."""
    try:
        return table(), ()
    except UnusableRows as refused:
        return None, refused.faults


def _find_unanswered(
    problem: Problem, asked: Sequence[str], answered: Sequence[str]
) -> list[Fault]:
    lost = sorted(set(asked) ^ set(answered))
    found = "answers and test items differ."
    return _fault(problem, "answers", found, lost, "Answer each once.")


def _find_classes_without_test(problem: Problem, classes: Sequence[str]) -> list[Fault]:
    known = set(classes)
    unseen = [one.name for one in problem.classes if one.weight > 0 and one.name not in known]
    found = "a class with a weight has no test item."
    return _fault(problem, "answers", found, unseen, "Add some, or weigh it 0.")


def leaks(problem: Problem) -> list[str]:
    """Name the groups that have items on both sides; scores flatter every algorithm then."""
    train, answers = problem.train(), problem.answers()
    return sorted(set(train.groups) & set(answers.groups) - {NO_GROUP})


def _find_strange(problem: Problem, table: str, classes: Sequence[str]) -> list[Fault]:
    strange = sorted(set(classes) - set(problem.names))
    found = f"holds classes that were not declared. Declared: {listing(problem.names)}."
    fix = "Declare them in problem.toml, or correct the rows."
    return _fault(problem, table, found, strange, fix)


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

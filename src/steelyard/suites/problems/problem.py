"""A problem: classes, training items, test items, and answers that only the scorer sees."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from steelyard.counts.labels import canonical_label
from steelyard.display.saving import write_whole
from steelyard.errors import FileUnreadable, RefusedData, listing
from steelyard.suites.problems.item_tables import (
    Table,
    find_table,
    number_table,
    read_table,
    write_table,
)
from steelyard.suites.problems.toml_text import toml_text

__all__ = [
    "TABLES",
    "Answers",
    "Items",
    "Problem",
    "ProblemClass",
    "Unit",
    "read_toml",
    "write_problem",
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
    write_table(problem.folder / f"train{suffix}", {"id": train.ids, **known, **_held(train)})
    write_table(problem.folder / f"test{suffix}", {"id": test.ids, **_held(test)})
    told = {"id": answers.ids, "class": answers.classes, "group": answers.groups}
    write_table(problem.folder / f"answers{suffix}", told)


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
        raise FileUnreadable.for_file(name, found, fix="Mend the line.") from None


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


def _held(items: Items) -> Mapping[str, Sequence[object] | NDArray[np.float64]]:
    if items.files:
        return {"file": items.files}
    return {name: items.numbers[:, place] for place, name in enumerate(items.columns)}

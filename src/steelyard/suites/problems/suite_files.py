"""A suite: problems with their weights, licence, version and the hashes of their content."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Literal, Self, get_args

import numpy as np

from steelyard.counts.labels import lookalike_classes
from steelyard.display.saving import names_device, write_whole
from steelyard.errors import FileUnreadable, RefusedData, RequestError, counted, listing
from steelyard.suites.problems.problem import (
    Items,
    Problem,
    ProblemClass,
    leaks,
    problem_faults,
    read_toml,
    refuse_faults,
    toml_text,
    write_split,
)

__all__ = [
    "FAILURES",
    "FailurePolicy",
    "Suite",
    "SuiteProblem",
    "check_name",
    "check_suite",
    "content_hash",
    "new_suite",
    "seal_suite",
    "write_suite",
]

FailurePolicy = Literal["null", "excluded"]
"""What a failed cell counts as: the score of ``null`` there, or the algorithm is not ranked."""

FAILURES: tuple[FailurePolicy, ...] = get_args(FailurePolicy)
NAME_FIX = "Use letters, digits, dot, dash and underscore, and start with a letter or a digit."


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteProblem:
    """A problem of a suite: its weight in the suite's score, and the hash it was sealed with."""

    id: str
    weight: float = 1.0
    sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A folder with ``suite.toml`` and one folder below ``problems`` for each problem.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as made:
    ...     suite = new_suite(Path(made, "mine"))
    >>> suite.id, [problem.id for problem in suite.problems]
    ('mine', ['example'])
    """

    id: str
    folder: Path
    version: str
    licence: str = ""
    title: str = ""
    failures: FailurePolicy = "null"
    problems: tuple[SuiteProblem, ...] = ()
    algorithms: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()

    @classmethod
    def read(cls, folder: str | Path) -> Self:
        """Read ``suite.toml``."""
        root = Path(folder)
        saved = read_toml(root / "suite.toml")
        policy = saved.get("failures", "null")
        if policy not in FAILURES:
            raise RequestError.for_choice(name="failures", given=policy, choices=FAILURES)
        try:
            problems = tuple(
                SuiteProblem(
                    id=check_name(str(one["id"])),
                    weight=float(one.get("weight", 1.0)),
                    sha256=str(one.get("sha256", "")),
                )
                for one in saved.get("problems", [])
            )
        except (TypeError, KeyError, ValueError):
            problems = ()
        named = {one.id.casefold() for one in problems}
        if not problems or any(not 0 < one.weight < inf for one in problems):
            found = "needs [[problems]], each with an id and a finite weight above 0."
            place = f"{root.name}/suite.toml"
            raise FileUnreadable.for_file(place, found, fix=NAME_FIX)
        if len(named) < len(problems):
            found = "names a problem twice, so it would count twice."
            place = f"{root.name}/suite.toml"
            raise FileUnreadable.for_file(place, found, fix=NAME_FIX)
        return cls(
            id=check_name(str(saved.get("id", root.name))),
            folder=root,
            version=check_name(str(saved.get("version", "0"))),
            licence=str(saved.get("licence", "")),
            title=str(saved.get("title", "")),
            failures=policy,
            problems=problems,
            algorithms=_texts(root, saved, "algorithms"),
            caveats=_texts(root, saved, "caveats"),
        )

    @property
    def weights(self) -> dict[str, float]:
        """Weight of each problem; they add up to 1."""
        total = sum(one.weight for one in self.problems)
        return {one.id: one.weight / total for one in self.problems}

    def problem(self, name: str) -> Problem:
        """Read one problem."""
        if name not in {one.id for one in self.problems}:
            known = [one.id for one in self.problems]
            raise RequestError.for_choice(name="problem", given=name, choices=known)
        return Problem.read(self.folder / "problems" / name)

    def read_problems(self) -> tuple[Problem, ...]:
        """Read all problems."""
        return tuple(self.problem(one.id) for one in self.problems)


def _texts(root: Path, saved: Mapping[str, object], name: str) -> tuple[str, ...]:
    listed = saved.get(name, [])
    if isinstance(listed, list) and all(isinstance(one, str) for one in listed):
        return tuple(listed)
    found = f"{name} is not a list of texts."
    fix = f'Write {name} = ["…", "…"], or leave it out.'
    place = f"{root.name}/suite.toml"
    raise FileUnreadable.for_file(place, found, fix=fix)


def check_name(name: str) -> str:
    """Refuse a name that could leave its folder."""
    rest = name.replace(".", "").replace("-", "").replace("_", "")
    if not (rest.isascii() and rest.isalnum() and name[0].isalnum()) or names_device(name):
        message = f"{name!r} cannot be the name of a folder. {NAME_FIX}"
        raise RequestError(message, code="name")
    return name


def write_suite(suite: Suite) -> None:
    """Write ``suite.toml``."""
    content: dict[str, object] = {"id": suite.id, "version": suite.version}
    content |= {"title": suite.title} if suite.title else {}
    content |= {"licence": suite.licence, "failures": suite.failures}
    content |= {"algorithms": suite.algorithms} if suite.algorithms else {}
    content |= {"caveats": suite.caveats} if suite.caveats else {}
    content["problems"] = [
        {"id": one.id, "weight": one.weight, "sha256": one.sha256} for one in suite.problems
    ]
    suite.folder.mkdir(parents=True, exist_ok=True)
    write_whole(suite.folder / "suite.toml", toml_text(content).encode())


def content_hash(folder: Path) -> str:
    """Hash the names and contents of all files below a folder.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as made:
    ...     _ = (Path(made) / "a").write_text("x")
    ...     content_hash(Path(made))[:16]
    'b71899f0e13a5840'
    """
    whole = hashlib.sha256()
    for path in sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).parts):
        if path.is_file():
            with path.open("rb") as content:
                part = hashlib.file_digest(content, "sha256").hexdigest()
            whole.update(f"{path.relative_to(folder).as_posix()}\0{part}\n".encode())
    return whole.hexdigest()


def seal_suite(suite: Suite, *, version: str | None = None) -> Suite:
    """Write the hashes of the problems as they are now; changed content asks for a new version."""
    changed = _find_changed(suite)
    if changed and version in (None, suite.version):
        message = (
            f"{listing(changed)} changed since version {suite.version} was sealed. Results would "
            "not compare: seal a new version with version='…' (steelyard suite check --seal "
            "VERSION)."
        )
        raise RefusedData(message, code="content-changed")
    sealed = replace(
        suite,
        version=suite.version if version is None else check_name(version),
        problems=tuple(
            replace(one, sha256=content_hash(suite.folder / "problems" / one.id))
            for one in suite.problems
        ),
    )
    write_suite(sealed)
    return sealed


def check_suite(suite: Suite) -> tuple[str, ...]:
    """Refuse a suite with faults, and list what its author should know.

    Returns
    -------
    tuple of str
        Doubts: leaking groups, no licence, no seal. Faults raise, all of them in one error.
    """
    problems = suite.read_problems()
    refuse_faults([fault for problem in problems for fault in problem_faults(problem)])
    changed = _find_changed(suite)
    if changed:
        message = (
            f"{listing(changed)} changed since version {suite.version} was sealed. "
            "Put the old content back, or type: steelyard suite check --seal NEW-VERSION"
        )
        raise RefusedData(message, code="content-changed")
    return _caveats(suite, problems)


def _find_changed(suite: Suite) -> list[str]:
    return [
        one.id
        for one in suite.problems
        if one.sha256 and one.sha256 != content_hash(suite.folder / "problems" / one.id)
    ]


def _caveats(suite: Suite, problems: Sequence[Problem]) -> tuple[str, ...]:
    doubts = []
    for problem in problems:
        shared = leaks(problem)
        if shared:
            doubts.append(
                f"{problem.id}: {counted(len(shared), 'group', 'have')} training and test items "
                f"({listing(shared, most=3)}); scores flatter every algorithm"
            )
        alike = lookalike_classes(problem.names)
        doubts += [
            f"{problem.id}: classes {one!r} and {two!r} differ only by case, spaces or look; they "
            "are counted apart"
            for one, two in alike
        ]
        answers = problem.answers()
        if len(set(answers.groups)) == len(answers.ids) and len(answers.ids) > 1:
            doubts.append(
                f"{problem.id}: every test item is a group of its own; name the source of each if "
                "items share one"
            )
    if not suite.licence:
        doubts.append("no licence is stated; nobody else may be free to use the suite")
    if any(not one.sha256 for one in suite.problems):
        doubts.append(
            "not sealed: without hashes nobody can tell whether two results used the same "
            "content; type: steelyard suite check --seal VERSION"
        )
    return tuple(doubts)


GROUPS = 12
IN_A_GROUP = 5


def new_suite(folder: Path, *, name: str | None = None) -> Suite:
    """Write a suite with one example problem: rows of two numbers, in groups, of two classes."""
    if folder.exists() and any(folder.iterdir()):
        message = (
            f"{folder.name} is there and not empty; nothing was overwritten. Name a new folder."
        )
        raise RequestError(message, code="folder-not-empty")
    known = check_name(name or folder.resolve().name)
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
    items = Items(
        ids=tuple(ids),
        numbers=numbers,
        columns=("mean", "spread"),
        classes=tuple(classes),
        groups=tuple(groups),
    )
    write_split(problem, items, train=train.tolist(), test=test.tolist())
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

"""Problems in the files of MeasTex: ``.Test`` as published, ``.Valid`` as we read it."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from string import ascii_uppercase

from steelyard.display.saving import write_whole
from steelyard.errors import FileUnreadable, NotComparable, listing
from steelyard.suites.problems.problem import Answers, Items, Problem, ProblemClass, write_problem
from steelyard.suites.problems.suite_files import Suite, SuiteProblem, check_name, seal_suite

__all__ = [
    "VALID_NOTE",
    "MeasTexProblem",
    "export_meastex",
    "import_meastex",
    "read_test_file",
    "read_valid_file",
    "write_test_file",
    "write_valid_file",
]

UNKNOWN = "Z"
LABELS = ascii_uppercase.removesuffix(UNKNOWN)
"""Labels of classes; Z marks images whose class is to be found."""

VALID_NOTE = (
    "The line format of .Valid files was not published. Our reading: one line for each image, "
    "its file and its label, in the order of the .Test file."
)
DIVISION = "2 classes: '2', then 'A 2 0.4 0.5' for each, 'Z 4', then 'A rock1.pgm' for each image."


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasTexProblem:
    """What a ``.Test`` file says; samples are (label, file)."""

    classes: tuple[ProblemClass, ...]
    samples: tuple[tuple[str, str], ...]
    unknown: tuple[str, ...]


def read_test_file(path: Path) -> MeasTexProblem:
    """Read a ``.Test`` file: classes, sample images, images to be classified.

    References
    ----------
    .. [1] Smith & Burns (1997), Measuring texture classification algorithms, Pattern Recognition
       Letters 18, 1495-1501.
    """
    lines = [line.split() for line in _lines(path)]
    try:
        count = int(lines[0][0])
        heads, (mark, expected) = lines[1 : count + 1], lines[count + 1]
        classes = tuple(
            ProblemClass(name=name, prior=float(prior), weight=float(weight))
            for name, _, prior, weight in heads
        )
        images = [(label, name) for label, name in lines[count + 2 :]]
        sizes = {name: int(number) for name, number, _, _ in heads} | {mark: int(expected)}
    except (IndexError, ValueError):
        raise _unreadable(path, "is not a .Test file.") from None
    if [one.name for one in classes] != list(LABELS[:count]) or mark != UNKNOWN:
        found = f"has the labels {listing([one.name for one in classes])} and {mark}."
        raise _unreadable(path, found)
    counted = {label: sum(one == label for one, _ in images) for label in sizes}
    if counted != sizes or len(images) != sum(sizes.values()):
        raise _unreadable(path, f"announces {sizes} images by label and lists {counted}.")
    return MeasTexProblem(
        classes=classes,
        samples=tuple((label, name) for label, name in images if label != UNKNOWN),
        unknown=tuple(name for label, name in images if label == UNKNOWN),
    )


def write_test_file(path: Path, problem: MeasTexProblem) -> None:
    """Write a ``.Test`` file in the published grammar, without blank lines."""
    lines = [str(len(problem.classes))]
    for one in problem.classes:
        number = sum(label == one.name for label, _ in problem.samples)
        lines.append(f"{one.name} {number} {_number(one.prior)} {_number(one.weight)}")
    lines.append(f"{UNKNOWN} {len(problem.unknown)}")
    lines += [f"{label} {name}" for label, name in problem.samples]
    lines += [f"{UNKNOWN} {name}" for name in problem.unknown]
    write_whole(path, ("\n".join(lines) + "\n").encode())


def read_valid_file(path: Path, unknown: Sequence[str]) -> tuple[str, ...]:
    """Read the true labels of the images ``unknown``, in their order.

    A line holds a file and a label, in either order, or a bare label for the images in the order
    of the ``.Test`` file. This is our reading: the format was not published.
    """
    lines = [line.split() for line in _lines(path)]
    if all(len(line) == 1 for line in lines) and len(lines) == len(unknown):
        found = dict(zip(unknown, (line[0] for line in lines), strict=True))
    else:
        found = {}
        for words in lines:
            label = next((word for word in words if word in LABELS and len(word) == 1), "")
            name = next((word for word in words if word in set(unknown)), "")
            if len(words) != 2 or not label or not name or name in found:
                raise _unreadable(path, f"holds the line {' '.join(words)!r}.", VALID_NOTE)
            found[name] = label
    lost = [name for name in unknown if name not in found]
    if lost:
        raise _unreadable(path, f"has no label for {listing(lost)}.", VALID_NOTE)
    return tuple(found[name] for name in unknown)


def write_valid_file(path: Path, unknown: Sequence[str], labels: Sequence[str]) -> None:
    """Write the true labels as file and label, a line for each image: our reading."""
    lines = [f"{name} {label}\n" for name, label in zip(unknown, labels, strict=True)]
    write_whole(path, "".join(lines).encode())


def import_meastex(source: Path, folder: Path, *, licence: str = "", version: str = "1") -> Suite:
    """Turn a folder of ``.Test``, ``.Valid`` and image files into a suite.

    Images keep their names as ids, and each is a group of its own until its author says better.
    """
    tests = sorted(source.glob("*.Test"))
    if not tests:
        raise FileUnreadable.for_file(
            source.name, "holds no .Test file.", fix="Name the folder imgs/<suite> of MeasTex."
        )
    known = check_name(source.resolve().name.lower())
    for path in tests:
        check_name(path.stem)
    for path in tests:
        _import_problem(path, folder / "problems" / path.stem)
    suite = Suite(
        id=known,
        folder=folder,
        version=version,
        licence=licence,
        title=f"{source.name}, from MeasTex files",
        problems=tuple(SuiteProblem(id=path.stem) for path in tests),
    )
    return seal_suite(suite)


def _import_problem(path: Path, folder: Path) -> None:
    read = read_test_file(path)
    labels = read_valid_file(path.with_suffix(".Valid"), read.unknown)
    names = [*(name for _, name in read.samples), *read.unknown]
    images = folder / "files"
    images.mkdir(parents=True, exist_ok=True)
    for name in dict.fromkeys(names):
        _copy(path, path.parent / name, images / Path(name).name)
    if len({Path(name).name for name in names}) != len(set(names)):
        raise _unreadable(path, "lists images of one name in two folders.", "Rename one of them.")
    samples = tuple(Path(name).name for _, name in read.samples)
    unknown = tuple(Path(name).name for name in read.unknown)
    problem = Problem(id=path.stem, folder=folder, classes=read.classes, unit="image")
    write_problem(
        problem,
        train=Items(
            ids=samples,
            files=tuple(f"files/{name}" for name in samples),
            classes=tuple(label for label, _ in read.samples),
            groups=samples,
        ),
        test=Items(ids=unknown, files=tuple(f"files/{name}" for name in unknown)),
        answers=Answers(ids=unknown, classes=labels, groups=unknown),
    )


def _copy(test: Path, image: Path, target: Path) -> None:
    if not image.resolve().is_relative_to(test.parent.resolve()):
        found = f"names {image.name}, which lies outside its folder."
        raise _unreadable(test, found, "Put it beside the .Test file.")
    try:
        shutil.copyfile(image, target)
    except OSError as error:
        found = f"names {image.name}, which cannot be read ({error.strerror})."
        raise _unreadable(test, found, "Put it beside the .Test file.") from None


def export_meastex(suite: Suite, folder: Path) -> tuple[str, ...]:
    """Write every problem of images as ``.Test``, ``.Valid`` and images; name those that cannot be.

    Classes become A, B, C and so on, in their order; ``README`` lists them, and says that
    ``.Valid`` is our reading.
    """
    folder.mkdir(parents=True, exist_ok=True)
    legend, left = [VALID_NOTE], []
    for problem in suite.read_problems():
        if problem.unit != "image" or len(problem.classes) > len(LABELS):
            left.append(problem.id)
            continue
        _export_problem(problem, folder)
        letters = zip(LABELS, problem.names, strict=False)
        legend.append(f"{problem.id}: {', '.join(f'{a} {name}' for a, name in letters)}")
    if len(left) == len(suite.problems):
        message = f"{suite.id} holds no problem of images; MeasTex knows nothing else."
        raise NotComparable(message, code="no-images")
    write_whole(folder / "README", ("\n".join(legend) + "\n").encode())
    return tuple(left)


def _export_problem(problem: Problem, folder: Path) -> None:
    letter = dict(zip(problem.names, LABELS, strict=False))
    train, test, answers = problem.train(), problem.test(), problem.answers()
    truth = dict(zip(answers.ids, answers.classes, strict=True))
    names = {file: _plain(Path(file).name) for file in (*train.files, *test.files)}
    for file, name in names.items():
        target = folder / name
        if target.exists() and target.read_bytes() != (problem.folder / file).read_bytes():
            target = folder / f"{problem.id}_{name}"
            names[file] = target.name
        shutil.copyfile(problem.folder / file, target)
    made = MeasTexProblem(
        classes=tuple(
            ProblemClass(name=letter[one.name], prior=one.prior, weight=one.weight)
            for one in problem.classes
        ),
        samples=tuple(
            (letter[of], names[file]) for of, file in zip(train.classes, train.files, strict=True)
        ),
        unknown=tuple(names[file] for file in test.files),
    )
    write_test_file(folder / f"{problem.id}.Test", made)
    labels = [letter[truth[name]] for name in test.ids]
    write_valid_file(folder / f"{problem.id}.Valid", made.unknown, labels)


def _plain(name: str) -> str:
    """MeasTex separates words by spaces, so a name has none."""
    return "_".join(name.split())


def _number(value: float) -> str:
    return repr(value).removesuffix(".0")


def _lines(path: Path) -> list[str]:
    try:
        return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise _unreadable(path, f"cannot be read ({why}).") from None


def _unreadable(path: Path, found: str, fix: str = f"Expected, for {DIVISION}") -> FileUnreadable:
    return FileUnreadable.for_file(path.name, found, fix=fix)

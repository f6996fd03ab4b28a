"""The folder an algorithm works in: a copy of what it may see, under names that tell nothing."""

import contextlib
import hmac
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from steelyard.display.saving import write_whole
from steelyard.suites.problems.item_files import plain_image, write_table
from steelyard.suites.problems.meastex_files import LABELS, MeasTexProblem, write_test_file
from steelyard.suites.problems.problem import Items, Problem, ProblemClass

__all__ = ["Workplace", "lay_out", "remove_abandoned", "scratch_folder"]

PREFIX = "steelyard-cell-"
SETTLED = 60.0
"""Seconds after which a folder without a lock was left behind, and is not just being made."""


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a folder that any user can reach, hold a lock on it, and remove it at the end.

    The system gives the lock back when a process dies in whatever way, so that the next run knows
    which folders nobody works in any more.
    """
    import fcntl

    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        folder.chmod(0o755)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(held)


@contextlib.contextmanager
def hold_folder(folder: Path) -> Iterator[None]:
    """Hold a folder against other runs of the suite, which wait; released when a process dies."""
    import fcntl

    folder.mkdir(parents=True, exist_ok=True)
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def remove_abandoned() -> None:
    """Remove what a killed harness left behind; what is locked, young or another's stays."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            if time.time() - folder.stat().st_mtime > SETTLED and not _has_holder(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _has_holder(folder: Path) -> bool:
    import fcntl

    tried = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY)
    try:
        fcntl.flock(tried, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(tried)
    return False


Column = list[str] | NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Workplace:
    """A folder with ``job.json`` and, for images, a ``.Test`` file; ``shown`` is t0000, t0001 …

    ``real`` holds the true id of each test item in the order in which the algorithm sees them.
    """

    folder: Path
    job: Path
    test_file: Path | None
    shown: tuple[str, ...]
    real: tuple[str, ...]


def lay_out(problem: Problem, folder: Path, *, secret: bytes) -> Workplace:
    """Copy training and test items into a folder; test items in another order, without answers.

    Names and order of the original could tell the class, so both are replaced. An order drawn
    from a seed can be undone by whoever knows the seed; so items come in the order of the hashes
    of their own content, which tells nothing that they do not show. Every algorithm and every run
    sees the same. Items of equal content are put in order by ``secret``.
    """
    train, test = problem.train(), problem.test()
    order = _order_of_content(problem, test, secret)
    shown = tuple(f"t{place:05d}" for place in range(len(test)))
    real = tuple(test.ids[k] for k in order)
    known = tuple(f"s{place:05d}" for place in range(len(train)))
    samples = _copy_items(problem, train, known, np.arange(len(train)), folder)
    unknown = _copy_items(problem, test, shown, order, folder)
    facts = {"class": train.classes, "group": train.groups}
    write_table(folder / "train.csv", {"id": known, **facts, **samples})
    write_table(folder / "test.csv", {"id": shown, **unknown})
    job = folder / "job.json"
    write_whole(job, json.dumps(_job(problem), indent=1, ensure_ascii=False).encode())
    test_file = _test_file(problem, train, samples, unknown, folder)
    return Workplace(folder=folder, job=job, test_file=test_file, shown=shown, real=real)


def _order_of_content(problem: Problem, test: Items, secret: bytes) -> NDArray[np.intp]:
    if problem.unit == "row":
        contents = [row.tobytes() for row in np.ascontiguousarray(test.numbers)]
    else:
        contents = [plain_image(problem.folder / file) for file in test.files]
    keys = [
        (sha256(content).digest(), hmac.digest(secret, name.encode(), "sha256"))
        for content, name in zip(contents, test.ids, strict=True)
    ]
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.intp)


def _copy_items(
    problem: Problem,
    items: Items,
    names: tuple[str, ...],
    order: NDArray[np.intp],
    folder: Path,
) -> dict[str, Column]:
    """Copy images under new names, or give the columns of numbers, in the order asked for.

    Of an image only its pixels: a remark in it, how it is written or its suffix may tell the class.
    """
    if problem.unit == "row":
        return {head: items.numbers[order, at] for at, head in enumerate(items.columns)}
    files = []
    for name, place in zip(names, order, strict=True):
        files.append(f"{name}.pgm")
        write_whole(folder / files[-1], plain_image(problem.folder / items.files[place]))
    return {"file": files}


def _job(problem: Problem) -> dict[str, object]:
    return {
        "problem": problem.id,
        "unit": problem.unit,
        "classes": [
            {"name": one.name, "prior": one.prior, "weight": problem.weights[one.name]}
            for one in problem.classes
        ],
        "train": "train.csv",
        "test": "test.csv",
        "out": ["out.csv", "out.parquet"],
        "seed": problem.seed,
    }


def _test_file(
    problem: Problem,
    train: Items,
    samples: dict[str, Column],
    unknown: dict[str, Column],
    folder: Path,
) -> Path | None:
    sampled, asked = samples.get("file"), unknown.get("file")
    if not isinstance(sampled, list) or not isinstance(asked, list):
        return None
    if len(problem.classes) > len(LABELS):
        return None
    letter = dict(zip(problem.names, LABELS, strict=False))
    path = folder / f"{problem.id}.Test"
    made = MeasTexProblem(
        classes=tuple(
            ProblemClass(name=letter[one.name], prior=one.prior, weight=one.weight)
            for one in problem.classes
        ),
        samples=tuple((letter[of], name) for of, name in zip(train.classes, sampled, strict=True)),
        unknown=tuple(asked),
    )
    write_test_file(path, made)
    return path

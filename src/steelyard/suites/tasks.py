"""What an algorithm is given: training items with their classes, test items, and nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steelyard.suites.problems.item_files import Image, number_table, read_image, read_written
from steelyard.suites.problems.problem import Unit

__all__ = ["Task", "read_task"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Task:
    """A problem as an algorithm sees it.

    ``train`` and ``test`` are lists of images (``unit`` "image") or tables with a row for each
    item. ``truth`` holds the class number of each training item, ``groups`` its source.
    """

    classes: tuple[str, ...]
    priors: NDArray[np.float64]
    weights: NDArray[np.float64]
    unit: Unit
    train: list[Image] | NDArray[np.float64]
    truth: NDArray[np.intp]
    groups: tuple[str, ...]
    test: list[Image] | NDArray[np.float64]
    seed: int

    def matrices(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Give training and test items as rows of numbers; images pixel by pixel."""
        return _matrix(self.train), _matrix(self.test)


def _matrix(items: list[Image] | NDArray[np.float64]) -> NDArray[np.float64]:
    if isinstance(items, np.ndarray):
        return items
    return np.stack([image.ravel() for image in items]) if items else np.empty((0, 0))


def read_task(job: dict[str, Any], folder: Path) -> Task:
    """Read what ``job.json`` describes."""
    train, test = (read_written(folder / job[name]) for name in ("train", "test"))
    classes: list[str] = [one["name"] for one in job["classes"]]
    truth = train["class"]
    return Task(
        classes=tuple(classes),
        priors=np.array([one["prior"] for one in job["classes"]], dtype=np.float64),
        weights=np.array([one["weight"] for one in job["classes"]], dtype=np.float64),
        unit=job["unit"],
        train=_items(train, folder, job["unit"]),
        truth=np.array([classes.index(str(name)) for name in truth], dtype=np.intp),
        groups=tuple(map(str, train["group"])),
        test=_items(test, folder, job["unit"]),
        seed=int(job["seed"]),
    )


def _items(table: dict[str, Any], folder: Path, unit: Unit) -> list[Image] | NDArray[np.float64]:
    if unit == "row":
        return number_table(table)
    files: Sequence[str] = table["file"]
    return [read_image(folder / name) for name in files]

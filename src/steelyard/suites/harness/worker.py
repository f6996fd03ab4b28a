"""Runs one Python algorithm on one problem; a process of its own, started by the harness."""

import json
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import RefusedData, RequestError, SteelyardError
from steelyard.suites.problems.item_files import read_written, write_table
from steelyard.suites.tasks import Task, read_task

__all__ = ["RUNNERS", "classify_with_estimator", "main"]

Runner = Callable[[Any, Task], object]


def main(arguments: list[str]) -> None:
    """Read the job, run the algorithm, write a vector for each test item."""
    kind, target, name = arguments
    path = Path(name)
    job = json.loads(path.read_text())
    task = read_task(job, path.parent)
    vectors = np.asarray(RUNNERS[kind](_import_object(target), task), dtype=np.float64)
    if vectors.ndim != 2 or vectors.shape[1] != len(task.classes):
        message = (
            f"{target} gave numbers of shape {vectors.shape}; expected a row for each of "
            f"{len(task.test)} items and a column for each of {len(task.classes)} classes."
        )
        raise RefusedData(message, code="shape")
    ids = read_written(path.parent / job["test"])["id"]
    columns = {name: vectors[:, place] for place, name in enumerate(task.classes)}
    write_table(path.parent / "out.csv", {"id": list(ids)[: len(vectors)], **columns})


def _import_object(target: str) -> Any:  # noqa: ANN401
    module, _, name = target.partition(":")
    found: Any = import_module(module)
    for part in name.split("."):
        if not hasattr(found, part):
            message = f"{module} has no {name!r}. Name it as module:object."
            raise RequestError(message, code="algorithm")
        found = getattr(found, part)
    return found


def classify_with_estimator(given: Any, task: Task) -> NDArray[np.float64]:  # noqa: ANN401
    """Fit a scikit-learn estimator, given as object, class or function, and ask for chances.

    An estimator without chances answers with 1 for the class it names. Where it has a
    ``random_state`` of None, the seed of the problem is set.
    """
    from sklearn.base import clone

    estimator = clone(given) if hasattr(given, "fit") and not isinstance(given, type) else given()
    loose = [
        name
        for name, value in estimator.get_params().items()
        if name.split("__")[-1] == "random_state" and value is None
    ]
    estimator.set_params(**dict.fromkeys(loose, task.seed))
    train, test = task.matrices()
    estimator.fit(train, task.truth)
    vectors = np.zeros((len(test), len(task.classes)))
    if hasattr(estimator, "predict_proba"):
        vectors[:, estimator.classes_] = estimator.predict_proba(test)
    else:
        vectors[np.arange(len(test)), estimator.predict(test)] = 1.0
    return vectors


RUNNERS: dict[str, Runner] = {
    "sklearn": classify_with_estimator,
    "python": lambda function, task: function(task),
}
"""How each kind of Python algorithm is run."""


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except SteelyardError as error:
        sys.exit(f"{error}")

"""A suite of tables: digits, tumours and wines that come with scikit-learn."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from steelyard.errors import ExtraMissing
from steelyard.suites.problems.problem import Answers, Items, Problem, ProblemClass, write_problem
from steelyard.suites.problems.suite_files import Suite, SuiteProblem, seal_suite
from steelyard.suites.problems.textures import build_demo, build_ground, build_shift

__all__ = ["SUITES", "build_recognition"]

DATA = {
    "digits": "Handwritten digits, 8 by 8; who wrote them is not recorded",
    "breast_cancer": "Benign and malignant tumours by 30 measures of cell nuclei",
    "wine": "Wines of three growers by 13 chemical measures",
}
ESTIMATORS = ("logistic", "forest", "neighbours", "bayes", "tree")


def build_recognition(folder: Path) -> Suite:
    """Build *recognition*: half of each class to learn from, half to classify."""
    try:
        from sklearn import datasets
    except ImportError:
        what = "The suite recognition (scikit-learn)"
        raise ExtraMissing.for_part(what, extra="sklearn") from None
    for name, title in DATA.items():
        _write(name, title, getattr(datasets, f"load_{name}")(), folder / "problems" / name)
    estimators = tuple(
        f"{name}=sklearn:steelyard.suites.algorithms.estimators:{name}" for name in ESTIMATORS
    )
    suite = Suite(
        id="recognition",
        folder=folder,
        version="1",
        licence="BSD-3-Clause (data sets of scikit-learn)",
        title="Three tables of measures",
        problems=tuple(SuiteProblem(id=name) for name in DATA),
        algorithms=("null", "majority", "lda", *estimators),
        caveats=("the writers of digits are not recorded, so some have items on both sides",),
    )
    return seal_suite(suite)


def _write(name: str, title: str, data: Any, folder: Path) -> None:  # noqa: ANN401
    numbers, codes = np.asarray(data.data, dtype=np.float64), np.asarray(data.target)
    names = [str(one) for one in data.target_names]
    seed = sum(map(ord, name))
    rng = np.random.default_rng(seed)
    train, test = [], []
    for code in range(len(names)):
        drawn = rng.permutation(np.flatnonzero(codes == code))
        train += drawn[: drawn.size // 2].tolist()
        test += drawn[drawn.size // 2 :].tolist()
    test = [test[k] for k in rng.permutation(len(test))]
    shares = np.bincount(codes[test], minlength=len(names)) / len(test)
    problem = Problem(
        id=name,
        folder=folder,
        classes=tuple(
            ProblemClass(name=one, prior=float(share), weight=float(share))
            for one, share in zip(names, shares, strict=True)
        ),
        unit="row",
        title=title,
        seed=seed,
    )
    columns = tuple(f"x{place:02d}" for place in range(numbers.shape[1]))
    asked = tuple(f"i{k:04d}" for k in test)
    known = tuple(f"i{k:04d}" for k in train)
    write_problem(
        problem,
        train=Items(
            ids=known,
            numbers=numbers[train],
            columns=columns,
            classes=tuple(names[codes[k]] for k in train),
            groups=tuple(f"{name}-{one}" for one in known),
        ),
        test=Items(ids=asked, numbers=numbers[test], columns=columns),
        answers=Answers(
            ids=asked,
            classes=tuple(names[codes[k]] for k in test),
            groups=tuple(f"{name}-{one}" for one in asked),
        ),
        parquet=True,
    )


SUITES: dict[str, Callable[[Path], Suite]] = {
    "ground": build_ground,
    "shift": build_shift,
    "recognition": build_recognition,
    "demo": build_demo,
}
"""Suites that are built from installed packages, by name."""

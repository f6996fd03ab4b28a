"""Labels of people on some items, a judge's on all: means and differences in their worst cells."""

from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from certificates.declaration import Certificate, Found
from certificates.search import Cell, Search, Space
from steelyard.counts import Moments
from steelyard.uncertainty import JudgedMeans, StudentEstimate, judged_means
from steelyard.uncertainty.values.judged import LEAST, combine_clusters
from steelyard.uncertainty.values.student import skewness, unseen_limits, value_caveats

__all__ = ["DECLARED"]

Rng = np.random.Generator


def _limits(found: JudgedMeans, form: np.ndarray) -> tuple[float, float]:
    error = float(np.sqrt(form @ found.covariances @ form))
    if error == 0:  # no interval is given, and nothing claimed
        return -np.inf, np.inf
    value = float(form @ found.values)
    pivot = StudentEstimate(value=value, error=error, freedom=found.freedom, units=found.units)
    return pivot.interval()


def _moments(columns: dict[str, np.ndarray]) -> Moments:
    return Moments.from_arrays(columns)


def _of_items(columns: dict[str, np.ndarray], labels: int) -> JudgedMeans:
    judges = {name: column for name, column in columns.items() if name.endswith("judge")}
    return judged_means(
        _moments({name: column[:labels] for name, column in columns.items()}), _moments(judges)
    )


def _count(trial: Any):
    """Count in how many data sets the truth is covered."""

    def run(cell: Cell, draws: int, rng: Rng) -> Found:
        hits = sum(trial(cell, rng) for _ in range(draws))
        return Found(share=hits / draws, draws=draws, hits=int(hits))

    return run


def _rate_covered(cell: Cell, rng: Rng) -> bool:
    """Right or wrong; the judge calls some wrong ones right (lenient) and some right ones wrong."""
    labels, others = int(cell["labels"]), int(cell["labels"] * cell["times"])
    right = rng.random(labels + others) < cell["rate"]
    says = np.where(right, rng.random(right.size) >= cell["strict"],
                    rng.random(right.size) < cell["lenient"])  # fmt: skip
    columns = {"a": right * 1.0, "a judge": says * 1.0}
    low, high = _limits(_of_items(columns, labels), np.ones(1))
    return low <= cell["rate"] <= high


def _grades(cell: Cell, rng: Rng, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Grades from 1 to 5, and a judge that is lenient and noisy."""
    grade = np.clip(np.rint(rng.normal(cell["mean"], 1.0, size)), 1, 5)
    says = (
        grade + (rng.random(size) < cell["lenient"]) + np.rint(rng.normal(0, cell["noise"], size))
    )
    return grade, np.clip(says, 1, 5)


def _true_mean(mean: float) -> float:
    cuts = ndtr(np.array([1.5, 2.5, 3.5, 4.5]) - mean)
    return float(5 - cuts.sum())


def _grade_covered(cell: Cell, rng: Rng) -> bool:
    labels, others = int(cell["labels"]), int(cell["labels"] * cell["times"])
    grade, says = _grades(cell, rng, labels + others)
    low, high = _limits(_of_items({"a": grade, "a judge": says}, labels), np.ones(1))
    return low <= _true_mean(cell["mean"]) <= high


def _difference_covered(cell: Cell, rng: Rng) -> bool:
    """Two equal systems, right or wrong; the judge favours the first."""
    labels, others = int(cell["labels"]), int(cell["labels"] * cell["times"])
    size = labels + others
    hard = rng.random(size) < cell["alike"]
    both = rng.random(size) < cell["rate"]
    right = [np.where(hard, both, rng.random(size) < cell["rate"]) for _ in range(2)]
    favoured = right[0] | (rng.random(size) < cell["favours"])
    columns = {"a": right[0] * 1.0, "b": right[1] * 1.0,
               "a judge": favoured * 1.0, "b judge": right[1] * 1.0}  # fmt: skip
    low, high = _limits(_of_items(columns, labels), np.array([1.0, -1.0]))
    return low <= 0 <= high


def _cluster_covered(cell: Cell, rng: Rng) -> bool:
    """Grades of items in clusters of ten, some items of each cluster labelled."""
    count = int(cell["clusters"])
    code = np.repeat(np.arange(count), 10)
    own = rng.normal(0, np.sqrt(cell["alike"]), count)[code]
    grade = 3 + own + rng.normal(0, np.sqrt(1 - cell["alike"]), code.size)
    shared = rng.normal(0, 0.3, count)[code]
    says = grade + 0.3 + shared + rng.normal(0, cell["noise"], code.size)
    labelled = rng.random(code.size) < cell["share"]
    low, high = _limits(_of_clusters(code, labelled, grade, says), np.ones(1))
    return low <= 3 <= high


def _of_clusters(
    code: np.ndarray, labelled: np.ndarray, people: np.ndarray, says: np.ndarray
) -> JudgedMeans:
    count = int(code.max()) + 1
    parts = [np.bincount(code, weights=one * labelled, minlength=count) for one in (people, says)]
    shown = people[labelled]
    far = 1.0 if set(shown) <= {0.0, 1.0} else float(shown.std(ddof=1))
    return combine_clusters(
        ("a",),
        (np.bincount(code, weights=labelled, minlength=count), np.stack(parts, axis=1)),
        (np.bincount(code).astype(float), np.bincount(code, weights=says)[:, None]),
        np.cov(shown, says[labelled]) * (shown.size - 1),
        np.sqrt(3) * np.array([far]),
    )


def _topic_covered(cell: Cell, rng: Rng) -> bool:
    """Right or wrong in clusters of one topic each; of some topics the judge calls all right."""
    count = int(cell["clusters"])
    code = np.repeat(np.arange(count), 10)
    own = rng.normal(0, np.sqrt(cell["alike"]), count)[code]
    hard = own + rng.normal(0, np.sqrt(1 - cell["alike"]), code.size)
    right = (hard < ndtri(cell["rate"])) * 1.0
    blind = (rng.random(count) < cell["blind"])[code]
    says = np.where(blind, 1.0, right)
    labelled = (rng.random(count) < 0.5)[code] if cell["whole"] else rng.random(code.size) < 0.3
    if np.unique(code[labelled]).size < LEAST:  # refused
        return True
    low, high = _limits(_of_clusters(code, labelled, right, says), np.ones(1))
    return low <= cell["rate"] <= high


def _claim_passed(cell: Cell, rng: Rng) -> bool:
    """A claim at the true mean of grades, most of which are the best; a gate should not pass it."""
    labels, others = int(cell["labels"]), int(cell["labels"] * cell["times"])
    grade, says = _grades(cell, rng, labels + others)
    found = _of_items({"a": grade, "a judge": says}, labels)
    error = float(np.sqrt(found.covariances[0, 0]))
    if error == 0:
        return False
    value = float(found.values[0])
    pivot = StudentEstimate(value=value, error=error, freedom=found.freedom, units=found.units)
    people = grade[:labels]
    doubtful = bool(value_caveats(found.units, skewness(people)))
    seen = float(people.min()), float(people.max())
    low, _ = unseen_limits(pivot, level=0.9, seen=seen, doubtful=doubtful)
    return low > _true_mean(cell["mean"])


RATES = Space(
    axes={
        "labels": (30, 80, 200),
        "times": (1.0, 20.0),
        "rate": (0.5, 0.9, 0.97),
        "lenient": (0.1, 0.8),
        "strict": (0.0, 0.1),
    }
)
GRADES = Space(
    axes={
        "labels": (30, 100),
        "times": (1.0, 20.0),
        "mean": (3.0, 4.5),
        "lenient": (0.0, 0.05, 0.5),
        "noise": (0.0, 0.4, 1.0),
    }
)
FAVOURED = Space(
    axes={
        "labels": (30, 80, 200),
        "times": (2.0, 20.0),
        "rate": (0.5, 0.8, 0.95),
        "alike": (0.0, 0.7),
        "favours": (0.1, 0.8),
    }
)
TOPICS = Space(
    axes={
        "clusters": (28, 60),
        "alike": (0.0, 0.5),
        "rate": (0.5, 0.8, 0.9),
        "blind": (0.05, 0.3),
        "whole": (0, 1),
    }
)
BEST_GRADES = Space(
    axes={
        "labels": (30, 100),
        "times": (2.0, 20.0),
        "mean": (4.5, 5.5),
        "lenient": (0.0, 0.2),
        "noise": (0.0, 0.4),
    }
)
CLUSTERS = Space(
    axes={
        "clusters": (28, 60),
        "alike": (0.0, 0.5),
        "noise": (0.2, 1.0),
        "share": (0.2, 0.5),
    }
)


def _certificate(name: str, setting: str, space: Space, trial: Any, seed: int) -> Certificate:
    search = Search(space=space, trial=_count(trial), seek="lowest", beam=3, rounds=2)
    return Certificate(
        name=name,
        family="judges",
        setting=f"{setting}; {space.words()}",
        experiment=search,
        seed=3900 + seed,
        short=60,
        long=2500,
        claim="covers in about 95 %, at least 93 %",
        allowed=(0.93, 1.0),
        page="judges",
    )


DECLARED = [
    _certificate("rate, a lenient judge", "right or wrong", RATES, _rate_covered, 1),
    _certificate(
        "mean, a lenient and noisy judge", "grades from 1 to 5", GRADES, _grade_covered, 2
    ),
    _certificate(
        "paired difference, a favouring judge",
        "two equal systems, right or wrong",
        FAVOURED,
        _difference_covered,
        3,
    ),
    _certificate("mean of clusters", "ten items each", CLUSTERS, _cluster_covered, 4),
    _certificate(
        "rate of clusters, a judge blind to topics", "ten items each", TOPICS, _topic_covered, 5
    ),
    Certificate(
        name="claim, most grades the best",
        family="judges",
        setting=f"grades from 1 to 5, a claim at the true mean; {BEST_GRADES.words()}",
        experiment=Search(
            space=BEST_GRADES, trial=_count(_claim_passed), seek="highest", beam=3, rounds=2
        ),
        seed=3906,
        short=60,
        long=2500,
        claim="a gate with error rate 5 % passes at most 5 %",
        allowed=(0.0, 0.05),
        page="judges",
    ),
]

"""Tests over data sets and over resampled folds: how often they reject when nothing differs."""

from typing import Any

import numpy as np
from scipy.stats import t as student

from certificates.declaration import AT_MOST_5, Certificate, Experiment, Found
from certificates.experiments import rejected
from steelyard.comparison import (
    friedman,
    nemenyi,
    resampled_t_test,
    signed_rank,
)

__all__ = ["DECLARED"]

ROWS, SPLITS = 100, 15


def _scores(rng: np.random.Generator) -> dict[str, list[float]]:
    """Four systems of equal merit on 12 data sets of unlike difficulty."""
    hard = rng.normal(0.8, 0.1, 12)
    return {name: (hard + rng.normal(0, 0.03, 12)).tolist() for name in "ABCD"}


def _tied(rng: np.random.Generator) -> dict[str, list[float]]:
    """The same, rounded so that systems often tie."""
    return {name: np.round(row, 2).tolist() for name, row in _scores(rng).items()}


def _any_pair(scores: dict[str, list[float]]) -> float:
    return min(pair.p_value for pair in nemenyi(scores).pairs)


def _gaps(size: int, digits: int, rng: np.random.Generator) -> list[float]:
    return np.round(rng.standard_t(4, size) * 0.02, digits).tolist()


def _alike(rng: np.random.Generator) -> list[float]:
    """Differences of splits whose correlation is what the test assumes, 20 of 100 rows tested."""
    return (rng.normal() * 0.2**0.5 + rng.normal(size=SPLITS) * 0.8**0.5).tolist()


def _learned(rng: np.random.Generator) -> list[float]:
    """Two learners of equal merit, trained and tested on random splits of one set of 100 rows.

    Each takes the class whose mean lies nearer, by a feature of its own.
    """
    truth = rng.integers(0, 2, ROWS)
    features = rng.normal(size=(2, ROWS)) + 1.2 * truth
    found = []
    for _ in range(SPLITS):
        order = rng.permutation(ROWS)
        train, test = order[20:], order[:20]
        one, two = train[truth[train] == 1], train[truth[train] == 0]
        high, low = features[:, one].mean(axis=1), features[:, two].mean(axis=1)
        called = (features[:, test] > ((high + low) / 2)[:, None]) == (high > low)[:, None]
        right = (called == truth[test]).mean(axis=1)
        found.append(float(right[0] - right[1]))
    return found


def _corrected(differences: list[float]) -> float | None:
    return resampled_t_test(differences, test_to_train=0.25).p_value


def _plain(differences: list[float]) -> float:
    values = np.array(differences)
    error = values.std(ddof=1) / len(values) ** 0.5
    return float(2 * student.sf(abs(values.mean()) / error, len(values) - 1)) if error else 1.0


def _certificate(name: str, setting: str, experiment: Experiment, **more: Any) -> Certificate:
    return Certificate(
        name=name,
        family="datasets",
        claim=more.pop("claim", "5 %"),
        setting=setting,
        page=more.pop("page", "many-data-sets"),
        experiment=experiment,
        allowed=more.pop("allowed", (0.03, 0.06)),
        short=more.pop("short", 60),
        long=more.pop("long", 2000),
        **more,
    )


def _exact_sizes(size: int) -> Experiment:
    """All signs of the ranks 1 to ``size``: the true size of the test, without ties."""

    def experiment(draws: int, seed: int) -> Found:
        ranks = np.arange(1, size + 1)
        signs = 1 - 2 * ((np.arange(1 << size)[:, None] >> np.arange(size)) & 1)
        sums = (ranks * (signs > 0)).sum(axis=1)
        p_values = {
            int(total): signed_rank((ranks * signs[place]).tolist()).p_value
            for total, place in zip(*np.unique(sums, return_index=True), strict=True)
        }
        hit = np.array([p_values[int(total)] <= 0.05 for total in sums])
        return Found(share=float(hit.mean()))

    return experiment


SETS = "four systems of equal merit, 12 data sets"
FOLDS = "two learners of equal merit, 15 random splits of 100 rows, 20 tested"

DECLARED = [
    _certificate(
        "Friedman",
        SETS,
        rejected(lambda scores: friedman(scores).p_value, _scores),
        seed=2701,
    ),
    _certificate(
        "Friedman, Iman and Davenport's F",
        SETS,
        rejected(lambda scores: friedman(scores).f_p_value, _scores),
        seed=2701,
        allowed=(0.035, 0.06),
    ),
    _certificate(
        "Friedman with ties",
        SETS + ", scores of two digits",
        rejected(lambda scores: friedman(scores).f_p_value, _tied),
        seed=2702,
        allowed=(0.035, 0.06),
    ),
    _certificate(
        "Nemenyi, any pair",
        SETS,
        rejected(_any_pair, _scores),
        seed=2703,
        claim="at most 5 %",
        allowed=AT_MOST_5,
    ),
    *(
        _certificate(
            f"Wilcoxon signed rank, {size} differences",
            "no ties, all signs, exact",
            _exact_sizes(size),
            claim="at most 5 % always",
            allowed=(0.0, 0.05),
            long=0,
        )
        for size in (6, 10, 14)
    ),
    _certificate(
        "Wilcoxon signed rank with zeros and ties",
        "20 differences of two digits, heavy tails, symmetric about 0",
        rejected(lambda gaps: signed_rank(gaps).p_value, lambda rng: _gaps(20, 2, rng)),
        seed=2704,
        claim="at most 5 %",
        allowed=AT_MOST_5,
    ),
    _certificate(
        "Wilcoxon signed rank, many differences",
        "60 differences, heavy tails, symmetric about 0, normal approximation",
        rejected(lambda gaps: signed_rank(gaps).p_value, lambda rng: _gaps(60, 6, rng)),
        seed=2705,
        allowed=(0.04, 0.055),
    ),
    _certificate(
        "corrected resampled t-test, correlated as assumed",
        "15 differences, correlation 0.2",
        rejected(_corrected, _alike),
        seed=2706,
        allowed=(0.045, 0.055),
        long=20_000,
    ),
    _certificate(
        "corrected resampled t-test, real splits",
        FOLDS,
        rejected(_corrected, _learned),
        seed=2707,
        claim="at most 5 %, nearly",
        allowed=(0.0, 0.07),
        short=60,
        long=4000,
    ),
    _certificate(
        "uncorrected t-test of splits",
        FOLDS,
        rejected(_plain, _learned),
        seed=2707,
        claim="5 %",
        falls_short=(0.2, 0.6),
        note="splits share rows; take resampled_t_test, which knows it",
        short=60,
        long=4000,
    ),
]

"""Tests at 5 % of several samples, strata, clusters, predictive values, and by resampling."""

from functools import cache, partial
from typing import Any

import numpy as np

from certificates.declaration import AT_MOST_5, Certificate, Experiment
from certificates.experiments import exactly, rejected
from certificates.sizes import SAMPLES, two_sample_sizes
from steelyard.comparison import (
    bootstrap_calls,
    clustered_mcnemar,
    cochran_q,
    k_sample_chi_square,
    mcnemar,
    permute_calls,
    pool_differences,
    predictive_values,
    stratified_mcnemar,
    unconditional_exact,
)
from steelyard.counts import JointCalls, Outcomes, PairTable

__all__ = ["DECLARED"]

RESAMPLES = 199
PREDICTED = {
    ("ill", ("ill", "ill")): 0.24,
    ("ill", ("ill", "ok")): 0.06,
    ("ill", ("ok", "ill")): 0.06,
    ("ill", ("ok", "ok")): 0.04,
    ("ok", ("ill", "ill")): 0.08,
    ("ok", ("ill", "ok")): 0.05,
    ("ok", ("ok", "ill")): 0.05,
    ("ok", ("ok", "ok")): 0.42,
}
"""Chances that are the same for both systems, so that all their rates are equal."""


def _barnard(one: tuple[int, int], two: tuple[int, int]) -> float:
    """Ask once for tables that are the same but for the names of systems or of right and wrong."""
    x, y = one[0], two[0]
    return _asked(*min((x, y), (y, x), (15 - x, 15 - y), (15 - y, 15 - x)))


@cache
def _asked(x: int, y: int) -> float:
    return unconditional_exact((x, 15), (y, 15), order="barnard").p_value


def _several(rng: np.random.Generator) -> list[tuple[int, int]]:
    sizes = (40, 60, 60, 80)
    return [(int(rng.binomial(n, 0.8)), n) for n in sizes]


def _table(rng: np.random.Generator, items: int, discordant: float, lean: float = 0.5):
    cells = rng.multinomial(
        items, [0.5, discordant * lean, discordant * (1 - lean), 0.5 - discordant]
    )
    both, first, second, neither = cells.tolist()
    return PairTable(both=both, first=first, second=second, neither=neither)


def _strata(rng: np.random.Generator) -> list[PairTable]:
    """Five strata of unlike sizes and discordance."""
    return [_table(rng, n, d) for n, d in ((20, 0.1), (40, 0.2), (60, 0.3), (30, 0.4), (80, 0.05))]


def _clusters(rng: np.random.Generator) -> list[PairTable]:
    """30 clusters of 10 items; each leans to one of the systems by a share of its own."""
    return [_table(rng, 10, 0.3, float(rng.beta(1.5, 1.5))) for _ in range(30)]


def _merged(clusters: list[PairTable]) -> float:
    cells = {
        name: sum(getattr(one, name) for one in clusters)
        for name in ("both", "first", "second", "neither")
    }
    return mcnemar(PairTable(**cells)).p_value


def _groups(rng: np.random.Generator) -> list[PairTable]:
    """Eight groups of 100 items whose differences scatter about 0."""
    found = []
    for _ in range(8):
        shift = rng.normal(0, 0.04)
        cells = rng.multinomial(100, [0.7, 0.1 + shift / 2, 0.1 - shift / 2, 0.1]).tolist()
        found.append(PairTable(both=cells[0], first=cells[1], second=cells[2], neither=cells[3]))
    return found


def _calls(rng: np.random.Generator, items: int = 150) -> JointCalls:
    drawn = rng.multinomial(items, list(PREDICTED.values())).tolist()
    cells = {cell: n for cell, n in zip(PREDICTED, drawn, strict=True) if n}
    return JointCalls.from_cells(cells, systems=["A", "B"], classes=["ill", "ok"])


def _predictive(value: str, calls: JointCalls) -> float | None:
    return predictive_values(calls, "A", "B", positive="ill", value=value).p_value  # type: ignore[arg-type]


def _balanced(tables: np.ndarray) -> np.ndarray:
    """Balanced accuracy of tables of truth by called."""
    recalls = np.diagonal(tables, axis1=1, axis2=2) / tables.sum(axis=2)
    return np.asarray(recalls.mean(axis=1))


def _seeded(rng: np.random.Generator) -> tuple[JointCalls, np.random.Generator]:
    return _calls(rng, 100), rng


def _permuted(drawn: tuple[JointCalls, np.random.Generator]) -> float:
    return permute_calls(drawn[0], _balanced, rng=drawn[1], draws=RESAMPLES)[0].p_value


def _bootstrapped(drawn: tuple[JointCalls, np.random.Generator]) -> float:
    return bootstrap_calls(drawn[0], _balanced, rng=drawn[1], draws=2 * RESAMPLES + 1)[0].p_value


def _five_systems(rng: np.random.Generator) -> Outcomes:
    """Five systems of equal rates on 30 items, right more often on easy items."""
    right = rng.random((30, 5)) < rng.beta(3, 1, 30)[:, None]
    codes, times = np.unique(right @ (1 << np.arange(5)), return_counts=True)
    patterns = dict(zip(codes.tolist(), times.tolist(), strict=True))
    return Outcomes.from_patterns(patterns, systems=list("ABCDE"))


def _certificate(name: str, setting: str, experiment: Experiment, **more: Any) -> Certificate:
    return Certificate(
        name=name,
        family="further_sizes",
        claim=more.pop("claim", "5 %"),
        setting=setting,
        page=more.pop("page", "more-tests"),
        experiment=experiment,
        allowed=more.pop("allowed", (0.035, 0.06)),
        short=more.pop("short", 200),
        long=more.pop("long", 10_000),
        **more,
    )


CALLS = "150 items, 40 % ill, recall 0.75, specificity 0.78 for both"

DECLARED = [
    _certificate(
        "Barnard, exact",
        SAMPLES,
        exactly(partial(two_sample_sizes, _barnard), "highest"),
        claim="at most 5 % always",
        allowed=(0.0, 0.05),
        long=0,
    ),
    _certificate(
        "chi-square of four samples",
        "40, 60, 60 and 80 items, common rate 0.8",
        rejected(lambda samples: k_sample_chi_square(samples).p_value, _several),
        seed=2601,
    ),
    _certificate(
        "Cochran Q, five systems on few items",
        "30 common items, five systems of equal rates",
        rejected(lambda outcomes: cochran_q(outcomes).p_value, _five_systems),
        seed=2602,
    ),
    _certificate(
        "McNemar over strata",
        "five strata of 20 to 80 common items, 5 to 40 % discordant",
        rejected(lambda strata: stratified_mcnemar(strata).test.p_value, _strata),
        seed=2603,
        claim="at most 5 %",
        allowed=AT_MOST_5,
    ),
    *(
        _certificate(
            f"McNemar of clusters, {words}",
            "30 clusters of 10 items, discordant items of a cluster lean one way",
            rejected(p_value, _clusters),
            seed=2604,
            **more,
        )
        for words, p_value, more in (
            ("robust", lambda tables: clustered_mcnemar(tables).p_value, {}),
            (
                "durkalski",
                lambda tables: clustered_mcnemar(tables, method="durkalski").p_value,
                {},
            ),
            (
                "clusters ignored",
                _merged,
                {
                    "falls_short": (0.08, 0.25),
                    "note": "items of a cluster are no independent items; take clustered_mcnemar",
                },
            ),
        )
    ),
    _certificate(
        "pooled over groups",
        "eight groups of 100 items, differences of the groups scatter by 4 points about 0",
        rejected(lambda groups: pool_differences(groups).p_value, _groups),
        seed=2605,
        long=4000,
    ),
    *(
        _certificate(
            f"{value} predictive values, paired",
            CALLS,
            rejected(partial(_predictive, value), _calls),
            seed=2606,
            page="detection",
        )
        for value in ("positive", "negative")
    ),
    _certificate(
        "permutation of calls, balanced accuracy",
        CALLS.replace("150", "100"),
        rejected(_permuted, _seeded),
        seed=2607,
        page="resampling",
        claim="at most 5 %",
        allowed=AT_MOST_5,
        short=100,
        long=6000,
    ),
    _certificate(
        "bootstrap of calls, balanced accuracy",
        CALLS.replace("150", "100"),
        rejected(_bootstrapped, _seeded),
        seed=2608,
        page="resampling",
        short=60,
        long=3000,
    ),
]

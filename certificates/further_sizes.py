"""Tests at 5 % of several samples, strata, clusters, predictive values, and by resampling."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from certificates.declaration import AT_MOST_5, Certificate, Found
from certificates.experiments import rejecting, rejecting_two
from certificates.search import Cell, Search, Space
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


def _barnard(one: tuple[int, int], two: tuple[int, int]) -> float:
    return unconditional_exact(one, two, order="barnard").p_value


def _several(cell: Cell, rng: np.random.Generator) -> list[tuple[int, int]]:
    """Samples of one common rate, every second one larger."""
    sizes = [int(cell["n"] * (cell["larger"] if k % 2 else 1)) for k in range(int(cell["samples"]))]
    return [(int(rng.binomial(n, cell["rate"])), n) for n in sizes]


def _chi_square(samples: list[tuple[int, int]]) -> float | None:
    # Where an expected count is below 5 the answer says that the test is rough.
    found = k_sample_chi_square(samples)
    return found.p_value if found.smallest_expected >= 5 else None


def _table(cells: np.ndarray) -> PairTable:
    both, first, second, neither = cells.tolist()
    return PairTable(both=both, first=first, second=second, neither=neither)


def _drawn(rng: np.random.Generator, items: int, discordant: float, lean: float = 0.5) -> PairTable:
    rest = 1 - discordant
    shares = [rest / 2, discordant * lean, discordant * (1 - lean), rest / 2]
    return _table(rng.multinomial(items, shares))


def _strata(cell: Cell, rng: np.random.Generator) -> list[PairTable]:
    """Strata of equal systems; the first is more discordant than the others."""
    shares = [min(1.0, cell["discordant"] * 4), *[cell["discordant"]] * (int(cell["strata"]) - 1)]
    return [_drawn(rng, int(cell["n"]), share) for share in shares]


def _clusters(cell: Cell, rng: np.random.Generator) -> list[PairTable]:
    """Each cluster leans to one of the systems by a share of its own."""
    number = int(cell["clusters"])
    leans = rng.beta(cell["apart"], cell["apart"], number)
    sizes = np.maximum(1, cell["size"] * np.linspace(1, cell["unequal"], number)).astype(int)
    return [
        _drawn(rng, size, cell["discordant"], float(lean))
        for size, lean in zip(sizes.tolist(), leans, strict=True)
    ]


def _merged(clusters: list[PairTable]) -> float:
    cells = {
        name: sum(getattr(one, name) for one in clusters)
        for name in ("both", "first", "second", "neither")
    }
    return mcnemar(PairTable(**cells)).p_value


def _groups(cell: Cell, rng: np.random.Generator) -> list[PairTable]:
    """Groups whose differences scatter about 0."""
    found = []
    for _ in range(int(cell["groups"])):
        half = cell["discordant"] / 2
        shift = float(np.clip(rng.normal(0, cell["scatter"] * half), -half, half)) / 2
        shares = [0.9 - 2 * half, half + shift, half - shift, 0.1]
        found.append(_table(rng.multinomial(int(cell["n"]), shares)))
    return found


def _calls(cell: Cell, rng: np.random.Generator) -> JointCalls:
    """Two systems with the same rates, whose errors go together by a share."""
    shares = {}
    for truth, rate, part in (("ill", cell["recall"], cell["ill"]),
                              ("ok", cell["specificity"], 1 - cell["ill"])):  # fmt: skip
        both = rate**2 + cell["alike"] * rate * (1 - rate)
        wrong = "ok" if truth == "ill" else "ill"
        shares |= {
            (truth, (truth, truth)): part * both,
            (truth, (truth, wrong)): part * (rate - both),
            (truth, (wrong, truth)): part * (rate - both),
            (truth, (wrong, wrong)): part * (1 - 2 * rate + both),
        }
    drawn = rng.multinomial(int(cell["n"]), list(shares.values())).tolist()
    cells = {one: n for one, n in zip(shares, drawn, strict=True) if n}
    return JointCalls.from_cells(cells, systems=["A", "B"], classes=["ill", "ok"])


def _predictive(value: str, calls: JointCalls) -> float | None:
    called = {"positive": "ill", "negative": "ok"}[value]
    made = [sum(n for _, said, n in calls.cells if said[k] == called) for k in (0, 1)]
    if min(made) == 0:
        return None
    return predictive_values(calls, "A", "B", positive="ill", value=value).p_value  # type: ignore[arg-type]


def _balanced(tables: np.ndarray) -> np.ndarray:
    """Balanced accuracy of tables of truth by called."""
    recalls = np.diagonal(tables, axis1=1, axis2=2) / np.maximum(tables.sum(axis=2), 1)
    return np.asarray(recalls.mean(axis=1))


def _resampled(test: Callable[..., Any], draws: int) -> Callable[..., Found]:
    def trial(cell: Cell, number: int, rng: np.random.Generator) -> Found:
        hits = sum(
            test(_calls(cell, rng), _balanced, rng=rng, draws=draws)[0].p_value <= 0.05
            for _ in range(number)
        )
        return Found(share=hits / number, draws=number, hits=hits)

    return trial


def _systems(cell: Cell, rng: np.random.Generator) -> Outcomes:
    """Systems of equal rates, right more often on easy items."""
    number, items = int(cell["systems"]), int(cell["n"])
    easy = rng.beta(cell["rate"] / cell["alike"], (1 - cell["rate"]) / cell["alike"], items)
    right = rng.random((items, number)) < easy[:, None]
    codes, times = np.unique(right @ (1 << np.arange(number)), return_counts=True)
    patterns = dict(zip(codes.tolist(), times.tolist(), strict=True))
    return Outcomes.from_patterns(patterns, systems=list("ABCDEFGH"[:number]))


def _searched(name: str, said: str, space: Space, trial: Callable[..., Found], **more: Any):
    return Certificate(
        name=name,
        family="further_sizes",
        claim=more.pop("claim", "at most 5 %"),
        setting=f"{said}; {space.words()}",
        page=more.pop("page", "more-tests"),
        experiment=Search(space=space, trial=trial, seek="highest", beam=2, rounds=1),
        allowed=more.pop("allowed", AT_MOST_5),
        short=more.pop("short", 100),
        long=more.pop("long", 2000),
        **more,
    )


EXACT = Space(
    axes={"m": (4, 9, 15), "n": (4, 9, 15), "p": (0.02, 0.1, 0.3, 0.5)},
    fixed=frozenset({"m", "n"}),
    possible=lambda cell: cell["m"] <= cell["n"],
)
SAMPLES = Space(
    axes={"n": (10, 40, 200), "samples": (3, 8), "rate": (0.5, 0.9, 0.98), "larger": (1, 10)}
)
ITEMS = Space(
    axes={"n": (5, 15, 100), "systems": (3, 6), "rate": (0.5, 0.9), "alike": (0.2, 2.0)},
)
STRATA = Space(axes={"strata": (2, 5), "n": (5, 30, 200), "discordant": (0.02, 0.1, 0.25)})
CLUSTERS = Space(
    axes={
        "clusters": (3, 10, 40),
        "size": (1, 10),
        "discordant": (0.05, 0.4),
        "apart": (0.5, 3.0),
        "unequal": (1.0, 8.0),
    }
)
GROUPS = Space(
    axes={"groups": (2, 4, 10), "n": (10, 100), "discordant": (0.05, 0.3), "scatter": (0.0, 0.8)}
)
CALLS = Space(
    axes={
        "n": (20, 150, 1000),
        "ill": (0.01, 0.1, 0.5),
        "recall": (0.6, 0.95),
        "specificity": (0.6, 0.95),
        "alike": (0.0, 0.8),
    },
    possible=lambda cell: cell["n"] * cell["ill"] >= 2,
)
DRAWN = Space(
    axes={"n": (20, 150), "ill": (0.1, 0.5), "recall": (0.6, 0.95), "specificity": (0.8,),
          "alike": (0.0, 0.8)}
)  # fmt: skip

DECLARED = [
    _searched(
        "Barnard, exact",
        "exact",
        EXACT,
        rejecting_two(_barnard),
        claim="at most 5 % always",
        allowed=(0.0, 0.05),
        long=0,
    ),
    _searched(
        "chi-square of several samples",
        "expected counts of 5 or more",
        SAMPLES,
        rejecting(_chi_square, _several),
        claim="5 %, nearly",
        allowed=(0.0, 0.07),
        seed=2601,
    ),
    _searched(
        "Cochran Q, several systems",
        "systems of equal rates",
        ITEMS,
        rejecting(lambda outcomes: cochran_q(outcomes).p_value, _systems),
        claim="5 %, nearly",
        allowed=(0.0, 0.065),
        seed=2602,
    ),
    _searched(
        "McNemar over strata",
        "one stratum four times as discordant",
        STRATA,
        rejecting(lambda strata: stratified_mcnemar(strata).test.p_value, _strata),
        seed=2603,
        allowed=(0.0, 0.06),
        claim="at most 5 %, but for discreteness",
    ),
    *(
        _searched(
            f"McNemar of clusters, {words}",
            "discordant items of a cluster lean one way",
            CLUSTERS,
            rejecting(p_value, _clusters),
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
                    "falls_short": (0.5, 0.8),
                    "note": "items of a cluster are no independent items; take clustered_mcnemar",
                },
            ),
        )
    ),
    _searched(
        "pooled over groups",
        "differences of the groups scatter about 0",
        GROUPS,
        rejecting(lambda groups: pool_differences(groups).p_value, _groups),
        seed=2605,
        long=1000,
    ),
    *(
        _searched(
            f"{value} predictive values, paired",
            "equal systems",
            CALLS,
            rejecting(partial(_predictive, value), _calls),
            seed=2606,
            page="detection",
        )
        for value in ("positive", "negative")
    ),
    _searched(
        "permutation of calls, balanced accuracy",
        "equal systems",
        DRAWN,
        _resampled(permute_calls, RESAMPLES),
        seed=2607,
        page="resampling",
        short=50,
        long=1000,
    ),
    _searched(
        "bootstrap of calls, balanced accuracy",
        "equal systems",
        DRAWN,
        _resampled(bootstrap_calls, 2 * RESAMPLES + 1),
        falls_short=(0.06, 0.12),
        note="with some ten items of a class; take permutation",
        seed=2608,
        page="resampling",
        short=40,
        long=1000,
    ),
]

"""Items that come in clusters: what ignoring it costs, and what the robust intervals keep."""

from collections.abc import Callable
from functools import partial
from math import sqrt
from typing import Any

import numpy as np
from scipy.stats import norm

from certificates.cluster_cells import SEARCHED
from certificates.declaration import Certificate, Experiment
from certificates.experiments import covered, limits_of
from certificates.vectors import SHARP, TRUE_CHANCES, VAGUE, WORLD, scored_items, true_score
from steelyard.comparison import compare_areas
from steelyard.counts import Confusion, Grouped, ScoreTable
from steelyard.measures import (
    accuracy,
    auc,
    cluster_bootstrap,
    clustered_accuracy,
    clustered_auc,
    clustered_kappa,
    clustered_measure,
    clustered_vector_difference,
    clustered_vector_score,
    f1,
    likelihood_ratio_positive,
    mcc,
)
from steelyard.uncertainty import clustered_auc_covariance

__all__ = ["DECLARED"]

MEAN, ALIKE = 0.65, 0.25
"""Share of right items, and the correlation of two items of one cluster."""
FEW = "10 clusters of 20 items, correlation 0.25 inside, share 0.65"
MORE = "30 clusters of 5 to 15 items, correlation 0.25 inside"


def _rates(rng: np.random.Generator, mean: float, clusters: int) -> np.ndarray:
    spread = (1 - ALIKE) / ALIKE
    return rng.beta(mean * spread, (1 - mean) * spread, clusters)


def _tables(rng: np.random.Generator, sizes: np.ndarray, means: tuple[float, ...]):
    """Each cluster has its own chance of being right on each true class."""
    parts = {}
    chances = [_rates(rng, mean, len(sizes)) for mean in means]
    for place, size in enumerate(sizes.tolist()):
        first = size // 2 if len(means) > 1 else size
        won = [
            rng.binomial(n, chance[place])
            for n, chance in zip((first, size - first), chances, strict=False)
        ]
        one, two = won[0], (won[1] if len(won) > 1 else 0)
        rows = [[one, first - one], [size - first - two, two]]
        parts[str(place)] = Confusion.from_matrix(rows, classes=["a", "b"])
    return Grouped.from_parts("cluster", parts)


def _few(rng: np.random.Generator):
    return _tables(rng, np.full(10, 20), (MEAN,))


def _more(rng: np.random.Generator):
    return _tables(rng, 2 * rng.integers(3, 8, 30), (0.85, 0.75))


def _ranked(rng: np.random.Generator):
    """20 clusters of 10 scores; positives score one higher, and half of the variance is shared."""
    parts = {}
    for place in range(20):
        shared = rng.normal(0, sqrt(0.5))
        one, two = (rng.normal(shift, sqrt(0.5), 5) + shared for shift in (1.0, 0.0))
        # Every other cluster is of one class only, as patients with and without the disease are.
        if place % 2:
            one, two = (np.concatenate([one, two + 1]), []) if place % 4 == 1 else ([], two)
        parts[str(place)] = ScoreTable.from_scores(one, two)
    return Grouped.from_parts("cluster", parts)


def _two_ranked(rng: np.random.Generator):
    """Two systems of equal area on 20 clusters of 10 items; a third of the variance is shared."""
    parts: list[dict[str, ScoreTable]] = [{}, {}]
    for place in range(20):
        shared = rng.normal(0, sqrt(1 / 3), 2) + rng.normal(0, sqrt(1 / 3))
        sizes = (5, 5) if place % 2 else ((10, 0) if place % 4 else (0, 10))
        for side, kept in enumerate(parts):
            one, two = (
                rng.normal(shift + shared[side], sqrt(1 / 3), size)
                for shift, size in zip((1.0, 0.0), sizes, strict=True)
            )
            kept[str(place)] = ScoreTable.from_scores(one, two)
    return [Grouped.from_parts("cluster", kept) for kept in parts]


def _difference_of_areas(pair: Any) -> tuple[float, float]:
    areas, covariance = clustered_auc_covariance(pair)
    held = [(part.positive_total > 0, part.negative_total > 0) for _, part in pair[0]]
    freedom = min(sum(one[side] for one in held) for side in (0, 1)) - 1
    found = compare_areas(areas, covariance, 0, 1, freedom=freedom)
    return found.low or 0.0, found.high or 0.0


def _written(rng: np.random.Generator):
    """25 writers of 8 items; a writer keeps to one kind of item with a chance of one half."""
    parts = {}
    for place in range(25):
        own = rng.choice(4, p=WORLD)
        kinds = np.where(rng.random(8) < 0.5, own, rng.choice(4, 8, p=WORLD))
        steps = np.cumsum(TRUE_CHANCES, axis=1)[kinds]
        parts[str(place)] = scored_items(kinds, (rng.random((8, 1)) > steps[:, :2]).sum(axis=1))
    return Grouped.from_parts("cluster", parts)


def _ignoring(grouped: Any) -> Any:
    return accuracy(grouped.merged())


def _bootstrap(measure: Callable[..., Any], truth: float) -> Experiment:
    def drawn(rng: np.random.Generator) -> Any:
        return _more(rng), rng

    return covered(
        limits_of(lambda pair: cluster_bootstrap(pair[0], measure, rng=pair[1], repetitions=200)),
        drawn,
        truth,
    )


# Half of the items of each cluster are of either class: accuracy 0.8, called 0.55 and 0.45.
AREA = float(norm.cdf(1 / sqrt(2)))
RANKED = "20 clusters of 5 or 10 scores one apart, half of the variance shared inside"
KAPPA = (0.8 - 0.5) / (1 - 0.5)
F_MEASURE = 0.85 / (0.85 + 0.25 / 2 + 0.15 / 2)
MCC = (0.85 * 0.75 - 0.15 * 0.25) / (0.55 * 0.45) ** 0.5 * 0.5


def _certificate(name: str, setting: str, experiment: Experiment, **more: Any) -> Certificate:
    return Certificate(
        name=name,
        family="clusters",
        claim=more.pop("claim", "95 %"),
        setting=setting,
        page=more.pop("page", "detection"),
        experiment=experiment,
        seed=more.pop("seed"),
        short=more.pop("short", 200),
        long=more.pop("long", 3000),
        **more,
    )


DECLARED = [
    _certificate(
        "accuracy, clusters ignored",
        FEW,
        covered(limits_of(_ignoring), _few, MEAN),
        seed=1901,
        falls_short=(0.55, 0.61),
        note="name the cluster column, and the interval counts clusters",
    ),
    _certificate(
        "accuracy, cluster-robust, 10 clusters",
        FEW,
        covered(limits_of(clustered_accuracy), _few, MEAN),
        seed=1901,
        allowed=(0.925, 0.96),
    ),
    _certificate(
        "accuracy, cluster-robust, 30 clusters",
        MORE,
        covered(limits_of(clustered_accuracy), _more, 0.8),
        seed=1902,
    ),
    _certificate(
        "kappa, cluster-robust",
        MORE,
        covered(limits_of(clustered_kappa), _more, KAPPA),
        seed=1903,
        page="agreement",
    ),
    _certificate(
        "MCC, cluster-robust",
        MORE,
        covered(limits_of(partial(clustered_measure, measure=mcc)), _more, MCC),
        seed=1914,
    ),
    _certificate(
        "F1, cluster-robust",
        MORE,
        covered(
            limits_of(partial(clustered_measure, measure=partial(f1, of="a"))), _more, F_MEASURE
        ),
        seed=1915,
        allowed=(0.935, 0.975),
    ),
    _certificate(
        "positive likelihood ratio, cluster-robust",
        MORE,
        covered(
            limits_of(
                partial(clustered_measure, measure=partial(likelihood_ratio_positive, of="a"))
            ),
            _more,
            0.85 / 0.25,
        ),
        seed=1916,
    ),
    _certificate(
        "MCC, cluster bootstrap",
        MORE,
        _bootstrap(mcc, MCC),
        seed=1904,
        short=20,
        long=800,
        allowed=(0.92, 0.965),
    ),
    _certificate(
        "AUC, clusters ignored",
        RANKED,
        covered(limits_of(lambda grouped: auc(grouped.merged())), _ranked, AREA),
        seed=1905,
        page="auc-delong",
        short=50,
        long=1500,
        falls_short=(0.70, 0.90),
        note="name the cluster column, and the interval counts clusters",
    ),
    _certificate(
        "AUC, cluster-robust",
        RANKED,
        covered(limits_of(clustered_auc), _ranked, AREA),
        seed=1905,
        page="auc-delong",
        short=50,
        long=1500,
        allowed=(0.925, 0.975),
    ),
    _certificate(
        "difference of two AUCs, cluster-robust",
        "20 clusters of 10 scores, two systems of equal area, a third of the variance shared twice",
        covered(_difference_of_areas, _two_ranked, 0.0),
        seed=1907,
        page="auc-delong",
        short=50,
        long=1500,
        allowed=(0.93, 0.98),
    ),
    *(
        _certificate(
            f"{rule} score, cluster-robust{tail}",
            "25 writers of 8 items, half of them of the writer's own kind",
            covered(limits_of(measure), _written, truth),
            seed=1906,
            page="calibration",
            short=10,
            long=500,
            allowed=(0.93, 0.965),
        )
        for rule in ("spherical", "log")
        for tail, measure, truth in (
            (
                "",
                partial(clustered_vector_score, rule=rule, system="sharp"),
                true_score(rule, SHARP),
            ),
            (
                ", difference",
                partial(clustered_vector_difference, rule=rule, first="sharp", second="vague"),
                true_score(rule, SHARP) - true_score(rule, VAGUE),
            ),
        )
    ),
    *SEARCHED,
]

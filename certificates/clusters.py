"""Items that come in clusters: what ignoring it costs, and what the robust intervals keep."""

from collections.abc import Callable
from math import sqrt

import numpy as np
from scipy.stats import norm

from certificates.cluster_cells import SEARCHED
from certificates.declaration import Certificate, Found
from certificates.search import Cell, Search, Space
from steelyard.counts import Confusion, Grouped, ScoreTable
from steelyard.measures import accuracy, auc, cluster_bootstrap, mcc

__all__ = ["DECLARED"]

IGNORED = "name the cluster column, and the interval counts clusters"


def _accuracy_ignoring(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Each cluster has its own chance of being right, and all items count as one sample."""
    number, size, alike = int(cell["clusters"]), int(cell["size"]), cell["alike"]
    spread, rate = (1 - alike) / alike, cell["rate"]
    hits = 0
    each = rng.beta(rate * spread, (1 - rate) * spread, (draws, number))
    for right in rng.binomial(size, each).sum(axis=1).tolist():
        table = Confusion.from_matrix([[right, number * size - right], [0, 0]])
        ends = accuracy(table).interval
        assert ends is not None
        hits += ends.low <= rate <= ends.high
    return Found(share=hits / draws, draws=draws, hits=hits)


def _area_ignoring(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Scores one apart, of which a share of the variance is common to a cluster of one class."""
    number, size, alike = int(cell["clusters"]), int(cell["size"]), cell["alike"]
    truth, hits = float(norm.cdf(1 / sqrt(2))), 0
    for _ in range(draws):
        common = np.sqrt(alike) * rng.standard_normal((2, number, 1))
        scores = common + np.sqrt(1 - alike) * rng.standard_normal((2, number, size))
        ends = auc(ScoreTable.from_scores(scores[0].ravel() + 1, scores[1].ravel())).interval
        assert ends is not None
        hits += ends.low <= truth <= ends.high
    return Found(share=hits / draws, draws=draws, hits=hits)


def _bootstrap(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """MCC of two classes, each cluster with its own chance of being right on either."""
    number, half, alike = int(cell["clusters"]), 5, cell["alike"]
    rates, spread = np.array([cell["rate"], 0.75]), (1 - alike) / alike
    one, two = (0.5 * rates).tolist()
    called = one + 0.5 - two
    truth = (one * two - (0.5 - one) * (0.5 - two)) / sqrt(0.25 * called * (1 - called))
    hits = lost = 0
    for _ in range(draws):
        won = rng.binomial(half, rng.beta(rates * spread, (1 - rates) * spread, (number, 2)))
        parts = {
            str(g): Confusion.from_matrix([[a, half - a], [half - b, b]], classes=["a", "b"])
            for g, (a, b) in enumerate(won.tolist())
        }
        grouped = Grouped.from_parts("cluster", parts)
        ends = cluster_bootstrap(grouped, mcc, rng=rng, repetitions=100).interval
        if ends is None:
            lost += 1
        else:
            hits += ends.low <= truth <= ends.high
    return Found(share=hits / (draws - lost), draws=draws - lost, hits=hits, undefined=lost)


def _certificate(
    name: str, space: Space, trial: Callable[..., Found], page: str, **more: object
) -> Certificate:
    return Certificate(
        name=name,
        family="clusters",
        claim="95 %",
        setting=f"searched: {space.words()}",
        page=page,
        experiment=Search(space=space, trial=trial, seek="lowest", beam=2, rounds=1),
        short=20,
        **more,  # type: ignore[arg-type]
    )


IGNORING = {"clusters": (5, 20), "size": (5, 20), "alike": (0.05, 0.3)}
DECLARED = [
    _certificate(
        "accuracy, clusters ignored",
        Space(axes={**IGNORING, "rate": (0.65, 0.95)}),
        _accuracy_ignoring,
        "detection",
        seed=1901,
        long=1000,
        falls_short=(0.2, 0.8),
        note=IGNORED,
    ),
    _certificate(
        "AUC, clusters ignored",
        Space(axes=IGNORING),
        _area_ignoring,
        "auc-delong",
        seed=1905,
        long=1000,
        falls_short=(0.3, 0.9),
        note=IGNORED,
    ),
    _certificate(
        "MCC, cluster bootstrap",
        Space(axes={"clusters": (6, 30), "alike": (0.1, 0.5), "rate": (0.7, 0.9)}),
        _bootstrap,
        "detection",
        seed=1904,
        long=200,
        falls_short=(0.7, 0.95),
        note="percentiles of few clusters are too short; evaluate takes the robust interval",
    ),
    *SEARCHED,
]

"""A number for each item in the corners: few items, weights, clusters of unlike size, claims."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from certificates.declaration import Certificate, Found
from certificates.search import Cell, Search, Space
from steelyard.comparison import paired_mean_difference
from steelyard.comparison.values.means import hold_to_signs
from steelyard.counts import Moments
from steelyard.journey.values.sums import averages_of_units
from steelyard.uncertainty import estimate_mean, skewness, unseen_limits, value_caveats

__all__ = ["DECLARED"]

Rng = np.random.Generator
PAGE: Mapping[str, Any] = {"family": "few_values", "page": "values", "short": 100}


def _equal_systems(cell: Cell, draws: int, rng: Rng) -> Found:
    """Differences of one size up or down, some items tied, and noise beside it."""
    size = (draws, int(cell["n"]))
    gaps = rng.choice([-1.0, 1.0], size) + cell["noise"] * rng.normal(size=size)
    gaps = np.round(gaps * (rng.random(size) >= cell["tied"]), 3)
    hits = 0
    for row in gaps:
        sums = row.size, float(row.sum()), float(row @ row)
        hits += hold_to_signs(paired_mean_difference(*sums), row.size).p_value <= 0.05
    return Found(share=hits / draws, draws=draws, hits=hits)


def _surely_better(cell: Cell, draws: int, rng: Rng) -> Found:
    """The same differences; how often one of two equal systems is better for nearly sure."""
    size = (draws, int(cell["n"]))
    gaps = np.round(rng.choice([-1.0, 1.0], size) + cell["noise"] * rng.normal(size=size), 3)
    hits = 0
    for row in gaps:
        sums = row.size, float(row.sum()), float(row @ row)
        found = hold_to_signs(paired_mean_difference(*sums), row.size)
        hits += max(found.better, 1 - found.better) >= 0.999
    return Found(share=hits / draws, draws=draws, hits=hits)


def _weighted(cell: Cell, draws: int, rng: Rng) -> Found:
    """Normal values of mean 0 whose weights vary, one of them far from the others."""
    n, hits = int(cell["n"]), 0
    for _ in range(draws):
        weights = np.exp(cell["spread"] * rng.normal(size=n))
        weights[0] *= cell["heavy"]
        weights = np.maximum(np.round(weights, 2), 0.01)
        moments = Moments.from_arrays({"A": weights * rng.normal(size=n)}, per={"weight": weights})
        pivot = averages_of_units(moments, weighted=True).estimate("A")
        assert pivot is not None
        low, high = pivot.interval()
        hits += low <= 0 <= high
    return Found(share=hits / draws, draws=draws, hits=hits)


def _unlike_clusters(cell: Cell, draws: int, rng: Rng) -> Found:
    """Clusters of 10 normal values, and one that is larger."""
    sizes = np.full(int(cell["clusters"]), 10.0)
    sizes[0] = 10 * round(cell["largest"])
    means = np.sqrt(cell["alike"]) * rng.normal(size=(draws, sizes.size))
    means += np.sqrt((1 - cell["alike"]) / sizes) * rng.normal(size=means.shape)
    hits = 0
    for row in means:
        moments = Moments.from_arrays({"A": row * sizes}, per={"items": sizes})
        pivot = replace(averages_of_units(moments, sizes=sizes.tolist()), log=False).estimate("A")
        assert pivot is not None
        low, high = pivot.interval()
        hits += low <= 0 <= high
    return Found(share=hits / draws, draws=draws, hits=hits)


def _claim_passes(cell: Cell, draws: int, rng: Rng) -> Found:
    """Claim a mean of at least 0 for values that are 1 less a gamma of mean 1; warned or not."""
    hits = 0
    for row in 1 - rng.gamma(cell["shape"], 1 / cell["shape"], (draws, int(cell["n"]))):
        found = estimate_mean(row.size, float(row.sum()), float(row @ row))
        doubtful = bool(value_caveats(row.size, skewness(row)))
        seen = float(row.min()), float(row.max())
        hits += unseen_limits(found, seen=seen, doubtful=doubtful)[0] >= 0
    return Found(share=hits / draws, draws=draws, hits=hits)


DECLARED = [
    Certificate(
        name="paired difference of few values, held to signs",
        claim="rejects what is true in at most 5 %",
        setting="differences of nearly one size, up or down",
        experiment=Search(
            space=Space(
                axes={
                    "n": (2, 3, 4, 5, 6, 8, 12, 20, 27),
                    "noise": (0.02, 0.1, 0.3, 1.0, 4.0),
                    "tied": (0.0, 0.3),
                }
            ),
            trial=_equal_systems,
            seek="highest",
        ),
        allowed=(0.0, 0.055),
        falls_short=(0.055, 0.14),
        note="few values: nearly normal differences, or more items",
        seed=3501,
        long=4000,
        **PAGE,
    ),
    Certificate(
        name="equal systems over few values, P(better) of 0.999",
        claim="says so in at most 2 in 1,000 tests, nearly",
        setting="differences of nearly one size, up or down",
        experiment=Search(
            space=Space(
                axes={"n": (2, 3, 4, 5, 6, 8, 12, 20), "noise": (0.02, 0.1, 0.3, 1.0, 4.0)}
            ),
            trial=_surely_better,
            seek="highest",
        ),
        allowed=(0.0, 0.006),
        falls_short=(0.006, 0.02),
        note="few values: nearly normal differences, or more items",
        seed=3502,
        long=4000,
        **PAGE,
    ),
    Certificate(
        name="mean of weighted values",
        claim="covers in 95 %, nearly",
        setting="normal values",
        experiment=Search(
            space=Space(
                axes={
                    "n": (4, 10, 30, 100),
                    "spread": (0.0, 0.5, 1.0, 1.5),
                    "heavy": (1.0, 5.0, 20.0, 100.0),
                }
            ),
            trial=_weighted,
            seek="lowest",
            beam=3,
            rounds=2,
        ),
        allowed=(0.93, 1.0),
        seed=3503,
        long=2000,
        **PAGE,
    ),
    Certificate(
        name="mean over clusters, one of them larger",
        claim="covers in 95 %, nearly",
        setting="normal values",
        experiment=Search(
            space=Space(
                axes={
                    "clusters": (2, 3, 5, 10, 30),
                    "largest": (1.0, 3.0, 10.0, 100.0),
                    "alike": (0.0, 0.1, 1.0),
                }
            ),
            trial=_unlike_clusters,
            seek="lowest",
            beam=3,
            rounds=2,
        ),
        allowed=(0.93, 1.0),
        seed=3504,
        long=2000,
        **PAGE,
    ),
    Certificate(
        name="claim that a skewed mean is at least a limit",
        claim="passes what does not hold in at most 5 %, nearly, warned or not",
        setting="1 less a gamma of mean 1, on the limit",
        experiment=Search(
            space=Space(
                axes={"n": (5, 8, 15, 30, 60, 150, 400), "shape": (0.3, 0.5, 1.0, 4.0, 50.0)}
            ),
            trial=_claim_passes,
            seek="highest",
        ),
        allowed=(0.0, 0.06),
        seed=3505,
        long=3000,
        **PAGE,
    ),
]

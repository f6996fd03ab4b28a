"""Intervals for one share: their coverage is summed over all outcomes, at its lowest too."""

from functools import partial
from typing import Any

import numpy as np
from scipy.stats import binom, hypergeom

from certificates.declaration import Certificate, Found
from certificates.experiments import averaged, covering_share
from certificates.search import Cell, Search, Space
from steelyard.counts import SCALE, Confusion
from steelyard.counts.weights import WeightSums
from steelyard.measures import accuracy
from steelyard.uncertainty import finite_rate_interval, proportion_interval

__all__ = ["DECLARED"]

SHARES = tuple(np.linspace(0.005, 0.995, 199).tolist())
PAGE = "proportion-intervals"
SIZES = (1, 2, 3, 5, 8, 12, 20, 30, 50, 100, 200, 500, 1000)
SPACE = Space(axes={"n": SIZES})
BESIDE = 1e-9

ON_AVERAGE = {
    "wilson": ("95 % on average over all shares", (0.945, 1.0)),
    "midp": ("95 % on average over all shares, or more", (0.945, 1.0)),
    "jeffreys": ("95 % on average over all shares", (0.945, 1.0)),
    "agresti-coull": ("95 % on average over all shares, or more", (0.945, 1.0)),
    "wald": ("95 % on average over all shares", (0.945, 1.0)),
}
NEVER_UNDER = {
    "wilson": 0.83,
    "clopper-pearson": 0.95,
    "midp": 0.91,
    "jeffreys": 0.86,
    "agresti-coull": 0.89,
    "wald": 0.9,
}
"""The least coverage that is claimed at any share, with 5 items or more."""


def _lowest(method: str, cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Give the coverage at the worst of all shares, which lies just outside some limit."""
    items = int(cell["n"])
    limits = np.array([proportion_interval(x, items, method=method) for x in range(items + 1)])
    near = np.concatenate([limits.ravel() - BESIDE, limits.ravel() + BESIDE])
    near = np.unique(near[(near > 0) & (near < 1)])
    chance = binom.pmf(np.arange(items + 1)[:, None], items, near)
    held = (limits[:, :1] <= near) & (near <= limits[:, 1:])
    covered = (chance * held).sum(axis=0)
    worst = int(covered.argmin())
    return Found(share=float(covered[worst]), more={"at": float(near[worst])})


def _mean(method: str) -> Certificate:
    claim, allowed = ON_AVERAGE[method]
    wald = method == "wald"
    trial = covering_share(partial(proportion_interval, method=method))
    return Certificate(
        name=f"{method}, on average",
        family="proportions",
        claim=claim,
        setting="mean over 199 shares, exact",
        page=PAGE,
        experiment=Search(space=SPACE, trial=averaged(trial, "share", SHARES), seek="lowest"),
        allowed=allowed,
        long=0,
        falls_short=(0.0, 0.01) if wald else None,
        note="too short, with no width at 0 and 1; take wilson" if wald else "",
    )


def _least(method: str) -> Certificate:
    wald, least = method == "wald", NEVER_UNDER[method]
    from_five = Space(axes={"n": tuple(n for n in SIZES if 5 <= n <= 500)})
    return Certificate(
        name=f"{method}, at its lowest",
        family="proportions",
        claim=f"never under {least:.0%}, whatever the share",
        setting="the worst of all shares, exact",
        page=PAGE,
        experiment=Search(space=from_five, trial=partial(_lowest, method), seek="lowest"),
        allowed=(least, 1.0),
        long=0,
        falls_short=(0.0, 0.01) if wald else None,
        note="covers nothing close to 0 and 1; take wilson" if wald else "",
    )


def _weighted(cell: Cell, rng: np.random.Generator) -> Confusion:
    """Rows that are right with a chance, whose weights spread by ``spread`` of their mean."""
    rows, shape = int(cell["n"]), 1 / cell["spread"] ** 2
    weights = np.round(rng.gamma(shape, 1 / shape, rows) * SCALE) / SCALE
    right = rng.random(rows) < cell["share"]
    counts, sums = {}, {}
    for called, part in (("a", right), ("b", ~right)):
        counts["a", called] = int(part.sum())
        total = int((weights[part] * SCALE).sum())
        squares = int((weights[part] ** 2 * SCALE).sum())
        sums["a", called] = WeightSums(total, squares)
    return Confusion.from_cells(counts, weights=sums, classes=["a", "b"])


def _weighted_covers(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    ends = [accuracy(_weighted(cell, rng)).interval for _ in range(draws)]
    hits = sum(one is not None and one.low <= cell["share"] <= one.high for one in ends)
    return Found(share=hits / draws, draws=draws, hits=hits)


def _finite_covers(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Sum over all samples of a benchmark of known size and known number of right answers."""
    whole, items = int(cell["benchmark"]), int(cell["n"])
    right = round(cell["share"] * whole)
    drawn = np.arange(max(0, right + items - whole), min(items, right) + 1)
    chance = hypergeom.pmf(drawn, whole, right, items)
    ends = [finite_rate_interval(int(x), items, whole) for x in drawn]
    held = [low - 1e-12 <= right / whole <= high + 1e-12 for low, high in ends]
    return Found(share=float(chance @ held))


DECLARED: list[Any] = [
    *(_mean(method) for method in ON_AVERAGE),
    *(_least(method) for method in NEVER_UNDER),
    Certificate(
        name="weighted share",
        family="proportions",
        claim="95 %, and never under 83 %",
        setting="independent rows with gamma weights",
        page=PAGE,
        experiment=Search(
            space=Space(
                axes={
                    "n": (20, 50, 150, 500),
                    "share": (0.5, 0.8, 0.95, 0.99),
                    "spread": (0.2, 0.5, 1.0),
                }
            ),
            trial=_weighted_covers,
            seek="lowest",
        ),
        allowed=(0.83, 1.0),
        seed=1101,
        short=300,
        long=2000,
    ),
    Certificate(
        name="share of a benchmark of known size",
        family="proportions",
        claim="95 % on average, and never under 85 %",
        setting="random parts of a fixed benchmark, exact",
        page="evidence",
        experiment=Search(
            space=Space(
                axes={
                    "benchmark": (40, 200, 1000),
                    "n": (10, 20, 30, 150),
                    "share": (0.5, 0.7, 0.8, 0.9, 0.95, 0.98),
                },
                possible=lambda cell: cell["n"] < cell["benchmark"],
            ),
            trial=_finite_covers,
            seek="lowest",
        ),
        allowed=(0.85, 1.0),
        long=0,
    ),
]

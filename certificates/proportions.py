"""Intervals for one share: their coverage is summed over all outcomes, at 199 shares."""

from functools import partial

import numpy as np
from scipy.stats import binom

from certificates.declaration import Certificate
from certificates.experiments import covered, exactly, limits_of
from steelyard.counts import SCALE, Confusion
from steelyard.counts.weights import WeightSums
from steelyard.measures import accuracy
from steelyard.uncertainty import proportion_interval

__all__ = ["DECLARED"]

SHARES = np.linspace(0.005, 0.995, 199)
PAGE = "proportion-intervals"


def _coverage(method: str, items: int) -> np.ndarray:
    limits = np.array([proportion_interval(x, items, method=method) for x in range(items + 1)])
    chance = binom.pmf(np.arange(items + 1)[:, None], items, SHARES)
    held = (limits[:, :1] <= SHARES + 1e-12) & (limits[:, 1:] + 1e-12 >= SHARES)
    return (chance * held).sum(axis=0)


CLAIMS = {
    "wilson": ("95 % on average over all shares", "mean", (0.94, 0.96)),
    "clopper-pearson": ("95 % or more at every share", "lowest", (0.95, 1.0)),
    "midp": ("95 % on average over all shares, or a little more", "mean", (0.945, 0.975)),
    "jeffreys": ("95 % on average over all shares", "mean", (0.94, 0.96)),
    "agresti-coull": ("95 % on average over all shares, or a little more", "mean", (0.945, 0.975)),
    "wald": ("95 % on average over all shares", "mean", (0.94, 0.96)),
}
SHORT = {10: (0.76, 0.78), 30: (0.87, 0.89), 100: (0.92, 0.93)}
"""What Wald's interval really covers on average, by the number of items."""


def _declared(method: str, items: int) -> Certificate:
    claim, judged, allowed = CLAIMS[method]
    wald = method == "wald"
    return Certificate(
        name=f"{method}, {items} items",
        family="proportions",
        claim=claim,
        setting=f"{items} items, shares 0.005 to 0.995, exact",
        page=PAGE,
        experiment=exactly(partial(_coverage, method, items), judged),
        allowed=allowed,
        long=0,
        falls_short=SHORT[items] if wald else None,
        note="too short, with no width at 0 and 1; take wilson" if wald else "",
    )


def _weighted(rng: np.random.Generator) -> Confusion:
    """150 rows, right with chance 0.8, with weights that spread by about half of their mean."""
    weights = np.round(rng.gamma(4.0, 0.25, 150) * SCALE) / SCALE
    right = rng.random(150) < 0.8
    rows, sums = {}, {}
    for called, part in (("a", right), ("b", ~right)):
        rows["a", called] = int(part.sum())
        total = int((weights[part] * SCALE).sum())
        squares = int((weights[part] ** 2 * SCALE).sum())
        sums["a", called] = WeightSums(total, squares)
    return Confusion.from_cells(rows, weights=sums, classes=["a", "b"])


DECLARED = [
    *(_declared(method, items) for method in CLAIMS for items in (10, 30, 100)),
    Certificate(
        name="weighted share",
        family="proportions",
        claim="95 %",
        setting="150 rows, share 0.8, weights of gamma(4)",
        page=PAGE,
        experiment=covered(limits_of(accuracy), _weighted, 0.8),
        seed=1101,
        short=1000,
        long=20_000,
    ),
]

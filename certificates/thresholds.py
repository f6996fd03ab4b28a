"""Thresholds that were chosen from the data: does their bootstrap interval hold the best one?"""

from functools import partial
from typing import Any

import numpy as np
from scipy.stats import norm

from certificates.declaration import Certificate, Experiment
from certificates.experiments import covered
from certificates.ranking import scores_apart
from steelyard.counts import ScoreTable
from steelyard.measures import threshold_stability

__all__ = ["DECLARED"]

SHIFT = 1.5
DRAW = partial(scores_apart, SHIFT, 100, 100)
BEST = {
    "equal-rates": SHIFT / 2,
    "max-sum": SHIFT / 2,
    "sensitivity": SHIFT + float(norm.ppf(0.05)),
}
"""The true threshold of each recipe, for two normal distributions of equal spread."""


def _resampled(method: str, truth: float) -> Experiment:
    def limits(drawn: tuple[ScoreTable, np.random.Generator]) -> tuple[float, float] | None:
        found = threshold_stability(drawn[0], method, rng=drawn[1], resamples=200)  # type: ignore[arg-type]
        return None if found.low is None or found.high is None else (found.low, found.high)

    return covered(limits, lambda rng: (DRAW(rng), rng), truth)


def _certificate(method: str, **more: Any) -> Certificate:
    return Certificate(
        name=f"threshold by {method}",
        family="thresholds",
        claim="95 %",
        setting="100 of each class, normal scores 1.5 apart",
        page="thresholds",
        experiment=_resampled(method, BEST[method]),
        seed=2001,
        short=30,
        long=1000,
        **more,
    )


DECLARED = [
    _certificate("equal-rates"),
    _certificate(
        "sensitivity",
        falls_short=(0.84, 0.91),
        note="rests on the few lowest positives; read the interval as a rough guide",
    ),
    _certificate("max-sum", allowed=(0.93, 1.0)),
]

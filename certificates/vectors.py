"""Scores of vectors: a few forecasts with known chances, so that the true mean is a sum."""

from functools import partial

import numpy as np

from certificates.declaration import Certificate
from certificates.experiments import covered, limits_of
from steelyard.counts import VECTOR_RULES, VectorScores
from steelyard.measures import vector_difference, vector_score
from steelyard.tally import vector_scores_of

__all__ = ["DECLARED", "SHARP", "TRUE_CHANCES", "VAGUE", "WORLD", "scored_items", "true_score"]

WORLD = np.array([0.3, 0.25, 0.25, 0.2])
"""How often each kind of item comes."""
TRUE_CHANCES = np.array([[0.8, 0.1, 0.1], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7], [0.4, 0.3, 0.3]])
"""Chances of the three classes for each kind of item."""
SHARP = np.array([[0.9, 0.05, 0.05], [0.1, 0.8, 0.1], [0.05, 0.1, 0.85], [0.5, 0.3, 0.2]])
VAGUE = np.array([[0.5, 0.3, 0.2], [0.3, 0.5, 0.2], [0.2, 0.3, 0.5], [0.3, 0.4, 0.3]])
LABELS = ["a", "b", "c"]
SETTING = "150 items of four kinds, three classes"


def scored_items(kinds: np.ndarray, truth: np.ndarray) -> VectorScores:
    """Score both systems on items of the given kinds and classes."""
    named = np.array(LABELS)[truth]
    return vector_scores_of(named, {"sharp": SHARP[kinds], "vague": VAGUE[kinds]}, labels=LABELS)


def _drawn(rng: np.random.Generator) -> VectorScores:
    kinds = rng.choice(4, 150, p=WORLD)
    steps = np.cumsum(TRUE_CHANCES, axis=1)[kinds]
    return scored_items(kinds, (rng.random((150, 1)) > steps[:, :2]).sum(axis=1))


def true_score(rule: str, vectors: np.ndarray) -> float:
    """Sum the score over kinds of items and classes."""
    total = 0.0
    for often, chances, vector in zip(WORLD, TRUE_CHANCES, vectors, strict=True):
        scores = {
            "spherical": vector / np.sqrt((vector**2).sum()),
            "winner": (vector == vector.max()) / (vector == vector.max()).sum(),
            "brier": (vector**2).sum() - 2 * vector / vector.sum() + 1,
            "log": -np.log(vector),
        }[rule]
        total += often * float(chances @ scores)
    return total


DECLARED = [
    Certificate(
        name=f"{rule} score{tail}",
        family="vectors",
        claim="95 %",
        setting=SETTING + setting,
        page="calibration",
        experiment=covered(limits_of(measure), _drawn, truth),
        seed=1801,
        short=100,
        long=4000,
    )
    for rule in VECTOR_RULES
    for tail, setting, measure, truth in (
        ("", "", partial(vector_score, rule=rule, system="sharp"), true_score(rule, SHARP)),
        (
            ", difference",
            ", two systems on the same items",
            partial(vector_difference, rule=rule, first="sharp", second="vague"),
            true_score(rule, SHARP) - true_score(rule, VAGUE),
        ),
    )
]

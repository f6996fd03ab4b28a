"""Agreement of several raters."""

import numpy as np

from certificates.declaration import Certificate
from certificates.experiments import covered, limits_of
from steelyard.measures import (
    Ratings,
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    krippendorff_alpha,
)

__all__ = ["DECLARED"]

KNOWS = 0.7
TRUTH = KNOWS**2
"""Two raters agree when both know, or else half of the time: every coefficient is 0.49."""
COEFFICIENTS = {
    "Fleiss' kappa": fleiss_kappa,
    "Conger's kappa": conger_kappa,
    "Krippendorff's alpha": krippendorff_alpha,
    "AC1": gwet_ac,
}


def _rated(rng: np.random.Generator, items: int, raters: int, missing: float) -> Ratings:
    """Draw raters who know the answer with a chance and else guess one of two categories."""
    truth = rng.integers(0, 2, items)
    knows = rng.random((items, raters)) < KNOWS
    said = np.where(knows, truth[:, None], rng.integers(0, 2, (items, raters)))
    lost = rng.random((items, raters)) < missing
    rows = [
        [None if gone else one for one, gone in zip(row, holes, strict=True)]
        for row, holes in zip(said.tolist(), lost.tolist(), strict=True)
    ]
    return Ratings.from_items(rows)


def _three(rng: np.random.Generator) -> Ratings:
    return _rated(rng, 40, 3, 0.0)


def _five_with_holes(rng: np.random.Generator) -> Ratings:
    return _rated(rng, 60, 5, 0.2)


DECLARED = [
    Certificate(
        name=f"{name}{tail}",
        family="raters",
        claim="95 %",
        setting=setting,
        page="agreement",
        experiment=covered(limits_of(coefficient), draw, TRUTH),
        seed=seed,
        short=200,
        long=10_000,
    )
    for tail, setting, draw, seed in (
        ("", "40 items, 3 raters who know 70 % and guess the rest", _three, 1401),
        (
            ", ratings missing",
            "60 items, 5 raters who know 70 %, every fifth rating missing",
            _five_with_holes,
            1402,
        ),
    )
    for name, coefficient in COEFFICIENTS.items()
]

"""Agreement of several raters, in the worst cell."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from certificates.declaration import Certificate
from certificates.experiments import Limits, covering
from certificates.search import Cell, Search, Space
from steelyard.measures import (
    Ratings,
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    krippendorff_alpha,
    observed_agreement,
    pabak,
)

__all__ = ["DECLARED"]

SPACE = Space(
    axes={
        "items": (5, 20, 100),
        "raters": (2, 4),
        "knows": (0.3, 0.95),
        "rare": (0.05, 0.5),
    },
    fixed=frozenset({"raters"}),
)
"""Raters who know the category of an item with a chance, and else guess as often as it occurs."""
HOLES = Space(axes={"items": (15, 50), "knows": (0.3, 0.95), "rare": (0.1, 0.5)})
"""Three raters, of whom each leaves out every fourth item."""


def _patterns(raters: int, missing: float) -> list[tuple[str | None, ...]]:
    said: tuple[str | None, ...] = ("a", "b") if missing == 0 else ("a", "b", None)
    return list(product(said, repeat=raters))


def _chances(cell: Cell, missing: float) -> list[float]:
    """Chance of each pattern of ratings."""
    knows, rare = cell["knows"], cell["rare"]
    found = []
    for pattern in _patterns(int(cell.get("raters", 3)), missing):
        total = 0.0
        for truth, share in (("a", rare), ("b", 1 - rare)):
            for said in pattern:
                guess = rare if said == "a" else 1 - rare
                given = missing if said is None else knows * (said == truth) + (1 - knows) * guess
                share *= given if said is None else given * (1 - missing)
            total += share
        found.append(total)
    return found


def _apart(cell: Cell) -> float:
    """Chance that two raters differ."""
    return 2 * cell["rare"] * (1 - cell["rare"]) * (1 - cell["knows"] ** 2)


def _ac(cell: Cell) -> float:
    return 1 - _apart(cell) / (1 - 2 * cell["rare"] * (1 - cell["rare"]))


COEFFICIENTS: dict[str, tuple[Callable[[Ratings], Any], Callable[[Cell], float]]] = {
    "Fleiss' kappa": (fleiss_kappa, lambda cell: cell["knows"] ** 2),
    "Conger's kappa": (conger_kappa, lambda cell: cell["knows"] ** 2),
    "Krippendorff's alpha": (krippendorff_alpha, lambda cell: cell["knows"] ** 2),
    "AC1": (gwet_ac, _ac),
    "PABAK": (pabak, lambda cell: 1 - 2 * _apart(cell)),
    "observed agreement": (observed_agreement, lambda cell: 1 - _apart(cell)),
}


def _trial(name: str, missing: float) -> Any:
    coefficient, truth = COEFFICIENTS[name]

    def draw(cell: Cell, rng: np.random.Generator, draws: int) -> np.ndarray:
        return rng.multinomial(int(cell["items"]), _chances(cell, missing), size=draws)

    def limits(*counts: int) -> Limits | None:
        raters = {4: 2, 16: 4, 27: 3}[len(counts)]
        seen = dict(zip(_patterns(raters, missing), counts, strict=True))
        seen.pop((None,) * raters, None)
        rated = Ratings.from_patterns(
            seen, raters=[str(one) for one in range(raters)], categories=["a", "b"]
        )
        found = coefficient(rated).interval
        return None if found is None else (found.low, found.high)

    return covering(limits, draw, truth)


def _certificate(name: str, space: Space, missing: float, seed: int) -> Certificate:
    holes = missing > 0
    return Certificate(
        name=f"{name}{', ratings missing' if holes else ''}",
        family="raters",
        claim="95 % on average, and never under 88 %",
        setting="raters who know or guess one of two categories"
        + (", three of them, each leaving out every fourth item" if holes else ""),
        page="agreement",
        experiment=Search(
            space=space, trial=_trial(name, missing), seek="lowest", beam=2, rounds=2
        ),
        allowed=(0.88, 1.0),
        seed=seed,
        short=100,
        long=1000,
    )


DECLARED = [
    *(_certificate(name, SPACE, 0.0, 1401) for name in COEFFICIENTS),
    *(_certificate(name, HOLES, 0.25, 1402) for name in ("Fleiss' kappa", "AC1")),
]

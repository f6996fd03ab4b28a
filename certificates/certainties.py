"""Areas under risk and coverage: limits of one, and of the difference of two, in worst cells."""

from collections.abc import Callable

import numpy as np

from certificates.declaration import Certificate, Found
from certificates.search import Cell, Search, Space
from steelyard.measures import aurc_difference, aurc_limits

__all__ = ["DECLARED"]

Rng = np.random.Generator
FAMILY = "certainties"
WEIGHTS = np.linspace(0, 40, 40_001)
RANKS = np.exp(-WEIGHTS)
"""An error at rank u weighs -ln u; u runs from 0, the surest item, to 1."""


def _chance(cell: Cell, u: np.ndarray) -> np.ndarray:
    """The chance of an error at each rank: more of them late, and some among the surest."""
    late = cell["errors"] * (cell["late"] + 1) * u ** cell["late"]
    sure = np.where(u < cell["sure part"], cell["sure errors"], 0.0)
    return np.minimum(1.0, late + sure)


def _area(cell: Cell) -> float:
    return float(np.trapezoid(_chance(cell, RANKS) * WEIGHTS * RANKS, WEIGHTS))


def _count(trial: Callable[[Cell, Rng], bool]) -> Callable[[Cell, int, Rng], Found]:
    def run(cell: Cell, draws: int, rng: Rng) -> Found:
        hits = sum(trial(cell, rng) for _ in range(draws))
        return Found(share=hits / draws, draws=draws, hits=int(hits))

    return run


def _covered(cell: Cell, rng: Rng) -> bool:
    u = rng.random(int(cell["items"]))
    found = aurc_limits(-u, rng.random(u.size) >= _chance(cell, u))
    return bool(found.low <= _area(cell) <= found.high)


def _told_apart(cell: Cell, rng: Rng) -> bool:
    """Two equal systems whose certainties and errors are alike over the items, or not."""
    size, alike = int(cell["items"]), cell["alike"]
    shared, own = rng.random((2, size)), rng.random((2, 2, size))
    same = rng.random((2, 2, size)) < alike
    rank = np.where(same[0], shared[0], own[0])
    draw = np.where(same[1], shared[1], own[1])
    pair = [(-u, d >= _chance(cell, u)) for u, d in zip(rank, draw, strict=True)]
    return aurc_difference(*pair).p_value <= 0.05


SHAPES = {
    "items": (20, 60, 300),
    "errors": (0.02, 0.1, 0.4),
    "late": (0.0, 2.0, 10.0),
    "sure part": (0.005, 0.05),
    "sure errors": (0.0, 0.5),
}

EQUALS = {
    "items": (20, 100),
    "errors": (0.05, 0.3),
    "late": (0.0, 4.0),
    "sure part": (0.02, 0.1),
    "sure errors": (0.0, 0.5),
    "alike": (0.0, 0.8),
}

DECLARED = [
    Certificate(
        name="area under risk and coverage",
        family=FAMILY,
        setting=f"errors even or late, some among the surest; {Space(axes=SHAPES).words()}",
        experiment=Search(
            space=Space(axes=SHAPES), trial=_count(_covered), seek="lowest", beam=3, rounds=2
        ),
        seed=4101,
        short=60,
        long=2500,
        claim="covers 95 % or nearly so",
        allowed=(0.94, 1.0),
        page="dont-know",
    ),
    Certificate(
        name="equal areas under risk and coverage told apart",
        family=FAMILY,
        setting="two systems alike, their certainties and errors shared or not; "
        f"{Space(axes=EQUALS).words()}",
        experiment=Search(
            space=Space(axes=EQUALS),
            trial=_count(_told_apart),
            seek="highest",
            beam=2,
            rounds=1,
        ),
        seed=4102,
        short=40,
        long=2000,
        claim="in 5 % at most",
        allowed=(0.0, 0.05),
        page="dont-know",
    ),
]

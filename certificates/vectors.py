"""Scores of vectors: a few forecasts with known chances, so that the true mean is a sum."""

from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np

from certificates.declaration import Certificate, Found
from certificates.search import Cell, Search, Space
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
FEW = "with few items, of which the rare dear ones may be missing; the answer says so below 100"
SHORT = {("spherical", ""), ("brier", ""), ("log", ""), ("log", ", difference")}
LABELS = ["a", "b", "c"]
SPACE = Space(axes={"n": (10, 40, 300), "bold": (0.5, 2.5), "hard": (0.05, 0.4)})
"""Forecasts are the true chances to the power ``bold``; a share of the items is hard to tell."""
PAIRS = Space(
    axes={"n": (10, 40, 200), "bold": (0.5, 2.5), "hard": (0.01, 0.05, 0.4), "second": (0, 1)},
    fixed=frozenset({"second"}),
)
"""The second system is shy of all items, or differs from the first on the hard ones alone."""
EASY, HARD = np.array([0.96, 0.03, 0.01]), np.array([0.5, 0.3, 0.2])
OTHER = np.array([0.3, 0.45, 0.25])
"""What the second system says of hard items."""


def scored_items(kinds: np.ndarray, truth: np.ndarray) -> VectorScores:
    """Score both systems on items of the given kinds and classes; items that are alike once."""
    items = dict.fromkeys(LABELS, 0)
    sums: Counter[Any] = Counter()
    products: Counter[Any] = Counter()
    for (kind, place), number in Counter(zip(kinds.tolist(), truth.tolist(), strict=True)).items():
        one = _one_item(kind, place)
        items[LABELS[place]] += number
        sums.update({tuple(key): number * value for *key, value in one.sums})
        products.update({tuple(key): number * value for *key, value in one.products})
    return VectorScores.from_sums(
        systems=["sharp", "vague"], items=items, sums=sums, products=products
    )


@cache
def _one_item(kind: int, place: int) -> VectorScores:
    vectors = {"sharp": SHARP[[kind]], "vague": VAGUE[[kind]]}
    return vector_scores_of(np.array([LABELS[place]]), vectors, labels=LABELS)


def true_score(
    rule: str,
    vectors: np.ndarray,
    world: np.ndarray = WORLD,
    chances: np.ndarray = TRUE_CHANCES,
) -> float:
    """Sum the score over kinds of items and classes."""
    total = 0.0
    for often, true, vector in zip(world, chances, vectors, strict=True):
        scores = {
            "spherical": vector / np.sqrt((vector**2).sum()),
            "winner": (vector == vector.max()) / (vector == vector.max()).sum(),
            "brier": (vector**2).sum() - 2 * vector / vector.sum() + 1,
            "log": -np.log(vector),
        }[rule]
        total += often * float(true @ scores)
    return total


def _kinds(cell: Cell) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """Shares of the kinds of items, their chances, and what two systems say of them."""
    chances = np.array([np.roll(EASY, 0), np.roll(EASY, 1), HARD])
    world = np.array([(1 - cell["hard"]) * 0.7, (1 - cell["hard"]) * 0.3, cell["hard"]])
    bold = chances ** cell["bold"]
    one = bold / bold.sum(axis=1, keepdims=True)
    easy = one[:2] if cell.get("second") else (chances[:2] + 0.2) / 1.6
    return world, chances, {"one": one, "two": np.array([*easy, OTHER])}


def _covers(
    rule: str, measure: Callable[[VectorScores], Any], systems: tuple[str, ...]
) -> Callable[..., Found]:
    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        world, chances, said = _kinds(cell)
        parts = [true_score(rule, said[one], world, chances) for one in systems]
        true = parts[0] - sum(parts[1:])
        steps, hits, lost, n = np.cumsum(chances, axis=1), 0, 0, int(cell["n"])
        for _ in range(draws):
            kinds = rng.choice(3, n, p=world)
            truth = (rng.random((n, 1)) > steps[kinds][:, :2]).sum(axis=1)
            named = np.array(LABELS)[truth]
            scores = {name: vectors[kinds] for name, vectors in said.items()}
            ends = measure(vector_scores_of(named, scores, labels=LABELS)).interval
            if ends is None:
                lost += 1
            else:
                hits += ends.low - 1e-9 <= true <= ends.high + 1e-9
        defined = draws - lost
        share = hits / defined if defined else 0.0
        return Found(share=share, draws=defined, hits=hits, undefined=lost)

    return trial


DECLARED = [
    Certificate(
        name=f"{rule} score{tail}",
        family="vectors",
        claim="95 % on average, and never under 83 %",
        setting=f"three classes, forecasts too bold or too shy{said}; {space.words()}",
        page="calibration",
        experiment=Search(
            space=space, trial=_covers(rule, measure, systems), seek="lowest", beam=2, rounds=1
        ),
        allowed=(0.83, 1.0),
        seed=1801,
        short=60,
        long=600,
        falls_short=(0.6, 0.87) if (rule, tail) in SHORT else None,
        note=FEW if (rule, tail) in SHORT else "",
    )
    for rule in VECTOR_RULES
    for tail, said, space, measure, systems in (
        ("", "", SPACE, partial(vector_score, rule=rule, system="one"), ("one",)),
        (
            ", difference",
            ", two systems on the same items",
            PAIRS,
            partial(vector_difference, rule=rule, first="one", second="two"),
            ("one", "two"),
        ),
    )
]

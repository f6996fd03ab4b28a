"""Totals on common items: does the verdict hold its error rate, whoever was right together?"""

from functools import cache
from itertools import pairwise

import numpy as np

from certificates.declaration import AT_MOST_5, Certificate, Found
from certificates.search import Cell, Search, Space
from steelyard.comparison import mcnemar, overlap_ends
from steelyard.uncertainty import shaffer_static

__all__ = ["DECLARED"]

ALPHA = 0.05
HOPELESS = 2.0
"""A pair whose squared normal score is below this has a p-value far above alpha."""


def _patterns(rates: np.ndarray, correlation: float) -> np.ndarray:
    """Chances of all right/wrong patterns, code bit i for system i.

    A share of the items, the size of the correlation, is answered alike (all by one uniform number,
    for a positive one) or as unlike as can be (each by that number turned round the circle, for
    a negative one); the others are answered independently.
    """
    size = rates.size
    bits = (np.arange(2**size)[:, None] >> np.arange(size)) & 1
    chances = (1 - abs(correlation)) * np.where(bits, rates, 1 - rates).prod(axis=1)
    turn = np.zeros(size) if correlation > 0 else np.arange(size) / size
    edges = np.unique(np.concatenate([[0.0, 1.0], (-turn) % 1, (rates - turn) % 1]))
    for low, high in pairwise(edges.tolist()):
        right = (((low + high) / 2 + turn) % 1) < rates
        chances[int(right @ (1 << np.arange(size)))] += abs(correlation) * (high - low)
    return chances / chances.sum()


@cache
def _largest_p(first: int, second: int, tested: int) -> float:
    return mcnemar(overlap_ends(first, second, tested=tested)[1], method="exact").p_value


def _errs(totals: np.ndarray, tested: int, rates: np.ndarray) -> bool:
    """Tell whether two systems of equal rate are called different."""
    size = totals.size
    first, second = np.triu_indices(size, 1)
    high = np.maximum(totals[first], totals[second])
    low = np.minimum(totals[first], totals[second])
    lead, apart = high - low, np.minimum(low, tested - high)
    if not (lead**2 > HOPELESS * (lead + 2 * apart)).any():
        return False
    raw = [_largest_p(int(h), int(k), tested) for h, k in zip(high, low, strict=True)]
    adjusted = np.array(shaffer_static(raw, systems=size))
    return bool(((adjusted <= ALPHA) & (rates[first] == rates[second])).any())


def _family_error(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    size, tested = int(cell["systems"]), int(cell["items"])
    rates = np.full(size, cell["rate"])
    if cell["better"] and size > 2:
        rates[0] = (1 + cell["rate"]) / 2
    codes = rng.multinomial(tested, _patterns(rates, cell["correlation"]), size=draws)
    bits = (np.arange(2**size)[:, None] >> np.arange(size)) & 1
    hits = sum(_errs(totals, tested, rates) for totals in codes @ bits)
    return Found(share=hits / draws, draws=draws, hits=hits)


SPACE = Space(
    axes={
        "items": (5, 8, 20, 100, 1000),
        "rate": (0.5, 0.8, 0.95),
        "correlation": (-1.0, -0.5, 0.0, 0.6),
        "systems": (2, 3, 6),
        "better": (0, 1),
    },
    fixed=frozenset({"systems", "better"}),
    possible=lambda cell: not (cell["better"] and cell["systems"] == 2),
)

DECLARED = [
    Certificate(
        name="totals on common items, verdicts over every overlap",
        family="totals",
        claim="any equal systems called different in at most 5 %",
        setting=f"equal rates, {SPACE.words()}",
        page="akaike",
        experiment=Search(
            space=SPACE,
            trial=_family_error,
            seek="highest",
            spots=(
                {"items": 8, "rate": 0.5, "correlation": -1.0, "systems": 2, "better": 0},
                {"items": 3000, "rate": 0.8, "correlation": 0.0, "systems": 2, "better": 0},
                {"items": 200, "rate": 0.9, "correlation": 0.3, "systems": 6, "better": 0},
            ),
            rounds=2,
        ),
        allowed=AT_MOST_5,
        seed=2801,
        short=200,
        long=10_000,
    )
]

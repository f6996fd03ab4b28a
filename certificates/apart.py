"""Two or more rates, each on items of its own: the exact size of the test that compare uses."""

from functools import lru_cache
from itertools import combinations
from math import erfc, sqrt

import numpy as np
from scipy.stats import binom, hypergeom

from certificates.declaration import Found
from certificates.search import Cell, Search, Space
from steelyard.comparison import independent_test, unconditional_exact
from steelyard.comparison.exact.independent import ENOUGH, TABLES

__all__ = ["FAMILY", "SCORE", "VERDICT"]

ALPHA = 0.05
Z = 1.959963984540054

TWO = Space(
    axes={
        "first": [2, 4, 10, 30, 100, 600, 3000, 20_000],
        "times": [1.0, 2.0, 10.0, 100.0, 1000.0],
        "rate": [0.001, 0.01, 0.1, 0.3, 0.5, 0.9, 0.99, 0.999],
    },
    possible=lambda cell: cell["first"] * cell["times"] <= 100_000,
)
"""Items of the smaller sample, how many times as many the larger has, the common rate."""


def _sizes(cell: Cell) -> tuple[int, int]:
    return int(cell["first"]), round(cell["first"] * cell["times"])


def _totals(total: int, rate: float) -> tuple[np.ndarray, np.ndarray]:
    """Numbers right in all that can occur, with their chances."""
    reach = 9 * sqrt(total * rate * (1 - rate)) + 10
    s = np.arange(max(0, int(total * rate - reach)), min(total, int(total * rate + reach)) + 1)
    return s, binom.pmf(s, total, rate)


def _score_given(first: int, second: int, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Chance that the score test rejects, given the number right in all, and the variance."""
    total = first + second
    mean = first * s / total
    variance = first * (second / total) * s * (total - s) / (total * (total - 1.0))
    reach = Z * np.sqrt(variance)
    # On the bound the test rejects; a hair keeps rounding from leaving such a table out.
    low, high = np.floor(mean - reach + 1e-9), np.ceil(mean + reach - 1e-9)
    chance = hypergeom.cdf(low, total, s, first) + hypergeom.sf(high - 1, total, s, first)
    return np.where(variance > 0, chance, 0.0), variance


def score_size(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Size of the plain score test."""
    s, chances = _totals(sum(_sizes(cell)), cell["rate"])
    return Found(share=float(chances @ _score_given(*_sizes(cell), s)[0]))


@lru_cache(maxsize=512)
def _boschloo_given(first: int, second: int) -> np.ndarray:
    """Chance that Boschloo's test rejects, given each number right in all.

    Its p-value rises with Fisher's, so halving finds the last table that it rejects.
    """
    total = first + second
    attained: dict[float, tuple[int, int]] = {}
    given: list[np.ndarray] = []
    for s in range(total + 1):
        x = np.arange(max(0, s - second), min(first, s) + 1)
        points = hypergeom.pmf(x, total, s, first)
        order = np.argsort(points, kind="stable")
        sums = points[order].cumsum()
        last = np.append(points[order][1:] > points[order][:-1] * (1 + 1e-7), True)
        given.append(sums[last])
        for p, at in zip(sums[last], x[order][last], strict=True):
            if 0.01 < p < 0.2:
                attained[float(p)] = (int(at), s - int(at))
    levels = sorted(attained)
    low, high = -1, len(levels)
    while high - low > 1:
        middle = (low + high) // 2
        one, two = attained[levels[middle]]
        rejects = unconditional_exact((one, first), (two, second)).p_value <= ALPHA
        low, high = (middle, high) if rejects else (low, middle)
    bar = levels[low] * (1 + 1e-9) if low >= 0 else 0.01
    return np.array([float(np.max(p[p <= bar], initial=0.0)) for p in given])


def verdict_size(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Size of the test behind a verdict; where it is Fisher's, the 5 % it cannot exceed."""
    first, second = _sizes(cell)
    s, chances = _totals(first + second, cell["rate"])
    if (first + 1) * (second + 1) <= TABLES:
        return Found(share=float(chances @ _boschloo_given(first, second)[s]))
    scored, variance = _score_given(first, second, s)
    return Found(share=float(chances @ np.where(variance >= ENOUGH, scored, ALPHA)))


VERDICT = Search(
    space=TWO,
    trial=verdict_size,
    seek="highest",
    spots=[{"first": 10, "times": 100.0, "rate": 0.995}],
    beam=2,
    rounds=2,
)
SCORE = Search(space=TWO, trial=score_size, seek="highest", beam=2, rounds=2)


def _family(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Count the draws in which any of several equal systems is told apart from another.

    The first step of Shaffer's procedure decides it: some p-value at most alpha over the number of
    pairs. As no p-value is below that of the score test, only pairs that pass it are tested.
    """
    number = int(cell["systems"])
    sizes = [int(cell["small"]), int(cell["large"])] * number
    sizes = sizes[:number]
    right = rng.binomial(sizes, cell["rate"], size=(draws, number))
    pairs = list(combinations(range(number), 2))
    level = ALPHA / len(pairs)
    wrong = np.zeros(draws, dtype=bool)
    for i, j in pairs:
        m, n = sizes[i], sizes[j]
        x, y = right[:, i].astype(float), right[:, j].astype(float)
        s, total = x + y, m + n
        spread = s * (total - s) * m * n
        squares = np.divide(
            (x * n - y * m) ** 2 * (total - 1), spread, out=np.zeros(draws), where=spread > 0
        )
        for k in np.flatnonzero((squares > _bar(level)) & ~wrong):
            found = independent_test((int(right[k, i]), m), (int(right[k, j]), n))
            wrong[k] = found.p_value <= level
    hits = int(wrong.sum())
    return Found(share=hits / draws, draws=draws, hits=hits)


@lru_cache(maxsize=64)
def _bar(level: float) -> float:
    """Square of z at which the score test's p-value reaches a level, a hair below."""
    low, high = 0.0, 100.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if erfc(sqrt(middle / 2)) > level else (low, middle)
    return low - 1e-6


FAMILY = Search(
    space=Space(
        axes={
            "systems": [3, 6, 10],
            "small": [3, 10, 30],
            "large": [100_000, 200_000],
            "rate": [0.5, 0.9, 0.99],
        },
        fixed=frozenset({"systems"}),
    ),
    trial=_family,
    seek="highest",
    spots=[{"systems": 6, "small": 10, "large": 1000, "rate": 0.99}],
    beam=2,
    rounds=1,
)
"""Systems of very unequal tests, every second one small."""

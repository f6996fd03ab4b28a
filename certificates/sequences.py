"""Confidence sequences: do they hold at all times together, however often you look?

Where outcomes are right or wrong, the chance of each count that was held at every look so far is
carried from item to item: nothing is drawn.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from certificates.declaration import Certificate, Found
from certificates.search import Cell, Search, Space
from steelyard.comparison import benchmark_sequence, betting_sequence, win_sequence
from steelyard.uncertainty import wilson_interval

__all__ = ["DECLARED"]

EDGE = 1e-12
Ends = Callable[[int, int], tuple[float, float]]


def _held_throughout(
    ends: Ends, truth: float, looks: int, next_right: Callable[[np.ndarray, int], Any]
) -> float:
    """Chance that the limits hold the truth after each item, by the count right so far."""
    chances = np.ones(1)
    for tested in range(1, looks + 1):
        right = np.arange(tested)
        wins = next_right(right, tested - 1)
        chances = np.append(chances * (1 - wins), 0.0) + np.append(0.0, chances * wins)
        limits = np.array([ends(count, tested) for count in range(tested + 1)])
        held = (limits[:, 0] <= truth + EDGE) & (truth <= limits[:, 1] + EDGE)
        chances = chances * held
    return float(chances.sum())


@cache
def _wins(right: int, tested: int) -> tuple[float, float]:
    found = win_sequence(right, tested - right)
    return found.low, found.high


@cache
def _wilson(right: int, tested: int) -> tuple[float, float]:
    return wilson_interval(right, tested)


@cache
def _benchmark(right: int, tested: int, items: int) -> tuple[float, float]:
    found = benchmark_sequence(right, tested, items=items)
    return found.low, found.high


def _always(ends: Ends) -> Callable[..., Found]:
    """Look after each item of an endless supply."""

    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        rate = cell["rate"]
        held = _held_throughout(ends, rate, int(cell["items"]), lambda right, tested: rate)
        return Found(share=held)

    return trial


def _whole_benchmark(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Test every item of a fixed benchmark in random order; look after each of them."""
    items = int(cell["items"])
    good = round(cell["good"] * items)

    def next_right(right: np.ndarray, tested: int) -> np.ndarray:
        return np.clip((good - right) / (items - tested), 0.0, 1.0)

    def ends(right: int, tested: int) -> tuple[float, float]:
        # Counts that cannot come have no limits, and no chance either.
        possible = right <= good and tested - right <= items - good
        return _benchmark(right, tested, items) if possible else (0.0, 1.0)

    return Found(share=_held_throughout(ends, good / items, items, next_right))


def _bets(draw: Callable[..., np.ndarray], truth: Callable[[Cell], float], **asked: Any):
    """Look at bounded scores after every ten items."""

    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        hits, true = 0, truth(cell)
        looks = list(range(10, int(cell["items"]) + 1, 10))
        for _ in range(draws):
            found = betting_sequence(draw(cell, rng), looks=looks, **asked)
            hits += all(look.low - EDGE <= true <= look.high + EDGE for look in found)
        return Found(share=hits / draws, draws=draws, hits=hits)

    return trial


def _scores(cell: Cell, rng: np.random.Generator) -> np.ndarray:
    total = cell["total"]
    return rng.beta(cell["mean"] * total, (1 - cell["mean"]) * total, int(cell["items"]))


def _differences(cell: Cell, rng: np.random.Generator) -> np.ndarray:
    """Outcome of one system minus that of another."""
    ahead, behind = cell["ahead"], cell["behind"]
    chances = [ahead, behind, 1 - ahead - behind]
    return rng.choice([1.0, -1.0, 0.0], p=chances, size=int(cell["items"]))


def _searched(name: str, said: str, space: Space, trial: Callable[..., Found], **more: Any):
    return Certificate(
        name=name,
        family="sequences",
        claim="holds at all looks together in 95 % or more",
        setting=f"{said}; {space.words()}",
        page="evidence",
        experiment=Search(space=space, trial=trial, seek="lowest", beam=2, rounds=2),
        allowed=(0.95, 1.0),
        long=more.pop("long", 0),
        **more,
    )


RATES = Space(axes={"items": (10, 40), "rate": (0.02, 0.1, 0.3, 0.5, 0.8, 0.97)})

DECLARED = [
    _searched("win sequence", "looked at after each discordant item, exact", RATES, _always(_wins)),
    _searched(
        "Wilson interval looked at again and again",
        "looked at after each item, exact",
        RATES,
        _always(_wilson),
        falls_short=(0.0, 0.75),
        note="made for one look; take win_sequence or betting_sequence",
    ),
    _searched(
        "benchmark sequence",
        "every item of the benchmark in random order, looked at after each, exact",
        Space(axes={"items": (10, 40, 80), "good": (0.5, 0.7, 0.95)}, fixed=frozenset({"items"})),
        _whole_benchmark,
    ),
    _searched(
        "betting sequence, scores",
        "scores of a Beta distribution, looked at every 10",
        Space(axes={"items": (50, 200), "mean": (0.05, 0.5, 0.9), "total": (0.3, 6.0)}),
        _bets(_scores, lambda cell: cell["mean"]),
        seed=3004,
        short=10,
        long=400,
    ),
    _searched(
        "betting sequence, paired differences",
        "common items, looked at every 10",
        Space(axes={"items": (50, 200), "ahead": (0.0, 0.05, 0.3), "behind": (0.0, 0.05, 0.3)}),
        _bets(_differences, lambda cell: cell["ahead"] - cell["behind"], bounds=(-1.0, 1.0)),
        seed=3005,
        short=10,
        long=400,
    ),
]

"""Confidence sequences: do they hold at all times together, however often one looks?"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from certificates.declaration import Certificate, Experiment, Found
from steelyard.comparison import benchmark_sequence, betting_sequence, win_sequence
from steelyard.uncertainty import wilson_interval

__all__ = ["DECLARED"]

ITEMS = 120
LOOKS = list(range(10, 201, 10))


def _always(ends: Callable[[int, int], tuple[float, float]], rate: float) -> Experiment:
    """Look after each item, and count the paths whose limits hold the rate every time."""

    def experiment(draws: int, seed: int) -> Found:
        rng = np.random.default_rng(seed)
        right = (rng.random((ITEMS, draws)) < rate).cumsum(axis=0)
        held = np.ones(draws, dtype=bool)
        for tested, seen in enumerate(right, start=1):
            counts, places = np.unique(seen, return_inverse=True)
            limits = [ends(int(count), tested - int(count)) for count in counts]
            inside = np.array([low <= rate <= high for low, high in limits])
            held &= inside[places]
        return Found(share=float(held.mean()), draws=draws, hits=int(held.sum()))

    return experiment


@cache
def _wins(right: int, wrong: int) -> tuple[float, float]:
    found = win_sequence(right, wrong)
    return found.low, found.high


def _wilson(right: int, wrong: int) -> tuple[float, float]:
    return wilson_interval(right, right + wrong)


def _benchmark(items: int, good: int) -> Experiment:
    """Test the items of a fixed benchmark in random order; look after each of them."""

    @cache
    def ends(right: int, tested: int) -> tuple[float, float]:
        found = benchmark_sequence(right, tested, items=items)
        return found.low, found.high

    def experiment(draws: int, seed: int) -> Found:
        rng = np.random.default_rng(seed)
        outcomes = np.arange(items) < good
        hits = 0
        for _ in range(draws):
            right = rng.permutation(outcomes).cumsum().tolist()
            limits = (ends(seen, tested) for tested, seen in enumerate(right, start=1))
            hits += all(low - 1e-12 <= good / items <= high + 1e-12 for low, high in limits)
        return Found(share=hits / draws, draws=draws, hits=hits)

    return experiment


def _betting(
    draw: Callable[[np.random.Generator], np.ndarray], truth: float, **asked: Any
) -> Experiment:
    """Look at bounded scores after every ten items."""

    def experiment(draws: int, seed: int) -> Found:
        rng = np.random.default_rng(seed)
        hits = 0
        for _ in range(draws):
            values = draw(rng)
            looks = [look for look in LOOKS if look <= len(values)]
            found = betting_sequence(values, looks=looks, **asked)
            hits += all(look.low <= truth <= look.high for look in found)
        return Found(share=hits / draws, draws=draws, hits=hits)

    return experiment


def _differences(rng: np.random.Generator) -> np.ndarray:
    """Outcome of one system minus that of another: 13 % wins, 7 % losses."""
    return rng.choice([1.0, -1.0, 0.0], p=[0.13, 0.07, 0.8], size=200)


def _certificate(name: str, setting: str, experiment: Experiment, **more: Any) -> Certificate:
    return Certificate(
        name=name,
        family="sequences",
        claim="holds at all looks together in 95 % or more",
        setting=setting,
        page="evidence",
        experiment=experiment,
        allowed=(0.95, 1.0),
        **more,
    )


DECLARED = [
    *(
        _certificate(
            f"win sequence, q = {rate:g}",
            f"looked at after each of {ITEMS} discordant items",
            _always(_wins, rate),
            seed=3001,
            short=8,
            long=4000,
        )
        for rate in (0.5, 0.65, 0.9)
    ),
    _certificate(
        "Wilson interval looked at again and again",
        f"looked at after each of {ITEMS} items, rate 0.65",
        _always(_wilson, 0.65),
        seed=3002,
        short=100,
        long=4000,
        falls_short=(0.5, 0.75),
        note="made for one look; take win_sequence or betting_sequence",
    ),
    *(
        _certificate(
            f"benchmark sequence, {good} of {items} right",
            "every item of the benchmark in random order, looked at after each",
            _benchmark(items, good),
            seed=3003,
            short=10,
            long=2000,
        )
        for items, good in ((200, 140), (200, 190))
    ),
    _certificate(
        "betting sequence, scores",
        "200 scores of Beta(4, 2), looked at every 10",
        _betting(lambda rng: rng.beta(4, 2, 200), 2 / 3),
        seed=3004,
        short=10,
        long=600,
    ),
    _certificate(
        "betting sequence, paired differences",
        "200 common items, 13 % wins and 7 % losses, looked at every 10",
        _betting(_differences, 0.06, bounds=(-1.0, 1.0)),
        seed=3005,
        short=10,
        long=600,
    ),
]

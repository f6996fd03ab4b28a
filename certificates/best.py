"""Probabilities of being the best: when they say 0.9, is it the best in 90 %?"""

from collections.abc import Callable
from functools import cache

import numpy as np

from certificates.declaration import Certificate, Experiment, Found
from steelyard.comparison import (
    beta_posteriors,
    pair_posterior,
    paired_posterior,
    probability_best,
)
from steelyard.counts import Outcomes, PairTable, Trials

__all__ = ["DECLARED"]

Drawn = tuple[np.ndarray, np.ndarray]
"""True rates, and the probability of being the best that was stated for each system."""
SYSTEMS = ("A", "B", "C")
ITEMS = 20


def _independent(rng: np.random.Generator) -> Drawn:
    rates = rng.random(3)
    right = rng.binomial(ITEMS, rates)
    order = np.argsort(right, kind="stable")
    stated = np.empty(3)
    stated[order] = _of_three(tuple(right[order].tolist()))
    return rates, stated


@cache
def _of_three(right: tuple[int, ...]) -> tuple[float, ...]:
    """Ask once for three counts in order: the names of the systems change nothing."""
    trials = Trials(systems=SYSTEMS, correct=right, tested=(ITEMS,) * 3, pairing="independent")
    return probability_best(beta_posteriors(trials)).best


def _pair(rng: np.random.Generator) -> Drawn:
    """Two systems on 40 common items, the four patterns from Dirichlet(1/2, 1/2, 1/2, 1/2)."""
    chances = rng.dirichlet([0.5] * 4)
    _, first, second, _ = rng.multinomial(40, chances).tolist()
    return chances[1:3], np.array(_of_two(first, second))


@cache
def _of_two(first: int, second: int) -> tuple[float, float]:
    """Ask once for each number of wins: items that both have right or wrong change nothing."""
    found = pair_posterior(
        PairTable(both=40 - first - second, first=first, second=second, neither=0)
    )
    return found.first_better, found.second_better


def _common(rng: np.random.Generator) -> Drawn:
    """Three systems on 60 common items, the eight patterns from Dirichlet(1/4, ..., 1/4)."""
    chances = rng.dirichlet([0.25] * 8)
    drawn = rng.multinomial(60, chances)
    patterns = {code: int(n) for code, n in enumerate(drawn) if n}
    found = paired_posterior(Outcomes.from_patterns(patterns, systems=SYSTEMS), rng=rng, draws=2000)
    bits = (np.arange(8)[:, None] >> np.arange(3)) & 1
    return chances @ bits, np.array(found.best)


@cache
def _drawn(draw: Callable[[np.random.Generator], Drawn], draws: int, seed: int) -> np.ndarray:
    """Stated probabilities and whether it was the best, drawn once for all ranges."""
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(draws):
        rates, stated = draw(rng)
        rows += list(zip(stated.tolist(), np.arange(rates.size) == rates.argmax(), strict=True))
    return np.array(rows)


def _said(draw: Callable[[np.random.Generator], Drawn], low: float, high: float) -> Experiment:
    """Of the systems whose stated probability lies in [low, high), how many are the best?"""

    def experiment(draws: int, seed: int) -> Found:
        stated, best = _drawn(draw, draws, seed).T
        inside = (low <= stated) & (stated < high)
        seen, hits = int(inside.sum()), int(best[inside].sum())
        return Found(share=hits / seen if seen else 0.5 * (low + high), draws=seen, hits=hits)

    return experiment


def _certificate(
    words: str,
    setting: str,
    draw: Callable[[np.random.Generator], Drawn],
    said: tuple[float, float],
    seed: int,
    long: int,
) -> Certificate:
    low, high = said
    return Certificate(
        name=f"P(best) from {low:g} to {high:g}, {words}",
        family="best",
        claim=f"the best in {low:.0%} to {high:.0%} of the cases".replace("%", " %"),
        setting=setting,
        page="p-best",
        experiment=_said(draw, low, high),
        allowed=said,
        seed=seed,
        short=30,
        long=long,
    )


SAID = (
    (0.1, 0.3),
    (0.3, 0.5),
    (0.5, 0.65),
    (0.65, 0.8),
    (0.8, 0.88),
    (0.88, 0.92),
    (0.92, 0.97),
    (0.97, 0.9999),
)
"""The last but two is the promise in short: says 0.9, is the best in 90 %."""
DECLARED = [
    _certificate(words, setting, draw, said, seed, long)
    for words, setting, draw, seed, long in (
        (
            "independent items",
            "three systems, uniform rates, 20 items each",
            _independent,
            2201,
            20_000,
        ),
        ("a pair", "two systems, 40 common items, chances from the prior", _pair, 2202, 20_000),
        (
            "common items",
            "three systems, 60 common items, chances from the prior",
            _common,
            2203,
            3000,
        ),
    )
    for said in SAID
]

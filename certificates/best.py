"""Probabilities of being the best: when they say 0.9, is it the best in 90 %?"""

from collections.abc import Callable

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


def _independent(rng: np.random.Generator) -> Drawn:
    rates = rng.random(3)
    right = rng.binomial(40, rates).tolist()
    trials = Trials(systems=SYSTEMS, correct=tuple(right), tested=(40,) * 3, pairing="independent")
    return rates, np.array(probability_best(beta_posteriors(trials)).best)


def _pair(rng: np.random.Generator) -> Drawn:
    """Two systems on 40 common items, the four patterns from Dirichlet(1/2, 1/2, 1/2, 1/2)."""
    chances = rng.dirichlet([0.5] * 4)
    both, first, second, neither = rng.multinomial(40, chances).tolist()
    found = pair_posterior(PairTable(both=both, first=first, second=second, neither=neither))
    return np.array([chances[1], chances[2]]), np.array([found.first_better, found.second_better])


def _common(rng: np.random.Generator) -> Drawn:
    """Three systems on 60 common items, the eight patterns from Dirichlet(1/4, ..., 1/4)."""
    chances = rng.dirichlet([0.25] * 8)
    drawn = rng.multinomial(60, chances)
    patterns = {code: int(n) for code, n in enumerate(drawn) if n}
    found = paired_posterior(Outcomes.from_patterns(patterns, systems=SYSTEMS), rng=rng, draws=2000)
    bits = (np.arange(8)[:, None] >> np.arange(3)) & 1
    return chances @ bits, np.array(found.best)


def _said(draw: Callable[[np.random.Generator], Drawn], low: float, high: float) -> Experiment:
    """Of the systems whose stated probability lies in [low, high), how many are the best?"""

    def experiment(draws: int, seed: int) -> Found:
        rng = np.random.default_rng(seed)
        seen = hits = 0
        for _ in range(draws):
            rates, stated = draw(rng)
            inside = (low <= stated) & (stated < high)
            seen += int(inside.sum())
            hits += int(inside[int(rates.argmax())])
        return Found(share=hits / seen, draws=seen, hits=hits)

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
        short=40,
        long=long,
    )


SAID = ((0.5, 0.8), (0.8, 0.95))
DECLARED = [
    _certificate(words, setting, draw, said, seed, long)
    for words, setting, draw, seed, long in (
        (
            "independent items",
            "three systems, uniform rates, 40 items each",
            _independent,
            2201,
            2000,
        ),
        ("a pair", "two systems, 40 common items, chances from the prior", _pair, 2202, 2000),
        (
            "common items",
            "three systems, 60 common items, chances from the prior",
            _common,
            2203,
            2000,
        ),
    )
    for said in SAID
]

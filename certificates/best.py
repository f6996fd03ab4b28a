"""Probabilities of being the best: when they say 0.9, is it the best in 90 %?"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from certificates.declaration import Certificate, Experiment, Found
from certificates.search import Cell, Search, Space
from steelyard.comparison import (
    alike_common,
    alike_pair,
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


def _answers(cell: Cell, rng: np.random.Generator) -> tuple[np.ndarray, Outcomes]:
    """True log-odds of systems of one field, and their answers to common items.

    ``scatter`` is the standard deviation between systems in units of the sampling error of one, as
    differences show it. Of ``correlation`` of the items one number decides for all systems.
    """
    size, items, rate = int(cell["systems"]), int(cell["items"]), cell["rate"]
    error = np.sqrt((1 - cell["correlation"]) / (items * rate * (1 - rate)))
    truth = np.log(rate / (1 - rate)) + cell["scatter"] * error * rng.standard_normal(size)
    numbers = rng.random((items, size))
    shared = rng.random(items) < cell["correlation"]
    numbers[shared] = numbers[shared, :1]
    codes = (numbers < 1 / (1 + np.exp(-truth))) @ (1 << np.arange(size))
    seen, counts = np.unique(codes, return_counts=True)
    patterns = dict(zip(seen.tolist(), counts.tolist(), strict=True))
    return truth, Outcomes.from_patterns(patterns, systems=[f"S{k}" for k in range(size)])


def _flat(outcomes: Outcomes, rng: np.random.Generator) -> tuple[float, ...]:
    return paired_posterior(outcomes, rng=rng, draws=400).best


def _alike(outcomes: Outcomes, rng: np.random.Generator) -> tuple[float, ...]:
    if len(outcomes.systems) == 2:
        return tuple(alike_pair(share) for share in _flat(outcomes, rng))
    return alike_common(outcomes, rng=rng, draws=400).best


def _overstated(
    said: Callable[[Outcomes, np.random.Generator], tuple[float, ...]],
) -> Callable[[Cell, int, np.random.Generator], Found]:
    """Mean probability said of the leader, less how often it is the best."""

    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        stated = right = 0.0
        for _ in range(draws):
            truth, outcomes = _answers(cell, rng)
            best = np.array(said(outcomes, rng))
            leader = int(best.argmax())
            stated += best[leader]
            right += leader == truth.argmax()
        more = {"said": stated / draws, "true": right / draws}
        return Found(share=(stated - right) / draws, draws=draws, more=more)

    return trial


FIELDS = Space(
    axes={
        "scatter": (0.02, 0.3, 1.0, 3.0, 10.0),
        "systems": (2, 3, 10),
        "items": (60, 400),
        "rate": (0.6, 0.9),
        "correlation": (0.0, 0.6),
    },
    fixed=frozenset({"items", "rate", "correlation"}),
)


def _of_a_field(
    name: str,
    claim: str,
    said: Callable[[Outcomes, np.random.Generator], tuple[float, ...]],
    **facts: Any,
) -> Certificate:
    return Certificate(
        name=name,
        family="best",
        claim=claim,
        setting=f"systems of one field on common items, {FIELDS.words()}",
        page="p-best",
        experiment=Search(
            space=FIELDS, trial=_overstated(said), seek=facts.pop("seek"), beam=2, rounds=1
        ),
        # The mean over 60 fields has an error of 0.06, more than the bounds leave.
        short=200,
        long=2000,
        **facts,
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
DECLARED += [
    _of_a_field(
        "P(best) if alike, said of the leader, overstates",
        "by at most 0.20 on average, whatever the scatter of the rates",
        _alike,
        seek="highest",
        allowed=(-1.0, 0.2),
        seed=2204,
    ),
    _of_a_field(
        "P(best) if alike, said of the leader, understates",
        "by at most 0.15 on average, whatever the scatter of the rates",
        _alike,
        seek="lowest",
        allowed=(-0.15, 1.0),
        seed=2205,
    ),
    _of_a_field(
        "P(best) with nothing known beforehand, said of the leader, overstates",
        "by at most 0.20 on average, whatever the scatter of the rates",
        _flat,
        seek="highest",
        allowed=(-1.0, 0.2),
        falls_short=(0.2, 0.42),
        note="it is right on average over uniform rates; take P(best) if alike for close systems",
        seed=2206,
    ),
]

"""Probabilities of being the best: when they say 0.9, is it the best in 90 %?"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from certificates.declaration import Certificate, Found
from certificates.search import Cell, Search, Space, Trial
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


def _independent(cell: Cell, rng: np.random.Generator) -> Drawn:
    """Uniform rates, items of their own."""
    items, systems = int(cell["items"]), int(cell["systems"])
    rates = rng.random(systems)
    right = rng.binomial(items, rates)
    order = np.argsort(right, kind="stable")
    stated = np.empty(systems)
    stated[order] = _of_counts(tuple(right[order].tolist()), items)
    return rates, stated


@cache
def _of_counts(right: tuple[int, ...], items: int) -> tuple[float, ...]:
    """Ask once for counts in order: the names of the systems change nothing."""
    names = tuple("ABCD"[: len(right)])
    trials = Trials(systems=names, correct=right, tested=(items,) * len(right),
                    pairing="independent")  # fmt: skip
    return probability_best(beta_posteriors(trials)).best


def _pair(cell: Cell, rng: np.random.Generator) -> Drawn:
    """Two systems on common items, the four patterns from Dirichlet(1/2, 1/2, 1/2, 1/2)."""
    chances = rng.dirichlet([0.5] * 4)
    _, first, second, _ = rng.multinomial(int(cell["items"]), chances).tolist()
    return chances[1:3], np.array(_of_two(first, second))


@cache
def _of_two(first: int, second: int) -> tuple[float, float]:
    """Ask once for each number of wins: items that both have right or wrong change nothing."""
    found = pair_posterior(PairTable(both=1, first=first, second=second, neither=0))
    return found.first_better, found.second_better


def _common(cell: Cell, rng: np.random.Generator) -> Drawn:
    """Several systems on common items, their patterns from a Dirichlet that adds up to 2."""
    systems = int(cell["systems"])
    chances = rng.dirichlet([2 / 2**systems] * 2**systems)
    drawn = rng.multinomial(int(cell["items"]), chances)
    patterns = {code: int(n) for code, n in enumerate(drawn) if n}
    outcomes = Outcomes.from_patterns(patterns, systems=tuple("ABCD"[:systems]))
    found = paired_posterior(outcomes, rng=rng, draws=2000)
    bits = (np.arange(2**systems)[:, None] >> np.arange(systems)) & 1
    return chances @ bits, np.array(found.best)


JUST = 0.5
"""What stands for as often as said; what is said differs from answer to answer."""


def _comes_true(draw: Callable[[Cell, np.random.Generator], Drawn]) -> Trial:
    """Of the systems that are said to be the best with so much or more: how many are, and said?"""

    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        stated, best = [], []
        for _ in range(draws):
            rates, said = draw(cell, rng)
            stated += said.tolist()
            best += (np.arange(rates.size) == rates.argmax()).tolist()
        sure = np.array(stated) >= cell["said"]
        seen = int(sure.sum())
        if not seen:
            return Found(share=JUST, undefined=draws)
        true, said_of_them = (
            float(np.array(best)[sure].mean()),
            float(np.array(stated)[sure].mean()),
        )
        # Half has the largest variance, so that luck is never taken for a broken promise.
        share = JUST + true - said_of_them
        more = {"said": said_of_them, "true": true}
        return Found(share=share, draws=seen, hits=round(share * seen), more=more)

    return trial


def _certificate(
    words: str,
    setting: str,
    draw: Callable[[Cell, np.random.Generator], Drawn],
    axes: dict[str, tuple[float, ...]],
    seed: int,
    long: int,
) -> Certificate:
    space = Space(axes={**axes, "said": SAID}, fixed=frozenset({"systems", "said"}))
    return Certificate(
        name=f"P(best) comes true as often as said, {words}",
        family="best",
        claim="no less often than said (0.5 stands for just as often)",
        setting=f"{setting}; said at least {SAID[0]:g} to {SAID[-1]:g}; {Space(axes=axes).words()}",
        page="p-best",
        experiment=Search(space=space, trial=_comes_true(draw), seek="lowest", beam=2, rounds=1),
        allowed=(JUST, 1.0),
        seed=seed,
        short=100,
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
    """Mean probability said of the leader, less how often it is the best; 0.5 is as often."""

    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        stated = right = 0.0
        for _ in range(draws):
            truth, outcomes = _answers(cell, rng)
            best = np.array(said(outcomes, rng))
            leader = int(best.argmax())
            stated += best[leader]
            right += leader == truth.argmax()
        more = {"said": stated / draws, "true": right / draws}
        # Counted as hits, so that the search tries again what looks worst, and luck is allowed for.
        share = JUST + (stated - right) / draws
        return Found(share=share, draws=draws, hits=round(share * draws), more=more)

    return trial


SAID = (0.5, 0.8, 0.9, 0.97)
"""What is said at least; the third is the promise in short: says 0.9, is the best in 90 %."""
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
        claim=f"{claim} (0.5 stands for just as often as said)",
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


DECLARED = [
    _certificate(
        "independent items", "uniform rates", _independent,
        {"items": (5, 40), "systems": (2, 3)}, 2201, 1000,
    ),
    _certificate(
        "a pair", "two systems on common items, chances from the prior", _pair,
        {"items": (5, 40, 400)}, 2202, 4000,
    ),
    _certificate(
        "common items", "chances from the prior", _common,
        {"items": (10, 100), "systems": (2, 3)}, 2203, 800,
    ),
]  # fmt: skip
DECLARED += [
    _of_a_field(
        "P(best) if alike, said of the leader, overstates",
        "by at most 0.20 on average, whatever the scatter of the rates",
        _alike,
        seek="highest",
        allowed=(0.0, JUST + 0.2),
        seed=2204,
    ),
    _of_a_field(
        "P(best) if alike, said of the leader, understates",
        "by at most 0.15 on average, whatever the scatter of the rates",
        _alike,
        seek="lowest",
        allowed=(JUST - 0.15, 1.0),
        seed=2205,
    ),
    _of_a_field(
        "P(best) with nothing known beforehand, said of the leader, overstates",
        "by at most 0.20 on average, whatever the scatter of the rates",
        _flat,
        seek="highest",
        allowed=(0.0, JUST + 0.2),
        falls_short=(JUST + 0.2, JUST + 0.42),
        note="it is right on average over uniform rates; take P(best) if alike for close systems",
        seed=2206,
    ),
]

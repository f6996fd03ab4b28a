"""Choosing one or a few of many: how often the best is among them."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from certificates.declaration import Certificate, Found
from certificates.search import Cell, Search, Space
from steelyard.comparison import items_needed, subset_with_best
from steelyard.counts import Trials

__all__ = ["DECLARED"]


@cache
def _size(systems: int, lead: float, confidence: float) -> int:
    return items_needed(systems, lead=lead, confidence=confidence).tested


def _chosen(confidence: float) -> Callable[..., Found]:
    """Draw tests of the size asked for; the others are behind by the lead, ties at random."""

    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        systems, lead = int(cell["systems"]), cell["lead"]
        size = _size(systems, lead, confidence)
        rates = np.full(systems, cell["best"] - lead)
        rates[0] += lead
        right = rng.binomial(size, rates, size=(draws, systems)) + rng.random((draws, systems)) / 2
        hits = int((right.argmax(axis=1) == 0).sum())
        return Found(share=hits / draws, draws=draws, hits=hits, more={"items": float(size)})

    return trial


def _among(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Count the draws in which the subset holds the best system, the first of them."""
    systems, tested = int(cell["systems"]), int(cell["n"])
    rates = np.full(systems, cell["rate"] - cell["lead"])
    rates[0] += cell["lead"]
    drawn = rng.binomial(tested, rates, size=(draws, systems))
    hits = int((drawn[:, 0] >= drawn.max(axis=1) - _allowance(systems, tested)).sum())
    return Found(share=hits / draws, draws=draws, hits=hits)


@cache
def _allowance(systems: int, tested: int) -> int:
    trials = Trials(
        systems=tuple("ABCDEFGHIJ"[:systems]),
        correct=(tested // 2,) * systems,
        tested=(tested,) * systems,
        pairing="independent",
    )
    return subset_with_best(trials, confidence=0.9).allowance


def _searched(name: str, space: Space, trial: Callable[..., Found], **more: Any) -> Certificate:
    return Certificate(
        name=name,
        family="selection",
        page="selection",
        setting=f"{more.pop('said')}; {space.words()}",
        experiment=Search(space=space, trial=trial, seek="lowest", beam=4, rounds=2),
        seed=2901,
        **more,
    )


LEADS = Space(
    axes={
        "systems": (2, 4, 8),
        "lead": (0.08, 0.2),
        "best": (0.3, 0.5, 0.55, 0.6, 0.9, 0.98),
    },
    fixed=frozenset({"systems", "lead"}),
    possible=lambda cell: cell["best"] > cell["lead"],
)

DECLARED = [
    *(
        _searched(
            f"best of several, {confidence:.0%}".replace("%", " %"),
            LEADS,
            _chosen(confidence),
            said="as many items as asked for",
            claim=f"chosen in {confidence:.0%} or more".replace("%", " %"),
            allowed=(confidence, 1.0),
            short=2000,
            long=40_000,
        )
        for confidence in (0.8, 0.95)
    ),
    _searched(
        "subset with the best",
        Space(
            axes={
                "systems": (2, 4, 10),
                "n": (10, 50, 300),
                "rate": (0.05, 0.5, 0.9, 0.99),
                "lead": (0.0, 0.03),
            },
            fixed=frozenset({"systems", "n"}),
        ),
        _among,
        said="the others equal to the best, or a little behind",
        claim="holds the best in 90 % or more",
        allowed=(0.9, 1.0),
        short=2000,
        long=40_000,
    ),
]

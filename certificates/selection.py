"""Choosing one or a few of many: how often the best is among them."""

from typing import Any

import numpy as np

from certificates.declaration import Certificate, Experiment, Found
from steelyard.comparison import items_needed, least_favourable, subset_with_best
from steelyard.counts import Trials

__all__ = ["DECLARED"]


def _chosen(systems: int, lead: float, confidence: float) -> Experiment:
    """Draw tests of the size asked for where the best is hardest to find; ties at random."""

    def experiment(draws: int, seed: int) -> Found:
        rng = np.random.default_rng(seed)
        size = items_needed(systems, lead=lead, confidence=confidence).tested
        best = least_favourable(size, systems, lead=lead).best_rate
        rates = np.array([best] + [best - lead] * (systems - 1))
        right = rng.binomial(size, rates, size=(draws, systems)) + rng.random((draws, systems)) / 2
        hits = int((right.argmax(axis=1) == 0).sum())
        return Found(share=hits / draws, draws=draws, hits=hits, more={"items": float(size)})

    return experiment


def _among(rates: tuple[float, ...], tested: int, confidence: float) -> Experiment:
    """Count the draws in which the subset holds the best system, the first of them."""
    names = tuple("ABCDEF"[: len(rates)])

    def experiment(draws: int, seed: int) -> Found:
        rng = np.random.default_rng(seed)
        drawn = rng.binomial(tested, rates, size=(draws, len(rates)))
        allowance = _allowance(names, tested, confidence)
        hits = int((drawn[:, 0] >= drawn.max(axis=1) - allowance).sum())
        return Found(share=hits / draws, draws=draws, hits=hits)

    return experiment


def _allowance(names: tuple[str, ...], tested: int, confidence: float) -> int:
    trials = Trials(
        systems=names,
        correct=(tested // 2,) * len(names),
        tested=(tested,) * len(names),
        pairing="independent",
    )
    return subset_with_best(trials, confidence=confidence).allowance


def _certificate(name: str, setting: str, experiment: Experiment, **more: Any) -> Certificate:
    return Certificate(
        name=name,
        family="selection",
        setting=setting,
        page="selection",
        experiment=experiment,
        short=2000,
        long=100_000,
        **more,
    )


DECLARED = [
    *(
        _certificate(
            f"best of {systems}, lead {lead:g}, {confidence:.0%}".replace("%", " %"),
            "as many items as asked for, at the least favourable rates",
            _chosen(systems, lead, confidence),
            claim=f"chosen in {confidence:.0%} or a little more".replace("%", " %"),
            allowed=(confidence, confidence + 0.005),
            seed=2901,
        )
        for systems, lead, confidence in (
            (2, 0.1, 0.9),
            (2, 0.05, 0.95),
            (4, 0.1, 0.9),
            (6, 0.08, 0.95),
        )
    ),
    *(
        _certificate(
            f"subset with the best of {len(rates)}, rates near {rates[0]:g}",
            f"{tested} items each, the others equal to the best",
            _among(rates, tested, 0.9),
            claim="holds the best in 90 % or more",
            allowed=(0.9, 1.0),
            seed=2902,
        )
        for rates, tested in (((0.5,) * 3, 50), ((0.5,) * 6, 100), ((0.9,) * 4, 50))
    ),
]

"""Ratios of rates and odds, and claims that two systems are equivalent."""

from functools import cache, partial
from typing import Any

import numpy as np
from scipy.stats import binom

from certificates.declaration import Certificate, Experiment, Found
from certificates.experiments import covered_tables, exactly
from steelyard.comparison import beta_posteriors, paired_equivalence, probability_equivalent
from steelyard.counts import PairTable, Trials
from steelyard.planning import equivalence_power
from steelyard.uncertainty import (
    discordant_odds_interval,
    odds_ratio_score_interval,
    paired_ratio_interval,
    ratio_interval,
    tango_interval,
)

__all__ = ["DECLARED"]

FIRST, SECOND = 25, 35
SHARES = ((0.9, 0.8), (0.8, 0.8), (0.6, 0.3), (0.95, 0.9), (0.3, 0.2))
PAIRED = (0.74, 0.12, 0.06, 0.08)
"""Both right, only one of them, neither: rates 0.86 and 0.80."""
MARGIN = 0.1
AT_THE_MARGIN = (0.70, 0.15, 0.05, 0.10)
"""Rates 0.85 and 0.75: just not equivalent."""


def _coverage(limits: Any, truth: Any) -> np.ndarray:
    """Coverage at each pair of shares, summed over all counts of two independent samples."""
    ends = [[limits((x, FIRST), (y, SECOND)) for y in range(SECOND + 1)] for x in range(FIRST + 1)]
    low = np.array([[one[0] for one in row] for row in ends])
    high = np.array([[np.inf if one[1] is None else one[1] for one in row] for row in ends])
    found = []
    for p, q in SHARES:
        held = (low <= truth(p, q) + 1e-12) & (truth(p, q) <= high + 1e-12)
        chances = [binom.pmf(np.arange(n + 1), n, rate) for n, rate in ((FIRST, p), (SECOND, q))]
        found.append(chances[0] @ held @ chances[1])
    return np.array(found)


def _discordant() -> np.ndarray:
    """Coverage of the odds of winning, for 5 to 40 discordant items and odds from 1/4 to 4."""
    found = []
    for number in (5, 12, 25, 40):
        wins = np.arange(number + 1)
        ends = [discordant_odds_interval(int(w), number - int(w)) for w in wins]
        for odds in (0.25, 0.5, 1.0, 1.7, 4.0):
            held = [low <= odds and (high is None or odds <= high) for low, high in ends]
            found.append(binom.pmf(wins, number, odds / (1 + odds)) @ held)
    return np.array(found)


def _tables(rates: tuple[float, ...], rng: np.random.Generator, draws: int) -> np.ndarray:
    return rng.multinomial(120, rates, size=draws)


@cache
def _equivalent(both: int, first: int, second: int, neither: int) -> float:
    pair = PairTable(both=both, first=first, second=second, neither=neither)
    return paired_equivalence(pair, margin=MARGIN).equivalent


def _claimed(claims: Any, rates: tuple[float, ...]) -> Experiment:
    """Count the tables that are called equivalent though they lie at the margin."""

    def experiment(draws: int, seed: int) -> Found:
        drawn = _tables(rates, np.random.default_rng(seed), draws)
        hits = sum(bool(claims(*cells)) for cells in drawn.tolist())
        return Found(share=hits / draws, draws=draws, hits=hits)

    return experiment


def _inside(both: int, first: int, second: int, neither: int) -> bool:
    low, high = tango_interval(both, first, second, neither, level=0.9)
    return -MARGIN < low and high < MARGIN


@cache
def _stated(more: int, fewer: int) -> float:
    trials = Trials(
        systems=("S", "T"), correct=(more, fewer), tested=(60, 60), pairing="independent"
    )
    return probability_equivalent(beta_posteriors(trials), "S", "T", margin=0.15).equivalent


def _called(draws: int, seed: int) -> Found:
    """Count the independent samples that are called equivalent though they lie at the margin."""
    drawn = np.random.default_rng(seed).binomial(60, [0.85, 0.7], size=(draws, 2))
    hits = sum(_stated(max(pair), min(pair)) >= 0.95 for pair in drawn.tolist())
    return Found(share=hits / draws, draws=draws, hits=hits)


def _margin_sizes(claim: str, samples: int) -> np.ndarray:
    """Chance that Farrington and Manning's tests claim it, the first a margin below."""
    return np.array(
        [
            equivalence_power(low, low + MARGIN, samples, margin=MARGIN, claim=claim)  # type: ignore[arg-type]
            for low in np.linspace(0.1, 0.8, 15)
        ]
    )


def _certificate(name: str, setting: str, experiment: Experiment, **more: Any) -> Certificate:
    return Certificate(
        name=name,
        family="ratios",
        claim=more.pop("claim", "95 % on average over the rates"),
        setting=setting,
        page=more.pop("page", "ratios"),
        experiment=experiment,
        allowed=more.pop("allowed", (0.94, 0.97)),
        long=more.pop("long", 0),
        **more,
    )


TWO = f"{FIRST} and {SECOND} items, five pairs of rates, exact"

DECLARED = [
    _certificate(
        "ratio of two rates, score",
        TWO,
        exactly(partial(_coverage, ratio_interval, lambda p, q: p / q), "mean"),
    ),
    _certificate(
        "ratio of two odds, score",
        TWO,
        exactly(
            partial(_coverage, odds_ratio_score_interval, lambda p, q: p * (1 - q) / (q * (1 - p))),
            "mean",
        ),
    ),
    _certificate(
        "ratio of two rates on common items",
        "120 common items, rates 0.86 and 0.80",
        covered_tables(paired_ratio_interval, partial(_tables, PAIRED), 0.86 / 0.80),
        claim="95 %",
        allowed=(0.935, 0.965),
        seed=2801,
        short=400,
        long=20_000,
    ),
    _certificate(
        "odds of winning a discordant item",
        "5 to 40 discordant items, odds 1/4 to 4, exact",
        exactly(_discordant, "lowest"),
        claim="95 % or more always",
        allowed=(0.95, 1.0),
    ),
    _certificate(
        "equivalent by 90 % interval inside the margin, paired",
        "120 common items, rates 0.85 and 0.75, margin 0.1",
        _claimed(_inside, AT_THE_MARGIN),
        claim="claimed at the margin in at most 5 %",
        allowed=(0.0, 0.055),
        page="equivalence",
        seed=2802,
        short=400,
        long=20_000,
    ),
    _certificate(
        "P(equivalent) >= 0.95, paired",
        "120 common items, rates 0.85 and 0.75, margin 0.1",
        _claimed(lambda *cells: _equivalent(*cells) >= 0.95, AT_THE_MARGIN),
        claim="claimed at the margin in at most 5 %",
        allowed=(0.0, 0.055),
        page="equivalence",
        seed=2803,
        short=20,
        long=1000,
    ),
    _certificate(
        "P(equivalent) >= 0.95, independent",
        "60 items each, rates 0.85 and 0.70, margin 0.15",
        _called,
        claim="claimed at the margin in at most 5 %",
        allowed=(0.0, 0.055),
        page="equivalence",
        seed=2804,
        short=20,
        long=2000,
    ),
    *(
        _certificate(
            f"{claim}, score tests, {samples} items each",
            "rates 0.1 to 0.9, the first the margin of 0.1 below, exact",
            exactly(partial(_margin_sizes, claim, samples), "highest"),
            claim="claimed at the margin in at most 5 %, nearly",
            allowed=(0.0, 0.06),
            page="planning",
        )
        for claim in ("equivalent", "not inferior")
        for samples in (100, 300)
    ),
]

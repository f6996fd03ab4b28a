"""Ratios of rates and odds, and claims that two systems are equivalent, in their worst cells."""

from functools import cache, partial
from typing import Any

import numpy as np
from scipy.stats import binom

from certificates.declaration import Certificate, Found
from certificates.differences import COMMON, INDEPENDENT, paired_chances, paired_draw
from certificates.experiments import covering, covering_two
from certificates.search import Cell, Search, Space, Trial
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

MARGIN = 0.1
AT_THE_MARGIN = Space(
    axes={"n": (20, 50, 120), "apart": (0.12, 0.3), "right": (0.5, 0.9)},
)
"""Common items: the first is ahead by the margin, and one alone is right on ``apart`` of them."""
TESTS = Space(axes={"n": (20, 60, 150), "lower": (0.02, 0.1, 0.45, 0.8, 0.88)})
"""Independent samples: the rates are ``lower`` and a margin more."""


def _discordant(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Sum the coverage of the odds of winning a discordant item."""
    number, share = int(cell["n"]), cell["won"]
    wins = np.arange(number + 1)
    ends = [discordant_odds_interval(int(w), number - int(w)) for w in wins]
    odds = share / (1 - share)
    held = [low <= odds and (high is None or odds <= high) for low, high in ends]
    return Found(share=float(binom.pmf(wins, number, share) @ held))


def _paired_ratio(cell: Cell) -> float:
    both, first, second, _ = paired_chances(cell)
    return (both + first) / (both + second)


def _at_margin(cell: Cell) -> Cell:
    return {**cell, "won": (1 + MARGIN / cell["apart"]) / 2}


def _claimed(claims: Any) -> Trial:
    """Count the tables that are called equivalent though they lie at the margin."""
    judged = cache(claims)

    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        drawn = paired_draw(_at_margin(cell), rng, draws)
        hits = sum(bool(judged(*cells)) for cells in drawn.tolist())
        return Found(share=hits / draws, draws=draws, hits=hits)

    return trial


def _inside(both: int, first: int, second: int, neither: int) -> bool:
    low, high = tango_interval(both, first, second, neither, level=0.9)
    return -MARGIN < low and high < MARGIN


def _posterior_says(both: int, first: int, second: int, neither: int) -> bool:
    pair = PairTable(both=both, first=first, second=second, neither=neither)
    return paired_equivalence(pair, margin=MARGIN).equivalent >= 0.95


@cache
def _stated(items: int, more: int, fewer: int) -> bool:
    trials = Trials(
        systems=("S", "T"), correct=(more, fewer), tested=(items, items), pairing="independent"
    )
    found = probability_equivalent(beta_posteriors(trials), "S", "T", margin=MARGIN)
    return found.equivalent >= 0.95


def _called(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Count the independent samples that are called equivalent though they lie at the margin."""
    items, lower = int(cell["n"]), cell["lower"]
    drawn = rng.binomial(items, [lower + MARGIN, lower], size=(draws, 2))
    hits = sum(_stated(items, max(pair), min(pair)) for pair in drawn.tolist())
    return Found(share=hits / draws, draws=draws, hits=hits)


def _test(claim: str, cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Sum the chance that Farrington and Manning's tests claim it at the margin."""
    low, samples = cell["lower"], int(cell["n"])
    power = equivalence_power(low, low + MARGIN, samples, margin=MARGIN, claim=claim)  # type: ignore[arg-type]
    return Found(share=power)


def _certificate(name: str, setting: str, search: Search, **more: Any) -> Certificate:
    return Certificate(
        name=name,
        family="ratios",
        claim=more.pop("claim", "95 % on average, and never under 83 %"),
        setting=setting,
        page=more.pop("page", "ratios"),
        experiment=search,
        allowed=more.pop("allowed", (0.83, 1.0)),
        long=more.pop("long", 0),
        **more,
    )


TWO = "two independent samples, exact"
EQUIVALENT: dict[str, Any] = {
    "claim": "claimed at the margin in at most 5 %",
    "allowed": (0.0, 0.055),
    "page": "equivalence",
}

DECLARED = [
    _certificate(
        "ratio of two rates, score",
        TWO,
        Search(
            space=INDEPENDENT,
            trial=covering_two(ratio_interval, lambda p, q: p / q),
            seek="lowest",
        ),
    ),
    _certificate(
        "ratio of two odds, score",
        TWO,
        Search(
            space=INDEPENDENT,
            trial=covering_two(odds_ratio_score_interval, lambda p, q: p * (1 - q) / (q * (1 - p))),
            seek="lowest",
        ),
    ),
    _certificate(
        "ratio of two rates on common items",
        "two systems on common items",
        Search(
            space=COMMON,
            trial=covering(paired_ratio_interval, paired_draw, _paired_ratio),
            seek="lowest",
        ),
        seed=2801,
        short=300,
        long=2000,
    ),
    _certificate(
        "odds of winning a discordant item",
        "exact",
        Search(
            space=Space(
                axes={
                    "n": (1, 2, 5, 10, 20, 40, 100),
                    "won": (0.05, 0.2, 0.4, 0.5, 0.6, 0.8, 0.95),
                }
            ),
            trial=_discordant,
            seek="lowest",
            rounds=6,
        ),
        claim="95 % or more always",
        allowed=(0.95, 1.0),
    ),
    _certificate(
        "equivalent by 90 % interval inside the margin, paired",
        "the first is ahead by the margin of 0.1",
        Search(space=AT_THE_MARGIN, trial=_claimed(_inside), seek="highest"),
        seed=2802,
        short=1000,
        long=8000,
        **EQUIVALENT,
    ),
    _certificate(
        "P(equivalent) >= 0.95, paired",
        "the first is ahead by the margin of 0.1",
        Search(
            space=AT_THE_MARGIN,
            trial=_claimed(_posterior_says),
            seek="highest",
            beam=2,
            rounds=1,
        ),
        seed=2803,
        short=40,
        long=1000,
        falls_short=(0.05, 0.12),
        note="a probability is not an error rate; for one take the 90 % interval inside the margin",
        **EQUIVALENT,
    ),
    _certificate(
        "P(equivalent) >= 0.95, independent",
        "the first is ahead by the margin of 0.1",
        Search(space=TESTS, trial=_called, seek="highest", beam=2, rounds=1),
        seed=2804,
        short=100,
        long=1000,
        falls_short=(0.05, 0.09),
        note="a probability is not an error rate; for one take the score tests of the plan",
        **EQUIVALENT,
    ),
    *(
        _certificate(
            f"{claim}, score tests",
            "the first is behind by the margin of 0.1, exact",
            Search(space=TESTS, trial=partial(_test, claim), seek="highest"),
            **{
                **EQUIVALENT,
                "claim": "claimed at the margin in at most 5 %, nearly",
                "allowed": (0.0, 0.065),
                "page": "planning",
            },
        )
        for claim in ("equivalent", "not inferior")
    ),
]

"""Stopping rules of two systems on common items: how often they name a wrong winner.

The distribution of wins and losses is carried from item to item, so nothing is drawn: these are
calculations. That campaigns themselves do the same is tried in ``campaigns``.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from certificates.declaration import Certificate, Experiment, Found
from certificates.search import Cell, Search, Space, Trial
from steelyard.comparison import wald_test
from steelyard.planning import (
    DoubleRule,
    LossRule,
    PairedRates,
    PlannedLooks,
    StoppingRule,
    stopping_properties,
)

__all__ = ["DECLARED"]

BELIEF = "a belief, no error rate; take evidence, planned looks or double-wald"
AGAIN = "made for one look, and looked at again; take evidence"
RULES: dict[str, Any] = {
    "best >= 0.975, weight ½": StoppingRule(rule="posterior", alpha=0.025),
    "best >= 0.975, weight 1": StoppingRule(rule="uniform posterior", alpha=0.025),
    "best >= 0.995": StoppingRule(rule="posterior", alpha=0.005),
    "McNemar, exact, every 10 items": StoppingRule(rule="exact", alpha=0.05, every=10),
    "evidence >= 20": StoppingRule(rule="e-process", alpha=0.05),
    "spending(obrien-fleming, 5 looks)": PlannedLooks(looks=5),
    "spending(pocock, 5 looks)": PlannedLooks(looks=5, kind="pocock"),
    "double-wald(0.65)": DoubleRule(win=0.65),
}
TOO_OFTEN = {
    "best >= 0.975, weight ½": (0.4, 0.8),
    "best >= 0.975, weight 1": (0.35, 0.8),
    "best >= 0.995": (0.12, 0.5),
    "McNemar, exact, every 10 items": (0.2, 0.5),
}
"""Rules that promise no error rate under repeated looks, and what they really do."""


def _over_the_prior(
    rule: Callable[[Cell], Any], judged: Callable[..., tuple[float, float]]
) -> Trial:
    """Average over campaigns that end, with truths from the prior: q of Beta(½, ½), ψ uniform."""

    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        wins = np.sin(np.pi * (np.arange(16) + 0.5) / 64 + np.pi / 4) ** 2
        hit = ended = 0.0
        for discordant in (np.arange(3) + 0.5) / 3:
            for win in wins.tolist():
                first = float(discordant * win)
                rates = PairedRates(only_first=first, only_second=float(discordant) - first)
                found = stopping_properties(rule(cell), rates, cap=int(cell["cap"]))
                one, all_of_them = judged(found, rates)
                hit, ended = hit + one, ended + all_of_them
        return Found(share=hit / ended)

    return trial


def _named_right(found: Any, rates: PairedRates) -> tuple[float, float]:
    del rates
    return found.right, found.winner


def _given_up(found: Any, rates: PairedRates) -> tuple[float, float]:
    return found.wrong * abs(rates.only_first - rates.only_second), found.winner


DISCORDANT = 600
"""Most discordant items that are expected in a campaign; every path of them is followed."""
EQUAL = Space(
    axes={
        "discordance": (0.01, 0.05, 0.2, 0.5, 1.0),
        "cap": (20, 50, 100, 300, 1000),
    },
    possible=lambda cell: cell["discordance"] * cell["cap"] <= DISCORDANT,
)
"""Equal systems that differ on few items or on all, in short campaigns and longer ones."""
APART = replace(EQUAL, axes={**EQUAL.axes, "ahead": (0.0, 0.1, 0.3)})
"""The better one is ahead by this part of the discordance."""


def _rates(cell: Cell) -> PairedRates:
    apart = min(cell["discordance"], 1 - 1e-9)
    first = apart * (1 + cell.get("ahead", 0.0)) / 2
    return PairedRates(only_first=first, only_second=apart - first)


def _searched(name: str, rule: Any, space: Space = EQUAL, **more: Any) -> Certificate:
    """Look for the setting in which a rule that promises 5 % names most wrong winners."""

    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        every = int(cell.get("step", 1))
        cap = int(cell["cap"]) // every * every
        looked = None if isinstance(rule, PlannedLooks) else every
        found = stopping_properties(rule, _rates(cell), cap=cap, every=looked)
        return Found(share=found.wrong if cell.get("ahead") else found.winner)

    return _certificate(
        f"{name}, worst setting",
        f"two systems, equal or one ahead; {space.words()}; exact",
        Search(space=space, trial=trial, seek="highest", beam=2, rounds=2),
        claim="a wrong winner in at most 5 %",
        allowed=(0.0, 0.05),
        **more,
    )


def _given_up_at(rule: LossRule) -> Trial:
    """Points of rate that are given up on average by the system which is named."""

    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        rates = _rates(cell)
        found = stopping_properties(rule, rates, cap=int(cell["cap"]))
        return Found(share=found.wrong * abs(rates.only_first - rates.only_second))

    return trial


STEPPED = Space(
    axes={**EQUAL.axes, "step": (1, 5, 20)},
    fixed=frozenset({"step"}),
    possible=lambda cell: EQUAL.possible(cell) and cell["step"] <= cell["cap"],
)


def _certificate(name: str, setting: str, experiment: Experiment, **more: Any) -> Certificate:
    return Certificate(
        name=name,
        family="stopping",
        setting=setting,
        page=more.pop("page", "when-may-i-stop"),
        experiment=experiment,
        long=0,
        **more,
    )


WALDS = Space(
    axes={**EQUAL.axes, "ratio": (0.5, 1.0, 1.5, 2.5, 4.0)},
    possible=lambda cell: cell["discordance"] * cell["cap"] <= DISCORDANT,
)
"""Discordant items in favour of the second, for each in favour of the first."""


def _wald(
    words: str, ratios: tuple[float, ...], claim: str, allowed: tuple[float, float], **more: Any
) -> Certificate:
    """Search Wald's test of 1 against 2.5: up to 1 the second is wrong, from 2.5 on the first."""
    rule = wald_test(1, 2.5, ratio="omega")

    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        apart = min(cell["discordance"], 1 - 1e-9)
        first = apart * cell["ratio"] / (1 + cell["ratio"])
        rates = PairedRates(only_first=first, only_second=apart - first)
        found = stopping_properties(rule, rates, cap=int(cell["cap"]))
        # At equal rates a verdict for the challenger counts as right, below them as wrong.
        taken = found.right if cell["ratio"] == 1 else found.wrong
        return Found(share=taken if cell["ratio"] <= 1 else found.no_difference)

    space = replace(WALDS, axes={**WALDS.axes, "ratio": ratios})
    return _certificate(
        f"wald(1.0, 2.5), {words}",
        f"{space.words()}; exact",
        Search(space=space, trial=trial, seek="highest", beam=2, rounds=2),
        claim=claim,
        allowed=allowed,
        page="sequential",
        **more,
    )


CAPS = Space(axes={"cap": (50, 200, 1000)})
"""Most items of a campaign."""

DECLARED = [
    *(
        _searched(
            name, RULES[name], APART, falls_short=short, note=AGAIN if "McN" in name else BELIEF
        )
        for name, short in TOO_OFTEN.items()
    ),
    _searched("evidence >= 20", RULES["evidence >= 20"], STEPPED),
    _searched("double-wald(0.65)", RULES["double-wald(0.65)"], APART),
    *(
        _searched(f"spending({kind}, {looks} looks)", PlannedLooks(looks=looks, kind=kind), APART)
        for kind in ("obrien-fleming", "pocock")
        for looks in (2, 5)
    ),
    _wald("no lead", (0.5, 1.0), "takes the challenger in 5 %, nearly", (0.0, 0.05 / 0.9)),
    _wald(
        "the lead planned for", (2.5, 4.0), "keeps the old one in 10 %, nearly", (0.0, 0.1 / 0.95)
    ),
    _wald(
        "a smaller lead",
        (1.2, 2.0),
        "keeps the old one in 10 %, nearly",
        (0.0, 0.1 / 0.95),
        falls_short=(0.5, 1.0),
        note="between the two ratios it promises nothing; plan with the ratio that matters",
    ),
    _certificate(
        "loss <= 0.005, worst setting",
        f"two systems; {APART.words()}; exact; points given up on average",
        Search(
            space=APART, trial=_given_up_at(LossRule(loss=0.005)), seek="highest", beam=2, rounds=2
        ),
        claim="at most 0.005",
        allowed=(0.0, 0.005),
        falls_short=(0.005, 0.1),
        note="small over the prior, not at every truth; add items or a smaller loss",
    ),
    _certificate(
        "loss <= 0.005, over the prior",
        f"{CAPS.words()}, every 10 items, truths from the prior, exact; points given up on average",
        Search(
            space=CAPS, seek="highest", beam=1, rounds=1,
            trial=_over_the_prior(lambda cell: LossRule(loss=0.005, every=10), _given_up),
        ),
        claim="at most 0.005",
        allowed=(0.0, 0.005),
    ),
    *(
        _certificate(
            f"best >= {1 - alpha:g}, over the prior",
            f"{CAPS.words()}, every item, truths from the prior, exact",
            Search(
                space=CAPS, seek="lowest", beam=1, rounds=1,
                trial=_over_the_prior(
                    lambda cell, alpha=alpha: StoppingRule(rule="posterior", alpha=alpha),
                    _named_right,
                ),
            ),
            claim=f"of the winners named, {100 * (1 - alpha):g} % are the better system",
            allowed=(1 - alpha, 1.0),
        )
        for alpha in (0.1, 0.025, 0.005)
    ),
]  # fmt: skip

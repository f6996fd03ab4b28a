"""Stopping rules of two systems on common items: how often they name a wrong winner.

The distribution of wins and losses is carried from item to item, so nothing is drawn: these are
calculations. That campaigns themselves do the same is tried in ``campaigns``.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from certificates.declaration import Certificate, Experiment, Found
from certificates.search import Cell, Search, Space
from steelyard.comparison import wald_test
from steelyard.planning import (
    DoubleRule,
    LossRule,
    PairedRates,
    PlannedLooks,
    StoppingRule,
    stopping_properties,
)

__all__ = ["CAP", "DECLARED", "RATES"]

CAP = 1000
RATES = {
    "no difference": PairedRates(only_first=0.10, only_second=0.10),
    "two points apart": PairedRates(only_first=0.11, only_second=0.09),
    "six points apart": PairedRates(only_first=0.13, only_second=0.07),
}
BELIEF = "a belief, no error rate; take evidence, planned looks or double-wald"
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
    ("best >= 0.975, weight ½", "no difference"): (0.4225, 0.4235),
    ("best >= 0.975, weight ½", "two points apart"): (0.08, 0.09),
    ("best >= 0.975, weight 1", "no difference"): (0.3705, 0.3715),
    ("best >= 0.975, weight 1", "two points apart"): (0.055, 0.065),
    ("best >= 0.995", "no difference"): (0.125, 0.135),
    ("McNemar, exact, every 10 items", "no difference"): (0.245, 0.255),
}
"""Rules that promise no error rate under repeated looks, and what they really do."""


def _wrong(rule: Any, rates: PairedRates) -> Experiment:
    """Chance that a campaign names a winner who is not the better one."""

    def experiment(draws: int, seed: int) -> Found:
        found = stopping_properties(rule, rates, cap=CAP)
        even = rates.only_first == rates.only_second
        right = 0.0 if even else found.right
        return Found(
            share=found.winner if even else found.wrong,
            more={"right": right, "items": found.expected, "late": float(found.late)},
        )

    return experiment


def _regret(rule: LossRule, rates: PairedRates) -> Experiment:
    """Points of rate that are given up on average by the system which is named."""

    def experiment(draws: int, seed: int) -> Found:
        found = stopping_properties(rule, rates, cap=CAP)
        gap = abs(rates.only_first - rates.only_second)
        more = {"right": found.right, "items": found.expected}
        return Found(share=found.wrong * gap, more=more)

    return experiment


def _over_the_prior(rule: Any, cap: int, judged: Callable[..., tuple[float, float]]) -> Experiment:
    """Average over campaigns that end, with truths from the prior: q of Beta(½, ½), ψ uniform."""

    def experiment(draws: int, seed: int) -> Found:
        wins = np.sin(np.pi * (np.arange(16) + 0.5) / 64 + np.pi / 4) ** 2
        hit = ended = 0.0
        for discordant in (np.arange(3) + 0.5) / 3:
            for win in wins.tolist():
                first = float(discordant * win)
                rates = PairedRates(only_first=first, only_second=float(discordant) - first)
                one, all_of_them = judged(stopping_properties(rule, rates, cap=cap), rates)
                hit, ended = hit + one, ended + all_of_them
        return Found(share=hit / ended)

    return experiment


def _named_right(found: Any, rates: PairedRates) -> tuple[float, float]:
    del rates
    return found.right, found.winner


def _given_up(found: Any, rates: PairedRates) -> tuple[float, float]:
    return found.wrong * abs(rates.only_first - rates.only_second), found.winner


EQUAL = Space(
    axes={
        "discordance": (0.01, 0.05, 0.2, 0.5, 1.0),
        "cap": (20, 50, 100, 200, 300),
    },
    possible=lambda cell: cell["discordance"] * cell["cap"] <= 200,
)
"""Equal systems that differ on few items or on all, in short campaigns and longer ones."""


def _searched(name: str, rule: Any, space: Space = EQUAL) -> Certificate:
    """Look for the setting in which a rule that promises 5 % names most winners among equals."""

    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        half = min(cell["discordance"], 1 - 1e-9) / 2
        equal = PairedRates(only_first=half, only_second=half)
        every = int(cell.get("step", 1))
        cap = int(cell["cap"]) // every * every
        looked = None if isinstance(rule, PlannedLooks) else every
        return Found(share=stopping_properties(rule, equal, cap=cap, every=looked).winner)

    return _certificate(
        f"{name}, worst setting",
        f"two equal systems; {space.words()}; exact",
        Search(space=space, trial=trial, seek="highest", beam=2, rounds=2),
        claim="a winner in at most 5 %",
        allowed=(0.0, 0.05),
    )


STEPPED = Space(
    axes={**EQUAL.axes, "step": (1, 5, 20)},
    fixed=frozenset({"step"}),
    possible=lambda cell: cell["discordance"] * cell["cap"] <= 200 and cell["step"] <= cell["cap"],
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


def _pair_rule(name: str, words: str) -> Certificate:
    short = TOO_OFTEN.get((name, words))
    return _certificate(
        f"{name}, {words}",
        f"at most {CAP:,} items, 20 % discordant, exact",
        _wrong(RULES[name], RATES[words]),
        claim="a wrong winner in at most 5 %",
        allowed=(0.0, 0.0505),
        falls_short=short,
        note=BELIEF if short and "best" in name else "looked at again; take evidence" * bool(short),
    )


WALDS = Space(
    axes={**EQUAL.axes, "ratio": (0.5, 1.0, 1.5, 2.5, 4.0)},
    possible=lambda cell: cell["discordance"] * cell["cap"] <= 200,
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


def _loss(words: str, falls_short: tuple[float, float] | None) -> Certificate:
    return _certificate(
        f"loss <= 0.005, {words}",
        f"at most {CAP:,} items, 20 % discordant, exact; points given up on average",
        _regret(LossRule(loss=0.005), RATES[words]),
        claim="at most 0.005",
        allowed=(0.0, 0.005),
        falls_short=falls_short,
        note="small over the prior, not at every truth; add items or a smaller loss"
        if falls_short
        else "",
    )


DECLARED = [
    *(_pair_rule(name, words) for name in RULES for words in RATES),
    _searched("evidence >= 20", RULES["evidence >= 20"], STEPPED),
    _searched("double-wald(0.65)", RULES["double-wald(0.65)"]),
    *(
        _searched(f"spending({kind}, {looks} looks)", PlannedLooks(looks=looks, kind=kind))
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
    _loss("no difference", None),
    _loss("two points apart", (0.0065, 0.0075)),
    _loss("six points apart", (0.0085, 0.0100)),
    _certificate(
        "loss <= 0.005, over the prior",
        "at most 200 items, every 10, truths from the prior, exact; points given up on average",
        _over_the_prior(LossRule(loss=0.005, every=10), 200, _given_up),
        claim="at most 0.005",
        allowed=(0.0, 0.005),
    ),
    *(
        _certificate(
            f"best >= {1 - alpha:g}, over the prior",
            f"at most {CAP:,} items, every item, truths from the prior, exact",
            _over_the_prior(StoppingRule(rule="posterior", alpha=alpha), CAP, _named_right),
            claim=f"of the winners named, {100 * (1 - alpha):g} % are the better system",
            allowed=(1 - alpha, 1.0),
        )
        for alpha in (0.1, 0.025, 0.005)
    ),
]

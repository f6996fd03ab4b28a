"""Intervals for the difference and the ratio of two shares, independent or on common items."""

from functools import partial
from itertools import product

import numpy as np
from scipy.stats import binom

from certificates.declaration import Certificate
from certificates.experiments import covered_tables, exactly
from steelyard.uncertainty import (
    difference_interval,
    odds_ratio_interval,
    paired_difference_interval,
    share_ratio_interval,
)

__all__ = ["DECLARED"]

RATES = np.linspace(0.05, 0.95, 19)
FIRST, SECOND = 20, 30


def _coverage(method: str) -> np.ndarray:
    pairs = list(product(range(FIRST + 1), range(SECOND + 1)))
    limits = np.array(
        [difference_interval((x, FIRST), (y, SECOND), method=method) for x, y in pairs]
    ).reshape(FIRST + 1, SECOND + 1, 2)
    one = binom.pmf(np.arange(FIRST + 1), FIRST, RATES[:, None])
    two = binom.pmf(np.arange(SECOND + 1), SECOND, RATES[:, None])
    found = []
    for (p, first), (q, second) in product(
        zip(RATES, one, strict=True), zip(RATES, two, strict=True)
    ):
        held = (limits[..., 0] <= p - q + 1e-12) & (limits[..., 1] >= p - q - 1e-12)
        found.append(first @ held @ second)
    return np.array(found)


INDEPENDENT = {
    "miettinen-nurminen": (0.94, 0.97),
    "newcombe": (0.94, 0.97),
    "mee": (0.94, 0.97),
    "agresti-caffo": (0.94, 0.97),
    "wald": (0.94, 0.97),
}
PAIRED = {
    "few discordant": (0.965, 0.025, 0.005, 0.005),
    "high rates": (0.90, 0.05, 0.03, 0.02),
    "middling": (0.70, 0.15, 0.10, 0.05),
    "unlike": (0.50, 0.25, 0.05, 0.20),
}
PAIRED_CLAIMS: dict[tuple[str, str], tuple[float, float]] = {
    ("tango", "few discordant"): (0.94, 1.0),
    ("newcombe-paired", "few discordant"): (0.94, 1.0),
    ("bonett-price", "few discordant"): (0.94, 1.0),
    ("newcombe-paired", "high rates"): (0.94, 0.98),
    ("bonett-price", "high rates"): (0.94, 0.985),
}
SHORT_OF = {"few discordant": (0.80, 0.93)}


def _tables(rates: tuple[float, ...], rng: np.random.Generator, draws: int) -> np.ndarray:
    return rng.multinomial(100, rates, size=draws)


def _independent(method: str) -> Certificate:
    wald = method == "wald"
    return Certificate(
        name=f"difference, {method}",
        family="differences",
        claim="95 % on average over all pairs of shares",
        setting=f"{FIRST} and {SECOND} items, shares 0.05 to 0.95, exact",
        page="paired-difference",
        experiment=exactly(partial(_coverage, method), "mean"),
        allowed=INDEPENDENT[method],
        long=0,
        falls_short=(0.91, 0.935) if wald else None,
        note="too short; take miettinen-nurminen" if wald else "",
    )


def _paired(method: str, setting: str) -> Certificate:
    rates = PAIRED[setting]
    wald = method == "wald"
    return Certificate(
        name=f"paired difference, {method}, {setting}",
        family="differences",
        claim="95 % or more" if setting == "few discordant" else "95 %",
        setting=f"100 common items, only one right on {rates[1]:g} and {rates[2]:g}",
        page="paired-difference",
        experiment=covered_tables(
            partial(paired_difference_interval, method=method),
            partial(_tables, rates),
            rates[1] - rates[2],
        ),
        allowed=PAIRED_CLAIMS.get((method, setting), (0.935, 0.965)),
        seed=1201,
        short=2000,
        long=20_000,
        falls_short=SHORT_OF.get(setting) if wald else None,
        note="too short when few items tell the two apart; take tango"
        if wald and setting in SHORT_OF
        else "",
    )


def _two_samples(rng: np.random.Generator, draws: int) -> np.ndarray:
    return np.column_stack([rng.binomial(40, 0.8, draws), rng.binomial(60, 0.1, draws)])


DECLARED = [
    *(_independent(method) for method in INDEPENDENT),
    *(
        _paired(method, setting)
        for method in ("tango", "newcombe-paired", "bonett-price", "wald")
        for setting in PAIRED
    ),
    Certificate(
        name="ratio of shares",
        family="differences",
        claim="95 %",
        setting="0.8 of 40 against 0.1 of 60",
        page="detection",
        experiment=covered_tables(
            lambda x, y: share_ratio_interval((x, 40), (y, 60)), _two_samples, 8.0
        ),
        seed=1202,
        short=2000,
        long=20_000,
    ),
    Certificate(
        name="ratio of odds",
        family="differences",
        claim="95 %",
        setting="0.8 of 40 against 0.1 of 60",
        page="detection",
        experiment=covered_tables(
            lambda x, y: odds_ratio_interval((x, 40 - x, y, 60 - y)), _two_samples, 36.0
        ),
        seed=1203,
        short=2000,
        long=20_000,
    ),
]

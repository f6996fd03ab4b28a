"""Intervals for the difference and the ratio of two shares, independent or on common items."""

from functools import partial
from typing import Any

import numpy as np

from certificates.declaration import Certificate
from certificates.experiments import covering, covering_two
from certificates.search import Cell, Search, Space
from steelyard.uncertainty import (
    difference_interval,
    odds_ratio_interval,
    paired_difference_interval,
    share_ratio_interval,
)

__all__ = ["COMMON", "DECLARED", "INDEPENDENT", "paired_draw"]

SHARES = (0.01, 0.1, 0.5, 0.8, 0.9, 0.99)
INDEPENDENT = Space(axes={"m": (5, 20, 100), "n": (5, 20, 200), "p": SHARES, "q": SHARES})
"""Two samples of unlike size."""
COMMON = Space(
    axes={
        "n": (10, 30, 100, 300),
        "apart": (0.02, 0.1, 0.3, 0.6),
        "won": (0.5, 0.7, 0.9, 0.99),
        "right": (0.5, 0.95),
    },
    possible=lambda cell: cell["n"] * cell["apart"] >= 1,
)
"""Common items: the share on which one system alone is right, the part of it that the first wins,
and the part of the rest that both have right."""

LEAST = {"miettinen-nurminen": 0.83, "newcombe": 0.83, "mee": 0.83, "agresti-caffo": 0.83,
         "wald": 0.83}  # fmt: skip
PAIRED = {"tango": 0.85, "newcombe-paired": 0.83, "bonett-price": 0.9, "wald": 0.85}


def paired_chances(cell: Cell) -> tuple[float, ...]:
    """Both right, only the first, only the second, neither."""
    apart, won, right = cell["apart"], cell["won"], cell["right"]
    return (1 - apart) * right, apart * won, apart * (1 - won), (1 - apart) * (1 - right)


def paired_draw(cell: Cell, rng: np.random.Generator, draws: int) -> np.ndarray:
    """Draw tables of two systems on common items."""
    return rng.multinomial(int(cell["n"]), paired_chances(cell), size=draws)


def _lead(cell: Cell) -> float:
    return cell["apart"] * (2 * cell["won"] - 1)


def _certificate(name: str, least: float, search: Search, **more: Any) -> Certificate:
    return Certificate(
        name=name,
        family="differences",
        claim=f"95 % on average, and never under {least:.0%}",
        experiment=search,
        allowed=(least, 1.0),
        **more,
    )


def _independent(method: str) -> Certificate:
    wald = method == "wald"
    trial = covering_two(partial(difference_interval, method=method), lambda p, q: p - q)
    return _certificate(
        f"difference, {method}",
        LEAST[method],
        Search(space=INDEPENDENT, trial=trial, seek="lowest"),
        setting="two independent samples, exact",
        page="paired-difference",
        long=0,
        falls_short=(0.0, 0.2) if wald else None,
        note="too short; take miettinen-nurminen" if wald else "",
    )


def _paired(method: str) -> Certificate:
    wald = method == "wald"
    trial = covering(partial(paired_difference_interval, method=method), paired_draw, _lead)
    return _certificate(
        f"paired difference, {method}",
        PAIRED[method],
        Search(space=COMMON, trial=trial, seek="lowest"),
        setting="two systems on common items",
        page="paired-difference",
        seed=1201,
        short=1000,
        long=4000,
        falls_short=(0.5, 0.75) if wald else None,
        note="too short when few items tell the two apart; take tango" if wald else "",
    )


def _odds(first: tuple[int, int], second: tuple[int, int]) -> tuple[float, float | None]:
    (x, m), (y, n) = first, second
    return odds_ratio_interval((x, m - x, y, n - y))


DECLARED = [
    *(_independent(method) for method in LEAST),
    *(_paired(method) for method in PAIRED),
    _certificate(
        "ratio of shares, log",
        0.83,
        Search(
            space=INDEPENDENT,
            trial=covering_two(share_ratio_interval, lambda p, q: p / q),
            seek="lowest",
        ),
        setting="two independent samples, exact",
        page="ratios",
        long=0,
        falls_short=(0.0, 0.5),
        note="too short where a small sample is all right or all wrong; take ratio_interval, as "
        "likelihood ratios do",
    ),
    _certificate(
        "ratio of odds, log",
        0.83,
        Search(
            space=INDEPENDENT,
            trial=covering_two(_odds, lambda p, q: p * (1 - q) / (q * (1 - p))),
            seek="lowest",
        ),
        setting="two independent samples, exact",
        page="detection",
        long=0,
    ),
]

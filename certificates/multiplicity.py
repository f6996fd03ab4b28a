"""Many questions at once: how often any of the answers is wrong."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import combinations
from typing import Any

import numpy as np
from scipy.special import ndtri

from certificates.apart import FAMILY
from certificates.declaration import AT_MOST_5, Certificate, Experiment, Found
from steelyard.comparison import (
    compare_with_best,
    compare_with_control,
    mcnemar,
    rank_sets,
)
from steelyard.comparison.sequential.evidence import log_evidence
from steelyard.counts import Outcomes, PairTable
from steelyard.uncertainty import (
    benjamini_hochberg,
    bonferroni,
    holm,
    shaffer_dynamic,
    shaffer_static,
)

__all__ = ["DECLARED", "closed_values"]

ALPHA = 0.05
ITEMS = 200
NAMES = ("A", "B", "C", "D")
PAIRS = list(combinations(range(4), 2))
TRUTHS = {
    "all equal": (0.85, 0.85, 0.85, 0.85),
    "three equal, one apart": (0.95, 0.8, 0.8, 0.8),
    "two and two": (0.93, 0.93, 0.8, 0.8),
}
ALIKE = 0.5
"""Correlation of the normal variables behind the outcomes: items are hard for all."""
ADJUSTED: dict[str, Callable[[Sequence[float]], Sequence[float]]] = {
    "Bonferroni": bonferroni,
    "Holm": holm,
    "Shaffer, static": partial(shaffer_static, systems=4),
    "Shaffer, dynamic": partial(shaffer_dynamic, systems=4),
}
SETTING = f"{ITEMS} common items, four systems, mid-p McNemar"


def _patterns(rng: np.random.Generator, rates: Sequence[float], size: tuple[int, ...]):
    """Draw outcome patterns; bit j is set when system j is right."""
    shared = rng.standard_normal((*size, 1)) * ALIKE**0.5
    own = rng.standard_normal((*size, len(rates))) * (1 - ALIKE) ** 0.5
    return ((shared + own) < ndtri(np.array(rates))) @ (1 << np.arange(len(rates)))


def _outcomes(rng: np.random.Generator, rates: Sequence[float], items: int = ITEMS) -> Outcomes:
    codes, times = np.unique(_patterns(rng, rates, (items,)), return_counts=True)
    found = dict(zip(codes.tolist(), times.tolist(), strict=True))
    return Outcomes.from_patterns(found, systems=NAMES[: len(rates)])


@cache
def _mid_p(first: int, second: int) -> float:
    return mcnemar(PairTable(both=0, first=first, second=second, neither=0)).p_value


Drawn = tuple[tuple[float, ...], tuple[int, ...]]
"""P-values of all pairs, and the right answers of each system."""


@cache
def _drawn(rates: tuple[float, ...], draws: int, seed: int) -> list[Drawn]:
    """Draw once for all procedures: each has to judge the same tests."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(draws):
        outcomes = _outcomes(rng, rates)
        pairs = [outcomes.pair(NAMES[one], NAMES[two]) for one, two in PAIRS]
        p_values = tuple(_mid_p(pair.first, pair.second) for pair in pairs)
        found.append((p_values, tuple(outcomes.correct())))
    return found


def _counted(draws: int, hits: int, **more: float) -> Found:
    return Found(share=hits / draws, draws=draws, hits=hits, more=more)


def _family(
    adjust: Callable[[Sequence[float]], Sequence[float]], rates: tuple[float, ...]
) -> Experiment:
    """Count the draws in which some pair of equal systems is called different."""
    equal = [rates[one] == rates[two] for one, two in PAIRS]

    def experiment(draws: int, seed: int) -> Found:
        hits = 0
        for p_values, _ in _drawn(rates, draws, seed):
            adjusted = adjust(p_values)
            hits += any(p <= ALPHA for p, same in zip(adjusted, equal, strict=True) if same)
        return _counted(draws, hits)

    return experiment


def _discoveries(rates: tuple[float, ...]) -> Experiment:
    """Pick one of the findings of each draw, if there are any, and count when it is false.

    The chance of that is the false discovery rate, and the count is binomial.
    """
    equal = np.array([rates[one] == rates[two] for one, two in PAIRS])

    def experiment(draws: int, seed: int) -> Found:
        rng = np.random.default_rng([seed, 1])
        hits = 0
        for p_values, _ in _drawn(rates, draws, seed):
            adjusted = np.array(benjamini_hochberg(p_values))
            found = np.flatnonzero(adjusted <= ALPHA)
            hits += bool(found.size) and bool(equal[rng.choice(found)])
        return _counted(draws, hits)

    return experiment


def closed_values(e_values: np.ndarray) -> np.ndarray:
    """Adjust rows of e-values as ``closed_by_averaging`` does, all rows at once."""
    number = e_values.shape[1]
    adjusted = np.empty_like(e_values)
    for place in range(number):
        others = np.sort(np.delete(e_values, place, axis=1), axis=1).cumsum(axis=1)
        whole = np.column_stack([e_values[:, place], e_values[:, [place]] + others])
        adjusted[:, place] = (whole / np.arange(1, number + 1)).min(axis=1)
    return adjusted


def _closed(rates: Sequence[float], items: int = 600) -> Experiment:
    """Look after every item, and count the campaigns that ever call equal systems different."""
    equal = [rates[one] == rates[two] for one, two in PAIRS]
    bits = (np.arange(16)[:, None] >> np.arange(4)) & 1
    moves = np.stack([bits[:, one] - bits[:, two] for one, two in PAIRS], axis=1)

    def experiment(draws: int, seed: int) -> Found:
        moved = moves[_patterns(np.random.default_rng(seed), rates, (items, draws))]
        won, lost = (np.zeros((draws, len(PAIRS)), dtype=np.int64) for _ in range(2))
        counts = np.arange(
            int(max((moved > 0).sum(axis=0).max(), (moved < 0).sum(axis=0).max())) + 1
        )
        table = np.exp(np.minimum(log_evidence(counts[:, None], counts[None, :])[0], 600))
        ever = np.zeros(draws, dtype=bool)
        for step in moved:
            won, lost = won + (step > 0), lost + (step < 0)
            ever |= (closed_values(table[won, lost])[:, equal] >= 1 / ALPHA).any(axis=1)
        return _counted(draws, int(ever.sum()))

    return experiment


def _with_best(rates: tuple[float, ...]) -> Experiment:
    """Count the draws in which all limits of rate minus best other hold together."""
    truths = [rate - max(rates[:place] + rates[place + 1 :]) for place, rate in enumerate(rates)]

    def experiment(draws: int, seed: int) -> Found:
        rng = np.random.default_rng(seed)
        hits = 0
        for _ in range(draws):
            rows = compare_with_best(_outcomes(rng, rates, 100))
            hits += all(r.low <= truth <= r.high for r, truth in zip(rows, truths, strict=True))
        return _counted(draws, hits)

    return experiment


def _with_control(rates: Sequence[float]) -> Experiment:
    """Count the draws in which a system as good as the control is called different."""
    equal = {name for name, rate in zip(NAMES, rates, strict=True) if rate == rates[0]}

    def experiment(draws: int, seed: int) -> Found:
        rng = np.random.default_rng(seed)
        hits = 0
        for _ in range(draws):
            rows = compare_with_control(_outcomes(rng, rates), "A")
            hits += any(row.adjusted <= ALPHA for row in rows if row.system in equal)
        return _counted(draws, hits)

    return experiment


def _ranked(rates: tuple[float, ...]) -> Experiment:
    """Count the draws in which every rank set holds the true rank of its system.

    Of equal systems any order is true: their ranks run from the first to the last of them.
    """
    low = [1 + sum(other > rate for other in rates) for rate in rates]
    high = [sum(other >= rate for other in rates) for rate in rates]

    def experiment(draws: int, seed: int) -> Found:
        hits = 0
        for p_values, correct in _drawn(rates, draws, seed):
            adjusted = shaffer_static(p_values, systems=4)
            pairs = [(NAMES[one], NAMES[two]) for one, two in PAIRS]
            decided = {pair: p <= ALPHA for pair, p in zip(pairs, adjusted, strict=True)}
            seen = [right / ITEMS for right in correct]
            sets = rank_sets(NAMES, seen, decisions=decided)
            hits += all(
                s.lowest <= least and most <= s.highest
                for s, least, most in zip(sets, low, high, strict=True)
            )
        return _counted(draws, hits)

    return experiment


def _certificate(name: str, experiment: Experiment, **more: Any) -> Certificate:
    return Certificate(
        name=name,
        family="multiplicity",
        claim=more.pop("claim", "any equal pair called different in at most 5 %"),
        setting=more.pop("setting", SETTING),
        page=more.pop("page", "multiplicity"),
        experiment=experiment,
        allowed=more.pop("allowed", AT_MOST_5),
        seed=2501,
        short=more.pop("short", 200),
        long=more.pop("long", 6000),
    )


DECLARED = [
    _certificate(
        "verdicts on several rates apart, unequal tests",
        FAMILY,
        setting=(
            "searched: 3 to 10 systems of equal rates .5 to .99, every second one tested on 3 to "
            "30 items of its own, the others on 1,000 or 100,000 to 200,000"
        ),
        page="more-tests",
        short=100,
        long=4000,
    ),
    *(
        _certificate(f"{name}, {words}", _family(adjust, rates))
        for name, adjust in ADJUSTED.items()
        for words, rates in TRUTHS.items()
    ),
    *(
        _certificate(
            f"Benjamini-Hochberg, {words}",
            _discoveries(rates),
            claim="at most 5 % of the findings false",
        )
        for words, rates in TRUTHS.items()
    ),
    *(
        _certificate(
            f"e-values closed by averaging, {words}",
            _closed(rates),
            setting="four systems, looked at after every one of 600 common items",
            page="evidence",
            allowed=(0.0, 0.05),
            short=40,
            long=2000,
        )
        for words, rates in TRUTHS.items()
    ),
    *(
        _certificate(
            f"against a control, {words}",
            _with_control(rates),
            claim="any equal system called different in at most 5 %",
            page="more-tests",
            short=100,
            long=4000,
        )
        for words, rates in (
            ("all equal", (0.85, 0.85, 0.85, 0.85)),
            ("one of three equal", (0.85, 0.85, 0.95, 0.75)),
        )
    ),
    *(
        _certificate(
            f"comparisons with the best, {words}",
            _with_best(rates),
            claim="all limits hold together in 95 % or more",
            setting="100 common items, four systems, Tango's intervals",
            page="more-tests",
            allowed=(0.945, 1.0),
            short=100,
            long=4000,
        )
        for words, rates in TRUTHS.items()
    ),
    *(
        _certificate(
            f"rank sets, {words}",
            _ranked(rates),
            claim="all true ranks held in 95 % or more",
            page="more-tests",
            allowed=(0.945, 1.0),
        )
        for words, rates in (*TRUTHS.items(), ("all apart", (0.9, 0.87, 0.84, 0.8)))
    ),
]

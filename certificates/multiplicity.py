"""Many questions at once: how often any of the answers is wrong."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import combinations
from typing import Any, Literal

import numpy as np
from scipy.special import ndtri

from certificates.apart import FAMILY
from certificates.declaration import AT_MOST_5, Certificate, Experiment, Found
from certificates.search import Cell, Search, Space, Trial
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
NAMES = ("A", "B", "C", "D")
PAIRS = list(combinations(range(4), 2))
FIELDS = Space(
    axes={
        "items": (12, 50, 200),
        "rate": (0.6, 0.85, 0.95),
        "alike": (0.0, 0.7),
        "field": (0, 1, 2),
    },
    fixed=frozenset({"field"}),
)
"""All four equal, one ahead of the others, or two ahead of two; items are hard for all, or not."""
AHEAD = 0.6
"""The part of the errors of the others that those ahead make no longer."""
ADJUSTED: dict[str, Callable[[Sequence[float]], Sequence[float]]] = {
    "Bonferroni": bonferroni,
    "Holm": holm,
    "Shaffer, static": partial(shaffer_static, systems=4),
    "Shaffer, dynamic": partial(shaffer_dynamic, systems=4),
}
SETTING = "four systems on common items, mid-p McNemar"


def _rates(cell: Cell) -> tuple[float, ...]:
    rate = cell["rate"]
    better = rate + AHEAD * (1 - rate)
    ahead = int(cell["field"])
    return (better,) * ahead + (rate,) * (4 - ahead)


def _patterns(cell: Cell, rng: np.random.Generator, size: tuple[int, ...]) -> np.ndarray:
    """Draw outcome patterns; bit j is set when system j is right."""
    shared = rng.standard_normal((*size, 1)) * np.sqrt(cell["alike"])
    own = rng.standard_normal((*size, 4)) * np.sqrt(1 - cell["alike"])
    return np.asarray(((shared + own) < ndtri(np.array(_rates(cell)))) @ (1 << np.arange(4)))


def _outcomes(cell: Cell, rng: np.random.Generator) -> Outcomes:
    codes, times = np.unique(_patterns(cell, rng, (int(cell["items"]),)), return_counts=True)
    found = dict(zip(codes.tolist(), times.tolist(), strict=True))
    return Outcomes.from_patterns(found, systems=NAMES)


@cache
def _mid_p(first: int, second: int) -> float:
    return mcnemar(PairTable(both=0, first=first, second=second, neither=0)).p_value


Drawn = tuple[tuple[float, ...], tuple[int, ...]]
"""P-values of all pairs, and the right answers of each system."""
BITS = (np.arange(16)[:, None] >> np.arange(4)) & 1
MOVES = np.stack([BITS[:, one] - BITS[:, two] for one, two in PAIRS], axis=1)


def _drawn(cell: Cell, draws: int, rng: np.random.Generator) -> Iterator[Drawn]:
    """Draw tests, and judge each pair."""
    items = int(cell["items"])
    patterns = _patterns(cell, rng, (draws, items))
    moved, right = MOVES[patterns], BITS[patterns].sum(axis=1)
    won, lost = (moved > 0).sum(axis=1), (moved < 0).sum(axis=1)
    for first, second, correct in zip(won.tolist(), lost.tolist(), right.tolist(), strict=True):
        yield tuple(map(_mid_p, first, second)), tuple(correct)


def _equal(cell: Cell) -> list[bool]:
    rates = _rates(cell)
    return [rates[one] == rates[two] for one, two in PAIRS]


def _counted(draws: int, hits: int, **more: float) -> Found:
    return Found(share=hits / draws, draws=draws, hits=hits, more=more)


def _family(adjust: Callable[[Sequence[float]], Sequence[float]]) -> Trial:
    """Count the draws in which some pair of equal systems is called different."""

    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        equal, hits = _equal(cell), 0
        for p_values, _ in _drawn(cell, draws, rng):
            adjusted = adjust(p_values)
            hits += any(p <= ALPHA for p, same in zip(adjusted, equal, strict=True) if same)
        return _counted(draws, hits)

    return trial


def _discoveries(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Pick one of the findings of each draw, if there are any, and count when it is false.

    The chance of that is the false discovery rate, and the count is binomial.
    """
    equal, hits = np.array(_equal(cell)), 0
    for p_values, _ in _drawn(cell, draws, rng):
        found = np.flatnonzero(np.array(benjamini_hochberg(p_values)) <= ALPHA)
        hits += bool(found.size) and bool(equal[rng.choice(found)])
    return _counted(draws, hits)


def closed_values(e_values: np.ndarray) -> np.ndarray:
    """Adjust rows of e-values as ``closed_by_averaging`` does, all rows at once."""
    number = e_values.shape[1]
    adjusted = np.empty_like(e_values)
    for place in range(number):
        others = np.sort(np.delete(e_values, place, axis=1), axis=1).cumsum(axis=1)
        whole = np.column_stack([e_values[:, place], e_values[:, [place]] + others])
        adjusted[:, place] = (whole / np.arange(1, number + 1)).min(axis=1)
    return adjusted


def _closed(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Look after every item, and count the campaigns that ever call equal systems different."""
    equal = _equal(cell)
    moved = MOVES[_patterns(cell, rng, (int(cell["items"]), draws))]
    won, lost = (np.zeros((draws, len(PAIRS)), dtype=np.int64) for _ in range(2))
    most = max((moved > 0).sum(axis=0).max(), (moved < 0).sum(axis=0).max())
    counts = np.arange(int(most) + 1)
    table = np.exp(np.minimum(log_evidence(counts[:, None], counts[None, :])[0], 600))
    ever = np.zeros(draws, dtype=bool)
    for step in moved:
        won, lost = won + (step > 0), lost + (step < 0)
        ever |= (closed_values(table[won, lost])[:, equal] >= 1 / ALPHA).any(axis=1)
    return _counted(draws, int(ever.sum()))


def _with_best(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Count the draws in which all limits of rate minus best other hold together."""
    rates = _rates(cell)
    truths = [rate - max(rates[:place] + rates[place + 1 :]) for place, rate in enumerate(rates)]
    hits = 0
    for _ in range(draws):
        rows = compare_with_best(_outcomes(cell, rng))
        hits += all(r.low <= truth <= r.high for r, truth in zip(rows, truths, strict=True))
    return _counted(draws, hits)


def _with_control(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Count the draws in which a system as good as the control is called different."""
    rates, hits = _rates(cell), 0
    equal = {name for name, rate in zip(NAMES, rates, strict=True) if rate == rates[-1]}
    for _ in range(draws):
        rows = compare_with_control(_outcomes(cell, rng), NAMES[-1])
        hits += any(row.adjusted <= ALPHA for row in rows if row.system in equal)
    return _counted(draws, hits)


def _ranked(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Count the draws in which every rank set holds the true rank of its system.

    Of equal systems any order is true: their ranks run from the first to the last of them.
    """
    rates, hits = _rates(cell), 0
    low = [1 + sum(other > rate for other in rates) for rate in rates]
    high = [sum(other >= rate for other in rates) for rate in rates]
    pairs = [(NAMES[one], NAMES[two]) for one, two in PAIRS]
    for p_values, correct in _drawn(cell, draws, rng):
        adjusted = shaffer_static(p_values, systems=4)
        decided = {pair: p <= ALPHA for pair, p in zip(pairs, adjusted, strict=True)}
        sets = rank_sets(NAMES, [right / cell["items"] for right in correct], decisions=decided)
        hits += all(
            s.lowest <= least and most <= s.highest
            for s, least, most in zip(sets, low, high, strict=True)
        )
    return _counted(draws, hits)


def _searched(name: str, trial: Trial, **more: Any) -> Certificate:
    seek: Literal["lowest", "highest"] = more.pop("seek", "highest")
    said = more.pop("setting", SETTING)
    return _certificate(
        name,
        Search(space=FIELDS, trial=trial, seek=seek, beam=2, rounds=1),
        setting=f"{said}; {FIELDS.words()}",
        short=more.pop("short", 100),
        long=more.pop("long", 2000),
        **more,
    )


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
    *(_searched(name, _family(adjust)) for name, adjust in ADJUSTED.items()),
    _searched("Benjamini-Hochberg", _discoveries, claim="at most 5 % of the findings false"),
    _searched(
        "e-values closed by averaging",
        _closed,
        setting="four systems, looked at after every common item",
        page="evidence",
        allowed=(0.0, 0.05),
        short=40,
        long=2000,
    ),
    _searched(
        "against a control",
        _with_control,
        claim="any equal system called different in at most 5 %",
        page="more-tests",
        long=1200,
    ),
    _searched(
        "comparisons with the best",
        _with_best,
        claim="all limits hold together in 95 % or more",
        setting="four systems on common items, Tango's intervals",
        page="more-tests",
        seek="lowest",
        allowed=(0.93, 1.0),
        short=60,
        long=1000,
    ),
    _searched(
        "rank sets",
        _ranked,
        claim="all true ranks held in 95 % or more",
        page="more-tests",
        seek="lowest",
        allowed=(0.945, 1.0),
    ),
]

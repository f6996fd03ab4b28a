"""The few ways in which a claim is tried: in one setting, or in any cell of a space."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Literal

import numpy as np
from scipy.stats import binom

from certificates.declaration import Experiment, Found
from certificates.search import Cell, Trial
from steelyard.uncertainty import Coverage, coverage_of

__all__ = [
    "Limits",
    "Side",
    "averaged",
    "covered",
    "covering",
    "covering_share",
    "covering_two",
    "limits_of",
    "rejecting",
    "rejecting_two",
]

Limits = tuple[float, float | None]
"""Both ends of an interval; no upper one is None."""
Side = Literal["either", "low", "high"]
"""Which ends must hold the truth: both, the lower one, the upper one."""

ROUNDING = 1e-12
NEGLIGIBLE = 1e-8
"""Counts that are rarer in their sample are not summed; together they are below 0.00002."""


def limits_of(measure: Callable[[Any], Any]) -> Callable[[Any], tuple[float, float] | None]:
    """Ask a measure for its limits; None where it gives none."""

    def limits(counts: Any) -> tuple[float, float] | None:
        found = measure(counts).interval
        return None if found is None else (found.low, found.high)

    return limits


def covered(
    interval: Callable[[Any], tuple[float, float] | None],
    draw: Callable[[np.random.Generator], Any],
    truth: float,
) -> Experiment:
    """Draw data again and again, and count how often the interval holds the truth."""

    def experiment(draws: int, seed: int) -> Found:
        return _counted(coverage_of(interval, draw, truth, repetitions=draws, seed=seed))

    return experiment


def covering(
    interval: Callable[..., Limits | None],
    draw: Callable[[Cell, np.random.Generator, int], np.ndarray],
    truth: Callable[[Cell], float],
    side: Side = "either",
) -> Trial:
    """Try an interval of small tables in one cell of a space.

    Tables are drawn all at once, a row of whole numbers each; equal ones are judged once, also
    over all cells. A table for which there is no interval (None) is undefined and not counted.
    """
    judged = cache(interval)

    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        return _of_tables(judged, draw(cell, rng, draws), truth(cell), side)

    return trial


def covering_share(
    interval: Callable[[int, int], Limits], *, items: str = "n", share: str = "share"
) -> Trial:
    """Sum the coverage of an interval of one share over all outcomes of a cell."""

    @cache
    def ends(number: int) -> tuple[np.ndarray, np.ndarray]:
        return _ends([interval(x, number) for x in range(number + 1)])

    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        number, truth = int(cell[items]), cell[share]
        low, high = ends(number)
        held = (low <= truth + ROUNDING) & (truth <= high + ROUNDING)
        return Found(share=float(binom.pmf(np.arange(number + 1), number, truth) @ held))

    return trial


def averaged(trial: Trial, axis: str, values: Sequence[float]) -> Trial:
    """Take the mean of an exact trial over the values of one axis; the lowest stands beside it."""

    def mean(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        found = [trial({**cell, axis: value}, draws, rng).share for value in values]
        return Found(share=float(np.mean(found)), more={"lowest": float(min(found))})

    return mean


def covering_two(
    interval: Callable[[tuple[int, int], tuple[int, int]], Limits],
    truth: Callable[[float, float], float],
    side: Side = "either",
) -> Trial:
    """Sum the coverage of an interval of two independent shares over all pairs of counts.

    Cells have the axes ``m``, ``n`` (items) and ``p``, ``q`` (shares). Intervals are worked out
    once for each pair of counts, and only where it has a chance.
    """
    judged = cache(lambda x, m, y, n: interval((x, m), (y, n)))

    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        at = truth(cell["p"], cell["q"])

        def missed(x: int, m: int, y: int, n: int) -> bool:
            return not _holds(judged(x, m, y, n), at, side)

        return Found(share=1 - _chance_of(missed, cell))

    return trial


def rejecting_two(
    p_value: Callable[[tuple[int, int], tuple[int, int]], float], alpha: float = 0.05
) -> Trial:
    """Sum the size of a test of two independent shares over all pairs of counts.

    Cells have the axes ``m``, ``n`` and ``p``; a cell without ``q`` has the same share twice.
    """
    judged = cache(lambda x, m, y, n: p_value((x, m), (y, n)) <= alpha * (1 + 1e-9))

    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        return Found(share=_chance_of(judged, {"q": cell["p"], **cell}))

    return trial


def rejecting(
    p_value: Callable[[Any], float | None],
    draw: Callable[[Cell, np.random.Generator], Any],
    alpha: float = 0.05,
) -> Trial:
    """Draw data of a cell in which nothing differs, and count how often a test rejects."""

    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        found = [p_value(draw(cell, rng)) for _ in range(draws)]
        defined = [one for one in found if one is not None]
        hits = sum(one <= alpha * (1 + 1e-9) for one in defined)
        share = hits / len(defined) if defined else 0.0
        return Found(share=share, draws=len(defined), hits=hits, undefined=draws - len(defined))

    return trial


def _of_tables(
    interval: Callable[..., Limits | None], drawn: np.ndarray, truth: float, side: Side
) -> Found:
    tables, times = np.unique(drawn, axis=0, return_counts=True)
    hits = undefined = 0
    for cells, number in zip(tables.tolist(), times.tolist(), strict=True):
        ends = interval(*cells)
        if ends is None:
            undefined += number
        else:
            hits += number * _holds(ends, truth, side)
    draws = len(drawn) - undefined
    share = hits / draws if draws else 0.0
    return Found(share=share, draws=draws, hits=hits, undefined=undefined)


def _holds(ends: Limits, truth: float, side: Side) -> bool:
    low, high = ends
    # Relative, since ratios run into the thousands where a rounding is no miss.
    slack = ROUNDING * max(1.0, abs(truth))
    above = side == "high" or low - slack <= truth
    below = side == "low" or high is None or truth <= high + slack
    return above and below


def _ends(found: Sequence[Limits]) -> tuple[np.ndarray, np.ndarray]:
    low = np.array([one[0] for one in found])
    high = np.array([np.inf if one[1] is None else one[1] for one in found])
    return low, high


def _chance_of(happens: Callable[[int, int, int, int], bool], cell: Cell) -> float:
    """Sum the chance of all pairs of counts of two samples for which something happens."""
    m, n = int(cell["m"]), int(cell["n"])
    first, second = (
        binom.pmf(np.arange(size + 1), size, cell[share]) for size, share in ((m, "p"), (n, "q"))
    )
    total = 0.0
    for x in np.flatnonzero(first > NEGLIGIBLE).tolist():
        for y in np.flatnonzero(second > NEGLIGIBLE).tolist():
            if happens(x, m, y, n):
                total += float(first[x] * second[y])
    return total


def _counted(coverage: Coverage) -> Found:
    return Found(
        share=coverage.share,
        draws=coverage.repetitions,
        hits=coverage.hits,
        undefined=coverage.undefined,
    )

"""Samples to select the best system, whatever the rates are, when it leads by enough."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import ndtr, ndtri

from steelyard.comparison.selection import (
    least_favourable,
    probability_correct_selection,
    smallest_lead,
)
from steelyard.errors import RequestError, check_share
from steelyard.planning.sizes import LIMIT, samples_for
from steelyard.uncertainty import crossing

__all__ = [
    "SelectionSize",
    "selection_probability",
    "selection_resolution",
    "selection_samples",
]

SLACK = 1e-10
MOST_EXACT = 10_000
"""Beyond this many samples the normal approximation is used, which is 0 to 3 too small."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectionSize:
    """Samples of each system that guarantee the selection; None beyond the limit.

    ``exact`` says that the binomial sum was searched, not its normal approximation.
    """

    systems: int
    delta: float
    confidence: float
    samples: int | None
    reached: float | None
    exact: bool


def selection_samples(
    systems: int, *, delta: float, confidence: float = 0.95, limit: int = LIMIT
) -> SelectionSize:
    r"""Smallest n with which the system of most right answers is the best with ``confidence``.

    Whenever the best leads by ``delta`` or more, whatever the rates:
    :math:`\min\{n : \min_p PCS(n, k, \delta^*, p) \ge P^*\}`.

    Notes
    -----
    For independent test sets. Nothing is promised when the lead is smaller.

    References
    ----------
    .. [1] Gibbons, Olkin & Sobel (1977), Selecting and Ordering Populations, chapter 4;
       reprinted 1999, doi:10.1137/1.9781611971101.

    Examples
    --------
    >>> selection_samples(2, delta=0.1, confidence=0.9).samples
    82
    """
    _check(systems, delta, confidence)
    rough = _normal_samples(systems, delta, confidence)
    if rough > min(limit, MOST_EXACT):
        beyond = rough > limit
        samples = None if beyond else int(rough) + 1
        reached = None if samples is None else _normal(samples, systems, delta)
        return SelectionSize(
            systems=systems,
            delta=delta,
            confidence=confidence,
            samples=samples,
            reached=reached,
            exact=False,
        )
    samples = max(1, int(rough) - 3)
    while (
        selection_probability(samples, systems, delta=delta) >= confidence - SLACK and samples > 1
    ):
        samples = max(1, samples - 5)
    while selection_probability(samples, systems, delta=delta) < confidence - SLACK:
        samples += 1
    return SelectionSize(
        systems=systems,
        delta=delta,
        confidence=confidence,
        samples=samples,
        reached=selection_probability(samples, systems, delta=delta),
        exact=True,
    )


def selection_probability(samples: int, systems: int, *, delta: float) -> float:
    """Smallest chance, over all rates, that the best is selected when it leads by ``delta``.

    For more than 300 samples the least favourable rate is looked for near :math:`(1 + delta)/2`
    only, where it then lies.

    References
    ----------
    .. [1] Sobel & Huyett (1957), Bell System Technical Journal 36, 537-576,
       doi:10.1002/j.1538-7305.1957.tb02411.x.

    Examples
    --------
    >>> round(selection_probability(82, 2, delta=0.1), 9)
    0.90005937
    """
    if samples <= 300:
        return least_favourable(samples, systems, lead=delta).probability

    def at(rate: float) -> float:
        return probability_correct_selection(samples, systems, lead=delta, best_rate=rate)

    middle = (1 + delta) / 2
    if systems == 2:
        return at(middle)
    # A parabola through three rates: the curve is flat about its lowest point.
    step = 0.02 * (1 - delta)
    low, centre, high = (at(middle + move * step) for move in (-1, 0, 1))
    bend = low - 2 * centre + high
    if bend <= 0:
        return min(low, centre, high)
    move = min(max((low - high) / (2 * bend), -1.0), 1.0)
    return min(centre, at(middle + move * step))


def selection_resolution(samples: int, systems: int, *, confidence: float = 0.95) -> float:
    """Smallest lead of the best that a test of this size resolves.

    Beyond 10,000 samples by the normal approximation, which is good to four digits there.

    References
    ----------
    .. [1] Gibbons, Olkin & Sobel (1977), doi:10.1137/1.9781611971101.

    Examples
    --------
    >>> round(selection_resolution(82, 2, confidence=0.9), 5)
    0.09997
    """
    if samples <= 300:
        return smallest_lead(samples, systems, confidence=confidence)
    _check(systems, 0.5, confidence)
    # A lead of 0 decides nothing and one of 1 everything: the search stays between.
    guess = crossing(lambda lead: _normal(samples, systems, lead) - confidence, 1e-9, 1 - 1e-9)
    if samples > MOST_EXACT:
        return guess

    def excess(lead: float) -> float:
        return selection_probability(samples, systems, delta=lead) - confidence

    return crossing(excess, guess * 0.95, min(guess * 1.05, 1 - 1e-9))


def _check(systems: int, delta: float, confidence: float) -> None:
    check_share("confidence", confidence)
    if systems < 2:
        message = f"systems={systems!r}; a selection is made among 2 or more."
        raise RequestError(message)
    if confidence <= 1 / systems:
        message = (
            f"confidence={confidence!r} is reached by picking at random among {systems} systems. "
            f"The nearest request that needs a test is confidence={1 / systems + 0.01:.2g} "
            f"(--confidence {1 / systems + 0.01:.2g})."
        )
        raise RequestError(message)
    if not 0 < delta < 1:
        message = (
            f"delta={delta!r}; the lead of the best lies above 0 and below 1, such as delta=0.02 "
            "(--delta 0.02)."
        )
        raise RequestError(message)


def _normal(samples: float, systems: int, delta: float) -> float:
    """Normal approximation at the middle rate, averaged over the best by the trapezoid rule."""
    lead = delta * sqrt(samples / ((1 - delta * delta) / 4))
    nodes = np.arange(-8, 8.01, 0.125)
    weights = np.exp(-nodes * nodes / 2)
    return float(weights @ ndtr(nodes + lead) ** (systems - 1) / weights.sum())


def _normal_samples(systems: int, delta: float, confidence: float) -> float:
    start = (1 - delta * delta) / 2 * (float(ndtri(max(confidence, 0.6))) / delta) ** 2
    found = samples_for(
        lambda n: 1 - _normal(n, systems, delta), 1 - confidence, start=max(start, 1.0), limit=1e12
    )
    return 1e12 if found is None else found

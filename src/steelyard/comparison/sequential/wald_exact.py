"""Exact properties of sequential tests on discordant pairs: a random walk on whole numbers."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from steelyard.comparison.sequential.wald import WaldTest, wald_bounds
from steelyard.comparison.sequential.wald_characteristic import WaldProperties
from steelyard.errors import RequestError

__all__ = ["WalkStep", "wald_exact_properties", "walk"]

Floats = NDArray[np.float64]

LEFT = 1e-18
"""The walk ends when less probability than this is still open."""

LONGEST = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkStep:
    """Probability that ended on either side at this number of pairs, and what is still open.

    ``open`` holds the probabilities of ``lowest``, ``lowest + 1``, ... wins of the second system.
    """

    pairs: int
    keep: float
    take: float
    lowest: int
    open: Floats


def wald_exact_properties(test: WaldTest, *, win: float, cap: int | None = None) -> WaldProperties:
    """Exact operating characteristic and expected number of discordant pairs.

    The distribution of the second system's wins among t discordant pairs that are still
    undecided is carried from t to t + 1 and cut at the two lines, until less than 1e-18 is open (or
    until ``cap`` pairs). The neglected rest changes no probability by more than 1e-12; the field
    ``error`` says how much is left.

    Parameters
    ----------
    test
        The bounds.
    win
        Probability that the second system wins a discordant pair, u/(1 + u).
    cap
        Stop after so many discordant pairs; what is open then is reported, not decided.

    Notes
    -----
    Exact for looking after every discordant pair. Looking less often makes errors smaller and
    the test longer.

    References
    ----------
    .. [1] Aroian (1968), Sequential analysis, direct method, Technometrics 10, 125-132. The test:
       doi:10.1214/aoms/1177731118.

    Examples
    --------
    >>> from steelyard.comparison.sequential.wald import paired_wald_test
    >>> answer = wald_exact_properties(paired_wald_test(0.5, 0.6), win=0.5)
    >>> round(answer.expected_pairs, 4), round(answer.take, 6)
    (102.8885, 0.046465)
    """
    if not 0 <= win <= 1:
        message = f"win={win!r} is no probability; expected a number in [0, 1]."
        raise RequestError(message)
    if cap is not None and cap < 1:
        message = f"cap={cap!r}; a test needs room for at least 1 discordant pair."
        raise RequestError(message)
    keep = take = 0.0
    expected, left = 1.0, 1.0  # E(t) adds up P(t > 0) = 1, P(t > 1), ...
    for step in walk(test, win=win):
        keep += step.keep
        take += step.take
        left = float(step.open.sum())
        if step.pairs == cap or left < LEFT:
            break
        expected += left
    return WaldProperties(
        ratio=test.ratio,
        win=win,
        keep=keep,
        take=take,
        open=left,
        expected_pairs=expected,
        method="exact",
        error=left if cap is None else 0.0,
    )


def walk(test: WaldTest, *, win: float) -> Iterator[WalkStep]:
    """Carry the undecided distribution from one discordant pair to the next.

    Examples
    --------
    >>> from steelyard.comparison.sequential.wald import wald_test
    >>> steps = walk(wald_test(1, 2.5, ratio="u"), win=0.5)
    >>> [next(steps).open.tolist() for _ in range(2)]
    [[0.5, 0.5], [0.25, 0.5, 0.25]]
    """
    lowest, mass = 0, np.ones(1)
    for pairs in range(1, LONGEST):
        mass = np.concatenate([mass * (1 - win), [0.0]]) + np.concatenate([[0.0], mass * win])
        last_keep, first_take = wald_bounds(test, pairs)
        start = min(max(last_keep + 1 - lowest, 0), mass.size)
        end = min(max(first_take - lowest, start), mass.size)
        step = WalkStep(
            pairs=pairs,
            keep=float(mass[:start].sum()),
            take=float(mass[end:].sum()),
            lowest=lowest + start,
            open=mass[start:end],
        )
        yield step
        lowest, mass = step.lowest, step.open

"""Does an interval cover, a test err, as often as it says? Seeded simulation, binomial bounds."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from scipy.special import bdtr, bdtrc

from steelyard.errors import RequestError

__all__ = ["Coverage", "coverage_of", "rejections_of"]

Drawn = TypeVar("Drawn")
LUCK = 1e-4
"""Some 300 certificates are judged in a run: one fails by bad luck in about thirty runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How often it happened; draws without an answer are ``undefined`` and not counted."""

    hits: int
    repetitions: int
    undefined: int
    seed: int

    @property
    def share(self) -> float:
        """Share of hits among the draws that had an answer."""
        return self.hits / self.repetitions

    def within(self, low: float, high: float, *, luck: float = LUCK) -> bool:
        """Tell whether a true coverage in [low, high] explains the hits, but for bad luck.

        >>> Coverage(hits=940, repetitions=1000, undefined=0, seed=1).within(0.94, 0.96)
        True
        """
        at_most = float(bdtr(self.hits, self.repetitions, low))
        at_least = float(bdtrc(self.hits - 1, self.repetitions, high)) if self.hits else 1.0
        return at_most > luck and at_least > luck


def coverage_of(
    interval: Callable[[Drawn], tuple[float, float] | None],
    draw: Callable[[np.random.Generator], Drawn],
    truth: float,
    *,
    repetitions: int,
    seed: int,
) -> Coverage:
    """Draw data again and again, and count how often the interval holds the truth.

    Parameters
    ----------
    interval : callable
        Gives the limits for what was drawn, or None where there is no interval.
    draw : callable
        Draws one data set.
    truth : float
        What the interval is to hold.
    repetitions, seed : int
        How often, and where the random numbers start.

    References
    ----------
    .. [1] Morris, White & Crowther (2019), Statistics in Medicine 38, 2074-2102,
       doi:10.1002/sim.8086.

    Examples
    --------
    >>> from steelyard.uncertainty import wilson_interval
    >>> def draw(rng):
    ...     return int(rng.binomial(50, 0.9))
    >>> found = coverage_of(lambda x: wilson_interval(x, 50), draw, 0.9, repetitions=500, seed=1)
    >>> found.within(0.93, 0.98)
    True
    """

    def holds(drawn: Drawn) -> bool | None:
        ends = interval(drawn)
        # Limits that are equal to the truth but for rounding hold it.
        return None if ends is None else ends[0] - 1e-12 <= truth <= ends[1] + 1e-12

    return _count(holds, draw, repetitions=repetitions, seed=seed)


def rejections_of(
    p_value: Callable[[Drawn], float | None],
    draw: Callable[[np.random.Generator], Drawn],
    *,
    alpha: float = 0.05,
    repetitions: int,
    seed: int,
) -> Coverage:
    """Draw data again and again, and count how often a test rejects at ``alpha``.

    Drawn where the null hypothesis is true, the share of hits is the size of the test; elsewhere
    its power.

    Parameters
    ----------
    p_value : callable
        Gives the p-value for what was drawn, or None where there is none.
    draw : callable
        Draws one data set.
    alpha : float
        Error rate that the test is asked to keep.
    repetitions, seed : int
        How often, and where the random numbers start.

    References
    ----------
    .. [1] Morris, White & Crowther (2019), Statistics in Medicine 38, 2074-2102,
       doi:10.1002/sim.8086.

    Examples
    --------
    >>> def draw(rng):
    ...     return float(rng.random())
    >>> rejections_of(lambda p: p, draw, repetitions=500, seed=1).within(0.05, 0.05)
    True
    """

    def rejects(drawn: Drawn) -> bool | None:
        found = p_value(drawn)
        return None if found is None else found <= alpha

    return _count(rejects, draw, repetitions=repetitions, seed=seed)


def _count(
    happens: Callable[[Drawn], bool | None],
    draw: Callable[[np.random.Generator], Drawn],
    *,
    repetitions: int,
    seed: int,
) -> Coverage:
    if repetitions < 1:
        message = f"repetitions={repetitions!r}; a simulation needs 1 or more."
        raise RequestError(message)
    rng = np.random.default_rng(seed)
    seen = [happens(draw(rng)) for _ in range(repetitions)]
    known = [one for one in seen if one is not None]
    return Coverage(
        hits=int(sum(known)), repetitions=len(known), undefined=repetitions - len(known), seed=seed
    )

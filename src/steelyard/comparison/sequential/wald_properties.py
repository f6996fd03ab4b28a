"""What Wald's test does: on average by his formulas, and exactly by a walk on whole numbers."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import exp, expm1, factorial, inf, log
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from steelyard.comparison.sequential.wald import SMALL, RatioName, WaldTest, wald_bounds
from steelyard.errors import RequestError
from steelyard.uncertainty.roots import crossing

__all__ = [
    "WaldProperties",
    "WalkStep",
    "check_win",
    "wald_exact_properties",
    "wald_properties",
    "walk",
]

TERMS = 25
"""Of each series; what follows is below 1e-30 of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaldProperties:
    """What a test does when the second system wins a discordant pair with probability ``win``.

    ``open`` is the probability that it has not ended at the cap (0 without a cap, up to
    ``error``); ``expected_pairs`` counts discordant pairs up to the end or the cap.
    """

    ratio: RatioName
    win: float
    keep: float
    take: float
    open: float
    expected_pairs: float
    method: Literal["wald", "exact"]
    error: float | None = None


def wald_properties(test: WaldTest, *, win: float) -> WaldProperties:
    r"""Operating characteristic and expected number of discordant pairs by Wald's formulas.

    With :math:`h` the non-zero root of :math:`E\,e^{hz} = 1`, :math:`A, B` the likelihood-ratio
    bounds,

    .. math:: P(\text{keep 1}) = \frac{A^h - 1}{A^h - B^h}, \qquad
              E(t) = \frac{P(\text{keep})\ln B + P(\text{take})\ln A}{E(z)},

    and their limits at :math:`E(z) = 0`.

    Notes
    -----
    The overshoot beyond the bounds is neglected: the expected number is too small, by about 5 % in
    the usual settings, more for large steps. Use the exact numbers for decisions.

    References
    ----------
    .. [1] Wald (1945), Annals of Mathematical Statistics 16, 117-186,
       doi:10.1214/aoms/1177731118.

    Examples
    --------
    >>> from steelyard.comparison.sequential.wald import wald_test
    >>> test = wald_test(1, 2.5, ratio="u")
    >>> [round(wald_properties(test, win=u / (1 + u)).expected_pairs, 4) for u in (1, 2.5)]
    [19.6531, 25.045]
    """
    check_win(win)
    gain, loss = (1 - test.slope) * test.step, -test.slope * test.step
    drift = win * gain + (1 - win) * loss
    root = _exponent(win, gain, loss)
    keep, take = _chances(root, test.log_keep, test.log_take)
    if abs(root) * (test.log_take - test.log_keep) < SMALL:
        expected = _expect_near(root, win, (gain, loss), (test.log_keep, test.log_take))
    else:
        expected = (keep * test.log_keep + take * test.log_take) / drift
    return WaldProperties(
        ratio=test.ratio,
        win=win,
        keep=keep,
        take=take,
        open=0.0,
        expected_pairs=expected,
        method="wald",
    )


def check_win(win: float) -> None:
    """Refuse what is not a probability."""
    if not 0 <= win <= 1:
        message = f"win={win!r} is not a probability; expected a number in [0, 1]."
        raise RequestError(message)


def _exponent(win: float, gain: float, loss: float) -> float:
    """Find the non-zero h with E exp(hz) = 1; infinite when z has one sign only."""
    if win in (0, 1):
        return inf if win == 0 else -inf

    def excess(h: float) -> float:
        return win * expm1(min(h * gain, 700.0)) + (1 - win) * expm1(min(h * loss, 700.0))

    # The function is convex and zero at 0, with the slope of the drift: the other zero lies on
    # the side where it goes down first, beyond its minimum.
    lowest = log((1 - win) * -loss / (win * gain)) / (gain - loss)
    if abs(lowest) * (gain - loss) < SMALL:
        return _exponent_near(win, gain, loss)
    far = 2 * lowest
    while excess(far) < 0:
        far *= 2
    return crossing(excess, lowest, far)


def _exponent_near(win: float, gain: float, loss: float) -> float:
    """Solve (E exp(hz) - 1) / h = 0 by its power series, where both sides nearly vanish at 0."""
    moments = [win * gain**k + (1 - win) * loss**k for k in range(1, TERMS)]
    h = 0.0
    for _ in range(40):
        rest = sum(m * h ** (k - 1) / factorial(k + 1) for k, m in enumerate(moments) if k)
        h = -moments[0] / rest
    return h


def _expect_near(
    root: float, win: float, steps: tuple[float, float], ends: tuple[float, float]
) -> float:
    r"""Expected number of pairs where the drift nearly vanishes, without 0 over 0.

    With :math:`g(x)=(1-e^{-x})/x`, the mean at the end is :math:`A(g(hL)-g(hA))/g(hL)`, and the
    drift is :math:`-h` times a series in h; h cancels.
    """
    low, high = ends
    length = high - low
    above = sum(
        (-1) ** k * root ** (k - 1) * (length**k - high**k) / factorial(k + 1)
        for k in range(1, TERMS)
    )
    whole = sum((-root * length) ** k / factorial(k + 1) for k in range(TERMS))
    drift = -sum(
        (win * steps[0] ** k + (1 - win) * steps[1] ** k) * root ** (k - 2) / factorial(k)
        for k in range(2, TERMS)
    )
    return float(high * above / whole / drift)


def _chances(root: float, low: float, high: float) -> tuple[float, float]:
    """Chances to end below and above, each a ratio without a difference from 1."""
    if root == 0:
        return high / (high - low), -low / (high - low)
    if root in (inf, -inf):
        return (1.0, 0.0) if root > 0 else (0.0, 1.0)
    if root < 0:
        above, below = _chances(-root, -high, -low)
        return below, above
    total = expm1(root * (low - high))
    return expm1(-root * high) / total, exp(-root * high) * expm1(root * low) / total


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
    check_win(win)
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

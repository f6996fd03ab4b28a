"""What Wald's test does on average, by his formulas."""

from dataclasses import dataclass
from math import exp, expm1, factorial, inf, log
from typing import Literal

from steelyard.comparison.sequential.wald import WaldTest
from steelyard.comparison.sequential.wald_ratios import RatioName
from steelyard.errors import RequestError
from steelyard.uncertainty.roots import crossing

__all__ = [
    "WaldProperties",
    "check_win",
    "wald_properties",
]

SMALL = 0.5
"""Exponents up to here, in units of the step or of the way, are worked out by power series."""

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
        expected = _expected_near(root, win, (gain, loss), (test.log_keep, test.log_take))
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
    """Refuse what is no probability."""
    if not 0 <= win <= 1:
        message = f"win={win!r} is no probability; expected a number in [0, 1]."
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


def _expected_near(
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

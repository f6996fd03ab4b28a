"""The symmetric sequential test: the first system to lead by so many discordant pairs is named."""

from dataclasses import dataclass
from fractions import Fraction
from math import atanh, inf, log, log1p, tanh

from scipy.special import expit

from steelyard.comparison.sequential.wald import RatioName
from steelyard.comparison.sequential.wald_properties import WaldProperties, check_win
from steelyard.comparison.sequential.whole_powers import bound_at, powers_of, reading_of
from steelyard.errors import RequestError

__all__ = ["LeadTest", "lead_test", "lead_test_properties"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadTest:
    """The symmetric test: the first system to lead by ``lead`` discordant pairs is named.

    ``error`` is the exact probability of naming the worse one when the ratio is ``smallest``.
    """

    ratio: RatioName
    smallest: float
    alpha: float
    lead: int
    error: float


def lead_test(smallest: float, *, alpha: float = 0.05, ratio: RatioName = "omega") -> LeadTest:
    r"""Build the symmetric test, u0 = 1/u* and u1 = u*: stop when one system leads by M pairs.

    .. math:: M = \left\lceil \frac{\ln((1-\alpha)/\alpha)}{\ln u^*} \right\rceil, \qquad
              P(\text{error at } u^*) = \frac{1}{1 + u^{*M}} \le \alpha.

    Notes
    -----
    It always names a winner, also of two equal systems, after :math:`M^2` discordant pairs on
    average. The error is guaranteed only where the ratio is at least ``smallest``.

    References
    ----------
    .. [1] Wald (1945), Annals of Mathematical Statistics 16, 117-186,
       doi:10.1214/aoms/1177731118; the error is that of the gambler's ruin.

    Examples
    --------
    >>> test = lead_test(1.5)
    >>> test.lead, round(test.error, 6)
    (8, 0.037553)
    """
    if not 1 < smallest < inf:
        message = f"smallest={smallest!r}; the smallest ratio that matters is above 1."
        raise RequestError(message)
    if not 0 < alpha < 0.5:
        message = f"alpha={alpha!r}; expected an error rate above 0 and below 0.5."
        raise RequestError(message)
    bound = bound_at((1 - reading_of(alpha)) / reading_of(alpha))
    powers = powers_of(reading_of(smallest), Fraction(1))
    lead = max(1, round(log((1 - alpha) / alpha) / log(smallest)))
    # The quotient of logarithms is at most a step off; whole powers say which lead is the first.
    while powers.side(lead, 0, bound) < 0:
        lead += 1
    while lead > 1 and powers.side(lead - 1, 0, bound) >= 0:
        lead -= 1
    error = 1 / (1 + smallest**lead)
    return LeadTest(ratio=ratio, smallest=smallest, alpha=alpha, lead=lead, error=error)


def lead_test_properties(test: LeadTest, *, win: float) -> WaldProperties:
    r"""Exact properties of the symmetric test when the second wins a pair with this probability.

    With :math:`r = q/(1-q)`: :math:`P(\text{take 2}) = r^M/(1+r^M)` and
    :math:`E(t) = M (2P(\text{take 2}) - 1)/(2q - 1)`, or :math:`M^2` at q = ½.

    Notes
    -----
    ``keep`` and ``take`` are the chances that the first and the second system are named.

    References
    ----------
    .. [1] Feller (1968), An Introduction to Probability Theory and Its Applications I, chapter 14;
       the test: doi:10.1214/aoms/1177731118.

    Examples
    --------
    >>> answer = lead_test_properties(lead_test(1.5), win=0.6)
    >>> round(answer.take, 6), round(answer.expected_pairs, 3)
    (0.962447, 36.996)
    """
    check_win(win)
    lead = test.lead
    edge = 2 * win - 1
    half = lead * _half_log_odds(win)  # half of log r^M
    expected = float(lead**2) if win == 0.5 else lead * tanh(half) / edge
    return WaldProperties(
        ratio=test.ratio,
        win=win,
        keep=float(expit(-2 * half)),
        take=float(expit(2 * half)),
        open=0.0,
        expected_pairs=expected,
        method="exact",
        error=0.0,
    )


def _half_log_odds(win: float) -> float:
    """Half the logarithm of the odds; near even odds from their distance, which is exact."""
    if win in {0.0, 1.0}:
        return (win - 0.5) * inf
    return atanh(2 * win - 1) if 0.25 < win < 0.75 else (log(win) - log1p(-win)) / 2

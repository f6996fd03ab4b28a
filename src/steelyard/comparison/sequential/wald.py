"""Wald's sequential test of two systems: keep the first, take the second, or go on testing."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import atanh, ceil, exp, expm1, factorial, floor, inf, log, log1p, tanh
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from steelyard.comparison.sequential.whole_powers import (
    Bound,
    Powers,
    bound_at,
    powers_of,
    reading_of,
)
from steelyard.errors import CountsError, RequestError, check_share
from steelyard.uncertainty.roots import crossing

__all__ = [
    "LeadTest",
    "RatioName",
    "WaldDecision",
    "WaldProperties",
    "WaldTest",
    "WalkStep",
    "check_win",
    "discordance_ratio",
    "lead_test",
    "lead_test_properties",
    "odds_ratio",
    "paired_wald_test",
    "wald_bounds",
    "wald_decision",
    "wald_exact_properties",
    "wald_properties",
    "wald_test",
    "walk",
]

# --- the two ratios a sequential test of two systems can be about --------------------------------


RatioName: TypeAlias = Literal["u", "omega"]
"""``u`` is the odds ratio of the two rates (independent samples, paired at random); ``omega`` is
P(only the second right) / P(only the first right) on common items. They differ."""


def odds_ratio(first: float, second: float) -> float:
    r"""Wald's ratio of efficiencies, :math:`u = p_2(1-p_1)/(p_1(1-p_2))`.

    Notes
    -----
    The parameter of the test when independent samples are paired at random; on common items the
    test is about :func:`discordance_ratio` instead.

    References
    ----------
    .. [1] Wald (1947), Sequential Analysis, chapter 6; doi:10.1214/aoms/1177731118 has the test.

    Examples
    --------
    >>> round(odds_ratio(0.90, 0.92), 2)
    1.28
    """
    for rate in (first, second):
        check_share("rate", rate)
    return second * (1 - first) / (first * (1 - second))


def discordance_ratio(first: float, second: float, *, discordance: float) -> float:
    r"""Ratio :math:`\omega = P(\text{only 2 right})/P(\text{only 1 right})` on common items.

    From the two rates and the share of discordant items :math:`\psi`:
    :math:`\omega = (\psi + p_2 - p_1)/(\psi - p_2 + p_1)`.

    Notes
    -----
    It depends on the discordance, so the same two rates may give any omega from the odds ratio
    (roughly, for unrelated systems) to infinity.

    References
    ----------
    .. [1] McNemar (1947), Psychometrika 12, 153-157, doi:10.1007/BF02295996.

    Examples
    --------
    >>> round(discordance_ratio(0.90, 0.92, discordance=0.06), 9)
    2.0
    """
    lead = second - first
    only_first, only_second = discordance - lead, discordance + lead
    # What is left of 0.1 - (0.6 - 0.5) is rounding, not a share of items.
    if not (min(only_first, only_second) > 1e-12 * discordance and discordance <= 1):
        message = (
            f"discordance={discordance!r} with rates {first!r} and {second!r}; it lies above the "
            "difference of the rates, and is at most 1."
        )
        raise RequestError(message)
    return only_second / only_first


# --- wald's sequential test of two systems: keep the first, take the second, or go on testing ----


NEAR = 1e-12
"""How near to a whole number a line is, relative to the pairs, before it is worked out exactly."""

WaldDecision: TypeAlias = Literal["keep first", "take second", "continue"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WaldTest:
    """Bounds of the test: keep the first at or below the lower line, take the second above.

    Of t discordant pairs t2 were won by the second system; the lines are
    ``keep_intercept + slope * t`` and ``take_intercept + slope * t``. ``log_keep`` and
    ``log_take`` are the same bounds for the log likelihood ratio.
    """

    ratio: RatioName
    null: float
    alternative: float
    alpha: float
    beta: float
    keep_intercept: float
    take_intercept: float
    slope: float
    log_keep: float
    log_take: float

    @property
    def step(self) -> float:
        """Log likelihood ratio gained when one more pair is won by the second system."""
        return log(self.alternative / self.null)


def wald_test(
    null: float, alternative: float, *, alpha: float = 0.05, beta: float = 0.1, ratio: RatioName
) -> WaldTest:
    r"""Bounds of Wald's sequential test of two binomial samples.

    H0: the ratio is at most u0 (``null``); H1: it is at least u1 (``alternative``). Only discordant
    pairs count. With :math:`D = \ln(u_1/u_0)`,

    .. math:: s = \frac{1}{D}\ln\frac{1+u_1}{1+u_0}, \qquad
              \text{keep 1 if } t_2 \le \tfrac1D \ln\tfrac{\beta}{1-\alpha} + s t, \qquad
              \text{take 2 if } t_2 \ge \tfrac1D \ln\tfrac{1-\beta}{\alpha} + s t.

    Parameters
    ----------
    null, alternative
        u0 and u1, with u0 < u1.
    alpha, beta
        Bounds wanted for the error of taking 2 at u0 and of keeping 1 at u1.
    ratio
        Which parameter is meant: ``u``, the odds ratio, for independent samples paired at random;
        ``omega`` on common items. With rates .90 and .92 and 6 % discordant items u is 1.28, omega
        2: a test for one is no test for the other.

    Notes
    -----
    The bounds are Wald's approximation: the errors add up to at most
    :math:`\alpha/(1-\beta) + \beta/(1-\alpha)` and are mostly below alpha and beta;
    :func:`steelyard.comparison.wald_exact_properties` has them exactly. "continue" is a
    legal answer of a finished test set. The decision belongs to the first crossing, so look after
    every discordant pair, or say at which looks the rule was applied.

    References
    ----------
    .. [1] Wald (1945), Annals of Mathematical Statistics 16, 117-186,
       doi:10.1214/aoms/1177731118; (1947) Sequential Analysis, chapter 6.

    Examples
    --------
    >>> test = wald_test(1, 2.5, ratio="u")
    >>> [round(x, 6) for x in (test.keep_intercept, test.take_intercept, test.slope)]
    [-2.456962, 3.154426, 0.61074]
    """
    if not 0 < null < alternative < inf:
        message = f"null={null!r}, alternative={alternative!r}; need 0 < null < alternative."
        raise RequestError(message)
    _check_errors(alpha, beta)
    if ratio not in ("u", "omega"):
        raise RequestError.for_choice(name="ratio", given=ratio, choices=("u", "omega"))
    step = log(alternative / null)
    low, high = log(beta / (1 - alpha)), log((1 - beta) / alpha)
    return WaldTest(
        ratio=ratio,
        null=null,
        alternative=alternative,
        alpha=alpha,
        beta=beta,
        keep_intercept=low / step,
        take_intercept=high / step,
        slope=(log1p(alternative) - log1p(null)) / step,
        log_keep=low,
        log_take=high,
    )


def paired_wald_test(
    null: float = 0.5, alternative: float = 0.6, *, alpha: float = 0.05, beta: float = 0.1
) -> WaldTest:
    r"""Wald's test on common items, stated in the chance q that the second wins a discordant item.

    H0: q = ``null`` against H1: q = ``alternative``; the log likelihood ratio
    :math:`t_2\ln\frac{q_1}{q_0} + (t-t_2)\ln\frac{1-q_1}{1-q_0}` is compared with ``log_keep`` and
    ``log_take``. It is :func:`wald_test` for :math:`\omega = q/(1-q)`.

    Notes
    -----
    q says nothing of how many items are discordant: a q of .6 is a difference of rates of 0.2
    times the share of discordant items.

    References
    ----------
    .. [1] Wald (1945), Annals of Mathematical Statistics 16, 117-186,
       doi:10.1214/aoms/1177731118.

    Examples
    --------
    >>> test = paired_wald_test(0.5, 0.6)
    >>> round(test.log_take, 6), round(test.log_keep, 6)
    (2.890372, -2.251292)
    """
    if not 0 < null < alternative < 1:
        message = f"null={null!r}, alternative={alternative!r}; need 0 < null < alternative < 1."
        raise RequestError(message)
    odds = [q / (1 - q) for q in (null, alternative)]
    return wald_test(odds[0], odds[1], alpha=alpha, beta=beta, ratio="omega")


def wald_decision(test: WaldTest, *, pairs: int, second_wins: int) -> WaldDecision:
    """Decision after ``pairs`` discordant pairs, of which the second system won ``second_wins``.

    Notes
    -----
    It is about this moment only: a path that has crossed a line before was decided there. Even
    one that has come back since.

    References
    ----------
    .. [1] Wald (1947), Sequential Analysis, chapter 6; doi:10.1214/aoms/1177731118 has the test.

    Examples
    --------
    >>> test = wald_test(1, 2.5, ratio="u")
    >>> [wald_decision(test, pairs=20, second_wins=wins) for wins in (9, 12, 16)]
    ['keep first', 'continue', 'take second']
    """
    if not 0 <= second_wins <= pairs:
        message = f"{second_wins} wins of {pairs} discordant pairs; need 0 <= wins <= pairs."
        raise CountsError(message, code="more-right-than-tested")
    last_keep, first_take = wald_bounds(test, pairs)
    if second_wins <= last_keep:
        return "keep first"
    return "take second" if second_wins >= first_take else "continue"


def wald_bounds(test: WaldTest, pairs: int) -> tuple[int, int]:
    r"""Most wins of the second at which the first is kept, and fewest at which the second is taken.

    After t pairs the likelihood ratio is :math:`(u_1/u_0)^{t_2} ((1+u_0)/(1+u_1))^t`. Where a whole
    number of wins lies on a line, it is compared in whole numbers: rounding would put it on either
    side and let the test run on.

    References
    ----------
    .. [1] Wald (1947), Sequential Analysis, chapter 6; doi:10.1214/aoms/1177731118 has the test.

    Examples
    --------
    >>> wald_bounds(wald_test(1 / 3, 3, alpha=0.1, beta=0.1, ratio="u"), 4)
    (1, 3)
    """
    powers, keep, take = _exactly(test)
    low = test.keep_intercept + test.slope * pairs
    high = test.take_intercept + test.slope * pairs
    last_keep, first_take = floor(low), ceil(high)
    reach = NEAR * (10 + pairs)
    if abs(low - round(low)) <= reach:
        wins = round(low)
        last_keep = wins if powers.side(wins, pairs, keep) <= 0 else wins - 1
    if abs(high - round(high)) <= reach:
        wins = round(high)
        first_take = wins if powers.side(wins, pairs, take) >= 0 else wins + 1
    return last_keep, first_take


@lru_cache(maxsize=256)
def _exactly(test: WaldTest) -> tuple[Powers, Bound, Bound]:
    """Read the numbers of a test as the fractions they were typed as."""
    null, alternative = reading_of(test.null), reading_of(test.alternative)
    alpha, beta = reading_of(test.alpha), reading_of(test.beta)
    powers = powers_of(alternative / null, (1 + null) / (1 + alternative))
    return powers, bound_at(beta / (1 - alpha)), bound_at((1 - beta) / alpha)


def _check_errors(alpha: float, beta: float) -> None:
    for name, rate in (("alpha", alpha), ("beta", beta)):
        check_share(name, rate)
    if alpha + beta >= 1:
        message = f"alpha={alpha!r} and beta={beta!r} add up to 1 or more; choose smaller errors."
        raise RequestError(message)


# --- what Wald's test does on average, by his formulas -------------------------------------------


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


# --- exact properties of sequential tests on discordant pairs: a random walk on whole numbers ----


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


# --- the symmetric sequential test: the first system to lead by so many discordant pairs is named


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

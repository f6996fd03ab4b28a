"""Wald's sequential test of two systems: keep the first, take the second, or go on testing."""

from dataclasses import dataclass
from math import ceil, exp, expm1, inf, log, log1p
from typing import Literal, TypeAlias

from steelyard.errors import CountsError, RequestError
from steelyard.uncertainty.roots import crossing

__all__ = [
    "LeadTest",
    "RatioName",
    "WaldDecision",
    "WaldProperties",
    "WaldTest",
    "discordance_ratio",
    "lead_test",
    "lead_test_properties",
    "odds_ratio",
    "paired_wald_test",
    "wald_decision",
    "wald_properties",
    "wald_test",
]

RatioName: TypeAlias = Literal["u", "omega"]
"""``u`` is the odds ratio of the two rates (independent samples, paired at random); ``omega`` is
P(only the second right) / P(only the first right) on common items. They differ."""

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
    :func:`steelyard.comparison.wald_exact.wald_exact_properties` has them exactly. "continue" is a
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
    It speaks of this moment only: a path that has crossed a line before was decided there. Even
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
    if second_wins <= test.keep_intercept + test.slope * pairs:
        return "keep first"
    if second_wins >= test.take_intercept + test.slope * pairs:
        return "take second"
    return "continue"


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
    >>> test = wald_test(1, 2.5, ratio="u")
    >>> [round(wald_properties(test, win=u / (1 + u)).expected_pairs, 4) for u in (1, 2.5)]
    [19.6531, 25.045]
    """
    _check_win(win)
    gain, loss = (1 - test.slope) * test.step, -test.slope * test.step
    drift = win * gain + (1 - win) * loss
    root = _exponent(win, gain, loss)
    if abs(root) < 1e-6:
        keep = test.log_take / (test.log_take - test.log_keep)
        spread = win * gain**2 + (1 - win) * loss**2
        expected = -test.log_take * test.log_keep / spread
    else:
        keep = _keep(root, test.log_keep, test.log_take)
        expected = (keep * test.log_keep + (1 - keep) * test.log_take) / drift
    return WaldProperties(
        ratio=test.ratio,
        win=win,
        keep=keep,
        take=1 - keep,
        open=0.0,
        expected_pairs=expected,
        method="wald",
    )


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
    lead = ceil(log((1 - alpha) / alpha) / log(smallest) * (1 - 1e-14))
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
    _check_win(win)
    lead = test.lead
    # log r^M; beyond 700 the worse system has no chance in double precision.
    power = lead * (log(win) - log1p(-win)) if 0 < win < 1 else (win - 0.5) * inf
    take = 1 / (1 + exp(-max(min(power, 700), -700))) if abs(power) < inf else win
    expected = float(lead**2) if win == 0.5 else lead * (2 * take - 1) / (2 * win - 1)
    return WaldProperties(
        ratio=test.ratio,
        win=win,
        keep=1 - take,
        take=take,
        open=0.0,
        expected_pairs=expected,
        method="exact",
        error=0.0,
    )


def odds_ratio(first: float, second: float) -> float:
    r"""Wald's ratio of efficiencies, :math:`u = p_2(1-p_1)/(p_1(1-p_2))`.

    Notes
    -----
    The parameter of the test when independent samples are paired at random; on common items the
    test speaks of :func:`discordance_ratio` instead.

    References
    ----------
    .. [1] Wald (1947), Sequential Analysis, chapter 6; doi:10.1214/aoms/1177731118 has the test.

    Examples
    --------
    >>> round(odds_ratio(0.90, 0.92), 2)
    1.28
    """
    for rate in (first, second):
        if not 0 < rate < 1:
            raise RequestError.for_level(name="rate", given=rate)
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
    only_first, only_second = discordance - second + first, discordance + second - first
    if not (min(only_first, only_second) > 0 and discordance <= 1):
        message = (
            f"discordance={discordance!r} with rates {first!r} and {second!r}; it lies above the "
            "difference of the rates, and is at most 1."
        )
        raise RequestError(message)
    return only_second / only_first


def _check_errors(alpha: float, beta: float) -> None:
    for name, rate in (("alpha", alpha), ("beta", beta)):
        if not 0 < rate < 1:
            raise RequestError.for_level(name=name, given=rate)
    if alpha + beta >= 1:
        message = f"alpha={alpha!r} and beta={beta!r} add up to 1 or more; choose smaller errors."
        raise RequestError(message)


def _check_win(win: float) -> None:
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
    if abs(lowest) < 1e-7:
        return 0.0
    far = 2 * lowest
    while excess(far) < 0:
        far *= 2
    return crossing(excess, lowest, far)


def _keep(root: float, low: float, high: float) -> float:
    if root in (inf, -inf):
        return 1.0 if root > 0 else 0.0
    if root > 0:
        return expm1(-root * high) / expm1(root * (low - high))
    return (expm1(root * high)) / (exp(root * high) - exp(min(root * low, 700.0)))

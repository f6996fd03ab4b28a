"""Wald's sequential test of two systems: keep the first, take the second, or go on testing."""

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, floor, inf, log, log1p
from typing import Literal, TypeAlias

from steelyard.comparison.sequential.whole_powers import (
    Bound,
    Powers,
    bound_at,
    powers_of,
    reading_of,
)
from steelyard.errors import CountsError, RequestError, check_share

__all__ = [
    "SMALL",
    "RatioName",
    "WaldDecision",
    "WaldTest",
    "discordance_ratio",
    "odds_ratio",
    "paired_wald_test",
    "wald_bounds",
    "wald_decision",
    "wald_test",
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

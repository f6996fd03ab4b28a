"""Intervals for one binomial share."""

from collections.abc import Callable
from math import sqrt

import numpy as np

from steelyard.errors import CountsError, RequestError, check_share
from steelyard.uncertainty.domain import (
    beta_quantile,
    beta_upper_quantile,
    choose_method,
    normal_quantile,
    successes_of_trials,
)
from steelyard.uncertainty.roots import crossing
from steelyard.uncertainty.special import betainc, betaincc, betaln, gammaln

__all__ = [
    "PROPORTION_INTERVALS",
    "agresti_coull_interval",
    "clopper_pearson_interval",
    "finite_correction",
    "finite_rate_interval",
    "jeffreys_interval",
    "midp_interval",
    "proportion_interval",
    "wald_interval",
    "wilson_interval",
    "wilson_interval_effective",
]

# --- intervals for one binomial share ------------------------------------------------------------


ProportionInterval = Callable[..., tuple[float, float]]


def wilson_interval(successes: int, trials: int, *, level: float = 0.95) -> tuple[float, float]:
    r"""Score interval for a binomial share: the default.

    The shares :math:`p` that a score test would not reject,
    :math:`|\hat p - p| \le z \sqrt{p(1-p)/n}` [1]_.

    Parameters
    ----------
    successes, trials : int
        ``0 <= successes <= trials``, at least one trial.
    level : float
        Coverage wanted, strictly between 0 and 1.

    Returns
    -------
    tuple of float
        Lower and upper limit; 0.0 exactly when nothing and 1.0 exactly when everything succeeded.

    Notes
    -----
    Coverage averages near ``level`` and dips below it for shares close to 0 or 1 [2]_.

    Made for one look: looked at again and again until it leaves a value out, it keeps 63 % instead
    of 95 % (docs/reference/certificates.md); take a confidence sequence.

    References
    ----------
    .. [1] Wilson (1927), JASA 22, 209-212, doi:10.1080/01621459.1927.10502953.
    .. [2] Brown, Cai & DasGupta (2001), Statistical Science 16, 101-133, doi:10.1214/ss/1009213286.

    Examples
    --------
    >>> low, high = wilson_interval(8, 10)
    >>> round(low, 3), round(high, 3)
    (0.49, 0.943)
    """
    won, tried = successes_of_trials(successes, trials)
    return _score_limits(won, tried - won, normal_quantile(level) ** 2)


def wilson_interval_effective(
    share: float, effective_trials: float, *, level: float = 0.95
) -> tuple[float, float]:
    r"""Score interval for a weighted share, with an effective number of trials in place of n.

    Kish's number :math:`n_e = (\sum w)^2 / \sum w^2` is how many rows of equal weight would give
    the weighted share the same variance [1]_; the limits are Wilson's with :math:`n_e`.

    Parameters
    ----------
    share : float
        Weighted share, in [0, 1].
    effective_trials : float
        Effective number of rows, above 0; need not be whole.
    level : float
        Coverage wanted, strictly between 0 and 1.

    Notes
    -----
    Exact when all weights are equal. Misleads when the weight goes with the outcome so strongly
    that a few rows decide the share: the effective number sees the weights, not the outcomes.

    References
    ----------
    .. [1] Kish (1965), Survey Sampling, Wiley, section 11.7.

    Examples
    --------
    >>> wilson_interval_effective(0.8, 10.0) == wilson_interval(8, 10)
    True
    """
    if not 0 <= share <= 1:
        message = f"share={share!r} is not in [0, 1]. Pass the weighted share itself."
        raise CountsError(message, code="share-range")
    if not 0 < effective_trials < float("inf"):
        message = f"effective_trials={effective_trials!r} is not above 0 and finite."
        raise CountsError(message, code="no-trials")
    won = share * effective_trials
    return _score_limits(won, effective_trials - won, normal_quantile(level) ** 2)


def clopper_pearson_interval(
    successes: int, trials: int, *, level: float = 0.95
) -> tuple[float, float]:
    r"""Exact interval: covers at least ``level`` for every share, usually more.

    The shares :math:`p` with both exact tails, :math:`P(X \ge x \mid p)` and
    :math:`P(X \le x \mid p)`, at least :math:`\alpha/2` [1]_.

    References
    ----------
    .. [1] Clopper & Pearson (1934), Biometrika 26, 404-413, doi:10.1093/biomet/26.4.404.

    Examples
    --------
    >>> low, high = clopper_pearson_interval(0, 10)
    >>> low, round(high, 4)
    (0.0, 0.3085)
    """
    won, tried = successes_of_trials(successes, trials)
    tail = _tail(level)
    low = beta_quantile(won, tried - won + 1, tail) if won else 0.0
    high = beta_upper_quantile(won + 1, tried - won, tail) if won < tried else 1.0
    return low, high


def midp_interval(successes: int, trials: int, *, level: float = 0.95) -> tuple[float, float]:
    r"""Exact tails with half the probability of what was seen: close to ``level`` on average.

    The limits solve :math:`P(X > x \mid p) + \tfrac12 P(X = x \mid p) = \alpha/2` and
    :math:`P(X < x \mid p) + \tfrac12 P(X = x \mid p) = \alpha/2` [1]_, by root finding.

    References
    ----------
    .. [1] Berry & Armitage (1995), The Statistician 44, 417-423, doi:10.2307/2348891.

    Examples
    --------
    >>> low, high = midp_interval(8, 10)
    >>> round(low, 4), round(high, 4)
    (0.4805, 0.965)
    """
    won, tried = successes_of_trials(successes, trials)
    tail = _tail(level)
    low = crossing(lambda p: _upper_midp(won, tried, p) - tail, 0.0, 1.0) if won else 0.0
    if won == tried:
        return low, 1.0
    return low, crossing(lambda p: _lower_midp(won, tried, p) - tail, 0.0, 1.0)


def jeffreys_interval(successes: int, trials: int, *, level: float = 0.95) -> tuple[float, float]:
    r"""Equal-tailed interval of the posterior under Jeffreys' prior, Beta(1/2, 1/2).

    Quantiles :math:`\alpha/2` and :math:`1-\alpha/2` of
    :math:`\mathrm{Beta}(x + \tfrac12, n - x + \tfrac12)`; the outer limit is 0 when nothing and 1
    when everything succeeded, while the inner limit keeps :math:`\alpha/2` [1]_.

    References
    ----------
    .. [1] Brown, Cai & DasGupta (2001), Statistical Science 16, 101-133, doi:10.1214/ss/1009213286.

    Examples
    --------
    >>> low, high = jeffreys_interval(0, 10)
    >>> low, round(high, 4)
    (0.0, 0.2172)
    """
    won, tried = successes_of_trials(successes, trials)
    tail = _tail(level)
    low = beta_quantile(won + 0.5, tried - won + 0.5, tail) if won else 0.0
    high = beta_upper_quantile(won + 0.5, tried - won + 0.5, tail) if won < tried else 1.0
    return low, high


def agresti_coull_interval(
    successes: int, trials: int, *, level: float = 0.95
) -> tuple[float, float]:
    r"""Wald's formula after adding :math:`z^2/2` successes and as many failures, cut to [0, 1].

    Its centre is Wilson's; it is never shorter [1]_.

    References
    ----------
    .. [1] Agresti & Coull (1998), The American Statistician 52, 119-126,
       doi:10.1080/00031305.1998.10480550.

    Examples
    --------
    >>> low, high = agresti_coull_interval(8, 10)
    >>> round(low, 4), round(high, 4)
    (0.4794, 0.9541)
    """
    won, tried = successes_of_trials(successes, trials)
    z = normal_quantile(level)
    number = tried + z * z
    centre = (won + z * z / 2) / number
    spread = z * sqrt(centre * (1 - centre) / number)
    return max(0.0, centre - spread), min(1.0, centre + spread)


def wald_interval(successes: int, trials: int, *, level: float = 0.95) -> tuple[float, float]:
    r"""Textbook interval :math:`\hat p \pm z \sqrt{\hat p (1 - \hat p)/n}`, cut to [0, 1].

    Notes
    -----
    Only for comparison with older work: it has no width when nothing or everything succeeded, and
    covers far less than ``level`` for small n or shares near 0 and 1 [1]_.

    References
    ----------
    .. [1] Brown, Cai & DasGupta (2001), Statistical Science 16, 101-133, doi:10.1214/ss/1009213286.

    Examples
    --------
    >>> wald_interval(10, 10)
    (1.0, 1.0)
    """
    won, tried = successes_of_trials(successes, trials)
    share = won / tried
    spread = normal_quantile(level) * sqrt(share * (1 - share) / tried)
    return max(0.0, share - spread), min(1.0, share + spread)


PROPORTION_INTERVALS: dict[str, ProportionInterval] = {
    "wilson": wilson_interval,
    "clopper-pearson": clopper_pearson_interval,
    "midp": midp_interval,
    "jeffreys": jeffreys_interval,
    "agresti-coull": agresti_coull_interval,
    "wald": wald_interval,
}
"""Every interval for one share, by name; the default comes first."""


def proportion_interval(
    successes: int, trials: int, *, level: float = 0.95, method: str = "wilson"
) -> tuple[float, float]:
    """Interval for one share by a named method of :data:`PROPORTION_INTERVALS`.

    Examples
    --------
    >>> proportion_interval(8, 10) == wilson_interval(8, 10)
    True
    """
    return choose_method(PROPORTION_INTERVALS, method)(successes, trials, level=level)


def _tail(level: float) -> float:
    normal_quantile(level)  # refuses a level outside (0, 1)
    return (1 - level) / 2


def _score_limits(won: float, lost: float, z2: float) -> tuple[float, float]:
    """Both roots of Wilson's quadratic, each without subtracting nearly equal numbers."""
    number = won + lost
    root = sqrt(z2 * (4 * won * lost / number + z2))
    high = 1.0 if lost == 0 else (2 * won + z2 + root) / (2 * (number + z2))
    # The product of both roots is won^2 / (number (number + z2)).
    low = 0.0 if won == 0 else 2 * won * won / (number * (2 * won + z2 + root))
    return low, high


def _upper_midp(won: int, tried: int, share: float) -> float:
    """P(X > won) + P(X = won) / 2; needs won >= 1."""
    more = float(betainc(won + 1, tried - won, share)) if won < tried else 0.0
    return (float(betainc(won, tried - won + 1, share)) + more) / 2


def _lower_midp(won: int, tried: int, share: float) -> float:
    """P(X < won) + P(X = won) / 2; needs won < tried."""
    fewer = float(betaincc(won, tried - won + 1, share)) if won else 0.0
    return (float(betaincc(won + 1, tried - won, share)) + fewer) / 2


# --- intervals for a benchmark of fixed size, of which only a part was tested --------------------


def finite_rate_interval(
    successes: int, trials: int, population: int, *, level: float = 0.95
) -> tuple[float, float]:
    r"""Interval of the rate on all N items of a benchmark, of which n drawn at random were tested.

    The tested items are known. Of the other :math:`N-n`, the number right is beta-binomial with
    the parameters :math:`k+\tfrac12` and :math:`n-k+\tfrac12`, by Jeffreys' prior [1]_, and the
    ends are its equal-tailed quantiles, added to k and divided by N.

    Parameters
    ----------
    successes, trials
        Right answers, and items tested.
    population
        Items of the whole benchmark.
    level
        Coverage, in (0, 1).

    Notes
    -----
    With :math:`N \to \infty` these are the ends of Jeffreys' interval; with all items tested both
    ends are the rate itself. The tested items must be a random part: the first ones need not be.

    References
    ----------
    .. [1] Ericson (1969), Journal of the Royal Statistical Society B 31, 195-224,
       doi:10.1111/j.2517-6161.1969.tb00782.x.

    Examples
    --------
    >>> low, high = finite_rate_interval(80, 100, 200)
    >>> round(low, 3), round(high, 3)
    (0.74, 0.85)
    >>> finite_rate_interval(80, 100, 100)
    (0.8, 0.8)
    """
    check_share("level", level)
    check_population(trials, population)
    left = population - trials
    a, b = successes + 0.5, trials - successes + 0.5
    right = np.arange(left + 1)
    ways = gammaln(left + 1) - gammaln(right + 1) - gammaln(left - right + 1)
    total = np.cumsum(np.exp(ways + betaln(right + a, left - right + b) - betaln(a, b)))
    tail = (1 - level) / 2
    low = int(np.searchsorted(total, tail))
    high = min(int(np.searchsorted(total, 1 - tail)), left)
    return (successes + low) / population, (successes + high) / population


def finite_correction(tested: int, population: int) -> float:
    r"""Factor :math:`\sqrt{1-n/N}` of a standard error when n of N fixed items were tested.

    References
    ----------
    .. [1] Cochran (1977), Sampling Techniques, 3rd edition, Wiley, section 2.6.

    Examples
    --------
    >>> round(finite_correction(75, 100), 3)
    0.5
    """
    check_population(tested, population)
    return sqrt((population - tested) / population)


def check_population(tested: int, population: int) -> None:
    """Refuse a benchmark that is smaller than what was tested of it."""
    if population < tested or tested < 1:
        message = (
            f"benchmark={population} items, of which {tested} were tested. Give the size of the "
            f"whole benchmark, {max(tested, 1)} or more (--benchmark {max(tested, 1)})."
        )
        raise RequestError(message)

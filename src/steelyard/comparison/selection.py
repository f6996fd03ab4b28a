"""Choose the system with most right answers, and know how often that is the best one."""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, log, log1p, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, ndtri

from steelyard.comparison.posterior.log_odds import deviance, log_peak
from steelyard.counts import Trials
from steelyard.errors import NotComparable, RequestError, check_share
from steelyard.uncertainty.roots import crossing

__all__ = [
    "ItemsNeeded",
    "LeastFavourable",
    "SubsetWithBest",
    "items_needed",
    "least_favourable",
    "probability_correct_selection",
    "smallest_lead",
    "subset_allowance",
    "subset_with_best",
]

Floats = NDArray[np.float64]

SLACK = 1e-10
"""A guarantee counts as reached when it is missed by less than the numbers are exact."""

FEW = 2000
"""Up to so many items every count is summed."""

NOTHING = 1e-17
"""A chance to be wrong below this leaves a probability of 1 in double precision."""

GOLDEN = (sqrt(5) - 1) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class LeastFavourable:
    """The rate of the best system at which correct selection is least probable."""

    tested: int
    systems: int
    lead: float
    best_rate: float
    probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemsNeeded:
    """Smallest number of items per system that keeps the promise.

    ``probability`` is what it guarantees, ``one_less`` what one item fewer would.
    """

    systems: int
    lead: float
    confidence: float
    tested: int
    probability: float
    one_less: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SubsetWithBest:
    """Systems with at most ``allowance`` right answers fewer than the leader.

    The best system is among them with probability ``guarantee`` at least.
    """

    systems: tuple[str, ...]
    allowance: int
    confidence: float
    guarantee: float


def probability_correct_selection(
    tested: int, systems: int, *, lead: float, best_rate: float
) -> float:
    r"""Probability that the best system has most right answers, ties broken at random.

    The best has rate p, each of the k - 1 others p - δ, all tested on n items of their own:

    .. math:: PCS = \sum_j b(j;n,p) \sum_{i=0}^{k-1} \binom{k-1}{i}
              \frac{b(j;n,p-\delta)^i\, B(j-1;n,p-\delta)^{k-1-i}}{i+1}.

    Notes
    -----
    For independent samples. On common items outcomes go together, and correct selection is mostly
    more probable than this; nothing is guaranteed though.

    References
    ----------
    .. [1] Sobel & Huyett (1957), Bell System Technical Journal 36, 537-576,
       doi:10.1002/j.1538-7305.1957.tb02411.x.
    .. [2] Gibbons, Olkin & Sobel (1977), Selecting and Ordering Populations, chapter 4.

    Examples
    --------
    >>> round(probability_correct_selection(82, 2, lead=0.1, best_rate=0.55), 12)
    0.900059370319
    """
    _check(tested, systems)
    if not (0 <= lead <= best_rate <= 1):
        message = f"lead={lead!r}, best_rate={best_rate!r}; need 0 <= lead <= best_rate <= 1."
        raise RequestError(message)
    if (systems - 1) * exp(-tested * lead**2) < NOTHING:
        # Hoeffding's bound for one rival, times their number: no rival ever comes near.
        return 1.0
    rival_rate = best_rate - lead
    j, stride = _counts(tested, best_rate, rival_rate)
    best = _points(tested, best_rate, j) * stride
    up_to = _at_most(tested, rival_rate, j)
    below = np.maximum(up_to - _points(tested, rival_rate, j), 0.0)
    # The inner sum is ((x + y)^k - y^k)/(k x), x the point and y the sum below: as a sum of
    # products it has no cancellation.
    share = np.zeros(j.size)
    for power in range(systems):
        share += up_to**power * below ** (systems - 1 - power)
    return min(1.0, float(best @ share) / systems)


def least_favourable(tested: int, systems: int, *, lead: float) -> LeastFavourable:
    r"""Rate of the best system at which it is hardest to find, with its rivals ``lead`` behind.

    :math:`(1 + \delta)/2` for two systems, a little above for more; found by search.

    Notes
    -----
    ``probability`` is what a test of this size guarantees when the best leads by ``lead``; if the
    rates are known to be high it is far too careful.

    References
    ----------
    .. [1] Sobel & Huyett (1957), Bell System Technical Journal 36, 537-576,
       doi:10.1002/j.1538-7305.1957.tb02411.x.

    Examples
    --------
    >>> worst = least_favourable(82, 2, lead=0.1)
    >>> round(worst.best_rate, 6), round(worst.probability, 6)
    (0.55, 0.900059)
    >>> round(least_favourable(82, 4, lead=0.1).best_rate, 4)
    0.5551
    """
    _check(tested, systems)
    _check_lead(lead)
    best_rate, probability = _minimum(
        lambda p: probability_correct_selection(tested, systems, lead=lead, best_rate=p), lead, 1.0
    )
    return LeastFavourable(
        tested=tested, systems=systems, lead=lead, best_rate=best_rate, probability=probability
    )


def items_needed(systems: int, *, lead: float, confidence: float = 0.95) -> ItemsNeeded:
    r"""Smallest number of items with which the best is selected with ``confidence``.

    :math:`n_{min} = \min\{n : \min_p PCS(n, k, \delta^*, p) \ge P^*\}`, whenever the best leads
    by :math:`\delta^*` or more. The normal approximation is 0 to 3 too small.

    Notes
    -----
    If the best leads by less nothing is promised, and no error is: the one selected may be close
    to the best. It finds the best only, and ranks nothing else.

    References
    ----------
    .. [1] Gibbons, Olkin & Sobel (1977), Selecting and Ordering Populations, chapter 4. First:
       Sobel & Huyett (1957), doi:10.1002/j.1538-7305.1957.tb02411.x.

    Examples
    --------
    >>> answer = items_needed(2, lead=0.1, confidence=0.9)
    >>> answer.tested, round(answer.probability, 6), round(answer.one_less, 6)
    (82, 0.900059, 0.898673)
    """
    _check(1, systems)
    _check_lead(lead)
    _check_confidence(confidence, systems)

    def promise(tested: int) -> float:
        if tested == 0:
            return 1 / systems
        return least_favourable(tested, systems, lead=lead).probability

    low, high = 0, int(_rough_items(systems, lead, confidence))
    while promise(high) < confidence - SLACK:
        low, high = high, high + max(1, high // 50)
    while high - low > 1:
        middle = (low + high) // 2
        if promise(middle) >= confidence - SLACK:
            high = middle
        else:
            low = middle
    return ItemsNeeded(
        systems=systems,
        lead=lead,
        confidence=confidence,
        tested=high,
        probability=promise(high),
        one_less=promise(high - 1),
    )


def smallest_lead(tested: int, systems: int, *, confidence: float = 0.95) -> float:
    r"""Lead :math:`\delta^*` of the best that a test set of this size resolves.

    The smallest lead at which the best is selected with ``confidence`` whatever the rates.

    Notes
    -----
    A property of the design: the observed lead does not enter.

    References
    ----------
    .. [1] Gibbons, Olkin & Sobel (1977), Selecting and Ordering Populations, chapter 4. First:
       Sobel & Huyett (1957), doi:10.1002/j.1538-7305.1957.tb02411.x.

    Examples
    --------
    >>> round(smallest_lead(82, 2, confidence=0.9), 5)
    0.09997
    """
    _check(tested, systems)
    _check_confidence(confidence, systems)

    def excess(lead: float) -> float:
        return least_favourable(tested, systems, lead=lead).probability - confidence

    # The ends are no leads: at 0 no system is the best, at 1 nothing is left to chance.
    return crossing(excess, 1e-12, 1 - 1e-12)


def subset_allowance(tested: int, systems: int, *, confidence: float = 0.95) -> tuple[int, float]:
    r"""Smallest allowance d of the subset rule, and the confidence it guarantees.

    Keep every system with :math:`X_i \ge \max_j X_j - d`. The best is kept least often when all
    rates are equal; d is the smallest whole number with

    .. math:: \min_p \sum_j b(j;n,p)\, B(j+d;n,p)^{k-1} \ge P^*.

    Notes
    -----
    For independent samples of equal size. The rule keeps all systems when they are equal, mostly:
    that is its answer "cannot tell", not a fault.

    References
    ----------
    .. [1] Gupta & Sobel (1960), in Contributions to Probability and Statistics: Essays in Honor of
       Harold Hotelling, 224-248. The general method: Gupta (1965), Technometrics 7, 225-245,
       doi:10.1080/00401706.1965.10490251.

    Examples
    --------
    >>> allowance, guarantee = subset_allowance(50, 3, confidence=0.9)
    >>> allowance, round(guarantee, 4)
    (8, 0.9216)
    """
    _check(tested, systems)
    _check_confidence(confidence, systems)
    low, high = -1, tested
    while high - low > 1:
        middle = (low + high) // 2
        if _keep_least(tested, systems, middle) >= confidence - SLACK:
            high = middle
        else:
            low = middle
    return high, _keep_least(tested, systems, high)


def subset_with_best(trials: Trials, *, confidence: float = 0.95) -> SubsetWithBest:
    """Systems that contain the best one with ``confidence``, whatever the rates.

    See :func:`subset_allowance` for the rule.

    Notes
    -----
    No smallest lead has to be stated, unlike for :func:`items_needed`; the price is that the
    subset may be large. Its size is the news.

    References
    ----------
    .. [1] Gupta & Sobel (1960), in Contributions to Probability and Statistics, 224-248. The
       general method: Gupta (1965), doi:10.1080/00401706.1965.10490251.

    Examples
    --------
    >>> trials = Trials(correct={"A": 45, "B": 41, "C": 30}, tested=50, pairing="independent")
    >>> subset_with_best(trials, confidence=0.9).systems
    ('A', 'B')
    """
    if trials.pairing != "independent" or len(set(trials.tested)) > 1:
        message = (
            "Subset selection needs independent test sets of one size; found pairing "
            f"{trials.pairing!r} and sizes {sorted(set(trials.tested))}. For common items look at "
            "rank sets of the paired tests."
        )
        raise NotComparable(message)
    allowance, guarantee = subset_allowance(
        trials.tested[0], len(trials.systems), confidence=confidence
    )
    bar = max(trials.correct) - allowance
    return SubsetWithBest(
        systems=tuple(s for s, x in zip(trials.systems, trials.correct, strict=True) if x >= bar),
        allowance=allowance,
        confidence=confidence,
        guarantee=guarantee,
    )


def _check(tested: int, systems: int) -> None:
    if tested < 1 or systems < 2:
        message = f"{tested} items, {systems} systems; need at least 1 item and 2 systems."
        raise RequestError(message)


def _check_lead(lead: float) -> None:
    check_share("lead", lead)


def _check_confidence(confidence: float, systems: int) -> None:
    check_share("confidence", confidence)
    if confidence <= 1 / systems:
        message = (
            f"confidence={confidence!r} is reached by picking at random among {systems} systems; "
            f"ask for more than {1 / systems:.3g}."
        )
        raise RequestError(message)


def _counts(trials: int, *rates: float) -> tuple[Floats, int]:
    r"""Counts at which a sum over the first rate's distribution is taken, and how far apart.

    Ten standard deviations to each side. Where all distributions involved are wide, counts a tenth
    of the narrowest apart do: the terms are smooth, and a sum of equally spaced values of a smooth
    bell differs from that of all by less than :math:`e^{-2\pi^2 10^2}` of it.
    """
    spreads = [sqrt(trials * rate * (1 - rate)) for rate in rates]
    stride = max(1, int(min(spreads) / 10)) if trials > FEW else 1
    centre, reach = trials * rates[0], 10 * spreads[0] + 30
    low, high = max(0, int(centre - reach)), min(trials, int(centre + reach) + 1)
    return np.arange(low, high + 1, stride, dtype=np.float64), stride


def _points(trials: int, rate: float, j: Floats) -> Floats:
    """Binomial probabilities by the density of log-odds, which keeps its digits for any count."""
    if rate in {0.0, 1.0}:
        return np.asarray(j == trials * rate, dtype=np.float64)
    a, b = j + 1, trials - j + 1
    # The peak of Beta(a, b) lies at the log-odds of a/b; the rate this far beyond it.
    distance = log(rate) - log1p(-rate) - np.log(a / b)
    logs = log_peak(a, b) - deviance(distance, a, b)
    return np.asarray(np.exp(logs) / ((trials + 1) * rate * (1 - rate)), dtype=np.float64)


def _at_most(trials: int, rate: float, j: Floats) -> Floats:
    """Chance of at most so many, 1 from ``trials`` on."""
    inside = np.minimum(j, trials - 1.0)
    chances = betainc(trials - inside, inside + 1, 1 - rate)
    return np.asarray(np.where(j >= trials, 1.0, chances), dtype=np.float64)


def _keep_least(tested: int, systems: int, allowance: int) -> float:
    def keep(rate: float) -> float:
        j, stride = _counts(tested, rate)
        reached = _at_most(tested, rate, j + allowance)
        return float(_points(tested, rate, j) @ reached ** (systems - 1)) * stride

    return _minimum(keep, 0.0, 1.0)[1]


def _minimum(function: Callable[[float], float], low: float, high: float) -> tuple[float, float]:
    """Smallest value on an interval: a coarse scan, then golden section around its lowest point."""
    points = np.linspace(low, high, 25).tolist()
    values = [function(point) for point in points]
    at = int(np.argmin(values))
    left, right = points[max(at - 1, 0)], points[min(at + 1, 24)]
    one, two = right - GOLDEN * (right - left), left + GOLDEN * (right - left)
    of_one, of_two = function(one), function(two)
    # Near its lowest point a function is flat: places are told apart to the root of its rounding.
    while right - left > 1e-8:
        if of_one < of_two:
            right, two, of_two = two, one, of_one
            one = right - GOLDEN * (right - left)
            of_one = function(one)
        else:
            left, one, of_one = one, two, of_two
            two = left + GOLDEN * (right - left)
            of_two = function(two)
    best = min((values[at], points[at]), (of_one, one), (of_two, two))
    return best[1], best[0]


def _rough_items(systems: int, lead: float, confidence: float) -> float:
    """Give a lower start: the normal approximation for two systems at the middle rate."""
    z = float(ndtri(confidence)) + (0.3 * float(np.log(systems - 1)) if systems > 2 else 0.0)
    return max(1.0, 0.9 * 2 * max(z, 0.1) ** 2 * (1 - lead**2) / 4 / lead**2)

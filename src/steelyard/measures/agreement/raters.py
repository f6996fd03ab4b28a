"""Agreement of two or more raters beyond chance: Fleiss, Conger, Gwet, PABAK."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from steelyard.measures.agreement.class_weights import ClassWeights, agreement_weights
from steelyard.measures.agreement.rater_features import Coefficient, Features, agreement_estimate
from steelyard.measures.agreement.ratings import Rated, ratings_of
from steelyard.results.estimates import Estimate, Interval
from steelyard.uncertainty import wilson_interval

__all__ = ["conger_kappa", "fleiss_kappa", "gwet_ac", "observed_agreement", "pabak"]

Floats = NDArray[np.float64]


def fleiss_kappa(
    ratings: Rated,
    *,
    weights: ClassWeights = "unweighted",
    order: Sequence[str] | None = None,
    level: float = 0.95,
) -> Estimate:
    r"""Fleiss' kappa: raters are interchangeable, chance comes from the pooled categories.

    :math:`(p_a-p_e)/(1-p_e)` with :math:`p_a` the mean share of agreeing pairs of raters over items
    and :math:`p_e=\sum_{kl}w_{kl}\pi_k\pi_l`, :math:`\pi_k` the mean share of category k [1]_. In
    [-1, 1], larger is better, 0 is chance; undefined when only one category was used. With two
    raters it is Scott's pi.

    Parameters
    ----------
    ratings : Ratings, JointCalls or Confusion
        What the raters said. Systems of joint calls are the raters; the truth is not one of them.
    weights : str or mapping
        ``unweighted``, ``linear``, ``quadratic`` or given, see
        :func:`~steelyard.measures.agreement_weights`.
    order : sequence of str, optional
        The categories from lowest to highest, for ``linear`` and ``quadratic``.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Notes
    -----
    The standard error is the jackknife over items, with Student's t: items are the sample, raters
    are taken as they are. Fleiss' own formula holds for :math:`\kappa=0` only and is no basis of
    an interval.

    References
    ----------
    .. [1] Fleiss (1971), Psychological Bulletin 76, 378-382, doi:10.1037/h0031619.
    .. [2] Gwet (2014), Handbook of Inter-Rater Reliability, 4th edition, Advanced Analytics.

    Examples
    --------
    >>> from steelyard.measures import Ratings
    >>> ratings = Ratings.from_items([["a", "a", "b"], ["b", "b", "b"], ["a", "b", "b"]])
    >>> round(fleiss_kappa(ratings).value, 4)
    0.0
    """
    rated = ratings_of(ratings)
    table = agreement_weights(rated.categories, weights, order=order)
    return agreement_estimate(rated, "Fleiss' kappa", table, _by_pool(table), level=level)


def conger_kappa(
    ratings: Rated,
    *,
    weights: ClassWeights = "unweighted",
    order: Sequence[str] | None = None,
    level: float = 0.95,
) -> Estimate:
    r"""Conger's kappa: each rater keeps his own habits; with two raters it is Cohen's.

    As :func:`fleiss_kappa`, but chance agreement is the mean over pairs of raters g, h of
    :math:`\sum_{kl}w_{kl}p_{gk}p_{hl}` with :math:`p_{gk}` how often rater g says k [1]_. On the
    same data it differs from Fleiss' (0.442 against 0.430 in a common example).

    References
    ----------
    .. [1] Conger (1980), Psychological Bulletin 88, 322-328, doi:10.1037/0033-2909.88.2.322.

    Examples
    --------
    >>> from steelyard.counts import Confusion
    >>> round(conger_kappa(Confusion.from_matrix([[25, 10], [5, 60]])).value, 4)
    0.6591
    """
    rated = ratings_of(ratings)
    table = agreement_weights(rated.categories, weights, order=order)
    far = 1 - table

    def coefficient(total: Features) -> tuple[float, float]:
        # A rater without ratings has no habits: zeros, where 0/0 would be NaN for everyone.
        habits = total.raters / np.maximum(total.raters.sum(axis=1, keepdims=True), 1e-300)
        number = len(habits)
        pooled = habits.sum(axis=0)
        own = float(np.einsum("gk,kl,gl->", habits, far, habits))
        chance = (float(pooled @ far @ pooled) - own) / (number * (number - 1))
        return float(total.apart / total.pairs), chance

    return agreement_estimate(rated, "Conger's kappa", table, coefficient, level=level)


def gwet_ac(
    ratings: Rated,
    *,
    weights: ClassWeights = "unweighted",
    order: Sequence[str] | None = None,
    level: float = 0.95,
) -> Estimate:
    r"""Gwet's AC1 (unweighted) or AC2 (weighted): agreement beyond chance without the paradox.

    As :func:`fleiss_kappa`, but chance agreement is
    :math:`\frac{\sum w_{kl}}{K(K-1)}\sum_k\pi_k(1-\pi_k)`: only items that are hard to rate agree
    by chance [1]_. It stays high where nearly all items are of one category and kappa falls.

    References
    ----------
    .. [1] Gwet (2008), British Journal of Mathematical and Statistical Psychology 61, 29-48,
       doi:10.1348/000711006X126600.

    Examples
    --------
    >>> from steelyard.counts import Confusion
    >>> round(gwet_ac(Confusion.from_matrix([[81, 9], [6, 4]])).value, 4)
    0.8117
    """
    rated = ratings_of(ratings)
    table = agreement_weights(rated.categories, weights, order=order)
    number = len(rated.categories)
    scale = float(table.sum()) / max(1, number * (number - 1))

    def coefficient(total: Features) -> tuple[float, float]:
        shares = total.shares / total.items
        by_chance = scale * float((shares * (1 - shares)).sum())
        return float(total.apart / total.pairs), 1 - by_chance

    name = "AC1" if weights == "unweighted" else "AC2"
    return agreement_estimate(rated, name, table, coefficient, level=level)


def observed_agreement(
    ratings: Rated,
    *,
    weights: ClassWeights = "unweighted",
    order: Sequence[str] | None = None,
    level: float = 0.95,
) -> Estimate:
    r"""Share of agreeing pairs of ratings, averaged over items, with no regard to chance.

    In [0, 1], larger is better; undefined when no item has two ratings. With weights near misses
    count in part. Of two raters it is a plain share of items, and has Wilson's interval; else items
    are left out one at a time, as in :func:`fleiss_kappa`.

    References
    ----------
    .. [1] Gwet (2014), Handbook of Inter-Rater Reliability, 4th edition, Advanced Analytics.

    Examples
    --------
    >>> from steelyard.counts import Confusion
    >>> observed_agreement(Confusion.from_matrix([[81, 9], [6, 4]])).value
    0.85
    """
    rated = ratings_of(ratings)
    table = agreement_weights(rated.categories, weights, order=order)

    def coefficient(total: Features) -> tuple[float, float]:
        return float(total.apart / total.pairs), 1.0

    found = agreement_estimate(
        rated, "observed agreement", table, coefficient, level=level, lowest=0.0
    )
    if found.value is None or len(rated.raters) != 2 or weights != "unweighted":
        return found
    both = [(pattern, rows) for pattern, rows in rated.patterns if None not in pattern]
    same = sum(rows for (one, two), rows in both if one == two)
    items = sum(rows for _, rows in both)
    low, high = wilson_interval(same, items, level=level)
    ends = Interval(low=low, high=high, level=level, method="wilson")
    return replace(found, value=same / items, interval=ends, caveats=())


def pabak(
    ratings: Rated,
    *,
    weights: ClassWeights = "unweighted",
    order: Sequence[str] | None = None,
    level: float = 0.95,
) -> Estimate:
    r"""Agreement adjusted for prevalence and bias: chance picks every category equally often.

    As :func:`fleiss_kappa` with :math:`p_e=\sum_{kl}w_{kl}/K^2`; for two categories
    :math:`2p_a-1` [1]_, for more Brennan and Prediger's coefficient [2]_. In [-1, 1], larger is
    better.

    Notes
    -----
    Grows with the number of categories offered, used or not: list only those that were meant.

    References
    ----------
    .. [1] Byrt, Bishop & Carlin (1993), Journal of Clinical Epidemiology 46, 423-429,
       doi:10.1016/0895-4356(93)90018-V.
    .. [2] Brennan & Prediger (1981), Educational and Psychological Measurement 41, 687-699,
       doi:10.1177/001316448104100307.

    Examples
    --------
    >>> from steelyard.counts import Confusion
    >>> round(pabak(Confusion.from_matrix([[81, 9], [6, 4]])).value, 4)
    0.7
    """
    rated = ratings_of(ratings)
    table = agreement_weights(rated.categories, weights, order=order)
    chance = float((1 - table).mean())

    def coefficient(total: Features) -> tuple[float, float]:
        return float(total.apart / total.pairs), chance

    return agreement_estimate(rated, "PABAK", table, coefficient, level=level)


def _by_pool(table: Floats) -> Coefficient:
    far = 1 - table

    def coefficient(total: Features) -> tuple[float, float]:
        shares = total.shares / total.items
        return float(total.apart / total.pairs), float(shares @ far @ shares)

    return coefficient

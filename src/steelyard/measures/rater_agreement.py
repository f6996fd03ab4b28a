"""Agreement of two or more raters beyond chance: Fleiss, Conger, Krippendorff, Gwet."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from steelyard.counts import Confusion, JointCalls
from steelyard.errors import RequestError
from steelyard.measures.class_weights import ClassWeights, agreement_weights
from steelyard.measures.ratings import Ratings, ratings_of
from steelyard.results.estimates import Estimate, Interval
from steelyard.uncertainty import normal_quantile, wilson_interval_effective

__all__ = ["AlphaMetric", "conger_kappa", "fleiss_kappa", "gwet_ac", "krippendorff_alpha"]

Rated = Ratings | JointCalls | Confusion
AlphaMetric = Literal["nominal", "ordinal", "interval"]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Features:
    """What each pattern adds to the totals that a coefficient is made of; the first place is it."""

    items: Floats
    pairs: Floats
    agreed: Floats
    shares: Floats
    raters: Floats
    together: Floats

    def totals(self, multiplicity: Floats) -> "Features":
        """Add up over the items."""
        return Features(
            *(np.tensordot(multiplicity, getattr(self, name), axes=1) for name in self.__slots__)
        )

    def without(self, total: "Features", row: int) -> "Features":
        """Take one item of a pattern out of the totals."""
        return Features(
            *(getattr(total, name) - getattr(self, name)[row] for name in self.__slots__)
        )


Coefficient = Callable[[Features], tuple[float, float]]
"""From totals to the observed and the chance agreement."""


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
        :func:`~steelyard.measures.class_weights.agreement_weights`.
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
    >>> ratings = Ratings.from_items([["a", "a", "b"], ["b", "b", "b"], ["a", "b", "b"]])
    >>> round(fleiss_kappa(ratings).value, 4)
    0.0
    """
    rated = ratings_of(ratings)
    table = agreement_weights(rated.categories, weights, order=order)
    return _estimate(rated, "Fleiss' kappa", table, _by_pool(table), level=level)


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
    >>> round(conger_kappa(Confusion.from_matrix([[25, 10], [5, 60]])).value, 4)
    0.6591
    """
    rated = ratings_of(ratings)
    table = agreement_weights(rated.categories, weights, order=order)

    def coefficient(total: Features) -> tuple[float, float]:
        habits = total.raters / np.maximum(total.raters.sum(axis=1, keepdims=True), 1e-300)
        number = len(habits)
        pooled = habits.sum(axis=0)
        own = float(np.einsum("gk,kl,gl->", habits, table, habits))
        chance = (float(pooled @ table @ pooled) - own) / (number * (number - 1))
        return float(total.agreed / total.pairs), chance

    return _estimate(rated, "Conger's kappa", table, coefficient, level=level)


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
    >>> round(gwet_ac(Confusion.from_matrix([[81, 9], [6, 4]])).value, 4)
    0.8117
    """
    rated = ratings_of(ratings)
    table = agreement_weights(rated.categories, weights, order=order)
    number = len(rated.categories)
    scale = float(table.sum()) / max(1, number * (number - 1))

    def coefficient(total: Features) -> tuple[float, float]:
        shares = total.shares / total.items
        return float(total.agreed / total.pairs), scale * float((shares * (1 - shares)).sum())

    name = "AC1" if weights == "unweighted" else "AC2"
    return _estimate(rated, name, table, coefficient, level=level)


def krippendorff_alpha(
    ratings: Rated,
    *,
    metric: AlphaMetric = "nominal",
    order: Sequence[str] | None = None,
    values: Mapping[str, float] | None = None,
    level: float = 0.95,
) -> Estimate:
    r"""Krippendorff's alpha: observed over expected disagreement, with ratings missing at will.

    :math:`\alpha=1-(N-1)\frac{\sum_{ck}o_{ck}\delta^2_{ck}}{\sum_{ck}n_cn_k\delta^2_{ck}}` over
    coincidences :math:`o_{ck}` of ratings of the same item [1]_. In (-1, 1], larger is better, 0 is
    chance; undefined when only one category was used.

    Parameters
    ----------
    ratings : Ratings, JointCalls or Confusion
        What the raters said; items with fewer than two ratings do not count.
    metric : {"nominal", "ordinal", "interval"}
        How far categories are apart: different or not, by how many ratings lie between them, or
        by the square of the difference of their values.
    order : sequence of str, optional
        The categories from lowest to highest, for ``ordinal``.
    values : mapping, optional
        The value of each category, for ``interval``; by default the categories read as numbers.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    References
    ----------
    .. [1] Hayes & Krippendorff (2007), Communication Methods and Measures 1, 77-89,
       doi:10.1080/19312450709336664.

    Examples
    --------
    >>> ratings = Ratings.from_items([[1, 1, None], [2, 2, 2], [3, 3, 1], [None, 1, 1]])
    >>> round(krippendorff_alpha(ratings).value, 4)
    0.7097
    """
    rated = ratings_of(ratings)
    distances = _distances(rated, metric, order, values)

    def coefficient(total: Features) -> tuple[float, float]:
        margins = total.together.sum(axis=1)
        size = float(margins.sum())
        apart = distances(margins)
        expected = float(margins @ apart @ margins) / (size * (size - 1))
        observed = float((total.together * apart).sum()) / size
        # Written as agreements, so that (seen - chance) / (1 - chance) is alpha.
        return 1 - observed, 1 - expected

    table = np.eye(len(rated.categories))
    return _estimate(rated, f"{metric} alpha", table, coefficient, level=level)


def _by_pool(table: Floats) -> Coefficient:
    def coefficient(total: Features) -> tuple[float, float]:
        shares = total.shares / total.items
        return float(total.agreed / total.pairs), float(shares @ table @ shares)

    return coefficient


def _distances(
    rated: Ratings,
    metric: AlphaMetric,
    order: Sequence[str] | None,
    values: Mapping[str, float] | None,
) -> Callable[[Floats], Floats]:
    number = len(rated.categories)
    if metric == "nominal":
        return lambda margins: 1 - np.eye(number)
    if metric == "interval":
        at = _values(rated.categories, values)
        square: Floats = (at[:, None] - at[None, :]) ** 2
        return lambda margins: square
    if metric != "ordinal":
        raise RequestError.for_choice("metric", metric, ("nominal", "ordinal", "interval"))  # noqa: EM101
    agreement_weights(rated.categories, "linear", order=order)  # refuses a missing order
    place = np.array([list(order or ()).index(name) for name in rated.categories])
    return lambda margins: _ordinal(margins, place)


def _ordinal(margins: Floats, place: NDArray[np.int64]) -> Floats:
    """Square of how many ratings lie between two categories, half of both ends included."""
    sorted_margins = np.zeros(len(place))
    sorted_margins[place] = margins
    reached = (np.cumsum(sorted_margins) - sorted_margins / 2)[place]
    square: Floats = (reached[:, None] - reached[None, :]) ** 2
    return square


def _values(categories: Sequence[str], values: Mapping[str, float] | None) -> Floats:
    try:
        given = values if values is not None else {name: float(name) for name in categories}
        return np.array([given[name] for name in categories], dtype=np.float64)
    except (KeyError, ValueError) as error:
        message = (
            f"metric='interval' needs a number for every category ({error}). "
            "Pass values={'low': 1, 'high': 2, ...}."
        )
        raise RequestError(message) from None


def _features(rated: Ratings, table: Floats) -> Features:
    said = rated.said
    counts = said.sum(axis=1)
    number = counts.sum(axis=1)
    several = number >= 2
    pairs = np.where(several, number * (number - 1), 1.0)
    met = (counts * (counts @ table - 1)).sum(axis=1)
    both = counts[:, :, None] * (counts[:, None, :] - np.eye(counts.shape[1])[None])
    return Features(
        items=(number > 0).astype(np.float64),
        pairs=several.astype(np.float64),
        agreed=np.where(several, met / pairs, 0.0),
        shares=counts / np.maximum(number, 1)[:, None],
        raters=said,
        together=np.where(
            several[:, None, None], both / np.maximum(number - 1, 1)[:, None, None], 0
        ),
    )


def _estimate(
    rated: Ratings, name: str, table: Floats, coefficient: Coefficient, *, level: float
) -> Estimate:
    normal_quantile(level)
    features = _features(rated, table)
    total = features.totals(rated.multiplicity)
    used = int(total.pairs)
    if used == 0:
        reason = "no item has two ratings or more"
        return Estimate(measure=name, value=None, reason=reason, items=rated.items)
    seen, chance = coefficient(total)
    if not chance < 1 - 1e-12:
        reason = "only one category was used: chance alone agrees fully"
        return Estimate(measure=name, value=None, reason=reason, items=rated.items)
    value = (seen - chance) / (1 - chance)
    variance = _jackknife(rated, features, total, coefficient)
    interval, doubts = _limits(value, chance, variance, used, level=level)
    return Estimate(
        measure=name,
        value=value,
        interval=interval,
        standard_error=sqrt(variance) if variance else None,
        items=rated.items,
        caveats=doubts,
    )


def _jackknife(
    rated: Ratings, features: Features, total: Features, coefficient: Coefficient
) -> float | None:
    """Variance from leaving out each item in turn; None when that leaves nothing to judge."""
    number = rated.items
    if number < 3:
        return None
    left = []
    for row in range(len(rated.patterns)):
        rest = features.without(total, row)
        if rest.pairs < 1:
            return None
        seen, chance = coefficient(rest)
        if not chance < 1 - 1e-12:
            return None
        left.append((seen - chance) / (1 - chance))
    values = np.array(left)
    weights = rated.multiplicity
    mean = float((weights * values).sum()) / number
    spread = float((weights * (values - mean) ** 2).sum())
    return (number - 1) / number * spread


def _limits(
    value: float, chance: float, variance: float | None, used: int, *, level: float
) -> tuple[Interval | None, tuple[str, ...]]:
    if variance is not None and variance > 1e-24:
        half = -float(stdtrit(used - 1, (1 - level) / 2)) * sqrt(variance)
        low, high = max(-1.0, value - half), min(1.0, value + half)
        return Interval(low=low, high=high, level=level, method="jackknife-t"), ()
    if value < 1 - 1e-12:
        return None, ("no interval: leaving out single items does not show how the number varies",)
    agreed = wilson_interval_effective(1.0, float(used), level=level)[0]
    low = max(-1.0, (agreed - chance) / (1 - chance))
    doubt = (
        "all raters agree on every item; the interval is that of the share of such items, with "
        "chance agreement held fixed"
    )
    method = "wilson, chance agreement held fixed"
    return Interval(low=low, high=1.0, level=level, method=method), (doubt,)

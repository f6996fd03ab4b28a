"""Whom to contact first: cumulative gain, lift, captured share and precision at a budget."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import ScoreTable
from steelyard.display.numbers import show_number
from steelyard.errors import NotComparable, RequestError
from steelyard.measures.roc.areas import auc
from steelyard.results.estimates import Estimate, Interval
from steelyard.uncertainty import normal_quantile, wilson_interval_effective

__all__ = [
    "DECILES",
    "PERCENTILES",
    "GainCurve",
    "Targeted",
    "captured_at",
    "gain_curve",
    "gini",
    "ks_distance",
    "lift_at",
    "precision_at",
]

DECILES = tuple(place / 10 for place in range(1, 11))
PERCENTILES = tuple(place / 100 for place in range(1, 101))
SAME_SHARE = (
    "that of data in which the share of positives is {share}, as here; it is never beyond 1 over "
    "that share"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Targeted:
    """What contacting the best-scored ``depth`` of all items brings.

    ``captured`` is the share of all positives that are reached (cumulative gain), ``precision``
    the share of the contacted that are positive, ``lift`` that share over the overall one.
    """

    depth: float
    contacts: float
    captured: Estimate
    precision: Estimate
    lift: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class GainCurve:
    """Cumulative gain at each depth, and how far below a perfect ranking it stays."""

    positive: str
    items: int
    prevalence: float
    points: tuple[Targeted, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Items contacted and positives reached after each distinct score, best first; 0 in front."""

    contacted: NDArray[np.float64]
    reached: NDArray[np.float64]

    @property
    def items(self) -> float:
        """All items."""
        return float(self.contacted[-1])

    @property
    def positives(self) -> float:
        """All positives."""
        return float(self.reached[-1])

    def reached_by(self, contacts: float) -> float:
        """Positives among the first so many, with ties shared in proportion."""
        return float(np.interp(contacts, self.contacted, self.reached))

    def local_rate(self, contacts: float) -> float:
        """Share of positives among items scored near the last one contacted."""
        reach = max(1.0, float(self.items ** (2 / 3)) / 2)
        low, high = max(0.0, contacts - reach), min(self.items, contacts + reach)
        return (self.reached_by(high) - self.reached_by(low)) / (high - low)


def gain_curve(
    table: ScoreTable, *, depths: Sequence[float] | None = DECILES, level: float = 0.95
) -> GainCurve:
    r"""Cumulative gain, precision and lift when the best-scored items are taken first.

    At depth q the first :math:`qn` items are contacted; items with equal scores are taken in
    proportion. Gain is positives reached over all positives, lift is gain over q [1]_.

    Parameters
    ----------
    table : ScoreTable
        Scores with positives and negatives, without weights; at least one positive.
    depths : sequence of float, optional
        Shares of the items in (0, 1]: deciles by default, :data:`PERCENTILES`, your own, or None
        for the whole curve, one point after each distinct score.
    level : float
        Coverage of each interval on its own, strictly between 0 and 1.

    Notes
    -----
    The cut-off score is estimated from the same items, which changes the variance of the gain to
    :math:`\left(\pi g(1-g)(1-2r)+r^2q(1-q)\right)/(n\pi^2)` with :math:`r` the share of positives
    near the cut-off [2]_; Wilson's interval is used with the number of items that would give this
    variance, or the symmetric interval where it reaches further. The interval of lift is that of
    the gain over q, for data with the share of positives seen: it ends at one over that share,
    which a sample with another share would pass. What one source calls "gain" (response with the
    model over response without) is lift.

    References
    ----------
    .. [1] Jaffery & Liu (2009), SAS Global Forum, paper 196-2009.
    .. [2] Jiang & Zhao (2015), On asymptotic distributions and confidence intervals for LIFT
       measures in data mining, Journal of the American Statistical Association 110.

    Examples
    --------
    >>> table = ScoreTable.from_scores([0.9, 0.8, 0.3], [0.7, 0.2, 0.1])
    >>> curve = gain_curve(table, depths=[0.5, 1.0])
    >>> [round(point.captured.value, 3) for point in curve.points]
    [0.667, 1.0]
    """
    normal_quantile(level)
    ranking = _rank(table)
    if depths is None:
        chosen = (ranking.contacted[1:] / ranking.items).tolist()
    else:
        chosen = [float(depth) for depth in depths]
    wrong = [depth for depth in chosen if not 0 < depth <= 1]
    if wrong:
        message = f"A depth is {wrong[0]!r}; it is a share of the items, above 0 and at most 1."
        raise RequestError(message)
    return GainCurve(
        positive=table.positive,
        items=table.total,
        prevalence=ranking.positives / ranking.items,
        points=tuple(_target(ranking, depth * ranking.items, level) for depth in chosen),
    )


def captured_at(table: ScoreTable, *, budget: float, level: float = 0.95) -> Estimate:
    """Share of all positives reached by so many contacts; see :func:`gain_curve`.

    Parameters
    ----------
    table : ScoreTable
        Scores with positives and negatives, without weights.
    budget : float
        How many items can be contacted, above 0 and at most all.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    References
    ----------
    .. [1] Jaffery & Liu (2009), SAS Global Forum, paper 196-2009.

    Examples
    --------
    >>> table = ScoreTable.from_scores([0.9, 0.8, 0.3], [0.7, 0.2, 0.1])
    >>> round(captured_at(table, budget=2).value, 3)
    0.667
    """
    return _at(table, budget, level).captured


def precision_at(table: ScoreTable, *, budget: float, level: float = 0.95) -> Estimate:
    """Share of positives among so many best-scored items (precision at k); see :func:`gain_curve`.

    References
    ----------
    .. [1] Manning, Raghavan & Schuetze (2008), Introduction to Information Retrieval, Cambridge,
       section 8.4, doi:10.1017/CBO9780511809071.

    Examples
    --------
    >>> table = ScoreTable.from_scores([0.9, 0.8, 0.3], [0.7, 0.2, 0.1])
    >>> precision_at(table, budget=2).value
    1.0
    """
    return _at(table, budget, level).precision


def lift_at(table: ScoreTable, *, depth: float, level: float = 0.95) -> Estimate:
    """How many times more positives than by chance at a depth; see :func:`gain_curve`.

    References
    ----------
    .. [1] Jaffery & Liu (2009), SAS Global Forum, paper 196-2009.

    Examples
    --------
    >>> table = ScoreTable.from_scores([0.9, 0.8, 0.3], [0.7, 0.2, 0.1])
    >>> round(lift_at(table, depth=0.5).value, 3)
    1.333
    """
    return gain_curve(table, depths=[depth], level=level).points[0].lift


def ks_distance(table: ScoreTable, *, level: float = 0.95) -> Estimate:
    r"""Largest distance between the score distributions of positives and negatives.

    :math:`\max_t|TPR(t)-FPR(t)|`: in [0, 1], larger is better, undefined without positives or
    negatives.

    Notes
    -----
    The maximum is chosen by the data and so too high on average, most of all with few items. The
    interval moves both distributions by the Dvoretzky-Kiefer-Wolfowitz bound with Massart's
    constant [1]_; it covers at least ``level``, usually much more.

    References
    ----------
    .. [1] Massart (1990), Annals of Probability 18, 1269-1283, doi:10.1214/aop/1176990746.

    Examples
    --------
    >>> table = ScoreTable.from_scores([0.9, 0.8, 0.3], [0.7, 0.2, 0.1])
    >>> round(ks_distance(table).value, 3)
    0.667
    """
    normal_quantile(level)
    _without_weights(table)
    if not table.positive_total or not table.negative_total:
        side = "positives" if table.negative_total else "negatives"
        return Estimate(measure="KS distance", value=None, reason=f"there are no {side}")
    found = np.cumsum(table.positives) / table.positive_total
    missed = np.cumsum(table.negatives) / table.negative_total
    value = float(np.abs(missed - found).max())
    # Each distribution may be off by its bound with half of the error rate.
    share = (1 - level) / 2
    off = sum(sqrt(log(2 / share) / (2 * n)) for n in (table.positive_total, table.negative_total))
    ends = Interval(
        low=max(0.0, value - off), high=min(1.0, value + off), level=level, method="dkw"
    )
    caveat = "the largest of all distances: too high on average when items are few"
    return Estimate(
        measure="KS distance", value=value, interval=ends, items=table.total, caveats=(caveat,)
    )


def gini(table: ScoreTable, *, level: float = 0.95) -> Estimate:
    r"""Gini coefficient, or accuracy ratio, of a ranking: :math:`2\,AUC-1`.

    In [-1, 1], larger is better, 0 is a random order; undefined without positives or negatives.
    The interval is that of the area, on the other scale.

    References
    ----------
    .. [1] Engelmann, Hayden & Tasche (2003), Risk 16 (1), 82-86.

    Examples
    --------
    >>> table = ScoreTable.from_scores([0.9, 0.8, 0.3], [0.7, 0.2, 0.1])
    >>> round(gini(table).value, 3)
    0.778
    """
    area = auc(table, level=level)
    if area.value is None:
        return Estimate(measure="Gini", value=None, reason=area.reason, items=area.items)
    ends = area.interval
    limits = None
    if ends is not None:
        limits = Interval(
            low=2 * ends.low - 1, high=2 * ends.high - 1, level=level, method=ends.method
        )
    return Estimate(
        measure="Gini",
        value=2 * area.value - 1,
        interval=limits,
        standard_error=None if area.standard_error is None else 2 * area.standard_error,
        items=area.items,
        caveats=area.caveats,
    )


def _without_weights(table: ScoreTable) -> None:
    if table.positive_weights is not None:
        message = "These scores carry weights, and contacts are counted item by item."
        raise NotComparable(message, code="weighted")


def _rank(table: ScoreTable) -> Ranking:
    _without_weights(table)
    if not table.positive_total:
        message = f"No item is truly {table.positive!r}, so there is nobody to reach."
        raise NotComparable(message, code="no-positives")
    positives = table.positives[::-1].astype(np.float64)
    items = positives + table.negatives[::-1]
    start = np.zeros(1)
    return Ranking(
        np.concatenate([start, np.cumsum(items)]), np.concatenate([start, np.cumsum(positives)])
    )


def _at(table: ScoreTable, budget: float, level: float) -> Targeted:
    normal_quantile(level)
    ranking = _rank(table)
    if not 0 < budget <= ranking.items:
        message = f"budget={budget!r}; contacts are above 0 and at most all {table.total} items."
        raise RequestError(message)
    return _target(ranking, float(budget), level)


def _target(ranking: Ranking, contacts: float, level: float) -> Targeted:
    depth = contacts / ranking.items
    reached = ranking.reached_by(contacts)
    near = ranking.local_rate(contacts)
    captured = _capture(ranking, reached / ranking.positives, depth, near, level)
    precision = _precision(reached / contacts, depth, contacts, near, level)
    ends = captured.interval
    lift = Estimate(
        measure="lift",
        value=None if captured.value is None else captured.value / depth,
        interval=None
        if ends is None
        else lift_limits(ends, depth, ranking.positives / ranking.items),
        items=captured.items,
        caveats=(SAME_SHARE.format(share=show_number(ranking.positives / ranking.items)),),
    )
    return Targeted(
        depth=depth, contacts=contacts, captured=captured, precision=precision, lift=lift
    )


def lift_limits(ends: Interval, depth: float, prevalence: float) -> Interval:
    """Divide the limits of a captured share by the depth; no lift is beyond 1 / prevalence.

    Examples
    --------
    >>> lift_limits(Interval(low=0.5, high=0.9, level=0.95, method="wilson"), 0.1, 0.2).high
    5.0
    """
    most = 1 / prevalence
    return Interval(
        low=min(most, ends.low / depth),
        high=min(most, ends.high / depth),
        level=ends.level,
        method=ends.method,
    )


def _capture(ranking: Ranking, gain: float, depth: float, near: float, level: float) -> Estimate:
    """Wilson's interval with the variance of a gain whose cut-off is estimated."""
    gain = min(1.0, gain)
    share = ranking.positives / ranking.items
    spread = share * gain * (1 - gain) * (1 - 2 * near) + near * near * depth * (1 - depth)
    variance = max(0.0, spread) / (ranking.items * share * share)
    number = ranking.positives
    if 0 < gain < 1 and variance > 0:
        # Never count on more than five times the positives: the local rate is only an estimate.
        number = min(gain * (1 - gain) / variance, 5 * ranking.positives)
    ends = _wider(gain, number, level) if depth < 1 else None
    return Estimate(measure="captured share", value=gain, interval=ends, items=int(ranking.items))


def _precision(share: float, depth: float, contacts: float, near: float, level: float) -> Estimate:
    """Wilson's interval with the variance of a precision whose cut-off is estimated."""
    share = min(1.0, share)
    plain = share * (1 - share)
    number = contacts
    if plain > 0:
        number = contacts * plain / (plain + (1 - depth) * (share - near) ** 2)
    ends = _wider(share, number, level)
    return Estimate(measure="precision at depth", value=share, interval=ends)


def _wider(share: float, number: float, level: float) -> Interval:
    """Reach as far as Wilson's and the symmetric interval; near a steep cut-off one falls short."""
    low, high = wilson_interval_effective(share, number, level=level)
    half = normal_quantile(level) * sqrt(share * (1 - share) / number)
    return Interval(
        low=max(0.0, min(low, share - half)),
        high=min(1.0, max(high, share + half)),
        level=level,
        method="wilson-cutoff",
    )

"""P_D at a given P_FA, P_FA at a given P_D, and both at a threshold fixed in advance."""

from bisect import bisect_left
from dataclasses import replace
from fractions import Fraction
from math import ceil, hypot, log, log1p, sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from steelyard.counts import Grouped, ScoreTable
from steelyard.errors import RequestError
from steelyard.measures.roc.curve import RocCurve, one_class
from steelyard.measures.rounding import Number, exact_share, whole_part
from steelyard.results.estimates import Estimate, Interval, Proportion
from steelyard.results.shortfalls import shortfall
from steelyard.uncertainty import clopper_pearson_interval, normal_quantile, wilson_interval
from steelyard.uncertainty.areas.resampling import RESAMPLES, resample_scores
from steelyard.uncertainty.shares.resampled import resample_share_interval

__all__ = ["detection_rate_at", "false_alarm_rate_at", "miss_rate_at", "rates_at_threshold"]

Floats = NDArray[np.float64]

FIXED = "the threshold was fixed before these items were seen; the interval is Wilson's"
COUNTED_IN = "the threshold was read off these items, and the interval counts that in"
READ_OFF = COUNTED_IN + ": an adjusted bootstrap of {resamples} resamples"
TOO_FEW = (
    "{items} {kind} do not pin down the threshold of a rate of {share:g}, so nothing on one side "
    "of the interval is excluded; {needed} or more would"
)
NO_VARIATION = (
    "every resample gave the same rate, so the bootstrap says nothing; the interval is Wilson's "
    "at the threshold that was read off, and may be too narrow"
)
BY_CLUSTER = COUNTED_IN + ": {resamples} resamples of whole clusters"
NO_RANDOM = "no interval: clusters are drawn again for it; pass rng="
RateMethod = Literal["order", "bootstrap"]
RATE_METHODS = ("order", "bootstrap")


def rates_at_threshold(
    table: ScoreTable, threshold: float, *, level: float = 0.95
) -> tuple[Proportion, Proportion]:
    """P_D and P_FA when everything from a threshold up is called positive.

    For a threshold fixed in advance: the counts are then binomial, and Wilson's intervals hold. A
    threshold that these items chose promises too much; see :func:`detection_rate_at`.

    Parameters
    ----------
    table : ScoreTable
        At least one positive and one negative.
    threshold : float
        Chosen without a look at these items.
    level : float
        Coverage of each interval.

    References
    ----------
    .. [1] Wilson (1927), Journal of the American Statistical Association 22, 209-212,
       doi:10.1080/01621459.1927.10502953.

    Examples
    --------
    >>> detection, alarm = rates_at_threshold(ScoreTable.from_scores([9, 4], [4, 1]), 4)
    >>> (detection.successes, detection.trials), (alarm.successes, alarm.trials)
    ((2, 2), (1, 2))
    """
    point = RocCurve.of(table).at(threshold=threshold, measures=())
    return (
        _share("detection rate", point.tp, table.positive_total, table.positive, level),
        _share("false alarm rate", point.fp, table.negative_total, table.positive, level),
    )


def detection_rate_at(
    table: ScoreTable,
    *,
    false_alarm_rate: Number,
    level: float = 0.95,
    rng: np.random.Generator | None = None,
    resamples: int = RESAMPLES,
    clusters: Grouped[ScoreTable] | None = None,
    method: RateMethod = "order",
) -> Estimate:
    r"""P_D at a P_FA: the most detections with at most this share of false alarms.

    In [0, 1], larger is better; undefined without items of both classes. No interpolation: the
    top of the step, with the share compared as typed.

    Parameters
    ----------
    table : ScoreTable
        Positives and negatives at each score.
    false_alarm_rate : number
        In [0, 1].
    level : float
        Coverage of the interval.
    rng : numpy.random.Generator, optional
        For ``bootstrap`` and for clusters, which have no interval without it.
    resamples : int
        Bootstrap resamples.
    method : {"order", "bootstrap"}
        ``order`` (default) or the interval BTII of [1]_: detections of each resample become
        :math:`(x+z^2/2)/(P+z^2)`, and the limits are their mean :math:`\pm z` of their standard
        deviation; when all resamples agree, Wilson's interval with a caveat. It is too short when
        few negatives lie above the threshold: at P_FA 0.01 and 100 negatives it covers 83 %.
    clusters : Grouped of ScoreTable, optional
        The same scores by cluster: whole clusters are then drawn, and Wilson's interval is taken
        with the number of items that would vary as much
        (:func:`~steelyard.uncertainty.shares.resampled.resample_share_interval`).

    Returns
    -------
    Estimate
        With limits :math:`\hat R\mp\sqrt{d_t^2+d_b^2}`: :math:`d_b` is the distance to the limit
        of Clopper and Pearson at the threshold read off, and :math:`d_t` what the detections seen
        change by when the threshold moves to the order statistic of the negatives beyond which
        the true P_FA lies with that error rate, by the Beta distribution of order statistics [2]_;
        the two are joined as Zou and Donner do [3]_.

    Notes
    -----
    With few negatives above the threshold the threshold itself is hardly known: at P_FA 0.01 fewer
    than 368 negatives exclude no lower rate, and the interval begins at 0.

    References
    ----------
    .. [1] Zhou & Qin (2005), Statistics in Medicine 24, 465-477, doi:10.1002/sim.1563.
    .. [2] David & Nagaraja (2003), Order Statistics, 3rd edition, Wiley, section 7.1,
       doi:10.1002/0471722162.
    .. [3] Zou & Donner (2008), Statistics in Medicine 27, 1693-1702, doi:10.1002/sim.3095.

    Examples
    --------
    >>> table = ScoreTable.from_scores([0.9, 0.8, 0.3], [0.7, 0.2, 0.1, 0.05])
    >>> detection_rate_at(table, false_alarm_rate=0.25).value
    1.0
    """
    return _read_rate(
        table,
        exact_share(false_alarm_rate, "false_alarm_rate"),
        "negatives",
        level=level,
        rng=rng,
        resamples=resamples,
        clusters=clusters,
        method=method,
    )


def false_alarm_rate_at(
    table: ScoreTable,
    *,
    detection_rate: Number,
    level: float = 0.95,
    rng: np.random.Generator | None = None,
    resamples: int = RESAMPLES,
    clusters: Grouped[ScoreTable] | None = None,
    method: RateMethod = "order",
) -> Estimate:
    """P_FA at a P_D: the fewest false alarms with at least this share of detections.

    In [0, 1], lower is better; otherwise as :func:`detection_rate_at`, seen from the other class.

    References
    ----------
    .. [1] Zhou & Qin (2005), Statistics in Medicine 24, 465-477, doi:10.1002/sim.1563.

    Examples
    --------
    >>> table = ScoreTable.from_scores([0.9, 0.8, 0.3], [0.7, 0.2, 0.1, 0.05])
    >>> false_alarm_rate_at(table, detection_rate=1).value
    0.25
    """
    share = exact_share(detection_rate, "detection_rate")
    turned = _read_rate(
        _mirror(table),
        1 - share,
        "positives",
        level=level,
        rng=rng,
        resamples=resamples,
        clusters=None if clusters is None else clusters.each(_mirror),
        method=method,
    )
    return Estimate(
        measure=f"P_FA at P_D {float(share):g}",
        value=None if turned.value is None else _complement(turned.value, table.negative_total),
        interval=_turn(turned.interval),
        reason=one_class(table),
        of=table.positive,
        items=table.total,
        caveats=turned.caveats,
    )


def miss_rate_at(
    table: ScoreTable,
    *,
    false_alarm_rate: Number,
    level: float = 0.95,
    rng: np.random.Generator | None = None,
    resamples: int = RESAMPLES,
    clusters: Grouped[ScoreTable] | None = None,
    method: RateMethod = "order",
) -> Estimate:
    """Miss rate at a P_FA (FNMR at a FMR, FRR at a FAR): what :func:`detection_rate_at` leaves.

    In [0, 1], lower is better; parameters and limits as there.

    References
    ----------
    .. [1] Zhou & Qin (2005), Statistics in Medicine 24, 465-477, doi:10.1002/sim.1563.

    Examples
    --------
    >>> table = ScoreTable.from_scores([0.9, 0.8, 0.3], [0.7, 0.2, 0.1, 0.05])
    >>> miss_rate_at(table, false_alarm_rate=0.25).value
    0.0
    """
    share = exact_share(false_alarm_rate, "false_alarm_rate")
    found = detection_rate_at(
        table,
        false_alarm_rate=share,
        level=level,
        rng=rng,
        resamples=resamples,
        clusters=clusters,
        method=method,
    )
    return replace(
        found,
        measure=f"miss rate at P_FA {float(share):g}",
        value=None if found.value is None else _complement(found.value, table.positive_total),
        interval=_turn(found.interval),
    )


def _turn(ends: Interval | None) -> Interval | None:
    return ends and replace(ends, low=1 - ends.high, high=1 - ends.low)


def _read_rate(
    table: ScoreTable,
    share: Fraction,
    others: str,
    *,
    level: float,
    rng: np.random.Generator | None,
    resamples: int,
    clusters: Grouped[ScoreTable] | None,
    method: RateMethod,
) -> Estimate:
    """Read a detection rate off; ``others`` says what the table's negatives are."""
    normal_quantile(level)
    if method not in RATE_METHODS:
        raise RequestError.for_choice(name="method", given=method, choices=RATE_METHODS)
    measure = f"P_D at P_FA {float(share):g}"
    reason = one_class(table)
    if reason:
        return _say_undefined(measure, table, reason)
    most = whole_part(share, table.negative_total, rounding="floor")
    found = RocCurve.of(table).at(false_alarm_rate=share, measures=())
    total = table.positive_total
    ordered, caveats = _by_order(table, share, others, level=level)
    interval: Interval | None = ordered
    if clusters is not None:
        if rng is None:
            interval, caveats = None, (NO_RANDOM,)
        else:
            rates = _resample_clusters(clusters, share, rng=rng, resamples=resamples)
            holding = sum(part.positive_total > 0 for _, part in clusters)
            drawn = resample_share_interval(
                found.tp / total, rates, items=holding, clusters=len(clusters), level=level
            )
            # Naming clusters makes nothing surer than the items alone.
            interval = _wider(drawn, ordered)
            caveats = (BY_CLUSTER.format(resamples=rates.size), *caveats[1:])
    elif method == "bootstrap" and rng is not None:
        counts = _detections(table, most, rng=rng, resamples=resamples)
        interval, caveats = _adjust(counts, (found.tp, total), level)
    return Estimate(
        measure=measure,
        value=found.tp / total,
        interval=interval,
        of=table.positive,
        items=table.total,
        caveats=caveats,
    )


def _share(measure: str, won: int, total: int, of: str, level: float) -> Proportion:
    low, high = wilson_interval(won, total, level=level)
    return Proportion(
        measure=measure,
        successes=won,
        trials=total,
        interval=Interval(low=low, high=high, level=level, method="wilson"),
        of=of,
        caveats=(FIXED,),
    )


def _say_undefined(measure: str, table: ScoreTable, reason: str) -> Estimate:
    return Estimate(
        measure=measure, value=None, reason=reason, of=table.positive, items=table.total
    )


def _complement(share: float, total: int) -> float:
    # 1 - share would carry the rounding of a float; the count of the others does not.
    return (total - round(share * total)) / total


def _mirror(table: ScoreTable) -> ScoreTable:
    """Turn the scores round and let the classes change places."""
    return ScoreTable(
        positive=table.positive,
        scores=-table.scores[::-1] + 0.0,
        positives=table.negatives[::-1],
        negatives=table.positives[::-1],
    )


def _by_order(
    table: ScoreTable, share: Fraction, others: str, *, level: float
) -> tuple[Interval, tuple[str, ...]]:
    """Let the threshold move between order statistics of the negatives, and add the binomial."""
    alpha = (1 - level) / 2
    negatives, total = table.negative_total, table.positive_total
    low_rank, high_rank = _ranks(negatives, float(share), alpha)
    most = whole_part(share, negatives, rounding="floor")
    alarms = np.cumsum(table.negatives[::-1])
    positives = table.positives[::-1]
    won = int(positives[alarms <= most].sum())
    fewest = int(positives[alarms < low_rank].sum())
    largest = int(positives[alarms - table.negatives[::-1] < high_rank].sum())
    if high_rank > negatives:
        largest = total
    low, high = clopper_pearson_interval(won, total, level=level)
    rate = won / total
    ends = Interval(
        low=max(0.0, rate - hypot((won - fewest) / total, rate - low)),
        high=min(1.0, rate + hypot((largest - won) / total, high - rate)),
        level=level,
        method="order-statistics",
    )
    if (low_rank > 0 and high_rank <= negatives) or share in {0, 1}:
        return ends, (COUNTED_IN,)
    rare = float(min(share, 1 - share))
    # (1 - rare)^n = alpha: with fewer items none may lie beyond the share, however the scores fall.
    needed = ceil(log(alpha) / log1p(-rare))
    few = TOO_FEW.format(items=negatives, kind=others, share=float(share), needed=needed)
    return ends, (COUNTED_IN, few)


def _ranks(negatives: int, share: float, alpha: float) -> tuple[int, int]:
    """Ranks from the top between which the negative at this share of false alarms lies.

    Above the first of them more than the share lies with probability alpha at most, and below the
    second less; 0 and one more than there are stand for no such negative.
    """
    if share <= 0:
        return 0, 1
    if share >= 1:
        return negatives, negatives + 1

    def below(rank: int) -> float:
        """Chance that the true share above the negative of this rank is at most the one asked."""
        return float(betainc(rank, negatives + 1 - rank, share))

    ranks = range(1, negatives + 1)
    first = bisect_left(ranks, 1, key=lambda rank: int(below(rank) < 1 - alpha))
    last = bisect_left(ranks, 1, key=lambda rank: int(below(rank) <= alpha)) + 1
    return first, last


def _wider(one: Interval, two: Interval) -> Interval:
    return replace(one, low=min(one.low, two.low), high=max(one.high, two.high))


def _detections(
    table: ScoreTable, most: int, *, rng: np.random.Generator, resamples: int
) -> Floats:
    """Count, in every resample, the positives above the allowed number of false alarms."""
    found = []
    for part in resample_scores(table, rng=rng, resamples=resamples):
        alarms = np.cumsum(part.negatives[:, ::-1], axis=1)
        allowed = alarms <= most
        found.append(np.where(allowed, part.positives[:, ::-1], 0).sum(axis=1))
    return np.concatenate(found).astype(np.float64)


def _resample_clusters(
    clusters: Grouped[ScoreTable],
    share: Fraction,
    *,
    rng: np.random.Generator,
    resamples: int,
) -> Floats:
    """Read the rate off every resample of clusters, with the share of its own negatives."""
    found = []
    for part in resample_scores(clusters, rng=rng, resamples=resamples):
        alarms = np.cumsum(part.negatives[:, ::-1], axis=1)
        # Whole numbers are compared, so that a share means what was typed.
        allowed = alarms * share.denominator <= alarms[:, -1:] * share.numerator
        won = np.where(allowed, part.positives[:, ::-1], 0).sum(axis=1)
        found.append(won / part.positives.sum(axis=1))
    return np.concatenate(found)


def _adjust(
    drawn: Floats, found: tuple[int, int], level: float
) -> tuple[Interval, tuple[str, ...]]:
    z = normal_quantile(level)
    won, total = found
    if drawn.min() == drawn.max():
        low, high = wilson_interval(won, total, level=level)
        return Interval(low=low, high=high, level=level, method="wilson"), (NO_VARIATION,)
    moved = (drawn + z * z / 2) / (total + z * z)
    centre, half = float(moved.mean()), z * sqrt(float(moved.var(ddof=1)))
    ends = Interval(
        low=max(0.0, centre - half),
        high=min(1.0, centre + half),
        level=level,
        method="zhou-qin-bootstrap",
    )
    said = READ_OFF.format(resamples=drawn.size)
    return ends, (said, shortfall("rate-bootstrap"))

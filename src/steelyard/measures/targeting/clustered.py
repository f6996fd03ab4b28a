"""Whom to contact first when items come in clusters: the same numbers, other intervals."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import Grouped, ScoreTable
from steelyard.measures.calibration.clustered_forecasts import ALIKE, limit_mean
from steelyard.measures.calibration.decision_curves import DecisionPoint, decision_curve
from steelyard.measures.tables.cluster_limits import METHOD, add_variance, never_narrower
from steelyard.measures.tables.clustered import ALONE
from steelyard.measures.targeting.curve import (
    Targeted,
    gain_curve,
    gini,
    ks_distance,
    lift_limits,
)
from steelyard.measures.vectors.clustered import clustered_auc
from steelyard.results.estimates import Estimate, Interval
from steelyard.uncertainty import ShareSums, cluster_freedom, cluster_share_interval
from steelyard.uncertainty.areas.resampling import RESAMPLES, resample_statistic

__all__ = [
    "clustered_benefits",
    "clustered_gains",
    "clustered_gini",
    "clustered_ks_distance",
]

Floats = NDArray[np.float64]
Clusters = Grouped[ScoreTable]
NOTHING = 1e-9
"""Ties are shared in proportion, so counts need not be whole."""


def clustered_gains(
    clusters: Clusters, depths: Sequence[float], *, level: float = 0.95
) -> tuple[Targeted, ...]:
    r"""Cumulative gain, precision and lift at each depth, with clusters as the units.

    Values are those of :func:`~steelyard.measures.gain_curve`. With :math:`c` the cut-off score,
    :math:`r` the share of positives near it and :math:`\pi` that of all items, an item adds
    :math:`\left(y([s\ge c]-g)-r([s\ge c]-q)\right)/(n\pi)` to the gain, and
    :math:`\left([s\ge c](y-r)-q(p-r)\right)/(nq)` to the precision :math:`p`; both are summed over
    each cluster. The variance of the sums is the jackknife's, with one more cluster like those that
    hold positives (contacts, for the precision); Wilson's limits are taken with as many items as
    would vary as much, never more than the positives (contacts) there are, and with Student's t in
    place of the normal quantile; they reach as far as those of few clusters do
    (:func:`~steelyard.uncertainty.cluster_share_interval`). Lift is the captured share divided by
    the depth, and never beyond one over the share of positives.

    Parameters
    ----------
    clusters : Grouped of ScoreTable
        One table for each cluster, without weights.
    depths : sequence of float
        Shares of the items in (0, 1].
    level : float
        Coverage of each interval on its own, strictly between 0 and 1.

    References
    ----------
    .. [1] Jiang & Zhao (2015), On asymptotic distributions and confidence intervals for LIFT
       measures in data mining, Journal of the American Statistical Association 110.
    .. [2] Binder (1983), International Statistical Review 51, 279-292, doi:10.2307/1402588.

    Examples
    --------
    >>> parts = {str(g): ScoreTable.from_scores([g + 1.5, g + 2.0], [g + 0.5, 2.0 * g])
    ...          for g in range(6)}
    >>> place, = clustered_gains(Grouped.from_parts("patient", parts), [0.5])
    >>> place.captured.interval.method
    'cluster-robust'
    """
    whole = clusters.merged()
    points = gain_curve(whole, depths=depths, level=level).points
    if sum(part.positive_total > 0 for _, part in clusters) < 2:
        return tuple(_alone(point) for point in points)
    flat = _Flat(clusters)
    order = sorted(range(len(points)), key=lambda place: points[place].contacts)
    found = {place: _with_clusters(flat, points[place], level) for place in order}
    return tuple(found[place] for place in range(len(points)))


def clustered_ks_distance(
    clusters: Clusters,
    *,
    rng: np.random.Generator,
    level: float = 0.95,
    resamples: int = RESAMPLES,
) -> Estimate:
    r"""Kolmogorov-Smirnov distance of items in clusters.

    The distance is within :math:`\sup_t|D^*(t)-D(t)|` of the true one, with :math:`D=TPR-FPR`;
    the interval reaches as far as that supremum does in ``level`` of the resamples of whole
    clusters. It covers at least about ``level``.

    References
    ----------
    .. [1] Davison & Hinkley (1997), Bootstrap Methods and their Application, Cambridge, section
       3.8, doi:10.1017/CBO9780511802843.

    Examples
    --------
    >>> parts = {str(g): ScoreTable.from_scores([g + 1.5, g + 2.0], [g + 0.5, 2.0 * g])
    ...          for g in range(6)}
    >>> grouped = Grouped.from_parts("patient", parts)
    >>> clustered_ks_distance(grouped, rng=np.random.default_rng(0)).interval.method
    'cluster-bootstrap'
    """
    whole = clusters.merged()
    plain = ks_distance(whole, level=level)
    if plain.value is None:
        return plain
    sides = ("positive_total", "negative_total")
    if min(sum(getattr(part, side) > 0 for _, part in clusters) for side in sides) < 2:
        return replace(plain, interval=None, caveats=(*plain.caveats, ALONE))
    curves: list[Floats] = []

    def keep(false_alarms: Floats, detections: Floats) -> Floats:
        curves.append(detections - false_alarms)
        return np.zeros(len(false_alarms))

    resample_statistic(clusters, keep, rng=rng, resamples=resamples)
    drawn = np.concatenate(curves)
    off = float(np.quantile(np.abs(drawn - drawn.mean(axis=0)).max(axis=1), level))
    ends = Interval(
        low=max(0.0, plain.value - off),
        high=min(1.0, plain.value + off),
        level=level,
        method="cluster-bootstrap",
    )
    return replace(plain, interval=ends)


def clustered_gini(clusters: Clusters, *, level: float = 0.95) -> Estimate:
    """Gini coefficient of items in clusters: that of the area, on the other scale.

    References
    ----------
    .. [1] Obuchowski (1997), Biometrics 53, 567-578, doi:10.2307/2533958.

    Examples
    --------
    >>> parts = {str(g): ScoreTable.from_scores([g + 1.5, g + 2.0], [g + 0.5, 2.0 * g])
    ...          for g in range(6)}
    >>> clustered_gini(Grouped.from_parts("patient", parts)).interval.method
    'cluster-placement'
    """
    plain, area = gini(clusters.merged(), level=level), clustered_auc(clusters, level=level)
    ends = area.interval
    if plain.value is None or ends is None:
        return replace(plain, interval=None, standard_error=None, caveats=area.caveats)
    limits = replace(ends, low=2 * ends.low - 1, high=2 * ends.high - 1)
    error = None if area.standard_error is None else 2 * area.standard_error
    return replace(plain, interval=limits, standard_error=error, caveats=area.caveats)


def clustered_benefits(
    clusters: Clusters, thresholds: Sequence[float], *, level: float = 0.95
) -> tuple[DecisionPoint, ...]:
    r"""Net benefit at several thresholds, a mean over items that come in clusters.

    The interval is that of the mean over clusters [1]_, and reaches at least as far as those of its
    two shares, true and false positives among all items, squared and added [2]_:
    :math:`\hat b-\sqrt{(\hat t-t_l)^2+w^2(f_u-\hat f)^2}`, with w the odds of the threshold.
    Few clusters, or few called, leave the mean alone too short: 0.85 with three clusters.

    References
    ----------
    .. [1] Cochran (1977), Sampling Techniques, 3rd edition, Wiley, sections 6.3 and 9A.6.
    .. [2] Zou & Donner (2008), Statistics in Medicine 27, 1693-1702, doi:10.1002/sim.3095.

    Examples
    --------
    >>> parts = {str(g): ScoreTable.from_scores([0.9, 0.4 + g / 10], [0.1 + g / 10, 0.6])
    ...          for g in range(4)}
    >>> point, = clustered_benefits(Grouped.from_parts("patient", parts), [0.3])
    >>> point.benefit.interval.method
    'cluster-robust'
    """
    items = np.array([float(part.total) for _, part in clusters])
    found = []
    for point in decision_curve(clusters.merged(), thresholds, level=level):
        rate = point.threshold / (1 - point.threshold)
        called = np.array(
            [
                [float(kind[part.scores >= point.threshold].sum()) for kind in
                 (part.positives, part.negatives)]
                for _, part in clusters
            ]
        )  # fmt: skip
        worth = called[:, 0] - rate * called[:, 1]
        benefit = limit_mean(point.benefit, worth, items, level=level, bounds=(-rate, 1.0))
        found.append(replace(point, benefit=_with_shares(benefit, called, items, rate, level)))
    return tuple(found)


def _with_shares(
    benefit: Estimate, called: Floats, items: Floats, rate: float, level: float
) -> Estimate:
    """Draw the limits out to those of true and false positives, squared and added."""
    if benefit.value is None or np.count_nonzero(items) < 2:
        return benefit
    share = called.sum(axis=0) / items.sum()
    gained, lost = (cluster_share_interval(one, items, level=level) for one in called.T)
    low = benefit.value - np.hypot(share[0] - gained[0], rate * (lost[1] - share[1]))
    high = benefit.value + np.hypot(gained[1] - share[0], rate * (share[1] - lost[0]))
    wide = Interval(low=max(-rate, low), high=min(1.0, high), level=level, method=METHOD)
    ends = wide if benefit.interval is None else never_narrower(benefit.interval, wide)
    caveats = tuple(said for said in benefit.caveats if said != ALIKE)
    return replace(benefit, interval=ends, caveats=caveats)


class _Flat:
    """All scores, best first, with their cluster; and what was contacted of each so far."""

    def __init__(self, clusters: Clusters) -> None:
        parts = [part for _, part in clusters]
        scores = np.concatenate([part.scores for part in parts])
        order = np.argsort(-scores, kind="stable")
        self.number = len(parts)
        self.scores = scores[order]
        self.cluster = np.repeat(np.arange(len(parts)), [part.scores.size for part in parts])[order]
        self.positives = np.concatenate([part.positives for part in parts])[order].astype(float)
        self.items = self.positives + np.concatenate([part.negatives for part in parts])[order]
        self.reached = np.cumsum(self.items)
        self.sizes = self._by_cluster(self.items, slice(None))
        self.hits = self._by_cluster(self.positives, slice(None))
        self._done = 0
        self._above = np.zeros((2, self.number))

    def _by_cluster(self, values: Floats, which: slice) -> Floats:
        summed = np.bincount(self.cluster[which], values[which], minlength=self.number)
        return summed.astype(np.float64)

    def count_contacts(self, contacts: float) -> tuple[Floats, Floats]:
        """Items and positives of each cluster among the first so many; depths must ascend."""
        # A depth times the items may end a hair above a whole number: no reason for one more score.
        last = min(int(np.searchsorted(self.reached, contacts - 1e-9)), self.scores.size - 1)
        cut = self.scores[last]
        start = int(np.searchsorted(-self.scores, -cut, side="left"))
        end = int(np.searchsorted(-self.scores, -cut, side="right"))
        if start > self._done:
            fresh = slice(self._done, start)
            self._above += [self._by_cluster(one, fresh) for one in (self.items, self.positives)]
            self._done = start
        before = float(self.reached[start - 1]) if start else 0.0
        tied = float(self.reached[end - 1]) - before
        share = min(1.0, (contacts - before) / tied)
        at = [self._by_cluster(one, slice(start, end)) for one in (self.items, self.positives)]
        return self._above[0] + share * at[0], self._above[1] + share * at[1]

    def near(self, contacts: float) -> float:
        """Share of positives near the last item contacted, as for single items."""
        total = float(self.reached[-1])
        reach = max(1.0, total ** (2 / 3) / 2)
        ends = np.array([max(0.0, contacts - reach), min(total, contacts + reach)])
        # Tied items count together, so that names of clusters do not matter.
        last = np.append(np.flatnonzero(np.diff(self.scores)), self.scores.size - 1)
        found = np.concatenate([[0.0], np.cumsum(self.positives)[last]])
        low, high = np.interp(ends, np.concatenate([[0.0], self.reached[last]]), found)
        return float((high - low) / (ends[1] - ends[0]))


def _with_clusters(flat: _Flat, point: Targeted, level: float) -> Targeted:
    contacted, reached = flat.count_contacts(point.contacts)
    total, depth, near = float(flat.reached[-1]), point.depth, flat.near(point.contacts)
    share = float(flat.hits.sum()) / total
    gain, precision = point.captured.value, point.precision.value
    assert gain is not None
    assert precision is not None
    of_gain = (reached - gain * flat.hits - near * (contacted - depth * flat.sizes)) / (
        total * share
    )
    of_precision = (reached - near * contacted - depth * (precision - near) * flat.sizes) / (
        total * depth
    )
    captured = None
    if depth < 1:
        captured = _limits((gain, of_gain), (reached, flat.hits), flat.sizes, level)
    meant = _limits((precision, of_precision), (reached, contacted), flat.sizes, level)
    lifted = None
    if captured is not None:
        lifted = lift_limits(captured, depth, share)
    return replace(
        point,
        captured=replace(point.captured, interval=captured),
        precision=replace(point.precision, interval=meant),
        lift=replace(point.lift, interval=lifted),
    )


def _limits(
    seen: tuple[float, Floats], counts: tuple[Floats, Floats], sizes: Floats, level: float
) -> Interval:
    """Limits of a share that clusters vary by ``added``, of what was won among what was there."""
    (share, added), (won, among) = seen, counts
    held = sizes > 0
    won, among = won[held], among[held]
    few = among - won if share > 0.5 else won
    low, high = ShareSums(
        successes=share * float(among.sum()),
        weight=float(among.sum()),
        items=float(among.sum()),
        variance=add_variance(added[held], sizes[held]),
        squares=float(few @ few),
        telling=float(np.count_nonzero(few > NOTHING)),
        clusters=float(among.sum() ** 2 / (among @ among)),
        # Where one cluster holds all of them, none shows how clusters vary: the least there is.
        freedom=cluster_freedom(among[among > 0]) if (among > 0).sum() > 1 else 1.0,
    ).interval(level)
    return Interval(low=low, high=high, level=level, method="cluster-robust")


def _alone(point: Targeted) -> Targeted:
    parts = (point.captured, point.precision, point.lift)
    captured, precision, lift = (
        replace(one, interval=None, caveats=(*one.caveats, ALONE)) for one in parts
    )
    return replace(point, captured=captured, precision=precision, lift=lift)

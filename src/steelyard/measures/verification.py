"""Costs of verification: detection costs, Cllr, and what the calibration of scores loses."""

from dataclasses import dataclass
from math import hypot, isfinite, log, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from steelyard.counts import ScoreTable
from steelyard.errors import CountsError, RequestError
from steelyard.results.estimates import Estimate, Interval
from steelyard.uncertainty import wilson_interval

__all__ = [
    "DetectionCost",
    "DetectionPoint",
    "LikelihoodCost",
    "actual_detection_cost",
    "cllr",
    "detection_cost",
    "least_cllr",
    "least_detection_cost",
    "likelihood_cost",
]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectionPoint:
    """What a miss and a false alarm cost, and how many of the trials are targets in use."""

    miss: float = 1.0
    false_alarm: float = 1.0
    target: float = 0.5

    @property
    def threshold(self) -> float:
        """Bayes threshold of a natural log likelihood ratio."""
        return log(self.false_alarm * (1 - self.target) / (self.miss * self.target))

    @property
    def least(self) -> float:
        """Cost of the better of accepting all and accepting none, by which costs are divided."""
        return min(self.miss * self.target, self.false_alarm * (1 - self.target))


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectionCost:
    """Cost at the Bayes threshold and the least over all thresholds, both normalised."""

    point: DetectionPoint
    actual: float
    minimum: float
    misses: float
    false_alarms: float
    threshold: float
    best_thresholds: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LikelihoodCost:
    """Cllr, and the least one that recalibration could reach."""

    cllr: float
    minimum: float

    @property
    def calibration_loss(self) -> float:
        """What the scale of the scores loses."""
        return self.cllr - self.minimum


def detection_cost(
    targets: ArrayLike,
    others: ArrayLike,
    *,
    point: DetectionPoint | None = None,
    threshold: float | None = None,
) -> DetectionCost:
    r"""Detection cost of scores, accepted from a threshold on.

    :math:`C=C_{miss}P_{target}P_{miss}+C_{fa}(1-P_{target})P_{fa}`, divided by the cost of the
    better of accepting all and none; actual at the Bayes threshold
    :math:`\ln\frac{C_{fa}(1-P_{target})}{C_{miss}P_{target}}` of natural log likelihood ratios (or
    at ``threshold``), and the least over all thresholds (minDCF) [1]_.

    Parameters
    ----------
    targets, others : array_like
        Scores of trials that are and that are not of the target.
    point : DetectionPoint, optional
        Costs and prior; equal costs and one half unless given.
    threshold : float, optional
        Where the system accepts, if not at the Bayes threshold.

    References
    ----------
    .. [1] Brümmer & du Preez (2006), Computer Speech & Language 20, 230-275,
       doi:10.1016/j.csl.2005.08.001.

    Examples
    --------
    >>> cost = detection_cost([1.0, 2.0, -0.5], [-1.0, 0.5, -2.0])
    >>> round(cost.actual, 4), round(cost.minimum, 4)
    (0.6667, 0.3333)
    """
    own, other = _check_scores(targets, others)
    at = point or DetectionPoint()
    if not (0 < at.target < 1 and at.miss > 0 and at.false_alarm > 0):
        message = (
            f"target {at.target:g}, costs {at.miss:g} and {at.false_alarm:g}: costs lie above 0, "
            "and the share of targets between 0 and 1, such as 0.01."
        )
        raise RequestError(message)
    used = at.threshold if threshold is None else threshold
    places = np.append(np.unique(np.concatenate([own, other])), np.inf)
    misses = np.searchsorted(np.sort(own), places, side="left") / own.size
    alarms = 1 - np.searchsorted(np.sort(other), places, side="left") / other.size
    costs = at.miss * at.target * misses + at.false_alarm * (1 - at.target) * alarms
    missed, alarmed = float((own < used).mean()), float((other >= used).mean())
    least = float(costs.min())
    # Equal costs at two thresholds are sums of other floats, and differ in the last digits.
    best = places[costs <= least * (1 + 1e-12)]
    return DetectionCost(
        point=at,
        actual=(at.miss * at.target * missed + at.false_alarm * (1 - at.target) * alarmed)
        / at.least,
        minimum=least / at.least,
        misses=missed,
        false_alarms=alarmed,
        threshold=used,
        best_thresholds=tuple(best.tolist()),
    )


def likelihood_cost(targets: ArrayLike, others: ArrayLike) -> LikelihoodCost:
    r"""Cllr of natural log likelihood ratios, and the least one of any monotone recalibration.

    :math:`C_{llr}=\tfrac12\big[\overline{\log_2(1+e^{-s})}_{targets}+
    \overline{\log_2(1+e^{s})}_{others}\big]`; the minimum takes the isotonic ratios (pool adjacent
    violators, tied scores pooled before) [1]_.

    Parameters
    ----------
    targets, others : array_like
        Natural log likelihood ratios.

    References
    ----------
    .. [1] Brümmer & du Preez (2006), Computer Speech & Language 20, 230-275,
       doi:10.1016/j.csl.2005.08.001.

    Examples
    --------
    >>> cost = likelihood_cost([2.0, 1.0, -0.5, 3.0], [-1.0, 0.5, -2.0, -3.0])
    >>> round(cost.cllr, 4), round(cost.minimum, 4)
    (0.5276, 0.25)
    """
    own, other = _check_scores(targets, others)
    sides = (np.logaddexp(0.0, -own) / log(2), np.logaddexp(0.0, other) / log(2))
    value = float(sides[0].mean() + sides[1].mean()) / 2
    return LikelihoodCost(cllr=value, minimum=_least_cost(own, other))


LONE = "there are no positives or no negatives"
CHOSEN = (
    "the least over thresholds that these items chose: too low on average, and no interval of it "
    "is known to hold; the actual cost, at a threshold fixed beforehand, has one"
)
ISOTONIC = (
    "the least after the best recalibration on exactly these items: too low on average, and no "
    "interval of it is known to hold"
)
FEW_ERRORS = (
    "fewer than 5 misses or false alarms: the limits hold in about 91 % instead of 95 % where they "
    "are rare"
)
FEWEST = 5
CERTAIN = (
    "it is infinite: a target has a log likelihood ratio of -inf, or another of inf, which no "
    "further evidence can change"
)
SURE_MISTAKES = (
    "{few} trials of a kind lie on the wrong side of 0: sure mistakes are rare and cost much, and "
    "where they are missing the interval is too short (it has covered 67 % instead of 95 %)"
)
ENOUGH = 10
"""Mistakes of a kind below which a rare large loss may well be missing."""


def cllr(table: ScoreTable, *, level: float = 0.95) -> Estimate:
    r"""Cllr of natural log likelihood ratios, with Welch's t interval of the two means.

    In some settings it falls short: docs/reference/certificates.md has the worst found.

    Variance :math:`\tfrac14(s_1^2/n_1+s_0^2/n_0)` of the losses of targets and others, freedom by
    Welch and Satterthwaite.

    Examples
    --------
    >>> table = ScoreTable.from_scores([2.0, 1.0, -0.5, 3.0], [-1.0, 0.5, -2.0, -3.0])
    >>> round(cllr(table).value, 4)
    0.5276
    """
    sides = _sides(table)
    if sides is None:
        return Estimate(measure="Cllr", value=None, reason=LONE)
    own, other = sides
    losses = (np.logaddexp(0.0, -own) / log(2), np.logaddexp(0.0, other) / log(2))
    value = float(losses[0].mean() + losses[1].mean()) / 2
    if not isfinite(value):
        return Estimate(measure="Cllr", value=None, reason=CERTAIN, items=table.total)
    parts = [float(one.var(ddof=1)) / one.size / 4 if one.size > 1 else None for one in losses]
    known = [part for part in parts if part is not None]
    ends = None
    if len(known) == 2 and sum(known) > 0:
        spread = sum(known)
        freedom = spread**2 / sum(
            part**2 / (one.size - 1) for part, one in zip(known, losses, strict=True)
        )
        half = -float(stdtrit(freedom, (1 - level) / 2)) * sqrt(spread)
        ends = Interval(low=max(0.0, value - half), high=value + half, level=level, method="welch")
    few = min(int((own < 0).sum()), int((other > 0).sum()))
    doubts = (SURE_MISTAKES.format(few=few),) if few < ENOUGH else ()
    return Estimate(measure="Cllr", value=value, interval=ends, items=table.total, caveats=doubts)


def least_cllr(table: ScoreTable, *, level: float = 0.95) -> Estimate:
    """Cllr after the best monotone recalibration; no interval.

    Examples
    --------
    >>> table = ScoreTable.from_scores([2.0, 1.0, -0.5, 3.0], [-1.0, 0.5, -2.0, -3.0])
    >>> least_cllr(table).value
    0.25
    """
    del level
    sides = _sides(table)
    if sides is None:
        return Estimate(measure="min Cllr", value=None, reason=LONE)
    return Estimate(
        measure="min Cllr", value=_least_cost(*sides), items=table.total, caveats=(ISOTONIC,)
    )


def actual_detection_cost(table: ScoreTable, *, target: float, level: float = 0.95) -> Estimate:
    r"""Normalised detection cost at the Bayes threshold of log likelihood ratios, equal costs.

    In some settings it falls short: docs/reference/certificates.md has the worst found.

    :math:`C=a\,P_{miss}+b\,P_{fa}` with :math:`a=P_t/\min(P_t,1-P_t)` and b alike; limits are
    Wilson's of both rates, put together by the method of variance estimates recovery [1]_. Other
    costs are another share of targets: :math:`P_t'=C_{miss}P_t/(C_{miss}P_t+C_{fa}(1-P_t))`.

    References
    ----------
    .. [1] Zou & Donner (2008), Statistics in Medicine 27, 1693-1702, doi:10.1002/sim.3095.

    Examples
    --------
    >>> table = ScoreTable.from_scores([1.0, 2.0, -0.5], [-1.0, 0.5, -2.0])
    >>> found = actual_detection_cost(table, target=0.5)
    >>> round(found.value, 4), round(found.interval.low, 3), round(found.interval.high, 3)
    (0.6667, 0.282, 1.316)
    """
    sides = _sides(table)
    if sides is None:
        return Estimate(measure="actual DCF", value=None, reason=LONE)
    own, other = sides
    point = DetectionPoint(target=target)
    found = detection_cost(own, other, point=point)
    value, low, high = found.actual, 0.0, 0.0
    for won, total, weight in (
        (round(found.misses * own.size), own.size, target / point.least),
        (round(found.false_alarms * other.size), other.size, (1 - target) / point.least),
    ):
        least, most = wilson_interval(won, total, level=level)
        low = hypot(low, weight * (won / total - least))
        high = hypot(high, weight * (most - won / total))
    made = Interval(
        low=max(0.0, value - low), high=value + high, level=level, method="mover-wilson"
    )
    name = f"actual DCF {target:g}"
    errors = min(found.misses * own.size, found.false_alarms * other.size)
    return Estimate(
        measure=name, value=value, interval=made, items=table.total,
        caveats=(FEW_ERRORS,) if errors < FEWEST else (),
    )  # fmt: skip


def least_detection_cost(table: ScoreTable, *, target: float, level: float = 0.95) -> Estimate:
    """Least normalised detection cost over all thresholds (minDCF), equal costs; no interval.

    Examples
    --------
    >>> table = ScoreTable.from_scores([1.0, 2.0, -0.5], [-1.0, 0.5, -2.0])
    >>> round(least_detection_cost(table, target=0.5).value, 4)
    0.3333
    """
    del level
    sides = _sides(table)
    if sides is None:
        return Estimate(measure="minDCF", value=None, reason=LONE)
    found = detection_cost(*sides, point=DetectionPoint(target=target))
    name = f"minDCF {target:g}"
    return Estimate(measure=name, value=found.minimum, items=table.total, caveats=(CHOSEN,))


def _sides(table: ScoreTable) -> tuple[Floats, Floats] | None:
    """Write a table of scores out as single trials; None where one kind is missing."""
    if not table.positive_total or not table.negative_total:
        return None
    scores = np.asarray(table.scores, dtype=np.float64)
    own, other = (
        np.repeat(scores, np.asarray(side, dtype=np.int64))
        for side in (table.positives, table.negatives)
    )
    return own, other


def _least_cost(own: Floats, other: Floats) -> float:
    """Cllr after pooling adjacent violators; the ratio of a pure block is infinite and costs 0."""
    places, at = np.unique(np.concatenate([own, other]), return_inverse=True)
    hits = np.bincount(at[: own.size], minlength=places.size).astype(np.float64)
    false = np.bincount(at[own.size :], minlength=places.size).astype(np.float64)
    blocks: list[tuple[float, float]] = []
    for one in zip(hits.tolist(), false.tolist(), strict=True):
        blocks.append(one)
        while len(blocks) > 1 and blocks[-2][0] * blocks[-1][1] >= blocks[-1][0] * blocks[-2][1]:
            last = blocks.pop()
            blocks[-1] = (blocks[-1][0] + last[0], blocks[-1][1] + last[1])
    cost = 0.0
    for hit, wrong in blocks:
        if hit and wrong:
            ratio = log(hit / wrong * other.size / own.size)
            cost += hit / own.size * float(np.logaddexp(0.0, -ratio))
            cost += wrong / other.size * float(np.logaddexp(0.0, ratio))
    return cost / 2 / log(2)


def _check_scores(targets: ArrayLike, others: ArrayLike) -> tuple[Floats, Floats]:
    sides = [np.asarray(one, dtype=np.float64) for one in (targets, others)]
    for name, side in zip(("targets", "others"), sides, strict=True):
        if side.ndim != 1 or side.size == 0 or np.isnan(side).any():
            message = f"{side.size} scores of {name}; expected 1 or more numbers of each kind."
            raise CountsError(message, code="one-class")
    return sides[0], sides[1]

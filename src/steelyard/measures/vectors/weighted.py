"""Scores of per-class vectors over rows that weigh differently, with linearised intervals."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

import numpy as np

from steelyard.counts import SCALE, Grouped, VectorRule, WeightedVectors
from steelyard.measures.tables.cluster_limits import METHOD, add_variance
from steelyard.measures.tables.clustered import ALONE
from steelyard.measures.vectors.contrast import (
    Contrast,
    Mean,
    infinite_loss,
    knows_nothing,
    mean_of_classes,
    no_items_of,
)
from steelyard.measures.vectors.scores import ALIKE
from steelyard.results.estimates import Estimate, Interval
from steelyard.uncertainty import cluster_freedom, wilson_interval_effective

__all__ = ["weighted_vector_difference", "weighted_vector_score"]

Scores = WeightedVectors | Grouped[WeightedVectors]
WEIGHTED = "linearised"
LINEARISED = (
    "rows are weighted: the score is a weighted mean, and its interval takes the weights as "
    "sampling weights"
)
TOO_FEW = "no interval: a class that counts, or the whole, has fewer than 2 items with a weight"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """Sums, times SCALE, of the asked score over some classes: w, wx, w2, w2 x, w2 x2."""

    held: int
    weight: int
    first: int
    squares: int
    square_sums: int
    square_products: int

    @property
    def mean(self) -> float:
        """Weighted mean."""
        return self.first / self.weight

    @property
    def variance(self) -> float:
        """Linearised variance of the mean; 0 when it is below what the sums can tell."""
        w, x = self.weight, self.first
        whole = w * w * self.square_products - 2 * w * x * self.square_sums + x * x * self.squares
        # Each sum is off by half a unit for every row held: a smaller difference of them is noise.
        if whole / (w * w) <= 1e-12 * max(self.squares, self.square_products) + 4 * self.held:
            return 0.0
        return self.held * whole * SCALE / ((self.held - 1) * w**4)

    def estimate(self) -> Mean:
        """Give the mean, with its variance where there are rows enough to tell."""
        if self.held < 2:
            return Mean(value=self.mean)
        return Mean(value=self.mean, variance=self.variance, freedom=self.held - 1.0)


def weighted_vector_score(
    scores: Scores,
    rule: VectorRule,
    system: str,
    *,
    class_weights: Mapping[str, float] | None = None,
    level: float = 0.95,
) -> Estimate:
    r"""Weighted mean score of one system: :math:`\hat s=\sum w_ix_i/\sum w_i`.

    Its linearised variance is
    :math:`\frac{n}{n-1}\sum w_i^2(x_i-\hat s)^2/\left(\sum w_i\right)^2`, the weights taken as
    sampling weights, with Student's t and :math:`n-1` degrees of freedom [1]_; over clusters the
    sums within each take the place of single rows. Equal weights give
    :func:`~steelyard.measures.vector_score`.

    Parameters
    ----------
    scores : WeightedVectors, or Grouped of them
        Weighted sums of all rows, or of the rows of each cluster.
    rule : {"spherical", "winner", "brier", "log"}
        How one vector is scored.
    system : str
        Whose vectors.
    class_weights : mapping, optional
        One weight for each class, 0 or more, adding up to 1: the score is then
        :math:`\sum_c W_c\hat s_c`, and classes are strata.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Returns
    -------
    Estimate
        ``winner`` scores that are all 0 or 1 have Wilson's interval on Kish's effective number of
        rows, as a weighted accuracy. None with a reason when nothing weighs anything or a log
        score is infinite.

    References
    ----------
    .. [1] Cochran (1977), Sampling Techniques, 3rd edition, Wiley, sections 6.3 and 9A.6.

    Examples
    --------
    >>> sums = {("rows", "x"): 2, ("held", "x"): 2, ("weight", "x"): 4 * SCALE,
    ...         ("square", "x"): 10 * SCALE, ("sum", "winner", "A", "x"): 3 * SCALE,
    ...         ("first", "winner", "A", "x"): 9 * SCALE,
    ...         ("product", "winner", "A", "A", "x"): 9 * SCALE}
    >>> scores = WeightedVectors.from_sums(systems=["A"], classes=["x"], sums=sums)
    >>> weighted_vector_score(scores, "winner", "A").value
    0.75
    """
    asked = Contrast.of(rule, system, class_weights=class_weights, level=level)
    return _answer(scores, asked, f"{rule} score")


def weighted_vector_difference(
    scores: Scores,
    rule: VectorRule,
    first: str,
    second: str,
    *,
    class_weights: Mapping[str, float] | None = None,
    level: float = 0.95,
) -> Estimate:
    """Weighted mean score of the first system minus the second, on the same rows.

    As :func:`weighted_vector_score`, of the item differences.

    References
    ----------
    .. [1] Cochran (1977), Sampling Techniques, 3rd edition, Wiley, sections 6.3 and 9A.6.
    """
    asked = Contrast.of(rule, first, second, class_weights=class_weights, level=level)
    return _answer(scores, asked, f"{rule} score difference")


def _answer(scores: Scores, asked: Contrast, measure: str) -> Estimate:
    whole = scores.merged() if isinstance(scores, Grouped) else scores
    asked.check(whole.systems, whole.classes)
    reason = _say_undefined(whole, asked)
    if reason:
        return Estimate(measure=measure, value=None, reason=reason, items=whole.total)
    mean = _mean(whole, asked)
    if isinstance(scores, Grouped):
        mean, doubts = _over_clusters(scores, whole, asked, mean)
        interval, said = _student(mean, asked, METHOD)
        said = doubts or said
    else:
        share = _share_right(whole, asked)
        interval, said = (share, ()) if share else _student(mean, asked, WEIGHTED)
    return Estimate(
        measure=measure,
        value=mean.value,
        interval=interval,
        standard_error=sqrt(mean.variance) if mean.variance else None,
        items=whole.total,
        caveats=(*_tell(whole, asked), LINEARISED, *said),
    )


def _tell(whole: WeightedVectors, asked: Contrast) -> tuple[str, ...]:
    if len(asked.signs) > 1:
        return asked.favours
    return (knows_nothing(asked.rule, len(whole.classes)),)


def _say_undefined(whole: WeightedVectors, asked: Contrast) -> str | None:
    if whole.total == 0:
        return "the table holds no items"
    known = whole.known
    if not any(known.get(("weight", name)) for name in whole.classes):
        return "every row that counts here has weight 0"
    for system, _ in asked.signs if asked.rule == "log" else ():
        for name in whole.classes:
            number = known.get(("infinite", system, name), 0)
            if number:
                return infinite_loss(system, name, number)
    for name, weight in (asked.class_weights or {}).items():
        if weight > 0 and not known.get(("weight", name)):
            return no_items_of(name, weight)
    return None


def _sums(whole: WeightedVectors, asked: Contrast, classes: tuple[str, ...]) -> Sums:
    known, rule = whole.known, asked.rule

    def add(*key: str) -> int:
        return sum(known.get((*key, name), 0) for name in classes)

    signs = asked.signs
    order = whole.systems.index
    return Sums(
        held=sum(known.get(("held", name), 0) for name in classes),
        weight=add("weight"),
        first=sum(sign * add("sum", rule, one) for one, sign in signs),
        squares=add("square"),
        square_sums=sum(sign * add("first", rule, one) for one, sign in signs),
        square_products=sum(
            a * b * add("product", rule, *sorted((one, two), key=order))
            for one, a in signs
            for two, b in signs
        ),
    )


def _mean(whole: WeightedVectors, asked: Contrast) -> Mean:
    if asked.class_weights is None:
        return _sums(whole, asked, whole.classes).estimate()
    return mean_of_classes(
        [
            (weight, _sums(whole, asked, (name,)).estimate())
            for name, weight in asked.class_weights.items()
            if weight > 0
        ]
    )


def _over_clusters(
    grouped: Grouped[WeightedVectors], whole: WeightedVectors, asked: Contrast, mean: Mean
) -> tuple[Mean, tuple[str, ...]]:
    """Take the sums within clusters in place of single rows."""
    shares = asked.class_weights or {}
    groups: list[tuple[str, ...]] = [(name,) for name in shares if shares[name] > 0]
    added = np.zeros(len(grouped))
    sizes = np.zeros(len(grouped))
    for classes in groups or [whole.classes]:
        every = _sums(whole, asked, classes)
        share, w, x = (shares[classes[0]] if shares else 1.0), every.weight, every.first
        parts = [_sums(part, asked, classes) for _, part in grouped]
        added += share * np.array([(one.first * w - x * one.weight) / (w * w) for one in parts])
        sizes += np.array([share * one.weight / w for one in parts])
    held = sizes > 0
    if held.sum() < 2:
        return Mean(value=mean.value), (ALONE,)
    variance = add_variance(added[held], sizes[held])
    # Clusters of equal means: what rounding leaves is no spread.
    if variance <= 1e-18:
        return Mean(value=mean.value, variance=0.0), ()
    # Clusters never make surer than independent rows would be.
    variance = max(variance, mean.variance or 0.0)
    return Mean(value=mean.value, variance=variance, freedom=cluster_freedom(sizes[held])), ()


def _student(mean: Mean, asked: Contrast, method: str) -> tuple[Interval | None, tuple[str, ...]]:
    if not mean.variance:
        return None, (TOO_FEW if mean.variance is None else ALIKE,)
    ends = asked.interval(mean.value, mean.variance, mean.freedom, method)
    return ends, asked.rare_items(mean.value, ends, int(mean.freedom) + 1)


def _share_right(whole: WeightedVectors, asked: Contrast) -> Interval | None:
    """Wilson's interval on the effective number of rows, when every score is 0 or 1."""
    if not asked.counts_right:
        return None
    found = _sums(whole, asked, whole.classes)
    if found.square_sums != found.square_products or not found.squares:
        return None
    effective = found.weight**2 / (SCALE * found.squares)
    low, high = wilson_interval_effective(found.mean, effective, level=asked.level)
    return Interval(low=low, high=high, level=asked.level, method="wilson-effective")

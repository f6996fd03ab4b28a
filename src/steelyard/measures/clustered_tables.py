"""Any measure of a table of calls on items in clusters, linearised cluster by cluster."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, stdtrit

from steelyard.counts import Confusion, Grouped
from steelyard.measures.clustered import (
    ALONE,
    METHOD,
    NO_SPREAD,
    cell_sizes,
    one_item_a_cluster,
)
from steelyard.results.estimates import Interval, Proportion
from steelyard.results.measured import Measured
from steelyard.uncertainty import cluster_variance, normal_quantile

__all__ = ["CLUSTERED", "clustered_measure", "clustered_measures"]

Floats = NDArray[np.float64]
STEP = 1e-4
AT_ONCE = 2**21


@dataclass(frozen=True, slots=True)
class Margins:
    """Right items, true and called items of each class, in tables of shape (tables, classes)."""

    right: Floats
    true: Floats
    called: Floats

    @property
    def total(self) -> Floats:
        """All items of each table."""
        total: Floats = self.true.sum(axis=1)
        return total

    def of(self, place: int) -> tuple[Floats, Floats, Floats, Floats]:
        """Hits, false alarms, misses and correct rejections of one class."""
        hits = self.right[:, place]
        alarms, misses = self.called[:, place] - hits, self.true[:, place] - hits
        return hits, alarms, misses, self.total - hits - alarms - misses


Formula = Callable[[Margins, int], Floats]
Scale = tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]


def _same(values: Floats) -> Floats:
    return values


LOGIT: Scale = (logit, expit)
FISHER: Scale = (np.arctanh, np.tanh)
LOGARITHM: Scale = (np.log, np.exp)
PLAIN: Scale = (_same, _same)


def _mcc(m: Margins, _: int) -> Floats:
    top = m.total * m.right.sum(axis=1) - (m.true * m.called).sum(axis=1)
    left, under = (m.total**2 - (side**2).sum(axis=1) for side in (m.called, m.true))
    return np.asarray(top / np.sqrt(left * under))


def _mean(top: Callable[[Margins], Floats], bottom: Callable[[Margins], Floats]) -> Formula:
    """Average a share over the classes for which it is defined."""

    def formula(m: Margins, _: int) -> Floats:
        below = bottom(m)
        held = below > 0
        each = np.divide(top(m), below, out=np.zeros_like(below), where=held)
        return np.asarray(each.sum(axis=1) / held.sum(axis=1))

    return formula


def _weighted(top: Callable[[Margins], Floats], bottom: Callable[[Margins], Floats]) -> Formula:
    """Average a share over the classes by their items, where it is defined."""

    def formula(m: Margins, _: int) -> Floats:
        below = bottom(m)
        held = below > 0
        each = np.divide(top(m), below, out=np.zeros_like(below), where=held)
        return np.asarray((each * m.true).sum(axis=1) / (held * m.true).sum(axis=1))

    return formula


def _right(m: Margins) -> Floats:
    return m.right


def _twice(m: Margins) -> Floats:
    return 2 * m.right


def _both(m: Margins) -> Floats:
    return m.true + m.called


def _four(formula: Callable[..., Floats]) -> Formula:
    return lambda m, place: np.asarray(formula(*m.of(place)))


def _f(square: float) -> Formula:
    return _four(lambda tp, fp, fn, tn: (1 + square) * tp / ((1 + square) * tp + fp + square * fn))


RATIO_UP = _four(lambda tp, fp, fn, tn: tp / (tp + fn) / (fp / (fp + tn)))
RATIO_DOWN = _four(lambda tp, fp, fn, tn: fn / (tp + fn) / (tn / (fp + tn)))

CLUSTERED: Mapping[str, tuple[Formula, Scale]] = {
    "accuracy": (lambda m, _: m.right.sum(axis=1) / m.total, LOGIT),
    "balanced accuracy": (_mean(_right, lambda m: m.true), LOGIT),
    "MCC": (_mcc, FISHER),
    "macro recall": (_mean(_right, lambda m: m.true), LOGIT),
    "macro precision": (_mean(_right, lambda m: m.called), LOGIT),
    "macro F1": (_mean(_twice, _both), LOGIT),
    "weighted recall": (lambda m, _: m.right.sum(axis=1) / m.total, LOGIT),
    "weighted precision": (_weighted(_right, lambda m: m.called), LOGIT),
    "weighted F1": (_weighted(_twice, _both), LOGIT),
    "micro recall": (lambda m, _: m.right.sum(axis=1) / m.total, LOGIT),
    "micro precision": (lambda m, _: m.right.sum(axis=1) / m.total, LOGIT),
    "micro F1": (lambda m, _: m.right.sum(axis=1) / m.total, LOGIT),
    "no-information rate": (lambda m, place: m.true[:, place] / m.total, LOGIT),
    "specificity": (_four(lambda tp, fp, fn, tn: tn / (tn + fp)), LOGIT),
    "negative predictive value": (_four(lambda tp, fp, fn, tn: tn / (tn + fn)), LOGIT),
    "F1": (_f(1.0), LOGIT),
    "F2": (_f(4.0), LOGIT),
    "informedness": (_four(lambda tp, fp, fn, tn: tp / (tp + fn) - fp / (fp + tn)), FISHER),
    "markedness": (_four(lambda tp, fp, fn, tn: tp / (tp + fp) - fn / (fn + tn)), FISHER),
    "positive likelihood ratio": (RATIO_UP, LOGARITHM),
    "negative likelihood ratio": (RATIO_DOWN, LOGARITHM),
    "diagnostic odds ratio": (_four(lambda tp, fp, fn, tn: tp * tn / (fp * fn)), LOGARITHM),
}
"""Measures that know clusters: their formula, and the scale on which limits are symmetric."""


LOOKS_AT: Mapping[str, Formula] = {
    "F1": lambda m, place: m.true[:, place] + m.called[:, place],
    "F2": lambda m, place: m.true[:, place] + m.called[:, place],
    "specificity": lambda m, place: m.total - m.true[:, place],
    "negative predictive value": lambda m, place: m.total - m.called[:, place],
}
"""Items of a cluster that a measure looks at, where it does not look at all of them."""


@dataclass(frozen=True, slots=True)
class Clusters:
    """Clusters as margins of their tables, and as one table that is worth an item for each."""

    margins: Margins
    sizes: tuple[dict[tuple[str, str], float], ...]
    classes: tuple[str, ...]
    thin: Callable[[int], Measured]
    level: float


def clustered_measure(
    grouped: Grouped[Confusion], measure: Callable[[Confusion], Measured], *, level: float = 0.95
) -> Measured:
    r"""Measure all clusters together, with an interval that takes clusters as independent.

    With :math:`\phi` the log odds of a share, Fisher's scale of a correlation or the logarithm of
    a ratio, and :math:`n_g` the table of cluster g, what the cluster adds is the derivative
    :math:`e_g=\frac{d}{dh}\phi(f(n+hn_g))` at :math:`h=0`; the variance on that scale is
    :math:`\frac{G}{G-1}\sum(e_g-\bar e)^2`, and Student's t with :math:`G-1` degrees of freedom
    gives the limits [1]_ (G counts the clusters with items that the measure looks at).

    Parameters
    ----------
    grouped : Grouped of Confusion
        One table for each cluster, weighted or not.
    measure : callable
        Takes a table and gives a number of a name in :data:`CLUSTERED`, such as
        :func:`steelyard.measures.mcc`.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Notes
    -----
    Where the clusters do not vary (a perfect system, a ratio of 0 or infinity) the measure's own
    interval is taken with each cluster counted as one item, the least that clusters can be worth:
    as if their items always went the same way. A class that only one cluster holds leaves no
    interval. With fewer than about 10 clusters intervals tend to be too short.

    References
    ----------
    .. [1] Binder (1983), On the variances of asymptotically normal estimators from complex
       surveys, International Statistical Review 51, 279-292, doi:10.2307/1402588.

    Examples
    --------
    >>> from steelyard.measures import mcc
    >>> parts = {str(g): Confusion.from_matrix([[9 - g, 1 + g], [1, 9]]) for g in range(6)}
    >>> found = clustered_measure(Grouped.from_parts("patient", parts), mcc)
    >>> round(found.value, 3), found.interval.method
    (0.568, 'cluster-robust')
    """
    return clustered_measures(grouped, lambda table: (measure(table),), level=level)[0]


def clustered_measures(
    grouped: Grouped[Confusion],
    measures: Callable[[Confusion], Sequence[Measured]],
    *,
    costs: Mapping[tuple[str, str], float] | None = None,
    level: float = 0.95,
) -> tuple[Measured, ...]:
    """Measure several numbers at once as :func:`clustered_measure` does.

    ``costs`` are those of an expected cost, which is a mean over items: a ratio over clusters
    with the linearised variance of :func:`~steelyard.uncertainty.cluster_robust_interval`, cut to
    the range of the costs.

    Examples
    --------
    >>> from steelyard.measures import f1, mcc
    >>> parts = {str(g): Confusion.from_matrix([[9 - g, 1 + g], [1, 9]]) for g in range(6)}
    >>> grouped = Grouped.from_parts("patient", parts)
    >>> found = clustered_measures(grouped, lambda table: [mcc(table), f1(table, of="0")])
    >>> [one.measure for one in found]
    ['MCC', 'F1']
    """
    normal_quantile(level)
    whole = grouped.merged()
    plain = measures(whole)
    if len(grouped) < 2:
        return tuple(_without(one, ALONE) for one in plain)
    sizes = tuple(cell_sizes(part) for _, part in grouped)
    thin = cache(lambda: tuple(measures(one_item_a_cluster(grouped))))
    clusters = Clusters(
        _margins(sizes, whole.classes), sizes, whole.classes, lambda place: thin()[place], level
    )
    return tuple(_clustered(clusters, place, one, costs) for place, one in enumerate(plain))


def _clustered(
    clusters: Clusters, which: int, plain: Measured, costs: Mapping[tuple[str, str], float] | None
) -> Measured:
    """Give one number its interval: linearised where that can be, else an item a cluster."""
    of = plain.of
    if of is not None and _held_by_one(clusters.margins, clusters.classes.index(of)):
        return _without(plain, ALONE)
    if plain.value is None:
        return _one_each(plain, clusters.thin(which))
    if plain.measure == "expected cost":
        added, scale = _spent(clusters, plain.value, costs or {}), PLAIN
    else:
        added, scale = _added_to(clusters, plain)
    found = _linearised(plain, added[_counting(clusters, plain)], scale, clusters.level)
    if found is None:
        return _one_each(plain, clusters.thin(which))
    if plain.measure == "expected cost" and found.interval is not None:
        each = [0.0, *(costs or {}).values()]
        ends = found.interval
        cut = replace(ends, low=max(min(each), ends.low), high=min(max(each), ends.high))
        return replace(found, interval=cut)
    return found


def _margins(sizes: Sequence[dict[tuple[str, str], float]], classes: tuple[str, ...]) -> Margins:
    place = {name: at for at, name in enumerate(classes)}
    right, true, called = (np.zeros((len(sizes), len(classes))) for _ in range(3))
    for row, part in enumerate(sizes):
        for (truth, call), size in part.items():
            true[row, place[truth]] += size
            called[row, place[call]] += size
            right[row, place[truth]] += size * (truth == call)
    return Margins(right, true, called)


def _held_by_one(margins: Margins, place: int) -> bool:
    """Tell whether the class, or the rest, has items in fewer than two clusters."""
    of = margins.true[:, place]
    return bool(min((of > 0).sum(), (margins.total - of > 0).sum()) < 2)


def _counting(clusters: Clusters, plain: Measured) -> NDArray[np.bool_]:
    """Tell which clusters hold items that the measure looks at."""
    margins = clusters.margins
    if plain.of is None or plain.measure not in LOOKS_AT:
        return margins.total > 0
    return LOOKS_AT[plain.measure](margins, clusters.classes.index(plain.of)) > 0


def _added_to(clusters: Clusters, plain: Measured) -> tuple[Floats, Scale]:
    """Find the formula of a measure, and what each cluster adds to it on its scale."""
    margins = clusters.margins
    place = 0 if plain.of is None else clusters.classes.index(plain.of)
    name, _, prevalence = plain.measure.partition(" at prevalence ")
    if prevalence:
        # The odds of a predictive value are a likelihood ratio times those of the prevalence.
        ratio = RATIO_UP if name == "precision" else RATIO_DOWN
        sign = 1.0 if name == "precision" else -1.0
        return sign * _added(margins, ratio, place, LOGARITHM), LOGIT
    formula, scale = CLUSTERED[plain.measure]
    return _added(margins, formula, place, scale), scale


def _added(margins: Margins, formula: Formula, place: int, scale: Scale) -> Floats:
    """Differentiate the measure by the weight of each cluster, on its scale."""
    sides = (margins.right, margins.true, margins.called)
    sums = [side.sum(axis=0) for side in sides]
    size = max(1, AT_ONCE // (3 * sums[0].size))
    found = []
    for start in range(0, len(sides[0]), size):
        some = [side[start : start + size] for side in sides]
        moved = []
        for step in (STEP, -STEP):
            near = Margins(*(t + step * s for t, s in zip(sums, some, strict=True)))
            with np.errstate(all="ignore"):
                moved.append(scale[0](formula(near, place)))
        with np.errstate(all="ignore"):
            found.append((moved[0] - moved[1]) / (2 * STEP))
    return np.concatenate(found)


def _spent(clusters: Clusters, mean: float, costs: Mapping[tuple[str, str], float]) -> Floats:
    """Say by how much each cluster costs more than its items would at the mean cost."""
    sizes = clusters.sizes
    spent = np.array([sum(costs.get(p, 0.0) * n for p, n in one.items()) for one in sizes])
    items = np.array([sum(one.values()) for one in sizes])
    added: Floats = (spent - mean * items) / items.sum()
    return added


def _linearised(plain: Measured, added: Floats, scale: Scale, level: float) -> Measured | None:
    """Give Student's interval on the scale; None where the clusters do not show a spread."""
    there, back = scale
    with np.errstate(all="ignore"):
        centre = float(there(np.array([plain.value], dtype=np.float64))[0])
    if not np.isfinite(centre) or not np.isfinite(added).all():
        return None
    if added.size < 2 or cluster_variance(added) <= 1e-18:
        return None
    error = sqrt(cluster_variance(added))
    half = -float(stdtrit(added.size - 1, (1 - level) / 2)) * error
    low, high, less, more = back(centre + np.array([-half, half, -STEP, STEP])).tolist()
    ends = Interval(low=low, high=high, level=level, method=METHOD)
    if isinstance(plain, Proportion):
        return replace(plain, interval=ends)
    return replace(plain, interval=ends, standard_error=error * (more - less) / (2 * STEP))


def _one_each(plain: Measured, thin: Measured) -> Measured:
    """Take the measure's own interval, with each cluster counted as one item."""
    ends = thin.interval
    if ends is None:
        # A ratio without an upper limit says its lower one in words.
        said = tuple(one for one in thin.caveats if "limit" in one)
        kept = tuple(one for one in plain.caveats if "limit" not in one)
        return replace(plain, interval=None, caveats=(*said, *kept))
    doubt = NO_SPREAD.format(measure=plain.measure)
    named = replace(ends, method=f"{ends.method}, each cluster as one item")
    if isinstance(plain, Proportion):
        return replace(plain, interval=named, caveats=(*plain.caveats, doubt))
    return replace(plain, interval=named, standard_error=None, caveats=(*plain.caveats, doubt))


def _without(plain: Measured, reason: str) -> Measured:
    if plain.value is None:
        return plain
    return replace(plain, interval=None, caveats=(*plain.caveats, reason))

"""Any measure of a table of calls on items in clusters, linearised cluster by cluster."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import Confusion, Grouped
from steelyard.errors import NotComparable
from steelyard.measures.catalogue.listing import CATALOGUE, catalogue_entry
from steelyard.measures.catalogue.measure import Measure
from steelyard.measures.tables.cluster_limits import METHOD, linearise_limits, never_narrower
from steelyard.measures.tables.clustered import (
    ALONE,
    NO_SPREAD,
    cell_sizes,
    clustered_class_share,
    holding,
    one_item_a_cluster,
    share_of_clusters,
)
from steelyard.measures.tables.estimates import STEP
from steelyard.measures.tables.formulas import Formula, Margins, Values
from steelyard.measures.tables.shares import declare_share
from steelyard.results.estimates import Caveat, Interval, Proportion
from steelyard.results.measured import Measured
from steelyard.uncertainty import mover_interval, normal_quantile

__all__ = ["clustered_measure", "clustered_measures"]

Floats = NDArray[np.float64]
AT_ONCE = 2**20
AT_PREVALENCE = {
    "precision at prevalence": ("positive likelihood ratio", 1.0),
    "negative predictive value at prevalence": ("negative likelihood ratio", -1.0),
}
"""Predictive values elsewhere, whose odds are a likelihood ratio times those of the prevalence."""


SUMS_OF_SHARES = {"markedness": ("precision", "npv")}
"""Sums, less 1, of two shares of items that were called alike."""


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
    :math:`e_g=\frac{d}{dh}\phi(f(n+hn_g))` at :math:`h=0` [1]_; the variance on that scale is

    .. math:: \frac{G-1}{G}\sum_g\left(\frac{e_g}{1-n_g/n}\right)^2,

    as the jackknife would have it, and Student's t with the degrees of freedom of
    :func:`~steelyard.uncertainty.cluster_freedom` gives the limits. Only clusters with items that
    the measure looks at count. Plain shares have the limits of
    :func:`~steelyard.uncertainty.cluster_share_interval`. No interval is narrower than that of
    independent items.

    Parameters
    ----------
    grouped : Grouped of Confusion
        One table for each cluster, weighted or not.
    measure : callable
        Takes a table and gives a number whose name is in the catalogue, such as
        :func:`steelyard.measures.mcc`.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Notes
    -----
    Where the clusters do not vary (a perfect system, a ratio of 0 or infinity) the measure's own
    interval is taken with each cluster counted as one item, the least that clusters can be worth:
    as if their items always went the same way. A class that only one cluster holds leaves no
    interval.

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
    with the linearised variance of :func:`clustered_measure`, cut to the range of the costs.

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
    plain = tuple(_leave_out_rows(one) for one in measures(whole))
    if holding(grouped) < 2:
        return tuple(_without(one, ALONE) for one in plain)
    sizes = tuple(cell_sizes(part) for _, part in grouped if part.total)
    thin = cache(lambda: tuple(measures(one_item_a_cluster(grouped))))
    clusters = Clusters(
        _margins(sizes, whole.classes),
        sizes,
        whole.classes,
        lambda place: thin()[place],
        level,
    )
    found = []
    for which, one in enumerate(plain):
        measure = _declare(one.measure)
        if measure.parts is not None:
            wanted = declare_share(measure, one.of, name=one.measure)
            found.append(share_of_clusters(grouped, one, wanted, level))
        else:
            judged = _limit_by_clusters(clusters, which, one, measure, costs)
            found.append(_add_shares(grouped, judged, measure, level))
    return tuple(found)


def _leave_out_rows(plain: Measured) -> Measured:
    """Leave out how many rows count, which is said of an interval that clusters replace."""
    kept = tuple(one for one in plain.caveats if Caveat.code_of(one) != "effective-rows")
    return replace(plain, caveats=kept)


def _add_shares(
    grouped: Grouped[Confusion], found: Measured, measure: Measure, level: float
) -> Measured:
    """Reach as far as the limits of two shares of called items, squared and added.

    How many items are called varies from cluster to cluster with the mistakes themselves, so that a
    slope says little: with 12 clusters the linearised limits of markedness cover 77 %.
    """
    if measure.name not in SUMS_OF_SHARES or found.interval is None or found.of is None:
        return found
    parts = [
        clustered_class_share(grouped, name, of=found.of, level=level)
        for name in SUMS_OF_SHARES[measure.name]
    ]
    limits = [
        (p.value, p.interval.low, p.interval.high)
        for p in parts
        if p.value is not None and p.interval
    ]
    if len(limits) < len(parts):
        return _without(found, ALONE)
    low, high = mover_interval(limits, [1.0] * len(limits))
    ends = replace(found.interval, low=max(-1.0, low - 1), high=min(1.0, high - 1))
    return replace(found, interval=never_narrower(found.interval, ends))


def _declare(name: str) -> Measure:
    """Find the declaration of a number by its name, which may end with the prevalence it is of."""
    words = next((one for one in AT_PREVALENCE if name.startswith(f"{one} ")), name)
    return catalogue_entry(words)


def _limit_by_clusters(
    clusters: Clusters,
    which: int,
    plain: Measured,
    measure: Measure,
    costs: Mapping[tuple[str, str], float] | None,
) -> Measured:
    """Give one number its interval: linearised where that can be, else an item a cluster."""
    of = plain.of
    if of is not None and _is_of_one_cluster(clusters.margins, clusters.classes.index(of)):
        return _without(plain, ALONE)
    if plain.value is None:
        return _one_each(plain, clusters.thin(which))
    if measure.name == "expected cost":
        added = _spend(clusters, plain.value, costs or {})
    else:
        added = _add_to(clusters, plain, measure)
    place = 0 if of is None else clusters.classes.index(of)
    looked_at = _count_items(measure, replace(clusters.margins, place=place))
    found = _linearise(plain, added, looked_at, measure, clusters.level)
    if found is None:
        return _one_each(plain, clusters.thin(which))
    if measure.name == "expected cost" and found.interval is not None:
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


def _is_of_one_cluster(margins: Margins, place: int) -> bool:
    """Tell whether the class, or the rest, has items in fewer than two clusters."""
    of = margins.true[:, place]
    return bool(min((of > 0).sum(), (margins.total - of > 0).sum()) < 2)


def _count_items(measure: Measure, margins: Margins) -> Floats:
    """Count the items of each cluster that the measure looks at: its denominators have them."""
    if not measure.of_class:
        return np.asarray(margins.total)
    return np.asarray(sum(count(margins) for count in measure.edges.values()))


def _add_to(clusters: Clusters, plain: Measured, measure: Measure) -> Floats:
    """Find the formula of a measure, and what each cluster adds to it."""
    place = 0 if plain.of is None else clusters.classes.index(plain.of)
    if measure.name in AT_PREVALENCE:
        name, sign = AT_PREVALENCE[measure.name]
        ratio, value = CATALOGUE[name].formula, float(plain.value or 0)
        assert ratio is not None
        by_odds = _add(clusters.margins, lambda m: np.log(ratio(m)), place)
        return sign * value * (1 - value) * by_odds
    if measure.formula is None:
        why = measure.why_not("clusters") or "it has no formula"
        message = f"{measure.name} has no interval for items in clusters: {why}."
        raise NotComparable(message, code="clustered")
    return _add(clusters.margins, measure.formula, place)


def _add(margins: Margins, formula: Formula, place: int) -> Floats:
    """Differentiate the measure by the weight of each cluster, by a step off the real axis."""
    sides = (margins.right, margins.true, margins.called)
    sums = [side.sum(axis=0) for side in sides]
    size = max(1, AT_ONCE // (3 * sums[0].size))
    found = []
    for start in range(0, len(sides[0]), size):
        some = [side[start : start + size] for side in sides]
        right, true, called = (t + 1j * STEP * s for t, s in zip(sums, some, strict=True))
        near = Margins(right, true, called, place)
        # A table without its cluster may be 0/0: NaN, which the caller takes as "shows no spread".
        with np.errstate(all="ignore"):
            moved: Values = np.asarray(formula(near))
        found.append(np.where(np.isfinite(moved), moved.imag / STEP, np.nan))
    return np.concatenate(found)


def _spend(clusters: Clusters, mean: float, costs: Mapping[tuple[str, str], float]) -> Floats:
    """Say by how much each cluster costs more than its items would at the mean cost."""
    sizes = clusters.sizes
    spent = np.array([sum(costs.get(p, 0.0) * n for p, n in one.items()) for one in sizes])
    items = np.array([sum(one.values()) for one in sizes])
    added: Floats = (spent - mean * items) / items.sum()
    return added


def _linearise(
    plain: Measured, added: Floats, sizes: Floats, measure: Measure, level: float
) -> Measured | None:
    """Give Student's interval on the scale; None where the clusters do not show a spread."""
    found = linearise_limits(float(plain.value or 0), added, sizes, measure.scale, level)
    if found is None:
        return None
    low, high, error = found
    ends = Interval(low=low, high=high, level=level, method=METHOD)
    ends = never_narrower(ends, plain.interval)
    if isinstance(plain, Proportion):
        return replace(plain, interval=ends)
    return replace(plain, interval=ends, standard_error=error)


def _one_each(plain: Measured, thin: Measured) -> Measured:
    """Take the measure's own interval, with each cluster counted as one item."""
    ends = thin.interval
    if ends is None:
        # A ratio without an upper limit says its lower one in words.
        of_limits = (one for one in thin.caveats if Caveat.code_of(one) == "about-limits")
        others = (one for one in plain.caveats if Caveat.code_of(one) != "about-limits")
        return replace(plain, interval=None, caveats=(*of_limits, *others))
    doubt = NO_SPREAD.format(measure=plain.measure)
    named = replace(ends, method=f"{ends.method}, each cluster as one item")
    if isinstance(plain, Proportion):
        return replace(plain, interval=named, caveats=(*plain.caveats, doubt))
    return replace(plain, interval=named, standard_error=None, caveats=(*plain.caveats, doubt))


def _without(plain: Measured, reason: str) -> Measured:
    if plain.value is None:
        return plain
    return replace(plain, interval=None, caveats=(*plain.caveats, reason))

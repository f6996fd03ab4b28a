"""Measures of items that come in clusters: the same numbers, with intervals that know it."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from steelyard.counts import SCALE, Confusion, Grouped, WeightSums
from steelyard.errors import CountsError, RequestError
from steelyard.measures.agreement.kappa import cohen_kappa, kappa_slopes
from steelyard.measures.catalogue.listing import CATALOGUE
from steelyard.measures.tables.cluster_limits import METHOD, linearise_limits, never_narrower
from steelyard.measures.tables.shares import (
    CLASS_SHARES,
    RowShare,
    check_class,
    declare_share,
    effective_rows,
    row_share,
    row_sums,
)
from steelyard.measures.tables.useless import always_one_class, warn_if_useless
from steelyard.results.estimates import Estimate, Interval, Proportion
from steelyard.results.measured import Measured
from steelyard.results.shortfalls import shortfall
from steelyard.uncertainty import (
    FEW_CLUSTERS,
    cluster_resamples,
    cluster_share_interval,
    percentile_interval,
)

__all__ = [
    "cell_sizes",
    "cluster_bootstrap",
    "cluster_caveats",
    "clustered_accuracy",
    "clustered_class_share",
    "clustered_kappa",
    "clustered_trials",
    "holding",
    "one_item_a_cluster",
    "share_of_clusters",
]

Clusters = Grouped[Confusion]
NO_SPREAD = (
    "the clusters do not show how {measure} varies; its interval counts each cluster as one item"
)
ALONE = "no interval: only one cluster counts here, which does not show how clusters vary"


def cluster_caveats(number: int, items: int) -> tuple[str, ...]:
    """Say that clusters, not items, were counted on; and when there are too few of them.

    >>> cluster_caveats(4, 80)[1]
    'only 4 clusters: intervals are wide for it; those of other measures than rates may be short'
    """
    said = (
        f"{items:,} items come in {number:,} clusters: intervals take the clusters, not the items, "
        f"as independent; kinds that make up to {1 - 0.05 ** (1 / max(1, number)):.1%} of all "
        "clusters may not be among them"
    )
    if number >= FEW_CLUSTERS:
        return (said,)
    few = (
        f"only {number} clusters: intervals are wide for it; those of other measures than rates "
        "may be short"
    )
    return (said, few)


def clustered_accuracy(grouped: Clusters, *, level: float = 0.95) -> Measured:
    r"""Accuracy of items in clusters, with an interval that takes clusters as units.

    The share is that of :func:`~steelyard.measures.accuracy` over all clusters together; the
    interval is :func:`~steelyard.uncertainty.cluster_share_interval`.

    Parameters
    ----------
    grouped : Grouped of Confusion
        One table for each cluster (a patient, a document, a writer, repeated trials of an item).
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Notes
    -----
    Ignoring clusters of 20 like items, 10 of them, gives 95 % intervals that cover about 58 %.

    References
    ----------
    .. [1] Cochran (1977), Sampling Techniques, 3rd edition, Wiley, sections 6.3 and 9A.6.

    Examples
    --------
    >>> parts = {"a": Confusion.from_matrix([[9, 1], [0, 0]]),
    ...          "b": Confusion.from_matrix([[3, 7], [0, 0]]),
    ...          "c": Confusion.from_matrix([[8, 2], [0, 0]])}
    >>> clustered_accuracy(Grouped.from_parts("patient", parts)).interval.method
    'cluster-robust'
    """
    whole = grouped.merged()
    wanted = declare_share(CATALOGUE["accuracy"])
    return _robust(grouped, whole, wanted, level, caveats=warn_if_useless(whole))


def clustered_class_share(
    grouped: Clusters, name: str, *, of: str, level: float = 0.95
) -> Measured:
    """Recall, precision or another share of one class, with clusters as the units.

    Parameters
    ----------
    grouped : Grouped of Confusion
        One table for each cluster.
    name : str
        A name of :data:`steelyard.measures.CLASS_SHARES`.
    of : str
        The class.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    References
    ----------
    .. [1] Rao & Scott (1992), Biometrics 48, 577-585, doi:10.2307/2532311.

    Examples
    --------
    >>> parts = {str(g): Confusion.from_matrix([[9 - g, 1 + g], [1, 9]]) for g in range(5)}
    >>> clustered_class_share(Grouped.from_parts("patient", parts), "recall", of="0").value
    0.7
    """
    if name not in CLASS_SHARES:
        raise RequestError.for_choice("name", name, tuple(CLASS_SHARES))  # noqa: EM101
    whole = grouped.merged()
    check_class(whole, of)
    caveats = always_one_class(whole)
    return _robust(grouped, whole, CLASS_SHARES[name](of), level, caveats=caveats)


def clustered_trials(
    correct: Mapping[str, int], tested: Mapping[str, int], *, level: float = 0.95
) -> Proportion:
    """Accuracy from right and tested items of each cluster.

    Examples
    --------
    >>> found = clustered_trials({"a": 9, "b": 4}, {"a": 10, "b": 10})
    >>> found.value, found.interval.method
    (0.65, 'cluster-robust')
    """
    names = list(tested)
    ends = _ends([correct[name] for name in names], [tested[name] for name in names], level)
    return Proportion(
        measure="accuracy",
        successes=sum(correct.values()),
        trials=sum(tested.values()),
        interval=ends,
        caveats=() if ends else (ALONE,),
    )


def clustered_kappa(grouped: Clusters, *, level: float = 0.95) -> Estimate:
    r"""Cohen's kappa of items in clusters, linearised cluster by cluster.

    The derivative of kappa by the share of a cell, summed over the items of a cluster, is what the
    cluster adds to kappa; the spread of these sums gives the variance, and Student's t on Fisher's
    scale the limits, as :func:`clustered_measure` has it for other measures. Clusters without items
    do not count.

    References
    ----------
    .. [1] Yang & Zhou (2015), Weighted kappa statistic for clustered matched-pair ordinal data,
       Computational Statistics & Data Analysis 82, 1-18.
    .. [2] Kang, Qaqish, Monaco, Sheridan & Cai (2013), Statistics in Medicine 32,
       doi:10.1002/sim.5796 (the bootstrap instead).

    Examples
    --------
    >>> parts = {str(g): Confusion.from_matrix([[9 - g, 1 + g], [1, 9]]) for g in range(5)}
    >>> round(clustered_kappa(Grouped.from_parts("patient", parts)).value, 2)
    0.6
    """
    whole = grouped.merged()
    plain = cohen_kappa(whole, level=level)
    if plain.value is None or holding(grouped) < 2:
        return plain if plain.value is None else replace(plain, interval=None, caveats=(ALONE,))
    slopes = kappa_slopes(whole)
    cells = [cell_sizes(part) for _, part in grouped]
    added = np.array([sum(slopes[pair] * size for pair, size in one.items()) for one in cells])
    sizes = np.array([sum(one.values()) for one in cells])
    found = linearise_limits(plain.value, added, sizes, CATALOGUE["kappa"].scale, level)
    if found is None:
        return _one_each(plain, cohen_kappa(one_item_a_cluster(grouped), level=level))
    low, high, error = found
    ends = Interval(low=low, high=high, level=level, method=METHOD)
    ends = never_narrower(ends, plain.interval)
    return replace(plain, interval=ends, standard_error=error, caveats=())


def cluster_bootstrap(
    grouped: Clusters,
    measure: Callable[[Confusion], Measured],
    *,
    rng: np.random.Generator,
    repetitions: int = 1000,
    level: float = 0.95,
) -> Measured:
    """Any measure of a confusion table, with a percentile interval over resampled clusters.

    Parameters
    ----------
    grouped : Grouped of Confusion
        One table for each cluster; weights are not resampled and are refused.
    measure : callable
        Takes a table and gives a measured number, such as :func:`steelyard.measures.mcc`.
    rng : numpy.random.Generator
        Source of randomness.
    repetitions : int
        How many times clusters are drawn.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Returns
    -------
    Proportion or Estimate
        Resamples for which the measure is undefined are left out, and counted in a caveat.

    References
    ----------
    .. [1] Davison & Hinkley (1997), Bootstrap Methods and their Application, Cambridge, section
       3.8, doi:10.1017/CBO9780511802843.

    Examples
    --------
    >>> from steelyard.measures import mcc
    >>> parts = {str(g): Confusion.from_matrix([[9 - g, 1 + g], [1, 9]]) for g in range(6)}
    >>> grouped = Grouped.from_parts("patient", parts)
    >>> found = cluster_bootstrap(grouped, mcc, rng=np.random.default_rng(1), repetitions=200)
    >>> found.interval.low < found.value < found.interval.high
    True
    """
    whole = grouped.merged()
    if whole.weights is not None:
        message = "Weighted rows cannot be resampled by cluster. Use the cluster-robust interval."
        raise CountsError(message, code="weighted")
    plain = measure(whole)
    values = [
        measure(table).value
        for table in cluster_resamples(grouped, rng=rng, repetitions=repetitions)
    ]
    known = [value for value in values if value is not None]
    lost = len(values) - len(known)
    caveats = plain.caveats
    if lost:
        caveats = (*caveats, f"{lost} of {repetitions} resamples left the measure undefined")
    if plain.value is None or not known:
        return replace(plain, interval=None, caveats=caveats)
    low, high = percentile_interval(known, level=level)
    if low == high:
        doubt = "no interval: every resample gave the same number"
        return replace(plain, interval=None, caveats=(*caveats, doubt))
    ends = Interval(low=low, high=high, level=level, method="cluster-bootstrap")
    return replace(plain, interval=ends, caveats=(*caveats, shortfall("cluster-bootstrap")))


def one_item_a_cluster(grouped: Grouped[Confusion]) -> Confusion:
    """Give the table of all clusters together, worth no more items than there are clusters.

    Every row weighs as before, but so that Kish's effective number of rows is the number of
    clusters: as if all items of a cluster always went the same way.

    Examples
    --------
    >>> parts = {str(g): Confusion.from_matrix([[9, 1], [0, 0]]) for g in range(5)}
    >>> table = one_item_a_cluster(Grouped.from_parts("patient", parts))
    >>> table.total, sum(w.scaled for _, _, w in table.weights) / SCALE
    (50, 5.0)
    """
    whole = grouped.merged()
    sizes = cell_sizes(whole)
    each = holding(grouped) / sum(sizes.values())
    weights = {
        pair: WeightSums(round(size * each * SCALE), round(size * each * SCALE))
        for pair, size in sizes.items()
    }
    return replace(
        whole, weights=tuple((truth, called, w) for (truth, called), w in weights.items())
    )


def _robust(
    grouped: Clusters,
    whole: Confusion,
    wanted: RowShare,
    level: float,
    *,
    caveats: tuple[str, ...],
) -> Measured:
    plain = row_share(whole, wanted, level=level, caveats=caveats)
    return share_of_clusters(grouped, replace(plain, caveats=caveats), wanted, level)


def share_of_clusters(
    grouped: Clusters, plain: Measured, wanted: RowShare, level: float
) -> Measured:
    """Give a share of all clusters together the interval that takes clusters as units."""
    whole, caveats = grouped.merged(), plain.caveats
    if plain.value is None:
        return plain
    pairs = [
        (
            _size(part, lambda t, c: wanted.among(t, c) and wanted.won(t, c)),
            _size(part, wanted.among),
        )
        for _, part in grouped
    ]
    items = effective_rows(whole, wanted.among)
    ends = _ends([won for won, _ in pairs], [among for _, among in pairs], level, items)
    return replace(plain, interval=ends, caveats=caveats if ends else (*caveats, ALONE))


def holding(grouped: Clusters) -> int:
    """Count the clusters that hold items; the others tell nothing.

    >>> full, empty = (Confusion.from_matrix([[n, 0], [0, n]]) for n in (3, 0))
    >>> holding(Grouped.from_parts("patient", {"a": full, "b": empty}))
    1
    """
    return sum(part.total > 0 for _, part in grouped)


def _ends(
    won: list[float], among: list[float], level: float, items: float | None = None
) -> Interval | None:
    if sum(tried > 0 for tried in among) < 2:
        return None
    low, high = cluster_share_interval(won, among, level=level, items=items)
    return Interval(low=low, high=high, level=level, method=METHOD)


def _size(confusion: Confusion, part: Callable[[str, str], bool]) -> float:
    if confusion.weights is not None:
        return row_sums(confusion, part).total
    return float(sum(rows for truth, called, rows in confusion.cells if part(truth, called)))


def cell_sizes(confusion: Confusion) -> dict[tuple[str, str], float]:
    """Rows of each cell, or the sum of their weights.

    >>> cell_sizes(Confusion.from_matrix([[2, 0], [0, 1]]))
    {('0', '0'): 2.0, ('1', '1'): 1.0}
    """
    if confusion.weights is not None:
        return {(truth, called): w.total for truth, called, w in confusion.weights}
    return {(truth, called): float(rows) for truth, called, rows in confusion.cells}


def _one_each(plain: Estimate, thin: Estimate) -> Estimate:
    if thin.interval is None:
        return replace(plain, interval=None, standard_error=None, caveats=thin.caveats)
    ends = replace(thin.interval, method=f"{thin.interval.method}, each cluster as one item")
    doubt = NO_SPREAD.format(measure=plain.measure)
    return replace(plain, interval=ends, standard_error=None, caveats=(doubt,))

"""Areas and vector scores of items that come in clusters, with intervals that know it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import SCALE, Grouped, VectorRule, VectorScores
from steelyard.measures.roc.areas import auc, direction_caveats
from steelyard.measures.tables.cluster_limits import METHOD, add_variance, never_narrower
from steelyard.measures.tables.clustered import ALONE
from steelyard.measures.vectors.contrast import Contrast
from steelyard.measures.vectors.scores import vector_difference, vector_score
from steelyard.results.estimates import Caveat, Estimate, Interval
from steelyard.uncertainty import (
    Clusters,
    cluster_freedom,
    cluster_placements,
    cluster_share_interval,
    clustered_area_spreads,
    placement_interval,
)
from steelyard.uncertainty.areas.delong import CONSTANT_SCORES

__all__ = ["clustered_auc", "clustered_vector_difference", "clustered_vector_score"]

FloatArray = NDArray[np.float64]
ALIKE = "no interval: the clusters scored alike, so their spread cannot be judged"


def clustered_auc(grouped: Clusters, *, level: float = 0.95) -> Estimate:
    """Area under the ROC curve of items in clusters, with the cluster-robust interval.

    The area is that of :func:`~steelyard.measures.auc` over all clusters together; the interval is
    :func:`~steelyard.uncertainty.placement_interval` with clusters as the units. Obuchowski's on
    the logit scale is :func:`~steelyard.uncertainty.clustered_auc_interval`.

    Parameters
    ----------
    grouped : Grouped of ScoreTable, or ClusterPlacements
        One table for each cluster, or sums for each (a patient, a document, a speaker).
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Notes
    -----
    Ignoring that items of a cluster are alike makes intervals far too short: 20 clusters of 10
    items whose scores go together give 95 % intervals that cover 79.5 %
    (docs/reference/certificates.md).

    References
    ----------
    .. [1] Obuchowski (1997), Biometrics 53, 567-578, doi:10.2307/2533958.

    Examples
    --------
    >>> from steelyard.counts import ScoreTable
    >>> parts = {str(g): ScoreTable.from_scores([g + 1.5, g + 2.0], [g + 0.5, 2.0 * g])
    ...          for g in range(4)}
    >>> clustered_auc(Grouped.from_parts("patient", parts)).interval.method
    'cluster-placement'
    """
    plain = auc(grouped.merged(), level=level)
    if plain.value is None or plain.interval is None:
        return plain
    held = cluster_placements(grouped)
    if min(held.holding) < 2:
        return replace(plain, interval=None, standard_error=None, caveats=(ALONE,))
    spreads = clustered_area_spreads([held]).spreads[0]
    low, high = placement_interval(spreads, level=level)
    ends = Interval(low=low, high=high, level=level, method="cluster-placement")
    kept = tuple(
        doubt
        for doubt in plain.caveats
        if Caveat.code_of(doubt) == "scores-thinned" or doubt == CONSTANT_SCORES
    )
    return replace(
        plain,
        interval=ends,
        standard_error=sqrt(spreads.seen) if spreads.seen > 0 else None,
        caveats=(*direction_caveats(plain.value, ends), *kept),
    )


def clustered_vector_score(
    grouped: Grouped[VectorScores],
    rule: VectorRule,
    system: str,
    *,
    class_weights: Mapping[str, float] | None = None,
    level: float = 0.95,
) -> Estimate:
    r"""Mean vector score of one system on items in clusters, with the cluster-robust interval.

    The mean :math:`\sum S_g/\sum n_g` is a ratio over clusters; its linearised variance is
    :math:`\frac{G}{G-1}\sum_g(S_g-\hat s n_g)^2/n^2`, with Student's t and :math:`G-1` degrees of
    freedom [1]_. With class weights :math:`W_c` it is
    :math:`\frac{G}{G-1}\sum_g\left(\sum_cW_c(S_{gc}-\hat s_cn_{gc})/n_c\right)^2`. Otherwise as
    :func:`~steelyard.measures.vector_score`.

    Parameters
    ----------
    grouped : Grouped of VectorScores
        Sums of item scores for each cluster.
    rule : {"spherical", "winner", "brier", "log"}
        How one vector is scored.
    system : str
        Whose vectors.
    class_weights : mapping, optional
        As in :func:`~steelyard.measures.vector_score`.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    References
    ----------
    .. [1] Cochran (1977), Sampling Techniques, 3rd edition, Wiley, sections 6.3 and 9A.6.

    Examples
    --------
    >>> def part(won):
    ...     return VectorScores.from_sums(
    ...         systems=["A"], items={"x": 4}, sums={("winner", "A", "x"): won * SCALE},
    ...         products={("winner", "A", "A", "x"): won * SCALE})
    >>> grouped = Grouped.from_parts("writer", {"1": part(4), "2": part(3), "3": part(1)})
    >>> found = clustered_vector_score(grouped, "winner", "A")
    >>> round(found.value, 4), round(found.interval.low, 4)
    (0.6667, 0.0568)
    """
    whole = grouped.merged()
    plain = vector_score(whole, rule, system, class_weights=class_weights, level=level)
    asked = Contrast.of(rule, system, class_weights=class_weights, level=level)
    return _over_clusters(grouped, plain, asked)


def clustered_vector_difference(
    grouped: Grouped[VectorScores],
    rule: VectorRule,
    first: str,
    second: str,
    *,
    class_weights: Mapping[str, float] | None = None,
    level: float = 0.95,
) -> Estimate:
    """Vector score of the first system minus the second on the same items in clusters.

    As :func:`clustered_vector_score`, of the item differences.

    References
    ----------
    .. [1] Cochran (1977), Sampling Techniques, 3rd edition, Wiley, sections 6.3 and 9A.6.
    """
    whole = grouped.merged()
    plain = vector_difference(whole, rule, first, second, class_weights=class_weights, level=level)
    asked = Contrast.of(rule, first, second, class_weights=class_weights, level=level)
    return _over_clusters(grouped, plain, asked)


def _total(part: VectorScores, asked: Contrast, classes: Sequence[str]) -> int:
    """Sum the item scores, or their differences, over some true classes, times SCALE."""
    held = dict(part.items)
    return sum(
        sign * part.scaled_sum(asked.rule, system, name)
        for system, sign in asked.signs
        for name in classes
        if held.get(name)
    )


def _add(grouped: Grouped[VectorScores], asked: Contrast) -> FloatArray:
    """Say what each cluster adds to the score, to first order."""
    whole = grouped.merged()
    shares = asked.class_weights or {}
    found = np.zeros(len(grouped))
    for classes in [[name] for name in shares if shares[name] > 0] or [list(whole.classes)]:
        total, size = _total(whole, asked, classes), _items(whole, classes)
        apart = [
            _total(part, asked, classes) * size - total * _items(part, classes)
            for _, part in grouped
        ]
        share = shares[classes[0]] if shares else 1.0
        found += share * np.array([one / (SCALE * size * size) for one in apart])
    return found


def _hold(grouped: Grouped[VectorScores], asked: Contrast) -> FloatArray:
    """Part of the score that rests on each cluster: of its items, weighed by class."""
    whole, shares = grouped.merged(), asked.class_weights or {}
    found = np.zeros(len(grouped))
    for classes in [[name] for name in shares if shares[name] > 0] or [list(whole.classes)]:
        share, size = shares[classes[0]] if shares else 1.0, _items(whole, classes)
        found += np.array([share * _items(part, classes) / size for _, part in grouped])
    return found


def _items(part: VectorScores, classes: Sequence[str]) -> int:
    return sum(rows for name, rows in part.items if name in classes)


def _over_clusters(grouped: Grouped[VectorScores], plain: Estimate, asked: Contrast) -> Estimate:
    """Replace the interval by one that takes clusters as independent."""
    if plain.value is None:
        return plain
    kept = tuple(said for said in plain.caveats if Caveat.code_of(said) != "no-interval")
    sizes = np.array([part.total for _, part in grouped], dtype=np.float64)
    if (sizes > 0).sum() < 2:
        return replace(plain, interval=None, standard_error=None, caveats=(*kept, ALONE))
    if asked.counts_right:
        return _share_right(grouped, plain, asked, kept)
    sizes = _hold(grouped, asked)
    held = sizes > 0
    if held.sum() < 2:
        return replace(plain, interval=None, standard_error=None, caveats=(*kept, ALONE))
    variance = add_variance(_add(grouped, asked)[held], sizes[held])
    # Clusters that score alike leave what the rounding of their sums leaves, and no spread.
    if variance <= 1e-18:
        return replace(plain, interval=None, standard_error=None, caveats=(*kept, ALIKE))
    ends = asked.interval(plain.value, variance, cluster_freedom(sizes[held]), METHOD)
    ends = never_narrower(ends, plain.interval)
    rare = asked.rare_items(plain.value, ends, int(held.sum()))
    said = kept if any(Caveat.code_of(one) == "rare-items" for one in kept) else (*kept, *rare)
    return replace(plain, interval=ends, standard_error=sqrt(variance), caveats=said)


def _share_right(
    grouped: Grouped[VectorScores], plain: Estimate, asked: Contrast, kept: tuple[str, ...]
) -> Estimate:
    """Give the share of items whose class had the largest number the limits of any share."""
    classes = list(grouped.merged().classes)
    won = [_total(part, asked, classes) / SCALE for _, part in grouped]
    tried = [float(part.total) for _, part in grouped]
    low, high = cluster_share_interval(won, tried, level=asked.level)
    ends = Interval(low=low, high=high, level=asked.level, method=METHOD)
    return replace(plain, interval=ends, standard_error=None, caveats=kept)

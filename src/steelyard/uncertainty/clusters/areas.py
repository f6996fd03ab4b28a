"""Variance and interval of an area under a ROC curve when items come in clusters."""

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import ClusterPlacements, Grouped, ScoreTable
from steelyard.errors import CountsError
from steelyard.uncertainty.areas.delong import (
    CONSTANT_SCORES,
    AreaInterval,
    delong_parts,
    newcombe_area_interval,
    pairs_won_twice,
)
from steelyard.uncertainty.areas.placement_limits import AreaSpread, AreaSpreads
from steelyard.uncertainty.delta import NOTHING_VARIES
from steelyard.uncertainty.domain import normal_quantile
from steelyard.uncertainty.special import expit, logit, stdtrit

__all__ = [
    "Clusters",
    "cluster_placements",
    "clustered_area_spreads",
    "clustered_auc_covariance",
    "clustered_auc_interval",
    "clustered_auc_variance",
]

Floats = NDArray[np.float64]
Clusters = Grouped[ScoreTable] | ClusterPlacements
NO_SPREAD = "the clusters do not show how the area varies"


def cluster_placements(grouped: Clusters) -> ClusterPlacements:
    """Sum the placements of each cluster's items among all items; whole numbers.

    Examples
    --------
    >>> parts = {"1": ScoreTable.from_scores([0.9], [0.2]), "2": ScoreTable.from_scores([0.1], [])}
    >>> found = cluster_placements(Grouped.from_parts("patient", parts))
    >>> found.beaten, found.beating
    ((2, 0), (2, 0))
    """
    if isinstance(grouped, ClusterPlacements):
        return grouped
    whole = grouped.merged()
    below = 2 * np.cumsum(whole.negatives) - whole.negatives
    above = 2 * (whole.positive_total - np.cumsum(whole.positives)) + whole.positives
    beaten, beating = [], []
    for _, part in grouped:
        at = np.searchsorted(whole.scores, part.scores)
        beaten.append(int(part.positives @ below[at]))
        beating.append(int(part.negatives @ above[at]))
    return ClusterPlacements(
        by=grouped.by,
        names=grouped.names,
        table=whole,
        positives=tuple(part.positive_total for _, part in grouped),
        negatives=tuple(part.negative_total for _, part in grouped),
        beaten=tuple(beaten),
        beating=tuple(beating),
    )


def clustered_auc_variance(grouped: Clusters) -> float:
    r"""Variance of one area under the ROC curve over independent clusters of items.

    With :math:`V_{10}` and :math:`V_{01}` the placements of DeLong's variance, summed over the
    :math:`m_i` positives and :math:`n_i` negatives of cluster i, and :math:`x_i=\sum
    V_{10}-m_i\hat A`, :math:`y_i=\sum V_{01}-n_i\hat A`,

    .. math::

       \frac{I_{10}}{I_{10}-1}\frac{\sum x_i^2}{M^2}+\frac{I_{01}}{I_{01}-1}\frac{\sum y_i^2}{N^2}
       +\frac{2I}{I-1}\frac{\sum x_iy_i}{MN}

    where :math:`I` clusters hold M positives and N negatives, :math:`I_{10}` of them any positive
    and :math:`I_{01}` any negative [1]_. With one item in each cluster it is DeLong's.

    Parameters
    ----------
    grouped : Grouped of ScoreTable, or ClusterPlacements
        One table for each cluster, or sums for each; at least two clusters with positives and
        two with negatives.

    Notes
    -----
    Clusters count, not items: many items of few clusters tell little. A cluster may hold items of
    both classes or of one.

    References
    ----------
    .. [1] Obuchowski (1997), Biometrics 53, 567-578, doi:10.2307/2533958.

    Examples
    --------
    >>> parts = {str(g): ScoreTable.from_scores([g + 1.5, g + 2.0], [g + 0.5, 2.0 * g])
    ...          for g in range(4)}
    >>> round(clustered_auc_variance(Grouped.from_parts("patient", parts)), 6)
    0.006592
    """
    return float(clustered_auc_covariance([grouped])[1][0, 0])


def clustered_auc_covariance(systems: Sequence[Clusters]) -> tuple[Floats, Floats]:
    r"""Areas of several systems on the same items in clusters, and their covariance matrix.

    The formula of :func:`clustered_auc_variance` with the products :math:`x_i^rx_i^s`,
    :math:`y_i^ry_i^s` and :math:`(x_i^ry_i^s+x_i^sy_i^r)/2` of two systems r and s in the place of
    the squares [1]_. With one item in each cluster it is DeLong's.

    Parameters
    ----------
    systems : sequence of Grouped of ScoreTable, or of ClusterPlacements
        For each system one table for each cluster, or sums for each; all of the same items and
        clusters.

    References
    ----------
    .. [1] Obuchowski (1997), Biometrics 53, 567-578, doi:10.2307/2533958.

    Examples
    --------
    >>> parts = {str(g): ScoreTable.from_scores([g + 1.5, g + 2.0], [g + 0.5, 2.0 * g])
    ...          for g in range(4)}
    >>> one = Grouped.from_parts("patient", parts)
    >>> clustered_auc_covariance([one, one])[1].round(6).tolist()
    [[0.006592, 0.006592], [0.006592, 0.006592]]
    """
    placed = [cluster_placements(one) for one in systems]
    first = placed[0]
    for other in placed[1:]:
        if (first.names, first.positives, first.negatives) != (
            other.names, other.positives, other.negatives,
        ):  # fmt: skip
            message = (
                "These systems do not have the same items in the same clusters, and a covariance "
                "of their areas needs that. Give common items, or compare each on its own."
            )
            raise CountsError(message, code="other-clusters")
    some = first.holding
    if min(some) < 2:
        message = (
            f"{some[0]} clusters with positives and {some[1]} with negatives; "
            "a variance over clusters needs 2 of each. Leave the clusters out, or add some."
        )
        raise CountsError(message, code="too-few-clusters")
    areas = np.array([_area(one) for one in placed], dtype=np.float64)
    x, y = np.array([_centre(one) for one in placed]).swapaxes(0, 1)
    both = x @ y.T
    covariance = (
        some[0] / (some[0] - 1) * (x @ x.T)
        + some[1] / (some[1] - 1) * (y @ y.T)
        + len(first) / (len(first) - 1) * (both + both.T)
    )
    return areas, covariance


def clustered_area_spreads(
    systems: Sequence[Clusters], *, common: bool = True, items: AreaSpreads | None = None
) -> AreaSpreads:
    r"""Areas on items in clusters, with clusters as the units that carry them.

    The covariance is :func:`clustered_auc_covariance`; the units are so many items as would vary as
    much, at least the clusters that hold the class, and the freedom is that of the class which
    fewer clusters hold,
    :math:`(\sum m_i)^2/\sum m_i^2-1` (the number of clusters, less where sizes differ). A variance
    is never less, nor a correlation more, than the items would show if they were independent:
    naming clusters makes nothing surer.

    Parameters
    ----------
    systems : sequence of Grouped of ScoreTable, or of ClusterPlacements
        For each system one table for each cluster, or sums for each.
    common : bool
        Whether all systems saw the same items; without, their areas do not go together.
    items : AreaSpreads, optional
        The same areas of the items alone, for the correlation that these show.

    References
    ----------
    .. [1] Obuchowski (1997), Biometrics 53, 567-578, doi:10.2307/2533958.

    Examples
    --------
    >>> parts = {str(g): ScoreTable.from_scores([g + 1.5, g + 2.0], [g + 0.5, 2.0 * g])
    ...          for g in range(4)}
    >>> spreads = clustered_area_spreads([Grouped.from_parts("patient", parts)])
    >>> round(spreads.spreads[0].positives, 3), spreads.spreads[0].freedom
    (7.35, 3.0)
    """
    placed = [cluster_placements(one) for one in systems]
    if common:
        covariance = clustered_auc_covariance(placed)[1]
    else:
        covariance = np.diag([clustered_auc_variance(one) for one in placed])
    scales = np.diag(covariance)
    spreads = tuple(_count_units(one, float(v)) for one, v in zip(placed, scales, strict=True))
    seen = np.sqrt([one.seen for one in spreads])
    roots = np.sqrt(np.outer(scales, scales))
    correlation = np.divide(covariance, roots, out=np.zeros_like(roots), where=roots > 0)
    if items is not None:
        plain = items.covariance
        roots = np.sqrt(np.outer(np.diag(plain), np.diag(plain)))
        alone = np.divide(plain, roots, out=np.zeros_like(roots), where=roots > 0)
        correlation = np.minimum(correlation, alone)
    return AreaSpreads(spreads=spreads, covariance=correlation * np.outer(seen, seen))


def _count_units(held: ClusterPlacements, variance: float) -> AreaSpread:
    """Count the clusters as so many items as would vary as much, and never as fewer than they are.

    How much more clusters vary than items (the design effect) is itself seen through few clusters;
    one item unseen is added to it as if its cluster were all alike, so that clusters which separate
    the classes fully count as one item each.
    """
    parts = delong_parts(held.table)
    alone = sum(parts)
    variance = max(variance, alone)
    items = held.table.positive_total, held.table.negative_total
    plain = AreaSpread(
        area=_area(held),
        positives=items[0],
        negatives=items[1],
        positive_variance=parts[0] * items[0],
        negative_variance=parts[1] * items[1],
        freedom=max(1.0, min(_effective(held.positives), _effective(held.negatives)) - 1),
    )
    step = max(plain.unseen("low"), plain.unseen("high"))
    size = max(m / k for m, k in zip(items, held.holding, strict=True))
    effect = (variance + size * step * step) / (alone + step * step) if step > 0 else 1.0
    units = [max(k, m / effect) for m, k in zip(items, held.holding, strict=True)]
    grown = variance / alone if alone > 0 else 1.0
    return replace(
        plain,
        positives=units[0],
        negatives=units[1],
        positive_variance=parts[0] * grown * units[0],
        negative_variance=parts[1] * grown * units[1],
    )


def _effective(sizes: Sequence[int]) -> float:
    """Clusters of one size that would tell as much as these."""
    return sum(sizes) ** 2 / sum(size * size for size in sizes)


def clustered_auc_interval(grouped: Clusters, *, level: float = 0.95) -> AreaInterval:
    r"""Interval for one area under the ROC curve over independent clusters of items.

    :math:`\operatorname{logit}\hat A\pm t\,\hat\sigma/(\hat A(1-\hat A))` taken back to the area,
    with :func:`clustered_auc_variance` and Student's t, whose degrees of freedom are one less than
    the clusters that hold the class which fewer clusters hold.

    Parameters
    ----------
    grouped : Grouped of ScoreTable, or ClusterPlacements
        One table for each cluster, or sums for each; at least two clusters with positives and
        two with negatives.
    level : float
        Coverage wanted, strictly between 0 and 1.

    Returns
    -------
    AreaInterval
        At an area of 0 or 1 Newcombe's interval with every cluster counted as one item of each
        class it holds; without any spread between clusters no limits but a reason.

    References
    ----------
    .. [1] Obuchowski (1997), Biometrics 53, 567-578, doi:10.2307/2533958.

    Examples
    --------
    >>> parts = {str(g): ScoreTable.from_scores([g + 1.5, g + 2.0], [g + 0.5, 2.0 * g])
    ...          for g in range(4)}
    >>> low, high = clustered_auc_interval(Grouped.from_parts("patient", parts)).limits
    >>> round(low, 3), round(high, 3)
    (0.373, 0.851)
    """
    normal_quantile(level)
    held = cluster_placements(grouped)
    variance = clustered_auc_variance(held)
    whole, area, clusters = held.table, _area(held), held.holding
    if area in {0.0, 1.0}:
        limits = newcombe_area_interval(
            area, positives=clusters[0], negatives=clusters[1], level=level
        )
        return AreaInterval(limits=limits, method="newcombe")
    if not variance > NOTHING_VARIES:
        reason = CONSTANT_SCORES if _distinct(whole) == 1 else NO_SPREAD
        return AreaInterval(limits=None, method="cluster-robust", reason=reason)
    reach = -float(stdtrit(min(clusters) - 1, (1 - level) / 2)) * sqrt(variance)
    half = reach / (area * (1 - area))
    limits = (float(expit(logit(area) - half)), float(expit(logit(area) + half)))
    return AreaInterval(limits=limits, method="cluster-robust")


def _area(held: ClusterPlacements) -> float:
    return pairs_won_twice(held.table) / (2 * held.table.positive_total * held.table.negative_total)


def _distinct(table: ScoreTable) -> int:
    return int(table.scores.size) if table.pair_sums is None else table.pair_sums.distinct


def _centre(held: ClusterPlacements) -> tuple[Floats, Floats]:
    """Centre the placements of each cluster's positives and negatives, as shares of all."""
    m, n = held.table.positive_total, held.table.negative_total
    won = pairs_won_twice(held.table)
    # Whole numbers throughout: what is left of two nearly equal ones keeps all of its digits.
    x = [
        (b * m - k * won) / (2 * m * m * n)
        for b, k in zip(held.beaten, held.positives, strict=True)
    ]
    y = [
        (b * n - k * won) / (2 * m * n * n)
        for b, k in zip(held.beating, held.negatives, strict=True)
    ]
    return np.array(x), np.array(y)

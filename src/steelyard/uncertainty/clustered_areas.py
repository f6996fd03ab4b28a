"""Variance and interval of an area under a ROC curve when items come in clusters."""

from collections.abc import Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, stdtrit

from steelyard.counts import Grouped, ScoreTable
from steelyard.errors import CountsError
from steelyard.uncertainty.areas import (
    CONSTANT_SCORES,
    AreaInterval,
    newcombe_area_interval,
    pairs_won_twice,
)
from steelyard.uncertainty.domain import normal_quantile

__all__ = ["clustered_auc_covariance", "clustered_auc_interval", "clustered_auc_variance"]

Floats = NDArray[np.float64]
NO_SPREAD = "the clusters do not show how the area varies"


def clustered_auc_variance(grouped: Grouped[ScoreTable]) -> float:
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
    grouped : Grouped of ScoreTable
        One table for each cluster; at least two clusters with positives and two with negatives.

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


def clustered_auc_covariance(systems: Sequence[Grouped[ScoreTable]]) -> tuple[Floats, Floats]:
    r"""Areas of several systems on the same items in clusters, and their covariance matrix.

    The formula of :func:`clustered_auc_variance` with the products :math:`x_i^rx_i^s`,
    :math:`y_i^ry_i^s` and :math:`(x_i^ry_i^s+x_i^sy_i^r)/2` of two systems r and s in the place of
    the squares [1]_. With one item in each cluster it is DeLong's.

    Parameters
    ----------
    systems : sequence of Grouped of ScoreTable
        For each system one table for each cluster; all of the same items and clusters.

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
    held = np.array([[p.positive_total, p.negative_total] for _, p in systems[0]])
    for other in systems[1:]:
        if not np.array_equal(held, [[p.positive_total, p.negative_total] for _, p in other]) or [
            name for name, _ in other
        ] != [name for name, _ in systems[0]]:
            message = (
                "These systems do not have the same items in the same clusters, and a covariance "
                "of their areas needs that. Give common items, or compare each on its own."
            )
            raise CountsError(message, code="other-clusters")
    some = [int(number) for number in (held > 0).sum(axis=0)]
    if min(some) < 2:
        message = (
            f"{some[0]} clusters with positives and {some[1]} with negatives; "
            "a variance over clusters needs 2 of each. Leave the clusters out, or add some."
        )
        raise CountsError(message, code="too-few-clusters")
    totals = held.sum(axis=0).astype(np.float64)
    wholes = [grouped.merged() for grouped in systems]
    placed = [_placed(grouped, whole) for grouped, whole in zip(systems, wholes, strict=True)]
    x = np.array([one for one, _ in placed]) / totals[0]
    y = np.array([one for _, one in placed]) / totals[1]
    both = x @ y.T
    covariance = (
        some[0] / (some[0] - 1) * (x @ x.T)
        + some[1] / (some[1] - 1) * (y @ y.T)
        + len(held) / (len(held) - 1) * (both + both.T)
    )
    areas = [pairs_won_twice(whole) / (2 * totals[0] * totals[1]) for whole in wholes]
    return np.array(areas, dtype=np.float64), covariance


def clustered_auc_interval(grouped: Grouped[ScoreTable], *, level: float = 0.95) -> AreaInterval:
    r"""Interval for one area under the ROC curve over independent clusters of items.

    :math:`\operatorname{logit}\hat A\pm t\,\hat\sigma/(\hat A(1-\hat A))` taken back to the area,
    with :func:`clustered_auc_variance` and Student's t, whose degrees of freedom are one less than
    the clusters that hold the class which fewer clusters hold.

    Parameters
    ----------
    grouped : Grouped of ScoreTable
        One table for each cluster; at least two clusters with positives and two with negatives.
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
    variance = clustered_auc_variance(grouped)
    whole = grouped.merged()
    area = pairs_won_twice(whole) / (2 * whole.positive_total * whole.negative_total)
    clusters = [
        sum(getattr(part, name) > 0 for _, part in grouped)
        for name in ("positive_total", "negative_total")
    ]
    if area in {0.0, 1.0}:
        limits = newcombe_area_interval(
            area, positives=clusters[0], negatives=clusters[1], level=level
        )
        return AreaInterval(limits=limits, method="newcombe")
    if not variance > 1e-24:
        reason = CONSTANT_SCORES if whole.scores.size == 1 else NO_SPREAD
        return AreaInterval(limits=None, method="cluster-robust", reason=reason)
    reach = -float(stdtrit(min(clusters) - 1, (1 - level) / 2)) * sqrt(variance)
    half = reach / (area * (1 - area))
    limits = (float(expit(logit(area) - half)), float(expit(logit(area) + half)))
    return AreaInterval(limits=limits, method="cluster-robust")


def _placed(grouped: Grouped[ScoreTable], whole: ScoreTable) -> tuple[Floats, Floats]:
    """Sum the centred placements of each cluster's positives and negatives."""
    positives, negatives = whole.positive_total, whole.negative_total
    area = pairs_won_twice(whole) / (2 * positives * negatives)
    beaten = (np.cumsum(whole.negatives) - whole.negatives / 2) / negatives - area
    beating = (positives - np.cumsum(whole.positives) + whole.positives / 2) / positives - area
    x, y = np.zeros(len(grouped)), np.zeros(len(grouped))
    for place, (_, part) in enumerate(grouped):
        at = np.searchsorted(whole.scores, part.scores)
        x[place] = part.positives @ beaten[at]
        y[place] = part.negatives @ beating[at]
    return x, y

"""Right and wrong answers on items that weigh more or less than one another."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import Grouped, Outcomes
from steelyard.counts.weights import SCALE, WeightSums
from steelyard.errors import NotComparable

__all__ = ["WeightedRates", "pattern_weights", "weighted_rates"]

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WeightedRates:
    """Weighted shares of right answers and their covariance.

    ``effective`` is Kish's number of items; ``freedom`` the degrees of freedom of the covariance.
    """

    systems: tuple[str, ...]
    rates: Floats
    covariance: Floats
    effective: float
    freedom: int


def weighted_rates(outcomes: Outcomes | Grouped[Outcomes]) -> WeightedRates:
    r"""Weighted rates of all systems on common items, with their linearised covariance.

    With right answers :math:`c_{ki}` (0 or 1) and weights :math:`w_k` of n items,

    .. math:: \hat p_i = \frac{\sum_k w_k c_{ki}}{\sum_k w_k}, \qquad
              s_{ij} = \frac{n}{n-1}\,
              \frac{\sum_k w_k^2 (c_{ki}-\hat p_i)(c_{kj}-\hat p_j)}{(\sum_k w_k)^2}

    the variance of a ratio by its first-order terms [1]_. Of items in clusters, the terms are added
    up within each cluster first and the clusters are the n units.

    Parameters
    ----------
    outcomes
        Outcomes that carry weights; for items in clusters, those of each cluster.

    Notes
    -----
    Weights are taken as given and not as counts: doubling all of them changes nothing. Degrees of
    freedom are Kish's effective number of items (or the number of clusters) less 1.

    References
    ----------
    .. [1] Binder (1983), International Statistical Review 51, 279-292, doi:10.2307/1402588.

    Examples
    --------
    >>> weights = {0b11: WeightSums(60 * SCALE, 90 * SCALE), 0b01: WeightSums(9 * SCALE, 9 * SCALE),
    ...            0b10: WeightSums(4 * SCALE, 8 * SCALE), 0b00: WeightSums(7 * SCALE, 7 * SCALE)}
    >>> pair = Outcomes.from_patterns(
    ...     {0b11: 50, 0b01: 9, 0b10: 3, 0b00: 7}, systems=("S", "T"), weights=weights)
    >>> weighted_rates(pair).rates.round(4).tolist()
    [0.8625, 0.8]
    """
    # Clusters without items are no clusters: they would only add degrees of freedom.
    parts = [p for _, p in outcomes if p.total] if isinstance(outcomes, Grouped) else [outcomes]
    sums = [pattern_weights(part) for part in parts]
    whole = WeightSums(0, 0)
    for _, cells in sums:
        for one in cells:
            whole = whole.merged(one)
    if whole.scaled == 0:
        message = "The weights of these items add up to 0; give some item a positive weight."
        raise NotComparable(message, code="no-weight")
    weighed = [(bits, np.array([one.total for one in cells])) for bits, cells in sums]
    rates = np.sum([weights @ bits for bits, weights in weighed], axis=0) / whole.total
    if isinstance(outcomes, Grouped):
        scores = np.stack([weights @ (bits - rates) for bits, weights in weighed])
        units, freedom = len(parts), len(parts) - 1
        spread = scores.T @ scores
    else:
        (bits, cells) = sums[0]
        squares = np.array([one.scaled_squares for one in cells], dtype=np.float64) / SCALE
        units, freedom = parts[0].total, max(1, int(whole.effective) - 1)
        spread = (bits - rates).T @ (squares[:, None] * (bits - rates))
    if units < 2:
        message = "One unit (item or cluster) shows no spread; a weighted comparison needs two."
        raise NotComparable(message, code="one-cluster")
    return WeightedRates(
        systems=parts[0].systems,
        rates=np.asarray(rates),
        covariance=np.asarray(spread * (units / (units - 1)) / whole.total**2),
        effective=whole.effective,
        freedom=freedom,
    )


def pattern_weights(outcomes: Outcomes) -> tuple[Floats, list[WeightSums]]:
    """Give the right answers of each pattern, a column for each system, and its weight.

    Examples
    --------
    >>> one = Outcomes.from_patterns({1: 2}, systems=["A"], weights={1: WeightSums(SCALE, SCALE)})
    >>> pattern_weights(one)[0].tolist()
    [[1.0]]
    """
    if outcomes.weights is None:
        message = "These outcomes carry no weights; compare them without."
        raise NotComparable(message, code="no-weight")
    size = len(outcomes.systems)
    patterns = [pattern for pattern, _ in outcomes.weights]
    bits = [[(pattern >> place) & 1 for place in range(size)] for pattern in patterns]
    return np.array(bits, dtype=np.float64).reshape(-1, size), [one for _, one in outcomes.weights]

"""Shares of items that come in clusters, or carry weights, in the model of cluster means."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steelyard.counts import SCALE, WeightSums
from steelyard.errors import CountsError
from steelyard.uncertainty.clusters.means import (
    check_clusters,
    cluster_freedom,
    design_effect,
    equal_clusters,
    jackknife_variance,
    rarity,
)
from steelyard.uncertainty.domain import (
    beta_quantile,
    beta_upper_quantile,
    normal_quantile,
)
from steelyard.uncertainty.shares.proportion import wilson_interval_effective
from steelyard.uncertainty.special import stdtrit

__all__ = ["ShareSums", "cluster_share_interval", "weighted_share_interval"]

Floats = NDArray[np.float64]


def cluster_share_interval(
    successes: ArrayLike, trials: ArrayLike, *, level: float = 0.95, items: float | None = None
) -> tuple[float, float]:
    r"""Interval for a share of items that come in clusters, in the model of cluster means.

    Wilson's limits with :math:`n_e=(n/D)(z/t)^2` items, t Student's quantile with the degrees of
    freedom of :func:`cluster_freedom` [1]_. The design effect :math:`D=nV/(\hat p(1-\hat p))`,
    never below 1, has the jackknife variance and one more cluster,

    .. math:: V=\frac{G-1}{G}\sum_g\left(\frac{y_g-\hat pn_g}{n(1-h_g)}\right)^2
              +\frac{1}{n^2}\frac{\sum_g f_g^2}{\#\{f_g>0\}},

    with :math:`f_g` the rarer of successes and failures. The limits reach at least to
    :math:`\hat pG/(G+rt^2)` and :math:`(\hat pG+rt^2)/(G+rt^2)`, where G clusters of equal size
    would tell as much and :math:`r` is near 1 when the rarer outcome sits in few clusters, 0 when
    it is spread over them as independent items would be. The limit on the side of the nearer end
    of the scale is at least that of Clopper and Pearson with as many items.

    Parameters
    ----------
    successes, trials : array_like
        What succeeded and what was tried in each cluster; two clusters or more with trials.
    level : float
        Coverage wanted, strictly between 0 and 1.
    items : float, optional
        With weights, Kish's effective number of items.

    Notes
    -----
    Never narrower than Wilson's interval of independent items. With a rate of 0 or 1 each cluster
    counts as one item.

    References
    ----------
    .. [1] Korn & Graubard (1998), Survey Methodology 24, 193-201 (effective size and t).
    .. [2] MacKinnon, Nielsen & Webb (2023), Journal of Applied Econometrics 38, 671-694,
       doi:10.1002/jae.2969.

    Examples
    --------
    >>> low, high = cluster_share_interval([9, 5, 10, 7], [10, 10, 10, 10])
    >>> round(low, 3), round(high, 3)
    (0.291, 0.998)
    """
    won, tried = _check_shares(successes, trials)
    few = tried - won if 2 * won.sum() > tried.sum() else won
    weight = float(tried.sum())
    return ShareSums(
        successes=float(won.sum()),
        weight=weight,
        items=weight if items is None else items,
        variance=jackknife_variance(won, tried),
        squares=float(few @ few),
        telling=int(np.count_nonzero(few)),
        clusters=equal_clusters(tried),
        freedom=cluster_freedom(tried),
    ).interval(level)


def weighted_share_interval(
    won: WeightSums, among: WeightSums, rows: int, *, level: float = 0.95
) -> tuple[float, float]:
    r"""Interval for a weighted share of independent rows.

    As :func:`cluster_share_interval` with rows as the units: the linearised variance
    :math:`\sum w^2(y-\hat p)^2/(\sum w)^2` times :math:`n_e/(n_e-1)`, with Kish's effective
    number :math:`n_e` and :math:`n_e-1` degrees of freedom. Weights that are all alike are no
    weights: Wilson's limits.

    Parameters
    ----------
    won, among : WeightSums
        Weights of the rows that succeeded, and of all rows that count.
    rows : int
        How many rows count.
    level : float
        Coverage wanted, strictly between 0 and 1.

    References
    ----------
    .. [1] Kish (1965), Survey Sampling, Wiley, section 11.7.
    .. [2] Korn & Graubard (1998), Survey Methodology 24, 193-201.

    Examples
    --------
    >>> from steelyard.counts import SCALE
    >>> three = WeightSums(9 * SCALE // 2, 29 * SCALE // 4)
    >>> low, high = weighted_share_interval(three, three, 3)
    >>> round(low, 3), high
    (0.108, 1.0)
    """
    share, number = won.scaled / among.scaled, among.effective
    # Kish's number of equal weights is that of the rows, but for rounding of the squares.
    if number >= rows * (1 - 1e-9):
        return wilson_interval_effective(share, number, level=level)
    if number <= 1 + 1e-9:
        # One row holds all the weight, and one row does not show how rows vary.
        return (0.0, 1.0)
    lost_squares = among.scaled_squares - won.scaled_squares
    few = lost_squares if share > 0.5 else won.scaled_squares
    rest = (1 - share if share > 0.5 else share) * among.total
    squares = few / SCALE
    spread = (won.scaled_squares * (1 - share) ** 2 + lost_squares * share**2) / SCALE
    return ShareSums(
        successes=won.total,
        weight=among.total,
        items=number,
        variance=spread / among.total**2 * number / (number - 1),
        squares=squares,
        telling=rest * rest / squares if squares else 0.0,
        clusters=number,
        freedom=max(1.0, number - 1),
    ).interval(level)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareSums:
    """What the interval of a share needs of its units (clusters, or weighted items).

    As :class:`ContrastSums`; ``squares`` is the sum of the squared weights of the rarer outcome
    within each unit, which ``telling`` units show.

    Examples
    --------
    >>> sums = ShareSums(successes=3.0, weight=3.0, items=3.0, variance=0.0, squares=0.0, telling=0,
    ...                  clusters=3.0, freedom=2.0)
    >>> low, high = sums.interval()
    >>> round(low, 3), high
    (0.139, 1.0)
    """

    successes: float
    weight: float
    items: float
    variance: float
    squares: float
    telling: float
    clusters: float
    freedom: float

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Wilson's limits with the effective number of items, and those of few clusters."""
        z = normal_quantile(level)
        share = min(1.0, max(0.0, self.successes / self.weight))
        effect = design_effect(
            seen=self.variance,
            added=self.squares / max(1, self.telling) / self.weight**2,
            each=share * (1 - share),
            items=self.items,
            clusters=self.clusters,
            telling=self.telling,
        )
        t = -float(stdtrit(self.freedom, (1 - level) / 2))
        number = self.items / max(1.0, effect) * (z / t) ** 2
        low, high = wilson_interval_effective(share, number, level=level)
        # Next to 0 or 1 Wilson's nearer limit is too near when the rare thing was seen once.
        if 0.5 < share < 1:
            odd = beta_upper_quantile(share * number + 1, (1 - share) * number, (1 - level) / 2)
            high = max(high, odd)
        elif 0 < share <= 0.5:
            odd = beta_quantile(share * number, (1 - share) * number + 1, (1 - level) / 2)
            low = min(low, odd)
        scale = self.items / self.weight
        reach = min(share, 1 - share) * self.items
        more = rarity(reach, self.squares * scale**2, self.clusters) * t * t
        return (
            min(low, share * self.clusters / (self.clusters + more)),
            max(high, (share * self.clusters + more) / (self.clusters + more)),
        )


def _check_shares(successes: ArrayLike, trials: ArrayLike) -> tuple[Floats, Floats]:
    won, tried = np.asarray(successes, np.float64), np.asarray(trials, np.float64)
    # Sums of weights: more than was tried by the last digits is rounding.
    if won.shape != tried.shape or (won < 0).any() or (won > tried * (1 + 1e-12)).any():
        message = "Each cluster needs its successes and its trials, 0 <= successes <= trials."
        raise CountsError(message, code="successes-exceed-trials")
    held = tried > 0
    check_clusters(tried[held])
    return won[held], tried[held]

"""Power of a verdict over clusters: tests are drawn and judged, since no formula keeps its word."""

from collections.abc import Callable
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from steelyard.planning.discordance import PairedRates
from steelyard.planning.tests.clusters import clustered_test_samples
from steelyard.planning.tests.equivalence import MarginClaim
from steelyard.uncertainty.clusters.means import (
    ClusterContrast,
    ContrastSums,
    cluster_freedom,
    equal_clusters,
)

__all__ = ["ClusteredPair"]

DRAWS, FEWEST, ENTRIES = 3000, 400, 2_000_000
"""Tests drawn for one power; of many clusters fewer, so that it takes seconds."""
MOST = ENTRIES // FEWEST
"""Clusters up to which tests are drawn; beyond that the formula alone is left."""


class ClusteredPair:
    r"""Two systems on common items in clusters: how often the verdict over clusters is reached.

    Every cluster has chances of its own for "only the first", "only the second" and neither, from a
    Dirichlet distribution around the ``rates`` with :math:`\alpha_0=(1-\rho)/\rho`, so that two
    items of one cluster have the ``correlation`` :math:`\rho`. Whole tests are drawn and judged by
    :func:`~steelyard.uncertainty.cluster_contrast`, the model that compare and gate take. The same
    clusters are drawn for every number of them, the first so many are the test: the power rises
    with their number, and one seed has one answer.

    Parameters
    ----------
    rates : PairedRates
        Chances that only the first, only the second is right.
    cluster_size : float
        Mean items of a cluster; sizes differ by one where it is no whole number.
    correlation : float
        Correlation of two items of one cluster.
    alpha : float
        Error rate of the test; of one side with a ``margin``.
    margin, claim : float, MarginClaim, optional
        To show ``equivalent`` or ``not inferior`` within the margin, not that one is better.

    Notes
    -----
    Design effect and Student's t alone err where few clusters carry a small lead: of clusters of 60
    items with :math:`\rho=0.3`, a twentieth of them discordant, nine of ten won by one system, 63
    clusters decide a third of tests. Where clusters differ in how far their items belong together,
    no number of this model holds.

    References
    ----------
    .. [1] Mosimann (1962), Biometrika 49, 65-82, doi:10.2307/2333468 (Dirichlet and multinomial).

    Examples
    --------
    >>> from steelyard.planning import paired_rates
    >>> rates = paired_rates(0.92, 0.86, discordance=0.1)
    >>> pair = ClusteredPair(rates, cluster_size=20, correlation=0.05)
    >>> clusters = pair.clusters(0.8)
    >>> bool(pair.power(clusters) >= 0.8 > pair.power(clusters - 3))
    True
    """

    def __init__(
        self,
        rates: PairedRates,
        *,
        cluster_size: float,
        correlation: float,
        alpha: float = 0.05,
        margin: float | None = None,
        claim: MarginClaim = "equivalent",
        seed: int = 0,
    ) -> None:
        self.rates, self.cluster_size, self.correlation = rates, cluster_size, correlation
        self.alpha, self.margin, self.claim = alpha, margin, claim
        self._rng = np.random.default_rng(seed)
        self._won = self._lost = np.zeros((DRAWS, 0), dtype=np.int32)
        self._known: dict[int, float] = {}

    most = MOST

    @staticmethod
    def draws(clusters: int) -> int:
        """Tell how many tests of so many clusters are drawn."""
        return min(DRAWS, ENTRIES // clusters)

    def power(self, clusters: int) -> float:
        """Share of drawn tests of so many clusters, 2 to ``MOST``, that reach the verdict."""
        if clusters not in self._known:
            won, lost = self._draw(clusters)
            shown = _verdict_of(self.alpha, self.margin, self.claim)
            judged = _contrasts(won, lost, self._sizes(0, clusters))
            self._known[clusters] = sum(map(shown, judged)) / len(judged)
        return self._known[clusters]

    def clusters(self, power: float) -> int | None:
        """Fewest clusters with this power and two standard errors more; None: over ``MOST``."""
        low, high = 1, self._guess(power)
        while high <= MOST and not self._enough(high, power):
            low, high = high, round(high * 1.3) + 1
        if high > MOST:
            return None
        # Up to here every step was too small, or the first was enough: look below it.
        while low == 1 and high > 2 and self._enough(max(2, round(high / 1.3) - 1), power):
            high = max(2, round(high / 1.3) - 1)
        low = max(low, round(high / 1.3) - 2)
        while high - low > max(1, high // 200):
            middle = (low + high) // 2
            low, high = (low, middle) if self._enough(middle, power) else (middle, high)
        return high

    def _guess(self, power: float) -> int:
        won, lost = self.rates.only_first, self.rates.only_second
        far = won - lost if self.margin is None else self.margin - abs(won - lost)
        spread = won + lost - (won - lost) ** 2
        tails = (self.alpha / 2 if self.margin is None else self.alpha, 1 - power)
        # Eight variances over the lead squared: the usual rough number, only to start from.
        alone = max(2, round(8 * spread / max(far * far, 1e-12)))
        if alone * self.cluster_size > 1e12:
            return MOST + 1
        return clustered_test_samples(
            alone,
            cluster_size=self.cluster_size,
            correlation=self.correlation,
            tails=tails,
            lead=won - lost if self.margin is None else None,
            discordance=won + lost if self.margin is None else None,
        ).clusters

    def _enough(self, clusters: int, power: float) -> bool:
        # Two standard errors: the number that drawn tests first call enough is often luck.
        error = sqrt(power * (1 - power) / self.draws(clusters))
        return self.power(clusters) >= min(power + 2 * error, (1 + power) / 2)

    def _sizes(self, start: int, stop: int) -> NDArray[np.int64]:
        # Ten clusters of 1.1 end at 11 items, which rounding may put a little below.
        ends = np.floor(np.arange(start, stop + 1) * self.cluster_size + 1e-9)
        return np.asarray(np.maximum(np.diff(ends), 1), dtype=np.int64)

    def _draw(self, clusters: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Wins and losses: a row for each test, a column for each cluster."""
        rows, there = self.draws(max(clusters, self._won.shape[1])), self._won.shape[1]
        if there < clusters:
            shares = self._shares(rows, clusters - there)
            sizes = self._sizes(there, clusters)
            won = self._rng.binomial(sizes, shares[..., 0])
            left = 1 - shares[..., 0]
            ratio = np.divide(shares[..., 1], left, out=np.zeros_like(left), where=left > 0)
            lost = self._rng.binomial(sizes - won, np.minimum(ratio, 1))
            self._won = np.hstack([self._won[:rows], won.astype(np.int32)])
            self._lost = np.hstack([self._lost[:rows], lost.astype(np.int32)])
        return self._won[:, :clusters], self._lost[:, :clusters]

    def _shares(self, rows: int, columns: int) -> NDArray[np.float64]:
        won, lost = self.rates.only_first, self.rates.only_second
        mean = np.array([won, lost, max(0.0, 1 - won - lost)])
        if self.correlation <= 0:
            return np.broadcast_to(mean, (rows, columns, 3))
        drawn = np.zeros((rows, columns, 3))
        for kind, share in enumerate(mean):
            if share > 0 and self.correlation < 1:
                around = share * (1 - self.correlation) / self.correlation
                drawn[..., kind] = self._rng.standard_gamma(around, (rows, columns))
        whole = drawn.sum(axis=2)
        # Tiny shapes underflow together, and at a correlation of 1 nothing was drawn: one kind then
        # has the cluster for itself.
        empty = whole <= 0
        drawn[empty] = np.eye(3)[self._rng.choice(3, size=int(empty.sum()), p=mean / mean.sum())]
        whole[empty] = 1
        return np.asarray(drawn / whole[..., None], dtype=np.float64)


def _verdict_of(alpha: float, margin: float | None, claim: MarginClaim) -> Callable[..., bool]:
    """Give the verdict that the test is made for."""

    def better(one: ClusterContrast) -> bool:
        return one.difference > 0 and one.p_value <= alpha

    def within(one: ClusterContrast) -> bool:
        assert margin is not None
        above = one.chance_above(-margin) >= 1 - alpha
        return above and (claim != "equivalent" or one.chance_above(margin) <= alpha)

    return better if margin is None else within


def _contrasts(
    won: NDArray[np.int32], lost: NDArray[np.int32], sizes: NDArray[np.int64]
) -> list[ClusterContrast]:
    """Judge every row as :func:`~steelyard.uncertainty.cluster_contrast` does."""
    items, clusters = float(sizes.sum()), sizes.size
    gaps = (won - lost).astype(np.float64)
    apart = (gaps - gaps.sum(axis=1, keepdims=True) / items * sizes) / (items - sizes)
    variance = (clusters - 1) / clusters * np.einsum("ij,ij->i", apart, apart)
    equal, freedom = equal_clusters(sizes.astype(np.float64)), cluster_freedom(sizes)
    sums = (
        won.sum(axis=1), lost.sum(axis=1), variance, np.einsum("ij,ij->i", gaps, gaps),
        np.abs(gaps).sum(axis=1), np.count_nonzero(gaps, axis=1),
    )  # fmt: skip
    return [
        ContrastSums(
            wins=float(wins), losses=float(losses), weight=items, items=items, variance=spread,
            squares=squares, reach=reach, telling=telling, clusters=equal, freedom=freedom,
        ).contrast()
        for wins, losses, spread, squares, reach, telling in zip(
            *(one.tolist() for one in sums), strict=True
        )
    ]  # fmt: skip

"""What a plan costs when items belong together, or when each is tried several times."""

from dataclasses import dataclass
from math import exp, pi, sqrt

from scipy.special import ndtr, ndtri, stdtrit

from steelyard.errors import RequestError
from steelyard.planning.sizes import round_up
from steelyard.uncertainty.clusters.means import HALVES

__all__ = [
    "ClusteredSize",
    "RepeatedSize",
    "clustered_samples",
    "clustered_test_samples",
    "design_effect",
    "few_cluster_factor",
    "few_telling_clusters",
    "repeated_samples",
]

SKEW = 0.14
"""What real differences of clusters add to the rarity of normal ones; found by search."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusteredSize:
    """Items and clusters that hold as much information as ``independent`` unrelated items."""

    independent: int
    items: int
    clusters: int
    design_effect: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedSize:
    """Items, each tried ``trials`` times, that hold as much as ``single`` items tried once.

    ``fewest`` is what is needed however often each is tried.
    """

    single: int
    trials: int
    items: int
    fewest: int


def design_effect(cluster_size: float, *, correlation: float, variation: float = 0.0) -> float:
    r"""How many times more items clusters take: :math:`1 + ((1 + c_v^2)\,\bar m - 1)\,\rho`.

    Parameters
    ----------
    cluster_size
        Mean items of a cluster.
    correlation
        Correlation of two items of one cluster.
    variation
        Coefficient of variation of the sizes.

    References
    ----------
    .. [1] Eldridge, Ashby & Kerry (2006), International Journal of Epidemiology 35, 1292-1300,
       doi:10.1093/ije/dyl129.

    Examples
    --------
    >>> [round(design_effect(20, correlation=0.1, variation=v), 9) for v in (0, 0.5)]
    [2.9, 3.4]
    """
    if not cluster_size >= 1:
        message = (
            f"cluster_size={cluster_size!r}; a cluster has at least 1 item. The nearest possible "
            "is cluster_size=1 (--cluster-size 1), which is not a cluster."
        )
        raise RequestError(message)
    _check_correlation(correlation)
    if not variation >= 0:
        message = f"variation={variation!r}; a coefficient of variation is 0 or more."
        raise RequestError(message)
    return 1 + ((1 + variation**2) * cluster_size - 1) * correlation


def clustered_samples(
    independent: int, *, cluster_size: float, correlation: float, variation: float = 0.0
) -> ClusteredSize:
    """Items and clusters to test instead of so many independent items.

    Notes
    -----
    More items per cluster soon add nothing: the number of clusters decides. Below about 20
    clusters the intervals need t quantiles and this is too optimistic:
    :func:`clustered_test_samples` allows for them.

    References
    ----------
    .. [1] Donner & Klar (2000), Design and Analysis of Cluster Randomization Trials in Health
       Research, chapter 5; with unequal sizes: doi:10.1093/ije/dyl129.

    Examples
    --------
    >>> size = clustered_samples(400, cluster_size=20, correlation=0.1)
    >>> size.items, size.clusters
    (1160, 58)
    """
    effect = design_effect(cluster_size, correlation=correlation, variation=variation)
    clusters = round_up(independent * effect / cluster_size)
    return ClusteredSize(
        independent=independent,
        items=round_up(clusters * cluster_size),
        clusters=clusters,
        design_effect=effect,
    )


def few_cluster_factor(clusters: float, *tails: float) -> float:
    r"""How many times more clusters it takes when a test knows their spread from themselves alone.

    .. math:: \left(1+\frac1G\right)\left(\frac{\sum_i t_{G-1,1-a_i}}{\sum_i z_{1-a_i}}\right)^2

    with the one-sided error rates :math:`a_i` that the plan adds up: :math:`\alpha/2` and
    :math:`1-\text{power}` of a test, half of 1 - level of an interval. The first factor is the one
    cluster more that :func:`~steelyard.uncertainty.cluster_contrast` adds to the variance, and
    Student's t is how it is read.

    References
    ----------
    .. [1] Donner & Klar (2000), Design and Analysis of Cluster Randomization Trials in Health
       Research, chapter 5; t for few clusters: doi:10.1093/ije/dyl129.

    Examples
    --------
    >>> [round(few_cluster_factor(clusters, 0.025, 0.2), 3) for clusters in (5, 10, 50)]
    [2.113, 1.387, 1.062]
    """
    freedom = max(1.0, clusters - 1)
    student = -sum(float(stdtrit(freedom, tail)) for tail in tails)
    normal = -sum(float(ndtri(tail)) for tail in tails)
    return (1 + 1 / max(clusters, 1.0)) * (student / normal) ** 2


def few_telling_clusters(
    clusters: float, *, lead: float, discordance: float, cluster_size: float, correlation: float
) -> float:
    r"""Clusters below which a lead may rest on too few of them for the verdict.

    The pivot of :func:`~steelyard.uncertainty.cluster_contrast` is at most
    :math:`\sqrt{G\delta/r}`, r the part of what is seen that comes from few clusters:
    :math:`r=1-(E|d|+E^2|d|)/E d^2` of the difference d of one cluster. With normal d of mean
    :math:`m\delta` and variance :math:`m(\psi-\delta^2)D`, 0.14 more for its skew, and half as much
    again for the power, :math:`G\ge 1.5\,t^2 (r+0.14)/\delta`.

    Examples
    --------
    >>> known = {"cluster_size": 60, "correlation": 0.05}
    >>> round(few_telling_clusters(30, lead=0.06, discordance=0.1, **known))
    36
    """
    effect = design_effect(cluster_size, correlation=correlation)
    mean, square = cluster_size * lead, cluster_size * (discordance - lead * lead) * effect
    if square <= 0:
        return 0.0
    spread = sqrt(square)
    apart = spread * sqrt(2 / pi) * exp(-mean * mean / (2 * square)) + mean * (
        1 - 2 * float(ndtr(-mean / spread))
    )
    whole = square + mean * mean
    rare = min(1.0, max(0.0, 1 - (apart + apart * apart) / whole + SKEW))
    reach = float(stdtrit(max(1.0, clusters - 1), 0.025))
    return 1.5 * reach * reach * rare / lead


def clustered_test_samples(
    independent: int,
    *,
    cluster_size: float,
    correlation: float,
    tails: tuple[float, ...],
    lead: float | None = None,
    discordance: float | None = None,
) -> ClusteredSize:
    """Items and clusters to test, judged by the model of cluster means that gives the verdict.

    As :func:`clustered_samples`, with :func:`few_cluster_factor` on top: the smallest number of
    clusters, two or more, that is as many times larger as it asks for. Where the ``lead`` of one
    system and the ``discordance`` are given, also as many as :func:`few_telling_clusters` asks for,
    and as many more as make up for the discordant items that the verdict adds.

    Examples
    --------
    >>> known = {"cluster_size": 20, "correlation": 0.1}
    >>> clustered_samples(60, **known).clusters
    9
    >>> clustered_test_samples(60, **known, tails=(0.025, 0.2)).clusters
    12
    """
    effect = design_effect(cluster_size, correlation=correlation)
    known = independent * effect / cluster_size
    if discordance is not None:
        known *= 1 + HALVES / (independent * discordance)

    def least(clusters: int) -> float:
        needed = known * few_cluster_factor(clusters, *tails)
        if lead is None or discordance is None:
            return needed
        telling = few_telling_clusters(
            clusters,
            lead=lead,
            discordance=discordance,
            cluster_size=cluster_size,
            correlation=correlation,
        )
        return max(needed, telling)

    clusters = max(2, round_up(known))
    while clusters < least(clusters):
        clusters += 1
    return ClusteredSize(
        independent=independent,
        items=round_up(clusters * cluster_size),
        clusters=clusters,
        design_effect=effect,
    )


def repeated_samples(single: int, *, trials: int, correlation: float) -> RepeatedSize:
    r"""Items to test when each is tried several times: :math:`n(\rho + (1-\rho)/k)`.

    ``correlation`` is that of two trials of one item: 0 if the outcome is a coin thrown anew,
    1 if the item decides it.

    Notes
    -----
    Repeated trials are a cluster, never more items: with correlation 0.5 no number of trials saves
    more than half of the items.

    References
    ----------
    .. [1] Snedecor & Cochran (1989), Statistical Methods, chapter 13; the clusters behind it:
       doi:10.1093/ije/dyl129.

    Examples
    --------
    >>> size = repeated_samples(400, trials=8, correlation=0.5)
    >>> size.items, size.fewest
    (225, 200)
    """
    if trials < 1:
        message = f"trials={trials!r}; each item is tried at least once (--trials 1)."
        raise RequestError(message)
    _check_correlation(correlation)
    items = single * (correlation + (1 - correlation) / trials)
    return RepeatedSize(
        single=single,
        trials=trials,
        items=max(1, round_up(items)),
        fewest=max(1, round_up(single * correlation)),
    )


def _check_correlation(correlation: float) -> None:
    if not 0 <= correlation <= 1:
        nearest = 1 if correlation > 1 else 0
        message = (
            f"icc={correlation!r}; the correlation within a cluster or an item lies from 0 to 1. "
            f"The nearest possible is icc={nearest} (--icc {nearest})."
        )
        raise RequestError(message, code="icc")

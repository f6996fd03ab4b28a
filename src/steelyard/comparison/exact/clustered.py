"""McNemar's test when items come in strata or in clusters."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
from scipy.special import chdtrc, stdtr

from steelyard.comparison.exact.independent import KSampleTest, k_sample_chi_square
from steelyard.comparison.exact.paired import McNemar, McNemarMethod, mcnemar
from steelyard.counts import PairTable
from steelyard.errors import NotComparable, RequestError

__all__ = [
    "ClusterMethod",
    "ClusteredMcNemar",
    "StratifiedMcNemar",
    "clustered_mcnemar",
    "stratified_mcnemar",
]

ClusterMethod: TypeAlias = Literal["robust", "durkalski"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StratifiedMcNemar:
    """One test over all strata, the common ratio of wins, and whether strata agree on it.

    ``ratio`` is items only the first had right over items only the second had, None without the
    latter. ``agreement`` is None with fewer than two strata that hold discordant items.
    """

    strata: int
    test: McNemar
    ratio: float | None
    agreement: KSampleTest | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusteredMcNemar:
    """Test over clusters; the statistic is None, and p is 1, when no cluster tells them apart."""

    clusters: int
    informative: int
    method: ClusterMethod
    difference: float
    statistic: float | None
    p_value: float


def stratified_mcnemar(
    strata: Sequence[PairTable], *, method: McNemarMethod = "mid-p"
) -> StratifiedMcNemar:
    r"""McNemar's test over several strata (Mantel-Haenszel).

    Given the discordant items of each stratum, the statistic of Mantel and Haenszel,
    :math:`(\sum b_s - \sum c_s)^2/\sum(b_s + c_s)`, is McNemar's for the pooled counts, and so are
    the exact and mid-p tests. Whether strata have a common ratio is tested by the chi-square of
    :math:`b_s` among :math:`b_s + c_s`.

    Notes
    -----
    With strata that point in different directions the pooled test averages them away: look at
    ``agreement`` first. Strata are few and chosen; many small groups are clusters.

    References
    ----------
    .. [1] Mantel & Haenszel (1959), JNCI 22, 719-748, doi:10.1093/jnci/22.4.719.

    Examples
    --------
    >>> strata = [PairTable(both=50, first=9, second=3, neither=5),
    ...           PairTable(both=30, first=8, second=2, neither=9)]
    >>> answer = stratified_mcnemar(strata)
    >>> answer.ratio, round(answer.test.p_value, 4), round(answer.agreement.p_value, 3)
    (3.4, 0.0106, 0.781)
    """
    if not strata:
        message = "No stratum was given; pass one paired table for each."
        raise NotComparable(message)
    first, second = sum(s.first for s in strata), sum(s.second for s in strata)
    pooled = PairTable(
        both=sum(s.both for s in strata),
        first=first,
        second=second,
        neither=sum(s.neither for s in strata),
    )
    told = [(s.first, s.discordant) for s in strata if s.discordant]
    return StratifiedMcNemar(
        strata=len(strata),
        test=mcnemar(pooled, method=method),
        ratio=first / second if second else None,
        agreement=k_sample_chi_square(told) if len(told) > 1 else None,
    )


def clustered_mcnemar(
    clusters: Sequence[PairTable], *, method: ClusterMethod = "robust"
) -> ClusteredMcNemar:
    r"""McNemar's test when items come in clusters whose outcomes go together.

    With :math:`d_k = b_k - c_k` of K clusters of :math:`n_k` items,

    ``robust``: :math:`X^2 = (\sum d_k)^2/\left(\frac{K}{K-1}\sum d_k^2\right)` (Obuchowski), its
    root taken as t with K - 1 degrees of freedom;
    ``durkalski``: :math:`X^2 = (\sum d_k/n_k)^2/\sum (d_k/n_k)^2`, chi-square with 1 degree of
    freedom, which gives every cluster the same weight.

    Notes
    -----
    Clusters are the unit: several trials of one item, or items of one source, are never more
    items. With fewer than some 20 informative clusters both are rough; ``durkalski`` then rejects
    too often. They answer about the mean over items (``robust``) or over clusters (``durkalski``),
    which differ when cluster size goes with the difference. Taking t is our choice.

    References
    ----------
    .. [1] Obuchowski (1998), Statistics in Medicine 17, 1495-1507,
       doi:10.1002/(SICI)1097-0258(19980715)17:13<1495::AID-SIM863>3.0.CO;2-I.
    .. [2] Durkalski, Palesch, Lipsitz & Rust (2003), Statistics in Medicine 22, 2417-2428,
       doi:10.1002/sim.1438.

    Examples
    --------
    >>> clusters = [PairTable(both=3, first=2, second=0, neither=1)] * 6 + [
    ...     PairTable(both=4, first=0, second=1, neither=0)] * 4
    >>> answer = clustered_mcnemar(clusters)
    >>> round(answer.statistic, 4), round(answer.p_value, 4)
    (2.0571, 0.1853)
    """
    if method not in METHODS:
        raise RequestError.for_choice(name="method", given=method, choices=get_args(ClusterMethod))
    filled = [cluster for cluster in clusters if cluster.total]
    if len(filled) < 2:
        message = f"{len(filled)} clusters with items; a clustered test needs at least two."
        raise NotComparable(message)
    gaps = np.array([c.first - c.second for c in filled], dtype=np.float64)
    sizes = np.array([c.total for c in filled], dtype=np.float64)
    statistic, p_value = METHODS[method](gaps, sizes) if gaps.any() else (None, 1.0)
    return ClusteredMcNemar(
        clusters=len(filled),
        informative=int(np.count_nonzero(gaps)),
        method=method,
        difference=float(gaps.sum() / sizes.sum()),
        statistic=statistic,
        p_value=p_value,
    )


Vector = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def _robust(gaps: Vector, sizes: Vector) -> tuple[float, float]:
    count = sizes.size
    statistic = float(gaps.sum() ** 2 / (gaps**2).sum()) * (count - 1) / count
    return statistic, 2 * float(stdtr(count - 1, -np.sqrt(statistic)))


def _durkalski(gaps: Vector, sizes: Vector) -> tuple[float, float]:
    shares = gaps / sizes
    statistic = float(shares.sum() ** 2 / (shares**2).sum())
    return statistic, float(chdtrc(1, statistic))


METHODS: dict[str, Callable[[Vector, Vector], tuple[float, float]]] = {
    "robust": _robust,
    "durkalski": _durkalski,
}

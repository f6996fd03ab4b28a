"""Several systems over several data sets: ranks, Friedman's test and Nemenyi's differences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc, fdtrc

from steelyard.comparison.datasets.normal_range import range_tail, range_upper_quantile
from steelyard.errors import NotComparable, RequestError

__all__ = [
    "AverageRanks",
    "Direction",
    "Friedman",
    "Nemenyi",
    "NemenyiPair",
    "average_ranks",
    "friedman",
    "midranks",
    "nemenyi",
]

Direction: TypeAlias = Literal["higher", "lower"]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class AverageRanks:
    """Mean rank of each system over the data sets; rank 1 is the best, ties share their ranks."""

    systems: tuple[str, ...]
    datasets: int
    ranks: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Friedman:
    """Test that all systems rank alike; statistics are None when every data set ties them all.

    ``f_statistic`` and ``f_p_value`` are the refinement of Iman and Davenport, None where it has
    no finite value because all data sets rank the systems the same way (the p-value is then 0).
    """

    ranks: AverageRanks
    statistic: float | None
    p_value: float
    f_statistic: float | None
    f_p_value: float
    ties_corrected: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NemenyiPair:
    """Difference of the mean ranks of two systems, positive if the second is the better one."""

    first: str
    second: str
    difference: float
    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Nemenyi:
    """Systems whose mean ranks differ by ``critical_difference`` or more are told apart."""

    ranks: AverageRanks
    alpha: float
    critical_difference: float
    pairs: tuple[NemenyiPair, ...]


def average_ranks(
    scores: Mapping[str, Sequence[float]], *, better: Direction = "higher"
) -> AverageRanks:
    """Mean rank of each system over data sets; the score lists go in one order of data sets.

    Notes
    -----
    Ranks forget by how much a system is better. With few data sets they say little.

    References
    ----------
    .. [1] Demšar (2006), Journal of Machine Learning Research 7, 1-30,
       jmlr.org/papers/v7/demsar06a.html.

    Examples
    --------
    >>> average_ranks({"A": [0.9, 0.8, 0.7], "B": [0.8, 0.8, 0.6]}).ranks
    (1.1666666666666667, 1.8333333333333333)
    """
    table = _rank_table(scores, better)
    return AverageRanks(
        systems=tuple(scores),
        datasets=table.shape[0],
        ranks=tuple(table.mean(axis=0).tolist()),
    )


def friedman(
    scores: Mapping[str, Sequence[float]],
    *,
    better: Direction = "higher",
    correct_ties: bool = True,
) -> Friedman:
    r"""Friedman's test over data sets, with the refinement of Iman and Davenport.

    With N data sets and k systems of mean rank :math:`R_j`,

    .. math:: \chi^2_F = \frac{12 N}{k(k+1)}\left[\sum_j R_j^2 - \frac{k(k+1)^2}{4}\right],
              \qquad F_F = \frac{(N-1)\chi^2_F}{N(k-1) - \chi^2_F},

    chi-square with k - 1 degrees of freedom and F with k - 1 and (k - 1)(N - 1). With ties
    :math:`\chi^2_F` is divided by :math:`1 - \sum (t^3-t)/(N k (k^2-1))`.

    Parameters
    ----------
    scores
        For each system one number per data set, all in the same order.
    better
        Whether a ``higher`` or a ``lower`` score is the better one.
    correct_ties
        False gives the uncorrected statistic of Demšar's examples.

    Notes
    -----
    The chi-square is conservative for few data sets (below some 15); :math:`F_F` is better then.
    Folds of one data set are no data sets: they share their training items.

    References
    ----------
    .. [1] Friedman (1937), JASA 32, 675-701, doi:10.1080/01621459.1937.10503522.
    .. [2] Iman & Davenport (1980), Communications in Statistics A 9, 571-595,
       doi:10.1080/03610928008827904.

    Examples
    --------
    >>> scores = {"A": [0.9, 0.8, 0.7, 0.8], "B": [0.8, 0.7, 0.6, 0.9], "C": [0.5, 0.6, 0.5, 0.4]}
    >>> answer = friedman(scores)
    >>> answer.statistic, round(answer.p_value, 4), round(answer.f_p_value, 4)
    (6.5, 0.0388, 0.0066)
    """
    table = _rank_table(scores, better)
    datasets, size = table.shape
    ranks = average_ranks(scores, better=better)
    spread = float(((table.mean(axis=0) - (size + 1) / 2) ** 2).sum())
    statistic = 12 * datasets / (size * (size + 1)) * spread
    share = _untied_share(table)
    if share == 0:
        return Friedman(
            ranks=ranks,
            statistic=None,
            p_value=1.0,
            f_statistic=None,
            f_p_value=1.0,
            ties_corrected=correct_ties,
        )
    if correct_ties:
        statistic /= share
    rest = datasets * (size - 1) - statistic
    ratio = (datasets - 1) * statistic / rest if rest > 1e-12 * datasets else None
    freedom = (size - 1) * (datasets - 1)
    return Friedman(
        ranks=ranks,
        statistic=statistic,
        p_value=float(chdtrc(size - 1, statistic)),
        f_statistic=ratio,
        f_p_value=0.0 if ratio is None else float(fdtrc(size - 1, freedom, ratio)),
        ties_corrected=correct_ties,
    )


def nemenyi(
    scores: Mapping[str, Sequence[float]], *, better: Direction = "higher", alpha: float = 0.05
) -> Nemenyi:
    r"""Nemenyi's comparison of all pairs of mean ranks.

    Two systems differ when their mean ranks do by at least

    .. math:: CD = \frac{q_{\alpha;k,\infty}}{\sqrt 2}\sqrt{\frac{k(k+1)}{6N}},

    q the studentised range quantile with infinite degrees of freedom.

    Notes
    -----
    The verdict on two systems depends on which others take part; pairwise signed-rank tests with
    Holm's or Shaffer's adjustment do not have that fault and are mostly more powerful.

    References
    ----------
    .. [1] Demšar (2006), Journal of Machine Learning Research 7, 1-30,
       jmlr.org/papers/v7/demsar06a.html.
    .. [2] Benavoli, Corani & Mangili (2016), Journal of Machine Learning Research 17(5), 1-10,
       jmlr.org/papers/v17/benavoli16a.html (why not mean ranks).

    Examples
    --------
    >>> scores = {"A": [0.9, 0.8, 0.7, 0.8], "B": [0.8, 0.7, 0.6, 0.9], "C": [0.5, 0.6, 0.5, 0.4]}
    >>> answer = nemenyi(scores)
    >>> round(answer.critical_difference, 4), [round(p.p_value, 4) for p in answer.pairs]
    (1.6572, [0.7593, 0.0356, 0.1805])
    """
    if not 0 < alpha < 1:
        raise RequestError.for_level(name="alpha", given=alpha)
    ranks = average_ranks(scores, better=better)
    size = len(ranks.systems)
    # In units of one mean rank's standard deviation the range of the ranks is studentised.
    unit = sqrt(size * (size + 1) / (12 * ranks.datasets))
    pairs = combinations(zip(ranks.systems, ranks.ranks, strict=True), 2)
    return Nemenyi(
        ranks=ranks,
        alpha=alpha,
        critical_difference=range_upper_quantile(alpha, size) * unit,
        pairs=tuple(
            NemenyiPair(
                first=one,
                second=two,
                difference=of_one - of_two,
                p_value=range_tail(abs(of_one - of_two) / unit, size),
            )
            for (one, of_one), (two, of_two) in pairs
        ),
    )


def midranks(values: Floats) -> Floats:
    """Ranks from 1 for the smallest; equal values share the mean of their ranks.

    Examples
    --------
    >>> midranks(np.array([0.3, 0.1, 0.3])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = counts.cumsum()
    return np.asarray((last - (counts - 1) / 2)[place], dtype=np.float64)


def _rank_table(scores: Mapping[str, Sequence[float]], better: Direction) -> Floats:
    """Ranks, a row for each data set and a column for each system."""
    if better not in ("higher", "lower"):
        raise RequestError.for_choice(name="better", given=better, choices=("higher", "lower"))
    sizes = {len(values) for values in scores.values()}
    if len(scores) < 2 or len(sizes) != 1 or min(sizes) < 2:
        message = (
            f"{len(scores)} systems with {sorted(sizes)} scores; need at least two systems with "
            "one score for each of the same two or more data sets."
        )
        raise NotComparable(message)
    table = np.array([list(map(float, values)) for values in scores.values()]).T
    if not np.isfinite(table).all():
        message = "A score is not a finite number; leave the data set out for every system."
        raise NotComparable(message)
    return np.array([midranks(-row if better == "higher" else row) for row in table])


def _untied_share(table: Floats) -> float:
    datasets, size = table.shape
    ties = 0
    for row in table:
        counts = np.unique(row, return_counts=True)[1]
        ties += int((counts**3 - counts).sum())
    return 1 - ties / float(datasets * size * (size**2 - 1))

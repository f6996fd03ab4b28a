"""Several systems over several data sets: ranks, Friedman's test and Nemenyi's differences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc, fdtrc, ndtr

from steelyard.errors import NotComparable, RequestError, check_share
from steelyard.uncertainty.roots import crossing

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
    "range_probability",
    "range_quantile",
    "range_tail",
    "range_upper_quantile",
    "rank_cliques",
]

# --- the range of several standard normal numbers: studentised range, known variance -------------


Floats = NDArray[np.float64]

REACH = 9.0
"""The integrands have fallen by e^-81 at this distance from their highest point."""

PANELS = 24
NODES, WEIGHTS = np.polynomial.legendre.leggauss(20)

NARROW = 2.0
"""Up to this width the mass between two points is integrated; a difference would cancel."""

WIDEST = 60.0
"""A range above this has a chance below the smallest double."""


def range_probability(width: float, size: int) -> float:
    r"""Probability that ``size`` standard normal numbers have a range of at most ``width``.

    .. math:: P = k\int \varphi(z)\,[\Phi(z) - \Phi(z - w)]^{k-1}\,dz

    The studentised range distribution with infinite degrees of freedom.

    Notes
    -----
    Keeps 12 digits, also of chances near 0; :func:`range_tail` keeps those of the complement.

    References
    ----------
    .. [1] Hartley (1942), Biometrika 32, 334-348, doi:10.1093/biomet/32.3-4.334.

    Examples
    --------
    >>> round(range_probability(3.633160, 4), 6)
    0.95
    >>> f"{range_probability(0.01, 50):.10e}"
    '1.9678229095e-117'
    """
    above = range_tail(width, size)
    if above < 0.5:
        return 1 - above
    # The largest number lies between 0 and half of the range, so narrow is the range here.
    z, weights = _nodes(width / 4, REACH + width / 4)
    inside = _density(z) * _between(z - width, width) ** (size - 1)
    return size * float(inside @ weights)


def range_tail(width: float, size: int) -> float:
    r"""Probability that ``size`` standard normal numbers have a range above ``width``.

    With z the smallest of them and :math:`S = 1 - \Phi`,

    .. math:: P = k\int \varphi(z)\,S(z)^{k-1}
              \left[1 - \left(1 - \tfrac{S(z+w)}{S(z)}\right)^{k-1}\right] dz,

    a sum of positive terms, so that it keeps its digits down to 1e-300.

    References
    ----------
    .. [1] Hartley (1942), Biometrika 32, 334-348, doi:10.1093/biomet/32.3-4.334.

    Examples
    --------
    >>> round(range_tail(3.633160, 4), 6), f"{range_tail(30.0, 4):.6e}"
    (0.05, '4.327797e-99')
    """
    _check(width, size)
    if width >= WIDEST:
        return 0.0
    z, weights = _nodes(-width / 2, REACH)
    above = ndtr(-z)
    # Of width 0 nothing lies within: log(0) = -inf is what leaves the whole of the tail.
    with np.errstate(divide="ignore"):
        kept = (size - 1) * np.log1p(-ndtr(-z - width) / above)
    inside = _density(z) * above ** (size - 1) * -np.expm1(kept)
    return min(1.0, size * float(inside @ weights))


def range_quantile(level: float, size: int) -> float:
    """Studentised range quantile with infinite degrees of freedom.

    Notes
    -----
    The tables of Demšar (2006) hold this over the square root of 2.

    References
    ----------
    .. [1] Hartley (1942), Biometrika 32, 334-348, doi:10.1093/biomet/32.3-4.334.

    Examples
    --------
    >>> round(range_quantile(0.95, 4) / sqrt(2), 3)
    2.569
    """
    check_share("level", level)
    if level > 0.5:
        return range_upper_quantile(1 - level, size)
    return crossing(lambda width: range_probability(width, size) - level, 0.0, WIDEST)


def range_upper_quantile(alpha: float, size: int) -> float:
    """Range that ``size`` standard normal numbers exceed with probability ``alpha``.

    Examples
    --------
    >>> round(range_upper_quantile(0.05, 4), 4)
    3.6332
    """
    check_share("alpha", alpha)
    return crossing(lambda width: range_tail(width, size) / alpha - 1, 0.0, WIDEST)


def _nodes(middle: float, reach: float) -> tuple[Floats, Floats]:
    half = reach / PANELS
    centres = middle - reach + half * (2 * np.arange(PANELS) + 1)
    return (centres[:, None] + half * NODES).ravel(), np.tile(half * WEIGHTS, PANELS)


def _density(z: Floats) -> Floats:
    return np.asarray(np.exp(-(z**2) / 2) / sqrt(2 * np.pi))


def _between(low: Floats, width: float) -> Floats:
    """Mass of the normal distribution from ``low`` over a ``width``, with its digits."""
    if width <= NARROW:
        half = width / 2
        return np.asarray(_density(low[:, None] + half * (1 + NODES)) @ WEIGHTS * half)
    turned = np.where(low + width / 2 > 0, -low - width, low)
    return np.asarray(ndtr(turned + width) - ndtr(turned))


def _check(width: float, size: int) -> None:
    if size < 2 or not width >= 0:
        message = f"width={width!r}, size={size!r}; need a width of 0 or more and at least 2."
        raise RequestError(message)


# --- several systems over several data sets: ranks, Friedman's test and Nemenyi's differences ----


Direction: TypeAlias = Literal["higher", "lower"]


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
    share = _correct_for_ties(table)
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
    # All data sets in one order make the rest 0, and the F of Iman and Davenport infinite.
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
    check_share("alpha", alpha)
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


def rank_cliques(ranks: Mapping[str, float], apart: float) -> tuple[tuple[str, ...], ...]:
    """Group neighbours in mean rank that lie within the critical difference, as large as may be.

    >>> rank_cliques({"A": 1.2, "B": 1.9, "C": 2.9}, 1.0)
    (('A', 'B'),)
    """
    order = sorted(ranks, key=lambda name: ranks[name])
    groups: list[tuple[str, ...]] = []
    for start, first in enumerate(order):
        group = tuple(name for name in order[start:] if ranks[name] - ranks[first] < apart)
        if len(group) > 1 and not (groups and set(group) <= set(groups[-1])):
            groups.append(group)
    return tuple(groups)


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


def _correct_for_ties(table: Floats) -> float:
    datasets, size = table.shape
    ties = 0
    for row in table:
        counts = np.unique(row, return_counts=True)[1]
        ties += int((counts**3 - counts).sum())
    return 1 - ties / float(datasets * size * (size**2 - 1))

"""Items that share two things: probe and gallery, rater and case, one person on either side."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, stdtr, stdtrit

from steelyard.errors import CountsError, check_share
from steelyard.uncertainty.shares.proportion import clopper_pearson_interval, wilson_interval

__all__ = [
    "CrossedError",
    "CrossedSpread",
    "area_parts",
    "crossed_error",
    "crossed_interval",
    "crossed_share_interval",
    "crossed_spread",
    "dyadic_spread",
]

Whole = NDArray[np.int64]
Floats = NDArray[np.float64]

NOTHING = 1e-24
"""Below this a variance is what is left of one that cancelled out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossedSpread:
    """Variance of a sum over items that share rows and columns, with its parts.

    ``two_way`` may come out negative; :attr:`variance` is what is used.
    """

    two_way: float
    rows: float
    columns: float
    cells: float
    freedom: int

    @property
    def variance(self) -> float:
        """The largest of the two-way and the one-way ones; of the cells where all are nothing.

        What two ways of sharing add can be estimated as less than one of them alone, and is then
        noise: nobody is surer for having named a second one.
        """
        largest = max(self.two_way, self.rows, self.columns)
        return largest if largest > NOTHING else self.cells

    @property
    def printed(self) -> float:
        """The variance of the papers: two-way, or the larger one-way where that is negative."""
        return self.two_way if self.two_way > NOTHING else max(self.rows, self.columns)


def crossed_spread(added: ArrayLike, rows: ArrayLike, columns: ArrayLike) -> CrossedSpread:
    r"""Variance of a sum of what items add, where those of a row or of a column are alike.

    :math:`V=V_{rows}+V_{columns}-V_{cells}`, each
    :math:`\frac{G}{G-1}\sum_g\big(\sum_{i\in g}e_i\big)^2` over its own G groups [1]_; the freedom
    is that of the smaller number of rows and columns, less 1.

    Parameters
    ----------
    added : array_like
        What each item adds to the estimate, such as :math:`(y_i-\bar y)/n`.
    rows, columns : array_like
        The two things that each item is of, by any names.

    References
    ----------
    .. [1] Cameron, Gelbach & Miller (2011), Journal of Business & Economic Statistics 29, 238-249,
       doi:10.1198/jbes.2010.07136.

    Examples
    --------
    >>> spread = crossed_spread([0.1, -0.1, 0.2, -0.2], ["a", "a", "b", "b"], ["x", "y", "x", "y"])
    >>> round(spread.columns, 3), round(spread.variance, 3), spread.freedom
    (0.36, 0.36, 1)
    """
    parts = np.asarray(added, dtype=np.float64)
    first, second = _codes(rows), _codes(columns)
    if not parts.shape == first.shape == second.shape:
        message = f"{parts.size} items, {first.size} rows and {second.size} columns: one of each."
        raise CountsError(message, code="cluster-sizes")
    counts = (int(first.max()) + 1, int(second.max()) + 1) if parts.size else (0, 0)
    if min(counts) < 2:
        side = "first" if counts[0] < 2 else "second"
        message = (
            f"{min(counts)} cluster on the {side} side: one does not show how clusters vary. Name "
            "two columns with 2 clusters or more each, or only the other one: cluster=COLUMN "
            "(--cluster COLUMN)."
        )
        raise CountsError(message, code="too-few-clusters")
    cells = _codes(first * counts[1] + second)
    spreads = [_one_way(parts, groups) for groups in (first, second, cells)]
    return CrossedSpread(
        two_way=spreads[0] + spreads[1] - spreads[2],
        rows=spreads[0],
        columns=spreads[1],
        cells=spreads[2],
        freedom=min(counts) - 1,
    )


def dyadic_spread(added: ArrayLike, rows: ArrayLike, columns: ArrayLike) -> CrossedSpread:
    r"""Variance of a sum over pairs of one set of members: any member on either side is shared.

    In some settings it falls short: docs/reference/certificates.md has the worst found.

    :math:`V=\sum_m\big(\sum_{d\ni m}e_d\big)^2-\sum_{\{m,m'\}}\big(\sum_{d=\{m,m'\}}e_d\big)^2`,
    which is the double sum over all pairs of dyads that share a member [1]_, without a factor for
    few members.

    References
    ----------
    .. [1] Aronow, Samii & Assenova (2015), Political Analysis 23, 564-577,
       doi:10.1093/pan/mpv018.

    Examples
    --------
    >>> spread = dyadic_spread([0.2, -0.1, -0.1], ["a", "a", "b"], ["b", "c", "c"])
    >>> round(spread.two_way, 3)
    0.0
    """
    parts = np.asarray(added, dtype=np.float64)
    first, second = np.asarray(rows), np.asarray(columns)
    names, codes = np.unique(np.concatenate([first, second]), return_inverse=True)
    first, second = codes[: parts.size], codes[parts.size :]
    members = names.size
    if members < 3:
        message = f"{members} members: pairs of fewer than 3 do not show how members vary."
        raise CountsError(message, code="too-few-clusters")
    apart = first != second
    sums = np.bincount(first, parts, members) + np.bincount(second[apart], parts[apart], members)
    least, most = np.minimum(first, second), np.maximum(first, second)
    twice = np.bincount(_codes((least * members + most)[apart]), parts[apart])
    cells = _one_way(parts, _codes(least * members + most))
    of_members = float((sums * sums).sum())
    return CrossedSpread(
        two_way=of_members - float((twice * twice).sum()),
        rows=_one_way(parts, _codes(first)) if np.unique(first).size > 1 else 0.0,
        columns=_one_way(parts, _codes(second)) if np.unique(second).size > 1 else 0.0,
        cells=cells,
        freedom=members - 1,
    )


def crossed_interval(
    value: float,
    spread: CrossedSpread,
    *,
    level: float = 0.95,
    scale: Literal["plain", "logit", "log"] = "plain",
    variance: float | None = None,
) -> tuple[float, float]:
    r"""Student's t limits from a crossed spread, on the scale asked for.

    Parameters
    ----------
    value : float
        The estimate.
    spread : CrossedSpread
        Its spread; the freedom is that of the smaller side.
    level : float
        Coverage wanted.
    scale : {"plain", "logit", "log"}
        ``logit`` for shares, which stay inside (0, 1); ``log`` for what lies above 0.
    variance : float, optional
        Another variance than ``spread.variance``, such as ``spread.printed``.

    Examples
    --------
    >>> spread = CrossedSpread(two_way=0.01, rows=0.004, columns=0.005, cells=0.002, freedom=8)
    >>> low, high = crossed_interval(0.4, spread, scale="logit")
    >>> round(low, 3), round(high, 3)
    (0.203, 0.635)
    """
    check_share("level", level)
    used = spread.variance if variance is None else variance
    half = -float(stdtrit(spread.freedom, (1 - level) / 2)) * sqrt(used)
    if scale == "logit" and 0 < value < 1:
        centre, half = float(logit(value)), half / (value * (1 - value))
        return float(expit(centre - half)), float(expit(centre + half))
    if scale == "log" and value > 0:
        return value * exp(-half / value), value * exp(half / value)
    return value - half, value + half


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossedError:
    """Variance of an estimate over crossed items, and the freedom of Student's t with it."""

    variance: float
    freedom: int

    def limits(
        self, value: float, *, level: float, scale: Literal["plain", "logit"] = "plain"
    ) -> tuple[float, float]:
        """Give Student's t limits of an estimate."""
        spread = CrossedSpread(
            two_way=self.variance, rows=0.0, columns=0.0, cells=0.0, freedom=self.freedom
        )
        return crossed_interval(value, spread, level=level, scale=scale, variance=self.variance)

    def below(self, limit: float, value: float) -> float:
        """Confidence that the truth lies below a limit."""
        return float(stdtr(self.freedom, (limit - value) / sqrt(self.variance)))


def crossed_error(added: ArrayLike, rows: ArrayLike, columns: ArrayLike) -> CrossedError:
    r"""Error of any estimate over crossed items, or over pairs of one set, from what items add.

    In some settings it falls short: docs/reference/certificates.md has the worst found.

    The variance of :func:`crossed_spread`, or of :func:`dyadic_spread` (with a factor for few
    members) where a name stands on both sides; at least that of items taken singly, since naming
    clusters makes nothing surer.

    Parameters
    ----------
    added : array_like
        What each item adds to the estimate: :math:`(x_i-\bar x)/n` of a mean,
        :math:`(x_i-Rw_i)/\sum w` of a ratio, the differences of two such, or :func:`area_parts`.
    rows, columns : array_like
        The two things each item is of.

    Examples
    --------
    >>> rows, columns = np.repeat(np.arange(9), 8), 20 + np.tile(np.arange(8), 9)
    >>> values = np.sin(rows) + np.cos(3.0 * columns)
    >>> error = crossed_error((values - values.mean()) / 72, rows, columns)
    >>> low, high = error.limits(float(values.mean()), level=0.95)
    >>> error.freedom, round(low, 2), round(high, 2)
    (7, -0.8, 1.12)
    """
    parts = np.asarray(added, dtype=np.float64)
    error = _two_way(parts, np.asarray(rows), np.asarray(columns))
    single = _one_way(parts, np.arange(parts.size))
    return CrossedError(variance=max(error.variance, single), freedom=error.freedom)


def _two_way(parts: Floats, first: NDArray[Any], second: NDArray[Any]) -> CrossedError:
    """Tell pairs of one set from crossed items by their names, and find the variance."""
    shared = np.intersect1d(first, second).size > 0
    spread = (dyadic_spread if shared else crossed_spread)(parts, first, second)
    clusters = spread.freedom + 1
    used = spread.variance * (clusters / (clusters - 1) if shared else 1.0)
    return CrossedError(variance=used, freedom=spread.freedom)


def area_parts(scores: ArrayLike, positive: ArrayLike) -> tuple[float, Floats]:
    r"""Area under the ROC curve, and what each item adds to it.

    A positive item adds :math:`(V_{10}-A)/m`, a negative one :math:`(V_{01}-A)/n`, with the
    placements V of DeLong: the share of the other class that an item is ahead of, ties half.

    Examples
    --------
    >>> area, added = area_parts([1, 2, 3, 4], [0, 1, 0, 1])
    >>> area, added.round(3).tolist()
    (0.75, [0.125, -0.125, -0.125, 0.125])
    """
    numbers, flags = np.asarray(scores, dtype=np.float64), np.asarray(positive, dtype=bool)
    m, n = int(flags.sum()), int((~flags).sum())
    if not m or not n:
        message = f"{m} positive and {n} negative items; an area needs both."
        raise CountsError(message, code="one-class")
    whole = _midranks(numbers)
    placed = np.empty(numbers.size)
    placed[flags] = (whole[flags] - _midranks(numbers[flags])) / n
    placed[~flags] = 1 - (whole[~flags] - _midranks(numbers[~flags])) / m
    area = float(placed[flags].mean())
    return area, (placed - area) / np.where(flags, m, n)


def crossed_share_interval(
    right: ArrayLike,
    rows: ArrayLike,
    columns: ArrayLike,
    *,
    level: float = 0.95,
) -> tuple[float, float]:
    """Interval of a share of items that are crossed, or are pairs of one set of members.

    In some settings it falls short: docs/reference/certificates.md has the worst found.

    Where a name stands on both sides, any shared member counts (:func:`dyadic_spread`, with a
    factor for few members), else rows and columns (:func:`crossed_spread`). The limits are
    Student's t on the logit scale, drawn out to Wilson's of the items taken singly; where nothing,
    or everything, is right they are Clopper and Pearson's of as many items as the smaller side has
    clusters.

    Parameters
    ----------
    right : array_like
        1 or 0 of each item.
    rows, columns : array_like
        The two things each item is of.
    level : float
        Coverage wanted.

    Notes
    -----
    With 10 clusters a side, or a rare event that a few clusters cause, the limits are still too
    short: see the certificates.

    Examples
    --------
    >>> rows, columns = np.repeat(np.arange(12), 9), np.tile(np.arange(9), 12)
    >>> right = (rows + 2 * columns) % 5 > 0
    >>> low, high = crossed_share_interval(right, rows, columns)
    >>> round(low, 2), round(high, 2)
    (0.71, 0.86)
    """
    hits = np.asarray(right, dtype=np.float64)
    if hits.size == 0:
        message = "0 items hold no information on a share."
        raise CountsError(message, code="no-trials")
    share = float(hits.mean())
    first, second = np.asarray(rows), np.asarray(columns)
    error = _two_way((hits - share) / hits.size, first, second)
    clusters = error.freedom + 1
    if share in {0.0, 1.0}:
        # All right or all wrong shows no spread: then as many items as the clusters are worth.
        return clopper_pearson_interval(round(share * clusters), clusters, level=level)
    low, high = error.limits(share, level=level, scale="logit")
    least, most = wilson_interval(round(share * hits.size), hits.size, level=level)
    return min(low, least), max(high, most)


def _midranks(numbers: Floats) -> Floats:
    """Rank numbers from 1, ties by their mean."""
    _, place, times = np.unique(numbers, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(times) - (times - 1) / 2)[place], dtype=np.float64)


def _one_way(parts: Floats, groups: Whole) -> float:
    sums = np.bincount(groups, parts)
    number = sums.size
    return float((sums * sums).sum()) * number / (number - 1) if number > 1 else 0.0


def _codes(names: ArrayLike | Sequence[object]) -> Whole:
    return np.asarray(np.unique(np.asarray(names), return_inverse=True)[1], dtype=np.int64)

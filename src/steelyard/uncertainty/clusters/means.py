"""One model of cluster means: how sure a rate, or a difference of two rates, over clusters is."""

from dataclasses import dataclass
from math import fsum, inf, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steelyard.errors import CountsError
from steelyard.uncertainty.domain import normal_quantile
from steelyard.uncertainty.roots import crossing
from steelyard.uncertainty.special import stdtr, stdtrit

__all__ = [
    "HALVES",
    "ClusterContrast",
    "ContrastSums",
    "check_clusters",
    "cluster_contrast",
    "cluster_freedom",
    "design_effect",
    "equal_clusters",
    "jackknife_variance",
    "rarity",
]

# --- how clusters spread: the jackknife, its degrees of freedom, and what it says of single items


Floats = NDArray[np.float64]
NOTHING = 1e-12
"""A variance of a single item below this is rounding."""
HALVES = 1.25
"""Discordant items added to those seen, in the variance: the fewest, in quarters, with which the
test is never surer than the mid-p McNemar test or the paired posterior of the same items."""


def jackknife_variance(totals: ArrayLike, sizes: ArrayLike) -> float:
    r"""Variance of a ratio of totals over clusters, each cluster left out in turn.

    :math:`\frac{G-1}{G}\sum_g\left(\frac{y_g-\hat r n_g}{n(1-n_g/n)}\right)^2` with
    :math:`\hat r=\sum y_g/n`.

    References
    ----------
    .. [1] MacKinnon, Nielsen & Webb (2023), Journal of Applied Econometrics 38, 671-694,
       doi:10.1002/jae.2969.

    Examples
    --------
    >>> round(jackknife_variance([9, 5, 10, 7], [10, 10, 10, 10]), 6)
    0.012292
    """
    added, held = np.asarray(totals, dtype=np.float64), np.asarray(sizes, dtype=np.float64)
    whole = float(held.sum())
    apart = (added - added.sum() / whole * held) / (whole - held)
    # Exact sum: the order in which clusters are named must not change a digit.
    return (held.size - 1) / held.size * fsum((apart * apart).tolist())


def cluster_freedom(sizes: ArrayLike) -> float:
    r"""Degrees of freedom of the jackknife variance, from the sizes of the clusters alone.

    Satterthwaite's :math:`(\mathrm{tr}\,B)^2/\mathrm{tr}\,B^2` of the quadratic form that the
    variance is, as Bell and McCaffrey have it [1]_, once for independent items and once for items
    that always go together inside a cluster; the smaller one, between 1 and G - 1.

    Parameters
    ----------
    sizes : array_like
        Items of each cluster, two clusters or more, all above 0.

    References
    ----------
    .. [1] Bell & McCaffrey (2002), Survey Methodology 28, 169-181.
    .. [2] Imbens & Kolesar (2016), Review of Economics and Statistics 98, 701-712,
       doi:10.1162/REST_a_00552.

    Examples
    --------
    >>> round(cluster_freedom([20] * 6), 9), round(cluster_freedom([100, 5, 5, 5, 5, 5]), 2)
    (5.0, 1.02)
    """
    held = np.sort(np.asarray(sizes, dtype=np.float64))
    check_clusters(held)
    # Beside one cluster that holds nearly everything, 1 - share would lose its digits.
    others = held.sum() - held
    others[-1] = held[:-1].sum()
    found = min(_satterthwaite(held / others, spread) for spread in (held, held * held))
    return float(min(max(found, 1.0), held.size - 1))


def equal_clusters(sizes: Floats) -> float:
    """Clusters of equal size that would tell as much if their items always went together."""
    return float(sizes.sum() ** 2 / (sizes @ sizes))


def design_effect(
    *, seen: float, added: float, each: float, items: float, clusters: float, telling: float
) -> float:
    """Divide the variance over clusters by that of independent items, ``each`` for one item.

    What is ``added`` to the variance ``seen`` never leads beyond one item a cluster, with its own
    uncertainty. Where items do not vary at all, each cluster counts as one.
    """
    apart = items / clusters
    if each <= NOTHING:
        return apart
    wider = min((seen + added) * items / each, apart * (1 + HALVES / max(1, telling)))
    return max(seen * items / each, wider)


def rarity(reach: float, squares: float, clusters: float) -> float:
    """Say how far what was seen came from few clusters, beyond what few items explain."""
    if reach <= 0 or squares <= 0:
        return 1.0
    telling = reach * reach / squares
    return min(1.0, max(0.0, 1 - telling * (1 / reach + 1 / clusters) + 1 / reach))


def check_clusters(sizes: Floats) -> None:
    """Refuse fewer than two clusters."""
    if sizes.size < 2:
        message = (
            f"{sizes.size} cluster with items: one cluster does not show how clusters vary. Pass 2 "
            "or more, or leave the clusters out."
        )
        raise CountsError(message, code="too-few-clusters")


def _satterthwaite(odds: Floats, spread: Floats) -> float:
    """Square of the trace over the trace of the square, without a matrix of clusters by clusters.

    Entries are :math:`S u_g u_k - u_g v_k - u_k v_g` off the diagonal, with u the odds of a
    cluster's share and :math:`v = s(1 + u)` for totals that vary by s, S in all. The largest
    cluster, the last, is kept apart: with it differences of huge numbers would be left.
    """
    scale = spread[-1]
    vary = spread / scale
    rest = vary.sum() - vary
    rest[-1] = vary[:-1].sum()
    diagonal = vary + odds * odds * rest
    u, v, total = odds[:-1], (vary * (1 + odds))[:-1], float(vary.sum())
    beside = -odds[-1] * vary[:-1] - u * vary[-1] + odds[-1] * u * (rest[-1] - vary[:-1])
    gram = np.array([[u @ u, u @ v], [u @ v, v @ v]])
    centred = np.array([[total, -1.0], [-1.0, 0.0]]) @ gram
    own = total * u * u - 2 * u * v
    among = max(0.0, float(np.trace(centred @ centred) - own @ own))
    once = float(diagonal.sum())
    return once * once / float(diagonal @ diagonal + 2 * beside @ beside + among)


# --- one model of cluster means: how sure a rate, or a difference of two rates, over clusters is -


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterContrast:
    r"""Difference of two rates over clusters, and all that can be said of it from one pivot.

    For a true difference :math:`\delta` the pivot is

    .. math:: T(\delta)=\min\left(\frac{|\hat\delta-\delta|}{\sqrt{D\,v(\delta)/n}},\;
              \sqrt{\frac{G\,|\hat\delta-\delta|}{r\,(1\pm\delta)}}\right)

    with Tango's variance of one item :math:`v(\delta)`, the design effect D, G clusters of equal
    size that would tell as much, and :math:`r` the part of what was seen that came from single
    clusters; :math:`1+\delta` below the estimate, :math:`1-\delta` above it. T is referred to
    Student's t with ``freedom`` degrees of freedom. Interval, p-value and probabilities are all
    read from it, so they agree at every level.

    ``wins`` and ``losses`` are the items only the first, only the second had right, of ``items``;
    with weights, effective numbers.
    """

    difference: float
    wins: float
    losses: float
    items: float
    design_effect: float
    freedom: float
    clusters: float
    rare: float

    def tail(self, value: float) -> float:
        """Chance to err on the far side of ``value``: one-sided p-value, at most one half."""
        return float(stdtr(self.freedom, -self._pivot(value)))

    def chance_above(self, value: float) -> float:
        """Probability that the first rate leads by more than ``value``."""
        beyond = self.tail(value)
        return 1 - beyond if value < self.difference else beyond

    def chance_within(self, margin: float) -> float:
        """Probability that the rates differ by less than ``margin``."""
        return max(0.0, self.chance_above(-margin) - self.chance_above(margin))

    @property
    def better(self) -> float:
        """Probability that the first rate is the higher one."""
        return self.chance_above(0.0)

    @property
    def p_value(self) -> float:
        """Two-sided p-value of equal rates."""
        return min(1.0, 2 * self.tail(0.0))

    @property
    def error(self) -> float:
        """Standard error with which Student's t alone would give the same p-value."""
        pivot = self._pivot(0.0)
        if pivot > 0:
            return abs(self.difference) / pivot
        return sqrt(self.design_effect * max(self._variance(0.0), 1 / self.items) / self.items)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Differences that a two-sided test at 1 - ``level`` does not reject."""
        normal_quantile(level)
        reach = -float(stdtrit(self.freedom, (1 - level) / 2))
        return (
            self._limit(-1.0, reach) if self.difference > -1 else -1.0,
            self._limit(1.0, reach) if self.difference < 1 else 1.0,
        )

    def _limit(self, edge: float, reach: float) -> float:
        if self._pivot(edge) <= reach:
            return edge
        return crossing(lambda value: self._pivot(value) - reach, self.difference, edge)

    def _pivot(self, value: float) -> float:
        gap = abs(self.difference - value)
        if gap == 0:
            return 0.0
        variance = self.design_effect * self._variance(value) / self.items
        plain = gap / sqrt(variance) if variance > 0 else inf
        room = 1 + value if value < self.difference else 1 - value
        if self.rare <= 0 or room <= 0:
            return plain
        return min(plain, sqrt(self.clusters * gap / (self.rare * room)))

    def _variance(self, value: float) -> float:
        """Variance of one item's difference, of largest likelihood given its mean (Tango)."""
        wins, losses, items = self.wins, self.losses, self.items
        linear = (2 * items - wins + losses) * value - wins - losses
        constant = losses * value * (1 - value)
        root = sqrt(max(0.0, linear * linear + 8 * items * constant))
        # The root in the form that does not subtract nearly equal numbers.
        share = (root - linear) / (4 * items) if linear <= 0 else 2 * constant / (root + linear)
        return max(0.0, 2 * max(share, 0.0, -value) + value * (1 - value))


def cluster_contrast(
    wins: ArrayLike,
    losses: ArrayLike,
    sizes: ArrayLike,
    *,
    items: float | None = None,
    item_variance: float = 0.0,
) -> ClusterContrast:
    r"""Difference of two rates on common items that come in clusters.

    With :math:`d_g=b_g-c_g` of cluster g with :math:`n_g` of n items, :math:`h_g=n_g/n` and
    :math:`\hat\delta=\sum d_g/n`, the variance over clusters is the jackknife's [1]_

    .. math:: V=\frac{G-1}{G}\sum_g\left(\frac{d_g-\hat\delta n_g}{n(1-h_g)}\right)^2
              +\frac{1}{n^2}\,\frac{\sum_g d_g^2}{\#\{d_g\ne0\}},

    where the last term is one more cluster like those that tell the systems apart, split between
    them. The design effect is :math:`D=nV/\hat v`, with :math:`\hat v=(b+c)/n-\hat\delta^2`;
    never less than :math:`1+1.25/(b+c)`, that of independent items. Degrees of freedom are those of
    :func:`~steelyard.uncertainty.cluster_freedom`.

    Parameters
    ----------
    wins, losses, sizes : array_like
        Items only the first, only the second had right, and all items of each cluster, or their
        weights. Clusters without items are left out.
    items : float, optional
        With weights, Kish's effective number of items.
    item_variance : float
        With weights, the variance of the difference if items were independent.

    Notes
    -----
    Negative correlation inside clusters is not credited. Where all clusters go one way, or none
    tells the systems apart, each cluster counts as one item. The jackknife's expectation is never
    below the variance, whatever the correlation inside and however unequal the sizes.

    References
    ----------
    .. [1] MacKinnon, Nielsen & Webb (2023), Journal of Applied Econometrics 38, 671-694,
       doi:10.1002/jae.2969 (cluster jackknife).
    .. [2] Tango (1998), Statistics in Medicine 17, 891-908,
       doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B.
    .. [3] Rao & Scott (1992), Biometrics 48, 577-585, doi:10.2307/2532311 (design effect).

    Examples
    --------
    >>> found = cluster_contrast([6, 5, 7, 5, 6], [1, 0, 1, 0, 1], [20] * 5)
    >>> low, high = found.interval()
    >>> round(found.difference, 3), round(low, 3), round(high, 3), round(found.p_value, 4)
    (0.26, 0.11, 0.414, 0.0122)
    """
    won, lost, held = (np.asarray(one, dtype=np.float64) for one in (wins, losses, sizes))
    full = held > 0
    won, lost, held = won[full], lost[full], held[full]
    check_clusters(held)
    gaps = won - lost
    weight = float(held.sum())
    return ContrastSums(
        wins=float(won.sum()),
        losses=float(lost.sum()),
        weight=weight,
        items=weight if items is None else items,
        variance=max(jackknife_variance(gaps, held), item_variance),
        squares=float(gaps @ gaps),
        reach=float(np.abs(gaps).sum()),
        telling=int(np.count_nonzero(gaps)),
        clusters=equal_clusters(held),
        freedom=cluster_freedom(held),
    ).contrast()


@dataclass(frozen=True, slots=True, kw_only=True)
class ContrastSums:
    """What a contrast needs of its units (clusters, or weighted items), which need not be kept.

    ``wins``, ``losses`` and ``weight`` are the weights of what only the first, only the second had
    right, and of everything; ``variance`` is that of the difference over units; ``squares`` and
    ``reach`` the sums of the squared and of the absolute leads of the units, of which ``telling``
    are not 0. ``clusters`` units of equal weight would tell as much, ``items`` is the effective
    number of items.

    Examples
    --------
    >>> sums = ContrastSums(wins=3.0, losses=0.0, weight=3.0, items=3.0, variance=0.0, squares=3.0,
    ...                     reach=3.0, telling=3, clusters=3.0, freedom=2.0)
    >>> round(sums.contrast().p_value, 3)
    0.283
    """

    wins: float
    losses: float
    weight: float
    items: float
    variance: float
    squares: float
    reach: float
    telling: float
    clusters: float
    freedom: float

    def contrast(self) -> ClusterContrast:
        """Work out the design effect, and how far the lead rests on few units."""
        scale = self.items / self.weight
        won, lost = self.wins * scale, self.losses * scale
        gap = (self.wins - self.losses) / self.weight
        effect = design_effect(
            seen=self.variance,
            added=self.squares / max(1, self.telling) / self.weight**2,
            each=(won + lost) / self.items - gap * gap,
            items=self.items,
            clusters=self.clusters,
            telling=self.telling,
        )
        least = 1 + (HALVES / (won + lost) if won + lost > 0 else 0.0)
        return ClusterContrast(
            difference=gap,
            wins=won,
            losses=lost,
            items=self.items,
            design_effect=max(effect, least),
            freedom=self.freedom,
            clusters=self.clusters,
            rare=rarity(self.reach * scale, self.squares * scale**2, self.clusters),
        )

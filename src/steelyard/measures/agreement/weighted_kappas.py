"""Kappa when some confusions are worse than others."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from steelyard.counts import Confusion
from steelyard.errors import RequestError
from steelyard.measures.agreement.class_weights import ClassWeights, agreement_weights
from steelyard.measures.agreement.kappa import KappaTest, cohen_kappa
from steelyard.measures.agreement.kappa_interval import (
    KAPPA_INTERVALS,
    ZERO,
    KappaInterval,
    few_items,
)
from steelyard.measures.tables.shares import effective_cells, weight_caveats
from steelyard.results.estimates import Estimate, Interval
from steelyard.uncertainty import delta_variance, normal_quantile
from steelyard.uncertainty.delta import NOTHING_VARIES

__all__ = ["weighted_kappa", "weighted_kappa_test"]


@dataclass(frozen=True, slots=True)
class Weighed:
    """Shares of the cells and the weights of agreement, with what follows from both."""

    shares: NDArray[np.float64]
    weights: NDArray[np.float64]
    size: float

    @property
    def lost(self) -> NDArray[np.float64]:
        """How much each cell disagrees."""
        return 1 - self.weights

    @property
    def independent(self) -> NDArray[np.float64]:
        """Shares of the cells if truth and calls had nothing to do with each other."""
        return np.outer(self.shares.sum(axis=1), self.shares.sum(axis=0))

    @property
    def expected(self) -> float:
        """Mean disagreement by chance."""
        return float((self.lost * self.independent).sum())

    @property
    def kappa(self) -> float:
        """One minus observed over expected disagreement."""
        return 1 - float((self.lost * self.shares).sum()) / self.expected

    def slopes(self, kappa: float) -> NDArray[np.float64]:
        """Give the derivative by the share of each cell, for a given kappa."""
        truths, calls = self.shares.sum(axis=1), self.shares.sum(axis=0)
        margins = (self.lost @ calls)[:, None] + (truths @ self.lost)[None, :]
        slopes: NDArray[np.float64] = ((1 - kappa) * margins - self.lost) / self.expected
        return slopes


def weighted_kappa(
    confusion: Confusion,
    *,
    weights: ClassWeights = "linear",
    order: Sequence[str] | None = None,
    level: float = 0.95,
    method: KappaInterval = "ase1",
) -> Estimate:
    r"""Cohen's weighted kappa: agreement beyond chance when near misses count in part.

    :math:`\kappa_w=1-\frac{\sum(1-w_{ij})p_{ij}}{\sum(1-w_{ij})p_{i\cdot}p_{\cdot j}}` [1]_. In
    [-1, 1], larger is better, 0 is chance; undefined when chance alone agrees fully.

    Parameters
    ----------
    confusion : Confusion
        Rows by truth and called class, weighted or not.
    weights : str or mapping
        ``linear``, ``quadratic``, ``unweighted`` or given, see
        :func:`~steelyard.measures.agreement_weights`.
    order : sequence of str, optional
        The classes from lowest to highest, for ``linear`` and ``quadratic``.
    level : float
        Coverage of the interval, strictly between 0 and 1.
    method : {"ase1", "adjusted"}
        Which interval: the textbook's, or one that copes with few items of a class.

    Returns
    -------
    Estimate
        ``standard_error`` is :math:`\mathrm{ASE}_1` [2]_; the interval ``ase1`` is
        :math:`\hat\kappa_w\pm z\,\mathrm{ASE}_1` cut to [-1, 1]. Where that error is 0, and by
        name, the interval is ``adjusted``: made-up items are added, half of which agree, before
        it is taken, as :func:`~steelyard.measures.cohen_kappa` does.

    Notes
    -----
    Quadratic weights depend on the number of classes and reward calls in the middle; a high
    value may go with few exact hits.

    References
    ----------
    .. [1] Cohen (1968), Psychological Bulletin 70, 213-220, doi:10.1037/h0026256.
    .. [2] Fleiss, Cohen & Everitt (1969), Psychological Bulletin 72, 323-327,
       doi:10.1037/h0028106.

    Examples
    --------
    >>> table = Confusion.from_matrix([[53, 5, 2], [11, 14, 5], [1, 6, 3]])
    >>> round(weighted_kappa(table, weights="linear", order=["0", "1", "2"]).value, 4)
    0.4923
    """
    normal_quantile(level)
    if method not in KAPPA_INTERVALS:
        raise RequestError.for_choice("method", method, tuple(KAPPA_INTERVALS))  # noqa: EM101
    table = agreement_weights(confusion.classes, weights, order=order)
    plain = cohen_kappa(confusion, level=level)
    name = f"{weights} kappa" if isinstance(weights, str) else "weighted kappa"
    if plain.value is None:
        return Estimate(measure=name, value=None, reason=plain.reason, items=confusion.total)
    weighed = _weigh(confusion, table)
    if weighed.expected <= 0:
        reason = "chance alone agrees fully under these weights"
        return Estimate(measure=name, value=None, reason=reason, items=confusion.total)
    kappa = max(-1.0, min(1.0, weighed.kappa))
    variance = delta_variance(
        weighed.shares.ravel(), weighed.slopes(kappa).ravel(), effective=weighed.size
    )
    # A variance of 0 comes out as some 1e-32 of rounding; below 1e12 items no true one is so small.
    known = method == "ase1" and variance > NOTHING_VARIES
    limits = _textbook if known else _adjust
    doubts = _doubts(weighed, name, known=known) if method == "ase1" else ()
    return Estimate(
        measure=name,
        value=kappa,
        interval=limits(weighed, kappa, variance, level),
        standard_error=sqrt(variance) if variance > NOTHING_VARIES else None,
        items=confusion.total,
        caveats=(*weight_caveats(confusion), *doubts),
    )


def weighted_kappa_test(
    confusion: Confusion,
    *,
    weights: ClassWeights = "linear",
    order: Sequence[str] | None = None,
) -> KappaTest | None:
    r"""Test of :math:`\kappa_w=0` with the standard error that holds there (ASE0) [1]_.

    Parameters as in :func:`weighted_kappa`. None when kappa is undefined or cannot vary.

    References
    ----------
    .. [1] Fleiss, Cohen & Everitt (1969), Psychological Bulletin 72, 323-327,
       doi:10.1037/h0028106.

    Examples
    --------
    >>> table = Confusion.from_matrix([[53, 5, 2], [11, 14, 5], [1, 6, 3]])
    >>> weighted_kappa_test(table, order=["0", "1", "2"]).p_value < 1e-6
    True
    """
    table = agreement_weights(confusion.classes, weights, order=order)
    if not confusion.total or not effective_cells(confusion):
        return None
    weighed = _weigh(confusion, table)
    if weighed.expected <= 0:
        return None
    slopes, chance = weighed.slopes(0.0), weighed.independent
    variance = delta_variance(chance.ravel(), slopes.ravel(), effective=weighed.size)
    if variance <= NOTHING_VARIES:
        return None
    z = weighed.kappa / sqrt(variance)
    return KappaTest(
        kappa=weighed.kappa,
        standard_error=sqrt(variance),
        z=z,
        p_value=2 * float(ndtr(-abs(z))),
    )


def _weigh(confusion: Confusion, weights: NDArray[np.float64]) -> Weighed:
    place = {name: index for index, name in enumerate(confusion.classes)}
    shares = np.zeros((len(place), len(place)))
    for (truth, called), rows in effective_cells(confusion).items():
        shares[place[truth], place[called]] = rows
    size = float(shares.sum())
    return Weighed(shares / size, weights, size)


def _doubts(weighed: Weighed, name: str, *, known: bool) -> tuple[str, ...]:
    """Say where the textbook's interval is short, or gave way to the adjusted one."""
    if not known:
        return (ZERO,)
    sides = (weighed.shares.sum(axis=0), weighed.shares.sum(axis=1))
    outside = min(1 - float(side.max()) for side in sides)
    wrong = 1 - float(np.trace(weighed.shares))
    return few_items(name, outside=weighed.size * outside, wrong=weighed.size * wrong)


def _textbook(weighed: Weighed, kappa: float, variance: float, level: float) -> Interval:
    del weighed
    half = normal_quantile(level) * sqrt(variance)
    low, high = max(-1.0, kappa - half), min(1.0, kappa + half)
    return Interval(low=low, high=high, level=level, method="ase1")


def _adjust(weighed: Weighed, kappa: float, variance: float, level: float) -> Interval:
    """Interval of the table with made-up items, half of which agree, as for plain kappa."""
    del variance  # that of the table as it is
    z = normal_quantile(level)
    number = weighed.shares.shape[0]
    off = z * z / (2 * number * max(1, number - 1))
    made = np.full((number, number), off)
    np.fill_diagonal(made, z * z / (2 * number))
    items = weighed.size + z * z
    table = Weighed((weighed.shares * weighed.size + made) / items, weighed.weights, items)
    centre = table.kappa
    variance = delta_variance(table.shares.ravel(), table.slopes(centre).ravel(), effective=items)
    half = z * sqrt(variance)
    low, high = max(-1.0, min(kappa, centre - half)), min(1.0, max(kappa, centre + half))
    return Interval(low=low, high=high, level=level, method="adjusted ase1")

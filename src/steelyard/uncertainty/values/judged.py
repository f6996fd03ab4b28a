"""Labels that people gave to some items and a judge to all: means by prediction-powered inference.

What the judge says of all items is corrected by how far it is off where people looked too. One
weight says how much the judge counts: 0 leaves the labels of people alone, 1 trusts the judge up to
that correction.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steelyard.counts import Moments
from steelyard.counts.row_names import refuse_other_rows
from steelyard.errors import CountsError, counted
from steelyard.uncertainty.domain import normal_quantile
from steelyard.uncertainty.values.student import finite_column

__all__ = [
    "JudgedMeans",
    "PpiMean",
    "judged_means",
    "judged_means_of_clusters",
    "ppi_mean",
]

Floats = NDArray[np.float64]
LEAST = 3
"""A weight and a mean are both taken from the labels, so that two of them show no spread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PpiMean:
    """A prediction-powered mean, its standard error, its limits, and the judge's weight."""

    estimate: float
    error: float
    low: float
    high: float
    weight: float


def ppi_mean(
    labels: ArrayLike,
    judged: ArrayLike,
    others: ArrayLike,
    *,
    weight: float | None = None,
    level: float = 0.95,
) -> PpiMean:
    r"""Mean from labels of people on some items and of a judge on all (PPI++).

    With labels y and judgements f of n items, and judgements u of N others,
    :math:`\hat\theta_\lambda=\lambda\bar u+\overline{(y-\lambda f)}`, variance
    :math:`\lambda^2 s_u^2/N+s_{y-\lambda f}^2/n`, normal limits; the tuned weight
    :math:`\lambda=\operatorname{cov}(y,f)/((1+n/N)\,s_f^2)`, cut to [0, 1], makes it least [1]_.

    Parameters
    ----------
    labels, judged : array_like
        What people and the judge gave the same n items. For a difference of two systems, both
        are differences.
    others : array_like
        What the judge gave the N other items.
    weight : float, optional
        The weight of the judge, tuned by default.

    Notes
    -----
    Variances are over n and N, as in the authors' program. The labelled items have to be a random
    part of all. With few labels the limits are too narrow: the verbs take Student's t
    (:func:`judged_means`).

    References
    ----------
    .. [1] Angelopoulos, Duchi & Zrnic (2023), PPI++: efficient prediction-powered inference,
       arXiv:2311.01453.

    Examples
    --------
    >>> found = ppi_mean([1, 0, 1, 1], [1, 0, 1, 0], [1, 1, 0, 1, 0, 1, 1, 1])
    >>> round(found.estimate, 3), round(found.weight, 3)
    (0.836, 0.344)
    """
    refuse_other_rows({"labels": labels, "judged": judged})
    y, f, u = (finite_column(one, name) for one, name in (
        (labels, "labels"), (judged, "judged"), (others, "others")))  # fmt: skip
    if y.size != f.size or min(y.size, u.size) < 1:
        message = (
            f"{counted(y.size, 'label')}, {counted(f.size, 'judgement')} of the same items and "
            f"{counted(u.size, 'other')}: expected as many of both, and at least one other."
        )
        raise CountsError(message, code="judge-shape")
    if weight is None:
        spread = float(np.concatenate([f, u]).var(ddof=1))
        shared = float(((y - y.mean()) * (f - f.mean())).mean())
        weight = _cut(shared, (1 + y.size / u.size) * spread)
    estimate = weight * float(u.mean()) + float((y - weight * f).mean())
    error = sqrt(weight**2 * float(u.var()) / u.size + float((y - weight * f).var()) / y.size)
    reach = normal_quantile(level) * error
    return PpiMean(
        estimate=estimate, error=error, low=estimate - reach, high=estimate + reach, weight=weight
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedMeans:
    """Means of several systems from labels on some items and a judge on all.

    ``covariances`` are those of the means; ``plain`` those of the means of labels alone. ``bias``
    is what the judge gives above people where both looked, with the covariances of its means.
    ``units`` are labelled items, or clusters that hold any.
    """

    systems: tuple[str, ...]
    labels: int
    others: int
    units: int
    weight: float
    values: Floats
    covariances: Floats
    labelled: Floats
    plain: Floats
    judge: Floats
    bias: Floats
    bias_covariances: Floats
    shift: float | None = None
    """How far the judge's means of labelled and other items lie apart, in standard errors."""

    @property
    def freedom(self) -> float:
        """Degrees of freedom: the mean and the weight are both taken from the labelled units."""
        return self.units - 2.0

    @property
    def gain(self) -> float:
        """Labels without a judge that would be as sure, for each one there is."""
        now, alone = _contrasts(self.covariances), _contrasts(self.plain)
        return alone / now if now > 0 else 1.0


def judged_means(labelled: Moments, judged: Moments) -> JudgedMeans:
    r"""Combine sums over labelled items (systems, then their judges) with a judge's over all.

    One weight serves all systems, tuned to their differences (to the mean of a single one), so
    that the difference of two means is the estimate of the difference. The variance of labels is
    over n - 2, and labels that were not seen are allowed for: of right and wrong (all 0 or 1) the
    standard error is at least :math:`\sqrt3/(n+1)`, so that the limits reach as far as the rule of
    three, of other values :math:`\sqrt3` deviations over n + 1; of a difference no more than of a
    mean. A judge that agreed with people on every label may not on the next.

    Examples
    --------
    >>> some = Moments.from_arrays({"A": [1, 2, 4, 5], "A by judge": [1, 3, 4, 4]})
    >>> every = Moments.from_arrays({"A by judge": [1, 3, 4, 4, 2, 5, 5, 3]})
    >>> found = judged_means(some, every)
    >>> round(found.weight, 3), round(float(found.values[0]), 3)
    (0.441, 3.331)
    """
    names = judged.systems
    many = len(names)
    n, total = labelled.items, judged.items
    others = total - n
    _check_labels(n, "item")
    sums = np.array([float(labelled.sum_of(name)) for name in labelled.systems])
    whole = [judged.sum_of(name) for name in names]
    table = _centre_sums(labelled, n)
    yy, yf, ff = table[:many, :many], table[:many, many:], table[many:, many:]
    every = _centre_sums(judged, total)
    left = [
        float(a - labelled.sum_of(b)) for a, b in zip(whole, labelled.systems[many:], strict=True)
    ]
    rest = np.array(left)
    apart = None
    if others > 1:
        # Squares about the mean of the others: those of all, less what labelled items explain.
        mean_all = np.array([float(one) / total for one in whole])
        inside = ff + np.outer(sums[many:] / n - mean_all, sums[many:] / n - mean_all) * n
        outside = np.outer(rest / others - mean_all, rest / others - mean_all) * others
        uu = (every - inside - outside) / (others - 1)
        weight = _cut(_contrasts(yf / n), (1 + n / others) * _contrasts(every / (total - 1)))
        # Were all drawn alike: few labels may show no spread of their own.
        alike = every / (total - 1) * (1 / n + 1 / others)
        apart = _shift(sums[many:] / n, rest / others, alike)
    else:
        uu, weight = np.zeros((many, many)), 0.0
    scaled = (yy - weight * (yf + yf.T) + weight**2 * ff) / (n - 2) / n
    allowed = _allow(_reach(labelled, yy), n)
    values = sums[:many] / n
    if weight:
        values = values + weight * (rest / others - sums[many:] / n)
    bias = (yy - yf - yf.T + ff) / (n - 1) / n
    return JudgedMeans(
        systems=labelled.systems[:many],
        labels=n,
        others=others,
        units=n,
        weight=weight,
        values=values,
        covariances=scaled + (weight**2 * uu / others if weight else 0.0) + allowed,
        labelled=sums[:many] / n,
        plain=yy / (n - 1) / n + allowed,
        judge=np.array([float(one) / total for one in whole]),
        bias=(sums[many:] - sums[:many]) / n,
        bias_covariances=bias,
        shift=apart,
    )


def judged_means_of_clusters(
    labelled: Mapping[str, Moments], judged: Mapping[str, Moments]
) -> JudgedMeans:
    r"""Combine the sums of clusters: each is a unit, with the labelled and other items it holds.

    With :math:`a_g=\sum(y-\bar y)/n` and :math:`b_g=\sum(f-\bar f)/n-\sum(u-\bar u)/N` over the
    items of cluster g, the estimate is off by :math:`\sum_g(a_g-\lambda b_g)`; the weight makes
    the sum of its squares least.
    """
    first = next(iter(labelled.values()))
    many = len(first.systems) // 2
    held = [labelled.get(name) for name in judged]
    counts = np.array([0 if one is None else one.items for one in held], dtype=np.float64)
    parts = np.array(
        [
            np.zeros(2 * many) if one is None else [float(one.sum_of(name)) for name in one.systems]
            for one in held
        ]
    )
    every = np.array([[float(one.sum_of(name)) for name in one.systems] for one in judged.values()])
    sizes = np.array([one.items for one in judged.values()], dtype=np.float64)
    merged = sum(list(labelled.values())[1:], start=first)
    table = _centre_sums(merged, merged.items)
    far = _reach(merged, table[:many, :many])
    return combine_clusters(first.systems[:many], (counts, parts), (sizes, every), table, far)


def combine_clusters(
    systems: tuple[str, ...],
    labelled: tuple[Floats, Floats],
    judged: tuple[Floats, Floats],
    table: Floats,
    far: Floats,
) -> JudgedMeans:
    """Combine items and sums of labels and judgements, with all items and their judgements.

    ``table`` holds the sums of products about the means of the labelled items, labels before
    judgements, and ``far`` how far one that was not seen may lie.
    """
    (counts, parts), (sizes, every), many = labelled, judged, len(systems)
    rest, free = every - parts[:, many:], sizes - counts
    n, others, units = int(counts.sum()), int(free.sum()), int(np.count_nonzero(counts))
    _check_labels(units, "cluster")
    means = parts.sum(axis=0) / n
    off = (parts - np.outer(counts, means)) / n
    a, b = off[:, :many], off[:, many:]
    other_mean = rest.sum(axis=0) / others if others else np.zeros(many)
    if others:
        b = b - (rest - np.outer(free, other_mean)) / others
    weight = _cut(_contrasts(a.T @ b), _contrasts(b.T @ b)) if others else 0.0
    moved = a - weight * b
    gap = off[:, many:] - off[:, :many]
    yy, yf, ff = table[:many, :many], table[:many, many:], table[many:, many:]
    alike = (_ratio(off[:, :many], yy, n), _ratio(gap, yy - yf - yf.T + ff, n))
    allowed = _allow(far, min(n, max(units, n / max(alike) ** 2)) if max(alike) else units)
    values = means[:many] + weight * (other_mean - means[many:])
    return JudgedMeans(
        systems=systems,
        labels=n,
        others=others,
        units=units,
        weight=weight,
        values=values,
        covariances=moved.T @ moved * units / (units - 2) + allowed,
        labelled=means[:many],
        plain=a.T @ a * units / (units - 1) + allowed,
        judge=every.sum(axis=0) / sizes.sum(),
        bias=means[many:] - means[:many],
        bias_covariances=gap.T @ gap * units / (units - 1),
        shift=_shift(means[many:], other_mean, b.T @ b * units / (units - 1)) if others else None,
    )


def _check_labels(units: int, what: str) -> None:
    if units < LEAST:
        message = (
            f"{counted(units, what)} with labels of people; a judge is weighed against {LEAST} or "
            "more, better thirty. Label more of them, drawn at random."
        )
        raise CountsError(message, code="few-labels")


def _cut(shared: float, spread: float) -> float:
    """Divide, and cut to [0, 1]; a judge that never varies says nothing."""
    return min(1.0, max(0.0, shared / spread)) if spread > 0 else 0.0


def _contrasts(table: Floats) -> float:
    """Sum a form over all differences of two systems; of a single one take itself."""
    many = len(table)
    return (
        float(np.trace(table)) if many == 1 else many * float(np.trace(table)) - float(table.sum())
    )


def _centre_sums(moments: Moments, items: int) -> Floats:
    """Sums of products about the means, exact before they are rounded."""
    sums = [moments.sum_of(name) for name in moments.systems]
    places: Sequence[int] = range(len(sums))
    return np.array(
        [[float(moments.product(i, j) - sums[i] * sums[j] / items) for j in places] for i in places]
    )


def _reach(labelled: Moments, squares: Floats) -> Floats:
    """How far labels that were not seen may contradict the judge, were it the only item."""
    people = labelled.only(labelled.systems[: len(squares)])
    spread = np.sqrt(np.diag(squares) / (labelled.items - 1))
    if people.right_or_wrong:
        spread = np.ones(len(squares))
    return sqrt(3) * spread


def _allow(far: Floats, units: float) -> Floats:
    """Covariances of one more unit that contradicts: a difference moves as far as a mean does."""
    each = far / (units + 1)
    return (np.outer(each, each) + np.diag(each**2)) / 2


def _ratio(off: Floats, squares: Floats, items: int) -> float:
    """How many times the variance of single items clusters have; 0 where items do not vary."""
    single = _contrasts(squares) / items**2
    return _contrasts(off.T @ off) / single if single > 0 else 0.0


def _shift(one: Floats, two: Floats, table: Floats) -> float | None:
    """Hold labelled and other items apart by the system where the judge parts them most."""
    errors = np.sqrt(np.maximum(np.diag(table), 0))
    known = errors > 0
    return float(np.max(np.abs((one - two)[known] / errors[known]))) if known.any() else None

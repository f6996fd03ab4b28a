"""Proper scores and recalibration of forecasts for items in clusters."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, stdtrit

from steelyard.counts import Grouped, ScoreTable
from steelyard.measures.calibration.line import Recalibration, recalibration
from steelyard.measures.calibration.proper_scores import LARGEST, LOSSES, ProperRule, proper_score
from steelyard.measures.tables.cluster_limits import METHOD, linearise_limits, never_narrower
from steelyard.measures.tables.clustered import ALONE
from steelyard.measures.tables.formulas import PLAIN
from steelyard.results.estimates import Caveat, Estimate, Interval
from steelyard.uncertainty import cluster_freedom, normal_quantile

__all__ = [
    "clustered_proper_difference",
    "clustered_proper_score",
    "clustered_recalibration",
    "limit_mean",
]

Floats = NDArray[np.float64]
Clusters = Grouped[ScoreTable]
ALIKE = "no interval: the clusters scored alike, so their spread cannot be judged"
OTHER_ITEMS = "no interval: the systems answered different items of a cluster"


def limit_mean(
    plain: Estimate, totals: Floats, items: Floats, *, level: float, bounds: tuple[float, float]
) -> Estimate:
    r"""Give a mean over items the interval of a ratio over clusters.

    With :math:`e_g=(S_g-\hat sn_g)/n` the variance and the degrees of freedom of Student's t are
    those of :func:`~steelyard.measures.clustered_measure`, the jackknife's [1]_. Never narrower
    than the interval of independent items.

    References
    ----------
    .. [1] Cochran (1977), Sampling Techniques, 3rd edition, Wiley, sections 6.3 and 9A.6.

    Examples
    --------
    >>> plain = Estimate(measure="mean", value=0.5)
    >>> found = limit_mean(
    ...     plain, np.array([2.0, 5.0, 8.0]), np.array([10.0, 10.0, 10.0]), level=0.95,
    ...     bounds=(0.0, 1.0))
    >>> round(found.standard_error, 4)
    0.1732
    """
    if plain.value is None:
        return plain
    kept = tuple(said for said in plain.caveats if Caveat.code_of(said) != "no-interval")
    held = items > 0
    if held.sum() < 2:
        return replace(plain, interval=None, standard_error=None, caveats=(*kept, ALONE))
    added = ((totals - plain.value * items) / items.sum())[held]
    found = linearise_limits(plain.value, added, items[held], PLAIN, level)
    if found is None:
        return replace(plain, interval=None, standard_error=None, caveats=(*kept, ALIKE))
    low, high, error = found
    ends = Interval(low=max(bounds[0], low), high=min(bounds[1], high), level=level, method=METHOD)
    ends = never_narrower(ends, plain.interval)
    return replace(plain, interval=ends, standard_error=error, caveats=kept)


def clustered_proper_score(
    clusters: Clusters, rule: ProperRule, *, level: float = 0.95
) -> Estimate:
    """Mean Brier or log score of items in clusters, with the cluster-robust interval.

    The score is that of :func:`~steelyard.measures.proper_score` over all clusters together.

    References
    ----------
    .. [1] Cochran (1977), Sampling Techniques, 3rd edition, Wiley, sections 6.3 and 9A.6.

    Examples
    --------
    >>> parts = {str(g): ScoreTable.from_scores([0.9 - g / 10], [0.1 + g / 20]) for g in range(4)}
    >>> clustered_proper_score(Grouped.from_parts("patient", parts), "brier").interval.method
    'cluster-robust'
    """
    plain = proper_score(clusters.merged(), rule, level=level)
    if plain.value is None:
        return plain
    totals, items = _losses(clusters, rule)
    largest = float(LARGEST[rule])
    return limit_mean(plain, totals, items, level=level, bounds=(0.0, largest))


def clustered_proper_difference(
    plain: Estimate, first: Clusters, second: Clusters, rule: ProperRule, *, level: float = 0.95
) -> Estimate:
    """Give the difference of two systems on common items its cluster-robust interval.

    ``plain`` is what :func:`~steelyard.measures.proper_difference` found. Both systems must have
    answered all items of every cluster.

    References
    ----------
    .. [1] Cochran (1977), Sampling Techniques, 3rd edition, Wiley, sections 6.3 and 9A.6.

    Examples
    --------
    >>> parts = {str(g): ScoreTable.from_scores([0.9 - g / 10], [0.1 + g / 20]) for g in range(4)}
    >>> one = Grouped.from_parts("patient", parts)
    >>> plain = Estimate(measure="Brier score difference", value=0.0)
    >>> clustered_proper_difference(plain, one, one, "brier").interval is None
    True
    """
    if plain.value is None:
        return plain
    (won, items), (lost, others) = (_losses(one, rule) for one in (first, second))
    if first.names != second.names or not np.array_equal(items, others):
        return replace(plain, interval=None, standard_error=None, caveats=(OTHER_ITEMS,))
    largest = float(LARGEST[rule])
    return limit_mean(plain, won - lost, items, level=level, bounds=(-largest, largest))


def clustered_recalibration(clusters: Clusters, *, level: float = 0.95) -> Recalibration:
    r"""Intercept and slope of forecasts for items in clusters, with a sandwich variance.

    The coefficients are those of :func:`~steelyard.measures.recalibration`. With :math:`I` the
    information and :math:`u_g` the score of cluster g, their variance is
    :math:`I^{-1}\left(\frac{G}{G-1}\sum \tilde u_g\tilde u_g^\top\right)I^{-1}` [1]_, where
    :math:`\tilde u_g=\frac{G-1}{G}u_g/(1-n_g/n)` weighs clusters as the jackknife would, with
    Student's t and the degrees of freedom of :func:`~steelyard.uncertainty.cluster_freedom`. Never
    narrower than the interval of independent items.

    References
    ----------
    .. [1] Liang & Zeger (1986), Biometrika 73, 13-22, doi:10.1093/biomet/73.1.13.

    Examples
    --------
    >>> parts = {str(g): ScoreTable.from_scores([0.9, 0.4 + g / 10], [0.1 + g / 10, 0.6])
    ...          for g in range(4)}
    >>> grouped = Grouped.from_parts("patient", parts)
    >>> clustered_recalibration(grouped).slope.interval.method
    'cluster-robust'
    """
    normal_quantile(level)
    plain = recalibration(clusters.merged(), level=level)
    both = plain.intercept.value, plain.slope.value
    intercept, slope, large = plain.intercept, plain.slope, plain.in_the_large
    if both[0] is not None and both[1] is not None:
        errors = _sandwich(clusters, (both[0], both[1]), sloped=True)
        intercept, slope = (
            _with_error(one, errors, place, level) for place, one in enumerate((intercept, slope))
        )
    if large.value is not None:
        errors = _sandwich(clusters, (large.value, 1.0), sloped=False)
        large = _with_error(large, errors, 0, level)
    return Recalibration(intercept=intercept, slope=slope, in_the_large=large)


def _losses(clusters: Clusters, rule: ProperRule) -> tuple[Floats, Floats]:
    """Sum of the losses, and items, of each cluster."""
    totals, items = [], []
    for _, part in clusters:
        won, lost = LOSSES[rule](part.scores)
        won, lost = (np.where(np.isinf(one), 0.0, one) for one in (won, lost))
        totals.append(float((part.positives * won + part.negatives * lost).sum()))
        items.append(float(part.total))
    return np.array(totals), np.array(items)


def _sandwich(
    clusters: Clusters, coefficients: tuple[float, float], *, sloped: bool
) -> tuple[Floats, float] | None:
    """Standard errors of the coefficients, and their degrees of freedom."""
    size = 2 if sloped else 1
    information = np.zeros((size, size))
    scores = []
    sizes = []
    for _, part in clusters:
        if not part.total:
            continue
        sizes.append(float(part.total))
        odds = np.log(part.scores) - np.log1p(-part.scores)
        line = coefficients[0] + coefficients[1] * odds
        share, other = expit(line), expit(-line)
        items = part.positives + part.negatives
        design = np.vstack([np.ones_like(odds), odds])[:size]
        scores.append(design @ (part.positives * other - part.negatives * share))
        information += (design * (items * share * other)) @ design.T
    if len(scores) < 2:
        return None
    held, number = np.array(sizes), len(scores)
    added = np.array(scores) / (1 - held / held.sum())[:, None]
    inverse = np.linalg.inv(information)
    meat = (number - 1) / number * (added.T @ added)
    return np.sqrt(np.diag(inverse @ meat @ inverse)), cluster_freedom(held)


def _with_error(
    plain: Estimate, errors: tuple[Floats, float] | None, place: int, level: float
) -> Estimate:
    if errors is None or plain.value is None:
        return replace(plain, interval=None, standard_error=None, caveats=(ALONE,))
    error = float(errors[0][place])
    half = -float(stdtrit(errors[1], (1 - level) / 2)) * error
    ends = Interval(low=plain.value - half, high=plain.value + half, level=level, method=METHOD)
    ends = never_narrower(ends, plain.interval)
    return replace(plain, interval=ends, standard_error=error)

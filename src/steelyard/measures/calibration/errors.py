"""Expected calibration error: its value, its bias, and bounds that hold whatever the bias."""

from dataclasses import dataclass
from math import exp, hypot, pi, sqrt

import numpy as np
from scipy.special import ndtr, stdtrit

from steelyard.counts import Grouped, ScoreTable
from steelyard.measures.calibration.curve import Binned, Binning, bin_forecasts, cluster_bins
from steelyard.measures.tables.cluster_limits import never_narrower
from steelyard.measures.tables.clustered import ALONE
from steelyard.results.estimates import Estimate, Interval
from steelyard.uncertainty import normal_quantile
from steelyard.uncertainty.folded import fold_sum_bound, fold_sum_quantile

__all__ = ["CalibrationError", "calibration_error"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationError:
    """Expected calibration error: as found, for a calibrated system, and without its bias."""

    error: Estimate
    if_calibrated: float
    debiased: float
    squared_debiased: float
    bins: int


def calibration_error(
    table: ScoreTable,
    *,
    bins: int = 10,
    binning: Binning = "quantile",
    level: float = 0.95,
    clusters: Grouped[ScoreTable] | None = None,
) -> CalibrationError:
    r"""Expected calibration error (ECE), with its bias said and an estimate without it.

    :math:`\sum_b\frac{n_b}{n}|\bar y_b-\bar p_b|` over bins [1]_: in [0, 1], smaller is better, and
    *above 0 even for a calibrated system*, because chance alone moves :math:`\bar y_b`.

    Parameters
    ----------
    table : ScoreTable
        Probabilities of the positive class, in [0, 1], without weights.
    bins, binning, clusters
        As in :func:`calibration_curve`.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Returns
    -------
    CalibrationError
        ``if_calibrated`` is what the error would be on average if every probability were right;
        ``debiased`` takes off, bin by bin, how much chance adds to the absolute gap found;
        ``squared_debiased`` is :math:`\sum_b\frac{n_b}{n}\left((\bar y_b-\bar p_b)^2-\frac{\bar
        y_b(1-\bar y_b)}{n_b-1}\right)` [2]_, which may come out below 0.

    Notes
    -----
    The interval ``chance-bounds`` is of the error of the binned forecasts, without what chance
    adds. With :math:`T` the error found and :math:`\varepsilon_b` the chance errors of the bins,
    :math:`T\le\theta+\sum\frac{n_b}n|\varepsilon_b|`, so the lower limit is :math:`T` less the
    upper quantile of that sum; and :math:`T` is at least
    :math:`\theta+\sum\pm\frac{n_b}n\varepsilon_b` with the true signs, so the upper limit is
    :math:`T+z\sqrt{\sum(\frac{n_b}n)^2\mathrm{Var}(\varepsilon_b)}`. Both hold whatever the true
    gaps are, 0 included; the interval covers at least ``level``, usually more. Of items in clusters
    the errors of the bins go together, and :func:`~steelyard.uncertainty.folded.fold_sum_bound`
    takes the place of the quantile; the interval is never narrower than that of independent items.

    References
    ----------
    .. [1] Naeini, Cooper & Hauskrecht (2015), AAAI, 2901-2907, doi:10.1609/aaai.v29i1.9602.
    .. [2] Kumar, Liang & Ma (2019), NeurIPS 32, 3787-3798, arXiv:1909.10155.

    Examples
    --------
    >>> table = ScoreTable.from_scores([0.9, 0.8, 0.3], [0.7, 0.2, 0.1])
    >>> round(calibration_error(table, bins=2).error.value, 4)
    0.1333
    """
    normal_quantile(level)
    binned = bin_forecasts(table, bins, binning)
    gaps, weights, items = binned.gaps, binned.weights, binned.items
    value = float((weights * np.abs(gaps)).sum())
    chance = np.sqrt(binned.spread) / items
    share = binned.positives / items
    single = np.where(items > 1, share * (1 - share) / np.maximum(items - 1, 1), 0.0)
    added = [
        _fold(gap, sqrt(error)) - abs(gap)
        for gap, error in zip(gaps.tolist(), single.tolist(), strict=True)
    ]
    if_calibrated = float((weights * chance).sum()) * sqrt(2 / pi)
    caveat = (
        f"a calibrated system would show about {if_calibrated:.3f} here by chance alone, with "
        f"{len(items)} bins"
    )
    ends = _plain(binned, value, level) if clusters is None else _group(binned, clusters, level)
    return CalibrationError(
        error=Estimate(
            measure="expected calibration error",
            value=value,
            interval=ends,
            items=table.total,
            caveats=(caveat,) if ends is not None else (caveat, ALONE),
        ),
        if_calibrated=if_calibrated,
        debiased=max(0.0, value - float((weights * np.array(added)).sum())),
        squared_debiased=float((weights * (gaps**2 - single)).sum()),
        bins=len(items),
    )


def _plain(binned: Binned, value: float, level: float) -> Interval:
    """Bound the error from both sides by what chance may do to independent items."""
    # Two items more of either kind: a bin without any positive varies as well.
    share = (binned.positives + 2) / (binned.items + 4)
    errors = binned.weights * np.sqrt(share * (1 - share) / binned.items)
    # The shares of the items in the bins vary too.
    moved = float((binned.weights * (np.abs(binned.gaps) - value) ** 2).sum() / binned.items.sum())
    z = normal_quantile(level)
    down = hypot(fold_sum_quantile(errors, level=(1 + level) / 2), z * sqrt(moved))
    up = z * sqrt(float((errors**2).sum()) + moved)
    return _within(value, down, up, level)


def _group(binned: Binned, clusters: Grouped[ScoreTable], level: float) -> Interval | None:
    """Bound the error from both sides by what chance may do to whole clusters."""
    if len(clusters) < 2:
        return None
    value = float((binned.weights * np.abs(binned.gaps)).sum())
    positives, items, forecasts = cluster_bins(clusters, binned)
    total = items.sum()
    mean = binned.weights * binned.gaps
    apart = (positives - forecasts - items.sum(axis=1, keepdims=True) * mean) / total
    apart = apart - apart.mean(axis=0)
    number = len(clusters)
    covariance = number / (number - 1) * (apart.T @ apart)
    # With few clusters their spread is hardly known: Student's t in place of the normal quantile.
    wider = -float(stdtrit(number - 1, (1 - level) / 2)) / normal_quantile(level)
    errors = wider * np.sqrt(np.diag(covariance))
    deviation = wider * sqrt(float(np.abs(covariance).sum()))
    down = fold_sum_bound(errors, deviation, level=(1 + level) / 2)
    ends = _within(value, down, normal_quantile(level) * deviation, level)
    return never_narrower(ends, _plain(binned, value, level))


def _within(value: float, down: float, up: float, level: float) -> Interval:
    low, high = max(0.0, value - down), min(1.0, value + up)
    return Interval(low=low, high=high, level=level, method="chance-bounds")


def _fold(mean: float, error: float) -> float:
    """Mean of the absolute value of a normal number."""
    if error == 0:
        return abs(mean)
    ratio = mean / error
    inner = mean * (1 - 2 * float(ndtr(-ratio)))
    return error * sqrt(2 / pi) * exp(-ratio * ratio / 2) + inner

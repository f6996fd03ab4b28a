"""Bands around a whole ROC curve, and bootstrap intervals of its area."""

from dataclasses import dataclass
from math import log, sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import Grouped, ScoreTable
from steelyard.errors import NotComparable, RequestError
from steelyard.results.shortfalls import SHORTFALLS
from steelyard.uncertainty.areas.resampling import (
    RESAMPLES,
    percentile_limits,
    resample_statistic,
)
from steelyard.uncertainty.domain import normal_quantile

__all__ = ["RocBand", "bootstrap_auc_interval", "detection_at", "roc_band", "trapezoid_areas"]

Floats = NDArray[np.float64]
BandMethod = Literal["kolmogorov", "bootstrap"]
POINTS = 101
"""False-alarm rates in steps of a hundredth: a band is looked at, no number is read off it."""

MEANINGS = {
    "kolmogorov": (
        "the whole true curve lies inside with at least the stated probability, for any sample "
        "size and any distribution of scores"
    ),
    "bootstrap": SHORTFALLS["band-bootstrap"],
}
BY_CLUSTER = (
    "the whole true curve lies inside with about the stated probability; whole clusters were "
    "resampled, and there should be many of them"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RocBand:
    """Lower and upper P_D at each P_FA; ``meaning`` says what is promised of them."""

    false_alarm_rates: Floats
    detection_rates: Floats
    low: Floats
    high: Floats
    level: float
    method: str
    meaning: str


def roc_band(
    table: ScoreTable,
    *,
    level: float = 0.95,
    method: BandMethod = "kolmogorov",
    rng: np.random.Generator | None = None,
    resamples: int = RESAMPLES,
    clusters: Grouped[ScoreTable] | None = None,
) -> RocBand:
    r"""Band that holds the whole true curve at once, not one point of it.

    ``kolmogorov`` lets both distribution functions err by :math:`d_n=\sqrt{\ln(2/\alpha')/(2n)}`,
    :math:`1-\alpha'=\sqrt{\text{level}}` (Massart's bound): at :math:`x` the band is
    :math:`[R(x-d_N)-d_P,\ R(x+d_N)+d_P]` [1]_. ``bootstrap`` is :math:`R(x)\pm c` with c the
    ``level`` quantile of :math:`\sup_x|R^*(x)-R(x)|`.

    Parameters
    ----------
    table : ScoreTable
        Positives and negatives at each score.
    level : float
        Probability promised for the whole curve.
    method : {"kolmogorov", "bootstrap"}
        The bootstrap needs ``rng``.
    clusters : Grouped of ScoreTable, optional
        The same scores by cluster: the band is then ``bootstrap``, with whole clusters drawn, as
        the promise of ``kolmogorov`` holds for independent items only.

    Notes
    -----
    The Kolmogorov band is wide; that is the price of a promise without conditions. The bootstrap
    band is of no use where the empirical curve touches the edges of the square.

    References
    ----------
    .. [1] Campbell (1994), Statistics in Medicine 13, 499-508, doi:10.1002/sim.4780130513.
    .. [2] Massart (1990), Annals of Probability 18, 1269-1283, doi:10.1214/aop/1176990746.

    Examples
    --------
    >>> table = ScoreTable.from_scores(range(50, 150), range(100))
    >>> band = roc_band(table)
    >>> bool((band.low <= band.detection_rates).all()), round(float(band.high[0]), 3)
    (True, 0.796)
    """
    normal_quantile(level)
    if method not in MEANINGS:
        raise RequestError.for_choice(name="method", given=method, choices=tuple(MEANINGS))
    if table.positive_total == 0 or table.negative_total == 0:
        message = "A band around a ROC curve needs items of both classes."
        raise NotComparable(message, code="one-class")
    grid = np.linspace(0, 1, POINTS)
    false_alarms, detections = _curve(table)
    centre = detection_at(grid, false_alarms, detections)
    if method == "kolmogorov" and clusters is None:
        wide, tall = (
            sqrt(log(2 / (1 - sqrt(level))) / (2 * n))
            for n in (table.negative_total, table.positive_total)
        )
        low = detection_at(grid - wide, false_alarms, detections) - tall
        high = detection_at(grid + wide, false_alarms, detections) + tall
    else:
        half = _largest_gap(
            clusters or table, grid, centre, level=level, rng=rng, resamples=resamples
        )
        low, high = centre - half, centre + half
    return RocBand(
        false_alarm_rates=grid,
        detection_rates=centre,
        low=np.clip(low, 0, 1),
        high=np.clip(high, 0, 1),
        level=level,
        method=method if clusters is None else "cluster-bootstrap",
        meaning=MEANINGS[method] if clusters is None else BY_CLUSTER,
    )


def bootstrap_auc_interval(
    table: ScoreTable,
    *,
    level: float = 0.95,
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
) -> tuple[float, float]:
    """Percentile bootstrap interval of the area under the ROC curve.

    Notes
    -----
    Of no width when the scores separate the classes fully: use :func:`auc_interval` there.

    References
    ----------
    .. [1] Efron & Tibshirani (1993), An Introduction to the Bootstrap, Chapman & Hall,
       doi:10.1007/978-1-4899-4541-9.

    Examples
    --------
    >>> table = ScoreTable.from_scores(range(50, 150), range(100))
    >>> low, high = bootstrap_auc_interval(table, rng=np.random.default_rng(0))
    >>> 0.8 < low < 0.875 < high < 0.95
    True
    """
    return percentile_limits(
        resample_statistic(table, trapezoid_areas, rng=rng, resamples=resamples), level
    )


def trapezoid_areas(false_alarm_rates: Floats, detection_rates: Floats) -> Floats:
    """Areas under curves given as rows of points.

    Examples
    --------
    >>> trapezoid_areas(np.array([[0, 0.5, 1]]), np.array([[0, 1.0, 1]])).tolist()
    [0.75]
    """
    return np.asarray(np.trapezoid(detection_rates, false_alarm_rates, axis=-1))


def detection_at(wanted: Floats, false_alarm_rates: Floats, detection_rates: Floats) -> Floats:
    """Read P_D off a curve at given P_FA: the top of a step, straight lines between points.

    Below 0 it is 0, above 1 it is 1.

    Examples
    --------
    >>> rates = np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.5, 1.0])
    >>> detection_at(np.array([-0.1, 0.0, 0.5, 2.0]), *rates).tolist()
    [0.0, 0.5, 0.75, 1.0]
    """
    last = false_alarm_rates.size - 1
    place = np.searchsorted(false_alarm_rates, wanted, side="right") - 1
    left = np.clip(place, 0, last)
    right = np.minimum(left + 1, last)
    width = false_alarm_rates[right] - false_alarm_rates[left]
    share = np.divide(
        wanted - false_alarm_rates[left], width, out=np.zeros_like(width), where=width > 0
    )
    read = detection_rates[left] + share * (detection_rates[right] - detection_rates[left])
    kept: Floats = np.where(wanted < 0, 0.0, np.where(wanted > 1, 1.0, read))
    return kept


def _curve(table: ScoreTable) -> tuple[Floats, Floats]:
    rates = [
        np.concatenate([[0], np.cumsum(counts[::-1])]) / counts.sum()
        for counts in (table.negatives, table.positives)
    ]
    return rates[0], rates[1]


def _largest_gap(
    table: ScoreTable | Grouped[ScoreTable],
    grid: Floats,
    centre: Floats,
    *,
    level: float,
    rng: np.random.Generator | None,
    resamples: int,
) -> float:
    if rng is None:
        message = "The bootstrap needs random numbers: pass rng=numpy.random.default_rng(SEED)."
        raise RequestError(message)

    def gaps(false_alarms: Floats, detections: Floats) -> Floats:
        read = [detection_at(grid, *one) for one in zip(false_alarms, detections, strict=True)]
        largest: Floats = np.abs(np.array(read) - centre).max(axis=1)
        return largest

    found = resample_statistic(table, gaps, rng=rng, resamples=resamples)
    return float(np.quantile(found, level))

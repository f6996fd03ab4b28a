"""Do probabilities mean what they say? The calibration curve, and the parts of the Brier score."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import Grouped, ScoreTable
from steelyard.errors import RequestError
from steelyard.measures.calibration.line import check_probabilities
from steelyard.results.estimates import Interval, Proportion
from steelyard.uncertainty import cluster_share_interval, normal_quantile, wilson_interval

__all__ = [
    "Binned",
    "Binning",
    "BrierParts",
    "CalibrationBin",
    "bin_forecasts",
    "brier_decomposition",
    "calibration_curve",
    "check_probabilities",
    "cluster_bins",
]

Binning = Literal["quantile", "width"]
BINNINGS: tuple[Binning, ...] = ("quantile", "width")


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationBin:
    """Items with like probabilities: what was forecast on average, and what came true."""

    low: float
    high: float
    forecast: float
    observed: Proportion


@dataclass(frozen=True, slots=True, kw_only=True)
class BrierParts:
    """The Brier score is ``reliability - resolution + uncertainty + within``."""

    score: float
    reliability: float
    resolution: float
    uncertainty: float
    within: float
    groups: int


@dataclass(frozen=True, slots=True)
class Binned:
    """Items, positives and sums of forecasts (and of their squares, and of hits) in each bin."""

    edges: tuple[tuple[float, float], ...]
    items: NDArray[np.float64]
    positives: NDArray[np.float64]
    forecasts: NDArray[np.float64]
    spread: NDArray[np.float64]

    @property
    def gaps(self) -> NDArray[np.float64]:
        """Observed minus forecast share."""
        gaps: NDArray[np.float64] = (self.positives - self.forecasts) / self.items
        return gaps

    @property
    def weights(self) -> NDArray[np.float64]:
        """Share of the items in each bin."""
        weights: NDArray[np.float64] = self.items / self.items.sum()
        return weights


def calibration_curve(
    table: ScoreTable,
    *,
    bins: int = 10,
    binning: Binning = "quantile",
    level: float = 0.95,
    clusters: Grouped[ScoreTable] | None = None,
) -> tuple[CalibrationBin, ...]:
    """Share of positives among items with like probabilities, with Wilson's interval for each bin.

    Parameters
    ----------
    table : ScoreTable
        Probabilities of the positive class, in [0, 1], without weights.
    bins : int
        How many bins at most. Equal probabilities always share a bin, and empty bins are left out.
    binning : {"quantile", "width"}
        About as many items in each bin, or bins of equal width.
    level : float
        Coverage of each interval on its own, strictly between 0 and 1.
    clusters : Grouped of ScoreTable, optional
        The same scores by cluster: the intervals are then cluster-robust.

    Notes
    -----
    A well calibrated system has ``forecast`` inside the interval in most bins, not in all of them.
    What the curve looks like depends on the bins.

    References
    ----------
    .. [1] Broecker & Smith (2007), Weather and Forecasting 22, 651-661, doi:10.1175/WAF993.1.

    Examples
    --------
    >>> table = ScoreTable.from_scores([0.9, 0.8, 0.3], [0.7, 0.2, 0.1])
    >>> [(round(b.forecast, 2), b.observed.value) for b in calibration_curve(table, bins=2)]
    [(0.2, 0.3333333333333333), (0.8, 0.6666666666666666)]
    """
    normal_quantile(level)
    binned = bin_forecasts(table, bins, binning)
    parts = None if clusters is None else cluster_bins(clusters, binned)
    curve = []
    for place, (low, high) in enumerate(binned.edges):
        won, items = int(binned.positives[place]), int(binned.items[place])
        observed = Proportion(
            measure="observed share",
            successes=won,
            trials=items,
            interval=_plain_ends(won, items, level)
            if parts is None
            else _limits_of_clusters(parts[0][:, place], parts[1][:, place], level),
        )
        forecast = float(binned.forecasts[place]) / items
        curve.append(CalibrationBin(low=low, high=high, forecast=forecast, observed=observed))
    return tuple(curve)


def cluster_bins(clusters: Grouped[ScoreTable], binned: Binned) -> NDArray[np.float64]:
    """Positives, items and sums of forecasts of each cluster in each bin, one after the other."""
    starts = np.array([low for low, _ in binned.edges])
    found = np.zeros((3, len(clusters), starts.size))
    for row, (_, part) in enumerate(clusters):
        place = np.searchsorted(starts, part.scores, side="right") - 1
        items = part.positives + part.negatives
        for side, values in zip(found, (part.positives, items, items * part.scores), strict=True):
            np.add.at(side[row], place, values)
    return found


def _plain_ends(won: int, items: int, level: float) -> Interval:
    low, high = wilson_interval(won, items, level=level)
    return Interval(low=low, high=high, level=level, method="wilson")


def _limits_of_clusters(
    won: NDArray[np.float64], items: NDArray[np.float64], level: float
) -> Interval | None:
    if (items > 0).sum() < 2:
        return None
    low, high = cluster_share_interval(won.tolist(), items.tolist(), level=level)
    return Interval(low=low, high=high, level=level, method="cluster-robust")


def brier_decomposition(
    table: ScoreTable, *, bins: int | None = None, binning: Binning = "quantile"
) -> BrierParts:
    r"""Split the Brier score into reliability, resolution and uncertainty.

    :math:`\frac1n\sum(p_i-y_i)^2=\underbrace{\sum\tfrac{n_k}{n}(p_k-\bar
    y_k)^2}_{\text{reliability}}-\underbrace{\sum\tfrac{n_k}{n}(\bar y_k-\bar
    y)^2}_{\text{resolution}}+\underbrace{\bar y(1-\bar y)}_{\text{uncertainty}}` over the distinct
    forecasts [1]_. Small reliability and large resolution are good.

    Parameters
    ----------
    table : ScoreTable
        Probabilities of the positive class, in [0, 1], without weights; at least one item.
    bins : int, optional
        Group forecasts into bins; by default every distinct forecast is a group of its own.
    binning : {"quantile", "width"}
        As in :func:`calibration_curve`.

    Returns
    -------
    BrierParts
        Inside bins forecasts vary, which adds ``within``: their variance less twice their
        covariance with the truth [2]_; it is 0 without bins. The identity holds exactly.

    Notes
    -----
    With nearly as many distinct forecasts as items, reliability and resolution are both far too
    large (every group has one item); use bins then.

    References
    ----------
    .. [1] Murphy (1973), Journal of Applied Meteorology 12, 595-600,
       doi:10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2.
    .. [2] Stephenson, Coelho & Jolliffe (2008), Weather and Forecasting 23, 752-757,
       doi:10.1175/2007WAF2006116.1.

    Examples
    --------
    >>> table = ScoreTable.from_counts([0.2, 0.8], [1, 7], [9, 3], positive="rain")
    >>> parts = brier_decomposition(table)
    >>> round(parts.score, 4), round(parts.reliability, 4), round(parts.resolution, 4)
    (0.16, 0.01, 0.09)
    """
    check_probabilities(table)
    groups = np.arange(table.scores.size)
    if bins is not None:
        groups = _groups(table, bins, binning)
    items = (table.positives + table.negatives).astype(np.float64)
    total = float(items.sum())

    def add_up(values: NDArray[np.float64]) -> NDArray[np.float64]:
        found = np.zeros(int(groups.max()) + 1)
        np.add.at(found, groups, values)
        return found

    number = add_up(items)
    hits = add_up(table.positives.astype(np.float64)) / number
    mean = add_up(items * table.scores) / number
    overall = table.positive_total / total
    score = float(
        (table.positives * (1 - table.scores) ** 2 + table.negatives * table.scores**2).sum()
    )
    varied = add_up(items * (table.scores - mean[groups]) ** 2)
    together = add_up((table.positives - items * hits[groups]) * (table.scores - mean[groups]))
    return BrierParts(
        score=score / total,
        reliability=float((number * (mean - hits) ** 2).sum()) / total,
        resolution=float((number * (hits - overall) ** 2).sum()) / total,
        uncertainty=overall * (1 - overall),
        within=float((varied - 2 * together).sum()) / total,
        groups=int(number.size),
    )


def _groups(table: ScoreTable, bins: int, binning: Binning) -> NDArray[np.intp]:
    """Give the bin of each distinct forecast, numbered without gaps."""
    if bins < 1:
        message = f"bins={bins!r}; at least one bin is needed."
        raise RequestError(message)
    if binning not in BINNINGS:
        raise RequestError.for_choice("binning", binning, BINNINGS)  # noqa: EM101
    if binning == "width":
        places = np.minimum((table.scores * bins).astype(np.intp), bins - 1)
    else:
        items = (table.positives + table.negatives).astype(np.float64)
        middle = np.cumsum(items) - items / 2
        places = np.minimum((middle / items.sum() * bins).astype(np.intp), bins - 1)
    return np.unique(places, return_inverse=True)[1]


def bin_forecasts(table: ScoreTable, bins: int, binning: Binning) -> Binned:
    """Count items, positives and forecasts in each bin.

    >>> table = ScoreTable.from_scores([0.9, 0.8, 0.3], [0.7, 0.2, 0.1])
    >>> bin_forecasts(table, 2, "quantile").items.tolist()
    [3.0, 3.0]
    """
    check_probabilities(table)
    places = _groups(table, bins, binning)
    number = int(places.max()) + 1
    rows = (table.positives + table.negatives).astype(np.float64)
    columns = np.zeros((4, number))
    for column, values in zip(
        columns,
        (rows, table.positives, rows * table.scores, rows * table.scores * (1 - table.scores)),
        strict=True,
    ):
        np.add.at(column, places, values)
    edges = tuple(
        (float(table.scores[places == place][0]), float(table.scores[places == place][-1]))
        for place in range(number)
    )
    return Binned(edges, *columns)

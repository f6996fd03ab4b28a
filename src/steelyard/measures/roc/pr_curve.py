"""Precision against recall: the curve, and three areas that are not the same number."""

from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from steelyard.counts import Grouped, ScoreTable
from steelyard.errors import NotComparable, RequestError
from steelyard.results.estimates import Estimate, Interval
from steelyard.results.shortfalls import shortfall
from steelyard.uncertainty import normal_quantile, wilson_interval_effective
from steelyard.uncertainty.areas.resampling import (
    RESAMPLES,
    percentile_limits,
    resample_scores,
)

__all__ = [
    "PR_AREAS",
    "PrArea",
    "PrecisionRecall",
    "average_precision",
    "interpolated_precision",
    "pr_area",
    "precision_recall",
]

Floats = NDArray[np.float64]
PrArea = Literal["average-precision", "interpolated", "trapezoid"]

PR_AREAS: dict[PrArea, str] = {
    "average-precision": "steps: each detection counts the precision at its own threshold",
    "interpolated": "the curve that mixing neighbouring thresholds at random really gives",
    "trapezoid": ("straight lines, which no system follows; too high where points are far apart"),
}
"""Three areas under a precision-recall curve, and what each one adds up."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrecisionRecall:
    """Recall and precision from the highest threshold to the lowest.

    There is no point at recall 0 by decree: where nothing is called, precision is undefined.
    ``prevalence`` is the precision of calling at random.
    """

    positive: str
    thresholds: Floats
    recalls: Floats
    precisions: Floats
    prevalence: float


def precision_recall(table: ScoreTable) -> PrecisionRecall:
    """List recall and precision at every distinct score.

    Parameters
    ----------
    table : ScoreTable
        At least one positive; rows count once each, whatever their weights.

    References
    ----------
    .. [1] Davis & Goadrich (2006), Proceedings of ICML, 233-240, doi:10.1145/1143844.1143874.

    Examples
    --------
    >>> found = precision_recall(ScoreTable.from_scores([0.9, 0.4], [0.4, 0.1]))
    >>> found.recalls.tolist(), found.precisions.round(3).tolist()
    ([0.5, 1.0, 1.0], [1.0, 0.667, 0.5])
    """
    if table.positive_total == 0:
        message = f"Recall needs items that are truly {table.positive!r}; there are none."
        raise NotComparable(message, code="one-class")
    found, called = _running(table.positives), _running(table.positives + table.negatives)
    return PrecisionRecall(
        positive=table.positive,
        thresholds=table.scores[::-1].copy(),
        recalls=found / found[-1],
        precisions=found / called,
        prevalence=table.positive_total / table.total,
    )


def interpolated_precision(table: ScoreTable, recalls: Floats) -> Floats:
    r"""Precision at any recall, between thresholds as mixing them at random gives it.

    Between two points false positives grow in proportion to true positives, so that precision is
    :math:`t/(t+f_A+\frac{f_B-f_A}{t_B-t_A}(t-t_A))` at :math:`t` true positives: a curve, not a
    straight line [1]_. Where the curve is vertical the highest precision is given.

    References
    ----------
    .. [1] Davis & Goadrich (2006), Proceedings of ICML, 233-240, doi:10.1145/1143844.1143874.

    Examples
    --------
    >>> table = ScoreTable.from_scores([9, 2], [5, 4, 3, 1])
    >>> interpolated_precision(table, np.array([0.5, 0.75, 1.0])).round(4).tolist()
    [1.0, 0.3333, 0.4]
    """
    if table.positive_total == 0:
        message = f"Recall needs items that are truly {table.positive!r}; there are none."
        raise NotComparable(message, code="one-class")
    asked = np.asarray(recalls, dtype=np.float64)
    if ((asked <= 0) | (asked > 1)).any():
        message = "recalls must lie in (0, 1]; at recall 0 nothing is called."
        raise RequestError(message)
    true = np.concatenate([[0.0], _running(table.positives)])
    false = np.concatenate([[0.0], _running(table.negatives)])
    wanted = asked * true[-1]
    # A recall of whole items is met, although 0.07 of 10^8 comes out a little above 7 million.
    whole = np.rint(wanted)
    wanted = np.where(np.abs(wanted - whole) <= 1e-9 + 1e-15 * whole, whole, wanted)
    right = np.searchsorted(true, wanted, side="left")
    left = np.maximum(right - 1, 0)
    width = true[right] - true[left]
    share = np.divide(wanted - true[left], width, out=np.ones_like(width), where=width > 0)
    alarms = false[left] + np.minimum(share, 1) * (false[right] - false[left])
    precisions: Floats = wanted / (wanted + alarms)
    return precisions


def average_precision(
    table: ScoreTable,
    *,
    level: float = 0.95,
    rng: np.random.Generator | None = None,
    resamples: int = RESAMPLES,
    clusters: Grouped[ScoreTable] | None = None,
) -> Estimate:
    """Area of the steps: the mean, over positives, of the precision at their own thresholds.

    :func:`pr_area` with ``kind="average-precision"``.

    Examples
    --------
    >>> round(average_precision(ScoreTable.from_scores([0.9, 0.4], [0.4, 0.1])).value, 4)
    0.8333
    """
    return pr_area(
        table,
        kind="average-precision",
        level=level,
        rng=rng,
        resamples=resamples,
        clusters=clusters,
    )


def pr_area(
    table: ScoreTable,
    *,
    kind: PrArea = "average-precision",
    level: float = 0.95,
    rng: np.random.Generator | None = None,
    resamples: int = RESAMPLES,
    clusters: Grouped[ScoreTable] | None = None,
) -> Estimate:
    r"""Area under the precision-recall curve, of one of three named kinds.

    ``average-precision`` is :math:`\sum_i (r_i-r_{i-1})\,p_i`; ``interpolated`` integrates the
    nonlinear interpolation of [1]_ in closed form; ``trapezoid`` draws straight lines, which are
    too high between distant points, and is here to be recognised. In [0, 1], larger is better; a
    random ranking has about the prevalence. Undefined without positives.

    Parameters
    ----------
    table : ScoreTable
        Positives and negatives at each score.
    kind : {"average-precision", "interpolated", "trapezoid"}
        Name in :data:`PR_AREAS`.
    level : float
        Coverage of the interval.
    rng : numpy.random.Generator, optional
        With it the interval is a percentile bootstrap, else the logit interval of [2]_, whose
        standard error on the logit scale is :math:`1/\sqrt{P\,A(1-A)}`. An area of 1 has
        Wilson's lower limit, with the positives as items.
    clusters : Grouped of ScoreTable, optional
        The same scores by cluster: with ``rng`` whole clusters are drawn, without there is no
        interval.

    References
    ----------
    .. [1] Davis & Goadrich (2006), Proceedings of ICML, 233-240, doi:10.1145/1143844.1143874.
    .. [2] Boyd, Eng & Page (2013), ECML PKDD, 451-466, doi:10.1007/978-3-642-40994-3_29.

    Examples
    --------
    >>> table = ScoreTable.from_scores([9, 2, 2, 2], [2, 2, 2, 2, 2, 2])
    >>> for kind in PR_AREAS:
    ...     print(kind, round(pr_area(table, kind=kind).value, 4))
    average-precision 0.55
    interpolated 0.6279
    trapezoid 0.775
    """
    normal_quantile(level)
    if kind not in PR_AREAS:
        raise RequestError.for_choice(name="kind", given=kind, choices=tuple(PR_AREAS))
    named = {"measure": f"PR area ({kind})", "of": table.positive, "items": table.total}
    if table.positive_total == 0:
        reason = f"no item is truly {table.positive!r}, so there is no recall"
        return Estimate(**named, value=None, reason=reason)  # type: ignore[arg-type]
    true, false = (_running(one)[None] for one in (table.positives, table.negatives))
    value = float(AREAS[kind](true, false)[0])
    interval = _interval(
        table, value, kind, level=level, rng=rng, resamples=resamples, clusters=clusters
    )
    prevalence = table.positive_total / table.total
    return Estimate(
        **named,  # type: ignore[arg-type]
        value=value,
        interval=interval,
        caveats=(
            f"calling at random would have about {prevalence:.3g} here, the share of positives; "
            "areas from data with another share cannot be compared",
            *_list_caveats(interval),
        ),
    )


def _interval(
    table: ScoreTable,
    value: float,
    kind: PrArea,
    *,
    level: float,
    rng: np.random.Generator | None,
    resamples: int,
    clusters: Grouped[ScoreTable] | None = None,
) -> Interval | None:
    if rng is not None and table.negative_total and value < 1:
        found = []
        for part in resample_scores(clusters or table, rng=rng, resamples=resamples):
            true, false = (_running(one) for one in (part.positives, part.negatives))
            found.append(AREAS[kind](true, false))
        low, high = percentile_limits(np.concatenate(found), level)
        method = "bootstrap-percentile" if clusters is None else "cluster-bootstrap"
        return Interval(low=low, high=high, level=level, method=method)
    if value >= 1 and table.negative_total:
        items = table.positive_total if clusters is None else _holding(clusters)
        low, high = wilson_interval_effective(1.0, float(items), level=level)
        return Interval(low=low, high=high, level=level, method="wilson")
    if not 0 < value < 1 or clusters is not None:
        return None
    half = normal_quantile(level) / sqrt(table.positive_total * value * (1 - value))
    low, high = (float(expit(logit(value) + side * half)) for side in (-1, 1))
    return Interval(low=low, high=high, level=level, method="boyd-logit")


def _list_caveats(interval: Interval | None) -> tuple[str, ...]:
    drawn = interval is not None and interval.method.endswith(("bootstrap", "-percentile"))
    return (shortfall("precision-bootstrap"),) if drawn else ()


def _holding(clusters: Grouped[ScoreTable]) -> int:
    return sum(part.positive_total > 0 for _, part in clusters)


def _running(counts: NDArray[np.int64]) -> Floats:
    """Add up counts from the highest score down, along the last axis."""
    return np.cumsum(counts[..., ::-1], axis=-1).astype(np.float64)


def _precisions(true: Floats, false: Floats) -> Floats:
    called = true + false
    shares: Floats = np.divide(true, called, out=np.ones_like(called), where=called > 0)
    return shares


def _step_areas(true: Floats, false: Floats) -> Floats:
    won = np.diff(true, prepend=0.0, axis=-1)
    areas: Floats = (won * _precisions(true, false)).sum(axis=-1) / true[..., -1]
    return areas


def _trapezoid_areas(true: Floats, false: Floats) -> Floats:
    """Straight lines; up to the first point the precision is that of the first point."""
    won = np.diff(true, prepend=0.0, axis=-1)
    precisions = _precisions(true, false)
    before = np.concatenate([precisions[..., :1], precisions[..., :-1]], axis=-1)
    areas: Floats = (won * (precisions + before) / 2).sum(axis=-1) / true[..., -1]
    return areas


def _curve_areas(true: Floats, false: Floats) -> Floats:
    """Integrate t / (a t + c) between points, with a = 1 + slope and c the alarms at t = 0."""
    won = np.diff(true, prepend=0.0, axis=-1)
    alarms = np.diff(false, prepend=0.0, axis=-1)
    before = true - won, false - alarms
    rises = won > 0
    slope = np.divide(alarms, won, out=np.zeros_like(won), where=rises)
    start = before[1] - slope * before[0]
    called, earlier = true + false, before[0] + before[1]
    growth = np.divide(called, earlier, out=np.ones_like(called), where=rises & (earlier > 0))
    pieces = won / (1 + slope) - start / (1 + slope) ** 2 * np.log(growth)
    areas: Floats = np.where(rises, pieces, 0.0).sum(axis=-1) / true[..., -1]
    return areas


AREAS = {
    "average-precision": _step_areas,
    "interpolated": _curve_areas,
    "trapezoid": _trapezoid_areas,
}

"""The curve of one system, and everything that is read off it."""

from typing import Any

import numpy as np

from steelyard import measures, uncertainty
from steelyard.counts import Grouped, ScoreTable
from steelyard.errors import RequestError
from steelyard.journey.roc_curves.averages import average_curve
from steelyard.journey.roc_curves.question import RocAsked
from steelyard.journey.roc_curves.reading import generate_curve, place_on
from steelyard.journey.scored import enough_clusters
from steelyard.measures import RocCurve
from steelyard.results import (
    CostLine,
    CurveBand,
    CurvePoint,
    Estimate,
    SystemRoc,
)

__all__ = ["roc_of_system"]


def roc_of_system(
    name: str,
    table: ScoreTable,
    asked: RocAsked,
    folds: Grouped[ScoreTable] | None = None,
    clusters: Grouped[ScoreTable] | None = None,
) -> SystemRoc:
    """Draw the curve of one system and read off what was asked."""
    full = RocCurve.of(table)
    curve = generate_curve(table, asked.generation, full)
    hull = measures.roc_hull(full)
    units = clusters if clusters is not None and enough_clusters(clusters) else None
    alone = clusters is not None and units is None
    rng = (lambda: None) if alone else asked.rng
    area = (
        measures.auc(table, level=asked.level)
        if clusters is None
        else measures.clustered_auc(clusters, level=asked.level)
    )
    drawn: dict[str, Any] = {"level": asked.level, "resamples": asked.resamples, "clusters": units}
    exact = measures.exact_auc(table)
    return SystemRoc(
        system=name,
        of=table.positive,
        items=table.total,
        positives=table.positive_total,
        negatives=table.negative_total,
        area=area,
        grade=None if exact is None else measures.auc_grade(exact),
        curve_area=float(curve.area()),
        points=int(curve.thresholds.size),
        curve=_points(curve, asked.points),
        hull=tuple(_finite(one) for one in hull.thresholds.tolist()),
        hull_area=float(hull.area()),
        partial=_part(table, asked, rng(), units),
        equal_error=measures.equal_error_rate(table, rng=rng(), **drawn),
        average_precision=_precision(table, asked, clusters, units),
        places=tuple(
            place_on(
                full, table, lookup, measures=asked.measures, level=asked.level, rng=rng(),
                resamples=asked.resamples, clusters=clusters,
            )
            for lookup in asked.lookups
        ),
        cost_line=_cost_line(full, asked),
        band=None if alone else _band(table, asked, units),
        averages=()
        if folds is None
        else tuple(
            average_curve(folds, by, whole=table, at=asked.average_at, level=asked.level)
            for by in asked.average
        ),
    )  # fmt: skip


def _finite(threshold: float) -> float | None:
    return threshold if np.isfinite(threshold) else None


def _points(curve: RocCurve, most: int) -> tuple[CurvePoint, ...]:
    """Keep so many points, spread evenly over the items called; both ends always."""
    places = np.arange(curve.thresholds.size)
    if 0 < most < places.size:
        called = curve.detections + curve.false_alarms
        spread = np.searchsorted(called, np.linspace(0, called[-1], most - 2))
        places = np.unique(np.concatenate([[0], spread, [places.size - 1]]))
    return tuple(
        CurvePoint(threshold=_finite(threshold), false_alarms=alarms, detections=found)
        for threshold, alarms, found in zip(
            curve.thresholds[places].tolist(),
            curve.false_alarms[places].tolist(),
            curve.detections[places].tolist(),
            strict=True,
        )
    )


def _precision(
    table: ScoreTable,
    asked: RocAsked,
    clusters: Grouped[ScoreTable] | None,
    units: Grouped[ScoreTable] | None,
) -> Estimate:
    """Average precision: Boyd's interval for single items, resamples for clusters."""
    if clusters is None:
        return measures.average_precision(table, level=asked.level)
    rng = asked.rng() if units is not None else None
    return measures.average_precision(
        table, level=asked.level, rng=rng, resamples=asked.resamples, clusters=clusters
    )


def _part(
    table: ScoreTable,
    asked: RocAsked,
    rng: np.random.Generator | None,
    clusters: Grouped[ScoreTable] | None,
) -> Estimate | None:
    if asked.partial is None:
        return None
    axis, ends = asked.partial
    options: dict[str, Any] = {axis: ends}
    return measures.partial_auc(
        table,
        level=asked.level,
        rng=rng,
        resamples=asked.resamples or 1,
        clusters=clusters,
        **options,
    )


def _cost_line(curve: RocCurve, asked: RocAsked) -> CostLine | None:
    if asked.cost is None and asked.prevalence is None:
        return None
    cost = asked.cost or {}
    strange = sorted(set(cost) - {"fn", "fp"})
    if strange:
        message = (
            f"cost of {strange[0]}: the line of equal cost has a cost of misses (fn) and of false "
            "alarms (fp). For right calls that cost use threshold, by='min-cost'."
        )
        raise RequestError(message)
    alarm, miss = (
        measures.exact_number(cost.get("fp", 1), "fp"),
        measures.exact_number(cost.get("fn", 1), "fn"),
    )
    best = measures.iso_performance(curve, fp=alarm, fn=miss, prevalence=asked.prevalence)
    share = curve.positive_total / (curve.positive_total + curve.negative_total)
    if asked.prevalence is not None:
        share = float(measures.exact_share(asked.prevalence, "prevalence"))
    first = best.points[0]
    return CostLine(
        fp=float(alarm),
        fn=float(miss),
        prevalence=share,
        slope=best.slope,
        intercept=best.intercept,
        cost=best.cost,
        thresholds=tuple(_finite(point.threshold) for point in best.points),
        false_alarm_rate=first.fp / curve.negative_total,
        detection_rate=first.tp / curve.positive_total,
    )


def _band(
    table: ScoreTable, asked: RocAsked, clusters: Grouped[ScoreTable] | None
) -> CurveBand | None:
    if asked.band == "none" or (clusters is not None and not asked.resamples):
        return None
    options: dict[str, Any] = {"method": asked.band, "level": asked.level, "clusters": clusters}
    if asked.band == "bootstrap" or clusters is not None:
        options |= {"rng": asked.rng(), "resamples": asked.resamples}
    found = uncertainty.roc_band(table, **options)
    return CurveBand(
        method=found.method,
        meaning=found.meaning,
        level=found.level,
        false_alarm_rates=tuple(found.false_alarm_rates.tolist()),
        low=tuple(found.low.tolist()),
        high=tuple(found.high.tolist()),
    )

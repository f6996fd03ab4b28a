"""One curve over folds."""

from collections.abc import Sequence
from math import sqrt

import numpy as np
from scipy.special import stdtrit

from steelyard import measures
from steelyard.counts import Grouped, ScoreTable
from steelyard.errors import RequestError
from steelyard.measures import Number, RateBand
from steelyard.results import (
    AveragedCurve,
    Estimate,
    Interval,
    RateLine,
)

__all__ = ["AVERAGES", "average_curve"]

AVERAGES = ("false-alarm-rate", "detection-rate", "threshold", "pooled")
POINTS = 500
POOLED = (
    "pooled: the scores of all folds in one curve, which is right only where scores mean the same "
    "in every fold; its area compares items of different folds too"
)


def average_curve(
    folds: Grouped[ScoreTable],
    by: str,
    *,
    whole: ScoreTable,
    at: Sequence[Number] | None,
    level: float,
) -> AveragedCurve:
    """Average the curves of folds by one recipe, or pool their scores, of which ``whole`` is."""
    if by == "pooled":
        return _pool(folds, whole, level)
    if by == "threshold" and at is None:
        message = (
            "Averaging at thresholds needs them: average_at=[0.1, 0.3, 0.5] "
            "(--average-at 0.1,0.3,0.5)."
        )
        raise RequestError(message)
    found = measures.average_roc(folds, by=by, at=at, level=level)  # type: ignore[arg-type]
    return AveragedCurve(
        by=by,
        folds=found.curves,
        places=tuple(found.places.tolist()),
        false_alarm_rates=_line(found.false_alarm_rates),
        detection_rates=_line(found.detection_rates),
        area=_mean_area(folds, level),
        meanings=found.meanings,
    )


def _line(band: RateBand | None) -> RateLine | None:
    if band is None:
        return None
    several = not np.ma.isMaskedArray(band.sd)
    return RateLine(
        mean=tuple(band.mean.tolist()),
        sd=tuple(band.sd.tolist()) if several else (),
        low=tuple(band.low.tolist()) if several else (),
        high=tuple(band.high.tolist()) if several else (),
    )


def _mean_area(folds: Grouped[ScoreTable], level: float) -> Estimate:
    """Give the mean of the areas of the folds, with Student's interval over folds."""
    areas = np.array([_area(part) for part in folds.parts])
    number = areas.size
    ends = None
    error = float(areas.std(ddof=1)) / sqrt(number) if number > 1 else 0.0
    if error > 0:
        half = -float(stdtrit(number - 1, (1 - level) / 2)) * error
        ends = Interval(
            low=max(0.0, float(areas.mean()) - half),
            high=min(1.0, float(areas.mean()) + half),
            level=level,
            method="student-over-folds",
        )
    return Estimate(
        measure=f"mean AUC of {folds.by}s",
        value=float(areas.mean()),
        interval=ends,
        standard_error=error or None,
        items=sum(part.total for part in folds.parts),
    )


def _area(part: ScoreTable) -> float:
    curve = measures.RocCurve.of(part)
    return float(curve.area()) if curve.complete else float(measures.auc(part).value or 0.0)


def _pool(folds: Grouped[ScoreTable], whole: ScoreTable, level: float) -> AveragedCurve:
    curve = measures.RocCurve.of(whole) if whole.thinned else measures.pooled_roc(folds)
    places = np.unique(
        np.linspace(0, curve.thresholds.size - 1, min(POINTS, curve.thresholds.size))
        .round()
        .astype(np.intp)
    )
    alarms, found = (
        RateLine(mean=tuple(rates[places].tolist()), sd=(), low=(), high=())
        for rates in (curve.false_alarm_rates, curve.detection_rates)
    )
    area = measures.auc(whole if whole.thinned else folds.merged(), level=level)
    return AveragedCurve(
        by="pooled",
        folds=len(folds),
        places=(),
        false_alarm_rates=alarms,
        detection_rates=found,
        area=Estimate(
            measure="AUC of pooled scores",
            value=area.value,
            interval=area.interval,
            standard_error=area.standard_error,
            items=area.items,
        ),
        meanings=(POOLED,),
    )

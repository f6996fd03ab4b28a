"""From scores to what can be drawn and slid along: curves, histograms, operating points."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from steelyard import measures, uncertainty
from steelyard.counts import ScoreTable
from steelyard.measures import RocCurve, ThresholdMethod

__all__ = ["FIRST", "OperatingStop", "ScoreCurve", "score_curve"]

STOPS = 120
FIRST: ThresholdMethod = "max-kappa"
"""The recipe whose threshold is shown first where none was chosen."""
CELLS = 4000
"""Points of a curve that fall into the same of so many cells a side are drawn as one."""
MOST_SCORES = 5000
BINS = 500

Band = tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]
"""False-alarm rates, and the lowest and highest detection rates that the level allows there."""

Share = tuple[float, float, float] | None
"""A share with its interval; None where there was nothing to share out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatingStop:
    """One threshold with its four counts; ``below`` is the next lower score."""

    threshold: float
    below: float | None
    tp: int
    fp: int
    fn: int
    tn: int
    recall: Share
    false_alarm_rate: Share
    precision: Share
    accuracy: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreCurve:
    """What is drawn of one system's scores; ``thresholds`` counts those that could be chosen.

    ``band`` holds the whole true curve with the level asked for, by :func:`roc_band`; ``stops``
    rise with the score, and ``first`` is the place of the one to begin at: the threshold that was
    ``chosen``, else where kappa is largest.
    """

    system: str
    positive: str
    positives: int
    negatives: int
    thresholds: int
    false_alarm_rates: tuple[float, ...]
    detection_rates: tuple[float, ...]
    band: Band
    stops: tuple[OperatingStop, ...]
    first: int
    chosen: bool
    scores: tuple[float, ...]
    positive_counts: tuple[int, ...]
    negative_counts: tuple[int, ...]


def score_curve(
    system: str, table: ScoreTable, *, level: float, at: float | None = None
) -> ScoreCurve:
    """Make the curve of one system, with a stop at the threshold ``at``; one class is refused."""
    curve = RocCurve.of(table)
    drawn = _draw_places(curve)
    scores, positives, negatives = _bin(table)
    begin = measures.find_threshold(table, FIRST).threshold if at is None else at
    spread = curve.thresholds[_stop_places(curve)].tolist()
    stops = sorted({*spread, *([] if begin is None else [begin])})
    return ScoreCurve(
        system=system,
        positive=table.positive,
        positives=curve.positive_total,
        negatives=curve.negative_total,
        thresholds=len(table.scores),
        false_alarm_rates=tuple(curve.false_alarm_rates[drawn].tolist()),
        detection_rates=tuple(curve.detection_rates[drawn].tolist()),
        band=_band(table, level),
        stops=tuple(_stop(curve, one, level) for one in stops),
        first=len(stops) // 2 if begin is None else stops.index(begin),
        chosen=at is not None,
        scores=tuple(scores.tolist()),
        positive_counts=tuple(positives.tolist()),
        negative_counts=tuple(negatives.tolist()),
    )


def _band(table: ScoreTable, level: float) -> Band:
    """Find the band that holds the whole curve, whatever the scores are."""
    found = uncertainty.roc_band(table, level=level)
    edges = (found.false_alarm_rates, found.low, found.high)
    across, low, high = (tuple(edge.tolist()) for edge in edges)
    return across, low, high


def _draw_places(curve: RocCurve) -> NDArray[np.intp]:
    """Leave out points that no picture can tell from the one before."""
    cells = np.stack(
        [
            np.rint(curve.false_alarm_rates * CELLS).astype(np.int64),
            np.rint(curve.detection_rates * CELLS).astype(np.int64),
        ]
    )
    changes = (np.diff(cells, axis=1) != 0).any(axis=0)
    return np.flatnonzero(np.concatenate([[True], changes]) | np.concatenate([changes, [True]]))


def _stop_places(curve: RocCurve) -> NDArray[np.intp]:
    """Choose finite thresholds whose numbers of calls are spread evenly."""
    called = (curve.false_alarms + curve.detections)[1:-1]
    if len(called) <= STOPS:
        return np.arange(1, len(called) + 1)
    wanted = np.linspace(called[0], called[-1], STOPS)
    return np.unique(np.searchsorted(called, wanted).clip(0, len(called) - 1)) + 1


def _stop(curve: RocCurve, at: float, level: float) -> OperatingStop:
    """Count at a threshold, which need not be a score: called is what lies there or above."""
    place = int(np.searchsorted(-curve.thresholds, -at, side="right")) - 1
    point = curve.point(place, measures=())
    following = float(curve.thresholds[place + 1]) if place + 1 < len(curve.thresholds) else np.nan
    return OperatingStop(
        threshold=at,
        below=following if np.isfinite(following) else None,
        tp=point.tp,
        fp=point.fp,
        fn=point.fn,
        tn=point.tn,
        recall=_share(point.tp, point.tp + point.fn, level),
        false_alarm_rate=_share(point.fp, point.fp + point.tn, level),
        precision=_share(point.tp, point.tp + point.fp, level),
        accuracy=_share(point.tp + point.tn, curve.positive_total + curve.negative_total, level),
    )


def _share(right: int, total: int, level: float) -> Share:
    if total == 0:
        return None
    low, high = uncertainty.wilson_interval(right, total, level=level)
    return right / total, low, high


def _bin(
    table: ScoreTable,
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Put many different scores into bins; the picture has fewer bars than that."""
    scores = np.asarray(table.scores, dtype=np.float64)
    positives = np.asarray(table.positives, dtype=np.int64)
    negatives = np.asarray(table.negatives, dtype=np.int64)
    if len(scores) <= MOST_SCORES:
        return scores, positives, negatives
    edges = np.linspace(scores[0], scores[-1], BINS + 1)
    cell = np.searchsorted(edges, scores, side="right").clip(1, BINS) - 1
    sums = [np.zeros(BINS, dtype=np.int64) for _ in range(2)]
    for total, counts in zip(sums, (positives, negatives), strict=True):
        np.add.at(total, cell, counts)
    return (edges[:-1] + edges[1:]) / 2, sums[0], sums[1]

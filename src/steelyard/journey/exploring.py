"""All that a page shows of one file: what was understood, how good each system is, every threshold.

Everything a slider can reach is worked out beforehand, so that moving it computes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import Confusion, ScoreTable
from steelyard.errors import RefusedData, RequestError
from steelyard.journey.evaluation.evaluate import evaluate
from steelyard.journey.evaluation.guidance import further_measures
from steelyard.journey.evaluation.question import EvaluationQuestion
from steelyard.journey.opening import RoleArguments, opened
from steelyard.journey.roc_curves.drawing import ScoreCurve, score_curve
from steelyard.journey.thresholds.threshold import threshold
from steelyard.measures import RocCurve, accuracy, cohen_kappa, recall_and_precision
from steelyard.results import Estimate, Evaluation, Proportion, ThresholdChoice
from steelyard.sources import Predictions
from steelyard.tally import tally_score_table

__all__ = ["Exploration", "ExploredScores", "ThresholdPoint", "explore", "opened_within"]

STOPS = 160
MOST_EXPLORED = 12
OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdPoint:
    """One threshold: its four counts and every measure of them; ``below`` is the next score."""

    threshold: float
    below: float | None
    tp: int
    fp: int
    fn: int
    tn: int
    false_alarm_rate: float
    detection_rate: float
    measures: tuple[Proportion | Estimate, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExploredScores:
    """The scores of one system: its curve, its thresholds by rising score, what recipes choose."""

    curve: ScoreCurve
    points: tuple[ThresholdPoint, ...]
    choice: ThresholdChoice

    @property
    def thinned(self) -> bool:
        """Tell whether the points are some of many thresholds."""
        return self.curve.thresholds > len(self.points)

    def nearest(self, wanted: float) -> int:
        """Find the place of the threshold that lies nearest."""
        away = [abs(point.threshold - wanted) for point in self.points]
        return away.index(min(away))

    def middle(self) -> int:
        """Give the place in the middle."""
        return len(self.points) // 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Exploration:
    """The evaluation, and the thresholds of the systems that give scores."""

    evaluation: Evaluation
    scores: tuple[ExploredScores, ...]
    refusals: tuple[str, ...]


def explore(
    data: Any,  # noqa: ANN401
    *,
    level: float = 0.95,
    most_rows: int | None = None,
    **roles: Unpack[RoleArguments],
) -> Exploration:
    """Evaluate, and work out every threshold that a slider may stop at.

    Takes what :func:`steelyard.evaluate` takes; more than ``most_rows`` rows are refused.

    Examples
    --------
    >>> columns = {"truth": ["a", "b", "a", "b"], "svm": [0.9, 0.2, 0.6, 0.7]}
    >>> found = explore(columns, positive="a", score="svm")
    >>> [(point.threshold, point.tp, point.fp) for point in found.scores[0].points]
    [(0.2, 2, 2), (0.5, 2, 1), (0.6, 2, 1), (0.7, 1, 1), (0.9, 1, 0)]
    """
    predictions = opened_within(data, most_rows, **roles)
    evaluation = evaluate(predictions, level=level)
    scores, refusals = _explored(predictions, level)
    for file in predictions.files:
        file.refuse_change()
    return Exploration(evaluation=evaluation, scores=scores, refusals=refusals)


def opened_within(
    data: Any,  # noqa: ANN401
    most_rows: int | None,
    **roles: Unpack[RoleArguments],
) -> Predictions:
    """Open predictions for a page, which counts no more than ``most_rows`` rows."""
    predictions = opened(data, roles)
    if most_rows is not None and predictions.rows > most_rows:
        message = (
            f"{predictions.rows:,d} rows are more than the {most_rows:,d} that the page takes. "
            "Use steelyard report, or start with --most-rows."
        )
        raise RequestError(message, code="too-many-rows")
    return predictions


def _explored(
    predictions: Predictions, level: float
) -> tuple[tuple[ExploredScores, ...], tuple[str, ...]]:
    scored = predictions.holding("score")
    if scored and predictions.weighted:
        return (), ("No thresholds: rows carry weights, and a threshold counts whole items.",)
    found, refused = [], []
    for system in scored[:MOST_EXPLORED]:
        try:
            found.append(_thresholds(system.name, tally_score_table(predictions, system), level))
        except RefusedData as error:
            refused.append(f"No thresholds of {system.name}: {error}")
    if len(scored) > MOST_EXPLORED:
        names = f"the first {MOST_EXPLORED} of {len(scored)} systems"
        refused.append(f"Thresholds are shown for {names}; name others as systems.")
    return tuple(found), tuple(refused)


def _thresholds(system: str, table: ScoreTable, level: float) -> ExploredScores:
    curve = RocCurve.of(table)
    choice = threshold(table, level=level, resamples=0)
    named = [one.threshold for one in choice.methods if one.threshold is not None]
    stops = sorted({*_spread(curve).tolist(), *named})
    return ExploredScores(
        curve=score_curve(system, table, level=level),
        points=tuple(_point(curve, one, table.positive, level) for one in stops),
        choice=choice,
    )


def _spread(curve: RocCurve) -> NDArray[np.float64]:
    """Choose thresholds whose numbers of calls are spread evenly, all where they are few."""
    finite = np.flatnonzero(np.isfinite(curve.thresholds))
    thresholds: NDArray[np.float64] = curve.thresholds[finite]
    if len(finite) <= STOPS:
        return thresholds
    called = (curve.false_alarms + curve.detections)[finite]
    wanted = np.linspace(called[0], called[-1], STOPS)
    places = np.unique(np.searchsorted(called, wanted).clip(0, len(finite) - 1))
    chosen: NDArray[np.float64] = thresholds[places]
    return chosen


def _point(curve: RocCurve, at: float, positive: str, level: float) -> ThresholdPoint:
    rising = curve.thresholds[::-1]
    place = len(rising) - int(np.searchsorted(rising, at, side="left")) - 1
    tp, fp = int(curve.detections[place]), int(curve.false_alarms[place])
    fn, tn = curve.positive_total - tp, curve.negative_total - fp
    below = _finite(curve.thresholds[place + 1 : place + 2].tolist())
    other = OTHER if positive != OTHER else "the rest"
    counts = Confusion.from_binary(tp=tp, fp=fp, fn=fn, tn=tn, positive=positive, negative=other)
    return ThresholdPoint(
        threshold=at,
        below=below,
        tp=tp,
        fp=fp,
        fn=fn,
        tn=tn,
        false_alarm_rate=fp / curve.negative_total,
        detection_rate=tp / curve.positive_total,
        measures=_measured(counts, positive, level),
    )


def _finite(values: Sequence[float]) -> float | None:
    return next((value for value in values if np.isfinite(value)), None)


def _measured(counts: Confusion, positive: str, level: float) -> tuple[Proportion | Estimate, ...]:
    recall, precision = recall_and_precision(counts, level=level)[positive]
    return (
        recall,
        precision,
        accuracy(counts, level=level),
        cohen_kappa(counts, level=level),
        *further_measures(counts, positive=positive, question=EvaluationQuestion(level=level)),
    )

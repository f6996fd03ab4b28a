"""All that a page shows of one file: what was understood, how good each system is, every threshold.

Everything a slider can reach is worked out beforehand, so that moving it computes nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from steelyard import tally
from steelyard.counts import Confusion, ScoreTable
from steelyard.engines.dialect import quote_name
from steelyard.engines.local import LocalEngine
from steelyard.errors import RefusedData, RequestError
from steelyard.journey.evaluation.evaluate import evaluate
from steelyard.journey.evaluation.exposures import split_exposure
from steelyard.journey.evaluation.question import EvaluationQuestion, further_measures
from steelyard.journey.opening import RoleArguments, open_data
from steelyard.journey.roc_curves.drawing import ScoreCurve, score_curve
from steelyard.journey.thresholds.threshold import threshold
from steelyard.measures import RocCurve, accuracy, cohen_kappa, recall_and_precision
from steelyard.results import Estimate, Evaluation, Proportion, ThresholdChoice
from steelyard.sources import FileOptions, Origin, Predictions, System
from steelyard.sources.files.files import open_file
from steelyard.sources.logs import detect_log

__all__ = [
    "Exploration",
    "ExploredScores",
    "SeenFile",
    "ThresholdPoint",
    "explore",
    "look",
    "open_within",
]

# All that a page shows of one file: what was understood, how good each system is, every threshold


STOPS = 160
RESAMPLES = 200
MOST_RESAMPLED = 50_000
"""Items up to which a page waits for resamples."""
MOST_EXPLORED = 12
"""Systems whose thresholds are worked out beforehand; another one is when it is asked for."""
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
    """The scores of one system: its curve, its thresholds by rising score, what recipes choose.

    ``cheapest`` says what the least cost is on new data, where costs were told.
    """

    curve: ScoreCurve
    points: tuple[ThresholdPoint, ...]
    choice: ThresholdChoice
    cheapest: ThresholdChoice | None = None

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
    """The evaluation, and the thresholds of the best systems that give scores.

    ``scored`` are the names of all that give scores, the highest area first.
    """

    evaluation: Evaluation
    scores: tuple[ExploredScores, ...]
    refusals: tuple[str, ...]
    scored: tuple[str, ...] = ()

    def lacks(self, system: str) -> bool:
        """Tell whether a system gives scores whose thresholds were not worked out."""
        return system in self.scored and all(one.curve.system != system for one in self.scores)


def explore(
    data: Any,  # noqa: ANN401
    *,
    level: float = 0.95,
    most_rows: int | None = None,
    wanted: Mapping[str, Any] | None = None,
    certainty: Sequence[str] | str | None = None,
    exposure: str | None = None,
    shown: str | None = None,
    **roles: Unpack[RoleArguments],
) -> Exploration:
    """Evaluate, and work out every threshold that a slider may stop at.

    Takes what :func:`steelyard.evaluate` takes; more than ``most_rows`` rows are refused.
    ``wanted`` is what recipes are told, as :func:`steelyard.threshold` takes it: a recall, a budget
    of false alarms, costs. With ``certainty`` only risk and coverage are evaluated. Of many systems
    the thresholds of the best are worked out, and those of ``shown``.

    Examples
    --------
    >>> columns = {"truth": ["a", "b", "a", "b"], "svm": [0.9, 0.2, 0.6, 0.7]}
    >>> found = explore(columns, positive="a", score="svm")
    >>> [(point.threshold, point.tp, point.fp) for point in found.scores[0].points]
    [(0.2, 2, 2), (0.5, 2, 1), (0.6, 2, 1), (0.7, 1, 1), (0.9, 1, 0)]
    """
    predictions = open_within(data, most_rows, exposure=exposure, **roles)
    if certainty:
        sure = evaluate(data, level=level, certainty=certainty, **roles)
        return Exploration(evaluation=sure, scores=(), refusals=())
    evaluation = evaluate(predictions, level=level, exposure=exposure)
    ranked = _rank_scored(predictions, evaluation)
    first = [one for one in ranked if one.name == shown]
    chosen = [*first, *(one for one in ranked if one.name != shown)][:MOST_EXPLORED]
    chosen.sort(key=ranked.index)
    scores, refusals = _explore(predictions, chosen, level, wanted or {})
    for file in predictions.files:
        file.refuse_change()
    names = tuple(one.name for one in ranked)
    return Exploration(evaluation=evaluation, scores=scores, refusals=refusals, scored=names)


def open_within(
    data: Any,  # noqa: ANN401
    most_rows: int | None,
    *,
    exposure: str | None = None,
    **roles: Unpack[RoleArguments],
) -> Predictions:
    """Open predictions for a page, which counts no more than ``most_rows`` rows.

    A column of ``exposure`` is read with them.
    """
    predictions = open_data(data, split_exposure(exposure, roles)[1])
    if most_rows is not None and predictions.rows > most_rows:
        message = (
            f"{predictions.rows:,d} rows are more than the {most_rows:,d} that the page takes. "
            "Use steelyard report, or start with --most-rows."
        )
        raise RequestError(message, code="too-many-rows")
    return predictions


def _rank_scored(predictions: Predictions, evaluation: Evaluation) -> list[System]:
    """Order the systems that give scores, the highest area first."""
    areas = {one.system: one.area.value or 0.0 for one in evaluation.systems if one.area}
    return sorted(predictions.holding("score"), key=lambda one: -areas.get(one.name, 0.0))


def _explore(
    predictions: Predictions, scored: Sequence[System], level: float, wanted: Mapping[str, Any]
) -> tuple[tuple[ExploredScores, ...], tuple[str, ...]]:
    if scored and predictions.weighted:
        return (), ("No thresholds: rows carry weights, and a threshold counts whole items.",)
    found, refused = [], []
    for system in scored:
        try:
            table = tally.tally_score_table(predictions, system)
            found.append(_thresholds(system.name, table, level, wanted))
        except RefusedData as error:
            refused.append(f"No thresholds of {system.name}: {error}")
    return tuple(found), tuple(refused)


def _thresholds(
    system: str, table: ScoreTable, level: float, wanted: Mapping[str, Any]
) -> ExploredScores:
    curve = RocCurve.of(table)
    choice = threshold(table, level=level, resamples=0, **wanted)
    cheapest = None
    if not {"cost", "prevalence"}.isdisjoint(wanted) and table.total <= MOST_RESAMPLED:
        cheapest = threshold(table, by="min-cost", level=level, resamples=RESAMPLES, **wanted)
    named = [one.threshold for one in choice.methods if one.threshold is not None]
    stops = sorted({*_choose_evenly(curve).tolist(), *named})
    return ExploredScores(
        curve=score_curve(system, table, level=level),
        points=tuple(_point(curve, one, table.positive, level) for one in stops),
        choice=choice,
        cheapest=cheapest,
    )


def _choose_evenly(curve: RocCurve) -> NDArray[np.float64]:
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
        measures=_measure(counts, positive, level),
    )


def _finite(values: Sequence[float]) -> float | None:
    return next((value for value in values if np.isfinite(value)), None)


def _measure(counts: Confusion, positive: str, level: float) -> tuple[Proportion | Estimate, ...]:
    recall, precision = recall_and_precision(counts, level=level)[positive]
    return (
        recall,
        precision,
        accuracy(counts, level=level),
        cohen_kappa(counts, level=level),
        *further_measures(counts, positive=positive, question=EvaluationQuestion(level=level)),
    )


# --- what a file shows before anything is asked of it, so that people can say what it means ------


MOST_CLASSES = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenFile:
    """How a file was read, its columns, and the values of the one that may hold the truth.

    A ``log`` of an evaluation has no columns that need a meaning.
    """

    read_as: str
    columns: tuple[str, ...]
    classes: tuple[str, ...]
    all_classes: bool
    log: bool = False


def look(
    path: str | Path,
    *,
    truth: str | None = None,
    delimiter: str | None = None,
    decimal: Any = None,  # noqa: ANN401
    encoding: str | None = None,
    columns: Sequence[str] | None = None,
    table: str | None = None,
) -> SeenFile:
    """Look at a file without giving its columns a meaning.

    The values of the column of the truth are listed (the first sixty, by the alphabet); it is the
    one named, or else ``truth``.
    """
    format_ = detect_log(Path(path), plain=False)
    if format_ is not None:
        return SeenFile(read_as=format_.name, columns=(), classes=(), all_classes=True, log=True)
    options = FileOptions(
        delimiter=delimiter,
        decimal=decimal,
        encoding=encoding,
        columns=None if columns is None else tuple(columns),
        table=table,
    )
    column = truth or "truth"
    seen: list[str] = []

    def choose(names: Sequence[str]) -> Sequence[str]:
        seen.extend(names)
        return [column] if column in names else names[:1]

    origin = open_file(LocalEngine(), Path(path), options, choose)
    found = _values(origin, column) if column in origin.columns else []
    return SeenFile(
        read_as=", ".join(file.read_as for file in origin.files),
        columns=tuple(seen) or origin.columns,
        classes=tuple(found[:MOST_CLASSES]),
        all_classes=len(found) <= MOST_CLASSES,
    )


def _values(origin: Origin, column: str) -> list[str]:
    name = quote_name(column)
    rows = origin.table.query(
        f"SELECT DISTINCT CAST({name} AS VARCHAR) AS v FROM {{t}} WHERE {name} IS NOT NULL "
        f"ORDER BY v LIMIT {MOST_CLASSES + 1}"
    )
    return [str(value) for (value,) in rows if value != ""]

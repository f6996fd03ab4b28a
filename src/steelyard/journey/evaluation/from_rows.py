"""One system judged from rows: its calls, scores, answers and vectors."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from steelyard.counts import (
    VectorRule,
)
from steelyard.journey.evaluation.from_tables import of_clusters, of_confusion, of_outcomes
from steelyard.journey.evaluation.measures import AskedMeasure, asked_with, measure_system
from steelyard.journey.evaluation.question import (
    EvaluationQuestion,
)
from steelyard.journey.evaluation.repeats import Tries, with_tries
from steelyard.journey.evaluation.vectors import sum_vectors
from steelyard.measures import (
    accuracy,
    auc,
    cluster_caveats,
    clustered_accuracy,
    clustered_auc,
    clustered_trials,
    counted_accuracy,
)
from steelyard.results import (
    Estimate,
    Proportion,
    SystemEvaluation,
)
from steelyard.results.measured import Measured
from steelyard.sources import Predictions, System
from steelyard.tally import (
    tally_cluster_areas,
    tally_confusion,
    tally_confusion_by,
    tally_confusion_by_slice,
    tally_right_by_slice,
    tally_score_table,
    tally_score_table_by,
    tally_score_table_by_slice,
    tally_trials,
    tally_trials_by,
)

__all__ = ["evaluated_system"]

SCORE_RULES: tuple[VectorRule, ...] = ("spherical", "winner")
PROBABILITY_RULES: tuple[VectorRule, ...] = ("brier", "log")


def evaluated_system(
    predictions: Predictions,
    system: System,
    asked: EvaluationQuestion,
    tries: Tries,
    measures: Sequence[AskedMeasure] = (),
) -> SystemEvaluation:
    """Judge one system by whatever it gives, and by the measures asked for."""
    level = asked.level
    parts: dict[str, Any] = {"caveats": ()}
    if system.holds == "score":
        parts |= _scored(predictions, system, level)
    if system.holds == "outcome":
        parts |= _right_or_wrong(predictions, system, asked)
    elif system.holds != "score" or system.threshold is not None:
        already = parts["caveats"]
        parts |= _called(predictions, system, asked)
        parts["caveats"] = tuple(dict.fromkeys((*already, *parts["caveats"])))
    if system.holds == "vector":
        parts["vector"] = _vectors(predictions, system, level)
    if measures:
        given = asked_with(asked, predictions.positive)
        found, slices = measure_system(predictions, system, measures, given, parts)
        doubts = (f"{one.measure}: {doubt}" for one in found for doubt in one.caveats)
        parts |= {"further": found, "slices": slices}
        parts["caveats"] = tuple(dict.fromkeys((*parts["caveats"], *doubts)))
    if system in predictions.with_answers():
        parts = with_tries(predictions, system, parts, tries=tries, level=level)
    return SystemEvaluation(system=system.name, holds=system.holds, **parts)


def _scored(predictions: Predictions, system: System, level: float) -> dict[str, Any]:
    if "cluster" in predictions.splits:
        grouped = tally_cluster_areas(predictions, system)
        area = clustered_auc(grouped, level=level)
        said = (*cluster_caveats(len(grouped), area.items or 0), *area.caveats)
    else:
        area = auc(tally_score_table(predictions, system), level=level)
        said = area.caveats
    parts: dict[str, Any] = {"area": area, "items": area.items, "caveats": said}
    if "group" in predictions.splits:
        parts["slices"] = tuple(
            replace(one, of=name) for name, one in _sliced_areas(predictions, system, level).items()
        )
    return parts


def _sliced_areas(predictions: Predictions, system: System, level: float) -> dict[str, Estimate]:
    if "cluster" in predictions.splits:
        sliced = tally_score_table_by_slice(predictions, system)
        return {name: clustered_auc(grouped, level=level) for name, grouped in sliced.items()}
    return {
        name: auc(part, level=level)
        for name, part in tally_score_table_by(predictions, system, "group")
    }


def _right_or_wrong(
    predictions: Predictions, system: System, asked: EvaluationQuestion
) -> dict[str, Any]:
    level = asked.level
    trials = tally_trials(predictions, [system])
    parts = of_outcomes(trials, system.name, asked)
    if "cluster" in predictions.splits:
        grouped = tally_trials_by(predictions, "cluster", [system])
        counted = {name: (part.correct[0], part.tested[0]) for name, part in grouped}
        parts["accuracy"] = _clustered_right(counted, level)
        parts["caveats"] = cluster_caveats(len(grouped), parts["items"])
    if "group" in predictions.splits:
        sliced = _sliced_right(predictions, system, asked)
        parts["slices"] = tuple(replace(one, of=name) for name, one in sliced.items())
    return parts


def _clustered_right(counted: Mapping[str, tuple[int, int]], level: float) -> Proportion:
    correct, tested = ({name: pair[at] for name, pair in counted.items()} for at in (0, 1))
    return clustered_trials(correct, tested, level=level)


def _sliced_right(
    predictions: Predictions, system: System, asked: EvaluationQuestion
) -> dict[str, Proportion]:
    level, method = asked.level, asked.method
    if "cluster" in predictions.splits:
        sliced = tally_right_by_slice(predictions, system)
        return {name: _clustered_right(counted, level) for name, counted in sliced.items()}
    return {
        name: counted_accuracy(part.correct[0], part.tested[0], level=level, method=method)
        for name, part in tally_trials_by(predictions, "group", [system])
    }


def _called(predictions: Predictions, system: System, asked: EvaluationQuestion) -> dict[str, Any]:
    if "cluster" in predictions.splits:
        grouped = tally_confusion_by(predictions, system, "cluster")
        parts = of_clusters(grouped, asked, predictions.positive)
    else:
        parts = of_confusion(tally_confusion(predictions, system), asked, predictions.positive)
    if "group" in predictions.splits:
        sliced = _sliced_accuracies(predictions, system, asked)
        parts["slices"] = tuple(replace(one, of=name) for name, one in sliced.items())
    return parts


def _sliced_accuracies(
    predictions: Predictions, system: System, asked: EvaluationQuestion
) -> dict[str, Measured]:
    level, method = asked.level, asked.method
    if "cluster" in predictions.splits:
        sliced = tally_confusion_by_slice(predictions, system)
        return {name: clustered_accuracy(part, level=level) for name, part in sliced.items()}
    return {
        name: accuracy(part, level=level, method=method)
        for name, part in tally_confusion_by(predictions, system, "group")
    }


def _vectors(predictions: Predictions, system: System, level: float) -> tuple[Estimate, ...]:
    rules = (*SCORE_RULES, *(PROBABILITY_RULES if system.probabilities else ()))
    sums = sum_vectors(predictions, [system])
    return tuple(sums.score(rule, system.name, level=level) for rule in rules)

"""Counts that are already there become an answer of their own."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from steelyard.counts import (
    Confusion,
    JointCalls,
    Outcomes,
    ScoreTable,
    Trials,
)
from steelyard.errors import NotComparable, RequestError
from steelyard.journey.evaluation.from_tables import of_confusion, of_outcomes
from steelyard.journey.evaluation.guidance import guide_of
from steelyard.journey.evaluation.measures import AskedMeasure, asked_with, measure_table
from steelyard.journey.evaluation.question import (
    EvaluationQuestion,
)
from steelyard.journey.opening import record_of_counts
from steelyard.measures import (
    auc,
)
from steelyard.results import (
    Evaluation,
    SystemEvaluation,
)

__all__ = ["COUNTS", "with_measures"]


def _from_confusion(
    confusion: Confusion, asked: EvaluationQuestion, positive: str | None
) -> Evaluation:
    if positive is not None and positive not in confusion.classes:
        raise RequestError.for_choice(name="positive", given=positive, choices=confusion.classes)
    parts = of_confusion(confusion, asked, positive)
    system = SystemEvaluation(system="system", holds="called", **parts)
    return _alone((system,), confusion.classes, asked, positive=positive)


def _from_scores(table: ScoreTable, asked: EvaluationQuestion, positive: str | None) -> Evaluation:
    del positive
    area = auc(table, level=asked.level)
    system = SystemEvaluation(
        system="system", holds="score", items=table.total, area=area, caveats=area.caveats
    )
    return _alone((system,), (), asked, positive=table.positive)


def _from_trials(trials: Trials, asked: EvaluationQuestion, positive: str | None) -> Evaluation:
    del positive
    systems = tuple(
        SystemEvaluation(system=name, holds="outcome", **of_outcomes(trials, name, asked))
        for name in trials.systems
    )
    return _alone(systems, (), asked)


def _from_outcomes(
    outcomes: Outcomes, asked: EvaluationQuestion, positive: str | None
) -> Evaluation:
    return _from_trials(outcomes.trials(), asked, positive)


def _from_joint_calls(
    joint: JointCalls, asked: EvaluationQuestion, positive: str | None
) -> Evaluation:
    systems = tuple(
        SystemEvaluation(
            system=name, holds="called", **of_confusion(joint.confusion(name), asked, positive)
        )
        for name in joint.systems
    )
    return _alone(systems, joint.classes, asked, positive=positive)


COUNTS: dict[type, Callable[[Any, EvaluationQuestion, str | None], Evaluation]] = {
    Confusion: _from_confusion,
    ScoreTable: _from_scores,
    Trials: _from_trials,
    Outcomes: _from_outcomes,
    JointCalls: _from_joint_calls,
}


def with_measures(
    found: Evaluation,
    data: Any,  # noqa: ANN401
    asked: Sequence[AskedMeasure],
    question: EvaluationQuestion,
) -> Evaluation:
    """Put the measures asked for in place of the further ones."""
    given = asked_with(question, found.positive)

    def measured(one: SystemEvaluation) -> SystemEvaluation:
        counts = data if isinstance(data, ScoreTable) else one.confusion
        if counts is None:
            message = (
                "These counts hold right and wrong answers only, whose accuracy stands in every "
                "evaluation; measure= needs a Confusion, JointCalls or a ScoreTable."
            )
            raise NotComparable(message, code="measure-needs")
        return replace(one, further=measure_table(counts, asked, given))

    return replace(found, systems=tuple(measured(one) for one in found.systems))


def _alone(
    systems: tuple[SystemEvaluation, ...],
    classes: tuple[str, ...],
    asked: EvaluationQuestion,
    *,
    positive: str | None = None,
) -> Evaluation:
    return Evaluation(
        systems=systems,
        classes=classes,
        positive=positive,
        level=asked.level,
        provenance=record_of_counts(asked.settings()),
        guide=guide_of(systems, positive, costs=asked.cost is not None),
    )

"""One system judged from rows: its calls, scores, answers and vectors."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from steelyard import measures, tally
from steelyard.counts import (
    Confusion,
    Grouped,
    JointCalls,
    Outcomes,
    PlacementSums,
    ScoreTable,
    Trials,
    VectorRule,
)
from steelyard.errors import NotComparable, RequestError
from steelyard.journey.evaluation.measures import ask_with, measure_system, measure_table
from steelyard.journey.evaluation.question import (
    EvaluationQuestion,
    cost_pairs,
    explain_kappa,
    further_measures,
    guide_of,
    test_against_nothing,
)
from steelyard.journey.evaluation.repeats import Tries, with_tries
from steelyard.journey.evaluation.vectors import sum_vectors
from steelyard.journey.missing import say_missing
from steelyard.journey.opening import record_of_counts
from steelyard.measures import (
    accuracy,
    cohen_kappa,
    counted_accuracy,
    recall_and_precision,
    warn_if_useless,
)
from steelyard.measures.catalogue.asked import AskedMeasure
from steelyard.measures.tables.shares import weight_caveats
from steelyard.results import (
    Caveat,
    ClassMeasures,
    Estimate,
    Evaluation,
    Proportion,
    SystemEvaluation,
)
from steelyard.results.measured import Measured
from steelyard.sources import Predictions, System

__all__ = [
    "COUNTS",
    "evaluate_system",
    "of_clusters",
    "of_confusion",
    "of_outcomes",
    "with_measures",
]

# --- one table of calls, or one for each cluster, becomes the parts of an answer -----------------


NO_WIDTH = (
    "Wald's interval has no width when all or none are right, which does not mean certainty: "
    "method='wilson' (--method wilson) has one"
)


def of_clusters(
    grouped: Grouped[Confusion], asked: EvaluationQuestion, positive: str | None = None
) -> dict[str, Any]:
    """Measure all clusters together, with intervals that take clusters as independent."""
    if asked.method != "wilson":
        message = (
            f"method={asked.method!r} takes items as independent, and these come in clusters. "
            "Leave the method out: intervals are then cluster-robust."
        )
        raise RequestError(message)
    if asked.kappa_method is not None:
        message = (
            f"kappa_method={asked.kappa_method!r} takes items as independent, and these come in "
            "clusters. Leave it out: the interval of kappa is then cluster-robust."
        )
        raise RequestError(message)
    level, whole = asked.level, grouped.merged()
    parts = of_confusion(whole, asked, positive)
    of_items = parts["kappa"].caveats
    parts["accuracy"] = measures.clustered_accuracy(grouped, level=level)
    costs = None if asked.cost is None else cost_pairs(whole, asked.cost, positive)
    parts["further"] = measures.clustered_measures(
        grouped,
        lambda table: further_measures(table, positive=positive, question=asked),
        costs=costs,
        level=level,
    )
    parts["kappa"] = measures.clustered_kappa(grouped, level=level)
    parts["per_class"] = tuple(
        replace(
            one,
            recall=measures.clustered_class_share(grouped, "recall", of=one.name, level=level),
            precision=measures.clustered_class_share(
                grouped, "precision", of=one.name, level=level
            ),
        )
        for one in parts["per_class"]
    )
    parts["caveats"] = (
        *measures.cluster_caveats(len(grouped), whole.total),
        *(one for one in parts["caveats"] if one not in of_items),
        *parts["kappa"].caveats,
    )
    return parts


def of_confusion(
    confusion: Confusion, asked: EvaluationQuestion, positive: str | None = None
) -> dict[str, Any]:
    """Measure a table of calls with every interval."""
    level, method = asked.level, asked.method
    kappa = cohen_kappa(confusion, level=level, method=asked.kappa_method or "adjusted")
    true = confusion.true_totals()
    called = confusion.called_totals()
    return {
        "items": confusion.total,
        "accuracy": accuracy(confusion, level=level, method=method),
        "kappa": kappa,
        "per_class": tuple(
            ClassMeasures(name=name, recall=found, precision=meant)
            for name, (found, meant) in recall_and_precision(
                confusion, level=level, method=method
            ).items()
            if true[name] or called[name]
        ),
        "confusion": confusion,
        "further": _with_test(
            further_measures(confusion, positive=positive, question=asked),
            test_against_nothing(confusion),
        ),
        "caveats": (
            *_no_width(confusion, asked),
            *warn_if_useless(confusion),
            *explain_kappa(confusion),
            *(one for one in kappa.caveats if one not in weight_caveats(confusion)),
        ),
    }


def _with_test(measured: Sequence[Measured], test: tuple[Estimate, ...]) -> tuple[Measured, ...]:
    """Put the test of accuracy behind the rate that it is tested against."""
    places = [i for i, one in enumerate(measured) if one.measure == "no-information rate"]
    after = places[0] + 1 if places else len(measured)
    return (*measured[:after], *test, *measured[after:])


def _no_width(confusion: Confusion, asked: EvaluationQuestion) -> tuple[str, ...]:
    """Warn that Wald's interval says nothing where every item, or none, is right."""
    right = sum(rows for truth, called, rows in confusion.cells if truth == called)
    certain = right in {0, confusion.total} and confusion.total and confusion.weights is None
    return (NO_WIDTH,) if asked.method == "wald" and certain else ()


def of_outcomes(trials: Trials, system: str, asked: EvaluationQuestion) -> dict[str, Any]:
    """Measure answers that are right or wrong."""
    place = trials.systems.index(system)
    right, tested = trials.correct[place], trials.tested[place]
    found = counted_accuracy(right, tested, level=asked.level, method=asked.method)
    return {"items": tested, "accuracy": found}


# --- counts that are already there become an answer of their own ---------------------------------


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
    area = measures.auc(table, level=asked.level)
    system = SystemEvaluation(
        system="system", holds="score", items=table.total, area=area, caveats=area.caveats
    )
    return _alone((system,), (), asked, positive=table.positive)


def _from_placements(
    sums: PlacementSums, asked: EvaluationQuestion, positive: str | None
) -> Evaluation:
    del positive
    areas = {name: measures.auc(sums.score_table(name), level=asked.level) for name in sums.systems}
    systems = tuple(
        SystemEvaluation(
            system=name, holds="score", items=sums.total, area=area, caveats=area.caveats
        )
        for name, area in areas.items()
    )
    return _alone(systems, (), asked, positive=sums.positive)


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
    PlacementSums: _from_placements,
}


def with_measures(
    found: Evaluation,
    data: Any,  # noqa: ANN401
    asked: Sequence[AskedMeasure],
    question: EvaluationQuestion,
) -> Evaluation:
    """Put the measures asked for in place of the further ones."""
    given = ask_with(question, found.positive)

    def add_measures(one: SystemEvaluation) -> SystemEvaluation:
        counts = data if isinstance(data, ScoreTable) else one.confusion
        if counts is None:
            message = (
                "These counts hold right and wrong answers only, whose accuracy is in every "
                "evaluation; measure= needs a Confusion, JointCalls or a ScoreTable."
            )
            raise NotComparable(message, code="measure-needs")
        return replace(one, further=measure_table(counts, asked, given))

    return replace(found, systems=tuple(add_measures(one) for one in found.systems))


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


# --- one system judged from rows: its calls, scores, answers and vectors -------------------------


SCORE_RULES: tuple[VectorRule, ...] = ("spherical", "winner")
PROBABILITY_RULES: tuple[VectorRule, ...] = ("brier", "log")


def evaluate_system(
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
        parts |= _score(predictions, system, level)
    if system.holds == "outcome":
        parts |= _right_or_wrong(predictions, system, asked)
    elif system.holds != "score" or system.threshold is not None:
        already = parts["caveats"]
        parts |= _call(predictions, system, asked)
        parts["caveats"] = tuple(dict.fromkeys((*already, *parts["caveats"])))
    if system.holds == "vector":
        scores = parts["vector"] = _vectors(predictions, system, level)
        # What a vector of equal numbers scores belongs to each number; that one is too sure does
        # to the answer.
        short = (d for one in scores for d in one.caveats if Caveat.code_of(d) == "rare-items")
        parts["caveats"] = tuple(dict.fromkeys((*parts["caveats"], *short)))
    if measures:
        given = ask_with(asked, predictions.positive)
        found, slices = measure_system(predictions, system, measures, given, parts)
        doubts = (f"{one.measure}: {doubt}" for one in found for doubt in one.caveats)
        parts |= {"further": found, "slices": slices}
        parts["caveats"] = tuple(dict.fromkeys((*parts["caveats"], *doubts)))
    missing = say_missing(predictions, system, [(one.measure, one.of) for one in measures])
    parts["caveats"] = (*parts["caveats"], *missing)
    if system in predictions.with_answers():
        parts = with_tries(predictions, system, parts, tries=tries, level=level)
    return SystemEvaluation(system=system.name, holds=system.holds, **parts)


def _score(predictions: Predictions, system: System, level: float) -> dict[str, Any]:
    if "cluster" in predictions.splits:
        grouped = tally.tally_cluster_areas(predictions, system)
        area = measures.clustered_auc(grouped, level=level)
        said = (*measures.cluster_caveats(len(grouped), area.items or 0), *area.caveats)
    else:
        area = measures.auc(tally.tally_score_table(predictions, system), level=level)
        said = area.caveats
    parts: dict[str, Any] = {"area": area, "items": area.items, "caveats": said}
    if "group" in predictions.splits:
        parts["slices"] = tuple(
            replace(one, of=name) for name, one in _slice_areas(predictions, system, level).items()
        )
    return parts


def _slice_areas(predictions: Predictions, system: System, level: float) -> dict[str, Estimate]:
    if "cluster" in predictions.splits:
        sliced = tally.tally_score_table_by_slice(predictions, system)
        return {
            name: measures.clustered_auc(grouped, level=level) for name, grouped in sliced.items()
        }
    return {
        name: measures.auc(part, level=level)
        for name, part in tally.tally_score_table_by(predictions, system, "group")
    }


def _right_or_wrong(
    predictions: Predictions, system: System, asked: EvaluationQuestion
) -> dict[str, Any]:
    level = asked.level
    trials = tally.tally_trials(predictions, [system])
    parts = of_outcomes(trials, system.name, asked)
    if "cluster" in predictions.splits:
        grouped = tally.tally_trials_by(predictions, "cluster", [system])
        counted = {name: (part.correct[0], part.tested[0]) for name, part in grouped}
        parts["accuracy"] = _rate_of_clusters(counted, level)
        parts["caveats"] = measures.cluster_caveats(len(grouped), parts["items"])
    if "group" in predictions.splits:
        sliced = _slice_right(predictions, system, asked)
        parts["slices"] = tuple(replace(one, of=name) for name, one in sliced.items())
    return parts


def _rate_of_clusters(counted: Mapping[str, tuple[int, int]], level: float) -> Proportion:
    correct, tested = ({name: pair[at] for name, pair in counted.items()} for at in (0, 1))
    return measures.clustered_trials(correct, tested, level=level)


def _slice_right(
    predictions: Predictions, system: System, asked: EvaluationQuestion
) -> dict[str, Proportion]:
    level, method = asked.level, asked.method
    if "cluster" in predictions.splits:
        sliced = tally.tally_right_by_slice(predictions, system)
        return {name: _rate_of_clusters(counted, level) for name, counted in sliced.items()}
    return {
        name: counted_accuracy(part.correct[0], part.tested[0], level=level, method=method)
        for name, part in tally.tally_trials_by(predictions, "group", [system])
    }


def _call(predictions: Predictions, system: System, asked: EvaluationQuestion) -> dict[str, Any]:
    if "cluster" in predictions.splits:
        grouped = tally.tally_confusion_by(predictions, system, "cluster")
        parts = of_clusters(grouped, asked, predictions.positive)
    else:
        parts = of_confusion(
            tally.tally_confusion(predictions, system), asked, predictions.positive
        )
    if "group" in predictions.splits:
        sliced = _slice_accuracies(predictions, system, asked)
        parts["slices"] = tuple(replace(one, of=name) for name, one in sliced.items())
    return parts


def _slice_accuracies(
    predictions: Predictions, system: System, asked: EvaluationQuestion
) -> dict[str, Measured]:
    level, method = asked.level, asked.method
    if "cluster" in predictions.splits:
        sliced = tally.tally_confusion_by_slice(predictions, system)
        return {
            name: measures.clustered_accuracy(part, level=level) for name, part in sliced.items()
        }
    return {
        name: accuracy(part, level=level, method=method)
        for name, part in tally.tally_confusion_by(predictions, system, "group")
    }


def _vectors(predictions: Predictions, system: System, level: float) -> tuple[Estimate, ...]:
    rules = (*SCORE_RULES, *(PROBABILITY_RULES if system.probabilities else ()))
    sums = sum_vectors(predictions, [system])
    return tuple(sums.score(rule, system.name, level=level) for rule in rules)

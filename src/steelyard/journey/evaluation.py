"""How good is each system?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

from steelyard.counts import (
    Confusion,
    Grouped,
    JointCalls,
    Outcomes,
    ScoreTable,
    Trials,
    VectorRule,
)
from steelyard.counts.labels import canonical_label
from steelyard.errors import NotComparable, RequestError, switch
from steelyard.journey.evaluation_question import (
    MACRO,
    CostsGiven,
    EvaluationQuestion,
    evaluation_question,
)
from steelyard.journey.guidance import explained_kappa, further_measures, guide_of
from steelyard.journey.opening import RoleArguments, opened, provenance_of, record_of_counts
from steelyard.journey.tries import Tries, with_tries
from steelyard.measures import (
    Number,
    accuracy,
    auc,
    cluster_caveats,
    clustered_accuracy,
    clustered_auc,
    clustered_class_share,
    clustered_kappa,
    clustered_trials,
    clustered_vector_score,
    cohen_kappa,
    counted_accuracy,
    recall_and_precision,
    vector_score,
    warn_if_useless,
)
from steelyard.results import (
    ClassMeasures,
    Estimate,
    Evaluation,
    Proportion,
    SystemEvaluation,
)
from steelyard.results.measured import Measured
from steelyard.sources import Predictions, System
from steelyard.tally import (
    tally_confusion,
    tally_confusion_by,
    tally_confusion_by_slice,
    tally_right_by_slice,
    tally_score_table,
    tally_score_table_by,
    tally_score_table_by_slice,
    tally_trials,
    tally_trials_by,
    tally_vector_scores,
    tally_vector_scores_by,
)

__all__ = ["evaluate"]

SCORE_RULES: tuple[VectorRule, ...] = ("spherical", "winner")
PROBABILITY_RULES: tuple[VectorRule, ...] = ("brier", "log")


def evaluate(  # noqa: PLR0913
    data: Any,  # noqa: ANN401
    *,
    method: str = "wilson",
    average: str | Sequence[str] = MACRO,
    prevalence: Number | None = None,
    cost: CostsGiven | None = None,
    level: float = 0.95,
    pass_at: Any = None,  # noqa: ANN401
    estimand: str | None = None,
    benchmark: int | None = None,
    **roles: Unpack[RoleArguments],
) -> Evaluation:
    """Say how good each system is, with the uncertainty of every number.

    Parameters
    ----------
    data
        Whatever :func:`steelyard.sources.open_predictions` takes (paths, frames, columns), or
        counts: a ``Confusion``, ``ScoreTable``, ``Outcomes``, ``Trials`` or ``JointCalls``.
    method
        The interval of shares: ``wilson``, ``clopper-pearson``, ``midp``, ``jeffreys``,
        ``agresti-coull`` or ``wald``.
    average
        Means over classes: ``macro`` (every class the same), ``micro``, ``weighted``; one or
        several.
    prevalence
        Share of the positive class where the systems will work, for their predictive values
        there.
    cost
        What mistakes cost: ``{"fn": 5, "fp": 1}`` with a positive class, or a cost for every
        (truth, called); gives the expected cost of an item.
    level
        Coverage of the intervals.
    pass_at
        One k or several: pass@k and pass^k of items that were asked more than once. The cluster
        is the item.
    estimand
        Whom the numbers speak of: ``population`` (items like these, the default) or ``items``
        (these very items, each asked again).
    benchmark
        Size of a fixed benchmark of which these items are a random part: accuracy then speaks of
        all of it.
    **roles
        What the columns mean; see :class:`steelyard.journey.opening.RoleArguments`.

    Examples
    --------
    >>> import steelyard as sy
    >>> print(sy.evaluate(sy.Confusion.from_binary(tp=8, fp=1, fn=2, tn=9)).systems[0].accuracy)
    accuracy 0.850 [0.640, 0.948] (17/20)
    """
    asked = evaluation_question(
        level=level, method=method, average=average, prevalence=prevalence, cost=cost
    )
    tries = Tries.of(pass_at, estimand, benchmark)
    for kind, reading in COUNTS.items():
        if isinstance(data, kind):
            positive = _named_positive(roles)
            _refuse_roles(
                {**roles, "pass_at": pass_at, "estimand": estimand, "benchmark": benchmark}
            )
            return reading(data, asked, positive)
    predictions = opened(data, roles)
    systems = tuple(
        _evaluate_system(predictions, system, asked, tries) for system in predictions.systems
    )
    _check_calls(systems, asked)
    tried = ",".join(map(str, tries.pass_at)) or None
    settings = {**asked.settings(), "pass_at": tried, "estimand": estimand, "benchmark": benchmark}
    return Evaluation(
        systems=systems,
        classes=predictions.classes,
        positive=predictions.positive,
        level=level,
        provenance=provenance_of(predictions, settings),
        caveats=(*predictions.caveats, *tries.caveats),
        guide=guide_of(systems, predictions.positive, costs=cost is not None),
    )


def _check_calls(systems: Sequence[SystemEvaluation], asked: EvaluationQuestion) -> None:
    """Refuse costs and a prevalence that no system's calls can be weighed with."""
    name = "cost" if asked.cost is not None else "prevalence"
    wanted = asked.cost is not None or asked.prevalence is not None
    if wanted and all(one.confusion is None for one in systems):
        message = (
            f"{name}= is about called classes, and no system calls one. Scores call with a "
            f"threshold: {switch('threshold', '0.5')}."
        )
        raise NotComparable(message, code="no-calls")


def _evaluate_system(
    predictions: Predictions, system: System, asked: EvaluationQuestion, tries: Tries
) -> SystemEvaluation:
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
    if system in predictions.with_answers():
        parts = with_tries(predictions, system, parts, tries=tries, level=level)
    return SystemEvaluation(system=system.name, holds=system.holds, **parts)


def _scored(predictions: Predictions, system: System, level: float) -> dict[str, Any]:
    if "cluster" in predictions.splits:
        grouped = tally_score_table_by(predictions, system, "cluster")
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
    parts = _of_outcomes(trials, system.name, asked)
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
        parts = _of_clusters(grouped, asked, predictions.positive)
    else:
        parts = _of_confusion(tally_confusion(predictions, system), asked, predictions.positive)
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
    if "cluster" in predictions.splits:
        grouped = tally_vector_scores_by(predictions, "cluster", [system])
        return tuple(
            clustered_vector_score(grouped, rule, system.name, level=level) for rule in rules
        )
    sums = tally_vector_scores(predictions, [system])
    return tuple(vector_score(sums, rule, system=system.name, level=level) for rule in rules)


def _of_clusters(
    grouped: Grouped[Confusion], asked: EvaluationQuestion, positive: str | None = None
) -> dict[str, Any]:
    """Measure all clusters together, with intervals that take clusters as independent."""
    if asked.method != "wilson":
        message = (
            f"method={asked.method!r} takes items as independent, and these come in clusters. "
            "Leave the method out: intervals are then cluster-robust."
        )
        raise RequestError(message)
    level, whole = asked.level, grouped.merged()
    parts = _of_confusion(whole, asked, positive)
    parts["accuracy"] = clustered_accuracy(grouped, level=level)
    parts["further"] = tuple(replace(one, interval=None) for one in parts["further"])
    parts["kappa"] = clustered_kappa(grouped, level=level)
    parts["per_class"] = tuple(
        replace(
            one,
            recall=clustered_class_share(grouped, "recall", of=one.name, level=level),
            precision=clustered_class_share(grouped, "precision", of=one.name, level=level),
        )
        for one in parts["per_class"]
    )
    parts["caveats"] = (
        *cluster_caveats(len(grouped), whole.total),
        "further measures stand without intervals, which would ignore the clusters",
        *parts["caveats"],
    )
    return parts


def _of_confusion(
    confusion: Confusion, asked: EvaluationQuestion, positive: str | None = None
) -> dict[str, Any]:
    level, method = asked.level, asked.method
    true = confusion.true_totals()
    called = confusion.called_totals()
    return {
        "items": confusion.total,
        "accuracy": accuracy(confusion, level=level, method=method),
        "kappa": cohen_kappa(confusion, level=level),
        "per_class": tuple(
            ClassMeasures(name=name, recall=found, precision=meant)
            for name, (found, meant) in recall_and_precision(
                confusion, level=level, method=method
            ).items()
            if true[name] or called[name]
        ),
        "confusion": confusion,
        "further": further_measures(confusion, positive=positive, question=asked),
        "caveats": (*warn_if_useless(confusion), *explained_kappa(confusion)),
    }


def _of_outcomes(trials: Trials, system: str, asked: EvaluationQuestion) -> dict[str, Any]:
    place = trials.systems.index(system)
    right, tested = trials.correct[place], trials.tested[place]
    found = counted_accuracy(right, tested, level=asked.level, method=asked.method)
    return {"items": tested, "accuracy": found}


def _from_confusion(
    confusion: Confusion, asked: EvaluationQuestion, positive: str | None
) -> Evaluation:
    if positive is not None and positive not in confusion.classes:
        raise RequestError.for_choice(name="positive", given=positive, choices=confusion.classes)
    parts = _of_confusion(confusion, asked, positive)
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
        SystemEvaluation(system=name, holds="outcome", **_of_outcomes(trials, name, asked))
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
            system=name, holds="called", **_of_confusion(joint.confusion(name), asked, positive)
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


def _named_positive(roles: RoleArguments) -> str | None:
    """Take the positive class out of the roles: counts have classes too."""
    given = roles.pop("positive", None)
    return None if given is None else canonical_label(given)


def _refuse_roles(roles: Mapping[str, object]) -> None:
    given = sorted(name for name, value in roles.items() if value is not None)
    if given:
        message = f"Counts have no columns, so {given[0]}= says nothing about them. Leave it out."
        raise RequestError(message)

"""How good is each system?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack, overload

from steelyard.counts import Exposure
from steelyard.counts.labels import canonical_label
from steelyard.errors import NotComparable, RequestError, switch
from steelyard.journey.arguments import refuse_beside, refuse_columns, refuse_excess
from steelyard.journey.declared_roles import refuse_group_beside, settle_roles
from steelyard.journey.evaluation.exposures import (
    Watched,
    event_rate,
    event_rates,
    false_alarm_exposures,
    split_exposure,
    table_exposure,
)
from steelyard.journey.evaluation.from_rows import COUNTS, evaluate_system, with_measures
from steelyard.journey.evaluation.measures import check_measures
from steelyard.journey.evaluation.question import (
    EvaluationQuestion,
    evaluation_question,
    guide_of,
)
from steelyard.journey.evaluation.repeats import Tries
from steelyard.journey.opening import (
    RoleArguments,
    asks_certainty,
    lives_on_device,
    open_data,
    provenance_of,
)
from steelyard.journey.option_types import EvaluateOptions, EvaluateSettings
from steelyard.journey.options import settle, takes
from steelyard.measures.catalogue.asked import AskedMeasure, read_measures
from steelyard.results import Evaluation, SystemEvaluation
from steelyard.sources import Predictions

if TYPE_CHECKING:
    from steelyard.results import EventRates

__all__ = ["evaluate"]

NO_CERTAINTY = ("prevalence", "cost", "pass_at", "estimand", "benchmark", "exposure", "unknown")
"""What is asked of answers, and says nothing of certainties."""
ALONE = "Risk and coverage stand alone: ask for {option} without certainties."


@overload
def evaluate(
    data: Exposure | Mapping[str, Exposure], **options: Unpack[EvaluateOptions]
) -> "EventRates": ...


@overload
def evaluate(data: Any, **options: Unpack[EvaluateOptions]) -> Evaluation: ...  # noqa: ANN401


@refuse_excess
@takes("evaluate")
def evaluate(data: Any, **options: Unpack[EvaluateOptions]) -> "Evaluation | EventRates":
    """Say how good each system is, with the uncertainty of every number.

    Parameters
    ----------
    data
        Whatever :func:`steelyard.sources.open_predictions` takes (paths, frames, columns), or
        counts: a ``Confusion``, ``ScoreTable``, ``Outcomes``, ``Trials`` or ``JointCalls``; or
        events over an ``Exposure``, of one system or by name.
    method
        The interval of shares: ``wilson``, ``clopper-pearson``, ``midp``, ``jeffreys``,
        ``agresti-coull`` or ``wald``.
    kappa_method
        The interval of kappa: ``adjusted``, which keeps its level with few items of a class, or
        ``ase1`` (the textbook's). By default the first, and a cluster-robust one of clusters.
    average
        Means over classes: ``macro`` (every class the same), ``micro``, ``weighted``; one or
        several.
    prevalence
        Share of the positive class where the systems will work, for their predictive values
        there.
    cost
        What mistakes cost: ``{"fn": 5, "fp": 1}`` with a positive class, or a cost for every
        (truth, called); gives the expected cost of an item.
    measure
        Measures of the catalogue by name or synonym, one or several, in place of the further
        ones: ``"F1"``, ``"recall of ship"``, ``"log loss"``, ``"lift at 0.1"``; also within slices.
    level
        Coverage of the intervals.
    pass_at
        One k or several: pass@k and pass^k of items that were asked more than once. The cluster
        is the item.
    estimand
        What the numbers are about: ``population`` (items like these, the default) or ``items``
        (exactly these items, each asked again).
    benchmark
        Size of a fixed benchmark of which these items are a random part: accuracy is then about
        all of it.
    exposure
        What false alarms are counted over: ``"12 h"``, ``"400 images"``, or the column that
        holds it for each row (``hours``, or ``duration:min``). Clusters are then periods.
    certainty
        Columns that say how sure each system was of its answers, in the order of the systems:
        accuracy, the area under risk and coverage (AURC) with its interval, and the share answered
        at some risks. ``measure="AURC"`` takes certainties from probabilities.
    unknown
        The call that is no answer: accuracy counts it as wrong, coverage and selective accuracy
        say how much was answered, and how much of that is right.
    **roles
        What the columns mean; see :class:`steelyard.journey.opening.RoleArguments`.

    Returns
    -------
    Evaluation
        Every measure of every system, with its interval.
    EventRates
        Instead, where ``data`` is an ``Exposure``: events over a time, a distance or an area.

    Raises
    ------
    RefusedData
        The data cannot answer the question; the message says what was found, what was expected and
        what to type next.
    RequestError
        An argument is unknown, lies outside its domain or does not fit the others.

    Examples
    --------
    >>> import steelyard as sy
    >>> print(sy.evaluate(sy.Exposure.of(3, "12 h")).sentence())
    system has 0.250 [0.052, 0.731] events per hour (3 in 12.0 hours).
    >>> print(sy.evaluate(sy.Confusion.from_binary(tp=8, fp=1, fn=2, tn=9)).systems[0].accuracy)
    accuracy 0.850 [0.640, 0.948] (17/20)
    """
    given: EvaluateSettings
    roles: RoleArguments
    given, roles = settle("evaluate", options)
    if lives_on_device(data):
        from steelyard.journey.on_device import answer_there

        return answer_there(evaluate, data, options, positive=True)
    events = _events(data)
    if events is not None:
        return event_rates(events, level=given["level"])
    watched, roles = split_exposure(given["exposure"], roles)
    level, cost = given["level"], given["cost"]
    pass_at, estimand, benchmark = given["pass_at"], given["estimand"], given["benchmark"]
    asked = evaluation_question(
        level=level,
        method=given["method"],
        kappa_method=given["kappa_method"],
        average=given["average"],
        prevalence=given["prevalence"],
        cost=cost,
        measure=given["measure"],
    )
    apart = _of_certainty_or_unknown(data, roles, given, asked)
    if apart is not None:
        return apart
    measures = read_measures(asked.measure, prevalence=asked.prevalence)
    tries = Tries.of(pass_at, estimand, benchmark)
    if isinstance(data, tuple(COUNTS)):
        return _of_counts(data, roles, given, asked, watched)
    predictions = open_data(data, roles, crossed=True)
    if predictions.values is not None:
        from steelyard.journey.values.evaluate import evaluate_values

        return evaluate_values(predictions, given)
    unused = settle_roles("evaluate", predictions)
    check_measures(measures, predictions)
    systems = tuple(
        _evaluate_crossed(predictions, system, asked, measures)
        if predictions.crossed
        else evaluate_system(predictions, system, asked, tries, measures)
        for system in predictions.systems
    )
    if watched is not None:
        systems = _with_exposure(predictions, systems, watched, level)
    _check_calls(systems, asked)
    tried = ",".join(map(str, tries.pass_at)) or None
    settings = {
        **asked.settings(),
        "exposure": given["exposure"],
        "pass_at": tried,
        "estimand": estimand,
        "benchmark": benchmark,
    }
    return Evaluation(
        systems=systems,
        classes=predictions.classes,
        positive=predictions.positive,
        level=level,
        provenance=provenance_of(predictions, settings),
        caveats=(*predictions.caveats, *unused, *tries.caveats, *asked.falls_short),
        guide=guide_of(systems, predictions.positive, costs=cost is not None),
    )


def _of_counts(
    data: Any,  # noqa: ANN401
    roles: RoleArguments,
    given: EvaluateSettings,
    asked: EvaluationQuestion,
    watched: Watched | None,
) -> Evaluation:
    """Evaluate counts, which have no columns."""
    positive = _name_positive(roles)
    refuse_columns(
        {**roles, **{name: given[name] for name in ("pass_at", "estimand", "benchmark")}}
    )
    reading = next(reading for kind, reading in COUNTS.items() if isinstance(data, kind))
    found = reading(data, asked, positive)
    if watched is not None:
        found = replace(found, systems=_add_false_alarms(found, watched))
    measures = read_measures(asked.measure, prevalence=asked.prevalence)
    measured = with_measures(found, data, measures, asked) if measures else found
    return replace(measured, caveats=(*measured.caveats, *asked.falls_short))


def _of_certainty_or_unknown(
    data: Any,  # noqa: ANN401
    roles: RoleArguments,
    given: Mapping[str, Any],
    asked: EvaluationQuestion,
) -> Evaluation | None:
    """Answer what is asked of certainties, or of calls one of which is no answer."""
    if asks_certainty(given["certainty"], asked.measure):
        from steelyard.journey.certainty import evaluate_certainty

        refuse_beside(given, NO_CERTAINTY, ALONE, code="certainty")
        return evaluate_certainty(data, roles, given["certainty"], level=asked.level)
    unknown = given["unknown"]
    if unknown is None or isinstance(data, tuple(COUNTS)):
        return None
    measures = read_measures(asked.measure, prevalence=asked.prevalence)
    return _with_unknown(open_data(data, roles, no_answer=unknown), unknown, asked, measures)


def _with_unknown(
    predictions: Predictions,
    unknown: str,
    asked: EvaluationQuestion,
    measures: Sequence[AskedMeasure],
) -> Evaluation:
    """Evaluate systems one of whose calls is no answer."""
    from steelyard.journey.evaluation.unknown import evaluate_unknown

    if measures:
        message = (
            "unknown= (--unknown) gives accuracy, coverage and selective accuracy; leave measure= "
            "(--measure) out."
        )
        raise RequestError(message, code="unknown")
    refuse_group_beside("unknown", predictions.settings)
    systems = tuple(
        evaluate_unknown(predictions, system, unknown, asked) for system in predictions.systems
    )
    return Evaluation(
        systems=systems,
        classes=predictions.classes,
        positive=predictions.positive,
        level=asked.level,
        provenance=provenance_of(
            predictions,
            {**asked.settings(), "measure": "coverage, selective accuracy", "unknown": unknown},
        ),
        caveats=predictions.caveats,
    )


def _events(data: object) -> dict[str, Exposure] | None:
    """Take counts of events over an exposure, of one system or by name."""
    if isinstance(data, Exposure):
        return {"system": data}
    named = isinstance(data, Mapping) and bool(data)
    if named and all(isinstance(one, Exposure) for one in data.values()):  # type: ignore[attr-defined]
        return {str(name): one for name, one in data.items()}  # type: ignore[attr-defined]
    return None


def _with_exposure(
    predictions: Predictions,
    systems: tuple[SystemEvaluation, ...],
    watched: Watched,
    level: float,
) -> tuple[SystemEvaluation, ...]:
    """Add the false alarms of each system over the exposure."""
    counted = false_alarm_exposures(predictions, predictions.systems, watched)
    rates = {name: event_rate(one, level=level) for name, one in counted.items()}
    return tuple(
        replace(
            one,
            further=(*one.further, rates[one.system]),
            caveats=(*one.caveats, *rates[one.system].caveats),
        )
        for one in systems
    )


def _evaluate_crossed(*asked: Any) -> SystemEvaluation:  # noqa: ANN401
    from steelyard.journey.evaluation.crossed import evaluate_crossed

    return evaluate_crossed(*asked)


def _add_false_alarms(found: Evaluation, watched: Watched) -> tuple[SystemEvaluation, ...]:
    """Add the false alarms of a table that was typed over an amount that was typed."""
    return tuple(
        replace(
            one,
            further=(
                *one.further,
                event_rate(
                    table_exposure(one.confusion, found.positive, watched), level=found.level
                ),
            ),
        )
        for one in found.systems
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


def _name_positive(roles: RoleArguments) -> str | None:
    """Take the positive class out of the roles: counts have classes too."""
    given = roles.pop("positive", None)
    return None if given is None else canonical_label(given)

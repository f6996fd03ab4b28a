"""How good is each system?"""

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from steelyard.counts.labels import canonical_label
from steelyard.errors import NotComparable, RequestError, switch
from steelyard.journey.arguments import check_arguments
from steelyard.journey.declared_roles import settle_roles
from steelyard.journey.evaluation.from_counts import COUNTS, with_measures
from steelyard.journey.evaluation.from_rows import evaluated_system
from steelyard.journey.evaluation.guidance import guide_of
from steelyard.journey.evaluation.measures import check_measures, read_measures
from steelyard.journey.evaluation.question import (
    EvaluationQuestion,
    evaluation_question,
)
from steelyard.journey.evaluation.repeats import Tries
from steelyard.journey.opening import RoleArguments, opened, provenance_of
from steelyard.journey.option_types import EvaluateOptions, EvaluateSettings
from steelyard.journey.options import settle, takes
from steelyard.results import (
    Evaluation,
    SystemEvaluation,
)

__all__ = ["evaluate"]


@check_arguments
@takes("evaluate")
def evaluate(data: Any, **options: Unpack[EvaluateOptions]) -> Evaluation:  # noqa: ANN401
    """Say how good each system is, with the uncertainty of every number.

    Parameters
    ----------
    data
        Whatever :func:`steelyard.sources.open_predictions` takes (paths, frames, columns), or
        counts: a ``Confusion``, ``ScoreTable``, ``Outcomes``, ``Trials`` or ``JointCalls``.
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
    given: EvaluateSettings
    roles: RoleArguments
    given, roles = settle("evaluate", options)
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
    measures = read_measures(asked.measure, prevalence=asked.prevalence)
    tries = Tries.of(pass_at, estimand, benchmark)
    for kind, reading in COUNTS.items():
        if isinstance(data, kind):
            positive = _named_positive(roles)
            _refuse_roles(
                {**roles, "pass_at": pass_at, "estimand": estimand, "benchmark": benchmark}
            )
            found = reading(data, asked, positive)
            return with_measures(found, data, measures, asked) if measures else found
    predictions = opened(data, roles)
    unused = settle_roles("evaluate", predictions)
    check_measures(measures, predictions)
    systems = tuple(
        evaluated_system(predictions, system, asked, tries, measures)
        for system in predictions.systems
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
        caveats=(*predictions.caveats, *unused, *tries.caveats),
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


def _named_positive(roles: RoleArguments) -> str | None:
    """Take the positive class out of the roles: counts have classes too."""
    given = roles.pop("positive", None)
    return None if given is None else canonical_label(given)


def _refuse_roles(roles: Mapping[str, object]) -> None:
    given = sorted(name for name, value in roles.items() if value is not None)
    if given:
        message = f"Counts have no columns, so {given[0]}= says nothing about them. Leave it out."
        raise RequestError(message)

"""One method of comparison alone, with its full working."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from steelyard import tally
from steelyard.comparison.methods import (
    ALIASES,
    METHODS,
    Case,
    Found,
    Method,
    choose_method,
    list_methods,
)
from steelyard.counts import (
    JointCalls,
    JointScores,
    Outcomes,
    PlacementSums,
    Trials,
)
from steelyard.errors import RequestError, listing
from steelyard.journey.comparison.method_inputs import (
    BY_CLUSTERS,
    LIST,
    case_of_counts,
    case_of_predictions,
)
from steelyard.journey.comparison.question import Question
from steelyard.journey.comparison.refusals import need_no_prior
from steelyard.results import Working
from steelyard.sources import Predictions

__all__ = [
    "answer_of_counts",
    "answer_of_predictions",
    "needs_clusters",
    "say_working",
    "work_out",
]


def answer_of_counts(
    data: Outcomes | JointCalls | Trials | JointScores | PlacementSums,
    question: Question,
    *,
    name: str,
    measure: str | None,
    using: Mapping[str, Any] | None,
) -> Working:
    """Run one method on counts."""
    case = case_of_counts(data, question, measure)
    _check_prior(case, question, name=name)
    return work_out(case, question, name=name, using=using or {})


def answer_of_predictions(
    predictions: Predictions,
    question: Question,
    *,
    name: str,
    measure: str | None,
    using: Mapping[str, Any] | None,
) -> Working:
    """Run one method on opened predictions."""
    case = case_of_predictions(predictions, question, name=name, measure=measure)
    if (using or {}).get("order") == "item" and case.outcomes is not None:
        case = replace(case, sequence=tally.tally_sequence(predictions))
    _check_prior(case, question, name=name)
    return work_out(case, question, name=name, using=using or {})


def work_out(case: Case, question: Question, *, name: str, using: Mapping[str, Any]) -> Working:
    """Run one method on a case, or list them all."""
    if name == LIST:
        every = Method(
            name=LIST,
            title="every method, and whether these data allow it",
            needs=(),
            formula="",
            rule="",
            assumption="",
            reference="",
            page="",
            run=list_methods,
        )
        return say_working(case, question, every, list_methods(case))
    method = choose_method(name, case)
    settings = method.settings(using)
    ready = replace(case, using=settings)
    return say_working(ready, question, method, method.run(ready))


def say_working(case: Case, question: Question, method: Method, found: Found) -> Working:
    """Write down what one method found, with its formula and what it supposes."""
    return Working(
        method=method.name,
        title=method.title,
        answer=found.answer,
        decision=found.decision,
        systems=case.systems,
        pairing=case.pairing,
        sheets=found.sheets,
        working=found.working,
        formula=method.formula,
        rule=method.rule,
        assumption=method.assumption,
        reference=method.reference,
        level=question.level,
        alpha=question.alpha,
        provenance=question.provenance,
        caveats=(
            *question.caveats,
            *found.caveats,
            *((method.falls_short,) if method.falls_short else ()),
        ),
    )


def _check_prior(case: Case, question: Question, *, name: str) -> None:
    """Refuse a prior that the method would not look at."""
    if case.pairing == "common" or case.areas is not None:
        where = "areas under ROC curves" if case.areas is not None else "common items"
        need_no_prior(question, where)
    known = ALIASES.get(name, (name,))[0]
    if question.prior is None or known not in METHODS or METHODS[known].uses_prior:
        return
    using = [one for one, method in METHODS.items() if method.uses_prior]
    message = (
        f"{name} looks at the data alone and takes no prior. Leave prior= (--prior) out, or choose "
        f"a method that starts from one: {listing(using, most=len(using))}."
    )
    raise RequestError(message)


def needs_clusters(name: str) -> bool:
    """Tell whether a method is one for clusters, or no method at all."""
    known = METHODS.get(name)
    return name in {LIST, *BY_CLUSTERS} or (known is not None and "clusters" in known.needs)

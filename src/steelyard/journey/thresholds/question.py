"""What a user may ask of a threshold, checked and exact."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from steelyard import measures
from steelyard.counts import ScoreTable
from steelyard.errors import NotComparable, RequestError, switch
from steelyard.measures import Costs, Number, ThresholdMethod, ThresholdQuestion
from steelyard.results import (
    Provenance,
)

__all__ = ["Asked", "check_fits", "question_of", "settings_of", "weigh_costs"]

KINDS_OF_CALL = ("fn", "fp", "tp", "tn")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The question as it will be answered and recorded."""

    by: ThresholdMethod
    question: ThresholdQuestion
    level: float
    seed: int
    resamples: int
    system: str | None
    provenance: Provenance
    caveats: tuple[str, ...] = ()


def question_of(
    *,
    value: float | None,
    sensitivity: Number | None,
    specificity: Number | None,
    false_alarm_rate: Number | None,
    beta: Number | None,
    cost: Mapping[str, Number] | None,
    prevalence: Number | None = None,
) -> ThresholdQuestion:
    """Read shares, costs and the weight of recall as the decimals that were typed."""
    usual = ThresholdQuestion()
    given: dict[str, Any] = {
        name: measures.exact_share(share, name)
        for name, share in (
            ("sensitivity", sensitivity),
            ("specificity", specificity),
            ("false_alarm_rate", false_alarm_rate),
            ("prevalence", prevalence),
        )
        if share is not None
    }
    if value is not None:
        given["value"] = float(measures.exact_number(value, "threshold"))
    if beta is not None:
        given["beta"] = measures.exact_number(beta, "beta")
        if given["beta"] <= 0:
            message = f"beta={beta!r} must be above 0; 1 weighs recall and precision alike."
            raise RequestError(message)
    if cost is not None:
        given["costs"] = _costs(cost)
    return ThresholdQuestion(**({"costs": usual.costs} | given))


def weigh_costs(question: ThresholdQuestion, table: ScoreTable) -> ThresholdQuestion:
    """Weigh the costs for the share of positives where the system will be used, if it is given."""
    share = question.prevalence
    if share is None:
        return question
    positives, negatives = table.positive_total, table.negative_total
    if not positives or not negatives:
        message = (
            f"prevalence={float(share):g} weighs positive and negative items, and there are "
            f"{positives} and {negatives}. Costs at another share of positives need both."
        )
        raise NotComparable(message, code="one-class")
    costs = question.costs.at_prevalence(share, positives=positives, negatives=negatives)
    return replace(question, costs=costs)


def check_fits(by: ThresholdMethod, fixed: float | None) -> None:
    """Refuse a given threshold where one is looked for, and the other way round."""
    if by == "fixed" and fixed is None:
        message = f"A fixed threshold must be given: {switch('threshold', '0.5')}."
        raise RequestError(message)
    if by != "fixed" and fixed is not None:
        message = (
            f"threshold={fixed:g} was given, and {switch('by', by)} looks for one. For the given "
            f"one pass {switch('by', 'fixed')}."
        )
        raise RequestError(message)


def settings_of(
    by: ThresholdMethod, question: ThresholdQuestion, level: float, resamples: int
) -> dict[str, object]:
    """List what was asked, for the record."""
    costs = question.costs
    said = ",".join(
        f"{name}={float(getattr(costs, name)):g}" for name in KINDS_OF_CALL if getattr(costs, name)
    )
    used = question.prevalence
    return {
        "by": by,
        "threshold": f"{question.value:g}" if by == "fixed" else None,
        "sensitivity": f"{float(question.sensitivity):g}",
        "specificity": f"{float(question.specificity):g}",
        "false_alarm_rate": f"{float(question.false_alarm_rate):g}",
        "beta": f"{float(question.beta):g}",
        "cost": said,
        **({} if used is None else {"prevalence": f"{float(used):g}"}),
        "level": level,
        "resamples": resamples,
    }


def _costs(cost: Mapping[str, Number]) -> Costs:
    for name in cost:
        if name not in KINDS_OF_CALL:
            raise RequestError.for_choice(name="cost", given=name, choices=KINDS_OF_CALL)
    exact = {name: measures.exact_number(value, f"cost of {name}") for name, value in cost.items()}
    return Costs(**exact)

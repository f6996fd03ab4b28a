"""What a comparison refuses, and what it says it will not look at."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from steelyard import measures
from steelyard.errors import NotComparable, RequestError, listing, switch, switch_list
from steelyard.journey.comparison.question import MOST_COMPARED, Question
from steelyard.journey.declared_roles import Verb, settle_roles
from steelyard.measures import Estimand
from steelyard.sources import Predictions
from steelyard.sources.roles.declared import LEFT_ASIDE

__all__ = [
    "check_comparable",
    "check_estimand",
    "is_about_these_items",
    "list_unused_roles",
    "need_no_prior",
    "need_two",
    "one_method",
    "refuse_many",
    "say_as_accuracy",
]


def one_method(
    method: str | None, measure: str | None, using: Mapping[str, Any] | None, *, by_group: bool
) -> str | None:
    """Name the method that is wanted alone; None for the whole comparison."""
    if method is None and measure is None:
        if using:
            message = (
                "using= sets a method up, and none is named. Type method='list' (--method list)."
            )
            raise RequestError(message)
        return None
    if method is None:
        from steelyard.journey.comparison.method_inputs import usual_method

        method = usual_method(measure)
    if method is None and using:
        message = (
            f"using= sets a method up, and {measure} is compared without one. Name it: "
            f"{switch('method', 'bootstrap')}."
        )
        raise RequestError(message)
    if method is not None and by_group:
        message = (
            "One method alone has no slices. Leave by_group= (--by-group) out; methods over data "
            f"sets take {switch('group', 'COLUMN')} as it is."
        )
        raise RequestError(message)
    return method


def say_as_accuracy(alone: str | None, measure: str | None, *, scores: bool) -> tuple[str, ...]:
    """Say that a measure is accuracy by another name; refuse scores, which have none."""
    if alone is not None or measure is None:
        return ()
    if scores:
        message = (
            f"{measure} is about calls, and these systems give scores. "
            f"{switch('threshold', '0.5')} turns scores into calls."
        )
        raise RequestError(message)
    from steelyard.measures import catalogue_entry

    name = catalogue_entry(measure).name
    same = f"{name} of one call for each item is accuracy, and was compared as accuracy"
    return () if name == "accuracy" else (same,)


def check_estimand(given: str | None) -> Estimand:
    """Check whom the numbers are to be about; items like these unless said."""
    if given is None:
        return "population"
    if given not in measures.ESTIMANDS:
        raise RequestError.for_choice("estimand", given, tuple(measures.ESTIMANDS))  # noqa: EM101
    return given  # type: ignore[return-value]


def is_about_these_items(estimand: str | None, alone: str | None, *, by_group: bool) -> bool:
    """Tell whether the numbers are to be about exactly these items."""
    very = check_estimand(estimand) == "items"
    if very and (alone is not None or by_group):
        message = (
            "estimand='items' is for the whole comparison. Leave method=, measure= and by_group= "
            "(--method, --measure, --by-group) out."
        )
        raise RequestError(message)
    return very


def check_comparable(predictions: Predictions, *, counted: bool = False) -> None:
    """Refuse what cannot be compared; ``counted`` says that whole items are asked for."""
    aside = next((said for name, said in predictions.understood if name == LEFT_ASIDE), "")
    more = f" Left aside: {aside}." if aside else ""
    need_two([system.name for system in predictions.systems], more=more)
    answered = predictions.with_answers()
    scored = [system for system in predictions.systems if system not in answered]
    if answered and scored:
        like = answered if len(answered) > 1 else scored
        message = (
            f"{listing([s.name for s in scored])} give scores and "
            f"{listing([s.name for s in answered])} give answers. Compare like with like: "
            f"{switch_list('systems', [s.name for s in like])}, or {switch('threshold', '0.5')}, "
            "which turns scores into calls."
        )
        raise NotComparable(message, code="mixed-holdings")
    if predictions.weighted and (scored or predictions.pairing == "independent" or counted):
        what = "one method alone or slices" if counted else "items of their own"
        message = (
            f"These rows carry weights, which a comparison honours for answers on common items, "
            f"not for {'areas under ROC curves' if scored else what}. Leave the weight column "
            "out, or use evaluate, which honours weights; --threshold turns scores into calls."
        )
        raise NotComparable(message, code="weighted")


def need_no_prior(question: Question, where: str) -> None:
    """Refuse a prior for each system where one prior stands over all."""
    if question.prior is None:
        return
    message = (
        f"A prior for each system is not possible with {where}: there one prior covers all systems "
        f"together. Leave prior= (--prior) out, or type {switch('pairing', 'independent')} if each "
        "system answered items of its own."
    )
    raise NotComparable(message, code="prior-not-independent")


def need_two(names: Sequence[str], *, more: str = "") -> None:
    """Refuse to compare one system, or so many that their pairs would fill the memory."""
    refuse_many(names, MOST_COMPARED)
    if len(names) < 2:
        message = (
            f"Only one system ({listing(list(names))}); a comparison needs two or more.{more} "
            "To see how good it is, use evaluate."
        )
        raise NotComparable(message, code="one-system")


def refuse_many(names: Sequence[str], most: int) -> None:
    """Refuse to compare so many that their pairs would take minutes, or all of the memory."""
    if len(names) > most:
        pairs = len(names) * (len(names) - 1) // 2
        message = (
            f"{len(names):,} systems make {pairs:,} pairs, and more than {most} systems "
            f"are not compared at once. Name those that you mean: {switch('systems', 'NAMES')}; "
            "evaluate shows how good all of them are."
        )
        raise NotComparable(message, code="too-many-systems")


def list_unused_roles(
    predictions: Predictions, alone: str | None, *, by_group: bool
) -> tuple[str, ...]:
    """Say what a declared split does not do here, so that nobody relies on it."""
    if alone is not None:
        from steelyard.comparison.methods import METHODS

        if alone in METHODS and "data sets" in METHODS[alone].needs:  # groups are its data sets
            predictions = replace(
                predictions, splits=tuple(one for one in predictions.splits if one != "group")
            )
    return settle_roles(_verb(alone, by_group=by_group), predictions)


def _verb(alone: str | None, *, by_group: bool) -> Verb:
    """Name this comparison as the table of roles does."""
    if alone is None:
        return "compare by group" if by_group else "compare"
    from steelyard.journey.comparison.one_method import needs_clusters

    return "compare by measure" if needs_clusters(alone) else "compare by method"

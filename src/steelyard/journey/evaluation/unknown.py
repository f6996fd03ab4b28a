"""A call that is no answer: how much a system answers, and how much of that is right."""

from steelyard import uncertainty
from steelyard.errors import NotComparable, RequestError, listing, printable, switch
from steelyard.journey.evaluation.question import EvaluationQuestion
from steelyard.results.estimates import Interval, Proportion
from steelyard.results.evaluation.data import SystemEvaluation
from steelyard.sources import Predictions, System

__all__ = ["OF_ANSWERS", "evaluate_unknown", "say_unknown", "shares_beside_unknown"]

OF_ANSWERS = frozenset({"coverage", "selective accuracy", "selective risk"})
"""Shares that a call of no answer gives: of all items, and of those that were answered."""

COUNTED_AS_WRONG = (
    "{name!r} is not an answer: accuracy is over all items and counts it as wrong; coverage is the "
    "share that was answered, and selective accuracy that of right ones among these"
)


def evaluate_unknown(
    predictions: Predictions, system: System, unknown: str, asked: EvaluationQuestion
) -> SystemEvaluation:
    """Measure accuracy over all items, the share that was answered, and the right among these."""
    items = _counts(predictions, system, unknown)[0]
    shares = shares_beside_unknown(predictions, system, unknown)
    accuracy, *further = (
        Proportion(measure=name, successes=won, trials=trials,
                   reason=None if trials else "nothing was answered",
                   interval=_ends(won, trials, asked))
        for name, won, trials in shares
    )  # fmt: skip
    return SystemEvaluation(
        system=system.name,
        holds=system.holds,
        items=items,
        accuracy=accuracy,
        further=tuple(further),
        caveats=(COUNTED_AS_WRONG.format(name=unknown),),
    )


def shares_beside_unknown(
    predictions: Predictions, system: System, unknown: str
) -> tuple[tuple[str, int, int], ...]:
    """Count each share by its name: how many of how many."""
    items, answered, right = _counts(predictions, system, unknown)
    return (
        ("accuracy", right, items),
        ("coverage", answered, items),
        ("selective accuracy", right, answered),
    )


def say_unknown(predictions: Predictions, unknown: str) -> tuple[str, ...]:
    """Say how much each of several systems answered, beside a comparison that counts it wrong."""
    said = []
    for system in predictions.systems:
        items, answered, right = _counts(predictions, system, unknown)
        share = f"{right / answered:.1%} of these right" if answered else "none of these right"
        said.append(f"{system.name} answered {answered / items:.1%}, {share}")
    return (
        f"{unknown!r} is not an answer and counts as wrong: {'; '.join(said)}; who answers less is "
        "not better for being right more often when it does",
    )


def _ends(won: int, trials: int, asked: EvaluationQuestion) -> Interval | None:
    if not trials:
        return None
    low, high = uncertainty.proportion_interval(won, trials, level=asked.level, method=asked.method)
    return Interval(low=low, high=high, level=asked.level, method=asked.method)


def _counts(predictions: Predictions, system: System, unknown: str) -> tuple[int, int, int]:
    if system.holds != "called" or predictions.weighted or "cluster" in predictions.splits:
        message = (
            f"unknown={unknown!r} is a call, counted item by item: {system.name} must hold called "
            "classes, without weights and clusters (weight='', cluster='')."
        )
        raise NotComparable(message, code="unknown")
    if unknown in predictions.classes:
        message = (
            f"unknown={unknown!r} is a true class too; a call that stands for no answer has a name "
            "of its own."
        )
        raise RequestError(message, code="unknown")
    call = f"CAST({system.column} AS VARCHAR)"
    rows = predictions.table.query(
        f"SELECT {call}, COUNT(*), SUM(CASE WHEN {call} = CAST(truth AS VARCHAR) THEN 1 ELSE 0 END)"
        f" FROM {{t}} WHERE {system.column} IS NOT NULL GROUP BY {call}"
    )
    calls = {str(name): (int(many), int(right)) for name, many, right in rows}
    strange = sorted(set(calls) - {*predictions.classes, unknown})
    if strange:
        message = (
            f"{system.name} calls {listing(strange)}, which is never true, and not "
            f"{printable(unknown)!r}, which is said to be no answer. Name that: "
            f"{switch('unknown', strange[0])}."
        )
        raise RequestError(message, code="unknown")
    items = sum(many for many, _ in calls.values())
    answered = items - calls.get(unknown, (0, 0))[0]
    return items, answered, sum(right for _, right in calls.values())

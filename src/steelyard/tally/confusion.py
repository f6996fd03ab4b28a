"""Rows become a confusion table."""

from steelyard.counts import Confusion, Grouped
from steelyard.engines.dialect import quote_literal, quote_real
from steelyard.errors import NotComparable, switch
from steelyard.sources.predictions import NO_ANSWER, TIED, Predictions, SplitRole, System
from steelyard.tally.count_by import WHOLE, Counted, check_complete, count_by

__all__ = [
    "built_confusion",
    "confusion_keys",
    "rest_of",
    "tally_confusion",
    "tally_confusion_by",
]


def tally_confusion(predictions: Predictions, system: System) -> Confusion:
    """Count what one system called, against the truth."""
    parts = count_by(predictions, confusion_keys(predictions, system), systems=[system])
    counted = parts.get(WHOLE, Counted())
    check_complete(predictions, [system], counted.total)
    return built_confusion(predictions, system, counted)


def tally_confusion_by(
    predictions: Predictions, system: System, role: SplitRole
) -> Grouped[Confusion]:
    """Count what one system called, for each cluster, group or fold apart."""
    parts = count_by(predictions, confusion_keys(predictions, system), systems=[system], split=role)
    check_complete(predictions, [system], sum(counted.total for counted in parts.values()))
    return Grouped.from_parts(
        role,
        {name: built_confusion(predictions, system, counted) for name, counted in parts.items()},
    )


def confusion_keys(predictions: Predictions, system: System) -> list[str]:
    """Write what rows are counted by: the truth, and what the system called."""
    if system.holds == "outcome" or not predictions.classes:
        message = (
            f"{system.name} holds right and wrong, so it is not known what was called. A confusion "
            "table needs the called classes."
        )
        raise NotComparable(message, code="no-calls")
    if system.holds != "score":
        return ["truth", system.column]
    if system.threshold is None:
        message = (
            f"{system.name} gives scores; a confusion table needs a threshold: "
            f"{switch('threshold', '0.5')}."
        )
        raise NotComparable(message, code="no-threshold")
    threshold = quote_real(system.threshold)
    positive, rest = quote_literal(str(predictions.positive)), quote_literal(rest_of(predictions))
    return [
        f"CASE WHEN positive THEN {positive} ELSE {rest} END",
        f"CASE WHEN {system.column} >= {threshold} THEN {positive} ELSE {rest} END",
    ]


def rest_of(predictions: Predictions) -> str:
    """Name everything that is not the positive class."""
    others = [name for name in predictions.classes if name != predictions.positive]
    return others[0] if len(others) == 1 else f"not {predictions.positive}"


def built_confusion(predictions: Predictions, system: System, counted: Counted) -> Confusion:
    """Build the table from rows counted by truth and called class."""
    if system.holds == "score":
        classes = [rest_of(predictions), str(predictions.positive)]
    else:
        called = {called for _, called in counted.rows}
        classes = [*predictions.classes, *(n for n in (NO_ANSWER, TIED) if n in called)]
    return Confusion.from_cells(
        {(truth, called): rows for (truth, called), rows in counted.rows.items()},
        classes=classes,
        weights=None
        if counted.weights is None
        else {(truth, called): sums for (truth, called), sums in counted.weights.items()},
        excluded=predictions.excluded_for([system]),
    )

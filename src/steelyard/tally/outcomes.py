"""Rows become right/wrong patterns of several systems on common items."""

from collections.abc import Sequence

from steelyard.counts import Grouped, Outcomes
from steelyard.errors import NotComparable
from steelyard.sources.predictions import Predictions, SplitRole, System
from steelyard.tally.count_by import WHOLE, Counted, check_complete, count_by

__all__ = [
    "WORD",
    "built_outcomes",
    "chosen_systems",
    "outcome_words",
    "tally_outcomes",
    "tally_outcomes_by",
]

WORD = 60
"""Outcomes of this many systems go into one whole number; more systems use more of them."""


def tally_outcomes(predictions: Predictions, systems: Sequence[System] | None = None) -> Outcomes:
    """Count the items by which systems were right on them."""
    chosen = chosen_systems(predictions, systems)
    parts = count_by(predictions, outcome_words(chosen), systems=chosen)
    counted = parts.get(WHOLE, Counted())
    check_complete(predictions, chosen, counted.total)
    return built_outcomes(predictions, chosen, counted)


def tally_outcomes_by(
    predictions: Predictions, role: SplitRole, systems: Sequence[System] | None = None
) -> Grouped[Outcomes]:
    """Count the outcome patterns of each cluster, group or fold apart."""
    chosen = chosen_systems(predictions, systems)
    parts = count_by(predictions, outcome_words(chosen), systems=chosen, split=role)
    check_complete(predictions, chosen, sum(counted.total for counted in parts.values()))
    return Grouped.from_parts(
        role,
        {name: built_outcomes(predictions, chosen, counted) for name, counted in parts.items()},
    )


def chosen_systems(predictions: Predictions, systems: Sequence[System] | None) -> Sequence[System]:
    """Give the systems asked for, or all that answer; refuse items of their own."""
    if predictions.pairing == "independent":
        message = (
            "These systems were tested on items of their own, so no item has a pattern over all of "
            "them. Count trials instead."
        )
        raise NotComparable(message, code="not-paired")
    return predictions.with_answers() if systems is None else systems


def outcome_words(systems: Sequence[System]) -> list[str]:
    """Pack outcomes into whole numbers, one bit a system."""
    return [
        " + ".join(
            f"CASE WHEN {system.outcome_sql()} THEN {1 << bit} ELSE 0 END"
            for bit, system in enumerate(systems[start : start + WORD])
        )
        for start in range(0, len(systems), WORD)
    ]


def built_outcomes(
    predictions: Predictions, systems: Sequence[System], counted: Counted
) -> Outcomes:
    """Unpack the whole numbers that outcomes were counted by."""
    patterns = {
        key: sum(int(word) << (WORD * place) for place, word in enumerate(key))
        for key in counted.rows
    }
    return Outcomes.from_patterns(
        {patterns[key]: rows for key, rows in counted.rows.items()},
        systems=[system.name for system in systems],
        weights=None
        if counted.weights is None
        else {patterns[key]: sums for key, sums in counted.weights.items()},
        excluded=predictions.excluded_for(systems),
    )

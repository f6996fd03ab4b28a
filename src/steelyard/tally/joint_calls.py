"""Rows become joint calls of several systems."""

from collections.abc import Sequence

from steelyard.counts import Grouped, JointCalls
from steelyard.errors import NotComparable
from steelyard.sources.predictions import NO_ANSWER, TIED, Predictions, SplitRole, System
from steelyard.tally.count_by import WHOLE, Counted, check_complete, count_by

__all__ = ["tally_joint_calls", "tally_joint_calls_by"]


def tally_joint_calls(
    predictions: Predictions, systems: Sequence[System] | None = None
) -> JointCalls:
    """Count the items by truth and by what every system called."""
    chosen = _chosen(predictions, systems)
    keys = ["truth", *(system.column for system in chosen)]
    counted = count_by(predictions, keys, systems=chosen).get(WHOLE, Counted())
    check_complete(predictions, chosen, counted.total)
    return _built(predictions, chosen, counted)


def tally_joint_calls_by(
    predictions: Predictions, role: SplitRole, systems: Sequence[System] | None = None
) -> Grouped[JointCalls]:
    """Count the joint calls of each cluster, group or fold apart."""
    chosen = _chosen(predictions, systems)
    keys = ["truth", *(system.column for system in chosen)]
    parts = count_by(predictions, keys, systems=chosen, split=role)
    check_complete(predictions, chosen, sum(counted.total for counted in parts.values()))
    return Grouped.from_parts(
        role, {name: _built(predictions, chosen, counted) for name, counted in parts.items()}
    )


def _chosen(predictions: Predictions, systems: Sequence[System] | None) -> Sequence[System]:
    chosen = predictions.holding("called", "vector") if systems is None else systems
    wrong = [system.name for system in chosen if system.holds not in {"called", "vector"}]
    if wrong or not chosen or predictions.pairing == "independent":
        message = (
            f"Joint calls need systems that called classes on common items; "
            f"{wrong[0] if wrong else 'here there are none'}."
        )
        raise NotComparable(message, code="no-calls")
    return chosen


def _built(predictions: Predictions, systems: Sequence[System], counted: Counted) -> JointCalls:
    called = {call for _, *calls in counted.rows for call in calls}
    return JointCalls.from_cells(
        {(truth, tuple(calls)): rows for (truth, *calls), rows in counted.rows.items()},
        systems=[system.name for system in systems],
        classes=[*predictions.classes, *(n for n in (NO_ANSWER, TIED) if n in called)],
        excluded=predictions.excluded_for(systems),
    )

"""Rows become joint calls of several systems."""

from collections.abc import Sequence

from steelyard.counts import Grouped, JointCalls
from steelyard.errors import NotComparable
from steelyard.sources.predictions import NO_ANSWER, TIED, Predictions, SplitRole, System
from steelyard.tally.confusion import confusion_keys, rest_of
from steelyard.tally.count_by import WHOLE, Counted, check_complete, count_by

__all__ = ["calling_systems", "tally_joint_calls", "tally_joint_calls_by"]


def calling_systems(predictions: Predictions) -> tuple[System, ...]:
    """Give the systems that call a class of every item, some by a threshold on their scores.

    Calls among several classes and calls of the positive class or not do not go together.
    """
    called, scored = predictions.holding("called", "vector"), predictions.holding("score")
    cut = tuple(system for system in scored if system.threshold is not None)
    if called and cut and len(predictions.classes) != 2:
        return called
    return tuple(system for system in predictions.systems if system in called or system in cut)


def tally_joint_calls(
    predictions: Predictions, systems: Sequence[System] | None = None
) -> JointCalls:
    """Count the items by truth and by what every system called."""
    chosen = _chosen(predictions, systems)
    counted = count_by(predictions, _keys(predictions, chosen), systems=chosen).get(
        WHOLE, Counted()
    )
    check_complete(predictions, chosen, counted.total)
    return _built(predictions, chosen, counted)


def tally_joint_calls_by(
    predictions: Predictions, role: SplitRole, systems: Sequence[System] | None = None
) -> Grouped[JointCalls]:
    """Count the joint calls of each cluster, group or fold apart."""
    chosen = _chosen(predictions, systems)
    parts = count_by(predictions, _keys(predictions, chosen), systems=chosen, split=role)
    check_complete(predictions, chosen, sum(counted.total for counted in parts.values()))
    return Grouped.from_parts(
        role, {name: _built(predictions, chosen, counted) for name, counted in parts.items()}
    )


def _chosen(predictions: Predictions, systems: Sequence[System] | None) -> Sequence[System]:
    able = calling_systems(predictions)
    chosen = able if systems is None else systems
    wrong = [system.name for system in chosen if system not in able]
    if wrong or not chosen or predictions.pairing == "independent":
        message = (
            f"Joint calls need systems that called classes on common items; "
            f"{f'{wrong[0]} called none' if wrong else 'here there are none'}."
        )
        raise NotComparable(message, code="no-calls")
    return chosen


def _keys(predictions: Predictions, systems: Sequence[System]) -> list[str]:
    """Write what rows are counted by: the truth, and what each system called."""
    keys = [confusion_keys(predictions, system) for system in systems]
    truths = sorted({truth for truth, _ in keys}, key=lambda truth: truth == "truth")
    return [truths[0], *(called for _, called in keys)]


def _built(predictions: Predictions, systems: Sequence[System], counted: Counted) -> JointCalls:
    called = {call for _, *calls in counted.rows for call in calls}
    classes = predictions.classes
    if any(system.holds == "score" for system in systems):
        classes = (rest_of(predictions), str(predictions.positive))
    return JointCalls.from_cells(
        {(truth, tuple(calls)): rows for (truth, *calls), rows in counted.rows.items()},
        systems=[system.name for system in systems],
        classes=[*classes, *(n for n in (NO_ANSWER, TIED) if n in called)],
        excluded=predictions.excluded_for(systems),
    )

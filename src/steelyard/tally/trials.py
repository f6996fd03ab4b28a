"""Rows become right answers out of tested items, for each system by itself."""

from collections.abc import Sequence

from steelyard.counts import Grouped, Trials
from steelyard.errors import NotComparable
from steelyard.sources.predictions import Predictions, SplitRole, System
from steelyard.tally.count_by import WHOLE, check_complete, count_by

__all__ = ["tally_trials", "tally_trials_by"]


def tally_trials(predictions: Predictions, systems: Sequence[System] | None = None) -> Trials:
    """Count how often each system was right, on the items it answered."""
    chosen = predictions.with_answers() if systems is None else systems
    correct, tested = {}, {}
    for system in chosen:
        counted = count_by(predictions, [system.outcome_sql()], systems=[system]).get(WHOLE)
        total = counted.total if counted else 0
        check_complete(predictions, [system], total)
        correct[system.name] = counted.rows.get((True,), 0) if counted else 0
        tested[system.name] = total
    same = predictions.pairing == "common" and len(set(tested.values())) == 1
    return Trials(
        correct=correct,
        tested=tested,
        pairing="common" if same else "independent",
        excluded=predictions.excluded_for(chosen),
    )


def tally_trials_by(
    predictions: Predictions, role: SplitRole, systems: Sequence[System] | None = None
) -> Grouped[Trials]:
    """Count right answers for each cluster, group or fold that every system was tested on."""
    chosen = predictions.with_answers() if systems is None else systems
    parts = [
        count_by(predictions, [system.outcome_sql()], systems=[system], split=role)
        for system in chosen
    ]
    shared = set.intersection(*(set(part) for part in parts)) if parts else set()
    lonely = set().union(*(set(part) for part in parts)) - shared
    if lonely:
        message = f"Not every system was tested in {role} {sorted(lonely)[0]!r}."
        raise NotComparable(message, code="group-unknown")
    return Grouped.from_parts(
        role,
        {
            name: Trials(
                correct={
                    system.name: part[name].rows.get((True,), 0)
                    for system, part in zip(chosen, parts, strict=True)
                },
                tested={
                    system.name: part[name].total
                    for system, part in zip(chosen, parts, strict=True)
                },
                pairing=predictions.pairing,
            )
            for name in shared
        },
    )

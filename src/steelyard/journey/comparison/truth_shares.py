"""Shares of items that only the truth selects: right and wrong answers of a part of the items."""

from typing import overload

from steelyard.counts import Grouped, JointCalls, Outcomes
from steelyard.measures import Measure

__all__ = ["is_of_true_items", "share_outcomes"]


TRUE_ITEMS = ({"tp", "fn"}, {"fp", "tn"})
"""Cells of the items that are of the class, and of those that are not."""


def is_of_true_items(entry: Measure) -> bool:
    """Tell whether the truth alone says which items a share is about, whatever was called.

    A share and its complement are one claim: both count the right answers, and have one interval
    and one test.
    """
    return entry.parts is not None and {*entry.parts[0], *entry.parts[1]} in TRUE_ITEMS


@overload
def share_outcomes(joint: JointCalls, measure: Measure, of: str) -> Outcomes: ...
@overload
def share_outcomes(joint: Grouped[JointCalls], measure: Measure, of: str) -> Grouped[Outcomes]: ...
@overload
def share_outcomes(
    joint: JointCalls | Grouped[JointCalls], measure: Measure, of: str
) -> Outcomes | Grouped[Outcomes]: ...


def share_outcomes(
    joint: JointCalls | Grouped[JointCalls], measure: Measure, of: str
) -> Outcomes | Grouped[Outcomes]:
    """Say who was right on the items that a share is about, with or without clusters.

    Examples
    --------
    >>> joint = JointCalls.from_cells(
    ...     {("ill", ("ill", "well")): 4, ("ill", ("ill", "ill")): 9, ("well", ("ill", "well")): 2},
    ...     systems=("S", "T"))
    >>> from steelyard.measures import catalogue_entry
    >>> share_outcomes(joint, catalogue_entry("recall"), "ill").correct()
    (13, 9)
    """
    if isinstance(joint, Grouped):
        return joint.each(lambda part: share_outcomes(part, measure, of))
    assert measure.parts is not None
    of_class = "tp" in {*measure.parts[0], *measure.parts[1]}
    patterns: dict[int, int] = {}
    for truth, calls, rows in joint.cells:
        if (truth == of) is of_class:
            right = [(call == of) is of_class for call in calls]
            pattern = sum(1 << place for place, hit in enumerate(right) if hit)
            patterns[pattern] = patterns.get(pattern, 0) + rows
    return Outcomes.from_patterns(patterns, systems=joint.systems)

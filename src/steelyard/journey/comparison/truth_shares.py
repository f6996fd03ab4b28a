"""Shares of items that only the truth selects: right and wrong answers of a part of the items."""

from collections.abc import Callable, Mapping
from typing import overload

from steelyard.counts import Grouped, JointCalls, Outcomes

__all__ = ["OVER_ALL", "TRUTH_SHARES", "share_outcomes"]


def _caught(truth: str, call: str, of: str) -> bool | None:
    return call == of if truth == of else None


def _spared(truth: str, call: str, of: str) -> bool | None:
    return call != of if truth != of else None


TRUTH_SHARES: Mapping[str, Callable[[str, str, str], bool | None]] = {
    "recall": _caught,
    "false negative rate": _caught,
    "specificity": _spared,
    "false positive rate": _spared,
}
"""Right, wrong or not asked, for shares whose items do not depend on what was called. A share and
its complement are one claim: both count the right answers, and have one interval and one test."""
OVER_ALL = frozenset({"accuracy", "micro F1"})
"""One share of all items under two names."""


@overload
def share_outcomes(joint: JointCalls, measure: str, of: str) -> Outcomes: ...
@overload
def share_outcomes(joint: Grouped[JointCalls], measure: str, of: str) -> Grouped[Outcomes]: ...
@overload
def share_outcomes(
    joint: JointCalls | Grouped[JointCalls], measure: str, of: str
) -> Outcomes | Grouped[Outcomes]: ...


def share_outcomes(
    joint: JointCalls | Grouped[JointCalls], measure: str, of: str
) -> Outcomes | Grouped[Outcomes]:
    """Say who was right on the items that a share is about, with or without clusters.

    Examples
    --------
    >>> joint = JointCalls.from_cells(
    ...     {("ill", ("ill", "well")): 4, ("ill", ("ill", "ill")): 9, ("well", ("ill", "well")): 2},
    ...     systems=("S", "T"))
    >>> share_outcomes(joint, "recall", "ill").correct()
    (13, 9)
    """
    if isinstance(joint, Grouped):
        return joint.each(lambda part: share_outcomes(part, measure, of))
    judge = TRUTH_SHARES[measure]
    patterns: dict[int, int] = {}
    for truth, calls, rows in joint.cells:
        right = [judge(truth, call, of) for call in calls]
        if None not in right:  # only the truth decides, so all are None or none is
            pattern = sum(1 << place for place, hit in enumerate(right) if hit)
            patterns[pattern] = patterns.get(pattern, 0) + rows
    return Outcomes.from_patterns(patterns, systems=joint.systems)

"""Items without an answer: what the numbers could be whatever those answers were."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from steelyard import uncertainty
from steelyard.display.numbers import show_difference, show_share
from steelyard.display.text import show_name
from steelyard.sources import Predictions, System
from steelyard.sources.predictions import NO_ANSWER

__all__ = ["say_missing", "say_missing_pairs"]

MOST_PAIRS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class _Unanswered:
    """Right and missing answers of a system among all items."""

    system: str
    right: int
    missing: int
    items: int


def say_missing(predictions: Predictions, system: System) -> tuple[str, ...]:
    """Say what a system's share right could be, where it gave no answer to some items."""
    counted = [one for one in _unanswered(predictions, [system]) if one.missing]
    return tuple(map(_say_share, counted)) or _say_unbounded(predictions, [system])


def say_missing_pairs(predictions: Predictions) -> tuple[str, ...]:
    """Say what shares and differences of systems on common items could be."""
    counted = _unanswered(predictions, predictions.with_answers())
    if not any(one.missing for one in counted):
        return _say_unbounded(predictions, predictions.systems)
    said = [_say_share(one) for one in counted if one.missing]
    open_pairs = [pair for pair in combinations(counted, 2) if pair[0].missing or pair[1].missing]
    said += [_say_pair(*pair) for pair in open_pairs[:MOST_PAIRS]]
    return tuple(said)


def _say_unbounded(predictions: Predictions, systems: Sequence[System]) -> tuple[str, ...]:
    """Say that numbers, scores and weighted answers were left out; a stated range bounds a mean."""
    left_out = {one.system: one.rows for one in predictions.excluded if one.reason == "no answer"}
    said: list[str] = []
    if predictions.pairing != "common":
        return ()
    for system in systems:
        missing = left_out.get(system.name, 0)
        if not missing or system.judge:
            continue
        ((items,),) = predictions.table.query("SELECT COUNT(*) FROM {t}")
        scale, bounds = predictions.values, None
        if scale is not None and not system.per and not predictions.weighted:
            bounds = None if scale.low is None or scale.high is None else (scale.low, scale.high)
        said.append(
            f"{show_name(system.name)} has no answer for {missing:,} of {items:,} items, which "
            f"were left out: {_say_mean(predictions, system, bounds, missing, items)}"
        )
    return tuple(said)


def _say_mean(
    predictions: Predictions,
    system: System,
    bounds: tuple[float, float] | None,
    missing: int,
    items: int,
) -> str:
    if bounds is None:
        return "if these are not like the others, the answer is off, and nothing here says how far"
    ((total,),) = predictions.table.query(f"SELECT SUM(CAST({system.column} AS DOUBLE)) FROM {{t}}")
    low, high = ((float(total or 0.0) + missing * end) / items for end in bounds)
    return f"its mean on all of them lies from {low:.4g} to {high:.4g}, whatever those values were"


def _say_share(one: _Unanswered) -> str:
    bounds = uncertainty.missing_share_bounds(one.right, one.missing, one.items)
    return (
        f"{show_name(one.system)} gave no answer to {one.missing:,} of {one.items:,} items: its "
        f"accuracy on all of them lies from {show_share(bounds.least)} to "
        f"{show_share(bounds.largest)}, whatever those answers were"
    )


def _say_pair(first: _Unanswered, second: _Unanswered) -> str:
    low, high = uncertainty.missing_difference_bounds(
        (first.right, first.missing), (second.right, second.missing), first.items
    )
    names = f"{show_name(first.system)} minus {show_name(second.system)}"
    return (
        f"{names} lies from {show_difference(low)} to {show_difference(high)} with missing answers "
        "filled against the one and for the other"
    )


def _unanswered(predictions: Predictions, systems: Sequence[System]) -> list[_Unanswered]:
    """Count right and missing answers where some were left out, or count as wrong."""
    left_out = {one.system for one in predictions.excluded if one.reason == "no answer"}
    worst = ("missing", "worst") in predictions.settings
    answering = [one for one in systems if one in predictions.with_answers()]
    if predictions.pairing != "common" or predictions.weighted or not answering:
        return []
    if not worst and not left_out & {one.name for one in answering}:
        return []
    parts = []
    for one in answering:
        none = f"{one.column} IS NULL"
        if one.holds == "called":
            none += f" OR CAST({one.column} AS VARCHAR) = '{NO_ANSWER}'"
        parts += [
            f"COUNT(CASE WHEN {none} THEN 1 END)",
            f"COUNT(CASE WHEN {one.column} IS NOT NULL AND {one.outcome_sql()} THEN 1 END)",
        ]
    ((items, *counts),) = predictions.table.query(f"SELECT COUNT(*), {', '.join(parts)} FROM {{t}}")
    return [
        _Unanswered(
            system=one.name,
            missing=int(counts[2 * place]),
            right=int(counts[2 * place + 1]),
            items=int(items),
        )
        for place, one in enumerate(answering)
    ]

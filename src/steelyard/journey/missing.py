"""Items without an answer: what the numbers could be whatever those answers were."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from steelyard import measures, tally, uncertainty
from steelyard.display.numbers import show_difference, show_share
from steelyard.display.text import show_name
from steelyard.errors import switch
from steelyard.measures.catalogue.listing import CATALOGUE
from steelyard.measures.catalogue.measure import Measure
from steelyard.measures.tables.shares import RowShare, declare_share
from steelyard.sources import Predictions, System
from steelyard.sources.predictions import NO_ANSWER

if TYPE_CHECKING:
    from steelyard.results.gate import ClaimCheck

__all__ = ["say_missing", "say_missing_pairs", "say_resting"]

MOST_PAIRS = 3
Asked: TypeAlias = Sequence[tuple[Measure, str | None]]
"""Measures, each with its class where it is of one."""
Bounded: TypeAlias = tuple[str, tuple[float, float] | None]
"""A measure and its class, in words, and the least and the largest that it could be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Open:
    """A mean or an area of a system, and what it could be on all items; None where nobody knows."""

    system: str
    what: str
    missing: int
    items: int
    ends: tuple[float, float] | None
    unknown: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Unanswered:
    """Right and missing answers of a system among all items."""

    system: str
    right: int
    missing: int
    items: int


def say_missing(predictions: Predictions, system: System, asked: Asked = ()) -> tuple[str, ...]:
    """Say what a system's share right could be, where it gave no answer to some items.

    So could what was ``asked`` for: its recall or F1 of a class, its kappa.
    """
    counted = [one for one in _count_unanswered(predictions, [system]) if one.missing]
    if not counted:
        return _say_unbounded(predictions, [system])
    return (
        *map(_say_share, counted),
        *_say_asked(system.name, _bound_asked(predictions, system, asked)),
    )


def say_missing_pairs(predictions: Predictions, asked: Asked = ()) -> tuple[str, ...]:
    """Say what shares and differences of systems on common items could be."""
    counted = _count_unanswered(predictions, predictions.with_answers())
    if not any(one.missing for one in counted):
        return _say_unbounded(predictions, predictions.systems)
    said = [_say_share(one) for one in counted if one.missing]
    open_pairs = [pair for pair in combinations(counted, 2) if pair[0].missing or pair[1].missing]
    said += [_say_pair(*pair) for pair in open_pairs[:MOST_PAIRS]]
    found = {
        one.system: _bound_asked(predictions, predictions.system(one.system), asked)
        for one in counted
    }
    for one in counted:
        if one.missing:
            said += _say_asked(one.system, found[one.system])
    for first, second in open_pairs[:MOST_PAIRS]:
        sides = (first.system, second.system)
        said += _say_gaps(*sides, *(found[name] for name in sides))
    return tuple(said)


def say_resting(
    predictions: Predictions, system: System, claims: "Sequence[ClaimCheck]"
) -> tuple[str, ...]:
    """Say which claims pass by the items that were answered, and would not if all had been.

    Every missing answer goes against the claim. The limit of a plain share is then exact; that of
    another measure moves as far as its value does.
    """
    counted = [one for one in _count_unanswered(predictions, [system]) if one.missing]
    if not counted:
        return ()
    share = uncertainty.missing_share_bounds(counted[0].right, counted[0].missing, counted[0].items)
    said = []
    for check in claims:
        measure = CATALOGUE.get(check.measure)
        if check.outcome != "passes" or measure is None:
            continue
        ends: tuple[float, float] | None = (share.least, share.largest)
        if measure.same_as and measure.counts_right:
            ends = (1 - share.largest, 1 - share.least)
        if not measure.counts_right:
            found = _bound_asked(predictions, system, [(measure, check.of)])
            ends = found[0][1] if found else None
        limit = None if ends is None else _limit_against(check, ends)
        if limit is not None and (limit < check.limit) == (check.side == "at least"):
            said.append(
                f"{check.claim!r} is met on the items that were answered; with every missing "
                f"answer against it, its limit would be {show_share(limit)} and it is undecided"
            )
    return tuple(said)


def _limit_against(check: "ClaimCheck", ends: tuple[float, float]) -> float | None:
    """Give the limit that the pass is held against, with every missing answer against it."""
    least = check.side == "at least"
    worst, limit = (ends[0], check.low) if least else (ends[1], check.high)
    if check.value is None or limit is None:
        return None
    if check.method != "clopper-pearson" or check.count is None or check.total is None:
        return worst - (check.value - limit)
    kept = check.count if least else check.total - check.count
    share = worst if least else 1 - worst
    trials = round(kept / share) if share else check.total
    low, _ = uncertainty.clopper_pearson_interval(kept, trials, level=2 * check.confidence - 1)
    return low if least else 1 - low


def _say_unbounded(predictions: Predictions, systems: Sequence[System]) -> tuple[str, ...]:
    """Say what means and areas could be where numbers and scores were left out, and their gaps."""
    left_out = {one.system: one.rows for one in predictions.excluded if one.reason == "no answer"}
    numeric = [one for one in systems if not one.judge]
    if predictions.pairing != "common" or not any(left_out.get(one.name) for one in numeric):
        return ()
    found = [_open_number(predictions, one, left_out.get(one.name, 0)) for one in numeric]
    said = [_say_open(one) for one in found if one.missing]
    open_pairs = [pair for pair in combinations(found, 2) if pair[0].missing or pair[1].missing]
    return (*said, *(_say_open_pair(*pair) for pair in open_pairs[:MOST_PAIRS]))


def _open_number(predictions: Predictions, system: System, missing: int) -> _Open:
    ((items,),) = predictions.table.query("SELECT COUNT(*) FROM {t}")
    scored, scale = system.holds == "score", predictions.values
    what = "AUC" if scored else "mean"
    ends, unknown = None, "nothing here says how far"
    if scored and not predictions.weighted:
        ends, unknown = (
            _area_ends(predictions, system, items),
            "there is no area without both classes",
        )
    elif scale is not None and not system.per and not predictions.weighted:
        unknown = f"nothing here says how far: state the range, {switch('range', '1,5')}"
        if scale.low is not None and scale.high is not None:
            ends = _mean_ends(predictions, system, (scale.low, scale.high), missing, items)
    return _Open(
        system=system.name, what=what, missing=missing, items=items, ends=ends, unknown=unknown
    )


def _say_open(one: _Open) -> str:
    """Say how far missing numbers could move one system."""
    noun, plural = ("score", "scores") if one.what == "AUC" else ("answer", "values")
    could = (
        f"if these are not like the others, the answer is off, and {one.unknown}"
        if one.ends is None
        else f"its {one.what} on all of them lies from {_show(one, one.ends[0])} to "
        f"{_show(one, one.ends[1])}, whatever those {plural} were"
    )
    return (
        f"{show_name(one.system)} has no {noun} for {one.missing:,} of {one.items:,} items, which "
        f"were left out: {could}"
    )


def _say_open_pair(first: _Open, second: _Open) -> str:
    """Bound a difference: each system's missing numbers may be what they like."""
    names = f"{show_name(first.system)} minus {show_name(second.system)}"
    if first.ends is None or second.ends is None:
        return f"{names}: how far missing answers could move the difference is not bounded here"
    low, high = first.ends[0] - second.ends[1], first.ends[1] - second.ends[0]
    show = show_difference if first.what == "AUC" else "{:+.4g}".format
    return (
        f"{names} in {first.what} lies from {show(low)} to {show(high)} with missing answers "
        "filled against one and in favour of the other"
    )


def _show(one: _Open, value: float) -> str:
    return show_share(value) if one.what == "AUC" else f"{value:.4g}"


def _area_ends(predictions: Predictions, system: System, items: int) -> tuple[float, float] | None:
    """Put missing scores on the wrong side of all others, and on the right one."""
    ((positives,),) = predictions.table.query("SELECT COUNT(*) FROM {t} WHERE positive")
    table = tally.tally_score_table(predictions, system)
    area, pairs = measures.exact_auc(table), int(positives) * (items - int(positives))
    known = table.positive_total * table.negative_total
    won = 0.0 if area is None else float(area) * known
    return (won / pairs, (won + pairs - known) / pairs) if pairs else None


def _mean_ends(
    predictions: Predictions,
    system: System,
    bounds: tuple[float, float],
    missing: int,
    items: int,
) -> tuple[float, float]:
    ((total,),) = predictions.table.query(f"SELECT SUM(CAST({system.column} AS DOUBLE)) FROM {{t}}")
    low, high = ((float(total or 0.0) + missing * end) / items for end in bounds)
    return low, high


def _bound_asked(predictions: Predictions, system: System, asked: Asked) -> list[Bounded]:
    """Bound each measure that was asked for: every missing answer may be any of the classes."""
    wanted = [
        (measure, (of or predictions.positive) if measure.of_class else None)
        for measure, of in asked
        if measure.parts is None or measure.of_class  # the share right is said by itself
    ]
    if not wanted or system.holds == "outcome":
        return []
    none = f"({system.column} IS NULL"
    if system.holds == "called":
        none += f" OR CAST({system.column} AS VARCHAR) = '{NO_ANSWER}'"
    missing = predictions.table.query(
        f"SELECT CAST(truth AS VARCHAR), COUNT(*) FROM {{t}} WHERE {none}) GROUP BY truth"
    )
    cells = [
        cell for cell in tally.tally_confusion(predictions, system).cells if cell[1] != NO_ANSWER
    ]
    named = (*predictions.classes, *(name for cell in cells for name in cell[:2]))
    classes = list(dict.fromkeys([*named, *(truth for truth, _ in missing)]))
    found: list[Bounded] = []
    for measure, of in wanted:
        if measure.of_class and of is None:
            continue
        what = measure.name if of is None else f"{measure.name} of {of}"
        bounds = (
            measures.filled_bounds(measure, cells, dict(missing), classes, of=of)
            if measure.parts is None
            else _share_bounds(declare_share(measure, of), cells, missing, predictions.classes)
        )
        found.append((what, bounds))
    return found


def _say_asked(system: str, found: Sequence[Bounded]) -> list[str]:
    return [
        f"{show_name(system)}: how far the missing answers could move its {what} is not bounded "
        "here: they can be filled in too many ways, or in some that leave it undefined"
        if bounds is None
        else f"{show_name(system)}: its {what} on all items lies from {show_share(bounds[0])} to "
        f"{show_share(bounds[1])}, whatever the missing answers were"
        for what, bounds in found
    ]


def _say_gaps(
    first: str, second: str, ours: Sequence[Bounded], theirs: Sequence[Bounded]
) -> list[str]:
    """Bound differences: each system's missing answers may be what they like."""
    names = f"{show_name(first)} minus {show_name(second)}"
    return [
        f"{names}: how far the missing answers could move the difference of {what} is not bounded "
        "here"
        if mine is None or other is None
        else f"{names} in {what} lies from {show_difference(mine[0] - other[1])} to "
        f"{show_difference(mine[1] - other[0])} with missing answers filled against one and in "
        "favour of the other"
        for (what, mine), (_, other) in zip(ours, theirs, strict=True)
    ]


def _share_bounds(
    share: RowShare,
    cells: Sequence[tuple[str, str, int]],
    missing: Sequence[tuple[str, int]],
    classes: Sequence[str],
) -> tuple[float, float]:
    """Fill every missing answer with the call that makes the share least, and largest."""
    among = sum(rows for truth, called, rows in cells if share.among(truth, called))
    won = sum(
        rows
        for truth, called, rows in cells
        if share.among(truth, called) and share.won(truth, called)
    )
    ends = []
    for wanted in (False, True):
        wins, trials = won, among
        for truth, rows in missing:
            # An answer may count for the share, against it, or not at all.
            open_to = {
                share.won(truth, one) if share.among(truth, one) else None for one in classes
            }
            chosen = wanted if wanted in open_to else None if None in open_to else not wanted
            trials += 0 if chosen is None else rows
            wins += rows if chosen else 0
        ends.append(wins / trials if trials else float(wanted))
    return ends[0], ends[1]


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
        "filled against one and in favour of the other"
    )


def _count_unanswered(predictions: Predictions, systems: Sequence[System]) -> list[_Unanswered]:
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

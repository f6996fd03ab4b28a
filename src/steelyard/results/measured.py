"""One measured number inside a larger answer: as cells of a table, and as words of a sentence."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from steelyard.display.numbers import (
    FEWEST_DIGITS,
    digits_for,
    show_count,
    show_difference,
    show_estimate,
    show_interval,
    show_level,
    show_number,
    show_p_value,
    show_percent,
)
from steelyard.display.tables import Headed, number_cell
from steelyard.display.text import natural_key, show_name
from steelyard.results.base import Cell
from steelyard.results.estimates import Estimate, Interval, Proportion

if TYPE_CHECKING:
    from steelyard.display.figures import Chart

__all__ = [
    "ELSEWHERE",
    "Measured",
    "area_of",
    "chart_row",
    "count_shared_digits",
    "draw_slices",
    "estimate_cells",
    "head_of_score",
    "in_rows",
    "interval_name",
    "items_of",
    "name_class",
    "overlap",
    "relate_p_value",
    "say_count",
    "say_estimate",
    "say_number",
    "say_percent",
    "show_value",
    "show_with_ends",
    "sort_by_value",
]

Measured = Proportion | Estimate
ELSEWHERE = "the rest is in the JSON and the CSV"
"""Where a table or sentence that was cut goes on."""
MOST_SLICED = 6
MOST_SLICES = 24
"""Systems and slices of one picture."""
ChartRow = tuple[str, float | None, float | None, float | None]


def show_value(measured: Measured | None, *, digits: int | None = None) -> str | None:
    """Write the number with the decimals its interval allows; None when it is undefined."""
    if measured is None or measured.value is None:
        return None
    ends = measured.interval
    if ends is None or digits is not None:
        return show_number(measured.value, digits=digits)
    return show_number(measured.value, digits=digits_for(ends.low, ends.high))


def show_ends(measured: Measured | None, *, digits: int | None = None) -> str | None:
    """Write the interval; None when there is none."""
    if measured is None or measured.value is None or measured.interval is None:
        return None
    return show_interval(measured.interval.low, measured.interval.high, digits=digits)


def estimate_cells(
    head: str, measured: Measured | None, level: float, *, digits: int | None = None
) -> tuple[Headed, Headed]:
    """Give the cells of a number and of its interval, with their heads."""
    return (
        number_cell(head, show_value(measured, digits=digits)),
        number_cell(interval_name(level), show_ends(measured, digits=digits)),
    )


def count_shared_digits(side_by_side: Sequence[Measured]) -> int | None:
    """Count the decimals of large numbers that stand side by side; else each has its own."""
    allowed = {digits_for(one.interval.low, one.interval.high)
               for one in side_by_side if one.interval is not None}  # fmt: skip
    return max(allowed) if len(allowed) > 1 and min(allowed) < FEWEST_DIGITS else None


def show_with_ends(measured: Measured | None) -> str | None:
    """Write the number with its interval behind it, if it has one."""
    value, ends = show_value(measured), show_ends(measured)
    return value if ends is None else f"{value} {ends}"


def relate_p_value(value: float, alpha: float) -> str:
    """Write a p-value behind the letter p.

    >>> relate_p_value(0.03, 0.05), relate_p_value(1e-9, 0.05)
    ('= 0.030', '< 0.001')
    """
    shown = show_p_value(value, alpha=alpha)
    return f"{shown[0]} {shown[1:]}" if shown[0] in "<>" else f"= {shown}"


def show_signed(estimate: Estimate) -> tuple[str | None, str | None]:
    """Write a difference and its interval with signs."""
    if estimate.value is None:
        return None, None
    ends = estimate.interval
    if ends is None:
        return show_difference(estimate.value), None
    digits = digits_for(ends.low, ends.high)
    low, high = (show_difference(end, digits=digits) for end in (ends.low, ends.high))
    return show_difference(estimate.value, digits=digits), f"[{low}, {high}]"


def head_of_score(measure: str) -> str:
    """Write the measure of a score as the head of a column.

    Examples
    --------
    >>> head_of_score("brier score")
    'Brier score'
    """
    return measure.replace("brier", "Brier")


def interval_name(level: float) -> str:
    """Name the column of intervals.

    Examples
    --------
    >>> interval_name(0.95)
    '95% interval'
    """
    return f"{show_level(level)} interval"


def say_percent(share: float, ends: Interval | None) -> tuple[str, str]:
    """Say a share in percent, and its interval, if any, as a clause in brackets."""
    if ends is None:
        return show_percent(share), ""
    digits = max(1, digits_for(ends.low, ends.high) - 2)
    low, high = (show_percent(end, digits=digits) for end in (ends.low, ends.high))
    return show_percent(share, digits=digits), f" ({interval_name(ends.level)} {low} to {high})"


def say_estimate(measured: Measured) -> str:
    """Say a defined number with its interval."""
    value, ends = measured.value, measured.interval
    if value is None:
        return f"undefined ({measured.reason or 'no items'})"
    return show_estimate(value, ends.low, ends.high) if ends else show_number(value)


def items_of(measured: Measured) -> int | None:
    """Count the items behind a number."""
    return measured.trials if isinstance(measured, Proportion) else measured.items


def overlap(one: Measured, other: Measured) -> bool | None:
    """Tell whether the intervals share a number; None when one of them is not there."""
    if one.interval is None or other.interval is None:
        return None
    return one.interval.low <= other.interval.high and other.interval.low <= one.interval.high


def sort_by_value(numbers: Sequence[Measured | None], *, lower: bool = False) -> list[int]:
    """Give places, the highest number (or the lowest) first; ties keep their order.

    Undefined numbers go last.
    """
    values = [None if one is None else one.value for one in numbers]
    sign = 1 if lower else -1
    return sorted(
        range(len(values)), key=lambda place: (values[place] is None, sign * (values[place] or 0.0))
    )


def in_rows(measured: Measured, **names: str | None) -> list[dict[str, Cell]]:
    """Give the tidy rows of a number with the names of its system, pair or class filled in."""
    given: dict[str, Cell] = {name: text for name, text in names.items() if text is not None}
    return [row | given for row in measured.rows()]


def chart_row(name: str, measured: Measured | None) -> ChartRow:
    """Give a number as pictures of intervals take it: its name, its value and both ends."""
    ends = None if measured is None else measured.interval
    value = None if measured is None else measured.value
    return (name, value, ends.low, ends.high) if ends else (name, value, None, None)


def draw_slices(systems: Mapping[str, Sequence[Measured]], measure: str) -> "Chart":
    """Draw the slices of the first few systems, and say how many of both are drawn, and which.

    Where slices are many, those stay in which a system drawn is farthest from its middle slice.
    """
    from steelyard.display.figures import slice_chart

    shown = dict(list(systems.items())[:MOST_SLICED])
    every = {part.of or "" for parts in systems.values() for part in parts}
    names = sorted(every, key=natural_key)
    found = {name: {part.of or "": part for part in parts} for name, parts in shown.items()}
    chosen = _farthest(found, names)
    rows = {
        name: [chart_row(system, parts.get(name)) for system, parts in found.items()]
        for name in names
        if name in chosen
    }
    chart = slice_chart(rows, measure=measure)
    return chart.showing(len(shown), len(systems), "systems").showing(
        len(rows), len(names), "slices", "those where a system is farthest from its middle slice"
    )


def _farthest(found: Mapping[str, Mapping[str, Measured]], names: Sequence[str]) -> set[str]:
    away = dict.fromkeys(names, 0.0)
    for parts in found.values():
        known = {name: one.value for name, one in parts.items() if one.value is not None}
        values = sorted(known.values())
        for name, value in known.items():
            away[name] = max(away[name], abs(value - values[len(values) // 2]))
    return {*sorted(names, key=lambda name: -away[name])[:MOST_SLICES]}


def name_class(name: str) -> str:
    """Name a class inside a sentence; a bare number needs the word before it.

    >>> name_class("ship"), name_class("7")
    ('ship', 'class 7')
    """
    shown = show_name(name)
    return f"class {shown}" if shown[:1].isdigit() else shown


def area_of(estimate: Measured | None) -> float | tuple[float, float, float] | None:
    """Give a number for a legend, with both ends of its interval where it has one."""
    if estimate is None or estimate.value is None:
        return None
    ends = estimate.interval
    return estimate.value if ends is None else (estimate.value, ends.low, ends.high)


NUMBERS = (
    "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
)  # fmt: skip


def say_number(number: int) -> str:
    """Write a small number as a word.

    Examples
    --------
    >>> say_number(5), say_number(40)
    ('five', '40')
    """
    return NUMBERS[number] if 0 <= number < len(NUMBERS) else show_count(number)


def say_count(count: int, what: str) -> str:
    """Say a number of things.

    Examples
    --------
    >>> say_count(1, "item"), say_count(1200, "item")
    ('1 item', '1,200 items')
    """
    return f"{show_count(count)} {what}{'' if count == 1 else 's'}"

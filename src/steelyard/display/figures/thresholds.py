"""What each threshold would give, and where the criteria put it."""

from collections.abc import Mapping, Sequence
from typing import Any

from steelyard.display.figures.chart import Chart
from steelyard.display.figures.labels import labels
from steelyard.display.figures.layers import (
    Layer,
    amount,
    axis,
    check,
    hint,
    line_layer,
    rule_layer,
    say,
    series,
    series_rows,
    text_layer,
)
from steelyard.display.figures.thinning import thin, thinning_note
from steelyard.display.numbers import show_number
from steelyard.errors import RequestError

__all__ = ["cost_chart", "mark_layers", "threshold_chart"]

NEAR = 0.03
"""Marks closer than this share of the axis stand under one another."""
NOTHING: Mapping[str, float] = {}


def threshold_chart(
    thresholds: Sequence[float],
    lines: Mapping[str, Sequence[float | None]],
    *,
    marks: Mapping[str, float] = NOTHING,
    title: str = "Measures at each threshold",
) -> Chart:
    """Draw measures such as sensitivity, specificity and kappa against the threshold.

    Parameters
    ----------
    thresholds
        Finite, in order.
    lines
        For each measure its value at every threshold; None where it is undefined.
    marks
        For each criterion the threshold it chooses.

    Examples
    --------
    >>> threshold_chart([0.2, 0.5], {"kappa": [0.3, 0.6]}, marks={"max kappa": 0.5}).summary
    'kappa at 2 thresholds; max kappa chooses 0.500.'
    """
    values = [one for line in lines.values() for one in line if one is not None]
    low = min([0.0, *(value for value in values if value < 0)])
    y = axis("y", "", domain=[low, 1], format=".1f") if not values or max(values) <= 1 else None
    return _draw(title, thresholds, lines, marks, y or axis("y", "", zero=True))


def cost_chart(
    thresholds: Sequence[float],
    lines: Mapping[str, Sequence[float | None]],
    *,
    marks: Mapping[str, float] = NOTHING,
    title: str = "Cost at each threshold",
) -> Chart:
    """Draw mean costs against the threshold; takes what :func:`threshold_chart` takes."""
    y = axis("y", "Mean cost of an item", zero=True)
    # Costs are low where criteria put the threshold, so that there is room for names above.
    return _draw(title, thresholds, lines, marks, y, names_above=True)


def _draw(
    title: str,
    thresholds: Sequence[float],
    lines: Mapping[str, Sequence[float | None]],
    marks: Mapping[str, float],
    y: Layer,
    *,
    names_above: bool = False,
) -> Chart:
    places = check(thresholds, "thresholds")
    shown = labels(lines)
    order = list(shown.values())
    rows, drawn, given = _rows(places, lines, shown)
    low, high = min(places), max(places)
    x = axis("x", "Threshold: called positive from here up", domain=[low, high], nice=False)
    tips = {"tooltip": hint(series="measure", at="threshold", said="value")}
    layers = [line_layer(rows, {"x": x, "y": y, **series(order), **tips})]
    criteria = labels(marks)
    chosen = "; ".join(f"{criteria[name]} chooses {show_number(at)}" for name, at in marks.items())
    return Chart(
        title=title,
        summary=f"{', '.join(order)} at {say(len(places), 'threshold')}"
        f"{f'; {chosen}' if chosen else ''}.",
        body={"layer": [*layers, *mark_layers(marks, low, high, above=names_above)]},
        height=420,
        names=tuple(order),
        notes=thinning_note(drawn, given),
    )


def _rows(
    places: Sequence[float],
    lines: Mapping[str, Sequence[float | None]],
    shown: Mapping[str, str],
) -> tuple[list[Layer], int, int]:
    wide = (max(places) - min(places)) or 1.0
    rows: list[Layer] = []
    drawn = given = 0
    for name, line in lines.items():
        if len(line) != len(places):
            message = f"{shown[name]} has {len(line)} values for {len(places)} thresholds."
            raise RequestError(message, code="curve-length")
        known = [(p, float(v)) for p, v in zip(places, line, strict=True) if v is not None]
        tall = max((abs(v) for _, v in known), default=1.0) or 1.0
        kept = thin(known, width=wide, height=tall)
        drawn, given = drawn + len(kept), given + len(known)
        rows += series_rows(
            shown[name],
            kept,
            lambda x, y: {"at": show_number(x), "said": show_number(y)},
            digits=(None, 6),
        )
    return rows, drawn, given


def mark_layers(
    marks: Mapping[str, float], low: float, high: float, *, above: bool = False, style: str = "mark"
) -> list[Layer]:
    """Draw upright lines at numbers, with their names beside them; near ones share one place."""
    if not marks:
        return []
    names = labels(marks)
    ranked = sorted(((at, names[name]) for name, at in marks.items()), key=lambda one: one[0])
    rows: list[dict[str, Any]] = []
    for at, label in ranked:
        near = rows and abs(at - rows[-1]["x"]) <= NEAR * ((high - low) or 1.0)
        if near:
            rows[-1]["label"] += f", {label}"
            rows.append({"x": at, "label": ""})
        else:
            rows.append({"x": at, "label": label})
    where = {"x": amount("x")}
    words = text_layer(
        [row for row in rows if row["label"]],
        "marked",
        {**where, "y": {"value": 0 if above else "height"}},
        "label",
        angle=270,
        align="right" if above else "left",
        baseline="bottom",
        dx=-6 if above else 6,
        dy=-4,
    )
    return [rule_layer(rows, style, where), words]

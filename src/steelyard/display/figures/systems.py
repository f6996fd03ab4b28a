"""Each system's number with its interval: over all items, slice by slice, and against its cost."""

from collections.abc import Mapping, Sequence

from steelyard.display.figures.chart import Chart
from steelyard.display.figures.labels import labels
from steelyard.display.figures.layers import (
    Layer,
    axis,
    check,
    draw,
    hint,
    row_axis,
    rule_layer,
    say,
    series,
    text_layer,
    word,
)
from steelyard.display.figures.rows import Rows
from steelyard.display.numbers import digits_for, show_interval, show_number

__all__ = ["STATES", "Measurement", "front_chart", "interval_chart", "slice_chart"]

STATES = {"on": "on the front", "undecided": "undecided", "off": "off the front"}
"""How each state is called."""
MARK = 16
"""The height of the mark of one system in a slice, and twice that of what parts two slices."""
Measurement = tuple[str, float | None, float | None, float | None]
"""A name, a value and both ends of its interval; None where there is none."""


def interval_chart(
    rows: Sequence[Measurement], *, measure: str = "accuracy", title: str = "Systems"
) -> Chart:
    """Draw a row for each system: its value as a point, its interval as a line.

    Examples
    --------
    >>> interval_chart([("svm", 0.98, 0.97, 0.99), ("knn", None, None, None)]).summary
    'Systems: accuracy of svm 0.980, knn undefined.'
    """
    shown = labels(name for name, *_ in rows)
    order = [shown[name] for name, *_ in rows]
    drawn = [_row(shown[name], value, low, high) for name, value, low, high in rows]
    places = {
        "y": row_axis("row", order),
        "x": axis("value", measure[:1].upper() + measure[1:], zero=False, format=".3~g"),
    }
    tips: Layer = {"tooltip": hint(row="system", said=measure, ends="interval")}
    defined = [row for row in drawn if row["value"] is not None]
    ranged = [row for row in defined if row["low"] is not None]
    ends = {"y": places["y"], "x": {**places["x"], "field": "low"}, "x2": {"field": "high"}}
    undefined = [row for row in drawn if row["value"] is None]
    layers = [
        rule_layer(ranged, "interval", {**ends, **tips}),
        draw(defined, {"type": "point", "style": "dot", "filled": True}, {**places, **tips}),
        text_layer(undefined, "value-soft", {"y": places["y"]}, "said", align="left", x=6),
    ]
    values = ", ".join(f"{row['row']} {row['said']}" for row in drawn)
    return Chart(
        title=title,
        summary=f"{title}: {measure} of {values}.",
        body={"layer": [layer for layer in layers if layer["data"]["values"]]},
        height={"step": 38},
        rows=Rows(
            names=tuple((name,) for name, *_ in rows),
            values=tuple("" if row["value"] is None else row["said"] for row in drawn),
            intervals=tuple("" if row["low"] is None else row["ends"] for row in drawn),
        ),
    )


def slice_chart(
    slices: Mapping[str, Sequence[Measurement]],
    *,
    measure: str = "accuracy",
    title: str = "Slices",
) -> Chart:
    """Draw a row for each slice, and in it a mark with its interval for each system.

    Parameters
    ----------
    slices
        For each slice the numbers of its systems; one without a number has no mark.

    Examples
    --------
    >>> slice_chart({"day": [("a", 0.9, 0.8, 0.95)], "night": [("a", 0.7, 0.6, 0.8)]}).summary
    'Slices: accuracy of 1 system in 2 slices.'
    """
    shown = labels(slices)
    names = labels(name for rows in slices.values() for name, *_ in rows)
    drawn = [
        {**_row(shown[part], value, low, high), "series": names[name]}
        for part, rows in slices.items()
        for name, value, low, high in rows
        if value is not None
    ]
    told = series(list(names.values()), shapes=True, dashes=False)
    y = row_axis("row", list(shown.values()))
    places = {
        "y": {**y, "scale": {**y["scale"], "paddingInner": 0.25}, "axis": {"grid": True}},
        "yOffset": {**word("series"), "sort": list(names.values())},
        "tooltip": hint(row="slice", series="system", said=measure, ends="interval"),
    }
    x = axis("value", measure, zero=False, format=".3~g")
    ranged = [row for row in drawn if row["low"] is not None]
    lines = {**places, "x": {**x, "field": "low"}, "x2": {"field": "high"}, "color": told["color"]}
    dot = {"type": "point", "style": "dot", "filled": True, "size": 70}
    dots = draw(drawn, dot, {**places, "x": x, **told})
    return Chart(
        title=title,
        summary=f"{title}: {measure} of {say(len(names), 'system')} in {say(len(shown), 'slice')}.",
        body={"layer": [*([rule_layer(ranged, "interval", lines)] if ranged else []), dots]},
        height=70 + len(shown) * MARK * (len(names) + 1),
        names=tuple(names.values()),
        rows=Rows(names=tuple((part,) for part in slices)),
    )


def _row(label: str, value: float | None, low: float | None, high: float | None) -> Layer:
    if value is None:
        return {"row": label, "value": None, "low": None, "said": "undefined"}
    if low is None or high is None:
        (number,) = check([value], label)
        said = show_number(number)
        return {"row": label, "value": number, "low": None, "said": said, "ends": "none"}
    number, left, right = check([value, low, high], label)
    return {
        "row": label,
        "value": number,
        "low": left,
        "high": right,
        "said": show_number(number, digits=digits_for(left, right)),
        "ends": show_interval(left, right),
    }


def front_chart(
    systems: Sequence[tuple[str, Measurement, Measurement]], *, quality: str, cost: str
) -> Chart:
    """Draw systems by cost (across) and quality (up), told apart by where they stand.

    ``systems`` are a state, the quality and the cost of each, both under the name of the system.

    Examples
    --------
    >>> front_chart([("on", ("a", 4.0, 3.8, 4.2), ("a", 20, 18, 22))], quality="grade",
    ...             cost="latency").summary
    'Quality against cost: a, on the front (grade 4.000, latency 20.0).'
    """
    shown = labels(name for _, (name, *_), _ in systems)
    rows = [_cost_row(shown[up[0]], state, up, across) for state, up, across in systems]
    order = [words for words in STATES.values() if any(row["series"] == words for row in rows)]
    told = series(order, shapes=True, dashes=False)
    x = axis("x", cost, zero=False, format=",.6~g")
    y = axis("y", quality, zero=False, format=",.6~g")
    rule = {"type": "rule", "strokeWidth": 1.5, "opacity": 0.7}
    tips = hint(name="system", series="place", up=quality, across=cost)
    dot = {"type": "point", "filled": True, "size": 90, "opacity": 1}
    places: Layer = {"x": x, "y": y}
    colour = {"color": told["color"]}
    up = {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}}
    along = {"y": y, "x": {**x, "field": "left"}, "x2": {"field": "right"}}
    layers = [
        draw([row for row in rows if row["low"] is not None], rule, {**up, **colour}),
        draw([row for row in rows if row["left"] is not None], rule, {**along, **colour}),
        draw(rows, dot, {**places, **colour, "shape": told["shape"], "tooltip": tips}),
        text_layer(rows, "value", places, "name", align="left", dx=9, dy=-9),
    ]
    said = "; ".join(
        f"{row['name']}, {row['series']} ({quality} {row['up']}, {cost} {row['across']})"
        for row in rows
    )
    return Chart(
        title="Quality against cost",
        summary=f"Quality against cost: {said}.",
        body={"layer": [layer for layer in layers if layer["data"]["values"]]},
        width=600,
        height=420,
        names=tuple(order),
    )


def _cost_row(label: str, state: str, up: Measurement, across: Measurement) -> Layer:
    (low, high), (left, right) = _cost_ends(label, up), _cost_ends(label, across)
    quality, cost = check([float(up[1] or 0), float(across[1] or 0)], label)
    return {
        "name": label,
        "series": STATES[state],
        "x": cost,
        "y": quality,
        "low": low,
        "high": high,
        "left": left,
        "right": right,
        "up": show_number(quality),
        "across": show_number(cost),
    }


def _cost_ends(label: str, number: Measurement) -> tuple[float | None, float | None]:
    if number[2] is None or number[3] is None:
        return None, None
    low, high = check([number[2], number[3]], label)
    return low, high

"""Each system's number with its interval."""

from collections.abc import Sequence

from steelyard.display.figures.chart import Chart
from steelyard.display.figures.labels import labels
from steelyard.display.figures.layers import Layer, axis, check, hint, row_axis
from steelyard.display.numbers import digits_for, show_interval, show_number

__all__ = ["Measurement", "interval_chart"]

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
        "x": axis("value", measure, zero=False, format=".3~g"),
    }
    tips: Layer = {"tooltip": hint(row="system", said=measure, ends="interval")}
    defined = [row for row in drawn if row["value"] is not None]
    ranged = [row for row in defined if row["low"] is not None]
    layers: list[Layer] = [
        {
            "data": {"values": ranged},
            "mark": {"type": "rule", "style": "interval"},
            "encoding": {
                "y": places["y"],
                "x": {**places["x"], "field": "low"},
                "x2": {"field": "high"},
                **tips,
            },
        },
        {
            "data": {"values": defined},
            "mark": {"type": "point", "style": "dot", "filled": True},
            "encoding": {**places, **tips},
        },
        {
            "data": {"values": [row for row in drawn if row["value"] is None]},
            "mark": {"type": "text", "style": "value-soft", "align": "left", "x": 6},
            "encoding": {"y": places["y"], "text": {"field": "said", "type": "nominal"}},
        },
    ]
    values = ", ".join(f"{row['row']} {row['said']}" for row in drawn)
    return Chart(
        title=title,
        summary=f"{title}: {measure} of {values}.",
        body={"layer": [layer for layer in layers if layer["data"]["values"]]},
        height={"step": 38},
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

"""Quality against cost: each system as a point with both its intervals."""

from collections.abc import Sequence

from steelyard.display.figures.chart import Chart
from steelyard.display.figures.labels import labels
from steelyard.display.figures.layers import Layer, axis, check, hint, series
from steelyard.display.figures.systems import Measurement
from steelyard.display.numbers import show_number

__all__ = ["STATES", "front_chart"]

STATES = {"on": "on the front", "undecided": "undecided", "off": "off the front"}
"""How each state is called."""


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
    rows = [_row(shown[up[0]], state, up, across) for state, up, across in systems]
    order = [words for words in STATES.values() if any(row["series"] == words for row in rows)]
    told = series(order, shapes=True, dashes=False)
    x = axis("x", cost, zero=False, format=",.6~g")
    y = axis("y", quality, zero=False, format=",.6~g")
    rule = {"type": "rule", "strokeWidth": 1.5, "opacity": 0.7}
    tips = hint(name="system", series="place", up=quality, across=cost)
    places: Layer = {"x": x, "y": y}
    layers: list[Layer] = [
        {
            "data": {"values": [row for row in rows if row["low"] is not None]},
            "mark": rule,
            "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"},
                         "color": told["color"]},
        },
        {
            "data": {"values": [row for row in rows if row["left"] is not None]},
            "mark": rule,
            "encoding": {"y": y, "x": {**x, "field": "left"}, "x2": {"field": "right"},
                         "color": told["color"]},
        },
        {
            "data": {"values": rows},
            "mark": {"type": "point", "filled": True, "size": 90, "opacity": 1},
            "encoding": {**places, "color": told["color"], "shape": told["shape"],
                         "tooltip": tips},
        },
        {
            "data": {"values": rows},
            "mark": {"type": "text", "style": "value", "align": "left", "dx": 9, "dy": -9},
            "encoding": {**places, "text": {"field": "name", "type": "nominal"}},
        },
    ]  # fmt: skip
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


def _row(label: str, state: str, up: Measurement, across: Measurement) -> Layer:
    (low, high), (left, right) = _ends(label, up), _ends(label, across)
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


def _ends(label: str, number: Measurement) -> tuple[float | None, float | None]:
    if number[2] is None or number[3] is None:
        return None, None
    low, high = check([number[2], number[3]], label)
    return low, high

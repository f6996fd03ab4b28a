"""The parts that charts are layered from: axes, series, lines, checked numbers."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from steelyard.display.figures.labels import drawable
from steelyard.display.figures.theme import DASHES, SHAPES
from steelyard.errors import RequestError

__all__ = [
    "CHANCE",
    "Curve",
    "Layer",
    "axis",
    "check",
    "curve_points",
    "hint",
    "line_layer",
    "row_axis",
    "rule_layer",
    "say",
    "series",
    "touch_layer",
]

Layer = dict[str, Any]
Curve = tuple[Sequence[float], Sequence[float]]
"""The horizontal values of a curve, and the vertical ones."""

CHANCE = [{"x": 0, "y": 0}, {"x": 1, "y": 1}]


def check(values: Sequence[float], what: str) -> list[float]:
    """Turn numbers into plain floats, and refuse what cannot be drawn."""
    numbers = [float(value) for value in values]
    for value in numbers:
        if not isfinite(value):
            message = (
                f"{drawable(what)}: {value!r} cannot be drawn. Leave undefined points out, or "
                "pass finite numbers."
            )
            raise RequestError(message, code="not-finite")
    return numbers


def curve_points(name: str, curve: Curve) -> list[tuple[float, float]]:
    """Pair the values of a curve, checked."""
    first, second = (check(side, name) for side in curve)
    if len(first) != len(second) or not first:
        message = (
            f"{drawable(name)}: {len(first)} horizontal and {len(second)} vertical values; "
            "a curve has as many of one as of the other, and at least one."
        )
        raise RequestError(message, code="curve-length")
    return list(zip(first, second, strict=True))


def axis(field: str, title: str, **rest: Any) -> Layer:  # noqa: ANN401
    """Place a number along an axis; ``domain``, ``zero``, ``kind`` and ``format`` shape it."""
    scale = {
        {"kind": "type"}.get(name, name): rest.pop(name)
        for name in ("domain", "zero", "kind", "nice", "reverse")
        if name in rest
    }
    return {
        "field": field,
        "type": "quantitative",
        "title": title or None,
        **({"scale": scale} if scale else {}),
        # With a count, the renderer would thin the values out again.
        "axis": rest if "values" in rest else {"tickCount": 5, **rest},
    }


def row_axis(field: str, order: Sequence[str]) -> Layer:
    """Give every name a row of its own, in this order."""
    return {
        "field": field,
        "type": "nominal",
        "sort": list(order),
        "title": None,
        "scale": {"domain": list(order)},
        "axis": {"grid": False, "domain": False},
    }


def series(order: Sequence[str], *, shapes: bool = False, dashes: bool = True) -> Layer:
    """Tell series apart by colour, and also by dash or shape, so that grey paper is enough."""
    domain = list(order)
    field = {"field": "series", "type": "nominal"}
    legend: Layer = {"symbolType": "stroke"} if dashes and not shapes else {"symbolSize": 110}
    found: Layer = {"color": {**field, "scale": {"domain": domain}, "legend": legend}}
    if dashes:
        patterns = [DASHES[place % len(DASHES)] for place in range(len(domain))]
        found["strokeDash"] = {
            **field,
            "scale": {"domain": domain, "range": patterns},
            "legend": legend,
        }
    if shapes:
        forms = [SHAPES[place % len(SHAPES)] for place in range(len(domain))]
        found["shape"] = {
            **field,
            "scale": {"domain": domain, "range": forms},
            "legend": legend,
        }
    return found


def line_layer(rows: Sequence[Mapping[str, Any]], encoding: Layer, **mark: Any) -> Layer:  # noqa: ANN401
    """Draw series as lines, in the order of the rows; what has hints has them at every point."""
    touched = {"point": "transparent"} if "tooltip" in encoding else {}
    return {
        "data": {"values": list(rows)},
        "mark": {"type": "line", "style": "curve", **touched, **mark},
        "encoding": {**encoding, "order": {"field": "place", "type": "quantitative"}},
    }


def rule_layer(rows: Sequence[Mapping[str, Any]], style: str, encoding: Layer) -> Layer:
    """Draw straight lines in a style."""
    return {
        "data": {"values": list(rows)},
        "mark": {"type": "rule", "style": style},
        "encoding": encoding,
    }


def touch_layer(rows: Sequence[Mapping[str, Any]], places: Layer, tips: list[Layer]) -> Layer:
    """Lay points that are not seen over a drawing; they have words under the pointer."""
    return {
        "data": {"values": list(rows)},
        "mark": {"type": "point", "filled": True, "opacity": 0, "size": 160},
        "encoding": {**places, "tooltip": tips},
    }


def hint(**titles: str) -> list[Layer]:
    """List what is shown under the pointer: fields that are written out in the rows as text."""
    return [
        {"field": field, "type": "nominal", "title": title or " "}
        for field, title in titles.items()
    ]


def say(number: int, what: str) -> str:
    """Count things for a summary."""
    return f"{number:,d} {what}{'' if number == 1 else 's'}"

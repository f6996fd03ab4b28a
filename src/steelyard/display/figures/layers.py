"""The parts that charts are layered from: axes, series, lines, checked numbers."""

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any

from steelyard.display.figures.labels import drawable
from steelyard.display.figures.theme import DASHES, SHAPES
from steelyard.display.figures.thinning import Points, thin, thinning_note
from steelyard.errors import RequestError

__all__ = [
    "Curve",
    "Layer",
    "amount",
    "axis",
    "chance_layer",
    "check",
    "curve_points",
    "curve_rows",
    "draw",
    "hint",
    "line_layer",
    "list_series",
    "row_axis",
    "rule_layer",
    "say",
    "series",
    "series_rows",
    "text_layer",
    "touch_layer",
    "word",
]

Layer = dict[str, Any]
Curve = tuple[Sequence[float], Sequence[float]]
"""The horizontal values of a curve, and the vertical ones."""


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


def series_rows(
    label: str,
    points: Points,
    tell: Callable[[float, float], Mapping[str, str]],
    *,
    digits: tuple[int | None, int | None] = (None, None),
) -> list[Layer]:
    """Make the rows of one series, in their order, with what is told of each point.

    ``digits`` are those after the point that a drawing needs, of x and of y; all of them if None.
    """
    across, up = digits
    return [
        {
            "series": label,
            "place": place,
            "x": x if across is None else round(x, across),
            "y": y if up is None else round(y, up),
            **tell(x, y),
        }
        for place, (x, y) in enumerate(points)
    ]


def curve_rows(
    curves: Mapping[str, Curve],
    shown: Mapping[str, str],
    tell: Callable[[float, float], Mapping[str, str]],
    *,
    digits: tuple[int | None, int | None] = (None, None),
    spans: tuple[float, float] | None = None,
) -> tuple[list[Layer], tuple[str, ...]]:
    """Make the rows of several curves; with the ``spans`` of the axes they are thinned."""
    rows: list[Layer] = []
    given = 0
    for name, curve in curves.items():
        points: Points = curve_points(name, curve)
        given += len(points)
        kept = points if spans is None else thin(points, width=spans[0], height=spans[1])
        rows += series_rows(shown[name], kept, tell, digits=digits)
    return rows, thinning_note(len(rows), given)


def amount(field: str) -> Layer:
    """Take a number from the rows."""
    return {"field": field, "type": "quantitative"}


def word(field: str) -> Layer:
    """Take a text from the rows."""
    return {"field": field, "type": "nominal"}


def axis(field: str, title: str, **rest: Any) -> Layer:  # noqa: ANN401
    """Place a number along an axis; ``domain``, ``zero``, ``kind`` and ``format`` shape it."""
    scale = {
        {"kind": "type"}.get(name, name): rest.pop(name)
        for name in ("domain", "zero", "kind", "nice", "reverse")
        if name in rest
    }
    return {
        **amount(field),
        "title": title or None,
        **({"scale": scale} if scale else {}),
        # With a count, the renderer would thin the values out again.
        "axis": rest if "values" in rest else {"tickCount": 5, **rest},
    }


def row_axis(field: str, order: Sequence[str]) -> Layer:
    """Give every name a row of its own, in this order."""
    return {
        **word(field),
        "sort": list(order),
        "title": None,
        "scale": {"domain": list(order)},
        "axis": {"grid": False, "domain": False},
    }


def series(order: Sequence[str], *, shapes: bool = False, dashes: bool = True) -> Layer:
    """Tell series apart by colour, and also by dash or shape, so that grey paper is enough."""
    domain = list(order)
    field = word("series")
    legend: Layer = {"symbolType": "stroke"} if dashes and not shapes else {"symbolSize": 110}
    found: Layer = {"color": {**field, "scale": {"domain": domain}, "legend": legend}}
    told = [("strokeDash", DASHES)] if dashes else []
    for name, forms in [*told, *([("shape", SHAPES)] if shapes else [])]:
        chosen = [forms[place % len(forms)] for place in range(len(domain))]
        found[name] = {**field, "scale": {"domain": domain, "range": chosen}, "legend": legend}
    return found


def line_layer(rows: Sequence[Mapping[str, Any]], encoding: Layer, **mark: Any) -> Layer:  # noqa: ANN401
    """Draw series as lines, in the order of the rows; what has hints has them at every point."""
    touched = {"point": "transparent"} if "tooltip" in encoding else {}
    drawn = {"type": "line", "style": "curve", **touched, **mark}
    return draw(rows, drawn, {**encoding, "order": amount("place")})


def rule_layer(rows: Sequence[Mapping[str, Any]], style: str, encoding: Layer) -> Layer:
    """Draw straight lines in a style."""
    return draw(rows, {"type": "rule", "style": style}, encoding)


def text_layer(
    rows: Sequence[Mapping[str, Any]], style: str, places: Layer, field: str, **mark: object
) -> Layer:
    """Write a field of the rows at their places."""
    return draw(rows, {"type": "text", "style": style, **mark}, {**places, "text": word(field)})


def chance_layer(x: Layer, y: Layer, heights: tuple[float, float] = (0, 1)) -> Layer:
    """Draw what guessing would reach, from one side of a unit square to the other."""
    ends = [{"x": at, "y": height} for at, height in enumerate(heights)]
    return draw(ends, {"type": "line", "style": "chance"}, {"x": x, "y": y})


def touch_layer(rows: Sequence[Mapping[str, Any]], places: Layer, tips: list[Layer]) -> Layer:
    """Lay points that are not seen over a drawing; they have words under the pointer."""
    unseen = {"type": "point", "filled": True, "opacity": 0, "size": 160}
    return draw(rows, unseen, {**places, "tooltip": tips})


def draw(rows: Sequence[Mapping[str, Any]], mark: Layer, encoding: Layer) -> Layer:
    """Draw a mark for the rows."""
    return {"data": {"values": list(rows)}, "mark": mark, "encoding": encoding}


def hint(**titles: str) -> list[Layer]:
    """List what is shown under the pointer: fields that are written out in the rows as text."""
    return [{**word(field), "title": title or " "} for field, title in titles.items()]


def say(number: int, what: str) -> str:
    """Count things for a summary."""
    return f"{number:,d} {what}{'' if number == 1 else 's'}"


def list_series(order: Sequence[str], what: str) -> str:
    """Count and name the series of a chart for its summary.

    >>> list_series(["svm", "knn"], "system")
    '2 systems: svm, knn'
    """
    return f"{say(len(order), what)}: {', '.join(order)}"

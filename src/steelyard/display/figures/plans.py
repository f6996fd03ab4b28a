"""How many items a confidence costs, and what confidence a number of items buys."""

from collections.abc import Mapping

from steelyard.display.figures.chart import Chart
from steelyard.display.figures.labels import labels
from steelyard.display.figures.layers import (
    Curve,
    Layer,
    axis,
    curve_points,
    hint,
    line_layer,
    rule_layer,
    said,
    series,
)
from steelyard.display.numbers import show_count, show_number
from steelyard.errors import RequestError

__all__ = ["confidence_chart", "items_chart", "lead_chart"]


def confidence_chart(
    curves: Mapping[str, Curve],
    *,
    wanted: float | None = None,
    reached: str = "Confidence",
    title: str = "Confidence that items buy",
) -> Chart:
    """Draw the confidence reached against the number of items, on a logarithmic axis.

    Parameters
    ----------
    curves
        For each plan the numbers of items, above 0, and the confidences.
    wanted
        The confidence that is asked for, drawn as a line.
    reached
        What the items buy, for the axis.

    Examples
    --------
    >>> confidence_chart({"best of 3": ([100, 1000], [0.7, 0.95])}, wanted=0.95).summary
    'Confidence against items, of 1 plan: best of 3.'
    """
    rows, order = _rows(curves, items_first=True)
    x = axis("x", "Items", kind="log", nice=False, format="~s", values=_ticks(rows, "x"))
    y = axis("y", reached, zero=False, format=".3~f")
    line = _wanted(wanted)
    return _chart(
        title,
        f"{reached} against items, of {said(len(order), 'plan')}: {', '.join(order)}.",
        [*line, _lines(rows, order, x, y)],
        order,
    )


def _wanted(wanted: float | None) -> list[Layer]:
    """Draw what is asked for as a grey line with its number; no curve looks like it."""
    if wanted is None:
        return []
    place = {"y": {"field": "y", "type": "quantitative"}}
    words = {
        "data": {"values": [{"y": wanted, "said": f"wanted: {wanted:g}"}]},
        "mark": {"type": "text", "style": "value-soft", "align": "left", "dx": 4, "dy": -7},
        "encoding": {
            **place,
            "x": {"value": 0},
            "text": {"field": "said", "type": "nominal"},
        },
    }
    return [rule_layer([{"y": wanted}], "chance", place), words]


def items_chart(
    curves: Mapping[str, Curve],
    *,
    wanted: float | None = None,
    title: str = "Items that confidence costs",
) -> Chart:
    """Draw the number of items needed, on a logarithmic axis, against the confidence asked for.

    Parameters
    ----------
    curves
        For each plan the confidences and the numbers of items, above 0.
    wanted
        The confidence that is asked for, drawn as a line.
    """
    rows, order = _rows(curves, items_first=False)
    x = axis("x", "Confidence", zero=False, nice=False, format=".2~f")
    y = axis("y", "Items", kind="log", format="~s", values=_ticks(rows, "y"))
    line = rule_layer([{"x": wanted}], "mark", {"x": {"field": "x", "type": "quantitative"}})
    return _chart(
        title,
        f"Items against confidence, of {said(len(order), 'plan')}: {', '.join(order)}.",
        [*([] if wanted is None else [line]), _lines(rows, order, x, y)],
        order,
    )


def lead_chart(
    curves: Mapping[str, Curve], *, what: str = "Confidence", title: str = "What a lead buys"
) -> Chart:
    """Draw a confidence, or a number of items on a logarithmic axis, against the lead.

    Parameters
    ----------
    curves
        For each plan the leads of the better system, and what they buy or cost.
    what
        ``Confidence`` or ``Items``.

    Examples
    --------
    >>> lead_chart({"0.95": ([0.01, 0.02], [0.6, 0.7])}, title="100 items").summary
    'Confidence against the lead, of 1 plan: 0.95.'
    """
    shown = labels(curves)
    rows: list[Layer] = [
        {
            "series": shown[name],
            "place": place,
            "x": x,
            "y": y,
            "lead": show_number(x),
            "value": show_number(y),
        }
        for name, curve in curves.items()
        for place, (x, y) in enumerate(curve_points(name, curve))
    ]
    order = list(shown.values())
    x = axis("x", "Lead of the better system", zero=False, nice=False, format=".2~f")
    y = axis("y", what, zero=False, format=".2~f")
    if what == "Items":
        y = axis("y", what, kind="log", format="~s", values=_ticks(rows, "y"))
    tips = {"tooltip": hint(series="plan", lead="lead", value=what.lower())}
    return _chart(
        title,
        f"{what} against the lead, of {said(len(order), 'plan')}: {', '.join(order)}.",
        [line_layer(rows, {"x": x, "y": y, **series(order), **tips})],
        order,
    )


def _rows(curves: Mapping[str, Curve], *, items_first: bool) -> tuple[list[Layer], list[str]]:
    shown = labels(curves)
    rows: list[Layer] = []
    for name, curve in curves.items():
        for place, (x, y) in enumerate(curve_points(name, curve)):
            items, confidence = (x, y) if items_first else (y, x)
            if items <= 0:
                message = f"{shown[name]}: {items:g} items cannot stand on a logarithmic axis."
                raise RequestError(message, code="items-not-positive")
            rows.append(
                {
                    "series": shown[name],
                    "place": place,
                    "x": x,
                    "y": y,
                    "items": show_count(round(items)),
                    "sure": show_number(confidence),
                }
            )
    return rows, list(shown.values())


def _ticks(rows: list[Layer], field: str) -> list[int]:
    """Choose 1, 2 and 5 times powers of ten inside the range."""
    low, high = min(row[field] for row in rows), max(row[field] for row in rows)
    every = [digit * 10**power for power in range(13) for digit in (1, 2, 5)]
    return [tick for tick in every if low / 2 <= tick <= high * 2]


def _lines(rows: list[Layer], order: list[str], x: Layer, y: Layer) -> Layer:
    tips = {"tooltip": hint(series="plan", items="items", sure="confidence")}
    return line_layer(rows, {"x": x, "y": y, **series(order), **tips})


def _chart(title: str, summary: str, layers: list[Layer], order: list[str]) -> Chart:
    return Chart(
        title=title,
        summary=summary,
        body={"layer": layers},
        height=400,
        names=tuple(order),
    )

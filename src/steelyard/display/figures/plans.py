"""What items buy: plans beforehand, the path of a campaign, the least difference seen."""

from collections.abc import Mapping, Sequence

from steelyard.display.figures.chart import Chart
from steelyard.display.figures.labels import labels
from steelyard.display.figures.layers import (
    Curve,
    Layer,
    amount,
    axis,
    curve_points,
    curve_rows,
    draw,
    hint,
    line_layer,
    list_series,
    rule_layer,
    say,
    series,
    text_layer,
)
from steelyard.display.figures.thresholds import mark_layers
from steelyard.display.numbers import show_count, show_number
from steelyard.errors import RequestError

__all__ = [
    "characteristic_chart",
    "confidence_chart",
    "discrimination_chart",
    "items_chart",
    "lead_chart",
    "trajectory_chart",
]

DIFFERENT = 1.0
HIGHEST = 10.0
"""Beyond this nobody doubts; the curves are cut there, so that the doubtful part can be seen."""


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
    line = _draw_wanted(wanted)
    return _chart(
        title,
        f"{reached} against items, of {list_series(order, 'plan')}.",
        [*line, _lines(rows, order, x, y)],
        order,
    )


def _draw_wanted(wanted: float | None) -> list[Layer]:
    """Draw what is asked for as a grey line with its number; no curve looks like it."""
    if wanted is None:
        return []
    height = {"y": amount("y")}
    words = text_layer(
        [{"y": wanted, "said": f"wanted: {wanted:g}"}],
        "value-soft",
        {**height, "x": {"value": 0}},
        "said",
        align="left",
        dx=4,
        dy=-7,
    )
    return [rule_layer([{"y": wanted}], "chance", height), words]


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
    line = rule_layer([{"x": wanted}], "mark", {"x": amount("x")})
    return _chart(
        title,
        f"Items against confidence, of {list_series(order, 'plan')}.",
        [*([] if wanted is None else [line]), _lines(rows, order, x, y)],
        order,
    )


def characteristic_chart(
    curves: Mapping[str, Curve],
    *,
    what: str,
    limit: float,
    supposed: float | None = None,
    title: str = "Chance to accept (operating characteristic)",
) -> Chart:
    """Draw the chance of acceptance tests to accept against what is really there.

    Parameters
    ----------
    curves
        For each test the values of the measure and the chances to accept.
    what
        The measure, for the axis.
    limit, supposed
        What is claimed, and what is supposed; drawn as lines.

    Examples
    --------
    >>> curves = {"fixed size": ([0.8, 0.9], [0.0, 0.05])}
    >>> characteristic_chart(curves, what="P_D", limit=0.9).summary
    'Chance to accept against P_D, of 1 test: fixed size.'
    """
    shown = labels(curves)
    order = list(shown.values())
    rows, _ = curve_rows(curves, shown, lambda x, y: {"at": show_number(x), "said": show_number(y)})
    places = [place for xs, _ in curves.values() for place in xs]
    marks = {"limit": limit} | ({} if supposed is None else {"supposed": supposed})
    lines = mark_layers(marks, min(places), max(places), above=True, style="chance")
    tips = {"tooltip": hint(series="test", at=what, said="chance to accept")}
    across = axis("x", what, zero=False, nice=False)
    up = axis("y", "Chance to accept", domain=[0, 1])
    placed = {"x": across, "y": up, **series(order), **tips}
    curve = line_layer(rows, placed, interpolate="monotone")
    return Chart(
        title=title,
        summary=f"Chance to accept against {what}, of {list_series(order, 'test')}.",
        body={"layer": [*lines, curve]},
        height=340,
        names=tuple(order),
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
    rows, _ = curve_rows(
        curves, shown, lambda x, y: {"lead": show_number(x), "value": show_number(y)}
    )
    order = list(shown.values())
    x = axis("x", "Lead of the better system", zero=False, nice=False, format=".2~f")
    y = axis("y", what, zero=False, format=".2~f")
    if what == "Items":
        y = axis("y", what, kind="log", format="~s", values=_ticks(rows, "y"))
    tips = {"tooltip": hint(series="plan", lead="lead", value=what.lower())}
    return _chart(
        title,
        f"{what} against the lead, of {list_series(order, 'plan')}.",
        [line_layer(rows, {"x": x, "y": y, **series(order), **tips})],
        order,
    )


def _rows(curves: Mapping[str, Curve], *, items_first: bool) -> tuple[list[Layer], list[str]]:
    shown = labels(curves)

    def tell(x: float, y: float) -> dict[str, str]:
        items, confidence = (x, y) if items_first else (y, x)
        return {"items": show_count(round(items)), "sure": show_number(confidence)}

    for name, curve in curves.items():
        for items in curve[0 if items_first else 1]:
            if items <= 0:
                message = f"{shown[name]}: {items:g} items cannot stand on a logarithmic axis."
                raise RequestError(message, code="items-not-positive")
    return curve_rows(curves, shown, tell)[0], list(shown.values())


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


def trajectory_chart(
    path: Curve,
    *,
    bounds: Sequence[float] = (),
    stopped: float | None = None,
    what: str = "value of the rule",
    title: str = "Path of the campaign",
) -> Chart:
    """Draw how the value that a rule looks at moved with the items, and the bounds it waits for.

    Parameters
    ----------
    path
        The numbers of items at the looks, and the value at each.
    bounds
        Values at which the rule stops, drawn as lines.
    stopped
        Number of items at which it stopped, drawn as a line.

    Examples
    --------
    >>> chart = trajectory_chart(([10, 20], [0.7, 0.96]), bounds=[0.95], stopped=20)
    >>> chart.summary
    'Path of the campaign: value of the rule 0.960 after 20 items; stopped at 20 items.'
    """
    points = curve_points(what, path)
    rows: list[Layer] = [
        {"place": place, "x": x, "y": y, "items": show_count(round(x)), "said": show_number(y)}
        for place, (x, y) in enumerate(points)
    ]
    x = axis("x", "Items", nice=False, format="~s")
    y = axis("y", what[:1].upper() + what[1:], zero=False)
    layers = [rule_layer([{"y": bound}], "mark", {"y": amount("y")}) for bound in bounds]
    if stopped is not None:
        place = {"x": amount("x")}
        layers.append(rule_layer([{"x": stopped}], "mark", place))
    tips = {"tooltip": hint(items="items", said=what)}
    # Between two looks nothing is known, so that nothing changes before the next one.
    layers.append(line_layer(rows, {"x": x, "y": y, **tips}, interpolate="step-after"))
    now = {"type": "point", "style": "dot", "filled": True}
    layers.append(draw(rows[-1:], now, {"x": x, "y": y}))
    dashed = ["the bound"] * bool(bounds) + ["the stop"] * (stopped is not None)
    end = "" if stopped is None else f"; stopped at {show_count(round(stopped))} items"
    last = f"{show_number(points[-1][1])} after {show_count(round(points[-1][0]))} items"
    return Chart(
        title=title,
        summary=f"{title}: {what} {last}{end}.",
        body={"layer": layers},
        height=340,
        notes=(f"Dashed: {' and '.join(dashed)}.",) if dashed else (),
    )


def discrimination_chart(
    curves: Mapping[str, Curve],
    *,
    axis_title: str = "Right answers of the second system",
    title: str = "What the criterion can tell apart",
) -> Chart:
    """Draw the difference of AIC against a count; beyond ±1 it speaks.

    Parameters
    ----------
    curves
        For each design the counts and the differences (same minus different): above +1 the
        systems are different, below -1 the same, between undecided.

    Examples
    --------
    >>> discrimination_chart({"independent": ([190, 194], [-1.9, -1.0])}).summary
    'Difference of AIC at 2 counts, of 1 design: independent.'
    """
    shown = labels(curves)
    order = list(shown.values())
    rows, _ = curve_rows(
        curves,
        shown,
        lambda x, y: {"at": show_count(round(x)), "said": show_number(y)},
        digits=(None, 6),
    )
    counts = {row["x"] for row in rows}
    across = axis("x", axis_title, zero=False, nice=False, format=",d")
    lowest = min([-2.0, *(row["y"] for row in rows)])
    highest = min(HIGHEST, max([2.0, *(row["y"] for row in rows)]))
    up = axis("y", "AIC(same) − AIC(different)", domain=[lowest, highest])
    tips = {"tooltip": hint(series="design", at="right", said="difference of AIC")}
    edge = {"y": amount("y")}
    words = [
        text_layer(
            [{"y": at, "word": what}],
            "value-soft",
            {**edge, "x": {"value": 0}},
            "word",
            align="left",
            dx=6,
            dy=dy,
        )
        for at, what, dy in ((DIFFERENT, "different above", -9), (-DIFFERENT, "same below", 11))
    ]
    cut = highest < max((row["y"] for row in rows), default=0.0)
    return Chart(
        title=title,
        summary=(
            f"Difference of AIC at {say(len(counts), 'count')}, of {list_series(order, 'design')}."
        ),
        body={
            "layer": [
                rule_layer([{"y": 0}], "zero", edge),
                rule_layer([{"y": DIFFERENT}, {"y": -DIFFERENT}], "mark", edge),
                line_layer(rows, {"x": across, "y": up, **series(order), **tips}, clip=True),
                *words,
            ]
        },
        height=400,
        names=tuple(order),
        notes=(f"Differences above {HIGHEST:g} are not drawn.",) if cut else (),
    )

"""The path of a campaign towards the bound of its rule."""

from collections.abc import Sequence

from steelyard.display.figures.chart import Chart
from steelyard.display.figures.layers import (
    Curve,
    Layer,
    axis,
    curve_points,
    hint,
    line_layer,
    rule_layer,
)
from steelyard.display.numbers import show_count, show_number

__all__ = ["trajectory_chart"]


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
        {
            "place": place,
            "x": x,
            "y": y,
            "items": show_count(round(x)),
            "said": show_number(y),
        }
        for place, (x, y) in enumerate(points)
    ]
    x = axis("x", "Items", nice=False, format="~s")
    y = axis("y", what[:1].upper() + what[1:], zero=False)
    layers = [
        rule_layer([{"y": bound}], "mark", {"y": {"field": "y", "type": "quantitative"}})
        for bound in bounds
    ]
    if stopped is not None:
        place = {"x": {"field": "x", "type": "quantitative"}}
        layers.append(rule_layer([{"x": stopped}], "mark", place))
    tips = {"tooltip": hint(items="items", said=what)}
    layers.append(line_layer(rows, {"x": x, "y": y, **tips}))
    end = "" if stopped is None else f"; stopped at {show_count(round(stopped))} items"
    last = f"{show_number(points[-1][1])} after {show_count(round(points[-1][0]))} items"
    return Chart(
        title=title,
        summary=f"{title}: {what} {last}{end}.",
        body={"layer": layers},
        height=340,
    )

"""How large a difference must be before the Akaike criterion sees it."""

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

__all__ = ["discrimination_chart"]

DIFFERENT = 1.0
HIGHEST = 10.0
"""Beyond this nobody doubts; the curves are cut there, so that the doubtful part can be seen."""


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
    rows: list[Layer] = []
    counts = set()
    for name, curve in curves.items():
        for place, (x, y) in enumerate(curve_points(name, curve)):
            counts.add(x)
            row = {"series": shown[name], "place": place, "x": x, "y": round(y, 6)}
            rows.append(row | {"at": show_count(round(x)), "said": show_number(y)})
    across = axis("x", axis_title, zero=False, nice=False, format=",d")
    lowest = min([-2.0, *(row["y"] for row in rows)])
    highest = min(HIGHEST, max([2.0, *(row["y"] for row in rows)]))
    up = axis("y", "AIC(same) − AIC(different)", domain=[lowest, highest])
    tips = {"tooltip": hint(series="design", at="right", said="difference of AIC")}
    edge = {"y": {"field": "y", "type": "quantitative"}}
    words = [
        {
            "data": {"values": [{"y": at, "word": word}]},
            "mark": {"type": "text", "style": "value-soft", "align": "left", "dx": 6, "dy": dy},
            "encoding": {**edge, "x": {"value": 0}, "text": {"field": "word", "type": "nominal"}},
        }
        for at, word, dy in ((DIFFERENT, "different above", -9), (-DIFFERENT, "same below", 11))
    ]
    cut = highest < max((row["y"] for row in rows), default=0.0)
    return Chart(
        title=title,
        summary=(
            f"Difference of AIC at {said(len(counts), 'count')}, of {said(len(order), 'design')}: "
            f"{', '.join(order)}."
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

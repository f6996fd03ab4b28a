"""Are probabilities what they say?"""

from collections.abc import Mapping, Sequence

from steelyard.display.figures.chart import Chart
from steelyard.display.figures.labels import labels
from steelyard.display.figures.layers import (
    Layer,
    amount,
    axis,
    chance_layer,
    check,
    hint,
    say,
    word,
)
from steelyard.display.numbers import show_share

__all__ = ["Bin", "calibration_chart"]

COLUMNS = 3
Bin = tuple[float, float, float, float, int]
"""Mean forecast, observed share, both ends of its interval, and the items."""
Ends = tuple[float, float]
"""The lowest and the highest forecast of a bin."""
NARROWEST = 0.01
"""A bin of equal forecasts is drawn so wide."""
FOOT = 1 / 6
"""The part of a panel that the highest bar fills."""


def calibration_chart(
    systems: Mapping[str, Sequence[Bin]],
    *,
    ends: Mapping[str, Sequence[Ends]] | None = None,
    title: str = "Calibration",
) -> Chart:
    """Draw a panel for each system: the observed share against the forecast probability.

    Parameters
    ----------
    systems
        For each system its bins. Points on the dotted line came true as often as
        said; above it the probabilities are too low, below it too high.
    ends
        For each system the ends of its bins: with them the bars at the foot are a histogram, whose
        areas are the items; without them their heights are.

    Examples
    --------
    >>> calibration_chart({"svm": [(0.2, 0.25, 0.1, 0.4, 40)]}).summary
    'Observed share against forecast probability, of 1 system: svm (1 bin).'
    """
    shown = labels(systems)
    order = list(shown.values())
    rows = [
        row
        for name, bins in systems.items()
        for row in _with_bars(
            [_row(shown[name], place, one) for place, one in enumerate(bins)],
            None if ends is None else ends[name],
        )
    ]
    x = axis("x", "Forecast probability (mean of the bin)", domain=[0, 1], format=".1f")
    y = axis("y", "Observed share of positives", domain=[0, 1], format=".1f")
    tips = hint(series="system", said="forecast", true="observed", ends="interval", items="items")
    span = {"y": amount("low"), "y2": {"field": "high"}}
    bars = {"y": amount("bar"), "y2": {"datum": 0}}
    layers = [
        chance_layer(x, y),
        _foot(x, bars, histogram=ends is not None),
        _layer({"type": "rule", "style": "interval", "strokeWidth": 2}, x, span),
        _layer({"type": "line", "style": "curve", "strokeWidth": 1.5, "opacity": 0.6}, x, {"y": y}),
        _layer({"type": "point", "style": "dot", "filled": True}, x, {"y": y, "tooltip": tips}),
    ]
    many = ", ".join(f"{shown[n]} ({say(len(bins), 'bin')})" for n, bins in systems.items())
    return Chart(
        title=title,
        summary=(
            f"Observed share against forecast probability, of {say(len(order), 'system')}: {many}."
        ),
        body={
            "data": {"values": rows},
            "columns": 2 if len(order) == 4 else min(COLUMNS, len(order)),
            "facet": {**word("series"), "sort": order, "title": None},
            "spec": {"layer": layers},
        },
        width=600 if len(order) == 1 else 820,
        height=560 if len(order) == 1 else 400,
        notes=("Bars at the foot: how many items lie in each bin.",)
        if ends is None
        else ("At the foot: how the forecasts are spread.",),
    )


def _with_bars(rows: Sequence[Layer], ends: Sequence[Ends] | None) -> list[Layer]:
    """Give every bin its bar; where its ends are known, as dense as its forecasts lie."""
    widths = [1.0] * len(rows)
    if ends is not None:
        spans = [_span(*each) for each in ends]
        widths = [right - left for left, right in spans]
        rows = [
            {**row, "left": round(left, 5), "right": round(right, 5)}
            for row, (left, right) in zip(rows, spans, strict=True)
        ]
    heights = [row["count"] / width for row, width in zip(rows, widths, strict=True)]
    most = max(heights, default=1) or 1
    return [
        {**row, "bar": round(height / most * FOOT, 5)}
        for row, height in zip(rows, heights, strict=True)
    ]


def _span(low: float, high: float) -> Ends:
    """Make a bin of equal forecasts wide enough to be seen."""
    if high - low >= NARROWEST:
        return low, high
    left = min(max((low + high - NARROWEST) / 2, 0.0), 1 - NARROWEST)
    return left, left + NARROWEST


def _foot(x: Layer, bars: Layer, *, histogram: bool) -> Layer:
    if not histogram:
        return _layer({"type": "rule", "style": "foot"}, x, bars)
    sides = {"x": {**x, "field": "left"}, "x2": {"field": "right"}}
    return {"mark": {"type": "rect", "style": "foot", "strokeWidth": 0}, "encoding": sides | bars}


def _row(label: str, place: int, one: Bin) -> Layer:
    mean, share, low, high = check(one[:4], label)
    return {
        "series": label,
        "place": place,
        "x": mean,
        "y": share,
        "low": low,
        "high": high,
        "said": show_share(mean),
        "true": show_share(share),
        "ends": f"{show_share(low)} to {show_share(high)}",
        "count": int(one[4]),
        "items": f"{int(one[4]):,d}",
    }


def _layer(mark: Layer, x: Layer, encoding: Layer) -> Layer:
    """Draw the rows of a panel."""
    return {"mark": mark, "encoding": {"x": x, **encoding}}

"""Are probabilities what they say?"""

from collections.abc import Mapping, Sequence

from steelyard.display.figures.chart import Chart
from steelyard.display.figures.labels import labels
from steelyard.display.figures.layers import CHANCE, Layer, axis, check, hint, say
from steelyard.display.numbers import show_share

__all__ = ["Bin", "calibration_chart"]

COLUMNS = 3
Bin = tuple[float, float, float, float, int]
"""Mean forecast, observed share, both ends of its interval, and the items."""


def calibration_chart(systems: Mapping[str, Sequence[Bin]], *, title: str = "Calibration") -> Chart:
    """Draw a panel for each system: the observed share against the forecast probability.

    Parameters
    ----------
    systems
        For each system its bins. Points on the dotted line came true as often as
        said; above it the probabilities are too low, below it too high.

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
        for row in _with_bars([_row(shown[name], place, one) for place, one in enumerate(bins)])
    ]
    x = axis("x", "Forecast probability (mean of the bin)", domain=[0, 1], format=".1f")
    y = axis("y", "Observed share of positives", domain=[0, 1], format=".1f")
    tips = hint(series="system", said="forecast", true="observed", ends="interval", items="items")
    span = {"y": {"field": "low", "type": "quantitative"}, "y2": {"field": "high"}}
    bars = {"y": {"field": "bar", "type": "quantitative"}, "y2": {"datum": 0}}
    layers = [
        {
            "data": {"values": CHANCE},
            "mark": {"type": "line", "style": "chance"},
            "encoding": {"x": x, "y": y},
        },
        _layer({"type": "rule", "style": "foot"}, x, bars),
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
            "columns": min(COLUMNS, len(order)),
            "facet": {"field": "series", "type": "nominal", "sort": order, "title": None},
            "spec": {"layer": layers},
        },
        width=600 if len(order) == 1 else 820,
        height=560 if len(order) == 1 else 400,
        notes=("Bars at the foot: how many items lie in each bin.",),
    )


def _with_bars(rows: Sequence[Layer]) -> list[Layer]:
    """Give every bin a bar as high as its items, the largest of a system a sixth of the panel."""
    most = max((row["count"] for row in rows), default=1) or 1
    return [{**row, "bar": round(row["count"] / most / 6, 5)} for row in rows]


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

"""Are probabilities what they say?"""

from collections.abc import Mapping, Sequence

from steelyard.display.figures.chart import Chart
from steelyard.display.figures.labels import labels
from steelyard.display.figures.layers import CHANCE, Layer, axis, checked, hint, said, series
from steelyard.display.numbers import show_share

__all__ = ["Bin", "calibration_chart"]

Bin = tuple[float, float, float, float, int]
"""Mean probability said, share that came true, both ends of its interval, and the items."""


def calibration_chart(systems: Mapping[str, Sequence[Bin]], *, title: str = "Calibration") -> Chart:
    """Draw how often things came true against the probability that was said.

    Parameters
    ----------
    systems
        For each system its bins. Points on the dotted line keep their word; above it the system
        says too little, below too much.

    Examples
    --------
    >>> calibration_chart({"svm": [(0.2, 0.25, 0.1, 0.4, 40)]}).summary
    'What came true against what was said, of 1 system: svm (1 bin).'
    """
    shown = labels(systems)
    order = list(shown.values())
    rows = [
        _row(shown[name], place, one)
        for name, bins in systems.items()
        for place, one in enumerate(bins)
    ]
    x = axis("x", "Probability that was said", domain=[0, 1], format=".1f")
    y = axis("y", "Share that came true", domain=[0, 1], format=".1f")
    told = series(order, shapes=True, dashes=False)
    tips = hint(series="system", said="said", true="came true", ends="interval", items="items")
    diagonal = {
        "data": {"values": CHANCE},
        "mark": {"type": "line", "style": "chance"},
        "encoding": {"x": x, "y": y},
    }
    layers = [
        diagonal,
        _layer(rows, {"type": "rule", "strokeWidth": 2}, x, _ends(told)),
        _layer(
            rows,
            {"type": "line", "strokeWidth": 1.5, "opacity": 0.7},
            x,
            {"y": y, "color": told["color"]},
        ),
        _layer(
            rows,
            {"type": "point", "filled": True, "size": 80, "opacity": 1},
            x,
            {"y": y, "color": told["color"], "shape": told["shape"], "tooltip": tips},
        ),
    ]
    many = ", ".join(f"{shown[n]} ({said(len(bins), 'bin')})" for n, bins in systems.items())
    return Chart(
        title=title,
        summary=f"What came true against what was said, of {said(len(order), 'system')}: {many}.",
        body={"layer": layers},
        width=600,
        height=560,
        names=tuple(order),
    )


def _row(label: str, place: int, one: Bin) -> Layer:
    mean, share, low, high = checked(one[:4], label)
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
        "items": f"{int(one[4]):,d}",
    }


def _ends(told: Layer) -> Layer:
    return {
        "y": {"field": "low", "type": "quantitative"},
        "y2": {"field": "high"},
        "color": told["color"],
    }


def _layer(rows: Sequence[Layer], mark: Layer, x: Layer, encoding: Layer) -> Layer:
    return {"data": {"values": list(rows)}, "mark": mark, "encoding": {"x": x, **encoding}}

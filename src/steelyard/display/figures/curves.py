"""Curves over all thresholds: ROC, precision and recall, detection error trade-off."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import NormalDist
from typing import Any

from steelyard.display.figures.chart import Chart
from steelyard.display.figures.labels import labels
from steelyard.display.figures.layers import (
    CHANCE,
    Curve,
    Layer,
    axis,
    curve_points,
    hint,
    line_layer,
    said,
    series,
)
from steelyard.display.figures.thinning import Points, thinned, thinning_note
from steelyard.display.numbers import show_share

__all__ = ["Band", "det_chart", "precision_recall_chart", "roc_chart"]

Band = tuple[Sequence[float], Sequence[float], Sequence[float]]
"""The horizontal values of a band, its lower and its upper edge."""

SIDE = 600
ERRORS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6)
NOTHING: Mapping[str, Any] = {}


def roc_chart(
    curves: Mapping[str, Curve],
    *,
    bands: Mapping[str, Band] = NOTHING,
    points: Mapping[str, tuple[float, float]] = NOTHING,
    areas: Mapping[str, float] = NOTHING,
    title: str = "ROC curves",
) -> Chart:
    """Draw detections against false alarms, with the line of chance.

    Parameters
    ----------
    curves
        For each system its false-alarm rates and its detection rates, in the order of thresholds.
    bands
        For each system, where known: rates on the horizontal axis, lower and upper detection rate.
    points
        For each system, where chosen: the operating point.
    areas
        For each system, where known: the area under the curve, written into the legend.

    Examples
    --------
    >>> roc_chart({"svm": ([0, 0.1, 1], [0, 0.8, 1])}).summary
    'ROC curves of 1 system: svm.'
    """
    names = labels(curves)
    shown = {
        name: f"{label}  AUC {show_share(areas[name])}" if name in areas else label
        for name, label in names.items()
    }
    rows, notes = _rows(curves, shown)
    order = list(shown.values())
    x = axis("x", "False-alarm rate", domain=[0, 1], format=".1f")
    y = axis("y", "Detection rate", domain=[0, 1], format=".1f")
    tips = {"tooltip": hint(series="system", fa="false-alarm rate", hit="detection rate")}
    body = {
        "layer": [
            _chance(x, y),
            *_bands(bands, shown, order, x),
            line_layer(rows, {"x": x, "y": y, **series(order), **tips}, clip=True),
            *_points(points, shown, order, x, y),
        ]
    }
    return Chart(
        title=title,
        summary=f"ROC curves of {said(len(order), 'system')}: {', '.join(order)}.",
        body=body,
        width=SIDE,
        height=SIDE - 20,
        names=tuple(order),
        notes=notes,
    )


def precision_recall_chart(
    curves: Mapping[str, Curve],
    *,
    share: float | None = None,
    points: Mapping[str, tuple[float, float]] = NOTHING,
    title: str = "Precision and recall",
) -> Chart:
    """Draw precision against recall, as steps: between two thresholds nothing can be reached.

    Parameters
    ----------
    curves
        For each system its recalls, rising, and its precisions.
    share
        The share of positives, which is the precision of guessing.
    points
        For each system, where chosen: the operating point.
    """
    shown = labels(curves)
    rows, notes = _rows({name: _stairs(name, curve) for name, curve in curves.items()}, shown)
    order = list(shown.values())
    x = axis("x", "Recall", domain=[0, 1], format=".1f")
    y = axis("y", "Precision", domain=[0, 1], format=".1f")
    tips = {"tooltip": hint(series="system", fa="recall", hit="precision")}
    guess = [{"x": 0, "y": share}, {"x": 1, "y": share}]
    body = {
        "layer": [
            *([] if share is None else [_chance(x, y, guess)]),
            line_layer(rows, {"x": x, "y": y, **series(order), **tips}, clip=True),
            *_points(points, shown, order, x, y),
        ]
    }
    return Chart(
        title=title,
        summary=f"Precision against recall of {said(len(order), 'system')}: {', '.join(order)}.",
        body=body,
        width=SIDE,
        height=SIDE - 20,
        names=tuple(order),
        notes=notes,
    )


def det_chart(curves: Mapping[str, Curve], *, title: str = "Detection error trade-off") -> Chart:
    """Draw misses against false alarms on normal-deviate axes, where normal scores give lines.

    Parameters
    ----------
    curves
        For each system its false-alarm rates and its miss rates. Rates of 0 and 1 lie infinitely
        far out on these axes and are not drawn.

    References
    ----------
    .. [1] Martin, Doddington, Kamm, Ordowski & Przybocki (1997), The DET curve in assessment of
       detection task performance, Eurospeech, 1895-1898.
    """
    shown = labels(curves)
    order = list(shown.values())
    probit = NormalDist().inv_cdf
    rows, drawn, given = [], 0, 0
    for name, curve in curves.items():
        inside = [(x, y) for x, y in curve_points(name, curve) if 0 < x < 1 and 0 < y < 1]
        bent = [(probit(x), probit(y)) for x, y in inside]
        kept = thinned(bent, width=6, height=6) if bent else []
        rows += _series_rows(shown[name], kept, written=dict(zip(bent, inside, strict=True)))
        drawn, given = drawn + len(kept), given + len(bent)
    low, high = probit(ERRORS[0]), probit(ERRORS[-1])
    ticks = {
        "values": [probit(rate) for rate in ERRORS],
        "labelExpr": _tick_words(),
        "labelOverlap": "greedy",
    }
    x = axis("x", "False-alarm rate", domain=[low, high], nice=False, **ticks)
    y = axis("y", "Miss rate", domain=[low, high], nice=False, **ticks)
    tips = {"tooltip": hint(series="system", fa="false-alarm rate", hit="miss rate")}
    body = {
        "layer": [
            line_layer(rows, {"x": x, "y": y, **series(order), **tips}, clip=True),
        ]
    }
    return Chart(
        title=title,
        summary=(
            f"Miss rate against false-alarm rate of {said(len(order), 'system')}: "
            f"{', '.join(order)}."
        ),
        body=body,
        width=SIDE,
        height=SIDE - 20,
        names=tuple(order),
        notes=thinning_note(drawn, given),
    )


def _tick_words() -> str:
    """Spell the ticks of a normal-deviate axis; an expression made of our own constants only."""
    words = f"'{ERRORS[-1]:.0%}'"
    for rate, following in zip(ERRORS[-2::-1], ERRORS[:0:-1], strict=True):
        middle = (NormalDist().inv_cdf(rate) + NormalDist().inv_cdf(following)) / 2
        words = f"datum.value < {middle:.6f} ? '{100 * rate:g}%' : {words}"
    return words


def _rows(
    curves: Mapping[str, Curve], shown: Mapping[str, str]
) -> tuple[list[Layer], tuple[str, ...]]:
    rows, drawn, given = [], 0, 0
    for name, curve in curves.items():
        points = curve_points(name, curve)
        kept = thinned(points)
        rows += _series_rows(shown[name], kept)
        drawn, given = drawn + len(kept), given + len(points)
    return rows, thinning_note(drawn, given)


def _stairs(name: str, curve: Curve) -> Curve:
    """Put in the corners of steps: a precision holds from the recall before it up to its own."""
    points = curve_points(name, curve)
    corners = [points[0]]
    for (before, _), (x, y) in pairwise(points):
        corners += [(before, y), (x, y)]
    return [x for x, _ in corners], [y for _, y in corners]


def _series_rows(
    label: str,
    points: Points,
    *,
    written: Mapping[tuple[float, float], tuple[float, float]] | None = None,
) -> list[Layer]:
    rows = []
    for place, point in enumerate(points):
        said_x, said_y = written[point] if written else point
        rows.append(
            {
                "series": label,
                "place": place,
                "x": round(point[0], 5),
                "y": round(point[1], 5),
                "fa": show_share(said_x),
                "hit": show_share(said_y),
            }
        )
    return rows


def _chance(x: Layer, y: Layer, ends: Sequence[Mapping[str, Any]] = CHANCE) -> Layer:
    return {
        "data": {"values": list(ends)},
        "mark": {"type": "line", "style": "chance"},
        "encoding": {"x": x, "y": y},
    }


def _bands(
    bands: Mapping[str, Band], shown: Mapping[str, str], order: Sequence[str], x: Layer
) -> list[Layer]:
    rows = []
    for name, (places, lows, highs) in bands.items():
        lower = thinned(curve_points(name, (places, lows)))
        upper = thinned(curve_points(name, (places, highs)))
        at = sorted({point[0] for point in (*lower, *upper)})
        edges = {p: (low, high) for p, low, high in zip(places, lows, highs, strict=True)}
        rows += [
            {"series": shown[name], "x": round(p, 5), "low": edges[p][0], "high": edges[p][1]}
            for p in at
        ]
    if not rows:
        return []
    colour = series(order)["color"]
    return [
        {
            "data": {"values": rows},
            "mark": {"type": "area", "style": "band", "clip": True},
            "encoding": {
                "x": x,
                "y": {"field": "low", "type": "quantitative"},
                "y2": {"field": "high"},
                "color": colour,
            },
        }
    ]


def _points(
    points: Mapping[str, tuple[float, float]],
    shown: Mapping[str, str],
    order: Sequence[str],
    x: Layer,
    y: Layer,
) -> list[Layer]:
    rows = [{"series": shown[name], "x": px, "y": py} for name, (px, py) in points.items()]
    if not rows:
        return []
    colour = series(order)["color"]
    return [
        {
            "data": {"values": rows},
            "mark": {"type": "point", "style": style, "filled": filled, **size},
            "encoding": {"x": x, "y": y, **({} if filled else {"color": colour})},
        }
        for style, filled, size in (
            ("hole", True, {"size": 150}),
            ("curve", False, {"size": 150, "strokeWidth": 3, "opacity": 1}),
        )
    ]

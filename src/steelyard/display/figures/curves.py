"""Curves over all thresholds: ROC, precision and recall, detection error trade-off."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import NormalDist, median_low
from typing import Any

from steelyard.display.figures.chart import Chart
from steelyard.display.figures.labels import labels
from steelyard.display.figures.layers import (
    Curve,
    Layer,
    amount,
    axis,
    chance_layer,
    curve_points,
    curve_rows,
    draw,
    hint,
    line_layer,
    list_series,
    series,
    series_rows,
)
from steelyard.display.figures.thinning import Points, thin, thinning_note
from steelyard.display.numbers import digits_for, show_interval, show_number, show_share

__all__ = ["Area", "Band", "corner_of", "det_chart", "precision_recall_chart", "roc_chart"]

Area = float | tuple[float, float, float]
"""An area, alone or with both ends of its interval."""
Band = tuple[Sequence[float], Sequence[float], Sequence[float]]
"""The horizontal values of a band, its lower and its upper edge."""

SIDE = 600
ERRORS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.99)
"""Ticks of normal-deviate axes."""
USUAL_END = 0.6
"""Trade-offs worth a look lie below; beyond it are systems that nobody would use."""
WIDEST_BEGIN = 0.2
CORNERS = (0.02, 0.05, 0.1, 0.2)
NOTHING: Mapping[str, Any] = {}
DIGITS = (5, 5)
Written = Mapping[tuple[float, float], tuple[float, float]]


def roc_chart(
    curves: Mapping[str, Curve],
    *,
    bands: Mapping[str, Band] = NOTHING,
    points: Mapping[str, tuple[float, float]] = NOTHING,
    areas: Mapping[str, Area] = NOTHING,
    title: str = "ROC curves",
    corner: float = 1.0,
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
        For each system, where known: the area under the curve, and the ends of its interval,
        written into the legend.
    corner
        Draw false-alarm rates up to this one alone, and detection rates as near to 1.

    Examples
    --------
    >>> roc_chart({"svm": ([0, 0.1, 1], [0, 0.8, 1])}).summary
    'ROC curves of 1 system: svm.'
    """
    # A corner stands beside the whole chart, whose legend has the areas.
    shown = _with_areas(curves, areas if corner == 1 else NOTHING, "AUC")
    rows, notes = curve_rows(curves, shown, _tell, digits=DIGITS, spans=(corner, corner))
    order = list(shown.values())
    ticks = ".1f" if corner == 1 else ".3~f"
    x = axis("x", "False-alarm rate", domain=[0, corner], format=ticks)
    y = axis("y", "Detection rate", domain=[1 - corner, 1], format=ticks)
    tips = {"tooltip": hint(series="system", fa="false-alarm rate", hit="detection rate")}
    body = {
        "layer": [
            *([chance_layer(x, y)] if corner == 1 else []),
            *_bands(bands, shown, order, x),
            # A line along the edge, as of a perfect system, is drawn in its whole width.
            line_layer(rows, {"x": x, "y": y, **series(order), **tips}, clip=corner < 1),
            *_points(points, shown, order, x, y),
        ]
    }
    return Chart(
        title=title,
        summary=f"ROC curves of {list_series(order, 'system')}.",
        body=body,
        width=SIDE,
        height=SIDE - 20,
        names=tuple(order),
        notes=(*notes, *_say_outside(curves, shown, corner)),
    )


def _say_outside(
    curves: Mapping[str, Curve], shown: Mapping[str, str], corner: float
) -> tuple[str, ...]:
    """Name the systems that no threshold brings into the corner that is drawn."""
    outside = [
        shown[name]
        for name, curve in curves.items()
        if not any(x <= corner and y >= 1 - corner for x, y in curve_points(name, curve))
    ]
    return (f"Not in this corner: {', '.join(outside)}.",) if outside and corner < 1 else ()


def precision_recall_chart(
    curves: Mapping[str, Curve],
    *,
    share: float | None = None,
    points: Mapping[str, tuple[float, float]] = NOTHING,
    areas: Mapping[str, Area] = NOTHING,
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
    areas
        For each system, where known: the average precision, and the ends of its interval.
    """
    shown = _with_areas(curves, areas, "AP")
    stairs = {name: _stairs(name, curve) for name, curve in curves.items()}
    rows, notes = curve_rows(stairs, shown, _tell, digits=DIGITS, spans=(1, 1))
    order = list(shown.values())
    x = axis("x", "Recall", domain=[0, 1], format=".1f")
    y = axis("y", "Precision", domain=[0, 1], format=".1f")
    tips = {"tooltip": hint(series="system", fa="recall", hit="precision")}
    body = {
        "layer": [
            *([] if share is None else [chance_layer(x, y, (share, share))]),
            line_layer(rows, {"x": x, "y": y, **series(order), **tips}),
            *_points(points, shown, order, x, y),
        ]
    }
    return Chart(
        title=title,
        summary=f"Precision against recall of {list_series(order, 'system')}.",
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
        far out on these axes and are not drawn. The axes begin at the tick below the smallest rate
        that is drawn, and end at 60% unless a curve lies beyond.

    References
    ----------
    .. [1] Martin, Doddington, Kamm, Ordowski & Przybocki (1997), The DET curve in assessment of
       detection task performance, Eurospeech, 1895-1898.
    """
    shown = labels(curves)
    order = list(shown.values())
    probit = NormalDist().inv_cdf
    rows, drawn, given = [], 0, 0
    seen = []
    for name, curve in curves.items():
        inside = [(x, y) for x, y in curve_points(name, curve) if 0 < x < 1 and 0 < y < 1]
        bent = [(probit(x), probit(y)) for x, y in inside]
        kept = thin(bent, width=6, height=6) if bent else []
        written = dict(zip(bent, inside, strict=True))

        def tell(x: float, y: float, of: Written = written) -> dict[str, str]:
            return _tell(*of[x, y])

        rows += series_rows(shown[name], kept, tell, digits=DIGITS)
        drawn, given = drawn + len(kept), given + len(bent)
        seen.append(inside)
    low, high = (probit(end) for end in _det_ends(seen))
    ticks = {
        "values": [at for at in map(probit, ERRORS) if low <= at <= high],
        "labelExpr": _tick_words(),
        "labelOverlap": "greedy",
    }
    x = axis("x", "False-alarm rate", domain=[low, high], nice=False, **ticks)
    y = axis("y", "Miss rate", domain=[low, high], nice=False, **ticks)
    tips = {"tooltip": hint(series="system", fa="false-alarm rate", hit="miss rate")}
    lines = line_layer(rows, {"x": x, "y": y, **series(order), **tips}, clip=True)
    return Chart(
        title=title,
        summary=f"Miss rate against false-alarm rate of {list_series(order, 'system')}.",
        body={"layer": [lines]},
        width=SIDE,
        height=SIDE - 20,
        names=tuple(order),
        notes=(*thinning_note(drawn, given), *_say_empty(order, seen)),
    )


def _say_empty(order: Sequence[str], curves: Sequence[Points]) -> list[str]:
    """Name the systems without a line: at each threshold one of their error rates is 0 or 1."""
    empty = [label for label, points in zip(order, curves, strict=True) if len(points) < 2]
    if not empty:
        return []
    return [f"No line for {', '.join(empty)}: no two thresholds with both misses and false alarms."]


def _det_ends(curves: Sequence[Points]) -> tuple[float, float]:
    """Find the ticks around what is drawn; both axes are alike, so that slopes can be compared."""
    usual = [[p for p in points if max(p) <= USUAL_END] for points in curves]
    end = USUAL_END if all(usual) else ERRORS[-1]
    rates = [rate for points in (usual if all(usual) else curves) for p in points for rate in p]
    least = min(rates, default=ERRORS[0])
    begin = max((tick for tick in ERRORS if tick <= least), default=ERRORS[0])
    return min(begin, WIDEST_BEGIN), end


def corner_of(curves: Mapping[str, Curve]) -> float | None:
    """Find the corner of an ROC chart that strong curves are worth a closer look in.

    None unless half of the systems have a point that misses little and alarms little.

    Examples
    --------
    >>> corner_of({"svm": ([0, 0.02, 1], [0, 0.97, 1])}), corner_of({"nb": ([0, 1], [0, 1])})
    (0.1, None)
    """
    nearest = median_low(
        min((max(x, 1 - y) for x, y in curve_points(name, curve)), default=1.0)
        for name, curve in curves.items()
    )
    return next((side for side in CORNERS if 2 * nearest <= side), None)


def _with_areas(
    curves: Mapping[str, Curve], areas: Mapping[str, Area], what: str
) -> dict[str, str]:
    """Write areas behind the names of the legend."""
    shown = {}
    for name, label in labels(curves).items():
        area = areas.get(name)
        if isinstance(area, tuple):
            value, low, high = area
            said = f"{show_number(value, digits=digits_for(low, high))} {show_interval(low, high)}"
            shown[name] = f"{label}  {what} {said}"
        else:
            shown[name] = label if area is None else f"{label}  {what} {show_share(area)}"
    return shown


def _tick_words() -> str:
    """Spell the ticks of a normal-deviate axis; an expression made of our own constants only."""
    words = f"'{ERRORS[-1]:.0%}'"
    for rate, following in zip(ERRORS[-2::-1], ERRORS[:0:-1], strict=True):
        middle = (NormalDist().inv_cdf(rate) + NormalDist().inv_cdf(following)) / 2
        words = f"datum.value < {middle:.6f} ? '{100 * rate:g}%' : {words}"
    return words


def _tell(across: float, up: float) -> dict[str, str]:
    return {"fa": show_share(across), "hit": show_share(up)}


def _stairs(name: str, curve: Curve) -> Curve:
    """Put in the corners of steps: a precision holds from the recall before it up to its own.

    The recall before the first is 0.
    """
    points = curve_points(name, curve)
    corners = [(0.0, points[0][1]), points[0]] if points[0][0] > 0 else [points[0]]
    for (before, _), (x, y) in pairwise(points):
        corners += [(before, y), (x, y)]
    return [x for x, _ in corners], [y for _, y in corners]


def _bands(
    bands: Mapping[str, Band], shown: Mapping[str, str], order: Sequence[str], x: Layer
) -> list[Layer]:
    rows = []
    for name, (places, lows, highs) in bands.items():
        lower = thin(curve_points(name, (places, lows)))
        upper = thin(curve_points(name, (places, highs)))
        at = sorted({point[0] for point in (*lower, *upper)})
        edges = {p: (low, high) for p, low, high in zip(places, lows, highs, strict=True)}
        rows += [
            {"series": shown[name], "x": round(p, 5), "low": edges[p][0], "high": edges[p][1]}
            for p in at
        ]
    if not rows:
        return []
    sides = {"x": x, "y": amount("low"), "y2": {"field": "high"}}
    band = {"type": "area", "style": "band", "clip": True}
    return [draw(rows, band, {**sides, "color": series(order)["color"]})]


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
    hole = {"type": "point", "style": "hole", "filled": True, "size": 150}
    ring = {"type": "point", "style": "curve", "filled": False, "size": 150, "strokeWidth": 3}
    return [
        draw(rows, hole, {"x": x, "y": y}),
        draw(rows, {**ring, "opacity": 1}, {"x": x, "y": y, "color": colour}),
    ]

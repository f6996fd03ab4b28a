"""Where rates probably lie, who is probably the best, and which ranks are left open."""

from collections.abc import Mapping

from steelyard.display.figures.chart import Chart
from steelyard.display.figures.labels import labels
from steelyard.display.figures.layers import (
    Curve,
    Layer,
    axis,
    check,
    curve_rows,
    draw,
    hint,
    line_layer,
    list_series,
    row_axis,
    series,
    text_layer,
    touch_layer,
)
from steelyard.display.figures.rows import Rows
from steelyard.display.numbers import QUADRATURE, show_number, show_probability
from steelyard.errors import RequestError

__all__ = ["best_chart", "posterior_chart", "rank_chart"]

ROW = {"step": 38}


def posterior_chart(
    densities: Mapping[str, Curve],
    *,
    measure: str = "accuracy",
    title: str = "Where the true rates may lie",
) -> Chart:
    """Draw the posterior density of each system's rate.

    Parameters
    ----------
    densities
        For each system rates, rising, and the density at each.

    Examples
    --------
    >>> posterior_chart({"svm": ([0.8, 0.9, 1], [0, 12, 0])}).summary
    'Posterior densities of accuracy of 1 system: svm.'
    """
    shown = labels(densities)
    order = list(shown.values())
    tallest = max((float(y) for _, ys in densities.values() for y in ys), default=1.0) or 1.0
    places = [float(x) for xs, _ in densities.values() for x in (xs[0], xs[-1])] or [0.0]
    rows, _ = curve_rows(
        densities,
        shown,
        lambda rate, dense: {"rate": f"{rate:.3f}", "dense": show_number(dense)},
        digits=(None, 5),
        spans=(max(places) - min(places) or 1.0, tallest),
    )
    x = axis("x", measure[:1].upper() + measure[1:], zero=False, nice=False)
    y = {**axis("y", "Density", labels=False, grid=False), "stack": None}
    told = series(order)
    band = {"type": "area", "style": "band"}
    area = draw(rows, band, {"x": x, "y": y, "color": told["color"]})
    tips = hint(series="system", rate=measure, dense="density")
    touched = touch_layer(rows, {"x": x, "y": y}, tips)
    return Chart(
        title=title,
        summary=f"Posterior densities of {measure} of {list_series(order, 'system')}.",
        body={"layer": [area, line_layer(rows, {"x": x, "y": y, **told}), touched]},
        height=340,
        names=tuple(order),
    )


def best_chart(
    chances: Mapping[str, float],
    *,
    error: float | None = None,
    title: str = "Probability of being the best",
) -> Chart:
    """Draw the probability of being the best as bars, the likeliest first.

    Parameters
    ----------
    chances
        For each system its probability; ``error`` is the simulation error, as
        :func:`steelyard.display.show_probability` takes it.

    Examples
    --------
    >>> best_chart({"svm": 0.25, "knn": 0.75}).summary
    'Probability of being the best: knn 0.750, svm 0.250.'
    """
    shown = labels(chances)
    values = dict(zip(chances, check(list(chances.values()), "chances"), strict=True))
    ranked = sorted(values, key=lambda name: -values[name])
    rows = [
        {
            "row": shown[name],
            "value": values[name],
            "said": show_probability(values[name], error=error or QUADRATURE),
        }
        for name in ranked
    ]
    order = [shown[name] for name in ranked]
    places = {
        "y": row_axis("row", order),
        "x": axis("value", "Probability", domain=[0, 1], format=".1f"),
    }
    tips = {"tooltip": hint(row="system", said="probability")}
    column = {"type": "bar", "style": "column", "height": {"band": 0.6}}
    bars = draw(rows, column, {**places, **tips})
    return Chart(
        title=title,
        summary=_list(title, rows),
        body={"layer": [bars, *_values(rows, places)]},
        height=ROW,
        rows=Rows(names=tuple((name,) for name in ranked)),
    )


def rank_chart(
    ranks: Mapping[str, tuple[int, int]], *, title: str = "Ranks that are left open"
) -> Chart:
    """Draw for each system the ranks it may have, from the best to the worst.

    Examples
    --------
    >>> rank_chart({"svm": (1, 2), "knn": (1, 2), "tree": (3, 3)}).summary
    'Ranks that are left open: svm 1 to 2, knn 1 to 2, tree 3.'
    """
    shown = labels(ranks)
    for name, (low, high) in ranks.items():
        if not 1 <= low <= high:
            message = f"{shown[name]} has ranks {low} to {high}; ranks start at 1 and rise."
            raise RequestError(message, code="ranks")
    ranked = sorted(ranks, key=lambda name: ranks[name])
    rows = [
        {
            "row": shown[name],
            "low": ranks[name][0],
            "high": ranks[name][1],
            "said": _say_ranks(*ranks[name]),
        }
        for name in ranked
    ]
    last = max(high for _, high in ranks.values())
    x = axis(
        "low",
        "Rank, 1 is best",
        domain=[0.5, last + 0.5],
        nice=False,
        values=_ticks(last),
        format="d",
    )
    y = row_axis("row", [shown[name] for name in ranked])
    tips = {"tooltip": hint(row="system", said="ranks")}
    line = {"type": "rule", "style": "interval", "strokeWidth": 9}
    dot = {"type": "point", "style": "dot", "filled": True}
    layers = [
        draw(rows, line, {"x": x, "x2": {"field": "high"}, "y": y, **tips}),
        draw(rows, dot, {"x": x, "y": y, **tips}),
        draw(rows, dot, {"x": {**x, "field": "high"}, "y": y, **tips}),
    ]
    return Chart(
        title=title,
        summary=_list(title, rows),
        body={"layer": layers},
        height=ROW,
        rows=Rows(names=tuple((name,) for name in ranked)),
    )


def _ticks(last: int) -> list[int]:
    """Mark every rank of a few, else the first and every fifth, tenth, ..."""
    step = next((one for one in (1, 5, 10, 25, 50) if last <= 12 * one), 100)
    return list(range(1, last + 1)) if step == 1 else [1, *range(step, last + 1, step)]


def _say_ranks(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low} to {high}"


def _list(title: str, rows: list[Layer]) -> str:
    return f"{title}: {', '.join(row['row'] + ' ' + row['said'] for row in rows)}."


def _values(rows: list[Layer], places: Layer) -> list[Layer]:
    """Write the values at the ends of bars: outside short ones, inside long ones."""
    short = [row for row in rows if row["value"] <= 0.85]
    long = [row for row in rows if row["value"] > 0.85]
    return [
        text_layer(chosen, style, places, "said", align=align, dx=dx)
        for chosen, style, align, dx in (
            (short, "value", "left", 7),
            (long, "value-on", "right", -8),
        )
        if chosen
    ]

"""Which raters agree with which."""

from collections.abc import Mapping, Sequence

from steelyard.display.figures.chart import Chart
from steelyard.display.figures.labels import labels
from steelyard.display.figures.layers import Layer, hint, said
from steelyard.display.numbers import show_number

__all__ = ["agreement_chart"]

MOST_WRITTEN = 14


def agreement_chart(
    raters: Sequence[str],
    pairs: Mapping[tuple[str, str], float | None],
    *,
    measure: str = "kappa",
    title: str = "Agreement of every two raters",
) -> Chart:
    """Draw a cell for each pair of raters, the darker the more they agree beyond chance.

    Parameters
    ----------
    raters
        In the order of rows and columns.
    pairs
        A number at most 1 for each pair, in either order; None where it is undefined.

    Examples
    --------
    >>> agreement_chart(["a", "b", "c"], {("a", "b"): 0.5, ("a", "c"): 0.1}).summary
    'Agreement of every two raters: kappa of 2 pairs of 3 raters.'
    """
    shown = labels(raters)
    order = list(shown.values())
    rows = []
    for (first, second), value in pairs.items():
        rows += [_cell(shown[first], shown[second], value, measure)]
        rows += [_cell(shown[second], shown[first], value, measure)]
    places = {"x": _side("column", order, "top"), "y": _side("row", order, "left")}
    shade = {
        "field": "shade",
        "type": "quantitative",
        "scale": {"domain": [0, 1], "range": [0.03, 0.6]},
        "legend": None,
    }
    cells = {
        "data": {"values": rows},
        "mark": {"type": "rect", "style": "heat", "cornerRadius": 4},
        "encoding": {
            **places,
            "opacity": shade,
            "tooltip": hint(row="rater", column="and", said=measure),
        },
    }
    written = {
        "data": {"values": rows},
        "mark": {"type": "text", "style": "value"},
        "encoding": {**places, "text": {"field": "said", "type": "nominal"}},
    }
    side = min(640, max(320, 130 + 74 * len(order)))
    return Chart(
        title=title,
        summary=f"{title}: {measure} of {said(len(pairs), 'pair')} of {said(len(order), 'rater')}.",
        body={"layer": [cells, written] if len(order) <= MOST_WRITTEN else [cells]},
        width=side,
        height=round(side * 0.78),
        notes=(f"{measure} of each pair; the darker, the more they agree beyond chance.",),
    )


def _cell(row: str, column: str, value: float | None, measure: str) -> Layer:
    del measure
    shade = 0.0 if value is None else max(0.0, min(1.0, value))
    told = "undefined" if value is None else show_number(value)
    return {"row": row, "column": column, "shade": round(shade, 4), "said": told}


def _side(field: str, order: Sequence[str], orient: str) -> Layer:
    long = max(map(len, order), default=0) > 11 or len(order) > 8
    angle: Layer = {"labelAngle": 0}
    if long:
        angle = {"labelAngle": -40, "labelAlign": "left"}
    return {
        "field": field,
        "type": "nominal",
        "title": None,
        "sort": list(order),
        "scale": {"domain": list(order), "paddingInner": 0.05},
        "axis": {
            "orient": orient,
            "domain": False,
            "grid": False,
            "labelLimit": 140,
            **(angle if orient == "top" else {}),
        },
    }

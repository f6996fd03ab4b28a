"""Matrices: what was called for every true class, and how far raters agree."""

from collections.abc import Mapping, Sequence

from steelyard.display.figures.chart import Chart
from steelyard.display.figures.labels import labels
from steelyard.display.figures.layers import Layer, amount, draw, hint, say, text_layer, word
from steelyard.display.figures.rows import band_axis, band_side
from steelyard.display.numbers import show_count, show_number, show_percent
from steelyard.errors import RequestError

__all__ = ["agreement_chart", "confusion_chart"]

MOST_WRITTEN = 12
ROOMY = 6
TWO_LINES = 42
"""A cell of so many pixels has room for two lines."""
MOST_KAPPAS = 14
SHADES: Layer = {"domain": [0, 1], "range": [0.03, 0.6]}
WIDEST = 17
"""Letters of a name beside a matrix: more would be cut by the drawing."""


def confusion_chart(
    classes: Sequence[str],
    matrix: Sequence[Sequence[int]],
    *,
    title: str = "Confusions",
) -> Chart:
    """Draw a cell for each true class (row) and called class (column).

    A cell is the darker, the larger the share of its true class that it holds; up to 12 classes
    the counts are written in, with these shares where there is room.

    Examples
    --------
    >>> confusion_chart(["ship", "sea"], [[8, 2], [1, 9]]).summary
    'Confusions of 2 classes; 17 of 20 items are called what they are.'
    """
    if any(len(row) != len(classes) for row in matrix) or len(matrix) != len(classes):
        message = f"{len(classes)} classes, but the table is not {len(classes)} by {len(classes)}."
        raise RequestError(message, code="confusion-shape")
    order = list(labels(classes, width=WIDEST).values())
    rows = [
        _cell(truth, called, int(count), sum(counts))
        for truth, counts in zip(order, matrix, strict=True)
        for called, count in zip(order, counts, strict=True)
    ]
    places = {
        "x": _band("called", "Called", order) | {"axis": band_axis(order, "top")},
        "y": _band("true", "True", order) | {"axis": band_axis(order, "left")},
    }
    shade = {**amount("share"), "scale": {"type": "sqrt", **SHADES}, "legend": None}
    tips = hint(true="true", called="called", items="items", said="of the true class")
    cell = {"type": "rect", "style": "heat", "cornerRadius": 4 if len(order) <= 20 else 0}
    cells = draw(rows, cell, {**places, "opacity": shade, "tooltip": tips})
    right = sum(int(matrix[place][place]) for place in range(len(order)))
    items = sum(sum(map(int, row)) for row in matrix)
    side = min(640, max(340, 140 + 62 * len(order)))
    return Chart(
        title=title,
        summary=(
            f"{title} of {len(order)} classes; {show_count(right)} of {show_count(items)} items "
            "are called what they are."
        ),
        body={"layer": [cells, *_write(rows, places, len(order))]},
        width=side,
        height=side - 40,
    )


def _cell(truth: str, called: str, count: int, total: int) -> Layer:
    share = count / total if total else 0.0
    return {
        "true": truth,
        "called": called,
        "share": round(share, 5),
        "items": show_count(count) if count else "",
        "said": show_percent(share, digits=0) if count else "",
    }


def _band(field: str, title: str, order: Sequence[str]) -> Layer:
    return {
        **word(field),
        "title": title,
        "sort": list(order),
        "scale": {"domain": list(order), "paddingInner": 0.05 if len(order) <= 20 else 0},
    }


def _write(rows: Sequence[Layer], places: Layer, classes: int) -> list[Layer]:
    if classes > MOST_WRITTEN:
        return []
    kept = [row for row in rows if row["items"]]
    if classes <= ROOMY:
        return _write_two(kept, places)
    # Where a cell is narrow there is room for the count alone.
    room = TWO_LINES * classes
    wide = [_where(layer, f"width >= {room}") for layer in _write_two(kept, places)]
    return [_where(text_layer(kept, "value", places, "items"), f"width < {room}"), *wide]


def _write_two(rows: Sequence[Layer], places: Layer) -> list[Layer]:
    """Write the count of a cell, and below it its share of the true class."""
    count = text_layer(rows, "value-strong", places, "items", dy=-8)
    return [count, text_layer(rows, "value", places, "said", dy=11)]


def _where(layer: Layer, test: str) -> Layer:
    """Write texts under a condition alone, which is made of our own numbers."""
    text = {"condition": {"test": test, **layer["encoding"]["text"]}, "value": ""}
    return {**layer, "encoding": {**layer["encoding"], "text": text}}


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
    shown = labels(raters, width=WIDEST)
    order = list(shown.values())
    rows = []
    for (first, second), value in pairs.items():
        rows += [_kappa_cell(shown[first], shown[second], value)]
        rows += [_kappa_cell(shown[second], shown[first], value)]
    places = {
        "x": band_side("column", order, "top", padding=0.05),
        "y": band_side("row", order, "left", padding=0.05),
    }
    shade = {**amount("shade"), "scale": SHADES, "legend": None}
    tips = hint(row="rater", column="and", said=measure)
    cell = {"type": "rect", "style": "heat", "cornerRadius": 4}
    cells = draw(rows, cell, {**places, "opacity": shade, "tooltip": tips})
    written = text_layer(rows, "value", places, "said")
    side = min(640, max(320, 130 + 74 * len(order)))
    return Chart(
        title=title,
        summary=f"{title}: {measure} of {say(len(pairs), 'pair')} of {say(len(order), 'rater')}.",
        body={"layer": [cells, written] if len(order) <= MOST_KAPPAS else [cells]},
        width=side,
        height=round(side * 0.78),
        notes=(f"{measure} of each pair; the darker, the more they agree beyond chance.",),
    )


def _kappa_cell(row: str, column: str, value: float | None) -> Layer:
    shade = 0.0 if value is None else max(0.0, min(1.0, value))
    told = "undefined" if value is None else show_number(value)
    return {"row": row, "column": column, "shade": round(shade, 4), "said": told}

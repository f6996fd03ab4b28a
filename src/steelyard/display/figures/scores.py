"""Scores as they fall: histogram, density, scattered items, sorted items."""

from collections.abc import Mapping, Sequence
from math import exp, pi, sqrt

from steelyard.display.figures.chart import Chart
from steelyard.display.figures.labels import labels
from steelyard.display.figures.layers import (
    Layer,
    amount,
    axis,
    check,
    draw,
    hint,
    line_layer,
    rule_layer,
    say,
    series,
    series_rows,
    touch_layer,
    word,
)
from steelyard.display.numbers import show_number, show_share
from steelyard.errors import RequestError, counted

__all__ = ["score_density_chart", "score_histogram", "score_scatter", "sort_scores_chart"]

ITEM: Layer = {"type": "point", "style": "item", "filled": True}
BARE = {"grid": False, "domain": False}
BINS = 40
GRID = 241
FINE = 600
TOUCHED = 4
"""Of the points of a density, one in so many has words under the pointer."""
MOST_ITEMS = 2000
GOLDEN = 0.6180339887498949
"""Steps of the golden ratio scatter evenly, and the same way every time."""


def score_histogram(
    scores: Sequence[float],
    counts: Mapping[str, Sequence[int]],
    *,
    threshold: float | None = None,
    bins: int | Sequence[float] = BINS,
    title: str = "Scores",
    score: str = "Score",
    group: str = "class",
    whole: bool = False,
) -> Chart:
    """Draw how the scores of each class fall, as shares of the class.

    Parameters
    ----------
    scores
        The different scores.
    counts
        For each class how many items have each score.
    threshold
        Drawn as a line, when one is chosen.
    bins
        How many bars the range of scores is cut into, or the edges of as many of one width.
    score, group
        What the numbers are, and whose they are, if not scores of classes.
    whole
        The scores are whole numbers, such as grades: each has a bar of its own, around it.

    Examples
    --------
    >>> score_histogram([0.1, 0.9], {"ship": [1, 9], "sea": [8, 2]}).summary
    'Scores of 2 classes: ship (10 items), sea (10 items).'
    """
    values, table = _check(scores, counts)
    low, high = _range(values)
    if not isinstance(bins, int):
        low, high, bins = *_range(bins), len(bins) - 1
    elif whole:
        low, high, bins = low - 0.5, high + 0.5, round(high - low) + 1
    wide = (high - low) / bins
    shown = labels(table)
    rows = []
    for name, numbers in table.items():
        heights = [0] * bins
        for value, number in zip(values, numbers, strict=True):
            heights[min(bins - 1, int((value - low) / wide))] += number
        total = sum(heights)
        rows += [
            {
                "series": shown[name],
                "low": low + wide * place,
                "high": low + wide * (place + 1),
                "y": number / total,
                "said": show_share(number / total),
                "items": f"{number:,d}",
                "range": f"{low + wide * place + 0.5:.4g}"
                if whole
                else f"{low + wide * place:.4g} to {low + wide * (place + 1):.4g}",
            }
            for place, number in enumerate(heights)
        ]
    told = series(list(shown.values()))
    ticks = {"values": [low + 0.5 + place for place in range(bins)]} if whole else {}
    x = axis("low", score, domain=[low, high], nice=False, **ticks)
    y = axis("y", f"Share of the {group}")
    tips = {"tooltip": hint(series=group, range="scores", said="share", items="items")}
    sides = {"x": x, "x2": {"field": "high"}, "y": y, "y2": {"datum": 0}}
    bar = {"type": "rect", "fillOpacity": 0.3}
    bars = draw(rows, bar, {**sides, "color": told["color"], **tips})
    edges = line_layer(_outlines(rows), {"x": {**x, "field": "x"}, "y": y, **told})
    return _chart(title, table, shown, [bars, edges, *_mark(threshold)], group=group)


def score_density_chart(
    scores: Sequence[float],
    counts: Mapping[str, Sequence[int]],
    *,
    threshold: float | None = None,
    title: str = "Density of scores",
) -> Chart:
    """Draw a smooth density of the scores of each class: Gaussian kernel, Silverman's bandwidth.

    Takes what :func:`score_histogram` takes. A density rounds off steps and runs over the ends of
    a bounded scale; the histogram does not.

    References
    ----------
    .. [1] Silverman (1986), Density Estimation for Statistics and Data Analysis, eq. 3.31.
    """
    values, table = _check(scores, counts)
    low, high = _range(values)
    shown = labels(table)
    rows: list[Layer] = []
    notes = []
    for name, numbers in table.items():
        # A bell narrower than the steps of the drawing could fall between them.
        width = max(_silverman(values, numbers), (high - low) / (GRID - 1))
        notes.append(f"{shown[name]} {show_number(width)}")
        heights = _smooth(values, numbers, low, high, width)
        rows += series_rows(
            shown[name],
            heights,
            lambda x, y: {"at": f"{x:.4g}", "dense": show_number(y)},
            digits=(None, 6),
        )
    x = axis("x", "Score", domain=[low, high], nice=False)
    y = {**axis("y", "Density"), "stack": None}
    order = list(shown.values())
    band = {"type": "area", "style": "band"}
    area = draw(rows, band, {"x": x, "y": y, "color": series(order)["color"]})
    lines = line_layer(rows, {"x": x, "y": y, **series(order)})
    tips = hint(series="class", at="score", dense="density")
    touched = touch_layer(rows[::TOUCHED], {"x": x, "y": y}, tips)
    note = f"Gaussian kernel, bandwidth: {', '.join(notes)}."
    layers = [area, lines, *_mark(threshold), touched]
    return _chart(title, table, shown, layers, notes=(note,))


def score_scatter(
    scores: Sequence[float],
    counts: Mapping[str, Sequence[int]],
    *,
    threshold: float | None = None,
    title: str = "Scores, item by item",
) -> Chart:
    """Draw every item at its score, a row for each class, shaken up and down to be seen.

    Takes what :func:`score_histogram` takes.
    """
    values, table = _check(scores, counts)
    low, high = _range(values)
    shown = labels(table)
    order = list(shown.values())
    rows: list[Layer] = []
    items = 0
    for name, numbers in table.items():
        single = [v for v, n in zip(values, numbers, strict=True) for _ in range(n)]
        kept = single[:: _stride(sum(map(sum, table.values())))]
        items += len(kept)
        rows += [
            {
                "series": shown[name],
                "x": x,
                "shake": (place * GOLDEN) % 1 - 0.5,
                "at": f"{x:.6g}",
            }
            for place, x in enumerate(kept)
        ]
    told = series(order, shapes=True, dashes=False)
    places = {
        "x": axis("x", "Score", domain=[low, high], nice=False),
        "y": {**word("series"), "title": None, "sort": order, "axis": BARE},
        "yOffset": {**amount("shake"), "scale": {"domain": [-0.6, 0.6]}},
        **{name: {**one, "legend": None} for name, one in told.items()},
    }
    layer = draw(rows, ITEM, {**places, "tooltip": hint(series="class", at="score")})
    notes = _items_note(items, table)
    return _chart(title, table, shown, [layer, *_mark(threshold)], notes=notes)


def sort_scores_chart(
    scores: Sequence[float],
    counts: Mapping[str, Sequence[int]],
    *,
    threshold: float | None = None,
    title: str = "Scores in order",
) -> Chart:
    """Draw the items from the lowest score to the highest, marked by class.

    Takes what :func:`score_histogram` takes.
    """
    values, table = _check(scores, counts)
    shown = labels(table)
    order = list(shown.values())
    every = [
        (value, shown[name])
        for place, value in enumerate(values)
        for name, numbers in table.items()
        for _ in range(numbers[place])
    ]
    every.sort(key=lambda item: item[0])
    stride = _stride(len(every))
    rows = [
        {
            "series": label,
            "x": place + 1,
            "y": value,
            "at": f"{value:.6g}",
            "item": f"{place + 1:,d} of {len(every):,d}",
        }
        for place, (value, label) in enumerate(every)
        if place % stride == 0
    ]
    places = {
        "x": axis("x", "Items, in the order of their scores", format=",d", nice=False),
        "y": axis("y", "Score", zero=False),
        **series(order, shapes=True, dashes=False),
    }
    tips = hint(series="class", at="score", item="in order")
    layer = draw(rows, ITEM, {**places, "tooltip": tips})
    level = [{"y": threshold}]
    line = rule_layer(level, "mark", {"y": amount("y")})
    marked = [] if threshold is None else [line]
    return _chart(title, table, shown, [layer, *marked], notes=_items_note(len(rows), table))


def _check(
    scores: Sequence[float], counts: Mapping[str, Sequence[int]]
) -> tuple[list[float], dict[str, list[int]]]:
    values = check(scores, "scores")
    table = {name: [int(number) for number in numbers] for name, numbers in counts.items()}
    for name, numbers in table.items():
        if len(numbers) != len(values) or min(numbers, default=0) < 0 or not sum(numbers):
            message = (
                f"Class {name!r} has {len(numbers)} counts for {len(values)} scores; a class "
                "needs a whole number for each score, not negative, and at least one item."
            )
            raise RequestError(message, code="score-counts")
    return values, table


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _stride(items: int) -> int:
    return max(1, -(-items // MOST_ITEMS))


def _items_note(drawn: int, table: Mapping[str, Sequence[int]]) -> tuple[str, ...]:
    items = sum(map(sum, table.values()))
    return () if drawn >= items else (f"{drawn:,d} of {items:,d} items are drawn.",)


def _outlines(bars: Sequence[Layer]) -> list[Layer]:
    """Run along the tops of the bars of each class."""
    rows: list[Layer] = []
    for place, bar in enumerate(bars):
        for side, x in enumerate((bar["low"], bar["high"])):
            rows.append({"series": bar["series"], "place": 2 * place + side, "x": x, "y": bar["y"]})
    return rows


def _silverman(values: Sequence[float], numbers: Sequence[int]) -> float:
    total = sum(numbers)
    mean = sum(v * n for v, n in zip(values, numbers, strict=True)) / total
    spread = sqrt(sum(n * (v - mean) ** 2 for v, n in zip(values, numbers, strict=True)) / total)
    ordered = sorted(zip(values, numbers, strict=True))
    quarter = (_quantile(ordered, total, 0.75) - _quantile(ordered, total, 0.25)) / 1.34
    least = min(spread, quarter) or spread
    return 0.9 * least * float(total**-0.2)


def _quantile(ordered: Sequence[tuple[float, int]], total: int, share: float) -> float:
    reached = 0
    for value, number in ordered:
        reached += number
        if reached >= share * total:
            return value
    return ordered[-1][0]


def _smooth(
    values: Sequence[float], numbers: Sequence[int], low: float, high: float, width: float
) -> list[tuple[float, float]]:
    """Add a bell at every item; items are put on a fine grid first, so that size costs nothing."""
    step = (high - low) / FINE
    fine = [0] * (FINE + 1)
    for value, number in zip(values, numbers, strict=True):
        fine[round((value - low) / step)] += number
    total = sum(numbers)
    heights = []
    for place in range(GRID):
        x = low + (high - low) * place / (GRID - 1)
        bells = sum(
            number * exp(-0.5 * ((x - low - step * cell) / width) ** 2)
            for cell, number in enumerate(fine)
            if number
        )
        heights.append((x, bells / (total * width * sqrt(2 * pi))))
    return heights


def _mark(threshold: float | None) -> list[Layer]:
    if threshold is None:
        return []
    at = [{"x": threshold}]
    return [rule_layer(at, "mark", {"x": amount("x")})]


def _chart(
    title: str,
    table: Mapping[str, Sequence[int]],
    shown: Mapping[str, str],
    layers: list[Layer],
    *,
    notes: tuple[str, ...] = (),
    group: str = "class",
) -> Chart:
    classes = ", ".join(
        f"{shown[name]} ({say(sum(numbers), 'item')})" for name, numbers in table.items()
    )
    many = counted(len(table), group)
    return Chart(
        title=title,
        summary=f"{title} of {many}: {classes}.",
        body={"layer": layers},
        height=360,
        names=tuple(shown.values()),
        notes=notes,
    )

"""Mean ranks over many problems, with bars over those that cannot be told apart."""

from collections.abc import Mapping, Sequence

from steelyard.display.figures.chart import Chart
from steelyard.display.figures.labels import labels
from steelyard.display.figures.layers import (
    Layer,
    amount,
    check,
    hint,
    rule_layer,
    say,
    text_layer,
    touch_layer,
)
from steelyard.display.numbers import show_number
from steelyard.errors import RequestError

__all__ = ["critical_difference_chart"]

LETTER = 7.4
WIDTH = 640
TOUCHED = 9
LEVEL = 1.0
"""The height of one line of names."""
AT: Layer = {"x": amount("x"), "y": amount("y")}
UP: Layer = {**AT, "y2": {"field": "y2"}}
ALONG: Layer = {"x": amount("x"), "x2": {"field": "x2"}, "y": amount("y")}
"""Where points, lines that rise and lines that lie take their places from."""


def critical_difference_chart(
    ranks: Mapping[str, float],
    cliques: Sequence[Sequence[str]] = (),
    *,
    difference: float | None = None,
    title: str = "Mean ranks",
) -> Chart:
    """Draw mean ranks on a line, the best left, joined by bars where no difference was found.

    Parameters
    ----------
    ranks
        For each system its mean rank; 1 is best.
    cliques
        Groups of systems that cannot be told apart.
    difference
        The critical difference, drawn to scale above the line.

    References
    ----------
    .. [1] Demšar (2006), Journal of Machine Learning Research 7, 1-30.

    Examples
    --------
    >>> critical_difference_chart({"svm": 1.5, "knn": 2.5, "nb": 2.0}, [("svm", "nb")]).summary
    'Mean ranks of 3 systems: svm 1.500, nb 2.000, knn 2.500.'
    """
    shown = labels(ranks)
    values = dict(zip(ranks, check(list(ranks.values()), "ranks"), strict=True))
    ordered = sorted(values, key=lambda name: values[name])
    strangers = [name for group in cliques for name in group if name not in values]
    if strangers or len(values) < 2:
        message = "Give the mean ranks of two systems or more, and groups of these systems only."
        raise RequestError(message, code="ranks")
    bars = [sorted(group, key=values.__getitem__) for group in cliques if len(group) > 1]
    lines = (len(ordered) + 1) // 2
    depth = 0.9 + 0.45 * len(bars) + LEVEL * lines
    layers = [
        *_line(len(ordered)),
        *_names(ordered, values, shown, start=0.7 + 0.45 * len(bars)),
        *_bars(bars, values, shown),
        *_scale(difference),
    ]
    longest = max(map(len, shown.values())) + 6
    top = 1.6 if difference is not None else 0.8
    return Chart(
        title=title,
        summary=f"{title} of {say(len(ordered), 'system')}: "
        f"{', '.join(f'{shown[n]} {show_number(values[n])}' for n in ordered)}.",
        body={
            "layer": [_fix_scales(layer, len(ordered), longest, (-depth, top)) for layer in layers]
        },
        height=round(34 * (depth + top)),
    )


def _fix_scales(layer: Layer, last: int, longest: int, heights: tuple[float, float]) -> Layer:
    """Give a layer the common scales, which have no axes of their own."""
    side = min(0.4, longest * LETTER / WIDTH + 0.02)
    margin = (last - 1) * side / (1 - 2 * side)
    scales = {
        "x": {"domain": [1 - margin, last + margin], "nice": False, "zero": False},
        "y": {"domain": list(heights), "nice": False, "zero": False},
    }
    encoding = {
        name: {**part, "scale": scales[name], "axis": None} if name in scales else part
        for name, part in layer["encoding"].items()
    }
    return {**layer, "encoding": encoding}


def _words(rows: list[Layer], style: str, **mark: object) -> Layer:
    return text_layer(rows, style, AT, "word", **mark)


def _line(last: int) -> list[Layer]:
    step = max(1, last // 10)
    marks = list(range(1, last + 1, step))
    return [
        rule_layer([{"x": 1, "x2": last, "y": 0}], "zero", ALONG),
        rule_layer([{"x": n, "y": 0, "y2": 0.18} for n in marks], "zero", UP),
        _words([{"x": n, "y": 0.5, "word": str(n)} for n in marks], "value-soft"),
    ]


def _names(
    ordered: Sequence[str], values: Mapping[str, float], shown: Mapping[str, str], *, start: float
) -> list[Layer]:
    """Hang half of the names left of the line and half right of it, as is the custom."""
    last = len(ordered)
    half = (last + 1) // 2
    gap = (last - 1) * 0.03
    down: list[Layer] = []
    across: list[Layer] = []
    left: list[Layer] = []
    right: list[Layer] = []
    for place, name in enumerate(ordered):
        on_left = place < half
        level = place if on_left else last - 1 - place
        y = -(start + LEVEL * level)
        edge = 1 - gap if on_left else last + gap
        down.append({"x": values[name], "y": 0, "y2": y})
        told = {"system": shown[name], "rank": show_number(values[name])}
        across.append({"x": values[name], "x2": edge, "y": y, **told})
        word = f"{shown[name]}  {show_number(values[name], digits=2)}"
        (left if on_left else right).append({"x": edge, "y": y, "word": word})
    tips = {"tooltip": hint(system="system", rank="mean rank")}
    return [
        rule_layer(down, "leader", UP),
        rule_layer(across, "leader", {**ALONG, **tips}),
        _words(left, "value", align="right", dx=-5),
        _words(right, "value", align="left", dx=5),
        touch_layer(_along(across), AT, tips["tooltip"]),
    ]


def _bars(
    bars: Sequence[list[str]], values: Mapping[str, float], shown: Mapping[str, str]
) -> list[Layer]:
    over = (max(values.values()) - min(values.values())) * 0.012
    rows = [
        {
            "x": values[group[0]] - over,
            "x2": values[group[-1]] + over,
            "y": -0.35 - 0.45 * place,
            "group": ", ".join(shown[name] for name in group),
        }
        for place, group in enumerate(
            sorted(bars, key=lambda names: [values[name] for name in names])
        )
    ]
    tips = {"tooltip": hint(group="not told apart")}
    touched = touch_layer(_along(rows), AT, tips["tooltip"])
    return [rule_layer(rows, "clique", {**ALONG, **tips}), touched] if rows else []


def _along(lines: Sequence[Layer]) -> list[Layer]:
    """Set points along lines, which are too thin for a pointer."""
    return [
        {**line, "x": line["x"] + (line["x2"] - line["x"]) * part / (TOUCHED - 1)}
        for line in lines
        for part in range(TOUCHED)
    ]


def _scale(difference: float | None) -> list[Layer]:
    if difference is None:
        return []
    word = f"critical difference {show_number(difference, digits=2)}"
    return [
        rule_layer([{"x": 1, "x2": 1 + difference, "y": 1.1}], "mark", ALONG),
        _words([{"x": 1, "y": 1.4, "word": word}], "value-soft", align="left"),
    ]

"""Systems two by two: differences with their intervals, and who beats whom."""

from collections.abc import Sequence

from steelyard.display.figures.chart import Chart
from steelyard.display.figures.labels import drawable, labels
from steelyard.display.figures.layers import (
    Layer,
    amount,
    axis,
    check,
    draw,
    hint,
    row_axis,
    rule_layer,
    say,
    word,
)
from steelyard.display.figures.rows import Rows, band_side
from steelyard.display.numbers import digits_for, show_difference
from steelyard.errors import RequestError

__all__ = ["Pair", "forest_chart", "pair_matrix_chart"]

Pair = tuple[str, str, float | None, float | None, float | None, str]
"""First, second, first minus second, both ends of its interval, the verdict."""

VERDICTS = ("different", "same", "undecided")
MOST_WRITTEN = 12
ROOM = 26
"""Two names of so many letters stand beside a row in one line."""
WIDEST = 18
"""Letters of a name beside a matrix: more would be cut by the drawing."""
SIGNED = "datum.value == 0 ? '0' : format(datum.value, '+.3~g')"
"""How the ticks of an axis of differences are written: 0 has no sign."""


def forest_chart(
    pairs: Sequence[Pair], *, measure: str = "difference", title: str = "Differences"
) -> Chart:
    """Draw a row for each pair; an interval that stays on one side of the line tells them apart.

    Pairs found different are drawn full, the others hollow.

    Examples
    --------
    >>> forest_chart([("svm", "knn", 0.02, 0.01, 0.03, "different")]).summary
    'Differences: svm − knn +0.020 (different).'
    """
    names = labels((name for first, second, *_ in pairs for name in (first, second)), width=12)
    rows = [_row(names, pair) for pair in pairs]
    order = list(labels((row["row"] for row in rows), width=40).values())
    rows = [{**row, "row": label} for row, label in zip(rows, order, strict=True)]
    places = {
        "y": row_axis("row", order),
        "x": axis("value", measure, zero=True, labelExpr=SIGNED),
    }
    tips = {"tooltip": hint(row="pair", said="difference", ends="interval", verdict="verdict")}
    zero = rule_layer([{"x": 0}], "zero", {"x": amount("x")})
    layers = [zero]
    for style, chosen in (
        ("", [row for row in rows if row["verdict"] == "different"]),
        ("-soft", [row for row in rows if row["verdict"] != "different"]),
    ):
        layers += _forest_layers(chosen, style, places, tips)
    told = ", ".join(f"{row['row']} {row['said']} ({row['verdict']})" for row in rows)
    leader = _find_leader(pairs)
    return Chart(
        title=title,
        summary=f"{title}: {told}.",
        body={"layer": layers},
        height={"step": 34},
        notes=() if leader is None else (f"{drawable(leader)} minus each of the systems named.",),
        rows=Rows(
            names=tuple(
                (first, second) if leader is None else (second,) for first, second, *_ in pairs
            ),
            values=tuple("" if row["value"] is None else row["said"] for row in rows),
            intervals=tuple("" if row["low"] is None else row["bounds"] for row in rows),
        ),
    )


def _find_leader(pairs: Sequence[Pair]) -> str | None:
    """Find the system that is first in all rows, where saying it once leaves more room."""
    firsts = {first for first, *_ in pairs}
    long = any(len(first) + len(second) > ROOM for first, second, *_ in pairs)
    return pairs[0][0] if len(firsts) == 1 and len(pairs) > 1 and long else None


def _forest_layers(rows: Sequence[Layer], style: str, places: Layer, tips: Layer) -> list[Layer]:
    defined = [row for row in rows if row["value"] is not None]
    ranged = [row for row in defined if row["low"] is not None]
    found = []
    if ranged:
        ends = {"x": {**places["x"], "field": "low"}, "x2": {"field": "high"}, "y": places["y"]}
        found.append(rule_layer(ranged, f"interval{style}", {**ends, **tips}))
    dots = [(f"dot{style}", not style)]
    if style:
        dots.insert(0, ("hole", True))
    found += [
        draw(defined, {"type": "point", "style": name, "filled": filled}, {**places, **tips})
        for name, filled in dots
        if defined
    ]
    return found


def _row(names: dict[str, str], pair: Pair) -> Layer:
    first, second, value, low, high, verdict = pair
    if verdict not in VERDICTS:
        raise RequestError.for_choice(name="verdict", given=verdict, choices=VERDICTS)
    label = f"{names[first]} − {names[second]}"
    row = {"row": label, "verdict": verdict, "value": None, "low": None, "said": "undefined"}
    if value is None:
        return row
    if low is None or high is None:
        (number,) = check([value], label)
        return row | {"value": number, "said": show_difference(number), "ends": "none"}
    number, left, right = check([value, low, high], label)
    digits = digits_for(left, right)
    ends = [show_difference(end, digits=digits) for end in (left, right)]
    return row | {
        "value": number,
        "low": left,
        "high": right,
        "said": show_difference(number, digits=digits),
        "ends": f"{ends[0]} to {ends[1]}",
        "bounds": f"[{ends[0]}, {ends[1]}]",
    }


def pair_matrix_chart(
    order: Sequence[str], pairs: Sequence[Pair], *, title: str = "Who is better than whom"
) -> Chart:
    """Draw a cell for each pair: the row minus the column, and whether that tells them apart.

    An arrow up says that the row is better, one down that it is worse, a question mark that
    nothing is decided, an equals sign that both count as the same.

    Parameters
    ----------
    order
        The systems, the best first.
    pairs
        Each pair once, in any direction.
    """
    names = labels(order, width=WIDEST)
    rows: list[Layer] = []
    for first, second, value, _, _, verdict in pairs:
        if verdict not in VERDICTS:
            raise RequestError.for_choice(name="verdict", given=verdict, choices=VERDICTS)
        rows.append(_cell(names[first], names[second], value, verdict))
        rows.append(_cell(names[second], names[first], None if value is None else -value, verdict))
    shown = list(names.values())
    places = {
        "x": band_side("column", shown, "top", padding=0.06),
        "y": band_side("row", shown, "left", padding=0.06),
    }
    tips = {"tooltip": hint(row="row", column="column", said="difference", verdict="verdict")}
    layers = [
        draw(chosen, {"type": "rect", "style": style}, {**places, **tips})
        for style in ("better", "worse", "open")
        if (chosen := [row for row in rows if row["style"] == style])
    ]
    written = len(shown) <= MOST_WRITTEN
    # Where it is narrow there is room for the sign only; the tests are made of our own numbers.
    room = 62 * len(shown) if written else 10**6
    for sign, field in (("<", "sign"), (">=", "text")):
        shown_if = {"condition": {"test": f"width {sign} {room}", **word(field)}, "value": ""}
        layers.append(draw(rows, {"type": "text", "style": "value"}, {**places, "text": shown_if}))
    decided = sum(verdict == "different" for *_, verdict in pairs)
    side = min(680, max(340, 150 + 84 * len(shown)))
    return Chart(
        title=title,
        summary=(
            f"{title}: {decided} of {say(len(pairs), 'pair')} of {say(len(shown), 'system')} "
            "are told apart."
        ),
        body={"layer": layers},
        width=side,
        height=round(side * 0.72),
        notes=(
            "The row minus the column: ▲ is better, ▼ is worse, ? is undecided, = is the same.",
        ),
    )


def _cell(row: str, column: str, value: float | None, verdict: str) -> Layer:
    better = value is not None and value > 0
    sign = {"same": "=", "undecided": "?"}.get(verdict, "▲" if better else "▼")
    style = ("better" if better else "worse") if verdict == "different" else "open"
    told = "" if value is None else show_difference(value)
    return {
        "row": row,
        "column": column,
        "said": told or "undefined",
        "verdict": verdict,
        "sign": sign,
        "text": f"{sign} {told}".strip(),
        "style": style,
    }

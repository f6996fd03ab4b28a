"""What is gained by looking at the highest scores first: gain, lift, and the decision curve."""

from collections.abc import Mapping, Sequence

from steelyard.display.figures.chart import Chart
from steelyard.display.figures.labels import labels
from steelyard.display.figures.layers import (
    Curve,
    Layer,
    amount,
    axis,
    chance_layer,
    curve_rows,
    draw,
    hint,
    line_layer,
    list_series,
    rule_layer,
    series,
)
from steelyard.display.numbers import show_number, show_percent

__all__ = ["decision_chart", "gain_chart", "lift_chart"]


def gain_chart(curves: Mapping[str, Curve], *, title: str = "Cumulative gain") -> Chart:
    """Draw the share of positives found against the share of items looked at.

    Parameters
    ----------
    curves
        For each system the shares of items, rising from 0 to 1, and the shares of positives found.

    Examples
    --------
    >>> gain_chart({"svm": ([0, 0.2, 1], [0, 0.7, 1])}).summary
    'Positives found against items looked at, of 1 system: svm.'
    """
    rows, order, notes = _rows(curves, height=1.0)
    x = axis("x", "Items looked at, highest scores first", domain=[0, 1], format=".0%")
    y = axis("y", "Positives found", domain=[0, 1], format=".0%")
    tips = {"tooltip": hint(series="system", at="looked at", found="found")}
    return Chart(
        title=title,
        summary=f"Positives found against items looked at, of {list_series(order, 'system')}.",
        body={
            "layer": [
                chance_layer(x, y),
                line_layer(rows, {"x": x, "y": y, **series(order), **tips}),
            ]
        },
        height=460,
        names=tuple(order),
        notes=notes,
    )


def lift_chart(curves: Mapping[str, Curve], *, title: str = "Lift") -> Chart:
    """Draw how many times more positives the highest scores hold than a blind choice would.

    Parameters
    ----------
    curves
        For each system the shares of items looked at, above 0, and the lifts.
    """
    highest = max((float(lift) for _, lifts in curves.values() for lift in lifts), default=1.0)
    rows, order, notes = _rows(curves, height=max(highest, 1.0), percent=False)
    x = axis("x", "Items looked at, highest scores first", domain=[0, 1], format=".0%")
    y = axis("y", "Lift", zero=True)
    blind = rule_layer([{"y": 1}], "chance", {"y": amount("y")})
    tips = {"tooltip": hint(series="system", at="looked at", found="lift")}
    return Chart(
        title=title,
        summary=f"Lift against items looked at, of {list_series(order, 'system')}.",
        body={"layer": [blind, line_layer(rows, {"x": x, "y": y, **series(order), **tips})]},
        height=400,
        names=tuple(order),
        notes=notes,
    )


def _rows(
    curves: Mapping[str, Curve], *, height: float, percent: bool = True
) -> tuple[list[Layer], list[str], tuple[str, ...]]:
    shown = labels(curves)
    show = show_percent if percent else show_number
    rows, notes = curve_rows(
        curves,
        shown,
        lambda x, y: {"at": show_percent(x), "found": show(y)},
        digits=(5, 5),
        spans=(1.0, height),
    )
    return rows, list(shown.values()), notes


def decision_chart(
    curves: Mapping[str, Curve], everybody: Sequence[float], *, title: str = "Decision curve"
) -> Chart:
    """Draw the net benefit of acting against the probability from which one would act.

    Parameters
    ----------
    curves
        For each system the probabilities, rising, and its net benefits; the same probabilities for
        all of them.
    everybody
        Net benefit of acting on everybody at these probabilities.

    Examples
    --------
    >>> decision_chart({"svm": ([0.1, 0.2], [0.3, 0.2])}, [0.2, 0.1]).summary
    'Net benefit of acting on 1 system: svm; beside acting on everybody and on nobody.'
    """
    shown = labels(curves)
    order = list(shown.values())
    rows, _ = curve_rows(
        curves,
        shown,
        lambda at, benefit: {"at": show_percent(at), "said": show_number(benefit)},
        digits=(5, 6),
    )
    places = [float(one) for one in next(iter(curves.values()))[0]] if curves else []
    top = max(0.0, *(row["y"] for row in rows), *everybody, 0.01)
    low = -0.25 * top
    treated = _above(low, places, everybody)
    x = axis("x", "Acts from this probability up", format=".0%")
    y = axis("y", "Net benefit", domain=[low, top * 1.05])
    tips = {"tooltip": hint(series="system", at="acts from", said="net benefit")}
    falling = {"type": "line", "style": "chance", "clip": True}
    everyone = draw(treated, falling, {"x": x, "y": y})
    nobody = rule_layer([{"y": 0}], "chance", {"y": amount("y")})
    return Chart(
        title=title,
        summary=(
            f"Net benefit of acting on {list_series(order, 'system')}; beside "
            "acting on everybody and on nobody."
        ),
        body={
            "layer": [
                everyone,
                nobody,
                line_layer(rows, {"x": x, "y": y, **series(order), **tips}, clip=True),
            ]
        },
        height=400,
        names=tuple(order),
        notes=("Dotted: acting on everybody (falling) and on nobody (0).",),
    )


def _above(low: float, places: Sequence[float], everybody: Sequence[float]) -> list[Layer]:
    """Draw the line of acting on everybody down to the lower edge of the picture, not along it."""
    drawn: list[Layer] = []
    for at, benefit in zip(places, everybody, strict=True):
        if benefit < low:
            if drawn:
                before = drawn[-1]
                share = (before["y"] - low) / (before["y"] - benefit)
                drawn.append({"x": before["x"] + share * (at - before["x"]), "y": low})
            break
        drawn.append({"x": at, "y": benefit})
    return drawn

"""What is gained by looking at the highest scores first: gain, lift, and the decision curve."""

from collections.abc import Mapping, Sequence

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
    rule_layer,
    say,
    series,
)
from steelyard.display.figures.thinning import thin, thinning_note
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
    chance = {
        "data": {"values": CHANCE},
        "mark": {"type": "line", "style": "chance"},
        "encoding": {"x": x, "y": y},
    }
    tips = {"tooltip": hint(series="system", at="looked at", found="found")}
    return Chart(
        title=title,
        summary=f"Positives found against items looked at, of {_systems(order)}.",
        body={"layer": [chance, line_layer(rows, {"x": x, "y": y, **series(order), **tips})]},
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
    blind = rule_layer([{"y": 1}], "chance", {"y": {"field": "y", "type": "quantitative"}})
    tips = {"tooltip": hint(series="system", at="looked at", found="lift")}
    return Chart(
        title=title,
        summary=f"Lift against items looked at, of {_systems(order)}.",
        body={"layer": [blind, line_layer(rows, {"x": x, "y": y, **series(order), **tips})]},
        height=400,
        names=tuple(order),
        notes=notes,
    )


def _systems(order: list[str]) -> str:
    return f"{say(len(order), 'system')}: {', '.join(order)}"


def _rows(
    curves: Mapping[str, Curve], *, height: float, percent: bool = True
) -> tuple[list[Layer], list[str], tuple[str, ...]]:
    shown = labels(curves)
    rows, drawn, given = [], 0, 0
    for name, curve in curves.items():
        points = curve_points(name, curve)
        kept = thin(points, height=height)
        drawn, given = drawn + len(kept), given + len(points)
        rows += [
            {
                "series": shown[name],
                "place": place,
                "x": round(x, 5),
                "y": round(y, 5),
                "at": show_percent(x),
                "found": show_percent(y) if percent else show_number(y),
            }
            for place, (x, y) in enumerate(kept)
        ]
    return rows, list(shown.values()), thinning_note(drawn, given)


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
    rows = [
        {
            "series": shown[name],
            "place": place,
            "x": round(at, 5),
            "y": round(benefit, 6),
            "at": show_percent(at),
            "said": show_number(benefit),
        }
        for name, curve in curves.items()
        for place, (at, benefit) in enumerate(curve_points(name, curve))
    ]
    places = [float(one) for one in next(iter(curves.values()))[0]] if curves else []
    best = max((row["y"] for row in rows), default=0.0)  # type: ignore[type-var]
    top = max(float(best), *everybody, 0.01)  # type: ignore[arg-type]
    low = -0.25 * top
    treated = _above(low, places, everybody)
    x = axis("x", "Acts from this probability up", format=".0%")
    y = axis("y", "Net benefit", domain=[low, top * 1.05])
    tips = {"tooltip": hint(series="system", at="acts from", said="net benefit")}
    all_line = {
        "data": {"values": treated},
        "mark": {"type": "line", "style": "chance", "clip": True},
        "encoding": {"x": x, "y": y},
    }
    nobody = rule_layer([{"y": 0}], "chance", {"y": {"field": "y", "type": "quantitative"}})
    return Chart(
        title=title,
        summary=(
            f"Net benefit of acting on {say(len(order), 'system')}: {', '.join(order)}; beside "
            "acting on everybody and on nobody."
        ),
        body={
            "layer": [
                all_line,
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

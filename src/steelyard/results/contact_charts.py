"""The pictures of targeting."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from steelyard.display.figures import Chart, decision_chart, gain_chart, lift_chart

if TYPE_CHECKING:
    from steelyard.results.contacts import Targeting

__all__ = ["contact_charts"]

FIRST = 0.01
"""Lift is drawn from this share of the items on; of fewer it only jumps."""


def contact_charts(targeting: "Targeting") -> dict[str, Callable[[], Chart]]:
    """Name what can be drawn: the gain first."""
    drawn = [one for one in targeting.systems if len(one.depths) > 1]
    if not drawn:
        return {}
    known: dict[str, Callable[[], Chart]] = {
        "gain": lambda: gain_chart({one.system: (one.depths, one.gains) for one in drawn}),
        "lift": lambda: _lift(targeting),
    }
    if any(len(one.benefits) > 1 for one in drawn):
        known["decision"] = lambda: _decision(targeting)
    return known


def _lift(targeting: "Targeting") -> Chart:
    curves = {}
    for one in targeting.systems:
        places = [(d, g / d) for d, g in zip(one.depths, one.gains, strict=True) if d >= FIRST]
        curves[one.system] = ([d for d, _ in places], [lift for _, lift in places])
    return lift_chart(curves)


def _decision(targeting: "Targeting") -> Chart:
    known = [one for one in targeting.systems if len(one.benefits) > 1]
    thresholds = [place.threshold for place in known[0].benefits]
    curves = {
        one.system: (thresholds, [place.benefit.value or 0.0 for place in one.benefits])
        for one in known
    }
    return decision_chart(curves, [place.everybody for place in known[0].benefits])

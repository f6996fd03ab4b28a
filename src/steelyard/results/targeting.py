"""What is reached by looking at the best-scored items first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from steelyard.display.numbers import show_count, show_number, show_percent
from steelyard.display.tables import Table, number_cell, text_cell
from steelyard.display.text import join_names, show_name
from steelyard.results.base import Cell, Provenance, Result, tidy_row
from steelyard.results.estimates import Estimate
from steelyard.results.measured import (
    ELSEWHERE,
    estimate_cells,
    in_rows,
    name_class,
    say_estimate,
    say_percent,
    show_value,
    sort_by_value,
)

if TYPE_CHECKING:
    from steelyard.display.figures import Chart

__all__ = ["Benefit", "Contacted", "SystemTargeting", "Targeting", "say_contacts"]

MOST_PLACES = 20
MOST_CURVES = 8
"""Systems whose curve is drawn and written out: the colours and dashes of more are alike."""
FIRST = 0.01
"""Lift is drawn from this share of the items on; of fewer it only jumps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contacted:
    """What the best-scored ``depth`` of all items, ``contacts`` of them, brings.

    ``captured`` is the share of all positives that are among them, ``precision`` the share of them
    that are positive, ``lift`` how many times more positives than by chance.
    """

    depth: float
    contacts: float
    captured: Estimate
    precision: Estimate
    lift: Estimate

    def rows(self, system: str) -> list[dict[str, Cell]]:
        """List the three measures at this depth."""
        place = f"best {self.depth:.6g} of the items"
        return [
            row | {"measure": f"{row['measure']}, {place}"}
            for one in (self.captured, self.precision, self.lift)
            for row in in_rows(one, system=system)
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Benefit:
    """Net benefit of acting from a probability up, beside acting on everybody; nobody has 0."""

    threshold: float
    benefit: Estimate
    everybody: float

    def rows(self, system: str) -> list[dict[str, Cell]]:
        """List the benefit, and that of acting on everybody."""
        place = f"from {self.threshold:.6g}"
        rows = [
            row | {"measure": f"net benefit {place}"}
            for row in in_rows(self.benefit, system=system)
        ]
        everybody = tidy_row(measure=f"net benefit of everybody {place}", value=self.everybody)
        return [*rows, everybody]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemTargeting:
    """What the ranking of one system is worth; ``depths`` and ``gains`` are for pictures."""

    system: str
    items: int
    positives: int
    asked: Contacted
    places: tuple[Contacted, ...]
    ks: Estimate
    gini: Estimate
    benefits: tuple[Benefit, ...]
    depths: tuple[float, ...]
    gains: tuple[float, ...]

    def rows(self) -> list[dict[str, Cell]]:
        """List everything that was measured."""
        rows = self.asked.rows(self.system)
        for one in (self.ks, self.gini):
            rows += in_rows(one, system=self.system)
        for place in self.places:
            rows += place.rows(self.system)
        for benefit in self.benefits:
            rows += benefit.rows(self.system)
        return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Targeting(Result):
    """Whom to contact first, and what that brings, for each system."""

    kind: ClassVar[str] = "targeting"
    positive: str
    systems: tuple[SystemTargeting, ...]
    by: str
    level: float
    provenance: Provenance

    def sentence(self) -> str:
        """Say what the asked number of contacts reaches, and with which system most."""
        return _sentence(self)

    def rows(self) -> list[dict[str, Cell]]:
        """List every measure of every system."""
        return [row for one in self.systems for row in one.rows()]

    def tables(self) -> list[Table]:
        """Show the systems side by side, then each over its depths."""
        return _tables(self)

    def notes(self) -> list[str]:
        """List every doubt once."""
        doubts = [
            f"{measure.measure}: {doubt}"
            for one in self.systems
            for measure in (one.ks, one.gini, one.asked.lift)
            for doubt in measure.caveats
        ]
        return [*dict.fromkeys(doubts), *self.caveats]

    def charts(self) -> dict[str, "Callable[[], Chart]"]:
        """Draw the gain, the lift and, where it was asked for, the decision curve."""
        return _charts(self)


def _sentence(targeting: Targeting) -> str:
    known = [one for one in _rank(targeting) if one.asked.captured.value is not None]
    if not known:
        return "No system was asked."
    best, others = known[0], known[1:]
    captured = best.asked.captured
    assert captured.value is not None
    share, ends = say_percent(captured.value, captured.interval)
    positive = name_class(targeting.positive)
    said = (
        f"The {say_contacts(best)} that {show_name(best.system)} scores highest hold {share} of "
        f"{positive}{ends}, {_times(best)} a random choice; precision is "
        f"{say_estimate(best.asked.precision)}."
    )
    if not others:
        return said
    tied = [one.system for one in others if one.asked.captured.value == captured.value]
    if tied:
        said += f" So do those of {join_names(tied)}."
    if len(tied) == len(others):
        return said
    last = others[-1]
    told = show_percent(last.asked.captured.value or 0.0)
    most = "the other system" if len(others) == 1 else f"the least of {len(known)} systems"
    return f"{said} By {show_name(last.system)}, {most}, they hold {told}."


def _rank(targeting: Targeting) -> list[SystemTargeting]:
    """Give the systems, the one that captures most first."""
    known = targeting.systems
    return [known[at] for at in sort_by_value([one.asked.captured for one in known])]


def say_contacts(one: SystemTargeting) -> str:
    """Say how many items are looked at."""
    number = one.asked.contacts
    if number != round(number):
        return f"{show_percent(one.asked.depth)} of items"
    what = "item" if number == 1 else "items"
    return f"{number:,.0f} {what} ({show_percent(one.asked.depth)})"


def _times(one: SystemTargeting) -> str:
    lift = one.asked.lift.value
    return "as many as" if lift is None else f"{show_number(lift, digits=2)} times as many as"


def _tables(targeting: Targeting) -> list[Table]:
    tables = [_systems(targeting), _separations(targeting)]
    tables += [_places(targeting, one) for one in _rank(targeting)[:MOST_CURVES]]
    tables.append(_benefits(targeting))
    return [table for table in tables if table.rows]


def _separations(targeting: Targeting) -> Table:
    rows = [
        [
            text_cell("system", one.system),
            *estimate_cells("KS", one.ks, targeting.level),
            *estimate_cells("Gini", one.gini, targeting.level),
        ]
        for one in _rank(targeting)
    ]
    return Table.of("How well the scores separate the classes", rows)


def _systems(targeting: Targeting) -> Table:
    rows = [
        [
            text_cell("system", one.system),
            *estimate_cells("captured", one.asked.captured, targeting.level),
            *estimate_cells("precision", one.asked.precision, targeting.level),
            number_cell("lift", show_value(one.asked.lift)),
        ]
        for one in _rank(targeting)
    ]
    title = "Systems"
    if targeting.systems:
        first = targeting.systems[0]
        title = f"Systems: the best-scored {_contacts(first.asked)} of {show_count(first.items)}"
    return Table.of(title, rows)


def _contacts(place: Contacted) -> str:
    number = place.contacts
    return f"{number:,.0f}" if number == round(number) else f"{number:,.1f}"


def _places(targeting: Targeting, one: SystemTargeting) -> Table:
    step = -(-len(one.places) // MOST_PLACES)
    shown = one.places[step - 1 :: step] if step else ()
    digits = 0 if targeting.by == "deciles" else 1
    rows = [
        [
            number_cell("depth", show_percent(place.depth, digits=digits)),
            number_cell("items", _contacts(place)),
            *estimate_cells("captured", place.captured, targeting.level),
            number_cell("precision", show_value(place.precision)),
            *estimate_cells("lift", place.lift, targeting.level),
        ]
        for place in shown
    ]
    note = f"{len(rows)} of {len(one.places)} depths are shown: {ELSEWHERE}." if step > 1 else ""
    return Table.of(f"Cumulative, highest scores first ({one.system})", rows, note=note)


def _benefits(targeting: Targeting) -> Table:
    known = [one for one in _rank(targeting) if one.benefits][:MOST_CURVES]
    rows = [
        [
            number_cell("from", place.threshold),
            *(number_cell(one.system, show_value(one.benefits[at].benefit)) for one in known),
            number_cell("acting on everybody", place.everybody),
        ]
        for at, place in enumerate(known[0].benefits if known else ())
    ]
    title = "Net benefit of acting from a probability up; acting on nobody has 0"
    return Table.of(title, rows)


def _charts(targeting: Targeting) -> "dict[str, Callable[[], Chart]]":
    from steelyard.display.figures import gain_chart

    whole = [one for one in _rank(targeting) if len(one.depths) > 1]
    drawn = whole[:MOST_CURVES]
    if not drawn:
        return {}
    known: dict[str, Callable[[], Chart]] = {
        "gain": lambda: gain_chart({one.system: (one.depths, one.gains) for one in drawn}),
        "lift": lambda: _lift(drawn),
    }
    if any(len(one.benefits) > 1 for one in drawn):
        known["decision"] = lambda: _decision(drawn)
    return {name: _say_cut(draw, len(drawn), len(whole)) for name, draw in known.items()}


def _say_cut(draw: "Callable[[], Chart]", drawn: int, whole: int) -> "Callable[[], Chart]":
    return lambda: draw().showing(drawn, whole, "curves", "those that capture most")


def _lift(drawn: Sequence[SystemTargeting]) -> "Chart":
    from steelyard.display.figures import lift_chart

    curves = {}
    for one in drawn:
        places = [(d, g / d) for d, g in zip(one.depths, one.gains, strict=True) if d >= FIRST]
        curves[one.system] = ([d for d, _ in places], [lift for _, lift in places])
    return lift_chart(curves)


def _decision(drawn: Sequence[SystemTargeting]) -> "Chart":
    from steelyard.display.figures import decision_chart

    known = [one for one in drawn if len(one.benefits) > 1]
    thresholds = [place.threshold for place in known[0].benefits]
    curves = {
        one.system: (thresholds, [place.benefit.value or 0.0 for place in one.benefits])
        for one in known
    }
    return decision_chart(curves, [place.everybody for place in known[0].benefits])

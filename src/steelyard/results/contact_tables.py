"""The tables of targeting."""

from typing import TYPE_CHECKING

from steelyard.display.numbers import show_count, show_number, show_percent
from steelyard.display.tables import Column, Table, number_columns
from steelyard.results.measured import interval_name, shown_interval, shown_value

if TYPE_CHECKING:
    from steelyard.results.contacts import Contacted, SystemTargeting, Targeting

__all__ = ["contact_tables"]

MOST_PLACES = 20


def contact_tables(targeting: "Targeting") -> list[Table]:
    """Show the systems side by side, then each over its depths, then net benefit."""
    tables = [_systems(targeting), _separations(targeting)]
    tables += [_places(targeting, one) for one in targeting.systems]
    tables.append(_benefits(targeting))
    return [table for table in tables if table.rows]


def _separations(targeting: "Targeting") -> Table:
    limits = interval_name(targeting.level)
    heads = number_columns("KS", limits, "Gini", limits)
    rows = [
        [
            one.system,
            shown_value(one.ks),
            shown_interval(one.ks),
            shown_value(one.gini),
            shown_interval(one.gini),
        ]
        for one in targeting.systems
    ]
    title = "How far the scores part the classes"
    return Table.without_empty(title, [Column(name="system"), *heads], rows)


def _systems(targeting: "Targeting") -> Table:
    limits = interval_name(targeting.level)
    heads = number_columns("captured", limits, "precision", limits, "lift")
    rows = [
        [
            one.system,
            shown_value(one.asked.captured),
            shown_interval(one.asked.captured),
            shown_value(one.asked.precision),
            shown_interval(one.asked.precision),
            shown_value(one.asked.lift),
        ]
        for one in targeting.systems
    ]
    first = targeting.systems[0] if targeting.systems else None
    title = "Systems"
    if first is not None:
        title = f"Systems: the best-scored {_contacts(first.asked)} of {show_count(first.items)}"
    return Table.without_empty(title, [Column(name="system"), *heads], rows)


def _contacts(place: "Contacted") -> str:
    number = place.contacts
    return f"{number:,.0f}" if number == round(number) else f"{number:,.1f}"


def _places(targeting: "Targeting", one: "SystemTargeting") -> Table:
    step = -(-len(one.places) // MOST_PLACES)
    shown = one.places[step - 1 :: step] if step else ()
    limits = interval_name(targeting.level)
    heads = number_columns("items", "captured", limits, "precision", "lift", limits)
    rows = [
        [
            show_percent(place.depth, digits=0 if targeting.by == "deciles" else 1),
            _contacts(place),
            shown_value(place.captured),
            shown_interval(place.captured),
            shown_value(place.precision),
            shown_value(place.lift),
            shown_interval(place.lift),
        ]
        for place in shown
    ]
    note = ""
    if step > 1:
        note = f"{len(one.places)} depths in all; they are in the JSON and the CSV."
    return Table.without_empty(
        f"Cumulative, highest scores first ({one.system})",
        [Column(name="depth", align="right"), *heads],
        rows,
        note=note,
    )


def _benefits(targeting: "Targeting") -> Table:
    known = [one for one in targeting.systems if one.benefits]
    if not known:
        return Table(title="", columns=(), rows=())
    rows = [
        [
            show_number(place.threshold),
            *(shown_value(one.benefits[at].benefit) for one in known),
            show_number(place.everybody),
        ]
        for at, place in enumerate(known[0].benefits)
    ]
    heads = number_columns(*(one.system for one in known), "acting on everybody")
    return Table.without_empty(
        "Net benefit of acting from a probability up; acting on nobody has 0",
        [Column(name="from", align="right"), *heads],
        rows,
    )

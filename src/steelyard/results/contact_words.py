"""What targeting brings, in words."""

from typing import TYPE_CHECKING

from steelyard.display.numbers import show_number, show_percent
from steelyard.display.text import show_name
from steelyard.results.measured import said_estimate, said_percent

if TYPE_CHECKING:
    from steelyard.results.contacts import SystemTargeting, Targeting

__all__ = ["contact_sentence", "said_contacts"]


def contact_sentence(targeting: "Targeting") -> str:
    """Say what the asked number of contacts reaches, and with which system most."""
    known = [one for one in targeting.systems if one.asked.captured.value is not None]
    if not known:
        return "No system was asked."
    known.sort(key=lambda one: -(one.asked.captured.value or 0.0))
    best, others = known[0], known[1:]
    captured = best.asked.captured
    assert captured.value is not None
    share, ends = said_percent(captured.value, captured.interval)
    positive = _class_name(targeting.positive)
    said = (
        f"The {said_contacts(best)} that {show_name(best.system)} scores highest hold {share} of "
        f"{positive}{ends}, {_times(best)} a random choice; precision is "
        f"{said_estimate(best.asked.precision)}."
    )
    if not others:
        return said
    last = others[-1]
    told = show_percent(last.asked.captured.value or 0.0)
    most = "the other system" if len(others) == 1 else f"the least of {len(known)} systems"
    return f"{said} By {show_name(last.system)}, {most}, they hold {told}."


def said_contacts(one: "SystemTargeting") -> str:
    """Say how many items are looked at."""
    number = one.asked.contacts
    whole = f"{number:,.0f}" if number == round(number) else f"{number:,.1f}"
    what = "item" if number == 1 else "items"
    return f"{whole} {what} ({show_percent(one.asked.depth)})"


def _times(one: "SystemTargeting") -> str:
    lift = one.asked.lift.value
    return "as many as" if lift is None else f"{show_number(lift, digits=2)} times as many as"


def _class_name(name: str) -> str:
    shown = show_name(name)
    return f"class {shown}" if shown[:1].isdigit() else shown

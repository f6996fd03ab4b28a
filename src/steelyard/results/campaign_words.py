"""What a campaign says of itself."""

from typing import TYPE_CHECKING

from steelyard.display.numbers import (
    show_count,
    show_number,
    show_percent,
    show_probability,
    show_share,
)
from steelyard.display.tables import Column, Table, number_columns
from steelyard.display.text import join_names, show_name

if TYPE_CHECKING:
    from steelyard.results.campaign import CampaignStatus, CampaignStop

__all__ = ["amount", "show_chance", "status_details", "status_sentence", "status_tables"]

HASH_SHOWN = 16
MOST_ERROR = 0.05
MOST_BOUNDS = 6
DRAWN = 0.0035
"""The most that a probability from 20,000 draws is off by, as a standard error."""


def amount(value: float) -> str:
    """Write a cost: whole numbers without decimals.

    >>> amount(1200.0), amount(2.5)
    ('1,200', '2.500')
    """
    return show_count(int(value)) if value == int(value) else show_number(value)


def status_sentence(status: "CampaignStatus") -> str:
    """Say go on or stop first."""
    if status.stop is not None:
        return _stopped(status, status.stop)
    if status.items == 0:
        return f"Go on: no item counts yet. {show_name(status.name)} stops when {status.rule}."
    return (
        f"Go on: after {_items(status.items)} {_lead(status)}; "
        f"{show_name(status.name)} stops when {status.rule}."
    )


def _stopped(status: "CampaignStatus", stop: "CampaignStop") -> str:
    after = f"after {_items(stop.items)}"
    if stop.reason == "rule":
        return f"Stop: {_found(status, stop)} {after} ({stop.condition}){_errs(status)}."
    why = {
        "used up": f"{stop.condition} is reached",
        "budget": f"the budget of {amount(status.budget or 0.0)} is used up",
        "closed": "it was closed" if stop.verdict == "closed" else "only one system is left",
    }[stop.reason]
    lead = f"; {_lead(status)}" if status.items else ""
    return f"Stop without a decision: {why} {after}{lead}."


def _errs(status: "CampaignStatus") -> str:
    """Say in the sentence itself that a rule names winners among equals more often than it may."""
    error = status.error
    if error is None or error.winner - 2 * error.error <= MOST_ERROR:
        return ""
    return f"; among equal systems this rule names one in {show_percent(error.winner)} of campaigns"


def _error_lines(status: "CampaignStatus") -> list[str]:
    error = status.error
    if error is None:
        return []
    how = (
        "exact"
        if error.method == "exact"
        else (
            f"{show_count(error.campaigns)} simulated campaigns, standard error "
            f"{show_number(error.error)}"
        )
    )
    wrong = show_percent(min(1.0, max(0.0, error.winner)))
    return [
        f"Error of the rule at the rates seen: among equal systems, all right on "
        f"{show_percent(error.rate)} of the items, it names a winner in {wrong} of campaigns of up "
        f"to {_items(error.items)} ({how})."
    ]


def _missing_lines(status: "CampaignStatus") -> list[str]:
    """Say what missing answers could do: no more than that is known of them."""
    bounds = [one for one in status.systems if one.low is not None and one.high is not None]
    if not bounds:
        return []
    shown = "; ".join(
        f"{show_name(one.system)} {show_share(one.low or 0.0)} to {show_share(one.high or 0.0)}"
        for one in bounds[:MOST_BOUNDS]
    )
    leader = status.stop.winner if status.stop is not None else None
    first = next((one for one in bounds if one.system == leader), None) or status.leader
    if first is None or first.low is None:
        return [f"With every missing answer wrong, or right: {shown}."]
    rivals = [one.high or 0.0 for one in bounds if one.system != first.system]
    safe = first.low > max(rivals, default=0.0)
    said = (
        f"{show_name(first.system)} stays ahead whatever they are"
        if safe
        else f"that is enough to take the lead from {show_name(first.system)}"
    )
    return [f"With every missing answer wrong, or right: {shown}; {said}."]


def _found(status: "CampaignStatus", stop: "CampaignStop") -> str:
    winner = "" if stop.winner is None else show_name(stop.winner)
    left = [one.system for one in status.systems if one.state == "left"]
    best = "is the best" if not left else "is the best of those that stayed"
    value = stop.value or 0.0
    chance = show_chance(value, status=status)
    if stop.winner is None:
        said = {
            "same": f"the two differ by less than the margin with probability {chance}",
            "no winner": "no pair is open and no system has beaten all others",
            "left unbeaten": f"there is no winner, since {join_names(left)} left unbeaten",
        }
        return said.get(stop.verdict, "there is no difference that matters")
    words = {
        "best": f"{winner} {best} with probability {chance}",
        "pair": f"{winner} is the better one with probability {chance}",
        "ranking": f"the order is {join_names(stop.ranking)} with probability {chance}",
        "loss": f"choosing {winner} is expected to give up {show_number(value)} of accuracy",
        "evidence": f"{winner} {best}, with evidence {show_number(value)}",
        "keep": f"{winner} is kept",
        "take": f"{winner} is taken instead",
        "racing": f"{winner} is the last one in the race",
    }
    return words.get(stop.verdict, f"{winner} {best}")


def show_chance(value: float, *, status: "CampaignStatus") -> str:
    """Write a probability of a campaign; what draws have found is never certain.

    With three systems or more on common items it comes from 20,000 draws.
    """
    known = sum(one.best is not None for one in status.systems)
    drawn = status.pairing == "common" and known > 2
    inside = min(1.0, max(0.0, value))
    sure = known < 2 or (not drawn and 0 < inside < 1)
    return show_probability(inside, error=None if sure else DRAWN)


def _lead(status: "CampaignStatus") -> str:
    leader = status.leader
    if leader is None or leader.best is None:
        return "nobody leads yet"
    chance = show_chance(leader.best, status=status)
    level = status.leaders
    if len(level) > 1:
        names = join_names([one.system for one in level])
        shown = {show_chance(one.best or 0.0, status=status) for one in level}
        about = chance if len(shown) == 1 else f"about {leader.best:.2f}"
        return f"{names} are level, each the best with probability {about}"
    return f"{show_name(leader.system)} leads and is the best with probability {chance}"


def _items(number: int) -> str:
    return f"{show_count(number)} item{'' if number == 1 else 's'}"


def _entries(number: int) -> str:
    return "1 entry" if number == 1 else f"{show_count(number)} entries"


def status_tables(status: "CampaignStatus") -> list[Table]:
    """Show the systems, the likeliest best first, and the conditions."""
    ranked = sorted(status.systems, key=lambda one: -1.0 if one.best is None else -one.best)
    heads = [
        Column(name="system"),
        *number_columns("accuracy", "right", "tested", "P(best)", "missing wrong", "missing right"),
    ]
    rows = [
        [
            one.system,
            show_share(one.correct / one.tested) if one.tested else None,
            show_count(one.correct),
            show_count(one.tested),
            None if one.best is None else show_chance(one.best, status=status),
            None if one.low is None else show_share(one.low),
            None if one.high is None else show_share(one.high),
            {"running": None, "lost": "tested no more", "left": "dropped out"}[one.state],
        ]
        for one in ranked
    ]
    found = [
        Table.without_empty("Systems, on items that count", [*heads, Column(name="state")], rows)
    ]
    conditions = [
        [
            one.condition,
            None if one.value is None else amount(one.value),
            "yes" if one.holds else "no",
            one.means,
        ]
        for one in status.conditions
    ]
    if conditions:
        heads = [
            Column(name="the rule stops when", whole=True),
            Column(name="now", align="right"),
            Column(name="holds"),
            Column(name="what it is"),
        ]
        cells = tuple(tuple(row) for row in conditions)
        found.append(Table(title="Rule", columns=tuple(heads), rows=cells))
    return found


def status_details(status: "CampaignStatus") -> list[str]:
    """Say what was recorded, what waits, what came late, and the hashes."""
    lines = [] if status.recorded is None else [status.recorded]
    if status.waiting:
        verb = "waits" if status.waiting == 1 else "wait"
        lines.append(f"{_items(status.waiting)} {verb} for the answer of some system.")
        lines += _missing_lines(status)
    if status.after:
        what = "item" if status.pairing == "common" else "result"
        many = "" if status.after == 1 else "s"
        lines.append(
            f"{show_count(status.after)} {what}{many} came after the stop: kept and marked, they "
            "change no decision."
        )
    spent = f"{show_count(status.results)} results, cost {amount(status.cost)}"
    room = "" if status.budget is None else f" of {amount(status.budget)}"
    looks = "every item" if status.step == 1 else f"every {show_count(status.step)} items"
    return [
        *lines,
        *_error_lines(status),
        f"{spent}{room}; looked at {looks}; {_entries(status.entries)}, the last with "
        f"hash {status.head_hash[:HASH_SHOWN]}, under protocol "
        f"{status.protocol_hash[:HASH_SHOWN]}.",
        *status.provenance.lines(),
    ]

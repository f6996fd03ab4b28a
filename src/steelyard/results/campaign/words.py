"""What a campaign says of itself, its tables and its path."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from steelyard.display.numbers import (
    show_count,
    show_number,
    show_percent,
    show_probability,
    show_share,
)
from steelyard.display.tables import Column, Table, number_cell, text_cell
from steelyard.display.text import join_names, show_name
from steelyard.results.measured import ELSEWHERE

if TYPE_CHECKING:
    from steelyard.display.figures import Chart
    from steelyard.results.campaign.data import (
        CampaignError,
        CampaignStatus,
        CampaignStop,
        CampaignSystem,
    )

__all__ = [
    "amount",
    "campaign_details",
    "campaign_headline",
    "campaign_sentence",
    "campaign_tables",
    "draw_path",
    "show_chance",
]

CLAIM_WORDS = {"keeps": "meets its limit", "breaks": "does not meet its limit"}
HASH_SHOWN = 16
MOST_ERROR = 0.05
MOST_BOUNDS = 6
DRAWN = 0.0035
"""The most that a probability from 20,000 draws is off by, as a standard error."""


def draw_path(status: "CampaignStatus", place: int) -> "Callable[[], Chart]":
    """Give the way to draw the path of one condition."""
    return lambda: _path(status, place)


def _path(status: "CampaignStatus", place: int) -> "Chart":
    from steelyard.display.figures import trajectory_chart

    condition = status.conditions[place]
    known = [
        (float(point.items), value)
        for point in status.points
        if place < len(point.values) and (value := point.values[place]) is not None
    ]
    return trajectory_chart(
        ([x for x, _ in known], [y for _, y in known]),
        bounds=[] if condition.bound is None else [condition.bound],
        stopped=None if status.stop is None else float(status.stop.items),
        what=condition.means,
        title=f"Path of {condition.condition}",
    )


def amount(value: float) -> str:
    """Write a cost: whole numbers without decimals.

    >>> amount(1200.0), amount(2.5)
    ('1,200', '2.500')
    """
    return show_count(int(value)) if value == int(value) else show_number(value)


def campaign_sentence(status: "CampaignStatus") -> str:
    """Say go on or stop first, then the answer so far."""
    if status.stop is not None:
        return _stop(status, status.stop)
    if status.items == 0:
        return f"Go on: no item counts yet. {show_name(status.name)} stops when {status.rule}."
    return (
        f"Go on: after {_items(status.items)} {_lead(status)}; "
        f"{show_name(status.name)} stops when {status.rule}."
    )


def campaign_headline(status: "CampaignStatus") -> str:
    """Say whether to go on testing, and what to ship if not."""
    stop = status.stop
    if stop is None:
        return "Go on testing."
    if stop.reason != "rule":
        return "Stop testing: there is no decision."
    if stop.winner is None:
        return "Stop testing: the question is settled."
    if status.question == "claim":
        broken = [one for one in _claims(status, stop) if one[1] == "breaks"]
        names = join_names([name for name, _ in broken or _claims(status, stop)])
        many = len(broken or _claims(status, stop)) > 1
        said = "do not meet" if many else "does not meet"
        met = said if broken else "meet" if many else "meets"
        return f"Stop testing: {names} {met} {'their limits' if many else 'its limit'}."
    name = show_name(stop.winner)
    return (
        f"Stop testing: {name} wins{', by a rule that errs often' if _errs_often(status) else ''}."
    )


def _stop(status: "CampaignStatus", stop: "CampaignStop") -> str:
    after = f"after {_items(stop.items)}"
    if stop.reason == "rule":
        return f"Stop: {_find(status, stop)} {after} ({stop.condition}){_errs(status)}."
    why = {
        "used up": f"{stop.condition} is reached",
        "budget": f"the budget of {amount(status.budget or 0.0)} is used up",
        "closed": "it was closed" if stop.verdict == "closed" else "only one system is left",
    }[stop.reason]
    lead = f"; {_lead(status)}" if status.items else ""
    return f"Stop without a decision: {why} {after}{lead}."


def _errs(status: "CampaignStatus") -> str:
    """Say in the sentence itself how often the rule names winners among equals."""
    if status.error is None:
        return ""
    return f"; among equal systems this rule names a winner in {_show(status.error)} of campaigns"


def _show(error: "CampaignError") -> str:
    """Write how often; none of so many simulated campaigns is not never (the rule of three)."""
    if error.winner <= 0 and error.method != "exact":
        return f"less than {show_percent(min(1.0, 3 / error.campaigns))}"
    return show_percent(min(1.0, max(0.0, error.winner)))


def _errs_often(status: "CampaignStatus") -> bool:
    """Tell whether a rule names winners among equals more often than it may."""
    error = status.error
    return error is not None and error.winner - 2 * error.error > MOST_ERROR


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
    wrong = _show(error)
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
    if len(bounds) > MOST_BOUNDS:
        shown += f"; {len(bounds) - MOST_BOUNDS} more systems: {ELSEWHERE}"
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


def _claims(status: "CampaignStatus", stop: "CampaignStop") -> list[tuple[str, str]]:
    """List every claim that is decided: whose it is, and whether it is kept."""
    known = sorted((one.system for one in status.systems), key=len, reverse=True)
    found = {}
    for one in status.conditions:
        if one.holds and one.verdict in CLAIM_WORDS:
            said = one.condition.removeprefix("claim(").lstrip("'\"")
            found[next(name for name in known if said.startswith(name))] = one.verdict
    return list(found.items()) or [(stop.winner or "", stop.verdict)]


def _find(status: "CampaignStatus", stop: "CampaignStop") -> str:
    if status.question == "claim":
        return "; ".join(
            f"{show_name(name)} {CLAIM_WORDS.get(verdict, verdict)}"
            for name, verdict in _claims(status, stop)
        )
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
        "betting": f"{winner} {_is_better(status)}, with evidence {show_number(value)}",
        "asymptotic": f"{winner} {_is_better(status)}, with (asymptotic) evidence "
        f"{show_number(value)}",
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


def _measure(status: "CampaignStatus") -> str:
    """What the numbers of the systems come to: a mean, unless the rule says otherwise."""
    return next((one.measure for one in status.systems), "mean")


def _is_better(status: "CampaignStatus") -> str:
    measure = _measure(status)
    return "has the better mean" if measure == "mean" else f"is better in {measure}"


def _lead(status: "CampaignStatus") -> str:
    means = [(one, one.mean) for one in status.systems if one.mean is not None]
    if means and _measure(status) != "mean":
        ours = [f"{show_number(mean)} ({show_name(one.system)})" for one, mean in means]
        verb = "are" if " per " in _measure(status) else "is"
        return f"{_measure(status)} {verb} {join_names(ours)}"
    if means:
        return "; ".join(
            f"{show_name(one.system)} {'is at' if ': ' in one.system else 'has a mean of'} "
            f"{show_number(mean)}"
            for one, mean in means
        )
    if status.question == "claim":
        told = [one for one in status.systems if one.tested]
        return "; ".join(
            f"{show_name(one.system)} {'is at' if ': ' in one.system else 'is right on'} "
            f"{_rate(one) or show_percent(one.correct / one.tested)}"
            for one in told
        )
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


def _share(system: "CampaignSystem") -> str | None:
    if not system.tested or system.mean is not None or system.rate is not None:
        return None
    return show_share(system.correct / system.tested)


def _rate(system: "CampaignSystem") -> str | None:
    return None if system.rate is None else f"{show_number(system.rate)} per {system.unit}"


def _items(number: int) -> str:
    return f"{show_count(number)} item{'' if number == 1 else 's'}"


def _entries(number: int) -> str:
    return "1 entry" if number == 1 else f"{show_count(number)} entries"


def campaign_tables(status: "CampaignStatus") -> list[Table]:
    """Show the systems, then the conditions of the rule."""
    ranked = sorted(status.systems, key=lambda one: -1.0 if one.best is None else -one.best)
    states = {"running": None, "lost": "tested no more", "left": "dropped out"}
    rows = [
        [
            text_cell("system", one.system),
            number_cell(_measure(status), one.mean),
            number_cell("rate", _rate(one)),
            number_cell("accuracy", _share(one)),
            number_cell("right", one.correct if one.mean is None else None, show_count),
            number_cell("tested", one.tested, show_count),
            number_cell("P(best)", one.best, partial(show_chance, status=status)),
            number_cell("missing wrong", one.low, show_share),
            number_cell("missing right", one.high, show_share),
            text_cell("state", states[one.state]),
        ]
        for one in ranked
    ]
    heads = [
        Column(name="the rule stops when", whole=True),
        Column(name="now", align="right"),
        Column(name="holds"),
        Column(name="what it is"),
    ]
    conditions = [
        (
            one.condition,
            None if one.value is None else amount(one.value),
            "yes" if one.holds else "no",
            one.means,
        )
        for one in status.conditions
    ]
    tables = [
        Table.of("Systems, on items that count", rows),
        Table(title="Rule", columns=tuple(heads), rows=tuple(conditions)),
    ]
    return [table for table in tables if table.rows]


def campaign_details(status: "CampaignStatus") -> list[str]:
    """Say what was recorded, what waits, and the hashes to note down."""
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

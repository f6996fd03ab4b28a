"""The sentences of a plan: the number of samples first."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from steelyard.display.numbers import show_count, show_level, show_number, show_probability
from steelyard.display.text import join_names, show_name
from steelyard.results.measured import said_count
from steelyard.results.more import MoreSamples

if TYPE_CHECKING:
    from steelyard.results.plan import Plan, PlanStep

__all__ = ["plan_details", "plan_sentence", "shown_cost", "shown_rates", "shown_reached"]

MOST_RATES = 6
MOST_OPEN = 3


def plan_sentence(plan: "Plan") -> str:
    """Say what to test, and what the number that was asked about would reach."""
    if plan.question == "more":
        return _more(plan)
    return f"{_wish(plan)}, {_order(plan)}{_instead(plan)}."


def _wish(plan: "Plan") -> str:
    """Say what is wanted and what is supposed."""
    number, sure = len(plan.systems), show_level(plan.target)
    if plan.question == "best":
        return f"To be {sure} sure which of {number} is best, {_supposed(plan)}"
    if plan.question == "ranking":
        return f"To be {sure} sure of the ranking of {number}, {_supposed(plan)}"
    if plan.question == "select":
        lead = show_rate(plan.delta or 0.0)
        return (
            f"To select the best of {number} with probability {show_rate(plan.target)} whenever it "
            f"leads by {lead} or more, whatever the rates"
        )
    if plan.question == "width":
        level, width = show_level(plan.level or 0.95), show_rate(plan.target)
        apart = _discordant(plan, word=", when")
        what = f"the difference of rates {shown_rates(plan)}" if number > 1 else _one_rate(plan)
        return f"For a {level} interval no wider than {width} of {what}{apart}"
    return f"{_pair_wish(plan)}, {_supposed(plan)}"


def _pair_wish(plan: "Plan") -> str:
    names = [show_name(one.system) for one in plan.systems]
    power = f"with {show_level(plan.target)} power"
    if plan.margin is not None:
        margin = show_rate(plan.margin)
        return f"To show that {' and '.join(names)} differ by less than {margin} {power}"
    if len(names) == 2:
        ranked = sorted(plan.systems, key=lambda one: -one.rate)
        one, two = (show_name(system.system) for system in ranked)
        return f"To find {one} better than {two} {power}"
    return f"To tell every two of {len(names)} apart {power}"


def _supposed(plan: "Plan") -> str:
    return f"when their rates are {shown_rates(plan)}{_discordant(plan)}"


def _one_rate(plan: "Plan") -> str:
    return f"a rate of {shown_rates(plan)}"


def _discordant(plan: "Plan", *, word: str = " and") -> str:
    if plan.design != "paired" or plan.discordance is None:
        return ""
    share = show_level(round(plan.discordance, 4))
    return f"{word} {share} of the items tell the two apart"


def _order(plan: "Plan") -> str:
    if plan.samples is None:
        return f"more than {show_count(plan.limit)} items would be needed"
    return f"test {said_count(plan.samples, _item(plan))}{_each(plan)}"


def _item(plan: "Plan") -> str:
    return "common item" if plan.design == "paired" else "item"


def _each(plan: "Plan") -> str:
    return " each" if plan.design == "independent" and len(plan.systems) > 1 else ""


def _instead(plan: "Plan") -> str:
    """Say what the number that was given would reach, or else half of what is needed."""
    step = plan.asked or _half(plan)
    if step is None:
        return ""
    with_them = f"with {show_count(step.samples)}"
    reached = shown_reached(plan, step.reached)
    return {
        "confidence": f"; {with_them} you would reach {reached}",
        "power": f"; {with_them} the power is {reached}",
        "width": f"; {with_them} it would be {reached} wide",
        "probability of correct selection": f"; {with_them} it is {reached}",
    }[plan.goal]


def _half(plan: "Plan") -> "PlanStep | None":
    below = [step for step in plan.steps if plan.samples is None or step.samples < plan.samples]
    wanted = (plan.samples or plan.limit) / 2
    return min(below, key=lambda step: abs(step.samples - wanted), default=None)


def _more(plan: "Plan") -> str:
    tested = (
        "" if plan.tested is None else f" on top of the {said_count(plan.tested, 'item')} tested"
    )
    each = _each(plan)
    settled = [one for one in plan.more if one.samples is not None and one.second is not None]
    rest = [one for one in plan.more if one.samples is None and one.second is not None]
    best = [one for one in plan.more if one.second is None]
    clauses = []
    if settled:
        most = max(settled, key=lambda one: one.samples or 0)
        what = "it" if len(settled) == 1 and not rest else f"{_pairs(settled)}"
        verb = "settle" if what == "it" else "tell apart"
        clauses.append(f"{most.said()} more items{each}{tested} would {verb} {what}")
    if rest:
        clauses.append(f"{_pairs(rest)} cannot be planned for ({rest[0].reason})")
    clauses += [_best(one, plan) for one in best]
    if not clauses:
        return "Every pair is settled already; no more items are needed."
    said = "; ".join(clauses)
    return f"{said[0].upper()}{said[1:]}."


def _best(one: MoreSamples, plan: "Plan") -> str:
    name, sure = show_name(one.first), show_level(plan.target)
    if one.samples is None:
        return f"to be {sure} sure that {name} is best: {one.reason}"
    if one.samples == 0:
        return f"that {name} is best is {sure} sure already"
    return f"{one.said()} more would make it {sure} sure that {name} is best"


def _pairs(pairs: Sequence[MoreSamples]) -> str:
    names = [f"{show_name(one.first)} and {show_name(one.second or '')}" for one in pairs]
    if len(names) == 1:
        return names[0]
    if len(names) > MOST_OPEN:
        return f"{show_count(len(names))} open pairs"
    return join_names([name.replace(" and ", "/") for name in names], most=MOST_OPEN, room=70)


def plan_details(plan: "Plan") -> list[str]:
    """Say how it was found, what one more point costs, and what was supposed."""
    lines = [f"Found by {plan.method}."]
    if plan.next_point is not None and plan.samples is not None:
        cost = ""
        if plan.cost_per_sample is not None:
            systems = len(plan.systems) if plan.design == "independent" else 1
            price = plan.next_point * plan.cost_per_sample * systems
            cost = f", at a cost of {shown_cost(price)}"
        lines.append(
            f"One more point, from {show_rate(plan.target)} to {show_rate(plan.target + 0.01)}, "
            f"takes {show_count(plan.next_point)} more{_each(plan)}{cost}."
        )
    return [*lines, *plan.provenance.lines()]


def shown_rates(plan: "Plan") -> str:
    """List the rates, with as many decimals as they were given with."""
    rates = [one.rate for one in plan.systems]
    digits = max([2, *(len(f"{round(rate, 4):g}") - 2 for rate in rates)])
    shown = [f"{rate:.{digits}f}" for rate in rates]
    return join_names(shown, most=MOST_RATES)


def show_rate(value: float) -> str:
    """Write a rate as it was given: two decimals, more where needed."""
    rounded = f"{round(value, 6):g}"
    return f"{value:.2f}" if len(rounded) < 4 else rounded


def shown_reached(plan: "Plan", value: float) -> str:
    """Write what was reached."""
    return show_number(value) if plan.goal == "width" else show_probability(value)


def shown_cost(cost: float) -> str:
    """Write a sum of money or of whatever samples cost."""
    return f"{cost:,.0f}" if cost >= 1000 or cost == round(cost) else f"{cost:,.2f}"

"""What a plan says: the number of samples first, then what fewer would reach."""

from collections.abc import Callable, Sequence
from math import floor, log10
from typing import TYPE_CHECKING

from steelyard.display.numbers import (
    show_count,
    show_level,
    show_number,
    show_percent,
    show_probability,
)
from steelyard.display.text import join_names, show_name
from steelyard.results.measured import say_count
from steelyard.results.more import MoreSamples, ask_again_lines

if TYPE_CHECKING:
    from steelyard.results.plan.data import Plan, PlanStep

__all__ = [
    "ONE_SIDED",
    "plan_details",
    "plan_sentence",
    "say_order",
    "show_cost",
    "show_rate",
    "show_rates",
    "show_reached",
]

ONE_SIDED = "Wald, one-sided"
"""The rule that may name one of the two systems only; it is no rival of the others."""
MOST_RATES = 6
HALF_PERCENT = 0.005
MOST_OPEN = 3


def plan_sentence(plan: "Plan") -> str:
    """Say the number of samples first, then what fewer would reach."""
    if plan.question == "more":
        return _more(plan)
    if plan.question == "stop":
        return f"{_wish(plan)}, {say_order(plan)}{_quickest(plan)}."
    return f"{_wish(plan)}, {say_order(plan)}{_promise(plan)}{_instead(plan)}."


def _promise(plan: "Plan") -> str:
    """Say how many tests of that size get there, and what the smaller number is worth."""
    if plan.assurance is None:
        return ""
    often = show_level(plan.assurance)
    typical = plan.typical_samples
    if plan.samples is None:
        half = "" if typical is None else f"; {show_count(typical)} do in about half of them"
        return f" for {often} of such tests to get there{half}"
    shares = {one.samples: one.assurance for one in plan.steps}
    share, reached = shares.get(typical or 0), shares.get(plan.samples)
    worth = "about half" if share is None else show_percent(share)
    # A simulated size lies a little above the one that is asked for.
    above = reached is not None and reached >= plan.assurance + HALF_PERCENT
    least = "at least " if plan.assurance_bound or above else ""
    items = say_count(typical or 0, "item")
    return f": {least}{often} of such tests get there ({worth} with {items})"


def _quickest(plan: "Plan") -> str:
    """Name the rule that ends first among those that keep the error and nearly the power."""
    bar, near = (plan.alpha or 0.05) + 0.005, plan.target - 0.02
    kept = [
        one
        for one in plan.rules[1:]
        if one.false_alarm <= bar and one.power >= near and one.name != ONE_SIDED
    ]
    if not kept:
        return " if the size is fixed; no stopping rule here keeps both the error and the power"
    rule = min(kept, key=lambda one: one.items)
    return (
        f" if the size is fixed; of the stopping rules that keep error and power, "
        f"{rule.name} ends first, after {show_count(round(rule.items))} on average"
    )


def _wish(plan: "Plan") -> str:
    """Say what is wanted and what is supposed."""
    if plan.goal == "width" and plan.question != "value":
        return _narrow(plan)
    if plan.question in WISHES:
        return WISHES[plan.question](plan)
    return f"{_pair_wish(plan)}, {_say_supposed(plan)}"


def _best_wish(plan: "Plan") -> str:
    sure = show_level(plan.target)
    return f"To be {sure} sure which of {len(plan.systems)} is best, {_say_supposed(plan)}"


def _ranking_wish(plan: "Plan") -> str:
    sure = show_level(plan.target)
    return f"To be {sure} sure of the ranking of {len(plan.systems)}, {_say_supposed(plan)}"


def _select_wish(plan: "Plan") -> str:
    lead = show_rate(plan.delta or 0.0)
    return (
        f"To select the best of {len(plan.systems)} with probability {show_rate(plan.target)} "
        f"whenever it leads by {lead} or more, whatever the rates"
    )


def _narrow(plan: "Plan") -> str:
    level, width = show_level(plan.level or 0.95), show_rate(plan.target)
    apart = _discordant(plan, word=", when")
    several = len(plan.systems) > 1
    what = f"the difference of rates {show_rates(plan)}" if several else _one(plan)
    return f"For a {level} interval no wider than {width} of {what}{apart}"


def _akaike_wish(plan: "Plan") -> str:
    return f"For Akaike's criterion to call {_together(plan)} different"


def _measure(plan: "Plan") -> str:
    power = f"with {show_level(plan.target)} power"
    if len(plan.systems) == 2:
        return f"To tell areas of {show_rates(plan)} apart {power}"
    return f"To show {power} that {_one(plan)} is not {show_rate(plan.null or 0.0)}"


def _together(plan: "Plan") -> str:
    both = ""
    if plan.both is not None:
        both = f" with {show_level(round(plan.both, 4))} right together"
    return f"rates {show_rates(plan)}{both}"


def _value_wish(plan: "Plan") -> str:
    spread = f"{getattr(plan, 'spread', 0.0):.3g}"
    claimed = getattr(plan, "claimed", None)
    if claimed is not None:
        return (
            f"To show {claimed!r} with {show_level(plan.target)} power, if it is really "
            f"{getattr(plan, 'supposed', 0.0):g} and an item has a standard deviation of {spread}"
        )
    two = len(plan.systems) == 2
    what = getattr(plan, "of", "means")
    one = {"means": "a mean", "ratios": "a ratio", "rates": "a rate", "areas": "an area"}[what]
    of = f"the difference of two {what}" if two else one
    if plan.goal == "width":
        level = show_level(plan.level or 0.95)
        wish = f"For a {level} interval of {of} no wider than {plan.target:g}"
    elif plan.margin is not None and two:
        names = [show_name(one.system) for one in plan.systems]
        power = f"with {show_level(plan.target)} power"
        wish = f"To show that {' and '.join(names)} differ by less than {plan.margin:g} {power}"
        if plan.claim == "not inferior":
            wish = (
                f"To show that {names[0]} is not worse than {names[1]} by {plan.margin:g} {power}"
            )
    else:
        power = f"with {show_level(plan.target)} power"
        wish = f"To find a difference of {plan.delta or 0.0:.3g} between two {what} {power}"
    unit = "an item" if getattr(plan, "each", 1.0) == 1 else "a cluster"
    unit = "a cluster of the smaller side" if getattr(plan, "crossed", None) else unit
    each = f"the difference on {unit}" if two else unit
    return f"{wish}, when {each} has a standard deviation of {spread}"


WISHES: "dict[str, Callable[[Plan], str]]" = {
    "best": _best_wish,
    "ranking": _ranking_wish,
    "select": _select_wish,
    "akaike": _akaike_wish,
    "area": _measure,
    "kappa": _measure,
    "value": _value_wish,
}


def _pair_wish(plan: "Plan") -> str:
    names = [show_name(one.system) for one in plan.systems]
    power = f"with {show_level(plan.target)} power"
    if plan.margin is not None:
        margin = show_rate(plan.margin)
        if plan.claim == "not inferior":
            return f"To show that {names[0]} is not worse than {names[1]} by {margin} {power}"
        return f"To show that {' and '.join(names)} differ by less than {margin} {power}"
    if len(names) == 2:
        ranked = sorted(plan.systems, key=lambda one: -(one.rate or 0.0))
        one, two = (show_name(system.system) for system in ranked)
        return f"To find {one} better than {two} {power}"
    if plan.question == "stop":
        return f"To find the best of {len(names)} in tests of every two {power}"
    return f"To tell every two of {len(names)} apart, the hardest pair {power}"


def _say_supposed(plan: "Plan") -> str:
    return f"when their rates are {show_rates(plan)}{_discordant(plan)}"


def _one(plan: "Plan") -> str:
    return f"{'an' if plan.measure == 'area' else 'a'} {plan.measure} of {show_rates(plan)}"


def _discordant(plan: "Plan", *, word: str = " and") -> str:
    if plan.design != "paired" or plan.discordance is None:
        return ""
    share = show_level(round(plan.discordance, 4))
    return f"{word} {share} of the items tell the two apart"


def say_order(plan: "Plan") -> str:
    """Say how many samples to test, and how they are made up."""
    if plan.samples is None:
        return f"more than {show_count(plan.limit)} items would be needed"
    said = f"test {say_count(plan.samples, _item(plan))}{_each(plan)}"
    if plan.positives is not None:
        said += f", {show_count(plan.positives)} of them positive"
    crossed = getattr(plan, "crossed", None)
    if crossed is not None:
        said += f" of {show_count(crossed[0])} by {show_count(crossed[1])} clusters"
    if plan.clusters is not None:
        said += f" in {say_count(plan.clusters, 'cluster')}"
    if plan.trials is not None:
        said += f", {say_count(plan.trials, 'trial')} each"
    return said


def _item(plan: "Plan") -> str:
    item = "common item" if plan.design == "paired" else "item"
    judged = any(name == "judge" for name, _ in plan.provenance.settings)
    return f"labelled {item}" if judged else item


def _each(plan: "Plan") -> str:
    if plan.design != "independent" or len(plan.systems) < 2:
        return ""
    return " each on average" if plan.shares else " each"


def _instead(plan: "Plan") -> str:
    """Say what the number that was given would reach, or else half of what is needed."""
    step = plan.asked if plan.assurance is not None else plan.asked or _half(plan)
    if step is None or step.samples == plan.samples:
        return ""
    with_them = f"with {show_count(step.samples)}"
    reached = show_reached(plan, step.reached)
    return {
        "confidence": f"; {with_them} a test would typically reach {reached}",
        "power": f"; {with_them} the power is {reached}",
        "width": f"; {with_them} it would typically be {reached} wide",
        "probability of correct selection": f"; {with_them} it is {reached}",
        "Akaike difference": f"; {with_them} the difference of the criteria is {reached}",
    }[plan.goal]


def _half(plan: "Plan") -> "PlanStep | None":
    below = [step for step in plan.steps if plan.samples is None or step.samples < plan.samples]
    wanted = (plan.samples or plan.limit) / 2
    return min(below, key=lambda step: abs(step.samples - wanted), default=None)


def _more(plan: "Plan") -> str:
    tested = (
        "" if plan.tested is None else f" on top of the {say_count(plan.tested, 'item')} tested"
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
        clauses.append(
            f"{most.said()} more items{each}{tested} would {verb} {what} in 80% of tests, if the "
            "difference seen is true; no upper limit is known"
        )
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
    return f"{one.said()} more would make it {sure} sure that {name} is best, in half of tests"


def _pairs(pairs: Sequence[MoreSamples]) -> str:
    names = [f"{show_name(one.first)} and {show_name(one.second or '')}" for one in pairs]
    if len(names) == 1:
        return names[0]
    if len(names) > MOST_OPEN:
        return f"{show_count(len(names))} open pairs"
    return join_names([name.replace(" and ", "/") for name in names], most=MOST_OPEN, room=70)


def plan_details(plan: "Plan") -> list[str]:
    """Say how it was found, and what one more point would cost."""
    lines = [f"Found by {plan.method}."]
    needed = [one for one in plan.more if one.samples and one.second is not None]
    if needed:
        names = list(
            dict.fromkeys(name for one in needed for name in (one.first, one.second) if name)
        )
        most = max(one.samples or 0 for one in needed)
        lines += ask_again_lines(names, most, common=plan.design == "paired")
    if plan.next_point is not None and plan.samples is not None:
        cost = ""
        if plan.cost_per_sample is not None:
            systems = len(plan.systems) if plan.design == "independent" else 1
            price = plan.next_point * plan.cost_per_sample * systems * (plan.trials or 1)
            cost = f", at a cost of {show_cost(price)}"
        lines.append(
            f"One more point, from {show_rate(plan.target)} to {show_rate(plan.target + 0.01)}, "
            f"takes {show_count(plan.next_point)} more{_each(plan)}{cost}."
        )
    return [*lines, *plan.provenance.lines()]


def show_rates(plan: "Plan") -> str:
    """List the rates, with as many decimals as they were given with."""
    rates = [one.rate for one in plan.systems if one.rate is not None]
    digits = max([2, *(len(f"{round(rate, 4):g}") - 2 for rate in rates)])
    shown = [f"{rate:.{digits}f}" for rate in rates]
    return join_names(shown, most=MOST_RATES)


def show_rate(value: float) -> str:
    """Write a rate as it was given: two decimals, more where needed; only 0 is written as 0."""
    if 0 < value < 1e-3:
        # Three digits in plain decimals: 5e-05 is not how people write a lead.
        return f"{value:.{2 - floor(log10(value))}f}".rstrip("0")
    rounded = f"{round(value, 6):g}"
    return f"{value:.2f}" if len(rounded) < 4 else rounded


def show_reached(plan: "Plan", value: float) -> str:
    """Write what was reached."""
    plain = plan.goal in ("width", "Akaike difference")
    return show_number(value) if plain else show_probability(value)


def show_cost(cost: float) -> str:
    """Write a sum of money or of whatever samples cost."""
    return f"{cost:,.0f}" if cost >= 1000 or cost == round(cost) else f"{cost:,.2f}"

"""The tables of a plan, and its picture."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from steelyard.display.numbers import (
    show_count,
    show_probability,
)
from steelyard.display.tables import Headed, Table, number_cell, text_cell
from steelyard.results.measured import ELSEWHERE
from steelyard.results.more import about
from steelyard.results.plan.words import show_cost, show_reached

if TYPE_CHECKING:
    from steelyard.display.figures import Chart
    from steelyard.results.plan.data import Plan, PlannedRule, PlanStep

__all__ = ["plan_chart", "plan_tables"]

NAMES = {
    "Akaike difference": "Difference of criteria",
    "probability of correct selection": "P(correct selection)",
}
POINT = 0.01
MOST_OPEN_SHOWN = 15
SHORT_GOALS = {"probability of correct selection": "P(correct)"}


def plan_chart(plan: "Plan") -> "Chart":
    """Draw what numbers of samples buy."""
    from steelyard.display.figures import confidence_chart

    points = sorted((step.samples, step.reached) for step in plan.steps if step.samples > 0)
    curves: dict[str, tuple[list[float], list[float]]] = {}
    curves[plan.goal] = ([float(n) for n, _ in points], [value for _, value in points])
    with_assurance = [(s.samples, s.assurance) for s in plan.steps if s.assurance is not None]
    if with_assurance and plan.goal in ("confidence", "power"):
        found = sorted(with_assurance)
        curves["assurance"] = ([float(n) for n, _ in found], [float(a) for _, a in found])
    word = NAMES.get(plan.goal, plan.goal.capitalize())
    return confidence_chart(
        dict(curves), wanted=plan.target, reached=word, title=f"What items buy: {plan.goal}"
    )


def plan_tables(plan: "Plan") -> list[Table]:
    """Show the rules, what numbers of samples buy, other ways, and what is open."""
    tables = [_rules(plan), _limits(plan), _steps(plan), _options(plan), _open(plan)]
    return [table for table in tables if table.rows]


def _rules(plan: "Plan") -> Table:
    rows = [
        [
            text_cell("rule", one.name),
            number_cell("power", _chance(one.power, one)),
            number_cell("false alarm", _chance(one.false_alarm, one)),
            number_cell("items", round(one.items), show_count),
            number_cell("95th pct.", one.late, show_count),
            number_cell("if equal", round(one.items_equal), show_count),
            number_cell("error", None if one.error is None else f"{one.error:.1g}"),
        ]
        for one in plan.rules
    ]
    return Table.of("Stopping rules side by side", rows, note=_explain_rules(plan.rules))


def _explain_rules(rules: "Sequence[PlannedRule]") -> str:
    if not rules:
        return ""
    drawn = any(one.error is not None for one in rules)
    simulated = " Where an error stands the chances were simulated." if drawn else ""
    if any(one.draws and {one.power, one.false_alarm} & {0.0, 1.0} for one in rules):
        simulated += " What happened never, or always, has its 95% limit after < or >."
    return (
        "Items are means. A false alarm is a winner among equal systems. Rules end after "
        f"{show_count(max(one.cap for one in rules))} items, decided or not.{simulated}"
    )


def _limits(plan: "Plan") -> Table:
    rows = [
        [
            text_cell("rule", one.name),
            number_cell("simulated", one.draws, show_count),
            number_cell("power", _range(one.power_limits)),
            number_cell("false alarm", _range(one.false_alarm_limits)),
        ]
        for one in plan.rules
        if one.draws and one.power_limits and one.false_alarm_limits
    ]
    return Table.of("95% limits of what was simulated (Clopper and Pearson)", rows)


def _range(limits: tuple[float, float] | None) -> str | None:
    return None if limits is None else f"{limits[0]:.3f} to {limits[1]:.3f}"


def _chance(value: float, rule: "PlannedRule") -> str:
    """Show a chance; one that no simulated test (or every one) met by how large it may be."""
    if rule.draws is None or value not in {0.0, 1.0}:
        return show_probability(value, error=rule.error)
    limit = 1 - 0.05 ** (1 / rule.draws)  # Clopper and Pearson, one-sided, of 0 hits
    return f"<{limit:.3f}" if value == 0 else f">{1 - limit:.3f}"


def _steps(plan: "Plan") -> Table:
    known = {step.samples: step for step in plan.steps}
    if plan.asked is not None:
        known[plan.asked.samples] = plan.asked
    ordered = [known[samples] for samples in sorted(known)]
    rows = [
        _row(plan, step, ordered[place - 1] if place else None)
        for place, step in enumerate(ordered)
    ]
    each = plan.design == "independent" and len(plan.systems) > 1
    return Table.of(f"What a number of items{' each' if each else ''} buys", rows, note=_note(plan))


def _row(plan: "Plan", step: "PlanStep", before: "PlanStep | None") -> list[Headed]:
    point = None
    priced = plan.goal not in ("width", "Akaike difference")
    if before is not None and priced and step.reached - before.reached > 1e-6:
        price = (step.samples - before.samples) * POINT / (step.reached - before.reached)
        point = about(round(price)) if price >= 1 else "<1"
    show_assurance = partial(show_probability, error=step.assurance_error)
    return [
        number_cell("items", step.samples, show_count),
        number_cell(SHORT_GOALS.get(plan.goal, plan.goal), show_reached(plan, step.reached)),
        number_cell("items per point", point),
        number_cell("assurance", step.assurance, show_assurance),
        number_cell("cost", step.cost, show_cost),
    ]


def _note(plan: "Plan") -> str:
    if not any(step.assurance is not None for step in plan.steps):
        return ""
    words = {"confidence": "ends with the confidence wanted", "width": "is narrow enough"}
    what = words.get(plan.goal, "gets there")
    bound = " It is at least this much." if plan.assurance_bound else ""
    return (
        f"Assurance is the chance that a real test of this size {what}, if these are the rates."
        f"{bound}"
    )


def _options(plan: "Plan") -> Table:
    rows = [
        [
            text_cell("way", one.name),
            number_cell("items", one.samples, show_count),
            text_cell("note", one.note),
        ]
        for one in plan.options
    ]
    return Table.of("Other ways", rows)


def _open(plan: "Plan") -> Table:
    rows = [
        [
            text_cell("system", one.first),
            text_cell("against", one.second or "all others"),
            number_cell("more items", None if one.samples is None else one.said()),
            text_cell("reason", one.reason),
        ]
        for one in plan.more[:MOST_OPEN_SHOWN]
    ]
    left = len(plan.more) - len(rows)
    note = f"{left} more are open: {ELSEWHERE}." if left > 0 else ""
    return Table.of("Still open", rows, lead=2, note=note)

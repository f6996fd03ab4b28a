"""How many samples a question takes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import TYPE_CHECKING, ClassVar, Literal

from steelyard.display.numbers import (
    show_count,
    show_level,
    show_number,
    show_percent,
    show_probability,
)
from steelyard.display.tables import Column, Table, number_columns
from steelyard.display.text import join_names, show_name
from steelyard.results.base import Cell, Provenance, Result, tidy_row
from steelyard.results.measured import ELSEWHERE, say_count
from steelyard.results.more import MoreSamples, about, ask_again_lines

if TYPE_CHECKING:
    from steelyard.display.figures import Chart

__all__ = [
    "Plan",
    "PlanDesign",
    "PlanGoal",
    "PlanMeasure",
    "PlanOption",
    "PlanQuestion",
    "PlanStep",
    "PlannedRule",
    "PlannedSystem",
    "ValuePlan",
    "show_cost",
    "show_rates",
    "show_reached",
]

ONE_SIDED = "Wald, one-sided"
"""The rule that may name one of the two systems only; it is no rival of the others."""
PlanQuestion = Literal[
    "best", "ranking", "pair", "width", "select", "area", "kappa", "akaike", "stop", "value", "more"
]
PlanDesign = Literal["independent", "paired"]
PlanGoal = Literal[
    "confidence", "power", "width", "probability of correct selection", "Akaike difference"
]
ValueKind = Literal["means", "ratios", "rates", "areas"]
PlanMeasure = Literal["rate", "area", "kappa", "value"]
NAMES = {
    "Akaike difference": "Difference of criteria",
    "probability of correct selection": "P(correct selection)",
}
MOST_RATES = 6
MOST_OPEN = 3
POINT = 0.01
MOST_OPEN_SHOWN = 15
SHORT_GOALS = {"probability of correct selection": "P(correct)"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedSystem:
    """A system and the rate, area or kappa assumed for it; None when none is assumed."""

    system: str
    rate: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanStep:
    """What a number of samples buys.

    ``reached`` is the goal when the rates show themselves exactly; ``assurance`` the chance that a
    real test reaches the target, with the error of its simulation (None if exact).
    """

    samples: int
    reached: float
    assurance: float | None = None
    assurance_error: float | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOption:
    """Another way to the same end, and its samples; None exactly when ``note`` says why."""

    name: str
    samples: int | None
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRule:
    """A way to end a test, and what it costs and risks.

    ``power`` is the chance that the better (or best) system is named, ``wrong`` that a worse one
    is, ``false_alarm`` that any winner is named when all are equal. Items are means and what 95 %
    of tests do not exceed, with the difference supposed and with none. ``error`` is the largest
    standard error of these chances when they were simulated, None when they are exact; ``draws``
    is how many tests of each kind were simulated, where that is known, and the limits are then
    Clopper and Pearson's at 95 %.
    """

    name: str
    power: float
    wrong: float
    false_alarm: float
    items: float
    late: int
    items_equal: float
    late_equal: int
    cap: int
    error: float | None = None
    draws: int | None = None
    power_limits: tuple[float, float] | None = None
    false_alarm_limits: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Result):
    """Samples for a question, and what other numbers of samples would buy.

    ``samples`` is None when more than ``limit`` were needed, or when nothing is left to do. With
    them a share ``assurance`` of real tests gets there, where that is not the goal itself;
    ``typical_samples`` get there when a test shows exactly what was supposed, in about half of
    tests, and ``exact_samples`` is the real number behind these; ``asked`` is what the number
    given would reach; ``next_point`` the further samples for one more point of confidence.
    ``assurance_bound`` says
    that every assurance is a lower bound. ``positives`` of the samples are positive (areas);
    ``clusters`` hold them; each is tried ``trials`` times; ``shares`` say how many each system
    gets relative to ``samples``, if not as many.
    """

    kind: ClassVar[str] = "plan"
    question: PlanQuestion
    goal: PlanGoal
    design: PlanDesign
    systems: tuple[PlannedSystem, ...]
    target: float
    samples: int | None
    exact_samples: float | None
    limit: int
    asked: PlanStep | None
    steps: tuple[PlanStep, ...]
    assurance_bound: bool
    next_point: int | None
    options: tuple[PlanOption, ...]
    more: tuple[MoreSamples, ...]
    tested: int | None
    method: str
    level: float | None
    alpha: float | None
    margin: float | None
    delta: float | None
    discordance: float | None
    cost_per_sample: float | None
    provenance: Provenance
    measure: PlanMeasure = "rate"
    null: float | None = None
    both: float | None = None
    positives: int | None = None
    clusters: int | None = None
    trials: int | None = None
    claim: str | None = None
    shares: tuple[float, ...] = ()
    rules: tuple[PlannedRule, ...] = ()
    assurance: float | None = None
    typical_samples: int | None = None

    def headline(self) -> str:
        """Say how many samples to test."""
        if self.question == "more":
            return ""
        order = _order(self)
        return f"{order[0].upper()}{order[1:]}."

    def sentence(self) -> str:
        """Say the number of samples first, then what fewer would reach."""
        return _sentence(self)

    def tables(self) -> list[Table]:
        """Show what numbers of samples buy, other ways to the same end, and what is open."""
        return _tables(self)

    def charts(self) -> dict[str, "Callable[[], Chart]"]:
        """Draw what numbers of samples buy, when there are some to draw."""
        if len(self.steps) < 2:
            return {}
        return {"confidence": lambda: _chart(self)}

    def details(self) -> list[str]:
        """Say how it was found, and what one more point would cost."""
        return _details(self)

    def rows(self) -> list[dict[str, Cell]]:
        """List the answer, the systems, the steps, the options and what is open."""
        rows = [
            tidy_row(
                measure="samples",
                value=None if self.assurance is not None else self.exact_samples,
                count=self.samples,
                level=self.target,
                method=self.method,
                reason=None if self.samples is not None or self.more else self._reason(),
            )
        ]
        if self.assurance is not None:
            rows.append(
                tidy_row(
                    measure="typical samples",
                    value=self.exact_samples,
                    count=self.typical_samples,
                    level=self.target,
                    reason=None if self.typical_samples is not None else self._reason(),
                )
            )
            rows.append(tidy_row(measure="promised assurance", value=self.assurance))
        rows += [
            tidy_row(measure=f"supposed {self.measure}", system=one.system, value=one.rate)
            for one in self.systems
            if one.rate is not None
        ]
        steps = self.steps if self.asked is None else (*self.steps, self.asked)
        for step in {step.samples: step for step in steps}.values():
            rows += self._step_rows(step)
        rows += [
            tidy_row(measure="samples", of=one.name, count=one.samples, reason=one.note)
            for one in self.options
        ]
        rows += [row for one in self.rules for row in _rule_rows(one)]
        return rows + [row for one in self.more for row in one.rows()]

    def _step_rows(self, step: PlanStep) -> list[dict[str, Cell]]:
        rows = [tidy_row(measure=self.goal, value=step.reached, total=step.samples)]
        if step.assurance is not None:
            rows.append(tidy_row(measure="assurance", value=step.assurance, total=step.samples))
        if step.cost is not None:
            rows.append(tidy_row(measure="cost", value=step.cost, total=step.samples))
        return rows

    def _reason(self) -> str:
        return f"over {self.limit:,d} samples"


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuePlan(Plan):
    """Items for a number of each item; ``spread`` is the standard deviation supposed.

    It is that of a cluster of ``each`` items, where the pilot's items come in clusters. Items that
    are ``crossed`` take so many clusters on the first side, and on the second. Where a limit is
    ``claimed``, the items are those with which it is kept, ``supposed`` being true.
    """

    kind: ClassVar[str] = "value-plan"
    spread: float
    each: float = 1.0
    crossed: tuple[int, int] | None = None
    of: ValueKind = "means"
    claimed: str | None = None
    supposed: float | None = None


def _rule_rows(rule: PlannedRule) -> list[dict[str, Cell]]:
    named = {
        "power": rule.power,
        "wrong winner": rule.wrong,
        "false alarm": rule.false_alarm,
        "mean items": rule.items,
        "95th percentile of items": float(rule.late),
        "mean items without a difference": rule.items_equal,
        "95th percentile of items without a difference": float(rule.late_equal),
    }
    method = "exact" if rule.error is None else f"simulated, standard error {rule.error:.2g}"
    return [
        tidy_row(measure=name, of=rule.name, value=value, method=method)
        for name, value in named.items()
    ]


def _chart(plan: Plan) -> "Chart":
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


def _sentence(plan: Plan) -> str:
    if plan.question == "more":
        return _more(plan)
    if plan.question == "stop":
        return f"{_wish(plan)}, {_order(plan)}{_quickest(plan)}."
    return f"{_wish(plan)}, {_order(plan)}{_promise(plan)}{_instead(plan)}."


def _promise(plan: Plan) -> str:
    """Say how many tests of that size get there, and what the smaller number is worth."""
    if plan.assurance is None:
        return ""
    often = show_level(plan.assurance)
    typical = plan.typical_samples
    if plan.samples is None:
        half = "" if typical is None else f"; {show_count(typical)} do in about half of them"
        return f" for {often} of such tests to get there{half}"
    known = [one.assurance for one in plan.steps if one.samples == typical]
    share = known[0] if known and known[0] is not None else None
    worth = "about half" if share is None else show_percent(share)
    least = "at least " if plan.assurance_bound else ""
    items = say_count(typical or 0, "item")
    return f": {least}{often} of such tests get there (of those with {items} {worth})"


def _quickest(plan: Plan) -> str:
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


def _wish(plan: Plan) -> str:
    """Say what is wanted and what is supposed."""
    if plan.goal == "width" and plan.question != "value":
        return _narrow(plan)
    if plan.question in WISHES:
        return WISHES[plan.question](plan)
    return f"{_pair_wish(plan)}, {_say_supposed(plan)}"


def _best_wish(plan: Plan) -> str:
    sure = show_level(plan.target)
    return f"To be {sure} sure which of {len(plan.systems)} is best, {_say_supposed(plan)}"


def _ranking_wish(plan: Plan) -> str:
    sure = show_level(plan.target)
    return f"To be {sure} sure of the ranking of {len(plan.systems)}, {_say_supposed(plan)}"


def _select_wish(plan: Plan) -> str:
    lead = show_rate(plan.delta or 0.0)
    return (
        f"To select the best of {len(plan.systems)} with probability {show_rate(plan.target)} "
        f"whenever it leads by {lead} or more, whatever the rates"
    )


def _narrow(plan: Plan) -> str:
    level, width = show_level(plan.level or 0.95), show_rate(plan.target)
    apart = _discordant(plan, word=", when")
    several = len(plan.systems) > 1
    what = f"the difference of rates {show_rates(plan)}" if several else _one(plan)
    return f"For a {level} interval no wider than {width} of {what}{apart}"


def _akaike_wish(plan: Plan) -> str:
    return f"For Akaike's criterion to call {_together(plan)} different"


def _measure(plan: Plan) -> str:
    power = f"with {show_level(plan.target)} power"
    if len(plan.systems) == 2:
        return f"To tell areas of {show_rates(plan)} apart {power}"
    return f"To show {power} that {_one(plan)} is not {show_rate(plan.null or 0.0)}"


def _together(plan: Plan) -> str:
    both = ""
    if plan.both is not None:
        both = f" with {show_level(round(plan.both, 4))} right together"
    return f"rates {show_rates(plan)}{both}"


def _value_wish(plan: Plan) -> str:
    spread = f"{getattr(plan, 'spread', 0.0):.3g}"
    claimed = getattr(plan, "claimed", None)
    if claimed is not None:
        return (
            f"To show {claimed!r} with {show_level(plan.target)} power, when really "
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


WISHES: dict[str, Callable[[Plan], str]] = {
    "best": _best_wish,
    "ranking": _ranking_wish,
    "select": _select_wish,
    "akaike": _akaike_wish,
    "area": _measure,
    "kappa": _measure,
    "value": _value_wish,
}


def _pair_wish(plan: Plan) -> str:
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


def _say_supposed(plan: Plan) -> str:
    return f"when their rates are {show_rates(plan)}{_discordant(plan)}"


def _one(plan: Plan) -> str:
    return f"{'an' if plan.measure == 'area' else 'a'} {plan.measure} of {show_rates(plan)}"


def _discordant(plan: Plan, *, word: str = " and") -> str:
    if plan.design != "paired" or plan.discordance is None:
        return ""
    share = show_level(round(plan.discordance, 4))
    return f"{word} {share} of the items tell the two apart"


def _order(plan: Plan) -> str:
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


def _item(plan: Plan) -> str:
    item = "common item" if plan.design == "paired" else "item"
    judged = any(name == "judge" for name, _ in plan.provenance.settings)
    return f"labelled {item}" if judged else item


def _each(plan: Plan) -> str:
    if plan.design != "independent" or len(plan.systems) < 2:
        return ""
    return " each on average" if plan.shares else " each"


def _instead(plan: Plan) -> str:
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


def _half(plan: Plan) -> PlanStep | None:
    below = [step for step in plan.steps if plan.samples is None or step.samples < plan.samples]
    wanted = (plan.samples or plan.limit) / 2
    return min(below, key=lambda step: abs(step.samples - wanted), default=None)


def _more(plan: Plan) -> str:
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


def _best(one: MoreSamples, plan: Plan) -> str:
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


def _details(plan: Plan) -> list[str]:
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


def show_rates(plan: Plan) -> str:
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


def show_reached(plan: Plan, value: float) -> str:
    """Write what was reached."""
    plain = plan.goal in ("width", "Akaike difference")
    return show_number(value) if plain else show_probability(value)


def show_cost(cost: float) -> str:
    """Write a sum of money or of whatever samples cost."""
    return f"{cost:,.0f}" if cost >= 1000 or cost == round(cost) else f"{cost:,.2f}"


def _tables(plan: Plan) -> list[Table]:
    tables = [_rules(plan), _limits(plan), _steps(plan), _options(plan), _open(plan)]
    return [table for table in tables if table.rows]


def _rules(plan: Plan) -> Table:
    rows = [
        [
            one.name,
            _chance(one.power, one),
            _chance(one.false_alarm, one),
            show_count(round(one.items)),
            show_count(one.late),
            show_count(round(one.items_equal)),
            None if one.error is None else f"{one.error:.1g}",
        ]
        for one in plan.rules
    ]
    heads = number_columns("power", "false alarm", "items", "95th pct.", "if equal", "error")
    caps = sorted({one.cap for one in plan.rules})
    note = ""
    if caps:
        drawn = any(one.error is not None for one in plan.rules)
        simulated = " Where an error stands the chances were simulated." if drawn else ""
        if any(one.draws and {one.power, one.false_alarm} & {0.0, 1.0} for one in plan.rules):
            simulated += " What happened never, or always, has its 95% limit after < or >."
        note = (
            "Items are means. A false alarm is a winner among equal systems. Rules end after "
            f"{show_count(caps[-1])} items, decided or not.{simulated}"
        )
    return Table.without_empty(
        "Stopping rules side by side", [Column(name="rule"), *heads], rows, note=note
    )


def _limits(plan: Plan) -> Table:
    rows = [
        [one.name, show_count(one.draws), _range(one.power_limits), _range(one.false_alarm_limits)]
        for one in plan.rules
        if one.draws and one.power_limits and one.false_alarm_limits
    ]
    heads = number_columns("simulated", "power", "false alarm")
    title = "95% limits of what was simulated (Clopper and Pearson)"
    return Table.without_empty(title, [Column(name="rule"), *heads], rows)


def _range(limits: tuple[float, float] | None) -> str | None:
    return None if limits is None else f"{limits[0]:.3f} to {limits[1]:.3f}"


def _chance(value: float, rule: PlannedRule) -> str:
    """Show a chance; one that no simulated test (or every one) met by how large it may be."""
    if rule.draws is None or value not in {0.0, 1.0}:
        return show_probability(value, error=rule.error)
    limit = 1 - 0.05 ** (1 / rule.draws)  # Clopper and Pearson, one-sided, of 0 hits
    return f"<{limit:.3f}" if value == 0 else f">{1 - limit:.3f}"


def _steps(plan: Plan) -> Table:
    known = {step.samples: step for step in plan.steps}
    if plan.asked is not None:
        known[plan.asked.samples] = plan.asked
    ordered = [known[samples] for samples in sorted(known)]
    heads = number_columns(
        "items", SHORT_GOALS.get(plan.goal, plan.goal), "items per point", "assurance", "cost"
    )
    rows = [
        _row(plan, step, ordered[place - 1] if place else None)
        for place, step in enumerate(ordered)
    ]
    each = plan.design == "independent" and len(plan.systems) > 1
    return Table.without_empty(
        f"What a number of items{' each' if each else ''} buys", heads, rows, note=_note(plan)
    )


def _row(plan: Plan, step: PlanStep, before: PlanStep | None) -> list[str | None]:
    point = None
    priced = plan.goal not in ("width", "Akaike difference")
    if before is not None and priced and step.reached - before.reached > 1e-6:
        price = (step.samples - before.samples) * POINT / (step.reached - before.reached)
        point = about(round(price)) if price >= 1 else "<1"
    assured = None
    if step.assurance is not None:
        assured = show_probability(step.assurance, error=step.assurance_error)
    return [
        show_count(step.samples),
        show_reached(plan, step.reached),
        point,
        assured,
        None if step.cost is None else show_cost(step.cost),
    ]


def _note(plan: Plan) -> str:
    if not any(step.assurance is not None for step in plan.steps):
        return ""
    words = {"confidence": "ends with the confidence wanted", "width": "is narrow enough"}
    what = words.get(plan.goal, "gets there")
    bound = " It is at least this much." if plan.assurance_bound else ""
    return (
        f"Assurance is the chance that a real test of this size {what}, if these are the rates."
        f"{bound}"
    )


def _options(plan: Plan) -> Table:
    rows = [
        [one.name, None if one.samples is None else show_count(one.samples), one.note]
        for one in plan.options
    ]
    columns = [Column(name="way"), *number_columns("items"), Column(name="note")]
    return Table.without_empty("Other ways", columns, rows)


def _open(plan: Plan) -> Table:
    rows = [
        [
            one.first,
            one.second or "all others",
            None if one.samples is None else one.said(),
            one.reason,
        ]
        for one in plan.more[:MOST_OPEN_SHOWN]
    ]
    left = len(plan.more) - len(rows)
    columns = [Column(name="system"), Column(name="against"), *number_columns("more items")]
    return Table.without_empty(
        "Still open",
        [*columns, Column(name="reason")],
        rows,
        lead=2,
        note=f"{left} more are open: {ELSEWHERE}." if left > 0 else "",
    )

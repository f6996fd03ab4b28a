"""How many samples a question takes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from steelyard.display.tables import Table
from steelyard.results.base import Cell, Provenance, Result, tidy_row
from steelyard.results.more import MoreSamples
from steelyard.results.plan.tables import plan_chart, plan_tables
from steelyard.results.plan.words import plan_details, plan_sentence, say_order

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
    "ValueKind",
    "ValuePlan",
]

PlanQuestion = Literal[
    "best", "ranking", "pair", "width", "select", "area", "kappa", "akaike", "stop", "value", "more"
]
PlanDesign = Literal["independent", "paired"]
PlanGoal = Literal[
    "confidence", "power", "width", "probability of correct selection", "Akaike difference"
]
ValueKind = Literal["means", "ratios", "rates", "areas"]
PlanMeasure = Literal["rate", "area", "kappa", "value"]


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
        order = say_order(self)
        return f"{order[0].upper()}{order[1:]}."

    def sentence(self) -> str:
        """Say the number of samples first, then what fewer would reach."""
        return plan_sentence(self)

    def tables(self) -> list[Table]:
        """Show what numbers of samples buy, other ways to the same end, and what is open."""
        return plan_tables(self)

    def charts(self) -> dict[str, "Callable[[], Chart]"]:
        """Draw what numbers of samples buy, when there are some to draw."""
        if len(self.steps) < 2:
            return {}
        return {"confidence": lambda: plan_chart(self)}

    def details(self) -> list[str]:
        """Say how it was found, and what one more point would cost."""
        return plan_details(self)

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

"""How good each system is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from steelyard.counts import Confusion
from steelyard.display.numbers import show_percent
from steelyard.display.tables import Table
from steelyard.display.text import join_names, show_name
from steelyard.results.base import Cell, Provenance, Result, tidy_row
from steelyard.results.estimates import Estimate, Proportion
from steelyard.results.evaluation.tables import evaluation_charts, evaluation_tables, events_of
from steelyard.results.measured import (
    Measured,
    in_rows,
    items_of,
    name_class,
    overlap,
    say_count,
    say_estimate,
    say_percent,
    sort_by_value,
)

if TYPE_CHECKING:
    from steelyard.display.figures import Chart

__all__ = ["ClassMeasures", "Evaluation", "Holds", "SystemEvaluation"]

Holds = Literal["called", "outcome", "score", "vector", "value"]
"""What the rows hold of a system: a called class, right or wrong, a score, a vector, a number."""
COMPARE = "`steelyard compare`"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassMeasures:
    """How often a class is found, and how often a call of it is true."""

    name: str
    recall: Proportion | Estimate
    precision: Proportion | Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemEvaluation:
    """All that was measured of one system; what its rows cannot tell is None or empty."""

    system: str
    holds: Holds
    items: int
    accuracy: Proportion | Estimate | None = None
    kappa: Estimate | None = None
    area: Estimate | None = None
    vector: tuple[Estimate, ...] = ()
    per_class: tuple[ClassMeasures, ...] = ()
    confusion: Confusion | None = None
    slices: tuple[Proportion | Estimate, ...] = ()
    further: tuple[Proportion | Estimate, ...] = ()
    caveats: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Cell]]:
        """List every number of the system as tidy rows."""
        numbers: list[Measured] = [
            one for one in (self.accuracy, self.kappa, self.area) if one is not None
        ]
        numbers += self.vector
        rows = [row for one in numbers for row in in_rows(one, system=self.system)]
        for one in self.per_class:
            rows += in_rows(one.recall, system=self.system, of=one.name)
            rows += in_rows(one.precision, system=self.system, of=one.name)
        for part in (*self.slices, *self.further):
            rows += in_rows(part, system=self.system)
        return rows + self._confusion_rows()

    def _confusion_rows(self) -> list[dict[str, Cell]]:
        if self.confusion is None:
            return []
        totals = self.confusion.true_totals()
        return [
            tidy_row(
                measure=f"called {called}",
                system=self.system,
                of=truth,
                value=count / totals[truth],
                count=count,
                total=totals[truth],
            )
            for truth, called, count in self.confusion.cells
            if totals[truth]
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation(Result):
    """How good each system is, each looked at on its own; to choose between them, compare them."""

    kind: ClassVar[str] = "evaluation"
    systems: tuple[SystemEvaluation, ...]
    classes: tuple[str, ...]
    positive: str | None
    level: float
    provenance: Provenance
    guide: tuple[str, ...] = ()

    def sentence(self) -> str:
        """Say which system has the highest number, and whether others reach it."""
        return _sentence(self)

    def rows(self) -> list[dict[str, Cell]]:
        """List every number of every system."""
        return [row for one in self.systems for row in one.rows()]

    def tables(self) -> list[Table]:
        """Show the systems, their classes, their confusions and their slices."""
        return evaluation_tables(self)

    def charts(self) -> dict[str, "Callable[[], Chart]"]:
        """Draw the systems with their intervals; the confusions of the first that has any."""
        return evaluation_charts(self)

    def notes(self) -> list[str]:
        """List the doubts about the whole, then those about each system."""
        of_systems = [f"{one.system}: {caveat}" for one in self.systems for caveat in one.caveats]
        return [*self.caveats, *of_systems]

    def advice(self) -> list[str]:
        """Say which measures fit this problem, and why."""
        return list(self.guide)


def _sentence(evaluation: Evaluation) -> str:
    systems = evaluation.systems
    if not systems:
        return "No system was evaluated."
    parts = []
    accurate = [one for one in systems if one.accuracy is not None]
    if accurate:
        parts.append(_accuracy_sentence(accurate))
    if len(systems) == 1:
        parts += _class_sentence(systems[0], evaluation.positive)
    scored = [one for one in systems if one.area is not None]
    if scored:
        parts.append(_area_sentence(scored, evaluation.positive))
    parts += _event_sentence(systems)
    vectors = [one for one in systems if one.vector and one.accuracy is None and one.area is None]
    if vectors:
        parts.append(_vector_sentence(vectors))
    if not parts:
        return f"Nothing could be measured of {join_names([one.system for one in systems])}."
    return " ".join(parts)


def _accuracy_sentence(systems: Sequence[SystemEvaluation]) -> str:
    numbers = [one.accuracy for one in systems if one.accuracy is not None]
    top = sort_by_value(numbers)[0]
    name, leader = show_name(systems[top].system), numbers[top]
    if leader.value is None:
        return f"The accuracy of {name} is undefined: {leader.reason or 'no items'}."
    share, ends = say_percent(leader.value, leader.interval)
    items = say_count(items_of(leader) or systems[top].items, "item")
    if isinstance(leader, Proportion) and leader.successes == leader.trials:
        every = "the only item" if leader.trials == 1 else f"all {items}"
        said = f"{name} is right on {every}{ends}"
    elif isinstance(leader, Proportion) or leader.measure == "accuracy":
        said = f"{name} is right on {share} of {items}{ends}"
    else:
        said = f"{name} has a {leader.measure} of {share} on {items}{ends}"
    return said + _standing(top, systems, numbers)


def _area_sentence(systems: Sequence[SystemEvaluation], positive: str | None) -> str:
    numbers = [one.area for one in systems if one.area is not None]
    top = sort_by_value(numbers)[0]
    name, leader = show_name(systems[top].system), numbers[top]
    if leader.value is None:
        return f"The AUC of {name} is undefined: {leader.reason or 'no items'}."
    split = "the positive class" if positive is None else name_class(positive)
    items = say_count(items_of(leader) or systems[top].items, "item")
    said = f"{name} separates {split} from the rest with AUC {say_estimate(leader)} on {items}"
    return said + _standing(top, systems, numbers)


def _vector_sentence(systems: Sequence[SystemEvaluation]) -> str:
    measure = systems[0].vector[0].measure
    said = [f"{show_name(one.system)} {say_estimate(one.vector[0])}" for one in systems[:3]]
    left = len(systems) - len(said)
    more = [f"{left} more in the table"] if left > 0 else []
    return f"Scores of the vectors ({measure}): {', '.join([*said, *more])}."


def _event_sentence(systems: Sequence[SystemEvaluation]) -> list[str]:
    """Say how many false alarms there are over the exposure, where one was given."""
    rates = {one.system: rate for one in systems for rate in events_of(one)}
    if not rates:
        return []
    said = [f"{show_name(name)} {say_estimate(rate)}" for name, rate in list(rates.items())[:3]]
    more = [f"{len(rates) - 3} more in the table"] if len(rates) > 3 else []
    measure = next(iter(rates.values())).measure
    return [f"{measure.capitalize()}: {', '.join([*said, *more])}."]


def _standing(top: int, systems: Sequence[SystemEvaluation], numbers: Sequence[Measured]) -> str:
    """Say how the others stand to the highest number; overlap never makes a winner."""
    if len(systems) == 1:
        return "."
    leader = numbers[top]
    others = [place for place in sort_by_value(numbers) if place != top]
    equal = [place for place in others if numbers[place].value == leader.value]
    reach = [place for place in others if overlap(leader, numbers[place]) and place not in equal]
    said = f", the highest of {len(systems)} systems"
    if equal:
        said += f", shared with {join_names([systems[place].system for place in equal], most=3)}"
    if reach:
        names = join_names([systems[place].system for place in reach], most=3)
        plural = len(reach) > 1
        said += (
            f"; the interval{'s' if plural else ''} of {names} overlap{'' if plural else 's'} it, "
            f"so use {COMPARE} before choosing."
        )
        return said
    return f"{said}; before choosing, use {COMPARE}, which tests the differences."


def _class_sentence(system: SystemEvaluation, positive: str | None) -> list[str]:
    """Say what a single system does with the positive class, or with the class it finds least."""
    chosen = [one for one in system.per_class if one.name == positive]
    if chosen:
        recall, precision = chosen[0].recall, chosen[0].precision
        name = name_class(chosen[0].name)
        if recall.value is None or precision.value is None:
            return []
        return [
            f"It finds {show_percent(recall.value)} of {name} (recall), and "
            f"{show_percent(precision.value)} of its {name} calls are true (precision)."
        ]
    known = [one for one in system.per_class if one.recall.value is not None]
    if len(known) < 2:
        return []
    worst = known[sort_by_value([one.recall for one in known])[-1]]
    if worst.recall.value in {None, 1.0}:
        return []
    found = (
        f"{worst.recall.successes} of {worst.recall.trials}"
        if isinstance(worst.recall, Proportion)
        else show_percent(worst.recall.value)
    )
    return [f"It finds {name_class(worst.name)} least often: {found}."]

"""The sentences of an evaluation."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from steelyard.display.numbers import show_percent
from steelyard.display.text import join_names, show_name
from steelyard.results.estimates import Proportion
from steelyard.results.measured import (
    Measured,
    items_of,
    overlap,
    said_count,
    said_estimate,
    said_percent,
    sorted_by_value,
)

if TYPE_CHECKING:
    from steelyard.results.evaluation import Evaluation, SystemEvaluation

__all__ = ["evaluation_sentence"]

COMPARE = "`steelyard compare`"


def evaluation_sentence(evaluation: "Evaluation") -> str:
    """Say the highest accuracy and the highest area, and what must be asked before choosing."""
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
    vectors = [one for one in systems if one.vector and one.accuracy is None and one.area is None]
    if vectors:
        parts.append(_vector_sentence(vectors))
    if not parts:
        return f"Nothing could be measured of {join_names([one.system for one in systems])}."
    return " ".join(parts)


def _accuracy_sentence(systems: Sequence["SystemEvaluation"]) -> str:
    numbers = [one.accuracy for one in systems if one.accuracy is not None]
    top = sorted_by_value(numbers)[0]
    name, leader = show_name(systems[top].system), numbers[top]
    if leader.value is None:
        return f"The accuracy of {name} is undefined: {leader.reason or 'no items'}."
    share, ends = said_percent(leader.value, leader.interval)
    items = said_count(items_of(leader) or systems[top].items, "item")
    if isinstance(leader, Proportion) and leader.successes == leader.trials:
        every = "the only item" if leader.trials == 1 else f"all {items}"
        said = f"{name} is right on {every}{ends}"
    elif isinstance(leader, Proportion) or leader.measure == "accuracy":
        said = f"{name} is right on {share} of {items}{ends}"
    else:
        said = f"{name} has a {leader.measure} of {share} on {items}{ends}"
    return said + _standing(top, systems, numbers)


def _area_sentence(systems: Sequence["SystemEvaluation"], positive: str | None) -> str:
    numbers = [one.area for one in systems if one.area is not None]
    top = sorted_by_value(numbers)[0]
    name, leader = show_name(systems[top].system), numbers[top]
    if leader.value is None:
        return f"The AUC of {name} is undefined: {leader.reason or 'no items'}."
    split = "the positive class" if positive is None else _class_name(positive)
    items = said_count(items_of(leader) or systems[top].items, "item")
    said = f"{name} separates {split} from the rest with AUC {said_estimate(leader)} on {items}"
    return said + _standing(top, systems, numbers)


def _vector_sentence(systems: Sequence["SystemEvaluation"]) -> str:
    measure = systems[0].vector[0].measure
    said = [f"{show_name(one.system)} {said_estimate(one.vector[0])}" for one in systems[:3]]
    left = len(systems) - len(said)
    more = [f"{left} more in the table"] if left > 0 else []
    return f"Scores of the vectors ({measure}): {', '.join([*said, *more])}."


def _standing(top: int, systems: Sequence["SystemEvaluation"], numbers: Sequence[Measured]) -> str:
    """Say how the others stand to the highest number; overlap never makes a winner."""
    if len(systems) == 1:
        return "."
    leader = numbers[top]
    others = [place for place in sorted_by_value(numbers) if place != top]
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


def _class_name(name: str) -> str:
    return f"class {name}" if name.isdecimal() else show_name(name)


def _class_sentence(system: "SystemEvaluation", positive: str | None) -> list[str]:
    """Say what a single system does with the positive class, or with the class it finds least."""
    chosen = [one for one in system.per_class if one.name == positive]
    if chosen:
        recall, precision = chosen[0].recall, chosen[0].precision
        name = _class_name(chosen[0].name)
        if recall.value is None or precision.value is None:
            return []
        return [
            f"It finds {show_percent(recall.value)} of {name} (recall), and "
            f"{show_percent(precision.value)} of its {name} calls are true (precision)."
        ]
    known = [one for one in system.per_class if one.recall.value is not None]
    if len(known) < 2:
        return []
    worst = known[sorted_by_value([one.recall for one in known])[-1]]
    if worst.recall.value in {None, 1.0}:
        return []
    found = (
        f"{worst.recall.successes} of {worst.recall.trials}"
        if isinstance(worst.recall, Proportion)
        else show_percent(worst.recall.value)
    )
    return [f"It finds {_class_name(worst.name)} least often: {found}."]

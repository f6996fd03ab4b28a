"""ROC curves in words."""

from typing import TYPE_CHECKING

from steelyard.display.numbers import show_number
from steelyard.display.text import show_name
from steelyard.display.thresholds import show_threshold
from steelyard.results.measured import said_count, said_estimate

if TYPE_CHECKING:
    from steelyard.results.roc_curves import RocCurves
    from steelyard.results.roc_parts import RocPlace, SystemRoc

__all__ = ["class_name", "roc_sentence"]


def roc_sentence(curves: "RocCurves") -> str:
    """Say the areas, and the first point that was asked for."""
    if curves.positive is None and curves.classes:
        return _over_classes(curves)
    known = [one for one in curves.systems if one.area.value is not None]
    if not known:
        return "No curve could be drawn."
    known.sort(key=lambda one: -(one.area.value or 0.0))
    best = known[0]
    grade = "" if best.grade is None else f" (grade {best.grade})"
    said = (
        f"{show_name(best.system)} separates {class_name(best.of)} from the rest with AUC "
        f"{said_estimate(best.area)}{grade} on {said_count(best.items, 'item')}"
    )
    if len(known) > 1:
        rest = ", ".join(
            f"{show_name(one.system)} {show_number(one.area.value or 0.0)}" for one in known[1:6]
        )
        more = "" if len(known) < 7 else f" and {len(known) - 6} more"
        said = f"{said}; then {rest}{more}"
    return f"{said}.{_read_off(best)}"


def _read_off(one: "SystemRoc") -> str:
    if one.places:
        return f" {_place(one.places[0])}"
    line = one.cost_line
    if line is None or not line.thresholds:
        return ""
    threshold = line.thresholds[0]
    where = (
        "Calling one class only" if threshold is None else f"From {show_threshold(threshold)} up"
    )
    return f" {where} costs least, {show_number(line.cost)} an item."


def _place(place: "RocPlace") -> str:
    if place.threshold is None:
        return f"At {place.asked} nothing is called."
    named = [
        f"{one.measure} is {said_estimate(one)}" for one in place.measures[:3]
        if one.value is not None
    ]  # fmt: skip
    told = f": {', '.join(named)}" if named else ""
    return (
        f"At {place.asked} the threshold is {show_threshold(place.threshold, place.below)}{told}."
    )


def _over_classes(curves: "RocCurves") -> str:
    told = []
    for one in curves.classes[:4]:
        first = next((area for area in one.areas if area.value is not None), None)
        if first is not None and first.value is not None:
            told.append(f"{show_name(one.system)} {first.measure} {said_estimate(first)}")
    return f"Over all classes: {'; '.join(told)}." if told else "No area over classes is defined."


def class_name(name: str) -> str:
    """Name a class inside a sentence; a bare number needs the word before it."""
    shown = show_name(name)
    return f"class {shown}" if shown[:1].isdigit() else shown

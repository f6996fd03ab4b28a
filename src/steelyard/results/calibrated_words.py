"""Calibration in words."""

from typing import TYPE_CHECKING

from steelyard.display.numbers import show_number
from steelyard.display.text import join_names, show_name
from steelyard.results.measured import said_count, said_estimate

if TYPE_CHECKING:
    from steelyard.results.calibrated import Calibration, ClassCalibration
    from steelyard.results.estimates import Estimate

__all__ = ["calibrated_sentence", "verdict"]

BELIEVED = "can be believed as far as these items tell"


def calibrated_sentence(calibration: "Calibration") -> str:
    """Say which probabilities can be believed; of many classes or systems the best and worst."""
    known = calibration.classes
    if calibration.positive is None and calibration.vectors:
        return _vectors(calibration)
    if not known:
        return "No system gives probabilities."
    if len(known) == 1:
        return _one(known[0])
    ranked = sorted(known, key=lambda one: (one.brier.value is None, one.brier.value or 0.0))
    best, worst = ranked[0], ranked[-1]
    said = (
        f"Of {len(known)} systems {show_name(best.system)} has the lowest Brier score, "
        f"{said_estimate(best.brier)}, {show_name(worst.system)} the highest, "
        f"{said_estimate(worst.brier)}."
    )
    believed = [one.system for one in known if verdict(one) == BELIEVED]
    odd = [f"{show_name(one.system)} {verdict(one)}" for one in known if verdict(one) != BELIEVED]
    parts = [f"as far as these items tell, {join_names(believed)} can be believed"]
    told = "; ".join([*(parts if believed else []), *odd[:4]])
    return f"{said} By slope and intercept {told}."


def _one(one: "ClassCalibration") -> str:
    positive = show_name(one.of)
    named = f"class {positive}" if positive[:1].isdigit() else positive
    if one.slope.value is None:
        return (
            f"The probabilities of {named} that {show_name(one.system)} gives to "
            f"{said_count(one.items, 'item')} have Brier score {said_estimate(one.brier)}; slope "
            f"and intercept are undefined: {one.slope.reason or 'no items'}."
        )
    return (
        f"The probabilities of {named} that {show_name(one.system)} gives to "
        f"{said_count(one.items, 'item')} {_plural(verdict(one))}: calibration slope "
        f"{said_estimate(one.slope)} (1 is right), intercept {said_estimate(one.in_the_large)} at "
        f"slope 1 (0 is right), Brier score {said_estimate(one.brier)}."
    )


def _plural(said: str) -> str:
    return said.replace("says ", "say ").replace("is ", "are ").replace("its ", "their ")


def verdict(one: "ClassCalibration") -> str:
    """Say in which way the probabilities err, by the intervals of slope and intercept."""
    slope, level = one.slope, one.in_the_large
    if slope.value is None or level.value is None:
        return "cannot be judged"
    faults = []
    if _beside(slope, 1.0):
        faults.append("is too extreme" if slope.value < 1 else "is not extreme enough")
    if _beside(level, 0.0):
        faults.append("says too much" if level.value < 0 else "says too little")
    return " and ".join(faults) if faults else BELIEVED


def _beside(estimate: "Estimate", right: float) -> bool:
    ends = estimate.interval
    return ends is not None and not ends.low <= right <= ends.high


def _vectors(calibration: "Calibration") -> str:
    named = []
    for one in calibration.vectors:
        scores = {score.measure: score for score in one.scores}
        brier, spherical = scores.get("brier score"), scores.get("spherical score")
        shown = brier if brier is not None and brier.value is not None else spherical
        if shown is not None:
            named.append((one.system, shown))
    if not named:
        return "No system gives vectors."
    first = named[0][1].measure
    lower = first == "brier score"
    named.sort(key=lambda one: (one[1].value or 0.0) * (1 if lower else -1))
    best = named[0]
    said = (
        f"{show_name(best[0])} has the {'lowest' if lower else 'highest'} {_proper(first)} "
        f"over all classes, {said_estimate(best[1])}"
        if len(named) > 1
        else f"{show_name(best[0])} has {_proper(first)} {said_estimate(best[1])} over all classes"
    )
    rest = ", ".join(f"{show_name(n)} {show_number(s.value or 0.0)}" for n, s in named[1:5])
    return f"{said}; then {rest}." if rest else f"{said}."


def _proper(measure: str) -> str:
    return "Brier score" if measure == "brier score" else measure

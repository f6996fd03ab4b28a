"""Where a curve has its points: as written by a user, and as made from scores."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from steelyard.counts import ScoreTable
from steelyard.errors import RequestError
from steelyard.measures import (
    Number,
    RocCurve,
    Rounding,
    every_nth_thresholds,
    exact_number,
    linear_thresholds,
    log_thresholds,
    roc_at_thresholds,
    thresholds_at_detection_rates,
    thresholds_at_false_alarm_rates,
)

__all__ = ["Generated", "generated_curve", "read_generation"]

Made = Callable[[ScoreTable], "np.typing.NDArray[np.float64]"]
FORMS = "linear:50, log:50, every:10, pfa:0.01,0.1, pd:0.5,0.9, or a list of numbers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """How thresholds are made: in words, as written, and as a function of the scores."""

    words: str
    said: str | None = None
    made: Made | None = None


def read_generation(
    thresholds: str | Sequence[Number] | None, rounding: Rounding | None
) -> Generated:
    """Read what a user wrote about thresholds."""
    if rounding is not None and rounding not in {"floor", "ceil", "round"}:
        choices = ("floor", "ceil", "round")
        raise RequestError.for_choice(name="rounding", given=rounding, choices=choices)
    if thresholds is None:
        return Generated(words="every distinct score")
    if not isinstance(thresholds, str):
        return _listed([exact_number(one, "thresholds") for one in thresholds])
    name, mark, rest = thresholds.partition(":")
    if not mark:
        return _listed(_numbers(thresholds, thresholds))
    if name not in RECIPES:
        raise _strange(thresholds)
    return RECIPES[name](thresholds, rest, rounding)


def generated_curve(table: ScoreTable, generation: Generated, full: RocCurve) -> RocCurve:
    """Make the curve at the thresholds that were asked for; the full one unless told."""
    return full if generation.made is None else roc_at_thresholds(table, generation.made(table))


def _strange(thresholds: str) -> RequestError:
    return RequestError(f"thresholds={thresholds!r} is none of {FORMS}.")


def _numbers(text: str, whole: str) -> list[Number]:
    try:
        return [exact_number(one.strip(), "thresholds") for one in text.split(",")]
    except RequestError:
        raise _strange(whole) from None


def _count(text: str, whole: str) -> int:
    if not text.isdigit():
        raise _strange(whole)
    return int(text)


def _listed(numbers: Sequence[Number]) -> Generated:
    listed = [float(one) for one in numbers]
    return Generated(
        words=f"{len(listed)} listed thresholds",
        said=",".join(f"{one:g}" for one in listed),
        made=lambda table: np.array(listed),
    )


def _linear(whole: str, rest: str, rounding: Rounding | None) -> Generated:
    del rounding
    number = _count(rest, whole)
    words = f"{number} thresholds in equal steps from the lowest score to the highest"
    return Generated(words=words, said=whole, made=lambda table: linear_thresholds(table, number))


def _logarithmic(whole: str, rest: str, rounding: Rounding | None) -> Generated:
    del rounding
    number = _count(rest, whole)
    words = f"{number} thresholds by equal factors from the lowest score to the highest"
    return Generated(words=words, said=whole, made=lambda table: log_thresholds(table, number))


def _every(whole: str, rest: str, rounding: Rounding | None) -> Generated:
    del rounding
    step = _count(rest, whole)
    words = f"the score of every {step}. item"
    return Generated(words=words, said=whole, made=lambda table: every_nth_thresholds(table, step))


def _false_alarms(whole: str, rest: str, rounding: Rounding | None) -> Generated:
    rates, way = _numbers(rest, whole), rounding or "floor"
    return Generated(
        words=f"given false-alarm rates, whole items by {way}",
        said=f"{whole} {way}",
        made=lambda table: thresholds_at_false_alarm_rates(table, rates, rounding=way),
    )


def _detections(whole: str, rest: str, rounding: Rounding | None) -> Generated:
    rates, way = _numbers(rest, whole), rounding or "ceil"
    return Generated(
        words=f"given detection rates, whole items by {way}",
        said=f"{whole} {way}",
        made=lambda table: thresholds_at_detection_rates(table, rates, rounding=way),
    )


RECIPES: dict[str, Callable[[str, str, Rounding | None], Generated]] = {
    "linear": _linear,
    "log": _logarithmic,
    "every": _every,
    "pfa": _false_alarms,
    "pd": _detections,
}

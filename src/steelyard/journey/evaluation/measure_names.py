"""Measures asked for by name: which measure, of which class, at which number."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from steelyard import measures
from steelyard.errors import RequestError
from steelyard.measures import Measure
from steelyard.results.measured import Measured

__all__ = ["AskedMeasure", "name_positive", "read_measures", "say_number"]

NUMBER = r"\d*\.?\d+(?:[eE]-?\d+)?"
WITH_NUMBER = re.compile(
    rf"(?P<name>.*?)(?:\s+at)?[\s=]+(?P<low>{NUMBER})(?:\s*(?::|to)\s*(?P<high>{NUMBER}))?"
)
NUMBERS = {
    "prevalence": "0.01",
    "budget": "100",
    "depth": "0.1",
    "target": "0.01",
    "threshold": "0.2",
    "false_alarm_rate": "0.05",
    "detection_rate": "0.9",
    "false_alarm_rates": "0:0.1",
}
"""What can be typed behind the name of a measure, with an example."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedMeasure:
    """A measure, the class it is about where one was named, and the numbers it was asked at."""

    measure: Measure
    of: str | None = None
    numbers: Mapping[str, Any] = field(default_factory=dict)


def read_measures(
    names: str | Sequence[str] | None, *, prevalence: float | None = None
) -> tuple[AskedMeasure, ...]:
    """Read names of measures: ``F1``, ``recall of ship``, ``lift at 0.1``, in any spelling.

    >>> [one.measure.name for one in read_measures(["Youden", "log loss", "lift at 0.1"])]
    ['informedness', 'log score', 'lift']
    """
    given = () if names is None else (names,) if isinstance(names, str) else tuple(names)
    read = [_read(str(one), prevalence) for one in given]
    return tuple({(one.measure.name, one.of, *one.numbers.items()): one for one in read}.values())


BRACKETED = re.compile(r"(?P<name>.+?)\s*[(\[](?P<of>[^()\[\]]+)[)\]]")
"""``recall(ship)``: the class as an argument."""


def _read(text: str, prevalence: float | None) -> AskedMeasure:
    of: str | None = None
    numbers: dict[str, Any] = {}
    try:
        measure = measures.catalogue_entry(text)
    except RequestError:
        measure, of, numbers = _read_parts(text)
    if prevalence is not None and "prevalence" in measure.needs:
        numbers = {"prevalence": prevalence, **numbers}
    missing = [need for need in measure.needs if need in NUMBERS and not numbers]
    if missing:
        message = (
            f"{measure.name} needs {missing[0].replace('_', ' ')}. Write it behind the name: "
            f"measure='{measure.name} {NUMBERS[missing[0]]}' "
            f"(--measure '{measure.name} {NUMBERS[missing[0]]}')."
        )
        raise RequestError(message)
    return AskedMeasure(measure=measure, of=of, numbers=numbers)


def _read_parts(text: str) -> tuple[Measure, str | None, dict[str, Any]]:
    """Take a number or a class, or both, off the end of a name that must be in the catalogue."""
    numbered = _read_number(text)
    if numbered is not None:
        return numbered[0], None, numbered[1]
    name, found, of = text.rpartition(" of ")
    bracketed = BRACKETED.fullmatch(text.strip())
    if not found and bracketed:
        name, found, of = bracketed["name"], " of ", bracketed["of"]
    if found:
        measure, numbers = _read_number(name) or (measures.catalogue_entry(name), {})
        if not measure.of_class:
            message = f"{measure.name} is not about one class; leave 'of {of}' out."
            raise RequestError(message)
        return measure, of, numbers
    measures.catalogue_entry(text)  # refuses, and says what is near
    raise AssertionError(text)


def name_positive(text: str) -> tuple[str, str | None]:
    """Take the class off a measure of scores, which is about the positive one.

    >>> name_positive("AUC of ship"), name_positive("recall of ship")
    (('AUC', 'ship'), ('recall of ship', None))
    """
    name, found, of = text.rpartition(" of ")
    try:
        measure = (_read_number(name) or (measures.catalogue_entry(name),))[0] if found else None
    except RequestError:
        return text, None
    if measure is None or measure.of_class or measure.counts != "ScoreTable":
        return text, None
    return name, of


def _read_number(text: str) -> tuple[Measure, dict[str, Any]] | None:
    """Read a measure and the number, or the two ends, that it is asked at; None without one."""
    ended = WITH_NUMBER.fullmatch(text.strip())
    if not ended:
        return None
    try:
        measure = measures.catalogue_entry(ended["name"])
    except RequestError:
        return None
    need = next((one for one in measure.needs if one in NUMBERS), None)
    if need is None:
        return None
    low, high = (
        None if ended[end] is None else measures.exact_number(ended[end], need)
        for end in ("low", "high")
    )
    assert low is not None
    if need == "false_alarm_rates":
        ends = (Fraction(0), low) if high is None else (low, high)
        return measure, {need: tuple(map(float, ends))}
    if high is not None:
        message = f"{measure.name} takes one number, and {text!r} has two. Ask for it twice."
        raise RequestError(message)
    if measure.counts_the_rest(ended["name"]):
        low = 1 - low
    if need == "budget" and low < 1:
        need = "depth"  # fewer contacts than one are none: what is meant is a share of the items
    return measure, {need: float(low)}


def say_number(found: Measured, one: AskedMeasure) -> Measured:
    """Name what was measured with its number: lift at two depths is two measures."""
    if not one.numbers or found.measure != one.measure.name:
        return found
    (number,) = one.numbers.values()
    return replace(found, measure=f"{found.measure} {number:g}")

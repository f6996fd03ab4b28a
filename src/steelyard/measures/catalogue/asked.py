"""Measures asked for by name: which measure, of which class, at which number."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from steelyard.errors import RequestError
from steelyard.measures.catalogue.listing import catalogue_entry
from steelyard.measures.catalogue.measure import Measure
from steelyard.measures.rounding import exact_number

__all__ = ["AskedMeasure", "name_positive", "read_measures"]

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
        measure = catalogue_entry(text)
    except RequestError:
        measure, of, numbers = _read_parts_of_any(text)
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


QUOTED = re.compile(r"""(?<=\s)(["'\u2018\u201c])(.+)["'\u2019\u201d]$""")
PERCENT = re.compile(rf"({NUMBER})\s*(?:%|percent\b|per\s?cent\b)")
AT = re.compile(r"\s*@\s*")
AT_A = re.compile(
    r"(?i)\bat\s+(?:an?\s+|the\s+)?(?P<where>[^\W\d].*?)(?:\s+of\s+|\s*=\s*|\s+)(?P<at>[\d.])"
)
NUMBER_FIRST = re.compile(rf"(?i)\bat\s+(?P<at>{NUMBER})\s*(?P<where>[^\W\d].*)")


def _say_plainly(text: str) -> str:
    """Write what people write of a measure as the catalogue does.

    >>> _say_plainly("TPR@FPR=1%"), _say_plainly("TPR at 1% FPR")
    ('TPR at FPR 0.01', 'TPR at FPR 0.01')
    >>> _say_plainly("sensitivity at a specificity of 95%"), _say_plainly('recall for "ship"')
    ('sensitivity at specificity 0.95', 'recall of ship')
    """
    text = AT.sub(" at ", QUOTED.sub(r"\2", text.strip()))
    text = PERCENT.sub(lambda share: f"{float(exact_number(share[1], 'share') / 100):g}", text)
    text = NUMBER_FIRST.sub(r"at \g<where> \g<at>", text)
    text = AT_A.sub(r"at \g<where> \g<at>", text)
    return re.sub(r"(?i)\sfor\s+", " of ", text)


def _read_parts_of_any(text: str) -> tuple[Measure, str | None, dict[str, Any]]:
    """Read a name as it stands, or else written plainly; refuse it as it was typed."""
    try:
        return _read_parts(text)
    except RequestError:
        plain = _say_plainly(text)
        try:
            return _read_parts(plain)
        except RequestError:
            pass
        raise


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
        measure, numbers = _read_number(name) or (catalogue_entry(name), {})
        if not measure.of_class:
            message = f"{measure.name} is not about one class; leave 'of {of}' out."
            raise RequestError(message)
        return measure, of, numbers
    catalogue_entry(text)  # refuses, and says what is near
    raise AssertionError(text)


def name_positive(text: str) -> tuple[str, str | None]:
    """Take the class off a measure of scores, which is about the positive one.

    >>> name_positive("AUC of ship"), name_positive("recall of ship")
    (('AUC', 'ship'), ('recall of ship', None))
    """
    name, found, of = text.rpartition(" of ")
    try:
        measure = (_read_number(name) or (catalogue_entry(name),))[0] if found else None
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
        measure = catalogue_entry(ended["name"])
    except RequestError:
        return None
    need = next((one for one in measure.needs if one in NUMBERS), None)
    if need is None:
        return None
    low, high = (
        None if ended[end] is None else exact_number(ended[end], need) for end in ("low", "high")
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

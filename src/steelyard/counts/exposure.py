"""Events over an exposure: how many false alarms in how many hours, kilometres or images."""

import re
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from steelyard.errors import CountsError, RequestError

__all__ = ["Exposure", "in_unit", "read_amount", "read_unit"]

AMOUNT = re.compile(
    r"\s*(?P<number>-?(?:[0-9]{1,3}(?:[,_][0-9]{3})+|[0-9]+)(?:\.[0-9]*)?(?:e[-+]?[0-9]+)?|\.[0-9]+)"
    r"\s*(?P<unit>[^\W\d_][^\d.,:]*[23.]?)?\s*",
    re.I,
)
"""An amount and a unit. 1,500 h are as many hours; 1,5 h could be 15, and 12h30 is no number."""
SYNONYMS = {
    "s": "second", "sec": "second", "min": "minute", "h": "hour", "hr": "hour", "d": "day",
    "km": "kilometre", "kilometer": "kilometre", "m": "metre", "meter": "metre",
    "km2": "square kilometre", "km²": "square kilometre", "sq km": "square kilometre",
}  # fmt: skip
SCALES: tuple[dict[str, float], ...] = (
    {"second": 1.0, "minute": 60.0, "hour": 3600.0, "day": 86400.0},
    {"metre": 1.0, "kilometre": 1000.0},
)
"""Units that are parts of one another; all others stand for themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposure:
    """So many events over so much of a unit; ``periods`` hold both for parts, where known.

    Examples
    --------
    >>> first = Exposure.of(3, "12 h")
    >>> first + Exposure.of(1, "30 min")
    Exposure(events=4, amount=12.5, unit='hour', periods=())
    """

    events: int
    amount: float
    unit: str
    periods: tuple[tuple[int, float], ...] = ()

    def __post_init__(self) -> None:
        if self.events < 0 or self.events != int(self.events):
            message = f"events={self.events!r} is not a count; expected a whole number, 0 or more."
            raise CountsError(message, code="count-not-whole")
        if not (isfinite(self.amount) and self.amount > 0):
            message = (
                f"An exposure of {self.amount:g} {self.unit}s: nothing could have happened in it. "
                "Give one above 0, such as exposure='12 h' (--exposure 12h)."
            )
            raise CountsError(message, code="no-exposure")

    @classmethod
    def of(cls, events: int, amount: Any) -> "Exposure":  # noqa: ANN401
        """Read the amount as people type it: ``12h``, ``3.5 km``, ``400 images``."""
        number, unit = read_amount(amount)
        return cls(events=events, amount=number, unit=unit)

    def __add__(self, other: "Exposure") -> "Exposure":
        if not isinstance(other, Exposure):
            return NotImplemented
        same = other.per(self.unit)
        return Exposure(
            events=self.events + same.events,
            amount=self.amount + same.amount,
            unit=self.unit,
            periods=self.periods + same.periods,
        )

    def per(self, unit: str) -> "Exposure":
        """Give the same with the exposure in another unit."""
        scale = in_unit(1.0, self.unit, unit)
        return replace(
            self,
            amount=self.amount * scale,
            unit=read_unit(unit),
            periods=tuple((events, part * scale) for events, part in self.periods),
        )


def read_amount(text: Any) -> tuple[float, str]:  # noqa: ANN401
    """Read an amount and its unit; a bare number has the unit ``unit``.

    Examples
    --------
    >>> read_amount("12h"), read_amount("3.5 km"), read_amount(40)
    ((12.0, 'hour'), (3.5, 'kilometre'), (40.0, 'unit'))
    """
    found = AMOUNT.fullmatch(str(text))
    if found is None or isinstance(text, bool):
        message = (
            f"{text!r} is not an exposure. Write an amount and its unit: exposure='12 h' "
            "(--exposure 12h), '3.5 km' or '400 images'."
        )
        raise RequestError(message, code="exposure")
    return float(found["number"].replace(",", "").replace("_", "")), read_unit(found["unit"])


def read_unit(unit: str | None) -> str:
    """Give a unit its full name in the singular.

    Examples
    --------
    >>> read_unit("hrs"), read_unit("images"), read_unit(None)
    ('hour', 'image', 'unit')
    """
    plain = " ".join((unit or "unit").lower().split())
    for word in (plain, plain.removesuffix("s")):
        if word in SYNONYMS:
            return SYNONYMS[word]
    return plain.removesuffix("s") if len(plain) > 2 else plain


def in_unit(amount: float, unit: str, wanted: str) -> float:
    """Convert an amount, where one unit is a part of the other.

    Examples
    --------
    >>> in_unit(90, "minutes", "h")
    1.5
    """
    have, want = read_unit(unit), read_unit(wanted)
    for scale in SCALES:
        if have in scale and want in scale:
            return amount * scale[have] / scale[want]
    if have != want:
        message = (
            f"The exposure is in {have}s, and the claim is per {want}. Say both in one unit: "
            f"per {have}, or an exposure in {want}s."
        )
        raise RequestError(message, code="exposure")
    return amount

"""Frozen dataclasses as plain dicts, lists, numbers and text, and back."""

from typing import Any, TypeVar

from steelyard.errors import RequestError
from steelyard.results.records import shape_of

__all__ = ["from_plain", "to_plain"]

Made = TypeVar("Made")


def to_plain(value: Any) -> dict[str, Any]:  # noqa: ANN401
    """Give a dataclass as plain data, field by field in the order of the class.

    Numbers that JSON does not have (NaN, infinity) are refused with the name of their field;
    only arrays of scores may be infinite, and say so in words.

    Examples
    --------
    >>> from steelyard.counts import PairTable
    >>> to_plain(PairTable(both=160, first=18, second=5, neither=17))
    {'both': 160, 'first': 18, 'second': 5, 'neither': 17}
    """
    cls = type(value)
    plain: dict[str, Any] = shape_of(cls).write(value, (cls.__name__,))
    return plain


def from_plain(cls: type[Made], plain: dict[str, Any]) -> Made:
    """Rebuild what ``to_plain`` gave; anything unknown, missing or of another type is refused.

    Examples
    --------
    >>> from steelyard.counts import PairTable
    >>> from_plain(PairTable, {"both": 160, "first": 18, "second": 5, "neither": 17}).discordant
    23
    """
    if not isinstance(plain, dict):
        message = f"{cls.__name__} is rebuilt from a dict, not from {type(plain).__name__}."
        raise RequestError(message, code="result-value")
    made: Made = shape_of(cls).read(plain, (cls.__name__,))
    return made

"""Numbers as lines of text write them: read strictly, refused where floating point merges them."""

import re
from collections.abc import Iterable
from decimal import Decimal
from math import inf

from steelyard.errors import UnusableRows
from steelyard.sources.roles.columns import SHORT, TINY
from steelyard.sources.roles.readings import describe_merged

__all__ = ["read_number", "refuse_merged"]

NUMBER = re.compile(r"[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?")
INFINITE = re.compile(r"(?i)[+-]?inf(inity)?")


def read_number(text: str) -> float | None:
    """Read a number as tables have it: no 1_000, no digits of other scripts, nothing beyond 1e308.

    >>> read_number("1e1"), read_number("1_0"), read_number("1e999"), read_number("-inf")
    (10.0, None, None, -inf)
    """
    if NUMBER.fullmatch(text):
        number = float(text)
        return None if abs(number) == inf else number
    return float(text) if INFINITE.fullmatch(text) else None


def refuse_merged(where: str, texts: Iterable[str]) -> None:
    """Refuse numbers that differ as they are written and are one in floating point."""
    finite = [text for text in texts if NUMBER.fullmatch(text)]
    many = {float(text) for text in finite if len(text) > SHORT}
    many |= {number for text in finite if abs(number := float(text)) < TINY}
    seen: dict[float, str] = {}
    for text in finite if many else ():
        if (number := float(text)) in many:
            first = seen.setdefault(number, text)
            if first != text and Decimal(first) != Decimal(text):
                raise UnusableRows.of([describe_merged(where, sorted([first, text]))])

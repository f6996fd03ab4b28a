"""Shares as they were typed, and whole numbers of items from them, without binary rounding."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor, isfinite
from numbers import Integral
from typing import Literal, get_args

from steelyard.errors import RequestError

__all__ = [
    "ROUNDINGS",
    "Number",
    "Rounding",
    "exact_number",
    "exact_share",
    "whole_number",
    "whole_part",
]

Number = int | float | str | Decimal | Fraction
"""A number as people give it; a float is taken as the decimal text that Python prints for it."""

Rounding = Literal["floor", "ceil", "round"]
"""How a share of items becomes a whole number of them; ``round`` takes halves up."""

ROUNDINGS: dict[Rounding, Callable[[Fraction], int]] = {
    "floor": floor,
    "ceil": ceil,
    "round": lambda part: floor(part + Fraction(1, 2)),
}


def exact_number(value: Number, name: str) -> Fraction:
    """Take a number for the decimal that was typed, so that 0.07 is 7/100.

    Examples
    --------
    >>> exact_number(0.07, "share"), Fraction(0.07) == Fraction(7, 100)
    (Fraction(7, 100), False)
    """
    try:
        if isinstance(value, float) or not isinstance(value, int | str | Decimal | Fraction):
            value = float(value)
            if isfinite(value):
                # What was written counts: 0.07 is 7/100, not the binary number a hair above it.
                return Fraction(repr(value))
        else:
            return Fraction(value)
    except (ValueError, TypeError, OverflowError, ZeroDivisionError):
        pass
    message = f"{name}={value!r} is not a finite number, such as 0.95."
    raise RequestError(message)


def exact_share(value: Number, name: str) -> Fraction:
    """Take a share in [0, 1] for the decimal that was typed.

    Examples
    --------
    >>> exact_share("0.95", "sensitivity")
    Fraction(19, 20)
    """
    share = exact_number(value, name)
    if not 0 <= share <= 1:
        message = f"{name}={value!r} is not in [0, 1]."
        if 1 < share <= 100:
            message += (
                f" For {float(share):g}% type {name}={float(share) / 100:g} "
                f"(--{name.replace('_', '-')} {float(share) / 100:g})."
            )
        raise RequestError(message)
    return share


def whole_number(value: object, name: str, *, least: int) -> int:
    """Take a whole number, or say which ones will do.

    Examples
    --------
    >>> whole_number(3, "step", least=1)
    3
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        message = f"{name}={value!r}; expected a whole number, {least} or more."
        raise RequestError(message)
    return int(value)


def whole_part(share: Fraction, total: int, *, rounding: Rounding) -> int:
    """Turn a share of items into a whole number of them.

    Examples
    --------
    >>> share = exact_share(0.07, "rate")
    >>> [whole_part(share, 100, rounding=how) for how in ("floor", "ceil", "round")]
    [7, 7, 7]
    """
    if rounding not in ROUNDINGS:
        raise RequestError.for_choice(name="rounding", given=rounding, choices=get_args(Rounding))
    return ROUNDINGS[rounding](share * total)

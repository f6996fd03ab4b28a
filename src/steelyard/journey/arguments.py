"""What an argument of a verb may be, looked at before the verb begins.

The kind of an option (:mod:`steelyard.journey.options`) says it; what a number may be beyond its
kind (a share, a rate below one) is checked where it is used. A value of the wrong kind is refused
in words instead of ending in whatever Python says of it deep inside.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import wraps
from math import inf, isfinite
from numbers import Real
from os import PathLike
from pathlib import Path
from typing import Any, ParamSpec, TypeAlias, TypeVar

from steelyard.errors import FileUnreadable, RequestError

__all__ = ["check_value", "refuse_beside", "refuse_columns", "refuse_excess"]

Given = ParamSpec("Given")
Answer = TypeVar("Answer")
Check: TypeAlias = Callable[[str, Any], Any]

LONGEST = 60
"""Characters of a refused value that are shown."""

SMALLEST = 1e-12
"""Shares of chance below this are as good as none."""

LARGEST = 2**53
"""Up to here every whole number has a floating-point number of its own."""


def refuse_excess(verb: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """Refuse in words what takes more memory than there is, or leaves the floating-point range.

    Numbers that are fine alone may not be so together. A file that was found may be gone when it is
    read.
    """

    @wraps(verb)
    def refusing(*args: Given.args, **kwargs: Given.kwargs) -> Answer:
        try:
            return verb(*args, **kwargs)
        except MemoryError as error:
            message = (
                f"This takes more memory than there is ({error}). Ask for less: fewer samples, "
                "rows or classes at once."
            )
            raise RequestError(message, code="memory") from error
        except OverflowError as error:
            message = (
                f"A number is too large or too small to be worked with ({error.args[-1]}). Check "
                "what was given for a slip."
            )
            raise RequestError(message) from error
        except OSError as error:
            if error.filename is None:
                raise
            raise FileUnreadable.for_access(Path(error.filename).name, error) from error

    return refusing


def refuse_beside(given: Mapping[str, Any], names: Iterable[str], words: str, *, code: str) -> None:
    """Refuse the first of these options that was given, where it would say nothing.

    ``words`` say why and what to do, with ``{option}`` for how it is spelled.

    >>> refuse_beside({"rng": None, "cost": 2}, ["rng", "cost"], "Leave {option} out.", code="x")
    Traceback (most recent call last):
    steelyard.errors.RequestError: Leave cost= (--cost) out.
    """
    for name in names:
        value = given.get(name)
        if value is None or value is False or (isinstance(value, str | tuple) and not value):
            continue
        option = f"{name}= (--{name.replace('_', '-')})"
        raise RequestError(words.format(option=option), code=code)


def refuse_columns(roles: Mapping[str, Any], what: str = "Counts") -> None:
    """Refuse what is said of columns, where there are none."""
    given = sorted(name for name, value in roles.items() if value is not None)
    if given:
        message = f"{what} have no columns, so {given[0]}= says nothing. Leave it out."
        raise RequestError(message)


def _number(name: str, value: Any) -> float:  # noqa: ANN401
    """Take a finite number that is no truth value, as floating point."""
    try:
        number = float(value) if isinstance(value, Real | Decimal) else inf
    except (OverflowError, ValueError):  # beyond floating point, or a signalling NaN
        number = inf
    if _is_flag(value) or not isfinite(number):
        raise _refuse(name, value, "a finite number")
    if isinstance(value, int) and number != value:
        raise _refuse(name, value, "a number that floating point can hold, up to 2^53 if whole")
    return value if type(value) in {int, float} else number


def _share(name: str, value: Any) -> float:  # noqa: ANN401
    try:
        share = _number(name, value)
    except RequestError:
        raise RequestError.for_level(name, value) from None
    if 0 < share < SMALLEST:
        raise _refuse(name, value, f"a share that can be told from 0: {SMALLEST:g} or more")
    return share


def _whole(most: int = LARGEST) -> Check:
    def check(name: str, value: Any) -> int:  # noqa: ANN401
        number: int | None
        try:
            number = int(value) if isinstance(value, Real) else None  # type: ignore[call-overload]
        except (ValueError, OverflowError):  # NaN and infinity
            number = None
        if number is None or number != value or _is_flag(value):
            raise _refuse(name, value, "a whole number")
        if number > most:
            raise _refuse(name, value, f"a whole number up to {most:,}")
        return int(number)

    return check


def _points(name: str, value: Any) -> int:  # noqa: ANN401
    """Take how many points of a curve are kept: both ends always, so that one is too few."""
    number: int = _whole()(name, value)
    if number < 0 or number == 1:
        raise _refuse(name, value, "2 points or more, or 0 for all")
    return number


def _flag(name: str, value: Any) -> bool:  # noqa: ANN401
    if not _is_flag(value):
        raise _refuse(name, value, "True or False")
    return bool(value)


def _text(name: str, value: Any) -> str:  # noqa: ANN401
    if not isinstance(value, str):
        raise _refuse(name, value, "a text")
    return value


def _path(name: str, value: Any) -> Any:  # noqa: ANN401
    if not isinstance(value, str | PathLike):
        raise _refuse(name, value, f"the path of a file: {name}='items.csv'")
    return value


def _names(name: str, value: Any) -> Any:  # noqa: ANN401
    """Take one name, or several; a mapping or bytes would be gone through as if they were names."""
    several = isinstance(value, Iterable) and not isinstance(value, Mapping | bytes)
    if isinstance(value, str):
        return value
    listed = list(value) if several and getattr(value, "ndim", 1) == 1 else None
    if listed is None or any(isinstance(one, Mapping | bytes | list | tuple) for one in listed):
        raise _refuse(name, value, f"a name or a list of names: {name}=['a', 'b']")
    return listed


def _several(name: str, value: Any) -> Any:  # noqa: ANN401
    """Take a text, a list or a mapping; what stands in it is looked at where it is used."""
    if not isinstance(value, Iterable) or isinstance(value, bytes):
        raise _refuse(name, value, f"a list: {name}=[...]")
    return value


def _texts(name: str, value: Any) -> Any:  # noqa: ANN401
    """Take one text or several, or a mapping."""
    _several(name, value)
    if not isinstance(value, str | Mapping) and not all(isinstance(one, str) for one in value):
        raise _refuse(name, value, "texts, such as at=['pd=0.9']")
    return value


def _mapping(name: str, value: Any) -> Any:  # noqa: ANN401
    if not isinstance(value, Mapping):
        raise _refuse(name, value, f"a mapping: {name}={{...: ...}}")
    return value


def _word_or_mapping(name: str, value: Any) -> Any:  # noqa: ANN401
    if not isinstance(value, str | Mapping):
        raise _refuse(name, value, "a name or a mapping")
    return value


def _numbers(name: str, value: Any) -> Any:  # noqa: ANN401
    """Take a list of numbers, or a mapping of names to numbers."""
    parts = list(value.values()) if isinstance(value, Mapping) else value
    if isinstance(parts, str | bytes) or not isinstance(parts, Iterable):
        raise _refuse(name, value, f"numbers: {name}=[1, 2]")
    for one in parts:
        _number(name, one)
    return value


def _range(name: str, value: Any) -> Any:  # noqa: ANN401
    """Take two numbers, or a text that holds them."""
    return value if isinstance(value, str) else _numbers(name, value)


def _number_or_numbers(name: str, value: Any) -> Any:  # noqa: ANN401
    """Take one number, or a list of them."""
    return _numbers(name, value) if isinstance(value, Sequence) else _number(name, value)


def _pair_or_mapping(name: str, value: Any) -> Any:  # noqa: ANN401
    """Take two numbers, or a mapping of names to two numbers each."""
    for pair in value.values() if isinstance(value, Mapping) else (value,):
        if not isinstance(pair, Sequence) or len(pair) != 2:
            raise _refuse(name, value, f"two numbers, or two for each name: {name}=(1, 1)")
        _numbers(name, pair)
    return value


def _function(name: str, value: Any) -> Any:  # noqa: ANN401
    if not callable(value):
        raise _refuse(name, value, "a function, which is called with every statement")
    return value


def _size(name: str, value: Any) -> Any:  # noqa: ANN401
    if not isinstance(value, str):
        return _whole()(name, value)
    return value


def _is_flag(value: object) -> bool:
    return isinstance(value, bool) or type(value).__name__ in {"bool_", "bool"}


def _refuse(name: str, value: object, expected: str) -> RequestError:
    try:
        shown = repr(value)
    except Exception:
        shown = type(value).__name__
    shown = shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}…"
    return RequestError(f"{name}={shown}; expected {expected}.")


KINDS: Mapping[str, Check] = {
    **dict.fromkeys(("column", "name", "choice", "text"), _text),
    **dict.fromkeys(("names", "each", "labels"), _names),
    **dict.fromkeys(("share", "number"), _number),
    "count": _whole(),
    "flag": _flag,
    "range": _range,
    "rates": _numbers,
    "priors": _pair_or_mapping,
    **dict.fromkeys(("costs", "shares", "settings"), _mapping),
    "size": _size,
    "observer": _function,
}
"""What an option of a kind may be; others are looked at where they are used."""

NAMES: Mapping[str, Check | None] = {
    **dict.fromkeys(("level", "alpha", "confidence", "power"), _share),
    "samples": _whole(10**18),
    "points": _points,
    **dict.fromkeys(("benchmark", "resamples"), _whole(10**7)),
    **dict.fromkeys(("thresholds", "average_at", "net_benefit", "grid"), _several),
    "prior": None,
    "items": _path,
    "spread": _number_or_numbers,
    "weights": _word_or_mapping,
    "roc at": _texts,
    "evaluate cost": _mapping,
    "compare cost": _several,
    "report cost": _several,
}
"""What an option may be whose name says more than its kind, or that of one verb."""


def check_value(verb: str, name: str, kind: str, value: Any) -> Any:  # noqa: ANN401
    """Take the value of an option, as plain as it can be; None was not said.

    >>> check_value("compare", "alpha", "share", 0.05)
    0.05
    """
    check = NAMES.get(f"{verb} {name}", NAMES.get(name, KINDS.get(kind)))
    return value if check is None or value is None else check(name, value)

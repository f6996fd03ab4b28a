"""Columns of numbers inside counts: checked once, then read-only."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steelyard.counts.cells import LARGEST_COUNT
from steelyard.errors import CountsError, listing

__all__ = [
    "ArrayCounts",
    "check_sample",
    "freeze_fields",
    "place_of",
    "score_column",
    "whole_column",
]

LARGEST_INT64 = 2**63
"""Estimated in floats first: from half of this on a sum may not fit into 64 bits."""

Counts = TypeVar("Counts")


def score_column(scores: ArrayLike, what: str) -> NDArray[np.float64]:
    """Take scores as float64, with -0.0 as 0.0; refuse NaN and what float64 cannot tell apart.

    >>> score_column([1, -0.0], "scores").tolist()
    [1.0, 0.0]
    """
    given = np.asarray(scores)
    if given.dtype.kind in "iu" and given.size and _largest(given) > LARGEST_COUNT:
        message = f"{what} holds {_largest(given)}; whole scores beyond 2^53 would be rounded."
        raise CountsError(message, code="score-type")
    if given.dtype.kind not in "biuf" and given.size:
        message = (
            f"{what} holds {given.dtype} values; a score is a number. Convert the column first."
        )
        raise CountsError(message, code="score-type")
    column = np.add(given, 0.0, dtype=np.float64) if given.size else given.astype(np.float64)
    if np.isnan(np.min(column, initial=np.inf)):
        first = int(np.flatnonzero(np.isnan(column).ravel())[0])
        message = (
            f"{what}: {int(np.isnan(column).sum())} scores are NaN (first at {first}); NaN has no "
            "rank. Leave those rows out on purpose, or score them."
        )
        raise CountsError(message, code="score-nan")
    return column


def whole_column(counts: ArrayLike, what: str, *, most: int = LARGEST_COUNT) -> NDArray[np.int64]:
    """Take whole numbers that are not negative as int64; their total may not exceed ``most``.

    >>> whole_column([3, 4.0], "positives").tolist()
    [3, 4]
    """
    given = np.asarray(counts)
    if given.dtype.kind not in "biuf" and given.size:
        message = f"{what} holds {given.dtype} values; a count is a whole number, 0 or more."
        raise CountsError(message, code="count-not-whole")
    if given.dtype.kind == "f" or np.min(given, initial=0) < 0:
        wrong = ~((given >= 0) & (given == np.floor(given)))
        if wrong.any():
            message = f"{what} holds {given[wrong][0]}; a count is a whole number, 0 or more."
            raise CountsError(message, code="count-not-whole")
    # The float sum is close enough to the true one to show that the int64 sum cannot wrap round.
    if given.sum(dtype=np.float64) >= LARGEST_INT64 / 2 or int(given.sum(dtype=np.int64)) > most:
        message = f"{what} adds up to more than {most}; that cannot be counted exactly."
        raise CountsError(message, code="count-too-large")
    return given.astype(np.int64)


def place_of(systems: Sequence[str], system: str) -> int:
    """Find the place of a system among those that are counted."""
    if system not in systems:
        message = f"No system {system!r} here. Systems: {listing(systems)}."
        raise CountsError(message, code="system-unknown")
    return systems.index(system)


def check_sample(right: int, tested: int) -> None:
    """Refuse more right answers than there were questions, and no question at all."""
    if tested < 1 or not 0 <= right <= tested:
        message = f"{right} right of {tested} tested; need 0 <= right <= tested, tested >= 1."
        raise CountsError(message, code="more-right-than-tested")


def freeze_fields(counts: object, columns: dict[str, Any]) -> None:
    """Store checked fields in a frozen dataclass, arrays as read-only copies."""
    for name, value in columns.items():
        if isinstance(value, np.ndarray):
            value.setflags(write=False)
        object.__setattr__(counts, name, value)


def _rebuild(kind: type[Counts], values: dict[str, Any]) -> Counts:
    return kind(**values)


class ArrayCounts:
    """Counts that hold arrays: equal by content; copies and pickles are checked and read-only."""

    __slots__ = ()

    def _values(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def _key(self) -> tuple[object, ...]:
        held = self._values().values()
        return tuple(one.tobytes() if isinstance(one, np.ndarray) else one for one in held)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self._values())


def _largest(column: NDArray[Any]) -> int:
    return max(abs(int(column.max())), abs(int(column.min())))

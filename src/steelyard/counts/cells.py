"""Counts by key, with or without weights: the algebra that several counts classes share."""

from collections.abc import Collection, Iterable, Mapping
from numbers import Integral
from typing import Any, TypeVar

from steelyard.counts.weights import WeightSums
from steelyard.errors import CountsError

__all__ = [
    "LARGEST_COUNT",
    "add_cells",
    "add_weights",
    "check_cells",
    "check_weights",
    "whole",
    "whole_counts",
]

LARGEST_COUNT = 2**53
"""No total may exceed this: up to here a float64 holds every whole number, and an int64 sum
cannot overflow."""

Key = TypeVar("Key", bound=Any)


def whole(count: object, what: str) -> int:
    """Take a whole number that is not negative, of any integer type, as a Python int.

    >>> whole(7, "tp")
    7
    """
    if type(count) is not int and (isinstance(count, bool) or not isinstance(count, Integral)):
        message = f"{what} holds {count!r}; a count is a whole number, 0 or more."
        raise CountsError(message, code="count-not-whole")
    number = int(count)
    if number < 0:
        message = f"{what} holds {number}; a count is a whole number, 0 or more."
        raise CountsError(message, code="count-not-whole")
    return number


def whole_counts(counts: Iterable[object], what: str) -> tuple[int, ...]:
    """Take several counts; refuse them when their total is beyond ``LARGEST_COUNT``.

    >>> whole_counts([3, 4], "The table")
    (3, 4)
    """
    # Most counts are fine already; only the others pay for a call.
    numbers = tuple(c if type(c) is int and c >= 0 else whole(c, what) for c in counts)
    if sum(numbers) > LARGEST_COUNT:
        message = (
            f"{what} holds {sum(numbers)} rows in all; more than 2^53 cannot be counted exactly. "
            "Check the numbers for a slip."
        )
        raise CountsError(message, code="count-too-large")
    return numbers


def check_cells(cells: Collection[tuple[Key, object]], what: str) -> dict[Key, int]:
    """Put cells in the order of their keys, without the empty ones; a key may come once.

    >>> check_cells([("b", 2), ("a", 1), ("c", 0)], "The table")
    {'a': 1, 'b': 2}
    """
    counts = whole_counts((rows for _, rows in cells), what)
    table = dict(zip((key for key, _ in cells), counts, strict=True))
    if len(table) != len(cells):
        message = (
            f"{what} has {len(cells)} cells but only {len(table)} different ones; add them up."
        )
        raise CountsError(message, code="cell-twice")
    return {key: table[key] for key in sorted(table) if table[key]}


def check_weights(
    weights: Iterable[tuple[Key, WeightSums]], cells: Mapping[Key, int], what: str
) -> dict[Key, WeightSums]:
    """Put weights in the order of ``cells``; each cell with rows has its weights, no other has any.

    >>> check_weights([("a", WeightSums(5, 5))], {"a": 1}, "The table")
    {'a': WeightSums(scaled=5, scaled_squares=5)}
    """
    table = {key: _check_sums(sums, what) for key, sums in weights}
    idle = [key for key, sums in table.items() if key not in cells and any(sums)]
    bare = [key for key in cells if key not in table]
    if idle or bare:
        wrong = (
            f"{bare[0]!r} has rows but no weights" if bare else f"{idle[0]!r} weighs without rows"
        )
        message = f"{what}: {wrong}; give the weights of exactly the cells that hold rows."
        raise CountsError(message, code="weights-differ")
    return {key: table[key] for key in cells}


def add_cells(one: Mapping[Key, int], other: Mapping[Key, int]) -> dict[Key, int]:
    """Add counts key by key.

    >>> add_cells({"a": 1}, {"a": 2})
    {'a': 3}
    """
    return {key: one.get(key, 0) + other.get(key, 0) for key in one.keys() | other.keys()}


def add_weights(
    one: Mapping[Key, WeightSums] | None, other: Mapping[Key, WeightSums] | None
) -> dict[Key, WeightSums] | None:
    """Add weight sums key by key; weighted and unweighted parts do not mix.

    >>> add_weights({"a": WeightSums(1, 1)}, {"a": WeightSums(2, 4)})
    {'a': WeightSums(scaled=3, scaled_squares=5)}
    """
    if (one is None) != (other is None):
        message = "One part is weighted and the other is not; weigh both, or neither."
        raise CountsError(message, code="weights-mixed")
    if one is None or other is None:
        return None
    none = WeightSums(0, 0)
    return {
        key: one.get(key, none).merged(other.get(key, none)) for key in one.keys() | other.keys()
    }


def _check_sums(sums: WeightSums, what: str) -> WeightSums:
    for number in sums:
        if isinstance(number, bool) or not isinstance(number, Integral) or number < 0:
            message = (
                f"{what} has the weight sum {number!r}; it must be whole (times 2^30), 0 or more."
            )
            raise CountsError(message, code="weight-negative")
    return WeightSums(*(int(number) for number in sums))

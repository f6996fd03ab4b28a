"""One array at the door: read, checked, and labels turned into codes."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steelyard.counts import canonical_label
from steelyard.counts.weights import LARGEST_WEIGHT, SMALLEST_LARGEST
from steelyard.errors import CountsError, Fault, UnusableRows

__all__ = [
    "LabelColumn",
    "collect",
    "exact_numbers",
    "faults_at",
    "label_column",
    "number_column",
    "refuse",
    "refuse_collapsing",
    "weight_column",
]

LARGEST_EXACT = 2**53
"""Beyond this, different whole numbers look the same as floating-point numbers."""

SPAN_LIMIT = 1 << 16
"""Whole-number labels that lie this close together are looked up instead of sorted."""

Column = TypeVar("Column")


@dataclass(frozen=True, slots=True)
class LabelColumn:
    """Labels as codes into ``classes``, the canonical forms that occur, in no special order."""

    where: str
    classes: tuple[str, ...]
    codes: NDArray[np.intp]
    kinds: frozenset[str]


def label_column(labels: ArrayLike, where: str) -> LabelColumn:
    """Read one array of labels; only the distinct values are looked at one by one.

    Missing labels (None, NaN, NA, masked) and values that cannot name a class are refused.

    Examples
    --------
    >>> column = label_column(["ship", "car", "ship"], "y_true")
    >>> column.classes, column.codes.tolist()
    (('ship', 'car'), [0, 1, 0])
    """
    values, masked = _read(labels, where)
    distinct, places = _distinct(values, where)
    gone = np.array([_is_missing(value) for value in distinct], dtype=np.bool_)
    missing = masked if not gone.size else masked | gone[places]
    if missing.any():
        fix = "Leave those rows out on purpose, or label them."
        refuse([faults_at(missing, "label-missing", where, "labels are missing", fix=fix)])
    names = [_canonical(value, where) for value in distinct]
    classes = tuple(dict.fromkeys(names))
    number = {name: code for code, name in enumerate(classes)}
    lookup = np.array([number[name] for name in names], dtype=np.intp)
    kinds = frozenset(_kind(value) for value in distinct)
    return LabelColumn(where, classes, lookup[places] if lookup.size else places, kinds)


def number_column(numbers: ArrayLike, where: str, *, axes: int = 1) -> NDArray[Any]:
    """Read one array of numbers, keeping its type; text and other things are refused, NaN is not.

    Examples
    --------
    >>> number_column([1, 2.5], "y_score").tolist()
    [1.0, 2.5]
    """
    mask = np.ma.getmaskarray(numbers) if isinstance(numbers, np.ma.MaskedArray) else None
    try:
        values = np.asarray(numbers)
        if values.dtype.kind == "O":
            values = _unbox(values)
    except (TypeError, ValueError):
        values = np.empty(0, dtype=np.str_)
    if values.dtype.kind in "biuf" and not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    if values.dtype.kind not in "biuf":
        fault = Fault(
            code="number-type",
            where=where,
            found="the values are not all numbers, or the rows differ in length.",
            fix="Convert them first, for example with astype(float).",
        )
        refuse([fault])
    _check_axes(values, where, axes)
    if mask is not None and mask.any():
        values = values.astype(np.float64)
        values[mask] = np.nan
    return values


def exact_numbers(numbers: ArrayLike, values: NDArray[Any], where: str) -> NDArray[Any]:
    """Refuse numbers that floating point would make equal; ``numbers`` is what was handed in.

    Long doubles, decimals, fractions and boxed whole numbers may differ in digits that no
    floating-point number has; their order would be lost. Arrays of whole numbers stay as they are,
    and are refused where they are sorted when one is beyond 2^53.

    Examples
    --------
    >>> exact_numbers([1, 2], np.array([1, 2]), "y_score").tolist()
    [1, 2]
    """
    long = values.dtype.kind == "f" and values.dtype.itemsize > np.dtype(float).itemsize
    if not _is_boxed(numbers) and not long:
        return values
    refuse_collapsing(numbers, values, where)
    return values.astype(np.float64)


def refuse_collapsing(numbers: ArrayLike, values: NDArray[Any], where: str) -> None:
    """Refuse different numbers that are one in floating point, in an array of any shape.

    Examples
    --------
    >>> refuse_collapsing([1, 2], np.array([1, 2]), "y_score")
    """
    boxed = (
        np.asarray(numbers) if _is_boxed(numbers) or isinstance(numbers, list | tuple) else values
    )
    if boxed.dtype in (np.float64, np.float32):
        return
    narrow = values.astype(np.float64)
    if np.isnan(narrow).any():  # a gap is refused by itself
        return
    if boxed.dtype == object:
        lost = len(set(boxed.ravel().tolist())) != np.unique(narrow).size
    elif values.dtype.kind in "iu":
        large = values.size > 0 and np.abs(narrow).max() >= LARGEST_EXACT
        lost = large and np.unique(values).size != np.unique(narrow).size
    else:
        wide = values.dtype.itemsize > narrow.dtype.itemsize
        lost = wide and np.unique(values).size != np.unique(narrow).size
    if lost:
        fault = Fault(
            code="score-digits",
            where=where,
            found="holds different numbers that are the same in floating point.",
            fix="Subtract a constant, or hand in their ranks: only the order of scores counts.",
        )
        refuse([fault])


def _is_boxed(numbers: ArrayLike) -> bool:
    """Tell Python's own numbers without a limit to their digits from those of an array."""
    if isinstance(numbers, list | tuple):
        return any(isinstance(one, Decimal | Fraction) for one in numbers)
    return getattr(getattr(numbers, "dtype", None), "kind", "") == "O"


def weight_column(weights: ArrayLike, where: str = "sample_weight") -> NDArray[np.float64]:
    """Read weights: finite, not negative, at most ``LARGEST_WEIGHT``.

    Examples
    --------
    >>> weight_column([1, 0.5]).tolist()
    [1.0, 0.5]
    """
    values = number_column(weights, where).astype(np.float64)
    faults = []
    bad = ~np.isfinite(values)
    if bad.any():
        fix = "Give every row a finite weight."
        faults.append(faults_at(bad, "weight-missing", where, "weights are not finite", fix=fix))
    below = values < 0
    if below.any():
        fix = "A weight is 0 or more."
        faults.append(faults_at(below, "weight-negative", where, "weights are negative", fix=fix))
    above = np.isfinite(values) & (values > LARGEST_WEIGHT)
    if above.any():
        found = "weights exceed 2^32"
        fix = "Divide all weights by one number; shares do not change."
        faults.append(faults_at(above, "weight-too-large", where, found, fix=fix))
    if not faults and values.size and 0 < values.max() < SMALLEST_LARGEST:
        found = "weights are all below 1/256, and their squares would lose their digits"
        fix = "Multiply all weights by one number, such as the number of rows; shares stay."
        faults.append(faults_at(values > 0, "weight-too-small", where, found, fix=fix))
    refuse(faults)
    return values


def faults_at(wrong: NDArray[np.bool_], code: str, where: str, found: str, *, fix: str) -> Fault:
    """Describe rows that are wrong in one way, by their number and first places (from 0)."""
    places = np.flatnonzero(wrong)
    first = tuple(f"row {place}" for place in places[:3].tolist())
    counted = f"{places.size} of {wrong.size} {found}."
    return Fault(
        code=code, where=where, found=counted, fix=fix, count=int(places.size), examples=first
    )


def collect(readers: Iterable[Callable[[], Column]]) -> list[Column]:
    """Read several columns, and refuse them with the faults of all of them at once."""
    columns: list[Column] = []
    faults: list[Fault] = []
    for reader in readers:
        try:
            columns.append(reader())
        except UnusableRows as refusal:
            faults.extend(refusal.faults)
    refuse(faults)
    return columns


def refuse(faults: Iterable[Fault]) -> None:
    """Raise when there is anything to refuse."""
    found = list(faults)
    if found:
        raise UnusableRows.of(found)


def _read(labels: ArrayLike, where: str) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Give the labels as an array of one axis, and where they are masked."""
    if isinstance(labels, list | tuple):
        # As objects: numpy would write True and NaN beside text as 'True' and 'nan'.
        values = np.empty(len(labels), dtype=object)
        values[:] = [_no_list(label, where) for label in labels]
    else:
        values = np.asarray(labels)
    if values.dtype.kind == "T":
        values = values.astype(object)
    if values.dtype.kind not in "OUSbiuf":
        fault = Fault(
            code="label-type",
            where=where,
            found=f"labels of type {values.dtype} cannot name classes.",
            fix="Use text, whole numbers or true/false.",
        )
        refuse([fault])
    _check_axes(values, where, 1)
    masked = np.ma.getmaskarray(labels) if isinstance(labels, np.ma.MaskedArray) else None
    return values, np.zeros(values.size, dtype=np.bool_) if masked is None else masked


def _no_list(label: object, where: str) -> object:
    if isinstance(label, list | tuple | np.ndarray):
        fault = Fault(
            code="lengths-differ",
            where=where,
            found="holds lists; expected one label for each row.",
            fix="Flatten it first.",
        )
        refuse([fault])
    return label


def _check_axes(values: NDArray[Any], where: str, axes: int) -> None:
    wanted = "one value for each row" if axes == 1 else "a row for each item, a column a class"
    if values.ndim != axes:
        fault = Fault(
            code="lengths-differ",
            where=where,
            found=f"has the shape {values.shape}; expected {wanted}.",
            fix="For a single column, pass its .ravel()." if axes == 1 else "Pass a table.",
        )
        refuse([fault])
    if not len(values):
        fault = Fault(
            code="no-rows", where=where, found="has no rows.", fix="Nothing can be counted."
        )
        refuse([fault])


def _distinct(values: NDArray[Any], where: str) -> tuple[list[Any], NDArray[np.intp]]:
    """List the distinct values, and for each row its place in that list."""
    if values.dtype.kind == "O":
        return _distinct_objects(values.tolist(), where)
    if values.dtype.kind == "b":
        numbers, places = _distinct_near(values.view(np.uint8), 0, 1)
        return [bool(number) for number in numbers], places
    if values.dtype.kind in "iu":
        low, high = int(values.min()), int(values.max())
        if high - low < SPAN_LIMIT:
            return _distinct_near(values, low, high)
    distinct, places = np.unique(values, return_inverse=True)
    return distinct.tolist(), places


def _distinct_near(values: NDArray[Any], low: int, high: int) -> tuple[list[int], NDArray[np.intp]]:
    # Unsigned numbers wrap round, so the difference is right for every whole-number type.
    offsets = (values.astype(np.uint64) - np.uint64(low % 2**64)).astype(np.intp)
    present = np.bincount(offsets, minlength=high - low + 1) > 0
    lookup = np.cumsum(present) - 1
    return (np.flatnonzero(present) + low).tolist(), lookup[offsets]


def _distinct_objects(values: list[Any], where: str) -> tuple[list[Any], NDArray[np.intp]]:
    types = set(map(type, values))
    # True == 1 in Python, and here they are two classes: then the type is part of the key.
    typed = bool(types & {bool, np.bool_}) and len(types) > 1
    keys: list[Any] = list(zip(map(type, values), values, strict=True)) if typed else values
    try:
        number = {key: place for place, key in enumerate(dict.fromkeys(keys))}
    except TypeError:
        fault = Fault(
            code="label-type",
            where=where,
            found="holds values that cannot name a class.",
            fix="Use text, whole numbers or true/false.",
        )
        raise UnusableRows.of([fault]) from None
    places = np.fromiter(map(number.__getitem__, keys), dtype=np.intp, count=len(keys))
    return [key[1] if typed else key for key in number], places


def _is_missing(value: object) -> bool:
    if value is None:
        return True
    try:
        return bool(value != value)  # noqa: PLR0124 - NaN and NaT differ from themselves
    except TypeError:  # pandas.NA will not say
        return True


def _canonical(value: object, where: str) -> str:
    try:
        return canonical_label(value)
    except CountsError as refusal:
        fault = Fault(code="label-type", where=where, found=str(refusal), fix="", count=1)
        raise UnusableRows.of([fault]) from None


def _kind(value: object) -> str:
    if isinstance(value, str | bytes):
        return "text"
    return "true/false" if isinstance(value, bool | np.bool_) else "numbers"


def _unbox(values: NDArray[Any]) -> NDArray[Any]:
    """Turn an object array of numbers and None into floats; text is not parsed."""
    if any(isinstance(value, str | bytes) for value in values.ravel().tolist()):
        raise TypeError
    return values.astype(np.float64)

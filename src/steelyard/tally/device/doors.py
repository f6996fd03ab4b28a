"""The doors for arrays, where one of the arrays lives on a GPU."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import (
    Confusion,
    JointCalls,
    Outcomes,
    PairSums,
    PlacementSums,
    ScoreTable,
    canonical_label,
    sort_classes,
)
from steelyard.errors import Fault
from steelyard.tally.array_columns import label_column, number_column, refuse
from steelyard.tally.device.labels import DeviceLabels, count_cells, read_labels
from steelyard.tally.device.libraries import Library, is_on_device, library_of
from steelyard.tally.device.scores import count_pair_sums, count_placements, count_scores

__all__ = [
    "any_on_device",
    "are_of_classes",
    "bring_home",
    "device_calls",
    "device_confusion",
    "device_outcomes",
    "device_pair_sums",
    "device_placements",
    "device_score_table",
    "take_rows",
]

Array = Any

WHOLE = re.compile("0|-?[1-9][0-9]{0,17}")
"""A whole number as classes are named; one of 18 digits fits into 64 bits."""


def any_on_device(columns: Iterable[object]) -> bool:
    """Tell whether one of the columns lives on a device."""
    return any(is_on_device(column) for column in columns)


def bring_home(values: Array) -> Array:
    """Copy an array from a device to this machine; what is here already stays as it is."""
    if not is_on_device(values):
        return values
    library, array = library_of(values)
    return library.host(array)


def take_rows(values: Array, rows: int) -> NDArray[Any]:
    """Copy some rows to this machine: the first, and others from everywhere."""
    half = rows // 2
    rest = values[half :: max(1, (len(values) - half) // half)][:half]
    return np.concatenate([bring_home(values[:half]), bring_home(rest)])


def are_of_classes(labels: Array, classes: Sequence[str]) -> bool:
    """Tell whether every label is of one of these classes, given by their canonical names."""
    if not is_on_device(labels):
        return set(label_column(labels, "y_true").classes) <= set(classes)
    library, array = library_of(labels)
    values = [_value_of(array, name) for name in classes]
    if any(value is None for value in values):
        return False
    found, _ = library.gather([(array == value).sum() for value in values])
    return sum(found) == len(array)


def _device(columns: Iterable[Any]) -> tuple[Library, Array]:
    """Find the library and the device of the first column that lives on one."""
    return library_of(next(column for column in columns if is_on_device(column)))


def _numbers(library: Library, like: Array, values: Array, where: str, rows: int) -> Array:
    if is_on_device(values):
        own, array = library_of(values)
        taken = array if own.name == library.name else library.put(own.host(array), like)
    else:
        taken = library.put(number_column(values, where), like)
    _check(taken, where, rows)
    return taken


def _labels(library: Library, like: Array, values: Array, where: str) -> DeviceLabels:
    if is_on_device(values):
        own, array = library_of(values)
        array = array if own.name == library.name else library.put(own.host(array), like)
        return read_labels(library, array, where)
    column = label_column(values, where)
    return DeviceLabels(
        label_column(list(column.classes), where), library.put(column.codes.astype(np.int64), like)
    )


def _check(values: Array, where: str, rows: int) -> None:
    if len(values.shape) != 1 or len(values) != rows:
        found = f"has the shape {tuple(values.shape)} where y_true has {rows} rows."
        fix = "Pass arrays of the same rows, in the same order."
        refuse([Fault(code="lengths-differ", where=where, found=found, fix=fix)])


def _positive(library: Library, like: Array, y_true: Array, pos_label: object) -> tuple[str, Array]:
    """Give the name of the positive class, and the rows that are truly of it."""
    from steelyard.tally.arrays import positive_rows  # which opens these doors

    if is_on_device(y_true):
        own, array = library_of(y_true)
        value = _value_of(array, pos_label)
        if value is not None and own.name == library.name and len(array.shape) == 1:
            found = array == value
            if bool(found.any()):
                return canonical_label(pos_label), found
    truth = _labels(library, like, y_true, "y_true")
    distinct = truth.distinct
    here = [distinct.classes[code] for code in distinct.codes]
    name, flags = positive_rows(here, pos_label)
    return name, library.put(flags, truth.places)[truth.places]


def _value_of(labels: Array, wanted: object) -> int | bool | None:
    """Give a class as the number or flag that labels of its kind hold; None where none can."""
    kind = str(labels.dtype)
    if "bool" in kind:
        flags = {"true": True, "false": False}
        return wanted if isinstance(wanted, bool) else flags.get(str(wanted))
    if isinstance(wanted, bool) or "int" not in kind or not WHOLE.fullmatch(str(wanted)):
        return None
    return int(str(wanted))


def device_score_table(y_true: Array, y_score: Array, *, pos_label: object) -> ScoreTable:
    """Count positives and negatives at each distinct score, where the scores live."""
    library, like = _device([y_score, y_true])
    name, positive = _positive(library, like, y_true, pos_label)
    scores = _numbers(library, like, y_score, "y_score", len(positive))
    return count_scores(library, positive, scores, name=name)


def device_pair_sums(
    y_true: Array,
    y_score: Array,
    *,
    pos_label: object,
) -> tuple[PairSums, int, int]:
    """Count what the area and its variance need; no table is brought back."""
    library, like = _device([y_score, y_true])
    _, positive = _positive(library, like, y_true, pos_label)
    scores = _numbers(library, like, y_score, "y_score", len(positive))
    return count_pair_sums(library, positive, scores)


def device_placements(
    y_true: Array,
    scores: Mapping[str, Any],
    *,
    pos_label: object,
) -> PlacementSums:
    """Sum the placements of several systems on common rows, where the scores live."""
    library, like = _device([*scores.values(), y_true])
    name, positive = _positive(library, like, y_true, pos_label)
    columns = {
        system: _numbers(library, like, column, f"scores[{system!r}]", len(positive))
        for system, column in scores.items()
    }
    return count_placements(library, positive, columns, name=name)


def _code(
    columns: Mapping[str, Any], labels: Sequence[object] | None
) -> tuple[Library, tuple[str, ...], list[Array]]:
    """Give columns of labels codes of one list of classes, under the rules of arrays."""
    from steelyard.tally.arrays import code_columns

    library, like = _device(columns.values())
    read = {where: _labels(library, like, column, where) for where, column in columns.items()}
    rows = len(next(iter(read.values())).places)
    for where, one in read.items():
        _check(one.places, where, rows)
    # Only the distinct labels pass the door of arrays, which names, compares and refuses them.
    longest = max(len(one.distinct.codes) for one in read.values())
    few = {
        where: np.resize(np.array(
            [one.distinct.classes[code] for code in one.distinct.codes], dtype=object), longest)
        for where, one in read.items()
    }  # fmt: skip
    classes, _ = code_columns(few, labels)
    classes = sort_classes(classes) if labels is None else classes
    number = {name: code for code, name in enumerate(classes)}
    return library, classes, [one.codes(library, number) for one in read.values()]


def device_confusion(
    y_true: Array,
    y_pred: Array,
    *,
    labels: Sequence[object] | None,
) -> Confusion:
    """Count rows by true and called class, where the labels live."""
    library, classes, codes = _code({"y_true": y_true, "y_pred": y_pred}, labels)
    cells = count_cells(library, codes, [len(classes)] * 2)
    named = {(classes[t], classes[c]): rows for (t, c), rows in cells.items()}
    return Confusion.from_cells(named, classes=classes)


def device_calls(
    y_true: Array,
    calls: Mapping[str, Any],
    *,
    labels: Sequence[object] | None,
) -> JointCalls:
    """Count rows by the true label and the calls of all systems together."""
    named = {f"calls[{system!r}]": column for system, column in calls.items()}
    library, classes, codes = _code({"y_true": y_true, **named}, labels)
    cells = {
        (classes[t], tuple(classes[c] for c in called)): rows
        for (t, *called), rows in count_cells(library, codes, [len(classes)] * len(codes)).items()
    }
    return JointCalls.from_cells(cells, systems=tuple(calls), classes=classes)


def device_outcomes(
    y_true: Array,
    calls: Mapping[str, Any],
    *,
    labels: Sequence[object] | None,
) -> Outcomes:
    """Count rows by which systems called them right."""
    named = {f"calls[{system!r}]": column for system, column in calls.items()}
    library, _, (truth, *called) = _code({"y_true": y_true, **named}, labels)
    right = [library.whole(codes == truth) for codes in called]
    patterns = {
        sum(one << place for place, one in enumerate(pattern)): rows
        for pattern, rows in count_cells(library, right, [2] * len(right)).items()
    }
    return Outcomes.from_patterns(patterns, systems=tuple(calls))

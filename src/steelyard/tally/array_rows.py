"""Several arrays of the same rows: lined up, checked, and labels given common codes."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steelyard.counts import canonical_label, sorted_classes
from steelyard.counts.labels import checked_names
from steelyard.errors import CountsError, Fault, RequestError, listing
from steelyard.tally.array_columns import (
    LabelColumn,
    collected,
    exact_numbers,
    faults_at,
    label_column,
    number_column,
    refuse,
    refuse_collapsing,
    weight_column,
)

__all__ = [
    "checked_scores",
    "checked_vectors",
    "checked_weights",
    "coded_columns",
    "named_calls",
    "positive_rows",
    "system_names",
]


def system_names(given: Any, what: str) -> tuple[str, ...]:  # noqa: ANN401
    """Take the names of the systems, or say how arrays are handed over."""
    if not isinstance(given, Mapping) or not given:
        message = f"{what} must map each system's name to its array: {what}={{'cnn': [...]}}."
        raise RequestError(message)
    return checked_names(given, "system")


def named_calls(calls: Mapping[str, ArrayLike]) -> dict[str, ArrayLike]:
    """Name each column the way a refusal should point at it."""
    return {f"calls[{system!r}]": column for system, column in calls.items()}


def coded_columns(
    columns: Mapping[str, ArrayLike], labels: Sequence[object] | None
) -> tuple[tuple[str, ...], list[NDArray[np.intp]]]:
    """Read label columns of one length and give them codes of one list of classes."""
    read = collected(partial(label_column, column, where) for where, column in columns.items())
    for column in read[1:]:
        _check_length(column.where, column.codes.size, read[0].codes.size)
    if labels is None:
        for column in read[1:]:
            _check_kinds(read[0], column)
        classes = sorted_classes({name for column in read for name in column.classes})
    else:
        classes = _declared(labels)
        refuse(fault for column in read for fault in _undeclared(column, classes))
    number = {name: code for code, name in enumerate(classes)}
    return classes, [
        np.array([number[name] for name in column.classes], dtype=np.intp)[column.codes]
        for column in read
    ]


def _declared(labels: Sequence[object], what: str = "labels") -> tuple[str, ...]:
    try:
        classes = checked_names([canonical_label(label) for label in labels], "class")
    except CountsError as refusal:
        message = f"{what}: {refusal}"
        raise RequestError(message, code=refusal.code) from None
    if not classes:
        message = "labels is empty; list the classes, or leave labels out."
        raise RequestError(message)
    return classes


def _undeclared(column: LabelColumn, classes: tuple[str, ...]) -> list[Fault]:
    strange = [code for code, name in enumerate(column.classes) if name not in set(classes)]
    if not strange:
        return []
    names = sorted(column.classes[code] for code in strange)
    found = f"labels are outside the declared classes: {listing(names)}"
    fix = f"Declared: {listing(classes)}. Add them to labels=[...] (--labels), or correct them."
    wrong = np.isin(column.codes, strange)
    return [faults_at(wrong, "label-undeclared", column.where, found, fix=fix)]


def _check_length(where: str, found: int, expected: int) -> None:
    if found != expected:
        fault = Fault(
            code="lengths-differ",
            where=where,
            found=f"has {found} rows where y_true has {expected}.",
            fix="Pass arrays of the same rows, in the same order.",
        )
        refuse([fault])


def _check_kinds(truth: LabelColumn, called: LabelColumn) -> None:
    """Refuse labels that can never meet because they are written differently, as 1 and true."""
    if truth.kinds == called.kinds or set(truth.classes) & set(called.classes):
        return
    fault = Fault(
        code="label-kinds",
        where=called.where,
        found=(
            f"its labels ({' and '.join(sorted(called.kinds))}: {listing(called.classes)}) and "
            f"those of {truth.where} ({' and '.join(sorted(truth.kinds))}: "
            f"{listing(truth.classes)}) have no class in common."
        ),
        fix="Write both the same way, or declare all classes with labels=[...].",
    )
    refuse([fault])


def positive_rows(y_true: ArrayLike, pos_label: object) -> tuple[str, NDArray[np.bool_]]:
    """Give the canonical name of the positive class, and the rows that are truly of it."""
    truth = label_column(y_true, "y_true")
    known = sorted_classes(truth.classes)
    if pos_label is None:
        message = (
            f"No positive class is named. Classes: {listing(known)}. "
            f"Pass pos_label={known[-1]!r} (--positive {known[-1]}), if that is the one."
        )
        raise RequestError(message, code="positive-missing")
    (name,) = _declared([pos_label], "pos_label")
    if name not in known:
        message = f"pos_label={pos_label!r} does not occur in y_true. Classes: {listing(known)}."
        raise RequestError(message, code="positive-unknown")
    return name, truth.codes == truth.classes.index(name)


def checked_scores(scores: ArrayLike, where: str, rows: int) -> NDArray[Any]:
    """Read scores of so many rows; NaN is refused, infinities are not."""
    values = number_column(scores, where)
    _check_length(where, values.size, rows)
    values = exact_numbers(scores, values, where)
    wrong = np.isnan(values)
    if wrong.any():
        fix = "NaN has no rank: leave those rows out on purpose, or score them."
        refuse([faults_at(wrong, "score-nan", where, "scores are missing or NaN", fix=fix)])
    return values


def checked_vectors(vectors: ArrayLike, where: str, shape: tuple[int, int]) -> NDArray[Any]:
    """Read a table of vectors that can be scored under every rule."""
    table = number_column(vectors, where, axes=2)
    refuse_collapsing(vectors, table, where)
    _check_length(where, table.shape[0], shape[0])
    if table.shape != shape:
        message = f"{where} has {table.shape[1]} columns for {shape[1]} labels; name each column."
        raise RequestError(message, code="lengths-differ")
    refuse(_vector_faults(table, where))
    return table


def _vector_faults(table: NDArray[Any], where: str) -> list[Fault]:
    with np.errstate(over="ignore", invalid="ignore"):
        total = table.sum(axis=1, dtype=np.float64)
    found = {
        ("vector-nan", "vectors hold NaN", "Give every class a number."): np.isnan(table),
        (
            "vector-negative",
            "vectors hold a negative number",
            "A vector needs numbers of 0 or more; nothing is squashed in silence.",
        ): table < 0,
        (
            "vector-infinite",
            "vectors hold infinity, or add up to it",
            "Scores of vectors need finite sums.",
        ): np.isinf(table) | np.isposinf(total)[:, None],
        (
            "vector-zero",
            "vectors are 0 in every class",
            "They cannot be normalised; leave those rows out on purpose.",
        ): ~table.astype(np.bool_).any(axis=1, keepdims=True),
    }
    return [
        faults_at(wrong.any(axis=1), code, where, what, fix=fix)
        for (code, what, fix), wrong in found.items()
        if wrong.any()
    ]


def checked_weights(sample_weight: ArrayLike, rows: int) -> NDArray[np.float64]:
    """Read the weights of so many rows."""
    weights = weight_column(sample_weight)
    _check_length("sample_weight", weights.size, rows)
    return weights

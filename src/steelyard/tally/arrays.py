"""Arrays become counts: the doors that take arguments in scikit-learn's order and names."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steelyard.counts import (
    Confusion,
    JointCalls,
    JointScores,
    Outcomes,
    ScoreTable,
    Trials,
    VectorScores,
    WeightSums,
    canonical_label,
    sort_classes,
)
from steelyard.counts.labels import check_names
from steelyard.counts.row_names import refuse_other_rows
from steelyard.counts.scores.counting import score_counts
from steelyard.counts.scores.table import LARGEST_SCALED
from steelyard.errors import CountsError, Fault, RequestError, listing
from steelyard.tally.array_columns import (
    LabelColumn,
    collect,
    exact_numbers,
    faults_at,
    label_column,
    number_column,
    refuse,
    refuse_collapsing,
    weight_column,
)
from steelyard.tally.device.doors import (
    any_on_device,
    bring_home,
    device_calls,
    device_confusion,
    device_outcomes,
    device_pair_sums,
    device_score_table,
)
from steelyard.tally.kernels.cells import count_pairs, joint_cells, pattern_counts, pattern_places
from steelyard.tally.kernels.scores import count_won_pairs
from steelyard.tally.kernels.sums import exact_sums, round_to_scale
from steelyard.tally.kernels.vectors import vector_sums

__all__ = [
    "area_of",
    "check_scores",
    "check_vectors",
    "check_weights",
    "code_columns",
    "confusion_of",
    "joint_calls_of",
    "joint_scores_of",
    "name_calls",
    "outcomes_of",
    "positive_rows",
    "score_table_of",
    "system_names",
    "trials_of",
    "vector_scores_of",
]


def system_names(given: Any, what: str) -> tuple[str, ...]:  # noqa: ANN401
    """Take the names of the systems, or say how arrays are handed over."""
    if not isinstance(given, Mapping) or not given:
        message = f"{what} must map each system's name to its array: {what}={{'cnn': [...]}}."
        raise RequestError(message)
    return check_names(given, "system")


def name_calls(calls: Mapping[str, ArrayLike]) -> dict[str, ArrayLike]:
    """Name each column the way a refusal should point at it."""
    return {f"calls[{system!r}]": column for system, column in calls.items()}


def code_columns(
    columns: Mapping[str, ArrayLike], labels: Sequence[object] | None
) -> tuple[tuple[str, ...], list[NDArray[np.intp]]]:
    """Read label columns of one length and give them codes of one list of classes."""
    read = collect(partial(label_column, column, where) for where, column in columns.items())
    for column in read[1:]:
        _check_length(column.where, column.codes.size, read[0].codes.size)
    if labels is None:
        for column in read[1:]:
            _check_kinds(read[0], column)
        classes = sort_classes({name for column in read for name in column.classes})
    else:
        classes = _check_declared(labels)
        refuse(fault for column in read for fault in _find_strangers(column, classes))
    number = {name: code for code, name in enumerate(classes)}
    return classes, [
        np.array([number[name] for name in column.classes], dtype=np.intp)[column.codes]
        for column in read
    ]


def _check_declared(labels: Sequence[object], what: str = "labels") -> tuple[str, ...]:
    try:
        classes = check_names([canonical_label(label) for label in labels], "class")
    except CountsError as refusal:
        message = f"{what}: {refusal}"
        raise RequestError(message, code=refusal.code) from None
    if not classes:
        message = "labels is empty; list the classes, or leave labels out."
        raise RequestError(message)
    return classes


def _find_strangers(column: LabelColumn, classes: tuple[str, ...]) -> list[Fault]:
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
    known = sort_classes(truth.classes)
    if pos_label is None:
        message = (
            f"No positive class is named. Classes: {listing(known)}. "
            f"Pass pos_label={known[-1]!r} (--positive {known[-1]}), if that is the one."
        )
        raise RequestError(message, code="positive-missing")
    (name,) = _check_declared([pos_label], "pos_label")
    if name not in known:
        message = f"pos_label={pos_label!r} does not occur in y_true. Classes: {listing(known)}."
        raise RequestError(message, code="positive-unknown")
    return name, truth.codes == truth.classes.index(name)


def check_scores(scores: ArrayLike, where: str, rows: int) -> NDArray[Any]:
    """Read scores of so many rows; NaN is refused, infinities are not."""
    values = number_column(scores, where)
    _check_length(where, values.size, rows)
    values = exact_numbers(scores, values, where)
    wrong = np.isnan(values)
    if wrong.any():
        fix = "NaN has no rank: leave those rows out on purpose, or score them."
        refuse([faults_at(wrong, "score-nan", where, "scores are missing or NaN", fix=fix)])
    return values


def check_vectors(vectors: ArrayLike, where: str, shape: tuple[int, int]) -> NDArray[Any]:
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
            "A vector needs numbers of 0 or more; nothing is squashed silently.",
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


def check_weights(sample_weight: ArrayLike, rows: int) -> NDArray[np.float64]:
    """Read the weights of so many rows."""
    weights = weight_column(sample_weight)
    _check_length("sample_weight", weights.size, rows)
    return weights


def confusion_of(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: Sequence[object] | None = None,
    sample_weight: ArrayLike | None = None,
) -> Confusion:
    """Count rows by true and called class.

    Parameters
    ----------
    y_true, y_pred
        True and called labels: lists, numpy arrays, pandas or polars series, Arrow arrays. Labels
        of different types meet in their canonical form (1, 1.0 and "1" are one class).
    labels
        The classes, in the order wanted; a label outside them is refused. By default the classes
        that occur, in reading order.
    sample_weight
        A weight for each row, rounded to multiples of 2^-30.

    Examples
    --------
    >>> confusion_of(["cat", "dog", "dog"], ["cat", "cat", "dog"]).matrix().tolist()
    [[1, 0], [1, 1]]
    """
    if any_on_device([y_true, y_pred]):
        if sample_weight is None:
            return device_confusion(y_true, y_pred, labels=labels)
        y_true, y_pred = bring_home(y_true), bring_home(y_pred)
        sample_weight = bring_home(sample_weight)
    refuse_other_rows({"y_true": y_true, "y_pred": y_pred, "sample_weight": sample_weight})
    classes, (truth, called) = code_columns({"y_true": y_true, "y_pred": y_pred}, labels)
    cells = {
        (classes[t], classes[c]): rows
        for (t, c), rows in count_pairs(truth, called, len(classes)).items()
    }
    weights = None
    if sample_weight is not None:
        size = len(classes)
        pairs, places = np.unique(truth * size + called, return_inverse=True)
        sums = _weight_sums(sample_weight, places, pairs.size)
        named = ((classes[pair // size], classes[pair % size]) for pair in pairs.tolist())
        weights = dict(zip(named, sums, strict=True))
    return Confusion.from_cells(cells, classes=classes, weights=weights)


def score_table_of(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> ScoreTable:
    """Count positives and negatives at each distinct score.

    Parameters
    ----------
    y_true
        True labels; every class but ``pos_label`` counts as negative.
    y_score
        One score a row; larger means more like the positive class. Infinities are fine.
    pos_label
        The positive class. It has no default: data never choose it.
    sample_weight
        A weight for each row, rounded to multiples of 2^-30.

    Examples
    --------
    >>> table = score_table_of(["car", "ship", "ship"], [0.1, 0.1, 0.7], pos_label="ship")
    >>> table.scores.tolist(), table.positives.tolist(), table.negatives.tolist()
    ([0.1, 0.7], [1, 1], [1, 0])
    """
    if any_on_device([y_true, y_score]):
        if sample_weight is None:
            return device_score_table(y_true, y_score, pos_label=pos_label)
        y_true, y_score = bring_home(y_true), bring_home(y_score)
        sample_weight = bring_home(sample_weight)
    refuse_other_rows({"y_true": y_true, "y_score": y_score, "sample_weight": sample_weight})
    name, positive = positive_rows(y_true, pos_label)
    scores = check_scores(y_score, "y_score", positive.size)
    distinct, positives, negatives = score_counts(positive, scores)
    columns: dict[str, Any] = {}
    if sample_weight is not None:
        places = np.searchsorted(distinct, scores.astype(np.float64) + 0.0)
        weights = check_weights(sample_weight, positive.size)
        for column, rows in (("positive_weights", positive), ("negative_weights", ~positive)):
            columns[column] = _sum_scaled(places[rows], weights[rows], distinct.size)
    return ScoreTable(
        positive=name, scores=distinct, positives=positives, negatives=negatives, **columns
    )


def area_of(y_true: ArrayLike, y_score: ArrayLike, *, pos_label: object = None) -> Fraction | None:
    """Area under the ROC curve as a fraction, ties half; None without both classes.

    The same as the area of :func:`score_table_of`, which keeps every distinct score; this keeps
    none, and is the quickest way when only the area is wanted.

    Parameters
    ----------
    y_true, y_score, pos_label
        Those of :func:`score_table_of`.

    Examples
    --------
    >>> area_of([1, 1, 0, 0], [0.9, 0.2, 0.2, 0.1], pos_label=1)
    Fraction(7, 8)
    """
    if any_on_device([y_true, y_score]):
        sums, positives, negatives = device_pair_sums(y_true, y_score, pos_label=pos_label)
        pairs = positives * negatives
        return Fraction(sums.won_twice, 2 * pairs) if pairs else None
    refuse_other_rows({"y_true": y_true, "y_score": y_score})
    _, positive = positive_rows(y_true, pos_label)
    found = count_won_pairs(positive, check_scores(y_score, "y_score", positive.size))
    pairs = found.positives * found.negatives
    return Fraction(found.won_twice, 2 * pairs) if pairs else None


def outcomes_of(
    y_true: ArrayLike,
    calls: Mapping[str, ArrayLike],
    *,
    labels: Sequence[object] | None = None,
    sample_weight: ArrayLike | None = None,
) -> Outcomes:
    """Count rows by which systems called them right.

    Parameters
    ----------
    y_true
        True labels.
    calls
        For each system the labels it called, row by row.
    labels
        The classes; a label outside them is refused. By default the classes that occur.
    sample_weight
        A weight for each row, rounded to multiples of 2^-30.

    Examples
    --------
    >>> outcomes_of([1, 0, 1], {"cnn": [1, 0, 0], "svm": [1, 1, 1]}).pair("cnn", "svm")
    PairTable(both=1, first=1, second=1, neither=0)
    """
    if any_on_device([y_true, *_columns(calls)]):
        systems = system_names(calls, "calls")
        if sample_weight is None:
            return device_outcomes(y_true, calls, labels=labels)
        y_true, sample_weight = bring_home(y_true), bring_home(sample_weight)
        calls = {system: bring_home(calls[system]) for system in systems}
    systems = system_names(calls, "calls")
    refuse_other_rows({"y_true": y_true, **calls})
    _, (truth, *called) = code_columns({"y_true": y_true, **name_calls(calls)}, labels)
    right = [codes == truth for codes in called]
    if sample_weight is None:
        return Outcomes.from_patterns(pattern_counts(right), systems=systems)
    patterns, places = pattern_places(right)
    rows = np.bincount(places, minlength=len(patterns)).tolist()
    sums = _weight_sums(sample_weight, places, len(patterns))
    return Outcomes.from_patterns(
        dict(zip(patterns, rows, strict=True)),
        systems=systems,
        weights=dict(zip(patterns, sums, strict=True)),
    )


def trials_of(
    y_true: ArrayLike,
    calls: Mapping[str, ArrayLike],
    *,
    labels: Sequence[object] | None = None,
) -> Trials:
    """Count how often each system was right on these common rows.

    Parameters are those of :func:`outcomes_of`, which also keeps who was right together.

    Examples
    --------
    >>> trials_of([1, 0, 1], {"cnn": [1, 0, 0], "svm": [1, 1, 1]}).correct
    (2, 2)
    """
    return outcomes_of(y_true, calls, labels=labels).trials()


def joint_calls_of(
    y_true: ArrayLike,
    calls: Mapping[str, ArrayLike],
    *,
    labels: Sequence[object] | None = None,
) -> JointCalls:
    """Count rows by the true label and the calls of all systems together.

    Parameters are those of :func:`outcomes_of`.

    Examples
    --------
    >>> joint_calls_of(["a", "b"], {"cnn": ["a", "a"], "svm": ["b", "b"]}).cells
    (('a', ('a', 'b'), 1), ('b', ('a', 'b'), 1))
    """
    if any_on_device([y_true, *_columns(calls)]):
        system_names(calls, "calls")
        return device_calls(y_true, calls, labels=labels)
    systems = system_names(calls, "calls")
    refuse_other_rows({"y_true": y_true, **calls})
    classes, (truth, *called) = code_columns({"y_true": y_true, **name_calls(calls)}, labels)
    cells = {
        (classes[t], tuple(classes[c] for c in codes)): rows
        for (t, codes), rows in joint_cells(truth, called, len(classes)).items()
    }
    return JointCalls.from_cells(cells, systems=systems, classes=classes)


def joint_scores_of(
    y_true: ArrayLike, scores: Mapping[str, ArrayLike], *, pos_label: object = None
) -> JointScores:
    """Line up the scores of several systems on the same rows.

    Parameters
    ----------
    y_true
        True labels; every class but ``pos_label`` counts as negative.
    scores
        For each system its scores, row by row; larger means more like the positive class.
    pos_label
        The positive class. It has no default: data never choose it.

    Examples
    --------
    >>> joint = joint_scores_of([0, 1], {"cnn": [0.2, 0.9], "svm": [0.4, 0.3]}, pos_label=1)
    >>> joint.positive_total, joint.score_table("svm").scores.tolist()
    (1, [0.3, 0.4])
    """
    if any_on_device([y_true, *_columns(scores)]):
        y_true = bring_home(y_true)
        scores = {system: bring_home(scores[system]) for system in system_names(scores, "scores")}
    systems = system_names(scores, "scores")
    refuse_other_rows({"y_true": y_true, **scores})
    name, positive = positive_rows(y_true, pos_label)
    columns = collect(
        partial(check_scores, scores[system], f"scores[{system!r}]", positive.size)
        for system in systems
    )
    named = dict(zip(systems, columns, strict=True))
    return JointScores.from_arrays(positive, named, positive=name)


def vector_scores_of(
    y_true: ArrayLike,
    vectors: Mapping[str, ArrayLike],
    *,
    labels: Sequence[object] | None = None,
) -> VectorScores:
    """Score vectors of one number per class, and add the scores up by true class.

    Parameters
    ----------
    y_true
        True labels.
    vectors
        For each system a table with a row for each item and a column for each class: finite
        numbers, none negative, not all 0 in a row. They need not add up to 1.
    labels
        The class of each column, in order. It has no default.

    Examples
    --------
    >>> table = [[0.8, 0.2], [0.5, 0.5]]
    >>> scores = vector_scores_of(["a", "b"], {"cnn": table}, labels=["a", "b"])
    >>> scores.mean("winner", "cnn", "a"), scores.mean("winner", "cnn", "b")
    (1.0, 0.5)
    """
    systems = system_names(vectors, "vectors")
    refuse_other_rows({"y_true": y_true, **vectors})
    if labels is None:
        message = "labels is missing: name the class of each column, labels=['a', 'b', ...]."
        raise RequestError(message, code="labels-missing")
    classes, (truth,) = code_columns({"y_true": y_true}, labels)
    shape = (truth.size, len(classes))
    tables = collect(
        partial(check_vectors, vectors[system], f"vectors[{system!r}]", shape) for system in systems
    )
    sums = vector_sums(truth, tables)
    return VectorScores.from_sums(
        systems=systems,
        classes=classes,
        items=dict(zip(classes, sums.items, strict=True)),
        sums={
            (rule, systems[j], of): total
            for (rule, j), totals in sums.sums.items()
            for of, total in zip(classes, totals, strict=True)
        },
        products={
            (rule, systems[i], systems[j], of): total
            for (rule, i, j), totals in sums.products.items()
            for of, total in zip(classes, totals, strict=True)
        },
        infinite={
            (systems[j], of): rows
            for j, counts in sums.infinite.items()
            for of, rows in zip(classes, counts, strict=True)
        },
    )


def _columns(given: object) -> Sequence[object]:
    return list(given.values()) if isinstance(given, Mapping) else []


def _weight_sums(
    sample_weight: ArrayLike, places: NDArray[np.intp], groups: int
) -> list[WeightSums]:
    weights = check_weights(sample_weight, places.size)
    sums = exact_sums(places, round_to_scale(weights), groups)
    squares = exact_sums(places, round_to_scale(weights * weights), groups)
    return [WeightSums(*pair) for pair in zip(sums, squares, strict=True)]


def _sum_scaled(
    places: NDArray[np.intp], weights: NDArray[np.float64], groups: int
) -> NDArray[np.int64]:
    sums = exact_sums(places, round_to_scale(weights), groups)
    if sum(sums) >= LARGEST_SCALED:
        fault = Fault(
            code="weight-too-large",
            where="sample_weight",
            found="the weights of one side add up to 2^32 or more.",
            fix="Divide all weights by one number; shares do not change.",
        )
        refuse([fault])
    return np.array(sums, dtype=np.int64)

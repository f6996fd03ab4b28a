"""Measures of many tables at once: what a bootstrap asks for thousands of times."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import Confusion, ScoreTable
from steelyard.errors import RequestError, SteelyardError, switch
from steelyard.measures.catalogue.measure import Measure
from steelyard.measures.tables.estimates import table_value
from steelyard.measures.tables.formulas import Margins

__all__ = ["score_measure", "table_measure"]

Floats: TypeAlias = NDArray[np.float64]
Whole: TypeAlias = NDArray[np.int64]
Batch: TypeAlias = Callable[[NDArray[Any]], Floats]
ScoreBatch: TypeAlias = Callable[[Floats, Whole, Whole], Floats]


def table_measure(
    entry: Measure, classes: Sequence[str], *, of: str | None = None, **asked: object
) -> Batch:
    """Give a measure of the catalogue as a function of tables of shape (draws, K, K).

    Measures with a formula are computed for all tables together, the others one table after the
    other; NaN where the measure is undefined.

    Examples
    --------
    >>> from steelyard.measures.catalogue.listing import catalogue_entry
    >>> tables = np.array([[[8, 2], [1, 9]], [[0, 0], [1, 9]]])
    >>> table_measure(catalogue_entry("recall"), ["ill", "well"], of="ill")(tables).tolist()
    [0.8, nan]
    """
    if entry.counts != "Confusion":
        _check_batches(entry)
        message = (
            f"{entry.name} is computed from {entry.computed_from}, and these systems give classes. "
            "Choose a measure of called classes; `steelyard catalogue` lists all."
        )
        raise RequestError(message)
    if entry.of_class and (of is None or of not in classes):
        other = "" if of is None else f", and of={of!r} names none of these items"
        message = (
            f"{entry.name} is about one class{other}. Type "
            f"{switch('positive', str(classes[0]))}, or choose an average such as macro F1."
        )
        raise RequestError(message)
    _check_needs(entry, asked)
    if entry.formula is not None:
        place = list(classes).index(of) if entry.of_class and of is not None else 0
        return lambda tables: np.asarray(
            table_value(entry, Margins.of_tables(tables.astype(np.float64), place), **asked)
        )
    named: dict[str, object] = {"of": of, **asked} if entry.of_class else dict(asked)

    def one_by_one(tables: Whole) -> Floats:
        return np.array(
            [
                _value(entry, Confusion.from_matrix(table, classes=classes), named)
                for table in tables.tolist()
            ]
        )

    return one_by_one


def score_measure(entry: Measure, positive: str, **asked: object) -> ScoreBatch:
    """Give a measure of the catalogue as a function of scores and counts at each.

    Examples
    --------
    >>> from steelyard.measures.catalogue.listing import catalogue_entry
    >>> area = score_measure(catalogue_entry("AUC"), "ship")
    >>> area(np.array([0.1, 0.5]), np.array([[0, 3]]), np.array([[4, 1]])).tolist()
    [0.9]
    """
    if entry.counts != "ScoreTable":
        _check_batches(entry)
        hint = (
            f"{switch('threshold', '0.5')} turns scores into calls."
            if entry.counts == "Confusion"
            else "Choose a measure of scores; `steelyard catalogue` lists all."
        )
        message = (
            f"{entry.name} is computed from {entry.computed_from}, and these systems give scores. "
            f"{hint}"
        )
        raise RequestError(message)
    _check_needs(entry, asked)
    _check_batches(entry)
    if entry.formula is not None:
        return entry.formula

    def one_by_one(scores: Floats, positives: Whole, negatives: Whole) -> Floats:
        found = []
        for hits, misses in zip(positives, negatives, strict=True):
            held = hits + misses > 0
            table = ScoreTable.from_counts(
                scores[held], hits[held], misses[held], positive=positive
            )
            found.append(_value(entry, table, asked))
        return np.array(found)

    return one_by_one


def _check_batches(entry: Measure) -> None:
    if "batches" in entry.unfit:
        others = "AUC or Cllr" if entry.counts == "ScoreTable" else "accuracy or kappa"
        message = f"{entry.name} is not compared: {entry.unfit['batches']}. Compare {others}."
        raise RequestError(message)


def _check_needs(entry: Measure, asked: Mapping[str, object]) -> None:
    missing = sorted(set(entry.needs) - {"of"} - set(asked))
    if missing:
        message = f"{entry.name} also needs {', '.join(missing)}, which a comparison is not given."
        raise RequestError(message)


def _value(entry: Measure, counts: Any, named: Mapping[str, Any]) -> float:  # noqa: ANN401
    try:
        found = entry.function(counts, **named)
    except SteelyardError:
        return float("nan")
    value = getattr(found, "value", getattr(found, "score", found))
    return float("nan") if value is None else float(value)

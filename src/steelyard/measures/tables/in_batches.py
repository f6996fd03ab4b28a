"""Measures of many tables at once: what a bootstrap asks for thousands of times."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import Confusion, ScoreTable
from steelyard.errors import RequestError, SteelyardError, switch
from steelyard.measures.catalogue.listing import CatalogueEntry
from steelyard.measures.tables.cluster_formulas import CLUSTERED, Margins

__all__ = ["SCORE_BATCHES", "TABLE_BATCHES", "score_measure", "table_measure"]

Floats: TypeAlias = NDArray[np.float64]
Whole: TypeAlias = NDArray[np.int64]
Batch: TypeAlias = Callable[[NDArray[Any]], Floats]
ScoreBatch: TypeAlias = Callable[[Floats, Whole, Whole], Floats]


def table_measure(
    entry: CatalogueEntry, classes: Sequence[str], *, of: str | None = None, **asked: object
) -> Batch:
    """Give a measure of the catalogue as a function of tables of shape (draws, K, K).

    Measures with a formula in :data:`TABLE_BATCHES` are computed for all tables together, the
    others one table after the other; NaN where the measure is undefined.

    Examples
    --------
    >>> from steelyard.measures.catalogue.listing import catalogue_entry
    >>> tables = np.array([[[8, 2], [1, 9]], [[0, 0], [1, 9]]])
    >>> table_measure(catalogue_entry("recall"), ["ill", "well"], of="ill")(tables).tolist()
    [0.8, nan]
    """
    if entry.counts != "Confusion":
        message = (
            f"{entry.name} is computed from {entry.counts}, not from the calls of each system. "
            "Choose a measure of calls; `steelyard catalogue` lists all."
        )
        raise RequestError(message)
    if "of" in entry.needs and (of is None or of not in classes):
        other = "" if of is None else f", and of={of!r} names none of these items"
        message = (
            f"{entry.name} speaks of one class{other}. Type "
            f"{switch('positive', str(classes[0]))}, or choose an average such as macro F1."
        )
        raise RequestError(message)
    missing = sorted(set(entry.needs) - {"of"} - set(asked))
    if missing:
        message = f"{entry.name} also needs {', '.join(missing)}, which a comparison is not given."
        raise RequestError(message)
    if entry.name in TABLE_BATCHES:
        place = None if of is None else list(classes).index(of)
        return lambda tables: _quietly(TABLE_BATCHES[entry.name], tables, place)
    named: dict[str, object] = {"of": of, **asked} if "of" in entry.needs else dict(asked)

    def one_by_one(tables: Whole) -> Floats:
        return np.array(
            [
                _value(entry, Confusion.from_matrix(table, classes=classes), named)
                for table in tables.tolist()
            ]
        )

    return one_by_one


def score_measure(entry: CatalogueEntry, positive: str, **asked: object) -> ScoreBatch:
    """Give a measure of the catalogue as a function of scores and counts at each.

    Examples
    --------
    >>> from steelyard.measures.catalogue.listing import catalogue_entry
    >>> area = score_measure(catalogue_entry("AUC"), "ship")
    >>> area(np.array([0.1, 0.5]), np.array([[0, 3]]), np.array([[4, 1]])).tolist()
    [0.9]
    """
    if entry.counts != "ScoreTable":
        message = (
            f"{entry.name} is computed from {entry.counts}, and these systems give scores. "
            f"{switch('threshold', '0.5')} turns scores into calls."
        )
        raise RequestError(message)
    missing = sorted(set(entry.needs) - set(asked))
    if missing:
        message = f"{entry.name} also needs {', '.join(missing)}, which a comparison is not given."
        raise RequestError(message)
    if entry.name in SCORE_BATCHES:
        return SCORE_BATCHES[entry.name]

    def one_by_one(scores: Floats, positives: Whole, negatives: Whole) -> Floats:
        found = []
        for hits, misses in zip(positives, negatives, strict=True):
            table = ScoreTable.from_counts(
                scores[hits + misses > 0],
                hits[hits + misses > 0],
                misses[hits + misses > 0],
                positive=positive,
            )
            found.append(_value(entry, table, dict(asked)))
        return np.array(found)

    return one_by_one


def _value(entry: CatalogueEntry, counts: Any, named: Mapping[str, Any]) -> float:  # noqa: ANN401
    try:
        found = entry.function(counts, **named)
    except SteelyardError:
        return float("nan")
    value = getattr(found, "value", getattr(found, "score", found))
    return float("nan") if value is None else float(value)


def _quietly(
    formula: Callable[[Floats, int | None], Floats], tables: Whole, place: int | None
) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        found = formula(tables.astype(np.float64), place)
    return np.where(np.isfinite(found), found, np.nan)


def _four(tables: Floats, place: int | None) -> tuple[Floats, Floats, Floats, Floats]:
    of = 0 if place is None else place
    hits = tables[:, of, of]
    true, called = tables[:, of, :].sum(axis=1), tables[:, :, of].sum(axis=1)
    total = tables.sum(axis=(1, 2))
    return hits, called - hits, true - hits, total - true - called + hits


def _share(
    top: Callable[..., Floats], bottom: Callable[..., Floats]
) -> Callable[[Floats, int | None], Floats]:
    def formula(tables: Floats, place: int | None) -> Floats:
        cells = _four(tables, place)
        return top(*cells) / bottom(*cells)

    return formula


def _margins(tables: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Right answers of each class, true and called totals of each class, all items."""
    right = np.diagonal(tables, axis1=1, axis2=2)
    return right, tables.sum(axis=2), tables.sum(axis=1), tables.sum(axis=(1, 2))


def _accuracy(tables: Floats, _: int | None) -> Floats:
    right, _true, _called, total = _margins(tables)
    return np.asarray(right.sum(axis=1) / total)


def _balanced(tables: Floats, _: int | None) -> Floats:
    right, true, _called, _total = _margins(tables)
    return np.asarray((right / true).mean(axis=1))


def _kappa(tables: Floats, _: int | None) -> Floats:
    right, true, called, total = _margins(tables)
    chance = (true * called).sum(axis=1) / total**2
    return np.asarray((right.sum(axis=1) / total - chance) / (1 - chance))


def _mcc(tables: Floats, _: int | None) -> Floats:
    right, true, called, total = _margins(tables)
    top = total * right.sum(axis=1) - (true * called).sum(axis=1)
    left, under = total**2 - (called**2).sum(axis=1), total**2 - (true**2).sum(axis=1)
    return np.asarray(top / np.sqrt(left * under))


def _weighted_f1(tables: Floats, _: int | None) -> Floats:
    right, true, called, total = _margins(tables)
    each = np.divide(2 * right, true + called, out=np.zeros_like(right), where=true + called > 0)
    return np.asarray((each * true).sum(axis=1) / total)


def _macro(kind: str) -> Callable[[Floats, int | None], Floats]:
    """Mean of a share over the classes that have one."""

    def formula(tables: Floats, _: int | None) -> Floats:
        right, true, called, _total = _margins(tables)
        below = {"recall": true, "precision": called, "f1": (true + called) / 2}[kind]
        each = np.divide(right, below, out=np.zeros_like(right), where=below > 0)
        return np.asarray(each.sum(axis=1) / (below > 0).sum(axis=1))

    return formula


def _f(beta: float) -> Callable[[Floats, int | None], Floats]:
    square = beta * beta
    return _share(
        lambda tp, fp, fn, tn: (1 + square) * tp,
        lambda tp, fp, fn, tn: (1 + square) * tp + square * fn + fp,
    )


def _declared(name: str) -> Callable[[Floats, int | None], Floats]:
    """Take a formula from where it is declared for clusters."""

    def formula(tables: Floats, place: int | None) -> Floats:
        right, true, called, _total = _margins(tables)
        return np.asarray(CLUSTERED[name][0](Margins(right, true, called), place or 0))

    return formula


TABLE_BATCHES: dict[str, Callable[[Floats, int | None], Floats]] = {
    "accuracy": _accuracy,
    "recall": _share(lambda tp, fp, fn, tn: tp, lambda tp, fp, fn, tn: tp + fn),
    "precision": _share(lambda tp, fp, fn, tn: tp, lambda tp, fp, fn, tn: tp + fp),
    "specificity": _share(lambda tp, fp, fn, tn: tn, lambda tp, fp, fn, tn: tn + fp),
    "negative predictive value": _share(lambda tp, fp, fn, tn: tn, lambda tp, fp, fn, tn: tn + fn),
    "false positive rate": _share(lambda tp, fp, fn, tn: fp, lambda tp, fp, fn, tn: tn + fp),
    "false negative rate": _share(lambda tp, fp, fn, tn: fn, lambda tp, fp, fn, tn: tp + fn),
    "false discovery rate": _share(lambda tp, fp, fn, tn: fp, lambda tp, fp, fn, tn: tp + fp),
    "false omission rate": _share(lambda tp, fp, fn, tn: fn, lambda tp, fp, fn, tn: tn + fn),
    "F1": _f(1.0),
    "F2": _f(2.0),
    "balanced accuracy": _balanced,
    "informedness": lambda tables, place: (
        TABLE_BATCHES["recall"](tables, place) + TABLE_BATCHES["specificity"](tables, place) - 1
    ),
    "markedness": lambda tables, place: (
        TABLE_BATCHES["precision"](tables, place)
        + TABLE_BATCHES["negative predictive value"](tables, place)
        - 1
    ),
    "MCC": _mcc,
    "kappa": _kappa,
    "macro F1": _macro("f1"),
    "macro recall": _macro("recall"),
    "macro precision": _macro("precision"),
    "weighted F1": _weighted_f1,
    "micro F1": _accuracy,
    "weighted precision": _declared("weighted precision"),
    "positive likelihood ratio": _declared("positive likelihood ratio"),
    "negative likelihood ratio": _declared("negative likelihood ratio"),
    "diagnostic odds ratio": _declared("diagnostic odds ratio"),
}
"""Formulas for many tables at once, by the name in the catalogue."""


def _area(scores: Floats, positives: Whole, negatives: Whole) -> Floats:
    below = np.cumsum(negatives, axis=1) - negatives / 2
    return np.asarray(
        (positives * below).sum(axis=1) / (positives.sum(axis=1) * negatives.sum(axis=1))
    )


def _distance(scores: Floats, positives: Whole, negatives: Whole) -> Floats:
    shares = [np.cumsum(side, axis=1) / side.sum(axis=1, keepdims=True)
              for side in (positives, negatives)]  # fmt: skip
    return np.asarray(np.abs(shares[0] - shares[1]).max(axis=1))


SCORE_BATCHES: dict[str, ScoreBatch] = {
    "AUC": _area,
    "Gini": lambda scores, positives, negatives: 2 * _area(scores, positives, negatives) - 1,
    "KS distance": _distance,
}
"""Formulas for many tables of scores at once, by the name in the catalogue."""

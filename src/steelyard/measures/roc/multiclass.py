"""Areas for more than two classes: one against the rest, and Hand and Till's M."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steelyard.counts import ScoreTable
from steelyard.counts.columns import score_column
from steelyard.errors import CountsError, RequestError, listing
from steelyard.measures.roc.areas import auc
from steelyard.measures.roc.class_area_spread import (
    hand_till_parts,
    one_against_rest_parts,
    with_interval,
)
from steelyard.results.estimates import Estimate

__all__ = ["Weighing", "hand_till", "one_against_rest", "rest_areas"]

Weighing = Literal["equal", "prevalence"]
"""Does every class (or pair) count the same, or by its items?"""


def one_against_rest(
    tables: Mapping[str, ScoreTable], *, weighing: Weighing = "equal", level: float = 0.95
) -> tuple[Estimate, tuple[Estimate, ...]]:
    """Mean of the areas of each class against all others.

    In [0, 1], larger is better, 1/2 is chance; undefined when a class has no area. Depends on how
    common classes are, because "the rest" does; :func:`hand_till` with equal weights does not.

    Parameters
    ----------
    tables : mapping of class to ScoreTable
        Each table scores its class against the rest.
    weighing : {"equal", "prevalence"}
        Whether each class counts the same or by its items.
    level : float
        Coverage of the intervals of the single areas; for that of the mean see :func:`rest_areas`.

    Returns
    -------
    mean, single : Estimate, tuple of Estimate
        The mean, and the areas it was taken of, in the order of the mapping.

    References
    ----------
    .. [1] Provost & Domingos (2003), Machine Learning 52, 199-215, doi:10.1023/A:1024099825458.

    Examples
    --------
    >>> tables = {"a": ScoreTable.from_scores([3, 4], [1, 2]),
    ...           "b": ScoreTable.from_scores([3, 1], [1, 2])}
    >>> one_against_rest(tables)[0].value
    0.8125
    """
    _check_weighing(weighing)
    if not tables:
        message = "No class is named; pass a mapping of class to score table."
        raise CountsError(message, code="no-classes")
    areas = tuple(auc(table, level=level) for table in tables.values())
    values = [one.value for one in areas]
    missing = [name for name, value in zip(tables, values, strict=True) if value is None]
    items = sum(table.positive_total for table in tables.values())
    if missing:
        reason = f"no area for {listing(missing)}: {areas[values.index(None)].reason}"
        mean = Estimate(measure=_named("OvR", weighing), value=None, reason=reason, items=items)
        return mean, areas
    known = [value for value in values if value is not None]
    sizes = [table.positive_total if weighing == "prevalence" else 1 for table in tables.values()]
    value = sum(w * v for w, v in zip(sizes, known, strict=True)) / sum(sizes)
    return Estimate(measure=_named("OvR", weighing), value=value, items=items), areas


def hand_till(
    y_true: ArrayLike,
    vectors: ArrayLike,
    *,
    classes: Sequence[object],
    weighing: Weighing = "equal",
    level: float = 0.95,
) -> Estimate:
    r"""Hand and Till's M: the mean area over all pairs of classes.

    :math:`\frac{2}{K(K-1)}\sum_{i<j}\tfrac12(A(i|j)+A(j|i))`, where :math:`A(i|j)` ranks items of
    the two classes by their number for class i [1]_. In [0, 1], larger is better, 1/2 is chance;
    with equal weights it does not depend on how common the classes are.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        The true classes.
    vectors : array_like of shape (n, K)
        One number for each class, larger meaning more like it.
    classes : sequence
        The K classes in the order of the columns.
    weighing : {"equal", "prevalence"}
        Whether each pair counts the same or by its items.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Returns
    -------
    Estimate
        The interval is on the log odds, from what every item adds to M within its class, as
        DeLong's for two classes; class sizes are taken as fixed.

    References
    ----------
    .. [1] Hand & Till (2001), Machine Learning 45, 171-186, doi:10.1023/A:1010920819831.

    Examples
    --------
    >>> vectors = [[0.8, 0.1, 0.1], [0.2, 0.5, 0.3], [0.4, 0.3, 0.3], [0.2, 0.2, 0.6]]
    >>> hand_till(["a", "b", "b", "c"], vectors, classes=["a", "b", "c"]).value
    1.0
    """
    _check_weighing(weighing)
    truth = np.asarray(y_true)
    numbers = score_column(vectors, "vectors")
    if numbers.ndim != 2 or numbers.shape != (truth.size, len(classes)):
        message = (
            f"Vectors of shape {numbers.shape} for {truth.size} items and {len(classes)} classes; "
            "expected a row for each item and a column for each class."
        )
        raise CountsError(message, code="lengths-differ")
    members = _members(truth, classes)
    if sum(one.size for one in members) != truth.size:
        message = f"Some items are of none of the classes {listing(list(classes))}, or of two."
        raise CountsError(message, code="class-unknown")
    empty = [name for name, one in zip(classes, members, strict=True) if not one.size]
    measure = _named("Hand-Till", weighing)
    if empty or len(classes) < 2:
        what = f"no item is of class {listing(empty)}" if empty else "there is a single class"
        return Estimate(measure=measure, value=None, reason=what, items=int(truth.size))
    of = np.array([one.size for one in members])
    sizes = of[:, None] + of if weighing == "prevalence" else np.ones((of.size, of.size))
    one, two = np.triu_indices(of.size, 1)
    weights = sizes / (2 * sizes[one, two].sum())
    np.fill_diagonal(weights, 0)
    areas, parts = hand_till_parts(numbers.astype(np.float64), members, weights)
    value = float(np.average((areas[one, two] + areas[two, one]) / 2, weights=sizes[one, two]))
    plain = Estimate(measure=measure, value=value, items=int(truth.size))
    return with_interval(plain, parts, members, level=level)


def rest_areas(
    y_true: ArrayLike,
    vectors: ArrayLike,
    *,
    classes: Sequence[object],
    weighing: Weighing = "equal",
    level: float = 0.95,
) -> Estimate:
    """Mean of the areas of each class against all others, from the vectors of the items.

    The value is that of :func:`one_against_rest`; which item stands in which area is known here,
    so that the mean has an interval, as :func:`hand_till` does.

    Parameters as there.

    References
    ----------
    .. [1] Provost & Domingos (2003), Machine Learning 52, 199-215, doi:10.1023/A:1024099825458.

    Examples
    --------
    >>> vectors = [[0.8, 0.1, 0.1], [0.2, 0.5, 0.3], [0.4, 0.3, 0.3], [0.2, 0.2, 0.6]]
    >>> rest_areas(["a", "b", "b", "c"], vectors, classes=["a", "b", "c"]).value
    1.0
    """
    truth, numbers = np.asarray(y_true), score_column(vectors, "vectors").astype(np.float64)
    members = _members(truth, classes)
    if not all(0 < one.size < truth.size for one in members):
        tables = {
            str(name): ScoreTable.from_scores(numbers[own, i], np.delete(numbers[:, i], own))
            for i, (name, own) in enumerate(zip(classes, members, strict=True))
        }
        return one_against_rest(tables, weighing=weighing)[0]
    _check_weighing(weighing)
    sizes = [one.size if weighing == "prevalence" else 1 for one in members]
    areas, parts = one_against_rest_parts(numbers, members, np.array(sizes) / sum(sizes))
    value = sum(w * v for w, v in zip(sizes, areas, strict=True)) / sum(sizes)
    items = sum(one.size for one in members)
    plain = Estimate(measure=_named("OvR", weighing), value=value, items=items)
    return with_interval(plain, parts, members, level=level)


def _members(truth: NDArray[Any], classes: Sequence[object]) -> list[NDArray[np.intp]]:
    """Find the items of every class; sorted once, so that many classes cost little more."""
    if truth.dtype == object or truth.ndim != 1:
        return [np.flatnonzero(truth == name) for name in classes]
    names, places = np.unique(truth, return_inverse=True)
    order = np.argsort(places, kind="stable")
    ends = np.cumsum(np.bincount(places, minlength=names.size))[:-1]
    rows = dict(zip(names.tolist(), np.split(order, ends), strict=True))
    none = np.empty(0, dtype=np.intp)
    return [rows.get(name, none) for name in classes]


def _named(what: str, weighing: Weighing) -> str:
    return f"AUC ({what}, {'equal weights' if weighing == 'equal' else 'by prevalence'})"


def _check_weighing(weighing: str) -> None:
    if weighing not in {"equal", "prevalence"}:
        raise RequestError.for_choice(
            name="weighing", given=weighing, choices=("equal", "prevalence")
        )

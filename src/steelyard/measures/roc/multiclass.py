"""Areas for more than two classes: one against the rest, and Hand and Till's M."""

from collections.abc import Mapping, Sequence
from math import inf, sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steelyard.counts import ScoreTable
from steelyard.counts.columns import score_column
from steelyard.counts.row_names import refuse_other_rows
from steelyard.errors import CountsError, RequestError, listing
from steelyard.measures.roc.areas import auc
from steelyard.results.estimates import Estimate, Interval
from steelyard.uncertainty import AreaSpread, placement_interval

__all__ = [
    "Weighing",
    "hand_till",
    "hand_till_parts",
    "one_against_rest",
    "one_against_rest_parts",
    "rest_areas",
    "with_interval",
]

# How areas over many classes vary: what every item adds to them, and the interval that follows


Floats = NDArray[np.float64]
Members = Sequence[NDArray[np.intp]]
ALONE = "a class has a single item, which does not show how its scores vary"


def hand_till_parts(numbers: Floats, members: Members, weights: Floats) -> tuple[Floats, Floats]:
    """Give every area A(i|j), and say what every item adds to Hand and Till's M.

    An item of class i stands in A(i|j) as one of its own and in A(j|i) as one of the others, and
    adds to both; the parts of the items of one class vary on their own. ``weights[i, j]`` is that
    of A(i|j). One pass for each class places all items among its own, so that time is linear in
    classes and items, although there is an area for every two classes.
    """
    sizes = np.array([own.size for own in members])
    areas = np.zeros((sizes.size, sizes.size))
    parts = np.zeros(numbers.shape[0])
    of = np.empty(numbers.shape[0], dtype=np.intp)
    for i, own in enumerate(members):
        of[own] = i
    for i, own in enumerate(members):
        won = _add(parts, numbers[:, i], own, weights[i, of] / sizes[of])
        areas[i] = np.bincount(of, won, sizes.size) / (2 * own.size * sizes)
    return areas, parts


def one_against_rest_parts(
    numbers: Floats, members: Members, weights: Floats
) -> tuple[list[float], Floats]:
    """Give the area of each class against the rest, and what every item adds to their mean."""
    items = numbers.shape[0]
    areas, parts = [], np.zeros(items)
    for i, own in enumerate(members):
        shares = np.full(items, float(weights[i]) / (items - own.size))
        shares[own] = 0.0
        won = _add(parts, numbers[:, i], own, shares)
        won[own] = 0.0
        areas.append(float(won.sum()) / (2 * own.size * (items - own.size)))
    return areas, parts


def with_interval(plain: Estimate, parts: Floats, members: Members, *, level: float) -> Estimate:
    r"""Give an area its interval, the classes taken as strata.

    The variance is the sum over classes of :math:`n_c s_c^2` with :math:`s_c^2` the sample
    variance of what the items of the class add, as DeLong's is for two. The interval is
    :func:`~steelyard.uncertainty.placement_interval` with the two smallest classes as the units of
    which one may be unseen: no other pair of classes can show less. Of classes of one size the one
    that varies less comes first, so that the order in which classes are named changes nothing.
    """
    if plain.value is None:
        return plain
    seen = sorted(
        (one.size, one.size * float(np.var(parts[one], ddof=1)) if one.size > 1 else 0.0)
        for one in members
    )
    sizes, strata = [size for size, _ in seen], [part for _, part in seen]
    variance, rest = sum(strata), sum(strata[2:])
    doubt = sum(part**2 / max(size - 1, 1) for part, size in zip(strata, sizes, strict=True))
    spread = AreaSpread(
        area=plain.value,
        positives=sizes[0],
        negatives=sizes[1],
        positive_variance=(strata[0] + rest / 2) * sizes[0],
        negative_variance=(strata[1] + rest / 2) * sizes[1],
        freedom=variance**2 / doubt if doubt > 0 else inf,
    )
    low, high = placement_interval(spread, level=level)
    ends = Interval(low=low, high=high, level=level, method="placement")
    return _replace(plain, ends, sqrt(variance) or None, ALONE if sizes[0] < 2 else None)


def _replace(
    plain: Estimate, ends: Interval | None, error: float | None, doubt: str | None
) -> Estimate:
    return Estimate(
        measure=plain.measure,
        value=plain.value,
        interval=ends,
        standard_error=error,
        items=plain.items,
        caveats=(*plain.caveats, *((doubt,) if doubt else ())),
    )


def _add(parts: Floats, scores: Floats, own: NDArray[np.intp], shares: Floats) -> Floats:
    """Add what each item brings to the areas of one class, and give the pairs won, twice.

    ``shares`` says what every other item weighs in them, and is 0 for the items of the class. All
    scores are placed once among those of the class: a score lies below the k-th of them when at
    most k of them lie below it or at it, so that sums over places are all that the class needs.
    """
    order = np.argsort(scores[own], kind="stable")
    ranked = scores[own][order]
    below = np.searchsorted(ranked, scores, side="left")
    upto = np.searchsorted(ranked, scores, side="right")
    won: Floats = (2 * own.size - below - upto).astype(np.float64)
    parts += shares * (won / (2 * own.size))
    less = np.cumsum(np.bincount(upto, shares, own.size + 1))[:-1]
    same = np.cumsum(np.bincount(below, shares, own.size + 1))[:-1]
    parts[own[order]] += (less + same) / (2 * own.size)
    return won


# --- areas for more than two classes: one against the rest, and Hand and Till's M ----------------


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
        mean = Estimate(measure=_name("OvR", weighing), value=None, reason=reason, items=items)
        return mean, areas
    known = [value for value in values if value is not None]
    sizes = [table.positive_total if weighing == "prevalence" else 1 for table in tables.values()]
    value = sum(w * v for w, v in zip(sizes, known, strict=True)) / sum(sizes)
    return Estimate(measure=_name("OvR", weighing), value=value, items=items), areas


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
    refuse_other_rows({"y_true": y_true, "vectors": vectors})
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
    measure = _name("Hand-Till", weighing)
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
    refuse_other_rows({"y_true": y_true, "vectors": vectors})
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
    plain = Estimate(measure=_name("OvR", weighing), value=value, items=items)
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


def _name(what: str, weighing: Weighing) -> str:
    return f"AUC ({what}, {'equal weights' if weighing == 'equal' else 'by prevalence'})"


def _check_weighing(weighing: str) -> None:
    if weighing not in {"equal", "prevalence"}:
        raise RequestError.for_choice(
            name="weighing", given=weighing, choices=("equal", "prevalence")
        )

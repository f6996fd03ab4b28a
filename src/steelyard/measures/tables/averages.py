"""Recall, precision and F1 over all classes: macro, weighted and micro averages."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import Confusion, WeightSums
from steelyard.errors import RequestError, listing
from steelyard.measures.catalogue.listing import CATALOGUE
from steelyard.measures.catalogue.measure import say_reason
from steelyard.measures.tables.detection import recall_and_precision
from steelyard.measures.tables.made_up_items import (
    Formula,
    Slopes,
    Square,
    adjust_limits,
    cell_slopes,
    square_of,
)
from steelyard.measures.tables.shares import (
    NO_ITEMS,
    check_class,
    declare_share,
    effective_cells,
    row_share,
    row_sums,
    weight_caveats,
)
from steelyard.measures.tables.useless import always_one_class
from steelyard.results.estimates import Estimate, Interval
from steelyard.results.measured import Measured
from steelyard.uncertainty import (
    delta_variance,
    mover_interval,
    normal_quantile,
    ratio_score_interval,
)
from steelyard.uncertainty.delta import NOTHING_VARIES

__all__ = ["Averaged", "Averaging", "average", "f1", "f_beta"]

# --- one number for recall and precision together ------------------------------------------------


def f_beta(confusion: Confusion, *, of: str, beta: float = 1.0, level: float = 0.95) -> Estimate:
    r"""Weighted harmonic mean of recall and precision.

    :math:`F_\beta=\frac{(1+\beta^2)tp}{(1+\beta^2)tp+\beta^2fn+fp}` [1]_: recall counts
    :math:`\beta` times as much as precision. In [0, 1], larger is better, undefined when the class
    is neither true nor called anywhere.

    Parameters
    ----------
    confusion : Confusion
        Rows by truth and called class, weighted or not.
    of : str
        The class that was to be found.
    beta : float
        Above 0; 1 weighs both alike.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Notes
    -----
    The interval inverts the score test of a ratio of cell shares
    (:func:`~steelyard.uncertainty.ratio_score_interval`), so it has width at 0 and 1 as well; for
    :math:`\beta=1` it is Wilson's interval of :math:`tp/(tp+fp+fn)`, transformed. True negatives do
    not enter: a system that finds a rare class is judged alike among 100 or a million others.

    References
    ----------
    .. [1] van Rijsbergen (1979), Information Retrieval, Butterworths, chapter 7.
    .. [2] Takahashi, Yamamoto, Kuchiba & Koyama (2022), Applied Intelligence 52, 4961-4972,
       doi:10.1007/s10489-021-02635-5.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> round(f_beta(table, of="cat", beta=2).value, 4)
    0.8163
    """
    normal_quantile(level)
    check_class(confusion, of)
    if not 0 < beta < float("inf"):
        message = f"beta={beta!r} is not above 0 and finite; beta=2 counts recall twice as much."
        raise RequestError(message)
    name = "F1" if beta == 1 else f"F{beta:g}"
    caveats = always_one_class(confusion)
    tp, fp, fn = _cells(confusion, of)
    if tp + fp + fn == 0:
        reason = say_reason("no-true-or-called", of=of)
        return Estimate(measure=name, value=None, reason=reason, of=of, caveats=caveats)
    square = beta * beta
    top, bottom = [1 + square, 0.0, 0.0], [1 + square, 1.0, square]
    low, high = ratio_score_interval([tp, fp, fn], top, bottom, level=level)
    return Estimate(
        measure=name,
        value=(1 + square) * tp / ((1 + square) * tp + fp + square * fn),
        interval=Interval(low=low, high=high, level=level, method="multinomial-score"),
        of=of,
        items=confusion.total,
        caveats=(*weight_caveats(confusion, lambda t, c: of in {t, c}), *caveats),
    )


def f1(confusion: Confusion, *, of: str, level: float = 0.95) -> Estimate:
    r"""Harmonic mean of recall and precision: :math:`2tp/(2tp+fp+fn)`; see :func:`f_beta`.

    References
    ----------
    .. [1] van Rijsbergen (1979), Information Retrieval, Butterworths, chapter 7.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> round(f1(table, of="cat").value, 4)
    0.8421
    """
    return f_beta(confusion, of=of, level=level)


def _cells(confusion: Confusion, of: str) -> tuple[float, float, float]:
    """Rows (or effective rows) that hit, alarm falsely and miss."""
    cells = [(t, c, float(rows)) for t, c, rows in confusion.cells]
    if confusion.weights is not None:
        sums = row_sums(confusion, lambda t, c: of in {t, c})
        unit = sums.effective / sums.scaled if sums.scaled else 0.0
        cells = [(t, c, unit * w.scaled) for t, c, w in confusion.weights]
    return (
        sum(rows for t, c, rows in cells if t == of and c == of),
        sum(rows for t, c, rows in cells if t != of and c == of),
        sum(rows for t, c, rows in cells if t == of and c != of),
    )


# --- recall, precision and F1 over all classes: macro, weighted and micro averages ---------------


Averaging = Literal["macro", "weighted", "micro"]
Averaged = Literal["recall", "precision", "f1"]
Cells = dict[tuple[str, str], float]

MEASURES: tuple[Averaged, ...] = ("recall", "precision", "f1")
AVERAGINGS: tuple[Averaging, ...] = ("macro", "weighted", "micro")


@dataclass(frozen=True, slots=True)
class Margins:
    """Shares of cells, of true classes and of called classes."""

    cells: Cells
    truths: dict[str, float]
    calls: dict[str, float]

    def value(self, measure: Averaged, name: str) -> float | None:
        """Measure one class; None where it is undefined."""
        hit = self.cells.get((name, name), 0.0)
        true, called = self.truths.get(name, 0.0), self.calls.get(name, 0.0)
        below = {"recall": true, "precision": called, "f1": (true + called) / 2}[measure]
        return hit / below if below else None


def average(
    confusion: Confusion,
    measure: Averaged = "f1",
    *,
    averaging: Averaging = "macro",
    level: float = 0.95,
) -> Measured:
    r"""Mean of a measure over the classes.

    ``macro``: every class counts the same; ``weighted``: by how often a class is true; ``micro``:
    all decisions pooled, which for one call per item is accuracy. In [0, 1], larger is better;
    undefined without items.

    Parameters
    ----------
    confusion : Confusion
        Rows by truth and called class, weighted or not.
    measure : {"recall", "precision", "f1"}
        What is averaged.
    averaging : {"macro", "weighted", "micro"}
        How.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Returns
    -------
    Proportion or Estimate
        Classes for which the measure is undefined are left out, never counted as 0, and named in
        a caveat.

    Notes
    -----
    Recalls (and precisions) of different classes come from different items, so their Wilson limits
    are joined as in :func:`~steelyard.uncertainty.mover_interval`. Averages of F1, and weighted
    precision, have the multinomial standard error to first order [1]_; their interval is that of
    the table with :math:`z^2` made-up items, half of them right, as Agresti and Coull do for a
    share [3]_: few items of a class do not make it too short, and it always has width. Weighted
    recall is accuracy.

    References
    ----------
    .. [1] Takahashi, Yamamoto, Kuchiba & Koyama (2022), Applied Intelligence 52, 4961-4972,
       doi:10.1007/s10489-021-02635-5.
    .. [2] Sokolova & Lapalme (2009), Information Processing and Management 45, 427-437,
       doi:10.1016/j.ipm.2009.03.002.
    .. [3] Agresti & Coull (1998), The American Statistician 52, 119-126,
       doi:10.1080/00031305.1998.10480550.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]])
    >>> round(average(table, "f1").value, 4)
    0.8496
    """
    normal_quantile(level)
    if measure not in MEASURES:
        raise RequestError.for_choice("measure", measure, MEASURES)  # noqa: EM101
    if averaging not in AVERAGINGS:
        raise RequestError.for_choice("averaging", averaging, AVERAGINGS)  # noqa: EM101
    name = f"{averaging} {'F1' if measure == 'f1' else measure}"
    if averaging == "micro" or (averaging == "weighted" and measure == "recall"):
        wanted = declare_share(CATALOGUE["accuracy"], name=name)
        return row_share(confusion, wanted, level=level)
    margins = _margins(confusion)
    defined = [one for one in confusion.classes if margins.value(measure, one) is not None]
    if averaging == "weighted":
        defined = [one for one in defined if margins.truths.get(one)]
    if not defined:
        return Estimate(measure=name, value=None, reason=NO_ITEMS, items=confusion.total)
    weights = _weights(margins, defined, averaging)
    ends, error, doubts = _limits(
        confusion, margins, (measure, averaging), defined, weights, level=level
    )
    value = sum(
        w * (margins.value(measure, one) or 0.0) for w, one in zip(weights, defined, strict=True)
    )
    return Estimate(
        measure=name,
        value=value,
        interval=ends,
        standard_error=error,
        items=confusion.total,
        caveats=(*weight_caveats(confusion), *_say_left_out(confusion, margins, defined), *doubts),
    )


def _margins(confusion: Confusion) -> Margins:
    cells = effective_cells(confusion)
    total = sum(cells.values())
    truths: dict[str, float] = {}
    calls: dict[str, float] = {}
    for (truth, called), rows in cells.items():
        truths[truth] = truths.get(truth, 0.0) + rows / total
        calls[called] = calls.get(called, 0.0) + rows / total
    return Margins({pair: rows / total for pair, rows in cells.items()}, truths, calls)


def _weights(margins: Margins, names: Sequence[str], averaging: Averaging) -> list[float]:
    if averaging == "macro":
        return [1 / len(names)] * len(names)
    sizes = [margins.truths[name] for name in names]
    return [size / sum(sizes) for size in sizes]


def _say_left_out(
    confusion: Confusion, margins: Margins, defined: Sequence[str]
) -> tuple[str, ...]:
    kept = set(defined)
    lost = [name for name in confusion.classes if name not in kept]
    if not lost:
        return ()
    never = [name for name in lost if not margins.truths.get(name)]
    why = "never true" if len(never) == len(lost) else "never called or never true"
    verb = "is" if len(lost) == 1 else "are"
    return (
        f"{len(lost)} of {len(confusion.classes)} classes {verb} left out ({why}): {listing(lost)}",
    )


def _limits(
    confusion: Confusion,
    margins: Margins,
    asked: tuple[Averaged, Averaging],
    names: Sequence[str],
    weights: Sequence[float],
    *,
    level: float,
) -> tuple[Interval | None, float | None, tuple[str, ...]]:
    if asked[1] == "macro" and asked[0] != "f1":
        low, high = mover_interval(_spans(confusion, asked[0], names, level), weights)
        ends = Interval(low=max(0.0, low), high=min(1.0, high), level=level, method="mover-wilson")
        return ends, None, ()
    cells = effective_cells(confusion)
    classes = sorted({name for pair in cells for name in pair})
    if len(classes) > 1:
        formula = _formula(asked, np.isin(classes, list(names)))
        known = formula(square_of(cells, classes))
        gradient = cell_slopes(known, cells, classes)
        variance = delta_variance(list(cells.values()), gradient, effective=sum(cells.values()))
        low, high = adjust_limits(cells, formula, value=known.value, bounds=(0.0, 1.0), level=level)
        ends = Interval(low=low, high=high, level=level, method="adjusted delta")
        return ends, sqrt(variance) if variance > NOTHING_VARIES else None, ()
    # With one class there is nothing that it could be confused with: its own limits are left.
    spans = _spans(confusion, asked[0], names, level)
    low, high = (sum(w * s[side] for w, s in zip(weights, spans, strict=True)) for side in (1, 2))
    doubt = "only one class occurs; the limits are those of that class"
    ends = Interval(low=low, high=min(1.0, high), level=level, method="limits of the class")
    return ends, None, (doubt,)


def _spans(
    confusion: Confusion, measure: Averaged, names: Sequence[str], level: float
) -> list[tuple[float, float, float]]:
    """Give value and limits of each class; all recalls and precisions come from one pass."""
    if measure == "f1":
        touching = _touching(confusion)
        parts: list[Measured] = [f1(touching[name], of=name, level=level) for name in names]
    else:
        side = {"recall": 0, "precision": 1}[measure]
        both = recall_and_precision(confusion, level=level)
        parts = [both[name][side] for name in names]
    return [(p.value or 0.0, p.interval.low, p.interval.high) for p in parts if p.interval]


def _touching(confusion: Confusion) -> dict[str, Confusion]:
    """Cut the table to what touches each class, in one pass: true negatives do not enter F1."""
    cells: dict[str, dict[tuple[str, str], int]] = {name: {} for name in confusion.classes}
    sums: dict[str, dict[tuple[str, str], WeightSums]] = {name: {} for name in confusion.classes}
    for truth, called, rows in confusion.cells:
        for name in {truth, called}:
            cells[name][truth, called] = rows
    for truth, called, weight in confusion.weights or ():
        for name in {truth, called}:
            sums[name][truth, called] = weight
    return {
        name: Confusion.from_cells(
            held,
            classes=sorted({name, *(one for pair in held for one in pair)}),
            weights=None if confusion.weights is None else sums[name],
        )
        for name, held in cells.items()
    }


def _formula(asked: tuple[Averaged, Averaging], kept: NDArray[np.bool_]) -> Formula:
    """Give the average over the classes kept, and its derivatives, of a table."""
    measure, averaging = asked
    half = 0.5 if measure == "f1" else 1.0

    def formula(table: Square) -> Slopes:
        total = float(table.truths.sum())
        right, truths, calls = (one / total for one in (table.right, table.truths, table.calls))
        whole = float(truths[kept].sum())
        weights = truths / whole if averaging == "weighted" else 1 / kept.sum()
        below = np.where(kept, calls if measure == "precision" else (truths + calls) / 2, 1.0)
        scale, values = (np.where(kept, top / below, 0.0) for top in (weights, right))
        value = float((scale * right).sum())
        lost = half * scale * values
        moved = np.where(kept, (values - value) / whole, 0.0) * (averaging == "weighted")
        return Slopes(value=value, truth=moved - lost * (measure == "f1"), call=-lost, right=scale)

    return formula

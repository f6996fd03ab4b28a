"""Any declared measure of one table of calls: its value, or the reason why there is none.

Value and limits follow from the formula alone: slopes are exact, by a step off the real axis.
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

import numpy as np

from steelyard.counts import Confusion
from steelyard.measures.catalogue.measure import Measure, say_reason
from steelyard.measures.tables.formulas import Formula, FourCells, Margins
from steelyard.measures.tables.made_up_items import (
    Slopes,
    Square,
    adjust_limits,
    cell_slopes,
    square_of,
)
from steelyard.measures.tables.shares import check_class, effective_cells, weight_caveats
from steelyard.measures.tables.useless import always_one_class
from steelyard.results.estimates import Estimate, Interval
from steelyard.uncertainty import delta_variance, normal_quantile
from steelyard.uncertainty.delta import NOTHING_VARIES

__all__ = ["STEP", "estimate_calls", "find_undefined", "slopes_of", "table_value"]

STEP = 2.0**-100
"""How far along the imaginary axis a formula is moved: its slope is what becomes imaginary."""
CLASS, REST = "class", "rest"
ONE_CLASS = "no interval: only one class occurs, which does not show what could be confused with it"


def table_value(
    measure: Measure,
    margins: Margins | FourCells,
    **asked: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    """Compute a measure of one table or many; NaN where it is undefined.

    Examples
    --------
    >>> from steelyard.measures.catalogue.listing import CATALOGUE
    >>> tables = np.array([[[8.0, 2.0], [1.0, 9.0]], [[0.0, 0.0], [1.0, 9.0]]])
    >>> table_value(CATALOGUE["recall"], Margins.of_tables(tables)).tolist()
    [0.8, nan]
    """
    assert measure.formula is not None
    # Formulas divide first and are asked afterwards where they were allowed to: see the edges.
    with np.errstate(all="ignore"):
        values = np.asarray(measure.formula(margins, **asked), dtype=np.float64)
    for count in measure.edges.values():
        values = np.where(count(margins) == 0, np.nan, values)
    return np.where(np.isfinite(values), values, np.nan)


def find_undefined(
    measure: Measure,
    margins: Margins | FourCells,
    **asked: Any,  # noqa: ANN401
) -> str | None:
    """Give the code of the reason why a table has no such number; None where it has one.

    Examples
    --------
    >>> from steelyard.measures.catalogue.listing import CATALOGUE
    >>> find_undefined(CATALOGUE["recall"], FourCells(*np.array([0.0, 3.0, 0.0, 5.0])))
    'no-true'
    """
    for code, count in measure.edges.items():
        if count(margins) == 0:
            return code
    return None if np.isfinite(table_value(measure, margins, **asked)) else "not-finite"


def slopes_of(formula: Formula, square: Square, *, place: int = 0, **asked: Any) -> Slopes:  # noqa: ANN401
    r"""Differentiate a formula by the shares of right, true and called items of each class.

    :math:`f(x+ihd)=f(x)+ihf'(x)d+O(h^2)`: nothing is subtracted, so h may be tiny and no digit is
    lost [1]_. The formula does not change when all items are counted twice, so a derivative by a
    share is that by a count times the number of items.

    References
    ----------
    .. [1] Squire & Trapp (1998), SIAM Review 40, 110-112, doi:10.1137/S003614459631241X.
    """
    sides = (square.right, square.truths, square.calls)
    size = square.right.size
    steps = np.zeros((3, 3, size, size), dtype=np.complex128)
    steps[np.arange(3), np.arange(3)] = 1j * STEP * np.eye(size)
    right, true, called = (
        side + step.reshape(-1, size)
        for side, step in zip(sides, np.moveaxis(steps, 1, 0), strict=True)
    )
    moved = Margins(right, true, called, place)
    with np.errstate(all="ignore"):
        found = np.asarray(formula(moved, **asked)).imag / STEP * square.truths.sum()
        value = float(formula(Margins(*sides, place), **asked))
    # A slope by an empty margin is 0/0, and multiplied by its share of 0 counts for nothing.
    by_right, by_truth, by_call = np.where(np.isfinite(found), found, 0.0).reshape(3, size)
    return Slopes(value=value, truth=by_truth, call=by_call, right=by_right)


def estimate_calls(
    measure: Measure,
    confusion: Confusion,
    *,
    of: str | None = None,
    level: float = 0.95,
    **asked: Any,  # noqa: ANN401
) -> Estimate:
    r"""Measure a table of calls by the formula of a declared measure, with an interval.

    The standard error is the multinomial one to first order; the interval is that of the table
    with :math:`z^2` made-up items, half of them right (:func:`adjust_limits`), so that it has
    width also where the error is 0. Of weighted rows Kish's effective number counts.

    Examples
    --------
    >>> from steelyard.measures.catalogue.listing import CATALOGUE
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> found = estimate_calls(CATALOGUE["MCC"], table)
    >>> round(found.value, 4), found.interval.method
    (0.7035, 'adjusted delta')
    """
    normal_quantile(level)
    cells: Mapping[tuple[str, str], float] = effective_cells(confusion)
    classes: Sequence[str] = sorted({name for pair in cells for name in pair})
    if measure.of_class:
        check_class(confusion, str(of))
        cells, classes = _against_rest(cells, str(of)), (CLASS, REST)
    square = square_of(cells, classes)
    margins = Margins(square.right, square.truths, square.calls)
    code = find_undefined(measure, margins, **asked) if cells else "no-items"
    about: dict[str, Any] = {"measure": measure.name, "of": of, "items": confusion.total}
    if code is not None:
        return Estimate(value=None, reason=say_reason(code, of=of), **about)
    assert measure.formula is not None
    formula = measure.formula
    value = float(table_value(measure, margins, **asked))
    caveats = (*weight_caveats(confusion), *always_one_class(confusion))
    if len(classes) < 2:
        return Estimate(value=value, caveats=(*caveats, ONE_CLASS), **about)
    gradient = cell_slopes(slopes_of(formula, square, **asked), cells, classes)
    variance = delta_variance(list(cells.values()), gradient, effective=sum(cells.values()))
    low, high = adjust_limits(
        cells,
        lambda made_up: slopes_of(formula, made_up, **asked),
        value=value,
        bounds=measure.bounds,
        level=level,
        classes=classes,
    )
    return Estimate(
        value=value,
        interval=Interval(low=low, high=high, level=level, method=measure.interval),
        standard_error=sqrt(variance) if variance > NOTHING_VARIES else None,
        caveats=caveats,
        **about,
    )


def _against_rest(cells: Mapping[tuple[str, str], float], of: str) -> dict[tuple[str, str], float]:
    """Merge all classes but one; linear, so slopes and variances pass through unchanged."""
    merged: dict[tuple[str, str], float] = {}
    for pair, rows in cells.items():
        truth, called = (CLASS if name == of else REST for name in pair)
        merged[truth, called] = merged.get((truth, called), 0.0) + rows
    return merged

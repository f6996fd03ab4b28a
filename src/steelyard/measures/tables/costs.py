"""What mistakes cost."""

from collections.abc import Mapping
from math import isfinite

from steelyard.counts import Confusion
from steelyard.errors import RequestError
from steelyard.measures.tables.shares import NO_ITEMS, effective_cells, weight_caveats
from steelyard.results.estimates import Estimate, Interval
from steelyard.uncertainty import normal_quantile, ratio_score_interval

__all__ = ["expected_cost"]

Costs = Mapping[tuple[str, str], float]


def expected_cost(confusion: Confusion, costs: Costs, *, level: float = 0.95) -> Estimate:
    r"""Mean cost of an item: :math:`\sum_{ij}c_{ij}n_{ij}/n`.

    Smaller is better; undefined without items. A negative cost is a gain.

    Parameters
    ----------
    confusion : Confusion
        Rows by truth and called class, weighted or not.
    costs : mapping of (truth, called) to float
        What one item of each kind costs. Every pair of different classes must be named; a right
        call costs 0 unless it is named too.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Notes
    -----
    The interval inverts the score test of a linear function of cell shares
    (:func:`~steelyard.uncertainty.ratio_score_interval`). A costly mistake that was never seen
    can still happen, so it holds the upper limit up, and a caveat says so.

    References
    ----------
    .. [1] Elkan (2001), IJCAI, 973-978, The foundations of cost-sensitive learning.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["ill", "well"])
    >>> expected_cost(table, {("ill", "well"): 10.0, ("well", "ill"): 1.0}).value
    1.05
    """
    normal_quantile(level)
    full = _full(confusion, costs)
    cells = effective_cells(confusion)
    total = sum(cells.values())
    if total == 0:
        return Estimate(measure="expected cost", value=None, reason=NO_ITEMS)
    counts = [cells.get(pair, 0.0) for pair in full]
    each = list(full.values())
    value = sum(cost * rows for cost, rows in zip(each, counts, strict=True)) / total
    low, high = ratio_score_interval(counts, each, [1.0] * len(each), level=level)
    ends = Interval(low=low, high=high, level=level, method="multinomial-score")
    return Estimate(
        measure="expected cost",
        value=value,
        interval=ends if low < high else None,
        items=confusion.total,
        caveats=(*weight_caveats(confusion), *_unseen(full, cells)),
    )


def _full(confusion: Confusion, costs: Costs) -> dict[tuple[str, str], float]:
    strange = [pair for pair in costs if not {*pair} <= {*confusion.classes}]
    pairs = [(truth, called) for truth in confusion.classes for called in confusion.classes]
    missing = [pair for pair in pairs if pair not in costs and pair[0] != pair[1]]
    if strange or missing:
        pair, what = (strange[0], "is not a pair of classes here") if strange else (missing[0], "")
        message = (
            f"costs[{pair!r}] {what or 'is missing'}. Name the cost of every pair of different"
        )
        message += f" classes among {', '.join(map(repr, confusion.classes[:8]))}."
        raise RequestError(message)
    wrong = [(pair, cost) for pair, cost in costs.items() if not isfinite(cost)]
    if wrong:
        message = f"costs[{wrong[0][0]!r}] is {wrong[0][1]}; a cost is a finite number."
        raise RequestError(message)
    return {pair: float(costs.get(pair, 0.0)) for pair in pairs}


def _unseen(
    full: dict[tuple[str, str], float], cells: Mapping[tuple[str, str], float]
) -> tuple[str, ...]:
    truth, called = worst = max(full, key=full.__getitem__)
    if cells.get(worst, 0.0) > 0 or full[worst] <= 0:
        return ()
    return (
        f"the costliest mistake, {truth!r} called {called!r} at {full[worst]:g}, was never seen; "
        "the upper limit allows for it",
    )

"""Matthews' correlation of calls and truth."""

from fractions import Fraction
from math import sqrt

from steelyard.counts import Confusion
from steelyard.measures.shares import NO_ITEMS, effective_cells, weight_caveats
from steelyard.measures.useless import always_one_class
from steelyard.results.estimates import Estimate, Interval
from steelyard.uncertainty import (
    delta_variance,
    fisher_interval,
    normal_quantile,
    wilson_interval_effective,
)

__all__ = ["mcc"]

Cells = dict[tuple[str, str], float]
HELD_FIXED = (
    "the standard error is 0 for this table; the interval is that of accuracy, with the class "
    "sizes held fixed"
)
NO_WIDTH = "no interval: the standard error is 0 for this table, which says nothing"


def mcc(confusion: Confusion, *, level: float = 0.95) -> Estimate:
    r"""Matthews' correlation coefficient of called and true class, for two classes or more.

    :math:`\frac{n\sum_kn_{kk}-\sum_kt_kc_k}{\sqrt{n^2-\sum c_k^2}\sqrt{n^2-\sum t_k^2}}` with
    :math:`t_k` items truly and :math:`c_k` items called of class k [2]_; for two classes
    :math:`\frac{tp\,tn-fp\,fn}{\sqrt{(tp+fp)(tp+fn)(tn+fp)(tn+fn)}}` [1]_. In [-1, 1], larger is
    better, 0 is no relation; undefined when all items are, or were called, of one class.

    Parameters
    ----------
    confusion : Confusion
        Rows by truth and called class, weighted or not.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Returns
    -------
    Estimate
        The interval is symmetric on Fisher's scale, with the multinomial standard error to first
        order. Complete agreement (or, of two classes, disagreement) leaves no standard error: then
        Wilson's limits of accuracy are carried over with the class sizes held fixed.

    References
    ----------
    .. [1] Matthews (1975), Biochimica et Biophysica Acta 405, 442-451,
       doi:10.1016/0005-2795(75)90109-9.
    .. [2] Gorodkin (2004), Computational Biology and Chemistry 28, 367-374,
       doi:10.1016/j.compbiolchem.2004.09.006.
    .. [3] Itaya, Tamura, Hayashi & Yamamoto (2025), arXiv:2405.12622 (asymptotic intervals).

    Examples
    --------
    >>> round(mcc(Confusion.from_matrix([[8, 2], [1, 9]])).value, 4)
    0.7035
    """
    normal_quantile(level)
    cells = effective_cells(confusion)
    reason = _undefined(cells)
    if reason:
        return Estimate(measure="MCC", value=None, reason=reason, items=confusion.total)
    total = sum(cells.values())
    value, gradient = _slopes(cells)
    variance = delta_variance(list(cells.values()), gradient, effective=total)
    interval, doubts = _limits(cells, value, variance, level=level)
    return Estimate(
        measure="MCC",
        value=value,
        interval=interval,
        standard_error=sqrt(variance) if variance > 1e-24 else None,
        items=confusion.total,
        caveats=(*weight_caveats(confusion), *doubts, *always_one_class(confusion)),
    )


def _undefined(cells: Cells) -> str | None:
    if not cells:
        return NO_ITEMS
    truths, calls = ({pair[side] for pair in cells} for side in (0, 1))
    if len(truths) == 1:
        return f"every item is truly {next(iter(truths))!r}: truth does not vary"
    if len(calls) == 1:
        return f"every item was called {next(iter(calls))!r}: calls do not vary"
    return None


def _slopes(cells: Cells) -> tuple[float, list[float]]:
    """Give the coefficient, and its derivative by the share of each cell."""
    exact = {pair: _exact(rows) for pair, rows in cells.items()}
    total = sum(exact.values())
    truths: dict[str, int | Fraction] = {}
    calls: dict[str, int | Fraction] = {}
    for (truth, called), rows in exact.items():
        truths[truth] = truths.get(truth, 0) + rows
        calls[called] = calls.get(called, 0) + rows
    # Exact, for what is not of a class is a difference of large numbers where nearly all is.
    square = total * total
    called_spread = float(sum(rows * (total - rows) for rows in calls.values()) / square)
    true_spread = float(sum(rows * (total - rows) for rows in truths.values()) / square)
    scale = sqrt(called_spread * true_spread)
    right = {truth: rows for (truth, called), rows in exact.items() if truth == called}
    ahead = sum(
        # Right calls of a class times those of the rest, less both kinds of mistakes multiplied.
        right.get(name, 0) * (total - truly - calls.get(name, 0) + right.get(name, 0))
        - (truly - right.get(name, 0)) * (calls.get(name, 0) - right.get(name, 0))
        for name, truly in truths.items()
    )
    value = 1.0 if _complete(cells) else max(-1.0, min(1.0, float(ahead / square) / scale))
    truly_share = {name: float(rows / total) for name, rows in truths.items()}
    called_share = {name: float(rows / total) for name, rows in calls.items()}
    return value, [
        ((truth == called) - (called_share.get(truth, 0.0) + truly_share.get(called, 0.0))) / scale
        + value * (called_share[called] / called_spread + truly_share[truth] / true_spread)
        for truth, called in cells
    ]


def _exact(rows: float) -> int | Fraction:
    return int(rows) if rows == int(rows) else Fraction(rows)


def _complete(cells: Cells) -> bool:
    return all(truth == called for truth, called in cells)


def _limits(
    cells: Cells, value: float, variance: float, *, level: float
) -> tuple[Interval | None, tuple[str, ...]]:
    if variance > 1e-24 and abs(value) < 1:
        low, high = fisher_interval(value, sqrt(variance), level=level)
        return Interval(low=low, high=high, level=level, method="fisher-delta"), ()
    total = sum(cells.values())
    right = sum(rows for (truth, called), rows in cells.items() if truth == called) / total
    if abs(value) < 1 - 1e-12 or right not in {0.0, 1.0}:
        return None, (NO_WIDTH,)
    # At complete agreement both margins are the same, and the coefficient is kappa.
    chance = sum((rows / total) ** 2 for (truth, called), rows in cells.items())
    if right == 0.0:
        chance = 2 * max(rows / total for rows in cells.values())
        chance *= 1 - chance / 2
    ends = wilson_interval_effective(right, total, level=level)
    low, high = ((end - chance) / (1 - chance) for end in ends)
    method = "wilson, class sizes held fixed"
    ends_kept = Interval(low=max(-1.0, low), high=min(1.0, high), level=level, method=method)
    return ends_kept, (HELD_FIXED,)

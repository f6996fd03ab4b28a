"""One number for recall and precision together."""

from steelyard.counts import Confusion
from steelyard.errors import RequestError
from steelyard.measures.catalogue.measure import say_reason
from steelyard.measures.tables.shares import check_class, row_sums, weight_caveats
from steelyard.measures.tables.useless import always_one_class
from steelyard.results.estimates import Estimate, Interval
from steelyard.uncertainty import normal_quantile, ratio_score_interval

__all__ = ["f1", "f_beta"]


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

"""Sums of two or more shares: what a system adds beyond calling by chance."""

from collections.abc import Sequence

from steelyard.counts import Confusion
from steelyard.measures.tables.detection import class_share, recall_and_precision
from steelyard.measures.tables.shares import NO_ITEMS, check_class, weight_caveats
from steelyard.measures.tables.useless import always_one_class
from steelyard.results.estimates import Estimate, Interval
from steelyard.results.measured import Measured
from steelyard.uncertainty import mover_interval, normal_quantile

__all__ = ["balanced_accuracy", "informedness", "markedness"]


def balanced_accuracy(confusion: Confusion, *, level: float = 0.95) -> Estimate:
    r"""Mean of the recalls of all classes: what accuracy would be if all were equally common.

    In [0, 1], larger is better; calling one class always gives 1/K. Undefined when a class has no
    items: leaving it out would change the question (macro recall leaves it out and says so).

    Parameters
    ----------
    confusion : Confusion
        Rows by truth and called class, weighted or not.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Notes
    -----
    The interval joins Wilson's limits :math:`(l_c,u_c)` of the recalls :math:`r_c`, which are
    independent: :math:`\bar r-\sqrt{\sum(r_c-l_c)^2}/K` and
    :math:`\bar r+\sqrt{\sum(u_c-r_c)^2}/K` [1]_. It has width when every recall is 1.

    References
    ----------
    .. [1] Zou & Donner (2008), Statistics in Medicine 27, 1693-1702, doi:10.1002/sim.3095.
    .. [2] Brodersen, Ong, Stephan & Buhmann (2010), ICPR, 3121-3124, doi:10.1109/ICPR.2010.764.

    Examples
    --------
    >>> round(balanced_accuracy(Confusion.from_matrix([[8, 2], [1, 9]])).value, 4)
    0.85
    """
    normal_quantile(level)
    recalls = [found for found, _ in recall_and_precision(confusion, level=level).values()]
    lost = [one.reason for one in recalls if one.value is None]
    if lost or not recalls:
        reason = lost[0] if lost else NO_ITEMS
        return Estimate(measure="balanced accuracy", value=None, reason=reason)
    value, low, high = _join(recalls, [1 / len(recalls)] * len(recalls))
    return Estimate(
        measure="balanced accuracy",
        value=value,
        interval=Interval(
            low=max(0.0, low), high=min(1.0, high), level=level, method="mover-wilson"
        ),
        items=confusion.total,
        caveats=(*weight_caveats(confusion), *always_one_class(confusion)),
    )


def informedness(confusion: Confusion, *, of: str, level: float = 0.95) -> Estimate:
    r"""Recall minus false alarm rate (Youden's J): :math:`tp/(tp+fn)-fp/(fp+tn)`.

    In [-1, 1], larger is better, 0 is guessing at any rate, below 0 worse than that; undefined when
    the class or the rest has no items. Does not depend on prevalence.

    Parameters
    ----------
    confusion : Confusion
        Rows by truth and called class, weighted or not.
    of : str
        The positive class.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Notes
    -----
    The two shares come from different items, so Newcombe's hybrid of their Wilson limits is used;
    it has width also for a perfect system.

    References
    ----------
    .. [1] Youden (1950), Cancer 3, 32-35,
       doi:10.1002/1097-0142(1950)3:1<32::AID-CNCR2820030106>3.0.CO;2-3.
    .. [2] Powers (2011), Journal of Machine Learning Technologies 2, 37-63, arXiv:2010.16061.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> round(informedness(table, of="cat").value, 4)
    0.7
    """
    return _difference(
        confusion, ("recall", "false-positive-rate"), "informedness", of=of, level=level
    )


def markedness(confusion: Confusion, *, of: str, level: float = 0.95) -> Estimate:
    r"""Precision minus false omission rate: :math:`tp/(tp+fp)-fn/(fn+tn)`.

    In [-1, 1], larger is better, 0 when calls say nothing of the truth; undefined when all items,
    or none, were called of the class. How far a call can be trusted, at this prevalence.
    Parameters and interval as in :func:`informedness`.

    References
    ----------
    .. [1] Powers (2011), Journal of Machine Learning Technologies 2, 37-63, arXiv:2010.16061.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> round(markedness(table, of="cat").value, 4)
    0.7071
    """
    return _difference(
        confusion, ("precision", "false-omission-rate"), "markedness", of=of, level=level
    )


def _difference(
    confusion: Confusion, names: tuple[str, str], measure: str, *, of: str, level: float
) -> Estimate:
    normal_quantile(level)
    check_class(confusion, of)
    shares = [class_share(confusion, name, of=of, level=level) for name in names]
    lost = [one.reason for one in shares if one.value is None]
    if lost:
        return Estimate(measure=measure, value=None, reason=lost[0], of=of)
    value, low, high = _join(shares, [1.0, -1.0])
    ends = Interval(low=max(-1.0, low), high=min(1.0, high), level=level, method="newcombe")
    return Estimate(
        measure=measure,
        value=value,
        interval=ends,
        of=of,
        items=confusion.total,
        caveats=(*weight_caveats(confusion), *always_one_class(confusion)),
    )


def _join(shares: Sequence[Measured], weights: Sequence[float]) -> tuple[float, float, float]:
    spans = [
        (one.value or 0.0, one.interval.low, one.interval.high) for one in shares if one.interval
    ]
    value = sum(w * share for w, (share, _, _) in zip(weights, spans, strict=True))
    return value, *mover_interval(spans, weights)

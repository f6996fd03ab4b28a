"""How often the right class is called, and how far a call can be trusted."""

from math import sqrt

from steelyard.counts import Confusion
from steelyard.display.numbers import show_share
from steelyard.errors import CountsError, listing
from steelyard.measures.shares import KISH_CAVEAT, RowShare, effective_rows, row_share
from steelyard.results.estimates import Estimate, Interval
from steelyard.results.measured import Measured
from steelyard.uncertainty import normal_quantile

__all__ = [
    "accuracy",
    "balanced_accuracy",
    "f1",
    "no_information_rate",
    "npv",
    "precision",
    "recall",
    "specificity",
    "warn_if_useless",
]

NO_ITEMS = "the table holds no items"


def accuracy(confusion: Confusion, *, level: float = 0.95) -> Measured:
    r"""Share of items whose called class is the true one: :math:`\sum_i n_{ii} / n`.

    In [0, 1], larger is better, undefined without items. Wilson's interval.

    Parameters
    ----------
    confusion : Confusion
        Rows by truth and called class. With weights, the weighted share is given as an
        ``Estimate`` whose interval uses Kish's effective number of rows.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Returns
    -------
    Proportion or Estimate
        With the caveats of :func:`warn_if_useless`.

    Notes
    -----
    Misleads when one class is rare: of 5000 items with 50 positives, calling all of them negative
    is right for 0.99.

    References
    ----------
    .. [1] Fielding & Bell (1997), Environmental Conservation 24, 38-49,
       doi:10.1017/S0376892997000088.

    Examples
    --------
    >>> accuracy(Confusion.from_matrix([[8, 2], [1, 9]])).value
    0.85
    """
    wanted = RowShare(
        measure="accuracy", won=_same, among=lambda truth, called: True, nothing=NO_ITEMS
    )
    return row_share(confusion, wanted, level=level, caveats=warn_if_useless(confusion))


def recall(confusion: Confusion, *, of: str, level: float = 0.95) -> Measured:
    r"""Share of the items of a class that were called so (sensitivity): :math:`tp/(tp+fn)`.

    In [0, 1], larger is better, undefined when no item is of the class. Wilson's interval.

    Parameters
    ----------
    confusion : Confusion
        Rows by truth and called class, weighted or not.
    of : str
        The class that was to be found.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    References
    ----------
    .. [1] Altman & Bland (1994), BMJ 308, 1552, doi:10.1136/bmj.308.6943.1552.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> recall(table, of="cat").value
    0.8
    """
    _check_class(confusion, of)
    wanted = RowShare(
        measure="recall",
        won=lambda truth, called: called == of,
        among=lambda truth, called: truth == of,
        nothing=f"no item is truly {of!r}, so there was nothing to find",
        of=of,
    )
    return row_share(confusion, wanted, level=level, caveats=_always_one_class(confusion))


def precision(confusion: Confusion, *, of: str, level: float = 0.95) -> Measured:
    r"""Share of the calls of a class that are true (positive predictive value): :math:`tp/(tp+fp)`.

    In [0, 1], larger is better, undefined when the class was never called. Wilson's interval.

    Parameters
    ----------
    confusion : Confusion
        Rows by truth and called class, weighted or not.
    of : str
        The class whose calls are judged.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Notes
    -----
    Depends on how common the class is among the items: it does not carry over to other mixtures.

    References
    ----------
    .. [1] Altman & Bland (1994), BMJ 309, 102, doi:10.1136/bmj.309.6947.102.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> round(precision(table, of="cat").value, 4)
    0.8889
    """
    _check_class(confusion, of)
    wanted = RowShare(
        measure="precision",
        won=lambda truth, called: truth == of,
        among=lambda truth, called: called == of,
        nothing=f"no item was called {of!r}, so there was no call to judge",
        of=of,
    )
    return row_share(confusion, wanted, level=level, caveats=_always_one_class(confusion))


def specificity(confusion: Confusion, *, of: str, level: float = 0.95) -> Measured:
    r"""Share of the items of other classes that were not called so: :math:`tn/(tn+fp)`.

    In [0, 1], larger is better, undefined when every item is of the class. Wilson's interval.

    Parameters
    ----------
    confusion : Confusion
        Rows by truth and called class, weighted or not.
    of : str
        The positive class.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    References
    ----------
    .. [1] Altman & Bland (1994), BMJ 308, 1552, doi:10.1136/bmj.308.6943.1552.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> specificity(table, of="cat").value
    0.9
    """
    _check_class(confusion, of)
    wanted = RowShare(
        measure="specificity",
        won=lambda truth, called: called != of,
        among=lambda truth, called: truth != of,
        nothing=f"every item is truly {of!r}, so there was nothing to leave alone",
        of=of,
    )
    return row_share(confusion, wanted, level=level, caveats=_always_one_class(confusion))


def npv(confusion: Confusion, *, of: str, level: float = 0.95) -> Measured:
    r"""Share of the calls of other classes that are true in this (:math:`tn/(tn+fn)`).

    Negative predictive value: in [0, 1], larger is better, undefined when every item was called
    of the class. Wilson's interval.

    Parameters
    ----------
    confusion : Confusion
        Rows by truth and called class, weighted or not.
    of : str
        The positive class.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    References
    ----------
    .. [1] Altman & Bland (1994), BMJ 309, 102, doi:10.1136/bmj.309.6947.102.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> round(npv(table, of="cat").value, 4)
    0.8182
    """
    _check_class(confusion, of)
    wanted = RowShare(
        measure="negative predictive value",
        won=lambda truth, called: truth != of,
        among=lambda truth, called: called != of,
        nothing=f"every item was called {of!r}, so there was no other call to judge",
        of=of,
    )
    return row_share(confusion, wanted, level=level, caveats=_always_one_class(confusion))


def f1(confusion: Confusion, *, of: str, level: float = 0.95) -> Estimate:
    r"""Harmonic mean of recall and precision: :math:`2tp/(2tp+fp+fn)`.

    In [0, 1], larger is better, undefined when the class is neither true nor called anywhere.

    Parameters
    ----------
    confusion : Confusion
        Rows by truth and called class, weighted or not.
    of : str
        The class that was to be found.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Notes
    -----
    Of the items that are or were called of the class, a share :math:`J=tp/(tp+fp+fn)` is both, a
    binomial share; :math:`F_1=2J/(1+J)` grows with it, so Wilson's limits for :math:`J` give
    limits for :math:`F_1`, with width also at 0 and 1.

    References
    ----------
    .. [1] van Rijsbergen (1979), Information Retrieval, Butterworths, chapter 7.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> round(f1(table, of="cat").value, 4)
    0.8421
    """
    _check_class(confusion, of)
    wanted = RowShare(
        measure="F1",
        won=lambda truth, called: truth == called,
        among=lambda truth, called: of in {truth, called},
        nothing=f"no item is truly {of!r} or was called so",
        of=of,
    )
    both = row_share(confusion, wanted, level=level, caveats=_always_one_class(confusion))
    share, ends = both.value, both.interval
    if share is None or ends is None:
        return Estimate(measure="F1", value=None, reason=both.reason, of=of, caveats=both.caveats)
    limits = Interval(
        low=2 * ends.low / (1 + ends.low),
        high=2 * ends.high / (1 + ends.high),
        level=level,
        method=f"{ends.method} of tp/(tp+fp+fn), transformed",
    )
    value = 2 * share / (1 + share)
    return Estimate(
        measure="F1",
        value=value,
        interval=limits,
        of=of,
        items=confusion.total,
        caveats=both.caveats,
    )


def balanced_accuracy(confusion: Confusion, *, level: float = 0.95) -> Estimate:
    r"""Mean of the recalls of all classes: what accuracy would be if all were equally common.

    In [0, 1], larger is better; calling one class always gives 1/K. Undefined when a class has no
    items: leaving it out would change the question.

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

    Examples
    --------
    >>> round(balanced_accuracy(Confusion.from_matrix([[8, 2], [1, 9]])).value, 4)
    0.85
    """
    normal_quantile(level)
    recalls = [recall(confusion, of=name, level=level) for name in confusion.classes]
    lost = [one.reason for one in recalls if one.value is None]
    if lost or not recalls:
        return Estimate(
            measure="balanced accuracy", value=None, reason=lost[0] if lost else NO_ITEMS
        )
    number = len(recalls)
    spans = [(r.value or 0.0, r.interval.low, r.interval.high) for r in recalls if r.interval]
    value = sum(share for share, _, _ in spans) / number
    below = sqrt(sum((share - low) ** 2 for share, low, _ in spans)) / number
    above = sqrt(sum((high - share) ** 2 for share, _, high in spans)) / number
    ends = Interval(
        low=max(0.0, value - below),
        high=min(1.0, value + above),
        level=level,
        method="mover-wilson",
    )
    caveats = _always_one_class(confusion)
    if confusion.weights is not None:
        effective = effective_rows(confusion, lambda truth, called: True)
        caveats = (KISH_CAVEAT.format(effective=effective, rows=confusion.total), *caveats)
    return Estimate(
        measure="balanced accuracy",
        value=value,
        interval=ends,
        items=confusion.total,
        caveats=caveats,
    )


def no_information_rate(confusion: Confusion, *, level: float = 0.95) -> Measured:
    """Share of the most common true class: the accuracy of calling it every time.

    In [0, 1], a bar to clear and not a merit; undefined without items. Of equally common classes
    the first in reading order is named.

    Parameters
    ----------
    confusion : Confusion
        Rows by truth and called class, weighted or not.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Examples
    --------
    >>> rate = no_information_rate(Confusion.from_matrix([[8, 2], [1, 4]], classes=["cat", "dog"]))
    >>> rate.of, round(rate.value, 4)
    ('cat', 0.6667)
    """
    largest = _largest_class(confusion)
    wanted = RowShare(
        measure="no-information rate",
        won=lambda truth, called: truth == largest,
        among=lambda truth, called: True,
        nothing=NO_ITEMS,
        of=largest,
    )
    return row_share(confusion, wanted, level=level)


def warn_if_useless(confusion: Confusion) -> tuple[str, ...]:
    """Say in words when a headline number may hide a system that tells nothing apart.

    Parameters
    ----------
    confusion : Confusion
        Rows by truth and called class. Counts are compared as whole numbers, never rounded.

    Returns
    -------
    tuple of str
        Empty when there is nothing to warn of.

    Examples
    --------
    >>> for line in warn_if_useless(Confusion.from_binary(tp=0, fp=0, fn=50, tn=4950)):
    ...     print(line)
    every item was called 'negative': the system does not tell the classes apart
    accuracy 0.990 is no better than calling every item 'negative', which is right for 0.990
    """
    largest = _largest_class(confusion)
    if largest is None:
        return ()
    truths = {truth for truth, _, _ in confusion.cells}
    if len(truths) == 1:
        only = next(iter(truths))
        return (f"every item is truly {only!r}: nothing shows how other classes are called",)
    right, common, total = _right_and_common(confusion, largest)
    caveats = _always_one_class(confusion)
    if right <= common and total:
        told = show_share(right / total)
        bar = show_share(common / total)
        words = "no better than" if right == common else "worse than"
        caveats += (
            f"accuracy {told} is {words} calling every item {largest!r}, which is right for {bar}",
        )
    return caveats


def _same(truth: str, called: str) -> bool:
    return truth == called


def _check_class(confusion: Confusion, of: str) -> None:
    if of not in confusion.classes:
        message = f"No class {of!r} in this table. Classes: {listing(confusion.classes)}."
        raise CountsError(message, code="class-unknown")


def _always_one_class(confusion: Confusion) -> tuple[str, ...]:
    called = {call for _, call, _ in confusion.cells}
    truths = {truth for truth, _, _ in confusion.cells}
    if len(called) != 1 or len(truths) == 1:
        return ()
    only = next(iter(called))
    return (f"every item was called {only!r}: the system does not tell the classes apart",)


def _true_sizes(confusion: Confusion) -> dict[str, int]:
    if confusion.weights is None:
        return confusion.true_totals()
    sizes = dict.fromkeys(confusion.classes, 0)
    for truth, _, weights in confusion.weights:
        sizes[truth] += weights.scaled
    return sizes


def _largest_class(confusion: Confusion) -> str | None:
    sizes = _true_sizes(confusion)
    return max(sizes, key=sizes.__getitem__) if any(sizes.values()) else None


def _right_and_common(confusion: Confusion, largest: str) -> tuple[int, int, int]:
    sizes = _true_sizes(confusion)
    right = confusion.right
    if confusion.weights is not None:
        right = sum(w.scaled for truth, called, w in confusion.weights if truth == called)
    return right, sizes[largest], sum(sizes.values())

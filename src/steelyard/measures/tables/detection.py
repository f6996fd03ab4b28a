"""How often the right class is called, and how far a call can be trusted: plain shares."""

from functools import partial

from steelyard.counts import Confusion
from steelyard.measures.catalogue.listing import CATALOGUE
from steelyard.measures.tables.shares import (
    CLASS_SHARES,
    check_class,
    count_share,
    declare_share,
    row_share,
)
from steelyard.measures.tables.useless import always_one_class, warn_if_useless
from steelyard.results.estimates import Proportion
from steelyard.results.measured import Measured

__all__ = [
    "accuracy",
    "called_share",
    "class_share",
    "counted_accuracy",
    "error_rate",
    "npv",
    "precision",
    "prevalence",
    "recall",
    "recall_and_precision",
    "specificity",
]


def class_share(
    confusion: Confusion, name: str, *, of: str, level: float = 0.95, method: str = "wilson"
) -> Measured:
    """Measure one share of :data:`CLASS_SHARES` by its name.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> class_share(table, "recall", of="cat").value
    0.8
    """
    check_class(confusion, of)
    wanted = CLASS_SHARES[name](of)
    plain = name == "prevalence"
    caveats = () if plain else always_one_class(confusion)
    return row_share(confusion, wanted, level=level, method=method, caveats=caveats)


def recall_and_precision(
    confusion: Confusion, *, level: float = 0.95, method: str = "wilson"
) -> dict[str, tuple[Measured, Measured]]:
    """Measure :func:`recall` and :func:`precision` of every class in one pass over the cells.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> [share.value for share in recall_and_precision(table)["cat"]]
    [0.8, 0.8888888888888888]
    """
    if confusion.weights is not None:
        return {
            of: (
                recall(confusion, of=of, level=level, method=method),
                precision(confusion, of=of, level=level, method=method),
            )
            for of in confusion.classes
        }
    caveats = always_one_class(confusion)
    share = partial(count_share, level=level, method=method, caveats=caveats)
    return {
        of: (
            share(CLASS_SHARES["recall"](of), cell.tp, cell.positives),
            share(CLASS_SHARES["precision"](of), cell.tp, cell.called),
        )
        for of, cell in confusion.each_against_rest().items()
    }


def accuracy(confusion: Confusion, *, level: float = 0.95, method: str = "wilson") -> Measured:
    r"""Share of items whose called class is the true one: :math:`\sum_i n_{ii} / n`.

    In [0, 1], larger is better, undefined without items.

    Parameters
    ----------
    confusion : Confusion
        Rows by truth and called class. With weights, the weighted share is given as an
        ``Estimate`` whose interval uses Kish's effective number of rows.
    level : float
        Coverage of the interval, strictly between 0 and 1.
    method : str
        A name of :data:`steelyard.uncertainty.PROPORTION_INTERVALS`; Wilson's by default.

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
    caveats = warn_if_useless(confusion)
    return row_share(
        confusion,
        declare_share(CATALOGUE["accuracy"]),
        level=level,
        method=method,
        caveats=caveats,
    )


def error_rate(confusion: Confusion, *, level: float = 0.95, method: str = "wilson") -> Measured:
    r"""Share of items whose called class is not the true one: :math:`\sum_{i\ne j} n_{ij} / n`.

    In [0, 1], smaller is better, undefined without items. Parameters as in :func:`accuracy`.

    References
    ----------
    .. [1] Fielding & Bell (1997), Environmental Conservation 24, 38-49,
       doi:10.1017/S0376892997000088.

    Examples
    --------
    >>> error_rate(Confusion.from_matrix([[8, 2], [1, 9]])).value
    0.15
    """
    return row_share(
        confusion,
        declare_share(CATALOGUE["error rate"]),
        level=level,
        method=method,
        caveats=warn_if_useless(confusion),
    )


def counted_accuracy(
    right: int, tested: int, *, level: float = 0.95, method: str = "wilson"
) -> Proportion:
    """Give :func:`accuracy` from its two whole numbers, when no called class is known.

    Examples
    --------
    >>> print(counted_accuracy(17, 20))
    accuracy 0.850 [0.640, 0.948] (17/20)
    """
    return count_share(
        declare_share(CATALOGUE["accuracy"]), right, tested, level=level, method=method
    )


def recall(
    confusion: Confusion, *, of: str, level: float = 0.95, method: str = "wilson"
) -> Measured:
    r"""Share of the items of a class that were called so (sensitivity): :math:`tp/(tp+fn)`.

    In [0, 1], larger is better, undefined when no item is of the class.

    Parameters
    ----------
    confusion : Confusion
        Rows by truth and called class, weighted or not.
    of : str
        The class that was to be found.
    level : float
        Coverage of the interval, strictly between 0 and 1.
    method : str
        A name of :data:`steelyard.uncertainty.PROPORTION_INTERVALS`; Wilson's by default.

    References
    ----------
    .. [1] Altman & Bland (1994), BMJ 308, 1552, doi:10.1136/bmj.308.6943.1552.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> recall(table, of="cat").value
    0.8
    """
    return class_share(confusion, "recall", of=of, level=level, method=method)


def precision(
    confusion: Confusion, *, of: str, level: float = 0.95, method: str = "wilson"
) -> Measured:
    r"""Share of the calls of a class that are true (positive predictive value): :math:`tp/(tp+fp)`.

    In [0, 1], larger is better, undefined when the class was never called. Parameters as in
    :func:`recall`.

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
    return class_share(confusion, "precision", of=of, level=level, method=method)


def specificity(
    confusion: Confusion, *, of: str, level: float = 0.95, method: str = "wilson"
) -> Measured:
    r"""Share of the items of other classes that were not called so: :math:`tn/(tn+fp)`.

    In [0, 1], larger is better, undefined when every item is of the class. Parameters as in
    :func:`recall`.

    References
    ----------
    .. [1] Altman & Bland (1994), BMJ 308, 1552, doi:10.1136/bmj.308.6943.1552.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> specificity(table, of="cat").value
    0.9
    """
    return class_share(confusion, "specificity", of=of, level=level, method=method)


def npv(confusion: Confusion, *, of: str, level: float = 0.95, method: str = "wilson") -> Measured:
    r"""Share of the calls of other classes that are true in this (:math:`tn/(tn+fn)`).

    Negative predictive value: in [0, 1], larger is better, undefined when every item was called
    of the class. Parameters as in :func:`recall`.

    References
    ----------
    .. [1] Altman & Bland (1994), BMJ 309, 102, doi:10.1136/bmj.309.6947.102.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> round(npv(table, of="cat").value, 4)
    0.8182
    """
    return class_share(confusion, "npv", of=of, level=level, method=method)


def prevalence(
    confusion: Confusion, *, of: str, level: float = 0.95, method: str = "wilson"
) -> Measured:
    r"""Share of the items that are of a class: :math:`(tp+fn)/n`.

    In [0, 1], a fact about the items and no merit; undefined without items. Parameters as in
    :func:`recall`.

    References
    ----------
    .. [1] Altman & Bland (1994), BMJ 309, 102, doi:10.1136/bmj.309.6947.102.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> prevalence(table, of="cat").value
    0.5
    """
    return class_share(confusion, "prevalence", of=of, level=level, method=method)


def called_share(
    confusion: Confusion, *, of: str, level: float = 0.95, method: str = "wilson"
) -> Measured:
    r"""Share of the items that were called of a class: :math:`(tp+fp)/n`.

    In [0, 1], neither good nor bad; far from :func:`prevalence` it shows a system that calls the
    class too often or too seldom. Undefined without items. Parameters as in :func:`recall`.

    References
    ----------
    .. [1] Fielding & Bell (1997), Environmental Conservation 24, 38-49,
       doi:10.1017/S0376892997000088.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> called_share(table, of="cat").value
    0.45
    """
    return class_share(confusion, "called-share", of=of, level=level, method=method)

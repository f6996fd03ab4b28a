"""Shares of items and of calls that went wrong: false alarms, misses and their like."""

from steelyard.counts import Confusion
from steelyard.measures.tables.detection import class_share
from steelyard.results.measured import Measured

__all__ = [
    "false_discovery_rate",
    "false_negative_rate",
    "false_omission_rate",
    "false_positive_rate",
]


def false_positive_rate(
    confusion: Confusion, *, of: str, level: float = 0.95, method: str = "wilson"
) -> Measured:
    r"""Share of the items of other classes that were called of this one: :math:`fp/(fp+tn)`.

    False alarm rate, P_FA: in [0, 1], smaller is better, undefined when every item is of the
    class; 1 minus :func:`specificity`. Parameters as in :func:`recall`.

    References
    ----------
    .. [1] Fawcett (2006), Pattern Recognition Letters 27, 861-874,
       doi:10.1016/j.patrec.2005.10.010.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> false_positive_rate(table, of="cat").value
    0.1
    """
    return class_share(confusion, "false-positive-rate", of=of, level=level, method=method)


def false_negative_rate(
    confusion: Confusion, *, of: str, level: float = 0.95, method: str = "wilson"
) -> Measured:
    r"""Share of the items of a class that were not called so (misses): :math:`fn/(tp+fn)`.

    In [0, 1], smaller is better, undefined when no item is of the class; 1 minus :func:`recall`.
    Parameters as in :func:`recall`.

    References
    ----------
    .. [1] Fawcett (2006), Pattern Recognition Letters 27, 861-874,
       doi:10.1016/j.patrec.2005.10.010.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> false_negative_rate(table, of="cat").value
    0.2
    """
    return class_share(confusion, "false-negative-rate", of=of, level=level, method=method)


def false_discovery_rate(
    confusion: Confusion, *, of: str, level: float = 0.95, method: str = "wilson"
) -> Measured:
    r"""Share of the calls of a class that are wrong: :math:`fp/(tp+fp)`.

    In [0, 1], smaller is better, undefined when the class was never called; 1 minus
    :func:`precision`. Parameters as in :func:`recall`.

    References
    ----------
    .. [1] Fawcett (2006), Pattern Recognition Letters 27, 861-874,
       doi:10.1016/j.patrec.2005.10.010.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> round(false_discovery_rate(table, of="cat").value, 4)
    0.1111
    """
    return class_share(confusion, "false-discovery-rate", of=of, level=level, method=method)


def false_omission_rate(
    confusion: Confusion, *, of: str, level: float = 0.95, method: str = "wilson"
) -> Measured:
    r"""Share of the calls of other classes that missed this one: :math:`fn/(tn+fn)`.

    In [0, 1], smaller is better, undefined when every item was called of the class; 1 minus
    :func:`npv`. Parameters as in :func:`recall`.

    References
    ----------
    .. [1] Fawcett (2006), Pattern Recognition Letters 27, 861-874,
       doi:10.1016/j.patrec.2005.10.010.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> round(false_omission_rate(table, of="cat").value, 4)
    0.1818
    """
    return class_share(confusion, "false-omission-rate", of=of, level=level, method=method)

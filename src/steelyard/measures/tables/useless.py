"""The bar that calling the most common class sets, and words for systems that do not clear it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from steelyard.counts import Confusion
from steelyard.display.numbers import show_share
from steelyard.errors import NotComparable, RequestError
from steelyard.measures.catalogue.listing import CATALOGUE
from steelyard.measures.tables.shares import declare_share, row_share
from steelyard.results.measured import Measured
from steelyard.uncertainty.special import betainc

__all__ = [
    "NoInformationTest",
    "always_one_class",
    "no_information_rate",
    "no_information_test",
    "warn_if_useless",
]

NoInformationMethod = Literal["paired", "binomial"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoInformationTest:
    """Is the accuracy above the share of the most common class? ``p_value`` is one-sided."""

    largest: str
    rate: float
    accuracy: float
    p_value: float
    method: NoInformationMethod = "paired"


def no_information_rate(
    confusion: Confusion, *, level: float = 0.95, method: str = "wilson"
) -> Measured:
    """Share of the most common true class: the accuracy of calling it every time.

    In [0, 1], a bar to clear and not a merit; undefined without items. Of equally common classes
    the first in reading order is named.

    Parameters
    ----------
    confusion : Confusion
        Rows by truth and called class, weighted or not.
    level : float
        Coverage of the interval, strictly between 0 and 1.
    method : str
        A name of :data:`steelyard.uncertainty.PROPORTION_INTERVALS`; Wilson's by default.

    References
    ----------
    .. [1] Kuhn (2008), Journal of Statistical Software 28 (5), doi:10.18637/jss.v028.i05.

    Examples
    --------
    >>> rate = no_information_rate(Confusion.from_matrix([[8, 2], [1, 4]], classes=["cat", "dog"]))
    >>> rate.of, round(rate.value, 4)
    ('cat', 0.6667)
    """
    wanted = declare_share(CATALOGUE["no-information rate"], _largest_class(confusion))
    return row_share(confusion, wanted, level=level, method=method)


def no_information_test(
    confusion: Confusion, *, method: NoInformationMethod = "paired"
) -> NoInformationTest:
    r"""Exact one-sided test that the accuracy is above the no-information rate.

    ``paired`` (default): calling the most common class every time is a system of its own, tried on
    the same items. With b items that only the system has right (right, and of another class) and c
    that only the constant call has right (wrong, and of the largest class), it is the one-sided
    sign test :math:`P(X\ge b)`, :math:`X\sim\mathrm{Bin}(b+c,\tfrac12)` [1]_.
    ``binomial``: :math:`P(X\ge x)` for :math:`X\sim\mathrm{Bin}(n,\pi)`, with :math:`x` right items
    and :math:`\pi` the share of the largest class, taken as known [2]_.

    Parameters
    ----------
    confusion : Confusion
        Rows by truth and called class, without weights.
    method : {"paired", "binomial"}
        Which test.

    Notes
    -----
    ``binomial``, which other packages print, forgets that the rate was estimated from the same
    items: at 5 % it rejected 7 % of systems that are no better (see the certificates).
    It stands here to be compared with. By either, 1 when nothing is right.

    ``binomial`` takes the rate of the largest class as known and errs in up to 18 % instead of 5 %
    (docs/reference/certificates.md); ``paired`` does not.

    References
    ----------
    .. [1] McNemar (1947), Psychometrika 12, 153-157, doi:10.1007/BF02295996.
    .. [2] Kuhn (2008), Journal of Statistical Software 28 (5), doi:10.18637/jss.v028.i05.

    Examples
    --------
    >>> test = no_information_test(Confusion.from_matrix([[25, 10], [5, 60]]))
    >>> test.rate, test.accuracy, round(test.p_value, 6)
    (0.65, 0.85, 0.000162)
    """
    if method not in P_VALUES:
        raise RequestError.for_choice(name="method", given=method, choices=tuple(P_VALUES))
    largest = _largest_class(confusion)
    if largest is None or confusion.weights is not None:
        what = "rows with weights" if confusion.weights is not None else "no items"
        message = f"This table has {what}; the exact test counts whole items. Pass plain counts."
        raise NotComparable(message, code="weighted" if confusion.weights else "no-items")
    right, common, total = _right_and_common(confusion, largest)
    return NoInformationTest(
        largest=largest,
        rate=common / total,
        accuracy=right / total,
        p_value=P_VALUES[method](confusion, largest),
        method=method,
    )


def _least_for_pair(confusion: Confusion, largest: str) -> float:
    ahead = sum(n for t, c, n in confusion.cells if t == c != largest)
    behind = sum(n for t, c, n in confusion.cells if c != t == largest)
    # P(X >= b) is the regularised incomplete beta function I_1/2(b, c + 1).
    return float(betainc(ahead, behind + 1, 0.5)) if ahead else 1.0


def _binomial(confusion: Confusion, largest: str) -> float:
    right, common, total = _right_and_common(confusion, largest)
    return float(betainc(right, total - right + 1, common / total)) if right else 1.0


P_VALUES: dict[str, Callable[[Confusion, str], float]] = {
    "paired": _least_for_pair,
    "binomial": _binomial,
}
"""One-sided p-values against always calling the largest class, by name."""


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
    caveats = always_one_class(confusion)
    if right <= common and total:
        told = show_share(right / total)
        bar = show_share(common / total)
        words = "no better than" if right == common else "worse than"
        caveats += (
            f"accuracy {told} is {words} calling every item {largest!r}, which is right for {bar}",
        )
    return caveats


def always_one_class(confusion: Confusion) -> tuple[str, ...]:
    """Say when every item was called the same, although not every item is the same."""
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

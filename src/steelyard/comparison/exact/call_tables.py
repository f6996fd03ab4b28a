"""Do two systems call the classes alike? Symmetry of their table of calls."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc

from steelyard.counts import JointCalls
from steelyard.counts.columns import place_of
from steelyard.errors import CountsError

__all__ = ["SymmetryTest", "bowker", "call_table", "stuart_maxwell"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SymmetryTest:
    """Chi-square test; the statistic is None, and p is 1, when nothing tells the systems apart."""

    statistic: float | None
    degrees_of_freedom: int
    p_value: float


def call_table(
    joint: JointCalls, first: str, second: str, *, truth: str | None = None
) -> tuple[tuple[int, ...], ...]:
    """Items by what the first and what the second system called; of one true class if named.

    Examples
    --------
    >>> cells = {("cat", ("cat", "dog")): 3, ("dog", ("dog", "dog")): 4}
    >>> joint = JointCalls.from_cells(cells, systems=["A", "B"])
    >>> call_table(joint, "A", "B"), call_table(joint, "A", "B", truth="cat")
    (((0, 3), (0, 4)), ((0, 3), (0, 0)))
    """
    one, two = (place_of(joint.systems, system) for system in (first, second))
    if truth is not None and truth not in joint.classes:
        message = f"No class {truth!r} here. Classes: {', '.join(joint.classes)}."
        raise CountsError(message, code="class-unknown")
    place = {name: k for k, name in enumerate(joint.classes)}
    table = [[0] * len(place) for _ in place]
    for label, calls, rows in joint.cells:
        if truth is None or label == truth:
            table[place[calls[one]]][place[calls[two]]] += rows
    return tuple(map(tuple, table))


def bowker(table: Sequence[Sequence[int]]) -> SymmetryTest:
    r"""Bowker's test that a table of calls is symmetric.

    .. math:: X^2 = \sum_{i<j} \frac{(n_{ij} - n_{ji})^2}{n_{ij} + n_{ji}},

    chi-square with as many degrees of freedom as there are pairs of classes with any item. For
    two classes it is the asymptotic McNemar test.

    Notes
    -----
    It says that the systems confuse classes differently, not that one is better: the truth does
    not enter, unless the table holds items of one true class only. Pairs of classes without an
    item say nothing and are not counted as degrees of freedom; other programs do count them.

    References
    ----------
    .. [1] Bowker (1948), JASA 43, 572-574, doi:10.1080/01621459.1948.10483284.

    Examples
    --------
    >>> answer = bowker([[20, 10, 5], [3, 30, 15], [0, 5, 40]])
    >>> round(answer.statistic, 4), answer.degrees_of_freedom, round(answer.p_value, 4)
    (13.7692, 3, 0.0032)
    """
    counts = _square(table)
    upper = np.triu_indices(counts.shape[0], 1)
    one, two = counts[upper], counts.T[upper]
    some = one + two > 0
    if not some.any():
        return SymmetryTest(statistic=None, degrees_of_freedom=0, p_value=1.0)
    statistic = float(((one - two)[some] ** 2 / (one + two)[some]).sum())
    freedom = int(some.sum())
    return SymmetryTest(
        statistic=statistic,
        degrees_of_freedom=freedom,
        p_value=float(chdtrc(freedom, statistic)),
    )


def stuart_maxwell(table: Sequence[Sequence[int]]) -> SymmetryTest:
    r"""Stuart-Maxwell test that two systems call every class equally often.

    With :math:`d_i = n_{i\cdot} - n_{\cdot i}`, :math:`V_{ii} = n_{i\cdot} + n_{\cdot i} -
    2n_{ii}` and :math:`V_{ij} = -(n_{ij} + n_{ji})`,

    .. math:: X^2 = d^\top V^{-} d,

    chi-square with the rank of V as its degrees of freedom (K - 1 when all classes are linked).

    Notes
    -----
    Weaker question than :func:`bowker`: only how often each class is called. Equal frequencies
    may hide that the systems call different items.

    References
    ----------
    .. [1] Stuart (1955), Biometrika 42, 412-416, doi:10.1093/biomet/42.3-4.412.
    .. [2] Maxwell (1970), British Journal of Psychiatry 116, 651-655, doi:10.1192/bjp.116.535.651.

    Examples
    --------
    >>> answer = stuart_maxwell([[20, 10, 5], [3, 30, 15], [0, 5, 40]])
    >>> round(answer.statistic, 4), answer.degrees_of_freedom, round(answer.p_value, 4)
    (13.7647, 2, 0.001)
    """
    counts = _square(table)
    gap = counts.sum(axis=1) - counts.sum(axis=0)
    statistic, freedom = _eliminate(counts + counts.T, gap)
    if freedom == 0:
        return SymmetryTest(statistic=None, degrees_of_freedom=0, p_value=1.0)
    return SymmetryTest(
        statistic=statistic,
        degrees_of_freedom=freedom,
        p_value=float(chdtrc(freedom, statistic)),
    )


def _eliminate(links: NDArray[np.float64], gap: NDArray[np.float64]) -> tuple[float, int]:
    """Quadratic form of ``gap`` with the inverse of the matrix whose off-diagonal is -``links``.

    Classes are taken out one after the other, their links passed on to the others. The diagonal
    is never subtracted from, so counts of any size keep their digits, and the rank is exact.
    """
    statistic, freedom = 0.0, 0
    for k in range(gap.size - 1):
        rest = links[k, k + 1 :]
        total = float(rest.sum())
        if total > 0:
            statistic += float(gap[k]) ** 2 / total
            freedom += 1
            gap[k + 1 :] += gap[k] * rest / total
            links[k + 1 :, k + 1 :] += np.outer(rest, rest) / total
    return statistic, freedom


def _square(table: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    rows = [list(row) for row in table]
    if len(rows) < 2 or any(len(row) != len(rows) for row in rows):
        message = (
            f"{len(rows)} rows of {sorted({len(row) for row in rows})} counts; "
            "expected a square table of calls of at least two classes."
        )
        raise CountsError(message, code="not-square")
    counts = np.array(rows, dtype=np.float64)
    if not ((counts >= 0) & (counts == np.floor(counts))).all():
        message = "The table of calls holds something else than whole numbers, 0 or more."
        raise CountsError(message, code="count-not-whole")
    return counts

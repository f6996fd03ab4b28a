"""Any measure of two systems on common items compared by drawing or exchanging items again."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from steelyard.counts import Grouped, JointCalls
from steelyard.errors import NotComparable, RequestError, listing

__all__ = [
    "MOST_NUMBERS",
    "CallCells",
    "ResampledDifference",
    "ResamplingMethod",
    "TableMeasure",
    "bootstrap",
    "bootstrap_calls",
    "check_clusters",
    "check_draws",
    "check_values",
    "count_draws",
    "permute",
    "permute_calls",
]

Floats: TypeAlias = NDArray[np.float64]
Whole: TypeAlias = NDArray[np.int64]
ResamplingMethod: TypeAlias = Literal["bootstrap", "permutation"]

TableMeasure: TypeAlias = Callable[[NDArray[Any]], Floats]
"""From tables of shape (draws, classes, classes), truth by call, to a value each; NaN where
there is none."""

MOST_NUMBERS = 1 << 20
"""Numbers held at once."""

LEAST_CLUSTERS = 8
"""With fewer clusters the draws are too coarse for the tails of Student's t."""

CLOSE = 1e-12
"""Differences nearer than this count as equal, so that rounding makes no extreme ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResampledDifference:
    """Two systems by one measure: the first minus the second.

    ``undefined`` draws had no value and are left out; a permutation gives no interval.
    """

    first: str
    second: str
    values: tuple[float, float]
    difference: float
    low: float | None
    high: float | None
    p_value: float
    draws: int
    undefined: int
    method: ResamplingMethod


def bootstrap_calls(
    joint: JointCalls | Grouped[JointCalls],
    measure: TableMeasure,
    *,
    rng: np.random.Generator,
    draws: int = 2000,
    level: float = 0.95,
) -> tuple[ResampledDifference, ...]:
    r"""Paired bootstrap of a measure of calls, for every pair of systems.

    Items are drawn again with replacement, all systems together: the rows of the distinct
    (truth, calls) follow one multinomial distribution, so the work does not grow with the items.
    The interval holds the middle ``level`` of the differences drawn;
    :math:`p=2\min(\#\{d^*\le0\}+1,\ \#\{d^*\ge0\}+1)/(B+1)`, at most 1.

    Parameters
    ----------
    joint
        Calls on common items. Of items in clusters, the calls of each cluster: then whole clusters
        are drawn again, as many as there are.
    measure
        Any function of confusion tables, as :data:`TableMeasure` says.

    Notes
    -----
    Percentile intervals are too short for few items and near an end of the measure's range. A p
    is never below 1/(B+1): B draws cannot show more. Shares of draws of clusters are read by
    Student's t, see :func:`bootstrap`; fewer than 8 clusters are refused. Items that all say
    the same give no interval, and no test if they say that the systems differ.

    References
    ----------
    .. [1] Efron & Tibshirani (1993), An Introduction to the Bootstrap, Chapman & Hall, chapters 13
       and 16, doi:10.1007/978-1-4899-4541-9.

    Examples
    --------
    >>> joint = JointCalls.from_cells(
    ...     {("a", ("a", "a")): 60, ("a", ("a", "b")): 18, ("b", ("a", "b")): 5,
    ...      ("b", ("b", "b")): 40}, systems=("S", "T"))
    >>> def accuracy(tables):
    ...     return np.trace(tables, axis1=1, axis2=2) / tables.sum(axis=(1, 2))
    >>> (pair,) = bootstrap_calls(joint, accuracy, rng=np.random.default_rng(1), draws=999)
    >>> round(pair.difference, 4), pair.low > 0, pair.p_value < 0.02
    (0.1057, True, True)
    """
    check_draws(draws)
    table = CallCells(joint)
    seen = np.array([measure(table.tables(table.rows[None, :], s))[0] for s in table.places])
    check_values(table.systems, seen)
    found = np.concatenate(
        [
            np.stack([measure(table.tables(rows, s)) for s in table.places])
            for rows in table.draw(rng, draws)
        ],
        axis=1,
    )
    return bootstrap(table.systems, seen, found, level=level, clusters=table.clusters)


def permute_calls(
    joint: JointCalls | Grouped[JointCalls],
    measure: TableMeasure,
    *,
    rng: np.random.Generator,
    draws: int = 2000,
) -> tuple[ResampledDifference, ...]:
    r"""Paired permutation test of a measure of calls, for every pair of systems.

    On each item the calls of the two systems change places with probability ½: of the n rows of
    one (truth, call, call) a binomial number does.
    :math:`p=(1+\#\{|d^*|\ge|d|\})/(B+1)`. Given the calls of each cluster, the two change places
    on all items of a cluster or on none.

    Notes
    -----
    It tests that the two systems are exchangeable on every item, which is more than equal values
    of the measure; a p is never below 1/(B+1).

    References
    ----------
    .. [1] Phipson & Smyth (2010), Statistical Applications in Genetics and Molecular Biology 9,
       article 39, doi:10.2202/1544-6115.1585.

    Examples
    --------
    >>> joint = JointCalls.from_cells(
    ...     {("a", ("a", "b")): 18, ("a", ("b", "a")): 5, ("b", ("b", "b")): 40},
    ...     systems=("S", "T"))
    >>> def accuracy(tables):
    ...     return np.trace(tables, axis1=1, axis2=2) / tables.sum(axis=(1, 2))
    >>> (pair,) = permute_calls(joint, accuracy, rng=np.random.default_rng(1), draws=999)
    >>> 0.005 < pair.p_value < 0.02
    True
    """
    check_draws(draws)
    table = CallCells(joint)
    seen = np.array([measure(table.tables(table.rows[None, :], s))[0] for s in table.places])
    check_values(table.systems, seen)
    return tuple(
        permute(
            (table.systems[i], table.systems[j]),
            (seen[i], seen[j]),
            np.concatenate(
                [measure(one) - measure(two) for one, two in table.exchange(rng, draws, i, j)]
            ),
        )
        for i, j in combinations(table.places, 2)
    )


def bootstrap(
    systems: Sequence[str], seen: Floats, found: Floats, *, level: float, clusters: int = 0
) -> tuple[ResampledDifference, ...]:
    r"""Compare every pair of rows of ``found``, a row of drawn values for each system.

    Drawn means of G clusters vary by :math:`(G-1)/G` too little, and normally where Student's t
    with G - 1 degrees of freedom is right: shares of draws are read as
    :math:`T_{G-1}(\Phi^{-1}(q)\sqrt{(G-1)/G})`, for the interval as for the p-value. A one-to-one
    transform of the measure leaves these shares as they are.
    """
    if 0 < clusters < LEAST_CLUSTERS:
        message = (
            f"{clusters} clusters are too few to be drawn again: {LEAST_CLUSTERS} or more are "
            "needed. Leave method= and measure= (--method, --measure) out to compare without "
            "draws, or test more clusters."
        )
        raise NotComparable(message, code="too-few-clusters")
    pairs = []
    for i, j in combinations(range(len(systems)), 2):
        gaps = found[i] - found[j]
        held = gaps[np.isfinite(gaps)]
        _need_most(held.size, gaps.size)
        below = int(np.count_nonzero(held <= CLOSE)) + 1
        above = int(np.count_nonzero(held >= -CLOSE)) + 1
        share = _share_of_draws((1 - level) / 2, clusters)
        ends: tuple[float | None, float | None] = (None, None)
        if np.ptp(held) > CLOSE:
            low, high = np.quantile(held, [share, 1 - share])
            ends = (float(low), float(high))
        elif abs(seen[i] - seen[j]) > CLOSE:
            message = (
                f"{systems[i]} and {systems[j]} differ by the same amount in every draw, so draws "
                "cannot say how sure that is. Leave method= and measure= (--method, --measure) "
                "out, or test more items."
            )
            raise NotComparable(message, code="no-variation")
        tail = min(below, above) / (held.size + 1)
        pairs.append(
            ResampledDifference(
                first=systems[i],
                second=systems[j],
                values=(float(seen[i]), float(seen[j])),
                difference=float(seen[i] - seen[j]),
                low=ends[0],
                high=ends[1],
                p_value=min(1.0, 2 * _error_of_draws(tail, clusters)),
                draws=gaps.size,
                undefined=gaps.size - held.size,
                method="bootstrap",
            )
        )
    return tuple(pairs)


def _share_of_draws(error: float, clusters: int) -> float:
    """Share of draws to leave out on one side for this error rate."""
    if not clusters:
        return error
    return float(ndtr(stdtrit(clusters - 1, error) * sqrt(clusters / (clusters - 1))))


def _error_of_draws(share: float, clusters: int) -> float:
    """Error rate on one side that a share of draws stands for."""
    if not clusters or share >= 0.5:
        return share
    return float(stdtr(clusters - 1, ndtri(share) * sqrt((clusters - 1) / clusters)))


def permute(names: tuple[str, str], seen: tuple[float, float], gaps: Floats) -> ResampledDifference:
    """Compare the difference seen with those after exchanges."""
    held = gaps[np.isfinite(gaps)]
    _need_most(held.size, gaps.size)
    gap = float(seen[0] - seen[1])
    extreme = int(np.count_nonzero(np.abs(held) >= abs(gap) - CLOSE))
    return ResampledDifference(
        first=names[0],
        second=names[1],
        values=(float(seen[0]), float(seen[1])),
        difference=gap,
        low=None,
        high=None,
        p_value=(1 + extreme) / (held.size + 1),
        draws=gaps.size,
        undefined=gaps.size - held.size,
        method="permutation",
    )


def check_draws(draws: object) -> None:
    """Refuse a number of draws that shows nothing."""
    if isinstance(draws, bool) or not isinstance(draws, int | np.integer) or draws < 99:
        message = f"draws={draws!r}; expected a whole number, 99 or more: draws=2000."
        raise RequestError(message)


def check_values(systems: Sequence[str], seen: Floats) -> None:
    """Refuse a measure that has no value for some system."""
    without = [name for name, value in zip(systems, seen, strict=True) if not np.isfinite(value)]
    if without:
        message = (
            f"The measure is undefined for {listing(without)} on these items, so there is no "
            "difference to compare. Choose another measure, or leave these systems out."
        )
        raise NotComparable(message, code="undefined-measure")


def _need_most(held: int, drawn: int) -> None:
    if 2 * held < drawn:
        message = (
            f"The measure is undefined in {drawn - held} of {drawn} draws: these items are too few "
            "for it. Choose another measure, or test more items."
        )
        raise NotComparable(message, code="undefined-measure")


def count_draws(number: int, clusters: int, rng: np.random.Generator) -> Whole:
    """Draw as many clusters as there are, so many times; count how often each was drawn."""
    return rng.multinomial(clusters, np.full(clusters, 1 / clusters), size=number)


def check_clusters(clusters: int) -> None:
    """Refuse to draw from one cluster."""
    if clusters < 2:
        message = (
            f"{clusters} cluster: whole clusters are drawn or exchanged, and that takes two or "
            "more. Leave the cluster column out if its items are independent."
        )
        raise NotComparable(message, code="one-cluster")


class CallCells:
    """The distinct (truth, calls), of each cluster apart, as places in flat confusion tables."""

    def __init__(self, joint: JointCalls | Grouped[JointCalls]) -> None:
        parts = [part for _, part in joint] if isinstance(joint, Grouped) else [joint]
        self.systems = parts[0].systems
        self.clusters = len(parts) if isinstance(joint, Grouped) else 0
        if self.clusters:
            check_clusters(self.clusters)
        classes = joint.merged().classes if isinstance(joint, Grouped) else joint.classes
        place = {name: at for at, name in enumerate(classes)}
        cells = [cell for part in parts for cell in part.cells]
        self.cluster = np.repeat(np.arange(len(parts)), [len(part.cells) for part in parts])
        self.size = len(place)
        self.places = range(len(self.systems))
        self.rows = np.array([rows for *_, rows in cells], dtype=np.int64)
        self.truth = np.array([place[truth] for truth, *_ in cells], dtype=np.int64)
        self.calls = np.array([[place[c] for c in calls] for _, calls, _ in cells]).T
        self.flat = self.truth * self.size + self.calls
        self.block = max(1, MOST_NUMBERS // max(self.rows.size, self.size**2))
        if self.rows.sum() == 0:
            message = "There are no items; a comparison needs some."
            raise NotComparable(message, code="no-items")

    def tables(self, rows: NDArray[Any], system: int) -> NDArray[Any]:
        """Add rows of shape (draws, cells), or their weights, up to confusion tables."""
        return self._add_rows(rows, self.flat[system]).reshape(-1, self.size, self.size)

    def draw(self, rng: np.random.Generator, draws: int) -> Iterator[Whole]:
        """Draw the rows of all cells again, or whole clusters, block by block."""
        total = int(self.rows.sum())
        for start in range(0, draws, self.block):
            number = min(self.block, draws - start)
            if self.clusters:
                yield count_draws(number, self.clusters, rng)[:, self.cluster] * self.rows
            else:
                yield rng.multinomial(total, self.rows / total, size=number)

    def exchange(
        self, rng: np.random.Generator, draws: int, first: int, second: int
    ) -> Iterator[tuple[Whole, Whole]]:
        """Exchange the calls of two systems on a random half of their items or clusters."""
        apart = np.flatnonzero(self.calls[first] != self.calls[second])
        base = [self.tables(self.rows[None, :], s) for s in (first, second)]
        for start in range(0, draws, self.block):
            number = min(self.block, draws - start)
            if self.clusters:
                swap = rng.integers(0, 2, size=(number, self.clusters))
                moved = swap[:, self.cluster[apart]] * self.rows[apart]
            else:
                moved = rng.binomial(self.rows[apart], 0.5, size=(number, apart.size))
            change = self._add_rows(moved, self.flat[second][apart])
            change -= self._add_rows(moved, self.flat[first][apart])
            tables = change.reshape(-1, self.size, self.size)
            yield base[0] + tables, base[1] - tables

    def _add_rows(self, rows: NDArray[Any], flat: NDArray[Any]) -> NDArray[Any]:
        added = np.zeros((rows.shape[0], self.size**2), dtype=rows.dtype)
        if flat.size:
            order = np.argsort(flat, kind="stable")
            names, starts = np.unique(flat[order], return_index=True)
            added[:, names] = np.add.reduceat(rows[:, order], starts, axis=1)
        return added

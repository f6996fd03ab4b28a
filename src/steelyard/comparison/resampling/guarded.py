"""Any measure of two systems on common items, with limits that allow for one unseen item."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from steelyard.comparison.resampling.paired import CallCells, TableMeasure, check_draws
from steelyard.counts import Grouped, JointCalls

__all__ = ["GuardedDifference", "guarded_calls"]

Floats: TypeAlias = NDArray[np.float64]
ROUNDING = 1e-12
"""Differences of a measure that lie nearer to each other than this are equal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardedDifference:
    """Two systems by one measure: both values, and the limits of the first minus the second.

    Limits are None where a value is undefined or would be in too many draws, and where there is
    only one class, so that nobody can err; then there is no test either. ``tails`` are the smallest
    one-sided error rates at which the lower limit lies above 0, and the upper one below it.
    """

    values: tuple[float | None, float | None]
    low: float | None
    high: float | None
    draws: int
    tails: tuple[float, float] | None = None

    @property
    def p_value(self) -> float | None:
        """The smallest error rate at which the interval leaves out 0."""
        return None if self.tails is None else min(1.0, 2 * min(self.tails))

    @property
    def better(self) -> float | None:
        """One-sided confidence that the first value is the larger; ½ while no limit says so."""
        if self.tails is None:
            return None
        above, below = (min(tail, 0.5) for tail in self.tails)
        return 1 - above if above < below else below


def guarded_calls(
    joint: JointCalls | Grouped[JointCalls],
    measure: TableMeasure,
    pair: tuple[str, str],
    *,
    rng: np.random.Generator,
    draws: int = 10_000,
    level: float = 0.95,
) -> GuardedDifference:
    r"""Bayesian bootstrap of a difference, guarded by the item that would harm the claim most.

    Items get independent standard exponential weights, so the :math:`n_i` items of one
    (truth, call, call) together a gamma weight of shape :math:`n_i` [1]_. For the lower limit one
    more item with such a weight is added: of all (truth, call, call) in which one system is right
    and the other is not, the one that lowers the difference most. The limit is the
    :math:`(1-\text{level})/2` quantile; for the upper limit the systems change places.

    Parameters
    ----------
    joint
        Calls on common items. Of items in clusters, the calls of each cluster: then clusters get
        the weights, and the unseen one is a cluster with as many items of each class as the
        largest has, in which every item harms the claim.
    measure
        Any function of confusion tables, as
        :data:`~steelyard.comparison.TableMeasure` says; tables hold weights,
        not whole numbers.
    pair
        The first and the second system.

    Notes
    -----
    For a share of items that only the truth selects this is
    :func:`steelyard.uncertainty.guarded_paired_interval`, Gaffke's bound [2]_, which gives the
    limits of Clopper and Pearson where only one kind of item occurs. Like Fay and Feuer's limits of
    a weighted sum of Poisson counts [3]_ it adds one event, where that weighs most, to what was
    seen. No interval is without width, since one item can always be unseen. For smooth measures
    that are no mean the level is not proved; the certificates search for a case where it fails.

    References
    ----------
    .. [1] Rubin (1981), The Bayesian bootstrap, Annals of Statistics 9, 130-134,
       doi:10.1214/aos/1176345338.
    .. [2] Learned-Miller & Thomas (2019), doi:10.48550/arXiv.1905.06208.
    .. [3] Fay & Feuer (1997), Statistics in Medicine 16, 791-801,
       doi:10.1002/(SICI)1097-0258(19970415)16:7<791::AID-SIM500>3.0.CO;2-#.

    Examples
    --------
    >>> joint = JointCalls.from_cells(
    ...     {("a", ("a", "a")): 60, ("a", ("a", "b")): 18, ("b", ("a", "b")): 5,
    ...      ("b", ("b", "b")): 40}, systems=("S", "T"))
    >>> def accuracy(tables):
    ...     return np.trace(tables, axis1=1, axis2=2) / tables.sum(axis=(1, 2))
    >>> found = guarded_calls(joint, accuracy, ("S", "T"), rng=np.random.default_rng(1))
    >>> 0 < found.low < 0.1057 < found.high
    True
    """
    check_draws(draws)
    cells = CallCells(joint)
    places = (cells.systems.index(pair[0]), cells.systems.index(pair[1]))
    tables = [cells.tables(cells.rows[None, :], place)[0].astype(np.float64) for place in places]
    seen = [float(measure(table[None])[0]) for table in tables]
    values = (_none_if_nan(seen[0]), _none_if_nan(seen[1]))
    if values[0] is None or values[1] is None or len(tables[0]) < 2:
        return GuardedDifference(values=values, low=None, high=None, draws=draws)
    amounts = _amounts(cells)
    against = _unseen(tables[0], tables[1], measure, amounts)
    in_favour = _unseen(tables[1], tables[0], measure, amounts)
    below, above = [], []
    for weights, extra in _weights(cells, rng, draws):
        one, two = (cells.tables(weights, place) for place in places)
        below.append(measure(one + extra * against[0]) - measure(two + extra * against[1]))
        above.append(measure(two + extra * in_favour[0]) - measure(one + extra * in_favour[1]))
    under, over = np.concatenate(below), np.concatenate(above)
    tail = (1 - level) / 2
    low, high = _lowest(under, tail), _lowest(over, tail)
    return GuardedDifference(
        values=values,
        low=low,
        high=None if high is None else -high,
        draws=draws,
        tails=(_tail(under), _tail(over)),
    )


def _none_if_nan(value: float) -> float | None:
    return value if np.isfinite(value) else None


def _weights(
    cells: CallCells, rng: np.random.Generator, draws: int
) -> Iterator[tuple[Floats, Floats]]:
    """Draw weights of all cells, and of what was not seen, block by block."""
    for start in range(0, draws, cells.block):
        number = min(cells.block, draws - start)
        if cells.clusters:
            each = rng.standard_exponential((number, cells.clusters))
            drawn = each[:, cells.cluster] * cells.rows
        else:
            drawn = rng.standard_gamma(cells.rows.astype(np.float64), (number, cells.rows.size))
        yield drawn, rng.standard_exponential(number)[:, None, None]


def _amounts(cells: CallCells) -> Floats | None:
    """Give the most items of each true class in one cluster; None where items are single.

    As with Fay and Feuer's largest weight: a mean cluster would be too light an exception.
    """
    if not cells.clusters:
        return None
    held = np.zeros((cells.clusters, cells.size))
    np.add.at(held, (cells.cluster, cells.truth), cells.rows)
    return np.asarray(held.max(axis=0))


def _unseen(
    ahead: Floats, behind: Floats, measure: TableMeasure, amounts: Floats | None
) -> tuple[Floats, Floats]:
    """Give the tables of what lowers the difference most: one item, or a cluster of such items.

    One system is right and the other wrong, either way round: of an error rate the item that
    lowers the difference is the one on which the first system is right.
    """
    size = len(ahead)
    found = []
    for truth in range(size):
        amount = 1.0 if amounts is None else float(amounts[truth])
        calls = [call for call in range(size) if call != truth]
        wrong = np.zeros((len(calls), size, size))
        wrong[np.arange(len(calls)), truth, calls] = amount
        right = np.zeros((size, size))
        right[truth, truth] = amount
        lost = measure(ahead + wrong) - measure((behind + right)[None])
        won = measure((ahead + right)[None]) - measure(behind + wrong)
        gaps = np.concatenate([lost, won])
        gaps = np.where(np.isfinite(gaps), gaps, np.inf)
        # The first of those that harm alike: rounding must not choose, or a share and its
        # complement would have two answers.
        worst = int(np.argmax(gaps <= gaps.min() + ROUNDING))
        one = wrong[worst % len(calls)]
        tables = (one, right) if worst < len(calls) else (right, one)
        found.append((float(gaps[worst]), *tables))
    if amounts is not None:
        return (
            np.sum([one for _, one, _ in found], axis=0),
            np.sum([two for *_, two in found], axis=0),
        )
    least = min(gap for gap, *_ in found)
    _, one, two = next(each for each in found if each[0] <= least + ROUNDING)
    return one, two


def _lowest(gaps: Floats, tail: float) -> float | None:
    """Take the quantile; a draw without a value counts against the claim."""
    ordered = np.sort(np.where(np.isfinite(gaps), gaps, -np.inf))
    # The place at which this limit passes 0 just when the share of `_tail` is at most the tail.
    place = int(tail * (ordered.size + 1) + ROUNDING) - 1
    limit = _none_if_nan(float(ordered[place])) if place >= 0 else None
    return limit if limit is None or abs(limit) > ROUNDING else 0.0


def _tail(gaps: Floats) -> float:
    """Share of draws that do not exceed 0, with one more, since none is known to be the least."""
    against = np.count_nonzero(~(gaps > ROUNDING))
    return (int(against) + 1) / (gaps.size + 1)

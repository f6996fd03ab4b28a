"""Groups of equal rate among several systems, chosen by the Akaike information criterion."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, inf

from steelyard.comparison.akaike.criterion import likelihood_gain, log_likelihood
from steelyard.counts import Trials
from steelyard.errors import NotComparable

__all__ = ["Partition", "Tiers", "akaike_tiers"]

WEIGHTED = 8
"""Up to so many systems every partition gets its weight; there are 4,140 partitions of eight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Partition:
    """One way to group the systems, best group first, and its Akaike weight."""

    tiers: tuple[tuple[str, ...], ...]
    aic: float
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiers:
    """The grouping with the smallest AIC, best tier first, systems by falling rate.

    ``partitions`` holds every grouping with its weight, the best first; it is empty with more
    than 8 systems, where there are too many.
    """

    tiers: tuple[tuple[str, ...], ...]
    rates: tuple[float, ...]
    aic: float
    partitions: tuple[Partition, ...]


def akaike_tiers(trials: Trials) -> Tiers:
    r"""Group systems with independent test sets into tiers of equal rate.

    Of all partitions of the m systems into groups with one rate each, the one with the smallest

    .. math:: AIC = -2\sum_g\left[x_g\log\tfrac{x_g}{n_g}
              + (n_g-x_g)\log\tfrac{n_g-x_g}{n_g}\right] + 2\,\#\text{groups},

    where :math:`x_g` of :math:`n_g` answers of group g were right. The log likelihood of a group
    is convex in its counts, so the best partition is contiguous in the sorted rates, also when
    test sets differ in size; dynamic programming finds it in :math:`O(m^2)` steps. Equal AIC: fewer
    tiers win. The weight of a partition is :math:`e^{-AIC/2}` over the sum for all partitions.

    Notes
    -----
    A tier is a description, not a proof of equality; look at the weights, which are often spread
    over many partitions. With m systems the chance to split equals grows with m.

    References
    ----------
    .. [1] Akaike (1974), IEEE Transactions on Automatic Control 19, 716-723,
       doi:10.1109/TAC.1974.1100705; the tiers are ours.
    .. [2] Burnham & Anderson (2004), Sociological Methods & Research 33, 261-304,
       doi:10.1177/0049124104268644 (Akaike weights).

    Examples
    --------
    >>> trials = Trials(correct={"S": 190, "T": 194, "U": 150}, tested=200, pairing="independent")
    >>> found = akaike_tiers(trials)
    >>> found.tiers, round(found.partitions[0].weight, 4)
    ((('T', 'S'), ('U',)), 0.6163)
    """
    if trials.pairing != "independent":
        message = (
            "Tiers need independent test sets; these systems saw common items. Use akaike_pairs on "
            "their outcomes."
        )
        raise NotComparable(message)
    rates = dict(zip(trials.systems, _rates(trials), strict=True))
    order = sorted(range(len(trials.systems)), key=lambda k: -rates[trials.systems[k]])
    right = [trials.correct[k] for k in order]
    tested = [trials.tested[k] for k in order]
    names = [trials.systems[k] for k in order]
    groups = _best_contiguous(right, tested)
    pooled = tuple(_pool(group, right, tested) for group in groups)
    return Tiers(
        tiers=tuple(tuple(names[k] for k in group) for group in groups),
        rates=tuple(x / n for x, n in pooled),
        aic=_apart(right, tested) + sum(_cost(group, right, tested) for group in groups),
        partitions=_weigh_partitions(names, right, tested) if len(names) <= WEIGHTED else (),
    )


def _rates(trials: Trials) -> tuple[float, ...]:
    return tuple(x / n for x, n in zip(trials.correct, trials.tested, strict=True))


def _apart(right: Sequence[int], tested: Sequence[int]) -> float:
    """Twice the negative log likelihood of a rate for each system, which all groupings share."""
    return -2 * sum(log_likelihood(x, n) for x, n in zip(right, tested, strict=True))


def _cost(group: Sequence[int], right: Sequence[int], tested: Sequence[int]) -> float:
    """AIC that one rate for this group adds: what it loses in likelihood, and its parameter."""
    return 2 * likelihood_gain([(right[k], tested[k]) for k in group]) + 2


def _pool(group: Sequence[int], right: Sequence[int], tested: Sequence[int]) -> tuple[int, int]:
    return sum(right[k] for k in group), sum(tested[k] for k in group)


def _best_contiguous(right: Sequence[int], tested: Sequence[int]) -> list[range]:
    least, start = [0.0], [0]
    for end in range(1, len(right) + 1):
        best, at = inf, 0
        for begin in range(end):
            cost = least[begin] + _cost(range(begin, end), right, tested)
            if cost < best:
                best, at = cost, begin
        least.append(best)
        start.append(at)
    groups, end = [], len(right)
    while end:
        groups.append(range(start[end], end))
        end = start[end]
    return groups[::-1]


def _weigh_partitions(
    names: Sequence[str], right: Sequence[int], tested: Sequence[int]
) -> tuple[Partition, ...]:
    costs: dict[tuple[int, ...], float] = {}
    found = []
    for groups in _set_partitions(len(names)):
        for group in groups:
            if group not in costs:
                costs[group] = _cost(group, right, tested)
        found.append((sum(costs[group] for group in groups), groups))
    found.sort()
    base = _apart(right, tested)
    total = sum(exp((found[0][0] - aic) / 2) for aic, _ in found)
    return tuple(
        Partition(
            tiers=tuple(tuple(names[k] for k in group) for group in groups),
            aic=base + aic,
            weight=exp((found[0][0] - aic) / 2) / total,
        )
        for aic, groups in found
    )


def _set_partitions(size: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """List all groupings of 0 .. size-1, each group and the list of groups in ascending order."""
    if size == 0:
        yield ()
        return
    last = size - 1
    for groups in _set_partitions(last):
        for place, group in enumerate(groups):
            yield (*groups[:place], (*group, last), *groups[place + 1 :])
        yield (*groups, (last,))

"""Two totals on common items: the paired test and posterior over every overlap they allow."""

from collections.abc import Sequence
from dataclasses import dataclass

from steelyard.comparison.exact.paired import common_test, mcnemar
from steelyard.comparison.posterior.paired import pair_posterior
from steelyard.counts import PairTable
from steelyard.counts.columns import check_sample

__all__ = ["OverlapBounds", "bound_best", "bound_overlaps", "overlap_ends"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlapBounds:
    """What the paired test and the joint posterior may say, whoever was right together.

    ``nested`` is the table in which the one with fewer right answers is right only where the other
    is, ``apart`` the one in which they are right together as rarely as the totals allow;
    ``better_low`` and ``better_high`` bound the probability that the first is better.
    """

    nested: PairTable
    apart: PairTable
    p_least: float
    p_largest: float
    better_low: float
    better_high: float


def bound_overlaps(first_right: int, second_right: int, *, tested: int) -> OverlapBounds:
    r"""Bound McNemar's test and P(better) over all overlaps that two totals allow.

    With k items right for both, :math:`\max(0, m_S + m_T - n) \le k \le \min(m_S, m_T)`, the
    discordant counts are :math:`b = m_S - k` and :math:`c = m_T - k`: their difference d is known,
    and only their number :math:`t = b + c` is not. The least p-value is that of the mid-p test, the
    largest that of the exact one: no overlap and neither form of the test goes beyond them, and
    a pair whose largest value is small is different at a level that holds for any number of items.
    Where one of the two is right on every item, or on none, there is one overlap alone: the items
    are known, and both ends are the test of :func:`~steelyard.comparison.common_test`.

    Notes
    -----
    The ends of the range of k are the ends of both ranges, so nothing is searched and any number of
    items is answered at once. Let :math:`W_t` be a walk of t fair steps of 1 and -1. For d > 0 the
    exact p-value is :math:`2 P(W_t \ge d)`, at most 1, and the mid-p value
    :math:`P(W_t \ge d) + P(W_t \ge d + 2)`. Two more steps change :math:`P(W_t \ge d)` by
    :math:`[P(W_t = d - 2) - P(W_t = d)]/4 \ge 0`: p rises with t. Likewise
    :math:`I_{1/2}(c + \frac12, b + \frac12)`, the probability that the first is better, falls as
    :math:`[(c + \frac12) - (b + \frac12)]` times a positive factor when both counts grow by one.
    For d = 0 no overlap speaks for a difference: p is 1 with no discordant item, and the mid-p
    value is least, 3/4, with one of each. The mid-p test itself would not do for the largest value:
    where all items are discordant it calls equal systems different in up to 7 % (8 items).

    References
    ----------
    .. [1] Fagerland, Lydersen & Laake (2013), BMC Medical Research Methodology 13, 91,
       doi:10.1186/1471-2288-13-91, for the test.
    .. [2] Altham (1971), Biometrika 58, 561-576, doi:10.1093/biomet/58.3.561, for the posterior.
    .. [3] Manski (2003), Partial Identification of Probability Distributions,
       doi:10.1007/b97478, for reporting what the data leave open as a range.

    Examples
    --------
    >>> found = bound_overlaps(190, 194, tested=200)
    >>> round(found.p_least, 4), round(found.p_largest, 4)
    (0.0625, 0.4545)
    """
    nested, apart = overlap_ends(first_right, second_right, tested=tested)
    likeliest = nested
    if first_right == second_right and apart.first:
        likeliest = PairTable(both=0, first=1, second=1, neither=0)
    better = [pair_posterior(table).first_better for table in (nested, apart)]
    known = common_test(apart).p_value if nested == apart else None
    return OverlapBounds(
        nested=nested,
        apart=apart,
        p_least=mcnemar(likeliest).p_value if known is None else known,
        p_largest=mcnemar(apart, method="exact").p_value if known is None else known,
        better_low=min(better),
        better_high=max(better),
    )


def overlap_ends(
    first_right: int, second_right: int, *, tested: int
) -> tuple[PairTable, PairTable]:
    """Give the paired tables of the largest and of the smallest overlap that two totals allow.

    Examples
    --------
    >>> [(table.first, table.second) for table in overlap_ends(190, 194, tested=200)]
    [(0, 4), (6, 10)]
    """
    for right in (first_right, second_right):
        check_sample(right, tested)
    nested = _table(first_right, second_right, tested, min(first_right, second_right))
    apart = _table(first_right, second_right, tested, max(0, first_right + second_right - tested))
    return nested, apart


def _table(first_right: int, second_right: int, tested: int, both: int) -> PairTable:
    return PairTable(
        both=both,
        first=first_right - both,
        second=second_right - both,
        neither=tested - first_right - second_right + both,
    )


def bound_best(
    low: Sequence[Sequence[float]], high: Sequence[Sequence[float]]
) -> tuple[tuple[float, float], ...]:
    r"""Bound each system's probability of being the best by those of being better than each other.

    .. math:: 1 - \sum_{j \ne i} [1 - P(i > j)] \le P(i\ \text{best}) \le \min_{j \ne i} P(i > j)

    holds for every joint distribution of the rates (Bonferroni, Fréchet), so with the least
    probabilities on the left and the largest on the right for every joint overlap.

    Examples
    --------
    >>> low, high = [[0.5, 0.75], [0.125, 0.5]], [[0.5, 0.875], [0.25, 0.5]]
    >>> bound_best(low, high)
    ((0.75, 0.875), (0.125, 0.25))
    """
    ranges = []
    for i, (least, most) in enumerate(zip(low, high, strict=True)):
        lost = sum(1 - share for j, share in enumerate(least) if j != i)
        top = min(share for j, share in enumerate(most) if j != i)
        ranges.append((max(0.0, 1 - lost), top))
    return tuple(ranges)

"""P-values that remember how many questions were asked."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, reduce
from itertools import accumulate, combinations
from math import comb
from operator import or_

from steelyard.errors import RequestError

__all__ = [
    "ADJUSTMENTS",
    "benjamini_hochberg",
    "bonferroni",
    "holm",
    "shaffer_dynamic",
    "shaffer_numbers",
    "shaffer_static",
]

DYNAMIC_LIMIT = 12
"""More systems than this would make the search of ``shaffer_dynamic`` slow."""


def bonferroni(p_values: Sequence[float]) -> tuple[float, ...]:
    """Multiply each p-value by how many there are; guards the family-wise error rate.

    Parameters
    ----------
    p_values : sequence of float
        In any order, each in [0, 1].

    Returns
    -------
    tuple of float
        Adjusted p-values in the order given, at most 1; reject where ``adjusted <= alpha``.

    References
    ----------
    .. [1] Dunn (1961), JASA 56, 52-64, doi:10.1080/01621459.1961.10482090.

    Examples
    --------
    >>> bonferroni([0.01, 0.5])
    (0.02, 1.0)
    """
    checked = _check(p_values)
    return tuple(min(1.0, len(checked) * p) for p in checked)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Step down: smallest times m, next times m - 1, and so on; never worse than Bonferroni.

    Parameters
    ----------
    p_values : sequence of float
        In any order, each in [0, 1].

    Returns
    -------
    tuple of float
        Adjusted p-values in the order given; reject where ``adjusted <= alpha``, which keeps the
        family-wise error rate at alpha under any dependence.

    References
    ----------
    .. [1] Holm (1979), Scandinavian Journal of Statistics 6, 65-70, stable id jstor.org/4615733.

    Examples
    --------
    >>> holm([0.03, 0.01, 0.04])
    (0.06, 0.03, 0.06)
    """
    checked = _check(p_values)
    return _step_down(checked, range(len(checked), 0, -1))


def benjamini_hochberg(p_values: Sequence[float]) -> tuple[float, ...]:
    """Step up: guards the share of false findings among all findings, not any single one.

    Parameters
    ----------
    p_values : sequence of float
        In any order, each in [0, 1]; independent or positively dependent.

    Returns
    -------
    tuple of float
        Adjusted p-values in the order given; reject where ``adjusted <= alpha``.

    References
    ----------
    .. [1] Benjamini & Hochberg (1995), JRSS B 57, 289-300, doi:10.1111/j.2517-6161.1995.tb02031.x.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03, 0.5])
    (0.04, 0.05333333333333334, 0.05333333333333334, 0.5)
    """
    checked = _check(p_values)
    number = len(checked)
    order = sorted(range(number), key=checked.__getitem__, reverse=True)
    scaled = (checked[place] * number / (number - step) for step, place in enumerate(order))
    return _in_place(order, accumulate(scaled, min))


def shaffer_numbers(systems: int, *, families: int = 1) -> tuple[int, ...]:
    r"""Largest number of equal pairs that is possible at each step of Shaffer's procedure.

    When k systems fall into groups of equal ones, the number of equal pairs is in
    :math:`S(k)=\bigcup_j\{\binom j2+x: x\in S(k-j)\}`; with :math:`m=\binom k2`,
    :math:`t_i=\max\{s\in S(k): s\le m-i+1\}` [1]_.

    Parameters
    ----------
    systems : int
        How many systems are compared, at least 2.
    families : int
        In how many slices all pairs are asked, each slice with truths of its own: the numbers of
        equal pairs of the slices add up in every way.

    References
    ----------
    .. [1] Shaffer (1986), JASA 81, 826-831, doi:10.1080/01621459.1986.10478341.

    Examples
    --------
    >>> shaffer_numbers(4)
    (6, 3, 3, 3, 2, 1)
    >>> shaffer_numbers(3, families=2)
    (6, 4, 4, 3, 2, 1)
    """
    if systems < 2 or families < 1:
        message = (
            f"systems={systems!r}, families={families!r}; pairs need at least 2 systems, and 1 "
            "family."
        )
        raise RequestError(message)
    possible = _sums(sorted(_equal_pair_numbers(systems)), families)
    numbers, most = [], possible.bit_length() - 1
    for left in range(comb(systems, 2) * families, 0, -1):
        while most > left or not possible >> most & 1:
            most -= 1
        numbers.append(most)
    return tuple(numbers)


def _sums(numbers: Sequence[int], count: int) -> int:
    """Add ``count`` of the numbers up in every way; bit s is set when s is such a sum."""
    sums = 1
    for _ in range(count):
        sums = reduce(or_, (sums << number for number in numbers))
    return sums


def shaffer_static(
    p_values: Sequence[float], *, systems: int, families: int = 1
) -> tuple[float, ...]:
    """Shaffer's first procedure for all pairs of systems (MSRB).

    Steps down like Holm but multiplies by :func:`shaffer_numbers`: if some pair differs, not every
    other pair can be equal. At least as powerful as Holm and with the same guarantee [1]_.

    Parameters
    ----------
    p_values : sequence of float
        One for each pair, in any order.
    systems : int
        How many systems were compared; there are ``systems * (systems - 1) / 2`` pairs.
    families : int
        In how many slices of the items all pairs were tested; then there are so many times the
        p-values, and the error rate holds for all slices and pairs together.

    Returns
    -------
    tuple of float
        Adjusted p-values in the order given; reject where ``adjusted <= alpha``.

    References
    ----------
    .. [1] Shaffer (1986), JASA 81, 826-831, doi:10.1080/01621459.1986.10478341.

    Examples
    --------
    >>> shaffer_static([0.01, 0.03, 0.04], systems=3)
    (0.03, 0.03, 0.04)
    """
    checked = _check_pairs(p_values, systems, families)
    return _step_down(checked, shaffer_numbers(systems, families=families))


def shaffer_dynamic(p_values: Sequence[float], *, systems: int) -> tuple[float, ...]:
    """Shaffer's second procedure: uses which pairs were rejected, not only how many.

    The factor at each step is the largest number of equal pairs that is possible while every pair
    rejected before it differs [1]_; never larger than that of :func:`shaffer_static`.

    Parameters
    ----------
    p_values : sequence of float
        One for each pair, in the order of ``itertools.combinations(range(systems), 2)``: first
        with second, first with third, and so on.
    systems : int
        How many systems were compared, at most 12.

    Returns
    -------
    tuple of float
        Adjusted p-values in the order given; reject where ``adjusted <= alpha``.

    References
    ----------
    .. [1] Shaffer (1986), JASA 81, 826-831, doi:10.1080/01621459.1986.10478341.

    Examples
    --------
    >>> shaffer_dynamic([0.01, 0.03, 0.04], systems=3)
    (0.03, 0.03, 0.04)
    """
    checked = _check_pairs(p_values, systems)
    if systems > DYNAMIC_LIMIT:
        message = (
            f"The dynamic variant searches groupings of {systems} systems, too many for it "
            f"(limit: {DYNAMIC_LIMIT}). Use shaffer_static."
        )
        raise RequestError(message)
    pairs = list(combinations(range(systems), 2))
    order = sorted(range(len(checked)), key=checked.__getitem__)
    apart = [0] * systems
    factors = []
    for place in order:
        factors.append(_most_equal_pairs(tuple(apart)))
        one, two = pairs[place]
        apart[one] |= 1 << two
        apart[two] |= 1 << one
    return _step_down(checked, factors)


ADJUSTMENTS: dict[str, Callable[[Sequence[float]], tuple[float, ...]]] = {
    "holm": holm,
    "bonferroni": bonferroni,
    "benjamini-hochberg": benjamini_hochberg,
}
"""Adjustments for any family of questions, by name; those for all pairs also need ``systems``."""


def _check(p_values: Sequence[float]) -> list[float]:
    checked = [float(p) for p in p_values]
    strange = [p for p in checked if not 0 <= p <= 1]
    if strange:
        message = f"{strange[0]!r} is not a p-value; expected numbers in [0, 1], without gaps."
        raise RequestError(message)
    return checked


def _check_pairs(p_values: Sequence[float], systems: int, families: int = 1) -> list[float]:
    checked = _check(p_values)
    if systems < 2 or len(checked) != comb(systems, 2) * families:
        message = (
            f"{len(checked)} p-values for {systems} systems; all pairs are "
            f"{comb(max(systems, 0), 2) * families}. Pass one p-value for each pair."
        )
        raise RequestError(message)
    return checked


def _step_down(p_values: list[float], factors: Sequence[int]) -> tuple[float, ...]:
    """Multiply ascending p-values by falling factors, keep the order, and cut at 1."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    scaled = (factor * p_values[place] for factor, place in zip(factors, order, strict=True))
    return _in_place(order, (min(1.0, p) for p in accumulate(scaled, max)))


def _in_place(order: Sequence[int], adjusted: Iterator[float]) -> tuple[float, ...]:
    by_place = dict(zip(order, adjusted, strict=True))
    return tuple(by_place[place] for place in range(len(by_place)))


@cache
def _equal_pair_numbers(systems: int) -> frozenset[int]:
    if systems <= 1:
        return frozenset({0})
    return frozenset(
        comb(size, 2) + rest
        for size in range(1, systems + 1)
        for rest in _equal_pair_numbers(systems - size)
    )


def _most_equal_pairs(apart: tuple[int, ...]) -> int:
    """Most pairs inside groups when no group holds two systems known to differ.

    ``apart[i]`` has bit ``j`` set when ``i`` and ``j`` differ. The pairs of a group grow faster
    than its size, so in a best grouping the largest group takes in all it can: only groups that
    cannot grow have to be tried.
    """

    @cache
    def best(left: int) -> int:
        if not left:
            return 0
        groups = _full_groups(left, apart)
        return max(comb(g.bit_count(), 2) + best(left & ~g) for g in groups)

    return best((1 << len(apart)) - 1)


def _full_groups(left: int, apart: tuple[int, ...]) -> Iterator[int]:
    """List groups without known differences that no further system can join (Bron-Kerbosch)."""

    def grow(group: int, may: int, done: int) -> Iterator[int]:
        if not may and not done:
            yield group
        while may:
            bit = may & -may
            together = ~apart[bit.bit_length() - 1] & ~bit
            yield from grow(group | bit, may & together, done & together)
            may &= ~bit
            done |= bit

    yield from grow(0, left, 0)

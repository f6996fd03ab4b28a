"""How areas over many classes vary: what every item adds to them, and the interval that follows."""

from collections.abc import Sequence
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from steelyard.results.estimates import Estimate, Interval
from steelyard.uncertainty import AreaSpread, placement_interval

__all__ = ["hand_till_parts", "one_against_rest_parts", "with_interval"]

Floats = NDArray[np.float64]
Members = Sequence[NDArray[np.intp]]
ALONE = "a class has a single item, which does not show how its scores vary"


def hand_till_parts(numbers: Floats, members: Members, weights: Floats) -> tuple[Floats, Floats]:
    """Give every area A(i|j), and say what every item adds to Hand and Till's M.

    An item of class i stands in A(i|j) as one of its own and in A(j|i) as one of the others, and
    adds to both; the parts of the items of one class vary on their own. ``weights[i, j]`` is that
    of A(i|j). One pass for each class places all items among its own, so that time is linear in
    classes and items, although there is an area for every two classes.
    """
    sizes = np.array([own.size for own in members])
    areas = np.zeros((sizes.size, sizes.size))
    parts = np.zeros(numbers.shape[0])
    of = np.empty(numbers.shape[0], dtype=np.intp)
    for i, own in enumerate(members):
        of[own] = i
    for i, own in enumerate(members):
        won = _add(parts, numbers[:, i], own, weights[i, of] / sizes[of])
        areas[i] = np.bincount(of, won, sizes.size) / (2 * own.size * sizes)
    return areas, parts


def one_against_rest_parts(
    numbers: Floats, members: Members, weights: Floats
) -> tuple[list[float], Floats]:
    """Give the area of each class against the rest, and what every item adds to their mean."""
    items = numbers.shape[0]
    areas, parts = [], np.zeros(items)
    for i, own in enumerate(members):
        shares = np.full(items, float(weights[i]) / (items - own.size))
        shares[own] = 0.0
        won = _add(parts, numbers[:, i], own, shares)
        won[own] = 0.0
        areas.append(float(won.sum()) / (2 * own.size * (items - own.size)))
    return areas, parts


def with_interval(plain: Estimate, parts: Floats, members: Members, *, level: float) -> Estimate:
    r"""Give an area its interval, the classes taken as strata.

    The variance is the sum over classes of :math:`n_c s_c^2` with :math:`s_c^2` the sample
    variance of what the items of the class add, as DeLong's is for two. The interval is
    :func:`~steelyard.uncertainty.placement_interval` with the two smallest classes as the units of
    which one may be unseen: no other pair of classes can show less. Of classes of one size the one
    that varies less comes first, so that the order in which classes are named changes nothing.
    """
    if plain.value is None:
        return plain
    seen = sorted(
        (one.size, one.size * float(np.var(parts[one], ddof=1)) if one.size > 1 else 0.0)
        for one in members
    )
    sizes, strata = [size for size, _ in seen], [part for _, part in seen]
    variance, rest = sum(strata), sum(strata[2:])
    doubt = sum(part**2 / max(size - 1, 1) for part, size in zip(strata, sizes, strict=True))
    spread = AreaSpread(
        area=plain.value,
        positives=sizes[0],
        negatives=sizes[1],
        positive_variance=(strata[0] + rest / 2) * sizes[0],
        negative_variance=(strata[1] + rest / 2) * sizes[1],
        freedom=variance**2 / doubt if doubt > 0 else inf,
    )
    low, high = placement_interval(spread, level=level)
    ends = Interval(low=low, high=high, level=level, method="placement")
    return _replaced(plain, ends, sqrt(variance) or None, ALONE if sizes[0] < 2 else None)


def _replaced(
    plain: Estimate, ends: Interval | None, error: float | None, doubt: str | None
) -> Estimate:
    return Estimate(
        measure=plain.measure,
        value=plain.value,
        interval=ends,
        standard_error=error,
        items=plain.items,
        caveats=(*plain.caveats, *((doubt,) if doubt else ())),
    )


def _add(parts: Floats, scores: Floats, own: NDArray[np.intp], shares: Floats) -> Floats:
    """Add what each item brings to the areas of one class, and give the pairs won, twice.

    ``shares`` says what every other item weighs in them, and is 0 for the items of the class. All
    scores are placed once among those of the class: a score lies below the k-th of them when at
    most k of them lie below it or at it, so that sums over places are all that the class needs.
    """
    order = np.argsort(scores[own], kind="stable")
    ranked = scores[own][order]
    below = np.searchsorted(ranked, scores, side="left")
    upto = np.searchsorted(ranked, scores, side="right")
    won: Floats = (2 * own.size - below - upto).astype(np.float64)
    parts += shares * (won / (2 * own.size))
    less = np.cumsum(np.bincount(upto, shares, own.size + 1))[:-1]
    same = np.cumsum(np.bincount(below, shares, own.size + 1))[:-1]
    parts[own[order]] += (less + same) / (2 * own.size)
    return won

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


def hand_till_parts(numbers: Floats, members: Members, weights: Floats) -> Floats:
    """Say what every item adds to Hand and Till's M; ``weights[i, j]`` is that of A(i|j).

    An item of class i stands in A(i|j) as one of its own and in A(j|i) as one of the others, and
    adds to both; the parts of the items of one class vary on their own.
    """
    parts = np.zeros(numbers.shape[0])
    for i, own in enumerate(members):
        for j, other in enumerate(members):
            if i != j:
                _add(parts, numbers[:, i], own, other, float(weights[i, j]))
    return parts


def one_against_rest_parts(numbers: Floats, members: Members, weights: Floats) -> Floats:
    """Say what every item adds to the mean of the areas of each class against the rest."""
    parts = np.zeros(numbers.shape[0])
    for i, own in enumerate(members):
        rest = np.setdiff1d(np.arange(numbers.shape[0]), own)
        _add(parts, numbers[:, i], own, rest, float(weights[i]))
    return parts


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


def _add(
    parts: Floats,
    scores: Floats,
    own: NDArray[np.intp],
    other: NDArray[np.intp],
    weight: float,
) -> None:
    """Add what each item brings to one area, on either side of it."""
    won, lost = (_above(scores[one], scores[two]) for one, two in ((own, other), (other, own)))
    parts[own] += weight * won / own.size
    parts[other] += weight * (1 - lost) / other.size


def _above(these: Floats, those: Floats) -> Floats:
    """Share of the others that each number lies above, ties half."""
    order = np.sort(those)
    below = np.searchsorted(order, these, side="left")
    upto = np.searchsorted(order, these, side="right")
    shares: Floats = (below + upto) / (2 * those.size)
    return shares

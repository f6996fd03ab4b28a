"""How areas over many classes vary: what every item adds to them, and the interval that follows."""

from collections.abc import Sequence
from math import exp, log, sqrt

import numpy as np
from numpy.typing import NDArray

from steelyard.results.estimates import Estimate, Interval
from steelyard.uncertainty import newcombe_area_interval, normal_quantile

__all__ = ["hand_till_parts", "one_against_rest_parts", "with_interval"]

Floats = NDArray[np.float64]
Members = Sequence[NDArray[np.intp]]
FULL = (
    "the scores part the classes fully; the interval is Newcombe's score interval for the two "
    "smallest classes, the widest of any pair"
)
ALONE = "no interval: a class has a single item, which does not show how its scores vary"
ALIKE = "no interval: every item adds the same, so the data do not show how the area varies"


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
    """Give an area its interval on the log odds, the classes taken as strata.

    The variance is the sum over classes of :math:`n_c s_c^2` with :math:`s_c^2` the sample
    variance of what the items of the class add, as DeLong's is for two.
    """
    sizes = sorted(one.size for one in members)
    value = plain.value
    if value is None:
        return plain
    if value in {0.0, 1.0}:
        low, high = newcombe_area_interval(
            value, positives=sizes[0], negatives=sizes[1], level=level
        )
        ends = Interval(low=low, high=high, level=level, method="newcombe")
        return _replaced(plain, ends, None, FULL)
    if sizes[0] < 2:
        return _replaced(plain, None, None, ALONE)
    variance = sum(one.size * float(np.var(parts[one], ddof=1)) for one in members)
    if variance <= 1e-20:
        return _replaced(plain, None, None, ALIKE)
    half = normal_quantile(level) * sqrt(variance) / (value * (1 - value))
    centre = log(value / (1 - value))
    low, high = (1 / (1 + exp(-side)) for side in (centre - half, centre + half))
    ends = Interval(low=low, high=high, level=level, method="delong-logit")
    return _replaced(plain, ends, sqrt(variance), None)


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

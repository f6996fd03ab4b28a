"""How much two classes agree: weights for ordered classes."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import RequestError, listing

__all__ = ["ClassWeights", "agreement_weights"]

ClassWeights = str | Mapping[tuple[str, str], float]
"""``unweighted``, ``linear``, ``quadratic``, or the weight of every pair of different classes."""

POWERS = {"linear": 1, "quadratic": 2}
NAMES = ("unweighted", *POWERS)


def agreement_weights(
    classes: Sequence[str], weights: ClassWeights, *, order: Sequence[str] | None = None
) -> NDArray[np.float64]:
    r"""Lay the weights out as a table in the order of ``classes``: 1 for equal, less for unlike.

    Linear :math:`w_{ij}=1-|i-j|/(K-1)`, quadratic :math:`1-(i-j)^2/(K-1)^2` over the places in
    ``order`` [1]_.

    Parameters
    ----------
    classes : sequence of str
        The classes of the table.
    weights : str or mapping
        ``unweighted``, ``linear``, ``quadratic``, or a mapping of every pair of different classes
        to a number in [0, 1]; equal classes weigh 1.
    order : sequence of str, optional
        The classes from lowest to highest; needed by ``linear`` and ``quadratic``, because data
        do not say which order is meant.

    References
    ----------
    .. [1] Cohen (1968), Psychological Bulletin 70, 213-220, doi:10.1037/h0026256.

    Examples
    --------
    >>> agreement_weights(["low", "mid", "top"], "linear", order=["low", "mid", "top"]).tolist()
    [[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]]
    """
    if isinstance(weights, Mapping):
        return _give(classes, weights)
    if weights not in NAMES:
        raise RequestError.for_choice("weights", weights, NAMES)  # noqa: EM101
    if weights == "unweighted":
        return np.eye(len(classes))
    if order is None or sorted(order) != sorted(classes):
        found = "nothing" if order is None else listing(list(order))
        message = (
            f"weights={weights!r} needs the order of the classes, and got {found}. Pass order= "
            f"with these, lowest first: {listing(list(classes))}."
        )
        raise RequestError(message)
    place = np.array([list(order).index(name) for name in classes], dtype=np.float64)
    apart = np.abs(place[:, None] - place[None, :]) / max(1, len(classes) - 1)
    table: NDArray[np.float64] = 1 - apart ** POWERS[weights]
    return table


def _give(classes: Sequence[str], weights: Mapping[tuple[str, str], float]) -> NDArray[np.float64]:
    table = np.eye(len(classes))
    for i, one in enumerate(classes):
        for j, two in enumerate(classes):
            if i == j:
                continue
            weight = weights.get((one, two), weights.get((two, one)))
            if weight is None or not 0 <= weight <= 1:
                message = (
                    f"The weight of {one!r} and {two!r} is {weight!r}; every pair of different "
                    "classes needs a number in [0, 1]."
                )
                raise RequestError(message)
            table[i, j] = weight
    return table

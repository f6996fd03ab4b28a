"""Missing answers: what a share, or a difference of two, could be whatever they were."""

from dataclasses import dataclass

from steelyard.errors import CountsError
from steelyard.uncertainty.shares.proportion import clopper_pearson_interval

__all__ = ["MissingBounds", "missing_difference_bounds", "missing_share_bounds"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingBounds:
    """The least and the largest value, and limits that hold whatever the missing answers were."""

    least: float
    largest: float
    low: float
    high: float


def missing_share_bounds(
    right: int, missing: int, items: int, *, level: float = 0.95
) -> MissingBounds:
    r"""Share right of all items, with every missing answer wrong, and right.

    :math:`[x/n,\ (x+m)/n]`, and Clopper-Pearson's lower limit at the worst and upper limit at the
    best: no assumption on why answers are missing is made [1]_.

    References
    ----------
    .. [1] Manski (2003), Partial Identification of Probability Distributions, Springer,
       doi:10.1007/b97478.

    Examples
    --------
    >>> bounds = missing_share_bounds(5, 3, 8)
    >>> bounds.least, bounds.largest, round(bounds.low, 4)
    (0.625, 1.0, 0.2449)
    """
    if not 0 <= right + missing <= items or right < 0 or missing < 0:
        message = f"{right} right and {missing} missing among {items} items."
        raise CountsError(message, code="successes-exceed-trials")
    return MissingBounds(
        least=right / items,
        largest=(right + missing) / items,
        low=clopper_pearson_interval(right, items, level=level)[0],
        high=clopper_pearson_interval(right + missing, items, level=level)[1],
    )


def missing_difference_bounds(
    first: tuple[int, int], second: tuple[int, int], items: int
) -> tuple[float, float]:
    r"""Difference of two shares of common items, whatever the missing answers were.

    The least fills the first system's missing answers wrong and the second's right, on the same
    item too; the largest the other way: :math:`(x_1-x_2-m_2)/n` and
    :math:`(x_1+m_1-x_2)/n`. All wrong for both, or all right, bounds nothing.

    Parameters
    ----------
    first, second : tuple of int
        Right and missing answers of each system.
    items : int
        All items.

    Examples
    --------
    >>> missing_difference_bounds((5, 3), (3, 2), 8)
    (0.0, 0.625)
    """
    for right, missing in (first, second):
        missing_share_bounds(right, missing, items)
    return (
        (first[0] - second[0] - second[1]) / items,
        (first[0] + first[1] - second[0]) / items,
    )

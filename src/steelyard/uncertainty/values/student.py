"""An estimate with a standard error and Student's t: one pivot for all that is said of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, inf, isfinite, log, sqrt
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr, stdtrit

from steelyard.errors import CountsError, check_share, counted
from steelyard.uncertainty.clusters.means import cluster_freedom

__all__ = [
    "DIGITS",
    "ROUNDING",
    "Number",
    "Scale",
    "StudentEstimate",
    "ValueCaveat",
    "cluster_caveats",
    "finite_column",
    "form_squares",
    "merge_values",
    "refuse_lost_spread",
    "refuse_no_spread",
    "skewness",
    "sum_centred_squares",
    "unseen_limits",
    "value_caveats",
]

Floats = NDArray[np.float64]
Number: TypeAlias = int | float | Fraction
Scale: TypeAlias = Literal["plain", "log"]
ValueCaveat: TypeAlias = Literal["few-items", "strong-skew", "uneven-clusters"]

ROUNDING = 4 * 2.0**-52
"""What sums of floats may be off by, as a share of the sum of squares."""
DIGITS = 1e4
"""A spread must exceed the rounding of its sums by this factor, or its digits are noise."""
FEW_ITEMS, SKEW = 28, 25
"""Student's t wants 28 + 25 times the squared skewness (Sugden, Smith & Jones 2000)."""
UNEVEN = 0.6
"""Clusters worth less than this share of G - 1 degrees of freedom make G - 1 too bold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentEstimate:
    r"""An estimate, its standard error and its degrees of freedom.

    The pivot is :math:`T(\theta)=(\hat\theta-\theta)/s` on the plain scale and
    :math:`T(\theta)=(\ln\hat\theta-\ln\theta)\,\hat\theta/s` on that of logarithms, referred to
    Student's t. ``units`` is how many independent items or clusters stand behind it.

    Examples
    --------
    >>> found = StudentEstimate(value=2.0, error=0.5, freedom=9, units=10)
    >>> [round(limit, 3) for limit in found.interval()], round(found.p_value(1.0), 4)
    ([0.869, 3.131], 0.0766)
    >>> round(found.chance_above(1.0), 4)
    0.9617
    """

    value: float
    error: float
    freedom: float
    units: int
    scale: Scale = "plain"

    def interval(self, *, level: float = 0.95) -> tuple[float, float]:
        """Limits that hold the truth with the coverage ``level``."""
        check_share("level", level)
        return self.reach(-float(stdtrit(self.freedom, (1 - level) / 2)))

    def reach(self, errors: float) -> tuple[float, float]:
        """Values whose pivot is at most so many standard errors from 0."""
        apart = errors * self.error
        if self.scale == "plain":
            return self.value - apart, self.value + apart
        # Grows without an overflow: limits of a ratio that is known to no digit at all.
        factor = exp(apart / self.value) if apart < 700 * self.value else inf
        return self.value / factor, self.value * factor

    def statistic(self, against: float = 0.0) -> float:
        """How many standard errors the estimate lies above ``against``."""
        if self.scale == "plain":
            return (self.value - against) / self.error
        return inf if against <= 0 else log(self.value / against) * self.value / self.error

    def p_value(self, against: float = 0.0) -> float:
        """Two-sided p-value: the error rate at which the interval just leaves ``against`` out."""
        return min(1.0, 2 * float(stdtr(self.freedom, -abs(self.statistic(against)))))

    def chance_above(self, threshold: float) -> float:
        """Confidence that the truth lies above, also the posterior under a flat prior."""
        return float(stdtr(self.freedom, self.statistic(threshold)))

    def chance_below(self, threshold: float) -> float:
        """Confidence that the truth lies below; small chances keep their digits."""
        return float(stdtr(self.freedom, -self.statistic(threshold)))


def sum_centred_squares(n: int, total: Number, squares: Number) -> float:
    r"""Sum of squared deviations about the mean, :math:`\sum x^2-(\sum x)^2/n`, in exact fractions.

    In floats the difference of the two terms cancels: of values near 1e9 that differ by 1 nothing
    is left. Whole numbers and fractions give it exactly. Sums that were rounded to floats are
    subtracted exactly too, and refused where what is left is their rounding.

    Examples
    --------
    >>> sum_centred_squares(3, 3 * 10**9, 3 * 10**18 + 2)
    2.0
    """
    if n < 2:
        message = (
            f"{counted(n, 'item')}: a single number does not show how numbers vary. Give 2 items "
            "or more, or state the range that values cannot leave."
        )
        raise CountsError(message, code="one-item")
    if not (isfinite(total) and isfinite(squares)):
        message = f"Sums {total} and {squares}: a value is missing or infinite. Give finite values."
        raise CountsError(message, code="value-not-finite")
    # Exact, because squares minus the squared mean cancels: values near 1e9 would lose all digits.
    apart = Fraction(squares) - Fraction(total) ** 2 / n
    rounded = isinstance(total, float) or isinstance(squares, float)
    noise = ROUNDING * abs(float(squares)) if rounded else 0.0
    if float(apart) < -noise:
        message = (
            f"{n} values cannot have the sum {float(total):g} and the sum of squares "
            f"{float(squares):g}. Give sums of the same values."
        )
        raise CountsError(message, code="sums-contradict")
    if float(apart) <= noise:
        raise refuse_no_spread(n)
    if float(apart) < DIGITS * noise:
        raise refuse_lost_spread()
    return float(apart)


def refuse_lost_spread() -> CountsError:
    """Refuse a spread whose digits are the rounding of sums."""
    message = (
        "The values differ by less than their sums show in floats. Subtract a common number from "
        "all of them first, or give the sums as whole numbers or fractions."
    )
    return CountsError(message, code="spread-lost")


def form_squares(products: Sequence[Sequence[Number]], coefficients: Sequence[Number]) -> Fraction:
    r"""Sum of the squares of a combination of columns, :math:`c^TPc`, from their products.

    Exact for exact products. Of floats the rounding of the products is known: what is below it is
    0, and what it would spoil is refused.
    """
    exact = [Fraction(one) for one in coefficients]
    terms = [
        one * other * Fraction(products[i][j])
        for i, one in enumerate(exact)
        for j, other in enumerate(exact)
    ]
    squares = sum(terms, Fraction(0))
    if not any(isinstance(entry, float) for row in products for entry in row):
        return squares
    noise = ROUNDING * float(sum(abs(term) for term in terms))
    if abs(float(squares)) <= noise:
        return Fraction(0)
    if float(squares) < DIGITS * noise:
        raise refuse_lost_spread()
    return squares


def refuse_no_spread(n: int, what: str = "values are equal") -> CountsError:
    """Refuse values that do not vary: an interval of no width would pretend certainty."""
    message = (
        f"All {n} {what}: without spread there is no standard error, and an interval of no width "
        "would claim what was not shown. State the range that values cannot leave, or give more "
        "items."
    )
    return CountsError(message, code="no-spread")


def finite_column(values: ArrayLike, name: str) -> Floats:
    """Give values as floats, or refuse what is missing, infinite or no list."""
    column = np.asarray(values, dtype=np.float64)
    if column.ndim != 1:
        message = f"{name} has {column.ndim} dimensions; expected a list of numbers."
        raise CountsError(message, code="value-shape")
    strange = np.flatnonzero(~np.isfinite(column))
    if strange.size:
        message = (
            f"{name}: {strange.size} of {column.size} values are missing or infinite, the first at "
            f"place {int(strange[0]) + 1}. Leave those items out for every system, or correct them."
        )
        raise CountsError(message, code="value-not-finite")
    return column


def merge_values(values: ArrayLike, counts: ArrayLike | None) -> tuple[Floats, NDArray[np.int64]]:
    """Give distinct values in ascending order, and how often each one occurred."""
    column = finite_column(values, "values")
    if counts is None:
        found, times = np.unique(column, return_counts=True)
        return found, times.astype(np.int64)
    often = np.asarray(counts)
    if often.shape != column.shape or (often < 0).any() or (often != np.rint(often)).any():
        message = "counts: expected a whole number, 0 or more, for each value."
        raise CountsError(message, code="count-not-whole")
    found, place = np.unique(column, return_inverse=True)
    times = np.bincount(place, weights=often, minlength=found.size).astype(np.int64)
    return found[times > 0], times[times > 0]


def skewness(values: ArrayLike, counts: ArrayLike | None = None) -> float:
    r"""Skewness :math:`g_1=m_3/m_2^{3/2}` of the values, 0 where they do not vary.

    Examples
    --------
    >>> round(skewness([1.0, 1.0, 1.0, 5.0]), 4)
    1.1547
    """
    column, often = merge_values(values, counts)
    total = float(often.sum())
    apart = column - float(often @ column) / total
    second = float(often @ apart**2) / total
    return float(often @ apart**3) / total / second**1.5 if second > 0 else 0.0


def value_caveats(units: int, skew: float | None) -> tuple[ValueCaveat, ...]:
    r"""Say what makes Student's t doubtful: too few items for the skewness of the values.

    Two-sided 95 % limits may miss more than 6 % when :math:`n<28+25\,g_1^2` [1]_. ``few-items``
    when n is below 28, whatever was seen; ``strong-skew`` when the skewness is above 1 and asks
    for more than n.

    References
    ----------
    .. [1] Sugden, Smith & Jones (2000), JRSS B 62, 787-793, doi:10.1111/1467-9868.00264.

    Examples
    --------
    >>> value_caveats(12, 0.1), value_caveats(100, 2.5), value_caveats(400, 2.5)
    (('few-items',), ('strong-skew',), ())
    """
    found: list[ValueCaveat] = ["few-items"] if units < FEW_ITEMS else []
    # The skewness of few values is mostly chance: below 1 it is not held against them.
    if skew is not None and SKEW * skew * skew > max(SKEW, units - FEW_ITEMS):
        found.append("strong-skew")
    return tuple(found)


REACH, FAR = 24, 4
"""How many ranges beyond what was seen an unseen item of few lies, times their number, and how many
standard deviations from the mean where only these are known; found by search."""


def unseen_limits(
    found: StudentEstimate,
    *,
    level: float = 0.95,
    seen: tuple[float, float] | None = None,
    doubtful: bool = True,
) -> tuple[float, float]:
    r"""Limits of a mean that allow for one more item that counts against whatever is claimed.

    Student's t errs on the side of a long tail that few items do not show: a gate on the mean of 12
    gamma differences with a skewness of 3.7 passed 21 % instead of 5 %. The lower limit is the
    smaller one of Student's and of the one with a further item at :math:`x_{(1)}-cR`, R the range
    of what was ``seen``, the upper one likewise; c is 0, and :math:`24/n` if the items are
    ``doubtful`` (:func:`value_caveats`). Where only sums are known the item lies :math:`2+48/n`
    standard deviations from the mean, at least 4. A far value of a kind that no item had is not
    allowed for: only a stated range bounds that.

    Examples
    --------
    >>> found = StudentEstimate(value=1.0, error=0.1, freedom=11, units=12)
    >>> [round(limit, 2) for limit in unseen_limits(found, seen=(0.4, 1.7))]
    [0.18, 1.85]
    """
    low, high = found.interval(level=level)
    n, spread = found.units, found.error * sqrt(found.units)
    if seen is None:
        far = max(FAR, 2 + 2 * REACH / n) * spread
        seen, reach = (found.value - far, found.value + far), 0.0
    else:
        reach = (seen[1] - seen[0]) * REACH / n if doubtful else 0.0
    ends = []
    for item in (seen[0] - reach, seen[1] + reach):
        apart = item - found.value
        squares = spread**2 * (n - 1) + apart**2 * n / (n + 1)
        more = StudentEstimate(
            value=found.value + apart / (n + 1),
            error=sqrt(squares / n / (n + 1)),
            freedom=found.freedom,
            units=n + 1,
        )
        ends.append(more.interval(level=level))
    return min(low, ends[0][0]), max(high, ends[1][1])


def cluster_caveats(sizes: ArrayLike) -> tuple[ValueCaveat, ...]:
    """Say when clusters are too uneven for G - 1 degrees of freedom.

    ``uneven-clusters`` when their sizes leave less than 0.6 of G - 1
    (:func:`~steelyard.uncertainty.cluster_freedom`): 95 % limits then cover 88 to 93 %. Limits
    with the degrees of freedom of the sizes keep their coverage.

    Examples
    --------
    >>> cluster_caveats([10, 12, 9, 11]), cluster_caveats([100, 5, 5, 5, 5])
    ((), ('uneven-clusters',))
    """
    held = finite_column(sizes, "sizes")
    uneven = cluster_freedom(held[held > 0]) < UNEVEN * (np.count_nonzero(held > 0) - 1)
    return ("uneven-clusters",) if uneven else ()

"""Two systems on common items: the difference of their means, or of their ratios of sums."""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, fsum, log2, sqrt
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from steelyard.counts.row_names import refuse_other_rows
from steelyard.errors import CountsError, RequestError, check_share
from steelyard.uncertainty.values.means import check_ratio, estimate_mean
from steelyard.uncertainty.values.student import (
    Floats,
    Number,
    StudentEstimate,
    finite_column,
    sum_centred_squares,
)

__all__ = [
    "MeanDifference",
    "PairedModel",
    "SegmentTest",
    "fewest_units",
    "hold_to_signs",
    "mapsswe",
    "paired_mean_difference",
    "ratio_difference",
    "take_less_sure",
    "weigh_residuals",
]

PairedModel: TypeAlias = Literal["student", "signs"]
SAME = 64 * 2.0**-52
"""Residuals below this share of what they are the rest of are rounding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanDifference:
    """First minus second, over ``units`` items or clusters, and all that is said of it.

    ``model`` is ``student`` for Student's t. It is ``signs`` where every unit differs by the same
    amount: there is no spread, hence no standard error and no interval (``low`` and ``high`` are
    None), and p-value and probability are those of the exact sign test.

    ``better`` is the confidence that the first mean is the higher one. With a margin,
    ``first_better``, ``equivalent`` and ``second_better`` are the confidence that the difference
    lies above it, within it, below it, and ``p_equivalent`` and ``p_not_worse`` are the p-values of
    two one-sided tests against both ends and of one against the lower end; None without a margin,
    and without spread: signs do not tell how large what was not seen may be.
    """

    units: int
    difference: float
    error: float
    freedom: float
    statistic: float | None
    p_value: float
    better: float
    low: float | None
    high: float | None
    level: float
    model: PairedModel = "student"
    margin: float | None = None
    first_better: float | None = None
    equivalent: float | None = None
    second_better: float | None = None
    p_equivalent: float | None = None
    p_not_worse: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentTest:
    """Matched-pair test on segments of speech: errors of the first minus those of the second.

    ``z`` and ``p_value`` are None and the sign test's where no segment differs from another.
    ``nist_z`` and ``nist_p_value`` are what NIST's sc_stats works with: |z| cut to two decimals,
    and 0 with p = 1 without spread, which says "same" of 30 errors to 0.
    """

    segments: int
    mean: float
    deviation: float
    z: float | None
    p_value: float
    p_student: float
    nist_z: float
    nist_p_value: float
    model: PairedModel


def paired_mean_difference(
    n: int,
    total: Number,
    squares: Number,
    *,
    level: float = 0.95,
    margin: float | None = None,
) -> MeanDifference:
    r"""Difference of two means on common items, by Student's t on the differences.

    With :math:`d_i=x_{i1}-x_{i2}`, their mean and standard error :math:`s/\sqrt n` and n - 1
    degrees of freedom [1]_: interval, test, and against a margin :math:`\delta` the two one-sided
    tests [2]_, whose p-value is the larger of both.

    Parameters
    ----------
    n : int
        Common items, at least 2.
    total, squares : int, float or Fraction
        :math:`\sum d_i` and :math:`\sum d_i^2`, exact where possible; from moments of two systems
        :math:`\sum x_1-\sum x_2` and :math:`\sum x_1^2-2\sum x_1x_2+\sum x_2^2`.
    margin : float, optional
        In the units of the value: differences that do not matter.

    Notes
    -----
    Items in clusters (repeats, speakers, judges) or with weights: :func:`ratio_difference`. With
    equal differences on all items the exact sign test answers, without an interval.

    References
    ----------
    .. [1] Student (1908), Biometrika 6, 1-25, doi:10.1093/biomet/6.1.1.
    .. [2] Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680,
       doi:10.1007/BF01068419.

    Examples
    --------
    >>> found = paired_mean_difference(4, 6, 14, margin=3)
    >>> found.difference, round(found.low, 3), round(found.high, 3), round(found.p_value, 4)
    (1.5, -0.554, 3.554, 0.1027)
    >>> round(found.equivalent, 4), round(found.p_equivalent, 4)
    (0.9456, 0.0514)
    """
    try:
        estimate = estimate_mean(n, total, squares)
    except CountsError as refused:
        if refused.code != "no-spread":
            raise
        return _same_everywhere(n, float(Fraction(total) / n), level, margin)
    return weigh_difference(estimate, level=level, margin=margin)


def ratio_difference(
    first: ArrayLike,
    first_weights: ArrayLike,
    second: ArrayLike,
    second_weights: ArrayLike,
    *,
    level: float = 0.95,
    margin: float | None = None,
    freedom: float | None = None,
) -> MeanDifference:
    r"""Difference of two ratios of sums on common units, such as two word error rates.

    :math:`R_1-R_2` with the residual :math:`(x_{g1}-R_1w_{g1})/W_1-(x_{g2}-R_2w_{g2})/W_2` of
    every unit; variance :math:`\frac{G}{G-1}\sum_gr_g^2`, G - 1 degrees of freedom [1]_. Units are
    items, or clusters with the sums of their items; for means over clusters both weights are the
    cluster sizes, for weighted items the weights.

    References
    ----------
    .. [1] Cochran (1977), Sampling Techniques, 3rd edition, Wiley, section 6.15.

    Examples
    --------
    >>> words = [10, 8, 12, 10]
    >>> found = ratio_difference([1, 0, 2, 1], words, [3, 1, 2, 1], words)
    >>> round(found.difference, 4), round(found.p_value, 4)
    (-0.075, 0.2362)
    """
    refuse_other_rows(
        {
            "first": first,
            "first_weights": first_weights,
            "second": second,
            "second_weights": second_weights,
        }
    )
    residuals, gap = ratio_residuals(first, first_weights, second, second_weights)
    units = residuals.size
    if not residuals.any():
        return _same_everywhere(units, gap, level, margin)
    estimate = StudentEstimate(
        value=gap,
        error=sqrt(units / (units - 1) * fsum(residuals * residuals)),
        freedom=units - 1 if freedom is None else freedom,
        units=units,
    )
    return weigh_difference(estimate, level=level, margin=margin)


def ratio_residuals(
    first: ArrayLike, first_weights: ArrayLike, second: ArrayLike, second_weights: ArrayLike
) -> tuple[Floats, float]:
    """Linearised residuals of a difference of two ratios, and the difference; rounding is 0."""
    one, two = finite_column(first, "first"), finite_column(second, "second")
    own, other = finite_column(first_weights, "weights"), finite_column(second_weights, "weights")
    if not one.size == two.size == own.size == other.size:
        message = (
            f"{one.size} and {two.size} totals over {own.size} and {other.size} weights; the two "
            "systems need the same units in the same order."
        )
        raise CountsError(message, code="value-shape")
    if ((own > 0) != (other > 0)).any():
        message = "A unit has a denominator of 0 for one system only. Leave it out for both."
        raise CountsError(message, code="denominator-not-positive")
    one, own = check_ratio(one, own)
    two, other = check_ratio(two, other)
    whole, rest = fsum(own), fsum(other)
    ratios = fsum(one) / whole, fsum(two) / rest
    gap = ratios[0] - ratios[1]
    if whole == rest and np.array_equal(own, other):
        # One denominator: the difference is summed first, so that equal answers leave exact zeros.
        gap = fsum(one - two) / whole
        residuals = ((one - two) - gap * own) / whole
    else:
        residuals = (one - ratios[0] * own) / whole - (two - ratios[1] * other) / rest
    size = np.abs(one).max() / whole + np.abs(two).max() / rest
    return np.where(np.abs(residuals) > SAME * size, residuals, 0.0), gap


def mapsswe(first: ArrayLike, second: ArrayLike) -> SegmentTest:
    r"""Matched-pair sentence-segment word error test of Gillick and Cox.

    In some settings it falls short: docs/reference/certificates.md has the worst found.

    Segments of speech take the place of items: with :math:`d_i` the errors of the first system in
    a segment minus those of the second, :math:`z=\bar d\sqrt n/s`, referred to the normal
    distribution; ``p_student`` refers it to Student's t, which few segments want.

    Parameters
    ----------
    first, second : array_like
        Errors of each system in the same segments, those without any error left out.

    Notes
    -----
    Segments end where both systems have two words right in a row, so that errors of one do not
    reach into the next; that makes them nearly independent, of one speaker not quite. If all
    segments differ by the same amount, sc_stats sets z = 0 and says "same"; here the exact sign
    test answers.

    References
    ----------
    .. [1] Gillick & Cox (1989), ICASSP, 532-535, doi:10.1109/ICASSP.1989.266481.

    Examples
    --------
    >>> found = mapsswe([2, 0, 1, 3, 1], [1, 1, 0, 1, 0])
    >>> round(found.z, 4), round(found.p_value, 4), found.nist_z
    (1.633, 0.1025, 1.63)
    >>> mapsswe([0] * 30, [1] * 30).p_value < 1e-8
    True
    """
    refuse_other_rows({"first": first, "second": second})
    one, two = finite_column(first, "first"), finite_column(second, "second")
    if one.size != two.size or one.size < 2:
        message = (
            f"{one.size} and {two.size} segments; the test needs 2 or more, the same for both."
        )
        raise CountsError(message, code="one-item" if one.size == two.size else "value-shape")
    if (one < 0).any() or (two < 0).any():
        message = "Errors below 0 in a segment; count errors, 0 or more."
        raise CountsError(message, code="negative-errors")
    gaps = one - two
    found = paired_mean_difference(
        gaps.size, Fraction(fsum(gaps)), sum(Fraction(gap) ** 2 for gap in gaps.tolist())
    )
    z = found.statistic
    # sc_stats reads a table at |z| cut down to two decimals, which ends at 5.14.
    cut = 0.0 if z is None else min(int(abs(z) * 100 + 1e-9) / 100, 5.14)
    return SegmentTest(
        segments=gaps.size,
        mean=found.difference,
        deviation=found.error * sqrt(gaps.size),
        z=z,
        p_value=found.p_value if z is None else 2 * float(ndtr(-abs(z))),
        p_student=found.p_value,
        nist_z=cut if z is None or z >= 0 else -cut,
        nist_p_value=2 * float(ndtr(-cut)),
        model=found.model,
    )


def weigh_residuals(
    gap: float,
    variance: float,
    units: int,
    *,
    freedom: float | None = None,
    level: float = 0.95,
    margin: float | None = None,
) -> MeanDifference:
    """Weigh a difference by the variance of its residuals from unit to unit; without any, by signs.

    Examples
    --------
    >>> weigh_residuals(0.5, 4.0, 100).error
    0.2
    """
    if variance <= 0:
        return _same_everywhere(units, gap, level, margin)
    estimate = StudentEstimate(
        value=gap,
        error=sqrt(variance / units),
        freedom=units - 1 if freedom is None else freedom,
        units=units,
    )
    return weigh_difference(estimate, level=level, margin=margin)


def weigh_difference(
    estimate: StudentEstimate, *, level: float = 0.95, margin: float | None = None
) -> MeanDifference:
    """Read everything from one pivot."""
    low, high = estimate.interval(level=level)
    answer = MeanDifference(
        units=estimate.units,
        difference=estimate.value,
        error=estimate.error,
        freedom=estimate.freedom,
        statistic=estimate.statistic(),
        p_value=estimate.p_value(),
        better=estimate.chance_above(0.0),
        low=low,
        high=high,
        level=level,
    )
    margin = _check_margin(margin)
    if margin is None:
        return answer
    above, below = estimate.chance_above(margin), estimate.chance_below(-margin)
    return replace(
        answer,
        margin=margin,
        first_better=above,
        equivalent=max(0.0, 1 - above - below),
        second_better=below,
        # Two one-sided tests: each end must be excluded.
        p_equivalent=max(above, below),
        p_not_worse=below,
    )


def hold_to_signs(found: MeanDifference, telling: float) -> MeanDifference:
    r"""Make a difference no surer than that all of so few units lean one way.

    That happens by chance alone with probability :math:`2^{1-k}`, whatever the differences are
    made of, and nearly equal ones have a spread as small as one likes: of equal systems that
    differ by about one unit up or down on each of 4 items, Student's t calls 12 % different. So no
    tail is below :math:`2^{-k}`, as none is in the exact test of signs [1]_, into which this passes
    as the spread goes. An interval that leaves out what the p-value does not is drawn out to 0.

    Parameters
    ----------
    found : MeanDifference
    telling : float
        Units of equal weight that tell as much: :math:`(\sum w)^2/\sum w^2`.

    References
    ----------
    .. [1] Fisher (1935), The Design of Experiments, Oliver & Boyd, section 21.

    Examples
    --------
    >>> found = paired_mean_difference(4, 4.1, 4.21)
    >>> round(found.p_value, 6), found.low > 0.9
    (3.2e-05, True)
    >>> held = hold_to_signs(found, 4)
    >>> held.p_value, held.better, held.low
    (0.125, 0.9375, 0.0)
    """
    least = 0.5 ** max(1.0, telling)
    p_value = found.p_value if found.difference == 0 else max(found.p_value, min(1.0, 2 * least))
    low, high = found.low, found.high
    if low is not None and high is not None and p_value > 1 - found.level:
        low, high = min(low, 0.0), max(high, 0.0)
    held = replace(found, p_value=p_value, better=_within(found.better, least), low=low, high=high)
    if found.first_better is None or found.second_better is None:
        return held
    above, below = _within(found.first_better, least), _within(found.second_better, least)
    return replace(
        held,
        first_better=above,
        equivalent=max(0.0, 1 - above - below),
        second_better=below,
        p_equivalent=max(above, below),
        p_not_worse=below,
    )


def fewest_units(alpha: float) -> int:
    """Give how many units it takes at least for a two-sided p-value of ``alpha``.

    Examples
    --------
    >>> fewest_units(0.05), fewest_units(0.1)
    (6, 5)
    """
    return ceil(1 - log2(alpha))


def take_less_sure(found: MeanDifference, other: MeanDifference) -> MeanDifference:
    """Take of p-values and chances the less sure of two models of one difference.

    The interval is drawn out to that of the other where this is the less sure of a difference.

    Examples
    --------
    >>> clusters = paired_mean_difference(6, 3, 1.6)
    >>> single = paired_mean_difference(12, 6, 100)
    >>> take_less_sure(clusters, single).p_value == single.p_value
    True
    """
    p_value = max(found.p_value, other.p_value)
    low, high = found.low, found.high
    if other.p_value > found.p_value:
        ends = (found.low, found.high, other.low, other.high)
        known = [one for one in ends if one is not None]
        low, high = (min(known), max(known)) if len(known) == len(ends) else (None, None)
    held = replace(
        found, p_value=p_value, better=_middle(found.better, other.better), low=low, high=high
    )
    if found.equivalent is None or other.equivalent is None:
        return held
    assert found.p_equivalent is not None and other.p_equivalent is not None
    assert found.p_not_worse is not None and other.p_not_worse is not None
    assert found.first_better is not None and other.first_better is not None
    assert found.second_better is not None and other.second_better is not None
    return replace(
        held,
        first_better=_middle(found.first_better, other.first_better),
        equivalent=min(found.equivalent, other.equivalent),
        second_better=_middle(found.second_better, other.second_better),
        p_equivalent=max(found.p_equivalent, other.p_equivalent),
        p_not_worse=max(found.p_not_worse, other.p_not_worse),
    )


def _middle(one: float, other: float) -> float:
    return min(one, other, key=lambda chance: abs(chance - 0.5))


def _within(chance: float, least: float) -> float:
    return min(max(chance, least), 1 - least)


def _same_everywhere(units: int, gap: float, level: float, margin: float | None) -> MeanDifference:
    """Answer by signs where all units differ by the same amount."""
    check_share("level", level)
    if units < 2:
        sum_centred_squares(units, 0, 0)
    tail = 0.5**units
    return MeanDifference(
        units=units,
        difference=gap,
        error=0.0,
        freedom=units - 1,
        statistic=None,
        p_value=min(1.0, 2 * tail) if gap else 1.0,
        better=0.5 if not gap else 1 - tail if gap > 0 else tail,
        low=None,
        high=None,
        level=level,
        model="signs",
        # Whether means lie within a margin signs cannot tell: one item in n that nobody saw may
        # differ by any amount.
        margin=_check_margin(margin),
    )


def _check_margin(margin: float | None) -> float | None:
    if margin is not None and not 0 < margin < np.inf:
        message = f"margin={margin!r}; expected a number above 0, in the units of the value."
        raise RequestError(message)
    return margin

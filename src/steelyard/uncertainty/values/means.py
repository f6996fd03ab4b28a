"""The mean of a number for each item, and a ratio of sums such as the word error rate."""

from math import fsum, sqrt
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from steelyard.counts.row_names import refuse_other_rows
from steelyard.errors import CountsError, RequestError, counted
from steelyard.uncertainty.domain import normal_quantile
from steelyard.uncertainty.shares.proportion import clopper_pearson_interval
from steelyard.uncertainty.values.student import (
    Floats,
    Number,
    Scale,
    StudentEstimate,
    finite_column,
    merge_values,
    refuse_no_spread,
    sum_centred_squares,
)

__all__ = [
    "RatioScale",
    "bca_mean_interval",
    "estimate_mean",
    "estimate_ratio",
    "mean_interval",
    "mean_of_ratios",
    "ratio_of_sums_interval",
]

RatioScale: TypeAlias = Literal["auto", "plain", "log"]
BLOCK = 1 << 22
"""Random numbers held at a time."""
SAME = 64 * 2.0**-52
"""Residuals below this share of what they are the rest of are rounding."""


def estimate_mean(n: int, total: Number, squares: Number) -> StudentEstimate:
    r"""Mean of n values from their sum and their sum of squares.

    :math:`\bar x=\sum x/n`, standard error :math:`\sqrt{\sum(x-\bar x)^2/(n(n-1))}`, Student's t
    with n - 1 degrees of freedom [1]_. For items in clusters or with weights take
    :func:`estimate_ratio`.

    Parameters
    ----------
    n : int
        Items, at least 2.
    total, squares : int, float or Fraction
        :math:`\sum x` and :math:`\sum x^2`, exact where possible.

    References
    ----------
    .. [1] Student (1908), Biometrika 6, 1-25, doi:10.1093/biomet/6.1.1.

    Examples
    --------
    >>> found = estimate_mean(4, 10, 30)
    >>> found.value, round(found.error, 6), found.freedom
    (2.5, 0.645497, 3)
    """
    apart = sum_centred_squares(n, total, squares)
    return StudentEstimate(
        value=float(total / n), error=sqrt(apart / (n * (n - 1))), freedom=n - 1, units=n
    )


def mean_interval(
    n: int, total: Number, squares: Number, *, level: float = 0.95
) -> tuple[float, float]:
    r"""Student's interval for a mean, :math:`\bar x\pm t_{n-1}\,s/\sqrt n`.

    In some settings it falls short: docs/reference/certificates.md has the worst found.

    Notes
    -----
    It assumes that the mean of n values is nearly normal. Strong skew breaks it on the side of the
    long tail: see :func:`value_caveats`. One item, or equal values, are refused.

    References
    ----------
    .. [1] Student (1908), Biometrika 6, 1-25, doi:10.1093/biomet/6.1.1.

    Examples
    --------
    >>> low, high = mean_interval(4, 10, 30)
    >>> round(low, 3), round(high, 3)
    (0.446, 4.554)
    """
    return estimate_mean(n, total, squares).interval(level=level)


def estimate_ratio(
    totals: ArrayLike,
    weights: ArrayLike,
    *,
    scale: RatioScale = "auto",
    freedom: float | None = None,
) -> StudentEstimate:
    r"""Ratio of two sums, :math:`R=\sum x_g/\sum w_g`, over independent units.

    The linearised residual of a unit is :math:`e_g=x_g-Rw_g`; variance

    .. math:: \frac{G}{G-1}\sum_g\frac{e_g^2}{(\sum w_g)^2}

    with :math:`G-1` degrees of freedom [1]_. Units are items, or clusters with the sums of their
    items. A mean over clusters has the cluster sizes as weights; a weighted mean has
    :math:`x_i=v_iy_i` and :math:`w_i=v_i`; a word error rate errors and words.

    Parameters
    ----------
    totals, weights : array_like
        :math:`x_g` and :math:`w_g`, one for each unit.
    scale : {"auto", "plain", "log"}
        Where the limits are symmetric. ``auto`` takes logarithms when no total is negative, as a
        rate of errors cannot be: plain limits cross 0 there and miss on the upper side.
    freedom : float, optional
        Degrees of freedom, if not G - 1.

    Notes
    -----
    It is not the mean of the ratios of the items, which is :func:`mean_of_ratios`, another
    quantity. With few clusters, or clusters of unequal weight, G - 1 is too many degrees of
    freedom and the interval too short.

    References
    ----------
    .. [1] Cochran (1977), Sampling Techniques, 3rd edition, Wiley, sections 6.3 and 9A.6.

    Examples
    --------
    >>> found = estimate_ratio([1, 0, 2, 1], [10, 8, 12, 10])
    >>> found.value, round(found.error, 5), found.scale
    (0.1, 0.03266, 'log')
    """
    refuse_other_rows({"totals": totals, "weights": weights})
    added, held = check_ratio(totals, weights)
    whole = fsum(held)
    ratio = fsum(added) / whole
    apart = added - ratio * held
    units = int(added.size)
    # The residuals of a constant ratio are rounding, not a spread.
    if np.abs(apart).max() <= SAME * max(1e-300, float((np.abs(added) + abs(ratio) * held).max())):
        raise _refuse_no_ratio_spread(added, units)
    chosen = _choose_scale(scale, added, ratio)
    return StudentEstimate(
        value=ratio,
        # Exact sums: the order in which units are named must not change a digit.
        error=sqrt(units / (units - 1) * fsum(apart * apart)) / whole,
        freedom=units - 1 if freedom is None else freedom,
        units=units,
        scale=chosen,
    )


def ratio_of_sums_interval(
    totals: ArrayLike, weights: ArrayLike, *, level: float = 0.95, scale: RatioScale = "auto"
) -> tuple[float, float]:
    r"""Interval for a ratio of sums such as the word error rate.

    :math:`R\exp(\pm t_{G-1}s/R)`, or :math:`R\pm t_{G-1}s` where totals may be negative, with the
    standard error s of :func:`estimate_ratio`.

    References
    ----------
    .. [1] Cochran (1977), Sampling Techniques, 3rd edition, Wiley, section 6.3.

    Examples
    --------
    >>> low, high = ratio_of_sums_interval([1, 0, 2, 1], [10, 8, 12, 10])
    >>> round(low, 4), round(high, 4)
    (0.0354, 0.2827)
    """
    refuse_other_rows({"totals": totals, "weights": weights})
    return estimate_ratio(totals, weights, scale=scale).interval(level=level)


def mean_of_ratios(totals: ArrayLike, weights: ArrayLike) -> float:
    """Mean of the ratios of single items: every item counts the same, however long it is.

    Another quantity than the ratio of sums, and systems may rank otherwise by it.

    Examples
    --------
    >>> mean_of_ratios([1, 0], [2, 100]), estimate_ratio([1, 0], [2, 100]).value < 0.01
    (0.25, True)
    """
    refuse_other_rows({"totals": totals, "weights": weights})
    added, held = check_ratio(totals, weights)
    return float((added / held).mean())


def bca_mean_interval(
    values: ArrayLike,
    counts: ArrayLike | None = None,
    *,
    rng: np.random.Generator,
    level: float = 0.95,
    repetitions: int = 10_000,
) -> tuple[float, float]:
    r"""Bias-corrected and accelerated bootstrap interval for a mean.

    In some settings it falls short: docs/reference/certificates.md has the worst found.

    Percentiles of resampled means at :math:`\Phi\left(z_0+\frac{z_0+z}{1-a(z_0+z)}\right)`, with
    :math:`z_0` from the share of resampled means below the mean and
    :math:`a=\sum d^3/(6(\sum d^2)^{3/2})` [1]_.

    Notes
    -----
    It follows the skewness of the values, Student's t does not; with few values it is too short,
    since a sample never shows the whole of its tail.

    References
    ----------
    .. [1] Efron (1987), JASA 82, 171-185, doi:10.1080/01621459.1987.10478410.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> low, high = bca_mean_interval([1, 2, 2, 3, 3, 4, 5, 9, 14, 30], rng=rng)
    >>> round(low, 1), round(high, 1)
    (3.7, 15.9)
    """
    column, often = merge_values(values, counts)
    n = int(often.sum())
    if n < 2:
        sum_centred_squares(n, 0, 0)
    if column.size == 1:
        raise refuse_no_spread(n)
    # About the mean, so that large values with a small spread keep its digits.
    mean = float(column[0]) + float(often @ (column - column[0])) / n
    apart = column - mean
    means = _resample_means(apart, often, rng, repetitions)
    below = (np.count_nonzero(means < 0) + np.count_nonzero(means == 0) / 2) / repetitions
    # A share of 0 or 1 is one that more repetitions would have moved.
    shift = float(ndtri(min(max(below, 0.5 / repetitions), 1 - 0.5 / repetitions)))
    bend = float(often @ apart**3) / (6 * float(often @ apart**2) ** 1.5)
    z = normal_quantile(level)
    ends = [
        # Past its pole the acceleration would turn the quantile around; there it is at its end.
        float(ndtr(shift + (shift + side) / max(1e-9, 1 - bend * (shift + side))))
        for side in (-z, z)
    ]
    low, high = np.quantile(means, ends)
    return mean + float(low), mean + float(high)


def _resample_means(
    apart: Floats, often: NDArray[np.int64], rng: np.random.Generator, repetitions: int
) -> Floats:
    n = int(often.sum())
    block = max(1, BLOCK // apart.size)
    parts = [
        rng.multinomial(n, often / n, size=min(block, repetitions - start)) @ apart / n
        for start in range(0, repetitions, block)
    ]
    return np.concatenate(parts)


def check_ratio(totals: ArrayLike, weights: ArrayLike) -> tuple[Floats, Floats]:
    """Refuse sums that make no ratio: of different length, not finite, over 0 or less."""
    added, held = finite_column(totals, "totals"), finite_column(weights, "weights")
    if added.size != held.size:
        message = f"{added.size} totals over {held.size} weights; expected one of each a unit."
        raise CountsError(message, code="value-shape")
    if (held < 0).any() or (added.size and not held.any()):
        place = int(np.flatnonzero(held <= 0)[0]) + 1
        message = (
            f"The denominator of unit {place} is {held[place - 1]:g}; a ratio needs numbers above "
            "0. Leave such units out, or name another column."
        )
        raise CountsError(message, code="denominator-not-positive")
    empty = (held == 0) & (added != 0)
    if empty.any():
        place = int(np.flatnonzero(empty)[0]) + 1
        message = (
            f"Unit {place} has {added[place - 1]:g} over a denominator of 0. Join it to its "
            "neighbour, or leave it out and say so."
        )
        raise CountsError(message, code="denominator-not-positive")
    added, held = added[held > 0], held[held > 0]
    if added.size < 2:
        sum_centred_squares(int(added.size), 0, 0)
    return added, held


def _choose_scale(scale: RatioScale, added: Floats, ratio: float) -> Scale:
    if scale not in {"auto", "plain", "log"}:
        raise RequestError.for_choice(name="scale", given=scale, choices=("auto", "plain", "log"))
    positive = ratio > 0 and not (added < 0).any()
    if scale == "log" and not positive:
        message = "scale='log' needs totals of 0 or more, with a sum above 0. Take scale='plain'."
        raise RequestError(message)
    if scale == "auto":
        return "log" if positive else "plain"
    return scale


def _refuse_no_ratio_spread(added: Floats, units: int) -> CountsError:
    """Say what no spread leaves to be said: without any error, how many units may have one."""
    if added.any():
        return refuse_no_spread(units, "units have the same ratio")
    share = clopper_pearson_interval(0, units, level=0.9)[1]
    message = (
        f"0 errors in {counted(units, 'unit')}: without spread there is no interval for the ratio. "
        f"At most {share:.2%} of units have an error, with confidence 95 %. Give more items."
    )
    return CountsError(message, code="no-spread")

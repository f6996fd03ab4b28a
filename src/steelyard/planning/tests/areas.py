"""Samples to measure an area under a ROC curve, or to tell two of them apart."""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, pi, sqrt
from typing import Literal, TypeAlias

from steelyard.errors import RequestError, check_share
from steelyard.planning.sizes import round_up
from steelyard.uncertainty import normal_quantile
from steelyard.uncertainty.special import ndtr, ndtri

__all__ = [
    "AreaSize",
    "AreaVariance",
    "area_difference_power",
    "area_difference_samples",
    "area_power",
    "area_samples",
    "area_variance",
    "area_width",
    "area_width_samples",
    "scaled_area_power",
    "scaled_area_samples",
]

AreaVariance: TypeAlias = Literal["hanley-mcneil", "binormal", "obuchowski"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaSize:
    """Positives and negatives to test; ``samples`` is their sum."""

    positives: int
    negatives: int

    @property
    def samples(self) -> int:
        """All items."""
        return self.positives + self.negatives


def area_variance(
    area: float, *, positives: float, negatives: float, variance: AreaVariance = "hanley-mcneil"
) -> float:
    r"""Variance of an estimated area, from the area and the numbers of items alone.

    ``hanley-mcneil``, for exponential scores, with :math:`Q_1 = A/(2-A)`,
    :math:`Q_2 = 2A^2/(1+A)`:

    .. math:: \frac{A(1-A) + (n_1-1)(Q_1-A^2) + (n_0-1)(Q_2-A^2)}{n_1 n_0}

    ``binormal``, for normal scores with :math:`a = \sqrt2\,\Phi^{-1}(A)`:
    :math:`\frac{e^{-a^2/2}}{32\pi}\,(a^2+8)\,(1/n_1 + 1/n_0)`; ``obuchowski``, the published form
    :math:`0.0099\,e^{-a^2/2}\,[(5a^2+8)/n_1 + (a^2+8)/n_0]`.

    Notes
    -----
    The published binormal form leaves out the covariance of intercept and slope of the curve,
    :math:`-a^2/2n_1` in the same units: it is too large, by a third at an area of 0.8. Real scores
    have other variances; from a pilot take DeLong's.

    References
    ----------
    .. [1] Hanley & McNeil (1982), Radiology 143, 29-36, doi:10.1148/radiology.143.1.7063747.
    .. [2] Obuchowski & McClish (1997), Statistics in Medicine 16, 1529-1542,
       doi:10.1002/(SICI)1097-0258(19970715)16:13<1529::AID-SIM565>3.0.CO;2-H.

    Examples
    --------
    >>> round(area_variance(0.893, positives=51, negatives=58) ** 0.5, 4)
    0.0325
    """
    check_share("area", area)
    if min(positives, negatives) <= 0:
        message = f"{positives:g} positives, {negatives:g} negatives; both must be above 0."
        raise RequestError(message)
    if variance not in VARIANCES:
        raise RequestError.for_choice(name="variance", given=variance, choices=tuple(VARIANCES))
    return VARIANCES[variance](area, positives, negatives)


def _hanley_mcneil(area: float, positives: float, negatives: float) -> float:
    # Q1 - A^2 is A (1 - A)^2 / (2 - A) and Q2 - A^2 is A^2 (1 - A) / (1 + A): no difference left.
    rest = 1 - area
    more = (positives - 1) * rest / (2 - area) + (negatives - 1) * area / (1 + area)
    return area * rest * (1 + more) / (positives * negatives)


def _binormal(area: float, positives: float, negatives: float) -> float:
    a2 = 2 * float(ndtri(area)) ** 2
    return exp(-a2 / 2) / (32 * pi) * (a2 + 8) * (1 / positives + 1 / negatives)


def _obuchowski(area: float, positives: float, negatives: float) -> float:
    a2 = (1.414 * float(ndtri(area))) ** 2
    return 0.0099 * exp(-a2 / 2) * ((5 * a2 + 8) / positives + (a2 + 8) / negatives)


VARIANCES: dict[str, Callable[[float, float, float], float]] = {
    "hanley-mcneil": _hanley_mcneil,
    "binormal": _binormal,
    "obuchowski": _obuchowski,
}


def area_samples(
    area: float,
    *,
    null: float = 0.5,
    prevalence: float = 0.5,
    power: float = 0.8,
    alpha: float = 0.05,
    variance: AreaVariance = "hanley-mcneil",
) -> AreaSize:
    r"""Items to show that an area differs from a value, two-sided.

    The smallest n with :math:`|A - A_0| \ge z_{1-\alpha/2}\sqrt{V(A_0)} + z_{1-\beta}\sqrt{V(A)}`.

    References
    ----------
    .. [1] Hanley & McNeil (1982), Radiology 143, 29-36, doi:10.1148/radiology.143.1.7063747.

    Examples
    --------
    >>> area_samples(0.8, null=0.7).samples
    196
    """
    check_share("null", null)
    _check_apart(area, null)
    check_share("power", power)

    def enough(total: int) -> bool:
        found = area_power(
            area, total, null=null, prevalence=prevalence, alpha=alpha, variance=variance
        )
        return found >= power

    return _smallest(enough, prevalence)


def area_power(
    area: float,
    samples: float,
    *,
    null: float = 0.5,
    prevalence: float = 0.5,
    alpha: float = 0.05,
    variance: AreaVariance = "hanley-mcneil",
) -> float:
    r"""Power of the two-sided test that an area differs from a value, after n items.

    .. math:: \Phi\left(\frac{|A - A_0| - z_{1-\alpha/2}\sqrt{V(A_0)}}{\sqrt{V(A)}}\right)

    References
    ----------
    .. [1] Hanley & McNeil (1982), Radiology 143, 29-36, doi:10.1148/radiology.143.1.7063747.

    Examples
    --------
    >>> round(area_power(0.8, 196, null=0.7), 3)
    0.803
    """
    sides = _sides(samples, prevalence)
    spread = [
        sqrt(area_variance(one, positives=sides[0], negatives=sides[1], variance=variance))
        for one in (null, area)
    ]
    return _chance_to_win(abs(area - null), spread[0], spread[1], alpha)


def area_difference_samples(
    first: float,
    second: float,
    *,
    correlation: float = 0.0,
    prevalence: float = 0.5,
    power: float = 0.8,
    alpha: float = 0.05,
    variance: AreaVariance = "hanley-mcneil",
) -> AreaSize:
    r"""Items to tell two areas apart, two-sided; of each system, or common ones.

    .. math:: V = V_1 + V_2 - 2 r \sqrt{V_1 V_2}

    with r the correlation of the two estimated areas: 0 on independent items, mostly 0.3 to 0.7
    on common ones. Under the null both areas are taken for their mean.

    References
    ----------
    .. [1] Hanley & McNeil (1983), Radiology 148, 839-843, doi:10.1148/radiology.148.3.6878708.

    Examples
    --------
    >>> apart = area_difference_samples(0.85, 0.8).samples
    >>> common = area_difference_samples(0.85, 0.8, correlation=0.6).samples
    >>> apart, common
    (1090, 440)
    """
    _check_apart(first, second)
    check_share("power", power)

    def enough(total: int) -> bool:
        found = area_difference_power(
            first,
            second,
            total,
            correlation=correlation,
            prevalence=prevalence,
            alpha=alpha,
            variance=variance,
        )
        return found >= power

    return _smallest(enough, prevalence)


def area_difference_power(
    first: float,
    second: float,
    samples: float,
    *,
    correlation: float = 0.0,
    prevalence: float = 0.5,
    alpha: float = 0.05,
    variance: AreaVariance = "hanley-mcneil",
) -> float:
    """Power of the two-sided test of two areas after n items of each system, or common ones.

    References
    ----------
    .. [1] Hanley & McNeil (1983), Radiology 148, 839-843, doi:10.1148/radiology.148.3.6878708.

    Examples
    --------
    >>> round(area_difference_power(0.85, 0.8, 440, correlation=0.6), 3)
    0.801
    """
    if not -1 < correlation < 1:
        nearest = 0.99 if correlation > 0 else -0.99
        message = (
            f"correlation={correlation!r}; expected a number above -1 and below 1. The nearest "
            f"possible is correlation={nearest:g} (--correlation {nearest:g})."
        )
        raise RequestError(message)
    sides = _sides(samples, prevalence)

    def of(area: float) -> float:
        return area_variance(area, positives=sides[0], negatives=sides[1], variance=variance)

    null = 2 * of((first + second) / 2) * (1 - correlation)
    one, two = of(first), of(second)
    true = one + two - 2 * correlation * sqrt(one * two)
    return _chance_to_win(abs(first - second), sqrt(null), sqrt(true), alpha)


def area_width(
    area: float,
    samples: float,
    *,
    prevalence: float = 0.5,
    level: float = 0.95,
    variance: AreaVariance = "hanley-mcneil",
) -> float:
    """Width of the normal interval of an area after n items.

    References
    ----------
    .. [1] Hanley & McNeil (1982), Radiology 143, 29-36, doi:10.1148/radiology.143.1.7063747.

    Examples
    --------
    >>> round(area_width(0.9, 158), 4)
    0.0999
    """
    sides = _sides(samples, prevalence)
    found = area_variance(area, positives=sides[0], negatives=sides[1], variance=variance)
    return 2 * normal_quantile(level) * sqrt(found)


def area_width_samples(
    area: float,
    *,
    width: float,
    prevalence: float = 0.5,
    level: float = 0.95,
    variance: AreaVariance = "hanley-mcneil",
) -> AreaSize:
    """Items with which the interval of an area is at most ``width`` wide.

    References
    ----------
    .. [1] Hanley & McNeil (1982), Radiology 143, 29-36, doi:10.1148/radiology.143.1.7063747.

    Examples
    --------
    >>> area_width_samples(0.9, width=0.1).samples
    158
    """
    check_share("width", width)

    def enough(total: int) -> bool:
        found = area_width(area, total, prevalence=prevalence, level=level, variance=variance)
        return found <= width

    return _smallest(enough, prevalence)


def scaled_area_samples(
    difference: float, variance: float, *, tested: int, power: float = 0.8, alpha: float = 0.05
) -> int:
    r"""Items in all that tell two areas apart, if a pilot showed their true difference.

    .. math:: n = n_0\,V_0 \left(\frac{z_{1-\alpha/2} + z_{1-\beta}}{\hat A_1 - \hat A_2}\right)^2

    with the variance :math:`V_0` of the difference after the :math:`n_0` items of the pilot, from
    DeLong's covariance; it falls as 1/n when the share of positives stays.

    References
    ----------
    .. [1] DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44, 837-845, doi:10.2307/2531595.

    Examples
    --------
    >>> scaled_area_samples(0.05, 0.0009, tested=200)
    566
    """
    _check_scaled(difference, variance, tested)
    bar = -float(ndtri(check_share("alpha", alpha) / 2))
    z = max(bar + float(ndtri(check_share("power", power))), 0.0)
    return max(2, round_up(tested * variance * (z / difference) ** 2))


def scaled_area_power(
    difference: float, variance: float, samples: float, *, tested: int, alpha: float = 0.05
) -> float:
    """Power of DeLong's test after n items, if a pilot showed the true difference.

    Examples
    --------
    >>> round(scaled_area_power(0.05, 0.0009, 566, tested=200), 3)
    0.801
    """
    _check_scaled(difference, variance, tested)
    spread = sqrt(variance * tested / samples)
    return _chance_to_win(abs(difference), spread, spread, alpha)


def _check_scaled(difference: float, variance: float, tested: int) -> None:
    if difference == 0 or variance <= 0 or tested < 1:
        message = (
            f"A difference of {difference:g} with a variance of {variance:g} after {tested} items "
            "says nothing of how many are needed. Give areas instead: rates=[0.85, 0.80]."
        )
        raise RequestError(message, code="equal-rates")


def _chance_to_win(gap: float, null: float, true: float, alpha: float) -> float:
    bar = -float(ndtri(check_share("alpha", alpha) / 2))
    return float(ndtr((gap - bar * null) / true))


def _sides(samples: float, prevalence: float) -> tuple[float, float]:
    check_share("prevalence", prevalence)
    return samples * prevalence, samples * (1 - prevalence)


def _check_apart(first: float, second: float) -> None:
    check_share("area", first)
    check_share("area", second)
    if first == second:
        message = (
            f"Both areas are {first:g}, so no number of items shows a difference. Give the "
            f"smallest one that matters, such as {first:g} and {first - 0.02:.4g}."
        )
        raise RequestError(message, code="equal-rates")


def _smallest(enough: Callable[[int], bool], prevalence: float) -> AreaSize:
    """Find the smallest total that is enough at this share of positives."""
    check_share("prevalence", prevalence)
    low, high = 0, 2
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    positives = max(1, round_up(high * prevalence))
    return AreaSize(positives=positives, negatives=max(1, round_up(high * (1 - prevalence))))

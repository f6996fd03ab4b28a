"""Samples to measure an area under a ROC curve, or to tell two of them apart."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, exp, pi, sqrt
from typing import Literal, TypeAlias

from scipy.special import ndtri

from steelyard.errors import RequestError
from steelyard.planning.sizes import check_share
from steelyard.uncertainty import normal_quantile

__all__ = [
    "AreaSize",
    "AreaVariance",
    "area_difference_samples",
    "area_samples",
    "area_variance",
    "area_width_samples",
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
    twice, both = area / (2 - area), 2 * area * area / (1 + area)
    spread = area * (1 - area) + (positives - 1) * (twice - area * area)
    return (spread + (negatives - 1) * (both - area * area)) / (positives * negatives)


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
    for_alpha, for_power = _quantiles(alpha, power)

    def enough(positives: float, negatives: float) -> bool:
        spread = [
            sqrt(area_variance(one, positives=positives, negatives=negatives, variance=variance))
            for one in (null, area)
        ]
        return for_alpha * spread[0] + for_power * spread[1] <= abs(area - null)

    return _smallest(enough, prevalence)


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
    if not -1 < correlation < 1:
        message = f"correlation={correlation!r}; expected a number above -1 and below 1."
        raise RequestError(message)
    for_alpha, for_power = _quantiles(alpha, power)
    mean = (first + second) / 2

    def enough(positives: float, negatives: float) -> bool:
        def of(area: float) -> float:
            return area_variance(area, positives=positives, negatives=negatives, variance=variance)

        null = 2 * of(mean) * (1 - correlation)
        one, two = of(first), of(second)
        true = one + two - 2 * correlation * sqrt(one * two)
        return for_alpha * sqrt(null) + for_power * sqrt(true) <= abs(first - second)

    return _smallest(enough, prevalence)


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
    if not 0 < width < 1:
        raise RequestError.for_level(name="width", given=width)
    z = normal_quantile(level)

    def enough(positives: float, negatives: float) -> bool:
        found = area_variance(area, positives=positives, negatives=negatives, variance=variance)
        return 2 * z * sqrt(found) <= width

    return _smallest(enough, prevalence)


def _quantiles(alpha: float, power: float) -> tuple[float, float]:
    return -float(ndtri(check_share("alpha", alpha) / 2)), float(ndtri(check_share("power", power)))


def _check_apart(first: float, second: float) -> None:
    check_share("area", first)
    check_share("area", second)
    if first == second:
        message = (
            f"Both areas are {first:g}, so no number of items shows a difference. Give the "
            f"smallest one that matters, such as {first:g} and {first - 0.02:.4g}."
        )
        raise RequestError(message, code="equal-rates")


def _smallest(enough: Callable[[float, float], bool], prevalence: float) -> AreaSize:
    """Find the smallest total that is enough at this share of positives."""
    check_share("prevalence", prevalence)

    def holds(total: int) -> bool:
        return enough(total * prevalence, total * (1 - prevalence))

    low, high = 0, 2
    while not holds(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    positives = max(1, ceil(high * prevalence - 1e-9))
    return AreaSize(positives=positives, negatives=max(1, ceil(high * (1 - prevalence) - 1e-9)))

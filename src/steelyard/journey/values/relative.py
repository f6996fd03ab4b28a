"""By how many percent of the baseline a candidate is better: Fieller's limits of a ratio."""

from math import sqrt

from steelyard.errors import NotComparable
from steelyard.journey.gates.advantages import Advantage
from steelyard.journey.values.sums import Averages, say_doubts
from steelyard.results import Estimate, Interval, ValueName
from steelyard.uncertainty import StudentEstimate, unseen_limits
from steelyard.uncertainty.roots import crossing

__all__ = ["relative_advantage"]

FARTHEST = 1e6
"""Ratios beyond this are no answer."""
TINY = 1e-12
"""A spread of this share of those of both is rounding: every item has the same ratio."""
NO_SPREAD = "every item differs by the same share, and one that was not seen may differ otherwise"
UNITS = "items that carry weights or come in clusters are not worth one each"


def relative_advantage(
    averages: Averages, name: ValueName, names: tuple[str, str], *, level: float
) -> Advantage:
    r"""Give the advantage as a share of the baseline's mean, or ratio of sums.

    The limits are those :math:`\rho` at which :math:`\hat\mu_c-\rho\hat\mu_b`, a mean of items (or
    of units) of its own, has 0 on the edge of the limits that allow for one unseen item: Fieller's.
    """
    candidate, baseline = names
    found = averages.found
    above, below = found.value(candidate), found.value(baseline)
    variances = found.variance(candidate), found.variance(baseline)
    shared = (sum(variances) - found.variance_of_difference(candidate, baseline)) / 2

    def spread_at(ratio: float) -> float:
        return variances[0] - 2 * ratio * shared + ratio**2 * variances[1]

    def limits(ratio: float) -> tuple[float, float]:
        spread = spread_at(ratio)
        gap = above - ratio * below
        if spread <= 0:
            return gap, gap
        estimate = StudentEstimate(
            value=gap,
            error=sqrt(spread / found.units),
            freedom=averages.freedom,
            units=found.units,
        )
        return unseen_limits(estimate, level=level)

    _refuse_small(averages, baseline, name, level)
    sign = -1 if name.better == "lower" else 1
    value = above / below
    ends: Interval | None = None
    if spread_at(value) > TINY * (variances[0] + value**2 * variances[1]):
        # As the ratio grows both limits of the gap fall, and 0 leaves them at either end.
        low = crossing(lambda one: limits(one)[0], -FARTHEST, value)
        high = crossing(lambda one: limits(one)[1], value, FARTHEST)
        first, last = sorted((sign * (low - 1), sign * (high - 1)))
        method = "fieller-clusters" if averages.clustered else "fieller"
        ends = Interval(low=first, high=last, level=level, method=method)
    return Advantage(
        measure=f"relative {name.measure}",
        of=None,
        values=(above, below),
        estimate=Estimate(
            measure=f"relative advantage in {name.measure}",
            value=sign * (value - 1),
            interval=ends,
            items=averages.moments.items,
            caveats=tuple(say_doubts(averages, None)),
        ),
        reason=None if ends else NO_SPREAD,
        uncounted=UNITS if averages.clustered or averages.weighted else None,
    )


def _refuse_small(averages: Averages, baseline: str, name: ValueName, level: float) -> None:
    """Refuse a baseline of which no share can be taken: not clearly above 0, or judged."""
    estimate = averages.estimate(baseline)
    value = averages.found.value(baseline)
    low = value if estimate is None else unseen_limits(estimate, level=level)[0]
    if averages.judged is not None or not low > 0:
        what = "beside a judge" if averages.judged is not None else "of a mean not clearly above 0"
        message = (
            f"A percentage {what} is not known with limits: the {name.measure} of {baseline} is "
            f"{value:.4g}. Write the margin in the units of the values, such as 0.1."
        )
        raise NotComparable(message, code="requirement")

"""Right and wrong answers weighed on common items that carry weights."""

import numpy as np

from steelyard.comparison import (
    AreaDifference,
    WeightedRates,
    area_equivalence,
    compare_areas,
    rank_areas,
    weighted_rates,
)
from steelyard.counts import Grouped, Outcomes
from steelyard.journey.compared_areas import chances_of_best
from steelyard.journey.comparison_question import Question, Weighed, assembled, couples
from steelyard.results import ComparedPair, Comparison, Estimate, Interval
from steelyard.uncertainty import shaffer_static, tango_interval, wilson_interval_effective

__all__ = ["compare_weighted"]

PRIMARY = (
    "tests of the weighted difference with its linearised variance, Shaffer-adjusted, and the "
    "normal posterior they imply"
)
DRAWS = 100_000
NOTHING = 1e-24
"""A variance below this is rounding."""


def compare_weighted(outcomes: Outcomes | Grouped[Outcomes], question: Question) -> Comparison:
    """Compare weighted shares of right answers on common items, or on clusters of them."""
    found = weighted_rates(outcomes)
    whole = outcomes.merged() if isinstance(outcomes, Grouped) else outcomes
    names, places = found.systems, couples(len(found.systems))
    gaps = [_gap(found, i, j, question.level) for i, j in places]
    adjusted = shaffer_static(
        [1.0 if one.p_value is None else one.p_value for one in gaps], systems=len(names)
    )
    best, error = chances_of_best(
        len(names),
        lambda i, j: _gap(found, i, j, question.level).better,
        lambda: rank_areas(found.rates, found.covariance, rng=question.rng(), draws=DRAWS),
    )
    pairs = []
    for (i, j), one, q in zip(places, gaps, adjusted, strict=True):
        near = None
        if question.margin is not None:
            near = area_equivalence(found.rates, found.covariance, i, j, margin=question.margin)
        pairs.append(
            ComparedPair(
                first=names[i],
                second=names[j],
                difference=_difference(one, found, question.level, whole.total),
                p_value=one.p_value,
                adjusted_p=None if one.p_value is None else q,
                better=one.better,
                verdict=question.verdict(q, near),
                equivalent=near,
            )
        )
    return assembled(
        question,
        Weighed(
            rates=[*_rates(found, whole.total, question.level)],
            best=best,
            pairs=pairs,
            error=error,
        ),
        measure="accuracy",
        pairing="common",
        items=whole.total,
        primary=PRIMARY,
        caveats=_doubts(found, outcomes, whole.total),
    )


def _rates(found: WeightedRates, items: int, level: float) -> list[tuple[str, Estimate]]:
    rates = []
    for name, rate in zip(found.systems, found.rates.tolist(), strict=True):
        low, high = wilson_interval_effective(rate, found.effective, level=level)
        ends = Interval(low=low, high=high, level=level, method="wilson-effective")
        rates.append((name, Estimate(measure="accuracy", value=rate, interval=ends, items=items)))
    return rates


def _gap(found: WeightedRates, i: int, j: int, level: float) -> AreaDifference:
    covariance = found.covariance
    if covariance[i, i] + covariance[j, j] - 2 * covariance[i, j] < NOTHING:
        covariance = np.zeros_like(covariance)
    return compare_areas(found.rates, covariance, i, j, level=level, freedom=found.freedom)


def _difference(one: AreaDifference, found: WeightedRates, level: float, items: int) -> Estimate:
    low, high, method = one.low, one.high, "linearised"
    if low is None or high is None or low == high:  # no spread: as many items as the weights allow
        number = max(1, int(found.effective))
        wins = min(number, round(abs(one.difference) * number))
        low, high = tango_interval(number - wins, wins, 0, 0, level=level)
        low, high = (low, high) if one.difference >= 0 else (-high, -low)
        method = "tango"
    ends = Interval(low=low, high=high, level=level, method=method)
    return Estimate(
        measure="difference of accuracy", value=one.difference, interval=ends, items=items
    )


def _doubts(
    found: WeightedRates, outcomes: Outcomes | Grouped[Outcomes], items: int
) -> tuple[str, ...]:
    said = (
        f"items are weighted: {items:,d} of them tell as much as {found.effective:,.1f} of equal "
        "weight; exact tests, Akaike's criterion and further items need counts and are left out"
    )
    if isinstance(outcomes, Grouped):
        return (said, f"items come in {len(outcomes):,d} clusters, which are the units here")
    return (said,)

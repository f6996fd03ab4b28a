"""Areas under ROC curves weighed, on common items or on items of their own."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from steelyard.comparison import AreaDifference, area_equivalence, compare_areas, rank_areas
from steelyard.counts import JointScores, ScoreTable
from steelyard.journey.comparison_question import Question, Weighed, assembled, couples
from steelyard.measures import RocCurve, auc, warn_if_crossing
from steelyard.results import ComparedPair, Comparison, Estimate, Interval
from steelyard.uncertainty import delong_covariance, delong_variance, shaffer_static

__all__ = ["compare_joint_areas", "compare_own_areas"]

DRAWS = 100_000
FEW_ALARMS = (0, 0.1)
"""False alarm rates at which a warning that curves cross is worth reading."""
MOST_CROSSINGS = 2
PRIMARY = "DeLong tests, Shaffer-adjusted, and the normal posterior they imply"

Floats = np.ndarray[Any, np.dtype[np.float64]]


def compare_joint_areas(joint: JointScores, question: Question) -> Comparison:
    """Compare areas under ROC curves on common items."""
    areas, covariance = delong_covariance(joint)
    tables = [joint.score_table(name) for name in joint.systems]
    return _compared(joint.systems, tables, areas, covariance, question, items=joint.total)


def compare_own_areas(
    names: Sequence[str], tables: Sequence[ScoreTable], question: Question
) -> Comparison:
    """Compare areas under ROC curves, each on items of its own."""
    areas = np.array([auc(table).value for table in tables], dtype=np.float64)
    covariance = np.diag([delong_variance(table) for table in tables])
    return _compared(names, tables, areas, covariance, question, items=None)


def _compared(
    names: Sequence[str],
    tables: Sequence[ScoreTable],
    areas: Floats,
    covariance: Floats,
    question: Question,
    *,
    items: int | None,
) -> Comparison:
    places = couples(len(names))
    found = [compare_areas(areas, covariance, i, j, level=question.level) for i, j in places]
    ranks = rank_areas(areas, covariance, rng=question.rng(), draws=DRAWS)
    # A pair that allows no test is never called different: its p counts as 1 in the adjustment.
    raw = [1.0 if one.p_value is None else one.p_value for one in found]
    adjusted = shaffer_static(raw, systems=len(names))
    pairs = []
    for (i, j), one, q in zip(places, found, adjusted, strict=True):
        near = None
        if question.margin is not None:
            near = area_equivalence(areas, covariance, i, j, margin=question.margin)
        pairs.append(
            ComparedPair(
                first=names[i],
                second=names[j],
                difference=_difference(one, question.level, items),
                p_value=one.p_value,
                adjusted_p=None if one.p_value is None else q,
                better=one.better,
                verdict=question.verdict(q, near),
                equivalent=near,
            )
        )
    rates = [
        (name, auc(table, level=question.level)) for name, table in zip(names, tables, strict=True)
    ]
    return assembled(
        question,
        Weighed(rates=[*rates], best=ranks.best, pairs=pairs, error=ranks.error),
        measure="auc",
        pairing="independent" if items is None else "common",
        items=items,
        primary=PRIMARY,
        caveats=_crossings(names, tables, areas),
    )


def _crossings(
    names: Sequence[str], tables: Sequence[ScoreTable], areas: Floats
) -> tuple[str, ...]:
    """Warn when the system of the largest area is the worse one where false alarms are few."""
    leader = int(np.argmax(areas))
    known = [name for name, table in zip(names, tables, strict=True) if _both(table)]
    if names[leader] not in known:
        return ()
    curve = RocCurve.of(tables[leader])
    warnings = [
        warn_if_crossing(
            curve, RocCurve.of(tables[place]), false_alarm_rates=FEW_ALARMS,
            names=(names[leader], name),
        )
        for place, name in enumerate(names)
        if place != leader and name in known
    ]  # fmt: skip
    return tuple(one for one in warnings if one is not None)[:MOST_CROSSINGS]


def _both(table: ScoreTable) -> bool:
    return table.positive_total > 0 and table.negative_total > 0


def _difference(one: AreaDifference, level: float, items: int | None) -> Estimate:
    ends = None
    if one.low is not None and one.high is not None:
        ends = Interval(low=one.low, high=one.high, level=level, method="delong")
    return Estimate(measure="difference of auc", value=one.difference, interval=ends, items=items)

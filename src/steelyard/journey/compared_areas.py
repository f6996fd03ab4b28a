"""Areas under ROC curves weighed, on common items or on items of their own."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from steelyard.comparison import (
    AreaDifference,
    AreaRanks,
    area_equivalence,
    compare_areas,
    rank_areas,
)
from steelyard.counts import JointScores, PlacementSums, ScoreTable
from steelyard.journey.comparison_question import Question, Weighed, assembled, couples
from steelyard.measures import (
    RocCurve,
    auc,
    cluster_caveats,
    clustered_auc,
    warn_if_crossing,
)
from steelyard.results import ComparedPair, Comparison, Estimate, Interval
from steelyard.uncertainty import (
    Clusters,
    cluster_placements,
    clustered_auc_covariance,
    delong_covariance,
    delong_variance,
    shaffer_static,
)

__all__ = ["compare_clustered_areas", "compare_joint_areas", "compare_own_areas"]

DRAWS = 100_000
FEW_ALARMS = (0, 0.1)
"""False alarm rates at which a warning that curves cross is worth reading."""
MOST_CROSSINGS = 2
CLUSTERED = (
    "Obuchowski's tests of areas over clusters, Shaffer-adjusted, and the normal posterior they "
    "imply"
)
PRIMARY = "DeLong tests, Shaffer-adjusted, and the normal posterior they imply"

Floats = np.ndarray[Any, np.dtype[np.float64]]


def compare_joint_areas(joint: JointScores | PlacementSums, question: Question) -> Comparison:
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


def compare_clustered_areas(
    names: Sequence[str], grouped: Sequence[Clusters], question: Question
) -> Comparison:
    """Compare areas under ROC curves on common items that come in clusters."""
    held = [cluster_placements(one) for one in grouped]
    areas, covariance = clustered_auc_covariance(held)
    tables = [one.table for one in held]
    items = tables[0].positive_total + tables[0].negative_total
    found = _compared(
        names, tables, areas, covariance, question, items=items,
        rates=[clustered_auc(one, level=question.level) for one in held],
        freedom=min(held[0].holding) - 1,
    )  # fmt: skip
    caveats = (*cluster_caveats(len(held[0]), items), *found.caveats)
    return replace(found, primary=CLUSTERED, caveats=caveats)


def _compared(
    names: Sequence[str],
    tables: Sequence[ScoreTable],
    areas: Floats,
    covariance: Floats,
    question: Question,
    *,
    items: int | None,
    rates: Sequence[Estimate] | None = None,
    freedom: int | None = None,
) -> Comparison:
    places = couples(len(names))
    method = "delong" if freedom is None else "cluster-robust"
    found = [
        compare_areas(areas, covariance, i, j, level=question.level, freedom=freedom)
        for i, j in places
    ]
    best, error = chances_of_best(
        len(names),
        lambda i, j: compare_areas(areas, covariance, i, j, freedom=freedom).better,
        lambda: rank_areas(areas, covariance, rng=question.rng(), draws=DRAWS),
    )
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
                difference=_difference(one, question.level, items, method),
                p_value=one.p_value,
                adjusted_p=None if one.p_value is None else q,
                better=one.better,
                verdict=question.verdict(q, near),
                equivalent=near,
            )
        )
    known = rates or [auc(table, level=question.level) for table in tables]
    shown = [*zip(names, known, strict=True)]
    return assembled(
        question,
        Weighed(rates=[*shown], best=best, pairs=pairs, error=error),
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


def chances_of_best(
    systems: int, better: Callable[[int, int], float | None], drawn: Callable[[], AreaRanks]
) -> tuple[tuple[float, ...], float | None]:
    """Give each its chance to be the best: of two that of the pair, of more by draws."""
    if systems == 2:
        both = better(0, 1), better(1, 0)
        if both[0] is not None and both[1] is not None:
            return (both[0], both[1]), None
    ranks = drawn()
    return ranks.best, ranks.error


def _difference(one: AreaDifference, level: float, items: int | None, method: str) -> Estimate:
    ends = None
    if one.low is not None and one.high is not None:
        ends = Interval(low=one.low, high=one.high, level=level, method=method)
    return Estimate(measure="difference of auc", value=one.difference, interval=ends, items=items)

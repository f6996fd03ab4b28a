"""Areas under ROC curves weighed, on common items or on items of their own."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from steelyard import comparison, measures, uncertainty
from steelyard.comparison import AreaDifference, AreaRanks
from steelyard.counts import JointScores, PlacementSums, ScoreTable
from steelyard.errors import listing
from steelyard.journey.comparison.question import Question, Weighed, assemble, couples
from steelyard.results import ComparedPair, Comparison, Estimate, Interval
from steelyard.results.shortfalls import shortfall
from steelyard.uncertainty import AreaSpreads, Clusters

__all__ = [
    "CLUSTER_PLACEMENT",
    "PLACEMENT",
    "chances_of_best",
    "compare_clustered_areas",
    "compare_joint_areas",
    "compare_own_areas",
]

DRAWS = 100_000
FEW_ALARMS = (0, 0.1)
"""False alarm rates at which a warning that curves cross is worth reading."""
MOST_CROSSINGS = 2
FEW_SCORES = 5
"""With fewer different scores a limit may err more often than it says; found by search."""
PLACEMENT, CLUSTER_PLACEMENT = "placement", "cluster-placement"
CLUSTERED = (
    "placement limits of the areas over clusters with Obuchowski's covariance, their p-values "
    "Shaffer-adjusted and their one-sided confidence as probability"
)
PRIMARY = (
    "placement limits of the areas with DeLong's covariance, their p-values Shaffer-adjusted and "
    "their one-sided confidence as probability"
)

Floats = np.ndarray[Any, np.dtype[np.float64]]


def compare_joint_areas(joint: JointScores | PlacementSums, question: Question) -> Comparison:
    """Compare areas under ROC curves on common items."""
    tables = [joint.score_table(name) for name in joint.systems]
    spreads = uncertainty.joint_area_spreads(joint)
    return _compare(joint.systems, tables, spreads, question, items=joint.total)


def compare_own_areas(
    names: Sequence[str],
    tables: Sequence[ScoreTable],
    question: Question,
    *,
    grouped: Sequence[Clusters] | None = None,
) -> Comparison:
    """Compare areas under ROC curves, each on items, or clusters of items, of its own."""
    if grouped is None:
        return _compare(names, tables, uncertainty.own_area_spreads(tables), question, items=None)
    held = [uncertainty.cluster_placements(one) for one in grouped]
    found = _compare(
        names, tables, uncertainty.clustered_area_spreads(held, common=False), question, items=None,
        rates=[measures.clustered_auc(one, level=question.level) for one in held],
        method=CLUSTER_PLACEMENT,
    )  # fmt: skip
    fewest = min(held, key=len)
    caveats = measures.cluster_caveats(len(fewest), fewest.table.total)
    return replace(found, primary=CLUSTERED, caveats=(*caveats, *found.caveats))


def compare_clustered_areas(
    names: Sequence[str],
    grouped: Sequence[Clusters],
    question: Question,
    *,
    joint: JointScores | PlacementSums | None = None,
) -> Comparison:
    """Compare areas under ROC curves on common items that come in clusters.

    ``joint`` holds the items alone: what they would show is the most that clusters may show.
    """
    held = [uncertainty.cluster_placements(one) for one in grouped]
    alone = None if joint is None else uncertainty.joint_area_spreads(joint)
    tables = [one.table for one in held]
    items = tables[0].total
    found = _compare(
        names, tables, uncertainty.clustered_area_spreads(held, items=alone), question, items=items,
        rates=[measures.clustered_auc(one, level=question.level) for one in held],
        method=CLUSTER_PLACEMENT,
    )  # fmt: skip
    caveats = (*measures.cluster_caveats(len(held[0]), items), *found.caveats)
    return replace(found, primary=CLUSTERED, caveats=caveats)


def _compare(
    names: Sequence[str],
    tables: Sequence[ScoreTable],
    spreads: AreaSpreads,
    question: Question,
    *,
    items: int | None,
    rates: Sequence[Estimate] | None = None,
    method: str = PLACEMENT,
) -> Comparison:
    places = couples(len(names))
    found = [comparison.weigh_areas(spreads, i, j, level=question.level) for i, j in places]
    best, error = chances_of_best(
        len(names),
        lambda i, j: comparison.weigh_areas(spreads, i, j).better,
        lambda: comparison.rank_spreads(spreads, rng=question.rng(), draws=DRAWS),
    )
    adjusted = uncertainty.shaffer_static([one.p_value or 0.0 for one in found], systems=len(names))
    pairs = []
    for (i, j), one, q in zip(places, found, adjusted, strict=True):
        near = None
        if question.margin is not None:
            near = comparison.weigh_equivalence(spreads, i, j, margin=question.margin)
        pairs.append(
            ComparedPair(
                first=names[i],
                second=names[j],
                difference=_difference(one, question.level, items, method),
                p_value=one.p_value,
                adjusted_p=q,
                better=one.better,
                verdict=question.verdict(q, near),
                equivalent=near,
            )
        )
    known = rates or [measures.auc(table, level=question.level) for table in tables]
    shown = [*zip(names, known, strict=True)]
    return assemble(
        question,
        Weighed(rates=[*shown], best=best, pairs=pairs, error=error),
        measure="auc",
        pairing="independent" if items is None else "common",
        items=items,
        primary=PRIMARY,
        caveats=(*_few_scores(names, tables), *_crossings(names, tables, spreads.areas)),
    )


def _few_scores(names: Sequence[str], tables: Sequence[ScoreTable]) -> tuple[str, ...]:
    """Say that limits of differences may err where nearly all scores are tied."""
    few = [
        name for name, table in zip(names, tables, strict=True) if len(table.scores) < FEW_SCORES
    ]
    if not few:
        return ()
    give = "gives" if len(few) == 1 else "give"
    return (shortfall("few-scores", systems=f"{listing(few)} {give}", fewest=FEW_SCORES),)


def _crossings(
    names: Sequence[str], tables: Sequence[ScoreTable], areas: Floats
) -> tuple[str, ...]:
    """Warn when the system of the largest area is the worse one where false alarms are few."""
    leader = int(np.argmax(areas))
    known = [name for name, table in zip(names, tables, strict=True) if _both(table)]
    if names[leader] not in known:
        return ()
    curve = measures.RocCurve.of(tables[leader])
    warnings = [
        measures.warn_if_crossing(
            curve, measures.RocCurve.of(tables[place]), false_alarm_rates=FEW_ALARMS,
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

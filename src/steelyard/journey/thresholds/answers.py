"""From thresholds that were found to the parts of an answer."""

from typing import Any

import numpy as np

from steelyard import measures
from steelyard.counts import Grouped, ScoreTable
from steelyard.journey.scored import enough_clusters
from steelyard.journey.thresholds.question import Asked
from steelyard.measures import (
    FoundThreshold,
    OperatingPoint,
    ThresholdMethod,
    ThresholdQuestion,
    ThresholdStability,
)
from steelyard.results import Estimate, Interval, MethodThreshold, Proportion, SweptThreshold
from steelyard.results.shortfalls import shortfall
from steelyard.uncertainty.areas.resampling import CELLS

__all__ = [
    "caveats_of",
    "expect_promise",
    "interval_of",
    "measure_point",
    "promise_name",
    "show_method",
    "stability_of",
    "swept",
]

FEW = 30
SHORT = 100
RESTING_ON_FEW = frozenset({"sensitivity", "specificity", "lowest-positive", "false-alarm-budget"})
"""Recipes that fix a rate, mostly close to 0 or 1."""
"""With fewer items of a class the bootstrap covers less than it says."""
SWEPT = 201


def swept(
    table: ScoreTable, chosen: FoundThreshold, question: ThresholdQuestion
) -> tuple[SweptThreshold, ...]:
    """Measure thresholds over the whole range, so many that a picture shows no gap."""
    scores = table.scores[np.isfinite(table.scores)]
    if scores.size == 0:
        return ()
    places = np.unique(np.linspace(0, scores.size - 1, SWEPT).round().astype(np.intp))
    picked = {*scores[places].tolist(), *([] if chosen.threshold is None else [chosen.threshold])}
    swept = []
    for one in sorted(picked):
        point = measures.point_at(table, one, question)
        swept.append(
            SweptThreshold(
                threshold=one,
                recall=point.recall,
                specificity=point.specificity,
                kappa=point.kappa,
                cost=point.cost,
            )
        )
    return tuple(swept)


def show_method(found: FoundThreshold, question: ThresholdQuestion) -> MethodThreshold:
    """Show what one recipe found."""
    rule = measures.RULES[found.method]
    wanted = {
        "fixed": question.value,
        "sensitivity": float(question.sensitivity),
        "specificity": float(question.specificity),
        "false-alarm-budget": float(question.false_alarm_rate),
        "max-f": float(question.beta),
    }.get(found.method)
    return MethodThreshold(
        method=found.method,
        words=rule.words,
        needs_absences=rule.needs_absences,
        threshold=found.threshold,
        tied=found.tied,
        below=found.below,
        wanted=wanted,
        promises=promise_name(found.method, question),
        promise=found.promise,
        reason=found.reason,
        **measure_point(found.point),
    )


def stability_of(
    table: ScoreTable,
    chosen: FoundThreshold,
    asked: Asked,
    clusters: Grouped[ScoreTable] | None = None,
) -> ThresholdStability | None:
    """Resample, unless nothing was found, nothing was asked for or the threshold was given."""
    given = asked.by == "fixed" or not asked.resamples
    given = given or (clusters is not None and not enough_clusters(clusters))
    if given or chosen.threshold is None or table.negative_total == 0:
        return None
    return measures.threshold_stability(
        table,
        asked.by,
        asked.question,
        rng=np.random.default_rng(asked.seed),
        level=asked.level,
        resamples=asked.resamples,
        clusters=clusters,
    )


def interval_of(chosen: FoundThreshold, found: ThresholdStability | None) -> Interval | None:
    """Say where resamples put the threshold."""
    if found is None or found.low is None or found.high is None or chosen.threshold is None:
        return None
    return Interval(
        low=min(found.low, chosen.threshold),
        high=max(found.high, chosen.threshold),
        level=found.level,
        method="bootstrap-percentile",
    )


def expect_promise(
    chosen: FoundThreshold, found: ThresholdStability | None, table: ScoreTable
) -> Estimate | None:
    """Say what the promise is worth on items that did not choose."""
    promise = measures.RULES[chosen.method].promise
    if found is None or promise is None or found.expected is None:
        return None
    ends = None
    if found.expected_low is not None and found.expected_high is not None:
        ends = Interval(
            low=found.expected_low,
            high=found.expected_high,
            level=found.level,
            method="out-of-bag",
        )
    name = "F" if promise == "f" else promise
    return Estimate(
        measure=f"{name}, on new data",
        value=found.expected,
        interval=ends,
        of=table.positive,
        items=table.total,
    )


def caveats_of(
    table: ScoreTable, chosen: FoundThreshold, found: ThresholdStability | None, asked: Asked
) -> tuple[str, ...]:
    """List what to doubt of the choice."""
    doubts: list[str] = []
    smaller = min(table.positive_total, table.negative_total)
    if chosen.threshold is not None and found is not None and smaller < FEW:
        doubts.append(shortfall("threshold-unknown", items=smaller))
    elif chosen.threshold is not None and found is not None and smaller < SHORT:
        doubts.append(shortfall("threshold-interval", items=smaller))
    if chosen.threshold is not None and found is not None and asked.by in RESTING_ON_FEW:
        doubts.append(shortfall("threshold-by-few"))
    if found is not None and table.scores.size > CELLS:
        doubts.append(
            f"resamples went over {CELLS:,d} groups of neighbouring scores; the threshold itself "
            f"was looked for among all {table.scores.size:,d}"
        )
    if asked.by == "min-cost" and chosen.promise is not None and table.negative_total:
        costs = asked.question.costs
        spent, items = costs.ratio(0, 0, table.positive_total, table.negative_total)
        if spent < measures.exact_number(chosen.promise, "cost") * items:
            doubts.append(
                f"calling nothing at all would cost less, {float(spent / items):.4g} an item"
            )
    return tuple(doubts)


def promise_name(method: ThresholdMethod, question: ThresholdQuestion) -> str | None:
    """Name the number that a recipe promises of its threshold."""
    promise = measures.RULES[method].promise
    return f"F{float(question.beta):g}" if promise == "f" else promise


def measure_point(point: OperatingPoint | None) -> dict[str, Any]:
    """Measure an operating point, as a recipe shows it."""
    if point is None:
        return {}
    return {
        "recall": Proportion(measure="recall", successes=point.tp, trials=point.tp + point.fn),
        "specificity": Proportion(
            measure="specificity", successes=point.tn, trials=point.fp + point.tn
        ),
        "precision": Proportion(
            measure="precision", successes=point.tp, trials=point.tp + point.fp
        ),
        "kappa": point.kappa,
        "flagged": point.tp + point.fp,
        "cost": point.cost,
    }

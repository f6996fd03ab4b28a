"""How large is the number of each item, on average and at its far end?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import sqrt
from typing import Any, TypeVar

import numpy as np

from steelyard import tally, uncertainty
from steelyard.counts import Moments, ValueTable
from steelyard.journey.arguments import refuse_beside
from steelyard.journey.declared_roles import settle_roles
from steelyard.journey.missing import say_missing
from steelyard.journey.opening import provenance_of
from steelyard.journey.values.sums import (
    OF_ANSWERS,
    Averages,
    averages_of,
    check_units,
    name_of,
    one_estimate,
    say_doubts,
    say_own_rates,
    slice_averages,
)
from steelyard.results import (
    Estimate,
    EvaluatedValues,
    Interval,
    JudgeRecord,
    Proportion,
    ValueEvaluation,
    ValueName,
)
from steelyard.sources import Predictions
from steelyard.sources.predictions import System

__all__ = ["bound_mean", "evaluate_values"]

Shown = TypeVar("Shown", bound=Estimate | Proportion)
QUANTILES = {0.5: "median", 0.95: "95th percentile"}
BINS = 30
MOST_BETS = 100_000
"""With more items a bound from mean and variance is as narrow."""
MOST_CLUSTERED = 2_000_000
"""So many values are fetched with their clusters, to be sorted."""
UNUSED = ("prevalence", "cost", "measure", "pass_at", "benchmark", "kappa_method")
"""What is asked of answers, and says nothing about numbers."""
NO_WEIGHTED_QUANTILES = "quantiles are of items, and these carry weights: they were left out"


def evaluate_values(predictions: Predictions, given: Mapping[str, Any]) -> ValueEvaluation:
    """Evaluate a number for each item and system."""
    of_answers = (*UNUSED, *(["estimand"] if given["estimand"] == "items" else []))
    refuse_beside(given, of_answers, OF_ANSWERS, code="values")
    level = given["level"]
    if predictions.crossed:
        return _evaluate_crossed(predictions, given)
    unused = settle_roles("evaluate", predictions)
    name = name_of(predictions)
    found = [averages_of(predictions, [system]) for system in predictions.systems]
    sums = [one.moments for one in found]
    if predictions.pairing == "common":
        check_units(predictions.values, *sums)
    edges = _edges(predictions, sums)
    systems = [
        _evaluate_system(predictions, system, one, name, level=level, edges=edges)
        for system, one in zip(predictions.systems, found, strict=True)
    ]
    caveats = [*predictions.caveats, *unused, *say_own_rates(predictions.values)]
    caveats += _cluster_doubts(predictions)
    if predictions.weighted:
        caveats.append(NO_WEIGHTED_QUANTILES)
    return ValueEvaluation(
        value=name,
        systems=tuple(systems),
        classes=(),
        positive=None,
        level=level,
        provenance=provenance_of(predictions, {"level": level}),
        caveats=tuple(dict.fromkeys(caveats)),
    )


def _evaluate_crossed(predictions: Predictions, given: Mapping[str, Any]) -> ValueEvaluation:
    """Draw the limits of each mean out to those of either side, and of both together."""
    from steelyard.journey.crossed import by_side, draw_out, read_crossed, say_crossed

    items = [read_crossed(predictions, [system]) for system in predictions.systems]
    one, two = (evaluate_values(side, given) for side in by_side(predictions))
    systems = []
    for mine, theirs, read in zip(one.systems, two.systems, items, strict=True):
        assert isinstance(mine, EvaluatedValues)
        assert isinstance(theirs, EvaluatedValues)
        ends = theirs.centre.interval
        side = None if ends is None else (ends.low, ends.high)
        centre = draw_out(mine.centre, [side, read.limits(mine.system, given["level"])])
        # A bound over single items, or over one side, would be surer than both sides are.
        systems.append(
            replace(
                mine,
                centre=centre,
                quantiles=_widest(mine.quantiles, theirs.quantiles),
                slices=_widest(mine.slices, theirs.slices),
                bounded=None,
                caveats=say_crossed(read),
            )
        )
    shared = [said for said in one.caveats if said in two.caveats]
    return replace(one, systems=tuple(systems), caveats=tuple(shared))


def _widest(first: Sequence[Shown], second: Sequence[Shown]) -> tuple[Shown, ...]:
    """Draw each interval out to that of the other side; none where one side has none."""
    from steelyard.journey.crossed import draw_out

    made: list[Shown] = []
    for one, two in zip(first, second, strict=True):
        if one.interval is None or two.interval is None:
            made.append(replace(one, interval=None, reason=one.reason or two.reason))
        else:
            made.append(draw_out(one, [(two.interval.low, two.interval.high)]))
    return tuple(made)


def _cluster_doubts(predictions: Predictions) -> list[str]:
    if "cluster" not in predictions.splits:
        return []
    return ["clusters, not items, are the units of every interval: items of one are alike"]


def _evaluate_system(
    predictions: Predictions,
    system: System,
    averages: Averages,
    name: ValueName,
    *,
    level: float,
    edges: Sequence[float],
) -> EvaluatedValues:
    centre, doubts = one_estimate(averages, system.name, name, level=level)
    moments = averages.moments
    records: tuple[JudgeRecord, ...] = ()
    # What looks at single values would see those that people gave, and not the judge's.
    alone = predictions.weighted or averages.judged is not None
    table = None if alone else tally.tally_values(predictions, system)
    labels: ValueTable | None = None
    if averages.judged is not None:
        from steelyard.journey.values.judged import judge_doubts, judge_records

        labels = tally.tally_values(predictions, system)
        records = judge_records(averages, level=level)
        doubts = (*doubts, *judge_doubts(averages, name.better))
    if averages.clustered and len(predictions.splits) > 1:
        from steelyard.journey.values.shares import variance_line

        line = variance_line(predictions, [system])
        doubts = (*doubts, *line)
        averages = replace(averages, between=None) if line else averages
    return EvaluatedValues(
        system=system.name,
        holds="value",
        items=moments.items,
        centre=centre,
        deviation=_deviation(averages, system.name),
        least=moments.least[0],
        largest=moments.largest[0],
        quantiles=_quantiles(predictions, system, table, name, level=level),
        bounded=bound_mean(averages, table, name, level=level),
        mean_of_ratios=_mean_of_ratios(table, name),
        judge=records[0] if records else None,
        slices=_slices(predictions, system, name, level=level),
        bins=() if table is None else tuple(table.binned(edges)),
        caveats=(
            *doubts,
            *say_missing(predictions, system),
            *_warn_of_skew(labels if table is None else table, averages),
            *_warn_of_steps(table),
        ),
    )


def _edges(predictions: Predictions, sums: Sequence[Moments]) -> Sequence[float]:
    """Cut the range of all systems into bars that they share; grades have a bar for each."""
    if predictions.systems[0].per:
        low, high = tally.ends_of_ratios(predictions, predictions.systems)
    else:
        low, high = min(one.least[0] for one in sums), max(one.largest[0] for one in sums)
        if all(one.scale == 1 for one in sums) and high - low < BINS:
            return [low - 0.5 + place for place in range(round(high - low) + 2)]
    return [low, high] if low == high else np.linspace(low, high, BINS + 1).tolist()


def _deviation(averages: Averages, system: str) -> float | None:
    if averages.weighted or averages.moments.per:
        return None
    return sqrt(averages.moments.linearised().variance(system))


def _quantiles(
    predictions: Predictions,
    system: System,
    table: ValueTable | None,
    name: ValueName,
    *,
    level: float,
) -> tuple[Estimate, ...]:
    if table is None:
        return ()
    clustered = "cluster" in predictions.splits
    few = table.total <= MOST_CLUSTERED
    held = tally.read_clustered_values(predictions, system) if clustered and few else None
    half = 0.0 if table.step is None or held is not None else table.step / 2
    # Beyond the outermost items a quantile is known to lie within what the values can be.
    ends_of_all = (0.0, None) if name.per is not None else (name.low, name.high)
    made = []
    for share, measure in QUANTILES.items():
        if held is None:
            found = uncertainty.quantile_interval(
                table.values, table.counts, share=share, level=level
            )
        else:
            found = uncertainty.cluster_quantile_interval(*held, share=share, level=level)
        ends, reason = None, None
        low = ends_of_all[0] if found.low is None else found.low - half
        high = ends_of_all[1] if found.high is None else found.high + half
        # Where many items share one value, both limits may be that value: no interval then.
        if clustered and held is None:
            reason = "clusters of so many items are not sorted for quantiles"
        elif low is None or high is None:
            reason = "too few clusters" if clustered else "too few items"
        elif low < high and (found.low is None or found.high is None or found.low < found.high):
            ends = Interval(
                low=low,
                high=high,
                level=level,
                method="quantile-ranks" if held is None else "cluster-quantile",
            )
        made.append(
            Estimate(
                measure=measure,
                value=found.value,
                interval=ends,
                items=table.total,
                reason=reason,
            )
        )
    return tuple(made)


def bound_mean(
    averages: Averages, table: ValueTable | None, name: ValueName, *, level: float
) -> Estimate | None:
    """Give limits that need nothing but the stated range and independent items."""
    trusting = averages.clustered or averages.judged is not None
    if name.low is None or name.high is None or averages.moments.per or trusting:
        return None
    system, bounds = averages.found.systems[0], (name.low, name.high)
    value, items = averages.found.value(system), averages.moments.items
    if table is not None and table.step is None and items <= MOST_BETS:
        # Bets need an order that does not hang on the values.
        order = np.random.default_rng(0).permutation(items)
        low, high = uncertainty.betting_interval(
            table.spread_out()[order], bounds=bounds, level=level
        )
        method = "betting"
    else:
        variance = averages.found.variance(system)
        low, high = uncertainty.maurer_pontil_interval(
            items, value, variance, bounds=bounds, level=level
        )
        method = "maurer-pontil"
    return Estimate(
        measure=f"{name.measure}, by its range alone",
        value=value,
        interval=Interval(low=low, high=high, level=level, method=method),
        items=items,
    )


def _mean_of_ratios(table: ValueTable | None, name: ValueName) -> Estimate | None:
    if table is None or name.per is None:
        return None
    mean = float(table.values @ table.counts) / table.total
    return Estimate(measure="mean of the items' ratios", value=mean, items=table.total)


def _slices(
    predictions: Predictions, system: System, name: ValueName, *, level: float
) -> tuple[Estimate, ...]:
    if "group" not in predictions.splits:
        return ()
    made = []
    for part, averages in slice_averages(predictions, [system]):
        if isinstance(averages, Moments):
            value = float(averages.sum_of(system.name) / averages.denominator_of(system.name))
            made.append(Estimate(measure=name.measure, value=value, of=part, items=averages.items))
            continue
        found, _ = one_estimate(averages, system.name, name, level=level)
        made.append(
            Estimate(
                measure=found.measure,
                value=found.value,
                interval=found.interval,
                standard_error=found.standard_error,
                of=part,
                items=found.items,
            )
        )
    return tuple(made)


def _warn_of_skew(table: ValueTable | None, averages: Averages) -> Sequence[str]:
    skew = None if table is None else uncertainty.skewness(table.values, table.counts)
    return say_doubts(averages, skew)


def _warn_of_steps(table: ValueTable | None) -> Sequence[str]:
    if table is None or table.step is None:
        return ()
    return [
        f"values were counted in steps of {table.step:g} for quantiles and the picture: more than "
        "200,000 are different; means are of the values themselves"
    ]

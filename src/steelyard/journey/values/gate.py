"""Gates on a number for each item: the advantage over a baseline, and limits that are claimed."""

import re
from dataclasses import replace
from math import inf, sqrt

import numpy as np

from steelyard import comparison, tally, uncertainty
from steelyard.comparison import MeanDifference
from steelyard.counts import ValueTable
from steelyard.counts.exposure import read_unit
from steelyard.errors import NotComparable, RequestError, listing
from steelyard.journey.comparison.question import Question
from steelyard.journey.gates.advantages import Advantage
from steelyard.journey.gates.claims import ClaimLimits
from steelyard.journey.gates.requirements import Requirement
from steelyard.journey.opening import record_of_counts
from steelyard.journey.values.compare import (
    MOST_SKEWED,
    comparable_averages,
    compare_values,
    difference_tables,
)
from steelyard.journey.values.evaluate import bound_mean
from steelyard.journey.values.judged import judge_doubts, refuse_judge
from steelyard.journey.values.sums import (
    Averages,
    averages_of,
    hold_to_range,
    name_of,
    one_estimate,
    say_doubts,
)
from steelyard.results import Estimate, Interval, ValueName
from steelyard.results.claims import AbsoluteClaim, check_limit
from steelyard.sources import Predictions
from steelyard.uncertainty import StudentEstimate, unseen_limits
from steelyard.uncertainty.roots import crossing

__all__ = ["value_advantage", "value_limits"]

FARTHEST = 1e6
"""Ratios beyond this are no answer."""
TINY = 1e-12
"""A spread of this share of those of both is rounding: every item has the same ratio."""
SAME_RATIO = "every item differs by the same share, and one that was not seen may differ otherwise"

QUANTILE = re.compile(
    r"(?:p(?P<p>\d+(?:\.\d+)?)|(?P<percentile>\d+(?:\.\d+)?)(?:st|nd|rd|th)? percentile|"
    r"(?P<median>median))(?: (?:of )?(?:the )?)?(?P<of>.*)"
)
RATIO_WORDS = frozenset({"ratio", "error rate", "error", "errors", "wer", "cer", "ter", "mer"})
"""How the ratio of sums is called, where the column counts errors."""
TOO_FEW = (
    "{:.3g} {} that tell something decide nothing: all of them lean one way by chance with "
    "probability {:.2g}"
)
NO_SPREAD = "every item differs by the same amount, and one that was not seen may differ otherwise"
TIED = "so many items share the quantile that no other value of it is likely"
NO_SINGLE_ITEMS = "clusters, not items, are the units of its limits: items of one are alike"
FEW_AROUND = "so few clusters do not reach around this quantile on both sides"
UNITS = "items that carry weights or come in clusters are not worth one each"


def value_advantage(
    required: Requirement, data: Predictions, names: tuple[str, str], *, level: float, rng: int
) -> Advantage:
    """Measure the advantage in the mean, the ratio of sums, or a quantile."""
    both = replace(data, systems=tuple(data.system(name) for name in names))
    name = name_of(data)
    if required.of is not None:
        message = f"{required.text!r}: numbers have no classes. Leave 'of {required.of}' out."
        raise RequestError(message, code="requirement")
    share = _quantile(required.measure, name, required.text, code="requirement")
    if required.relative and (share is not None or both.crossed):
        message = (
            f"{required.text!r}: a percentage is taken of means and ratios of sums, not of "
            "quantiles or over crossed clusters. Write the margin in the units of the values."
        )
        raise RequestError(message, code="requirement")
    if share is not None:
        return _of_quantile(both, name, share, level=level, rng=rng)
    if both.crossed:
        return _take_crossed(both, name, names, level=level)
    averages = comparable_averages(both)
    if required.relative:
        return relative_advantage(averages, name, names, level=level)
    found = averages.difference(*names, level=level)
    sign = -1 if name.better == "lower" else 1
    ends: Interval | None = None
    doubts: tuple[str, ...] = ()
    few = _too_few(averages, 2, 1 - level)
    if found.low is not None and found.high is not None and few is None:
        limits, doubts = _guard(both, averages, found)
        doubts = (*judge_doubts(averages, name.better), *doubts)
        low, high = sorted(sign * one for one in hold_to_range(name, *limits))
        method = "t" if averages.judged is None else "ppi"
        method = f"cluster-{method}" if averages.clustered else method
        ends = Interval(low=low, high=high, level=level, method=method)
    return Advantage(
        measure=name.measure,
        of=None,
        values=(averages.found.value(names[0]), averages.found.value(names[1])),
        estimate=Estimate(
            measure=f"advantage in {name.measure}",
            value=sign * found.difference,
            interval=ends,
            items=averages.moments.items,
            caveats=doubts,
        ),
        reason=None if ends else few or NO_SPREAD,
        uncounted=UNITS if averages.clustered or averages.weighted else None,
    )


def _too_few(averages: Averages, sides: int, error: float) -> str | None:
    """Say why so few units decide nothing; None where there are enough."""
    chance = min(1.0, sides * 0.5**averages.effective)
    # 0.05 as it was typed, or as 1 - 0.95 leaves it.
    if chance <= error + 1e-12:
        return None
    units = "clusters" if averages.clustered else "items"
    return TOO_FEW.format(averages.effective, units, chance)


def _take_crossed(
    both: Predictions, name: ValueName, names: tuple[str, str], *, level: float
) -> Advantage:
    """Take crossed items as ``compare`` does, so that both agree."""
    question = Question(level=level, alpha=0.05, seed=0, provenance=record_of_counts({}))
    found = compare_values(both, question)
    (pair,) = found.pairs
    sign = (-1 if name.better == "lower" else 1) * (1 if pair.first == names[0] else -1)
    ends = pair.difference.interval
    low, high = (0.0, 0.0) if ends is None else sorted((sign * ends.low, sign * ends.high))
    values = {one.system: one.rate.value for one in found.systems}
    gap = pair.difference.value
    return Advantage(
        measure=name.measure,
        of=None,
        values=(values[names[0]], values[names[1]]),
        estimate=Estimate(
            measure=f"advantage in {name.measure}",
            value=None if gap is None else sign * gap,
            interval=None if ends is None else replace(ends, low=low, high=high),
            items=pair.difference.items,
            caveats=found.caveats,
        ),
        reason=None if ends else NO_SPREAD,
        uncounted=UNITS,
    )


def _guard(
    both: Predictions, averages: Averages, found: MeanDifference
) -> tuple[tuple[float, float], tuple[str, ...]]:
    """Allow for one item that was not seen, further out if Student's t is doubtful."""
    table = None
    plain = not averages.clustered and not averages.moments.per
    if plain and found.units <= MOST_SKEWED:
        table = next(iter(difference_tables(both, averages).values()), None)
    skew = None if table is None else abs(uncertainty.skewness(table.values, table.counts))
    doubts = tuple(say_doubts(averages, skew))
    if _allows_for_labels(averages) and found.low is not None and found.high is not None:
        return (found.low, found.high), doubts
    estimate = uncertainty.StudentEstimate(
        value=found.difference,
        error=found.error * averages.stretch,
        freedom=found.freedom,
        units=found.units,
    )
    low, high = _allow_for_one(averages, estimate, table, level=found.level)
    if averages.clustered:
        single = _take_singly(both)
        names = single.systems[0].name, single.systems[1].name
        alone = comparable_averages(single)
        (least, most), _ = _guard(single, alone, alone.difference(*names, level=found.level))
        low, high = min(low, least), max(high, most)
    return (low, high), doubts


def _allows_for_labels(averages: Averages) -> bool:
    """Tell whether limits reach the rule of three as they are: right and wrong beside a judge."""
    return averages.judged is not None and averages.moments.right_or_wrong


def _allow_for_one(
    averages: Averages,
    estimate: uncertainty.StudentEstimate,
    table: ValueTable | None,
    *,
    level: float,
) -> tuple[float, float]:
    """Draw limits out to those with one item more than was seen."""
    skew, seen = None, None
    if table is not None:
        skew = uncertainty.skewness(table.values, table.counts)
        # A table that was rounded knows its ends to half a step.
        half = (table.step or 0.0) / 2
        seen = (float(table.values[0]) - half, float(table.values[-1]) + half)
    units = max(2, int(averages.effective))
    return uncertainty.unseen_limits(
        replace(estimate, units=units),
        level=level,
        seen=seen,
        doubtful=bool(uncertainty.value_caveats(units, skew)),
    )


def _take_singly(data: Predictions) -> Predictions:
    """Naming clusters makes no claim easier than the same items taken singly."""
    return replace(data, splits=tuple(role for role in data.splits if role != "cluster"))


def _quantile(measure: str | None, name: ValueName, text: str, *, code: str) -> float | None:
    """Read which quantile is meant; None for the mean or ratio."""
    said = (measure or "").casefold()
    usual = RATIO_WORDS if name.per is not None else {"mean"}
    # A column that is called after its system may stand in a file that says what it holds.
    word = name.known_by.rpartition(": ")[2].casefold() if ": " in name.known_by else ""
    names = {"", "value", word, name.name.casefold(), name.measure.casefold(), *usual}
    found = QUANTILE.fullmatch(said)
    if found is not None and found["of"] in names:
        share = 0.5 if found["median"] else float(found["p"] or found["percentile"]) / 100
        if 0 < share < 1:
            return share
    if said in names:
        return None
    known = ["mean" if name.per is None else "ratio", name.name, "median", "p95"]
    message = (
        f"{text!r}: no measure {measure!r} of a number for each item. Known: "
        f"{listing(list(dict.fromkeys(known)))}."
    )
    raise RequestError(message, code=code)


def _of_quantile(
    both: Predictions, name: ValueName, share: float, *, level: float, rng: int
) -> Advantage:
    refuse_judge(both, "a quantile")
    if both.weighted or both.crossed or "cluster" in both.splits:
        message = (
            "A quantile is compared by drawing single items again, and these carry weights or "
            "come in clusters. Require the mean, or leave that column out: cluster='' "
            "(--cluster '')."
        )
        raise NotComparable(message, code="clustered")
    comparable_averages(both)
    first, second = tally.read_item_values(both, both.systems)
    found = comparison.quantile_difference(
        first, second, share=share, rng=np.random.default_rng(rng), level=level
    )
    sign = -1 if name.better == "lower" else 1
    low, high = sorted((sign * found.low, sign * found.high))
    measure = f"{'median' if share == 0.5 else f'p{100 * share:g}'} {name.name}"
    method = "paired-quantile-ranks"
    ends = Interval(low=low, high=high, level=level, method=method) if low < high else None
    return Advantage(
        measure=measure,
        of=None,
        values=(found.first, found.second),
        estimate=Estimate(
            measure=f"advantage in {measure}",
            value=sign * found.difference,
            interval=ends,
            items=len(first),
        ),
        reason=None if ends else TIED,
    )


def value_limits(
    data: Predictions, system: str, claim: AbsoluteClaim, wrong: tuple[float, float]
) -> ClaimLimits:
    """Find the limits of a mean, a ratio or a quantile that a pass and a failure are held against.

    Order statistics bound a quantile exactly on each side. Of means, and of clusters, coverage of
    both sides together is certified, so that each side errs with what is left of it at most.
    """
    one = replace(data, systems=(data.system(system),))
    if one.crossed:
        return _limit_crossed(one, system, claim, wrong)
    name = name_of(data)
    measure = _read_measure(claim, name)
    share = _quantile(measure, name, claim.text, code="claim")
    if share is None:
        ends = (0.0, None) if name.per is not None else (name.low, name.high)
        check_limit(claim, name.measure, ends)
        return _mean_limits(one, name, claim, wrong)
    return _quantile_limits(one, name, claim, share, wrong)


def _limit_crossed(
    data: Predictions, system: str, claim: AbsoluteClaim, wrong: tuple[float, float]
) -> ClaimLimits:
    """Take the least sure of either side's clusters, and of both together for a mean."""
    from steelyard.journey.crossed import CROSSED_METHOD, by_side, read_crossed, say_crossed

    one, two = (value_limits(side, system, claim, wrong) for side in by_side(data))
    items = read_crossed(data, data.systems)
    lows, highs = [one.low, two.low], [one.high, two.high]
    if one.share is None:
        both = [items.limits(system, 1 - chance) for chance in wrong]
        first, last = both if claim.side == "at least" else both[::-1]
        lows += [] if first is None else [first[0]]
        highs += [] if last is None else [last[1]]
    return replace(
        one,
        low=None if None in lows else min(end for end in lows if end is not None),
        high=None if None in highs else max(end for end in highs if end is not None),
        method=CROSSED_METHOD if one.method and two.method else "",
        reason=one.reason or two.reason,
        below=None,
        caveats=say_crossed(items),
    )


def _read_measure(claim: AbsoluteClaim, name: ValueName) -> str | None:
    """Read the measure of a claim; errors may be claimed per what they are counted."""
    if claim.percent and name.per is None and (name.low, name.high) != (0, 1):
        message = (
            f"{claim.text!r}: of what is that a percentage? Write the limit in the units of the "
            "values, such as 4 for grades or 200 for milliseconds."
        )
        raise RequestError(message, code="claim")
    if claim.per is None:
        return claim.measure
    if name.per is None or read_unit(name.per) != claim.per:
        message = (
            f"{claim.text!r}: this number is the {name.measure}, not one per {claim.per}. Claim "
            f"'{name.measure} {claim.side} {claim.limit:g}'."
        )
        raise RequestError(message, code="claim")
    return claim.measure


def _mean_limits(
    data: Predictions, name: ValueName, claim: AbsoluteClaim, wrong: tuple[float, float]
) -> ClaimLimits:
    averages, (system,) = averages_of(data), data.systems
    table = None if data.weighted else tally.tally_values(data, system)
    doubts = say_doubts(
        averages, None if table is None else uncertainty.skewness(table.values, table.counts)
    )
    plain = one_estimate(averages, system.name, name, level=1 - wrong[0])
    # The range alone, where one was stated, bounds a mean whatever the values are.
    ends = [
        bound_mean(averages, table, name, level=1 - chance)
        if doubts or plain[0].interval is None
        else None
        for chance in wrong
    ]
    ranged = ends[0] is not None
    doubts = [*judge_doubts(averages, name.better), *doubts]
    if not ranged:
        ends = [_guard_mean(data, averages, name, table, chance) for chance in wrong]
    few = None if ranged else _too_few(averages, 1, wrong[0])
    first, last = (None if few or one is None else one.interval for one in ends)
    passing, failing = (first, last) if claim.side == "at least" else (last, first)
    return ClaimLimits(
        measure=name.measure,
        of=None,
        value=plain[0].value,
        low=None if passing is None else passing.low,
        high=None if failing is None else failing.high,
        method="" if first is None else first.method,
        total=averages.moments.items,
        reason=None if first is not None else few or "".join(plain[1]) or None,
        caveats=() if ranged else tuple(doubts),
    )


def _guard_mean(
    data: Predictions,
    averages: Averages,
    name: ValueName,
    table: ValueTable | None,
    chance: float,
) -> Estimate:
    """Measure a mean or ratio with limits that allow for one item that was not seen."""
    (system,) = data.systems
    found, _ = one_estimate(averages, system.name, name, level=1 - chance)
    pivot = averages.estimate(system.name)
    if found.interval is None or pivot is None:
        return found
    if _allows_for_labels(averages):
        return found
    seen = None if averages.clustered or averages.moments.per else table
    low, high = _allow_for_one(averages, pivot, seen, level=1 - chance)
    if averages.clustered:
        single = _take_singly(data)
        alone = _guard_mean(single, averages_of(single), name, table, chance).interval
        if alone is not None:
            low, high = min(low, alone.low), max(high, alone.high)
    low = max(low, -inf if name.low is None else name.low, 0.0 if averages.log else -inf)
    high = min(high, inf if name.high is None else name.high)
    return replace(found, interval=replace(found.interval, low=low, high=high))


def _quantile_limits(
    data: Predictions,
    name: ValueName,
    claim: AbsoluteClaim,
    share: float,
    wrong: tuple[float, float],
) -> ClaimLimits:
    (system,) = data.systems
    refuse_judge(data, f"{claim.text!r}")
    if data.weighted:
        message = (
            f"{claim.text!r}: a quantile is of items, and these carry weights. Claim the mean, or "
            "leave the weights out: weight='' (--weight '')."
        )
        raise NotComparable(message, code="weighted")
    clustered = "cluster" in data.splits
    found: list[uncertainty.QuantileInterval]
    half = 0.0
    if clustered:
        values, clusters = tally.read_clustered_values(data, system)
        found = [
            uncertainty.cluster_quantile_interval(values, clusters, share=share, level=1 - chance)
            for chance in wrong
        ]
        below = int((values <= claim.limit).sum())
    else:
        table = tally.tally_values(data, system)
        half = 0.0 if table.step is None else table.step / 2
        found = [
            uncertainty.quantile_interval(
                table.values, table.counts, share=share, level=1 - chance, one_sided=True
            )
            for chance in wrong
        ]
        below = int(table.counts[table.values <= claim.limit].sum())
    passing, failing = found if claim.side == "at least" else found[::-1]
    return ClaimLimits(
        measure=f"{'median' if share == 0.5 else f'p{100 * share:g}'} {name.of_item}",
        of=None,
        value=found[0].value,
        low=None if passing.low is None else passing.low - half,
        high=None if failing.high is None else failing.high + half,
        method="cluster-quantile" if clustered else "quantile-ranks",
        total=found[0].items,
        reason=FEW_AROUND if clustered and None in (found[0].low, found[0].high) else None,
        caveats=(NO_SINGLE_ITEMS,) if clustered else (),
        share=share,
        below=None if clustered else below,
    )


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

    def variance_at(ratio: float) -> float:
        return variances[0] - 2 * ratio * shared + ratio**2 * variances[1]

    def limits(ratio: float) -> tuple[float, float]:
        spread = variance_at(ratio)
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
    if variance_at(value) > TINY * (variances[0] + value**2 * variances[1]):
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
        reason=None if ends else SAME_RATIO,
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

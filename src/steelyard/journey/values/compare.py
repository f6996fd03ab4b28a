"""Which system has the better mean, or the better ratio of sums, and how sure is that?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import sqrt
from typing import Any

from steelyard import comparison, planning, tally, uncertainty
from steelyard.comparison import BestMean, MeanDifference
from steelyard.comparison.values.means import fewest_units
from steelyard.counts import Linearised, Moments, ValueTable
from steelyard.display.text import join_names, show_name
from steelyard.errors import NotComparable, RequestError, listing, switch
from steelyard.journey.arguments import refuse_beside, refuse_columns
from steelyard.journey.comparison.kinds import adjust_slices, reversals
from steelyard.journey.comparison.open_pairs import open_pairs
from steelyard.journey.comparison.question import Question, Weighed, couples, disagreements, rank
from steelyard.journey.comparison.refusals import need_two
from steelyard.journey.opening import record_of_counts
from steelyard.journey.values.sums import (
    OF_ANSWERS,
    Averages,
    averages_of,
    averages_of_units,
    check_units,
    hold_to_range,
    name_of,
    need_better,
    one_estimate,
    say_doubts,
    say_own_rates,
    say_too_few,
    slice_averages,
)
from steelyard.planning import MoreNeeded
from steelyard.planning.tests.more_samples import count_more
from steelyard.results import (
    ComparedValues,
    Estimate,
    Interval,
    MoreSamples,
    ValueComparison,
    ValueName,
    ValueSlice,
    Working,
)
from steelyard.sources import Predictions
from steelyard.uncertainty import skewness

__all__ = [
    "answer_values",
    "comparable_averages",
    "compare_moments",
    "compare_values",
    "difference_tables",
    "more_items",
]

MOST_COUNTED = 10
"""Wins, ties and skewness are looked at for up to so many systems."""
MOST_SKEWED = 200_000
"""With more items no skewness that could be seen in them matters to a mean."""
Wins = dict[tuple[int, int], tuple[int, int, int]]
NOT_COUNTED = (None, None, None)
OWN_ITEMS = (
    "These systems had items of their own, and values are compared on common items. "
    "evaluate shows each with its interval."
)


def answer_values(
    predictions: Predictions,
    question: Question,
    *,
    by_group: bool,
    method: str | None,
    settings: Mapping[str, Any],
) -> ValueComparison | Working:
    """Compare numbers, by one method alone where one is named."""
    refuse_beside(settings, ("measure", "prior"), OF_ANSWERS, code="values")
    need_two([system.name for system in predictions.systems])
    if method is None:
        return compare_values(predictions, question, by_group=by_group)
    from steelyard.journey.values.judged import refuse_judge
    from steelyard.journey.values.methods import answer_of_values

    refuse_judge(predictions, f"method={method!r}")

    return answer_of_values(
        predictions,
        question,
        name=method,
        using=settings["using"],
        segments=settings["layout"] == "segments",
    )


def compare_moments(
    moments: Moments, own: Mapping[str, Any], roles: Mapping[str, Any], *, seed: int
) -> ValueComparison:
    """Compare sums of a number for each item; the better way has to be said."""
    given = {name: value for name, value in roles.items() if value is not None}
    ways = [name for name in ("lower_is_better", "higher_is_better") if given.pop(name, None)]
    beside = ("method", "measure", "prior", "by_group", "cost")
    refuse_columns(given | {name: own[name] for name in beside if own[name]}, "Sums")
    if len(ways) != 1:
        message = "Say which way is better: lower_is_better=True, or higher_is_better=True."
        raise RequestError(message)
    need_two(moments.systems)
    name = ValueName(
        name="value",
        per=listing(moments.per) if moments.per else None,
        better="lower" if ways[0].startswith("lower") else "higher",
        known_by="declared",
    )
    settings = {key: own[key] for key in ("level", "alpha", "margin")} | {ways[0]: True}
    question = Question(
        **{key: own[key] for key in ("level", "alpha", "margin")},
        seed=seed,
        provenance=record_of_counts(settings, seed=seed),
    )
    _check_margin(question)
    check_units(None, moments)
    averages = averages_of_units(moments)
    return _assemble(averages, name, question, doubts=say_doubts(averages, None))


def compare_values(
    predictions: Predictions, question: Question, *, by_group: bool = False
) -> ValueComparison:
    """Compare a number for each item and system on common items."""
    if predictions.crossed:
        from steelyard.journey.crossed import compare_crossed

        return compare_crossed(predictions, question, compare_values)
    averages, name = comparable_averages(predictions), name_of(predictions)
    _check_margin(question)
    few = averages.moments.items <= MOST_SKEWED
    tables = difference_tables(predictions, averages) if few else {}
    doubts = (
        *say_own_rates(predictions.values),
        *_doubts(predictions, averages, tables),
        *_other_order(predictions, averages, name),
    )
    if averages.judged is not None:
        from steelyard.journey.values.judged import judge_doubts, judge_records

        doubts = (*judge_doubts(averages, name.better, alpha=question.alpha), *doubts)
        judged = judge_records(averages, level=question.level)
        whole = replace(_assemble(averages, name, question, doubts=doubts), judged=judged)
    else:
        whole = _assemble(averages, name, question, wins=_wins(predictions), doubts=doubts)
    if not by_group:
        return whole
    slices = _slices(predictions, name, question)
    return replace(whole, slices=slices, caveats=(*whole.caveats, *reversals(whole, slices)))


def _assemble(
    averages: Averages,
    name: ValueName,
    question: Question,
    *,
    wins: Wins | None = None,
    doubts: Sequence[str] = (),
) -> ValueComparison:
    found, pairs = _weigh(averages, name, question, wins=wins)
    return ValueComparison(
        measure="mean" if name.per is None else "ratio",
        value=name,
        pairing="common",
        items=averages.moments.items,
        systems=rank(found),
        pairs=tuple(pairs),
        primary=_primary(averages, name),
        level=question.level,
        alpha=question.alpha,
        monte_carlo_error=found.error,
        margin=question.margin,
        clustered=averages.clustered,
        more=_more(pairs, averages, question),
        provenance=question.provenance,
        caveats=(
            *question.caveats,
            *say_too_few(averages, question.alpha),
            *doubts,
            *disagreements(pairs, alpha=question.alpha, margin=question.margin),
        ),
    )


def comparable_averages(predictions: Predictions, *, ordered: bool = True) -> Averages:
    """Sum values that can be compared: on common items, in one unit, the better way known.

    How many items tell two means apart is asked without it: then nothing is ``ordered``.
    """
    if ordered:
        need_better(predictions)
    if predictions.pairing == "independent":
        raise NotComparable(OWN_ITEMS, code="values-own-items")
    averages = averages_of(predictions)
    check_units(predictions.values, averages.moments)
    return averages


def _check_margin(question: Question) -> None:
    if question.margin is not None and question.margin <= 0:
        message = f"margin={question.margin:g}; expected a number above 0, in units of the value."
        raise RequestError(message)


def _primary(averages: Averages, name: ValueName) -> str:
    units = "clusters" if averages.clustered else "common items"
    units = units if averages.judged is None else f"labelled {units} corrected for by a judge"
    what = "means" if name.per is None else "ratios of sums (linearised)"
    return (
        f"Shaffer-adjusted paired t tests of {what} over {units}, and the joint t posterior they "
        "imply"
    )


def _weigh(
    averages: Averages,
    name: ValueName,
    question: Question,
    *,
    wins: Wins | None = None,
    adjusted: Sequence[float] | None = None,
) -> tuple[Weighed, list[ComparedValues]]:
    found, lower = averages.found, name.better == "lower"
    names = found.systems
    places = couples(len(names))
    gaps = [
        averages.difference(names[i], names[j], level=question.level, margin=question.margin)
        for i, j in places
    ]
    raw = [one.p_value for one in gaps]
    fair = uncertainty.shaffer_static(raw, systems=len(names)) if adjusted is None else adjusted
    best = _best(averages, name, question)
    if averages.alone is not None:
        best = min(best, _best(averages.alone, name, question), key=lambda one: max(one.best))
    pairs = [
        _pair(
            (names[i], names[j]),
            gap,
            question,
            adjusted=q,
            averages=averages,
            name=name,
            won=NOT_COUNTED if wins is None else wins[i, j],
        )
        for (i, j), gap, q in zip(places, gaps, fair, strict=True)
    ]
    rates = [(one, one_estimate(averages, one, name, level=question.level)[0]) for one in names]
    weighed = Weighed(
        rates=[*rates],
        best=best.best,
        pairs=[*pairs],
        loss=best.loss or (),
        error=best.error,
        lower=lower,
    )
    return weighed, pairs


def _best(averages: Averages, name: ValueName, question: Question) -> BestMean:
    found = averages.found
    return comparison.best_of_means(
        [found.value(one) for one in found.systems],
        found.matrix() * averages.stretch**2 / found.units,
        freedom=averages.freedom,
        telling=averages.effective,
        rng=question.rng(),
        better="lower" if name.better == "lower" else "higher",
    )


def _pair(
    names: tuple[str, str],
    gap: MeanDifference,
    question: Question,
    *,
    adjusted: float,
    averages: Averages,
    name: ValueName,
    won: tuple[int | None, int | None, int | None],
) -> ComparedValues:
    lower = name.better == "lower"
    ends = None
    if gap.low is not None and gap.high is not None:
        method = "t" if averages.judged is None else "ppi"
        method = f"cluster-{method}" if averages.clustered else method
        low, high = hold_to_range(name, gap.low, gap.high)
        ends = Interval(low=low, high=high, level=question.level, method=method)
    wins, ties, losses = won if not lower or won[0] is None else won[::-1]
    return ComparedValues(
        first=names[0],
        second=names[1],
        difference=Estimate(
            measure=f"difference of {name.measure}",
            value=gap.difference,
            interval=ends,
            standard_error=gap.error,
            items=averages.moments.items,
        ),
        p_value=gap.p_value,
        adjusted_p=adjusted,
        better=1 - gap.better if lower else gap.better,
        verdict=question.verdict(adjusted, gap.equivalent),
        equivalent=gap.equivalent,
        lower=lower,
        wins=wins,
        ties=ties,
        losses=losses,
    )


def _wins(predictions: Predictions) -> Wins | None:
    """Count the items that each of a pair wins; every pair is one more comparison of all rows."""
    systems = predictions.systems
    if predictions.weighted or len(systems) > MOST_COUNTED:
        return None
    places = couples(len(systems))
    counted = tally.count_wins(predictions, [(systems[i], systems[j]) for i, j in places])
    return dict(zip(places, counted, strict=True))


def difference_tables(
    predictions: Predictions, averages: Averages
) -> dict[tuple[int, int], ValueTable]:
    """Count the differences of every pair, where that says something and takes no long time."""
    systems = predictions.systems
    if averages.weighted or len(systems) > MOST_COUNTED:
        return {}
    return {
        (i, j): tally.tally_difference_values(predictions, systems[i], systems[j])
        for i, j in couples(len(systems))
    }


def _more(
    pairs: Sequence[ComparedValues], averages: Averages, question: Question
) -> tuple[MoreSamples, ...]:
    if averages.clustered or averages.weighted or averages.judged is not None:
        return ()

    def need(pair: ComparedValues, share: float) -> MoreNeeded:
        return more_items(averages.found, pair.first, pair.second, alpha=share)

    return open_pairs(pairs, need, leader=None, alpha=question.alpha)


def more_items(
    found: Linearised, first: str, second: str, *, alpha: float, power: float = 0.8
) -> MoreNeeded:
    """Count the further items that would tell two apart, if what was seen is true."""
    gap, spread = found.difference(first, second), sqrt(found.variance_of_difference(first, second))
    if gap == 0 or spread == 0:
        reason = "no difference was observed" if gap == 0 else "all items differ by the same amount"
        return MoreNeeded(total=None, more=None, reason=reason)
    size = planning.mean_samples(abs(gap), spread=spread, power=power, alpha=alpha)
    signal = abs(gap) / spread * sqrt(found.units)
    total = None if size.items is None else max(size.items, fewest_units(alpha))
    return count_more(total, found.units, planning.LIMIT, signal=signal)


def _doubts(
    predictions: Predictions,
    averages: Averages,
    tables: dict[tuple[int, int], ValueTable],
) -> list[str]:
    doubts = []
    if averages.clustered:
        doubts.append("clusters, not items, are the units: items of one are alike")
        if len(predictions.systems) == 2:
            from steelyard.journey.values.shares import variance_line

            doubts += variance_line(predictions, predictions.systems)
    if averages.weighted:
        doubts.append("items carry weights: means are weighted, and spread is that of the weights")
    skew = max((abs(skewness(one.values, one.counts)) for one in tables.values()), default=None)
    doubts += say_doubts(averages, skew)
    if averages.judged is not None:
        return doubts
    return doubts + _only_right_or_wrong(predictions, averages)


def _only_right_or_wrong(predictions: Predictions, averages: Averages) -> list[str]:
    if not averages.moments.right_or_wrong:
        return []
    names = ",".join(system.name for system in predictions.systems)
    return [
        "the values are 0 and 1 alone: as right and wrong they are compared more sharply: "
        f"{switch('outcome', names)}"
    ]


def _other_order(predictions: Predictions, averages: Averages, name: ValueName) -> list[str]:
    """Say both orders where the mean of ratios ranks systems otherwise than the ratio of sums."""
    if name.per is None or averages.weighted:
        return []
    sign = 1 if name.better == "lower" else -1
    other = {}
    for system in predictions.systems:
        table = tally.tally_values(predictions, system)
        other[system.name] = float(table.values @ table.counts) / table.total
    own = sorted(averages.found.systems, key=lambda one: sign * averages.found.value(one))
    mean = sorted(other, key=lambda one: sign * other[one])
    if own == mean:
        return []
    shown = [f"{show_name(one)} {other[one]:.4g}" for one in mean]
    return [
        f"by the mean of the items' own ratios, which counts short items as much as long ones, the "
        f"order is another: {join_names(shown, most=6)}; by the ratio of sums it is "
        f"{join_names([show_name(one) for one in own], most=6)}"
    ]


def _slices(
    predictions: Predictions, name: ValueName, question: Question
) -> tuple[ValueSlice, ...]:
    if "group" not in predictions.splits:
        message = (
            "by_group=True (--by-group) needs a column that names the slice of each item. Type "
            f"{switch('group', 'COLUMN')}."
        )
        raise RequestError(message)
    parts = []
    for part, averages in slice_averages(predictions):
        if isinstance(averages, Moments):
            unit = "cluster" if "cluster" in predictions.splits else "item"
            message = (
                f"The slice {part!r} has one {unit}, which does not show how {unit}s vary. Merge "
                "it with another, or leave by_group= (--by-group) out."
            )
            raise NotComparable(message, code=f"one-{unit}")
        parts.append((part, averages))
    raw = [
        [one.difference(*pair, level=question.level).p_value for pair in _pairs(one.found.systems)]
        for _, one in parts
    ]
    fair = adjust_slices(raw, len(predictions.systems))
    lower = name.better == "lower"
    made = []
    for (part, one), mine in zip(parts, fair, strict=True):
        found, pairs = _weigh(one, name, question, adjusted=mine)
        made.append(
            ValueSlice(
                slice=part,
                items=one.moments.items,
                systems=rank(found),
                pairs=tuple(pairs),
                monte_carlo_error=found.error,
                lower=lower,
            )
        )
    return tuple(made)


def _pairs(names: Sequence[str]) -> list[tuple[str, str]]:
    return [(names[i], names[j]) for i, j in couples(len(names))]

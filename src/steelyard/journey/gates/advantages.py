"""The advantage of one system over another by one measure, with the interval that fits it."""

from dataclasses import dataclass, replace

import numpy as np

from steelyard import comparison, measures, tally, uncertainty
from steelyard.comparison.unlike_clusters import unlike_clusters
from steelyard.counts import Grouped, JointCalls, Outcomes, PairTable, ScoreTable
from steelyard.display.numbers import show_difference
from steelyard.errors import NotComparable, RequestError, switch
from steelyard.journey.comparison.areas import PLACEMENT
from steelyard.journey.comparison.clusters import METHOD as CLUSTERED
from steelyard.journey.comparison.clusters import unlike_weights
from steelyard.journey.comparison.kinds import compare_counts, compare_predictions
from steelyard.journey.comparison.question import Question
from steelyard.journey.comparison.truth_shares import (
    is_of_true_items,
    share_outcomes,
)
from steelyard.journey.gates.requirements import Requirement
from steelyard.journey.opening import record_of_counts
from steelyard.measures import Measure
from steelyard.measures.catalogue.listing import is_area
from steelyard.measures.tables.in_batches import table_measure
from steelyard.results import Caveat, Estimate, Interval
from steelyard.results.shortfalls import shortfall
from steelyard.sources import Predictions

__all__ = ["GUARDED", "UNCOUNTED", "Advantage", "advantage_of", "is_usual", "usual_measure"]

GUARDED = "guarded"
DRAWS = 10_000
"""The limits of a bootstrap at 90% have some 500 draws beyond each."""
Data = Predictions | Outcomes | JointCalls
Names = tuple[str, str]
Ends = tuple[float, float]
NO_WIDTH = "what was seen does not show how far it could have come out otherwise"
UNDEFINED = "{measure} is undefined for these items, or would be with a few others"
FEW_CLUSTERS = "fewer than two clusters hold such items, and one does not show how they vary"
OF_COMPARE = ("best-uniform", "unlike-clusters", "unlike-weights")
UNSEEN = (
    "limits allow for one more cluster, which goes the other way; if clusters that were not seen "
    "were like these {clusters:,d}, they would be {alike[0]} to {alike[1]}"
)
UNCOUNTED = "items that carry weights or come in clusters are not worth one each"


@dataclass(frozen=True, slots=True, kw_only=True)
class Advantage:
    """Both values, and the candidate's advantage: positive is better, whatever the measure.

    ``reason`` says why there is no interval; ``pair`` holds the items of a plain share;
    ``uncounted`` says why further items cannot be counted; ``whole`` counts all items, where the
    measure looks at some of them only.
    """

    measure: str
    of: str | None
    values: tuple[float | None, float | None]
    estimate: Estimate
    reason: str | None = None
    pair: PairTable | None = None
    uncounted: str | None = None
    whole: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    data: Data
    names: Names
    entry: Measure
    of: str | None
    level: float
    rng: int

    def advantage(
        self,
        values: tuple[float | None, float | None],
        ends: tuple[float, float] | None,
        method: str,
        items: int,
        reason: str | None = None,
    ) -> Advantage:
        """Put the advantage together; ``ends`` are its limits, positive where better.

        An interval without width is none: whatever was sampled could have come out otherwise.
        """
        gap = None
        if values[0] is not None and values[1] is not None:
            gap = values[0] - values[1] if self.larger else values[1] - values[0]
        interval = None
        if ends is not None and ends[0] < ends[1]:
            interval = Interval(low=ends[0], high=ends[1], level=self.level, method=method)
        estimate = Estimate(
            measure=f"advantage in {self.entry.name}",
            value=gap,
            interval=interval,
            items=items,
            reason=(reason or NO_WIDTH) if gap is None else None,
        )
        return Advantage(
            measure=self.entry.name,
            of=self.of,
            values=values,
            estimate=estimate,
            reason=None if interval else reason or NO_WIDTH,
            uncounted=UNCOUNTED if self.clustered or self.weighted else None,
        )

    @property
    def larger(self) -> bool:
        """Tell whether larger is better."""
        return self.entry.direction == "larger is better"

    @property
    def clustered(self) -> bool:
        """Tell whether items come in clusters."""
        return isinstance(self.data, Predictions) and (
            "cluster" in self.data.splits or self.data.crossed
        )

    @property
    def weighted(self) -> bool:
        """Tell whether items carry weights."""
        if isinstance(self.data, Outcomes):
            return self.data.weights is not None
        return isinstance(self.data, Predictions) and self.data.weighted


def advantage_of(
    required: Requirement, data: Data, names: Names, *, level: float, rng: int
) -> Advantage:
    """Measure the advantage by the method that fits the measure and the data."""
    if _holds_numbers(data):
        from steelyard.journey.values.gate import value_advantage

        assert isinstance(data, Predictions)
        return value_advantage(required, data, names, level=level, rng=rng)
    entry = measures.catalogue_entry(required.measure or usual_measure(data))
    if entry.direction == "neither":
        message = f"{entry.name} is neither better large nor small; a gate cannot judge it."
        raise RequestError(message, code="requirement")
    asked = _Asked(
        data=data,
        names=names,
        entry=entry,
        of=required.of or _positive(entry, data),
        level=level,
        rng=rng,
    )
    if is_area(entry):
        _check_scores(asked)
        as_area = replace(asked, entry=measures.measure_tested_as(entry)[0])
        clustered = asked.clustered and not asked.weighted
        return _times(_take_comparison(as_area) if clustered else _area(as_area), entry)
    if entry.counts_right:
        by_right = replace(asked, entry=measures.measure_tested_as(entry)[0])
        found = (
            _take_comparison(by_right) if asked.clustered or asked.weighted else _accuracy(by_right)
        )
        return _say_as(found, entry)
    if isinstance(data, Predictions) and data.crossed:
        message = (
            f"{entry.name} has no two-way limits of an advantage; accuracy, AUC and means have. "
            "Require one of these, or name one column of clusters: cluster='probe' (--cluster "
            "probe)."
        )
        raise NotComparable(message, code="crossed")
    if entry.formula is None or entry.counts != "Confusion":
        message = (
            f"{entry.name} has no paired interval that a gate could hold a requirement against. "
            "Require a measure of calls, or AUC of scores; `steelyard catalogue` lists all."
        )
        raise NotComparable(message, code="gate-measure")
    joint = _calls(asked)
    if is_of_true_items(entry):
        return _share(asked, joint)
    return _weigh_guarded(asked, joint)


def is_usual(required: Requirement, data: Data) -> bool:
    """Tell whether a requirement is about what ``compare`` compares: accuracy, or the area."""
    if _holds_numbers(data):
        return True
    entry = measures.catalogue_entry(required.measure or usual_measure(data))
    return entry.counts_right or is_area(entry)


def _holds_numbers(data: Data) -> bool:
    """Tell whether systems hold a number for each item."""
    return isinstance(data, Predictions) and data.values is not None


def usual_measure(data: object) -> str:
    """Name the measure of a requirement or claim that names none: the area where scores are all."""
    scores = isinstance(data, ScoreTable) or (
        isinstance(data, Predictions) and not data.with_answers()
    )
    return "AUC" if scores else "accuracy"


def _positive(entry: Measure, data: Data) -> str | None:
    if "of" not in entry.needs or not isinstance(data, Predictions):
        return None
    return data.positive


def _take_comparison(asked: _Asked) -> Advantage:
    """Take weighted or clustered answers as ``compare`` does, so that both agree."""
    data, (first, second) = asked.data, asked.names
    question = Question(
        level=asked.level, alpha=0.05, seed=asked.rng, provenance=record_of_counts({})
    )
    if isinstance(data, Predictions):
        both = replace(data, systems=(data.system(first), data.system(second)))
        found = compare_predictions(both, question)
    else:
        assert isinstance(data, Outcomes)
        found = compare_counts(data.only(asked.names), question)
    (pair,) = found.pairs
    rates = {one.system: one.rate.value for one in found.systems}
    ends = pair.difference.interval
    turned = pair.first != first
    limits = None
    if ends is not None:
        limits = (-ends.high, -ends.low) if turned else (ends.low, ends.high)
        if asked.clustered and not asked.weighted and asked.entry.counts_right:
            limits = _reach(limits, _accuracy(asked))
    limits, unlike = _allow_for_unseen(asked, limits)
    answer = asked.advantage(
        (rates[first], rates[second]),
        limits,
        ends.method if ends else GUARDED,
        pair.difference.items or 0,
        pair.difference.reason,
    )
    # Of who is best a gate says nothing, and what was not seen is said at its own level.
    kept = [one for one in found.caveats if Caveat.code_of(one) not in OF_COMPARE]
    doubts = tuple(dict.fromkeys([*unlike, *kept, *pair.difference.caveats]))
    return replace(answer, estimate=replace(answer.estimate, caveats=doubts))


def _allow_for_unseen(asked: _Asked, limits: Ends | None) -> tuple[Ends | None, tuple[str, ...]]:
    """Draw limits of accuracy out to those with a cluster not seen; say it of a heavy item."""
    data = asked.data
    if not asked.entry.counts_right or (isinstance(data, Predictions) and data.crossed):
        return limits, ()
    if not isinstance(data, Predictions):
        return limits, unlike_weights(data) if isinstance(data, Outcomes) else ()
    if asked.weighted:
        return limits, unlike_weights(tally.tally_outcomes(data))
    return _reach_unseen(asked, limits, tally.tally_outcomes_by(data, "cluster"))


def _reach_unseen(
    asked: _Asked, limits: Ends | None, grouped: Grouped[Outcomes]
) -> tuple[Ends | None, tuple[str, ...]]:
    """Draw limits of few clusters out to those with one more, and say of many what it would do."""
    if limits is None:
        return None, ()
    clusters = sum(part.total > 0 for _, part in grouped)
    low, high, unlike = unlike_clusters(grouped, asked.names, level=asked.level)
    if clusters >= uncertainty.FEW_CLUSTERS:
        return limits, (unlike,)
    alike = [show_difference(end) for end in limits]
    doubt = UNSEEN.format(clusters=clusters, alike=alike)
    return (min(limits[0], low), max(limits[1], high)), (doubt,)


def _accuracy(asked: _Asked) -> Advantage:
    data = asked.data
    if isinstance(data, JointCalls):
        data = data.outcomes()
    outcomes = data if isinstance(data, Outcomes) else tally.tally_outcomes(data)
    return _weigh_pair(asked, outcomes.pair(*asked.names))


def _weigh_pair(asked: _Asked, pair: PairTable) -> Advantage:
    total = pair.total
    if total == 0:
        return asked.advantage((None, None), None, GUARDED, 0, "no item says anything about it")
    right = ((pair.both + pair.first) / total, (pair.both + pair.second) / total)
    values = right if asked.larger else (1 - right[0], 1 - right[1])
    cells = (pair.both, pair.first, pair.second, pair.neither)
    low, high = uncertainty.guarded_paired_interval(*cells, level=asked.level)
    # A gate is never surer than compare, whose interval at this level is the other one.
    least, most = uncertainty.paired_difference_interval(*cells, level=asked.level)
    found = asked.advantage(values, (min(low, least), max(high, most)), GUARDED, total)
    return replace(found, pair=pair)


def _calls(asked: _Asked) -> JointCalls | Grouped[JointCalls]:
    data = asked.data
    if isinstance(data, Outcomes):
        message = (
            f"Only right and wrong are known, and {asked.entry.name} needs the classes. Require "
            "accuracy, or give the truth and what was called."
        )
        raise NotComparable(message, code="gate-classes")
    joint: JointCalls | Grouped[JointCalls]
    if isinstance(data, JointCalls):
        joint, classes = data, data.classes
    elif asked.clustered:
        joint = tally.tally_joint_calls_by(data, "cluster")
        classes = joint.merged().classes
    else:
        # In the order of the data, whoever is the candidate: the draws are then the same.
        joint = tally.tally_joint_calls(
            data, [one for one in data.systems if one.name in asked.names]
        )
        classes = joint.classes
    if "of" in asked.entry.needs and asked.of not in classes:
        message = (
            f"{asked.entry.name} is about one class. Name it in the requirement "
            f"('{asked.entry.name} of {classes[0]} ...') or with "
            f"{switch('positive', classes[0])}."
        )
        raise RequestError(message, code="requirement")
    return joint


def _share(asked: _Asked, joint: JointCalls | Grouped[JointCalls]) -> Advantage:
    """Pair the items that a share is about: only their truth says which these are."""
    of = asked.of or ""
    if isinstance(joint, JointCalls):
        found = _weigh_pair(asked, share_outcomes(joint, asked.entry, of).pair(*asked.names))
        return replace(found, whole=joint.total)
    found = _weigh_clusters(asked, share_outcomes(joint, asked.entry, of))
    return replace(found, whole=joint.merged().total)


def _weigh_clusters(asked: _Asked, grouped: Grouped[Outcomes]) -> Advantage:
    """Take clusters as ``compare`` does, whose interval at this level this one contains."""
    tables = [part.pair(*asked.names) for _, part in grouped if part.total]
    alone = _weigh_pair(asked, grouped.merged().pair(*asked.names))
    if len(tables) < 2:
        return asked.advantage(
            alone.values, None, CLUSTERED, alone.estimate.items or 0, FEW_CLUSTERS
        )
    contrast = uncertainty.cluster_contrast(
        [one.first for one in tables], [one.second for one in tables], [one.total for one in tables]
    )
    ends, unlike = _reach_unseen(asked, _reach(contrast.interval(asked.level), alone), grouped)
    total = sum(one.total for one in tables)
    found = asked.advantage(alone.values, ends, CLUSTERED, total)
    doubts = (*unlike, *measures.cluster_caveats(len(tables), total))
    return replace(found, estimate=replace(found.estimate, caveats=doubts))


def _reach(ends: tuple[float, float], alone: Advantage) -> tuple[float, float]:
    """Draw limits out to those of the items taken singly: naming clusters makes nothing surer."""
    single = alone.estimate.interval
    return ends if single is None else (min(ends[0], single.low), max(ends[1], single.high))


def _weigh_guarded(asked: _Asked, joint: JointCalls | Grouped[JointCalls]) -> Advantage:
    """Weigh items, or clusters, again and again, with one that was not seen."""
    entry = asked.entry
    whole = joint.merged() if isinstance(joint, Grouped) else joint
    measure = table_measure(entry, whole.classes, of=asked.of)
    sign = 1.0 if asked.larger else -1.0
    found = comparison.guarded_calls(
        joint,
        lambda tables: sign * measure(tables),
        asked.names,
        rng=np.random.default_rng(asked.rng),
        draws=DRAWS,
        level=asked.level,
    )
    values = (_times_sign(found.values[0], sign), _times_sign(found.values[1], sign))
    ends = None if found.low is None or found.high is None else (found.low, found.high)
    reason = UNDEFINED.format(measure=entry.name) if ends is None else None
    answer = asked.advantage(values, ends, GUARDED, whole.total, reason)
    if not isinstance(joint, Grouped):
        return answer
    doubt = shortfall("gate-clusters", clusters=len(joint), items=whole.total)
    return replace(answer, estimate=replace(answer.estimate, caveats=(doubt,)))


def _times_sign(value: float | None, sign: float) -> float | None:
    return None if value is None else sign * value


def _say_as(found: Advantage, entry: Measure) -> Advantage:
    """Say an advantage in right answers as that in the others: one claim, one interval."""
    change = measures.measure_tested_as(entry)[1]
    first, second = (None if one is None else change(one) for one in found.values)
    estimate = replace(found.estimate, measure=f"advantage in {entry.name}")
    return replace(found, measure=entry.name, values=(first, second), estimate=estimate)


def _times(found: Advantage, entry: Measure) -> Advantage:
    """Say an area on another scale: one claim, one interval."""
    times = measures.measure_tested_as(entry)[1].slope
    if times == 1.0:
        return found
    shift = 1.0 - times
    estimate, ends = found.estimate, found.estimate.interval
    scaled = replace(
        estimate,
        measure=f"advantage in {entry.name}",
        value=None if estimate.value is None else times * estimate.value,
        interval=ends and replace(ends, low=times * ends.low, high=times * ends.high),
    )
    first, second = (None if one is None else times * one + shift for one in found.values)
    return replace(found, measure=entry.name, values=(first, second), estimate=scaled)


def _check_scores(asked: _Asked) -> None:
    """Refuse answers: over clusters ``compare`` would take them for what it compares, accuracy."""
    if not isinstance(asked.data, Predictions) or asked.data.with_answers():
        message = f"{asked.entry.name} needs scores of every system, and a positive class."
        raise NotComparable(message, code="gate-scores")


def _area(asked: _Asked) -> Advantage:
    data = asked.data
    assert isinstance(data, Predictions)
    if data.weighted:
        message = (
            "Rows are weighted, and sums of weights give an area no interval for a gate to judge. "
            "Leave the weights out, or compare with them: steelyard compare."
        )
        raise NotComparable(message, code="gate-weights")
    joint = tally.tally_joint_areas(data)
    spreads = uncertainty.joint_area_spreads(joint)
    first, second = (joint.systems.index(name) for name in asked.names)
    ends = uncertainty.placement_difference_interval(spreads, first, second, level=asked.level)
    values = (spreads.spreads[first].area, spreads.spreads[second].area)
    return asked.advantage(values, ends, PLACEMENT, joint.total)

"""The advantage of one system over another by one measure, with the interval that fits it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from steelyard.comparison import guarded_calls
from steelyard.counts import Grouped, JointCalls, Outcomes, PairTable
from steelyard.errors import NotComparable, RequestError, switch
from steelyard.journey.compared_areas import PLACEMENT
from steelyard.journey.comparison_kinds import compare_counts, compare_predictions
from steelyard.journey.comparison_question import Question
from steelyard.journey.opening import record_of_counts
from steelyard.journey.requirements import Requirement
from steelyard.measures import CatalogueEntry, catalogue_entry
from steelyard.measures.in_batches import TABLE_BATCHES, table_measure
from steelyard.results import Estimate, Interval
from steelyard.sources import Predictions
from steelyard.tally import (
    tally_joint_areas,
    tally_joint_calls,
    tally_joint_calls_by,
    tally_outcomes,
)
from steelyard.uncertainty import (
    guarded_paired_interval,
    joint_area_spreads,
    paired_difference_interval,
    placement_difference_interval,
)

__all__ = ["GUARDED", "Advantage", "advantage_of", "is_usual"]

GUARDED = "guarded"
DRAWS = 10_000
Data = Predictions | Outcomes | JointCalls
Names = tuple[str, str]
NO_WIDTH = "what was seen does not show how far it could have come out otherwise"
UNDEFINED = "{measure} is undefined for these items, or would be with a few others"
UNCOUNTED = "items that carry weights or come in clusters are not worth one each"
CLUSTERED = (
    "items come in {clusters:,d} clusters ({items:,d} items), which are the units here; the "
    "interval allows for one more cluster that speaks against the claim; with few positives, or "
    "where large clusters answer otherwise than small ones, what lies on its limit may pass more "
    "often than said (7 % instead of 5 % in the worst case tried)"
)


def _caught(truth: str, call: str, of: str) -> bool | None:
    return call == of if truth == of else None


def _spared(truth: str, call: str, of: str) -> bool | None:
    return call != of if truth != of else None


SHARES: Mapping[str, Callable[[str, str, str], bool | None]] = {
    "recall": _caught,
    "false negative rate": _caught,
    "specificity": _spared,
    "false positive rate": _spared,
}
"""Right, wrong or not asked, for shares whose items do not depend on what was called. A share and
its complement are one claim: both count the right answers, and have one interval."""
OVER_ALL = frozenset({"accuracy", "micro F1"})
"""One share under two names."""
AREAS: Mapping[str, float] = {"AUC": 1.0, "Gini": 2.0}
"""Areas, and how many times that of AUC their difference is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advantage:
    """Both values, and the candidate's advantage: positive is better, whatever the measure.

    ``reason`` says why there is no interval; ``pair`` holds the items of a plain share;
    ``uncounted`` says why further items cannot be counted.
    """

    measure: str
    of: str | None
    values: tuple[float | None, float | None]
    estimate: Estimate
    reason: str | None = None
    pair: PairTable | None = None
    uncounted: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    data: Data
    names: Names
    entry: CatalogueEntry
    of: str | None
    level: float
    rng: int

    def found(
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
        return isinstance(self.data, Predictions) and "cluster" in self.data.splits

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
    entry = catalogue_entry(required.measure or _usual(data))
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
    if entry.name in AREAS and asked.clustered and not asked.weighted:
        return _times(_as_compared(replace(asked, entry=catalogue_entry("AUC"))), entry)
    if entry.name in AREAS:
        return _times(_area(replace(asked, entry=catalogue_entry("AUC"))), entry)
    if entry.name in OVER_ALL:
        return _as_compared(asked) if asked.clustered or asked.weighted else _accuracy(asked)
    joint = _calls(asked)
    if entry.name in SHARES and isinstance(joint, JointCalls):
        return _share(asked, joint)
    return _guarded(asked, joint)


def is_usual(required: Requirement, data: Data) -> bool:
    """Tell whether a requirement is about what ``compare`` compares: accuracy, or the area."""
    entry = catalogue_entry(required.measure or _usual(data))
    return entry.name in OVER_ALL or entry.name in AREAS


def _usual(data: Data) -> str:
    scores = isinstance(data, Predictions) and not data.with_answers()
    return "AUC" if scores else "accuracy"


def _positive(entry: CatalogueEntry, data: Data) -> str | None:
    if "of" not in entry.needs or not isinstance(data, Predictions):
        return None
    return data.positive


def _as_compared(asked: _Asked) -> Advantage:
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
    answer = asked.found(
        (rates[first], rates[second]),
        limits,
        ends.method if ends else GUARDED,
        pair.difference.items or 0,
        pair.difference.reason,
    )
    doubts = tuple(dict.fromkeys([*found.caveats, *pair.difference.caveats]))
    return replace(answer, estimate=replace(answer.estimate, caveats=doubts))


def _accuracy(asked: _Asked) -> Advantage:
    data = asked.data
    if isinstance(data, JointCalls):
        data = data.outcomes()
    outcomes = data if isinstance(data, Outcomes) else tally_outcomes(data)
    return _paired(asked, outcomes.pair(*asked.names))


def _paired(asked: _Asked, pair: PairTable) -> Advantage:
    total = pair.total
    if total == 0:
        return asked.found((None, None), None, GUARDED, 0, "no item speaks of it")
    right = ((pair.both + pair.first) / total, (pair.both + pair.second) / total)
    values = right if asked.larger else (1 - right[0], 1 - right[1])
    cells = (pair.both, pair.first, pair.second, pair.neither)
    low, high = guarded_paired_interval(*cells, level=asked.level)
    # A gate is never surer than compare, whose interval at this level is the other one.
    least, most = paired_difference_interval(*cells, level=asked.level)
    found = asked.found(values, (min(low, least), max(high, most)), GUARDED, total)
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
        joint = tally_joint_calls_by(data, "cluster")
        classes = joint.merged().classes
    else:
        # In the order of the data, whoever is the candidate: the draws are then the same.
        joint = tally_joint_calls(data, [one for one in data.systems if one.name in asked.names])
        classes = joint.classes
    if "of" in asked.entry.needs and asked.of not in classes:
        message = (
            f"{asked.entry.name} speaks of one class. Name it in the requirement "
            f"('{asked.entry.name} of {classes[0]} ...') or with "
            f"{switch('positive', classes[0])}."
        )
        raise RequestError(message, code="requirement")
    return joint


def _share(asked: _Asked, joint: JointCalls) -> Advantage:
    """Pair the items that a share is about: only their truth says which these are."""
    judge = SHARES[asked.entry.name]
    first, second = (joint.systems.index(name) for name in asked.names)
    cells = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for truth, calls, rows in joint.cells:
        right = [judge(truth, calls[place], asked.of or "") for place in (first, second)]
        if right[0] is not None and right[1] is not None:
            cells[right[0], right[1]] += rows
    pair = PairTable(
        both=cells[True, True],
        first=cells[True, False],
        second=cells[False, True],
        neither=cells[False, False],
    )
    return _paired(asked, pair)


def _guarded(asked: _Asked, joint: JointCalls | Grouped[JointCalls]) -> Advantage:
    """Weigh items, or clusters, again and again, with one that was not seen."""
    entry = asked.entry
    whole = joint.merged() if isinstance(joint, Grouped) else joint
    measure = table_measure(entry, whole.classes, of=asked.of)
    if entry.name not in TABLE_BATCHES:
        message = (
            f"{entry.name} has no interval that a gate could hold a requirement against. Require "
            "another measure; `steelyard catalogue` lists all."
        )
        raise NotComparable(message, code="gate-measure")
    sign = 1.0 if asked.larger else -1.0
    found = guarded_calls(
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
    answer = asked.found(values, ends, GUARDED, whole.total, reason)
    if not isinstance(joint, Grouped):
        return answer
    doubt = CLUSTERED.format(clusters=len(joint), items=whole.total)
    return replace(answer, estimate=replace(answer.estimate, caveats=(doubt,)))


def _times_sign(value: float | None, sign: float) -> float | None:
    return None if value is None else sign * value


def _times(found: Advantage, entry: CatalogueEntry) -> Advantage:
    """Say an area on another scale: one claim, one interval."""
    times = AREAS[entry.name]
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


def _area(asked: _Asked) -> Advantage:
    data = asked.data
    if not isinstance(data, Predictions) or data.with_answers():
        message = "AUC needs scores of every system, and a positive class."
        raise NotComparable(message, code="gate-scores")
    if data.weighted:
        message = (
            "Rows are weighted, and sums of weights give an area no interval for a gate to judge. "
            "Leave the weights out, or compare with them: steelyard compare."
        )
        raise NotComparable(message, code="gate-weights")
    joint = tally_joint_areas(data)
    spreads = joint_area_spreads(joint)
    first, second = (joint.systems.index(name) for name in asked.names)
    ends = placement_difference_interval(spreads, first, second, level=asked.level)
    values = (spreads.spreads[first].area, spreads.spreads[second].area)
    return asked.found(values, ends, PLACEMENT, joint.total)

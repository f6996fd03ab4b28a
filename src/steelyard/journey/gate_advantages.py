"""The advantage of one system over another by one measure, with the interval that fits it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import bdtrc

from steelyard.comparison import bootstrap_calls
from steelyard.counts import JointCalls, Outcomes, PairTable
from steelyard.errors import NotComparable, RequestError, switch
from steelyard.journey.compared_areas import CLUSTER_PLACEMENT, PLACEMENT
from steelyard.journey.requirements import Requirement
from steelyard.measures import CatalogueEntry, catalogue_entry
from steelyard.measures.in_batches import table_measure
from steelyard.results import Estimate, Interval
from steelyard.sources import Predictions
from steelyard.tally import (
    tally_cluster_areas,
    tally_joint_areas,
    tally_joint_calls,
    tally_outcomes,
    tally_outcomes_by,
)
from steelyard.uncertainty import (
    cluster_robust_interval,
    clustered_area_spreads,
    joint_area_spreads,
    placement_difference_interval,
    tango_interval,
)

__all__ = ["Advantage", "advantage_of"]

DRAWS = 4000
Data = Predictions | Outcomes | JointCalls
Names = tuple[str, str]

SHARES: Mapping[str, Callable[[str, str, str], bool | None]] = {
    "recall": lambda truth, call, of: call == of if truth == of else None,
    "specificity": lambda truth, call, of: call != of if truth != of else None,
}
"""Right, wrong or not asked, for shares whose items do not depend on what was called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advantage:
    """Both values, and the candidate's advantage: positive is better, whatever the measure."""

    measure: str
    of: str | None
    values: tuple[float | None, float | None]
    estimate: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    data: Data
    names: Names
    entry: CatalogueEntry
    of: str | None
    level: float
    rng: int

    def found(
        self, values: tuple[float, float], ends: tuple[float, float] | None, method: str, items: int
    ) -> Advantage:
        """Turn a difference round where smaller is better."""
        smaller = self.entry.direction == "smaller is better"
        gap = values[0] - values[1]
        low, high = ends if ends is not None else (0.0, 0.0)
        if smaller:
            gap, low, high = -gap, -high, -low
        interval = Interval(low=low, high=high, level=self.level, method=method)
        estimate = Estimate(
            measure=f"advantage in {self.entry.name}",
            value=gap,
            interval=None if ends is None else interval,
            items=items,
        )
        return Advantage(measure=self.entry.name, of=self.of, values=values, estimate=estimate)


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
    if entry.name == "AUC":
        return _area(asked)
    if entry.name == "accuracy":
        return _accuracy(asked)
    if isinstance(data, Predictions) and "cluster" in data.splits:
        message = (
            f"Items come in clusters, and the interval of {entry.name} would ignore them. Require "
            "accuracy, or leave the clusters out if the items are independent."
        )
        raise NotComparable(message, code="gate-clusters")
    joint = _calls(asked)
    if entry.name in SHARES:
        return _share(asked, joint)
    return _resampled(asked, joint)


def _usual(data: Data) -> str:
    scores = isinstance(data, Predictions) and not data.with_answers()
    return "AUC" if scores else "accuracy"


def _positive(entry: CatalogueEntry, data: Data) -> str | None:
    if "of" not in entry.needs or not isinstance(data, Predictions):
        return None
    return data.positive


def _accuracy(asked: _Asked) -> Advantage:
    data = asked.data
    if isinstance(data, Predictions) and "cluster" in data.splits:
        pairs = [part.pair(*asked.names) for _, part in tally_outcomes_by(data, "cluster")]
        return _clustered(asked, pairs)
    if isinstance(data, JointCalls):
        data = data.outcomes()
    outcomes = data if isinstance(data, Outcomes) else tally_outcomes(data)
    return _paired(asked, outcomes.pair(*asked.names))


def _paired(asked: _Asked, pair: PairTable) -> Advantage:
    total = pair.total
    if total == 0:
        estimate = Estimate(
            measure=f"advantage in {asked.entry.name}", value=None, reason="no item speaks of it"
        )
        values = (None, None)
        return Advantage(measure=asked.entry.name, of=asked.of, values=values, estimate=estimate)
    cells = (pair.both, pair.first, pair.second, pair.neither)
    values_seen = ((pair.both + pair.first) / total, (pair.both + pair.second) / total)
    ends = _with_zero(pair, tango_interval(*cells, level=asked.level), (1 - asked.level) / 2)
    return asked.found(values_seen, ends, "tango", total)


def _with_zero(pair: PairTable, ends: tuple[float, float], alpha: float) -> tuple[float, float]:
    """Keep 0 in the interval unless the one-sided mid-p McNemar test lets it go as well.

    With few items that tell two systems apart the score interval is too sure of itself there.
    """
    low, high = ends
    low = min(low, 0.0) if _mid_p(pair.first, pair.second) > alpha else low
    high = max(high, 0.0) if _mid_p(pair.second, pair.first) > alpha else high
    return low, high


def _mid_p(more: int, fewer: int) -> float:
    """P(X > more) + P(X = more)/2 for half of the discordant items expected on each side."""
    discordant = more + fewer
    if discordant == 0:
        return 1.0
    above = float(bdtrc(more, discordant, 0.5)) if more < discordant else 0.0
    at_least = float(bdtrc(more - 1, discordant, 0.5)) if more else 1.0
    return (above + at_least) / 2


def _clustered(asked: _Asked, pairs: list[PairTable]) -> Advantage:
    """Take clusters as the sample: the mean advantage, half of it and a half being a share."""
    held = [pair for pair in pairs if pair.total]
    if len(held) < 2:
        message = "One cluster does not show how clusters vary; a gate needs 2 or more."
        raise NotComparable(message, code="too-few-clusters")
    shares = [(pair.first - pair.second + pair.total) / 2 for pair in held]
    low, high = cluster_robust_interval(shares, [pair.total for pair in held], level=asked.level)
    total = sum(pair.total for pair in held)
    right = (sum(p.both + p.first for p in held), sum(p.both + p.second for p in held))
    values = (right[0] / total, right[1] / total)
    return asked.found(values, (2 * low - 1, 2 * high - 1), "cluster-robust", total)


def _calls(asked: _Asked) -> JointCalls:
    data = asked.data
    if isinstance(data, Outcomes):
        message = (
            f"Only right and wrong are known, and {asked.entry.name} needs the classes. Require "
            "accuracy, or give the truth and what was called."
        )
        raise NotComparable(message, code="gate-classes")
    if isinstance(data, Predictions):
        data = tally_joint_calls(data, [data.system(name) for name in asked.names])
    if "of" in asked.entry.needs and asked.of not in data.classes:
        message = (
            f"{asked.entry.name} speaks of one class. Name it in the requirement "
            f"('{asked.entry.name} of {data.classes[0]} ...') or with "
            f"{switch('positive', data.classes[0])}."
        )
        raise RequestError(message, code="requirement")
    return data


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


def _resampled(asked: _Asked, joint: JointCalls) -> Advantage:
    measure = table_measure(asked.entry, joint.classes, of=asked.of)
    rng = np.random.default_rng(asked.rng)
    every = bootstrap_calls(joint, measure, rng=rng, draws=DRAWS, level=asked.level)
    one = next(pair for pair in every if {pair.first, pair.second} == set(asked.names))
    values, ends = one.values, (one.low, one.high)
    if one.first != asked.names[0]:
        values = values[::-1]
        ends = (_minus(one.high), _minus(one.low))
    low, high = ends
    known = None if low is None or high is None else (low, high)
    return asked.found((values[0], values[1]), known, "paired-bootstrap", joint.total)


def _minus(end: float | None) -> float | None:
    return None if end is None else -end


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
    spreads, method = joint_area_spreads(joint), PLACEMENT
    if "cluster" in data.splits:
        systems = [data.system(name) for name in joint.systems]
        held = [tally_cluster_areas(data, system) for system in systems]
        spreads, method = clustered_area_spreads(held, items=spreads), CLUSTER_PLACEMENT
    first, second = (joint.systems.index(name) for name in asked.names)
    ends = placement_difference_interval(spreads, first, second, level=asked.level)
    values = (spreads.spreads[first].area, spreads.spreads[second].area)
    return asked.found(values, ends, method, joint.total)

"""Measures that were asked for: each from the counts that it needs, as the rows are given."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from steelyard import measures, tally
from steelyard.counts import ClusterPlacements, Confusion, Grouped, ScoreTable, VectorRule
from steelyard.errors import NotComparable, RequestError, SteelyardError, switch
from steelyard.journey.evaluation.question import CostsGiven, EvaluationQuestion, cost_pairs
from steelyard.journey.evaluation.vectors import VectorSums, sum_vectors
from steelyard.measures import KappaInterval, Measure
from steelyard.measures.catalogue.asked import AskedMeasure
from steelyard.measures.tables.shares import check_class
from steelyard.results import Caveat, Estimate
from steelyard.results.estimates import Proportion
from steelyard.results.measured import Measured
from steelyard.sources import Predictions, System
from steelyard.sources.predictions import SplitRole

__all__ = [
    "AskedWith",
    "ask_with",
    "check_measures",
    "measure_counts",
    "measure_system",
    "measure_table",
]

HELD = {"called": "classes", "outcome": "right or wrong", "score": "scores", "vector": "vectors"}
SLICED_VECTORS = "no interval within slices: items come in clusters, which are not known there"
SEED = 0
"""Where the random numbers start that draw an interval."""


Both = tuple[Measured, Mapping[Any, Measured]]
"""A measure of all items, and of each slice by its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedWith:
    """What all measures are asked with."""

    level: float
    positive: str | None
    cost: CostsGiven | None
    kappa_method: KappaInterval | None
    method: str = "wilson"


def ask_with(question: EvaluationQuestion, positive: str | None) -> AskedWith:
    """Take from the question what measures are asked with."""
    return AskedWith(
        level=question.level,
        positive=positive,
        cost=question.cost,
        kappa_method=question.kappa_method,
        method=question.method,
    )


def check_measures(asked: Sequence[AskedMeasure], predictions: Predictions) -> None:
    """Refuse a measure that no system gives what it needs for."""
    for one in asked:
        if not any(_fitting(one, predictions, system) for system in predictions.systems):
            raise _say_needed(one, [system.holds for system in predictions.systems])


def measure_system(
    predictions: Predictions,
    system: System,
    asked: Sequence[AskedMeasure],
    given: AskedWith,
    usual: Mapping[str, Any],
) -> tuple[tuple[Measured, ...], tuple[Measured, ...]]:
    """Measure what was asked of one system, over all items and within each slice."""
    rows = _Rows(predictions=predictions, system=system, given=given, usual=usual)
    found: list[Measured] = []
    slices: list[Measured] = []
    for one in asked:
        fitting = _fitting(one, predictions, system)
        if fitting is None:
            continue
        whole, parts = COUNTED[fitting.measure.counts](rows, fitting)
        whole = say_number(whole, fitting)
        found.append(whole)
        # Slices are named in ``of``, where the class would stand: several classes may be asked for.
        said = f"{whole.measure} of {whole.of}" if fitting.measure.of_class else whole.measure
        slices += [replace(part, of=name, measure=said) for name, part in parts.items()]
    return tuple(found), tuple(slices)


def _say_needed(one: AskedMeasure, held: Sequence[str]) -> NotComparable:
    measure = one.measure
    given = sorted({HELD[what] for what in held})
    hint = (
        say_right_alone(measure)
        if "outcome" in held
        else {
            "Confusion": f"Scores call with a threshold: {switch('threshold', '0.5')}.",
            "ScoreTable": "Name the class that high scores indicate: "
            f"{switch('positive', 'CLASS')}.",
            "FittedModel": "`steelyard models` ranks fitted models.",
        }.get(measure.counts, "`steelyard catalogue` lists what every measure needs.")
    )
    message = (
        f"{measure.name} is computed from {measure.computed_from}, and these systems give "
        f"{' and '.join(given)}. {hint}"
    )
    return NotComparable(message, code="measure-needs")


def say_right_alone(measure: Measure) -> str:
    """Say what to do where only right and wrong are known; all ships found is P_D of ships."""
    hint = "Give the truth and what was called."
    if measure.parts is not None and {*measure.parts[0], *measure.parts[1]} == {"tp", "fn"}:
        same = "accuracy" if measure.parts[0] == ("tp",) else "error rate"
        hint += f" If every row is of that class, it is the {same}: ask for that."
    return hint


def _holds(measure: Measure, predictions: Predictions, system: System) -> bool:
    counts = measure.counts
    if counts in {"Confusion", "JointCalls"}:
        if system.holds == "outcome":
            return measure.counts_right
        return system.holds != "score" or system.threshold is not None
    if counts == "ScoreTable":
        named = predictions.positive is not None
        return system.holds == "score" or (system.holds == "vector" and named)
    if counts in {"VectorScores", "vector of each item"}:
        return system.holds == "vector" and (
            system.probabilities or measure.fixed.get("rule") not in {"brier", "log"}
        )
    return False


def from_accuracy(found: Measured, measure: Measure) -> Measured:
    """Give a share of right answers as that of the others, where the measure counts these."""
    if measure.parts == (("right",), ("wrong",)):
        return replace(found, measure=measure.name)
    ends = found.interval
    turned = ends and replace(ends, low=1 - ends.high, high=1 - ends.low)
    if isinstance(found, Proportion):
        lost = found.trials - found.successes
        return replace(found, measure=measure.name, successes=lost, interval=turned)
    assert isinstance(found, Estimate)
    value = None if found.value is None else 1 - found.value
    return replace(found, measure=measure.name, value=value, interval=turned)


def _fitting(one: AskedMeasure, predictions: Predictions, system: System) -> AskedMeasure | None:
    """Take the measure, or the one that asks the same of what the system holds."""
    if _holds(one.measure, predictions, system):
        return one
    twin = measures.CATALOGUE.get(one.measure.twin or "")
    if twin is not None and _holds(twin, predictions, system):
        return replace(one, measure=twin)
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rows:
    """The rows of one system, which become whatever a measure is computed from."""

    predictions: Predictions
    system: System
    given: AskedWith
    usual: Mapping[str, Any]

    @property
    def clustered(self) -> bool:
        """Tell whether items come in clusters."""
        return "cluster" in self.predictions.splits

    @property
    def sliced(self) -> bool:
        """Tell whether items come in groups."""
        return "group" in self.predictions.splits

    def of_calls(self, one: AskedMeasure) -> Both:
        """Count what was called; of right and wrong answers only their share is known."""
        predictions, system = self.predictions, self.system
        if system.holds == "outcome":
            usual = {part.of: part for part in self.usual.get("slices", ())}
            slices = {of: from_accuracy(part, one.measure) for of, part in usual.items()}
            return from_accuracy(self.usual["accuracy"], one.measure), slices
        return self._split(
            one,
            lambda: tally.tally_confusion(predictions, system),
            lambda role: tally.tally_confusion_by(predictions, system, role),
            lambda: tally.tally_confusion_by_slice(predictions, system),
        )

    def of_scores(self, one: AskedMeasure) -> Both:
        """Count positives and negatives at every score; areas of clusters need only their sums."""
        predictions = self.predictions
        _check_weights(one.measure, weighted=predictions.weighted)
        from steelyard.journey.scored import score_systems

        (system,) = score_systems(replace(predictions, systems=(self.system,)))
        return self._split(
            one,
            lambda: tally.tally_score_table(predictions, system),
            lambda role: (
                tally.tally_cluster_areas(predictions, system)
                if one.measure.public == "auc" and role == "cluster"
                else tally.tally_score_table_by(predictions, system, role)
            ),
            lambda: tally.tally_score_table_by_slice(predictions, system),
        )

    def of_vectors(self, one: AskedMeasure) -> Both:
        """Sum what the vectors score."""
        predictions, system = self.predictions, self.system

        def score(sums: VectorSums) -> Estimate:
            rule: VectorRule = one.measure.fixed["rule"]
            return sums.score(rule, system.name, level=self.given.level)

        slices: dict[str, Measured] = {}
        if self.sliced and predictions.weighted:
            weighted = tally.tally_weighted_vectors_by(predictions, "group", [system])
            slices = {name: score(VectorSums(weighted=part)) for name, part in weighted}
        elif self.sliced:
            plain = tally.tally_vector_scores_by(predictions, "group", [system])
            slices = {name: score(VectorSums(plain=part)) for name, part in plain}
        if self.clustered:
            slices = {
                name: replace(found, interval=None, caveats=(*found.caveats, SLICED_VECTORS))
                for name, found in slices.items()
            }
        return score(sum_vectors(predictions, [system])), slices

    def of_items(self, one: AskedMeasure) -> Both:
        """Rank the items by every number of their vectors."""
        predictions, system = self.predictions, self.system
        _check_weights(one.measure, weighted=predictions.weighted)
        columns = [f"{number} AS n{place}" for place, number in enumerate(system.vector)]
        part = predictions.split_column("group") if self.sliced else "''"
        rows = predictions.table.arrays(
            f"SELECT truth, {part} AS part, {', '.join(columns)} FROM {{t}} "
            f"WHERE {system.column} IS NOT NULL"
        )
        vectors = np.column_stack([rows[f"n{place}"] for place in range(len(columns))])
        truth, parts = rows["truth"].astype(str), rows["part"].astype(str)

        def measure_rows(kept: Any) -> Measured:  # noqa: ANN401
            found: Measured = one.measure.function(
                truth[kept], vectors[kept], classes=predictions.classes, level=self.given.level
            )
            return _drop_interval(found, one.measure) if self.clustered else found

        names = sorted(set(parts)) if self.sliced else []
        return measure_rows(slice(None)), {
            name: _or_reason(measure_rows, np.flatnonzero(parts == name)) for name in names
        }

    def _split(
        self,
        one: AskedMeasure,
        whole: Callable[[], Any],
        by: Callable[[SplitRole], Any],
        by_slice: Callable[[], Mapping[str, Any]],
    ) -> Both:
        """Measure all items, and each slice: over clusters where there are any."""

        def measure_part(counts: Any) -> Measured:  # noqa: ANN401
            return measure_counts(one, counts, self.given)

        parts: Mapping[str, Any] = {}
        if self.sliced:
            parts = by_slice() if self.clustered else dict(by("group"))
        slices = {name: _or_reason(measure_part, part) for name, part in parts.items()}
        return measure_part(by("cluster") if self.clustered else whole()), slices


def _or_reason(measured: Callable[[Any], Measured], counts: Any) -> Measured:  # noqa: ANN401
    """Measure a slice; what is refused there is undefined there, with the reason."""
    try:
        return measured(counts)
    except SteelyardError as refused:
        return Estimate(measure="", value=None, reason=str(refused))


COUNTED: Mapping[str, Callable[[_Rows, AskedMeasure], Both]] = {
    "Confusion": _Rows.of_calls,
    "JointCalls": _Rows.of_calls,
    "ScoreTable": _Rows.of_scores,
    "VectorScores": _Rows.of_vectors,
    "vector of each item": _Rows.of_items,
}
"""How rows become what a measure is computed from."""


def measure_table(
    counts: Confusion | ScoreTable, asked: Sequence[AskedMeasure], given: AskedWith
) -> tuple[Measured, ...]:
    """Measure counts that are there already."""
    scored = isinstance(counts, ScoreTable)
    kinds = {"ScoreTable"} if scored else {"Confusion", "JointCalls"}
    found = []
    for one in asked:
        twin = measures.CATALOGUE.get(one.measure.twin or "", one.measure)
        fitting = next((each for each in (one.measure, twin) if each.counts in kinds), None)
        if fitting is None:
            raise _say_needed(one, ["score" if scored else "called"])
        asked_of = replace(one, measure=fitting)
        found.append(say_number(measure_counts(asked_of, counts, given), asked_of))
    return tuple(found)


def _check_weights(measure: Measure, *, weighted: bool) -> None:
    if weighted and measure.why_not("weights"):
        message = (
            f"These rows carry weights, and {measure.name} cannot use them: "
            f"{measure.why_not('weights')}. Leave the column of weights out, or this measure."
        )
        raise NotComparable(message, code="weighted")


def measure_counts(
    one: AskedMeasure,
    counts: Confusion | ScoreTable | Grouped[Any] | ClusterPlacements,
    given: AskedWith,
) -> Measured:
    """Measure counts of all items, or of each cluster."""
    measure = one.measure
    if isinstance(counts, ClusterPlacements):
        return _of_placements(measure, counts, given.level)
    grouped = counts if isinstance(counts, Grouped) else None
    whole = counts.merged() if isinstance(counts, Grouped) else counts
    if isinstance(whole, Confusion):
        _check_weights(measure, weighted=whole.weights is not None)
        wanted, costs = _arguments(one, whole, given)
    else:
        wanted, costs = dict(one.numbers), None
        if "budget" in measure.needs and "depth" in wanted:
            wanted["budget"] = wanted.pop("depth") * whole.total

    def measure_one(held: Any) -> Measured:  # noqa: ANN401
        raters = measure.counts == "JointCalls"
        drawn = {"rng": np.random.default_rng(SEED)} if measure.drawn else {}
        found: Measured = measure.function(
            measures.ratings_of(held) if raters else held, **wanted, **drawn, level=given.level
        )
        return found

    if grouped is None:
        return measure_one(whole)
    if measure.why_not("clusters"):
        return _drop_interval(measure_one(whole), measure)
    if measure.clustered is not None:
        found: Measured = measure.clustered(grouped, **one.numbers, level=given.level)
        return found
    many = measures.clustered_measures(
        grouped, lambda table: (measure_one(table),), costs=costs, level=given.level
    )
    return many[0]


def _of_placements(measure: Measure, counts: ClusterPlacements, level: float) -> Measured:
    """Measure an area of more scores than can be held; nothing else is known of them."""
    if measure.public != "auc" or measure.clustered is None:
        message = (
            f"{measure.name} needs every distinct score of each cluster, and there are more than "
            "can be held. Areas are known at any size: measure='AUC' (--measure AUC)."
        )
        raise NotComparable(message, code="too-many-scores")
    found: Measured = measure.clustered(counts, level=level)
    return found


def _drop_interval(found: Measured, measure: Measure) -> Measured:
    """Give a value without an interval, and why there is none for clusters."""
    doubt = f"no interval of {measure.name} for items in clusters: {measure.why_not('clusters')}"
    kept = (one for one in found.caveats if Caveat.code_of(one) != "effective-rows")
    return replace(found, interval=None, caveats=(*kept, doubt))


def _arguments(
    one: AskedMeasure, confusion: Confusion, given: AskedWith
) -> tuple[dict[str, Any], dict[tuple[str, str], float] | None]:
    """Give a measure of calls what it needs beside them."""
    measure, wanted = one.measure, dict(one.numbers)
    costs = None
    if measure.of_class:
        wanted["of"] = _class_of(one, confusion, given)
    if "costs" in measure.needs:
        if given.cost is None:
            message = f"{measure.name} needs costs: cost={{'fn': 5, 'fp': 1}} (--cost fn=5,fp=1)."
            raise RequestError(message)
        wanted["costs"] = costs = cost_pairs(confusion, given.cost, given.positive)
    if "order" in measure.needs:
        wanted["order"] = _order(confusion, measure)
    if measure.public in {"cohen_kappa", "weighted_kappa"}:
        wanted["method"] = given.kappa_method or "adjusted"
    if measure.parts is not None and measure.public != "average":
        wanted["method"] = given.method
    return wanted, costs


def _class_of(one: AskedMeasure, confusion: Confusion, given: AskedWith) -> str:
    of = one.of or given.positive
    if one.of is not None:
        check_class(confusion, one.of)
    if of is None or of not in confusion.classes:
        first = confusion.classes[0] if confusion.classes else "CLASS"
        message = (
            f"{one.measure.name} is about one class. Name it: measure='{one.measure.name} of "
            f"{first}' (--measure '{one.measure.name} of {first}'), or {switch('positive', first)}."
        )
        raise RequestError(message)
    return of


def _order(confusion: Confusion, measure: Measure) -> tuple[str, ...]:
    if len(confusion.classes) <= 2:
        return confusion.classes  # of two classes either order says the same
    try:
        return tuple(sorted(confusion.classes, key=float))
    except ValueError:
        message = (
            f"{measure.name} needs the order of the classes, and these are not numbers. "
            "`steelyard agreement --order lowest,...,highest` takes one."
        )
        raise RequestError(message) from None


def say_number(found: Measured, one: AskedMeasure) -> Measured:
    """Name what was measured with its number: lift at two depths is two measures."""
    if not one.numbers or found.measure != one.measure.name:
        return found
    (number,) = one.numbers.values()
    return replace(found, measure=f"{found.measure} {number:g}")

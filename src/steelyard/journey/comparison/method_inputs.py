"""What one method of comparison is given: counts reduced in every way they allow."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from steelyard import measures, tally, uncertainty
from steelyard.comparison.methods import (
    ALIASES,
    METHODS,
    Case,
)
from steelyard.counts import (
    Grouped,
    JointCalls,
    JointScores,
    Outcomes,
    PlacementSums,
    ScoreTable,
    Trials,
)
from steelyard.errors import NotComparable, RequestError
from steelyard.journey.comparison.question import Question, priors_for
from steelyard.journey.comparison.truth_shares import (
    is_of_true_items,
    share_outcomes,
)
from steelyard.measures.catalogue.listing import (
    CATALOGUE,
    catalogue_entry,
    is_area,
    measure_tested_as,
)
from steelyard.measures.catalogue.measure import Measure
from steelyard.measures.tables.in_batches import score_measure, table_measure
from steelyard.sources import Predictions
from steelyard.sources.predictions import SplitRole
from steelyard.uncertainty import AreaSpreads

__all__ = [
    "BY_CLUSTERS",
    "LIST",
    "RESAMPLING",
    "case_of_counts",
    "case_of_predictions",
    "usual_method",
]

LIST = "list"
RESAMPLING = frozenset({"bootstrap", "permutation"})
"""Methods that draw or exchange whole clusters where a column names them."""

PLACEMENT, GUARDED, SHARES = "placement", "guarded", "paired-shares"
BY_CLUSTERS = RESAMPLING | {PLACEMENT, GUARDED, SHARES}
"""Methods that take clusters, where a column names them, as the units."""

BY_SHARE = "the share of right answers"
SplitValues = dict[str, tuple[float, ...]]


def usual_method(measure: str | None) -> str | None:
    """Name the method by which a measure is compared unless one is asked for.

    Shares of right answers are tested as these, areas as areas, under whatever name; other measures
    of calls have the limits that a gate holds them to, and those of scores are drawn again. None
    for accuracy: that is what a comparison is about when no measure is named.
    """
    if measure is None:
        return "bootstrap"
    entry = catalogue_entry(measure)
    if entry.counts_right:
        return None
    if is_area(entry):
        return PLACEMENT
    if is_of_true_items(entry):
        return SHARES
    return GUARDED if entry.counts == "Confusion" and entry.formula is not None else "bootstrap"


def _ask(question: Question, systems: tuple[str, ...]) -> dict[str, Any]:
    return {
        "systems": systems,
        "level": question.level,
        "alpha": question.alpha,
        "margin": question.margin,
        "seed": question.seed,
    }


def case_of_counts(
    data: Outcomes | JointCalls | Trials | JointScores | PlacementSums,
    question: Question,
    measure: str | None,
) -> Case:
    """Reduce counts in every way they allow."""
    asked = _ask(question, data.systems)
    if isinstance(data, JointScores | PlacementSums):
        return Case(
            **asked,
            pairing="common",
            scores=data if isinstance(data, JointScores) else None,
            areas=uncertainty.delong_covariance(data),
            spreads=uncertainty.joint_area_spreads(data),
            **_score(measure, data.positive),
        )
    if isinstance(data, JointCalls):
        return Case(
            **asked,
            pairing="common",
            outcomes=data.outcomes(),
            calls=data,
            **_label(measure, data.classes, None),
            **_share(data, measure, None),
        )
    if measure is not None:
        message = "These counts hold right and wrong answers only; measure= needs calls or scores."
        raise NotComparable(message, code="no-calls")
    if isinstance(data, Outcomes):
        return Case(**asked, pairing="common", outcomes=data)
    if data.pairing == "common":
        return Case(**asked, pairing="common", totals=data)
    return Case(
        **asked, pairing="independent", trials=data, priors=priors_for(question.prior, data.systems)
    )


def case_of_predictions(
    predictions: Predictions, question: Question, *, name: str, measure: str | None
) -> Case:
    """Tally predictions in every way that the method could need."""
    answered = predictions.with_answers()
    if not answered:
        return _score_case(predictions, question, name=name, measure=measure)
    names = tuple(system.name for system in answered)
    asked = _ask(question, names)
    if predictions.pairing == "independent":
        if measure is not None:
            message = "Measures are compared on common items; these systems had items of their own."
            raise NotComparable(message, code="not-paired")
        return Case(
            **asked,
            pairing="independent",
            trials=tally.tally_trials(predictions),
            priors=priors_for(question.prior, names),
        )
    wanted = _list_wanted(name)
    parts: dict[str, Any] = {"outcomes": tally.tally_outcomes(predictions)}
    if wanted & {"calls", "measure", "positive"} or measure is not None:
        parts |= _call_parts(predictions, measure)
    parts |= _split_parts(predictions, parts, name=name, measure=measure)
    return Case(**asked, pairing="common", positive=predictions.positive, **parts)


def _split_parts(
    predictions: Predictions, held: Mapping[str, Any], *, name: str, measure: str | None
) -> dict[str, Any]:
    """Tally within the clusters, groups and folds that a column names."""
    parts: dict[str, Any] = {}
    splits = predictions.splits
    if "cluster" in splits:
        parts["clusters"] = tally.tally_outcomes_by(predictions, "cluster")
        if "calls" in held and name in {*RESAMPLING, GUARDED, SHARES}:
            parts["cluster_calls"] = tally.tally_joint_calls_by(predictions, "cluster")
            parts |= _share(parts["cluster_calls"], measure, predictions.positive)
    if "group" in splits:
        parts["groups"] = tally.tally_outcomes_by(predictions, "group")
        parts["by_group"] = _split_values(predictions, "group", measure, held)
    if "fold" in splits:
        parts["by_fold"] = _split_values(predictions, "fold", measure, held)
    return parts


def _list_wanted(name: str) -> set[str]:
    if name == LIST:
        return {need for method in METHODS.values() for need in method.needs}
    return {
        need for one in ALIASES.get(name, (name,)) if one in METHODS for need in METHODS[one].needs
    }


def _call_parts(predictions: Predictions, measure: str | None) -> dict[str, Any]:
    held = tally.calling_systems(predictions)
    if len(held) != len(predictions.systems):
        if measure is not None and catalogue_entry(measure).name != "accuracy":
            message = "These systems say right or wrong only; measure= needs calls or scores."
            raise NotComparable(message, code="no-calls")
        return {}
    joint = tally.tally_joint_calls(predictions)
    return {
        "calls": joint,
        **_label(measure, joint.classes, predictions.positive),
        **_share(joint, measure, predictions.positive),
    }


def _share(
    joint: JointCalls | Grouped[JointCalls], measure: str | None, positive: str | None
) -> dict[str, Any]:
    """Count who was right on the items that a share is about, where the measure is one."""
    entry = None if measure is None else catalogue_entry(measure)
    if entry is None or positive is None or not is_of_true_items(entry):
        return {}
    return {"share": share_outcomes(joint, entry, positive)}


def _label(measure: str | None, classes: tuple[str, ...], positive: str | None) -> dict[str, Any]:
    entry = catalogue_entry(measure or "accuracy")
    return {
        "measure": entry.name if measure else BY_SHARE,
        "higher_is_better": _better_higher(entry),
        "table_measure": _test_table(entry, classes, positive),
    }


def _test_table(
    entry: Measure, classes: tuple[str, ...], positive: str | None
) -> Callable[[Any], Any]:
    """Compute a measure from the one it says the same as, so that both are drawn alike."""
    base, change = measure_tested_as(entry, classes=len(classes))
    table_measure(entry, classes, of=positive)  # what the measure asked for needs, is refused here
    batch = table_measure(base, classes, of=positive)
    return lambda tables: change.slope * batch(tables) + change.start


def _score(measure: str | None, positive: str) -> dict[str, Any]:
    entry = catalogue_entry(measure or "AUC")
    twin = CATALOGUE.get(entry.twin or "")
    if twin is not None and twin.counts == "ScoreTable":
        entry = twin
    base, change = measure_tested_as(entry)
    batch = score_measure(base, positive)
    return {
        "measure": entry.name,
        "higher_is_better": _better_higher(entry),
        "score_measure": batch
        if base is entry
        else lambda *held: change.slope * batch(*held) + change.start,
        "scale": change.slope if base.name == "AUC" else 1.0,
        "ranks": entry.family in {"ranking", "targeting"},
    }


def _better_higher(entry: Measure) -> bool:
    if entry.direction == "neither":
        message = (
            f"{entry.name} is neither better high nor low, so it cannot say which system is better."
        )
        raise RequestError(message)
    return entry.direction == "larger is better"


def _score_case(
    predictions: Predictions, question: Question, *, name: str, measure: str | None
) -> Case:
    systems = predictions.systems
    asked = _ask(question, tuple(system.name for system in systems))
    positive = predictions.positive or ""
    parts = _score(measure, positive)
    if predictions.pairing == "independent":
        tables = [tally.tally_score_table(predictions, system) for system in systems]
        values = np.array([measures.auc(table).value for table in tables], dtype=np.float64)
        variances = np.diag([uncertainty.delong_variance(table) for table in tables])
        del parts["score_measure"]
        return Case(
            **asked,
            pairing="independent",
            areas=(values, variances),
            spreads=_own_spreads(predictions, tables),
            positive=positive,
            **parts,
        )
    joint = _joint(predictions, name)
    if isinstance(joint, PlacementSums):
        del parts["score_measure"]
    if "cluster" in predictions.splits and name in RESAMPLING:
        parts["cluster_scores"] = tally.tally_joint_scores_by(predictions, "cluster")
    parts["spreads"] = uncertainty.joint_area_spreads(joint)
    if "cluster" in predictions.splits:
        held = [tally.tally_cluster_areas(predictions, system) for system in systems]
        parts["spreads"] = uncertainty.clustered_area_spreads(held, items=parts["spreads"])
    for role, field in (("group", "by_group"), ("fold", "by_fold")):
        if role in predictions.splits:
            one = _score(measure, positive)["score_measure"]
            parts[field] = {
                system.name: _each(
                    tally.tally_score_table_by(predictions, system, role),
                    _table_value(one, parts["measure"]),
                )
                for system in systems
            }
    return Case(
        **asked,
        pairing="common",
        scores=joint if isinstance(joint, JointScores) else None,
        areas=uncertainty.delong_covariance(joint),
        positive=positive,
        **parts,
    )


def _own_spreads(predictions: Predictions, tables: Sequence[ScoreTable]) -> AreaSpreads:
    if "cluster" not in predictions.splits:
        return uncertainty.own_area_spreads(tables)
    held = [tally.tally_cluster_areas(predictions, system) for system in predictions.systems]
    return uncertainty.clustered_area_spreads(held, common=False)


def _joint(predictions: Predictions, name: str) -> JointScores | PlacementSums:
    """Align scores; a method that draws items again needs them, areas alone only their sums."""
    # A name may also stand for a method of values, which these data do not hold.
    wanted = _list_wanted(name) - {"values", "differences"}
    if wanted and wanted <= {"measure", "scores"}:
        return tally.tally_joint_scores(predictions)
    return tally.tally_joint_areas(predictions)


def _table_value(measure: Callable[..., Any], name: str) -> Callable[[ScoreTable], float]:
    def value(table: ScoreTable) -> float:
        if table.positive_total == 0 or table.negative_total == 0:
            return float("nan")
        if table.thinned and name == "AUC":
            return float(measures.auc(table).value or 0.0)
        if table.thinned:
            message = (
                f"{name} in groups or folds needs every distinct score, and there are more than "
                "can be held. Areas are compared at any size: leave the measure out."
            )
            raise NotComparable(message, code="too-many-scores")
        return float(measure(table.scores, table.positives[None, :], table.negatives[None, :])[0])

    return value


def _each(grouped: Grouped[Any], value: Callable[[Any], float]) -> tuple[float, ...]:
    found = tuple(value(part) for _, part in grouped)
    for (name, _), one in zip(grouped, found, strict=True):
        if one != one:  # noqa: PLR0124 - NaN alone differs from itself
            message = (
                f"The measure is undefined in {grouped.by} {name}, so parts cannot be compared. "
                "Choose another measure, or leave that part out."
            )
            raise NotComparable(message, code="undefined-measure")
    return found


def _split_values(
    predictions: Predictions,
    role: SplitRole,
    measure: str | None,
    parts: Mapping[str, Any],
) -> SplitValues:
    """Measure every system within every part of a split."""
    names = [system.name for system in predictions.with_answers()]
    if measure is None or "table_measure" not in parts:
        grouped = tally.tally_outcomes_by(predictions, role)
        return {
            name: tuple(part.correct()[at] / part.total for _, part in grouped)
            for at, name in enumerate(names)
        }
    joint = tally.tally_joint_calls_by(predictions, role)
    whole = parts["calls"].classes
    batch = _test_table(catalogue_entry(measure), whole, predictions.positive)

    place = {one: at for at, one in enumerate(whole)}

    def value_of(name: str) -> Callable[[JointCalls], float]:
        def value(part: JointCalls) -> float:
            table = np.zeros((1, len(whole), len(whole)), dtype=np.int64)
            for truth, called, rows in part.confusion(name).cells:
                table[0, place[truth], place[called]] = rows
            return float(batch(table)[0])

        return value

    return {name: _each(joint, value_of(name)) for name in names}

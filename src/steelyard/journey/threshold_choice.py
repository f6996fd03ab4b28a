"""Where do I set the threshold of a system?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Unpack, get_args

import numpy as np

from steelyard.counts import ScoreTable
from steelyard.errors import NotComparable, RequestError, listing, switch
from steelyard.journey.opening import (
    RoleArguments,
    checked_seed,
    opened,
    provenance_of,
    record_of_counts,
)
from steelyard.measures import (
    RULES,
    Costs,
    FoundThreshold,
    Number,
    OperatingPoint,
    ThresholdMethod,
    ThresholdQuestion,
    ThresholdStability,
    exact_number,
    exact_share,
    find_threshold,
    point_at,
    threshold_stability,
)
from steelyard.results import (
    Estimate,
    Interval,
    MethodThreshold,
    Proportion,
    Provenance,
    SweptThreshold,
    ThresholdChoice,
)
from steelyard.sources import Predictions, System
from steelyard.tally import tally_score_table
from steelyard.uncertainty.score_resampling import CELLS, RESAMPLES

__all__ = ["threshold"]

FEW = 30
SWEPT = 201
NOT_GIVEN = "none was given, and 0.5 means nothing for scores outside [0, 1]"
KINDS_OF_CALL = ("fn", "fp", "tp", "tn")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The question as it will be answered and recorded."""

    by: ThresholdMethod
    question: ThresholdQuestion
    level: float
    seed: int
    resamples: int
    system: str | None
    provenance: Provenance
    caveats: tuple[str, ...] = ()


def threshold(  # noqa: PLR0913 - one argument for each number a recipe may need
    data: Any,  # noqa: ANN401
    *,
    by: ThresholdMethod = "max-kappa",
    sensitivity: Number | None = None,
    specificity: Number | None = None,
    false_alarm_rate: Number | None = None,
    beta: Number | None = None,
    cost: Mapping[str, Number] | None = None,
    level: float = 0.95,
    rng: int = 0,
    resamples: int = RESAMPLES,
    **roles: Unpack[RoleArguments],
) -> ThresholdChoice:
    """Say where to set the threshold of one system that gives scores, and what to expect of it.

    Every recipe is worked out and shown beside the one asked for. The number that a recipe
    promises was measured on the items that chose the threshold, so it promises too much; the
    bootstrap says what to expect on new ones.

    Parameters
    ----------
    data
        Whatever :func:`steelyard.sources.open_predictions` takes, or a ``ScoreTable``. Of several
        systems with scores, name one with ``score`` or ``systems``.
    by
        The recipe: ``max-kappa``, ``max-sum``, ``equal-rates``, ``sensitivity``, ``specificity``,
        ``false-alarm-budget``, ``lowest-positive``, ``mean-score``, ``prevalence``,
        ``predicted-prevalence``, ``min-cost``, ``max-f``, ``closest-corner``, or ``fixed`` with
        ``threshold``.
    sensitivity, specificity, false_alarm_rate
        Wanted rates; 0.95, 0.95 and 0.05 unless told.
    beta
        Weight of recall in F; 1 unless told.
    cost
        Cost of each kind of call, such as ``{"fn": 5, "fp": 1}``; 1 for each error unless told.
    level
        Coverage of the intervals.
    rng
        Seed of the bootstrap, recorded in the result.
    resamples
        Bootstrap resamples; 0 for none.
    **roles
        What the columns mean; see :class:`steelyard.journey.opening.RoleArguments`.

    Examples
    --------
    >>> import steelyard as sy
    >>> table = sy.ScoreTable.from_scores(
    ...     [0.18, 0.42, 0.82, 0.88, 0.92], [0, 0.11, 0.21, 0.35, 0.56], positive="ship")
    >>> print(sy.threshold(table, by="max-f", resamples=0).sentence())
    Call ship from 0.42 up: F1 is largest there (0.800).
    """
    if not 0 < level < 1:
        raise RequestError.for_level(name="level", given=level)
    if by not in get_args(ThresholdMethod):
        raise RequestError.for_choice(name="by", given=by, choices=get_args(ThresholdMethod))
    rng = checked_seed(rng)
    fixed = roles.pop("threshold", None)
    question = _question(
        value=fixed,
        sensitivity=sensitivity,
        specificity=specificity,
        false_alarm_rate=false_alarm_rate,
        beta=beta,
        cost=cost,
    )
    _check_fits(by, fixed)
    settings = _settings(by, question, level, resamples)
    system: str | None
    caveats: tuple[str, ...] = ()
    if isinstance(data, ScoreTable):
        given = sorted(name for name, value in roles.items() if value is not None)
        if given:
            message = f"Counts have no columns, so {given[0]}= says nothing. Leave it out."
            raise RequestError(message)
        table, system = data, None
        record = record_of_counts(settings, seed=rng)
    else:
        predictions = opened(data, roles)
        chosen = _one_scored(predictions)
        table, system = tally_score_table(predictions, chosen), chosen.name
        caveats = predictions.caveats
        record = provenance_of(predictions, settings, seed=rng)
    asked = Asked(
        by=by,
        question=question,
        level=level,
        seed=rng,
        resamples=resamples,
        system=system,
        provenance=record,
        caveats=caveats,
    )
    return _answered(table, asked)


def _answered(table: ScoreTable, asked: Asked) -> ThresholdChoice:
    if table.positive_weights is not None:
        message = (
            "These rows carry weights, and a threshold counts whole items. Leave the weight column "
            "out of it."
        )
        raise NotComparable(message, code="weighted")
    found = {method: find_threshold(table, method, asked.question) for method in RULES}
    if asked.by != "fixed" and _outside(table):
        found["fixed"] = FoundThreshold(method="fixed", threshold=None, reason=NOT_GIVEN)
    chosen = found[asked.by]
    stability = _stability(table, chosen, asked)
    return ThresholdChoice(
        system=asked.system,
        positive=table.positive,
        by=asked.by,
        items=table.total,
        positives=table.positive_total,
        methods=tuple(_shown(one, asked.question) for one in found.values()),
        interval=_interval(chosen, stability),
        expected=_expected(chosen, stability, table),
        level=asked.level,
        resamples=stability.resamples if stability else 0,
        provenance=asked.provenance,
        sweep=_sweep(table, chosen, asked.question),
        swept_of=int(np.isfinite(table.scores).sum()),
        caveats=(*asked.caveats, *_doubts(table, chosen, stability, asked)),
    )


def _sweep(
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
        point = point_at(table, one, question)
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


def _outside(table: ScoreTable) -> bool:
    return bool(table.total) and not (table.scores[0] >= 0 and table.scores[-1] <= 1)


def _question(
    *,
    value: float | None,
    sensitivity: Number | None,
    specificity: Number | None,
    false_alarm_rate: Number | None,
    beta: Number | None,
    cost: Mapping[str, Number] | None,
) -> ThresholdQuestion:
    usual = ThresholdQuestion()
    given: dict[str, Any] = {
        name: exact_share(share, name)
        for name, share in (
            ("sensitivity", sensitivity),
            ("specificity", specificity),
            ("false_alarm_rate", false_alarm_rate),
        )
        if share is not None
    }
    if value is not None:
        given["value"] = float(exact_number(value, "threshold"))
    if beta is not None:
        given["beta"] = exact_number(beta, "beta")
        if given["beta"] <= 0:
            message = f"beta={beta!r} must be above 0; 1 weighs recall and precision alike."
            raise RequestError(message)
    if cost is not None:
        given["costs"] = _costs(cost)
    return ThresholdQuestion(**({"costs": usual.costs} | given))


def _costs(cost: Mapping[str, Number]) -> Costs:
    for name in cost:
        if name not in KINDS_OF_CALL:
            raise RequestError.for_choice(name="cost", given=name, choices=KINDS_OF_CALL)
    exact = {name: exact_number(value, f"cost of {name}") for name, value in cost.items()}
    return Costs(**exact)


def _check_fits(by: ThresholdMethod, fixed: float | None) -> None:
    if by == "fixed" and fixed is None:
        message = f"A fixed threshold must be given: {switch('threshold', '0.5')}."
        raise RequestError(message)
    if by != "fixed" and fixed is not None:
        message = (
            f"threshold={fixed:g} was given, and {switch('by', by)} looks for one. For the given "
            f"one pass {switch('by', 'fixed')}."
        )
        raise RequestError(message)


def _settings(
    by: ThresholdMethod, question: ThresholdQuestion, level: float, resamples: int
) -> dict[str, object]:
    costs = question.costs
    said = ",".join(
        f"{name}={float(getattr(costs, name)):g}" for name in KINDS_OF_CALL if getattr(costs, name)
    )
    return {
        "by": by,
        "threshold": f"{question.value:g}" if by == "fixed" else None,
        "sensitivity": f"{float(question.sensitivity):g}",
        "specificity": f"{float(question.specificity):g}",
        "false_alarm_rate": f"{float(question.false_alarm_rate):g}",
        "beta": f"{float(question.beta):g}",
        "cost": said,
        "level": level,
        "resamples": resamples,
    }


def _one_scored(predictions: Predictions) -> System:
    scored = predictions.holding("score")
    names = [system.name for system in scored]
    if not scored:
        found = predictions.described()
        message = f"A threshold needs a system that gives scores. Found: {found}."
        raise NotComparable(message, code="no-scores")
    if len(scored) > 1:
        message = (
            f"{len(scored)} systems give scores: {listing(names)}. A threshold is set for one of "
            f"them: {switch('score', names[0])}."
        )
        raise NotComparable(message, code="several-scores")
    return scored[0]


def _shown(found: FoundThreshold, question: ThresholdQuestion) -> MethodThreshold:
    rule = RULES[found.method]
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
        promises=_noun(found, question),
        promise=found.promise,
        reason=found.reason,
        **_measured(found.point),
    )


def _noun(found: FoundThreshold, question: ThresholdQuestion) -> str | None:
    promise = RULES[found.method].promise
    return f"F{float(question.beta):g}" if promise == "f" else promise


def _measured(point: OperatingPoint | None) -> dict[str, Any]:
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


def _stability(
    table: ScoreTable, chosen: FoundThreshold, asked: Asked
) -> ThresholdStability | None:
    """Resample, unless nothing was found, nothing was asked for or the threshold was given."""
    given = asked.by == "fixed" or not asked.resamples
    if given or chosen.threshold is None or table.negative_total == 0:
        return None
    return threshold_stability(
        table,
        asked.by,
        asked.question,
        rng=np.random.default_rng(asked.seed),
        level=asked.level,
        resamples=asked.resamples,
    )


def _interval(chosen: FoundThreshold, found: ThresholdStability | None) -> Interval | None:
    if found is None or found.low is None or found.high is None or chosen.threshold is None:
        return None
    return Interval(
        low=min(found.low, chosen.threshold),
        high=max(found.high, chosen.threshold),
        level=found.level,
        method="bootstrap-percentile",
    )


def _expected(
    chosen: FoundThreshold, found: ThresholdStability | None, table: ScoreTable
) -> Estimate | None:
    promise = RULES[chosen.method].promise
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


def _doubts(
    table: ScoreTable, chosen: FoundThreshold, found: ThresholdStability | None, asked: Asked
) -> tuple[str, ...]:
    doubts = []
    smaller = min(table.positive_total, table.negative_total)
    if chosen.threshold is not None and found is not None and smaller < FEW:
        doubts.append(
            f"the smaller class has {smaller} items: the threshold and what it promises are "
            "hardly known"
        )
    if found is not None and table.scores.size > CELLS:
        doubts.append(
            f"resamples went over {CELLS:,d} groups of neighbouring scores; the threshold itself "
            f"was looked for among all {table.scores.size:,d}"
        )
    if asked.by == "min-cost" and chosen.promise is not None and table.negative_total:
        costs = asked.question.costs
        spent, items = costs.ratio(0, 0, table.positive_total, table.negative_total)
        if spent < exact_number(chosen.promise, "cost") * items:
            doubts.append(
                f"calling nothing at all would cost less, {float(spent / items):.4g} an item"
            )
    return tuple(doubts)

"""Where do I set the threshold of a system?"""

from collections.abc import Callable
from dataclasses import replace
from math import hypot
from typing import Any, Unpack, get_args

import numpy as np

from steelyard import measures, uncertainty
from steelyard.counts import Confusion, Grouped, ScoreTable
from steelyard.errors import NotComparable, RequestError, check_share, listing, switch
from steelyard.journey.arguments import refuse_excess
from steelyard.journey.opening import check_seed, lives_on_device
from steelyard.journey.option_types import ThresholdOptions, ThresholdSettings
from steelyard.journey.options import settle, takes
from steelyard.journey.scored import Scored, cluster_notes, keep_notes, open_scored
from steelyard.journey.thresholds.answers import (
    caveats_of,
    expect_promise,
    interval_of,
    promise_name,
    show_method,
    stability_of,
    swept,
)
from steelyard.journey.thresholds.promised import (
    PROMISED,
    find_promised,
    is_vector_alone,
    promise_answers,
)
from steelyard.journey.thresholds.question import (
    Asked,
    check_fits,
    question_of,
    settings_of,
    weigh_costs,
)
from steelyard.results import (
    Caveat,
    Estimate,
    FoldThreshold,
    Interval,
    Measured,
    ThresholdChoice,
)

__all__ = [
    "out_of_fold",
    "threshold",
    "threshold_by_fold",
]


POSITIVE, NEGATIVE = "positive", "negative"
CLUSTERED = (
    "out of fold has no interval: clusters may lie across folds, whose thresholds then share items "
    "that are alike"
)


def threshold_by_fold(folds: Grouped[ScoreTable], asked: Asked) -> tuple[FoldThreshold, ...]:
    """Find the threshold of each fold alone and of all others, and try the latter on the fold."""
    found = []
    for name, part in folds:
        own = measures.find_threshold(part, asked.by, asked.question)
        rest = Grouped.from_parts(folds.by, {n: p for n, p in folds if n != name})
        others = (
            measures.find_threshold(_together(rest), asked.by, asked.question)
            if len(rest)
            else None
        )
        chosen = None if others is None else others.threshold
        point = None if chosen is None else measures.point_at(part, chosen, asked.question)
        counts = (point.tp, point.fp, point.fn, point.tn) if point is not None else (0, 0, 0, 0)
        found.append(
            FoldThreshold(
                fold=name,
                items=part.total,
                own=own.threshold,
                others=chosen,
                tp=counts[0],
                fp=counts[1],
                fn=counts[2],
                tn=counts[3],
                promise=_promise(counts, asked),
            )
        )
    return tuple(found)


def out_of_fold(
    folds: tuple[FoldThreshold, ...], asked: Asked, *, clustered: bool = False
) -> Estimate | None:
    """Measure the promise over all folds, each at the threshold that the others chose.

    No item had a say in its own threshold, so the interval is that of a table of calls. Items in
    clusters leave none.
    """
    name = promise_name(asked.by, asked.question)
    if not folds or name is None:
        return None
    tried = [one for one in folds if one.others is not None]
    counts = tuple(sum(getattr(one, cell) for one in tried) for cell in ("tp", "fp", "fn", "tn"))
    value = _promise((counts[0], counts[1], counts[2], counts[3]), asked)
    return Estimate(
        measure=f"{name}, out of fold",
        value=value,
        reason=None if value is not None else "it is undefined on the folds left out",
        interval=None if value is None or clustered else _interval(value, counts, asked),
        items=sum(counts),
        caveats=(CLUSTERED,) if clustered and value is not None else (),
    )


def _interval(value: float, counts: tuple[int, ...], asked: Asked) -> Interval | None:
    tp, fp, fn, tn = counts
    table = Confusion.from_binary(tp=tp, fp=fp, fn=fn, tn=tn)
    promise = measures.RULES[asked.by].promise or ""
    level, question = asked.level, asked.question
    if promise == "corner distance":
        return _corner(value, ((fn, tp + fn), (fp, fp + tn)), level)
    costs = question.costs
    pairs = {
        (POSITIVE, NEGATIVE): float(costs.fn),
        (NEGATIVE, POSITIVE): float(costs.fp),
        (POSITIVE, POSITIVE): float(costs.tp),
        (NEGATIVE, NEGATIVE): float(costs.tn),
    }
    of = {"of": POSITIVE, "level": level}
    found: dict[str, Callable[[], Measured]] = {
        "recall": lambda: measures.recall(table, **of),  # type: ignore[arg-type]
        "specificity": lambda: measures.specificity(table, **of),  # type: ignore[arg-type]
        "false alarm rate": lambda: measures.false_positive_rate(table, **of),  # type: ignore[arg-type]
        "flagged share": lambda: measures.called_share(table, **of),  # type: ignore[arg-type]
        "balanced accuracy": lambda: measures.balanced_accuracy(table, level=level),
        "kappa": lambda: measures.cohen_kappa(table, level=level),
        "cost": lambda: measures.expected_cost(table, pairs, level=level),
        "f": lambda: measures.f_beta(table, beta=float(question.beta), **of),  # type: ignore[arg-type]
    }
    return found[promise]().interval if promise in found else None


def _corner(
    value: float, errors: tuple[tuple[int, int], tuple[int, int]], level: float
) -> Interval | None:
    """Carry Wilson's limits of misses and false alarms over to the distance that they make."""
    ends = [uncertainty.wilson_interval(*one, level=level) for one in errors]
    shares = [won / total for won, total in errors]
    if value == 0:
        low, high = 0.0, hypot(ends[0][1], ends[1][1])
    else:
        sides = list(zip(shares, ends, strict=True))
        low = value - hypot(*(share * (share - one[0]) / value for share, one in sides))
        high = value + hypot(*(share * (one[1] - share) / value for share, one in sides))
        # A side without any error has no slope; what it may yet hold is added as it stands.
        high = max(high, hypot(*(one[1] if share == 0 else share for share, one in sides)))
    return Interval(low=max(0.0, low), high=high, level=level, method="mover-wilson")


def _together(folds: Grouped[ScoreTable]) -> ScoreTable:
    """Add folds up; thinned ones share the ends of their ranges, at which counts stay exact."""
    if not any(part.thinned for part in folds.parts):
        return folds.merged()
    columns = ("scores", "positives", "negatives")
    return ScoreTable.from_counts(
        *(np.concatenate([getattr(part, name) for part in folds.parts]) for name in columns),
        positive=folds.parts[0].positive,
    )


def _promise(counts: tuple[int, int, int, int], asked: Asked) -> float | None:
    promise = measures.RULES[asked.by].promise
    if promise is None or not sum(counts):
        return None
    value = float(
        measures.promised(promise, tuple(np.array([n]) for n in counts), asked.question)[0]
    )
    return None if np.isnan(value) else value


NOT_GIVEN = "none was given, and 0.5 means nothing for scores outside [0, 1]"
WHY = (
    "a threshold is chosen by counting whole items, which sums of weights do not allow (nor do "
    "they give the bootstrap anything to draw)"
)


@refuse_excess
@takes("threshold")
def threshold(data: Any, **options: Unpack[ThresholdOptions]) -> ThresholdChoice:  # noqa: ANN401
    """Say where to set the threshold of one system that gives scores, and what to expect of it.

    Every recipe is worked out and shown beside the one asked for. The number that a recipe
    promises was measured on the items that chose the threshold, so it promises too much; the
    bootstrap says what to expect on new ones. With a column of folds each fold is also judged by
    the threshold that the others choose.

    Parameters
    ----------
    data
        Whatever :func:`steelyard.sources.open_predictions` takes, or a ``ScoreTable``. Of several
        systems with scores, name one with ``score`` or ``systems``; a vector is the score of the
        positive class.
    by
        The recipe: ``max-kappa``, ``max-sum``, ``equal-rates``, ``sensitivity``, ``specificity``,
        ``false-alarm-budget``, ``lowest-positive``, ``mean-score``, ``prevalence``,
        ``predicted-prevalence``, ``min-cost``, ``max-f``, ``closest-corner``, or ``fixed`` with
        ``threshold``.
    promise, grid
        ``"precision at least 0.9"``: the lowest threshold of ``grid``, fixed beforehand, above
        which that is shown with confidence ``level`` although it was chosen on these items.
    certainty
        With ``promise``: the column that says how sure the system was of each answer. It answers
        from the threshold up, and the promise is about its answers.
    sensitivity, specificity, false_alarm_rate
        Wanted rates; 0.95, 0.95 and 0.05 unless told.
    beta
        Weight of recall in F; 1 unless told.
    cost
        Cost of each kind of call, such as ``{"fn": 5, "fp": 1}``; 1 for each error unless told.
    prevalence
        Share of positives where the system will be used, if it is another than here: costs are
        weighed for it.
    unweighted
        Count every row once, although the rows carry weights.
    level
        Coverage of the intervals.
    rng
        Seed of the bootstrap, recorded in the result.
    resamples
        Bootstrap resamples; 0 for none.
    **roles
        What the columns mean; see :class:`steelyard.journey.opening.RoleArguments`.

    Returns
    -------
    ThresholdChoice
        The threshold, what it gives on these items, and what to expect on new ones.

    Raises
    ------
    RefusedData
        The data cannot answer the question; the message says what was found, what was expected and
        what to type next.
    RequestError
        An argument is unknown, lies outside its domain or does not fit the others.

    Examples
    --------
    >>> import steelyard as sy
    >>> table = sy.ScoreTable.from_scores(
    ...     [0.18, 0.42, 0.82, 0.88, 0.92], [0, 0.11, 0.21, 0.35, 0.56], positive="ship")
    >>> print(sy.threshold(table, by="max-f", resamples=0).sentence())
    Call ship from 0.42 up: F1 is largest there (0.800).
    """
    own: ThresholdSettings
    own, roles = settle("threshold", options)
    if lives_on_device(data):
        from steelyard.journey.on_device import answer_there

        return answer_there(threshold, data, options, rows=own["certainty"] is not None)
    by, level, resamples = own["by"], own["level"], own["resamples"]
    check_share("level", level)
    if by not in get_args(measures.ThresholdMethod):
        raise RequestError.for_choice(
            name="by", given=by, choices=get_args(measures.ThresholdMethod)
        )
    rng = check_seed(own["rng"])
    resamples = 0 if own["promise"] is not None else resamples
    fixed = roles.pop("threshold", None)
    question = question_of(
        value=fixed,
        sensitivity=own["sensitivity"],
        specificity=own["specificity"],
        false_alarm_rate=own["false_alarm_rate"],
        beta=own["beta"],
        cost=own["cost"],
        prevalence=own["prevalence"],
    )
    check_fits(by, fixed)
    if own["certainty"] is not None or (own["promise"] and is_vector_alone(roles)):
        return promise_answers(data, roles, own, question)
    scored = open_scored(data, roles, why=WHY, verb="threshold", unweighted=own["unweighted"])
    name = _sole_system(scored)
    asked = Asked(
        by=by,
        question=weigh_costs(question, scored.tables[name]),
        level=level,
        seed=rng,
        resamples=resamples,
        system=name if scored.named else None,
        provenance=scored.record(settings_of(by, question, level, resamples), seed=rng),
        caveats=(*scored.caveats, *keep_notes({name: scored.tables[name]})),
    )
    found = _answer(scored.tables[name], asked, scored.folds(name), scored.clusters(name))
    if own["promise"] is None:
        if own["grid"] is not None:
            message = "grid= are thresholds for promise= (--promise 'precision at least 0.9')."
            raise RequestError(message)
        return found
    promise = find_promised(
        scored.tables[name], own["promise"], own["grid"], level=level, question=asked.question,
        clusters=scored.clusters(name),
    )  # fmt: skip
    # What the other recipes expect, and their bootstrap, is not about the promised one.
    return replace(
        found, by=PROMISED, methods=(promise, *found.methods), interval=None, expected=None,
        resamples=0, folds=(), out_of_fold=None,
        caveats=tuple(said for said in found.caveats if Caveat.code_of(said) is None),
    )  # fmt: skip


def _answer(
    table: ScoreTable,
    asked: Asked,
    folds: Grouped[ScoreTable] | None,
    clusters: Grouped[ScoreTable] | None = None,
) -> ThresholdChoice:
    found = {
        method: measures.find_threshold(table, method, asked.question) for method in measures.RULES
    }
    if asked.by != "fixed" and _outside(table):
        found["fixed"] = measures.FoundThreshold(method="fixed", threshold=None, reason=NOT_GIVEN)
    chosen = found[asked.by]
    stability = stability_of(table, chosen, asked, clusters)
    by_fold = () if folds is None else threshold_by_fold(folds, asked)
    return ThresholdChoice(
        system=asked.system,
        positive=table.positive,
        by=asked.by,
        items=table.total,
        positives=table.positive_total,
        methods=tuple(show_method(one, asked.question) for one in found.values()),
        interval=interval_of(chosen, stability),
        expected=expect_promise(chosen, stability, table),
        level=asked.level,
        resamples=stability.resamples if stability else 0,
        provenance=asked.provenance,
        sweep=swept(table, chosen, asked.question),
        swept_of=int(np.isfinite(table.scores).sum()),
        folds=by_fold,
        out_of_fold=out_of_fold(by_fold, asked, clustered=clusters is not None),
        caveats=(
            *asked.caveats,
            *cluster_notes(clusters),
            *caveats_of(table, chosen, stability, asked),
        ),
    )


def _outside(table: ScoreTable) -> bool:
    return bool(table.total) and not (table.scores[0] >= 0 and table.scores[-1] <= 1)


def _sole_system(scored: Scored) -> str:
    names = list(scored.tables)
    if len(names) > 1:
        message = (
            f"{len(names)} systems give scores: {listing(names)}. A threshold is set for one of "
            f"them: {switch('score', names[0])}."
        )
        raise NotComparable(message, code="several-scores")
    return names[0]

"""Where do I set the threshold of a system?"""

from typing import Any, Unpack, get_args

import numpy as np

from steelyard.counts import Grouped, ScoreTable
from steelyard.errors import NotComparable, RequestError, listing, switch
from steelyard.journey.arguments import check_arguments
from steelyard.journey.opening import checked_seed
from steelyard.journey.option_types import ThresholdOptions, ThresholdSettings
from steelyard.journey.options import settle, takes
from steelyard.journey.scored import Scored, cluster_notes, kept_notes, open_scored
from steelyard.journey.thresholds.answers import (
    caveats_of,
    expected_of,
    interval_of,
    shown_method,
    stability_of,
    swept,
)
from steelyard.journey.thresholds.folds import out_of_fold, threshold_by_fold
from steelyard.journey.thresholds.question import Asked, check_fits, question_of, settings_of
from steelyard.measures import (
    RULES,
    FoundThreshold,
    ThresholdMethod,
    find_threshold,
)
from steelyard.results import ThresholdChoice

__all__ = ["threshold"]

NOT_GIVEN = "none was given, and 0.5 means nothing for scores outside [0, 1]"
WHY = (
    "a threshold is chosen by counting whole items, which sums of weights do not allow (nor do "
    "they give the bootstrap anything to draw)"
)


@check_arguments
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
    sensitivity, specificity, false_alarm_rate
        Wanted rates; 0.95, 0.95 and 0.05 unless told.
    beta
        Weight of recall in F; 1 unless told.
    cost
        Cost of each kind of call, such as ``{"fn": 5, "fp": 1}``; 1 for each error unless told.
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
    by, level, resamples = own["by"], own["level"], own["resamples"]
    if not 0 < level < 1:
        raise RequestError.for_level(name="level", given=level)
    if by not in get_args(ThresholdMethod):
        raise RequestError.for_choice(name="by", given=by, choices=get_args(ThresholdMethod))
    rng = checked_seed(own["rng"])
    fixed = roles.pop("threshold", None)
    question = question_of(
        value=fixed,
        sensitivity=own["sensitivity"],
        specificity=own["specificity"],
        false_alarm_rate=own["false_alarm_rate"],
        beta=own["beta"],
        cost=own["cost"],
    )
    check_fits(by, fixed)
    scored = open_scored(data, roles, why=WHY, verb="threshold", unweighted=own["unweighted"])
    name = _one_scored(scored)
    asked = Asked(
        by=by,
        question=question,
        level=level,
        seed=rng,
        resamples=resamples,
        system=None if scored.predictions is None else name,
        provenance=scored.record(settings_of(by, question, level, resamples), seed=rng),
        caveats=(*scored.caveats, *kept_notes({name: scored.tables[name]})),
    )
    return _answered(scored.tables[name], asked, scored.folds(name), scored.clusters(name))


def _answered(
    table: ScoreTable,
    asked: Asked,
    folds: Grouped[ScoreTable] | None,
    clusters: Grouped[ScoreTable] | None = None,
) -> ThresholdChoice:
    found = {method: find_threshold(table, method, asked.question) for method in RULES}
    if asked.by != "fixed" and _outside(table):
        found["fixed"] = FoundThreshold(method="fixed", threshold=None, reason=NOT_GIVEN)
    chosen = found[asked.by]
    stability = stability_of(table, chosen, asked, clusters)
    by_fold = () if folds is None else threshold_by_fold(folds, asked)
    return ThresholdChoice(
        system=asked.system,
        positive=table.positive,
        by=asked.by,
        items=table.total,
        positives=table.positive_total,
        methods=tuple(shown_method(one, asked.question) for one in found.values()),
        interval=interval_of(chosen, stability),
        expected=expected_of(chosen, stability, table),
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


def _one_scored(scored: Scored) -> str:
    names = list(scored.tables)
    if len(names) > 1:
        message = (
            f"{len(names)} systems give scores: {listing(names)}. A threshold is set for one of "
            f"them: {switch('score', names[0])}."
        )
        raise NotComparable(message, code="several-scores")
    return names[0]

"""Which system is better, and how sure is that?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack, overload

from steelyard.comparison.methods import METHODS, Case
from steelyard.counts import Grouped, JointCalls, JointScores, Outcomes, Trials
from steelyard.errors import NotComparable, RequestError, listing, switch
from steelyard.journey.compared_answers import weigh_apart, weigh_common, weigh_totals
from steelyard.journey.compared_areas import (
    compare_clustered_areas,
    compare_joint_areas,
    compare_own_areas,
)
from steelyard.journey.compared_clusters import CLUSTERED, cluster_doubts, weigh_clusters
from steelyard.journey.compared_repeats import REPEATED, checked_estimand, weigh_repeats
from steelyard.journey.compared_slices import apart_slices, common_slices, reversals
from steelyard.journey.comparison_question import Question, assembled, said_prior
from steelyard.journey.one_method import case_of_counts, case_of_predictions, work_out
from steelyard.journey.open_pairs import more_of_common, more_of_independent
from steelyard.journey.opening import (
    RoleArguments,
    checked_seed,
    opened,
    provenance_of,
    record_of_counts,
)
from steelyard.measures import ESTIMANDS
from steelyard.results import Comparison, Working
from steelyard.sources import Predictions
from steelyard.tally import (
    tally_joint_scores,
    tally_outcomes,
    tally_outcomes_by,
    tally_score_table,
    tally_score_table_by,
    tally_trials,
    tally_trials_by,
)

__all__ = ["compare"]

TOTALS_ONLY = (
    "only totals are known, not who was right together: no test and no probability can be had, and "
    "Akaike's criterion weighs all the ways it may have been, each pair taken alone"
)


@overload
def compare(
    data: Any,  # noqa: ANN401
    *,
    level: float = ...,
    alpha: float = ...,
    margin: float | None = ...,
    prior: Any = ...,  # noqa: ANN401
    by_group: bool = ...,
    method: None = None,
    measure: None = None,
    using: None = None,
    estimand: str | None = ...,
    rng: int = ...,
    **roles: Unpack[RoleArguments],
) -> Comparison: ...


@overload
def compare(
    data: Any,  # noqa: ANN401
    *,
    level: float = ...,
    alpha: float = ...,
    margin: float | None = ...,
    prior: Any = ...,  # noqa: ANN401
    by_group: bool = ...,
    method: str | None = ...,
    measure: str | None = ...,
    using: Mapping[str, Any] | None = ...,
    estimand: str | None = ...,
    rng: int = ...,
    **roles: Unpack[RoleArguments],
) -> Comparison | Working: ...


def compare(  # noqa: PLR0913
    data: Any,
    *,
    level: float = 0.95,
    alpha: float = 0.05,
    margin: float | None = None,
    prior: Any = None,
    by_group: bool = False,
    method: str | None = None,
    measure: str | None = None,
    using: Mapping[str, Any] | None = None,
    estimand: str | None = None,
    rng: int = 0,
    **roles: Unpack[RoleArguments],
) -> Comparison | Working:
    """Say which system is better, how sure that is, and who cannot be told apart yet.

    Systems that are right or wrong on common items are compared by their joint posterior and by
    mid-p McNemar tests, adjusted for all pairs by Shaffer's procedure; on independent test sets by
    exact Beta posteriors and score tests; systems that give scores by the areas under their ROC
    curves, with DeLong's covariance. Where only the totals on common items are known, by Akaike's
    criterion alone.

    Parameters
    ----------
    data
        Whatever :func:`steelyard.sources.open_predictions` takes, or counts: ``Outcomes``,
        ``JointCalls``, ``Trials`` or ``JointScores``.
    level
        Coverage of the intervals.
    alpha
        Family-wise error rate of the verdicts.
    margin
        Systems that differ by less than this with probability ``level`` count as the same.
    prior
        For independent test sets: right and wrong answers believed beforehand, ``(a, b)`` for all
        systems or ``{"S": (190, 10)}`` for some; (1, 1), the uniform prior, for the others.
    by_group
        Also compare within each slice that ``group`` names. All slices and pairs together hold
        ``alpha``, by Shaffer's procedure over all of them.
    method
        Show this method alone, with its full working, as a ``Working``: a name of
        :data:`steelyard.comparison.methods.METHODS`, or ``list`` for all of them.
    measure
        Compare by this measure of the catalogue, by ``method`` (``bootstrap`` unless given).
    using
        Settings of the method, such as ``{"control": "svm"}``.
    estimand
        Whom the numbers speak of: ``population``, items like these, or ``items``, these very
        items, each asked more than once.
    rng
        Seed of the simulations, recorded in the result.
    **roles
        What the columns mean; see :class:`steelyard.journey.opening.RoleArguments`.

    Examples
    --------
    >>> import steelyard as sy
    >>> outcomes = sy.Outcomes.from_pair(
    ...     both=160, first=18, second=5, neither=17, systems=("A", "B"))
    >>> round(sy.compare(outcomes).systems[0].best, 3)
    0.997
    """
    for name, value in (("level", level), ("alpha", alpha), ("margin", margin)):
        if value is not None and not 0 < value < 1:
            raise RequestError.for_level(name, value)
    rng = checked_seed(rng)
    asked: dict[str, Any] = {"level": level, "alpha": alpha, "margin": margin, "prior": prior}
    settings = {
        **asked, "prior": said_prior(prior), "by_group": by_group or None, "method": method,
        "measure": measure, "estimand": estimand, **dict(using or {}),
    }  # fmt: skip
    alone = _one_method(method, measure, using, by_group=by_group)
    very_items = _asked_again(estimand, alone, by_group=by_group)
    if isinstance(data, Outcomes | JointCalls | Trials | JointScores):
        given = sorted(name for name, value in roles.items() if value is not None)
        given += ["estimand"] if very_items else []
        if given or by_group:
            name = given[0] if given else "by_group"
            message = f"Counts have no columns, so {name}= says nothing. Leave it out."
            raise RequestError(message)
        record = record_of_counts(settings, seed=rng)
        question = Question(**asked, seed=rng, provenance=record)
        if alone is not None:
            _need_two(data.systems)
            case = case_of_counts(data, question, measure)
            _check_prior(case, question)
            return work_out(case, question, name=alone, using=using or {})
        return _compare_counts(data, question)
    predictions = opened(data, roles)
    question = Question(
        **asked,
        seed=rng,
        provenance=provenance_of(predictions, settings, seed=rng),
        caveats=(*predictions.caveats, *_unused_roles(predictions, alone, by_group=by_group)),
    )
    if alone is not None:
        _check_comparable(predictions)
        case = case_of_predictions(predictions, question, name=alone, measure=measure)
        _check_prior(case, question)
        return work_out(case, question, name=alone, using=using or {})
    if very_items:
        return _on_items(predictions, question)
    whole = _compare_predictions(predictions, question)
    return _with_slices(whole, predictions, question) if by_group else whole


def _compare_counts(
    data: Outcomes | JointCalls | Trials | JointScores, question: Question
) -> Comparison:
    _need_two(data.systems)
    if isinstance(data, JointCalls):
        return _paired(data.outcomes(), question)
    if isinstance(data, Outcomes):
        return _paired(data, question)
    if isinstance(data, Trials):
        return (_independent if data.pairing == "independent" else _totals)(data, question)
    _need_no_prior(question, "areas under ROC curves")
    return compare_joint_areas(data, question)


def _one_method(
    method: str | None, measure: str | None, using: Mapping[str, Any] | None, *, by_group: bool
) -> str | None:
    """Name the method that is wanted alone; None for the whole comparison."""
    if method is None and measure is None:
        if using:
            message = (
                "using= sets a method up, and none is named. Type method='list' (--method list)."
            )
            raise RequestError(message)
        return None
    if by_group:
        message = (
            "One method alone has no slices. Leave by_group= (--by-group) out; methods over data "
            f"sets take {switch('group', 'COLUMN')} as it is."
        )
        raise RequestError(message)
    return method or "bootstrap"


def _asked_again(estimand: str | None, alone: str | None, *, by_group: bool) -> bool:
    """Tell whether the numbers are to speak of these very items."""
    very = checked_estimand(estimand) == "items"
    if very and (alone is not None or by_group):
        message = (
            "estimand='items' is for the whole comparison. Leave method=, measure= and by_group= "
            "(--method, --measure, --by-group) out."
        )
        raise RequestError(message)
    return very


def _on_items(predictions: Predictions, question: Question) -> Comparison:
    """Compare systems on these very items, each of which was asked again."""
    _check_comparable(predictions)
    _need_no_prior(question, "these very items")
    answered = predictions.with_answers() and predictions.pairing == "common"
    if not answered or "cluster" not in predictions.splits:
        message = (
            "estimand='items' needs right and wrong answers to common items that were asked more "
            "than once: a log with epochs or repeats, or a column that names the item of each "
            f"try, {switch('cluster', 'COLUMN')}."
        )
        raise NotComparable(message, code="no-repeats")
    grouped = tally_outcomes_by(predictions, "cluster")
    return assembled(
        question,
        weigh_repeats(grouped, question),
        measure="accuracy",
        pairing="common",
        items=grouped.merged().total,
        primary=REPEATED,
        caveats=(f"numbers speak of {ESTIMANDS['items']} (estimand=items)",),
    )


def _check_comparable(predictions: Predictions) -> None:
    _need_two([system.name for system in predictions.systems])
    answered = predictions.with_answers()
    scored = [system for system in predictions.systems if system not in answered]
    if answered and scored:
        message = (
            f"{listing([s.name for s in scored])} give scores and "
            f"{listing([s.name for s in answered])} give answers. Compare like with like: "
            f"{switch('threshold', '0.5')} turns scores into calls, or choose with "
            f"{switch('systems', 'NAMES')}."
        )
        raise NotComparable(message, code="mixed-holdings")
    if predictions.weighted and not scored:
        message = (
            "These rows carry weights, and the comparison counts whole items. Leave the weight "
            "column out of it, or use evaluate, which honours weights."
        )
        raise NotComparable(message, code="weighted")


def _compare_predictions(predictions: Predictions, question: Question) -> Comparison:
    _check_comparable(predictions)
    if not predictions.with_answers():
        _need_no_prior(question, "areas under ROC curves")
        if predictions.pairing == "common" and "cluster" in predictions.splits:
            grouped = [
                tally_score_table_by(predictions, system, "cluster")
                for system in predictions.systems
            ]
            names = [system.name for system in predictions.systems]
            return compare_clustered_areas(names, grouped, question)
        if predictions.pairing == "common":
            return compare_joint_areas(tally_joint_scores(predictions), question)
        tables = [tally_score_table(predictions, system) for system in predictions.systems]
        return compare_own_areas([system.name for system in predictions.systems], tables, question)
    if predictions.pairing == "independent":
        return _independent(tally_trials(predictions), question)
    if "cluster" in predictions.splits:
        return _clustered(tally_outcomes_by(predictions, "cluster"), question)
    return _paired(tally_outcomes(predictions), question)


def _clustered(grouped: Grouped[Outcomes], question: Question) -> Comparison:
    """Compare systems on common items that come in clusters."""
    _need_no_prior(question, "common items")
    return assembled(
        question,
        weigh_clusters(grouped, question),
        measure="accuracy",
        pairing="common",
        items=grouped.merged().total,
        primary=CLUSTERED,
        caveats=cluster_doubts(grouped),
    )


def _with_slices(whole: Comparison, predictions: Predictions, question: Question) -> Comparison:
    """Add the comparison within each slice."""
    if "group" not in predictions.splits:
        message = (
            "by_group=True (--by-group) needs a column that names the slice of each item. Type "
            f"{switch('group', 'COLUMN')}."
        )
        raise RequestError(message)
    if whole.measure == "auc":
        message = (
            "Slices are compared by right and wrong answers, and these systems give scores. "
            f"{switch('threshold', '0.5')} turns scores into calls; evaluate shows the areas of "
            "each slice."
        )
        raise NotComparable(message, code="scores-by-group")
    if predictions.pairing == "independent":
        slices = apart_slices(tally_trials_by(predictions, "group"), question)
    else:
        slices = common_slices(tally_outcomes_by(predictions, "group"), question)
    caveats = (*whole.caveats, *reversals(whole, slices))
    return replace(whole, slices=slices, caveats=caveats)


def _paired(outcomes: Outcomes, question: Question) -> Comparison:
    """Compare systems on common items."""
    _need_no_prior(question, "common items")
    if outcomes.total == 0:
        message = (
            "There is no item that every system answered, and a comparison on common items needs "
            "one or more. To compare systems that had items of their own, type "
            f"{switch('pairing', 'independent')}."
        )
        raise NotComparable(message, code="no-items")
    found = weigh_common(outcomes, question)
    return assembled(
        question,
        found,
        measure="accuracy",
        pairing="common",
        items=outcomes.total,
        primary="joint posterior and Shaffer-adjusted mid-p McNemar tests",
        more=more_of_common(found.pairs, leader=found.leader, alpha=question.alpha),
    )


def _independent(trials: Trials, question: Question) -> Comparison:
    """Compare systems that had items of their own."""
    found = weigh_apart(trials, question)
    tested = zip(trials.correct, trials.tested, strict=True)
    samples = dict(zip(trials.systems, tested, strict=True))
    return assembled(
        question,
        found,
        measure="accuracy",
        pairing="independent",
        items=None,
        primary="exact Beta posteriors and Shaffer-adjusted score tests",
        more=more_of_independent(found.pairs, samples, leader=found.leader, alpha=question.alpha),
    )


def _totals(trials: Trials, question: Question) -> Comparison:
    """Compare systems on common items of which only the totals are known."""
    _need_no_prior(question, "common items")
    if question.margin is not None:
        message = (
            "Only totals of common items are known, and how near two systems are depends on who "
            "was right together. Leave margin= (--margin) out, give the outcome of every item, or "
            f"type {switch('pairing', 'independent')} if each system had items of its own."
        )
        raise NotComparable(message, code="totals-only")
    return assembled(
        question,
        weigh_totals(trials, question),
        measure="accuracy",
        pairing="common",
        items=trials.tested[0],
        primary="Akaike's criterion, incomplete information",
        caveats=(TOTALS_ONLY,),
    )


def _check_prior(case: Case, question: Question) -> None:
    """Refuse a prior that no method of this case would look at."""
    if case.pairing == "common" or case.areas is not None:
        where = "areas under ROC curves" if case.areas is not None else "common items"
        _need_no_prior(question, where)


def _need_no_prior(question: Question, where: str) -> None:
    if question.prior is None:
        return
    message = (
        f"A prior for each system cannot be had with {where}: there one prior stands over all "
        "systems together. Leave prior= (--prior) out, or type "
        f"{switch('pairing', 'independent')} if each system answered items of its own."
    )
    raise NotComparable(message, code="prior-not-independent")


def _need_two(names: Sequence[str]) -> None:
    if len(names) < 2:
        message = (
            f"Only one system ({listing(list(names))}); a comparison needs two or more. To see how "
            "good it is, use evaluate."
        )
        raise NotComparable(message, code="one-system")


def _unused_roles(
    predictions: Predictions, alone: str | None, *, by_group: bool
) -> tuple[str, ...]:
    """Say what a declared split does not do here, so that nobody relies on it."""
    caveats = []
    if "cluster" in predictions.splits and alone is not None:
        if not _needs_clusters(alone):
            caveats.append(
                "items of one cluster are alike, but this method counts them as independent: its "
                "intervals are too short and its p-values too small; compare without method= "
                "(--method) and mcnemar-clustered take clusters as the units"
            )
    elif "cluster" in predictions.splits and _ignores_clusters(predictions, by_group=by_group):
        caveats.append(
            "items of one cluster are alike, but are counted "
            f"{'within slices ' if by_group else ''}as if they were independent: "
            "the intervals are too short and the probabilities too sure"
        )
    if "group" in predictions.splits and not by_group:
        caveats.append(
            "all groups are compared together; by_group=True (--by-group) compares within each"
        )
    if "fold" in predictions.splits:
        caveats.append("all folds are pooled; items of one fold share their training data")
    return tuple(caveats)


def _needs_clusters(name: str) -> bool:
    """Tell whether a method is one for clusters, or no method at all."""
    known = METHODS.get(name)
    return name == "list" or (known is not None and "clusters" in known.needs)


def _ignores_clusters(predictions: Predictions, *, by_group: bool) -> bool:
    """Tell whether this comparison has no way to honour clusters."""
    return by_group or predictions.pairing == "independent"

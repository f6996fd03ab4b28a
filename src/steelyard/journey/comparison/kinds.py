"""One way to compare for each kind of data."""

from dataclasses import replace

from steelyard.comparison import common_test
from steelyard.counts import Grouped, JointCalls, JointScores, Outcomes, Trials
from steelyard.errors import NotComparable, RequestError, switch
from steelyard.journey.comparison.answers import (
    tests_apart_words,
    weigh_apart,
    weigh_common,
    weigh_totals,
)
from steelyard.journey.comparison.areas import (
    compare_clustered_areas,
    compare_joint_areas,
    compare_own_areas,
)
from steelyard.journey.comparison.checks import need_no_prior, need_two
from steelyard.journey.comparison.clusters import CLUSTERED, cluster_doubts, weigh_clusters
from steelyard.journey.comparison.open_pairs import more_of_common, more_of_independent
from steelyard.journey.comparison.question import Question, assembled
from steelyard.journey.comparison.repeats import REPEATED, weigh_repeats
from steelyard.journey.comparison.slices import (
    apart_slices,
    clustered_slices,
    common_slices,
    reversals,
)
from steelyard.journey.comparison.weights import compare_weighted
from steelyard.measures import ESTIMANDS
from steelyard.results import Comparison
from steelyard.sources import Predictions
from steelyard.tally import (
    tally_cluster_areas,
    tally_joint_areas,
    tally_outcomes,
    tally_outcomes_by,
    tally_outcomes_by_slice,
    tally_score_table,
    tally_trials,
    tally_trials_by,
)
from steelyard.uncertainty import Clusters

__all__ = ["compare_counts", "compare_on_items", "compare_predictions", "with_slices"]

TOTALS_ONLY = (
    "only totals are known, not who was right together: every overlap that the totals allow was "
    "tried, verdicts and intervals hold for all of them, and p and P(better) are ranges; the "
    "outcome of each item would give one number for each"
)


def compare_counts(
    data: Outcomes | JointCalls | Trials | JointScores, question: Question
) -> Comparison:
    """Compare systems of which only counts are known."""
    need_two(data.systems)
    if isinstance(data, JointCalls):
        return _paired(data.outcomes(), question)
    if isinstance(data, Outcomes):
        if data.weights is not None:
            need_no_prior(question, "weighted items")
            return compare_weighted(data, question)
        return _paired(data, question)
    if isinstance(data, Trials):
        return (_independent if data.pairing == "independent" else _totals)(data, question)
    need_no_prior(question, "areas under ROC curves")
    return compare_joint_areas(data, question)


def compare_predictions(predictions: Predictions, question: Question) -> Comparison:
    """Compare systems by what they answered, or by their scores."""
    if not predictions.with_answers():
        need_no_prior(question, "areas under ROC curves")
        return _areas(predictions, question)
    if predictions.pairing == "independent":
        return _independent(tally_trials(predictions), question)
    clustered = "cluster" in predictions.splits
    if predictions.weighted:
        need_no_prior(question, "weighted items")
        weighed = tally_outcomes_by(predictions, "cluster") if clustered else None
        return compare_weighted(weighed or tally_outcomes(predictions), question)
    if clustered:
        return _clustered(tally_outcomes_by(predictions, "cluster"), question)
    return _paired(tally_outcomes(predictions), question)


def compare_on_items(predictions: Predictions, question: Question) -> Comparison:
    """Compare systems on these very items, each of which was asked again."""
    need_no_prior(question, "these very items")
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


def _areas(predictions: Predictions, question: Question) -> Comparison:
    """Compare systems that give scores."""
    names = [system.name for system in predictions.systems]
    if predictions.pairing == "independent":
        tables = [tally_score_table(predictions, system) for system in predictions.systems]
        return compare_own_areas(names, tables, question, grouped=_clusters(predictions))
    joint = tally_joint_areas(predictions)
    grouped = _clusters(predictions)
    if grouped is not None:
        return compare_clustered_areas(names, grouped, question, joint=joint)
    return compare_joint_areas(joint, question)


def _clusters(predictions: Predictions) -> list[Clusters] | None:
    if "cluster" not in predictions.splits:
        return None
    return [tally_cluster_areas(predictions, system) for system in predictions.systems]


def _clustered(grouped: Grouped[Outcomes], question: Question) -> Comparison:
    """Compare systems on common items that come in clusters."""
    need_no_prior(question, "common items")
    return assembled(
        question,
        weigh_clusters(grouped, question),
        measure="accuracy",
        pairing="common",
        items=grouped.merged().total,
        primary=CLUSTERED,
        caveats=cluster_doubts(grouped),
    )


def with_slices(whole: Comparison, predictions: Predictions, question: Question) -> Comparison:
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
    elif "cluster" in predictions.splits:
        slices = clustered_slices(tally_outcomes_by_slice(predictions), question)
    else:
        slices = common_slices(tally_outcomes_by(predictions, "group"), question)
    caveats = (*whole.caveats, *reversals(whole, slices))
    return replace(whole, slices=slices, caveats=caveats)


def _paired(outcomes: Outcomes, question: Question) -> Comparison:
    """Compare systems on common items."""
    need_no_prior(question, "common items")
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
        primary=f"joint posterior and Shaffer-adjusted {_tests_named(outcomes)}",
        more=more_of_common(found.pairs, leader=found.leader, alpha=question.alpha),
    )


def _tests_named(outcomes: Outcomes) -> str:
    """Name the tests of all pairs; the exact one is taken where nearly every item is discordant."""
    used = {common_test(table).method for table in outcomes.pairs().values()}
    if used == {"exact"}:
        return "exact McNemar tests"
    exactly = ", exact where nearly all items tell two apart" if "exact" in used else ""
    return f"mid-p McNemar tests{exactly}"


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
        primary=f"exact Beta posteriors and Shaffer-adjusted {tests_apart_words(trials)}",
        more=more_of_independent(found.pairs, samples, leader=found.leader, alpha=question.alpha),
    )


def _totals(trials: Trials, question: Question) -> Comparison:
    """Compare systems on common items of which only the totals are known."""
    need_no_prior(question, "common items")
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
        primary="exact McNemar tests at their largest over all overlaps, Shaffer-adjusted",
        caveats=(TOTALS_ONLY,),
    )

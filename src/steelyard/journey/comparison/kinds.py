"""One way to compare for each kind of data."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from steelyard import comparison, measures, tally, uncertainty
from steelyard.counts import Grouped, JointCalls, JointScores, Outcomes, PlacementSums, Trials
from steelyard.display.text import join_names, show_name
from steelyard.engines.dialect import quote_literal
from steelyard.errors import NotComparable, RequestError, counted, switch
from steelyard.journey.comparison.answers import (
    raw_apart,
    raw_common,
    tests_apart_words,
    weigh_apart,
    weigh_common,
    weigh_totals,
)
from steelyard.journey.comparison.open_pairs import more_of_common, more_of_independent
from steelyard.journey.comparison.question import Question, Weighed, assemble, rank
from steelyard.journey.comparison.refusals import need_no_prior, need_two
from steelyard.results import Comparison, SliceComparison
from steelyard.sources import Predictions

if TYPE_CHECKING:
    from steelyard.uncertainty import Clusters

__all__ = [
    "apart_slices",
    "common_slices",
    "compare_counts",
    "compare_on_items",
    "compare_predictions",
    "compare_slices_of_clusters",
    "reversals",
    "with_slices",
]

# --- the same comparison within every slice of the items, adjusted over all of them --------------


DRAWS = 20_000
"""Fewer than for all items, since there may be many slices; each tells its error."""


def common_slices(grouped: Grouped[Outcomes], question: Question) -> tuple[SliceComparison, ...]:
    """Compare systems on the common items of each slice."""
    adjusted = adjust_slices(
        [raw_common(part) for part in grouped.parts], len(grouped.parts[0].systems)
    )
    return tuple(
        _slice(name, weigh_common(part, question, adjusted=mine, draws=DRAWS), part.total)
        for (name, part), mine in zip(grouped, adjusted, strict=True)
    )


def compare_slices_of_clusters(
    slices: Mapping[str, Grouped[Outcomes]], question: Question
) -> tuple[SliceComparison, ...]:
    """Compare systems within each slice with the clusters of its items as the units."""
    from steelyard.comparison import contrast_clusters
    from steelyard.journey.comparison.clusters import weigh_clusters

    thin = [name for name, part in slices.items() if len(part) < 2]
    if thin:
        message = (
            f"The items of {join_names(thin, most=3, room=60)} come from one cluster, which does "
            "not show how clusters vary. Leave by_group (--by-group) out, or merge slices."
        )
        raise NotComparable(message, code="too-few-clusters")
    raw = [
        [one.p_value for one in contrast_clusters(part, rng=question.rng()).contrasts.values()]
        for part in slices.values()
    ]
    systems = len(next(iter(slices.values())).parts[0].systems)
    return tuple(
        _slice(name, weigh_clusters(part, question, adjusted=mine), part.merged().total)
        for (name, part), mine in zip(slices.items(), adjust_slices(raw, systems), strict=True)
    )


def apart_slices(grouped: Grouped[Trials], question: Question) -> tuple[SliceComparison, ...]:
    """Compare systems within each slice, each on items of its own."""
    adjusted = adjust_slices(
        [raw_apart(part) for part in grouped.parts], len(grouped.parts[0].systems)
    )
    return tuple(
        _slice(name, weigh_apart(part, question, adjusted=mine), None)
        for (name, part), mine in zip(grouped, adjusted, strict=True)
    )


def adjust_slices(raw: Sequence[Sequence[float]], systems: int) -> list[tuple[float, ...]]:
    """Adjust over all slices and pairs: slices have truths of their own, pairs of one do not."""
    flat = [p for one in raw for p in one]
    adjusted = uncertainty.shaffer_static(flat, systems=systems, families=len(raw))
    size = len(raw[0])
    return [adjusted[start : start + size] for start in range(0, len(flat), size)]


def _slice(name: str, found: Weighed, items: int | None) -> SliceComparison:
    return SliceComparison(
        slice=name,
        items=items,
        systems=rank(found),
        pairs=tuple(found.pairs),
        monte_carlo_error=found.error,
    )


def reversals(whole: Comparison, slices: Sequence[SliceComparison]) -> tuple[str, ...]:
    """Say which pair is decided one way here and the other way there, and how many more are."""
    found = []
    for place, pair in enumerate(whole.pairs):
        where = {
            system: [one.slice for one in slices if one.pairs[place].winner == system]
            for system in (pair.first, pair.second)
        }
        if all(names or pair.winner == system for system, names in where.items()):
            found.append((pair.winner, where))
    if not found:
        return ()
    clauses = [
        f"{show_name(system)} is better {_where(names, whole=found[0][0] == system)}"
        for system, names in found[0][1].items()
    ]
    more = f"; {counted(len(found) - 1, 'more pair', 'turn')} round like this" if found[1:] else ""
    return (f"{', but '.join(clauses)}{more}: look at the slices, not at the whole",)


def _where(names: Sequence[str], *, whole: bool) -> str:
    within = f"within {join_names(names, most=3, room=40)}" if names else ""
    return " and ".join(part for part in ("over all items" if whole else "", within) if part)


# --- one way to compare for each kind of data ----------------------------------------------------


TOTALS_ONLY = (
    "only totals are known, not who was right together: every overlap that the totals allow was "
    "tried, verdicts and intervals hold for all of them, and p and P(better) are ranges; the "
    "outcome of each item would give one number for each"
)


def compare_counts(
    data: Outcomes | JointCalls | Trials | JointScores | PlacementSums, question: Question
) -> Comparison:
    """Compare systems of which only counts are known."""
    need_two(data.systems)
    if isinstance(data, JointCalls):
        return _compare_common(data.outcomes(), question)
    if isinstance(data, Outcomes):
        if data.weights is not None:
            from steelyard.journey.comparison.clusters import compare_weighted

            need_no_prior(question, "weighted items")
            return compare_weighted(data, question)
        return _compare_common(data, question)
    if isinstance(data, Trials):
        return (_independent if data.pairing == "independent" else _totals)(data, question)
    from steelyard.journey.comparison.areas import compare_joint_areas

    need_no_prior(question, "areas under ROC curves")
    return compare_joint_areas(data, question)


def compare_predictions(predictions: Predictions, question: Question) -> Comparison:
    """Compare systems by what they answered, or by their scores."""
    if predictions.crossed:
        from steelyard.journey.crossed import compare_crossed

        need_no_prior(question, "crossed items")
        return compare_crossed(predictions, question, compare_predictions)
    if not predictions.with_answers():
        need_no_prior(question, "areas under ROC curves")
        return _areas(predictions, question)
    if predictions.pairing == "independent":
        return _independent(tally.tally_trials(predictions), question)
    clustered = "cluster" in predictions.splits
    if predictions.weighted:
        from steelyard.journey.comparison.clusters import compare_weighted

        need_no_prior(question, "weighted items")
        weighed = tally.tally_outcomes_by(predictions, "cluster") if clustered else None
        return compare_weighted(weighed or tally.tally_outcomes(predictions), question)
    if clustered:
        return _compare_clusters(tally.tally_outcomes_by(predictions, "cluster"), question)
    return _compare_common(tally.tally_outcomes(predictions), question)


def compare_on_items(predictions: Predictions, question: Question) -> Comparison:
    """Compare systems on exactly these items, each of which was asked again."""
    from steelyard.journey.comparison.repeats import REPEATED, weigh_repeats

    need_no_prior(question, "exactly these items")
    answered = predictions.with_answers() and predictions.pairing == "common"
    if not answered or "cluster" not in predictions.splits:
        message = (
            "estimand='items' needs right and wrong answers to common items that were asked more "
            "than once: a log with epochs or repeats, or a column that names the item of each "
            f"try, {switch('cluster', 'COLUMN')}."
        )
        raise NotComparable(message, code="no-repeats")
    grouped = tally.tally_outcomes_by(predictions, "cluster")
    return assemble(
        question,
        weigh_repeats(grouped, question),
        measure="accuracy",
        pairing="common",
        items=grouped.merged().total,
        primary=REPEATED,
        caveats=(f"numbers are about {measures.ESTIMANDS['items']} (estimand=items)",),
    )


def _areas(predictions: Predictions, question: Question) -> Comparison:
    """Compare systems that give scores."""
    from steelyard.journey.comparison.areas import (
        compare_clustered_areas,
        compare_joint_areas,
        compare_own_areas,
    )
    from steelyard.tally import tally_joint_areas, tally_score_table

    names = [system.name for system in predictions.systems]
    if predictions.pairing == "independent":
        tables = [tally_score_table(predictions, system) for system in predictions.systems]
        return compare_own_areas(names, tables, question, grouped=_clusters(predictions))
    joint = tally_joint_areas(predictions)
    grouped = _clusters(predictions)
    if grouped is not None:
        return compare_clustered_areas(names, grouped, question, joint=joint)
    return compare_joint_areas(joint, question)


def _clusters(predictions: Predictions) -> "list[Clusters] | None":
    if "cluster" not in predictions.splits:
        return None
    from steelyard.tally import tally_cluster_areas

    return [tally_cluster_areas(predictions, system) for system in predictions.systems]


def _compare_clusters(grouped: Grouped[Outcomes], question: Question) -> Comparison:
    """Compare systems on common items that come in clusters."""
    from steelyard.journey.comparison.clusters import (
        CLUSTERED,
        cluster_doubts,
        doubt_unlike,
        weigh_clusters,
    )

    need_no_prior(question, "common items")
    found = weigh_clusters(grouped, question)
    unlike, provided = doubt_unlike(grouped, found, question)
    return assemble(
        question,
        found,
        measure="accuracy",
        pairing="common",
        items=grouped.merged().total,
        primary=CLUSTERED,
        caveats=(*unlike, *cluster_doubts(grouped)),
        provided=provided,
    )


def with_slices(whole: Comparison, predictions: Predictions, question: Question) -> Comparison:
    """Add the comparison within each slice."""
    if "group" not in predictions.splits:
        message = (
            "by_group=True (--by-group) needs a column that names the slice of each item. Type "
            f"{switch('group', 'COLUMN')}."
        )
        raise RequestError(message)
    said: tuple[str, ...] = ()
    if whole.measure == "auc":
        slices, said = _area_slices(predictions, question)
    elif predictions.pairing == "independent":
        slices = apart_slices(tally.tally_trials_by(predictions, "group"), question)
    elif "cluster" in predictions.splits:
        from steelyard.tally import tally_outcomes_by_slice

        slices = compare_slices_of_clusters(tally_outcomes_by_slice(predictions), question)
    else:
        slices = common_slices(tally.tally_outcomes_by(predictions, "group"), question)
    caveats = (*whole.caveats, *said, *reversals(whole, slices))
    return replace(whole, slices=slices, caveats=caveats)


def _area_slices(
    predictions: Predictions, question: Question
) -> tuple[tuple[SliceComparison, ...], tuple[str, ...]]:
    """Compare areas within each slice; a slice that has none, for want of a class, is named."""
    column = predictions.split_column("group")
    rows = predictions.table.query(
        f"SELECT {column}, COUNT(*) FROM {{t}} WHERE {column} IS NOT NULL GROUP BY {column} "
        f"ORDER BY {column}"
    )
    found, left = {}, []
    for name, count in rows:
        where = f"SELECT * FROM {{t}} WHERE {column} = {quote_literal(str(name))}"
        part = replace(predictions, table=predictions.table.derive(where), rows=int(count))
        try:
            compared = _areas(part, question)
            if all(pair.p_value is not None for pair in compared.pairs):
                found[str(name)] = compared
                continue
        except NotComparable:
            pass
        left.append(str(name))
    said = (f"no areas to compare in {join_names(left)}: a class is missing there",) if left else ()
    if not found:
        return (), said
    raw = [[pair.p_value or 0.0 for pair in one.pairs] for one in found.values()]
    adjusted = adjust_slices(raw, len(predictions.systems))
    slices = []
    for (name, one), mine in zip(found.items(), adjusted, strict=True):
        pairs = [
            replace(pair, adjusted_p=q, verdict=question.verdict(q, pair.equivalent))
            for pair, q in zip(one.pairs, mine, strict=True)
        ]
        weighed = Weighed(
            rates=[(each.system, each.rate) for each in one.systems],
            best=[each.best for each in one.systems],
            pairs=pairs,
            error=one.monte_carlo_error,
        )
        slices.append(_slice(name, weighed, one.items))
    return tuple(slices), said


def _compare_common(outcomes: Outcomes, question: Question) -> Comparison:
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
    return assemble(
        question,
        found,
        measure="accuracy",
        pairing="common",
        items=outcomes.total,
        primary=f"joint posterior and Shaffer-adjusted {_name_tests(outcomes)}",
        more=more_of_common(found.pairs, leader=found.leader, alpha=question.alpha),
    )


def _name_tests(outcomes: Outcomes) -> str:
    """Name the tests of all pairs; the exact one is taken where nearly every item is discordant."""
    used = {comparison.common_test(table).method for table in outcomes.pairs().values()}
    if used == {"exact"}:
        return "exact McNemar tests"
    exactly = ", exact where nearly all items tell two apart" if "exact" in used else ""
    return f"mid-p McNemar tests{exactly}"


def _independent(trials: Trials, question: Question) -> Comparison:
    """Compare systems that had items of their own."""
    found = weigh_apart(trials, question)
    tested = zip(trials.correct, trials.tested, strict=True)
    samples = dict(zip(trials.systems, tested, strict=True))
    return assemble(
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
    return assemble(
        question,
        weigh_totals(trials, question),
        measure="accuracy",
        pairing="common",
        items=trials.tested[0],
        primary=f"{_overlap_tests(trials)} at their largest over all overlaps, Shaffer-adjusted",
        caveats=(TOTALS_ONLY,),
    )


def _overlap_tests(trials: Trials) -> str:
    """Name the tests; with nothing wrong, or nothing right, there is one overlap to test."""
    alone = any(right in (0, trials.tested[0]) for right in trials.correct)
    return f"exact McNemar tests{' (mid-p where there is one overlap alone)' * alone}"

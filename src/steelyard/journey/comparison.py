"""Which system is better, and how sure is that?"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Unpack

import numpy as np

from steelyard.comparison import (
    beta_posteriors,
    compare_areas,
    mcnemar,
    paired_posterior,
    probability_best,
    probability_better,
    rank_areas,
    rank_sets,
    score_test,
)
from steelyard.counts import JointCalls, JointScores, Outcomes, ScoreTable, Trials
from steelyard.errors import NotComparable, RequestError, listing, switch
from steelyard.journey.opening import RoleArguments, opened, provenance_of, record_of_counts
from steelyard.measures import auc
from steelyard.results import (
    ComparedPair,
    ComparedSystem,
    Comparison,
    Estimate,
    Interval,
    Proportion,
    Provenance,
)
from steelyard.sources import Predictions
from steelyard.tally import (
    tally_joint_scores,
    tally_outcomes,
    tally_score_table,
    tally_trials,
)
from steelyard.uncertainty import (
    delong_covariance,
    delong_variance,
    difference_interval,
    paired_difference_interval,
    proportion_interval,
    shaffer_static,
)

__all__ = ["compare"]

DRAWS = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What every kind of comparison is asked, and where its answer is recorded."""

    level: float
    alpha: float
    seed: int
    provenance: Provenance
    caveats: tuple[str, ...] = ()

    def rng(self) -> np.random.Generator:
        """Start the recorded sequence of random numbers."""
        return np.random.default_rng(self.seed)


def compare(
    data: Any,  # noqa: ANN401
    *,
    level: float = 0.95,
    alpha: float = 0.05,
    rng: int = 0,
    **roles: Unpack[RoleArguments],
) -> Comparison:
    """Say which system is better, how sure that is, and who cannot be told apart yet.

    Systems that are right or wrong on common items are compared by their joint posterior and by
    mid-p McNemar tests, adjusted for all pairs by Shaffer's procedure; on independent test sets by
    exact Beta posteriors and score tests; systems that give scores by the areas under their ROC
    curves, with DeLong's covariance.

    Parameters
    ----------
    data
        Whatever :func:`steelyard.sources.open_predictions` takes, or counts: ``Outcomes``,
        ``JointCalls``, ``Trials`` (independent) or ``JointScores``.
    level
        Coverage of the intervals.
    alpha
        Family-wise error rate of the verdicts.
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
    for name, value in (("level", level), ("alpha", alpha)):
        if not 0 < value < 1:
            raise RequestError.for_level(name, value)
    settings = {"level": level, "alpha": alpha}
    if isinstance(data, Outcomes | JointCalls | Trials | JointScores):
        given = sorted(name for name, value in roles.items() if value is not None)
        if given:
            message = f"Counts have no columns, so {given[0]}= says nothing. Leave it out."
            raise RequestError(message)
        record = record_of_counts(settings, seed=rng)
        question = Question(level=level, alpha=alpha, seed=rng, provenance=record)
        return _compare_counts(data, question)
    predictions = opened(data, roles)
    question = Question(
        level=level,
        alpha=alpha,
        seed=rng,
        provenance=provenance_of(predictions, settings, seed=rng),
        caveats=(*predictions.caveats, *_unused_roles(predictions)),
    )
    return _compare_predictions(predictions, question)


def _compare_counts(
    data: Outcomes | JointCalls | Trials | JointScores, question: Question
) -> Comparison:
    _need_two(data.systems)
    if isinstance(data, JointCalls):
        return _paired(data.outcomes(), question)
    if isinstance(data, Outcomes):
        return _paired(data, question)
    if isinstance(data, Trials):
        return _independent(data, question)
    return _areas(data, question)


def _compare_predictions(predictions: Predictions, question: Question) -> Comparison:
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
    if scored:
        if predictions.pairing == "common":
            return _areas(tally_joint_scores(predictions), question)
        tables = [tally_score_table(predictions, system) for system in scored]
        return _independent_areas([system.name for system in scored], tables, question)
    if predictions.weighted:
        message = (
            "These rows carry weights, and the comparison counts whole items. Leave the weight "
            "column out of it, or use evaluate, which honours weights."
        )
        raise NotComparable(message, code="weighted")
    if predictions.pairing == "independent":
        return _independent(tally_trials(predictions), question)
    return _paired(tally_outcomes(predictions), question)


def _paired(outcomes: Outcomes, question: Question) -> Comparison:
    """Compare systems on common items."""
    if outcomes.total == 0:
        message = "There is no item that every system answered."
        raise NotComparable(message, code="no-items")
    posterior = paired_posterior(outcomes, rng=question.rng(), draws=DRAWS)
    names = outcomes.systems
    couples = list(combinations(range(len(names)), 2))
    tables = [outcomes.pair(names[i], names[j]) for i, j in couples]
    raw = [mcnemar(table).p_value for table in tables]
    adjusted = shaffer_static(raw, systems=len(names))
    pairs = []
    for (i, j), table, p, q in zip(couples, tables, raw, adjusted, strict=True):
        low, high = paired_difference_interval(
            table.both, table.first, table.second, table.neither, level=question.level
        )
        gap = (table.first - table.second) / table.total
        ends = Interval(low=low, high=high, level=question.level, method="tango")
        difference = Estimate(
            measure="difference of accuracy", value=gap, interval=ends, items=table.total
        )
        pairs.append(
            ComparedPair(
                first=names[i],
                second=names[j],
                difference=difference,
                p_value=p,
                adjusted_p=q,
                better=posterior.better[i][j],
                verdict="different" if q <= question.alpha else "undecided",
                table=table,
            )
        )
    rates = _rates(names, outcomes.correct(), [outcomes.total] * len(names), question.level)
    return _assembled(
        question,
        rates=rates,
        best=posterior.best,
        pairs=pairs,
        measure="accuracy",
        pairing="common",
        items=outcomes.total,
        primary="joint posterior and Shaffer-adjusted mid-p McNemar tests",
        monte_carlo_error=max(posterior.best_error) if posterior.draws else None,
    )


def _independent(trials: Trials, question: Question) -> Comparison:
    """Compare systems that had items of their own."""
    posteriors = beta_posteriors(trials)
    best = probability_best(posteriors).best
    better = probability_better(posteriors).better
    names = trials.systems
    samples = list(zip(trials.correct, trials.tested, strict=True))
    couples = list(combinations(range(len(names)), 2))
    raw = [score_test(samples[i], samples[j]).p_value for i, j in couples]
    adjusted = shaffer_static(raw, systems=len(names))
    pairs = []
    for (i, j), p, q in zip(couples, raw, adjusted, strict=True):
        low, high = difference_interval(samples[i], samples[j], level=question.level)
        gap = samples[i][0] / samples[i][1] - samples[j][0] / samples[j][1]
        ends = Interval(low=low, high=high, level=question.level, method="miettinen-nurminen")
        pairs.append(
            ComparedPair(
                first=names[i],
                second=names[j],
                difference=Estimate(measure="difference of accuracy", value=gap, interval=ends),
                p_value=p,
                adjusted_p=q,
                better=better[i][j],
                verdict="different" if q <= question.alpha else "undecided",
            )
        )
    rates = _rates(names, trials.correct, trials.tested, question.level)
    return _assembled(
        question,
        rates=rates,
        best=best,
        pairs=pairs,
        measure="accuracy",
        pairing="independent",
        items=None,
        primary="exact Beta posteriors and Shaffer-adjusted score tests",
        monte_carlo_error=None,
    )


def _areas(joint: JointScores, question: Question) -> Comparison:
    """Compare areas under ROC curves on common items."""
    areas, covariance = delong_covariance(joint)
    tables = [joint.score_table(name) for name in joint.systems]
    return _compared_areas(joint.systems, tables, areas, covariance, question, items=joint.total)


def _independent_areas(
    names: Sequence[str], tables: Sequence[ScoreTable], question: Question
) -> Comparison:
    areas = np.array([auc(table).value for table in tables], dtype=np.float64)
    covariance = np.diag([delong_variance(table) for table in tables])
    return _compared_areas(names, tables, areas, covariance, question, items=None)


def _compared_areas(
    names: Sequence[str],
    tables: Sequence[ScoreTable],
    areas: np.ndarray[Any, np.dtype[np.float64]],
    covariance: np.ndarray[Any, np.dtype[np.float64]],
    question: Question,
    *,
    items: int | None,
) -> Comparison:
    couples = list(combinations(range(len(names)), 2))
    found = [compare_areas(areas, covariance, i, j, level=question.level) for i, j in couples]
    ranks = rank_areas(areas, covariance, rng=question.rng(), draws=DRAWS)
    # A pair that allows no test is never called different: its p counts as 1 in the adjustment.
    raw = [1.0 if one.p_value is None else one.p_value for one in found]
    adjusted = shaffer_static(raw, systems=len(names))
    pairs = []
    for (i, j), one, q in zip(couples, found, adjusted, strict=True):
        ends = None
        if one.low is not None and one.high is not None:
            ends = Interval(low=one.low, high=one.high, level=question.level, method="delong")
        pairs.append(
            ComparedPair(
                first=names[i],
                second=names[j],
                difference=Estimate(
                    measure="difference of auc", value=one.difference, interval=ends, items=items
                ),
                p_value=one.p_value,
                adjusted_p=None if one.p_value is None else q,
                better=one.better,
                verdict="different" if q <= question.alpha else "undecided",
            )
        )
    rates = [
        (name, auc(table, level=question.level)) for name, table in zip(names, tables, strict=True)
    ]
    return _assembled(
        question,
        rates=rates,
        best=ranks.best,
        pairs=pairs,
        measure="auc",
        pairing="independent" if items is None else "common",
        items=items,
        primary="DeLong tests, Shaffer-adjusted, and the normal posterior they imply",
        monte_carlo_error=ranks.error,
    )


def _rates(
    names: Sequence[str], correct: Sequence[int], tested: Sequence[int], level: float
) -> list[tuple[str, Proportion | Estimate]]:
    rates: list[tuple[str, Proportion | Estimate]] = []
    for name, right, total in zip(names, correct, tested, strict=True):
        low, high = proportion_interval(right, total, level=level)
        ends = Interval(low=low, high=high, level=level, method="wilson")
        rate = Proportion(measure="accuracy", successes=right, trials=total, interval=ends)
        rates.append((name, rate))
    return rates


def _assembled(
    question: Question,
    *,
    rates: Sequence[tuple[str, Proportion | Estimate]],
    best: Sequence[float],
    pairs: Sequence[ComparedPair],
    **facts: Any,  # noqa: ANN401
) -> Comparison:
    names = [name for name, _ in rates]
    values = [rate.value or 0.0 for _, rate in rates]
    decisions = {(pair.first, pair.second): pair.verdict == "different" for pair in pairs}
    sets = {one.system: one for one in rank_sets(names, values, decisions=decisions)}
    systems = tuple(
        ComparedSystem(
            system=name,
            rate=rate,
            best=share,
            rank_low=sets[name].lowest,
            rank_high=sets[name].highest,
        )
        for (name, rate), share in zip(rates, best, strict=True)
    )
    return Comparison(
        systems=systems,
        pairs=tuple(pairs),
        level=question.level,
        alpha=question.alpha,
        provenance=question.provenance,
        caveats=question.caveats,
        **facts,
    )


def _need_two(names: Sequence[str]) -> None:
    if len(names) < 2:
        message = (
            f"Only one system ({listing(list(names))}); a comparison needs two or more. To see how "
            "good it is, use evaluate."
        )
        raise NotComparable(message, code="one-system")


def _unused_roles(predictions: Predictions) -> tuple[str, ...]:
    """Say what a declared split does not do here, so that nobody relies on it."""
    caveats = []
    if "cluster" in predictions.splits:
        caveats.append(
            "items of one cluster are alike, but are counted here as if they were independent: "
            "the intervals are too short and the probabilities too sure"
        )
    if "group" in predictions.splits:
        caveats.append("all groups are compared together; evaluate shows them apart")
    if "fold" in predictions.splits:
        caveats.append("all folds are pooled; items of one fold share their training data")
    return tuple(caveats)

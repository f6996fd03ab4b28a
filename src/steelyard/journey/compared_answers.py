"""Right and wrong answers weighed: on common items, on items of their own, by totals alone."""

from collections.abc import Sequence

from steelyard.comparison import (
    akaike_common,
    akaike_incomplete,
    akaike_independent,
    beta_posteriors,
    expected_loss,
    independent_interval,
    independent_test,
    mcnemar,
    paired_equivalence,
    paired_posterior,
    probability_best,
    probability_better,
    probability_equivalent,
)
from steelyard.comparison.independent_tests import IndependentTest
from steelyard.counts import Outcomes, PairTable, Trials
from steelyard.journey.comparison_question import Question, Rate, Weighed, couples, priors_for
from steelyard.measures import counted_accuracy
from steelyard.results import ComparedPair, Estimate, Interval
from steelyard.results.measured import said_count
from steelyard.uncertainty import (
    paired_difference_interval,
    shaffer_static,
)

__all__ = [
    "raw_apart",
    "raw_common",
    "tests_apart_words",
    "weigh_apart",
    "weigh_common",
    "weigh_totals",
]

DRAWS = 100_000
MEASURE = "difference of accuracy"
APART = {
    "boschloo": "exact tests by Boschloo",
    "fisher": "exact tests by Fisher",
    "score": "score tests",
}


def raw_common(outcomes: Outcomes) -> list[float]:
    """Test every pair on common items by mid-p McNemar."""
    return [mcnemar(table).p_value for table in outcomes.pairs().values()]


def raw_apart(trials: Trials) -> list[float]:
    """Test every pair with items of their own by the test that its counts call for."""
    return [test.p_value for test in _tests_apart(trials)]


def _tests_apart(trials: Trials) -> list[IndependentTest]:
    samples = list(zip(trials.correct, trials.tested, strict=True))
    return [independent_test(samples[i], samples[j]) for i, j in couples(len(samples))]


def tests_apart_words(trials: Trials) -> str:
    """Say by which tests pairs with items of their own were judged, and how many by each."""
    used = [test.method for test in _tests_apart(trials)]
    kinds = [kind for kind in APART if kind in used]
    if len(kinds) == 1:
        return APART[kinds[0]]
    said = [f"{APART[kind]} ({said_count(used.count(kind), 'pair')})" for kind in kinds]
    return " and ".join([", ".join(said[:-1]), said[-1]])


def weigh_common(
    outcomes: Outcomes,
    question: Question,
    *,
    adjusted: Sequence[float] | None = None,
    draws: int = DRAWS,
) -> Weighed:
    """Weigh systems on common items; p-values are adjusted for these pairs unless given."""
    names = outcomes.systems
    posterior = paired_posterior(outcomes, rng=question.rng(), draws=draws)
    raw = raw_common(outcomes)
    adjusted = shaffer_static(raw, systems=len(names)) if adjusted is None else adjusted
    pairs = []
    for (i, j), p, q in zip(couples(len(names)), raw, adjusted, strict=True):
        table = outcomes.pair(names[i], names[j])
        near = None
        if question.margin is not None:
            near = paired_equivalence(table, margin=question.margin).equivalent
        akaike = akaike_common(table)
        pairs.append(
            ComparedPair(
                first=names[i],
                second=names[j],
                difference=_paired_difference(table, question.level),
                p_value=p,
                adjusted_p=q,
                better=posterior.better[i][j],
                verdict=question.verdict(q, near),
                table=table,
                aic_difference=akaike.difference,
                aic_verdict=akaike.verdict,
                equivalent=near,
            )
        )
    return Weighed(
        rates=_rates(names, outcomes.correct(), [outcomes.total] * len(names), question.level),
        best=posterior.best,
        pairs=pairs,
        loss=posterior.loss,
        error=max(posterior.best_error) if posterior.draws else None,
    )


def _paired_difference(table: PairTable, level: float) -> Estimate:
    cells = (table.both, table.first, table.second, table.neither)
    low, high = paired_difference_interval(*cells, level=level)
    return Estimate(
        measure=MEASURE,
        value=(table.first - table.second) / table.total,
        interval=Interval(low=low, high=high, level=level, method="tango"),
        items=table.total,
    )


def weigh_apart(
    trials: Trials, question: Question, *, adjusted: Sequence[float] | None = None
) -> Weighed:
    """Weigh systems that had items of their own; p-values are adjusted as for common items."""
    names = trials.systems
    priors = priors_for(question.prior, names)
    posteriors = beta_posteriors(trials, priors=priors)
    better = probability_better(posteriors).better
    samples = list(zip(trials.correct, trials.tested, strict=True))
    raw = raw_apart(trials)
    adjusted = shaffer_static(raw, systems=len(names)) if adjusted is None else adjusted
    pairs = []
    for (i, j), p, q in zip(couples(len(names)), raw, adjusted, strict=True):
        near = None
        if question.margin is not None:
            near = probability_equivalent(
                posteriors, names[i], names[j], margin=question.margin
            ).equivalent
        akaike = akaike_independent(samples[i], samples[j])
        pairs.append(
            ComparedPair(
                first=names[i],
                second=names[j],
                difference=_difference(samples[i], samples[j], question.level),
                p_value=p,
                adjusted_p=q,
                better=better[i][j],
                verdict=question.verdict(q, near),
                aic_difference=akaike.difference,
                aic_verdict=akaike.verdict,
                equivalent=near,
            )
        )
    return Weighed(
        rates=_rates(names, trials.correct, trials.tested, question.level),
        best=probability_best(posteriors).best,
        pairs=pairs,
        loss=expected_loss(posteriors).loss,
        priors=priors,
    )


def _difference(first: tuple[int, int], second: tuple[int, int], level: float) -> Estimate:
    limits = independent_interval(first, second, level=level)
    method = "miettinen-nurminen-to-0" if limits.extended else "miettinen-nurminen"
    return Estimate(
        measure=MEASURE,
        value=first[0] / first[1] - second[0] / second[1],
        interval=Interval(low=limits.low, high=limits.high, level=level, method=method),
    )


def weigh_totals(trials: Trials, question: Question) -> Weighed:
    """Weigh systems on common items of which only the totals are known, by Akaike's criterion."""
    names, tested = trials.systems, trials.tested[0]
    pairs = []
    for i, j in couples(len(names)):
        one, two = trials.correct[i], trials.correct[j]
        akaike = akaike_incomplete(one, two, tested=tested)
        gap = Estimate(measure=MEASURE, value=(one - two) / tested, items=tested)
        pairs.append(
            ComparedPair(
                first=names[i],
                second=names[j],
                difference=gap,
                p_value=None,
                adjusted_p=None,
                better=None,
                verdict=akaike.verdict,
                aic_difference=akaike.difference,
                aic_verdict=akaike.verdict,
            )
        )
    return Weighed(
        rates=_rates(names, trials.correct, trials.tested, question.level),
        best=[None] * len(names),
        pairs=pairs,
    )


def _rates(
    names: Sequence[str], correct: Sequence[int], tested: Sequence[int], level: float
) -> list[Rate]:
    return [
        (name, counted_accuracy(right, total, level=level))
        for name, right, total in zip(names, correct, tested, strict=True)
    ]

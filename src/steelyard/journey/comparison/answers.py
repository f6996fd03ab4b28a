"""Right and wrong answers weighed: on common items, on items of their own, by totals alone."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from steelyard import comparison, measures, uncertainty
from steelyard.counts import Outcomes, PairTable, Trials
from steelyard.journey.comparison.question import Question, Rate, Weighed, couples, priors_for
from steelyard.results import (
    ComparedPair,
    Estimate,
    Interval,
    OverlapRange,
    OverlapVerdict,
)
from steelyard.results.measured import say_count

if TYPE_CHECKING:
    from steelyard.comparison.exact.independent import IndependentTest

__all__ = [
    "MEASURE",
    "raw_apart",
    "raw_common",
    "span_overlaps",
    "tests_apart_words",
    "weigh_apart",
    "weigh_common",
    "weigh_totals",
]

DRAWS = 100_000
"""Standard errors of probabilities are 0.0016 at most."""
MEASURE = "difference of accuracy"
APART = {
    "boschloo": "exact tests by Boschloo",
    "fisher": "exact tests by Fisher",
    "fisher-score": "tests between Fisher's and the score test",
    "score": "score tests",
}


def raw_common(outcomes: Outcomes) -> list[float]:
    """Test every pair on common items by the McNemar test that its discordant items call for."""
    return [comparison.common_test(table).p_value for table in outcomes.pairs().values()]


def raw_apart(trials: Trials) -> list[float]:
    """Test every pair with items of their own by the test that its counts call for."""
    return [test.p_value for test in _tests_apart(trials)]


def _tests_apart(trials: Trials) -> "list[IndependentTest]":
    samples = list(zip(trials.correct, trials.tested, strict=True))
    return [comparison.independent_test(samples[i], samples[j]) for i, j in couples(len(samples))]


def tests_apart_words(trials: Trials) -> str:
    """Say by which tests pairs with items of their own were judged, and how many by each."""
    used = [test.method for test in _tests_apart(trials)]
    kinds = [kind for kind in APART if kind in used]
    if len(kinds) == 1:
        return APART[kinds[0]]
    said = [f"{APART[kind]} ({say_count(used.count(kind), 'pair')})" for kind in kinds]
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
    posterior = comparison.paired_posterior(outcomes, rng=question.rng(), draws=draws)
    raw = raw_common(outcomes)
    alike: Sequence[float] = ()
    if adjusted is None:
        alike = _alike(posterior.best) or comparison.alike_common(outcomes, rng=question.rng()).best
        adjusted = uncertainty.shaffer_static(raw, systems=len(names))
    pairs = []
    for (i, j), p, q in zip(couples(len(names)), raw, adjusted, strict=True):
        table = outcomes.pair(names[i], names[j])
        near = None
        if question.margin is not None:
            near = comparison.paired_equivalence(table, margin=question.margin).equivalent
        akaike = comparison.akaike_common(table)
        pairs.append(
            ComparedPair(
                first=names[i],
                second=names[j],
                difference=_difference_on_common(table, p, question.level),
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
        best_alike=alike,
        error=max(posterior.best_error) if posterior.draws else None,
    )


def _difference_on_common(table: PairTable, p_value: float, level: float) -> Estimate:
    """Give the interval that belongs to the test: one question, one answer."""
    ends = comparison.common_interval(table, level=level, p_value=p_value)
    method = "tango-to-0" if ends.extended else "tango"
    return Estimate(
        measure=MEASURE,
        value=(table.first - table.second) / table.total,
        interval=Interval(low=ends.low, high=ends.high, level=level, method=method),
        items=table.total,
    )


def weigh_apart(
    trials: Trials, question: Question, *, adjusted: Sequence[float] | None = None
) -> Weighed:
    """Weigh systems that had items of their own; p-values are adjusted as for common items."""
    names = trials.systems
    priors = priors_for(question.prior, names)
    posteriors = comparison.beta_posteriors(trials, priors=priors)
    better = comparison.probability_better(posteriors).better
    samples = list(zip(trials.correct, trials.tested, strict=True))
    best = comparison.probability_best(posteriors).best
    raw = raw_apart(trials)
    alike: Sequence[float] = ()
    if adjusted is None:
        # Who gives priors other than the uniform one has said what is known beforehand.
        if all(prior == (1, 1) for prior in priors.values()):
            alike = _alike(best) or comparison.alike_independent(trials, rng=question.rng()).best
        adjusted = uncertainty.shaffer_static(raw, systems=len(names))
    pairs = []
    for (i, j), p, q in zip(couples(len(names)), raw, adjusted, strict=True):
        near = None
        if question.margin is not None:
            near = comparison.probability_equivalent(
                posteriors, names[i], names[j], margin=question.margin
            ).equivalent
        akaike = comparison.akaike_independent(samples[i], samples[j])
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
        best=best,
        pairs=pairs,
        loss=comparison.expected_loss(posteriors).loss,
        best_alike=alike,
        priors=priors,
    )


def _alike(best: Sequence[float]) -> tuple[float, ...]:
    """Give the probabilities of two systems if they are alike; nothing of more."""
    return tuple(comparison.alike_pair(share) for share in best) if len(best) == 2 else ()


def _difference(first: tuple[int, int], second: tuple[int, int], level: float) -> Estimate:
    limits = comparison.independent_interval(first, second, level=level)
    method = "miettinen-nurminen-to-0" if limits.extended else "miettinen-nurminen"
    return Estimate(
        measure=MEASURE,
        value=first[0] / first[1] - second[0] / second[1],
        interval=Interval(low=limits.low, high=limits.high, level=level, method=method),
    )


def weigh_totals(trials: Trials, question: Question) -> Weighed:
    r"""Weigh systems on common items of which only the totals are known, over every overlap.

    A pair is called different when its *largest* p-value, adjusted, is at most alpha. Shaffer's
    procedure never lowers an adjusted value when a raw one rises, so whatever is called different
    here would be so with every item known, and the family-wise error is at most that of the tests.
    """
    names, tested = trials.systems, trials.tested[0]
    places = couples(len(names))
    bounds = [
        comparison.bound_overlaps(trials.correct[i], trials.correct[j], tested=tested)
        for i, j in places
    ]
    largest = uncertainty.shaffer_static([one.p_largest for one in bounds], systems=len(names))
    # The least values all hold at once, when the right answers of the systems are nested.
    least = uncertainty.shaffer_static([one.p_least for one in bounds], systems=len(names))
    pairs, low, high = [], _halves(names), _halves(names)
    for (i, j), one, q, lowest in zip(places, bounds, largest, least, strict=True):
        low[i][j], high[i][j] = one.better_low, one.better_high
        low[j][i], high[j][i] = 1 - one.better_high, 1 - one.better_low
        verdict = question.verdict(q)
        akaike = comparison.akaike_incomplete(trials.correct[i], trials.correct[j], tested=tested)
        pairs.append(
            ComparedPair(
                first=names[i],
                second=names[j],
                difference=_difference_on_common(one.apart, one.p_largest, question.level),
                p_value=one.p_largest,
                adjusted_p=q,
                better=min(one.better_low, one.better_high, key=lambda p: abs(p - 0.5)),
                verdict=verdict,
                aic_difference=akaike.difference,
                aic_verdict=akaike.verdict,
                overlaps=span_overlaps(one, lowest, q, question),
            )
        )
    # Of two systems the best is the better one; of more, one overlap for all need not exist.
    best: list[float | None] = [None] * len(names)
    if len(pairs) == 1 and pairs[0].better is not None:
        best = [pairs[0].better, 1 - pairs[0].better]
    return Weighed(
        rates=_rates(names, trials.correct, trials.tested, question.level),
        best=best,
        pairs=pairs,
        best_range=comparison.bound_best(low, high),
    )


def _halves(names: Sequence[str]) -> list[list[float]]:
    return [[0.5] * len(names) for _ in names]


def span_overlaps(
    bounds: Any,  # noqa: ANN401 - of totals, or of rounded shares
    adjusted_least: float,
    adjusted_largest: float,
    question: Question,
) -> OverlapRange:
    """Say what holds whatever the overlap, from the verdicts of the two ends."""
    cautious, hopeful = question.verdict(adjusted_largest), question.verdict(adjusted_least)
    depends: OverlapVerdict = "depends" if hopeful == "different" else "not different"
    return OverlapRange(
        p_least=bounds.p_least,
        p_largest=bounds.p_largest,
        adjusted_least=adjusted_least,
        adjusted_largest=adjusted_largest,
        better_low=bounds.better_low,
        better_high=bounds.better_high,
        verdict="different" if cautious == "different" else depends,
    )


def _rates(
    names: Sequence[str], correct: Sequence[int], tested: Sequence[int], level: float
) -> list[Rate]:
    return [
        (name, measures.counted_accuracy(right, total, level=level))
        for name, right, total in zip(names, correct, tested, strict=True)
    ]

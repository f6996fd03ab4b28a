"""What an evaluation says beside its main numbers: further measures, and which of them to trust."""

from collections.abc import Sequence

from steelyard.counts import Confusion
from steelyard.journey.evaluation.question import EvaluationQuestion, asked_measures
from steelyard.measures import (
    Problem,
    balanced_accuracy,
    diagnostic_odds_ratio,
    f1,
    guide_for,
    informedness,
    kappa_context,
    likelihood_ratio_negative,
    likelihood_ratio_positive,
    mcc,
    no_information_rate,
    no_information_test,
    npv,
    specificity,
)
from steelyard.results import Estimate, Proportion, SystemEvaluation
from steelyard.results.evaluation import ABOVE_CHANCE

__all__ = ["explained_kappa", "further_measures", "guide_of", "tested_against_nothing"]

SHARES = (specificity, npv)
OF_POSITIVE = (
    f1,
    informedness,
    likelihood_ratio_positive,
    likelihood_ratio_negative,
    diagnostic_odds_ratio,
)


def further_measures(
    confusion: Confusion, *, positive: str | None, question: EvaluationQuestion
) -> tuple[Proportion | Estimate, ...]:
    """Measure what stands beside accuracy and kappa; more of it when a positive class is named."""
    level, method = question.level, question.method
    averages: list[Proportion | Estimate] = []
    asked: list[Proportion | Estimate] = []
    for one in asked_measures(confusion, question, positive=positive):
        (averages if one.measure.startswith(question.average) else asked).append(one)
    found: list[Proportion | Estimate] = [
        balanced_accuracy(confusion, level=level),
        mcc(confusion, level=level),
        *averages,
        no_information_rate(confusion, level=level),
    ]
    if positive is not None and positive in confusion.classes:
        found += [share(confusion, of=positive, level=level, method=method) for share in SHARES]
        found += [measure(confusion, of=positive, level=level) for measure in OF_POSITIVE]
    return (*found, *asked)


def tested_against_nothing(confusion: Confusion) -> tuple[Estimate, ...]:
    """Test whether accuracy is above the no-information rate; nothing where it cannot be."""
    several = sum(rows > 0 for rows in confusion.true_totals().values()) > 1
    if confusion.weights is not None or not several:
        return ()
    found = no_information_test(confusion)
    return (Estimate(measure=ABOVE_CHANCE, value=found.p_value, items=confusion.total),)


def explained_kappa(confusion: Confusion) -> tuple[str, ...]:
    """Explain a kappa that prevalence has pulled down; nothing for any other."""
    context = kappa_context(confusion)
    return () if context is None or context.sentence is None else (context.sentence,)


def guide_of(
    systems: Sequence[SystemEvaluation], positive: str | None, *, costs: bool = False
) -> tuple[str, ...]:
    """Say which measures fit the problem that these systems were given."""
    known = next((one.confusion for one in systems if one.confusion is not None), None)
    shares: dict[str, float] = {}
    total = known.total if known is not None else 0
    if known is not None and total:
        shares = {name: rows / total for name, rows in known.true_totals().items()}
    return guide_for(
        Problem(
            holds=frozenset(one.holds for one in systems),
            shares=shares,
            positive=positive,
            positive_share=shares.get(positive) if positive is not None else None,
            costs=costs,
        )
    )

"""What a user may ask of an evaluation beside the usual numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast, get_args

from steelyard import measures, uncertainty
from steelyard.counts import Confusion
from steelyard.errors import RequestError, check_share, switch
from steelyard.measures import (
    Averaging,
    KappaInterval,
    Number,
    average,
    diagnostic_odds_ratio,
    f1,
    informedness,
    likelihood_ratio_negative,
    likelihood_ratio_positive,
    npv,
    specificity,
)
from steelyard.results import Estimate, Proportion, SystemEvaluation
from steelyard.results.evaluation.tables import ABOVE_CHANCE
from steelyard.results.shortfalls import shortfall

__all__ = [
    "MACRO",
    "CostsGiven",
    "EvaluationQuestion",
    "ask_measures",
    "cost_pairs",
    "evaluation_question",
    "explain_kappa",
    "further_measures",
    "guide_of",
    "test_against_nothing",
]

# --- what a user may ask of an evaluation beside the usual numbers -------------------------------


MACRO: tuple[Averaging, ...] = ("macro",)
CostsGiven = Mapping[str, Number] | Mapping[tuple[str, str], float]
"""Costs of misses and false alarms by ``fn`` and ``fp``, or by (truth, called)."""

AVERAGED = ("recall", "precision", "f1")


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationQuestion:
    """How intervals and averages are taken, and what is known of the place of use."""

    level: float = 0.95
    method: str = "wilson"
    kappa_method: KappaInterval | None = None
    average: tuple[Averaging, ...] = MACRO
    prevalence: float | None = None
    cost: CostsGiven | None = None
    measure: tuple[str, ...] = ()

    @property
    def falls_short(self) -> tuple[str, ...]:
        """What has to be said of the interval that was chosen."""
        return (shortfall("wald-share"),) if self.method == "wald" else ()

    def settings(self) -> dict[str, object]:
        """List what was asked beside the usual, for the record."""
        cost = self.cost
        return {
            "measure": ", ".join(self.measure) or None,
            "level": self.level,
            "method": None if self.method == "wilson" else self.method,
            "kappa_method": self.kappa_method,
            "average": None if self.average == MACRO else ",".join(self.average),
            "prevalence": self.prevalence,
            "cost": None
            if cost is None
            else ",".join(
                f"{name if isinstance(name, str) else '>'.join(name)}={value}"
                for name, value in cost.items()
            ),
        }


def evaluation_question(
    *,
    level: float,
    method: str,
    kappa_method: KappaInterval | None,
    average: str | Sequence[str],
    prevalence: Number | None,
    cost: CostsGiven | None,
    measure: str | Sequence[str] | None = None,
) -> EvaluationQuestion:
    """Check what was asked before any row is read."""
    check_share("level", level)
    if method not in uncertainty.PROPORTION_INTERVALS:
        choices = tuple(uncertainty.PROPORTION_INTERVALS)
        raise RequestError.for_choice(name="method", given=method, choices=choices)
    if kappa_method not in {None, *measures.KAPPA_INTERVALS}:
        named_so = tuple(measures.KAPPA_INTERVALS)
        raise RequestError.for_choice(name="kappa_method", given=kappa_method, choices=named_so)
    named = (average,) if isinstance(average, str) else tuple(average)
    for one in named:
        if one not in get_args(Averaging):
            raise RequestError.for_choice(name="average", given=one, choices=get_args(Averaging))
    share = None if prevalence is None else float(measures.exact_share(prevalence, "prevalence"))
    return EvaluationQuestion(
        level=level,
        method=method,
        kappa_method=kappa_method,
        average=cast(tuple[Averaging, ...], named),
        prevalence=share,
        cost=cost,
        measure=(measure,) if isinstance(measure, str) else tuple(measure or ()),
    )


def ask_measures(
    confusion: Confusion, question: EvaluationQuestion, *, positive: str | None
) -> tuple[Proportion | Estimate, ...]:
    """Measure averages over classes, predictive values elsewhere, and the cost of an item."""
    found: list[Proportion | Estimate] = []
    for averaging in question.average:
        wanted = AVERAGED if question.average != MACRO else ("f1",)
        found += [
            average(confusion, name, averaging=averaging, level=question.level)  # type: ignore[arg-type]
            for name in wanted
        ]
    if question.prevalence is not None:
        of = _say_needed(positive, confusion, "prevalence", f"{question.prevalence:g}")
        options = {"of": of, "prevalence": question.prevalence, "level": question.level}
        found += [measures.ppv_at(confusion, **options), measures.npv_at(confusion, **options)]  # type: ignore[arg-type]
    if question.cost is not None:
        pairs = cost_pairs(confusion, question.cost, positive)
        found.append(measures.expected_cost(confusion, pairs, level=question.level))
    return tuple(found)


def _say_needed(positive: str | None, confusion: Confusion, name: str, value: str) -> str:
    if positive is None or positive not in confusion.classes:
        example = switch("positive", confusion.classes[-1] if confusion.classes else "CLASS")
        message = f"{name}={value} is about the positive class, and none is named: {example}."
        raise RequestError(message)
    return positive


def cost_pairs(
    confusion: Confusion, cost: CostsGiven, positive: str | None
) -> dict[tuple[str, str], float]:
    """Spell costs of misses and false alarms out as costs of (truth, called)."""
    given = {name: value for name, value in cost.items() if not isinstance(name, str)}
    if given:
        return {(str(pair[0]), str(pair[1])): float(value) for pair, value in given.items()}
    strange = sorted(set(map(str, cost)) - {"fn", "fp", "tp", "tn"})
    if strange:
        raise RequestError.for_choice("cost", strange[0], ("fn", "fp", "tp", "tn"))  # noqa: EM101
    of = _say_needed(positive, confusion, "cost", ",".join(map(str, cost)))
    each = {
        kind: float(measures.exact_number(cost.get(kind, usual), f"cost of {kind}"))  # type: ignore[call-overload]
        for kind, usual in (("fn", 1), ("fp", 1), ("tp", 0), ("tn", 0))
    }
    return {
        (truth, called): _cost(truth, called, of, each)
        for truth in confusion.classes
        for called in confusion.classes
    }


def _cost(truth: str, called: str, of: str, each: Mapping[str, float]) -> float:
    if truth == of:
        return each["tp"] if called == of else each["fn"]
    return each["fp"] if called == of else each["tn"]


# What an evaluation says beside its main numbers: further measures, and which of them to trust


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
    for one in ask_measures(confusion, question, positive=positive):
        (averages if one.measure.startswith(question.average) else asked).append(one)
    found: list[Proportion | Estimate] = [
        measures.balanced_accuracy(confusion, level=level),
        measures.mcc(confusion, level=level),
        *averages,
        measures.no_information_rate(confusion, level=level),
    ]
    if positive is not None and positive in confusion.classes:
        found += [share(confusion, of=positive, level=level, method=method) for share in SHARES]
        found += [measure(confusion, of=positive, level=level) for measure in OF_POSITIVE]
    return (*found, *asked)


def test_against_nothing(confusion: Confusion) -> tuple[Estimate, ...]:
    """Test whether accuracy is above the no-information rate; nothing where it cannot be."""
    several = sum(rows > 0 for rows in confusion.true_totals().values()) > 1
    if confusion.weights is not None or not several:
        return ()
    found = measures.no_information_test(confusion)
    return (Estimate(measure=ABOVE_CHANCE, value=found.p_value, items=confusion.total),)


def explain_kappa(confusion: Confusion) -> tuple[str, ...]:
    """Explain a kappa that prevalence has pulled down; nothing for any other."""
    context = measures.kappa_context(confusion)
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
    return measures.guide_for(
        measures.Problem(
            holds=frozenset(one.holds for one in systems),
            shares=shares,
            positive=positive,
            positive_share=shares.get(positive) if positive is not None else None,
            costs=costs,
        )
    )

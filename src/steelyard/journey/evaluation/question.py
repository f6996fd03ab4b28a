"""What a user may ask of an evaluation beside the usual numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast, get_args

from steelyard.counts import Confusion
from steelyard.errors import RequestError, switch
from steelyard.measures import (
    KAPPA_INTERVALS,
    Averaging,
    KappaInterval,
    Number,
    average,
    exact_number,
    exact_share,
    expected_cost,
    npv_at,
    ppv_at,
)
from steelyard.results import Estimate, Proportion
from steelyard.uncertainty import PROPORTION_INTERVALS

__all__ = [
    "MACRO",
    "CostsGiven",
    "EvaluationQuestion",
    "asked_measures",
    "cost_pairs",
    "evaluation_question",
]

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
    if not 0 < level < 1:
        raise RequestError.for_level(name="level", given=level)
    if method not in PROPORTION_INTERVALS:
        choices = tuple(PROPORTION_INTERVALS)
        raise RequestError.for_choice(name="method", given=method, choices=choices)
    if kappa_method not in {None, *KAPPA_INTERVALS}:
        named_so = tuple(KAPPA_INTERVALS)
        raise RequestError.for_choice(name="kappa_method", given=kappa_method, choices=named_so)
    named = (average,) if isinstance(average, str) else tuple(average)
    for one in named:
        if one not in get_args(Averaging):
            raise RequestError.for_choice(name="average", given=one, choices=get_args(Averaging))
    share = None if prevalence is None else float(exact_share(prevalence, "prevalence"))
    return EvaluationQuestion(
        level=level,
        method=method,
        kappa_method=kappa_method,
        average=cast(tuple[Averaging, ...], named),
        prevalence=share,
        cost=cost,
        measure=(measure,) if isinstance(measure, str) else tuple(measure or ()),
    )


def asked_measures(
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
        of = _needed(positive, confusion, "prevalence", f"{question.prevalence:g}")
        options = {"of": of, "prevalence": question.prevalence, "level": question.level}
        found += [ppv_at(confusion, **options), npv_at(confusion, **options)]  # type: ignore[arg-type]
    if question.cost is not None:
        pairs = cost_pairs(confusion, question.cost, positive)
        found.append(expected_cost(confusion, pairs, level=question.level))
    return tuple(found)


def _needed(positive: str | None, confusion: Confusion, name: str, value: str) -> str:
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
    of = _needed(positive, confusion, "cost", ",".join(map(str, cost)))
    each = {
        kind: float(exact_number(cost.get(kind, usual), f"cost of {kind}"))  # type: ignore[call-overload]
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

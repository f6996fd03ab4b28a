"""The recipes for a threshold: what each one asks for, and how it finds it in whole numbers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from steelyard.measures.rounding import whole_part
from steelyard.measures.tables.at_thresholds import Costs, Ratio, values

__all__ = ["RULES", "Rule", "Sweep", "ThresholdMethod", "ThresholdQuestion", "promised"]

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

ThresholdMethod = Literal[
    "fixed",
    "lowest-positive",
    "sensitivity",
    "equal-rates",
    "max-sum",
    "max-kappa",
    "mean-score",
    "prevalence",
    "predicted-prevalence",
    "specificity",
    "false-alarm-budget",
    "min-cost",
    "max-f",
    "closest-corner",
]

SLACK = 1e-11
"""Floats closer than this (relative to the largest) are compared again, exactly or as ties."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdQuestion:
    """The numbers that some recipes need; shares and costs are the decimals that were typed."""

    value: float = 0.5
    sensitivity: Fraction = Fraction(19, 20)
    specificity: Fraction = Fraction(19, 20)
    false_alarm_rate: Fraction = Fraction(1, 20)
    beta: Fraction = Fraction(1)
    costs: Costs = field(default_factory=Costs)
    prevalence: Fraction | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """Counts of shape (tables, scores), lowest score first, and the calls from each score up."""

    scores: Floats
    positives: Whole
    negatives: Whole

    @property
    def tp(self) -> Whole:
        """Positives at each score or above it."""
        return np.cumsum(self.positives[:, ::-1], axis=1)[:, ::-1]

    @property
    def fp(self) -> Whole:
        """Negatives at each score or above it."""
        return np.cumsum(self.negatives[:, ::-1], axis=1)[:, ::-1]

    @property
    def totals(self) -> tuple[int, int]:
        """Positives and negatives of each table; all tables have the same."""
        return int(self.positives[0].sum()), int(self.negatives[0].sum())

    @property
    def held(self) -> NDArray[np.bool_]:
        """Scores that some item of the table has: the candidates."""
        return (self.positives > 0) | (self.negatives > 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One recipe.

    Either ``objective`` lists formulas to make as large as possible, the second deciding between
    ties of the first, or ``choose`` gives one threshold for each table of a sweep (NaN when there
    is none). ``promise`` names the number that the recipe promises of its threshold.
    """

    words: str
    promise: str | None = None
    needs_absences: bool = True
    objective: Callable[[ThresholdQuestion], tuple[Ratio, ...]] | None = None
    choose: Callable[[Sweep, ThresholdQuestion], Floats] | None = None
    missing: str = ""


def promised(name: str, counts: tuple[Any, ...], question: ThresholdQuestion) -> Floats:
    """Compute a promised number from arrays of tp, fp, fn, tn; NaN where it is undefined.

    Examples
    --------
    >>> counts = tuple(np.array([n]) for n in (25, 10, 5, 60))
    >>> promised("kappa", counts, ThresholdQuestion()).round(4).tolist()
    [0.6591]
    """
    tp, fp, fn, tn = (np.asarray(one, dtype=np.float64) for one in counts)
    if name == "corner distance":
        # 0/0 where a class has no items: NaN says that it is undefined there.
        with np.errstate(invalid="ignore", divide="ignore"):
            distance: Floats = np.hypot(fn / (tp + fn), fp / (fp + tn))
        return distance
    if name == "f":
        top, bottom = _f_beta(question)[0](tp, fp, fn, tn)
        with np.errstate(invalid="ignore", divide="ignore"):
            share: Floats = np.asarray(top / bottom)
        return share
    known = values(name.replace(" ", "_"), tp, fp, fn, tn, costs=question.costs)
    return np.asarray(known.filled(np.nan))


def _equal_rates(question: ThresholdQuestion) -> tuple[Ratio, ...]:
    del question

    def nearness(tp: Any, fp: Any, fn: Any, tn: Any) -> tuple[Any, Any]:  # noqa: ANN401
        positives, negatives = tp + fn, fp + tn
        return -abs(tp * negatives - tn * positives), positives * negatives

    return nearness, _sum_of_rates


def _sum_of_rates(tp: Any, fp: Any, fn: Any, tn: Any) -> tuple[Any, Any]:  # noqa: ANN401
    return tp * (fp + tn) + tn * (tp + fn), (tp + fn) * (fp + tn)


def _kappa(tp: Any, fp: Any, fn: Any, tn: Any) -> tuple[Any, Any]:  # noqa: ANN401
    return 2 * (tp * tn - fp * fn), (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)


def _prevalence_gap(tp: Any, fp: Any, fn: Any, tn: Any) -> tuple[Any, Any]:  # noqa: ANN401
    return -abs(fp - fn), tp + fp + fn + tn


def _corner(tp: Any, fp: Any, fn: Any, tn: Any) -> tuple[Any, Any]:  # noqa: ANN401
    positives, negatives = tp + fn, fp + tn
    return -((fn * negatives) ** 2) - (fp * positives) ** 2, (positives * negatives) ** 2


def _cheapness(question: ThresholdQuestion) -> tuple[Ratio, ...]:
    def save(tp: Any, fp: Any, fn: Any, tn: Any) -> tuple[Any, Any]:  # noqa: ANN401
        spent, items = question.costs.ratio(tp, fp, fn, tn)
        return -spent, items

    return (save,)


def _f_beta(question: ThresholdQuestion) -> tuple[Ratio, ...]:
    def f_beta(tp: Any, fp: Any, fn: Any, tn: Any) -> tuple[Any, Any]:  # noqa: ANN401
        del tn
        square: Any = question.beta**2
        if isinstance(tp, np.ndarray | np.floating):
            square = float(square)
        won = (1 + square) * tp
        return won, won + square * fn + fp

    return (f_beta,)


def _choose_fixed(sweep: Sweep, question: ThresholdQuestion) -> Floats:
    return np.full(sweep.positives.shape[0], question.value)


def _lowest_positive(sweep: Sweep, question: ThresholdQuestion) -> Floats:
    del question
    return _score_at(sweep, np.argmax(sweep.positives > 0, axis=1))


def _sensitivity(sweep: Sweep, question: ThresholdQuestion) -> Floats:
    share, positives = question.sensitivity, sweep.totals[0]
    needed = max(1, whole_part(share, positives, rounding="ceil"))
    return _score_at(sweep, (sweep.tp >= needed).sum(axis=1) - 1)


def _specificity(sweep: Sweep, question: ThresholdQuestion) -> Floats:
    negatives = sweep.totals[1]
    needed = whole_part(question.specificity, negatives, rounding="ceil")
    return _first(sweep, negatives - sweep.fp >= needed)


def _budget(sweep: Sweep, question: ThresholdQuestion) -> Floats:
    allowed = whole_part(question.false_alarm_rate, sweep.totals[1], rounding="floor")
    return _first(sweep, sweep.fp <= allowed)


def _mean_score(sweep: Sweep, question: ThresholdQuestion) -> Floats:
    del question
    items = sweep.positives + sweep.negatives
    # Scores of -inf and inf have no mean: NaN, which is masked below.
    with np.errstate(invalid="ignore"):
        means: Floats = (items * sweep.scores).sum(axis=1) / items.sum(axis=1)
    return np.where(np.isfinite(means), means, np.nan)


def _prevalence(sweep: Sweep, question: ThresholdQuestion) -> Floats:
    del question
    positives, negatives = sweep.totals
    return np.full(sweep.positives.shape[0], positives / (positives + negatives))


def _score_at(sweep: Sweep, place: NDArray[np.intp]) -> Floats:
    found: Floats = sweep.scores[place]
    return found


def _first(sweep: Sweep, good: NDArray[np.bool_]) -> Floats:
    """Give the lowest candidate that is good enough; NaN when none is."""
    fit = good & sweep.held
    return np.where(fit.any(axis=1), sweep.scores[np.argmax(fit, axis=1)], np.nan)


SMALLEST = "the smallest of tied thresholds is taken"

RULES: dict[ThresholdMethod, Rule] = {
    "fixed": Rule(words="the threshold that was given", needs_absences=False, choose=_choose_fixed),
    "lowest-positive": Rule(
        words="the lowest score of a positive item, so that all of them are found",
        promise="recall",
        needs_absences=False,
        choose=_lowest_positive,
    ),
    "sensitivity": Rule(
        words="the largest threshold that reaches the wanted recall",
        promise="recall",
        needs_absences=False,
        choose=_sensitivity,
    ),
    "equal-rates": Rule(
        words=(
            "recall and specificity as close as can be; of ties the larger sum, then the smallest "
            "threshold"
        ),
        promise="balanced accuracy",
        objective=_equal_rates,
    ),
    "max-sum": Rule(
        words=f"the largest sum of recall and specificity; {SMALLEST}",
        promise="balanced accuracy",
        objective=lambda question: (_sum_of_rates,),
    ),
    "max-kappa": Rule(
        words=f"the largest kappa; {SMALLEST}",
        promise="kappa",
        objective=lambda question: (_kappa,),
    ),
    "mean-score": Rule(
        words="the mean score of all items",
        needs_absences=False,
        choose=_mean_score,
        missing="infinite scores have no mean",
    ),
    "prevalence": Rule(
        words="the share of positives, taken as a score: for probabilities only",
        choose=_prevalence,
    ),
    "predicted-prevalence": Rule(
        words=f"as many items called positive as there are; {SMALLEST}",
        promise="flagged share",
        objective=lambda question: (_prevalence_gap,),
    ),
    "specificity": Rule(
        words="the smallest threshold that reaches the wanted specificity",
        promise="specificity",
        choose=_specificity,
        missing="no score reaches this specificity, not even the highest",
    ),
    "false-alarm-budget": Rule(
        words="the smallest threshold that keeps false alarms within the budget",
        promise="false alarm rate",
        choose=_budget,
        missing="no score keeps to this budget, not even the highest",
    ),
    "min-cost": Rule(
        words=f"the lowest cost of an item; {SMALLEST}", promise="cost", objective=_cheapness
    ),
    "max-f": Rule(words=f"the largest F; {SMALLEST}", promise="f", objective=_f_beta),
    "closest-corner": Rule(
        words=f"the point nearest to no misses and no false alarms; {SMALLEST}",
        promise="corner distance",
        objective=lambda question: (_corner,),
    ),
}
"""Every recipe, by name, in the order of the table."""

"""The recipes for a threshold: what each one asks for, and how it finds it in whole numbers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from steelyard.measures.catalogue.listing import CATALOGUE
from steelyard.measures.rounding import whole_part
from steelyard.measures.tables.at_thresholds import Costs, values
from steelyard.measures.tables.formulas import FourCells, f_share, share

__all__ = [
    "RULES",
    "Objective",
    "Rule",
    "Sweep",
    "ThresholdMethod",
    "ThresholdQuestion",
    "promised",
]

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

Objective = Callable[[FourCells], Any]
"""What a recipe makes as large as possible: of arrays of floats, or of fractions."""

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
    objective: Callable[[ThresholdQuestion], tuple[Objective, ...]] | None = None
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
    if name in {"f", "corner distance"}:
        cells = FourCells(*(np.asarray(one, dtype=np.float64) for one in counts))
        # 0/0 where a class has no items: NaN says that it is undefined there.
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Floats = _f_beta(question)[0](cells) if name == "f" else np.sqrt(-_corner(cells))
        return found
    known = values(name.replace(" ", "_"), *counts, costs=question.costs)
    return np.asarray(known.filled(np.nan))


def _f_beta(question: ThresholdQuestion) -> tuple[Objective, ...]:
    def f_beta(t: FourCells) -> Any:  # noqa: ANN401
        square = question.beta**2
        return f_share(t, square if isinstance(t.tp, Fraction) else float(square))

    return (f_beta,)


def _cheapness(question: ThresholdQuestion) -> tuple[Objective, ...]:
    def save(t: FourCells) -> Any:  # noqa: ANN401
        spent, items = question.costs.ratio(t.tp, t.fp, t.fn, t.tn)
        return -spent / items

    return (save,)


def _make_objective(name: str) -> Objective:
    formula = CATALOGUE[name].formula
    assert formula is not None
    return formula


def _nearness(t: FourCells) -> Any:  # noqa: ANN401
    return -abs(share(t.tp, t.fn) - share(t.tn, t.fp))


def _prevalence_gap(t: FourCells) -> Any:  # noqa: ANN401
    return -abs(t.fp - t.fn) / t.total


def _corner(t: FourCells) -> Any:  # noqa: ANN401
    return -(share(t.fn, t.tp) ** 2) - share(t.fp, t.tn) ** 2


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
        objective=lambda question: (_nearness, _make_objective("balanced accuracy")),
    ),
    "max-sum": Rule(
        words=f"the largest sum of recall and specificity; {SMALLEST}",
        promise="balanced accuracy",
        objective=lambda question: (_make_objective("balanced accuracy"),),
    ),
    "max-kappa": Rule(
        words=f"the largest kappa; {SMALLEST}",
        promise="kappa",
        objective=lambda question: (_make_objective("kappa"),),
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

r"""What the four counts of a threshold say, for one threshold or for all of them at once.

The formula of a declared measure serves arrays of floats (a whole curve at once) and whole numbers
(an exact fraction), so what is plotted and what is compared never differ.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import RequestError
from steelyard.measures.catalogue.listing import CATALOGUE, catalogue_entry
from steelyard.measures.catalogue.measure import Measure
from steelyard.measures.tables.estimates import table_value
from steelyard.measures.tables.formulas import FourCells

__all__ = [
    "Costs",
    "Ratio",
    "check_threshold_measure",
    "exact_value",
    "measure_names",
    "values",
]

Ratio = Callable[[Any, Any, Any, Any], tuple[Any, Any]]
"""Numerator and denominator from (tp, fp, fn, tn)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """What each kind of call costs; right calls usually cost nothing.

    Examples
    --------
    >>> Costs(fn=Fraction(5), fp=Fraction(1)).ratio(8, 3, 2, 7)
    (Fraction(13, 1), 20)
    """

    fn: Fraction = Fraction(1)
    fp: Fraction = Fraction(1)
    tp: Fraction = Fraction(0)
    tn: Fraction = Fraction(0)

    def ratio(self, tp: Any, fp: Any, fn: Any, tn: Any) -> tuple[Any, Any]:  # noqa: ANN401
        """Cost of all calls, and the number of items."""
        kinds: tuple[Any, ...] = (self.tp, self.fp, self.fn, self.tn)
        if isinstance(tp, np.ndarray):
            kinds = tuple(map(float, kinds))
        spent = sum(cost * count for cost, count in zip(kinds, (tp, fp, fn, tn), strict=True))
        return spent, tp + fp + fn + tn

    def at_prevalence(self, share: Fraction, *, positives: int, negatives: int) -> "Costs":
        """Weigh the classes, so that the mean over these items is that where ``share`` is positive.

        Examples
        --------
        >>> Costs(fn=Fraction(5)).at_prevalence(Fraction(1, 10), positives=10, negatives=10)
        Costs(fn=Fraction(1, 1), fp=Fraction(9, 5), tp=Fraction(0, 1), tn=Fraction(0, 1))
        """
        items = positives + negatives
        more, less = share * items / positives, (1 - share) * items / negatives
        return Costs(fn=self.fn * more, fp=self.fp * less, tp=self.tp * more, tn=self.tn * less)


OF_THRESHOLDS: dict[str, Ratio] = {
    "flagged": lambda tp, fp, fn, tn: (tp + fp, 1 + 0 * tp),
    "lift": lambda tp, fp, fn, tn: (tp * (tp + fp + fn + tn), (tp + fp) * (tp + fn)),
}
"""What is asked at thresholds only, and is no measure of a table by itself."""

USUAL = (
    "recall", "false_alarm_rate", "specificity", "miss_rate", "precision", "npv", "accuracy",
    "balanced_accuracy", "youden", "kappa", "f1", "flagged", "flagged_share", "lift", "mcc", "cost",
    "tpr", "sensitivity", "detection_rate", "fpr", "tnr", "fnr", "ppv",
)  # fmt: skip
"""Names that are usual at thresholds."""


def measure_names() -> tuple[str, ...]:
    """List every name that can be asked for at a threshold; each may be spelled in other ways.

    >>> "kappa" in measure_names(), "mcc" in measure_names(), "markedness" in measure_names()
    (True, True, True)
    """
    known = {catalogue_entry(name).name for name in USUAL if name not in {*OF_THRESHOLDS, "cost"}}
    others = (name for name, one in CATALOGUE.items() if name not in known and _fits(one))
    return (*USUAL, *(name.casefold().replace(" ", "_").replace("-", "_") for name in others))


def values(
    name: str,
    tp: NDArray[Any],
    fp: NDArray[Any],
    fn: NDArray[Any],
    tn: NDArray[Any],
    *,
    costs: Costs | None = None,
) -> "np.ma.MaskedArray[Any, np.dtype[np.float64]]":
    """Compute one measure at many thresholds; masked where it is undefined.

    Examples
    --------
    >>> one, none = np.array([1.0]), np.array([0.0])
    >>> values("precision", none, none, one, one).mask.tolist()
    [True]
    """
    counts = [np.asarray(side, dtype=np.float64) for side in (tp, fp, fn, tn)]
    ratio = _ratio(name, costs)
    if ratio is None:
        found = table_value(_measure(name), FourCells(*counts))
    else:
        top, bottom = ratio(*counts)
        # An empty margin gives NaN, which is masked as undefined below.
        with np.errstate(all="ignore"):
            found = np.asarray(top / np.where(bottom == 0, np.nan, bottom), dtype=np.float64)
    undefined = np.isnan(found)
    return np.ma.masked_array(np.where(undefined, 0.0, found), mask=undefined)


def exact_value(
    name: str, counts: tuple[int, int, int, int], *, costs: Costs | None = None
) -> Fraction | float | None:
    """Compute one measure from whole numbers; a fraction where it is one, None when undefined.

    Examples
    --------
    >>> exact_value("kappa", (25, 10, 5, 60)), exact_value("precision", (0, 0, 5, 60))
    (Fraction(29, 44), None)
    """
    ratio = _ratio(name, costs)
    if ratio is not None:
        top, bottom = ratio(*counts)
        return Fraction(top) / bottom if bottom else None
    return _exact(_measure(name), counts)


def _exact(measure: Measure, counts: tuple[int, int, int, int]) -> Fraction | float | None:
    margins = FourCells(*map(Fraction, counts))
    if measure.formula is None or any(count(margins) == 0 for count in measure.edges.values()):
        return None
    try:
        found: Fraction | float = measure.formula(margins)
    except ZeroDivisionError:
        return None
    return found


def _fits(measure: Measure) -> bool:
    return measure.counts == "Confusion" and measure.formula is not None and not (
        set(measure.needs) - {"of"}
    )  # fmt: skip


def check_threshold_measure(name: str) -> None:
    """Refuse a name that says nothing at a threshold."""
    if _ratio(name, None) is None:
        _measure(name, asked_as="measures")


def _measure(name: str, *, asked_as: str = "measure") -> Measure:
    try:
        measure = catalogue_entry(name)
    except RequestError:
        measure = None
    if measure is None or not _fits(measure):
        raise RequestError.for_choice(name=asked_as, given=name, choices=measure_names())
    return measure


def _ratio(name: str, costs: Costs | None) -> Ratio | None:
    return (costs or Costs()).ratio if name == "cost" else OF_THRESHOLDS.get(name)

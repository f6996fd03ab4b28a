r"""What the four counts of a threshold say, for one threshold or for all of them at once.

Each formula gives a numerator and a denominator from true positives, false positives, false
negatives and true negatives. The same lines serve arrays of floats (a whole curve at once) and
Python's whole numbers (an exact fraction), so what is plotted and what is compared never differ.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import RequestError

__all__ = ["ALIASES", "RATIOS", "Costs", "Ratio", "exact_value", "measure_names", "values"]

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


def _kappa(tp: Any, fp: Any, fn: Any, tn: Any) -> tuple[Any, Any]:  # noqa: ANN401
    return 2 * (tp * tn - fp * fn), (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)


def _youden(tp: Any, fp: Any, fn: Any, tn: Any) -> tuple[Any, Any]:  # noqa: ANN401
    return tp * tn - fp * fn, (tp + fn) * (fp + tn)


def _balanced(tp: Any, fp: Any, fn: Any, tn: Any) -> tuple[Any, Any]:  # noqa: ANN401
    return tp * (fp + tn) + tn * (tp + fn), 2 * (tp + fn) * (fp + tn)


RATIOS: dict[str, Ratio] = {
    "recall": lambda tp, fp, fn, tn: (tp, tp + fn),
    "false_alarm_rate": lambda tp, fp, fn, tn: (fp, fp + tn),
    "specificity": lambda tp, fp, fn, tn: (tn, fp + tn),
    "miss_rate": lambda tp, fp, fn, tn: (fn, tp + fn),
    "precision": lambda tp, fp, fn, tn: (tp, tp + fp),
    "npv": lambda tp, fp, fn, tn: (tn, tn + fn),
    "accuracy": lambda tp, fp, fn, tn: (tp + tn, tp + fp + fn + tn),
    "balanced_accuracy": _balanced,
    "youden": _youden,
    "kappa": _kappa,
    "f1": lambda tp, fp, fn, tn: (2 * tp, 2 * tp + fp + fn),
    "flagged": lambda tp, fp, fn, tn: (tp + fp, 1 + 0 * tp),
    "flagged_share": lambda tp, fp, fn, tn: (tp + fp, tp + fp + fn + tn),
    "lift": lambda tp, fp, fn, tn: (tp * (tp + fp + fn + tn), (tp + fp) * (tp + fn)),
}
"""Every measure that is a ratio, by name."""

ALIASES = {
    "tpr": "recall",
    "sensitivity": "recall",
    "detection_rate": "recall",
    "fpr": "false_alarm_rate",
    "tnr": "specificity",
    "fnr": "miss_rate",
    "ppv": "precision",
}
"""Other people's names for some of them."""


def measure_names() -> tuple[str, ...]:
    """List every name that can be asked for at a threshold.

    >>> "kappa" in measure_names(), "mcc" in measure_names()
    (True, True)
    """
    return (*RATIOS, "mcc", "cost", *ALIASES)


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
    counts = [np.asarray(one, dtype=np.float64) for one in (tp, fp, fn, tn)]
    if name == "mcc":
        top, square = _mcc_parts(*counts)
        bottom = np.sqrt(square)
    else:
        top, bottom = _ratio(name, costs)(*counts)
    bottom = np.asarray(bottom, dtype=np.float64)
    undefined = bottom == 0
    shares = np.divide(top, bottom, out=np.zeros_like(bottom), where=~undefined)
    return np.ma.masked_array(shares, mask=undefined)


def exact_value(
    name: str, counts: tuple[int, int, int, int], *, costs: Costs | None = None
) -> Fraction | float | None:
    """Compute one measure from whole numbers; a fraction where it is one, None when undefined.

    Examples
    --------
    >>> exact_value("kappa", (25, 10, 5, 60)), exact_value("precision", (0, 0, 5, 60))
    (Fraction(29, 44), None)
    """
    if name == "mcc":
        top, square = _mcc_parts(*counts)
        if square == 0:
            return None
        root = isqrt(square)
        return Fraction(top, root) if root * root == square else top / sqrt(square)
    top, bottom = _ratio(name, costs)(*counts)
    return Fraction(top) / bottom if bottom else None


def _mcc_parts(tp: Any, fp: Any, fn: Any, tn: Any) -> tuple[Any, Any]:  # noqa: ANN401
    return tp * tn - fp * fn, (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)


def _ratio(name: str, costs: Costs | None) -> Ratio:
    if name == "cost":
        return (costs or Costs()).ratio
    known = ALIASES.get(name, name)
    if known not in RATIOS:
        raise RequestError.for_choice(name="measure", given=name, choices=measure_names())
    return RATIOS[known]

"""Measures of tables as formulas whose slopes are exact, and the scales of their limits."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

__all__ = [
    "CLUSTERED",
    "FISHER",
    "LOGIT",
    "LOOKS_AT",
    "PLAIN",
    "RATIO_DOWN",
    "RATIO_UP",
    "SHARES",
    "Formula",
    "Margins",
    "Scale",
    "Values",
]

Values = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Margins:
    """Right items, true and called items of each class, in tables of shape (tables, classes)."""

    right: Values
    true: Values
    called: Values

    @property
    def total(self) -> Values:
        """All items of each table."""
        return np.asarray(self.true.sum(axis=1))

    @property
    def missed(self) -> Values:
        """Items of each class that were called another."""
        return self.true - self.right

    @property
    def alarms(self) -> Values:
        """Items called each class that are of another."""
        return self.called - self.right

    @property
    def rest(self) -> Values:
        """Items that neither are nor were called each class."""
        return np.asarray(self.true.sum(axis=1, keepdims=True) - self.true - self.alarms)

    def of(self, place: int) -> tuple[Values, Values, Values, Values]:
        """Hits, false alarms, misses and correct rejections of one class."""
        hits, true = self.right[:, place], self.true[:, place]
        alarms = self.called[:, place] - hits
        return hits, alarms, true - hits, np.asarray(self.total - true - alarms)


Formula = Callable[[Margins, int], Values]


@dataclass(frozen=True, slots=True)
class Scale:
    """Where limits are symmetric: there, back, and how steep it is there."""

    there: Callable[[float], float]
    back: Callable[[float], float]
    steep: Callable[[float], float]


LOGIT = Scale(logit, expit, lambda value: 1 / (value * (1 - value)))
FISHER = Scale(np.arctanh, np.tanh, lambda value: 1 / ((1 - value) * (1 + value)))
LOGARITHM = Scale(np.log, np.exp, lambda value: 1 / value)
PLAIN = Scale(float, float, lambda _: 1.0)


def _part(top: Values, others: Values) -> Values:
    """Share of the whole, worked out from the smaller part: else slopes near 1 lose digits."""
    whole = top + others
    most = top.real > others.real
    with np.errstate(all="ignore"):
        return np.asarray(np.where(most, 1 - others / whole, top / whole))


def _mcc(m: Margins, _: int) -> Values:
    """MCC from what was missed, where that is little; from the products elsewhere."""
    missed, alarms = m.missed, m.alarms
    top = (m.right * m.rest - alarms * missed).sum(axis=1)
    left = (alarms * (m.rest + missed) + m.called * missed).sum(axis=1)
    under = (missed * (m.rest + alarms) + m.true * alarms).sum(axis=1)
    few = (top.real > left.real) & (top.real > under.real)
    with np.errstate(all="ignore"):
        off = left / top + under / top + (left / top) * (under / top)
        plain = top / np.sqrt((top + left) * (top + under))
        return np.asarray(np.where(few, 1 / np.sqrt(1 + off), plain))


def _mean(top: Callable[[Margins], Values], others: Callable[[Margins], Values]) -> Formula:
    """Average a share over the classes for which it is defined."""

    def formula(m: Margins, _: int) -> Values:
        held = (top(m) + others(m)).real > 0
        each = np.where(held, _part(top(m), others(m)), 0)
        return np.asarray(each.sum(axis=1) / held.sum(axis=1))

    return formula


def _weighted(top: Callable[[Margins], Values], others: Callable[[Margins], Values]) -> Formula:
    """Average a share over the classes by their items, where it is defined."""

    def formula(m: Margins, _: int) -> Values:
        held = (top(m) + others(m)).real > 0
        won, lost = (
            np.where(held, _part(one, other) * m.true, 0).sum(axis=1)
            for one, other in ((top(m), others(m)), (others(m), top(m)))
        )
        return _part(won, lost)

    return formula


def _right(m: Margins) -> Values:
    return m.right


def _twice(m: Margins) -> Values:
    return 2 * m.right


def _missed(m: Margins) -> Values:
    return m.missed


def _alarms(m: Margins) -> Values:
    return m.alarms


def _wrong(m: Margins) -> Values:
    return m.missed + m.alarms


def _accuracy(m: Margins, _: int) -> Values:
    return _part(m.right.sum(axis=1), m.missed.sum(axis=1))


def _four(formula: Callable[..., Values]) -> Formula:
    return lambda m, place: formula(*m.of(place))


def _f(square: float) -> Formula:
    return _four(lambda tp, fp, fn, tn: _part((1 + square) * tp, fp + square * fn))


RATIO_UP = _four(lambda tp, fp, fn, tn: _part(tp, fn) / _part(fp, tn))
RATIO_DOWN = _four(lambda tp, fp, fn, tn: _part(fn, tp) / _part(tn, fp))

CLUSTERED: Mapping[str, tuple[Formula, Scale]] = {
    "accuracy": (_accuracy, LOGIT),
    "balanced accuracy": (_mean(_right, _missed), LOGIT),
    "MCC": (_mcc, FISHER),
    "macro recall": (_mean(_right, _missed), LOGIT),
    "macro precision": (_mean(_right, _alarms), LOGIT),
    "macro F1": (_mean(_twice, _wrong), LOGIT),
    "weighted recall": (_accuracy, LOGIT),
    "weighted precision": (_weighted(_right, _alarms), LOGIT),
    "weighted F1": (_weighted(_twice, _wrong), LOGIT),
    "micro recall": (_accuracy, LOGIT),
    "micro precision": (_accuracy, LOGIT),
    "micro F1": (_accuracy, LOGIT),
    "no-information rate": (_four(lambda tp, fp, fn, tn: _part(tp + fn, fp + tn)), LOGIT),
    "specificity": (_four(lambda tp, fp, fn, tn: _part(tn, fp)), LOGIT),
    "negative predictive value": (_four(lambda tp, fp, fn, tn: _part(tn, fn)), LOGIT),
    "F1": (_f(1.0), LOGIT),
    "F2": (_f(4.0), LOGIT),
    "informedness": (_four(lambda tp, fp, fn, tn: _part(tp, fn) - _part(fp, tn)), FISHER),
    "markedness": (_four(lambda tp, fp, fn, tn: _part(tp, fp) - _part(fn, tn)), FISHER),
    "positive likelihood ratio": (RATIO_UP, LOGARITHM),
    "negative likelihood ratio": (RATIO_DOWN, LOGARITHM),
    "diagnostic odds ratio": (_four(lambda tp, fp, fn, tn: tp * tn / (fp * fn)), LOGARITHM),
}
"""Measures that know clusters: their formula, and the scale on which limits are symmetric."""


SHARES: Mapping[str, tuple[Formula, Formula]] = {
    **dict.fromkeys(
        ("accuracy", "weighted recall", "micro recall", "micro precision", "micro F1"),
        (lambda m, _: m.right.sum(axis=1), lambda m, _: m.total),
    ),
    "no-information rate": (lambda m, place: m.true[:, place], lambda m, _: m.total),
    "specificity": (
        lambda m, place: m.total - m.true[:, place] - m.alarms[:, place],
        lambda m, place: m.total - m.true[:, place],
    ),
    "negative predictive value": (
        lambda m, place: m.total - m.true[:, place] - m.alarms[:, place],
        lambda m, place: m.total - m.called[:, place],
    ),
}
"""Plain shares: what was won among which items. Their limits are those of any share."""


LOOKS_AT: Mapping[str, Formula] = {
    "F1": lambda m, place: m.true[:, place] + m.called[:, place],
    "F2": lambda m, place: m.true[:, place] + m.called[:, place],
    "specificity": lambda m, place: m.total - m.true[:, place],
    "negative predictive value": lambda m, place: m.total - m.called[:, place],
}
"""Items of a cluster that a measure looks at, where it does not look at all of them."""

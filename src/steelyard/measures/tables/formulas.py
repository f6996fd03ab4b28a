"""The words in which measures of a table of calls are declared: margins, shares, scales.

The one rule: a formula is a function of sums of cells, written with smooth operations only, so that
the same line serves fractions of whole numbers, arrays of tables and steps off the real axis.
"""

# ruff: noqa: ANN401 - formulas take numbers, fractions and arrays alike

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steelyard.uncertainty.special import expit, logit

__all__ = [
    "FISHER",
    "LOGARITHM",
    "LOGIT",
    "PLAIN",
    "Formula",
    "FourCells",
    "Margins",
    "Scale",
    "Values",
    "correct_for_chance",
    "correlation",
    "excess_agreement",
    "f_share",
    "mean_share",
    "root",
    "share",
    "weigh_shares",
]

Values = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Margins:
    """Right, true and called items of each class, classes last: of one table or of many.

    ``place`` is the class that a measure of one class is about: its hits, false alarms, misses
    and correct rejections are ``tp``, ``fp``, ``fn`` and ``tn``.
    """

    right: Values
    true: Values
    called: Values
    place: int = 0

    @classmethod
    def of_tables(cls, cells: Values, place: int = 0) -> "Margins":
        """Add up tables of shape (..., K, K), true classes down and called ones across."""
        return cls(
            np.diagonal(cells, axis1=-2, axis2=-1), cells.sum(axis=-1), cells.sum(axis=-2), place
        )

    @property
    def total(self) -> Values:
        """All items."""
        return self.true.sum(axis=-1)  # type: ignore[no-any-return]

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
        return self.true.sum(axis=-1, keepdims=True) - self.true - self.alarms  # type: ignore[no-any-return]

    @property
    def tp(self) -> Values:
        """Items of the class that were called so."""
        return self.right[..., self.place]

    @property
    def fp(self) -> Values:
        """Items of the rest that were called of the class."""
        return self.called[..., self.place] - self.tp

    @property
    def fn(self) -> Values:
        """Items of the class that were called otherwise."""
        return self.true[..., self.place] - self.tp

    @property
    def tn(self) -> Values:
        """Items of the rest that were called otherwise."""
        return self.total - self.true[..., self.place] - self.fp


@dataclass(frozen=True, slots=True)
class FourCells:
    """The same of one class against the rest, from its four cells as they are.

    Sums of weights lose digits when cells are taken back out of margins; and a share of two cells
    needs no margin at all.
    """

    tp: Any
    fp: Any
    fn: Any
    tn: Any

    @property
    def total(self) -> Any:
        """All items."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def right(self) -> Values:
        """Items of each class that were called so."""
        return _pair(self.tp, self.tn)

    @property
    def true(self) -> Values:
        """Items of each class."""
        return _pair(self.tp + self.fn, self.fp + self.tn)

    @property
    def called(self) -> Values:
        """Items called each class."""
        return _pair(self.tp + self.fp, self.fn + self.tn)

    @property
    def missed(self) -> Values:
        """Items of each class that were called another."""
        return _pair(self.fn, self.fp)

    @property
    def alarms(self) -> Values:
        """Items called each class that are of another."""
        return _pair(self.fp, self.fn)

    @property
    def rest(self) -> Values:
        """Items that neither are nor were called each class."""
        return _pair(self.tn, self.tp)


def _pair(one: Any, other: Any) -> Values:
    # Of fractions the array is made of objects, which stay exact.
    both = np.empty((*np.shape(one), 2), dtype=np.result_type(np.asarray(one), np.asarray(other)))
    both[..., 0], both[..., 1] = one, other
    return both


Formula = Callable[..., Any]
"""Takes :class:`Margins` or :class:`FourCells`, and what the measure needs beside them; gives one
number a table."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Where limits are symmetric: the way there, the way back, and how steep it is."""

    name: str
    there: Callable[[float], float]
    back: Callable[[float], float]
    steep: Callable[[float], float]


LOGIT = Scale("log odds", logit, expit, lambda value: 1 / (value * (1 - value)))
FISHER = Scale("Fisher's", np.arctanh, np.tanh, lambda value: 1 / ((1 - value) * (1 + value)))
LOGARITHM = Scale("logarithm", np.log, np.exp, lambda value: 1 / value)
PLAIN = Scale("plain", float, float, lambda _: 1.0)


def share(top: Any, others: Any) -> Any:
    """Divide a part by the whole.

    >>> float(share(np.array(3.0), np.array(1.0)))
    0.75
    """
    whole = top + others
    if not np.iscomplexobj(whole):
        return top / whole
    # From the smaller part: near 1 the slope would else be a difference of nearly equal numbers.
    return np.where(top.real > others.real, 1 - others / whole, top / whole)


def f_share(t: Margins | FourCells, square: Any) -> Any:
    """Join recall and precision in their harmonic mean, recall weighing ``square`` times."""
    return share((1 + square) * t.tp, t.fp + square * t.fn)


def mean_share(top: Any, others: Any) -> Any:
    """Average a share over the classes for which it is defined."""
    held = (top + others).real > 0
    each = share(np.where(held, top, 0), np.where(held, others, 1))
    return each.sum(axis=-1) / held.sum(axis=-1)


def weigh_shares(top: Any, others: Any, sizes: Any) -> Any:
    """Average a share over the classes by their items, where it is defined."""
    held = (top + others).real > 0
    parts = (np.where(held, top, 0), np.where(held, others, 1))
    won, lost = (
        np.where(held, share(one, other) * sizes, 0).sum(axis=-1)
        for one, other in (parts, parts[::-1])
    )
    return share(won, lost)


def root(square: Any) -> Any:
    """Take the square root; of a fraction exactly, where it has one.

    >>> root(Fraction(9, 4)), float(root(np.array(2.25)))
    (Fraction(3, 2), 1.5)
    """
    if not isinstance(square, Fraction):
        return np.sqrt(square)
    up, down = isqrt(square.numerator), isqrt(square.denominator)
    whole = up * up == square.numerator and down * down == square.denominator
    return Fraction(up, down) if whole else sqrt(square)


def excess_agreement(t: Margins | FourCells) -> Any:
    """Right calls beyond those that chance would give, times the items."""
    # Equal to n * right - true * called, which cancels when one class is very common.
    return (t.right * t.rest - t.alarms * t.missed).sum(axis=-1)


def correct_for_chance(t: Margins | FourCells) -> Any:
    """Give the agreement beyond chance as a share of what is left beyond chance."""
    top = excess_agreement(t)
    if np.iscomplexobj(top):
        return share(top, t.total * t.missed.sum(axis=-1))
    return top / (t.called * (t.alarms + t.rest)).sum(axis=-1)


def correlation(t: Margins | FourCells) -> Any:
    """Correlate truth and calls, from what was missed where that is little."""
    missed, alarms, rest = t.missed, t.alarms, t.rest
    top = excess_agreement(t)
    left = (alarms * (rest + missed) + t.called * missed).sum(axis=-1)
    under = (missed * (rest + alarms) + t.true * alarms).sum(axis=-1)
    plain = top / root((top + left) * (top + under))
    if not np.iscomplexobj(plain):
        return plain
    # Near 1 the slope of the quotient is a difference of nearly equal numbers; of `off` it is none.
    few = (top.real > left.real) & (top.real > under.real)
    off = left / top + under / top + (left / top) * (under / top)
    return np.where(few, 1 / np.sqrt(1 + off), plain)

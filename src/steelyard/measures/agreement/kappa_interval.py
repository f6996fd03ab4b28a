"""Intervals of Cohen's kappa: the textbook's, and one that copes with few items of a class."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Literal

import numpy as np

from steelyard.errors import counted, switch
from steelyard.measures.catalogue.measure import say_reason
from steelyard.measures.tables.made_up_items import Slopes, Square, adjust_limits
from steelyard.results.estimates import Interval
from steelyard.results.shortfalls import shortfall
from steelyard.uncertainty import normal_quantile, wilson_interval_effective

__all__ = ["FEW", "KAPPA_INTERVALS", "ZERO", "Agreement", "KappaInterval", "few_items"]

KappaInterval = Literal["ase1", "adjusted"]
Limits = tuple[Interval | None, tuple[str, ...]]

FEW = 15
"""With fewer items that tell the raters apart, the textbook's interval covers less than it says."""

ZERO = (
    "the standard error of kappa is 0 for this table, which says nothing: the interval is the "
    "adjusted one"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Whole numbers of a table: its size, the agreeing part, and the products of its margins.

    Observed agreement is ``right / size``, expected agreement ``chance / size**2``. ``effective``
    is the number of rows that a variance may count on.
    """

    cells: tuple[tuple[str, str, int], ...]
    truths: dict[str, int]
    calls: dict[str, int]
    size: int
    right: int
    effective: float

    @property
    def chance(self) -> int:
        """Sum over classes of the product of both margins."""
        return sum(count * self.calls.get(name, 0) for name, count in self.truths.items())

    @property
    def undefined(self) -> str | None:
        """Why there is no kappa, if so."""
        if self.size == 0:
            return say_reason("no-items")
        if self.chance == self.size**2:
            only = next(name for name, count in self.truths.items() if count)
            return say_reason("agreement-certain", of=only)
        return None

    @property
    def kappa(self) -> Fraction:
        """Agreement beyond chance, exactly."""
        return Fraction(self.right * self.size - self.chance, self.size**2 - self.chance)


def _adjust(table: Agreement, variance: Fraction, level: float) -> Limits:
    """Interval of the table with made-up items, half of which agree."""
    del variance  # that of the table as it is
    unit = table.effective / table.size
    cells = {(truth, called): unit * rows for truth, called, rows in table.cells if rows}
    value = float(table.kappa)
    low, high = adjust_limits(cells, _kappa_slopes, value=value, bounds=(-1.0, 1.0), level=level)
    return Interval(low=low, high=high, level=level, method="adjusted ase1"), ()


def _kappa_slopes(table: Square) -> Slopes:
    """Give kappa of a table, and its derivatives by the shares of its cells."""
    total = float(table.truths.sum())
    truths, calls = table.truths / total, table.calls / total
    free, wrong = 1 - float(truths @ calls), 1 - float(table.right.sum()) / total
    return Slopes(
        value=1 - wrong / free,
        truth=-wrong / free**2 * calls,
        call=-wrong / free**2 * truths,
        right=np.full(len(truths), 1 / free),
    )


def _textbook(table: Agreement, variance: Fraction, level: float) -> Limits:
    kappa = float(table.kappa)
    if variance:
        half = normal_quantile(level) * sqrt(variance)
        ends = Interval(
            low=max(-1.0, kappa - half), high=min(1.0, kappa + half), level=level, method="ase1"
        )
        return ends, _short(table)
    if table.right not in {0, table.size}:
        return _adjust(table, variance, level)[0], (ZERO,)
    expected = table.chance / table.size**2
    limits = wilson_interval_effective(table.right / table.size, table.effective, level=level)
    low, high = ((limit - expected) / (1 - expected) for limit in limits)
    # Kappa is one of the two limits here, and must not fall outside by a rounding.
    low, high = max(-1.0, min(low, kappa)), max(high, kappa)
    ends = Interval(low=low, high=high, level=level, method="wilson, chance agreement held fixed")
    return ends, (
        "the standard error of kappa is 0 for this table; the interval is that of the observed "
        "agreement, with chance agreement held fixed",
    )


def _short(table: Agreement) -> tuple[str, ...]:
    unit = table.effective / table.size
    sides = [side.values() for side in (table.truths, table.calls)]
    return few_items(
        "kappa",
        outside=unit * min(table.size - max(side) for side in sides),
        wrong=unit * (table.size - table.right),
    )


def few_items(measure: str, *, outside: float, wrong: float) -> tuple[str, ...]:
    """Say that the textbook's interval is short, where too few items tell the raters apart.

    ``outside`` is the number of items outside the most common class, ``wrong`` that of items on
    which the raters disagree.

    >>> len(few_items("kappa", outside=5, wrong=30)), few_items("kappa", outside=40, wrong=30)
    (1, ())
    """
    # Weighted items are counted in floats: a count that is FEW but for rounding is FEW.
    if min(outside, wrong) >= FEW - 1e-9:
        return ()
    few = max(1, round(min(outside, wrong)))
    apart = f"only {counted(few, 'item', 'are')} not agreed on"
    rare = f"only {counted(few, 'item', 'are')} outside the most common class"
    why = rare if outside <= wrong else apart
    type_ = switch("kappa_method", "adjusted")
    return (shortfall("kappa-ase1", measure=measure, why=why, type=type_),)


KAPPA_INTERVALS: dict[KappaInterval, Callable[[Agreement, Fraction, float], Limits]] = {
    "ase1": _textbook,
    "adjusted": _adjust,
}
"""Intervals of kappa, by name."""

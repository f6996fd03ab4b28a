"""What a measure of calls could be, whatever the answers were that are missing."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from steelyard.measures.catalogue.measure import Measure
from steelyard.measures.tables.estimates import table_value
from steelyard.measures.tables.formulas import FourCells, Margins

__all__ = ["filled_bounds"]

MOST_CELLS = 2_000_000
"""Cells of all fillings together that are looked at, one by one."""
Cells = Sequence[tuple[str, str, int]]
Bounds = tuple[float, float]


def filled_bounds(
    measure: Measure,
    cells: Cells,
    missing: Mapping[str, int],
    classes: Sequence[str],
    *,
    of: str | None = None,
) -> Bounds | None:
    """Give the least and the largest value over all ways to fill the missing answers with classes.

    Every filling is looked at; kappa, a ratio that is linear above and below in what is filled in,
    has its ends where all missing answers of a true class are alike, and is followed there by
    Dinkelbach's steps [1]_. None where there are too many fillings, where the measure needs more
    than a table, or where it is undefined for some filling.

    References
    ----------
    .. [1] Dinkelbach (1967), Management Science 13, 492-498, doi:10.1287/mnsc.13.7.492.

    Examples
    --------
    >>> from steelyard.measures.catalogue.listing import CATALOGUE
    >>> known = [("a", "a", 4), ("a", "b", 1), ("b", "b", 5)]
    >>> low, high = filled_bounds(CATALOGUE["kappa"], known, {"a": 2}, ["a", "b"])
    >>> round(low, 3), round(high, 3)
    (0.526, 0.833)
    """
    asked = set(measure.needs) - {"of"}
    if measure.formula is None or measure.counts != "Confusion" or asked:
        return None
    if measure.of_class:
        return None if of is None else _of_class(measure, cells, missing, classes, of)
    places = {name: place for place, name in enumerate(classes)}
    square = np.zeros((len(places), len(places)), dtype=np.int64)
    for truth, called, rows in cells:
        square[places[truth], places[called]] += rows
    added = np.array([missing.get(name, 0) for name in places], dtype=np.int64)
    if measure.name == "kappa":
        return _kappa(square, added)
    ways = prod(comb(int(rows) + len(places) - 1, len(places) - 1) for rows in added)
    if ways * square.size > MOST_CELLS:
        return None
    return _ends(measure, Margins.of_tables(_fill(square, added).astype(np.float64)))


def _of_class(
    measure: Measure, cells: Cells, missing: Mapping[str, int], classes: Sequence[str], of: str
) -> Bounds | None:
    """Of one class against the rest only how many are called of it matters, on either side."""
    counts = {(one, two): 0 for one in (True, False) for two in (True, False)}
    for truth, called, rows in cells:
        counts[truth == of, called == of] += rows
    own = missing.get(of, 0)
    others = sum(missing.values()) - own
    if (own + 1) * (others + 1) * 4 > MOST_CELLS or set(classes) == {of}:
        return None
    found, alarms = np.meshgrid(np.arange(own + 1.0), np.arange(others + 1.0))
    table = FourCells(
        tp=counts[True, True] + found,
        fp=counts[False, True] + alarms,
        fn=counts[True, False] + own - found,
        tn=counts[False, False] + others - alarms,
    )
    return _ends(measure, table)


def _ends(measure: Measure, tables: Margins | FourCells) -> Bounds | None:
    values = table_value(measure, tables)
    return None if np.isnan(values).any() else (float(values.min()), float(values.max()))


def _fill(square: NDArray[np.int64], added: NDArray[np.int64]) -> NDArray[np.int64]:
    """List the tables of all fillings."""
    tables = square[None]
    for place, rows in enumerate(added.tolist()):
        each = _share_out(rows, len(square))
        tables = np.repeat(tables, len(each), axis=0)
        tables[:, place] += np.tile(each, (len(tables) // len(each), 1))
    return tables


def _share_out(items: int, classes: int) -> NDArray[np.int64]:
    """List the ways to share items out among classes: where their borders stand."""
    borders = combinations(range(items + classes - 1), classes - 1)
    ends = [(-1, *stand, items + classes - 1) for stand in borders]
    placed = np.array(ends, dtype=np.int64)
    return placed[:, 1:] - placed[:, :-1] - 1


def _kappa(square: NDArray[np.int64], added: NDArray[np.int64]) -> Bounds | None:
    true = [int(one) for one in square.sum(axis=1) + added]
    if sum(rows > 0 for rows in true) < 2:
        return None  # chance alone may agree fully
    low, high = (_follow(square, added, true, best=best) for best in (False, True))
    return float(low), float(high)


def _follow(
    square: NDArray[np.int64], added: NDArray[np.int64], true: Sequence[int], *, best: bool
) -> Fraction:
    """Fill each true class with the call that moves kappa most, until nothing moves it."""
    total, kappa, sign = sum(true), None, 1 if best else -1
    calls = list(range(len(true)))
    while True:
        filled = square.copy()
        for place, call in enumerate(calls):
            filled[place, call] += added[place]
        called = [int(one) for one in filled.sum(axis=0)]
        chance = sum(t * c for t, c in zip(true, called, strict=True))
        right = total * int(np.trace(filled))
        found = Fraction(right - chance, total**2 - chance)
        if kappa is not None and sign * (found - kappa) <= 0:
            return kappa
        kappa = found
        # What one more answer of each kind adds to right calls, less what chance gives for it.
        chances = [(1 - kappa) * one for one in true]
        gains = [
            [sign * (total * (call == place) - chance) for call, chance in enumerate(chances)]
            for place in range(len(true))
        ]
        calls = [row.index(max(row)) for row in gains]

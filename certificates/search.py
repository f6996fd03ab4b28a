"""The worst cell of a declared space: a coarse grid, the worst again, their surroundings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Literal, TypeAlias

import numpy as np

from certificates.declaration import Found

__all__ = ["Cell", "Search", "Space", "Trial", "cell_words"]

Cell: TypeAlias = Mapping[str, float]
"""One setting: a number for each axis of a space."""

Trial: TypeAlias = Callable[[Cell, int, np.random.Generator], Found]
"""Tries a claim in one cell with a number of draws; an exact trial ignores draws and generator."""

COARSE, FINER = 20, 5
"""The grid has a 20th of the draws for each cell; the worst of it, and what is near, a 5th."""
LEAST = 200
AGAIN = 8
"""One cell in 8 of the grid, those that look worst, is tried again before the search goes near."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """All settings in which a claim is made: the values of each axis, in ascending order.

    Between two values of an axis that is not listed in ``fixed`` the claim is made as well, and the
    search goes there; axes whose values are whole numbers keep to whole numbers.
    """

    axes: Mapping[str, Sequence[float]]
    fixed: frozenset[str] = frozenset()
    possible: Callable[[Cell], bool] = field(default=lambda cell: True, repr=False, compare=False)

    def cells(self) -> Iterator[Cell]:
        """Walk the coarse grid."""
        for values in product(*self.axes.values()):
            cell = dict(zip(self.axes, values, strict=True))
            if self.possible(cell):
                yield cell

    def around(self, cell: Cell, closeness: int) -> Iterator[Cell]:
        """Walk the neighbours on every axis, half as far away with every step of closeness."""
        for name, values in self.axes.items():
            if name in self.fixed:
                continue
            for step in (-1, 1):
                moved = {**cell, name: _moved(values, cell[name], step * 0.5**closeness)}
                if moved[name] != cell[name] and self.possible(moved):
                    yield moved

    def words(self) -> str:
        """Say the space in one line, for the table."""
        return "; ".join(f"{name} {_range(values)}" for name, values in self.axes.items())


def cell_words(cell: Cell) -> str:
    """Say a cell in one line."""
    return ", ".join(f"{name} {value:.4g}" for name, value in cell.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """Look for the cell where a claim holds worst, and try it there with draws of its own.

    First the whole grid, with few draws for each cell; then those that look worst again, with
    more and added to what is known of them, or luck would steer the search; then what lies around
    the worst, closer in every round. The draws that chose a cell never judge it: the last trial is
    seeded anew. A trial that sums all outcomes (``hits`` is None) is tried once in each cell.
    ``spots`` are cells that broke before or lie beyond the grid; they are always among those
    tried. A cell in which no draw was defined cannot be the worst.
    """

    space: Space
    trial: Trial = field(repr=False, compare=False)
    seek: Literal["lowest", "highest"]
    spots: Sequence[Cell] = ()
    beam: int = 4
    rounds: int = 3

    def __call__(self, draws: int, seed: int) -> Found:
        """Search the whole space, and give what fresh draws find in its worst cell."""
        known: dict[tuple[float, ...], Found] = {}
        grid = [*self.spots, *self.space.cells()]
        self._try(grid, max(LEAST, draws // COARSE), (seed, 0), known)
        finer = max(LEAST, draws // FINER)
        doubtful = self._worst(known)[: max(self.beam, len(known) // AGAIN)]
        self._try(doubtful, finer, (seed, 1), known, again=True)
        for closeness in range(1, self.rounds + 1):
            near = [
                moved
                for cell in self._worst(known)[: self.beam]
                for moved in self.space.around(cell, closeness)
            ]
            self._try(near, finer, (seed, 1 + closeness), known)
        # Several candidates are judged anew, since the first of a noisy list is often luck alone.
        finalists = self._worst(known)[: self.beam]
        judged = [
            known[_key(cell)]
            if known[_key(cell)].hits is None
            else self.at(cell, draws, seed + 1000 + place)
            for place, cell in enumerate(finalists)
        ]
        worst = (min if self.seek == "lowest" else max)(judged, key=lambda one: one.share)
        return replace(worst, more={**worst.more, "cells": float(len(known))})

    def at(self, cell: Cell, draws: int, seed: int) -> Found:
        """Try one cell."""
        return replace(self.trial(cell, draws, np.random.default_rng(seed)), cell=dict(cell))

    def _try(
        self,
        cells: Sequence[Cell],
        draws: int,
        seed: tuple[int, int],
        known: dict[tuple[float, ...], Found],
        *,
        again: bool = False,
    ) -> None:
        for place, cell in enumerate(cells):
            before = known.get(_key(cell))
            if before is not None and (not again or before.hits is None):
                continue
            rng = np.random.default_rng((*seed, place))
            found = replace(self.trial(cell, draws, rng), cell=dict(cell))
            known[_key(cell)] = found if before is None else _together(before, found)

    def _worst(self, known: Mapping[tuple[float, ...], Found]) -> list[Cell]:
        """List the cells in which anything was defined, the worst first."""
        tried = [one for one in known.values() if one.hits is None or one.draws]
        tried.sort(key=lambda one: one.share, reverse=self.seek == "highest")
        return [one.cell for one in tried if one.cell is not None]


def _key(cell: Cell) -> tuple[float, ...]:
    return tuple(cell.values())


def _together(one: Found, two: Found) -> Found:
    draws, hits = one.draws + two.draws, (one.hits or 0) + (two.hits or 0)
    share = hits / draws if draws else one.share
    return replace(two, share=share, draws=draws, hits=hits)


def _moved(values: Sequence[float], value: float, step: float) -> float:
    """Go a part of the way to the next value of an axis; whole axes stay whole."""
    place = float(np.interp(value, values, np.arange(len(values))))
    moved = float(np.interp(place + step, np.arange(len(values)), values))
    return round(moved) if all(isinstance(one, int) for one in values) else moved


def _range(values: Sequence[float]) -> str:
    return f"{values[0]:g} to {values[-1]:g}" if len(values) > 1 else f"{values[0]:g}"

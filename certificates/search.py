"""The worst cell of a declared space: a coarse grid, then its neighbourhood, then fresh draws."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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
"""The grid has a 20th of the draws for each cell, the neighbourhood a 5th."""
LEAST = 200


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

    The draws that chose the cell never judge it: the last trial is seeded anew, or the luck that
    made a cell the worst would count against the claim. ``spots`` are cells that broke before or
    lie beyond the grid; they are always among those tried.
    """

    space: Space
    trial: Trial = field(repr=False, compare=False)
    seek: Literal["lowest", "highest"]
    spots: Sequence[Cell] = ()
    beam: int = 4
    rounds: int = 3

    def __call__(self, draws: int, seed: int) -> Found:
        """Search the whole space, and give what fresh draws find in its worst cell."""
        tried: dict[tuple[float, ...], tuple[float, Cell]] = {}
        self._try([*self.spots, *self.space.cells()], max(LEAST, draws // COARSE), seed, tried)
        for closeness in range(1, self.rounds + 1):
            near = [
                moved
                for _, cell in self._worst(tried)[: self.beam]
                for moved in self.space.around(cell, closeness)
            ]
            self._try(near, max(LEAST, draws // FINER), seed + closeness, tried)
        # Several candidates are judged anew, since the first of a noisy list is often luck alone.
        finalists = [cell for _, cell in self._worst(tried)[: self.beam]]
        found = [self.at(cell, draws, seed + 1000 + k) for k, cell in enumerate(finalists)]
        worst = (min if self.seek == "lowest" else max)(found, key=lambda one: one.share)
        return _with(worst, {**worst.more, "cells": float(len(tried))})

    def at(self, cell: Cell, draws: int, seed: int) -> Found:
        """Try one cell."""
        found = self.trial(cell, draws, np.random.default_rng(seed))
        return Found(
            share=found.share,
            draws=found.draws,
            hits=found.hits,
            undefined=found.undefined,
            more=found.more,
            cell=dict(cell),
        )

    def _try(
        self,
        cells: Sequence[Cell],
        draws: int,
        seed: int,
        tried: dict[tuple[float, ...], tuple[float, Cell]],
    ) -> None:
        for place, cell in enumerate(cells):
            key = tuple(cell.values())
            if key not in tried:
                found = self.trial(cell, draws, np.random.default_rng((seed, place)))
                tried[key] = (found.share, cell)

    def _worst(
        self, tried: Mapping[tuple[float, ...], tuple[float, Cell]]
    ) -> list[tuple[float, Cell]]:
        return sorted(tried.values(), key=lambda one: one[0], reverse=self.seek == "highest")


def _moved(values: Sequence[float], value: float, step: float) -> float:
    """Go a part of the way to the next value of an axis; whole axes stay whole."""
    place = float(np.interp(value, values, np.arange(len(values))))
    moved = float(np.interp(place + step, np.arange(len(values)), values))
    return round(moved) if all(isinstance(one, int) for one in values) else moved


def _range(values: Sequence[float]) -> str:
    return f"{values[0]:g} to {values[-1]:g}" if len(values) > 1 else f"{values[0]:g}"


def _with(found: Found, more: Mapping[str, float]) -> Found:
    return Found(
        share=found.share,
        draws=found.draws,
        hits=found.hits,
        undefined=found.undefined,
        more=more,
        cell=found.cell,
    )

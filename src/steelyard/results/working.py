"""One method of comparison alone, with everything it was computed from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from steelyard.counts import Pairing
from steelyard.display.numbers import show_cell, show_count
from steelyard.display.tables import Align, Column, Table
from steelyard.results.base import Cell, Provenance, Result, tidy_row

__all__ = ["Sheet", "SheetRow", "Working"]

Value = str | int | float | None

KEYS = {"system": "system", "first": "system", "second": "against"}
"""Where a key of a sheet stands in tidy rows; any other goes into ``of``."""


WHOLE = {"verdict", "decision"}
"""Columns that are never cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRow:
    """One line of working: what it is about, and its values in the order of the columns."""

    keys: tuple[str, ...]
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A table of working; ``keys`` and ``columns`` are the heads of its two parts."""

    title: str
    keys: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[SheetRow, ...]

    def tidy(self) -> list[dict[str, Cell]]:
        """List every value as a tidy row; words stand in ``reason``."""
        rows = []
        for row in self.rows:
            about: dict[str, Cell] = {}
            for key, name in zip(self.keys, row.keys, strict=True):
                about[KEYS.get(key, "of")] = name
            for column, value in zip(self.columns, row.values, strict=True):
                said = {"reason": value} if isinstance(value, str) else {"value": value}
                rows.append(tidy_row(measure=column, **about, **said))
        return rows

    def table(self) -> Table:
        """Lay the sheet out for reading."""
        columns = [Column(name=key, whole=True) for key in self.keys]
        columns += [
            Column(name=name, align=_align(self, at), whole=name in WHOLE)
            for at, name in enumerate(self.columns)
        ]
        rows = [[*row.keys, *(_show(value) for value in row.values)] for row in self.rows]
        return Table.without_empty(self.title, columns, rows, lead=len(self.keys))


@dataclass(frozen=True, slots=True, kw_only=True)
class Working(Result):
    """What one method found: the answer in words, the decision, and every number on the way.

    ``rule`` is how the numbers become the decision, ``assumption`` what must hold for it.
    ``working`` holds the numbers of the sheets by name, such as ``working["z"]``: a code for each
    column, followed by the places of the systems (``rate_1``) or, where there are several pairs,
    of both (``z_1_3``); None is undefined.
    """

    kind: ClassVar[str] = "working"
    method: str
    title: str
    answer: str
    decision: str | None
    systems: tuple[str, ...]
    pairing: Pairing
    sheets: tuple[Sheet, ...]
    formula: str
    rule: str
    assumption: str
    reference: str
    level: float
    alpha: float
    provenance: Provenance
    working: Mapping[str, int | float | None] = field(default_factory=dict, hash=False)

    def sentence(self) -> str:
        """Say what the method found."""
        return self.answer

    def rows(self) -> list[dict[str, Cell]]:
        """List the decision and every value of every sheet."""
        rows = [tidy_row(measure="decision", method=self.method, reason=self.decision)]
        return rows + [row | {"method": self.method} for one in self.sheets for row in one.tidy()]

    def tables(self) -> list[Table]:
        """Show the sheets in their order."""
        return [sheet.table() for sheet in self.sheets if sheet.rows]

    def details(self) -> list[str]:
        """Name the method, its formula, its rule, its assumption and its source."""
        said = [
            f"Method {self.method}: {self.title}.",
            f"Formula: {self.formula}." if self.formula else "",
            f"Decision: {self.rule}." if self.rule else "",
            f"Assumes: {self.assumption}." if self.assumption else "",
            f"Source: {self.reference}." if self.reference else "",
        ]
        return [*(line for line in said if line), *self.provenance.lines()]


def _align(sheet: Sheet, at: int) -> Align:
    values = [row.values[at] for row in sheet.rows]
    return "left" if any(isinstance(value, str) for value in values) else "right"


def _show(value: Value) -> str | None:
    if isinstance(value, int):
        return show_count(value)
    return show_cell(value)

"""One algorithm on one problem, in full: what became of it, what it used, what it wrote."""

from dataclasses import dataclass
from typing import ClassVar

from steelyard.display.numbers import show_count, show_number
from steelyard.display.tables import Column, Table
from steelyard.display.text import show_name
from steelyard.results.base import Result
from steelyard.results.leaderboard import CellScore
from steelyard.results.readable import Cell

__all__ = ["CellDetail"]

LINES = 20
"""So many last lines of a log are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellDetail(Result):
    """A cell with the ends of its logs and what protected the rest from it."""

    kind: ClassVar[str] = "cell"
    suite: str
    version: str
    cell: CellScore
    exit_code: int | None
    key: str
    protections: tuple[str, ...]
    output: str
    log: str

    def sentence(self) -> str:
        """Say how the cell ended."""
        cell = self.cell
        what = f"{show_name(cell.algorithm)} on {show_name(cell.problem)}"
        if cell.state != "ok":
            counted = {"null": "It counts as null there.", "none": "It is not ranked.", "own": ""}
            return f"{what} ended as {cell.state}: {cell.reason}. {counted[cell.counted]}".rstrip()
        score = cell.score.sentence() if cell.score else "L2 score undefined"
        return f"{what}: {score}, in {cell.seconds:,.1f} s."

    def rows(self) -> list[dict[str, Cell]]:
        """List score and time."""
        return self.cell.rows()

    def tables(self) -> list[Table]:
        """Show the facts, and the ends of the logs."""
        cell = self.cell
        numbers = {
            "winner-take-all": cell.winner,
            "Brier score": cell.brier,
            "log score": cell.log,
            "seconds": cell.seconds,
            "seconds of computing": cell.cpu_seconds,
        }
        rows: list[tuple[str | None, ...]] = [
            (name, show_number(value)) for name, value in numbers.items() if value is not None
        ]
        rows.append(("ran alone", "yes" if cell.alone else "no, so its time says little"))
        rows.append(("memory", f"{show_count(cell.memory)} bytes"))
        if self.exit_code is not None:
            rows.append(("exit code", str(self.exit_code)))
        heads = (Column(name="fact", whole=True), Column(name="found"))
        return [Table(title="Cell", columns=heads, rows=tuple(rows))]

    def details(self) -> list[str]:
        """Show the last lines of both logs."""
        shown = []
        for name, text in (("standard output", self.output), ("standard error", self.log)):
            lines = text.splitlines()[-LINES:]
            shown += [f"Last lines of {name}:", *(f"  {line}" for line in lines)] if lines else []
        guarded = f"Protected by: {', '.join(self.protections)}." if self.protections else ""
        return [*shown, *([guarded] if guarded else []), f"Key {self.key}."]

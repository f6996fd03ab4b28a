"""The lines of a leaderboard: one algorithm of one run each."""

from dataclasses import dataclass

import numpy as np

from steelyard.errors import NotComparable
from steelyard.suites.harness.cells import Cell
from steelyard.suites.harness.runs import Run
from steelyard.suites.problems.item_tables import read_table
from steelyard.suites.problems.problem import Problem
from steelyard.suites.problems.vectors import Vectors

__all__ = ["NULL", "Entry", "changed_entries", "run_entries"]

NULL = "null"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line of the leaderboard: a name, and the cells of one algorithm of one run."""

    name: str
    run: Run
    algorithm: str

    def cell(self, problem: str) -> Cell:
        """Find the cell of a problem."""
        return next(
            cell
            for cell in self.run.cells
            if (cell.algorithm, cell.problem) == (self.algorithm, problem)
        )

    def vectors(self, problem: Problem) -> Vectors:
        """Read the vectors of a cell that is ok, in the order of the test items."""
        path = self.run.target(self.algorithm, problem.id) / "out.parquet"
        table = read_table(path, texts={"id": "item"}, numbers=problem.names)
        return np.column_stack([np.asarray(table[name]) for name in problem.names])


def run_entries(run: Run) -> tuple[Entry, ...]:
    """List the algorithms of a run."""
    return tuple(Entry(name=name, run=run, algorithm=name) for name, _ in run.record.algorithms)


def changed_entries(old: Run, new: Run, *, names: tuple[str, str]) -> tuple[Entry, ...]:
    """List the algorithms that changed between two runs, both versions, and what looks at nothing.

    Versions are told apart by the name of their run: ``lbp@old``, ``lbp@new``.
    """
    before, after = dict(old.record.algorithms), dict(new.record.algorithms)
    changed = [name for name in after if name in before and before[name] != after[name]]
    if not changed:
        message = (
            f"No algorithm of {names[1]!r} differs from the one of that name in {names[0]!r}. "
            "Change an algorithm and run it under a new name: steelyard suite run --name NEW"
        )
        raise NotComparable(message, code="nothing-changed")
    base = [Entry(name=name, run=new, algorithm=name) for name in (NULL,) if name in after]
    return (
        *base,
        *(
            Entry(name=f"{name}@{label}", run=run, algorithm=name)
            for name in changed
            for run, label in ((old, names[0]), (new, names[1]))
        ),
    )

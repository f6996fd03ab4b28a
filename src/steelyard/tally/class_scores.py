"""Rows become a score table for each class of a vector: its number against the rest."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import Grouped, ScoreTable
from steelyard.engines.dialect import quote_literal
from steelyard.engines.local import LocalTable
from steelyard.errors import NotComparable
from steelyard.sources.predictions import Predictions, SplitRole, System
from steelyard.sources.shapes.measured_vectors import BATCH_BYTES, list_rows
from steelyard.tally.calls import check_complete
from steelyard.tally.scores import Columns, score_tables_by

__all__ = [
    "ClassNumbers",
    "each_class_scores",
    "read_class_numbers",
    "tally_class_scores",
    "tally_class_scores_by",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassNumbers:
    """The vectors of one system: the place of the true class of every row, and a row of numbers."""

    truth: NDArray[np.intp]
    numbers: NDArray[np.float64]
    parts: NDArray[np.str_] | None = None


def tally_class_scores(predictions: Predictions, system: System) -> dict[str, ScoreTable]:
    """Count the numbers that a vector gives each class, for items of the class and others."""
    return dict(each_class_scores(predictions, system))


def each_class_scores(
    predictions: Predictions, system: System, held: ClassNumbers | None = None
) -> Iterator[tuple[str, ScoreTable]]:
    """Hand over one class after the other, so that only one table is held at a time.

    Vectors of many classes are read once, as ``held`` by who has them already; those of few are
    counted by the engine, which holds no row.
    """
    _need_vectors(system)
    if held is None and system.numbers and isinstance(predictions.table, LocalTable):
        held = read_class_numbers(predictions, system)
    for place, name in enumerate(predictions.classes):
        table = (
            _count(predictions, system, place)
            if held is None
            else _of_arrays(predictions, system, held, place)
        )
        check_complete(predictions, [system], table.total)
        yield name, table


def tally_class_scores_by(
    predictions: Predictions, system: System, role: SplitRole
) -> dict[str, Grouped[ScoreTable]]:
    """Count the numbers that a vector gives each class, apart for each cluster, group or fold."""
    _need_vectors(system)
    held = None
    if system.numbers and isinstance(predictions.table, LocalTable):
        held = read_class_numbers(predictions, system, role)
    found = {}
    for place, name in enumerate(predictions.classes):
        columns = (
            _count_by(predictions, system, place, predictions.split_column(role))
            if held is None
            else _columns(held, place)
        )
        parts = {
            of: ScoreTable.from_counts(rows["score"], rows["pos"], rows["neg"], positive=name)
            for of, rows in score_tables_by(columns, "part")
        }
        check_complete(predictions, [system], sum(one.total for one in parts.values()))
        found[name] = Grouped.from_parts(role, parts)
    return found


def read_class_numbers(
    predictions: Predictions, system: System, role: SplitRole | None = None
) -> ClassNumbers:
    """Read the vectors of one system as one table of numbers, class by class in memory.

    Vectors of many classes are lists, and come some rows at a time; memory is that of the numbers.
    """
    size = len(predictions.classes)
    named = ", ".join(quote_literal(of) for of in predictions.classes)
    asked = [f"list_position([{named}], truth) - 1 AS code"]
    asked += [f"CAST({predictions.split_column(role)} AS VARCHAR) AS part"] if role else []
    asked += [system.numbers] if system.numbers else _alone(system)
    table = predictions.table
    if not isinstance(table, LocalTable):
        message = "Vectors on a cluster are counted there, class by class."
        raise NotComparable(message, code="not-local")
    # Column by column in memory, for that is how every class is looked at later.
    numbers = np.empty((predictions.rows, size), order="F")
    truth = np.empty(predictions.rows, dtype=np.intp)
    parts: list[str] = []
    done = 0
    rows = max(1, BATCH_BYTES // (8 * size))
    sql = f"SELECT {', '.join(asked)} FROM {{t}} WHERE {system.column} IS NOT NULL"
    for batch in _batches(table, sql, rows, system, size):
        end = done + len(batch["code"])
        truth[done:end] = batch["code"]
        if system.numbers:
            numbers[done:end] = batch["all"]
        else:
            for place in range(size):
                numbers[done:end, place] = batch[f"n{place}"]
        parts += batch["part"].tolist() if role else []
        done = end
    return ClassNumbers(
        truth=truth[:done], numbers=numbers[:done], parts=np.array(parts) if role else None
    )


def _alone(system: System) -> list[str]:
    return [f"{one} AS n{place}" for place, one in enumerate(system.vector)]


def _batches(
    table: LocalTable, sql: str, rows: int, system: System, size: int
) -> Iterator[dict[str, NDArray[Any]]]:
    """Hand over columns, some rows at a time; a list for each row alone takes Arrow."""
    if not system.numbers:
        yield from table.batches(sql, rows)
        return
    for batch in table.arrow_batches(sql, rows):
        names = set(batch.schema.names) - {system.numbers}
        columns = {name: batch.column(name).to_numpy(zero_copy_only=False) for name in names}
        yield {**columns, "all": list_rows(batch.column(system.numbers), size)}


def _need_vectors(system: System) -> None:
    if system.holds != "vector":
        message = f"{system.name} holds {system.holds}; a number for each class needs vectors."
        raise NotComparable(message, code="no-vectors")


def _count(predictions: Predictions, system: System, place: int) -> ScoreTable:
    name, column = predictions.classes[place], system.vector[place]
    columns = predictions.table.arrays(
        f"SELECT score, COUNT(CASE WHEN hit THEN 1 END) AS pos, "
        f"COUNT(CASE WHEN NOT hit THEN 1 END) AS neg FROM "
        f"(SELECT {column} AS score, truth = {quote_literal(name)} AS hit FROM {{t}} "
        f"WHERE {column} IS NOT NULL) AS rated GROUP BY score"
    )
    return _table(predictions, system, columns, name)


def _count_by(predictions: Predictions, system: System, place: int, part: str) -> Columns:
    name, column = predictions.classes[place], system.vector[place]
    return predictions.table.arrays(
        f"SELECT part, score, COUNT(CASE WHEN hit THEN 1 END) AS pos, "
        f"COUNT(CASE WHEN NOT hit THEN 1 END) AS neg FROM "
        f"(SELECT {part} AS part, {column} AS score, truth = {quote_literal(name)} AS hit "
        f"FROM {{t}} WHERE {column} IS NOT NULL) AS rated GROUP BY part, score"
    )


def _of_arrays(
    predictions: Predictions, system: System, held: ClassNumbers, place: int
) -> ScoreTable:
    return _table(predictions, system, _columns(held, place), predictions.classes[place])


def _columns(held: ClassNumbers, place: int) -> Columns:
    hit = held.truth == place
    columns: Columns = {"score": held.numbers[:, place], "pos": hit * 1, "neg": ~hit * 1}
    return columns if held.parts is None else {**columns, "part": held.parts}


def _table(predictions: Predictions, system: System, columns: Columns, name: str) -> ScoreTable:
    return ScoreTable.from_counts(
        columns["score"],
        columns["pos"],
        columns["neg"],
        positive=name,
        excluded=predictions.exclusions_for([system]),
    )

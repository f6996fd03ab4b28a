"""Which items: what every system answered, and who was right, item by item."""

import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from steelyard import tally
from steelyard.display.interchange import csv_text
from steelyard.display.saving import write_whole
from steelyard.errors import NotComparable, RequestError, listing, need, switch
from steelyard.sources import Predictions, System

__all__ = ["EVERYBODY", "NOBODY", "ItemAnswers", "item_answers", "write_items"]

SUFFIXES = (".csv", ".parquet")
NOBODY, EVERYBODY = "nobody", "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemAnswers:
    """A row for each item: its id and truth, each system's answer, who was right, where it is from.

    The columns in ``marks`` hold 1, 0, or None where a system was not asked.
    """

    columns: tuple[str, ...]
    marks: frozenset[str]
    rows: tuple[tuple[str | int | None, ...], ...]

    def as_csv(self) -> str:
        """Write the rows as CSV that no spreadsheet runs."""
        return csv_text(self.columns, self.rows)

    def as_parquet(self) -> bytes:
        """Write the rows as Parquet: texts, and whole numbers for right and wrong."""
        need("pyarrow", "A list of items as Parquet")
        import pyarrow as pa
        import pyarrow.parquet as pq

        columns = list(zip(*self.rows, strict=True)) or [() for _ in self.columns]
        table = pa.table(
            {
                name: pa.array(values, type=pa.int8() if name in self.marks else pa.string())
                for name, values in zip(self.columns, columns, strict=True)
            }
        )
        target = io.BytesIO()
        pq.write_table(table, target)
        return target.getvalue()


def item_answers(predictions: Predictions, *, flips: Sequence[str] = ()) -> ItemAnswers:
    """List the items of a comparison, or those on which exactly one of two systems was right.

    The rows are counted again, and refused when they are not those that the answer is made of.
    """
    systems = predictions.with_answers()
    if not systems:
        message = (
            "Which items were right needs answers, and these systems give scores. A threshold "
            f"turns them into calls: {switch('threshold', '0.5')}."
        )
        raise NotComparable(message, code="no-threshold")
    pair = _pair(flips, systems)
    columns, rows = _read(predictions, systems)
    start = columns.index(f"{systems[0].name} right")
    _check_counts(predictions, systems, [row[start : start + len(systems)] for row in rows])
    if pair is not None:
        first, second = (start + place for place in pair)
        rows = [row for row in rows if {row[first], row[second]} == {0, 1}]
    marks = frozenset(columns[start : start + len(systems)])
    return ItemAnswers(columns=tuple(columns), marks=marks, rows=tuple(rows))


def write_items(
    predictions: Predictions, target: str | Path | None, *, flips: Sequence[str] = ()
) -> None:
    """Write the items as CSV or Parquet, by the name of the file, where one was asked for."""
    if target is None:
        if flips:
            message = "flips= is about items that are written: items='items.csv' (--items ...)."
            raise RequestError(message, code="items-flips")
        return
    path = Path(target)
    if path.suffix.lower() not in SUFFIXES:
        message = (
            f"items={str(target)!r}; items are written as CSV or Parquet: items.csv, items.parquet."
        )
        raise RequestError(message, code="items-file")
    read = [one.path for one in predictions.files if one.path is not None]
    if path.is_file() and any(one.is_file() and one.samefile(path) for one in read):
        message = (
            f"items={str(target)!r} is read here, and would be overwritten: what it holds would be "
            "lost. Name another file to write."
        )
        raise RequestError(message, code="items-file")
    answers = item_answers(predictions, flips=flips)
    parquet = path.suffix.lower() == ".parquet"
    write_whole(path, answers.as_parquet() if parquet else answers.as_csv().encode())


def _pair(flips: Sequence[str], systems: Sequence[System]) -> tuple[int, int] | None:
    if not flips:
        return None
    names = [system.name for system in systems]
    if len(flips) != 2 or len(set(flips)) != 2 or not set(flips) <= set(names):
        message = (
            f"flips={list(flips)!r} lists the items that exactly one of two systems got right. "
            f"Name two of {listing(names)}: --flips {names[0]},{names[-1]}."
        )
        raise RequestError(message, code="items-flips")
    return names.index(flips[0]), names.index(flips[1])


def _read(
    predictions: Predictions, systems: Sequence[System]
) -> tuple[list[str], list[tuple[str | int | None, ...]]]:
    known = predictions.table.columns
    parts: list[tuple[str, str]] = []
    parts += [("item", "CAST(item AS VARCHAR)")] if "item" in known else []
    parts += [("truth", "CAST(truth AS VARCHAR)")] if "truth" in known else []
    answered = [system for system in systems if system.holds != "outcome"]
    parts += [(system.name, f"CAST({system.column} AS VARCHAR)") for system in answered]
    parts += [
        (
            f"{system.name} right",
            f"CASE WHEN {system.column} IS NULL THEN NULL WHEN {system.outcome_sql()} THEN 1 "
            "ELSE 0 END",
        )
        for system in systems
    ]
    for role, name in (("cluster", "cluster"), ("group", "slice")):
        if role in predictions.splits:
            parts.append((name, f"CAST({predictions.split_column(role)} AS VARCHAR)"))
    chosen = ", ".join(sql for _, sql in parts)
    rows = predictions.table.query(f"SELECT {chosen} FROM {{t}}")
    columns = [name for name, _ in parts]
    place = columns.index(f"{systems[0].name} right")
    named = [
        (*row[:place], _who(systems, row[place : place + len(systems)]), *row[place:])
        for row in rows
    ]
    return [*columns[:place], "who was right", *columns[place:]], named


def _who(systems: Sequence[System], right: Sequence[int | None]) -> str:
    names = [system.name for system, hit in zip(systems, right, strict=True) if hit]
    if not names:
        return NOBODY
    return EVERYBODY if len(names) == len(systems) else ", ".join(names)


def _check_counts(
    predictions: Predictions, systems: Sequence[System], right: Sequence[Sequence[object]]
) -> None:
    """Refuse rows that are not those of the answer: a list that nobody can trust is worse."""
    if predictions.pairing == "common" and not any(None in row for row in right):
        seen = Counter(sum(1 << at for at, hit in enumerate(row) if hit) for row in right)
        counted = Counter(dict(tally.tally_outcomes(predictions).patterns))
    else:
        seen = Counter({at: sum(row[at] == 1 for row in right) for at in range(len(systems))})
        trials = tally.tally_trials(predictions, systems)
        counted = Counter(dict(enumerate(trials.correct)))
    if +seen != +counted:
        message = (
            "The items that were listed are not those that were counted: the file changed while it "
            "was read. Read it again."
        )
        raise NotComparable(message, code="items-changed")

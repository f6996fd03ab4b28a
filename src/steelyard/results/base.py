"""What every answer can do, derived from the two things it must say."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from steelyard.counts import Exclusion
from steelyard.display.html import result_fragment
from steelyard.display.interchange import csv_text, json_text
from steelyard.display.markup import latex_table, latex_text, markdown_table, markdown_text
from steelyard.display.numbers import (
    show_count,
    show_estimate,
    show_interval,
    show_level,
    show_number,
)
from steelyard.display.small_print import short_print
from steelyard.display.tables import Column, Table, lay_out_tables
from steelyard.display.text import clean_text, wrap_sentence
from steelyard.errors import RequestError
from steelyard.results.codec import from_plain, to_plain

if TYPE_CHECKING:
    from steelyard.display.figures import Chart

__all__ = ["ROW_COLUMNS", "Cell", "InputRecord", "Provenance", "Result", "rows_table", "tidy_row"]

Cell = str | int | float | bool | None
ROW_COLUMNS = (
    "measure",
    "system",
    "against",
    "of",
    "value",
    "low",
    "high",
    "level",
    "method",
    "count",
    "total",
    "reason",
)
"""The columns of ``rows()``, the same for every kind of result.

``against`` is the other system of a pair, ``of`` a class or slice, ``count`` and ``total`` the
whole numbers behind a share, ``reason`` says why ``value`` is null.
"""
NAMES = ("measure", "system", "against", "of")
STAMPS = frozenset({"kind", "schema", "headline", "sentence"})
"""What stands in the JSON of every result before its own fields."""
HASH_SHOWN = 8
FILES_SHOWN = 12


def tidy_row(**cells: Cell) -> dict[str, Cell]:
    """Fill a row of ``ROW_COLUMNS``; what is not given is None."""
    return {column: cells.get(column) for column in ROW_COLUMNS}


def rows_table(rows: Sequence[dict[str, Cell]], *, title: str = "") -> Table:
    """Lay tidy rows out for reading; columns in which nothing stands are left out."""
    names = [name for name in NAMES if any(row[name] is not None for row in rows)]
    columns = [Column(name=name) for name in names]
    cells = [[_text(row[name]) for name in names] for row in rows]
    for column, shown in (
        (Column(name="value", align="right"), [_value(row) for row in rows]),
        (Column(name=_interval_name(rows), align="right"), [_ends(row) for row in rows]),
        (Column(name="count", align="right"), [_count(row) for row in rows]),
        (Column(name="reason"), [_text(row["reason"]) for row in rows]),
    ):
        if any(one is not None for one in shown):
            columns.append(column)
            cells = [[*row, one] for row, one in zip(cells, shown, strict=True)]
    return Table(title=title, columns=tuple(columns), rows=tuple(tuple(row) for row in cells))


def _interval_name(rows: Sequence[dict[str, Cell]]) -> str:
    levels = {row["level"] for row in rows if isinstance(row["level"], float)}
    return f"{show_level(levels.pop())} interval" if len(levels) == 1 else "interval"


def _text(cell: Cell) -> str | None:
    return None if cell is None else str(cell)


def _value(row: dict[str, Cell]) -> str | None:
    value, low, high = row["value"], row["low"], row["high"]
    if not isinstance(value, int | float):
        return _text(value)
    if isinstance(low, int | float) and isinstance(high, int | float):
        return show_estimate(value, low, high).split(" ")[0]
    return show_number(value)


def _ends(row: dict[str, Cell]) -> str | None:
    low, high = row["low"], row["high"]
    if isinstance(low, int | float) and isinstance(high, int | float):
        return show_interval(low, high)
    return None


def _count(row: dict[str, Cell]) -> str | None:
    shown = [show_count(n) for n in (row["count"], row["total"]) if isinstance(n, int)]
    return "/".join(shown) or None


@dataclass(frozen=True, slots=True, kw_only=True)
class InputRecord:
    """One file or frame: its name without a folder, its hash and size, and how it was read."""

    name: str
    sha256: str
    bytes: int
    read_as: str

    def line(self) -> str:
        """Say it in one line."""
        facts = [self.read_as]
        if self.bytes:
            facts.append(f"{show_count(self.bytes)} bytes")
        if self.sha256:
            facts.append(f"sha256 {self.sha256[:HASH_SHOWN]}…")
        return f"Read {self.name} ({'; '.join(fact for fact in facts if fact)})."


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Enough to find the answer again: version, inputs, roles, settings, rows and seed.

    ``understood`` pairs a role with what was found for it, ``settings`` a name with a value.
    """

    version: str
    inputs: tuple[InputRecord, ...] = ()
    understood: tuple[tuple[str, str], ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    rows: int | None = None
    excluded: tuple[Exclusion, ...] = ()
    seed: int | None = None

    def lines(self) -> list[str]:
        """Say it for people, a line for each thing."""
        lines = [record.line() for record in self.inputs[:FILES_SHOWN]]
        if len(self.inputs) > FILES_SHOWN:
            size = show_count(sum(record.bytes for record in self.inputs))
            more = show_count(len(self.inputs) - FILES_SHOWN)
            lines.append(f"Read {more} more files, {size} bytes in all; JSON names every one.")
        if self.understood:
            lines.append(self._say_understood())
        if self.rows is not None:
            lines.append(self._rows_line())
        else:
            lines += [f"{exclusion}." for exclusion in self.excluded]
        facts = [f"{name}={value}" for name, value in self.settings]
        facts += [] if self.seed is None else [f"seed={self.seed}"]
        return [*lines, f"Steelyard {self.version}{''.join(f', {fact}' for fact in facts)}."]

    def first_lines(self) -> list[str]:
        """Give the lines that go before the others: what was left out, what was understood."""
        left = [self._rows_line()] if self.rows is not None and self.excluded else []
        return [*left, *([self._say_understood()] if self.understood else [])]

    def _say_understood(self) -> str:
        said = "; ".join(f"{role}: {found.rstrip('.')}" for role, found in self.understood)
        return f"Understood {said}."

    def _rows_line(self) -> str:
        counted = f"Counted {show_count(self.rows or 0)} rows"
        return (
            f"{counted}; {'; '.join(map(str, self.excluded))}." if self.excluded else f"{counted}."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(ABC):
    """An answer says one sentence and owns tidy rows; the rest follows."""

    kind: ClassVar[str]
    schema: ClassVar[int] = 1
    caveats: tuple[str, ...] = ()

    @abstractmethod
    def sentence(self) -> str:
        """Say the finding in words a colleague can paste."""

    @abstractmethod
    def rows(self) -> list[dict[str, Cell]]:
        """List the finding as tidy rows with the columns of ``ROW_COLUMNS``."""

    def headline(self) -> str:
        """Say in one plain line what to do; nothing where an answer decides nothing."""
        return ""

    def tables(self) -> list[Table]:
        """Lay the finding out as people read it; the rows, unless a result has something better."""
        return [rows_table(self.rows())]

    def notes(self) -> list[str]:
        """List every doubt that the reader must know of."""
        return list(self.caveats)

    def details(self) -> list[str]:
        """Say in small print how the answer was found: what was read, unless a kind says more."""
        record: Provenance | None = getattr(self, "provenance", None)
        return [] if record is None else record.lines()

    def advice(self) -> list[str]:
        """Say what else is worth looking at; it ends the text."""
        return []

    def charts(self) -> dict[str, "Callable[[], Chart]"]:
        """Name the pictures that can be drawn of this, the usual one first; none by default."""
        return {}

    def chart(self, *, kind: str | None = None) -> "Chart | None":
        """Draw the usual picture, or the one named by ``kind``; None when there is none."""
        known = self.charts()
        if kind is None:
            return next(iter(known.values()))() if known else None
        if kind not in known:
            raise RequestError.for_choice(name="kind", given=kind, choices=list(known) or ["none"])
        return known[kind]()

    def table(self, *, width: int = 80) -> str:
        """Lay the tables out for a terminal ``width`` columns wide."""
        return lay_out_tables(self.tables(), width)

    def text(self, width: int = 80, *, details: bool = True, said: Collection[str] = ()) -> str:
        """Say everything for a terminal: headline, sentence, tables, caveats, the small print.

        Without ``details`` what stands below the tables is six lines at most, and caveats that were
        ``said`` before are not said again.
        """
        paragraphs = [
            *(wrap_sentence(clean_text(one), width) for one in (self.headline(), self.sentence())),
            self.table(width=width),
        ]
        if not details:
            record: Provenance | None = getattr(self, "provenance", None)
            first = [] if record is None else record.first_lines()
            last = [] if record is None else [x for x in record.lines() if x not in first]
            notes = [note for note in self.notes() if note not in said]
            lines = short_print(
                notes, self.details(), self.advice(), first=first, last=last, width=width
            )
            return "\n\n".join([*filter(None, paragraphs), *filter(None, ["\n".join(lines)])])
        notes = [f"note: {note}" for note in self.notes()]
        paragraphs += [
            "\n".join(wrap_sentence(clean_text(note), width, indent="  ") for note in notes),
            "\n".join(
                wrap_sentence(clean_text(line), width, indent="  ") for line in self.details()
            ),
            "\n".join(
                wrap_sentence(clean_text(line), width, indent="  ") for line in self.advice()
            ),
        ]
        return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)

    def to_markdown(self) -> str:
        """Write headline and sentence, the tables and the caveats as Markdown."""
        notes = "\n".join(f"- {markdown_text(note)}" for note in self.notes())
        first = f"**{markdown_text(self.headline())}**" if self.headline() else ""
        parts = [first, markdown_text(self.sentence()), *map(markdown_table, self.tables()), notes]
        return "\n\n".join(part for part in parts if part) + "\n"

    def to_latex(self) -> str:
        """Write headline and sentence, the tables and the caveats as LaTeX without packages."""
        notes = [latex_text(f"Note: {note}.") for note in self.notes()]
        said = [latex_text(one) for one in (self.headline(), self.sentence())]
        parts = [*said, *map(latex_table, self.tables()), *notes]
        return "\n\n".join(part for part in parts if part) + "\n"

    def to_csv(self, *, raw: bool = False) -> str:
        """Write the rows as CSV; ``raw`` leaves text alone that a spreadsheet would run."""
        return csv_text(ROW_COLUMNS, [list(row.values()) for row in self.rows()], raw=raw)

    def to_dict(self) -> dict[str, Any]:
        """Give the result as plain dicts, lists, numbers and text, its sentence among them.

        A ``headline`` is there where there is something to decide.
        """
        stamps = {"kind": self.kind, "schema": self.schema}
        stamps |= {"headline": self.headline()} if self.headline() else {}
        return {**stamps, "sentence": self.sentence(), **to_plain(self)}

    def to_json(self, *, indent: int | None = 2) -> str:
        """Serialise with the kind and schema that can read it back; the same bytes every time."""
        return json_text(self.to_dict(), indent=indent)

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> Self:
        """Rebuild what ``to_dict`` gave; the sentence is said anew."""
        return from_plain(cls, {key: value for key, value in saved.items() if key not in STAMPS})

    def __str__(self) -> str:
        return "\n".join(
            [clean_text(self.sentence()), *(f"  note: {clean_text(one)}" for one in self.notes())]
        )

    def _repr_html_(self) -> str:
        small = [*self.details(), *self.advice()]
        return result_fragment(
            self.sentence(), self.tables(), self.notes(), headline=self.headline(), details=small
        )

"""What every answer can do, derived from the two things it must say."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from steelyard.display.csv_text import csv_text
from steelyard.display.html import result_fragment
from steelyard.display.json_text import json_text
from steelyard.display.markup import latex_table, latex_text, markdown_table, markdown_text
from steelyard.display.tables import Table
from steelyard.display.text import clean_text, wrap_sentence
from steelyard.errors import RequestError
from steelyard.results.plain import from_plain, to_plain
from steelyard.results.readable import ROW_COLUMNS, Cell, rows_table

if TYPE_CHECKING:
    from steelyard.display.figures import Chart

__all__ = ["ROW_COLUMNS", "Cell", "Result"]


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

    def tables(self) -> list[Table]:
        """Lay the finding out as people read it; the rows, unless a result has something better."""
        return [rows_table(self.rows())]

    def notes(self) -> list[str]:
        """List every doubt that the reader must know of."""
        return list(self.caveats)

    def details(self) -> list[str]:
        """Say in small print how the answer was found."""
        return []

    def advice(self) -> list[str]:
        """Say what else is worth looking at; it stands at the end of the text."""
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
        return "\n\n".join(table.text(width) for table in self.tables())

    def text(self, width: int = 80) -> str:
        """Say everything for a terminal: the sentence, the tables, the caveats, the small print."""
        notes = [f"note: {note}" for note in self.notes()]
        paragraphs = [
            wrap_sentence(clean_text(self.sentence()), width),
            *(table.text(width) for table in self.tables()),
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
        """Write the sentence, the tables and the caveats as Markdown."""
        notes = "\n".join(f"- {markdown_text(note)}" for note in self.notes())
        parts = [markdown_text(self.sentence()), *map(markdown_table, self.tables()), notes]
        return "\n\n".join(part for part in parts if part) + "\n"

    def to_latex(self) -> str:
        """Write the sentence, the tables and the caveats as LaTeX that needs no package."""
        notes = [latex_text(f"Note: {note}.") for note in self.notes()]
        parts = [latex_text(self.sentence()), *map(latex_table, self.tables()), *notes]
        return "\n\n".join(part for part in parts if part) + "\n"

    def to_csv(self, *, raw: bool = False) -> str:
        """Write the rows as CSV; ``raw`` leaves text alone that a spreadsheet would run."""
        return csv_text(ROW_COLUMNS, [list(row.values()) for row in self.rows()], raw=raw)

    def to_dict(self) -> dict[str, Any]:
        """Give the result as plain dicts, lists, numbers and text."""
        return {"kind": self.kind, "schema": self.schema, **to_plain(self)}

    def to_json(self, *, indent: int | None = 2) -> str:
        """Serialise with the kind and schema that can read it back; the same bytes every time."""
        return json_text(self.to_dict(), indent=indent)

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> Self:
        """Rebuild what ``to_dict`` gave."""
        return from_plain(cls, {k: v for k, v in saved.items() if k not in {"kind", "schema"}})

    def __str__(self) -> str:
        return "\n".join(
            [clean_text(self.sentence()), *(f"  note: {clean_text(one)}" for one in self.notes())]
        )

    def _repr_html_(self) -> str:
        small = [*self.details(), *self.advice()]
        return result_fragment(self.sentence(), self.tables(), self.notes(), details=small)

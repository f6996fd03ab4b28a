"""Tables of text that fit the terminal without losing a number."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase
from typing import Any, Literal, NamedTuple, Self

from steelyard.display.numbers import show_cell, show_number
from steelyard.display.text import (
    clean_text,
    display_width,
    shorten,
    shorten_all,
    wrap_sentence,
)

__all__ = [
    "Align",
    "Cell",
    "Column",
    "Headed",
    "Table",
    "lay_out_tables",
    "number_cell",
    "number_columns",
    "text_cell",
    "text_table",
    "wrap_sentence",
]

Align = Literal["left", "right"]
Cell = str | int | float | bool | None

GAP = "  "
BETWEEN = "\n\n"
"""What stands between blocks of columns."""
NOTHING = "-"
RULE = "─"
NARROWEST = 8
"""A text column is not cut below this many columns of the terminal."""
WIDEST = 120
"""Texts that look alike in so many columns, although they differ, get numbers instead of more."""
LEGIBLE = 14
"""Names of so many columns can be told apart at a glance."""
LONG_HEAD, SHORT_HEAD = 20, 11
"""A head over numbers that is wider than this is a name, which may be cut; and how far."""
MOST_TOLD = 300
"""So many columns of a name stand in the key of the letters."""
MOST_KEYED = 10
"""So many letters are held in mind more easily than names that are cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """The head of a column; text lies left, numbers right, and ``whole`` text is never cut.

    An ``optional`` column is left out where the table would be too wide with it. A ``drawn`` one
    is a picture made of letters of one width, for a terminal only.
    """

    name: str
    align: Align = "left"
    whole: bool = False
    optional: bool = False
    drawn: bool = False


Headed = tuple[Column, str | None]
"""A cell below its head; None shows as ``-``."""


def text_cell(
    head: str, text: str | None, *, whole: bool = False, optional: bool = False
) -> Headed:
    """Give a cell of text with its head."""
    return Column(name=head, whole=whole, optional=optional), text


def number_cell(
    head: str,
    number: float | str | None,
    show: Callable[[Any], str] = show_number,
    *,
    optional: bool = False,
) -> Headed:
    """Give a number, written by ``show`` unless it is text already, with its head.

    >>> number_cell("share", 0.5)[1], number_cell("items", None)[1]
    ('0.500', None)
    """
    shown = number if number is None or isinstance(number, str) else show(number)
    return Column(name=head, align="right", optional=optional), shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Something to read: a title, heads, and cells that are text already (None shows as ``-``).

    Where the columns go into blocks, each block repeats the first ``lead`` of them.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str | None, ...], ...]
    note: str = ""
    lead: int = 1

    @classmethod
    def without_empty(
        cls,
        title: str,
        columns: Sequence[Column],
        rows: Sequence[Sequence[str | None]],
        *,
        note: str = "",
        lead: int = 1,
    ) -> Self:
        """Build a table and leave out the columns, but for the lead, in which nothing stands."""
        kept = [
            place
            for place in range(len(columns))
            if place < lead or any(row[place] is not None for row in rows)
        ]
        return cls(
            title=title,
            columns=tuple(columns[place] for place in kept),
            rows=tuple(tuple(row[place] for place in kept) for row in rows),
            note=note,
            lead=lead,
        )

    @classmethod
    def of(
        cls, title: str, rows: Sequence[Sequence[Headed]], *, note: str = "", lead: int = 1
    ) -> Self:
        """Build a table of rows whose cells bring their heads, without empty columns."""
        heads = [head for head, _ in rows[0]] if rows else []
        cells = [[cell for _, cell in row] for row in rows]
        return cls.without_empty(title, heads, cells, note=note, lead=lead)

    def without_drawings(self) -> Self:
        """Leave out the columns that are drawn with letters, for where letters differ in width."""
        kept = [place for place, column in enumerate(self.columns) if not column.drawn]
        return replace(
            self,
            columns=tuple(self.columns[place] for place in kept),
            rows=tuple(tuple(row[place] for place in kept) for row in self.rows),
        )

    def text(self, width: int = 80) -> str:
        """Lay the table out for a terminal ``width`` columns wide."""
        return lay_out_tables([self], width)

    def names(self) -> list[str]:
        """List the names that lead the rows, each once."""
        named = self._name_columns()
        return list(dict.fromkeys(_cell(row[place]) for row in self.rows for place in named))

    def put_letters(self, letters: Mapping[str, str]) -> Self:
        """Put letters where names are."""
        named = self._name_columns()
        rows = (
            tuple(letters[_cell(one)] if at in named else one for at, one in enumerate(row))
            for row in self.rows
        )
        return replace(self, rows=tuple(rows))

    def body(self, width: int) -> str:
        """Lay out heads and cells."""
        return _layout(self.columns, self.rows, width, lead=self.lead)

    def say_once(self, width: int) -> tuple[Self, str]:
        """Say a long name that is first in every row once, where that leaves room for the others.

        Gives the table without its column, and the words; the same table where nothing is won.
        """
        firsts = {row[0] for row in self.rows}
        if self.lead < 2 or len(self.rows) < 2 or len(firsts) > 1 or not self._cuts(width):
            return self, ""
        said = f"{self.columns[0].name}: {_cell(self.rows[0][0])}, in every row"
        rest = replace(
            self,
            columns=self.columns[1:],
            rows=tuple(row[1:] for row in self.rows),
            lead=self.lead - 1,
        )
        return rest, said

    def is_crowded(self, width: int) -> bool:
        """Tell whether names are cut to few letters, or go on in another block of columns."""
        names = self.names()
        if max(map(display_width, names), default=0) <= LEGIBLE:
            return False
        # In a table of pairs a few letters of each name are much to hold together.
        few = self.lead > 1 and len(names) <= MOST_KEYED
        return (few and self._cuts_deep(width)) or BETWEEN in self.body(width)

    def _cuts_deep(self, width: int) -> bool:
        """Tell whether names are cut to less than can be told apart at a glance."""
        return self._cuts(width, LEGIBLE)

    def _cuts(self, width: int, below: int | None = None) -> bool:
        """Tell whether names are cut, and to less than ``below`` columns."""
        plan = _plan(self.columns, self.rows, width, lead=self.lead)
        for place in self._name_columns():
            longest = max(map(display_width, plan.cells[place]))
            if plan.limits[place] < min(longest, below or longest):
                return True
        return False

    def _name_columns(self) -> list[int]:
        return [place for place in range(self.lead) if _may_be_cut(self.columns[place])]


def lay_out_tables(tables: Sequence[Table], width: int = 80) -> str:
    """Lay tables out one under another; names that leave no room are letters, with one key.

    The same letter stands for the same name in all of them.
    """
    said_once = [table.say_once(width) for table in tables if table.columns]
    tables = [table for table, _ in said_once]
    crowded = [table for table in tables if table.is_crowded(width)]
    names = list(dict.fromkeys(name for table in crowded for name in table.names()))
    letters = dict(zip(names, ascii_uppercase, strict=False))
    told: set[str] = set()
    parts = []
    for table, said in said_once:
        body, key = table.body(width), list[str]()
        if table in crowded and len(names) <= len(ascii_uppercase):
            short = table.put_letters(letters).body(width)
            if body.count(BETWEEN) > short.count(BETWEEN) or BETWEEN not in body:
                body = short
                key = [name for name in table.names() if name not in told]
                told.update(key)
        lines = [wrap_sentence(clean_text(table.title), width)] if table.title else []
        lines += [wrap_sentence(said, width), ""] if said else []
        lines.append(body)
        if key:
            lines += ["", *(_write_key(letters[name], name, width) for name in key)]
        if table.note:
            lines += (
                ["", wrap_sentence(clean_text(table.note), width)]
                if key
                else [wrap_sentence(clean_text(table.note), width)]
            )
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _write_key(letter: str, name: str, width: int) -> str:
    # The letter tells names apart, so that a whole document needs no more than shows what it is.
    told = wrap_sentence(shorten(name, MOST_TOLD), width - 3)
    return f"{letter}: " + told.replace("\n", "\n   ")


def number_columns(*names: str) -> tuple[Column, ...]:
    """Give heads of columns whose cells lie right."""
    return tuple(Column(name=name, align="right") for name in names)


def text_table(
    columns: Sequence[str | Column], rows: Sequence[Sequence[Cell]], *, width: int = 80
) -> str:
    """Lay raw values out for a terminal; a column of numbers lies right.

    Too wide a table first has its text columns cut in the middle, then goes into blocks of
    columns that repeat the first one. Numbers are never cut.

    Examples
    --------
    >>> print(text_table(["system", "right"], [["svm", 880], ["knn", None]]))
    system  right
    ─────────────
    svm       880
    knn         -
    """
    heads = tuple(
        head if isinstance(head, Column) else Column(name=head, align=_align(place, rows))
        for place, head in enumerate(columns)
    )
    return _layout(heads, [[show_cell(cell) for cell in row] for row in rows], width)


def _align(place: int, rows: Sequence[Sequence[Cell]]) -> Align:
    present = [row[place] for row in rows if row[place] is not None]
    numbers = [cell for cell in present if isinstance(cell, int | float)]
    return "right" if present and len(numbers) == len(present) else "left"


def _layout(
    columns: Sequence[Column], rows: Sequence[Sequence[str | None]], width: int, *, lead: int = 1
) -> str:
    plan = _plan(columns, rows, width, lead=lead)
    cells, widths = plan.cells, plan.widths
    padded = {
        place: [
            _pad(text, wide, columns[place].align)
            for text in [
                cells[place][0],
                *_cut(cells[place][1:], plan.limits[place], plan.pools[place]),
            ]
        ]
        for place, wide in widths.items()
    }
    kept = list(widths)
    blocks = _blocks(list(widths.values()), width, lead)
    return BETWEEN.join(_block([padded[kept[one]] for one in block]) for block in blocks)


class _Plan(NamedTuple):
    """The cells, the width of each column that is kept, and to how much its texts are cut."""

    cells: list[list[str]]
    widths: dict[int, int]
    limits: dict[int, int]
    pools: list[list[str]]


def _plan(
    columns: Sequence[Column], rows: Sequence[Sequence[str | None]], width: int, *, lead: int
) -> _Plan:
    cells = [
        [head, *(_cell(row[place]) for row in rows)]
        for place, head in enumerate(_heads(columns, rows, width))
    ]
    # A system has one name in a table: the columns that lead a row are cut together.
    named = [place for place in range(min(lead, len(columns))) if _may_be_cut(columns[place])]
    shared = [text for place in named for text in cells[place][1:]]
    pools = [shared if place in named else cells[place][1:] for place in range(len(cells))]
    fits = [_fit(*one) for one in zip(columns, cells, pools, strict=True)]
    kept = _keep(columns, fits, width)
    widths = dict(zip(kept, _fit_columns([fits[place] for place in kept], width), strict=True))
    limits = dict(widths)
    narrowed = [widths[place] for place in named if widths[place] < fits[place].wide]
    limits |= {place: min([widths[place], *narrowed]) for place in named}
    return _Plan(cells, widths, limits, pools)


def _may_be_cut(head: Column) -> bool:
    return head.align == "left" and not head.whole


def _heads(
    columns: Sequence[Column], rows: Sequence[Sequence[str | None]], width: int
) -> list[str]:
    """Write the heads; long ones over numbers are cut where the table would be too wide.

    They stay apart, and none fills more than half of a line if that can be helped.
    """
    names = [clean_text(head.name) for head in columns]
    long = [
        name
        for head, name in zip(columns, names, strict=True)
        if head.align == "right" and display_width(name) > LONG_HEAD
    ]
    if not long:
        return names
    cells = [
        max((display_width(_cell(row[place])) for row in rows), default=0)
        for place in range(len(columns))
    ]
    widest = max(map(display_width, long))
    most = min(widest, max(LEGIBLE, width // 2))
    # A single one may be words of ours, which mean little when they are cut.
    least = SHORT_HEAD if len(long) > 1 else most
    ways = [widest, *range(most, least - 1, -1)]
    cuts = [(limit, cut) for limit in ways if (cut := shorten_all(long, limit)) is not None]
    for limit, cut in cuts:
        shown = [cut.get(name, name) for name in names]
        wide = [max(display_width(name), cell) for name, cell in zip(shown, cells, strict=True)]
        if limit <= most and _total(wide) <= width:
            return shown
    # It goes into blocks whatever is done: as many columns in each as names that stay apart let.
    limit, fewest = cuts[-1]
    if limit > WIDEST:
        fewest = _number(long, most)
    return [fewest.get(name, name) for name in names]


def _cell(cell: str | None) -> str:
    return NOTHING if cell is None else clean_text(cell)


@dataclass(frozen=True, slots=True)
class _Fit:
    """How wide a column would like to be, and how narrow it may be."""

    wide: int
    narrow: int


def _fit(head: Column, column: list[str], pool: list[str]) -> _Fit:
    """Find how far a text column can be cut so that different texts still look different."""
    wide = max(map(display_width, column))
    if not _may_be_cut(head):
        return _Fit(wide, wide)
    for narrow in range(min(max(NARROWEST, display_width(column[0])), wide), min(wide, WIDEST)):
        if shorten_all(pool, narrow) is not None:
            return _Fit(wide, narrow)
    return _Fit(min(wide, WIDEST), min(wide, WIDEST))


def _cut(column: list[str], wide: int, pool: list[str]) -> list[str]:
    """Cut the texts of a column, none of them to the likeness of another of the pool."""
    if all(display_width(text) <= wide for text in column):
        return column
    # A way of cutting that fits a narrow column may fail in one a little wider.
    cuts = (shorten_all(pool, most) for most in range(wide, 0, -1))
    cut = next((found for found in cuts if found is not None), None) or _number(pool, wide)
    return [cut[text] for text in column]


def _number(pool: list[str], wide: int) -> dict[str, str]:
    """Tell texts apart that look alike however they are cut: whole answers of a model, say."""
    numbers = {text: f" ({place})" for place, text in enumerate(dict.fromkeys(pool), 1)}
    return {
        text: shorten(text, wide - len(number), keep="start") + number
        for text, number in numbers.items()
    }


def _keep(columns: Sequence[Column], fits: Sequence[_Fit], width: int) -> list[int]:
    """Leave optional columns out, the last first, while the table cannot be made to fit."""
    kept = list(range(len(columns)))
    for place in reversed(range(len(columns))):
        if _total([fits[one].narrow for one in kept]) <= width:
            break
        if columns[place].optional:
            kept.remove(place)
    return kept


def _fit_columns(fits: list[_Fit], width: int) -> list[int]:
    """Find column widths, cutting the widest text columns while the table is too wide."""
    widths = [fit.wide for fit in fits]
    while _total(widths) > width:
        loose = [place for place, fit in enumerate(fits) if widths[place] > fit.narrow]
        if not loose:
            break
        widths[max(loose, key=lambda place: widths[place])] -= 1
    return widths


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _blocks(widths: list[int], width: int, lead: int) -> list[list[int]]:
    """Deal the columns out to blocks that fit, each led by the first columns."""
    first = list(range(min(lead, len(widths))))
    blocks = [first]
    for place in range(len(first), len(widths)):
        block = [*blocks[-1], place]
        if len(blocks[-1]) > lead and _total([widths[one] for one in block]) > width:
            blocks.append([*first, place])
        else:
            blocks[-1] = block
    return blocks


def _block(columns: list[list[str]]) -> str:
    lines = [GAP.join(row) for row in zip(*columns, strict=True)]
    rule = RULE * display_width(lines[0])
    return "\n".join([lines[0].rstrip(), rule, *(line.rstrip() for line in lines[1:])])


def _pad(text: str, width: int, align: Align) -> str:
    space = " " * (width - display_width(text))
    return space + text if align == "right" else text + space

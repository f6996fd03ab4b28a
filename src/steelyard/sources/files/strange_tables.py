"""Tables that begin otherwise than with names: told by their first rows, with what to type."""

import csv
import re
from collections.abc import Sequence
from shlex import quote

from steelyard.errors import FileUnreadable, printable

__all__ = ["refuse_other_tables", "refuse_title"]

ORANGE_KINDS = frozenset("continuous discrete string time c d s t".split())
ORANGE_FLAGS = frozenset("class meta ignore weight m i w".split())
PERCENT = re.compile(r"\s*[+-]?\d+(?:[.,]\d+)?\s*%\s*")
MARKS = ",;\t|"
SAMPLE, MOST_TITLES = 50, 5


def refuse_other_tables(shown: str, rows: Sequence[Sequence[str]]) -> None:
    """Refuse tables of Orange, and numbers with a percent sign."""
    if len(rows) < 3:
        return
    _refuse_orange(shown, rows)
    _refuse_percent(shown, rows)


def _refuse_orange(shown: str, rows: Sequence[Sequence[str]]) -> None:
    """Refuse three rows of header: names, kinds, roles."""
    kinds = {cell.strip().casefold() for cell in rows[1]} - {""}
    values = [cell for cell in rows[1] if len(cell.split()) > 1]
    kinds -= {cell.strip().casefold() for cell in values}
    flags = {cell.strip().casefold() for cell in rows[2]} - {""}
    if not kinds or not kinds <= ORANGE_KINDS or not flags <= ORANGE_FLAGS:
        return
    path = quote(printable(shown))
    truth = next((n for n, f in zip(rows[0], rows[2], strict=False) if f.strip() == "class"), "")
    named = f" --truth {quote(truth)}" if truth else ""
    found = "its second and third row say what the columns are, as Orange writes them."
    fix = (
        f"Leave them out. Type: sed '2,3d' {path} > plain.csv && "
        f"steelyard evaluate plain.csv{named}"
    )
    raise FileUnreadable.for_file(shown, found, fix=fix, code="orange")


def refuse_title(shown: str, text: str) -> None:
    """Refuse lines of title above the names, which alone are as many as the cells below."""
    lines = [line for line in text.splitlines()[:SAMPLE] if line.strip()]
    for mark in MARKS:
        try:
            widths = [len(row) for row in csv.reader(lines, delimiter=mark)]
        except csv.Error:
            continue
        title = next((n for n, width in enumerate(widths) if width > 1), 0)
        below = widths[title:]
        if not 0 < title <= MOST_TITLES or len(below) < 3 or len({*below}) > 1:
            continue
        if any({*line} & {*MARKS} for line in lines[:title]):  # another mark separates, perhaps
            continue
        path = quote(printable(shown))
        names = re.sub(r"([][\\.*^$/])", r"\\\1", lines[title].split(mark)[0].strip())
        found = f"there is a title above the names: {printable(lines[0].strip()[:60])!r}."
        fix = (
            f"Leave it out. Type: sed -n {quote(f'/^{names}/,$p')} {path} > plain.csv && "
            "steelyard evaluate plain.csv"
        )
        raise FileUnreadable.for_file(shown, found, fix=fix, code="title")


def _refuse_percent(shown: str, rows: Sequence[Sequence[str]]) -> None:
    """Refuse a column of shares with a percent sign in every cell."""
    for place, name in enumerate(rows[0]):
        cells = [row[place] for row in rows[1:] if place < len(row) and row[place].strip()]
        if len(cells) > 1 and all(PERCENT.fullmatch(cell) for cell in cells):
            path = quote(printable(shown))
            found = f"column {printable(name)!r} holds numbers with a percent sign, {cells[0]!r}."
            fix = (
                f"Take the signs away. Type: sed 's/ *%//g' {path} > plain.csv && "
                "steelyard evaluate plain.csv"
            )
            raise FileUnreadable.for_file(shown, found, fix=fix, code="percent")

"""Lists without a header beside a truth in another file: columns told by the ids in both."""

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from steelyard.errors import FileUnreadable, RolesUnclear, listing, printable, switch
from steelyard.sources.files.formats import read_head
from steelyard.sources.files.headless import IGNORED, KINDS_OF_TRIAL, NUMBER, says_role

__all__ = ["NamedLists", "ask_about_order", "name_lists"]

MARKS = "\t;,"
MOST_CLASSES = 50
HALF = 0.5
PREFIX = "__label__"
"""How fastText begins a label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedLists:
    """Names for the columns of lists that have none: of the answers, and of the truth.

    None leaves a file its own header.
    """

    answers: tuple[str, ...] | None
    truth: tuple[str, ...] | None
    note: str


def name_lists(
    answers: Sequence[Path], truth: Path, column: str | None, *, by_rows: bool
) -> NamedLists | None:
    """Name the columns of lists without a header: the ids are what both files have in common.

    With ``by_rows`` lists of one column, and of one number for each class, need no ids. None where
    both have names, or where it cannot be told which column is which.
    """
    first, true = _read(answers[0]), _read(truth)
    if first is None or true is None:
        return None
    _refuse_fast_text(answers, truth, first, true)
    bare = [not _has_header(rows) for rows in (first, true)]
    if not any(bare):
        return None
    if by_rows:
        return _name_by_rows(first, true, bare, answers[0])
    if 1 in {len(first[0]), len(true[0])} or not all(bare):
        if len(first) - (not bare[0]) == len(true) - (not bare[1]):
            raise ask_about_order(answers[0].name, truth.name, len(true) - (not bare[1]))
        return None
    return _name_by_ids(first, true, column, truth)


def _name_by_rows(
    answers: Sequence[Sequence[str]], truth: Sequence[Sequence[str]], bare: Sequence[bool],
    path: Path,
) -> NamedLists | None:  # fmt: skip
    width, of_truth = len(answers[0]), len(truth[0])
    numbers = all(NUMBER.fullmatch(cell) for row in answers for cell in row)
    named: tuple[str, ...] | None = None
    if width == 1:
        named = (re.sub(r"\W+", "_", path.stem).strip("_") or "called",)
    if width > 1 and numbers and bare[0]:
        named = tuple(f"p{place}" for place in range(width))
    if (bare[0] and named is None) or (bare[1] and of_truth != 1):
        return None
    return NamedLists(
        answers=named if bare[0] else None,
        truth=("truth",) if bare[1] else None,
        note="the files have no header, and rows go by their place",
    )


def _name_by_ids(
    answers: Sequence[Sequence[str]],
    truth: Sequence[Sequence[str]],
    column: str | None,
    path: Path,
) -> NamedLists | None:
    if len(answers[0]) < 2 or len(truth[0]) < 2:
        return None
    own, other = _columns(answers), _columns(truth)
    pairs = [
        (place, at)
        for place, ids in enumerate(own)
        for at, known in enumerate(other)
        if len({*ids}) == len(ids) and len({*ids} & {*known}) > HALF * len(ids)
    ]
    if len(pairs) != 1:
        return None
    ((item, at),) = pairs
    said = [at for at, cells in enumerate(other) if at != pairs[0][1] and _may_be_truth(cells)]
    kinds = [n for n in said if any({c.casefold() for c in other[n]} <= k for k in KINDS_OF_TRIAL)]
    if column is not None and column.isdigit() and 0 < int(column) <= len(other):
        said = [int(column) - 1]
    elif kinds:
        said = kinds[:1]
    held = [n for n in range(len(own)) if n != item]
    varied = [n for n in held if len({*own[n]}) > 1]
    scores = [n for n in varied if all(map(NUMBER.fullmatch, own[n]))]
    likely = scores if len(scores) == 1 else varied
    if len(likely) != 1:
        return None
    if len(said) > 1 and likely != scores:  # of several, the one that is answered
        said = [at for at in said if {*other[at]} & {*own[likely[0]]}]
    if len(said) != 1:
        raise _ask_which(path, truth, said)
    called = "score" if likely == scores and len({*own[likely[0]]}) > MOST_CLASSES / 5 else "called"
    answered = [IGNORED] * len(own)
    answered[item], answered[likely[0]] = "item", called
    known = [IGNORED] * len(other)
    known[at], known[said[0]] = "item", "truth"
    return NamedLists(
        answers=tuple(answered),
        truth=tuple(known),
        note=(
            f"the files have no header: column {item + 1} of the answers and column {at + 1} of "
            f"the truth hold the same ids, column {likely[0] + 1} what was answered, column "
            f"{said[0] + 1} what is true"
        ),
    )


def ask_about_order(answers: str, truth: str, rows: int) -> RolesUnclear:
    """Ask whether rows go by their place, where both files have as many and one has no ids."""
    message = (
        f"{printable(answers)} and {printable(truth)} have {rows:,} rows each, and no column of "
        f"ids in both. If they hold the same items in the same order: {switch('pairing', 'rows')}. "
        f"Else name the column of ids: {switch('item', 'COLUMN')}."
    )
    return RolesUnclear(message, code="no-item")


def _ask_which(path: Path, rows: Sequence[Sequence[str]], said: Sequence[int]) -> FileUnreadable:
    """Ask for the place of the column that says what is true."""
    shown = [f"{n + 1} ({listing(sorted({row[n] for row in rows}), most=3)})" for n in said]
    few = f" Few values have: {listing(shown)}." if shown else ""
    example = said[0] + 1 if said else "N"
    message = (
        f"{printable(path.name)} has no header; which column says what is true?{few} Name it by "
        f"its place, for example {switch('truth', f'{path}:{example}')}."
    )
    return FileUnreadable(message, code="truth-unclear")


def _may_be_truth(cells: Sequence[str]) -> bool:
    return 1 < len({*cells}) <= MOST_CLASSES and len({*cells}) <= HALF * len(cells)


def _refuse_fast_text(
    answers: Sequence[Path],
    truth: Path,
    first: Sequence[Sequence[str]],
    true: Sequence[Sequence[str]],
) -> None:
    """Refuse fastText's labels with the command that lays the first words side by side."""
    if not all(rows[0][0].startswith(PREFIX) for rows in (first, true)):
        return
    both = " ".join(f"<(cut -d' ' -f1 {quote(str(path))})" for path in (truth, *answers))
    names = [re.sub(r"\W", "_", path.stem) for path in answers]
    verb = "compare" if len(names) > 1 else "evaluate"
    message = (
        f"{printable(truth.name)}: fastText's labels stand first in every row, without ids, so "
        f"that files are paired line by line. Type: paste -d, {both} > both.csv && steelyard "
        f"{verb} both.csv --columns truth,{','.join(names)}"
    )
    raise FileUnreadable(message, code="bare-lists")


def _columns(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    return [[row[place] for row in rows] for place in range(len(rows[0]))]


def _has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Tell names above cells: words that never come again, over numbers or over other words."""
    first, below = rows[0], rows[1:]
    if any(says_role(cell) for cell in first if not NUMBER.fullmatch(cell)):
        again = any(first[n] in {row[n] for row in below} for n in range(len(first)))
        return not again
    if any(NUMBER.fullmatch(cell) for cell in first):
        return False
    again = any(first[n] in {row[n] for row in below} for n in range(len(first)))
    return not again and len(first) > 1


def _read(path: Path) -> list[list[str]] | None:
    """Read the whole of a plain list, every row of the same width; None where it is none."""
    head, compressed, _ = read_head(path)
    if compressed or b"\0" in head or head[:1] in b"{[":
        return None
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return None
    if lines[0].startswith(PREFIX):
        return [[line.split()[0]] for line in lines]
    mark = next((one for one in MARKS if one in lines[0]), None)
    rows = list(csv.reader(lines, delimiter=mark)) if mark else [line.split() for line in lines]
    rows = [[cell.strip() for cell in row] for row in rows]
    return rows if len({len(row) for row in rows}) == 1 else None

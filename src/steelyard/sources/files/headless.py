"""Tables that begin otherwise than with names: told by their first rows, with what to type."""

import csv
import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from steelyard.errors import FileUnreadable, listing, printable, switch, switch_list
from steelyard.sources.files.formats import read_head
from steelyard.sources.roles.declared import CONVENTIONAL
from steelyard.sources.roles.name_words import says_truth
from steelyard.sources.roles.proposals import propose_holding, propose_single_role

__all__ = [
    "IGNORED",
    "KINDS_OF_TRIAL",
    "NUMBER",
    "SAMPLE_ROWS",
    "ask_for_truth",
    "has_row_names",
    "is_bare_list",
    "name_by_words",
    "refuse_headless",
    "refuse_other_tables",
    "refuse_title",
    "says_role",
]

IGNORED = "_"
"""What is written for the name of a column that does not matter."""

SAMPLE_ROWS = 200
NUMBER = re.compile(r"\s*[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d+)?\s*")
MOST_TRUE = 12
MOST_BESIDE = 1000
FRACTION = re.compile(r"\s*[+-]?\d*[.,]\d+([eE][+-]?\d+)?\s*")
MOST_WORD = 60
KINDS_OF_TRIAL = (
    {"target", "nontarget", "non-target", "imposter", "impostor"},
    {"tar", "non", "nontar"},
    {"tgt", "imp", "non"},
    {"genuine", "imposter", "impostor"},
    {"bonafide", "bona-fide", "spoof"},
    {"mated", "nonmated", "non-mated"},
)
"""Words that are said of trials and of nothing else: a column of them is the truth."""
HALF = 0.5


def is_bare_list(path: Path) -> bool:
    """Tell a list of one label a line, each of which comes again: it has no header and no ids."""
    head, _, _ = read_head(path)
    if b"\0" in head or head[:1] in b"{[":
        return False
    lines = [line.strip() for line in head.decode("utf-8", "replace").splitlines()[:SAMPLE_ROWS]]
    words = [line for line in lines if line]
    plain = all(len(word) <= MOST_WORD and not set(word) & set(",;\t| ") for word in words)
    return plain and len(words) > 3 and words[0] in words[1:] and len({*words}) < len(words)


ORANGE_KINDS = frozenset("continuous discrete string time c d s t".split())
ORANGE_FLAGS = frozenset("class meta ignore weight m i w".split())
RULE = re.compile(r":?-{2,}:?")
PERCENT = re.compile(r"\s*[+-]?\d+(?:[.,]\d+)?\s*%\s*")
MARKS = ",;\t|"
SAMPLE, MOST_TITLES = 50, 5
PACKED = (".gz", ".xlsx", ".xlsm")
"""Endings of files that a line editor would spoil."""


def says_role(cell: str) -> bool:
    """Tell whether a cell of the first row is a name that carries a role."""
    known = {name for names in CONVENTIONAL.values() for name in names}
    return (
        cell.casefold() in known
        or propose_single_role(cell) is not None
        or propose_holding(cell) is not None
    )


def name_by_words(rows: Sequence[Sequence[str]]) -> list[str] | None:
    """Name the columns of scores beside the kinds of trials, which say themselves what they are.

    >>> name_by_words([["target", "1.5"], ["nontarget", "-2.25"]])
    ['truth', 'score']
    >>> name_by_words([["1", "1.5"], ["0", "-2.25"]]) is None
    True
    """
    width = len(rows[0])
    if width not in (2, 4) or any(len(row) != width for row in rows):
        return None
    columns = [[cell.strip().casefold() for cell in column] for column in zip(*rows, strict=True)]
    kinds = [any({*column} <= words for words in KINDS_OF_TRIAL) for column in columns]
    scores = [all(map(NUMBER.fullmatch, column)) for column in columns]
    if sum(kinds) != 1 or sum(scores) != 1:
        return None
    sides = iter(("enrolled", "tested"))
    return [
        "truth" if kind else "score" if score else next(sides)
        for kind, score in zip(kinds, scores, strict=True)
    ]


def ask_for_truth(path: Path) -> str:
    """Say how the truth of answers alone is named, by the file beside them that is called so."""
    there = sorted(path.parent.iterdir()) if path.parent.is_dir() else []
    likely = [
        one.name
        for one in there[:MOST_BESIDE]
        if says_truth(one.stem) and one.suffix == path.suffix and one != path and one.is_file()
    ]
    named = likely[0] if len(likely) == 1 else "FILE"
    return (
        "Answers alone need the file that says what is true, of the same items in the same order: "
        f"{switch('truth', named)} and {switch('pairing', 'rows')}."
    )


def refuse_headless(path: Path, shown: str, rows: Sequence[Sequence[str]]) -> None:
    """Refuse a file whose first row is data: what it says is said again below, or is a fraction.

    A name that carries a role is a header, unless it comes again in its own column.
    """
    first, below = [cell.strip("\ufeff \t\r\n") for cell in rows[0]], rows[1:]
    columns = [
        {row[place].strip() for row in below if place < len(row)} for place in range(len(first))
    ]
    if first[0].startswith("#"):
        _refuse_comment(shown, rows)
    if not _is_data(first, columns):
        return
    found = f"there is no header: the first row reads {listing(first, most=4)}."
    if first[0].startswith("__label__"):
        fix = (
            "fastText writes what was called; the truth stands first in every row of the test "
            f"file, TEST here. Type: paste -d, <(cut -d' ' -f1 TEST) <(cut -d' ' -f1 "
            f"{shlex.quote(printable(shown))}) > both.csv && steelyard evaluate both.csv "
            "--columns truth,called"
        )
        raise FileUnreadable.for_file(shown, found, fix=fix, code="no-header")
    if len(first) == 1:
        raise FileUnreadable.for_file(shown, found, fix=ask_for_truth(path), code="no-header")
    _refuse_square(shown, found, rows)
    from steelyard.sources.files.ranked_lists import refuse_retrieval

    refuse_retrieval(shown, rows)
    likely = _likely_names(first, columns, rows)
    _refuse_trials(shown, found, likely, columns)
    if _are_transcripts(rows):
        fix = (
            "Texts with an id are aligned to the reference first, by NIST's sclite: "
            "sclite -r ref.trn -h hyp.trn -i rm -o sgml; then steelyard compare a.sgml b.sgml."
        )
        raise FileUnreadable.for_file(shown, found, fix=fix, code="transcripts")
    fix = (
        f"Say what the columns hold, {IGNORED} for what does not matter, such as "
        f"{switch_list('columns', likely)}."
    )
    if not {"called", "score"} & {*likely}:
        likely = ["called" if name == "truth" else name for name in likely]
        fix = (
            f"Answers alone, it seems: name the columns, {switch_list('columns', likely)}, and the "
            f"file that holds the truth, {switch('truth', 'answers.csv:COLUMN')}."
        )
    raise FileUnreadable.for_file(shown, found, fix=fix, code="no-header")


def _is_data(first: Sequence[str], columns: Sequence[set[str]]) -> bool:
    """Tell whether the cells of a first row are no names."""
    if first[1:] == [str(place) for place in range(len(first) - 1)] and not first[0]:
        return False  # how pandas calls the columns of an array, beside the numbers of its rows
    again = [cell for cell, others in zip(first, columns, strict=True) if cell and cell in others]
    names = [cell for cell in first if says_role(cell) and cell not in again]
    numbers = all(NUMBER.fullmatch(cell) for cell in first if cell)
    fractions = any(FRACTION.fullmatch(cell) for cell in first)
    return not names and any(first) and bool(numbers or again or fractions)


def _refuse_trials(
    shown: str, found: str, likely: Sequence[str], columns: Sequence[set[str]]
) -> None:
    """Refuse scores of trials without their key, and a key without scores."""
    fix = ""
    if likely[-1:] == ["score"] and "truth" not in likely:
        fix = f"A list of trials has its truth in a key: {switch('truth', 'key.txt')}."
    elif _is_key(columns):
        fix = (
            "It is a key, which says of each trial what it is; scores are in a file of their own. "
            f"Type: steelyard evaluate SCORES --truth {shlex.quote(printable(shown))}"
        )
    if fix:
        raise FileUnreadable.for_file(shown, found, fix=fix, code="no-header")


def _is_key(columns: Sequence[set[str]]) -> bool:
    """Tell a list that names kinds of trials, and holds no score of them."""
    held = [{cell.casefold() for cell in column if cell} for column in columns]
    kinds = [any(column <= words for words in KINDS_OF_TRIAL) for column in held if column]
    numbers = [all(map(NUMBER.fullmatch, column)) for column in held if column]
    return sum(kinds) == 1 and not any(numbers)


def _refuse_square(shown: str, found: str, rows: Sequence[Sequence[str]]) -> None:
    """Refuse as many rows as columns, of whole numbers, some beyond what few classes are called."""
    cells = [cell.strip() for row in rows for cell in row]
    square = len(rows) > 1 and all(len(row) == len(rows) for row in rows)
    whole = all(cell.isascii() and cell.isdigit() for cell in cells)
    if not square or not whole or all(int(cell) <= len(rows) for cell in cells):
        return
    fix = (
        "If these are counts, true classes in rows and called ones in columns: "
        f"steelyard evaluate --confusion {quote(printable(shown))} --classes "
        f"{','.join(str(place) for place in range(len(rows)))}"
    )
    raise FileUnreadable.for_file(shown, found, fix=fix, code="confusion-table")


def _are_transcripts(rows: Sequence[Sequence[str]]) -> bool:
    """Tell an id and a text in every row: the words differ in number."""
    ids, widths = {row[0] for row in rows}, {len(row) for row in rows}
    words = [cell for row in rows for cell in row[1:]]
    numbers = sum(NUMBER.fullmatch(cell) is not None for cell in words)
    return len(ids) == len(rows) > 1 and len(widths) > 2 and numbers < HALF * len(words)


def _refuse_comment(shown: str, rows: Sequence[Sequence[str]]) -> None:
    """Refuse a first line that is a comment, or names in one, as numpy's savetxt writes them."""
    path = shlex.quote(printable(shown))
    width = len(rows[1]) if len(rows) > 1 else 0
    bare = [cell for cell in (rows[0][0].lstrip("# "), *rows[0][1:]) if cell.strip()]
    if rows[0][0].strip() == "#" and len(rows[0]) == width > 1:
        return  # the number of a row, as people call that column
    if len(bare) == width:
        fix = (
            f"They are names. Type: sed '1s/^# *//' {path} > named.csv && "
            "steelyard evaluate named.csv"
        )
    else:
        fix = (
            f"Leave such lines out. Type: grep -v '^#' {path} > plain.csv && "
            "steelyard evaluate plain.csv"
        )
    found = f"the first line begins with #: {listing(list(rows[0]), most=4)}."
    raise FileUnreadable.for_file(shown, found, fix=fix, code="comment")


def _likely_names(
    first: Sequence[str], columns: Sequence[set[str]], rows: Sequence[Sequence[str]]
) -> list[str]:
    """Propose a name for each column, for a message: nothing is read by it."""
    names: list[str] = []
    wanted = iter(["truth", "called", *(f"called{number}" for number in range(2, len(first) + 2))])
    for cell, others in zip(first, columns, strict=True):
        held = {cell, *others}
        if len(held) == 1 and len(rows) > 1:
            names.append(IGNORED)
        elif all(NUMBER.fullmatch(one) for one in held if one) and any(
            FRACTION.fullmatch(one) for one in held
        ):
            names.append("score" if "score" not in names else f"score{len(names)}")
        elif len(held) > HALF * len(rows) or len(held) > MOST_TRUE:
            names.append("item" if "item" not in names else IGNORED)
        else:
            names.append(next(wanted))
    # In few rows, or beside a score alone, what looks the same everywhere may be a class.
    few = len(rows) < 2 * MOST_TRUE or len(names) == 2
    if "truth" not in names and (few or "score" not in names):
        names = [next(wanted) if name == IGNORED else name for name in names]
    return names


def refuse_other_tables(shown: str, rows: Sequence[Sequence[str]]) -> None:
    """Refuse tables of Orange, and numbers with a percent sign."""
    if len(rows) < 3:
        return
    _refuse_orange(shown, rows)
    _refuse_markdown(shown, rows)
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


def _refuse_markdown(shown: str, rows: Sequence[Sequence[str]]) -> None:
    """Refuse a table of Markdown, whose second row is a line."""
    line = [cell.strip() for cell in rows[1] if cell.strip()]
    if not line or not all(RULE.fullmatch(cell) for cell in line):
        return
    path = quote(printable(shown))
    found = "this is a table of Markdown: its second row is a line."
    fix = (
        r"Make commas of its bars. Type: sed '2d; s/^ *| *//; s/ *| *$//; s/ *| */,/g' "
        f"{path} > plain.csv && steelyard evaluate plain.csv"
    )
    raise FileUnreadable.for_file(shown, found, fix=fix, code="markdown")


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
        fix = "Leave it out."
        if not shown.lower().endswith(PACKED):
            fix += (
                f" Type: sed -n {quote(f'/^{names}/,$p')} {path} > plain.csv && "
                "steelyard evaluate plain.csv"
            )
        raise FileUnreadable.for_file(shown, found, fix=fix, code="title")


def has_row_names(shown: str, rows: Sequence[Sequence[str]]) -> bool:
    """Tell rows that begin with a name of their own; refuse others of a cell more than names.

    Names of rows are all different, and no measurements: else a name of a column is missing
    somewhere, and each of the others would stand over its neighbour.
    """
    width, first = len(rows[0]), [row[0].strip() for row in rows[1:]]
    if len(rows) < 3 or {len(row) for row in rows[1:]} != {width + 1}:
        return False
    if all(not row[-1].strip() for row in rows[1:]):
        found = f"every row ends with a separator, and the names of its {width} columns do not."
        fix = "Write one behind the last name, too."
    elif len({*first}) < len(first) or all(FRACTION.fullmatch(cell) for cell in first):
        found = (
            f"every row has {width + 1} columns, and only {width} have names. The first names no "
            f"rows ({listing([printable(cell) for cell in first], most=3)}), so nobody can tell "
            "which name is missing."
        )
        fix = "Name every column."
    else:
        return True
    raise FileUnreadable.for_file(shown, found, fix=fix, code="names-moved")


def _refuse_percent(shown: str, rows: Sequence[Sequence[str]]) -> None:
    """Refuse a column of shares with a percent sign in every cell."""
    for place, name in enumerate(rows[0]):
        cells = [row[place] for row in rows[1:] if place < len(row) and row[place].strip()]
        if len(cells) > 1 and all(PERCENT.fullmatch(cell) for cell in cells):
            path = quote(printable(shown))
            found = f"column {printable(name)!r} holds numbers with a percent sign, {cells[0]!r}."
            fix = "Write them as shares."
            if not shown.lower().endswith(PACKED):
                fix += (
                    f" Type: sed -E 's/([0-9]) *%/\\1e-2/g' {path} > plain.csv && "
                    "steelyard evaluate plain.csv"
                )
            raise FileUnreadable.for_file(shown, found, fix=fix, code="percent")

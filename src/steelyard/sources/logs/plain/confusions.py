"""Tables of counts, true classes against called ones: told, refused with what to type, and read."""

import csv
import io
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from shlex import quote

from steelyard.errors import FileUnreadable, counted, listing
from steelyard.sources.files.formats import SAMPLE_BYTES, open_bytes
from steelyard.sources.logs.log_format import Head, Log, LogFormat
from steelyard.sources.roles.name_words import says_call, says_truth, words
from steelyard.sources.roles.proposals import propose_holding, propose_single_role

__all__ = ["FORMATS", "read_count_table", "read_named_rows"]

FOUR = ("tn", "fp", "fn", "tp")
COUNTED = frozenset("n count counts freq frequency num number items size".split())
"""Names of the column that says how often a pair of classes came."""

MARGIN = re.compile(r"(?i)all|sum|totals?|row total|grand total")
WHOLE = re.compile(r"([0-9]+)(?:\.0*)?")
MOST_LABELS = 500
TRUE_FIRST = re.compile(r"(?i)\W*(true|truth|actual|reference|gold|expected|observed)")
CALLED_FIRST = re.compile(r"(?i)\W*(pred|called|classified|output|hypothes)")
"""A corner, or what stands before the names of rows, that says what rows are."""

Rows = Sequence[Sequence[str]]
Square = tuple[list[str], list[list[str]]]
"""Classes, and the counts of each true one."""


def read_named_rows(head: bytes) -> list[dict[str, str]]:
    """Read the rows of a small CSV by the names of its columns, in small letters and no signs."""
    try:
        rows = list(csv.reader(io.StringIO(head.decode("utf-8-sig", "replace"))))
    except csv.Error:
        return []
    names = [re.sub(r"[\W_]+", " ", name).strip().casefold() for name in rows[0]] if rows else []
    return [dict(zip(names, row, strict=False)) for row in rows[1:] if len(row) == len(names)]


def read_count_table(path: Path) -> tuple[str, tuple[str, ...] | None]:
    """Read a table of counts as it would be typed, and its classes where they are named.

    A row for each true class and a column for each called one, with the classes around them or
    without; a row for each pair of classes and how often it came; or one row of ``TN``, ``FP``,
    ``FN`` and ``TP``.
    """
    with open_bytes(path) as file:
        content = file.read()
    cells = _cells(content)
    bare = len(cells) > 1 and all(len(row) == len(cells) for row in cells)
    named = _read_square(cells)
    turned = None if named is None else _say_turned(cells)
    if named is not None and turned is not None:
        raise _refuse_turned(path.name, turned, named)
    if bare and all(cell.isascii() and cell.isdigit() for row in cells for cell in row):
        return _write_counts(cells), None
    found = named or _read_pairs(path.name, cells)
    if found is not None:
        return _write_counts(found[1]), tuple(found[0])
    row = read_named_rows(content)
    if len(row) == 1 and (four := _four(row[0])) is not None:
        return _write_counts(four), ("negative", "positive")
    reason = "this is not a table of counts."
    fix = (
        "Expected whole numbers, a row for each true class and a column for each called one, "
        "with the names of the classes around them or with --classes; or one row "
        "TN,FP,FN,TP. Or type it in: --confusion '8,2;1,9' --classes cat,dog"
    )
    raise FileUnreadable.for_file(path.name, reason, fix=fix, code="confusion-table")


def _write_counts(counts: Rows) -> str:
    return ";".join(",".join(row) for row in counts)


def _are_counts(counts: Rows) -> bool:
    return all(WHOLE.fullmatch(cell) for row in counts for cell in row)


def _plain_counts(counts: Rows) -> list[list[str]]:
    """Write counts without the point that a table of floats gives them: ``423.0``."""
    return [[cell.partition(".")[0] for cell in row] for row in counts]


def _cells(content: bytes) -> list[list[str]]:
    """Split rows at the mark that the first of them holds, otherwise at white space."""
    lines = [one for one in content.decode("utf-8-sig", "replace").splitlines() if one.strip()]
    mark = next((one for one in ",;\t|" if lines and one in lines[0]), None)
    try:
        rows = list(csv.reader(lines, delimiter=mark)) if mark else [one.split() for one in lines]
    except csv.Error:
        return []
    return [[cell.strip() for cell in row] for row in rows if any(row)]


# --- a square: a row for each class and a column for each -----------------------------------------


def _read_square(cells: Rows) -> Square | None:
    """Read a table of counts with the classes in its first row and column, totals left out."""
    if len(cells) < 3:
        return None
    first = list(cells[0])
    if len({*map(len, cells[1:])}) == 1 and len(first) == len(cells[1]) - 1:
        first = ["", *first]  # nothing stands above the names of rows
    if first == [str(place) for place in range(len(cells) - 1)]:  # an array without its index
        body = cells[1:]
        square = all(len(row) == len(first) for row in body) and _are_counts(body)
        return (first, _plain_counts(body)) if square else None
    if any(len(row) != len(first) for row in cells[1:]):
        return None
    called, true = first[1:], [row[0] for row in cells[1:]]
    counts = [list(row[1:]) for row in cells[1:]]
    if len({*called}) < len(called) or len({*true}) < len(true) or not _are_counts(counts):
        return None
    called, true, counts = _without_margins(called, true, _plain_counts(counts))
    named = _match_names(called, true)
    return None if named is None else _arrange(*named, counts)


def _without_margins(
    called: list[str], true: list[str], counts: list[list[str]]
) -> tuple[list[str], list[str], list[list[str]]]:
    """Leave out the last column and row where they hold the sums of the others."""
    if called and MARGIN.fullmatch(called[-1]) and called[-1] not in true[:-1]:
        if all(sum(map(int, row[:-1])) == int(row[-1]) for row in counts):
            called, counts = called[:-1], [row[:-1] for row in counts]
    if true and MARGIN.fullmatch(true[-1]) and true[-1] not in called:
        sums = [sum(map(int, column)) for column in zip(*counts[:-1], strict=True)]
        if sums == [*map(int, counts[-1])]:
            true, counts = true[:-1], counts[:-1]
    return called, true, counts


def _match_names(called: list[str], true: list[str]) -> tuple[list[str], list[str]] | None:
    """Give the classes of columns and rows, without what is written before or behind them all.

    >>> _match_names(["predicted.as.cat", "predicted.as.dog"], ["cat", "dog"])
    (['cat', 'dog'], ['cat', 'dog'])
    """
    for columns in (called, _without_affix(called)):
        for rows in (true, _without_affix(true)):
            few, many = sorted(({*columns}, {*rows}), key=len)
            if few <= many and len(few) > 1:
                return columns, rows
    return None


def _without_affix(names: list[str]) -> list[str]:
    before = len(_begin_alike(names))
    behind = len(_begin_alike([name[before:][::-1] for name in names]))
    return [name[before : len(name) - behind] for name in names]


def _begin_alike(names: Sequence[str]) -> str:
    """Give the letters that all names begin with."""
    alike = takewhile(lambda letters: len({*letters}) == 1, zip(*names, strict=False))
    return "".join(letters[0] for letters in alike)


def _arrange(called: list[str], true: list[str], counts: list[list[str]]) -> Square:
    """Put columns in the order of rows; a class that is only in one of them was never the other."""
    classes = true if len(true) >= len(called) else called
    found = {
        (row, column): cell
        for row, cells in zip(true, counts, strict=True)
        for column, cell in zip(called, cells, strict=True)
    }
    return [*classes], [[found.get((row, column), "0") for column in classes] for row in classes]


def _say_turned(cells: Rows) -> str | None:
    """Give what says that rows are what was called and columns what is true."""
    corner = cells[0][0] if len(cells[0]) == len(cells[1]) else ""
    called = cells[0][1:] if len(cells[0]) == len(cells[1]) else cells[0]
    if CALLED_FIRST.match(corner):
        return f"its corner, {corner!r}, says"
    rows = [row[0] for row in cells[1:]]
    affix = (_begin_alike(called), _begin_alike(rows))
    if {*called} == {*rows} or not (TRUE_FIRST.match(affix[0]) or CALLED_FIRST.match(affix[1])):
        return None
    return f"their names, {listing([called[0], rows[0]])}, say"


def _refuse_turned(name: str, turned: str, found: Square) -> FileUnreadable:
    classes, counts = found
    typed = _write_counts([*zip(*counts, strict=True)])
    reason = f"{turned} that rows are what was called."
    fix = (
        "Expected a row for each true class and a column for each called one. Turned round: "
        f"steelyard evaluate --confusion {quote(typed)} --classes {quote(','.join(classes))}"
    )
    return FileUnreadable.for_file(name, reason, fix=fix, code="confusion-table")


def _tells_square(head: Head) -> bool:
    if head.keys or len(head.start) >= SAMPLE_BYTES:
        return False
    return _read_square(_cells(head.start)) is not None


def _refuse_square(path: Path, name: str) -> Log:
    with open_bytes(path) as file:
        cells = _cells(file.read())
    turned, found = _say_turned(cells), _read_square(cells)
    if turned is not None and found is not None:
        raise _refuse_turned(name, turned, found)
    said = "this is a table of counts, true classes in rows and called ones in columns."
    raise _name_file(name, said)


def _name_file(name: str, found: str) -> FileUnreadable:
    fix = f"Type: steelyard evaluate --confusion {quote(name)}"
    return FileUnreadable.for_file(name, found, fix=fix, code="confusion-table")


# --- pairs: a row for each true class and each called one, and how often they came together -------


def _pair_columns(cells: Rows) -> tuple[int, int, int] | None:
    """Find the columns of truth, call and count, where no pair appears twice.

    ``Var1`` and ``Var2`` of R's tables do not say which of them is true: both are -1 then.
    """
    names = cells[0] if len(cells) > 2 else []
    if any(len(row) != len(names) for row in cells):
        return None
    if any(propose_single_role(n) == "item" and not (says_truth(n) or says_call(n)) for n in names):
        return None
    sizes = [at for at, name in enumerate(names) if words(name) <= COUNTED]
    sizes = [at for at in sizes if all(WHOLE.fullmatch(row[at]) for row in cells[1:])]
    true = [at for at, name in enumerate(names) if _may_be_truth(name)]
    called = [at for at, name in enumerate(names) if _may_be_call(name)]
    if [name.casefold() for name in names if name][:2] == ["var1", "var2"] and len(sizes) == 1:
        return -1, -1, sizes[0]
    for one in true:
        for two in called:
            pairs = [(row[one], row[two]) for row in cells[1:]]
            few = len({true for true, _ in pairs}) < len(pairs)
            if len(sizes) == 1 and len({*pairs}) == len(pairs) and few:
                return one, two, sizes[0]
    return None


def _may_be_truth(name: str) -> bool:
    return not _may_be_call(name) and (propose_single_role(name) == "truth" or says_truth(name))


def _may_be_call(name: str) -> bool:
    return propose_holding(name) == "called" or says_call(name) or "called" in words(name)


def _read_pairs(name: str, cells: Rows) -> Square | None:
    """Lay out counts of pairs; refused where they are not all, or do not say which is true."""
    places = _pair_columns(cells)
    if places is None:
        return None
    if places[0] < 0:
        found = "it counts pairs of classes, and 'Var1' and 'Var2' do not say which is the truth."
        fix = (
            "If the truth stands first: "
            f"Type: sed '1s/Var1/truth/; 1s/Var2/called/' {quote(name)} > pairs.csv && "
            "steelyard evaluate --confusion pairs.csv"
        )
        raise FileUnreadable.for_file(name, found, fix=fix, code="confusion-table")
    one, two, size = places
    times: Counter[tuple[str, str]] = Counter()
    for row in cells[1:]:
        times[row[one], row[two]] += int(row[size].partition(".")[0])
    classes = sorted({label for pair in times for label in pair})
    if len(classes) > MOST_LABELS:
        return None
    if all(true != called for true, called in times):
        found = "it counts confusions alone, and not how often each class was called rightly."
        fix = "Pass the whole table, or a row for each item: id,truth,MODEL."
        raise FileUnreadable.for_file(name, found, fix=fix, code="confusion-table")
    return classes, [[str(times[row, column]) for column in classes] for row in classes]


def _tells_pairs(head: Head) -> bool:
    if head.keys or len(head.start) >= SAMPLE_BYTES:
        return False
    return _pair_columns(_cells(head.start)) is not None


def _refuse_pairs(path: Path, name: str) -> Log:
    with open_bytes(path) as file:
        _read_pairs(name, _cells(file.read()))
    raise _name_file(name, "it counts how often each class was called for each true one.")


# --- rows of TN, FP, FN and TP --------------------------------------------------------------------


def _four(row: Mapping[str, str]) -> list[list[str]] | None:
    counts = [[row.get(one, "") for one in FOUR]]
    if not _are_counts(counts):
        return None
    tn, fp, fn, tp = _plain_counts(counts)[0]
    return [[tn, fp], [fn, tp]]


def _tells_four(head: Head) -> bool:
    rows = [] if head.keys else read_named_rows(head.start)
    return bool(rows) and all(_four(row) is not None for row in rows)


def _refuse_four(path: Path, name: str) -> Log:
    with open_bytes(path) as file:
        rows = read_named_rows(file.read(SAMPLE_BYTES))
    if len(rows) == 1:
        fix = f"Type: steelyard evaluate --confusion {quote(name)} --positive positive"
        found = "this is one row of measures, with the counts that they come from."
        raise FileUnreadable.for_file(name, found, fix=fix, code="confusion-table")
    typed = _write_counts(_four(rows[0]) or [])
    found = f"it has {counted(len(rows), 'row')} of counts, each a table of two classes of its own."
    fix = (
        f"One at a time, here the first. Type: steelyard evaluate --confusion {quote(typed)} "
        "--classes negative,positive --positive positive"
    )
    raise FileUnreadable.for_file(name, found, fix=fix, code="confusion-table")


FORMATS = (
    LogFormat(
        name="a table of confusion",
        tells=_tells_square,
        read=_refuse_square,
        item="none: refused, with the command that takes it",
        repeats="none",
        traps="counts taken for rows",
        provenance="unverified",
    ),
    LogFormat(
        name="counts of pairs of classes",
        tells=_tells_pairs,
        read=_refuse_pairs,
        item="none: refused, with the command that takes it",
        repeats="none",
        traps="pairs taken for items",
        provenance="unverified",
        plain=True,
    ),
    LogFormat(
        name="rows of counts (tn, fp, fn, tp)",
        tells=_tells_four,
        read=_refuse_four,
        item="none: refused, with the command that takes it",
        repeats="none",
        traps="measures taken for items",
        provenance="unverified",
    ),
)

"""Tables of results as papers print them: error bars, rows of means, turned round."""

import re
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from steelyard.engines.identity import FileIdentity
from steelyard.errors import FileUnreadable, RolesUnclear, listing, printable, switch, switch_list
from steelyard.sources.files.formats import is_file, read_head
from steelyard.sources.files.pasted import NOTHING, plain_cell, plain_number, split_table
from steelyard.sources.origins import InputFile, Origin
from steelyard.sources.roles.declared import LEFT_ASIDE, NamedColumns, Roles
from steelyard.sources.roles.name_words import says_cost_of_system, sums_up
from steelyard.sources.roles.proposals import is_system_name

__all__ = ["ResultTable", "find_results"]

NUMBER = re.compile(r"([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)\s*(%)?")
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
MOST_ROWS = 5_000
"""A table that was printed has no more."""
MOST_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultTable:
    """A row for each data set, a column of plain numbers for each algorithm.

    ``said`` tells what was done to the table for it; ``turned`` that rows were algorithms.
    """

    columns: NamedColumns
    files: tuple[InputFile, ...]
    said: tuple[tuple[str, str], ...]
    caveats: tuple[str, ...] = ()
    turned: bool = False


@dataclass(slots=True)
class _Printed:
    """What stands in the table, cell by cell, and what was done to it."""

    name: str
    header: list[str]
    rows: list[list[Any]]
    files: tuple[InputFile, ...]
    said: list[tuple[str, str]] = field(default_factory=list)
    caveats: list[str] = field(default_factory=list)


def find_results(
    data: Any,  # noqa: ANN401
    roles: Roles,
    open_rows: Callable[[], Origin],
    *,
    named: Sequence[str] | None = None,
) -> ResultTable | None:
    """Take what people print beside results off a table; None where nothing has to be done.

    Bold and underlined cells, error bars, percent signs in every cell and dashes for what is
    missing become plain numbers. Rows and columns that sum up the others are left aside, and a
    table whose first column names algorithms is turned round. ``named`` are the columns of results,
    where they were said.
    """
    found = _read(data, open_rows)
    if found is None or len(found.header) < 3 or not found.rows:
        return None
    names = _names_place(found, roles)
    if names is None:
        return None
    likely = _may_be_turned(found, names, roles)
    if likely:
        _leave_columns(found, names)
    elif not roles.cluster and not roles.system:
        _leave_rows(found, names)
    names = _names_place(found, roles) or 0
    _clean(found, names)
    turned = likely and _holds_numbers(found, names)
    if turned:
        _turn(found, names, named)
    if not (named or roles.systems or roles.system or roles.cluster):
        _leave_summaries(found, 0 if turned else names)
    if not found.said:
        return None
    columns = {name: [row[place] for row in found.rows] for place, name in enumerate(found.header)}
    return ResultTable(
        columns=NamedColumns(columns, name=found.name),
        files=found.files,
        said=tuple(found.said),
        caveats=tuple(found.caveats),
        turned=turned,
    )


def _read(data: Any, open_rows: Callable[[], Origin]) -> _Printed | None:  # noqa: ANN401
    """Read all cells of a small table; of Markdown, LaTeX and percentages by their marks."""
    path = Path(data) if isinstance(data, str | Path) and is_file(data) else None
    if path is not None and (printed := _read_printed(path, printed_only=True)) is not None:
        return printed
    try:
        origin = open_rows()
    except FileUnreadable as refused:
        if path is None or refused.code != "percent":
            raise
        return _read_printed(path, printed_only=False)
    if origin.repeated or origin.unread or len({*origin.columns}) < len(origin.columns):
        return None
    rows = origin.table.query(f"SELECT * FROM {{t}} LIMIT {MOST_ROWS + 1}")
    if len(rows) > MOST_ROWS:
        return None
    return _Printed(
        name=origin.name,
        header=list(origin.columns),
        rows=[list(row) for row in rows],
        files=origin.files,
    )


def _read_printed(path: Path, *, printed_only: bool) -> _Printed | None:
    """Read a file that the reader of plain files would refuse, as it stands on the page."""
    path = path.resolve()
    identity = FileIdentity.of(path)
    head, _, whole = read_head(path)
    if not whole or b"\x00" in head:
        return None
    table = split_table(head.decode("utf-8-sig", "replace"))
    if table is None or (printed_only and not table[2]) or len({*table[0]}) < len(table[0]):
        return None
    header, rows, printed = table
    read_as = "a table as it is printed" if printed else "CSV"
    file = InputFile(name=path.name, path=path, read_as=read_as, identity=identity)
    said = [("layout", f"{path.name} is a table of Markdown or LaTeX")] if printed else []
    return _Printed(name=path.name, header=header, rows=list(rows), files=(file,), said=said)


def _names_place(found: _Printed, roles: Roles) -> int | None:
    """Find the column that names the rows: one that was said, else the first, if it is text."""
    for named in (roles.item, roles.cluster):
        if named and named in found.header:
            return found.header.index(named)
    if roles.system and roles.system in found.header and roles.system == found.header[0]:
        return 0
    cells = [row[0] for row in found.rows]
    plain = [cell for cell in cells if isinstance(cell, str) and not NUMBER.fullmatch(cell.strip())]
    return 0 if plain else None


def _clean(found: _Printed, names: int) -> None:
    """Read the cells of every column of results as plain numbers, where all can be read so."""
    changed: dict[str, str] = {}
    signs: dict[str, bool] = {}
    for place, title in enumerate(found.header):
        cells = [row[place] for row in found.rows]
        if place == names or not all(isinstance(cell, str | None) for cell in cells):
            continue
        read = _read_column(found.name, title, cells)
        if read is None:
            continue
        numbers, odd, sign = read
        signs[title] = sign
        if odd is not None:
            changed[title] = odd
        for row, number in zip(found.rows, numbers, strict=True):
            row[place] = number
    if len({*signs.values()}) > 1:
        with_sign = [title for title, sign in signs.items() if sign]
        message = (
            f"{printable(found.name)}: {listing(with_sign)} "
            f"{'holds' if len(with_sign) == 1 else 'hold'} numbers with a percent sign, and the "
            "other columns without. Bring all to one unit."
        )
        raise RolesUnclear(message, code="percent")
    if changed:
        title, cell = next(iter(changed.items()))
        what = f"the number of each cell, such as that of {printable(cell)!r} in {title!r}"
        found.said.append(("results", what))


def _read_column(
    name: str, title: str, cells: Sequence[str | None]
) -> tuple[list[float | str | None], str | None, bool] | None:
    """Read numbers, the first cell that held more than one, and whether each has a percent sign.

    A few cells that cannot be read stay as they are, so that they can be named.
    """
    found: list[float | str | None] = []
    odd: str | None = None
    signs: set[bool] = set()
    for cell in cells:
        plain = plain_cell(cell or "")
        bare = plain_number(plain)
        told = NUMBER.fullmatch(bare)
        # 1,234 may be a thousand and more, or a little above 1.
        if bare.casefold() in NOTHING:
            found.append(None)
        elif told is None or THOUSANDS.fullmatch(plain):
            found.append(plain)
            continue
        else:
            found.append(float(told[1]))
            signs.add(told[2] is not None)
        if odd is None and (told is None or told[1] != (cell or "").strip()):
            odd = cell if (cell or "").strip() else None
    unread = sum(isinstance(one, str) for one in found)
    if not signs or 2 * unread >= sum(one is not None for one in found):
        return None
    if len(signs) > 1:
        message = (
            f"{printable(name)}: column {printable(title)!r} holds numbers with a percent sign and "
            "numbers without. Bring all to one unit."
        )
        raise RolesUnclear(message, code="percent")
    if unread:
        found = [one if one is None else str(one) for one in found]
    return found, odd, signs == {True}


def _leave_rows(found: _Printed, names: int) -> None:
    """Leave rows aside that sum up the data sets above them: no data set is called so."""
    aside = [str(row[names]) for row in found.rows if sums_up(plain_cell(str(row[names])))]
    if aside and len(aside) < len(found.rows):
        found.rows = [row for row in found.rows if str(row[names]) not in aside]
        found.said.append((LEFT_ASIDE, f"{_listed('row', aside)}, {_which(aside)} up the others"))


def _leave_columns(found: _Printed, names: int) -> None:
    """Leave columns aside that sum up the data sets beside them."""
    titles = [title for n, title in enumerate(found.header) if n != names and sums_up(title)]
    if titles and len(titles) < len(found.header) - 2:
        _drop(found, titles)
        said = f"{_listed('column', titles)}, {_which(titles)} up the others"
        found.said.append((LEFT_ASIDE, said))


def _leave_summaries(found: _Printed, names: int) -> None:
    """Leave columns aside that sum up the algorithms, if they do; ask about others of such names.

    An algorithm may be called so: the mean of several forecasts is one.
    """
    titles = [title for n, title in enumerate(found.header) if n != names and sums_up(title)]
    others = [n for n, title in enumerate(found.header) if n != names and title not in titles]
    if not titles or len(others) < 2:
        return
    doubtful = [one for one in titles if not _sums_up_others(found, one, others)]
    if doubtful:
        rest = [found.header[n] for n in others]
        message = (
            f"{printable(found.name)}: {listing(doubtful)} may sum up the other columns, or be an "
            f"algorithm. Name the columns of results: {switch_list('value', rest)}."
        )
        raise RolesUnclear(message, code="result-columns")
    _drop(found, titles)
    said = f"{_listed('column', titles)}, {_which(titles)} up the others"
    found.said.append((LEFT_ASIDE, said))


def _sums_up_others(found: _Printed, title: str, others: Sequence[int]) -> bool:
    """Tell whether a column holds the mean, median, least or largest of the others, rounded."""
    place = found.header.index(title)
    rows = []
    for row in found.rows:
        own = [_number_of(row[n]) for n in others]
        numbers = [one for one in own if one is not None]
        said = _number_of(row[place])
        if said is None or not numbers:
            return False
        rows.append((said, numbers))
    return any(
        all(abs(said - sums(own)) <= _last_digit(said) for said, own in rows)
        for sums in (statistics.fmean, statistics.median, min, max)
    )


def _last_digit(number: float) -> float:
    """Give what the last digit of a number may hide."""
    return 10.0 ** -len(repr(number).partition(".")[2])


def _number_of(cell: object) -> float | None:
    if isinstance(cell, str):
        return float(cell) if NUMBER.fullmatch(cell.strip()) and "%" not in cell else None
    return float(cell) if isinstance(cell, int | float) else None


def _listed(what: str, names: Sequence[str]) -> str:
    listed = listing([repr(printable(name)) for name in names], most=MOST_SHOWN)
    return f"{what}{'' if len(names) == 1 else 's'} {listed}"


def _which(names: Sequence[str]) -> str:
    return "which sums" if len(names) == 1 else "which sum"


def _drop(found: _Printed, titles: Sequence[str]) -> None:
    kept = [place for place, title in enumerate(found.header) if title not in titles]
    found.rows = [[row[place] for place in kept] for row in found.rows]
    found.header = [found.header[place] for place in kept]


def _may_be_turned(found: _Printed, names: int, roles: Roles) -> bool:
    """Tell a table with a row for each algorithm and, it seems, a column for each data set."""
    title = found.header[names]
    if roles.item or roles.cluster or not (roles.system == title or is_system_name(title)):
        return False
    own = [row[names] for row in found.rows]
    others = [n for n, one in enumerate(found.header) if n != names and not sums_up(one)]
    apart = len(own) > 1 and all(own) and len({*own}) == len(own)
    return apart and all(any(_is_result(row[n]) for row in found.rows) for n in others)


def _is_result(cell: object) -> bool:
    if isinstance(cell, str):
        return NUMBER.fullmatch(plain_number(plain_cell(cell))) is not None
    return isinstance(cell, int | float)


def _holds_numbers(found: _Printed, names: int) -> bool:
    return all(
        cell is None or _number_of(cell) is not None
        for row in found.rows
        for place, cell in enumerate(row)
        if place != names
    )


def _turn(found: _Printed, names: int, named: Sequence[str] | None) -> None:
    """Make a row of each column of results, and a column of each algorithm."""
    title = found.header[names]
    if named:
        _drop(found, [one for one in found.header if one != title and one not in named])
    # Parameters, time and cost of an algorithm are no results on a data set.
    other = [one for one in found.header if one != title and says_cost_of_system(one)]
    if other and not named and len(other) < len(found.header) - 2:
        _drop(found, other)
        listed = listing([repr(printable(one)) for one in other], most=MOST_SHOWN)
        found.said.append((LEFT_ASIDE, f"{listed}, no result on a data set"))
    names = found.header.index(title)
    sets = [one for one in found.header if one != title]
    systems = [str(row[names]) for row in found.rows]
    body = [
        [_number_of(row[n]) for row in found.rows]
        for n, one in enumerate(found.header)
        if one != title
    ]
    found.header = ["data set", *map(plain_cell, systems)]
    found.rows = [[name, *cells] for name, cells in zip(sets, body, strict=True)]
    found.said.append(("rows", f"algorithms, by the name {title!r}: the table was turned round"))
    found.caveats.append(
        f"each row is taken as an algorithm and each column as a data set, by the name {title!r}; "
        f"if rows are data sets: {switch('item', title)}"
    )

"""Tables of published results, as they are pasted from a page: a name, a percentage, perhaps n."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote

from steelyard.engines.identity import FileIdentity
from steelyard.engines.local import LocalEngine
from steelyard.errors import PublishedTable, RequestError, RolesUnclear, listing, printable
from steelyard.sources.files.formats import is_file, read_head
from steelyard.sources.files.pasted import NOTHING, plain_number, split_table
from steelyard.sources.files.workbooks import is_workbook, write_sheet
from steelyard.sources.roles.declared import CONVENTIONAL
from steelyard.sources.roles.proposals import ID_NAME, propose_single_role

__all__ = ["Leaderboard", "may_be_leaderboard", "read_leaderboard", "refuse_leaderboard"]

NAMES = re.compile(
    r"(?i)(model|system|name|method|team|submission|agent|algorithm|classifier|approach|entry|"
    r"participant|llm)s?( ?name)?"
)
LINKS = re.compile(r"(?i)(?:url|uri|link|path|file|hash)$")
"""Where a system is found; a board may say so."""

SHARES = re.compile(
    r"(?i)(%|percent|pct)?[ _.]*(overall|mean|avg|average|test|top[- _]?1)?[ _.]*"
    r"(accuracy|acc|score|resolved|solved|correct|pass(@1| rate|ed)?|success( rate)?|exact match|"
    r"em|win ?rate|top[- _]?1|result|overall|average)[ _.]*(rate)?[ _.]*(\(?(%|percent|pct)\)?)?"
)
ITEMS = re.compile(
    r"(?i)(#|n|num|number of|no\.?|total|test)?[ _.]*(n|items|tested|questions|samples|examples|"
    r"total|size|instances|tasks|problems|test size|cases|trials)"
)
RIGHT = re.compile(r"(?i)(#|n|num|number)?[ _.]*(?:(correct|right)|solved|resolved|passed)")
CELL = re.compile(r"(?P<number>\d+(?:\.\d+)?|\.\d+)\s*(?P<percent>%)?")
COUNTS = re.compile(r"(\d[\d,  ]*)\s*/\s*(\d[\d,  ]*)")
WHOLE = re.compile(r"[0-9]+|[0-9]{1,3}(?:[,  _][0-9]{3})+")
OTHER = re.compile(
    r"(?i)f1|auc|mcc|kappa|bleu|rouge|rating|loss|error|ndcg|rmse|precision|recall|sensitiv|"
    r"specific|time|seconds|memory|params|size|gap|fail|false|wrong|incorrect|halluc|toxic|refus|"
    r"(?<![a-z])(?:elo|[wcte]er|map|mae|far|frr|[ft][pn]r|miss(?:e[sd]|ing)?)(?![a-z])"
)
"""Measures that are no share of right answers; whoever means one says so."""
RANKS = frozenset({"rank", "#", "place", "pos"})
MOST_ROWS = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaderboard:
    """What such a table says: shares as text by system, items or right answers where it has them.

    ``percent`` says that numbers without a sign are percentages; ``left_out`` names rows without
    a number; ``identity`` tells the file that was read from one which takes its place.
    """

    path: Path
    identity: FileIdentity | None
    column: str
    shares: Mapping[str, str]
    tested: Mapping[str, int]
    correct: Mapping[str, int]
    percent: bool | None
    left_out: tuple[str, ...]

    def names(self) -> list[str]:
        """List the systems, the highest first."""
        highest = {name: float(CELL.match(text)["number"]) for name, text in self.shares.items()}  # type: ignore[index]
        rates = {name: right / (self.tested[name] or 1) for name, right in self.correct.items()}
        return sorted({**highest, **rates}, key=lambda name: -{**highest, **rates}[name])

    def keep(self, systems: Sequence[str]) -> "Leaderboard":
        """Take some rows by their names; a name that no row has is refused."""
        known = [*self.shares, *self.correct]
        for name in systems:
            if name not in known:
                raise RequestError.for_choice(name="systems", given=name, choices=known)
        return replace(
            self,
            shares={name: one for name, one in self.shares.items() if name in systems},
            correct={name: one for name, one in self.correct.items() if name in systems},
            tested={name: one for name, one in self.tested.items() if name in systems},
        )


def may_be_leaderboard(names: Collection[str]) -> bool:
    """Tell whether a column of a table names systems, so that its rows may be results.

    >>> may_be_leaderboard(["Model", "Accuracy"]), may_be_leaderboard(["id", "truth", "cnn"])
    (True, False)
    """
    return any(NAMES.fullmatch(name) for name in names)


def refuse_leaderboard(path: Path, *, sheet: str | None = None) -> None:
    """Say of a table of published results, which has no rows of items, what to type."""
    board = read_leaderboard(path, sheet=sheet)
    if board is None:
        return
    known = " --tested N" if len(board.tested) < len(board.shares) + len(board.correct) else ""
    message = (
        f"{printable(path.name)}: a table of published results, with no row for each item. "
        f"They can be compared: steelyard compare {quote(str(path))}{known}"
    )
    refusal = PublishedTable(message)
    refusal.board = board
    raise refusal


def read_leaderboard(
    path: Path, *, column: str | None = None, sheet: str | None = None
) -> Leaderboard | None:
    """Read a table of a name and a share a row; None where the file is something else.

    ``column`` names the column of shares, where the table has several, ``sheet`` the sheet of a
    workbook. A table with a column of truths or of ids, or with a name that comes again and again,
    is one of predictions.
    """
    if not is_file(path):
        return None
    identity = FileIdentity.of(path)
    head, _, whole = read_head(path)
    if head.startswith(b"PK") and is_workbook(path):
        engine = LocalEngine()  # its scratch files go with it
        copy, _, _ = write_sheet(engine, path, name=path.name, sheet=sheet)
        head, _, whole = read_head(copy)
    if not whole or b"\x00" in head:
        return None
    table = split_table(head.decode("utf-8-sig", "replace"))
    if table is None:
        return None
    header, rows, pasted = table
    named = _name_column(header, rows, pasted=pasted)
    if named is None or not 2 <= len(rows) <= MOST_ROWS:
        return None
    shares = _share_column(path, header, rows, named, column)
    if shares is None:
        return None
    return replace(_board(path, header, rows, named, shares), identity=identity)


def _name_column(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, pasted: bool
) -> tuple[int, ...] | None:
    """Find the column that names a system, or two that do so together."""
    if not (pasted or _counts_ranks(header, rows)) and any(
        propose_single_role(name) == "truth"
        or name in CONVENTIONAL["item"]
        or (ID_NAME.search(name) and not LINKS.search(name))
        for name in header
    ):
        return None
    likely = [place for place, name in enumerate(header) if NAMES.fullmatch(name)]
    if not likely and pasted:
        likely = [
            place
            for place in range(len(header))
            if not any(CELL.fullmatch(row[place]) for row in rows)
        ]
    if not likely:
        return None
    first = likely[0]
    names = [row[first] for row in rows]
    if len({*names}) < len(names):
        again = 2 * len({*names}) <= len(names)
        for place in likely[1:] or _texts(rows, first):
            if again and propose_single_role(header[place]) == "item":
                continue  # a row for each item and system
            if len({(row[first], row[place]) for row in rows}) == len(rows):
                return first, place
    # A name that comes again and again is that of a long table of answers.
    return (first,) if len(rows) and len({*names}) > len(names) / 2 else None


def _counts_ranks(header: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Tell a table whose rows are ranked, the first to the last: a row is a system."""
    ranks = [place for place, name in enumerate(header) if name.casefold() in RANKS]
    counted = [str(place) for place in range(1, len(rows) + 1)]
    return any([row[place] for row in rows] == counted for place in ranks)


def _texts(rows: Sequence[Sequence[str]], named: int) -> list[int]:
    """List the columns that hold words, and no number or date in any row."""
    return [
        place
        for place in range(len(rows[0]) if rows else 0)
        if place != named and not any(re.search(r"^\W*\d", row[place]) for row in rows)
    ]


def _share_column(
    path: Path,
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    named: tuple[int, ...],
    wanted: str | None,
) -> int | None:
    if wanted is not None:
        return _find_named(path, header, wanted)
    held = _list_shares(header, rows, named)
    rights = [
        place
        for place in range(len(header))
        if RIGHT.fullmatch(header[place]) and all(_whole(row[place]) for row in rows)
    ]
    sized = any(ITEMS.fullmatch(title) for title in header)
    if len(rights) == 1 and sized and rights[0] not in held:
        return rights[0]
    likely = [place for place in held if SHARES.fullmatch(header[place])]
    plain = [place for place in held if not OTHER.search(header[place])]
    signed = [place for place in plain if any("%" in row[place] for row in rows)]
    if not likely and not signed and header[named[0]].casefold() == "name":
        return None  # of anything: a speaker, a file
    for found in (likely, signed, plain):
        if len(found) == 1:
            return found[0]
        if found:
            message = (
                f"{printable(path.name)}: which column is the share of right answers? "
                f"{listing([header[place] for place in found])} may be. Name it: steelyard compare "
                f"{quote(str(path))} --accuracy {quote(header[found[0]])}"
            )
            raise RolesUnclear(message, code="share-unclear")
    if held:
        raise _refuse_other_shares(path, [header[place] for place in held])
    return None


def _find_named(path: Path, header: Sequence[str], wanted: str) -> int:
    if wanted in header:
        return header.index(wanted)
    message = (
        f"{printable(path.name)}: no column {wanted!r}. Found: {listing(header)}. Name the "
        f"column of shares: --accuracy {quote(header[-1])}."
    )
    raise RequestError(message)


def _refuse_other_shares(path: Path, held: Sequence[str]) -> RolesUnclear:
    """Refuse a board whose numbers are no shares of right answers, by their names."""
    message = (
        f"{printable(path.name)}: {listing(held)} "
        f"{'is no share' if len(held) == 1 else 'are no shares'} of right answers, and cannot "
        "be compared from totals. Pass the answers of every item; or, where a column is a "
        f"share of right answers all the same, name it: --accuracy {quote(held[0])}."
    )
    return RolesUnclear(message, code="no-share")


def _list_shares(
    header: Sequence[str], rows: Sequence[Sequence[str]], named: tuple[int, ...]
) -> list[int]:
    """List the columns that may be shares, by their values and names."""
    return [
        place
        for place in range(len(header))
        if place not in named
        and not ITEMS.fullmatch(header[place])
        and header[place].casefold() not in RANKS
        and all(_is_share(row[place]) for row in rows)
        and any(row[place].casefold() not in NOTHING for row in rows)
    ]


def _is_share(cell: str) -> bool:
    counts = COUNTS.fullmatch(cell)
    if cell.casefold() in NOTHING or (counts and None not in map(_whole, counts.groups())):
        return True
    found = CELL.fullmatch(plain_number(cell))
    return found is not None and float(found["number"]) <= 100


def _board(
    path: Path,
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    named: tuple[int, ...],
    column: int,
) -> Leaderboard:
    sizes = [
        place
        for place, title in enumerate(header)
        if place not in {*named, column}
        and ITEMS.fullmatch(title)
        and all(_whole(row[place]) for row in rows)
    ]
    shares: dict[str, str] = {}
    tested: dict[str, int] = {}
    correct: dict[str, int] = {}
    left: list[str] = []
    counts = _holds_counts(path.name, header[column], rows, (column, *sizes[:1]))
    for row in rows:
        name, cell = " / ".join(row[place] for place in named), row[column]
        system = _own_name(name, {*shares, *correct})
        fraction = COUNTS.fullmatch(cell)
        if cell.casefold() in NOTHING:
            left.append(name)
        elif fraction:
            correct[system], tested[system] = (_whole(part) or 0 for part in fraction.groups())
        elif counts:
            correct[system] = _whole(cell) or 0
        else:
            shares[system] = plain_number(cell)
        if sizes and system in {*shares, *correct}:
            tested[system] = _whole(row[sizes[0]]) or 0
    said = any(sign in header[column].casefold() for sign in ("%", "percent", "pct"))
    return Leaderboard(
        path=path,
        identity=None,
        column=header[column],
        shares=shares,
        tested=tested,
        correct=correct,
        percent=True if said else None,
        left_out=tuple(left),
    )


def _holds_counts(
    name: str, title: str, rows: Sequence[Sequence[str]], places: tuple[int, ...]
) -> bool:
    """Tell numbers of right answers, which stand beside numbers of items, from percentages."""
    called = RIGHT.fullmatch(title)
    if len(places) < 2 or called is None:
        return False
    both = [(_whole(row[places[0]]), _whole(row[places[1]]) or 0) for row in rows]
    if any(right is None or right > total for right, total in both):
        return False
    if called[1] or called[2] or any((right or 0) > 100 or total <= 100 for right, total in both):
        return True
    message = (
        f"{printable(name)}: does the column {title!r} hold percentages, or numbers of right "
        "answers? Write them as 45% or as 45/500."
    )
    raise RolesUnclear(message, code="share-unclear")


def _own_name(name: str, known: Collection[str]) -> str:
    """Tell rows of one name apart by their place."""
    same = [one for one in known if one == name or one.startswith(f"{name} (")]
    return f"{name} ({len(same) + 1})" if name in known else name


def _whole(cell: str) -> int | None:
    bare = re.sub(r"[,  _]", "", cell)
    return int(bare) if WHOLE.fullmatch(cell.strip()) else None

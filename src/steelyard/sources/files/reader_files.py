"""Files of reader studies as that field writes them: iMRMC, LABMRMC, workbooks of JAFROC."""

import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steelyard.errors import FileUnreadable, printable
from steelyard.sources.files.formats import open_bytes, read_head
from steelyard.sources.files.workbooks import open_book

__all__ = ["ReaderFile", "find_reader_file", "is_reader_study"]

Readings = list[tuple[str, str, str, str, str]]
"""Case, reader, system, score and truth of every reading."""

SHEETS = frozenset({"truth", "fp", "tp"})
BEGIN = re.compile(rb"^\s*BEGIN DATA", re.IGNORECASE | re.MULTILINE)
LOOKED_AT = 1 << 16
MOST_BYTES = 1 << 28
MOST_LIST = 1 << 24
"""So much of the list of sheets is read: a few bytes may unpack to all of the memory."""
WORDS = re.compile(r'"[^"]*"|\S+')


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderFile:
    """A file that was told to be a reader study: what it is, and how it is read."""

    path: Path
    read_as: str
    read: Callable[[Path], Readings]


def is_reader_study(data: object) -> bool:
    """Tell a file that can be nothing else than a reader study."""
    return find_reader_file(data) is not None


def find_reader_file(data: object) -> ReaderFile | None:
    """Tell a file of a reader study by its content; None of anything else.

    >>> find_reader_file("predictions.csv") is None
    True
    """
    path = Path(data) if isinstance(data, str | Path) else None
    if path is None or not path.is_file():
        return None
    suffix = path.suffix.lower()
    # Files of iMRMC are not always named after it; what they begin with is theirs alone.
    if suffix in (".txt", ".csv") and BEGIN.search(read_head(path)[0][:LOOKED_AT]):
        suffix = ".imrmc"
    if suffix == ".imrmc":
        return ReaderFile(path=path, read_as="iMRMC", read=_read_imrmc)
    if suffix == ".lrc":
        return ReaderFile(path=path, read_as="LABMRMC", read=_read_lrc)
    if suffix in (".xlsx", ".xlsm") and {one.lower() for one in _sheet_names(path)} >= SHEETS:
        return ReaderFile(path=path, read_as="workbook of JAFROC", read=_read_jafroc)
    return None


def _sheet_names(path: Path) -> list[str]:
    """Name the sheets without opening a single one: most workbooks are plain tables."""
    try:
        with zipfile.ZipFile(path) as archive:
            with archive.open("xl/workbook.xml") as part:
                text = part.read(MOST_LIST).decode("utf-8", "replace")
    except (zipfile.BadZipFile, zlib.error, OSError, KeyError, NotImplementedError, RuntimeError):
        return []
    return re.findall(r'<(?:\w+:)?sheet\b[^>]*?\bname="([^"]*)"', text)


def _lines(path: Path) -> list[str]:
    with open_bytes(path) as file:
        text = file.read(MOST_BYTES + 1)
    if len(text) > MOST_BYTES:
        found = f"it is larger than {MOST_BYTES >> 20} MiB, and is not opened."
        raise _unreadable(path, found, "Write it as CSV: case, reader, system, score, truth.")
    return text.decode("utf-8-sig", "replace").splitlines()


def _unreadable(path: Path, found: str, fix: str) -> FileUnreadable:
    return FileUnreadable.for_file(path.name, found, fix=fix, code="reader-file")


def _read_imrmc(path: Path) -> Readings:
    """Read ``reader, case, modality, score`` below BEGIN DATA; reader -1 says what is true.

    Blanks inside a name do not matter there: ``reader 1`` is ``reader1``.
    """
    lines = _lines(path)
    starts = [at for at, line in enumerate(lines) if line.strip().upper().startswith("BEGIN DATA")]
    if not starts:
        fix = "Expected a line BEGIN DATA:, then reader, case, modality, score in every line."
        raise _unreadable(path, "there is no line BEGIN DATA:.", fix)
    truth: dict[str, str] = {}
    read: list[tuple[int, list[str]]] = []
    for number, line in enumerate(lines[starts[0] + 1 :], start=starts[0] + 2):
        if not line.strip():
            continue
        parts = ["".join(part.split()) for part in line.split(",")]
        if len(parts) != 4 or "" in parts:
            found = f"line {number} is {printable(line.strip()[:60])!r}."
            raise _unreadable(path, found, "Expected four fields: reader, case, modality, score.")
        if parts[0] not in ("-1", "truth"):
            read.append((number, parts))
            continue
        if truth.setdefault(parts[1], _whole(parts[3])) != _whole(parts[3]):
            found = f"line {number}: the truth of case {printable(parts[1])!r} is given twice."
            raise _unreadable(path, found, "A case has one truth: correct the file.")
    unknown = next(((at, one[1]) for at, one in read if one[1] not in truth), None)
    if unknown is not None:
        found = f"line {unknown[0]}: case {printable(unknown[1])!r} has no truth."
        raise _unreadable(path, found, f"Add a line such as -1,{unknown[1]},truth,0.")
    return [(case, who, system, score, truth[case]) for _, (who, case, system, score) in read]


def _whole(text: str) -> str:
    try:
        return f"{float(text):g}"
    except ValueError:
        return text


def _read_lrc(path: Path) -> Readings:
    """Read blocks of readers: negative cases, ``*``, positive cases, ``*``; ``#`` ends them."""
    lines = [(at, line.strip()) for at, line in enumerate(_lines(path), start=1)]
    rest = iter([pair for pair in lines[1:] if pair[1]])  # the first line is a title
    systems: list[str] = []
    signs: list[str] = []
    found: Readings = []
    for number, line in rest:
        if line.startswith("#"):
            break
        reader = line.strip('"')
        if not systems:
            systems = [one.strip('"') for one in WORDS.findall(next(rest, (0, ""))[1])]
            # L or S of every system: whether a large or a small rating speaks for the disease.
            signs = ["-" if one[:1] in "Ss" else "" for one in next(rest, (0, ""))[1].split()]
        for truth in ("0", "1"):
            found += _class_of_reader(path, rest, (reader, truth, systems, signs), number)
    if not found:
        raise _unreadable(path, "there is no reader in it.", "Write it as CSV instead.")
    return found


def _class_of_reader(
    path: Path,
    rest: Iterator[tuple[int, str]],
    block: tuple[str, str, Sequence[str], Sequence[str]],
    number: int,
) -> Readings:
    reader, truth, systems, signs = block
    made: Readings = []
    for place, (at, line) in enumerate(rest, start=1):
        if line.startswith("*"):
            return made
        parts = line.replace(",", " ").split()
        if len(parts) not in (len(systems), len(systems) + 1):
            found = f"line {at} has {len(parts)} numbers for {len(systems)} systems."
            raise _unreadable(path, found, "Expected one rating for each, then the case.")
        case = parts[-1] if len(parts) > len(systems) else f"{truth}-{place}"
        made += [
            (case, reader, system, f"{sign}{score}", truth)
            for system, sign, score in zip(systems, signs, parts, strict=False)
        ]
    found = f"the block of reader {printable(reader)!r} (line {number}) has no end."
    raise _unreadable(path, found, "Expected a line * behind the cases of each class.")


def _read_jafroc(path: Path) -> Readings:
    """Read the sheets Truth, FP and TP, where they hold one rating of each case."""
    with open_book(path, path.name) as book:
        sheets = {one.title.lower(): list(one.iter_rows(values_only=True)) for one in book}
    lesions: dict[str, int] = {}
    for row in _records(path, sheets["truth"], ("CaseID", "LesionID")):
        case, lesion = _cell(row["caseid"]), _cell(row["lesionid"])
        lesions[case] = lesions.get(case, 0) + (lesion not in ("", "0"))
    found: Readings = []
    for name, truth in (("fp", "0"), ("tp", "1")):
        needed = ("ReaderID", "ModalityID", "CaseID")
        for row in _records(path, sheets[name], needed):
            case = _cell(row["caseid"])
            rating = next((row[one] for one in row if one.endswith("rating")), None)
            if case not in lesions or lesions[case] != int(truth):
                text = (
                    f"sheet {name.upper()} has a mark on case {printable(case)!r}, which has "
                    f"{lesions.get(case, 'no')} lesions in the sheet Truth."
                )
                fix = (
                    "One rating of each case is read here: false positives of cases without a "
                    "lesion, true positives of cases with one. Marks on places (free response) "
                    "are another study; rate each case by its highest mark, as CSV: case, reader, "
                    "system, score, truth."
                )
                raise _unreadable(path, text, fix)
            found.append(
                (case, _cell(row["readerid"]), _cell(row["modalityid"]), _cell(rating), truth)
            )
    return found


def _records(
    path: Path, rows: list[tuple[Any, ...]], needed: Sequence[str]
) -> Iterator[dict[str, Any]]:
    heads = [_cell(one).lower().replace("_", "") for one in (rows[0] if rows else ())]
    missing = [one for one in needed if one.lower() not in heads]
    if missing:
        found = f"a sheet has no column {missing[0]}."
        raise _unreadable(path, found, f"Expected the columns {', '.join(needed)}.")
    for row in rows[1:]:
        if any(cell not in (None, "") for cell in row):
            yield dict(zip(heads, row, strict=False))


def _cell(value: object) -> str:
    """Write a cell without the point that a spreadsheet puts to whole numbers."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value).strip()

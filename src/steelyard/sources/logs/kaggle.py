"""Kaggle: a solution with its ``Usage`` column, and the submissions that answer it."""

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import isfinite
from pathlib import Path

from steelyard.errors import FileUnreadable, counted, listing, printable
from steelyard.sources.files.formats import open_bytes
from steelyard.sources.logs.log_format import Head, Log, LogFormat, LogRow

__all__ = ["FORMATS", "split_solution", "tell_together"]

USAGE = "Usage"
IGNORED = "Ignored"


def _never(head: Head) -> bool:
    """Say no: a submission is an ordinary table until a solution stands beside it."""
    del head
    return False


def _unread(path: Path, name: str) -> Log:
    del path
    found = "a submission is read together with the solution."
    fix = "Name both files."
    raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log")


def _tells_solution(head: Head) -> bool:
    """Tell a solution that came alone: an id, an answer, and which part an item belongs to."""
    lines = head.start.decode("utf-8", "replace").splitlines()[:2]
    first = lines[0].split(",") if lines else []
    parts = {"Public", "Private", IGNORED}
    return len(lines) == 2 and first[-1:] == [USAGE] and lines[1].rpartition(",")[2] in parts


def _refuse_solution(path: Path, name: str) -> Log:
    del path
    found = "a solution of Kaggle holds what is true, and nobody's answers."
    fix = f"Name it together with the submissions: {printable(name)} submission.csv"
    raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log")


SUBMISSION = LogFormat(
    name="Kaggle submission",
    tells=_never,
    read=_unread,
    item="first column",
    repeats="none",
    traps="missing ids, ids that are not asked, Public and Private",
    provenance="unverified",
)
SOLUTION = LogFormat(
    name="Kaggle solution",
    tells=_tells_solution,
    read=_refuse_solution,
    item="first column",
    repeats="none",
    traps="a solution without submissions",
    provenance="unverified",
)
FORMATS = (SUBMISSION, SOLUTION)


def tell_together(paths: Sequence[Path]) -> list[LogFormat] | None:
    """Tell a solution and its submissions, which only together are a log."""
    heads = [_header(path) for path in paths]
    held = [place for place, head in enumerate(heads) if USAGE in head]
    if len(held) != 1 or len(paths) < 2:
        return None
    solution, asked = paths[held[0]], heads[held[0]]
    if any(head[:1] != asked[:1] for head in heads):
        return None
    others = [path for place, path in enumerate(paths) if place != held[0]]
    if hold_probabilities(solution, others):
        return None
    formats = []
    for place in range(len(paths)):
        read = _read_solution if place == held[0] else partial(_read_submission, solution=solution)
        name = "Kaggle solution" if place == held[0] else SUBMISSION.name
        formats.append(replace(SUBMISSION, name=name, read=read))
    return formats


def hold_probabilities(solution: Path, submissions: Sequence[Path]) -> bool:
    """Tell submissions of numbers with fractions, where the solution has two classes."""
    truths = {truth for truth, _ in _truths(solution)[0].values()}
    if len(truths) != 2:
        return False
    for path in submissions:
        rows = _records(path)
        _, target = _two_columns(path, rows)
        if not all(_is_number(row[target]) for row in rows):
            return False
        if {row[target] for row in rows} <= truths:
            return False
    return True


def _is_number(cell: str) -> bool:
    try:
        return isfinite(float(cell))
    except ValueError:
        return False


def split_solution(paths: Sequence[Path]) -> tuple[list[Path], Path, str] | None:
    """Tell a solution with probabilities beside it: the submissions, it, and its column."""
    if len(paths) < 2 or not all(path.is_file() for path in paths):
        return None
    heads = [_header(path) for path in paths]
    held = [place for place, head in enumerate(heads) if USAGE in head and len(head) == 3]
    if len(held) != 1 or any(head[:1] != heads[held[0]][:1] for head in heads):
        return None
    solution = paths[held[0]]
    others = [path for path in paths if path != solution]
    if not hold_probabilities(solution, others):
        return None
    return others, solution, heads[held[0]][1]


def _header(path: Path) -> list[str]:
    with open_bytes(path) as file:
        line = file.readline(1 << 16).decode("utf-8-sig", "replace")
    return next(csv.reader([line]), [])


def _read_solution(path: Path, name: str) -> Log:
    truths, ignored = _truths(path)
    said = f"{printable(name)} is the solution: {counted(len(truths), 'item')}"
    left = f", {counted(ignored, 'row')} marked Ignored" if ignored else ""
    return Log(rows=(), notes=(said + left,))


def _truths(path: Path) -> tuple[dict[str, tuple[str, str]], int]:
    """Give truth and usage of each id, without those the competition ignores."""
    rows = _records(path)
    item, target = _two_columns(path, rows)
    kept = [row for row in rows if row[USAGE] != IGNORED]
    return {row[item]: (row[target], row[USAGE]) for row in kept}, len(rows) - len(kept)


def _read_submission(path: Path, name: str, *, solution: Path) -> Log:
    truths, _ = _truths(solution)
    rows = _records(path)
    item, target = _two_columns(path, rows)
    answers = {row[item]: row[target] for row in rows}
    if len(answers) < len(rows):
        fix = "A submission answers each id once."
        raise FileUnreadable.for_file(name, "an id appears twice.", fix=fix, code="duplicate-id")
    system = name.partition(".")[0]
    strange = [one for one in answers if one not in truths]
    caveats: tuple[str, ...] = ()
    if strange:
        said = f"{printable(name)}: {counted(len(strange), 'id')} not in the solution, left out"
        caveats = (said,)
    return Log(
        rows=[
            LogRow(
                item=one,
                system=system,
                truth=truth,
                called=answers.get(one),
                error=None if one in answers else "no answer in the submission",
                facts={"usage": usage},
            )
            for one, (truth, usage) in truths.items()
        ],
        caveats=caveats,
    )


def _records(path: Path) -> list[dict[str, str]]:
    with open_bytes(path) as file:
        text = file.read().decode("utf-8-sig", "replace")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    if any(None in row or None in row.values() for row in rows):
        found = "a row has more or fewer values than there are columns."
        raise FileUnreadable.for_file(path.name, found, fix="Write it again.", code="ragged")
    return rows


def _two_columns(path: Path, rows: Sequence[dict[str, str]]) -> tuple[str, str]:
    names = [name for name in (rows[0] if rows else {}) if name != USAGE]
    if len(names) != 2:
        found = f"expected an id and one target, found {listing(names) or 'no rows'}."
        fix = "Several targets cannot be read as one verdict."
        raise FileUnreadable.for_file(path.name, found, fix=fix, code="not-a-log")
    return names[0], names[1]

"""Plain rows of verdicts: a task, whether an answer to it passed, perhaps whose and which try.

``{"task_id": "T/3", "completion": "...", "passed": true}`` is what HumanEval's harness and many of
one's own write, with as many rows for a task as it was sampled; or one row for a task with a list
of verdicts for each system.
"""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from steelyard.errors import FileUnreadable
from steelyard.sources.files.formats import SAMPLE_BYTES, open_bytes
from steelyard.sources.files.json_objects import rows_of_object
from steelyard.sources.logs.json_text import read_json, read_lines
from steelyard.sources.logs.log_format import (
    Head,
    Log,
    LogFormat,
    LogRow,
    as_number,
    as_text,
    plain_facts,
)
from steelyard.sources.roles.name_words import says_what_kind
from steelyard.sources.roles.proposals import (
    ID_NAME,
    is_system_name,
    propose_holding,
    propose_single_role,
)

__all__ = ["FORMATS"]

MOST_BYTES = 1 << 26
"""Larger files are read as tables, by the database."""

TRIES = frozenset(
    "sample sampleid sampleidx sampleindex completionid try trial attempt run seed epoch k rep"
    " repeat repetition replicate generation".split()
)
"""Names of the column that says which try of a task a row is."""

PAID = frozenset({"reward"})
"""What an agent got for a task: a verdict where it was 1 or 0 every time."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fields:
    """Which field holds what; ``verdicts`` are one for all rows, or lists, one for each system."""

    item: str
    verdicts: tuple[str, ...]
    listed: bool
    system: str | None
    repeat: str | None


def _bare(name: str) -> str:
    return "".join(one for one in name if one.isalnum()).casefold()


def _fields(rows: Sequence[Row]) -> _Fields | None:
    """Find the fields by their names and values; None where these are other rows."""
    names = list(rows[0]) if rows else []
    if not all(isinstance(name, str) for name in names) or any(
        propose_single_role(name) == "truth" and not says_what_kind(name) for name in names
    ):
        return None
    tries = next((name for name in names if _bare(name) in TRIES), None)
    likely = [
        n for n in names if n != tries and (ID_NAME.search(n) or _bare(n) in {"task", "item"})
    ]
    listed = tuple(name for name in names if all(_is_list(row.get(name)) for row in rows))
    verdicts = tuple(
        name
        for name in names
        if (propose_holding(name) == "outcome" or _bare(name) in PAID)
        and all(_is_verdict(row.get(name)) for row in rows)
    )
    if not likely or not (listed or len(verdicts) == 1):
        return None
    system = next((name for name in names if is_system_name(name)), None)
    return _Fields(
        item=likely[0],
        verdicts=verdicts or listed,
        listed=not verdicts,
        system=system,
        repeat=tries,
    )


def _is_list(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(x, bool) for x in value)


def _is_verdict(value: object) -> bool:
    return value is None or as_number(value) in {0.0, 1.0}


def _tells(head: Head) -> bool:
    if b"\0" in head.start or not _is_small(head):  # no text, so no rows of it
        return False
    lines = head.start.decode("utf-8", "replace").splitlines()
    cut = len(head.start) >= SAMPLE_BYTES
    try:
        if head.is_array:
            rows = [] if cut else json.loads(head.start)
        elif head.keys and (inside := _rows_inside(head.path)) is not None:
            rows = inside
        elif head.keys:
            rows = [json.loads(one) for one in (lines[:-1] if cut else lines) if one.strip()]
        else:
            rows = list(csv.DictReader(io.StringIO("\n".join(lines[:-1] if cut else lines))))
    except (ValueError, RecursionError, csv.Error):
        return False
    if not rows or not all(isinstance(row, dict) for row in rows):
        return False
    found = _fields(rows)
    # A table of one row for each item has its own door, where every column may have a role.
    return found is not None and (bool(head.keys) or _repeats(rows, found))


def _is_small(head: Head) -> bool:
    try:
        return head.path.stat().st_size <= MOST_BYTES
    except OSError:
        return False


def _repeats(rows: Sequence[Row], fields: _Fields) -> bool:
    pairs = Counter(
        (str(row.get(fields.system)) if fields.system else "", str(row.get(fields.item)))
        for row in rows
    )
    return max(pairs.values()) > 1


def _all_rows(path: Path, name: str) -> Iterator[Row]:
    with open_bytes(path) as file:
        first = file.read(4096).lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if first == b"[":
        yield from read_json(path, name)
    elif first == b"{" and (rows := _rows_inside(path)) is not None:
        yield from rows
    elif first == b"{":
        yield from read_lines(path, name)
    else:
        with open_bytes(path) as file:
            text = io.StringIO(file.read().decode("utf-8-sig", "replace"), newline="")
        yield from csv.DictReader(text)


def _rows_inside(path: Path) -> list[dict[str, Any]] | None:
    """Give the rows of a file that is one object, with what is about all of them beside them."""
    with open_bytes(path) as file:
        if file.readline(SAMPLE_BYTES).rstrip().endswith(b"}") and file.readline(1 << 16).strip():
            return None  # an object a line
        file.seek(0)
        try:
            return rows_of_object(json.loads(file.read().decode("utf-8-sig")))
        except (ValueError, RecursionError):
            return None


def _read(path: Path, name: str) -> Log:
    rows = list(_all_rows(path, name))
    fields = _fields([row for row in rows if isinstance(row, dict)])
    if fields is None or not all(isinstance(row, dict) for row in rows):
        found = "not every row has an id and a verdict (true or false)."
        fix = 'Expected rows such as {"task_id": "T/3", "passed": true}.'
        raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log")
    if fields.repeat is not None and not _names_tries(rows, fields):
        fields = replace(fields, repeat=None)
    stem = name.removesuffix(".gz").rpartition(".")[0] or name
    seen: Counter[tuple[str, str]] = Counter()
    made = []
    for row in rows:
        item = _text(row.get(fields.item), name, fields.item)
        for system, verdict in _verdicts(row, fields, stem):
            seen[system, item] += 1
            number = as_number(verdict)
            said = row.get(fields.repeat) if fields.repeat and not fields.listed else None
            made.append(
                LogRow(
                    item=item,
                    system=system,
                    repeat=str(seen[system, item]) if said is None else as_text(said),
                    values={} if number is None else {"passed": number},
                    error="no verdict" if number is None else None,
                    facts=plain_facts(row),
                )
            )
    columns = f"item {fields.item!r}, right by {', '.join(map(repr, fields.verdicts))}"
    return Log(rows=made, default="passed", notes=(columns,))


def _names_tries(rows: Sequence[Row], fields: _Fields) -> bool:
    """Tell whether the tries of a task have numbers of their own; else they go by their order."""
    keys = [
        (
            str(row.get(fields.system)) if fields.system else "",
            str(row.get(fields.item)),
            str(row.get(fields.repeat or "")),
        )
        for row in rows
    ]
    return len({*keys}) == len(keys)


def _verdicts(row: Row, fields: _Fields, stem: str) -> Iterator[tuple[str, object]]:
    """Give whose verdicts a row holds, one after the other."""
    own = stem if fields.system is None else str(row.get(fields.system))
    if not fields.listed:
        yield own, row.get(fields.verdicts[0])
        return
    for name in fields.verdicts:
        of = own if len(fields.verdicts) == 1 else name
        yield from ((of, verdict) for verdict in row.get(name) or ())


def _text(value: object, name: str, field: str) -> str:
    if isinstance(value, str | int | float) and as_text(value) != "":
        return as_text(value)
    found = f"a row has no id in {field!r}."
    fix = "Every verdict needs the id of its task."
    raise FileUnreadable.for_file(name, found, fix=fix, code="no-item")


FORMATS = (
    LogFormat(
        name="rows of verdicts",
        tells=_tells,
        read=_read,
        item="task_id and its like",
        repeats="rows of one task, or lists of verdicts",
        traps="no truth, tries without numbers, lists",
        provenance="unverified",
        plain=True,
    ),
)

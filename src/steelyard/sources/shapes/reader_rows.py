"""Readings of a reader study, whatever the layout: who read which case with what, and the score."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import isinf
from typing import Any

from steelyard.counts.labels import canonical_label
from steelyard.engines.dialect import quote_name
from steelyard.engines.identity import FileIdentity
from steelyard.engines.table import Statement
from steelyard.errors import (
    ColumnMissing,
    Fault,
    RolesUnclear,
    UnusableRows,
    listing,
    printable,
    switch,
)
from steelyard.sources.files.files import FileOptions
from steelyard.sources.files.reader_files import find_reader_file
from steelyard.sources.opening import open_table
from steelyard.sources.origins import InputFile, Origin
from steelyard.sources.roles.declared import Roles
from steelyard.sources.roles.layout import MOST_SYSTEMS, too_many_systems
from steelyard.sources.shapes.written_numbers import read_number, refuse_merged

__all__ = ["ReaderRows", "open_reader_rows"]

NAMES: Mapping[str, tuple[str, ...]] = {
    "item": ("item", "id", "item_id", "case", "case_id", "caseid", "patient", "patient_id"),
    "reader": ("reader", "reader_id", "readerid", "radiologist", "rater"),
    "system": ("system", "modality", "modality_id", "modalityid", "treatment", "test"),
    "score": ("score", "rating", "confidence"),
    "truth": ("truth", "label", "disease", "diseased", "gold"),
}
"""What columns of a reader study are called, where nobody said it."""


SOME = 1000
"""So many different values tell whether a column holds numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderRows:
    """One entry for every reading, columns side by side; ``positive`` where a format says it."""

    cases: tuple[str, ...]
    readers: tuple[str, ...]
    systems: tuple[str, ...]
    scores: tuple[float | None, ...]
    truths: tuple[str, ...]
    positive: str | None
    files: tuple[InputFile, ...]
    understood: tuple[tuple[str, str], ...]


def open_reader_rows(
    data: Any,  # noqa: ANN401
    roles: Roles,
    *,
    reader: str | None,
    options: FileOptions | None = None,
    observe: Callable[[Statement], None] | None = None,
    memory: str | int | None = None,
) -> ReaderRows:
    """Read a study: long rows, a column for each system, columns by a pattern, or its own file.

    A pattern names both, as ``{system}_{reader}``; files are those of iMRMC, LABMRMC and JAFROC.
    """
    file = find_reader_file(data)
    if file is not None:
        # A link is followed once, and the file known before its readings are looked at.
        path = file.path.resolve()
        opened = InputFile(
            name=file.path.name, path=path, read_as=file.read_as, identity=FileIdentity.of(path)
        )
        readings = file.read(path)
        return _rows(
            readings, positive="1", files=(opened,), where=file.path.name,
            understood=(("layout", f"a row for each reading ({file.read_as})"),),
        )  # fmt: skip
    origin = open_table(data, options=options, observe=observe, memory=memory)
    if reader is not None and "{" in reader:
        return _from_pattern(origin, roles, reader)
    return _from_rows(origin, roles, reader)


def _from_rows(origin: Origin, roles: Roles, reader: str | None) -> ReaderRows:
    item = _column(origin, "item", _find_declared(roles, "item"))
    who = _column(origin, "reader", reader)
    said = {item, who, *(roles.score or ()), *(roles.systems or ()), roles.system or ""}
    truth = _column(origin, "truth", _find_declared(roles, "truth"), said, roles.positive or "")
    found = {"item": item, "truth": truth, "reader": who}
    system = _maybe(origin, "system", roles.system)
    understood = [(name, column) for name, column in found.items()]
    if system is not None:
        named = roles.score[0] if roles.score else None
        score = _column(origin, "score", named, {*found.values(), system})
        understood += [("system", system), ("score", score)]
        columns = [found["item"], found["reader"], system, score, found["truth"]]
        readings = [tuple(row) for row in _texts(origin, columns)]
    else:
        taken = set(found.values())
        wanted = list(roles.score or roles.systems or [])
        for name in wanted:
            _column(origin, "systems", name)
        wanted = wanted or [name for name in origin.columns if name not in taken]
        if len(wanted) > MOST_SYSTEMS:
            raise too_many_systems(len(wanted), wanted)
        understood.append(("score", listing(wanted)))
        columns = [found["item"], found["reader"], found["truth"], *wanted]
        readings = [
            (case, who, name, score, truth)
            for case, who, truth, *scores in _texts(origin, columns)
            for name, score in zip(wanted, scores, strict=True)
        ]
    if roles.systems:
        readings = [one for one in readings if one[2] in roles.systems]
    return _rows(
        readings, positive=_positive(origin, roles, found["truth"]), files=origin.files,
        where=origin.name, understood=tuple(understood), comma=origin.decimal == ",",
    )  # fmt: skip


def _from_pattern(origin: Origin, roles: Roles, pattern: str) -> ReaderRows:
    """Take columns such as ``film_r1``, which name a system and a reader."""
    if pattern.count("{system}") != 1 or pattern.count("{reader}") != 1:
        message = (
            f"reader={pattern!r} names columns by {{system}} and {{reader}}, each once: "
            f"{switch('reader', '{system}_{reader}')}. Or it names one column."
        )
        raise RolesUnclear(message, code="reader-pattern")
    written = (
        re.escape(pattern).replace(r"\{system\}", "(?P<s>.+?)").replace(r"\{reader\}", "(?P<r>.+)")
    )
    item = _column(origin, "item", roles.item)
    truth = _column(origin, "truth", roles.truth)
    fits = {
        name: match
        for name in origin.columns
        if name not in (item, truth) and (match := re.fullmatch(written, name))
    }
    if not fits:
        message = (
            f"{printable(origin.name)}: no column is named like {pattern!r}. Columns: "
            f"{listing(origin.columns)}."
        )
        raise RolesUnclear(message, code="reader-pattern")
    readings = [
        (case, fits[name]["r"], fits[name]["s"], score, label)
        for case, label, *scores in _texts(origin, [item, truth, *fits])
        for name, score in zip(fits, scores, strict=True)
    ]
    return _rows(
        readings, positive=_positive(origin, roles, truth), files=origin.files, where=origin.name,
        understood=(("item", item), ("truth", truth), ("score", f"columns {pattern}")),
        comma=origin.decimal == ",",
    )  # fmt: skip


def _find_declared(roles: Roles, name: str) -> str | None:
    value = getattr(roles, name)
    return value if isinstance(value, str) else None


def _maybe(origin: Origin, role: str, declared: str | None) -> str | None:
    if declared:
        if declared not in origin.columns:
            raise ColumnMissing.for_role(role=role, wanted=declared, present=origin.columns)
        return declared
    folded = {name.casefold().replace(" ", "_"): name for name in origin.columns}
    return next((folded[name] for name in NAMES.get(role, ()) if name in folded), None)


def _column(
    origin: Origin, role: str, declared: str | None, taken: Collection[str] = (), like: str = ""
) -> str:
    """Find the column of a role; refuse with the one that is left, where only one can be meant."""
    found = _maybe(origin, role, declared)
    if found is not None:
        return found
    named = [one for names in NAMES.values() for one in names]
    left = [
        name
        for name in origin.columns
        if name not in taken and name.casefold().replace(" ", "_") not in named
    ]
    likely = [name for name in left if _may_be(origin, role, name, like)]
    fix = f"Type {switch(role, 'COLUMN')}."
    if len(likely) == 1:
        fix = f"If it is {printable(likely[0])!r}: {switch(role, likely[0])}."
    message = (
        f"{printable(origin.name)}: which column is the {role} of each reading? Columns: "
        f"{listing(origin.columns)}. {fix}"
    )
    raise RolesUnclear(message, code=f"no-{role}")


def _may_be(origin: Origin, role: str, name: str, like: str) -> bool:
    """Tell a truth, of two classes of which one is ``like`` the named one, and numbers."""
    column = quote_name(name)
    if role == "truth":
        held = {text for (text,) in _values(origin, f"CAST({column} AS VARCHAR)", 3) if text}
        return len(held) == 2 and (not like or like in held)
    if role == "score":
        texts = _values(origin, f"CAST({column} AS VARCHAR)", SOME)
        return all(read_number(text) is not None for (text,) in texts if text)
    return False


def _values(origin: Origin, asked: str, most: int) -> list[tuple[Any, ...]]:
    return origin.table.query(f"SELECT DISTINCT {asked} FROM {{t}} LIMIT {most}")


def _texts(origin: Origin, columns: Sequence[str]) -> list[tuple[Any, ...]]:
    asked = ", ".join(f"CAST({quote_name(name)} AS VARCHAR)" for name in columns)
    return origin.table.query(f"SELECT {asked} FROM {{t}}")


def _positive(origin: Origin, roles: Roles, truth: str) -> str | None:
    if roles.positive is not None:
        return roles.positive
    return "true" if origin.table.columns[truth] == "boolean" else None


def _rows(
    readings: Sequence[Sequence[Any]],
    *,
    positive: str | None,
    files: tuple[InputFile, ...],
    where: str,
    understood: tuple[tuple[str, str], ...],
    comma: bool = False,
) -> ReaderRows:
    """Read scores as numbers; an empty one is a reading that is missing."""
    wrong: list[str] = []
    scores: list[float | None] = []
    written: list[str] = []
    for number, (case, who, system, score, truth) in enumerate(readings, start=1):
        if not all((case, who, system, truth)):
            wrong.append(f"row {number}: case {case!r}, reader {who!r}, system {system!r}")
        written.append(_plain(score, comma=comma))
        number_read = read_number(written[-1])
        scores.append(None if number_read is None or isinf(number_read) else number_read)
        if scores[-1] is None and score not in (None, ""):
            wrong.append(f"row {number}: {printable(str(score)[:30])!r}")
    if wrong:
        fault = Fault(
            code="reader-rows",
            where=printable(where),
            found=f"{len(wrong):,} readings lack a case, a reader, a system or a truth, or their "
            "score is not a number.",
            fix="Every reading says its case, reader, system and truth; scores are numbers. In a "
            f"table with a column for each system, name those: {switch('score', 'NAMES')}.",
            count=len(wrong),
            examples=tuple(wrong[:3]),
        )
        raise UnusableRows.of([fault])
    refuse_merged(where, written)
    columns = [tuple(map(canonical_label, map(str, one))) for one in zip(*readings, strict=True)]
    cases, readers, systems, _, truths = columns or [()] * 5
    return ReaderRows(
        cases=cases, readers=readers, systems=systems, scores=tuple(scores),
        truths=tuple(map(_whole, truths)), positive=positive, files=files, understood=understood,
    )  # fmt: skip


def _whole(label: str) -> str:
    """Write 1.0 as 1: a truth in a column of numbers may carry a point."""
    return label[:-2] if re.fullmatch(r"-?\d+\.0", label) else label


def _plain(text: object, *, comma: bool) -> str:
    written = "" if text is None else str(text).strip()
    return written.replace(",", ".") if comma else written

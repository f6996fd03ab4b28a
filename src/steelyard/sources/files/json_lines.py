"""JSON lines (or one array of objects): fields are unpacked, values stay as they were written."""

import json
from collections.abc import Sequence
from pathlib import Path

from steelyard.engines.dialect import quote_literal, quote_name
from steelyard.engines.local import LocalEngine, LocalTable
from steelyard.errors import FileUnreadable, counted
from steelyard.sources.explanations import explain_reading
from steelyard.sources.origins import (
    KEEP_BYTES,
    Choose,
    InputFile,
    Origin,
    all_columns,
    refuse_repeated_columns,
)
from steelyard.sources.roles.columns import LARGEST_EXACT, SHORT

__all__ = ["open_json"]

MOST_FIELDS = 20_000

AT_ONCE = 200
"""So many fields are looked at in one statement."""

LIST, OBJECT, PLAIN = 1, 2, 4

LONG = r"-?[0-9][0-9.]{15,}(?:[eE][+-]?[0-9]+)?|[0-9.]+[eE]-(?:29[0-9]|[3-9][0-9][0-9]|[0-9]{4,})"
"""A number of JSON with more digits than a floating-point number may keep, or one next to none."""

BARE = "called"
"""What values are called that have no name."""


def open_json(
    engine: LocalEngine,
    path: Path,
    *,
    name: str,
    form: str,
    compressed: bool,
    choose: Choose = all_columns,
) -> Origin:
    """Open JSON objects; a field is known when any object has it, however late."""
    explain_reading(engine, path, name)
    raw = engine.read_json(path, form=form, compressed=compressed)
    small = path.stat().st_size <= KEEP_BYTES
    kept = raw.derive("SELECT json FROM {t}", keep=True) if small else engine.store(raw)
    kept = _name_bare_values(kept)
    names = _fields(kept, name)
    _refuse_repeated_keys(kept, name, "json_keys(json)")
    kept = _with_digits(kept, name)
    refuse_repeated_columns(name, names)
    chosen = choose(names)
    # Every line is parsed once, whatever the number of its fields.
    shape = quote_literal(json.dumps(dict.fromkeys(chosen, "JSON"), ensure_ascii=False))
    split = f"SELECT UNNEST(json_transform(json, {shape})) FROM {{t}}"
    fields = kept.derive(split, keep=True) if small else engine.store(kept.derive(split))
    columns = ", ".join(_unpack(fields, name, chosen))
    table = fields.derive(f"SELECT {columns} FROM {{t}}")
    kind = "array" if form == "array" else "lines"
    read_as = f"JSON {kind}: {counted(len(names), 'field')}"
    record = InputFile(name=name, path=path, read_as=read_as)
    unread = tuple(one for one in names if one not in set(chosen))
    return Origin(
        name=name,
        table=table,
        text=True,
        files=(record,),
        unread=unread,
    )


def _name_bare_values(table: LocalTable) -> LocalTable:
    """Name the values of a list that holds no objects: answers alone, or what is true of them."""
    kinds = {kind for (kind,) in table.query("SELECT DISTINCT json_type(json) FROM {t} LIMIT 9")}
    if not kinds or kinds & {"OBJECT", "NULL"}:
        return table
    return table.derive(f"SELECT json_object({quote_literal(BARE)}, json) AS json FROM {{t}}")


def _with_digits(table: LocalTable, name: str) -> LocalTable:
    """Write numbers as text where the reader of JSON would drop digits of them.

    It reads every number as one of floating point. Where a line holds one that is not the shortest
    text of such a number, all lines are read again, number by number, and these become text.
    """
    long = (
        f"SELECT v, TRY_CAST(v AS DOUBLE) AS number FROM (SELECT "
        f"UNNEST(regexp_extract_all(CAST(json AS VARCHAR), {quote_literal(LONG)})) AS v FROM {{t}})"
    )
    ((found,),) = table.query(
        f"SELECT COUNT(*) FROM ({long}) AS long WHERE CASE WHEN regexp_matches(v, '[.eE]') "
        f"THEN CAST(number AS VARCHAR) <> v ELSE ABS(number) >= {LARGEST_EXACT} END"
    )
    if not found:
        return table
    lines = table.query("SELECT CAST(json AS VARCHAR) FROM {t}")
    again = [_rewritten(text, name, place) for place, (text,) in enumerate(lines, 1)]
    return table.engine.register_columns({"json": again})


def _rewritten(text: str, name: str, place: int) -> str:
    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        made = dict(pairs)
        if len(made) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for n, key in enumerate(keys) if key in keys[:n])
            where = f"{name}, row {place:,}"
            raise FileUnreadable.for_repeated_key(where, twice)
        return made

    try:
        made = json.loads(text, parse_float=str, parse_int=_int_or_text, object_pairs_hook=once)
    except RecursionError:
        found = f"row {place:,} is nested too deeply."
        fix = 'Expected an object a line, such as {"item": "1", "truth": "cat", "cnn": "dog"}.'
        raise FileUnreadable.for_file(name, found, fix=fix, code="bad-json") from None
    return json.dumps(made, ensure_ascii=False)


def _int_or_text(written: str) -> int | str:
    return int(written) if len(written) <= SHORT else written


def _fields(table: LocalTable, name: str) -> list[str]:
    """List the fields: those of the first object in their order, then the others."""
    first = table.query("SELECT json_keys(json) FROM {t} LIMIT 1")
    every = table.query("SELECT DISTINCT UNNEST(json_keys(json)) AS key FROM {t} ORDER BY key")
    names = list(dict.fromkeys([*(first[0][0] if first else ()), *(key for (key,) in every)]))
    if not 0 < len(names) <= MOST_FIELDS:
        found = "there is no object with fields." if not names else "there are too many fields."
        fix = 'Expected lines such as {"item": "1", "truth": "cat", "cnn": "dog"}.'
        raise FileUnreadable.for_file(name, found, fix=fix, code="empty-file")
    return names


def _refuse_repeated_keys(table: LocalTable, name: str, keys: str) -> None:
    """Refuse an object that says one thing twice; engines differ in which of the two they take."""
    found = table.query(
        f"SELECT place, keys FROM (SELECT ROW_NUMBER() OVER () AS place, {keys} AS keys FROM {{t}})"
        " WHERE LEN(keys) > LEN(LIST_DISTINCT(keys)) ORDER BY place LIMIT 1"
    )
    for place, listed in found:
        twice = next(key for n, key in enumerate(listed) if key in listed[:n])
        where = f"{name}, row {place:,}"
        raise FileUnreadable.for_repeated_key(where, twice)


def _unpack(table: LocalTable, file: str, names: Sequence[str]) -> list[str]:
    """Unpack the fields: lists and objects keep their shape, all else is text."""
    forms: list[int] = []
    for start in range(0, len(names), AT_ONCE):
        asked = ", ".join(_form(quote_name(name)) for name in names[start : start + AT_ONCE])
        forms += table.query(f"SELECT {asked} FROM {{t}}")[0]
    for name, form in zip(names, forms, strict=True):
        if (form or 0) & OBJECT:
            _refuse_repeated_keys(table, file, f"json_keys({quote_name(name)})")
    return [
        f"{_value(table, quote_name(name), form or 0)} AS {quote_name(name)}"
        for name, form in zip(names, forms, strict=True)
    ]


def _form(column: str) -> str:
    """Say what all values of a field are: a flag for lists, one for objects, one for the rest."""
    first = f"LEFT(CAST({column} AS VARCHAR), 1)"
    return (
        f"BIT_OR(CASE WHEN {column} IS NULL OR CAST({column} AS VARCHAR) = 'null' THEN 0 "
        f"WHEN {first} = '[' THEN {LIST} WHEN {first} = '{{' THEN {OBJECT} ELSE {PLAIN} END)"
    )


def _value(table: LocalTable, column: str, form: int) -> str:
    labelled = _find_labels(table, column, form)
    if labelled is not None:
        return labelled
    if form == LIST and _holds_texts(table, column):
        return f"CAST({column} AS VARCHAR)"
    if form == LIST:
        return f"TRY_CAST({column} AS {_number_type(table, column)}[])"
    if form == OBJECT:
        rows = table.query(
            f"SELECT DISTINCT UNNEST(json_keys({column})) AS key FROM {{t}} ORDER BY key"
        )
        if rows:
            kind = _number_type(table, column)
            shape = ", ".join(f"{quote_name(key)} {kind}" for (key,) in rows)
            return f"TRY_CAST({column} AS STRUCT({shape}))"
    return f"json_extract_string({column}, '$')"


def _find_labels(table: LocalTable, column: str, form: int) -> str | None:
    """Read what pipelines of Hugging Face give: a label with its score, or one for every class."""
    if form == OBJECT:
        kind = f"json_type({column}, '$.label')"
        ((rows, labels),) = table.query(
            f"SELECT COUNT({column}), COUNT(CASE WHEN {kind} = 'VARCHAR' THEN 1 END) FROM {{t}}"
        )
        return f"json_extract_string({column}, '$.label')" if rows == labels > 0 else None
    if form != LIST:
        return None
    kinds = f"json_type({column}, '$[0].label') = 'VARCHAR' AND json_type({column}, '$[0].score')"
    ((rows, scored),) = table.query(
        f"SELECT COUNT({column}), COUNT(CASE WHEN {kinds} IN ('DOUBLE', 'UBIGINT', 'BIGINT') "
        "THEN 1 END) FROM {t}"
    )
    if rows != scored or not rows:
        return None
    labels, scores = (f"json_extract_string({column}, '$[*].{one}')" for one in ("label", "score"))
    found = table.query(f"SELECT DISTINCT UNNEST({labels}) AS label FROM {{t}} ORDER BY label")
    if len(found) > MOST_FIELDS:
        return None
    of = ", ".join(
        f"{quote_name(label)} := TRY_CAST({scores}[list_position({labels}, "
        f"{quote_literal(label)})] AS DOUBLE)"
        for (label,) in found
    )
    return f"struct_pack({of})"


def _holds_texts(table: LocalTable, column: str) -> bool:
    """Tell lists of words, which are no numbers of classes."""
    first = f"json_extract_string({column}, '$[0]')"
    ((rows, words),) = table.query(
        f"SELECT COUNT({first}), COUNT(CASE WHEN json_type({column}, '$[0]') = 'VARCHAR' AND "
        f"TRY_CAST({first} AS DOUBLE) IS NULL THEN 1 END) FROM {{t}}"
    )
    return bool(rows == words > 0)


def _number_type(table: LocalTable, column: str) -> str:
    """Keep numbers as text where some of them were written as text for the sake of their digits."""
    quoted = f"CONTAINS(CAST({column} AS VARCHAR), '\"')"
    inside = (
        f"regexp_matches(CAST({column} AS VARCHAR), '[\\[,:] *\"-?[0-9.]+([eE][+-]?[0-9]+)?\"')"
    )
    ((found,),) = table.query(f"SELECT COUNT(*) FROM {{t}} WHERE {quoted} AND {inside}")
    return "VARCHAR" if found else "DOUBLE"

"""JSON lines (or one array of objects): fields are unpacked, values stay as they were written."""

import json
from collections.abc import Sequence
from decimal import Decimal
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

__all__ = ["open_json"]

MOST_FIELDS = 20_000

AT_ONCE = 200
"""So many fields are looked at in one statement."""

LIST, OBJECT, PLAIN = 1, 2, 4

LONG = r"[:,\[] *-?(0[.]0*)?[1-9][0-9.]{18,}"
"""A number of JSON with more digits than a floating-point number keeps."""


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
    kept = raw.derive("SELECT json FROM {t}", keep=True) if small else engine.stored(raw)
    names = _fields(kept, name)
    _refuse_repeated_keys(kept, name, "json_keys(json)")
    refuse_repeated_columns(name, names)
    chosen = choose(names)
    # Every line is parsed once, whatever the number of its fields.
    shape = quote_literal(json.dumps(dict.fromkeys(chosen, "JSON"), ensure_ascii=False))
    split = f"SELECT UNNEST(json_transform(json, {shape})) FROM {{t}}"
    fields = kept.derive(split, keep=True) if small else engine.stored(kept.derive(split))
    columns = ", ".join(_unpacked(fields, name, chosen))
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
        collapsed=_collapsed(kept, chosen),
    )


def _collapsed(table: LocalTable, names: Sequence[str]) -> frozenset[str]:
    """Name the fields whose numbers differ only in digits that the reader of JSON drops.

    It reads every fraction as a floating-point number. Where a line holds one of more digits than
    such a number keeps, all lines are read again, digit by digit.
    """
    ((long,),) = table.query(f"SELECT COUNT(*) FROM {{t}} WHERE regexp_matches(json, {LONG!r})")
    if not long:
        return frozenset()
    seen: dict[tuple[str, float], Decimal] = {}
    lost = set()
    wanted = set(names)
    for (text,) in table.query("SELECT CAST(json AS VARCHAR) FROM {t}"):
        for name, value in json.loads(text, parse_float=Decimal).items():
            if name in wanted and isinstance(value, Decimal | int):
                exact = Decimal(value)
                if seen.setdefault((name, float(exact)), exact) != exact:
                    lost.add(name)
    return frozenset(lost)


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


def _unpacked(table: LocalTable, file: str, names: Sequence[str]) -> list[str]:
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
    if form == LIST:
        return f"TRY_CAST({column} AS DOUBLE[])"
    if form == OBJECT:
        rows = table.query(
            f"SELECT DISTINCT UNNEST(json_keys({column})) AS key FROM {{t}} ORDER BY key"
        )
        if rows:
            shape = ", ".join(f"{quote_name(key)} DOUBLE" for (key,) in rows)
            return f"TRY_CAST({column} AS STRUCT({shape}))"
    return f"json_extract_string({column}, '$')"

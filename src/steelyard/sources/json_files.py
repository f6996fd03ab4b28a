"""JSON lines (or one array of objects): fields are unpacked, values stay as they were written."""

from collections.abc import Sequence
from pathlib import Path

from steelyard.engines.dialect import quote_literal, quote_name
from steelyard.engines.local import LocalEngine, LocalTable
from steelyard.errors import FileUnreadable, counted
from steelyard.sources.explanations import explain_reading
from steelyard.sources.origins import KEEP_BYTES, InputFile, Origin, refuse_repeated_columns

__all__ = ["open_json"]

MOST_FIELDS = 20_000


def open_json(engine: LocalEngine, path: Path, *, name: str, form: str, compressed: bool) -> Origin:
    """Open JSON objects; a field is known when any object has it, however late."""
    explain_reading(engine, path, name)
    raw = engine.read_json(path, form=form, compressed=compressed)
    small = path.stat().st_size <= KEEP_BYTES
    kept = raw.derive("SELECT json FROM {t}", keep=True) if small else engine.stored(raw)
    names = _fields(kept, name)
    _refuse_repeated_keys(kept, name, "json_keys(json)")
    refuse_repeated_columns(name, names)
    columns = ", ".join(_unpacked(kept, name, names))
    table = kept.derive(f"SELECT {columns} FROM {{t}}")
    kind = "array" if form == "array" else "lines"
    read_as = f"JSON {kind}: {counted(len(names), 'field')}"
    record = InputFile(name=name, path=path, read_as=read_as)
    return Origin(name=name, table=table, text=True, files=(record,))


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
    asked = ", ".join(f"LIST(DISTINCT json_type(json, {_pointer(name)}))" for name in names)
    (types,) = table.query(f"SELECT {asked} FROM {{t}}")
    read = [set(found or ()) - {"NULL", None} for found in types]
    for name, found in zip(names, read, strict=True):
        if "OBJECT" in found:
            _refuse_repeated_keys(table, file, f"json_keys(json, {_pointer(name)})")
    return [
        f"{_value(table, _pointer(name), found)} AS {quote_name(name)}"
        for name, found in zip(names, read, strict=True)
    ]


def _value(table: LocalTable, pointer: str, types: set[str]) -> str:
    if types == {"ARRAY"}:
        return f"TRY_CAST(json_extract(json, {pointer}) AS DOUBLE[])"
    if types == {"OBJECT"}:
        rows = table.query(
            f"SELECT DISTINCT UNNEST(json_keys(json, {pointer})) AS key FROM {{t}} ORDER BY key"
        )
        if rows:
            shape = ", ".join(f"{quote_name(key)} DOUBLE" for (key,) in rows)
            return f"TRY_CAST(json_extract(json, {pointer}) AS STRUCT({shape}))"
    return f"json_extract_string(json, {pointer})"


def _pointer(name: str) -> str:
    return quote_literal("/" + name.replace("~", "~0").replace("/", "~1"))

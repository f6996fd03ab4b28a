"""One JSON object that holds a table: columns as lists, rows under one key, or as pandas writes it.

``{"y_true": [...], "y_pred": [...]}``, ``{"predictions": [{...}, ...], "model": "cnn"}``, and the
orientations ``split``, ``columns`` and ``index`` of ``DataFrame.to_json``.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from steelyard.engines.local import LocalEngine
from steelyard.errors import FileUnreadable, listing
from steelyard.sources.files.formats import open_bytes
from steelyard.sources.roles.declared import CONVENTIONAL
from steelyard.sources.roles.proposals import propose_holding, propose_single_role

__all__ = ["rows_of_object", "write_rows_of_object"]

MOST_BYTES = 1 << 28
"""A table larger than this is written a row a line."""

FEWEST = 3
"""An object of fewer entries may be a single row of a table."""

PARTS = frozenset("train test val valid validation dev public private".split())
"""Names of parts of the data, which are no systems."""

Rows = list[dict[str, Any]]


def write_rows_of_object(engine: LocalEngine, path: Path) -> Path | None:
    """Write the rows of a file that is one object a line each; None where it is something else."""
    with open_bytes(path) as file:
        first = file.readline(1 << 20)
        if _is_object(first) and file.readline(1 << 16).strip():
            return None  # a line each already
        if path.stat().st_size > MOST_BYTES:
            return None
        file.seek(0)
        try:
            whole = json.loads(file.read().decode("utf-8-sig"))
        except (ValueError, RecursionError):  # the reader of lines will say where it breaks
            return None
    rows = rows_of_object(whole)
    if rows is None:
        _refuse_uneven(path, whole)
        return None
    copy = engine.scratch(".jsonl")
    with copy.open("w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return copy


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line.decode("utf-8-sig")), dict)
    except (ValueError, RecursionError):
        return False


def _refuse_uneven(path: Path, whole: object) -> None:
    """Refuse columns of different lengths, where one of them is the truth."""
    lists = (
        {n: one for n, one in whole.items() if isinstance(one, list)}
        if isinstance(whole, dict)
        else {}
    )
    if len(lists) < 2 or not any(propose_single_role(name) == "truth" for name in lists):
        return
    found = (
        f"its lists have different lengths: {listing([f'{n} {len(v)}' for n, v in lists.items()])}."
    )
    fix = "Every column needs a value for every item."
    raise FileUnreadable.for_file(path.name, found, fix=fix, code="columns-differ")


def rows_of_object(whole: object) -> Rows | None:
    """Find the rows in an object that holds a table.

    >>> rows_of_object({"y_true": ["a", "b"], "y_pred": ["a", "a"]})
    [{'y_true': 'a', 'y_pred': 'a'}, {'y_true': 'b', 'y_pred': 'a'}]
    >>> rows_of_object({"columns": ["id", "x"], "data": [[7, 1]]})
    [{'id': 7, 'x': 1}]
    >>> rows_of_object({"q1": "a", "q2": "b", "q3": "a"})[0]
    {'item': 'q1', 'answer': 'a'}
    >>> rows_of_object({"item": "7", "truth": "a"}) is None
    True
    """
    if not isinstance(whole, dict) or not whole:
        return None
    for shape in (_split, _columns, _under_one_key, _by_index, _entries):
        rows = shape(whole)
        if rows:
            return rows
    return None


def _split(whole: Mapping[str, Any]) -> Rows | None:
    names: Any = whole.get("columns")
    data: Any = whole.get("data")
    if not _all_of(names, str) or not _all_of(data, list) or not {*whole} <= {
        "columns", "data", "index", "schema",
    }:  # fmt: skip
        return None
    if any(len(row) != len(names) for row in data):
        return None
    return [dict(zip(names, row, strict=True)) for row in data]


def _columns(whole: Mapping[str, Any]) -> Rows | None:
    """Take lists of one length, what stands beside them is about the whole."""
    inside = [value for value in whole.values() if isinstance(value, dict)]
    if len(inside) == 1 and len(whole) > 1 and _all_of([*inside[0].values()], list):
        # {"truth": [...], "models": {"cnn": [...], "svm": [...]}}
        held = {name: value for name, value in whole.items() if value is not inside[0]}
        whole = {**held, **inside[0]} if not {*held} & {*inside[0]} else whole
    lists = {name: value for name, value in whole.items() if isinstance(value, list)}
    lengths = {len(value) for value in lists.values()}
    others = [value for value in whole.values() if not isinstance(value, list)]
    if len(lists) < 2 or len(lengths) != 1 or lengths == {0}:
        return None
    if any(isinstance(value, dict) for value in others):
        return None
    if any(isinstance(cell, dict) for value in lists.values() for cell in value):
        return None
    return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]


def _under_one_key(whole: Mapping[str, Any]) -> Rows | None:
    held = {name: value for name, value in whole.items() if _all_of(value, dict)}
    if len(held) == 1:
        return list(next(iter(held.values())))
    if not held:  # {"accuracy": 0.8, "details": {"0": {...}, "1": {...}}}
        maps = [value for value in whole.values() if isinstance(value, dict) and len(value) > 2]
        alike = [one for one in maps if _all_of([*one.values()], dict) and _same_keys(one.values())]
        one = alike[0] if len(maps) == len(alike) == 1 < len(whole) else {}
        return [{"index": key, **row} for key, row in one.items()] or None
    if len(held) == len(whole) and not {*map(str.casefold, held)} & PARTS:
        # {"cnn": [{...}, ...], "svm": [{...}, ...]}
        keys = {frozenset(row) for rows in held.values() for row in rows}
        if len(keys) == 1 and "model" not in next(iter(keys)):
            return [{"model": name, **row} for name, rows in held.items() for row in rows]
    return None


def _same_keys(rows: Iterable[Mapping[str, Any]]) -> bool:
    return len({frozenset(row) for row in rows}) == 1


def _by_index(whole: Mapping[str, Any]) -> Rows | None:
    """Take objects of the same keys: columns of rows where they are named so, else rows."""
    if not all(isinstance(value, dict) and value for value in whole.values()):
        return None
    keys = list(next(iter(whole.values())))
    nested = any(isinstance(cell, dict | list) for one in whole.values() for cell in one.values())
    if nested or any(list(value) != keys for value in whole.values()):
        return None
    flags = all(isinstance(cell, bool) for value in whole.values() for cell in value.values())
    if flags and len(whole) > 1:
        return _verdicts_by_item(whole, keys)
    if any(propose_single_role(name) == "truth" for name in whole):
        return [{"index": key} | {name: whole[name][key] for name in whole} for key in keys]
    if any(propose_single_role(name) == "truth" for name in keys):
        return [{"index": key, **row} for key, row in whole.items()]
    return None


def _verdicts_by_item(whole: Mapping[str, Any], keys: Sequence[str]) -> Rows:
    """Take verdicts of systems by item, or of items by system: there are more items."""
    if len(keys) < len(whole):
        return [{"item": key, **row} for key, row in whole.items()]
    return [{"item": key} | {name: whole[name][key] for name in whole} for key in keys]


def _entries(whole: Mapping[str, Any]) -> Rows | None:
    """Take a map of ids to answers; an object whose keys have roles is a single row."""
    values = list(whole.values())
    same = any(all(type(value) is kind for value in values) for kind in (str, int, float))
    roles = any(propose_single_role(key) or propose_holding(key) for key in whole)
    known = {name for names in CONVENTIONAL.values() for name in names}
    if len(values) < FEWEST or not same or roles or known & {*whole}:
        return None
    return [{"item": key, "answer": value} for key, value in whole.items()]


def _all_of(value: object, kind: type) -> bool:
    return (
        isinstance(value, Sequence)
        and not isinstance(value, str)
        and bool(value)
        and all(isinstance(one, kind) for one in value)
    )

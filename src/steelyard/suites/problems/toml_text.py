"""Values as TOML, which the standard library reads but does not write."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["toml_text"]


def toml_text(content: Mapping[str, Any]) -> str:
    """Write plain values, tables and lists of tables.

    Examples
    --------
    >>> print(toml_text({"id": "ground", "classes": [{"name": "brick", "prior": 0.5}]}))
    id = "ground"
    <BLANKLINE>
    [[classes]]
    name = "brick"
    prior = 0.5
    <BLANKLINE>
    """
    plain = {name: value for name, value in content.items() if not _holds_tables(value)}
    parts = [_pairs(plain)]
    for name, value in content.items():
        if isinstance(value, Mapping):
            parts.append(f"[{_key(name)}]\n{_pairs(value)}")
        elif _holds_tables(value):
            parts += [f"[[{_key(name)}]]\n{_pairs(table)}" for table in value]
    return "\n".join(part for part in parts if part)


def _holds_tables(value: object) -> bool:
    if isinstance(value, Mapping):
        return True
    return isinstance(value, list | tuple) and bool(value) and isinstance(value[0], Mapping)


def _pairs(table: Mapping[str, Any]) -> str:
    return "".join(f"{_key(name)} = {_value(value)}\n" for name, value in table.items())


def _key(name: str) -> str:
    bare = name.replace("-", "").replace("_", "")
    return name if bare.isascii() and bare.isalnum() else json.dumps(name)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(_value, value))}]"
    # A JSON text is a TOML basic string, but for the character DEL, which TOML wants escaped.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")

"""``steelyard.toml`` beside the data: roles and defaults that need not be typed again."""

import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from steelyard.errors import FileUnreadable, RequestError, printable
from steelyard.journey.options import OPTIONS, toml_types

__all__ = ["FILE", "read_settings", "settings_beside", "settle"]

FILE = "steelyard.toml"
WRITTEN: Mapping[type, str] = {
    str: 'text in quotes, such as "label"',
    float: "a number with a point, such as 0.95",
    int: "a whole number",
    bool: "true or false",
    list: 'a list, such as ["a", "b"]',
    dict: "a table, such as {a = 1}",
}
"""How a value of each type is written."""


def read_settings(named: str | None, files: Sequence[str]) -> dict[str, Any]:
    """Read the file that was named, or the one in the folder of the first data file."""
    if named is not None:
        path = Path(named)
        if not path.is_file():
            fix = f"Name a file, or put {FILE} beside the data."
            raise FileUnreadable.for_file(named, "no such file.", fix=fix, code="no-file")
        return _check(path)
    beside = settings_beside(files)
    if beside is None:
        return {}
    saved = _check(beside)
    for other in filter(None, (settings_beside([file]) for file in files)):
        if not other.samefile(beside) and _check(other) != saved:
            message = (
                f"{printable(str(beside))} and {printable(str(other))} say different things. Name "
                f"the one that counts: --settings {printable(str(beside))}"
            )
            raise RequestError(message, code="settings-differ")
    return saved


def settings_beside(files: Sequence[str]) -> Path | None:
    """Find the settings in the folder of the first data file; None where there are none."""
    first = next((file for file in files if file != "-"), None)
    if first is None:
        return None
    whole = "=" not in first or Path(first).exists()  # as in lake/split=test/rows.parquet
    path = Path(first if whole else first.partition("=")[2]).parent / FILE
    return path if path.is_file() else None


def settle(given: Mapping[str, Any], saved: Mapping[str, Any]) -> dict[str, Any]:
    """Let the command line win over the file."""
    chosen = {name: value for name, value in given.items() if value not in (None, ())}
    return {**saved, **chosen}


def _check(path: Path) -> dict[str, Any]:
    try:
        saved = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        fix = 'Expected lines such as truth = "label".'
        raise FileUnreadable.for_file(path.name, f"not TOML ({error}).", fix=fix) from error
    known = toml_types()
    for name, value in saved.items():
        if name not in known:
            raise _unknown(path.name, name, value, sorted(known))
        # A truth value is a whole number to Python, and 0 or 1 to nobody who writes true.
        misread = isinstance(value, bool) and bool not in known[name]
        if misread or not isinstance(value, known[name]):
            kinds = " or ".join(WRITTEN[kind] for kind in known[name])
            message = f"{path.name}: {name} = {value!r}; expected {kinds}."
            raise RequestError(message)
    return saved


def _unknown(file: str, name: str, value: object, known: Sequence[str]) -> RequestError:
    if isinstance(value, dict):
        message = f"{file}: [{name}] begins a part, and entries have none: every command reads all."
    elif any(row.name == name and row.is_offered("cli") for row in OPTIONS):
        message = f"{file}: {name} is given each time; type it with the command."
    else:
        near = get_close_matches(name, known, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        message = f"{file} has no entry {name!r}.{hint}"
    return RequestError(f"{message} Entries: {', '.join(known)}.")

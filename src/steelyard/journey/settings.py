"""``steelyard.toml`` beside the data: roles and defaults that need not be typed again."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from steelyard.errors import FileUnreadable, RequestError
from steelyard.journey.options import toml_types

__all__ = ["FILE", "read_settings", "settings_beside", "settle"]

FILE = "steelyard.toml"


def read_settings(named: str | None, files: Sequence[str]) -> dict[str, Any]:
    """Read the file that was named, or the one in the folder of the first data file."""
    if named is not None:
        path = Path(named)
        if not path.is_file():
            fix = f"Name a file, or put {FILE} beside the data."
            raise FileUnreadable.for_file(named, "no such file.", fix=fix, code="no-file")
        return _check(path)
    beside = settings_beside(files)
    return {} if beside is None else _check(beside)


def settings_beside(files: Sequence[str]) -> Path | None:
    """Find the settings in the folder of the first data file; None where there are none."""
    first = next((file for file in files if file != "-"), None)
    if first is None:
        return None
    path = Path(first.partition("=")[2] or first).parent / FILE
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
            entry = f"an entry of {path.name}"
            raise RequestError.for_choice(entry, name, sorted(known))
        # A truth value is a whole number to Python, and 0 or 1 to nobody who writes true.
        misread = isinstance(value, bool) and bool not in known[name]
        if misread or not isinstance(value, known[name]):
            kinds = " or ".join(kind.__name__ for kind in known[name])
            message = f"{path.name}: {name} = {value!r}; expected {kinds}."
            raise RequestError(message)
    return saved

"""``steelyard.toml`` beside the data: roles and defaults that need not be typed again."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from steelyard.errors import FileUnreadable, RequestError

__all__ = ["FILE", "SETTINGS", "read_settings", "settings_beside", "settled"]

FILE = "steelyard.toml"

SETTINGS: Mapping[str, tuple[type, ...]] = {
    "truth": (str,),
    "item": (str,),
    "weight": (str,),
    "cluster": (str,),
    "group": (str,),
    "fold": (str,),
    "system": (str,),
    "systems": (list, str),
    "called": (list, str),
    "outcome": (list, str),
    "score": (list, str),
    "vector": (list, str),
    "classes": (list,),
    "positive": (str, int, bool),
    "threshold": (int, float),
    "pairing": (str,),
    "missing": (str,),
    "unlabelled": (str,),
    "duplicates": (str,),
    "join": (str,),
    "scorer": (list, str),
    "metric": (list, str),
    "filter": (list, str),
    "errors": (str,),
    "delimiter": (str,),
    "decimal": (str,),
    "encoding": (str,),
    "table": (str,),
    "query": (str,),
    "memory": (str, int),
    "level": (float,),
    "alpha": (float,),
    "prior": (list, dict),
}
"""What the file may hold, with the types each entry may have."""


def read_settings(named: str | None, files: Sequence[str]) -> dict[str, Any]:
    """Read the file that was named, or the one in the folder of the first data file."""
    if named is not None:
        path = Path(named)
        if not path.is_file():
            fix = f"Name a file, or put {FILE} beside the data."
            raise FileUnreadable.for_file(named, "no such file.", fix=fix, code="no-file")
        return _checked(path)
    beside = settings_beside(files)
    return {} if beside is None else _checked(beside)


def settings_beside(files: Sequence[str]) -> Path | None:
    """Find the settings in the folder of the first data file; None where there are none."""
    first = next((file for file in files if file != "-"), None)
    if first is None:
        return None
    path = Path(first.partition("=")[2] or first).parent / FILE
    return path if path.is_file() else None


def settled(given: Mapping[str, Any], saved: Mapping[str, Any]) -> dict[str, Any]:
    """Let the command line win over the file."""
    chosen = {name: value for name, value in given.items() if value not in (None, ())}
    return {**saved, **chosen}


def _checked(path: Path) -> dict[str, Any]:
    try:
        saved = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        fix = 'Expected lines such as truth = "label".'
        raise FileUnreadable.for_file(path.name, f"not TOML ({error}).", fix=fix) from error
    for name, value in saved.items():
        if name not in SETTINGS:
            entry = f"an entry of {path.name}"
            raise RequestError.for_choice(entry, name, sorted(SETTINGS))
        if not isinstance(value, SETTINGS[name]):
            kinds = " or ".join(kind.__name__ for kind in SETTINGS[name])
            message = f"{path.name}: {name} = {value!r}; expected {kinds}."
            raise RequestError(message)
    return saved

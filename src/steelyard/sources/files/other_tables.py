"""Files that hold a table in a format which a plug-in knows."""

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from steelyard.errors import SteelyardError
from steelyard.plugins import PATIENCE, load_all, try_call

__all__ = ["TableFormat", "detect_table", "write_rows"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFormat:
    """A format of tables: ``tells`` looks at the first bytes, ``read`` gives row after row.

    A row is a mapping of column names to texts, numbers, true and false, lists of numbers, or None
    where nothing stands.
    """

    name: str
    tells: Callable[[Path, bytes], bool]
    read: Callable[[Path], Iterable[Mapping[str, object]]]


def detect_table(path: Path, name: str, start: bytes) -> TableFormat | None:
    """Tell whether a plug-in knows a file that is none of the formats of the house."""
    for one, _ in load_all("tables", TableFormat):
        # It knows its own files, and may stumble over those of others.
        told, error = try_call(one.tells, path.with_name(name), start, patience=PATIENCE)
        if error is None and told:
            return one
    return None


def write_rows(format_: TableFormat, path: Path, name: str, copy: Path) -> None:
    """Write the rows that a plug-in reads as lines of JSON."""
    plugin = next(owner for one, owner in load_all("tables", TableFormat) if one is format_)
    try:
        # What it prints goes beside the answer, which may be JSON.
        with copy.open("w", encoding="utf-8") as file, redirect_stdout(sys.stderr):
            for row in format_.read(path):
                line = json.dumps(dict(row), ensure_ascii=False, allow_nan=False, default=_plain)
                file.write(f"{line}\n")
    except (SteelyardError, KeyboardInterrupt):
        raise
    except BaseException as error:  # whatever it is, a plug-in ends the reading and not the run
        raise plugin.say_failure_at(name, error) from error


def _plain(value: object) -> object:
    """Write numbers of numpy as those of Python, and dates as texts."""
    item = getattr(value, "item", None)
    return item() if callable(item) else str(value)

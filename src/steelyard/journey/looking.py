"""What a file shows before anything is asked of it, so that people can say what it means."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steelyard.engines.dialect import quote_name
from steelyard.engines.local import LocalEngine
from steelyard.sources import FileOptions, Origin
from steelyard.sources.files.files import open_file

__all__ = ["SeenFile", "look"]

MOST_CLASSES = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenFile:
    """How a file was read, its columns, and the values of the one that may hold the truth."""

    read_as: str
    columns: tuple[str, ...]
    classes: tuple[str, ...]
    all_classes: bool


def look(
    path: str | Path,
    *,
    truth: str | None = None,
    delimiter: str | None = None,
    decimal: Any = None,  # noqa: ANN401
    encoding: str | None = None,
) -> SeenFile:
    """Look at a file without giving its columns a meaning.

    The values of the column of the truth are listed (the first sixty, by the alphabet); it is the
    one named, or else ``truth``.
    """
    options = FileOptions(delimiter=delimiter, decimal=decimal, encoding=encoding)
    column = truth or "truth"
    seen: list[str] = []

    def choose(names: Sequence[str]) -> Sequence[str]:
        seen.extend(names)
        return [column] if column in names else names[:1]

    origin = open_file(LocalEngine(), Path(path), options, choose)
    found = _values(origin, column) if column in origin.columns else []
    return SeenFile(
        read_as=", ".join(file.read_as for file in origin.files),
        columns=tuple(seen) or origin.columns,
        classes=tuple(found[:MOST_CLASSES]),
        all_classes=len(found) <= MOST_CLASSES,
    )


def _values(origin: Origin, column: str) -> list[str]:
    name = quote_name(column)
    rows = origin.table.query(
        f"SELECT DISTINCT CAST({name} AS VARCHAR) AS v FROM {{t}} WHERE {name} IS NOT NULL "
        f"ORDER BY v LIMIT {MOST_CLASSES + 1}"
    )
    return [str(value) for (value,) in rows if value != ""]

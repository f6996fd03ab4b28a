"""Folders of Parquet files: what the names of folders say (``split=test/part-0.parquet``)."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from steelyard.engines.dialect import quote_literal, quote_name
from steelyard.errors import FileUnreadable, listing, printable
from steelyard.sources.origins import InputFile, Origin, refuse_repeated_columns

__all__ = ["files_in_folder", "partition_values", "with_partitions"]

ENDINGS = (".parquet", ".pq")
LOGS = (".eval", ".json", ".jsonl", ".json.gz", ".jsonl.gz")
"""How files of evaluation logs end; of a folder of them, each is told by its content."""

NOTHING = "__HIVE_DEFAULT_PARTITION__"
"""What writers name the folder of rows that have no value."""


def files_in_folder(folder: Path) -> list[Path]:
    """List the Parquet files of a folder and all below it, or else the logs that lie in it.

    Names that begin with a dot or an underscore are marks and leftovers of the writer.
    """
    found = [
        path
        for path in folder.rglob("*")
        if path.suffix.lower() in ENDINGS
        and not any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)
        and path.is_file()
    ]
    if found:
        return sorted(found)
    logs = [path for path in folder.iterdir() if path.name.lower().endswith(LOGS)]
    logs = [path for path in logs if path.is_file() and not path.name.startswith((".", "_"))]
    if not logs:
        fix = f"Name the files in it, for example '{folder / '*.csv'}'."
        said = "this is a folder, and there are no Parquet files and no logs in it."
        raise FileUnreadable.for_file(str(folder), said, fix=fix, code="folder")
    return sorted(logs)


def partition_values(path: str | Path) -> dict[str, str | None]:
    """Read ``key=value`` from the folders of a path, as Hive, Spark and DuckDB write them.

    Values stay text, so that 007 is not 7; the folder of rows without a value gives ``None``.

    >>> partition_values("lake/split=test/model=a%2Fb/part-0.parquet")
    {'split': 'test', 'model': 'a/b'}
    """
    found: dict[str, str | None] = {}
    for part in PurePosixPath(str(path).partition("?")[0]).parts[:-1]:
        key, mark, value = part.partition("=")
        if mark and key and "=" not in value:
            found[unquote(key)] = None if value == NOTHING else unquote(value)
    return found


def with_partitions(origin: Origin, values: Mapping[str, str | None]) -> Origin:
    """Add a column of text for each partition; a column of that name inside is refused."""
    if not values:
        return origin
    refuse_repeated_columns(f"{origin.name} in {_folders(values)}", [*origin.names, *values])
    added = ", ".join(f"{_literal(value)} AS {quote_name(key)}" for key, value in values.items())
    return replace(
        origin.derive(f"SELECT *, {added} FROM {{t}}"),
        name=f"{_folders(values)}/{origin.name}",
        partitions=tuple(values),
        files=tuple(_rename(file, values) for file in origin.files),
    )


def _rename(file: InputFile, values: Mapping[str, str | None]) -> InputFile:
    said = f"{file.read_as}, partitioned by {listing(list(values))}"
    return replace(file, name=f"{_folders(values)}/{file.name}", read_as=said)


def _folders(values: Mapping[str, str | None]) -> str:
    return "/".join(
        printable(f"{key}={NOTHING if value is None else value}") for key, value in values.items()
    )


def _literal(value: str | None) -> str:
    return "CAST(NULL AS VARCHAR)" if value is None else quote_literal(value)

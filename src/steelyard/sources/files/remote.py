"""Files that lie elsewhere: addresses of the web and of object stores, read through DuckDB."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from steelyard.engines.local import LocalEngine
from steelyard.errors import FileUnreadable
from steelyard.sources.explanations import explain_reading
from steelyard.sources.files.partitions import ENDINGS, partition_values, with_partitions
from steelyard.sources.origins import InputFile, Origin, refuse_repeated_columns

__all__ = ["RemoteParquet", "bring_near", "is_remote", "open_remote_parquet", "show_address"]

EXTENSIONS = {
    **dict.fromkeys(("http", "https", "s3", "s3a", "gs", "gcs", "r2", "hf"), "httpfs"),
    **dict.fromkeys(("az", "azure", "abfss"), "azure"),
}
"""The part of DuckDB that reads each kind of address."""

LISTED = frozenset({"s3", "s3a", "gs", "gcs", "r2", "hf", "az", "azure", "abfss"})
"""Stores whose files can be listed, so that patterns and folders have a meaning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteParquet:
    """A Parquet file that is read where it lies; ``str`` shows it without keys and passwords."""

    address: str

    @property
    def name(self) -> str:
        """The last part of the address."""
        return _name(self.address)

    def __str__(self) -> str:
        return show_address(self.address)


def is_remote(given: object) -> bool:
    """Tell an address of the web or of an object store from a path.

    >>> is_remote("s3://lake/run.parquet"), is_remote("run.parquet")
    (True, False)
    """
    return (
        isinstance(given, str)
        and given.partition("://")[0].lower() in EXTENSIONS
        and ("://" in given)
    )


def show_address(address: str) -> str:
    """Write an address without what may be a secret: its user, password and parameters.

    >>> show_address("https://me:pw@host:8443/run.csv?signature=abc")
    'https://host:8443/run.csv'
    """
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def bring_near(engine: LocalEngine, data: Any) -> Any:  # noqa: ANN401
    """Put in place of every address what can be opened: Parquet stays, other files are copied.

    The copy goes to the engine's own scratch folder under the file's own name.
    """
    if is_remote(data):
        found = _near(engine, data)
        return found if len(found) > 1 else found[0]
    if isinstance(data, Mapping) and any(map(is_remote, data.values())):
        # A list under a name is a column of the data, and may hold addresses like any other text.
        return {
            name: bring_near(engine, part) if is_remote(part) else part
            for name, part in data.items()
        }
    if isinstance(data, Sequence) and not isinstance(data, str) and any(map(is_remote, data)):
        near = [
            one for part in data for one in (_near(engine, part) if is_remote(part) else [part])
        ]
        return type(data)(near) if isinstance(data, tuple) else near
    return data


def open_remote_parquet(engine: LocalEngine, remote: RemoteParquet) -> Origin:
    """Open Parquet where it lies: only the columns and pages that a question needs are fetched."""
    table = engine.remote_parquet(remote.address)
    refuse_repeated_columns(remote.name, list(table.columns))
    size = engine.remote_size(remote.address)
    record = InputFile(name=remote.name, path=None, read_as="Parquet, read in place", size=size)
    origin = Origin(name=remote.name, table=table, files=(record,))
    return with_partitions(origin, partition_values(show_address(remote.address)))


def _near(engine: LocalEngine, address: str) -> list[RemoteParquet | Path]:
    shown = show_address(address)
    engine.hide(address, shown)
    explain_reading(engine, shown, shown)
    scheme = address.partition("://")[0].lower()
    engine.reach(EXTENSIONS[scheme], address=shown)
    addresses = _list(engine, address) if scheme in LISTED else [address]
    return [
        RemoteParquet(address=one)
        if PurePosixPath(urlsplit(one).path).suffix.lower() in ENDINGS
        else engine.fetch(one, name=_name(one))
        for one in addresses
    ]


def _list(engine: LocalEngine, address: str) -> list[str]:
    """List what a pattern or a folder of a store means."""
    folder = address.endswith("/")
    if not folder and not any(mark in address for mark in "*?["):
        return [address]
    found = engine.list_addresses(f"{address}**/*.parquet" if folder else address)
    if not found:
        fix = "Check the bucket and the spelling."
        said = "no file matches." if not folder else "there are no Parquet files in it."
        raise FileUnreadable.for_file(show_address(address), said, fix=fix, code="no-file")
    return found


def _name(address: str) -> str:
    return unquote(PurePosixPath(urlsplit(address).path).name) or "remote file"

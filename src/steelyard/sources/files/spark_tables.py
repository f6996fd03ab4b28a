"""Files and tables that a cluster reads itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from steelyard.engines.spark import connect, spark_reason
from steelyard.errors import RequestError, SourceError, printable

__all__ = ["ClusterRows", "open_on_cluster"]

TABLE = "table:"
"""Before the name of a table in the catalogue of the cluster."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterRows:
    """A frame of Spark, and what it was read from."""

    frame: Any
    names: tuple[str, ...]
    read_as: str


def open_on_cluster(files: Sequence[str], *, master: str | None) -> ClusterRows:
    """Open Parquet files, or a table of the cluster's catalogue, as a frame of Spark.

    Paths are read by the cluster, so that every executor has to see them.
    """
    if master is None:
        message = (
            "Which cluster? Name it: --master spark://HOST:7077, sc://HOST:15002 for Spark "
            "Connect, or local[*] for this machine."
        )
        raise RequestError(message, code="no-master")
    session = connect(master)
    try:
        if len(files) == 1 and files[0].startswith(TABLE):
            name = files[0].removeprefix(TABLE)
            rows = session.table(name)
            return ClusterRows(frame=rows, names=(name,), read_as="table of a Spark cluster")
        names = tuple(file.rstrip("/").rpartition("/")[2] for file in files)
        rows = session.read.parquet(*files)
        return ClusterRows(frame=rows, names=names, read_as="Parquet, read by Spark")
    except Exception as error:
        reason = printable(spark_reason(error)[:200])
        message = (
            f"The cluster cannot read {printable(', '.join(files))} ({reason}). "
            "Name Parquet files that all of its machines see, or table:NAME for a table."
        )
        raise SourceError(message, code="not-a-table") from error

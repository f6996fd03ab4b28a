"""Files and tables that a cluster reads itself."""

from collections.abc import Sequence
from typing import Any

from steelyard.engines.spark import connect
from steelyard.engines.spark_words import spark_reason
from steelyard.errors import RequestError, SourceError, printable

__all__ = ["open_on_cluster"]

TABLE = "table:"
"""Before the name of a table in the catalogue of the cluster."""


def open_on_cluster(files: Sequence[str], *, master: str | None) -> Any:  # noqa: ANN401
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
            return session.table(files[0].removeprefix(TABLE))
        return session.read.parquet(*files)
    except Exception as error:
        reason = printable(spark_reason(error)[:200])
        message = (
            f"The cluster cannot read {printable(', '.join(files))} ({reason}). "
            "Name Parquet files that all of its machines see, or table:NAME for a table."
        )
        raise SourceError(message, code="not-a-table") from error

"""Which inputs of the corpus reach which surface."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from corpus import BAD, cli_arguments
from suite_corpus import FILE_CODES

__all__ = ["BATCHES", "FILES", "KINDS", "ON_SUITES", "ON_THE_PAGE", "each_kind"]


def kind_of(bad):
    """Tell what is handed over: one file, one for each system, or something else."""
    with TemporaryDirectory() as folder:
        data = bad.write(Path(folder))
        if cli_arguments(data, bad.roles) is None:
            return "python"
        if isinstance(data, list):
            return "shards"
        if isinstance(data, dict):
            return "systems"
        return "file" if Path(data).is_file() else "no file"


def each_kind(inputs):
    """Give one input for each kind of fault and of hand-over; the others only in the long form."""
    seen, params = set(), []
    for bad in inputs:
        kind = (bad.code, KINDS[bad.name])
        marks = [pytest.mark.long] if kind in seen else []
        seen.add(kind)
        params.append(pytest.param(bad, id=bad.name, marks=marks))
    return params


KINDS = {bad.name: kind_of(bad) for bad in BAD}
FILES = [bad for bad in BAD if KINDS[bad.name] != "python"]
"""Frames and arrays have no command line; files do."""
ON_THE_PAGE = [bad for bad in BAD if KINDS[bad.name] in {"file", "systems"}]
# To a campaign an empty cell is an item that waits for its answer.
BATCHES = [bad for bad in FILES if bad.code != "missing-outcome"]
NO_TABLES = {
    "the declared encoding is wrong",
    "CSV is named Arrow",
    "CSV is named JSON lines",
    "a pandas frame repeats a name",
    "a polars frame is empty",
}
"""Inputs with the faults of files that are no file, or a sound one, in the place of a table."""
# A suite has tables and no logs of evaluations, so their own readers are never asked.
ON_SUITES = [
    bad
    for bad in BAD
    if bad.code in FILE_CODES and "a log of" not in bad.name and bad.name not in NO_TABLES
]

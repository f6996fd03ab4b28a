"""Which inputs of the corpus reach which surface; tried once, for all tests of this folder."""

from pathlib import Path
from tempfile import TemporaryDirectory

from corpus import BAD, cli_arguments
from suite_corpus import FILE_CODES, place_table

import steelyard
from steelyard.errors import SteelyardError

__all__ = ["BATCHES", "FILES", "KINDS", "ON_SUITES", "ON_THE_PAGE"]


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


def named_as_a_table(bad):
    """Tell whether a file, put in the place of a table, is refused as a file."""
    with TemporaryDirectory() as made:
        data = bad.write(Path(made))
        if not isinstance(data, str) or not Path(data).is_file() or bad.roles.get("encoding"):
            return False
        (Path(made) / "problems/example").mkdir(parents=True)
        try:
            steelyard.evaluate(str(place_table(Path(made), "answers", Path(data))), **bad.roles)
        except SteelyardError as error:
            return error.code in FILE_CODES
    return False


KINDS = {bad.name: kind_of(bad) for bad in BAD}
FILES = [bad for bad in BAD if KINDS[bad.name] != "python"]
"""Frames and arrays have no command line; files do."""
ON_THE_PAGE = [bad for bad in BAD if KINDS[bad.name] in {"file", "systems"}]
# To a campaign an empty cell is an item that waits for its answer.
BATCHES = [bad for bad in FILES if bad.code != "missing-outcome"]
# A suite has tables and no logs of evaluations, so their own readers are never asked.
ON_SUITES = [
    bad
    for bad in BAD
    if bad.code in FILE_CODES and "a log of" not in bad.name and named_as_a_table(bad)
]

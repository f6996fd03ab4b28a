"""What every data command does: settle its arguments, gather its files, call the journey."""

import glob
import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from steelyard.journey.options import Verb, role_names
from steelyard.surfaces.cli.showing import Observer, draw_result, print_result, working
from steelyard.surfaces.cli.terminal_output import say

if TYPE_CHECKING:
    from steelyard.results import Result

__all__ = [
    "ADDRESS",
    "gather_data",
    "gather_files",
    "refuse_both",
    "run_verb",
    "settle_arguments",
    "split_name",
]

ADDRESS = re.compile(r"[a-z][a-z0-9+]*://", re.IGNORECASE)
"""How an address begins; what it holds behind may have equal signs."""

SHOWN = ("as_json", "as_csv", "raw_csv", "details", "verbose")


def run_verb(
    verb: Callable[..., "Result"],
    name: Verb,
    what: str,
    given: dict[str, Any],
    *,
    counts: object = None,
) -> "Result":
    """Call a verb on files or counts, print what it answers and hand that back."""
    shown = {name: given.pop(name) for name in SHOWN}
    chart, kind = given.pop("chart"), given.pop("picture")
    if kind is not None and chart is None:
        message = f"--picture {kind} needs a file to draw it to: --chart {kind}.svg"
        raise click.UsageError(message)
    observer = Observer(verbose=shown.pop("verbose"))
    files: tuple[str, ...] = given.pop("files")
    engine, master = given.pop("engine", None), given.pop("master", None)
    arguments = settle_arguments(given, files)
    if counts is not None:
        refuse_both(files)
        # Counts have no columns; of the roles only the positive class may be about a typed table.
        roles = role_names() - ({"positive"} if name == "evaluate" else set())
        arguments = {key: value for key, value in arguments.items() if key not in roles}
        data = counts
    else:
        data = gather_data(files, engine=engine, master=master)
        arguments["observe"] = observer
    with working(what, observer):
        result = verb(data, **arguments)
    if chart is not None:
        draw_result(result, chart, kind)
    print_result(result, **shown)
    return result


def refuse_both(files: Sequence[str]) -> None:
    """Refuse files beside counts that were typed in: one of the two would be passed over."""
    if files:
        message = "Give files or counts, not both."
        raise click.UsageError(message)


def settle_arguments(
    given: dict[str, Any], files: Sequence[str], saved: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Fill what was not typed from the settings beside the data.

    Takes ``settings`` out of what was given; ``saved`` are settings that were read already. What
    a file has set is said, beside the answer.
    """
    from steelyard.journey.settings import read_settings, settings_beside, settle

    named = given.pop("settings")
    where = named or settings_beside(files)
    saved = read_settings(named, files) if saved is None else saved
    known = {name: value for name, value in saved.items() if name in given}
    settled = settle(given, known)
    used = {name: value for name, value in known.items() if given[name] in (None, ())}
    if used:
        told = ", ".join(f"{name} = {json.dumps(value)}" for name, value in used.items())
        say(f"Settings of {where}: {told}.", err=True)
    return settled


def gather_data(files: Sequence[str], *, engine: str | None, master: str | None) -> Any:  # noqa: ANN401
    """Name the files to read here, or have a cluster open them."""
    if engine != "spark":
        if master is not None:
            message = "--master names a cluster: add --engine spark."
            raise click.UsageError(message)
        return gather_files(files)
    if not files:
        message = "No data. Name Parquet files, or table:NAME for a table of the cluster."
        raise click.UsageError(message)
    if any(mark for _, mark, _ in map(split_name, files)):
        message = (
            "Files of a cluster are not joined here. Join them by item in Spark, and name one "
            "file or table with a column for each system."
        )
        raise click.UsageError(message)
    from steelyard.sources.files.spark_tables import open_on_cluster

    return open_on_cluster(files, master=master)


def gather_files(files: Sequence[str]) -> Any:  # noqa: ANN401
    """Read ``PATH...`` as shards of one table, ``NAME=PATH...`` as one system, or its shards."""
    if not files:
        message = "No data. Name a file of predictions, or - for standard input."
        raise click.UsageError(message)
    named: dict[str, list[str]] = {}
    for name, mark, path in map(split_name, files):
        if mark:
            named.setdefault(name, []).append(path)
    if not named:
        return list(files) if len(files) > 1 else files[0]
    if sum(map(len, named.values())) != len(files):
        message = (
            "Give every file a system's name (svm=svm.csv rf=rf.csv), shards of one system the "
            "same (svm=a.csv svm=b.csv), or none."
        )
        raise click.UsageError(message)
    if len(named) == len(files):
        return {name: paths[0] for name, paths in named.items()}
    from steelyard.sources import Shards

    return {name: Shards(paths) if len(paths) > 1 else paths[0] for name, paths in named.items()}


def split_name(file: str) -> tuple[str, str, str]:
    """Split NAME=PATH, unless a file of that very name is there, or it is an address.

    >>> split_name("svm=svm.csv"), split_name("postgresql://host/lab?table=runs")
    (('svm', '=', 'svm.csv'), ('', '', 'postgresql://host/lab?table=runs'))
    """
    whole = "=" not in file or ADDRESS.match(file) is not None or _matches(file)
    return ("", "", file) if whole else file.partition("=")


def _matches(file: str) -> bool:
    """Tell whether files are there, as in lake/split=test/*.parquet."""
    return Path(file).exists() or any(True for _ in glob.iglob(file))  # noqa: PTH207

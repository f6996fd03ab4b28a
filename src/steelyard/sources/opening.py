"""The one door into the room: whatever the user has in hand becomes predictions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from steelyard.engines.local import LocalEngine
from steelyard.engines.spark import SparkEngine, is_spark_frame
from steelyard.engines.table import Statement
from steelyard.errors import FileUnreadable, RefusedData, RequestError, SourceError
from steelyard.sources.files.databases import is_database, open_database
from steelyard.sources.files.files import FileOptions, expand_paths, open_files
from steelyard.sources.files.remote import RemoteParquet, brought_near
from steelyard.sources.files.spark_tables import ClusterRows
from steelyard.sources.frames import is_frame, open_frame
from steelyard.sources.logs import LogFile, detect_logs, gather_logs
from steelyard.sources.origins import Choose, InputFile, Origin, refuse_repeated_columns
from steelyard.sources.predictions import Predictions
from steelyard.sources.roles.declared import Roles
from steelyard.sources.roles.layout import (
    Wide,
    arrange_wide,
    columns_in_question,
    find_roles,
    value_columns_in_question,
)
from steelyard.sources.roles.proposals import proposed_holding
from steelyard.sources.shapes.joined import arrange_files
from steelyard.sources.shapes.long_rows import arrange_long
from steelyard.sources.shapes.truth_file import join_truth, split_truth
from steelyard.sources.understanding import understand

__all__ = ["arrange", "open_predictions"]


def open_predictions(
    data: Any,  # noqa: ANN401
    roles: Roles,
    *,
    options: FileOptions | None = None,
    observe: Callable[[Statement], None] | None = None,
    memory: str | int | None = None,
) -> Predictions:
    """Open files, frames or columns, and understand them.

    Parameters
    ----------
    data
        A path, a glob pattern or a list of them (shards of one table); ``-`` for standard input;
        a mapping of system names to paths or frames (one per system, joined by item id); a frame
        of pandas, polars or pyarrow; a mapping of column names to arrays or lists; a frame of
        Spark, whose rows stay on the cluster; an address such as ``https://...``, ``s3://...`` or
        ``postgresql://host/database?table=name``. Evaluation logs (Inspect, lm-evaluation-harness,
        promptfoo and others) are told by their content.
    roles
        What the columns mean, as far as their names do not say it.
    options
        Delimiter, decimal mark and encoding of delimited files, when they should not be detected.
    observe
        Called with every SQL statement that was run. Where it has methods ``plan`` and
        ``progress``, they are told how rows will be counted, and how many have been.
    memory
        How much memory may be used, in bytes or written like ``"1.5GiB"``; by default half of the
        machine.
    """
    wide = arrange(data, roles, options=options, observe=observe, memory=memory)
    return understand(wide, roles)


def arrange(
    data: Any,  # noqa: ANN401
    roles: Roles,
    *,
    options: FileOptions | None = None,
    observe: Callable[[Statement], None] | None = None,
    memory: str | int | None = None,
) -> Wide:
    """Lay out whatever the user has in hand as a row for each item; nothing is checked yet."""
    if isinstance(data, Mapping) and any(is_spark_frame(part) for part in data.values()):
        message = (
            "Frames of a cluster are not joined here. Join them by item in Spark, and hand in one "
            "frame with a column for each system."
        )
        raise SourceError(message, code="not-local")
    if is_spark_frame(data):
        data = ClusterRows(frame=data, names=("Spark frame",), read_as="rows of a Spark cluster")
    if isinstance(data, ClusterRows):
        (options or FileOptions()).refuse_on_cluster(memory)
        roles.refuse_log_choices()
        return _arranged(_on_cluster(data, observe), roles)
    engine = LocalEngine(observe=observe, memory=memory)
    files = options or FileOptions()
    files.refuse_unless(of_database=_any_database(data))
    data = brought_near(engine, data)
    return _with_identities(_arrange_here(engine, data, roles, files), engine)


def _with_identities(wide: Wide, engine: LocalEngine) -> Wide:
    """Let every file say whether it is still the one that was opened."""
    files = tuple(
        replace(file, identity=engine.noted.get(file.path)) if file.path is not None else file
        for file in wide.origin.files
    )
    return replace(wide, origin=replace(wide.origin, files=files))


def _arrange_here(
    engine: LocalEngine,
    data: Any,  # noqa: ANN401
    roles: Roles,
    files: FileOptions,
) -> Wide:
    logs = _logs(engine, data)
    if logs is not None:
        return _arranged(gather_logs(engine, logs, roles), roles)
    roles.refuse_log_choices()
    own, path, column = split_truth(roles)
    wide = _arrange_tables(engine, data, own, files)
    if path is None:
        return wide
    return join_truth(wide, open_files(engine, [path], files), roles, column)


def _arrange_tables(
    engine: LocalEngine,
    data: Any,  # noqa: ANN401
    roles: Roles,
    files: FileOptions,
) -> Wide:
    if isinstance(data, Mapping) and data and all(_one_system(part) for part in data.values()):
        choose = partial(value_columns_in_question, roles=roles)
        origins = {str(name): _origin(engine, part, files, choose) for name, part in data.items()}
        return arrange_files(origins, roles)
    choose = partial(columns_in_question, roles=roles)
    try:
        wide = _arranged(_origin(engine, data, files, choose), roles)
    except FileUnreadable as error:
        if error.code != "columns-differ":
            raise
        apart = _file_a_system(engine, data, roles, files)
        if apart is None:
            raise
        return apart
    if any(fault.code == "duplicate-id" for fault in wide.faults):
        return _file_a_system(engine, data, roles, files) or wide
    return wide


def _file_a_system(
    engine: LocalEngine,
    data: Any,  # noqa: ANN401
    roles: Roles,
    files: FileOptions,
) -> Wide | None:
    """Take each of several files for a system where all speak of the very same items.

    Shards of one table have no item in common, so nothing else can be meant; the answer says it.
    """
    if not _all_files(data):
        return None
    paths = [path for part in data for path in _expanded(part)]
    names = [str(getattr(path, "stem", path)) for path in paths]
    if len({*names}) < len(names) or len(names) < 2:
        return None
    choose = partial(value_columns_in_question, roles=roles)
    try:
        origins = {
            name: open_files(engine, [path], files, choose)
            for name, path in zip(names, paths, strict=True)
        }
        wide = arrange_files(origins, roles)
    except RefusedData:  # what was found first is the better thing to say
        return None
    values = [column for own in wide.values.values() for column in own.values()]
    titles = [wide.titles.get(column, column) for column in values]
    if not all(proposed_holding(title.partition("'")[2].partition("'")[0]) for title in titles):
        return None  # a column called as a system is says that its file is a part of it
    present = " AND ".join(f'"{column}"' for column in wide.origin.present.values())
    ((rows, common),) = wide.origin.table.query(
        f"SELECT COUNT(*), COUNT(CASE WHEN {present} THEN 1 END) FROM {{t}}"
    )
    note = "each file is taken for a system, since all have the same items"
    return replace(wide, notes=(*wide.notes, note)) if rows == common else None


def _any_database(data: Any) -> bool:  # noqa: ANN401
    if isinstance(data, Mapping):
        return any(map(is_database, data.values()))
    return is_database(data) or (isinstance(data, list | tuple) and any(map(is_database, data)))


def _logs(engine: LocalEngine, data: Any) -> list[LogFile] | None:  # noqa: ANN401
    """Find evaluation logs among paths, or among paths that are named by their system."""
    named: list[tuple[str | None, Any]] = [(None, data)]
    if isinstance(data, Mapping):
        named = [(str(name), part) for name, part in data.items()]
    elif isinstance(data, Sequence) and not isinstance(data, str):
        named = [(None, part) for part in data]
    if not named or not all(_is_path(part) for _, part in named):
        return None
    paths = [(name, path) for name, part in named for path in expand_paths(part)]
    for _, path in paths:
        engine.note(path.resolve())  # before its first byte is looked at
    return detect_logs(paths)


def _arranged(origin: Origin, roles: Roles) -> Wide:
    found = find_roles(origin, roles)
    arrange = arrange_long if "system" in found else arrange_wide
    return arrange(origin, roles, found)


def _is_path(part: object) -> bool:
    return isinstance(part, str | Path) and not is_database(part)


def _one_system(part: object) -> bool:
    """Tell a path or frame, which is a whole system, from a column of values."""
    return isinstance(part, str | Path | RemoteParquet) or (
        is_frame(part) and not hasattr(part, "dtype") and not hasattr(part, "type")
    )


def _on_cluster(data: ClusterRows, observe: Callable[[Statement], None] | None) -> Origin:
    refuse_repeated_columns("Spark frame", data.frame.columns)
    table = SparkEngine(data.frame.sparkSession, observe=observe).table(data.frame)
    files = tuple(InputFile(name=one, path=None, read_as=data.read_as) for one in data.names)
    return Origin(name="Spark frame", table=table, files=files, numbered=False)


def _origin(
    engine: LocalEngine,
    data: Any,  # noqa: ANN401
    options: FileOptions,
    choose: Choose,
) -> Origin:
    if is_database(data):
        return open_database(engine, data, table=options.table, query=options.query)
    if isinstance(data, str | Path | RemoteParquet):
        return open_files(engine, _expanded(data), options, choose)
    if _all_files(data):
        paths = [path for part in data for path in _expanded(part)]
        return open_files(engine, paths, options, choose)
    if is_frame(data):
        return open_frame(engine, data, choose)
    if hasattr(data, "shape") or isinstance(data, Sequence):
        message = (
            "A bare array or list has no column names. Pass a mapping instead, such as "
            "{'truth': y, 'cnn': calls}."
        )
        raise RequestError(message)
    message = (
        f"Predictions cannot be read from {type(data).__name__}. Pass a path, a frame of pandas, "
        "polars, pyarrow or Spark, or a mapping of column names to arrays."
    )
    raise SourceError(message)


def _all_files(data: object) -> bool:
    """Tell a list of files; a database beside them is asked for alone."""
    if not isinstance(data, Sequence) or isinstance(data, str) or not data:
        return False
    if any(map(is_database, data)):
        message = (
            "A database stands alone, or for a system of its own (svm=postgresql://... "
            "rf=rf.csv). Join shards in its query."
        )
        raise RequestError(message)
    return all(isinstance(part, str | Path | RemoteParquet) for part in data)


def _expanded(given: str | Path | RemoteParquet) -> Sequence[Path | RemoteParquet]:
    return [given] if isinstance(given, RemoteParquet) else expand_paths(given)

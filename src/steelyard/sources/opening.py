"""The one door into the room: whatever the user has in hand becomes predictions."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from steelyard.engines.dialect import quote_name
from steelyard.engines.local import LocalEngine
from steelyard.engines.spark import SparkEngine, is_spark_frame
from steelyard.engines.table import Statement
from steelyard.errors import (
    FileUnreadable,
    PublishedTable,
    RefusedData,
    RequestError,
    RolesUnclear,
    SourceError,
    UnusableRows,
    listing,
    printable,
    switch,
)
from steelyard.sources.files.databases import is_database, open_database
from steelyard.sources.files.files import FileOptions, Shards, expand_paths, open_files
from steelyard.sources.files.formats import is_file
from steelyard.sources.files.remote import RemoteParquet, bring_near
from steelyard.sources.files.spark_tables import ClusterRows
from steelyard.sources.frames import is_frame, open_frame
from steelyard.sources.logs import LogFile, detect_logs, gather_logs
from steelyard.sources.logs.kaggle import split_solution
from steelyard.sources.origins import Choose, InputFile, Origin, refuse_repeated_columns
from steelyard.sources.predictions import Predictions
from steelyard.sources.roles.columns import look_at_columns
from steelyard.sources.roles.declared import Roles
from steelyard.sources.roles.layout import (
    Wide,
    arrange_wide,
    columns_in_question,
    find_roles,
    value_columns_in_question,
    with_joint_item,
)
from steelyard.sources.roles.name_words import describes_data_sets, names_data_sets, says_call
from steelyard.sources.roles.proposals import (
    find_whose_rows,
    is_system_name,
    propose_holding,
    propose_single_role,
)
from steelyard.sources.shapes.alignments import Alignments, find_alignments
from steelyard.sources.shapes.joined import arrange_files
from steelyard.sources.shapes.long_rows import arrange_long
from steelyard.sources.shapes.trial_lists import find_trials
from steelyard.sources.shapes.truth_file import join_truth, split_truth
from steelyard.sources.shapes.written_numbers import read_number
from steelyard.sources.understanding import understand

if TYPE_CHECKING:
    from steelyard.sources.shapes.result_tables import ResultTable

__all__ = [
    "PlainColumns",
    "arrange",
    "find_printed_results",
    "find_result_columns",
    "find_system_column",
    "is_one_system",
    "open_alignments",
    "open_plain_columns",
    "open_predictions",
    "open_table",
]

OVERLAP = 0.5
"""Files with more than this share of their items in common are no shards of one table."""

LOOKED_AT = 1000
"""Rows of a table of results in which a cell that is no number is looked for."""

WORKBOOKS = frozenset({".xlsx", ".xlsm"})


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
    aligned = find_alignments(data)
    if aligned is not None:
        return open_alignments(aligned, roles, observe=observe, memory=memory)
    trials = find_trials(data, roles)
    if trials is not None:
        meant = trials.roles(roles)
        wide = arrange(trials.columns(), meant, observe=observe, memory=memory)
        wide = replace(wide, origin=replace(wide.origin, files=trials.files()))
        return understand(wide, meant)
    alone = isinstance(data, str | Path) and not is_database(data)
    plain = alone and roles.names_no_column() and is_file(data)
    published = Path(data) if plain else None
    try:
        wide = arrange(data, roles, options=options, observe=observe, memory=memory)
        if published is not None and "item" not in wide.roles:
            from steelyard.sources.leaderboards import may_be_leaderboard, refuse_leaderboard

            if may_be_leaderboard(wide.origin.names):
                refuse_leaderboard(published, sheet=None if options is None else options.table)
        return understand(wide, roles)
    except PublishedTable:
        raise
    except RefusedData:
        # What is pasted from a page may not even be a table of columns, and is looked at again.
        if published is not None:
            from steelyard.sources.leaderboards import refuse_leaderboard

            refuse_leaderboard(published, sheet=None if options is None else options.table)
        raise


def open_alignments(
    aligned: Alignments,
    roles: Roles,
    *,
    segments: bool = False,
    observe: Callable[[Statement], None] | None = None,
    memory: str | int | None = None,
) -> Predictions:
    """Open alignments of sclite: a row for each utterance, or for each segment of two systems."""
    meant = aligned.roles(roles, segments=segments)
    columns = aligned.segments() if segments else aligned.utterances()
    wide = arrange(columns, meant, observe=observe, memory=memory)
    wide = replace(wide, origin=replace(wide.origin, files=aligned.files))
    return understand(wide, meant)


class PlainColumns(NamedTuple):
    """Columns of truth and of answers, nothing else: which is which, and what they hold."""

    predictions: Predictions
    truth: str
    systems: Mapping[str, str]


def open_plain_columns(data: Mapping[str, Any], roles: Roles) -> PlainColumns | None:
    """Open columns that are a truth and a column for each system; None where there is more to say.

    More to say is any other role, a column that is set aside, an excluded row, a caveat.
    """
    wide = arrange(data, roles)
    predictions = understand(wide, roles)
    systems = {name: own[""] for name, own in wide.values.items() if [*own] == [""]}
    kept = {one.name for one in predictions.systems}
    odd = predictions.excluded or predictions.caveats or wide.roles.keys() != {"truth"}
    whole = bool(roles.systems) or len(kept) + 1 == len(data)
    if odd or not whole or not kept <= systems.keys():
        return None
    answers = {one.name: systems[one.name] for one in predictions.systems}
    return PlainColumns(predictions, wide.roles["truth"], answers)


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
        return _arrange(_on_cluster(data, observe), roles)
    engine = LocalEngine(observe=observe, memory=memory)
    files = options or FileOptions()
    files.refuse_unless(of_database=_any_database(data), of_workbook=_any_workbook(data))
    data = bring_near(engine, data)
    return _with_identities(_arrange_here(engine, data, roles, files), engine)


def open_table(
    data: Any,  # noqa: ANN401
    *,
    options: FileOptions | None = None,
    observe: Callable[[Statement], None] | None = None,
    memory: str | int | None = None,
) -> Origin:
    """Open files, a frame or columns as they are, for a layout that has rules of its own."""
    engine = LocalEngine(observe=observe, memory=memory)
    files = options or FileOptions()
    files.refuse_unless(of_database=_any_database(data), of_workbook=_any_workbook(data))
    origin = _origin(engine, bring_near(engine, data), files, lambda names: names)
    return replace(origin, files=_identify(origin.files, engine))


def find_system_column(
    data: Any,  # noqa: ANN401
    used: Collection[str],
    *,
    options: FileOptions | None = None,
    observe: Callable[[Statement], None] | None = None,
    memory: str | int | None = None,
) -> tuple[str, str] | None:
    """Find, in a table with a row for each item and system, the columns that name these."""
    if is_spark_frame(data) or isinstance(data, ClusterRows):
        return None
    try:
        origin = open_table(data, options=options, observe=observe, memory=memory)
    except RefusedData:
        return None
    return find_whose_rows(origin, used)


def find_result_columns(
    data: Any,  # noqa: ANN401
    roles: Roles,
    *,
    named: Any = None,  # noqa: ANN401
    options: FileOptions | None = None,
    observe: Callable[[Statement], None] | None = None,
    memory: str | int | None = None,
) -> tuple[str | None, Any, list[str]]:
    """Find, in a table of results, the column that names its rows and those that hold numbers.

    Those that were ``named`` are taken as they are. Columns that are called as a role of items,
    such as ``fold``, have none here.
    """
    plain = Roles(item=roles.item, proposals=False)
    aside = {roles.system, roles.cluster}
    try:
        wide = arrange(data, plain, options=options, observe=observe, memory=memory)
    except RolesUnclear as refused:
        if named:
            return roles.item, named, []
        if refused.code == "too-many-systems" and roles.systems:
            return roles.item, list(roles.systems), []  # of so many columns, those that were named
        raise
    item = wide.roles.get("item") or next(filter(names_data_sets, wide.values), None)
    other = [role for role in ("weight", "group", "fold") if role in wide.roles]
    if named:
        return item, named, other
    looked = look_at_columns(wide.origin, list(wide.values), titles=wide.titles)
    numbers = [
        name
        for name, column in looked.items()
        if column.kind in {"integer", "real"} and name not in {item, *aside}
    ]
    names = [name for name in looked if name not in {item, *numbers, *aside}]
    doubtful = [name for name in numbers if describes_data_sets(name)]
    whose = [name for name in names if is_system_name(name)]
    if (
        len(numbers) == 1
        and len(whose) == 1
        and not doubtful
        and len(names) - len(whose) == (item is None)
    ):  # a row for each data set and algorithm, told by the name of the column that says whose
        return item or next(name for name in names if name not in whose), numbers, other
    if len(names) > (item is None) or not numbers or doubtful:
        partly = _partly_numbers(wide.origin, [name for name in names if name not in whose])
        raise _unclear_results(
            wide.origin.name,
            item,
            numbers=numbers,
            names=names,
            doubtful=doubtful,
            partly=partly,
        )
    return item or next(iter(names), None), numbers, other


def find_printed_results(
    data: Any,  # noqa: ANN401
    roles: Roles,
    *,
    named: Sequence[str] | None = None,
    options: FileOptions | None = None,
    observe: Callable[[Statement], None] | None = None,
    memory: str | int | None = None,
) -> "ResultTable | None":
    """Find a table of results that has to be made plain first: see ``find_results``."""
    if is_spark_frame(data) or isinstance(data, ClusterRows):
        return None
    from steelyard.sources.shapes.result_tables import find_results

    read = partial(open_table, data, options=options, observe=observe, memory=memory)
    return find_results(data, roles, read, named=named)


def _unclear_results(
    title: str,
    item: str | None,
    *,
    numbers: list[str],
    names: list[str],
    doubtful: list[str],
    partly: Mapping[str, str],
) -> RolesUnclear:
    """Ask which columns hold results; those of a long table, whose they are."""
    sure = [name for name in numbers if name not in doubtful]
    item = item or next((name for name in names if not is_system_name(name)), None)
    whose = next((name for name in names if is_system_name(name)), None)
    odd = [name for name in names if name != item]
    if doubtful:
        found = f"{listing(doubtful)} may say something else of a data set."
    elif partly:
        name, cell = next(iter(partly.items()))
        found = f"{name!r} holds {printable(cell)!r} among its numbers. Write a number, or nothing."
    else:
        found = (
            f"{listing(numbers) or 'no column'} {'hold' if len(numbers) > 1 else 'holds'} numbers, "
            f"{listing(odd or names)} something else (is a number missing or written otherwise?)."
        )
    results = [*sure, *partly] or names
    named = [switch("value", results[0] if whose else ",".join(results))]
    named += [switch("system", whose)] if whose else []
    named += [switch("item", item)] if item else []
    message = f"{title}: which columns hold results? {found} Name them: {' and '.join(named)}."
    return RolesUnclear(message, code="result-columns")


def _partly_numbers(origin: Origin, names: Sequence[str]) -> dict[str, str]:
    """Find columns most of whose cells are numbers, each with the first cell that is none."""
    found = {}
    for name in names:
        rows = origin.table.query(f"SELECT {quote_name(name)} FROM {{t}} LIMIT {LOOKED_AT}")
        cells = [str(cell) for (cell,) in rows if cell is not None and str(cell).strip()]
        odd = [cell for cell in cells if read_number(cell) is None]
        if odd and len(odd) < len(cells) / 2:
            found[name] = odd[0]
    return found


def _with_identities(wide: Wide, engine: LocalEngine) -> Wide:
    """Let every file say whether it is still the one that was opened."""
    files = _identify(wide.origin.files, engine)
    return replace(wide, origin=replace(wide.origin, files=files))


def _identify(files: Sequence[InputFile], engine: LocalEngine) -> tuple[InputFile, ...]:
    return tuple(
        replace(file, identity=engine.noted.get(file.path)) if file.path is not None else file
        for file in files
    )


def _arrange_here(
    engine: LocalEngine,
    data: Any,  # noqa: ANN401
    roles: Roles,
    files: FileOptions,
) -> Wide:
    own, path, column = split_truth(roles)
    kaggle = _solution(data) if path is None and not roles.truth else None
    plain = roles.names_no_column() and files.columns is None
    logs = _logs(engine, data, plain=plain) if kaggle is None else None
    if logs is not None:
        return _arrange(gather_logs(engine, logs, roles), roles)
    roles.refuse_log_choices()
    if kaggle is not None:
        data, path, column = kaggle
        own = replace(own, truth_elsewhere=True)
    given = [part for _, part in _parts(data)]
    if len(given) + (path is not None) > 1:
        from steelyard.sources.shapes.whose_rows import refuse_bare_lists
    plain = len(given) > 0 and files.columns is None and all(map(_is_path, given))
    paths = [Path(part) for part in given] if plain else []
    if path is None:
        if len(paths) > 1:
            refuse_bare_lists(paths)
        return _arrange_tables(engine, data, own, files)
    return _with_true_file(engine, data, own, files, path=Path(path), column=column, paths=paths)


def _with_true_file(
    engine: LocalEngine,
    data: Any,  # noqa: ANN401
    roles: Roles,
    files: FileOptions,
    *,
    path: Path,
    column: str | None,
    paths: Sequence[Path],
) -> Wide:
    """Lay out answers whose truth stands in a file of its own.

    A list without a header may have a truth with one, which says its own columns.
    """
    from steelyard.sources.shapes.named_lists import name_lists
    from steelyard.sources.shapes.whose_rows import find_true_classes

    files = replace(files, one_column=True)
    true_files = replace(files, columns=None)
    lists = None
    if paths and all(map(is_file, (*paths, path))):
        lists = name_lists(paths, path, column, by_rows=roles.pairing == "rows")
    if lists is not None:
        files = replace(files, columns=lists.answers)
        true_files = replace(true_files, columns=lists.truth)
        column = "truth" if lists.truth else column
    roles = replace(roles, true_classes=find_true_classes(engine, path, true_files, column))
    wide = _file_a_system(engine, data, roles, files) or _arrange_tables(engine, data, roles, files)
    notes = () if lists is None else (lists.note,)
    wide = replace(wide, notes=(*wide.notes, *notes))
    return join_truth(wide, open_files(engine, [path], true_files), roles, column)


def _arrange_tables(
    engine: LocalEngine,
    data: Any,  # noqa: ANN401
    roles: Roles,
    files: FileOptions,
) -> Wide:
    if isinstance(data, Mapping) and data and all(is_one_system(part) for part in data.values()):
        choose = partial(value_columns_in_question, roles=roles)
        origins = {str(name): _origin(engine, part, files, choose) for name, part in data.items()}
        return arrange_files(origins, roles)
    choose = partial(columns_in_question, roles=roles)
    try:
        wide = _arrange(_origin(engine, data, files, choose), roles)
    except FileUnreadable as error:
        if error.code != "columns-differ":
            raise
        apart = _file_a_system(engine, data, roles, files, alike=False)
        if apart is None:
            _name_truth_file(engine, data, files)
            raise
        return apart
    again = any(fault.code == "duplicate-id" for fault in wide.faults)
    if again or (not {"item", "system"} & {*wide.roles} and not wide.origin.present):
        apart = _file_a_system(engine, data, roles, files)
        if apart is None and not again and "truth" in wide.roles and _all_files(data):
            from steelyard.sources.shapes.whose_rows import ask_whose_rows

            paths = [path for part in data for path in _expand(part)]
            ask_whose_rows(engine, paths, wide.roles["truth"], files)
        return apart or wide
    return wide


def _file_a_system(
    engine: LocalEngine,
    data: Any,  # noqa: ANN401
    roles: Roles,
    files: FileOptions,
    *,
    alike: bool = True,
) -> Wide | None:
    """Take each of several files for a system where all are about the same items.

    Shards of one table have no item in common, so nothing else can be meant; the answer says it.
    Files that share most of their items are systems, too, of which some items are asked about;
    those that are not ``alike`` have columns of other names, and are no shards.
    """
    pattern = isinstance(data, str | Path) and not is_database(data)
    if not (pattern or _all_files(data)):
        return None
    paths = [path for part in ([data] if pattern else data) for path in _expand(part)]
    names = [str(getattr(path, "stem", path)) for path in paths]
    if len({*names}) < len(names):  # runs are kept in folders of their own
        names = [path.parent.name if isinstance(path, Path) else str(path) for path in paths]
    if len({*names}) < len(names) or len(names) < 2:
        return None
    choose = partial(value_columns_in_question, roles=roles)
    try:
        origins = {
            name: open_files(engine, [path], files, choose)
            for name, path in zip(names, paths, strict=True)
        }
        wide = arrange_files(origins, roles)
    except UnusableRows as refused:
        if refused.code.endswith("-disagrees"):
            raise
        return None
    except RefusedData:  # what was found first is the better thing to say
        return None
    named = _name_by_files(wide, origins, roles, alike=alike)
    return None if named is None else _of_same_items(named)


def _name_by_files(
    wide: Wide, origins: Mapping[str, Origin], roles: Roles, *, alike: bool
) -> Wide | None:
    """Keep files for systems whose columns are called as answers are, or else by these columns."""
    values = [own[""] for own in wide.values.values() if "" in own]  # else a number for each class
    titles = [wide.titles.get(column, column) for column in values]
    called = [title.partition("'")[2].partition("'")[0] for title in titles]
    said = roles.truth_elsewhere or roles.measured or roles.declared()
    if said or all(propose_holding(one) or says_call(one) for one in called):
        return wide
    if alike:
        return None  # a column called as a system is says that its file is a part of it
    apart = len({*called}) == len(origins)
    return arrange_files(dict(zip(called, origins.values(), strict=True)), roles) if apart else wide


def _of_same_items(wide: Wide) -> Wide | None:
    """Keep systems that share most of their items. Shards of one table have none in common."""
    present = " AND ".join(f'"{column}"' for column in wide.origin.present.values())
    ((rows, common),) = wide.origin.table.query(
        f"SELECT COUNT(*), COUNT(CASE WHEN {present} THEN 1 END) FROM {{t}}"
    )
    alike = "the same items" if rows == common else "many items in common"
    note = f"each file is taken as a system, since all have {alike}"
    # Which of many are compared is asked later.
    return replace(wide, notes=(*wide.notes, note)) if common > OVERLAP * rows else None


def _name_truth_file(engine: LocalEngine, data: Any, files: FileOptions) -> None:  # noqa: ANN401
    """Say how the one file among several is named that alone says what is true."""
    if not _all_files(data):
        return
    paths = [path for part in data for path in _expand(part)]
    holders = {}
    for path in paths:
        names = open_files(engine, [path], files).names
        truths = [name for name in names if propose_single_role(name) == "truth"]
        if truths:
            holders[str(path)] = truths[0]
    if len(holders) != 1:
        return
    ((holder, column),) = holders.items()
    message = (
        f"{printable(Path(holder).name)} alone says what is true (column {column!r}). Take it out "
        f"of the files and name it as the truth: {switch('truth', f'{holder}:{column}')}."
    )
    raise RolesUnclear(message, code="truth-file")


def _parts(data: Any) -> list[tuple[str | None, Any]]:  # noqa: ANN401
    """List what was given, each part with the system that it is named for, if it is."""
    if isinstance(data, Mapping):
        return [
            (str(name), one)
            for name, part in data.items()
            for one in (part if isinstance(part, Shards) else [part])
        ]
    if isinstance(data, Sequence) and not isinstance(data, str):
        return [(None, part) for part in data]
    return [(None, data)]


def _solution(data: Any) -> tuple[Any, Path, str] | None:  # noqa: ANN401
    """Find a solution of Kaggle beside submissions that give probabilities."""
    named = _parts(data)
    if len(named) < 2 or not all(_is_path(part) for _, part in named):
        return None
    paths = [path for _, part in named for path in expand_paths(part)]
    if len(paths) != len(named) or any(path.suffix.lower() != ".csv" for path in paths):
        return None
    found = split_solution(paths)
    if found is None:
        return None
    others, solution, column = found
    names = {name or path.stem: path for (name, _), path in zip(named, paths, strict=True)}
    left = {name: path for name, path in names.items() if path != solution}
    return (left if len(left) > 1 else others[0]), solution, column


def _any_database(data: Any) -> bool:  # noqa: ANN401
    return any(is_database(part) for _, part in _parts(data))


def _any_workbook(data: Any) -> bool:  # noqa: ANN401
    paths = [Path(part) for _, part in _parts(data) if _is_path(part)]
    return any(path.suffix.lower() in WORKBOOKS for path in paths)


def _logs(engine: LocalEngine, data: Any, *, plain: bool) -> list[LogFile] | None:  # noqa: ANN401
    """Find evaluation logs among paths, or among paths that are named by their system."""
    named = _parts(data)
    if not named or not all(_is_path(part) for _, part in named):
        return None
    paths = [(name, path) for name, part in named for path in expand_paths(part)]
    for _, path in paths:
        engine.note(path.resolve())  # before its first byte is looked at
    return detect_logs(paths, plain=plain)


def _arrange(origin: Origin, roles: Roles) -> Wide:
    origin = with_joint_item(origin, roles)
    found = find_roles(origin, roles)
    arrange = arrange_long if "system" in found else arrange_wide
    return arrange(origin, roles, found)


def _is_path(part: object) -> bool:
    return isinstance(part, str | Path) and not is_database(part)


def is_one_system(part: object) -> bool:
    """Tell a path or frame, which is a whole system, from a column of values."""
    return isinstance(part, str | Path | RemoteParquet | Shards) or (
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
        return open_files(engine, _expand(data), options, choose)
    if _all_files(data):
        paths = [path for part in data for path in _expand(part)]
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


def _expand(given: str | Path | RemoteParquet) -> Sequence[Path | RemoteParquet]:
    return [given] if isinstance(given, RemoteParquet) else expand_paths(given)

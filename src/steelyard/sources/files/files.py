"""Files of predictions: which are meant, what they are, and several of them as one table."""

import glob
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import IO, TYPE_CHECKING, get_args

from steelyard.engines.local import LocalEngine
from steelyard.errors import FileUnreadable, RequestError, counted, listing, printable
from steelyard.plugins import find_plugins
from steelyard.sources.files.arff import write_arff_rows
from steelyard.sources.files.delimited import check_delimiter, open_delimited
from steelyard.sources.files.formats import Format, read_head, tell_format
from steelyard.sources.files.json_lines import open_json
from steelyard.sources.files.json_objects import write_rows_of_object
from steelyard.sources.files.partitions import files_in_folder, partition_values, with_partitions
from steelyard.sources.files.remote import RemoteParquet, open_remote_parquet
from steelyard.sources.files.trec_eval import is_trec_eval, write_queries
from steelyard.sources.files.typed import open_arrow, open_parquet
from steelyard.sources.files.workbooks import is_workbook, write_sheet
from steelyard.sources.origins import Choose, Decimal, InputFile, Origin, all_columns, select

if TYPE_CHECKING:
    from steelyard.sources.files.other_tables import TableFormat

__all__ = ["FileOptions", "Shards", "expand_paths", "open_file", "open_files"]

STANDARD_INPUT = "-"
NUMBERS = frozenset({"integer", "real"})
SPOOLED_AT_ONCE = 1 << 20
SPARED_BYTES = 1 << 30
"""So much of the disk is left to others while a stream is kept, or a twentieth of a small one."""


class Shards(tuple[str, ...]):
    """Several files of one system; a plain list of texts would be a column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOptions:
    """What the user declared about delimited files, and what to ask of a database."""

    delimiter: str | None = None
    decimal: Decimal | None = None
    encoding: str | None = None
    columns: tuple[str, ...] | None = None
    table: str | None = None
    query: str | None = None
    one_column: bool | None = None
    """A file of one column is read: its truth stands in another file."""

    def __post_init__(self) -> None:
        if self.delimiter == r"\t":  # as it is typed where no tab can be
            object.__setattr__(self, "delimiter", "\t")
        check_delimiter(self.delimiter)
        if self.decimal is not None and self.decimal not in get_args(Decimal):
            raise RequestError.for_choice(
                name="decimal", given=self.decimal, choices=get_args(Decimal)
            )

    def refuse_on_cluster(self, memory: str | int | None) -> None:
        """Refuse what is about files or memory of this machine, when the rows are elsewhere."""
        given = {name: getattr(self, name) for name in self.__slots__} | {"memory": memory}
        for name, value in given.items():
            if value is not None:
                message = (
                    f"{name}={value!r} is about files and memory of this machine, and these rows "
                    f"are on a cluster, which has its own settings. Leave {name}= out."
                )
                raise RequestError(message)

    def refuse_unless(self, *, of_database: bool, of_workbook: bool = False) -> None:
        """Refuse to name a table or a query where there is no database to ask."""
        for name, asked in (("table", of_database or of_workbook), ("query", of_database)):
            if getattr(self, name) is not None and not asked:
                message = (
                    f"{name}={getattr(self, name)!r} is for a database, and these data are not "
                    "one. Pass an address such as postgresql://user@host/database."
                )
                raise RequestError(message)


def expand_paths(given: str | Path) -> list[Path]:
    """Turn a path, a glob pattern or a folder of Parquet into files, in sorted order."""
    if str(given) == STANDARD_INPUT:
        return [Path(STANDARD_INPUT)]
    path = Path(given).expanduser() if str(given).startswith("~") else Path(given)
    pattern = any(mark in str(path) for mark in "*?[")
    try:
        folder, there = path.is_dir(), path.exists()
        matches = glob.glob(str(path), recursive=True) if pattern and not there else []  # noqa: PTH207
    except (OSError, ValueError) as error:
        shown, fix = f"{str(given)[:60]}...", "Pass the path of a file."
        raise FileUnreadable.for_file(shown, "no such file.", fix=fix, code="no-file") from error
    if folder:
        return files_in_folder(path)
    files = [path] if there else [one for one in sorted(map(Path, matches)) if one.is_file()]
    if not files:
        raise _no_file(given, path, pattern=pattern)
    for one in files:
        _refuse_odd_name(one)
    return files


def _refuse_odd_name(path: Path) -> None:
    """Refuse a name that is not text: neither a database nor a page could say it."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        found = "the name of the file or of a folder on its way holds bytes that are not UTF-8."
        fix = "Rename it."
        raise FileUnreadable.for_file(path.name, found, fix=fix, code="file-name") from None


def open_files(
    engine: LocalEngine,
    paths: Sequence[Path | RemoteParquet],
    options: FileOptions,
    choose: Choose = all_columns,
) -> Origin:
    """Open several files that are shards of one table: the same columns, rows one after another."""
    _refuse_repeated_files(paths)
    origins = [open_file(engine, path, options, choose) for path in paths]
    first, *others = origins
    if not others:
        return first
    for other in others:
        _check_alike(first, other)
    names = select(first.columns)
    union = " UNION ALL ".join(f"SELECT {names} FROM {origin.local_name()}" for origin in origins)
    return replace(
        first,
        name=f"{first.name} and {counted(len(others), 'more file')}",
        table=engine.table(union),
        files=tuple(file for origin in origins for file in origin.files),
        unnamed=tuple(name for name in first.names if any(name in o.unnamed for o in origins)),
        numbered=False,
    )


def open_file(
    engine: LocalEngine,
    path: Path | RemoteParquet,
    options: FileOptions,
    choose: Choose = all_columns,
) -> Origin:
    """Open one file; its format is told by its first bytes, and only chosen columns are read."""
    if isinstance(path, RemoteParquet):
        return open_remote_parquet(engine, path)
    name, given = path.name, path
    if str(path) == STANDARD_INPUT:
        path, name = _spool(engine, None), "standard input"
    elif not path.is_file():  # a pipe or a device can be read only once
        path = _spool(engine, path)
    # A link may lead elsewhere from one statement to the next, and back before the end.
    path = path.resolve()
    engine.note(path)
    head, compressed, _ = read_head(path)
    kind = _tell(path, name, head)
    if not isinstance(kind, str):
        return _open_other(engine, path, name, kind, choose)
    if kind == "parquet":
        found = open_parquet(engine, path, name=name, choose=choose)
        return with_partitions(found, partition_values(given))
    if kind == "arrow":
        return open_arrow(engine, path, name=name, choose=choose)
    if kind in {"json lines", "json array"}:
        array = kind == "json array"
        return _open_json(engine, path, name, options, choose, array=array, compressed=compressed)
    return _open_text(engine, path, name, options, choose, kind=kind)


def _tell(path: Path, name: str, head: bytes) -> "Format | TableFormat":
    """Tell the format; plug-ins are asked where it would be refused, or is text of some kind."""
    workbook = head.startswith(b"PK") and is_workbook(path)
    try:
        kind = tell_format(path.with_name(name), head, workbook=workbook)
    except FileUnreadable:
        if (other := _of_plugin(path, name, head)) is not None:
            return other
        raise
    return kind if kind != "delimited" else _of_plugin(path, name, head) or kind


def _of_plugin(path: Path, name: str, head: bytes) -> "TableFormat | None":
    if not find_plugins("tables"):
        return None
    from steelyard.sources.files.other_tables import detect_table

    return detect_table(path, name, head)


def _open_text(
    engine: LocalEngine,
    path: Path,
    name: str,
    options: FileOptions,
    choose: Choose,
    *,
    kind: Format,
) -> Origin:
    if kind == "workbook":
        return _open_workbook(engine, path, name, options, choose)
    return _open_delimited(engine, path, name, options, choose, arff=kind == "arff")


def _open_delimited(
    engine: LocalEngine,
    path: Path,
    name: str,
    options: FileOptions,
    choose: Choose,
    *,
    arff: bool,
) -> Origin:
    """Open rows of CSV, below a header of names or of attributes, or what trec_eval prints."""
    queries = not arff and options.columns is None and is_trec_eval(path)
    write = write_arff_rows if arff else write_queries
    found = open_delimited(
        engine,
        write(engine, path, name) if arff or queries else path,
        name=name,
        delimiter="," if arff or queries else options.delimiter,
        decimal=options.decimal,
        encoding=options.encoding,
        columns=options.columns,
        one_column=bool(options.one_column),
        choose=choose,
    )
    if not arff and not queries:
        return found
    attributes = counted(len(found.columns), "attribute")
    read_as = "trec_eval -q, a row for each query" if queries else f"ARFF: {attributes}"
    return replace(found, files=(InputFile(name=name, path=path, read_as=read_as),))


def _open_json(
    engine: LocalEngine,
    path: Path,
    name: str,
    options: FileOptions,
    choose: Choose,
    *,
    array: bool,
    compressed: bool,
) -> Origin:
    """Open lines or an array of objects, or one object that holds a table."""
    if options.columns is not None:
        message = (
            f"{printable(name)}: columns= (--columns) names the columns of a list without a "
            "header, and the fields of JSON have names. Leave it out."
        )
        raise RequestError(message)
    if options.decimal == ",":
        message = (
            f"{printable(name)}: decimal=',' is about CSV, and numbers of JSON are written with a "
            "point. Leave decimal (--decimal) out."
        )
        raise RequestError(message)
    rows = write_rows_of_object(engine, path) if not array else None
    if rows is not None:
        found = open_json(
            engine, rows, name=name, form="newline_delimited", compressed=False, choose=choose
        )
        read_as = found.files[0].read_as.replace("JSON lines", "JSON object, a table inside")
        return replace(found, files=(InputFile(name=name, path=path, read_as=read_as),))
    form = "array" if array else "newline_delimited"
    return open_json(engine, path, name=name, form=form, compressed=compressed, choose=choose)


def _open_workbook(
    engine: LocalEngine, path: Path, name: str, options: FileOptions, choose: Choose
) -> Origin:
    """Open one sheet as the CSV that it would be saved as."""
    copy, sheet, hidden = write_sheet(engine, path, name=name, sheet=options.table)
    found = open_delimited(
        engine,
        copy,
        name=name,
        delimiter=",",
        decimal=options.decimal,
        encoding=None,
        columns=options.columns,
        one_column=bool(options.one_column),
        choose=choose,
    )
    read_as = f"workbook: sheet {sheet!r}, {counted(len(found.columns), 'column')}"
    files = (InputFile(name=name, path=path, read_as=read_as),)
    if not hidden:
        return replace(found, files=files)
    rows = (
        f"{counted(hidden, 'row')} of sheet {printable(sheet)!r} {'is' if hidden == 1 else 'are'}"
    )
    said = f"{rows} hidden, by a filter or by hand, and counted like the others"
    return replace(found, files=files, caveats=(*found.caveats, said))


def _open_other(
    engine: LocalEngine, path: Path, name: str, format_: "TableFormat", choose: Choose
) -> Origin:
    """Open what only a plug-in can read, as the lines of JSON that its rows would be."""
    from steelyard.sources.files.other_tables import write_rows

    copy = engine.scratch(".jsonl")
    write_rows(format_, path, name, copy)
    form = "newline_delimited"
    found = open_json(engine, copy, name=name, form=form, compressed=False, choose=choose)
    read_as = found.files[0].read_as.replace("JSON lines", f"{format_.name}, by a plug-in")
    return replace(found, files=(InputFile(name=name, path=path, read_as=read_as),))


def _spool(engine: LocalEngine, path: Path | None) -> Path:
    """Keep what can be read only once in a scratch file."""
    copy = engine.scratch()
    with copy.open("wb") as file:
        if path is None:
            _copy_stream(sys.stdin.buffer, file, copy, "standard input")
        else:
            try:
                pipe = path.open("rb")
            except OSError as error:
                raise FileUnreadable.for_access(path.name, error) from error
            with pipe:
                _copy_stream(pipe, file, copy, path.name)
    return copy


def _copy_stream(stream: IO[bytes], file: IO[bytes], copy: Path, name: str) -> None:
    """Copy a stream to its end, and stop before it fills the disk that others work on, too."""
    while piece := _read_piece(stream, name):
        if not file.tell() and not piece.strip(b"\0"):
            found = f"it begins with {len(piece):,} bytes of nothing but NUL, as no table does."
            fix = "Name a file, or what writes one: program | steelyard evaluate -"
            raise FileUnreadable.for_file(name, found, fix=fix, code="stream")
        disk = shutil.disk_usage(copy.parent)
        if disk.free < min(SPARED_BYTES, disk.total // 20):
            found = (
                f"{file.tell() / 2**30:.1f} GiB of it were kept in {tempfile.gettempdir()}, which "
                "is nearly full, and it goes on."
            )
            fix = "Write it to a file and name that, or set TMPDIR to a folder with more room."
            raise FileUnreadable.for_file(name, found, fix=fix, code="stream")
        file.write(piece)


def _read_piece(stream: IO[bytes], name: str) -> bytes:
    try:
        return stream.read(SPOOLED_AT_ONCE)
    except OSError as error:
        raise FileUnreadable.for_access(name, error) from error


def _no_file(given: str | Path, path: Path, *, pattern: bool) -> FileUnreadable:
    if pattern:
        found, fix = "no file matches this pattern.", "Check the folder and the spelling."
    else:
        near = _similar(path)
        found = "no such file."
        fix = f"Did you mean {printable(near)}?" if near else "Check the folder and the spelling."
    return FileUnreadable.for_file(str(given), found, fix=fix, code="no-file")


def _similar(path: Path) -> Path | None:
    folder = path.parent
    if not folder.is_dir():
        return None
    names = [entry.name for entry in folder.iterdir() if entry.is_file()]
    near = get_close_matches(path.name, names, n=1)
    return folder / near[0] if near else None


def _refuse_repeated_files(paths: Sequence[Path | RemoteParquet]) -> None:
    places = [
        path.resolve() if isinstance(path, Path) and str(path) != STANDARD_INPUT else path
        for path in paths
    ]
    twice = sorted({path.name for path in places if places.count(path) > 1})
    if twice:
        message = f"{listing(twice)}: named twice, so its rows would count twice. Name it once."
        raise RequestError(message, code="file-twice")


def _check_alike(first: Origin, other: Origin) -> None:
    if set(other.names) != set(first.names):
        found = (
            f"its columns ({listing(other.names)}) differ from those of {first.name} "
            f"({listing(first.names)})."
        )
        fix = (
            "Shards of one table need the same columns. If each file holds one system, name "
            "them: svm=svm.csv rf=rf.csv."
        )
        raise FileUnreadable.for_file(other.name, found, fix=fix, code="columns-differ")
    if other.text != first.text:
        found = f"it and {first.name} are of different formats, one with types and one without."
        fix = "Write all shards in one format."
        raise FileUnreadable.for_file(other.name, found, fix=fix, code="columns-differ")
    for name, kind in first.table.columns.items():
        kinds = {kind, other.table.columns[name]}
        if len(kinds) > 1 and not kinds <= NUMBERS:
            found = f"its column {printable(name)!r} is of another type than in {first.name}."
            fix = "Write all shards with the same types."
            raise FileUnreadable.for_file(other.name, found, fix=fix, code="columns-differ")

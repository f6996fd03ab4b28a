"""CSV and TSV files opened in the dialect that was detected or declared."""

import codecs
import csv
import gzip
import io
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from steelyard.counts.exclusions import Exclusion
from steelyard.engines.dialect import quote_literal, quote_name
from steelyard.engines.local import LocalEngine, LocalTable
from steelyard.errors import (
    FileUnreadable,
    RequestError,
    counted,
    listing,
    printable,
    switch,
)
from steelyard.sources.explanations import explain_reading, line_too_long
from steelyard.sources.files.formats import read_head
from steelyard.sources.files.headless import (
    IGNORED,
    SAMPLE_ROWS,
    ask_for_truth,
    has_row_names,
    name_by_words,
    refuse_headless,
    refuse_other_tables,
    refuse_title,
    says_role,
)
from steelyard.sources.origins import (
    KEEP_BYTES,
    Choose,
    Decimal,
    InputFile,
    Origin,
    all_columns,
    refuse_repeated_columns,
    select,
)
from steelyard.sources.roles.name_words import says_call

__all__ = [
    "DelimitedDialect",
    "check_delimiter",
    "detect_dialect",
    "open_delimited",
]

# --- CSV and TSV: the dialect is detected on the first rows, shown, and then held to strictly ----


DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe", " ": "white space"}
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
SPACES = re.compile(r"[ \t]+")
ODD_MARKS = ";\t|:~^/"
"""Characters that may separate columns where the usual ones do not."""

EXCEL_MARK = re.compile(r'\ufeff?"?sep=([,;|\t])"?\r?\n', re.IGNORECASE)
MOST_LOOKED_AT = 100
"""In tables of more columns nobody looks for rows without content."""

PANDAS_INDEX = re.compile(r"Unnamed: \d+(_level_\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class DelimitedDialect:
    """How a delimited file is written: what was detected, and what was declared.

    ``skipped`` blank lines stand before the header; ``broken`` is a header with a line break
    inside a name, by which an engine would be misled; without a ``header`` the first row is data,
    and the names were declared. With ``row_names`` every row begins with a name of its own, of
    which the header says nothing.
    """

    delimiter: str
    encoding: str
    columns: tuple[str, ...]
    unnamed: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()
    compressed: bool = False
    skipped: int = 0
    broken: bool = False
    header: bool = True
    row_names: bool = False

    def said(self) -> str:
        """Say the dialect in words."""
        kind = "TSV" if self.delimiter == "\t" else "CSV"
        packed = ", gzip" if self.compressed else ""
        mark = _word(self.delimiter)
        bare = "" if self.header else ", no header"
        bare += ", names of rows" if self.row_names else ""
        count = len(self.columns)
        return f"{kind}: {mark}, {self.encoding.upper()}{packed}, {count} columns{bare}"


def check_delimiter(delimiter: str | None) -> None:
    """Refuse what cannot separate columns."""
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
        message = (
            f"delimiter={delimiter!r} cannot separate columns. Give one character, "
            f"for example {switch('delimiter', ';')}."
        )
        raise RequestError(message)


def detect_dialect(
    path: Path,
    *,
    name: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    columns: Sequence[str] | None = None,
    one_column: bool = False,
) -> DelimitedDialect:
    """Read the first rows and establish delimiter, encoding and column names.

    What is declared wins over what is detected. A file without named columns is refused unless
    they are declared: no column gets its meaning from its position.
    """
    check_delimiter(delimiter)
    shown = name or path.name
    head, compressed, whole = read_head(path)
    used = _encoding(shown, head, encoding)
    text = _decode_head(shown, head, used)
    if not text.strip("\ufeff \t\r\n\v\f"):
        found = "the file holds only white space." if head else "the file is empty."
        fix = "Expected a header row with column names, then one row per item."
        raise FileUnreadable.for_file(shown, found, fix=fix, code="empty-file")
    if not whole:
        text = text[: max(text.rfind("\n"), text.rfind("\r")) + 1] or text
    body = text.lstrip("\r\n")
    told = EXCEL_MARK.match(body)
    if told:  # Excel's own way to say what separates the columns
        delimiter = delimiter or told[1]
        body = body[told.end() :].lstrip("\r\n")
    if columns is None:
        refuse_title(shown, body)
    mark = delimiter or _delimiter(body)
    header = next(_rows(body, mark), None)
    if header is None:
        found = f"the first row holds a cell of more than {csv.field_size_limit():,} characters."
        fix = "Expected a header row with column names, such as id,truth,cnn."
        raise FileUnreadable.for_file(shown, found, fix=fix, code="no-header")
    named = _take_names(shown, header, columns)
    row_names = False
    if named is None:
        rows = list(islice(_rows(body, mark), SAMPLE_ROWS))
        refuse_other_tables(shown, rows)
        row_names = has_row_names(shown, rows)
        if row_names:  # as R writes them: a name for each row, and none for their column
            header = ["", *header]
        else:
            named = _find_names_in_cells(path, shown, rows)
    names, unnamed, repeated = _name(
        path, shown, named or header, mark, one_column=one_column or columns is not None
    )
    return DelimitedDialect(
        delimiter=mark,
        encoding="utf-8" if used == "utf-8-sig" else used,
        columns=names,
        header=named is None,
        unnamed=unnamed,
        repeated=repeated,
        compressed=compressed,
        skipped=len(text[: len(text) - len(body)].splitlines()),
        broken=named is None and any({"\r", "\n"} & set(name) for name in header),
        row_names=row_names,
    )


def _find_names_in_cells(path: Path, shown: str, rows: Sequence[Sequence[str]]) -> list[str] | None:
    """Give the names that the cells say themselves; None where the first row has the names."""
    named = name_by_words(rows)
    if named is None:
        refuse_headless(path, shown, rows)
    return named


def _take_names(
    shown: str, first: Sequence[str], columns: Sequence[str] | None
) -> list[str] | None:
    """Give the declared names of a file without a header; None where the file has these names."""
    if columns is None:
        return None
    cells = [cell.strip("\ufeff \t\r\n") for cell in first]
    if len(columns) != len(cells):
        found = (
            f"columns= names {counted(len(columns), 'column')}, and the first row has {len(cells)}:"
            f" {listing(cells, most=6)}."
        )
        fix = f"Name each, {IGNORED} for one that does not matter."
        raise FileUnreadable.for_file(shown, found, fix=fix, code="columns-count")
    if [cell.casefold() for cell in cells] == [name.casefold() for name in columns]:
        return None
    if all(says_role(cell) for cell in cells):
        found = f"the first row already names the columns: {listing(cells, most=6)}."
        fix = "Leave columns= (--columns) out, and give the roles by these names."
        raise FileUnreadable.for_file(shown, found, fix=fix, code="has-header")
    return ["" if name == IGNORED else name for name in columns]


def _encoding(shown: str, head: bytes, declared: str | None) -> str:
    if declared is not None:
        try:
            b"".decode(declared), "".encode(declared)
            known = codecs.lookup(declared).name
        except (LookupError, ValueError) as error:
            message = (
                f"encoding={printable(declared)!r} is not a text encoding that Python knows. Try "
                f"{switch('encoding', 'cp1252')} or {switch('encoding', 'utf-16')}."
            )
            raise RequestError(message) from error
        marked = known == "utf-8" and head.startswith(codecs.BOM_UTF8)
        return "utf-8-sig" if marked else known
    for mark, name in BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return name
    start = head[:200]
    if start.count(b"\x00") > len(start) // 4:
        order = "le" if start[1::2].count(b"\x00") > start[::2].count(b"\x00") else "be"
        found = "every other byte is 0: this looks like UTF-16 without its byte order mark."
        fix = f"Name it: {switch('encoding', f'utf-16-{order}')}."
        raise FileUnreadable.for_file(shown, found, fix=fix, code="encoding")
    return "utf-8"


def _decode_head(shown: str, head: bytes, encoding: str) -> str:
    try:
        return codecs.getincrementaldecoder(encoding)().decode(head)
    except UnicodeError as error:
        found = f"byte {getattr(error, 'start', 0)} is not {encoding.upper()}."
        fix = f"If you know the encoding, name it, for example {switch('encoding', 'cp1252')}."
        raise FileUnreadable.for_file(shown, found, fix=fix, code="encoding") from error


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    if delimiter == " ":  # columns that are aligned have several
        text = "\n".join(SPACES.sub(" ", line).strip() for line in text.splitlines())
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        yield from (row for row in reader if row)
    except csv.Error:  # a cell larger than the module takes; the engine will tell
        return


def _delimiter(text: str) -> str:
    """Choose the mark that splits the sample into the same number of columns, the most of them."""
    best, most = ",", 0
    for mark in DELIMITERS:
        if mark == " " and most:  # texts hold spaces; they separate where nothing else does
            break
        widths = [len(row) for _, row in zip(range(SAMPLE_ROWS), _rows(text, mark), strict=False)]
        if not widths or widths[0] < 2:
            continue
        # A mark that splits every row alike beats one that splits only the header.
        score = widths[0] + (10_000 if len(set(widths)) == 1 else 0)
        if score > most:
            best, most = mark, score
    return best


def _name(
    path: Path, shown: str, header: Sequence[str], mark: str, *, one_column: bool
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Name the columns, those of no name of their own by their place."""
    names = [name.strip("\ufeff \t\r\n") for name in header]
    if len(names) < 2 and not (one_column and names[0]):
        first = printable(names[0][:60])
        found = f"only one column ({first!r}) when split at the {_word(mark)}."
        likely = next((one for one in ODD_MARKS if one in first), "")
        fix = "Expected a header row with column names, such as id,truth,cnn."
        if says_call(names[0]):
            fix = ask_for_truth(path)
        if likely:
            fix = f"If {likely!r} separates the columns, name it: {switch('delimiter', likely)}."
        raise FileUnreadable.for_file(shown, found, fix=fix, code="one-column")
    # Engines fold the case of ASCII letters only, as bytes.lower does.
    folded = [name.encode("utf-8", "replace").lower() for name in names]
    several = {name for name in folded if name and folded.count(name) > 1}
    places = [f"column {place}" for place in range(1, len(names) + 1)]
    filled = tuple(
        f"{name} ({place})" if fold in several else name or place
        for name, fold, place in zip(names, folded, places, strict=True)
    )
    unnamed = tuple(
        name
        for name, fold in zip(filled, folded, strict=True)
        if name in places or fold in several or PANDAS_INDEX.fullmatch(name)
    )
    refuse_repeated_columns(shown, filled)
    repeated = [name for name, fold in zip(names, folded, strict=True) if fold in several]
    return filled, unnamed, tuple(repeated)


def _word(delimiter: str) -> str:
    return DELIMITERS.get(delimiter, repr(delimiter))


# --- CSV and TSV files opened in the dialect that was detected or declared -----------------------


HEADER = re.compile(r'\A(\ufeff?[\r\n]*)(?:[^"\r\n]|"(?:[^"]|"")*")*(\r\n|\n|\r|\Z)')
HEAD_CHARACTERS = 1 << 20
LONGEST_LINE = 2_000_000
"""Bytes of the longest line that the engine takes, which is its own default."""


def open_delimited(  # noqa: PLR0913
    engine: LocalEngine,
    path: Path,
    *,
    name: str,
    delimiter: str | None,
    decimal: Decimal | None,
    encoding: str | None,
    columns: Sequence[str] | None = None,
    one_column: bool = False,
    choose: Choose = all_columns,
) -> Origin:
    """Open one delimited file; every column is text until all its values were looked at."""
    dialect = detect_dialect(
        path,
        name=name,
        delimiter=delimiter,
        encoding=encoding,
        columns=columns,
        one_column=one_column,
    )
    chosen = choose(dialect.columns)
    spaced = dialect.delimiter == " "
    plain = dialect.encoding == "utf-8" and not dialect.broken and not spaced
    source = path if plain else _as_utf8(engine, path, name, dialect)
    explain_reading(engine, source, name)
    settings = {
        "delim": quote_literal("\t" if spaced else dialect.delimiter),
        "quote": "'\"'",
        "escape": "'\"'",
        "header": "true" if dialect.header and not dialect.row_names else "false",
        "skip": str(dialect.skipped + dialect.row_names),
    }
    if dialect.compressed and source is path:
        settings |= {"compression": "'gzip'", "parallel": "false"}
    else:
        _refuse_long_end(source, name)
    raw = engine.read_csv(source, columns=dialect.columns, options=settings)
    small = path.stat().st_size <= KEEP_BYTES
    narrow = f"SELECT {select(chosen)} FROM {{t}}"
    table = raw.derive(narrow, keep=True) if small else engine.store(raw.derive(narrow))
    table, excluded = _without_empty_rows(table, dialect)
    return Origin(
        excluded=excluded,
        name=name,
        table=table,
        text=True,
        decimal=decimal,
        delimiter=dialect.delimiter,
        files=(InputFile(name=name, path=path, read_as=dialect.said()),),
        unread=tuple(one for one in dialect.columns if one not in set(chosen)),
        unnamed=dialect.unnamed,
        repeated=dialect.repeated,
    )


def _refuse_long_end(path: Path, name: str) -> None:
    """Refuse a file whose last line is longer than what the engine reads.

    Several readers of DuckDB 2.0 that share a file leave such a line out without a word if it is
    longer than their buffer; one reader, as packed files have, complains of it as of any other.
    """
    size = path.stat().st_size
    if size <= LONGEST_LINE:
        return
    with path.open("rb") as file:
        file.seek(size - LONGEST_LINE)
        end = file.read(LONGEST_LINE).rstrip(b"\r\n")
    if b"\n" not in end and b"\r" not in end:
        raise line_too_long(path, name)


def _without_empty_rows(
    table: LocalTable, dialect: DelimitedDialect
) -> tuple[LocalTable, tuple[Exclusion, ...]]:
    """Leave out the rows at the end of a sheet that hold nothing but delimiters."""
    if {*table.columns} != {*dialect.columns} or len(dialect.columns) > MOST_LOOKED_AT:
        return table, ()
    cells = ", ".join(f"NULLIF(TRIM({quote_name(name)}), '')" for name in dialect.columns)
    empty = f"COALESCE({cells}) IS NULL"
    ((rows, filled, last),) = table.query(
        f"SELECT COUNT(*), COUNT(CASE WHEN NOT ({empty}) THEN 1 END), MAX(CASE WHEN NOT ({empty}) "
        "THEN place END) FROM (SELECT *, ROW_NUMBER() OVER () AS place FROM {t}) AS numbered"
        if _may_end_empty(table, empty)
        else "SELECT COUNT(*), COUNT(*), COUNT(*) FROM {t}"
    )
    if rows == filled or not filled or last != filled:  # a gap among the rows is asked about
        return table, ()
    left = table.derive(f"SELECT * FROM {{t}} WHERE NOT ({empty})", keep=True)
    return left, (Exclusion(reason="empty row at the end", rows=int(rows - filled)),)


def _may_end_empty(table: LocalTable, empty: str) -> bool:
    ((found,),) = table.query(f"SELECT COUNT(*) FROM (SELECT 1 FROM {{t}} WHERE {empty} LIMIT 1)")
    return bool(found)


def _one_line_header(text: str, dialect: DelimitedDialect) -> str:
    numbers = dialect.delimiter.join(f"column{place}" for place in range(len(dialect.columns)))
    return HEADER.sub(lambda found: f"{found[1]}{numbers}{found[2]}", text, count=1)


def _as_utf8(engine: LocalEngine, path: Path, name: str, dialect: DelimitedDialect) -> Path:
    """Copy a file in another encoding to UTF-8, in the engine's own scratch folder.

    A header of several lines becomes one line; the names are known already. White space between
    columns becomes one tab.
    """
    copy = engine.scratch(".csv")
    opener = gzip.open if dialect.compressed else open
    try:
        with (
            opener(path, "rt", encoding=dialect.encoding, newline="") as reader,
            copy.open("w", encoding="utf-8", newline="") as writer,
        ):
            if dialect.broken:
                writer.write(_one_line_header(reader.read(HEAD_CHARACTERS), dialect))
            if dialect.delimiter == " ":
                lines = ("\t".join(line.split()) for line in reader)
                writer.writelines(f"{line}\n" for line in lines if line)
            shutil.copyfileobj(reader, writer)
    except UnicodeError as error:
        found = f"byte {getattr(error, 'start', 0)} of a block is not {dialect.encoding.upper()}."
        fix = f"Name another encoding: {switch('encoding', 'utf-8')}."
        raise FileUnreadable.for_file(name, found, fix=fix, code="encoding") from error
    return copy

"""CSV and TSV files opened in the dialect that was detected or declared."""

import gzip
import re
import shutil
from pathlib import Path

from steelyard.engines.dialect import quote_literal
from steelyard.engines.local import LocalEngine
from steelyard.errors import FileUnreadable, switch
from steelyard.sources.explanations import explain_reading
from steelyard.sources.files.dialect import DelimitedDialect, detect_dialect
from steelyard.sources.origins import (
    KEEP_BYTES,
    Choose,
    Decimal,
    InputFile,
    Origin,
    all_columns,
    select,
)

__all__ = ["open_delimited"]

HEADER = re.compile(r'\A(\ufeff?[\r\n]*)(?:[^"\r\n]|"(?:[^"]|"")*")*(\r\n|\n|\r|\Z)')
HEAD_CHARACTERS = 1 << 20


def open_delimited(
    engine: LocalEngine,
    path: Path,
    *,
    name: str,
    delimiter: str | None,
    decimal: Decimal | None,
    encoding: str | None,
    choose: Choose = all_columns,
) -> Origin:
    """Open one delimited file; every column is text until all its values were looked at."""
    dialect = detect_dialect(path, name=name, delimiter=delimiter, encoding=encoding)
    chosen = choose(dialect.columns)
    spaced = dialect.delimiter == " "
    plain = dialect.encoding == "utf-8" and not dialect.broken and not spaced
    source = path if plain else _as_utf8(engine, path, name, dialect)
    explain_reading(engine, source, name)
    settings = {
        "delim": quote_literal("\t" if spaced else dialect.delimiter),
        "quote": "'\"'",
        "escape": "'\"'",
        "header": "true",
        "skip": str(dialect.skipped),
    }
    if dialect.compressed and source is path:
        settings["compression"] = "'gzip'"
    raw = engine.read_csv(source, columns=dialect.columns, options=settings)
    small = path.stat().st_size <= KEEP_BYTES
    narrow = f"SELECT {select(chosen)} FROM {{t}}"
    table = raw.derive(narrow, keep=True) if small else engine.stored(raw.derive(narrow))
    return Origin(
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
                writer.writelines("\t".join(line.split()) + "\n" for line in reader)
            shutil.copyfileobj(reader, writer)
    except UnicodeError as error:
        found = f"byte {getattr(error, 'start', 0)} of a block is not {dialect.encoding.upper()}."
        fix = f"Name another encoding: {switch('encoding', 'utf-8')}."
        raise FileUnreadable.for_file(name, found, fix=fix, code="encoding") from error
    return copy

"""CSV and TSV: the dialect is detected on the first rows, shown, and then held to strictly."""

import codecs
import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from steelyard.errors import FileUnreadable, RequestError, listing, printable, switch
from steelyard.sources.files.formats import open_bytes, read_head
from steelyard.sources.origins import refuse_repeated_columns

__all__ = ["DelimitedDialect", "check_delimiter", "detect_dialect", "find_bad_byte"]

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe", " ": "white space"}
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
NUMBER = re.compile(r"\s*[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d+)?\s*")
SPACES = re.compile(r"[ \t]+")
PANDAS_INDEX = re.compile(r"Unnamed: \d+(_level_\d+)?")
SAMPLE_ROWS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class DelimitedDialect:
    """How a delimited file is written: what was detected, and what was declared.

    ``skipped`` blank lines stand before the header; ``broken`` is a header with a line break
    inside a name, by which an engine would be misled.
    """

    delimiter: str
    encoding: str
    columns: tuple[str, ...]
    unnamed: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()
    compressed: bool = False
    skipped: int = 0
    broken: bool = False

    def said(self) -> str:
        """Say the dialect in words."""
        kind = "TSV" if self.delimiter == "\t" else "CSV"
        packed = ", gzip" if self.compressed else ""
        mark = _word(self.delimiter)
        return f"{kind}: {mark}, {self.encoding.upper()}{packed}, {len(self.columns)} columns"


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
) -> DelimitedDialect:
    """Read the first rows and establish delimiter, encoding and column names.

    What is declared wins over what is detected. A file without named columns is refused: no
    column gets its meaning from its position.
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
    mark = delimiter or _delimiter(body)
    header = next(_rows(body, mark), None)
    if header is None:
        found = f"the first row holds a cell of more than {csv.field_size_limit():,} characters."
        fix = "Expected a header row with column names, such as id,truth,cnn."
        raise FileUnreadable.for_file(shown, found, fix=fix, code="no-header")
    columns, unnamed, repeated = _named(shown, header, mark)
    return DelimitedDialect(
        delimiter=mark,
        encoding="utf-8" if used == "utf-8-sig" else used,
        columns=columns,
        unnamed=unnamed,
        repeated=repeated,
        compressed=compressed,
        skipped=len(text[: len(text) - len(body)].splitlines()),
        broken=any({"\r", "\n"} & set(name) for name in header),
    )


def find_bad_byte(path: Path) -> int | None:
    """Find the offset of the first byte that is not UTF-8, or None."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    offset = 0
    with open_bytes(path) as file:
        while chunk := file.read(1 << 20):
            held = len(decoder.getstate()[0])
            try:
                decoder.decode(chunk)
            except UnicodeDecodeError as error:
                return offset - held + error.start
            offset += len(chunk)
    held = len(decoder.getstate()[0])
    return offset - held if held else None


def _encoding(shown: str, head: bytes, declared: str | None) -> str:
    if declared is not None:
        try:
            b"".decode(declared), "".encode(declared)
            known = codecs.lookup(declared).name
        except (LookupError, UnicodeError) as error:
            message = (
                f"encoding={declared!r} is no encoding of text that Python knows. Try "
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
        text = SPACES.sub(" ", text)
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


def _named(
    shown: str, header: Sequence[str], mark: str
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Name the columns, those of no name of their own by their place."""
    names = [name.strip("\ufeff \t\r\n") for name in header]
    if any(names) and all(NUMBER.fullmatch(name) for name in names if name):
        found = f"the first row holds numbers ({listing(names, most=4)}), not column names."
        fix = "Add a header row, such as id,truth,cnn,svm: no column is read by its position."
        raise FileUnreadable.for_file(shown, found, fix=fix, code="no-header")
    if len(names) < 2:
        first = printable(names[0][:60])
        found = f"only one column ({first!r}) when split at the {_word(mark)}."
        fix = f"If another character separates the columns, name it: {switch('delimiter', ';')}."
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

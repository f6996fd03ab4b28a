"""What the engine complains of, said as what was found, where, and what to do."""

import codecs
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path

from steelyard.engines.local import LocalEngine
from steelyard.errors import FileUnreadable, RefusedData, SteelyardError, printable, switch
from steelyard.sources.files.formats import open_bytes

__all__ = ["explain_reading", "find_bad_byte", "line_too_long"]

CSV_LINE = re.compile(r"CSV Error on Line: (\d+)")
COLUMNS = re.compile(r"Expected Number of Columns: (\d+) Found: (\d+)")
RESOURCES = ("Out of Memory", "No space left", "failed to allocate")


def explain_reading(engine: LocalEngine, path: Path | str, name: str) -> None:
    """Let the engine name this file in our words from now on, beside those opened before."""
    if not isinstance(engine.explain, Explainer):
        engine.explain = Explainer(plain=engine.without_secrets)
    engine.explain.files[str(path)] = name


@dataclass(slots=True)
class Explainer:
    """Knows the files that were opened, and finds the one a complaint is about."""

    plain: Callable[[str], str] = str
    files: dict[str, str] = field(default_factory=dict)

    def __call__(self, error: Exception) -> SteelyardError:
        """Explain a complaint; one that names no file is about the file opened last."""
        text = self.plain(str(error))
        path = next((path for path in self.files if path in text), list(self.files)[-1])
        if "://" in path:
            return _explain_address(path, text)
        return _explain(Path(path), self.files[path], text)


def _explain_address(address: str, text: str) -> SteelyardError:
    found = f"it cannot be read from there ({_first_line(text)[:200]})."
    fix = "Check the address, and the keys that DuckDB finds for it."
    return FileUnreadable.for_file(address, found, fix=fix, code="remote")


def _explain(path: Path, name: str, text: str) -> SteelyardError:
    if any(mark in text for mark in RESOURCES):
        message = (
            f"{printable(name)}: not enough memory or disk space to read it ({_first_line(text)}). "
            "Free some, or write the file as Parquet, which needs less."
        )
        return RefusedData(message, code="resources")
    for looks_like, said in EXPLANATIONS:
        if looks_like(text):
            return said(path, name, text)
    found = f"it cannot be read ({_first_line(text.replace(str(path), name))})."
    fix = "Write or copy the file again."
    return FileUnreadable.for_file(name, found, fix=fix, code="damaged")


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


def _bad_encoding(path: Path, name: str, text: str) -> SteelyardError:
    del text
    offset = find_bad_byte(path)
    found = "it is not UTF-8." if offset is None else f"byte {offset} is not UTF-8."
    fix = f"If you know the encoding, name it, for example {switch('encoding', 'cp1252')}."
    return FileUnreadable.for_file(name, found, fix=fix, code="encoding")


def _open_quote(path: Path, name: str, text: str) -> SteelyardError:
    del path
    found = f"{_line(text)}: a quote is opened and not closed at the end of its cell."
    fix = 'Close it; a quote inside a quoted cell is written twice: "".'
    return FileUnreadable.for_file(name, found, fix=fix, code="open-quote")


def _explain_ragged(path: Path, name: str, text: str) -> SteelyardError:
    found = f"{_line(text)} has more or fewer columns than the header."
    numbers = COLUMNS.search(text)
    if numbers:
        wanted, had = numbers.groups()
        plural = "" if had == "1" else "s"
        found = f"{_line(text)} has {had} column{plural}, the header has {wanted}."
    with open_bytes(path) as file:
        first = file.readline(1 << 16).decode("utf-8", "replace")
    marks = [mark for mark in ";\t|" if mark in first]
    another = f", or name the delimiter: {switch('delimiter', marks[0])}" if marks else ""
    fix = f"Correct that row{another}."
    return FileUnreadable.for_file(name, found, fix=fix, code="ragged")


def _line_ends(path: Path, name: str, text: str) -> SteelyardError:
    del text
    with open_bytes(path) as file:
        content = file.read(1 << 24)
    pairs = content.count(b"\r\n")
    mixed = sum((pairs > 0, content.count(b"\r") > pairs, content.count(b"\n") > pairs)) > 1
    if mixed:
        found = "its lines end in more than one way (CR LF, LF, CR)."
        fix = f"Give all lines one ending, for example: dos2unix {printable(name)}"
        return FileUnreadable.for_file(name, found, fix=fix, code="line-ends")
    fix = "Write the file again with a CSV writer."
    return FileUnreadable.for_file(name, "its quotes are broken.", fix=fix, code="open-quote")


def _bad_json(path: Path, name: str, text: str) -> SteelyardError:
    line = _bad_json_line(path)
    if line is None:  # the engine loses its place where a line is longer than what it reads at once
        return _explain_long_line(path, name, text)
    found = f"line {line:,} is not JSON ({_first_line(text).rpartition(': ')[2]})."
    fix = 'Expected an object a line, such as {"item": "1", "truth": "cat", "cnn": "dog"}.'
    return FileUnreadable.for_file(name, found, fix=fix, code="bad-json")


def _bad_json_line(path: Path) -> int | None:
    """Find the first line that is not an object; the engine counts lines its own way."""
    with open_bytes(path) as file:
        for number, line in enumerate(file, 1):
            try:
                if line.strip():
                    json.loads(line)
            except (ValueError, RecursionError):
                return number
    return None


def _explain_long_line(path: Path, name: str, text: str) -> SteelyardError:
    del text
    return line_too_long(path, name)


def line_too_long(path: Path, name: str) -> SteelyardError:
    """Refuse a file for the longest of its lines."""
    line, size = _longest_line(path)
    found = f"line {line:,} is too long to be read ({size:,} bytes)."
    fix = (
        "Leave out columns or fields that the question does not need, such as whole documents, or "
        "write the file as Parquet."
    )
    return FileUnreadable.for_file(name, found, fix=fix, code="long-line")


def _longest_line(path: Path) -> tuple[int, int]:
    """Find the number and the size of the longest line, whatever memory it would take."""
    longest, number, size = (1, 0), 1, 0
    with open_bytes(path) as file:
        while piece := file.readline(1 << 20):
            size += len(piece)
            longest = max(longest, (number, size), key=itemgetter(1))
            if piece.endswith(b"\n"):
                number, size = number + 1, 0
    return longest


def _has(*words: str) -> Callable[[str], bool]:
    return lambda text: any(word in text.lower() for word in words)


EXPLANATIONS: tuple[
    tuple[Callable[[str], bool], Callable[[Path, str, str], SteelyardError]], ...
] = (
    (_has("maximum line size", "maximum_object_size"), _explain_long_line),
    (_has("utf-8", "unicode"), _bad_encoding),
    (_has("unterminated quote"), _open_quote),
    (_has("expected number of columns"), _explain_ragged),
    (_has("invalid state"), _line_ends),
    (_has("malformed json", "invalid json"), _bad_json),
)


def _line(text: str) -> str:
    found = CSV_LINE.search(text)
    return f"line {found[1]}" if found else "a line"


def _first_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    first = lines[0] if lines else "no reason given"
    return re.sub(r"^[A-Z][A-Za-z/ ]* Error: ", "", first).rstrip(".")

"""ARFF, as Weka and OpenML write it: names of attributes in a header, then rows of CSV."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from steelyard.engines.local import LocalEngine
from steelyard.errors import FileUnreadable
from steelyard.sources.files.formats import open_bytes

__all__ = ["list_attributes", "read_arff", "write_arff_rows"]

UNKNOWN = "?"
"""What ARFF writes where nothing is known."""


def list_attributes(lines: Sequence[str]) -> list[str]:
    """Name the attributes of a header; names with spaces stand in quotes.

    >>> list_attributes(["@attribute 'my truth' {cat,dog}", "@ATTRIBUTE n NUMERIC"])
    ['my truth', 'n']
    """
    names = []
    for line in lines:
        word, *others = line.strip().split(maxsplit=1) if line.strip() else [""]
        if word.lower() == "@attribute" and others:
            rest = others[0]
            quote = rest[:1]
            quoted = quote in {"'", '"'}
            names.append(rest[1:].partition(quote)[0] if quoted else rest.split()[0])
    return names


def read_arff(path: Path, name: str) -> tuple[list[str], Iterator[list[str]]]:
    """Give the names of the attributes, and the values of every row."""
    with open_bytes(path) as file:
        # Some writers end the file with a NUL byte.
        lines = file.read().decode("utf-8", "replace").rstrip("\x00").splitlines()
    start = next((n for n, line in enumerate(lines) if line.strip().lower() == "@data"), None)
    kept = [] if start is None else lines[start + 1 :]
    data = [line for line in kept if line.strip() and not line.startswith("%")]
    columns = list_attributes(lines if start is None else lines[:start])
    return columns, _rows(data, columns, name)


def _rows(data: Sequence[str], columns: Sequence[str], name: str) -> Iterator[list[str]]:
    if any(line.lstrip().startswith("{") for line in data[:1]):
        found = "its rows are sparse, {0 a, 3 b}, which are not read."
        fix = "Write them in full (in Weka: the filter SparseToNonSparse)."
        raise FileUnreadable.for_file(name, found, fix=fix, code="arff")
    quote = '"' if any('"' in line for line in data[:100]) else "'"
    for values in csv.reader(data, quotechar=quote, skipinitialspace=True, escapechar="\\"):
        if len(values) != len(columns):
            found = f"a row has {len(values)} values for {len(columns)} attributes."
            fix = "Expected as many values in every row as the header has attributes."
            raise FileUnreadable.for_file(name, found, fix=fix, code="arff")
        yield values


def write_arff_rows(engine: LocalEngine, path: Path, name: str) -> Path:
    """Write the rows as the CSV that they would be."""
    columns, rows = read_arff(path, name)
    copy = engine.scratch(".csv")
    with copy.open("w", encoding="utf-8", newline="") as file:
        written = csv.writer(file)
        written.writerow(columns)
        for row in rows:
            written.writerow(["" if cell.strip() == UNKNOWN else cell.strip() for cell in row])
    return copy

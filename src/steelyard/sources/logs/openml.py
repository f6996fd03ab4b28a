"""OpenML: ``predictions.arff`` of a run."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from steelyard.errors import FileUnreadable
from steelyard.sources.files.formats import open_bytes
from steelyard.sources.logs.log_format import Head, LogFormat
from steelyard.sources.logs.rows import Log, LogRow

__all__ = ["FORMATS"]

NEEDED = ("row_id", "prediction", "correct")


def _tells(head: Head) -> bool:
    text = head.start[:4096].lower()
    return b"@relation" in text and b"@attribute" in text


def _read(path: Path, name: str) -> Log:
    with open_bytes(path) as file:
        lines = file.read().decode("utf-8", "replace").splitlines()
    columns = list(_attributes(lines))
    missing = [one for one in NEEDED if one not in columns]
    if missing:
        found = f"there is no attribute {missing[0]}."
        fix = "Expected predictions.arff as an OpenML run writes it."
        raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log")
    rows = list(_rows(_data(lines), columns, name))
    return Log(rows=rows, notes=("the attribute 'correct' is the true class",))


def _attributes(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        if word.lower() == "@attribute":
            quote = rest[:1]
            yield rest[1:].partition(quote)[0] if quote in {"'", '"'} else rest.split()[0]


def _data(lines: Sequence[str]) -> list[str]:
    start = next((n for n, line in enumerate(lines) if line.strip().lower() == "@data"), None)
    kept = [] if start is None else lines[start + 1 :]
    return [line for line in kept if line.strip() and not line.startswith("%")]


def _rows(data: Sequence[str], columns: Sequence[str], name: str) -> Iterator[LogRow]:
    for values in csv.reader(data, quotechar="'", skipinitialspace=True, escapechar="\\"):
        if len(values) != len(columns):
            found = f"a row has {len(values)} values for {len(columns)} attributes."
            fix = "Expected predictions.arff as an OpenML run writes it."
            raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log")
        one = dict(zip(columns, values, strict=True))
        yield LogRow(
            item=one["row_id"],
            system=name.partition(".")[0],
            truth=one["correct"],
            called=one["prediction"],
            repeat=one.get("repeat", "0"),
            facts={key: one[key] for key in ("fold", "sample", "repeat") if key in one},
        )


FORMATS = (
    LogFormat(
        name="OpenML predictions",
        tells=_tells,
        read=_read,
        item="row_id",
        repeats="repeat",
        traps="'correct' is the true class, quoted names, repeats",
        provenance="written by the tool's own classes",
    ),
)

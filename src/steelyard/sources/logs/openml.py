"""OpenML and Weka: ``predictions.arff`` of a run, and the predictions that Weka prints as CSV."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from steelyard.errors import FileUnreadable
from steelyard.sources.files.formats import open_bytes
from steelyard.sources.logs.log_format import Head, LogFormat
from steelyard.sources.logs.rows import Log, LogRow

__all__ = ["FORMATS"]

NEEDED = ("row_id", "prediction", "correct")
TRUTHS = ("correct", "truth")
"""What is true is called ``truth`` by the package of R."""

WEKA = b"inst#,actual,predicted,error"


def _tells(head: Head) -> bool:
    text = head.start[:4096].lower()
    return b"@relation" in text and b"@attribute" in text


def _read(path: Path, name: str) -> Log:
    with open_bytes(path) as file:
        # Some writers end the file with a NUL byte.
        lines = file.read().decode("utf-8", "replace").rstrip("\x00").splitlines()
    columns = list(_attributes(lines))
    named = {one.lower(): one for one in columns}
    truth = next((one for one in TRUTHS if one in named), "correct")
    columns = ["correct" if one.lower() == truth else one.lower() for one in columns]
    missing = [one for one in NEEDED if one not in columns]
    if missing:
        found = f"there is no attribute {missing[0]}."
        fix = "Expected predictions.arff as an OpenML run writes it."
        raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log")
    rows = list(_rows(_data(lines), columns, name))
    return Log(rows=rows, notes=(f"the attribute {named[truth]!r} is the true class",))


def _attributes(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        word, *others = line.strip().split(maxsplit=1) if line.strip() else [""]
        if word.lower() == "@attribute" and others:
            rest = others[0]
            quote = rest[:1]
            yield rest[1:].partition(quote)[0] if quote in {"'", '"'} else rest.split()[0]


def _data(lines: Sequence[str]) -> list[str]:
    start = next((n for n, line in enumerate(lines) if line.strip().lower() == "@data"), None)
    kept = [] if start is None else lines[start + 1 :]
    return [line for line in kept if line.strip() and not line.startswith("%")]


def _rows(data: Sequence[str], columns: Sequence[str], name: str) -> Iterator[LogRow]:
    quote = '"' if any('"' in line for line in data[:100]) else "'"
    for values in csv.reader(data, quotechar=quote, skipinitialspace=True, escapechar="\\"):
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


def _tells_weka(head: Head) -> bool:
    return head.start.lstrip(b"\xef\xbb\xbf\r\n ").startswith(WEKA)


def _read_weka(path: Path, name: str) -> Log:
    """Read ``1,2:dog,2:dog,,0.9``: classes have their number before them.

    The numbers of items start again in every fold, so that items go by their places.
    """
    with open_bytes(path) as file:
        lines = file.read().decode("utf-8", "replace").rstrip("\x00").splitlines()
    rows = []
    for place, one in enumerate(csv.DictReader(line for line in lines if line.strip()), 1):
        truth, called = str(one["actual"] or ""), str(one["predicted"] or "")
        if ":" not in truth or ":" not in called:
            found = f"row {place} has no class such as 1:yes."
            fix = "Expected what Weka prints with -classifications CSV."
            raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log")
        rows.append(
            LogRow(
                item=str(place),
                system=name.rpartition(".")[0],
                truth=truth.partition(":")[2],
                called=called.partition(":")[2],
            )
        )
    starts = sum(line.startswith("1,") for line in lines)
    again = f" (the numbers of Weka start again {starts - 1:,} times)" if starts > 1 else ""
    return Log(rows=rows, notes=(f"items go by their places in the file{again}",))


FORMATS = (
    LogFormat(
        name="Weka predictions (.csv)",
        tells=_tells_weka,
        read=_read_weka,
        item="place in the file",
        repeats="none",
        traps="numbers of items start again in every fold, classes with numbers",
        provenance="unverified",
    ),
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

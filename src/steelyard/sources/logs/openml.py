"""OpenML and Weka: ``predictions.arff`` of a run, and the predictions that Weka prints as CSV."""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from steelyard.errors import FileUnreadable
from steelyard.sources.files.arff import list_attributes, read_arff
from steelyard.sources.files.formats import is_arff, open_bytes
from steelyard.sources.logs.log_format import Head, Log, LogFormat, LogRow

__all__ = ["FORMATS"]

NEEDED = ("row_id", "prediction")
TRUTHS = ("correct", "truth")
"""What is true is called ``truth`` by the package of R."""

HEADED = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:\s*===[^\n]*===\s*\n)?\s*inst#(?:,|\s+)actual(?:,|\s+)predicted(?:,|\s+)error"
)
"""How Weka heads its predictions, perhaps under a title."""


def _tells(head: Head) -> bool:
    """Tell a run by its attributes; any other file of ARFF is a table."""
    if not is_arff(head.start):
        return False
    names = {
        one.lower() for one in list_attributes(head.start.decode("utf-8", "replace").splitlines())
    }
    return names >= {*NEEDED} and bool(names & {*TRUTHS})


def _read(path: Path, name: str) -> Log:
    attributes, rows = read_arff(path, name)
    named = {one.lower(): one for one in attributes}
    truth = next(one for one in TRUTHS if one in named)
    columns = ["correct" if one.lower() == truth else one.lower() for one in attributes]
    return Log(
        rows=[_row(dict(zip(columns, values, strict=True)), name) for values in rows],
        notes=(f"the attribute {named[truth]!r} is the true class",),
    )


def _row(one: dict[str, str], name: str) -> LogRow:
    return LogRow(
        item=one["row_id"],
        system=name.partition(".")[0],
        truth=one["correct"],
        called=one["prediction"],
        repeat=one.get("repeat", "0"),
        facts={key: one[key] for key in ("fold", "sample", "repeat") if key in one},
    )


def _tells_weka(head: Head) -> bool:
    return HEADED.match(head.start) is not None


def _weka_rows(lines: Sequence[str]) -> Iterator[Mapping[str, str]]:
    """Give the rows of what Weka prints as CSV or as plain text, in which + marks an error."""
    if "," in lines[0]:
        yield from csv.DictReader(lines)
        return
    for line in lines[1:]:
        words = [*line.split(), "", ""]
        yield {"inst#": words[0], "actual": words[1], "predicted": words[2]}


def _read_weka(path: Path, name: str) -> Log:
    """Read ``1,2:dog,2:dog,,0.9``: classes have their number before them.

    The numbers of items start again in every fold, so that items go by their places.
    """
    with open_bytes(path) as file:
        lines = file.read().decode("utf-8-sig", "replace").rstrip("\x00").splitlines()
    lines = [line for line in lines if line.strip() and not line.startswith("===")]
    rows = []
    for place, one in enumerate(_weka_rows(lines), 1):
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
    starts = sum(line.lstrip().startswith(("1,", "1 ")) for line in lines)
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

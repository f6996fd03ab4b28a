"""sclite: alignments of speech recognition (``.pra``), a verdict for each sentence."""

import re
from pathlib import Path

from steelyard.errors import FileUnreadable
from steelyard.sources.files.formats import open_bytes
from steelyard.sources.logs.log_format import Head, LogFormat
from steelyard.sources.logs.rows import Log, LogRow

__all__ = ["FORMATS"]

SENTENCE = re.compile(r"^id: \((?P<id>[^)]*)\)\s*$", re.MULTILINE)
SCORES = re.compile(r"^Scores: \(#C #S #D #I\) (\d+) (\d+) (\d+) (\d+)\s*$", re.MULTILINE)


def _tells(head: Head) -> bool:
    return b"\nScores: (#C #S #D #I)" in head.start and b"\nid: (" in head.start


def _read(path: Path, name: str) -> Log:
    with open_bytes(path) as file:
        text = file.read().decode("utf-8", "replace")
    starts = list(SENTENCE.finditer(text))
    rows = []
    words = wrong = 0
    for place, start in enumerate(starts):
        end = starts[place + 1].start() if place + 1 < len(starts) else len(text)
        scores = SCORES.search(text, start.end(), end)
        if scores is None:
            found = f"the sentence {start['id']!r} has no line of scores (#C #S #D #I)."
            fix = "Expected alignments as sclite writes them with -o pra."
            raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log")
        right, changed, left, added = map(int, scores.groups())
        words += right + changed + left
        wrong += changed + left + added
        rows.append(
            LogRow(
                item=start["id"],
                system=name.partition(".")[0],
                values={"sentence": float(changed + left + added == 0)},
                facts={"speaker": re.split(r"[-_]", start["id"])[0]},
            )
        )
    rate = f"; {wrong:,} word errors in {words:,} words, {wrong / words:.2%}" if words else ""
    return Log(rows=rows, default="sentence", notes=(f"a sentence is right as a whole{rate}",))


FORMATS = (
    LogFormat(
        name="sclite alignments (.pra)",
        tells=_tells,
        read=_read,
        item="id of the sentence",
        repeats="none",
        traps="word errors are not verdicts: a sentence is right as a whole",
        provenance="unverified",
    ),
)

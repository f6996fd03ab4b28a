"""Inspect: ``.eval`` archives, ``.json`` logs, and runs that crashed before their header."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from steelyard.errors import FileUnreadable, counted, printable
from steelyard.sources.logs.archives import Archive, is_archive
from steelyard.sources.logs.json_text import parsed, read_json
from steelyard.sources.logs.log_format import Head, LogFormat
from steelyard.sources.logs.rows import Log, LogRow, as_number, as_text, plain_facts

__all__ = ["FORMATS"]

HEADER, START = "header.json", "_journal/start.json"
SUMMARIES, JOURNAL = "summaries.json", "_journal/summaries/"


def _tells_archive(head: Head) -> bool:
    if not is_archive(head.start):
        return False
    # The names of members stand in front of each; a workbook or a jar starts with other ones.
    return head.path.suffix.lower() == ".eval" or START.encode() in head.start


def _tells_json(head: Head) -> bool:
    return {"version", "status", "eval"} <= head.keys


def _read_archive(path: Path, name: str) -> Log:
    with Archive(path, name) as archive:
        if HEADER in archive.members:
            header = parsed(archive.read(HEADER), f"{name}, {HEADER}")
        elif START in archive.members:
            header = {**parsed(archive.read(START), f"{name}, {START}"), "status": "crashed"}
        else:
            found = f"there is neither {HEADER} nor {START} in it."
            fix = "Expected a log of Inspect, a zip file that it wrote itself."
            raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log")
        members = [SUMMARIES] if SUMMARIES in archive.members else _journal(archive.members)
        samples = [one for m in members for one in parsed(archive.read(m), f"{name}, {m}")]
    return _log(header, samples, name)


def _journal(members: frozenset[str]) -> list[str]:
    found = [member for member in members if member.startswith(JOURNAL)]
    return sorted(found, key=lambda member: (len(member), member))


def _read_json(path: Path, name: str) -> Log:
    whole = read_json(path, name)
    return _log(whole, whole.get("samples") or [], name)


def _log(header: Mapping[str, Any], samples: Sequence[Mapping[str, Any]], name: str) -> Log:
    try:
        about = header["eval"]
        model, task = str(about["model"]), str(about["task"])
        rows = [_row(sample, model, task) for sample in samples]
    except (KeyError, TypeError, AttributeError) as error:
        found = f"a field of the log is missing or of another kind ({printable(error)})."
        fix = "Expected a log of Inspect with eval.model, eval.task and samples."
        raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log") from error
    return Log(rows=rows, asked="scorer", caveats=tuple(_doubts(header, name, len(rows))))


def _row(sample: Mapping[str, Any], model: str, task: str) -> LogRow:
    scores = sample.get("scores") or {}
    error = sample.get("error")
    if not scores and not error:
        error = "not scored"
    return LogRow(
        item=as_text(sample["id"]),
        system=model,
        task=task,
        repeat=as_text(sample.get("epoch", 1)),
        values={
            judge: number
            for scorer, score in scores.items()
            for judge, value in _parts(scorer, score["value"])
            if (number := as_number(value)) is not None
        },
        error=_message(error) if not scores and error else None,
        facts=plain_facts(sample.get("metadata")),
    )


def _parts(scorer: str, value: object) -> list[tuple[str, object]]:
    """Give one judge for each key of a dict; a list has no names to choose by."""
    if isinstance(value, Mapping):
        return [(f"{scorer}.{key}", one) for key, one in value.items()]
    return [(scorer, value)]


def _message(error: object) -> str:
    text = error.get("message") if isinstance(error, Mapping) else error
    return str(text) if isinstance(text, str) else json.dumps(text)


def _doubts(header: Mapping[str, Any], name: str, rows: int) -> Iterator[str]:
    status = header.get("status")
    if status != "success":
        said = f"{printable(name)}: the run ended as {printable(status)!r}, with "
        yield f"{said}{counted(rows, 'sample')} in the log"
    stops = ((header.get("results") or {}).get("early_stopping") or {}).get("early_stops") or []
    if stops:
        yield (
            f"{printable(name)}: {counted(len(stops), 'sample')} not run, stopped early by the "
            "run's own rule; items left out by what was seen make every interval doubtful"
        )


FORMATS = (
    LogFormat(
        name="Inspect .eval",
        tells=_tells_archive,
        read=_read_archive,
        item="sample id",
        repeats="epochs",
        traps="zstd and deflate, no header, ids of two types, dict scores, errors, zip bombs",
    ),
    LogFormat(
        name="Inspect .json",
        tells=_tells_json,
        read=_read_json,
        item="sample id",
        repeats="epochs",
        traps="early stopping, dict scores, errors",
    ),
)

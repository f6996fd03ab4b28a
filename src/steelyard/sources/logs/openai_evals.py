"""OpenAI evals: JSON lines of a specification, a final report and events."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from steelyard.errors import FileUnreadable, printable
from steelyard.sources.logs.json_text import read_lines
from steelyard.sources.logs.log_format import Head, Log, LogFormat, LogRow, as_number, as_text

__all__ = ["FORMATS"]


def _tells(head: Head) -> bool:
    return head.keys <= {"spec", "final_report", "run_id"} and (
        b'"completion_fns"' in head.start and b'"run_id"' in head.start
    )


def _read(path: Path, name: str) -> Log:
    lines = list(read_lines(path, name))
    try:
        spec = next(line["spec"] for line in lines if "spec" in line)
        events = [line for line in lines if "sample_id" in line]
        rows = _rows(events, str(spec["completion_fns"][0]), str(spec.get("base_eval", "")))
    except (KeyError, TypeError, AttributeError, IndexError, StopIteration) as error:
        found = f"the specification or an event lacks a field ({printable(error)})."
        fix = "Expected a record as oaieval writes it."
        raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log") from error
    return Log(rows=rows)


def _rows(events: list[Mapping[str, Any]], system: str, task: str) -> list[LogRow]:
    """Make a row of each match; a sample that was asked and never judged is an error."""
    rows, times, failed = [], Counter[str](), dict[str, str]()
    asked = dict.fromkeys(as_text(event["sample_id"]) for event in events)
    for event in events:
        item = as_text(event["sample_id"])
        if event["type"] == "error":
            failed[item] = str((event.get("data") or {}).get("message") or "error")
        values = _judge(event)
        if values:
            times[item] += 1
            rows.append(
                LogRow(item=item, system=system, task=task, values=values, repeat=str(times[item]))
            )
    return rows + [
        LogRow(item=one, system=system, task=task, repeat="1", error=failed.get(one, "no match"))
        for one in asked
        if one not in times
    ]


def _judge(event: Mapping[str, Any]) -> dict[str, float]:
    data = event.get("data") or {}
    if event["type"] == "match":
        data = {"correct": data["correct"]}
    elif event["type"] != "metrics":
        return {}
    return {judge: number for judge, x in data.items() if (number := as_number(x)) is not None}


FORMATS = (
    LogFormat(
        name="OpenAI evals",
        tells=_tells,
        read=_read,
        item="sample_id",
        repeats="several matches of one sample",
        traps="samples without a match, errors, repeats",
        provenance="written by the tool's own classes",
    ),
)

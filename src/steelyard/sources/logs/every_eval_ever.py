"""Every Eval Ever: instance-level JSON lines."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from steelyard.errors import FileUnreadable, printable
from steelyard.sources.logs.json_text import read_lines
from steelyard.sources.logs.log_format import (
    Head,
    Log,
    LogFormat,
    LogRow,
    as_number,
    as_text,
    plain_facts,
)

__all__ = ["FORMATS"]


def _tells(head: Head) -> bool:
    return {"evaluation_id", "model_id", "sample_id"} <= head.keys


def _read(path: Path, name: str) -> Log:
    try:
        rows = [_row(one) for one in read_lines(path, name)]
    except (KeyError, TypeError, AttributeError) as error:
        found = f"an instance lacks a field or holds one of another kind ({printable(error)})."
        fix = "Expected instances after the schema of Every Eval Ever."
        raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log") from error
    names = {row.task for row in rows}
    items = {(row.task, row.system, row.item) for row in rows}
    shared = len({(system, item) for _, system, item in items}) < len(items)
    if len(names) > 1 and shared:
        # Converters write the filter of an answer into the name: the same items, scored twice.
        rows = [_as_filter(row) for row in rows]
    return Log(rows=rows, default="is_correct")


def _row(one: Mapping[str, Any]) -> LogRow:
    judged = one["evaluation"]
    facts = plain_facts(one.get("metadata"))
    error = one.get("error")
    values = {
        judge: number
        for judge in ("is_correct", "score")
        if (number := as_number(judged.get(judge))) is not None
    }
    return LogRow(
        item=as_text(one["sample_id"]),
        system=str(one["model_id"]),
        task=str(one["evaluation_name"]),
        repeat=facts.get("epoch", "1"),
        values=values,
        error=str(error) if error else None,
        facts=facts,
    )


def _as_filter(row: LogRow) -> LogRow:
    return LogRow(
        item=row.item,
        system=row.system,
        filter=row.task,
        repeat=row.repeat,
        values=row.values,
        error=row.error,
        facts=row.facts,
    )


FORMATS = (
    LogFormat(
        name="Every Eval Ever",
        tells=_tells,
        read=_read,
        item="sample_id",
        repeats="metadata.epoch",
        traps="filters hidden in names, epochs, errors",
        provenance="written by the tool's own classes",
    ),
)

"""Promptfoo: what ``promptfoo eval -o`` writes as ``.json`` or ``.jsonl``."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from steelyard.errors import FileUnreadable, printable
from steelyard.sources.logs.json_text import read_json, read_lines
from steelyard.sources.logs.log_format import Head, LogFormat
from steelyard.sources.logs.rows import Log, LogRow, as_number, plain_facts

__all__ = ["FORMATS"]

FAILED_TO_RUN = 2
"""``failureReason``: 0 fine, 1 an assertion failed, 2 the provider or the grader failed."""

MOST_LETTERS = 120


def _tells_whole(head: Head) -> bool:
    if "evalId" in head.keys and "results" in head.keys:
        return True
    # Before version 3 there was no id of the run: results, stats and a table side by side.
    old = {"version", "results", "stats"} <= head.keys or {"results", "table"} <= head.keys
    inside = "results" in head.keys <= {"results", "config", "shareableUrl"}
    return (
        (old or (inside and b'"version"' in head.start))
        and b'"vars"' in head.start
        and b'"success"' in head.start
    )


def _tells_lines(head: Head) -> bool:
    return not head.is_array and {"promptIdx", "testIdx", "success"} <= head.keys


def _tells_table(head: Head) -> bool:
    """Tell the CSV by its heads, which come again for every prompt."""
    first = head.start.partition(b"\n")[0]
    return b",Named Scores," in first and b",Grader Reason," in first


def _refuse_table(path: Path, name: str) -> Log:
    del path
    found = "the table of promptfoo repeats its column names for each prompt and has no ids."
    fix = "Write the same results as JSON (promptfoo eval -o out.json) and name that."
    raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log")


def _read_whole(path: Path, name: str) -> Log:
    whole = read_json(path, name)
    results = whole.get("results")
    rows = results.get("results") if isinstance(results, dict) else results
    if not isinstance(rows, list):
        found = "there is no list results.results."
        fix = "Expected what promptfoo eval -o out.json writes."
        raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log")
    return _log(rows, name)


def _read_lines(path: Path, name: str) -> Log:
    return _log(read_lines(path, name), name)


def _log(found: Iterable[Mapping[str, Any]], name: str) -> Log:
    try:
        samples = sorted(found, key=lambda one: (one.get("testIdx", 0), one.get("promptIdx", 0)))
        several = len({_prompt(one) for one in samples}) > 1
        seen: Counter[tuple[str, str]] = Counter()
        rows = []
        for one in samples:
            system = _provider(one)
            if several:
                system = f"{system} | {_prompt(one)}"
            item = _item(one)
            seen[item, system] += 1
            rows.append(_row(one, item, system, seen[item, system]))
    except (KeyError, TypeError, AttributeError) as error:
        reason = f"a row lacks a field or holds one of another kind ({printable(error)})."
        fix = "Expected what promptfoo eval -o out.json writes."
        raise FileUnreadable.for_file(name, reason, fix=fix, code="not-a-log") from error
    notes: tuple[str, ...] = ()
    if any(times > 1 for times in seen.values()):
        notes = ("rows of one test and system are repeats of it, told by their variables",)
    return Log(rows=rows, default="success", notes=notes)


def _row(one: Mapping[str, Any], item: str, system: str, times: int) -> LogRow:
    named = one.get("namedScores") or {}
    judged = {"success": one["success"], "score": one.get("score"), **named}
    failed = one.get("failureReason") == FAILED_TO_RUN
    case = one.get("testCase") or {}
    return LogRow(
        item=item,
        system=system,
        repeat=str(times),
        values={
            n: number for n, value in judged.items() if (number := as_number(value)) is not None
        },
        error=str(one.get("error") or "not run").splitlines()[0] if failed else None,
        facts={
            **plain_facts(one.get("vars")),
            **plain_facts(case.get("metadata")),
            **plain_facts({"description": case.get("description")}),
        },
    )


def _provider(one: Mapping[str, Any]) -> str:
    provider = one.get("provider", "provider")  # version 1 names the provider in its prompt only
    if isinstance(provider, str):
        return provider
    return str(provider.get("label") or provider["id"])


def _prompt(one: Mapping[str, Any]) -> str:
    prompt = one.get("prompt") or {}
    named = prompt.get("label") or prompt.get("display") or prompt.get("raw")
    return str(named or f"prompt {one.get('promptIdx', 0)}")


def _item(one: Mapping[str, Any]) -> str:
    """Name a test by its variables and description: its number changes with every repeat."""
    case = one.get("testCase") or {}
    text = json.dumps(one.get("vars") or {}, sort_keys=True, ensure_ascii=False)
    if len(text) > MOST_LETTERS:
        text = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    description = case.get("description")
    return f"{description} {text}" if description else text


FORMATS = (
    LogFormat(
        name="promptfoo .json",
        tells=_tells_whole,
        read=_read_whole,
        item="variables and description",
        repeats="rows of equal variables",
        traps="repeats without an index, several prompts, errors against failed assertions",
    ),
    LogFormat(
        name="promptfoo .jsonl",
        tells=_tells_lines,
        read=_read_lines,
        item="variables and description",
        repeats="rows of equal variables",
        traps="rows in any order",
    ),
    LogFormat(
        name="promptfoo table (.csv)",
        tells=_tells_table,
        read=_refuse_table,
        item="none: refused, columns repeat",
        repeats="none",
        traps="columns of one name",
    ),
)

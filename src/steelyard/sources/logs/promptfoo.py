"""Promptfoo: what ``promptfoo eval -o`` writes as ``.json``, ``.jsonl`` or ``.csv``."""

import csv
import hashlib
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from steelyard.errors import FileUnreadable, printable
from steelyard.sources.files.formats import open_bytes
from steelyard.sources.logs.json_text import read_json, read_lines
from steelyard.sources.logs.log_format import Head, Log, LogFormat, LogRow, as_number, plain_facts

__all__ = ["FORMATS"]

FAILED_TO_RUN = 2
"""``failureReason``: 0 fine, 1 an assertion failed, 2 the provider or the grader failed."""

MOST_LETTERS = 120
VERDICT = re.compile(r"\[(PASS|FAIL|ERROR)\](?:\s*\((\d+(?:\.\d+)?)[^)]*\))?")
"""What the cell of a prompt begins with, and the score behind it where there is one."""
HEADING = re.compile(r"\[([^]]+)\]\s*(.*)", re.DOTALL)


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


def _tells_verdicts(head: Head) -> bool:
    """Tell a table whose cells begin with a verdict in brackets, below the first row alone."""
    if head.keys or not any(mark in head.start for mark in (b"[PASS]", b"[FAIL]")):
        return False
    return bool(_prompts(_cells(head.start)[:2]))


def _cells(content: bytes) -> list[list[str]]:
    text = content.decode("utf-8-sig", "replace")
    try:
        return [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    except csv.Error:
        return []


def _prompts(rows: list[list[str]]) -> list[int]:
    """List the columns of prompts: all their cells begin with a verdict."""
    return [
        place
        for place in range(len(rows[0]) if len(rows) > 1 else 0)
        if all(place < len(row) and VERDICT.match(row[place]) for row in rows[1:])
    ]


def _read_verdicts(path: Path, name: str) -> Log:
    with open_bytes(path) as file:
        rows = _cells(file.read())
    prompts = _prompts(rows)
    if not prompts or any(len(row) != len(rows[0]) for row in rows):
        found = "some of its cells hold no [PASS], [FAIL] or [ERROR], or rows differ in length."
        fix = (
            "Expected what promptfoo eval -o out.csv writes; out.json holds more and is read, too."
        )
        raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log")
    systems = _name_columns([rows[0][place] for place in prompts])
    seen: Counter[str] = Counter()
    log = []
    for row in rows[1:]:
        facts = {
            title: cell
            for place, (title, cell) in enumerate(zip(rows[0], row, strict=True))
            if place not in prompts
        }
        item = _item({"vars": facts})
        seen[item] += 1
        log += [
            _verdict_row(row[place], item, system, str(seen[item]), facts)
            for place, system in zip(prompts, systems, strict=True)
        ]
    repeated = max(seen.values(), default=0) > 1
    notes = ("rows of one test are repeats of it, told by their variables",) if repeated else ()
    return Log(rows=log, default="success", notes=notes)


def _verdict_row(
    cell: str, item: str, system: str, repeat: str, facts: Mapping[str, str]
) -> LogRow:
    found = VERDICT.match(cell)
    word, score = found.groups() if found else ("ERROR", None)
    values = {"success": float(word == "PASS")}
    if score is not None:
        values["score"] = float(score)
    said = cell[found.end() :].strip().splitlines()[:1] if found else []
    return LogRow(
        item=item,
        system=system,
        repeat=repeat,
        values=values,
        error=(said or ["not run"])[0] if word == "ERROR" else None,
        facts=plain_facts(facts),
    )


def _name_columns(titles: list[str]) -> list[str]:
    """Name systems by their provider where that tells them apart, otherwise by prompt, too."""
    parts = [_heading(title) for title in titles]
    for named in ([who for who, _ in parts], [f"{who} | {prompt}" for who, prompt in parts]):
        if len({*named}) == len(named):
            return named
    return [f"{who} | prompt {place}" for place, (who, _) in enumerate(parts, 1)]


def _heading(title: str) -> tuple[str, str]:
    """Read ``[provider] prompt``, or the prompt as JSON."""
    try:
        said = json.loads(title)
        prompt = _prompt({"prompt": said})
        return (_provider(said) if "provider" in said else prompt), prompt
    except (ValueError, AttributeError, TypeError, KeyError):
        found = HEADING.fullmatch(title.strip())
        return (found[1], found[2]) if found else (title.strip(), "")


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
        name="promptfoo verdicts (.csv)",
        tells=_tells_verdicts,
        read=_read_verdicts,
        item="variables",
        repeats="rows of equal variables",
        traps="heads that hold JSON, several prompts, errors against failed assertions",
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

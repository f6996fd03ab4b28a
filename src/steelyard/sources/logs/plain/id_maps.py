"""JSON that maps the id of an item to its verdict: one object, however it is broken into lines.

SWE-bench Pro and many harnesses of one's own write ``{"task-1": true, ...}`` or
``{"task-1": {"passed": true, ...}, ...}``; EvalPlus keeps a list of samples for each task under
``eval``; LiveCodeBench a list of tasks with ``graded_list``; AlpacaEval a list of preferences.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from steelyard.errors import FileUnreadable, printable
from steelyard.sources.files.formats import SAMPLE_BYTES
from steelyard.sources.logs.json_text import read_json, whole_object
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

FEWEST = 3
"""An object of fewer entries may be a single row of a table."""

FIRST_ENTRY = re.compile(r'\s*\{\s*"(?:[^"\\]|\\.)+"\s*:\s*(?:true|false)\s*,')
JUDGED = re.compile(r"(?i)pass|correct|resolved|success|right|solved|acc|score|verdict|result")
PASSED = {"pass": 1.0, "success": 1.0, "fail": 0.0, "timeout": 0.0}


def _tells_map(head: Head) -> bool:
    if len(head.start) >= SAMPLE_BYTES:
        return FIRST_ENTRY.match(head.start.decode("utf-8", "replace")) is not None
    return _is_map(whole_object(head.start))


def _is_map(whole: object) -> bool:
    if not isinstance(whole, dict) or len(whole) < FEWEST:
        return False
    values = list(whole.values())
    if all(isinstance(value, bool) for value in values):
        return True
    if all(isinstance(value, int) and value in {0, 1} for value in values):
        return True
    if not all(isinstance(value, dict) for value in values):
        return False
    judges = _common_verdicts(values)
    # Several, none of them called as verdicts are: verdicts of systems, or items by system.
    turned = len(judges) > 1 and not any(JUDGED.search(name) for name in judges)
    return bool(judges) and not turned


def _common_verdicts(values: Iterable[Mapping[str, Any]]) -> list[str]:
    """Name the fields that hold true or false, or a number called as verdicts are, everywhere."""
    objects = list(values)
    return [
        name
        for name in objects[0]
        if all(isinstance(one.get(name), bool) for one in objects)
        or (JUDGED.search(name) and all(as_number(one.get(name)) is not None for one in objects))
    ]


def _system(name: str) -> str:
    return name.removesuffix(".gz").removesuffix(".json").removesuffix(".jsonl")


def _read_map(path: Path, name: str) -> Log:
    whole = read_json(path, name)
    if not _is_map(whole):
        raise _no_log(name, 'Expected {"id": true, ...} or {"id": {"passed": true}, ...}.')
    system = _system(name)
    first = next(iter(whole.values()))
    judges = _common_verdicts(whole.values()) if isinstance(first, dict) else []
    rows = [
        LogRow(
            item=str(item),
            system=system,
            values=(
                {judge: as_number(found[judge]) or 0.0 for judge in judges}
                if judges
                else {"correct": float(found)}
            ),
            facts=plain_facts(found) if judges else {},
        )
        for item, found in whole.items()
    ]
    return Log(rows=rows, default=judges[0] if len(judges) == 1 else None)


def _tells_evalplus(head: Head) -> bool:
    statuses = (b'"base_status"', b'"status"')  # the second is BigCodeBench's
    return "eval" in head.keys and any(word in head.start for word in statuses)


def _read_evalplus(path: Path, name: str) -> Log:
    """Read samples of tasks: ``base`` judges by the first tests, ``plus`` by all of them."""
    evaluated = read_json(path, name).get("eval")
    if not isinstance(evaluated, dict):
        raise _no_log(name, "Expected the eval_results.json of evalplus.evaluate.")
    system = _system(name).removesuffix("_eval_results").removesuffix("-eval_results")
    rows = []
    for task, samples in evaluated.items():
        for number, sample in enumerate(samples if isinstance(samples, list) else [samples], 1):
            base = PASSED.get(str(sample.get("base_status")), None)
            plus = PASSED.get(str(sample.get("plus_status")), None)
            passed = PASSED.get(str(sample.get("status")), None)
            values = {
                "base": base,
                "plus": None if plus is None else plus * (base or 0.0),
                "passed": passed if base is None else None,
            }
            rows.append(
                LogRow(
                    item=str(task),
                    system=system,
                    repeat=str(number),
                    values={judge: value for judge, value in values.items() if value is not None},
                )
            )
    return Log(rows=rows)


def _tells_graded(head: Head) -> bool:
    return head.is_array and {"question_id", "graded_list"} <= head.keys


def _read_graded(path: Path, name: str) -> Log:
    rows = [
        LogRow(
            item=_id(task["question_id"]),
            system=_system(name),
            repeat=str(number),
            values={"passed": float(bool(passed))},
            facts=plain_facts(task),
        )
        for task in _objects(path, name)
        for number, passed in enumerate(task.get("graded_list") or [], 1)
    ]
    return Log(rows=rows, default="passed")


def _tells_preferences(head: Head) -> bool:
    return head.is_array and {"instruction", "preference", "generator_2"} <= head.keys


def _read_preferences(path: Path, name: str) -> Log:
    """Read AlpacaEval's annotations: a preference above 1.5 is a win of the second generator."""
    rows = []
    for one in _objects(path, name):
        preference = as_number(one.get("preference"))
        values = {} if preference is None else {"win": min(max(preference - 1.0, 0.0), 1.0)}
        rows.append(
            LogRow(
                item=_id(one["instruction"]),
                system=str(one["generator_2"]),
                values=values,
                error=None if values else "no preference was given",
                facts=plain_facts({"dataset": one.get("dataset")}),
            )
        )
    against = ", ".join(sorted({str(one.get("generator_1")) for one in _objects(path, name)}))
    return Log(rows=rows, default="win", notes=(f"right is a win against {printable(against)}",))


def _objects(path: Path, name: str) -> Iterator[Mapping[str, Any]]:
    for one in read_json(path, name):
        if not isinstance(one, dict):
            raise _no_log(name, "Expected an array of objects.")
        yield one


def _id(value: object) -> str:
    if isinstance(value, dict | list) or value is None:
        raise TypeError(value)
    return as_text(value)


def _refusing(read: Callable[[Path, str], Log], fix: str) -> Callable[[Path, str], Log]:
    """Refuse a file that lacks a field, or holds one of another kind, in words."""

    def careful(path: Path, name: str) -> Log:
        try:
            return read(path, name)
        except (KeyError, TypeError, AttributeError) as error:
            raise _no_log(name, fix) from error

    return careful


def _no_log(name: str, fix: str) -> FileUnreadable:
    found = "it is not what its first lines promise."
    return FileUnreadable.for_file(name, found, fix=fix, code="not-a-log")


FORMATS = (
    LogFormat(
        name="EvalPlus results",
        tells=_tells_evalplus,
        read=_refusing(_read_evalplus, "Expected the eval_results.json of evalplus.evaluate."),
        item="task id",
        repeats="samples of a task",
        traps="base and plus verdicts, one counts plus only where base passed",
        provenance="unverified",
    ),
    LogFormat(
        name="LiveCodeBench results",
        tells=_tells_graded,
        read=_refusing(_read_graded, "Expected tasks with question_id and graded_list."),
        item="question_id",
        repeats="graded_list",
        traps="a list of verdicts for each task",
        provenance="unverified",
    ),
    LogFormat(
        name="AlpacaEval annotations",
        tells=_tells_preferences,
        read=_refusing(_read_preferences, "Expected annotations.json of alpaca_eval."),
        item="instruction",
        repeats="none",
        traps="preferences between 1 and 2, missing preferences",
        provenance="unverified",
    ),
    LogFormat(
        name="JSON map of ids",
        tells=_tells_map,
        read=_refusing(_read_map, 'Expected {"id": true, ...}.'),
        item="key",
        repeats="none",
        traps="one object over several lines, verdicts inside objects",
        provenance="unverified",
    ),
)

"""DeepEval: ``test_run_*.json`` of a results folder, or ``.latest_run_full.json``."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from steelyard.errors import FileUnreadable, printable
from steelyard.sources.logs.json_text import read_json
from steelyard.sources.logs.log_format import Head, Log, LogFormat, LogRow, as_number, plain_facts

__all__ = ["FORMATS"]


def _tells(head: Head) -> bool:
    return "testCases" in head.keys and b'"metricsData"' in head.start


def _read(path: Path, name: str) -> Log:
    run = read_json(path, name)
    system = str(run.get("identifier") or (run.get("hyperparameters") or {}).get("model") or name)
    cases = [*(run.get("testCases") or []), *(run.get("conversationalTestCases") or [])]
    try:
        rows = list(_rows(cases, system))
    except (KeyError, TypeError, AttributeError) as error:
        found = f"a test case lacks a field or holds one of another kind ({printable(error)})."
        fix = "Expected a test run as DeepEval writes it."
        raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log") from error
    return Log(rows=rows, default="success")


def _rows(cases: list[Mapping[str, Any]], system: str) -> Iterator[LogRow]:
    """Name a case by its name where every case has its own, else by its input."""
    names = Counter(case.get("name") for case in cases)
    by_name = None not in names and max(names.values(), default=0) <= 1
    for case in cases:
        found = case.get("metricsData") or []
        errors = [str(one["error"]) for one in found if one.get("error")]
        values = {"success": as_number(case.get("success"))}
        values |= {one["name"]: as_number(one.get("score")) for one in found}
        yield LogRow(
            item=str(case["name"] if by_name else case["input"]),
            system=system,
            values={judge: value for judge, value in values.items() if value is not None},
            error=errors[0] if errors else None,
            facts=plain_facts(case.get("metadata")),
        )


FORMATS = (
    LogFormat(
        name="DeepEval",
        tells=_tells,
        read=_read,
        item="name, or input where names repeat",
        repeats="a run each, named NAME=FILE",
        traps="errors of a metric, repeated names",
    ),
)

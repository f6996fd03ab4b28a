"""SWE-bench: the report of a run, and the results of the leaderboard's folders."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import Any

from steelyard.errors import FileUnreadable, counted, listing, printable
from steelyard.sources.logs.json_text import read_json
from steelyard.sources.logs.log_format import Head, Log, LogFormat, LogRow

__all__ = ["FORMATS"]

WRONG = ("unresolved_ids", "empty_patch_ids", "error_ids")
NOT_JUDGED = ("infra_failure_ids", "ambiguous_failure_ids")
BOARD = frozenset({"no_generation", "no_logs", "resolved"})
CASE = b'"patch_successfully_applied"'


def _tells_report(head: Head) -> bool:
    return {"submitted_instances", "resolved_instances"} <= head.keys


def _tells_board(head: Head) -> bool:
    return "resolved" in head.keys and head.keys <= BOARD


def _tells_case(head: Head) -> bool:
    return CASE in head.start and len(head.keys) == 1 and b'"resolved"' in head.start


def _tells_old_report(head: Head) -> bool:
    return {"generated", "resolved"} <= head.keys and bool({"no_generation", "applied"} & head.keys)


def _read_old_report(path: Path, name: str) -> Log:
    """Read the report of the first harness (2023 and 2024): who was tried is named in full."""
    report = read_json(path, name)
    system = name.removesuffix(".gz").removesuffix(".json")
    resolved = {*_ids(report, "resolved", name)}
    tried = dict.fromkeys([*_ids(report, "generated", name), *_ids(report, "no_generation", name)])
    strange = sorted(resolved - {*tried})
    if strange:
        found = (
            f"{counted(len(strange), 'id', 'are')} resolved and was not tried: {listing(strange)}."
        )
        fix = "Write the report again."
        raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log")
    return Log(rows=[_row(one, system, right=one in resolved) for one in tried])


def _read_report(path: Path, name: str) -> Log:
    report = read_json(path, name)
    system = name.removesuffix(".gz").removesuffix(".json")
    rows = {one: _row(one, system, right=True) for one in _ids(report, "resolved_ids", name)}
    for part in WRONG:
        for one in _ids(report, part, name):
            rows.setdefault(one, _row(one, system, right=False))
    both = sorted({*_ids(report, "resolved_ids", name)} & {*_ids(report, "unresolved_ids", name)})
    if both:
        found = f"{counted(len(both), 'id', 'are')} both resolved and unresolved: {listing(both)}."
        fix = "Write the report again; an id stands in one of the lists."
        raise FileUnreadable.for_file(name, found, fix=fix, code="duplicate-id")
    for one in _ids(report, "incomplete_ids", name):
        rows.setdefault(one, replace(_row(one, system, right=False), submitted=False))
    for part in NOT_JUDGED:
        for one in _ids(report, part, name):
            rows[one] = LogRow(item=one, system=system, error=part.removesuffix("_ids"))
    return Log(rows=list(rows.values()), caveats=tuple(_doubts(report, name, len(rows))))


def _ids(report: Mapping[str, Any], part: str, name: str) -> list[str]:
    ids = report.get(part, [])
    if not isinstance(ids, list):
        found = f"{part} is not a list of ids."
        fix = "Expected a report with schema_version 2, as SWE-bench 3 to 5 write it."
        raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log")
    return [str(one) for one in ids]


def _row(item: str, system: str, *, right: bool) -> LogRow:
    repository = item.rpartition("-")[0]
    return LogRow(
        item=item,
        system=system,
        values={"resolved": float(right)},
        facts={"repository": repository} if repository else {},
    )


def _doubts(report: Mapping[str, Any], name: str, rows: int) -> Iterator[str]:
    total = report.get("total_instances")
    if isinstance(total, int) and total != rows:
        yield (
            f"{printable(name)}: the report names {counted(total, 'instance')} and names "
            f"{rows:,}; only those it names are counted"
        )


def _refuse_board(path: Path, name: str) -> Log:
    """Refuse what the leaderboard keeps: who resolved is named, whose attempt failed is not."""
    board = read_json(path, name)
    folder = path.resolve().parent
    system = folder.parent.name if folder.name == "results" else folder.name
    resolved = len(_ids(board, "resolved", name))
    found = (
        f"it names {counted(resolved, 'resolved task')}, and not the attempts that failed, so "
        "that no rate follows from it."
    )
    fix = (
        "Pass the reports of the runs (MODEL.RUN.json), or the counts out of the whole benchmark: "
        f"steelyard compare --correct {quote(f'{system}={resolved},OTHER=N')} --tested 500 "
        "--pairing common"
    )
    raise FileUnreadable.for_file(name, found, fix=fix, code="not-tried")


def _read_case(path: Path, name: str) -> Log:
    """Read the report of one instance, out of the folder of a run's logs."""
    ((item, found),) = read_json(path, name).items()
    system = path.resolve().parent.parent.name
    right: Sequence[Any] = [found.get("resolved")] if isinstance(found, dict) else []
    if right not in ([True], [False]):
        fix = "Expected a report.json of run_evaluation."
        raise FileUnreadable.for_file(name, "it does not say resolved.", fix=fix, code="not-a-log")
    return Log(rows=[_row(str(item), system, right=bool(right[0]))])


FORMATS = (
    LogFormat(
        name="SWE-bench report",
        tells=_tells_report,
        read=_read_report,
        item="instance id",
        repeats="a run each; shards of one run are named alike, NAME=a.json NAME=b.json",
        traps="ids never submitted, infrastructure failures, empty patches",
        provenance="written by the tool's own classes",
    ),
    LogFormat(
        name="SWE-bench report of the first harness",
        tells=_tells_old_report,
        read=_read_old_report,
        item="instance id",
        repeats="none",
        traps="no patch was made for an id: it counts as wrong",
        provenance="unverified",
    ),
    LogFormat(
        name="SWE-bench instance report",
        tells=_tells_case,
        read=_read_case,
        item="instance id",
        repeats="none",
        traps="one file per instance",
        provenance="written by the tool's own classes",
    ),
    LogFormat(
        name="SWE-bench leaderboard",
        tells=_tells_board,
        read=_refuse_board,
        item="instance id",
        repeats="none",
        traps="failed attempts are not named",
        provenance="unverified",
    ),
)

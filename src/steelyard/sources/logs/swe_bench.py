"""SWE-bench: the report of a run, and the results of the leaderboard's folders."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from steelyard.errors import FileUnreadable, counted, printable
from steelyard.sources.logs.json_text import read_json
from steelyard.sources.logs.log_format import Head, LogFormat
from steelyard.sources.logs.rows import Log, LogRow

__all__ = ["FORMATS"]

WRONG = ("unresolved_ids", "empty_patch_ids", "error_ids", "incomplete_ids")
NOT_JUDGED = ("infra_failure_ids", "ambiguous_failure_ids")
BOARD = frozenset({"no_generation", "no_logs", "resolved"})
CASE = b'"patch_successfully_applied"'


def _tells_report(head: Head) -> bool:
    return {"submitted_instances", "resolved_instances"} <= head.keys


def _tells_board(head: Head) -> bool:
    return "resolved" in head.keys and head.keys <= BOARD


def _tells_case(head: Head) -> bool:
    return CASE in head.start and len(head.keys) == 1 and b'"resolved"' in head.start


def _read_report(path: Path, name: str) -> Log:
    report = read_json(path, name)
    system = name.removesuffix(".gz").removesuffix(".json")
    rows = {one: _row(one, system, right=True) for one in _ids(report, "resolved_ids", name)}
    for part in WRONG:
        for one in _ids(report, part, name):
            rows.setdefault(one, _row(one, system, right=False))
    for part in NOT_JUDGED:
        for one in _ids(report, part, name):
            rows[one] = LogRow(item=one, system=system, error=part.removesuffix("_ids"))
    return Log(rows=list(rows.values()), caveats=tuple(_doubts(report, name, len(rows))))


def _ids(report: Mapping[str, Any], part: str, name: str) -> list[str]:
    ids = report.get(part, [])
    if not isinstance(ids, list):
        found = f"{part} is no list of ids."
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
    left = report.get("incomplete_ids") or []
    if left:
        yield (
            f"{printable(name)}: {counted(len(left), 'instance')} never submitted, counted as not "
            "resolved, as the official rate does"
        )
    total = report.get("total_instances")
    if isinstance(total, int) and total != rows:
        yield (
            f"{printable(name)}: the report speaks of {counted(total, 'instance')} and names "
            f"{rows:,}; only those it names are counted"
        )


def _read_board(path: Path, name: str) -> Log:
    """Read what the leaderboard keeps: who resolved is named, who tried is not."""
    board = read_json(path, name)
    folder = path.resolve().parent
    system = folder.parent.name if folder.name == "results" else folder.name
    rows = [_row(one, system, right=True) for one in _ids(board, "resolved", name)]
    for part in ("no_generation", "no_logs"):
        rows += [_row(one, system, right=False) for one in _ids(board, part, name)]
    caveat = (
        f"{printable(name)}: the leaderboard's file names what was resolved or not attempted, and "
        "leaves out what was tried in vain; the rate over its rows is no resolution rate"
    )
    return Log(rows=rows, caveats=(caveat,))


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
        repeats="a run each, named NAME=FILE",
        traps="incomplete ids, infrastructure failures, empty patches",
        provenance="written by the tool's own classes",
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
        read=_read_board,
        item="instance id",
        repeats="none",
        traps="tried in vain is not named",
        provenance="unverified",
    ),
)

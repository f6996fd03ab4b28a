"""Tables kept as ``columns`` and ``data``: MLflow's results and the tables of Weights & Biases."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from steelyard.errors import FileUnreadable, listing, printable
from steelyard.sources.logs.json_text import read_json
from steelyard.sources.logs.log_format import Head, Log, LogFormat, LogRow, as_number, as_text
from steelyard.sources.roles.proposals import propose_holding, propose_single_role

__all__ = ["FORMATS"]

CLASSIC = re.compile(r"^(?P<judge>.+)/v\d+/score$")
JUDGED = "/value"
TAG = "mlflow.eval.requestId"
ITEMS = ("item", "id", "item_id", "qid", "question_id", "sample_id", "row_id")
TRUTHS, CALLS = ("truth", "target", "label", "ground_truth"), ("called", "prediction", "predicted")
VERDICTS = ("correct", "outcome", "is_correct", "success", "score")
GENAI = ("trace_id", "state", "assessments")


def _columns(head: Head) -> list[str]:
    """Read the names of the columns, which stand in front of the data."""
    if not {"columns"} <= head.keys:
        return []
    text = head.start.decode("utf-8", "replace")
    match = re.search(r'"columns"\s*:\s*(\[.*?\])', text, re.DOTALL)
    try:
        found = json.loads(match[1]) if match else []
    except (ValueError, RecursionError):
        return []
    return [str(name) for name in found]


def _tells_genai(head: Head) -> bool:
    return {*GENAI} <= set(_columns(head))


def _tells_classic(head: Head) -> bool:
    return any(CLASSIC.match(name) for name in _columns(head))


def _tells_table(head: Head) -> bool:
    return head.name.endswith(".table.json") and bool(_columns(head))


def _records(path: Path, name: str) -> list[dict[str, Any]]:
    table = read_json(path, name)
    columns, data = table.get("columns"), table.get("data")
    if not isinstance(columns, list) or not isinstance(data, list):
        found = "there is no list of columns with a list of data."
        fix = "Expected the table as MLflow or Weights & Biases writes it."
        raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log")
    uneven = [
        n for n, row in enumerate(data, 1) if not isinstance(row, list) or len(row) != len(columns)
    ]
    if uneven:
        found = f"row {uneven[0]} has not one value for each of the {len(columns)} columns."
        fix = "Write the table again."
        raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log")
    return [dict(zip(map(str, columns), row, strict=True)) for row in data]


def _item_column(records: Sequence[Mapping[str, Any]], name: str) -> str:
    """Find the column that names each row; nothing is paired by its place."""
    columns = list(records[0]) if records else []
    for column in (*(one for one in ITEMS if one in columns), "inputs", "input"):
        values = [json.dumps(record.get(column)) for record in records]
        if column in columns and len(set(values)) == len(values):
            return column
    found = f"no column names the item of each row ({listing(columns)})."
    fix = f"Give the table a column of ids: one of {listing(ITEMS)}."
    raise FileUnreadable.for_file(name, found, fix=fix, code="no-item")


def _text(value: object) -> str:
    return as_text(value) if isinstance(value, str | int | float) else json.dumps(value)


def _read_classic(path: Path, name: str) -> Log:
    records = _records(path, name)
    item = _item_column(records, name)
    rows = []
    for one in records:
        found = {m["judge"]: as_number(x) for key, x in one.items() if (m := CLASSIC.match(key))}
        values = {judge: value for judge, value in found.items() if value is not None}
        rows.append(_row(one, item, name, values=values))
    return Log(rows=rows, notes=(f"item: column {item!r}",))


def _row(one: Mapping[str, Any], item: str, name: str, *, values: Mapping[str, float]) -> LogRow:
    return LogRow(
        item=_text(one[item]),
        system=name.partition(".")[0],
        values=values,
        error=None if values else "not scored",
        facts={key: as_text(x) for key, x in one.items() if isinstance(x, str) and len(x) < 60},
    )


def _read_genai(path: Path, name: str) -> Log:
    """Read a table of traces; the id of a trace is new in every run, its request id is not."""
    rows = []
    for one in _records(path, name):
        tags = one.get("tags") or {}
        if not isinstance(tags, dict) or TAG not in tags:
            found = f"a trace lacks the tag {TAG}."
            fix = "Expected the result_df of mlflow.genai.evaluate."
            raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log")
        values = {
            judge.removesuffix(JUDGED): number
            for judge, value in one.items()
            if judge.removesuffix(JUDGED) in _judges(one)
            if judge.endswith(JUDGED) and (number := as_number(value)) is not None
        }
        state = str(one.get("state"))
        failed = None if state == "OK" and values else f"state {state}, not scored"
        system = str((one.get("trace_metadata") or {}).get("mlflow.sourceRun") or name)
        rows.append(LogRow(item=str(tags[TAG]), system=system, values=values, error=failed))
    return Log(rows=rows, asked="scorer")


def _judges(one: Mapping[str, Any]) -> set[str]:
    """Tell scorers from what people expected beforehand, which stands among the assessments."""
    found = one.get("assessments")
    if not isinstance(found, list):
        return {name.removesuffix(JUDGED) for name in one if name.endswith(JUDGED)}
    return {str(a.get("assessment_name")) for a in found if isinstance(a, dict) and "feedback" in a}


def _read_table(path: Path, name: str) -> Log:
    """Read a table of Weights & Biases: verdicts if it holds some, else truth and called."""
    records = _records(path, name)
    item = _item_column(records, name)
    columns = set(records[0]) if records else set()
    verdicts = [one for one in VERDICTS if one in columns]
    system = printable(name).partition(".")[0]
    rows = []
    for one in records:
        values = {v: x for v in verdicts if (x := as_number(one[v])) is not None}
        rows.append(_row(one, item, system, values=values))
    if not verdicts:
        named = sorted(columns)
        truths = [*(one for one in TRUTHS if one in columns), *filter(_says_truth, named)]
        calls = [*(one for one in CALLS if one in columns), *filter(_says_call, named)]
        truth, called = next(iter(truths), None), next(iter(calls), None)
        if truth is None or called is None:
            found = f"no column says right or wrong ({listing(sorted(columns))})."
            fix = f"Expected one of {listing(VERDICTS)}, or a truth and a prediction."
            raise FileUnreadable.for_file(name, found, fix=fix, code="not-a-log")
        rows = [
            LogRow(
                item=_text(one[item]),
                system=system,
                truth=_text(one[truth]),
                called=_text(one[called]),
            )
            for one in records
        ]
    default = verdicts[0] if verdicts else None
    return Log(rows=rows, default=default, notes=(f"item: column {item!r}",))


def _says_truth(name: str) -> bool:
    return propose_single_role(name) == "truth"


def _says_call(name: str) -> bool:
    return propose_holding(name) == "called"


FORMATS = (
    LogFormat(
        name="MLflow genai table",
        tells=_tells_genai,
        read=_read_genai,
        item="tag mlflow.eval.requestId",
        repeats="a run each, named NAME=FILE",
        traps="trace ids that change, expectations beside scores, state not OK",
    ),
    LogFormat(
        name="MLflow classic table",
        tells=_tells_classic,
        read=_read_classic,
        item="a column of ids, else the input",
        repeats="a run each, named NAME=FILE",
        traps="null scores, no column of ids",
    ),
    LogFormat(
        name="W&B table",
        tells=_tells_table,
        read=_read_table,
        item="a column of ids",
        repeats="a table each, named NAME=FILE",
        traps="uneven rows, no column of ids",
    ),
)

"""What ``trec_eval -q`` prints: a measure, a query and a value in every line."""

import csv
import re
from pathlib import Path

from steelyard.engines.local import LocalEngine
from steelyard.errors import FileUnreadable
from steelyard.sources.files.formats import open_bytes, read_head

__all__ = ["QUERY", "is_trec_eval", "write_queries"]

QUERY, EVERY = "query_id", "all"
LINE = re.compile(
    r"((?:num|relstring|runid|map|gm|Rprec|bpref|recip|iprec|P|recall|infAP|ndcg|set|success|utility"
    r"|Rndcg|binG|G|11pt|relative_P|unranked)(?:_\w+(?:\.\d+)?)?)\s+(\S+)\s+(\S+)\s*"
)
COUNTS = ("num_", "runid", "relstring")
"""What is said of a query or a run, and is no measure."""


def is_trec_eval(path: Path) -> bool:
    """Tell lines of a measure, a query and a value, of several queries."""
    head, _, whole = read_head(path)
    lines = head.decode("utf-8", "replace").splitlines()
    found = [LINE.fullmatch(line) for line in (lines if whole else lines[:-1]) if line.strip()]
    return len({one[2] for one in found if one}) > 2 and all(found)


def write_queries(engine: LocalEngine, path: Path, name: str) -> Path:
    """Write a row for each query with a column for each measure; totals are left out."""
    values: dict[str, dict[str, str]] = {}
    measures: dict[str, None] = {}
    with open_bytes(path) as file:
        for number, line in enumerate(file.read().decode("utf-8", "replace").splitlines(), 1):
            found = LINE.fullmatch(line)
            if found is None and line.strip():
                reason = f"line {number} is no measure, query and value: {line.strip()[:60]!r}."
                fix = "Expected what trec_eval -q prints."
                raise FileUnreadable.for_file(name, reason, fix=fix, code="trec-eval")
            if found is None or found[2] == EVERY or found[1].startswith(COUNTS):
                continue
            if found[1] in values.setdefault(found[2], {}):
                reason = (
                    f"query {found[2]!r} has {found[1]} twice, the second time in line {number}."
                )
                fix = "Name the output of one run for each file."
                raise FileUnreadable.for_file(name, reason, fix=fix, code="trec-eval")
            values[found[2]][found[1]] = found[3]
            measures[found[1]] = None
    copy = engine.scratch(".csv")
    with copy.open("w", encoding="utf-8", newline="") as rows:
        writer = csv.writer(rows)
        writer.writerow([QUERY, *measures])
        writer.writerows(
            [query, *(own.get(measure, "") for measure in measures)]
            for query, own in values.items()
        )
    return copy
